/* SPDX-License-Identifier: MIT
 * Names too wide for their column, told so that two kernels still look like two.
 *
 * Usually the middle is left out: what sets kernels apart are function and template, and the end of
 * the template.  Where that makes different names of the column alike, as the hundred parameters of
 * a matrix multiplication do, each of them shows its beginning and the places where it first
 * differs from the others instead.
 *
 * A factor at the end, as scenarios of a replay have it, is no part of the name and stays; such
 * texts are not names of kernels alone. */
#include "render/render_parts.h"

#include "model/model.h"

#include <stdlib.h>
#include <string.h>

enum {
	ROUNDS = 7,
	ALONE = 3,  /* rounds at first in which only names that look alike are planned together */
	PLACES = 8, /* places where names differ that are shown, at most */
	BOTH_ENDS = 8, /* columns that the beginning and the end of a name share, at least */
	TOKEN = 8, /* a place begins at the word that differs, if that is no more than so many bytes
	              back */
};

/* Layouts of names that are told by places, from the one that reads best on: the first that tells
 * all of a group apart is used.  A place of one column could not hold an ideograph. */
static const struct layout {
	uint8_t last;  /* the last place, from 0 */
	uint8_t least; /* columns of each, or the layout is none */
	bool head;     /* the name begins as it does in the table */
} layouts[] = {
	/* clang-format off */
	{ 0, 6, true },  { 1, 6, true },  { 2, 6, true },
	{ 1, 2, true },  { 2, 2, true },  { 3, 2, true },
	{ 1, 2, false }, { 2, 2, false }, { 3, 2, false },
	{ 5, 2, false }, { PLACES - 1, 2, false },
	/* clang-format on */
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* How a name is told that would look like another. */
struct tm_brief_plan {
	const char *s; /* its bytes in the table, which tell it from other names */
	uint32_t len;
	bool whole;        /* what differs is not in the short form */
	uint8_t layout;    /* of its group */
	uint8_t n;         /* places */
	size_t at[PLACES]; /* bytes of the text, in ascending order */
};

/* A name of the column, while it is not yet known which ones look alike. */
struct cut {
	struct tm_brief_plan plan;
	size_t at, n;       /* how it looks, in a buffer of all looks */
	struct tm_buf text; /* all of it, while its group is looked at */
	size_t common;      /* bytes that the text before it, in the order of texts, shares */
	struct tm_brief_plan tried; /* what the layout that is tried would make of it */
	bool late;                  /* this is not enough */
	bool open;                  /* no layout before was */
	size_t id;                  /* of the name */
	size_t group;               /* of names that looked alike: the id of one of them */
};

/* The groups while names are compared. */
struct groups {
	size_t *up;   /* by id: another name of the group, the name itself at the top */
	bool *joined; /* by id of the top: it was two before */
};

/* Bytes of a factor at the end, " x 0.5"; 0 = none. */
static size_t factor_of(const struct tm_cell *c)
{
	size_t at = c->len;

	while (at && ((c->v.s[at - 1] >= '0' && c->v.s[at - 1] <= '9') || c->v.s[at - 1] == '.'))
		at--;
	return at < c->len && at > 3 && !memcmp(c->v.s + at - 3, " x ", 3) ? c->len - at + 3 : 0;
}

/* The same without it, where there is room to keep it. */
static struct tm_cell body_of(const struct tm_brief *b, const struct tm_cell *c)
{
	return tm_cell_text(c->v.s, c->len - (b->factor ? factor_of(c) : 0));
}

static size_t dots_width(const struct tm_brief *b)
{
	return b->utf8 ? 1 : 3;
}

static void put_dots(struct tm_buf *out, const struct tm_brief *b)
{
	tm_buf_str(out, b->utf8 ? "\342\200\246" : "...");
}

/* Bytes of a character of a harmless text, and its columns: an escape is one, as half of it would
 * be another name. */
static size_t next_char(const char *s, size_t n, size_t *columns)
{
	static const struct {
		char letter;
		uint8_t digits;
	} escapes[] = { { 'x', 2 }, { 'u', 4 }, { 'U', 8 }, { 'n', 0 }, { 'r', 0 }, { 't', 0 } };

	for (size_t i = 0; n > 1 && *s == '\\' && i < sizeof escapes / sizeof *escapes; i++) {
		const size_t len = 2 + (size_t)escapes[i].digits;

		if (s[1] != escapes[i].letter || len > n ||
		    strspn(s + 2, "0123456789abcdef") < escapes[i].digits)
			continue;
		*columns = len;
		return len;
	}
	return tm_char_width(s, n, columns);
}

/* Byte of a harmless text where the columns from byte `from` on are used up. */
static size_t skip_columns(const char *s, size_t n, size_t from, size_t columns)
{
	size_t used = 0, i = from;

	while (i < n) {
		size_t w, len = next_char(s + i, n - i, &w);

		if (used + w > columns)
			break;
		used += w;
		i += len;
	}
	return i;
}

/* Byte where the last so many columns of a harmless text begin. */
static size_t tail_of(const char *s, size_t n, size_t columns)
{
	size_t width = tm_text_width(s, n);
	size_t from = width > columns ? skip_columns(s, n, 0, width - columns) : 0;

	/* A wide character on the edge makes the tail too wide by one, an escape by more. */
	while (from < n && tm_text_width(s + from, n - from) > columns)
		from += next_char(s + from, n - from, &width);
	return from;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The tile of a matrix product in the name of its kernel, "MT64x128x32", from *at on; its bytes, or
 * 0.  People look for it first. */
static size_t tile_of(const char *s, size_t n, size_t *at)
{
	for (size_t i = 0; i + 3 < n; i++) {
		size_t end = i + 3;
		unsigned numbers = 0;

		if (memcmp(s + i, "_MT", 3) != 0)
			continue;
		while (end < n && is_digit(s[end])) {
			while (end < n && is_digit(s[end]))
				end++;
			if (++numbers == 3 || end + 1 >= n || s[end] != 'x' ||
			    !is_digit(s[end + 1]))
				break;
			end++;
		}
		*at = i + 1;
		if (numbers == 3)
			return end - i - 1;
	}
	return 0;
}

/* The beginning, the tile, the end; false when there is no tile, or no room, or nothing that would
 * hide it.  Where there is little room, only the beginning and the tile. */
static bool put_around_tile(struct tm_buf *out, const struct tm_brief *b, const char *s, size_t n,
                            size_t head, size_t from)
{
	size_t at = 0, tile = tile_of(s, n, &at), dots = dots_width(b), room, before, end;

	if (!tile || at + tile <= head || at >= from || b->limit < tile + 2 * dots)
		return false;
	room = b->limit - tile - 2 * dots;
	before = room < BOTH_ENDS ? room : room * 2 / 3;
	end = skip_columns(s, n, 0, before);
	from = tail_of(s, n, room - before);
	/* So near to the beginning, or to the end, that it goes with that. */
	if (end >= at || from <= at + tile) {
		const bool early = end >= at;
		const size_t kept = early ? tm_text_width(s, at + tile)
		                          : tm_text_width(s + at, n - at);

		if (kept + dots > b->limit)
			return false;
		end = early ? at + tile : skip_columns(s, n, 0, b->limit - dots - kept);
		from = early ? tail_of(s, n, b->limit - dots - kept) : at;
		if (end > from)
			return false;
		tm_buf_add(out, s, end);
		put_dots(out, b);
		tm_buf_add(out, s + from, n - from);
		return true;
	}
	tm_buf_add(out, s, end);
	put_dots(out, b);
	tm_buf_add(out, s + at, tile);
	put_dots(out, b);
	tm_buf_add(out, s + from, n - from);
	return true;
}

void tm_brief_cut(struct tm_buf *out, const struct tm_brief *b, const char *s, size_t n)
{
	size_t dots = dots_width(b), tail = (b->limit - dots) / 2, head = b->limit - dots - tail;
	size_t from = tail_of(s, n, tail);

	if (put_around_tile(out, b, s, n, skip_columns(s, n, 0, head), from))
		return;
	tm_buf_add(out, s, skip_columns(s, n, 0, head));
	put_dots(out, b);
	tm_buf_add(out, s + from, n - from);
}

bool tm_render_cut(struct tm_buf *b, const char *s, size_t n, size_t limit, bool utf8)
{
	const struct tm_brief how = { .limit = limit, .utf8 = utf8 };

	if (tm_text_width(s, n) <= limit)
		tm_buf_add(b, s, n);
	else
		tm_brief_cut(b, &how, s, n);
	return !b->failed;
}

static bool whole_text(struct tm_buf *out, const struct tm_brief *b, const struct tm_cell *c)
{
	tm_buf_clear(out);
	return tm_put_clean(out, c->v.s, c->len, b->utf8);
}

/* The name of a cell without return type and arguments; if that does not fit, without its
 * namespaces, or what launches it, as well.  False when out of memory. */
static bool short_text(struct tm_buf *out, struct tm_brief *b, const struct tm_cell *c)
{
	size_t skip, n;

	if (b->plain || b->factor)
		return whole_text(out, b, c);
	tm_buf_clear(&b->name);
	tm_buf_clear(&b->base);
	tm_kernel_name(&b->name, c->v.s, c->len, TM_NAME_SHORT);
	tm_kernel_name(&b->base, c->v.s, c->len, TM_NAME_BASE);
	if (b->name.failed || b->base.failed || !b->name.n)
		return false;
	tm_buf_clear(out);
	tm_put_clean(out, b->name.p, b->name.n, b->utf8);
	if (out->failed || tm_text_width(out->p, out->n) <= b->limit || !b->base.n ||
	    b->base.n >= b->name.n)
		return !out->failed;
	/* What stands before the base name are namespaces, or what launches it. */
	n = tm_kernel_name_unmarked(b->base.p, b->base.n);
	for (skip = 0; skip + n <= b->name.n; skip++) {
		if (memcmp(b->name.p + skip, b->base.p, n) != 0 ||
		    (skip && !strchr(":<, ", b->name.p[skip - 1])))
			continue;
		tm_buf_clear(out);
		return tm_put_clean(out, b->name.p + skip, b->name.n - skip, b->utf8);
	}
	return true;
}

/* Columns of the beginning, and of each of n places, where the tile takes `tile` of them (0 = it
 * does not appear); all but the last are followed by dots, and the last one may be. */
static size_t head_width(const struct tm_brief *b, const struct layout *l, unsigned n, size_t tile)
{
	return l->head ? (b->limit - (tile ? tile + dots_width(b) : 0)) / (n + 2) : 0;
}

static size_t place_width(const struct tm_brief *b, const struct layout *l, unsigned n, size_t tile)
{
	size_t all = head_width(b, l, n, tile) + (n + 1) * dots_width(b);

	all += tile ? tile + dots_width(b) : 0;
	return b->limit > all ? (b->limit - all) / n : 0;
}

/* Columns that a tile gets beside n places: all it needs, or none, as what tells names apart goes
 * first. */
static size_t tile_width(const struct tm_brief *b, const struct layout *l, unsigned n, size_t tile)
{
	return tile && b->limit > tile + dots_width(b) && place_width(b, l, n, tile) >= l->least
	               ? tile
	               : 0;
}

/* Go on with the text from byte `from`, where the name is shown up to `end`. */
static size_t put_piece(struct tm_buf *out, const struct tm_brief *b, const char *s, size_t end,
                        size_t from, size_t to)
{
	if (from - end <= dots_width(b))
		from = end;
	else
		put_dots(out, b);
	tm_buf_add(out, s + from, to - from);
	return to;
}

/* Append a text by its places, and its tile among them. */
static void put_places_of(struct tm_buf *out, const struct tm_brief *b,
                          const struct tm_brief_plan *p, const char *s, size_t n)
{
	const struct layout *l = &layouts[p->layout];
	size_t at = 0, found = tile_of(s, n, &at), tile = tile_width(b, l, p->n, found);
	size_t dots = dots_width(b), place = place_width(b, l, p->n, tile), start = out->n, used;
	size_t end = skip_columns(s, n, 0, head_width(b, l, p->n, tile));

	tm_buf_add(out, s, end);
	for (unsigned i = 0; i <= p->n; i++) {
		size_t from, to;

		/* The tile goes before the first place that begins after it. */
		if (tile && at + tile > end && (i == p->n || p->at[i] >= at)) {
			from = at > end ? at : end;
			end = put_piece(out, b, s, end, from, at + tile);
		}
		if (i == p->n)
			break;
		from = p->at[i] > end ? p->at[i] : end;
		/* Nearer to the end of the text than it is wide: no dots will follow. */
		if (i + 1 == p->n && !(tile && at > from) &&
		    tm_text_width(s + from, n - from) < place + dots)
			from = tail_of(s, n, place + dots);
		from = from > end ? from : end;
		to = p->at[i] > from ? p->at[i] : from;
		/* A place too small for an escape shows its beginning. */
		to = skip_columns(s, n, to, place) > to ? skip_columns(s, n, to, place)
		                                        : to + tm_render_fit(s + to, n - to, place);
		end = put_piece(out, b, s, end, from, to);
	}
	used = tm_text_width(out->p + start, out->n - start);
	if (used < b->limit && !out->failed) {
		size_t more = skip_columns(s, n, end, b->limit - used);

		if (more < n)
			more = skip_columns(s, n, end, b->limit - used - dots);
		more = more > end ? more : end;
		tm_buf_add(out, s + end, more - end);
		end = more;
	}
	if (end < n)
		put_dots(out, b);
}

/* Do names differ in their tiles alone, as far as is known? */
static bool in_tile(const struct tm_brief_plan *p, const char *s, size_t n)
{
	size_t at = 0, tile = tile_of(s, n, &at);

	for (unsigned i = 0; i < p->n; i++)
		if (p->at[i] < at || p->at[i] >= at + tile)
			return false;
	return tile != 0;
}

static int by_bytes(const void *pa, const void *pb)
{
	const struct tm_brief_plan *a = pa, *b = pb;

	if (a->s != b->s)
		return (uintptr_t)a->s > (uintptr_t)b->s ? 1 : -1;
	return a->len > b->len ? 1 : a->len < b->len ? -1 : 0;
}

/* How the name of a cell looks with this plan, NULL = with none; false when out of memory. */
static bool put_body(struct tm_buf *out, struct tm_brief *b, const struct tm_brief_plan *p,
                     const struct tm_cell *c)
{
	bool ok = whole_text(&b->text, b, c);

	if (ok && !(p && p->whole) && tm_text_width(b->text.p, b->text.n) > b->limit)
		ok = short_text(&b->text, b, c);
	if (!ok)
		return false;
	if (tm_text_width(b->text.p, b->text.n) <= b->limit)
		tm_buf_add(out, b->text.p, b->text.n);
	else if (p && p->n &&
	         !(in_tile(p, b->text.p, b->text.n) &&
	           put_around_tile(out, b, b->text.p, b->text.n, 0, b->text.n)))
		put_places_of(out, b, p, b->text.p, b->text.n);
	else if (p && p->n)
		return !out->failed;
	else
		tm_brief_cut(out, b, b->text.p, b->text.n);
	return !out->failed;
}

/* The same of a cell with its factor; the limit is that of the name alone. */
static bool put_look(struct tm_buf *out, struct tm_brief *b, const struct tm_brief_plan *p,
                     const struct tm_cell *c)
{
	const struct tm_cell body = body_of(b, c);

	return put_body(out, b, p, &body) && tm_buf_add(out, c->v.s + body.len, c->len - body.len);
}

bool tm_brief_put(struct tm_buf *out, struct tm_brief *b, const struct tm_cell *c)
{
	struct tm_brief_plan key = { .s = c->v.s, .len = c->len };
	const struct tm_brief_plan *p = b->n ? bsearch(&key, b->plan, b->n, sizeof *b->plan,
	                                               by_bytes)
	                                     : NULL;

	if (!put_look(out, b, p, c))
		out->failed = true;
	return !out->failed;
}

/* ---- which names look alike ---- */

static int memory_cmp(const char *a, size_t na, const char *b, size_t nb)
{
	int c = memcmp(a, b, na < nb ? na : nb);

	return c ? c : na > nb ? 1 : na < nb ? -1 : 0;
}

static int by_look(const void *pa, const void *pb, void *looks)
{
	const struct cut *a = pa, *b = pb;
	const char *p = looks;
	int c = memory_cmp(p + a->at, a->n, p + b->at, b->n);

	return c ? c : memory_cmp(a->plan.s, a->plan.len, b->plan.s, b->plan.len);
}

static int by_text(const void *pa, const void *pb)
{
	const struct cut *a = pa, *b = pb;

	return memory_cmp(a->text.p, a->text.n, b->text.p, b->text.n);
}

static bool same_name(const struct cut *a, const struct cut *b)
{
	return !memory_cmp(a->plan.s, a->plan.len, b->plan.s, b->plan.len);
}

/* Bytes that both begin with. */
static size_t common(const struct tm_buf *a, const struct tm_buf *b)
{
	size_t i = 0;

	while (i < a->n && i < b->n && a->p[i] == b->p[i])
		i++;
	return i;
}

static bool in_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c & 0x80);
}

/* Where the word begins that byte p of a text is in. */
static size_t word_of(const struct tm_buf *t, size_t p)
{
	size_t i = p;

	while (i && p - i < TOKEN && in_word(t->p[i - 1]))
		i--;
	i = i && in_word(t->p[i - 1]) ? p : i;
	/* Never inside a character. */
	while (i && i < t->n && ((unsigned char)t->p[i] & 0xc0) == 0x80)
		i--;
	return i;
}

/* Show a name that differs from others at that byte of its text there, in the place `nth`; returns
 * where the place begins. */
static size_t show_place(const struct layout *l, size_t width, struct cut *c, size_t differ,
                         unsigned nth)
{
	size_t from = word_of(&c->text, differ);

	if (differ - from >= width)
		from = differ;
	c->tried.layout = (uint8_t)(l - layouts);
	c->tried.at[nth] = from;
	c->tried.n = (uint8_t)(nth + 1);
	return from;
}

/* Names that would need one more place than the layout has: the last is where each differs from the
 * one most like it. */
static void tell_late(const struct layout *l, size_t width, struct cut *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const size_t before = i ? c[i].common : 0;
		const size_t after = i + 1 < n ? c[i + 1].common : 0;

		c[i].late = true;
		show_place(l, width, &c[i], before > after ? before : after, l->last);
	}
}

/* Names of a group in the order of their texts: show where they begin to differ in places of
 * `width` columns, and again those that are still alike. */
static void tell_apart(const struct layout *l, size_t width, struct cut *c, size_t n,
                       unsigned place)
{
	size_t differ = SIZE_MAX, from = 0;

	for (size_t i = 1; i < n; i++)
		differ = c[i].common < differ ? c[i].common : differ;
	if (n < 2 || (differ == c[0].text.n && differ == c[n - 1].text.n))
		return; /* one name, or one text */
	if (place > l->last) {
		tell_late(l, width, c, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		from = show_place(l, width, &c[i], differ, place);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && c[end].common >= from + width; end++)
			continue;
		tell_apart(l, width, c + i, end - i, place + 1);
	}
}

/* The texts of a group, in their order: short ones, or whole ones where that makes two equal. */
static bool group_texts(struct tm_brief *b, struct cut *c, size_t n)
{
	bool ok = true, whole = false;

	for (int pass = 0; pass < 2 && ok; pass++) {
		for (size_t i = 0; i < n && ok; i++) {
			struct tm_cell name = tm_cell_text(c[i].plan.s, c[i].plan.len);

			name = body_of(b, &name);
			c[i].tried = c[i].plan;
			c[i].tried.whole = whole;
			ok = whole ? whole_text(&c[i].text, b, &name)
			           : short_text(&c[i].text, b, &name);
		}
		if (!ok)
			break;
		qsort(c, n, sizeof *c, by_text);
		for (size_t i = 1; i < n && !whole; i++)
			whole = !by_text(&c[i - 1], &c[i]) && !same_name(&c[i - 1], &c[i]);
		if (whole == c[0].tried.whole)
			break;
	}
	for (size_t i = 1; i < n && ok; i++)
		c[i].common = common(&c[i - 1].text, &c[i].text);
	return ok;
}

/* Plan for names that look alike: each in the first layout that tells it from all others.  Those
 * that none does get the last that there is room for, or stay as they are if they `may`.  *changed
 * if there is a new plan. */
static bool plan_group(struct tm_brief *b, struct cut *c, size_t n, bool may, bool *changed)
{
	size_t tile = 0, at, open = n;
	const bool ok = group_texts(b, c, n);

	for (size_t i = 0; i < n && ok; i++) {
		const size_t own = tile_of(c[i].text.p, c[i].text.n, &at);

		tile = own > tile ? own : tile;
		c[i].open = true;
	}
	for (const struct layout *l = layouts; ok && open && l < layouts + LAYOUTS; l++) {
		const size_t shown = tile_width(b, l, l->last + 1U, tile);
		const size_t width = place_width(b, l, l->last + 1U, shown);

		if (l > layouts && width < l->least)
			continue;
		for (size_t i = 0; i < n; i++)
			c[i].late = false;
		tell_apart(l, width, c, n, 0);
		for (size_t i = 0; i < n; i++) {
			if (!c[i].open || (c[i].late && may))
				continue;
			c[i].plan = c[i].tried;
			c[i].open = c[i].late;
			open -= !c[i].late;
			*changed = true;
		}
	}
	for (size_t i = 0; i < n; i++)
		tm_buf_fini(&c[i].text);
	return ok;
}

/* Keep the plans of those that have one. */
static bool keep_plans(struct tm_brief *b, const struct cut *c, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		kept += c[i].plan.n != 0;
	b->plan = malloc((kept ? kept : 1) * sizeof *b->plan);
	if (!b->plan)
		return false;
	for (size_t i = 0; i < n; i++)
		if (c[i].plan.n)
			b->plan[b->n++] = c[i].plan;
	qsort(b->plan, b->n, sizeof *b->plan, by_bytes);
	return true;
}

static size_t top_of(struct groups *g, size_t id)
{
	while (g->up[id] != id)
		id = g->up[id] = g->up[g->up[id]];
	return id;
}

static int by_group(const void *pa, const void *pb)
{
	const struct cut *a = pa, *b = pb;

	return a->group != b->group ? (a->group > b->group) - (a->group < b->group)
	                            : (a->id > b->id) - (a->id < b->id);
}

/* Names that look alike become one group with all that looked like them before: planned without
 * those, they would look like them again. */
static void join_alike(struct groups *g, const struct cut *c, size_t n)
{
	const size_t first = top_of(g, c[0].id);
	bool differ = false;

	for (size_t i = 1; i < n; i++)
		differ |= !same_name(&c[0], &c[i]);
	for (size_t i = 1; i < n && differ; i++) {
		const size_t top = top_of(g, c[i].id);

		g->joined[first] |= top != first;
		g->up[top] = first;
	}
}

/* Which names look alike? */
static bool find_alike(struct tm_brief *b, struct groups *g, struct cut *c, size_t n)
{
	struct tm_buf looks = { 0 };
	bool ok = true;

	for (size_t i = 0; i < n && ok; i++) {
		struct tm_cell name = tm_cell_text(c[i].plan.s, c[i].plan.len);

		c[i].at = looks.n;
		ok = put_look(&looks, b, &c[i].plan, &name);
		c[i].n = looks.n - c[i].at;
	}
	if (ok)
		qsort_r(c, n, sizeof *c, by_look, looks.p);
	for (size_t i = 0, end; i < n && ok; i = end) {
		for (end = i + 1; end < n && !memory_cmp(looks.p + c[end].at, c[end].n,
		                                         looks.p + c[i].at, c[i].n);
		     end++)
			continue;
		join_alike(g, c + i, end - i);
	}
	tm_buf_fini(&looks);
	return ok;
}

/* One round: plan for groups that there were not before; *changed if any name has a new plan. */
static bool plan_round(struct tm_brief *b, struct groups *g, struct cut *c, size_t n, bool may,
                       bool *changed)
{
	bool ok = find_alike(b, g, c, n);

	*changed = false;
	for (size_t i = 0; i < n; i++)
		c[i].group = top_of(g, c[i].id);
	qsort(c, n, sizeof *c, by_group);
	for (size_t i = 0, end; i < n && ok; i = end) {
		bool *joined = &g->joined[c[i].group];

		for (end = i + 1; end < n && c[end].group == c[i].group;)
			end++;
		if (*joined)
			ok = plan_group(b, c + i, end - i, may, changed);
		*joined = false;
	}
	return ok;
}

/* The names of a column, each once, in a new array; NULL when out of memory. */
static struct cut *names_of(const struct tm_table *t, size_t col, size_t *n)
{
	struct cut *c = calloc(t->nrows + 1, sizeof *c);
	size_t all = 0;

	*n = 0;
	for (size_t r = 0; r < t->nrows && c; r++) {
		const struct tm_cell *name = &t->cells[r * t->ncols + col];

		if (name->type == TM_CELL_TEXT)
			c[all++].plan = (struct tm_brief_plan) { .s = name->v.s, .len = name->len };
	}
	if (all)
		qsort(c, all, sizeof *c, by_bytes); /* the plan is its first member */
	for (size_t i = 0; i < all; i++)
		if (!i || by_bytes(&c[i].plan, &c[i - 1].plan) != 0)
			c[(*n)++] = c[i];
	for (size_t i = 0; i < *n; i++)
		c[i].id = i;
	return c;
}

/* For the longest factor. */
static void leave_room(struct tm_brief *b, const struct cut *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct tm_cell name = tm_cell_text(c[i].plan.s, c[i].plan.len);
		const size_t factor = factor_of(&name);

		b->factor = factor > b->factor ? factor : b->factor;
	}
	if (b->factor >= b->limit / 2)
		b->factor = 0;
	b->limit -= b->factor;
}

bool tm_brief_learn(struct tm_brief *b, const struct tm_table *t, size_t col)
{
	size_t n = 0;
	struct cut *c = names_of(t, col, &n);
	struct groups g = { .up = calloc(n + 1, sizeof *g.up),
		            .joined = calloc(n + 1, sizeof *g.joined) };
	bool ok = c && g.up && g.joined, changed = n > 1;

	leave_room(b, c, c ? n : 0);

	/* What tells the names of one group apart may make one of them look like another group's:
	 * then it has to tell both groups apart, if it can. */
	for (unsigned round = 0; round < ROUNDS && ok && changed; round++) {
		for (size_t i = 0; i < n && round < ALONE; i++)
			g.up[i] = i;
		ok = plan_round(b, &g, c, n, round >= ALONE, &changed);
	}
	ok = ok && keep_plans(b, c, n);
	free(g.up);
	free(g.joined);
	free(c);
	return ok;
}

void tm_brief_fini(struct tm_brief *b)
{
	free(b->plan);
	tm_buf_fini(&b->text);
	tm_buf_fini(&b->name);
	tm_buf_fini(&b->base);
	*b = (struct tm_brief) { 0 };
}
