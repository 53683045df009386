/* SPDX-License-Identifier: MIT */
#include "gpu/roof.h"

#include <math.h>
#include <string.h>

enum tm_gpu_type tm_gpu_type_of(const char *text)
{
	static const struct {
		const char *begin;
		enum tm_gpu_type type;
	} types[] = {
		{ "f64", TM_GPU_F64 }, { "f32", TM_GPU_F32 },   { "xf32", TM_GPU_XF32 },
		{ "f16", TM_GPU_F16 }, { "bf16", TM_GPU_BF16 }, { "f8", TM_GPU_F8 },
		{ "bf8", TM_GPU_F8 },  { "i8", TM_GPU_I8 },     { "f6", TM_GPU_F6 },
		{ "bf6", TM_GPU_F6 },  { "f4", TM_GPU_F4 },
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!strncmp(text, types[i].begin, strlen(types[i].begin)))
			return types[i].type;
	return TM_GPU_TYPES;
}

struct tm_gpu_roof tm_gpu_roof(const struct tm_gpu_seen *seen, enum tm_gpu_type type, bool valu)
{
	static const enum tm_gpu_unit units[] = { TM_GPU_MATRIX, TM_GPU_PACKED, TM_GPU_VECTOR };
	struct tm_gpu_roof r = { .type = type };
	double gb_per_s;

	if (tm_gpu_memory(seen, &gb_per_s))
		r.mbps = (uint64_t)llround(gb_per_s * 1000);
	for (size_t i = valu; type != TM_GPU_TYPES && i < sizeof units / sizeof *units; i++) {
		r.unit = units[i];
		if (!tm_gpu_peak(seen, type, r.unit, &r.mops))
			continue;
		if (!tm_gpu_reached(seen, type, r.unit, &r.reached))
			r.reached = 0;
		return r;
	}
	r.mops = 0;
	return r;
}
