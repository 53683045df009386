/* SPDX-License-Identifier: MIT
 * Kernels of a trace by name: what the calls of a library came to on the GPU. */
#ifndef TM_LIBPERF_LIB_KERNELS_H
#define TM_LIBPERF_LIB_KERNELS_H

#include "base/base.h"
#include "io/io.h"
#include "stream/stream.h"

/* All dispatches of one name. */
struct lib_kernel {
	uint64_t calls;
	u128 ns;
};

/* {0} is a valid empty one. */
struct lib_kernels {
	struct names names;
	struct lib_kernel *v; /* v[id] */
	size_t cap;
};

/* Add the dispatches of a trace, or the rows of kernel statistics.  As struct question's take. */
enum status lib_kernels_read(struct lib_kernels *k, struct source *s, struct report *rep,
                             struct diag *d);

/* Those of that name, or NULL. */
const struct lib_kernel *lib_kernels_find(const struct lib_kernels *k, const char *name, size_t n);

/* Free it; {0} again. */
void lib_kernels_fini(struct lib_kernels *k);

#endif
