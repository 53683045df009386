/* SPDX-License-Identifier: MIT
 * What bench clients print, as one clean table: a row for each measurement, the columns of all of
 * them by name.  Nothing is computed; a number is the digits that the client printed. */
#include "libperf/lib_bench_rows.h"
#include "libperf/lib_opts.h"
#include "read/library/library.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct tm_column columns[] = {
	{ .name = "source",
	  .title = "SOURCE",
	  .about = "file, as named on the command line",
	  .unit = TM_UNIT_TEXT },
	{ .name = "line",
	  .title = "LINE",
	  .about = "line number of the values",
	  .unit = TM_UNIT_ID },
	{ 0 },
};

enum { SOURCE, LINE, FIRST_OWN };

/* A column of the files. */
struct found {
	uint32_t name;
	const char *text; /* NULL: no row has it */
	unsigned clients; /* a bit each: those that have it */
	size_t place;     /* as tm_column_place says, the least of all clients that have it */
	uint32_t order; /* among those of one place: as they come in tables, before what is known */
};

struct acc {
	struct tm_lib_rows rows;
	struct tm_column *column; /* of the table, ending with name NULL */
};

static bool bench_init(void *acc, const void *o)
{
	(void)acc;
	(void)o;
	return true;
}

static enum tm_status bench_take(void *acc, struct tm_source *s, size_t side, struct tm_report *rep,
                                 struct tm_diag *d)
{
	return tm_lib_rows_take(&((struct acc *)acc)->rows, s, side, NULL, rep, d);
}

static int by_place(const void *pa, const void *pb)
{
	const struct found *a = pa, *b = pb;

	if (!a->text || !b->text)
		return !a->text - !b->text;
	if (a->place != b->place)
		return (a->place > b->place) - (a->place < b->place);
	if (a->order != b->order)
		return (a->order > b->order) - (a->order < b->order);
	return strcmp(a->text, b->text);
}

/* A row of that client has the column. */
static void note_column(const struct tm_lib_rows *rows, struct found *found,
                        enum tm_bench_client client, uint32_t id)
{
	const struct tm_name *name = &rows->names.v[id];
	unsigned seen = found[id].clients | 1u << client;
	bool known;
	size_t place;

	if (seen == found[id].clients)
		return;
	found[id].clients = seen;
	place = tm_column_place(client, name->text, name->len, &known);
	if (found[id].text && place >= found[id].place)
		return;
	found[id] = (struct found) {
		.clients = seen,
		.name = id,
		.place = place,
		.order = known                      ? UINT32_MAX
		         : client == TM_BENCH_TABLE ? id + 1
		                                    : 0,
		.text = name->text,
	};
}

/* Which columns there are, in order; NULL when out of memory. */
static struct found *find_columns(const struct tm_lib_rows *rows, uint32_t winner)
{
	struct found *found = calloc(rows->names.n, sizeof *found);

	for (size_t r = 0; found && r < rows->n; r++) {
		const struct tm_lib_row *row = &rows->row[r];

		for (size_t i = 0; i < row->n; i++)
			note_column(rows, found, row->client, rows->v[row->from + i].name);
		if (row->winner)
			note_column(rows, found, TM_BENCH_ALL, winner);
	}
	if (found)
		qsort(found, rows->names.n, sizeof *found, by_place);
	return found;
}

/* What text leaves out where there is no room for all: first what is neither measured nor says of
 * what, from the right; then the file, and of the measures the best last. */
static void give_way(struct tm_column *column, size_t n)
{
	size_t best = tm_measures_n;

	for (size_t i = FIRST_OWN; i < n; i++) {
		const size_t m = tm_measure_find(column[i].name, strlen(column[i].name));

		best = m < best ? m : best;
	}
	for (size_t i = 0; i < n; i++) {
		const size_t len = strlen(column[i].name), m = tm_measure_find(column[i].name, len);
		const size_t place = i + 1 < UCHAR_MAX ? i + 1 : UCHAR_MAX;

		if (i >= FIRST_OWN && m < tm_measures_n)
			column[i].tight = m == best ? 0 : (unsigned char)(m + 1);
		else if (i == SOURCE)
			column[i].tight = UCHAR_MAX;
		else if (i < FIRST_OWN || !tm_column_is_main(column[i].name, len))
			column[i].spare = (unsigned char)place;
	}
}

/* The columns of the table; at[id] is where the column with that name is. */
static bool make_columns(struct acc *a, uint32_t winner, size_t *at)
{
	struct found *found = find_columns(&a->rows, winner);
	size_t n = FIRST_OWN, all = a->rows.names.n;

	a->column = calloc(FIRST_OWN + all + 1, sizeof *a->column);
	if (!found || !a->column) {
		free(found);
		return false;
	}
	memcpy(a->column, columns, FIRST_OWN * sizeof *columns);
	for (size_t i = 0; i < all && found[i].text; i++) {
		const struct found *f = &found[i];

		/* Our own output, read again: the first source and line are the real ones. */
		if (!strcmp(f->text, "source") || !strcmp(f->text, "line")) {
			at[f->name] = !strcmp(f->text, "line") ? LINE : SOURCE;
			continue;
		}
		at[f->name] = n;
		a->column[n++] = (struct tm_column) { .name = f->text,
			                              .title = f->text,
			                              .about = "as in the file",
			                              .unit = TM_UNIT_TEXT };
	}
	free(found);
	give_way(a->column, n);
	return true;
}

static bool put_row(struct acc *a, const struct tm_lib_row *row, const size_t *at,
                    struct tm_table *t, size_t winner)
{
	const struct tm_lib_rows *rows = &a->rows;
	const struct tm_name *source = &rows->texts.v[row->source];
	struct tm_cell *cell = tm_table_row(t);

	if (!cell)
		return false;
	cell[SOURCE] = tm_cell_text(source->text, source->len);
	cell[LINE] = tm_cell_u64(row->line);
	for (size_t i = 0; i < row->n; i++) {
		const struct tm_lib_value *v = &rows->v[row->from + i];
		const struct tm_name *text = &rows->texts.v[v->text];
		size_t c = at[v->name];

		if (c < t->ncols && (c < FIRST_OWN || cell[c].type == TM_CELL_NONE))
			cell[c] = c == SOURCE ? tm_cell_text(text->text, text->len)
			                      : tm_cell_as_read(text->text, text->len);
	}
	if (row->winner && winner < t->ncols)
		cell[winner] = tm_cell_text("yes", 3);
	return true;
}

/* Columns of numbers stand to the right. */
static void align_columns(struct tm_column *column, const struct tm_table *t)
{
	for (size_t c = FIRST_OWN; c < t->ncols; c++) {
		bool number = true;

		for (size_t r = 0; r < t->nrows && number; r++)
			number = t->cells[r * t->ncols + c].type != TM_CELL_TEXT;
		column[c].unit = number ? TM_UNIT_COUNT : TM_UNIT_TEXT;
	}
}

static enum tm_status bench_fill(void *acc, struct tm_table *t, struct tm_report *rep)
{
	struct acc *a = acc;
	struct tm_lib_rows *rows = &a->rows;
	uint32_t winner = tm_names_add(&rows->names, "winner", 6);
	size_t *at = calloc(rows->names.n + 1u, sizeof *at);
	bool ok = winner != TM_NAME_NONE && at && make_columns(a, winner, at);

	if (ok)
		tm_table_init_list(t, a->column);
	for (size_t r = 0; ok && r < rows->n; r++)
		ok = put_row(a, &rows->row[r], at, t, at[winner]);
	if (ok)
		align_columns(a->column, t);
	free(at);
	if (!ok)
		return TM_ST_FATAL;
	if (!rows->n)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "no measurement to show");
	return rows->n ? TM_ST_OK : TM_ST_END;
}

static void bench_fini(void *acc)
{
	struct acc *a = acc;

	tm_lib_rows_fini(&a->rows);
	free(a->column);
}

const struct tm_question tm_lib_bench = {
	.name = "bench",
	.about = "output of bench clients as one clean table",
	.columns = columns,
	.grows = true,
	.whole = true,
	.format = "csv",
	.size = sizeof(struct acc),
	.init = bench_init,
	.take = bench_take,
	.fill = bench_fill,
	.fini = bench_fini,
};
