/* SPDX-License-Identifier: MIT */
#include "cli/rules/ask.h"

#include "cli/rules/ask_files.h"
#include "metric/metric.h"

#include <stdlib.h>
#include <string.h>

/* ---- options in parentheses ---- */

/* Words as a shell parts them, without its magic; quotes keep blanks.  words[0] stands for the
 * command. */
static bool split(struct ask_page *p)
{
	char *from, *to;

	p->text = strdup(p->options ? p->options : "");
	if (!p->text || !tm_option_list_add(&p->words, p->word))
		return false;
	for (from = to = p->text; *from;) {
		bool quote = false;
		char *word = to;

		while (*from == ' ' || *from == '\t')
			from++;
		if (!*from)
			break;
		for (; *from && (quote || (*from != ' ' && *from != '\t')); from++)
			if (*from == '"')
				quote = !quote;
			else
				*to++ = *from;
		from += *from != 0;
		*to++ = 0;
		if (!tm_option_list_add(&p->words, word))
			return false;
	}
	return true;
}

/* Parse the page's options; false with *d. */
static bool parse_options(struct ask_page *p, const struct option *const *tables, struct common *c,
                          struct tm_diag *d)
{
	bool ok;

	if (!split(p)) {
		tm_diag_oom(d);
		return false;
	}
	ok = tm_option_parse((int)p->words.n, (char *const *)(uintptr_t)p->words.v, tables,
	                     &c->operands, d);
	if (ok && c->operands.n) {
		tm_diag_set(d, 0, "'%.100s' is not an option", c->operands.v[0]);
		ok = false;
	}
	tm_option_list_fini(&c->operands);
	return ok;
}

static bool file_options(struct ask_page *p, struct tm_diag *d)
{
	struct common c = { .tool = p->word };
	struct option mine[FILE_OPTIONS];
	const struct option *const tables[] = { mine, NULL };

	tm_file_table_options(p, mine);
	return parse_options(p, tables, &c, d) && tm_file_table_ready(p, d);
}

/* What the page's options say; false with *d. */
static bool read_options(struct ask_page *p, struct tm_diag *d)
{
	struct common c = { .tool = p->word };
	struct option common[COMMON_OPTIONS], mine[STATS_OPTIONS];
	const struct option *const tables[] = { mine, common, NULL };
	const char *view = NULL;

	if (p->f)
		return file_options(p, d);
	tm_common_options(&c, IN_RULE | (p->m->per ? IN_PER : 0), common);
	tm_stats_options(&p->own, p->m, mine);
	if (!parse_options(p, tables, &c, d) || !tm_stats_view(p->m, &p->own, &view, d))
		return false;
	tm_metric_defaults(p->m, p->own.own, true);
	p->o = tm_stats_opts(&p->own, view);
	p->window = c.in.window;
	p->columns = tm_metric_view(p->m, &p->o)->columns;
	return !c.per || tm_read_per(p->m, &p->o, c.per, d);
}

/* ---- names ---- */

/* The word of a list that `word` is most like, in a sentence. */
static const char *near_word(const char *word, const char **list, struct tm_buf *b)
{
	const char *near = tm_option_nearest(word, list);

	if (near)
		tm_buf_fmt(b, "; did you mean %s?", near);
	return b->p && !b->failed ? b->p : "";
}

enum { NEAR = 80 }; /* names among which the nearest is looked for */

/* What the summary has a name for. */
static void summary_names(const char *names[NEAR], char made[NEAR][32])
{
	for (size_t i = 0; i + 1 < NEAR && (names[i] = tm_summary_name(i, made[i])); i++)
		continue;
}

static void table_names(const char *names[NEAR])
{
	size_t n = 0;

	for (size_t i = 0; tm_metrics[i] && n + 1 < NEAR; i++)
		names[n++] = tm_metrics[i]->name;
	for (const struct file_table *f = tm_file_tables; f->word && n + 1 < NEAR; f++)
		names[n++] = f->word;
}

static void no_table(const struct tm_rule *r, struct tm_report *rep)
{
	const char *names[NEAR] = { 0 };
	char made[NEAR][32];
	struct tm_buf b = { 0 };

	if (r->plain)
		summary_names(names, made);
	else
		table_names(names);
	tm_rule_error(r, rep, "no %s '%.100s'%s", r->plain ? "value" : "table",
	              r->plain ? r->ref : r->table,
	              near_word(r->plain ? r->ref : r->table, names, &b));
	tm_buf_fini(&b);
}

/* A name that is neither a column of its table nor one of the summary is meant as either. */
static void no_column(const struct ask_page *p, const struct tm_rule *r, const char *name,
                      struct tm_report *rep)
{
	const char *columns[TM_TABLE_COLUMNS + 1] = { 0 }, *names[NEAR] = { 0 };
	char made[NEAR][32];
	struct tm_buf b = { 0 };

	for (size_t i = 0; p->columns[i].name && i < TM_TABLE_COLUMNS; i++)
		columns[i] = p->columns[i].name;
	if (r->plain)
		summary_names(names, made);
	if (!r->plain || !*near_word(r->ref, names, &b))
		near_word(name, columns, &b);
	tm_rule_error(r, rep, "%s has no column '%.100s'%s", p->word, name, b.p ? b.p : "");
	tm_buf_fini(&b);
}

static const struct tm_column *column_in(const struct tm_column *columns, const char *name)
{
	for (const struct tm_column *c = columns; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	for (const struct tm_column *c = columns; c->name; c++)
		if (tm_unit_same_column(c->name, name))
			return c;
	return NULL;
}

static const struct tm_column *find_column(const struct ask_page *p, const char *name)
{
	return column_in(p->columns, name);
}

/* Do the files decide which columns there are? */
static bool grows(const struct ask_page *p)
{
	return p->f && p->f->q->grows;
}

const char *tm_ask_why(const struct ask_table *t)
{
	static const char nothing[] = "nothing to show: ";
	const size_t n = sizeof nothing - 1;

	return t->why && !strncmp(t->why, nothing, n) ? t->why + n : t->why;
}

void tm_ask_late(struct asked_rule *a, const struct ask_page *p)
{
	size_t stem;

	if ((!grows(p) && !p->late) || !p->table[ASK_NOW].t.ncols)
		return;
	a->ask.column = column_in(p->table[ASK_NOW].t.columns[0], a->ask.rule->column);
	if (a->ask.column)
		a->ask.unit = tm_unit_of_column(a->ask.column->name, &stem);
}

/* Is the column there with these options? */
static bool column_there(const struct ask_page *p, const struct tm_rule *r, const char *name,
                         struct tm_report *rep)
{
	const char *per = p->m && p->m->per_of ? p->m->per_of(&p->o, name) : NULL;

	if (per)
		tm_rule_error(r, rep, "column '%.100s' needs %s(--per %s)", name, p->word, per);
	return !per;
}

/* ---- rules ---- */

static struct ask_page *find_page(const struct ask_pages *p, const char *word, const char *options,
                                  size_t *at)
{
	for (*at = 0; *at < p->n; ++*at) {
		struct ask_page *page = p->v[*at];

		if (!strcmp(page->word, word) &&
		    !strcmp(page->options ? page->options : "", options ? options : ""))
			return page;
	}
	return NULL;
}

/* The page of that metric with these options; NULL with *d. */
static struct ask_page *page_of(struct ask_pages *p, const struct tm_metric *m,
                                const struct file_table *f, const char *options, size_t *at,
                                struct tm_diag *d)
{
	const char *word = m ? m->name : f->word;
	struct ask_page *page = find_page(p, word, options, at);

	if (page)
		return page;
	page = calloc(1, sizeof *page);
	if (!page || !tm_grow_array(&p->v, &p->cap, p->n + 1, sizeof *p->v)) {
		free(page);
		tm_diag_oom(d);
		return NULL;
	}
	*at = p->n;
	p->v[p->n++] = page;
	page->word = word;
	page->options = options;
	page->m = m;
	page->f = f;
	if (read_options(page, d))
		return page;
	/* Nobody may find it: the next rule with these options is to say the same. */
	page->word = "";
	return NULL;
}

/* The name of the summary that a rule says, in whatever unit; NULL = none. */
static const char *summary_row(const struct tm_rule *r, char out[32])
{
	const char *name;

	for (size_t i = 0; r->plain && (name = tm_summary_name(i, out)); i++)
		if (tm_unit_same_column(name, r->ref))
			return name;
	return NULL;
}

static bool find_place(const struct ask_page *page, struct asked_rule *out, const struct tm_rule *r,
                       struct tm_report *rep)
{
	const struct tm_column *c = out->metric ? find_column(page, "value")
	                                        : find_column(page, r->column);
	size_t stem;

	if (grows(page))
		return true;
	if (!c) {
		no_column(page, r, r->column, rep);
		return false;
	}
	if (!out->metric && c->unit == TM_UNIT_TEXT) {
		tm_rule_error(r, rep, "%s is a name, not a number", c->name);
		return false;
	}
	for (size_t i = 0; i < r->nselect; i++) {
		const char *name = r->select[i].column;

		if (!name)
			continue;
		if (!find_column(page, name)) {
			no_column(page, r, name, rep);
			return false;
		}
		if (!column_there(page, r, name, rep))
			return false;
	}
	out->ask.column = c;
	out->ask.unit = tm_unit_of_column(out->metric ? out->metric : c->name, &stem);
	return column_there(page, r, c->name, rep);
}

bool tm_ask_rule(struct ask_pages *p, struct asked_rule *out, const struct tm_rule *r,
                 struct tm_report *rep)
{
	char made[32];
	const char *row = summary_row(r, made);
	const struct tm_metric *m = tm_metric_find(row ? "summary" : r->table);
	const struct file_table *f = m ? NULL : tm_file_table_find(r->table);
	struct ask_page *page;
	struct tm_diag d = { 0 };

	*out = (struct asked_rule) { .ask = { .rule = r } };
	if (!m && !f) {
		no_table(r, rep);
		return !rep->lost;
	}
	if (row && !(out->metric = strdup(row)))
		return false;
	out->ask.metric = out->metric;
	page = page_of(p, m, f, r->options, &out->page, &d);
	if (!page && d.status == TM_ST_NOMEM)
		return false;
	if (!page)
		tm_rule_error(r, rep, "%s", d.text);
	else if (f && r->baseline && (f->compares || f->q->grows))
		tm_rule_error(r, rep, "a rule about %s cannot use baseline%s", f->word,
		              f->compares ? ": the table already compares with it"
		                          : "; use libperf.compare");
	else if (find_place(page, out, r, rep)) {
		page->side[ASK_NOW] = true;
		page->side[ASK_BASE] |= r->baseline;
	}
	return !rep->lost;
}

/* A table of traces: of kstats, or of powerstats. */
static const struct tm_metric *find_metric(const char *word)
{
	static const struct tm_metric *const more[] = { &tm_metric_sensors, &tm_metric_energy };

	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		if (!strcmp(more[i]->name, word))
			return more[i];
	return tm_metric_find(word);
}

struct ask_page *tm_ask_table(struct ask_pages *p, const char *word, const char *options,
                              struct tm_diag *d)
{
	size_t at;
	struct ask_page *page = page_of(p, find_metric(word), NULL, options, &at, d);

	if (page)
		page->side[ASK_NOW] = true;
	return page;
}

bool tm_ask_option(struct ask_page *p, const char *name, const char *value)
{
	const struct tm_metric_option *o = p->m ? p->m->options : NULL;
	const bool on = true;

	while (o && o->name &&
	       ((o->type != TM_METRIC_TEXT && o->type != TM_METRIC_FLAG) ||
	        strcmp(o->name, name) != 0))
		o++;
	if (!o || !o->name)
		return false;
	if (o->type == TM_METRIC_FLAG)
		memcpy(p->own.own + o->at, &on, sizeof on);
	else
		memcpy(p->own.own + o->at, &value, sizeof value);
	return true;
}

void tm_ask_pages_fini(struct ask_pages *p)
{
	for (size_t i = 0; i < p->n; i++) {
		for (int side = 0; side < ASK_SIDES; side++) {
			tm_table_fini(&p->v[i]->table[side].t);
			free(p->v[i]->table[side].why);
		}
		tm_ask_files_fini(p->v[i]);
		tm_option_list_fini(&p->v[i]->words);
		tm_option_list_fini(&p->v[i]->read);
		free(p->v[i]->text);
		free(p->v[i]);
	}
	free(p->v);
	*p = (struct ask_pages) { 0 };
}
