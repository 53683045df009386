/* SPDX-License-Identifier: MIT
 * Can two runs be one, by what is known of them without their events? */
#include "runs/sources_parts.h"

#include <string.h>

bool tm_sources_other_ranks(const struct source_unit *a, const struct source_unit *b)
{
	return a->told && b->told && a->rank != b->rank;
}

/* What two traces say of their process: what is not recorded is not known. */
enum same { NOT_KNOWN, SAME, OTHER };

static enum same same_host(const struct source_trace *a, const struct source_trace *b)
{
	const char *x = a->s->id.host, *y = b->s->id.host;

	return !x || !y ? NOT_KNOWN : !strcmp(x, y) ? SAME : OTHER;
}

static enum same same_pid(const struct source_trace *a, const struct source_trace *b)
{
	const struct tm_groups *x = &a->s->pids, *y = &b->s->pids;

	for (uint32_t i = 0; i < x->n; i++)
		if (tm_groups_find(y, &x->key[i]) != TM_GROUP_NONE)
			return SAME;
	return x->n && y->n ? OTHER : NOT_KNOWN;
}

/* Of two units: the same if any of their traces say so. */
static enum same same_in(const struct sources_of *o, size_t a, size_t b,
                         enum same (*same)(const struct source_trace *,
                                           const struct source_trace *))
{
	enum same of_all = NOT_KNOWN;
	size_t end_a, end_b;

	for (size_t i = tm_sources_first(o, a, &end_a); i < end_a; i++)
		for (size_t k = tm_sources_first(o, b, &end_b); k < end_b; k++) {
			enum same of = same(&o->trace[i], &o->trace[k]);

			if (of == SAME)
				return SAME;
			of_all = of == OTHER ? OTHER : of_all;
		}
	return of_all;
}

/* Those of a picture may be made up. */
static enum same same_process(const struct sources_of *o, size_t a, size_t b)
{
	if (same_in(o, a, b, same_host) == OTHER)
		return OTHER;
	return o->unit[a].drawn || o->unit[b].drawn ? NOT_KNOWN : same_in(o, a, b, same_pid);
}

/* Has one format events of one domain in both?  Of a run it has each but once. */
static bool share_format(const struct sources_of *o, const struct source_unit *a,
                         const struct source_unit *b)
{
	for (size_t i = a->first; i < a->first + a->n; i++)
		for (size_t k = b->first; k < b->first + b->n; k++) {
			const struct tm_source *x = &o->source[i], *y = &o->source[k];

			for (int d = 0; d < TM_DOMAIN_DOMAINS && !x->drawn && !y->drawn; d++)
				if (x->part[d].rows && y->part[d].rows &&
				    !strcmp(x->format, y->format))
					return true;
		}
	return false;
}

bool tm_sources_same_process(const struct sources_of *o, size_t a, size_t b)
{
	return same_process(o, a, b) == SAME;
}

bool tm_sources_joinable(const struct sources_of *o, size_t a, size_t b)
{
	size_t i = a, k = b;

	do {
		do {
			const struct source_unit *x = &o->unit[i], *y = &o->unit[k];

			if (tm_sources_other_ranks(x, y) || share_format(o, x, y) ||
			    same_process(o, i, k) == OTHER)
				return false;
			k = y->next;
		} while (k != b);
		i = o->unit[i].next;
	} while (i != a);
	return true;
}
