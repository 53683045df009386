/* SPDX-License-Identifier: MIT
 * What files of totals keep of the operators of a rank: its rows with the numbers that their texts
 * stand for, and its functions of Python, of which another rank may have made a row. */
#include "metric/ops_parts.h"

#include <stdlib.h>

/* Words of an item. */
enum {
	KEPT_WHAT,
	KEPT_HOW, /* of KEPT_LOST; of KEPT_FUNCTION: placed */
	KEPT_CALLS,
	KEPT_KERNELS,
	KEPT_SELF, /* low and high half, as the next ones */
	KEPT_TOTAL = KEPT_SELF + 2,
	KEPT_HOST = KEPT_TOTAL + 2,
	KEPT_N = KEPT_HOST + 2
};

enum what {
	KEPT_WORKED,   /* the rank has frames, calls or operations */
	KEPT_ROW,      /* text; bytes: smallest and largest of each of its numbers, "" = none yet */
	KEPT_LOST,     /* what belongs nowhere */
	KEPT_FUNCTION, /* text */
	KEPT_WHATS
};

static void put_sum(uint64_t *v, tm_u128 sum)
{
	v[0] = (uint64_t)sum;
	v[1] = (uint64_t)(sum >> 64);
}

static tm_u128 sum_at(const uint64_t *v)
{
	return (tm_u128)v[1] << 64 | v[0];
}

/* ---- functions of Python ---- */

/* The function of that text, made if new; NULL when out of memory. */
static struct ops_function *function_of(struct ops_fill *f, const char *text, size_t n)
{
	const uint64_t id = tm_names_add(&f->texts, text, n);
	uint32_t i = id == TM_NAME_NONE
	                     ? TM_GROUP_NONE
	                     : tm_groups_item(&f->functions, &id, &f->function, &f->function_cap,
	                                      sizeof *f->function, NULL);

	return i == TM_GROUP_NONE ? NULL : &f->function[i];
}

/* Those of a thread.  at: of each label its function, + 1. */
static bool count_thread(struct ops_fill *f, const struct tm_stack_thread *t, uint32_t *at)
{
	const struct tm_intervals *s = &t->frame[TM_STACK_FUNCTIONS];
	struct tm_extent w;

	tm_metric_window(f->o, t->rank, &w);
	for (size_t i = 0; i < s->n; i++) {
		const uint32_t label = tm_interval_name(s, i);
		struct ops_function *fn;

		if (tm_interval_start(s, i) < w.lo || tm_interval_start(s, i) >= w.hi)
			continue;
		if (!at[label]) {
			fn = tm_stack_label_text(f->s, label, &f->text)
			             ? function_of(f, f->text.p ? f->text.p : "", f->text.n)
			             : NULL;
			if (!fn)
				return false;
			fn->placed |= f->text_of[label] != 0;
			at[label] = (uint32_t)(fn - f->function) + 1;
		}
		fn = &f->function[at[label] - 1];
		fn->calls++;
		fn->host += tm_interval_dur(s, i);
	}
	return true;
}

static bool count_functions(struct ops_fill *f)
{
	uint32_t *at = calloc((size_t)f->s->labels.n + 1, sizeof *at);
	bool ok = at != NULL;

	for (size_t i = 0; ok && i < f->s->nthread; i++)
		ok = count_thread(f, &f->s->thread[i], at);
	free(at);
	return ok;
}

/* Into the rows there are, now that all are known. */
static void place_functions(struct ops_fill *f)
{
	for (uint32_t i = 0; i < f->functions.n; i++) {
		const struct ops_function *fn = &f->function[i];
		struct ops_row *row = fn->placed ? tm_ops_row_find(f, (uint32_t)f->functions.key[i])
		                                 : NULL;

		if (!row)
			continue;
		row->calls += fn->calls;
		row->host += fn->host;
	}
}

/* ---- writing ---- */

static void put_ranges(const struct ops_fill *f, const struct ops_row *r, struct tm_buf *out)
{
	for (size_t i = 0; i < r->nrange; i++) {
		const struct tm_fold_range *n = &f->ranges.v[r->range + i];

		tm_state_put_text(out, n->lo ? n->lo : "", n->lo_len);
		tm_state_put_text(out, n->hi ? n->hi : "", n->hi_len);
	}
}

static bool put_row(const struct ops_fill *f, const struct ops_row *r, struct tm_state *s)
{
	const bool lost = r->key[KEY_NAME] >= LOST;
	struct tm_state_item it = { .text = "", .nv = KEPT_N, .bytes = "" };
	struct tm_buf ranges = { 0 };
	bool ok;

	it.v[KEPT_WHAT] = lost ? KEPT_LOST : KEPT_ROW;
	if (lost) {
		it.v[KEPT_HOW] = r->key[KEY_NAME] - LOST;
	} else {
		put_ranges(f, r, &ranges);
		it.text = f->texts.v[r->key[KEY_NAME]].text;
		it.len = f->texts.v[r->key[KEY_NAME]].len;
		it.bytes = ranges.p;
		it.nbytes = ranges.n;
	}
	it.v[KEPT_CALLS] = r->calls;
	it.v[KEPT_KERNELS] = r->kernels;
	put_sum(&it.v[KEPT_SELF], r->self);
	put_sum(&it.v[KEPT_TOTAL], r->total);
	put_sum(&it.v[KEPT_HOST], r->host);
	tm_state_put(s, &it);
	ok = !ranges.failed;
	tm_buf_fini(&ranges);
	return ok;
}

static bool keep(const struct ops_fill *f, struct tm_state *s)
{
	const struct tm_state_item worked = { .text = "", .nv = KEPT_N, .bytes = "" };

	if (f->ranks)
		tm_state_put(s, &worked);
	for (uint32_t i = 0; i < f->keys.n; i++)
		if (!put_row(f, &f->row[i], s))
			return false;
	for (uint32_t i = 0; i < f->functions.n; i++) {
		const struct tm_name *nm = &f->texts.v[f->functions.key[i]];
		struct tm_state_item it = {
			.text = nm->text, .len = nm->len, .nv = KEPT_N, .bytes = ""
		};

		it.v[KEPT_WHAT] = KEPT_FUNCTION;
		it.v[KEPT_HOW] = f->function[i].placed;
		it.v[KEPT_CALLS] = f->function[i].calls;
		put_sum(&it.v[KEPT_HOST], f->function[i].host);
		tm_state_put(s, &it);
	}
	return true;
}

/* ---- answering ---- */

/* A number in digits that stay. */
static bool widen(struct ops_fill *f, size_t range, const char *digits, size_t len)
{
	uint32_t id = len ? tm_names_add(&f->texts, digits, len) : 0;

	if (id == TM_NAME_NONE)
		return false;
	if (len)
		tm_fold_widen(&f->ranges.v[range], f->texts.v[id].text, len);
	return true;
}

static bool take_row(struct ops_fill *f, const struct tm_state_item *it)
{
	struct tm_state_bytes in = tm_state_bytes(it->bytes, it->nbytes);
	const uint32_t id = tm_names_add(&f->texts, it->text, it->len);
	struct ops_row *row = id == TM_NAME_NONE ? NULL : tm_ops_row(f, id, TM_NAME_NONE);

	if (!row)
		return false;
	row->calls += it->v[KEPT_CALLS];
	row->kernels += it->v[KEPT_KERNELS];
	row->self += sum_at(&it->v[KEPT_SELF]);
	row->total += sum_at(&it->v[KEPT_TOTAL]);
	row->host += sum_at(&it->v[KEPT_HOST]);
	for (size_t i = 0; i < row->nrange; i++)
		for (int side = 0; side < 2; side++) {
			size_t len;
			const char *digits = tm_state_text(&in, &len);

			if (!widen(f, row->range + i, digits, len))
				return false;
		}
	if (in.bad || in.p != in.end)
		tm_state_bad(f->o->state);
	return true;
}

static bool take_lost(struct ops_fill *f, const struct tm_state_item *it)
{
	const uint64_t how = it->v[KEPT_HOW];
	struct ops_row *row;

	if (how < TM_STACK_PLACED || how >= TM_STACK_HOWS) {
		tm_state_bad(f->o->state);
		return true;
	}
	row = tm_ops_row(f, LOST + how, TM_NAME_NONE);
	if (!row)
		return false;
	row->kernels += it->v[KEPT_KERNELS];
	row->self += sum_at(&it->v[KEPT_SELF]);
	f->lost[how] += it->v[KEPT_KERNELS];
	f->lost_ops += it->v[KEPT_KERNELS];
	f->lost_ns += sum_at(&it->v[KEPT_SELF]);
	return true;
}

static bool take(void *arg, uint64_t rank, const struct tm_state_item *it)
{
	struct ops_fill *f = arg;
	struct ops_function *fn;

	switch ((enum what)(it->v[KEPT_WHAT] < KEPT_WHATS ? it->v[KEPT_WHAT] : KEPT_WHATS)) {
	case KEPT_WORKED:
		f->rank = rank;
		return true;
	case KEPT_ROW:
		return take_row(f, it);
	case KEPT_LOST:
		return take_lost(f, it);
	case KEPT_FUNCTION:
		fn = function_of(f, it->text, it->len);
		if (!fn)
			return false;
		fn->placed |= it->v[KEPT_HOW] != 0;
		fn->calls += it->v[KEPT_CALLS];
		fn->host += sum_at(&it->v[KEPT_HOST]);
		return true;
	case KEPT_WHATS:
		break;
	}
	tm_state_bad(f->o->state);
	return true;
}

bool tm_ops_state(struct ops_fill *f)
{
	struct tm_state *s = f->o->state;
	uint64_t *const sums[] = { &f->ops, &f->ranks, &f->s->untimed, &f->s->stats };

	if (!count_functions(f) || (s->writing && !keep(f, s)))
		return false;
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		tm_state_add(s, sums[i]);
	f->all = tm_state_sum(s, f->all);
	f->place.deep = tm_state_sum(s, f->place.deep) != 0;
	if (!tm_state_each(s, KEPT_N, take, f))
		return false;
	place_functions(f);
	return true;
}
