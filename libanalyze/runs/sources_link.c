/* SPDX-License-Identifier: MIT
 * Traces of other names that are of one run all the same: the same events in another format, the
 * statistics of them, and passes over the same dispatches. */
#include "runs/sources_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
	KERNEL = TM_DOMAIN_KERNEL,
	TRIES = 64,  /* traces of one length that are compared with another */
	LATE = 2000, /* ns between the first kernels of one run in two formats */
	NAMES = 4,   /* that statistics must agree in: fewer may be alike by chance */
	ENOUGH = 16, /* kernels that no two executions have with the same lengths and distances */
};

size_t tm_sources_run_of(struct sources_of *o, size_t unit)
{
	while (o->unit[unit].run != unit) {
		/* Halve the way for whoever comes next. */
		o->unit[unit].run = o->unit[o->unit[unit].run].run;
		unit = o->unit[unit].run;
	}
	return unit;
}

void tm_sources_join(struct sources_of *o, size_t a, size_t b)
{
	size_t next;

	a = tm_sources_run_of(o, a);
	b = tm_sources_run_of(o, b);
	if (a == b)
		return;
	next = o->unit[a].next;
	o->unit[a].next = o->unit[b].next;
	o->unit[b].next = next;
	if (a < b)
		o->unit[b].run = a;
	else
		o->unit[a].run = b;
}

static const struct source_trace *first_trace(const struct sources_of *o, size_t unit)
{
	return &o->trace[o->source[o->unit[unit].first].first];
}

/* ---- copies ---- */

/* What counts for it. */
static const struct source_trace *counted(const struct sources_of *o, const struct source_trace *t)
{
	while (t->same_as != SIZE_MAX)
		t = &o->trace[t->same_as];
	return t;
}

/* Does the unit hold the same events? */
static bool unit_has(const struct sources_of *o, size_t unit, const struct source_trace *t)
{
	size_t end;

	for (size_t i = tm_sources_first(o, unit, &end); i < end; i++)
		if (counted(o, &o->trace[i]) == counted(o, t))
			return true;
	return false;
}

/* Has it anything that only one process leaves?  All those of a node describe the same agents. */
static bool is_own(const struct source_trace *t)
{
	return !t->merged && t->s->part[TM_PART_AGENT].rows != t->s->events;
}

/* Does each of them hold, of one table, what the other does not?  Then they share it by chance:
 * files of two processes that did little may be alike. */
static bool tell_apart(const struct sources_of *o, size_t a, size_t b)
{
	size_t end_a, end_b;

	for (size_t i = tm_sources_first(o, a, &end_a); i < end_a; i++) {
		const struct source_trace *x = &o->trace[i];

		if (!is_own(x) || unit_has(o, b, x))
			continue;
		for (size_t k = tm_sources_first(o, b, &end_b); k < end_b; k++) {
			const struct source_trace *y = &o->trace[k];

			if (is_own(y) && !strcmp(x->s->id.format, y->s->id.format) &&
			    !strcmp(x->s->id.table, y->s->id.table) && !unit_has(o, a, y))
				return true;
		}
	}
	return false;
}

/* Are they called alike, but for how they are compressed? */
static bool same_base(const struct source_trace *a, const struct source_trace *b)
{
	const char *x = tm_path_base(a->s->id.path), *y = tm_path_base(b->s->id.path);
	size_t n = tm_watch_unpacked(x);

	return n == tm_watch_unpacked(y) && !memcmp(x, y, n);
}

/* A copy is of the run of what counts for it, and so is what else is of its run: an archive may
 * hold tables that the folder does not.  Where it has another name, and there is what tells them
 * apart, it is none. */
static void link_copies(struct sources_of *o)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct source_trace *t = &o->trace[i];
		size_t a, b;

		if (t->same_as == SIZE_MAX || !is_own(t))
			continue;
		a = o->source[t->source].unit;
		b = o->source[counted(o, t)->source].unit;
		if (tm_sources_run_of(o, a) != tm_sources_run_of(o, b) &&
		    !tm_sources_other_ranks(&o->unit[a], &o->unit[b]) &&
		    (same_base(t, counted(o, t)) || !tell_apart(o, a, b)))
			tm_sources_join(o, a, b);
	}
}

/* ---- the same events ---- */

/* A unit, and its best source of kernels or, without kernels, of its first part with events. */
struct candidate {
	const char *place;
	size_t unit;
	enum tm_trace_part part;
	const struct tm_source *s;
	uint64_t rows, length;
};

static int by_bucket(const struct candidate *a, const struct candidate *b)
{
	int c = strcmp(a->place, b->place);

	if (c)
		return c;
	if (a->part != b->part)
		return a->part > b->part ? 1 : -1;
	return (a->rows > b->rows) - (a->rows < b->rows);
}

static int by_block(const struct candidate *a, const struct candidate *b)
{
	int c = by_bucket(a, b);

	return c ? c : strcmp(a->s->format, b->s->format);
}

static int by_rows(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;
	int c = by_block(a, b);

	if (c)
		return c;
	if (a->length != b->length)
		return a->length > b->length ? 1 : -1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

static uint64_t apart(const struct candidate *a, const struct candidate *b)
{
	uint64_t longest = b->s->part[b->part].longest, x = a->length, y = b->length;
	uint64_t most = a->s->part[a->part].longest;

	most = longest > most ? longest : most;
	most = most > 2000 ? most : 2000;
	x = x > y ? x - y : y - x;
	return x <= most ? x : UINT64_MAX;
}

/* Can these be compared?  A timeline contains exactly the events of the trace that it was drawn of.
 * Other traces are compared by their kernels, unless one has losses and may lack any of them. */
static bool comparable(const struct candidate *a, const struct candidate *b)
{
	return a->part == b->part &&
	       (a->s->drawn != b->s->drawn ||
	        (a->part == (enum tm_trace_part)KERNEL && !a->s->lossy && !b->s->lossy));
}

/* Two candidates that may be of one run, and what speaks for it: the less, the better. */
struct match {
	const struct candidate *a, *b;
	bool other_process, late;
	bool close;  /* these kernels are far from each other as those of one execution are ... */
	bool sure;   /* ... and no other execution has the like */
	tm_u128 off; /* ns, of the mean start after the first one, and of the length */
};

struct matches {
	struct match *v;
	size_t n, cap;
};

static int by_match(const void *pa, const void *pb)
{
	const struct match *a = pa, *b = pb;

	if (a->other_process != b->other_process)
		return a->other_process ? 1 : -1;
	if (a->late != b->late)
		return a->late ? 1 : -1;
	if (a->off != b->off)
		return a->off > b->off ? 1 : -1;
	if (a->a->unit != b->a->unit)
		return a->a->unit > b->a->unit ? 1 : -1;
	return (a->b->unit > b->b->unit) - (a->b->unit < b->b->unit);
}

/* The mean start of the kernels, from the first on. */
static uint64_t mean_start(const struct tm_source *s)
{
	struct tm_seen_agent sum = { .first = UINT64_MAX };

	for (size_t i = 0; i < s->nagents; i++)
		tm_seen_agent_add(&sum, &s->agent[i]);
	return sum.kernels ? (uint64_t)(sum.starts / sum.kernels) - sum.first : 0;
}

static uint64_t between(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Are the lengths of kernels known to the nanosecond? */
static bool is_fine(const struct candidate *c)
{
	return c->s->facts.times == TM_TIMES_EXACT || c->s->part[c->part].fine;
}

/* Of kernels that take the same time by name: are they as far from the first one, on another clock,
 * and not by chance?  Of one clock equal times tell (sources_exact.c). */
static bool is_close(const struct match *m, bool one_clock)
{
	return !one_clock && m->off <= LATE && (m->a->rows >= ENOUGH || !m->other_process);
}

/* Few kernels may be alike to the nanosecond, and ranks that wait for each other have the same ones
 * to the microsecond; but not if they are one process. */
static bool is_sure(const struct match *m)
{
	const bool fine = is_fine(m->a) && is_fine(m->b), enough = m->a->rows >= ENOUGH;

	return m->close && (m->other_process ? fine && enough : fine || enough);
}

/* Is it one run, as far as can be seen, and nothing else says so? */
static bool is_blurred(const struct match *m)
{
	return m->close && !m->sure;
}

/* May these be of one run, though their names say nothing of it?  False when out of memory. */
static bool match(struct sources_of *o, const struct candidate *a, const struct candidate *b,
                  struct matches *m)
{
	const struct tm_seen_part *x = &a->s->part[a->part], *y = &b->s->part[b->part];
	bool one_clock = (a->s->facts.profilers & b->s->facts.profilers) != 0 &&
	                 a->s->facts.times != TM_TIMES_MOVED && b->s->facts.times != TM_TIMES_MOVED;
	bool late = between(x->first, y->first) > LATE, same;
	struct source_diff d;

	if (!comparable(a, b) || (one_clock && late))
		return true;
	if (!tm_sources_same(o, a->s, b->s, a->part, &same, &d))
		return false;
	if (!same)
		return true;
	if (!tm_grow_array(&m->v, &m->cap, m->n + 1, sizeof *m->v))
		return false;
	m->v[m->n] = (struct match) {
		.a = a,
		.b = b,
		.other_process = !tm_sources_same_process(o, a->unit, b->unit),
		.late = late,
		.off = (tm_u128)between(mean_start(a->s), mean_start(b->s)) +
		       between(a->length, b->length),
	};
	m->v[m->n].close = is_close(&m->v[m->n], one_clock);
	m->v[m->n].sure = is_sure(&m->v[m->n]);
	m->n++;
	return true;
}

/* Those of n of another format, by length, that may be of the run of c and are not: the nearest. */
static bool find_matches(struct sources_of *o, const struct candidate *c, const struct candidate *v,
                         size_t n, struct matches *m)
{
	size_t lo = 0, hi = n, down;

	TM_BISECT(lo, hi, mid, v[mid].length < c->length);
	down = lo;
	for (int tries = 0; tries < TRIES;) {
		uint64_t above = lo < n ? apart(c, &v[lo]) : UINT64_MAX;
		uint64_t below = down ? apart(c, &v[down - 1]) : UINT64_MAX;
		const struct candidate *next;

		if (above == UINT64_MAX && below == UINT64_MAX)
			break;
		next = above <= below ? &v[lo++] : &v[--down];
		if (tm_sources_run_of(o, c->unit) == tm_sources_run_of(o, next->unit) ||
		    !tm_sources_joinable(o, c->unit, next->unit))
			continue;
		tries++;
		if (!match(o, c, next, m))
			return false;
	}
	return true;
}

/* Those first that fit best; others may have been joined meanwhile. */
static void join_matches(struct sources_of *o, struct matches *m)
{
	if (m->n)
		qsort(m->v, m->n, sizeof *m->v, by_match);
	for (size_t i = 0; i < m->n; i++) {
		const size_t a = m->v[i].a->unit, b = m->v[i].b->unit;

		if (tm_sources_run_of(o, a) != tm_sources_run_of(o, b) &&
		    tm_sources_joinable(o, a, b))
			tm_sources_join(o, a, b);
	}
	m->n = 0;
}

/* Has the run of c the format of v? */
static bool has_partner(struct sources_of *o, const struct candidate *c, const struct candidate *v)
{
	size_t i = c->unit;

	do {
		const struct source_unit *u = &o->unit[i];

		for (size_t k = u->first; k < u->first + u->n; k++)
			if (o->source[k].part[v->part].rows &&
			    !strcmp(o->source[k].format, v->s->format))
				return true;
		i = u->next;
	} while (i != c->unit);
	return false;
}

/* Each of nc candidates goes with one of n of another format.  Where more than are compared are
 * alike, some are left when the best are joined: each of them takes what is left.  *found: the
 * first one has one.  False when out of memory. */
static bool find_partners(struct sources_of *o, const struct candidate *c, size_t nc,
                          const struct candidate *v, size_t n, bool *found)
{
	struct matches m = { 0 };
	bool ok = true;

	for (int left = 0; left < 2; left++) {
		for (size_t i = 0; ok && i < nc; i++) {
			/* There may be several pictures of one run. */
			if (has_partner(o, &c[i], v) && !v->s->drawn)
				continue;
			ok = find_matches(o, &c[i], v, n, &m);
			if (ok && left)
				join_matches(o, &m);
		}
		if (ok)
			join_matches(o, &m);
	}
	*found = has_partner(o, c, v);
	free(m.v);
	return ok;
}

static bool link_bucket(struct sources_of *o, const struct candidate *v, size_t n)
{
	bool found;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && !by_block(&v[i], &v[end]);)
			end++;
		if (end < n && !find_partners(o, v + end, n - end, v + i, end - i, &found))
			return false;
	}
	return true;
}

static bool is_stored(const struct candidate *c)
{
	return !strcmp(c->s->format, "rocpd");
}

/* Those of a directory above with as many rows, where one is a database: 'rocpd convert' writes
 * what it makes into a directory below, and what it makes of may be moved there. */
static bool link_above(struct sources_of *o, const struct candidate *c, const struct candidate *v,
                       size_t n)
{
	struct candidate key = *c;
	char *place = strdup(c->place);
	size_t len = place ? strlen(place) : 0;
	bool ok = place != NULL, found;

	key.place = place;
	while (ok && (len = tm_watch_place_above(place, len)) > 0) {
		size_t lo = 0, hi = n, end;

		place[len] = '\0';
		TM_BISECT(lo, hi, mid, by_bucket(&v[mid], &key) < 0);
		for (; ok && lo < n && !by_bucket(&v[lo], &key); lo = end) {
			for (end = lo + 1; end < n && !by_block(&v[lo], &v[end]);)
				end++;
			if (is_stored(&v[lo]) != is_stored(c))
				ok = find_partners(o, c, 1, v + lo, end - lo, &found);
		}
	}
	free(place);
	return ok;
}

/* Of a pftrace, databases with as many rows in the directories beside its own, or below those: in
 * tables of them the ids tell.  Of a picture of ours, whatever has as many. */
static bool link_beside(struct sources_of *o, const struct candidate *c, const struct candidate *v,
                        size_t n, bool *found)
{
	const size_t above = tm_watch_place_above(c->place, strlen(c->place));
	size_t lo = 0, hi = n, end;
	bool ok = true;

	*found = false;
	if (!c->s->drawn && strcmp(c->s->format, "pftrace") != 0)
		return true;
	TM_BISECT(lo, hi, mid, strncmp(v[mid].place, c->place, above) < 0);
	/* A picture is drawn of one, and others may be like that. */
	for (; ok && above && !(*found && c->s->drawn) && lo < n &&
	       !strncmp(v[lo].place, c->place, above);
	     lo = end) {
		for (end = lo + 1; end < n && !by_block(&v[lo], &v[end]);)
			end++;
		if ((c->s->drawn ? !v[lo].s->drawn : is_stored(&v[lo])) && v[lo].rows == c->rows)
			ok = find_partners(o, c, 1, v + lo, end - lo, found);
	}
	return ok;
}

/* Of a picture that nothing beside it is the run of, what a database of several traces holds: that
 * may be from anywhere. */
static bool link_kept(struct sources_of *o, const struct candidate *c, const struct candidate *v,
                      size_t n)
{
	bool ok = true, found = false;

	for (size_t i = 0; ok && !found && c->s->drawn && i < n; i++)
		if (v[i].rows == c->rows && !v[i].s->drawn &&
		    o->trace[v[i].s->first].s->nth != SIZE_MAX && apart(c, &v[i]) != UINT64_MAX)
			ok = find_partners(o, c, 1, &v[i], 1, &found);
	return ok;
}

/* By the first domain before `to` of which the unit has events with times; false: there is none. */
static bool candidate_of(const struct sources_of *o, size_t unit, enum tm_domain to,
                         struct candidate *c)
{
	for (enum tm_domain d = 0; d < to; d++) {
		const enum tm_trace_part part = (enum tm_trace_part)d;
		const struct tm_source *s = tm_sources_best(o, unit, part);

		if (!s || !s->part[part].timed)
			continue;
		*c = (struct candidate) {
			.place = first_trace(o, unit)->place,
			.unit = unit,
			.part = part,
			.s = s,
			.rows = s->part[part].rows,
			.length = s->part[part].last - s->part[part].first,
		};
		return true;
	}
	return false;
}

/* Join those that are surely one run, if nothing else is that run: two units of one format may be
 * alike.  count[unit], all 0, is so again. */
static void join_sure(struct sources_of *o, const struct matches *m, uint32_t *count)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].sure) {
			count[m->v[i].a->unit]++;
			count[m->v[i].b->unit]++;
		}
	for (size_t i = 0; i < m->n; i++) {
		const size_t a = m->v[i].a->unit, b = m->v[i].b->unit;

		if (m->v[i].sure && count[a] == 1 && count[b] == 1 && tm_sources_joinable(o, a, b))
			tm_sources_join(o, a, b);
	}
	for (size_t i = 0; i < m->n; i++)
		count[m->v[i].a->unit] = count[m->v[i].b->unit] = 0;
}

/* Are those of a match of two runs? */
static bool is_apart(struct sources_of *o, const struct match *m)
{
	return tm_sources_run_of(o, m->a->unit) != tm_sources_run_of(o, m->b->unit);
}

/* Of those that are of two runs nothing counts where they must be one; else the first is said to be
 * twice, once. */
static void tell_twice(struct sources_of *o, struct matches *m, bool *told)
{
	const struct match *found = NULL;

	if (m->n)
		qsort(m->v, m->n, sizeof *m->v, by_match);
	for (size_t i = 0; i < m->n; i++)
		if (is_apart(o, &m->v[i]) &&
		    (!found || (is_blurred(&m->v[i]) && !is_blurred(found))))
			found = &m->v[i];
	if (!found || o->refused || (*told && !is_blurred(found)))
		return;
	*told = true;
	o->refused = is_blurred(found);
	tm_report_add(o->rep, is_blurred(found) ? TM_SEV_ERROR : TM_SEV_WARN,
	              first_trace(o, found->a->unit)->s->id.path, 0,
	              "has the same kernels as %.300s, in another format: %sgive one of the two",
	              first_trace(o, found->b->unit)->s->id.path,
	              is_blurred(found) ? "" : "both count; if they are one run, ");
}

/* Where a run of two formats lies apart, and neither the nanoseconds nor the directories tell that
 * it is one: it is one if no other execution can have these kernels; else both count, and that is
 * said.  Candidates v[0..n) are by_rows(), of any place. */
static bool link_far(struct sources_of *o, const struct candidate *v, size_t n)
{
	uint32_t *count = calloc(o->nunits + 1, sizeof *count);
	struct matches m = { 0 };
	bool ok = count != NULL, told = false;

	for (size_t i = 0, end; ok && i < n; i = end) {
		for (end = i + 1; end < n && !by_block(&v[i], &v[end]);)
			end++;
		for (size_t k = end, last; ok && k < n && !by_bucket(&v[i], &v[k]); k = last) {
			for (last = k; ok && last < n && !by_block(&v[k], &v[last]); last++)
				ok = find_matches(o, &v[last], v + i, end - i, &m);
			if (ok)
				join_sure(o, &m, count);
			tell_twice(o, &m, &told);
			m.n = 0;
		}
	}
	free(count);
	free(m.v);
	return ok;
}

/* By the kernels of a unit that are counted elsewhere: its neighbors are next to a copy. */
static bool copy_of(struct sources_of *o, size_t unit, struct candidate *c)
{
	size_t end;

	for (size_t i = tm_sources_first(o, unit, &end); i < end; i++) {
		const struct source_trace *t = &o->trace[i];
		const size_t other = o->source[counted(o, t)->source].unit;

		if (other == unit || tm_sources_run_of(o, other) != tm_sources_run_of(o, unit) ||
		    !candidate_of(o, other, KERNEL + 1, c))
			continue;
		c->place = t->place;
		c->unit = unit;
		return true;
	}
	return false;
}

/* After all others: runs that may be one, wherever they are. */
static bool link_anywhere(struct sources_of *o)
{
	struct candidate *v = malloc((o->nunits + 1) * sizeof *v);
	size_t n = 0;
	bool ok;

	for (size_t i = 0; v && i < o->nunits; i++)
		if (candidate_of(o, i, KERNEL + 1, &v[n]))
			v[n++].place = "";
	if (v && n)
		qsort(v, n, sizeof *v, by_rows);
	ok = v && link_far(o, v, n);
	free(v);
	return ok;
}

static bool link_events(struct sources_of *o)
{
	struct candidate *v = malloc((o->nunits + 1) * sizeof *v);
	bool ok = v != NULL, found;
	size_t n = 0;

	for (size_t i = 0; ok && i < o->nunits; i++)
		n += candidate_of(o, i, KERNEL + 1, &v[n]) || copy_of(o, i, &v[n]) ||
		     candidate_of(o, i, TM_DOMAIN_DOMAINS, &v[n]);
	if (ok)
		qsort(v, n, sizeof *v, by_rows);
	for (size_t i = 0, end; ok && i < n; i = end) {
		for (end = i + 1; end < n && !by_bucket(&v[i], &v[end]);)
			end++;
		ok = link_bucket(o, v + i, end - i);
	}
	for (size_t i = 0; ok && i < n; i++)
		ok = link_above(o, &v[i], v, n) && link_beside(o, &v[i], v, n, &found) &&
		     (found || link_kept(o, &v[i], v, n));
	free(v);
	return ok;
}

/* ---- their statistics ---- */

/* What a unit's events, or statistics, of a domain come to. */
struct sum {
	const char *place;
	enum tm_domain domain;
	uint64_t calls;
	size_t names;
	tm_u128 total;
	const struct tm_source *s;
};

static int by_sum(const void *pa, const void *pb)
{
	const struct sum *a = pa, *b = pb;
	int c = strcmp(a->place, b->place);

	if (c)
		return c;
	if (a->domain != b->domain)
		return a->domain > b->domain ? 1 : -1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? 1 : -1;
	return (a->total > b->total) - (a->total < b->total);
}

static struct sum sum_of(const struct sources_of *o, const struct tm_source *s, enum tm_domain d,
                         bool stats)
{
	uint64_t part = stats ? TM_TRACE_PARTS + (uint64_t)d : (uint64_t)d;
	struct sum sum = { .place = o->trace[s->first].place, .domain = d, .s = s };

	for (size_t i = 0; i < s->nlines; i++)
		if (s->line[i].part == part) {
			sum.names++;
			sum.calls += s->line[i].calls;
			sum.total += s->line[i].total;
		}
	return sum;
}

/* The run whose events these statistics are of, if there is just one: of their directory, or
 * (anywhere) of those v, which have no place. */
static void link_one(struct sources_of *o, const struct tm_source *s, const struct sum *v, size_t n,
                     bool anywhere)
{
	for (int d = 0; d < TM_DOMAIN_DOMAINS; d++) {
		struct sum key = sum_of(o, s, (enum tm_domain)d, true);

		key.place = anywhere ? "" : key.place;
		const struct sum *at = key.names >= NAMES ? bsearch(&key, v, n, sizeof key, by_sum)
		                                          : NULL;
		size_t found = SIZE_MAX;
		bool several = false;

		if (!at)
			continue;
		while (at > v && !by_sum(&key, at - 1))
			at--;
		for (; at < v + n && !by_sum(&key, at); at++)
			if (!tm_sources_other_ranks(&o->unit[at->s->unit], &o->unit[s->unit]) &&
			    tm_sources_sums_alike(o, at->s, (uint64_t)d, s, (enum tm_domain)d)) {
				several |= found != SIZE_MAX &&
				           tm_sources_run_of(o, found) !=
				                   tm_sources_run_of(o, at->s->unit);
				found = at->s->unit;
			}
		if (found != SIZE_MAX && !several) {
			tm_sources_join(o, found, s->unit);
			return;
		}
	}
}

static bool has_events(const struct sources_of *o, size_t unit)
{
	const struct source_unit *u = &o->unit[unit];

	for (size_t k = u->first; k < u->first + u->n; k++)
		if (o->source[k].facts.holds == TM_HOLDS_EVENTS)
			return true;
	return false;
}

/* Two profilers wrote statistics of one run, without a trace of it: each of n that has the sums of
 * the one before. */
static void link_sums_alone(struct sources_of *o, const struct sum *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i].names >= NAMES && !by_sum(&v[i - 1], &v[i]) &&
		    v[i - 1].s->unit != v[i].s->unit &&
		    !tm_sources_other_ranks(&o->unit[v[i - 1].s->unit], &o->unit[v[i].s->unit]) &&
		    tm_sources_sums_alike(o, v[i - 1].s, TM_TRACE_PARTS + (uint64_t)v[i].domain,
		                          v[i].s, v[i].domain))
			tm_sources_join(o, v[i - 1].s->unit, v[i].s->unit);
}

/* Statistics whose run left no trace beside them. */
static bool is_alone(const struct sources_of *o, const struct tm_source *s)
{
	return s->facts.holds == TM_HOLDS_SUMS && !has_events(o, s->unit);
}

/* Are the files of both called by the numbers of two processes? */
static bool other_numbers(const struct sources_of *o, const struct tm_source *a,
                          const struct tm_source *b)
{
	const char *x = o->trace[a->first].s->id.run, *y = o->trace[b->first].s->id.run;
	uint64_t i, k;

	return tm_run_number(x, strlen(x), &i) && tm_run_number(y, strlen(y), &k) && i != k;
}

/* The run that has all of these statistics, and more, if there is just one: somebody has left out
 * lines. */
static void link_part(struct sources_of *o, const struct tm_source *s)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < o->nsources; i++) {
		const struct tm_source *of = &o->source[i];
		bool among = false;

		if (of->unit == s->unit || other_numbers(o, of, s) ||
		    tm_sources_other_ranks(&o->unit[of->unit], &o->unit[s->unit]))
			continue;
		for (int d = 0; d < TM_DOMAIN_DOMAINS && !among; d++)
			among = tm_sources_sums_among(
			        of, is_alone(o, of) ? TM_TRACE_PARTS + (uint64_t)d : (uint64_t)d, s,
			        (enum tm_domain)d, NAMES);
		if (!among)
			continue;
		if (found != SIZE_MAX &&
		    tm_sources_run_of(o, found) != tm_sources_run_of(o, of->unit))
			return;
		found = of->unit;
	}
	if (found != SIZE_MAX)
		tm_sources_join(o, found, s->unit);
}

/* What all sources, or those that are alone, come to, by_sum(): *n of them; NULL when out of
 * memory. */
static struct sum *sums_of(const struct sources_of *o, bool alone, size_t *n)
{
	struct sum *v = malloc((o->nsources * TM_DOMAIN_DOMAINS + 1) * sizeof *v);

	*n = 0;
	for (size_t i = 0; v && i < o->nsources; i++)
		for (int d = 0; d < TM_DOMAIN_DOMAINS; d++)
			if (alone ? is_alone(o, &o->source[i]) : o->source[i].part[d].timed != 0)
				v[(*n)++] = sum_of(o, &o->source[i], (enum tm_domain)d, alone);
	if (v && *n)
		qsort(v, *n, sizeof *v, by_sum);
	return v;
}

static bool link_sums(struct sources_of *o)
{
	size_t n, nalone;
	struct sum *v = sums_of(o, false, &n), *alone = sums_of(o, true, &nalone);
	const bool ok = v && alone;

	for (size_t i = 0; ok && i < o->nsources; i++)
		if (is_alone(o, &o->source[i]))
			link_one(o, &o->source[i], v, n, false);
	for (size_t i = 0; ok && i < n; i++)
		v[i].place = "";
	if (ok && n)
		qsort(v, n, sizeof *v, by_sum);
	for (size_t i = 0; ok && i < o->nsources; i++)
		if (is_alone(o, &o->source[i]) &&
		    o->unit[o->source[i].unit].next == o->source[i].unit)
			link_one(o, &o->source[i], v, n, true);
	if (ok)
		link_sums_alone(o, alone, nalone);
	for (size_t i = 0; ok && i < o->nsources; i++)
		if (is_alone(o, &o->source[i]) &&
		    o->unit[o->source[i].unit].next == o->source[i].unit)
			link_part(o, &o->source[i]);
	free(v);
	free(alone);
	return ok;
}

/* ---- what a merge has found out ---- */

static int by_stored_run(const void *pa, const void *pb)
{
	const struct source_trace *const *a = pa, *const *b = pb;

	return strcmp((*a)->s->id.run, (*b)->s->id.run);
}

/* Traces of a database have the run that was found when they were merged. */
static bool link_stored(struct sources_of *o)
{
	const struct source_trace **v = malloc((o->n + 1) * sizeof *v);
	size_t n = 0;

	for (size_t i = 0; v && i < o->n; i++)
		if (o->trace[i].s->nth != SIZE_MAX)
			v[n++] = &o->trace[i];
	if (v && n)
		qsort(v, n, sizeof *v, by_stored_run);
	for (size_t i = 1; i < n; i++)
		if (!by_stored_run(&v[i - 1], &v[i]))
			tm_sources_join(o, o->source[v[i - 1]->source].unit,
			                o->source[v[i]->source].unit);
	free(v);
	return v != NULL;
}

bool tm_sources_link(struct sources_of *o)
{
	bool ok = link_stored(o);

	link_copies(o);
	ok = ok && tm_sources_link_guids(o) && tm_sources_link_exact(o) && link_events(o) &&
	     link_sums(o) && tm_sources_link_passes(o) && tm_sources_link_wholes(o) &&
	     tm_sources_link_pids(o) && link_anywhere(o);
	for (size_t i = 0; i < o->nunits; i++)
		o->unit[i].run = tm_sources_run_of(o, i);
	return ok && tm_sources_refuse_clocks(o) && tm_sources_refuse_cut(o);
}
