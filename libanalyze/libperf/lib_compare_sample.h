/* SPDX-License-Identifier: MIT
 * What was measured and how good it is: the problem, the library, the solution, and the time.  For
 * tm_lib_compare and tm_lib_best. */
#ifndef TM_LIBPERF_LIB_COMPARE_SAMPLE_H
#define TM_LIBPERF_LIB_COMPARE_SAMPLE_H

#include "agg/agg.h"
#include "libperf/lib_bench_rows.h"
#include "libperf/lib_opts.h"
#include "read/library/library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One measurement.  Texts are ids in rows.texts; TM_NAME_NONE where there is none. */
struct tm_lib_sample {
	size_t side;
	uint32_t source; /* the file */
	uint64_t line;
	uint32_t key; /* the same for the same problem, whatever the library */
	uint32_t problem, op, types, library;
	uint32_t config;  /* how it was solved, for people */
	uint32_t choice;  /* which of a library's ways it is: solution index, name, ... */
	uint32_t measure; /* id in rows.names: the column compared */
	enum tm_measure_kind kind;
	bool has_us;
	double us;    /* has_us: of one call, also where the rate and the problem say it */
	double cost;  /* less is better; comparable where has_us agrees, and else `measure` */
	double value; /* as it stands in the column */
	bool has_flops, has_bytes; /* of one call, as the problem says */
	tm_u128 flops, bytes;
	uint32_t device, arch, cus; /* what it was measured on */
	uint32_t rate;              /* the rate in operations that its row has beside */
	bool winner, noisy;
	bool cumulative; /* of a perf.csv, where the last row of a problem is the newest */
	bool has_calls;
	uint64_t calls; /* as a column of the table says */
	uint32_t setting
	        [TM_SETTINGS_MAX]; /* of tm_lib_settings[], as read/library/lib_columns.h has them
	                            * */
};

struct tm_lib_samples {
	const struct tm_lib_opts *o;
	struct tm_lib_rows rows;
	struct tm_lib_sample *v;
	size_t n, cap;
};

/* Make samples of the rows.  Rows without a problem, without a time or rate, or faster than any
 * device are skipped, and counted in *rep.  False when out of memory. */
bool tm_lib_samples_make(struct tm_lib_samples *a, struct tm_report *rep);

/* The key of a configuration of library_trace.csv, an id of rows.texts like sample.key;
 * TM_NAME_NONE in *key if it contains no problem.  False when out of memory. */
bool tm_lib_samples_key(struct tm_lib_samples *a, const char *library, size_t nlibrary,
                        const char *config, size_t n, uint32_t *key);

/* An estimate from the samples of one problem, library and side. */
struct tm_lib_estimate {
	const struct tm_lib_sample
	        *of; /* one of them: the nearest to the median, the first of these */
	const struct tm_lib_sample *v; /* all n of them, by cost */
	size_t n;                      /* measurements */
	size_t choices; /* ways to solve it that were measured; n is of the best of them */
	double cost;    /* median */
	double mad;     /* median of the distances from it; 0 for n = 1 */
	bool noisy;     /* the client says so of one of them */
	bool mixed;     /* they were not all measured the same way, or on the same thing */
};

/* Sort v[0..n) by key, library, side; with `by_file`, by file and choice too. */
void tm_lib_samples_sort(struct tm_lib_samples *a, bool by_file);

/* Estimate v[from..to), all of one problem, library and side (with by_file: one candidate).  Sorts
 * them. */
struct tm_lib_estimate tm_lib_estimate_of(struct tm_lib_samples *a, size_t from, size_t to);

/* Is the difference of the two more than noise?  See libperf(1). */
struct tm_lib_verdict {
	bool apart; /* yes */
	struct tm_significance
	        test; /* TM_SIG_NONE where a side was measured once, or shows no noise */
};

/* False when out of memory. */
bool tm_lib_judge(const struct tm_lib_samples *a, const struct tm_lib_estimate *x,
                  const struct tm_lib_estimate *y, struct tm_lib_verdict *out);

/* Can they be compared: times, or rates of one kind? */
bool tm_lib_same_measure(const struct tm_lib_sample *x, const struct tm_lib_sample *y);

/* Settings that differ between the measurements of compared pairs. */
struct tm_lib_differences {
	size_t n;
	size_t differ[TM_SETTINGS_MAX];
	uint32_t first[TM_SETTINGS_MAX][2]; /* the values of the first pair that differs */
	size_t units;
};

/* Add a pair. */
void tm_lib_differences_add(struct tm_lib_differences *sum, const struct tm_lib_sample *x,
                            const struct tm_lib_sample *y);

/* Report the differences in *rep; without `machines` only settings of the measurement. */
void tm_lib_differences_tell(const struct tm_lib_differences *sum, const struct tm_lib_samples *a,
                             bool machines, struct tm_report *rep);

/* Say in *rep by which columns samples are compared. */
void tm_lib_measures_tell(const struct tm_lib_samples *a, struct tm_report *rep);

/* Is a file in both TM_LIB_BASE and TM_LIB_NEW?  Then an error is in *rep: the difference would be
 * 0. */
bool tm_lib_rows_twice(const struct tm_lib_rows *rows, struct tm_report *rep);

/* Text of an id, "" for TM_NAME_NONE. */
const char *tm_lib_text(const struct tm_lib_samples *a, uint32_t id);

/* Free it; {0} again. */
void tm_lib_samples_fini(struct tm_lib_samples *a);

#endif
