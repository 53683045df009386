/* SPDX-License-Identifier: MIT
 * Inside of aligning: clocks as nodes, what two of them have in common as edges. */
#ifndef METRIC_PRIV_ALIGN_H
#define METRIC_PRIV_ALIGN_H

#include "agg/end_match.h"
#include "metric/align.h"

/* One clock: the inputs that count it. */
struct align_node {
	const struct align_input *any; /* an input of it: of the lowest rank */
	const char *host;              /* NULL = unknown */
	struct realtime realtime;      /* of all its inputs together */
	struct clock_line line;        /* onto the common clock */
	bool reached;                  /* there is a way to the common clock; for those: */
	size_t edge, parent;           /* the edge to the next node on that way, SIZE_MAX = none */
};

/* What the collectives of two clocks say. */
struct align_edge {
	size_t a, b; /* nodes; the fit is from a to b */
	struct line_fit fit;
	uint64_t matched;
	uint64_t more_ns; /* to be added to the error of the fit */
	bool loose;       /* struct end_match */
	bool by_order;    /* matched by order only */
};

struct align_set {
	const struct align_facts *f;
	struct store *store;
	size_t *node; /* of each input; SIZE_MAX = it has no times */
	struct align_node *nodes;
	size_t nnodes;
	size_t *speaker; /* inputs that speak for a rank on a clock, by rank and node */
	size_t nspeakers;
	struct align_edge *edge;
	size_t nedges, edges_cap;
};

/* All edges between clocks, and the way from each to the common one.  ST_SKIP with *d when some have
 * none. */
enum status align_by_ends(struct align_set *s, struct diag *d);

/* align_match.c: the edges of all clocks that have collectives in common; *why is the reason of the
 * first pair that has them and does not match, or empty.  ST_OK; ST_FATAL with *d. */
enum status align_match(struct align_set *s, struct diag *why, struct diag *d);

/* How far a time of a node may be off the common clock; with align_by_ends. */
uint64_t align_error(const struct align_set *s, size_t node, uint64_t t);

#endif
