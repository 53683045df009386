/* SPDX-License-Identifier: MIT
 * One page: what was read, where the time went, and how that stands to the usual targets.
 *
 * Every number is that of another sub-command over the same inputs, under the name by which rules
 * (tracecheck) ask for it.  A number that the inputs cannot tell is absent, and so is its verdict.
 */
#include "metric/summary.h"

#include "metric/homes.h"
#include "metric/shares.h"
#include "metric/summary_targets.h"
#include "metric/summary_whole.h"
#include "read/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COL_METRIC, COL_VALUE, COL_UNIT, COL_TARGET, COL_VERDICT, COL_NAME, COL_N };

static const struct tm_column columns[] = {
	[COL_METRIC] = { .name = "metric",
	                 .title = "METRIC",
	                 .unit = TM_UNIT_TEXT,
	                 .about = "what is measured, as named in rules" },
	[COL_VALUE] = { .name = "value",
	                .title = "VALUE",
	                .unit = TM_UNIT_COUNT,
	                .bar = true,
	                .about = "value, in the unit of the row" },
	[COL_UNIT] = { .name = "unit",
	               .title = "UNIT",
	               .unit = TM_UNIT_TEXT,
	               .machine = true,
	               .about = "pct, ns, count or text (in name)" },
	[COL_TARGET] = { .name = "target",
	                 .title = "TARGET",
	                 .unit = TM_UNIT_TEXT,
	                 .about = "common target" },
	[COL_VERDICT] = { .name = "verdict",
	                  .title = "VERDICT",
	                  .unit = TM_UNIT_TEXT,
	                  .about = "met or missed" },
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true,
	               .about = "kernel name; for a share over several agents or ranks: the worst "
	                        "of them" },
	[COL_N] = { .name = NULL },
};

/* The rows, in their order; those of the kernels with the largest shares follow. */
enum {
	ROW_INPUTS,
	ROW_RANKS,
	ROW_AGENTS,
	ROW_SKIPPED,
	ROW_LOST,
	ROW_KERNELS_LOST,
	ROW_WINDOW,
	ROW_PART, /* SUMMARY_PARTS of them */
	ROW_CALLS = ROW_PART + SUMMARY_PARTS,
	ROW_NAMES,
	ROW_TOTAL,
	ROW_SHARE, /* GEMM_ROWS of them */
	ROW_COMPUTE = ROW_SHARE + GEMM_ROWS,
	ROW_COMM,
	ROW_SYNC_IDLE,
	ROW_SYNC_WINDOW,
	ROW_GAPS,
	ROW_CAUSE, /* TM_CAUSES of them */
	ROW_MATCHED = ROW_CAUSE + TM_CAUSES,
	ROW_LONGEST,
	ROW_PRODUCER,
	ROW_GPU,
	ROW_HOSTS,
	ROWS,
	TOP_CALLS = 3,
	TOP_KERNELS = 10,
};

static const char *const rows[ROWS] = {
	[ROW_INPUTS] = "inputs",
	[ROW_RANKS] = "ranks",
	[ROW_AGENTS] = "agents",
	[ROW_SKIPPED] = "rows.skipped",
	[ROW_LOST] = "records.lost",
	[ROW_KERNELS_LOST] = "kernels.lost",
	[ROW_PRODUCER] = "producer",
	[ROW_GPU] = "gpu",
	[ROW_HOSTS] = "hosts",
	[ROW_WINDOW] = "timeline.window_ns",
	[ROW_PART + SUMMARY_BUSY] = "timeline.busy_pct",
	[ROW_PART + SUMMARY_COMPUTE] = "timeline.compute_pct",
	[ROW_PART + SUMMARY_EXPOSED_COMM] = "timeline.exposed_comm_pct",
	[ROW_PART + SUMMARY_EXPOSED_COPY] = "timeline.exposed_copy_pct",
	[ROW_PART + SUMMARY_MOVE] = "timeline.move_pct",
	[ROW_PART + SUMMARY_WAIT] = "timeline.wait_pct",
	[ROW_PART + SUMMARY_IDLE] = "timeline.idle_pct",
	[ROW_CALLS] = "kernels.calls",
	[ROW_NAMES] = "kernels.names",
	[ROW_TOTAL] = "kernels.total_ns",
	[ROW_SHARE + GEMM_DENSE] = "gemm.kernel_pct",
	[ROW_SHARE + GEMM_MOE] = "gemm+moe.kernel_pct",
	[ROW_SHARE + GEMM_MATRIX] = "matrix.kernel_pct",
	[ROW_SHARE + GEMM_UNCLASSIFIED] = "unclassified.kernel_pct",
	[ROW_COMPUTE] = "gemm.compute_pct",
	[ROW_COMM] = "comm.kernel_pct",
	[ROW_SYNC_IDLE] = "sync.idle_pct",
	[ROW_SYNC_WINDOW] = "sync.window_pct",
	[ROW_GAPS] = "gaps.count",
	[ROW_CAUSE + TM_CAUSE_SYNC] = "gaps.sync_pct",
	[ROW_CAUSE + TM_CAUSE_HOST] = "gaps.host_pct",
	[ROW_CAUSE + TM_CAUSE_LAUNCH] = "gaps.launch_pct",
	[ROW_CAUSE + TM_CAUSE_DEVICE] = "gaps.device_pct",
	[ROW_CAUSE + TM_CAUSE_UNKNOWN] = "gaps.unknown_pct",
	[ROW_MATCHED] = "gaps.matched_pct",
	[ROW_LONGEST] = "gaps.longest_pct",
};

static const char *call_name(size_t i, char out[32])
{
	snprintf(out, 32, i % 2 ? "gaps.call.%zu.gaps" : "gaps.call.%zu.idle_pct", i / 2 + 1);
	return out;
}

static const char *top_name(size_t i, char out[32])
{
	snprintf(out, 32, "top.%zu.kernel_pct", i + 1);
	return out;
}

const char *tm_summary_name(size_t i, char out[32])
{
	if (i < ROWS)
		return rows[i];
	i -= ROWS;
	if (i < 2 * TOP_CALLS)
		return call_name(i, out);
	i -= 2 * TOP_CALLS;
	return i < TOP_KERNELS ? top_name(i, out) : NULL;
}

/* What its options say. */
struct summary_own {
	struct shares_own shares; /* first: tm_shares_tell looks at it */
	const char *preset;
};

struct summary {
	struct shares shares;
	uint64_t inputs, skipped;
	struct tm_loss loss; /* of all inputs */
	struct tm_names producers;
	struct tm_names homes;
	struct tm_agents agents;
	uint64_t rank; /* of the piece that is being read */
	const char *preset;
};

static bool init(void *acc, const void *arg)
{
	struct summary *s = acc;
	const struct tm_metric_opts *o = arg;

	*s = (struct summary) { .preset = ((const struct summary_own *)o->own)->preset };
	return tm_shares_init(&s->shares, arg, TM_GAPS_KEEP);
}

void tm_summary_judge(void *own, const char *preset)
{
	((struct summary_own *)own)->preset = preset;
}

static bool add_names(struct tm_names *into, const struct tm_names *from)
{
	uint32_t *ids = tm_names_add_all(into, from);

	free(ids);
	return ids != NULL;
}

static bool done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                 const struct tm_diag *why)
{
	struct summary *s = acc;

	(void)why;
	if (p->id.producer &&
	    tm_names_add(&s->producers, p->id.producer, strlen(p->id.producer)) == TM_NAME_NONE)
		return false;
	if (!tm_homes_add(&s->homes, &p->id))
		return false;
	s->inputs++;
	/* Of a record that was cut the bytes are counted, of a row that it was. */
	s->skipped += tm_loss_skipped(l) + (tm_loss_sum(l, 1U << TM_LOSS_IS_ENDED) != 0);
	tm_loss_add(&s->loss, l, 0);
	return true;
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct summary *s = acc;

	s->rank = p->id.rank;
	return tm_shares_piece(acc, p);
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct summary *s = acc;

	return tm_agents_take(&s->agents, s->rank, b) && tm_shares_take(acc, b);
}

static bool merge(void *into, void *acc)
{
	struct summary *s = into, *from = acc;

	if (!add_names(&s->producers, &from->producers) || !add_names(&s->homes, &from->homes))
		return false;
	s->inputs += from->inputs;
	s->skipped += from->skipped;
	tm_loss_add(&s->loss, &from->loss, 0);
	return tm_agents_merge(&s->agents, &from->agents) &&
	       tm_shares_merge(&s->shares, &from->shares);
}

static void fini(void *acc)
{
	struct summary *s = acc;

	tm_names_fini(&s->producers);
	tm_names_fini(&s->homes);
	tm_agents_fini(&s->agents);
	tm_shares_fini(acc);
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	return tm_shares_want(o, TM_GAPS_KEEP) | tm_agents_want();
}

/* ---- rows ---- */

static const char *const unit_words[] = {
	[TM_UNIT_TEXT] = "text",   [TM_UNIT_NS] = "ns",       [TM_UNIT_PCT] = "pct",
	[TM_UNIT_COUNT] = "count", [TM_UNIT_RATIO] = "ratio",
};

/* Where rows go, and what workload they are judged for. */
struct sheet {
	struct tm_table *t;
	const char *preset;
	bool doubt; /* lost kernels and records make every share another: nothing is judged */
};

/* What a share may be, where it is not known: `low` to `high`, for the reason `why`; NULL = it is
 * known.  A target is met only where `met_by` meets it, too. */
struct ends {
	struct tm_cell low, high, met_by;
	const char *why;
};

static uint64_t fixed(struct tm_cell c, uint64_t without)
{
	return c.type == TM_CELL_FIXED ? c.v.u : without;
}

/* The target of a row, and whether it is met. */
static void judge(struct sheet *t, struct tm_cell *c, const struct summary_target *target,
                  struct tm_cell value, uint64_t least, uint64_t most)
{
	const uint64_t limit = target->limit * UINT64_C(10000);
	char text[16];
	int n = snprintf(text, sizeof text, "%s %u %%", target->at_least ? ">=" : "<",
	                 target->limit);

	c[COL_TARGET] = tm_table_own(t->t, text, (size_t)n);
	if (value.type != TM_CELL_FIXED || t->doubt)
		return;
	if (target->at_least ? most < limit : least >= limit)
		c[COL_VERDICT] = tm_cell_text("missed", 6);
	else if (target->at_least ? least >= limit : most < limit)
		c[COL_VERDICT] = tm_cell_text("met", 3);
}

/* A target is only met where the most that the value may be meets it, and only missed where the
 * least misses it. */
static struct tm_cell *add_between(struct sheet *t, const char *metric, struct tm_cell value,
                                   enum tm_unit unit, const struct ends *e)
{
	const struct summary_target *target;
	struct tm_cell *c = tm_table_row(t->t);
	const struct tm_table_ends ends = { e->low, e->high, e->why };

	if (!c)
		return NULL;
	c[COL_METRIC] = tm_table_own(t->t, metric, strlen(metric));
	if (value.type != TM_CELL_NONE)
		c[COL_VALUE] = tm_cell_in(value, unit);
	if (value.type == TM_CELL_FIXED && e->low.type == TM_CELL_FIXED &&
	    e->high.type == TM_CELL_FIXED && e->low.v.u != e->high.v.u &&
	    !tm_table_between(t->t, &c[COL_VALUE], &ends))
		return NULL;
	c[COL_UNIT] = tm_cell_text(unit_words[unit], strlen(unit_words[unit]));
	target = tm_summary_target(metric, t->preset);
	if (target)
		judge(t, c, target, value, fixed(e->low, 0), fixed(e->met_by, UINT64_MAX));
	return c;
}

static struct tm_cell *add(struct sheet *t, const char *metric, struct tm_cell value,
                           enum tm_unit unit)
{
	return add_between(t, metric, value, unit, &(struct ends) { value, value, value, NULL });
}

static bool add_count(struct sheet *t, const char *metric, bool known, uint64_t n)
{
	return add(t, metric, known ? tm_cell_u64(n) : tm_cell_none(), TM_UNIT_COUNT) != NULL;
}

static struct tm_cell ns_cell(tm_u128 ns)
{
	return ns >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)ns);
}

static struct tm_cell *add_time(struct sheet *t, const char *metric, tm_u128 part, tm_u128 whole)
{
	return add(t, metric, tm_work_pct(part, whole), TM_UNIT_PCT);
}

/* What was missing before the input was read, and that there are no verdicts if anything was: all
 * rows with a target come later.  The profiler counts places, and nobody knows how
 * many records a place had: then the number is absent.  tracecat counts what it left out. */
static bool fill_lost(const struct summary *s, struct sheet *t)
{
	static const struct {
		enum tm_loss_reason why;
		const char *one, *many;
	} words[] = {
		{ TM_LOSS_DISCARDED, "chunk discarded", "chunks discarded" },
		{ TM_LOSS_OVERWRITTEN, "chunk overwritten", "chunks overwritten" },
		{ TM_LOSS_DROPPED, "place with packets dropped", "places with packets dropped" },
		{ TM_LOSS_JOURNAL, "journal not read", "journals not read" },
		{ TM_LOSS_SOURCE_LOST, "place in the trace this was drawn from",
		  "places in the trace this was drawn from" },
		{ TM_LOSS_MERGED, "kernel or copy merged by tracecat",
		  "kernels and copies merged by tracecat" },
		{ TM_LOSS_OMITTED, "call omitted by tracecat", "calls omitted by tracecat" },
		{ TM_LOSS_THINNED, "counter value omitted by tracecat",
		  "counter values omitted by tracecat" },
		{ TM_LOSS_BARE, "event without arguments", "events without arguments" },
	};
	const bool known = !tm_loss_sum(&s->loss, 1U << TM_LOSS_IS_GONE);
	uint64_t kernels = s->loss.of[TM_LOSS_KERNELS].n;
	struct tm_cell *c = add(t, rows[ROW_LOST],
	                        known ? tm_cell_u64(tm_loss_lost(&s->loss)) : tm_cell_none(),
	                        TM_UNIT_COUNT);
	char text[1024];
	int n = 0;

	for (size_t i = 0; c && i < sizeof words / sizeof *words; i++) {
		uint64_t places = s->loss.of[words[i].why].n;

		if (places)
			n += snprintf(text + n, sizeof text - (size_t)n, "%s%" PRIu64 " %s",
			              n       ? ", "
			              : known ? ""
			                      : "unknown number: ",
			              places, places == 1 ? words[i].one : words[i].many);
	}
	if (c && n)
		c[COL_NAME] = tm_table_own(t->t, text, (size_t)n);
	t->doubt = !known || n || tm_loss_lost(&s->loss) || kernels || s->skipped ||
	           s->shares.work.untimed;
	c = c ? add(t, rows[ROW_KERNELS_LOST], kernels ? tm_cell_u64(kernels) : tm_cell_none(),
	            TM_UNIT_COUNT)
	      : c;
	if (c && kernels) {
		static const char all[] = "launched, but no kernel is in the trace";

		c[COL_NAME] = tm_cell_text(all, sizeof all - 1);
	}
	return c != NULL;
}

static int by_text(const void *a, const void *b)
{
	return tm_name_cmp(a, b);
}

/* Of two texts about one program, which come in order, the later one says more of its version. */
static bool same_program(const struct tm_name *a, const struct tm_name *b)
{
	static const char ends[] = " ,";
	size_t n = strcspn(a->text, ends);

	return n == strcspn(b->text, ends) && !memcmp(a->text, b->text, n);
}

/* "torch.profiler, roctracer, HIP 6.3" is one in a list: what comes after the comma in parentheses.
 */
static void put_program(struct tm_buf *b, const char *text)
{
	const char *more = strstr(text, ", ");

	if (more)
		tm_buf_fmt(b, "%.*s (%s)", (int)(more - text), text, more + 2);
	else
		tm_buf_str(b, text);
}

enum { SHOWN = 3 }; /* of very many texts */

/* Who wrote the inputs. */
static bool fill_producers(const struct summary *s, struct sheet *t)
{
	uint32_t n = s->producers.n, programs = 0;
	struct tm_cell *c = add(t, rows[ROW_PRODUCER], tm_cell_none(), TM_UNIT_TEXT);
	struct tm_name *order = calloc((size_t)n + 1, sizeof *order);
	struct tm_buf text = { 0 };

	if (!c || !order) {
		free(order);
		return false;
	}
	if (n) {
		memcpy(order, s->producers.v, n * sizeof *order);
		qsort(order, n, sizeof *order, by_text);
	}
	for (uint32_t i = 0; i < n; i++)
		if ((i + 1 == n || !same_program(&order[i], &order[i + 1])) && programs++ < SHOWN) {
			tm_buf_str(&text, text.n ? ", " : "");
			put_program(&text, order[i].text);
		}
	if (programs > SHOWN)
		tm_buf_fmt(&text, " and %" PRIu32 " more", programs - SHOWN);
	if (text.n)
		c[COL_NAME] = tm_table_own(t->t, text.p, text.n);
	free(order);
	t->t->failed |= text.failed;
	tm_buf_fini(&text);
	return true;
}

/* The first of those names, and how many things have none, into the cell for a name. */
static bool own_names(struct sheet *t, struct tm_cell *c, struct tm_names *names, uint64_t unknown,
                      const char *of_what)
{
	struct tm_buf text = { 0 };
	bool ok;

	if (names->n)
		qsort(names->v, names->n, sizeof *names->v, by_text);
	for (uint32_t i = 0; i < names->n && i < SHOWN; i++)
		tm_buf_fmt(&text, "%s%s", i ? ", " : "", names->v[i].text);
	if (names->n > SHOWN)
		tm_buf_fmt(&text, " and %" PRIu32 " more", names->n - SHOWN);
	if (names->n && unknown)
		tm_buf_fmt(&text, ", %" PRIu64 "%s unknown", unknown, of_what);
	if (text.n)
		c[COL_NAME] = tm_table_own(t->t, text.p, text.n);
	ok = !text.failed;
	tm_buf_fini(&text);
	return ok;
}

/* What the agents that worked are: of each of them all one name, or nothing where an input does
 * not say. */
static bool fill_gpus(const struct summary *s, const struct summary_whole *a, struct sheet *t)
{
	struct tm_cell *c = add(t, rows[ROW_GPU], tm_cell_none(), TM_UNIT_TEXT);
	struct tm_names names = { 0 };
	struct tm_buf text = { 0 };
	uint64_t unknown = 0;
	bool ok = c != NULL;

	for (size_t i = 0; ok && i < a->n; i++) {
		const struct summary_whose *of = &a->agent[i].of;
		struct tm_gpu_seen seen;
		uint64_t xccs;

		tm_buf_clear(&text);
		if (!of->has_agent ||
		    !tm_agents_find(&s->agents, of->rank, of->agent, &seen, &xccs) ||
		    !tm_gpu_put_name(&text, &seen))
			unknown++;
		else
			ok = !text.failed && tm_names_add(&names, text.p, text.n) != TM_NAME_NONE;
	}
	ok = ok && own_names(t, c, &names, unknown, "");
	tm_buf_fini(&text);
	tm_names_fini(&names);
	return ok;
}

/* On how many hosts the ranks that worked were: not known where one of them does not say. */
static bool fill_hosts(const struct summary *s, const struct summary_whole *a, struct sheet *t)
{
	struct tm_cell *c = add(t, rows[ROW_HOSTS], tm_cell_none(), TM_UNIT_COUNT);
	uint64_t unknown, *ranks = calloc(a->n + 1, sizeof *ranks);
	struct tm_names hosts = { 0 };
	bool ok = c && ranks;

	for (size_t i = 0; ok && i < a->n; i++)
		ranks[i] = a->agent[i].of.rank;
	ok = ok && tm_homes_find(&s->homes, ranks, a->n, &hosts, &unknown);
	if (ok && hosts.n && !unknown)
		c[COL_VALUE] = tm_cell_u64(hosts.n);
	ok = ok && own_names(t, c, &hosts, unknown, " of ranks");
	tm_names_fini(&hosts);
	free(ranks);
	return ok;
}

static bool fill_inputs(const struct summary *s, const struct summary_whole *a, struct sheet *t)
{
	uint64_t ranks = 0, agents = 0;

	for (size_t i = 0; i < a->n; i++) {
		ranks += !i || a->agent[i].of.rank != a->agent[i - 1].of.rank;
		agents += a->agent[i].of.has_agent;
	}
	return add_count(t, rows[ROW_INPUTS], true, s->inputs) &&
	       add_count(t, rows[ROW_RANKS], ranks, ranks) &&
	       add_count(t, rows[ROW_AGENTS], agents, agents) &&
	       add_count(t, rows[ROW_SKIPPED], true, s->skipped + s->shares.work.untimed) &&
	       fill_lost(s, t);
}

/* Whose share of its window is largest, or least. */
struct guilty {
	uint64_t part, window;
	const struct summary_whose *of; /* NULL = nobody yet */
};

static void guilty_see(struct guilty *g, bool least, const struct summary_whose *of, uint64_t part,
                       uint64_t window)
{
	tm_u128 now = (tm_u128)part * g->window, before = (tm_u128)g->part * window;

	if (window && (!g->of || (least ? now < before : now > before)))
		*g = (struct guilty) { part, window, of };
}

/* "rank 3", or "rank 3, agent 4" where it has several */
static const char *whose(const struct summary_whose *of, char out[64])
{
	char agent[16];

	if (of->several && of->has_agent)
		snprintf(out, 64, "rank %" PRIu64 ", agent %s", of->rank,
		         tm_agent_text(of->agent, agent));
	else
		snprintf(out, 64, "rank %" PRIu64, of->rank);
	return out;
}

static struct tm_cell guilty_cell(struct sheet *t, const struct guilty *g, bool least,
                                  const char *who)
{
	struct tm_cell pct = tm_work_pct(g->part, g->window);
	uint64_t hundredths;
	char text[128];
	int n;

	/* Where nobody has any, nobody has most. */
	if (pct.type != TM_CELL_FIXED || (!least && !pct.v.u))
		return tm_cell_none();
	hundredths = (pct.v.u + 50) / 100;
	n = snprintf(text, sizeof text, "%s %" PRIu64 ".%02u %%: %s", least ? "least" : "most",
	             hundredths / 100, (unsigned)(hundredths % 100), who);
	return tm_table_own(t->t, text, (size_t)n);
}

/* Are small shares of it bad? */
static bool is_good(int part)
{
	return part <= SUMMARY_COMPUTE;
}

struct parts {
	tm_u128 window, sum[SUMMARY_PARTS];
	uint64_t longest;
	const struct summary_whose *of_longest;
	struct guilty guilty[SUMMARY_PARTS];
};

static void add_agent(struct parts *p, const struct summary_agent *a)
{
	p->window += a->window;
	if (!p->of_longest || a->window > p->longest) {
		p->longest = a->window;
		p->of_longest = &a->of;
	}
	for (int i = 0; i < SUMMARY_PARTS; i++) {
		p->sum[i] += a->part[i];
		guilty_see(&p->guilty[i], is_good(i), &a->of, a->part[i], a->window);
	}
}

/* The longest window, and of all agents together shares of the sum of their windows, with whoever
 * is worst. */
static bool fill_timeline(const struct summary_whole *a, struct sheet *t)
{
	struct parts p = { 0 };
	char text[128], who[64];
	struct tm_cell *c;

	for (size_t i = 0; i < a->n; i++)
		add_agent(&p, &a->agent[i]);
	c = add(t, rows[ROW_WINDOW], a->n ? tm_cell_u64(p.longest) : tm_cell_none(), TM_UNIT_NS);
	if (c && a->n > 1) {
		int n = snprintf(text, sizeof text, "longest of %zu: %s", a->n,
		                 whose(p.of_longest, who));

		c[COL_NAME] = tm_table_own(t->t, text, (size_t)n);
	}
	for (int i = 0; c && i < SUMMARY_PARTS; i++) {
		c = add_time(t, rows[ROW_PART + i], p.sum[i], p.window);
		if (c && a->n > 1 && p.guilty[i].of)
			c[COL_NAME] = guilty_cell(t, &p.guilty[i], is_good(i),
			                          whose(p.guilty[i].of, who));
	}
	return c != NULL;
}

/* A kernel that communicates, moves data or waits makes the share of every other smaller, and the
 * GPU no less busy with matrix products while it computes: a share of kernel time only meets its
 * target where that of the compute does. */
static bool fill_kernels(const struct summary_whole *a, const struct share_sum *sum,
                         struct sheet *t)
{
	tm_u128 compute = sum->total, comm = 0, known = 0;
	struct tm_cell share, most;
	struct gemm_range dense;
	uint64_t calls = 0;
	struct tm_cell *c;

	for (size_t i = 0; i < sum->n; i++) {
		calls += sum->name[i].calls;
		if (strcmp(sum->name[i].class_name, TM_CLASS_UNKNOWN) != 0)
			known += sum->name[i].total;
		if (tm_work_kind_of(sum->name[i].class_name) != TM_WORK_KERNEL)
			compute -= sum->name[i].total;
		if (tm_work_kind_of(sum->name[i].class_name) == TM_WORK_COMM)
			comm += sum->name[i].total;
	}
	if (!add_count(t, rows[ROW_CALLS], true, calls) ||
	    !add_count(t, rows[ROW_NAMES], true, sum->n))
		return false;
	c = add(t, rows[ROW_TOTAL], ns_cell(sum->total), TM_UNIT_NS);
	if (c && a->n > 1) {
		char text[48];
		int n = snprintf(text, sizeof text, "sum over %zu agents", a->n);

		c[COL_NAME] = tm_table_own(t->t, text, (size_t)n);
	}
	if (!c)
		return false;
	for (int row = 0; row < GEMM_ROWS; row++) {
		const struct gemm_range r = tm_gemm_range(sum, row);
		tm_u128 whole = row == GEMM_UNCLASSIFIED ? sum->total : compute;
		const struct ends ends = { .low = tm_work_pct(r.low, sum->total),
			                   .high = tm_work_pct(r.most, sum->total),
			                   .met_by = tm_work_pct(r.most, whole),
			                   .why = tm_gemm_why_open };

		if (!add_between(t, rows[ROW_SHARE + row],
		                 tm_work_pct(tm_gemm_total(sum, row), sum->total), TM_UNIT_PCT,
		                 &ends))
			return false;
	}
	dense = tm_gemm_range(sum, GEMM_DENSE);
	share = tm_work_pct(tm_gemm_total(sum, GEMM_DENSE), compute);
	most = tm_work_pct(dense.most, compute);
	if (!add_between(t, rows[ROW_COMPUTE], share, TM_UNIT_PCT,
	                 &(struct ends) { tm_work_pct(dense.low, compute), most, most,
	                                  tm_gemm_why_open }))
		return false;
	share = tm_work_pct(comm, sum->total);
	most = tm_work_pct(comm + (sum->total - known), sum->total);
	return add_between(t, rows[ROW_COMM], share, TM_UNIT_PCT,
	                   &(struct ends) { share, most, most, tm_gemm_why_open });
}

static bool fill_top(const struct share_sum *sum, struct sheet *t)
{
	for (size_t i = 0; i < sum->n && i < TOP_KERNELS; i++) {
		char name[32];
		struct tm_cell *c;

		c = add(t, top_name(i, name), tm_work_pct(sum->name[i].total, sum->total),
		        TM_UNIT_PCT);
		if (!c)
			return false;
		c[COL_NAME] = tm_cell_text(sum->name[i].text.text, sum->name[i].text.len);
	}
	return true;
}

/* Shares of the GPU windows of all ranks that have API calls; absent without any. */
static bool fill_sync(const struct summary_whole *a, struct sheet *t)
{
	tm_u128 window = 0, waited = 0, idle = 0;
	struct guilty most = { 0 };
	struct tm_cell *c;
	char who[64];

	for (size_t i = 0; i < a->nsync; i++) {
		const struct summary_sync *one = &a->sync[i];

		guilty_see(&most, false, &one->of, one->idle, one->window);
		window += one->window;
		waited += one->waited;
		idle += one->idle;
	}
	c = add_time(t, rows[ROW_SYNC_IDLE], idle, window);
	if (c && a->nsync > 1)
		c[COL_NAME] = guilty_cell(t, &most, false, whose(most.of, who));
	return c && add_time(t, rows[ROW_SYNC_WINDOW], waited, window) != NULL;
}

/* The longest gap, as a share of the window of its agent, and when it was. */
static bool fill_longest(const struct summary_whole *a, struct sheet *t)
{
	struct tm_cell *c = add_time(t, rows[ROW_LONGEST], a->longest_ns, a->longest_window);
	struct tm_buf text = { 0 };
	char who[64];

	if (!c || !a->longest_ns)
		return c != NULL;
	tm_work_put_ns(&text, a->longest_ns);
	tm_buf_str(&text, " at +");
	tm_work_put_ns(&text, a->longest_at);
	if (a->n > 1)
		tm_buf_fmt(&text, ", %s", whose(&a->longest_of, who));
	c[COL_NAME] = tm_table_own(t->t, text.p ? text.p : "", text.n);
	t->t->failed |= text.failed;
	tm_buf_fini(&text);
	return true;
}

/* What the host did during most of the idle time. */
static bool fill_calls(const struct tm_work *w, const struct summary_whole *a, struct sheet *t)
{
	for (size_t i = 0; i < a->ncall && i < TOP_CALLS; i++) {
		const struct tm_name *name = &w->names.v[a->call[i].name];
		struct tm_cell *c;
		char row[32];

		c = add_time(t, call_name(2 * i, row), a->call[i].idle, a->idle);
		if (!c)
			return false;
		c[COL_NAME] = tm_cell_text(name->text, name->len);
		c = add(t, call_name(2 * i + 1, row), tm_cell_u64(a->call[i].gaps), TM_UNIT_COUNT);
		if (!c)
			return false;
		c[COL_NAME] = tm_cell_text(name->text, name->len);
	}
	return true;
}

static bool fill_gaps(const struct tm_work *w, const struct summary_whole *a, struct sheet *t,
                      struct tm_report *rep)
{
	if (!add_count(t, rows[ROW_GAPS], a->n, a->gaps))
		return false;
	for (int c = 0; c < TM_CAUSES; c++) {
		tm_u128 whole = a->matched || c == TM_CAUSE_UNKNOWN ? a->window : 0;
		struct tm_cell part = tm_work_pct(whole ? a->cause[c] : 0, whole);
		struct tm_cell most = tm_work_pct(whole ? tm_gaps_most(a->cause, c, a->few) : 0,
		                                  whole);

		if (!add_between(t, rows[ROW_CAUSE + c], part, TM_UNIT_PCT,
		                 &(struct ends) { part, most, most, tm_gaps_why_open }))
			return false;
	}
	if (w->seen[TM_DOMAIN_HIP] || w->seen[TM_DOMAIN_HSA])
		tm_gaps_tell_few(w, a->few, a->lanes, "agent", a->elsewhere, rep);
	tm_gaps_tell_early(a->early, a->told, rep);
	return add_time(t, rows[ROW_MATCHED], a->matched, a->ops) && fill_longest(a, t) &&
	       (a->few || fill_calls(w, a, t));
}

static void tell(const struct tm_work *w, const struct summary_whole *a,
                 const struct share_sum *sum, struct tm_report *rep)
{
	if (!sum->unions)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%s: timeline, sync and gaps do not include them",
		              sum->totals ? "statistics files do not record when kernels ran"
		                          : "a counter collection runs kernels one at a time");
	if (!a->n)
		return;
	if (!w->seen[TM_DOMAIN_COPY])
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "no copies %s: time in which only copies ran counts as idle",
		              tm_metric_where(w->o, false));
	if (!w->seen[TM_DOMAIN_HIP] && !w->seen[TM_DOMAIN_HSA])
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "no API calls %s: sync and the causes of gaps are unknown; add the API "
		        "trace of the same run",
		        tm_metric_where(w->o, false));
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct summary *s = acc;
	struct tm_work *w = &s->shares.work;
	struct sheet sheet = { .t = t, .preset = s->preset };
	struct tm_report nothing = { 0 };
	struct summary_whole a = { 0 };
	struct share_sum sum;
	enum tm_status st;

	tm_table_init_list(t, columns);
	st = tm_shares_sum(&s->shares, o, &sum, &nothing);
	if (st != TM_ST_FATAL && !tm_summary_whole(&a, w, &s->homes, o->state))
		st = TM_ST_FATAL;
	/* That all kernels are lost is an answer, and no good one. */
	if (st == TM_ST_END && s->loss.of[TM_LOSS_KERNELS].n) {
		tm_report_fini(&nothing);
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "no kernel dispatches: launched kernels were lost or not traced");
		st = TM_ST_OK;
	}
	tm_report_move(rep, &nothing);
	if (st == TM_ST_OK && !tm_shares_doubts(&sum, o))
		st = TM_ST_FATAL;
	if (st == TM_ST_OK) {
		tm_shares_tell(&s->shares, &sum, o, rep);
		tm_gemm_tell_suspects(&sum, rep);
		tell(w, &a, &sum, rep);
		if (!fill_inputs(s, &a, &sheet) || !fill_timeline(&a, &sheet) ||
		    !fill_kernels(&a, &sum, &sheet) || !fill_sync(&a, &sheet) ||
		    !fill_gaps(w, &a, &sheet, rep) || !fill_producers(s, &sheet) ||
		    !fill_gpus(s, &a, &sheet) || !fill_hosts(s, &a, &sheet) ||
		    !fill_top(&sum, &sheet))
			st = TM_ST_FATAL;
	}
	tm_summary_whole_fini(&a);
	free(sum.name);
	return st;
}

static const struct tm_metric_option options[] = {
	{ .name = "preset",
	  TM_METRIC_TO_CHOICE(struct summary_own, preset),
	  .arg = "WORKLOAD",
	  .choices = tm_summary_presets,
	  .kept = true,
	  .about = "targets for this kind of program" },
	{ .name = "max-unclassified",
	  TM_METRIC_TO_FIXED(struct summary_own, shares.max_unclassified),
	  .arg = "PCT",
	  .max = 1000000,
	  .about = "exit 1 if more than PCT % of kernel time has no class",
	  .limit = true },
	{ 0 },
};

static const struct tm_metric_view views[] = { { .columns = columns, .whole = true }, { 0 } };

const struct tm_metric tm_metric_summary = {
	.name = "summary",
	.about = "one-page overview, checked against common targets",
	.group = "Overview",
	.examples = "kstats summary results.db\n"
	            "kstats summary -f csv run.db\n",
	.views = views,
	.options = options,
	.own = sizeof(struct summary_own),
	.window = TM_WINDOW_WHOLE,
	.state = 3,
	.state_sums = true,
	.sink = { .size = sizeof(struct summary),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .done = done,
	          .fini = fini },
	.work = tm_shares_work,
	.sums = tm_shares_top,
	.whole = TM_WHOLE_AGENTS,
	.want = want,
	.fill = fill,
};
