/* SPDX-License-Identifier: MIT
 * Any bytes through a reader: what it hands out must keep the contracts of reader.h and event.h.
 * Built once for each line of formats.def, with -DFORMAT=reader_<id>. */
#include "base/hash.h"
#include "read/reader.h"

#include "replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct reader_ops FORMAT;

/* A law that does not hold. */
#define LAW(cond)                                                                                  \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "%s:%d: broken law: %s\n", __FILE__, __LINE__, #cond);     \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* Everything is looked at, so that a sanitiser sees what was never written. */
static volatile uint64_t sink;

static void check_value(const struct batch *b, enum ev_col c, uint64_t v)
{
	const struct name *nm;

	switch (ev_columns[c].type) {
	case EVT_NAME:
		LAW(v < b->names->n);
		nm = &b->names->v[v];
		LAW(nm->text && nm->text[nm->len] == '\0');
		sink += nm->len ? (unsigned char)nm->text[nm->len - 1] : 0;
		break;
	case EVT_REAL:
		LAW(isfinite(cell_real(v)));
		break;
	case EVT_AGENT:
		LAW(v >> 32 <= AGENT_CPU);
		break;
	case EVT_DOMAIN:
		LAW(v < DOMAIN_N);
		break;
	case EVT_NUMBER:
	case EVT_TIME:
	case EVT_SUM:
		break;
	}
	sink += v;
}

static void check_batch(const struct batch *b)
{
	uint64_t any = 0;

	LAW(b->n >= 1 && b->n <= BATCH_ROWS);
	LAW((unsigned)b->kind < EV_NKINDS);
	LAW((b->has & ~b->some) == 0);
	LAW((b->some & ~EV_ALL) == 0);
	LAW(b->names);
	for (int c = 0; c < EVC_N; c++)
		LAW(!(b->some & EV_BIT(c)) || b->col[c]);
	for (uint32_t i = 0; i < b->n; i++) {
		for (int c = 0; c < EVC_N; c++) {
			if (!batch_has(b, i, (enum ev_col)c))
				continue;
			any |= EV_BIT(c);
			check_value(b, (enum ev_col)c, b->col[c][i]);
		}
		if (batch_has(b, i, EVC_START) && batch_has(b, i, EVC_END))
			LAW(b->col[EVC_START][i] <= b->col[EVC_END][i]);
	}
	LAW((any & ~b->some) == 0);
}

static void check_loss(const struct reader *r, uint64_t rows, uint64_t lines, uint64_t want)
{
	const struct loss *l = &r->loss;
	const uint64_t count[] = { l->malformed, l->reversed, l->recovered,
		                   l->cut,       l->unended,  l->open_end };
	const uint64_t line[] = { l->malformed_line, l->reversed_line, l->recovered_line,
		                  l->cut_line,       l->unended_line,  l->open_end_line };

	LAW(l->rows == rows);
	/* Where no values are wanted, the rows of one dispatch are one. */
	if (want & EV_BIT(EVC_VALUE))
		LAW(l->recovered <= l->rows + l->reversed + l->malformed);
	for (int i = 0; i < 6; i++) {
		LAW(!count[i] == !line[i]);
		LAW(line[i] <= lines);
	}
	LAW(r->lines <= lines);
}

/* Lines of what the reader sees; when it is not the bytes themselves, no bound is known. */
static uint64_t count_lines(struct source *src, const uint8_t *data, size_t n)
{
	const unsigned char *p;
	uint64_t lines = 1;
	size_t k;

	if (source_peek(src, &p, &k, NULL) != ST_OK || k != (n < SOURCE_PEEK ? n : SOURCE_PEEK) ||
	    memcmp(p, data, k) != 0)
		return UINT64_MAX;
	for (size_t i = 0; i < n; i++)
		lines += data[i] == '\n';
	return lines;
}

static void read_all(const uint8_t *data, size_t n, const struct reader_ops *ops, uint64_t want)
{
	struct diag d = { 0 };
	struct source *src = source_memory("fuzz.csv", data, n, &d);
	const struct batch *b = NULL;
	bool unknown = false;
	struct reader *r;
	uint64_t rows = 0, lines;
	enum status st;

	if (!src || source_is_archive(src)) {
		LAW(src || d.text[0]);
		source_close(src);
		return;
	}
	lines = count_lines(src, data, n);
	r = reader_open(src, ops, want, &unknown, &d);
	if (!r) {
		LAW(d.text[0]);
		LAW(!unknown || !ops);
		source_close(src);
		return;
	}
	LAW(r->table && *r->table);
	while ((st = reader_next(r, &b, &d)) == ST_OK) {
		LAW(b->names == &r->names);
		check_batch(b);
		rows += b->n;
	}
	LAW(st == ST_END || st == ST_FATAL);
	LAW(st == ST_END || d.text[0]);
	check_loss(r, rows, lines, want);
	LAW(reader_next(r, &b, &d) == st);
	LAW(r->loss.rows == rows);
	reader_close(r);
	source_close(src);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const uint64_t wants[] = {
		EV_ALL,
		EV_BIT(EVC_NAME) | EV_BIT(EVC_START) | EV_BIT(EVC_END),
		EV_BIT(EVC_NAME) | EV_BIT(EVC_START) | EV_BIT(EVC_END) | EV_BIT(EVC_AGENT) |
		        EV_BIT(EVC_QUEUE),
		EV_BIT(EVC_START) | EV_BIT(EVC_END),
	};
	struct hash key;
	uint64_t h;

	hash_seed(&key, 1); /* a find must be found again */
	hash_own_seed(1);
	h = hash_bytes(&key, data, n);
	read_all(data, n, &FORMAT, EV_ALL);
	read_all(data, n, h & 1 ? NULL : &FORMAT, wants[h >> 1 & 3]);
	return 0;
}
