/* SPDX-License-Identifier: MIT
 * One page: what was read, where the time went, and how that stands to the usual targets.
 *
 * Every number is that of another sub-command over the same inputs, under the name by which rules
 * (tracecheck) ask for it.  A number that the inputs cannot tell is absent, and so is its verdict.
 */
#include "metric/summary.h"

#include "metric/gaps.h"
#include "metric/shares.h"
#include "metric/sync.h"
#include "read/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COL_METRIC, COL_VALUE, COL_UNIT, COL_TARGET, COL_VERDICT, COL_NAME, COL_N };

static const struct column columns[] = {
	[COL_METRIC] = { .name = "metric",
	                 .title = "METRIC",
	                 .unit = UNIT_TEXT,
	                 .about = "what is measured, as rules name it" },
	[COL_VALUE] = { .name = "value",
	                .title = "VALUE",
	                .unit = UNIT_COUNT,
	                .bar = true,
	                .about = "in the unit of the row" },
	[COL_UNIT] = { .name = "unit",
	               .title = "UNIT",
	               .unit = UNIT_TEXT,
	               .machine = true,
	               .about = "pct, ns or count" },
	[COL_TARGET] = { .name = "target",
	                 .title = "TARGET",
	                 .unit = UNIT_TEXT,
	                 .about = "common target" },
	[COL_VERDICT] = { .name = "verdict",
	                  .title = "VERDICT",
	                  .unit = UNIT_TEXT,
	                  .about = "met or missed" },
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .unit = UNIT_TEXT,
	               .elastic = true,
	               .about = "of a kernel: its name; of a share over several agents or ranks: "
	                        "the "
	                        "worst of them" },
	[COL_N] = { .name = NULL },
};

/* How the windows of the agents were used. */
enum part { BUSY, COMPUTE, EXPOSED_COMM, EXPOSED_COPY, MOVE, WAIT, IDLE, PARTS };

/* The rows, in their order; those of the kernels with the largest shares follow. */
enum {
	ROW_INPUTS,
	ROW_RANKS,
	ROW_AGENTS,
	ROW_SKIPPED,
	ROW_LOST,
	ROW_KERNELS_LOST,
	ROW_WINDOW,
	ROW_PART, /* PARTS of them */
	ROW_CALLS = ROW_PART + PARTS,
	ROW_NAMES,
	ROW_TOTAL,
	ROW_SHARE, /* GEMM_ROWS of them */
	ROW_COMPUTE = ROW_SHARE + GEMM_ROWS,
	ROW_SYNC_IDLE,
	ROW_SYNC_WINDOW,
	ROW_GAPS,
	ROW_CAUSE, /* CAUSES of them */
	ROW_MATCHED = ROW_CAUSE + CAUSES,
	ROWS,
	TOP_KERNELS = 10,
};

static const char *const rows[ROWS] = {
	[ROW_INPUTS] = "inputs",
	[ROW_RANKS] = "ranks",
	[ROW_AGENTS] = "agents",
	[ROW_SKIPPED] = "rows.skipped",
	[ROW_LOST] = "records.lost",
	[ROW_KERNELS_LOST] = "kernels.lost",
	[ROW_WINDOW] = "timeline.window_ns",
	[ROW_PART + BUSY] = "timeline.busy_pct",
	[ROW_PART + COMPUTE] = "timeline.compute_pct",
	[ROW_PART + EXPOSED_COMM] = "timeline.exposed_comm_pct",
	[ROW_PART + EXPOSED_COPY] = "timeline.exposed_copy_pct",
	[ROW_PART + MOVE] = "timeline.move_pct",
	[ROW_PART + WAIT] = "timeline.wait_pct",
	[ROW_PART + IDLE] = "timeline.idle_pct",
	[ROW_CALLS] = "kernels.calls",
	[ROW_NAMES] = "kernels.names",
	[ROW_TOTAL] = "kernels.total_ns",
	[ROW_SHARE + GEMM_DENSE] = "gemm.kernel_pct",
	[ROW_SHARE + GEMM_MOE] = "gemm+moe.kernel_pct",
	[ROW_SHARE + GEMM_MATRIX] = "matrix.kernel_pct",
	[ROW_SHARE + GEMM_UNCLASSIFIED] = "unclassified.kernel_pct",
	[ROW_COMPUTE] = "gemm.compute_pct",
	[ROW_SYNC_IDLE] = "sync.idle_pct",
	[ROW_SYNC_WINDOW] = "sync.window_pct",
	[ROW_GAPS] = "gaps.count",
	[ROW_CAUSE + CAUSE_SYNC] = "gaps.sync_pct",
	[ROW_CAUSE + CAUSE_HOST] = "gaps.host_pct",
	[ROW_CAUSE + CAUSE_LAUNCH] = "gaps.launch_pct",
	[ROW_CAUSE + CAUSE_DEVICE] = "gaps.device_pct",
	[ROW_CAUSE + CAUSE_UNKNOWN] = "gaps.unknown_pct",
	[ROW_MATCHED] = "gaps.matched_pct",
};

static const char *top_name(size_t i, char out[32])
{
	snprintf(out, 32, "top.%zu.kernel_pct", i + 1);
	return out;
}

const char *summary_name(size_t i, char out[32])
{
	return i < ROWS ? rows[i] : i < ROWS + TOP_KERNELS ? top_name(i - ROWS, out) : NULL;
}

struct summary {
	struct shares shares;
	uint64_t inputs, skipped;
	struct loss loss; /* of all inputs */
};

static bool init(void *acc, const void *arg)
{
	struct summary *s = acc;

	*s = (struct summary) { 0 };
	return shares_init(&s->shares, arg, GAPS_KEEP);
}

static bool done(void *acc, const struct piece *p, const struct loss *l, const struct diag *why)
{
	struct summary *s = acc;

	(void)p;
	(void)why;
	s->inputs++;
	/* Of a record that was cut the bytes are counted, of a row that it was. */
	s->skipped += loss_skipped(l) + (l->other[LOSS_CUT].n != 0);
	loss_add(&s->loss, l, 0);
	return true;
}

static bool piece(void *acc, const struct piece *p)
{
	return shares_piece(acc, p);
}

static bool take(void *acc, const struct batch *b)
{
	return shares_take(acc, b);
}

static bool merge(void *into, void *acc)
{
	struct summary *s = into, *from = acc;

	s->inputs += from->inputs;
	s->skipped += from->skipped;
	loss_add(&s->loss, &from->loss, 0);
	return shares_merge(&s->shares, &from->shares);
}

static void fini(void *acc)
{
	shares_fini(acc);
}

static ev_set want(const struct metric_opts *o)
{
	return shares_want(o, GAPS_KEEP);
}

/* ---- rows ---- */

static const char *const unit_words[] = {
	[UNIT_NS] = "ns",
	[UNIT_PCT] = "pct",
	[UNIT_COUNT] = "count",
	[UNIT_RATIO] = "ratio",
};

/* What people aim at: below `limit` percent. */
static const struct {
	const char *metric;
	unsigned limit;
} targets[] = {
	{ "timeline.exposed_comm_pct", 10 },
	{ "timeline.exposed_copy_pct", 5 },
	{ "timeline.move_pct", 5 },
	{ "timeline.wait_pct", 5 },
	{ "timeline.idle_pct", 10 },
	{ "gemm.kernel_pct", 60 },
	{ "unclassified.kernel_pct", 5 },
	{ "sync.idle_pct", 5 },
	{ "gaps.launch_pct", 1 },
};

/* least, most: what the value may be, in its own unit; a target is only met where the most meets
 * it, and only missed where the least misses it. */
static struct cell *add_between(struct table *t, const char *metric, struct cell value,
                                enum unit unit, uint64_t least, uint64_t most)
{
	struct cell *c = table_row(t);

	if (!c)
		return NULL;
	c[COL_METRIC] = table_own(t, metric, strlen(metric));
	if (value.type != CELL_NONE)
		c[COL_VALUE] = cell_in(value, unit);
	c[COL_UNIT] = cell_text(unit_words[unit], strlen(unit_words[unit]));
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		char text[16];
		int n;

		if (strcmp(targets[i].metric, metric) != 0)
			continue;
		n = snprintf(text, sizeof text, "< %u %%", targets[i].limit);
		c[COL_TARGET] = table_own(t, text, (size_t)n);
		if (value.type != CELL_FIXED)
			continue;
		if (least >= targets[i].limit * UINT64_C(10000))
			c[COL_VERDICT] = cell_text("missed", 6);
		else if (most < targets[i].limit * UINT64_C(10000))
			c[COL_VERDICT] = cell_text("met", 3);
	}
	return c;
}

static struct cell *add_up_to(struct table *t, const char *metric, struct cell value,
                              enum unit unit, uint64_t most)
{
	return add_between(t, metric, value, unit, value.type == CELL_FIXED ? value.v.u : 0, most);
}

static struct cell *add(struct table *t, const char *metric, struct cell value, enum unit unit)
{
	return add_up_to(t, metric, value, unit, value.type == CELL_FIXED ? value.v.u : 0);
}

static bool add_count(struct table *t, const char *metric, bool known, uint64_t n)
{
	return add(t, metric, known ? cell_u64(n) : cell_none(), UNIT_COUNT) != NULL;
}

static struct cell ns_cell(u128 ns)
{
	return ns >> 64 ? cell_none() : cell_u64((uint64_t)ns);
}

static struct cell *add_time(struct table *t, const char *metric, u128 part, u128 whole)
{
	return add(t, metric, work_pct(part, whole), UNIT_PCT);
}

/* What the profiler lost.  It counts places, and nobody knows how many records a place had: 0, or
 * absent. */
static bool fill_lost(const struct summary *s, struct table *t)
{
	static const struct {
		enum loss_reason why;
		const char *one, *many;
	} words[] = {
		{ LOSS_DISCARDED, "chunk discarded", "chunks discarded" },
		{ LOSS_OVERWRITTEN, "chunk overwritten", "chunks overwritten" },
		{ LOSS_DROPPED, "place with packets dropped", "places with packets dropped" },
		{ LOSS_JOURNAL, "journal not read", "journals not read" },
	};
	uint64_t kernels = s->loss.other[LOSS_KERNELS].n;
	struct cell *c = add(t, rows[ROW_LOST], loss_lost(&s->loss) ? cell_none() : cell_u64(0),
	                     UNIT_COUNT);
	char text[256];
	int n = 0;

	for (size_t i = 0; c && i < sizeof words / sizeof *words; i++) {
		uint64_t places = s->loss.other[words[i].why].n;

		if (places)
			n += snprintf(text + n, sizeof text - (size_t)n, "%s%" PRIu64 " %s",
			              n ? ", " : "not known how many: ", places,
			              places == 1 ? words[i].one : words[i].many);
	}
	if (c && n)
		c[COL_NAME] = table_own(t, text, (size_t)n);
	c = c ? add(t, rows[ROW_KERNELS_LOST], kernels ? cell_u64(kernels) : cell_none(),
	            UNIT_COUNT)
	      : c;
	if (c && kernels) {
		static const char all[] = "launched, and not one kernel is in the trace";

		c[COL_NAME] = cell_text(all, sizeof all - 1);
	}
	return c != NULL;
}

static bool fill_inputs(const struct summary *s, struct table *t)
{
	const struct work *w = &s->shares.work;
	uint64_t ranks = 0, agents = 0;

	for (size_t i = 0; i < w->ntrack; i += work_same(w, i)) {
		ranks += !i || w->track[i].rank != w->track[i - 1].rank;
		agents += w->track[i].has_agent;
	}
	return add_count(t, rows[ROW_INPUTS], true, s->inputs) &&
	       add_count(t, rows[ROW_RANKS], ranks, ranks) &&
	       add_count(t, rows[ROW_AGENTS], agents, agents) &&
	       add_count(t, rows[ROW_SKIPPED], true, s->skipped + w->untimed) && fill_lost(s, t);
}

/* Whose share of its window is largest, or least. */
struct guilty {
	uint64_t part, window;
	const struct work_track *track; /* NULL = nobody yet */
};

static void guilty_see(struct guilty *g, bool least, const struct work_track *t, uint64_t part,
                       uint64_t window)
{
	u128 now = (u128)part * g->window, before = (u128)g->part * window;

	if (window && (!g->track || (least ? now < before : now > before)))
		*g = (struct guilty) { part, window, t };
}

/* "rank 3", or "rank 3, agent 4" where it has several */
static const char *whose(const struct work *w, const struct work_track *t, char out[64])
{
	bool several = (t > w->track && t[-1].rank == t->rank) ||
	               (t + 1 < w->track + w->ntrack && t[1].rank == t->rank);
	char agent[16];

	if (several && t->has_agent)
		snprintf(out, 64, "rank %" PRIu64 ", agent %s", t->rank,
		         agent_text(t->agent, agent));
	else
		snprintf(out, 64, "rank %" PRIu64, t->rank);
	return out;
}

static struct cell guilty_cell(struct table *t, const struct guilty *g, bool least, const char *who)
{
	struct cell pct = work_pct(g->part, g->window);
	char text[128];
	int n;

	/* Where nobody has any, nobody has most. */
	if (pct.type != CELL_FIXED || (!least && !pct.v.u))
		return cell_none();
	n = snprintf(text, sizeof text, "%s %" PRIu64 ".%02u %%: %s", least ? "least" : "most",
	             pct.v.u / 10000, (unsigned)(pct.v.u % 10000 / 100), who);
	return table_own(t, text, (size_t)n);
}

struct parts {
	u128 window, sum[PARTS];
	uint64_t agents, longest;
	const struct work_track *of_longest;
	struct guilty guilty[PARTS];
};

static void add_agent(struct parts *p, const struct work_track *t, const struct work_use *u)
{
	const uint64_t part[PARTS] = { u->busy, u->compute, u->exposed_comm, u->exposed_copy,
		                       u->move, u->wait,    u->idle };

	p->window += u->window;
	p->agents++;
	if (!p->of_longest || u->window > p->longest) {
		p->longest = u->window;
		p->of_longest = t;
	}
	for (int i = 0; i < PARTS; i++) {
		p->sum[i] += part[i];
		guilty_see(&p->guilty[i], i <= COMPUTE, t, part[i], u->window);
	}
}

/* The longest window, and of all agents together shares of the sum of their windows, with whoever
 * is worst. */
static bool fill_timeline(const struct work *w, struct table *t)
{
	struct parts p = { 0 };
	char text[128], who[64];
	struct cell *c;

	for (size_t i = 0, n; i < w->ntrack; i += n) {
		n = work_same(w, i);
		const struct work_use u = work_use_of(&w->track[i], n);

		add_agent(&p, &w->track[i], &u);
	}
	c = add(t, rows[ROW_WINDOW], p.agents ? cell_u64(p.longest) : cell_none(), UNIT_NS);
	if (c && p.agents > 1) {
		int n = snprintf(text, sizeof text, "longest of %" PRIu64 ": %s", p.agents,
		                 whose(w, p.of_longest, who));

		c[COL_NAME] = table_own(t, text, (size_t)n);
	}
	for (int i = 0; c && i < PARTS; i++) {
		c = add_time(t, rows[ROW_PART + i], p.sum[i], p.window);
		if (c && p.agents > 1 && p.guilty[i].track)
			c[COL_NAME] = guilty_cell(t, &p.guilty[i], i <= COMPUTE,
			                          whose(w, p.guilty[i].track, who));
	}
	return c != NULL;
}

static uint64_t fixed(struct cell c, uint64_t without)
{
	return c.type == CELL_FIXED ? c.v.u : without;
}

/* A kernel that communicates, moves data or waits makes the share of every other smaller, and the
 * GPU no less busy with matrix products while it computes: a share of kernel time only meets its
 * target where that of the compute does. */
static bool fill_kernels(const struct work *w, const struct share_sum *sum, struct table *t)
{
	u128 compute = sum->total;
	uint64_t calls = 0, agents = 0;
	struct cell *c;

	for (size_t i = 0; i < sum->n; i++) {
		calls += sum->name[i].calls;
		if (work_kind_of(sum->name[i].class_name) != WORK_KERNEL)
			compute -= sum->name[i].total;
	}
	if (!add_count(t, rows[ROW_CALLS], true, calls) ||
	    !add_count(t, rows[ROW_NAMES], true, sum->n))
		return false;
	c = add(t, rows[ROW_TOTAL], ns_cell(sum->total), UNIT_NS);
	for (size_t i = 0; i < w->ntrack; i += work_same(w, i))
		agents++;
	if (c && agents > 1) {
		char text[48];
		int n = snprintf(text, sizeof text, "sum over %" PRIu64 " agents", agents);

		c[COL_NAME] = table_own(t, text, (size_t)n);
	}
	if (!c)
		return false;
	for (int row = 0; row < GEMM_ROWS; row++) {
		const struct gemm_range r = gemm_range(sum, row);
		u128 whole = row == GEMM_UNCLASSIFIED ? sum->total : compute;

		if (!add_between(t, rows[ROW_SHARE + row],
		                 work_pct(gemm_total(sum, row), sum->total), UNIT_PCT,
		                 fixed(work_pct(r.low, sum->total), 0),
		                 fixed(work_pct(r.most, whole), UINT64_MAX)))
			return false;
	}
	return add_time(t, rows[ROW_COMPUTE], gemm_total(sum, GEMM_DENSE), compute) != NULL;
}

static bool fill_top(const struct share_sum *sum, struct table *t)
{
	for (size_t i = 0; i < sum->n && i < TOP_KERNELS; i++) {
		char name[32];
		struct cell *c;

		c = add(t, top_name(i, name), work_pct(sum->name[i].total, sum->total), UNIT_PCT);
		if (!c)
			return false;
		c[COL_NAME] = cell_text(sum->name[i].text.text, sum->name[i].text.len);
	}
	return true;
}

/* Shares of the GPU windows of all ranks that have API calls; absent without any. */
static bool fill_sync(const struct work *w, struct table *t)
{
	struct sync_use all = { 0 };
	struct guilty most = { 0 };
	struct work_rank r;
	uint64_t ranks = 0;
	struct cell *c;
	char who[40];

	for (size_t track = 0, thread = 0; work_rank_next(&r, w, &track, &thread);) {
		struct sync_use one;

		if (!sync_of_rank(w, &r, &one))
			return false;
		ranks += one.window != 0;
		if (one.window)
			guilty_see(&most, false, r.track, (uint64_t)one.idle, (uint64_t)one.window);
		all.window += one.window;
		all.waited += one.waited;
		all.idle += one.idle;
	}
	c = add_time(t, rows[ROW_SYNC_IDLE], all.idle, all.window);
	if (c && ranks > 1) {
		snprintf(who, sizeof who, "rank %" PRIu64, most.track->rank);
		c[COL_NAME] = guilty_cell(t, &most, false, who);
	}
	return c && add_time(t, rows[ROW_SYNC_WINDOW], all.waited, all.window) != NULL;
}

static bool fill_gaps(struct work *w, struct table *t, struct report *rep)
{
	struct gaps_total g = { 0 };

	if ((w->ntrack && !gaps_total(w, &g)) || !add_count(t, rows[ROW_GAPS], w->ntrack, g.gaps))
		return false;
	for (int c = 0; c < CAUSES; c++) {
		u128 whole = g.matched || c == CAUSE_UNKNOWN ? g.window : 0;

		struct cell part = work_pct(whole ? g.cause[c] : 0, whole);

		if (!(g.few ? add_up_to(t, rows[ROW_CAUSE + c], part, UNIT_PCT, UINT64_MAX)
		            : add(t, rows[ROW_CAUSE + c], part, UNIT_PCT)))
			return false;
	}
	if (w->seen[DOMAIN_HIP] || w->seen[DOMAIN_HSA])
		gaps_tell_few(w, g.few, g.lanes, "agent", rep);
	return add_time(t, rows[ROW_MATCHED], g.matched, g.ops) != NULL;
}

static void tell(const struct work *w, const struct share_sum *sum, struct report *rep)
{
	if (!sum->unions)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "statistics files do not record when kernels ran: timeline, sync and "
		           "gaps do not include them");
	if (!w->ntrack)
		return;
	if (!w->seen[DOMAIN_COPY])
		report_add(rep, SEV_NOTE, NULL, 0,
		           "no copies in the input: time in which only copies ran counts as idle");
	if (!w->seen[DOMAIN_HIP] && !w->seen[DOMAIN_HSA])
		report_add(rep, SEV_NOTE, NULL, 0,
		           "no API calls in the input: sync and the causes of gaps are not known; "
		           "give the API trace of the same run too");
}

static enum status fill(void *acc, const struct metric_opts *o, struct table *t, struct report *rep)
{
	struct summary *s = acc;
	struct work *w = &s->shares.work;
	struct report nothing = { 0 };
	struct share_sum sum;
	enum status st;

	table_init_list(t, columns);
	st = shares_sum(&s->shares, o, &sum, &nothing);
	/* That all kernels are lost is an answer, and no good one. */
	if (st == ST_END && s->loss.other[LOSS_KERNELS].n) {
		report_fini(&nothing);
		report_add(rep, SEV_ERROR, NULL, 0,
		           "no kernel dispatches: those that were launched are lost, or were not "
		           "traced");
		st = ST_OK;
	}
	report_move(rep, &nothing);
	if (st == ST_OK && !shares_doubts(&sum, o))
		st = ST_FATAL;
	if (st == ST_OK) {
		shares_tell(&s->shares, &sum, o, rep);
		gemm_tell_suspects(&sum, rep);
		tell(w, &sum, rep);
		if (!fill_inputs(s, t) || !fill_timeline(w, t) || !fill_kernels(w, &sum, t) ||
		    !fill_sync(w, t) || !fill_gaps(w, t, rep) || !fill_top(&sum, t))
			st = ST_FATAL;
	}
	free(sum.name);
	return st;
}

static const struct metric_view views[] = { { .columns = columns, .whole = true }, { 0 } };
static const char *const options[] = { "max-unclassified", NULL };

const struct metric metric_summary = {
	.name = "summary",
	.about = "one-page overview, checked against common targets",
	.group = "Overview",
	.examples = "kstats summary results.db\n"
	            "kstats summary -f csv run.db\n",
	.views = views,
	.options = options,
	.window = WINDOW_WHOLE,
	.sink = { .size = sizeof(struct summary),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .done = done,
	          .fini = fini },
	.want = want,
	.fill = fill,
};
