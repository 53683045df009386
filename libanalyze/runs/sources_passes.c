/* SPDX-License-Identifier: MIT
 * Passes over the same dispatches: a profiler that has more to count than fits into one execution
 * of the program executes it again, and leaves the same dispatches with other counters.
 *
 * The same program profiled again leaves the same dispatches, too.  They are passes where the
 * profiler put them into pass_1, pass_2 ... (or pmc_1), or where they do not count the same.  Of
 * the former each may lack some that the other has: they are passes if any dispatch is in both, and
 * either most are or no id is that of one kernel in the one and of another in the other. */
#include "runs/sources_parts.h"

#include <stdlib.h>
#include <string.h>

/* A dispatch: a hash of its id and its kernel, how many work-items it has, and its id. */
struct dispatch {
	uint64_t hash, size, id;
};

/* One unit, and which dispatches it speaks of. */
struct executed {
	const char *place, *path;
	size_t unit;
	uint64_t pass, timed, loose;
	struct dispatch *v; /* n, ascending */
	size_t n;
	bool ids, grids;   /* every row has one */
	bool bare;         /* no counters that anybody knows of ... */
	uint32_t head;     /* ... or a header that tells them */
	uint32_t *counter; /* ncounters names, ascending */
	size_t ncounters;
	bool cycles; /* it has those of the clock, which durations divide */
	size_t next; /* the pass before it, in a list; SIZE_MAX = none */
};

static int by_u32(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int by_kernel(const struct dispatch *a, const struct dispatch *b)
{
	if (a->id != b->id)
		return a->id > b->id ? 1 : -1;
	return (a->hash > b->hash) - (a->hash < b->hash);
}

static int by_dispatch(const void *pa, const void *pb)
{
	const struct dispatch *a = pa, *b = pb;
	int c = by_kernel(a, b);

	return c ? c : (a->size > b->size) - (a->size < b->size);
}

/* The dispatches of the trace that has most of them stand for the unit's; its counters are those of
 * all. */
static bool take_trace(const struct sources_of *o, const struct source_trace *t, struct executed *e)
{
	const struct tm_seen *s = t->s;
	uint32_t head = tm_watch_head(o->watch, s->id.path), *counter;
	struct dispatch *v;

	if (head != TM_NAME_NONE)
		e->head = head;
	if (s->counters.n) {
		counter = realloc(e->counter, (e->ncounters + s->counters.n) * sizeof *e->counter);
		if (!counter)
			return false;
		e->counter = counter;
		for (uint32_t i = 0; i < s->counters.n; i++) {
			uint32_t name = (uint32_t)s->counters.key[i];

			counter[e->ncounters++] = name;
			e->cycles |= !strcmp(o->all->names.v[name].text, "GRBM_GUI_ACTIVE");
		}
	}
	if (s->dispatches.n < e->n || !s->dispatches.n ||
	    (s->dispatches.n == e->n && s->timed <= e->timed))
		return true;
	v = realloc(e->v, s->dispatches.n * sizeof *v);
	if (!v)
		return false;
	memcpy(v, s->dispatches.key, s->dispatches.n * sizeof *v);
	e->v = v;
	e->n = s->dispatches.n;
	e->path = s->id.path;
	e->timed = s->timed;
	e->loose = s->loose;
	e->ids = !s->bare;
	e->grids = !s->gridless;
	return true;
}

static void executed_fini(struct executed *e)
{
	free(e->v);
	free(e->counter);
}

/* Its dispatches, or (copies) those of which it has copies, which count for another unit: that is
 * a pass wherever its copy lies beside one.  False when out of memory. */
static bool take_traces(const struct sources_of *o, struct executed *e, bool copies)
{
	size_t end, unit = e->unit;

	for (size_t i = tm_sources_first(o, unit, &end); i < end; i++) {
		const struct source_trace *t = &o->trace[i];

		if (copies ? t->same_as == SIZE_MAX : !tm_sources_counts(t))
			continue;
		if (!take_trace(o, t, e))
			return false;
		if (copies && e->n)
			e->unit = o->source[o->trace[t->same_as].source].unit;
	}
	return true;
}

/* False when out of memory; e->n == 0: it has no dispatches. */
static bool executed_of(const struct sources_of *o, size_t unit, struct executed *e)
{
	const struct source_unit *u = &o->unit[unit];
	const struct tm_source *first = &o->source[u->first];
	size_t k = 0;

	*e = (struct executed) { .place = o->trace[first->first].place,
		                 .unit = unit,
		                 .pass = o->trace[first->first].pass,
		                 .head = TM_NAME_NONE,
		                 .next = SIZE_MAX };
	/* A picture is drawn of what was executed. */
	if (u->drawn)
		return true;
	if (!take_traces(o, e, false) || (!e->n && !take_traces(o, e, true))) {
		executed_fini(e);
		return false;
	}
	if (e->n)
		qsort(e->v, e->n, sizeof *e->v, by_dispatch);
	if (e->ncounters)
		qsort(e->counter, e->ncounters, sizeof *e->counter, by_u32);
	for (size_t i = 0; i < e->ncounters; i++)
		if (!k || e->counter[k - 1] != e->counter[i])
			e->counter[k++] = e->counter[i];
	e->ncounters = k;
	e->bare = !k && e->head == TM_NAME_NONE;
	return true;
}

/* Those with more dispatches first: the others may have counted some of them only. */
static int by_place(const void *pa, const void *pb)
{
	const struct executed *a = pa, *b = pb;
	int c = strcmp(a->place, b->place);

	if (!c && a->n != b->n)
		c = a->n < b->n ? 1 : -1;
	if (!c && a->pass != b->pass)
		c = a->pass > b->pass ? 1 : -1;
	return c ? c : strcmp(a->path, b->path);
}

/* Do they not count the same? */
static bool other_counters(const struct executed *a, const struct executed *b)
{
	/* A list of dispatches, without any measurement, goes with one that has times. */
	if (!a->ncounters && !b->ncounters && !a->timed != !b->timed)
		return true;
	if (a->bare || b->bare)
		return a->bare != b->bare;
	if (!a->ncounters && !b->ncounters)
		return a->head != b->head;
	return a->ncounters != b->ncounters ||
	       memcmp(a->counter, b->counter, a->ncounters * sizeof *a->counter) != 0;
}

/* How many dispatches are in both? */
static size_t common(const struct executed *a, const struct executed *b)
{
	bool sizes = a->grids && b->grids;
	size_t k = 0, i = 0, n = 0;

	if (!a->ids || !b->ids)
		return 0;
	while (k < a->n && i < b->n) {
		int c = sizes ? by_dispatch(&a->v[k], &b->v[i]) : by_kernel(&a->v[k], &b->v[i]);

		n += !c;
		k += c <= 0;
		i += c >= 0;
	}
	return n;
}

/* Has one of the dispatches v[0..n), which have one id, its kernel and size in w[0..m)? */
static bool has_same(const struct dispatch *v, size_t n, const struct dispatch *w, size_t m,
                     bool sizes)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++)
			if (v[i].hash == w[k].hash && (!sizes || v[i].size == w[k].size))
				return true;
	return false;
}

/* Is some id that of one kernel here, and of another there? */
static bool contradict(const struct executed *a, const struct executed *b)
{
	bool sizes = a->grids && b->grids;

	for (size_t k = 0, i = 0, kend, iend; k < a->n && i < b->n;) {
		uint64_t x = a->v[k].id, y = b->v[i].id;

		for (kend = k; kend < a->n && a->v[kend].id == x; kend++)
			;
		for (iend = i; iend < b->n && b->v[iend].id == y; iend++)
			;
		if (x == y && !has_same(a->v + k, kend - k, b->v + i, iend - i, sizes))
			return true;
		k = x <= y ? kend : k;
		i = y <= x ? iend : i;
	}
	return false;
}

/* Do the directories of both say that they are passes? */
static bool numbered(const struct executed *a, const struct executed *b)
{
	return a->pass != UINT64_MAX && b->pass != UINT64_MAX;
}

/* May both be passes of one profiling, whatever the dispatches? */
static bool go_together(const struct sources_of *o, const struct executed *a,
                        const struct executed *b)
{
	const struct source_unit *x = &o->unit[a->unit], *y = &o->unit[b->unit];

	if (x->told && y->told && x->rank != y->rank)
		return false;
	if (numbered(a, b))
		return a->pass != b->pass;
	return other_counters(a, b);
}

/* Is every dispatch of b one of a?  What is numbered may have as many, of other ids. */
static bool same_dispatches(const struct executed *a, const struct executed *b)
{
	return (numbered(a, b) && a->n == b->n && a->loose == b->loose) ||
	       (a->ids && b->ids && common(a, b) == b->n);
}

/* Each execution may have lost dispatches of its own, however many: what is left of one program has
 * its kernel under each id that both have.  Where threads dispatch in another order each time, some
 * ids go with others, but not most of them. */
static bool most_dispatches(const struct executed *a, const struct executed *b)
{
	const size_t both = numbered(a, b) ? common(a, b) : 0;

	return both && (both > (a->n > b->n ? a->n : b->n) / 2 || !contradict(a, b));
}

/* A list of passes: what has most dispatches, and the last that joined it. */
struct list {
	size_t head, last;
};

/* The list that e[i] goes into: of those that agree with its dispatches best the first; `lists` =
 * none. */
static size_t find_list(const struct sources_of *o, const struct executed *e, size_t i,
                        const struct list *list, size_t lists)
{
	bool (*const agree[])(const struct executed *,
	                      const struct executed *) = { same_dispatches, most_dispatches };

	for (size_t how = 0; how < sizeof agree / sizeof *agree; how++)
		for (size_t k = 0; k < lists; k++) {
			size_t at = list[k].last;

			while (at != SIZE_MAX && go_together(o, &e[at], &e[i]))
				at = e[at].next;
			if (at == SIZE_MAX && agree[how](&e[list[k].head], &e[i]))
				return k;
		}
	return lists;
}

/* Lists of passes among n of one place. */
static bool cluster(struct sources_of *o, struct executed *e, size_t n)
{
	struct list *list = malloc((n + 1) * sizeof *list);
	size_t lists = 0;
	bool differ = false;

	/* Many processes that count the same: nothing to be found. */
	for (size_t i = 1; i < n; i++)
		differ |= e[i].pass != e[0].pass || other_counters(&e[i], &e[0]);
	for (size_t i = 0; list && differ && i < n; i++) {
		size_t k = find_list(o, e, i, list, lists);

		if (k == lists) {
			list[lists++] = (struct list) { .head = i, .last = i };
			continue;
		}
		e[i].next = list[k].last;
		list[k].last = i;
		tm_sources_join(o, e[list[k].head].unit, e[i].unit);
		o->unit[e[i].unit].passes = o->unit[e[list[k].head].unit].passes = true;
	}
	free(list);
	return list != NULL;
}

/* Is a the better one to take the times from? */
static bool times_better(const struct executed *a, const struct executed *b)
{
	if (a->timed != b->timed)
		return a->timed > b->timed;
	if (a->bare != b->bare)
		return a->bare;
	if (!a->ncounters != !b->ncounters)
		return !a->ncounters;
	if (a->cycles != b->cycles)
		return a->cycles;
	if (a->pass != b->pass)
		return a->pass < b->pass;
	return strcmp(a->path, b->path) < 0;
}

static size_t run_of(const struct sources_of *o, size_t unit)
{
	while (o->unit[unit].run != unit)
		unit = o->unit[unit].run;
	return unit;
}

/* Of each run one pass has the times. */
static bool choose_times(struct sources_of *o, const struct executed *e, size_t n)
{
	const struct executed **best = calloc(o->nunits + 1, sizeof *best);

	for (size_t i = 0; best && i < n; i++) {
		const struct executed **b = &best[run_of(o, e[i].unit)];

		if (o->unit[e[i].unit].passes && (!*b || times_better(&e[i], *b)))
			*b = &e[i];
	}
	for (size_t i = 0; best && i < o->nunits; i++)
		if (best[i])
			o->unit[best[i]->unit].timing = true;
	free(best);
	return best != NULL;
}

static int by_run(const void *pa, const void *pb, void *arg)
{
	const struct executed *const *a = pa, *const *b = pb;
	const size_t x = run_of(arg, (*a)->unit), y = run_of(arg, (*b)->unit);

	return (x > y) - (x < y);
}

/* The dispatches of n passes of a run that the one with the times lacks, however many of the others
 * have them.  False when out of memory. */
static bool count_untimed(struct sources_of *o, const struct executed *const *e, size_t n)
{
	const struct executed *best = NULL;
	struct dispatch *v;
	size_t all = 0, cap = 0;

	for (size_t i = 0; i < n; i++) {
		best = o->unit[e[i]->unit].timing ? e[i] : best;
		cap += e[i]->n;
	}
	v = malloc((cap + 1) * sizeof *v);
	for (size_t i = 0; v && best && i < n; i++) {
		/* As many of other numbers are the same ones. */
		if (e[i] == best || !e[i]->ids || !best->ids ||
		    (e[i]->n == best->n && e[i]->loose == best->loose))
			continue;
		memcpy(v + all, e[i]->v, e[i]->n * sizeof *v);
		all += e[i]->n;
	}
	if (v && all)
		qsort(v, all, sizeof *v, by_dispatch);
	for (size_t i = 0, k = 0; v && i < all; i++) {
		while (k < best->n && best->v[k].id < v[i].id)
			k++;
		o->unit[best->unit].untimed += (!i || v[i].id != v[i - 1].id) &&
		                               (k == best->n || best->v[k].id != v[i].id);
	}
	free(v);
	return v != NULL;
}

/* The same of all runs with passes. */
static bool count_all_untimed(struct sources_of *o, const struct executed *e, size_t n)
{
	const struct executed **v = malloc((n + 1) * sizeof *v);
	size_t passes = 0;
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < n; i++)
		if (o->unit[e[i].unit].passes)
			v[passes++] = &e[i];
	if (passes)
		qsort_r(v, passes, sizeof *v, by_run, o);
	for (size_t i = 0, end; ok && i < passes; i = end) {
		for (end = i + 1; end < passes && !by_run(&v[i], &v[end], o);)
			end++;
		ok = count_untimed(o, v + i, end - i);
	}
	free(v);
	return ok;
}

bool tm_sources_link_passes(struct sources_of *o)
{
	struct executed *e = calloc(o->nunits + 1, sizeof *e);
	bool ok = e != NULL;
	size_t n = 0;

	for (size_t i = 0; ok && i < o->nunits; i++) {
		ok = executed_of(o, i, &e[n]);
		if (ok && e[n].n)
			n++;
		else if (ok)
			executed_fini(&e[n]);
	}
	if (ok)
		qsort(e, n, sizeof *e, by_place);
	for (size_t i = 0, end; ok && i < n; i = end) {
		for (end = i + 1; end < n && !strcmp(e[i].place, e[end].place);)
			end++;
		ok = end - i < 2 || cluster(o, e + i, end - i);
	}
	ok = ok && choose_times(o, e, n) && count_all_untimed(o, e, n);
	for (size_t i = 0; i < n; i++)
		executed_fini(&e[i]);
	free(e);
	return ok;
}
