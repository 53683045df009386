/* SPDX-License-Identifier: MIT
 * Findings as a picture of the run shows them. */
#include "cli/rules/findings.h"
#include "cli/rules/findings_parts.h"
#include "cli/rules/pins.h"
#include "work/work.h"

#include <stdlib.h>
#include <string.h>

static bool pin(const struct finding_job *j, const struct found *f, struct tm_tracks *t)
{
	struct tm_buf b = { 0 };

	/* Numbered, for slices that begin together stand in the order of their names; and without
	 * the operands, on whose order nothing may depend. */
	tm_buf_fmt(&b, "%zu %s", t->pins + 1, f->severity == SEV_TRUST ? "doubt: " : "");
	tm_findings_title(&b, j, f);
	if (f->saved) {
		tm_buf_str(&b, ", up to ");
		tm_work_put_ns(&b, f->saves);
	}
	tm_buf_fmt(&b, ": kstats %s", f->def->command);
	if (b.failed || !b.p) {
		tm_buf_fini(&b);
		return false;
	}
	t->pin[t->pins++] = (struct tm_tracks_pin) {
		.text = b.p,
		.over = f->severity == SEV_TRUST          ? TM_TRACKS_WHOLE
		        : !strcmp(f->def->id, "long-gap") ? TM_TRACKS_LONGEST_IDLE
		                                          : TM_TRACKS_WORK,
	};
	return true;
}

struct pinning {
	struct tm_tracks *t;
	struct tm_buf *why;
};

/* The first of what could not be read. */
static void tell_trouble(const struct tm_report *rep, struct tm_buf *why)
{
	for (size_t i = 0; i < rep->n && !why->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR && rep->v[i].where)
			tm_buf_fmt(why, "%s: %s", rep->v[i].where, rep->v[i].text);
}

/* Not what the replay says saves nothing. */
static bool is_pinned(const struct found *f)
{
	return !(f->saved && !f->saves);
}

static int answer(struct finding_job *j, void *arg)
{
	const struct pinning *to = arg;
	struct found *v = NULL;
	uint64_t window;
	size_t n;
	bool ok = tm_findings_all(j, &v, &n, &window) && !j->side.rep.lost;

	tell_trouble(&j->side.rep, to->why);
	for (size_t i = 0; ok && i < n && to->t->pins < TM_TRACKS_PINS; i++)
		if (is_pinned(&v[i]))
			ok = pin(j, &v[i], to->t);
	tm_findings_free(v);
	if (ok && !to->why->failed)
		return EXIT_DONE;
	tm_say(j->c, TM_SEV_ERROR, NULL, 0, tm_diag_no_memory);
	return EXIT_TROUBLE;
}

bool tm_findings_pin(const struct common *c, struct tm_tracks *t, struct tm_buf *why)
{
	static const struct finding_use use = { .answer = answer, .needs = "findings" };
	struct common own = *c;
	struct pinning to = { t, why };
	struct finding_job j = { .c = &own,
		                 .silent = true,
		                 .show = { .view = tm_findings_columns } };

	/* Of some of the kernels nothing can be said of what they could save. */
	if (tm_only_given(&c->in.filter) & TM_WHOLE_AGENTS)
		return true;
	own.out = (struct out_opts) { 0 };
	own.say.quiet = true;
	return tm_findings_drive(&j, &use, &to) == EXIT_DONE;
}
