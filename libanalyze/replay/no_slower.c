/* SPDX-License-Identifier: MIT
 * Lengths of kernels if no rank is slower than half of those that run the same kernels.  Stages of
 * a pipeline do different work in turn, so that their n-th kernels of a name need not be the same
 * work: the n-th shortest of a name are compared, of each rank, where all have as many; else what
 * they take in all. */
#include "base/base.h"
#include "replay/pass.h"

#include <stdlib.h>

struct length {
	uint32_t name, rank, op;
	uint64_t ns;
};

static int by_length(const void *pa, const void *pb)
{
	const struct length *a = pa, *b = pb;

	if (a->name != b->name)
		return a->name > b->name ? 1 : -1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? 1 : -1;
	if (a->ns != b->ns)
		return a->ns > b->ns ? 1 : -1;
	return (a->op > b->op) - (a->op < b->op);
}

/* The lengths of one name on one rank. */
struct part {
	struct length *v;
	size_t n;
	tm_u128 all;
};

struct slower {
	const struct tm_replay *r;
	struct length *v;
	size_t n, cap;
	struct part *part; /* of the name at hand, nparts of them; room for all ranks */
	size_t nparts;
	tm_u128 *sorted;
	uint64_t **out;
};

static bool list_rank(struct slower *s, uint32_t rank)
{
	const struct tm_replay *r = s->r;
	const struct tm_replay_rank *k = r->rank[rank];

	s->out[rank] = tm_array((size_t)k->nop + 1, sizeof *s->out[rank]);
	if (!s->out[rank] || !tm_grow_array(&s->v, &s->cap, s->n + k->nop, sizeof *s->v))
		return false;
	for (uint32_t op = 0; op < k->nop; op++) {
		const struct tm_replay_op *o = &k->op[op];
		const uint64_t ns = o->end - o->start;

		s->out[rank][op] = ns;
		if (r->class_of[o->name] && !r->rows->comm[o->name])
			s->v[s->n++] = (struct length) { o->name, rank, op, ns };
	}
	return true;
}

/* Those of one name, from i on, by rank: the end of them.  *alike: all ranks have as many. */
static size_t split_name(struct slower *s, size_t i, bool *alike)
{
	const uint32_t name = s->v[i].name;

	*alike = true;
	for (s->nparts = 0; i < s->n && s->v[i].name == name; s->nparts++) {
		struct part *p = &s->part[s->nparts];

		*p = (struct part) { .v = &s->v[i] };
		for (; i < s->n && s->v[i].name == name && s->v[i].rank == p->v->rank; i++) {
			p->all += s->v[i].ns;
			p->n++;
		}
		*alike = *alike && p->n == s->part[0].n;
	}
	return i;
}

static int by_size(const void *pa, const void *pb)
{
	const tm_u128 a = *(const tm_u128 *)pa, b = *(const tm_u128 *)pb;

	return (a > b) - (a < b);
}

/* Of s->sorted that in the middle, or the smaller one of two. */
static tm_u128 middle(struct slower *s)
{
	qsort(s->sorted, s->nparts, sizeof *s->sorted, by_size);
	return s->sorted[(s->nparts - 1) / 2];
}

static void shorten_one_by_one(struct slower *s)
{
	for (size_t k = 0; k < s->part[0].n; k++) {
		uint64_t most;

		for (size_t i = 0; i < s->nparts; i++)
			s->sorted[i] = s->part[i].v[k].ns;
		most = (uint64_t)middle(s);
		for (size_t i = 0; i < s->nparts; i++) {
			const struct length *l = &s->part[i].v[k];

			s->out[l->rank][l->op] = l->ns < most ? l->ns : most;
		}
	}
}

static void shorten_in_all(struct slower *s)
{
	tm_u128 most;

	for (size_t i = 0; i < s->nparts; i++)
		s->sorted[i] = s->part[i].all;
	most = middle(s);
	for (size_t i = 0; i < s->nparts; i++) {
		const struct part *p = &s->part[i];

		for (size_t k = 0; p->all > most && k < p->n; k++)
			s->out[p->v[k].rank][p->v[k].op] = (uint64_t)(p->v[k].ns * most / p->all);
	}
}

uint64_t **tm_replay_no_slower(const struct tm_replay *r)
{
	struct slower s = { .r = r,
		            .part = tm_array(r->nrank + 1, sizeof *s.part),
		            .sorted = tm_array(r->nrank + 1, sizeof *s.sorted),
		            .out = calloc(r->nrank + 1, sizeof *s.out) };
	bool ok = s.part && s.sorted && s.out, alike;

	for (uint32_t i = 0; ok && i < r->nrank; i++)
		ok = list_rank(&s, i);
	if (ok && s.n)
		qsort(s.v, s.n, sizeof *s.v, by_length);
	for (size_t i = 0; ok && i < s.n;) {
		i = split_name(&s, i, &alike);
		if (alike)
			shorten_one_by_one(&s);
		else
			shorten_in_all(&s);
	}
	free(s.v);
	free(s.part);
	free(s.sorted);
	if (ok)
		return s.out;
	tm_replay_balanced_free(r, s.out);
	return NULL;
}
