/* SPDX-License-Identifier: MIT */
#include "stream/twice.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

unsigned tm_twice_kinds(const struct tm_batch *b)
{
	if (b->kind == TM_EV_DISPATCH || b->kind == TM_EV_COPY || b->kind == TM_EV_STAT)
		return 1u << b->kind;
	/* Rollups stand for the events they are made of. */
	for (uint32_t i = 0; b->kind == TM_EV_ROLLUP && i < b->n; i++)
		if (tm_batch_has(b, i, TM_EVC_DOMAIN) &&
		    b->col[TM_EVC_DOMAIN][i] == TM_DOMAIN_KERNEL &&
		    !tm_batch_has(b, i, TM_EVC_COUNTER))
			return 1u << TM_EV_DISPATCH;
	return 0;
}

/* What that run has of that rank, added if new; NULL when out of memory. */
static struct tm_twice_rank *rank_of(struct tm_twice *t, uint64_t rank, const char *run)
{
	uint32_t had = t->keys.n, id;

	tm_buf_clear(&t->key);
	if (!tm_buf_add(&t->key, &rank, sizeof rank) || !tm_buf_str(&t->key, run) ||
	    !tm_grow_array(&t->rank, &t->rank_cap, t->keys.n + (size_t)1, sizeof *t->rank))
		return NULL;
	id = tm_names_add(&t->keys, t->key.p, t->key.n);
	if (id == TM_NAME_NONE)
		return NULL;
	if (t->keys.n > had)
		t->rank[id] = (struct tm_twice_rank) { .rank = rank,
			                               .run = t->keys.v[id].text + sizeof rank,
			                               .by_hand = true };
	return &t->rank[id];
}

static bool note_rank(struct tm_twice *t, const struct tm_piece *p, unsigned kinds)
{
	const char *path = p->id.path ? p->id.path : "";
	struct tm_twice_rank *r = rank_of(t, p->id.rank, p->id.run);

	if (!r)
		return false;
	r->kinds |= kinds;
	r->by_hand &= p->id.rule == TM_RANK_GIVEN || p->id.rule == TM_RANK_REGEX;
	/* Files come in the order the workers have them: the least path stands for all of a run. */
	if (!r->path || strcmp(path, r->path) < 0) {
		uint32_t id = tm_names_add(&t->paths, path, strlen(path));

		if (id == TM_NAME_NONE)
			return false;
		r->path = t->paths.v[id].text;
	}
	return true;
}

bool tm_twice_note(struct tm_twice *t, const struct tm_piece *p, unsigned kinds)
{
	return !kinds || !p->id.run || note_rank(t, p, kinds);
}

static int by_rank(const void *pa, const void *pb)
{
	const struct tm_twice_rank *a = pa, *b = pb;

	if (a->rank != b->rank)
		return a->rank > b->rank ? 1 : -1;
	return strcmp(a->run, b->run);
}

/* Two of n runs of one rank that have the same kinds of work, and not because the user said so. */
static bool find_pair(const struct tm_twice_rank *r, size_t n, size_t *one, size_t *other)
{
	static const enum tm_ev_kind kinds[] = { TM_EV_DISPATCH, TM_EV_COPY, TM_EV_STAT };

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

void tm_twice_tell(struct tm_twice *t, struct tm_report *rep)
{
	const struct tm_twice_rank *first = NULL, *second = NULL;
	size_t n = t->keys.n;
	bool more = false;

	if (n)
		qsort(t->rank, n, sizeof *t->rank, by_rank);
	for (size_t i = 0, end; i < n; i = end) {
		size_t one, other;

		for (end = i + 1; end < n && t->rank[end].rank == t->rank[i].rank; end++)
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
	tm_report_add(rep, TM_SEV_NOTE, second->path, 0,
	              "another run of rank %" PRIu64
	              " next to %.200s: they are added up%s; use RANK=FILE to number processes",
	              first->rank, first->path, more ? ", as are those of more ranks" : "");
}

void tm_twice_fini(struct tm_twice *t)
{
	tm_names_fini(&t->keys);
	tm_names_fini(&t->paths);
	free(t->rank);
	tm_buf_fini(&t->key);
	*t = (struct tm_twice) { 0 };
}
