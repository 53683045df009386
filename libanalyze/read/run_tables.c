/* SPDX-License-Identifier: MIT */
#include "read/run_tables.h"

/* All columns in one array; before each table, and behind the last, stands one without a name. */
static const struct run_column columns[] = {
#define RUN_TABLE(table, kind, which)        { .name = NULL },
#define RUN_COLUMN(table, name, col)         { #name, col, 0 },
#define RUN_LATER(table, name, col, version) { #name, col, version },
#include "schemas/run_tables.def"
#undef RUN_TABLE
#undef RUN_COLUMN
	{ .name = NULL },
};

/* The same again, for the places. */
enum place {
#define RUN_TABLE(table, kind, which) BEFORE_##table,
#define RUN_COLUMN(table, name, col)  AT_##table##_##name,
#include "schemas/run_tables.def"
#undef RUN_TABLE
#undef RUN_COLUMN
};

const struct run_table run_tables[RUN_TABLES] = {
#define RUN_TABLE(table, kind, which)                                                              \
	[RUN_TABLE_##table] = { #table, kind, which, &columns[BEFORE_##table + 1] },
#define RUN_COLUMN(table, name, col)
#include "schemas/run_tables.def"
#undef RUN_TABLE
#undef RUN_COLUMN
};

const char *const run_loss_words[RUN_LOSSES] = {
	"malformed",
	"reversed",
	"recovered",
	"cut",
	"unended",
	"open_end",
	[RUN_LOSS_LINES + LOSS_CUT] = "cut_bytes",
	[RUN_LOSS_LINES + LOSS_DAMAGED] = "damaged",
	[RUN_LOSS_LINES + LOSS_COMPRESSED] = "compressed",
	[RUN_LOSS_LINES + LOSS_DISCARDED] = "discarded",
	[RUN_LOSS_LINES + LOSS_OVERWRITTEN] = "overwritten",
	[RUN_LOSS_LINES + LOSS_DROPPED] = "dropped",
	[RUN_LOSS_LINES + LOSS_OPEN] = "open",
	[RUN_LOSS_LINES + LOSS_CLOSE] = "close",
	[RUN_LOSS_LINES + LOSS_REVERSED] = "reversed_events",
	[RUN_LOSS_LINES + LOSS_UNTIMED] = "untimed",
	[RUN_LOSS_LINES + LOSS_UNNAMED] = "unnamed",
	[RUN_LOSS_LINES + LOSS_EVENT] = "event",
	[RUN_LOSS_LINES + LOSS_BASELESS] = "baseless",
	[RUN_LOSS_LINES + LOSS_TRACKLESS] = "trackless",
	[RUN_LOSS_LINES + LOSS_EXCESS] = "excess",
	[RUN_LOSS_LINES + LOSS_KERNELS] = "kernels",
	[RUN_LOSS_LINES + LOSS_OPERATION] = "operations",
	[RUN_LOSS_LINES + LOSS_INCLUSIVE] = "inclusive",
	[RUN_LOSS_LINES + LOSS_RECURSIVE] = "recursive",
	[RUN_LOSS_LINES + LOSS_COUNTER_VALUES] = "counter_values",
	[RUN_LOSS_LINES + LOSS_ROW_MISFIT] = "misfit_rows",
	[RUN_LOSS_LINES + LOSS_ROW_REVERSED] = "reversed_rows",
	[RUN_LOSS_LINES + LOSS_ROW_UNNAMED] = "unnamed_rows",
	[RUN_LOSS_LINES + LOSS_ROW_SELF] = "self_rows",
	[RUN_LOSS_LINES + LOSS_ROW_TWICE] = "twice_rows",
	[RUN_LOSS_LINES + LOSS_JOURNAL] = "journal",
	[RUN_LOSS_LINES + LOSS_ROUNDED] = "rounded_rows",
	[RUN_LOSS_LINES + LOSS_JOINED] = "joined_rows",
	[RUN_LOSS_LINES + LOSS_COUNTERS] = "counters",
	[RUN_LOSS_LINES + LOSS_VALUES] = "values",
};

struct run_loss run_loss_get(const struct loss *l, int i)
{
	const struct run_loss lines[RUN_LOSS_LINES] = {
		{ l->malformed, l->malformed_line, l->malformed_line != 0 },
		{ l->reversed, l->reversed_line, l->reversed_line != 0 },
		{ l->recovered, l->recovered_line, l->recovered_line != 0 },
		{ l->cut, l->cut_line, l->cut_line != 0 },
		{ l->unended, l->unended_line, l->unended_line != 0 },
		{ l->open_end, l->open_end_line, l->open_end_line != 0 },
	};
	const struct lost *other;

	if (i < RUN_LOSS_LINES)
		return lines[i];
	other = &l->other[i - RUN_LOSS_LINES];
	return (struct run_loss) { other->n, other->at, true };
}

void run_loss_set(struct loss *l, int i, const struct run_loss *r)
{
	uint64_t *const lines[RUN_LOSS_LINES][2] = {
		{ &l->malformed, &l->malformed_line }, { &l->reversed, &l->reversed_line },
		{ &l->recovered, &l->recovered_line }, { &l->cut, &l->cut_line },
		{ &l->unended, &l->unended_line },     { &l->open_end, &l->open_end_line },
	};

	if (i < RUN_LOSS_LINES) {
		*lines[i][0] = r->rows;
		*lines[i][1] = r->at;
	} else {
		l->other[i - RUN_LOSS_LINES] = (struct lost) { .n = r->rows, .at = r->at };
	}
}

static uint64_t sum_of(const struct loss *l, const enum loss_reason *v, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += l->other[v[i]].n;
	return sum;
}

uint64_t loss_skipped(const struct loss *l)
{
	static const enum loss_reason v[] = { LOSS_DAMAGED, LOSS_COMPRESSED, LOSS_OPEN,
		                              LOSS_CLOSE,   LOSS_REVERSED,   LOSS_UNTIMED,
		                              LOSS_EXCESS,  LOSS_ROW_MISFIT, LOSS_ROW_REVERSED,
		                              LOSS_EVENT };

	return l->malformed + l->reversed + l->cut + l->unended +
	       sum_of(l, v, sizeof v / sizeof *v);
}

uint64_t loss_lost(const struct loss *l)
{
	static const enum loss_reason v[] = { LOSS_DISCARDED, LOSS_OVERWRITTEN, LOSS_DROPPED,
		                              LOSS_JOURNAL };

	return sum_of(l, v, sizeof v / sizeof *v);
}
