/* SPDX-License-Identifier: MIT
 * Why this is linear: a search for the end of a row begins only at a line that begins with a head,
 * and stops at the next such line, so a line is searched by one row (by 2^words at most, where
 * lines differ in which words of the head they quote).  Doubled quotes need no such stop: inside a
 * field or not is the parity of the quotes, so a search that ran far over even lines is not
 * repeated from any of them. */
#include "read/csv_row.h"

#include <string.h>

struct input {
	const unsigned char *p;
	size_t n;
	bool whole; /* the input ends at p + n */
};

/* What stands at an offset, where a field could end. */
enum stop { STOP_NONE, STOP_COMMA, STOP_LINE, STOP_END, STOP_UNKNOWN };

/* SHORT: it could still fit, but the bytes end first. */
enum step { STEP_OK, STEP_BAD, STEP_SHORT };

static enum stop stop_at(const struct input *in, size_t i)
{
	if (i >= in->n)
		return in->whole ? STOP_END : STOP_UNKNOWN;
	if (in->p[i] == ',')
		return STOP_COMMA;
	if (in->p[i] == '\n')
		return STOP_LINE;
	if (in->p[i] != '\r')
		return STOP_NONE;
	if (i + 1 < in->n)
		return in->p[i + 1] == '\n' ? STOP_LINE : STOP_NONE;
	return in->whole ? STOP_END : STOP_UNKNOWN;
}

static bool same_word(const unsigned char *p, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if ((p[i] | 0x20) != word[i])
			return false;
	return true;
}

static bool digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

static bool is_number(const unsigned char *p, size_t n)
{
	size_t i = 0, digits = 0;

	if (!n || (n == 4 && same_word(p, 4, "none")))
		return true;
	if (*p == '-' || *p == '+')
		i = 1;
	if (n - i == 3 && (same_word(p + i, 3, "nan") || same_word(p + i, 3, "inf")))
		return true;
	if (n - i > 2 && p[i] == '0' && (p[i + 1] | 0x20) == 'x') {
		for (i += 2; i < n; i++)
			if (!digit(p[i]) && ((p[i] | 0x20) < 'a' || (p[i] | 0x20) > 'f'))
				return false;
		return true;
	}
	for (; i < n && digit(p[i]); i++)
		digits++;
	if (i < n && p[i] == '.')
		for (i++; i < n && digit(p[i]); i++)
			digits++;
	if (!digits)
		return false;
	if (i < n && (p[i] | 0x20) == 'e') {
		i++;
		if (i < n && (p[i] == '-' || p[i] == '+'))
			i++;
		for (digits = 0; i < n && digit(p[i]); i++)
			digits++;
		if (!digits)
			return false;
	}
	return i == n;
}

bool csv_fits(enum csv_type type, const unsigned char *p, size_t n)
{
	if (type == CSV_NUMBER)
		return is_number(p, n);
	return !n || (!memchr(p, '"', n) && !memchr(p, ',', n) && !memchr(p, '\n', n));
}

/* A fixed column that begins at `pos`; *end = where its stop is. */
static enum step fixed_left(const struct input *in, size_t pos, enum csv_type type,
                            struct csv_field *f, size_t *end)
{
	size_t i = pos;
	bool quoted = i < in->n && in->p[i] == '"';

	if (quoted)
		i = ++pos;
	/* rocpd's converter says "no agent" with one quote, written """". */
	if (quoted && in->n - i >= 3 && !memcmp(in->p + i, "\"\"\"", 3))
		i = pos += 2;
	while (i < in->n && in->p[i] != ',' && in->p[i] != '\n' && in->p[i] != '"')
		i++;
	if (quoted) {
		enum stop stop;

		if (i >= in->n)
			return STEP_SHORT;
		stop = in->p[i] == '"' ? stop_at(in, i + 1) : STOP_NONE;
		if (stop == STOP_NONE)
			return STEP_BAD;
		if (stop == STOP_UNKNOWN)
			return STEP_SHORT;
		*end = i + 1;
	} else {
		if (i < in->n ? in->p[i] == '"' : !in->whole)
			return i < in->n ? STEP_BAD : STEP_SHORT;
		if (i > pos && in->p[i - 1] == '\r' && (i == in->n || in->p[i] == '\n'))
			i--;
		*end = i;
	}
	*f = (struct csv_field) { .p = in->p + pos, .n = i - pos, .quoted = quoted };
	if (csv_fits(type, f->p, f->n) && (f->n || quoted || stop_at(in, *end) != STOP_END))
		return STEP_OK;
	/* What touches the end of the input may be the beginning of something that fits. */
	return stop_at(in, *end) == STOP_END && !quoted ? STEP_SHORT : STEP_BAD;
}

/* Does the line at `pos` begin with a head?  `own` is the head of the row before.  SHORT = cannot
 * tell yet.  Numbers may change their quotes, words may not: that bounds the cost (see above). */
static enum step head_at(const struct csv_shape *shape, const struct input *in, size_t pos,
                         const struct csv_field *own)
{
	enum step out = in->whole ? STEP_BAD : STEP_SHORT;

	for (int32_t i = 0; i < shape->text; i++) {
		struct csv_field f;
		enum step st = fixed_left(in, pos, shape->type[i], &f, &pos);

		if (st == STEP_SHORT)
			return out;
		if (st != STEP_OK || stop_at(in, pos) != STOP_COMMA ||
		    (shape->type[i] == CSV_WORD && f.quoted != own[i].quoted))
			return STEP_BAD;
		pos++;
	}
	if (pos >= in->n)
		return out;
	return in->p[pos] == '"' ? STEP_OK : STEP_BAD;
}

/* The free text that begins at `pos`, by the strict rules. */
static enum step text_left(const struct csv_shape *shape, const struct input *in, size_t pos,
                           const struct csv_field *own, struct csv_field *f, size_t *end)
{
	const unsigned char *p = in->p;

	if (pos >= in->n || p[pos] != '"')
		return fixed_left(in, pos, CSV_WORD, f, end);
	*f = (struct csv_field) { .p = p + pos + 1, .quoted = true };
	for (size_t i = pos + 1; i < in->n; i++) {
		enum stop stop;
		enum step st;

		if (p[i] == '\n' && !shape->escaped) {
			st = head_at(shape, in, i + 1, own);
			if (st != STEP_BAD)
				return st == STEP_OK ? STEP_BAD : STEP_SHORT;
		}
		if (p[i] != '"')
			continue;
		stop = stop_at(in, i + 1);
		if (stop == STOP_UNKNOWN)
			return STEP_SHORT;
		if (stop != STOP_NONE) {
			f->n = (size_t)(p + i - f->p);
			*end = i + 1;
			return STEP_OK;
		}
		if (shape->escaped) {
			if (p[i + 1] != '"')
				return STEP_BAD;
			f->doubled = true;
			i++;
		}
	}
	return STEP_SHORT;
}

/* The whole row by the strict rules; *end = offset of the newline or of the end of the input. */
static enum step strict(const struct csv_shape *shape, const struct input *in,
                        struct csv_field *fields, size_t *end)
{
	size_t pos = 0;

	for (uint32_t i = 0;; i++) {
		enum step st;
		enum stop stop;

		if (shape->text >= 0 && i == (uint32_t)shape->text)
			st = text_left(shape, in, pos, fields, &fields[i], end);
		else
			st = fixed_left(in, pos, shape->type[i], &fields[i], end);
		if (st != STEP_OK)
			return st;
		stop = stop_at(in, *end);
		if (i + 1 == shape->ncols)
			return stop == STOP_COMMA ? STEP_BAD : STEP_OK;
		if (stop != STOP_COMMA)
			return stop == STOP_LINE ? STEP_BAD : STEP_SHORT;
		pos = *end + 1;
	}
}

/* The fixed columns [first, last] that end at `end`, split from the right, within p[lo..end).
 * Returns where the comma before column `first` is, or SIZE_MAX. */
static size_t fixed_right(const struct csv_shape *shape, const unsigned char *p, size_t lo,
                          size_t end, uint32_t first, uint32_t last, struct csv_field *fields)
{
	for (uint32_t i = last + 1; i-- > first;) {
		bool quoted = end > lo && p[end - 1] == '"';
		size_t stop = quoted ? end - 1 : end, s = stop;

		while (s > lo && p[s - 1] != ',' && p[s - 1] != '"' && p[s - 1] != '\n')
			s--;
		fields[i] = (struct csv_field) { .p = p + s, .n = stop - s, .quoted = quoted };
		if (quoted && (s <= lo || p[--s] != '"'))
			return SIZE_MAX;
		if (s <= lo || p[s - 1] != ',' ||
		    !csv_fits(shape->type[i], fields[i].p, fields[i].n))
			return SIZE_MAX;
		end = s - 1;
	}
	return end;
}

/* Does the line end at `end` close a tail for a text that begins at p[ts]?  lo <= end bounds the
 * line.  Fills the text and the tail. */
static bool tail_closes(const struct csv_shape *shape, const struct input *in, size_t ts, size_t lo,
                        size_t end, struct csv_field *fields)
{
	const unsigned char *p = in->p;
	uint32_t text = (uint32_t)shape->text, last = shape->ncols - 1;
	bool quoted = p[ts] == '"';

	if (end > lo && p[end - 1] == '\r')
		end--;
	if (text < last) {
		size_t comma = fixed_right(shape, p, lo, end, text + 1, last, fields);

		if (comma == SIZE_MAX)
			return false;
		if (!fields[last].n && !fields[last].quoted &&
		    end >= in->n - (in->p[in->n - 1] == '\r'))
			return false;
		end = comma;
	}
	if (quoted && (end <= lo || p[end - 1] != '"'))
		return false;
	ts += quoted;
	end -= quoted;
	fields[text] = (struct csv_field) { .p = p + ts, .n = end - ts, .quoted = quoted };
	return true;
}

/* Mend a row that is not strict.  STEP_OK with *end; STEP_BAD: its first line is lost; STEP_SHORT.
 * `open`: by the strict rules the input ends inside the row, so it does where no tail turns up. */
static enum step recover(const struct csv_shape *shape, struct csv_memo *memo, uint64_t at,
                         const struct input *in, bool open, struct csv_field *fields, size_t *end)
{
	size_t ts = 0, from;

	for (int32_t i = 0; i < shape->text; i++) {
		enum step st = fixed_left(in, ts, shape->type[i], &fields[i], &ts);
		enum stop stop;

		if (st != STEP_OK)
			return st;
		stop = stop_at(in, ts);
		if (stop != STOP_COMMA)
			return stop == STOP_LINE ? STEP_BAD : STEP_SHORT;
		ts++;
	}
	if (ts >= in->n)
		return STEP_SHORT;
	from = ts + (in->p[ts] == '"');
	for (bool first = true;; first = false) {
		const unsigned char *nl = from < in->n ? memchr(in->p + from, '\n', in->n - from)
		                                       : NULL;
		enum step st;

		if (!nl && !in->whole)
			return STEP_SHORT;
		*end = nl ? (size_t)(nl - in->p) : in->n;
		if (first || at + *end >= memo->no_tail) {
			if (tail_closes(shape, in, ts, from, *end, fields))
				return STEP_OK;
			/* The first line is weighed from behind its opening quote: that proves
			 * nothing for another row. */
			if (!first && nl)
				memo->no_tail = at + *end + 1;
		}
		if (in->p[ts] != '"')
			return nl ? STEP_BAD : STEP_SHORT;
		if (!nl)
			return STEP_SHORT;
		from = *end + 1;
		if (from >= in->n)
			return in->whole && !open ? STEP_BAD : STEP_SHORT;
		st = head_at(shape, in, from, fields);
		if (st != STEP_BAD)
			return st == STEP_OK ? STEP_BAD : STEP_SHORT;
	}
}

/* Two rows run together: the first was cut inside its text and the second follows without a
 * newline.  Fewer than four columns of a head could stand in a name by chance: k<"a",5,"b">. */
static bool runs_on(const struct csv_shape *shape, const struct csv_field *fields)
{
	const struct csv_field *t;
	uint32_t text = (uint32_t)shape->text;

	if (shape->text < 4)
		return false;
	t = &fields[text];
	for (size_t i = 1; i < t->n; i++) {
		struct csv_field f[1];
		size_t end = i - 1;
		uint32_t col = text;
		bool fits = t->p[i] == '"' && t->p[i - 1] == ',';

		/* The first column has no left end: it begins where the other row broke off. */
		while (fits && --col > 0) {
			struct csv_shape one = { .type = &shape->type[col] };

			end = fixed_right(&one, t->p, 0, end, 0, 0, f);
			fits = end != SIZE_MAX &&
			       (shape->type[col] != CSV_WORD || f->quoted == fields[col].quoted);
		}
		if (fits)
			return true;
	}
	return false;
}

static uint64_t count_lines(const unsigned char *p, size_t n)
{
	uint64_t lines = 0;

	for (const unsigned char *end = p + n; p < end; p++, lines++) {
		p = memchr(p, '\n', (size_t)(end - p));
		if (!p)
			break;
	}
	return lines;
}

/* Decide; sets *next for all but CSV_MORE, where it stays 0. */
static enum csv_verdict decide(const struct csv_shape *shape, struct csv_memo *memo, uint64_t at,
                               const unsigned char *p, size_t n, bool whole,
                               struct csv_field *fields, size_t *next)
{
	struct input in = { .p = p, .n = n, .whole = whole };
	enum csv_verdict good = CSV_ROW;
	const unsigned char *nl;
	enum step st;
	size_t end;

	if (n > CSV_ROW_MAX) {
		in.n = CSV_ROW_MAX;
		in.whole = false;
	}
	if (memo->overlong) {
		nl = n ? memchr(p, '\n', n) : NULL;
		memo->overlong = !nl;
		*next = nl ? (size_t)(nl - p) + 1 : n;
		return CSV_BLANK;
	}
	if (!n || stop_at(&in, 0) == STOP_LINE || (whole && n == 1 && *p == '\r')) {
		*next = !n ? 0 : n > 1 && *p == '\r' ? 2 : 1;
		return n || whole ? CSV_BLANK : CSV_MORE;
	}

	st = strict(shape, &in, fields, &end);
	if (st != STEP_OK && shape->text >= 0 && (st == STEP_BAD || in.whole)) {
		st = recover(shape, memo, at, &in, st == STEP_SHORT, fields, &end);
		good = CSV_RECOVERED;
	}
	if (st == STEP_OK) {
		if (end < in.n && p[end] == '\r')
			end++;
		*next = end < in.n ? end + 1 : end;
		return shape->text >= 0 && runs_on(shape, fields) ? CSV_BAD : good;
	}
	if (st == STEP_SHORT) {
		if (in.whole) {
			*next = n;
			return CSV_CUT;
		}
		if (n < CSV_ROW_MAX)
			return CSV_MORE;
	}

	/* Its first line is lost. */
	nl = memchr(p, '\n', in.n);
	if (nl) {
		*next = (size_t)(nl - p) + 1;
	} else if (in.whole) {
		*next = n;
	} else if (n < CSV_ROW_MAX) {
		return CSV_MORE;
	} else {
		memo->overlong = true;
		*next = in.n;
	}
	return CSV_BAD;
}

enum csv_verdict csv_row_split(const struct csv_shape *shape, struct csv_memo *memo, uint64_t at,
                               const unsigned char *p, size_t n, bool whole,
                               struct csv_field *fields, size_t *next, uint64_t *lines)
{
	enum csv_verdict v;

	*next = 0;
	v = decide(shape, memo, at, p, n, whole, fields, next);
	*lines = count_lines(p, *next);
	return v;
}

size_t csv_unquote(const struct csv_field *f, unsigned char *out)
{
	size_t n = 0;

	if (!f->doubled) {
		if (f->n)
			memcpy(out, f->p, f->n);
		return f->n;
	}
	for (size_t i = 0; i < f->n; i++) {
		out[n++] = f->p[i];
		if (f->p[i] == '"' && i + 1 < f->n && f->p[i + 1] == '"')
			i++;
	}
	return n;
}
