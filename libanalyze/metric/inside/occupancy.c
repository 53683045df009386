/* SPDX-License-Identifier: MIT
 * How many waves of a kernel can a compute unit hold, what limits that, and does its grid fill the
 * GPU?
 *
 * In theory: registers, LDS and workgroup of each launch against the limits of the architecture
 * (gpu/occupancy.h).  Blind to how long waves stay, and to what else runs beside the kernel. */
#include "metric/inside/occupancy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct tm_column tm_occupancy_columns[OCC_COLUMNS + 1] = {
	[OCC_NAME] = { .name = "name",
	               .title = "NAME",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true,
	               .about = "kernel" },
	[OCC_SHAPE] = { .name = "shape",
	                .title = "SHAPE",
	                .unit = TM_UNIT_TEXT,
	                .elastic = true,
	                .about = "workgroup and grid in work-items, registers per wave, LDS per "
	                         "workgroup" },
	[OCC_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = TM_UNIT_COUNT,
	                .about = "launches of that shape" },
	[OCC_ARCH] = { .name = "arch",
	               .title = "ARCH",
	               .unit = TM_UNIT_TEXT,
	               .spare = 4,
	               .about = "architecture of the GPU" },
	[OCC_WAVES] = { .name = "waves",
	                .title = "WAVES",
	                .unit = TM_UNIT_COUNT,
	                .spare = 2,
	                .about = "waves that fit on a compute unit (RDNA: a pair of them)" },
	[OCC_MAX_WAVES] = { .name = "max_waves",
	                    .title = "MAX",
	                    .unit = TM_UNIT_COUNT,
	                    .spare = 2,
	                    .about = "slots it has for waves" },
	[OCC_PCT] = { .name = "occupancy_pct",
	              .title = "OCCUPANCY",
	              .unit = TM_UNIT_PCT,
	              .bar = true,
	              .about = "waves / max_waves" },
	[OCC_LIMITER] = { .name = "limiter",
	                  .title = "LIMITER",
	                  .unit = TM_UNIT_TEXT,
	                  .about = "what limits waves: vgpr, sgpr, lds, barriers, workgroup size; "
	                           "slots = nothing" },
	[OCC_GROUPS] = { .name = "workgroups",
	                 .title = "GROUPS",
	                 .unit = TM_UNIT_COUNT,
	                 .spare = 1,
	                 .about = "workgroups of a launch" },
	[OCC_SLOTS] = { .name = "slots",
	                .title = "SLOTS",
	                .unit = TM_UNIT_COUNT,
	                .spare = 3,
	                .about = "workgroups that fit on the whole GPU at once" },
	[OCC_ROUNDS] = { .name = "rounds",
	                 .title = "ROUNDS",
	                 .unit = TM_UNIT_COUNT,
	                 .spare = 3,
	                 .about = "workgroups / slots, rounded up" },
	[OCC_TAIL] = { .name = "tail_pct",
	               .title = "TAIL",
	               .unit = TM_UNIT_PCT,
	               .spare = 1,
	               .about = "workgroups / (slots x rounds); the last round leaves the rest "
	                        "empty" },
	[OCC_NOTE] = { .name = "note",
	               .title = "NOTE",
	               .unit = TM_UNIT_TEXT,
	               .about = "what the figures depend on, or why there are none" },
	[OCC_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = TM_UNIT_NS,
	                .about = "total duration" },
	[OCC_TO_FREE] = { .name = "vgprs_to_free",
	                  .title = "FREE",
	                  .unit = TM_UNIT_COUNT,
	                  .machine = true,
	                  .about = "VGPRs to free for one more workgroup, if they alone limit" },
	[OCC_COLUMNS] = { .name = NULL },
};

/* ---- events ---- */

static tm_ev_set want(const struct tm_metric_opts *o)
{
	(void)o;
	return TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END) |
	       TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_LDS) |
	       TM_EV_BIT(TM_EVC_VGPR) | TM_EV_BIT(TM_EVC_ACCUM_VGPR) | TM_EV_BIT(TM_EVC_SGPR) |
	       TM_EV_BIT(TM_EVC_WAVE) | TM_EV_BIT(TM_EVC_WG_X) | TM_EV_BIT(TM_EVC_WG_Y) |
	       TM_EV_BIT(TM_EVC_WG_Z) | TM_EV_BIT(TM_EVC_WG) | TM_EV_BIT(TM_EVC_GRID_X) |
	       TM_EV_BIT(TM_EVC_GRID_Y) | TM_EV_BIT(TM_EVC_GRID_Z) | TM_EV_BIT(TM_EVC_GRID) |
	       tm_agents_want();
}

static bool init(void *acc, const void *arg)
{
	*(struct occupancy *)acc = (struct occupancy) {
		.o = arg,
		.keys = { .words = OCC_WORDS },
	};
	return true;
}

static void fini(void *acc)
{
	struct occupancy *a = acc;

	free(a->g);
	tm_groups_fini(&a->keys);
	tm_own_names_fini(&a->own);
	tm_agents_fini(&a->agents);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct occupancy *a = acc;

	tm_own_names_piece(&a->own);
	a->rank = p->id.rank;
	a->part_of_lds = tm_reader_static_lds(p->id.format, p->id.producer) ||
	                 (p->lost && p->lost->of[TM_LOSS_STATIC_LDS].n);
	tm_metric_window(a->o, p->id.rank, &a->window);
	return true;
}

static void set(uint64_t *key, const struct tm_batch *b, uint32_t i, enum occ_word w,
                enum tm_ev_col c)
{
	if (!tm_batch_has(b, i, c))
		return;
	key[w] = b->col[c][i];
	key[OCC_HAS] |= TM_MASK_BIT(w);
}

static void set_sizes(uint64_t *key, const struct tm_batch *b, uint32_t i)
{
	bool product = !tm_batch_has(b, i, TM_EVC_WG_X);

	set(key, b, i, OCC_WG_X, product ? TM_EVC_WG : TM_EVC_WG_X);
	set(key, b, i, OCC_WG_Y, TM_EVC_WG_Y);
	set(key, b, i, OCC_WG_Z, TM_EVC_WG_Z);
	product = !tm_batch_has(b, i, TM_EVC_GRID_X);
	set(key, b, i, OCC_GRID_X, product ? TM_EVC_GRID : TM_EVC_GRID_X);
	set(key, b, i, OCC_GRID_Y, TM_EVC_GRID_Y);
	set(key, b, i, OCC_GRID_Z, TM_EVC_GRID_Z);
}

static bool take_row(struct occupancy *a, const struct tm_batch *b, uint32_t i)
{
	uint64_t key[OCC_WORDS] = { 0 }, start = b->col[TM_EVC_START][i];
	struct occ_group *g;
	uint32_t at;

	if (start < a->window.lo || start >= a->window.hi) {
		a->outside++;
		return true;
	}
	key[OCC_KERNEL] = tm_own_names_of(&a->own, b->names, (uint32_t)b->col[TM_EVC_NAME][i],
	                                  a->o->level);
	if (key[OCC_KERNEL] == TM_NAME_NONE)
		return false;
	if (b->kind == TM_EV_COUNTER) {
		const struct tm_name *nm = &b->names->v[b->col[TM_EVC_COUNTER][i]];
		uint32_t id = tm_names_add(&a->own.names, nm->text, nm->len);

		if (id == TM_NAME_NONE)
			return false;
		key[OCC_COUNTER] = id;
		key[OCC_HAS] |= TM_MASK_BIT(OCC_COUNTER);
	}
	key[OCC_RANK] = a->rank;
	set(key, b, i, OCC_AGENT, TM_EVC_AGENT);
	set_sizes(key, b, i);
	set(key, b, i, OCC_VGPRS, TM_EVC_VGPR);
	set(key, b, i, OCC_ACCUMS, TM_EVC_ACCUM_VGPR);
	set(key, b, i, OCC_SGPRS, TM_EVC_SGPR);
	set(key, b, i, OCC_LDS, TM_EVC_LDS);
	set(key, b, i, OCC_WAVE, TM_EVC_WAVE);
	if (a->part_of_lds)
		key[OCC_HAS] |= TM_MASK_BIT(OCC_PART_OF_LDS);
	at = tm_groups_item(&a->keys, key, &a->g, &a->cap, sizeof *a->g, NULL);
	if (at == TM_GROUP_NONE)
		return false;
	g = &a->g[at];
	g->calls++;
	g->total += b->col[TM_EVC_END][i] - start;
	return true;
}

static bool take(void *acc, const struct tm_batch *b)
{
	static const tm_ev_set timed = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) |
	                               TM_EV_BIT(TM_EVC_END);
	struct occupancy *a = acc;
	tm_ev_set need = timed | (b->kind == TM_EV_COUNTER ? TM_EV_BIT(TM_EVC_COUNTER) : 0);

	if (b->kind == TM_EV_AGENT)
		return tm_agents_take(&a->agents, a->rank, b);
	if (b->kind == TM_EV_STAT || b->kind == TM_EV_ROLLUP)
		a->stats += b->n;
	if (b->kind != TM_EV_DISPATCH && b->kind != TM_EV_COUNTER)
		return true;
	for (uint32_t i = 0; i < b->n; i++) {
		if (!tm_batch_has_all(b, i, need)) {
			/* A sample of a counter over time has no name. */
			a->untimed += b->kind == TM_EV_DISPATCH;
			continue;
		}
		if (!take_row(a, b, i))
			return false;
	}
	return true;
}

static bool merge(void *into, void *acc)
{
	struct occupancy *a = into, *from = acc;
	uint32_t *map = tm_names_add_all(&a->own.names, &from->own.names);
	bool ok = map && tm_agents_merge(&a->agents, &from->agents);

	for (uint32_t i = 0; ok && i < from->keys.n; i++) {
		uint64_t key[OCC_WORDS];
		uint32_t at;

		memcpy(key, from->keys.key + (size_t)i * OCC_WORDS, sizeof key);
		key[OCC_KERNEL] = map[key[OCC_KERNEL]];
		if (key[OCC_HAS] & TM_MASK_BIT(OCC_COUNTER))
			key[OCC_COUNTER] = map[key[OCC_COUNTER]];
		at = tm_groups_item(&a->keys, key, &a->g, &a->cap, sizeof *a->g, NULL);
		ok = at != TM_GROUP_NONE;
		if (ok) {
			a->g[at].calls += from->g[i].calls;
			a->g[at].total += from->g[i].total;
		}
	}
	a->outside += from->outside;
	a->untimed += from->untimed;
	a->stats += from->stats;
	free(map);
	return ok;
}

static const struct tm_metric_option options[] = {
	{ .name = "arch",
	  TM_METRIC_TO_TEXT(struct occupancy_own, arch),
	  .arg = "GFX",
	  .about = "architecture if the input names none, e.g. gfx942" },
	{ .name = "cus",
	  TM_METRIC_TO_U64(struct occupancy_own, cus),
	  .arg = "N",
	  .min = 1,
	  .max = UINT16_MAX,
	  .about = "compute units, if not in the input" },
	{ 0 },
};

static const struct tm_metric_view views[] = { { .columns = tm_occupancy_columns }, { 0 } };

const struct tm_metric tm_metric_occupancy = {
	.name = "occupancy",
	.about = "waves of each kernel that fit on the GPU, and what limits them",
	.group = "Inside a kernel",
	.examples = "kstats occupancy results.db\n"
	            "kstats occupancy --arch gfx942 --cus 304 kernel_trace.csv\n",
	.views = views,
	.options = options,
	.own = sizeof(struct occupancy_own),
	.takes = TM_TAKES_NAME,
	.sink = { .size = sizeof(struct occupancy),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini },
	.want = want,
	.fill = tm_occupancy_fill,
};
