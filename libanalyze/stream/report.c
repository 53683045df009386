/* SPDX-License-Identifier: MIT */
#include "stream/report.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void report_add(struct report *r, enum severity severity, const char *where, uint64_t line,
                const char *fmt, ...)
{
	struct finding f = { .severity = severity, .line = line };
	struct diag d;
	va_list ap;

	va_start(ap, fmt);
	diag_vset(&d, line, fmt, ap);
	va_end(ap);
	f.text = strdup(d.text);
	f.where = where ? strdup(where) : NULL;
	if (!f.text || (where && !f.where) || !grow_array(&r->v, &r->cap, r->n + 1, sizeof f)) {
		free(f.text);
		free(f.where);
		r->lost = true;
		return;
	}
	r->v[r->n++] = f;
}

void report_diag(struct report *r, const char *where, const struct diag *d)
{
	size_t before = r->n;

	report_add(r, SEV_ERROR, where, d->line, "%s", d->text);
	if (r->n > before)
		r->v[before].no_memory = d->status == ST_NOMEM;
}

/* What to say of each reason: for one, for several (with %N), and then where the first one is. */
static const struct {
	enum severity severity;
	const char *one, *many;
	bool nowhere; /* the place says nothing */
} other_losses[LOSS_REASONS] = {
	[LOSS_CUT] = { SEV_ERROR,
	               "the file ends inside a packet: truncated, or still being written; 1 byte "
	               "ignored",
	               "the file ends inside a packet: truncated, or still being written; %N bytes "
	               "ignored",
	               false },
	[LOSS_DAMAGED] = { SEV_SKIP, "skipped 1 damaged packet", "skipped %N damaged packets",
	                   false },
	[LOSS_COMPRESSED] = { SEV_SKIP, "1 compressed packet could not be fully decompressed",
	                      "%N compressed packets could not be fully decompressed", false },
	[LOSS_DISCARDED] = { SEV_SKIP,
	                     "the profiler's buffer was full: 1 chunk was discarded, the "
	                     "last events are missing (kernels come last); "
	                     "give the profiler a larger buffer",
	                     "the profiler's buffer was full: %N chunks were discarded, the last "
	                     "events are missing (kernels come last); give the profiler a larger "
	                     "buffer",
	                     true },
	[LOSS_OVERWRITTEN] = { SEV_SKIP,
	                       "the profiler's ring buffer was full: 1 chunk was "
	                       "overwritten, the first events are missing",
	                       "the profiler's ring buffer was full: %N chunks were overwritten, "
	                       "the first events are missing",
	                       true },
	[LOSS_DROPPED] = { SEV_SKIP, "packets were dropped before the file was written, in 1 place",
	                   "packets were dropped before the file was written, in %N places",
	                   false },
	[LOSS_OPEN] = { SEV_SKIP, "skipped 1 event without an end",
	                "skipped %N events without an end", false },
	[LOSS_CLOSE] = { SEV_SKIP, "skipped 1 event without a beginning",
	                 "skipped %N events without a beginning", false },
	[LOSS_REVERSED] = { SEV_SKIP, "skipped 1 event that ends before it begins",
	                    "skipped %N events that end before they begin", false },
	[LOSS_UNTIMED] = { SEV_SKIP, "skipped 1 event whose clock is unknown",
	                   "skipped %N events whose clock is unknown", false },
	[LOSS_UNNAMED] = { SEV_NOTE, "1 event whose name was lost is shown as (unnamed)",
	                   "%N events whose name was lost are shown as (unnamed)", false },
	[LOSS_TRACKLESS] = { SEV_NOTE,
	                     "1 event has no agent, queue or thread: its track is described too "
	                     "late or not at all",
	                     "%N events have no agent, queue or thread: their tracks are described "
	                     "too late or not at all",
	                     false },
	[LOSS_EXCESS] = { SEV_SKIP, "skipped 1 event: too many events were open at once",
	                  "skipped %N events: too many events were open at once", false },
	[LOSS_EVENT] = { SEV_SKIP, "skipped 1 event with a missing or invalid time",
	                 "skipped %N events with a missing or invalid time", false },
	[LOSS_BASELESS] = { SEV_NOTE,
	                    "the base time of this trace comes long after its events, or TMPDIR "
	                    "has no room to look ahead: times are relative to the start of the "
	                    "trace",
	                    "the base times of these %N traces come long after their events, or "
	                    "TMPDIR has no room to look ahead: times are relative to the start of "
	                    "each trace",
	                    true },
	[LOSS_KERNELS] = { SEV_NOTE,
	                   "1 kernel was launched, but there is no kernel in the trace: kernels "
	                   "were not traced, or were lost",
	                   "%N kernels were launched, but there is no kernel in the trace: kernels "
	                   "were not traced, or were lost",
	                   true },
	[LOSS_OPERATION] = { SEV_NOTE,
	                     "1 kernel has only the name of its operation: hip_api_trace.txt, "
	                     "which has kernel names, is not next to this file or does not contain "
	                     "it",
	                     "%N kernels have only the name of their operation: hip_api_trace.txt, "
	                     "which has kernel names, is not next to this file or does not contain "
	                     "them",
	                     true },
	[LOSS_INCLUSIVE] = { SEV_NOTE,
	                     "1 row is nested in another whose time includes it: pct is a share of "
	                     "the sum, not of elapsed time",
	                     "%N rows are nested in others whose times include them: pct is a "
	                     "share of the sum, not of elapsed time",
	                     true },
	[LOSS_RECURSIVE] = { SEV_NOTE,
	                     "skipped 1 row of recursive calls: their time is included in the "
	                     "outer call",
	                     "skipped %N rows of recursive calls: their time is included in the "
	                     "outer calls",
	                     true },
	[LOSS_COUNTER_VALUES] = { SEV_SKIP,
	                          "skipped 1 counter value that is not a number or whose counter "
	                          "the file does not describe",
	                          "skipped %N counter values that are not numbers or whose "
	                          "counters the file does not describe",
	                          false },
	[LOSS_ROW_MISFIT] = { SEV_SKIP, "skipped 1 row that does not fit its table",
	                      "skipped %N rows that do not fit their tables", false },
	[LOSS_ROW_REVERSED] = { SEV_SKIP, "skipped 1 row that ends before it starts",
	                        "skipped %N rows that end before they start", false },
	[LOSS_ROW_UNNAMED] = { SEV_NOTE,
	                       "1 row whose name is not in the database is shown as (unnamed)",
	                       "%N rows whose name is not in the database are shown as (unnamed)",
	                       false },
	[LOSS_ROW_SELF] = { SEV_NOTE, "skipped 1 row in which the profiler traced itself",
	                    "skipped %N rows in which the profiler traced itself", true },
	[LOSS_ROW_TWICE] = { SEV_NOTE,
	                     "skipped 1 row of table KERN: table OPS has the same kernels",
	                     "skipped %N rows of table KERN: table OPS has the same kernels",
	                     true },
	[LOSS_JOURNAL] = { SEV_SKIP,
	                   "the database has a journal: it is still being written or was not "
	                   "closed, and the rows in the journal are not read",
	                   "the database has a journal: it is still being written or was not "
	                   "closed, and the rows in the journal are not read",
	                   true },
	[LOSS_ROUNDED] = { SEV_NOTE, "1 row has a fractional nanosecond time: rounded half to even",
	                   "%N rows have fractional nanosecond times: rounded half to even",
	                   false },
	[LOSS_JOINED] = { SEV_NOTE,
	                  "1 newline between rows is missing: the rows were separated, except for "
	                  "a number that could belong to either",
	                  "%N newlines between rows are missing: the rows were separated, except "
	                  "for numbers that could belong to either",
	                  false },
	[LOSS_COUNTERS] = { SEV_SKIP,
	                    "skipped the counters of 1 row: it has more or fewer than the header",
	                    "skipped the counters of %N rows: they have more or fewer than the "
	                    "header",
	                    false },
	[LOSS_VALUES] = { SEV_SKIP, "skipped 1 counter value that is not a number",
	                  "skipped %N counter values that are not numbers", false },
};

static void report_other(struct report *r, const char *where, enum loss_reason why,
                         const struct lost *l)
{
	const char *text = l->n == 1 ? other_losses[why].one : other_losses[why].many;
	const char *count = strstr(text, "%N");
	const char *unit = why >= LOSS_ROW_MISFIT ? "id" : "byte";
	char number[24] = "", place[64] = "";
	size_t head = count ? (size_t)(count - text) : 0;

	if (count)
		snprintf(number, sizeof number, "%" PRIu64, l->n);
	if (!other_losses[why].nowhere)
		snprintf(place, sizeof place, " (%sat %s %" PRIu64 ")",
		         l->n > 1 && why != LOSS_CUT ? "the first " : "",
		         loss_has_line(why) ? "line" : unit, l->at);
	report_add(r, other_losses[why].severity, where, 0, "%.*s%s%s%s", (int)head, text, number,
	           text + head + (count ? 2 : 0), place);
}

bool report_few(struct report_few *f)
{
	return f->n++ < REPORT_FEW;
}

void report_more(struct report *r, const struct report_few *f, enum severity severity,
                 const char *what)
{
	if (f->n > REPORT_FEW)
		report_add(r, severity, NULL, 0, "%" PRIu64 " more rank%s: %s", f->n - REPORT_FEW,
		           f->n - REPORT_FEW == 1 ? "" : "s", what);
}

void report_loss(struct report *r, const char *where, const struct loss *l)
{
	if (l->malformed)
		report_add(r, SEV_SKIP, where, l->malformed_line,
		           "%" PRIu64
		           " row%s skipped that %s not fit the table (the first is here)",
		           l->malformed, l->malformed == 1 ? "" : "s",
		           l->malformed == 1 ? "does" : "do");
	if (l->reversed)
		report_add(r, SEV_SKIP, where, l->reversed_line,
		           "%" PRIu64
		           " row%s skipped whose end is before %s start (the first is here)",
		           l->reversed, l->reversed == 1 ? "" : "s",
		           l->reversed == 1 ? "its" : "their");
	if (l->recovered)
		report_add(r, SEV_NOTE, where, l->recovered_line,
		           "%" PRIu64 " row%s with unescaped quotes, or counters that differ from "
		           "the header, read by %s ends (the first is here)",
		           l->recovered, l->recovered == 1 ? "" : "s",
		           l->recovered == 1 ? "its" : "their");
	if (l->cut)
		report_add(r, SEV_ERROR, where, l->cut_line,
		           "the file ends inside this row: truncated, or still being written");
	if (l->unended)
		report_add(
		        r, SEV_SKIP, where, l->unended_line,
		        "the last row has no newline and may be truncated: not counted; if it is "
		        "complete, end it with a newline");
	if (l->open_end)
		report_add(r, SEV_WARN, where, l->open_end_line,
		           "the last line has no newline: the file may be truncated here");
	for (int i = 0; i < LOSS_REASONS; i++)
		if (l->other[i].n)
			report_other(r, where, (enum loss_reason)i, &l->other[i]);
}

void report_move(struct report *r, struct report *from)
{
	for (size_t i = 0; i < from->n; i++) {
		if (grow_array(&r->v, &r->cap, r->n + 1, sizeof *r->v)) {
			r->v[r->n++] = from->v[i];
			continue;
		}
		free(from->v[i].where);
		free(from->v[i].text);
		r->lost = true;
	}
	r->lost |= from->lost;
	free(from->v);
	*from = (struct report) { 0 };
}

void report_errors_of(struct report *r, const struct report *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct finding *f = &from->v[i];
		size_t k = 0;

		while (k < r->n && strcmp(r->v[k].text, f->text) != 0)
			k++;
		if (f->severity == SEV_ERROR && k == r->n)
			report_add(r, SEV_ERROR, f->where, f->line, "%s", f->text);
	}
}

bool report_unread(struct report *r, const char *where, const char *what, const char *why)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].severity == SEV_ERROR && r->v[i].where && !strcmp(r->v[i].where, where))
			return false;
	report_add(r, SEV_ERROR, where, 0, "%s%s", what, why);
	return true;
}

void report_fini(struct report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->v[i].where);
		free(r->v[i].text);
	}
	free(r->v);
	*r = (struct report) { 0 };
}
