/* SPDX-License-Identifier: MIT
 * Inside of aligning: clocks as nodes, what two of them have in common as edges. */
#ifndef TM_MERGE_ALIGN_PARTS_H
#define TM_MERGE_ALIGN_PARTS_H

#include "agg/agg.h"
#include "merge/align.h"

/* One clock: the inputs that count it. */
struct align_node {
	const struct tm_align_input *any; /* an input of it: of the lowest rank */
	const char *host;                 /* NULL = unknown */
	struct tm_realtime realtime;      /* of all its inputs together */
	struct tm_clock_line line;        /* onto the common clock */
	bool reached;                     /* there is a way to the common clock; for those: */
	size_t edge, parent; /* the edge to the next node on that way, SIZE_MAX = none */
};

/* What the collectives of two clocks say. */
struct align_edge {
	size_t a, b; /* nodes; the fit is from a to b */
	struct tm_line_fit fit;
	uint64_t matched;
	uint64_t more_ns; /* to be added to the error of the fit */
	bool loose;       /* struct tm_end_match */
	bool by_order;    /* matched by order only */
};

struct align_set {
	const struct tm_align_facts *f;
	struct tm_store *store;
	size_t *node; /* of each input; SIZE_MAX = it has no times */
	struct align_node *nodes;
	size_t nnodes;
	size_t *speaker; /* inputs that speak for a rank on a clock, by rank and node */
	size_t nspeakers;
	struct align_edge *edge;
	size_t nedges, edges_cap;
};

/* What is compared: all that have no communicator, those of one name, those of a communicator. */
enum { KEY_ALL = 0 };
#define KEY_NAME UINT64_C(1)
#define KEY_COMM (UINT64_C(1) << 40)
#define KEY_LOG  (UINT64_C(2) << 40)

/* The collectives of one key, on the agent that has most. */
struct run_of {
	uint64_t key;
	size_t from, n;
};

/* The collectives of an input. */
struct track {
	struct run_of *run; /* by key */
	size_t nruns;
	struct tm_end_op *op; /* by run and end */
	size_t n;
};

/* align_track.c: the collectives of an input; tm_track_fini afterwards.  TM_ST_OK; TM_ST_FATAL with
 * *d. */
enum tm_status tm_track_load(const struct align_set *s, const struct tm_align_input *in,
                             struct track *t, struct tm_diag *d);
void tm_track_fini(struct track *t);

/* Those of one key; NULL = there are none. */
const struct run_of *tm_run_find(const struct track *t, uint64_t key);

/* All edges between clocks, and the way from each to the common one.  TM_ST_SKIP with *d when some
 * have none. */
enum tm_status tm_align_by_ends(struct align_set *s, struct tm_diag *d);

/* align_match.c: the edges of all clocks that have collectives in common; *why is the reason of the
 * first pair that has them and does not match, or empty.  TM_ST_OK; TM_ST_FATAL with *d. */
enum tm_status tm_align_match(struct align_set *s, struct tm_diag *why, struct tm_diag *d);

/* The node of a speaker. */
size_t tm_align_node_of(const struct align_set *s, size_t speaker);

/* So many pairs, and a drift that none of all ranks shows by chance. */
static inline struct tm_end_rule tm_align_rule(const struct align_set *s, size_t fewest)
{
	return (struct tm_end_rule) { fewest, s->nspeakers };
}

/* Compare two speakers by all that only order tells: *best is a better edge than it was, or as it
 * was. TM_ST_OK; TM_ST_FATAL when out of memory. */
enum tm_status tm_align_by_order(const struct align_set *s, size_t hub, const struct track *h,
                                 size_t member, const struct track *m, struct align_edge *best);

/* An edge more, with the doubts that the clocks of its ends call for.  TM_ST_OK; TM_ST_FATAL when
 * out of memory. */
enum tm_status tm_align_add_edge(struct align_set *s, struct align_edge *e);

/* align_more.c: edges more, as long as some clocks are not surely connected.  TM_ST_OK; TM_ST_FATAL
 * with *d. */
enum tm_status tm_align_more(struct align_set *s, struct tm_diag *d);

/* The node that stands for those connected with i so far, by up[0 .. nodes). */
size_t tm_align_root(size_t *up, size_t i);

/* How far a time of a node may be off the common clock; with tm_align_by_ends. */
uint64_t tm_align_error(const struct align_set *s, size_t node, uint64_t t);

#endif
