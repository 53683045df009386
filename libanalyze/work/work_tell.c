/* SPDX-License-Identifier: MIT
 * What a store has to say besides its intervals: what it counted, what was missing, and cells of
 * tables. */
#include "work/intervals.h"

#include <inttypes.h>
#include <string.h>

bool tm_work_state(struct tm_work *w, struct tm_state *s)
{
	uint64_t *const sums[] = { &w->untimed,     &w->stats,        &w->counters,
		                   &w->host_copies, &w->uncorrelated, &w->blits };

	for (int d = 0; d < TM_DOMAIN_N; d++)
		tm_state_add(s, &w->seen[d]);
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		tm_state_add(s, sums[i]);
	w->blit_ns = tm_state_sum(s, w->blit_ns);
	/* States are written as --strict wants them. */
	return tm_state_names(s, !s || s->writing || w->o->strict ? &w->unknown : NULL);
}

void tm_work_tell(const struct tm_work *w, struct tm_report *rep)
{
	tm_report_untimed(rep, w->untimed);
	tm_report_stats(rep, w->stats);
	if (w->unknown.n)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%" PRIu32 " kernel%s of unknown class; --classes adds rules",
		              w->unknown.n, w->unknown.n == 1 ? "" : "s");
}

void tm_work_explain_nothing(const struct tm_work *w, const char *wanted, struct tm_report *rep)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR)
			return; /* said already */
	for (int d = 0; d < TM_DOMAIN_N; d++)
		seen += w->seen[d];
	if (w->stats && !seen)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: statistics files contain totals, not events; give "
		              "the trace");
	else if (w->counters && !seen)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: kernels of a counter collection run one at a time, "
		              "so their times are meaningless here; give a trace without counters");
	else if (w->host_copies && w->host_copies == seen)
		tm_report_add(
		        rep, TM_SEV_ERROR, NULL, 0,
		        "nothing to show: the input has only copies from host to host, which no "
		        "GPU works on");
	else if (w->untimed == seen && seen)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: none of the %" PRIu64
		              " rows has start and end times",
		              seen);
	else
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "nothing to show: no %s %s%s", wanted,
		              tm_metric_where(w->o, true),
		              w->readings && !seen ? tm_metric_only_readings : "");
}

struct tm_cell tm_work_agent_cell(struct tm_table *t, bool has, uint64_t agent)
{
	char text[16];

	if (!has)
		return tm_cell_none();
	tm_agent_text(agent, text);
	return tm_table_own(t, text, strlen(text));
}

struct tm_cell tm_work_sum_cell(tm_u128 sum, const char *what, struct tm_report *rep)
{
	if (sum <= UINT64_MAX)
		return tm_cell_u64((uint64_t)sum);
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "a sum of %s does not fit 64 bits", what);
	return tm_cell_none();
}
