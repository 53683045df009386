/* SPDX-License-Identifier: MIT */
#include "metric/run_sums.h"

#include "metric/shares.h"
#include "read/read.h"

#include <stdlib.h>
#include <string.h>

enum { API = 1 << DOMAIN_HIP | 1 << DOMAIN_HSA };

struct run_sums {
	struct shares shares;
	struct work copies;
	bool has_copies;
	uint64_t *gfx; /* ascending */
	size_t ngfx, gfx_cap;
	uint64_t lost;
};

static unsigned keep(const struct metric_opts *o)
{
	return GAPS_KEEP | STEPS_KEEP | (o->domains & API ? (unsigned)WORK_CALL_NAMES : 0);
}

static bool init(void *acc, const void *arg)
{
	struct run_sums *r = acc;
	const struct metric_opts *o = arg;

	*r = (struct run_sums) { .has_copies = o->domains & MASK_BIT(DOMAIN_COPY) };
	return shares_init(&r->shares, o, keep(o)) &&
	       work_init(&r->copies, o, WORK_RANKS | WORK_OP_NAMES | WORK_ALL);
}

static void fini(void *acc)
{
	struct run_sums *r = acc;

	shares_fini(&r->shares);
	work_fini(&r->copies);
	free(r->gfx);
}

static bool piece(void *acc, const struct piece *p)
{
	struct run_sums *r = acc;

	return shares_piece(&r->shares, p) && work_piece(&r->copies, p);
}

static bool add_gfx(struct run_sums *r, uint64_t gfx)
{
	size_t i = 0;

	while (i < r->ngfx && r->gfx[i] < gfx)
		i++;
	if (i < r->ngfx && r->gfx[i] == gfx)
		return true;
	if (!grow_array(&r->gfx, &r->gfx_cap, r->ngfx + 1, sizeof *r->gfx))
		return false;
	memmove(r->gfx + i + 1, r->gfx + i, (r->ngfx - i) * sizeof *r->gfx);
	r->gfx[i] = gfx;
	r->ngfx++;
	return true;
}

static bool take_agents(struct run_sums *r, const struct batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		/* That of a CPU is 0. */
		if (batch_has(b, i, EVC_GFX) && b->col[EVC_GFX][i] &&
		    !add_gfx(r, b->col[EVC_GFX][i]))
			return false;
	return true;
}

static bool take(void *acc, const struct batch *b)
{
	struct run_sums *r = acc;

	if (b->kind == EV_AGENT && !take_agents(r, b))
		return false;
	if (r->has_copies && b->kind == EV_COPY && !work_take(&r->copies, b))
		return false;
	return shares_take(&r->shares, b);
}

static bool merge(void *into, void *from)
{
	struct run_sums *r = into, *f = from;

	for (size_t i = 0; i < f->ngfx; i++)
		if (!add_gfx(r, f->gfx[i]))
			return false;
	r->lost += f->lost;
	return work_merge(&r->copies, &f->copies) && shares_merge(&r->shares, &f->shares);
}

static bool done(void *acc, const struct piece *p, const struct loss *l, const struct diag *why)
{
	struct run_sums *r = acc;

	(void)p;
	(void)why;
	r->lost += loss_lost(l);
	return true;
}

const struct event_sink run_sums_sink = {
	.size = sizeof(struct run_sums),
	.init = init,
	.piece = piece,
	.take = take,
	.merge = merge,
	.fini = fini,
	.done = done,
};

ev_set run_sums_want(const struct metric_opts *o)
{
	return shares_want(o, keep(o)) | EV_BIT(EVC_GFX);
}

bool run_sums_rows(struct run_sums *r, struct run_rows *out, struct report *rep)
{
	struct top *t = &r->shares.top;
	const struct layer *l;

	*out = (struct run_rows) { 0 };
	if (!top_fold(t, &out->whole, rep))
		return false;
	l = &t->layer[0];
	out->v = calloc((size_t)l->keys.n + 1, sizeof *out->v);
	for (uint32_t i = 0; out->v && i < l->keys.n; i++) {
		uint64_t key = l->keys.key[(size_t)i * TOP_WORDS + TOP_NAME];
		struct run_sum *s = &out->v[out->n++];

		*s = (struct run_sum) { .text = t->names.v[(uint32_t)key],
			                .domain = (enum domain)(key >> 32),
			                .m = &l->g[i].m };
		out->total += s->m->sum;
		out->statistics |= s->m->sealed != 0;
	}
	return out->v != NULL;
}

struct work *run_sums_work(struct run_sums *r)
{
	return &r->shares.work;
}

struct work *run_sums_copies(struct run_sums *r)
{
	return &r->copies;
}

const uint64_t *run_sums_gfx(const struct run_sums *r, size_t *n)
{
	*n = r->ngfx;
	return r->gfx;
}

uint64_t run_sums_lost(const struct run_sums *r)
{
	return r->lost;
}
