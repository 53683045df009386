/* SPDX-License-Identifier: MIT
 * The parts of a trace that are used or ignored independently if several files have the same run:
 * the events of each domain, and everything that is not an event of a domain. */
#ifndef TM_STREAM_PARTS_H
#define TM_STREAM_PARTS_H

#include "model/model.h"

#include <stdbool.h>
#include <stdint.h>

enum tm_trace_part {
	/* up to here enum tm_domain */
	TM_PART_COUNTER = TM_DOMAIN_N, /* counters of dispatches */
	TM_PART_SERIES,                /* samples of a counter over time */
	TM_PART_SAMPLE,                /* program-counter samples */
	TM_PART_AGENT,
	TM_PART_STAT, /* rows of statistics files, of any domain */
	TM_TRACE_PARTS,
};

#define TM_PART_BIT(p) (UINT32_C(1) << (p))
#define TM_PARTS_ALL   (TM_PART_BIT(TM_TRACE_PARTS) - 1)

/* The columns that determine a row's part. */
#define TM_PART_WANT (TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_DOMAIN) | TM_EV_BIT(TM_EVC_COUNTER))

/* The part that row i belongs to. */
enum tm_trace_part tm_part_of_row(const struct tm_batch *b, uint32_t i);

/* "kernel", "copy" ... "counter", "samples"; never NULL. */
const char *tm_part_text(enum tm_trace_part p);

/* State for selecting rows of batches; {0} before the first. */
struct tm_sieve {
	struct tm_batch b;
	tm_ev_set *room;
};

/* A batch of the rows row[0..n), in that order, valid until the next call.  NULL when out of
 * memory. */
const struct tm_batch *tm_sieve_rows(struct tm_sieve *s, const struct tm_batch *b,
                                     const uint16_t *row, uint32_t n);

/* Make these columns absent in the last batch of tm_sieve_rows. */
void tm_sieve_forget(struct tm_sieve *s, tm_ev_set columns);

/* The batch without the rows of the parts `leave`, and, if `untimed`, without the times of counters
 * of dispatches.  It may be b itself; NULL: no row is left.  Valid until the next call.  False when
 * out of memory. */
bool tm_sieve_batch(struct tm_sieve *s, const struct tm_batch *b, uint32_t leave, bool untimed,
                    const struct tm_batch **out);

/* Free it; {0} again. */
void tm_sieve_fini(struct tm_sieve *s);

#endif
