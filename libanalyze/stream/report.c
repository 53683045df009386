/* SPDX-License-Identifier: MIT */
#include "stream/report.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tm_report_add(struct tm_report *r, enum tm_severity severity, const char *where, uint64_t line,
                   const char *fmt, ...)
{
	struct tm_finding f = { .severity = severity, .line = line };
	struct tm_diag d;
	va_list ap;

	va_start(ap, fmt);
	tm_diag_vset(&d, line, fmt, ap);
	va_end(ap);
	f.text = strdup(d.text);
	f.where = where ? strdup(where) : NULL;
	if (!f.text || (where && !f.where) || !tm_grow_array(&r->v, &r->cap, r->n + 1, sizeof f)) {
		free(f.text);
		free(f.where);
		r->lost = true;
		return;
	}
	r->v[r->n++] = f;
}

void tm_report_diag(struct tm_report *r, const char *where, const struct tm_diag *d)
{
	size_t before = r->n;

	tm_report_add(r, TM_SEV_ERROR, where, d->line, "%s", d->text);
	if (r->n > before)
		r->v[before].no_memory = d->status == TM_ST_NOMEM;
}

/* What to say of each reason: for one, for several (with %N), and then where the first one is. */
static const struct {
	enum tm_severity severity;
	const char *one, *many;
	bool nowhere; /* the place says nothing */
} other_losses[TM_LOSS_REASONS] = {
	[TM_LOSS_CUT] = { TM_SEV_ERROR,
	                  "the file ends inside a packet: truncated, or still being written; 1 "
	                  "byte "
	                  "ignored",
	                  "the file ends inside a packet: truncated, or still being written; %N "
	                  "bytes "
	                  "ignored",
	                  false },
	[TM_LOSS_DAMAGED] = { TM_SEV_SKIP, "skipped 1 damaged packet", "skipped %N damaged packets",
	                      false },
	[TM_LOSS_COMPRESSED] = { TM_SEV_SKIP, "1 compressed packet could not be fully decompressed",
	                         "%N compressed packets could not be fully decompressed", false },
	[TM_LOSS_DISCARDED] = { TM_SEV_SKIP,
	                        "the profiler's buffer was full: 1 chunk was discarded, the "
	                        "last events are missing (kernels come last); "
	                        "give the profiler a larger buffer",
	                        "the profiler's buffer was full: %N chunks were discarded, the "
	                        "last "
	                        "events are missing (kernels come last); give the profiler a "
	                        "larger "
	                        "buffer",
	                        true },
	[TM_LOSS_OVERWRITTEN] = { TM_SEV_SKIP,
	                          "the profiler's ring buffer was full: 1 chunk was "
	                          "overwritten, the first events are missing",
	                          "the profiler's ring buffer was full: %N chunks were "
	                          "overwritten, "
	                          "the first events are missing",
	                          true },
	[TM_LOSS_DROPPED] = { TM_SEV_SKIP,
	                      "packets were dropped before the file was written, in 1 place",
	                      "packets were dropped before the file was written, in %N places",
	                      false },
	[TM_LOSS_OPEN] = { TM_SEV_SKIP, "skipped 1 event without an end",
	                   "skipped %N events without an end", false },
	[TM_LOSS_CLOSE] = { TM_SEV_SKIP, "skipped 1 event without a beginning",
	                    "skipped %N events without a beginning", false },
	[TM_LOSS_REVERSED] = { TM_SEV_SKIP, "skipped 1 event that ends before it begins",
	                       "skipped %N events that end before they begin", false },
	[TM_LOSS_UNTIMED] = { TM_SEV_SKIP, "skipped 1 event whose clock is unknown",
	                      "skipped %N events whose clock is unknown", false },
	[TM_LOSS_UNNAMED] = { TM_SEV_NOTE, "1 event whose name was lost is shown as (unnamed)",
	                      "%N events whose name was lost are shown as (unnamed)", false },
	[TM_LOSS_TRACKLESS] = { TM_SEV_NOTE,
	                        "1 event has no agent, queue or thread: its track is described too "
	                        "late or not at all",
	                        "%N events have no agent, queue or thread: their tracks are "
	                        "described "
	                        "too late or not at all",
	                        false },
	[TM_LOSS_EXCESS] = { TM_SEV_SKIP, "skipped 1 event: too many events were open at once",
	                     "skipped %N events: too many events were open at once", false },
	[TM_LOSS_EVENT] = { TM_SEV_SKIP, "skipped 1 event with a missing or invalid time",
	                    "skipped %N events with a missing or invalid time", false },
	[TM_LOSS_BASELESS] = { TM_SEV_NOTE,
	                       "the base time of this trace comes long after its events, or TMPDIR "
	                       "has no room to look ahead: times are relative to the start of the "
	                       "trace",
	                       "the base times of these %N traces come long after their events, or "
	                       "TMPDIR has no room to look ahead: times are relative to the start "
	                       "of "
	                       "each trace",
	                       true },
	[TM_LOSS_KERNELS] = { TM_SEV_NOTE,
	                      "1 kernel was launched, but there is no kernel in the trace: kernels "
	                      "were not traced, or were lost",
	                      "%N kernels were launched, but there is no kernel in the trace: "
	                      "kernels "
	                      "were not traced, or were lost",
	                      true },
	[TM_LOSS_OPERATION] = { TM_SEV_NOTE,
	                        "1 kernel has only the name of its operation: hip_api_trace.txt, "
	                        "which has kernel names, is not next to this file or does not "
	                        "contain "
	                        "it",
	                        "%N kernels have only the name of their operation: "
	                        "hip_api_trace.txt, "
	                        "which has kernel names, is not next to this file or does not "
	                        "contain "
	                        "them",
	                        true },
	[TM_LOSS_INCLUSIVE] = { TM_SEV_NOTE,
	                        "1 row is nested in another whose time includes it: pct is a share "
	                        "of "
	                        "the sum, not of elapsed time",
	                        "%N rows are nested in others whose times include them: pct is a "
	                        "share of the sum, not of elapsed time",
	                        true },
	[TM_LOSS_RECURSIVE] = { TM_SEV_NOTE,
	                        "skipped 1 row of recursive calls: their time is included in the "
	                        "outer call",
	                        "skipped %N rows of recursive calls: their time is included in the "
	                        "outer calls",
	                        true },
	[TM_LOSS_COUNTER_VALUES] = { TM_SEV_SKIP,
	                             "skipped 1 counter value that is not a number or whose "
	                             "counter "
	                             "the file does not describe",
	                             "skipped %N counter values that are not numbers or whose "
	                             "counters the file does not describe",
	                             false },
	[TM_LOSS_ROW_MISFIT] = { TM_SEV_SKIP, "skipped 1 row that does not fit its table",
	                         "skipped %N rows that do not fit their tables", false },
	[TM_LOSS_ROW_REVERSED] = { TM_SEV_SKIP, "skipped 1 row that ends before it starts",
	                           "skipped %N rows that end before they start", false },
	[TM_LOSS_ROW_UNNAMED] = { TM_SEV_NOTE,
	                          "1 row whose name is not in the database is shown as (unnamed)",
	                          "%N rows whose name is not in the database are shown as "
	                          "(unnamed)",
	                          false },
	[TM_LOSS_ROW_SELF] = { TM_SEV_NOTE, "skipped 1 row in which the profiler traced itself",
	                       "skipped %N rows in which the profiler traced itself", true },
	[TM_LOSS_ROW_TWICE] = { TM_SEV_NOTE,
	                        "skipped 1 row of table KERN: table OPS has the same kernels",
	                        "skipped %N rows of table KERN: table OPS has the same kernels",
	                        true },
	[TM_LOSS_JOURNAL] = { TM_SEV_SKIP,
	                      "the database has a journal: it is still being written or was not "
	                      "closed, and the rows in the journal are not read",
	                      "the database has a journal: it is still being written or was not "
	                      "closed, and the rows in the journal are not read",
	                      true },
	[TM_LOSS_ROUNDED] = { TM_SEV_NOTE,
	                      "1 row has a fractional nanosecond time: rounded half to even",
	                      "%N rows have fractional nanosecond times: rounded half to even",
	                      false },
	[TM_LOSS_JOINED] = { TM_SEV_NOTE,
	                     "1 newline between rows is missing: the rows were separated, except "
	                     "for "
	                     "a number that could belong to either",
	                     "%N newlines between rows are missing: the rows were separated, "
	                     "except "
	                     "for numbers that could belong to either",
	                     false },
	[TM_LOSS_COUNTERS] = { TM_SEV_SKIP,
	                       "skipped the counters of 1 row: it has more or fewer than the "
	                       "header",
	                       "skipped the counters of %N rows: they have more or fewer than the "
	                       "header",
	                       false },
	[TM_LOSS_VALUES] = { TM_SEV_SKIP, "skipped 1 counter value that is not a number",
	                     "skipped %N counter values that are not numbers", false },
};

static void report_other(struct tm_report *r, const char *where, enum tm_loss_reason why,
                         const struct tm_lost *l)
{
	const char *text = l->n == 1 ? other_losses[why].one : other_losses[why].many;
	const char *count = strstr(text, "%N");
	const char *unit = why >= TM_LOSS_ROW_MISFIT ? "id" : "byte";
	char number[24] = "", place[64] = "";
	size_t head = count ? (size_t)(count - text) : 0;

	if (count)
		snprintf(number, sizeof number, "%" PRIu64, l->n);
	if (!other_losses[why].nowhere)
		snprintf(place, sizeof place, " (%sat %s %" PRIu64 ")",
		         l->n > 1 && why != TM_LOSS_CUT ? "the first " : "",
		         tm_loss_has_line(why) ? "line" : unit, l->at);
	tm_report_add(r, other_losses[why].severity, where, 0, "%.*s%s%s%s", (int)head, text,
	              number, text + head + (count ? 2 : 0), place);
}

bool tm_report_few(struct tm_report_few *f)
{
	return f->n++ < TM_REPORT_FEW;
}

void tm_report_more(struct tm_report *r, const struct tm_report_few *f, enum tm_severity severity,
                    const char *what)
{
	if (f->n > TM_REPORT_FEW)
		tm_report_add(r, severity, NULL, 0, "%" PRIu64 " more rank%s: %s",
		              f->n - TM_REPORT_FEW, f->n - TM_REPORT_FEW == 1 ? "" : "s", what);
}

void tm_report_loss(struct tm_report *r, const char *where, const struct tm_loss *l)
{
	if (l->malformed)
		tm_report_add(r, TM_SEV_SKIP, where, l->malformed_line,
		              "%" PRIu64
		              " row%s skipped that %s not fit the table (the first is here)",
		              l->malformed, l->malformed == 1 ? "" : "s",
		              l->malformed == 1 ? "does" : "do");
	if (l->reversed)
		tm_report_add(r, TM_SEV_SKIP, where, l->reversed_line,
		              "%" PRIu64
		              " row%s skipped whose end is before %s start (the first is here)",
		              l->reversed, l->reversed == 1 ? "" : "s",
		              l->reversed == 1 ? "its" : "their");
	if (l->recovered)
		tm_report_add(r, TM_SEV_NOTE, where, l->recovered_line,
		              "%" PRIu64
		              " row%s with unescaped quotes, or counters that differ from "
		              "the header, read by %s ends (the first is here)",
		              l->recovered, l->recovered == 1 ? "" : "s",
		              l->recovered == 1 ? "its" : "their");
	if (l->cut)
		tm_report_add(r, TM_SEV_ERROR, where, l->cut_line,
		              "the file ends inside this row: truncated, or still being written");
	if (l->unended)
		tm_report_add(
		        r, TM_SEV_SKIP, where, l->unended_line,
		        "the last row has no newline and may be truncated: not counted; if it is "
		        "complete, end it with a newline");
	if (l->open_end)
		tm_report_add(r, TM_SEV_WARN, where, l->open_end_line,
		              "the last line has no newline: the file may be truncated here");
	for (int i = 0; i < TM_LOSS_REASONS; i++)
		if (l->other[i].n)
			report_other(r, where, (enum tm_loss_reason)i, &l->other[i]);
}

void tm_report_move(struct tm_report *r, struct tm_report *from)
{
	for (size_t i = 0; i < from->n; i++) {
		if (tm_grow_array(&r->v, &r->cap, r->n + 1, sizeof *r->v)) {
			r->v[r->n++] = from->v[i];
			continue;
		}
		free(from->v[i].where);
		free(from->v[i].text);
		r->lost = true;
	}
	r->lost |= from->lost;
	free(from->v);
	*from = (struct tm_report) { 0 };
}

void tm_report_errors_of(struct tm_report *r, const struct tm_report *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct tm_finding *f = &from->v[i];
		size_t k = 0;

		while (k < r->n && strcmp(r->v[k].text, f->text) != 0)
			k++;
		if (f->severity == TM_SEV_ERROR && k == r->n)
			tm_report_add(r, TM_SEV_ERROR, f->where, f->line, "%s", f->text);
	}
}

bool tm_report_unread(struct tm_report *r, const char *where, const char *what, const char *why)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].severity == TM_SEV_ERROR && r->v[i].where &&
		    !strcmp(r->v[i].where, where))
			return false;
	tm_report_add(r, TM_SEV_ERROR, where, 0, "%s%s", what, why);
	return true;
}

void tm_report_fini(struct tm_report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->v[i].where);
		free(r->v[i].text);
	}
	free(r->v);
	*r = (struct tm_report) { 0 };
}
