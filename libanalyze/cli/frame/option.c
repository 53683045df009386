/* SPDX-License-Identifier: MIT */
#include "cli/frame/option.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	PAGE_WIDTH = 80, /* columns of a help page */
	LEFT_MAX = 26,   /* an option wider than this has its text on the next line */
};

/* State of one tm_option_parse. */
struct parse {
	const struct option *const *tables;
	struct option_list *operands;
	struct tm_diag *diag;
	bool stop; /* an option with `last` was met */
};

bool tm_option_list_add(struct option_list *l, const char *word)
{
	if (!tm_grow_array(&l->v, &l->cap, l->n + 1, sizeof *l->v))
		return false;
	l->v[l->n++] = word;
	return true;
}

void tm_option_list_fini(struct option_list *l)
{
	if (!l)
		return;
	free(l->v);
	*l = (struct option_list) { 0 };
}

enum option_owner tm_option_owner(const struct option *const *tables, const struct option *o)
{
	enum option_owner owner = o->refused ? OPTION_DEAD : OPTION_OWN;

	for (; *tables; tables++) {
		for (const struct option *p = *tables; p->name; p++) {
			if (p == o)
				return owner;
			if (strcmp(p->name, o->name) == 0)
				return OPTION_DEAD;
			if (p->letter && p->letter == o->letter)
				owner = OPTION_NO_LETTER;
		}
	}
	return owner;
}

static const struct option *by_letter(const struct option *const *tables, char letter)
{
	for (; *tables; tables++) {
		for (const struct option *o = *tables; o->name; o++) {
			if (o->letter == letter)
				return o;
		}
	}
	return NULL;
}

static const struct option *by_name(const struct option *const *tables, const char *name, size_t n)
{
	for (; *tables; tables++) {
		for (const struct option *o = *tables; o->name; o++) {
			if (strlen(o->name) == n && memcmp(o->name, name, n) == 0)
				return o;
		}
	}
	return NULL;
}

enum { NEAR_MAX = 40 }; /* longer words are no misspelling of anything here */

/* Edits (insert, delete, change, swap neighbors) between two words of at most NEAR_MAX bytes. */
static size_t edits(const char *a, size_t na, const char *b, size_t nb)
{
	size_t row[3][NEAR_MAX + 1]; /* the rows for i - 2, i - 1 and i, in turn */

	for (size_t j = 0; j <= nb; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t *now = row[i % 3], *last = row[(i + 2) % 3], *older = row[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);

			if (last[j] + 1 < best)
				best = last[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    older[j - 2] + 1 < best)
				best = older[j - 2] + 1;
			now[j] = best;
		}
	}
	return row[na % 3][nb];
}

/* The nearest word so far. */
struct near {
	const char *word;
	size_t len;
	const char *best;
	size_t distance;
	const char *begun; /* a word that starts with ours */
	bool ambiguous;    /* more than one does */
};

static void near_try(struct near *near, const char *known)
{
	size_t n = strlen(known), d;

	if (n > NEAR_MAX || near->len > NEAR_MAX)
		return;
	if (near->len && n > near->len && memcmp(known, near->word, near->len) == 0) {
		near->ambiguous |= near->begun && strcmp(near->begun, known) != 0;
		near->begun = known;
	}
	d = edits(near->word, near->len, known, n);
	/* More than a quarter of the letters wrong is another word, not a slip. */
	if (d <= (n + 2) / 4 && d < n && d < near->len && d < near->distance) {
		near->distance = d;
		near->best = known;
	}
}

static const char *near_answer(const struct near *near)
{
	return near->begun && !near->ambiguous ? near->begun : near->best;
}

const char *tm_option_nearest(const char *word, const char *const *known)
{
	struct near near = { .word = word, .len = strlen(word), .distance = SIZE_MAX };

	for (; *known; known++)
		near_try(&near, *known);
	return near_answer(&near);
}

static bool unknown_name(const struct parse *p, const char *name, size_t n)
{
	struct near near = { .word = name, .len = n, .distance = SIZE_MAX };
	const char *best;
	int shown = n < 200 ? (int)n : 200;

	for (const struct option *const *t = p->tables; *t; t++) {
		for (const struct option *o = *t; o->name; o++)
			near_try(&near, o->name);
	}
	best = near_answer(&near);
	if (best)
		tm_diag_set(p->diag, 0, "unknown option --%.*s; did you mean --%s?", shown, name,
		            best);
	else
		tm_diag_set(p->diag, 0, "unknown option --%.*s", shown, name);
	return false;
}

/* Digits, then for `places` > 0 optionally a point and up to that many digits more; the value is
 * scaled by 10^places.  False when the text is anything else; *big when it does not fit. */
static bool parse_number(const char *s, unsigned places, uint64_t *v, bool *big)
{
	bool point = false;
	unsigned after = 0;

	*v = 0;
	*big = false;
	if (*s < '0' || *s > '9')
		return false;
	for (; *s; s++) {
		if (*s == '.' && places && !point && s[1]) {
			point = true;
			continue;
		}
		if (*s < '0' || *s > '9' || (point && after == places))
			return false;
		after += point;
		*big |= __builtin_mul_overflow(*v, (uint64_t)10, v) ||
		        __builtin_add_overflow(*v, (uint64_t)(*s - '0'), v);
	}
	for (; after < places; after++)
		*big |= __builtin_mul_overflow(*v, (uint64_t)10, v);
	return true;
}

/* v in ten-thousandths as people write it, without zeros at the end. */
static bool add_fixed(struct tm_buf *b, uint64_t v)
{
	unsigned frac = (unsigned)(v % 10000);
	int width = 4;

	if (!frac)
		return tm_buf_u64(b, v / 10000);
	for (; frac % 10 == 0; frac /= 10)
		width--;
	return tm_buf_fmt(b, "%" PRIu64 ".%0*u", v / 10000, width, frac);
}

/* "3 or more", "1 to 64": what would have been right. */
static void add_range(struct tm_buf *b, const struct option *o)
{
	bool (*add)(struct tm_buf *, uint64_t) = o->type == OPT_U64 ? tm_buf_u64 : add_fixed;

	add(b, o->min);
	tm_buf_str(b, o->max ? " to " : " or more");
	if (o->max)
		add(b, o->max);
}

static bool set_number(const struct option *o, const char *shown, const char *s, struct tm_diag *d)
{
	unsigned places = o->type == OPT_FIXED ? 4 : 0;
	struct tm_buf range = { 0 };
	bool big, ok;
	uint64_t v;

	ok = parse_number(s, places, &v, &big);
	if (ok && !big && v >= o->min && (!o->max || v <= o->max)) {
		*(uint64_t *)o->value = v;
		return true;
	}
	add_range(&range, o);
	if (range.failed)
		tm_diag_oom(d);
	else if (ok)
		tm_diag_set(d, 0, "%s: %.100s is out of range; give %s", shown, s, range.p);
	else if (places)
		tm_diag_set(d, 0, "%s: '%.100s' is not a number with at most %u decimals; give %s",
		            shown, s, places, range.p);
	else
		tm_diag_set(d, 0, "%s: '%.100s' is not a whole number; give %s", shown, s, range.p);
	tm_buf_fini(&range);
	return false;
}

/* "a, b or c" */
static void add_choices(struct tm_buf *b, const char *const *words)
{
	for (size_t i = 0; words[i]; i++) {
		if (i)
			tm_buf_str(b, words[i + 1] ? ", " : " or ");
		tm_buf_str(b, words[i]);
	}
}

static bool set_choice(const struct option *o, const char *shown, const char *s, struct tm_diag *d)
{
	enum { ROOM = sizeof d->text - 80 }; /* of the list and the value in a message */
	struct tm_buf all = { 0 };
	const char *near;

	for (unsigned i = 0; o->choices[i]; i++) {
		if (strcmp(o->choices[i], s) != 0)
			continue;
		if (o->type == OPT_INDEX)
			*(unsigned *)o->value = i;
		else
			*(const char **)o->value = o->choices[i];
		return true;
	}
	near = tm_option_nearest(s, o->choices);
	add_choices(&all, o->choices);
	if (all.failed)
		tm_diag_oom(d);
	else if (near)
		tm_diag_set(d, 0, "%s: unknown value '%.100s'; did you mean %s?", shown, s, near);
	else if (all.n + strlen(s) > ROOM)
		tm_diag_set(d, 0, "%s: unknown value '%.100s' (--help lists them)", shown, s);
	else
		tm_diag_set(d, 0, "%s: unknown value '%.100s'; choose %s", shown, s,
		            all.p ? all.p : "nothing");
	tm_buf_fini(&all);
	return false;
}

/* Store a value (NULL for a flag).  `shown` is the option as the user wrote it. */
static bool set_value(struct parse *p, const struct option *o, const char *shown, const char *s)
{
	switch (o->type) {
	case OPT_FLAG:
		*(bool *)o->value = true;
		break;
	case OPT_U64:
	case OPT_FIXED:
		if (!set_number(o, shown, s, p->diag))
			return false;
		break;
	case OPT_TEXT:
		*(const char **)o->value = s;
		break;
	case OPT_CHOICE:
	case OPT_INDEX:
		if (!set_choice(o, shown, s, p->diag))
			return false;
		break;
	case OPT_LIST:
		if (!tm_option_list_add(o->value, s)) {
			tm_diag_oom(p->diag);
			return false;
		}
		break;
	}
	if (o->given)
		++*o->given;
	p->stop |= o->last;
	return true;
}

static bool no_value(const struct option *o, const char *shown, struct tm_diag *d)
{
	tm_diag_set(d, 0, "%s needs a value: %s %s", shown, shown, o->arg ? o->arg : "VALUE");
	return false;
}

/* --name, --name=value or --name value; `next` is the word after it or NULL, *used says whether it
 * was taken. */
static bool parse_long(struct parse *p, const char *word, const char *next, bool *used)
{
	const char *name = word + 2, *eq = strchr(name, '=');
	size_t n = eq ? (size_t)(eq - name) : strlen(name);
	const struct option *o = by_name(p->tables, name, n);
	char shown[64] = "--"; /* option names are far shorter */

	if (!o)
		return unknown_name(p, name, n);
	memcpy(shown + 2, o->name, n < sizeof shown - 3 ? n : sizeof shown - 3);
	if (o->type == OPT_FLAG) {
		if (!eq)
			return set_value(p, o, shown, NULL);
		tm_diag_set(p->diag, 0, "%s takes no value; remove '%.100s'", shown, eq);
		return false;
	}
	if (eq)
		return set_value(p, o, shown, eq + 1);
	if (!next)
		return no_value(o, shown, p->diag);
	*used = true;
	return set_value(p, o, shown, next);
}

/* -q, -qv, -n5, -n 5 */
static bool parse_letters(struct parse *p, const char *word, const char *next, bool *used)
{
	for (const char *c = word + 1; *c && !p->stop; c++) {
		const struct option *o = by_letter(p->tables, *c);
		const char shown[] = { '-', *c, '\0' };

		if (!o && by_name(p->tables, word + 1, strlen(word + 1)))
			tm_diag_set(p->diag, 0, "unknown option %.100s; did you mean -%.100s?",
			            word, word);
		else if (!o)
			tm_diag_set(p->diag, 0, "unknown option -%c", *c);
		if (!o)
			return false;
		if (o->type == OPT_FLAG) {
			if (!set_value(p, o, shown, NULL))
				return false;
			if (o->by_letter)
				*o->by_letter = true;
			continue;
		}
		if (c[1])
			return set_value(p, o, shown, c + 1);
		if (!next)
			return no_value(o, shown, p->diag);
		*used = true;
		return set_value(p, o, shown, next);
	}
	return true;
}

bool tm_option_takes_next(const char *word, const struct option *const *tables)
{
	const struct option *o = NULL;

	if (word[0] != '-' || !word[1])
		return false;
	if (word[1] == '-') {
		o = by_name(tables, word + 2, strlen(word + 2));
		return o && o->type != OPT_FLAG;
	}
	for (const char *c = word + 1; *c; c++) {
		o = by_letter(tables, *c);
		if (!o || o->type != OPT_FLAG)
			return o && !c[1];
	}
	return false;
}

bool tm_option_parse(int argc, char *const *argv, const struct option *const *tables,
                     struct option_list *operands, struct tm_diag *d)
{
	struct parse p = { .tables = tables, .operands = operands, .diag = d };
	bool options = true;

	for (int i = 1; i < argc && !p.stop; i++) {
		const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
		bool used = false;

		if (!options || word[0] != '-' || !word[1]) {
			if (!tm_option_list_add(operands, word)) {
				tm_diag_oom(d);
				return false;
			}
		} else if (word[1] != '-') {
			if (!parse_letters(&p, word, next, &used))
				return false;
		} else if (!word[2]) {
			options = false;
			operands->parted = true;
			operands->before = operands->n;
		} else if (!parse_long(&p, word, next, &used)) {
			return false;
		}
		i += used;
	}
	return true;
}

/* Append words from column `at` on, with later lines indented to `indent`.  A line break in the
 * text begins a new line, at the column of the first. */
static void add_wrapped(struct tm_buf *out, const char *s, size_t at, size_t indent)
{
	const size_t begin = at;
	bool first = true; /* on this line */

	while (*s) {
		size_t n = strcspn(s, " \n");

		if (n && !first && at + 1 + n > PAGE_WIDTH) {
			tm_buf_fmt(out, "\n%*s", (int)indent, "");
			at = indent;
			first = true;
		}
		if (n) {
			if (!first)
				tm_buf_chr(out, ' ');
			tm_buf_add(out, s, n);
			at += n + !first;
			first = false;
		}
		s += n;
		if (*s == '\n') {
			tm_buf_fmt(out, "\n%*s", s[1] && s[1] != '\n' ? (int)begin : 0, "");
			at = begin;
			first = true;
		}
		s += *s != '\0';
	}
	tm_buf_chr(out, '\n');
}

/* "-n, --top N" */
static void add_left(struct tm_buf *b, const struct option *o, bool letter)
{
	if (letter && o->letter)
		tm_buf_fmt(b, "-%c, ", o->letter);
	else
		tm_buf_str(b, "    ");
	tm_buf_fmt(b, "--%s", o->name);
	if (o->type != OPT_FLAG)
		tm_buf_fmt(b, " %s", o->arg ? o->arg : "VALUE");
}

static void add_about(struct tm_buf *b, const struct option *o)
{
	tm_buf_str(b, o->about);
	if (o->choices && o->choices[0]) {
		tm_buf_str(b, ": ");
		add_choices(b, o->choices);
	}
	if (o->dflt)
		tm_buf_fmt(b, " (default: %s)", o->dflt);
}

/* One line of a list in two columns; the right one starts at `right`. */
static void add_item(struct tm_buf *out, const struct tm_buf *left, const char *about, size_t right)
{
	tm_buf_fmt(out, "  %s", left->p ? left->p : "");
	if (left->n + 4 > right)
		tm_buf_fmt(out, "\n%*s", (int)right, "");
	else
		tm_buf_fmt(out, "%*s", (int)(right - left->n - 2), "");
	add_wrapped(out, about, right, right);
}

/* Where the right column starts: past the widest left one that is not too wide. */
static size_t right_column(const struct option_page *page, struct tm_buf *left)
{
	size_t widest = 0;

	for (const struct option_command *c = page->commands; c && c->name; c++) {
		size_t n = strlen(c->name);

		if (n <= LEFT_MAX && n > widest)
			widest = n;
	}
	for (const struct option *const *t = page->tables; *t; t++) {
		for (const struct option *o = *t; o->name; o++) {
			tm_buf_clear(left);
			add_left(left, o, true);
			if (left->n <= LEFT_MAX && left->n > widest)
				widest = left->n;
		}
	}
	return widest + 4;
}

static void add_commands(struct tm_buf *out, const struct option_page *page, struct tm_buf *left,
                         size_t right)
{
	const char *group = NULL;

	if (page->commands && page->commands->name)
		tm_buf_str(out, "\nSub-commands:\n");
	for (const struct option_command *c = page->commands; c && c->name; c++) {
		if (c->group && (!group || strcmp(group, c->group) != 0))
			tm_buf_fmt(out, " %s\n", c->group);
		group = c->group;
		tm_buf_clear(left);
		tm_buf_str(left, c->name);
		add_item(out, left, c->about, right);
	}
}

static void add_examples(struct tm_buf *out, const char *examples)
{
	tm_buf_str(out, "\nExamples:\n");
	while (*examples) {
		int n = (int)strcspn(examples, "\n");

		tm_buf_fmt(out, "  %.*s\n", n, examples);
		examples += n + (examples[n] == '\n');
	}
}

static void add_options(struct tm_buf *out, const struct option_page *page, struct tm_buf *left,
                        size_t right)
{
	struct tm_buf about = { 0 };
	const struct option *const *end = page->tables;

	while (*end && !(page->more && end > page->tables))
		end++;
	if (end > page->tables && (end > page->tables + 1 || page->tables[0]->name))
		tm_buf_str(out, "\nOptions:\n");
	for (const struct option *const *t = page->tables; t < end; t++) {
		for (const struct option *o = *t; o->name; o++) {
			enum option_owner owner = tm_option_owner(page->tables, o);

			if (owner == OPTION_DEAD)
				continue;
			tm_buf_clear(left);
			tm_buf_clear(&about);
			add_left(left, o, owner == OPTION_OWN);
			add_about(&about, o);
			add_item(out, left, about.p ? about.p : "", right);
		}
	}
	out->failed |= about.failed;
	tm_buf_fini(&about);
}

bool tm_option_help(struct tm_buf *out, const struct option_page *page)
{
	struct tm_buf left = { 0 };
	size_t right = right_column(page, &left);

	tm_buf_str(out, "usage: ");
	add_wrapped(out, page->usage, 7, 15);
	if (page->about) {
		tm_buf_chr(out, '\n');
		add_wrapped(out, page->about, 0, 0);
	}
	if (page->examples)
		add_examples(out, page->examples);
	add_commands(out, page, &left, right);
	add_options(out, page, &left, right);
	if (page->more || page->trailer) {
		tm_buf_chr(out, '\n');
		tm_buf_str(out, page->more ? page->more : page->trailer);
	}
	out->failed |= left.failed;
	tm_buf_fini(&left);
	return !out->failed;
}
