/* SPDX-License-Identifier: MIT */
#include "diff/account.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const tm_account_words[] = {
	[TM_PART_BUSY] = "busy", [TM_PART_OVERLAP] = "overlap", [TM_PART_IDLE] = "idle"
};

const char tm_others[] = "(others)";

static const char *const cause_words[] = { [TM_CAUSE_SYNC] = "sync",
	                                   [TM_CAUSE_HOST] = "host",
	                                   [TM_CAUSE_LAUNCH] = "launch",
	                                   [TM_CAUSE_DEVICE] = "device",
	                                   [TM_CAUSE_UNKNOWN] = "unknown" };

void tm_account_fini(struct tm_account *a)
{
	free(a->v);
	tm_names_fini(&a->copies);
	*a = (struct tm_account) { 0 };
}

/* Time a unit of each side spends in something. */
struct flow {
	const char *name;
	size_t len;
	const struct tm_pair *pair;
	uint64_t calls[TM_SIDES];
	tm_u128 ns[TM_SIDES];
};

/* The water: from A's deciding time to B's, in units of 1 / (units_a units_b) ns. */
struct fall {
	struct tm_account *a;
	const struct tm_decision *d;
	tm_i128 level;
};

static tm_i128 scale(const struct tm_decision *d)
{
	return (tm_i128)d->units[TM_SIDE_A] * (tm_i128)d->units[TM_SIDE_B];
}

/* What a part that was `a` in all units of A and `b` in all of B adds, rounded as the levels are.
 */
static int64_t step_down(struct fall *f, tm_i128 a, tm_i128 b)
{
	tm_i128 unit = scale(f->d), before = tm_rounded(f->level, unit);

	f->level += b * (tm_i128)f->d->units[TM_SIDE_A] - a * (tm_i128)f->d->units[TM_SIDE_B];
	return (int64_t)(tm_rounded(f->level, unit) - before);
}

static bool put(struct tm_account *a, const struct tm_account_row *row)
{
	a->over |= __builtin_add_overflow(a->part[row->part], row->delta, &a->part[row->part]);
	if (!row->delta)
		return true;
	if (!tm_grow_array(&a->v, &a->cap, a->n + 1, sizeof *a->v))
		return false;
	a->v[a->n++] = *row;
	return true;
}

/* Split a flow's delta into the part that is due to more or fewer calls of a unit, *calls, and the
 * rest, *mean.  False: they do not fit 64 bits. */
static bool split(const struct tm_decision *d, const struct flow *f, int64_t delta, int64_t *calls,
                  int64_t *mean)
{
	long double more, each, part;

	*calls = delta;
	*mean = 0;
	if (!f->calls[TM_SIDE_A] || !f->calls[TM_SIDE_B])
		return true;
	*calls = 0;
	*mean = delta;
	if ((tm_u128)f->calls[TM_SIDE_A] * d->units[TM_SIDE_B] ==
	    (tm_u128)f->calls[TM_SIDE_B] * d->units[TM_SIDE_A])
		return true;
	more = (long double)f->calls[TM_SIDE_B] / (long double)d->units[TM_SIDE_B] -
	       (long double)f->calls[TM_SIDE_A] / (long double)d->units[TM_SIDE_A];
	each = (long double)f->ns[TM_SIDE_A] / (long double)f->calls[TM_SIDE_A];
	part = roundl(more * each);
	if (part <= (long double)INT64_MIN || part > (long double)INT64_MAX)
		return false;
	*calls = (int64_t)part;
	return !__builtin_sub_overflow(delta, *calls, mean);
}

static bool put_flow(struct fall *f, const struct flow *x)
{
	struct tm_account_row row = { .part = TM_PART_BUSY,
		                      .name = x->name,
		                      .len = x->len,
		                      .pair = x->pair,
		                      .cause = "calls" };
	int64_t mean;

	f->a->over |= !split(f->d, x,
	                     step_down(f, (tm_i128)x->ns[TM_SIDE_A], (tm_i128)x->ns[TM_SIDE_B]),
	                     &row.delta, &mean);
	if (!put(f->a, &row))
		return false;
	row.cause = "mean";
	row.delta = mean;
	return put(f->a, &row);
}

/* ---- what flows there are ---- */

struct flows {
	struct flow *v;
	size_t n, cap;
	const struct tm_decision *d;
};

static struct flow *add_flow(struct flows *s, const char *name, size_t len)
{
	if (!tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return NULL;
	s->v[s->n] = (struct flow) { .name = name, .len = len };
	return &s->v[s->n++];
}

static bool add_kernels(struct flows *s, const struct tm_pairs *k)
{
	for (size_t i = 0; i < k->n; i++) {
		const struct tm_pair *p = &k->v[i];
		struct flow *f = add_flow(s, p->name, p->len);

		if (!f)
			return false;
		f->pair = p;
		for (int side = 0; side < TM_SIDES; side++) {
			bool sums = s->d->on == TM_ON_KERNEL;

			f->calls[side] = sums ? p->side[side].m.n : p->side[side].calls[s->d->of];
			f->ns[side] = sums ? p->side[side].m.sum : p->side[side].ns[s->d->of];
		}
	}
	return true;
}

static bool add_copies(struct flows *s, struct tm_account *a, const struct tm_pairs *k)
{
	size_t first = s->n;

	for (size_t r = 0; r < k->nruns; r++)
		for (size_t i = 0; i < k->runs[r].ncopies; i++) {
			const struct tm_digest_copy *c = &k->runs[r].copy[i];
			const struct tm_name *nm = &k->runs[r].names.v[c->name];
			uint32_t id = tm_names_add(&a->copies, nm->text, nm->len);
			struct flow *f;

			if (id == TM_NAME_NONE)
				return false;
			f = first + id < s->n
			            ? &s->v[first + id]
			            : add_flow(s, a->copies.v[id].text, a->copies.v[id].len);
			if (!f)
				return false;
			f->calls[tm_pair_side_of(k, r)] += c->use.calls[s->d->of];
			f->ns[tm_pair_side_of(k, r)] += c->use.ns[s->d->of];
		}
	return true;
}

/* Kernels that start in a step but after the end of -w: no row is about them. */
static bool add_others(struct flows *s, const struct tm_pairs *k)
{
	tm_u128 rest[TM_SIDES] = { 0 };
	struct flow *f;

	for (size_t r = 0; r < k->nruns; r++)
		rest[tm_pair_side_of(k, r)] += k->runs[r].sum[s->d->of].ops;
	for (size_t i = 0; i < s->n; i++)
		for (int side = 0; side < TM_SIDES; side++)
			rest[side] -= s->v[i].ns[side];
	if (!rest[TM_SIDE_A] && !rest[TM_SIDE_B])
		return true;
	f = add_flow(s, tm_others, strlen(tm_others));
	if (f)
		memcpy(f->ns, rest, sizeof rest);
	return f != NULL;
}

/* The largest effect first. */
static int by_effect(const void *pa, const void *pb, void *arg)
{
	const struct flow *f[] = { pa, pb };
	const struct tm_decision *d = arg;
	double effect[2];
	int c;

	for (int i = 0; i < 2; i++)
		effect[i] = fabs((double)f[i]->ns[TM_SIDE_B] / (double)d->units[TM_SIDE_B] -
		                 (double)f[i]->ns[TM_SIDE_A] / (double)d->units[TM_SIDE_A]);
	if (effect[0] != effect[1])
		return effect[0] > effect[1] ? -1 : 1;
	c = memcmp(f[0]->name, f[1]->name, f[0]->len < f[1]->len ? f[0]->len : f[1]->len);
	return c ? c : (f[0]->len > f[1]->len) - (f[0]->len < f[1]->len);
}

static bool put_idle(struct fall *f, const struct tm_budget_sum *sum)
{
	bool ok = true;

	for (int c = 0; ok && c < TM_CAUSES; c++) {
		struct tm_account_row row = { .part = TM_PART_IDLE, .cause = cause_words[c] };

		row.delta = step_down(f, (tm_i128)sum[TM_SIDE_A].cause[c],
		                      (tm_i128)sum[TM_SIDE_B].cause[c]);
		f->a->idle[c] = row.delta;
		ok = put(f->a, &row);
	}
	return ok;
}

/* All but what single kernels and copies take. */
static bool put_rest(struct fall *f, const struct tm_pairs *k)
{
	struct tm_budget_sum sum[TM_SIDES] = { { 0 } };
	struct tm_account_row row = { .part = TM_PART_OVERLAP, .cause = "concurrent" };

	for (size_t r = 0; r < k->nruns; r++) {
		const struct tm_budget_sum *from = &k->runs[r].sum[f->d->of];
		struct tm_budget_sum *to = &sum[tm_pair_side_of(k, r)];

		to->window += from->window;
		to->idle += from->idle;
		to->ops += from->ops;
		to->clipped += from->clipped;
		for (int c = 0; c < TM_CAUSES; c++)
			to->cause[c] += from->cause[c];
	}
	row.delta = step_down(f, -(tm_i128)tm_budget_overlap(&sum[TM_SIDE_A]),
	                      -(tm_i128)tm_budget_overlap(&sum[TM_SIDE_B]));
	if (!put(f->a, &row))
		return false;
	row.cause = "edge";
	row.delta = step_down(f, -tm_budget_edge(&sum[TM_SIDE_A]),
	                      -tm_budget_edge(&sum[TM_SIDE_B]));
	return put(f->a, &row) && put_idle(f, sum);
}

bool tm_account_make(struct tm_account *a, const struct tm_decision *d,
                     const struct tm_pairs *kernels)
{
	struct flows s = { .d = d };
	struct fall f = { .a = a,
		          .d = d,
		          .level = (tm_i128)d->sum[TM_SIDE_A] * (tm_i128)d->units[TM_SIDE_B] };
	bool ok = add_kernels(&s, kernels);

	if (ok && d->on != TM_ON_KERNEL)
		ok = add_copies(&s, a, kernels) && add_others(&s, kernels);
	if (ok && s.n)
		qsort_r(s.v, s.n, sizeof *s.v, by_effect, (void *)(uintptr_t)d);
	for (size_t i = 0; ok && i < s.n; i++)
		ok = put_flow(&f, &s.v[i]);
	ok = ok && (d->on == TM_ON_KERNEL || put_rest(&f, kernels));
	free(s.v);
	return ok;
}
