/* SPDX-License-Identifier: MIT
 * When a kernel runs, and what runs before and after it on its stream. */
#include "metric/inside/kernel.h"

#include <stdlib.h>
#include <string.h>

#define NO_NAME TM_NAME_NONE

/* A part of what is gone through: the operations of one stream. */
struct lane {
	struct kernel_around *f;
	const struct kernel *a;
	const bool *mine;        /* of each name: does it match? */
	struct tm_extent window; /* of the rank */
};

static void fini_all(struct kernel_around *f)
{
	for (int i = 0; i < KERNEL_TIMES; i++)
		tm_quantile_fini(&f->q[i]);
}

void tm_kernel_around_fini(struct kernel_around *f)
{
	fini_all(f);
	free(f->beside);
	tm_groups_fini(&f->keys);
}

static bool add_beside(struct kernel_around *f, uint32_t name, bool after, uint64_t gap)
{
	const uint64_t key = (uint64_t)name << 1 | after;
	uint32_t i = tm_groups_item(&f->keys, &key, &f->beside, &f->cap, sizeof *f->beside, NULL);

	if (i == TM_GROUP_NONE)
		return false;
	f->n = f->keys.n;
	f->beside[i].name = name;
	f->beside[i].after = after;
	f->beside[i].n++;
	f->beside[i].gap += gap;
	return true;
}

/* The part of the run in which it starts. */
static bool add_time(const struct lane *l, uint64_t start, uint64_t ns)
{
	const struct tm_extent *w = &l->window;
	uint64_t part = w->hi > w->lo ? (uint64_t)((tm_u128)(start - w->lo) * KERNEL_TIMES /
	                                           (w->hi - w->lo))
	                              : 0;

	if (part >= KERNEL_TIMES)
		part = KERNEL_TIMES - 1;
	l->f->least = l->f->dispatches && l->f->least < ns ? l->f->least : ns;
	l->f->most = l->f->most > ns ? l->f->most : ns;
	l->f->dispatches++;
	l->f->calls[part]++;
	return tm_quantile_add(&l->f->q[part], ns);
}

/* An operation, and whether it is a dispatch of the kernel that counts. */
struct op {
	uint64_t start, end;
	uint32_t name;
	bool mine;
};

/* One after the other; `end` is when all before it had ended. */
static bool follow(const struct lane *l, const struct op *prev, uint64_t end, const struct op *op)
{
	uint64_t gap = op->start > end ? op->start - end : 0;

	if (prev->name == NO_NAME)
		return true;
	return (!op->mine || add_beside(l->f, prev->name, false, gap)) &&
	       (!prev->mine || add_beside(l->f, op->name, true, gap));
}

static bool walk(struct lane *l, const struct tm_work_track *t)
{
	const struct tm_intervals *list[TM_WORK_KINDS];
	struct op prev = { .name = NO_NAME };
	struct tm_merged m;
	uint64_t end = 0;
	bool ok;

	for (int k = 0; k < TM_WORK_KINDS; k++)
		list[k] = &t->op[k];
	ok = tm_merged_init(&m, list, TM_WORK_KINDS, l->a->work.order);
	for (const struct tm_merged_list *at; ok && (at = tm_merged_at(&m)); tm_merged_step(&m)) {
		struct op op = { .start = tm_interval_start(at->list, at->i),
			         .name = tm_interval_name(at->list, at->i) };
		bool inside = tm_work_starts_inside(t, op.start),
		     kernel = at->number < TM_WORK_DISPATCHES;
		uint64_t ns = tm_interval_dur(at->list, at->i);

		op.end = op.start + ns;
		op.mine = kernel && inside && l->mine[op.name];
		l->f->all += kernel && inside ? ns : 0;
		ok = follow(l, &prev, end, &op) && (!op.mine || add_time(l, op.start, ns));
		prev = op;
		end = op.end > end ? op.end : end;
	}
	tm_merged_fini(&m);
	return ok;
}

/* From the first to the last of all tracks of a rank; tracks are sorted by rank. */
static struct tm_extent run_of(const struct tm_work *w, size_t i)
{
	struct tm_work_range r = tm_work_tracks_of(w, w->track[i].rank);
	struct tm_extent run = w->track[r.from].window;

	for (size_t k = r.from; k < r.to; k++) {
		const struct tm_extent *x = &w->track[k].window;

		run.lo = x->lo < run.lo ? x->lo : run.lo;
		run.hi = x->hi > run.hi ? x->hi : run.hi;
	}
	return run;
}

/* Names are looked at once. */
static bool *which(struct kernel *a)
{
	bool *mine = calloc((size_t)a->work.names.n + 1, sizeof *mine);

	for (uint32_t i = 0; mine && i < a->work.names.n; i++)
		mine[i] = tm_kernel_matches(a, a->work.names.v[i].text);
	if (a->oom) {
		free(mine);
		mine = NULL;
	}
	return mine;
}

bool tm_kernel_around(struct kernel_around *f, struct kernel *a)
{
	struct lane l = { .f = f, .a = a };
	bool *mine;
	bool ok = tm_work_settle(&a->work);

	f->keys.words = 1;
	l.mine = mine = ok ? which(a) : NULL;
	ok = mine != NULL;
	for (size_t i = 0; ok && i < a->work.ntrack; i++) {
		if (!i || a->work.track[i].rank != a->work.track[i - 1].rank)
			l.window = run_of(&a->work, i);
		f->streams |= a->work.track[i].has_lane;
		ok = walk(&l, &a->work.track[i]);
	}
	free(mine);
	return ok;
}
