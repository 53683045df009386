/* SPDX-License-Identifier: MIT
 * The ranges of a thread: which lie inside which, and which of them are open at an instant,
 * innermost first.
 *
 * A range lies inside another when that holds it wholly.  Ranges of push and pop nest; those of
 * start and stop may overlap without either holding the other: then both hold the instants they
 * share, the one that began later counts as the inner one there, and neither is deeper than the
 * other.  A range without length (a mark) holds nothing, but lies inside others.
 *
 * A range takes no more memory than it does in its list (agg/intervals.h): the tag becomes the
 * place of the range that began last before it and was still open. */
#ifndef TM_WORK_REGION_OPEN_H
#define TM_WORK_REGION_OPEN_H

#include "agg/agg.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REGION_NONE UINT32_MAX

/* So many ranges open at a time are looked at, the last begun first: what nests deeper is a crafted
 * trace. */
enum { REGION_OPEN = 256 };

/* The ranges that are open, innermost first: their names, and when they began. */
struct regions_open {
	uint32_t name[REGION_OPEN];
	uint64_t start[REGION_OPEN];
	size_t n;
	bool deep; /* there were more than REGION_OPEN at some time: outer ones are missed; never
	              reset */
};

/* Link a sorted list (agg/intervals.h; of ranges with the same ends, the last one becomes the
 * outermost). Those that begin together change places: the longest first.  False when there are
 * REGION_NONE or more. */
bool regions_link(struct intervals *s);

/* The range that holds range i of a linked list wholly, the innermost of them; REGION_NONE = none.
 */
uint32_t region_around(const struct intervals *s, uint32_t i, bool *deep);

/* Those of a linked list that are open at this instant. */
void regions_at(const struct intervals *s, uint64_t at, struct regions_open *out);

/* ---- of several lists together, at instants that never go back ---- */

/* A range that has begun. */
struct region_begun {
	uint64_t start, end;
	uint32_t name;
	uint32_t below; /* the one that began before it; of unused ones the next */
};

struct region_sweep {
	struct merged next; /* those that have not */
	struct region_begun *begun;
	size_t nbegun, cap;
	uint32_t last, unused; /* REGION_NONE = none */
};

/* Over n linked lists; NULL stands for an empty one.  Of ranges with the same ends in several
 * lists, the one whose order[name] is highest is the outermost, as in a list that was sorted by it.
 * All of that must outlive it.  False when out of memory. */
bool region_sweep_init(struct region_sweep *w, const struct intervals *const *list, size_t n,
                       const uint32_t *order);

/* Those that are open at this instant, which is none before the one asked of last.  False when out
 * of memory. */
bool region_sweep_at(struct region_sweep *w, uint64_t at, struct regions_open *out);

/* Free it; {0} again. */
void region_sweep_fini(struct region_sweep *w);

#endif
