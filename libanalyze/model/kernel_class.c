/* SPDX-License-Identifier: MIT
 *
 * The rules are tried on two spellings of a kernel, the readable and the mangled, because a rule
 * may be written for either: "aiter::fmha_" and "_ZN5aiter". */
#include "model/kernel_class.h"

#include "base/base.h"
#include "model/automaton.h"
#include "model/classes.h"
#include "model/ere.h"
#include "model/filter.h"
#include "model/kernel_name.h"
#include "model/subject.h"

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

/* Expressions are compiled when a name first gets past their filter: most never are, and all of
 * them would take longer than the rest of a small run.  Compiled for regexec only where an
 * automaton of ours does not do: that is exact for what it understands, and one pass. */
struct tm_rule {
	const char *regex; /* in classes.text */
	size_t class_name; /* in classes.class */
	const char *note;  /* in classes.text: the third column, or NULL */
	bool unknown_only; /* of a doubt: only about kernels that no rule knows */
	struct filter filter;
	enum tm_class_seen sees;

	/* under known.lock */
	struct automaton *automaton;
	bool tried; /* to make one */
	bool compiled;
	regex_t re;
};

struct tm_verdict {
	uint32_t rule; /* 0 = none matches */
	uint8_t seen;  /* enum tm_class_seen */
};

/* What was asked already: several parts of a trace and several rows of a table have the same
 * kernel. */
struct known {
	pthread_mutex_t lock;
	struct tm_names names;
	struct tm_verdict *verdict; /* by id in names */
	size_t cap, bytes, tried;
};

struct tm_rules {
	struct tm_rule *v;
	size_t n, cap;
	struct filters filters; /* by place in v */
};

struct tm_classes {
	char *text;
	struct tm_rules rules, doubts; /* doubts: those of "?class" */
	const char *
	        *class_name; /* distinct; the last is TM_CLASS_UNKNOWN, all others are in text */
	size_t nclasses, class_cap;
	struct tm_names ids; /* of classes but for the last, while the table is read */
	uint64_t copies;     /* that the counts in braces of its rules make, while it is read */
	struct known *known;
};

enum {
	REGEX = 8192,         /* bytes of an expression: regcomp calls itself for each bracket */
	REPEATS = 10000,      /* copies by counts in braces, of an expression */
	REPEATS_ALL = 100000, /* and of all */
};

/* regcomp writes "(x{99}){99}" out, and there is no end to how much memory that takes: how many
 * copies that is at most, as if each count stood inside all others; more than REPEATS if it is
 * more. */
static uint64_t repeats(const char *regex)
{
	uint64_t copies = 1;

	for (const char *p = strchr(regex, '{'); p; p = strchr(p + 1, '{')) {
		const char *digits = p + 1 + strspn(p + 1, "0123456789,");
		uint64_t most = 1;

		for (const char *q = p + 1; *digits == '}' && q < digits;) {
			uint64_t n;
			size_t len = strspn(q, "0123456789");

			if (tm_num_u64(q, len, &n) && n > most)
				most = n;
			q += len + 1;
		}
		if (__builtin_mul_overflow(copies, most, &copies) || copies > REPEATS)
			return REPEATS + 1;
	}
	return copies;
}

/* "\\1": POSIX has none in extended expressions, regexec takes time without end over them. */
static bool refers_back(const char *p)
{
	bool set = false;

	for (; *p; p++) {
		if (set) {
			set = *p != ']';
		} else if (*p == '[') {
			set = true;
			p += p[1] == '^';
			p += p[1] == ']';
		} else if (*p == '\\' && p[1]) {
			p++;
			if (*p >= '1' && *p <= '9')
				return true;
		}
	}
	return false;
}

/* Would it take unreasonable time or memory to compile or to run it?  In a table, with the rules
 * above. */
static bool unreasonable(struct tm_classes *c, const char *regex, uint64_t no, struct tm_diag *d)
{
	uint64_t copies = repeats(regex);

	c->copies += copies > 1 ? copies : 0;
	if (strlen(regex) > REGEX)
		tm_diag_set(d, no, "regular expression is longer than %d bytes: it has %zu", REGEX,
		            strlen(regex));
	else if (copies > REPEATS)
		tm_diag_set(d, no,
		            "bad regular expression \"%.200s\": the product of its repeat counts "
		            "exceeds %d",
		            regex, REPEATS);
	else if (c->copies > REPEATS_ALL)
		tm_diag_set(d, no,
		            "bad regular expression \"%.200s\": its repeat counts and those of the "
		            "rules above exceed %d",
		            regex, REPEATS_ALL);
	else if (refers_back(regex))
		tm_diag_set(d, no,
		            "bad regular expression \"%.200s\": back-references are not supported",
		            regex);
	else
		return false;
	return true;
}

static bool compile(struct tm_rule *r, uint64_t no, struct tm_diag *d)
{
	char why[200];
	int rc;

	rc = regcomp(&r->re, r->regex, REG_EXTENDED | REG_NOSUB);
	if (!rc) {
		r->compiled = true;
		return true;
	}
	regerror(rc, &r->re, why, sizeof why);
	if (rc == REG_ESPACE)
		tm_diag_oom(d);
	else
		tm_diag_set(d, no, "bad regular expression \"%.200s\": %s", r->regex, why);
	return false;
}

/* False when out of memory. */
static bool make_filter(struct tm_rule *r)
{
	struct ere e;
	bool oom, ok = tm_ere_read(&e, r->regex, &oom);

	ok = ok ? tm_filter_make(&r->filter, &e) : !oom;
	tm_ere_fini(&e);
	return ok;
}

/* Whatever it takes to run it.  False when out of memory. */
static bool make_ready(struct tm_rule *r)
{
	struct ere e;
	bool oom = false;

	if (!r->tried) {
		if (tm_ere_read(&e, r->regex, &oom))
			r->automaton = tm_automaton_make(&e, &oom);
		tm_ere_fini(&e);
	}
	r->tried = !oom;
	return !oom && (r->automaton || r->compiled || compile(r, 0, NULL));
}

/* Number of a class, which may be new.  TM_CLASS_UNKNOWN has none before all others have theirs. */
static bool class_id(struct tm_classes *c, const char *class_name, size_t *id)
{
	uint32_t at;

	*id = SIZE_MAX;
	if (strcmp(class_name, TM_CLASS_UNKNOWN) == 0)
		return true;
	at = tm_names_add(&c->ids, class_name, strlen(class_name));
	if (at == TM_NAME_NONE)
		return false;
	*id = at;
	if (at < c->nclasses)
		return true;
	if (!tm_grow_array(&c->class_name, &c->class_cap, c->nclasses + 1, sizeof *c->class_name))
		return false;
	c->class_name[c->nclasses++] = class_name;
	return true;
}

/* TM_CLASS_UNKNOWN is last, wherever the table mentions it. */
static bool end_classes(struct tm_classes *c)
{
	if (!tm_grow_array(&c->class_name, &c->class_cap, c->nclasses + 1, sizeof *c->class_name))
		return false;
	for (size_t i = 0; i < c->rules.n; i++)
		if (c->rules.v[i].class_name == SIZE_MAX)
			c->rules.v[i].class_name = c->nclasses;
	for (size_t i = 0; i < c->doubts.n; i++)
		if (c->doubts.v[i].class_name == SIZE_MAX)
			c->doubts.v[i].class_name = c->nclasses;
	c->class_name[c->nclasses++] = TM_CLASS_UNKNOWN;
	tm_names_fini(&c->ids);
	return true;
}

/* A rule sees no more than what it speaks of. */
static enum tm_class_seen what_it_sees(const char *regex)
{
	return strchr(regex, '<')    ? TM_SEEN_ARGUMENTS
	       : strstr(regex, "::") ? TM_SEEN_SCOPE
	                             : TM_SEEN_FUNCTION;
}

/* A line taken apart: the rule, with its class's name in *class.  False with *d when it is none. */
static bool read_rule(char *line, struct tm_rule *r, const char **class_name, uint64_t no,
                      struct tm_diag *d)
{
	char *tab = strchr(line, '\t'), *second = tab ? strchr(tab + 1, '\t') : NULL;
	bool doubt = line[0] == '?', only = doubt && line[1] == '?';

	if (!tab) {
		tm_diag_set(d, no, "no tab between class and regular expression");
		return false;
	}
	*tab = '\0';
	if (second)
		*second++ = '\0';
	if (tab == line + doubt + only) {
		tm_diag_set(d, no, "the class before the tab is empty");
		return false;
	}
	if (!tab[1]) {
		tm_diag_set(d, no, "the regular expression after the tab is empty");
		return false;
	}
	if (doubt && (!second || !*second)) {
		tm_diag_set(d, no, "a '?' rule needs a reason after a second tab");
		return false;
	}
	if (!doubt && second && strcmp(second, "inside") != 0) {
		tm_diag_set(d, no, "\"%.40s\" after the second tab; only \"inside\" is allowed",
		            second);
		return false;
	}
	*class_name = line + doubt + only;
	*r = (struct tm_rule) { .regex = tab + 1,
		                .note = second,
		                .unknown_only = only,
		                .sees = what_it_sees(tab + 1) };
	return true;
}

/* `now` = compile at once, because the expression may be wrong. */
static bool add_rule(struct tm_classes *c, char *line, uint64_t no, bool now, struct tm_diag *d)
{
	struct tm_rules *all = line[0] == '?' ? &c->doubts : &c->rules;
	const char *class_name;
	struct tm_rule *r;

	if (!tm_grow_array(&all->v, &all->cap, all->n + 1, sizeof *all->v)) {
		tm_diag_oom(d);
		return false;
	}
	r = &all->v[all->n];
	if (!read_rule(line, r, &class_name, no, d))
		return false;
	if (!class_id(c, class_name, &r->class_name)) {
		tm_diag_oom(d);
		return false;
	}
	if (now) {
		if (unreasonable(c, r->regex, no, d) || !compile(r, no, d))
			return false;
		/* Most are never needed. */
		regfree(&r->re);
		r->compiled = false;
	}
	all->n++;
	if (!make_filter(r) || !tm_filters_add(&all->filters, &r->filter, all->n - 1)) {
		tm_diag_oom(d);
		return false;
	}
	return true;
}

/* Takes over the text: a NUL-terminated table, NULL = out of memory. */
static struct tm_classes *parse(char *text, bool now, struct tm_diag *d)
{
	struct tm_classes *c = calloc(1, sizeof *c);
	uint64_t no = 0;

	if (c)
		c->known = calloc(1, sizeof *c->known);
	if (!c || !c->known || !text) {
		tm_diag_oom(d);
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
			tm_classes_free(c);
			return NULL;
		}
	}
	if (c->rules.n == 0)
		tm_diag_set(d, 0, "no rules in the table of kernel classes");
	else if (end_classes(c))
		return c;
	else
		tm_diag_oom(d);
	tm_classes_free(c);
	return NULL;
}

struct tm_classes *tm_classes_builtin(struct tm_diag *d)
{
	return parse(strdup(tm_kernel_classes_tsv), false, d);
}

/* All of a file into `b`; false with *d filled. */
static bool slurp(const char *path, struct tm_buf *b, struct tm_diag *d)
{
	FILE *f = fopen(path, "rb");
	bool ok = false;
	size_t n;

	if (!f) {
		tm_diag_set(d, 0, "cannot open: %s", strerror(errno));
		return false;
	}
	do {
		if (!tm_buf_reserve(b, 4096)) {
			tm_diag_oom(d);
			goto done;
		}
		n = fread(b->p + b->n, 1, 4096, f);
		b->n += n;
	} while (n == 4096 && b->n <= MAX_TABLE);
	b->p[b->n] = '\0';
	if (ferror(f))
		tm_diag_set(d, 0, "cannot read: %s", strerror(errno));
	else if (b->n > MAX_TABLE)
		tm_diag_set(d, 0, "table of kernel classes is larger than 1 MiB");
	else if (memchr(b->p, '\0', b->n))
		tm_diag_set(d, 0, "NUL byte in table of kernel classes: not a text file");
	else
		ok = true;
done:
	fclose(f);
	return ok;
}

struct tm_classes *tm_classes_load(const char *path, struct tm_diag *d)
{
	struct tm_buf b = { 0 };
	char *text;

	if (!slurp(path, &b, d)) {
		tm_buf_fini(&b);
		return NULL;
	}
	text = b.p;
	/* A byte order mark would become part of the first class. */
	if (b.n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		memmove(text, text + 3, b.n - 3 + 1);
	return parse(text, true, d);
}

/* A text that rules are asked about, and which of them may match it, a bit each. */
struct look {
	const char *text; /* NULL = not made yet */
	uint64_t *may;
};

/* The texts of a name, each made when first looked at. */
struct looks {
	const struct tm_rules *rules;
	struct subject subject;
	struct look look[TM_SEEN_N];
	struct look inside;
	uint64_t *may; /* of all looks */
};

/* 1 = matches, 0 = does not, -1 = out of memory. */
static int matches(struct tm_rule *r, const char *text)
{
	int rc;

	if (!make_ready(r))
		return -1;
	if (r->automaton)
		return tm_automaton_match(r->automaton, text);
	/* glibc says "no match" when memory ran out; only errno tells. */
	errno = 0;
	rc = regexec(&r->re, text, 0, NULL, 0);
	return !rc ? 1 : rc != REG_NOMATCH || errno == ENOMEM ? -1 : 0;
}

static int asked(const struct looks *l, size_t rule, const struct look *look)
{
	return look->may[rule / 64] >> (rule % 64) & 1 ? matches(&l->rules->v[rule], look->text)
	                                               : 0;
}

static void look_at(const struct looks *l, struct look *look, const char *text)
{
	look->text = text;
	tm_filters_find(&l->rules->filters, text, look->may);
}

/* NULL when out of memory. */
static const struct look *look(struct looks *l, enum tm_class_seen seen)
{
	struct look *look = &l->look[seen];
	char *text;

	if (!look->text) {
		text = tm_subject_text(&l->subject, &seen);
		if (!text)
			return NULL;
		look = &l->look[seen];
		if (!look->text)
			look_at(l, look, text);
	}
	return look;
}

/* *rule = number of the first of the rules from number `from` on that matches, 0 = none; only those
 * that see less than `seen`.  False when out of memory. */
static bool first_match(const struct looks *l, const struct look *look, size_t from,
                        enum tm_class_seen seen, uint32_t *rule)
{
	*rule = 0;
	for (size_t i = from; i < l->rules->n; i++) {
		int hit = l->rules->v[i].sees < seen ? asked(l, i, look) : 0;

		if (hit < 0)
			return false;
		if (hit) {
			*rule = (uint32_t)i + 1;
			break;
		}
	}
	return true;
}

/* If the rule is one for carriers of work, the one below it that knows what is carried. */
static bool look_inside(struct looks *l, struct tm_verdict *v)
{
	const struct look *all;
	const char *args;
	uint32_t rule;

	if (!v->rule || !l->rules->v[v->rule - 1].note)
		return true;
	all = look(l, TM_SEEN_ARGUMENTS);
	if (!all)
		return false;
	args = strchr(all->text, '<');
	if (!args || !tm_subject_is_function(&l->subject))
		return true;
	look_at(l, &l->inside, args);
	if (!first_match(l, &l->inside, v->rule, TM_SEEN_N, &rule))
		return false;
	if (rule) {
		v->rule = rule;
		v->seen = TM_SEEN_ARGUMENTS;
	}
	return true;
}

/* The outermost namespace at the beginning of a text: a library's name, whatever words are in it.
 */
static size_t library(const char *text)
{
	size_t n = strcspn(text, ":<");

	return text[n] == ':' && text[n + 1] == ':' ? n + 2 : 0;
}

/* Ask each rule about what it sees; then all about more and more of the name. */
static bool ask(struct looks *l, struct tm_verdict *v)
{
	const struct look *of;
	struct look inner;

	*v = (struct tm_verdict) { .seen = TM_SEEN_FUNCTION };
	for (size_t i = 0; i < l->rules->n && !v->rule; i++) {
		int hit;

		of = look(l, l->rules->v[i].sees);
		hit = of ? asked(l, i, of) : -1;
		if (hit < 0)
			return false;
		if (hit)
			v->rule = (uint32_t)i + 1;
	}
	for (enum tm_class_seen s = TM_SEEN_SCOPE; s < TM_SEEN_N && !v->rule; s++) {
		of = look(l, s);
		if (!of)
			return false;
		if (of == look(l, s - 1))
			continue;
		v->seen = (uint8_t)s;
		inner = (struct look) { of->text + library(of->text), of->may };
		if (!first_match(l, &inner, 0, s, &v->rule))
			return false;
	}
	return look_inside(l, v);
}

/* Begin with a trimmed name.  False when out of memory. */
static bool looks_make(struct looks *l, const struct tm_rules *rules, const char *name, size_t n)
{
	struct tm_buf full = { 0 };
	size_t words = rules->filters.words;
	bool ok;

	*l = (struct looks) { .rules = rules };
	/* Not the mangled name as well: what it matched would not match where a trace has the same
	 * kernel demangled. */
	if (tm_demangle(&full, name, n))
		ok = tm_subject_take(&l->subject, &full);
	else
		ok = !full.failed && tm_buf_add(&full, name, n) &&
		     tm_subject_take(&l->subject, &full);
	tm_buf_fini(&full);
	l->may = malloc((TM_SEEN_N + 1) * words * sizeof *l->may + 1);
	if (!l->may)
		return false;
	for (size_t i = 0; i < TM_SEEN_N; i++)
		l->look[i].may = l->may + i * words;
	l->inside.may = l->may + TM_SEEN_N * words;
	return ok;
}

static void looks_fini(struct looks *l)
{
	tm_subject_fini(&l->subject);
	free(l->may);
}

/* False when out of memory. */
static bool decide(const struct tm_classes *c, const char *name, size_t n, struct tm_verdict *v)
{
	struct looks l;
	bool ok = looks_make(&l, &c->rules, name, n) && ask(&l, v);

	looks_fini(&l);
	return ok;
}

/* Without memory for it a name is decided again the next time, nothing worse. */
static void remember(struct known *k, const char *name, size_t n, struct tm_verdict v)
{
	if (n > MAX_KNOWN - k->bytes ||
	    !tm_grow_array(&k->verdict, &k->cap, (size_t)k->names.n + 1, sizeof *k->verdict) ||
	    tm_names_add(&k->names, name, n) == TM_NAME_NONE)
		return;
	k->verdict[k->names.n - 1] = v;
	k->bytes += n;
}

bool tm_classes_match(const struct tm_classes *c, const char *name, struct tm_class_match *m)
{
	struct known *k = c->known;
	struct tm_verdict v = { 0 };
	bool ok = true;
	uint32_t id;
	size_t n;

	name = tm_kernel_name_trim(name, strlen(name), &n);
	pthread_mutex_lock(&k->lock);
	id = tm_names_find(&k->names, name, n);
	if (id != TM_NAME_NONE) {
		v = k->verdict[id];
	} else {
		k->tried++;
		ok = decide(c, name, n, &v);
		if (ok)
			remember(k, name, n, v);
	}
	pthread_mutex_unlock(&k->lock);
	*m = tm_classes_rule(c, v.rule);
	m->seen = v.seen;
	return ok;
}

bool tm_classes_doubt(const struct tm_classes *c, const char *name, const struct tm_class_match *m,
                      struct tm_class_doubt *doubt)
{
	struct looks l;
	size_t n;
	int hit = 0;
	bool ok;

	*doubt = (struct tm_class_doubt) { 0 };
	name = tm_kernel_name_trim(name, strlen(name), &n);
	ok = looks_make(&l, &c->doubts, name, n);
	pthread_mutex_lock(&c->known->lock); /* rules learn */
	for (size_t i = 0; ok && !hit && i < c->doubts.n; i++) {
		const struct tm_rule *r = &c->doubts.v[i];
		/* About a kernel that no rule knows all of its name counts. */
		const struct look *of = look(&l, m->rule ? r->sees : TM_SEEN_ARGUMENTS);

		if (r->unknown_only && m->rule)
			continue;
		hit = of ? asked(&l, i, of) : -1;
		if (hit > 0)
			*doubt = (struct tm_class_doubt) { c->class_name[r->class_name], r->note };
	}
	pthread_mutex_unlock(&c->known->lock);
	looks_fini(&l);
	return ok && hit >= 0;
}

size_t tm_classes_tried(const struct tm_classes *c)
{
	size_t n;

	pthread_mutex_lock(&c->known->lock);
	n = c->known->tried;
	pthread_mutex_unlock(&c->known->lock);
	return n;
}

const char *tm_classes_of(const struct tm_classes *c, const char *name, const char **rule)
{
	struct tm_class_match m;
	bool ok = tm_classes_match(c, name, &m);

	if (rule)
		*rule = m.regex;
	return ok ? m.class_name : NULL;
}

size_t tm_classes_count(const struct tm_classes *c)
{
	return c->nclasses;
}

const char *tm_classes_name(const struct tm_classes *c, size_t id)
{
	return c->class_name[id];
}

size_t tm_classes_rules(const struct tm_classes *c)
{
	return c->rules.n;
}

struct tm_class_match tm_classes_rule(const struct tm_classes *c, size_t rule)
{
	size_t id = rule ? c->rules.v[rule - 1].class_name : c->nclasses - 1;

	return (struct tm_class_match) {
		.class_name = c->class_name[id],
		.id = id,
		.rule = rule,
		.regex = rule ? c->rules.v[rule - 1].regex : NULL,
	};
}

static void free_rules(struct tm_rules *r)
{
	for (size_t i = 0; i < r->n; i++) {
		if (r->v[i].compiled)
			regfree(&r->v[i].re);
		tm_automaton_free(r->v[i].automaton);
		tm_filter_fini(&r->v[i].filter);
	}
	tm_filters_fini(&r->filters);
	free(r->v);
}

void tm_classes_free(struct tm_classes *c)
{
	if (!c)
		return;
	free_rules(&c->rules);
	free_rules(&c->doubts);
	pthread_mutex_destroy(&c->known->lock);
	tm_names_fini(&c->known->names);
	free(c->known->verdict);
	free(c->known);
	tm_names_fini(&c->ids);
	free(c->class_name);
	free(c->text);
	free(c);
}
