/* SPDX-License-Identifier: MIT
 * How many waves of a kernel fit on a GPU at once, in theory: registers, LDS and workgroup against
 * the limits of schemas/occupancy.def; and how its workgroups fill the GPU. */
#ifndef TM_GPU_OCCUPANCY_H
#define TM_GPU_OCCUPANCY_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

/* What a launch asks for. */
struct tm_gpu_launch {
	uint64_t gfx;    /* as the driver gives it: 90402 */
	uint64_t wave;   /* 64 or 32; 0 = what the architecture has by default */
	uint64_t items;  /* work-items of a workgroup */
	uint64_t vgprs;  /* architectural vector registers of a wave */
	uint64_t accums; /* accumulation registers */
	uint64_t sgprs;
	uint64_t lds; /* bytes of a workgroup, dynamic ones included */
};

/* What limits the occupancy: bits. */
enum {
	TM_GPU_BY_VGPRS = 1,
	TM_GPU_BY_SGPRS = 2,
	TM_GPU_BY_LDS = 4,
	TM_GPU_BY_BARRIERS = 8, /* workgroups of several waves */
	TM_GPU_BY_SIZE = 16,    /* waves of a workgroup do not divide those that fit */
	TM_GPU_BY_SLOTS = 32,   /* nothing: every wave slot is taken */
};

struct tm_gpu_occupancy {
	uint64_t wave;        /* size that was counted with */
	uint64_t units;       /* compute units that hold a workgroup together: 1, or 2 of RDNA */
	uint64_t blocks;      /* workgroups on these at once */
	uint64_t waves, most; /* waves on these at once, and how many there could be */
	unsigned limits;      /* all that allow no more workgroups; never 0 */
	uint64_t to_free; /* vector registers fewer for one more workgroup; 0 = they are not what
	                   * limits, or no number of them helps */
};

enum tm_gpu_fit {
	TM_GPU_FITS,
	TM_GPU_NO_LIMITS,    /* the limits of that architecture are not known */
	TM_GPU_INCONSISTENT, /* no GPU of that architecture runs it: the numbers are of another */
};

/* *o is valid only with TM_GPU_FITS. */
enum tm_gpu_fit tm_gpu_occupancy(const struct tm_gpu_launch *l, struct tm_gpu_occupancy *o);

/* Append the names of these bits: "vgpr and lds".  False when out of memory. */
bool tm_gpu_put_limits(struct tm_buf *b, unsigned limits);

/* How `groups` workgroups of equal length fill an empty GPU of `cus` compute units. */
struct tm_gpu_rounds {
	uint64_t slots;    /* workgroups that run at once; 0 = the rest means nothing */
	uint64_t rounds;   /* that many at a time take so many */
	uint64_t capacity; /* slots * rounds: groups / capacity is the efficiency */
	uint64_t units;    /* places for workgroups: compute units, or pairs of them */
};

/* False when the numbers do not fit 64 bits. */
bool tm_gpu_rounds(const struct tm_gpu_occupancy *o, uint64_t cus, uint64_t groups,
                   struct tm_gpu_rounds *r);

#endif
