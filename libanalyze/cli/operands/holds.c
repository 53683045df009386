/* SPDX-License-Identifier: MIT */
#include "cli/operands/holds.h"

#include "cli/operands/files.h"
#include "io/io.h"
#include "read/read.h"

#include <stdlib.h>
#include <string.h>

/* ---- something for a question ---- */

/* A question that only finds out whether there is something for it. */
struct probe {
	const struct tm_question *q;
	void *acc;
	bool known;
};

/* Do the first bytes tell?  What is wrong with them is said when the input is read. */
static enum tm_status probe_head(struct probe *p, struct tm_source *s, size_t side)
{
	const unsigned char *bytes;
	size_t n;
	struct tm_report rep = { 0 };
	struct tm_diag none = { 0 };
	struct tm_source *head = NULL;
	enum tm_status st = tm_source_peek(s, &bytes, &n, &none);

	if (st == TM_ST_OK)
		head = tm_source_memory(tm_source_name(s), bytes, n, &none);
	st = head ? p->q->take(p->acc, head, side, &rep, &none) : TM_ST_SKIP;
	tm_source_close(head);
	tm_report_fini(&rep);
	return st;
}

/* Only where they do not, as with a log that begins with something else, all of it is read. */
static enum tm_status probe_take(void *acc, struct tm_source *s, size_t side, struct tm_report *rep,
                                 struct tm_diag *d)
{
	struct probe *p = acc;
	enum tm_status st;

	if (p->known)
		return TM_ST_OK;
	st = probe_head(p, s, side);
	if (st == TM_ST_SKIP)
		st = p->q->take(p->acc, s, side, rep, d);
	p->known = st == TM_ST_OK || st == TM_ST_WARN;
	return p->known ? TM_ST_OK : st;
}

/* What of a directory could not be read may be what was asked for. */
static void keep_faults(struct tm_report *to, const struct tm_report *rep)
{
	for (size_t k = 0; k < rep->n; k++) {
		const struct tm_finding *f = &rep->v[k];

		if (f->severity == TM_SEV_ERROR && !strstr(f->text, "contains no input of "))
			tm_report_add(to, f->severity, f->where, f->line, "%s", f->text);
	}
}

bool tm_operand_has(const struct common *c, const struct operand *v, const struct tm_question *q,
                    const void *o, struct tm_report *faults, bool *known)
{
	const struct tm_question look = { .name = q->name,
		                          .tables = q->tables,
		                          .take = probe_take };
	struct probe probe = { q, calloc(1, q->size), false };
	struct tm_report rep = { 0 };
	bool ok = probe.acc && q->init(probe.acc, o);

	if (ok) {
		ok = tm_files_each(c, v, 1, &look, &probe, &rep);
		q->fini(probe.acc);
	}
	if (!probe.known && faults)
		keep_faults(faults, &rep);
	tm_report_fini(&rep);
	free(probe.acc);
	*known = probe.known;
	return ok && (!faults || !faults->lost);
}

/* ---- traces ---- */

static enum holds file_holds(const struct tm_walk_file *f, struct tm_diag *d)
{
	struct tm_source *s = tm_source_open_head(f->path, f->head, d);
	const struct tm_reader_ops *ops = NULL;
	const unsigned char *p = NULL;
	enum holds holds = HOLDS_NOTHING;
	size_t n = 0;
	struct tm_diag none = { 0 };

	if (s && tm_source_is_archive(s)) {
		holds = HOLDS_ARCHIVE;
	} else if (s && tm_source_peek(s, &p, &n, d) != TM_ST_FATAL) {
		ops = tm_reader_choose(p, n, n < TM_SOURCE_PEEK, NULL, &none);
		/* Calls of RCCL are both: a trace, and calls of a library. */
		if (ops)
			holds = strcmp(ops->name, "rccl-log") ? HOLDS_TRACE : HOLDS_LOG;
		if (none.status == TM_ST_NOMEM)
			*d = none;
	}
	tm_source_close(s);
	return holds;
}

enum holds tm_operand_holds(const char *operand, bool *several, struct tm_diag *d)
{
	struct tm_walk w = { 0 };
	enum holds most = HOLDS_NOTHING;
	struct tm_diag first = { 0 };

	tm_walk_add(&w, tm_operand_of(operand).path, 0, d);
	*several = w.n > 1 || (w.n && w.v[0].in_dir);
	for (size_t i = 0; i < w.n && most < HOLDS_TRACE && !(*several && *d->text); i++) {
		struct tm_diag why = { 0 };
		enum holds one = file_holds(&w.v[i], &why);

		most = one > most ? one : most;
		if (!*several || why.status == TM_ST_NOMEM)
			*d = why;
		else if (*why.text && !*first.text)
			tm_diag_set(&first, why.line, "%.200s: %.200s", w.v[i].path, why.text);
	}
	if (most == HOLDS_NOTHING && *first.text && !*d->text && d->status != TM_ST_NOMEM)
		*d = first;
	tm_walk_fini(&w);
	return most;
}
