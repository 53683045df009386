/* SPDX-License-Identifier: MIT
 * Measurements of the GPU libraries, one after the other, out of what their bench clients print:
 * output of rocblas-bench, hipblaslt-bench, MIOpenDriver and rccl-tests amid whatever else a
 * program prints, tuning files of hipBLASLt, results of PyTorch's TunableOp, and any CSV whose
 * header names a time or a rate.
 *
 * Which of them a line is, its content says; names and meanings of columns are
 * schemas/lib_bench.def.  A value is the text that stands there.  What a banner, a command line or
 * a line behind the values says comes as further columns of the row.
 *
 * Lines of several processes may be mixed where each has a tag in front (read/lines.h line_tag):
 * what one says is true of its own rows only, and the rank that a tag names is their column "rank".
 */
#ifndef TM_READ_LIBRARY_LIB_BENCH_H
#define TM_READ_LIBRARY_LIB_BENCH_H

#include "base/base.h"
#include "io/io.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bench_client {
	BENCH_ROCBLAS,
	BENCH_HIPBLASLT,
	BENCH_MIOPEN,
	BENCH_TUNABLEOP,
	BENCH_COMM,  /* rccl-tests and nccl-tests */
	BENCH_TABLE, /* a CSV with a header, whoever wrote it */
	BENCH_ALL,   /* none of them: columns that all may have */
	BENCH_CLIENTS,
};

/* A column of a row.  Neither text ends with NUL. */
struct bench_field {
	const char *name, *p;
	uint32_t nname, n;
};

struct bench_row {
	enum bench_client client;
	uint64_t line; /* of the values, 1-based */
	/* What the values' own line says, in its order, then what stands around it; values may be
	 * empty, a name may occur twice. */
	const struct bench_field *v;
	size_t n, nown; /* of which nown are the line's own */
	size_t who;  /* which of the processes whose lines a launcher marked, from 1; 0: of none */
	bool winner; /* stands in a block "Winner:", where an earlier row is told again */
};

struct bench;

/* Read from s, which must outlive it.  `metric` is a column of tables to go by beside those of
 * lib_bench.def, or NULL; it must outlive it too.  NULL when out of memory. */
struct bench *bench_open(struct source *s, const char *metric);

/* The next row, in the order of lines among those of a process, valid until the next call.  ST_OK;
 * ST_END; ST_WARN with *d when the rest cannot be read (call no more); ST_FATAL with *d when out of
 * memory. */
enum status bench_next(struct bench *b, struct bench_row *row, struct diag *d);

/* Lines that begin like values and do not fit their header, and headers that no values followed. */
const struct loss *bench_loss(const struct bench *b);

/* What tests of collectives say of themselves: how many, and the line of the first. */
struct bench_comm {
	uint64_t wrong, wrong_line;   /* measurements whose results are wrong */
	uint64_t bounds, bounds_line; /* tests that found values out of bounds */
	uint64_t unlike, unlike_line; /* measurements whose rates are not what their time says */
};

/* What there was of that so far; lives as long as b. */
const struct bench_comm *bench_comm_facts(const struct bench *b);

enum { BENCH_LINE_MAX = 1024 * 1024 }; /* bytes of a line that is looked at */

/* Longer lines, which were passed over, and the first of them. */
uint64_t bench_long_lines(const struct bench *b, uint64_t *first);

/* Free it; NULL is fine. */
void bench_close(struct bench *b);

#endif
