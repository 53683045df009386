/* SPDX-License-Identifier: MIT */
#include "check/rules.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const tm_rule_op_words[] = { "<", "<=", ">", ">=", "==", "!=", NULL };

/* One line being read. */
struct cursor {
	const char *from, *p, *end; /* all of the line, where we are, where it ends */
	const char *origin;
	uint64_t line;
	struct tm_report *rep;
	bool failed; /* said why, or out of memory */
	bool no_memory;
};

/* ---- messages ---- */

static void __attribute__((format(printf, 3, 4)))
wrong(struct cursor *c, const char *at, const char *fmt, ...)
{
	struct tm_diag d;
	va_list ap;

	if (c->failed)
		return;
	va_start(ap, fmt);
	tm_diag_vset(&d, 0, fmt, ap);
	va_end(ap);
	c->failed = true;
	tm_report_add(c->rep, TM_SEV_ERROR, c->origin ? c->origin : "--rule", c->line,
	              "column %zu: %s (%.*s)", (size_t)(at - c->from) + 1, d.text,
	              (int)(c->end - c->from < 200 ? c->end - c->from : 200), c->from);
}

void tm_rule_error(const struct tm_rule *r, struct tm_report *rep, const char *fmt, ...)
{
	struct tm_diag d;
	va_list ap;

	va_start(ap, fmt);
	tm_diag_vset(&d, 0, fmt, ap);
	va_end(ap);
	tm_report_add(rep, TM_SEV_ERROR, r->origin ? r->origin : "--rule", r->line,
	              "column %zu: %s (%.200s)", r->at, d.text, r->text);
}

/* ---- pieces ---- */

static void blanks(struct cursor *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\t'))
		c->p++;
}

static char *keep(struct cursor *c, const char *s, size_t n)
{
	char *copy = strndup(s, n);

	c->no_memory |= !copy;
	c->failed |= !copy;
	return copy;
}

static bool is_letter(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
}

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

static bool is_name(char ch)
{
	return is_letter(ch) || is_digit(ch) || ch == '.' || ch == '+' || ch == '-';
}

/* "..." with \ before what is meant as it is; the escapes stay, for the pattern. */
static char *quoted(struct cursor *c)
{
	const char *open = c->p++, *from = c->p;

	while (c->p < c->end && *c->p != '"')
		c->p += *c->p == '\\' && c->p + 1 < c->end ? 2 : 1;
	if (c->p >= c->end) {
		wrong(c, open, "unclosed quote");
		return NULL;
	}
	return keep(c, from, (size_t)(c->p++ - from));
}

/* What stands between parentheses; quotes hide them. */
static void read_options(struct cursor *c, struct tm_rule *r)
{
	const char *open = c->p++;
	size_t depth = 1;
	bool quote = false;

	for (; c->p < c->end; c->p++) {
		quote ^= *c->p == '"';
		depth += !quote && *c->p == '(';
		depth -= !quote && *c->p == ')';
		if (!depth)
			break;
	}
	if (c->p >= c->end) {
		wrong(c, open, "unclosed parenthesis");
		return;
	}
	r->options = keep(c, open + 1, (size_t)(c->p++ - open - 1));
}

/* A word up to , or ] without quotes. */
static char *bare(struct cursor *c)
{
	const char *from = c->p, *end;

	while (c->p < c->end && *c->p != ',' && *c->p != ']' && *c->p != '=')
		c->p++;
	for (end = c->p; end > from && (end[-1] == ' ' || end[-1] == '\t');)
		end--;
	if (end == from) {
		wrong(c, from, "expected a pattern or COLUMN=PATTERN");
		return NULL;
	}
	return keep(c, from, (size_t)(end - from));
}

static void read_select(struct cursor *c, struct tm_rule *r)
{
	struct tm_rule_select s = { 0 }, *more = NULL;

	blanks(c);
	s.glob = c->p < c->end && *c->p == '"' ? quoted(c) : bare(c);
	blanks(c);
	if (!c->failed && c->p < c->end && *c->p == '=') {
		s.column = s.glob;
		c->p++;
		blanks(c);
		s.glob = c->p < c->end && *c->p == '"' ? quoted(c) : bare(c);
		blanks(c);
	}
	if (!c->failed)
		more = realloc(r->select, (r->nselect + 1) * sizeof *more);
	if (!more) {
		c->no_memory |= !c->failed;
		c->failed = true;
		free(s.column);
		free(s.glob);
		return;
	}
	r->select = more;
	r->select[r->nselect++] = s;
}

static void read_selection(struct cursor *c, struct tm_rule *r)
{
	const char *open = c->p;

	do {
		c->p++;
		read_select(c, r);
	} while (!c->failed && c->p < c->end && *c->p == ',');
	if (c->failed)
		return;
	if (c->p >= c->end || *c->p != ']')
		wrong(c, c->p >= c->end ? open : c->p, "expected ] after the row patterns");
	else
		c->p++;
}

/* The word of a name; the table and the column are parted at its last point. */
static void read_ref(struct cursor *c, struct tm_rule *r)
{
	const char *from = c->p, *end, *dot;

	while (c->p < c->end && is_name(*c->p))
		c->p++;
	end = c->p;
	if (end == from) {
		wrong(c, from, "expected the name of a value, such as gaps.launch_pct");
		return;
	}
	blanks(c);
	r->plain = c->p >= c->end || (*c->p != '(' && *c->p != '[');
	if (!c->failed && c->p < c->end && *c->p == '(')
		read_options(c, r);
	blanks(c);
	if (!c->failed && c->p < c->end && *c->p == '[')
		read_selection(c, r);
	blanks(c);
	if (c->failed)
		return;
	if (r->plain) {
		dot = memrchr(from, '.', (size_t)(end - from));
		r->table = keep(c, from, dot ? (size_t)(dot - from) : 0);
		r->column = keep(c, dot ? dot + 1 : from, (size_t)(end - (dot ? dot + 1 : from)));
		c->p = end;
	} else {
		const char *column;

		r->table = keep(c, from, (size_t)(end - from));
		if (c->p >= c->end || *c->p != '.') {
			wrong(c, c->p, "expected .COLUMN");
			return;
		}
		column = ++c->p;
		while (c->p < c->end && (is_letter(*c->p) || is_digit(*c->p)))
			c->p++;
		if (c->p == column)
			wrong(c, column, "expected the name of a column");
		r->column = keep(c, column, (size_t)(c->p - column));
	}
	r->ref = keep(c, from, (size_t)(c->p - from));
}

static void read_op(struct cursor *c, struct tm_rule *r)
{
	static const struct {
		const char *word;
		enum tm_rule_op op;
	} ops[] = { { "<=", TM_OP_LE }, { ">=", TM_OP_GE }, { "==", TM_OP_EQ },
		    { "!=", TM_OP_NE }, { "<", TM_OP_LT },  { ">", TM_OP_GT } };

	blanks(c);
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
		size_t n = strlen(ops[i].word);

		if ((size_t)(c->end - c->p) < n || memcmp(c->p, ops[i].word, n) != 0)
			continue;
		r->op = ops[i].op;
		c->p += n;
		return;
	}
	wrong(c, c->p, "expected one of < <= > >= == !=");
}

/* ---- the bound ---- */

/* How many bytes of s[0..n) are a number: digits, a point, an exponent. */
static size_t number_length(const char *s, size_t n)
{
	size_t i = 0, e;

	while (i < n && (is_digit(s[i]) || s[i] == '.'))
		i++;
	if (i && i < n && (s[i] == 'e' || s[i] == 'E')) {
		e = i + 1;
		e += e < n && (s[e] == '-' || s[e] == '+');
		if (e < n && is_digit(s[e]))
			for (i = e; i < n && is_digit(s[i]);)
				i++;
	}
	return i;
}

static void read_number(struct cursor *c, struct tm_decimal *x)
{
	const char *from = c->p;
	size_t n = number_length(c->p, (size_t)(c->end - c->p));
	enum tm_status st = n ? tm_decimal_read(x, c->p, n) : TM_ST_SKIP;

	c->p += n;
	if (st == TM_ST_SKIP)
		wrong(c, from, "expected a number%s", n ? " that fits" : " or baseline");
	c->no_memory |= st == TM_ST_FATAL;
	c->failed |= st == TM_ST_FATAL;
}

/* The unit after a number, if there is one; it has to fit that of the column. */
static const struct tm_check_unit *read_unit(struct cursor *c, const struct tm_rule *r)
{
	const char *from;
	const struct tm_check_unit *u;

	blanks(c);
	from = c->p;
	if (c->p < c->end && *c->p == '%')
		c->p++;
	else
		while (c->p < c->end && is_letter(*c->p))
			c->p++;
	if (c->p == from)
		return r->unit;
	u = tm_unit_of_word(from, (size_t)(c->p - from));
	if (!u)
		wrong(c, from, "'%.*s' is not a unit", (int)(c->p - from < 40 ? c->p - from : 40),
		      from);
	else if (!r->unit)
		wrong(c, from, "%s takes no unit", r->column);
	else if (u->family != r->unit->family)
		wrong(c, from, "%s is in %s, not in %s", r->column, r->unit->sign, u->sign);
	return u;
}

static bool at_word(const struct cursor *c, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(c->end - c->p) >= n && !memcmp(c->p, word, n) &&
	       (c->p + n == c->end || !is_name(c->p[n]) || c->p[n] == '+' || c->p[n] == '-');
}

/* *to = *to + x, or - x. */
static void add(struct cursor *c, struct tm_decimal *to, const struct tm_decimal *x, bool minus)
{
	struct tm_decimal sum = { 0 };

	if (c->failed)
		return;
	if (!(minus ? tm_decimal_sub(&sum, to, x) : tm_decimal_add(&sum, to, x))) {
		c->no_memory = c->failed = true;
		tm_decimal_fini(&sum);
		return;
	}
	tm_decimal_fini(to);
	*to = sum;
}

static bool star(struct cursor *c)
{
	blanks(c);
	if (c->p >= c->end || *c->p != '*')
		return false;
	c->p++;
	blanks(c);
	return true;
}

/* baseline, baseline * 1.03, 1.03 * baseline, 2 us */
static void read_term(struct cursor *c, struct tm_rule *r, bool minus)
{
	struct tm_decimal x = { 0 }, base = { 0 };
	bool of_baseline = at_word(c, "baseline");

	if (of_baseline) {
		c->p += strlen("baseline");
		if (star(c))
			read_number(c, &x);
		else if (tm_decimal_read(&x, "1", 1) != TM_ST_OK)
			c->no_memory = c->failed = true;
	} else {
		read_number(c, &x);
		if (!c->failed && star(c)) {
			of_baseline = at_word(c, "baseline");
			if (!of_baseline)
				wrong(c, c->p, "expected baseline after *");
			c->p += of_baseline ? strlen("baseline") : 0;
		}
	}
	if (of_baseline) {
		r->baseline = true;
		add(c, &r->factor, &x, minus);
	} else if (!c->failed) {
		const struct tm_check_unit *u = read_unit(c, r);

		if (!c->failed && !tm_unit_to_base(&base, &x, u))
			c->no_memory = c->failed = true;
		add(c, &r->offset, &base, minus);
	}
	tm_decimal_fini(&x);
	tm_decimal_fini(&base);
}

static void read_bound(struct cursor *c, struct tm_rule *r)
{
	bool minus;

	blanks(c);
	minus = c->p < c->end && *c->p == '-';
	c->p += minus;
	for (;;) {
		blanks(c);
		read_term(c, r, minus);
		blanks(c);
		if (c->failed || c->p >= c->end || (*c->p != '+' && *c->p != '-'))
			return;
		minus = *c->p++ == '-';
	}
}

/* ---- all of it ---- */

static void rule_fini(struct tm_rule *r)
{
	for (size_t i = 0; i < r->nselect; i++) {
		free(r->select[i].column);
		free(r->select[i].glob);
	}
	free(r->select);
	free(r->text);
	free(r->ref);
	free(r->table);
	free(r->options);
	free(r->column);
	tm_decimal_fini(&r->factor);
	tm_decimal_fini(&r->offset);
}

/* Where the comment begins: a # that no quote hides. */
static const char *without_comment(const char *p, const char *end)
{
	bool quote = false;

	for (; p < end; p++) {
		if (*p == '\\' && quote && p + 1 < end)
			p++;
		else if (*p == '"')
			quote = !quote;
		else if (*p == '#' && !quote)
			return p;
	}
	return end;
}

static bool parse_line(struct tm_rules *rs, struct cursor *c)
{
	struct tm_rule r = { .origin = c->origin, .line = c->line };
	size_t stem;

	while (c->end > c->p && (c->end[-1] == ' ' || c->end[-1] == '\t' || c->end[-1] == '\r'))
		c->end--;
	blanks(c);
	if (c->p == c->end && c->origin)
		return true;
	r.at = (size_t)(c->p - c->from) + 1;
	r.text = keep(c, c->p, (size_t)(c->end - c->p));
	read_ref(c, &r);
	if (!c->failed) {
		r.unit = tm_unit_of_column(r.column, &stem);
		read_op(c, &r);
	}
	if (!c->failed)
		read_bound(c, &r);
	if (!c->failed && c->p < c->end)
		wrong(c, c->p, "unexpected '%.*s'", (int)(c->end - c->p < 40 ? c->end - c->p : 40),
		      c->p);
	if (!c->failed && !tm_grow_array(&rs->v, &rs->cap, rs->n + 1, sizeof *rs->v))
		c->no_memory = c->failed = true;
	if (c->failed)
		rule_fini(&r);
	else
		rs->v[rs->n++] = r;
	return !c->no_memory;
}

bool tm_rules_parse(struct tm_rules *r, const char *origin, const char *text, size_t n,
                    struct tm_report *rep)
{
	const char *p = text, *end = text + n;
	uint64_t line = 0;

	if (n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
		p += 3;
	do {
		const char *eol = origin ? memchr(p, '\n', (size_t)(end - p)) : NULL;
		const char *to = eol ? eol : end;
		struct cursor c = { .from = p,
			            .p = p,
			            .end = origin ? without_comment(p, to) : to,
			            .origin = origin,
			            .line = origin ? ++line : 0,
			            .rep = rep };

		if (!parse_line(r, &c))
			return false;
		p = eol ? eol + 1 : end;
	} while (p < end);
	return !rep->lost;
}

bool tm_rule_glob(const char *glob, const char *s, size_t n)
{
	const char *p = glob, *star = NULL;
	size_t i = 0, from = 0;

	while (i < n) {
		const char *lit = *p == '\\' && p[1] ? p + 1 : p;

		if (*p == '*') {
			star = ++p;
			from = i;
		} else if (*p && ((lit == p && *p == '?') || *lit == s[i])) {
			p = lit + 1;
			i++;
		} else if (star) {
			p = star;
			i = ++from;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

void tm_rules_fini(struct tm_rules *r)
{
	for (size_t i = 0; i < r->n; i++)
		rule_fini(&r->v[i]);
	free(r->v);
	*r = (struct tm_rules) { 0 };
}
