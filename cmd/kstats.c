/* SPDX-License-Identifier: MIT
 * kstats - where did the time go?
 *
 * Reads any trace or statistics file of tracemill-formats(5) and prints a table.  A sub-command is
 * a metric (libanalyze/metric) and the options only it has.  Exit 0, or 2 when something could not
 * be read or there is nothing to show. */
#include "cli/commands.h"
#include "cli/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const not_per[] = { "per", NULL };

/* The options of sub-command i, to be shown. */
static void shown_options(size_t i, struct option *out)
{
	static struct stats_own none;

	stats_options(&none, metrics[i], out);
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
		           "read completely, or nothing to show.\n"
		           "See kstats(1), tracemill(7) for the other tools, and "
		           "tracemill-formats(5).\n",
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

static const struct column *view_columns(const struct metric *m, const char *view)
{
	const struct metric_opts o = { .view = view };

	return metric_view(m, &o)->columns;
}

static int run(struct common *c, const struct metric *m, const struct stats_own *own,
               const char *view)
{
	struct metric_opts o = stats_opts(own, view);

	return run_metric(c, m, &o);
}

int main(int argc, char **argv)
{
	struct common c = { .tool = "kstats" };
	struct stats_own own = STATS_OWN;
	struct option common[COMMON_OPTIONS], mine[STATS_OPTIONS];
	const struct option *const tables[] = { mine, common, NULL };
	const struct metric *m;
	const char *view = NULL;
	struct diag d = { 0 };
	int status;

	commands_help_word(argc, argv);
	m = argc > 1 ? metric_find(argv[1]) : NULL;
	common_options(&c, common);
	stats_options(&own, m, mine);
	if (m && !m->per)
		options_drop(common, not_per);
	if (m)
		c.table = m->name;
	if (!option_parse(m ? argc - 1 : argc, m ? argv + 1 : argv, tables, &c.operands, &d))
		status = usage_error(&c, &d);
	else if (c.help)
		status = print_help(&c, m, tables);
	else if (m && !stats_view(m, &own, &view, &d))
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
