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
	tm_buf_fmt(&b, "%zu ", t->pins + 1);
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
		.longest_idle = !strcmp(f->def->id, "long-gap"),
	};
	return true;
}

static int answer(struct finding_job *j, void *arg)
{
	struct tm_tracks *t = arg;
	struct found *v = NULL;
	uint64_t window;
	size_t n;
	bool ok = tm_findings_all(j, &v, &n, &window);

	for (size_t i = 0; ok && i < n && t->pins < TM_TRACKS_PINS; i++)
		if (tm_findings_shown(&v[i]))
			ok = pin(j, &v[i], t);
	tm_findings_free(v);
	j->no_memory = !ok;
	return ok ? EXIT_DONE : EXIT_TROUBLE;
}

bool tm_findings_pin(const struct common *c, struct tm_tracks *t)
{
	static const struct finding_use use = { .answer = answer };
	struct common own = *c;
	struct finding_job j = { .c = &own,
		                 .silent = true,
		                 .show = { .view = tm_findings_columns } };

	own.out = (struct out_opts) { 0 };
	own.say.quiet = true;
	tm_findings_drive(&j, &use, t);
	return !j.no_memory;
}
