/* SPDX-License-Identifier: MIT
 * The parts of a trace that are taken or left apart from each other, where several files hold the
 * same run: the events of each domain, and what is no event of a domain. */
#ifndef TM_STREAM_PARTS_H
#define TM_STREAM_PARTS_H

#include "model/model.h"

#include <stdbool.h>
#include <stdint.h>

enum trace_part {
	/* up to here enum domain */
	PART_COUNTER = DOMAIN_N, /* counters of dispatches */
	PART_SERIES,             /* samples of a counter over time */
	PART_SAMPLE,             /* program-counter samples */
	PART_AGENT,
	PART_STAT, /* rows of statistics files, of any domain */
	TRACE_PARTS,
};

#define PART_BIT(p) (UINT32_C(1) << (p))
#define PARTS_ALL   (PART_BIT(TRACE_PARTS) - 1)

/* The columns that tell a row's part. */
#define PART_WANT (EV_BIT(EVC_NAME) | EV_BIT(EVC_DOMAIN) | EV_BIT(EVC_COUNTER))

/* The part that row i belongs to. */
enum trace_part part_of_row(const struct batch *b, uint32_t i);

/* "kernel", "copy" ... "counter", "samples"; never NULL. */
const char *part_text(enum trace_part p);

/* Rows of a batch without those that are not to be taken; {0} before the first. */
struct sieve {
	struct batch b;
	ev_set *room;
};

/* The batch without the rows of the parts `leave`, and, if `untimed`, without the times of counters
 * of dispatches.  It may be b itself; NULL: no row is left.  Valid until the next call.  False when
 * out of memory. */
bool sieve_batch(struct sieve *s, const struct batch *b, uint32_t leave, bool untimed,
                 const struct batch **out);

/* Free it; {0} again. */
void sieve_fini(struct sieve *s);

#endif
