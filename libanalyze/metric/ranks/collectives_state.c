/* SPDX-License-Identifier: MIT
 * What files of totals keep of the collectives of a rank: when each kernel of class comm ran and
 * how long it was exposed, and what RCCL was asked for.
 *
 * Kernels of an agent, as numbers behind one another: names; how many; then column by column
 * starts, as distances, durations, names, what was exposed (0 nothing, 1 all of it, else 1 more).
 * Times in units that all of them are multiples of, for counters of GPUs tick every 10 or 40 ns. */
#include "agg/agg.h"
#include "base/base.h"
#include "metric/ranks/ranks.h"

#include <stdlib.h>

/* Words of an item of kernels. */
enum { KEPT_WHAT, KEPT_HAS_AGENT, KEPT_AGENT, KEPT_FIRST, KEPT_UNIT };

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
	bool more = tm_pieces_next(&compute, &at);
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

static void put_columns(const struct tm_intervals *s, const uint64_t *exposed, uint64_t unit,
                        struct tm_state_dict *d, struct tm_buf *out)
{
	struct tm_buf names = { 0 };
	uint64_t before = s->n ? tm_interval_start(s, 0) : 0;

	for (size_t i = 0; i < s->n; i++)
		tm_num_put_varint(&names, tm_state_dict_of(d, tm_interval_name(s, i)));
	tm_state_dict_put(d, out);
	tm_num_put_varint(out, s->n);
	for (size_t i = 0; i < s->n; i++) {
		tm_num_put_varint(out, (tm_interval_start(s, i) - before) / unit);
		before = tm_interval_start(s, i);
	}
	for (size_t i = 0; i < s->n; i++)
		tm_num_put_varint(out, tm_interval_dur(s, i) / unit);
	if (names.n)
		tm_buf_add(out, names.p, names.n);
	for (size_t i = 0; i < s->n; i++)
		tm_num_put_varint(out, exposed_code(exposed[i], tm_interval_dur(s, i), unit));
	out->failed |= names.failed;
	tm_buf_fini(&names);
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
	uint64_t *start, *dur;
	uint32_t *name;
	uint64_t *exposed;
	size_t n;
};

/* n numbers in units, no larger than may be. */
static void get_lengths(struct tm_state_bytes *in, uint64_t unit, size_t n, uint64_t *v)
{
	for (size_t i = 0; i < n && !in->bad; i++)
		v[i] = tm_state_up_to(in, UINT64_MAX / unit) * unit;
}

static void get_columns(struct tm_state_bytes *in, const struct tm_state_item *it,
                        const uint32_t *id, size_t ids, struct columns *c)
{
	const uint64_t unit = it->v[KEPT_UNIT];
	uint64_t at = it->v[KEPT_FIRST];

	get_lengths(in, unit, c->n, c->start);
	get_lengths(in, unit, c->n, c->dur);
	for (size_t i = 0; i < c->n && !in->bad; i++) {
		in->bad |= __builtin_add_overflow(at, c->start[i], &at) ||
		           at > UINT64_MAX - c->dur[i];
		c->start[i] = at;
	}
	for (size_t i = 0; i < c->n && !in->bad; i++) {
		c->name[i] = id[tm_state_up_to(in, ids - 1)];
		in->bad |= c->name[i] == TM_NAME_NONE;
	}
	for (size_t i = 0; i < c->n && !in->bad; i++) {
		uint64_t code = tm_state_up_to(in, c->dur[i] / unit + ALL_EXPOSED);

		c->exposed[i] = code <= ALL_EXPOSED ? code * c->dur[i]
		                                    : (code - ALL_EXPOSED) * unit;
	}
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
		if (!tm_intervals_add(&t->op[TM_WORK_COMM], c->start[i], c->start[i] + c->dur[i], 0,
		                      c->name[i]))
			return false;
	k = &g->r->kept[g->r->nkept++];
	*k = (struct rank_kept) { .rank = rank,
		                  .has_agent = t->has_agent,
		                  .agent = t->agent,
		                  .exposed = c->exposed,
		                  .n = c->n };
	return true;
}

static bool take_track(struct reading *g, uint64_t rank, const struct tm_state_item *it)
{
	struct tm_state_bytes in = tm_state_bytes(it->bytes, it->nbytes);
	size_t ids;
	uint32_t *id = tm_state_dict_get(&in, &g->r->w.names, &ids);
	struct columns c = { .n = tm_state_many(&in) };
	bool ok;

	in.bad |= !it->v[KEPT_UNIT] || !c.n;
	c.start = malloc((c.n + 1) * sizeof *c.start);
	c.dur = malloc((c.n + 1) * sizeof *c.dur);
	c.name = malloc((c.n + 1) * sizeof *c.name);
	c.exposed = malloc((c.n + 1) * sizeof *c.exposed);
	ok = id && c.start && c.dur && c.name && c.exposed;
	if (ok && !in.bad)
		get_columns(&in, it, id, ids, &c);
	if (ok && (in.bad || in.p != in.end))
		tm_state_bad(g->s);
	else if (ok && (ok = put_track(g, rank, it, &c)))
		c.exposed = NULL;
	free(id);
	free(c.start);
	free(c.dur);
	free(c.name);
	free(c.exposed);
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

const uint64_t *tm_collectives_kept(const struct ranks *r, const struct tm_work_track *t)
{
	const struct rank_kept like = { .rank = t->rank,
		                        .has_agent = t->has_agent,
		                        .agent = t->agent };
	const struct rank_kept *k = r->nkept ? bsearch(&like, r->kept, r->nkept, sizeof *r->kept,
	                                               by_agent)
	                                     : NULL;

	return k && k->n == t->op[TM_WORK_COMM].n ? k->exposed : NULL;
}
