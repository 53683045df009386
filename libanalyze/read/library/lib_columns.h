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

/* A column to compare by.  They stand in order, the best first. */
struct tm_measure {
	const char *name; /* "*" in front: a name that ends so */
	enum tm_measure_kind kind;
	double scale; /* times the value = in the unit of its kind */
};

extern const struct tm_measure tm_measures[];
extern const size_t tm_measures_n;

/* The first of measures[] that a column of that name is, case-blind; tm_measures_n = none. */
size_t tm_measure_find(const char *name, size_t n);

/* Less is better, by the name of a quantity or its unit ("ttft", "ms"); *known = it says so, or
 * says that more is. */
bool tm_measure_less_is_better(const char *name, size_t n, bool *known);

/* Columns in which measurements should agree, ending with name NULL; at most TM_SETTINGS_MAX. */
struct tm_setting {
	const char *name;
	bool machine; /* what it was measured on, not how */
};
enum { TM_SETTINGS_MAX = 24 };
extern const struct tm_setting tm_lib_settings[];

/* A column of a table that names no configuration. */
bool tm_column_is_about(const char *name, size_t n);

/* Where a column of that client stands among the columns of all clients; those of TM_BENCH_ALL are
 * last.  One that is not known (*known = false) has the place of what follows its client's. */
size_t tm_column_place(enum tm_bench_client client, const char *name, size_t n, bool *known);

/* What no device of that architecture ("gfx942", "" = not known) computes faster with inputs of
 * that type
 * ("f16_r", "" = not known), in 1e9 operations a second. */
double tm_peak_gflops(const char *arch, size_t narch, const char *type, size_t ntype);

#endif
