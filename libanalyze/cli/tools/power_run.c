/* SPDX-License-Identifier: MIT
 * From the operands of powerstats to its table. */
#include "cli/tools/power_run.h"

#include "cli/operands/operands.h"
#include "cli/frame/frame.h"

#include <stdlib.h>
#include <string.h>

/* The trace of --trace into *o.  As tm_beside_read. */
static enum tm_status read_trace(const struct common *c, const struct power_own *own,
                                 struct tm_metric_opts *about, struct tm_energy *e,
                                 struct tm_report *rep, struct tm_diag *d)
{
	struct tm_event_sink sink = tm_energy_sink;

	sink.arg = about;
	return sink.init(e, about)
	               ? tm_beside_read(c, &own->trace, tm_energy_want(about), &sink, e, rep, d)
	               : TM_ST_FATAL;
}

/* All files read: the table.  -1 = usage, *d says what. */
static int answer(const struct common *c, void *acc, struct tm_report *rep, struct tm_diag *d)
{
	const char *name;
	struct show show = { .view = tm_power_view(acc, c->out.columns != NULL, &name),
		             .whole = true };
	struct tm_table t = { 0 };

	if (!tm_show_options(&show, &c->out, d))
		return -1;
	return tm_answer(c, &show, name, tm_power_question.fill(acc, &t, rep), &t, rep);
}

static bool find_operands(const struct common *c, const struct power_own *own, struct operand *v,
                          struct tm_diag *d)
{
	bool piped = !c->operands.n;

	for (size_t i = 0; i < c->operands.n; i++) {
		v[i] = tm_operand_of(c->operands.v[i]);
		piped |= !strcmp(v[i].path, "-");
	}
	for (size_t i = 0; i < own->trace.n; i++)
		if (piped && !strcmp(own->trace.v[i], "-")) {
			tm_diag_set(d, 0, "standard input can be read only once");
			return false;
		}
	return tm_operands_some(c->operands.n, d);
}

int tm_power_run(struct common *c, const struct power_own *own)
{
	static const struct operand standard_input = { .path = "-" };
	struct tm_power_opts o = { 0 };
	struct tm_metric_opts about = { .level = TM_NAME_FULL, .view = own->by };
	struct tm_classes *classes = NULL;
	struct tm_energy e = { 0 };
	struct tm_report rep = { 0 };
	struct tm_diag d = { 0 };
	size_t n = c->operands.n;
	struct operand *v = calloc(n + 1, sizeof *v);
	void *acc = calloc(1, tm_power_question.size);
	enum tm_status st = v && acc ? TM_ST_OK : TM_ST_FATAL;
	int status = EXIT_TROUBLE;

	if (st == TM_ST_OK && c->in.filter.word[TM_ONLY_RANK] && !own->trace.n) {
		tm_diag_set(&d, 0, "--rank is about traces: give one with --trace");
		st = TM_ST_SKIP;
	}
	if (st == TM_ST_OK && (!find_operands(c, own, v, &d) || !tm_power_read(own, &o, &d)))
		st = TM_ST_SKIP;
	if (st == TM_ST_OK && own->trace.n) {
		classes = c->in.classes ? tm_classes_load(c->in.classes, &d)
		                        : tm_classes_builtin(&d);
		about.classes = classes;
		o.energy = &e;
		st = classes ? read_trace(c, own, &about, &e, &rep, &d) : TM_ST_WARN;
	}
	if (st == TM_ST_OK && tm_power_question.init(acc, &o)) {
		if (!tm_files_each(c, n ? v : &standard_input, n ? n : 1, &tm_power_question, acc,
		                   &rep))
			st = TM_ST_FATAL;
		else if ((status = answer(c, acc, &rep, &d)) < 0)
			st = TM_ST_SKIP;
		tm_power_question.fini(acc);
	}
	if (st == TM_ST_FATAL)
		tm_diag_oom(&d);
	if (st == TM_ST_END)
		tm_tell(c, &rep);
	if (st == TM_ST_SKIP)
		status = tm_usage_error(c, &d);
	else if (*d.text)
		tm_say(c, TM_SEV_ERROR, st == TM_ST_WARN ? c->in.classes : NULL, d.line, d.text);
	if (o.energy)
		tm_energy_sink.fini(&e);
	tm_classes_free(classes);
	tm_report_fini(&rep);
	free(acc);
	free(v);
	return st == TM_ST_FATAL ? EXIT_TROUBLE : status;
}
