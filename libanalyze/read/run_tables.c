/* SPDX-License-Identifier: MIT */
#include "read/run_tables.h"

/* All columns in one array; before each table, and behind the last, stands one without a name. */
static const struct tm_run_column columns[] = {
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

const struct tm_run_table tm_run_tables[TM_RUN_TABLES] = {
#define RUN_TABLE(table, kind, which)                                                              \
	[TM_RUN_TABLE_##table] = { #table, kind, which, &columns[BEFORE_##table + 1] },
#define RUN_COLUMN(table, name, col)
#include "schemas/run_tables.def"
#undef RUN_TABLE
#undef RUN_COLUMN
};

const char *const tm_run_loss_words[TM_RUN_LOSSES] = {
	"malformed",
	"reversed",
	"recovered",
	"cut",
	"unended",
	"open_end",
	[TM_RUN_LOSS_LINES + TM_LOSS_CUT] = "cut_bytes",
	[TM_RUN_LOSS_LINES + TM_LOSS_DAMAGED] = "damaged",
	[TM_RUN_LOSS_LINES + TM_LOSS_COMPRESSED] = "compressed",
	[TM_RUN_LOSS_LINES + TM_LOSS_DISCARDED] = "discarded",
	[TM_RUN_LOSS_LINES + TM_LOSS_OVERWRITTEN] = "overwritten",
	[TM_RUN_LOSS_LINES + TM_LOSS_DROPPED] = "dropped",
	[TM_RUN_LOSS_LINES + TM_LOSS_OPEN] = "open",
	[TM_RUN_LOSS_LINES + TM_LOSS_CLOSE] = "close",
	[TM_RUN_LOSS_LINES + TM_LOSS_REVERSED] = "reversed_events",
	[TM_RUN_LOSS_LINES + TM_LOSS_UNTIMED] = "untimed",
	[TM_RUN_LOSS_LINES + TM_LOSS_UNNAMED] = "unnamed",
	[TM_RUN_LOSS_LINES + TM_LOSS_EVENT] = "event",
	[TM_RUN_LOSS_LINES + TM_LOSS_BASELESS] = "baseless",
	[TM_RUN_LOSS_LINES + TM_LOSS_TRACKLESS] = "trackless",
	[TM_RUN_LOSS_LINES + TM_LOSS_EXCESS] = "excess",
	[TM_RUN_LOSS_LINES + TM_LOSS_KERNELS] = "kernels",
	[TM_RUN_LOSS_LINES + TM_LOSS_OPERATION] = "operations",
	[TM_RUN_LOSS_LINES + TM_LOSS_INCLUSIVE] = "inclusive",
	[TM_RUN_LOSS_LINES + TM_LOSS_RECURSIVE] = "recursive",
	[TM_RUN_LOSS_LINES + TM_LOSS_COUNTER_VALUES] = "counter_values",
	[TM_RUN_LOSS_LINES + TM_LOSS_ROW_MISFIT] = "misfit_rows",
	[TM_RUN_LOSS_LINES + TM_LOSS_ROW_REVERSED] = "reversed_rows",
	[TM_RUN_LOSS_LINES + TM_LOSS_ROW_UNNAMED] = "unnamed_rows",
	[TM_RUN_LOSS_LINES + TM_LOSS_ROW_SELF] = "self_rows",
	[TM_RUN_LOSS_LINES + TM_LOSS_ROW_TWICE] = "twice_rows",
	[TM_RUN_LOSS_LINES + TM_LOSS_JOURNAL] = "journal",
	[TM_RUN_LOSS_LINES + TM_LOSS_ROUNDED] = "rounded_rows",
	[TM_RUN_LOSS_LINES + TM_LOSS_JOINED] = "joined_rows",
	[TM_RUN_LOSS_LINES + TM_LOSS_COUNTERS] = "counters",
	[TM_RUN_LOSS_LINES + TM_LOSS_VALUES] = "values",
};

struct tm_run_loss tm_run_loss_get(const struct tm_loss *l, int i)
{
	const struct tm_run_loss lines[TM_RUN_LOSS_LINES] = {
		{ l->malformed, l->malformed_line, l->malformed_line != 0 },
		{ l->reversed, l->reversed_line, l->reversed_line != 0 },
		{ l->recovered, l->recovered_line, l->recovered_line != 0 },
		{ l->cut, l->cut_line, l->cut_line != 0 },
		{ l->unended, l->unended_line, l->unended_line != 0 },
		{ l->open_end, l->open_end_line, l->open_end_line != 0 },
	};
	const struct tm_lost *other;

	if (i < TM_RUN_LOSS_LINES)
		return lines[i];
	other = &l->other[i - TM_RUN_LOSS_LINES];
	return (struct tm_run_loss) { other->n, other->at, true };
}

void tm_run_loss_set(struct tm_loss *l, int i, const struct tm_run_loss *r)
{
	uint64_t *const lines[TM_RUN_LOSS_LINES][2] = {
		{ &l->malformed, &l->malformed_line }, { &l->reversed, &l->reversed_line },
		{ &l->recovered, &l->recovered_line }, { &l->cut, &l->cut_line },
		{ &l->unended, &l->unended_line },     { &l->open_end, &l->open_end_line },
	};

	if (i < TM_RUN_LOSS_LINES) {
		*lines[i][0] = r->rows;
		*lines[i][1] = r->at;
	} else {
		l->other[i - TM_RUN_LOSS_LINES] = (struct tm_lost) { .n = r->rows, .at = r->at };
	}
}

static uint64_t sum_of(const struct tm_loss *l, const enum tm_loss_reason *v, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += l->other[v[i]].n;
	return sum;
}

uint64_t tm_loss_skipped(const struct tm_loss *l)
{
	static const enum tm_loss_reason v[] = { TM_LOSS_DAMAGED,      TM_LOSS_COMPRESSED,
		                                 TM_LOSS_OPEN,         TM_LOSS_CLOSE,
		                                 TM_LOSS_REVERSED,     TM_LOSS_UNTIMED,
		                                 TM_LOSS_EXCESS,       TM_LOSS_ROW_MISFIT,
		                                 TM_LOSS_ROW_REVERSED, TM_LOSS_EVENT };

	return l->malformed + l->reversed + l->cut + l->unended +
	       sum_of(l, v, sizeof v / sizeof *v);
}

uint64_t tm_loss_lost(const struct tm_loss *l)
{
	static const enum tm_loss_reason v[] = { TM_LOSS_DISCARDED, TM_LOSS_OVERWRITTEN,
		                                 TM_LOSS_DROPPED, TM_LOSS_JOURNAL };

	return sum_of(l, v, sizeof v / sizeof *v);
}
