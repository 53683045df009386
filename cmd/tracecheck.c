/* SPDX-License-Identifier: MIT
 * tracecheck - does this run meet its targets?
 *
 * Reads a run of any format of tracemill-formats(5), holds rules against the tables of kstats
 * (libanalyze/check), and says which hold.  Exit 0: all; 1: not all; 2: that cannot be judged. */
#include "check/check.h"
#include "cli/cli.h"

#include <string.h>

/* What the user may say beside the common options. */
struct own {
	struct option_list preset, files, rules;
	struct check_opts o;
	const char *allow;
	bool print, list;
};

static struct own said;

static void options(const struct tool_command *cmd, struct option *out)
{
	const struct option all[] = {
		{ .name = "rule",
		  OPT_TO_LIST(&said.rules),
		  .arg = "RULE",
		  .about = "rule, such as 'gaps.launch_pct < 1'; may be given several times" },
		{ .name = "rules",
		  OPT_TO_LIST(&said.files),
		  .arg = "FILE",
		  .about = "file of rules, one per line; may be given several times" },
		{ .name = "preset",
		  OPT_TO_LIST(&said.preset),
		  .arg = "NAME",
		  .about = "rules that come with the tool; may be given several times" },
		{ .name = "list-presets", OPT_TO_FLAG(&said.list), .about = "list the presets" },
		{ .name = "print-rules",
		  OPT_TO_FLAG(&said.print),
		  .about = "print the rules of the presets, to copy and edit; read no trace" },
		{ .name = "baseline",
		  OPT_TO_LIST(&said.o.baseline),
		  .arg = "FILE",
		  .about = "run that 'baseline' in rules refers to; may be given several times" },
		{ .name = "allow",
		  OPT_TO_TEXT(&said.allow),
		  .arg = "LIST",
		  .about =
		          "check anyway: self (the baseline is the run itself), agents (different "
		          "number of GPUs), arch (different GPUs), partial (records are missing)" },
		{ .name = "report",
		  OPT_TO_LIST(&said.o.reports),
		  .arg = "FORMAT=FILE",
		  .about = "also write the result to FILE in FORMAT; may be given several times" },
		{ 0 },
	};

	(void)cmd;
	memcpy(out, all, sizeof all);
}

/* Common options that mean something else here. */
static void adapt(const struct tool_command *cmd, struct option *common)
{
	(void)cmd;
	for (; common->name; common++)
		if (!strcmp(common->name, "format"))
			common->choices = tm_check_format_words();
		else if (!strcmp(common->name, "rows"))
			common->dflt = "all";
}

static const struct tm_column *columns(const struct tool_command *cmd, size_t nth)
{
	(void)cmd;
	return nth ? NULL : tm_check_columns;
}

static const struct tm_check_preset *find_preset(const char *name)
{
	for (const struct tm_check_preset *p = tm_check_presets; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}

/* All rules there are, in the order of presets, files, the command line.  False when out of memory.
 */
static bool read_rules(struct own *own, struct tm_report *rep)
{
	struct tm_rules *r = &own->o.rules;

	for (size_t i = 0; i < own->preset.n; i++) {
		const struct tm_check_preset *p = find_preset(own->preset.v[i]);

		if (!p)
			tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
			              "no preset '%s' (--list-presets lists them)",
			              own->preset.v[i]);
		else if (!tm_rules_parse(r, p->name, p->text, strlen(p->text), rep))
			return false;
	}
	for (size_t i = 0; i < own->files.n; i++)
		if (!tm_check_read_rules(r, own->files.v[i], rep))
			return false;
	for (size_t i = 0; i < own->rules.n; i++)
		if (!tm_rules_parse(r, NULL, own->rules.v[i], strlen(own->rules.v[i]), rep))
			return false;
	return !rep->lost;
}

static int print_presets(const struct common *c, const struct own *own)
{
	struct tm_buf b = { 0 };
	int status;

	for (const struct tm_check_preset *p = tm_check_presets; own->list && p->name; p++)
		tm_buf_fmt(&b, "%s\n", p->name);
	for (size_t i = 0; !own->list && i < own->preset.n; i++) {
		const struct tm_check_preset *p = find_preset(own->preset.v[i]);

		tm_buf_str(&b, p ? p->text : "");
	}
	status = tm_put_output(c, &b);
	tm_buf_fini(&b);
	return status;
}

/* What shapes a result, without one: false with *d. */
static bool printing_fits(const struct common *c, const struct own *own, struct tm_diag *d)
{
	const struct {
		bool given;
		const char *option;
	} no[] = {
		{ c->out.format, "--format" },    { c->out.limit_given, "--rows" },
		{ c->out.sort, "--sort" },        { c->out.columns, "--columns" },
		{ own->o.reports.n, "--report" },
	};

	for (size_t i = 0; i < sizeof no / sizeof *no; i++)
		if (no[i].given) {
			tm_diag_set(d, 0, "%s does not take %s: it checks nothing",
			            own->print ? "--print-rules" : "--list-presets", no[i].option);
			return false;
		}
	return true;
}

static int check(struct common *c, struct own *own)
{
	struct tm_report rep = { 0 };
	struct tm_diag d = { 0 };
	int status = EXIT_TROUBLE;

	if (own->allow && !tm_read_allow(own->allow, &own->o.allow, &d)) {
		status = tm_usage_error(c, &d);
	} else if (own->print && !own->preset.n) {
		tm_diag_set(&d, 0,
		            "--print-rules prints the rules of presets: name one with "
		            "--preset (--list-presets lists them)");
		status = tm_usage_error(c, &d);
	} else if ((own->list || own->print) && !printing_fits(c, own, &d)) {
		status = tm_usage_error(c, &d);
	} else if (!read_rules(own, &rep)) {
		tm_say(c, TM_SEV_ERROR, NULL, 0, tm_diag_no_memory);
	} else if ((own->list || own->print) && !rep.n) {
		status = print_presets(c, own);
	} else {
		status = tm_check_run(c, &own->o, &rep);
	}
	tm_rules_fini(&own->o.rules);
	tm_report_fini(&rep);
	return status;
}

static int run(struct common *c, const struct tool_command *cmd)
{
	(void)cmd;
	return check(c, &said);
}

int main(int argc, char **argv)
{
	static const struct tool tool = {
		.name = "tracecheck",
		.self = { .usage = "tracecheck [options] [FILE|DIR|RANK=FILE|-]...",
		          .about = "Does this run meet its targets?  A rule names a number that "
		                   "kstats prints, "
		                   "an operator and a bound: 'gaps.launch_pct < 1', "
		                   "'top[\"Cijk_*\"].avg_us < "
		                   "30', 'timeline.window_ms <= baseline * 1.03'.",
		          .examples = "tracecheck --preset training run.db\n"
		                      "tracecheck --rules gate.rules --baseline main.db run.db\n",
		          .in = IN_TRACECHECK },
		.trailer =
		        "Exit status: 0 all rules hold; 1 a rule fails; 2 usage, or an input "
		        "could not be\n"
		        "read completely, or a value is absent, or the runs cannot be compared.\n"
		        "See tracecheck(1) and tracemill-formats(5).\n",
		.options = options,
		.adapt = adapt,
		.columns = columns,
		.run = run,
	};
	int status = tm_tool_main(&tool, argc, argv);

	tm_option_list_fini(&said.preset);
	tm_option_list_fini(&said.files);
	tm_option_list_fini(&said.rules);
	tm_option_list_fini(&said.o.baseline);
	tm_option_list_fini(&said.o.reports);
	return status;
}
