/* SPDX-License-Identifier: MIT
 *
 * What POSIX leaves open, or GNU adds, is not understood: whoever wants to know asks regexec, which
 * decides.  "Understood" must mean the same as there. */
#include "model/ere.h"

#include "base/base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 16, REPEATS = 32 };

struct cursor {
	struct ere *e;
	const char *p;
	bool *oom;
};

static const uint32_t NOTHING = UINT32_MAX; /* not understood */

static uint32_t add_node(struct cursor *c, enum ere_kind kind, uint32_t value)
{
	struct ere *e = c->e;

	if (e->n >= UINT32_MAX - 1 ||
	    !tm_grow_array(&e->node, &e->cap, e->n + 1, sizeof *e->node)) {
		*c->oom = true;
		return NOTHING;
	}
	e->node[e->n] = (struct ere_node) { .kind = kind, .value = value, .min = 1, .max = 1 };
	return (uint32_t)e->n++;
}

static void set_add(struct ere_set *s, unsigned from, unsigned to)
{
	for (unsigned b = from; b <= to; b++)
		s->bit[b / 64] |= UINT64_C(1) << (b % 64);
}

/* A class "[:alpha:]" at p, of the C locale whatever the locale is; false when it is none. */
static bool set_class(struct ere_set *s, const char **p)
{
	static const struct {
		const char *name, *ranges; /* pairs: from, to */
	} classes[] = {
		{ "[:alnum:]", "09AZaz" }, { "[:alpha:]", "AZaz" },     { "[:digit:]", "09" },
		{ "[:lower:]", "az" },     { "[:punct:]", "!/:@[`{~" }, { "[:space:]", "\t\r  " },
		{ "[:upper:]", "AZ" },     { "[:xdigit:]", "09AFaf" },
	};

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
		size_t n = strlen(classes[i].name);

		if (strncmp(*p, classes[i].name, n) != 0)
			continue;
		for (const char *r = classes[i].ranges; *r; r += 2)
			set_add(s, (unsigned char)r[0], (unsigned char)r[1]);
		*p += n;
		return true;
	}
	return false;
}

/* What is between the brackets.  Not bytes outside ASCII, which some locales sort elsewhere. */
static bool read_set(struct cursor *c, struct ere_set *s)
{
	const char *p = c->p + 1;
	bool not = *p == '^';
	const char *first = p += not ;

	for (; *p != ']' || p == first; p++) {
		unsigned from = (unsigned char)*p, to = from;

		if (!from || from > 127 ||
		    (from == '-' && p[1] != ']' && (p != first || p[1] == '-')))
			return false;
		if (from == '[' && strchr(".=:", p[1])) {
			if (!set_class(s, &p))
				return false;
			p--;
			/* No range begins with a class. */
			if (p[1] == '-' && p[2] != ']')
				return false;
			continue;
		}
		if (p[1] == '-' && p[2] != ']') {
			to = (unsigned char)p[2];
			if (to < from || to > 127 || to == '[' || to == '-')
				return false;
			p += 2;
		}
		set_add(s, from, to);
	}
	for (size_t i = 0; not &&i < 4; i++)
		s->bit[i] = ~s->bit[i];
	c->p = p + 1;
	return true;
}

static uint32_t add_set(struct cursor *c, const struct ere_set *s)
{
	struct ere *e = c->e;

	if (!tm_grow_array(&e->set, &e->sets_cap, e->nsets + 1, sizeof *e->set)) {
		*c->oom = true;
		return NOTHING;
	}
	e->set[e->nsets] = *s;
	return add_node(c, ERE_SET, (uint32_t)e->nsets++);
}

/* A number of a {m,n}; false when there is none, or it is large. */
static bool read_count(struct cursor *c, uint8_t *n)
{
	unsigned v = 0;

	if (!isdigit((unsigned char)*c->p))
		return false;
	for (; isdigit((unsigned char)*c->p); c->p++) {
		v = 10 * v + (unsigned)(*c->p - '0');
		if (v > REPEATS)
			return false;
	}
	*n = (uint8_t)v;
	return true;
}

/* How often, if that stands here. */
static bool read_quantifier(struct cursor *c, struct ere_node *node)
{
	switch (*c->p) {
	case '?':
		node->min = 0;
		c->p++;
		break;
	case '*':
	case '+':
		node->min = *c->p++ == '+';
		node->max = ERE_MANY;
		break;
	case '{':
		c->p++;
		if (!read_count(c, &node->min))
			return false;
		node->max = node->min;
		if (*c->p == ',') {
			c->p++;
			node->max = ERE_MANY;
			if (*c->p != '}' && !read_count(c, &node->max))
				return false;
		}
		if (*c->p++ != '}' || !node->max || node->min > node->max)
			return false;
		break;
	default:
		return true;
	}
	return !*c->p || !strchr("?*+{", *c->p);
}

static uint32_t read_choice(struct cursor *c, int depth);

static uint32_t read_item(struct cursor *c, int depth)
{
	struct ere_set s = { 0 };
	uint32_t at;
	char b = *c->p;

	if (b == '^' || b == '$') {
		c->p++;
		/* An anchor is not repeated. */
		return *c->p && strchr("?*+{", *c->p)
		               ? NOTHING
		               : add_node(c, ERE_SYMBOL, b == '^' ? ERE_BEGIN : ERE_END);
	}
	if (b == '(') {
		c->p++;
		at = read_choice(c, depth + 1);
		if (at == NOTHING || *c->p++ != ')')
			return NOTHING;
	} else if (b == '[') {
		at = read_set(c, &s) ? add_set(c, &s) : NOTHING;
	} else if (b == '.') {
		set_add(&s, 1, 255);
		c->p++;
		at = add_set(c, &s);
	} else {
		if (strchr("?*+{", b))
			return NOTHING;
		if (b == '\\') {
			b = *++c->p;
			if (!ispunct((unsigned char)b) || strchr("<>`'", b))
				return NOTHING;
		}
		c->p++;
		at = add_node(c, ERE_SYMBOL, (unsigned char)b);
	}
	return at != NOTHING && read_quantifier(c, &c->e->node[at]) ? at : NOTHING;
}

/* Up to '|', ')' or the end. */
static uint32_t read_branch(struct cursor *c, int depth)
{
	uint32_t branch = add_node(c, ERE_BRANCH, 0), last = NOTHING;

	while (branch != NOTHING && *c->p && *c->p != '|' && *c->p != ')') {
		uint32_t at = read_item(c, depth);

		if (at == NOTHING)
			return NOTHING;
		if (last == NOTHING)
			c->e->node[branch].child = at;
		else
			c->e->node[last].next = at;
		last = at;
	}
	return last == NOTHING ? NOTHING : branch;
}

/* Up to ')' or the end. */
static uint32_t read_choice(struct cursor *c, int depth)
{
	uint32_t choice = depth < DEPTH ? add_node(c, ERE_CHOICE, 0) : NOTHING, last = NOTHING;

	while (choice != NOTHING) {
		uint32_t branch = read_branch(c, depth);

		if (branch == NOTHING)
			return NOTHING;
		if (last == NOTHING)
			c->e->node[choice].child = branch;
		else
			c->e->node[last].next = branch;
		last = branch;
		if (*c->p != '|')
			break;
		c->p++;
	}
	return choice;
}

bool tm_ere_read(struct ere *e, const char *text, bool *oom)
{
	struct cursor c = { .e = e, .p = text, .oom = oom };

	*e = (struct ere) { 0 };
	*oom = false;
	return read_choice(&c, 0) != NOTHING && !*c.p;
}

void tm_ere_fini(struct ere *e)
{
	free(e->node);
	free(e->set);
	*e = (struct ere) { 0 };
}
