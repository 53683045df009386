/* SPDX-License-Identifier: MIT
 * Shared by the files that sort time spans. */
#ifndef AGG_INTERVALS_ORDER_H
#define AGG_INTERVALS_ORDER_H

#include "agg/intervals.h"

#include <string.h>

enum sorter_by { BY_START, BY_TAG, BY_GROUP };

struct sorter {
	struct tm_intervals *s;
	enum sorter_by by; /* what counts first */
	const uint32_t *group, *order;
	/* All entries have one page: then the key is (word >> down) & mask of one half of each,
	 * without the high bits, which are those of all. */
	bool plain;
	unsigned half, down;
	uint64_t mask;
};

static inline uint64_t sorter_start(const struct tm_intervals *s, const struct tm_interval *v)
{
	return v->page < TM_INTERVAL_PAGES ? s->page[v->page].start | v->start
	                                   : s->wide[v->start].start;
}

static inline uint64_t sorter_tag(const struct tm_intervals *s, const struct tm_interval *v)
{
	return v->page < TM_INTERVAL_PAGES ? s->page[v->page].tag | v->tag : s->wide[v->start].tag;
}

static inline uint32_t sorter_name(const struct tm_intervals *s, const struct tm_interval *v)
{
	return v->page < TM_INTERVAL_PAGES ? (uint32_t)v->name : s->wide[v->start].name;
}

/* What counts first. */
static inline uint64_t sorter_key(const struct sorter *o, const struct tm_interval *v)
{
	uint64_t half;

	if (o->plain) {
		memcpy(&half, (const char *)v + o->half * sizeof half, sizeof half);
		return half >> o->down & o->mask;
	}
	return o->by == BY_START ? sorter_start(o->s, v)
	       : o->by == BY_TAG ? sorter_tag(o->s, v)
	                         : o->group[sorter_name(o->s, v)];
}

/* Compare what counts then, of entries whose keys are the same. */
int tm_sorter_rest(const struct sorter *o, const struct tm_interval *a,
                   const struct tm_interval *b);

/* A list of few runs, each in order but for entries that are a few places off: bring all of it in
 * order, with few more blocks than it has, for as long as that takes.  False: it is no such list,
 * or memory is short, and the entries are in whatever order. */
bool tm_sorter_merge_runs(const struct sorter *o);

/* The same of a list of few groups: those of a group stay in their order.  False: it is as it was.
 */
bool tm_sorter_deal_groups(const struct sorter *o);

/* Entries [from, from + n) in order, if they are one run: in place.  False as above. */
bool tm_sorter_is_run(const struct sorter *o, size_t from, size_t n);

#endif
