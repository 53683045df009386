/* SPDX-License-Identifier: MIT
 * libcsv is fed line by line, so that every record is known by its bytes: those are what
 * tm_csv_row_split gets when libcsv does not like it.  The cost stays linear: a record that
 * swallows many lines in vain has an odd line first and even ones after, and even lines stand
 * alone. */
#include "read/csv/csv_small.h"

#include <stdlib.h>
#include <string.h>

/* libcsv by default trims blanks and ends a row at a bare carriage return; a profiler does neither.
 * Only the one of CRLF is to go. */
static int is_return(unsigned char c)
{
	return c == '\r';
}

static int is_newline(unsigned char c)
{
	return c == '\n';
}

static void on_field(void *p, size_t n, void *data)
{
	struct csv_small *t = data;

	if (t->nfields < t->shape.ncols) {
		if (!tm_buf_add(&t->text, p, n))
			t->failed = true;
		t->end[t->nfields] = t->text.n;
	}
	t->nfields++;
}

static void on_row(int c, void *data)
{
	struct csv_small *t = data;

	(void)c;
	t->row_done = true;
}

static bool parser_reset(struct csv_small *t)
{
	if (t->csv_live)
		csv_free(&t->csv);
	t->csv_live = csv_init(&t->csv, CSV_STRICT | CSV_STRICT_FINI) == 0;
	if (!t->csv_live)
		return false;
	csv_set_space_func(&t->csv, is_return);
	csv_set_term_func(&t->csv, is_newline);
	return true;
}

/* ------------------------------------------------------------------------ */

/* A header line, name by name.  False at its end, and with *bad where it is none. */
static bool header_next(const char **p, const char *end, const char **name, size_t *len, bool *bad)
{
	const char *stop;
	bool quoted;

	if (*p > end)
		return false;
	quoted = *p < end && **p == '"';
	*name = *p + quoted;
	stop = *name < end ? memchr(*name, quoted ? '"' : ',', (size_t)(end - *name)) : NULL;
	if (!stop && quoted) {
		*bad = true;
		return false;
	}
	if (!stop)
		stop = end;
	*len = (size_t)(stop - *name);
	stop += quoted;
	if (stop < end && *stop != ',') {
		*bad = true;
		return false;
	}
	*p = stop + 1;
	return true;
}

/* The bounds of the first line that is not blank; false when it has no end yet.  *lines = those up
 * to its end, which is *next. */
static bool first_line(const char *p, size_t n, bool whole, size_t *from, size_t *to, size_t *next,
                       uint64_t *lines)
{
	const char *nl;

	*from = n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3) ? 3 : 0;
	*lines = 1;
	for (size_t i = *from; i < n && strchr("\r\n\t ", p[i]) && p[i]; i++)
		if (p[i] == '\n') {
			*from = i + 1;
			++*lines;
		}
	nl = n > *from ? memchr(p + *from, '\n', n - *from) : NULL;
	if (!nl && !whole)
		return false;
	*to = nl ? (size_t)(nl - p) : n;
	*next = nl ? *to + 1 : n;
	if (*to > *from && p[*to - 1] == '\r')
		--*to;
	return true;
}

static char fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c | 0x20);
	return c == '-' || c == ' ' ? '_' : c;
}

/* Rank of a header name in a list of aliases, the best being 0; -1 = not in it. */
static int alias_rank(const char *names, const char *name, size_t len)
{
	for (int rank = 0;; rank++) {
		size_t n = strcspn(names, ","), i = 0;

		while (n == len && i < n && fold(names[i]) == fold(name[i]))
			i++;
		if (n == len && i == n)
			return rank;
		if (!names[n])
			return -1;
		names += n + 1;
	}
}

unsigned tm_csv_small_bid(const struct csv_bind *bind, size_t nbind, const unsigned char *bytes,
                          size_t n, bool whole)
{
	const char *text = (const char *)bytes;
	size_t from, to, next;
	uint64_t lines;
	unsigned bits = 0;

	if (!first_line(text, n, whole, &from, &to, &next, &lines))
		return 0;
	for (size_t i = 0; i < nbind; i++) {
		const char *p = text + from, *name;
		bool found = false, bad = false;
		size_t len;

		if (!bind[i].required)
			continue;
		while (header_next(&p, text + to, &name, &len, &bad))
			found |= alias_rank(bind[i].names, name, len) >= 0;
		if (!found || bad)
			return 0;
		bits += 8;
	}
	return bits;
}

static enum tm_status read_all(struct csv_small *t, struct tm_source *src, struct tm_diag *d)
{
	for (;;) {
		size_t got = 0;
		enum tm_status st;

		if (!tm_buf_reserve(&t->bytes, 256 * 1024)) {
			tm_diag_oom(d);
			return TM_ST_FATAL;
		}
		st = tm_source_read(src, t->bytes.p + t->bytes.n, t->bytes.cap - t->bytes.n - 1,
		                    &got, &t->broken);
		t->bytes.n += got;
		if (st == TM_ST_END)
			return TM_ST_OK;
		if (st == TM_ST_FATAL) {
			t->is_broken = true;
			return TM_ST_OK;
		}
		if (t->bytes.n > TM_SMALL_MAX) {
			tm_diag_set(d, 0,
			            "a statistics or agent table of more than %d MiB: not read",
			            TM_SMALL_MAX / (1024 * 1024));
			return TM_ST_FATAL;
		}
	}
}

/* Tell the reader which columns are bound by nobody.  False when out of memory. */
static bool tell_unused(const struct csv_small *t, const char *p, const char *end)
{
	const char *name;
	bool bad = false, ok = true;
	size_t len;

	for (int at = 0; ok && header_next(&p, end, &name, &len, &bad); at++) {
		bool taken = false;

		for (size_t i = 0; i < t->nbind; i++)
			taken |= t->col[i] == at;
		ok = taken || tm_reader_unused(t->reader, TM_UNUSED_COLUMN, name, len);
	}
	return ok;
}

/* Columns of the header, and which of them the reader asked for. */
static enum tm_status bind_columns(struct csv_small *t, const struct csv_bind *bind, size_t nbind,
                                   const char *p, const char *end, bool *quoted, struct tm_diag *d)
{
	int rank[SMALL_BINDS];
	const char *start = p, *name;
	bool bad = false;
	size_t len;

	*quoted = p < end;
	t->nbind = nbind;
	for (size_t i = 0; i < nbind; i++)
		t->col[i] = -1;
	for (; header_next(&p, end, &name, &len, &bad); t->shape.ncols++) {
		*quoted &= name > start && name[-1] == '"';
		for (size_t i = 0; i < nbind; i++) {
			int r = alias_rank(bind[i].names, name, len);

			if (r >= 0 && (t->col[i] < 0 || r < rank[i])) {
				t->col[i] = (int)t->shape.ncols;
				rank[i] = r;
			}
		}
	}
	for (size_t i = 0; i < nbind; i++)
		if (bind[i].required && (t->col[i] < 0 || bad)) {
			tm_diag_set(d, 1, "no column '%.*s' in the header",
			            (int)strcspn(bind[i].names, ","), bind[i].names);
			return TM_ST_FATAL;
		}
	return TM_ST_OK;
}

enum tm_status tm_csv_small_open(struct csv_small *t, struct tm_source *src,
                                 const struct csv_bind *bind, size_t nbind, const int *text,
                                 struct tm_diag *d)
{
	size_t from, to, next, first;
	uint64_t lines;
	bool quoted;

	if (read_all(t, src, d) != TM_ST_OK)
		return TM_ST_FATAL;
	first_line(t->bytes.p, t->bytes.n, true, &from, &to, &next, &t->body_line);
	if (bind_columns(t, bind, nbind, t->bytes.p + from, t->bytes.p + to, &quoted, d) !=
	    TM_ST_OK) {
		if (t->is_broken && d)
			*d = t->broken;
		return TM_ST_FATAL;
	}
	if (t->reader && !tell_unused(t, t->bytes.p + from, t->bytes.p + to)) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}

	t->type = calloc(t->shape.ncols, 1);
	t->split = calloc(t->shape.ncols, sizeof *t->split);
	t->end = calloc(t->shape.ncols, sizeof *t->end);
	if (!t->type || !t->split || !t->end || !parser_reset(t)) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	memset(t->type, CSV_WORD, t->shape.ncols);
	for (size_t i = 0; i < nbind; i++)
		if (t->col[i] >= 0)
			t->type[t->col[i]] = (unsigned char)bind[i].type;
	t->shape.type = t->type;
	for (t->shape.text = -1; *text >= 0 && t->shape.text < 0; text++)
		t->shape.text = t->col[*text];

	/* Whose quotes are these?  See the header. */
	t->shape.escaped = !quoted;
	if (quoted && next < t->bytes.n) {
		struct csv_memo memo = { 0 };
		const unsigned char *p = (const unsigned char *)t->bytes.p + next;
		size_t n = t->bytes.n - next;

		for (; n; p += first, n -= first) {
			enum csv_verdict v = tm_csv_row_split(&t->shape, &memo, 0, p, n, true,
			                                      t->split, &first, &lines);

			if (v == CSV_BLANK)
				continue;
			for (uint32_t i = 0; v <= CSV_JOINED && i < t->shape.ncols; i++)
				if (t->type[i] == CSV_NUMBER && t->split[i].n && t->split[i].quoted)
					t->shape.escaped = true;
			break;
		}
	}
	t->body = next;
	tm_csv_small_rewind(t);
	return TM_ST_OK;
}

bool tm_csv_small_has(const struct csv_small *t, size_t bind)
{
	return t->col[bind] >= 0;
}

void tm_csv_small_rewind(struct csv_small *t)
{
	t->pos = t->body;
	t->line = t->body > 0 ? t->body_line : 0;
	t->memo = (struct csv_memo) { 0 };
}

void tm_csv_small_decimals(struct csv_small *t, size_t bind)
{
	if (t->col[bind] >= 0 && (uint32_t)t->col[bind] + 1 == t->shape.ncols)
		t->shape.last = LAST_DECIMALS;
}

uint64_t tm_csv_small_lines(const struct csv_small *t)
{
	return t->line;
}

/* One record by libcsv, from t->pos.  True when it has all its columns; *end is after it. */
static bool parse_record(struct csv_small *t, size_t *end, uint64_t *lines)
{
	const char *p = t->bytes.p;
	size_t pos = t->pos, n = t->bytes.n;
	bool good = true;

	tm_buf_clear(&t->text);
	t->nfields = 0;
	t->row_done = false;
	*lines = 0;
	while (good && !t->row_done && pos < n && pos - t->pos <= CSV_ROW_MAX) {
		const char *nl = memchr(p + pos, '\n', n - pos);
		size_t len = nl ? (size_t)(nl - p) + 1 - pos : n - pos;

		good = csv_parse(&t->csv, p + pos, len, on_field, on_row, t) == len;
		pos += len;
		*lines += nl != NULL;
	}
	/* After an error csv_fini would hand out what it has of the row, and forget the error. */
	if (good && !t->row_done && pos == n)
		good = csv_fini(&t->csv, on_field, on_row, t) == 0;
	*end = pos;
	good = good && t->row_done;
	if (csv_error(&t->csv) == CSV_ENOMEM)
		t->failed = true;
	if (!good && !t->failed && !parser_reset(t))
		t->failed = true;
	return good && t->nfields == t->shape.ncols;
}

/* Could a record of rocprof's own be read otherwise than libcsv read it?  It could when quotes
 * stand next to each other inside a field, which libcsv takes for one, or when the record has
 * newlines: then it may be a cut row and the next one. */
static bool doubtful(const char *p, size_t n, uint64_t lines)
{
	const char *end = p + n;

	if (lines > 1)
		return true;
	for (const char *q = p; (q = memchr(q, '"', (size_t)(end - q))); q++)
		if (end - q > 1 && q[1] == '"' &&
		    !((q == p || q[-1] == ',') &&
		      (end - q == 2 || q[2] == ',' || q[2] == '\r' || q[2] == '\n')))
			return true;
	return false;
}

enum tm_status tm_csv_small_next(struct csv_small *t, struct tm_loss *loss,
                                 const struct tm_small_field **f, uint64_t *line, struct tm_diag *d)
{
	while (t->pos < t->bytes.n) {
		const unsigned char *p = (const unsigned char *)t->bytes.p + t->pos;
		size_t left = t->bytes.n - t->pos, end;
		uint64_t lines;
		enum csv_verdict v;

		*line = t->line + 1;
		if (*p == '\n' || (left > 1 && *p == '\r' && p[1] == '\n')) {
			t->pos += *p == '\r' ? 2 : 1;
			t->line++;
			continue;
		}
		if (parse_record(t, &end, &lines) && t->bytes.p[end - 1] == '\n' &&
		    (t->shape.escaped || !doubtful((const char *)p, end - t->pos, lines))) {
			for (size_t i = 0; i < t->nbind; i++) {
				size_t from;

				if (t->col[i] < 0)
					continue;
				from = t->col[i] ? t->end[t->col[i] - 1] : 0;
				t->field[i].p = t->text.p ? t->text.p + from : "";
				t->field[i].n = t->end[t->col[i]] - from;
			}
			t->pos = end;
			t->line += lines;
		} else if (!t->failed) {
			v = tm_csv_row_split(&t->shape, &t->memo, t->pos, p, left, true, t->split,
			                     &end, &lines);
			t->pos += end;
			t->line += lines;
			if (v == CSV_BAD)
				tm_loss_line(loss, TM_LOSS_LINE_MALFORMED, *line);
			/* Where the source broke more is missing than a newline. */
			if ((v <= CSV_RECOVERED || v == CSV_UNENDED) && t->is_broken &&
			    !csv_row_ended(p, end))
				v = CSV_CUT;
			if (v == CSV_CUT)
				tm_loss_line(loss, TM_LOSS_LINE_CUT, *line);
			if (v == CSV_UNENDED)
				tm_loss_line(loss, TM_LOSS_LINE_UNENDED, *line);
			if (v > CSV_JOINED)
				continue;
			if (v <= CSV_RECOVERED && !csv_row_ended(p, end))
				tm_loss_line(loss, TM_LOSS_LINE_OPEN_END, *line);
			if (v == CSV_JOINED)
				tm_loss_count(loss, TM_LOSS_JOINED, 1, *line);
			else if (v == CSV_RECOVERED || (t->shape.text >= 0 && !t->shape.escaped &&
			                                memchr(t->split[t->shape.text].p, '"',
			                                       t->split[t->shape.text].n)))
				tm_loss_line(loss, TM_LOSS_LINE_RECOVERED, *line);
			tm_buf_clear(&t->text);
			if (!tm_buf_reserve(&t->text, end))
				t->failed = true;
			for (size_t i = 0; i < t->nbind && !t->failed; i++) {
				const struct csv_field *s =
				        &t->split[t->col[i] < 0 ? 0 : t->col[i]];

				if (t->col[i] < 0)
					continue;
				t->field[i].p = t->text.p + t->text.n;
				t->field[i].n = tm_csv_unquote(s, (unsigned char *)t->text.p +
				                                          t->text.n);
				t->text.n += t->field[i].n;
			}
		}
		if (t->failed) {
			tm_diag_oom(d);
			return TM_ST_FATAL;
		}
		*f = t->field;
		return TM_ST_OK;
	}
	if (t->is_broken) {
		if (d)
			*d = t->broken;
		return TM_ST_FATAL;
	}
	return TM_ST_END;
}

void tm_csv_small_fini(struct csv_small *t)
{
	if (t->csv_live)
		csv_free(&t->csv);
	tm_buf_fini(&t->bytes);
	tm_buf_fini(&t->text);
	free(t->type);
	free(t->split);
	free(t->end);
	*t = (struct csv_small) { 0 };
}
