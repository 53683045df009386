/* SPDX-License-Identifier: MIT */
#include "model/table.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 tm_u128;

#define ONE       10000 /* 1 in the ten-thousandths of TM_CELL_FIXED */
#define OWN_BLOCK 16383 /* bytes: one allocation serves many short names */

/* TM_CELL_FIXED of u ten-thousandths; zero has no sign, so that -0.0000 is never printed.  Where it
 * does not fit, the whole number that is next to it. */
static struct tm_cell cell_fixed(bool neg, tm_u128 u, tm_u128 whole)
{
	if (u > UINT64_MAX)
		return neg || whole > UINT64_MAX ? tm_cell_none() : tm_cell_u64((uint64_t)whole);
	return (struct tm_cell) { .type = TM_CELL_FIXED, .neg = neg && u, .v.u = (uint64_t)u };
}

struct tm_cell tm_cell_real4(double x)
{
	int e;
	uint64_t m;
	tm_u128 p, half;

	if (!isfinite(x))
		return tm_cell_none();
	/* |x| is m * 2^e exactly.  x * 10000.0 would round once before we do, and turn a value just
	 * below a half into the half. */
	m = (uint64_t)ldexp(frexp(fabs(x), &e), 53);
	e -= 53;
	if (!m)
		return cell_fixed(false, 0, 0);
	if (e >= 0) /* at least 2^52, whose ten-thousandths do not fit; past 2^11 nothing does */
		return cell_fixed(x < 0, (tm_u128)UINT64_MAX + 1, (tm_u128)m << (e < 64 ? e : 64));
	if (e < -68) /* m * ONE < 2^67: below half of a ten-thousandth */
		return cell_fixed(false, 0, 0);
	p = (tm_u128)m * ONE;
	half = (tm_u128)1 << (-e - 1);
	return cell_fixed(x < 0, (p + half) >> -e, (m + half) >> -e);
}

struct tm_cell tm_cell_ratio(uint64_t hi, uint64_t lo, uint64_t den)
{
	tm_u128 num = ((tm_u128)hi << 64) | lo, whole, rest;

	if (!den)
		return tm_cell_none();
	/* num * ONE may pass 128 bits; whole and fractional part apart cannot: rest < den < 2^64.
	 */
	whole = num / den;
	rest = num % den;
	return cell_fixed(false,
	                  whole > UINT64_MAX
	                          ? whole
	                          : whole * ONE + (rest * 2 * ONE + den) / ((tm_u128)den * 2),
	                  whole + (rest * 2 >= den));
}

struct tm_cell tm_cell_pct(tm_u128 part, tm_u128 whole)
{
	/* Far more than any trace holds: drop low bits that four decimals cannot show. */
	while (whole >> 64 || part >> 120) {
		whole >>= 1;
		part >>= 1;
	}
	part *= 100;
	return tm_cell_ratio((uint64_t)(part >> 64), (uint64_t)part, (uint64_t)whole);
}

struct tm_cell tm_cell_as_read(const char *s, size_t len)
{
	struct tm_cell c = tm_cell_text(s, len);
	const char *p = s, *end = s + len;
	double v;

	if (p < end && *p == '-')
		p++;
	/* What else a number may be that is none of JSON: "+1", ".5", "1.", "007". */
	if (p < end && *p >= '0' && *p <= '9' &&
	    (*p != '0' || p + 1 == end || p[1] == '.' || p[1] == 'e' || p[1] == 'E')) {
		while (p < end && *p >= '0' && *p <= '9')
			p++;
		if ((p == end || *p != '.' || (p + 1 < end && p[1] >= '0' && p[1] <= '9')) &&
		    tm_num_real(s, len, &v))
			c.type = TM_CELL_DIGITS;
	}
	return c;
}

static void start(struct tm_table *t, size_t ncols)
{
	*t = (struct tm_table) { .columns = calloc(ncols + 1, sizeof(struct tm_column *)) };
	t->failed = !t->columns;
	t->ncols = t->failed ? 0 : ncols;
	t->share.running = t->ncols;
}

void tm_table_init(struct tm_table *t, const struct tm_column *const *columns, size_t ncols)
{
	start(t, ncols);
	for (size_t i = 0; i < t->ncols; i++)
		t->columns[i] = columns[i];
}

void tm_table_init_list(struct tm_table *t, const struct tm_column *columns)
{
	size_t n = 0;

	while (columns[n].name)
		n++;
	start(t, n);
	for (size_t i = 0; i < t->ncols; i++)
		t->columns[i] = &columns[i];
}

size_t tm_table_find(const struct tm_table *t, const char *name)
{
	static const char *const units[] = { "", "_ns", "_pct", "_bytes", "_s", "_w", "_j" };
	size_t n = strlen(name);

	for (size_t u = 0; u < sizeof units / sizeof *units; u++)
		for (size_t i = 0; i < t->ncols; i++)
			if (!strncmp(t->columns[i]->name, name, n) &&
			    !strcmp(t->columns[i]->name + n, units[u]))
				return i;
	return t->ncols;
}

bool tm_table_is_key(const struct tm_table *t, size_t column)
{
	const struct tm_column *c = t->columns[column];

	if (c->which)
		return true;
	for (size_t i = 0; i <= column; i++)
		if (t->columns[i]->unit != TM_UNIT_TEXT && !tm_unit_names(t->columns[i]->unit))
			return false;
	return !c->local && c->unit != TM_UNIT_TIME;
}

struct order {
	const struct tm_table *t;
	const size_t *by;
	size_t n;
};

static int cmp_text(const struct tm_cell *a, const struct tm_cell *b)
{
	int c = memcmp(a->v.s, b->v.s, a->len < b->len ? a->len : b->len);

	return c ? c : (a->len > b->len) - (a->len < b->len);
}

static double real_of(const struct tm_cell *c)
{
	double v = 0;

	if (c->type == TM_CELL_DIGITS && !tm_num_real(c->v.s, c->len, &v))
		return 0;
	if (c->type == TM_CELL_U64 || c->type == TM_CELL_FIXED)
		v = (double)c->v.u / (c->type == TM_CELL_FIXED ? ONE : 1);
	return c->neg ? -v : v;
}

/* Largest first. */
static int cmp_number(const struct tm_cell *a, const struct tm_cell *b)
{
	tm_u128 x = (tm_u128)a->v.u * (a->type == TM_CELL_U64 ? ONE : 1),
	        y = (tm_u128)b->v.u * (b->type == TM_CELL_U64 ? ONE : 1);

	if (a->type == TM_CELL_DIGITS || b->type == TM_CELL_DIGITS)
		return (real_of(a) < real_of(b)) - (real_of(a) > real_of(b));
	if (a->neg != b->neg)
		return a->neg ? 1 : -1;
	return a->neg ? (x > y) - (x < y) : (x < y) - (x > y);
}

static int by_columns(const void *pa, const void *pb, void *arg)
{
	const size_t *a = pa, *b = pb;
	const struct order *o = arg;

	for (size_t i = 0; i < o->n; i++) {
		const struct tm_cell *x = &o->t->cells[*a * o->t->ncols + o->by[i]],
		                     *y = &o->t->cells[*b * o->t->ncols + o->by[i]];
		int c;

		if (x->type == TM_CELL_NONE || y->type == TM_CELL_NONE)
			c = (x->type == TM_CELL_NONE) - (y->type == TM_CELL_NONE);
		else if (x->type == TM_CELL_TEXT || y->type == TM_CELL_TEXT)
			c = x->type == y->type
			            ? cmp_text(x, y)
			            : (x->type == TM_CELL_TEXT) - (y->type == TM_CELL_TEXT);
		else
			c = tm_unit_names(o->t->columns[o->by[i]]->unit) ? cmp_number(y, x)
			                                                 : cmp_number(x, y);
		if (c)
			return c;
	}
	return (*a > *b) - (*a < *b);
}

/* Rows row[0 .. nrows) and columns column[0 .. ncols) of what is there, instead of it. */
static bool rebuild(struct tm_table *t, const size_t *row, const size_t *column, size_t ncols)
{
	struct tm_cell *cells = calloc(t->nrows * ncols + 1, sizeof *cells);

	if (!cells)
		return false;
	for (size_t r = 0; r < t->nrows; r++)
		for (size_t c = 0; c < ncols; c++)
			cells[r * ncols + c] =
			        t->cells[(row ? row[r] : r) * t->ncols + (column ? column[c] : c)];
	free(t->cells);
	t->cells = cells;
	t->cap = t->nrows * ncols + 1;
	return true;
}

/* Shares in the order that the rows have now. */
static bool rebuild_shares(struct tm_table *t, const size_t *row)
{
	tm_u128 *of;

	if (!t->share.of)
		return true;
	of = malloc((t->nrows + 1) * sizeof *of);
	if (!of)
		return false;
	for (size_t r = 0; r < t->nrows; r++)
		of[r] = t->share.of[row[r]];
	free(t->share.of);
	t->share.of = of;
	t->share.cap = t->nrows + 1;
	return true;
}

bool tm_table_sort(struct tm_table *t, const size_t *by, size_t n)
{
	t->look = TM_LOOK_ROWS;
	struct order o = { .t = t, .by = by, .n = n };
	size_t *row = malloc((t->nrows + 1) * sizeof *row);
	bool ok = row != NULL;

	for (size_t i = 0; ok && i < t->nrows; i++)
		row[i] = i;
	if (ok && t->nrows) {
		qsort_r(row + t->pinned, t->nrows - t->pinned - t->kept, sizeof *row, by_columns,
		        &o);
		ok = rebuild(t, row, NULL, t->ncols) && rebuild_shares(t, row);
	}
	free(row);
	return ok;
}

void tm_table_cut(struct tm_table *t, size_t n)
{
	size_t fixed = t->pinned + t->kept, last = t->nrows - t->kept;

	if (t->nrows <= fixed || n >= t->nrows - fixed)
		return;
	if (t->kept && t->share.of)
		memmove(t->share.of + t->pinned + n, t->share.of + last,
		        t->kept * sizeof *t->share.of);
	if (t->kept)
		memmove(t->cells + (t->pinned + n) * t->ncols, t->cells + last * t->ncols,
		        t->kept * t->ncols * sizeof *t->cells);
	t->nrows = fixed + n;
}

bool tm_table_share(struct tm_table *t, tm_u128 of, tm_u128 whole)
{
	if (!tm_grow_array(&t->share.of, &t->share.cap, t->nrows, sizeof *t->share.of))
		return false;
	t->share.of[t->nrows - 1] = of;
	t->share.whole = whole;
	return true;
}

struct tm_cell tm_table_run(struct tm_table *t)
{
	tm_u128 sum = 0;

	if (!t->share.of)
		return tm_cell_none();
	for (size_t r = 0; r < t->nrows; r++) {
		sum += t->share.of[r];
		if (t->share.running < t->ncols)
			t->cells[r * t->ncols + t->share.running] = tm_cell_pct(sum,
			                                                        t->share.whole);
	}
	return tm_cell_pct(sum, t->share.whole);
}

bool tm_table_choose(struct tm_table *t, const size_t *columns, size_t n)
{
	const struct tm_column **chosen = calloc(n + 1, sizeof *chosen);

	if (!chosen || !rebuild(t, NULL, columns, n)) {
		free(chosen);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		chosen[i] = t->columns[columns[i]];
	free(t->columns);
	t->columns = chosen;
	t->ncols = n;
	t->share.running = n;
	return true;
}

bool tm_table_rows(struct tm_table *t, size_t rows)
{
	const size_t used = t->nrows * t->ncols;

	if (t->ncols && rows > (SIZE_MAX - used - 1) / t->ncols)
		return false;
	/* One cell to spare, so that a table without columns also gets a row that is not NULL. */
	return tm_grow_array(&t->cells, &t->cap, used + rows * t->ncols + 1, sizeof *t->cells);
}

struct tm_cell *tm_table_row(struct tm_table *t)
{
	size_t used = t->nrows * t->ncols;
	struct tm_cell *row;

	/* Without columns nobody may write to it. */
	if (!t->columns || !tm_table_rows(t, 1))
		return NULL;
	row = t->cells + used;
	for (size_t i = 0; i < t->ncols; i++)
		row[i] = tm_cell_none();
	t->nrows++;
	return row;
}

/* A block with room for len bytes and a NUL; NULL when out of memory.  A block is never grown,
 * since cells point into it; t->owned itself may move. */
static struct tm_buf *block_for(struct tm_table *t, size_t len)
{
	struct tm_buf *b = t->nowned ? &t->owned[t->nowned - 1] : NULL;

	if (b && b->cap - b->n >= len + 2)
		return b;
	if (!tm_grow_array(&t->owned, &t->owned_cap, t->nowned + 1, sizeof *t->owned))
		return NULL;
	b = &t->owned[t->nowned];
	*b = (struct tm_buf) { 0 };
	if (!tm_buf_reserve(b, len + 1 > OWN_BLOCK ? len + 1 : OWN_BLOCK))
		return NULL;
	t->nowned++;
	return b;
}

struct tm_cell tm_table_own(struct tm_table *t, const char *s, size_t len)
{
	struct tm_buf *b = len < UINT32_MAX ? block_for(t, len) : NULL;
	const char *text;

	t->failed |= !b && len < UINT32_MAX;
	if (!b)
		return tm_cell_none();
	text = b->p + b->n;
	/* The NUL is kept: not part of the text, but kind to whoever prints one in a debugger. */
	tm_buf_add(b, s, len);
	tm_buf_chr(b, '\0');
	return tm_cell_text(text, len);
}

struct tm_cell tm_table_take(struct tm_table *t, struct tm_buf *text)
{
	struct tm_cell c = text->n ? tm_table_own(t, text->p, text->n) : tm_cell_none();

	t->failed |= text->failed;
	tm_buf_clear(text);
	return c;
}

bool tm_table_between(struct tm_table *t, struct tm_cell *c, const struct tm_table_ends *ends)
{
	if (t->nends == UINT32_MAX ||
	    !tm_grow_array(&t->ends, &t->ends_cap, t->nends + 1, sizeof *t->ends))
		return false;
	t->ends[t->nends++] = *ends;
	c->len = (uint32_t)t->nends;
	return true;
}

const struct tm_table_ends *tm_table_ends(const struct tm_table *t, const struct tm_cell *c)
{
	return (c->type == TM_CELL_U64 || c->type == TM_CELL_FIXED) && c->len && c->len <= t->nends
	               ? &t->ends[c->len - 1]
	               : NULL;
}

bool tm_table_origin(struct tm_table *t, uint64_t rank, uint64_t at)
{
	if (!tm_grow_array(&t->origin, &t->origin_cap, t->norigin + 1, sizeof *t->origin))
		return false;
	t->origin[t->norigin++] = (struct tm_table_origin) { rank, at };
	return true;
}

/* That of a row, or NULL. */
static const struct tm_table_origin *origin_of(const struct tm_table *t, size_t row, size_t rank)
{
	const struct tm_cell *c = rank < t->ncols ? &t->cells[row * t->ncols + rank] : NULL;
	size_t i = 0, n = t->norigin;

	if (!c || c->type != TM_CELL_U64)
		return n == 1 ? t->origin : NULL;
	TM_BISECT(i, n, mid, t->origin[mid].rank < c->v.u);
	return i < t->norigin && t->origin[i].rank == c->v.u ? &t->origin[i] : NULL;
}

/* A time, counted from there. */
static struct tm_cell since(struct tm_cell c, uint64_t at)
{
	if (c.type != TM_CELL_U64)
		return c;
	return tm_cell_in(tm_cell_signed(c.v.u < at, c.v.u < at ? at - c.v.u : c.v.u - at),
	                  TM_UNIT_TIME);
}

struct tm_cell tm_table_since(const struct tm_table *t, size_t row, struct tm_cell c)
{
	const struct tm_table_origin *o = origin_of(t, row, tm_table_find(t, "rank"));

	return t->relative || !o ? c : since(c, o->at);
}

void tm_table_make_relative(struct tm_table *t)
{
	const size_t rank = tm_table_find(t, "rank");

	for (size_t r = 0; r < t->nrows; r++)
		if (t->relative || !origin_of(t, r, rank))
			return;
	for (size_t i = 0; i < t->ncols; i++) {
		if (t->columns[i]->unit != TM_UNIT_TIME)
			continue;
		for (size_t r = 0; r < t->nrows; r++) {
			struct tm_cell *c = &t->cells[r * t->ncols + i];

			*c = since(*c, origin_of(t, r, rank)->at);
		}
	}
	t->relative = true;
}

uint64_t tm_series_peak(const uint64_t *v, size_t n, size_t i, size_t parts)
{
	const size_t to = (size_t)((tm_u128)n * (i + 1) / parts);
	uint64_t most = 0;

	for (size_t k = (size_t)((tm_u128)n * i / parts); k < to; k++)
		most = v[k] > most ? v[k] : most;
	return most;
}

bool tm_table_say_below(struct tm_table *t, struct tm_cell text)
{
	if (t->nbelow == TM_TABLE_BELOW)
		return false;
	t->below[t->nbelow++] = text;
	return true;
}

bool tm_table_series(struct tm_table *t, const uint64_t *v, size_t n, const char *label,
                     const char *about)
{
	struct tm_series *s = &t->series[t->nseries];
	const size_t points = n < TM_SERIES_POINTS ? n : TM_SERIES_POINTS;

	if (t->nseries == TM_SERIES_MOST) {
		t->series_more++;
		return true;
	}
	s->v = malloc((points + 1) * sizeof *s->v);
	if (!s->v)
		return false;
	for (size_t i = 0; i < points; i++)
		s->v[i] = tm_series_peak(v, n, i, points);
	s->n = points;
	s->label = tm_table_own(t, label, strlen(label));
	s->about = tm_table_own(t, about, strlen(about));
	t->nseries++;
	return !t->failed;
}

void tm_table_fini(struct tm_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nseries; i++)
		free(t->series[i].v);
	free(t->origin);
	free(t->ends);
	for (size_t i = 0; i < t->nowned; i++)
		tm_buf_fini(&t->owned[i]);
	free(t->owned);
	free(t->share.of);
	free(t->cells);
	free(t->columns);
	*t = (struct tm_table) { 0 };
}
