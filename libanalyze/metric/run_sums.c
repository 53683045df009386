/* SPDX-License-Identifier: MIT */
#include "metric/run_sums.h"

#include "metric/shares.h"
#include "read/read.h"

#include <stdlib.h>
#include <string.h>

enum { API = 1 << TM_DOMAIN_HIP | 1 << TM_DOMAIN_HSA };

struct tm_run_sums {
	struct shares shares;
	struct tm_work copies;
	bool has_copies;
	uint64_t *gfx; /* ascending */
	size_t ngfx, gfx_cap;
	struct tm_groups gpus; /* TM_RUN_SUMS_GPU */
	struct tm_loss loss;
};

static unsigned keep(const struct tm_metric_opts *o)
{
	return TM_GAPS_KEEP | TM_STEPS_KEEP | (o->domains & API ? (unsigned)TM_WORK_CALL_NAMES : 0);
}

static bool init(void *acc, const void *arg)
{
	struct tm_run_sums *r = acc;
	const struct tm_metric_opts *o = arg;

	*r = (struct tm_run_sums) { .has_copies = o->domains & TM_MASK_BIT(TM_DOMAIN_COPY),
		                    .gpus.words = TM_RUN_SUMS_GPU };
	return tm_shares_init(&r->shares, o, keep(o)) &&
	       tm_work_init(&r->copies, o, TM_WORK_RANKS | TM_WORK_OP_NAMES | TM_WORK_ALL);
}

static void fini(void *acc)
{
	struct tm_run_sums *r = acc;

	tm_shares_fini(&r->shares);
	tm_work_fini(&r->copies);
	tm_groups_fini(&r->gpus);
	free(r->gfx);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct tm_run_sums *r = acc;

	return tm_shares_piece(&r->shares, p) && tm_work_piece(&r->copies, p);
}

static bool add_gfx(struct tm_run_sums *r, uint64_t gfx)
{
	size_t i = 0;

	while (i < r->ngfx && r->gfx[i] < gfx)
		i++;
	if (i < r->ngfx && r->gfx[i] == gfx)
		return true;
	if (!tm_grow_array(&r->gfx, &r->gfx_cap, r->ngfx + 1, sizeof *r->gfx))
		return false;
	memmove(r->gfx + i + 1, r->gfx + i, (r->ngfx - i) * sizeof *r->gfx);
	r->gfx[i] = gfx;
	r->ngfx++;
	return true;
}

static bool take_agents(struct tm_run_sums *r, const struct tm_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		/* That of a CPU is 0. */
		if (tm_batch_has(b, i, TM_EVC_GFX) && b->col[TM_EVC_GFX][i] &&
		    !add_gfx(r, b->col[TM_EVC_GFX][i]))
			return false;
	return true;
}

/* Where the kernels of totals ran; those of events are in the store. */
static bool take_gpus(struct tm_run_sums *r, const struct tm_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		const uint64_t *agent = tm_batch_cell(b, i, TM_EVC_AGENT);
		uint64_t key[] = { r->shares.top.piece.id.rank, agent != NULL, agent ? *agent : 0 };

		if (b->col[TM_EVC_DOMAIN][i] == TM_DOMAIN_KERNEL &&
		    !tm_batch_has(b, i, TM_EVC_COUNTER) &&
		    tm_groups_recent(&r->gpus, key, TM_RUN_SUMS_GPU) == TM_GROUP_NONE &&
		    tm_groups_add(&r->gpus, key, NULL) == TM_GROUP_NONE)
			return false;
	}
	return true;
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct tm_run_sums *r = acc;

	if (b->kind == TM_EV_AGENT && !take_agents(r, b))
		return false;
	if (b->kind == TM_EV_ROLLUP && !take_gpus(r, b))
		return false;
	if (r->has_copies && b->kind == TM_EV_COPY && !tm_work_take(&r->copies, b))
		return false;
	return tm_shares_take(&r->shares, b);
}

static bool merge(void *into, void *from)
{
	struct tm_run_sums *r = into, *f = from;

	for (size_t i = 0; i < f->ngfx; i++)
		if (!add_gfx(r, f->gfx[i]))
			return false;
	for (uint32_t i = 0; i < f->gpus.n; i++)
		if (tm_groups_add(&r->gpus, f->gpus.key + (size_t)i * TM_RUN_SUMS_GPU, NULL) ==
		    TM_GROUP_NONE)
			return false;
	tm_loss_add(&r->loss, &f->loss, 0);
	return tm_work_merge(&r->copies, &f->copies) && tm_shares_merge(&r->shares, &f->shares);
}

static bool done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                 const struct tm_diag *why)
{
	struct tm_run_sums *r = acc;

	(void)p;
	(void)why;
	tm_loss_add(&r->loss, l, 0);
	return true;
}

const struct tm_event_sink tm_run_sums_sink = {
	.size = sizeof(struct tm_run_sums),
	.init = init,
	.piece = piece,
	.take = take,
	.merge = merge,
	.fini = fini,
	.done = done,
	.mixed = true,
};

tm_ev_set tm_run_sums_want(const struct tm_metric_opts *o)
{
	return tm_shares_want(o, keep(o)) | TM_EV_BIT(TM_EVC_GFX);
}

bool tm_run_sums_rows(struct tm_run_sums *r, struct tm_run_rows *out, struct tm_report *rep)
{
	struct tm_top *t = &r->shares.top;
	const struct layer *l;

	*out = (struct tm_run_rows) { 0 };
	if (!tm_top_fold(t, &out->whole, rep))
		return false;
	l = &t->layer[0];
	out->v = calloc((size_t)l->keys.n + 1, sizeof *out->v);
	for (uint32_t i = 0; out->v && i < l->keys.n; i++) {
		uint64_t key = l->keys.key[(size_t)i * TOP_WORDS + TOP_NAME];
		struct tm_run_sum *s = &out->v[out->n++];

		*s = (struct tm_run_sum) { .text = t->names.v[(uint32_t)key],
			                   .domain = (enum tm_domain)(key >> 32),
			                   .m = &l->g[i].m };
		out->total += s->m->sum;
		out->statistics |= s->m->sealed != 0;
	}
	return out->v != NULL;
}

struct tm_work *tm_run_sums_work(struct tm_run_sums *r)
{
	return &r->shares.work;
}

struct tm_work *tm_run_sums_copies(struct tm_run_sums *r)
{
	return &r->copies;
}

const uint64_t *tm_run_sums_gfx(const struct tm_run_sums *r, size_t *n)
{
	*n = r->ngfx;
	return r->gfx;
}

struct tm_groups *tm_run_sums_gpus(struct tm_run_sums *r)
{
	return &r->gpus;
}

const struct tm_loss *tm_run_sums_loss(const struct tm_run_sums *r)
{
	return &r->loss;
}
