/* SPDX-License-Identifier: MIT
 * The gaps themselves, longest first.
 *
 * Only as many are kept as rows are asked for, on the way through all of them: a trace has millions
 * of gaps. */
#include "agg/agg.h"
#include "metric/idle/gaps_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LIST_START = COL_OWN,
	LIST_GAP,
	LIST_PREV,
	LIST_NEXT,
	LIST_CAUSE, /* TM_CAUSES of them */
	LIST_CALL = LIST_CAUSE + TM_CAUSES,
	LIST_N,
};

const struct tm_column tm_gaps_list_columns[] = {
	WHOSE,
	[LIST_START] = { .name = "start_ns",
	                 .title = "START",
	                 .unit = TM_UNIT_TIME,
	                 .about = "start, on the trace clock" },
	[LIST_GAP] = { .name = "gap_ns", .title = "GAP", .unit = TM_UNIT_NS, .about = "length" },
	[LIST_PREV] = { .name = "prev",
	                .title = "PREVIOUS",
	                .unit = TM_UNIT_TEXT,
	                .about = "last operation to end before it",
	                .which = true,
	                .elastic = true },
	[LIST_NEXT] = { .name = "next",
	                .title = "NEXT",
	                .unit = TM_UNIT_TEXT,
	                .about = "operation that ended it",
	                .which = true,
	                .elastic = true },
	[LIST_CAUSE + TM_CAUSE_SYNC] = { .name = "sync_ns",
	                                 .title = "SYNC",
	                                 .unit = TM_UNIT_NS,
	                                 .about = "as in the default table",
	                                 .spare = 1 },
	[LIST_CAUSE + TM_CAUSE_HOST] = { .name = "host_ns",
	                                 .title = "+HOST",
	                                 .unit = TM_UNIT_NS,
	                                 .about = "as in the default table",
	                                 .spare = 1 },
	[LIST_CAUSE + TM_CAUSE_LAUNCH] = { .name = "launch_ns",
	                                   .title = "+LAUNCH",
	                                   .unit = TM_UNIT_NS,
	                                   .about = "as in the default table",
	                                   .spare = 1 },
	[LIST_CAUSE + TM_CAUSE_DEVICE] = { .name = "device_ns",
	                                   .title = "+DEVICE",
	                                   .unit = TM_UNIT_NS,
	                                   .about = "as in the default table",
	                                   .spare = 1 },
	[LIST_CAUSE + TM_CAUSE_UNKNOWN] = { .name = "unknown_ns",
	                                    .title = "+UNKNOWN",
	                                    .unit = TM_UNIT_NS,
	                                    .about = "as in the default table",
	                                    .spare = 1 },
	[LIST_CALL] = { .name = "host_call",
	                .title = "HOST CALL",
	                .unit = TM_UNIT_TEXT,
	                .about = "call that covers it most, on the launching thread" },
	[LIST_N] = { 0 },
};

/* A gap with all there is to say of it. */
struct listed {
	struct tm_extent at;
	uint64_t part[TM_CAUSE_UNKNOWN]; /* what is left is not known */
	uint32_t prev, next, call;       /* names, or TM_NAME_NONE */
	uint32_t lane;                   /* its first track */
	uint32_t thread;                 /* where the next operation came from, or UINT32_MAX */
};

/* A gap that will be printed, as far as is known. */
struct found {
	struct gap gap;
	uint64_t number; /* of all gaps of all lanes */
	size_t lane;
};

/* Those that will be printed: by lane, then start. */
struct list {
	struct listed *v;
	size_t n, cap;
	struct found *found; /* while they are looked for with a limit: a heap, the last to be
	                      * printed on top */
	size_t nfound, found_cap;
	uint64_t all; /* how many gaps there are */
};

/* How long a gap is at most that will not be printed, as far as is known; each has a length. */
static uint64_t too_short(const struct list *list, uint64_t limit)
{
	return limit && list->nfound == limit ? gaps_length(&list->found[0].gap) : 0;
}

/* Longest first; of equal ones those that come first stay. */
static bool is_before(const struct found *a, const struct found *b)
{
	const uint64_t x = gaps_length(&a->gap), y = gaps_length(&b->gap);

	return x != y ? x > y : a->number < b->number;
}

static void sift_up(struct found *v, size_t i, struct found x)
{
	for (; i && is_before(&v[(i - 1) / 2], &x); i = (i - 1) / 2)
		v[i] = v[(i - 1) / 2];
	v[i] = x;
}

static void sift_down(struct found *v, size_t n, struct found x)
{
	size_t i = 0;

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && is_before(&v[child], &v[child + 1]))
			child++;
		if (!is_before(&x, &v[child]))
			break;
		v[i] = v[child];
	}
	v[i] = x;
}

/* One more gap that is not too short, of which the first `limit` will be printed (0 = all). */
static bool keep_gap(struct list *list, uint64_t limit, const struct gap *g, size_t lane)
{
	const uint64_t number = list->all++;
	struct found x;

	x = (struct found) { *g, number, lane };
	if (limit && list->nfound == limit) {
		sift_down(list->found, list->nfound, x);
		return true;
	}
	if (!tm_grow_array(&list->found, &list->found_cap, list->nfound + 1, sizeof *list->found))
		return false;
	if (limit)
		sift_up(list->found, list->nfound, x);
	else
		list->found[list->nfound] = x;
	list->nfound++;
	return true;
}

static int by_number(const void *pa, const void *pb, void *arg)
{
	const struct found *a = pa, *b = pb;

	(void)arg;
	return tm_u64_cmp(a->number, b->number);
}

/* Fill in `found`, in the order of lanes and time.  False when out of memory. */
static bool find_gaps(const struct tm_work *w, uint64_t limit, struct list *list)
{
	for (size_t i = 0; i < w->ntrack; i += tm_work_same(w, i)) {
		struct gaps_lane l = gaps_lane(w, i);
		struct gaps_walk walk = tm_gaps_walk(&l);
		struct tm_pieces_passed passed = { 0 };
		struct gap g;
		bool more;

		do {
			const uint64_t before = passed.gaps;

			more = tm_gaps_longer(&walk, too_short(list, limit), &passed, &g);
			/* Most gaps are none of the longest. */
			list->all += passed.gaps - before;
			if (more && !keep_gap(list, limit, &g, i))
				return false;
		} while (more);
	}
	tm_sort_in_place(list->found, list->nfound, sizeof *list->found, by_number, NULL);
	return true;
}

/* A gap that is in the list, but for the call. */
static bool take_gap(struct gaps_fill *f, struct list *list, const struct gaps_lane *l,
                     const struct gap *g)
{
	struct listed x = { .at = g->at,
		            .prev = gaps_name_beside(l, g->prev),
		            .next = gaps_name_beside(l, g->next),
		            .call = TM_NAME_NONE,
		            .lane = (uint32_t)(l->t - f->w->track) };
	uint64_t part[TM_CAUSES];
	size_t thread;

	if (!tm_grow_array(&list->v, &list->cap, list->n + 1, sizeof *list->v) ||
	    !tm_gaps_split(f, l, g, part, &thread))
		return false;
	memcpy(x.part, part, sizeof x.part);
	x.thread = thread == TM_CALL_NONE ? UINT32_MAX : (uint32_t)thread;
	list->v[list->n++] = x;
	return true;
}

/* Those of a lane, from *at on. */
static bool gather_lane(struct gaps_fill *f, struct list *list, const struct gaps_lane *l,
                        size_t *at)
{
	const size_t lane = (size_t)(l->t - f->w->track);
	struct tm_calls_found found;

	if (!tm_gaps_rank_ready(f, l->t->rank))
		return false;
	tm_gaps_count_found(f, l, &found);
	for (; *at < list->nfound && list->found[*at].lane == lane; ++*at)
		if (!take_gap(f, list, l, &list->found[*at].gap))
			return false;
	return true;
}

/* The calls of the gaps from `first` on, all of one rank. */
static bool name_calls(struct gaps_fill *f, struct list *list, size_t first)
{
	for (size_t i = first; i < list->n; i++) {
		struct listed *x = &list->v[i];
		uint32_t name;
		bool any = false;

		if (x->thread != UINT32_MAX &&
		    !tm_causes_call(&f->causes, x->at, x->thread, &any, &name))
			return false;
		if (any)
			x->call = name;
	}
	return true;
}

/* Rank by rank: first who launched what, then what the threads did, for the calls are there once.
 */
static bool gather(struct gaps_fill *f, struct list *list)
{
	const struct tm_work *w = f->w;

	for (size_t i = 0, first, at = 0; i < w->ntrack;) {
		uint64_t rank = w->track[i].rank;

		first = list->n;
		for (; i < w->ntrack && w->track[i].rank == rank; i += tm_work_same(w, i)) {
			struct gaps_lane l = gaps_lane(w, i);

			if (!gather_lane(f, list, &l, &at))
				return false;
		}
		if (!name_calls(f, list, first))
			return false;
	}
	return true;
}

static struct tm_cell name_cell(const struct tm_work *w, uint32_t name)
{
	if (name == TM_NAME_NONE)
		return tm_cell_none();
	return tm_cell_text(w->names.v[name].text, w->names.v[name].len);
}

static bool list_row(struct gaps_fill *f, const struct listed *x)
{
	const struct gaps_lane l = { &f->w->track[x->lane], 1 };
	struct tm_cell *cell = tm_gaps_row(f, &l);
	uint64_t unknown = x->at.hi - x->at.lo;

	if (!cell)
		return false;
	cell[f->place[LIST_START]] = tm_cell_u64(x->at.lo);
	cell[f->place[LIST_GAP]] = tm_cell_u64(unknown);
	cell[f->place[LIST_PREV]] = name_cell(f->w, x->prev);
	cell[f->place[LIST_NEXT]] = name_cell(f->w, x->next);
	for (int c = 0; c < TM_CAUSE_UNKNOWN; c++) {
		cell[f->place[LIST_CAUSE + c]] = tm_cell_u64(x->part[c]);
		unknown -= x->part[c];
	}
	cell[f->place[LIST_CAUSE + TM_CAUSE_UNKNOWN]] = tm_cell_u64(unknown);
	cell[f->place[LIST_CALL]] = name_cell(f->w, x->call);
	return true;
}

/* Longest first, then as they are in the list: lengths from above, in a list that is sorted in
 * place. */
static bool list_rows(struct gaps_fill *f, const struct list *list)
{
	struct tm_intervals order = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < list->n; i++) {
		uint64_t key = UINT64_MAX - (list->v[i].at.hi - list->v[i].at.lo);

		ok = tm_intervals_add(&order, key, key, i, 0);
	}
	tm_intervals_sort(&order, NULL);
	for (size_t i = 0; ok && i < list->n; i++)
		ok = list_row(f, &list->v[tm_interval_tag(&order, i)]);
	tm_intervals_fini(&order);
	return ok;
}

bool tm_gaps_fill_list(struct gaps_fill *f)
{
	uint64_t limit = f->o->nsort ? 0 : f->o->limit;
	struct list list = { 0 };
	bool ok = f->w->nthread < UINT32_MAX && f->w->ntrack < UINT32_MAX &&
	          find_gaps(f->w, limit, &list) && gather(f, &list) && list_rows(f, &list);

	free(list.v);
	free(list.found);
	if (ok)
		f->t->more = list.all - f->t->nrows;
	return ok && tm_work_origins(f->w, f->t);
}
