/* SPDX-License-Identifier: MIT */
#include "check/answer.h"

#include <stdlib.h>
#include <string.h>

#define CHECK_FORMAT(id) extern const struct tm_check_format tm_check_##id;
#include "check/formats.def"
#undef CHECK_FORMAT

const struct tm_check_format *const tm_check_formats[] = {
#define CHECK_FORMAT(id) &tm_check_##id,
#include "check/formats.def"
#undef CHECK_FORMAT
	NULL,
};

enum {
	C_VERDICT,
	C_VALUE,
	C_OP,
	C_BOUND,
	C_UNIT,
	C_BASELINE,
	C_RULE,
	C_ROW,
	C_ROWS,
	C_FAILED,
	C_ABSENT,
	C_REASON,
	C_FILE,
	C_LINE,
};

const struct tm_column tm_check_columns[] = {
	[C_VERDICT] = { .name = "verdict",
	                .title = "VERDICT",
	                .unit = TM_UNIT_TEXT,
	                .about = "pass, fail, absent (no value, or not known well enough) or error "
	                         "(an input)" },
	[C_VALUE] = { .name = "value",
	              .title = "VALUE",
	              .unit = TM_UNIT_COUNT,
	              .about = "value of the worst row, or the nearest to the bound, in the unit "
	                       "of the rule" },
	[C_OP] = { .name = "op", .title = "OP", .unit = TM_UNIT_TEXT, .about = "< <= > >= == !=" },
	[C_BOUND] = { .name = "bound",
	              .title = "BOUND",
	              .unit = TM_UNIT_COUNT,
	              .about = "bound that the value is compared with" },
	[C_UNIT] = { .name = "unit",
	             .title = "UNIT",
	             .unit = TM_UNIT_TEXT,
	             .about = "unit of value, bound and baseline" },
	[C_BASELINE] = { .name = "baseline",
	                 .title = "BASELINE",
	                 .unit = TM_UNIT_COUNT,
	                 .about = "value in the baseline, if the rule uses it" },
	[C_RULE] = { .name = "rule",
	             .title = "RULE",
	             .unit = TM_UNIT_TEXT,
	             .about = "rule as written; (input) and (baseline) are not rules" },
	[C_ROW] = { .name = "row",
	            .title = "ROW",
	            .unit = TM_UNIT_TEXT,
	            .about = "name of the row with that value, if the table has one" },
	[C_ROWS] = { .name = "rows",
	             .title = "ROWS",
	             .unit = TM_UNIT_COUNT,
	             .about = "rows to which the rule applies" },
	[C_FAILED] = { .name = "failed",
	               .title = "FAILED",
	               .unit = TM_UNIT_COUNT,
	               .about = "rows that violate it" },
	[C_ABSENT] = { .name = "absent",
	               .title = "ABSENT",
	               .unit = TM_UNIT_COUNT,
	               .about = "rows whose value is missing or not known well enough" },
	[C_REASON] = { .name = "reason",
	               .title = "REASON",
	               .unit = TM_UNIT_TEXT,
	               .about = "why there is no value, or what is wrong with the input" },
	[C_FILE] = { .name = "file",
	             .title = "FILE",
	             .unit = TM_UNIT_TEXT,
	             .about = "file with the rule" },
	[C_LINE] = { .name = "line",
	             .title = "LINE",
	             .unit = TM_UNIT_ID,
	             .about = "line in that file" },
	{ .name = NULL },
};

struct tm_check_result *tm_check_add(struct tm_check_answer *a)
{
	if (!tm_grow_array(&a->v, &a->cap, a->n + 1, sizeof *a->v))
		return NULL;
	a->v[a->n] = (struct tm_check_result) { 0 };
	return &a->v[a->n++];
}

void tm_check_count(struct tm_check_answer *a)
{
	memset(a->of, 0, sizeof a->of);
	a->rules = 0;
	for (size_t i = 0; i < a->n; i++) {
		a->of[a->v[i].verdict]++;
		a->rules += a->v[i].rule != NULL;
	}
}

/* A rule that fails may mean rows without a value, too. */
static bool judged(const struct tm_check_answer *a)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].absent || a->v[i].verdict > TM_CHECK_FAIL)
			return false;
	return true;
}

int tm_check_status(const struct tm_check_answer *a)
{
	return !judged(a) ? 2 : a->of[TM_CHECK_FAIL] ? 1 : 0;
}

const char *tm_check_word(const struct tm_check_answer *a)
{
	static const char *const words[] = { "pass", "fail", "inconclusive" };

	return words[tm_check_status(a)];
}

bool tm_check_put_words(struct tm_buf *b, const struct tm_check_answer *a)
{
	size_t absent = a->of[TM_CHECK_ABSENT], errors = a->of[TM_CHECK_ERROR];

	tm_buf_fmt(b, "%s: ", tm_check_word(a));
	if (errors)
		tm_buf_fmt(b, "%zu problem%s with the input; ", errors, errors == 1 ? "" : "s");
	if (!a->of[TM_CHECK_FAIL] && !absent)
		tm_buf_fmt(b, "%s%zu rule%s hold%s", a->rules > 1 ? "all " : "", a->rules,
		           a->rules == 1 ? "" : "s", a->rules == 1 ? "s" : "");
	if (a->of[TM_CHECK_FAIL])
		tm_buf_fmt(b, "%zu of %zu rule%s failed", a->of[TM_CHECK_FAIL], a->rules,
		           a->rules == 1 ? "" : "s");
	if (absent && a->of[TM_CHECK_FAIL])
		tm_buf_fmt(b, ", %zu %s no value", absent, absent == 1 ? "has" : "have");
	else if (absent)
		tm_buf_fmt(b, "%zu of %zu rule%s %s no value", absent, a->rules,
		           a->rules == 1 ? "" : "s", absent == 1 ? "has" : "have");
	return !b->failed;
}

bool tm_check_put_line(struct tm_buf *b, const struct tm_check_answer *a)
{
	return tm_buf_fmt(b, "verdict: %s rules=%zu passed=%zu failed=%zu absent=%zu errors=%zu\n",
	                  tm_check_word(a), a->rules, a->of[TM_CHECK_PASS], a->of[TM_CHECK_FAIL],
	                  a->of[TM_CHECK_ABSENT], a->of[TM_CHECK_ERROR]);
}

static bool same_ref(const struct tm_check_result *a, const struct tm_check_result *b)
{
	return !strcmp(a->ref, b->ref);
}

bool tm_check_put_id(struct tm_buf *b, const struct tm_check_answer *a, size_t i)
{
	const struct tm_check_result *r = &a->v[i];
	size_t others = 0, before = 0;

	for (size_t k = 0; k < a->n; k++) {
		if (k == i || !same_ref(r, &a->v[k]))
			continue;
		others++;
		before += k < i && (!r->rule || a->v[k].rule->op == r->rule->op);
	}
	tm_buf_str(b, r->ref);
	if (others && r->rule)
		tm_buf_fmt(b, " %s", tm_rule_op_words[r->rule->op]);
	if (before)
		tm_buf_fmt(b, " (%zu)", before + 1);
	return !b->failed;
}

static const char *sign_of(const struct tm_check_result *r)
{
	return r->rule && r->rule->unit ? r->rule->unit->sign : NULL;
}

bool tm_check_put_number(struct tm_buf *b, const struct tm_check_result *r,
                         const struct tm_buf *number)
{
	const char *sign = sign_of(r);

	return tm_buf_fmt(b, "%s%s%s", number->p ? number->p : "", sign ? " " : "",
	                  sign ? sign : "");
}

bool tm_check_put_message(struct tm_buf *b, const struct tm_check_result *r)
{
	if (r->value.n) {
		tm_check_put_number(b, r, &r->value);
		tm_buf_fmt(b, ", %s%s ", r->verdict == TM_CHECK_FAIL ? "not " : "",
		           tm_rule_op_words[r->rule->op]);
		tm_check_put_number(b, r, &r->bound);
	}
	if (r->baseline.n) {
		tm_buf_str(b, " (baseline ");
		tm_check_put_number(b, r, &r->baseline);
		tm_buf_str(b, ")");
	}
	if (r->reason.n && !r->value.n) {
		if (!r->whole)
			tm_buf_fmt(b, "%s: ", r->rule ? "no value" : "cannot be judged");
		tm_buf_add(b, r->reason.p, r->reason.n);
	}
	if (r->row.n) {
		tm_buf_str(b, ": ");
		tm_buf_add(b, r->row.p, r->row.n);
	}
	if (r->failed > 1)
		tm_buf_fmt(b, "; %zu of %zu rows fail", r->failed, r->rows);
	if (r->absent && r->rows > 1)
		tm_buf_fmt(b, "; %zu of %zu rows have no value", r->absent, r->rows);
	return !b->failed;
}

size_t *tm_check_order(const struct tm_check_answer *a)
{
	static const enum tm_check_verdict order[] = { TM_CHECK_ERROR, TM_CHECK_FAIL,
		                                       TM_CHECK_ABSENT, TM_CHECK_PASS };
	size_t *v = calloc(a->n + 1, sizeof *v), n = 0;

	for (size_t k = 0; v && k < sizeof order / sizeof *order; k++)
		for (size_t i = 0; i < a->n; i++)
			if (a->v[i].verdict == order[k])
				v[n++] = i;
	return v;
}

/* ---- the table ---- */

static struct tm_cell text_of(const struct tm_buf *b)
{
	return b->n ? tm_cell_text(b->p, b->n) : tm_cell_none();
}

static struct tm_cell word(const char *s)
{
	return s ? tm_cell_text(s, strlen(s)) : tm_cell_none();
}

static struct tm_cell digits(const struct tm_buf *b)
{
	return b->n ? tm_cell_as_read(b->p, b->n) : tm_cell_none();
}

static bool put_result(struct tm_table *t, const struct tm_check_result *r)
{
	const struct tm_rule *rule = r->rule;
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return false;
	c[C_VERDICT] = word(tm_check_verdict_words[r->verdict]);
	c[C_RULE] = word(rule ? rule->text : r->ref);
	c[C_ROW] = text_of(&r->row);
	c[C_REASON] = text_of(&r->reason);
	if (!rule)
		return true;
	c[C_VALUE] = digits(&r->value);
	c[C_OP] = word(tm_rule_op_words[rule->op]);
	c[C_BOUND] = digits(&r->bound);
	c[C_UNIT] = word(sign_of(r));
	c[C_BASELINE] = digits(&r->baseline);
	c[C_ROWS] = tm_cell_u64(r->rows);
	c[C_FAILED] = tm_cell_u64(r->failed);
	c[C_ABSENT] = tm_cell_u64(r->absent);
	c[C_FILE] = word(rule->origin);
	if (rule->line)
		c[C_LINE] = tm_cell_u64(rule->line);
	return true;
}

bool tm_check_table(struct tm_table *t, const struct tm_check_answer *a)
{
	struct tm_cell *c;

	tm_table_init_list(t, tm_check_columns);
	for (size_t i = 0; i < a->n; i++)
		if (!put_result(t, &a->v[i]))
			return false;
	c = tm_table_row(t);
	if (!c)
		return false;
	/* Scripts that read only the table find the verdict in it, always in the last row. */
	t->kept = 1;
	c[C_VERDICT] = word(tm_check_word(a));
	c[C_RULE] = word("(verdict)");
	return !t->failed;
}

void tm_check_answer_fini(struct tm_check_answer *a)
{
	for (size_t i = 0; i < a->n; i++)
		tm_check_result_fini(&a->v[i]);
	free(a->v);
	*a = (struct tm_check_answer) { 0 };
}
