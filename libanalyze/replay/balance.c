/* SPDX-License-Identifier: MIT
 * Lengths of kernels if all ranks have as much to do: the n-th of a name takes its mean time over
 * the ranks.  Stages of a pipeline do different work in turn, forward and backward, so that their
 * n-th kernels are not the same work, nor need they have as many: there all kernels of a name
 * together take the mean time of the ranks that have it.  Ranks that send and receive are taken for
 * stages unless all have the same kernels in the same order, as those that exchange in a ring do.
 */
#include "base/base.h"
#include "replay/pass.h"

#include <stdlib.h>
#include <string.h>

/* ---- by order ---- */

static int by_name(const void *pa, const void *pb, void *arg)
{
	const struct tm_replay_op *v = arg, *a = &v[*(const uint32_t *)pa],
	                          *b = &v[*(const uint32_t *)pb];

	if (a->name != b->name)
		return a->name > b->name ? 1 : -1;
	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	return (a > b) - (a < b);
}

/* The n-th kernels of one name on all ranks. */
struct sum {
	tm_u128 ns;
	uint64_t n;
};

struct sums {
	struct tm_groups keys; /* name, n */
	struct sum *v;
	size_t cap;
};

/* The sum that each kernel of a rank is part of; NONE of others. */
static bool add_rank(const struct tm_replay *r, const struct tm_replay_rank *k, struct sums *s,
                     uint64_t *of)
{
	uint32_t *order = tm_array((size_t)k->nop + 1, sizeof *order);
	uint64_t key[2] = { UINT64_MAX, 0 };
	bool ok = order != NULL;

	for (uint32_t i = 0; ok && i < k->nop; i++)
		order[i] = i;
	if (ok && k->nop)
		qsort_r(order, k->nop, sizeof *order, by_name, k->op);
	for (uint32_t i = 0; ok && i < k->nop; i++) {
		const struct tm_replay_op *o = &k->op[order[i]];
		uint32_t at;

		of[order[i]] = NONE;
		if (!r->class_of[o->name] || r->rows->comm[o->name])
			continue;
		key[1] = key[0] == o->name ? key[1] + 1 : 0;
		key[0] = o->name;
		at = tm_groups_item(&s->keys, key, &s->v, &s->cap, sizeof *s->v, NULL);
		ok = at != TM_GROUP_NONE;
		if (ok) {
			s->v[at].ns += o->end - o->start;
			s->v[at].n++;
			of[order[i]] = at;
		}
	}
	free(order);
	return ok;
}

void tm_replay_balanced_free(const struct tm_replay *r, uint64_t **v)
{
	for (size_t i = 0; v && i < r->nrank; i++)
		free(v[i]);
	free(v);
}

/* By the n-th of each name. */
static uint64_t **by_order(const struct tm_replay *r)
{
	uint64_t **v = calloc(r->nrank + 1, sizeof *v);
	struct sums s = { .keys = { .words = 2 } };
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < r->nrank; i++) {
		v[i] = tm_array((size_t)r->rank[i]->nop + 1, sizeof *v[i]);
		ok = v[i] && add_rank(r, r->rank[i], &s, v[i]);
	}
	for (size_t i = 0; ok && i < r->nrank; i++)
		for (uint32_t op = 0; op < r->rank[i]->nop; op++) {
			const struct tm_replay_op *o = &r->rank[i]->op[op];
			const struct sum *sum = v[i][op] != NONE ? &s.v[v[i][op]] : NULL;

			v[i][op] = sum ? (uint64_t)(sum->ns / sum->n) : o->end - o->start;
		}
	free(s.v);
	tm_groups_fini(&s.keys);
	if (!ok) {
		tm_replay_balanced_free(r, v);
		return NULL;
	}
	return v;
}

/* ---- stages ---- */

struct names {
	tm_u128 *own, *all; /* what kernels of each name take, of one rank and of all */
	uint32_t *ranks;    /* that have it */
};

static bool is_balanced(const struct tm_replay *r, const struct tm_replay_op *o)
{
	return r->class_of[o->name] && !r->rows->comm[o->name];
}

static void add_own(const struct tm_replay *r, const struct tm_replay_rank *k, tm_u128 *own)
{
	memset(own, 0, r->rows->names.n * sizeof *own);
	for (uint32_t i = 0; i < k->nop; i++)
		if (is_balanced(r, &k->op[i]))
			own[k->op[i].name] += k->op[i].end - k->op[i].start;
}

static bool find_stages(const struct tm_replay *r, struct names *m, uint64_t **v)
{
	const uint32_t n = r->rows->names.n;

	for (size_t i = 0; i < r->nrank; i++) {
		add_own(r, r->rank[i], m->own);
		for (uint32_t k = 0; k < n; k++) {
			m->all[k] += m->own[k];
			m->ranks[k] += m->own[k] != 0;
		}
	}
	for (size_t i = 0; i < r->nrank; i++) {
		const struct tm_replay_rank *k = r->rank[i];

		v[i] = tm_array((size_t)k->nop + 1, sizeof *v[i]);
		if (!v[i])
			return false;
		add_own(r, k, m->own);
		for (uint32_t op = 0; op < k->nop; op++) {
			const struct tm_replay_op *o = &k->op[op];
			const tm_u128 own = is_balanced(r, o) ? m->own[o->name] : 0;

			v[i][op] = o->end - o->start;
			if (own)
				v[i][op] = (uint64_t)(v[i][op] * m->all[o->name] /
				                      (own * m->ranks[o->name]));
		}
	}
	return true;
}

static uint64_t **by_stage(const struct tm_replay *r)
{
	const size_t n = (size_t)r->rows->names.n + 1;
	struct names m = { calloc(n, sizeof *m.own), calloc(n, sizeof *m.all),
		           calloc(n, sizeof *m.ranks) };
	uint64_t **v = calloc(r->nrank + 1, sizeof *v);
	const bool ok = m.own && m.all && m.ranks && v && find_stages(r, &m, v);

	free(m.own);
	free(m.all);
	free(m.ranks);
	if (ok)
		return v;
	tm_replay_balanced_free(r, v);
	return NULL;
}

/* ---- which of both ---- */

/* Calls are by thread.  In which order a thread launches does not depend on how long kernels
 * take. */
static int by_launch(const void *pa, const void *pb, void *arg)
{
	const struct tm_replay_op *v = arg, *a = &v[*(const uint32_t *)pa],
	                          *b = &v[*(const uint32_t *)pb];

	if (a->call != b->call)
		return a->call > b->call ? 1 : -1;
	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	return (a > b) - (a < b);
}

/* Of the names of kernels in the order of their launches, by each thread; of those without, in the
 * order of time. */
static bool digest_rank(const struct tm_replay *r, const struct tm_replay_rank *k, uint64_t *digest)
{
	uint32_t *order = tm_array((size_t)k->nop + 1, sizeof *order);
	uint32_t thread = NONE;
	uint64_t w[2] = { 0 };

	if (!order)
		return false;
	for (uint32_t i = 0; i < k->nop; i++)
		order[i] = i;
	if (k->nop)
		qsort_r(order, k->nop, sizeof *order, by_launch, k->op);
	*digest = 0;
	for (uint32_t i = 0; i < k->nop; i++) {
		const struct tm_replay_op *o = &k->op[order[i]];
		const uint32_t of = o->call != NONE ? k->call[o->call].thread : NONE;

		if (!r->class_of[o->name])
			continue;
		if (of != thread) {
			*digest += w[0];
			w[0] = 0;
		}
		thread = of;
		w[1] = o->name;
		w[0] = tm_hash_digest(w, 2);
	}
	*digest += w[0];
	free(order);
	return true;
}

static bool find_alike(const struct tm_replay *r, bool *alike)
{
	uint64_t first = 0, digest;

	*alike = true;
	for (size_t i = 0; *alike && i < r->nrank; i++) {
		if (!digest_rank(r, r->rank[i], &digest))
			return false;
		first = i ? first : digest;
		*alike = digest == first;
	}
	return true;
}

uint64_t **tm_replay_balanced(const struct tm_replay *r)
{
	bool alike = true;

	if (r->counts.pairs && !find_alike(r, &alike))
		return NULL;
	return alike ? by_order(r) : by_stage(r);
}
