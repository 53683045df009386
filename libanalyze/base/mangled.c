/* SPDX-License-Identifier: MIT
 *
 * A recursive descent through the Itanium grammar that copies as it goes: only to find where the
 * argument after a declaration ends.  What it does not know it refuses. */
#include "base/mangled.h"

#include <string.h>

enum { DEPTH = 300 };

struct tm_walk {
	const char *p, *end;
	struct tm_buf *out;
	unsigned depth;
	bool found; /* a declaration */
};

static bool type(struct tm_walk *w);
static bool name(struct tm_walk *w);
static bool encoding(struct tm_walk *w);
static bool expression(struct tm_walk *w);
static bool template_args(struct tm_walk *w);

static char peek(const struct tm_walk *w, size_t at)
{
	return (size_t)(w->end - w->p) > at ? w->p[at] : '\0';
}

static bool take(struct tm_walk *w, size_t n)
{
	if ((size_t)(w->end - w->p) < n || !tm_buf_add(w->out, w->p, n))
		return false;
	w->p += n;
	return true;
}

static bool take_if(struct tm_walk *w, char c)
{
	return peek(w, 0) == c && take(w, 1);
}

static bool looking_at(const struct tm_walk *w, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(w->end - w->p) >= n && !memcmp(w->p, word, n);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

/* Digits, then one more character. */
static bool number_then(struct tm_walk *w, char last)
{
	while (is_digit(peek(w, 0)))
		if (!take(w, 1))
			return false;
	return take_if(w, last);
}

static bool source_name(struct tm_walk *w)
{
	size_t n = 0;

	if (!is_digit(peek(w, 0)))
		return false;
	while (is_digit(peek(w, 0))) {
		n = n * 10 + (size_t)(peek(w, 0) - '0');
		if (n > (size_t)(w->end - w->p) || !take(w, 1))
			return false;
	}
	return n > 0 && take(w, n);
}

/* Items up to an E, which is taken. */
static bool until_end(struct tm_walk *w, bool (*item)(struct tm_walk *))
{
	while (!take_if(w, 'E'))
		if (!item(w))
			return false;
	return true;
}

/* T_, T0_, TL0__ */
static bool template_param(struct tm_walk *w)
{
	if (!take(w, 1))
		return false;
	if (take_if(w, 'L') && !number_then(w, '_'))
		return false;
	return number_then(w, '_');
}

/* S_, S1A_, Sa; not St */
static bool substitution(struct tm_walk *w)
{
	if (!take(w, 1))
		return false;
	if (is_lower(peek(w, 0)))
		return take(w, 1);
	while (is_digit(peek(w, 0)) || (peek(w, 0) >= 'A' && peek(w, 0) <= 'Z'))
		if (!take(w, 1))
			return false;
	return take_if(w, '_');
}

static bool is_declaration(const struct tm_walk *w)
{
	return peek(w, 0) == 'T' && strchr("ynktp", peek(w, 1)) && peek(w, 1);
}

/* A declaration in the head of a lambda, which the demangler knows. */
static bool head(struct tm_walk *w)
{
	char c = peek(w, 1);

	if (!is_declaration(w) || !take(w, 2))
		return false;
	if (c == 'n')
		return type(w);
	if (c == 'k')
		return name(w);
	return c == 'y' || (c == 'p' ? head(w) : until_end(w, head));
}

/* One of a type or a template, which says nothing that its argument does not. */
static bool drop_declaration(struct tm_walk *w)
{
	w->found = true;
	if (looking_at(w, "Ty")) {
		w->p += 2;
		return true;
	}
	if (!looking_at(w, "Tt"))
		return false;
	for (w->p += 2; peek(w, 0) != 'E';)
		if (!drop_declaration(w))
			return false;
	w->p++;
	return true;
}

/* Ut_, UlvE_, UlTyvE0_ */
static bool unnamed(struct tm_walk *w)
{
	bool lambda = peek(w, 1) == 'l';

	if (!take(w, 2))
		return false;
	while (lambda && is_declaration(w))
		if (!head(w))
			return false;
	if (lambda && !until_end(w, type))
		return false;
	return number_then(w, '_');
}

static bool operator_name(struct tm_walk *w)
{
	if (looking_at(w, "cv"))
		return take(w, 2) && type(w);
	if (looking_at(w, "li"))
		return take(w, 2) && source_name(w);
	return is_lower(peek(w, 0)) && take(w, 2);
}

/* Dt or DT, an expression, E */
static bool decltype_of(struct tm_walk *w)
{
	return take(w, 2) && expression(w) && take_if(w, 'E');
}

static bool unqualified(struct tm_walk *w)
{
	bool ok;

	take_if(w, 'L'); /* of internal linkage */
	if (is_digit(peek(w, 0)))
		ok = source_name(w);
	else if (peek(w, 0) == 'U' && (peek(w, 1) == 't' || peek(w, 1) == 'l'))
		ok = unnamed(w);
	else if ((peek(w, 0) == 'C' || peek(w, 0) == 'D') && is_digit(peek(w, 1)))
		ok = take(w, 2);
	else
		ok = operator_name(w);
	while (ok && take_if(w, 'B'))
		ok = source_name(w);
	return ok;
}

static bool nested_part(struct tm_walk *w)
{
	switch (peek(w, 0)) {
	case 'S':
		return peek(w, 1) == 't' ? take(w, 2) : substitution(w);
	case 'T':
		return template_param(w);
	case 'I':
		return template_args(w);
	case 'M':
		return take(w, 1);
	case 'D':
		if (peek(w, 1) == 't' || peek(w, 1) == 'T')
			return decltype_of(w);
		break;
	}
	return unqualified(w);
}

static bool discriminator(struct tm_walk *w)
{
	if (peek(w, 0) != '_')
		return true;
	if (peek(w, 1) == '_')
		return take(w, 2) && number_then(w, '_');
	return !is_digit(peek(w, 1)) || take(w, 2);
}

static bool local_name(struct tm_walk *w)
{
	if (!take(w, 1) || !encoding(w) || !take_if(w, 'E'))
		return false;
	if (take_if(w, 's'))
		return discriminator(w);
	if (take_if(w, 'd') && !number_then(w, '_'))
		return false;
	return name(w) && discriminator(w);
}

static bool name(struct tm_walk *w)
{
	bool ok;

	if (++w->depth > DEPTH)
		return false;
	if (take_if(w, 'N')) {
		while (strchr("rVKRO", peek(w, 0)) && peek(w, 0))
			if (!take(w, 1))
				return false;
		ok = until_end(w, nested_part);
	} else if (peek(w, 0) == 'Z') {
		ok = local_name(w);
	} else {
		if (looking_at(w, "St"))
			ok = take(w, 2) && unqualified(w);
		else
			ok = peek(w, 0) == 'S' ? substitution(w) : unqualified(w);
		if (ok && peek(w, 0) == 'I')
			ok = template_args(w);
	}
	w->depth--;
	return ok;
}

/* ---- types ---- */

/* What begins with D but decltype. */
static bool d_type(struct tm_walk *w)
{
	char c = peek(w, 1);

	if (c == 't' || c == 'T')
		return decltype_of(w);
	if (c == 'p' || c == 'o')
		return take(w, 2) && type(w);
	if (c == 'v') {
		if (!take(w, 2))
			return false;
		return (is_digit(peek(w, 0))
		                ? number_then(w, '_')
		                : take_if(w, '_') || (expression(w) && take_if(w, '_'))) &&
		       type(w);
	}
	if (c == 'F' || c == 'B' || c == 'U') {
		if (!take(w, 2))
			return false;
		while (is_digit(peek(w, 0)))
			if (!take(w, 1))
				return false;
		return take_if(w, '_') ||
		       ((take_if(w, 'b') || take_if(w, 'x')) && (take_if(w, '_') || true));
	}
	return c && strchr("defhiusacn", c) && take(w, 2);
}

static bool array_type(struct tm_walk *w)
{
	if (!take(w, 1))
		return false;
	if (is_digit(peek(w, 0)) ? !number_then(w, '_')
	                         : !take_if(w, '_') && !(expression(w) && take_if(w, '_')))
		return false;
	return type(w);
}

static bool function_type(struct tm_walk *w)
{
	if (!take(w, 1))
		return false;
	take_if(w, 'Y');
	while (!take_if(w, 'E')) {
		if ((peek(w, 0) == 'R' || peek(w, 0) == 'O') && peek(w, 1) == 'E')
			return take(w, 2);
		if (!type(w))
			return false;
	}
	return true;
}

static bool plain_type(struct tm_walk *w)
{
	char c = peek(w, 0);
	bool ok;

	switch (c) {
	case 'D':
		return d_type(w);
	case 'F':
		return function_type(w);
	case 'A':
		return array_type(w);
	case 'M':
		return take(w, 1) && type(w) && type(w);
	case 'T':
		if (peek(w, 1) == 's' || peek(w, 1) == 'u' || peek(w, 1) == 'e')
			return take(w, 2) && name(w);
		ok = template_param(w);
		return ok && (peek(w, 0) != 'I' || template_args(w));
	case 'u':
		ok = take(w, 1) && source_name(w);
		return ok && (peek(w, 0) != 'I' || template_args(w));
	case 'U':
		ok = is_digit(peek(w, 1)) && take(w, 1) && source_name(w);
		return ok && (peek(w, 0) != 'I' || template_args(w)) && type(w);
	default:
		return is_lower(c) ? take(w, 1) : name(w);
	}
}

static bool type(struct tm_walk *w)
{
	bool ok;

	if (++w->depth > DEPTH)
		return false;
	while (strchr("rVKPROCG", peek(w, 0)) && peek(w, 0))
		if (!take(w, 1))
			return false;
	ok = plain_type(w);
	w->depth--;
	return ok;
}

/* ---- template arguments ---- */

/* L, a type and a value, E; or L, a symbol, E */
static bool literal(struct tm_walk *w)
{
	if (!take(w, 1))
		return false;
	if (looking_at(w, "_Z"))
		return take(w, 2) && encoding(w) && take_if(w, 'E');
	if (!type(w))
		return false;
	while (!take_if(w, 'E'))
		if (!peek(w, 0) || !take(w, 1))
			return false;
	return true;
}

static bool template_arg(struct tm_walk *w);

/* A declaration and its argument. */
static bool declared(struct tm_walk *w)
{
	bool concept = peek(w, 1) == 'k', typed = concept || peek(w, 1) == 'n';

	if (looking_at(w, "Tp")) {
		w->p += 2;
		return is_declaration(w) && declared(w);
	}
	if (!typed)
		return drop_declaration(w) && template_arg(w);
	w->p += 2;
	w->found = true;
	return tm_buf_str(w->out, "J" MANGLED_MARK) && (concept ? name(w) : type(w)) &&
	       template_arg(w) && tm_buf_chr(w->out, 'E');
}

static bool template_arg(struct tm_walk *w)
{
	bool ok;

	if (++w->depth > DEPTH)
		return false;
	if (is_declaration(w))
		ok = declared(w);
	else if (take_if(w, 'X'))
		ok = expression(w) && take_if(w, 'E');
	else if (peek(w, 0) == 'L')
		ok = literal(w);
	else if (take_if(w, 'J'))
		ok = until_end(w, template_arg);
	else
		ok = type(w);
	w->depth--;
	return ok;
}

static bool template_args(struct tm_walk *w)
{
	return take(w, 1) && until_end(w, template_arg);
}

/* ---- expressions ---- */

static bool expressions(struct tm_walk *w, unsigned n)
{
	while (n--)
		if (!expression(w))
			return false;
	return true;
}

static bool maybe_args(struct tm_walk *w)
{
	return peek(w, 0) != 'I' || template_args(w);
}

/* fp_, fp0_, fL0p_, fpT */
static bool function_param(struct tm_walk *w)
{
	if (peek(w, 1) == 'L' && (!take(w, 2) || !number_then(w, 'p')))
		return false;
	if (peek(w, 0) == 'f' && !take(w, 2))
		return false;
	if (take_if(w, 'T'))
		return true;
	while (strchr("rVK", peek(w, 0)) && peek(w, 0))
		if (!take(w, 1))
			return false;
	return number_then(w, '_');
}

/* sr, a type, a name; or srN, a type, names, E, a name */
static bool scoped(struct tm_walk *w)
{
	if (!take(w, 2))
		return false;
	if (peek(w, 0) == 'N') {
		if (!take(w, 1) || !type(w) || !until_end(w, nested_part))
			return false;
	} else if (!type(w)) {
		return false;
	}
	if (looking_at(w, "on"))
		return take(w, 2) && operator_name(w) && maybe_args(w);
	return unqualified(w) && maybe_args(w);
}

/* By its two letters: how many expressions follow an operator, 0 = none such. */
static unsigned operands(const struct tm_walk *w)
{
	static const char one[] = "ps ng ad de co nt pp mm aw sz az te nx tw sp gs ";
	static const char three[] = "qu ";
	static const char two[] =
	        "pl mi ml dv rm an or eo aS pL mI mL dV rM aN oR eO ls rs lS rS eq "
	        "ne lt gt le ge ss aa oo cm pm ix ";
	char word[4] = { peek(w, 0), peek(w, 1), ' ', '\0' };

	if (!word[0] || !word[1] || !is_lower(word[0]))
		return 0;
	return strstr(one, word) ? 1 : strstr(two, word) ? 2 : strstr(three, word) ? 3 : 0;
}

static bool call(struct tm_walk *w)
{
	if (looking_at(w, "cv")) {
		if (!take(w, 2) || !type(w))
			return false;
		return take_if(w, '_') ? until_end(w, expression) : expression(w);
	}
	if (looking_at(w, "cl") || looking_at(w, "il"))
		return take(w, 2) && until_end(w, expression);
	if (looking_at(w, "tl"))
		return take(w, 2) && type(w) && until_end(w, expression);
	if (looking_at(w, "sc") || looking_at(w, "cc") || looking_at(w, "dc") ||
	    looking_at(w, "rc"))
		return take(w, 2) && type(w) && expression(w);
	if (looking_at(w, "st") || looking_at(w, "at") || looking_at(w, "ti"))
		return take(w, 2) && type(w);
	if (looking_at(w, "dt") || looking_at(w, "pt"))
		return take(w, 2) && expression(w) && unqualified(w) && maybe_args(w);
	if (looking_at(w, "on"))
		return take(w, 2) && operator_name(w) && maybe_args(w);
	if (looking_at(w, "sP"))
		return take(w, 2) && until_end(w, template_arg);
	if (looking_at(w, "sZ"))
		return take(w, 2) && (peek(w, 0) == 'T' ? template_param(w) : function_param(w));
	return false;
}

static bool plain_expression(struct tm_walk *w)
{
	unsigned n;

	if (peek(w, 0) == 'L')
		return literal(w);
	if (peek(w, 0) == 'T')
		return template_param(w) && maybe_args(w);
	if (is_digit(peek(w, 0)))
		return source_name(w) && maybe_args(w);
	if (looking_at(w, "sr"))
		return scoped(w);
	if (looking_at(w, "fp") || (looking_at(w, "fL") && is_digit(peek(w, 2))))
		return function_param(w);
	if (peek(w, 0) == 'f' && peek(w, 1) && strchr("lrLR", peek(w, 1))) {
		n = peek(w, 1) == 'L' || peek(w, 1) == 'R' ? 2 : 1;
		return take(w, 4) && expressions(w, n);
	}
	if (looking_at(w, "pp_") || looking_at(w, "mm_"))
		return take(w, 3) && expression(w);
	n = operands(w);
	if (n)
		return take(w, 2) && expressions(w, n);
	return call(w);
}

static bool expression(struct tm_walk *w)
{
	bool ok;

	if (++w->depth > DEPTH)
		return false;
	ok = plain_expression(w);
	w->depth--;
	return ok;
}

/* A name, and the types of a function. */
static bool encoding(struct tm_walk *w)
{
	bool ok;

	if (++w->depth > DEPTH)
		return false;
	ok = name(w);
	while (ok && w->p < w->end && peek(w, 0) != 'E' && peek(w, 0) != '.')
		ok = type(w);
	w->depth--;
	return ok;
}

bool tm_mangled_rewrite(struct tm_buf *out, const char *s, size_t n)
{
	struct tm_walk w = { .p = s, .end = s + n, .out = out };

	if (n < 3 || s[0] != '_' || s[1] != 'Z' || !memchr(s, 'T', n))
		return false;
	if (!take(&w, 2) || !encoding(&w) || !w.found)
		return false;
	return take(&w, (size_t)(w.end - w.p)); /* ".kd" and the like */
}
