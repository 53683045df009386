/* SPDX-License-Identifier: MIT
 * The hash of the tables: against the plain formula, and against inputs made to collide.
 *
 * What was crafted against the functions that were here before is shown to collide in those first,
 * so that the count of probes that follows means something.  All keys come from seeds: what is
 * counted is the same in every run. */
#include "base/hash.h"

#include "agg/groups.h"
#include "base/names.h"
#include "read/open.h"

#include "test.h"

static uint64_t word(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* ---- the formula, word by word ---- */

#define PRIME ((UINT64_C(1) << 61) - 1)

static tm_u128 factor(const struct tm_hash_factor *f)
{
	return (tm_u128)f->hi << 64 | f->lo;
}

static uint64_t last_step(const struct tm_hash *h, tm_u128 m, uint64_t before)
{
	return tm_hash_spread((uint64_t)((factor(&h->of[0]) * (uint64_t)m +
	                                  factor(&h->of[1]) * (uint64_t)(m >> 64) +
	                                  factor(&h->of[2]) * before + factor(&h->plus)) >>
	                                 64));
}

/* NH of a block of n bytes, or of the last of a text that has 16. */
static tm_u128 nh(const struct tm_hash *h, const unsigned char *p, size_t n)
{
	tm_u128 sum = 0;
	size_t k = 0;

	for (size_t at = 0; k == 0 || at < n; at += 16, k += 2) {
		const unsigned char *q = n - at < 16 || n < 16 ? p + n - 16 : p + at;

		sum += (tm_u128)(word(q) + h->word[k]) * (word(q + 8) + h->word[k + 1]);
	}
	return sum;
}

static uint64_t modulo(tm_u128 v)
{
	return (uint64_t)(v % PRIME);
}

static uint64_t slow(const struct tm_hash *h, const unsigned char *p, size_t n)
{
	uint64_t before = n;

	for (; n > 512; n -= 512, p += 512) {
		tm_u128 m = nh(h, p, 512);

		before = modulo((tm_u128)before * h->power + (uint64_t)m);
		before = modulo((tm_u128)before * h->power + (uint64_t)(m >> 64));
	}
	return last_step(h, nh(h, p, n), before);
}

TEST(formula)
{
	unsigned char text[5000];
	struct tm_hash h;
	uint64_t w[TM_HASH_BLOCK];

	tm_hash_seed(&h, 7);
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (unsigned char)(i * i * 31 >> 3);
	for (size_t n = 16; n < sizeof text; n += n < 1700 ? 1 : 97)
		CHECK_U64(tm_hash_bytes(&h, text, n), slow(&h, text, n));
	for (size_t n = 1; n <= TM_HASH_BLOCK; n++) {
		tm_u128 m = 0;

		for (size_t i = 0; i < n; i++)
			w[i] = word(text + 64 + 8 * i);
		for (size_t i = 0; i < n; i += 2)
			m += (tm_u128)(w[i] + h.word[i]) *
			     ((i + 1 < n ? w[i + 1] : 0) + h.word[i + 1]);
		CHECK_U64(tm_hash_words(&h, w, n), last_step(&h, m, 0));
	}
	for (size_t i = 0; i < TM_HASH_BLOCK; i++)
		CHECK_U64(tm_hash_word(&h, w[i]),
		          tm_hash_spread(
		                  (uint64_t)((factor(&h.of[0]) * w[i] + factor(&h.plus)) >> 64)));
}

/* The same wherever the bytes lie; another with another key, another length, any one bit changed.
 */
TEST(every_bit)
{
	unsigned char text[1300];
	struct tm_hash h, other;

	tm_hash_seed(&h, 1);
	tm_hash_seed(&other, 2);
	memset(text, 'h', sizeof text);
	for (size_t n = 0; n < 1200; n += n < 80 ? 1 : 37) {
		uint64_t all = tm_hash_bytes(&h, text, n);

		for (size_t at = 1; at < 9; at++)
			CHECK(tm_hash_bytes(&h, text + at, n) == all);
		CHECK(tm_hash_bytes(&other, text, n) != all);
		CHECK(tm_hash_bytes(&h, text, n + 1) != all);
		for (size_t bit = 0; bit < 8 * n; bit++) {
			text[bit / 8] ^= (unsigned char)(1u << bit % 8);
			CHECK(tm_hash_bytes(&h, text, n) != all);
			text[bit / 8] ^= (unsigned char)(1u << bit % 8);
		}
	}
}

/* ---- the key of the process ---- */

TEST(own)
{
	const struct tm_hash *h = tm_hash_own();
	struct tm_hash first = *h, seeded;

	CHECK(h == tm_hash_own() && !memcmp(h, &first, sizeof first));
	/* Bytes of the system, not those of a failure. */
	CHECK(h->power < PRIME && h->word[0] != h->word[1] && h->plus.lo != h->plus.hi);
	tm_hash_seed(&seeded, 3);
	CHECK(memcmp(h, &seeded, sizeof seeded) != 0);
	tm_hash_own_seed(3);
	CHECK(tm_hash_own() == h && !memcmp(h, &seeded, sizeof seeded));
}

/* ---- what was here before ---- */

static uint64_t old_mix(uint64_t a, uint64_t b)
{
	tm_u128 m = (tm_u128)a * b;

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static const uint64_t k1 = 0x9e3779b97f4a7c15u, k2 = 0xd6e8feb86659fd93u;

static uint64_t old_bytes(const void *data, size_t n, uint64_t seed)
{
	const unsigned char *p = data;
	uint64_t h = seed ^ old_mix(n ^ k1, k2), t = 0;

	if (n >= 32) {
		uint64_t g = h ^ k2;

		for (; n >= 32; n -= 32, p += 32) {
			h = old_mix(word(p) ^ h, word(p + 8) ^ k1);
			g = old_mix(word(p + 16) ^ g, word(p + 24) ^ k2);
		}
		h ^= g + (g << 7);
	}
	for (; n >= 8; n -= 8, p += 8)
		h = old_mix(word(p) ^ h, k1);
	if (n)
		memcpy(&t, p, n);
	return old_mix(h ^ t, k2 ^ n);
}

static uint64_t old_word(uint64_t key)
{
	uint64_t h = key * k1;

	return h ^ h >> 32;
}

/* ---- counting ---- */

/* Slots that are looked at to find each of n keys again, whose hashes these are, in a table of
 * linear probing that was filled in their order. */
static uint64_t probes(const uint64_t *hash, uint32_t n)
{
	uint32_t nslot = 64, mask;
	uint64_t sum = 0;
	bool *used;

	while (nslot < n + n / 2)
		nslot *= 2;
	mask = nslot - 1;
	used = calloc(nslot, 1);
	for (uint32_t i = 0; used && i < n; i++) {
		uint32_t at = (uint32_t)hash[i] & mask;

		for (sum++; used[at]; sum++)
			at = (at + 1) & mask;
		used[at] = true;
	}
	free(used);
	return sum;
}

/* The same, of a table as it stands: `of` and slots of id + 1. */
static uint64_t walked(const uint32_t *slot, uint32_t nslot, const uint64_t *hash)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < nslot; i++)
		if (slot[i])
			sum += 1 + ((i - (uint32_t)hash[slot[i] - 1]) & (nslot - 1));
	return sum;
}

enum { MANY = 4000, SEEDS = 20, FAIR = 3 };

/* Names whose second and fourth words bring the old products to 0, whatever the seed. */
static void crafted_name(char name[40], uint32_t i)
{
	memset(name, 'n', 40);
	snprintf(name, 8, "k%05u", i);
	memcpy(name + 8, &k1, 8);
	memcpy(name + 24, &k2, 8);
}

TEST(names_crafted)
{
	static uint64_t hash[MANY];
	char name[40];

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct tm_names ns = { 0 };

		for (uint32_t i = 0; i < MANY; i++) {
			crafted_name(name, i);
			hash[i] = old_bytes(name, sizeof name, seed * 12345);
		}
		CHECK(probes(hash, MANY) > (uint64_t)MANY * MANY / 4);
		tm_hash_own_seed(seed);
		for (uint32_t i = 0; i < MANY; i++) {
			crafted_name(name, i);
			CHECK(tm_names_add(&ns, name, sizeof name) == i);
			hash[i] = ns.v[i].hash;
		}
		CHECK(walked(ns.slot, ns.nslot, hash) < FAIR * MANY);
		tm_names_fini(&ns);
	}
}

/* Keys of four words and more: the same trick, with the seed that was always 0. */
TEST(groups_crafted)
{
	static uint64_t hash[MANY];

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct tm_groups g = { .words = 5 };
		uint64_t key[5] = { 0, k1, 0, k2, 9 };

		for (uint32_t i = 0; i < MANY; i++) {
			key[0] = i;
			hash[i] = old_bytes(key, sizeof key, 0);
		}
		CHECK(probes(hash, MANY) > (uint64_t)MANY * MANY / 4);
		tm_hash_own_seed(seed);
		for (uint32_t i = 0; i < MANY; i++) {
			key[0] = i;
			CHECK(tm_groups_add(&g, key, NULL) == i);
			hash[i] = tm_hash_words(g.hash, key, 5);
		}
		CHECK(walked(g.slot, g.nslot, hash) < FAIR * MANY);
		tm_groups_fini(&g);
	}
}

/* Short keys, found by trying: addresses of one process whose old hashes agree in the bits of a
 * slot. */
TEST(addresses_crafted)
{
	enum { FEW = 1500, BITS = 12 };
	static uint64_t key[FEW][2], hash[FEW];
	uint32_t n = 0;

	for (uint64_t address = 0x7f0000000000; n < FEW; address += 256) {
		key[n][0] = 4711;
		key[n][1] = address;
		hash[n] = old_bytes(key[n], sizeof key[n], 0);
		n += (hash[n] & ((1u << BITS) - 1)) == 0;
	}
	CHECK(probes(hash, FEW) > (uint64_t)FEW * FEW / 4);
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct tm_groups g = { .words = 2 };
		struct open_set o = { 0 };
		uint64_t links = 0;

		tm_hash_own_seed(seed);
		for (uint32_t i = 0; i < FEW; i++) {
			CHECK(tm_groups_add(&g, key[i], NULL) == i);
			hash[i] = tm_hash_words(g.hash, key[i], 2);
			CHECK(tm_open_add(
			        &o, &(struct open_item) { .key = key[i][1], .domain = 4711 }));
		}
		CHECK(walked(g.slot, g.nslot, hash) < FAIR * FEW);
		for (size_t i = 0; i < o.nhead; i++) {
			uint64_t depth = 0;

			for (uint32_t at = o.head[i]; at; at = o.v[at - 1].next)
				links += ++depth;
		}
		CHECK(links < FAIR * FEW);
		tm_groups_fini(&g);
		tm_open_fini(&o);
	}
}

/* Ids of a database: the old product undone, so that only bits change that its slot did not see. */
TEST(ids_crafted)
{
	static uint64_t key[MANY], hash[MANY];
	uint64_t inverse = 1;

	while (inverse * k1 != 1)
		inverse *= 2 - inverse * k1;
	for (uint32_t i = 0; i < MANY; i++) {
		/* Both halves of the product agree in their low bits. */
		uint64_t low = (uint64_t)(i & 0xff) << 20, high = (uint64_t)(i >> 8) << 20;

		key[i] = (high << 32 | low) * inverse;
		hash[i] = old_word(key[i]);
		CHECK((hash[i] & 0xfffff) == 0);
	}
	CHECK(probes(hash, MANY) > (uint64_t)MANY * MANY / 4);
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct tm_hash h;

		tm_hash_seed(&h, seed);
		for (uint32_t i = 0; i < MANY; i++)
			hash[i] = tm_hash_word(&h, key[i]);
		CHECK(probes(hash, MANY) < FAIR * MANY);
	}
}

/* Numbers and texts that are regular, as those of real traces are, with the worst of a hundred
 * keys. */
TEST(regular)
{
	static uint64_t hash[5000];
	enum { N = 5000 };

	for (uint64_t seed = 0; seed < 100; seed++) {
		struct tm_hash h;
		char text[24];

		tm_hash_seed(&h, seed);
		for (unsigned shift = 0; shift < 50; shift += 7) {
			for (uint64_t i = 0; i < N; i++)
				hash[i] = tm_hash_word(&h, i << shift);
			CHECK(probes(hash, N) < FAIR * N);
		}
		for (unsigned n = 7; n < 24; n += 4) {
			memset(text, 'x', sizeof text);
			for (uint32_t i = 0; i < N; i++) {
				snprintf(text, 7, "%06u", i);
				hash[i] = tm_hash_bytes(&h, text, n);
			}
			CHECK(probes(hash, N) < FAIR * N);
		}
	}
}

TEST_MAIN(T(formula), T(every_bit), T(own), T(names_crafted), T(groups_crafted),
          T(addresses_crafted), T(ids_crafted), T(regular))
