/* SPDX-License-Identifier: MIT
 * What `sync` says beside its rows, of all ranks. */
#include "metric/idle/sync_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct noted *tm_sync_noted(struct notes *n, uint64_t rank, enum noted_kind kind)
{
	if (!tm_grow_array(&n->v, &n->cap, n->n + 1, sizeof *n->v))
		return NULL;
	n->v[n->n] = (struct noted) {
		.rank = rank, .nth = n->n, .name = TM_NAME_NONE, .v = { [NOTED_KIND] = kind }
	};
	return &n->v[n->n++];
}

static bool note_item(void *arg, uint64_t rank, const struct tm_state_item *it)
{
	struct notes *notes = arg;
	struct noted *n = tm_sync_noted(notes, rank, NOTED_PROCESS);

	if (!n)
		return false;
	memcpy(n->v, it->v, sizeof n->v);
	if (it->len)
		n->name = tm_names_add(notes->names, it->text, it->len);
	return !it->len || n->name != TM_NAME_NONE;
}

static int by_rank_and_turn(const void *pa, const void *pb)
{
	const struct noted *a = pa, *b = pb;

	return a->rank != b->rank ? tm_u64_cmp(a->rank, b->rank) : tm_u64_cmp(a->nth, b->nth);
}

bool tm_sync_share_notes(struct notes *n, struct tm_state *s)
{
	for (size_t i = 0; i < n->n; i++) {
		struct tm_state_item it = { .text = "", .nv = NOTED_N };

		if (n->v[i].name != TM_NAME_NONE) {
			it.text = n->names->v[n->v[i].name].text;
			it.len = n->names->v[n->v[i].name].len;
		}
		memcpy(it.v, n->v[i].v, sizeof n->v[i].v);
		tm_state_put(s, &it);
	}
	if (!tm_state_each(s, NOTED_N, note_item, n))
		return false;
	if (n->n)
		qsort(n->v, n->n, sizeof *n->v, by_rank_and_turn);
	return true;
}

void tm_sync_wholes_add(struct wholes *d, tm_u128 whole, uint64_t rank)
{
	if (!d->n || whole < d->lo) {
		d->lo = whole;
		d->lo_rank = rank;
	}
	if (!d->n || whole > d->hi) {
		d->hi = whole;
		d->hi_rank = rank;
	}
	d->n++;
}

void tm_sync_tell_wholes(struct tm_report *rep, const char *what, const struct wholes *d)
{
	struct tm_buf b = { 0 };

	if (!d->n)
		return;
	tm_buf_fmt(&b, "%s: ", what);
	tm_buf_ns(&b, d->lo > UINT64_MAX ? UINT64_MAX : (uint64_t)d->lo);
	if (d->lo != d->hi) {
		tm_buf_fmt(&b, " (rank %" PRIu64 ") to ", d->lo_rank);
		tm_buf_ns(&b, d->hi > UINT64_MAX ? UINT64_MAX : (uint64_t)d->hi);
		tm_buf_fmt(&b, " (rank %" PRIu64 ")", d->hi_rank);
	}
	if (b.p)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "%s", b.p);
	rep->lost |= b.failed;
	tm_buf_fini(&b);
}

/* ---- adding up ---- */

/* Hundredths of a percent of the GPU window, rounded as the table does. */
static uint64_t share(const struct blocked *b, uint64_t part_ns)
{
	return (uint64_t)(((tm_u128)part_ns * 20000 + b->window) / ((tm_u128)b->window * 2));
}

/* The process that was blocked the largest share of the time while its GPUs were idle, against the
 * common target. */
static void tell_most(struct tm_report *rep, const struct blocked *b, bool several)
{
	uint64_t idle = share(b, b->idle), all = share(b, b->waited), one = share(b, b->longest);
	char pid[32] = "", thread[40] = "one thread";

	if (b->has_pid)
		snprintf(pid, sizeof pid, " (pid %" PRIu64 ")", b->pid);
	if (b->has_tid)
		snprintf(thread, sizeof thread, "thread %" PRIu64, b->tid);
	tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
	              "%srank %" PRIu64 "%s waits with idle GPUs for %" PRIu64 ".%02" PRIu64
	              " %% of its GPU window (common target: below 5 %%), and for %" PRIu64
	              ".%02" PRIu64 " %% in all, %s alone for %" PRIu64 ".%02" PRIu64 " %%",
	              several ? "worst: " : "", b->rank, pid, idle / 100, idle % 100, all / 100,
	              all % 100, thread, one / 100, one % 100);
}

static bool worse(const struct blocked *a, const struct blocked *b)
{
	if (!a->window || !b->window)
		return a->window != 0 && b->window == 0;
	if (share(a, a->idle) != share(b, b->idle))
		return share(a, a->idle) > share(b, b->idle);
	return share(a, a->waited) > share(b, b->waited);
}

/* Ranks in `a` that are not in `b`: how many, and the smallest.  Both ascend. */
static uint64_t missing(const struct tm_groups *a, const struct tm_groups *b, uint64_t *least)
{
	uint64_t n = 0;

	for (uint32_t i = 0, k = 0; i < a->n; i++) {
		while (k < b->n && b->key[k] < a->key[i])
			k++;
		if (k < b->n && b->key[k] == a->key[i])
			continue;
		*least = n ? *least : a->key[i];
		n++;
	}
	return n;
}

static void tell_missing(struct tm_report *rep, const struct tm_groups *a,
                         const struct tm_groups *b, const char *what)
{
	uint64_t least = 0, n = missing(a, b, &least);

	if (n == 1)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "rank %" PRIu64 " %s", least, what);
	else if (n)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "rank %" PRIu64 " and %" PRIu64 " other%s: each %s", least, n - 1,
		              n == 2 ? "" : "s", what);
}

static void tell_sums(const struct sync *s, const struct answer *a, struct tm_report *rep)
{
	tm_sync_tell_wholes(
	        rep,
	        "statistics files record no threads and no window: total_ns is a plain sum, "
	        "host_pct its share of the sum over all calls of the same API",
	        &a->sums);
	if (a->sums.cut)
		tm_report_add(
		        rep, TM_SEV_WARN, NULL, 0,
		        "truncated: the rows cover less than their Percentage column implies; "
		        "no host_pct");
	if (a->beside)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "%" PRIu64
		        " row%s of statistics skipped: the trace of the same run is also given",
		        a->beside, a->beside == 1 ? "" : "s");
	if (s->unusable)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "%" PRIu64
		        " row%s of statistics skipped: they are totals, which %s cannot split",
		        s->unusable, s->unusable == 1 ? "" : "s",
		        s->w.o->windowed ? "-w" : "--during");
}

static void tell_outside(struct tm_report *rep, const struct answer *a)
{
	char most[80] = "";

	if (a->outside.most < a->outside.calls)
		snprintf(most, sizeof most, ", the most (%" PRIu64 ") on rank %" PRIu64,
		         a->outside.most, a->outside.most_rank);
	tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
	              "%" PRIu64 " waiting call%s outside the GPU window%s: not counted in calls, "
	              "only host_pct includes the time outside",
	              a->outside.calls, a->outside.calls == 1 ? " starts" : "s start", most);
}

void tm_sync_tell(const struct sync *s, const struct answer *a, struct tm_report *rep)
{
	const struct tm_metric_opts *o = s->w.o;

	tm_sync_tell_wholes(
	        rep,
	        o->windowed ? "window_pct and idle_pct are shares of the window"
	                    : "window_pct and idle_pct are shares of the GPU window of the rank",
	        &a->gpu);
	tm_sync_tell_wholes(rep,
	                    o->windowed ? "host_pct is a share of the host window, first to last "
	                                  "API call of a process, limited by -w"
	                                : "host_pct is a share of the host window, first to last "
	                                  "API call of a process",
	                    &a->host);
	if (a->outside.calls)
		tell_outside(rep, a);
	if (a->most.waited && a->most.window && tm_sync_during(o) == DURING_ALL)
		tell_most(rep, &a->most, a->host.n > 1);
	tell_sums(s, a, rep);
	if (a->host.hsa || a->sums.hsa)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "no HIP calls in %s: waits in HSA calls count instead",
		              a->host.hsa + a->sums.hsa == a->host.ranks + a->sums.ranks
		                      ? "any rank"
		                      : "some ranks");
	if (a->host.n)
		tell_missing(rep, &a->told, &a->busy,
		             tm_sync_during(o) != DURING_ALL
		                     ? "has no GPU work in the input: all its time counts as idle"
		                     : "has no GPU work in the input: its idle_pct is unknown");
	tell_missing(rep, &a->busy, &a->told,
	             "has GPU work but no API calls: trace with --hip-trace to see it wait");
	tm_work_tell(&s->w, rep);
}

void tm_sync_explain_nothing(const struct sync *s, struct tm_report *rep)
{
	const struct tm_metric_opts *o = s->w.o;

	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR)
			return; /* said already */
	if (s->unusable)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: statistics are totals, which %s cannot split; give "
		              "the trace",
		              o->windowed ? "-w" : "--during");
	else
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: no HIP or HSA calls %s; trace with --hip-trace",
		              o->windowed ? "inside the window" : "in the input");
}

static void add_process(struct answer *a, const struct noted *n)
{
	const uint64_t *v = n->v;
	const struct blocked b = { .rank = n->rank,
		                   .pid = v[NOTED_PID],
		                   .has_pid = v[NOTED_HAS_PID],
		                   .tid = v[NOTED_TID],
		                   .has_tid = v[NOTED_HAS_TID],
		                   .window = v[NOTED_WINDOW],
		                   .waited = v[NOTED_WAITED],
		                   .idle = v[NOTED_IDLE],
		                   .longest = v[NOTED_LONGEST] };

	if (v[NOTED_KNOWN])
		tm_sync_wholes_add(&a->gpu, v[NOTED_WHOLE], n->rank);
	tm_sync_wholes_add(&a->host, v[NOTED_HOST], n->rank);
	a->host.ranks++;
	a->host.hsa += v[NOTED_HSA] != 0;
	a->outside.calls += v[NOTED_OUTSIDE];
	if (v[NOTED_OUTSIDE] > a->outside.most) {
		a->outside.most = v[NOTED_OUTSIDE];
		a->outside.most_rank = n->rank;
	}
	if (worse(&b, &a->most))
		a->most = b;
}

bool tm_sync_add_notes(struct answer *a, const struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++) {
		const struct noted *n = &notes->v[i];

		if (n->v[NOTED_KIND] == NOTED_CALLS)
			continue;
		if (!tm_sync_note(n->v[NOTED_KIND] == NOTED_BUSY ? &a->busy : &a->told, n->rank))
			return false;
		if (n->v[NOTED_KIND] == NOTED_PROCESS)
			add_process(a, n);
		if (n->v[NOTED_KIND] != NOTED_SUMS)
			continue;
		a->sums.ranks++;
		a->sums.hsa += n->v[NOTED_HSA] != 0;
		if (n->v[NOTED_KNOWN])
			tm_sync_wholes_add(&a->sums,
			                   (tm_u128)n->v[NOTED_WHOLE_HI] << 64 | n->v[NOTED_WHOLE],
			                   n->rank);
		else
			a->sums.cut++;
	}
	return true;
}
