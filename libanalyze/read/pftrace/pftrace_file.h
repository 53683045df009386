/* SPDX-License-Identifier: MIT
 * A pftrace as a file: windows over its bytes, packets in them, and ranges that are read
 * separately.
 *
 *   pftrace.c        windows, packets, and the reader of a whole file
 *   pftrace_split.c  ranges of a file, for threads of their own */
#ifndef TM_READ_PFTRACE_PFTRACE_FILE_H
#define TM_READ_PFTRACE_PFTRACE_FILE_H

#include "io/io.h"
#include "read/pftrace/pftrace_parts.h"

/* The packet before this one, where a range may end. */
enum pf_edge { PF_EDGE_NONE, PF_EDGE_END, PF_EDGE_OTHER };

struct pf_ranges;

struct tm_window {
	unsigned char *p; /* cap bytes and WIRE_PAD */
	size_t cap, at, end;
	uint64_t base; /* place of p[0] in the input */
	bool eof;
	bool keep; /* what was read stays */
};

struct pftrace {
	struct pf f;
	struct tm_window in, bundle;
	bool inside;      /* packets come from the bundle */
	bool bundle_torn; /* it could not be unpacked to its end */
	struct tm_inflate *z;
	bool done, dead;
	struct pf_packet held; /* `holding`: of the next rank, until all of this one is given out */
	bool holding;
	struct pf_frame plain;

	/* of a range of the file (pftrace_split.c) */
	bool range;
	int fd;         /* it is read from here, at any place */
	uint64_t limit; /* it ends where it may, from this place on; UINT64_MAX = nowhere */
	uint64_t began, stopped;  /* where it does; UINT64_MAX = at the end of the file */
	bool bundled;             /* there were compressed packets */
	enum pf_edge edge;        /* what the last packet after `limit` was */
	struct pf_ranges *ranges; /* of all ranges, the file's; NULL = it is not read in ranges */
	bool broken;              /* the source gave no more: why */
	struct tm_diag why;
};

/* The next packet of a window: TM_ST_OK with *m and, in the file, its place in t->f.at; TM_ST_END;
 * TM_ST_FATAL when out of memory. */
enum tm_status tm_pf_frame(struct pftrace *t, struct tm_window *w, struct tm_span *m);

/* ---- ranges ---- */

/* May a file be read in ranges?  t was opened and not read. */
bool tm_pftrace_splits(const struct tm_reader *r);

/* See tm_reader_split. */
struct tm_reader *tm_pftrace_split(const struct tm_reader *r, int fd, uint64_t begin, uint64_t end,
                                   bool exact, struct tm_diag *d);

/* See tm_reader_joined. */
bool tm_pftrace_joined(struct tm_reader *r, struct tm_loss *loss);

/* The packet k at t->f.at, after t->limit: does the next range begin here?  Where none does for
 * long t->limit becomes UINT64_MAX.  Who ends a range and who begins the next ask it of the same
 * packets, and have the same answer. */
bool tm_pf_edge(struct pftrace *t, const struct pf_packet *k);

/* There, may this one end?  If not, it reads the file to its end. */
bool tm_pf_range_may_end(struct pftrace *t);

/* It has ended at that place of the file; UINT64_MAX: at the end of it.  False when out of memory.
 */
bool tm_pf_range_ended(struct pftrace *t, uint64_t at);

/* The window of a reader that is closed: another range may use it. */
void tm_pf_range_window(struct pftrace *t);

/* Memory for all ranges of a file; NULL when out of memory. */
struct pf_ranges *tm_pf_ranges_new(void);
void tm_pf_ranges_free(struct pf_ranges *g);

#endif
