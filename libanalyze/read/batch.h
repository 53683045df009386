/* SPDX-License-Identifier: MIT
 * Batches built row by row: for readers of what has no columns of its own. */
#ifndef TM_READ_BATCH_H
#define TM_READ_BATCH_H

#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TM_SMALL_MAX = 256 * 1024 * 1024 }; /* bytes of an input that is read whole */

/* A field of a row, without its quotes.  p is not NULL. */
struct tm_small_field {
	const char *p;
	size_t n;
};

/* One event being put together: {0}, then tm_ev_put for what there is. */
struct tm_ev_row {
	tm_ev_set has;
	uint64_t v[TM_EVC_N];
};

static inline void tm_ev_put(struct tm_ev_row *row, enum tm_ev_col c, uint64_t v)
{
	row->has |= TM_EV_BIT(c);
	row->v[c] = v;
}

/* Rows being collected, and given out in batches.  {0} with b.kind set is valid and empty. */
struct tm_ev_rows {
	struct tm_batch b; /* what is given out; kind is the caller's */
	/* private */
	tm_ev_set *row_has;
	uint64_t *col[TM_EVC_N]; /* n rows, of which `taken` were given out */
	size_t n, taken, cap;
};

/* Append; false when out of memory.  There may be more rows than a batch holds: those of one event
 * that has many.  Readers stop at a batch. */
bool tm_ev_rows_add(struct tm_ev_rows *o, const struct tm_ev_row *row);

/* Rows that were not taken yet. */
static inline size_t tm_ev_rows_n(const struct tm_ev_rows *o)
{
	return o->n - o->taken;
}

/* Is there any in n of them? */
static inline bool tm_ev_rows_any(const struct tm_ev_rows *o, size_t n)
{
	while (n && !tm_ev_rows_n(&o[n - 1]))
		n--;
	return n > 0;
}

/* Has each of out[0 .. n) room for that many rows? */
static inline bool tm_ev_rows_room(const struct tm_ev_rows *out, size_t n, uint32_t rows)
{
	for (size_t i = 0; i < n; i++)
		if (tm_ev_rows_n(&out[i]) > TM_BATCH_ROWS - rows)
			return false;
	return true;
}

/* The first rows not taken yet, as many as a batch holds, valid until the next tm_ev_rows_add. */
const struct tm_batch *tm_ev_rows_take(struct tm_ev_rows *o, const struct tm_names *names);

/* How a reader's `next` ends, when a batch is full or nothing more can be read: the fullest of
 * out[0 .. n), of several the first, in *b and TM_ST_OK; when all are empty TM_ST_END, or
 * TM_ST_FATAL with *why in *d where `why`, what the reader died of, is not NULL. */
enum tm_status tm_ev_rows_next(struct tm_ev_rows *out, size_t n, const struct tm_names *names,
                               const struct tm_diag *why, const struct tm_batch **b,
                               struct tm_diag *d);

/* Free those of out[0 .. n). */
void tm_ev_rows_fini_all(struct tm_ev_rows *out, size_t n);

/* Free it. */
void tm_ev_rows_fini(struct tm_ev_rows *o);

#endif
