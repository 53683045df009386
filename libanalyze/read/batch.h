/* SPDX-License-Identifier: MIT
 * Batches built row by row, for readers of formats without columns. */
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

/* An event under construction: {0}, then tm_ev_put for each value. */
struct tm_ev_row {
	tm_ev_set has;
	uint64_t v[TM_EVC_N];
};

static inline void tm_ev_put(struct tm_ev_row *row, enum tm_ev_col c, uint64_t v)
{
	row->has |= TM_EV_BIT(c);
	row->v[c] = v;
}

/* Collects rows and returns them in batches.  {0} with b.kind set is valid and empty. */
struct tm_ev_rows {
	struct tm_batch b; /* what is given out; kind is the caller's */
	/* private */
	tm_ev_set *row_has;
	uint64_t *col[TM_EVC_N]; /* n rows, of which `taken` were given out */
	size_t n, taken, cap;
};

/* Append a row; false when out of memory.  There may be more rows than fit a batch, if one event
 * has many.  Readers stop at a batch. */
bool tm_ev_rows_add(struct tm_ev_rows *o, const struct tm_ev_row *row);

/* Number of rows not taken yet. */
static inline size_t tm_ev_rows_n(const struct tm_ev_rows *o)
{
	return o->n - o->taken;
}

/* Are there rows in any of n collections? */
static inline bool tm_ev_rows_any(const struct tm_ev_rows *o, size_t n)
{
	while (n && !tm_ev_rows_n(&o[n - 1]))
		n--;
	return n > 0;
}

/* Has each of out[0 .. n) room for that many rows in its batch? */
static inline bool tm_ev_rows_room(const struct tm_ev_rows *out, size_t n, uint32_t rows)
{
	for (size_t i = 0; i < n; i++)
		if (tm_ev_rows_n(&out[i]) > TM_BATCH_ROWS - rows)
			return false;
	return true;
}

/* Take the next batch of rows, valid until the next tm_ev_rows_add. */
const struct tm_batch *tm_ev_rows_take(struct tm_ev_rows *o, const struct tm_names *names);

/* The end of a reader's `next`, when a batch is full or nothing more can be read: sets *b to a
 * batch of the fullest of out[0 .. n), of several the first, and returns TM_ST_OK.  If all are
 * empty, TM_ST_END, or TM_ST_FATAL with *why in *d if `why`, the reader's fatal error, is not
 * NULL. */
enum tm_status tm_ev_rows_next(struct tm_ev_rows *out, size_t n, const struct tm_names *names,
                               const struct tm_diag *why, const struct tm_batch **b,
                               struct tm_diag *d);

/* Free those of out[0 .. n). */
void tm_ev_rows_fini_all(struct tm_ev_rows *out, size_t n);

/* Free it. */
void tm_ev_rows_fini(struct tm_ev_rows *o);

#endif
