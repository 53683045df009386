/* SPDX-License-Identifier: MIT
 * Passes of several scenarios at once.  The graph is traversed once for all of them, and what each
 * instant waits for is looked up once; times of one instant are adjacent in memory.
 *
 * Nearly all instants wait for recent ones, whose times are in a ring.  Times of instants that a
 * much later one waits for are kept separately, so that passes take little memory however long the
 * graph is. */
#ifndef REPLAY_WIDE_H
#define REPLAY_WIDE_H

#include "replay/pass.h"
#include "replay/share.h"

enum { WIDE = 8 };

/* Lengths and times of a graph are below that, so that sums of two and more have room. */
#define TM_WIDE_MOST (UINT64_C(1) << 61)

/* Instants of a rank whose times are kept: one bit each, and how many there are before each 64. */
struct wide_kept {
	uint64_t *is;
	uint32_t *before;
	uint32_t n;
};

/* What passes over one graph have in common. */
struct wide_map {
	const struct tm_replay *r;
	uint32_t size;          /* of a ring: a power of two */
	struct wide_kept *kept; /* of each rank */
};

/* `keep`: pairs of rank and instant whose times are asked for, nkeep of them; TM_REPLAY_NONE =
 * none.  False when out of memory. */
bool tm_wide_map_init(struct wide_map *m, const struct tm_replay *r, uint32_t (*keep)[2],
                      size_t nkeep);
void tm_wide_map_fini(struct wide_map *m);

/* Passes of up to WIDE scenarios, of one level and way. */
struct wide {
	struct wide *next; /* the caller's */
	const struct wide_map *map;
	int64_t **ring, **kept; /* of each rank */
	uint32_t *nkept;        /* those kept so far */
	int64_t *arrival;       /* of each collective */
	int64_t (*last)[WIDE];  /* of each rank: its last instant */
	uint32_t *at, *left;
	uint8_t *touched; /* of each name: who may give it another length, a bit of each scenario */
	uint8_t *one;     /* the same of one */
	uint64_t differs[WIDE];             /* bits in which any time is not the recorded one */
	uint64_t **start[WIDE], **ns[WIDE]; /* of each rank: of operations, or NULL */
	uint64_t *was;                      /* lengths of one rank before */
	struct share_machine *machine;

	/* the scenarios: unused ones are as the first */
	struct pass pass[WIDE];
	int level;
	enum way way;
	int64_t blind[WIDE];                   /* -1 = every latency is the usual one */
	unsigned host, calls, launch, lengths; /* scenarios that change those, a bit each */
};

struct wide *tm_wide_new(const struct wide_map *m);
void tm_wide_free(struct wide *w);

/* Room for starts and lengths of operations of the first n scenarios; false when out of memory. */
bool tm_wide_lengths(struct wide *w, unsigned n);

/* Can a pass be one of several?  Factors that make things longer may add up to more than 64 bits,
 * which is for tm_replay_pass to see to. */
bool tm_wide_can(const struct tm_replay *r, const struct tm_replay_scenario *s);

/* Take up n scenarios: w->pass[0 .. n - 1] are set. */
void tm_wide_begin(struct wide *w, unsigned n);

/* One pass of all of them: w->last, w->differs, and w->start where there is room.  False when a
 * time is too large. */
bool tm_wide_pass(struct wide *w);

/* The time of an instant that was asked for. */
uint64_t tm_wide_time(const struct wide *w, unsigned scenario, uint32_t rank, uint32_t i);

#endif
