/* SPDX-License-Identifier: MIT
 * The shortest period of a sequence, against a look at every stretch. */
#include "agg/period.h"
#include "agg/sequence.h"

#include "test.h"

enum { MOST = 64 };

/* The names one after the other, each in one of two lists, as `second` says: a bit for each,
 * repeated; every other time with tags, which must stay. */
static enum tm_status find_in(const uint32_t *v, size_t n, uint64_t second, struct tm_period *p)
{
	struct tm_intervals list[2] = { 0 };
	struct tm_sequence q;
	enum tm_status st;
	bool ok = true, tagged = n % 2;

	for (size_t i = 0; ok && i < n; i++)
		ok = tm_intervals_add(&list[second >> i % 64 & 1], 10 * i, 10 * i + 5,
		                      tagged ? i + 1 : 0, v[i]);
	ok = ok && tm_sequence_init(&q, list, 2, tagged);
	st = ok ? tm_period_find(&q, p) : TM_ST_FATAL;
	tm_sequence_fini(&q);
	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < list[k].n; i++)
			ok = ok && tm_interval_tag(&list[k], i) ==
			                   (tagged ? tm_interval_start(&list[k], i) / 10 + 1 : 0);
		tm_intervals_fini(&list[k]);
	}
	CHECK(ok);
	return st;
}

static enum tm_status find(const char *text, struct tm_period *p)
{
	uint32_t v[MOST];
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++)
		v[i] = (uint32_t)text[i];
	return find_in(v, n, 0, p);
}

static void check(const char *text, size_t length, size_t from, size_t to)
{
	struct tm_period p;
	enum tm_status st = find(text, &p);

	CHECK(st == (length ? TM_ST_OK : TM_ST_END));
	if (p.length != length || p.from != from || p.to != to) {
		fprintf(stderr, "%s: %zu in %zu..%zu\n", text, p.length, p.from, p.to);
		test_bad++;
	}
}

TEST(by_hand)
{
	check("", 0, 0, 0);
	check("a", 0, 0, 0);
	check("ab", 0, 0, 0);
	check("aa", 1, 0, 2);
	check("abab", 2, 0, 4);
	check("abcdefg", 0, 0, 0);
	/* A warm-up, and an end in the middle of a step. */
	check("wwxabcabcabcab", 3, 3, 14);
	/* Something else before and after. */
	check("wxabcabcabcyz", 3, 2, 11);
	/* A layer repeats within a step, but no stretch of layers is half of the trace. */
	check("allllzallllzallllz", 6, 0, 18);
	/* One such step only: the layers are what repeats. */
	check("allllllz", 1, 1, 7);
	/* Twice, barely. */
	check("abcdeabcde", 5, 0, 10);
	check("abcdeabcdx", 0, 0, 0);
	/* Half is not most. */
	check("ababcdef", 0, 0, 0);
	check("ababacdef", 2, 0, 5);
	/* The stretch is at the end, or at the beginning. */
	check("qwertyababababab", 2, 6, 16);
	check("abababababqwerty", 2, 0, 10);
}

/* Every period and every stretch, one by one. */
static struct tm_period slowly(const uint32_t *v, size_t n)
{
	for (size_t p = 1; p <= n / 2; p++) {
		struct tm_period best = { 0 };

		for (size_t from = 0; from + p < n; from++) {
			size_t to = from + p;

			while (to < n && v[to] == v[to - p])
				to++;
			if (to - from >= 2 * p && to - from > n / 2 &&
			    to - from > best.to - best.from)
				best = (struct tm_period) { p, from, to };
		}
		if (best.length)
			return best;
	}
	return (struct tm_period) { 0 };
}

TEST(random_sequences)
{
	uint64_t x = 3;
	unsigned found = 0;

	for (int round = 0; round < 20000; round++) {
		uint32_t v[MOST];
		struct tm_period got, want;
		size_t n, step;

		x = x * 6364136223846793005u + 1442695040888963407u;
		n = 1 + (x >> 33) % (MOST - 1);
		step = 1 + (x >> 45) % 12;
		for (size_t i = 0; i < n; i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			/* Repeats with now and then a slip, or no rule at all. */
			v[i] = i >= step && round % 4 && (x >> 40) % (n + 20)
			               ? v[i - step]
			               : (uint32_t)(x >> 50) % 3;
		}
		want = slowly(v, n);
		CHECK(find_in(v, n, round % 3 ? x : 0, &got) ==
		      (want.length ? TM_ST_OK : TM_ST_END));
		found += want.length != 0;
		CHECK_U64(got.length, want.length);
		CHECK_U64(got.from, want.from);
		CHECK_U64(got.to, want.to);
	}
	CHECK(found > 1000);
}

/* What makes naive searches slow: all the same, and all the same but one. */
TEST(long_sequences)
{
	enum { N = 1000000, SECOND = 0x5a81 };
	uint32_t *v = calloc(N, sizeof *v);
	struct tm_period p;

	CHECK(v && find_in(v, N, SECOND, &p) == TM_ST_OK && p.length == 1 && p.to == N);
	for (size_t i = 0; v && i < N; i += 1000)
		v[i] = 1;
	CHECK(v && find_in(v, N, SECOND, &p) == TM_ST_OK && p.length == 1000 && p.from == 0);
	for (size_t i = 0; v && i < N; i++)
		v[i] = (uint32_t)i;
	CHECK(v && find_in(v, N, SECOND, &p) == TM_ST_END);
	free(v);
}

TEST_MAIN(T(by_hand), T(random_sequences), T(long_sequences))
