/* SPDX-License-Identifier: MIT
 * The first screen on a terminal: lines no longer than it, but for what is to be typed. */
#include "cli/rules/screen_parts.h"

#include <inttypes.h>
#include <string.h>

enum {
	LABEL = 7,
	BAR_LEAST = 10,
	FINDINGS = 6,
	NARROW = 30,
	SAVES = 15,
	DOUBT = 3,
	NUMBER = 6,  /* the mark of a finding and its number */
	TITLE = 16,  /* the least that a title can be shortened to */
	COMMAND = 18 /* a command that there is room for beside the rest, and two blanks */
};

#define BOLD    "\033[1m"
#define DIM     "\033[2m"
#define RED     "\033[31m"
#define MAGENTA "\033[35m"
#define PLAIN   "\033[0m"

static void styled(const struct screen *s, const char *style, const char *text)
{
	if (s->ctx.color)
		tm_buf_fmt(s->out, "%s%s" PLAIN, style, text);
	else
		tm_buf_str(s->out, text);
}

static size_t width_of(const struct screen *s)
{
	return s->ctx.width ? s->ctx.width < NARROW ? NARROW : s->ctx.width : 120;
}

static const char *words(const struct tm_buf *b)
{
	return b->p ? b->p : "";
}

/* May a line end at byte n?  "< 50 %" stays in one. */
static bool may_end(const char *at, size_t n)
{
	return at[n] == ' ' && at[n + 1] != '%' && !(n && strchr("<>=", at[n - 1]));
}

/* Does an item of a list end there, and another begins: after ',', ':' or U+00B7? */
static bool ends_item(const char *at, size_t n)
{
	return at[n] == ' ' && (at[n - 1] == ',' || at[n - 1] == ':' ||
	                        (n > 1 && !memcmp(at + n - 2, "\302\267", 2)));
}

/* How many bytes of a text go on one line: of a list up to the end of an item, else up to a blank.
 */
static size_t line_of(const char *at, size_t left, size_t room, bool list)
{
	const size_t most = tm_render_fit(at, left, room);
	size_t n = most;

	if (most == left)
		return left;
	while (list && n && !ends_item(at, n))
		n--;
	for (n = list && n > most / 3 ? n : most; n && !may_end(at, n);)
		n--;
	return n ? n : most;
}

/* A line with a label, or several. */
static void put_wrapped(const struct screen *s, const char *label, size_t indent,
                        const struct tm_buf *b)
{
	const size_t room = s->ctx.width ? width_of(s) - indent : b->n;
	const bool list = indent != DOUBT;
	const char *at = words(b);

	for (size_t left = b->n; left; label = "") {
		size_t n = line_of(at, left, room, list);

		tm_buf_fmt(s->out, "%-*s%.*s\n", (int)indent, label, (int)n, at);
		at += n;
		left -= n;
		if (left && *at == ' ') {
			at++;
			left--;
		}
	}
	s->out->failed |= b->failed;
}

/* Two ends of a line; one list where they are too long for that. */
static void put_ends(const struct screen *s, struct tm_buf *left, const char *between,
                     const struct tm_buf *right)
{
	size_t used = tm_render_width(words(left), left->n) +
	              tm_render_width(words(right), right->n);

	if (used + 2 <= width_of(s)) {
		styled(s, BOLD, words(left));
		tm_buf_fmt(s->out, "%*s%s\n", (int)(width_of(s) - used), "", words(right));
	} else {
		tm_buf_fmt(left, "%s%s", between, words(right));
		put_wrapped(s, "", 0, left);
	}
}

static void put_head(const struct screen *s)
{
	const char *between = s->ctx.utf8 ? " \302\267 " : ", ";
	struct tm_buf left = { 0 }, right = { 0 };

	tm_screen_put_head(s, &left, between);
	tm_screen_put_losses(s, &right);
	put_ends(s, &left, between, &right);
	s->out->failed |= left.failed || right.failed;
	tm_buf_fini(&left);
	tm_buf_fini(&right);
}

/* ---- bars ---- */

static void put_cells(const struct screen *s, const struct screen_part *part, size_t n)
{
	const char *cell = part->family ? "#" : ".";

	if (s->ctx.utf8)
		cell = part->family ? "\342\226\210" : "\342\226\221";
	if (part->family)
		tm_hue_begin(s->out, tm_hue_of(part->family, strlen(part->family)), s->ctx.color,
		             s->ctx.light);
	for (size_t i = 0; i < n; i++)
		tm_buf_str(s->out, cell);
	if (part->family)
		tm_hue_end(s->out, s->ctx.color);
}

/* Columns of the labels of a line, and what its parts add up to. */
static size_t measure(const struct screen *s, const struct screen_part *parts, uint64_t *sum,
                      size_t *n)
{
	struct tm_buf b = { 0 };
	size_t width;

	*sum = 0;
	*n = 0;
	for (const struct screen_part *p = parts; p->metric; p++) {
		struct tm_cell c = tm_screen_cell(s, p->metric, s->value);

		if (!tm_screen_some(s, p->metric))
			continue;
		tm_buf_fmt(&b, "%s %s ", *n ? "  " : "", p->label);
		tm_screen_put_pct(&b, c);
		*sum += c.v.u;
		++*n;
	}
	width = b.n;
	s->out->failed |= b.failed;
	tm_buf_fini(&b);
	return width;
}

/* Labels alone, in as many lines as they need. */
static void put_labels(const struct screen *s, const char *label, const struct screen_part *parts)
{
	size_t column = 0;

	for (const struct screen_part *p = parts; p->metric; p++) {
		struct tm_buf b = { 0 };

		if (!tm_screen_some(s, p->metric))
			continue;
		tm_buf_fmt(&b, "%s ", p->label);
		tm_screen_put_pct(&b, tm_screen_cell(s, p->metric, s->value));
		if (!column || column + 2 + b.n > width_of(s)) {
			tm_buf_fmt(s->out, "%s%-*s%s", column ? "\n" : "", LABEL,
			           column ? "" : label, words(&b));
			column = LABEL + b.n;
		} else {
			tm_buf_fmt(s->out, "  %s", words(&b));
			column += 2 + b.n;
		}
		s->out->failed |= b.failed;
		tm_buf_fini(&b);
	}
	tm_buf_chr(s->out, '\n');
}

/* Each part as a piece of one bar with its label after it; labels alone where there is no room. */
static void put_bar(const struct screen *s, const char *label, const struct screen_part *parts)
{
	uint64_t sum;
	size_t n, used = LABEL + measure(s, parts, &sum, &n), first = s->out->n;
	size_t room = width_of(s) > used ? width_of(s) - used : 0;

	if (!n)
		return;
	room = room > n ? room - n : 0; /* each has one cell at least */
	if (room > width_of(s) / 2)
		room = width_of(s) / 2;
	if (room < BAR_LEAST) {
		put_labels(s, label, parts);
		return;
	}
	tm_buf_fmt(s->out, "%-*s", LABEL, label);
	first = s->out->n;
	for (const struct screen_part *p = parts; p->metric; p++) {
		struct tm_cell c = tm_screen_cell(s, p->metric, s->value);

		if (!tm_screen_some(s, p->metric))
			continue;
		tm_buf_str(s->out, s->out->n > first ? "  " : "");
		put_cells(s, p, 1 + (size_t)((tm_u128)room * c.v.u / sum));
		tm_buf_fmt(s->out, " %s ", p->label);
		tm_screen_put_pct(s->out, c);
	}
	tm_buf_chr(s->out, '\n');
}

static void put_use(const struct screen *s)
{
	static const struct {
		enum tm_sensor sensor;
		const char *label;
	} sensors[] = { { TM_SENSOR_POWER, "power" }, { TM_SENSOR_SCLK, "clock" } };
	struct tm_buf b = { 0 };

	put_bar(s, "GPU", tm_screen_parts);
	if (tm_screen_some(s, "timeline.idle_pct")) {
		put_bar(s, "idle", tm_screen_causes);
		tm_buf_str(&b, "by call: ");
		if (tm_screen_put_calls(s, &b))
			put_wrapped(s, "", LABEL, &b);
	}
	tm_buf_clear(&b);
	if (tm_screen_put_spark(s, &b, s->ctx.utf8))
		put_wrapped(s, "time", LABEL, &b);
	for (size_t i = 0; i < sizeof sensors / sizeof *sensors; i++) {
		tm_buf_clear(&b);
		if (tm_screen_put_sensor(s, &b, sensors[i].sensor, s->ctx.utf8))
			put_wrapped(s, sensors[i].label, LABEL, &b);
	}
	tm_buf_clear(&b);
	tm_screen_put_verdict(s, &b);
	put_wrapped(s, "target", LABEL, &b);
	s->out->failed |= b.failed;
	tm_buf_fini(&b);
}

/* ---- findings ---- */

static void put_doubts(const struct screen *s)
{
	for (size_t i = 0; i < s->n && s->v[i].severity == SEV_TRUST; i++) {
		struct tm_buf b = { 0 }, shown = { 0 };

		tm_findings_title(&b, s->j, &s->v[i]);
		tm_buf_fmt(&b, ": %s", s->v[i].def->advice);
		tm_render_visible(&shown, words(&b), b.n, s->ctx.utf8);
		put_wrapped(s, s->ctx.color ? MAGENTA "?" PLAIN "  " : "?", DOUBT, &shown);
		s->out->failed |= b.failed;
		tm_buf_fini(&b);
		tm_buf_fini(&shown);
	}
}

/* "up to 12.79 ms" */
static void put_saves(struct tm_buf *b, const struct found *f)
{
	if (!f->saves)
		return;
	tm_buf_str(b, "up to ");
	tm_work_put_ns(b, f->saves);
}

/* Columns of the titles and savings of findings. */
struct lanes {
	size_t title, saves;
	bool below; /* savings have lines of their own */
};

/* Append the title of a finding, whose words have at most so many columns. */
static void put_title(const struct screen *s, const struct found *f, size_t most,
                      struct tm_buf *out)
{
	struct tm_buf b = { 0 }, shown = { 0 };

	tm_findings_title(&b, s->j, f);
	tm_render_visible(&shown, words(&b), b.n, s->ctx.utf8);
	for (size_t i = 0, n; i < shown.n; i += n) {
		const char *word = shown.p + i, *end = memchr(word, ' ', shown.n - i);

		n = end ? (size_t)(end - word) : shown.n - i;
		tm_render_cut(out, word, n, most, s->ctx.utf8);
		n += end != NULL;
		tm_buf_str(out, end ? " " : "");
	}
	out->failed |= b.failed || shown.failed;
	tm_buf_fini(&b);
	tm_buf_fini(&shown);
}

/* The columns for findings: savings and commands begin in one column each, and a title that would
 * leave no room for them goes on in the next line.  One that saves nothing may use all of its line,
 * and all do where the line is too short for a title and savings. */
static struct lanes lanes_of(const struct screen *s, const struct found *f, size_t n)
{
	struct lanes l = { .saves = SAVES };
	struct tm_buf b = { 0 };
	size_t most, beside = width_of(s) * 3 / 5;

	for (size_t i = 0; i < n; i++) {
		tm_buf_clear(&b);
		put_saves(&b, &f[i]);
		l.saves = b.n > l.saves ? b.n : l.saves;
	}
	l.below = width_of(s) < NUMBER + TITLE + 2 + l.saves;
	most = width_of(s) - NUMBER - (l.below ? 0 : 2 + l.saves);
	most = beside + COMMAND <= most ? beside : most;
	for (size_t i = 0; i < n; i++) {
		size_t w;

		tm_buf_clear(&b);
		put_title(s, &f[i], most, &b);
		w = tm_render_width(words(&b), b.n);
		l.title = w > l.title && (f[i].saves || w <= most) ? w : l.title;
	}
	l.title = l.title < most ? l.title : most;
	s->out->failed |= b.failed;
	tm_buf_fini(&b);
	return l;
}

/* One finding: its mark and number, what it is, what it could save, what to type. */
static void put_finding(const struct screen *s, const struct found *f, size_t nth,
                        const struct lanes *l)
{
	struct tm_buf title = { 0 }, lines = { 0 }, saves = { 0 }, command = { 0 }, shown = { 0 };
	const bool bad = f->severity == SEV_HIGH || f->severity == SEV_MEDIUM;
	const size_t left = NUMBER + l->title + 2 + l->saves + 2;
	const size_t most = f->saves ? l->title : width_of(s) - NUMBER;
	const char *line;
	size_t first, used;
	bool beside;

	tm_buf_fmt(&title, "%*s", NUMBER, "");
	put_title(s, f, most, &title);
	tm_render_wrap(&lines, words(&title), title.n, NUMBER + most, NUMBER);
	put_saves(&saves, f);
	tm_findings_command(&command, s->j, f->def->command);
	tm_render_visible(&shown, words(&command), command.n, s->ctx.utf8);
	line = words(&lines) + (lines.n > NUMBER ? NUMBER : lines.n);
	first = strcspn(line, "\n");
	used = tm_render_width(line, first);
	beside = used <= l->title && left + tm_render_width(words(&shown), shown.n) <= width_of(s);
	styled(s, bad ? RED : DIM, bad ? "!" : "-");
	tm_buf_fmt(s->out, "  %zu  %.*s", nth, (int)first, line);
	if (beside || (f->saves && !l->below))
		tm_buf_fmt(s->out, "%*s  %-*s", (int)(l->title > used ? l->title - used : 0), "",
		           beside ? (int)l->saves : 0, words(&saves));
	if (beside) {
		tm_buf_str(s->out, "  ");
		styled(s, DIM, words(&shown));
	}
	tm_buf_str(s->out, line + first);
	if (f->saves && l->below)
		tm_buf_fmt(s->out, "\n%*s%s", NUMBER, "", words(&saves));
	if (!beside) {
		tm_buf_fmt(s->out, "\n%*s", NUMBER, "");
		styled(s, DIM, words(&shown));
	}
	tm_buf_chr(s->out, '\n');
	s->out->failed |= title.failed || lines.failed || saves.failed || command.failed ||
	                  shown.failed;
	tm_buf_fini(&title);
	tm_buf_fini(&lines);
	tm_buf_fini(&saves);
	tm_buf_fini(&command);
	tm_buf_fini(&shown);
}

/* How many there is no room for. */
static void put_more(const struct screen *s, size_t n)
{
	struct tm_buf command = { 0 }, shown = { 0 };

	if (!n)
		return;
	tm_screen_put_all(s, &command);
	tm_render_visible(&shown, words(&command), command.n, s->ctx.utf8);
	tm_buf_fmt(s->out, "   and %zu more\n      ", n);
	styled(s, DIM, words(&shown));
	tm_buf_chr(s->out, '\n');
	s->out->failed |= command.failed || shown.failed;
	tm_buf_fini(&command);
	tm_buf_fini(&shown);
}

static void put_findings(const struct screen *s)
{
	struct tm_buf none = { 0 };
	size_t from = 0, n;
	struct lanes l;

	tm_buf_chr(s->out, '\n');
	if (s->j->events) {
		tm_buf_str(&none, "findings of 2 to 64 ranks need events: give the traces");
		put_wrapped(s, "-", DOUBT, &none);
		tm_buf_fini(&none);
		return;
	}
	put_doubts(s);
	while (from < s->n && s->v[from].severity == SEV_TRUST)
		from++;
	n = s->n - from > FINDINGS ? FINDINGS : s->n - from;
	l = lanes_of(s, s->v + from, n);
	for (size_t i = 0; i < n; i++)
		put_finding(s, &s->v[from + i], i + 1, &l);
	put_more(s, s->n - from - n);
	if (!n) {
		tm_screen_put_none(s, &none);
		put_wrapped(s, "-", DOUBT, &none);
		tm_buf_fini(&none);
	}
}

/* ---- kernels ---- */

static bool put_kernels(const struct screen *s, uint64_t limit)
{
	struct tm_render_ctx ctx = s->ctx;
	struct tm_buf more = { 0 };
	struct tm_table t;
	size_t all;
	bool ok = tm_screen_kernels(s, limit, &t, &all);

	ctx.part = true;
	if (ok && t.nrows) {
		tm_buf_chr(s->out, '\n');
		ok = tm_render_find("text")->render(s->out, &t, &ctx);
	}
	if (ok && t.nrows < all) {
		tm_buf_fmt(&more, "%zu of %zu kernels shown, -n 0 for all", t.nrows, all);
		put_wrapped(s, "", 0, &more);
	}
	tm_buf_fini(&more);
	tm_table_fini(&t);
	return ok;
}

bool tm_screen_text(const struct screen *s, uint64_t kernels)
{
	put_head(s);
	put_use(s);
	put_findings(s);
	return put_kernels(s, kernels) && !s->out->failed;
}
