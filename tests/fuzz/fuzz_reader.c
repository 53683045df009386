/* SPDX-License-Identifier: MIT
 * Any bytes through a reader: what it hands out must keep the contracts of reader.h and event.h.
 * Linked once for each line of formats.def, whose reader is fuzzed_reader then. */
#include "base/hash.h"
#include "read/reader.h"

#include "replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct tm_reader_ops fuzzed_reader;

/* A law that does not hold. */
#define LAW(cond)                                                                                  \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "%s:%d: broken law: %s\n", __FILE__, __LINE__, #cond);     \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* Everything is looked at, so that a sanitizer sees what was never written. */
static volatile uint64_t sink;

static void check_value(const struct tm_batch *b, enum tm_ev_col c, uint64_t v)
{
	const struct tm_name *nm;

	switch (tm_ev_columns[c].type) {
	case TM_EVT_NAME:
		LAW(v < b->names->n);
		nm = &b->names->v[v];
		LAW(nm->text && nm->text[nm->len] == '\0');
		sink += nm->len ? (unsigned char)nm->text[nm->len - 1] : 0;
		break;
	case TM_EVT_REAL:
		LAW(isfinite(tm_cell_real(v)));
		break;
	case TM_EVT_AGENT:
		LAW(v >> 32 <= TM_AGENT_CPU);
		break;
	case TM_EVT_DOMAIN:
		LAW(v < TM_DOMAIN_N);
		break;
	case TM_EVT_NUMBER:
	case TM_EVT_TIME:
	case TM_EVT_SUM:
	case TM_EVT_STATE:
		break;
	}
	sink += v;
}

static void check_batch(const struct tm_batch *b)
{
	tm_ev_set any = 0;

	LAW(b->n >= 1 && b->n <= TM_BATCH_ROWS);
	LAW((unsigned)b->kind < TM_EV_NKINDS);
	LAW((b->has & ~b->some) == 0);
	LAW((b->some & ~TM_EV_ALL) == 0);
	LAW(b->names);
	for (int c = 0; c < TM_EVC_N; c++)
		LAW(!(b->some & TM_EV_BIT(c)) || b->col[c]);
	for (uint32_t i = 0; i < b->n; i++) {
		for (int c = 0; c < TM_EVC_N; c++) {
			if (!tm_batch_has(b, i, (enum tm_ev_col)c))
				continue;
			any |= TM_EV_BIT(c);
			check_value(b, (enum tm_ev_col)c, b->col[c][i]);
		}
		if (tm_batch_has(b, i, TM_EVC_START) && tm_batch_has(b, i, TM_EVC_END))
			LAW(b->col[TM_EVC_START][i] <= b->col[TM_EVC_END][i]);
	}
	LAW((any & ~b->some) == 0);
}

static void check_loss(const struct tm_reader *r, uint64_t rows, uint64_t lines, tm_ev_set want)
{
	const struct tm_loss *l = &r->loss;
	const struct tm_lost *of = l->of;

	LAW(l->rows == rows);
	/* Where no values are wanted, the rows of one dispatch are one. */
	if (want & TM_EV_BIT(TM_EVC_VALUE))
		LAW(of[TM_LOSS_LINE_RECOVERED].n <=
		    l->rows + of[TM_LOSS_LINE_REVERSED].n + of[TM_LOSS_LINE_MALFORMED].n);
	for (int i = 0; i < TM_LOSS_REASONS; i++)
		if (tm_losses[i].place == TM_LOSS_LINE) {
			LAW(!of[i].n == !of[i].at);
			LAW(of[i].at <= lines);
		}
	LAW(r->lines <= lines);
}

/* Lines of what the reader sees; when it is not the bytes themselves, no bound is known. */
static uint64_t count_lines(struct tm_source *src, const uint8_t *data, size_t n)
{
	const unsigned char *p;
	uint64_t lines = 1;
	size_t k;

	if (tm_source_peek(src, &p, &k, NULL) != TM_ST_OK ||
	    k != (n < TM_SOURCE_PEEK ? n : TM_SOURCE_PEEK) || memcmp(p, data, k) != 0)
		return UINT64_MAX;
	for (size_t i = 0; i < n; i++)
		lines += data[i] == '\n';
	return lines;
}

static void read_all(const uint8_t *data, size_t n, const struct tm_reader_ops *ops, tm_ev_set want)
{
	struct tm_diag d = { 0 };
	struct tm_source *src = tm_source_memory("fuzz.csv", data, n, &d);
	const struct tm_batch *b = NULL;
	bool unknown = false;
	struct tm_reader *r;
	uint64_t rows = 0, lines;
	enum tm_status st;

	if (!src || tm_source_is_archive(src)) {
		LAW(src || d.text[0]);
		tm_source_close(src);
		return;
	}
	lines = count_lines(src, data, n);
	r = tm_reader_open(src, ops, want, &unknown, &d);
	if (!r) {
		LAW(d.text[0]);
		LAW(!unknown || !ops);
		tm_source_close(src);
		return;
	}
	LAW(r->table && *r->table);
	while ((st = tm_reader_next(r, &b, &d)) == TM_ST_OK) {
		LAW(b->names == &r->names);
		check_batch(b);
		rows += b->n;
	}
	LAW(st == TM_ST_END || st == TM_ST_FATAL);
	LAW(st == TM_ST_END || d.text[0]);
	check_loss(r, rows, lines, want);
	LAW(tm_reader_next(r, &b, &d) == st);
	LAW(r->loss.rows == rows);
	tm_reader_close(r);
	tm_source_close(src);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const tm_ev_set wants[] = {
		TM_EV_ALL,
		TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END),
		TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END) |
		        TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_QUEUE),
		TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END),
	};
	struct tm_hash key;
	uint64_t h;

	tm_hash_seed(&key, 1); /* a find must be found again */
	tm_hash_own_seed(1);
	h = tm_hash_bytes(&key, data, n);
	read_all(data, n, &fuzzed_reader, TM_EV_ALL);
	read_all(data, n, h & 1 ? NULL : &fuzzed_reader, wants[h >> 1 & 3]);
	return 0;
}
