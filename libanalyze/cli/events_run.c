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

void events_options(struct events_own *own, struct option out[EVENTS_OPTIONS])
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
static unsigned read_kinds(const char *list, struct diag *d)
{
	unsigned bits = list ? 0 : (1u << EVENT_KINDS) - 1;

	for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
		size_t n = strcspn(p, ","), i = 0;

		while (event_words[i] &&
		       (strlen(event_words[i]) != n || strncmp(event_words[i], p, n) != 0))
			i++;
		if (!event_words[i]) {
			diag_set(d, 0,
			         "--kind: unknown kind '%.*s'; use kernel, copy, api, marker, "
			         "alloc, counter",
			         (int)n, p);
			return 0;
		}
		bits |= 1u << i;
	}
	return bits;
}

int events_run(struct common *c, const struct events_own *own)
{
	const struct event_form form = { .keyed = own->to == TO_NDJSON,
		                         .text = own->to == TO_NDJSON ? row_text_json
		                                                      : row_text_csv };
	struct output out = { .path = c->output };
	struct diag d = { 0 };
	unsigned kinds = read_kinds(own->kinds, &d);
	struct metric_opts o = { .level = NAME_FULL };
	int status;

	if (!kinds)
		return usage_error(c, &d);
	o.own = events_new(form, kinds, own->sort, output_put, &out);
	if (!o.own) {
		say(c, SEV_ERROR, NULL, 0, "out of memory");
		return EXIT_TROUBLE;
	}
	o.why = events_why(o.own);
	/* A line of progress between the rows helps nobody. */
	c->no_progress |= !c->output && isatty(STDOUT_FILENO);
	status = run_metric(c, &events_metric, &o);
	if (!output_close(&out, events_written(o.own), &d)) {
		say(c, SEV_ERROR, NULL, 0, d.text);
		status = EXIT_TROUBLE;
	}
	events_free(o.own);
	return status;
}
