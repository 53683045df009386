/* SPDX-License-Identifier: MIT
 * Texts with quotes and newlines of their own, which only tm_csv_row_split can read, known again.
 *
 * Is what stands between two quotes one text?  That depends on its bytes, on the quotes around the
 * columns before it (another row that begins inside a text is told by them, csv_row.h) and on the
 * comma after it; all three are compared.  Tables with few columns before the text, where more of
 * the row counts, are left alone. */
#include "read/csv/csv_row.h"
#include "read/csv/scan.h"

#include <stdlib.h>

enum { FEWEST = 4, MOST = 64 }; /* columns before the text */

static uint64_t quotes_of(const struct csv_field *fields, uint32_t n)
{
	uint64_t quoted = 0;

	for (uint32_t k = 0; k < n; k++)
		quoted |= (uint64_t)fields[k].quoted << k;
	return quoted;
}

static uint32_t count_newlines(const struct csv_field *f)
{
	uint32_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += f->p[i] == '\n';
	return n;
}

void tm_scan_remember(struct csv_scan *s, const struct csv_field *fields, uint32_t id)
{
	const struct csv_field *text = &fields[s->head], *key = s->head ? text - 1 : NULL;
	struct scan_raw *raw;
	unsigned char *copy;

	if (!s->text || !s->by_kernel_id || s->head < FEWEST || s->head > MOST || key->quoted ||
	    !key->n || key->n > 8 || !text->quoted || !text->n || text->n > SCAN_RAW)
		return;
	if (!memchr(text->p, '"', text->n) && !memchr(text->p, '\n', text->n))
		return;
	if (!s->raws && !(s->raws = calloc(1, sizeof *s->raws)))
		return;
	raw = &s->raws->slot[tm_scan_slot(key->p, key->n)];
	copy = realloc(raw->text, text->n);
	raw->len = 0;
	if (!copy)
		return;
	memcpy(copy, text->p, text->n);
	*raw = (struct scan_raw) { .text = copy,
		                   .len = (uint32_t)text->n,
		                   .id = id,
		                   .lines = count_newlines(text),
		                   .quoted = quotes_of(fields, s->head) };
}

void tm_scan_forget(struct csv_scan *s)
{
	for (size_t i = 0; s->raws && i < SCAN_GUESSES; i++)
		free(s->raws->slot[i].text);
	free(s->raws);
	s->raws = NULL;
}
