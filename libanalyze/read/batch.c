/* SPDX-License-Identifier: MIT */
#include "read/batch.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------ */

/* Room for twice as many rows. */
static bool more_rows(struct tm_ev_rows *o)
{
	size_t cap = o->cap ? 2 * o->cap : TM_BATCH_ROWS;
	tm_ev_set *has = realloc(o->row_has, cap * sizeof *has);

	if (!has)
		return false;
	o->row_has = has;
	for (int c = 0; c < TM_EVC_N; c++) {
		uint64_t *p = o->col[c] ? realloc(o->col[c], cap * sizeof *p) : NULL;

		if (!p && o->col[c])
			return false;
		o->col[c] = p;
	}
	o->cap = cap;
	return true;
}

bool tm_ev_rows_add(struct tm_ev_rows *o, const struct tm_ev_row *row)
{
	enum tm_ev_col c;

	if (o->taken == o->n)
		o->taken = o->n = 0;
	if (o->n == o->cap && !more_rows(o))
		return false;
	TM_EV_EACH(c, row->has)
	{
		if (!o->col[c]) {
			o->col[c] = calloc(o->cap, sizeof *o->col[c]);
			if (!o->col[c])
				return false;
		}
		o->col[c][o->n] = row->v[c];
	}
	o->row_has[o->n++] = row->has;
	return true;
}

const struct tm_batch *tm_ev_rows_take(struct tm_ev_rows *o, const struct tm_names *names)
{
	size_t left = tm_ev_rows_n(o);

	o->b.names = names;
	o->b.n = (uint32_t)(left < TM_BATCH_ROWS ? left : TM_BATCH_ROWS);
	o->b.row_has = o->row_has ? o->row_has + o->taken : NULL;
	for (int c = 0; c < TM_EVC_N; c++)
		o->b.col[c] = o->col[c] ? o->col[c] + o->taken : NULL;
	o->b.has = o->b.n ? ~(tm_ev_set)0 : 0;
	o->b.some = 0;
	for (uint32_t i = 0; i < o->b.n; i++) {
		o->b.has &= o->b.row_has[i];
		o->b.some |= o->b.row_has[i];
	}
	o->taken += o->b.n;
	return &o->b;
}

enum tm_status tm_ev_rows_next(struct tm_ev_rows *out, size_t n, const struct tm_names *names,
                               const struct tm_diag *why, const struct tm_batch **b,
                               struct tm_diag *d)
{
	struct tm_ev_rows *fullest = out;

	for (size_t i = 1; i < n; i++)
		if (tm_ev_rows_n(&out[i]) > tm_ev_rows_n(fullest))
			fullest = &out[i];
	if (tm_ev_rows_n(fullest)) {
		*b = tm_ev_rows_take(fullest, names);
		return TM_ST_OK;
	}
	if (why && d)
		*d = *why;
	return why ? TM_ST_FATAL : TM_ST_END;
}

void tm_ev_rows_fini(struct tm_ev_rows *o)
{
	for (int c = 0; c < TM_EVC_N; c++)
		free(o->col[c]);
	free(o->row_has);
	*o = (struct tm_ev_rows) { 0 };
}

void tm_ev_rows_fini_all(struct tm_ev_rows *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tm_ev_rows_fini(&out[i]);
}
