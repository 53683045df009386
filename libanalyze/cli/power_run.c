/* SPDX-License-Identifier: MIT
 * From the operands of powerstats to its table. */
#include "cli/power_run.h"

#include "cli/beside.h"
#include "cli/files.h"
#include "cli/inputs.h"
#include "cli/show.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The trace of --trace into *o.  As beside_read. */
static enum status read_trace(const struct common *c, const struct power_own *own,
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

static bool find_operands(const struct common *c, const struct power_own *own, struct operand *v,
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

int power_run(struct common *c, const struct power_own *own)
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

	if (st == ST_OK && (!find_operands(c, own, v, &d) || !power_read(own, &o, &d)))
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
