/* SPDX-License-Identifier: MIT
 * From the operands of powerstats to its table. */
#include "cli/tools/power_run.h"

#include "cli/operands/operands.h"
#include "cli/frame/frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ONE = 10000 };

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

/* Tables of readings, beside traces or for themselves. */
static int run_tables(struct common *c, const struct power_own *own)
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
		tm_diag_set(&d, 0, "--rank applies to traces: give one with --trace");
		st = TM_ST_SKIP;
	}
	if (st == TM_ST_OK && c->in.classes && !own->trace.n) {
		tm_diag_set(&d, 0, "--classes applies to kernels of traces: give one with --trace");
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

/* ---- traces ---- */

/* Operands that are traces, and those that are not. */
struct sorted {
	struct option_list traces, tables;
	const char *unread; /* the first that cannot be read, and may be either; NULL = none */
	struct tm_diag why;
};

/* What could not be read of a folder is said when it is read again: but not if it can be read then,
 * and there is nothing in it.  False when out of memory. */
static bool say_passing(const struct common *c, const struct operand *v,
                        const struct tm_power_opts *o, const struct tm_diag *d)
{
	struct tm_report faults = { 0 };
	bool table = false, ok = tm_operand_has(c, v, &tm_power_question, o, &faults, &table);

	if (ok && !table && !faults.n)
		tm_say(c, TM_SEV_ERROR, NULL, d->line, d->text);
	tm_report_fini(&faults);
	return ok;
}

/* A directory or archive that has tables is one of those, unless sensors are asked for, as is what
 * nobody knows: why that cannot be read is said then.  False when out of memory. */
static bool sort_operand(const struct common *c, const char *word, const struct power_own *own,
                         struct sorted *s)
{
	const struct tm_power_opts o = { .scale = ONE };
	const struct operand v = tm_operand_of(word);
	bool several = false, table = true;
	struct tm_diag d = { 0 };
	enum holds holds = HOLDS_NOTHING;
	struct stat sb;

	/* What cannot be opened twice is not looked at before: it is a table. */
	if (strcmp(v.path, "-") != 0 && stat(v.path, &sb))
		tm_diag_set(&d, 0, "cannot open: %s", strerror(errno));
	else if (!strcmp(v.path, "-") || S_ISREG(sb.st_mode) || S_ISDIR(sb.st_mode))
		holds = tm_operand_holds(word, &several, &d);
	if (d.status == TM_ST_NOMEM)
		return false;
	if (several && *d.text && !say_passing(c, &v, &o, &d))
		return false;
	if (!several && *d.text && !s->unread) {
		s->unread = word;
		s->why = d;
	}
	if (holds == HOLDS_TRACE && (!several || tm_power_all(own)))
		table = false;
	else if (holds >= HOLDS_TRACE &&
	         !tm_operand_has(c, &v, &tm_power_question, &o, NULL, &table))
		return false;
	return tm_option_list_add(table ? &s->tables : &s->traces, word);
}

static bool sort_operands(const struct common *c, const struct power_own *own, struct sorted *s)
{
	struct tm_diag d = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < c->operands.n; i++)
		ok = sort_operand(c, c->operands.v[i], own, s);
	/* A terminal is not waited for: that nothing was given is said later. */
	if (!c->operands.n && tm_operands_some(0, &d))
		ok = sort_operand(c, "-", own, s);
	return ok;
}

/* What goes with traces; false with *d. */
static bool options_fit(const struct power_own *own, const struct sorted *s, struct tm_diag *d)
{
	if (own->has_offset || own->zone || own->map)
		tm_diag_set(d, 0,
		            "--offset, --zone and --map apply to power tables: a trace has one "
		            "clock and its own GPU numbers");
	else if (own->chart && (own->by || s->tables.n))
		tm_diag_set(d, 0, "--chart takes only traces, without --by");
	else if (own->window && s->tables.n)
		tm_diag_set(d, 0, "-w: traces and tables have different clocks; give one of them");
	return !*d->text;
}

/* The sensors of traces, with a row more for each device of the tables. */
static int run_sensors(struct common *c, const struct power_own *own, const struct sorted *s,
                       const struct tm_power_opts *p)
{
	struct tm_sensors_own mine = { .scale = p->scale,
		                       .scaled = p->scaled,
		                       .keep_zero = p->keep_zero,
		                       .gap_ns = p->gap_ns,
		                       .what = p->what };
	struct tm_metric_opts o = { .level = TM_NAME_FULL,
		                    .own = &mine,
		                    .view = tm_power_by(own) ? own->by
		                            : own->chart     ? "chart"
		                                             : NULL };
	struct operand *v = calloc(s->tables.n + 1, sizeof *v);
	void *acc = calloc(1, tm_power_question.size);
	struct tm_report rep = { 0 };
	struct common traces = *c;
	int told = EXIT_TROUBLE, status = EXIT_TROUBLE;

	traces.operands = s->traces;
	for (size_t i = 0; v && i < s->tables.n; i++)
		v[i] = tm_operand_of(s->tables.v[i]);
	if (v && acc && tm_power_question.init(acc, p)) {
		if (!s->tables.n ||
		    tm_files_each(c, v, s->tables.n, &tm_power_question, acc, &rep)) {
			mine.tables = tm_power_tables(acc);
			told = tm_tell(c, &rep);
			status = tm_run_metric(
			        &traces, own->by ? &tm_metric_energy : &tm_metric_sensors, &o);
		} else {
			tm_say(c, TM_SEV_ERROR, NULL, 0, tm_diag_no_memory);
		}
		tm_power_question.fini(acc);
	} else {
		tm_say(c, TM_SEV_ERROR, NULL, 0, tm_diag_no_memory);
	}
	tm_report_fini(&rep);
	free(acc);
	free(v);
	return told > status ? told : status;
}

/* Operands among which there are traces. */
static int run_traces(struct common *c, const struct power_own *own, const struct sorted *s)
{
	struct power_own beside = *own;
	struct tm_power_opts o = { 0 };
	struct common tables = *c;
	struct tm_diag d = { 0 };

	/* Power of tables goes before that of the trace. */
	if (own->by && s->tables.n) {
		beside.trace = s->traces;
		tables.operands = s->tables;
		return run_tables(&tables, &beside);
	}
	if (!options_fit(own, s, &d))
		return tm_usage_error(c, &d);
	beside.window = beside.by = NULL;
	beside.chart = false;
	beside.what_given = own->what_given && !tm_power_all(own);
	if (!tm_power_read(&beside, &o, &d))
		return tm_usage_error(c, &d);
	return run_sensors(c, own, s, &o);
}

int tm_power_run(struct common *c, const struct power_own *own)
{
	struct sorted s = { 0 };
	int status = EXIT_TROUBLE;

	if (own->trace.n)
		return run_tables(c, own);
	if (!sort_operands(c, own, &s))
		tm_say(c, TM_SEV_ERROR, NULL, 0, tm_diag_no_memory);
	else if (s.unread && !s.traces.n && own->by)
		tm_say(c, TM_SEV_ERROR, s.unread, s.why.line, s.why.text);
	else
		status = s.traces.n ? run_traces(c, own, &s) : run_tables(c, own);
	tm_option_list_fini(&s.traces);
	tm_option_list_fini(&s.tables);
	return status;
}
