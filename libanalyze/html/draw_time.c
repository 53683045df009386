/* SPDX-License-Identifier: MIT
 * Time from left to right: what was done in each part of it. */
#include "html/draw.h"

#include "html/escape.h"
#include "html/table.h"
#include "render/render.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	HIGH = 100,
	THIN = 4, /* nearly two of the 44 pixels that HIGH is: one could hardly be seen */
	LEVELS = 5,
	STRIP = 512,           /* bins of a lane in a picture */
	STRIPS = 16 << 10,     /* of all: 32 lanes have as many as one has */
	SCRIPT_BINS = 32 << 10 /* of all for the script */
};

static uint64_t value(const struct tm_table *t, size_t row, size_t col)
{
	return t->cells[row * t->ncols + col].v.u;
}

static bool same_lane(const struct tm_table *t, size_t from, size_t a, size_t b)
{
	for (size_t i = 0; i < from; i++) {
		const struct tm_cell *x = &t->cells[a * t->ncols + i];
		const struct tm_cell *y = &t->cells[b * t->ncols + i];

		if (x->type != y->type ||
		    (x->type == TM_CELL_TEXT
		             ? x->len != y->len || memcmp(x->v.s, y->v.s, x->len) != 0
		             : x->v.u != y->v.u))
			return false;
	}
	return true;
}

struct tm_html_lane *tm_html_lanes(const struct tm_table *t, size_t *n)
{
	size_t from = tm_table_find(t, "from_ns"), cap = 0;
	struct tm_html_lane *v = NULL;

	*n = 0;
	if (!tm_grow_array(&v, &cap, 1, sizeof *v))
		return NULL;
	for (size_t r = 0; r < t->nrows; r++) {
		if (*n && same_lane(t, from, v[*n - 1].row, r)) {
			v[*n - 1].n++;
			continue;
		}
		if (!tm_grow_array(&v, &cap, *n + 1, sizeof *v)) {
			free(v);
			return NULL;
		}
		v[(*n)++] = (struct tm_html_lane) { r, 1 };
	}
	return v;
}

/* What a lane is called: the cells before its times. */
static void put_name(struct tm_buf *b, const struct tm_table *t, size_t row, bool json)
{
	size_t from = tm_table_find(t, "from_ns");
	struct tm_buf name = { 0 };

	for (size_t i = 0; i < from; i++) {
		const struct tm_cell *c = &t->cells[row * t->ncols + i];

		if (c->type == TM_CELL_NONE)
			continue;
		tm_buf_fmt(&name, "%s%s ", name.n ? ", " : "", t->columns[i]->name);
		if (c->type == TM_CELL_TEXT)
			tm_buf_add(&name, c->v.s, c->len);
		else
			tm_put_human(&name, c, t->columns[i]->unit);
	}
	if (json)
		tm_row_text_json(b, name.p ? name.p : "", name.n);
	else
		tm_html_text(b, name.p ? name.p : "", name.n);
	b->failed |= name.failed;
	tm_buf_fini(&name);
}

/* ---- strips ---- */

/* Sum of a column over [lo, hi) of the rows of a lane. */
static tm_u128 sum_of(const struct tm_table *t, struct tm_html_lane l, size_t lo, size_t hi,
                      size_t col)
{
	tm_u128 sum = 0;

	for (size_t i = lo; i < hi; i++)
		sum += value(t, l.row + i, col);
	return sum;
}

/* Heights of the parts at a column, one on top of the other, each with those below it; what there
 * is of a part is seen. */
static void pile(const struct tm_table *t, struct tm_html_lane l, size_t columns, size_t x,
                 size_t first, unsigned *high)
{
	const size_t from = first - 2, lo = x * l.n / columns, hi = (x + 1) * l.n / columns;
	const tm_u128 whole = sum_of(t, l, lo, hi, from + 1) - sum_of(t, l, lo, hi, from);
	tm_u128 sum = 0;
	unsigned below = 0, least, top = HIGH;

	for (size_t col = first; col < t->ncols; col++) {
		const tm_u128 mine = sum_of(t, l, lo, hi, col);
		unsigned z;

		sum += mine;
		z = whole ? (unsigned)(sum * HIGH / whole) : 0;
		least = mine && whole ? below + THIN : below;
		below = z > least ? z : least;
		high[col] = below;
	}
	/* Thin ones on a thick one take their steps from it. */
	for (size_t col = t->ncols; col-- > first;) {
		const bool any = col > first && high[col] > high[col - 1];

		high[col] = high[col] < top ? high[col] : top;
		top = high[col] - (any ? THIN : 0);
	}
}

/* One part and all below it: what is below is drawn over it. */
static void put_area(struct tm_buf *b, const unsigned *high, size_t columns, size_t ncols,
                     size_t col, const char *family)
{
	unsigned at = 0;

	tm_buf_fmt(b, "<path class=\"f-%s\" d=\"M0 %d", family, HIGH);
	for (size_t x = 0, run; x < columns; x += run) {
		const unsigned z = high[x * ncols + col];

		for (run = 1; x + run < columns && high[(x + run) * ncols + col] == z;)
			run++;
		if (z != at)
			tm_buf_fmt(b, "V%d", HIGH - (int)z);
		tm_buf_fmt(b, "h%zu", run);
		at = z;
	}
	tm_buf_fmt(b, at ? "V%d\"" : "\"", HIGH);
	tm_html_fill(b, family);
	tm_buf_str(b, "/>");
}

/* How many bins each of some lanes has: n, halved until all have no more than `most`. */
static size_t bins_of(size_t n, size_t lanes, size_t most)
{
	while (n > 1 && n * lanes > most)
		n = (n + 1) / 2;
	return n;
}

bool tm_html_strip(struct tm_buf *b, const struct tm_table *t, struct tm_html_lane l, size_t lanes)
{
	const size_t first = tm_table_find(t, "to_ns") + 1;
	const size_t columns = bins_of(l.n < STRIP ? l.n : STRIP, lanes, STRIPS);
	unsigned *high = calloc(columns * t->ncols + 1, sizeof *high);

	tm_buf_str(b, "<div class=\"lane\"><span>");
	put_name(b, t, l.row, false);
	tm_buf_fmt(
	        b,
	        "</span><svg class=\"strip\" viewBox=\"0 0 %zu %d\" width=\"100%%\" height=\"44\" "
	        "preserveAspectRatio=\"none\" aria-hidden=\"true\">",
	        columns, HIGH);
	for (size_t x = 0; high && x < columns; x++)
		pile(t, l, columns, x, first, high + x * t->ncols);
	for (size_t col = t->ncols; high && col-- > first && !b->failed;) {
		const struct tm_part *part = tm_part_of(t->columns[col]->name);

		if (part && part->family && sum_of(t, l, 0, l.n, col))
			put_area(b, high, columns, t->ncols, col, part->family);
	}
	b->failed |= !high;
	free(high);
	return tm_buf_str(b, "</svg></div>\n");
}

/* ---- the map of many ---- */

/* 0: nothing was done in that time; LEVELS: all of it was used. */
static unsigned level_of(const struct tm_table *t, struct tm_html_lane l, size_t lo, size_t hi,
                         size_t idle)
{
	size_t from = tm_table_find(t, "from_ns");
	tm_u128 whole = sum_of(t, l, lo, hi, from + 1) - sum_of(t, l, lo, hi, from);
	tm_u128 used = whole - sum_of(t, l, lo, hi, idle);

	return whole ? (unsigned)((used * LEVELS + whole - 1) / whole) : 0;
}

bool tm_html_level(struct tm_buf *b, unsigned level)
{
	return tm_buf_fmt(b,
	                  "<path class=\"heat%u\" fill=\"none\" stroke=\"#0b57b0\" "
	                  "stroke-opacity=\"%u.%u\" d=\"",
	                  level, level / LEVELS, level * 10 / LEVELS % 10);
}

static void put_level(struct tm_buf *b, const struct tm_table *t, const struct tm_html_lane *lane,
                      size_t n, unsigned level)
{
	enum { ACROSS = 256 };
	size_t idle = tm_table_find(t, "idle_ns");

	tm_html_level(b, level);
	for (size_t y = 0; y < n && !b->failed; y++) {
		size_t columns = lane[y].n < ACROSS ? lane[y].n : ACROSS, run = 0;

		for (size_t x = 0; x <= columns; x++) {
			bool on = x < columns &&
			          level_of(t, lane[y], x * lane[y].n / columns,
			                   (x + 1) * lane[y].n / columns, idle) == level;

			if (on) {
				run++;
			} else if (run) {
				tm_buf_fmt(b, "M%zu %zu.5h%zu", (x - run) * ACROSS / columns, y,
				           run * ACROSS / columns);
				run = 0;
			}
		}
	}
	tm_buf_str(b, "\"/>");
}

bool tm_html_heat(struct tm_buf *b, const struct tm_table *t, const struct tm_html_lane *lane,
                  size_t n)
{
	tm_buf_fmt(b,
	           "<svg class=\"heat\" viewBox=\"0 0 256 %zu\" width=\"100%%\" height=\"320\" "
	           "preserveAspectRatio=\"none\" "
	           "role=\"img\" aria-label=\"busy share of %zu GPUs over time; the table above "
	           "has their sums\">",
	           n, n);
	for (unsigned level = 1; level <= LEVELS; level++)
		put_level(b, t, lane, n, level);
	return tm_buf_str(b, "</svg>\n");
}

/* ---- for the script ---- */

bool tm_html_base64(struct tm_buf *b, const unsigned char *s, size_t n)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	                            "0123456789+/";

	for (size_t i = 0; i < n && !b->failed; i += 3) {
		unsigned v = (unsigned)s[i] << 16 | (i + 1 < n ? (unsigned)s[i + 1] << 8 : 0) |
		             (i + 2 < n ? s[i + 2] : 0);
		char four[4] = { digit[v >> 18], digit[v >> 12 & 63],
			         i + 1 < n ? digit[v >> 6 & 63] : '=',
			         i + 2 < n ? digit[v & 63] : '=' };

		tm_buf_add(b, four, sizeof four);
	}
	return !b->failed;
}

static bool put_part_data(struct tm_buf *b, const struct tm_table *t, struct tm_html_lane l,
                          size_t bins, size_t col, unsigned char *room)
{
	size_t from = tm_table_find(t, "from_ns");
	bool any = false;

	for (size_t i = 0; i < bins; i++) {
		const size_t lo = i * l.n / bins, hi = (i + 1) * l.n / bins;
		const tm_u128 whole = sum_of(t, l, lo, hi, from + 1) - sum_of(t, l, lo, hi, from);
		const tm_u128 part = sum_of(t, l, lo, hi, col);
		const tm_u128 share = whole ? (part * 255 + whole / 2) / whole : 0;

		room[i] = (unsigned char)(part && !share ? 1 : share);
		any |= part != 0;
	}
	return !any || tm_html_base64(b, room, bins);
}

static bool put_lane(struct tm_buf *b, const struct tm_table *t, struct tm_html_lane l,
                     size_t lanes)
{
	const size_t from = tm_table_find(t, "from_ns"), bins = bins_of(l.n, lanes, SCRIPT_BINS);
	unsigned char *room = malloc(bins ? bins : 1);
	bool any = false;

	tm_buf_str(b, "{\"name\":");
	put_name(b, t, l.row, true);
	tm_buf_fmt(b, ",\"rank\":\"%" PRIu64 "\"", value(t, l.row, tm_table_find(t, "rank")));
	tm_buf_fmt(b, ",\"from\":\"%" PRIu64 "\",\"to\":\"%" PRIu64 "\",\"bins\":%zu,\"parts\":{",
	           value(t, l.row, from), value(t, l.row + l.n - 1, from + 1), bins);
	for (size_t col = from + 2; room && col < t->ncols && !b->failed; col++) {
		const struct tm_part *part = tm_part_of(t->columns[col]->name);

		if (!part || !part->family)
			continue;
		tm_buf_fmt(b, "%s\"%s\":\"", any ? "," : "", part->family);
		put_part_data(b, t, l, bins, col, room);
		tm_buf_chr(b, '"');
		any = true;
	}
	free(room);
	return tm_buf_str(b, "}}") && room;
}

bool tm_html_lanes_json(struct tm_buf *b, const struct tm_table *t, const struct tm_html_lane *lane,
                        size_t n)
{
	bool ok = tm_buf_chr(b, '[');

	for (size_t i = 0; ok && i < n; i++) {
		tm_buf_str(b, i ? ",\n" : "\n");
		ok = put_lane(b, t, lane[i], n);
	}
	return tm_buf_chr(b, ']') && ok;
}
