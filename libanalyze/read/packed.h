/* SPDX-License-Identifier: MIT
 * Rollups and names in a run.db of totals (tracemerge --stats-only): many of them packed in one
 * row, instead of rows of the tables rollup and name.
 *
 * Numbers are as tm_num_put_varint writes them.  Names are a frame of zstd: of each its length and
 * its bytes, till the end.  Rollups are how many they are, then the lengths of three frames of
 * zstd, then those: their heads, the sketches that hold every value, the other sketches.  A head:
 * bits (PACKED_* of packed.c), [domain: length and text], [name, as its distance from the one
 * before], [counter], [agent], then
 *     calls, if it has no times
 *     length of the sketch, if the sketch holds every value: the sums are those of the values
 *     calls, total, squares, min, max, length of the sketch otherwise
 * Sketches are those of table rollup. */
#ifndef TM_READ_PACKED_H
#define TM_READ_PACKED_H

#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sums of the events of one input with the same domain, name, counter and agent: a row of table
 * rollup in schemas/run.sql. */
struct tm_rollup {
	enum tm_domain domain;
	uint32_t name, counter; /* TM_NAME_NONE = none */
	bool has_agent, timed;
	uint64_t agent, calls;
	/* if timed: low words first, ns and ns^2 */
	uint64_t total[2], squares[3], min, max;
	const void *sketch; /* sketch_n bytes, borrowed */
	size_t sketch_n;
};

/* Parts that are packed separately, because each compresses well. */
enum { TM_ROLLUPS_HEADS, TM_ROLLUPS_VALUES, TM_ROLLUPS_BUCKETS, TM_ROLLUPS_PARTS };

/* ---- writing ---- */

/* Rollups to be packed; {0} is empty. */
struct tm_rollups_out {
	struct tm_buf part[TM_ROLLUPS_PARTS];
	uint64_t n;
	uint32_t name; /* of the last one */
	enum tm_domain domain;
};

/* Add one.  False when out of memory. */
bool tm_rollups_add(struct tm_rollups_out *o, const struct tm_rollup *r);

/* Number of bytes before packing. */
size_t tm_rollups_size(const struct tm_rollups_out *o);

/* Append all of them, at least one, packed, to *out; *o is empty again but keeps its memory.  False
 * when out of memory. */
bool tm_rollups_pack(struct tm_rollups_out *o, struct tm_buf *out);

/* Free it; {0} again. */
void tm_rollups_out_fini(struct tm_rollups_out *o);

/* Append a frame of names from `from` on to *out, as many as fit; *next is the first that is not in
 * it.  False when out of memory. */
bool tm_packed_names_put(const struct tm_names *names, uint32_t from, uint32_t *next,
                         struct tm_buf *out);

/* ---- reading ---- */

/* The rollups of a row; {0} is none. */
struct tm_rollups {
	unsigned char *plain[TM_ROLLUPS_PARTS];
	const unsigned char *at[TM_ROLLUPS_PARTS], *end[TM_ROLLUPS_PARTS];
	uint64_t left;
	uint32_t name;
	enum tm_domain domain;
	bool bad; /* they are damaged */
};

/* Open the packed rollups p[0..n) as *u, which is {0} or was used before.  False when out of
 * memory, or with u->bad. */
bool tm_rollups_open(struct tm_rollups *u, const void *p, size_t n);

/* The next rollup; its sketch lives as long as *u, and ids of names are not checked.  False when
 * there is none, or with u->bad. */
bool tm_rollups_next(struct tm_rollups *u, struct tm_rollup *r);

/* Free it; {0} again. */
void tm_rollups_fini(struct tm_rollups *u);

/* Add the names of the frame p[0..n) to *names.  False when out of memory, or (*bad) when it is
 * damaged or repeats a name. */
bool tm_packed_names_get(const void *p, size_t n, struct tm_names *names, bool *bad);

#endif
