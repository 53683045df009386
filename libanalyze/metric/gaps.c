/* SPDX-License-Identifier: MIT
 * When did the GPU wait for its next operation, and for what?
 *
 * A gap lies between two stretches of busy time of an agent (with --per, of a queue or stream), or at
 * an edge of the window; together they are its idle time.  The causes are those of metric/causes.h,
 * by the API call of the operation that ends the gap.
 *
 * Blind to what was not traced: without copies in the input, copying is a gap. */
#include "metric/gaps.h"

#include "agg/nth.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { REPRESENTATIVE_PCT = 90 };

extern const struct metric metric_gaps;

/* The first columns of every view. */
enum { COL_RANK, COL_AGENT, COL_QUEUE, COL_STREAM, COL_OWN };

#define WHOSE                                                                                      \
	[COL_RANK] = { .name = "rank",                                                             \
		       .title = "RANK",                                                            \
		       .unit = UNIT_ID,                                                            \
		       .about = "process of the job" },                                            \
	[COL_AGENT] = { .name = "agent",                                                           \
		        .title = "AGENT",                                                          \
		        .unit = UNIT_TEXT,                                                         \
		        .about = "agent as the producer numbers it" },                             \
	[COL_QUEUE] = { .name = "queue",                                                           \
		        .title = "QUEUE",                                                          \
		        .unit = UNIT_ID,                                                           \
		        .about = "queue, with --per queue" },                                      \
	[COL_STREAM] = { .name = "stream",                                                         \
		         .title = "STREAM",                                                        \
		         .unit = UNIT_ID,                                                          \
		         .about = "stream, with --per stream" }

enum {
	COL_GAPS = COL_OWN,
	COL_IDLE,
	COL_IDLE_PCT,
	COL_P50,
	COL_P90,
	COL_P99,
	COL_MAX,
	COL_CAUSE, /* CAUSES of them */
	COL_MATCHED = COL_CAUSE + CAUSES,
	COL_N,
};

static const struct column columns[] = {
	WHOSE,
	[COL_GAPS] = { .name = "gaps",
	               .title = "GAPS",
	               .unit = UNIT_COUNT,
	               .about = "times at which nothing ran" },
	[COL_IDLE] = { .name = "idle_ns", .title = "IDLE", .unit = UNIT_NS, .about = "their sum" },
	[COL_IDLE_PCT] = { .name = "idle_pct",
	                   .title = "IDLE%",
	                   .unit = UNIT_PCT,
	                   .about = "idle_ns / window" },
	[COL_P50] = { .name = "p50_ns",
	              .title = "P50",
	              .unit = UNIT_NS,
	              .about = "half of the gaps are not longer",
	              .spare = 4 },
	[COL_P90] = { .name = "p90_ns",
	              .title = "P90",
	              .unit = UNIT_NS,
	              .about = "90 % of the gaps are not longer",
	              .spare = 5 },
	[COL_P99] = { .name = "p99_ns",
	              .title = "P99",
	              .unit = UNIT_NS,
	              .about = "99 % of the gaps are not longer",
	              .spare = 6 },
	[COL_MAX] = { .name = "max_ns",
	              .title = "MAX",
	              .unit = UNIT_NS,
	              .about = "longest gap",
	              .spare = 7 },
	[COL_CAUSE + CAUSE_SYNC] = { .name = "sync_ns",
	                             .title = "SYNC",
	                             .unit = UNIT_NS,
	                             .about = "the host waited for the GPU, then launched" },
	[COL_CAUSE + CAUSE_HOST] = { .name = "host_ns",
	                             .title = "+HOST",
	                             .unit = UNIT_NS,
	                             .about = "the host was late otherwise" },
	[COL_CAUSE + CAUSE_LAUNCH] = { .name = "launch_ns",
	                               .title = "+LAUNCH",
	                               .unit = UNIT_NS,
	                               .about = "inside the launching call" },
	[COL_CAUSE + CAUSE_DEVICE] = { .name = "device_ns",
	                               .title = "+DEVICE",
	                               .unit = UNIT_NS,
	                               .about = "launched, not started" },
	[COL_CAUSE + CAUSE_UNKNOWN] = { .name = "unknown_ns",
	                                .title = "+UNKNOWN",
	                                .unit = UNIT_NS,
	                                .about = "no API call found for the next operation" },
	[COL_MATCHED] = { .name = "matched_pct",
	                  .title = "MATCHED",
	                  .unit = UNIT_PCT,
	                  .about = "share of the operations whose API call was found",
	                  .spare = 3 },
	[COL_N] = { 0 },
};

enum {
	LIST_START = COL_OWN,
	LIST_GAP,
	LIST_PREV,
	LIST_NEXT,
	LIST_CAUSE, /* CAUSES of them */
	LIST_CALL = LIST_CAUSE + CAUSES,
	LIST_N,
};

static const struct column list_columns[] = {
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
	                              .about = "as in the usual table" },
	[LIST_CAUSE + CAUSE_HOST] = { .name = "host_ns",
	                              .title = "+HOST",
	                              .unit = UNIT_NS,
	                              .about = "as in the usual table" },
	[LIST_CAUSE + CAUSE_LAUNCH] = { .name = "launch_ns",
	                                .title = "+LAUNCH",
	                                .unit = UNIT_NS,
	                                .about = "as in the usual table" },
	[LIST_CAUSE + CAUSE_DEVICE] = { .name = "device_ns",
	                                .title = "+DEVICE",
	                                .unit = UNIT_NS,
	                                .about = "as in the usual table" },
	[LIST_CAUSE + CAUSE_UNKNOWN] = { .name = "unknown_ns",
	                                 .title = "+UNKNOWN",
	                                 .unit = UNIT_NS,
	                                 .about = "as in the usual table" },
	[LIST_CALL] = { .name = "host_call",
	                .title = "HOST CALL",
	                .unit = UNIT_TEXT,
	                .about = "call that covers most of it, on the thread of the next "
	                         "operation" },
	[LIST_N] = { 0 },
};

enum { HIST_FROM = COL_OWN, HIST_TO, HIST_GAPS, HIST_TOTAL, HIST_N };

static const struct column hist_columns[] = {
	WHOSE,
	[HIST_FROM] = { .name = "from_ns",
	                .title = "FROM",
	                .unit = UNIT_NS,
	                .about = "gaps at least so long" },
	[HIST_TO] = { .name = "to_ns",
	              .title = "TO",
	              .unit = UNIT_NS,
	              .about = "and shorter than this" },
	[HIST_GAPS] = { .name = "gaps", .title = "GAPS", .unit = UNIT_COUNT, .about = "how many" },
	[HIST_TOTAL] = { .name = "total_ns",
	                 .title = "TOTAL",
	                 .unit = UNIT_NS,
	                 .about = "their sum",
	                 .bar = true },
	[HIST_N] = { 0 },
};

static const struct metric_view views[] = {
	{ .columns = columns },
	{ .option = "list",
	  .about = "the gaps themselves, longest first",
	  .columns = list_columns },
	{ .option = "hist",
	  .about = "how many gaps are how long",
	  .columns = hist_columns,
	  .whole = true },
	{ 0 },
};

static bool is_view(const struct metric_opts *o, const char *name)
{
	return o->view && !strcmp(o->view, name);
}

static unsigned keep(const struct metric_opts *o)
{
	unsigned k = 0;

	if (o->per & PER_QUEUE)
		k |= WORK_QUEUES;
	else if (o->per & PER_STREAM)
		k |= WORK_STREAMS;
	if (!is_view(o, "hist"))
		k |= GAPS_KEEP;
	if (is_view(o, "list"))
		k |= WORK_OP_NAMES | WORK_CALL_NAMES;
	return k;
}

static bool init(void *acc, const void *arg)
{
	return work_init(acc, arg, keep(arg));
}

static uint64_t want(const struct metric_opts *o)
{
	return work_want(keep(o));
}

static const char *per_of(const struct metric_opts *o, const char *column)
{
	if (!strcmp(column, "queue") && !(o->per & PER_QUEUE))
		return "queue";
	if (!strcmp(column, "stream") && !(o->per & PER_STREAM))
		return "stream";
	return NULL;
}

/* ---- gaps of a track ---- */

/* Tracks that differ in their process only. */
struct lane {
	const struct work_track *t;
	size_t n;
};

/* An operation beside a gap. */
struct beside {
	bool any;
	unsigned list; /* of work_pieces_same */
	size_t i;
};

struct gap {
	struct extent at;
	struct beside prev, next;
};

struct walk {
	struct pieces p;
	uint64_t edge; /* end of what was busy so far */
	struct beside last;
	bool done;
};

static struct walk walk_of(const struct lane *l)
{
	struct walk w = { .p = work_pieces_same(l->t, l->n) };

	w.edge = w.p.window.lo;
	return w;
}

static bool next_gap(struct walk *w, struct gap *g)
{
	struct extent busy;

	while (!w->done) {
		*g = (struct gap) { .at.lo = w->edge, .prev = w->last };
		w->done = !pieces_next(&w->p, &busy);
		if (w->done) {
			g->at.hi = w->p.window.hi;
			return g->at.lo < g->at.hi;
		}
		g->at.hi = busy.lo;
		g->next = (struct beside) { true, w->p.opener_list, w->p.opener };
		w->edge = busy.hi;
		w->last = (struct beside) { true, w->p.closer_list, w->p.closer };
		if (g->at.lo < g->at.hi)
			return true;
	}
	return false;
}

static const struct intervals *ops_of(const struct lane *l, struct beside b)
{
	return &l->t[b.list / WORK_KINDS].op[b.list % WORK_KINDS];
}

/* ---- what all of it is worked out with ---- */

struct fill {
	struct work *w;
	const struct metric_opts *o;
	struct table *t;
	unsigned char place[TABLE_COLUMNS]; /* column of the view -> cell of a row */
	uint64_t rank;                      /* whose calls and causes these are */
	bool ready;
	struct calls calls;
	struct causes causes;
	uint64_t lanes, few; /* agents (queues, streams), and those with too few calls found */
};

static void fill_fini(struct fill *f)
{
	calls_fini(&f->calls);
	causes_fini(&f->causes);
}

static bool rank_ready(struct fill *f, uint64_t rank)
{
	if (f->ready && f->rank == rank)
		return true;
	fill_fini(f);
	f->rank = rank;
	f->ready = true;
	return calls_init(&f->calls, f->w, rank, is_view(f->o, "list")) &&
	       causes_init(&f->causes, f->w, &f->calls, rank);
}

/* The columns of the view that --per leaves. */
static void begin(struct fill *f, const struct column *all)
{
	const struct column *some[TABLE_COLUMNS];
	size_t n = 0;

	for (size_t i = 0; all[i].name; i++) {
		f->place[i] = (unsigned char)n;
		if (!per_of(f->o, all[i].name))
			some[n++] = &all[i];
	}
	table_init(f->t, some, n);
}

/* A row with its first cells; NULL when out of memory. */
static struct cell *row_of(struct fill *f, const struct lane *l)
{
	struct cell *cell = table_row(f->t), lane;

	if (!cell)
		return NULL;
	lane = l->t->has_lane ? cell_u64(l->t->lane) : cell_none();
	cell[f->place[COL_RANK]] = cell_u64(l->t->rank);
	cell[f->place[COL_AGENT]] = work_agent_cell(f->t, l->t->has_agent, l->t->agent);
	if (f->o->per)
		cell[f->place[f->o->per & PER_QUEUE ? COL_QUEUE : COL_STREAM]] = lane;
	return cell;
}

/* *thread is where the operation came from, in work.thread; CALL_NONE = not known. */
static bool split(struct fill *f, const struct lane *l, const struct gap *g, uint64_t out[CAUSES],
                  size_t *thread)
{
	size_t call = CALL_NONE;

	*thread = CALL_NONE;
	if (g->next.any) {
		const struct work_track *t = &l->t[g->next.list / WORK_KINDS];

		call = calls_find(&f->calls, t, calls_of_process(&f->calls, t), ops_of(l, g->next),
		                  g->next.i);
	}
	if (call == CALL_NONE) {
		memset(out, 0, CAUSES * sizeof *out);
		out[CAUSE_UNKNOWN] = g->at.hi - g->at.lo;
		return true;
	}
	*thread = calls_thread(&f->calls, call);
	return causes_split(&f->causes, g->at, calls_extent(&f->calls, call), *thread, out);
}

/* ---- the usual table ---- */

struct found {
	uint64_t ops, calls;
};

/* Operations that start inside the window, and those whose call is known. */
static struct found find_all(struct calls *c, const struct lane *l)
{
	struct found n = { 0 };

	for (size_t i = 0; i < l->n; i++) {
		bool of_process = calls_of_process(c, &l->t[i]);

		for (int k = 0; k < WORK_KINDS; k++) {
			const struct intervals *s = &l->t[i].op[k];

			for (size_t j = 0; j < s->n; j++) {
				if (!work_starts_inside(&l->t[i], interval_start(s, j)))
					continue;
				n.ops++;
				n.calls += calls_find(c, &l->t[i], of_process, s, j) != CALL_NONE;
			}
		}
	}
	return n;
}

static void count_found(struct fill *f, const struct lane *l, struct found *n)
{
	*n = find_all(&f->calls, l);
	f->lanes++;
	f->few += (u128)n->calls * 100 < (u128)n->ops * REPRESENTATIVE_PCT;
}

static uint64_t length_of(const struct gap *g)
{
	return g->at.hi - g->at.lo;
}

/* What a row adds up. */
struct sums {
	uint64_t gaps, longest, idle, cause[CAUSES];
};

static bool add_up(struct fill *f, const struct lane *l, struct sums *s)
{
	struct walk w = walk_of(l);
	uint64_t part[CAUSES];
	struct gap g;
	size_t thread;

	while (next_gap(&w, &g)) {
		uint64_t length = length_of(&g);

		s->gaps++;
		s->longest = length > s->longest ? length : s->longest;
		s->idle += length;
		if (!split(f, l, &g, part, &thread))
			return false;
		for (int c = 0; c < CAUSES; c++)
			s->cause[c] += part[c];
	}
	return true;
}

/* Nearest rank: the smallest that so many percent do not exceed.  A walk costs less than keeping all
 * lengths. */
static const struct {
	int column;
	unsigned pct;
} percentiles[] = { { COL_P50, 50 }, { COL_P90, 90 }, { COL_P99, 99 } };

enum { PERCENTILES = sizeof percentiles / sizeof *percentiles };

static void find_percentiles(struct nth *p, const struct lane *l, const struct sums *s)
{
	for (int i = 0; i < PERCENTILES; i++) {
		uint64_t whole = s->gaps / 100, rest = s->gaps % 100;

		nth_init(&p[i], whole * percentiles[i].pct + (rest * percentiles[i].pct + 99) / 100,
		         s->longest);
	}
	while (nth_again(&p[0])) {
		struct walk w = walk_of(l);
		struct gap g;

		while (next_gap(&w, &g))
			for (int i = 0; i < PERCENTILES; i++)
				nth_add(&p[i], length_of(&g));
		for (int i = 0; i < PERCENTILES; i++)
			nth_settle(&p[i]);
	}
}

static bool fill_usual(struct fill *f, const struct lane *l)
{
	struct nth *p = malloc(PERCENTILES * sizeof *p);
	struct extent window = walk_of(l).p.window;
	struct sums s = { 0 };
	struct found found;
	struct cell *cell;
	bool ok = p && rank_ready(f, l->t->rank) && add_up(f, l, &s);

	cell = ok ? row_of(f, l) : NULL;
	if (!cell) {
		free(p);
		return false;
	}
	find_percentiles(p, l, &s);
	count_found(f, l, &found);
	cell[f->place[COL_GAPS]] = cell_u64(s.gaps);
	cell[f->place[COL_IDLE]] = cell_u64(s.idle);
	cell[f->place[COL_IDLE_PCT]] = work_pct(s.idle, window.hi - window.lo);
	for (int i = 0; s.gaps && i < PERCENTILES; i++)
		cell[f->place[percentiles[i].column]] = cell_u64(p[i].value);
	if (s.gaps)
		cell[f->place[COL_MAX]] = cell_u64(s.longest);
	for (int c = 0; c < CAUSES; c++)
		cell[f->place[COL_CAUSE + c]] = cell_u64(s.cause[c]);
	cell[f->place[COL_MATCHED]] = work_pct(found.calls, found.ops);
	free(p);
	return true;
}

/* ---- --hist ---- */

static bool fill_hist(struct fill *f, const struct lane *l)
{
	uint64_t gaps[64] = { 0 }, total[64] = { 0 };
	unsigned lo = 64, hi = 0;
	struct walk w = walk_of(l);
	struct gap g;

	while (next_gap(&w, &g)) {
		unsigned b = 63 - (unsigned)__builtin_clzll(g.at.hi - g.at.lo);

		gaps[b]++;
		total[b] += g.at.hi - g.at.lo;
		lo = b < lo ? b : lo;
		hi = b > hi ? b : hi;
	}
	for (unsigned b = lo; b <= hi; b++) {
		struct cell *cell = row_of(f, l);

		if (!cell)
			return false;
		cell[f->place[HIST_FROM]] = cell_u64(UINT64_C(1) << b);
		if (b < 63)
			cell[f->place[HIST_TO]] = cell_u64(UINT64_C(2) << b);
		cell[f->place[HIST_GAPS]] = cell_u64(gaps[b]);
		cell[f->place[HIST_TOTAL]] = cell_u64(total[b]);
	}
	return true;
}

/* ---- --list ---- */

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

static struct lane lane_at(const struct work *w, size_t i)
{
	return (struct lane) { &w->track[i], work_same(w, i) };
}

/* Each gap of all lanes: counted and measured without an *s, added to it with one. */
static void go_through(const struct work *w, struct list *list, uint64_t *longest, struct nth *s)
{
	for (size_t i = 0; i < w->ntrack; i += work_same(w, i)) {
		struct lane l = lane_at(w, i);
		struct walk walk = walk_of(&l);
		struct gap g;

		while (next_gap(&walk, &g)) {
			uint64_t length = length_of(&g);

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

static uint32_t name_beside(const struct lane *l, struct beside b)
{
	return b.any ? interval_name(ops_of(l, b), b.i) : NAME_NONE;
}

/* A gap that is in the list, but for the call. */
static bool take_gap(struct fill *f, struct list *list, const struct lane *l, const struct gap *g)
{
	struct listed x = { .at = g->at,
		            .prev = name_beside(l, g->prev),
		            .next = name_beside(l, g->next),
		            .call = NAME_NONE,
		            .lane = (uint32_t)(l->t - f->w->track) };
	uint64_t part[CAUSES];
	size_t thread;

	if (!grow_array(&list->v, &list->cap, list->n + 1, sizeof *list->v) ||
	    !split(f, l, g, part, &thread))
		return false;
	memcpy(x.part, part, sizeof x.part);
	x.thread = thread == CALL_NONE ? UINT32_MAX : (uint32_t)thread;
	list->v[list->n++] = x;
	return true;
}

static bool gather_lane(struct fill *f, struct list *list, const struct lane *l)
{
	struct walk walk = walk_of(l);
	struct found found;
	struct gap g;

	if (!rank_ready(f, l->t->rank))
		return false;
	count_found(f, l, &found);
	while (next_gap(&walk, &g)) {
		uint64_t length = length_of(&g);

		if (length < list->shortest || (length == list->shortest && !list->equal))
			continue;
		list->equal -= length == list->shortest;
		if (!take_gap(f, list, l, &g))
			return false;
	}
	return true;
}

/* The calls of the gaps from `first` on, all of one rank. */
static bool name_calls(struct fill *f, struct list *list, size_t first)
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

/* Rank by rank: first who launched what, then what the threads did, for the calls are there once. */
static bool gather(struct fill *f, struct list *list)
{
	const struct work *w = f->w;

	for (size_t i = 0, first; i < w->ntrack;) {
		uint64_t rank = w->track[i].rank;

		first = list->n;
		for (; i < w->ntrack && w->track[i].rank == rank; i += work_same(w, i)) {
			struct lane l = lane_at(w, i);

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

static bool list_row(struct fill *f, const struct listed *x)
{
	const struct lane l = { &f->w->track[x->lane], 1 };
	struct cell *cell = row_of(f, &l);
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

/* Longest first, then as they are in the list: lengths from above, in a list that is sorted in place. */
static bool list_rows(struct fill *f, const struct list *list)
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
static bool fill_list(struct fill *f, struct report *rep)
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

/* ---- all of it ---- */

static bool fill_lanes(struct fill *f, bool (*row)(struct fill *, const struct lane *))
{
	for (size_t i = 0; i < f->w->ntrack; i += work_same(f->w, i)) {
		struct lane l = lane_at(f->w, i);

		if (!row(f, &l))
			return false;
	}
	return true;
}

static const char *lane_word(const struct metric_opts *o)
{
	return o->per & PER_QUEUE ? "queue" : o->per ? "stream" : "agent";
}

/* Is there a rank with API calls and no GPU work? */
static bool calls_elsewhere(const struct work *w)
{
	size_t t = 0;

	for (size_t i = 0; i < w->nthread; i++) {
		while (t < w->ntrack && w->track[t].rank < w->thread[i].rank)
			t++;
		if (t == w->ntrack || w->track[t].rank != w->thread[i].rank)
			return true;
	}
	return false;
}

/* How far the causes can be trusted. */
static void tell(const struct fill *f, struct report *rep)
{
	const struct work *w = f->w;

	if (!w->seen[DOMAIN_COPY])
		report_add(rep, SEV_NOTE, NULL, 0,
		           "no copies in the input: time in which only copies ran counts as idle");
	if (f->o->per)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "gaps of single %ss: while one is idle, others of its agent may work",
		           lane_word(f->o));
	if (is_view(f->o, "hist"))
		return;
	if (!w->seen[DOMAIN_HIP] && !w->seen[DOMAIN_HSA])
		report_add(rep, SEV_NOTE, NULL, 0,
		           "no API calls in the input, so no cause is known: give the API trace of "
		           "the same run too; rocprofv3 writes it with --hip-trace");
	else if (f->few)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "API calls were found for less than %d %% of the operations of %" PRIu64
		           " of %" PRIu64 " %ss, so the causes there are not representative",
		           REPRESENTATIVE_PCT, f->few, f->lanes, lane_word(f->o));
	if (f->few && calls_elsewhere(w))
		report_add(
		        rep, SEV_NOTE, NULL, 0,
		        "API calls of one rank, GPU work of another: if they are of one process, "
		        "give both files its number, 0=FILE");
	if (f->few && w->uncorrelated)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "%" PRIu64 " operation%s without a correlation id", w->uncorrelated,
		           w->uncorrelated == 1 ? "" : "s");
}

bool gaps_total(struct work *w, struct gaps_total *out)
{
	struct fill f = { .w = w, .o = w->o };
	bool ok = true;

	*out = (struct gaps_total) { 0 };
	for (size_t i = 0; ok && i < w->ntrack; i += work_same(w, i)) {
		struct lane l = lane_at(w, i);
		struct walk walk = walk_of(&l);
		struct found found;
		uint64_t part[CAUSES];
		struct gap g;
		size_t thread;

		ok = rank_ready(&f, l.t->rank);
		out->window += walk.p.window.hi - walk.p.window.lo;
		while (ok && next_gap(&walk, &g)) {
			out->gaps++;
			out->idle += length_of(&g);
			ok = split(&f, &l, &g, part, &thread);
			for (int c = 0; ok && c < CAUSES; c++)
				out->cause[c] += part[c];
		}
		if (ok) {
			count_found(&f, &l, &found);
			out->ops += found.ops;
			out->matched += found.calls;
		}
	}
	fill_fini(&f);
	return ok;
}

static enum status fill(void *acc, const struct metric_opts *o, struct table *t, struct report *rep)
{
	struct fill f = { .w = acc, .o = o, .t = t };
	bool ok;

	begin(&f, metric_view(&metric_gaps, o)->columns);
	if ((o->per & PER_QUEUE) && (o->per & PER_STREAM)) {
		report_add(rep, SEV_ERROR, NULL, 0, "--per queue or --per stream, not both");
		return ST_END;
	}
	if (!work_settle(f.w))
		return ST_FATAL;
	if (!f.w->ntrack) {
		work_explain_nothing(f.w, "kernels or copies", rep);
		return ST_END;
	}
	if (is_view(o, "list"))
		ok = fill_list(&f, rep);
	else
		ok = fill_lanes(&f, is_view(o, "hist") ? fill_hist : fill_usual);
	fill_fini(&f);
	if (!ok)
		return ST_FATAL;
	work_tell(f.w, rep);
	tell(&f, rep);
	if (t->nrows)
		return ST_OK;
	report_add(rep, SEV_ERROR, NULL, 0, "nothing to show: no gaps");
	return ST_END;
}

static const char *const options[] = { "name", NULL };

const struct metric metric_gaps = {
	.name = "gaps",
	.about = "when did the GPU wait for its next operation, and why",
	.views = views,
	.options = options,
	.per = PER_QUEUE | PER_STREAM,
	.sink = { .size = sizeof(struct work),
	          .init = init,
	          .piece = work_piece,
	          .take = work_take,
	          .merge = work_merge,
	          .fini = work_fini },
	.per_of = per_of,
	.want = want,
	.fill = fill,
};
