/* SPDX-License-Identifier: MIT */
#include "work/comm_join.h"

#include <stdlib.h>
#include <string.h>

/* Is the kernel RCCL's own?  Others communicate without a call of RCCL. */
static bool of_rccl(const struct tm_comm_kernels *k, size_t i)
{
	const char *name = k->unnamed ? NULL : k->name(k->of, i);

	return !name || strstr(name, "nccl") || strstr(name, "rccl") || strstr(name, "msccl");
}

/* The calls of a rank: those that are no more idle than k are at[k][0 .. n[k]), in their order. */
struct tm_comm_join_rank {
	uint64_t rank;
	const struct tm_comm_call *call; /* NULL = none */
	size_t all, n[TM_COMM_EMPTY + 1];
	uint32_t *at[TM_COMM_EMPTY + 1];
};

void tm_comm_join_fini(struct tm_comm_join *j)
{
	for (size_t k = 0; j->of && k <= TM_COMM_EMPTY; k++)
		free(j->of->at[k]);
	free(j->of);
	j->of = NULL;
}

/* Those of one rank, kept until the next is asked for; NULL when out of memory. */
static const struct tm_comm_join_rank *calls_of(struct tm_comm_join *j, uint64_t rank)
{
	struct tm_comm_join_rank *c = j->of;
	bool ok;

	if (c && c->rank == rank)
		return c;
	tm_comm_join_fini(j);
	j->of = c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->rank = rank;
	c->call = tm_comm_calls_of(j->calls, rank, &c->all);
	ok = c->all < UINT32_MAX;
	for (size_t k = 0; ok && k <= TM_COMM_EMPTY; k++)
		ok = (c->at[k] = malloc((c->all + 1) * sizeof *c->at[k])) != NULL;
	for (size_t i = 0; ok && i < c->all; i++)
		for (size_t k = tm_comm_call_idle(j->calls, &c->call[i]); k <= TM_COMM_EMPTY; k++)
			c->at[k][c->n[k]++] = (uint32_t)i;
	return ok ? c : NULL;
}

/* The calls of a rank that are taken for its kernels. */
struct which {
	const struct tm_comm_call *call;
	const uint32_t *at; /* n of them */
	size_t n, left_out;
};

/* All, if there are as many kernels; else all but those that may start none. */
static struct which choose_calls(const struct tm_comm_join_rank *c, size_t kernels)
{
	size_t idlest = TM_COMM_EMPTY;

	while (idlest > TM_COMM_STARTS && c->n[idlest] != kernels)
		idlest--;
	if (c->n[idlest] != kernels)
		idlest = TM_COMM_EMPTY;
	return (struct which) { c->call, c->at[idlest], c->n[idlest], c->all - c->n[idlest] };
}

/* The call for the next kernel; *at goes on. */
static const struct tm_comm_call *next_call(const struct which *w, size_t *at)
{
	return &w->call[w->at[(*at)++]];
}

/* Could each call have started its kernel? */
static bool calls_fit(const struct tm_comm_calls *c, const struct which *w,
                      const struct tm_comm_kernels *k)
{
	bool fit = true;
	size_t at = 0;

	for (size_t i = 0; fit && i < k->n; i++)
		if (of_rccl(k, i))
			fit = tm_comm_call_fits(c, next_call(w, &at), k->name(k->of, i));
	return fit;
}

bool tm_comm_join(struct tm_comm_join *j, uint64_t rank, const struct tm_comm_kernels *k,
                  const struct tm_comm_call **call, struct tm_comm_joined *out)
{
	const struct tm_comm_join_rank *c = calls_of(j, rank);
	struct tm_extent ran = { 0 };
	struct which w;
	size_t at = 0, nth = 0;

	*out = (struct tm_comm_joined) { 0 };
	if (!c)
		return false;
	memset(call, 0, k->n * sizeof(*call));
	for (size_t i = 0; k->ran && j->calls->nown && i < k->n; i++) {
		const struct tm_extent last = ran;

		ran = k->ran(k->of, i);
		nth = i && ran.lo == last.lo && ran.hi == last.hi ? nth + 1 : 0;
		call[i] = tm_comm_calls_own(j->calls, rank, k->agent, ran, nth);
		out->own += call[i] != NULL;
	}
	out->told = out->own;
	if (out->own)
		return true;
	for (size_t i = 0; j->calls->n && i < k->n; i++)
		out->kernels += of_rccl(k, i);
	w = choose_calls(c, out->kernels);
	out->told = w.call != NULL;
	out->calls = w.n;
	out->as_many = out->told && out->kernels && w.n == out->kernels;
	out->joins = out->as_many && calls_fit(j->calls, &w, k);
	out->left_out = out->joins ? w.left_out : 0;
	for (size_t i = 0; out->joins && i < k->n; i++)
		if (of_rccl(k, i))
			call[i] = next_call(&w, &at);
	return true;
}

bool tm_comm_is_global(const struct tm_name *comm)
{
	return !memchr(comm->text, ':', comm->len);
}
