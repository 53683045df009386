/* SPDX-License-Identifier: MIT
 * The answer of `counters`: what was counted of each kernel, and the metrics made of it. */
#include "metric/inside/counters.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exact for whole numbers; the rest in the order in which it comes. */
struct sum {
	tm_i128 whole;
	double part, min, max;
	uint64_t n;
};

/* Dispatches of one kernel on one kind of GPU. */
struct group {
	uint32_t name; /* in answer.names */
	struct counters_gpu gpu;
	const struct tm_counted_dispatch **v; /* n of them */
	size_t n, cells, ncells;
	tm_u128 ns;
};

/* A counter of a dispatch of a group. */
struct cell {
	uint32_t counter;
	double value;
};

struct answer {
	const struct counters *a;
	const struct tm_metric_opts *o;
	const struct counters_own *own;
	uint64_t gfx;
	bool explain;
	struct tm_table *t;
	struct tm_report *rep;
	struct tm_known known;
	struct tm_counted d;
	struct tm_names names;    /* of kernels as they are shown */
	struct tm_groups keys;    /* KEY_WORDS */
	struct tm_groups gpus;    /* AGENT_WORDS */
	struct counters_gpu *gpu; /* gpus.n of them */
	size_t gpu_cap;
	struct group *g;
	size_t cap;
	const struct tm_counted_dispatch **list; /* of all groups */
	struct cell *cell;
	struct counters_metrics m;
	struct counters_gpu m_of; /* the kind of GPU that `m` is for */
	bool m_made;
	struct tm_buf text;
	tm_u128 ns;
	uint64_t outside, untimed, unknown_gpu, rdna;
	bool lack_gpu, short_ones, across, untold;
	struct tm_report_few told_gpus;
	double largest; /* of all values, in size */
	/* the answer in a sentence: of the first group */
	double told[4];
	bool has_told[4];
};

enum { TOLD_WAIT, TOLD_VALU, TOLD_MFMA, TOLD_L2, TOLD_N };
static const char *const told_names[TOLD_N] = { "wait_pct", "valu_busy_pct", "mfma_busy_pct",
	                                        "l2_hit_pct" };

enum { KEY_NAME, KEY_GFX, KEY_CUS, KEY_XCCS, KEY_MHZ, KEY_ONE_XCC, KEY_WORDS };
enum { AGENT_RANK, AGENT_ID, AGENT_THERE, AGENT_WORDS };

/* ---- dispatches to groups ---- */

static void add_value(struct sum *s, double v)
{
	s->min = s->n && s->min < v ? s->min : v;
	s->max = s->n && s->max > v ? s->max : v;
	s->n++;
	if (fabs(v) < 0x1p62) {
		s->whole += (tm_i128)(int64_t)v;
		s->part += v - trunc(v);
	} else {
		s->part += v;
	}
}

static double sum_of(const struct sum *s)
{
	return (double)s->whole + s->part;
}

/* ---- GPUs ---- */

/* A dispatch of which GRBM_GUI_ACTIVE was counted. */
struct clocked {
	uint32_t gpu;
	bool brief;
	uint64_t khz;
};

/* The place of its GPU in w->gpus, where find_gpus put it; TM_GROUP_NONE when out of memory. */
static uint32_t find_agent(struct answer *w, const struct tm_counted_dispatch *d)
{
	const uint64_t key[AGENT_WORDS] = { d->rank, d->has_agent ? d->agent : 0, d->has_agent };

	return tm_groups_item(&w->gpus, key, &w->gpu, &w->gpu_cap, sizeof *w->gpu, NULL);
}

static void describe(const struct answer *w, uint32_t gpu, struct tm_grbm_gpu *g)
{
	const uint64_t *key = w->gpus.key + (size_t)gpu * AGENT_WORDS;
	const struct tm_grbm_given given = { w->gfx, w->own->cus, UINT64_MAX, w->own->xccs };

	tm_grbm_gpu(g, &w->a->c.agents, key[AGENT_RANK], key[AGENT_THERE], key[AGENT_ID], &given);
}

static int by_gpu_and_khz(const void *pa, const void *pb)
{
	const struct clocked *a = pa, *b = pb;

	if (a->gpu != b->gpu)
		return a->gpu < b->gpu ? -1 : 1;
	return a->brief != b->brief ? a->brief - b->brief : tm_u64_cmp(a->khz, b->khz);
}

/* Are its counts of GRBM_* sums?  By the clock in the middle, of dispatches that are long where
 * there are any. */
static void settle(struct answer *w, uint32_t gpu, const struct clocked *v, size_t n)
{
	const uint64_t *key = w->gpus.key + (size_t)gpu * AGENT_WORDS;
	struct counters_gpu *to = &w->gpu[gpu];
	struct tm_grbm_gpu g;
	size_t same = 0;
	uint64_t khz, divide;
	bool undecided;

	describe(w, gpu, &g);
	*to = (struct counters_gpu) { .gfx = g.gfx,
		                      .cus = g.cus,
		                      .xccs = g.xccs,
		                      .max_mhz = g.max_mhz,
		                      .ses = w->own->ses == UINT64_MAX ? 0 : w->own->ses };
	while (same < n && v[same].brief == v[0].brief)
		same++;
	khz = same ? v[(same - 1) / 2].khz : 0;
	/* Without that they are what profilers write. */
	if (!khz || !g.max_mhz || !g.xccs || (g.xccs == 1 && v[0].brief))
		return;
	divide = tm_grbm_divide(&g, khz, v[0].brief);
	to->one_xcc = divide == 1 && g.xccs > 1;
	if (!divide) {
		w->untold = true;
		to->xccs = 0;
	}
	g.stated = false;
	undecided = !tm_grbm_divide(&g, khz, v[0].brief);
	g.stated = w->own->xccs != UINT64_MAX;
	if ((to->one_xcc || undecided) && tm_report_few(&w->told_gpus))
		tm_grbm_tell(w->rep, key[AGENT_RANK], key[AGENT_THERE], key[AGENT_ID], &g, khz,
		             v[0].brief);
}

static bool find_gpus(struct answer *w)
{
	static const char name[] = "GRBM_GUI_ACTIVE", sum[] = "GRBM_GUI_ACTIVE_sum";
	const uint32_t id[2] = { tm_names_find(&w->a->c.names, name, sizeof name - 1),
		                 tm_names_find(&w->a->c.names, sum, sizeof sum - 1) };
	struct clocked *v = calloc(w->d.n + 1, sizeof *v);
	size_t n = 0, from = 0, to;
	bool ok;

	for (size_t i = 0; v && i < w->d.n; i++) {
		const struct tm_counted_dispatch *d = &w->d.v[i];
		const struct tm_counted_value *c = NULL;
		uint32_t gpu;

		if (tm_counters_where(w->o, d) != COUNTED_INSIDE)
			continue;
		gpu = find_agent(w, d);
		if (gpu == TM_GROUP_NONE) {
			free(v);
			return false;
		}
		for (unsigned k = 0; !c && k < 2; k++)
			c = id[k] == TM_NAME_NONE ? NULL : tm_counted_find(d, id[k]);
		if (c && c->start < c->end && c->value > 0 && c->value < 0x1p63)
			v[n++] = (struct clocked) { gpu, c->end - c->start < TM_KNOWN_LONG_NS,
				                    tm_grbm_khz((uint64_t)c->value,
				                                c->end - c->start) };
	}
	if (n)
		qsort(v, n, sizeof *v, by_gpu_and_khz);
	for (uint32_t gpu = 0; v && gpu < w->gpus.n; gpu++, from = to) {
		for (to = from; to < n && v[to].gpu == gpu; to++)
			;
		settle(w, gpu, v + from, to - from);
	}
	tm_report_more(w->rep, &w->told_gpus, TM_SEV_WARN, "same for their GRBM_GUI_ACTIVE");
	ok = v != NULL;
	free(v);
	return ok;
}

static uint32_t name_of(struct answer *w, uint32_t kernel)
{
	const struct tm_name *nm = &w->a->c.names.v[kernel];

	tm_buf_clear(&w->text);
	if (!tm_kernel_name(&w->text, nm->text, nm->len, w->o->level))
		return TM_NAME_NONE;
	return tm_names_add(&w->names, w->text.p ? w->text.p : "", w->text.n);
}

static bool counts(struct answer *w, const struct tm_counted_dispatch *d)
{
	enum counters_where where = tm_counters_where(w->o, d);

	w->untimed += where == COUNTED_UNTIMED;
	w->outside += where == COUNTED_OUTSIDE;
	return where == COUNTED_INSIDE;
}

static bool put_dispatch(struct answer *w, size_t i, uint32_t *group)
{
	const struct tm_counted_dispatch *d = &w->d.v[i];
	struct counters_gpu gpu;
	uint64_t key[KEY_WORDS];
	uint32_t name, at;
	struct group *g;

	group[i] = TM_GROUP_NONE;
	if (!counts(w, d))
		return true;
	gpu = w->gpu[find_agent(w, d)];
	key[KEY_GFX] = gpu.gfx;
	key[KEY_CUS] = gpu.cus;
	key[KEY_XCCS] = gpu.xccs;
	key[KEY_MHZ] = gpu.max_mhz;
	key[KEY_ONE_XCC] = gpu.one_xcc;
	name = name_of(w, d->kernel);
	key[KEY_NAME] = name;
	if (name == TM_NAME_NONE)
		return false;
	at = tm_groups_item(&w->keys, key, &w->g, &w->cap, sizeof *w->g, NULL);
	if (at == TM_GROUP_NONE)
		return false;
	g = &w->g[at];
	g->name = name;
	g->gpu = gpu;
	g->n++;
	g->ncells += d->n;
	g->ns += d->end - d->start;
	w->ns += d->end - d->start;
	group[i] = at;
	return true;
}

/* Of one group. */
static int by_value(const void *pa, const void *pb, void *arg)
{
	const struct cell *a = pa, *b = pb;
	const struct answer *w = arg;
	int r = a->counter == b->counter
	                ? 0
	                : tm_name_cmp(&w->a->c.names.v[a->counter], &w->a->c.names.v[b->counter]);

	return r ? r : (a->value > b->value) - (a->value < b->value);
}

/* Lists of the dispatches of each group, and of their counters. */
static bool list_groups(struct answer *w, const uint32_t *group)
{
	size_t n = 0, cells = 0;

	for (uint32_t i = 0; i < w->keys.n; i++) {
		w->g[i].v = w->list + n;
		w->g[i].cells = cells;
		n += w->g[i].n;
		cells += w->g[i].ncells;
		w->g[i].n = 0;
		w->g[i].ncells = 0;
	}
	w->cell = calloc(cells + 1, sizeof *w->cell);
	if (!w->cell)
		return false;
	for (size_t i = 0; i < w->d.n; i++) {
		const struct tm_counted_dispatch *d = &w->d.v[i];
		struct group *g;

		if (group[i] == TM_GROUP_NONE)
			continue;
		g = &w->g[group[i]];
		g->v[g->n++] = d;
		for (size_t k = 0; k < d->n; k++) {
			w->cell[g->cells + g->ncells++] = (struct cell) { d->v[k].counter,
				                                          d->v[k].value };
			w->largest = fmax(w->largest, fabs(d->v[k].value));
		}
	}
	for (uint32_t i = 0; i < w->keys.n; i++)
		qsort_r(w->cell + w->g[i].cells, w->g[i].ncells, sizeof *w->cell, by_value, w);
	return true;
}

static bool group_all(struct answer *w)
{
	uint32_t *group = malloc((w->d.n + 1) * sizeof *group);
	bool ok;

	w->list = calloc(w->d.n + 1, sizeof *w->list);
	ok = group && w->list && find_gpus(w);
	for (size_t i = 0; ok && i < w->d.n; i++)
		ok = put_dispatch(w, i, group);
	ok = ok && list_groups(w, group);
	free(group);
	return ok;
}

/* ---- cells ---- */

/* A number as it is: whole, or with 4 decimals, or as digits where it is past 64 bits. */
static struct tm_cell number(struct answer *w, double v)
{
	char text[40];

	if (!isfinite(v))
		return tm_cell_none();
	if (v == trunc(v) && fabs(v) < 0x1p63)
		return tm_cell_signed(v < 0, (uint64_t)fabs(v));
	if (fabs(v) < 0x1p49)
		return tm_cell_real4(v);
	snprintf(text, sizeof text, "%.17g", v);
	{
		struct tm_cell own = tm_table_own(w->t, text, strlen(text));

		return own.type == TM_CELL_TEXT ? tm_cell_as_read(own.v.s, own.len) : own;
	}
}

static struct tm_cell total(struct answer *w, const struct sum *s)
{
	const tm_i128 most = (tm_i128)UINT64_MAX;

	if (s->part == 0 && s->whole <= most && s->whole >= -most)
		return tm_cell_signed(s->whole < 0,
		                      (uint64_t)(s->whole < 0 ? -s->whole : s->whole));
	return number(w, sum_of(s));
}

static struct tm_cell mean(struct answer *w, const struct sum *s)
{
	const tm_u128 size = (tm_u128)(s->whole < 0 ? -s->whole : s->whole);
	struct tm_cell c;

	if (s->part != 0)
		return number(w, sum_of(s) / (double)s->n);
	if (!(size % s->n) && !(size / s->n >> 64))
		return tm_cell_signed(s->whole < 0, (uint64_t)(size / s->n));
	c = tm_cell_ratio((uint64_t)(size >> 64), (uint64_t)size, s->n);
	c.neg = s->whole < 0 && c.v.u;
	return c;
}

static void note(struct answer *w, const char *a, const char *b)
{
	tm_buf_fmt(&w->text, "%s%s%s", w->text.n ? "; " : "", a, b);
}

static void tell_once(struct answer *w, const char *what, const struct group *g, const char *how,
                      const char *why)
{
	w->t->failed |= !tm_counters_say_once(w->rep, TM_SEV_NOTE, what, g->gpu.gfx, how, why);
}

static struct tm_cell *row_of(struct answer *w, const struct group *g, const char *counter,
                              size_t len, bool derived)
{
	const struct tm_name *nm = &w->names.v[g->name];
	struct tm_cell *c = tm_table_row(w->t);

	if (!c)
		return NULL;
	c[CNT_NAME] = tm_table_own(w->t, nm->text, nm->len);
	c[CNT_COUNTER] = tm_table_own(w->t, counter, len);
	c[CNT_DERIVED] = tm_cell_u64(derived);
	tm_buf_clear(&w->text);
	if (g->gpu.gfx)
		tm_gpu_put_gfx(&w->text, g->gpu.gfx);
	c[CNT_ARCH] = tm_table_take(w->t, &w->text);
	return c;
}

static void put_sums(struct answer *w, struct tm_cell *c, const struct sum *s)
{
	c[CNT_SUM] = total(w, s);
	c[CNT_MEAN] = mean(w, s);
	c[CNT_MIN] = number(w, s->min);
	c[CNT_MAX] = number(w, s->max);
}

/* ---- counters ---- */

/* What the table says of a counter, or NULL. */
static const struct tm_known_row *known_of(const struct answer *w, const struct tm_name *nm)
{
	for (size_t i = 0; i < w->known.n; i++) {
		const struct tm_known_row *r = &w->known.v[i];

		if ((r->kind == TM_KNOWN_COUNTER || r->kind == TM_KNOWN_AVERAGE) &&
		    strlen(r->name) == nm->len && !memcmp(r->name, nm->text, nm->len))
			return r;
	}
	return NULL;
}

/* Counts of the hardware are named in capitals; what the profiler makes of them is not, and only
 * the table knows its unit. */
static const char *unit_of(const struct tm_known_row *known, const struct tm_name *nm)
{
	if (known)
		return known->unit;
	if (nm->len >= 4 && (!memcmp(nm->text + nm->len - 4, "_avr", 4) ||
	                     !memcmp(nm->text + nm->len - 4, "_sum", 4) ||
	                     !memcmp(nm->text + nm->len - 4, "_max", 4) ||
	                     !memcmp(nm->text + nm->len - 4, "_min", 4)))
		return "count";
	for (uint32_t i = 0; i < nm->len; i++)
		if (nm->text[i] >= 'a' && nm->text[i] <= 'z')
			return NULL;
	return memchr(nm->text, '_', nm->len) ? "count" : NULL;
}

/* Where the GPU is not known: on which is that counter wrong? */
static void note_perhaps(struct answer *w, const struct tm_name *nm)
{
	for (size_t i = 0; i < w->known.n; i++) {
		const struct tm_known_row *r = &w->known.v[i];

		if (r->kind == TM_KNOWN_WRONG && strlen(r->name) == nm->len &&
		    !memcmp(r->name, nm->text, nm->len)) {
			note(w, "on ", r->archs);
			tm_buf_fmt(&w->text, " wrong: %s", r->about);
		}
	}
}

static bool put_counter(struct answer *w, const struct group *g, const struct cell *v, size_t n)
{
	const struct tm_name *nm = &w->a->c.names.v[v->counter];
	struct tm_cell *c = row_of(w, g, nm->text, nm->len, false);
	const struct tm_known_row *wrong = tm_known_wrong(&w->known, nm->text, nm->len, g->gpu.gfx,
	                                                  g->gpu.cus);
	const struct tm_known_row *known = known_of(w, nm);
	const char *unit = unit_of(known, nm);
	struct sum s = { 0 };

	if (!c)
		return false;
	for (size_t i = 0; i < n; i++)
		add_value(&s, v[i].value);
	c[CNT_DISPATCHES] = tm_cell_u64(n);
	if (unit)
		c[CNT_UNIT] = tm_table_own(w->t, unit, strlen(unit));
	if (wrong) {
		note(w, "wrong: ", wrong->about);
		tell_once(w, wrong->name, g, "is not shown", wrong->about);
	} else {
		put_sums(w, c, &s);
		if (known && known->kind == TM_KNOWN_AVERAGE)
			c[CNT_SUM] = tm_cell_none();
		if (!g->gpu.gfx)
			note_perhaps(w, nm);
	}
	c[CNT_NOTE] = tm_table_take(w->t, &w->text);
	return !w->t->failed;
}

static bool put_counters(struct answer *w, const struct group *g)
{
	const struct cell *v = w->cell + g->cells;

	for (size_t i = 0, end; i < g->ncells; i = end) {
		for (end = i + 1; end < g->ncells && v[end].counter == v[i].counter; end++)
			;
		if (!put_counter(w, g, v + i, end - i))
			return false;
	}
	return true;
}

/* ---- metrics ---- */

struct made {
	struct sum value, seconds;
	struct sum *leaf;
	double of_sums;
	uint64_t n, short_ones, across;
};

static bool make(const struct group *g, const struct counters_metric *m, struct made *x)
{
	double *leaf = calloc(m->nleaves + 1, sizeof *leaf);
	bool ok;

	*x = (struct made) { .leaf = calloc(m->nleaves + 1, sizeof *x->leaf), .of_sums = NAN };
	for (size_t i = 0; leaf && x->leaf && i < g->n; i++) {
		uint64_t ns;
		bool across;
		double v;

		if (!tm_counters_leaves(m, g->v[i], leaf, &ns, &across) ||
		    (m->row->kind == TM_KNOWN_LONG && ns < TM_KNOWN_LONG_NS))
			continue;
		x->n++;
		x->short_ones += ns && ns < TM_KNOWN_LONG_NS;
		x->across += across;
		for (size_t k = 0; k < m->nleaves; k++)
			add_value(&x->leaf[k], leaf[k]);
		add_value(&x->seconds, (double)ns);
		v = tm_counters_value(m->plan, leaf, (double)ns / 1e9);
		if (isfinite(v))
			add_value(&x->value, v);
	}
	for (size_t k = 0; leaf && x->leaf && k < m->nleaves; k++)
		leaf[k] = sum_of(&x->leaf[k]);
	if (leaf && x->leaf && x->n)
		x->of_sums = tm_counters_value(m->plan, leaf, sum_of(&x->seconds) / 1e9);
	ok = leaf && x->leaf;
	free(leaf);
	return ok;
}

static void remember(struct answer *w, const struct tm_known_row *row, const struct group *g,
                     const struct made *x)
{
	for (size_t i = 0; i < TOLD_N && g == &w->g[0]; i++)
		if (!strcmp(row->name, told_names[i]) && isfinite(x->of_sums)) {
			w->told[i] = x->of_sums;
			w->has_told[i] = true;
		}
}

static bool adds_up(const struct tm_known_row *row)
{
	return row->kind == TM_KNOWN_TOTAL || row->kind == TM_KNOWN_PART;
}

/* Less than there can be; not by the rounding of a difference. */
static bool below(const struct counters_metric *m, double v)
{
	return v < m->least - 1e-9;
}

/* Less or more; not by the rounding of a quotient. */
static bool beyond(const struct counters_metric *m, double v)
{
	return below(m, v) || v > m->most * (1 + 1e-9);
}

static void tell_beyond(struct answer *w, const struct group *g, const struct counters_metric *m,
                        const struct made *x)
{
	const double least = fmin(x->of_sums, x->value.min), most = fmax(x->of_sums, x->value.max);
	const bool low = below(m, least);
	const char *unit = m->row->unit ? m->row->unit : "";
	char what[100], why[160] = "impossible, so one of its counters is wrong";

	if (m->gui && !low)
		snprintf(why, sizeof why,
		         "impossible, so GRBM_GUI_ACTIVE, the XCCs (%" PRIu64
		         "; --xccs) or the compute units (%" PRIu64 ") are wrong",
		         g->gpu.xccs, g->gpu.cus);
	snprintf(what, sizeof what, "%g %s: impossible", low ? least : most, unit);
	note(w, what, beyond(m, x->of_sums) ? "" : " in some dispatches");
	snprintf(what, sizeof what, "is not shown where it is %s %g %s", low ? "below" : "above",
	         low ? m->least : m->most, unit);
	w->t->failed |= !tm_counters_say_once(w->rep, TM_SEV_WARN, m->row->name, g->gpu.gfx, what,
	                                      why);
}

static void put_made(struct answer *w, const struct group *g, const struct counters_metric *m,
                     const struct made *x, struct tm_cell *c)
{
	const struct tm_known_row *row = m->row;

	if (m->wrong) {
		note(w, "wrong: ", m->wrong->about);
		tell_once(w, row->name, g, "is not shown", m->wrong->about);
		return;
	}
	if (row->kind == TM_KNOWN_UNKNOWN) {
		note(w, "unknown: ", row->about);
		tell_once(w, row->name, g, "is unknown", row->about);
		return;
	}
	c[CNT_DISPATCHES] = tm_cell_u64(x->n);
	if (x->value.n &&
	    (beyond(m, x->of_sums) || beyond(m, x->value.min) || beyond(m, x->value.max)))
		tell_beyond(w, g, m, x);
	if (beyond(m, x->of_sums))
		return;
	if (x->value.n) {
		if (!beyond(m, x->value.min))
			c[CNT_MIN] = number(w, x->value.min);
		if (!beyond(m, x->value.max))
			c[CNT_MAX] = number(w, x->value.max);
	} else {
		note(w, "divides by zero", "");
	}
	if (adds_up(row) && x->value.n == x->n && !below(m, x->value.min)) {
		c[CNT_SUM] = total(w, &x->value);
		c[CNT_MEAN] = mean(w, &x->value);
	} else if (!adds_up(row)) {
		c[CNT_MEAN] = number(w, x->of_sums);
		remember(w, row, g, x);
	}
	if (x->across) {
		w->across = true;
		note(w, "of several passes", "");
	}
	if (m->gui && x->short_ones) {
		w->short_ones = true;
		note(w, "dispatches under 100 us", "");
	}
}

/* One row of a metric; none where its counters are not there. */
static bool put_metric(struct answer *w, const struct group *g, const struct counters_metric *m)
{
	const struct tm_known_row *row = m->row;
	struct tm_cell *c;
	struct made x;
	bool ok;

	w->lack_gpu |= m->lack == LACK_GPU;
	if (!m->plan)
		return true;
	ok = make(g, m, &x);
	if (ok && x.n && (row->kind != TM_KNOWN_PART || m->wrong || x.value.max > 0)) {
		c = row_of(w, g, row->name, strlen(row->name), true);
		if (c) {
			if (row->unit)
				c[CNT_UNIT] = tm_table_own(w->t, row->unit, strlen(row->unit));
			put_made(w, g, m, &x, c);
			c[CNT_NOTE] = tm_table_take(w->t, &w->text);
			if (w->explain) {
				c[CNT_FORMULA] = tm_table_own(w->t, row->text, strlen(row->text));
				c[CNT_ABOUT] = tm_table_own(w->t, row->about, strlen(row->about));
			}
		}
		ok = c && !w->t->failed;
	}
	free(x.leaf);
	return ok;
}

static bool put_group(struct answer *w, const struct group *g)
{
	if (!w->m_made || memcmp(&w->m_of, &g->gpu, sizeof g->gpu) != 0) {
		tm_counters_metrics_fini(&w->m);
		w->m_made = tm_counters_metrics(&w->m, &w->known, &w->a->c.names, &g->gpu);
		w->m_of = g->gpu;
		if (!w->m_made)
			return false;
	}
	w->unknown_gpu += g->gpu.gfx ? 0 : g->n;
	w->rdna += g->gpu.gfx >= 110000 ? g->n : 0;
	for (size_t i = 0; i < w->m.n; i++)
		if (!put_metric(w, g, &w->m.v[i]))
			return false;
	return put_counters(w, g);
}

/* ---- all of it ---- */

static int by_time(const void *pa, const void *pb, void *arg)
{
	const struct group *a = pa, *b = pb;
	const struct answer *w = arg;
	int r = (b->ns > a->ns) - (b->ns < a->ns);

	if (!r)
		r = tm_name_cmp(&w->names.v[a->name], &w->names.v[b->name]);
	if (!r)
		r = tm_u64_cmp(a->gpu.gfx, b->gpu.gfx);
	if (!r)
		r = tm_u64_cmp(a->gpu.cus, b->gpu.cus);
	if (!r)
		r = tm_u64_cmp(a->gpu.xccs, b->gpu.xccs);
	if (!r)
		r = tm_u64_cmp(a->gpu.max_mhz, b->gpu.max_mhz);
	return r ? r : tm_u64_cmp(a->gpu.one_xcc, b->gpu.one_xcc);
}

/* The answer in a sentence: what limits the kernel with most time, as far as that is known. */
static void say_first(struct answer *w)
{
	enum { MOST = 60 };
	static const char *const text[TOLD_N] = {
		"waves wait for memory or a result %.1f %% of their time",
		"vector units are busy %.1f %%",
		"matrix units %.1f %%",
		"L2 hit rate %.1f %%",
	};
	const struct tm_name *nm = &w->names.v[w->g[0].name];
	const char *join = ": ";

	tm_buf_clear(&w->text);
	tm_buf_add(&w->text, nm->text, nm->len < MOST ? nm->len : MOST);
	if (nm->len > MOST)
		tm_buf_str(&w->text, "...");
	if (w->ns)
		tm_buf_fmt(&w->text, ", %.1f %% of the time counted",
		           100 * (double)w->g[0].ns / (double)w->ns);
	for (size_t i = 0; i < TOLD_N; i++) {
		if (!w->has_told[i])
			continue;
		tm_buf_str(&w->text, join);
		if (i == TOLD_MFMA && !w->has_told[TOLD_VALU])
			tm_buf_fmt(&w->text, "matrix units are busy %.1f %%", w->told[i]);
		else
			tm_buf_fmt(&w->text, text[i], w->told[i]);
		join = "; ";
	}
	if (join[0] == ':')
		tm_buf_str(&w->text, ": these counters do not show what limits it");
	w->t->headline = tm_table_take(w->t, &w->text);
}

/* Metrics that say most, and whose counters fit into one pass of gfx9. */
static void say_missing(struct answer *w)
{
	static const char ask[] = "SQ_WAVE_CYCLES SQ_WAIT_ANY SQ_ACTIVE_INST_ANY "
	                          "SQ_ACTIVE_INST_VALU SQ_VALU_MFMA_BUSY_CYCLES "
	                          "GRBM_GUI_ACTIVE TCC_HIT_sum TCC_MISS_sum";
	const uint64_t gfx = w->g[0].gpu.gfx;
	bool any = false;

	for (size_t i = 0; i < TOLD_N; i++)
		any |= w->has_told[i];
	if (any)
		return;
	if (gfx >= 100000)
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "what waves wait for was not counted: rocprofv3 --pmc SQ_WAVE_CYCLES "
		              "SQ_WAIT_ANY SQ_WAIT_INST_ANY GL2C_HIT_sum GL2C_MISS_sum -- PROGRAM");
	else
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "what waves wait for and which units work was not counted: rocprofv3 "
		              "--pmc %s -- PROGRAM",
		              ask);
}

static void say_gpu(const struct answer *w)
{
	if (w->unknown_gpu)
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "the GPU of %" PRIu64
		              " of the dispatches is unknown, so only formulas common to gfx90a, "
		              "gfx942 and gfx950, or to RDNA 3 and 4, are used: add the "
		              "agent_info.csv of the run, or use --arch, --cus and --xccs",
		              w->unknown_gpu);
	else if (w->lack_gpu && !w->untold)
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "the GPU's number of compute units, XCCs or shader engines is "
		              "unknown, and some metrics need it: use --cus, --xccs, --ses");
	if (w->short_ones)
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "shares of GRBM_GUI_ACTIVE are too low in dispatches under 100 us, "
		              "because it also counts before and after them; their notes say so");
	tm_counters_say_doubts(w->a, w->rdna, w->rep);
	if (w->largest == 0)
		tm_report_add(w->rep, TM_SEV_WARN, NULL, 0,
		              "every counter is 0: the GPU was not counted (permissions, another "
		              "process, or counters it does not have)");
	tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
	              "dispatches were counted one at a time: durations differ from those of a "
	              "normal run");
}

static void say_nothing(const struct answer *w)
{
	const struct counters *a = w->a;

	for (size_t i = 0; i < w->rep->n; i++)
		if (w->rep->v[i].severity == TM_SEV_ERROR)
			return; /* said already */
	if (w->o->selected && !w->outside)
		tm_report_add(w->rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: no counters of dispatches %s",
		              tm_metric_where(w->o, true));
	else if (w->outside || w->untimed)
		tm_report_add(w->rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: no counters of dispatches %s",
		              w->outside ? "in the window" : "with times in the input");
	else
		tm_report_add(
		        w->rep, TM_SEV_ERROR, NULL, 0,
		        "nothing to show: no counters of dispatches in the input%s: rocprofv3 "
		        "--pmc SQ_WAVES GRBM_GUI_ACTIVE -- PROGRAM collects them",
		        a->c.samples    ? ", only samples over time"
		        : a->stats      ? ", only sums"
		        : a->dispatches ? ", only times"
		                        : "");
}

static bool put_groups(struct answer *w)
{
	bool ok = true;

	qsort_r(w->g, w->keys.n, sizeof *w->g, by_time, w);
	for (uint32_t i = 0; ok && i < w->keys.n; i++)
		ok = put_group(w, &w->g[i]);
	if (!ok)
		return false;
	say_first(w);
	say_missing(w);
	tm_counters_say_passes(&w->a->c, &w->d, w->across, w->rep);
	say_gpu(w);
	return !w->t->failed;
}

/* The tables, as the options say; TM_ST_END where these are wrong. */
static enum tm_status prepare(struct answer *w)
{
	struct tm_diag d = { 0 };

	if (w->own->arch && !tm_gpu_gfx_parse(w->own->arch, &w->gfx)) {
		tm_report_add(w->rep, TM_SEV_ERROR, NULL, 0,
		              "--arch: '%.40s' is not an architecture: gfx942, gfx90a, gfx1100 ...",
		              w->own->arch);
		return TM_ST_END;
	}
	if (!tm_known_builtin(&w->known, &d))
		return TM_ST_FATAL;
	if (w->own->formulas && !tm_known_load(&w->known, w->own->formulas, &d)) {
		if (d.status == TM_ST_NOMEM)
			return TM_ST_FATAL;
		tm_report_diag(w->rep, w->own->formulas, &d);
		return TM_ST_END;
	}
	return TM_ST_OK;
}

enum tm_status tm_counters_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                                struct tm_report *rep)
{
	struct answer w = { .a = acc,
		            .o = o,
		            .own = o->own,
		            .explain = o->view && !strcmp(o->view, "explain"),
		            .t = t,
		            .rep = rep,
		            .keys = { .words = KEY_WORDS },
		            .gpus = { .words = AGENT_WORDS } };
	enum tm_status st;

	tm_table_init_list(t, w.explain ? tm_counters_explained : tm_counters_columns);
	st = prepare(&w);
	if (st == TM_ST_OK && !(tm_counted_join(&w.d, &w.a->c) && group_all(&w)))
		st = TM_ST_FATAL;
	if (st == TM_ST_OK && !w.keys.n) {
		say_nothing(&w);
		st = TM_ST_END;
	} else if (st == TM_ST_OK && !put_groups(&w)) {
		st = TM_ST_FATAL;
	}
	tm_counters_metrics_fini(&w.m); /* before the rows that it is made of */
	tm_known_fini(&w.known);
	tm_counted_fini(&w.d);
	tm_names_fini(&w.names);
	tm_groups_fini(&w.keys);
	tm_groups_fini(&w.gpus);
	free(w.gpu);
	free(w.g);
	free(w.list);
	free(w.cell);
	tm_buf_fini(&w.text);
	return st;
}
