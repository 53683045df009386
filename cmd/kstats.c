/* SPDX-License-Identifier: MIT
 * kstats - where did the time go?
 *
 * Reads any trace or statistics file of tracemill-formats(5) and prints a table.  A sub-command is a
 * metric (libanalyze/metric) and the options only it has.  Exit 0, or 2 when something could not be
 * read or there is nothing to show. */
#include "cli/common.h"
#include "cli/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the user may say beside the common options. */
struct own {
	unsigned level, domain;
};

static const char *const level_words[] = { "full", "short", "base", "class", NULL };

/* The domains in the order of enum domain, then "all". */
static const char *const domain_words[] = { "kernel", "copy",    "hip",       "hsa",
	                                    "marker", "rccl",    "rocdecode", "rocjpeg",
	                                    "alloc",  "scratch", "all",       NULL };

enum { OWN_OPTIONS = 3, LEVEL_CLASS = 3, DOMAIN_ALL = DOMAIN_SCRATCH + 1 };

static void own_options(struct own *own, struct option out[OWN_OPTIONS])
{
	const struct option all[OWN_OPTIONS] = {
		{ .name = "name",
		  .type = OPT_INDEX,
		  .value = &own->level,
		  .arg = "LEVEL",
		  .choices = level_words,
		  .about = "how much of a kernel's name tells kernels apart",
		  .dflt = "full" },
		{ .name = "domain",
		  .type = OPT_INDEX,
		  .value = &own->domain,
		  .arg = "DOMAIN",
		  .choices = domain_words,
		  .about = "what to list",
		  .dflt = "kernel" },
		{ 0 },
	};

	memcpy(out, all, sizeof all);
}

/* Every sub-command, for help and completions; ends with { 0 }. */
static struct option_command *commands(void)
{
	static struct option_command list[32];
	size_t n = 0;

	for (; metrics[n] && n + 1 < sizeof list / sizeof *list; n++)
		list[n] = (struct option_command) { .name = metrics[n]->name,
			                            .about = metrics[n]->about };
	return list;
}

static int print_help(const struct common *c, const struct metric *m,
                      const struct option *const *tables)
{
	struct buf usage = { 0 }, out = { 0 };
	struct option_page page = { .tables = tables };
	int status;

	buf_fmt(&usage, "kstats %s [options] [FILE|DIR|RANK=FILE|-]...",
	        m ? m->name : "SUBCOMMAND");
	page.usage = usage.p;
	page.about = m ? m->about : "Statistics of GPU profiler traces.";
	page.commands = m ? NULL : commands();
	page.trailer = "Exit status: 0 done; 2 usage, or an input could not be read whole, or "
	               "nothing to show.\n"
	               "See kstats(1) and tracemill-formats(5).\n";
	if (usage.failed || !option_help(&out, &page))
		out.failed = true;
	status = put_output(c, &out);
	buf_fini(&usage);
	buf_fini(&out);
	return status;
}

static int print_completion(const struct common *c, const struct option *const *tables)
{
	struct complete_command list[32] = { 0 };
	const struct complete_spec spec = { .tool = "kstats",
		                            .commands = list,
		                            .tables = tables + 1 };
	struct buf out = { 0 };
	int status;

	for (size_t i = 0; metrics[i] && i < 31; i++)
		list[i] = (struct complete_command) { .name = metrics[i]->name,
			                              .about = metrics[i]->about,
			                              .tables = tables };
	if (!complete_render(&out, c->completion, &spec))
		out.failed = true;
	status = put_output(c, &out);
	buf_fini(&out);
	return status;
}

static int run(struct common *c, const struct metric *m, const struct own *own)
{
	struct metric_opts o = { .level = own->level == LEVEL_CLASS ? NAME_FULL
		                                                    : (enum name_level)own->level,
		                 .by_class = own->level == LEVEL_CLASS };

	o.all_domains = own->domain == DOMAIN_ALL;
	o.domains = o.all_domains ? EV_BIT(DOMAIN_DOMAINS) - 1 : EV_BIT(own->domain);
	return run_metric(c, m, &o);
}

/* "kstats", a sub-command the user does not know of yet. */
static int no_command(const struct common *c, const char *word)
{
	const char *names[32] = { 0 };
	const char *near;
	struct diag d;

	for (size_t i = 0; metrics[i] && i < 31; i++)
		names[i] = metrics[i]->name;
	near = word ? option_nearest(word, names) : NULL;
	if (!word)
		diag_set(&d, 0, "say which sub-command: kstats top FILE");
	else
		diag_set(&d, 0, "no sub-command '%s'%s%s%s", word, near ? "; did you mean " : "",
		         near ? near : "", near ? "?" : "");
	return usage_error(c, &d);
}

int main(int argc, char **argv)
{
	struct common c = { .tool = "kstats" };
	struct own own = { 0 };
	struct option common[COMMON_OPTIONS], mine[OWN_OPTIONS];
	const struct option *const tables[] = { mine, common, NULL };
	const struct metric *m = argc > 1 ? metric_find(argv[1]) : NULL;
	struct diag d = { 0 };
	int status;

	common_options(&c, common);
	own_options(&own, mine);
	if (m)
		c.table = m->name;
	if (!option_parse(m ? argc - 1 : argc, m ? argv + 1 : argv, tables, &c.operands, &d))
		status = usage_error(&c, &d);
	else if (c.help)
		status = print_help(&c, m, tables);
	else if (c.completion)
		status = print_completion(&c, tables);
	else if (c.list_columns && !m)
		status = no_command(&c, NULL);
	else if (!answer_lists(&c, m ? m->columns : NULL, &status))
		status = m ? run(&c, m, &own) : no_command(&c, argc > 1 ? argv[1] : NULL);
	option_list_fini(&c.operands);
	return status;
}
