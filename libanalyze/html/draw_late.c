/* SPDX-License-Identifier: MIT
 * A map of who came last: a line for each rank, time from left to right. */
#include "html/draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Squares of a line; shades; lines with a name, and such that are not thin. */
enum { ACROSS = 128, LEVELS = 4, NAMED = 64, FEW = 16 };

struct late {
	const struct tm_table *t;
	size_t rank, wait; /* columns */
	uint64_t *of;      /* the ranks, ascending; n of them */
	size_t n;
	tm_u128 *sum, most; /* what each rank let others wait in each column of the map */
};

static const struct tm_cell *cell(const struct late *l, size_t row, size_t col)
{
	return &l->t->cells[row * l->t->ncols + col];
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static size_t place_of(const struct late *l, uint64_t rank)
{
	const uint64_t *at = bsearch(&rank, l->of, l->n, sizeof *l->of, by_number);

	return at ? (size_t)(at - l->of) : l->n;
}

static bool add_up(struct late *l)
{
	l->sum = calloc(l->n * ACROSS + 1, sizeof *l->sum);
	for (size_t i = 0; l->sum && i < l->t->nrows; i++) {
		const struct tm_cell *rank = cell(l, i, l->rank), *wait = cell(l, i, l->wait);
		size_t at = rank->type == TM_CELL_U64 ? place_of(l, rank->v.u) : l->n;
		tm_u128 *sum = &l->sum[at * ACROSS + i * ACROSS / l->t->nrows];

		if (at == l->n || wait->type != TM_CELL_U64)
			continue;
		*sum += wait->v.u;
		l->most = *sum > l->most ? *sum : l->most;
	}
	return l->sum != NULL;
}

/* The squares of lines [from, to) that are of that level, which are of one path. */
static void put_level(struct tm_buf *b, const struct late *l, size_t from, size_t to,
                      unsigned level)
{
	bool any = false;

	for (size_t y = from; y < to && !b->failed; y++)
		for (size_t x = 0; x < ACROSS; x++) {
			tm_u128 sum = l->sum[y * ACROSS + x];

			if (!sum || (sum * LEVELS + l->most - 1) / l->most != level)
				continue;
			if (!any)
				tm_html_level(b, level);
			any = true;
			tm_buf_fmt(b, "M%zu %zu.5h1", x, y - from);
		}
	if (any)
		tm_buf_str(b, "\"/>");
}

static void put_lines(struct tm_buf *b, const struct late *l, size_t from, size_t to)
{
	tm_buf_fmt(b, "viewBox=\"0 0 %d %zu\" preserveAspectRatio=\"none\">", ACROSS, to - from);
	for (unsigned level = 1; level <= LEVELS; level++)
		put_level(b, l, from, to, level);
	tm_buf_str(b, "</svg>");
}

static void put_map(struct tm_buf *b, const struct late *l, const char *about)
{
	tm_buf_str(b, "<figure>");
	if (l->n > NAMED) {
		tm_buf_fmt(b,
		           "<svg class=\"heat\" role=\"img\" aria-label=\"%s\" "
		           "width=\"100%%\" height=\"320\" ",
		           about);
		put_lines(b, l, 0, l->n);
	} else {
		tm_buf_fmt(b, "<div class=\"bars%s\">", l->n > FEW ? " many" : "");
		for (size_t i = 0; i < l->n; i++) {
			tm_buf_fmt(b,
			           "<span>rank %" PRIu64 "</span><svg class=\"stack map\" "
			           "width=\"100%%\" height=\"22\" aria-hidden=\"true\" ",
			           l->of[i]);
			put_lines(b, l, i, i + 1);
			tm_buf_str(b, "<span></span>\n");
		}
		tm_buf_str(b, "</div>");
	}
	tm_buf_fmt(b, "<figcaption>%s", about);
	if (l->n > NAMED)
		tm_buf_fmt(b, "; rank %" PRIu64 " is at the top, rank %" PRIu64 " at the bottom",
		           l->of[0], l->of[l->n - 1]);
	tm_buf_str(b, ".</figcaption></figure>\n");
}

bool tm_html_late(struct tm_buf *b, const struct tm_table *t, const struct tm_table *ranks,
                  const char *about)
{
	struct late l = { .t = t,
		          .rank = tm_table_find(t, "last_rank"),
		          .wait = tm_table_find(t, "arrival_skew_ns"),
		          .of = calloc(ranks->nrows + 1, sizeof *l.of) };
	const size_t col = tm_table_find(ranks, "rank");
	bool ok = l.of != NULL;

	for (size_t i = 0; ok && col < ranks->ncols && i < ranks->nrows; i++) {
		const struct tm_cell *c = &ranks->cells[i * ranks->ncols + col];

		if (c->type == TM_CELL_U64)
			l.of[l.n++] = c->v.u;
	}
	if (ok)
		qsort(l.of, l.n, sizeof *l.of, by_number);
	ok = ok && (l.rank >= t->ncols || l.wait >= t->ncols || add_up(&l));
	if (ok && l.most)
		put_map(b, &l, about);
	free(l.of);
	free(l.sum);
	return ok && !b->failed;
}
