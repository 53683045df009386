/* SPDX-License-Identifier: MIT */
#include "gpu/occupancy.h"

#include <stddef.h>

enum file { SINGLE, SEPARATE, UNIFIED };

static const struct limits {
	uint64_t first, last, units, simds, waves;
	enum file file;
	uint64_t regs64, granule64, regs32, granule32, largest, sgprs, lds, lds_granule, groups;
} table[] = {
#define OCCUPANCY(a, b, u, s, w, f, r64, g64, r32, g32, m, sg, l, lg, n)                           \
	{ a, b, u, s, w, f, r64, g64, r32, g32, m, sg, l, lg, n },
#include "schemas/occupancy.def"
};

enum { MOST_ITEMS = 1024, SGPR_GRANULE = 16, LDS_OF_GROUP = 64 * 1024 };

static const struct limits *limits_of(uint64_t gfx)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (gfx >= table[i].first && gfx <= table[i].last)
			return &table[i];
	return NULL;
}

static uint64_t up(uint64_t n, uint64_t granule)
{
	return (n + granule - 1) / granule * granule;
}

/* One wave's registers as they are allocated. */
static uint64_t allocated(const struct limits *k, const struct tm_gpu_launch *l, uint64_t granule)
{
	if (k->file == UNIFIED)
		return up(up(l->vgprs, 4) + l->accums, granule);
	if (k->file == SEPARATE && l->accums > l->vgprs)
		return up(l->accums, granule);
	return up(l->vgprs, granule);
}

/* Accumulation registers that it may have.  What a wave does not use of a file that both share
 * counts as these. */
static uint64_t most_accums(const struct limits *k, const struct tm_gpu_launch *l)
{
	return k->file == UNIFIED    ? 2 * k->largest - up(l->vgprs, 4)
	       : k->file == SEPARATE ? k->largest
	                             : 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Registers that must go so that the SIMDs hold the waves of one more workgroup. */
static uint64_t to_free(const struct limits *k, const struct tm_gpu_occupancy *o, uint64_t n,
                        uint64_t regs, uint64_t file, uint64_t granule)
{
	uint64_t waves = ((o->blocks + 1) * n + k->simds - 1) / k->simds, fits;

	if (o->limits != TM_GPU_BY_VGPRS || waves > k->waves)
		return 0;
	fits = file / waves / granule * granule;
	return fits && fits < regs ? regs - fits : 0;
}

enum tm_gpu_fit tm_gpu_occupancy(const struct tm_gpu_launch *l, struct tm_gpu_occupancy *o)
{
	const struct limits *k = limits_of(l->gfx);
	uint64_t n, regs, file, granule, by_vgprs, by_sgprs, by_slots, by_lds, by_barriers;

	*o = (struct tm_gpu_occupancy) { 0 };
	if (!k)
		return TM_GPU_NO_LIMITS;
	o->wave = l->wave ? l->wave : k->regs32 ? 32 : 64;
	file = o->wave == 64 ? k->regs64 : o->wave == 32 ? k->regs32 : 0;
	granule = o->wave == 64 ? k->granule64 : k->granule32;
	o->units = k->units;
	o->most = k->waves * k->simds;
	if (!file || !l->items || l->items > MOST_ITEMS || l->vgprs > k->largest ||
	    l->accums > most_accums(k, l) || (k->sgprs && l->sgprs > k->sgprs) ||
	    l->lds > (k->units > 1 ? LDS_OF_GROUP : k->lds))
		return TM_GPU_INCONSISTENT;
	n = (l->items + o->wave - 1) / o->wave;
	regs = allocated(k, l, granule);
	by_slots = o->most / n;
	by_vgprs = regs ? least(k->waves, file / regs) * k->simds / n : by_slots;
	by_sgprs = k->sgprs && l->sgprs
	                   ? least(k->waves, k->sgprs / up(l->sgprs, SGPR_GRANULE)) * k->simds / n
	                   : by_slots;
	by_lds = l->lds ? k->lds / up(l->lds, k->lds_granule) : by_slots;
	by_barriers = n > 1 ? k->groups : by_slots;
	o->blocks = least(least(by_slots, by_vgprs), least(least(by_sgprs, by_lds), by_barriers));
	if (!o->blocks)
		return TM_GPU_INCONSISTENT;
	o->waves = o->blocks * n;
	if (o->blocks < by_slots)
		o->limits = (by_vgprs == o->blocks ? (unsigned)TM_GPU_BY_VGPRS : 0) |
		            (by_sgprs == o->blocks ? (unsigned)TM_GPU_BY_SGPRS : 0) |
		            (by_lds == o->blocks ? (unsigned)TM_GPU_BY_LDS : 0) |
		            (by_barriers == o->blocks ? (unsigned)TM_GPU_BY_BARRIERS : 0);
	else
		o->limits = o->waves == o->most ? TM_GPU_BY_SLOTS : TM_GPU_BY_SIZE;
	o->to_free = to_free(k, o, n, regs, file, granule);
	return TM_GPU_FITS;
}

bool tm_gpu_put_limits(struct tm_buf *b, unsigned limits)
{
	static const char *const words[] = { "vgpr",     "sgpr",           "lds",
		                             "barriers", "workgroup size", "slots" };
	bool any = false;

	for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
		if (!(limits & 1U << i))
			continue;
		tm_buf_fmt(b, "%s%s", any ? " and " : "", words[i]);
		any = true;
	}
	return !b->failed;
}

bool tm_gpu_rounds(const struct tm_gpu_occupancy *o, uint64_t cus, uint64_t groups,
                   struct tm_gpu_rounds *r)
{
	*r = (struct tm_gpu_rounds) { .units = cus / o->units };
	if (!r->units || !groups || __builtin_mul_overflow(r->units, o->blocks, &r->slots))
		return false;
	r->rounds = groups / r->slots + (groups % r->slots != 0);
	return !__builtin_mul_overflow(r->slots, r->rounds, &r->capacity);
}
