/* SPDX-License-Identifier: MIT
 * The whole unit-test framework.  A test file is a list of TEST(name) { ... } and one
 * TEST_MAIN(name, ...) line; each test prints "ok NAME" or "not ok NAME", the exit status tells. */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_bad; /* failed checks in the running test */

#define TEST(name) static void name(void)

/* Check a condition; a failed one is printed and the test goes on. */
#define CHECK(cond)                                                                                \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			test_bad++;                                                                \
			fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #cond);         \
		}                                                                                  \
	} while (0)

/* Two unsigned numbers are equal. */
#define CHECK_U64(got, want)                                                                       \
	do {                                                                                       \
		uint64_t g_ = (got), w_ = (want);                                                  \
		if (g_ != w_) {                                                                    \
			test_bad++;                                                                \
			fprintf(stderr, "%s:%d: %s is %" PRIu64 ", not %" PRIu64 "\n", __FILE__,   \
			        __LINE__, #got, g_, w_);                                           \
		}                                                                                  \
	} while (0)

/* Two C strings are equal. */
#define CHECK_STR(got, want)                                                                       \
	do {                                                                                       \
		const char *g_ = (got), *w_ = (want);                                              \
		if (!g_ || strcmp(g_, w_) != 0) {                                                  \
			test_bad++;                                                                \
			fprintf(stderr, "%s:%d: %s is \"%s\", not \"%s\"\n", __FILE__, __LINE__,   \
			        #got, g_ ? g_ : "(null)", w_);                                     \
		}                                                                                  \
	} while (0)

/* So many of n random cases: EFFORT percent, one in twenty at least; without EFFORT all. */
static inline int test_rounds(int n)
{
	const char *effort = getenv("EFFORT");
	long pct = effort ? strtol(effort, NULL, 10) : 100;

	pct = pct < 5 ? 5 : pct > 100 ? 100 : pct;
	return (int)(n * pct / 100);
}

struct test_case {
	const char *name;
	void (*run)(void);
};

static int test_run(const struct test_case *cases, size_t n)
{
	int failed = 0;

	for (size_t i = 0; i < n; i++) {
		test_bad = 0;
		cases[i].run();
		printf("%s %s\n", test_bad ? "not ok" : "ok", cases[i].name);
		failed += test_bad != 0;
	}
	return failed != 0;
}

#define T(name)                                                                                    \
	{                                                                                          \
#name, name                                                                        \
	}
#define TEST_MAIN(...)                                                                             \
	int main(void)                                                                             \
	{                                                                                          \
		static const struct test_case cases[] = { __VA_ARGS__ };                           \
		return test_run(cases, sizeof cases / sizeof *cases);                              \
	}

#endif
