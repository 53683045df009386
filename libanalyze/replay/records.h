/* SPDX-License-Identifier: MIT
 * Finds the event that a wait waits for.  At one place, a program always waits for the event that
 * its thread recorded a fixed number of records before; so that number is determined from all waits
 * of a place together, since a single one could be for any operation that ended meanwhile. */
#ifndef REPLAY_RECORDS_H
#define REPLAY_RECORDS_H

#include "replay/graph.h"

#include <stdbool.h>
#include <stdint.h>

enum { TM_RECORDS = 64 };

/* What is known of one number of records back: how often its operation ended after the wait, ended
 * during it, and how long before its end; had ended before a short one. */
struct record_back {
	uint32_t refuted, hits, idle;
	double sum, squares;
};

/* A place: thread, function, the calls before and after. */
struct record_place {
	struct record_back back[TM_RECORDS];
	uint32_t waits;
	uint32_t best;     /* number of records back, 0 = not known */
	uint64_t possible; /* the others that are as likely, one bit each */
};

struct record_places {
	struct tm_groups keys;
	struct record_place *v;
	size_t cap;
};

/* A wait that is not longer than this may have found its event happened. */
enum { TM_RECORDS_SHORT_NS = 3000 };

/* Note a wait for an event.  False when out of memory. */
bool tm_records_note(struct record_places *s, const struct making *m, uint32_t call);

/* After all: what each place waits for.  `usual`: how long other waits take to return in the
 * median; 0 = not known. */
void tm_records_settle(struct record_places *s, uint64_t usual);

/* The operation whose event a call waits for, by what is known of its place; NONE = not known. */
uint32_t tm_records_op(const struct record_places *s, const struct making *m, uint32_t call);

/* The operations as likely, of other numbers of records, up to `cap`; how many. */
unsigned tm_records_possible(const struct record_places *s, const struct making *m, uint32_t call,
                             uint32_t *op, unsigned cap);

void tm_records_fini(struct record_places *s);

#endif
