/* SPDX-License-Identifier: MIT
 *
 * The rules are tried on two spellings of a kernel, the readable and the mangled, because a rule
 * may be written for either: "aiter::fmha_" and "_ZN5aiter". */
#include "model/kernel_class.h"

#include "base/buf.h"
#include "base/demangle.h"
#include "base/names.h"
#include "base/num.h"
#include "model/kernel_name.h"
#include "model/priv_automaton.h"
#include "model/priv_classes.h"
#include "model/priv_ere.h"
#include "model/priv_filter.h"

#include <errno.h>
#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a kernel does is said early in its name; and "a.*b" takes time quadratic in the text when a
 * hostile name repeats "a". */
#define MAX_SUBJECT ((size_t)8 << 10)

/* Names of kernels are remembered up to so many bytes in all, so that a file of nothing but names
 * does not take their memory twice. */
#define MAX_KNOWN ((size_t)64 << 20)

/* A table of more than this is a file given by mistake. */
#define MAX_TABLE ((size_t)1 << 20)

/* Expressions are compiled when a name first gets past their filter: most never are, and all of them
 * would take longer than the rest of a small run.  Compiled for regexec only where an automaton of ours
 * does not do: that is exact for what it understands, and one pass. */
struct rule {
	const char *regex; /* in classes.text */
	size_t class;      /* in classes.class */
	struct filter filter;

	/* under known.lock */
	struct automaton *automaton;
	bool tried; /* to make one */
	bool compiled;
	regex_t re;
};

/* What was asked already: several parts of a trace and several rows of a table have the same kernel. */
struct known {
	pthread_mutex_t lock;
	struct names names;
	uint32_t *rule; /* by id in names; 0 = none matches */
	size_t cap, bytes, tried;
};

struct classes {
	char *text;
	struct rule *v;
	size_t n, cap;
	const char **class; /* distinct; the last is CLASS_UNKNOWN, all others are in text */
	size_t nclasses, class_cap;
	struct known *known;
};

enum { REPEATS = 10000 };

/* regcomp writes "(x{99}){99}" out, and there is no end to how much memory that takes: no more than
 * REPEATS copies, as if each count stood inside all others. */
static bool repeats_too_often(const char *regex)
{
	uint64_t copies = 1;

	for (const char *p = strchr(regex, '{'); p; p = strchr(p + 1, '{')) {
		const char *digits = p + 1 + strspn(p + 1, "0123456789,");
		uint64_t most = 1;

		for (const char *q = p + 1; *digits == '}' && q < digits;) {
			uint64_t n;
			size_t len = strspn(q, "0123456789");

			if (num_u64(q, len, &n) && n > most)
				most = n;
			q += len + 1;
		}
		if (__builtin_mul_overflow(copies, most, &copies) || copies > REPEATS)
			return true;
	}
	return false;
}

static bool compile(struct rule *r, uint64_t no, struct diag *d)
{
	char why[200];
	int rc;

	if (repeats_too_often(r->regex)) {
		diag_set(d, no,
		         "bad regular expression \"%.200s\": its counts in braces, multiplied, "
		         "are more than %d",
		         r->regex, REPEATS);
		return false;
	}
	rc = regcomp(&r->re, r->regex, REG_EXTENDED | REG_NOSUB);
	if (!rc) {
		r->compiled = true;
		return true;
	}
	regerror(rc, &r->re, why, sizeof why);
	if (rc == REG_ESPACE)
		diag_oom(d);
	else
		diag_set(d, no, "bad regular expression \"%.200s\": %s", r->regex, why);
	return false;
}

/* False when out of memory. */
static bool make_filter(struct rule *r)
{
	struct ere e;
	bool oom, ok = ere_read(&e, r->regex, &oom);

	ok = ok ? filter_make(&r->filter, &e) : !oom;
	ere_fini(&e);
	return ok;
}

/* Whatever it takes to run it.  False when out of memory. */
static bool make_ready(struct rule *r)
{
	struct ere e;
	bool oom = false;

	if (!r->tried) {
		if (ere_read(&e, r->regex, &oom))
			r->automaton = automaton_make(&e, &oom);
		ere_fini(&e);
	}
	r->tried = !oom;
	return !oom && (r->automaton || r->compiled || compile(r, 0, NULL));
}

/* Number of a class, which may be new.  CLASS_UNKNOWN has none before all others have theirs. */
static bool class_id(struct classes *c, const char *class, size_t *id)
{
	*id = SIZE_MAX;
	if (strcmp(class, CLASS_UNKNOWN) == 0)
		return true;
	for (*id = 0; *id < c->nclasses; ++*id)
		if (strcmp(c->class[*id], class) == 0)
			return true;
	if (!grow_array(&c->class, &c->class_cap, c->nclasses + 1, sizeof *c->class))
		return false;
	c->class[c->nclasses++] = class;
	return true;
}

/* CLASS_UNKNOWN is last, wherever the table mentions it. */
static bool end_classes(struct classes *c)
{
	if (!grow_array(&c->class, &c->class_cap, c->nclasses + 1, sizeof *c->class))
		return false;
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].class == SIZE_MAX)
			c->v[i].class = c->nclasses;
	c->class[c->nclasses++] = CLASS_UNKNOWN;
	return true;
}

/* `now` = compile at once, because the expression may be wrong. */
static bool add_rule(struct classes *c, char *line, uint64_t no, bool now, struct diag *d)
{
	char *tab = strchr(line, '\t');
	struct rule *r;

	if (!tab) {
		diag_set(d, no, "no tab between class and regular expression");
		return false;
	}
	*tab = '\0';
	if (tab == line) {
		diag_set(d, no, "the class before the tab is empty");
		return false;
	}
	if (!tab[1]) {
		diag_set(d, no, "the regular expression behind the tab is empty");
		return false;
	}
	if (!grow_array(&c->v, &c->cap, c->n + 1, sizeof *c->v)) {
		diag_oom(d);
		return false;
	}
	r = &c->v[c->n];
	*r = (struct rule) { .regex = tab + 1 };
	if (!class_id(c, line, &r->class)) {
		diag_oom(d);
		return false;
	}
	if (now && !compile(r, no, d))
		return false;
	c->n++;
	if (!make_filter(r)) {
		diag_oom(d);
		return false;
	}
	return true;
}

/* Takes over the text: a NUL-terminated table, NULL = out of memory. */
static struct classes *parse(char *text, bool now, struct diag *d)
{
	struct classes *c = calloc(1, sizeof *c);
	uint64_t no = 0;

	if (c)
		c->known = calloc(1, sizeof *c->known);
	if (!c || !c->known || !text) {
		diag_oom(d);
		free(text);
		free(c ? c->known : NULL);
		free(c);
		return NULL;
	}
	pthread_mutex_init(&c->known->lock, NULL);
	c->text = text;
	for (char *line = text, *next; line; line = next) {
		size_t n;

		no++;
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		n = strlen(line);
		if (n && line[n - 1] == '\r')
			line[--n] = '\0';
		if (n == 0 || line[0] == '#')
			continue;
		if (!add_rule(c, line, no, now, d)) {
			classes_free(c);
			return NULL;
		}
	}
	if (c->n == 0)
		diag_set(d, 0, "no rules in the table of kernel classes");
	else if (end_classes(c))
		return c;
	else
		diag_oom(d);
	classes_free(c);
	return NULL;
}

struct classes *classes_builtin(struct diag *d)
{
	return parse(strdup(kernel_classes_tsv), false, d);
}

/* All of a file into `b`; false with *d filled. */
static bool slurp(const char *path, struct buf *b, struct diag *d)
{
	FILE *f = fopen(path, "rb");
	bool ok = false;
	size_t n;

	if (!f) {
		diag_set(d, 0, "cannot open: %s", strerror(errno));
		return false;
	}
	do {
		if (!buf_reserve(b, 4096)) {
			diag_oom(d);
			goto done;
		}
		n = fread(b->p + b->n, 1, 4096, f);
		b->n += n;
	} while (n == 4096 && b->n <= MAX_TABLE);
	b->p[b->n] = '\0';
	if (ferror(f))
		diag_set(d, 0, "cannot read: %s", strerror(errno));
	else if (b->n > MAX_TABLE)
		diag_set(d, 0, "a table of kernel classes is not larger than 1 MiB");
	else if (memchr(b->p, '\0', b->n))
		diag_set(d, 0, "NUL byte in a table of kernel classes, which is text");
	else
		ok = true;
done:
	fclose(f);
	return ok;
}

struct classes *classes_load(const char *path, struct diag *d)
{
	struct buf b = { 0 };
	char *text;

	if (!slurp(path, &b, d)) {
		buf_fini(&b);
		return NULL;
	}
	text = b.p;
	/* A byte order mark would become part of the first class. */
	if (b.n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		memmove(text, text + 3, b.n - 3 + 1);
	return parse(text, true, d);
}

/* Append s without "void " in front and without "(anonymous namespace)::". */
static bool add_subject(struct buf *b, const char *s, size_t n)
{
	static const char anon[] = "(anonymous namespace)::";
	const char *end, *at;

	if (n > 5 && memcmp(s, "void ", 5) == 0) {
		s += 5;
		n -= 5;
	}
	end = s + n;
	while ((at = memmem(s, (size_t)(end - s), anon, sizeof anon - 1))) {
		if (!buf_add(b, s, (size_t)(at - s)))
			return false;
		s = at + sizeof anon - 1;
	}
	return buf_add(b, s, (size_t)(end - s));
}

/* 1 = matches, 0 = does not, -1 = out of memory. */
static int matches(struct rule *r, const struct pairs *p, const char *text)
{
	int rc;

	if (!text || !filter_passes(&r->filter, p, text))
		return 0;
	if (!make_ready(r))
		return -1;
	if (r->automaton)
		return automaton_match(r->automaton, text);
	/* glibc says "no match" when memory ran out; only errno tells. */
	errno = 0;
	rc = regexec(&r->re, text, 0, NULL, 0);
	return !rc ? 1 : rc != REG_NOMATCH || errno == ENOMEM ? -1 : 0;
}

/* *rule = the first one that matches either text, NULL = none.  False when out of memory. */
static bool first_match(const struct classes *c, const char *a, const char *b,
                        const struct rule **rule)
{
	struct pairs pairs = { 0 };

	*rule = NULL;
	if (a)
		pairs_add(&pairs, a);
	if (b)
		pairs_add(&pairs, b);
	for (size_t i = 0; i < c->n && !*rule; i++) {
		int hit = matches(&c->v[i], &pairs, a);

		if (!hit)
			hit = matches(&c->v[i], &pairs, b);
		if (hit < 0)
			return false;
		if (hit)
			*rule = &c->v[i];
	}
	return true;
}

/* *rule = number of the rule for a trimmed name, 0 = none.  False when out of memory. */
static bool decide(const struct classes *c, const char *name, size_t n, uint32_t *rule)
{
	struct buf full = { 0 }, subject = { 0 };
	char raw[MAX_SUBJECT + 1];
	const struct rule *r = NULL;
	bool mangled = demangle(&full, name, n), ok;

	if (n > MAX_SUBJECT)
		n = MAX_SUBJECT;
	memcpy(raw, name, n);
	raw[n] = '\0';
	if (mangled)
		add_subject(&subject, full.p, full.n < MAX_SUBJECT ? full.n : MAX_SUBJECT);
	else
		add_subject(&subject, raw, n);
	/* Not the mangled name as well: what it matched would not match where a trace has the same
	 * kernel demangled. */
	ok = !full.failed && !subject.failed && first_match(c, subject.p, NULL, &r);
	buf_fini(&full);
	buf_fini(&subject);
	*rule = r ? (uint32_t)(r - c->v) + 1 : 0;
	return ok;
}

/* Without memory for it a name is decided again the next time, nothing worse. */
static void remember(struct known *k, const char *name, size_t n, uint32_t rule)
{
	if (n > MAX_KNOWN - k->bytes ||
	    !grow_array(&k->rule, &k->cap, (size_t)k->names.n + 1, sizeof *k->rule) ||
	    names_add(&k->names, name, n) == NAME_NONE)
		return;
	k->rule[k->names.n - 1] = rule;
	k->bytes += n;
}

bool classes_match(const struct classes *c, const char *name, struct class_match *m)
{
	struct known *k = c->known;
	uint32_t id, rule = 0;
	bool ok = true;
	size_t n;

	name = kernel_name_trim(name, strlen(name), &n);
	pthread_mutex_lock(&k->lock);
	id = names_find(&k->names, name, n);
	if (id != NAME_NONE) {
		rule = k->rule[id];
	} else {
		k->tried++;
		ok = decide(c, name, n, &rule);
		if (ok)
			remember(k, name, n, rule);
	}
	pthread_mutex_unlock(&k->lock);
	*m = classes_rule(c, rule);
	return ok;
}

size_t classes_tried(const struct classes *c)
{
	size_t n;

	pthread_mutex_lock(&c->known->lock);
	n = c->known->tried;
	pthread_mutex_unlock(&c->known->lock);
	return n;
}

const char *classes_of(const struct classes *c, const char *name, const char **rule)
{
	struct class_match m;
	bool ok = classes_match(c, name, &m);

	if (rule)
		*rule = m.regex;
	return ok ? m.class : NULL;
}

size_t classes_count(const struct classes *c)
{
	return c->nclasses;
}

const char *classes_name(const struct classes *c, size_t id)
{
	return c->class[id];
}

size_t classes_rules(const struct classes *c)
{
	return c->n;
}

struct class_match classes_rule(const struct classes *c, size_t rule)
{
	size_t id = rule ? c->v[rule - 1].class : c->nclasses - 1;

	return (struct class_match) {
		.class = c->class[id],
		.id = id,
		.rule = rule,
		.regex = rule ? c->v[rule - 1].regex : NULL,
	};
}

void classes_free(struct classes *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++) {
		if (c->v[i].compiled)
			regfree(&c->v[i].re);
		automaton_free(c->v[i].automaton);
		filter_fini(&c->v[i].filter);
	}
	pthread_mutex_destroy(&c->known->lock);
	names_fini(&c->known->names);
	free(c->known->rule);
	free(c->known);
	free(c->v);
	free(c->class);
	free(c->text);
	free(c);
}
