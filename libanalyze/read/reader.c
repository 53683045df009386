/* SPDX-License-Identifier: MIT */
#include "read/reader.h"

#include "read/batch.h"
#include "read/csv/csv.h"

#include "read/formats.h"
#include "read/library/library.h"
#include "read/sqlite/sqlite.h"

#include <stdlib.h>
#include <string.h>

const struct tm_reader_ops *const tm_reader_formats[] = {
#define FORMAT(id, profilers, holds, times) &tm_reader_##id,
#include "read/formats.def"
	NULL,
};

static const struct tm_format_facts facts[] = {
#define FORMAT(id, profilers, holds, times) { profilers, holds, times, 0 },
#include "read/formats.def"
};

const struct tm_bytes_ops *const tm_bytes_formats[] = {
#define BYTES(id) &tm_bytes_##id,
#include "read/formats.def"
	NULL,
};

const struct tm_bytes_ops *tm_bytes_choose(const unsigned char *p, size_t n, bool whole)
{
	for (size_t i = 0; tm_bytes_formats[i]; i++)
		if (tm_bytes_formats[i]->is(p, n, whole))
			return tm_bytes_formats[i];
	return NULL;
}

bool tm_bytes_try(const unsigned char *p, size_t n, bool (*take)(struct tm_source *s))
{
	struct tm_diag none;
	struct tm_source *s = tm_source_memory("", p, n, &none);
	bool is = s && !tm_source_is_archive(s) && take(s);

	tm_source_close(s);
	return is;
}

const struct tm_reader_ops *tm_reader_find(const char *name)
{
	for (size_t i = 0; tm_reader_formats[i]; i++)
		if (!strcmp(tm_reader_formats[i]->name, name))
			return tm_reader_formats[i];
	return NULL;
}

/* CSV of rocprofv3 from 7.0 on; its tables of counters do not tell 6.4 from 7.0. */
bool tm_reader_static_lds(const char *format, const char *producer)
{
	return format && !strcmp(format, tm_reader_rocprofv3_csv.name) && producer &&
	       (strstr(producer, "rocprofv3 7") || strstr(producer, "6.4 or later"));
}

struct tm_format_facts tm_reader_facts(const char *name)
{
	struct tm_format_facts f = { .profilers = TM_BY_ANY,
		                     .place = sizeof facts / sizeof *facts };

	for (unsigned i = 0; name && tm_reader_formats[i]; i++)
		if (!strcmp(tm_reader_formats[i]->name, name)) {
			f = facts[i];
			f.place = i;
			break;
		}
	return f;
}

const char *tm_reader_article(const char *table)
{
	size_t n = strlen(table);

	if (n && table[n - 1] == 's')
		return "";
	return strchr("AEIOaeio", *table) ? "an " : "a ";
}

/* The first line as far as it can be shown, for "not a trace this tool knows". */
static void first_line(const unsigned char *p, size_t n, char out[64])
{
	size_t i = 0;

	for (; i < 60 && i < n && p[i] >= ' ' && p[i] < 127; i++)
		out[i] = (char)p[i];
	if (i == 60) {
		memcpy(out + 57, "...", 4);
		return;
	}
	out[i] = '\0';
}

/* Are they told apart only after opening? */
static bool same_family(const struct tm_reader_ops *a, const struct tm_reader_ops *b)
{
	return a->dialect && a->dialect == b->dialect;
}

/* The length of the first line; where it is that of a spreadsheet that says what is between the
 * fields, of the first two. */
static size_t head_length(const unsigned char *p, size_t n)
{
	const size_t sep = n > 5 && !strncasecmp((const char *)p + (*p == '"'), "sep=", 4);
	size_t len = 0;

	for (size_t i = 0; i <= sep; i++) {
		const unsigned char *end = len < n ? memchr(p + len, '\n', n - len) : NULL;

		len = end ? (size_t)(end - p) + 1 : n;
	}
	return len;
}

/* *by = what is between the fields of a table that has the header of one of ours, if that is no
 * comma, else 0: spreadsheets write semicolons where numbers have commas.  False when out of
 * memory. */
static bool find_separator(const unsigned char *p, size_t n, char *by)
{
	const size_t len = head_length(p, n);
	unsigned char *line = malloc(len + 1);

	*by = 0;
	for (const char *c = ";\t|"; line && *c && !*by; c++) {
		if (!n || !memchr(p, *c, len))
			continue;
		for (size_t i = 0; i < len; i++)
			line[i] = p[i] == *c ? ',' : p[i];
		for (size_t i = 0; tm_reader_formats[i] && !*by; i++)
			*by = tm_reader_formats[i]->bid(line, len, true) ? *c : 0;
	}
	free(line);
	return line != NULL && !tm_header_no_memory;
}

/* *are: do the lines of a table that has the header of one of ours end in CR alone, as some
 * spreadsheets save it?  False when out of memory. */
static bool find_returns(const unsigned char *p, size_t n, bool *are)
{
	const unsigned char *end = memchr(p, '\r', n);
	const size_t len = end && !memchr(p, '\n', n) ? (size_t)(end - p) + 1 : 0;
	unsigned char *line = malloc(len + 1);

	*are = false;
	if (line && len) {
		memcpy(line, p, len);
		line[len - 1] = '\n';
	}
	for (size_t i = 0; line && len && tm_reader_formats[i] && !*are; i++)
		*are = tm_reader_formats[i]->bid(line, len, true) > 0;
	free(line);
	return line != NULL && !tm_header_no_memory;
}

enum { ROW_COMMAS = 6 }; /* in a row of copies, which has the fewest columns */

/* Is the first line a row of a table of rocprofv3, which begins with what it is a trace of? */
static bool is_row(const unsigned char *p, size_t n)
{
	const bool quoted = n && *p == '"';
	size_t len = 0, commas = 0;

	p += quoted;
	n -= quoted;
	while (len < n && ((p[len] >= 'A' && p[len] <= 'Z') || p[len] == '_'))
		len++;
	for (size_t i = len; i < n && p[i] != '\n'; i++)
		commas += p[i] == ',';
	return commas >= ROW_COMMAS && len + quoted < n && p[len + quoted] == ',' &&
	       (!quoted || p[len] == '"') && memchr(p, '_', len) &&
	       tm_domain_of_producer((const char *)p, len) != TM_DOMAIN_OTHER;
}

bool tm_reader_almost(const unsigned char *p, size_t n, struct tm_diag *d)
{
	bool returns = false;
	char by = 0;

	tm_header_no_memory = false;
	if (!n || memchr(p, 0, n))
		return false;
	if (!find_separator(p, n, &by) || !find_returns(p, n, &returns)) {
		tm_diag_oom(d);
		return true;
	}
	if (returns)
		tm_diag_set(d, 1,
		            "a table whose lines end in CR alone: convert it with tr '\\r' '\\n'");
	else if (by)
		tm_diag_set(d, 1, "a table whose fields are separated by %s: save it with commas",
		            by == '\t'  ? "tabs"
		            : by == '|' ? "bars"
		                        : "semicolons");
	else if (is_row(p, n))
		tm_diag_set(
		        d, 1,
		        "rows without the header of their table: join the pieces of a table with "
		        "'cat', the one with the header first");
	else
		return false;
	return true;
}

const struct tm_reader_ops *tm_reader_choose(const unsigned char *p, size_t n, bool whole,
                                             unsigned *bits, struct tm_diag *d)
{
	const struct tm_reader_ops *best = NULL, *rival = NULL;
	const struct tm_bytes_ops *bytes;
	unsigned most = 0;
	char line[64];

	if (n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3)) {
		p += 3;
		n -= 3;
	}
	tm_header_no_memory = false;
	for (size_t i = 0; tm_reader_formats[i]; i++) {
		unsigned b = tm_reader_formats[i]->bid(p, n, whole);

		if (b && b == most && !same_family(best, tm_reader_formats[i]))
			rival = tm_reader_formats[i];
		if (b > most) {
			most = b;
			best = tm_reader_formats[i];
			rival = NULL;
		}
	}
	if (bits)
		*bits = tm_header_no_memory ? 0 : most;
	if (tm_header_no_memory) {
		tm_diag_oom(d);
		return NULL;
	}
	if (best && rival) {
		tm_diag_set(d, 0, "could be %s or %s; choose with --from", best->name, rival->name);
		return NULL;
	}
	if (best)
		return best;
	/* A header that goes on to the end of the file lacks its last column. */
	if (n && !memchr(p, '\n', n) && tm_reader_almost(p, n, d))
		return NULL;
	for (size_t i = 0; tm_reader_formats[i]; i++) {
		char missing[TM_HEADER_NAME];
		const char *label;

		if (!tm_reader_formats[i]->nearly ||
		    !tm_reader_formats[i]->nearly(p, n, &label, missing))
			continue;
		tm_diag_set(d, 1, "looks like %s%s of %s, but has no column %s",
		            tm_reader_article(label), label, tm_reader_formats[i]->name, missing);
		return NULL;
	}
	if (tm_header_no_memory) {
		tm_diag_oom(d);
		return NULL;
	}
	/* What is not text is none of them. */
	bytes = memchr(p, 0, n) ? NULL : tm_bytes_choose(p, n, whole);
	first_line(p, n, line);
	if (*line && !bytes && tm_reader_almost(p, n, d))
		return NULL;
	if (!n)
		tm_diag_set(d, 0, "empty file");
	else if (bytes)
		tm_diag_set(d, 0, "%s, not a trace: an input of %s", bytes->what, bytes->tool);
	else if (*line)
		tm_diag_set(
		        d, 1,
		        "unknown format: begins with '%s'; --list-formats lists the supported ones",
		        line);
	else
		tm_diag_set(d, 0,
		            "unknown format: binary data; --list-formats lists the supported ones");
	return NULL;
}

/* Text whose first bytes are no known format: may what is looked for begin later?  More than that
 * of a file that is not text is not read. */
static bool goes_on(const unsigned char *p, size_t n)
{
	return n == TM_SOURCE_PEEK && !memchr(p, 0, n);
}

const struct tm_reader_ops *tm_reader_choose_in(struct tm_source *src, const unsigned char *p,
                                                size_t n, bool *unknown, struct tm_diag *d)
{
	const struct tm_reader_ops *ops;
	struct tm_diag no = { 0 };
	struct tm_source *again;
	uint64_t line = 0;
	unsigned bits;
	bool found;

	ops = tm_reader_choose(p, n, n < TM_SOURCE_PEEK, &bits, d);
	*unknown = !ops && !tm_header_no_memory;
	/* `bits` of one that is not chosen: several bid the same. */
	if (ops || bits || tm_header_no_memory || !goes_on(p, n))
		return ops;
	again = tm_source_again(src, &no);
	found = no.status != TM_ST_NOMEM && tm_rccl_log_begins(again ? again : src, &line, &no);
	if (no.status == TM_ST_NOMEM)
		tm_diag_oom(d);
	else if (found && again)
		ops = &tm_reader_rccl_log;
	else if (found) /* what can be read only once was read by now */
		tm_diag_set(d, line,
		            "RCCL's lines begin here, after more than 64 KiB of other text: use "
		            "--from rccl-log");
	*unknown = !found && no.status != TM_ST_NOMEM;
	/* What was looked for may stand behind the fault. */
	if (*unknown && tm_source_failed(again ? again : src, &no)) {
		*d = no;
		*unknown = false;
	}
	tm_source_close(again);
	return ops;
}

struct tm_reader *tm_reader_open(struct tm_source *src, const struct tm_reader_ops *ops,
                                 tm_ev_set want, bool *unknown, struct tm_diag *d)
{
	const unsigned char *p;
	struct tm_reader *r;
	bool by_content = !ops, nobody;
	struct tm_diag broken;
	enum tm_status st;
	size_t n;

	if (unknown)
		*unknown = false;
	st = tm_source_peek(src, &p, &n, &broken);
	if (st == TM_ST_FATAL) {
		if (d)
			*d = broken;
		return NULL;
	}
	if (!ops) {
		ops = tm_reader_choose_in(src, p, n, &nobody, d);
		/* Half a header looks like nothing: what broke it is the news. */
		if (!ops && st == TM_ST_WARN && d)
			*d = broken;
		if (!ops) {
			if (unknown)
				*unknown = st == TM_ST_OK && nobody;
			return NULL;
		}
	}
	r = calloc(1, sizeof *r);
	if (!r) {
		tm_diag_oom(d);
		return NULL;
	}
	r->src = src;
	r->want = want;
	st = by_content && ops->dialect ? ops->dialect(r, &ops, d) : TM_ST_OK;
	if (st == TM_ST_OK) {
		r->ops = ops;
		r->priv = calloc(1, ops->priv_size ? ops->priv_size : 1);
		if (!r->priv) {
			tm_reader_close(r);
			tm_diag_oom(d);
			return NULL;
		}
		st = ops->open(r, d);
	}
	if (st != TM_ST_OK) {
		/* A format the caller named is not unknown, it is wrong. */
		if (unknown)
			*unknown = st == TM_ST_SKIP && by_content;
		tm_reader_close(r);
		return NULL;
	}
	return r;
}

static void move_row(struct tm_batch *b, uint32_t to, uint32_t from)
{
	enum tm_ev_col c;

	TM_EV_EACH(c, b->some)
	b->col[c][to] = b->col[c][from];
	if (b->row_has)
		b->row_has[to] = b->row_has[from];
}

/* A window ends before its end, so none holds what starts at the last instant that a number can
 * be: such rows are left out here, for all that read. */
static const struct tm_batch *without_last(struct tm_reader *r, const struct tm_batch *b)
{
	const uint64_t *start = b->col[TM_EVC_START];
	bool any = false;

	if (!(b->some & TM_EV_BIT(TM_EVC_START)))
		return b;
	for (uint32_t i = 0; i < b->n; i++)
		any |= start[i] == UINT64_MAX;
	if (!any)
		return b;
	r->less = *b;
	r->less.n = 0;
	for (uint32_t i = 0; i < b->n; i++)
		if (!tm_batch_has(b, i, TM_EVC_START) || start[i] != UINT64_MAX)
			move_row(&r->less, r->less.n++, i);
	if (r->less.n < b->n)
		tm_loss_count(&r->loss, TM_LOSS_LAST, b->n - r->less.n, 0);
	r->loss.rows -= b->n - r->less.n;
	return &r->less;
}

enum tm_status tm_reader_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	enum tm_status st;

	do {
		st = r->ops->next(r, b, d);
		if (st == TM_ST_OK)
			*b = without_last(r, *b);
	} while (st == TM_ST_OK && !(*b)->n);
	return st;
}

bool tm_reader_can_split(const struct tm_reader *r)
{
	return r->ops->split && (!r->ops->splits || r->ops->splits(r));
}

bool tm_reader_joined(struct tm_reader *r, struct tm_loss *loss)
{
	return !r->ops->joined || r->ops->joined(r, loss);
}

struct tm_reader *tm_reader_split(const struct tm_reader *r, int fd, uint64_t begin, uint64_t end,
                                  bool exact, struct tm_diag *d)
{
	return r->ops->split(r, fd, begin, end, exact, d);
}

bool tm_reader_host(struct tm_reader *r, const char *name, size_t len)
{
	uint32_t id;

	if (!len || r->hosts || (r->host && strlen(r->host) == len && !memcmp(r->host, name, len)))
		return true;
	r->hosts = r->host != NULL;
	r->host = NULL;
	if (r->hosts)
		return true;
	id = tm_names_add(&r->names, name, len);
	if (id != TM_NAME_NONE)
		r->host = r->names.v[id].text;
	return id != TM_NAME_NONE;
}

_Static_assert(TM_EVC_N < 127, "UNUSED_WANT is no column");

bool tm_reader_unused(struct tm_reader *r, enum tm_unused_kind kind, const char *name, size_t len)
{
	static const char more[] = "(more)";
	struct tm_names *of = &r->unused.of[kind];

	if (!(r->want & TM_UNUSED_WANT))
		return true;
	/* Keys and domains may be another one in every event of a hostile file. */
	if (kind >= TM_UNUSED_DOMAIN && of->n >= TM_UNUSED_MOST &&
	    tm_names_find(of, name, len) == TM_NAME_NONE) {
		name = more;
		len = sizeof more - 1;
	}
	return tm_names_add(of, name, len) != TM_NAME_NONE;
}

void tm_reader_close(struct tm_reader *r)
{
	if (!r)
		return;
	if (r->priv)
		r->ops->close(r);
	free(r->priv);
	tm_sqlite_file_close(r->file);
	for (int i = 0; i < TM_UNUSED_KINDS; i++)
		tm_names_fini(&r->unused.of[i]);
	tm_names_fini(&r->names);
	free(r);
}
