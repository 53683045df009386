/* SPDX-License-Identifier: MIT */
#include "model/name_scan.h"

#include <string.h>

/* Sixteen bytes a line, by value. */
static const unsigned char ident[256] = {
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* 0 */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* 16 */
	0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* $ */
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, /* digits */
	0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* capitals */
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, /* and _ */
	0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* letters */
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, /* 112 */
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* what is no ASCII */
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 144 */
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 160 */
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 176 */
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 192 */
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 208 */
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 224 */
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 240 */
};

bool tm_name_is_ident(char c)
{
	return ident[(unsigned char)c];
}

bool tm_name_looking_at(const char *s, size_t n, size_t at, const char *word)
{
	size_t w = strlen(word);

	return n - at >= w && memcmp(s + at, word, w) == 0;
}

/* End of a conversion operator's type: the parenthesis of its (empty) argument list. */
static size_t conversion_end(const char *s, size_t n, size_t i)
{
	size_t depth = 0;

	while (i < n) {
		if (tm_name_looking_at(s, n, i, NAME_ANON)) {
			i += sizeof NAME_ANON - 1;
			continue;
		}
		if (s[i] == '(' && depth == 0)
			break;
		if (s[i] == '<' || s[i] == '(')
			depth++;
		else if (s[i] == '>' || s[i] == ')') {
			if (depth == 0)
				break;
			depth--;
		} else if (s[i] == ',' && depth == 0)
			break;
		i++;
	}
	return i;
}

/* End of the operator name whose keyword ends at `i`; `i` itself when it is an identifier only. */
static size_t operator_end(const char *s, size_t n, size_t i)
{
	/* Longest first. */
	static const char *const symbol[] = {
		"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "&&", "||", "==", "!=",
		"++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "^=", "&=", "|=", "()", "[]", "+",
		"-",   "*",   "/",   "%",   "^",  "&",  "|",  "~",  "!",  "=",  "<",  ">",  ",",
	};
	size_t end = i;

	if (tm_name_looking_at(s, n, i, "\"\"")) {
		end = i + 2;
		if (end < n && s[end] == ' ')
			end++;
		while (end < n && tm_name_is_ident(s[end]))
			end++;
	} else if (tm_name_looking_at(s, n, i, " new") || tm_name_looking_at(s, n, i, " delete")) {
		end = i + (s[i + 1] == 'n' ? 4 : 7);
		if (tm_name_looking_at(s, n, end, "[]"))
			end += 2;
	} else if (i + 1 < n && s[i] == ' ' &&
	           (tm_name_is_ident(s[i + 1]) || tm_name_looking_at(s, n, i + 1, NAME_ANON))) {
		return conversion_end(s, n, i + 1);
	} else {
		for (size_t k = 0; k < sizeof symbol / sizeof *symbol; k++)
			if (tm_name_looking_at(s, n, i, symbol[k])) {
				end = i + strlen(symbol[k]);
				break;
			}
	}
	/* "operator< <int>": the space belongs to the spelling. */
	if (end > i && tm_name_looking_at(s, n, end, " <"))
		end++;
	return end;
}

static enum token bracket_close(struct scan *k, char open)
{
	if (k->stack.n == 0 || k->stack.p[k->stack.n - 1] != open)
		return T_BAD;
	k->depth = --k->stack.n;
	return T_CLOSE;
}

static enum token bracket_open(struct scan *k, char open)
{
	return tm_buf_chr(&k->stack, open) ? T_OPEN : T_BAD;
}

/* After a closed parenthesis, "<" is less-than or a shift: a template's name comes before its
 * arguments.  (Comparisons in template arguments are printed with both sides in parentheses.) */
static bool is_less(const struct scan *k)
{
	char c = k->at + 1 < k->n ? k->s[k->at + 1] : '\0';

	return k->before == T_CLOSE && k->s[k->at - 1] == ')' && (c == '(' || c == '<' || c == '=');
}

enum token tm_name_token(struct scan *k)
{
	const char *s = k->s;
	char c, top;

	k->at = k->next;
	k->depth = k->stack.n;
	if (k->at == k->n)
		return k->stack.n ? T_BAD : T_END;
	c = s[k->at];
	top = k->stack.n ? k->stack.p[k->stack.n - 1] : '\0';
	k->next++;
	if (ident[(unsigned char)c]) {
		size_t next = k->next;

		while (next < k->n && ident[(unsigned char)s[next]])
			next++;
		k->next = next;
		if (next - k->at == 8 && memcmp(s + k->at, "operator", 8) == 0) {
			size_t end = operator_end(s, k->n, k->next);

			if (end > k->next) {
				k->next = end;
				return T_OPER;
			}
		}
		return T_IDENT;
	}
	switch (c) {
	case ' ':
		return T_SPACE;
	case ':':
		if (k->next < k->n && s[k->next] == ':') {
			k->next++;
			return T_SCOPE;
		}
		return T_OTHER;
	case '-':
		if (k->next < k->n && s[k->next] == '>')
			k->next++;
		return T_OTHER;
	case '(':
		if (tm_name_looking_at(s, k->n, k->at, NAME_ANON)) {
			k->next = k->at + sizeof NAME_ANON - 1;
			return T_ANON;
		}
		return bracket_open(k, c);
	case '[':
	case '{':
		return bracket_open(k, c);
	case '<':
		if (is_less(k)) {
			if (s[k->next] == '<')
				k->next++;
			return T_OTHER;
		}
		return bracket_open(k, c);
	case '>':
		/* Greater-than is always printed inside parentheses. */
		if (top && top != '<')
			return T_OTHER;
		return bracket_close(k, '<');
	case ')':
		return bracket_close(k, '(');
	case ']':
		return bracket_close(k, '[');
	case '}':
		return bracket_close(k, '{');
	default:
		return T_OTHER;
	}
}

/* Is s[at..n) what may follow an argument list: " const", " volatile", " &", " &&", " noexcept"? */
static bool is_qualifier(const char *s, size_t n, size_t at)
{
	static const char *const word[] = { "const", "volatile", "&", "noexcept", "restrict" };

	for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
		size_t end = at + strlen(word[i]);

		if (tm_name_looking_at(s, n, at, word[i]) &&
		    (end == n || !tm_name_is_ident(s[end])))
			return true;
	}
	return false;
}

bool tm_name_function(const char *s, size_t n, bool bare, struct slice *r)
{
	struct scan k = { .s = s, .n = n };
	size_t word = 0;           /* after the last space outside brackets */
	size_t from = 0, args = n; /* the name, if an argument list ends it */
	bool have_args = false;
	size_t end = n; /* of the text without " [with ...]" */
	enum token t;
	bool ok;

	*r = (struct slice) { 0 };
	for (; (t = tm_name_token(&k)) > T_BAD; k.before = t) {
		if (k.depth > 0 || end != n)
			continue;
		if (t == T_SPACE) {
			bool behind = k.before == T_CLOSE && s[k.at - 1] == ')';

			if (k.next < n && s[k.next] == '[') {
				end = k.at;
			} else if (!(behind && is_qualifier(s, n, k.next)) &&
			           !(have_args && is_qualifier(s, n, k.next))) {
				word = k.next;
				have_args = false;
			}
		} else if (t == T_OPEN && s[k.at] == '(') {
			bool behind = k.before == T_CLOSE && s[k.at - 1] == ')';

			have_args = k.at > word && !behind && s[k.at - 1] != ' ';
			from = word;
			args = k.at;
		} else if (t == T_SCOPE || t == T_OPER || (t == T_OPEN && s[k.at] == '<')) {
			/* the list was that of an enclosing function */
			have_args = false;
		}
	}
	ok = !k.stack.failed;
	tm_buf_fini(&k.stack);
	if (t == T_BAD)
		return ok;
	if (have_args && (s[from] != '(' || tm_name_looking_at(s, n, from, NAME_ANON)))
		*r = (struct slice) { .from = from, .to = args };
	else if (word == 5 && tm_name_looking_at(s, n, 0, "void "))
		*r = (struct slice) { .from = 5, .to = end };
	else if (word == 0 || (bare && word < end && s[end - 1] == '>'))
		*r = (struct slice) { .from = word, .to = end };
	return true;
}

bool tm_name_close(struct tm_buf *out, const char *s, size_t n)
{
	static const char pair[] = "()<>[]{}";
	struct scan k = { .s = s, .n = n };
	enum token t;
	bool cut;

	while ((t = tm_name_token(&k)) > T_BAD)
		k.before = t;
	cut = t == T_BAD && k.at == n && !k.stack.failed;
	if (cut)
		tm_buf_add(out, s, n);
	while (cut && k.stack.n)
		tm_buf_chr(out, strchr(pair, k.stack.p[--k.stack.n])[1]);
	out->failed |= k.stack.failed;
	tm_buf_fini(&k.stack);
	return cut && !out->failed;
}
