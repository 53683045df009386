/* SPDX-License-Identifier: MIT
 * kstats - where did the time go?
 *
 * Reads any trace or statistics file of tracemill-formats(5) and prints a table.  A sub-command is a
 * metric (libanalyze/metric) and the options only it has.  Exit 0, or 2 when something could not be
 * read or there is nothing to show. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VIEWS = 8, OWN_OPTIONS = 6 + VIEWS + 1, LEVEL_CLASS = 3, DOMAIN_ALL = DOMAIN_SCRATCH + 1 };

/* What the user may say beside the common options. */
struct own {
	unsigned level, domain;
	uint64_t short_us, skip, max_unclassified;
	const char *during;
	bool view[VIEWS]; /* of the metric's views */
};

static const char *const not_per[] = { "per", NULL };

static const char *const level_words[] = { "full", "short", "base", "class", NULL };

/* The domains in the order of enum domain, then "all". */
static const char *const domain_words[] = { "kernel", "copy",    "hip",       "hsa",
	                                    "marker", "rccl",    "rocdecode", "rocjpeg",
	                                    "alloc",  "scratch", "all",       NULL };

static const char *const during_words[] = { "busy", "idle", NULL };

static bool offered(const struct metric *m, const char *name)
{
	for (const char *const *o = m->options; *o; o++)
		if (!strcmp(*o, name))
			return true;
	return false;
}

/* The options of one sub-command, and a flag for each of its other views; NULL has none. */
static void own_options(struct own *own, const struct metric *m, struct option out[OWN_OPTIONS])
{
	const struct option all[] = {
		{ .name = "name",
		  .type = OPT_INDEX,
		  .value = &own->level,
		  .arg = "LEVEL",
		  .choices = level_words,
		  .about = "detail of the kernel name used for grouping",
		  .dflt = "full" },
		{ .name = "domain",
		  .type = OPT_INDEX,
		  .value = &own->domain,
		  .arg = "DOMAIN",
		  .choices = domain_words,
		  .about = "what to list",
		  .dflt = "kernel" },
		{ .name = "short",
		  .type = OPT_U64,
		  .value = &own->short_us,
		  .arg = "US",
		  .max = UINT64_MAX / 1000,
		  .about = "kernels shorter than N microseconds count as short",
		  .dflt = "10" },
		{ .name = "during",
		  .type = OPT_CHOICE,
		  .value = &own->during,
		  .arg = "WHEN",
		  .choices = during_words,
		  .about = "only waiting while the GPU was working, or was not" },
		{ .name = "skip",
		  .type = OPT_U64,
		  .value = &own->skip,
		  .arg = "N",
		  .about = "skip the first N steps (warm-up)",
		  .dflt = "0" },
		{ .name = "max-unclassified",
		  .type = OPT_FIXED,
		  .value = &own->max_unclassified,
		  .arg = "PCT",
		  .max = 1000000,
		  .about = "exit 1 if more than PCT % of kernel time has no class" },
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (m && offered(m, all[i].name))
			out[n++] = all[i];
	for (size_t i = 0; m && m->views[i].columns && i < VIEWS; i++)
		if (m->views[i].option)
			out[n++] = (struct option) { .name = m->views[i].option,
				                     .value = &own->view[i],
				                     .about = m->views[i].about };
	out[n] = (struct option) { 0 };
}

/* The options of sub-command i, to be shown. */
static void shown_options(size_t i, struct option *out)
{
	static struct own none;

	own_options(&none, metrics[i], out);
}

/* Every sub-command. */
static const struct commands *commands(void)
{
	static struct option_command list[COMMANDS + 1];
	static const struct commands all = {
		.list = list,
		.about = "Show where the time of a GPU program went.",
		.operands = "[FILE|DIR|RANK=FILE|-]...",
		.example = "kstats top FILE",
		.examples = "kstats summary run_kernel_trace.csv run_hip_api_trace.csv\n"
		            "kstats top -n 10 results.db\n",
		.trailer = "Exit status: 0 done; 1 a limit is exceeded; 2 usage, or an input could "
		           "not be\n"
		           "read whole, or nothing to show.\n"
		           "See kstats(1) and tracemill-formats(5).\n",
		.options = shown_options,
	};

	for (size_t i = 0; metrics[i] && i < COMMANDS; i++)
		list[i] = (struct option_command) { .name = metrics[i]->name,
			                            .about = metrics[i]->about,
			                            .group = metrics[i]->group,
			                            .examples = metrics[i]->examples };
	return &all;
}

static int print_help(const struct common *c, const struct metric *m,
                      const struct option *const *tables)
{
	const struct commands *all = commands();
	size_t i = 0;

	while (m && metrics[i] != m)
		i++;
	return commands_help(c, all, m ? &all->list[i] : NULL, NULL, tables);
}

/* The one view that was asked for; false with *d when there are two. */
static bool choose_view(const struct metric *m, const struct own *own, const char **view,
                        struct diag *d)
{
	*view = NULL;
	for (size_t i = 0; m->views[i].columns && i < VIEWS; i++) {
		if (!own->view[i])
			continue;
		if (*view) {
			diag_set(d, 0, "--%s and --%s are different tables: choose one", *view,
			         m->views[i].option);
			return false;
		}
		*view = m->views[i].option;
	}
	return true;
}

static const struct column *view_columns(const struct metric *m, const char *view)
{
	const struct metric_opts o = { .view = view };

	return metric_view(m, &o)->columns;
}

static int run(struct common *c, const struct metric *m, const struct own *own, const char *view)
{
	struct metric_opts o = { .view = view,
		                 .short_ns = own->short_us * 1000,
		                 .skip = own->skip,
		                 .max_unclassified = own->max_unclassified,
		                 .level = own->level == LEVEL_CLASS ? NAME_FULL
		                                                    : (enum name_level)own->level,
		                 .by_class = own->level == LEVEL_CLASS };

	if (own->during)
		o.during = strcmp(own->during, "busy") ? DURING_IDLE : DURING_BUSY;
	o.all_domains = own->domain == DOMAIN_ALL;
	o.domains = o.all_domains ? EV_BIT(DOMAIN_DOMAINS) - 1 : EV_BIT(own->domain);
	return run_metric(c, m, &o);
}

int main(int argc, char **argv)
{
	struct common c = { .tool = "kstats" };
	struct own own = { .short_us = 10, .max_unclassified = UINT64_MAX };
	struct option common[COMMON_OPTIONS], mine[OWN_OPTIONS];
	const struct option *const tables[] = { mine, common, NULL };
	const struct metric *m;
	const char *view = NULL;
	struct diag d = { 0 };
	int status;

	commands_help_word(argc, argv);
	m = argc > 1 ? metric_find(argv[1]) : NULL;
	common_options(&c, common);
	own_options(&own, m, mine);
	if (m && !m->per)
		options_drop(common, not_per);
	if (m)
		c.table = m->name;
	if (!option_parse(m ? argc - 1 : argc, m ? argv + 1 : argv, tables, &c.operands, &d))
		status = usage_error(&c, &d);
	else if (c.help)
		status = print_help(&c, m, tables);
	else if (m && !choose_view(m, &own, &view, &d))
		status = usage_error(&c, &d);
	else if (c.completion)
		status = commands_completion(&c, commands(), common);
	else if (c.list_columns && !m)
		status = commands_unknown(&c, commands(), NULL);
	else if (!answer_lists(&c, m ? view_columns(m, view) : NULL, &status))
		status = m ? run(&c, m, &own, view)
		           : commands_unknown(&c, commands(), argc > 1 ? argv[1] : NULL);
	option_list_fini(&c.operands);
	return status;
}
