/* SPDX-License-Identifier: MIT */
#include "read/power/power_csv.h"

#include "read/formats.h"
#include "base/base.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	CHUNK = 65536,
	TM_LINE_MAX_BYTES = 256 * 1024 * 1024, /* a million devices; what is no table ends there */
	MILLION = 1000000,
	NAME_MAX_BYTES = 64, /* of a column that means something */
	LAST_YEAR = 2250,
};

#define SECOND UINT64_C(1000000000)

/* ---- what a cell says ---- */

/* n digits as a number; they are looked at. */
static bool digits(const char *p, size_t n, unsigned *v)
{
	uint64_t u;

	if (!tm_num_u64(p, n, &u))
		return false;
	*v = (unsigned)u;
	return true;
}

/* Days from 1970 to a date of the Gregorian calendar, whose years begin in March here. */
static uint64_t days_to(unsigned year, unsigned month, unsigned day)
{
	uint64_t y = year - (month <= 2), m = month > 2 ? month - 3 : month + 9;

	return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

static unsigned days_of(unsigned year, unsigned month)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return month == 2 && leap ? 29 : days[month - 1];
}

/* One to nine digits after the point of a second, as nanoseconds. */
static bool decimals(const char *p, size_t n, uint64_t *ns)
{
	uint64_t unit = SECOND;

	*ns = 0;
	for (size_t i = 0; i < n; i++) {
		unsigned d = (unsigned)p[i] - '0';

		unit /= 10;
		if (d > 9 || !unit)
			return false;
		*ns += d * unit;
	}
	return n != 0;
}

bool tm_power_time(const char *p, size_t n, uint64_t *ns)
{
	enum { SECONDS_END = 19 }; /* "2026-06-12 09:30:00" */
	unsigned year, month, day, hour, minute, second;
	uint64_t part = 0;

	if (n < SECONDS_END || p[4] != '-' || p[7] != '-' || (p[10] != ' ' && p[10] != 'T') ||
	    p[13] != ':' || p[16] != ':' || !digits(p, 4, &year) || !digits(p + 5, 2, &month) ||
	    !digits(p + 8, 2, &day) || !digits(p + 11, 2, &hour) || !digits(p + 14, 2, &minute) ||
	    !digits(p + 17, 2, &second))
		return false;
	if (year < 1970 || year > LAST_YEAR || month < 1 || month > 12 || day < 1 ||
	    day > days_of(year, month) || hour > 23 || minute > 59 || second > 59)
		return false;
	if (n > SECONDS_END && p[SECONDS_END] != '.')
		return false;
	if (n > SECONDS_END && !decimals(p + SECONDS_END + 1, n - SECONDS_END - 1, &part))
		return false;
	*ns = ((days_to(year, month, day) * 24 + hour) * 60 + minute) * 60 * SECOND +
	      second * SECOND + part;
	return true;
}

bool tm_power_epoch(const char *p, size_t n, uint64_t *ns)
{
	const char *dot = n ? memchr(p, '.', n) : NULL;
	size_t lead = dot ? (size_t)(dot - p) : n;
	uint64_t part = 0, whole;

	if (!tm_num_u64(p, lead, &whole) || whole >= days_to(LAST_YEAR + 1, 1, 1) * 24 * 3600)
		return false;
	if (dot && !decimals(dot + 1, n - lead - 1, &part))
		return false;
	*ns = whole * SECOND + part;
	return true;
}

static bool is_word(const char *p, size_t n, const char *word)
{
	return strlen(word) == n && !strncasecmp(p, word, n);
}

/* "1.35e2" and the like. */
static bool other_real(const char *p, size_t n, uint64_t *v)
{
	double x;

	if (!tm_num_real(p, n, &x) || x < 0 || x > (double)TM_POWER_MOST / MILLION)
		return false;
	*v = (uint64_t)llround(x * MILLION);
	return true;
}

bool tm_power_value(const char *p, size_t n, uint64_t *v)
{
	static const char *const none[] = { "", "n/a", "na", "nan", "none", "null", "-" };
	uint64_t whole = 0, part = 0, unit = MILLION;
	const char *dot;
	size_t lead;

	while (n && *p == ' ') {
		p++;
		n--;
	}
	while (n && p[n - 1] == ' ')
		n--;
	*v = TM_POWER_NA;
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		if (is_word(p, n, none[i]))
			return true;
	if (p[n - 1] == 'W' || p[n - 1] == '%')
		n--;
	while (n && p[n - 1] == ' ')
		n--;
	dot = memchr(p, '.', n);
	lead = dot ? (size_t)(dot - p) : n;
	if (!tm_num_u64(p, lead, &whole) || whole > TM_POWER_MOST / MILLION ||
	    (dot && n == lead + 1))
		return n && other_real(p, n, v);
	for (size_t i = lead + 1; i < n; i++) {
		unsigned d = (unsigned)p[i] - '0';

		if (d > 9)
			return other_real(p, n, v);
		/* The seventh decimal rounds, those after it cannot change that. */
		if (unit == 1)
			part += d >= 5;
		unit /= 10;
		part += d * unit;
	}
	*v = whole * MILLION + part;
	return *v <= TM_POWER_MOST;
}

/* ---- names of columns ---- */

enum role {
	ROLE_TIME,
	ROLE_POWER,
	ROLE_VRAM,
	ROLE_DEVICE,
	ROLE_TALL, /* + enum tm_power_field */
};

static const struct {
	enum role role;
	const char *name;
} names[] = {
#define TIME(text)      { ROLE_TIME, text },
#define POWER(text)     { ROLE_POWER, text },
#define VRAM(text)      { ROLE_VRAM, text },
#define DEVICE(text)    { ROLE_DEVICE, text },
#define WHOSE(text)     { (enum role)(ROLE_TALL + TM_PF_WHOSE), text },
#define ROW_POWER(text) { (enum role)(ROLE_TALL + TM_PF_POWER), text },
#define ROW_VRAM(text)  { (enum role)(ROLE_TALL + TM_PF_VRAM), text },
#define ROW_USED(text)  { (enum role)(ROLE_TALL + TM_PF_USED), text },
#define ROW_TOTAL(text) { (enum role)(ROLE_TALL + TM_PF_TOTAL), text },
#define ROW_PART(text)  { (enum role)(ROLE_TALL + TM_PF_PART), text },
#include "schemas/power_columns.def"
#undef WHOSE
#undef ROW_POWER
#undef ROW_VRAM
#undef ROW_USED
#undef ROW_TOTAL
#undef ROW_PART
#undef TIME
#undef POWER
#undef VRAM
#undef DEVICE
};

/* The first name of that role that p[0..n) begins with: how long it is, 0 = none. */
static size_t begins(enum role role, const char *p, size_t n)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t len = strlen(names[i].name);

		if (names[i].role == role && len <= n && !memcmp(names[i].name, p, len))
			return len;
	}
	return 0;
}

/* Without case and blanks; false when it is longer than any name that means something. */
static bool fold(const char *p, size_t n, char out[NAME_MAX_BYTES], size_t *len)
{
	*len = 0;
	for (size_t i = 0; i < n; i++) {
		char c = p[i];

		if (c == ' ' || c == '_' || c == '-')
			continue;
		if (*len == NAME_MAX_BYTES)
			return false;
		out[(*len)++] = c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
	}
	return true;
}

static bool is_role(enum role role, const char *p, size_t n)
{
	char name[NAME_MAX_BYTES];
	size_t len;

	if (!fold(p, n, name, &len))
		return false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].role == role && strlen(names[i].name) == len &&
		    !memcmp(names[i].name, name, len))
			return true;
	return false;
}

static bool is_time(const char *p, size_t n)
{
	return is_role(ROLE_TIME, p, n);
}

/* "Power(Watt) GPU3" */
static bool is_device(const char *p, size_t n, struct tm_power_column *c)
{
	char name[NAME_MAX_BYTES];
	size_t len, at, word;

	if (!fold(p, n, name, &len))
		return false;
	at = begins(ROLE_POWER, name, len);
	c->what = at ? TM_POWER_WATT : TM_POWER_VRAM;
	if (!at)
		at = begins(ROLE_VRAM, name, len);
	word = at ? begins(ROLE_DEVICE, name + at, len - at) : 0;
	return word && tm_num_u64(name + at + word, len - at - word, &c->device);
}

/* ---- lines ---- */

static int is_return(unsigned char c)
{
	return c == '\r';
}

static int is_newline(unsigned char c)
{
	return c == '\n';
}

static bool parser_reset(struct tm_power_csv *t)
{
	if (t->csv_live)
		csv_free(&t->csv);
	t->csv_live = csv_init(&t->csv, CSV_STRICT) == 0;
	if (!t->csv_live)
		return false;
	csv_set_space_func(&t->csv, is_return);
	csv_set_term_func(&t->csv, is_newline);
	return true;
}

static void on_field(void *p, size_t n, void *data)
{
	struct tm_power_csv *t = data;

	/* Beyond the header's width only the number counts. */
	if (t->width && t->nend >= t->width) {
		t->nend++;
		return;
	}
	if (!tm_grow_array(&t->end, &t->end_cap, t->nend + 1, sizeof *t->end) ||
	    !tm_buf_add(&t->text, p, n))
		t->failed = true;
	else
		t->end[t->nend++] = t->text.n;
}

static void on_row(int c, void *data)
{
	(void)c;
	((struct tm_power_csv *)data)->row_done = true;
}

/* More bytes.  As tm_source_read. */
static enum tm_status refill(struct tm_power_csv *t, struct tm_diag *d)
{
	enum tm_status st;
	size_t got = 0;

	tm_buf_clear(&t->in);
	t->at = 0;
	if (!tm_buf_reserve(&t->in, CHUNK)) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	st = tm_source_read(t->src, t->in.p, CHUNK, &got, d);
	t->in.n = got;
	if (st == TM_ST_OK && !t->read && got >= 3 && !memcmp(t->in.p, "\xef\xbb\xbf", 3))
		t->at = 3;
	return st;
}

/* Feed libcsv up to the end of the line.  *length = its bytes, *good = libcsv took them all, and
 * there are not too many.  TM_ST_OK; TM_ST_END when there is none; TM_ST_WARN and TM_ST_FATAL with
 * *d. */
static enum tm_status feed_line(struct tm_power_csv *t, size_t *length, bool *good,
                                struct tm_diag *d)
{
	*length = 0;
	*good = true;
	for (;;) {
		enum tm_status st = t->at < t->in.n ? TM_ST_OK
		                    : t->ended      ? TM_ST_END
		                                    : refill(t, d);
		const char *p, *nl;
		size_t n;

		t->ended |= st != TM_ST_OK;
		/* What is left where the input broke may be half a number. */
		if (st == TM_ST_FATAL && d->status != TM_ST_NOMEM)
			return TM_ST_WARN;
		if (st == TM_ST_END && *length) {
			t->open_end = true;
			*good = *good && csv_parse(&t->csv, "\n", 1, on_field, on_row, t) == 1;
			return TM_ST_OK;
		}
		if (st != TM_ST_OK)
			return st;
		/* Nothing but a byte order mark. */
		if (t->at == t->in.n)
			continue;
		p = t->in.p + t->at;
		t->read += !*length;
		nl = memchr(p, '\n', t->in.n - t->at);
		n = nl ? (size_t)(nl + 1 - p) : t->in.n - t->at;
		*length += n;
		*good = *good && *length <= TM_LINE_MAX_BYTES &&
		        csv_parse(&t->csv, p, n, on_field, on_row, t) == n;
		t->end_byte = p[n - 1];
		t->at += n;
		if (nl)
			return TM_ST_OK;
	}
}

/* A line into the fields.  TM_ST_OK; TM_ST_SKIP when it is no row of CSV (too long, odd quotes);
 * TM_ST_END; TM_ST_WARN and TM_ST_FATAL with *d.  Empty lines are passed over. */
static enum tm_status next_line(struct tm_power_csv *t, struct tm_diag *d)
{
	size_t length;
	bool good;

	do {
		enum tm_status st;

		tm_buf_clear(&t->text);
		t->nend = 0;
		t->row_done = false;
		st = feed_line(t, &length, &good, d);
		if (st == TM_ST_OK && (t->failed || csv_error(&t->csv) == CSV_ENOMEM)) {
			tm_diag_oom(d);
			st = TM_ST_FATAL;
		}
		if (st != TM_ST_OK || (good && t->row_done))
			return st;
	} while (good && length <= 2 && !t->nend);
	if (parser_reset(t))
		return TM_ST_SKIP;
	tm_diag_oom(d);
	return TM_ST_FATAL;
}

static void lost(struct tm_power_lost *l, uint64_t line)
{
	if (!l->n++)
		l->line = line;
}

static const char *field(const struct tm_power_csv *t, size_t i, size_t *n)
{
	size_t from = i ? t->end[i - 1] : 0;

	*n = t->end[i] - from;
	return t->text.p ? t->text.p + from : "";
}

/* ---- the table ---- */

/* Which field of a row is what: the first of that name.  False: no table with a row for each
 * device. */
static bool bind_tall(struct tm_power_csv *t)
{
	for (int what = 0; what < TM_POWER_FIELDS; what++) {
		t->tall_field[what] = SIZE_MAX;
		for (size_t i = t->nend; i-- > 0;) {
			size_t n;
			const char *p = field(t, i, &n);

			if (is_role((enum role)(ROLE_TALL + what), p, n))
				t->tall_field[what] = i;
		}
	}
	return t->tall_field[TM_PF_WHOSE] != SIZE_MAX &&
	       (t->tall_field[TM_PF_POWER] != SIZE_MAX || t->tall_field[TM_PF_VRAM] != SIZE_MAX ||
	        (t->tall_field[TM_PF_USED] != SIZE_MAX && t->tall_field[TM_PF_TOTAL] != SIZE_MAX));
}

/* Bind the columns of the header in t->text.  TM_ST_OK, TM_ST_SKIP with *d, TM_ST_FATAL. */
static enum tm_status bind(struct tm_power_csv *t, struct tm_diag *d)
{
	bool timed = false;

	t->col = calloc(t->nend, sizeof *t->col);
	t->value = calloc(t->nend, sizeof *t->value);
	t->col_cap = t->value_cap = t->nend;
	if (!t->col || !t->value || !tm_buf_add(&t->header, t->text.p, t->text.n)) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	for (size_t i = 0; i < t->nend; i++) {
		struct tm_power_column c;
		size_t n;
		const char *p = field(t, i, &n);

		if (!timed && is_time(p, n)) {
			t->time_field = i;
			timed = true;
			continue;
		}
		if (!is_device(p, n, &c))
			continue;
		c.field = i;
		t->col[t->ncol++] = c;
	}
	t->width = t->nend;
	if (timed && t->ncol)
		return TM_ST_OK;
	t->tall = timed && bind_tall(t);
	if (t->tall)
		return TM_ST_OK;
	tm_diag_set(d, 1, "not a table of power or VRAM: its header has no column %s",
	            timed ? "'Power(Watt) GPUn' or 'vram(%) GPUn'" : "'time'");
	return TM_ST_SKIP;
}

int tm_power_column_cmp(const void *pa, const void *pb)
{
	const struct tm_power_column *a = pa, *b = pb;

	if (a->what != b->what)
		return a->what < b->what ? -1 : 1;
	return (a->device > b->device) - (a->device < b->device);
}

/* Which of two columns of one device counts nobody can say. */
static enum tm_status sort_columns(struct tm_power_csv *t, struct tm_diag *d)
{
	qsort(t->col, t->ncol, sizeof *t->col, tm_power_column_cmp);
	for (size_t i = 1; i < t->ncol; i++)
		if (!tm_power_column_cmp(&t->col[i - 1], &t->col[i])) {
			tm_diag_set(d, 1, "two columns for device %" PRIu64 ": remove one",
			            t->col[i].device);
			return TM_ST_SKIP;
		}
	return TM_ST_OK;
}

enum tm_status tm_power_csv_open(struct tm_power_csv *t, struct tm_source *src, struct tm_diag *d)
{
	enum tm_status st;

	*t = (struct tm_power_csv) { .src = src };
	if (!parser_reset(t)) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	st = next_line(t, d);
	/* What amd-smi -w says first. */
	if (st == TM_ST_OK && t->nend == 1 && t->text.n > 6 && !memcmp(t->text.p, "'CTRL'", 6))
		st = next_line(t, d);
	if (st == TM_ST_OK)
		st = bind(t, d);
	else if (st == TM_ST_END)
		tm_diag_set(d, 0, "not a table of power or VRAM: it is empty");
	else if (st == TM_ST_SKIP)
		tm_diag_set(d, 1,
		            "not a table of power or VRAM: its first line is not CSV, or is longer "
		            "than 256 MiB");
	if (st == TM_ST_OK)
		st = sort_columns(t, d);
	return st == TM_ST_OK || st == TM_ST_FATAL ? st : TM_ST_SKIP;
}

/* The row in t->text; false when it is none. */
static bool take_row(struct tm_power_csv *t)
{
	size_t n;
	const char *p;

	if (t->nend != t->width)
		return false;
	p = field(t, t->time_field, &n);
	if (!tm_power_time(p, n, &t->time_ns))
		return false;
	t->line = t->read;
	for (size_t i = 0; i < t->ncol; i++) {
		p = field(t, t->col[i].field, &n);
		if (tm_power_value(p, n, &t->value[i]))
			continue;
		t->value[i] = TM_POWER_NA;
		lost(&t->cells, t->read);
	}
	return true;
}

/* A cell of a tall row; TM_POWER_NA where there is none. */
static uint64_t tall_cell(struct tm_power_csv *t, enum tm_power_field what)
{
	uint64_t v = TM_POWER_NA;
	const char *p;
	size_t n;

	if (t->tall_field[what] == SIZE_MAX)
		return v;
	p = field(t, t->tall_field[what], &n);
	if (tm_power_value(p, n, &v))
		return v;
	lost(&t->cells, t->read);
	return TM_POWER_NA;
}

/* Is the row at hand about a partition of its device that is not the first? */
static bool is_part(const struct tm_power_csv *t)
{
	uint64_t part;
	const char *p;
	size_t n;

	if (t->tall_field[TM_PF_PART] == SIZE_MAX)
		return false;
	p = field(t, t->tall_field[TM_PF_PART], &n);
	return tm_num_u64(p, n, &part) && part;
}

/* The row in t->text as a reading of a device; false when it is none. */
static bool take_reading(struct tm_power_csv *t)
{
	struct tm_power_reading *r = &t->ahead;
	uint64_t used, total;
	const char *p;
	size_t n;

	if (t->nend != t->width)
		return false;
	p = field(t, t->time_field, &n);
	if (!tm_power_epoch(p, n, &r->time_ns) && !tm_power_time(p, n, &r->time_ns))
		return false;
	p = field(t, t->tall_field[TM_PF_WHOSE], &n);
	if (!tm_num_u64(p, n, &r->device))
		return false;
	r->line = t->read;
	r->part = is_part(t);
	r->value[TM_POWER_WATT] = tall_cell(t, TM_PF_POWER);
	r->value[TM_POWER_VRAM] = tall_cell(t, TM_PF_VRAM);
	if (t->tall_field[TM_PF_VRAM] != SIZE_MAX)
		return true;
	used = tall_cell(t, TM_PF_USED);
	total = tall_cell(t, TM_PF_TOTAL);
	if (used != TM_POWER_NA && total != TM_POWER_NA && total)
		r->value[TM_POWER_VRAM] = (uint64_t)(((tm_u128)used * 100 * MILLION + total / 2) /
		                                     total);
	if (r->value[TM_POWER_VRAM] > TM_POWER_MOST)
		r->value[TM_POWER_VRAM] = TM_POWER_NA;
	return true;
}

/* The column of a device, made when it is new; SIZE_MAX when out of memory or there are too many.
 */
static size_t tall_column(struct tm_power_csv *t, enum tm_power_what what, uint64_t device)
{
	size_t i = 0;

	while (i < t->ncol && (t->col[i].what != what || t->col[i].device != device))
		i++;
	if (i < t->ncol)
		return i;
	if (i == TM_POWER_DEVICES * TM_POWER_WHATS)
		return SIZE_MAX;
	if (!tm_grow_array(&t->col, &t->col_cap, i + 1, sizeof *t->col) ||
	    !tm_grow_array(&t->value, &t->value_cap, i + 1, sizeof *t->value)) {
		t->failed = true;
		return SIZE_MAX;
	}
	t->col[i] = (struct tm_power_column) { .what = what, .device = device };
	t->value[i] = TM_POWER_ABSENT;
	t->ncol++;
	return i;
}

/* The reading ahead into the row at hand.  TM_ST_OK; TM_ST_SKIP: it begins another row; TM_ST_WARN,
 * TM_ST_FATAL with *d. */
static enum tm_status join(struct tm_power_csv *t, struct tm_diag *d)
{
	static const int field_of[TM_POWER_WHATS] = { TM_PF_POWER, TM_PF_VRAM };
	const struct tm_power_reading *r = &t->ahead;

	for (int what = 0; what < TM_POWER_WHATS; what++) {
		bool there = t->tall_field[field_of[what]] != SIZE_MAX ||
		             (what == TM_POWER_VRAM && t->tall_field[TM_PF_USED] != SIZE_MAX &&
		              t->tall_field[TM_PF_TOTAL] != SIZE_MAX);
		size_t i = there ? tall_column(t, (enum tm_power_what)what, r->device) : 0;

		if (t->failed) {
			tm_diag_oom(d);
			return TM_ST_FATAL;
		}
		if (i == SIZE_MAX) {
			tm_diag_set(d, r->line, "more than %d devices: not a table of one node",
			            TM_POWER_DEVICES);
			return TM_ST_WARN;
		}
		/* Of a device with several rows, one for each partition, the first that has it. */
		if (there && (t->value[i] == TM_POWER_ABSENT || t->value[i] == TM_POWER_NA))
			t->value[i] = r->value[what];
	}
	return TM_ST_OK;
}

/* Was the device of the reading ahead among those at hand? */
static bool is_there(const struct tm_power_csv *t, const uint64_t *device, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (device[i] == t->ahead.device)
			return true;
	return false;
}

/* Where two files were put one after the other there is a header between them: the same one is
 * passed over, another one is another table. */
static bool is_header(const struct tm_power_csv *t)
{
	for (size_t i = 0; i < t->nend && i < t->width; i++) {
		size_t n;
		const char *p = field(t, i, &n);

		if (is_time(p, n))
			return true;
	}
	return false;
}

/* The row at hand has no newline.  Is it to be taken all the same? */
static bool take_last(struct tm_power_csv *t)
{
	if (t->end_byte == '"' || t->end_byte == '\r') {
		tm_loss_line(&t->tail, TM_LOSS_LINE_OPEN_END, t->read);
		return true;
	}
	tm_loss_line(&t->tail, TM_LOSS_LINE_UNENDED, t->read);
	return false;
}

/* The next row of the input: in t->value, or if the table is tall in t->ahead.  As
 * tm_power_csv_next.
 */
static enum tm_status read_row(struct tm_power_csv *t, struct tm_diag *d)
{
	for (;;) {
		enum tm_status st = next_line(t, d);
		struct tm_power_lost cells = t->cells;

		if (st == TM_ST_OK && (t->tall ? take_reading(t) : take_row(t))) {
			if (!t->open_end || take_last(t))
				return TM_ST_OK;
			t->cells = cells;
			return TM_ST_END;
		}
		if (st == TM_ST_OK && is_header(t)) {
			if (t->nend == t->width && t->text.n == t->header.n &&
			    !memcmp(t->text.p, t->header.p, t->text.n))
				continue;
			tm_diag_set(d, t->read,
			            "another header: a second table begins here and is not read; "
			            "give it as a separate file");
			t->ended = true;
			t->at = t->in.n;
			return TM_ST_WARN;
		}
		if (st != TM_ST_OK && st != TM_ST_SKIP)
			return st;
		if (t->open_end) {
			tm_diag_set(d, t->read,
			            "ends inside a row: truncated, or still being written");
			return TM_ST_WARN;
		}
		lost(&t->rows, t->read);
	}
}

/* Readings of one moment as one row. */
static enum tm_status next_moment(struct tm_power_csv *t, struct tm_diag *d)
{
	uint64_t device[TM_POWER_DEVICES];
	size_t n = 0;
	enum tm_status st;

	for (size_t i = 0; i < t->ncol; i++)
		t->value[i] = TM_POWER_ABSENT;
	for (;;) {
		bool again;

		if (!t->has_ahead && t->last == TM_ST_OK) {
			t->last = read_row(t, &t->why);
			t->has_ahead = t->last == TM_ST_OK;
		}
		again = t->has_ahead && is_there(t, device, n);
		if (!t->has_ahead || (n && (t->ahead.time_ns != t->time_ns ||
		                            (again ? !t->ahead.part : n == TM_POWER_DEVICES))))
			break;
		st = join(t, d);
		if (st != TM_ST_OK)
			return st;
		t->time_ns = t->ahead.time_ns;
		t->line = t->ahead.line;
		if (!again)
			device[n++] = t->ahead.device;
		t->has_ahead = false;
	}
	if (n)
		return TM_ST_OK;
	*d = t->why;
	return t->last;
}

enum tm_status tm_power_csv_next(struct tm_power_csv *t, struct tm_diag *d)
{
	return t->tall ? next_moment(t, d) : read_row(t, d);
}

void tm_power_csv_fini(struct tm_power_csv *t)
{
	if (t->csv_live)
		csv_free(&t->csv);
	tm_buf_fini(&t->in);
	tm_buf_fini(&t->text);
	tm_buf_fini(&t->header);
	free(t->end);
	free(t->col);
	free(t->value);
	*t = (struct tm_power_csv) { 0 };
}

static bool has_readings(struct tm_source *s)
{
	struct tm_power_csv t = { 0 };
	struct tm_diag none = { 0 };
	bool is = tm_power_csv_open(&t, s, &none) == TM_ST_OK;

	tm_power_csv_fini(&t);
	return is;
}

static bool power_is(const unsigned char *p, size_t n, bool whole)
{
	(void)whole;
	return tm_bytes_try(p, n, has_readings);
}

const struct tm_bytes_ops tm_bytes_power_csv = {
	.name = "power-csv",
	.about = "readings of power or VRAM over time: madengine, amd-smi",
	.what = "a table of power or VRAM readings",
	.tool = "powerstats",
	.is = power_is,
};
