/* SPDX-License-Identifier: MIT
 * What files of totals keep of the collectives of a rank: when each kernel of class comm ran and
 * how long it was exposed, and what RCCL was asked for.
 *
 * Kernels of an agent, as numbers one after the other: names; how many; then column by column
 * starts, as distances, durations, names, what was exposed (0 nothing, 1 all of it, else 1 more).
 * Times in units that all of them are multiples of, for counters of GPUs tick every 10 or 40 ns.
 * Columns of many are packed (since version 10 of run.db). */
#include "agg/agg.h"
#include "base/base.h"
#include "metric/ranks/ranks.h"

#include <stdlib.h>

/* Words of an item of kernels. */
enum {
	KEPT_WHAT,
	KEPT_HAS_AGENT,
	KEPT_AGENT,
	KEPT_FIRST,
	KEPT_UNIT,
	KEPT_PACKED,
	KEPT_WINDOW,
	KEPT_BUSY
};

enum { MANY = 1024 }; /* fewer are packed as well with all else */

enum { NOT_EXPOSED, ALL_EXPOSED };

/* ---- what is exposed ---- */

/* How much of [lo, hi) the pieces cover; it goes up from call to call, as do they.  *at is the
 * piece at hand. */
static uint64_t covered(struct tm_pieces *p, struct tm_extent *at, bool *more, uint64_t lo,
                        uint64_t hi)
{
	uint64_t sum = 0;

	while (*more && at->lo < hi) {
		uint64_t from = at->lo > lo ? at->lo : lo, to = at->hi < hi ? at->hi : hi;

		sum += from < to ? to - from : 0;
		if (at->hi > hi)
			break;
		*more = tm_pieces_next(p, at);
	}
	return sum;
}

uint64_t *tm_collectives_exposed(const struct tm_work_track *t)
{
	const struct tm_intervals *s = &t->op[TM_WORK_COMM];
	struct tm_pieces compute = tm_work_pieces(t, 1u << TM_WORK_KERNEL);
	struct tm_extent at = { 0 };
	bool more = s->n && tm_pieces_next(&compute, &at);
	uint64_t pos = t->window.lo, *v = calloc(s->n + 1, sizeof *v);

	for (size_t i = 0; v && i < s->n; i++) {
		uint64_t lo = tm_interval_start(s, i), hi = tm_interval_end(s, i);

		lo = lo > pos ? lo : pos;
		hi = hi < t->window.hi ? hi : t->window.hi;
		if (lo >= hi)
			continue;
		v[i] = hi - lo - covered(&compute, &at, &more, lo, hi);
		pos = hi;
	}
	return v;
}

/* Without what is exposed, and without kernels that only wait. */
static uint64_t busy_of(const struct tm_work_track *t)
{
	const struct tm_work_use use = tm_work_use_of(t, 1);

	return use.compute + use.move + use.exposed_copy;
}

/* ---- writing ---- */

static uint64_t divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* What all distances and lengths are multiples of. */
static uint64_t unit_of(const struct tm_intervals *s, const uint64_t *exposed)
{
	uint64_t unit = 0;

	for (size_t i = 0; i < s->n && unit != 1; i++) {
		unit = divisor(tm_interval_start(s, i) - tm_interval_start(s, 0), unit);
		unit = divisor(tm_interval_dur(s, i), unit);
		unit = divisor(exposed[i], unit);
	}
	return unit ? unit : 1;
}

static uint64_t exposed_code(uint64_t exposed, uint64_t dur, uint64_t unit)
{
	return !exposed ? NOT_EXPOSED : exposed == dur ? ALL_EXPOSED : exposed / unit + ALL_EXPOSED;
}

/* In the order in which they are written. */
enum column { C_START, C_DUR, C_NAME, C_EXPOSED, COLUMNS };

static void put_column(const uint64_t *v, size_t n, struct tm_buf *out)
{
	if (n >= MANY)
		tm_state_put_planes(out, v, n);
	for (size_t i = 0; i < n && n < MANY; i++)
		tm_num_put_varint(out, v[i]);
}

static void put_columns(const struct tm_intervals *s, const uint64_t *exposed, uint64_t unit,
                        struct tm_state_dict *d, struct tm_buf *out)
{
	uint64_t *v = malloc(COLUMNS * (s->n + 1) * sizeof *v);
	uint64_t before = s->n ? tm_interval_start(s, 0) : 0;

	out->failed |= !v;
	for (size_t i = 0; v && i < s->n; i++) {
		const uint64_t dur = tm_interval_dur(s, i);

		v[C_START * s->n + i] = (tm_interval_start(s, i) - before) / unit;
		v[C_DUR * s->n + i] = dur / unit;
		v[C_NAME * s->n + i] = tm_state_dict_of(d, tm_interval_name(s, i));
		v[C_EXPOSED * s->n + i] = exposed_code(exposed[i], dur, unit);
		before = tm_interval_start(s, i);
	}
	tm_state_dict_put(d, out);
	tm_num_put_varint(out, s->n);
	for (int c = 0; v && c < COLUMNS; c++)
		put_column(v + (size_t)c * s->n, s->n, out);
	free(v);
}

static bool keep_track(const struct ranks *r, const struct tm_work_track *t, struct tm_state *s)
{
	const struct tm_intervals *list = &t->op[TM_WORK_COMM];
	struct tm_state_item it = { .text = "", .nv = RANK_WORDS };
	struct tm_state_dict d;
	struct tm_buf out = { 0 };
	uint64_t *exposed = tm_collectives_exposed(t);
	bool ok = tm_state_dict_init(&d, &r->w.names) && exposed;

	if (ok) {
		it.v[KEPT_WHAT] = RANK_KERNELS;
		it.v[KEPT_HAS_AGENT] = t->has_agent;
		it.v[KEPT_AGENT] = t->agent;
		it.v[KEPT_FIRST] = tm_interval_start(list, 0);
		it.v[KEPT_UNIT] = unit_of(list, exposed);
		it.v[KEPT_PACKED] = list->n >= MANY;
		it.v[KEPT_WINDOW] = t->window.hi - t->window.lo;
		it.v[KEPT_BUSY] = busy_of(t);
		put_columns(list, exposed, it.v[KEPT_UNIT], &d, &out);
		it.bytes = out.p;
		it.nbytes = out.n;
		tm_state_put(s, &it);
		ok = !out.failed;
	}
	tm_state_dict_fini(&d);
	tm_buf_fini(&out);
	free(exposed);
	return ok;
}

static bool keep_calls(struct ranks *r, struct tm_state *s)
{
	struct tm_state_item it = { .text = "", .nv = RANK_WORDS };
	struct tm_buf out = { 0 };
	bool ok = tm_comm_calls_save(&r->calls, &out);

	it.v[KEPT_WHAT] = RANK_CALLS;
	it.bytes = out.p;
	it.nbytes = out.n;
	if (ok && (r->calls.n || r->calls.nown))
		tm_state_put(s, &it);
	tm_buf_fini(&out);
	return ok;
}

static bool keep(struct ranks *r, struct tm_state *s)
{
	bool ok = keep_calls(r, s);

	for (size_t i = 0; ok && i < r->w.ntrack; i++)
		if (r->w.track[i].op[TM_WORK_COMM].n)
			ok = keep_track(r, &r->w.track[i], s);
	return ok;
}

/* ---- reading ---- */

struct reading {
	struct ranks *r;
	struct tm_state *s;
	struct tm_work_track *track; /* n of them */
	size_t n, cap;
};

struct columns {
	uint64_t *v[COLUMNS]; /* n each; names are ids when all is read */
	size_t n;
};

/* One of them as it was written.  NULL when out of memory, or with in->bad. */
static uint64_t *get_column(struct tm_state_bytes *in, bool packed, size_t n)
{
	uint64_t *v = packed ? tm_state_get_planes(in, n) : malloc((n + 1) * sizeof *v);

	for (size_t i = 0; v && !packed && i < n; i++)
		v[i] = tm_state_number(in);
	return v;
}

/* What they stand for.  False when that cannot be. */
static bool resolve(const struct tm_state_item *it, const uint32_t *id, size_t ids,
                    struct columns *c)
{
	const uint64_t unit = it->v[KEPT_UNIT], most = UINT64_MAX / unit;
	uint64_t at = it->v[KEPT_FIRST];

	for (size_t i = 0; i < c->n; i++) {
		uint64_t *start = &c->v[C_START][i], *dur = &c->v[C_DUR][i],
		         *name = &c->v[C_NAME][i], *code = &c->v[C_EXPOSED][i];

		if (*start > most || *dur > most || *name >= ids || id[*name] == TM_NAME_NONE ||
		    *code > *dur + ALL_EXPOSED || __builtin_add_overflow(at, *start * unit, &at) ||
		    at > UINT64_MAX - *dur * unit)
			return false;
		*start = at;
		*code = *code <= ALL_EXPOSED ? *code * *dur * unit : (*code - ALL_EXPOSED) * unit;
		*dur *= unit;
		*name = id[*name];
	}
	return true;
}

static bool put_track(struct reading *g, uint64_t rank, const struct tm_state_item *it,
                      const struct columns *c)
{
	struct tm_work_track *t;
	struct rank_kept *k;

	if (!tm_grow_array(&g->track, &g->cap, g->n + 1, sizeof *g->track) ||
	    !tm_grow_array(&g->r->kept, &g->r->kept_cap, g->r->nkept + 1, sizeof *g->r->kept))
		return false;
	t = &g->track[g->n++];
	*t = (struct tm_work_track) { .rank = rank,
		                      .has_agent = it->v[KEPT_HAS_AGENT],
		                      .agent = it->v[KEPT_AGENT] };
	for (size_t i = 0; i < c->n; i++)
		if (!tm_intervals_add(&t->op[TM_WORK_COMM], c->v[C_START][i],
		                      c->v[C_START][i] + c->v[C_DUR][i], 0,
		                      (uint32_t)c->v[C_NAME][i]))
			return false;
	k = &g->r->kept[g->r->nkept++];
	*k = (struct rank_kept) { .rank = rank,
		                  .has_agent = t->has_agent,
		                  .agent = t->agent,
		                  .exposed = c->v[C_EXPOSED],
		                  .n = c->n,
		                  .window = it->v[KEPT_WINDOW],
		                  .busy = it->v[KEPT_BUSY] };
	return true;
}

static bool take_track(struct reading *g, uint64_t rank, const struct tm_state_item *it)
{
	struct tm_state_bytes in = tm_state_bytes(it->bytes, it->nbytes);
	size_t ids;
	uint32_t *id = tm_state_dict_get(&in, &g->r->w.names, &ids);
	const bool packed = it->v[KEPT_PACKED] != 0;
	struct columns c = { .n = packed ? (size_t)tm_state_number(&in) : tm_state_many(&in) };
	bool ok = id != NULL;

	in.bad |= !it->v[KEPT_UNIT] || !c.n;
	for (int k = 0; k < COLUMNS && !in.bad && ok; k++) {
		c.v[k] = get_column(&in, packed, c.n);
		ok = c.v[k] || in.bad;
	}
	if (ok && (in.bad || in.p != in.end || !resolve(it, id, ids, &c)))
		tm_state_bad(g->s);
	else if (ok && (ok = put_track(g, rank, it, &c)))
		c.v[C_EXPOSED] = NULL;
	free(id);
	for (int k = 0; k < COLUMNS; k++)
		free(c.v[k]);
	return ok;
}

static bool take_item(void *arg, uint64_t rank, const struct tm_state_item *it)
{
	struct reading *g = arg;
	struct tm_state_bytes in;

	if (it->v[KEPT_WHAT] == RANK_KERNELS)
		return take_track(g, rank, it);
	if (it->v[KEPT_WHAT] != RANK_CALLS)
		return true;
	in = tm_state_bytes(it->bytes, it->nbytes);
	if (!tm_comm_calls_load(&g->r->calls, rank, &in))
		return false;
	if (in.bad || in.p != in.end)
		tm_state_bad(g->s);
	return true;
}

static int by_agent(const void *pa, const void *pb)
{
	const struct rank_kept *a = pa, *b = pb;
	int d = tm_u64_cmp(a->rank, b->rank);

	return d ? d : tm_known_cmp(a->has_agent, a->agent, b->has_agent, b->agent);
}

bool tm_collectives_state(struct ranks *r, struct tm_state *s)
{
	struct reading g = { .r = r, .s = s };
	bool ok;

	if (!s)
		return true;
	ok = (!s->writing || keep(r, s)) && tm_work_state(&r->w, s) &&
	     tm_ranks_state(r, s, take_item, &g) && tm_work_add_tracks(&r->w, g.track, g.n);
	if (r->nkept)
		qsort(r->kept, r->nkept, sizeof *r->kept, by_agent);
	for (size_t i = 0; i < g.n; i++)
		tm_intervals_fini(&g.track[i].op[TM_WORK_COMM]);
	free(g.track);
	return ok;
}

static const struct rank_kept *kept_of(const struct ranks *r, const struct tm_work_track *t)
{
	const struct rank_kept like = { .rank = t->rank,
		                        .has_agent = t->has_agent,
		                        .agent = t->agent };
	const struct rank_kept *k = r->nkept ? bsearch(&like, r->kept, r->nkept, sizeof *r->kept,
	                                               by_agent)
	                                     : NULL;

	return k && k->n == t->op[TM_WORK_COMM].n ? k : NULL;
}

const uint64_t *tm_collectives_kept(const struct ranks *r, const struct tm_work_track *t)
{
	const struct rank_kept *k = kept_of(r, t);

	return k ? k->exposed : NULL;
}

uint64_t tm_collectives_window(const struct ranks *r, const struct tm_work_track *t)
{
	const struct rank_kept *k = kept_of(r, t);

	return k ? k->window : t->window.hi - t->window.lo;
}

uint64_t tm_collectives_busy(const struct ranks *r, const struct tm_work_track *t)
{
	const struct rank_kept *k = kept_of(r, t);

	return k ? k->busy : busy_of(t);
}
