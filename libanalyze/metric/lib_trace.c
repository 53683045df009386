/* SPDX-License-Identifier: MIT
 * What was asked of the GPU libraries, and how often: library_trace.csv out of the logs of a program. */
#include "metric/lib_opts.h"

#include <stddef.h>

static const struct column columns[] = {
	{ "jobid", "JOB", "what --job says", UNIT_TEXT, .machine = true },
	{ "created_date", "CREATED", "what --date says", UNIT_TEXT, .machine = true },
	{ "model", "MODEL", "what --model says", UNIT_TEXT, .machine = true },
	{ "library", "LIBRARY", "whose call it is", UNIT_TEXT },
	{ "config", "CONFIG", "the call, as the library logs it", UNIT_TEXT, .elastic = true },
	{ "calls", "CALLS", "how often it was made", UNIT_COUNT, .bar = true },
	{ 0 },
};

struct acc {
	const struct lib_opts *o;
};

static bool trace_init(void *acc, const void *o)
{
	((struct acc *)acc)->o = o;
	return true;
}

static enum status trace_take(void *acc, struct source *s, size_t side, struct report *rep,
                              struct diag *d)
{
	(void)acc;
	(void)s;
	(void)side;
	(void)rep;
	diag_set(d, 0, "no call of a library in it");
	return ST_SKIP;
}

static enum status trace_fill(void *acc, struct table *t, struct report *rep)
{
	(void)acc;
	(void)rep;
	table_init_list(t, columns);
	return ST_END;
}

static void trace_fini(void *acc)
{
	(void)acc;
}

const struct question lib_trace = {
	.name = "trace",
	.about = "what was asked of the libraries, and how often: library_trace.csv from logs",
	.columns = columns,
	.format = "csv",
	.crlf = true,
	.size = sizeof(struct acc),
	.init = trace_init,
	.take = trace_take,
	.fill = trace_fill,
	.fini = trace_fini,
};
