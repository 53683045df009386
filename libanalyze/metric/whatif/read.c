/* SPDX-License-Identifier: MIT
 * What `kstats whatif` and `kstats path` read, and what there is to say of it. */
#include "metric/whatif/parts.h"

#include <inttypes.h>

enum { PAUSE_PCT = 50 };

static void window_of(const void *arg, uint64_t rank, struct tm_extent *w)
{
	tm_metric_window(arg, rank, w);
}

bool tm_replay_acc_init(struct replay_acc *a, const struct tm_metric_opts *o, bool steps,
                        bool frames)
{
	*a = (struct replay_acc) { .steps = steps, .frames = frames };
	a->stack_opts = (struct tm_stack_opts) { .window = window_of, .arg = o };
	return tm_replay_rows_init(&a->rows, o) &&
	       (!steps || tm_work_init(&a->work, o, TM_STEPS_KEEP)) &&
	       (!frames || tm_stack_init(&a->stack, &a->stack_opts));
}

tm_ev_set tm_replay_acc_want(bool steps, bool frames)
{
	const struct tm_stack_opts opts = { .window = window_of };

	return tm_replay_rows_want() | (steps ? tm_work_want(TM_STEPS_KEEP) : 0) |
	       (frames ? tm_stack_want(&opts) : 0);
}

bool tm_replay_acc_piece(void *acc, const struct tm_piece *p)
{
	struct replay_acc *a = acc;

	return tm_replay_rows_piece(&a->rows, p) && (!a->steps || tm_work_piece(&a->work, p)) &&
	       (!a->frames || tm_stack_piece(&a->stack, p));
}

bool tm_replay_acc_take(void *acc, const struct tm_batch *b)
{
	struct replay_acc *a = acc;

	return tm_replay_rows_take(&a->rows, b) && (!a->steps || tm_work_take(&a->work, b)) &&
	       (!a->frames || tm_stack_take(&a->stack, b));
}

bool tm_replay_acc_merge(void *into, void *from)
{
	struct replay_acc *a = into, *f = from;

	return tm_replay_rows_merge(&a->rows, &f->rows) &&
	       (!a->steps || tm_work_merge(&a->work, &f->work)) &&
	       (!a->frames || tm_stack_merge(&a->stack, &f->stack));
}

void tm_replay_acc_fini(void *acc)
{
	struct replay_acc *a = acc;

	tm_replay_rows_fini(&a->rows);
	if (a->steps)
		tm_work_fini(&a->work);
	if (a->frames)
		tm_stack_fini(&a->stack);
}

void tm_replay_acc_lend(void *acc, const struct tm_work_pool *work,
                        const struct tm_stack_pool *stacks)
{
	struct tm_replay_rows *r = &((struct replay_acc *)acc)->rows;

	/* Those that lie outside a window are none of the replay's. */
	if (r->o->windowed)
		return;
	tm_replay_rows_lend(r, tm_work_pool_find(work, TM_REPLAY_LENT),
	                    tm_stack_pool_lanes(stacks));
}

/* Nothing can be replayed: why? */
static void explain(const struct tm_replay_rows *r, const struct tm_metric_opts *o,
                    struct tm_report *rep)
{
	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR)
			return; /* said already */
	if (r->stats && !r->seen)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to replay: statistics files contain totals, not events; "
		              "give the trace");
	else if (r->untimed && r->untimed == r->seen)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to replay: none of the %" PRIu64
		              " rows has start and end times",
		              r->seen);
	else
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to replay: no kernels or copies %s",
		              tm_metric_where(o, true));
}

static void tell_rows(const struct tm_replay_rows *r, struct tm_report *rep)
{
	if (r->untimed)
		tm_report_add(rep, TM_SEV_SKIP, NULL, 0,
		              "%" PRIu64 " row%s without start and end times skipped", r->untimed,
		              r->untimed == 1 ? "" : "s");
	if (r->stats)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64
		              " row%s of statistics files ignored: they contain totals, not events",
		              r->stats, r->stats == 1 ? "" : "s");
}

enum tm_status tm_replay_acc_judge(const struct replay_acc *a, bool any,
                                   const struct tm_metric_opts *o, struct tm_report *rep)
{
	if (a->rows.counters)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "kernels of a counter collection run one at a time: give a trace "
		              "without counters");
	else if (!any)
		explain(&a->rows, o, rep);
	else
		tell_rows(&a->rows, rep);
	return any && !a->rows.counters ? TM_ST_OK : TM_ST_END;
}

enum tm_status tm_replay_acc_settle(struct replay_acc *a, const struct tm_metric_opts *o,
                                    struct tm_report *rep)
{
	bool any = false;

	if (!tm_replay_rows_borrow(&a->rows))
		return TM_ST_FATAL;
	for (uint32_t i = 0; i < a->rows.ranks.n; i++)
		any |= a->rows.rank[i].nop != 0;
	return tm_replay_acc_judge(a, any, o, rep);
}

enum tm_status tm_replay_acc_graph(struct replay_acc *a, const struct tm_metric_opts *o,
                                   enum tm_replay_for what, struct tm_replay **out)
{
	*out = tm_replay_new(&a->rows, what, o->jobs ? o->jobs : 1);
	return *out ? TM_ST_OK : TM_ST_FATAL;
}

static void tell_waits(const struct tm_replay *r, struct tm_report *rep)
{
	const struct tm_replay_counts *c = &r->counts;

	if (!c->waits)
		return;
	for (uint64_t i = 0; i < c->waits && i < TM_REPLAY_FEW; i++)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "%s at %" PRIu64 " took %" PRIu64
		        " ns, but no operation ended meanwhile: what it waited for is unknown",
		        r->rows->names.v[c->wait[i].name].text, c->wait[i].start, c->wait[i].ns);
	if (c->waits > TM_REPLAY_FEW)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " more calls waited for something unknown",
		              c->waits - TM_REPLAY_FEW);
}

static void tell_ranks(const struct tm_replay *r, struct tm_report *rep)
{
	const struct tm_replay_counts *c = &r->counts;

	if (r->nrank < 2 || !c->comm_ops)
		return;
	if (c->collectives && !r->ngroup && c->lacking)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "ranks are replayed separately: the traces of some ranks lack "
		              "collectives, and the others have no numbers to match them by");
	else if (c->collectives && !r->ngroup)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "ranks are replayed separately: of %" PRIu64
		              " collectives only %" PRIu64
		              " overlap on all ranks, so clocks are not comparable; use tracemerge "
		              "--align collectives",
		              c->collectives, c->coupled);
	else if (c->coupled < c->collectives)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64 " collectives could not be matched across "
		              "ranks and are replayed as plain kernels",
		              c->collectives - c->coupled, c->collectives);
	if (c->unmatched)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " send%s or receive%s not matched: who sends to whom is "
		              "not known, so intervals are wide",
		              c->unmatched, c->unmatched == 1 ? "" : "s",
		              c->unmatched == 1 ? " is" : "s are");
}

static void tell_pause(uint64_t rank, uint64_t ns, struct tm_report *rep)
{
	struct tm_buf b = { 0 };

	tm_buf_fmt(&b, "a host pause on rank %" PRIu64 " is ", rank);
	tm_buf_ns(&b, ns);
	tm_buf_str(&b, ", more than half of the trace: select a window with -w");
	rep->lost |= b.failed;
	if (!b.failed)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0, "%s", b.p);
	tm_buf_fini(&b);
}

void tm_replay_acc_tell(const struct tm_replay *r, const struct tm_metric_opts *o,
                        struct tm_report *rep)
{
	const struct tm_replay_counts *c = &r->counts;

	if (!c->calls)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "no API calls %s: unknown what launched or awaited an operation, so "
		              "intervals are wide; trace with --hip-trace",
		              tm_metric_where(o, true));
	else if (c->uncalled)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64
		              " operations have no launch call in the input",
		              c->uncalled, c->ops);
	if (c->calls && !c->awaits && c->kernels)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "no hipStreamWaitEvent calls: streams are assumed to wait for each "
		              "other only in graphs");
	if (c->assumed)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "no operation waited for the previous one: assuming a gap of 1 us "
		              "between two");
	if (c->dropped)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " dependenc%s backward in time ignored", c->dropped,
		              c->dropped == 1 ? "y" : "ies");
	if (c->overlaps)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64
		              " operations overlap the previous one on their queue or stream",
		              c->overlaps);
	tell_waits(r, rep);
	tell_ranks(r, rep);
	if (!o->windowed && r->hi > r->lo &&
	    (tm_u128)c->pause * 100 > (tm_u128)(r->hi - r->lo) * PAUSE_PCT)
		tell_pause(c->pause_rank, c->pause, rep);
}
