/* SPDX-License-Identifier: MIT
 * Sets of keys of several words, numbered as they come. */
#include "agg/groups.h"

#include "test.h"

#include <stdlib.h>

TEST(few)
{
	struct tm_groups g = { .words = 3 };
	const uint64_t a[3] = { 1, 2, 3 }, b[3] = { 1, 2, 4 }, c[3] = { 0, 0, 0 };
	bool fresh = false;

	CHECK_U64(tm_groups_add(&g, a, &fresh), 0);
	CHECK(fresh);
	CHECK_U64(tm_groups_add(&g, b, &fresh), 1);
	CHECK(fresh);
	CHECK_U64(tm_groups_add(&g, a, &fresh), 0);
	CHECK(!fresh);
	CHECK_U64(tm_groups_add(&g, c, NULL), 2);
	CHECK_U64(tm_groups_add(&g, c, &fresh), 2);
	CHECK(!fresh);
	CHECK_U64(g.n, 3);
	CHECK(!memcmp(g.key, a, sizeof a) && !memcmp(g.key + 3, b, sizeof b) &&
	      !memcmp(g.key + 6, c, sizeof c));
	tm_groups_fini(&g);
	CHECK(g.words == 3 && !g.n && !g.key);
	CHECK_U64(tm_groups_add(&g, b, &fresh), 0);
	tm_groups_fini(&g);
}

/* Keys that differ in one word only, whichever it is, stay apart and keep their numbers. */
TEST(many)
{
	enum { MANY = 50000 };

	for (uint32_t words = 1; words <= 14; words += 13)
		for (uint32_t at = 0; at < words; at += words - 1 ? words - 1 : 1) {
			struct tm_groups g = { .words = words };

			for (int round = 0; round < 2; round++)
				for (uint32_t i = 0; i < MANY; i++) {
					uint64_t key[14] = { 0 };
					bool fresh;

					key[at] = (uint64_t)i << (i & 1 ? 40 : 0);
					CHECK(tm_groups_add(&g, key, &fresh) == i);
					CHECK(fresh == !round);
				}
			CHECK_U64(g.n, MANY);
			tm_groups_fini(&g);
		}
}

/* The key asked for last is found at once; any other too, or not, but never under another's number.
 */
TEST(recent)
{
	enum { MANY = 70000 };
	struct tm_groups g = { .words = 3 };
	uint64_t key[3] = { 0 };

	CHECK_U64(tm_groups_recent(&g, key, 3), TM_GROUP_NONE);
	for (uint32_t i = 0; i < MANY; i++) {
		uint64_t other[3] = { i / 2, 7, (i / 2) & 1 };
		uint32_t there;

		key[0] = i, key[1] = 7, key[2] = i & 1;
		CHECK_U64(tm_groups_recent(&g, key, 3), TM_GROUP_NONE);
		CHECK_U64(tm_groups_add(&g, key, NULL), i);
		there = tm_groups_recent(&g, key, 3);
		/* Numbers that do not fit are not remembered. */
		CHECK(there == i || (i >= UINT16_MAX && there == TM_GROUP_NONE));
		there = tm_groups_recent(&g, other, 3);
		CHECK(there == i / 2 || there == TM_GROUP_NONE);
	}
	tm_groups_fini(&g);
	CHECK_U64(tm_groups_recent(&g, key, 3), TM_GROUP_NONE);
}

/* Each key has an item that begins as zeros and stays where its number says, however often the
 * array moves. */
TEST(items)
{
	enum { MANY = 1000 };
	struct tm_groups g = { .words = 1 };
	struct {
		uint64_t key, seen;
	} *v = NULL;
	size_t cap = 0;

	for (int round = 0; round < 2; round++)
		for (uint64_t key = 0; key < MANY; key++) {
			bool fresh;
			uint32_t i = tm_groups_item(&g, &key, &v, &cap, sizeof *v, &fresh);

			CHECK_U64(i, key);
			CHECK(fresh == !round);
			CHECK_U64(v[i].seen, (uint64_t)round);
			CHECK_U64(v[i].key, round ? key : 0);
			v[i].key = key;
			v[i].seen++;
		}
	CHECK(cap >= MANY && g.n == MANY);
	free(v);
	tm_groups_fini(&g);
}

/* No memory for the item: not a new one, and the key is not there. */
TEST(no_memory)
{
	struct tm_groups g = { .words = 1 };
	const uint64_t key = 7;
	char *v = NULL;
	size_t cap = 0;
	bool fresh = true;

	CHECK_U64(tm_groups_item(&g, &key, &v, &cap, SIZE_MAX / 2, &fresh), TM_GROUP_NONE);
	CHECK(!fresh && !v && !cap);
	CHECK_U64(tm_groups_find(&g, &key), TM_GROUP_NONE);
	tm_groups_fini(&g);
}

TEST_MAIN(T(few), T(many), T(recent), T(items), T(no_memory))
