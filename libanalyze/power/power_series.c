/* SPDX-License-Identifier: MIT */
#include "power/power_series.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOUR UINT64_C(3600000000000)

/* ---- files ---- */

static void file_fini(struct tm_power_file *f)
{
	free(f->name);
	free(f->col);
	free(f->time);
	free(f->value);
	*f = (struct tm_power_file) { 0 };
}

/* Rows that were kept get room for columns that came later. */
static bool widen(struct tm_power_file *f, const struct tm_power_csv *t)
{
	size_t was = f->ncol, now = t->ncol;
	struct tm_power_column *col = realloc(f->col, now * sizeof *col);

	if (col)
		f->col = col;
	if (!col || !tm_grow_array(&f->value, &f->value_cap, f->n * now, sizeof *f->value))
		return false;
	memcpy(col + was, t->col + was, (now - was) * sizeof *col);
	for (size_t i = f->n; i-- > 0;)
		for (size_t k = now; k-- > 0;)
			f->value[i * now + k] = k < was ? f->value[i * was + k] : TM_POWER_ABSENT;
	f->ncol = now;
	return true;
}

/* Columns in their order, where they are in that of the input. */
static bool sort_columns(struct tm_power_file *f)
{
	struct tm_power_column *sorted = malloc(f->ncol * sizeof *sorted);
	uint64_t *row = malloc(f->ncol * sizeof *row);
	bool ok = sorted && row;

	if (ok) {
		memcpy(sorted, f->col, f->ncol * sizeof *sorted);
		for (size_t k = 0; k < f->ncol; k++)
			sorted[k].field = k;
		qsort(sorted, f->ncol, sizeof *sorted, tm_power_column_cmp);
		memcpy(f->col, sorted, f->ncol * sizeof *sorted);
	}
	for (size_t i = 0; ok && i < f->n; i++) {
		uint64_t *v = f->value + i * f->ncol;

		for (size_t k = 0; k < f->ncol; k++)
			row[k] = v[sorted[k].field];
		memcpy(v, row, f->ncol * sizeof *row);
	}
	free(sorted);
	free(row);
	return ok;
}

/* Are these rows that few devices share, so that most cells would be empty? */
static bool scattered(const struct tm_power_file *f, const struct tm_power_csv *t)
{
	enum { FREE = 1 << 20, EMPTY = 16 };

	return f->n > FREE / t->ncol && f->n * t->ncol / EMPTY > t->line;
}

static bool keep_row(struct tm_power_file *f, const struct tm_power_csv *t)
{
	if (t->ncol > f->ncol && !widen(f, t))
		return false;
	if (!tm_grow_array(&f->time, &f->time_cap, f->n + 1, sizeof *f->time) ||
	    !tm_grow_array(&f->value, &f->value_cap, (f->n + 1) * f->ncol, sizeof *f->value))
		return false;
	memcpy(f->value + f->n * f->ncol, t->value, f->ncol * sizeof *f->value);
	f->time[f->n++] = t->time_ns;
	return true;
}

static enum tm_status read_file(struct tm_power_file *f, struct tm_power_csv *t,
                                struct tm_source *s, struct tm_diag *d)
{
	enum tm_status st = tm_power_csv_open(t, s, d);

	if (st != TM_ST_OK)
		return st;
	f->tall = t->tall;
	f->name = strdup(tm_source_name(s));
	if (!f->name || (t->ncol && !widen(f, t)))
		return TM_ST_FATAL;
	while ((st = tm_power_csv_next(t, d)) == TM_ST_OK) {
		if (t->tall && scattered(f, t)) {
			tm_diag_set(d, t->line, "devices have different times: split it by device");
			st = TM_ST_WARN;
			break;
		}
		if (!keep_row(f, t))
			return TM_ST_FATAL;
	}
	if (t->tall && f->ncol && !sort_columns(f))
		return TM_ST_FATAL;
	return st == TM_ST_END ? TM_ST_OK : st;
}

enum tm_status tm_power_files_read(struct tm_power_files *all, struct tm_power_csv *t,
                                   struct tm_source *s, uint64_t node, struct tm_diag *d)
{
	struct tm_power_file f = { .node = node };
	enum tm_status st = read_file(&f, t, s, d);

	if ((st == TM_ST_OK || st == TM_ST_WARN) &&
	    tm_grow_array(&all->v, &all->cap, all->n + 1, sizeof *all->v)) {
		all->v[all->n++] = f;
		return st;
	}
	file_fini(&f);
	return st == TM_ST_SKIP ? st : TM_ST_FATAL;
}

unsigned tm_power_files_kinds(const struct tm_power_files *all)
{
	unsigned bits = 0;

	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->v[i].ncol; k++)
			bits |= 1u << all->v[i].col[k].what;
	return bits;
}

void tm_power_files_fini(struct tm_power_files *all)
{
	for (size_t i = 0; i < all->n; i++)
		file_fini(&all->v[i]);
	free(all->v);
	*all = (struct tm_power_files) { 0 };
}

/* ---- nodes ---- */

int tm_power_by_number(const void *pa, const void *pb)
{
	uint64_t a, b;

	memcpy(&a, pa, sizeof a);
	memcpy(&b, pb, sizeof b);
	return (a > b) - (a < b);
}

/* Numbered nodes first; a node's files by time. */
static int by_node(const void *pa, const void *pb)
{
	const struct tm_power_file *a = pa, *b = pb;
	uint64_t x, y;

	if (a->node != b->node)
		return a->node - 1 < b->node - 1 ? -1 : 1; /* 0 wraps to the end */
	if (!a->node)
		return strcmp(a->name, b->name);
	x = a->n ? a->time[0] : 0;
	y = b->n ? b->time[0] : 0;
	if (x != y)
		return x < y ? -1 : 1;
	x = a->n ? a->time[a->n - 1] : 0;
	y = b->n ? b->time[b->n - 1] : 0;
	if (x != y)
		return x < y ? -1 : 1;
	return strcmp(a->name, b->name);
}

static bool has_what(const struct tm_power_file *f, enum tm_power_what what)
{
	for (size_t i = 0; i < f->ncol; i++)
		if (f->col[i].what == what)
			return true;
	return false;
}

static bool find_devices(struct tm_power_node *node, enum tm_power_what what)
{
	size_t all = 0, n = 0;

	for (size_t i = 0; i < node->n; i++)
		all += node->file[i].ncol;
	node->device = calloc(all ? all : 1, sizeof *node->device);
	if (!node->device)
		return false;
	for (size_t i = 0; i < node->n; i++)
		for (size_t k = 0; k < node->file[i].ncol; k++)
			if (node->file[i].col[k].what == what)
				node->device[n++] = node->file[i].col[k].device;
	qsort(node->device, n, sizeof *node->device, tm_power_by_number);
	for (size_t i = 0; i < n; i++)
		if (!i || node->device[i] != node->device[i - 1])
			node->device[node->ndevice++] = node->device[i];
	return true;
}

/* Look at every row once; `spacing` has room for all. */
static void measure(struct tm_power_node *node, enum tm_power_what what, uint64_t *spacing)
{
	uint64_t before = 0;
	size_t n = 0;

	for (size_t i = 0; i < node->n; i++) {
		const struct tm_power_file *f = &node->file[i];

		for (size_t k = 0; has_what(f, what) && k < f->n; k++) {
			uint64_t t = f->time[k];

			if (!node->rows++)
				node->begin_ns = node->first_ns = node->last_ns = t;
			else if (t > before)
				spacing[n++] = t - before;
			node->first_ns = t < node->first_ns ? t : node->first_ns;
			node->last_ns = t > node->last_ns ? t : node->last_ns;
			before = t;
		}
	}
	if (!n)
		return;
	qsort(spacing, n, sizeof *spacing, tm_power_by_number);
	node->spacing_ns = spacing[(n - 1) / 2];
}

void tm_power_node_window(struct tm_power_node *node, enum tm_power_what what,
                          struct tm_extent window)
{
	uint64_t before = 0;
	bool begun = false;

	node->window = window;
	node->same = node->back = 0;
	for (size_t i = 0; i < node->n; i++) {
		const struct tm_power_file *f = &node->file[i];

		for (size_t k = 0; has_what(f, what) && k < f->n; k++) {
			uint64_t t = f->time[k];

			if (t < window.lo || t >= window.hi)
				continue;
			node->same += begun && t == before;
			node->back += begun && t < before;
			before = t;
			begun = true;
		}
	}
}

static bool node_settle(struct tm_power_node *node, enum tm_power_what what, uint64_t gap_ns)
{
	uint64_t *spacing;
	size_t rows = 0;

	for (size_t i = 0; i < node->n; i++)
		rows += node->file[i].n;
	spacing = malloc((rows + 1) * sizeof *spacing);
	if (!spacing || !find_devices(node, what)) {
		free(spacing);
		return false;
	}
	measure(node, what, spacing);
	free(spacing);
	if (!gap_ns)
		gap_ns = node->spacing_ns < HOUR ? node->spacing_ns * 7 / 2 : HOUR;
	node->gap_ns = gap_ns < HOUR ? gap_ns : HOUR;
	tm_power_node_window(node, what, (struct tm_extent) { 0, UINT64_MAX });
	return true;
}

bool tm_power_nodes(struct tm_power_files *all, enum tm_power_what what, uint64_t gap_ns,
                    struct tm_power_node **node, size_t *n)
{
	*n = 0;
	*node = calloc(all->n ? all->n : 1, sizeof **node);
	if (!*node)
		return false;
	if (all->n)
		qsort(all->v, all->n, sizeof *all->v, by_node);
	for (size_t i = 0; i < all->n; i++) {
		struct tm_power_node *last = *n ? &(*node)[*n - 1] : NULL;

		if (last && all->v[i].node && all->v[i].node == last->file->node)
			last->n++;
		else if (has_what(&all->v[i], what))
			(*node)[(*n)++] = (struct tm_power_node) { .file = &all->v[i], .n = 1 };
	}
	for (size_t i = 0; i < *n; i++)
		if (!node_settle(&(*node)[i], what, gap_ns)) {
			tm_power_nodes_free(*node, *n);
			*node = NULL;
			return false;
		}
	return true;
}

void tm_power_nodes_free(struct tm_power_node *node, size_t n)
{
	for (size_t i = 0; node && i < n; i++)
		free(node[i].device);
	free(node);
}

const char *tm_power_node_name(const struct tm_power_node *node, char text[24])
{
	if (!node->file->node)
		return node->file->name;
	snprintf(text, 24, "%" PRIu64, node->file->node - 1);
	return text;
}

bool tm_power_node_packages(const struct tm_power_node *node)
{
	for (size_t i = 0; i < node->ndevice; i++)
		if (node->device[i] & 1)
			return false;
	return node->ndevice > 1;
}

/* ---- one device ---- */

/* The column of the device in the file at hand; false when it has none. */
static bool find_column(struct tm_power_walk *w)
{
	const struct tm_power_file *f = &w->node->file[w->file];
	const struct tm_power_column want = { .what = w->what, .device = w->device };
	const struct tm_power_column *c = bsearch(&want, f->col, f->ncol, sizeof want,
	                                          tm_power_column_cmp);

	w->col = c ? (size_t)(c - f->col) : 0;
	return c != NULL;
}

static uint64_t scaled(uint64_t v, uint64_t scale)
{
	return scale == 10000 ? v : (uint64_t)(((tm_u128)v * scale + 5000) / 10000);
}

/* How the reading at hand follows the one before. */
static enum tm_power_link link_of(const struct tm_power_walk *w, const struct tm_power_file *f)
{
	const uint64_t limit = f->held ? 0 : f->gap_ns ? f->gap_ns : w->node->gap_ns;

	if (!w->begun)
		return TM_POWER_FIRST;
	if (w->t < w->t0)
		return TM_POWER_BACK;
	/* The second of a pair. */
	if (f->held && !(w->row & 1))
		return TM_POWER_COVERED;
	return w->t - w->t0 > limit ? TM_POWER_GAP : TM_POWER_COVERED;
}

bool tm_power_walk_next(struct tm_power_walk *w)
{
	for (; w->file < w->node->n; w->file++, w->row = 0, w->bound = false) {
		const struct tm_power_file *f = &w->node->file[w->file];

		if (!w->bound && !find_column(w))
			continue;
		w->bound = true;
		while (w->row < f->n) {
			uint64_t t = f->time[w->row], v = f->value[w->row * f->ncol + w->col];

			w->row++;
			if (t < w->node->window.lo || t >= w->node->window.hi ||
			    v == TM_POWER_ABSENT)
				continue;
			w->zeros += !v && w->zero_is_none;
			if (v == TM_POWER_NA || (!v && w->zero_is_none)) {
				w->na++;
				continue;
			}
			w->t0 = w->t;
			w->v0 = w->v;
			w->t = t;
			w->v = scaled(v, w->scale);
			w->link = link_of(w, f);
			w->begun = true;
			return true;
		}
	}
	return false;
}

/* ---- for the tables ---- */

struct tm_cell tm_power_mean_cell(tm_u128 twice, uint64_t ns)
{
	/* twice / (2 ns) millionths, in ten-thousandths. */
	tm_u128 den = (tm_u128)200 * ns;

	if (!den)
		return tm_cell_none();
	twice = (twice + den / 2) / den;
	return tm_cell_ratio((uint64_t)(twice >> 64), (uint64_t)twice, 10000);
}

struct tm_cell tm_power_energy_cell(tm_u128 twice)
{
	return tm_cell_ratio((uint64_t)(twice >> 64), (uint64_t)twice, UINT64_C(2000000000000000));
}
