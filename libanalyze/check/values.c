/* SPDX-License-Identifier: MIT */
#include "check/values.h"

#include <stdlib.h>
#include <string.h>

const char *const tm_check_verdict_words[] = { "pass", "fail", "absent", "error", NULL };

/* ---- rows ---- */

static bool is_word(const struct tm_column *c)
{
	return c->unit == TM_UNIT_TEXT || tm_unit_names(c->unit);
}

static const struct tm_cell *cell_at(const struct tm_table *t, size_t row, size_t col)
{
	return &t->cells[row * t->ncols + col];
}

static bool is_empty(const struct tm_table *t, size_t col)
{
	for (size_t i = 0; i < t->nrows; i++)
		if (cell_at(t, i, col)->type != TM_CELL_NONE)
			return false;
	return true;
}

/* The column that names the rows: what ["..."] is held against.  That which is known to, else that
 * of any length, else the first text that another run has, too, else the first. */
static size_t name_of(const struct tm_table *t)
{
	size_t text = t->ncols;

	for (size_t i = 0; i < t->ncols; i++)
		if (t->columns[i]->naming && !is_empty(t, i))
			return i;
	for (size_t i = 0; i < t->ncols && is_word(t->columns[i]); i++) {
		if (t->columns[i]->elastic)
			return i;
		if (text == t->ncols && t->columns[i]->unit == TM_UNIT_TEXT &&
		    !t->columns[i]->local)
			text = i;
	}
	return text < t->ncols ? text : 0;
}

/* A cell as csv has it, without quotes. */
static void put_cell(struct tm_buf *b, const struct tm_cell *c)
{
	struct tm_decimal x = { 0 };

	if (c->type == TM_CELL_TEXT || c->type == TM_CELL_DIGITS)
		tm_buf_add(b, c->v.s, c->len);
	else if (c->type != TM_CELL_NONE)
		b->failed |= tm_decimal_cell(&x, c) != TM_ST_OK || !tm_decimal_put(b, &x);
	tm_decimal_fini(&x);
}

static bool same_cell(const struct tm_cell *a, const struct tm_cell *b)
{
	if (a->type != b->type || a->type == TM_CELL_NONE)
		return a->type == b->type;
	if (a->type == TM_CELL_TEXT || a->type == TM_CELL_DIGITS)
		return a->len == b->len && !memcmp(a->v.s, b->v.s, a->len);
	return a->neg == b->neg && a->v.u == b->v.u;
}

/* Which columns the parts of a selection are held against; the caller's to free. */
static size_t *select_columns(const struct tm_check_ask *ask, const struct tm_table *t)
{
	const struct tm_rule *r = ask->rule;
	size_t *of = calloc(r->nselect + 1, sizeof *of);

	for (size_t i = 0; of && i < r->nselect; i++)
		of[i] = r->select[i].column ? tm_table_find(t, r->select[i].column) : name_of(t);
	return of;
}

/* Does the rule mean this row?  `text` is scratch. */
static bool meant(const struct tm_check_ask *ask, const struct tm_table *t, const size_t *of,
                  size_t row, struct tm_buf *text)
{
	const struct tm_rule *r = ask->rule;

	if (ask->metric) {
		const struct tm_cell *c = cell_at(t, row, 0);

		return c->type == TM_CELL_TEXT && c->len == strlen(ask->metric) &&
		       !memcmp(c->v.s, ask->metric, c->len);
	}
	for (size_t i = 0; i < r->nselect; i++) {
		tm_buf_clear(text);
		if (of[i] >= t->ncols)
			return false;
		put_cell(text, cell_at(t, row, of[i]));
		if (!tm_rule_glob(r->select[i].glob, text->n ? text->p : "", text->n))
			return false;
	}
	return true;
}

/* What a row is called: the column that names rows, and where several are called the same, all that
 * is not a number. */
static void put_row(struct tm_buf *b, const struct tm_table *t, size_t row)
{
	size_t name = name_of(t), same = 0;

	for (size_t i = 0; i < t->nrows && same < 2; i++)
		same += same_cell(cell_at(t, i, name), cell_at(t, row, name));
	if (!t->columns[name]->elastic)
		tm_buf_fmt(b, "%s=", t->columns[name]->name);
	put_cell(b, cell_at(t, row, name));
	for (size_t i = 0; same > 1 && i < t->ncols && is_word(t->columns[i]); i++) {
		if (i == name || cell_at(t, row, i)->type == TM_CELL_NONE)
			continue;
		tm_buf_fmt(b, "%s%s=", b->n ? ", " : "", t->columns[i]->name);
		put_cell(b, cell_at(t, row, i));
	}
}

/* ---- the same row of the baseline ---- */

/* The rows of the baseline, sorted by what they are about. */
struct index {
	const struct tm_table *t;
	size_t *row; /* all of them, in that order */
	size_t *key; /* nkey columns, in this table and the other */
	size_t *other;
	size_t nkey;
};

static int cmp_cell(const struct tm_cell *a, const struct tm_cell *b)
{
	uint32_t n = a->len < b->len ? a->len : b->len;
	int c;

	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (a->type == TM_CELL_NONE)
		return 0;
	if (a->type != TM_CELL_TEXT && a->type != TM_CELL_DIGITS)
		return (a->v.u > b->v.u) - (a->v.u < b->v.u);
	c = memcmp(a->v.s, b->v.s, n);
	return c ? c : (a->len > n) - (b->len > n);
}

static int by_key(const void *pa, const void *pb, void *arg)
{
	const struct index *x = arg;
	const size_t *a = pa, *b = pb;
	int c = 0;

	for (size_t i = 0; i < x->nkey && !c; i++)
		c = cmp_cell(cell_at(x->t, *a, x->key[i]), cell_at(x->t, *b, x->key[i]));
	return c ? c : (*a > *b) - (*a < *b);
}

static int row_cmp(const struct index *x, const struct tm_table *now, size_t row, size_t of)
{
	int c = 0;

	for (size_t i = 0; i < x->nkey && !c; i++)
		c = cmp_cell(cell_at(now, row, x->other[i]), cell_at(x->t, of, x->key[i]));
	return c;
}

static bool index_make(struct index *x, const struct tm_table *base, const struct tm_table *now)
{
	x->t = base;
	x->row = calloc(base->nrows + 1, sizeof *x->row);
	x->key = calloc(now->ncols + 1, sizeof *x->key);
	x->other = calloc(now->ncols + 1, sizeof *x->other);
	if (!x->row || !x->key || !x->other)
		return false;
	for (size_t i = 0; i < now->ncols; i++) {
		size_t k = tm_table_find(base, now->columns[i]->name);

		if (!tm_table_is_key(now, i) || k == base->ncols)
			continue;
		x->key[x->nkey] = k;
		x->other[x->nkey++] = i;
	}
	for (size_t i = 0; i < base->nrows; i++)
		x->row[i] = i;
	qsort_r(x->row, base->nrows, sizeof *x->row, by_key, x);
	return true;
}

static void index_fini(struct index *x)
{
	free(x->row);
	free(x->key);
	free(x->other);
}

/* How many rows of the baseline are about the same as that row; *at is one. */
static size_t index_find(const struct index *x, const struct tm_table *now, size_t row, size_t *at)
{
	size_t lo = 0, hi = x->t->nrows, n = 0;

	TM_BISECT(lo, hi, mid, row_cmp(x, now, row, x->row[mid]) > 0);
	while (lo + n < x->t->nrows && n < 2 && !row_cmp(x, now, row, x->row[lo + n]))
		n++;
	*at = n ? x->row[lo] : 0;
	return n;
}

/* ---- one rule ---- */

struct judge {
	const struct tm_check_ask *ask;
	const struct tm_table *now, *base;
	struct tm_check_result *out;
	size_t col, base_col, weight; /* weight: ncols = there is none */
	struct index index;
	struct tm_decimal worst; /* badness of the worst row; below zero: within the bound */
	size_t worst_row, absent_row;
	bool any, worst_fails, nomem;
};

static void decimal_move(struct tm_decimal *to, struct tm_decimal *from)
{
	tm_decimal_fini(to);
	*to = *from;
	*from = (struct tm_decimal) { 0 };
}

/* A cell in the smallest unit of its family.  As tm_decimal_cell. */
static enum tm_status in_base(struct tm_decimal *x, const struct tm_cell *c,
                              const struct tm_check_unit *u)
{
	struct tm_decimal raw = { 0 };
	enum tm_status st = tm_decimal_cell(&raw, c);

	if (st == TM_ST_OK && !tm_unit_to_base(x, &raw, u))
		st = TM_ST_FATAL;
	tm_decimal_fini(&raw);
	return st;
}

static void put_number(struct judge *j, struct tm_buf *b, const struct tm_decimal *base)
{
	struct tm_decimal x = { 0 };

	tm_buf_clear(b);
	j->nomem |= !tm_unit_from_base(&x, base, j->ask->rule->unit) || !tm_decimal_put(b, &x);
	tm_decimal_fini(&x);
}

static bool holds(enum tm_rule_op op, int cmp)
{
	switch (op) {
	case TM_OP_LT:
		return cmp < 0;
	case TM_OP_LE:
		return cmp <= 0;
	case TM_OP_GT:
		return cmp > 0;
	case TM_OP_GE:
		return cmp >= 0;
	case TM_OP_EQ:
		return !cmp;
	default:
		return cmp != 0;
	}
}

/* What may stand on one side of a rule: low <= at <= high, all equal where it is known. */
struct range {
	struct tm_decimal low, at, high;
	const struct tm_table_ends *ends; /* NULL = it is known */
};

static void range_fini(struct range *r)
{
	tm_decimal_fini(&r->low);
	tm_decimal_fini(&r->at);
	tm_decimal_fini(&r->high);
}

/* A cell and its ends, in the smallest unit of their family.  As tm_decimal_cell. */
static enum tm_status range_of(struct range *r, const struct tm_table *t, const struct tm_cell *c,
                               const struct tm_check_unit *u)
{
	enum tm_status st = in_base(&r->at, c, u);

	r->ends = tm_table_ends(t, c);
	if (st == TM_ST_OK)
		st = in_base(&r->low, r->ends ? &r->ends->low : c, u);
	return st == TM_ST_OK ? in_base(&r->high, r->ends ? &r->ends->high : c, u) : st;
}

/* Why a row has no value: said once, of the first.  `whole`: the words say that it has none. */
static void no_value(struct judge *j, size_t row, const char *why, bool whole)
{
	if (!j->out->absent++) {
		j->absent_row = row;
		j->out->whole = whole;
		tm_buf_str(&j->out->reason, why);
	}
}

/* *bound = baseline * factor + offset. */
static bool bound_at(struct tm_decimal *bound, const struct tm_rule *r,
                     const struct tm_decimal *baseline)
{
	struct tm_decimal part = { 0 };
	bool ok = tm_decimal_mul(&part, baseline, &r->factor) &&
	          tm_decimal_add(bound, &part, &r->offset);

	tm_decimal_fini(&part);
	return ok;
}

/* The bound of a row; false when there is none (said), or out of memory. */
static bool bound_of(struct judge *j, size_t row, struct range *bound, struct range *baseline)
{
	const struct tm_rule *r = j->ask->rule;
	const bool swap = r->factor.neg;
	size_t at, n;
	enum tm_status st;

	if (!r->baseline) {
		j->nomem |= !tm_decimal_copy(&bound->at, &r->offset) ||
		            !tm_decimal_copy(&bound->low, &r->offset) ||
		            !tm_decimal_copy(&bound->high, &r->offset);
		return !j->nomem;
	}
	n = index_find(&j->index, j->now, row, &at);
	if (n != 1) {
		no_value(j, row, n ? "the baseline has several such rows" : "not in the baseline",
		         false);
		return false;
	}
	st = range_of(baseline, j->base, cell_at(j->base, at, j->base_col), j->ask->unit);
	if (st == TM_ST_SKIP)
		no_value(j, row, "the baseline has no value", false);
	if (st != TM_ST_OK || !bound_at(&bound->at, r, &baseline->at) ||
	    !bound_at(&bound->low, r, swap ? &baseline->high : &baseline->low) ||
	    !bound_at(&bound->high, r, swap ? &baseline->low : &baseline->high))
		j->nomem |= st != TM_ST_SKIP;
	return st == TM_ST_OK && !j->nomem;
}

/* How far beyond the bound, in the direction that is bad. */
static bool excess(struct tm_decimal *x, enum tm_rule_op op, const struct tm_decimal *value,
                   const struct tm_decimal *bound)
{
	bool ok = op == TM_OP_GT || op == TM_OP_GE ? tm_decimal_sub(x, bound, value)
	                                           : tm_decimal_sub(x, value, bound);

	if (op == TM_OP_EQ)
		x->neg = false;
	if (op == TM_OP_NE)
		x->neg = x->digits.n != 0;
	return ok;
}

static size_t weight_of(const struct tm_check_ask *ask, const struct tm_table *t)
{
	return ask->weight ? tm_table_find(t, ask->weight->name) : t->ncols;
}

/* How bad a row is: that of its weight, if it violates a rule that has one. */
static bool badness(struct tm_decimal *x, const struct judge *j, size_t row, bool fails,
                    const struct tm_decimal *value, const struct tm_decimal *bound)
{
	if (!fails || j->weight == j->now->ncols)
		return excess(x, j->ask->rule->op, value, bound);
	return tm_decimal_cell(x, cell_at(j->now, row, j->weight)) != TM_ST_FATAL;
}

/* The numbers that traces lack most often, with what records them. */
static const char *no_value_why(const char *ref)
{
	if (!strncmp(ref, "sync.", 5) || !strncmp(ref, "gaps.", 5))
		return "no value: needs a trace of API calls (rocprofv3 --hip-trace)";
	return "no value";
}

/* Does the rule hold for some of what value and bound may be, and not for the rest?  What lies
 * between the ends of one is met by an end of the other, so that two comparisons tell; but a value
 * that may be on both sides of the bound may also be equal to it. */
static bool is_open(enum tm_rule_op op, const struct range *value, const struct range *bound)
{
	int least = tm_decimal_cmp(&value->low, &bound->high),
	    most = tm_decimal_cmp(&value->high, &bound->low);

	return holds(op, least) != holds(op, most) ||
	       (least < 0 && most > 0 && (op == TM_OP_EQ || op == TM_OP_NE));
}

/* "cannot be determined: 0 % to 8.1 %, as WHY": of the value, or if that is known, the baseline. */
static void say_open(struct judge *j, size_t row, const struct range *value,
                     const struct range *baseline)
{
	const struct range *r = value->ends ? value : baseline;
	const char *sign = j->ask->rule->unit ? j->ask->rule->unit->sign : NULL;
	struct tm_buf why = { 0 }, low = { 0 }, high = { 0 };

	put_number(j, &low, &r->low);
	put_number(j, &high, &r->high);
	tm_buf_fmt(&why, "cannot be determined: %s%s%s%s to %s%s%s, as %s",
	           value->ends ? "" : "baseline ", low.p ? low.p : "", sign ? " " : "",
	           sign ? sign : "", high.p ? high.p : "", sign ? " " : "", sign ? sign : "",
	           r->ends ? r->ends->why : "");
	no_value(j, row, why.p ? why.p : "", true);
	j->nomem |= why.failed;
	tm_buf_fini(&why);
	tm_buf_fini(&low);
	tm_buf_fini(&high);
}

static void judge_row(struct judge *j, size_t row)
{
	enum tm_rule_op op = j->ask->rule->op;
	struct range value = { 0 }, bound = { 0 }, baseline = { 0 };
	struct tm_decimal beyond = { 0 };
	enum tm_status st = range_of(&value, j->now, cell_at(j->now, row, j->col), j->ask->unit);
	bool judged;

	j->nomem |= st == TM_ST_FATAL;
	if (st == TM_ST_SKIP)
		no_value(j, row, no_value_why(j->ask->rule->ref), true);
	judged = st == TM_ST_OK && bound_of(j, row, &bound, &baseline);
	if (judged && is_open(op, &value, &bound)) {
		say_open(j, row, &value, &baseline);
	} else if (judged) {
		const bool fails = !holds(op, tm_decimal_cmp(&value.at, &bound.at));

		j->out->failed += fails;
		j->nomem |= !badness(&beyond, j, row, fails, &value.at, &bound.at);
		if (!j->nomem &&
		    (!j->any ||
		     (fails != j->worst_fails ? fails : tm_decimal_cmp(&beyond, &j->worst) > 0))) {
			j->any = true;
			j->worst_fails = fails;
			j->worst_row = j->out->at = row;
			decimal_move(&j->worst, &beyond);
			put_number(j, &j->out->value, &value.at);
			put_number(j, &j->out->bound, &bound.at);
			if (j->ask->rule->baseline)
				put_number(j, &j->out->baseline, &baseline.at);
		}
	}
	range_fini(&value);
	range_fini(&bound);
	range_fini(&baseline);
	tm_decimal_fini(&beyond);
}

/* A row of what belongs nowhere has no value in most columns: a rule for all rows is not about it.
 */
static bool empty_by_nature(const struct judge *j, size_t row)
{
	return !j->ask->rule->nselect && row >= j->now->nrows - j->now->kept &&
	       cell_at(j->now, row, j->col)->type == TM_CELL_NONE;
}

static void judge_rows(struct judge *j)
{
	size_t *of = select_columns(j->ask, j->now);
	struct tm_buf text = { 0 };

	j->nomem |= !of;
	for (size_t i = 0; !j->nomem && i < j->now->nrows; i++)
		if (meant(j->ask, j->now, of, i, &text) && !empty_by_nature(j, i)) {
			j->out->rows++;
			judge_row(j, i);
		}
	j->nomem |= text.failed;
	tm_buf_fini(&text);
	free(of);
}

static void conclude(struct judge *j)
{
	struct tm_check_result *r = j->out;

	if (!r->rows)
		tm_buf_str(&r->reason, j->ask->metric   ? "no such value"
		                       : !j->now->nrows ? "the table has no rows"
		                                        : "no row matches");
	/* A row that has no value may be as bad as any other. */
	r->verdict = r->failed               ? TM_CHECK_FAIL
	             : r->absent || !r->rows ? TM_CHECK_ABSENT
	                                     : TM_CHECK_PASS;
	if (!j->ask->metric && r->rows)
		put_row(&r->row, j->now, r->failed || !r->absent ? j->worst_row : j->absent_row);
	if (!r->failed && r->absent && r->rows) {
		tm_buf_clear(&r->value);
		tm_buf_clear(&r->bound);
		tm_buf_clear(&r->baseline);
	}
	j->nomem |= r->reason.failed || r->row.failed || r->value.failed || r->bound.failed ||
	            r->baseline.failed;
}

bool tm_check_value(struct tm_check_result *out, const struct tm_check_ask *ask,
                    const struct tm_table *now, const struct tm_table *base)
{
	struct judge j = { .ask = ask, .now = now, .base = base, .out = out };

	out->rule = ask->rule;
	out->ref = ask->rule->ref;
	j.col = tm_table_find(now, ask->column->name);
	j.weight = weight_of(ask, now);
	j.base_col = base ? tm_table_find(base, ask->column->name) : 0;
	if (j.col == now->ncols || (base && j.base_col == base->ncols)) {
		out->verdict = TM_CHECK_ABSENT;
		return tm_buf_fmt(&out->reason, "the table has no column %s", ask->column->name);
	}
	if (base && !index_make(&j.index, base, now))
		j.nomem = true;
	if (!j.nomem)
		judge_rows(&j);
	if (!j.nomem)
		conclude(&j);
	index_fini(&j.index);
	tm_decimal_fini(&j.worst);
	return !j.nomem;
}

/* ---- the worst rows ---- */

struct worst_rows {
	struct judge j;
	unsigned char *kind;
	struct tm_decimal value; /* of the row that is worst */
};

/* A row that is meant: does it break the rule more than any before? */
static void look_row(struct worst_rows *w, size_t row, size_t *worst)
{
	const struct tm_rule *r = w->j.ask->rule;
	struct tm_decimal value = { 0 }, beyond = { 0 };
	enum tm_status st = in_base(&value, cell_at(w->j.now, row, w->j.col), w->j.ask->unit);

	w->j.nomem |= st == TM_ST_FATAL;
	if (st == TM_ST_OK && !holds(r->op, tm_decimal_cmp(&value, &r->offset))) {
		w->kind[row] = TM_CHECK_ROW_WORST;
		w->j.nomem |= !badness(&beyond, &w->j, row, true, &value, &r->offset);
		if (!w->j.nomem && (!w->j.any || tm_decimal_cmp(&beyond, &w->j.worst) > 0)) {
			w->j.any = true;
			*worst = row;
			decimal_move(&w->j.worst, &beyond);
			decimal_move(&w->value, &value);
		}
	}
	tm_decimal_fini(&value);
	tm_decimal_fini(&beyond);
}

/* One that breaks it: has it half of what the worst has? */
static void compare_row(struct worst_rows *w, size_t row)
{
	const enum tm_rule_op op = w->j.ask->rule->op;
	const bool weighed = w->j.weight < w->j.now->ncols;
	const bool less = !weighed && (op == TM_OP_GT || op == TM_OP_GE);
	const struct tm_decimal *most = weighed ? &w->j.worst : &w->value;
	struct tm_decimal value = { 0 }, twice = { 0 };
	const struct tm_decimal *x = less ? most : &value;

	if (weighed)
		w->j.nomem |= !badness(&value, &w->j, row, true, NULL, NULL);
	else
		w->j.nomem |= in_base(&value, cell_at(w->j.now, row, w->j.col), w->j.ask->unit) !=
		              TM_ST_OK;
	w->j.nomem |= !tm_decimal_add(&twice, x, x);
	if (!w->j.nomem && tm_decimal_cmp(&twice, less ? &value : most) < 0)
		w->kind[row] = TM_CHECK_ROW_MEANT;
	tm_decimal_fini(&value);
	tm_decimal_fini(&twice);
}

bool tm_check_rows(const struct tm_check_ask *ask, const struct tm_table *now, unsigned char *kind,
                   size_t *worst)
{
	struct worst_rows w = { .j = { .ask = ask, .now = now }, .kind = kind };
	size_t *of = select_columns(ask, now);
	struct tm_buf text = { 0 };

	*worst = SIZE_MAX;
	w.j.col = tm_table_find(now, ask->column->name);
	w.j.weight = weight_of(ask, now);
	w.j.nomem = !of;
	for (size_t i = 0; i < now->nrows; i++) {
		kind[i] = TM_CHECK_ROW_OTHER;
		if (w.j.nomem || w.j.col == now->ncols || !meant(ask, now, of, i, &text) ||
		    empty_by_nature(&w.j, i))
			continue;
		kind[i] = TM_CHECK_ROW_MEANT;
		look_row(&w, i, worst);
	}
	for (size_t i = 0; !w.j.nomem && i < now->nrows; i++)
		if (kind[i] == TM_CHECK_ROW_WORST)
			compare_row(&w, i);
	w.j.nomem |= text.failed;
	tm_buf_fini(&text);
	tm_decimal_fini(&w.j.worst);
	tm_decimal_fini(&w.value);
	free(of);
	return !w.j.nomem;
}

void tm_check_result_fini(struct tm_check_result *r)
{
	tm_buf_fini(&r->value);
	tm_buf_fini(&r->bound);
	tm_buf_fini(&r->baseline);
	tm_buf_fini(&r->row);
	tm_buf_fini(&r->reason);
	*r = (struct tm_check_result) { 0 };
}
