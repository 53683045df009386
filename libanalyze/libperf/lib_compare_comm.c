/* SPDX-License-Identifier: MIT
 * Operations differ in whether they reduce, whether they have a root, and whether the count is that
 * of all bytes or of the part of one rank.  All-reduce and send-receive do not: they differ in what
 * a byte is to the buses.  Rates of small sizes do not show that, but other rows of the same table
 * may; those of two ranks never do. */
#include "libperf/lib_compare_comm.h"

#include "base/base.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Texts of a row, as printed; "" where there is none. */
struct comm {
	const char *operation, *bytes, *count, *type, *ranks, *redop, *root, *algbw, *busbw;
};

enum { ALL_REDUCE = 1, SEND_RECEIVE = 2 };

static const struct {
	const char *name;
	bool reduces, rooted, part;
} operations[] = {
	{ "all_reduce", .reduces = true },
	{ "reduce_scatter", .reduces = true, .part = true },
	{ "reduce", .reduces = true, .rooted = true },
	{ "broadcast", .rooted = true },
	{ "gather/scatter", .rooted = true, .part = true },
	{ "all_gather/alltoall", .part = true },
	{ "sendrecv", .part = false },
};

static const struct {
	const char *type;
	uint64_t bytes;
} types[] = {
	{ "int8", 1 },   { "uint8", 1 },  { "int32", 4 },    { "uint32", 4 },   { "int64", 8 },
	{ "uint64", 8 }, { "half", 2 },   { "float", 4 },    { "double", 8 },   { "bfloat16", 2 },
	{ "f8e4m3", 1 }, { "f8e5m2", 1 }, { "fp8_e4m3", 1 }, { "fp8_e5m2", 1 },
};

static bool number(const char *text, uint64_t *v)
{
	return tm_num_u64(text, strlen(text), v);
}

/* Is the count that of the part of one rank?  False when it is neither that nor that of all. */
static bool find_part(const struct comm *c, bool *part)
{
	uint64_t bytes, count, ranks, size = 0;

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!strcmp(types[i].type, c->type))
			size = types[i].bytes;
	if (!size || !number(c->bytes, &bytes) || !number(c->count, &count) || !count ||
	    bytes % count || bytes / count % size)
		return false;
	*part = bytes / count != size;
	return !*part || !number(c->ranks, &ranks) || bytes / count == size * ranks;
}

/* What a number may be off by, for how it is printed. */
static double half_digit(const char *text)
{
	const char *dot = strchr(text, '.');

	return 0.5 * pow(10, dot ? -(double)strlen(dot + 1) : 0);
}

/* Is the second rate the first, times a factor? */
static bool fits(const struct comm *c, double factor)
{
	double alg, bus;

	return tm_num_real(c->algbw, strlen(c->algbw), &alg) &&
	       tm_num_real(c->busbw, strlen(c->busbw), &bus) &&
	       fabs(bus - alg * factor) <=
	               half_digit(c->busbw) + half_digit(c->algbw) * factor + 1e-9 * bus;
}

static bool is_said(const char *text, const char *none)
{
	return *text && strcmp(text, none) != 0;
}

static const char *text_in(const struct tm_lib_rows *rows, const struct tm_lib_row *row,
                           const char *column)
{
	uint32_t id = tm_lib_rows_text(rows, row,
	                               tm_names_find(&rows->names, column, strlen(column)));

	return id == TM_NAME_NONE ? "" : rows->texts.v[id].text;
}

static struct comm comm_of(const struct tm_lib_rows *rows, const struct tm_lib_row *row)
{
	return (struct comm) { .operation = text_in(rows, row, "operation"),
		               .bytes = text_in(rows, row, "bytes"),
		               .count = text_in(rows, row, "count"),
		               .type = text_in(rows, row, "type"),
		               .ranks = text_in(rows, row, "ranks"),
		               .redop = text_in(rows, row, "redop"),
		               .root = text_in(rows, row, "root"),
		               .algbw = text_in(rows, row, "algbw_GB/s"),
		               .busbw = text_in(rows, row, "busbw_GB/s") };
}

/* What the rates of a row fit.  Without the number of ranks any factor may be that of
 * all-reduce. */
static unsigned fits_of(const struct comm *c)
{
	uint64_t ranks;
	bool known = number(c->ranks, &ranks) && ranks;

	return (!known || fits(c, 2 * (double)(ranks - 1) / (double)ranks) ? ALL_REDUCE : 0u) |
	       (fits(c, 1) ? SEND_RECEIVE : 0u);
}

/* Does a table go on?  Sizes only rise in it. */
static bool goes_on(const struct comm *a, const struct comm *b)
{
	uint64_t was, is;

	return !*b->operation && !strcmp(a->type, b->type) && !strcmp(a->ranks, b->ranks) &&
	       !strcmp(a->redop, b->redop) && !strcmp(a->root, b->root) && number(a->bytes, &was) &&
	       number(b->bytes, &is) && was <= is;
}

static unsigned only_one(unsigned fits)
{
	return fits == (ALL_REDUCE | SEND_RECEIVE) ? 0 : fits;
}

static void find_table(const struct tm_lib_rows *rows, size_t from, struct tm_lib_comm_table *t)
{
	const struct tm_lib_row *first = &rows->row[from];
	struct comm c = comm_of(rows, first), next;
	unsigned fits = fits_of(&c), all = fits, one = only_one(fits);

	for (t->end = from + 1; t->end < rows->n; t->end++, c = next) {
		const struct tm_lib_row *row = &rows->row[t->end];

		next = comm_of(rows, row);
		if (row->file != first->file || row->who != first->who || !goes_on(&c, &next))
			break;
		fits = fits_of(&next);
		all &= fits;
		one |= only_one(fits);
	}
	/* A row may fit nothing, retried or edited: those that fit one operation tell. */
	t->fits = all ? all : only_one(one);
}

const char *tm_lib_comm_name(const struct tm_lib_rows *rows, const struct tm_lib_row *row,
                             struct tm_lib_comm_table *t)
{
	const struct comm c = comm_of(rows, row);
	bool reduces = is_said(c.redop, "none"), rooted = is_said(c.root, "-1"), part;
	size_t at = (size_t)(row - rows->row);

	if (!find_part(&c, &part))
		return "collective";
	/* Tests of send-receive name a reduction that they do not do. */
	if (reduces && !rooted && !part) {
		unsigned fits;

		if (at >= t->end)
			find_table(rows, at, t);
		/* Two tests may follow each other as one. */
		fits = t->fits ? t->fits : fits_of(&c);
		if (fits == (ALL_REDUCE | SEND_RECEIVE))
			return "all_reduce/sendrecv";
		return fits == SEND_RECEIVE ? "sendrecv" : "all_reduce";
	}
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (operations[i].reduces == reduces && operations[i].rooted == rooted &&
		    operations[i].part == part)
			return operations[i].name;
	return "collective";
}

/* ---- the same problem with its name ---- */

/* Where a measurement of a problem is from. */
struct place {
	uint32_t key, source;
};

static int by_place(const void *px, const void *py)
{
	const struct place *x = px, *y = py;

	return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
	                        : (x->source > y->source) - (x->source < y->source);
}

static bool is_mingled(const struct tm_lib_samples *a, const struct tm_lib_sample *s)
{
	return s->op != TM_NAME_NONE && strchr(a->rows.texts.v[s->op].text, '/');
}

/* The only problem that differs from that of the sample in that it is of just one of its
 * operations: first[] of its key, a text; 0 where there is none, or several.  False when out of
 * memory. */
static bool find_named(const struct tm_lib_samples *a, const size_t *first,
                       const struct tm_lib_sample *s, size_t *found)
{
	const struct tm_names *texts = &a->rows.texts;
	const struct tm_name ops = texts->v[s->op], key = texts->v[s->key];
	struct tm_buf text = { 0 };
	size_t several = 0;
	bool failed;

	*found = 0;
	for (size_t at = 0, n; !text.failed && at < ops.len; at += n + 1) {
		uint32_t id;

		n = strcspn(ops.text + at, "/");
		tm_buf_clear(&text);
		tm_buf_add(&text, ops.text + at, n);
		/* Keys begin with the operation. */
		tm_buf_add(&text, key.text + ops.len, key.len - ops.len);
		id = text.failed ? TM_NAME_NONE : tm_names_find(texts, text.p, text.n);
		if (id == TM_NAME_NONE || !first[id])
			continue;
		*found = first[id];
		several++;
	}
	*found = several == 1 ? *found : 0;
	failed = text.failed;
	tm_buf_fini(&text);
	return !failed;
}

struct settling {
	size_t *first;       /* of each text: the first sample of which it is the key, + 1 */
	bool *apart;         /* of each text: a file has that key and the named one: two tests? */
	struct place *place; /* of all samples, in order */
};

static bool find_apart(const struct tm_lib_samples *a, struct settling *t)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct tm_lib_sample *s = &a->v[i];
		size_t named = 0;

		if (is_mingled(a, s) && !find_named(a, t->first, s, &named))
			return false;
		if (named && bsearch(&(struct place) { a->v[named - 1].key, s->source }, t->place,
		                     a->n, sizeof *t->place, by_place))
			t->apart[s->key] = true;
	}
	return true;
}

static bool settle(struct tm_lib_samples *a, struct settling *t)
{
	for (size_t i = a->n; i-- > 0;) {
		t->place[i] = (struct place) { a->v[i].key, a->v[i].source };
		t->first[a->v[i].key] = i + 1;
	}
	qsort(t->place, a->n, sizeof *t->place, by_place);
	if (!find_apart(a, t))
		return false;
	for (size_t i = 0; i < a->n; i++) {
		struct tm_lib_sample *s = &a->v[i];
		size_t named = 0;

		if (is_mingled(a, s) && !t->apart[s->key] && !find_named(a, t->first, s, &named))
			return false;
		if (named) {
			s->op = a->v[named - 1].op;
			s->key = a->v[named - 1].key;
		}
	}
	return true;
}

bool tm_lib_comm_settle(struct tm_lib_samples *a)
{
	size_t texts = a->rows.texts.n;
	struct settling t = { .first = calloc(texts + 1, sizeof *t.first),
		              .apart = calloc(texts + 1, sizeof *t.apart),
		              .place = calloc(a->n + 1, sizeof *t.place) };
	bool ok = t.first && t.apart && t.place && settle(a, &t);

	free(t.first);
	free(t.apart);
	free(t.place);
	return ok;
}
