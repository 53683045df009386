/* SPDX-License-Identifier: MIT
 * The gaps themselves, longest first.
 *
 * How long the shortest is that will be printed is found out before any is kept, so that only the
 * rows asked for are: a trace has millions of gaps. */
#include "agg/agg.h"
#include "metric/gaps_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LIST_START = COL_OWN,
	LIST_GAP,
	LIST_PREV,
	LIST_NEXT,
	LIST_CAUSE, /* CAUSES of them */
	LIST_CALL = LIST_CAUSE + CAUSES,
	LIST_N,
};

const struct column gaps_list_columns[] = {
	WHOSE,
	[LIST_START] = { .name = "start_ns",
	                 .title = "START",
	                 .unit = UNIT_ID,
	                 .about = "when it began, on the clock of the trace",
	                 .spare = 9 },
	[LIST_GAP] = { .name = "gap_ns",
	               .title = "GAP",
	               .unit = UNIT_NS,
	               .about = "how long it was" },
	[LIST_PREV] = { .name = "prev",
	                .title = "PREVIOUS",
	                .unit = UNIT_TEXT,
	                .about = "operation that ended last before it",
	                .elastic = true },
	[LIST_NEXT] = { .name = "next",
	                .title = "NEXT",
	                .unit = UNIT_TEXT,
	                .about = "operation that ended it",
	                .elastic = true },
	[LIST_CAUSE + CAUSE_SYNC] = { .name = "sync_ns",
	                              .title = "SYNC",
	                              .unit = UNIT_NS,
	                              .about = "as in the usual table",
	                              .spare = 1 },
	[LIST_CAUSE + CAUSE_HOST] = { .name = "host_ns",
	                              .title = "+HOST",
	                              .unit = UNIT_NS,
	                              .about = "as in the usual table",
	                              .spare = 1 },
	[LIST_CAUSE + CAUSE_LAUNCH] = { .name = "launch_ns",
	                                .title = "+LAUNCH",
	                                .unit = UNIT_NS,
	                                .about = "as in the usual table",
	                                .spare = 1 },
	[LIST_CAUSE + CAUSE_DEVICE] = { .name = "device_ns",
	                                .title = "+DEVICE",
	                                .unit = UNIT_NS,
	                                .about = "as in the usual table",
	                                .spare = 1 },
	[LIST_CAUSE + CAUSE_UNKNOWN] = { .name = "unknown_ns",
	                                 .title = "+UNKNOWN",
	                                 .unit = UNIT_NS,
	                                 .about = "as in the usual table",
	                                 .spare = 1 },
	[LIST_CALL] = { .name = "host_call",
	                .title = "HOST CALL",
	                .unit = UNIT_TEXT,
	                .about = "call that covers most of it, on the thread of the next "
	                         "operation" },
	[LIST_N] = { 0 },
};

/* A gap with all there is to say of it. */
struct listed {
	struct extent at;
	uint64_t part[CAUSE_UNKNOWN]; /* what is left is not known */
	uint32_t prev, next, call;    /* names, or NAME_NONE */
	uint32_t lane;                /* its first track */
	uint32_t thread;              /* where the next operation came from, or UINT32_MAX */
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
static void go_through(const struct work *w, struct list *list, uint64_t *longest, struct nth *s)
{
	for (size_t i = 0; i < w->ntrack; i += work_same(w, i)) {
		struct gaps_lane l = gaps_lane(w, i);
		struct gaps_walk walk = gaps_walk(&l);
		struct gap g;

		while (gaps_next(&walk, &g)) {
			uint64_t length = gaps_length(&g);

			if (s) {
				nth_add(s, length);
				continue;
			}
			list->all++;
			*longest = length > *longest ? length : *longest;
		}
	}
}

/* How long the last one is that is among the first `limit` (0 = all). */
static bool find_shortest(const struct work *w, uint64_t limit, struct list *list)
{
	struct nth *s = malloc(sizeof *s);
	uint64_t longest = 0;

	if (!s)
		return false;
	go_through(w, list, &longest, NULL);
	list->equal = UINT64_MAX;
	nth_init(s, limit && limit < list->all ? list->all - limit + 1 : 0, longest);
	while (nth_again(s)) {
		go_through(w, list, &longest, s);
		nth_settle(s);
		list->shortest = s->value;
		list->equal = limit - (list->all - s->below - s->equal);
	}
	free(s);
	return true;
}

static uint32_t name_beside(const struct gaps_lane *l, struct gaps_beside b)
{
	return b.any ? interval_name(gaps_ops(l, b), b.i) : NAME_NONE;
}

/* A gap that is in the list, but for the call. */
static bool take_gap(struct gaps_fill *f, struct list *list, const struct gaps_lane *l,
                     const struct gap *g)
{
	struct listed x = { .at = g->at,
		            .prev = name_beside(l, g->prev),
		            .next = name_beside(l, g->next),
		            .call = NAME_NONE,
		            .lane = (uint32_t)(l->t - f->w->track) };
	uint64_t part[CAUSES];
	size_t thread;

	if (!grow_array(&list->v, &list->cap, list->n + 1, sizeof *list->v) ||
	    !gaps_split(f, l, g, part, &thread))
		return false;
	memcpy(x.part, part, sizeof x.part);
	x.thread = thread == CALL_NONE ? UINT32_MAX : (uint32_t)thread;
	list->v[list->n++] = x;
	return true;
}

static bool gather_lane(struct gaps_fill *f, struct list *list, const struct gaps_lane *l)
{
	struct gaps_walk walk = gaps_walk(l);
	struct gaps_found found;
	struct gap g;

	if (!gaps_rank_ready(f, l->t->rank))
		return false;
	gaps_count_found(f, l, &found);
	while (gaps_next(&walk, &g)) {
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
		    !causes_call(&f->causes, x->at, x->thread, &any, &name))
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
	const struct work *w = f->w;

	for (size_t i = 0, first; i < w->ntrack;) {
		uint64_t rank = w->track[i].rank;

		first = list->n;
		for (; i < w->ntrack && w->track[i].rank == rank; i += work_same(w, i)) {
			struct gaps_lane l = gaps_lane(w, i);

			if (!gather_lane(f, list, &l))
				return false;
		}
		if (!name_calls(f, list, first))
			return false;
	}
	return true;
}

static struct cell name_cell(const struct work *w, uint32_t name)
{
	if (name == NAME_NONE)
		return cell_none();
	return cell_text(w->names.v[name].text, w->names.v[name].len);
}

static bool list_row(struct gaps_fill *f, const struct listed *x)
{
	const struct gaps_lane l = { &f->w->track[x->lane], 1 };
	struct cell *cell = gaps_row(f, &l);
	uint64_t unknown = x->at.hi - x->at.lo;

	if (!cell)
		return false;
	cell[f->place[LIST_START]] = cell_u64(x->at.lo);
	cell[f->place[LIST_GAP]] = cell_u64(unknown);
	cell[f->place[LIST_PREV]] = name_cell(f->w, x->prev);
	cell[f->place[LIST_NEXT]] = name_cell(f->w, x->next);
	for (int c = 0; c < CAUSE_UNKNOWN; c++) {
		cell[f->place[LIST_CAUSE + c]] = cell_u64(x->part[c]);
		unknown -= x->part[c];
	}
	cell[f->place[LIST_CAUSE + CAUSE_UNKNOWN]] = cell_u64(unknown);
	cell[f->place[LIST_CALL]] = name_cell(f->w, x->call);
	return true;
}

/* Longest first, then as they are in the list: lengths from above, in a list that is sorted in
 * place. */
static bool list_rows(struct gaps_fill *f, const struct list *list)
{
	struct intervals order = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < list->n; i++) {
		uint64_t key = UINT64_MAX - (list->v[i].at.hi - list->v[i].at.lo);

		ok = intervals_add(&order, key, key, i, 0);
	}
	intervals_sort(&order, NULL);
	for (size_t i = 0; ok && i < list->n; i++)
		ok = list_row(f, &list->v[interval_tag(&order, i)]);
	intervals_fini(&order);
	return ok;
}

/* Only the rows that will be printed are made: a trace has millions of gaps. */
bool gaps_fill_list(struct gaps_fill *f, struct report *rep)
{
	uint64_t limit = f->o->nsort ? 0 : f->o->limit;
	struct list list = { 0 };
	bool ok = f->w->nthread < UINT32_MAX && f->w->ntrack < UINT32_MAX &&
	          find_shortest(f->w, limit, &list) && gather(f, &list) && list_rows(f, &list);

	free(list.v);
	if (ok && limit && limit < list.all && f->o->limit_usual)
		report_add(rep, SEV_NOTE, NULL, 0, "%zu of %" PRIu64 " rows; -n 0 shows all",
		           f->t->nrows, list.all);
	return ok;
}
