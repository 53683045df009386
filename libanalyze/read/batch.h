/* SPDX-License-Identifier: MIT
 * Batches built row by row: for readers of what has no columns of its own. */
#ifndef TM_READ_BATCH_H
#define TM_READ_BATCH_H

#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SMALL_MAX = 256 * 1024 * 1024 }; /* bytes of an input that is read whole */

/* A field of a row, without its quotes.  p is not NULL. */
struct small_field {
	const char *p;
	size_t n;
};

/* One event being put together: {0}, then ev_put for what there is. */
struct ev_row {
	ev_set has;
	uint64_t v[EVC_N];
};

static inline void ev_put(struct ev_row *row, enum ev_col c, uint64_t v)
{
	row->has |= EV_BIT(c);
	row->v[c] = v;
}

/* Rows being collected, and given out in batches.  {0} with b.kind set is valid and empty. */
struct ev_rows {
	struct batch b; /* what is given out; kind is the caller's */
	/* private */
	ev_set *row_has;
	uint64_t *col[EVC_N]; /* n rows, of which `taken` were given out */
	size_t n, taken, cap;
};

/* Append; false when out of memory.  There may be more rows than a batch holds: those of one event
 * that has many.  Readers stop at a batch. */
bool ev_rows_add(struct ev_rows *o, const struct ev_row *row);

/* Rows that were not taken yet. */
static inline size_t ev_rows_n(const struct ev_rows *o)
{
	return o->n - o->taken;
}

/* Has each of out[0 .. n) room for that many rows? */
static inline bool ev_rows_room(const struct ev_rows *out, size_t n, uint32_t rows)
{
	for (size_t i = 0; i < n; i++)
		if (ev_rows_n(&out[i]) > BATCH_ROWS - rows)
			return false;
	return true;
}

/* The first rows not taken yet, as many as a batch holds, valid until the next ev_rows_add. */
const struct batch *ev_rows_take(struct ev_rows *o, const struct names *names);

/* How a reader's `next` ends, when a batch is full or nothing more can be read: the fullest of
 * out[0 .. n), of several the first, in *b and ST_OK; when all are empty ST_END, or ST_FATAL with
 * *why in *d where `why`, what the reader died of, is not NULL. */
enum status ev_rows_next(struct ev_rows *out, size_t n, const struct names *names,
                         const struct diag *why, const struct batch **b, struct diag *d);

/* Free those of out[0 .. n). */
void ev_rows_fini_all(struct ev_rows *out, size_t n);

/* Free it. */
void ev_rows_fini(struct ev_rows *o);

#endif
