/* SPDX-License-Identifier: MIT
 * Which rows break a rule about as much as the one that is worst. */
#include "test.h"

#include "check/check.h"

static const struct tm_column rank = { .name = "rank", .title = "RANK", .unit = TM_UNIT_ID };
static const struct tm_column idle = { .name = "idle_pct", .title = "IDLE%", .unit = TM_UNIT_PCT };
static const struct tm_column rate = { .name = "gb_per_s", .title = "RATE", .unit = TM_UNIT_COUNT };
static const struct tm_column *const both[] = { &rank, &idle };
static const struct tm_column *const rates[] = { &rank, &rate };

enum { ROWS = 5 };

/* What became of rows of these values, a letter each: other, meant, worst.  "-" = no value. */
static void look(const char *rule, const struct tm_column *const *columns, const char *const *value,
                 const char *want, size_t worst)
{
	struct tm_rules rules = { 0 };
	struct tm_report rep = { 0 };
	struct tm_table t;
	unsigned char kind[ROWS];
	char got[ROWS + 1] = "";
	size_t at;

	CHECK(tm_rules_parse(&rules, NULL, rule, strlen(rule), &rep));
	CHECK_U64(rep.n, 0);
	tm_table_init(&t, columns, 2);
	for (uint64_t i = 0; i < ROWS && value[i]; i++) {
		struct tm_cell *c = tm_table_row(&t);

		c[0] = tm_cell_u64(i);
		if (*value[i] != '-')
			c[1] = tm_cell_as_read(value[i], strlen(value[i]));
	}
	if (rules.n == 1) {
		const struct tm_check_ask ask = { .rule = rules.v,
			                          .column = columns[1],
			                          .unit = rules.v->unit };

		CHECK(tm_check_rows(&ask, &t, kind, &at));
		for (size_t i = 0; i < t.nrows; i++)
			got[i] = "omw"[kind[i]];
		CHECK_STR(got, want);
		CHECK_U64(at, worst);
	}
	tm_table_fini(&t);
	tm_rules_fini(&rules);
	tm_report_fini(&rep);
}

TEST(half_of_the_worst)
{
	look("t[*].idle_pct < 2", both, (const char *[]) { "10", "48", "24", "23.9", NULL }, "mwwm",
	     1);
	look("t[*].idle_pct < 30", both, (const char *[]) { "10", "48", "24", "23.9", NULL },
	     "mwmm", 1);
	look("t[*].idle_pct < 50", both, (const char *[]) { "10", "48", NULL }, "mm", SIZE_MAX);
	look("t[*].idle_pct == 0", both, (const char *[]) { "1", "4", "2", "0", NULL }, "mwwm", 1);
}

TEST(twice_the_least)
{
	look("t[*].gb_per_s > 8", rates, (const char *[]) { "9", "1", "2", "2.1", "7" }, "mwwmm",
	     1);
}

TEST(rows_that_are_not_meant)
{
	look("t[rank=1].idle_pct < 2", both, (const char *[]) { "10", "5", NULL }, "ow", 1);
	look("t[rank=?*].idle_pct < 2", both, (const char *[]) { "-", "5", "5", NULL }, "mww", 1);
	look("t[*].idle_pct < 2", both, (const char *[]) { NULL }, "", SIZE_MAX);
}

TEST_MAIN(T(half_of_the_worst), T(twice_the_least), T(rows_that_are_not_meant))
