/* SPDX-License-Identifier: MIT
 * The ranges of one thread, and which of them hold a point in time, innermost first.
 *
 * A range lies inside another when that holds it wholly.  Ranges of push and pop nest; those of start and
 * stop may overlap without either holding the other: then both hold the instants they share, the one
 * that began later counts as the inner one there, and neither is deeper than the other.  A range
 * without length (a mark) holds nothing, but lies inside others. */
#ifndef METRIC_REGION_TREE_H
#define METRIC_REGION_TREE_H

#include "agg/intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REGION_NONE UINT32_MAX

/* One range.  `below` is the one that began last before it and was still open. */
struct region {
	uint64_t start, end;
	uint32_t below, depth; /* depth: how many hold it wholly, one inside the other */
	uint32_t name, group;  /* group: for the caller */
};

/* So many ranges open at a time are looked at, the last begun first: what nests deeper is a crafted trace. */
enum { REGION_OPEN = 256 };

struct region_tree {
	struct region *v; /* by start, the longer first */
	size_t n;
	bool deep; /* there were more than REGION_OPEN at a time: outer ones are missed */
};

/* The ranges of a sorted, named list.  False when out of memory. */
bool region_tree_init(struct region_tree *t, const struct intervals *s);

/* Those of n trees as if they were of one thread, with the groups and depths they have.  False when out
 * of memory. */
bool region_tree_join(struct region_tree *t, const struct region_tree *from, size_t n);

/* Free it; {0} again. */
void region_tree_fini(struct region_tree *t);

/* A walk over the ranges that hold one instant. */
struct region_walk {
	struct region_tree *tree;
	uint64_t at;
	uint32_t next;
	unsigned left;
};

/* Begin a walk at that instant. */
struct region_walk region_walk(struct region_tree *t, uint64_t at);

/* The next outer one, or NULL. */
struct region *region_next(struct region_walk *w);

#endif
