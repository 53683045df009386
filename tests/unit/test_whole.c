/* SPDX-License-Identifier: MIT
 * What all inputs of a database add up to: whatever the order, and where there is none. */
#include "tests/unit/test.h"

#include "merge/whole.h"
#include "read/packed.h"

/* n calls of a name, of which the i-th took base + i; of one more agent with each rank. */
static bool add(struct tm_whole *w, uint64_t rank, uint64_t name, uint64_t n, uint64_t base)
{
	const uint64_t key[WORDS] = { [W_NAME] = name + 1,
		                      [W_DOMAIN] = TM_DOMAIN_KERNEL,
		                      [W_HAS_AGENT] = 1,
		                      [W_AGENT] = rank,
		                      [W_TIMED] = 1 };
	struct tm_sum s = { 0 };
	bool ok = true;

	for (uint64_t i = 0; i < n; i++) {
		tm_moments_add(&s.m, base + i);
		ok = ok && tm_quantile_add(&s.q, base + i);
	}
	/* Every other one comes from another database. */
	if (ok && rank % 2) {
		struct tm_buf b = { 0 };

		ok = tm_quantile_save(&s.q, &b);
		tm_quantile_fini(&s.q);
		s.saved = (unsigned char *)b.p;
		s.saved_n = b.n;
	}
	ok = ok && tm_whole_add(w, key, &s);
	tm_sum_fini(&s);
	return ok;
}

/* What is kept of the sum of a name, as bytes. */
static struct tm_buf bytes_of(struct tm_whole *w, uint64_t name)
{
	struct tm_sums *s = tm_whole_sums(w);
	struct tm_rollups_out o = { 0 };
	struct tm_buf sketch = { 0 }, out = { 0 };

	for (uint32_t i = 0; s && i < s->keys.n; i++) {
		const uint64_t *key = s->keys.key + (size_t)i * WORDS;
		struct tm_rollup r;

		if (key[W_NAME] != name + 1)
			continue;
		CHECK(tm_sum_rollup(key, &s->v[i], &sketch, &r));
		CHECK(!r.has_agent && tm_rollups_add(&o, &r));
	}
	CHECK(o.n == 1 && tm_rollups_pack(&o, &out));
	tm_rollups_out_fini(&o);
	tm_buf_fini(&sketch);
	return out;
}

static bool input(struct tm_whole *w, uint64_t rank)
{
	char run[32];

	snprintf(run, sizeof run, "host:run%u", (unsigned)rank);
	return tm_whole_input(w, rank, run);
}

/* Names 0, few calls in each rank and in all; 1, few in each, and many in all; 2, many. */
static bool add_rank(struct tm_whole *w, uint64_t rank)
{
	return input(w, rank) && add(w, rank, 0, 20, 100 * rank) &&
	       add(w, rank, 1, 500, 1000 * rank) && add(w, rank, 2, 1500, 7 * rank);
}

TEST(any_order)
{
	static const uint64_t order[][5] = { { 0, 1, 2, 3, 4 },
		                             { 4, 2, 0, 3, 1 },
		                             { 1, 3, 4, 2, 0 } };
	struct tm_buf want[3] = { { 0 } };

	for (size_t k = 0; k < 3; k++) {
		struct tm_whole w = TM_WHOLE_NONE;

		for (size_t i = 0; i < 5; i++)
			CHECK(add_rank(&w, order[k][i]));
		CHECK_U64(tm_whole_sums(&w) ? tm_whole_sums(&w)->keys.n : 0, 3);
		for (uint64_t name = 0; name < 3; name++) {
			struct tm_buf got = bytes_of(&w, name);

			if (!k)
				want[name] = got;
			CHECK(got.n == want[name].n && !memcmp(got.p, want[name].p, got.n));
			if (k)
				tm_buf_fini(&got);
		}
		tm_whole_fini(&w);
	}
	for (size_t name = 0; name < 3; name++)
		tm_buf_fini(&want[name]);
}

TEST(sums)
{
	struct tm_whole w = TM_WHOLE_NONE;
	struct tm_sums *s;

	/* 10 11 12, and 20 21. */
	CHECK(input(&w, 0) && add(&w, 0, 5, 3, 10));
	CHECK(!tm_whole_sums(&w)); /* one rank */
	CHECK(input(&w, 1) && add(&w, 1, 5, 2, 20));
	s = tm_whole_sums(&w);
	CHECK(s && s->keys.n == 1);
	if (s) {
		CHECK_U64(s->v->m.n, 5);
		CHECK_U64((uint64_t)s->v->m.sum, 74);
		CHECK_U64((uint64_t)s->v->m.squares, 100 + 121 + 144 + 400 + 441);
		CHECK_U64(s->v->m.min, 10);
		CHECK_U64(s->v->m.max, 21);
		CHECK_U64(tm_quantile_at(&s->v->q, 500, 10, 21), 12);
		CHECK_U64(tm_quantile_at(&s->v->q, 800, 10, 21), 20);
	}
	tm_whole_fini(&w);
}

/* A sketch that is damaged or absent: the sums stay, there are no quantiles. */
TEST(sealed)
{
	const uint64_t key[WORDS] = { [W_NAME] = 6, [W_TIMED] = 1 };
	struct tm_whole w = TM_WHOLE_NONE;
	struct tm_sum bad = { .m = { .n = 2, .sum = 9 }, .saved_n = 1, .saved = malloc(1) };
	struct tm_sums *s;

	CHECK(bad.saved != NULL);
	if (!bad.saved)
		return;
	*bad.saved = 7;
	CHECK(input(&w, 0) && add(&w, 0, 5, 3, 10) && input(&w, 1) && tm_whole_add(&w, key, &bad) &&
	      add(&w, 0, 5, 3, 10));
	s = tm_whole_sums(&w);
	CHECK(s && s->keys.n == 1 && s->v->m.sealed && !s->v->q.n);
	CHECK_U64(s ? s->v->m.n : 0, 8);
	CHECK_U64(s ? (uint64_t)s->v->m.sum : 0, 75);
	tm_sum_fini(&bad);
	tm_whole_fini(&w);
}

TEST(none)
{
	const uint64_t counter[WORDS] = { [W_NAME] = 1, [W_COUNTER] = 1, [W_TIMED] = 1 };
	const struct tm_sum nothing = { 0 };
	struct tm_whole w = TM_WHOLE_NONE;

	/* Counters. */
	CHECK(add_rank(&w, 0) && add_rank(&w, 1) && tm_whole_sums(&w));
	CHECK(tm_whole_add(&w, counter, &nothing) && !tm_whole_sums(&w));
	CHECK(add_rank(&w, 2) && !tm_whole_sums(&w));
	tm_whole_fini(&w);
	/* Two runs of a rank; two inputs of a run are none. */
	CHECK(add_rank(&w, 0) && add_rank(&w, 1) && add_rank(&w, 1) && tm_whole_sums(&w));
	CHECK(tm_whole_input(&w, 1, "host:another") && !tm_whole_sums(&w));
	tm_whole_fini(&w);
	/* Too many names; as many as there may be are none too many. */
	CHECK(input(&w, 0) && input(&w, 1));
	for (uint64_t i = 0; i < TM_WHOLE_MOST; i++)
		CHECK(add(&w, i % 2, i, 1, i));
	CHECK(tm_whole_sums(&w) != NULL);
	CHECK(add(&w, 0, TM_WHOLE_MOST, 1, 1) && !tm_whole_sums(&w));
	tm_whole_fini(&w);
}

TEST_MAIN(T(any_order), T(sums), T(sealed), T(none))
