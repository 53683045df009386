/* SPDX-License-Identifier: MIT
 * How collectives were matched and what speaks against it, as notes. */
#include "metric/ranks/comm_match_parts.h"

#include <inttypes.h>
#include <stdio.h>

/* Why kernels that are taken for one collective do not overlap. */
static const char *why_apart(const struct comm_match *m)
{
	if (tm_ranks_aligned(m->r))
		return m->doubts.uneven
		               ? "the trace of some ranks lacks collectives, or the order differs"
		               : "the order differs between ranks";
	return m->doubts.uneven ? "the trace of some ranks lacks collectives, clocks are not "
	                          "comparable, or the order differs"
	                        : "clocks are not comparable, or the order differs between ranks";
}

static void tell_clocks(const struct comm_match *m, struct tm_report *rep)
{
	char error[96] = "";

	if (!m->matched)
		return;
	if (!m->one_clock) {
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "the clocks of these ranks are of different kinds: arrival_skew_ns "
		              "and last_rank are absent");
		return;
	}
	if (!m->clocks && m->pairs) {
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "send and receive overlap in only %" PRIu64 " of %" PRIu64
		              " pairs, and there are no collectives: arrival_skew_ns and last_rank "
		              "are absent",
		              m->overlap, m->matched);
		return;
	}
	if (!m->clocks) {
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "the kernels of all ranks overlap in only %" PRIu64 " of %" PRIu64
		              " collectives: %s; arrival_skew_ns and last_rank are absent%s",
		              m->overlap, m->matched, why_apart(m),
		              tm_ranks_aligned(m->r) ? "" : " (tracemerge --align)");
		return;
	}
	if (m->guessed)
		snprintf(error, sizeof error, ", and ends differ by %" PRIu64 " ns (median)",
		         m->ends_ns);
	tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
	              "assuming one clock for all ranks: in %" PRIu64 " of %" PRIu64
	              " collectives the kernels of all ranks overlap%s",
	              m->overlap, m->matched, error);
	if (m->doubts.unmet)
		tm_report_add(
		        rep, TM_SEV_WARN, NULL, 0,
		        "in %" PRIu64 " of %" PRIu64
		        " collectives a kernel ends before one of another rank begins: they do not "
		        "belong together; arrival_skew_ns and last_rank are absent there",
		        m->doubts.unmet, m->matched);
	if (m->doubts.small)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "in %" PRIu64 " of %" PRIu64
		              " collectives the skew is within the clock error: arrival_skew_ns "
		              "and last_rank are absent there",
		              m->doubts.small, m->doubts.compared);
}

static void tell_calls(const struct comm_match *m, struct tm_report *rep)
{
	if (m->unequal)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "rank %" PRIu64 " called %" PRIu64 " RCCL collective%s and ran %" PRIu64
		        " RCCL kernel%s: they cannot be matched, so comm and bytes are absent (on "
		        "%" PRIu64 " agent%s)",
		        m->rank_of, m->calls_of, m->calls_of == 1 ? "" : "s", m->kernels_of,
		        m->kernels_of == 1 ? "" : "s", m->unequal, m->unequal == 1 ? "" : "s");
	if (m->unlike)
		tm_report_add(
		        rep, TM_SEV_WARN, NULL, 0,
		        "as many RCCL calls as kernels, but of different collectives, on %" PRIu64
		        " agent%s: comm and bytes are absent there",
		        m->unlike, m->unlike == 1 ? "" : "s");
	if (m->joined)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "the n-th call of a rank is matched with its n-th RCCL kernel: %" PRIu64
		        " agent%s with equally many of both",
		        m->joined, m->joined == 1 ? "" : "s");
	if (m->left_out)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " call%s of 0 bytes or of a single rank ignored: without "
		              "them calls and kernels match",
		              m->left_out, m->left_out == 1 ? "" : "s");
	if (m->joined && m->ambiguous)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "a rank uses several communicators: where their kernels run out of "
		              "order, calls are matched with the wrong ones%s",
		              m->apart ? ""
		              : m->pointers
		                      ? "; the log does not say which are the same on other ranks "
		                        "(NCCL_DEBUG_SUBSYS=INIT,COLL)"
		                      : "; not all agents have calls, so communicators are not "
		                        "distinguished");
}

static void tell_matching(const struct comm_match *m, struct tm_report *rep)
{
	const struct doubts *d = &m->doubts;

	if (m->n < 2)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "only one agent has collectives: nothing to match (use RANK=FILE or "
		              "--rank-from to number ranks)");
	else if (m->apart)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "collectives are matched by communicator and by their order there");
	else
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "collectives are matched by their order on each agent: the trace names "
		        "no communicators");
	if (d->by_order)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64 " collectives name no communicator: "
		              "matched only by their order on each agent",
		              d->by_order, d->several);
	if (d->lacking)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " collective%s not in the trace of all ranks (matched by "
		              "sequence number): arrival_skew_ns and last_rank are absent there",
		              d->lacking, d->lacking == 1 ? " is" : "s are");
	if (d->unpaired)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " send%s or receive%s not matched: who sends to whom is "
		              "not known",
		              d->unpaired, d->unpaired == 1 ? "" : "s",
		              d->unpaired == 1 ? " is" : "s are");
	if (d->uneven && m->apart)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "agents have %zu to %zu collectives of a communicator: some rows may "
		              "match what does not belong together (%" PRIu64 " communicator%s)",
		              d->least, d->most, d->uneven, d->uneven == 1 ? "" : "s");
	else if (d->uneven)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "agents have %zu to %zu collectives: some rows may match what does "
		              "not belong together",
		              d->least, d->most);
	if (d->cut)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " collective%s inside the window on some agents only: "
		              "ranks and other columns include only those",
		              d->cut, d->cut == 1 ? " starts" : "s start");
	if (d->differ)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "in %" PRIu64
		              " rows kernel names differ between ranks: they may not belong "
		              "together; the name shown is that of the lowest rank",
		              d->differ);
}

void tm_comm_match_tell(const struct comm_match *m, struct tm_report *rep)
{
	tell_clocks(m, rep);
	tell_matching(m, rep);
	tell_calls(m, rep);
	tm_work_tell(&m->r->w, rep);
}
