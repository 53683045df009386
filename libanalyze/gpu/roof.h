/* SPDX-License-Identifier: MIT
 * The roof over a kernel: the peak of its type on a GPU, and the bandwidth of the memory. */
#ifndef TM_GPU_ROOF_H
#define TM_GPU_ROOF_H

#include "gpu/product.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number 0 means unknown; type and unit are valid only with mops. */
struct tm_gpu_roof {
	enum tm_gpu_type type;
	enum tm_gpu_unit unit;
	uint64_t mops;    /* theory: millions of operations a second */
	uint64_t reached; /* the published maximum */
	uint64_t mbps;    /* theory: 10^6 bytes a second of the memory */
};

/* The type whose peak applies to operands of that type, by its name in schemas/problem.def
 * ("bf16_r") or of GPUs ("bf16"); TM_GPU_TYPES = none.  NUL-terminated. */
enum tm_gpu_type tm_gpu_type_of(const char *text);

/* The roof for that type; TM_GPU_TYPES: of memory only.  Uses the peak of the matrix unit, unless
 * `valu`; if there is none, that of packed vectors, then of vectors. */
struct tm_gpu_roof tm_gpu_roof(const struct tm_gpu_seen *seen, enum tm_gpu_type type, bool valu);

#endif
