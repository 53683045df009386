/* SPDX-License-Identifier: MIT
 * Reads measurements of the GPU libraries one by one: output of rocblas-bench, hipblaslt-bench,
 * MIOpenDriver and rccl-tests, mixed with anything else that a program prints, tuning files of
 * hipBLASLt, results of PyTorch's TunableOp, and any CSV whose header names a time or a rate.
 *
 * Lines are recognized by content; names and meanings of columns are in schemas/lib_bench.def.  A
 * value is the text as printed.  Banners, command lines and lines after the values become further
 * columns of the row.
 *
 * Lines of several processes may be mixed if each has a tag (read/lines.h tm_line_tag): what a
 * process prints applies only to its own rows, and the rank in the tag is their column "rank". */
#ifndef TM_READ_LIBRARY_LIB_BENCH_H
#define TM_READ_LIBRARY_LIB_BENCH_H

#include "base/base.h"
#include "io/io.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tm_bench_client {
	TM_BENCH_ROCBLAS,
	TM_BENCH_HIPBLASLT,
	TM_BENCH_MIOPEN,
	TM_BENCH_TUNABLEOP,
	TM_BENCH_COMM,  /* rccl-tests and nccl-tests */
	TM_BENCH_TABLE, /* a CSV with a header, whoever wrote it */
	TM_BENCH_ALL,   /* none of them: columns that all may have */
	TM_BENCH_CLIENTS,
};

/* A column of a row.  Neither text ends with NUL. */
struct tm_bench_field {
	const char *name, *p;
	uint32_t nname, n;
};

struct tm_bench_row {
	enum tm_bench_client client;
	uint64_t line; /* of the values, 1-based */
	/* Columns of the values' own line, in order, then those of the lines around it; values may
	 * be empty, a name may occur twice. */
	const struct tm_bench_field *v;
	size_t n, nown; /* of which nown are the line's own */
	size_t who;  /* which of the processes whose lines a launcher marked, from 1; 0: of none */
	bool winner; /* stands in a block "Winner:", where an earlier row is told again */
};

struct tm_bench;

/* Read from s, which must outlive it.  `metric` is a further column of tables to compare by,
 * besides those of lib_bench.def, or NULL; it must outlive it, too.  NULL when out of memory. */
struct tm_bench *tm_bench_open(struct tm_source *s, const char *metric);

/* The next row, valid until the next call; rows of a process are in the order of its lines.
 * TM_ST_OK; TM_ST_END; TM_ST_WARN with *d when the rest cannot be read (call no more); TM_ST_FATAL
 * with *d when out of memory. */
enum tm_status tm_bench_next(struct tm_bench *b, struct tm_bench_row *row, struct tm_diag *d);

/* Losses: lines that begin like values but do not fit their header, and headers without values. */
const struct tm_loss *tm_bench_loss(const struct tm_bench *b);

/* Results of the tests of collectives: how many of each, and the line of the first. */
struct tm_bench_comm {
	struct tm_lost wrong;  /* measurements whose results are wrong */
	struct tm_lost bounds; /* tests that found values out of bounds */
	struct tm_lost unlike; /* measurements whose rates are not what their time says */
};

/* These results so far; lives as long as b. */
const struct tm_bench_comm *tm_bench_comm_facts(const struct tm_bench *b);

enum { TM_BENCH_LINE_MAX = 1024 * 1024 }; /* bytes of a line that is looked at */

/* Number of longer lines, which were skipped, and the first of them. */
uint64_t tm_bench_long_lines(const struct tm_bench *b, uint64_t *first);

/* Free it; NULL is fine. */
void tm_bench_close(struct tm_bench *b);

#endif
