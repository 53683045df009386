/* SPDX-License-Identifier: MIT
 *
 * What part of a demangled name is the function?  Answered by tokens and brackets, not by a C++
 * grammar: a name that does not balance, or does not look like a function, is left as it is. */
#include "model/kernel_name.h"

#include "base/demangle.h"

#include <string.h>

static const char anon[] = "(anonymous namespace)";

enum token {
	T_END,   /* end of the text, all brackets closed */
	T_BAD,   /* brackets that do not balance, or out of memory (stack.failed) */
	T_IDENT, /* identifier, keyword or number */
	T_OPER,  /* "operator" with what makes its name: symbol, (), [], conversion type */
	T_ANON,  /* "(anonymous namespace)" */
	T_OPEN,  /* one of ( < [ { */
	T_CLOSE, /* its counterpart */
	T_SCOPE, /* :: */
	T_SPACE, /* one space */
	T_OTHER, /* anything else */
};

struct scan {
	const char *s;
	size_t n;
	size_t at;         /* where the token begins */
	size_t next;       /* and where the following one does */
	size_t depth;      /* open brackets around the token; a bracket counts as outside itself */
	struct buf stack;  /* the opening brackets */
	enum token before; /* the previous token */
};

static bool is_ident(char c)
{
	unsigned char u = (unsigned char)c;

	return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') ||
	       u == '_' || u == '$' || u >= 0x80;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Does the text at s[at..n) begin with that word? */
static bool looking_at(const char *s, size_t n, size_t at, const char *word)
{
	size_t w = strlen(word);

	return n - at >= w && memcmp(s + at, word, w) == 0;
}

/* End of a conversion operator's type: the parenthesis of its (empty) argument list. */
static size_t conversion_end(const char *s, size_t n, size_t i)
{
	size_t depth = 0;

	while (i < n) {
		if (looking_at(s, n, i, anon)) {
			i += sizeof anon - 1;
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

	if (looking_at(s, n, i, "\"\"")) {
		end = i + 2;
		if (end < n && s[end] == ' ')
			end++;
		while (end < n && is_ident(s[end]))
			end++;
	} else if (looking_at(s, n, i, " new") || looking_at(s, n, i, " delete")) {
		end = i + (s[i + 1] == 'n' ? 4 : 7);
		if (looking_at(s, n, end, "[]"))
			end += 2;
	} else if (i + 1 < n && s[i] == ' ' &&
	           (is_ident(s[i + 1]) || looking_at(s, n, i + 1, anon))) {
		return conversion_end(s, n, i + 1);
	} else {
		for (size_t k = 0; k < sizeof symbol / sizeof *symbol; k++)
			if (looking_at(s, n, i, symbol[k])) {
				end = i + strlen(symbol[k]);
				break;
			}
	}
	/* "operator< <int>": the space belongs to the spelling. */
	if (end > i && looking_at(s, n, end, " <"))
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
	return buf_chr(&k->stack, open) ? T_OPEN : T_BAD;
}

/* After a closed parenthesis, "<" is less-than or a shift: a template's name comes before its
 * arguments.  (Comparisons in template arguments are printed with both sides in parentheses.) */
static bool is_less(const struct scan *k)
{
	char c = k->at + 1 < k->n ? k->s[k->at + 1] : '\0';

	return k->before == T_CLOSE && k->s[k->at - 1] == ')' && (c == '(' || c == '<' || c == '=');
}

static enum token token(struct scan *k)
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
	if (is_ident(c)) {
		while (k->next < k->n && is_ident(s[k->next]))
			k->next++;
		if (k->next - k->at == 8 && memcmp(s + k->at, "operator", 8) == 0) {
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
		if (looking_at(s, k->n, k->at, anon)) {
			k->next = k->at + sizeof anon - 1;
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

		if (looking_at(s, n, at, word[i]) && (end == n || !is_ident(s[end])))
			return true;
	}
	return false;
}

struct slice {
	size_t from, to; /* empty when the text is not to be touched */
};

/* The qualified name within "type name<...>(...) qualifiers [with ...]"; empty when the text is not
 * like that.  False when out of memory. */
static bool find_name(const char *s, size_t n, struct slice *r)
{
	struct scan k = { .s = s, .n = n };
	size_t word = 0;           /* behind the last space outside brackets */
	size_t from = 0, args = n; /* the name, if an argument list ends it */
	bool have_args = false;
	size_t end = n; /* of the text without " [with ...]" */
	enum token t;
	bool ok;

	*r = (struct slice) { 0 };
	for (; (t = token(&k)) > T_BAD; k.before = t) {
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
	buf_fini(&k.stack);
	if (t == T_BAD)
		return ok;
	if (have_args && (s[from] != '(' || looking_at(s, n, from, anon)))
		*r = (struct slice) { .from = from, .to = args };
	else if (word == 5 && looking_at(s, n, 0, "void "))
		*r = (struct slice) { .from = 5, .to = end };
	else if (word == 0)
		*r = (struct slice) { .from = 0, .to = end };
	return true;
}

/* Length of a versioned inline namespace at s[at..n), "ROCPRIM_400000_NS::", or 0. */
static size_t inline_namespace(const char *s, size_t n, size_t at)
{
	static const char *const lib[] = { "ROCPRIM_", "HIPCUB_", "THRUST_", "CUB_" };

	if (at > 0 && is_ident(s[at - 1]))
		return 0;
	for (size_t i = 0; i < sizeof lib / sizeof *lib; i++) {
		size_t end = at + strlen(lib[i]);

		if (!looking_at(s, n, at, lib[i]) || end >= n || !is_digit(s[end]))
			continue;
		while (end < n &&
		       (is_digit(s[end]) || (s[end] == '_' && end + 1 < n && is_digit(s[end + 1]))))
			end++;
		if (looking_at(s, n, end, "_NS::"))
			return end + 5 - at;
	}
	return 0;
}

/* Number of digits of a lambda's number that begin at s[at..n): {lambda(int)#2}, 'lambda0'(int),
 * foo::$_3.  They count the lambdas of a function: a new one above renumbers all below. */
static size_t lambda_number(const char *s, size_t n, size_t at)
{
	size_t end = at;

	if (at < 2)
		return 0;
	while (end < n && is_digit(s[end]))
		end++;
	if (at >= 7 && memcmp(s + at - 7, "'lambda", 7) == 0)
		return end < n && s[end] == '\'' ? end - at : 0;
	if (memcmp(s + at - 2, "$_", 2) == 0)
		return at == 2 || s[at - 3] == ':' ? end - at : 0;
	return 0;
}

/* Copy without what changes from build to build. */
static bool add_stable(struct buf *out, const char *s, size_t n)
{
	size_t i = 0, copied = 0;

	while (i < n) {
		size_t skip = 0;

		if (s[i] == '(' && looking_at(s, n, i, "(anonymous namespace)::"))
			skip = sizeof anon - 1 + 2;
		else if (s[i] == 'R' || s[i] == 'H' || s[i] == 'T' || s[i] == 'C')
			skip = inline_namespace(s, n, i);
		else if (is_digit(s[i]))
			skip = lambda_number(s, n, i);
		else if (s[i] == '#' && i > 0 && s[i - 1] == ')') {
			size_t end = i + 1;

			while (end < n && is_digit(s[end]))
				end++;
			if (end > i + 1 && end < n && s[end] == '}')
				skip = end - i;
		}
		if (!skip && is_digit(s[i])) {
			/* one look per number, however long */
			while (i < n && is_digit(s[i]))
				i++;
			continue;
		}
		if (!skip) {
			i++;
			continue;
		}
		if (!buf_add(out, s + copied, i - copied))
			return false;
		i += skip;
		copied = i;
	}
	return buf_add(out, s + copied, n - copied);
}

/* A component that says nothing alone: "operator()", a lambda. */
static bool is_nameless(const char *s, size_t n, size_t at)
{
	return looking_at(s, n, at, "operator") || looking_at(s, n, at, "{") ||
	       looking_at(s, n, at, "'lambda") || looking_at(s, n, at, "$_");
}

/* Where the last component begins that has a name of its own; n if the text does not balance. */
static size_t last_component(const char *s, size_t n, struct buf *stack)
{
	struct scan k = { .s = s, .n = n, .stack = *stack };
	size_t keep = 0;
	enum token t;

	for (; (t = token(&k)) > T_BAD; k.before = t)
		if (t == T_SCOPE && k.depth == 0 && !is_nameless(s, n, k.next) && k.next < n)
			keep = k.next;
	*stack = k.stack;
	return t == T_BAD ? n : keep;
}

/* Append the base form of a short name. */
static bool add_base(struct buf *out, const char *s, size_t n)
{
	struct buf stack = { 0 };
	size_t start = out->n, keep = last_component(s, n, &stack);
	bool bad = keep == n, qualifier = false;
	enum token t = T_END;

	if (!bad) {
		struct scan k = { .s = s + keep, .n = n - keep, .stack = stack };
		size_t inside = 0; /* depth of the bracket whose contents are left out, plus one */

		for (; (t = token(&k)) > T_BAD; k.before = t) {
			bool list = (t == T_OPEN || t == T_CLOSE) && strchr("<>()", k.s[k.at]);

			if (inside) {
				if (t == T_CLOSE && k.depth + 1 == inside)
					inside = 0;
				continue;
			}
			if (t == T_OPEN && list && k.depth == 0) {
				inside = 1;
				qualifier = true;
				continue;
			}
			if (k.depth == 0 && t == T_SCOPE)
				qualifier = false;
			/* " const" between an enclosing function's arguments and its "::" */
			if (k.depth == 0 && qualifier && t != T_OPEN && t != T_CLOSE &&
			    t != T_OTHER)
				continue;
			if (!buf_add(out, k.s + k.at, k.next - k.at))
				break;
		}
		stack = k.stack;
		bad = t == T_BAD;
	}
	if (stack.failed)
		out->failed = true;
	buf_fini(&stack);
	if (out->failed)
		return false;
	while (out->n > start && out->p[out->n - 1] == ' ')
		out->p[--out->n] = '\0'; /* of "operator< <int>" */
	if (!bad && out->n > start)
		return true;
	out->n = start;
	return buf_add(out, s, n);
}

/* Inductor and Triton number the kernels of a compilation: triton_poi_fused_add_7. */
static size_t triton_length(const char *s, size_t n)
{
	size_t end = n;

	if (!looking_at(s, n, 0, "triton_"))
		return n;
	while (end > 0 && is_digit(s[end - 1]))
		end--;
	return end < n && end > 7 && s[end - 1] == '_' ? end - 1 : n;
}

const char *kernel_name_trim(const char *name, size_t len, size_t *n)
{
	static const char *const tail[] = { ".kd", " [clone .kd]", " (.kd)", "(.kd)" };
	bool again = true;

	while (again) {
		again = false;
		if (len > 2 && name[0] == '"' && name[len - 1] == '"') {
			name++;
			len -= 2;
			again = true;
		}
		for (size_t i = 0; i < sizeof tail / sizeof *tail; i++) {
			size_t t = strlen(tail[i]);

			if (len > t && memcmp(name + len - t, tail[i], t) == 0) {
				len -= t;
				again = true;
			}
		}
	}
	*n = len;
	return name;
}

/* Append the short form of a full name, or the base form. */
static bool add_shorter(struct buf *out, const char *s, size_t n, enum name_level level)
{
	struct buf stable = { 0 };
	struct slice r;
	bool ok;

	if (!memchr(s, '(', n) && !memchr(s, '<', n) && !memchr(s, ':', n) && !memchr(s, ' ', n))
		return buf_add(out, s, triton_length(s, n));
	if (!find_name(s, n, &r)) {
		out->failed = true;
		return false;
	}
	if (r.from == r.to)
		return buf_add(out, s, n);
	ok = add_stable(&stable, s + r.from, r.to - r.from);
	if (!ok)
		out->failed = true;
	else if (stable.n == 0)
		ok = buf_add(out, s, n);
	else if (level == NAME_BASE)
		ok = add_base(out, stable.p, stable.n);
	else
		ok = buf_add(out, stable.p, stable.n);
	buf_fini(&stable);
	return ok;
}

bool kernel_name(struct buf *out, const char *name, size_t len, enum name_level level)
{
	struct buf full = { 0 };
	size_t n;
	bool ok;

	name = kernel_name_trim(name, len, &n);
	if (level == NAME_FULL)
		return demangle(out, name, n) || (!out->failed && buf_add(out, name, n));
	if (demangle(&full, name, n)) {
		name = full.p;
		n = full.n;
	}
	ok = !full.failed;
	if (!ok)
		out->failed = true;
	else
		ok = add_shorter(out, name, n, level);
	buf_fini(&full);
	return ok;
}
