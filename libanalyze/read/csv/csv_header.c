/* SPDX-License-Identifier: MIT */
#include "read/csv/header.h"

#include "base/base.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Columns that mean the same: one line of csv_columns.def. */
struct column_def {
	enum tm_ev_col col;
	const char *names; /* separated by blanks */
};

static const struct column_def columns[] = {
#define COLUMN(col_, names_) { .col = col_, .names = names_ },
#include "schemas/csv_columns.def"
#undef COLUMN
};

static const struct table_def tables[] = {
#define TABLE(format_, label_, kind_, domain_, text_, need_, flags_)                               \
	{ .format = TABLE_##format_,                                                               \
	  .label = label_,                                                                         \
	  .kind = kind_,                                                                           \
	  .domain = domain_,                                                                       \
	  .text = text_,                                                                           \
	  .need = need_,                                                                           \
	  .flags = flags_ },
#include "schemas/csv_tables.def"
#undef TABLE
};

static const struct {
	enum table_format format;
	const char *label, *columns, *producer;
} versions[] = {
#define VERSION(format_, label_, columns_, producer_)                                              \
	{ .format = TABLE_##format_, .label = label_, .columns = columns_, .producer = producer_ },
#include "schemas/csv_versions.def"
#undef VERSION
};

enum { NCOLUMNS = sizeof columns / sizeof *columns, NTABLES = sizeof tables / sizeof *tables };

static unsigned char lower(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c + ('a' - 'A')) : c;
}

static bool same(const unsigned char *p, size_t n, const char *word, size_t len)
{
	if (n != len)
		return false;
	for (size_t i = 0; i < n; i++)
		if (lower(p[i]) != (unsigned char)word[i])
			return false;
	return true;
}

/* The next word of a list separated by blanks; NULL at its end. */
static const char *next_word(const char **list, size_t *len)
{
	const char *w = *list + strspn(*list, " ");

	*len = strcspn(w, " ");
	*list = w + *len;
	return *len ? w : NULL;
}

/* The words of csv_columns.def by their hash: a header may have thousands of names, and three
 * formats look at each. */
enum { WORD_SLOTS = 512 };

static struct {
	const char *word;
	size_t len;
	int entry;
} words[WORD_SLOTS];

static pthread_once_t words_once = PTHREAD_ONCE_INIT;

/* Fixed names by a fixed hash: what a file holds cannot make this table slow. */
static unsigned word_slot(const unsigned char *p, size_t n)
{
	unsigned h = (unsigned)n;

	for (size_t i = 0; i < n; i++)
		h = h * 31 + lower(p[i]);
	return (h ^ h >> 9) % WORD_SLOTS;
}

static void words_fill(void)
{
	for (int i = 0; i < NCOLUMNS; i++) {
		const char *list = columns[i].names, *w;
		size_t len;

		while ((w = next_word(&list, &len))) {
			unsigned at = word_slot((const unsigned char *)w, len);

			while (words[at].word)
				at = (at + 1) % WORD_SLOTS;
			words[at].word = w;
			words[at].len = len;
			words[at].entry = i;
		}
	}
}

/* The line of csv_columns.def that lists this header name, or -1. */
static int column_named(const void *p, size_t n)
{
	pthread_once(&words_once, words_fill);
	if (n >= TM_HEADER_NAME)
		return -1;
	for (unsigned at = word_slot(p, n); words[at].word; at = (at + 1) % WORD_SLOTS)
		if (same(p, n, words[at].word, words[at].len))
			return words[at].entry;
	return -1;
}

/* What is after the line "sep=," of a spreadsheet, in quotes or not; NULL = there is none. */
static const unsigned char *after_sep(const unsigned char *p, const unsigned char *end)
{
	const bool quoted = p < end && *p == '"';

	p += quoted;
	if (end - p < 6 || !same(p, 5, "sep=,", 5))
		return NULL;
	p += 5;
	if (quoted && *p++ != '"')
		return NULL;
	p += p < end && *p == '\r';
	return p < end && *p == '\n' ? p + 1 : NULL;
}

/* After the byte order mark, lines with nothing in them and one that says that there are commas;
 * *lines = how many of those. */
static const unsigned char *skip_blank(const unsigned char *p, const unsigned char *end,
                                       uint64_t *lines)
{
	const unsigned char *q;

	*lines = 0;
	if (end - p >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
		p += 3;
	q = after_sep(p, end);
	*lines += q != NULL;
	p = q ? q : p;
	for (q = p; q < end && (*q == '\n' || *q == '\r' || *q == ' ' || *q == '\t'); q++)
		if (*q == '\n') {
			p = q + 1;
			++*lines;
		}
	return p;
}

_Thread_local bool tm_header_no_memory;

/* One name of the header, which is at *p; *p goes after it and its comma.  A name of which only
 * the beginning is there is left out. */
static bool add_name(struct csv_header *h, const unsigned char **p, const unsigned char *end)
{
	bool quoted = **p == '"';
	const unsigned char *name = *p + quoted;
	const unsigned char *stop = memchr(name, quoted ? '"' : ',', (size_t)(end - name));

	if (!stop && quoted) {
		*p = end;
		return h->partial;
	}
	if (!stop)
		stop = end;
	if (h->n == UINT32_MAX || !tm_grow_array(&h->field, &h->cap, h->n + 1u, sizeof *h->field)) {
		h->oom = tm_header_no_memory = true;
		return false;
	}
	h->field[h->n++] = (struct csv_head) { .p = name,
		                               .len = (uint32_t)(stop - name),
		                               .entry = column_named(name, (size_t)(stop - name)) };
	h->all_quoted &= quoted;
	*p = stop + quoted;
	return *p >= end || *(*p)++ == ',';
}

bool tm_header_parse(struct csv_header *h, const unsigned char *p, size_t n, bool whole)
{
	const unsigned char *const start = p, *end = p + n;
	const unsigned char *nl;

	h->n = 0;
	h->all_quoted = true;
	h->partial = h->oom = false;
	if (n)
		p = skip_blank(p, end, &h->lines);
	nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
	h->bytes = nl ? (size_t)(nl - start) + 1 : n;
	if (nl) {
		h->lines++;
		end = nl;
	} else if (!whole) {
		const unsigned char *comma = p < end ? memrchr(p, ',', (size_t)(end - p)) : NULL;

		h->partial = true;
		if (!comma)
			return false;
		end = comma;
	}
	if (end > p && end[-1] == '\r')
		end--;
	while (p < end)
		if (!add_name(h, &p, end))
			return false;
	return h->n > 0;
}

void tm_header_fini(struct csv_header *h)
{
	free(h->field);
	*h = (struct csv_header) { 0 };
}

int tm_header_find(const struct csv_header *h, const char *name)
{
	size_t len = strlen(name);

	for (uint32_t i = 0; i < h->n; i++)
		if (same(h->field[i].p, h->field[i].len, name, len))
			return (int)i;
	return -1;
}

bool tm_header_same(const struct csv_header *a, const struct csv_header *b)
{
	if (a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct csv_head *x = &a->field[i], *y = &b->field[i];

		if (x->len != y->len)
			return false;
		for (uint32_t k = 0; k < x->len; k++)
			if (lower(x->p[k]) != lower(y->p[k]))
				return false;
	}
	return true;
}

/* Is a name of the entry whose first name is `key` among the header's columns? */
static bool has_entry(const struct csv_header *h, const char *key, size_t keylen)
{
	int want = column_named(key, keylen);

	for (uint32_t i = 0; i < h->n; i++)
		if (want >= 0 && h->field[i].entry == want)
			return true;
	return false;
}

static bool has_exactly(const struct csv_header *h, const char *name, size_t len)
{
	for (uint32_t i = 0; i < h->n; i++)
		if (same(h->field[i].p, h->field[i].len, name, len))
			return true;
	return false;
}

/* Bits of evidence for a table: 8 for each needed column that is there.  *lacks = how many are not,
 * *first the first of those. */
static unsigned evidence(const struct csv_header *h, const struct table_def *t, unsigned *lacks,
                         const char **first, size_t *first_len)
{
	const char *list = t->need, *w;
	unsigned bits = 0;
	size_t len;

	*lacks = 0;
	while ((w = next_word(&list, &len))) {
		bool exact = *w == '=';

		w += exact;
		len -= exact;
		if (exact ? has_exactly(h, w, len) : has_entry(h, w, len)) {
			bits += 8;
		} else if (!(*lacks)++) {
			*first = w;
			*first_len = len;
		}
	}
	return bits;
}

/* "end_timestamp" as the profilers write it: "End_Timestamp". */
static void title_case(const char *w, size_t len, char out[TM_HEADER_NAME])
{
	bool start = true;
	size_t n = len < TM_HEADER_NAME ? len : TM_HEADER_NAME - 1;

	for (size_t i = 0; i < n; i++) {
		out[i] = start && w[i] >= 'a' && w[i] <= 'z' ? (char)(w[i] - ('a' - 'A')) : w[i];
		start = w[i] == '_';
	}
	out[n] = '\0';
}

bool tm_header_nearly(const struct csv_header *h, enum table_format f, const char **label,
                      char missing[TM_HEADER_NAME])
{
	unsigned best = 8; /* one column in common proves nothing */

	for (size_t i = 0; i < NTABLES; i++) {
		unsigned lacks, bits;
		const char *first;
		size_t len;

		if (tables[i].format != f || tables[i].flags & TABLE_COUNTED)
			continue;
		bits = evidence(h, &tables[i], &lacks, &first, &len);
		if (lacks != 1 || bits <= best)
			continue;
		best = bits;
		*label = tables[i].label;
		title_case(first, len, missing);
	}
	return best > 8;
}

/* "wave_size_1", "sig.2": what joining tables makes of a column they both have. */
static bool is_copy_of_known(const unsigned char *p, size_t n)
{
	size_t len = n;

	while (len && p[len - 1] >= '0' && p[len - 1] <= '9')
		len--;
	return len < n && len > 1 && (p[len - 1] == '_' || p[len - 1] == '.') &&
	       column_named(p, len - 1) >= 0;
}

/* Of several words joined by '_' or '-', is one written so: "Size"?  Properties of a dispatch are
 * ("LDS_Block_Size"), counters are not ("TCC_EA_RDREQ_sum", "VALUBusy"). */
static bool has_title_word(const unsigned char *p, size_t n)
{
	bool several = false, found = false;

	for (size_t i = 0; i < n; i++) {
		bool begins = !i || p[i - 1] == '_' || p[i - 1] == '-';

		several |= p[i] == '_' || p[i] == '-';
		if (!begins || p[i] < 'A' || p[i] > 'Z' || i + 1 == n || p[i + 1] < 'a' ||
		    p[i + 1] > 'z')
			continue;
		while (i + 1 < n && p[i + 1] >= 'a' && p[i + 1] <= 'z')
			i++;
		found |= i + 1 == n || p[i + 1] == '_' || p[i + 1] == '-';
	}
	return several && found;
}

bool tm_header_counter(const struct csv_header *h, uint32_t i, const struct table_def *t)
{
	const struct csv_head *f = &h->field[i];

	if (!(t->flags & TABLE_WIDE) || f->entry >= 0 || !f->len || is_copy_of_known(f->p, f->len))
		return false;
	/* The older formats are closed: whatever else they have is a counter, of any name. */
	if (t->format == TABLE_v3 && (*f->p < 'A' || *f->p > 'Z'))
		return false;
	return !has_title_word(f->p, f->len);
}

static bool has_counter(const struct csv_header *h, const struct table_def *t)
{
	for (uint32_t i = 0; i < h->n; i++)
		if (tm_header_counter(h, i, t))
			return true;
	return false;
}

const struct table_def *tm_header_table(const struct csv_header *h, enum table_format f,
                                        unsigned *bits)
{
	const struct table_def *best = NULL;

	*bits = 0;
	for (size_t i = 0; i < NTABLES; i++) {
		unsigned lacks = 0, b = 0;
		const char *first;
		size_t len;

		if (tables[i].format == f)
			b = evidence(h, &tables[i], &lacks, &first, &len);
		if (!lacks && b > *bits &&
		    (!(tables[i].flags & TABLE_COUNTED) || has_counter(h, &tables[i]))) {
			*bits = b;
			best = &tables[i];
		}
	}
	return best;
}

const char *tm_header_producer(const struct csv_header *h, const struct table_def *t)
{
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
		const char *list = versions[i].columns, *w;
		bool fits = versions[i].format == t->format &&
		            (*versions[i].label == '*' || !strcmp(versions[i].label, t->label));
		size_t len;

		while (fits && (w = next_word(&list, &len)))
			fits = has_exactly(h, w, len);
		if (fits)
			return versions[i].producer;
	}
	return NULL;
}

bool tm_header_column(const struct csv_header *h, uint32_t i, const struct table_def *t,
                      enum tm_ev_col *col, enum csv_cell *cell)
{
	static const enum csv_cell cell_of[] = {
		[TM_EVT_NAME] = CELL_NAME,     [TM_EVT_NUMBER] = CELL_NUMBER,
		[TM_EVT_REAL] = CELL_REAL,     [TM_EVT_AGENT] = CELL_AGENT,
		[TM_EVT_DOMAIN] = CELL_DOMAIN, [TM_EVT_TIME] = CELL_NUMBER,
		[TM_EVT_SUM] = CELL_NUMBER,    [TM_EVT_STATE] = CELL_NUMBER,
	};
	const struct column_def *def;

	if (h->field[i].entry < 0)
		return false;
	def = &columns[h->field[i].entry];
	if (def->col == TM_EVC_N)
		return false;
	if (def->col == TM_EVC_NAME && h->field[i].entry != column_named(t->text, strlen(t->text)))
		return false;
	*col = def->col;
	*cell = cell_of[tm_ev_columns[def->col].type];
	return true;
}
