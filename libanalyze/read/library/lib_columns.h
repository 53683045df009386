/* SPDX-License-Identifier: MIT
 * What the columns of measurements mean: schemas/lib_bench.def as tables. */
#ifndef TM_READ_LIBRARY_LIB_COLUMNS_H
#define TM_READ_LIBRARY_LIB_COLUMNS_H

#include "read/library/lib_bench.h"

#include <stdbool.h>
#include <stddef.h>

enum tm_measure_kind {
	TM_MEASURE_TIME,  /* microseconds, less is better */
	TM_MEASURE_FLOPS, /* 1e9 operations a second, more is better */
	TM_MEASURE_BYTES, /* 1e9 bytes a second, more is better */
	TM_MEASURE_OTHER, /* whatever: another column may say what */
};

/* A column to compare by.  They are in order, the best first. */
struct tm_measure {
	const char *name; /* "*" in front: a name that ends so */
	enum tm_measure_kind kind;
	double scale; /* times the value = in the unit of its kind */
};

extern const struct tm_measure tm_measures[];
extern const size_t tm_measures_n;

/* The first of tm_measures[] that matches the name of a column, ignoring case; tm_measures_n =
 * none. */
size_t tm_measure_find(const char *name, size_t n);

/* Is less better, by the name of a quantity or its unit ("ttft", "ms")?  *known = the name says
 * which. */
bool tm_measure_less_is_better(const char *name, size_t n, bool *known);

/* Columns in which measurements should agree, ending with name NULL; at most TM_SETTINGS_MAX. */
struct tm_setting {
	const char *name;
	bool machine; /* what it was measured on, not how */
};
enum { TM_SETTINGS_MAX = 24 };
extern const struct tm_setting tm_lib_settings[];

/* Is this a column of a table that is not part of the configuration? */
bool tm_column_is_about(const char *name, size_t n);

/* Does this column of results say what was measured: an operation or a size? */
bool tm_column_is_main(const char *name, size_t n);

/* Place of a column of that client among the columns of all clients; those of TM_BENCH_ALL are
 * last.  An unknown one (*known = false) has the place after its client's columns. */
size_t tm_column_place(enum tm_bench_client client, const char *name, size_t n, bool *known);

/* Upper bound, in 1e9 operations per second, for any device of that architecture ("gfx942", "" =
 * unknown) with inputs of that type ("f16_r", "" = unknown). */
double tm_peak_gflops(const char *arch, size_t narch, const char *type, size_t ntype);

#endif
