/* SPDX-License-Identifier: MIT */
#include "stream/report.h"

#include "base/buf.h"

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

/* What to say of each reason: for one, for several (with %N), and then where the first one is. */
static const struct {
	enum severity severity;
	const char *one, *many;
	bool nowhere; /* the place says nothing */
} other_losses[LOSS_REASONS] = {
	[LOSS_CUT] = { SEV_ERROR,
	               "the file ends inside a packet: it was cut, or is still being "
	               "written; 1 byte was left over",
	               "the file ends inside a packet: it was cut, or is still being written; %N "
	               "bytes were left over",
	               false },
	[LOSS_DAMAGED] = { SEV_SKIP, "1 packet left out that is damaged",
	                   "%N packets left out that are damaged", false },
	[LOSS_COMPRESSED] = { SEV_SKIP, "1 compressed packet could not be unpacked to its end",
	                      "%N compressed packets could not be unpacked to their ends", false },
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
	[LOSS_OPEN] = { SEV_SKIP, "1 event left out that has no end",
	                "%N events left out that have no end", false },
	[LOSS_CLOSE] = { SEV_SKIP, "1 event left out whose beginning is missing",
	                 "%N events left out whose beginning is missing", false },
	[LOSS_REVERSED] = { SEV_SKIP, "1 event left out that ends before it begins",
	                    "%N events left out that end before they begin", false },
	[LOSS_UNTIMED] = { SEV_SKIP, "1 event left out whose clock is not known",
	                   "%N events left out whose clock is not known", false },
	[LOSS_UNNAMED] = { SEV_NOTE, "1 event whose name was lost is shown as (unnamed)",
	                   "%N events whose name was lost are shown as (unnamed)", false },
	[LOSS_TRACKLESS] = { SEV_NOTE,
	                     "1 event lacks agent, queue or thread: its track is not "
	                     "described, or too late",
	                     "%N events lack agent, queue or thread: their tracks are not "
	                     "described, or too late",
	                     false },
	[LOSS_EXCESS] = { SEV_SKIP, "1 event left out: too many had begun and not ended",
	                  "%N events left out: too many had begun and not ended", false },
	[LOSS_EVENT] = { SEV_SKIP, "1 event left out whose time is missing or makes no sense",
	                 "%N events left out whose time is missing or makes no sense", false },
	[LOSS_BASELESS] = { SEV_NOTE,
	                    "when this trace began stands far behind its events, or TMPDIR has no "
	                    "room to look there first: times count from its own zero",
	                    "when these %N traces began stands far behind their events, or TMPDIR "
	                    "has no room to look there first: times count from their own zero",
	                    true },
	[LOSS_KERNELS] = { SEV_NOTE,
	                   "1 kernel was launched, but there is no kernel in the trace: "
	                   "kernels were not traced, or are lost",
	                   "%N kernels were launched, but there is no kernel in the trace: kernels "
	                   "were not traced, or are lost",
	                   true },
	[LOSS_OPERATION] = { SEV_NOTE,
	                     "1 kernel has the name of its operation: hip_api_trace.txt, which "
	                     "knows "
	                     "its own, is not beside this file, or does not know it",
	                     "%N kernels have the name of their operation: hip_api_trace.txt, "
	                     "which "
	                     "knows their own, is not beside this file, or does not know them",
	                     true },
	[LOSS_INCLUSIVE] = { SEV_NOTE,
	                     "1 row stands below another, whose time holds its own: pct is a share "
	                     "of "
	                     "a sum, not of a span",
	                     "%N rows stand below others, whose times hold theirs: pct is a share "
	                     "of a "
	                     "sum, not of a span",
	                     true },
	[LOSS_RECURSIVE] = { SEV_NOTE,
	                     "1 row left out: calls of a function out of itself, whose time is in "
	                     "the "
	                     "outer call's",
	                     "%N rows left out: calls of functions out of themselves, whose time "
	                     "is in "
	                     "the outer calls'",
	                     true },
	[LOSS_ROW_MISFIT] = { SEV_SKIP, "1 row left out that does not fit its table",
	                      "%N rows left out that do not fit their tables", false },
	[LOSS_ROW_REVERSED] = { SEV_SKIP, "1 row left out whose end is before its start",
	                        "%N rows left out whose end is before their start", false },
	[LOSS_ROW_UNNAMED] = { SEV_NOTE,
	                       "1 row whose name is not in the database is shown as (unnamed)",
	                       "%N rows whose name is not in the database are shown as (unnamed)",
	                       false },
	[LOSS_ROW_SELF] = { SEV_NOTE, "1 row left out in which the profiler traced itself",
	                    "%N rows left out in which the profiler traced itself", true },
	[LOSS_ROW_TWICE] = { SEV_NOTE,
	                     "1 row of table KERN left out: table OPS has the same kernels",
	                     "%N rows of table KERN left out: table OPS has the same kernels",
	                     true },
	[LOSS_JOURNAL] = { SEV_SKIP,
	                   "a journal lies beside the database: it is still being written, or was "
	                   "not closed, and what is in the journal is not read",
	                   "a journal lies beside the database: it is still being written, or was "
	                   "not closed, and what is in the journal is not read",
	                   true },
	[LOSS_ROUNDED] = { SEV_NOTE,
	                   "1 row with a time that is a fraction of a nanosecond: rounded to the "
	                   "nearest, halves to the even one",
	                   "%N rows with times that are fractions of a nanosecond: rounded to the "
	                   "nearest, halves to the even one",
	                   false },
	[LOSS_JOINED] = { SEV_NOTE,
	                  "1 newline between rows is lost: they are read apart, but for a number "
	                  "that would be of both",
	                  "%N newlines between rows are lost: they are read apart, but for numbers "
	                  "that would be of both",
	                  false },
	[LOSS_COUNTERS] = { SEV_SKIP,
	                    "counters of 1 row left out: it has more or fewer of them than the "
	                    "header",
	                    "counters of %N rows left out: they have more or fewer of them than "
	                    "the "
	                    "header",
	                    false },
	[LOSS_VALUES] = { SEV_SKIP, "1 value of a counter left out that is no number",
	                  "%N values of counters left out that are no numbers", false },
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
		           " row%s left out that %s not fit the table (this is the first)",
		           l->malformed, l->malformed == 1 ? "" : "s",
		           l->malformed == 1 ? "does" : "do");
	if (l->reversed)
		report_add(r, SEV_SKIP, where, l->reversed_line,
		           "%" PRIu64
		           " row%s left out whose end is before %s start (this is the first)",
		           l->reversed, l->reversed == 1 ? "" : "s",
		           l->reversed == 1 ? "its" : "their");
	if (l->recovered)
		report_add(r, SEV_NOTE, where, l->recovered_line,
		           "%" PRIu64
		           " row%s with unescaped quotes, or counters that differ from the "
		           "header, read by %s ends (this is the first)",
		           l->recovered, l->recovered == 1 ? "" : "s",
		           l->recovered == 1 ? "its" : "their");
	if (l->cut)
		report_add(r, SEV_ERROR, where, l->cut_line,
		           "the file ends inside this row: it was cut, or is still being written");
	if (l->unended)
		report_add(
		        r, SEV_SKIP, where, l->unended_line,
		        "the last row has no newline and may be truncated: not counted; if it is "
		        "complete, end it with a newline");
	if (l->open_end)
		report_add(r, SEV_NOTE, where, l->open_end_line,
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
