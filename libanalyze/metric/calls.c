/* SPDX-License-Identifier: MIT */
#include "metric/calls.h"

#include <stdlib.h>
#include <string.h>

/* So many calls of one id are looked at for one of the right process: more processes of one rank
 * that count alike are not told apart, and a crafted trace takes no longer than others. */
enum { WALK = 1024 };

static enum call_kind kind_of(const char *name)
{
	static const struct {
		enum call_kind kind;
		const char *name;
	} launches[] = {
#define CALL_KERNEL        CALL_LAUNCH
#define LAUNCH(kind, name) { CALL_##kind, name },
#include "schemas/launch_calls.def"
#undef LAUNCH
#undef CALL_KERNEL
	};

	for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
		if (work_name_like(launches[i].name, name))
			return launches[i].kind;
	return CALL_OTHER;
}

static bool add_thread(struct calls *c, size_t thread, enum work_api api, const uint8_t *kind)
{
	const struct intervals *s = &c->w->thread[thread].call[api];

	for (size_t i = 0; i < s->n; i++) {
		uint32_t name = (uint32_t)thread << 2 | (s->named ? kind[s->name[i]] : CALL_OTHER);
		uint64_t corr = interval_tag(s, i);

		if (corr && !intervals_add(&c->v, s->v[i].start, interval_end(s, i), corr, name))
			return false;
	}
	return true;
}

bool calls_init(struct calls *c, struct work *w, uint64_t rank, bool move)
{
	enum work_api api = work_api_of(w, rank);
	uint8_t *kind = malloc((size_t)w->names.n + 1);
	bool ok = kind != NULL && w->nthread < UINT32_MAX >> 2;
	size_t n = 0;

	*c = (struct calls) { .w = w, .v = { .named = true } };
	for (uint32_t i = 0; kind && i < w->names.n; i++)
		kind[i] = (uint8_t)kind_of(w->names.v[i].text);
	while (c->from < w->nthread && w->thread[c->from].rank < rank)
		c->from++;
	for (c->to = c->from; c->to < w->nthread && w->thread[c->to].rank == rank; c->to++)
		n += w->thread[c->to].call[api].n;
	/* At once, for these are the longest lists there are. */
	ok = ok && grow_array(&c->v.v, &c->v.cap, n, sizeof *c->v.v) &&
	     grow_array(&c->v.name, &c->v.name_cap, n, sizeof *c->v.name);
	for (size_t i = c->from; i < c->to; i++) {
		ok = ok && add_thread(c, i, api, kind);
		if (move)
			intervals_fini(&w->thread[i].call[api]);
	}
	free(kind);
	return ok && intervals_sort_by_tag(&c->v, NULL);
}

void calls_fini(struct calls *c)
{
	intervals_fini(&c->v);
	*c = (struct calls) { 0 };
}

bool calls_of_process(const struct calls *c, const struct work_track *t)
{
	for (size_t i = c->from; t->has_pid && i < c->to; i++)
		if (c->w->thread[i].has_pid && c->w->thread[i].pid == t->pid)
			return true;
	return false;
}

/* Is entry i before (corr, start): smaller id, or the same and started not after? */
static bool before(const struct calls *c, size_t i, uint64_t corr, uint64_t start)
{
	uint64_t tag = interval_tag(&c->v, i);

	return tag < corr || (tag == corr && c->v.v[i].start <= start);
}

/* How many entries are before: from where the last search ended, in steps that double. */
static size_t rank_of(struct calls *c, uint64_t corr, uint64_t start)
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

size_t calls_find(struct calls *c, const struct work_track *t, bool of_process,
                  const struct intervals *ops, size_t i)
{
	uint64_t corr = interval_tag(ops, i);
	size_t at, k;

	if (!corr || !c->v.n)
		return CALL_NONE;
	at = rank_of(c, corr, ops->v[i].start);
	for (k = at; k && at - k < WALK && interval_tag(&c->v, k - 1) == corr; k--) {
		const struct work_thread *th = &c->w->thread[calls_thread(c, k - 1)];

		if (!of_process || (th->has_pid && th->pid == t->pid))
			return k - 1;
	}
	for (k = at; k < c->v.n && k - at < WALK && interval_tag(&c->v, k) == corr; k++) {
		const struct work_thread *th = &c->w->thread[calls_thread(c, k)];

		if (!of_process || (th->has_pid && th->pid == t->pid))
			return k;
	}
	return CALL_NONE;
}
