/* SPDX-License-Identifier: MIT
 * The questions of libperf, one file metric/lib_<name>.c each, and their options. */
#ifndef TM_LIBPERF_LIB_OPTS_H
#define TM_LIBPERF_LIB_OPTS_H

#include "question/question.h"

#include <stdbool.h>
#include <stdint.h>

extern const struct tm_question tm_lib_trace, tm_lib_top, tm_lib_bench, tm_lib_compare, tm_lib_best,
        tm_lib_roofline;

/* The side of an operand, if a question distinguishes sides. */
enum tm_lib_side {
	TM_LIB_BASE, /* all operands of a question that has one kind */
	TM_LIB_NEW,
	TM_LIB_WEIGHTS, /* the file of --trace */
};

/* Each question reads the members of its own options; texts are NULL if not given. */
struct tm_lib_opts {
	const char *from; /* name of the format that every input has, or NULL = by content; one that
	                   * the question reads */

	/* trace: the same in every row */
	const char *job, *date, *model;

	/* top: a row for each library */
	bool by_library;

	/* roofline: product, where the measurements do not say */
	const char *gpu;

	/* compare, best */
	bool exact;         /* configurations are told apart by their text, not by their problem */
	const char *key;    /* comma-separated columns that name a configuration */
	const char *metric; /* the column that is compared */
	uint64_t threshold; /* changes up to so many percent are noise, in ten-thousandths;
	                     * UINT64_MAX = not said */
	uint64_t fail_over; /* percent, in ten-thousandths; UINT64_MAX = not said */
	double alpha;       /* level of significance; 0 = the usual one */
	size_t tests;       /* so many at once, of which few may be wrong; 0 = each by itself */
};

#endif
