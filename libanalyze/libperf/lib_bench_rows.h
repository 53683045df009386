/* SPDX-License-Identifier: MIT
 * Measurements in memory, for questions that need all of them at once. */
#ifndef TM_LIBPERF_LIB_BENCH_ROWS_H
#define TM_LIBPERF_LIB_BENCH_ROWS_H

#include "base/base.h"
#include "read/library/library.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value and its column. */
struct tm_lib_value {
	uint32_t name, text; /* ids in lib_rows.names and .texts */
};

struct tm_lib_row {
	enum tm_bench_client client;
	size_t side;
	size_t file;     /* counted from 0, in the order they were taken */
	uint32_t source; /* text: its name */
	size_t who;      /* as bench_row has it */
	uint64_t line;   /* of the values */
	size_t from, n;  /* v[from .. from + n): values, none empty */
	size_t nown;     /* of which so many are the line's own, the first ones */
	bool winner;     /* the client called it the winner of its problem */
};

/* {0} is valid and empty. */
struct tm_lib_rows {
	struct tm_names names; /* of columns */
	struct tm_names texts;
	struct tm_lib_row *row;
	size_t n, cap;
	size_t files; /* taken so far */
	struct tm_lib_value *v;
	size_t nv, v_cap;
};

/* Read a source to its end; `metric` as in tm_bench_open.  A row that is repeated in a block
 * "Winner:" counts once.  What was skipped is reported in *rep.  TM_ST_OK, TM_ST_SKIP with *d if
 * there is no measurement, TM_ST_WARN and TM_ST_FATAL: as in question.take. */
enum tm_status tm_lib_rows_take(struct tm_lib_rows *a, struct tm_source *s, size_t side,
                                const char *metric, struct tm_report *rep, struct tm_diag *d);

/* The text in the column of that name (an id of a->names, or TM_NAME_NONE), TM_NAME_NONE when it is
 * empty. */
uint32_t tm_lib_rows_text(const struct tm_lib_rows *a, const struct tm_lib_row *row, uint32_t name);

/* Free it; {0} again. */
void tm_lib_rows_fini(struct tm_lib_rows *a);

#endif
