/* SPDX-License-Identifier: MIT
 * A flame graph, its root above: as wide as the time of all paths that begin so. */
#include "html/draw.h"

#include "html/escape.h"
#include "html/table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
	WIDE = 1000,
	HIGH = 18, /* of one frame */
	LEAST = 3, /* narrower ones are not; half as much more where they are too many, and so on */
	LETTER = 7, /* width of one */
	ROOM = 96 << 10 /* bytes of all */,
};

struct flame {
	struct tm_buf *b;
	const struct tm_table *t;
	size_t path, value;
	uint32_t *row; /* by path */
	tm_u128 *upto; /* of row[0 .. i) together */
	tm_u128 whole;
	unsigned least;           /* narrower ones are left out */
	bool left_out;            /* there are such */
	unsigned deep;            /* so many frames of a path are drawn at most */
	bool cut;                 /* there are deeper ones */
	unsigned depth_drawn;     /* most */
	const struct flame *base; /* the same of an earlier run, or NULL */
};

/* How much more, or less, than in the earlier run: of the whole of the larger of both, in 1000ths.
 * */
static const struct {
	unsigned least;
	const char *more, *less;
} changes[] = { { 50, " class=\"more2\"", " class=\"less2\"" },
	        { 5, " class=\"more1\"", " class=\"less1\"" } };

static const struct tm_cell *path_of(const struct flame *f, size_t i)
{
	return &f->t->cells[f->row[i] * f->t->ncols + f->path];
}

/* As bytes, but what ends a frame comes before all others: paths that begin alike lie together. */
static int by_path(const void *pa, const void *pb, void *arg)
{
	const struct flame *f = arg;
	const struct tm_cell *a = &f->t->cells[*(const uint32_t *)pa * f->t->ncols + f->path];
	const struct tm_cell *b = &f->t->cells[*(const uint32_t *)pb * f->t->ncols + f->path];
	size_t n = a->len < b->len ? a->len : b->len, i = 0;

	while (i < n && a->v.s[i] == b->v.s[i])
		i++;
	if (i == n)
		return (a->len > b->len) - (a->len < b->len);
	if (a->v.s[i] == ';' || b->v.s[i] == ';')
		return a->v.s[i] == ';' ? -1 : 1;
	return (unsigned char)a->v.s[i] < (unsigned char)b->v.s[i] ? -1 : 1;
}

/* The end of the frame that begins at `at`. */
static size_t frame_end(const struct tm_cell *path, size_t at)
{
	const char *end = at < path->len ? memchr(path->v.s + at, ';', path->len - at) : NULL;

	return end ? (size_t)(end - path->v.s) : path->len;
}

static bool same_frame(const struct tm_cell *a, const struct tm_cell *b, size_t end)
{
	return b->len >= end && !memcmp(a->v.s, b->v.s, end) &&
	       (b->len == end || b->v.s[end] == ';');
}

/* How paths that begin with path[0 .. end), or end there, stand to row i of another table. */
static int against(const struct flame *f, size_t i, const struct tm_cell *path, size_t end)
{
	const struct tm_cell *a = path_of(f, i);
	size_t n = a->len < end ? a->len : end, k = 0;

	while (k < n && a->v.s[k] == path->v.s[k])
		k++;
	if (k == end)
		return a->len == end || a->v.s[end] == ';' ? 0 : 1;
	if (k == a->len || a->v.s[k] == ';')
		return -1;
	if (path->v.s[k] == ';')
		return 1;
	return (unsigned char)a->v.s[k] < (unsigned char)path->v.s[k] ? -1 : 1;
}

/* Rows of the earlier run with that frame. */
static void find_base(const struct flame *f, const struct tm_cell *path, size_t end, size_t *lo,
                      size_t *hi)
{
	size_t n = f->t->nrows;

	*lo = 0;
	TM_BISECT(*lo, n, mid, against(f, mid, path, end) < 0);
	n = f->t->nrows;
	*hi = *lo;
	TM_BISECT(*hi, n, mid, against(f, mid, path, end) <= 0);
}

/* The class of a frame that takes another time than before; *word says it to who sees no color. */
static const char *change_of(const struct flame *f, size_t lo, size_t hi,
                             const struct tm_cell *path, size_t end, const char **word)
{
	size_t from, to;
	tm_u128 now = f->upto[hi] - f->upto[lo], before, whole, by;

	*word = "";
	if (!f->base)
		return "";
	find_base(f->base, path, end, &from, &to);
	before = f->base->upto[to] - f->base->upto[from];
	whole = f->whole > f->base->whole ? f->whole : f->base->whole;
	by = now > before ? now - before : before - now;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
		if (by * 1000 >= whole * changes[i].least) {
			*word = from == to ? "new: " : now > before ? "more: " : "less: ";
			return now > before ? changes[i].more : changes[i].less;
		}
	return "";
}

/* Rows [lo, hi) have a frame [at, end) at this depth in common. */
static void put_frame(struct flame *f, size_t lo, size_t hi, size_t at, size_t end, unsigned depth)
{
	unsigned x = (unsigned)(f->upto[lo] * WIDE / f->whole);
	unsigned wide = (unsigned)(f->upto[hi] * WIDE / f->whole) - x;
	const struct tm_cell *path = path_of(f, lo);
	const struct tm_column *column = f->t->columns[f->value];
	const char *word, *change = change_of(f, lo, hi, path, end, &word);
	const char *sign = !*change ? "" : *word == 'l' ? "\342\210\222 " : "+ ";

	tm_buf_fmt(f->b, "<g><rect%s x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\"%s/><title>%s",
	           change, x, depth * HIGH, wide, HIGH - 1,
	           !*change       ? ""
	           : *word == 'l' ? " fill=\"#bfd3c6\""
	                          : " fill=\"#eac4c2\"",
	           word);
	tm_html_cut(f->b, path->v.s + at, end - at, TM_HTML_NAME);
	/* A number where one row is just this path. */
	if (path->len == end && (hi == lo + 1 || path_of(f, lo + 1)->len != end)) {
		tm_buf_fmt(f->b, ", itself ");
		tm_html_cell(f->b, column, &f->t->cells[f->row[lo] * f->t->ncols + f->value]);
	}
	tm_buf_str(f->b, "</title>");
	if (wide >= 16 * LETTER || end - at < wide / LETTER) {
		tm_buf_fmt(f->b, "<text fill=\"#1b1f24\" x=\"%u\" y=\"%u\">%s", x + 3,
		           depth * HIGH + 13, sign);
		tm_html_cut(f->b, path->v.s + at, end - at,
		            wide / LETTER > 16 ? wide / LETTER : 16);
		tm_buf_str(f->b, "</text>");
	}
	tm_buf_str(f->b, "</g>\n");
	f->depth_drawn = depth + 1 > f->depth_drawn ? depth + 1 : f->depth_drawn;
}

/* Rows [lo, hi) are alike up to `at`, where a frame begins in those that go on. */
static void put_frames(struct flame *f, size_t lo, size_t hi, size_t at, unsigned depth)
{
	if (depth == f->deep) {
		f->cut = true;
		return;
	}
	for (size_t next; lo < hi && f->b->n <= ROOM && !f->b->failed; lo = next) {
		const struct tm_cell *path = path_of(f, lo);
		size_t end = frame_end(path, at);

		for (next = lo + 1; next < hi && same_frame(path, path_of(f, next), end); next++)
			continue;
		if (path->len < at)
			continue;
		if ((f->upto[next] - f->upto[lo]) * WIDE < f->whole * f->least) {
			f->left_out |= f->upto[next] > f->upto[lo];
			continue;
		}
		put_frame(f, lo, next, at, end, depth);
		if (path_of(f, next - 1)->len > end) {
			size_t inner = lo;

			while (path_of(f, inner)->len <= end)
				inner++;
			put_frames(f, inner, next, end + 1, depth + 1);
		}
	}
}

static void attempt(struct flame *f)
{
	f->left_out = f->cut = false;
	f->depth_drawn = 0;
	tm_buf_clear(f->b);
	put_frames(f, 0, f->t->nrows, 0, 0);
}

/* As many as there is room for, the widest; where that leaves none, or all that are left are wide,
 * the outermost. */
static void draw(struct flame *f)
{
	unsigned most;

	for (f->deep = UINT_MAX;; f->deep = most - (most + 3) / 4) {
		most = 0;
		for (f->least = LEAST; f->least <= WIDE; f->least += f->least / 2) {
			attempt(f);
			most = f->depth_drawn > most ? f->depth_drawn : most;
			if (f->b->failed || (f->b->n <= ROOM && (f->depth_drawn || most <= 1)))
				return;
		}
		if (most <= 1)
			return;
	}
}

static bool find_rows(struct flame *f)
{
	uint32_t *place = tm_places((uint32_t)f->t->nrows, by_path, f);
	bool ok;

	f->row = malloc((f->t->nrows + 1) * sizeof *f->row);
	for (size_t i = 0; place && f->row && i < f->t->nrows; i++)
		f->row[place[i]] = (uint32_t)i;
	f->upto = calloc(f->t->nrows + 1, sizeof *f->upto);
	for (size_t i = 0; place && f->row && f->upto && i < f->t->nrows; i++) {
		const struct tm_cell *c = &f->t->cells[f->row[i] * f->t->ncols + f->value];

		f->upto[i + 1] = f->upto[i] + (c->type == TM_CELL_U64 ? c->v.u : 0);
	}
	f->whole = f->upto ? f->upto[f->t->nrows] : 0;
	ok = place && f->row && f->upto;
	free(place);
	return ok;
}

static bool init(struct flame *f, const struct tm_table *t)
{
	f->t = t;
	f->path = tm_table_find(t, "path");
	f->value = tm_table_find(t, "self_ns");
	return t->nrows < UINT32_MAX && f->path < t->ncols && f->value < t->ncols && find_rows(f);
}

bool tm_html_flame(struct tm_buf *b, const struct tm_table *t, const struct tm_table *base,
                   const char *about)
{
	struct tm_buf frames = { 0 };
	struct flame before = { 0 }, f = { .b = &frames };
	bool ok = init(&f, t);

	if (ok && base && base->nrows) {
		ok = init(&before, base);
		f.base = &before;
	}

	if (ok && f.whole) {
		draw(&f);
		tm_buf_fmt(b,
		           "<figure><div class=\"scroll\" role=\"region\" tabindex=\"0\" "
		           "aria-label=\"%s\"><svg class=\"flame\" viewBox=\"0 0 %d %u\" "
		           "font-size=\"11\" font-family=\"monospace\" fill=\"#f3d9b1\" "
		           "role=\"img\" aria-label=\"flame graph; its numbers are in the table "
		           "below\">\n",
		           about, WIDE, f.depth_drawn * HIGH);
		tm_buf_add(b, frames.p ? frames.p : "", frames.n);
		tm_buf_fmt(b, "</svg></div><figcaption>%s", about);
		if (f.left_out)
			tm_buf_fmt(b, "; frames below %u.%u %% are not shown", f.least / 10,
			           f.least % 10);
		if (f.cut)
			tm_buf_fmt(b, "; frames deeper than %u levels are not shown", f.deep);
		tm_buf_str(b, "</figcaption></figure>\n");
	}
	b->failed |= frames.failed;
	tm_buf_fini(&frames);
	free(f.row);
	free(f.upto);
	free(before.row);
	free(before.upto);
	return ok && !b->failed;
}
