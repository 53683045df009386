/* SPDX-License-Identifier: MIT
 * Why this is linear: a search for the end of a row begins only at a line that begins with a head,
 * and stops at the next such line, so a line is searched by one row (by 2^words at most, where
 * lines differ in which words of the head they quote).  Doubled quotes need no such stop: inside a
 * field or not is the parity of the quotes, so a search that ran far over even lines is not
 * repeated from any of them. */
#include "read/csv/csv_row.h"

#include <string.h>

struct tm_input {
	const unsigned char *p;
	size_t n;
	bool whole; /* the input ends at p + n */
};

/* What stands at an offset, where a field could end. */
enum stop { STOP_NONE, STOP_COMMA, STOP_LINE, STOP_END, STOP_UNKNOWN };

/* SHORT: it could still fit, but the bytes end first. */
enum tm_step { STEP_OK, STEP_BAD, STEP_SHORT };

static enum stop stop_at(const struct tm_input *in, size_t i)
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

bool tm_csv_fits(enum csv_type type, const unsigned char *p, size_t n)
{
	if (type == CSV_NUMBER)
		return is_number(p, n);
	/* Not in quotes a text ended at its first comma. */
	return !n || (!memchr(p, '"', n) && (type == CSV_TEXT || !memchr(p, ',', n)) &&
	              !memchr(p, '\n', n));
}

static bool is_word(enum csv_type type)
{
	return type == CSV_WORD || type == CSV_TEXT;
}

/* A fixed column that begins at `pos`; *end = where its stop is. */
static enum tm_step fixed_left(const struct tm_input *in, size_t pos, enum csv_type type,
                               struct csv_field *f, size_t *end)
{
	size_t i = pos;
	bool quoted = i < in->n && in->p[i] == '"';

	if (quoted)
		i = ++pos;
	/* rocpd's converter says "no agent" with one quote, written """". */
	if (quoted && in->n - i >= 3 && !memcmp(in->p + i, "\"\"\"", 3))
		i = pos += 2;
	while (i < in->n && (in->p[i] != ',' || (quoted && type == CSV_TEXT)) && in->p[i] != '\n' &&
	       in->p[i] != '"')
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
	if (tm_csv_fits(type, f->p, f->n) && (f->n || quoted || stop_at(in, *end) != STOP_END))
		return STEP_OK;
	/* What touches the end of the input may be the beginning of something that fits. */
	return stop_at(in, *end) == STOP_END && !quoted ? STEP_SHORT : STEP_BAD;
}

/* Does the line at `pos` begin with a head?  `own` is the head of the row before.  SHORT = cannot
 * tell yet.  Numbers may change their quotes, words may not: that bounds the cost (see above). */
static enum tm_step head_at(const struct csv_shape *shape, const struct tm_input *in, size_t pos,
                            const struct csv_field *own)
{
	enum tm_step out = in->whole ? STEP_BAD : STEP_SHORT;

	for (int32_t i = 0; i < shape->text; i++) {
		struct csv_field f;
		enum tm_step st = fixed_left(in, pos, shape->type[i], &f, &pos);

		if (st == STEP_SHORT)
			return out;
		if (st != STEP_OK || stop_at(in, pos) != STOP_COMMA ||
		    (is_word(shape->type[i]) && f.quoted != own[i].quoted))
			return STEP_BAD;
		pos++;
	}
	if (pos >= in->n)
		return out;
	return in->p[pos] == '"' ? STEP_OK : STEP_BAD;
}

/* The free text that begins at `pos`, by the strict rules. */
static enum tm_step text_left(const struct csv_shape *shape, const struct tm_input *in, size_t pos,
                              const struct csv_field *own, struct csv_field *f, size_t *end)
{
	const unsigned char *p = in->p;

	if (pos >= in->n || p[pos] != '"')
		return fixed_left(in, pos, CSV_WORD, f, end);
	*f = (struct csv_field) { .p = p + pos + 1, .quoted = true };
	for (size_t i = pos + 1; i < in->n; i++) {
		enum stop stop;
		enum tm_step st;

		if (shape->escaped) {
			const unsigned char *q = memchr(p + i, '"', in->n - i);

			if (!q)
				return STEP_SHORT;
			i = (size_t)(q - p);
		}
		if (p[i] == '\n') {
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

/* Behind the last column there is a comma: are there but empty cells, which a spreadsheet adds
 * where another row has more?  *end = where they end. */
static enum tm_step padding(const struct tm_input *in, size_t *end)
{
	size_t i = *end;

	while (i < in->n && in->p[i] == ',')
		i++;
	*end = i;
	switch (stop_at(in, i)) {
	case STOP_UNKNOWN:
		return STEP_SHORT;
	case STOP_LINE:
		return STEP_OK;
	default:
		return STEP_BAD;
	}
}

/* The whole row by the strict rules; *end = offset of the newline or of the end of the input. */
static enum tm_step strict(const struct csv_shape *shape, const struct tm_input *in,
                           struct csv_field *fields, size_t *end)
{
	size_t pos = 0;

	for (uint32_t i = 0;; i++) {
		enum tm_step st;
		enum stop stop;

		if (shape->text >= 0 && i == (uint32_t)shape->text)
			st = text_left(shape, in, pos, fields, &fields[i], end);
		else
			st = fixed_left(in, pos, shape->type[i], &fields[i], end);
		if (st != STEP_OK)
			return st;
		stop = stop_at(in, *end);
		if (i + 1 == shape->ncols)
			return stop == STOP_COMMA ? padding(in, end) : STEP_OK;
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

		while (s > lo && (p[s - 1] != ',' || (quoted && shape->type[i] == CSV_TEXT)) &&
		       p[s - 1] != '"' && p[s - 1] != '\n')
			s--;
		fields[i] = (struct csv_field) { .p = p + s, .n = stop - s, .quoted = quoted };
		if (quoted && (s <= lo || p[--s] != '"'))
			return SIZE_MAX;
		if (s <= lo || p[s - 1] != ',' ||
		    !tm_csv_fits(shape->type[i], fields[i].p, fields[i].n))
			return SIZE_MAX;
		end = s - 1;
	}
	return end;
}

/* Does the line end at `end` close a tail for a text that begins at p[ts]?  lo <= end bounds the
 * line.  Fills the text and the tail. */
static bool tail_closes(const struct csv_shape *shape, const struct tm_input *in, size_t ts,
                        size_t lo, size_t end, struct csv_field *fields)
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
static enum tm_step recover(const struct csv_shape *shape, struct csv_memo *memo, uint64_t at,
                            const struct tm_input *in, bool open, struct csv_field *fields,
                            size_t *end)
{
	size_t ts = 0, from;

	for (int32_t i = 0; i < shape->text; i++) {
		enum tm_step st = fixed_left(in, ts, shape->type[i], &fields[i], &ts);
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
		enum tm_step st;

		if (!nl && !in->whole)
			return STEP_SHORT;
		*end = nl ? (size_t)(nl - in->p) : in->n;
		if (first || at + *end >= memo->no_tail) {
			if (tail_closes(shape, in, ts, from, *end, fields))
				return STEP_OK;
			/* The first line is weighed from after its opening quote: that proves
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

static size_t count_digits(const unsigned char *p, size_t n)
{
	size_t i = 0;

	while (i < n && digit(p[i]))
		i++;
	return i;
}

/* An end that is not before its start, on a clock that has run for a thousand seconds: without its
 * last digit it was, unless the event took nine times as long as that. */
static bool whole_time(const struct csv_field *start, const struct csv_field *end)
{
	enum { ENOUGH_DIGITS = 13 };

	return start->n >= ENOUGH_DIGITS && count_digits(start->p, start->n) == start->n &&
	       end->n == start->n && count_digits(end->p, end->n) == end->n &&
	       memcmp(end->p, start->p, end->n) >= 0;
}

/* "123.456789", "0.00000000e+00".  One digit and six decimals may be the beginning of the
 * latter. */
static bool whole_decimals(const struct csv_field *f)
{
	size_t lead = count_digits(f->p, f->n), rest;

	if (!lead || lead == f->n || f->p[lead] != '.')
		return false;
	rest = count_digits(f->p + lead + 1, f->n - lead - 1);
	if (lead + 1 + rest == f->n)
		return rest == 6 &&
		       (lead > 1 || (*f->p == '0' && memcmp(f->p + 2, "000000", 6) != 0));
	return rest == 8 && f->n - lead - 1 - rest == 4 && f->p[f->n - 4] == 'e' &&
	       count_digits(f->p + f->n - 2, 2) == 2;
}

/* Can nothing be missing from the last column of a row that the input ends after? */
static bool closed(const struct csv_shape *shape, const struct csv_field *fields)
{
	const struct csv_field *last = &fields[shape->ncols - 1];

	if (shape->text == (int32_t)shape->ncols - 1)
		return false;
	if (last->quoted)
		return true;
	switch (shape->last) {
	case LAST_TIME:
		return whole_time(&fields[shape->start], last);
	case LAST_DECIMALS:
		return whole_decimals(last);
	case LAST_ANY:
		break;
	}
	return false;
}

/* ---- rows whose newline is lost ---- */

enum {
	ENOUGH = 4, /* columns that fit by chance nowhere: a name may well hold three, k<"a",5,"b">
	             */
	TRIES = 64, /* places where a name may end, or a row begin, that are tried */
};

/* What stands after the last column of a row. */
enum behind { BEHIND_MISFIT, BEHIND_LINE, BEHIND_ROW };

/* A number and then the word of the next row: how long is the number?  0 = nobody can tell. */
static size_t number_before_word(const unsigned char *p, size_t n)
{
	size_t i = 0;

	while (i < n && digit(p[i]))
		i++;
	if (i && i < n && p[i] == '.')
		for (i++; i < n && digit(p[i]); i++)
			continue;
	if (!i || i == n || (p[i] | 0x20) < 'a' || (p[i] | 0x20) > 'z')
		return 0;
	/* 1e5, 0x5 */
	if (i + 1 < n && (digit(p[i + 1]) || p[i + 1] == '-' || p[i + 1] == '+'))
		return 0;
	return i;
}

/* The last column of a row, which begins at `pos` of a line; the next row begins at *next.  A field
 * that is half of this row and half of the next is neither's: the next row begins after it, with
 * nothing in its first column. */
static enum behind last_column(const struct csv_shape *shape, const struct tm_input *line,
                               size_t pos, struct csv_field *f, size_t *next)
{
	const unsigned char *p = line->p;
	enum csv_type type = shape->type[shape->ncols - 1];
	enum csv_type first = shape->text ? shape->type[0] : CSV_WORD;
	bool quoted = pos < line->n && p[pos] == '"';
	size_t i = pos += quoted, len;

	while (i < line->n && p[i] != ',' && p[i] != '"')
		i++;
	*next = i;
	if (i == line->n && i > pos && p[i - 1] == '\r')
		i--;
	*f = (struct csv_field) { .p = p + pos, .n = i - pos, .quoted = quoted };
	if (quoted) {
		enum stop stop;

		if (i == line->n || p[i] != '"' || !tm_csv_fits(type, f->p, f->n))
			return BEHIND_MISFIT;
		stop = stop_at(line, ++*next);
		return stop == STOP_END ? BEHIND_LINE : stop ? BEHIND_MISFIT : BEHIND_ROW;
	}
	if (*next == line->n || p[i] == '"') {
		if (!f->n || !tm_csv_fits(type, f->p, f->n))
			return BEHIND_MISFIT;
		return *next == line->n ? BEHIND_LINE : BEHIND_ROW;
	}
	len = !is_word(type) && is_word(first) ? number_before_word(f->p, f->n) : 0;
	if (!len && (!shape->text || (type == CSV_NUMBER && !is_number(f->p, f->n))))
		return BEHIND_MISFIT;
	f->n = len;
	*next = len ? pos + len : i;
	return BEHIND_ROW;
}

/* The columns from `i` on, which begin at `pos` of a line; into fields, or nowhere when it is NULL.
 * `own` = a row as they should be quoted, or NULL. */
static enum behind columns_from(const struct csv_shape *shape, const struct tm_input *line,
                                uint32_t i, size_t pos, const struct csv_field *own,
                                struct csv_field *fields, size_t *next)
{
	for (;; i++) {
		struct csv_field f;
		bool text = shape->text >= 0 && i == (uint32_t)shape->text;
		size_t end;
		enum tm_step st;

		if (i + 1 == shape->ncols)
			return last_column(shape, line, pos, fields ? &fields[i] : &f, next);
		if (text && own)
			st = text_left(shape, line, pos, own, &f, &end);
		else
			st = fixed_left(line, pos, shape->type[i], &f, &end);
		if (st != STEP_OK || stop_at(line, end) != STOP_COMMA ||
		    (own && (text || is_word(shape->type[i])) && f.quoted != own[i].quoted && f.n))
			return BEHIND_MISFIT;
		if (fields)
			fields[i] = f;
		pos = end + 1;
	}
}

/* The first line, without its newline. */
static struct tm_input first_line(const struct tm_input *in)
{
	const unsigned char *nl = memchr(in->p, '\n', in->n);

	return (struct tm_input) { .p = in->p,
		                   .n = nl ? (size_t)(nl - in->p) : in->n,
		                   .whole = true };
}

/* Is the line a row and then another, its newline lost?  *next = where that begins. */
static bool joined(const struct csv_shape *shape, const struct tm_input *in,
                   struct csv_field *fields, size_t *next)
{
	struct tm_input line = first_line(in);
	uint32_t text = shape->text < 0 ? 0 : (uint32_t)shape->text, last = shape->ncols - 1;
	size_t pos = 0, end, then;
	unsigned tries = 0;

	if (shape->ncols < ENOUGH || (shape->text >= 0 && text == last))
		return false;
	for (uint32_t i = 0; i < text; i++) {
		if (fixed_left(&line, pos, shape->type[i], &fields[i], &end) != STEP_OK ||
		    stop_at(&line, end) != STOP_COMMA)
			return false;
		pos = end + 1;
	}
	if (shape->text < 0)
		return columns_from(shape, &line, 0, 0, NULL, fields, next) == BEHIND_ROW &&
		       columns_from(shape, &line, 0, *next, fields, NULL, &then);
	if (text_left(shape, &line, pos, fields, &fields[text], &end) != STEP_OK)
		return false;
	/* A name that is not escaped may end after any quote with a comma. */
	for (;;) {
		const unsigned char *q = line.p + end;

		if (stop_at(&line, end) == STOP_COMMA &&
		    columns_from(shape, &line, text + 1, end + 1, NULL, fields, next) ==
		            BEHIND_ROW &&
		    columns_from(shape, &line, 0, *next, fields, NULL, &then) != BEHIND_MISFIT)
			return true;
		if (!fields[text].quoted || shape->escaped || ++tries == TRIES)
			return false;
		q = memmem(q, (size_t)(line.p + line.n - q), "\",", 2);
		if (!q)
			return false;
		fields[text].n = (size_t)(q - fields[text].p);
		end = (size_t)(q - line.p) + 1;
	}
}

/* Does a number stand before `q`, and before that, after commas, more of them and a quote?  So
 * ends a row that begins with its text. */
static bool numbers_before(const unsigned char *p, size_t q)
{
	size_t to = q;

	for (;;) {
		size_t from = to;

		while (from && p[from - 1] != ',' && p[from - 1] != '"' && p[from - 1] != '\n')
			from--;
		if (from == to || !from || !is_number(p + from, to - from) || p[from - 1] != ',')
			return false;
		if (from > 1 && p[from - 2] == '"')
			return true;
		to = from - 1;
	}
}

/* A row whose text opens with the quote at `q` of a line: where it begins, after `lo`; 0 = none
 * does. `own`, when not NULL, is the row it would cut short. */
static size_t row_around(const struct csv_shape *shape, const struct tm_input *line, size_t lo,
                         size_t q, const struct csv_field *own)
{
	const unsigned char *p = line->p;
	uint32_t text = (uint32_t)shape->text;
	bool many = text >= ENOUGH, quoted;
	size_t end = q - 1, s = q, next;
	struct csv_field f;

	if (text ? p[q - 1] != ',' : !numbers_before(p, q))
		return 0;
	for (uint32_t col = text; col-- > 1;) {
		struct csv_shape one = { .type = &shape->type[col] };

		end = fixed_right(&one, p, lo, end, 0, 0, &f);
		if (end == SIZE_MAX ||
		    (own && is_word(shape->type[col]) && f.quoted != own[col].quoted))
			return 0;
	}
	/* The first column has no left end but its own quote: it begins where the other broke off.
	 */
	quoted = text && end > lo && p[end - 1] == '"';
	if (quoted) {
		for (s = end - 1; s > lo && p[s - 1] != '"'; s--)
			continue;
		f = (struct csv_field) { .p = p + s, .n = end - 1 - s };
		quoted = s > lo && tm_csv_fits(shape->type[0], f.p, f.n);
		/* A word of a name, or one of the row that was cut? */
		if (own && !many &&
		    (!quoted || f.n != own->n || f.n < ENOUGH || memcmp(f.p, own->p, f.n) != 0))
			return 0;
	}
	/* Of a line that is lost anyway only what is beyond doubt. */
	if (text && !quoted && (!own || !many))
		return 0;
	if (text)
		s = quoted ? s - 1 : end;
	if (!many && (shape->ncols < ENOUGH ||
	              columns_from(shape, line, 0, s, own, NULL, &next) == BEHIND_MISFIT))
		return 0;
	return s;
}

/* Where in lo .. hi of a line another row begins, of which one was cut; 0 = nowhere. */
static size_t restart(const struct csv_shape *shape, const struct tm_input *line, size_t lo,
                      size_t hi, const struct csv_field *own)
{
	unsigned tries = 0;

	for (size_t q = lo + 1; q < hi && tries < TRIES; q++) {
		const unsigned char *at = memchr(line->p + q, '"', hi - q);
		size_t s;

		if (!at)
			break;
		q = (size_t)(at - line->p);
		if (shape->text ? line->p[q - 1] != ',' : !digit(line->p[q - 1]))
			continue;
		tries++;
		s = row_around(shape, line, lo, q, own);
		if (s)
			return s;
	}
	return 0;
}

/* A row was split at `end`, and another begins inside its text: it was cut there, and the newline
 * after it is lost.  Where the other begins, or 0. */
static size_t runs_on(const struct csv_shape *shape, const unsigned char *p, size_t end,
                      const struct csv_field *fields)
{
	const struct csv_field *t = shape->text >= 0 ? &fields[shape->text] : NULL;
	struct tm_input row = { .p = p, .n = end, .whole = true };
	size_t lo;

	if (!t || !t->n || !memchr(t->p, '"', t->n))
		return 0;
	lo = (size_t)(t->p - p);
	return restart(shape, &row, lo, lo + t->n, fields);
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
	struct tm_input in = { .p = p, .n = n, .whole = whole };
	enum csv_verdict good = CSV_ROW;
	const unsigned char *nl;
	enum tm_step st;
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
	if ((st == STEP_BAD || (st == STEP_SHORT && in.whole)) &&
	    (in.whole || memchr(p, '\n', in.n)) && joined(shape, &in, fields, next))
		return CSV_JOINED;
	*next = 0;
	if (st != STEP_OK && shape->text >= 0 && (st == STEP_BAD || in.whole)) {
		st = recover(shape, memo, at, &in, st == STEP_SHORT, fields, &end);
		good = CSV_RECOVERED;
	}
	if (st == STEP_OK) {
		size_t other = runs_on(shape, p, end, fields);
		bool open = end == in.n && !closed(shape, fields);

		if (end < in.n && p[end] == '\r')
			end++;
		*next = other ? other : end < in.n ? end + 1 : end;
		return other ? CSV_BAD : open ? CSV_UNENDED : good;
	}
	if (st == STEP_SHORT) {
		if (in.whole) {
			*next = n;
			return CSV_CUT;
		}
		if (n < CSV_ROW_MAX)
			return CSV_MORE;
	}

	/* Its first line is lost, but for a row that follows in it. */
	nl = memchr(p, '\n', in.n);
	if (nl || in.whole) {
		struct tm_input line = first_line(&in);

		*next = shape->text >= 0 ? restart(shape, &line, 0, line.n, NULL) : 0;
		if (*next)
			return CSV_BAD;
	}
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

enum csv_verdict tm_csv_row_split(const struct csv_shape *shape, struct csv_memo *memo, uint64_t at,
                                  const unsigned char *p, size_t n, bool whole,
                                  struct csv_field *fields, size_t *next, uint64_t *lines)
{
	enum csv_verdict v;

	*next = 0;
	v = decide(shape, memo, at, p, n, whole, fields, next);
	*lines = count_lines(p, *next);
	return v;
}

size_t tm_csv_unquote(const struct csv_field *f, unsigned char *out)
{
	size_t n = 0;

	if (!f->doubled) {
		if (f->n)
			memcpy(out, f->p, f->n);
		return f->n;
	}
	for (size_t i = 0, k; i < f->n; i = k + (k < f->n && f->p[k] == '"')) {
		const unsigned char *q = memchr(f->p + i, '"', f->n - i);

		/* Up to the first of two quotes. */
		k = q ? (size_t)(q - f->p) + 1 : f->n;
		memcpy(out + n, f->p + i, k - i);
		n += k - i;
	}
	return n;
}
