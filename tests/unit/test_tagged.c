/* SPDX-License-Identifier: MIT
 * Which interval of a tag is meant, and which ids there are. */
#include "agg/id_set.h"
#include "agg/tagged.h"

#include "test.h"

static bool is_odd(const void *arg, uint32_t name)
{
	(void)arg;
	return name % 2;
}

static bool any(const void *arg, uint32_t name)
{
	(void)arg;
	(void)name;
	return true;
}

/* Tags 5 at 10, 20 and 30 (names 0, 1, 2) and 7 at 15 (name 4). */
TEST(by_hand)
{
	struct tm_intervals s = { 0 };
	static const struct {
		uint64_t tag, at;
		size_t want, odd;
	} asked[] = {
		/* The last that starts not after, else the first; of those that fit. */
		{ 5, 9, 0, 1 },
		{ 5, 10, 0, 1 },
		{ 5, 25, 1, 1 },
		{ 5, 99, 2, 1 },
		{ 7, 0, 3, SIZE_MAX },
		{ 7, 99, 3, SIZE_MAX },
		{ 6, 20, SIZE_MAX, SIZE_MAX },
		{ 8, 20, SIZE_MAX, SIZE_MAX },
	};

	CHECK(tm_intervals_add(&s, 15, 16, 7, 4) && tm_intervals_add(&s, 30, 31, 5, 2) &&
	      tm_intervals_add(&s, 10, 11, 5, 0) && tm_intervals_add(&s, 20, 21, 5, 1));
	tm_intervals_sort_by_tag(&s, NULL, NULL);
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		size_t before = tm_tagged_before(&s, 0, asked[i].tag, asked[i].at);

		/* From wherever the last search ended, in this list or a longer one. */
		for (size_t from = 1; from <= s.n + 2; from++)
			CHECK_U64(tm_tagged_before(&s, from, asked[i].tag, asked[i].at), before);
		CHECK_U64(tm_tagged_choose(&s, before, asked[i].tag, any, NULL), asked[i].want);
		CHECK_U64(tm_tagged_choose(&s, before, asked[i].tag, is_odd, NULL), asked[i].odd);
	}
	tm_intervals_fini(&s);
}

static void check_set(const uint64_t *id, size_t n, size_t others)
{
	struct tm_id_set s = { 0 };
	uint64_t x = 3;
	size_t wrong = 0;

	for (size_t i = 0; i < n; i++)
		tm_id_set_tell(&s, id[i]);
	CHECK(tm_id_set_room(&s));
	for (size_t i = 0; i < n; i++)
		tm_id_set_add(&s, id[i]);
	for (size_t i = 0; i < n; i++)
		CHECK(tm_id_set_has(&s, id[i]) == (id[i] != 0));
	for (size_t i = 0; i < 1000; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		wrong += tm_id_set_has(&s, x);
	}
	CHECK(wrong <= others);
	tm_id_set_fini(&s);
}

/* Near each other, far apart, none but 0, none at all. */
TEST(sets)
{
	static const uint64_t dense[] = { 1000, 1001, 1003, 0, 1010, 1003 },
	                      sparse[] = { 1, UINT64_MAX, UINT64_C(1) << 40, 0, 77 },
	                      none[] = { 0 };

	check_set(dense, 6, 0);
	check_set(sparse, 5, 250);
	check_set(none, 1, 0);
	check_set(none, 0, 0);
}

TEST_MAIN(T(by_hand), T(sets))
