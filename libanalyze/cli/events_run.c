/* SPDX-License-Identifier: MIT
 * From operands to rows, one for each event. */
#include "cli/events_run.h"

#include "cli/output.h"
#include "events/events.h"
#include "render/render.h"

#include <string.h>
#include <unistd.h>

enum { TO_CSV, TO_NDJSON };
static const char *const to_words[] = { "csv", "ndjson", NULL };

void tm_events_options(struct events_own *own, struct option out[EVENTS_OPTIONS])
{
	const struct option all[EVENTS_OPTIONS] = {
		{ .letter = 'f',
		  .name = "to",
		  .type = OPT_INDEX,
		  .value = &own->to,
		  .arg = "FORMAT",
		  .choices = to_words,
		  .about = "output format of the events",
		  .dflt = "csv" },
		{ .name = "kind",
		  .type = OPT_TEXT,
		  .value = &own->kinds,
		  .arg = "LIST",
		  .about = "only these: kernel, copy, api, marker, alloc, counter",
		  .dflt = "all of them" },
		{ .name = "sort",
		  .value = &own->sort,
		  .about = "sort by start, then rank, kind and name" },
		{ 0 },
	};

	memcpy(out, all, sizeof all);
}

/* --kind as bits; 0 with *d. */
static unsigned read_kinds(const char *list, struct tm_diag *d)
{
	unsigned bits = list ? 0 : (1u << TM_EVENT_KINDS) - 1;

	for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
		size_t n = strcspn(p, ","), i = 0;

		while (tm_event_words[i] &&
		       (strlen(tm_event_words[i]) != n || strncmp(tm_event_words[i], p, n) != 0))
			i++;
		if (!tm_event_words[i]) {
			tm_diag_set(d, 0,
			            "--kind: unknown kind '%.*s'; use kernel, copy, api, marker, "
			            "alloc, counter",
			            (int)n, p);
			return 0;
		}
		bits |= 1u << i;
	}
	return bits;
}

int tm_events_run(struct common *c, const struct events_own *own)
{
	const struct tm_event_form form = { .keyed = own->to == TO_NDJSON,
		                            .text = own->to == TO_NDJSON ? tm_row_text_json
		                                                         : tm_row_text_csv };
	struct output out = { .path = c->output };
	struct tm_diag d = { 0 };
	unsigned kinds = read_kinds(own->kinds, &d);
	struct tm_metric_opts o = { .level = TM_NAME_FULL };
	int status;

	if (!kinds)
		return tm_usage_error(c, &d);
	o.own = tm_events_new(form, kinds, own->sort, tm_output_put, &out);
	if (!o.own) {
		tm_say(c, TM_SEV_ERROR, NULL, 0, "out of memory");
		return EXIT_TROUBLE;
	}
	o.why = tm_events_why(o.own);
	/* A line of progress between the rows helps nobody. */
	c->no_progress |= !c->output && isatty(STDOUT_FILENO);
	status = tm_run_metric(c, &tm_events_metric, &o);
	if (!tm_output_close(&out, tm_events_written(o.own), &d)) {
		tm_say(c, TM_SEV_ERROR, NULL, 0, d.text);
		status = EXIT_TROUBLE;
	}
	tm_events_free(o.own);
	return status;
}
