/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "model/table.h"

#include <math.h>

#define CHECK_FIXED(got, negative, want)                                                           \
	do {                                                                                       \
		struct tm_cell c_ = (got);                                                         \
		CHECK(c_.type == TM_CELL_FIXED);                                                   \
		CHECK(c_.neg == (negative));                                                       \
		CHECK_U64(c_.v.u, want);                                                           \
	} while (0)
#define CHECK_NONE(got) CHECK((got).type == TM_CELL_NONE)
#define CHECK_WHOLE(got, want)                                                                     \
	do {                                                                                       \
		struct tm_cell c_ = (got);                                                         \
		CHECK(c_.type == TM_CELL_U64);                                                     \
		CHECK(!c_.neg);                                                                    \
		CHECK_U64(c_.v.u, want);                                                           \
	} while (0)

static const struct tm_column name = { .name = "name", .title = "NAME", .unit = TM_UNIT_TEXT };
static const struct tm_column calls = { .name = "calls", .title = "CALLS", .unit = TM_UNIT_COUNT };
static const struct tm_column *const two[] = { &name, &calls };

TEST(rows_start_absent_and_grow)
{
	struct tm_table t;

	tm_table_init(&t, two, 2);
	for (uint64_t i = 0; i < 1000; i++) {
		struct tm_cell *row = tm_table_row(&t);

		if (!row) {
			CHECK(row);
			break;
		}
		CHECK_NONE(row[0]);
		CHECK_NONE(row[1]);
		row[1] = tm_cell_u64(i);
	}
	CHECK_U64(t.nrows, 1000);
	for (size_t i = 0; i < t.nrows; i++)
		CHECK_U64(t.cells[i * 2 + 1].v.u, i);
	tm_table_fini(&t);
	CHECK(!t.cells && !t.nrows);
	tm_table_fini(&t); /* {0} */
	tm_table_fini(NULL);
}

TEST(table_without_columns)
{
	struct tm_table t;

	tm_table_init(&t, two, 0);
	CHECK(tm_table_row(&t));
	CHECK(tm_table_row(&t));
	CHECK_U64(t.nrows, 2);
	tm_table_fini(&t);
}

/* What a number may be goes with its cell, wherever that is moved to; another one has none. */
TEST(ends_go_with_their_cell)
{
	static const struct tm_table_ends between[] = {
		{ { .type = TM_CELL_U64, .v.u = 1 }, { .type = TM_CELL_U64, .v.u = 9 }, "first" },
		{ { .type = TM_CELL_U64, .v.u = 2 }, { .type = TM_CELL_U64, .v.u = 8 }, "last" }
	};
	const size_t by = 1, column = 1;
	struct tm_table t;

	tm_table_init(&t, two, 2);
	for (uint64_t i = 0; i < 3; i++) {
		struct tm_cell *row = tm_table_row(&t);

		row[0] = tm_cell_text("abc", 3);
		row[1] = tm_cell_u64(i + 3);
		CHECK(i == 1 || tm_table_between(&t, &row[1], &between[i / 2]));
	}
	CHECK(!tm_table_ends(&t, &t.cells[0])); /* a text with a length */
	CHECK(tm_table_sort(&t, &by, 1));
	CHECK(tm_table_choose(&t, &column, 1));
	CHECK_U64(t.cells[0].v.u, 5);
	CHECK_STR(tm_table_ends(&t, &t.cells[0])->why, "last");
	CHECK(!tm_table_ends(&t, &t.cells[1]));
	CHECK_STR(tm_table_ends(&t, &t.cells[2])->why, "first");
	CHECK_U64(tm_table_ends(&t, &t.cells[2])->high.v.u, 9);
	tm_table_fini(&t);
}

/* Thousands of texts of all sizes, each still itself after the last one was added. */
TEST(owned_texts_stay)
{
	static char big[100000];
	enum { N = 3000 };
	struct tm_table t;

	memset(big, 'x', sizeof big);
	tm_table_init(&t, two, 2);
	for (unsigned i = 0; i < N; i++) {
		struct tm_cell *row = tm_table_row(&t);
		char text[32];

		snprintf(text, sizeof text, "kernel %u", i);
		row[0] = tm_table_own(&t, text, strlen(text));
		memset(text, '!', sizeof text);
		row[1] = tm_table_own(&t, big, i % 7 ? i : i * 30);
	}
	for (unsigned i = 0; i < N; i++) {
		const struct tm_cell *row = &t.cells[i * 2];
		char text[32];

		snprintf(text, sizeof text, "kernel %u", i);
		CHECK(row[0].type == TM_CELL_TEXT);
		CHECK_STR(row[0].v.s, text);
		CHECK_U64(row[0].len, strlen(text));
		CHECK_U64(row[1].len, i % 7 ? i : i * 30);
		CHECK(memcmp(row[1].v.s, big, row[1].len) == 0);
	}
	tm_table_fini(&t);
}

TEST(owned_text_with_nul_and_empty)
{
	struct tm_cell c;
	struct tm_table t;

	tm_table_init(&t, two, 2);
	c = tm_table_own(&t, "a\0b", 3);
	CHECK_U64(c.len, 3);
	CHECK(memcmp(c.v.s, "a\0b", 3) == 0);
	c = tm_table_own(&t, NULL, 0);
	CHECK(c.type == TM_CELL_TEXT);
	CHECK_U64(c.len, 0);
	tm_table_fini(&t);
}

TEST(real4)
{
	CHECK_FIXED(tm_cell_real4(0), false, 0);
	CHECK_FIXED(tm_cell_real4(-0.0), false, 0);
	CHECK_FIXED(tm_cell_real4(1), false, 10000);
	CHECK_FIXED(tm_cell_real4(1.5), false, 15000);
	CHECK_FIXED(tm_cell_real4(-1.5), true, 15000);
	/* 1/32 and 3/32 are exact halves of a ten-thousandth: away from zero, never to even. */
	CHECK_FIXED(tm_cell_real4(0.03125), false, 313);
	CHECK_FIXED(tm_cell_real4(-0.03125), true, 313);
	CHECK_FIXED(tm_cell_real4(0.09375), false, 938);
	/* The double nearest to 0.00015 is below the half, that of 0.00005 above. */
	CHECK_FIXED(tm_cell_real4(0.00015), false, 1);
	CHECK_FIXED(tm_cell_real4(0.00005), false, 1);
	CHECK_FIXED(tm_cell_real4(nextafter(0.03125, 0)), false, 312);
	CHECK_FIXED(tm_cell_real4(0.00004), false, 0);
	CHECK_FIXED(tm_cell_real4(-0.00004), false, 0); /* no minus zero */
	CHECK_FIXED(tm_cell_real4(5e-324), false, 0);
	CHECK_FIXED(tm_cell_real4(-1e-300), false, 0);
	/* Near the top: 2^64 / 10000 is 1844674407370955.1616. */
	CHECK_FIXED(tm_cell_real4(1844674407370955), false, UINT64_C(18446744073709550000));
	CHECK_FIXED(tm_cell_real4(-1844674407370955), true, UINT64_C(18446744073709550000));
	/* three weeks and more: whole */
	CHECK_WHOLE(tm_cell_real4(1844674407370956), UINT64_C(1844674407370956));
	CHECK_WHOLE(tm_cell_real4(1844674407370956.25), UINT64_C(1844674407370956));
	CHECK_WHOLE(tm_cell_real4(1844674407370956.5), UINT64_C(1844674407370957));
	CHECK_WHOLE(tm_cell_real4(4503599627370496), UINT64_C(4503599627370496)); /* 2^52 */
	CHECK_WHOLE(tm_cell_real4(18446744073709549568.0), UINT64_C(18446744073709549568));
	CHECK_NONE(tm_cell_real4(18446744073709551616.0)); /* 2^64 */
	CHECK_NONE(tm_cell_real4(-1844674407370956));
	CHECK_NONE(tm_cell_real4(1e30));
	CHECK_NONE(tm_cell_real4(-1e30));
	CHECK_NONE(tm_cell_real4((double)NAN));
	CHECK_NONE(tm_cell_real4((double)INFINITY));
	CHECK_NONE(tm_cell_real4(-(double)INFINITY));
}

TEST(ratio)
{
	CHECK_FIXED(tm_cell_ratio(0, 0, 1), false, 0);
	CHECK_FIXED(tm_cell_ratio(0, 1, 3), false, 3333);
	CHECK_FIXED(tm_cell_ratio(0, 2, 3), false, 6667);
	CHECK_FIXED(tm_cell_ratio(0, 1, 20000), false, 1); /* exact half, up */
	CHECK_FIXED(tm_cell_ratio(0, 3, 20000), false, 2);
	CHECK_FIXED(tm_cell_ratio(0, 1, 20001), false, 0);
	CHECK_FIXED(tm_cell_ratio(0, 19999, 20000), false, 10000);
	CHECK_NONE(tm_cell_ratio(0, 0, 0));
	CHECK_NONE(tm_cell_ratio(0, 1, 0));
	CHECK_NONE(tm_cell_ratio(UINT64_MAX, UINT64_MAX, 0));
	CHECK_NONE(tm_cell_ratio(UINT64_MAX, UINT64_MAX, 1));
	CHECK_NONE(tm_cell_ratio(UINT64_MAX, UINT64_MAX, UINT64_MAX)); /* 2^64 + 1 */
	CHECK_FIXED(tm_cell_ratio(0, UINT64_MAX, UINT64_MAX), false, 10000);
	CHECK_FIXED(tm_cell_ratio(0, UINT64_MAX - 1, UINT64_MAX), false, 10000);
	CHECK_FIXED(tm_cell_ratio(0, 1, UINT64_MAX), false, 0);
	/* (2^64-1)/2 / (2^64-1) is a hair below one half */
	CHECK_FIXED(tm_cell_ratio(0, UINT64_MAX / 2, UINT64_MAX), false, 5000);
	/* 2^64 / 2^63, 2^127 / 2^63 too large */
	CHECK_FIXED(tm_cell_ratio(1, 0, UINT64_C(1) << 63), false, 20000);
	CHECK_NONE(tm_cell_ratio(UINT64_C(1) << 63, 0, UINT64_C(1) << 63));
	/* The last value that fits, 1844674407370955.1615, and the first that does not. */
	CHECK_FIXED(tm_cell_ratio(0, UINT64_MAX, 10000), false, UINT64_MAX);
	CHECK_WHOLE(tm_cell_ratio(1, 0, 10000), UINT64_C(1844674407370955));
	CHECK_WHOLE(tm_cell_ratio(0, 1844674407370956, 1), UINT64_C(1844674407370956));
	CHECK_WHOLE(tm_cell_ratio(0, UINT64_C(5184000000000001), 2),
	            UINT64_C(2592000000000001)); /* 30 days and a half ns */
	CHECK_WHOLE(tm_cell_ratio(0, UINT64_MAX, 1), UINT64_MAX);
	CHECK_NONE(tm_cell_ratio(1, UINT64_MAX, 2)); /* 2^64 - 1/2, up */
	CHECK_WHOLE(tm_cell_ratio(1, UINT64_MAX - 1, 2), UINT64_MAX);
	/* ...1615.5 rounds out of range: (2^65 - 1) / 20000 */
	CHECK_WHOLE(tm_cell_ratio(1, UINT64_MAX, 20000), UINT64_C(1844674407370955));
	CHECK_FIXED(tm_cell_ratio(1, UINT64_MAX - 1, 20000), false, UINT64_MAX);
}

/* A number stays as it was written where JSON knows it as one; sorting knows what it is worth. */
TEST(numbers_as_read)
{
	static const char *const numbers[] = { "0",  "-0",          "12",   "9.5",
		                               "10", "1.14835e+06", "2E-3", "-0.5" };
	static const char *const texts[] = { "",    "-",   "+1",  ".5", "1.",    "007", "0x10",
		                             "1 2", "nan", "inf", "1e", "1e999", "1,5", "--1" };
	static const struct tm_column columns[] = {
		{ .name = "v", .title = "V", .about = "value", .unit = TM_UNIT_COUNT }, { 0 }
	};
	static const char *const sorted[] = { "1.14835e+06", "12", "10", "9.5",
		                              "2E-3",        "0",  "-0", "-0.5" };
	static const size_t by[] = { 0 };
	struct tm_table t;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		CHECK(tm_cell_as_read(numbers[i], strlen(numbers[i])).type == TM_CELL_DIGITS);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		CHECK(tm_cell_as_read(texts[i], strlen(texts[i])).type == TM_CELL_TEXT);
	CHECK(tm_cell_as_read("1\0", 2).type == TM_CELL_TEXT);
	tm_table_init_list(&t, columns);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		*tm_table_row(&t) = tm_cell_as_read(numbers[i], strlen(numbers[i]));
	CHECK(tm_table_sort(&t, by, 1));
	for (size_t i = 0; i < t.nrows; i++)
		CHECK_STR(t.cells[i].v.s, sorted[i]);
	tm_table_fini(&t);
}

/* Shares follow their rows when those are sorted and cut, and what they add up to is said in the
 * end: 2^64 of 2^65 are half of it, which no cell of 64 bits could tell. */
TEST(running_shares)
{
	static const struct tm_column cum = { .name = "cum", .unit = TM_UNIT_PCT };
	static const struct tm_column *const three[] = { &name, &calls, &cum };
	static const uint64_t of[] = { 4, 1, 3 }; /* of 8, times 2^62 */
	const size_t by[] = { 1 }, chosen[] = { 2, 0 };
	struct tm_table t;

	tm_table_init(&t, three, 3);
	CHECK_NONE(tm_table_run(&t));
	t.share.running = 2;
	for (uint64_t i = 0; i < 3; i++) {
		struct tm_cell *row = tm_table_row(&t);

		row[0] = tm_cell_text(&"abc"[i], 1);
		row[1] = tm_cell_u64(i);
		CHECK(tm_table_share(&t, (tm_u128)of[i] << 62, (tm_u128)8 << 62));
	}
	CHECK(tm_table_sort(&t, by, 1)); /* c b a */
	tm_table_cut(&t, 2);
	CHECK_FIXED(tm_table_run(&t), false, 500000);
	CHECK(tm_table_choose(&t, chosen, 2));
	CHECK_FIXED(t.cells[0], false, 375000);
	CHECK_FIXED(t.cells[2], false, 500000);
	CHECK(*t.cells[1].v.s == 'c' && *t.cells[3].v.s == 'b');
	tm_table_fini(&t);
}

TEST_MAIN(T(running_shares), T(numbers_as_read), T(rows_start_absent_and_grow),
          T(table_without_columns), T(ends_go_with_their_cell), T(owned_texts_stay),
          T(owned_text_with_nul_and_empty), T(real4), T(ratio))
