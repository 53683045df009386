/* SPDX-License-Identifier: MIT
 * What was asked of the GPU libraries, and how often: library_trace.csv out of the logs of a
 * program, and out of such files of several nodes.
 *
 * The columns, their order and the way they are written are those of madengine's
 * get_library_trace.py, and so is the text of a call, but for what is wrong there:
 *   - a row of rocblas_function counts calls, not processes: call_count is summed and not in the
 * text;
 *   - miopen counts what was executed; looking for a solution is miopen_find, with the same text;
 *   - hipblaslt_function and rccl are further libraries.
 * Rows are in the order of the libraries, most calls first, then by text: that of the inputs plays
 * no part. */
#include "libperf/lib_opts.h"
#include "libperf/lib_take.h"

#include <stdlib.h>
#include <string.h>

enum { COL_JOB, COL_DATE, COL_MODEL, COL_LIBRARY, COL_CONFIG, COL_CALLS };

static const struct tm_column columns[] = {
	[COL_JOB] = { .name = "jobid",
	              .title = "JOB",
	              .unit = TM_UNIT_TEXT,
	              .machine = true,
	              .about = "--job, else the value in the tables read, else 0" },
	[COL_DATE] = { .name = "created_date",
	               .title = "CREATED",
	               .unit = TM_UNIT_TEXT,
	               .machine = true,
	               .about = "--date, else the value in the tables read" },
	[COL_MODEL] = { .name = "model",
	                .title = "MODEL",
	                .unit = TM_UNIT_TEXT,
	                .machine = true,
	                .about = "--model, else the value in the tables read" },
	[COL_LIBRARY] = { .name = "library",
	                  .title = "LIBRARY",
	                  .unit = TM_UNIT_TEXT,
	                  .about = "library called" },
	[COL_CONFIG] = { .name = "config",
	                 .title = "CONFIG",
	                 .unit = TM_UNIT_TEXT,
	                 .elastic = true,
	                 .about = "call, as the library logs it" },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = TM_UNIT_COUNT,
	                .bar = true,
	                .about = "number of calls" },
	{ 0 },
};

struct acc {
	const struct tm_lib_opts *o;
	struct tm_lib_calls calls;
};

static bool trace_init(void *acc, const void *o)
{
	((struct acc *)acc)->o = o;
	return true;
}

static enum tm_status trace_take(void *acc, struct tm_source *s, size_t side, struct tm_report *rep,
                                 struct tm_diag *d)
{
	struct acc *a = acc;

	(void)side;
	return tm_lib_calls_take(&a->calls, s, a->o->from, rep, d);
}

/* A row to come. */
struct row {
	const struct tm_name *text;
	uint64_t calls;
};

static int by_calls(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	if (a->calls != b->calls)
		return a->calls < b->calls ? 1 : -1;
	return tm_name_cmp(a->text, b->text);
}

static struct tm_cell word(const char *said, const char *common, const char *usual)
{
	const char *s = said ? said : common && *common ? common : usual;

	return tm_cell_text(s, strlen(s));
}

/* The rows of one library; false when out of memory. */
static bool fill_kind(const struct acc *a, enum tm_lib_call_kind kind, struct tm_table *t)
{
	const struct tm_call_set *set = &a->calls.set[kind];
	struct row *v = calloc(set->texts.n ? set->texts.n : 1, sizeof *v);
	bool ok = v != NULL;

	for (uint32_t i = 0; ok && i < set->texts.n; i++)
		v[i] = (struct row) { .text = &set->texts.v[i], .calls = set->calls[i] };
	if (ok)
		qsort(v, set->texts.n, sizeof *v, by_calls);
	for (uint32_t i = 0; ok && i < set->texts.n; i++) {
		struct tm_cell *c = tm_table_row(t);

		ok = c != NULL;
		if (!ok)
			break;
		c[COL_JOB] = word(a->o->job, a->calls.job, "0");
		c[COL_DATE] = word(a->o->date, a->calls.date, "");
		c[COL_MODEL] = word(a->o->model, a->calls.model, "");
		c[COL_LIBRARY] = tm_cell_text(tm_call_words[kind], strlen(tm_call_words[kind]));
		c[COL_CONFIG] = tm_cell_text(v[i].text->text, v[i].text->len);
		c[COL_CALLS] = tm_cell_u64(v[i].calls);
	}
	free(v);
	return ok;
}

static enum tm_status trace_fill(void *acc, struct tm_table *t, struct tm_report *rep)
{
	struct acc *a = acc;

	tm_table_init_list(t, columns);
	for (int kind = 0; kind < TM_CALL_KINDS; kind++)
		if (!fill_kind(a, (enum tm_lib_call_kind)kind, t))
			return TM_ST_FATAL;
	tm_lib_calls_tell(&a->calls, true, rep);
	if (!t->nrows && !rep->n)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "no GPU library calls in the input");
	return t->nrows ? TM_ST_OK : TM_ST_END;
}

static void trace_fini(void *acc)
{
	tm_lib_calls_fini(&((struct acc *)acc)->calls);
}

const struct tm_question tm_lib_trace = {
	.name = "trace",
	.about = "library_trace.csv from logs: each call and how often it was made",
	.columns = columns,
	.format = "csv",
	.crlf = true,
	.size = sizeof(struct acc),
	.init = trace_init,
	.take = trace_take,
	.fill = trace_fill,
	.fini = trace_fini,
};
