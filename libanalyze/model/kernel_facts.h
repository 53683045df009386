/* SPDX-License-Identifier: MIT
 * What the name of a matrix kernel says about how it works: Tensile and TensileLite (rocBLAS,
 * hipBLASLt), gemv of rocBLAS, Composable Kernel and ck_tile, aiter, convolutions of MIOpen, Triton
 * kernels that spell their constants or are a matrix product by their name.  What a name does not
 * say is unknown. */
#ifndef TM_MODEL_KERNEL_FACTS_H
#define TM_MODEL_KERNEL_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number 0 and the text NULL mean unknown. */
struct tm_kernel_facts {
	const char
	        *library; /* "tensile", "ck", "ck_tile", "aiter", "miopen", "triton", "rocblas" */
	const char *type; /* of the factors: "bf16" */
	const char *instruction; /* "mfma", "wmma", "valu"; "matrix" is one of the first two */
	uint64_t m, n, k;        /* tile of a workgroup; k: of one step */
	uint64_t split_k;        /* workgroups that share a tile; 1 = not split */
	bool split;              /* it is split, into split_k where that is said */
	const char *stream_k;    /* "yes" or "no" */
};

/* Parse a full name, as from tm_kernel_name. */
struct tm_kernel_facts tm_kernel_facts(const char *name, size_t len);

/* Does the name say that its grid is made for the GPU, not for the problem: stream-K, or
 * persistent? */
bool tm_kernel_persistent(const char *name, size_t len);

#endif
