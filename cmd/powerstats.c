/* SPDX-License-Identifier: MIT
 * powerstats - what did it draw, hold and cost?
 *
 * Reads tables of power or VRAM readings over time and prints a row for each device; with --trace, the
 * energy of each class of kernels.  Exit 0, or 2 when something could not be read or there is nothing
 * to show. */
#include "cli/beside.h"
#include "cli/files.h"
#include "cli/inputs.h"
#include "cli/pages.h"
#include "cli/show.h"
#include "metric/power.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OWN_OPTIONS = 10, ONE = 10000, NS_OF_ONE = 1000000000 / ONE };

/* What the user may say beside the common options. */
struct own {
	unsigned what, what_given, scaled, has_offset;
	uint64_t scale, gap, offset;
	bool keep_zero;
	const char *zone, *map, *window;
	struct option_list trace;
};

/* In the order of enum power_what. */
static const char *const what_words[] = { "power", "vram", NULL };

static const char *const no_use[] = { "per", NULL };

static void own_options(struct own *own, struct option out[OWN_OPTIONS])
{
	const struct option all[OWN_OPTIONS] = {
		{ .name = "what",
		  .type = OPT_INDEX,
		  .value = &own->what,
		  .given = &own->what_given,
		  .arg = "TABLE",
		  .choices = what_words,
		  .about = "which table, where the files hold both" },
		{ .name = "scale",
		  .type = OPT_FIXED,
		  .value = &own->scale,
		  .given = &own->scaled,
		  .arg = "N",
		  .min = 1,
		  .max = UINT64_C(1000000) * ONE,
		  .about = "multiply readings of power by N",
		  .dflt = "1" },
		{ .name = "gap",
		  .type = OPT_FIXED,
		  .value = &own->gap,
		  .arg = "SECONDS",
		  .min = 1,
		  .max = UINT64_C(3600) * ONE,
		  .about = "add nothing up across more time than that without a reading",
		  .dflt = "3.5 times the median distance of rows" },
		{ .name = "keep-zero",
		  .value = &own->keep_zero,
		  .about = "of VRAM: 0 % is a reading, not a failed one" },
		{ .name = "trace",
		  .type = OPT_LIST,
		  .value = &own->trace,
		  .arg = "FILE",
		  .about = "share the energy out among the kernels of this trace; may be given "
		           "several times" },
		{ .name = "offset",
		  .type = OPT_U64,
		  .value = &own->offset,
		  .given = &own->has_offset,
		  .arg = "NS",
		  .max = INT64_MAX,
		  .about = "what the clock of the trace read at the first row" },
		{ .name = "zone",
		  .type = OPT_TEXT,
		  .value = &own->zone,
		  .arg = "+HH:MM",
		  .about = "how far the clock of the readings is ahead of UTC",
		  .dflt = "not at all, with a note" },
		{ .name = "map",
		  .type = OPT_TEXT,
		  .value = &own->map,
		  .arg = "AGENT=DEVICE[,...]",
		  .about = "which device an agent of the trace is" },
		{ .letter = 'w',
		  .name = "window",
		  .type = OPT_TEXT,
		  .value = &own->window,
		  .arg = "FROM..TO",
		  .about = "only rows in this part: +DURATION, PERCENT% or nothing" },
		{ 0 },
	};

	memcpy(out, all, sizeof all);
}

static int print_help(const struct common *c, const struct option *const *tables)
{
	const struct option_page page = {
		.tables = tables,
		.usage = "powerstats [options] [FILE|DIR|NODE=FILE|-]...",
		.about = "Power and energy, or use of memory, of GPUs from tables of readings.",
		.examples = "powerstats gpu_info_power_profiler_output.csv\n"
		            "powerstats --trace run.pftrace power.csv\n",
		.trailer = "Exit status: 0 done; 2 usage, or an input could not be read whole, or "
		           "nothing\n"
		           "to show.\n"
		           "See powerstats(1).\n",
	};

	return put_help(c, &page);
}

static int print_completion(const struct common *c, const struct option *const *tables)
{
	const struct complete_spec spec = { .tool = "powerstats", .tables = tables };

	return put_completion(c, &spec);
}

static bool take_map(void *arg, const char *word, struct diag *d)
{
	return energy_map_add(arg, word, d);
}

/* What the options mean; false with *d. */
static bool read_options(const struct own *own, struct power_opts *o, struct diag *d)
{
	const bool aligned = own->has_offset || own->zone || own->map;

	o->what = own->what_given ? own->what + 1 : 0;
	o->scale = own->scale;
	o->scaled = own->scaled != 0;
	o->gap_ns = own->gap * NS_OF_ONE;
	o->keep_zero = own->keep_zero;
	o->windowed = own->window != NULL;
	o->align.has_offset = own->has_offset != 0;
	o->align.offset_ns = own->offset;
	o->align.has_zone = own->zone != NULL;
	if (own->zone && !energy_zone(own->zone, &o->align.zone_ns))
		diag_set(d, 0, "--zone: unknown zone '%.100s'; use +HH:MM, -HH:MM or UTC",
		         own->zone);
	else if (own->has_offset && own->zone)
		diag_set(d, 0, "--offset and --zone set the same thing: use one of them");
	else if (aligned && !own->trace.n)
		diag_set(d, 0, "--offset, --zone and --map go with --trace FILE");
	else if (own->window && !window_parse(&o->window, own->window, d))
		return false;
	else if (o->windowed && o->window.kind != WINDOW_EDGES)
		diag_set(d, 0, "-w: readings have no markers and no steps; give FROM..TO");
	return !*d->text && (!own->map || list_words("map", own->map, take_map, &o->align, d));
}

/* The trace of --trace into *o.  As beside_read. */
static enum status read_trace(const struct common *c, const struct own *own,
                              struct metric_opts *about, struct energy *e, struct report *rep,
                              struct diag *d)
{
	struct event_sink sink = energy_sink;

	sink.arg = about;
	return sink.init(e, about) ? beside_read(c, &own->trace, energy_want(), &sink, e, rep, d)
	                           : ST_FATAL;
}

/* All files read: the table.  -1 = usage, *d says what. */
static int answer(const struct common *c, void *acc, struct report *rep, struct diag *d)
{
	const char *name;
	struct show show = { .view = power_view(acc, c->columns != NULL, &name), .whole = true };
	struct table t = { 0 };
	int status = EXIT_TROUBLE;
	enum status st;

	if (!show_options(&show, c, d))
		return -1;
	st = power_question.fill(acc, &t, rep);
	if (st != ST_FATAL && (t.failed || rep->lost || !show_shape(&show, &t, rep)))
		st = ST_FATAL;
	if (st != ST_FATAL)
		status = show_table(&show, c, name, &t, rep);
	else
		diag_oom(d);
	table_fini(&t);
	/* An empty answer is never a good one. */
	return st == ST_OK ? status : EXIT_TROUBLE;
}

static bool find_operands(const struct common *c, const struct own *own, struct operand *v,
                          struct diag *d)
{
	bool piped = !c->operands.n;

	for (size_t i = 0; i < c->operands.n; i++) {
		uint64_t node;

		v[i].path = operand_rank(c->operands.v[i], &node);
		v[i].side = (size_t)node;
		piped |= !strcmp(v[i].path, "-");
	}
	for (size_t i = 0; i < own->trace.n; i++)
		if (piped && !strcmp(own->trace.v[i], "-")) {
			diag_set(d, 0, "standard input can be read only once");
			return false;
		}
	if (c->operands.n || !isatty(STDIN_FILENO))
		return true;
	diag_set(d, 0, "no input: give a file, a directory, or - for standard input");
	return false;
}

static int run(struct common *c, const struct own *own)
{
	static const struct operand standard_input = { .path = "-" };
	struct power_opts o = { 0 };
	struct metric_opts about = { .level = NAME_FULL };
	struct classes *classes = NULL;
	struct energy e = { 0 };
	struct report rep = { 0 };
	struct diag d = { 0 };
	size_t n = c->operands.n;
	struct operand *v = calloc(n + 1, sizeof *v);
	void *acc = calloc(1, power_question.size);
	enum status st = v && acc ? ST_OK : ST_FATAL;
	int status = EXIT_TROUBLE;

	if (st == ST_OK && (!find_operands(c, own, v, &d) || !read_options(own, &o, &d)))
		st = ST_SKIP;
	if (st == ST_OK && own->trace.n) {
		classes = c->classes ? classes_load(c->classes, &d) : classes_builtin(&d);
		about.classes = classes;
		o.energy = &e;
		st = classes ? read_trace(c, own, &about, &e, &rep, &d) : ST_WARN;
	}
	if (st == ST_OK && power_question.init(acc, &o)) {
		if (!files_each(c, n ? v : &standard_input, n ? n : 1, &power_question, acc, &rep))
			st = ST_FATAL;
		else if ((status = answer(c, acc, &rep, &d)) < 0)
			st = ST_SKIP;
		power_question.fini(acc);
	}
	if (st == ST_FATAL)
		diag_oom(&d);
	if (st == ST_END)
		tell(c, &rep);
	if (st == ST_SKIP)
		status = usage_error(c, &d);
	else if (*d.text)
		say(c, SEV_ERROR, st == ST_WARN ? c->classes : NULL, d.line, d.text);
	if (o.energy)
		energy_sink.fini(&e);
	classes_free(classes);
	report_fini(&rep);
	free(acc);
	free(v);
	return st == ST_FATAL ? EXIT_TROUBLE : status;
}

int main(int argc, char **argv)
{
	struct common c = { .tool = "powerstats" };
	struct own own = { .scale = ONE };
	struct option common[COMMON_OPTIONS], mine[OWN_OPTIONS];
	const struct option *const tables[] = { mine, common, NULL };
	const struct column *columns;
	struct diag d = { 0 };
	int status;

	common_options(&c, common);
	options_drop(common, no_use);
	own_options(&own, mine);
	if (!option_parse(argc, argv, tables, &c.operands, &d)) {
		status = usage_error(&c, &d);
	} else if (c.help) {
		status = print_help(&c, tables);
	} else if (c.completion) {
		status = print_completion(&c, tables);
	} else {
		columns = power_columns(own.trace.n      ? POWER_WHATS + 1
		                        : own.what_given ? own.what + 1
		                                         : 0);
		c.window = own.window;
		if (!answer_lists(&c, columns, &status))
			status = run(&c, &own);
	}
	option_list_fini(&own.trace);
	option_list_fini(&c.operands);
	return status;
}
