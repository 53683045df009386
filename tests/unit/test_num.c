/* SPDX-License-Identifier: MIT
 * Numbers out of text: the edges of 64 bits, and everything that is no number. */
#include "base/num.h"

#include "test.h"

#include <locale.h>
#include <math.h>

#define N UINT64_C(12345) /* what a failed call must not be asked to keep */

struct u64_case {
	const char *text;
	bool good;
	uint64_t v;
};

static void check_u64(const struct u64_case *c, bool (*parse)(const void *, size_t, uint64_t *))
{
	size_t n = strlen(c->text);
	char *exact = malloc(n + 1);
	uint64_t v = N;
	bool good;

	/* No NUL after it: a sanitizer sees a read past the text. */
	memcpy(exact, c->text, n);
	exact = realloc(exact, n ? n : 1);
	good = parse(exact, n, &v);
	if (good != c->good || (good && v != c->v)) {
		fprintf(stderr, "'%s': %s %" PRIu64 "\n", c->text, good ? "is" : "is none, but", v);
		test_bad++;
	}
	free(exact);
}

TEST(whole_numbers)
{
	static const struct u64_case cases[] = {
		{ "0", true, 0 },
		{ "7", true, 7 },
		{ "000000000000000000000000000042", true, 42 },
		{ "9223372036854775807", true, INT64_MAX },
		{ "9223372036854775808", true, UINT64_C(9223372036854775808) },
		{ "18446744073709551615", true, UINT64_MAX },
		{ "18446744073709551616", false, 0 },
		{ "18446744073709551620", false, 0 },
		{ "184467440737095516150", false, 0 },
		{ "99999999999999999999", false, 0 },
		{ "", false, 0 },
		{ "-1", false, 0 },
		{ "+1", false, 0 },
		{ " 1", false, 0 },
		{ "1 ", false, 0 },
		{ "1.0", false, 0 },
		{ "1e3", false, 0 },
		{ "0x10", false, 0 },
		{ "1/", false, 0 },
		{ "1:", false, 0 },
		{ "\xb2", false, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_u64(&cases[i], tm_num_u64);
}

TEST(any_whole_numbers)
{
	static const struct u64_case cases[] = {
		{ "18446744073709551615", true, UINT64_MAX },
		{ "18446744073709551616", false, 0 },
		{ "0x0", true, 0 },
		{ "0x7f2b4d282500", true, UINT64_C(0x7f2b4d282500) },
		{ "0XFFffffffffffffFF", true, UINT64_MAX },
		{ "0x0000000000000010", true, 16 },
		{ "0x10000000000000000", false, 0 },
		{ "0x", false, 0 },
		{ "0xg", false, 0 },
		{ "0x@", false, 0 },
		{ "0x`", false, 0 },
		{ "0x:", false, 0 },
		{ "x10", false, 0 },
		{ "1x10", false, 0 },
		{ "12.0", true, 12 },
		{ "12.", true, 12 },
		{ "12.000000", true, 12 },
		{ "18446744073709551615.0", true, UINT64_MAX },
		{ "12.5", false, 0 },
		{ "12.0000001", false, 0 },
		{ "12.0.0", false, 0 },
		{ ".0", false, 0 },
		{ ".", false, 0 },
		{ "-12.0", false, 0 },
		{ "12.0e0", false, 0 },
		{ "", false, 0 },
		{ "nan", false, 0 },
		{ "None", false, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_u64(&cases[i], tm_num_u64_any);
}

/* 400 digits: too many to be a number, none too many to look at. */
TEST(four_hundred_digits)
{
	char text[402];
	uint64_t v;
	double d;

	memset(text, '9', sizeof text);
	CHECK(!tm_num_u64(text, 400, &v));
	CHECK(!tm_num_u64_any(text, 400, &v));
	CHECK(!tm_num_real(text, 400, &d));
	memset(text, '0', sizeof text);
	CHECK(tm_num_u64(text, 400, &v));
	CHECK_U64(v, 0);
	text[1] = '.';
	CHECK(tm_num_u64_any(text, 400, &v));
	CHECK_U64(v, 0);
	text[1] = 'x';
	CHECK(!tm_num_u64_any(text, 400, &v));
}

TEST(a_nul_is_no_digit)
{
	uint64_t v;
	double d;

	CHECK(!tm_num_u64("1\0", 2, &v));
	CHECK(!tm_num_u64("1\0002", 3, &v));
	CHECK(!tm_num_u64_any("0x1\0", 4, &v));
	CHECK(!tm_num_u64_any("1.0\0", 4, &v));
	CHECK(!tm_num_real("1\0", 2, &d));
	CHECK(!tm_num_real("\0", 1, &d));
}

TEST(reals)
{
	static const struct {
		const char *text;
		bool good;
		double v;
	} cases[] = {
		{ "0", true, 0 },
		{ "-0.0", true, 0 },
		{ "16384.000000", true, 16384 },
		{ "2.36316718e-02", true, 2.36316718e-02 },
		{ "4.3697855621997866e-05", true, 4.3697855621997866e-05 },
		{ "-1.5", true, -1.5 },
		{ "+1.5E+3", true, 1500 },
		{ "1e308", true, 1e308 },
		{ "1e309", false, 0 },
		{ "-1e309", false, 0 },
		{ "1e-400", true, 0 },
		{ ".5", true, .5 },
		{ "5.", true, 5 },
		{ "111836.753931", true, 111836.753931 },
		{ "", false, 0 },
		{ "nan", false, 0 },
		{ "-nan", false, 0 },
		{ "inf", false, 0 },
		{ "0x1p3", false, 0 },
		{ "1e", false, 0 },
		{ "1e+", false, 0 },
		{ "--1", false, 0 },
		{ "1.2.3", false, 0 },
		{ " 1", false, 0 },
		{ "1 ", false, 0 },
		{ "1,5", false, 0 },
		{ ".", false, 0 },
		{ "-", false, 0 },
		{ "e5", false, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double v = 0;
		bool good = tm_num_real(cases[i].text, strlen(cases[i].text), &v);

		CHECK(good == cases[i].good);
		if (good && fabs(v - cases[i].v) > 0) {
			fprintf(stderr, "%s is %.17g\n", cases[i].text, v);
			test_bad++;
		}
	}
}

/* A locale with a decimal comma, where there is one, changes nothing. */
TEST(scaled)
{
	static const struct {
		const char *text;
		uint64_t scale, v;
		bool good;
	} cases[] = {
		{ "13.360265", 1000000000, 13360265000, true },
		{ "0.0000000005", 1000000000, 1, true },
		{ "0.00000000049999", 1000000000, 0, true },
		{ "9.808e-06", 1000000000, 9808, true },
		{ "1E+3", 7, 7000, true },
		{ ".5", 3, 2, true },
		{ "5.", 1, 5, true },
		{ "0", 1000000000, 0, true },
		{ "0e9999999999", 1, 0, true },
		{ "18446744073709551615", 1, UINT64_MAX, true },
		{ "18446744073.709551615", 1000000000, UINT64_MAX, true },
		{ "18446744073.7095516155", 1000000000, 0, false },
		{ "18446744073709551616", 1, 0, false },
		{ "1e20", 1, 0, false },
		{ "1e-400", 1, 0, true },
		{ "0.89474351700000001", 1000000000, 894743517, true },
		{ "123456789012345678901234567890e-20", 1, 1234567890, true },
		{ "", 1, 0, false },
		{ ".", 1, 0, false },
		{ "-1", 1, 0, false },
		{ "1.2.3", 1, 0, false },
		{ "1e", 1, 0, false },
		{ "1e+", 1, 0, false },
		{ "nan", 1, 0, false },
		{ " 1", 1, 0, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t v = 0;
		bool good = tm_num_scaled(cases[i].text, strlen(cases[i].text), cases[i].scale, &v);

		if (good != cases[i].good || (good && v != cases[i].v)) {
			fprintf(stderr, "'%s': %d %llu\n", cases[i].text, good,
			        (unsigned long long)v);
			test_bad++;
		}
	}
}

TEST(no_locale)
{
	double v = 0;

	if (!setlocale(LC_ALL, "de_DE.UTF-8"))
		setlocale(LC_ALL, "");
	CHECK(tm_num_real("1.5", 3, &v) && v > 1.4 && v < 1.6);
	CHECK(!tm_num_real("1,5", 3, &v));
	setlocale(LC_ALL, "C");
}

/* Every power of ten and two, and their neighbors, there and back. */
TEST(round_trip)
{
	for (unsigned bit = 0; bit < 64; bit++)
		for (int d = -1; d <= 1; d++) {
			uint64_t want = (UINT64_C(1) << bit) + (uint64_t)(int64_t)d, v;
			char text[32];
			int n = snprintf(text, sizeof text, "%" PRIu64, want);

			CHECK(tm_num_u64(text, (size_t)n, &v));
			CHECK_U64(v, want);
			n = snprintf(text, sizeof text, "0x%" PRIx64, want);
			CHECK(tm_num_u64_any(text, (size_t)n, &v));
			CHECK_U64(v, want);
		}
}

TEST(nearest)
{
	static const struct {
		const char *text;
		uint64_t v;
		bool exact, good;
	} cases[] = {
		{ "300", 300, true, true },
		{ "300.", 300, true, true },
		{ "300.000", 300, true, true },
		{ "300.5", 300, false, true },
		{ "301.5", 302, false, true },
		{ "300.5000000000000000000000000000000000001", 301, false, true },
		{ "300.4999999999999999999999999999999999999", 300, false, true },
		{ ".5", 0, false, true },
		{ "1.5", 2, false, true },
		{ "0.51", 1, false, true },
		{ "0.05", 0, false, true },
		{ "5e-1", 0, false, true },
		{ "5e-2", 0, false, true },
		{ "15E-1", 2, false, true },
		{ "0.5e1", 5, true, true },
		{ "0.05e2", 5, true, true },
		{ "1.3386742234691895e+16", 13386742234691895, true, true },
		{ "1.33867422346918955e+16", 13386742234691896, false, true },
		{ "1.33867422346918945e16", 13386742234691894, false, true },
		{ "18446744073709551615", UINT64_MAX, true, true },
		{ "18446744073709551615.4", UINT64_MAX, false, true },
		{ "18446744073709551615.5", 0, false, false },
		{ "18446744073709551616", 0, false, false },
		{ "0e999999999999", 0, true, true },
		{ "0.000e5", 0, true, true },
		{ "1e-999999999999", 0, false, true },
		{ "1e20", 0, false, false },
		{ "1e999999999999", 0, false, false },
		{ "9007199254740993.5", 9007199254740994, false, true },
		{ "9007199254740992.5", 9007199254740992, false, true },
		{ "", 0, false, false },
		{ ".", 0, false, false },
		{ "-1", 0, false, false },
		{ "+1", 0, false, false },
		{ "1.2.3", 0, false, false },
		{ "1e", 0, false, false },
		{ "1e+", 0, false, false },
		{ "e5", 0, false, false },
		{ "1e5.0", 0, false, false },
		{ "1ee5", 0, false, false },
		{ "0x10", 0, false, false },
		{ "nan", 0, false, false },
		{ "None", 0, false, false },
		{ " 1", 0, false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t n = strlen(cases[i].text);
		char *copy = malloc(n + 1);
		uint64_t v = 0;
		bool exact = false, good;

		memcpy(copy, cases[i].text, n);
		copy = realloc(copy, n ? n : 1);
		good = tm_num_nearest(copy, n, &v, &exact);
		if (good != cases[i].good ||
		    (good && (v != cases[i].v || exact != cases[i].exact))) {
			fprintf(stderr, "'%s': %d %" PRIu64 " %d\n", cases[i].text, good, v, exact);
			test_bad++;
		}
		free(copy);
	}
}

TEST_MAIN(T(whole_numbers), T(any_whole_numbers), T(four_hundred_digits), T(a_nul_is_no_digit),
          T(reals), T(scaled), T(nearest), T(no_locale), T(round_trip))
