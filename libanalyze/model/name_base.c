/* SPDX-License-Identifier: MIT */
#include "model/name_base.h"

#include "model/name_scan.h"

#include <string.h>

/* Launchers inside launchers are looked into so often. */
enum { DEPTH = 8 };

/* Does a word begin like that, or, without a star at the end, equal it? */
static bool like(const char *pattern, const char *s, size_t n)
{
	size_t w = strlen(pattern);

	if (pattern[w - 1] == '*')
		return n >= w - 1 && !memcmp(s, pattern, w - 1);
	return n == w && !memcmp(s, pattern, w);
}

static bool is_launcher(const char *s, size_t n)
{
	static const char *const names[] = {
#define LAUNCHER(name) name,
#define LAUNCHED_NOT(prefix)
#include "schemas/kernel_launchers.def"
#undef LAUNCHER
#undef LAUNCHED_NOT
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (like(names[i], s, n))
			return true;
	return false;
}

/* May a template argument, told by its first words, name work?  Not a number, a built-in type or
 * one of the standard library, a tag. */
static bool may_be_work(const char *s, size_t n)
{
	static const char *const never[] = {
		"true",    "false",  "bool",     "char",     "short",  "int",  "long",
		"float",   "double", "half",     "unsigned", "signed", "void", "auto",
		"wchar_t", "const",  "char32_t", "std",      "(*",
	};
	static const char *const tag[] = {
#define LAUNCHER(name)
#define LAUNCHED_NOT(prefix) prefix,
#include "schemas/kernel_launchers.def"
#undef LAUNCHER
#undef LAUNCHED_NOT
	};
	size_t word = 0, last = 0;

	if (!n || name_is_digit(s[0]) || tm_name_looking_at(s, n, 0, "__"))
		return false;
	while (word < n && tm_name_is_ident(s[word]))
		word++;
	if (!word)
		return tm_name_looking_at(s, n, 0, NAME_ANON) || s[0] == '{' || s[0] == '\'';
	for (size_t i = 0; i < sizeof never / sizeof *never; i++)
		if (like(never[i], s, word))
			return false;
	/* A tag may stand in a namespace. */
	while (word < n && tm_name_looking_at(s, n, word, "::")) {
		last = word += 2;
		while (word < n && tm_name_is_ident(s[word]))
			word++;
	}
	for (size_t i = 0; i < sizeof tag / sizeof *tag; i++)
		if (tm_name_looking_at(s, n, last, tag[i]))
			return false;
	return true;
}

/* A component that says nothing alone: "operator()", a lambda. */
static bool is_nameless(const char *s, size_t n, size_t at)
{
	return tm_name_looking_at(s, n, at, "operator") || tm_name_looking_at(s, n, at, "{") ||
	       tm_name_looking_at(s, n, at, "[lambda") || tm_name_looking_at(s, n, at, "'lambda") ||
	       tm_name_looking_at(s, n, at, "$_");
}

/* A qualified name without template arguments and lists of arguments, and where the last component
 * begins that has a name of its own: in the name, and in what was appended. */
struct plain {
	size_t from, own;
};

/* Append it; false, with nothing appended, if the text does not balance. */
static bool add_plain(struct tm_buf *out, const char *s, size_t n, struct tm_buf *stack,
                      struct plain *p)
{
	struct scan k = { .s = s, .n = n, .stack = *stack };
	size_t start = out->n, inside = 0; /* depth of what is left out, plus one */
	bool qualifier = false;
	enum token t;

	*p = (struct plain) { 0, start };
	for (; (t = tm_name_token(&k)) > T_BAD; k.before = t) {
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
		if (k.depth == 0 && t == T_SCOPE) {
			qualifier = false;
			if (k.next < n && !is_nameless(s, n, k.next))
				p->from = k.next;
		}
		/* Neither "(anonymous namespace)::" nor what is left of "<unnamed>::". */
		if (t == T_ANON || (t == T_SCOPE && (out->n == start || out->p[out->n - 1] == ':')))
			continue;
		/* " const" between an enclosing function's arguments and its "::" */
		if (k.depth == 0 && qualifier && t != T_OPEN && t != T_CLOSE && t != T_OTHER)
			continue;
		if (!tm_buf_add(out, s + k.at, k.next - k.at))
			break;
		if (t == T_SCOPE && p->from == k.next)
			p->own = out->n;
	}
	*stack = k.stack;
	while (out->n > start && out->p[out->n - 1] == ' ')
		out->p[--out->n] = '\0'; /* of "operator< <int>" */
	if (t != T_BAD && out->n > p->own)
		return true;
	out->n = start;
	return false;
}

/* What the component at s[0..n), which is the last, launches: the first of its template arguments
 * that may be that. */
static bool find_work(const char *s, size_t n, struct tm_buf *stack, struct slice *work)
{
	struct scan k = { .s = s, .n = n, .stack = *stack };
	size_t word = 0, arg = 0;
	bool found = false;
	enum token t;

	while (word < n && tm_name_is_ident(s[word]))
		word++;
	if (word == n || s[word] != '<' || !is_launcher(s, word))
		return false;
	for (; !found && (t = tm_name_token(&k)) > T_BAD; k.before = t) {
		bool end = (t == T_OTHER && k.depth == 1 && s[k.at] == ',') ||
		           (t == T_CLOSE && k.depth == 0);

		if (end && arg) {
			while (arg < k.at && s[arg] == ' ')
				arg++;
			if (tm_name_looking_at(s, k.at, arg, "void "))
				arg += 5;
			found = may_be_work(s + arg, k.at - arg);
			*work = (struct slice) { .from = arg, .to = k.at };
		}
		if (t == T_CLOSE && k.depth == 0)
			break;
		if (end || (t == T_OPEN && k.depth == 0))
			arg = k.next;
	}
	*stack = k.stack;
	stack->n = 0;
	return found;
}

bool tm_name_scope(struct tm_buf *out, const char *s, size_t n, size_t *own)
{
	struct tm_buf stack = { 0 };
	size_t start = out->n;
	struct slice work;
	struct plain p;
	bool ok = false;

	for (int depth = 0; depth < DEPTH; depth++) {
		ok = add_plain(out, s, n, &stack, &p);
		if (!ok || depth + 1 == DEPTH || !find_work(s + p.from, n - p.from, &stack, &work))
			break;
		out->n = start;
		n = work.to - work.from;
		s += p.from + work.from;
	}
	*own = ok ? p.own : start;
	out->failed |= stack.failed;
	tm_buf_fini(&stack);
	return !out->failed && (ok || tm_buf_add(out, s, n));
}

bool tm_name_base(struct tm_buf *out, const char *s, size_t n)
{
	size_t start = out->n, own;

	if (!tm_name_scope(out, s, n, &own))
		return false;
	memmove(out->p + start, out->p + own, out->n - own + 1);
	out->n -= own - start;
	return true;
}
