/* SPDX-License-Identifier: MIT */
#include "stream/timeless.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t timeless_calls(const struct piece *p, const struct batch *b)
{
	uint64_t n = 0;

	if (!p->format || strcmp(p->format, "rccl-log") != 0)
		return 0;
	for (uint32_t i = 0; i < b->n; i++)
		n += !batch_has(b, i, EVC_START);
	return n;
}

bool timeless_add(struct timeless *t, const struct piece *p, uint64_t calls)
{
	if (!calls)
		return true;
	if (!t->logs++)
		t->path = strdup(p->path);
	t->calls += calls;
	return t->path != NULL;
}

void timeless_tell(const struct timeless *t, ev_set want, struct report *rep)
{
	char logs[48];

	if (!t->calls || !(want & EV_BIT(EVC_START)) || want & EV_BIT(EVC_OP_COUNT))
		return;
	snprintf(logs, sizeof logs, "in %" PRIu64 " RCCL logs ", t->logs);
	report_add(rep, SEV_NOTE, t->logs == 1 ? t->path : NULL, 0,
	           "%" PRIu64
	           " call%s %swith sizes and communicators but no times, which NCCL_DEBUG "
	           "does not log: libperf top counts them; for times add a kernel trace of the run "
	           "and use kstats ranks --collectives, or trace it with rocprofv3 --rccl-trace",
	           t->calls, t->calls == 1 ? "" : "s", t->logs == 1 ? "" : logs);
}

void timeless_fini(struct timeless *t)
{
	free(t->path);
	*t = (struct timeless) { 0 };
}
