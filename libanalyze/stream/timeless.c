/* SPDX-License-Identifier: MIT */
#include "stream/timeless.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tm_timeless_may(const struct tm_piece *p)
{
	return p->id.format && !strcmp(p->id.format, "rccl-log");
}

uint64_t tm_timeless_calls(const struct tm_piece *p, const struct tm_batch *b)
{
	uint64_t n = 0;

	if (!tm_timeless_may(p) || b->kind == TM_EV_STATE)
		return 0;
	/* A rollup is of many. */
	for (uint32_t i = 0; i < b->n; i++)
		if (b->kind != TM_EV_ROLLUP)
			n += !tm_batch_has(b, i, TM_EVC_START);
		else if (!tm_batch_has(b, i, TM_EVC_TOTAL))
			n += b->col[TM_EVC_CALLS][i];
	return n;
}

bool tm_timeless_add(struct tm_timeless *t, const struct tm_piece *p, uint64_t calls)
{
	if (!calls)
		return true;
	if (!t->logs++)
		t->path = strdup(p->id.path);
	t->calls += calls;
	return t->path != NULL;
}

void tm_timeless_tell(const struct tm_timeless *t, tm_ev_set want, struct tm_report *rep)
{
	char logs[48];

	if (!t->calls || !(want & TM_EV_BIT(TM_EVC_START)) || want & TM_EV_BIT(TM_EVC_OP_COUNT))
		return;
	snprintf(logs, sizeof logs, "in %" PRIu64 " RCCL logs ", t->logs);
	tm_report_add(
	        rep, TM_SEV_NOTE, t->logs == 1 ? t->path : NULL, 0,
	        "%" PRIu64 " call%s %swith sizes and communicators but no times, which NCCL_DEBUG "
	        "does not log: libperf top counts them; for times add a kernel trace of the run "
	        "and use kstats ranks --collectives, or trace it with rocprofv3 --rccl-trace",
	        t->calls, t->calls == 1 ? "" : "s", t->logs == 1 ? "" : logs);
}

void tm_timeless_fini(struct tm_timeless *t)
{
	free(t->path);
	*t = (struct tm_timeless) { 0 };
}
