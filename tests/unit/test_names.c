/* SPDX-License-Identifier: MIT
 * Interned strings: few, many, giants, any byte, and texts that collide. */
#include "base/names.h"

#include "base/hash.h"

#include "test.h"

static void add(struct tm_names *ns, const char *text, size_t n, uint32_t id)
{
	CHECK_U64(tm_names_add(ns, text, n), id);
	CHECK_U64(tm_names_find(ns, text, n), id);
	CHECK(ns->v[id].len == n && !memcmp(ns->v[id].text, text, n) && !ns->v[id].text[n]);
}

TEST(few)
{
	struct tm_names ns = { 0 };

	CHECK_U64(tm_names_find(&ns, "a", 1), TM_NAME_NONE);
	add(&ns, "a", 1, 0);
	add(&ns, "b", 1, 1);
	add(&ns, "", 0, 2);
	add(&ns, "a", 1, 0);
	add(&ns, "aa", 2, 3);
	add(&ns, "aaX", 2, 3);
	CHECK_U64(tm_names_find(&ns, "c", 1), TM_NAME_NONE);
	CHECK_U64(ns.n, 4);
	tm_names_fini(&ns);
	CHECK(!ns.n && !ns.v);
	add(&ns, "again", 5, 0);
	tm_names_fini(&ns);
}

/* NUL is a byte as any other. */
TEST(any_byte)
{
	struct tm_names ns = { 0 };
	char text[256];

	add(&ns, "a\0b", 3, 0);
	add(&ns, "a\0c", 3, 1);
	add(&ns, "a", 1, 2);
	add(&ns, "a\0", 2, 3);
	add(&ns, "\0", 1, 4);
	add(&ns, "\0\0", 2, 5);
	add(&ns, "", 0, 6);
	for (int i = 0; i < 256; i++)
		text[i] = (char)i;
	add(&ns, text, 256, 7);
	/* Lengths around the blocks of the hash, equal but for the last byte. */
	for (size_t n = 1; n < 100; n++) {
		char a[100], b[100];

		memset(a, 0, sizeof a);
		memset(b, 0, sizeof b);
		b[n - 1] = 1;
		CHECK(tm_names_add(&ns, a, n) != tm_names_add(&ns, b, n));
	}
	tm_names_fini(&ns);
}

TEST(many)
{
	enum { MANY = 300000 };
	struct tm_names ns = { 0 };
	const char *first = NULL;
	char text[64];

	for (uint32_t i = 0; i < MANY; i++) {
		int n = snprintf(text, sizeof text, "void kernel_%u<float, %u>(int)", i * 7919u,
		                 i % 13);

		CHECK(tm_names_add(&ns, text, (size_t)n) == i);
		if (!i)
			first = ns.v[0].text;
	}
	/* Texts stay where they are. */
	CHECK(ns.v[0].text == first);
	for (uint32_t i = 0; i < MANY; i++) {
		int n = snprintf(text, sizeof text, "void kernel_%u<float, %u>(int)", i * 7919u,
		                 i % 13);

		CHECK(tm_names_add(&ns, text, (size_t)n) == i);
		CHECK(tm_names_find(&ns, text, (size_t)n) == i);
	}
	CHECK_U64(ns.n, MANY);
	tm_names_fini(&ns);
}

/* Around the size of the blocks texts are kept in, small ones in between. */
TEST(giants)
{
	static const size_t sizes[] = { 16382, 16383, 16384, 16385,   65534,
		                        65535, 65536, 65537, 1 << 20, 5 << 20 };
	enum { N = sizeof sizes / sizeof *sizes };
	struct tm_names ns = { 0 };
	char *big = malloc(5 << 20), small[16];

	memset(big, 'g', 5 << 20);
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 0; i < N; i++) {
			int n = snprintf(small, sizeof small, "s%u", i);

			add(&ns, big, sizes[i], 2 * i);
			add(&ns, small, (size_t)n, 2 * i + 1);
		}
	tm_names_fini(&ns);
	free(big);
}

/* Many texts whose hashes share their low bits: found by trying, since the seed is random.  They
 * stay apart, and all are found. */
TEST(collisions)
{
	struct tm_names ns = { 0 };
	uint32_t n = 0, ids[64];
	char text[16];

	tm_names_add(&ns, "seed", 4);
	for (uint32_t i = 0; n < 64 && i < 4000000; i++) {
		int len = snprintf(text, sizeof text, "k%u", i);

		if ((tm_hash_bytes(ns.hash, text, (size_t)len) & 0x3fff) != 7)
			continue;
		ids[n] = tm_names_add(&ns, text, (size_t)len);
		CHECK(ids[n] == n + 1);
		CHECK(strcmp(ns.v[ids[n]].text, text) == 0);
		n++;
	}
	CHECK_U64(n, 64);
	for (uint32_t i = 0; i < n; i++)
		CHECK(tm_names_find(&ns, ns.v[ids[i]].text, ns.v[ids[i]].len) == ids[i]);
	tm_names_fini(&ns);
}

TEST(order)
{
	static const char *const sorted[] = { "",   "\x01", "A", "B",    "a",    "a\x01",
		                              "aa", "ab",   "b", "\x80", "\xff", "\xff\xff" };
	enum { N = sizeof sorted / sizeof *sorted };

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			struct tm_name a = { .text = sorted[i],
				             .len = (uint32_t)strlen(sorted[i]) };
			struct tm_name b = { .text = sorted[j],
				             .len = (uint32_t)strlen(sorted[j]) };
			int c = tm_name_cmp(&a, &b);

			CHECK((c > 0) - (c < 0) == (i > j) - (i < j));
		}
	CHECK(tm_name_cmp(&(struct tm_name) { .text = "a", .len = 1 },
	                  &(struct tm_name) { .text = "a\0", .len = 2 }) < 0);
}

TEST(adopt)
{
	struct tm_names a = { 0 }, b = { 0 };
	uint32_t *map;

	tm_names_add(&b, "x", 1);
	tm_names_add(&b, "y", 1);
	CHECK(tm_names_adopt(&a, &b, &map) && !map); /* the numbers are the same */
	tm_names_fini(&a);
	tm_names_add(&a, "y", 1);
	CHECK(tm_names_adopt(&a, &b, &map) && map);
	CHECK_U64(map[0], 1);
	CHECK_U64(map[1], 0);
	free(map);
	tm_names_fini(&a);
	tm_names_fini(&b);
}

TEST_MAIN(T(few), T(any_byte), T(many), T(giants), T(collisions), T(order), T(adopt))
