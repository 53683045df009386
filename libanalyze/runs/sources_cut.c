/* SPDX-License-Identifier: MIT
 * Parts of one table with a row for each counter, cut between the rows of a dispatch: each part has
 * that dispatch, which would count twice, and only some of its counters.
 *
 * No two executions of a program give a dispatch the same times, so that is what tells. */
#include "runs/sources_parts.h"

#include <stdlib.h>
#include <string.h>

/* An execution of a dispatch, and the trace that has it. */
struct in_part {
	uint64_t exact;
	size_t trace;
};

static int by_exact(const void *pa, const void *pb)
{
	const struct in_part *a = pa, *b = pb;

	if (a->exact != b->exact)
		return a->exact > b->exact ? 1 : -1;
	return (a->trace > b->trace) - (a->trace < b->trace);
}

/* May it be a part, and do its dispatches count? */
static bool may_be_part(const struct source_trace *t)
{
	return tm_sources_counts(t) && t->s->part[TM_PART_COUNTER].rows &&
	       !(t->leave & TM_PART_BIT(TM_DOMAIN_KERNEL));
}

/* Would both count for what they share, unasked?  Of a run one source does, and RANK=FILE keeps
 * ranks apart whatever is in them. */
static bool both_count(const struct sources_of *o, const struct source_trace *a,
                       const struct source_trace *b)
{
	const struct source_unit *x = &o->unit[o->source[a->source].unit];
	const struct source_unit *y = &o->unit[o->source[b->source].unit];
	const bool given = x->rule == TM_RANK_GIVEN && y->rule == TM_RANK_GIVEN;

	return x->run != y->run && !(given && tm_sources_other_ranks(x, y)) &&
	       !strcmp(a->s->id.format, b->s->id.format) && !strcmp(a->s->id.table, b->s->id.table);
}

/* The least pair of traces that share any: hashes have another order each time.  False: none do. */
static bool find_pair(const struct sources_of *o, const struct in_part *v, size_t n, size_t *one,
                      size_t *other)
{
	bool found = false;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && v[end].exact == v[i].exact; end++) {
			size_t a = v[end - 1].trace, b = v[end].trace;

			if (!both_count(o, &o->trace[a], &o->trace[b]) ||
			    (found && (a > *one || (a == *one && b >= *other))))
				continue;
			found = true;
			*one = a;
			*other = b;
		}
	}
	return found;
}

bool tm_sources_refuse_cut(struct sources_of *o)
{
	struct in_part *v;
	size_t n = 0, k = 0, one = 0, other = 0;

	for (size_t i = 0; i < o->n; i++)
		n += may_be_part(&o->trace[i]) ? o->trace[i].s->nexact : 0;
	v = malloc((n + 1) * sizeof *v);
	for (size_t i = 0; v && i < o->n; i++)
		for (size_t e = 0; may_be_part(&o->trace[i]) && e < o->trace[i].s->nexact; e++)
			v[k++] = (struct in_part) { o->trace[i].s->exact[e], i };
	if (v && n)
		qsort(v, n, sizeof *v, by_exact);
	if (v && find_pair(o, v, n, &one, &other)) {
		tm_report_add(o->rep, TM_SEV_ERROR, o->trace[other].s->id.path, 0,
		              "contains a dispatch that is also in %.300s, like parts of one "
		              "table; give the whole table",
		              o->trace[one].s->id.path);
		o->refused = true;
	}
	free(v);
	return v != NULL;
}
