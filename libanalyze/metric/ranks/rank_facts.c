/* SPDX-License-Identifier: MIT
 * What is kept of the ranks of a job, for whoever compares them. */
#include "metric/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

bool tm_ranks_init(void *acc, const struct tm_metric_opts *o, unsigned keep, bool match)
{
	struct ranks *r = acc;

	*r = (struct ranks) { .known = { .words = 1 }, .match = match };
	return tm_work_init(&r->w, o, keep);
}

tm_ev_set tm_ranks_want(unsigned keep, bool match)
{
	return tm_work_want(keep) | TM_EV_BIT(TM_EVC_PID) | (match ? tm_comm_calls_want() : 0);
}

void tm_ranks_fini(void *acc)
{
	struct ranks *r = acc;

	tm_names_fini(&r->names);
	tm_groups_fini(&r->known);
	free(r->facts);
	tm_comm_calls_fini(&r->calls);
	for (size_t i = 0; i < r->nkept; i++)
		free(r->kept[i].exposed);
	free(r->kept);
	tm_work_fini(&r->w);
}

/* Another name; TM_NAME_NONE for NULL.  False when out of memory. */
static bool add_name(struct ranks *r, const char *text, uint32_t *id)
{
	*id = text ? tm_names_add(&r->names, text, strlen(text)) : TM_NAME_NONE;
	return !text || *id != TM_NAME_NONE;
}

/* What a database says of the clock of a trace. */
static void see_clock(struct rank_facts *f, const struct tm_origin *o)
{
	f->has_error = o->has_residual;
	f->error = o->residual_ns;
	f->has_line = true;
	f->line = o->line;
	f->parts = o->parts <= RANK_PARTS ? o->parts : 0;
	for (size_t i = 0; i < f->parts; i++)
		f->part[i] = o->part[i];
}

bool tm_ranks_piece(void *acc, const struct tm_piece *p)
{
	struct ranks *r = acc;
	const struct tm_origin *o = p->origin;

	r->now = (struct rank_facts) { .rank = p->id.rank, .host = TM_NAME_NONE, .timed = true };
	r->by_order |= p->id.rule == TM_RANK_ORDER;
	if (!add_name(r, p->id.clock, &r->now.clock))
		return false;
	if (o && o->method && strcmp(o->method, "none") != 0)
		see_clock(&r->now, o);
	if (r->match && !tm_comm_calls_piece(&r->calls, p))
		return false;
	return tm_work_piece(&r->w, p);
}

static void join_host(struct rank_facts *into, const struct rank_facts *f)
{
	bool both = into->host != TM_NAME_NONE && f->host != TM_NAME_NONE;

	into->hosts |= f->hosts || (both && into->host != f->host);
	if (into->hosts)
		into->host = TM_NAME_NONE;
	else if (f->host != TM_NAME_NONE)
		into->host = f->host;
}

static void join_pid(struct rank_facts *into, const struct rank_facts *f)
{
	into->pids |= f->pids || (into->has_pid && f->has_pid && into->pid != f->pid);
	if (f->has_pid)
		into->pid = f->pid;
	into->has_pid = !into->pids && (into->has_pid || f->has_pid);
}

/* What is known now of a rank, and what was before. */
static void join(struct rank_facts *into, const struct rank_facts *f)
{
	join_host(into, f);
	join_pid(into, f);
	if (!f->timed)
		return;
	if (!into->timed) {
		uint32_t host = into->host;
		const struct rank_facts was = *into;

		*into = *f;
		into->host = host;
		into->hosts = was.hosts;
		into->pids = was.pids;
		into->has_pid = was.has_pid;
		into->pid = was.pid;
		return;
	}
	/* Files of a rank that count one clock have one line. */
	if (!into->has_line || !f->has_line || memcmp(&into->line, &f->line, sizeof f->line) != 0) {
		into->has_line = false;
		into->parts = 0;
	}
	into->clock = into->clock == f->clock ? f->clock : TM_NAME_NONE;
	into->has_error &= f->has_error;
	into->error = into->error > f->error ? into->error : f->error;
}

const struct rank_facts *tm_ranks_facts(const struct ranks *r, uint64_t rank)
{
	uint32_t i = tm_groups_find(&r->known, &rank);

	return i == TM_GROUP_NONE ? NULL : &r->facts[i];
}

static bool note(struct ranks *r, const struct rank_facts *f)
{
	bool fresh;
	uint32_t i = tm_groups_item(&r->known, &f->rank, &r->facts, &r->facts_cap, sizeof *r->facts,
	                            &fresh);

	if (i == TM_GROUP_NONE)
		return false;
	if (fresh)
		r->facts[i] = *f;
	else
		join(&r->facts[i], f);
	return true;
}

static void see_pids(struct rank_facts *now, const struct tm_batch *b)
{
	if (now->pids || (now->has_pid && tm_batch_all(b, TM_EVC_PID, now->pid)))
		return;
	for (uint32_t i = 0; i < b->n && b->some & TM_EV_BIT(TM_EVC_PID); i++) {
		uint64_t pid = b->col[TM_EVC_PID][i];

		if (!tm_batch_has(b, i, TM_EVC_PID) || now->pids ||
		    (now->has_pid && now->pid == pid))
			continue;
		now->pids = now->has_pid;
		now->has_pid = !now->pids;
		now->pid = pid;
	}
}

bool tm_ranks_take(void *acc, const struct tm_batch *b)
{
	struct ranks *r = acc;
	uint64_t untimed = 0;

	/* What has no times has no clock. */
	if ((b->kind == TM_EV_DISPATCH || b->kind == TM_EV_COPY || b->kind == TM_EV_API) && b->n &&
	    (b->some & TM_EV_BIT(TM_EVC_START))) {
		see_pids(&r->now, b);
		if (!note(r, &r->now))
			return false;
	}
	if (r->match && !tm_comm_calls_take(&r->calls, b, &untimed))
		return false;
	if (!tm_work_take(&r->w, b))
		return false;
	r->w.untimed -= untimed; /* they count without */
	return true;
}

/* Only now is the host known for sure. */
bool tm_ranks_done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                   const struct tm_diag *why)
{
	struct ranks *r = acc;
	struct rank_facts f = { .rank = p->id.rank, .clock = TM_NAME_NONE };

	(void)l;
	(void)why;
	return !p->id.host || (add_name(r, p->id.host, &f.host) && note(r, &f));
}

static bool same_name(struct ranks *r, const struct ranks *from, uint32_t *id)
{
	if (*id != TM_NAME_NONE) {
		const struct tm_name *nm = &from->names.v[*id];

		*id = tm_names_add(&r->names, nm->text, nm->len);
		return *id != TM_NAME_NONE;
	}
	return true;
}

bool tm_ranks_merge(void *into, void *from)
{
	struct ranks *r = into, *f = from;

	r->by_order |= f->by_order;
	for (size_t i = 0; i < f->known.n; i++) {
		struct rank_facts one = f->facts[i];

		if (!same_name(r, f, &one.clock) || !same_name(r, f, &one.host) || !note(r, &one))
			return false;
	}
	return tm_comm_calls_merge(&r->calls, &f->calls) && tm_work_merge(&r->w, &f->w);
}

const struct tm_name *tm_ranks_clock(const struct ranks *r, uint64_t rank)
{
	const struct rank_facts *f = tm_ranks_facts(r, rank);

	return f && f->clock != TM_NAME_NONE ? &r->names.v[f->clock] : NULL;
}

bool tm_ranks_one_clock(const struct ranks *r)
{
	const struct rank_facts *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < r->known.n; i++) {
		const struct rank_facts *f = &r->facts[i];

		if (!f->timed)
			continue;
		first = first ? first : f;
		if (f->host == TM_NAME_NONE || f->clock == TM_NAME_NONE || f->host != first->host ||
		    f->clock != first->clock)
			return false;
		n++;
	}
	return n > 1;
}

bool tm_ranks_aligned(const struct ranks *r)
{
	for (size_t i = 0; i < r->known.n; i++)
		if (r->facts[i].timed && !r->facts[i].has_error && !r->facts[i].has_line)
			return tm_ranks_one_clock(r);
	return true;
}

/* ---- what is kept of them ---- */

/* Words of an item of facts; the host is its text, the clock its bytes. */
enum {
	KEPT_WHAT, /* enum rank_item */
	KEPT_FLAGS,
	KEPT_PID,
	KEPT_ERROR,
	KEPT_ORIGIN,
	KEPT_OFFSET,
	KEPT_RATE,
	KEPT_PARTS,
	KEPT_PART, /* RANK_PARTS times ... */
	PART_WORDS = 3
};

enum {
	FLAG_HOST = 1,
	FLAG_CLOCK = 2,
	FLAG_PID = 4,
	FLAG_HOSTS = 8,
	FLAG_PIDS = 16,
	FLAG_TIMED = 32,
	FLAG_ERROR = 64,
	FLAG_LINE = 128,
};

_Static_assert(KEPT_PART + RANK_PARTS * PART_WORDS <= RANK_WORDS, "room for all parts of a clock");

static void keep_facts(const struct ranks *r, const struct rank_facts *f, struct tm_state *s)
{
	const struct tm_name none = { .text = "" };
	const struct tm_name *host = f->host == TM_NAME_NONE ? &none : &r->names.v[f->host];
	const struct tm_name *clock = f->clock == TM_NAME_NONE ? &none : &r->names.v[f->clock];
	struct tm_state_item it = { .text = host->text,
		                    .len = host->len,
		                    .nv = RANK_WORDS,
		                    .bytes = clock->text,
		                    .nbytes = clock->len };

	it.v[KEPT_WHAT] = RANK_FACTS;
	it.v[KEPT_FLAGS] = (f->host != TM_NAME_NONE ? FLAG_HOST : 0) |
	                   (f->clock != TM_NAME_NONE ? FLAG_CLOCK : 0) |
	                   (f->has_pid ? FLAG_PID : 0) | (f->hosts ? FLAG_HOSTS : 0) |
	                   (f->pids ? FLAG_PIDS : 0) | (f->timed ? FLAG_TIMED : 0) |
	                   (f->has_error ? FLAG_ERROR : 0) | (f->has_line ? FLAG_LINE : 0);
	it.v[KEPT_PID] = f->pid;
	it.v[KEPT_ERROR] = f->error;
	it.v[KEPT_ORIGIN] = f->line.origin_ns;
	it.v[KEPT_OFFSET] = f->line.offset_ns;
	it.v[KEPT_RATE] = (uint64_t)f->line.rate;
	it.v[KEPT_PARTS] = f->parts;
	for (size_t i = 0; i < f->parts; i++) {
		uint64_t *part = &it.v[KEPT_PART + i * PART_WORDS];

		part[0] = f->part[i].from_ns;
		part[1] = f->part[i].to_ns;
		part[2] = f->part[i].error_ns;
	}
	tm_state_put(s, &it);
}

static bool learn_facts(struct ranks *r, uint64_t rank, const struct tm_state_item *it)
{
	const uint64_t flags = it->v[KEPT_FLAGS];
	struct rank_facts f = {
		.rank = rank,
		.host = TM_NAME_NONE,
		.clock = TM_NAME_NONE,
		.has_pid = flags & FLAG_PID,
		.hosts = flags & FLAG_HOSTS,
		.pids = flags & FLAG_PIDS,
		.timed = flags & FLAG_TIMED,
		.has_error = flags & FLAG_ERROR,
		.has_line = flags & FLAG_LINE,
		.pid = it->v[KEPT_PID],
		.error = it->v[KEPT_ERROR],
		.line = { it->v[KEPT_ORIGIN], it->v[KEPT_OFFSET], (int64_t)it->v[KEPT_RATE] },
		.parts = it->v[KEPT_PARTS] < RANK_PARTS ? it->v[KEPT_PARTS] : RANK_PARTS
	};

	for (size_t i = 0; i < f.parts; i++) {
		const uint64_t *part = &it->v[KEPT_PART + i * PART_WORDS];

		f.part[i] = (struct tm_clock_part) { part[0], part[1], part[2] };
	}
	if (flags & FLAG_HOST)
		f.host = tm_names_add(&r->names, it->text, it->len);
	if (flags & FLAG_CLOCK)
		f.clock = tm_names_add(&r->names, it->bytes, it->nbytes);
	return (!(flags & FLAG_HOST) || f.host != TM_NAME_NONE) &&
	       (!(flags & FLAG_CLOCK) || f.clock != TM_NAME_NONE) && note(r, &f);
}

struct learning {
	struct ranks *r;
	bool (*other)(void *arg, uint64_t rank, const struct tm_state_item *it);
	void *arg;
};

static bool learn(void *arg, uint64_t rank, const struct tm_state_item *it)
{
	const struct learning *l = arg;

	if (it->v[KEPT_WHAT] == RANK_FACTS)
		return learn_facts(l->r, rank, it);
	return !l->other || l->other(l->arg, rank, it);
}

bool tm_ranks_state(struct ranks *r, struct tm_state *s,
                    bool (*other)(void *arg, uint64_t rank, const struct tm_state_item *it),
                    void *arg)
{
	struct learning l = { r, other, arg };

	for (uint32_t i = 0; s && s->writing && i < r->known.n; i++)
		keep_facts(r, &r->facts[i], s);
	return tm_state_each(s, RANK_WORDS, learn, &l);
}
