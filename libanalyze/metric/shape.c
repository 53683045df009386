/* SPDX-License-Identifier: MIT */
#include "metric/shape.h"

#include <inttypes.h>
#include <string.h>

/* Where a word comes from, and the product that stands for X where there is no X. */
static const struct {
	enum tm_ev_col col, product;
} from[SHAPE_HAS] = {
	[SHAPE_WG_X] = { TM_EVC_WG_X, TM_EVC_WG },
	[SHAPE_WG_Y] = { TM_EVC_WG_Y, TM_EVC_N },
	[SHAPE_WG_Z] = { TM_EVC_WG_Z, TM_EVC_N },
	[SHAPE_GRID_X] = { TM_EVC_GRID_X, TM_EVC_GRID },
	[SHAPE_GRID_Y] = { TM_EVC_GRID_Y, TM_EVC_N },
	[SHAPE_GRID_Z] = { TM_EVC_GRID_Z, TM_EVC_N },
};

tm_ev_set tm_shape_want(void)
{
	tm_ev_set want = 0;

	for (int i = 0; i < SHAPE_HAS; i++)
		want |= TM_EV_BIT(from[i].col) |
		        (from[i].product == TM_EVC_N ? 0 : TM_EV_BIT(from[i].product));
	return want;
}

void tm_shape_of(const struct tm_batch *b, uint32_t i, uint64_t word[SHAPE_WORDS])
{
	memset(word, 0, SHAPE_WORDS * sizeof *word);
	for (int w = 0; w < SHAPE_HAS; w++) {
		const uint64_t *cell = tm_batch_cell(b, i, from[w].col);

		if (!cell && from[w].product != TM_EVC_N)
			cell = tm_batch_cell(b, i, from[w].product);
		if (!cell)
			continue;
		word[w] = *cell;
		word[SHAPE_HAS] |= TM_MASK_BIT(w);
	}
}

/* The product of three, of which Y and Z may be 1; UINT64_MAX where that does not fit. */
static uint64_t product(const uint64_t *size, uint64_t has)
{
	uint64_t n = size[0];

	for (unsigned i = 1; i < 3; i++)
		if (has >> i & 1 && __builtin_mul_overflow(n, size[i], &n))
			return UINT64_MAX;
	return n;
}

/* Parts of `of` that `whole` has, the last of which may be smaller: of most numbers half as many
 * bits do, in a fraction of the time. */
static uint64_t parts(uint64_t whole, uint64_t of)
{
	if (!((whole | of) >> 32)) {
		const uint32_t a = (uint32_t)whole, b = (uint32_t)of;

		return a / b + (a % b != 0);
	}
	return whole / of + (whole % of != 0);
}

uint64_t tm_shape_groups(const uint64_t size[SHAPE_HAS], uint64_t has)
{
	const uint64_t *grid = size + SHAPE_GRID_X, x = 1 | 1 << SHAPE_GRID_X;
	bool each = (has & 0x3f) == 0x3f;
	uint64_t n = 1;

	if ((has & x) != x)
		return 0;
	for (unsigned i = 0; i < (each ? 3U : 1U); i++) {
		uint64_t wg = each ? size[i] : product(size, has),
		         items = each ? grid[i] : product(grid, has >> SHAPE_GRID_X);

		if (!wg || items == UINT64_MAX || __builtin_mul_overflow(n, parts(items, wg), &n))
			return 0;
	}
	return n;
}

void tm_shape_groups_all(const struct tm_batch *b, uint64_t *groups)
{
	const uint64_t all = (1 << SHAPE_HAS) - 1;
	const uint64_t *col[SHAPE_HAS];
	uint64_t size[SHAPE_WORDS];
	bool whole = true;

	if (!(b->some & tm_shape_want())) {
		memset(groups, 0, b->n * sizeof *groups);
		return;
	}
	for (int w = 0; w < SHAPE_HAS; w++) {
		whole = whole && b->has & TM_EV_BIT(from[w].col);
		col[w] = b->col[from[w].col];
	}
	for (uint32_t i = 0; !whole && i < b->n; i++) {
		tm_shape_of(b, i, size);
		groups[i] = tm_shape_groups(size, size[SHAPE_HAS]);
	}
	for (uint32_t i = 0; whole && i < b->n; i++) {
		for (int w = 0; w < SHAPE_HAS; w++)
			size[w] = col[w][i];
		groups[i] = tm_shape_groups(size, all);
	}
}

static void put_size(struct tm_buf *b, const char *what, const uint64_t *word, uint64_t has)
{
	int n = has & 4 && word[2] != 1 ? 3 : has & 2 && word[1] != 1 ? 2 : 1;

	if (!(has & 1))
		return;
	tm_buf_fmt(b, "%s%s ", b->n ? " " : "", what);
	for (int i = 0; i < n; i++)
		tm_buf_fmt(b, "%s%" PRIu64, i ? "x" : "", word[i]);
}

bool tm_shape_put(struct tm_buf *b, const uint64_t word[SHAPE_WORDS])
{
	put_size(b, "wg", word + SHAPE_WG_X, word[SHAPE_HAS]);
	put_size(b, "grid", word + SHAPE_GRID_X, word[SHAPE_HAS] >> SHAPE_GRID_X);
	return !b->failed;
}
