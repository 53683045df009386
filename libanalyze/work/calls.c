/* SPDX-License-Identifier: MIT */
#include "work/calls.h"

#include "base/base.h"

#include <stdlib.h>

/* Each correlation id that the operations of a rank have, to `take`. */
static void each_id(struct tm_id_set *ids, const struct tm_work *w, struct tm_work_range of,
                    void (*take)(struct tm_id_set *s, uint64_t id))
{
	for (size_t t = of.from; t < of.to; t++) {
		for (int k = 0; k < TM_WORK_KINDS; k++) {
			const struct tm_intervals *s = &w->track[t].op[k];

			for (size_t i = 0; i < s->n; i++)
				take(ids, tm_interval_tag(s, i));
		}
	}
}

static bool ids_of(struct tm_id_set *ids, const struct tm_work *w, uint64_t rank)
{
	const struct tm_work_range of = tm_work_tracks_of(w, rank);

	each_id(ids, w, of, tm_id_set_tell);
	if (!tm_id_set_room(ids))
		return false;
	each_id(ids, w, of, tm_id_set_add);
	return true;
}

/* ---- the index ---- */

/* What calls are chosen by. */
struct choice {
	const struct tm_calls *c;
	struct tm_id_set ids;
};

enum tm_call_kind tm_call_kind_of(const struct tm_work *w, uint32_t name)
{
	if (w->call_kind[name] == TM_CALL_UNSEEN)
		w->call_kind[name] = (uint8_t)tm_call_kind_of_text(w->names.v[name].text);
	return (enum tm_call_kind)w->call_kind[name];
}

/* Of a rank's calls only: the names of a thousand ranks are many. */
static enum tm_call_kind see_kind(const struct tm_calls *c, uint32_t name)
{
	if (c->w->keep & TM_WORK_CALL_NAMES)
		return tm_call_kind_of(c->w, name);
	c->kind[name] = TM_CALL_OTHER;
	return TM_CALL_OTHER;
}

/* Asked for later: calls that an operation names, and launches without any. */
static bool is_asked(const struct tm_intervals *s, size_t i, const void *arg)
{
	const struct choice *by = arg;
	uint64_t corr = tm_interval_tag(s, i);

	return see_kind(by->c, tm_interval_name(s, i)) != TM_CALL_OTHER ||
	       tm_id_set_has(&by->ids, corr);
}

static bool copy_asked(struct tm_intervals *out, const struct choice *by,
                       const struct tm_intervals *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (is_asked(s, i, by) &&
		    !tm_intervals_add(out, tm_interval_start(s, i), tm_interval_end(s, i),
		                      tm_interval_tag(s, i), tm_interval_name(s, i)))
			return false;
	return true;
}

static bool index_thread(struct tm_calls *c, const struct choice *by, size_t thread,
                         enum tm_work_api api, bool all)
{
	struct tm_work_thread *t = &c->w->thread[thread];
	struct tm_intervals some = { 0 };
	const bool copy = t->call[api].lent && !all;
	bool ok = copy ? copy_asked(&some, by, &t->call[api])
	               : tm_intervals_part(&t->call[api], &some, is_asked, by);

	for (int a = 0; a < TM_WORK_APIS; a++)
		if (!all || a != (int)api)
			tm_intervals_fini(&t->call[a]);
	ok = ok && copy_asked(&some, by, &t->wait[api]) &&
	     tm_labels_move(&c->labels, c->w->label_of, &c->v, &some, (uint32_t)thread);
	tm_intervals_fini(&some);
	return ok;
}

/* The index without any call, and what they are chosen by. */
static bool begin(struct tm_calls *c, struct tm_work *w, uint64_t rank, struct choice *by)
{
	const struct tm_work_range of = tm_work_threads_of(w, rank);
	bool ok;

	*c = (struct tm_calls) { .w = w, .from = of.from, .to = of.to };
	*by = (struct choice) { .c = c };
	for (size_t i = of.from; i < of.to; i++)
		if (w->thread[i].calls[w->thread[i].api])
			tm_processes_see(&c->callers, w->thread[i].has_pid, w->thread[i].pid);
	ok = tm_work_know_calls(w) && w->nthread < UINT32_MAX &&
	     (of.from == of.to || ids_of(&by->ids, w, rank));
	c->kind = w->call_kind;
	return ok;
}

static bool finish(struct tm_calls *c, struct choice *by)
{
	tm_id_set_fini(&by->ids);
	if (!tm_labels_order(&c->labels, c->w->order))
		return false;
	tm_intervals_sort_by_tag(&c->v, NULL, c->labels.order);
	return true;
}

/* ---- one index for all who share a store ---- */

/* Can the index be the lender's?  Names and threads are the same there, and all of one rank: where
 * there are many, each is asked for after the other. */
static bool is_lent(const struct tm_work *w, uint64_t rank)
{
	const struct tm_work *of = w->lender;

	return of && w->same_names && w->keep & of->keep & TM_WORK_CALL_NAMES && of->nthread &&
	       w->nthread == of->nthread && w->ntrack == of->ntrack && of->thread[0].rank == rank &&
	       of->thread[of->nthread - 1].rank == rank &&
	       (!of->ntrack ||
	        (of->track[0].rank == rank && of->track[of->ntrack - 1].rank == rank));
}

/* The calls of a thread that are asked for go into the index; its lists stay as they are. */
static bool keep_thread(struct tm_calls *c, const struct choice *by, size_t thread,
                        enum tm_work_api api)
{
	const struct tm_work_thread *t = &c->w->thread[thread];
	struct tm_intervals some = { 0 };
	bool ok = copy_asked(&some, by, &t->call[api]) && copy_asked(&some, by, &t->wait[api]) &&
	          tm_labels_move(&c->labels, c->w->label_of, &c->v, &some, (uint32_t)thread);

	tm_intervals_fini(&some);
	return ok;
}

/* The index that a store, all of whose work is of one rank, lends to others; NULL when out of
 * memory. */
static struct tm_calls *keep_calls(struct tm_work *w, uint64_t rank)
{
	enum tm_work_api api = tm_work_api_of(w, rank);
	struct tm_calls *c = calloc(1, sizeof *c);
	struct choice by;
	bool ok;

	if (!c)
		return NULL;
	ok = begin(c, w, rank, &by);
	for (size_t i = 0; ok && i < w->nthread; i++)
		ok = keep_thread(c, &by, i, api);
	if (finish(c, &by) && ok)
		return c;
	tm_calls_fini(c);
	free(c);
	return NULL;
}

void tm_calls_forget(struct tm_work *w)
{
	if (w->kept)
		tm_calls_fini(w->kept);
	free(w->kept);
	w->kept = NULL;
	tm_once_again(&w->kept_once);
}

static bool borrow_calls(struct tm_calls *c, struct tm_work *w, uint64_t rank, bool all)
{
	enum tm_work_api api = tm_work_api_of(w, rank);
	struct tm_work *of = w->lender;

	*c = (struct tm_calls) { 0 };
	if (tm_once_begin(&of->kept_once)) {
		of->kept = keep_calls(of, rank);
		tm_once_end(&of->kept_once);
	}
	if (!tm_work_know_calls(w) || !of->kept)
		return false;
	*c = *of->kept;
	c->w = w;
	c->lent = c->whole = true;
	tm_intervals_lend(&c->v, &of->kept->v);
	for (size_t i = 0; i < w->nthread; i++)
		for (int a = 0; a < TM_WORK_APIS; a++)
			if (!all || a != (int)api)
				tm_intervals_fini(&w->thread[i].call[a]);
	return true;
}

bool tm_calls_init(struct tm_calls *c, struct tm_work *w, uint64_t rank, bool all)
{
	enum tm_work_api api = tm_work_api_of(w, rank);
	struct choice by;
	bool ok;

	if (is_lent(w, rank))
		return borrow_calls(c, w, rank, all);
	ok = begin(c, w, rank, &by);
	for (size_t i = c->from; ok && i < c->to; i++)
		ok = index_thread(c, &by, i, api, all);
	return finish(c, &by) && ok;
}

void tm_calls_by_thread(struct tm_calls *c)
{
	tm_intervals_sort_by_group(&c->v, c->labels.who, c->labels.order);
}

void tm_calls_fini(struct tm_calls *c)
{
	tm_intervals_fini(&c->v);
	if (!c->lent)
		tm_labels_fini(&c->labels);
	*c = (struct tm_calls) { 0 };
}

/* ---- looking up ---- */

enum tm_process_of tm_calls_of(const struct tm_calls *c, const struct tm_work_track *t)
{
	return tm_process_of(&c->w->whose, t->rank, &c->callers, t->has_pid, t->pid);
}

/* Whose call a label may be of. */
struct asked {
	const struct tm_calls *c;
	const struct tm_work_track *track;
	enum tm_process_of of;
};

static bool fits(const void *arg, uint32_t label)
{
	const struct asked *a = arg;
	const struct tm_work_thread *th;

	if (a->of == TM_PROCESS_ANY)
		return true;
	th = &a->c->w->thread[a->c->labels.who[label]];
	return tm_process_same(&a->c->w->whose, th->rank, a->track->has_pid, a->track->pid,
	                       th->has_pid, th->pid);
}

enum { NEAR = 64 };

static uint64_t how_far(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Where to search for that id: where one near it was found; without any, that of the place that
 * has not been of use for longest. */
static struct tm_calls_place *place_of(struct tm_calls *c, uint64_t id)
{
	unsigned best = c->recent;
	uint64_t least = how_far(c->last[best].id, id);

	for (unsigned k = 0; least > NEAR && k < TM_CALLS_PLACES; k++) {
		const uint64_t far = how_far(c->last[k].id, id);

		best = far < least ? k : best;
		least = far < least ? far : least;
	}
	if (least > NEAR) {
		best = c->oldest;
		c->oldest = (c->oldest + 1) % TM_CALLS_PLACES;
	}
	c->recent = best;
	c->last[best].id = id;
	return &c->last[best];
}

size_t tm_calls_find(struct tm_calls *c, const struct tm_work_track *t, enum tm_process_of of,
                     const struct tm_intervals *ops, size_t i)
{
	const struct asked a = { c, t, of };
	uint64_t corr = tm_interval_tag(ops, i);
	struct tm_calls_place *p;

	if (!corr || !c->v.n || of == TM_PROCESS_NONE)
		return TM_CALL_NONE;
	p = place_of(c, corr);
	p->at = tm_tagged_before(&c->v, p->at, corr, tm_interval_start(ops, i));
	return tm_tagged_choose(&c->v, p->at, corr, fits, &a);
}

/* ---- how many are found ---- */

enum { FEW = 16 }; /* a sixteenth as many operations as calls are worth a set of all calls */

/* The ids of all calls, if they tell which are found: exactly, and of whatever process.  Of a track
 * with few operations they are looked up one by one: a trace may have as many tracks as calls. */
static bool ids_tell(struct tm_id_set *ids, const struct tm_calls *c, const struct tm_work_track *t,
                     enum tm_process_of of)
{
	size_t ops = 0;

	for (int k = 0; k < TM_WORK_KINDS; k++)
		ops += t->op[k].n;
	if (!c->v.n || ops < c->v.n / FEW || of != TM_PROCESS_ANY)
		return false;
	for (size_t i = 0; i < c->v.n; i++)
		tm_id_set_tell(ids, tm_interval_tag(&c->v, i));
	if (!tm_id_set_room(ids) || ids->shift)
		return false;
	for (size_t i = 0; i < c->v.n; i++)
		tm_id_set_add(ids, tm_interval_tag(&c->v, i));
	return true;
}

static struct tm_calls_found count(struct tm_calls *c, const struct tm_work_track *t)
{
	const enum tm_process_of of = tm_calls_of(c, t);
	struct tm_calls_found n = { 0 };
	struct tm_id_set ids = { 0 };
	const bool told = ids_tell(&ids, c, t, of), none = !c->v.n || of == TM_PROCESS_NONE;

	for (int k = 0; k < TM_WORK_KINDS; k++) {
		const struct tm_intervals *s = &t->op[k];

		if (none) {
			n.ops += tm_intervals_started(s, t->asked);
			continue;
		}
		for (size_t i = 0; i < s->n; i++) {
			if (!tm_work_starts_inside(t, tm_interval_start(s, i)))
				continue;
			n.ops++;
			n.calls += told ? tm_id_set_has(&ids, tm_interval_tag(s, i))
			                : tm_calls_find(c, t, of, s, i) != TM_CALL_NONE;
		}
	}
	tm_id_set_fini(&ids);
	return n;
}

struct tm_calls_found tm_calls_count(struct tm_calls *c, const struct tm_work_track *t)
{
	struct tm_work_found *f = c->lent && t->of ? t->of->found : NULL;

	if (!f)
		return count(c, t);
	if (tm_once_begin(&f->calls_once)) {
		f->calls = count(c, t);
		tm_once_end(&f->calls_once);
	}
	return f->calls;
}
