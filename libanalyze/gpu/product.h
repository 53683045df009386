/* SPDX-License-Identifier: MIT
 * Which product a GPU is, and how fast it can be.  Nothing is guessed: what is in neither the trace
 * nor schemas/products.def and peaks.def is unknown. */
#ifndef TM_GPU_PRODUCT_H
#define TM_GPU_PRODUCT_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a trace says about an agent. */
struct tm_gpu_seen {
	uint64_t gfx;     /* 90402 is gfx942; 0 = not said, as are the others */
	uint64_t cus;     /* compute units of the agent, which may be a part of the product */
	uint64_t device;  /* PCI device */
	uint64_t mhz;     /* largest clock */
	const char *name; /* `len` bytes, or NULL */
	size_t len;
};

/* A row of products.def.  The number 0 means unknown. */
struct tm_gpu_product {
	const char *name;  /* "MI300X" */
	const char *words; /* what a trace's own name of it contains */
	uint64_t gfx;
	uint64_t cus, mhz;
	double memory_gb_per_s;
	uint64_t xccs, l2_mib, cache_mib;
};

/* The product; NULL = not known.  The PCI device decides, then a name that names one, then the only
 * product with that architecture, all those compute units and that clock. */
const struct tm_gpu_product *tm_gpu_product(const struct tm_gpu_seen *seen);

/* Is that the name of a product, as the user gave it with --gpu?  If not, *d says so. */
bool tm_gpu_is_product(const char *name, struct tm_diag *d);

/* The products that are known, in the order of products.def; NULL after the last. */
const struct tm_gpu_product *tm_gpu_product_at(size_t i);

/* Append "MI300X", or what the trace says, or "gfx942"; of a part of a product also "38 of 304
 * compute units".  False when nothing is known; b->failed when out of memory. */
bool tm_gpu_put_name(struct tm_buf *b, const struct tm_gpu_seen *seen);

/* Append "gfx942" for 90402. */
void tm_gpu_put_gfx(struct tm_buf *b, uint64_t gfx);

/* 90402 of "gfx942", as put above.  False for any other text. */
bool tm_gpu_gfx_parse(const char *text, uint64_t *gfx);

/* The architecture of an agent of which only major, minor and the number of multiprocessors as HIP
 * counts them (one compute unit each, from gfx10 on two) are known.  Sets *cus to the number of
 * compute units.  0, with *cus unchanged, when products.def does not list it. */
uint64_t tm_gpu_gfx_of(uint64_t major, uint64_t minor, uint64_t processors, uint64_t *cus);

enum tm_gpu_type {
	TM_GPU_F64,
	TM_GPU_F32,
	TM_GPU_XF32,
	TM_GPU_F16,
	TM_GPU_BF16,
	TM_GPU_F8,
	TM_GPU_F6,
	TM_GPU_F4,
	TM_GPU_I8,
	TM_GPU_I4,
	TM_GPU_TYPES,
};

enum tm_gpu_unit { TM_GPU_VECTOR, TM_GPU_PACKED, TM_GPU_MATRIX, TM_GPU_UNITS };

/* "bf16"; "matrix", "vector", "vector, packed".  Never NULL. */
const char *tm_gpu_type_text(enum tm_gpu_type type);
const char *tm_gpu_unit_text(enum tm_gpu_unit unit);

/* Operations per clock and compute unit of that architecture; 0 = not known, or it has none. */
uint64_t tm_gpu_rate(uint64_t gfx, enum tm_gpu_type type, enum tm_gpu_unit unit);

/* Theoretical peak of the agent: millions of dense operations per second.  Compute units and clock
 * are those in the trace, or else those of the product.  False when unknown. */
bool tm_gpu_peak(const struct tm_gpu_seen *seen, enum tm_gpu_type type, enum tm_gpu_unit unit,
                 uint64_t *mops);

/* The published maximum that programs reach on the product, scaled to the compute units of the
 * agent, in the same unit.  False when there is none. */
bool tm_gpu_reached(const struct tm_gpu_seen *seen, enum tm_gpu_type type, enum tm_gpu_unit unit,
                    uint64_t *mops);

/* Theoretical bandwidth of the agent's memory in GB/s, scaled by its share of the product's compute
 * units.  False when not known. */
bool tm_gpu_memory(const struct tm_gpu_seen *seen, double *gb_per_s);

#endif
