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

bool tm_calls_init(struct tm_calls *c, struct tm_work *w, uint64_t rank, bool all)
{
	enum tm_work_api api = tm_work_api_of(w, rank);
	const struct tm_work_range of = tm_work_threads_of(w, rank);
	struct choice by = { .c = c };
	bool ok;

	*c = (struct tm_calls) { .w = w, .from = of.from, .to = of.to };
	ok = tm_work_know_calls(w) && w->nthread < UINT32_MAX && ids_of(&by.ids, w, rank);
	c->kind = w->call_kind;
	for (size_t i = c->from; ok && i < c->to; i++)
		ok = index_thread(c, &by, i, api, all);
	tm_id_set_fini(&by.ids);
	ok = ok && tm_labels_order(&c->labels, w->order);
	if (ok)
		tm_intervals_sort_by_tag(&c->v, NULL, c->labels.order);
	return ok;
}

void tm_calls_by_thread(struct tm_calls *c)
{
	tm_intervals_sort_by_group(&c->v, c->labels.who, c->labels.order);
}

void tm_calls_fini(struct tm_calls *c)
{
	tm_intervals_fini(&c->v);
	tm_labels_fini(&c->labels);
	*c = (struct tm_calls) { 0 };
}

bool tm_calls_of_process(const struct tm_calls *c, const struct tm_work_track *t)
{
	const struct tm_work_thread *th = c->w->thread;
	size_t lo = c->from, hi = c->to;

	/* In order of processes, those of no known one first. */
	TM_BISECT(lo, hi, mid, !th[mid].has_pid || th[mid].pid < t->pid);
	return t->has_pid && lo < c->to && th[lo].pid == t->pid;
}

/* Whose call a label may be of. */
struct asked {
	const struct tm_calls *c;
	const struct tm_work_track *track;
	bool of_process;
};

static bool fits(const void *arg, uint32_t label)
{
	const struct asked *a = arg;
	const struct tm_work_thread *th;

	if (!a->of_process)
		return true;
	th = &a->c->w->thread[a->c->labels.who[label]];
	return th->has_pid && th->pid == a->track->pid;
}

size_t tm_calls_find(struct tm_calls *c, const struct tm_work_track *t, bool of_process,
                     const struct tm_intervals *ops, size_t i)
{
	const struct asked a = { c, t, of_process };
	uint64_t corr = tm_interval_tag(ops, i);

	if (!corr || !c->v.n)
		return TM_CALL_NONE;
	c->at = tm_tagged_before_from(&c->v, c->at, corr, tm_interval_start(ops, i));
	return tm_tagged_choose(&c->v, c->at, corr, fits, &a);
}
