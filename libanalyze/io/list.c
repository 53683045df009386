/* SPDX-License-Identifier: MIT
 * As much of YAML as such lists are made of. */
#include "io/list.h"

#include "base/base.h"

#include <string.h>

/* A line: its indentation and what is on it, without spaces after. */
struct line {
	size_t indent, n;
	const char *p;
};

struct text {
	const char *p, *end;
};

/* The next line that says something; false at the end. */
static bool next_line(struct text *t, struct line *l)
{
	while (t->p < t->end) {
		const char *eol = memchr(t->p, '\n', (size_t)(t->end - t->p));
		const char *begin = t->p, *p = t->p, *end = eol ? eol : t->end;

		t->p = eol ? eol + 1 : t->end;
		while (p < end && *p == ' ')
			p++;
		l->indent = (size_t)(p - begin);
		l->p = p;
		while (end > p && (end[-1] == ' ' || end[-1] == '\r' || end[-1] == '\t'))
			end--;
		l->n = (size_t)(end - p);
		if (l->n && *p != '#' && !(l->n == 3 && !memcmp(p, "---", 3)))
			return true;
	}
	return false;
}

/* Is the line "key:" or "key: value"?  *value is what follows. */
static bool is_key(const struct line *l, const char *key, struct line *value)
{
	size_t n = strlen(key);

	if (l->n <= n || memcmp(l->p, key, n) != 0 || l->p[n] != ':' ||
	    (l->n > n + 1 && l->p[n + 1] != ' '))
		return false;
	value->p = l->p + n + 1;
	value->n = l->n - n - 1;
	while (value->n && *value->p == ' ') {
		value->p++;
		value->n--;
	}
	return true;
}

/* A scalar without its quotes. */
static bool give(const char *p, size_t n, list_take take, void *arg)
{
	struct tm_buf b = { 0 };
	char quote = n >= 2 && (*p == '\'' || *p == '"') && p[n - 1] == *p ? *p : '\0';
	bool ok;

	if (quote) {
		p++;
		n -= 2;
	}
	for (size_t i = 0; i < n; i++) {
		/* '' in single quotes, a backslash in double ones. */
		if (i + 1 < n &&
		    ((quote == '\'' && p[i] == '\'') || (quote == '"' && p[i] == '\\')))
			i++;
		tm_buf_chr(&b, p[i]);
	}
	ok = b.failed ? take(arg, NULL, 0) : !b.n || take(arg, b.p, b.n);
	tm_buf_fini(&b);
	return ok;
}

/* [a, b] */
static void give_flow(const struct line *l, list_take take, void *arg)
{
	const char *p = l->p + 1, *end = l->p + l->n;

	if (end > p && end[-1] == ']')
		end--;
	while (p < end) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		const char *stop = comma ? comma : end, *last = stop;

		while (p < last && *p == ' ')
			p++;
		while (last > p && last[-1] == ' ')
			last--;
		if (!give(p, (size_t)(last - p), take, arg))
			return;
		p = comma ? comma + 1 : end;
	}
}

/* Lines that begin with a dash, and those that go on with them: long paths are folded at spaces. */
static void give_items(struct text *t, size_t indent, list_take take, void *arg)
{
	struct tm_buf item = { 0 };
	bool any = false, ok = true;
	struct line l;

	while (ok && next_line(t, &l)) {
		bool dash = l.n >= 2 && l.p[0] == '-' && l.p[1] == ' ' && l.indent >= indent;

		if (!dash && (!any || l.indent <= indent))
			break;
		if (dash && any)
			ok = give(item.p ? item.p : "", item.n, take, arg);
		if (dash)
			tm_buf_clear(&item);
		else
			tm_buf_chr(&item, ' ');
		for (size_t i = 0; dash && l.n && (!i || *l.p == ' '); i++) {
			l.p++;
			l.n--;
		}
		tm_buf_add(&item, l.p, l.n);
		any = true;
	}
	if (item.failed)
		take(arg, NULL, 0);
	else if (ok && any)
		give(item.p ? item.p : "", item.n, take, arg);
	tm_buf_fini(&item);
}

bool tm_list_parse(const char *p, size_t n, list_take take, void *arg)
{
	static const char *const path[] = { "rocprofiler-sdk", "rocpd", "files" };
	struct text t = { p, p + n };
	size_t depth = 0, indent[3] = { 0 };
	struct line l, value;

	while (next_line(&t, &l)) {
		/* Back out of what was left. */
		while (depth && l.indent <= indent[depth - 1])
			depth--;
		if (!is_key(&l, path[depth], &value) || (!depth && l.indent))
			continue;
		indent[depth++] = l.indent;
		if (depth < 3)
			continue;
		if (!value.n)
			give_items(&t, l.indent, take, arg);
		else if (*value.p == '[')
			give_flow(&value, take, arg);
		else
			give(value.p, value.n, take, arg);
		return true;
	}
	return false;
}
