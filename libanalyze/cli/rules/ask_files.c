/* SPDX-License-Identifier: MIT */
#include "cli/rules/ask_files.h"

#include "cli/operands/operands.h"
#include "io/io.h"
#include "read/read.h"

#include <stdlib.h>
#include <string.h>

const struct file_table tm_file_tables[] = {
	{ .word = "powerstats", .q = &tm_power_question },
	{ .word = "powerstats.energy", .q = &tm_power_question, .traced = true },
	{ .word = "libperf.trace", .q = &tm_lib_trace },
	{ .word = "libperf.top", .q = &tm_lib_top, .options = { "libraries" } },
	{ .word = "libperf.bench", .q = &tm_lib_bench },
	{ .word = "libperf.compare",
	  .q = &tm_lib_compare,
	  .options = { "key", "metric", "exact", "threshold" },
	  .compares = true },
	{ .word = "libperf.roofline", .q = &tm_lib_roofline, .options = { "gpu" } },
	{ .word = "libperf.best",
	  .q = &tm_lib_best,
	  .options = { "key", "metric", "exact", "threshold" } },
	{ 0 },
};

const struct file_table *tm_file_table_find(const char *word)
{
	for (const struct file_table *f = tm_file_tables; f->word; f++)
		if (!strcmp(f->word, word))
			return f;
	return NULL;
}

static bool is_power(const struct ask_page *p)
{
	return p->f->q == &tm_power_question;
}

void tm_file_table_options(struct ask_page *p, struct option out[FILE_OPTIONS])
{
	/* Those that need a trace as well, and those that the table is made of. */
	static const char *const no_use[] = { "trace", "offset", "zone", "map", "chart", NULL };
	static const char *const given[] = { "trace", "what", "chart", NULL };

	p->power = (struct power_own)POWER_OWN;
	p->power.traced = p->f->traced;
	p->lib = (struct lib_own)LIB_OWN;
	if (is_power(p)) {
		tm_power_options(&p->power, out);
		tm_options_drop(out, p->f->traced ? given : no_use);
	} else {
		tm_lib_options(&p->lib, p->f->options, NULL, out);
	}
}

bool tm_file_table_ready(struct ask_page *p, struct tm_diag *d)
{
	bool ok = !is_power(p) || tm_power_read(&p->power, &p->power_opts[ASK_NOW], d);

	p->power_opts[ASK_BASE] = p->power_opts[ASK_NOW];
	p->columns = p->f->traced
	                     ? tm_power_columns(TM_POWER_WHATS + (tm_power_by(&p->power) ? 2 : 1))
	             : is_power(p) ? tm_power_columns(p->power.what_given ? p->power.what + 1 : 0)
	                           : p->f->q->columns;
	return ok;
}

bool tm_ask_files_any(const struct ask_pages *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i]->f)
			return true;
	return false;
}

/* ---- one question ---- */

static const void *opts_of(const struct ask_page *p, int side)
{
	return is_power(p) ? (const void *)&p->power_opts[side] : &p->lib.o;
}

/* Does the table read the operands of that side? */
static bool reads(const struct ask_page *p, int side)
{
	return p->f && (p->side[side] || (p->f->compares && side == ASK_BASE));
}

static struct operand operand_of(const struct ask_page *p, const struct common *c, size_t i,
                                 int side)
{
	struct operand o = tm_operand_of(c->operands.n ? c->operands.v[i] : "-");

	if (!is_power(p))
		o.side = p->f->compares && side == ASK_NOW ? TM_LIB_NEW : TM_LIB_BASE;
	return o;
}

/* Is something in the operand for the table?  False when out of memory. */
static bool look_for(const struct ask_page *p, const struct common *c, size_t i, int side,
                     struct tm_report *faults, bool *known)
{
	const struct operand v = operand_of(p, c, i, side);

	return tm_operand_has(c, &v, p->f->q, opts_of(p, side), faults, known);
}

/* ---- which operands are whose ---- */

/* Are traces of that side wanted, for tables of their own or beside readings? */
static bool wants_traces(const struct ask_files *a, const struct ask_pages *p, int side)
{
	bool beside = false;

	for (size_t i = 0; i < p->n; i++)
		beside |= reads(p->v[i], side) && p->v[i]->f->traced;
	return beside || a->traces[side];
}

/* Is the table that of an earlier page? */
static bool named_before(const struct ask_pages *p, size_t i, int side)
{
	for (size_t k = 0; k < i; k++)
		if (p->v[k]->f == p->v[i]->f && reads(p->v[k], side))
			return true;
	return false;
}

/* "powerstats, libperf.top": the tables that rules ask for. */
static void put_tables(struct tm_buf *b, const struct ask_files *a, const struct ask_pages *p,
                       int side)
{
	if (a->traces[side])
		tm_buf_str(b, "kstats");
	for (size_t i = 0; i < p->n; i++)
		if (reads(p->v[i], side) && !named_before(p, i, side))
			tm_buf_fmt(b, "%s%s", b->n ? ", " : "", p->v[i]->word);
}

static bool no_table(struct ask_files *a, const struct ask_pages *p, int side, size_t i,
                     const struct tm_diag *why)
{
	const char *operand = a->c[side]->operands.v[i];
	struct tm_buf b = { 0 };

	put_tables(&b, a, p, side);
	if (*why->text)
		tm_report_diag(a->rep[side], operand, why);
	else if (!b.failed)
		tm_report_add(a->rep[side], TM_SEV_ERROR, operand, 0,
		              "not an input of any table named in the rules (%.200s)", b.p);
	tm_buf_fini(&b);
	return !a->rep[side]->lost;
}

/* Give one operand to the tables it belongs to: known[page].  False when out of memory. */
static bool sort_operand(struct ask_files *a, const struct ask_pages *p, int side, size_t i,
                         bool **known)
{
	const char *operand = a->c[side]->operands.v[i];
	struct tm_diag d = { 0 };
	bool several, any = false;
	enum holds holds = tm_operand_holds(operand, &several, &d);

	if (d.status == TM_ST_NOMEM)
		return false;
	/* What is a trace by its first bytes is no log: it need not be read to its end to know
	 * that. */
	for (size_t k = 0; k < p->n && (several || holds != HOLDS_TRACE); k++) {
		if (!reads(p->v[k], side))
			continue;
		if (!look_for(p->v[k], a->c[side], i, side, several ? a->rep[side] : NULL,
		              &known[k][i]))
			return false;
		any |= known[k][i];
	}
	if (wants_traces(a, p, side) && holds) {
		if (!tm_option_list_add(&a->trace[side], operand))
			return false;
		any = true;
	} else if (wants_traces(a, p, side) && any && *d.text) {
		/* It may be the trace; in a directory the message names the file. */
		tm_report_add(a->rep[side], TM_SEV_ERROR, several ? NULL : operand, d.line, "%s",
		              d.text);
	}
	return any || no_table(a, p, side, i, &d);
}

/* ---- reading ---- */

/* The operands of one side that are the table's, after the n in v. */
static size_t take_side(const struct ask_page *p, const struct common *c, int side,
                        const bool *known, struct operand *v, size_t n)
{
	for (size_t i = 0; c && i < (c->operands.n ? c->operands.n : 1); i++)
		if (known[i])
			v[n++] = operand_of(p, c, i, side);
	return n;
}

/* Why there is no answer is no fault of the inputs, but of the rules that ask; but what is wrong
 * with the inputs is. */
static bool take_why(struct ask_table *out, const struct tm_report *rep)
{
	for (size_t i = 0; i < rep->n && !out->why; i++)
		if (rep->v[i].severity == TM_SEV_ERROR && !(out->why = strdup(rep->v[i].text)))
			return false;
	return true;
}

/* Read the traces of a side beside the readings of a table; what is wrong with them is *why.  False
 * when out of memory. */
static bool read_beside(struct ask_files *a, struct ask_page *p, int side, char **why)
{
	struct tm_event_sink sink = tm_energy_sink;
	struct common c = *a->c[side];
	struct tm_diag d = { 0 };
	enum tm_status st;

	if (!a->trace[side].n)
		return (*why = strdup("no input is a trace")) != NULL;
	p->about = (struct tm_metric_opts) { .level = TM_NAME_FULL,
		                             .classes = a->classes,
		                             .view = p->power.by };
	sink.arg = &p->about;
	if (!sink.init(&p->energy[side], &p->about))
		return false;
	p->power_opts[side].energy = &p->energy[side];
	c.in.window = NULL;
	st = tm_beside_read(&c, &a->trace[side], tm_energy_want(&p->about), &sink, &p->energy[side],
	                    a->rep[side], &d);
	if (st == TM_ST_SKIP)
		tm_report_add(a->rep[side], TM_SEV_ERROR, NULL, d.line, "%s", d.text);
	if (st == TM_ST_SKIP || st == TM_ST_END)
		*why = strdup("the traces cannot be read together");
	return st != TM_ST_FATAL && (st == TM_ST_OK || *why) && !a->rep[side]->lost;
}

/* Read n operands and fill the page's table of one side.  False when out of memory. */
static bool read_page(struct ask_page *p, const struct common *c, int side, const struct operand *v,
                      size_t n, struct tm_report *rep)
{
	const struct tm_question *q = p->f->q;
	struct ask_table *out = &p->table[side];
	struct tm_report own = { 0 };
	const char *name;
	enum tm_status st = TM_ST_FATAL;

	if (!n)
		return (out->why = strdup("no input for it")) != NULL;
	p->acc[side] = calloc(1, q->size);
	if (!p->acc[side])
		return false;
	if (!q->init(p->acc[side], opts_of(p, side))) {
		free(p->acc[side]);
		p->acc[side] = NULL;
		return false;
	}
	if (tm_files_each(c, v, n, q, p->acc[side], rep)) {
		if (is_power(p))
			tm_power_view(p->acc[side], false, &name);
		st = q->fill(p->acc[side], &out->t, &own);
	}
	if (st == TM_ST_END)
		st = take_why(out, &own) ? TM_ST_OK : TM_ST_FATAL;
	else
		tm_report_move(rep, &own);
	tm_report_fini(&own);
	return st != TM_ST_FATAL && !out->t.failed && !rep->lost;
}

/* Are all files of the run those of the baseline?  *same; false when out of memory. */
static bool find_same(const struct operand *v, size_t base, size_t n, bool *same)
{
	struct tm_walk w = { 0 };
	struct tm_diag d = { 0 };
	bool ok, any = false;

	for (size_t i = 0; i < n; i++)
		tm_walk_add(&w, v[i].path, i, &d);
	ok = tm_walk_mark_duplicates(&w, NULL, NULL, NULL);
	*same = ok && n > base && base > 0;
	for (size_t i = 0; i < w.n; i++) {
		any |= w.v[i].operand >= base;
		*same &= w.v[i].operand < base ||
		         (w.v[i].duplicate && w.v[w.v[i].same_as].operand < base);
	}
	*same &= any;
	tm_walk_fini(&w);
	return ok;
}

/* A table that is compared with itself is no comparison. */
static bool refuse_same(struct ask_files *a, const struct ask_page *p, bool **known[ASK_SIDES],
                        size_t page, struct operand *v)
{
	size_t base, n;
	bool same;

	if (a->allow_self || !p->f || !p->side[ASK_BASE])
		return true;
	base = take_side(p, a->c[ASK_BASE], ASK_BASE, known[ASK_BASE][page], v, 0);
	n = take_side(p, a->c[ASK_NOW], ASK_NOW, known[ASK_NOW][page], v, base);
	if (!find_same(v, base, n, &same))
		return false;
	if (same)
		tm_report_add(a->rep[ASK_BASE], TM_SEV_ERROR, NULL, 0,
		              "cannot be compared: %s of the run and of the baseline are from the "
		              "same files (--allow self)",
		              p->word);
	return !a->rep[ASK_BASE]->lost;
}

static bool read_pages(struct ask_files *a, struct ask_pages *p, bool **known[ASK_SIDES])
{
	size_t most = 2;
	struct operand *v;
	bool ok = true;

	for (int side = 0; side < ASK_SIDES; side++)
		most += a->c[side] ? a->c[side]->operands.n : 0;
	v = calloc(most, sizeof *v);
	ok = v != NULL;
	for (size_t i = 0; ok && i < p->n; i++) {
		struct ask_page *page = p->v[i];

		ok = refuse_same(a, page, known, i, v);
		for (int side = 0; ok && side < ASK_SIDES; side++) {
			bool both = page->f && page->f->compares;
			size_t n = 0;

			if (!reads(page, side) || (both && side == ASK_BASE))
				continue;
			if (both)
				n = take_side(page, a->c[ASK_BASE], ASK_BASE, known[ASK_BASE][i], v,
				              n);
			n = take_side(page, a->c[side], side, known[side][i], v, n);
			if (page->f->traced && n)
				ok = read_beside(a, page, side, &page->table[side].why);
			if (ok && !page->table[side].why)
				ok = read_page(page, a->c[side], side, v, n, a->rep[side]);
		}
	}
	free(v);
	return ok;
}

/* Standard input can be read for one table only, and nobody looks at it before. */
static bool piped(const struct ask_files *a, const struct ask_pages *p, int side, bool **known,
                  struct tm_diag *d)
{
	const struct common *c = a->c[side];
	size_t tables = wants_traces(a, p, side) ? 2 : 0;
	bool found = !c->operands.n;

	for (size_t i = 0; i < c->operands.n; i++)
		found |= !strcmp(c->operands.v[i], "-");
	for (size_t k = 0; k < p->n; k++)
		tables += reads(p->v[k], side);
	if (!found)
		return false;
	if (c->operands.n > 1 || tables > 1)
		tm_diag_set(d, 0,
		            "standard input can be read for only one table, without other inputs: "
		            "give files");
	else
		tm_operands_some(c->operands.n, d);
	for (size_t k = 0; k < p->n; k++)
		known[k][0] = reads(p->v[k], side);
	return true;
}

static enum tm_status sort_side(struct ask_files *a, const struct ask_pages *p, int side,
                                bool **known, struct tm_diag *d)
{
	const struct common *c = a->c[side];

	for (size_t k = 0; k < p->n; k++) {
		known[k] = calloc(c->operands.n + 1, sizeof **known);
		if (!known[k])
			return TM_ST_FATAL;
	}
	if (piped(a, p, side, known, d))
		return *d->text ? TM_ST_SKIP : TM_ST_OK;
	for (size_t i = 0; i < c->operands.n; i++)
		if (!sort_operand(a, p, side, i, known))
			return TM_ST_FATAL;
	if (wants_traces(a, p, side) && !a->trace[side].n)
		tm_report_add(a->rep[side], TM_SEV_ERROR, NULL, 0, "no input is a trace");
	return a->rep[side]->lost ? TM_ST_FATAL : TM_ST_OK;
}

enum tm_status tm_ask_files_read(struct ask_files *a, struct ask_pages *p, struct tm_diag *d)
{
	bool **known[ASK_SIDES] = { 0 };
	enum tm_status st = TM_ST_OK;

	for (int side = 0; st == TM_ST_OK && side < ASK_SIDES; side++) {
		known[side] = calloc(p->n + 1, sizeof *known[side]);
		if (!known[side])
			st = TM_ST_FATAL;
		else if (a->c[side])
			st = sort_side(a, p, side, known[side], d);
	}
	if (st == TM_ST_OK && !read_pages(a, p, known))
		st = TM_ST_FATAL;
	for (int side = 0; side < ASK_SIDES; side++) {
		for (size_t k = 0; known[side] && k < p->n; k++)
			free(known[side][k]);
		free(known[side]);
	}
	return st;
}

void tm_ask_files_fini(struct ask_page *p)
{
	for (int side = 0; p->f && side < ASK_SIDES; side++) {
		if (p->acc[side])
			p->f->q->fini(p->acc[side]);
		free(p->acc[side]);
		if (p->power_opts[side].energy)
			tm_energy_sink.fini(&p->energy[side]);
	}
}
