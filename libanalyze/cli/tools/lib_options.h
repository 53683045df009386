/* SPDX-License-Identifier: MIT
 * The options of libperf: libperf reads them from its command line, tracecheck from rules. */
#ifndef TM_CLI_LIB_OPTIONS_H
#define TM_CLI_LIB_OPTIONS_H

#include "cli/frame/frame.h"
#include "libperf/libperf.h"

enum { LIB_OPTIONS = 16 };

/* The values as given; begin with LIB_OWN. */
struct lib_own {
	struct tm_lib_opts o;
	const char *weights; /* the file of --trace */
};

#define LIB_OWN                                                                                    \
	{                                                                                          \
		.o = {.threshold = UINT64_MAX, .fail_over = UINT64_MAX }                           \
	}

/* The options of these names (ending with NULL, or NULL = none), writing into *own; `trace` is what
 * --trace is. */
void tm_lib_options(struct lib_own *own, const char *const *names, const char *trace,
                    struct option out[LIB_OPTIONS]);

#endif
