/* SPDX-License-Identifier: MIT */
#include "stream/twice.h"

#include "base/buf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

unsigned twice_kinds(const struct batch *b)
{
	if (b->kind == EV_DISPATCH || b->kind == EV_COPY || b->kind == EV_STAT)
		return 1u << b->kind;
	/* Rollups stand for the events they are made of. */
	for (uint32_t i = 0; b->kind == EV_ROLLUP && i < b->n; i++)
		if (batch_has(b, i, EVC_DOMAIN) && b->col[EVC_DOMAIN][i] == DOMAIN_KERNEL &&
		    !batch_has(b, i, EVC_COUNTER))
			return 1u << EV_DISPATCH;
	return 0;
}

/* Files come in the order the workers have them: the least path stands for all of a run. */
static bool keep_least(char **at, const char *path)
{
	char *copy;

	if (!path || strcmp(path, *at) >= 0)
		return true;
	copy = strdup(path);
	if (!copy)
		return false;
	free(*at);
	*at = copy;
	return true;
}

static void rank_fini(struct twice_rank *r)
{
	free(r->run);
	free(r->path);
}

static bool note_rank(struct twice *t, const struct piece *p, unsigned kinds)
{
	bool by_hand = p->rule == RANK_GIVEN || p->rule == RANK_REGEX;
	struct twice_rank r;

	for (size_t i = 0; i < t->nrank; i++)
		if (t->rank[i].rank == p->rank && !strcmp(t->rank[i].run, p->run)) {
			t->rank[i].kinds |= kinds;
			t->rank[i].by_hand &= by_hand;
			return keep_least(&t->rank[i].path, p->path);
		}
	if (!grow_array(&t->rank, &t->rank_cap, t->nrank + 1, sizeof *t->rank))
		return false;
	r = (struct twice_rank) { .rank = p->rank,
		                  .run = strdup(p->run),
		                  .path = strdup(p->path ? p->path : ""),
		                  .kinds = kinds,
		                  .by_hand = by_hand };
	if (!r.run || !r.path) {
		rank_fini(&r);
		return false;
	}
	t->rank[t->nrank++] = r;
	return true;
}

bool twice_note(struct twice *t, const struct piece *p, unsigned kinds)
{
	return !kinds || !p->run || note_rank(t, p, kinds);
}

static int by_rank(const void *pa, const void *pb)
{
	const struct twice_rank *a = pa, *b = pb;

	if (a->rank != b->rank)
		return a->rank > b->rank ? 1 : -1;
	return strcmp(a->run, b->run);
}

/* Two of n runs of one rank that have the same kinds of work, and not because the user said so. */
static bool find_pair(const struct twice_rank *r, size_t n, size_t *one, size_t *other)
{
	static const enum ev_kind kinds[] = { EV_DISPATCH, EV_COPY, EV_STAT };

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		size_t first = SIZE_MAX;

		for (size_t i = 0; i < n; i++) {
			if (!(r[i].kinds & 1u << kinds[k]))
				continue;
			if (first == SIZE_MAX) {
				first = i;
			} else if (!r[first].by_hand || !r[i].by_hand) {
				*one = first;
				*other = i;
				return true;
			}
		}
	}
	return false;
}

void twice_tell(struct twice *t, struct report *rep)
{
	const struct twice_rank *first = NULL, *second = NULL;
	bool more = false;

	if (t->nrank)
		qsort(t->rank, t->nrank, sizeof *t->rank, by_rank);
	for (size_t i = 0, end; i < t->nrank; i = end) {
		size_t one, other;

		for (end = i + 1; end < t->nrank && t->rank[end].rank == t->rank[i].rank; end++)
			continue;
		if (!find_pair(t->rank + i, end - i, &one, &other))
			continue;
		if (first) {
			more = true;
			continue;
		}
		first = &t->rank[i + one];
		second = &t->rank[i + other];
	}
	if (!first)
		return;
	report_add(rep, SEV_NOTE, second->path, 0,
	           "another run of rank %" PRIu64
	           " next to %.200s: they are added up%s; use RANK=FILE to number processes",
	           first->rank, first->path, more ? ", as are those of more ranks" : "");
}

void twice_fini(struct twice *t)
{
	for (size_t i = 0; i < t->nrank; i++)
		rank_fini(&t->rank[i]);
	free(t->rank);
	*t = (struct twice) { 0 };
}
