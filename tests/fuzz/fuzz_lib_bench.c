/* SPDX-License-Identifier: MIT
 * Measurements of GPU libraries out of anything: the reader's rows hold together, and the questions
 * over them (bench, best, compare with itself line by line) end. */
#include "libperf/lib_opts.h"
#include "read/library/lib_bench.h"

#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAW(cond)                                                                                  \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "%s:%d: broken law: %s\n", __FILE__, __LINE__, #cond);     \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* So that the bytes are really read. */
static volatile unsigned touched;

static uint64_t lines_of(const uint8_t *p, size_t n)
{
	uint64_t lines = n && p[n - 1] != '\n';

	for (size_t i = 0; i < n; i++)
		lines += p[i] == '\n';
	return lines;
}

/* Rows of a process come in the order of their lines, and every byte of them is there. */
static uint64_t rows_of(const uint8_t *data, size_t n)
{
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_memory("fuzz", data, n, &d);
	struct tm_bench *b = s && !tm_source_is_archive(s) ? tm_bench_open(s, NULL) : NULL;
	enum { PROCESSES = 256 };
	uint64_t lines = lines_of(data, n), last[PROCESSES] = { 0 }, rows = 0;
	struct tm_bench_row row;
	enum tm_status st = TM_ST_END;
	unsigned sum = 0;
	bool plain = n < 4 || memcmp(data, "\x1f\x8b", 2) != 0;

	while (b && (st = tm_bench_next(b, &row, &d)) == TM_ST_OK) {
		LAW(row.nown <= row.n && row.client < TM_BENCH_ALL);
		/* A line of rccl-tests has two; a carriage return ends one, too. */
		LAW(row.line >= last[row.who % PROCESSES] || !plain || row.who >= PROCESSES);
		LAW(row.line <= lines || !plain || row.line);
		last[row.who % PROCESSES] = row.line;
		rows++;
		for (size_t i = 0; i < row.n; i++) {
			for (uint32_t k = 0; k < row.v[i].nname; k++)
				sum += (unsigned char)row.v[i].name[k];
			for (uint32_t k = 0; k < row.v[i].n; k++)
				sum += (unsigned char)row.v[i].p[k];
		}
	}
	LAW(!b || tm_bench_loss(b)->rows >= rows);
	touched += sum;
	tm_bench_close(b);
	tm_source_close(s);
	return rows;
}

/* Ask a question of data[0..n), which is all of it or, with cut, its two halves. */
static void ask(const struct tm_question *q, const uint8_t *data, size_t n, size_t cut, bool exact)
{
	const struct tm_lib_opts o = { .exact = exact, .threshold = UINT64_MAX, .fail_over = 0 };
	struct tm_report rep = { 0 };
	struct tm_table t = { 0 };
	void *acc = calloc(1, q->size);
	enum tm_status st = TM_ST_OK;

	if (!acc || !q->init(acc, &o))
		abort();
	for (size_t side = 0; side < (cut ? 2 : 1) && st != TM_ST_FATAL; side++) {
		struct tm_diag d = { 0 };
		struct tm_source *s = tm_source_memory(side ? "b" : "a", side ? data + cut : data,
		                                       side  ? n - cut
		                                       : cut ? cut
		                                             : n,
		                                       &d);

		if (s && !tm_source_is_archive(s))
			st = q->take(acc, s, side, &rep, &d);
		tm_source_close(s);
	}
	LAW(st != TM_ST_FATAL);
	st = q->fill(acc, &t, &rep);
	LAW(st == TM_ST_OK || st == TM_ST_END);
	LAW(!t.failed && !rep.lost);
	tm_table_fini(&t);
	q->fini(acc);
	free(acc);
	tm_report_fini(&rep);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	size_t cut = n / 2;

	if (!rows_of(data, n))
		return 0;
	while (cut < n && data[cut] != '\n')
		cut++;
	ask(&tm_lib_bench, data, n, 0, false);
	ask(&tm_lib_best, data, n, 0, false);
	ask(&tm_lib_compare, data, n, cut, cut & 1);
	return 0;
}
