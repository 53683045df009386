/* SPDX-License-Identifier: MIT
 * What would a change buy?  Scenarios, each replayed on the recorded graph (replay/replay.h).
 *
 * Predicted is the window of the likely graph, low and high the least and the most of that and four
 * more: of what is certain, of all that is possible, and with what the trace leaves open decided
 * for the least and for the most.  How far the graph fits the trace is
 * measured by the trace itself: model_error_pct is how far the window is off where every latency is
 * the usual one of its kind. */
#include "metric/whatif/answer.h"
#include "question/question.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_view(const struct tm_metric_opts *o, const char *view)
{
	return o->view && !strcmp(o->view, view);
}

void tm_whatif_answer_fini(struct answer *a)
{
	for (size_t i = 0; i < a->nout; i++)
		tm_replay_result_fini(&a->out[i]);
	free(a->out);
	free(a->s);
	free(a->order);
	free(a->mark);
	tm_steps_fini(&a->steps);
	tm_whatif_list_fini(&a->list);
}

static int by_saving(const void *pa, const void *pb, void *arg)
{
	const struct answer *a = arg;
	size_t x = *(const size_t *)pa, y = *(const size_t *)pb;
	uint64_t p = a->out[x].total[TM_REPLAY_LIKELY], q = a->out[y].total[TM_REPLAY_LIKELY];

	return p != q ? (p > q ? 1 : -1) : (x > y) - (x < y);
}

/* The error of the blind replay. */
static void judge(struct answer *a)
{
	uint64_t blind = a->out[a->list.n].total[TM_REPLAY_LIKELY], off;
	struct tm_cell c;

	a->less = blind < a->window;
	off = a->less ? a->window - blind : blind - a->window;
	c = tm_work_pct(off, a->window);
	a->error = c.type == TM_CELL_FIXED ? c.v.u : 0;
}

static struct tm_replay_mark mark_of(const struct answer *a, uint32_t rank, const struct tm_step *s,
                                     uint64_t at)
{
	return (struct tm_replay_mark) { .rank = rank,
		                         .at = at,
		                         .gpu = a->steps.sequence,
		                         .pid = s->pid,
		                         .tid = s->tid,
		                         .has_pid = s->has_pid,
		                         .has_tid = s->has_tid };
}

/* Where steps begin and end, and the GPU work of each rank, as marks. */
static bool mark_times(struct answer *a)
{
	size_t n = 0;

	a->gpu = (struct tm_extent) { UINT64_MAX, 0 };
	a->mark = calloc(2 * (a->steps.n + a->r->nrank) + 1, sizeof *a->mark);
	for (size_t i = 0; a->mark && i < a->steps.n; i++) {
		uint32_t rank = 0;

		while (rank < a->r->nrank && tm_replay_rank_of(a->r, rank) != a->steps.v[i].rank)
			rank++;
		if (rank == a->r->nrank)
			continue;
		a->steps.v[n] = a->steps.v[i];
		a->mark[2 * n] = mark_of(a, rank, &a->steps.v[n], a->steps.v[n].at.lo);
		a->mark[2 * n + 1] = mark_of(a, rank, &a->steps.v[n], a->steps.v[n].at.hi);
		n++;
	}
	a->steps.n = n;
	a->nmark = 2 * n;
	for (size_t i = 0; a->mark && i < a->r->nrank; i++) {
		struct tm_replay_gpu gpu;

		if (!tm_replay_gpu(a->r, i, &gpu))
			continue;
		a->gpu.lo = gpu.lo < a->gpu.lo ? gpu.lo : a->gpu.lo;
		a->gpu.hi = gpu.hi > a->gpu.hi ? gpu.hi : a->gpu.hi;
		a->mark[a->nmark++] = gpu.begin;
		a->mark[a->nmark++] = (struct tm_replay_mark) {
			.rank = (uint32_t)i, .at = gpu.hi, .gpu = true, .end = true
		};
	}
	return a->mark != NULL;
}

/* From the first kernel to the last end of GPU work: as recorded, or in a pass.  Of each rank there
 * are two marks; where it begins may be the end of what was before. */
static uint64_t gpu_span(const struct answer *a, const uint64_t *at)
{
	const size_t first = 2 * a->steps.n;
	uint64_t lo = UINT64_MAX, hi = 0;

	for (size_t i = first; i < a->nmark; i++) {
		const uint64_t t = at ? at[i] : a->mark[i].at;
		const bool end = (i - first) % 2 != 0;

		lo = !end && t < lo ? t : lo;
		hi = end && t > hi ? t : hi;
	}
	return hi > lo ? hi - lo : 0;
}

uint64_t tm_whatif_saved_gpu(const struct answer *a, size_t i, uint64_t *window)
{
	const uint64_t *at = a->out[i].mark[TM_REPLAY_LIKELY];
	const uint64_t total = a->out[i].total[TM_REPLAY_LIKELY];
	const uint64_t saved = a->window > total ? a->window - total : 0;
	const uint64_t was = gpu_span(a, NULL), is = gpu_span(a, at);

	/* Without a graph there is nothing else. */
	*window = a->nmark > 2 * a->steps.n ? a->gpu.hi - a->gpu.lo : a->window;
	if (a->nmark == 2 * a->steps.n)
		return saved;
	if (a->s[i].prompt)
		return a->out[i].saved[TM_REPLAY_LIKELY] < was ? a->out[i].saved[TM_REPLAY_LIKELY]
		                                               : was;
	if (is >= was)
		return 0;
	return was - is < saved ? was - is : saved;
}

bool tm_whatif_replay(struct answer *a, unsigned jobs, size_t most)
{
	size_t n = a->list.n;
	struct tm_replay_job job = {
		.replay = a->r, .n = n + 2, .jobs = jobs ? jobs : 1, .ranked = n, .most = most
	};

	a->s = calloc(n + 2, sizeof *a->s);
	a->out = calloc(n + 2, sizeof *a->out);
	a->nout = a->out ? n + 2 : 0;
	a->order = calloc(n + 1, sizeof *a->order);
	if (!a->s || !a->out || !a->order || !mark_times(a))
		return false;
	for (size_t i = 0; i < n; i++) {
		a->s[i] = a->list.v[i].s;
		a->order[i] = i;
	}
	a->s[n] = a->s[n + 1] = tm_replay_same();
	a->s[n].blind = true;
	job.scenario = a->s;
	job.result = a->out;
	job.mark = a->mark;
	job.nmark = a->nmark;
	job.likely = a->likely;
	job.paths = a->paths;
	if (!tm_replay_run(&job))
		return false;
	if (n)
		qsort_r(a->order, n, sizeof *a->order, by_saving, a);
	a->window = a->r->hi - a->r->lo;
	judge(a);
	return true;
}

/* ---- what there is to say ---- */

enum { POOR_PCT = 5 };

static void tell(const struct answer *a, struct tm_report *rep)
{
	const struct tm_replay_result *same = &a->out[a->list.n + 1];
	const uint64_t off = (a->error + 50) / 100;

	for (int g = 0; g < TM_REPLAY_PASSES; g++)
		if (!same->identical[g])
			tm_report_add(
			        rep, TM_SEV_ERROR, NULL, 0,
			        "internal error: the replay without a change does not reproduce "
			        "the recorded times (pass %d); do not trust the numbers",
			        g);
	if (a->error > POOR_PCT * 10000u)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "with usual latencies the replay is %s%" PRIu64
		              ".%02u %% off: the model "
		              "does not fit this trace well, see kstats path",
		              a->less ? "-" : "", off / 100, (unsigned)(off % 100));
}

/* Without options scenarios that cannot be are left out: which, and why. */
static void tell_left_out(const struct tm_replay *r, struct tm_report *rep)
{
	const char *host = tm_whatif_no_usual_host(r), *ranks = tm_whatif_no_balance(r);

	if (host && r->counts.calls)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "no host scenarios: %s", host);
	if (ranks && r->nrank > 1)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "no rank scenarios: %s", ranks);
}

/* ---- the metric ---- */

static enum tm_status find_scenarios(struct answer *a, const struct tm_metric_opts *o,
                                     struct tm_report *rep)
{
	const struct whatif_own *own = o->own;

	if (tm_whatif_asks(own))
		return tm_whatif_asked(&a->list, a->r, o->classes, own, rep);
	tell_left_out(a->r, rep);
	if (!tm_whatif_usual(&a->list, a->r, o->classes, own->sweep ? WHATIF_SWEEP : WHATIF_ALL))
		return TM_ST_FATAL;
	if (!own->only)
		return TM_ST_OK;
	tm_whatif_only(&a->list, own->only);
	return tm_whatif_absent_of(&a->list, own->only, rep);
}

/* Options that choose among several scenarios, or name them, are given for nothing where one change
 * is asked for: that is an error; so is a name of --only that is no usual scenario of the view. */
static enum tm_status judge_choice(const struct tm_metric_opts *o, bool apart,
                                   struct tm_report *rep)
{
	const struct whatif_own *own = o->own;
	enum whatif_of of = own->sweep ? WHATIF_SWEEP : apart ? WHATIF_NO_KERNELS : WHATIF_ALL;
	const char *given = own->only ? "--only" : own->sweep ? "--sweep" : NULL;

	if (tm_whatif_asks(own) && given) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%s applies to the usual scenarios: remove it or the change", given);
		return TM_ST_END;
	}
	return own->only ? tm_whatif_names(own->only, o->classes, of, rep) : TM_ST_OK;
}

static enum tm_status find_steps(struct answer *a, struct replay_acc *acc, struct tm_report *rep)
{
	if (!acc->steps)
		return TM_ST_OK;
	return tm_work_settle(&acc->work) ? tm_steps_find(&a->steps, &acc->work, rep) : TM_ST_FATAL;
}

static enum tm_status fill(void *v, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	bool ranks = is_view(o, "ranks"), steps = is_view(o, "steps"), apart, ok;
	struct replay_acc *acc = v;
	const struct whatif_own *own = o->own;
	struct answer a = { .likely = own->likely };
	struct tm_replay *r = NULL;
	enum tm_status st;

	apart = is_view(o, "apart") || (o->state && o->state->writing);
	a.paths = !ranks && !steps && tm_whatif_asks_paths(o);
	st = judge_choice(o, apart, rep);
	if (apart && st == TM_ST_OK)
		return tm_whatif_apart(acc, o, t, rep);
	tm_table_init_list(t, apart   ? tm_whatif_apart_columns
	                      : ranks ? tm_whatif_rank_columns
	                      : steps ? tm_whatif_step_columns
	                              : tm_whatif_columns);
	if (st == TM_ST_OK)
		st = tm_replay_acc_settle(acc, o, rep);
	if (st == TM_ST_OK && own->only)
		st = tm_whatif_possible(own->only, &acc->rows, rep);
	if (st == TM_ST_OK)
		st = tm_replay_acc_graph(acc, o,
		                         !own->likely                ? TM_REPLAY_ANY_JOB
		                         : ranks || steps || a.paths ? TM_REPLAY_LIKELY_JOBS
		                                                     : TM_REPLAY_TOTALS,
		                         &r);
	a.r = r;
	if (st == TM_ST_OK)
		st = find_scenarios(&a, o, rep);
	if (st == TM_ST_OK)
		st = find_steps(&a, acc, rep);
	/* Those that will not be printed need no interval. */
	a.most = ranks || steps || o->nsort ? 0 : o->limit;
	if (st == TM_ST_OK && !tm_whatif_replay(&a, o->jobs, a.most))
		st = TM_ST_FATAL;
	if (st == TM_ST_OK) {
		ok = ranks   ? tm_whatif_put_ranks(&a, t)
		     : steps ? tm_whatif_put_steps(&a, t)
		             : tm_whatif_put_scenarios(&a, t);
		st = ok ? TM_ST_OK : TM_ST_FATAL;
		tm_replay_acc_tell(r, o, rep);
		tell(&a, rep);
	}
	tm_whatif_answer_fini(&a);
	tm_replay_free(r);
	return st;
}

static bool init(void *acc, const void *arg)
{
	return tm_replay_acc_init(acc, arg, is_view(arg, "steps"), false);
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	return tm_replay_acc_want(is_view(o, "steps"), false);
}

static const struct tm_metric_view views[] = {
	{ .columns = tm_whatif_columns },
	{ .option = "ranks",
	  .about = "print when each rank would end",
	  .columns = tm_whatif_rank_columns,
	  .whole = true },
	{ .option = "steps",
	  .about = "print how long each step would be",
	  .columns = tm_whatif_step_columns,
	  .whole = true },
	{ .option = "apart",
	  .about = "replay each rank alone: usual scenarios except kernels, for the rank that "
	           "gains most",
	  .columns = tm_whatif_apart_columns,
	  .shifted = true,
	  .sums = true },
	{ 0 },
};

static const struct tm_metric_option options[] = {
	{ .name = "scale",
	  TM_METRIC_TO_TEXT(struct whatif_own, scale),
	  .arg = "WHAT=F,...",
	  .about = "kernels of a class, or matching /REGEX/, take F times as long" },
	{ .name = "no-sync",
	  TM_METRIC_TO_FLAG(struct whatif_own, nosync),
	  .about = "calls that only wait for the GPU return at once" },
	{ .name = "no-sync-of",
	  TM_METRIC_TO_TEXT(struct whatif_own, nosync_of),
	  .arg = "NAME,...",
	  .about = "same for these calls only" },
	{ .name = "launch",
	  TM_METRIC_TO_TEXT(struct whatif_own, launch),
	  .arg = "F",
	  .about = "calls that launch a kernel take F times as long" },
	{ .name = "copy",
	  TM_METRIC_TO_TEXT(struct whatif_own, copy),
	  .arg = "F",
	  .about = "copies and fills take F times as long; 0 = hidden" },
	{ .name = "comm",
	  TM_METRIC_TO_TEXT(struct whatif_own, comm),
	  .arg = "F",
	  .about = "transfers of collectives take F times as long" },
	{ .name = "host",
	  TM_METRIC_TO_TEXT(struct whatif_own, host),
	  .arg = "F",
	  .about = "the host takes F times as long between calls" },
	{ .name = "balance",
	  TM_METRIC_TO_FLAG(struct whatif_own, balance),
	  .about = "every kernel takes its mean over ranks" },
	{ .name = "sweep",
	  TM_METRIC_TO_FLAG(struct whatif_own, sweep),
	  .about = "each class x 0.5 and x 0, instead of the usual scenarios" },
	{ .name = "only",
	  TM_METRIC_TO_TEXT(struct whatif_own, only),
	  .arg = "NAME;...",
	  .about = "only the usual scenarios of these names, such as \"launches free\"",
	  .kept = true },
	{ .name = "likely",
	  TM_METRIC_TO_FLAG(struct whatif_own, likely),
	  .about = "predict without intervals, in a fraction of the time",
	  .kept = true },
	{ 0 },
};

const struct tm_metric tm_metric_whatif = {
	.name = "whatif",
	.about = "time that a change would save, replayed from the trace",
	.group = "What would a change buy?",
	.examples = "kstats whatif run.db\n"
	            "kstats whatif --no-sync --scale gemm=0.5 run.db\n",
	.views = views,
	.options = options,
	.own = sizeof(struct whatif_own),
	.clock = TM_DRIVE_COMMON,
	.window = TM_WINDOW_WHOLE,
	.sink = REPLAY_SINK(init),
	.whole = TM_WHOLE_RANKS,
	.instead = "kernels with --scale",
	.state = 6,
	.state_views = true,
	.want = want,
	.lend = tm_replay_acc_lend,
	.fill = fill,
};
