/* SPDX-License-Identifier: MIT */
#include "read/library/lib_calls.h"

#include "base/base.h"
#include "read/batch.h"
#include "read/csv/csv.h"

#include <stdlib.h>
#include <string.h>

const char *const call_words[] = {
	[CALL_ROCBLAS] = "rocblas",
	[CALL_HIPBLASLT] = "hipblaslt",
	[CALL_ROCBLAS_FUNCTION] = "rocblas_function",
	[CALL_MIOPEN] = "miopen",
	[CALL_TENSILE] = "tensile",
	[CALL_HIPBLASLT_FUNCTION] = "hipblaslt_function",
	[CALL_MIOPEN_FIND] = "miopen_find",
	[CALL_RCCL] = "rccl",
	[CALL_ROCBLAS_TRACE] = "rocblas_trace",
	[CALL_KINDS] = NULL,
};

enum lib_call_kind call_find(const char *s, size_t n)
{
	int i = 0;

	while (i < CALL_KINDS && (strlen(call_words[i]) != n || memcmp(call_words[i], s, n) != 0))
		i++;
	return (enum lib_call_kind)i;
}

enum status lib_calls_add(struct lib_calls *c, enum lib_call_kind kind, const char *text, size_t n,
                          uint64_t calls)
{
	struct call_set *set = &c->set[kind];
	uint32_t before = set->texts.n, id = names_add(&set->texts, text, n);

	if (id == NAME_NONE ||
	    !grow_array(&set->calls, &set->cap, (size_t)id + 1, sizeof *set->calls))
		return ST_FATAL;
	if (id == before)
		set->calls[id] = 0;
	if (calls > UINT64_MAX - set->calls[id])
		return ST_SKIP;
	set->calls[id] += calls;
	return ST_OK;
}

bool lib_calls_count(const char *text, size_t n, size_t *front, uint64_t *count, const char **rest)
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
	return num_u64(digits, (size_t)(stop - digits), count);
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

bool lib_calls_is_table(const unsigned char *p, size_t n, bool whole)
{
	return csv_small_bid(binds, BINDS, p, n, whole) != 0;
}

/* What all rows so far have in a column; false when out of memory. */
static bool keep_common(const struct lib_calls *c, char **common, const struct csv_small *t,
                        const struct small_field *f, size_t bind)
{
	const char *p = csv_small_has(t, bind) ? f[bind].p : "";
	size_t n = csv_small_has(t, bind) ? f[bind].n : 0;

	if (c->has_rows && strlen(*common) == n && !memcmp(*common, p, n))
		return true;
	if (c->has_rows)
		n = 0;
	free(*common);
	*common = strndup(p, n);
	return *common != NULL;
}

/* One row.  ST_SKIP: it makes no sense. */
static enum status take_row(struct lib_calls *c, const struct csv_small *t, struct buf *scratch,
                            const struct small_field *f)
{
	enum lib_call_kind kind = call_find(f[B_LIBRARY].p, f[B_LIBRARY].n);
	const char *text = f[B_CONFIG].p, *rest;
	size_t n = f[B_CONFIG].n, front;
	uint64_t calls, each;

	if (kind == CALL_KINDS || !num_u64_any(f[B_CALLS].p, f[B_CALLS].n, &calls))
		return ST_SKIP;
	if ((kind == CALL_ROCBLAS_FUNCTION || kind == CALL_HIPBLASLT_FUNCTION) &&
	    lib_calls_count(text, n, &front, &each, &rest)) {
		if (__builtin_mul_overflow(calls, each, &calls))
			return ST_SKIP;
		buf_clear(scratch);
		buf_add(scratch, text, front);
		if (!buf_add(scratch, rest, n - (size_t)(rest - text)))
			return ST_FATAL;
		text = scratch->p;
		n = scratch->n;
	}
	if (!keep_common(c, &c->job, t, f, B_JOB) || !keep_common(c, &c->date, t, f, B_DATE) ||
	    !keep_common(c, &c->model, t, f, B_MODEL))
		return ST_FATAL;
	c->has_rows = true;
	if (kind == CALL_MIOPEN) {
		c->table_miopen_rows++;
		if (calls > c->table_miopen_most)
			c->table_miopen_most = calls;
	}
	return lib_calls_add(c, kind, text, n, calls);
}

enum status lib_calls_read(struct lib_calls *c, struct source *s, struct loss *loss, struct diag *d)
{
	static const int text[] = { B_CONFIG, -1 };
	struct csv_small t = { 0 };
	struct buf scratch = { 0 };
	const struct small_field *f;
	struct diag why = { 0 };
	enum status st = csv_small_open(&t, s, binds, BINDS, text, &why);
	uint64_t line, taken = 0;

	c->table_miopen_rows = c->table_miopen_most = 0;
	if (st == ST_OK)
		while ((st = csv_small_next(&t, loss, &f, &line, &why)) == ST_OK) {
			st = take_row(c, &t, &scratch, f);
			if (st == ST_FATAL) {
				diag_oom(&why);
				break;
			}
			taken += st == ST_OK;
			loss->rows += st == ST_OK;
			if (st == ST_SKIP && !loss->malformed++)
				loss->malformed_line = line;
		}
	csv_small_fini(&t);
	buf_fini(&scratch);
	if (st == ST_END)
		return ST_OK;
	*d = why;
	if (why.status == ST_NOMEM)
		return ST_FATAL;
	return taken ? ST_WARN : ST_SKIP;
}

void lib_calls_fini(struct lib_calls *c)
{
	for (int i = 0; i < CALL_KINDS; i++) {
		names_fini(&c->set[i].texts);
		free(c->set[i].calls);
	}
	free(c->job);
	free(c->date);
	free(c->model);
	*c = (struct lib_calls) { 0 };
}
