/* SPDX-License-Identifier: MIT
 * Where operations belong: folded texts, places and paths. */
#include "stack/stack.h"

#include "test.h"

#include <string.h>

/* ---- numbers of texts ---- */

static void check_fold(const char *text, const char *folded, const char *numbers)
{
	struct tm_buf out = { 0 }, list = { 0 };
	size_t n = strlen(text), len;

	CHECK(tm_fold(&out, text, n));
	CHECK_STR(tm_buf_chr(&out, '\0') ? out.p : "", folded);
	for (size_t at = 0; tm_fold_next(text, n, &at, &len); at += len) {
		struct tm_fold_range r = { 0 };

		tm_fold_widen(&r, text + at, len);
		tm_fold_put(&list, &r);
	}
	CHECK_STR(tm_buf_chr(&list, '\0') ? list.p : "", numbers);
	tm_buf_fini(&out);
	tm_buf_fini(&list);
}

TEST(numbers)
{
	check_fold("", "", "");
	check_fold("forward", "forward", "");
	check_fold("ProfilerStep#3", "ProfilerStep#*", "3");
	check_fold("execute_context_1(512)_generation_3(3)", "execute_context_*(*)_generation_*(*)",
	           "1 512 3 3");
	/* Part of a name. */
	check_fold("conv2d", "conv2d", "");
	check_fold("2d fp16 7", "2d fp16 *", "7");
	check_fold("12", "*", "12");
	/* Longer than 64 bits, and not numbers of ASCII. */
	check_fold("18446744073709551616000 \xd9\xa1", "* \xd9\xa1", "18446744073709551616000");
	check_fold("1.5e3", "*.5e3", "1");
}

TEST(ranges)
{
	static const char *const digits[] = { "10", "9", "007", "7", "18446744073709551616" };
	struct tm_fold_range r = { 0 }, same = { 0 };
	struct tm_buf out = { 0 };

	tm_fold_put(&out, &r);
	CHECK_U64(out.n, 0);
	for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
		tm_fold_widen(&r, digits[i], strlen(digits[i]));
	tm_fold_put(&out, &r);
	tm_fold_widen(&same, "3", 1);
	tm_fold_widen(&same, "3", 1);
	tm_fold_put(&out, &same);
	CHECK_STR(tm_buf_chr(&out, '\0') ? out.p : "", "7..18446744073709551616 3");
	tm_buf_fini(&out);
}

TEST_MAIN({ "numbers", numbers }, { "ranges", ranges })
