/* SPDX-License-Identifier: MIT
 * Lists of numbers, grown and joined. */
#include "agg/words.h"

#include "test.h"

static bool add(struct tm_words *s, uint64_t from, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		if (!tm_words_add(s, from + i))
			return false;
	return true;
}

/* Of any lengths around those of a block, after any others. */
TEST(joined)
{
	static const uint64_t lengths[] = { 0, 1, 15, 16, 17, 4095, 4096, 4097, 9000 };
	enum { LENGTHS = sizeof lengths / sizeof *lengths };

	for (size_t a = 0; a < LENGTHS; a++) {
		for (size_t b = 0; b < LENGTHS; b++) {
			struct tm_words s = { 0 }, t = { 0 };
			uint64_t n = lengths[a] + lengths[b];
			bool same = true;

			CHECK(add(&s, UINT64_MAX / 2, lengths[a]));
			CHECK(add(&t, UINT64_MAX / 2 + lengths[a], lengths[b]));
			CHECK(tm_words_move(&s, &t));
			CHECK_U64(s.n, n);
			CHECK(!t.n && !t.block);
			CHECK(add(&s, UINT64_MAX / 2 + n, 3));
			for (uint64_t i = 0; i < n + 3; i++)
				same &= tm_words_at(&s, i) == UINT64_MAX / 2 + i;
			CHECK(same);
			tm_words_fini(&s);
			CHECK(!s.block && !s.n && !s.cap);
		}
	}
}

TEST_MAIN(T(joined))
