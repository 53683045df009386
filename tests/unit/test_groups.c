/* SPDX-License-Identifier: MIT
 * Sets of keys of several words, numbered as they come. */
#include "agg/groups.h"

#include "test.h"

TEST(few)
{
	struct groups g = { .words = 3 };
	const uint64_t a[3] = { 1, 2, 3 }, b[3] = { 1, 2, 4 }, c[3] = { 0, 0, 0 };
	bool fresh = false;

	CHECK_U64(groups_add(&g, a, &fresh), 0);
	CHECK(fresh);
	CHECK_U64(groups_add(&g, b, &fresh), 1);
	CHECK(fresh);
	CHECK_U64(groups_add(&g, a, &fresh), 0);
	CHECK(!fresh);
	CHECK_U64(groups_add(&g, c, NULL), 2);
	CHECK_U64(groups_add(&g, c, &fresh), 2);
	CHECK(!fresh);
	CHECK_U64(g.n, 3);
	CHECK(!memcmp(g.key, a, sizeof a) && !memcmp(g.key + 3, b, sizeof b) &&
	      !memcmp(g.key + 6, c, sizeof c));
	groups_fini(&g);
	CHECK(g.words == 3 && !g.n && !g.key);
	CHECK_U64(groups_add(&g, b, &fresh), 0);
	groups_fini(&g);
}

/* Keys that differ in one word only, whichever it is, stay apart and keep their numbers. */
TEST(many)
{
	enum { MANY = 50000 };

	for (uint32_t words = 1; words <= 14; words += 13)
		for (uint32_t at = 0; at < words; at += words - 1 ? words - 1 : 1) {
			struct groups g = { .words = words };

			for (int round = 0; round < 2; round++)
				for (uint32_t i = 0; i < MANY; i++) {
					uint64_t key[14] = { 0 };
					bool fresh;

					key[at] = (uint64_t)i << (i & 1 ? 40 : 0);
					CHECK(groups_add(&g, key, &fresh) == i);
					CHECK(fresh == !round);
				}
			CHECK_U64(g.n, MANY);
			groups_fini(&g);
		}
}

TEST_MAIN(T(few), T(many))
