/* SPDX-License-Identifier: MIT
 * Which events are kept: what the options mean, and what they make of rows. */
#include "stream/stream.h"

#include "test.h"

#include <string.h>

static bool init(struct tm_only *f, enum tm_only_by by, const char *text)
{
	struct tm_only_words w = { .word = { NULL } };
	struct tm_diag d = { 0 };
	bool ok;

	w.word[by] = text;
	ok = tm_only_init(f, &w, &d);
	CHECK(ok == !*d.text);
	return ok;
}

static void check_good(enum tm_only_by by, const char *text, bool good)
{
	struct tm_only f;

	if (init(&f, by, text) != good)
		printf("%s '%s'\n", tm_only_option(by), text);
	CHECK(good == !(f.by == 0 && by != TM_ONLY_REGION));
	tm_only_fini(&f);
}

TEST(words)
{
	check_good(TM_ONLY_RANK, "0", true);
	check_good(TM_ONLY_RANK, "0,2-5,18446744073709551615", true);
	check_good(TM_ONLY_RANK, "", false);
	check_good(TM_ONLY_RANK, "1,", false);
	check_good(TM_ONLY_RANK, "5-2", false);
	check_good(TM_ONLY_RANK, "18446744073709551616", false);
	check_good(TM_ONLY_AGENT, "4,GPU 0-3,cpu1", true);
	check_good(TM_ONLY_AGENT, "GPU", false);
	check_good(TM_ONLY_KERNEL, "gemm|Cijk", true);
	check_good(TM_ONLY_KERNEL, "(", false);
	check_good(TM_ONLY_CLASS, "gemm,comm", true);
	check_good(TM_ONLY_CLASS, "gemm,nothing", false);
}

static bool path_is_good(const char *path)
{
	struct tm_only f;
	bool ok = init(&f, TM_ONLY_REGION, path);

	/* Who knows about regions is asked for later. */
	CHECK_U64(f.by, 0);
	tm_only_fini(&f);
	return ok;
}

TEST(regions)
{
	static const char *const good[] = { "a",    "a/b", "/a",     "/a/b", "a b",
		                            "a\\/", "\\/", "\\\\/b", "*",    "a\\" };
	static const char *const bad[] = { "", "/", "//", "a/", "a//b", "//a", "a/b/" };

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		CHECK(path_is_good(good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!path_is_good(bad[i]));
}

TEST(ranks)
{
	struct tm_only f;

	CHECK(tm_only_rank(NULL, 3));
	CHECK(init(&f, TM_ONLY_RANK, "1,4-6"));
	for (uint64_t rank = 0; rank < 8; rank++)
		CHECK(tm_only_rank(&f, rank) == (rank == 1 || (rank >= 4 && rank <= 6)));
	tm_only_fini(&f);
}

/* Inside: what starts below 10 on rank 3; below 5 by guessing; 20 is without a time. */
static enum tm_only_inside below(const void *arg, const struct tm_piece *p,
                                 const struct tm_batch *b, uint32_t i)
{
	uint64_t start = b->col[TM_EVC_START][i];

	CHECK(!arg);
	if (start == 20)
		return TM_ONLY_UNKNOWN;
	if (p->id.rank != 3 || start >= 10)
		return TM_ONLY_OUTSIDE;
	return start < 5 ? TM_ONLY_GUESSED : TM_ONLY_INSIDE;
}

TEST(inside)
{
	static const uint64_t starts[] = { 12, 3, 7, 20, 9, 10 };
	struct tm_ev_rows rows = { .b = { .kind = TM_EV_DISPATCH } };
	struct tm_only f = { .by = 0 };
	struct tm_names names = { 0 };

	tm_only_ask_inside(&f, below, NULL, TM_EV_BIT(TM_EVC_START));
	CHECK_U64(tm_only_want(&f, 0) == TM_EV_BIT(TM_EVC_START), 1);
	for (uint64_t rank = 2; rank < 4; rank++) {
		const struct tm_piece piece = { .id.rank = rank };
		struct tm_only_rows s = { .piece = &piece };
		struct tm_only_count count = { 0 };
		const struct tm_batch *b, *out;

		for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
			struct tm_ev_row row = { 0 };

			tm_ev_put(&row, TM_EVC_START, starts[i]);
			CHECK(tm_ev_rows_add(&rows, &row));
		}
		b = tm_ev_rows_take(&rows, &names);
		CHECK(tm_only_batch(&f, &s, b, &out, &count));
		CHECK(rank == 3 ? out != NULL : !out);
		CHECK_U64(count.rows, 6);
		CHECK_U64(count.kept, rank == 3 ? 3 : 0);
		CHECK_U64(count.unknown, 1);
		CHECK_U64(count.guessed, rank == 3);
		for (uint32_t i = 0; out && i < out->n; i++)
			CHECK(out->col[TM_EVC_START][i] == (i == 0 ? 3 : i == 1 ? 7 : 9));
		tm_only_rows_fini(&s);
	}
	tm_ev_rows_fini(&rows);
	tm_only_fini(&f);
}

TEST_MAIN(T(words), T(regions), T(ranks), T(inside))
