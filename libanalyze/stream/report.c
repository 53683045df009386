/* SPDX-License-Identifier: MIT */
#include "stream/report.h"

#include "base/buf.h"

#include <inttypes.h>
#include <stdarg.h>
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

void report_fini(struct report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->v[i].where);
		free(r->v[i].text);
	}
	free(r->v);
	*r = (struct report) { 0 };
}
