/* SPDX-License-Identifier: MIT */
#include "work/calls.h"

#include "base/base.h"

#include <stdlib.h>

/* So many calls of one id are looked at for one of the right process: more processes of one rank
 * that count alike are not told apart, and a crafted trace takes no longer than others. */
enum { WALK = 1024 };

enum tm_call_kind tm_call_kind_of_text(const char *name)
{
	static const struct {
		enum tm_call_kind kind;
		const char *name;
	} launches[] = {
#define TM_CALL_KERNEL     TM_CALL_LAUNCH
#define LAUNCH(kind, name) { TM_CALL_##kind, name },
#include "schemas/launch_calls.def"
#undef LAUNCH
#undef TM_CALL_KERNEL
	};

	for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
		if (tm_work_name_like(launches[i].name, name))
			return launches[i].kind;
	return TM_CALL_OTHER;
}

/* Which correlation ids the operations of a rank have: a bit each, or, where these would be too
 * many, a bit for each hash, so that a few others pass. */
struct ids {
	uint64_t *bit;
	uint64_t least, most;
	unsigned shift; /* hash -> bit; 0 = no hashing */
	const struct tm_hash *hash;
};

static uint64_t id_bit(const struct ids *ids, uint64_t corr)
{
	if (ids->shift)
		return tm_hash_word(ids->hash, corr) >> ids->shift;
	return corr - ids->least;
}

static bool has_id(const struct ids *ids, uint64_t corr)
{
	uint64_t b = id_bit(ids, corr);

	return corr >= ids->least && corr <= ids->most && ids->bit[b / 64] >> b % 64 & 1;
}

/* How many there are, and of what ids. */
static uint64_t count_ids(struct ids *ids, const struct tm_work *w, size_t from, size_t to)
{
	uint64_t n = 0;

	ids->least = UINT64_MAX;
	for (size_t t = from; t < to; t++) {
		for (int k = 0; k < TM_WORK_KINDS; k++) {
			const struct tm_intervals *s = &w->track[t].op[k];

			n += s->n;
			for (size_t i = 0; i < s->n; i++) {
				uint64_t corr = tm_interval_tag(s, i);

				ids->least = corr && corr < ids->least ? corr : ids->least;
				ids->most = corr > ids->most ? corr : ids->most;
			}
		}
	}
	return n;
}

static bool ids_of(struct ids *ids, const struct tm_work *w, uint64_t rank)
{
	const struct tm_work_range of = tm_work_tracks_of(w, rank);
	unsigned bits = 6;
	uint64_t n = count_ids(ids, w, of.from, of.to);

	while (n > (UINT64_C(1) << bits) / 4)
		bits++;
	if (ids->least > ids->most || ids->most - ids->least >= UINT64_C(1) << bits)
		ids->shift = 64 - bits;
	ids->hash = tm_hash_own();
	ids->bit = calloc((size_t)1 << (bits - 6), sizeof *ids->bit);
	if (!ids->bit)
		return false;
	for (size_t t = of.from; t < of.to; t++) {
		for (int k = 0; k < TM_WORK_KINDS; k++) {
			const struct tm_intervals *s = &w->track[t].op[k];

			for (size_t i = 0; i < s->n; i++) {
				uint64_t corr = tm_interval_tag(s, i), b = id_bit(ids, corr);

				if (corr)
					ids->bit[b / 64] |= UINT64_C(1) << b % 64;
			}
		}
	}
	return true;
}

/* ---- the index ---- */

/* What calls are chosen by. */
struct choice {
	const struct tm_calls *c;
	struct ids ids;
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
	       (corr && has_id(&by->ids, corr));
}

static bool copy_waits(struct tm_intervals *out, const struct choice *by,
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
	bool ok = tm_intervals_part(&t->call[api], &some, is_asked, by);

	for (int a = 0; a < TM_WORK_APIS; a++)
		if (!all || a != (int)api)
			tm_intervals_fini(&t->call[a]);
	ok = ok && copy_waits(&some, by, &t->wait[api]) &&
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
	free(by.ids.bit);
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
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (!th[mid].has_pid || th[mid].pid < t->pid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return t->has_pid && lo < c->to && th[lo].pid == t->pid;
}

/* Is entry i before (corr, start): smaller id, or the same and started not after? */
static bool before(const struct tm_calls *c, size_t i, uint64_t corr, uint64_t start)
{
	uint64_t tag = tm_interval_tag(&c->v, i);

	return tag < corr || (tag == corr && tm_interval_start(&c->v, i) <= start);
}

/* How many entries are before: from where the last search ended, in steps that double. */
static size_t rank_of(struct tm_calls *c, uint64_t corr, uint64_t start)
{
	size_t lo = c->at, hi, step = 1;

	if (lo < c->v.n && before(c, lo, corr, start)) {
		for (hi = lo + 1; hi < c->v.n && before(c, hi, corr, start); step *= 2) {
			lo = hi;
			hi = c->v.n - hi > step ? hi + step : c->v.n;
		}
		lo++;
	} else {
		for (hi = lo; lo && !before(c, lo - 1, corr, start); step *= 2) {
			hi = lo - 1;
			lo = hi > step ? hi - step : 0;
		}
	}
	/* Entries below lo are before, those from hi on are not. */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (before(c, mid, corr, start))
			lo = mid + 1;
		else
			hi = mid;
	}
	return c->at = lo;
}

size_t tm_calls_find(struct tm_calls *c, const struct tm_work_track *t, bool of_process,
                     const struct tm_intervals *ops, size_t i)
{
	uint64_t corr = tm_interval_tag(ops, i);
	size_t at, k;

	if (!corr || !c->v.n)
		return TM_CALL_NONE;
	at = rank_of(c, corr, tm_interval_start(ops, i));
	for (k = at; k && at - k < WALK && tm_interval_tag(&c->v, k - 1) == corr; k--) {
		const struct tm_work_thread *th = &c->w->thread[tm_calls_thread(c, k - 1)];

		if (!of_process || (th->has_pid && th->pid == t->pid))
			return k - 1;
	}
	for (k = at; k < c->v.n && k - at < WALK && tm_interval_tag(&c->v, k) == corr; k++) {
		const struct tm_work_thread *th = &c->w->thread[tm_calls_thread(c, k)];

		if (!of_process || (th->has_pid && th->pid == t->pid))
			return k;
	}
	return TM_CALL_NONE;
}
