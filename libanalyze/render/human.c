/* SPDX-License-Identifier: MIT
 * Numbers: exact for machines, four significant digits and a unit for people.  Integers all the
 * way, so that no value depends on how a C library prints floating point. */
#include "render/render_parts.h"

#include <stdlib.h>
#include <string.h>

#define ONE 10000 /* 1 in the ten-thousandths of TM_CELL_FIXED */

static const tm_u128 pow10_of[] = { 1, 10, 100, 1000, 10000 };

/* Append q / 10^places with that many decimals, at most 4. */
static void put_places(struct tm_buf *b, tm_u128 q, unsigned places)
{
	char t[5];
	unsigned frac = (unsigned)(q % pow10_of[places]);

	tm_buf_u64(b, (uint64_t)(q / pow10_of[places]));
	if (!places)
		return;
	t[0] = '.';
	for (unsigned i = places; i; i--, frac /= 10)
		t[i] = (char)('0' + frac % 10);
	tm_buf_add(b, t, places + 1);
}

bool tm_put_fixed(struct tm_buf *b, const struct tm_cell *c)
{
	unsigned frac = (unsigned)(c->v.u % ONE);
	char t[5] = { '.' };

	/* Not put_places(): this one is called for millions of cells, and 128-bit division is slow.
	 */
	for (unsigned i = 4; i; i--, frac /= 10)
		t[i] = (char)('0' + frac % 10);
	if (c->neg && c->v.u)
		tm_buf_chr(b, '-');
	tm_buf_u64(b, c->v.u / ONE);
	return tm_buf_add(b, t, sizeof t);
}

tm_u128 tm_cell_value(const struct tm_cell *c)
{
	const double most = 1e30; /* far more than a bar can tell from it */
	double v;

	if (c->type == TM_CELL_U64)
		return (tm_u128)c->v.u * ONE;
	if (c->type == TM_CELL_DIGITS && tm_num_real(c->v.s, c->len, &v) && v > 0)
		return (tm_u128)((v < most ? v : most) * ONE);
	return c->type == TM_CELL_FIXED ? c->v.u : 0;
}

struct tm_step {
	uint64_t size; /* in the base unit; 0 ends the list */
	const char *word;
};

static const struct tm_step ns_steps[] = {
	{ 1, " ns" },         { 1000, " us" },         { 1000000, " ms" },
	{ 1000000000, " s" }, { 60000000000, " min" }, { 3600000000000, " h" },
	{ 0, NULL },
};

enum { STEP_S = 3, STEP_H = 5 }; /* of ns_steps */

static const struct tm_step byte_steps[] = {
	{ 1, " B" },
	{ UINT64_C(1) << 10, " KiB" },
	{ UINT64_C(1) << 20, " MiB" },
	{ UINT64_C(1) << 30, " GiB" },
	{ UINT64_C(1) << 40, " TiB" },
	{ UINT64_C(1) << 50, " PiB" },
	{ UINT64_C(1) << 60, " EiB" },
	{ 0, NULL },
};

/* *q = v / size with as many decimals as give four significant digits (returned). */
static unsigned four_digits(tm_u128 v, uint64_t size, tm_u128 *q)
{
	tm_u128 den = (tm_u128)size * ONE;
	unsigned places = 4;

	for (;; places--) {
		*q = (v * pow10_of[places] + den / 2) / den;
		if (!places || *q < 10000)
			return places;
	}
}

/* The unit is chosen after rounding: 999950 ns is "1.000 ms", never "1000 us". */
static void put_scaled(struct tm_buf *b, const struct tm_cell *c, const struct tm_step *s)
{
	tm_u128 v = tm_cell_value(c), q = v / ONE;
	unsigned places = 0;

	for (;; s++) {
		/* Whole nanoseconds and bytes are exact as they are, and so is nothing. */
		if (s->size > 1 || (c->type == TM_CELL_FIXED && v))
			places = four_digits(v, s->size, &q);
		if (!s[1].size || q < s[1].size / s->size * pow10_of[places])
			break;
		/* 59.995 s rounds to a minute, and is 0.9999 of one. */
		if (v < (tm_u128)s[1].size * ONE)
			v = (tm_u128)s[1].size * ONE;
	}
	put_places(b, q, places);
	tm_buf_str(b, s->word);
}

/* ---- one unit a column ---- */

/* Least but nothing, and most, of those cells that have the unit of the column. */
struct ends {
	tm_u128 least, most;
	bool parts; /* some are no whole numbers */
};

static struct ends ends_of(const struct tm_table *t, size_t col)
{
	struct ends e = { 0 };

	for (size_t r = 0; r < t->nrows; r++) {
		const struct tm_cell *c = &t->cells[r * t->ncols + col];
		tm_u128 v = tm_cell_value(c);

		if (!tm_in_unit_of(c, t->columns[col]) || !v)
			continue;
		e.least = !e.least || v < e.least ? v : e.least;
		e.most = v > e.most ? v : e.most;
		e.parts |= c->type == TM_CELL_FIXED;
	}
	return e;
}

static void join(struct ends *all, const struct ends *e)
{
	if (e->most && (!all->most || e->least < all->least))
		all->least = e->least;
	all->most = e->most > all->most ? e->most : all->most;
	all->parts |= e->parts;
}

/* Digits after the point: of the largest number four in all, and more until the least shows. */
static unsigned places_of(struct ends e, uint64_t size, unsigned digits, unsigned limit)
{
	tm_u128 one = (tm_u128)size * ONE, top = one * 10, low = e.least;
	unsigned places = 3;

	for (; places && e.most >= top; places--)
		top *= 10;
	for (unsigned i = 0; i < places; i++)
		low *= 10;
	for (; places < limit && low < one * digits; places++)
		low *= 10;
	return places;
}

/* A shown column of times, or of sizes, while its unit is chosen. */
struct scaled {
	const struct tm_column *column;
	const struct tm_step *steps;
	struct ends own;
	struct ends ends; /* of all columns that are read together with it */
	size_t step;
};

/* Does its least number have two digits, of three after the point, in that unit?  In minutes and
 * hours it has three: nobody knows how many seconds 0.017 min are. */
static bool shows_least(const struct scaled *s, size_t step)
{
	const unsigned parts = s->steps == ns_steps && step > STEP_S ? 10 : 100;

	return !s->ends.most || s->ends.least * parts >= (tm_u128)s->steps[step].size * ONE;
}

static void choose_step(struct scaled *s)
{
	size_t limit = s->column->unit == TM_UNIT_BYTES ? 6 : STEP_H;

	s->step = 0;
	while (s->step < limit && s->ends.most >= (tm_u128)s->steps[s->step + 1].size * ONE &&
	       shows_least(s, s->step + 1))
		s->step++;
}

static bool ends_with(const char *title, const char *word, size_t *stem)
{
	size_t n = strlen(title), len = strlen(word);

	if (len > n || strcmp(title + n - len, word) != 0 || (len < n && title[n - len - 1] != ' '))
		return false;
	*stem = n - len;
	return true;
}

/* Is it the total, or another one, of two sides? */
static bool is_side(const char *title)
{
	size_t stem;

	return ends_with(title, "A", &stem) || ends_with(title, "B", &stem);
}

/* What of many numbers is it: "QUEUE P99"?  *stem: the bytes before that word.  (A deviation is not
 * read across: it may be tiny.) */
static bool is_of_many(const char *title, size_t *stem)
{
	static const char *const words[] = { "AVG", "MEAN", "MEDIAN", "MIN", "MAX",
		                             "P50", "P90",  "P95",    "P99" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (ends_with(title, words[i], stem))
			return true;
	return false;
}

/* Is it an end of what the row is about?  That of one row is where the next one begins. */
static bool is_edge(const char *title)
{
	return !strcmp(title, "FROM") || !strcmp(title, "TO") || !strcmp(title, "BELOW");
}

/* Columns that are read across have one unit whatever they hold: those that add up, "COMPUTE  +COMM
 * +IDLE" (`sum` is the first of them), both ends, and mean, least and most of the same. */
static bool together(const struct scaled *a, const struct scaled *b, const struct scaled *sum)
{
	const char *x = a->column->title, *y = b->column->title;
	size_t nx = 0, ny = 0;

	if ((a == sum || x[0] == '+') && (b == sum || y[0] == '+'))
		return sum != NULL;
	if (is_edge(x) && is_edge(y))
		return true;
	return is_of_many(x, &nx) && is_of_many(y, &ny) && nx == ny && !strncmp(x, y, nx);
}

static void share_ends(struct scaled *s, size_t n)
{
	const struct scaled *sum = NULL;
	bool sides = false;

	for (size_t i = 0; i < n; i++) {
		sides |= is_side(s[i].column->title);
		if (i && !sum && s[i].column->title[0] == '+')
			sum = &s[i - 1];
	}
	for (size_t i = 0; i < n; i++) {
		s[i].ends = s[i].own;
		for (size_t j = 0; j < n; j++)
			if (sides || together(&s[i], &s[j], sum))
				join(&s[i].ends, &s[j].own);
	}
}

/* The others too, if the largest of the units suits all. */
static void share_step(struct scaled *s, size_t n)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++)
		most = s[i].step > most ? s[i].step : most;
	for (size_t i = 0; i < n; i++)
		if (!shows_least(&s[i], most))
			return;
	for (size_t i = 0; i < n; i++)
		s[i].step = most;
}

/* Of the columns col[0..n) those with `unit`, into out[]. */
static void choose_units(const struct tm_table *t, const size_t *col, size_t n, enum tm_unit unit,
                         enum tm_units units, struct scaled *s, struct one_unit *out)
{
	const bool fixed = unit != TM_UNIT_BYTES && units != TM_UNITS_AUTO;
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (t->columns[col[i]]->unit == unit)
			s[k++] = (struct scaled) {
				.column = t->columns[col[i]],
				.steps = unit == TM_UNIT_BYTES ? byte_steps : ns_steps,
				.own = ends_of(t, col[i]),
				.step = fixed ? (size_t)(units - TM_UNITS_NS) : 0,
			};
	share_ends(s, k);
	if (!fixed) {
		for (size_t i = 0; i < k; i++)
			choose_step(&s[i]);
		if (unit == TM_UNIT_NS)
			share_step(s, k);
	}
	k = 0;
	for (size_t i = 0; i < n; i++) {
		const struct tm_step *step;

		if (t->columns[col[i]]->unit != unit)
			continue;
		step = &s[k].steps[s[k].step];
		out[i] = (struct one_unit) { .size = step->size, .word = step->word };
		if (!s[k].ends.most && !fixed) /* nothing needs no unit */
			out[i] = (struct one_unit) { .size = 1, .word = "" };
		else if (s[k].step || s[k].ends.parts)
			out[i].places = places_of(s[k].ends, step->size, fixed ? 1 : 100,
			                          fixed ? 9 : 3);
		out[i].sign = unit == TM_UNIT_TIME;
		k++;
	}
}

bool tm_units_choose(const struct tm_table *t, const size_t *col, size_t n, enum tm_units units,
                     struct one_unit *out)
{
	struct scaled *s = calloc(n + 1, sizeof *s);

	if (!s)
		return false;
	if (units != TM_UNITS_EACH) {
		choose_units(t, col, n, TM_UNIT_NS, units, s, out);
		choose_units(t, col, n, TM_UNIT_BYTES, units, s, out);
		if (t->relative)
			choose_units(t, col, n, TM_UNIT_TIME, units, s, out);
	}
	free(s);
	return true;
}

void tm_put_in_unit(struct tm_buf *b, const struct tm_cell *c, const struct one_unit *u)
{
	tm_u128 v = tm_cell_value(c), den = (tm_u128)u->size * ONE, scale = 1;
	char digits[16];

	if (!v) {
		tm_buf_fmt(b, "0%*s", u->places ? (int)u->places + 1 : 0, "");
		return;
	}
	for (unsigned i = 0; i < u->places; i++)
		scale *= 10;
	v = (v * scale + den / 2) / den;
	if ((c->neg && v) || u->sign)
		tm_buf_chr(b, c->neg && v ? '-' : '+');
	tm_buf_u64(b, (uint64_t)(v / scale));
	if (!u->places)
		return;
	v %= scale;
	for (unsigned i = u->places; i; i--, v /= 10)
		digits[i - 1] = (char)('0' + (int)(v % 10));
	tm_buf_chr(b, '.');
	tm_buf_add(b, digits, u->places);
}

bool tm_put_human(struct tm_buf *b, const struct tm_cell *c, enum tm_unit unit)
{
	tm_u128 v = tm_cell_value(c);

	if (c->own)
		unit = (enum tm_unit)(c->own - 1);
	/* A loss too small to show is not shown as "-0.00%". */
	if (c->neg && (unit == TM_UNIT_PCT ? v >= 50 : v > 0))
		tm_buf_chr(b, '-');
	switch (unit) {
	case TM_UNIT_TIME:
		if (!c->own) { /* as the clock has it */
			put_places(b, v / ONE, 0);
			break;
		}
		if (!c->neg)
			tm_buf_chr(b, '+');
		put_scaled(b, c, ns_steps);
		break;
	case TM_UNIT_NS:
		put_scaled(b, c, ns_steps);
		break;
	case TM_UNIT_BYTES:
		put_scaled(b, c, byte_steps);
		break;
	case TM_UNIT_PCT:
		put_places(b, (v + 50) / 100, 2);
		tm_buf_chr(b, '%');
		break;
	case TM_UNIT_TEXT:
	case TM_UNIT_COUNT:
	case TM_UNIT_ID:
	case TM_UNIT_RATIO:
		/* Counts are not grouped: right-aligned digits show their magnitude, and the number
		 * on the screen is the one that grep, awk and the csv of the same table know. */
		put_places(b, c->type == TM_CELL_FIXED ? v : v / ONE,
		           c->type == TM_CELL_FIXED ? 4 : 0);
		break;
	}
	return !b->failed;
}
