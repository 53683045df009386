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

#define TM_REGION_NONE UINT32_MAX

/* So many ranges open at a time are looked at, the last begun first: what nests deeper is a crafted
 * trace. */
enum { TM_REGION_OPEN = 256 };

/* The ranges that are open, innermost first: their names, and when they began. */
struct tm_regions_open {
	uint32_t name[TM_REGION_OPEN];
	uint64_t start[TM_REGION_OPEN];
	size_t n;
	bool deep; /* there were more than TM_REGION_OPEN at some time: outer ones are missed; never
	              reset */
};

/* Link a sorted list (agg/intervals.h; of ranges with the same ends, the last one becomes the
 * outermost). Those that begin together change places: the longest first.  False when there are
 * TM_REGION_NONE or more. */
bool tm_regions_link(struct tm_intervals *s);

/* The range that holds range i of a linked list wholly, the innermost of them; TM_REGION_NONE =
 * none.
 */
uint32_t tm_region_around(const struct tm_intervals *s, uint32_t i, bool *deep);

/* Those of a linked list that are open at this instant. */
void tm_regions_at(const struct tm_intervals *s, uint64_t at, struct tm_regions_open *out);

/* ---- of several lists together, at instants that never go back ---- */

/* A range that has begun. */
struct tm_region_begun {
	uint64_t start, end;
	uint32_t name;
	uint32_t below; /* the one that began before it; of unused ones the next */
};

struct tm_region_sweep {
	struct tm_merged next; /* those that have not */
	struct tm_region_begun *begun;
	size_t nbegun, cap;
	uint32_t last, unused; /* TM_REGION_NONE = none */
};

/* Over n linked lists; NULL stands for an empty one.  Of ranges with the same ends in several
 * lists, the one whose order[name] is highest is the outermost, as in a list that was sorted by it.
 * All of that must outlive it.  False when out of memory. */
bool tm_region_sweep_init(struct tm_region_sweep *w, const struct tm_intervals *const *list,
                          size_t n, const uint32_t *order);

/* Those that are open at this instant, which is none before the one asked of last.  False when out
 * of memory. */
bool tm_region_sweep_at(struct tm_region_sweep *w, uint64_t at, struct tm_regions_open *out);

/* Free it; {0} again. */
void tm_region_sweep_fini(struct tm_region_sweep *w);

#endif
