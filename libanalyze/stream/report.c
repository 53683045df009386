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

static const enum tm_severity severity_of[TM_LOSS_REASONS] = {
#define LOSS(id, word, kind, severity, place, one, many) [TM_LOSS_##id] = TM_SEV_##severity,
#include "model/losses.def"
#undef LOSS
};

static void report_lost(struct tm_report *r, const char *where, enum tm_loss_reason why,
                        const struct tm_lost *l)
{
	static const char *const units[] = {
		[TM_LOSS_AT_LINE] = "line", [TM_LOSS_AT_BYTE] = "byte", [TM_LOSS_AT_ID] = "id"
	};
	const struct tm_loss_about *about = &tm_losses[why];
	const char *text = l->n == 1 ? about->one : about->many;
	const char *count = strstr(text, "%N");
	bool in_front = about->place == TM_LOSS_LINE;
	char number[24] = "", place[64] = "";
	size_t head = count ? (size_t)(count - text) : 0;

	if (count)
		snprintf(number, sizeof number, "%" PRIu64, l->n);
	if (!in_front && about->place != TM_LOSS_NOWHERE)
		snprintf(place, sizeof place, " (%sat %s %" PRIu64 ")",
		         l->n > 1 && about->kind != TM_LOSS_IS_ENDED ? "the first " : "",
		         units[about->place], l->at);
	tm_report_add(r, severity_of[why], where, in_front ? l->at : 0, "%.*s%s%s%s", (int)head,
	              text, number, text + head + (count ? 2 : 0), place);
}

void tm_report_untimed(struct tm_report *r, uint64_t rows)
{
	if (rows)
		tm_report_add(r, TM_SEV_SKIP, NULL, 0,
		              "%" PRIu64 " row%s without start and end times skipped", rows,
		              rows == 1 ? "" : "s");
}

void tm_report_stats(struct tm_report *r, uint64_t rows)
{
	if (rows)
		tm_report_add(r, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64
		              " row%s of statistics files ignored: they contain totals, not events",
		              rows, rows == 1 ? "" : "s");
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
	for (enum tm_loss_reason i = 0; i < TM_LOSS_REASONS; i++)
		if (l->of[i].n && *tm_losses[i].one)
			report_lost(r, where, i, &l->of[i]);
}

bool tm_report_copy(struct tm_report *r, const struct tm_report *from)
{
	const size_t before = r->n;

	for (size_t i = 0; i < from->n; i++) {
		const struct tm_finding *f = &from->v[i];

		tm_report_add(r, f->severity, f->where, f->line, "%s", f->text);
		if (r->n == before + i + 1)
			r->v[before + i].no_memory = f->no_memory;
	}
	r->lost |= from->lost;
	return !r->lost;
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

void tm_report_severe(struct tm_report *r, const struct tm_report *from, enum tm_severity least)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct tm_finding *f = &from->v[i];
		size_t k = 0;

		while (k < r->n && strcmp(r->v[k].text, f->text) != 0)
			k++;
		if (f->severity >= least && k == r->n)
			tm_report_add(r, f->severity, f->where, f->line, "%s", f->text);
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

void tm_report_no_events(struct tm_report *r, const uint64_t rows[TM_EV_NKINDS])
{
	static const enum tm_ev_kind others[] = { TM_EV_STAT, TM_EV_AGENT, TM_EV_SAMPLE,
		                                  TM_EV_ROLLUP };
	struct tm_buf b = { 0 };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (rows[others[i]])
			tm_buf_fmt(&b, "%s%" PRIu64 " %s", b.n ? ", " : "", rows[others[i]],
			           tm_ev_kind_text(others[i], rows[others[i]] != 1));
	if (b.n && !b.failed)
		tm_report_add(r, TM_SEV_NOTE, NULL, 0, "skipped, because they are not events: %s",
		              b.p);
	tm_buf_fini(&b);
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
