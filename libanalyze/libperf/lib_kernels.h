/* SPDX-License-Identifier: MIT
 * Kernels of a trace by name: what the calls of a library ran on the GPU. */
#ifndef TM_LIBPERF_LIB_KERNELS_H
#define TM_LIBPERF_LIB_KERNELS_H

#include "base/base.h"
#include "io/io.h"
#include "stream/stream.h"

/* All dispatches of one name. */
struct lib_kernel {
	uint64_t calls;
	tm_u128 ns;
};

/* {0} is a valid empty one. */
struct lib_kernels {
	struct tm_names names;
	struct lib_kernel *v; /* v[id] */
	size_t cap;
};

/* Add the dispatches of a trace, or the rows of kernel statistics.  As struct tm_question's take.
 * */
enum tm_status tm_lib_kernels_read(struct lib_kernels *k, struct tm_source *s,
                                   struct tm_report *rep, struct tm_diag *d);

/* Those of that name, or NULL. */
const struct lib_kernel *tm_lib_kernels_find(const struct lib_kernels *k, const char *name,
                                             size_t n);

/* Free it; {0} again. */
void tm_lib_kernels_fini(struct lib_kernels *k);

#endif
