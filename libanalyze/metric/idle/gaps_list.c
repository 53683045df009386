/* SPDX-License-Identifier: MIT
 * The gaps themselves, longest first.
 *
 * How long the shortest is that will be printed is found out before any is kept, so that only the
 * rows asked for are: a trace has millions of gaps. */
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
	                 .about = "when it began, on the clock of the trace" },
	[LIST_GAP] = { .name = "gap_ns",
	               .title = "GAP",
	               .unit = TM_UNIT_NS,
	               .about = "how long it was" },
	[LIST_PREV] = { .name = "prev",
	                .title = "PREVIOUS",
	                .unit = TM_UNIT_TEXT,
	                .about = "operation that ended last before it",
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
	                                 .about = "as in the usual table",
	                                 .spare = 1 },
	[LIST_CAUSE + TM_CAUSE_HOST] = { .name = "host_ns",
	                                 .title = "+HOST",
	                                 .unit = TM_UNIT_NS,
	                                 .about = "as in the usual table",
	                                 .spare = 1 },
	[LIST_CAUSE + TM_CAUSE_LAUNCH] = { .name = "launch_ns",
	                                   .title = "+LAUNCH",
	                                   .unit = TM_UNIT_NS,
	                                   .about = "as in the usual table",
	                                   .spare = 1 },
	[LIST_CAUSE + TM_CAUSE_DEVICE] = { .name = "device_ns",
	                                   .title = "+DEVICE",
	                                   .unit = TM_UNIT_NS,
	                                   .about = "as in the usual table",
	                                   .spare = 1 },
	[LIST_CAUSE + TM_CAUSE_UNKNOWN] = { .name = "unknown_ns",
	                                    .title = "+UNKNOWN",
	                                    .unit = TM_UNIT_NS,
	                                    .about = "as in the usual table",
	                                    .spare = 1 },
	[LIST_CALL] = { .name = "host_call",
	                .title = "HOST CALL",
	                .unit = TM_UNIT_TEXT,
	                .about = "call that covers more of it than any other, on the thread of the "
	                         "next "
	                         "operation" },
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

/* Those that will be printed: by lane, then start. */
struct list {
	struct listed *v;
	size_t n, cap;
	uint64_t all;      /* how many gaps there are */
	uint64_t shortest; /* of those in the list */
	uint64_t equal;    /* how many of that length are */
};

/* Each gap of all lanes: counted and measured without an *s, added to it with one. */
static void go_through(const struct tm_work *w, struct list *list, uint64_t *longest,
                       struct tm_nth *s)
{
	for (size_t i = 0; i < w->ntrack; i += tm_work_same(w, i)) {
		struct gaps_lane l = gaps_lane(w, i);
		struct gaps_walk walk = tm_gaps_walk(&l);
		struct gap g;

		while (tm_gaps_next(&walk, &g)) {
			uint64_t length = gaps_length(&g);

			if (s) {
				tm_nth_add(s, length);
				continue;
			}
			list->all++;
			*longest = length > *longest ? length : *longest;
		}
	}
}

/* How long the last one is that is among the first `limit` (0 = all). */
static bool find_shortest(const struct tm_work *w, uint64_t limit, struct list *list)
{
	struct tm_nth *s = malloc(sizeof *s);
	uint64_t longest = 0;

	if (!s)
		return false;
	go_through(w, list, &longest, NULL);
	list->equal = UINT64_MAX;
	tm_nth_init(s, limit && limit < list->all ? list->all - limit + 1 : 0, longest);
	while (tm_nth_again(s)) {
		go_through(w, list, &longest, s);
		tm_nth_settle(s);
		list->shortest = s->value;
		list->equal = limit - (list->all - s->below - s->equal);
	}
	free(s);
	return true;
}

static uint32_t name_beside(const struct gaps_lane *l, struct gaps_beside b)
{
	return b.any ? tm_interval_name(gaps_ops(l, b), b.i) : TM_NAME_NONE;
}

/* A gap that is in the list, but for the call. */
static bool take_gap(struct gaps_fill *f, struct list *list, const struct gaps_lane *l,
                     const struct gap *g)
{
	struct listed x = { .at = g->at,
		            .prev = name_beside(l, g->prev),
		            .next = name_beside(l, g->next),
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

static bool gather_lane(struct gaps_fill *f, struct list *list, const struct gaps_lane *l)
{
	struct gaps_walk walk = tm_gaps_walk(l);
	struct tm_calls_found found;
	struct gap g;

	if (!tm_gaps_rank_ready(f, l->t->rank))
		return false;
	tm_gaps_count_found(f, l, &found);
	while (tm_gaps_next(&walk, &g)) {
		uint64_t length = gaps_length(&g);

		if (length < list->shortest || (length == list->shortest && !list->equal))
			continue;
		list->equal -= length == list->shortest;
		if (!take_gap(f, list, l, &g))
			return false;
	}
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

	for (size_t i = 0, first; i < w->ntrack;) {
		uint64_t rank = w->track[i].rank;

		first = list->n;
		for (; i < w->ntrack && w->track[i].rank == rank; i += tm_work_same(w, i)) {
			struct gaps_lane l = gaps_lane(w, i);

			if (!gather_lane(f, list, &l))
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

/* Only the rows that will be printed are made: a trace has millions of gaps. */
bool tm_gaps_fill_list(struct gaps_fill *f)
{
	uint64_t limit = f->o->nsort ? 0 : f->o->limit;
	struct list list = { 0 };
	bool ok = f->w->nthread < UINT32_MAX && f->w->ntrack < UINT32_MAX &&
	          find_shortest(f->w, limit, &list) && gather(f, &list) && list_rows(f, &list);

	free(list.v);
	if (ok)
		f->t->more = list.all - f->t->nrows;
	return ok && tm_work_origins(f->w, f->t);
}
