/* SPDX-License-Identifier: MIT
 * tracecat - what is in this file, and give it to me as CSV or NDJSON
 *
 * Reads any trace of tracemill-formats(5) and writes each event as a row, in the order of the
 * inputs or, with --sort, of their starts.  `tracecat info` lists the inputs instead.  Exit 0, or 2
 * when something could not be read or there is nothing to write. */
#include "cli/common.h"
#include "cli/output.h"
#include "cli/pages.h"
#include "metric/events.h"
#include "metric/inventory.h"
#include "render/row.h"

#include <string.h>
#include <unistd.h>

/* What the user may say beside the common options. */
struct own {
	unsigned to;
	const char *kinds;
	bool sort;
};

enum { TO_CSV, TO_NDJSON };
static const char *const to_words[] = { "csv", "ndjson", NULL };

enum { OWN_OPTIONS = 4 };

static void own_options(struct own *own, struct option out[OWN_OPTIONS])
{
	const struct option all[OWN_OPTIONS] = {
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

/* Common options that mean nothing here. */
static const char *const not_events[] = { "rows", "sort", "format", "per", NULL };
static const char *const not_info[] = { "rows", "sort", "window", "per", "classes", NULL };

static const struct option_command commands[] = {
	{ .name = "info", .about = "describe each file: format, ranks, losses" },
	{ 0 },
};

static int print_help(const struct common *c, bool info, const struct option *const *tables)
{
	const struct option_page page = {
		.usage = info ? "tracecat info [options] [FILE|DIR|RANK=FILE|-]..."
		              : "tracecat [info] [options] [FILE|DIR|RANK=FILE|-]...",
		.about = info ? inventory_metric.about
		              : "Print every event of GPU profiler traces as CSV or NDJSON.",
		.commands = info ? NULL : commands,
		.tables = tables,
		.examples = info ? "tracecat info traces/\n"
		                   "tracecat info -f json results.db\n"
		                 : "tracecat --kind kernel results.db > kernels.csv\n"
		                   "tracecat --to ndjson --sort run.pftrace\n",
		.trailer = "Exit status: 0 done; 2 usage, or an input could not be read "
		           "completely, or\n"
		           "nothing to write.\n"
		           "See tracecat(1) and tracemill-formats(5).\n",
	};

	return put_help(c, &page);
}

static int print_completion(const struct common *c, const struct option *const *events,
                            const struct option *const *info)
{
	const struct complete_command list[] = {
		{ .name = "info", .about = commands[0].about, .tables = info },
		{ 0 },
	};
	const struct complete_spec spec = { .tool = "tracecat",
		                            .commands = list,
		                            .tables = events };

	return put_completion(c, &spec);
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

static int write_events(struct common *c, const struct own *own)
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

static int write_info(struct common *c)
{
	struct metric_opts o = { .level = NAME_FULL };

	return run_metric(c, &inventory_metric, &o);
}

int main(int argc, char **argv)
{
	struct common c = { .tool = "tracecat" };
	struct own own = { 0 };
	struct option events[COMMON_OPTIONS], inventory[COMMON_OPTIONS], mine[OWN_OPTIONS];
	const struct option *const for_events[] = { mine, events, NULL };
	const struct option *const for_info[] = { inventory, NULL };
	bool info = argc > 1 && !strcmp(argv[1], "info");
	const struct option *const *tables = info ? for_info : for_events;
	struct diag d = { 0 };
	int status;

	common_options(&c, events);
	options_drop(events, not_events);
	common_options(&c, inventory);
	options_drop(inventory, not_info);
	own_options(&own, mine);
	if (info)
		c.table = "info";
	if (!option_parse(info ? argc - 1 : argc, info ? argv + 1 : argv, tables, &c.operands, &d))
		status = usage_error(&c, &d);
	else if (c.help)
		status = print_help(&c, info, tables);
	else if (c.completion)
		status = print_completion(&c, for_events, for_info);
	else if (!answer_lists(&c, (info ? inventory_metric : events_metric).views->columns,
	                       &status))
		status = info ? write_info(&c) : write_events(&c, &own);
	option_list_fini(&c.operands);
	return status;
}
