/* SPDX-License-Identifier: MIT */
#include "cli/rules/check.h"

#include "cli/rules/ask_files.h"
#include "cli/rules/ask_read.h"
#include "cli/frame/frame.h"
#include "cli/operands/operands.h"
#include "diff/diff.h"
#include "io/io.h"

#include <stdlib.h>
#include <string.h>

/* Everything one check needs. */
struct job {
	struct common *c;
	const struct check_opts *o;
	struct common base;             /* the same with the baseline's operands */
	struct common trace[ASK_SIDES]; /* each with those operands that hold traces */
	struct tm_classes *classes;
	struct ask_pages pages;
	struct asked_rule *rule; /* of each of o->rules */
	struct ask_side side[ASK_SIDES];
	bool compared;       /* some rule needs the baseline's tables of traces */
	bool based;          /* ... of whatever */
	char *refused;       /* why they cannot be, or NULL */
	struct tm_walk held; /* the inputs, so that their heads are read once for all tables */
	struct tm_report rep;
	struct tm_check_answer answer;
};

static const char *const side_words[ASK_SIDES] = { "(input)", "(baseline)" };

/* ---- formats ---- */

static const struct tm_check_format *find_format(const char *name)
{
	for (size_t i = 0; tm_check_formats[i]; i++)
		if (!strcmp(tm_check_formats[i]->name, name))
			return tm_check_formats[i];
	return NULL;
}

const char *const *tm_check_format_words(void)
{
	static const char *words[32];
	size_t n = 0;

	/* That for people first, and the tables that every tool has before what only this one has.
	 */
	words[n++] = tm_check_formats[0]->name;
	for (size_t i = 0; tm_render_modes[i]; i++)
		if (!find_format(tm_render_modes[i]->name))
			words[n++] = tm_render_modes[i]->name;
	for (size_t i = 1; tm_check_formats[i]; i++)
		words[n++] = tm_check_formats[i]->name;
	return words;
}

bool tm_check_read_rules(struct tm_rules *r, const char *path, struct tm_report *rep)
{
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_open(path, &d);
	struct tm_buf text = { 0 };
	char block[8192];
	size_t n;
	bool ok = true;

	if (s && tm_source_is_archive(s)) {
		tm_diag_set(&d, 0, "an archive is not a rules file");
	} else if (s) {
		while (tm_source_read(s, block, sizeof block, &n, &d) == TM_ST_OK)
			tm_buf_add(&text, block, n);
	}
	if (*d.text)
		tm_report_diag(rep, path, &d);
	else
		ok = !text.failed && tm_rules_parse(r, path, text.p ? text.p : "", text.n, rep);
	tm_source_close(s);
	tm_buf_fini(&text);
	return ok && !rep->lost;
}

/* ---- what cannot be judged ---- */

/* Rows left out make numbers that nobody can stand behind; an input that is not whole does, too. */
static bool is_trouble(const struct job *j, const struct tm_finding *f)
{
	return f->severity == TM_SEV_ERROR ||
	       (f->severity == TM_SEV_SKIP && !(j->o->allow & TM_ALLOW_PARTIAL));
}

/* Has an earlier one the same words? */
static bool said_before(const struct job *j, const struct tm_report *rep, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_trouble(j, &rep->v[k]) && !strcmp(rep->v[k].text, rep->v[i].text))
			return true;
	return false;
}

static size_t said_again(const struct job *j, const struct tm_report *rep, size_t i)
{
	size_t n = 0;

	for (size_t k = i + 1; k < rep->n; k++)
		n += is_trouble(j, &rep->v[k]) && !strcmp(rep->v[k].text, rep->v[i].text);
	return n;
}

static bool add_trouble(struct job *j, int side, const struct tm_report *rep)
{
	for (size_t i = 0; i < rep->n; i++) {
		const struct tm_finding *f = &rep->v[i];
		struct tm_check_result *r;
		size_t more;

		if (!is_trouble(j, f) || said_before(j, rep, i))
			continue;
		r = tm_check_add(&j->answer);
		if (!r)
			return false;
		r->ref = side_words[side];
		r->verdict = TM_CHECK_ERROR;
		more = said_again(j, rep, i);
		if (f->where)
			tm_buf_fmt(&r->reason, "%s: ", f->where);
		tm_buf_str(&r->reason, f->text);
		if (more)
			tm_buf_fmt(&r->reason, "; the same for %zu more inputs", more);
		if (r->reason.failed)
			return false;
	}
	return true;
}

/* Can the two runs be compared at all? */
static bool compare(struct job *j, struct tm_report *rep)
{
	struct tm_digest runs[] = { j->side[ASK_BASE].digest, j->side[ASK_NOW].digest };
	const struct tm_diff_opts o = { .allow = j->o->allow, .alpha = TM_SIG_ALPHA, .floor = -1 };
	struct tm_pairs kernels = { 0 };
	struct tm_refusal r = { 0 };
	bool ok = tm_pairs_make(&kernels, runs, 1, 2, &o) && tm_refuse(&r, &kernels, rep);

	tm_pairs_fini(&kernels);
	j->refused = r.why;
	return ok && !rep->lost;
}

/* ---- rules ---- */

static bool no_value(struct tm_check_result *r, const char *why, const char *more)
{
	r->verdict = TM_CHECK_ABSENT;
	return tm_buf_fmt(&r->reason, "%s%s%s", why, more ? ": " : "", more ? more : "");
}

static bool judge(struct job *j, struct asked_rule *a)
{
	const struct ask_page *page = j->pages.v[a->page];
	const struct ask_table *now = &page->table[ASK_NOW], *base = &page->table[ASK_BASE];
	const struct tm_rule *rule = a->ask.rule;
	struct tm_check_result *r = tm_check_add(&j->answer);

	if (!r)
		return false;
	r->rule = rule;
	r->ref = rule->ref;
	if (!now->t.nrows)
		return no_value(r, "the table has no rows", tm_ask_why(now));
	if (rule->baseline && page->m && j->refused)
		return no_value(r, "cannot be compared with the baseline", NULL);
	if (rule->baseline && !base->t.nrows)
		return no_value(r, "the table of the baseline has no rows", tm_ask_why(base));
	tm_ask_late(a, page);
	if (!a->ask.column)
		return no_value(r, "the table has no such column", NULL);
	return tm_check_value(r, &a->ask, &now->t, rule->baseline ? &base->t : NULL);
}

/* What is wrong with the inputs, first with each of them and then with both together. */
static bool judge_inputs(struct job *j)
{
	struct tm_report refusal = { 0 };
	bool ok = true;

	for (int side = 0; side < ASK_SIDES; side++)
		ok = ok && add_trouble(j, side, &j->side[side].rep);
	ok = ok && (!j->compared || compare(j, &refusal)) && add_trouble(j, ASK_BASE, &refusal);
	for (int side = 0; side < ASK_SIDES; side++)
		tm_report_move(&j->rep, &j->side[side].rep);
	tm_report_move(&j->rep, &refusal);
	tm_report_fini(&refusal);
	return ok;
}

static bool judge_all(struct job *j)
{
	if (!judge_inputs(j))
		return false;
	for (size_t i = 0; i < j->o->rules.n; i++)
		if (!judge(j, &j->rule[i]))
			return false;
	if (j->o->baseline.n && !j->based)
		tm_report_add(&j->rep, TM_SEV_NOTE, NULL, 0,
		              "no rule uses 'baseline': --baseline is not read");
	j->answer.version = TRACEMILL_VERSION;
	tm_check_count(&j->answer);
	return !j->rep.lost;
}

/* ---- output ---- */

/* One of the tables that every tool has. */
static bool put_table(const struct job *j, const struct common *c, struct tm_report *rep,
                      int *status)
{
	struct show show = { .view = tm_check_columns, .whole = true };
	struct tm_table t = { 0 };
	struct tm_diag d;
	bool ok = tm_show_options(&show, &c->out, &d) && tm_check_table(&t, &j->answer);

	if (ok)
		*status = tm_answer(c, &show, "rules", TM_ST_OK, &t, rep);
	else
		tm_table_fini(&t);
	return ok;
}

/* The answer in one format to where *c says, with what there is to say of inputs.  False when out
 * of memory. */
static bool put_answer(const struct job *j, const struct common *c, struct tm_report *rep,
                       int *status)
{
	const struct tm_check_format *format = find_format(c->out.format);
	struct tm_render_ctx ctx = { 0 };
	struct tm_buf out = { 0 };
	struct tm_check_look look;
	int told, put;

	if (!format)
		return put_table(j, c, rep, status);
	tm_show_look(c, &ctx);
	look = (struct tm_check_look) { ctx.width, ctx.utf8, ctx.color != TM_COLOR_NONE };
	if (!format->render(&out, &j->answer, &look)) {
		tm_buf_fini(&out);
		return false;
	}
	told = tm_tell(c, rep);
	put = tm_put_output(c, &out);
	*status = told > put ? told : put;
	tm_buf_fini(&out);
	return true;
}

/* "junit=check.xml" */
static bool put_report(const struct job *j, const char *spec, int *status)
{
	struct tm_report nothing = { 0 };
	const char *file = strchr(spec, '=');
	struct common c = *j->c;
	char *name = strndup(spec, (size_t)(file - spec));
	bool ok;

	if (!name)
		return false;
	c.out.format = name;
	c.out.output = file + 1;
	c.out.columns = NULL;
	c.out.sort = NULL;
	c.out.limit_given = 0;
	ok = put_answer(j, &c, &nothing, status);
	tm_report_fini(&nothing);
	free(name);
	return ok;
}

static bool known_report(const char *spec, struct tm_diag *d)
{
	const char *const *words = tm_check_format_words();
	const char *file = strchr(spec, '=');
	size_t n = file ? (size_t)(file - spec) : strlen(spec);

	for (size_t i = 0; words[i]; i++)
		if (file && file[1] && strlen(words[i]) == n && !strncmp(words[i], spec, n))
			return true;
	tm_diag_set(d, 0, "--report '%.100s' is not FORMAT=FILE with a format of -f", spec);
	return false;
}

/* Are the reports FORMAT=FILE, each with a file of its own, and not one that is read?  Else false
 * with *d. */
static bool known_reports(const struct common *c, const struct check_opts *o, struct tm_diag *d)
{
	const struct option_list *l = &o->reports;

	for (size_t i = 0; i < l->n; i++) {
		const char *file = strchr(l->v[i], '=');
		bool again;

		if (!known_report(l->v[i], d))
			return false;
		if (tm_output_is_one_of(file + 1, &c->operands) ||
		    tm_output_is_one_of(file + 1, &o->baseline)) {
			tm_output_lost(d, "--report", file + 1);
			return false;
		}
		again = !strcmp(c->out.output ? c->out.output : "-", file + 1);
		for (size_t k = 0; k < i && !again; k++)
			again = !strcmp(strchr(l->v[k], '=') + 1, file + 1);
		if (again) {
			tm_diag_set(d, 0,
			            "two results would be written to %s: name a file for each",
			            strcmp(file + 1, "-") ? file + 1 : "standard output");
			return false;
		}
	}
	return true;
}

static int show_all(struct job *j)
{
	int status = EXIT_TROUBLE, verdict = tm_check_status(&j->answer), one;
	bool ok = put_answer(j, j->c, &j->rep, &status);

	for (size_t i = 0; ok && i < j->o->reports.n; i++) {
		ok = put_report(j, j->o->reports.v[i], &one);
		status = ok && one > status ? one : status;
	}
	if (!ok) {
		tm_say(j->c, TM_SEV_ERROR, NULL, 0, tm_diag_no_memory);
		return EXIT_TROUBLE;
	}
	return verdict > status ? verdict : status;
}

/* ---- all of it ---- */

/* Where each rule finds its value; every rule that does not is said. */
static enum tm_status find_tables(struct job *j, struct tm_report *rep)
{
	j->rule = calloc(j->o->rules.n + 1, sizeof *j->rule);
	if (!j->rule)
		return TM_ST_FATAL;
	for (size_t i = 0; i < j->o->rules.n; i++) {
		const struct tm_rule *r = &j->o->rules.v[i];
		const struct ask_page *page;

		if (r->baseline && !j->o->baseline.n)
			tm_rule_error(r, rep, "--baseline is missing");
		if (!tm_ask_rule(&j->pages, &j->rule[i], r, rep))
			return TM_ST_FATAL;
		page = rep->n ? NULL : j->pages.v[j->rule[i].page];
		if (page && page->f && page->f->compares && !j->o->baseline.n)
			tm_rule_error(r, rep, "%s needs a --baseline", page->word);
		j->compared |= r->baseline && page && page->m;
		j->based |= r->baseline || (page && page->f && page->f->compares);
	}
	return rep->n ? TM_ST_SKIP : TM_ST_OK;
}

/* Is a table of traces asked for on that side? */
static bool needs_traces(const struct job *j, int side)
{
	for (size_t i = 0; i < j->pages.n; i++)
		if (j->pages.v[i]->m && j->pages.v[i]->side[side])
			return true;
	return j->compared;
}

/* Read what is no trace, and leave the traces to each side. */
static enum tm_status read_files(struct job *j, struct tm_diag *d)
{
	struct ask_files a = { .allow_self = (j->o->allow & TM_ALLOW_SELF) != 0,
		               .classes = j->classes };
	enum tm_status st;

	for (int side = 0; side < ASK_SIDES; side++) {
		struct ask_side *s = &j->side[side];

		a.c[side] = side == ASK_NOW || j->based ? s->c : NULL;
		a.traces[side] = needs_traces(j, side);
		a.rep[side] = &s->rep;
	}
	st = tm_ask_files_read(&a, &j->pages, d);
	for (int side = 0; side < ASK_SIDES; side++) {
		j->trace[side] = *j->side[side].c;
		j->trace[side].operands = a.trace[side];
		j->side[side].c = &j->trace[side];
	}
	return st;
}

/* What cannot be looked at is said by who reads it. */
static void no_fault(void *arg, size_t operand, const char *path, const struct tm_diag *d)
{
	(void)arg;
	(void)operand;
	(void)path;
	(void)d;
}

/* Several tables look at the same files: each is opened, and its head read, once.  False when out
 * of memory. */
static bool hold(struct job *j, const struct option_list *words)
{
	struct operand *v = calloc(words->n ? words->n : 1, sizeof *v);
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < words->n; i++)
		v[i] = tm_operand_of(words->v[i]);
	ok = ok && tm_operands_walk(v, words->n, true, &j->held, no_fault, NULL);
	for (size_t i = 0; ok && i < j->held.n; i++)
		tm_walk_head(&j->held.v[i]);
	free(v);
	return ok;
}

static enum tm_status read_sides(struct job *j, struct tm_diag *d)
{
	bool files = tm_ask_files_any(&j->pages);
	enum tm_status st;

	if (j->pages.n > 1 && (!hold(j, &j->c->operands) || !hold(j, &j->o->baseline)))
		return TM_ST_FATAL;

	j->base = *j->c;
	j->base.operands = j->o->baseline;
	for (int side = 0; side < ASK_SIDES; side++)
		j->side[side] = (struct ask_side) { .c = side == ASK_NOW ? j->c : &j->base,
			                            .side = side,
			                            .classes = j->classes,
			                            .compared = j->compared };
	st = files ? read_files(j, d) : TM_ST_OK;
	for (int side = 0; st == TM_ST_OK && side < ASK_SIDES; side++) {
		const struct ask_side *s = &j->side[side];

		/* With nothing left it would be standard input. */
		if (files ? s->c->operands.n != 0 && needs_traces(j, side)
		          : side == ASK_NOW || j->compared)
			st = tm_ask_read(&j->side[side], &j->pages, d);
	}
	return st;
}

static int run(struct job *j, struct tm_report *wrong)
{
	struct tm_diag d = { 0 };
	enum tm_status st = find_tables(j, wrong);
	int status = EXIT_TROUBLE;

	if (st == TM_ST_SKIP) {
		tm_tell(j->c, wrong);
		return EXIT_TROUBLE;
	}
	if (st == TM_ST_OK)
		st = read_sides(j, &d);
	if (st == TM_ST_OK && !judge_all(j))
		st = TM_ST_FATAL;
	if (st == TM_ST_OK)
		status = show_all(j);
	else if (st == TM_ST_SKIP)
		status = tm_usage_error(j->c, &d);
	else
		tm_say(j->c, TM_SEV_ERROR, NULL, 0, tm_diag_no_memory);
	return status;
}

static void job_fini(struct job *j)
{
	tm_check_answer_fini(&j->answer);
	tm_ask_pages_fini(&j->pages);
	for (int side = 0; side < ASK_SIDES; side++) {
		tm_ask_side_fini(&j->side[side]);
		tm_option_list_fini(&j->trace[side].operands);
	}
	for (size_t i = 0; j->rule && i < j->o->rules.n; i++)
		free(j->rule[i].metric);
	free(j->rule);
	free(j->refused);
	tm_walk_fini(&j->held);
	tm_classes_free(j->classes);
	tm_report_fini(&j->rep);
}

int tm_check_run(struct common *c, const struct check_opts *o, struct tm_report *wrong)
{
	struct job j = { .c = c, .o = o };
	struct show show = { .view = tm_check_columns, .whole = true };
	struct tm_window window;
	struct tm_diag d = { 0 };
	int status;
	bool ok;

	if (!c->out.format)
		c->out.format = "text";
	if (!o->rules.n && !wrong->n)
		tm_diag_set(&d, 0, "no rules: give --preset, --rules or --rule");
	else if (find_format(c->out.format) &&
	         (c->out.columns || c->out.sort || c->out.limit_given))
		tm_diag_set(&d, 0, "--columns, --sort and --rows apply only to csv, tsv and json");
	else if (c->out.output && tm_output_is_one_of(c->out.output, &o->baseline))
		tm_output_lost(&d, "-o", c->out.output);
	ok = !*d.text &&
	     tm_show_options(&show,
	                     &(struct out_opts) { .sort = c->out.sort, .columns = c->out.columns },
	                     &d) &&
	     (!c->in.window || tm_window_parse(&window, c->in.window, &d));
	if (!ok || !known_reports(c, o, &d))
		return tm_usage_error(c, &d);
	j.classes = c->in.classes ? tm_classes_load(c->in.classes, &d) : tm_classes_builtin(&d);
	if (!j.classes) {
		tm_say(c, TM_SEV_ERROR, c->in.classes, d.line, d.text);
		return EXIT_TROUBLE;
	}
	status = run(&j, wrong);
	job_fini(&j);
	return status;
}
