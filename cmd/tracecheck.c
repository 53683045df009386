/* SPDX-License-Identifier: MIT
 * tracecheck - does this run meet its targets?
 *
 * Reads a run of any format of tracemill-formats(5), holds rules against the tables of kstats
 * (libanalyze/check), and says which hold.  Exit 0: all; 1: not all; 2: that cannot be judged. */
#include "check/presets.h"
#include "cli/check.h"
#include "cli/compare.h"
#include "cli/pages.h"
#include "cli/show.h"

#include <string.h>

enum { OWN_OPTIONS = 9 };

/* What the user may say beside the common options. */
struct own {
	struct option_list preset, files, rules;
	struct check_opts o;
	const char *allow;
	bool print, list;
};

static void own_options(struct own *own, struct option out[OWN_OPTIONS])
{
	const struct option all[] = {
		{ .name = "rule",
		  .type = OPT_LIST,
		  .value = &own->rules,
		  .arg = "RULE",
		  .about = "a rule, such as 'gaps.launch_pct < 1'; may be given several times" },
		{ .name = "rules",
		  .type = OPT_LIST,
		  .value = &own->files,
		  .arg = "FILE",
		  .about = "a file of rules, one a line; may be given several times" },
		{ .name = "preset",
		  .type = OPT_LIST,
		  .value = &own->preset,
		  .arg = "NAME",
		  .about = "rules that come with the tool; may be given several times" },
		{ .name = "list-presets", .value = &own->list, .about = "list the presets" },
		{ .name = "print-rules",
		  .value = &own->print,
		  .about = "print the rules of the presets, to copy and change; read no trace" },
		{ .name = "baseline",
		  .type = OPT_LIST,
		  .value = &own->o.baseline,
		  .arg = "FILE",
		  .about = "the run that 'baseline' in a rule means; may be given several times" },
		{ .name = "allow",
		  .type = OPT_TEXT,
		  .value = &own->allow,
		  .arg = "LIST",
		  .about =
		          "judge anyway: self (the baseline is the run itself), agents (different "
		          "number of GPUs), arch (different GPUs), partial (records are missing)" },
		{ .name = "report",
		  .type = OPT_LIST,
		  .value = &own->o.reports,
		  .arg = "FORMAT=FILE",
		  .about = "also write the result to FILE in FORMAT; may be given several times" },
		{ 0 },
	};

	memcpy(out, all, sizeof all);
}

static const char *const no_use[] = { "per", NULL };

/* Common options that mean something else here. */
static void adapt(struct option *common)
{
	for (; common->name; common++)
		if (!strcmp(common->name, "format"))
			common->choices = check_format_words();
		else if (!strcmp(common->name, "rows"))
			common->dflt = "all";
}

static const struct check_preset *find_preset(const char *name)
{
	for (const struct check_preset *p = check_presets; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}

/* All rules there are, in the order of presets, files, the command line.  False when out of memory.
 */
static bool read_rules(struct own *own, struct report *rep)
{
	struct rules *r = &own->o.rules;

	for (size_t i = 0; i < own->preset.n; i++) {
		const struct check_preset *p = find_preset(own->preset.v[i]);

		if (!p)
			report_add(rep, SEV_ERROR, NULL, 0,
			           "no preset '%s' (--list-presets lists them)", own->preset.v[i]);
		else if (!rules_parse(r, p->name, p->text, strlen(p->text), rep))
			return false;
	}
	for (size_t i = 0; i < own->files.n; i++)
		if (!check_read_rules(r, own->files.v[i], rep))
			return false;
	for (size_t i = 0; i < own->rules.n; i++)
		if (!rules_parse(r, NULL, own->rules.v[i], strlen(own->rules.v[i]), rep))
			return false;
	return !rep->lost;
}

static int print_presets(const struct common *c, const struct own *own)
{
	struct buf b = { 0 };
	int status;

	for (const struct check_preset *p = check_presets; own->list && p->name; p++)
		buf_fmt(&b, "%s\n", p->name);
	for (size_t i = 0; !own->list && i < own->preset.n; i++) {
		const struct check_preset *p = find_preset(own->preset.v[i]);

		buf_str(&b, p ? p->text : "");
	}
	status = put_output(c, &b);
	buf_fini(&b);
	return status;
}

static int run(struct common *c, struct own *own)
{
	struct report rep = { 0 };
	struct diag d = { 0 };
	int status = EXIT_TROUBLE;

	if (own->allow && !read_allow(own->allow, &own->o.allow, &d)) {
		status = usage_error(c, &d);
	} else if (!read_rules(own, &rep)) {
		say(c, SEV_ERROR, NULL, 0, diag_no_memory);
	} else if ((own->list || own->print) && !rep.n) {
		status = print_presets(c, own);
	} else {
		status = check_run(c, &own->o, &rep);
	}
	rules_fini(&own->o.rules);
	report_fini(&rep);
	return status;
}

static int print_help(const struct common *c, const struct option *const *tables)
{
	const struct option_page page = {
		.tables = tables,
		.usage = "tracecheck [options] [FILE|DIR|RANK=FILE|-]...",
		.about =
		        "Does this run meet its targets?  A rule names a number that kstats "
		        "prints, "
		        "an operator and a bound: 'gaps.launch_pct < 1', 'top[\"Cijk_*\"].avg_us < "
		        "30', 'timeline.window_ms <= baseline * 1.03'.",
		.examples = "tracecheck --preset training run.db\n"
		            "tracecheck --rules gate.rules --baseline main.db run.db\n",
		.trailer =
		        "Exit status: 0 all rules hold; 1 a rule fails; 2 usage, or an input "
		        "could not be\n"
		        "read completely, or a value is absent, or the runs cannot be compared.\n"
		        "See tracecheck(1) and tracemill-formats(5).\n",
	};

	return put_help(c, &page);
}

int main(int argc, char **argv)
{
	struct common c = { .tool = "tracecheck" };
	struct own own = { 0 };
	struct option common[COMMON_OPTIONS], mine[OWN_OPTIONS];
	const struct option *const tables[] = { mine, common, NULL };
	const struct complete_spec spec = { .tool = "tracecheck", .tables = tables };
	struct diag d = { 0 };
	int status;

	common_options(&c, common);
	options_drop(common, no_use);
	adapt(common);
	own_options(&own, mine);
	if (!option_parse(argc, argv, tables, &c.operands, &d))
		status = usage_error(&c, &d);
	else if (c.help)
		status = print_help(&c, tables);
	else if (c.completion)
		status = put_completion(&c, &spec);
	else if (!answer_lists(&c, check_columns, &status))
		status = run(&c, &own);
	option_list_fini(&own.preset);
	option_list_fini(&own.files);
	option_list_fini(&own.rules);
	option_list_fini(&own.o.baseline);
	option_list_fini(&own.o.reports);
	option_list_fini(&c.operands);
	return status;
}
