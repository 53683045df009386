/* SPDX-License-Identifier: MIT
 * The fast path of the trace tables: many rows at a time, if they are exactly as a profiler writes
 * them.  It stops at any other row, which tm_csv_row_split then splits.
 *
 * A row is head, free text, tail (csv_row.h).  The head is split with masks of 64 bytes.  The free
 * text is guessed (from the Kernel_Id before it, and verified by comparison) or ends at its closing
 * quote; if it contains quotes or newlines, the bytes before that must have been seen before.  The
 * tail is split with masks again and must have the right number of fields. */
#ifndef TM_READ_CSV_SCAN_H
#define TM_READ_CSV_SCAN_H

#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How a cell becomes a number. */
enum csv_cell {
	CELL_NUMBER, /* unsigned integer; 0x allowed */
	CELL_REAL,   /* decimal real */
	CELL_AGENT,  /* 4, "Agent 4", "GPU 0", "CPU 1" */
	CELL_DOMAIN, /* a producer's word for a domain */
	CELL_NAME,   /* any text, interned */
};

enum {
	SCAN_PAD = 64, /* readable bytes before and after the data, any content */
	SCAN_GUESSES = 4096,
	SCAN_SLOT = 12,     /* bits of a place among these */
	SCAN_WORD = 32,     /* bytes of a word that is remembered, at most */
	SCAN_RAW = 4096,    /* bytes of a text that are kept as they stand in the input, at most */
	SCAN_HEAD_SLOT = 6, /* bits of a place among the heads that are remembered */
	SCAN_HEAD = 64,     /* bytes of one, at most, */
	SCAN_HEAD_LEAST = 16,
	SCAN_HEAD_CELLS = 8, /* and wanted cells in it */
	SCAN_HEAD_MISSES = 256,
};

/* A wanted field of the head or the tail. */
struct scan_field {
	uint32_t at; /* index within the head or the tail */
	uint8_t cell;
	uint8_t col; /* enum tm_ev_col */
};

struct scan_guess {
	const char *text;
	uint32_t len, id;
};

/* An agent or a domain, and what it is. */
struct scan_word {
	unsigned char text[SCAN_WORD];
	size_t len;
	uint64_t v;
};

/* A text that stands in the input otherwise than it is, its quotes doubled, or over several lines:
 * what tm_csv_row_split has found to be one text. */
struct scan_raw {
	unsigned char *text; /* between the outer quotes */
	uint32_t len, id;
	uint32_t lines;  /* newlines in it */
	uint64_t quoted; /* a bit for each column before it: it is no text where others are */
};

/* How a row begins, up to the last wanted cell that is no number of its own (csv_scan.nrepeat), and
 * what the wanted ones are: agent, queue, stream and thread are those of a row before, most
 * often. */
struct scan_head {
	unsigned char text[SCAN_HEAD];
	size_t len; /* 0 = there is none */
	uint64_t v[SCAN_HEAD_CELLS];
};

struct scan_raws {
	struct scan_raw slot[SCAN_GUESSES];
	uint32_t lines[TM_BATCH_ROWS]; /* newlines in the text of each row out */
};

struct csv_field;

struct csv_scan {
	uint32_t head, tail; /* fields before and after the free text; no text: all are tail */
	bool text;           /* there is a free text */
	bool want_text;
	bool by_kernel_id;         /* the field before the free text is the kernel id */
	uint32_t head_quotes;      /* quotes in the head of an ordinary row, ... */
	uint32_t tail_quotes;      /* ... and in its tail */
	bool tail_number;          /* the first field after the free text is a bare number */
	struct scan_field *fields; /* head fields, then tail fields, each in order */
	uint32_t *at;              /* scratch: room for the commas of the head, and of the tail */
	uint32_t nhead, ntail;
	uint32_t nrepeat; /* the first head fields, before one that numbers the rows */
	struct tm_names *names;
	uint64_t *out[TM_EVC_N];
	bool oom;
	struct scan_guess guess[SCAN_GUESSES];
	/* the last text of each CELL_NAME column, and of the other columns of text: most rows
	 * repeat it */
	struct scan_guess last[TM_EVC_N];
	struct scan_word word[TM_EVC_N];
	struct scan_head heads[1 << SCAN_HEAD_SLOT];
	uint32_t misses;        /* rows since one began as one that was remembered; at most
	                  * SCAN_HEAD_MISSES, and then no longer tried: a column before the last of
	                  * them numbers the rows */
	struct scan_raws *raws; /* NULL until there is one */
};

/* Read rows from p, one line each, until `max` rows are out, a row begins at or after `lim`, or a
 * row is not plain. *row counts the rows out.  Returns where the next row begins.  end[0..SCAN_PAD)
 * is readable. */
typedef const unsigned char *scan_rows_fn(struct csv_scan *s, const unsigned char *p,
                                          const unsigned char *lim, const unsigned char *end,
                                          uint32_t *row, uint32_t max);

scan_rows_fn tm_scan_rows_scalar, tm_scan_rows_sse2, tm_scan_rows_avx2,
        scan_rows_neon; /* where compiled */

/* The best one for this machine. */
scan_rows_fn *tm_scan_rows_best(void);

/* A cell that is text: its number.  False when out of memory (s->oom) or not of that kind. */
bool tm_scan_cell_text(struct csv_scan *s, const struct scan_field *f, const unsigned char *p,
                       size_t n, uint64_t *v);

/* A row of a table that doubles quotes was split as CSV_ROW; its text is `id`.  Know it again, if
 * it is one that the scanner could not read.  Only a matter of speed: out of memory it does not. */
void tm_scan_remember(struct csv_scan *s, const struct csv_field *fields, uint32_t id);

/* Free what was remembered. */
void tm_scan_forget(struct csv_scan *s);

/* The place of a kernel id, the digits p[0..n), n = 1 .. 8; p[n - 8] can be read. */
static inline uint32_t tm_scan_slot(const unsigned char *p, size_t n)
{
	uint64_t key;

	memcpy(&key, p + n - 8, sizeof key);
	key >>= 64 - 8 * n;
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SCAN_SLOT));
}

/* "4", "Agent 4", "Agent-4", "GPU 0", "CPU 1" (quotes removed). */
bool tm_scan_agent(const unsigned char *p, size_t n, uint64_t *agent);

#endif
