/* SPDX-License-Identifier: MIT
 * A loop shared by several threads, and results that are computed once. */
#include "base/threads.h"

#include "test.h"

#include <stdatomic.h>

enum { N = 1000 };

struct counted {
	atomic_uint done[N];
	size_t bad; /* which fails, N = none */
};

static bool count(void *arg, size_t i)
{
	struct counted *c = arg;

	c->done[i]++;
	return i != c->bad;
}

TEST(each_is_done_once)
{
	for (unsigned jobs = 0; jobs <= 8; jobs++) {
		struct counted c = { .bad = N };

		CHECK(tm_each(count, &c, N, jobs));
		for (size_t i = 0; i < N; i++)
			CHECK(c.done[i] == 1);
	}
	CHECK(tm_each(count, NULL, 0, 4));
}

TEST(one_that_fails_is_told)
{
	for (unsigned jobs = 1; jobs <= 4; jobs++) {
		struct counted c = { .bad = N / 2 };

		CHECK(!tm_each(count, &c, N, jobs));
		for (size_t i = 0; i < N; i++)
			CHECK(c.done[i] <= 1 && (i > c.bad || c.done[i] == 1));
	}
}

/* Many results that all threads need, each of several words. */
struct shared {
	struct tm_once once[N];
	uint64_t value[N][4];
	atomic_uint made;
	atomic_bool torn;
};

static bool ask(void *arg, size_t i)
{
	struct shared *s = arg;

	(void)i;
	for (size_t k = 0; k < N; k++) {
		if (tm_once_begin(&s->once[k])) {
			s->made++;
			for (int w = 0; w < 4; w++)
				s->value[k][w] = k + 1;
			tm_once_end(&s->once[k]);
		}
		for (int w = 0; w < 4; w++)
			if (s->value[k][w] != k + 1)
				s->torn = true;
	}
	return true;
}

TEST(each_is_made_once)
{
	static struct shared s;

	CHECK(tm_each(ask, &s, 16, 8));
	CHECK(s.made == N && !s.torn);
	tm_once_again(&s.once[5]);
	CHECK(tm_once_begin(&s.once[5]));
	tm_once_end(&s.once[5]);
	CHECK(!tm_once_begin(&s.once[5]));
}

TEST_MAIN(T(each_is_done_once), T(one_that_fails_is_told), T(each_is_made_once))
