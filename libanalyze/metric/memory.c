/* SPDX-License-Identifier: MIT
 * How much memory did each agent hold, when most, and what was never given back?
 *
 * From records of allocations and frees, in order of their starts.  A free ends the block that its
 * address began; what the record itself says of agent and size does not count (rocprofv3's CSV has
 * none).  With -w the level at the window's edge comes from what happened before.
 *
 * Blind to memory held before the trace began.  Scratch memory is not counted.
 *
 * torch's allocator states its totals itself after each of its events (Total Allocated, Total
 * Reserved of Kineto), with what it held before: their highest values stand beside. */
#include "metric/memory_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_RANK,
	COL_AGENT,
	COL_ALLOCS,
	COL_FREES,
	COL_ALLOCATED,
	COL_PEAK,
	COL_PEAK_AT,
	COL_LIVE,
	COL_UNMATCHED,
	COL_STATED,
	COL_STATED_AT,
	COL_RESERVED,
	COL_N,
};

static const struct tm_column columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .unit = TM_UNIT_ID,
	               .about = "rank of the process" },
	[COL_AGENT] = { .name = "agent",
	                .title = "AGENT",
	                .unit = TM_UNIT_TEXT,
	                .about = "agent; absent for frees of unknown blocks" },
	[COL_ALLOCS] = { .name = "allocs",
	                 .title = "ALLOCS",
	                 .unit = TM_UNIT_COUNT,
	                 .about = "allocations" },
	[COL_FREES] = { .name = "frees",
	                .title = "FREES",
	                .unit = TM_UNIT_COUNT,
	                .about = "frees" },
	[COL_ALLOCATED] = { .name = "allocated_bytes",
	                    .title = "ALLOCATED",
	                    .unit = TM_UNIT_BYTES,
	                    .spare = 1,
	                    .about = "sum of the allocations" },
	[COL_PEAK] = { .name = "peak_bytes",
	               .title = "PEAK",
	               .unit = TM_UNIT_BYTES,
	               .about = "most memory allocated at a time" },
	[COL_PEAK_AT] = { .name = "peak_at_ns",
	                  .title = "PEAK AT",
	                  .unit = TM_UNIT_TIME,
	                  .spare = 2,
	                  .about = "when the peak was first reached" },
	[COL_LIVE] = { .name = "live_at_end_bytes",
	               .title = "NOT FREED",
	               .unit = TM_UNIT_BYTES,
	               .about = "allocated at the end" },
	[COL_UNMATCHED] = { .name = "unmatched_frees",
	                    .title = "UNMATCHED",
	                    .unit = TM_UNIT_COUNT,
	                    .about = "frees of blocks without a recorded allocation" },
	[COL_STATED] = { .name = "stated_peak_bytes",
	                 .title = "STATED PEAK",
	                 .unit = TM_UNIT_BYTES,
	                 .spare = 3,
	                 .about = "peak that torch's allocator reports as allocated" },
	[COL_STATED_AT] = { .name = "stated_peak_at_ns",
	                    .title = "STATED AT",
	                    .unit = TM_UNIT_TIME,
	                    .spare = 5,
	                    .about = "when it was first reported" },
	[COL_RESERVED] = { .name = "reserved_peak_bytes",
	                   .title = "RESERVED",
	                   .unit = TM_UNIT_BYTES,
	                   .spare = 4,
	                   .about = "peak that it reports as reserved from the device" },
	[COL_N] = { 0 },
};

enum { LIST_RANK, LIST_AGENT, LIST_BYTES, LIST_ADDRESS, LIST_START, LIST_END, LIST_N };

static const struct tm_column list_columns[] = {
	[LIST_RANK] = { .name = "rank",
	                .title = "RANK",
	                .unit = TM_UNIT_ID,
	                .about = "rank of the process" },
	[LIST_AGENT] = { .name = "agent",
	                 .title = "AGENT",
	                 .unit = TM_UNIT_TEXT,
	                 .about = "agent that holds it" },
	[LIST_BYTES] = { .name = "bytes",
	                 .title = "BYTES",
	                 .unit = TM_UNIT_BYTES,
	                 .bar = true,
	                 .about = "size of the block" },
	[LIST_ADDRESS] = { .name = "address",
	                   .title = "ADDRESS",
	                   .unit = TM_UNIT_TEXT,
	                   .about = "its address" },
	[LIST_START] = { .name = "start_ns",
	                 .title = "ALLOCATED AT",
	                 .unit = TM_UNIT_TIME,
	                 .about = "when it was allocated" },
	[LIST_END] = { .name = "end_ns",
	               .title = "FREED AT",
	               .unit = TM_UNIT_TIME,
	               .about = "when it was freed; absent: never" },
	[LIST_N] = { 0 },
};

/* ---- taking in ---- */

static const char *const total_names[TOTALS] = { "Total Allocated", "Total Reserved" };

static bool by_ops(const struct tm_metric_opts *o)
{
	return o->view && !strcmp(o->view, "ops");
}

static void window_of(const void *arg, uint64_t rank, struct tm_extent *w)
{
	tm_metric_window(arg, rank, w);
}

static bool init(void *acc, const void *arg)
{
	struct memory *m = acc;

	*m = (struct memory) { .o = arg,
		               .ops = by_ops(arg),
		               .states = { .words = STATED_WORDS },
		               .who = { .words = WHO_WORDS },
		               .began = { .ranks = { .words = 1 } } };
	m->so = (struct tm_stack_opts) { .window = window_of, .arg = arg };
	return !m->ops || tm_stack_init(&m->s, &m->so);
}

static void fini(void *acc)
{
	struct memory *m = acc;

	if (m->ops)
		tm_stack_fini(&m->s);
	free(m->v);
	free(m->stated);
	tm_groups_fini(&m->states);
	tm_groups_fini(&m->who);
	tm_whose_fini(&m->whose);
	tm_began_fini(&m->began);
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	const struct tm_stack_opts so = { .arg = o };

	return (by_ops(o) ? tm_stack_want(&so) : 0) | TM_EV_BIT(TM_EVC_NAME) |
	       TM_EV_BIT(TM_EVC_DOMAIN) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_AGENT) |
	       TM_EV_BIT(TM_EVC_PID) | TM_EV_BIT(TM_EVC_BYTES) | TM_EV_BIT(TM_EVC_ADDRESS) |
	       TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct memory *m = acc;

	m->rank = p->id.rank;
	tm_whose_piece(&m->whose, p);
	tm_metric_window(m->o, p->id.rank, &m->window);
	return !m->ops || tm_stack_piece(&m->s, p);
}

/* "MEMORY_ALLOCATION_FREE" and "MEMORY_ALLOCATION_VMEM_ALLOCATE", "free" and "allocate" */
static bool is_known(const char *name, bool *alloc)
{
	static const char prefix[] = "MEMORY_ALLOCATION_";

	if (!strncasecmp(name, prefix, sizeof prefix - 1))
		name += sizeof prefix - 1;
	*alloc = !strcasestr(name, "free");
	return !*alloc || strcasestr(name, "alloc");
}

static uint64_t value(const struct tm_batch *b, uint32_t i, enum tm_ev_col c, unsigned has,
                      uint64_t *set)
{
	if (!tm_batch_has(b, i, c))
		return 0;
	*set |= has;
	return b->col[c][i];
}

static bool take_row(struct memory *m, const struct tm_batch *b, uint32_t i)
{
	uint64_t key[WHO_WORDS] = { m->rank }, set = 0;
	struct record r = { .start = b->col[TM_EVC_START][i] };

	bool alloc;

	if (!is_known(b->names->v[b->col[TM_EVC_NAME][i]].text, &alloc)) {
		m->odd++;
		return true;
	}
	r.turn = alloc ? TURN_ALLOC : TURN_FREE;
	key[WHO_PID] = value(b, i, TM_EVC_PID, HAS_PID, &key[WHO_HAS]);
	if (!(key[WHO_HAS] & HAS_PID))
		key[WHO_PID] = m->whose.run;
	key[WHO_AGENT] = value(b, i, TM_EVC_AGENT, HAS_AGENT, &key[WHO_HAS]);
	if (m->ops)
		key[WHO_TID] = value(b, i, TM_EVC_TID, HAS_TID, &key[WHO_HAS]);
	r.address = value(b, i, TM_EVC_ADDRESS, 1, &set);
	r.has_address = set != 0;
	set = 0;
	r.bytes = value(b, i, TM_EVC_BYTES, 1, &set);
	r.has_bytes = set != 0;
	r.who = tm_groups_add(&m->who, key, NULL);
	if (r.who == TM_GROUP_NONE || !tm_grow_array(&m->v, &m->cap, m->n + 1, sizeof *m->v))
		return false;
	m->v[m->n++] = r;
	return true;
}

/* An allocator said so; of the same height the first counts. */
static bool state(struct memory *m, const uint64_t key[STATED_WORDS], enum total which,
                  uint64_t bytes, uint64_t at)
{
	bool fresh;
	uint32_t i = tm_groups_item(&m->states, key, &m->stated, &m->stated_cap, sizeof *m->stated,
	                            &fresh);
	struct stated *s;

	if (i == TM_GROUP_NONE)
		return false;
	s = &m->stated[i];
	if (fresh)
		*s = (struct stated) { .of = { { 0 } } };
	if (!s->of[which].known || bytes > s->of[which].bytes ||
	    (bytes == s->of[which].bytes && at < s->of[which].at)) {
		s->of[which].known = true;
		s->of[which].bytes = bytes;
		s->of[which].at = at;
	}
	return true;
}

/* A sample of a counter may be such a total. */
static bool take_total(struct memory *m, const struct tm_batch *b, uint32_t i)
{
	uint64_t key[STATED_WORDS] = { m->rank }, at;
	const struct tm_name *nm;
	double bytes;

	if (!tm_batch_has(b, i, TM_EVC_COUNTER) || !tm_batch_has(b, i, TM_EVC_VALUE) ||
	    !tm_batch_has(b, i, TM_EVC_START))
		return true;
	nm = &b->names->v[b->col[TM_EVC_COUNTER][i]];
	at = b->col[TM_EVC_START][i];
	bytes = tm_cell_real(b->col[TM_EVC_VALUE][i]);
	/* Up to here a double is a whole number of bytes. */
	if (at < m->window.lo || at >= m->window.hi || !(bytes >= 0 && bytes <= 0x1p53))
		return true;
	key[STATED_AGENT] = value(b, i, TM_EVC_AGENT, 1, &key[STATED_HAS]);
	for (int k = 0; k < TOTALS; k++)
		if (!strcmp(nm->text, total_names[k]))
			return state(m, key, (enum total)k, (uint64_t)bytes, at);
	return true;
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct memory *m = acc;

	if (!tm_began_take(&m->began, m->rank, b))
		return false;
	for (uint32_t i = 0; b->kind == TM_EV_COUNTER && i < b->n; i++)
		if (!take_total(m, b, i))
			return false;
	if (b->kind == TM_EV_STAT || b->kind == TM_EV_ROLLUP)
		m->stats += b->n;
	else if (b->kind != TM_EV_ALLOC)
		m->others += b->n;
	for (uint32_t i = 0; b->kind == TM_EV_ALLOC && i < b->n; i++) {
		if (tm_batch_has(b, i, TM_EVC_DOMAIN) &&
		    b->col[TM_EVC_DOMAIN][i] == TM_DOMAIN_SCRATCH)
			m->scratch++;
		else if (!tm_batch_has(b, i, TM_EVC_START) || !tm_batch_has(b, i, TM_EVC_NAME))
			m->untimed++;
		else if (!take_row(m, b, i))
			return false;
	}
	return !m->ops || tm_stack_take(&m->s, b);
}

static bool merge(void *into, void *acc)
{
	struct memory *m = into, *from = acc;
	uint32_t *map = malloc(((size_t)from->who.n + 1) * sizeof *map);
	bool ok = map && tm_grow_array(&m->v, &m->cap, m->n + from->n, sizeof *m->v) &&
	          tm_began_merge(&m->began, &from->began) &&
	          (!m->ops || tm_stack_merge(&m->s, &from->s));

	tm_whose_merge(&m->whose, &from->whose);
	for (uint32_t i = 0; ok && i < from->who.n; i++) {
		map[i] = tm_groups_add(&m->who, from->who.key + (size_t)i * WHO_WORDS, NULL);
		ok = map[i] != TM_GROUP_NONE;
	}
	for (size_t i = 0; ok && i < from->n; i++) {
		m->v[m->n] = from->v[i];
		m->v[m->n++].who = map[from->v[i].who];
	}
	for (uint32_t i = 0; ok && i < from->states.n; i++)
		for (int k = 0; ok && k < TOTALS; k++)
			if (from->stated[i].of[k].known)
				ok = state(m, from->states.key + (size_t)i * STATED_WORDS,
				           (enum total)k, from->stated[i].of[k].bytes,
				           from->stated[i].of[k].at);
	free(map);
	m->untimed += from->untimed;
	m->scratch += from->scratch;
	m->odd += from->odd;
	m->stats += from->stats;
	m->others += from->others;
	return ok;
}

/* ---- order ---- */

/* What is known of the processes by now.  Once: keys are no longer those that were looked up. */
static bool tell_processes(struct memory *m)
{
	if (m->told)
		return true;
	m->told = true;
	if (!tm_whose_settle(&m->whose))
		return false;
	for (uint32_t i = 0; i < m->who.n; i++) {
		uint64_t *key = m->who.key + (size_t)i * WHO_WORDS;
		bool has_pid = key[WHO_HAS] & HAS_PID;

		tm_whose_tell(&m->whose, &has_pid, &key[WHO_PID]);
		key[WHO_HAS] |= has_pid ? HAS_PID : 0;
	}
	return true;
}

/* Total but for records that say the same. */
static int by_start(const void *pa, const void *pb, void *arg)
{
	const struct record *a = pa, *b = pb;
	const uint64_t *wa = who_of(arg, a), *wb = who_of(arg, b);
	int c = cmp_u64(wa[WHO_RANK], wb[WHO_RANK]);

	if (!c)
		c = cmp_u64(a->start, b->start);
	if (!c)
		c = cmp_u64(a->turn, b->turn);
	if (!c)
		c = (int)a->has_address - (int)b->has_address;
	if (!c)
		c = cmp_u64(a->address, b->address);
	if (!c)
		c = (int)a->has_bytes - (int)b->has_bytes;
	if (!c)
		c = cmp_u64(a->bytes, b->bytes);
	for (int k = WHO_PID; !c && k < WHO_WORDS; k++)
		c = cmp_u64(wa[k], wb[k]);
	return c;
}

/* ---- replaying ---- */

static void replay_fini(struct replay *p)
{
	tm_groups_fini(&p->holders);
	tm_groups_fini(&p->places);
	free(p->h);
	free(p->spot);
	free(p->until);
}

static struct holder *holder_of(struct replay *p, const struct record *r)
{
	const uint64_t *who = who_of(p->m, r);
	const uint64_t key[HOLD_WORDS] = { who[WHO_RANK], who[WHO_AGENT],
		                           who[WHO_HAS] & HAS_AGENT };
	bool fresh;
	uint32_t i = tm_groups_item(&p->holders, key, &p->h, &p->holder_cap, sizeof *p->h, &fresh);

	if (i == TM_GROUP_NONE)
		return NULL;
	if (fresh)
		p->h[i] = (struct holder) { .rank = key[HOLD_RANK],
			                    .agent = key[HOLD_AGENT],
			                    .has_agent = key[HOLD_HAS] != 0 };
	return &p->h[i];
}

/* What lies where the record points; NULL when out of memory. */
static struct spot *spot_of(struct replay *p, const struct record *r)
{
	const uint64_t *who = who_of(p->m, r);
	const uint64_t key[PLACE_WORDS] = { who[WHO_RANK], who[WHO_PID], who[WHO_HAS] & HAS_PID,
		                            r->address };
	uint32_t i = tm_groups_item(&p->places, key, &p->spot, &p->spot_cap, sizeof *p->spot, NULL);

	return i == TM_GROUP_NONE ? NULL : &p->spot[i];
}

/* Tell who asked. */
static bool tell_held(const struct replay *p, const struct holder *h, uint64_t at)
{
	const struct tm_memory_held now = { h->rank, h->agent, at, h->has_agent, h->live };

	return !p->held || at < p->window.lo || at >= p->window.hi || p->held(p->arg, &now);
}

/* Record `by` ends the block at *at; its holder, or NULL when out of memory. */
static struct holder *end_block(struct replay *p, struct spot *at, size_t by)
{
	const struct record *r = &p->m->v[at->block - 1];
	struct holder *h = holder_of(p, r);

	if (!h)
		return NULL;
	h->live -= r->bytes;
	p->until[at->block - 1] = by + 1;
	at->block = 0;
	return tell_held(p, h, p->m->v[by].start) ? h : NULL;
}

static bool replay_alloc(struct replay *p, size_t i, bool inside)
{
	const struct record *r = &p->m->v[i];
	struct spot *at = r->has_address ? spot_of(p, r) : NULL;
	struct holder *h;

	if (r->has_address && !at)
		return false;
	if (at && at->block) {
		p->reused += inside;
		if (!end_block(p, at, i))
			return false;
	}
	h = holder_of(p, r);
	if (!h)
		return false;
	if (at)
		at->block = i + 1;
	h->held = true;
	h->live += r->bytes;
	if (!inside)
		return true;
	if (!tell_held(p, h, r->start))
		return false;
	p->unsized += !r->has_bytes;
	h->allocs++;
	h->allocated += r->bytes;
	if (!h->peaked || h->live > h->peak) {
		h->peaked = true;
		h->peak = h->live;
		h->peak_at = r->start;
		h->peak_after = i + 1;
	}
	return true;
}

static bool replay_free(struct replay *p, size_t i, bool inside)
{
	const struct record *r = &p->m->v[i];
	struct spot *at = r->has_address ? spot_of(p, r) : NULL;
	struct holder *h;
	bool matched;

	if (r->has_address && !at)
		return false;
	matched = at && at->block;
	if (!matched && !inside)
		return true;
	h = matched ? end_block(p, at, i) : holder_of(p, r);
	if (!h)
		return false;
	h->frees += inside;
	h->unmatched += inside && !matched;
	p->unmatched += inside && !matched;
	return true;
}

/* The turn of the next record of this instant at an address: allocations and frees alternate. */
static uint32_t next_turn(struct spot *at, size_t instant, bool alloc)
{
	uint64_t turn;

	if (at->instant != instant)
		*at = (struct spot) { at->block, instant, 0, 0, at->block != 0 };
	if (alloc)
		turn = TURN_ALLOC + 2 * (uint64_t)at->allocs++;
	else
		turn = (at->held ? TURN_FREE : TURN_FREE_LATE) + 2 * (uint64_t)at->frees++;
	return (uint32_t)(turn < TURN_MOST ? turn : alloc ? TURN_MOST : TURN_MOST - 1);
}

/* Bring the records of one instant in the order in which they count, which does not depend on that
 * of the input. */
static bool order_instant(struct replay *p, size_t from, size_t to)
{
	struct record *v = p->m->v;

	for (size_t i = from; i < to; i++) {
		struct spot *at;

		if (!v[i].has_address)
			continue;
		at = spot_of(p, &v[i]);
		if (!at)
			return false;
		v[i].turn = next_turn(at, from + 1, is_alloc(&v[i])) & TURN_MOST;
	}
	qsort_r(v + from, to - from, sizeof *v, by_start, p->m);
	return true;
}

/* The window opens: what is held then is the first peak. */
static void open_window(struct replay *p, uint64_t rank, size_t after)
{
	for (uint32_t i = 0; i < p->holders.n; i++) {
		struct holder *h = &p->h[i];

		if (h->rank != rank || !h->held)
			continue;
		h->peaked = true;
		h->peak = h->live;
		h->peak_at = p->window.lo;
		h->peak_after = after;
	}
}

/* All records of the rank that begins at v[from]; the end of it, or SIZE_MAX when out of memory. */
static size_t replay_rank(struct replay *p, size_t from)
{
	const struct memory *m = p->m;
	const uint64_t rank = who_of(m, &m->v[from])[WHO_RANK];
	bool open = false;
	size_t i = from, seen = from, next; /* seen: what is before the end of the window */

	tm_metric_window(m->o, rank, &p->window);
	for (; i < m->n && who_of(m, &m->v[i])[WHO_RANK] == rank; i = next) {
		uint64_t start = m->v[i].start;
		bool inside = start >= p->window.lo && start < p->window.hi;

		for (next = i + 1; next < m->n && m->v[next].start == start &&
		                   who_of(m, &m->v[next])[WHO_RANK] == rank;)
			next++;
		if (start >= p->window.hi)
			continue;
		seen = next;
		if (inside && !open && p->window.lo)
			open_window(p, rank, i);
		open |= inside;
		if (next > i + 1 && !order_instant(p, i, next))
			return SIZE_MAX;
		for (size_t k = i; k < next; k++)
			if (!(is_alloc(&m->v[k]) ? replay_alloc(p, k, inside)
			                         : replay_free(p, k, inside)))
				return SIZE_MAX;
	}
	if (!open && p->window.lo < p->window.hi && p->window.lo)
		open_window(p, rank, seen);
	return i;
}

static bool replay_all(struct replay *p)
{
	struct memory *m = p->m;

	p->until = calloc(m->n + 1, sizeof *p->until);
	if (!p->until || !tell_processes(m))
		return false;
	if (m->n)
		qsort_r(m->v, m->n, sizeof *m->v, by_start, m);
	for (size_t i = 0; i < m->n;) {
		i = replay_rank(p, i);
		if (i == SIZE_MAX)
			return false;
	}
	return true;
}

/* ---- tables ---- */

static int by_holder(const void *a, const void *b)
{
	return cmp_holder(*(const struct holder *const *)a, *(const struct holder *const *)b);
}

/* What the allocator of that agent says of itself. */
static void put_stated(struct tm_cell *cell, const struct memory *m, const struct holder *h)
{
	const uint64_t key[STATED_WORDS] = { h->rank, h->agent, h->has_agent };
	uint32_t i = tm_groups_find(&m->states, key);
	const struct stated *s;

	if (i == TM_GROUP_NONE)
		return;
	s = &m->stated[i];
	if (s->of[TOTAL_ALLOCATED].known) {
		cell[COL_STATED] = tm_cell_u64(s->of[TOTAL_ALLOCATED].bytes);
		cell[COL_STATED_AT] = tm_cell_u64(s->of[TOTAL_ALLOCATED].at);
	}
	if (s->of[TOTAL_RESERVED].known)
		cell[COL_RESERVED] = tm_cell_u64(s->of[TOTAL_RESERVED].bytes);
}

static bool put_holder(struct tm_table *t, const struct memory *m, const struct holder *h,
                       struct tm_report *rep)
{
	struct tm_cell *cell = tm_table_row(t);

	if (!cell)
		return false;
	put_stated(cell, m, h);
	cell[COL_RANK] = tm_cell_u64(h->rank);
	cell[COL_AGENT] = tm_work_agent_cell(t, h->has_agent, h->agent);
	cell[COL_ALLOCS] = tm_cell_u64(h->allocs);
	cell[COL_FREES] = tm_cell_u64(h->frees);
	cell[COL_ALLOCATED] = tm_work_sum_cell(h->allocated, "bytes", rep);
	cell[COL_UNMATCHED] = tm_cell_u64(h->unmatched);
	if (!h->peaked)
		return true;
	cell[COL_PEAK] = tm_work_sum_cell(h->peak, "bytes", rep);
	cell[COL_PEAK_AT] = tm_cell_u64(h->peak_at);
	cell[COL_LIVE] = tm_work_sum_cell(h->live, "bytes", rep);
	return true;
}

static bool fill_holders(const struct replay *p, struct tm_table *t, struct tm_report *rep)
{
	const struct holder **order = calloc((size_t)p->holders.n + 1, sizeof *order);
	bool ok = order != NULL;
	size_t n = 0;

	for (uint32_t i = 0; ok && i < p->holders.n; i++)
		if (p->h[i].peaked || p->h[i].frees)
			order[n++] = &p->h[i];
	if (ok && n)
		qsort(order, n, sizeof *order, by_holder);
	for (size_t i = 0; ok && i < n; i++)
		ok = put_holder(t, p->m, order[i], rep);
	free(order);
	return ok;
}

/* Largest first. */
static int by_size(const void *pa, const void *pb)
{
	const struct block *a = pa, *b = pb;
	int c = cmp_holder(a->h, b->h);

	if (!c)
		c = cmp_u64(b->r->bytes, a->r->bytes);
	if (!c)
		c = cmp_u64(a->r->start, b->r->start);
	return c ? c : cmp_u64(a->r->address, b->r->address);
}

static bool put_block(struct tm_table *t, const struct block *b)
{
	struct tm_cell *cell = tm_table_row(t);
	char text[24];

	if (!cell)
		return false;
	cell[LIST_RANK] = tm_cell_u64(b->h->rank);
	cell[LIST_AGENT] = tm_work_agent_cell(t, b->h->has_agent, b->h->agent);
	if (b->r->has_bytes)
		cell[LIST_BYTES] = tm_cell_u64(b->r->bytes);
	snprintf(text, sizeof text, "0x%" PRIx64, b->r->address);
	if (b->r->has_address)
		cell[LIST_ADDRESS] = tm_table_own(t, text, strlen(text));
	cell[LIST_START] = tm_cell_u64(b->r->start);
	if (b->end)
		cell[LIST_END] = tm_cell_u64(b->end->start);
	return true;
}

bool tm_memory_blocks(struct replay *p, struct block **list, size_t *n)
{
	const struct memory *m = p->m;
	size_t cap = 0;
	bool ok = true;

	/* Pointers to holders are kept below, so there must be all of them first. */
	for (size_t i = 0; ok && i < m->n; i++)
		ok = !is_alloc(&m->v[i]) || holder_of(p, &m->v[i]);
	for (size_t i = 0; ok && i < m->n; i++) {
		const struct holder *h;
		size_t until = p->until[i];

		if (!is_alloc(&m->v[i]))
			continue;
		h = holder_of(p, &m->v[i]);
		if (!h->peaked || i >= h->peak_after || (until && until <= h->peak_after))
			continue;
		ok = tm_grow_array(list, &cap, *n + 1, sizeof **list);
		if (ok)
			(*list)[(*n)++] = (struct block) { h, &m->v[i],
				                           until ? &m->v[until - 1] : NULL };
	}
	if (ok && *n)
		qsort(*list, *n, sizeof **list, by_size);
	return ok;
}

static bool fill_blocks(struct replay *p, struct tm_table *t)
{
	struct block *list = NULL;
	size_t n = 0;
	bool ok = tm_memory_blocks(p, &list, &n);

	for (size_t i = 0; ok && i < n; i++)
		ok = put_block(t, &list[i]);
	free(list);
	return ok;
}

/* ---- notes ---- */

static void count_note(struct tm_report *rep, enum tm_severity severity, uint64_t n,
                       const char *what, const char *rest)
{
	if (n)
		tm_report_add(rep, severity, NULL, 0, "%" PRIu64 " %s%s %s", n, what,
		              n == 1 ? "" : "s", rest);
}

static void tell(const struct replay *p, struct tm_report *rep)
{
	const struct memory *m = p->m;

	if (p->unmatched)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "memory allocated before the trace is not counted; unmatched frees "
		              "released some of it");
	else
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "memory allocated before the trace is not counted");
	count_note(rep, TM_SEV_NOTE, p->reused, "allocation",
	           "at an address still in use: the old block is assumed freed");
	count_note(rep, TM_SEV_NOTE, p->unsized, "allocation",
	           "without a size: counted as 0 bytes");
	count_note(rep, TM_SEV_NOTE, m->scratch, "record", "of scratch memory skipped");
	count_note(rep, TM_SEV_SKIP, m->odd, "row", "skipped: neither allocation nor free");
	count_note(rep, TM_SEV_SKIP, m->untimed, "row", "without a start time skipped");
}

/* The numbers that both tell of. */
static void keep(struct replay *p, struct tm_state *s)
{
	struct memory *m = p->m;
	uint64_t records = m->n;

	tm_state_add(s, &p->unmatched);
	tm_state_add(s, &p->reused);
	tm_state_add(s, &p->unsized);
	tm_state_add(s, &m->scratch);
	tm_state_add(s, &m->odd);
	tm_state_add(s, &m->untimed);
	tm_state_add(s, &m->stats);
	tm_state_add(s, &m->others);
	tm_state_add(s, &records);
	p->records = records != 0;
}

static void explain_nothing(const struct replay *p, struct tm_report *rep)
{
	const struct memory *m = p->m;

	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR)
			return; /* said already */
	if (m->untimed && !p->records)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: none of the %" PRIu64 " rows has a start time",
		              m->untimed);
	else if (m->stats && !p->records && !m->others)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: statistics files have no sizes; give the trace");
	else
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: no allocations%s %s (rocprofv3 records them with "
		              "--memory-allocation-trace)",
		              m->scratch ? " but scratch" : "",
		              m->o->windowed ? "inside the window" : "in the input");
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct replay p = { .m = acc,
		            .holders = { .words = HOLD_WORDS },
		            .places = { .words = PLACE_WORDS } };
	bool ok;

	tm_table_init_list(t, by_ops(o) ? tm_memory_ops_columns : o->view ? list_columns : columns);
	ok = (o->windowed || tm_began_put(&p.m->began, t)) && replay_all(&p) &&
	     (by_ops(o) ? tm_memory_fill_paths(&p, t, rep)
	      : o->view ? fill_blocks(&p, t)
	                : fill_holders(&p, t, rep));
	ok = ok && tm_state_rows(o->state, t);
	keep(&p, o->state);
	if (ok && t->nrows)
		tell(&p, rep);
	else if (ok)
		explain_nothing(&p, rep);
	replay_fini(&p);
	return !ok ? TM_ST_FATAL : t->nrows ? TM_ST_OK : TM_ST_END;
}

bool tm_memory_each(void *acc, bool (*held)(void *arg, const struct tm_memory_held *h), void *arg)
{
	struct replay p = { .m = acc,
		            .holders = { .words = HOLD_WORDS },
		            .places = { .words = PLACE_WORDS },
		            .held = held,
		            .arg = arg };
	bool ok = replay_all(&p);

	replay_fini(&p);
	return ok;
}

static const struct tm_metric_view views[] = {
	{ .columns = columns },
	{ .option = "list",
	  .about = "list the blocks allocated at the peak, largest first",
	  .columns = list_columns },
	{ .option = "ops",
	  .about = "memory allocated at the peak, by operator and region",
	  .columns = tm_memory_ops_columns },
	{ 0 },
};

const struct tm_metric tm_metric_memory = {
	.name = "memory",
	.about = "allocated memory, its peak, and what was never freed",
	.group = "What is copied, what is allocated?",
	.examples = "kstats memory run.pftrace\n"
	            "kstats memory --list run.pftrace\n",
	.views = views,
	.state = 1,
	.sink = { .size = sizeof(struct memory),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini },
	.whole = TM_WHOLE_AGENTS,
	.want = want,
	.fill = fill,
};
