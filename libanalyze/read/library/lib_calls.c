/* SPDX-License-Identifier: MIT */
#include "read/library/lib_calls.h"

#include "read/formats.h"
#include "base/base.h"
#include "read/batch.h"
#include "read/csv/csv.h"

#include <stdlib.h>
#include <string.h>

const char *const tm_call_words[] = {
	[TM_CALL_ROCBLAS] = "rocblas",
	[TM_CALL_HIPBLASLT] = "hipblaslt",
	[TM_CALL_ROCBLAS_FUNCTION] = "rocblas_function",
	[TM_CALL_MIOPEN] = "miopen",
	[TM_CALL_TENSILE] = "tensile",
	[TM_CALL_HIPBLASLT_FUNCTION] = "hipblaslt_function",
	[TM_CALL_MIOPEN_FIND] = "miopen_find",
	[TM_CALL_RCCL] = "rccl",
	[TM_CALL_ROCBLAS_TRACE] = "rocblas_trace",
	[TM_CALL_KINDS] = NULL,
};

enum tm_lib_call_kind tm_call_find(const char *s, size_t n)
{
	int i = 0;

	while (i < TM_CALL_KINDS &&
	       (strlen(tm_call_words[i]) != n || memcmp(tm_call_words[i], s, n) != 0))
		i++;
	return (enum tm_lib_call_kind)i;
}

enum tm_status tm_lib_calls_add(struct tm_lib_calls *c, enum tm_lib_call_kind kind,
                                const char *text, size_t n, uint64_t calls)
{
	struct tm_call_set *set = &c->set[kind];
	uint32_t before = set->texts.n, id = tm_names_add(&set->texts, text, n);

	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&set->calls, &set->cap, (size_t)id + 1, sizeof *set->calls))
		return TM_ST_FATAL;
	if (id == before)
		set->calls[id] = 0;
	if (calls > UINT64_MAX - set->calls[id])
		return TM_ST_SKIP;
	if (c->of_table) {
		if (!tm_grow_zeroed(&set->tabled, &set->tabled_cap, (size_t)id + 1,
		                    sizeof *set->tabled))
			return TM_ST_FATAL;
		set->tabled[id] += calls;
	}
	set->calls[id] += calls;
	if (!c->in_order)
		return TM_ST_OK;
	if (!tm_grow_array(&c->order, &c->order_cap, c->norder + 1, sizeof *c->order))
		return TM_ST_FATAL;
	c->order[c->norder++] = (struct tm_lib_called) { kind, id };
	return TM_ST_OK;
}

bool tm_lib_calls_count(const char *text, size_t n, size_t *front, uint64_t *count,
                        const char **rest)
{
	static const char key[] = "call_count:";
	const char *at = memmem(text, n, key, sizeof key - 1), *end = text + n, *digits, *stop;

	if (!at)
		return false;
	digits = at + sizeof key - 1;
	while (digits < end && *digits == ' ')
		digits++;
	stop = digits;
	while (stop < end && *stop >= '0' && *stop <= '9')
		stop++;
	/* ", call_count: 3 }" leaves " }". */
	while (at > text && at[-1] == ' ')
		at--;
	if (at > text && at[-1] == ',')
		at--;
	*front = (size_t)(at - text);
	*rest = stop;
	return tm_num_u64(digits, (size_t)(stop - digits), count);
}

/* ---- the table ---- */

enum { B_LIBRARY, B_CONFIG, B_CALLS, B_JOB, B_DATE, B_MODEL, BINDS };

static const struct csv_bind binds[BINDS] = {
	[B_LIBRARY] = { .names = "library", .type = CSV_WORD, .required = true },
	[B_CONFIG] = { .names = "config", .type = CSV_WORD, .required = true },
	[B_CALLS] = { .names = "calls", .type = CSV_NUMBER, .required = true },
	[B_JOB] = { .names = "jobid", .type = CSV_WORD },
	[B_DATE] = { .names = "created_date", .type = CSV_WORD },
	[B_MODEL] = { .names = "model", .type = CSV_WORD },
};

bool tm_lib_calls_is_table(const unsigned char *p, size_t n, bool whole)
{
	return tm_csv_small_bid(binds, BINDS, p, n, whole) != 0;
}

const struct tm_bytes_ops tm_bytes_lib_calls = {
	.name = TM_LIB_TRACE_NAME,
	.about = "library_trace.csv: calls of GPU libraries and how often each was made",
	.what = "a table of calls of GPU libraries",
	.tool = "libperf",
	.is = tm_lib_calls_is_table,
};

/* What all rows so far have in a column; false when out of memory. */
static bool keep_common(const struct tm_lib_calls *c, char **common, const struct csv_small *t,
                        const struct tm_small_field *f, size_t bind)
{
	const char *p = tm_csv_small_has(t, bind) ? f[bind].p : "";
	size_t n = tm_csv_small_has(t, bind) ? f[bind].n : 0;

	if (c->has_rows && strlen(*common) == n && !memcmp(*common, p, n))
		return true;
	if (c->has_rows)
		n = 0;
	free(*common);
	*common = strndup(p, n);
	return *common != NULL;
}

/* One row.  TM_ST_SKIP: it makes no sense. */
static enum tm_status take_row(struct tm_lib_calls *c, const struct csv_small *t,
                               struct tm_buf *scratch, const struct tm_small_field *f)
{
	enum tm_lib_call_kind kind = tm_call_find(f[B_LIBRARY].p, f[B_LIBRARY].n);
	const char *text = f[B_CONFIG].p, *rest;
	size_t n = f[B_CONFIG].n, front;
	uint64_t calls, each;

	if (kind == TM_CALL_KINDS || !tm_num_u64_any(f[B_CALLS].p, f[B_CALLS].n, &calls))
		return TM_ST_SKIP;
	if ((kind == TM_CALL_ROCBLAS_FUNCTION || kind == TM_CALL_HIPBLASLT_FUNCTION) &&
	    tm_lib_calls_count(text, n, &front, &each, &rest)) {
		if (__builtin_mul_overflow(calls, each, &calls))
			return TM_ST_SKIP;
		tm_buf_clear(scratch);
		tm_buf_add(scratch, text, front);
		if (!tm_buf_add(scratch, rest, n - (size_t)(rest - text)))
			return TM_ST_FATAL;
		text = scratch->p;
		n = scratch->n;
	}
	if (!keep_common(c, &c->job, t, f, B_JOB) || !keep_common(c, &c->date, t, f, B_DATE) ||
	    !keep_common(c, &c->model, t, f, B_MODEL))
		return TM_ST_FATAL;
	c->has_rows = true;
	if (kind == TM_CALL_MIOPEN) {
		c->table_miopen_rows++;
		if (calls > c->table_miopen_most)
			c->table_miopen_most = calls;
	}
	return tm_lib_calls_add(c, kind, text, n, calls);
}

enum tm_status tm_lib_calls_read(struct tm_lib_calls *c, struct tm_source *s, struct tm_loss *loss,
                                 struct tm_diag *d)
{
	static const int text[] = { B_CONFIG, -1 };
	struct csv_small t = { 0 };
	struct tm_buf scratch = { 0 };
	const struct tm_small_field *f;
	struct tm_diag why = { 0 };
	enum tm_status st = tm_csv_small_open(&t, s, binds, BINDS, text, &why);
	uint64_t line, taken = 0;

	c->table_miopen_rows = c->table_miopen_most = 0;
	c->of_table = true;
	if (st == TM_ST_OK)
		while ((st = tm_csv_small_next(&t, loss, &f, &line, &why)) == TM_ST_OK) {
			st = take_row(c, &t, &scratch, f);
			if (st == TM_ST_FATAL) {
				tm_diag_oom(&why);
				break;
			}
			taken += st == TM_ST_OK;
			loss->rows += st == TM_ST_OK;
			if (st == TM_ST_SKIP)
				tm_loss_line(loss, TM_LOSS_LINE_MALFORMED, line);
		}
	c->of_table = false;
	tm_csv_small_fini(&t);
	tm_buf_fini(&scratch);
	if (st == TM_ST_END)
		return TM_ST_OK;
	*d = why;
	if (why.status == TM_ST_NOMEM)
		return TM_ST_FATAL;
	return taken ? TM_ST_WARN : TM_ST_SKIP;
}

void tm_lib_calls_fini(struct tm_lib_calls *c)
{
	for (int i = 0; i < TM_CALL_KINDS; i++) {
		tm_names_fini(&c->set[i].texts);
		free(c->set[i].calls);
		free(c->set[i].tabled);
	}
	free(c->job);
	free(c->date);
	free(c->model);
	free(c->order);
	*c = (struct tm_lib_calls) { 0 };
}
