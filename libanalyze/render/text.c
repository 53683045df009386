/* SPDX-License-Identifier: MIT
 * Aligned columns for people at a terminal.  Names go last and give way when the line is full. */
#include "render/render_parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define GAP       2   /* blanks between columns; 1 where the line would be too long */
#define NAME_MIN  16  /* a name is never shortened below this */
#define NAME_GOOD 32  /* columns that can be spared go before a name gets less than this */
#define TEXT_GOOD 48  /* and before another text gets less than this */
#define PAD_MAX   100 /* longer texts push their row out instead of padding all the others */
#define BAR_CELLS 10

#define BOLD  "\033[1m"
#define DIM   "\033[2m"
#define PLAIN "\033[0m"

/* One column as it is laid out. */
struct lane {
	const struct tm_column *column;
	size_t at;    /* index in the table */
	size_t width; /* columns of the number or the text */
	size_t limit; /* longer texts are shortened to this; 0 = never */
	bool out;     /* there is no room for it */
	bool gives;   /* a text that is shortened where the line is too long */
	size_t bar;   /* columns of the longest bar, 0 = no bars */
	tm_u128 full; /* value of a bar of BAR_CELLS, in ten-thousandths */
	struct one_unit unit;
	struct tm_brief brief; /* how texts wider than the limit are told */
};

/* Everything but `out` and the table that drawing a line needs. */
struct page {
	const struct tm_render_ctx *ctx;
	struct lane *lane;
	size_t n, gap;
	size_t first;      /* lanes from this one on are names */
	struct tm_buf tmp; /* the cell being drawn */
	struct tm_buf cut; /* the same, shorter */
	struct tm_buf wrap;
};

/* The heading of a lane into p->tmp, with the unit of all its numbers; returns its width. */
static size_t draw_title(struct page *p, const struct lane *l)
{
	tm_buf_clear(&p->tmp);
	tm_put_clean(&p->tmp, l->column->title, strlen(l->column->title), p->ctx->utf8);
	if (l->unit.size)
		tm_buf_str(&p->tmp, l->unit.word);
	return tm_text_width(p->tmp.p, p->tmp.n);
}

/* A cell as harmless text into p->tmp; returns its width. */
static size_t draw(struct page *p, const struct tm_cell *c, const struct lane *l)
{
	enum tm_unit unit = l->column->unit;

	tm_buf_clear(&p->tmp);
	for (unsigned i = 0; i < c->depth; i++)
		tm_buf_str(&p->tmp, "  ");
	if (c->type == TM_CELL_TEXT || c->type == TM_CELL_DIGITS)
		tm_put_clean(&p->tmp, c->v.s, c->len, p->ctx->utf8);
	else if (c->type == TM_CELL_NONE)
		tm_buf_chr(&p->tmp, '-');
	else if (l->unit.size && tm_in_unit_of(c, l->column))
		tm_put_in_unit(&p->tmp, c, &l->unit);
	else
		tm_put_human(&p->tmp, c, unit);
	return tm_text_width(p->tmp.p, p->tmp.n);
}

/* Value of a whole bar, in ten-thousandths, where the unit says it: of shares. */
static tm_u128 full_of(enum tm_unit unit)
{
	return unit == TM_UNIT_PCT ? 1000000 : unit == TM_UNIT_RATIO ? 10000 : 0;
}

/* Bar of a cell in steps: eighths of a column with UTF-8, else whole ones. */
static size_t bar_steps(const struct lane *l, const struct tm_cell *c, bool utf8)
{
	tm_u128 steps = utf8 ? 8 * BAR_CELLS : BAR_CELLS, v = tm_cell_value(c);
	tm_u128 full = c->own ? full_of((enum tm_unit)(c->own - 1)) : l->full;

	if (!full || c->neg)
		return 0;
	v = (v * steps + full / 2) / full;
	return (size_t)(v < steps ? v : steps);
}

static size_t bar_width(size_t steps, bool utf8)
{
	return utf8 ? (steps + 7) / 8 : steps;
}

void tm_put_bar(struct tm_buf *out, size_t steps, bool utf8)
{
	/* U+2588 is the full block, U+2589 ... U+258F have 7 ... 1 eighths. */
	for (; utf8 && steps >= 8; steps -= 8)
		tm_buf_str(out, "\342\226\210");
	if (utf8 && steps)
		tm_buf_fmt(out, "\342\226%c", (char)(0x90 - steps));
	for (; !utf8 && steps; steps--)
		tm_buf_chr(out, '#');
}

static void put_blanks(struct tm_buf *out, size_t n)
{
	if (!tm_buf_reserve(out, n))
		return;
	memset(out->p + out->n, ' ', n);
	out->n += n;
	out->p[out->n] = '\0';
}

/* Value of a whole bar: percents and ratios are shares already, others of the column's largest. */
static tm_u128 full_bar(const struct tm_table *t, const struct lane *l)
{
	tm_u128 most = 0;

	if (full_of(l->column->unit))
		return full_of(l->column->unit);
	for (size_t r = 0; r < t->nrows; r++) {
		const struct tm_cell *c = &t->cells[r * t->ncols + l->at];

		if (!c->neg && !c->own && tm_cell_value(c) > most)
			most = tm_cell_value(c);
	}
	return most;
}

/* The width each lane asks for. */
static void measure(struct page *p, const struct tm_table *t, struct lane *l)
{
	bool utf8 = p->ctx->utf8;

	l->width = draw_title(p, l);
	l->full = l->column->bar ? full_bar(t, l) : 0;
	for (size_t r = 0; r < t->nrows; r++) {
		const struct tm_cell *c = &t->cells[r * t->ncols + l->at];
		size_t w = draw(p, c, l), bar = bar_width(bar_steps(l, c, utf8), utf8);

		l->width = w > l->width ? w : l->width;
		l->bar = bar > l->bar ? bar : l->bar;
	}
}

/* Columns of a lane and the blanks beside it. */
static size_t lane_room(const struct page *p, const struct lane *l)
{
	return p->gap + l->width + (l->bar ? l->bar + 1 : 0);
}

/* Texts other than names that are longer than this are shortened before a column is left out. */
static void let_give(struct page *p, size_t most)
{
	for (size_t i = 0; i < p->n; i++)
		p->lane[i].gives = i >= p->first || (p->lane[i].column->unit == TM_UNIT_TEXT &&
		                                     p->lane[i].width > most);
}

/* Columns of a line in which no name gets more than `name`, and no other text that is shortened
 * more than `text`. */
static size_t line_width(const struct page *p, size_t name, size_t text)
{
	size_t width = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct lane *l = &p->lane[i];
		const size_t most = i < p->first ? text : name;

		if (l->out)
			continue;
		width += !l->gives ? lane_room(p, l) : p->gap + (l->width < most ? l->width : most);
	}
	return p->n ? width - p->gap : 0;
}

static unsigned char rank_of(const struct lane *l, bool tight)
{
	return tight ? l->column->tight : l->column->spare;
}

/* Leave out the columns of that rank, or take them back. */
static void set_out(struct page *p, unsigned rank, bool tight, bool out)
{
	for (size_t i = 0; i < p->n; i++)
		if (rank_of(&p->lane[i], tight) == rank)
			p->lane[i].out = out;
}

static bool too_wide(const struct page *p, size_t name)
{
	return line_width(p, name, TEXT_GOOD) > p->ctx->width;
}

/* What fits is taken back, the smallest number first: a wide column may have gone after narrow ones
 * that have room without it.  For that, no name is shortened that is not anyway, nor to less than
 * half of the line. */
static void take_back(struct page *p, size_t name, bool tight)
{
	const size_t half = p->ctx->width / 2 > name ? p->ctx->width / 2 : name;
	const size_t least = too_wide(p, SIZE_MAX) ? half : SIZE_MAX;

	for (unsigned rank = 1; rank <= UCHAR_MAX; rank++) {
		size_t n = 0;

		for (size_t i = 0; i < p->n; i++)
			n += p->lane[i].out && rank_of(&p->lane[i], tight) == rank;
		if (!n)
			continue;
		set_out(p, rank, tight, false);
		if (too_wide(p, least))
			set_out(p, rank, tight, true);
	}
}

static void drop_out(struct page *p)
{
	size_t kept = 0, names = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->lane[i].out)
			continue;
		names += i >= p->first;
		p->lane[kept++] = p->lane[i];
	}
	p->n = kept;
	p->first = kept - names;
}

/* Leave out columns, the largest number first and those of one number together, until a line fits
 * in which each name has `name`.  False: it never fits. */
static bool leave_out(struct page *p, size_t name, bool tight)
{
	bool fits;

	for (unsigned rank = UCHAR_MAX; rank && too_wide(p, name); rank--)
		set_out(p, rank, tight, true);
	fits = !too_wide(p, name);
	if (fits)
		take_back(p, name, tight);
	drop_out(p);
	return fits;
}

/* Leave out the last number, where there is none the last text, and of names all but the first. */
static bool leave_out_last(struct page *p)
{
	size_t worst = p->first ? p->first - 1 : p->n - 1;

	if (p->n < 2)
		return false;
	for (size_t i = p->first; i-- > 0;) {
		if (p->lane[i].column->unit == TM_UNIT_TEXT)
			continue;
		worst = i;
		break;
	}
	p->first -= worst < p->first;
	p->n--;
	memmove(p->lane + worst, p->lane + worst + 1, (p->n - worst) * sizeof *p->lane);
	return true;
}

/* Leave out what can be spared until the names have room; then bars, blanks between columns, and
 * what can be spared where it is tight.  Where numbers are so long that even this is too wide, the
 * last columns go: a line that the terminal breaks cannot be read as a row of a table. */
static void spare(struct page *p)
{
	if (!leave_out(p, NAME_GOOD, false))
		for (size_t i = 0; i < p->first; i++)
			p->lane[i].bar = 0;
	if (line_width(p, NAME_MIN, TEXT_GOOD) > p->ctx->width)
		p->gap = 1;
	if (leave_out(p, NAME_MIN, true))
		return;
	let_give(p, NAME_MIN);
	/* Where not even a name fits, nothing is gained. */
	while (p->ctx->width >= NAME_MIN && line_width(p, NAME_MIN, NAME_MIN) > p->ctx->width &&
	       leave_out_last(p))
		continue;
}

/* Share what the other columns leave of the line among the texts that give.  One that needs less
 * than its share leaves the rest to the others. */
static void fit(struct page *p)
{
	size_t room = p->ctx->width, open = 0, share;
	bool settled;

	for (size_t i = 0; i < p->n; i++) {
		const struct lane *l = &p->lane[i];
		size_t used = (l->gives ? p->gap : lane_room(p, l)) - (i ? 0 : p->gap);

		room = room > used ? room - used : 0;
		open += l->gives;
	}
	do {
		share = open ? room / open : 0;
		share = share > NAME_MIN ? share : NAME_MIN;
		settled = true;
		for (size_t i = 0; i < p->n; i++) {
			struct lane *l = &p->lane[i];

			if (!l->gives || l->limit || l->width > share)
				continue;
			l->limit = l->width ? l->width : 1; /* 0 would mean undecided */
			room = room > l->width ? room - l->width : 0;
			open--;
			settled = false;
		}
	} while (!settled);
	for (size_t i = 0; i < p->n; i++) {
		struct lane *l = &p->lane[i];

		if (!l->gives || l->limit)
			continue;
		l->width = l->limit = share;
		l->brief = (struct tm_brief) { .limit = share, .utf8 = p->ctx->utf8 };
	}
}

/* What is in p->tmp, the text of *name where that is one, to no more than the columns of its lane;
 * returns its width. */
static size_t shorten(struct page *p, struct lane *l, const struct tm_cell *name)
{
	tm_buf_clear(&p->cut);
	if (name)
		tm_brief_put(&p->cut, &l->brief, name);
	else
		tm_brief_cut(&p->cut, &l->brief, p->tmp.p, p->tmp.n);
	tm_buf_clear(&p->tmp);
	tm_buf_add(&p->tmp, p->cut.p, p->cut.n);
	p->tmp.failed |= p->cut.failed;
	return tm_text_width(p->tmp.p, p->tmp.n);
}

/* The color of a row: that of the class it is about; NULL = none. */
static const struct tm_hue *hue_of(const struct page *p, const struct tm_cell *cells)
{
	for (size_t i = 0; cells && p->ctx->color && i < p->n; i++) {
		const struct tm_cell *c = &cells[p->lane[i].at];

		if (!strcmp(p->lane[i].column->name, "class") && c->type == TM_CELL_TEXT)
			return tm_hue_of(c->v.s, c->len);
	}
	return NULL;
}

/* The text in p->tmp, as it is or in the color of its row or of what it says. */
static void put_text(struct tm_buf *out, struct page *p, const struct lane *l,
                     const struct tm_cell *c, const struct tm_hue *hue)
{
	const char *word = c->type == TM_CELL_TEXT ? tm_color_of_word(l->column->name, c) : NULL;

	if (p->ctx->color && c->type == TM_CELL_NONE) {
		tm_buf_str(out, DIM "-" PLAIN);
	} else if (hue && !strcmp(l->column->name, "class")) {
		tm_hue_begin(out, hue, p->ctx->color, p->ctx->light);
		tm_buf_add(out, p->tmp.p, p->tmp.n);
		tm_hue_end(out, p->ctx->color);
	} else if (p->ctx->color && word) {
		tm_buf_fmt(out, "%s%s" PLAIN, word, p->tmp.p);
	} else {
		tm_buf_add(out, p->tmp.p, p->tmp.n);
	}
}

/* What is in p->tmp, a sentence in the last lane, in lines that begin where the lane does; in
 * p->tmp, too.  False, with nothing done, if a word is wider than the lane. */
static bool continue_below(struct page *p, const struct lane *l)
{
	size_t at = 0;
	bool fits = true;

	for (size_t i = 0; i + 1 < p->n; i++)
		at += lane_room(p, &p->lane[i]);
	tm_buf_clear(&p->cut);
	put_blanks(&p->cut, at);
	tm_buf_add(&p->cut, p->tmp.p, p->tmp.n);
	tm_buf_clear(&p->wrap);
	tm_render_wrap(&p->wrap, p->cut.p, p->cut.n, at + l->limit, at);
	for (size_t i = 0; fits && i < p->wrap.n;) {
		const char *line = p->wrap.p + i, *end = memchr(line, '\n', p->wrap.n - i);
		const size_t n = end ? (size_t)(end - line) : p->wrap.n - i;

		fits = tm_text_width(line, n) <= at + l->limit;
		i += n + 1;
	}
	if (!fits || p->cut.failed || p->wrap.failed)
		return false;
	tm_buf_clear(&p->tmp);
	return tm_buf_add(&p->tmp, p->wrap.p + at, p->wrap.n - at);
}

/* One line; cells[lane->at] for every lane, or the titles when cells is NULL. */
static void put_line(struct tm_buf *out, struct page *p, const struct tm_cell *cells)
{
	const struct tm_hue *hue = hue_of(p, cells);
	bool utf8 = p->ctx->utf8;
	size_t start = out->n;

	for (size_t i = 0; i < p->n; i++) {
		struct lane *l = &p->lane[i];
		struct tm_cell c = cells ? cells[l->at] : tm_cell_none();
		size_t w = cells ? draw(p, &c, l) : draw_title(p, l);
		size_t pad, steps;

		if (l->limit && w > l->limit) {
			const bool name = cells && l->column->elastic && c.type == TM_CELL_TEXT;

			if (name && l->column->prose && i + 1 == p->n && continue_below(p, l))
				w = l->limit;
			else
				w = shorten(p, l, name ? &c : NULL);
		}
		pad = l->width > w ? l->width - w : 0;
		put_blanks(out, (i ? p->gap : 0) + (l->column->unit != TM_UNIT_TEXT ? pad : 0));
		if (cells)
			put_text(out, p, l, &c, hue);
		else
			tm_buf_add(out, p->tmp.p, p->tmp.n);
		if (l->column->unit == TM_UNIT_TEXT && i + 1 < p->n)
			put_blanks(out, pad);
		if (!l->bar)
			continue;
		steps = cells ? bar_steps(l, &c, utf8) : 0;
		tm_buf_chr(out, ' ');
		if (hue && steps)
			tm_hue_begin(out, hue, p->ctx->color, p->ctx->light);
		tm_put_bar(out, steps, utf8);
		if (hue && steps)
			tm_hue_end(out, p->ctx->color);
		put_blanks(out, l->bar - bar_width(steps, utf8));
	}
	while (out->n > start && out->p[out->n - 1] == ' ')
		out->n--;
}

/* Text of any bytes in lines that fit the terminal. */
static void put_wrapped(struct tm_buf *out, const char *s, size_t n,
                        const struct tm_render_ctx *ctx)
{
	struct tm_buf b = { 0 };
	size_t indent = 0;

	while (indent < n && s[indent] == ' ')
		indent++;
	/* Below a label, what follows it goes on where it began. */
	if (indent) {
		size_t at = indent;

		while (at + 1 < n && (s[at] != ' ' || s[at + 1] != ' '))
			at++;
		if (at + 1 < n)
			for (indent = at; indent < n && s[indent] == ' ';)
				indent++;
	}
	tm_put_clean(&b, s, n, ctx->utf8);
	if (b.n)
		tm_render_wrap(out, b.p, b.n, ctx->width, indent);
	out->failed |= b.failed;
	tm_buf_fini(&b);
}

/* The answer in a sentence, on lines of its own. */
static void put_headline(struct tm_buf *out, const struct tm_table *t,
                         const struct tm_render_ctx *ctx)
{
	if (t->headline.type != TM_CELL_TEXT)
		return;
	put_wrapped(out, t->headline.v.s, t->headline.len, ctx);
	tm_buf_chr(out, '\n');
}

/* A command after a label.  It goes on in the next line as a shell reads it. */
static void put_command(struct tm_buf *out, const char *s, size_t n,
                        const struct tm_render_ctx *ctx)
{
	static const char on[] = " \\";
	struct tm_render_ctx narrow = *ctx;
	struct tm_buf b = { 0 };

	if (narrow.width >= sizeof on)
		narrow.width -= (unsigned)sizeof on - 1;
	put_wrapped(&b, s, n, &narrow);
	for (size_t i = 0; i < b.n; i++) {
		const char *next = b.p + i + 1;

		if (b.p[i] == '\n') {
			next += strspn(next, " ");
			tm_buf_str(out, strncmp(next, "--", 2) != 0 ? "" : on);
		}
		tm_buf_chr(out, b.p[i]);
	}
	out->failed |= b.failed;
	tm_buf_fini(&b);
}

/* What is said after the rows, a text of its own each. */
static void put_below(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx)
{
	for (size_t i = 0; i < t->nbelow; i++) {
		if (t->below[i].type != TM_CELL_TEXT)
			continue;
		if (t->below[i].len && *t->below[i].v.s == ' ')
			put_command(out, t->below[i].v.s, t->below[i].len, ctx);
		else
			put_wrapped(out, t->below[i].v.s, t->below[i].len, ctx);
		tm_buf_chr(out, '\n');
	}
}

/* The columns that there was no room for. */
static void put_left_out(struct tm_buf *out, const struct page *p, const struct tm_table *t,
                         const size_t *col, size_t n)
{
	const char *before = "not shown here: ";
	struct tm_buf b = { 0 };

	if (p->n == n)
		return;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < p->n && p->lane[k].at != col[i])
			k++;
		if (k < p->n)
			continue;
		tm_buf_fmt(&b, "%s%s", before, t->columns[col[i]]->title);
		before = ", ";
	}
	tm_buf_str(&b, p->ctx->part ? "" : "; see --columns");
	if (p->ctx->color)
		tm_buf_str(out, DIM);
	put_wrapped(out, b.p ? b.p : "", b.n, p->ctx);
	tm_buf_str(out, p->ctx->color ? PLAIN "\n" : "\n");
	out->failed |= b.failed;
	tm_buf_fini(&b);
}

static bool put_rows(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx)
{
	struct page p = { .ctx = ctx, .gap = GAP };
	size_t wanted = 0;
	struct one_unit *unit;
	size_t *col = tm_shown_columns(t, ctx->all_columns, &wanted);

	p.n = wanted;
	p.lane = col ? calloc(p.n + 1, sizeof *p.lane) : NULL;
	unit = p.lane ? calloc(p.n + 1, sizeof *unit) : NULL;
	if (!unit || !tm_units_choose(t, col, p.n, ctx->units, unit)) {
		free(unit);
		free(p.lane);
		free(col);
		return false;
	}
	for (size_t pass = 0, k = 0; pass < 2; pass++) {
		for (size_t i = 0; i < p.n; i++) {
			struct lane *l = &p.lane[k];

			if (t->columns[col[i]]->elastic != (pass == 1))
				continue;
			l->column = t->columns[col[i]];
			l->at = col[i];
			l->unit = unit[i];
			measure(&p, t, l);
			k++;
		}
		p.first = pass ? p.first : k;
	}
	for (size_t i = 0; i < p.n && !ctx->width; i++)
		if (p.lane[i].width > PAD_MAX)
			p.lane[i].width = PAD_MAX;
	let_give(&p, TEXT_GOOD);
	if (ctx->width && !ctx->all_columns)
		spare(&p);
	if (ctx->width)
		fit(&p);
	for (size_t i = 0; i < p.n; i++)
		if (p.lane[i].brief.limit && p.lane[i].column->elastic &&
		    !tm_brief_learn(&p.lane[i].brief, t, p.lane[i].at))
			out->failed = true;
	put_headline(out, t, ctx);
	if (!ctx->all_columns && !tm_put_series(out, t, ctx))
		out->failed = true;
	if (ctx->color)
		tm_buf_str(out, BOLD);
	put_line(out, &p, NULL);
	tm_buf_str(out, ctx->color ? PLAIN "\n" : "\n");
	for (size_t r = 0; r < t->nrows && !out->failed && !p.tmp.failed; r++) {
		put_line(out, &p, t->cells + r * t->ncols);
		tm_buf_chr(out, '\n');
	}
	put_left_out(out, &p, t, col, wanted);
	put_below(out, t, ctx);
	if (p.tmp.failed)
		out->failed = true;
	tm_buf_fini(&p.tmp);
	tm_buf_fini(&p.cut);
	tm_buf_fini(&p.wrap);
	for (size_t i = 0; i < p.n; i++)
		tm_brief_fini(&p.lane[i].brief);
	free(p.lane);
	free(unit);
	free(col);
	return !out->failed;
}

static bool render(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx)
{
	bool done = false;

	if (t->look == TM_LOOK_STRIPS && !tm_put_strips(out, t, ctx, &done))
		return false;
	if (t->look == TM_LOOK_ROOF && !tm_put_roof(out, t, ctx, &done))
		return false;
	return done || put_rows(out, t, ctx);
}

const struct tm_render_mode tm_render_text = {
	.name = "text",
	.about = "aligned columns, units scaled for people",
	.machine = false,
	.render = render,
};
