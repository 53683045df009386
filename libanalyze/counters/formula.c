/* SPDX-License-Identifier: MIT */
#include "counters/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum op { NUMBER, INPUT, ADD, SUBTRACT, MULTIPLY, DIVIDE, LEAST, MOST, NEGATE };

/* In the order in which they are done, each on what those before it left. */
struct tm_formula_op {
	enum op op;
	double number;
	uint32_t input;
};

enum { NESTED = 100 }; /* parentheses in parentheses: the parser calls itself */

struct parser {
	struct tm_formula *f;
	const char *text, *p, *end;
	struct tm_diag *d;
	size_t stack;
	unsigned nested;
};

static bool wrong(struct parser *s, const char *what)
{
	tm_diag_set(s->d, 0, "%s at byte %zu of the formula", what, (size_t)(s->p - s->text) + 1);
	return false;
}

static bool put(struct parser *s, enum op op, double number, uint32_t input)
{
	struct tm_formula *f = s->f;

	if (!tm_grow_array(&f->op, &f->cap, f->n + 1, sizeof *f->op)) {
		tm_diag_oom(s->d);
		return false;
	}
	f->op[f->n++] = (struct tm_formula_op) { op, number, input };
	if (op == NUMBER || op == INPUT)
		s->stack++;
	else if (op != NEGATE)
		s->stack--;
	if (s->stack > f->depth)
		f->depth = s->stack;
	return true;
}

static void blanks(struct parser *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
}

static bool next_is(struct parser *s, char c)
{
	blanks(s);
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

static bool sum(struct parser *s);

static bool inside(struct parser *s, char until)
{
	if (s->nested == NESTED)
		return wrong(s, "more than 100 nested parentheses");
	s->nested++;
	if (!sum(s))
		return false;
	s->nested--;
	return next_is(s, until) || wrong(s, until == ')' ? "')' expected" : "',' expected");
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool word(struct parser *s)
{
	const char *from = s->p;
	bool least, most;
	uint32_t input;

	while (s->p < s->end && is_word(*s->p))
		s->p++;
	least = s->p - from == 3 && !memcmp(from, "min", 3);
	most = s->p - from == 3 && !memcmp(from, "max", 3);
	if ((least || most) && next_is(s, '('))
		return inside(s, ',') && inside(s, ')') && put(s, least ? LEAST : MOST, 0, 0);
	if (s->p < s->end && *s->p == '[') {
		s->p++;
		while (s->p < s->end && isdigit((unsigned char)*s->p))
			s->p++;
		if (s->p == s->end || *s->p != ']' || s->p[-1] == '[')
			return wrong(s, "expected an instance number and ']'");
		s->p++;
	}
	input = tm_names_add(&s->f->inputs, from, (size_t)(s->p - from));
	if (input == TM_NAME_NONE) {
		tm_diag_oom(s->d);
		return false;
	}
	return put(s, INPUT, 0, input);
}

static bool number(struct parser *s)
{
	const char *from = s->p;
	double v;

	while (s->p < s->end && (isdigit((unsigned char)*s->p) || *s->p == '.'))
		s->p++;
	if (s->p < s->end && (*s->p == 'e' || *s->p == 'E')) {
		s->p++;
		if (s->p < s->end && (*s->p == '+' || *s->p == '-'))
			s->p++;
		while (s->p < s->end && isdigit((unsigned char)*s->p))
			s->p++;
	}
	if (!tm_num_real(from, (size_t)(s->p - from), &v)) {
		s->p = from;
		return wrong(s, "not a number");
	}
	return put(s, NUMBER, v, 0);
}

static bool factor(struct parser *s)
{
	bool negative = false;

	while (next_is(s, '-'))
		negative = !negative;
	blanks(s);
	if (s->p == s->end)
		return wrong(s, "expected a counter, a number or '('");
	if (*s->p == '(') {
		s->p++;
		if (!inside(s, ')'))
			return false;
	} else if (isdigit((unsigned char)*s->p) || *s->p == '.') {
		if (!number(s))
			return false;
	} else if (is_word(*s->p)) {
		if (!word(s))
			return false;
	} else {
		return wrong(s, "expected a counter, a number or '('");
	}
	return !negative || put(s, NEGATE, 0, 0);
}

static bool product(struct parser *s)
{
	if (!factor(s))
		return false;
	for (;;) {
		enum op op = next_is(s, '*') ? MULTIPLY : next_is(s, '/') ? DIVIDE : NUMBER;

		if (op == NUMBER)
			return true;
		if (!factor(s) || !put(s, op, 0, 0))
			return false;
	}
}

static bool sum(struct parser *s)
{
	if (!product(s))
		return false;
	for (;;) {
		enum op op = next_is(s, '+') ? ADD : next_is(s, '-') ? SUBTRACT : NUMBER;

		if (op == NUMBER)
			return true;
		if (!product(s) || !put(s, op, 0, 0))
			return false;
	}
}

bool tm_formula_parse(struct tm_formula *f, const char *text, size_t len, struct tm_diag *d)
{
	struct parser s = { .f = f, .text = text, .p = text, .end = text + len, .d = d };

	*f = (struct tm_formula) { 0 };
	if (!sum(&s))
		return false;
	blanks(&s);
	return s.p == s.end || wrong(&s, "expected an operator");
}

static double binary(enum op op, double a, double b)
{
	switch (op) {
	case ADD:
		return a + b;
	case SUBTRACT:
		return a - b;
	case MULTIPLY:
		return a * b;
	case DIVIDE:
		return b != 0 ? a / b : NAN;
	/* Of what is not known nothing is the least or the most, whichever side it is on. */
	case LEAST:
		return isnan(a) || isnan(b) ? NAN : a < b ? a : b;
	default:
		return isnan(a) || isnan(b) ? NAN : a > b ? a : b;
	}
}

double tm_formula_value(const struct tm_formula *f, const double *in, double *work)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct tm_formula_op *o = &f->op[i];

		if (o->op == NUMBER) {
			work[n++] = o->number;
		} else if (o->op == INPUT) {
			work[n++] = in[o->input];
		} else if (o->op == NEGATE) {
			work[n - 1] = -work[n - 1];
		} else {
			n--;
			work[n - 1] = binary(o->op, work[n - 1], work[n]);
		}
	}
	return n ? work[0] : NAN;
}

void tm_formula_fini(struct tm_formula *f)
{
	tm_names_fini(&f->inputs);
	free(f->op);
	*f = (struct tm_formula) { 0 };
}
