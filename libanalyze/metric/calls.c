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

/* Which correlation ids the operations of a rank have: a bit each, by hash, so a few others pass. */
struct ids {
	uint64_t *bit;
	unsigned shift; /* hash -> bit */
};

static uint64_t id_bit(const struct ids *ids, uint64_t corr)
{
	return corr * UINT64_C(0x9e3779b97f4a7c15) >> ids->shift;
}

static bool ids_of(struct ids *ids, const struct work *w, uint64_t rank)
{
	uint64_t n = 0;
	unsigned bits = 6;

	for (size_t t = 0; t < w->ntrack; t++)
		for (int k = 0; k < WORK_KINDS && w->track[t].rank == rank; k++)
			n += w->track[t].op[k].n;
	while (n > (UINT64_C(1) << bits) / 8)
		bits++;
	ids->shift = 64 - bits;
	ids->bit = calloc((size_t)1 << (bits - 6), sizeof *ids->bit);
	if (!ids->bit)
		return false;
	for (size_t t = 0; t < w->ntrack; t++) {
		for (int k = 0; k < WORK_KINDS && w->track[t].rank == rank; k++) {
			const struct intervals *s = &w->track[t].op[k];

			for (size_t i = 0; i < s->n; i++) {
				uint64_t b = id_bit(ids, interval_tag(s, i));

				ids->bit[b / 64] |= UINT64_C(1) << b % 64;
			}
		}
	}
	return true;
}

/* What is asked for later: calls that an operation names, and launches without any. */
struct asked {
	struct ids ids;
	uint8_t *kind; /* of a name */
};

static enum call_kind kind_at(const struct asked *a, const struct intervals *s, size_t i)
{
	return s->named ? (enum call_kind)a->kind[s->name[i]] : CALL_OTHER;
}

static bool is_asked(const struct asked *a, const struct intervals *s, size_t i)
{
	uint64_t corr = interval_tag(s, i), b = id_bit(&a->ids, corr);

	return corr && (a->ids.bit[b / 64] >> b % 64 & 1 || kind_at(a, s, i) != CALL_OTHER);
}

static size_t count(const struct asked *a, const struct intervals *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += is_asked(a, s, i);
	return n;
}

/* Leave only those: most calls launch nothing. */
static void drop_others(const struct asked *a, struct intervals *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (!is_asked(a, s, i))
			continue;
		if (s->named)
			s->name[n] = s->name[i];
		s->v[n++] = s->v[i];
	}
	s->n = n;
	intervals_trim(s);
}

static bool add_thread(struct calls *c, const struct asked *a, size_t thread, enum work_api api)
{
	const struct intervals *s = &c->w->thread[thread].call[api];

	for (size_t i = 0; i < s->n; i++) {
		uint32_t name = (uint32_t)thread << 2 | kind_at(a, s, i);

		if (is_asked(a, s, i) && !intervals_add(&c->v, s->v[i].start, interval_end(s, i),
		                                        interval_tag(s, i), name))
			return false;
	}
	return true;
}

static bool index_calls(struct calls *c, struct work *w, uint64_t rank, bool move,
                        const struct asked *a)
{
	enum work_api api = work_api_of(w, rank);
	size_t n = 0;

	for (size_t i = c->from; i < c->to; i++) {
		struct intervals *s = &w->thread[i].call[api];

		if (move)
			drop_others(a, s);
		n += move ? s->n : count(a, s);
	}
	/* At once, for these are the longest lists there are. */
	if (!grow_array(&c->v.v, &c->v.cap, n, sizeof *c->v.v) ||
	    !grow_array(&c->v.name, &c->v.name_cap, n, sizeof *c->v.name))
		return false;
	for (size_t i = c->from; i < c->to; i++) {
		if (!add_thread(c, a, i, api))
			return false;
		if (move)
			intervals_fini(&w->thread[i].call[api]);
	}
	intervals_sort_by_tag(&c->v, NULL);
	return true;
}

bool calls_init(struct calls *c, struct work *w, uint64_t rank, bool move)
{
	struct asked a = { .kind = malloc((size_t)w->names.n + 1) };
	bool ok;

	*c = (struct calls) { .w = w, .v = { .named = true } };
	for (uint32_t i = 0; a.kind && i < w->names.n; i++)
		a.kind[i] = (uint8_t)kind_of(w->names.v[i].text);
	while (c->from < w->nthread && w->thread[c->from].rank < rank)
		c->from++;
	for (c->to = c->from; c->to < w->nthread && w->thread[c->to].rank == rank;)
		c->to++;
	ok = a.kind && w->nthread < UINT32_MAX >> 2 && ids_of(&a.ids, w, rank) &&
	     index_calls(c, w, rank, move, &a);
	free(a.kind);
	free(a.ids.bit);
	return ok;
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
