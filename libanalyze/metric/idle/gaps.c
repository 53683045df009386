/* SPDX-License-Identifier: MIT
 * When did the GPU wait for its next operation, and for what?
 *
 * A gap lies between two stretches of busy time of an agent (with --per, of a queue or stream), or
 * at an edge of the window; together they are its idle time.  The causes are those of
 * work/causes.h, by the API call of the operation that ends the gap.
 *
 * Blind to what was not traced: without copies in the input, copying is a gap. */
#include "agg/agg.h"
#include "metric/homes.h"
#include "metric/idle/gaps_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Calls of fewer operations than this do not tell why the GPU was idle. */
#define REPRESENTATIVE_PCT 90
#define TEXT_OF(x)         #x
#define NUMBER_TEXT(x)     TEXT_OF(x)

const char tm_gaps_why_open[] = "API calls were found for less than " NUMBER_TEXT(
        REPRESENTATIVE_PCT) " % of the operations";

extern const struct tm_metric tm_metric_gaps;

enum {
	COL_GAPS = COL_OWN,
	COL_IDLE,
	COL_IDLE_PCT,
	COL_P50,
	COL_P90,
	COL_P99,
	COL_MAX,
	COL_CAUSE, /* TM_CAUSES of them */
	COL_MATCHED = COL_CAUSE + TM_CAUSES,
	COL_LATENCY,
	COL_LATENCY_PCT,
	COL_LATE,
	COL_LATE_PCT,
	COL_OWN_PCT,
	COL_LATER_MAX,
	COL_N,
};

static const struct tm_column columns[] = {
	WHOSE,
	[COL_GAPS] = { .name = "gaps",
	               .title = "GAPS",
	               .unit = TM_UNIT_COUNT,
	               .about = "idle periods",
	               .tight = 2 },
	[COL_IDLE] = { .name = "idle_ns",
	               .title = "IDLE",
	               .unit = TM_UNIT_NS,
	               .about = "total length" },
	[COL_IDLE_PCT] = { .name = "idle_pct",
	                   .title = "IDLE%",
	                   .unit = TM_UNIT_PCT,
	                   .about = "idle_ns / window",
	                   .tight = 1 },
	[COL_P50] = { .name = "p50_ns",
	              .title = "P50",
	              .unit = TM_UNIT_NS,
	              .about = "median",
	              .spare = 4 },
	[COL_P90] = { .name = "p90_ns",
	              .title = "P90",
	              .unit = TM_UNIT_NS,
	              .about = "90th percentile",
	              .spare = 5 },
	[COL_P99] = { .name = "p99_ns",
	              .title = "P99",
	              .unit = TM_UNIT_NS,
	              .about = "99th percentile",
	              .spare = 6 },
	[COL_MAX] = { .name = "max_ns",
	              .title = "MAX",
	              .unit = TM_UNIT_NS,
	              .about = "longest gap",
	              .spare = 7 },
	[COL_CAUSE + TM_CAUSE_SYNC] = { .name = "sync_ns",
	                                .title = "SYNC",
	                                .unit = TM_UNIT_NS,
	                                .about = "the host was waiting for the GPU" },
	[COL_CAUSE + TM_CAUSE_HOST] = { .name = "host_ns",
	                                .title = "+HOST",
	                                .unit = TM_UNIT_NS,
	                                .about = "the host was doing other work" },
	[COL_CAUSE + TM_CAUSE_LAUNCH] = { .name = "launch_ns",
	                                  .title = "+LAUNCH",
	                                  .unit = TM_UNIT_NS,
	                                  .about = "inside the launch call" },
	[COL_CAUSE + TM_CAUSE_DEVICE] = { .name = "device_ns",
	                                  .title = "+DEVICE",
	                                  .unit = TM_UNIT_NS,
	                                  .about = "launched, but not started (dispatch latency)" },
	[COL_CAUSE + TM_CAUSE_UNKNOWN] = { .name = "unknown_ns",
	                                   .title = "+UNKNOWN",
	                                   .unit = TM_UNIT_NS,
	                                   .about = "no API call found for the next operation" },
	[COL_MATCHED] = { .name = "matched_pct",
	                  .title = "MATCHED",
	                  .unit = TM_UNIT_PCT,
	                  .about = "share of the operations whose API call was found",
	                  .spare = 3 },
	[COL_LATENCY] = { .name = "latency_ns",
	                  .title = "LATENCY",
	                  .unit = TM_UNIT_NS,
	                  .about = "device_ns of gaps in which it is below 10 us, as launches "
	                           "usually take",
	                  .machine = true },
	[COL_LATENCY_PCT] = { .name = "latency_pct",
	                      .title = "LATENCY%",
	                      .unit = TM_UNIT_PCT,
	                      .about = "latency_ns / window",
	                      .machine = true },
	[COL_LATE] = { .name = "late_ns",
	               .title = "LATE",
	               .unit = TM_UNIT_NS,
	               .about = "device_ns of the other gaps, without the longest gap",
	               .machine = true },
	[COL_LATE_PCT] = { .name = "late_pct",
	                   .title = "LATE%",
	                   .unit = TM_UNIT_PCT,
	                   .about = "late_ns / window",
	                   .machine = true },
	[COL_OWN_PCT] = { .name = "host_launch_pct",
	                  .title = "HOST+LAUNCH%",
	                  .unit = TM_UNIT_PCT,
	                  .about = "(host_ns + launch_ns) / window",
	                  .machine = true },
	[COL_LATER_MAX] = { .name = "later_max_ns",
	                    .title = "LATER MAX",
	                    .unit = TM_UNIT_NS,
	                    .about = "longest gap after the start of the first kernel",
	                    .machine = true },
	[COL_N] = { 0 },
};

enum { HIST_FROM = COL_OWN, HIST_TO, HIST_GAPS, HIST_TOTAL, HIST_N };

static const struct tm_column hist_columns[] = {
	WHOSE,
	[HIST_FROM] = { .name = "from_ns",
	                .title = "FROM",
	                .unit = TM_UNIT_NS,
	                .which = true,
	                .about = "gaps of this length or more" },
	[HIST_TO] = { .name = "to_ns",
	              .title = "TO",
	              .unit = TM_UNIT_NS,
	              .which = true,
	              .about = "and shorter than this" },
	[HIST_GAPS] = { .name = "gaps",
	                .title = "GAPS",
	                .unit = TM_UNIT_COUNT,
	                .about = "idle periods" },
	[HIST_TOTAL] = { .name = "total_ns",
	                 .title = "TOTAL",
	                 .unit = TM_UNIT_NS,
	                 .about = "total length",
	                 .bar = true },
	[HIST_N] = { 0 },
};

static const struct tm_metric_option by = {
	.name = "by",
	TM_METRIC_TO_CHOICE(struct gaps_own, by),
	.arg = "WHAT",
	.choices = tm_gaps_by_words,
	.about = "add up gaps by the host call during them, the operation before or after, both, "
	         "or the step"
};

static const struct tm_metric_view views[] = {
	{ .columns = columns, .no_name = "only --by, --list and --fuse show names" },
	{ .option = "by", .value = &by, .columns = tm_gaps_by_columns },
	{ .option = "list",
	  .about = "list each gap, longest first",
	  .columns = tm_gaps_list_columns },
	{ .option = "hist",
	  .about = "histogram of gap lengths",
	  .columns = hist_columns,
	  .whole = true,
	  .no_name = "only --by, --list and --fuse show names" },
	{ .option = "fuse",
	  .about = "short kernels that always follow each other, and the idle time between",
	  .columns = tm_gaps_fuse_columns },
	{ .option = "shared",
	  .about =
	          "agents of the same number that several ranks use in turns, as if it was one GPU",
	  .columns = tm_gaps_shared_columns,
	  .whole = true,
	  .no_name = "only --by, --list and --fuse show names" },
	{ 0 },
};

static const struct tm_metric_option options[] = {
	{ .name = "short",
	  TM_METRIC_TO_U64(struct gaps_own, short_us),
	  .view = "fuse",
	  .arg = "US",
	  .max = UINT64_MAX / 1000,
	  .about = "with --fuse: kernels shorter than US microseconds",
	  .dflt = "10" },
	{ 0 },
};

static bool is_view(const struct tm_metric_opts *o, const char *name)
{
	return o->view && !strcmp(o->view, name);
}

static unsigned keep(const struct tm_metric_opts *o)
{
	unsigned k = 0;

	if (o->per & TM_PER_QUEUE)
		k |= TM_WORK_QUEUES;
	else if (o->per & TM_PER_STREAM)
		k |= TM_WORK_STREAMS;
	if (is_view(o, "by"))
		k |= tm_gaps_by_keep(o);
	if (!is_view(o, "hist"))
		k |= TM_GAPS_KEEP;
	if (is_view(o, "list"))
		k |= TM_WORK_OP_NAMES | TM_WORK_CALL_NAMES;
	if (is_view(o, "fuse"))
		k |= TM_WORK_OP_NAMES;
	return k;
}

/* The accumulator. */
struct gaps {
	struct tm_work w;
	struct tm_names homes;
};

static bool init(void *acc, const void *arg)
{
	struct gaps *g = acc;

	g->homes = (struct tm_names) { 0 };
	return tm_work_init(&g->w, arg, keep(arg));
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	return tm_work_want(keep(o));
}

static const char *per_of(const struct tm_metric_opts *o, const char *column)
{
	if (!strcmp(column, "queue") && !(o->per & TM_PER_QUEUE))
		return "queue";
	if (!strcmp(column, "stream") && !(o->per & TM_PER_STREAM))
		return "stream";
	return NULL;
}

/* ---- what all of it is worked out with ---- */

void tm_gaps_fill_fini(struct gaps_fill *f)
{
	tm_calls_fini(&f->calls);
	tm_causes_fini(&f->causes);
}

bool tm_gaps_rank_ready(struct gaps_fill *f, uint64_t rank)
{
	if (f->ready && f->rank == rank)
		return true;
	tm_gaps_fill_fini(f);
	f->rank = rank;
	f->ready = true;
	return tm_calls_init(&f->calls, f->w, rank, f->names || is_view(f->o, "list")) &&
	       tm_causes_init(&f->causes, f->w, &f->calls, rank);
}

/* The columns of the view that --per leaves. */
static void begin(struct gaps_fill *f, const struct tm_column *all)
{
	const struct tm_column *some[TM_TABLE_COLUMNS];
	size_t n = 0;

	for (size_t i = 0; all[i].name; i++) {
		f->place[i] = (unsigned char)n;
		if (!per_of(f->o, all[i].name))
			some[n++] = &all[i];
	}
	tm_table_init(f->t, some, n);
}

/* A row with its first cells; NULL when out of memory. */
struct tm_cell *tm_gaps_row(struct gaps_fill *f, const struct gaps_lane *l)
{
	struct tm_cell *cell = tm_table_row(f->t), lane;

	if (!cell)
		return NULL;
	lane = l->t->has_lane ? tm_cell_u64(l->t->lane) : tm_cell_none();
	cell[f->place[COL_RANK]] = tm_cell_u64(l->t->rank);
	cell[f->place[COL_AGENT]] = tm_work_agent_cell(f->t, l->t->has_agent, l->t->agent);
	if (f->o->per)
		cell[f->place[f->o->per & TM_PER_QUEUE ? COL_QUEUE : COL_STREAM]] = lane;
	return cell;
}

/* The call that launched the operation after a gap; TM_CALL_NONE = not known. */
static size_t call_of(struct gaps_fill *f, const struct gaps_lane *l, const struct gap *g)
{
	const struct tm_work_track *t;

	if (g->next.list == GAPS_NONE || !f->calls.v.n)
		return TM_CALL_NONE;
	t = &l->t[g->next.list % l->n];
	return tm_calls_find(&f->calls, t, tm_calls_of(&f->calls, t), gaps_ops(l, g->next),
	                     g->next.i);
}

size_t tm_gaps_thread(struct gaps_fill *f, const struct gaps_lane *l, const struct gap *g)
{
	const size_t call = call_of(f, l, g);

	return call == TM_CALL_NONE ? TM_CALL_NONE : tm_calls_thread(&f->calls, call);
}

bool tm_gaps_split(struct gaps_fill *f, const struct gaps_lane *l, const struct gap *g,
                   uint64_t out[TM_CAUSES], size_t *thread)
{
	size_t call = call_of(f, l, g);

	*thread = TM_CALL_NONE;
	if (call == TM_CALL_NONE) {
		memset(out, 0, TM_CAUSES * sizeof *out);
		out[TM_CAUSE_UNKNOWN] = g->at.hi - g->at.lo;
		return true;
	}
	*thread = tm_calls_thread(&f->calls, call);
	f->told++;
	f->early += tm_calls_extent(&f->calls, call).lo > g->at.hi;
	return tm_causes_split(&f->causes, g->at, tm_calls_extent(&f->calls, call), *thread, out);
}

bool tm_gaps_split_inside(struct gaps_fill *f, const struct gaps_lane *l, const struct gap *g,
                          uint64_t out[TM_CAUSES])
{
	size_t call = call_of(f, l, g);

	if (call == TM_CALL_NONE) {
		memset(out, 0, TM_CAUSES * sizeof *out);
		out[TM_CAUSE_UNKNOWN] = tm_stretches_inside(f->causes.inside, g->at.lo, g->at.hi);
		return true;
	}
	return tm_causes_split_inside(&f->causes, g->at, tm_calls_extent(&f->calls, call),
	                              tm_calls_thread(&f->calls, call), out);
}

/* ---- the usual table ---- */

void tm_gaps_count_found(struct gaps_fill *f, const struct gaps_lane *l, struct tm_calls_found *n)
{
	*n = (struct tm_calls_found) { 0 };
	for (size_t i = 0; i < l->n; i++) {
		const struct tm_calls_found one = tm_calls_count(&f->calls, &l->t[i]);

		n->ops += one.ops;
		n->calls += one.calls;
	}
	f->lanes++;
	f->few += (tm_u128)n->calls * 100 < (tm_u128)n->ops * REPRESENTATIVE_PCT;
}

tm_u128 tm_gaps_most(const tm_u128 cause[TM_CAUSES], int of, uint64_t few)
{
	return few && of != TM_CAUSE_UNKNOWN ? cause[of] + cause[TM_CAUSE_UNKNOWN] : cause[of];
}

/* Are the causes in that row of an agent with few calls?  A view that does not say so of each has
 * `few` of all. */
static uint64_t few_in_row(const struct tm_table *t, const struct tm_cell *row, uint64_t few)
{
	const size_t matched = tm_table_find(t, columns[COL_MATCHED].name);

	if (matched == t->ncols)
		return few;
	return row[matched].type == TM_CELL_FIXED &&
	       row[matched].v.u < UINT64_C(10000) * REPRESENTATIVE_PCT;
}

/* Say what the causes may be where calls are missing, in whatever view has them: of the rows as
 * they are, for those of files of totals have nothing else. */
static bool put_ends(struct tm_table *t, uint64_t few)
{
	size_t at[TM_CAUSES];

	for (int c = 0; c < TM_CAUSES; c++) {
		at[c] = tm_table_find(t, columns[COL_CAUSE + c].name);
		if (at[c] == t->ncols)
			return true;
	}
	for (size_t r = 0; r < t->nrows; r++) {
		struct tm_cell *row = &t->cells[r * t->ncols];
		const uint64_t few_here = few_in_row(t, row, few);
		tm_u128 cause[TM_CAUSES];

		for (int c = 0; c < TM_CAUSES; c++)
			cause[c] = row[at[c]].v.u;
		for (int c = 0; c < TM_CAUSES; c++) {
			struct tm_table_ends ends = { .why = tm_gaps_why_open };

			ends.low = row[at[c]];
			ends.high = tm_cell_u64((uint64_t)tm_gaps_most(cause, c, few_here));
			if (ends.high.v.u != ends.low.v.u &&
			    !tm_table_between(t, &row[at[c]], &ends))
				return false;
		}
	}
	return true;
}

/* Work that is launched starts so much later without waiting for anything but its launch. */
enum { LATENCY_NS = 10000 };

/* What a row adds up. */
struct sums {
	uint64_t gaps, longest, idle, cause[TM_CAUSES];
	uint64_t latency, late,
	        late_longest; /* of work that was launched; and in the longest gap */
};

static void add_length(struct sums *s, uint64_t length)
{
	s->gaps++;
	s->longest = length > s->longest ? length : s->longest;
	s->idle += length;
}

static void add_lengths(const struct gaps_lane *l, struct sums *s)
{
	struct gaps_walk w = tm_gaps_walk(l);
	uint64_t length[GAPS_SOME];

	for (size_t n; (n = tm_gaps_lengths(&w, length));)
		for (size_t i = 0; i < n; i++)
			add_length(s, length[i]);
	s->cause[TM_CAUSE_UNKNOWN] = s->idle;
}

static void add_late(struct sums *s, uint64_t ns, bool longest)
{
	const bool late = ns >= LATENCY_NS;

	s->latency += late ? 0 : ns;
	s->late += late ? ns : 0;
	if (longest)
		s->late_longest = late ? ns : 0;
}

static bool add_up(struct gaps_fill *f, const struct gaps_lane *l, struct sums *s)
{
	struct gaps_walk w = tm_gaps_walk(l);
	uint64_t part[TM_CAUSES];
	struct gap g;
	size_t thread;

	if (!f->calls.v.n) {
		add_lengths(l, s);
		return true;
	}
	while (tm_gaps_next(&w, &g)) {
		const bool longest = gaps_length(&g) > s->longest;

		add_length(s, gaps_length(&g));
		if (!tm_gaps_split(f, l, &g, part, &thread))
			return false;
		for (int c = 0; c < TM_CAUSES; c++)
			s->cause[c] += part[c];
		add_late(s, part[TM_CAUSE_DEVICE], longest);
	}
	return true;
}

/* Nearest rank: the smallest that so many percent do not exceed.  A walk costs less than keeping
 * all lengths. */
static const struct {
	int column;
	unsigned pct;
} percentiles[] = { { COL_P50, 50 }, { COL_P90, 90 }, { COL_P99, 99 } };

enum { PERCENTILES = sizeof percentiles / sizeof *percentiles };

static void find_percentiles(struct tm_nth *p, const struct gaps_lane *l, const struct sums *s)
{
	for (int i = 0; i < PERCENTILES; i++) {
		uint64_t whole = s->gaps / 100, rest = s->gaps % 100;

		tm_nth_init(&p[i],
		            whole * percentiles[i].pct + (rest * percentiles[i].pct + 99) / 100,
		            s->longest);
	}
	while (tm_nth_again(&p[0])) {
		struct gaps_walk w = tm_gaps_walk(l);
		uint64_t length[GAPS_SOME];

		for (size_t n; (n = tm_gaps_lengths(&w, length));)
			for (int i = 0; i < PERCENTILES; i++)
				for (size_t k = 0; k < n; k++)
					tm_nth_add(&p[i], length[k]);
		for (int i = 0; i < PERCENTILES; i++)
			tm_nth_settle(&p[i]);
	}
}

/* Does an agent run nothing but copies?  On a GPU of another process these wait for what they are
 * to copy, and no kernel there waits for them. */
static bool only_copies(const struct gaps_fill *f, const struct gaps_lane *l)
{
	bool any = f->o->per != 0;

	for (size_t i = 0; i < l->n; i++)
		for (int k = 0; k < TM_WORK_DISPATCHES; k++)
			any |= l->t[i].op[k].n != 0;
	return !any;
}

static bool fill_usual(struct gaps_fill *f, const struct gaps_lane *l)
{
	struct tm_nth *p = malloc(PERCENTILES * sizeof *p);
	struct tm_extent window = tm_gaps_walk(l).p.window;
	struct sums s = { 0 };
	struct tm_calls_found found;
	struct tm_cell *cell;
	bool ok = p && tm_gaps_rank_ready(f, l->t->rank) && add_up(f, l, &s);

	cell = ok ? tm_gaps_row(f, l) : NULL;
	if (!cell) {
		free(p);
		return false;
	}
	find_percentiles(p, l, &s);
	tm_gaps_count_found(f, l, &found);
	cell[f->place[COL_GAPS]] = tm_cell_u64(s.gaps);
	cell[f->place[COL_IDLE]] = tm_cell_u64(s.idle);
	cell[f->place[COL_IDLE_PCT]] = tm_work_pct(s.idle, window.hi - window.lo);
	for (int i = 0; s.gaps && i < PERCENTILES; i++)
		cell[f->place[percentiles[i].column]] = tm_cell_u64(p[i].value);
	if (s.gaps) {
		cell[f->place[COL_MAX]] = tm_cell_u64(s.longest);
		cell[f->place[COL_LATER_MAX]] = tm_cell_u64(tm_gaps_later(l, s.longest));
	}
	if (!only_copies(f, l) &&
	    (tm_u128)found.calls * 100 >= (tm_u128)found.ops * REPRESENTATIVE_PCT) {
		const uint64_t late = s.late - s.late_longest;

		cell[f->place[COL_LATENCY]] = tm_cell_u64(s.latency);
		cell[f->place[COL_LATENCY_PCT]] = tm_work_pct(s.latency, window.hi - window.lo);
		cell[f->place[COL_LATE]] = tm_cell_u64(late);
		cell[f->place[COL_LATE_PCT]] = tm_work_pct(late, window.hi - window.lo);
		cell[f->place[COL_OWN_PCT]] = tm_work_pct(
		        s.cause[TM_CAUSE_HOST] + s.cause[TM_CAUSE_LAUNCH], window.hi - window.lo);
	}
	for (int c = 0; c < TM_CAUSES; c++)
		cell[f->place[COL_CAUSE + c]] = tm_cell_u64(s.cause[c]);
	cell[f->place[COL_MATCHED]] = tm_work_pct(found.calls, found.ops);
	free(p);
	return true;
}

/* ---- --hist ---- */

static bool fill_hist(struct gaps_fill *f, const struct gaps_lane *l)
{
	uint64_t gaps[64] = { 0 }, total[64] = { 0 };
	unsigned lo = 64, hi = 0;
	struct gaps_walk w = tm_gaps_walk(l);
	uint64_t length[GAPS_SOME];

	for (size_t n; (n = tm_gaps_lengths(&w, length));)
		for (size_t i = 0; i < n; i++) {
			unsigned b = 63 - (unsigned)__builtin_clzll(length[i]);

			gaps[b]++;
			total[b] += length[i];
			lo = b < lo ? b : lo;
			hi = b > hi ? b : hi;
		}
	for (unsigned b = lo; b <= hi; b++) {
		struct tm_cell *cell = tm_gaps_row(f, l);

		if (!cell)
			return false;
		cell[f->place[HIST_FROM]] = tm_cell_u64(UINT64_C(1) << b);
		if (b < 63)
			cell[f->place[HIST_TO]] = tm_cell_u64(UINT64_C(2) << b);
		cell[f->place[HIST_GAPS]] = tm_cell_u64(gaps[b]);
		cell[f->place[HIST_TOTAL]] = tm_cell_u64(total[b]);
	}
	return true;
}

/* ---- all of it ---- */

static bool fill_lanes(struct gaps_fill *f,
                       bool (*row)(struct gaps_fill *, const struct gaps_lane *))
{
	for (size_t i = 0; i < f->w->ntrack; i += tm_work_same(f->w, i)) {
		struct gaps_lane l = gaps_lane(f->w, i);

		if (!row(f, &l))
			return false;
	}
	return true;
}

static const char *lane_word(const struct tm_metric_opts *o)
{
	return o->per & TM_PER_QUEUE ? "queue" : o->per ? "stream" : "agent";
}

bool tm_gaps_elsewhere(const struct tm_work *w)
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

void tm_gaps_tell_few(const struct tm_work *w, uint64_t few, uint64_t lanes, const char *lane,
                      bool elsewhere, struct tm_report *rep)
{
	if (!few)
		return;
	if (w->seen[TM_DOMAIN_HIP] || w->seen[TM_DOMAIN_HSA])
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "%s of %" PRIu64 " of %" PRIu64
		              " %ss, so the causes there are not representative",
		              tm_gaps_why_open, few, lanes, lane);
	if (elsewhere)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "API calls in one rank, GPU work in another: if both are of one "
		              "process, give both files its rank number (0=FILE)");
	if (w->uncorrelated)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " operation%s without a correlation id", w->uncorrelated,
		              w->uncorrelated == 1 ? "" : "s");
}

void tm_gaps_tell_early(uint64_t early, uint64_t told, struct tm_report *rep)
{
	enum { MUST_PCT = 10 };

	if (early && (tm_u128)early * 100 >= (tm_u128)told * MUST_PCT)
		tm_report_add(
		        rep, TM_SEV_WARN, NULL, 0,
		        "%" PRIu64 " of %" PRIu64
		        " operations that end a gap start before their API call: the clocks of "
		        "GPU and host differ, so causes of idle time are not reliable",
		        early, told);
}

/* How far the causes can be trusted. */
static void tell(const struct gaps_fill *f, bool elsewhere, struct tm_report *rep)
{
	const struct tm_work *w = f->w;

	if (!w->seen[TM_DOMAIN_COPY])
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "no copies %s: time in which only copies ran counts as idle",
		              tm_metric_where(w->o, false));
	if (f->o->per)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "gaps are per %s: while one is idle, others of its agent may be busy",
		              lane_word(f->o));
	if (is_view(f->o, "hist"))
		return;
	if (!w->seen[TM_DOMAIN_HIP] && !w->seen[TM_DOMAIN_HSA])
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "no API calls %s, so causes are unknown: add the API trace of the "
		              "same run (rocprofv3 --hip-trace)",
		              tm_metric_where(w->o, false));
	tm_gaps_tell_few(w, f->few, f->lanes, lane_word(f->o), elsewhere, rep);
	tm_gaps_tell_early(f->early, f->told, rep);
}

bool tm_gaps_each(struct tm_work *w, bool (*put)(void *arg, const struct tm_gap *g), void *arg)
{
	struct gaps_fill f = { .w = w, .o = w->o };
	bool ok = true;

	for (size_t i = 0; ok && i < w->ntrack; i += tm_work_same(w, i)) {
		struct gaps_lane l = gaps_lane(w, i);
		struct gaps_walk walk = tm_gaps_walk(&l);
		struct tm_gap told = { .track = l.t, .window = walk.p.window };
		bool any = false;
		struct gap g;
		size_t thread;

		ok = tm_gaps_rank_ready(&f, l.t->rank);
		while (ok && tm_gaps_next(&walk, &g)) {
			any = true;
			told.at = g.at;
			ok = tm_gaps_split(&f, &l, &g, told.cause, &thread) && put(arg, &told);
		}
		if (ok && !any) {
			told.at = (struct tm_extent) { told.window.hi, told.window.hi };
			ok = put(arg, &told);
		}
	}
	tm_gaps_fill_fini(&f);
	return ok;
}

/* Only now is the host known for sure. */
static bool done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                 const struct tm_diag *why)
{
	struct gaps *g = acc;

	(void)l;
	(void)why;
	return tm_homes_add(&g->homes, &p->id);
}

static bool merge(void *into, void *acc)
{
	struct gaps *g = into, *from = acc;

	for (uint32_t i = 0; i < from->homes.n; i++)
		if (tm_names_add(&g->homes, from->homes.v[i].text, from->homes.v[i].len) ==
		    TM_NAME_NONE)
			return false;
	return tm_work_merge(&g->w, &from->w);
}

static void fini(void *acc)
{
	struct gaps *g = acc;

	tm_names_fini(&g->homes);
	tm_work_fini(&g->w);
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct gaps *gaps = acc;
	struct gaps_fill f = { .w = &gaps->w, .homes = &gaps->homes, .o = o, .t = t, .rep = rep };
	bool ok, elsewhere;

	begin(&f, tm_metric_view(&tm_metric_gaps, o)->columns);
	if ((o->per & TM_PER_QUEUE) && (o->per & TM_PER_STREAM)) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "--per queue or --per stream, not both");
		return TM_ST_END;
	}
	if (o->per && is_view(o, "shared")) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "--shared is about agents; omit --per");
		return TM_ST_END;
	}
	if (!tm_work_settle(f.w))
		return TM_ST_FATAL;
	if (is_view(o, "list"))
		ok = tm_gaps_fill_list(&f);
	else if (is_view(o, "by"))
		ok = tm_gaps_fill_by(&f);
	else if (is_view(o, "shared"))
		ok = tm_gaps_fill_shared(&f);
	else
		ok = fill_lanes(&f, is_view(o, "hist")   ? fill_hist
		                    : is_view(o, "fuse") ? tm_gaps_fill_fuse
		                                         : fill_usual);
	tm_gaps_fill_fini(&f);
	if (!ok || !tm_state_rows(o->state, t) || !tm_work_state(f.w, o->state))
		return TM_ST_FATAL;
	tm_state_add(o->state, &f.lanes);
	tm_state_add(o->state, &f.few);
	tm_state_add(o->state, &f.early);
	tm_state_add(o->state, &f.told);
	if (!put_ends(t, f.few))
		return TM_ST_FATAL;
	elsewhere = tm_state_sum(o->state, tm_gaps_elsewhere(f.w)) != 0;
	if (!f.w->ntrack && !t->nrows) {
		tm_work_explain_nothing(f.w,
		                        "kernels or copies (rocprofv3 records them with "
		                        "--kernel-trace and --memory-copy-trace)",
		                        rep);
		return TM_ST_END;
	}
	tm_work_tell(f.w, rep);
	tell(&f, elsewhere, rep);
	if (t->nrows || (o->aside && is_view(o, "shared")))
		return TM_ST_OK;
	if (f.no_steps)
		return TM_ST_END;
	tm_report_add(
	        rep, TM_SEV_ERROR, NULL, 0, "nothing to show: %s",
	        is_view(o, "fuse")
	                ? "no short kernels that always follow each other, three times or more"
	        : is_view(o, "shared") ? "no ranks use an agent of the same number in turns"
	                               : "no gaps");
	return TM_ST_END;
}

const struct tm_metric tm_metric_gaps = {
	.name = "gaps",
	.about = "idle time of the GPU, and why it was idle",
	.group = "Why is the GPU idle?",
	.examples = "kstats gaps run_kernel_trace.csv run_hip_api_trace.csv\n"
	            "kstats gaps --by call results.db\n"
	            "kstats gaps --list -n 10 results.db\n",
	.views = views,
	.options = options,
	.own = sizeof(struct gaps_own),
	.takes = TM_TAKES_NAME | TM_TAKES_CLASS,
	.per = TM_PER_QUEUE | TM_PER_STREAM,
	.window = TM_WINDOW_WHOLE,
	.state = 3,
	.sink = { .size = sizeof(struct gaps),
	          .init = init,
	          .piece = tm_work_piece,
	          .take = tm_work_take,
	          .merge = merge,
	          .fini = fini,
	          .done = done },
	.work = tm_work_itself,
	.per_of = per_of,
	.whole = TM_WHOLE_AGENTS,
	.want = want,
	.fill = fill,
};
