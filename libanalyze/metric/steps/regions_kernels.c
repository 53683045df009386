/* SPDX-License-Identifier: MIT
 * Which kernels ran in which region: each in the innermost one. */
#include "metric/attributed.h"
#include "metric/steps/regions.h"

#include <stdlib.h>
#include <string.h>

enum { COL_REGION, COL_NAME, COL_CLASS, COL_CALLS, COL_TOTAL, COL_PCT, COL_REASON, COL_N };

const struct tm_column tm_region_kernel_columns[] = {
	[COL_REGION] = { .name = "region",
	                 .title = "REGION",
	                 .about = "path of the region; (unattributed) for the rest",
	                 .unit = TM_UNIT_TEXT,
	                 .elastic = true },
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .about = "kernel",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true },
	[COL_CLASS] = { .name = "class",
	                .title = "CLASS",
	                .about = "kernel class",
	                .unit = TM_UNIT_TEXT },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .about = "launches there, inside no inner region",
	                .unit = TM_UNIT_COUNT },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .about = "sum of their durations",
	                .unit = TM_UNIT_NS },
	[COL_PCT] = { .name = "pct",
	              .title = "PCT",
	              .about = "share of total_ns over all rows",
	              .unit = TM_UNIT_PCT,
	              .bar = true },
	[COL_REASON] = { .name = "reason",
	                 .title = "REASON",
	                 .about = "why there is no region",
	                 .unit = TM_UNIT_TEXT,
	                 .spare = 1 },
	[COL_N] = { 0 },
};

/* In place of a path: what is in no region, and why, + enum tm_stack_how. */
#define LOST (UINT64_C(1) << 32)

enum { KEY_PATH, KEY_NAME, KEY_CLASS, KEY_WORDS };

struct sum {
	uint64_t key[KEY_WORDS], calls;
	tm_u128 total;
};

struct region_kernels {
	struct tm_names texts; /* of paths, names and classes */
	struct name {
		uint32_t name, class_name; /* in texts; name + 1, 0 = not looked at */
	} * of;                            /* each name of the accumulator, of kernels */
	size_t nof, of_cap;
	struct tm_groups keys;
	struct sum *sum;
	size_t cap;
	/* of this rank: */
	uint32_t *path; /* of each region, + 1 */
	size_t npath, path_cap;
	struct tm_buf text;
};

struct region_kernels *tm_region_kernels_new(void)
{
	struct region_kernels *k = calloc(1, sizeof *k);

	if (k)
		k->keys.words = KEY_WORDS;
	return k;
}

void tm_region_kernels_free(struct region_kernels *k)
{
	if (!k)
		return;
	tm_names_fini(&k->texts);
	tm_groups_fini(&k->keys);
	tm_buf_fini(&k->text);
	free(k->of);
	free(k->sum);
	free(k->path);
	free(k);
}

/* Room in k->of for all names: those of a stack that others share are known once that is settled.
 * False when out of memory. */
static bool name_room(struct regions *g)
{
	struct region_kernels *k = g->kernels;

	return tm_grow_known(&k->of, &k->nof, &k->of_cap, g->s->names.n, sizeof *k->of);
}

/* What a kernel is called, and its class.  False when out of memory. */
static bool learn(struct regions *g, uint32_t name)
{
	struct region_kernels *k = g->kernels;
	const struct tm_name *nm = &g->s->names.v[name];
	const char *class_name;
	uint32_t own;

	tm_buf_clear(&k->text);
	if (!tm_kernel_name(&k->text, nm->text, nm->len, TM_NAME_FULL))
		return false;
	class_name = tm_classes_of(g->o->classes, k->text.p ? k->text.p : "", NULL);
	if (!class_name)
		return false;
	if (g->o->by_class || g->o->level != TM_NAME_FULL)
		tm_buf_clear(&k->text);
	if (g->o->by_class)
		tm_buf_str(&k->text, class_name);
	else if (g->o->level != TM_NAME_FULL)
		tm_kernel_name(&k->text, nm->text, nm->len, g->o->level);
	own = k->text.failed ? TM_NAME_NONE
	                     : tm_names_add(&k->texts, k->text.p ? k->text.p : "", k->text.n);
	k->of[name].class_name = tm_names_add(&k->texts, class_name, strlen(class_name));
	if (own == TM_NAME_NONE || k->of[name].class_name == TM_NAME_NONE)
		return false;
	k->of[name].name = own + 1;
	return true;
}

/* The text of a region's path, in k->texts; TM_NAME_NONE when out of memory. */
static uint32_t path_of(struct regions *g, uint32_t region)
{
	struct region_kernels *k = g->kernels;
	uint32_t id;

	if (!tm_grow_known(&k->path, &k->npath, &k->path_cap, g->nregion, sizeof *k->path))
		return TM_NAME_NONE;
	if (k->path[region])
		return k->path[region] - 1;
	id = tm_regions_path(g, region) ? tm_names_add(&k->texts, g->path.p, g->path.n)
	                                : TM_NAME_NONE;
	if (id != TM_NAME_NONE)
		k->path[region] = id + 1;
	return id;
}

bool tm_region_kernels_add(struct regions *g, uint32_t region, enum tm_stack_how how, uint32_t name,
                           bool copy, uint64_t ns)
{
	struct region_kernels *k = g->kernels;
	uint64_t key[KEY_WORDS] = { LOST + how, 0, TM_NAME_NONE };
	bool fresh;
	uint32_t i;

	if (region != REGION_NONE)
		key[KEY_PATH] = path_of(g, region);
	if (copy) {
		const struct tm_name *nm = &g->s->names.v[name];

		key[KEY_NAME] = tm_names_add(&k->texts, nm->text, nm->len);
	} else {
		if (!name_room(g) || (!k->of[name].name && !learn(g, name)))
			return false;
		key[KEY_NAME] = k->of[name].name - 1;
		key[KEY_CLASS] = k->of[name].class_name;
	}
	if (key[KEY_PATH] == TM_NAME_NONE || key[KEY_NAME] == TM_NAME_NONE)
		return false;
	i = tm_groups_item(&k->keys, key, &k->sum, &k->cap, sizeof *k->sum, &fresh);
	if (i == TM_GROUP_NONE)
		return false;
	if (fresh)
		memcpy(k->sum[i].key, key, sizeof key);
	k->sum[i].calls++;
	k->sum[i].total += ns;
	return true;
}

void tm_region_kernels_rank(struct region_kernels *k)
{
	k->npath = 0;
}

/* ---- rows ---- */

/* What is in no region comes last, by why. */
static int by_time(const void *pa, const void *pb, void *arg)
{
	const struct sum *a = *(const struct sum *const *)pa, *b = *(const struct sum *const *)pb;
	const struct tm_name *text = ((const struct region_kernels *)arg)->texts.v;
	bool lost_a = a->key[KEY_PATH] >= LOST, lost_b = b->key[KEY_PATH] >= LOST;
	int c = lost_a != lost_b ? (lost_a ? 1 : -1) : 0;

	if (!c && lost_a)
		c = tm_u64_cmp(a->key[KEY_PATH], b->key[KEY_PATH]);
	if (!c && a->total != b->total)
		c = a->total > b->total ? -1 : 1;
	if (!c && !lost_a)
		c = tm_name_cmp(&text[a->key[KEY_PATH]], &text[b->key[KEY_PATH]]);
	if (!c)
		c = tm_name_cmp(&text[a->key[KEY_NAME]], &text[b->key[KEY_NAME]]);
	if (!c && a->key[KEY_CLASS] != TM_NAME_NONE && b->key[KEY_CLASS] != TM_NAME_NONE)
		c = tm_name_cmp(&text[a->key[KEY_CLASS]], &text[b->key[KEY_CLASS]]);
	/* A copy of the same name as a kernel. */
	return c ? c : (a->key[KEY_CLASS] == TM_NAME_NONE) - (b->key[KEY_CLASS] == TM_NAME_NONE);
}

static struct tm_cell text_cell(struct regions *g, uint64_t id)
{
	const struct tm_name *nm = &g->kernels->texts.v[id];

	return tm_table_own(g->t, nm->text, nm->len);
}

static bool put_row(struct regions *g, const struct sum *s, struct tm_report *rep)
{
	struct tm_cell *c = tm_table_row(g->t);

	if (!c)
		return false;
	if (s->key[KEY_PATH] < LOST) {
		c[COL_REGION] = text_cell(g, s->key[KEY_PATH]);
	} else {
		const char *why = tm_regions_how_text((enum tm_stack_how)(s->key[KEY_PATH] - LOST));

		c[COL_REGION] = tm_unattributed_cell();
		c[COL_REASON] = tm_cell_text(why, strlen(why));
	}
	c[COL_NAME] = text_cell(g, s->key[KEY_NAME]);
	if (s->key[KEY_CLASS] != TM_NAME_NONE)
		c[COL_CLASS] = text_cell(g, s->key[KEY_CLASS]);
	c[COL_CALLS] = tm_cell_u64(s->calls);
	c[COL_TOTAL] = tm_work_sum_cell(s->total, "durations", rep);
	c[COL_PCT] = tm_work_pct(s->total, g->all);
	return true;
}

bool tm_region_kernels_rows(struct regions *g, struct tm_report *rep)
{
	struct region_kernels *k = g->kernels;
	const struct sum **v = calloc((size_t)k->keys.n + 1, sizeof(struct sum *));
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < k->keys.n; i++)
		v[i] = &k->sum[i];
	if (ok && k->keys.n)
		qsort_r(v, k->keys.n, sizeof *v, by_time, k);
	for (size_t i = 0; ok && i < k->keys.n; i++) {
		ok = put_row(g, v[i], rep);
		g->t->kept += v[i]->key[KEY_PATH] >= LOST;
	}
	free(v);
	return ok;
}
