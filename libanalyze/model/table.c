/* SPDX-License-Identifier: MIT */
#include "model/table.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 u128;

#define ONE       10000 /* 1 in the ten-thousandths of CELL_FIXED */
#define OWN_BLOCK 16383 /* bytes: one allocation serves many short names */

/* CELL_FIXED of u ten-thousandths; zero has no sign, so that -0.0000 is never printed. */
static struct cell cell_fixed(bool neg, u128 u)
{
	if (u > UINT64_MAX)
		return cell_none();
	return (struct cell) { .type = CELL_FIXED, .neg = neg && u, .v.u = (uint64_t)u };
}

struct cell cell_real4(double x)
{
	int e;
	uint64_t m;
	u128 p;

	if (!isfinite(x))
		return cell_none();
	/* |x| is m * 2^e exactly.  x * 10000.0 would round once before we do, and turn a value just
	 * below a half into the half. */
	m = (uint64_t)ldexp(frexp(fabs(x), &e), 53);
	e -= 53;
	if (!m)
		return cell_fixed(false, 0);
	if (e >= 0) /* at least 2^52, whose ten-thousandths do not fit */
		return cell_none();
	if (e < -68) /* m * ONE < 2^67: below half of a ten-thousandth */
		return cell_fixed(false, 0);
	p = (u128)m * ONE;
	return cell_fixed(x < 0, (p + ((u128)1 << (-e - 1))) >> -e);
}

struct cell cell_ratio(uint64_t hi, uint64_t lo, uint64_t den)
{
	u128 num = ((u128)hi << 64) | lo, whole, rest;

	if (!den)
		return cell_none();
	/* num * ONE may pass 128 bits; whole and fractional part apart cannot: rest < den < 2^64. */
	whole = num / den;
	rest = num % den;
	if (whole > UINT64_MAX / ONE)
		return cell_none();
	return cell_fixed(false, whole * ONE + (rest * 2 * ONE + den) / ((u128)den * 2));
}

void table_init(struct table *t, const struct column *const *columns, size_t ncols)
{
	*t = (struct table) { .ncols = ncols < TABLE_COLUMNS ? ncols : TABLE_COLUMNS };
	for (size_t i = 0; i < t->ncols; i++)
		t->columns[i] = columns[i];
}

struct cell *table_row(struct table *t)
{
	size_t used = t->nrows * t->ncols;
	struct cell *row;

	if (used > SIZE_MAX - t->ncols - 1)
		return NULL;
	/* One cell to spare, so that a table without columns also gets a row that is not NULL. */
	if (!grow_array(&t->cells, &t->cap, used + t->ncols + 1, sizeof *t->cells))
		return NULL;
	row = t->cells + used;
	for (size_t i = 0; i < t->ncols; i++)
		row[i] = cell_none();
	t->nrows++;
	return row;
}

/* A block with room for len bytes and a NUL; NULL when out of memory.  A block is never grown, since
 * cells point into it; t->owned itself may move. */
static struct buf *block_for(struct table *t, size_t len)
{
	struct buf *b = t->nowned ? &t->owned[t->nowned - 1] : NULL;

	if (b && b->cap - b->n >= len + 2)
		return b;
	if (!grow_array(&t->owned, &t->owned_cap, t->nowned + 1, sizeof *t->owned))
		return NULL;
	b = &t->owned[t->nowned];
	*b = (struct buf) { 0 };
	if (!buf_reserve(b, len + 1 > OWN_BLOCK ? len + 1 : OWN_BLOCK))
		return NULL;
	t->nowned++;
	return b;
}

struct cell table_own(struct table *t, const char *s, size_t len)
{
	struct buf *b = len < UINT32_MAX ? block_for(t, len) : NULL;
	const char *text;

	t->failed |= !b && len < UINT32_MAX;
	if (!b)
		return cell_none();
	text = b->p + b->n;
	/* The NUL is kept: not part of the text, but kind to whoever prints one in a debugger. */
	buf_add(b, s, len);
	buf_chr(b, '\0');
	return cell_text(text, len);
}

void table_fini(struct table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nowned; i++)
		buf_fini(&t->owned[i]);
	free(t->owned);
	free(t->cells);
	*t = (struct table) { 0 };
}
