/* SPDX-License-Identifier: MIT
 * Which traces are of one run: by their names, by the same events, as passes over the same
 * dispatches. */
#include "runs/sources_parts.h"
#include "runs/wholes.h"
#include "stream/stream.h"

#include <stdlib.h>
#include <string.h>

/* ---- by names ---- */

/* The run of a trace, as the folder has it: that of all processes, where this is the part of one;
 * the user's rank before it, which keeps files apart that have others. */
static char *group_of(const struct tm_seen *s)
{
	const char *whole = tm_whole_of_part(s->id.path), *id = tm_path_base(s->id.path);
	struct tm_buf b = { 0 };
	size_t n = strlen(s->id.own_run), prefix;

	prefix = whole ? (size_t)(whole - id) : 0;
	if (prefix && n >= prefix && !memcmp(s->id.own_run + n - prefix, id, prefix))
		n -= prefix;
	if (s->id.rule == TM_RANK_GIVEN || s->id.rule == TM_RANK_REGEX)
		tm_buf_fmt(&b, "%llu=", (unsigned long long)s->id.rank);
	tm_buf_add(&b, s->id.own_run, n);
	if (b.failed)
		tm_buf_fini(&b);
	return b.p;
}

/* The group without the rank in front. */
static const char *run_of(const struct source_trace *t)
{
	const bool front = t->s->id.rule == TM_RANK_GIVEN || t->s->id.rule == TM_RANK_REGEX;

	return front ? strchr(t->group, '=') + 1 : t->group;
}

static int by_run(const void *pa, const void *pb)
{
	const struct source_trace *const *a = pa, *const *b = pb;
	int c = strcmp(run_of(*a), run_of(*b));

	/* The user's first. */
	if (!c)
		c = ((*a)->s->id.rule > (*b)->s->id.rule) - ((*a)->s->id.rule < (*b)->s->id.rule);
	return c ? c : strcmp((*a)->group, (*b)->group);
}

/* Traces v[0..n) of one run, those with the user's ranks first: if that is one rank, it is that of
 * all of them.  False when out of memory. */
static bool join_given(struct source_trace **v, size_t n)
{
	size_t given = 0;

	while (given < n && v[given]->s->id.rule == TM_RANK_GIVEN)
		given++;
	if (!given || strcmp(v[0]->group, v[given - 1]->group) != 0)
		return true;
	for (size_t i = given; i < n; i++) {
		char *group = strdup(v[0]->group);

		if (!group)
			return false;
		free(v[i]->group);
		v[i]->group = group;
	}
	return true;
}

/* What the user gave no rank goes with the files of its run that have one. */
static bool join_groups(struct sources_of *o)
{
	struct source_trace **v = malloc((o->n + 1) * sizeof *v);
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < o->n; i++)
		v[i] = &o->trace[i];
	if (ok)
		qsort(v, o->n, sizeof *v, by_run);
	for (size_t i = 0, end; ok && i < o->n; i = end) {
		for (end = i + 1; end < o->n && !strcmp(run_of(v[i]), run_of(v[end])); end++)
			;
		ok = join_given(v + i, end - i);
	}
	free(v);
	return ok;
}

static unsigned place_of(const struct source_trace *t)
{
	return tm_reader_facts(t->s->id.format).place;
}

static int by_group(const void *pa, const void *pb)
{
	const struct source_trace *a = pa, *b = pb;
	int c = strcmp(a->group, b->group);

	if (!c && a->family != b->family)
		c = a->family > b->family ? 1 : -1;
	if (!c && place_of(a) != place_of(b))
		c = place_of(a) > place_of(b) ? 1 : -1;
	if (!c)
		c = strcmp(a->s->id.format, b->s->id.format);
	if (!c)
		c = strcmp(a->s->id.path, b->s->id.path);
	if (!c && a->s->input != b->s->input)
		c = a->s->input > b->s->input ? 1 : -1;
	return c ? c : (a->s->nth > b->s->nth) - (a->s->nth < b->s->nth);
}

enum { FORMATS_MOST = 64 };

/* The formats of traces first .. end - 1, which are one group, into families: those that one
 * profiler may have written.  What any may have written goes with the first. */
static void make_families(struct source_trace *t, size_t first, size_t end)
{
	unsigned profilers[FORMATS_MOST] = { 0 }, family[FORMATS_MOST], least = FORMATS_MOST;
	bool changed = true;

	for (size_t i = first; i < end; i++)
		profilers[place_of(&t[i]) % FORMATS_MOST] =
		        tm_reader_facts(t[i].s->id.format).profilers;
	for (unsigned i = 0; i < FORMATS_MOST; i++) {
		family[i] = i;
		if (profilers[i] && profilers[i] != TM_BY_ANY && least == FORMATS_MOST)
			least = i;
	}
	while (changed) {
		changed = false;
		for (unsigned i = 0; i < FORMATS_MOST; i++)
			for (unsigned k = 0; k < i; k++)
				if (profilers[i] != TM_BY_ANY && profilers[k] != TM_BY_ANY &&
				    profilers[i] & profilers[k] && family[i] != family[k]) {
					unsigned to = family[i] < family[k] ? family[i] : family[k];

					family[i] = family[k] = to;
					changed = true;
				}
	}
	for (size_t i = first; i < end; i++) {
		unsigned f = place_of(&t[i]) % FORMATS_MOST;

		t[i].family = profilers[f] == TM_BY_ANY ? least : family[f];
	}
}

static int by_line(const void *pa, const void *pb)
{
	const struct source_line *a = pa, *b = pb;

	if (a->part != b->part)
		return a->part > b->part ? 1 : -1;
	return (a->name > b->name) - (a->name < b->name);
}

void tm_sources_add_lines(struct tm_source *s)
{
	size_t k = 0;

	qsort(s->line, s->nlines, sizeof *s->line, by_line);
	for (size_t i = 0; i < s->nlines; i++) {
		if (k && !by_line(&s->line[k - 1], &s->line[i])) {
			s->line[k - 1].calls += s->line[i].calls;
			s->line[k - 1].total += s->line[i].total;
		} else {
			s->line[k++] = s->line[i];
		}
	}
	s->nlines = k;
}

size_t tm_sources_first(const struct sources_of *o, size_t unit, size_t *end)
{
	const struct source_unit *u = &o->unit[unit];
	const struct tm_source *first = &o->source[u->first], *last = first + u->n - 1;

	*end = last->first + last->n;
	return first->first;
}

bool tm_sources_counts(const struct source_trace *t)
{
	return t->same_as == SIZE_MAX && !t->merged;
}

/* The kernels of a trace, agent by agent.  False when out of memory. */
static bool add_agents(struct tm_source *s, const struct tm_seen *t, size_t *cap)
{
	for (size_t i = 0; i < t->nagents; i++) {
		size_t k = 0;

		while (k < s->nagents && s->agent[k].agent != t->agent[i].agent)
			k++;
		if (k == s->nagents) {
			if (!tm_grow_array(&s->agent, cap, k + 1, sizeof *s->agent))
				return false;
			s->agent[s->nagents++] = t->agent[i];
		} else {
			tm_seen_agent_add(&s->agent[k], &t->agent[i]);
		}
	}
	return true;
}

/* All that the traces of a source hold, added up; but for those that are there twice. */
static bool add_up(struct sources_of *o, struct tm_source *s)
{
	size_t n = 0, cap = 0;
	bool ok = true;

	for (size_t i = s->first; i < s->first + s->n; i++)
		n += o->trace[i].s->keys.n;
	s->line = malloc((n + 1) * sizeof *s->line);
	for (int p = 0; p < TM_TRACE_PARTS; p++)
		s->part[p] = (struct tm_seen_part) { .first = UINT64_MAX };
	for (size_t i = s->first; s->line && i < s->first + s->n; i++) {
		const struct tm_seen *t = o->trace[i].s;

		if (!tm_sources_counts(&o->trace[i]))
			continue;
		s->lossy |= t->lossy;
		ok &= add_agents(s, t, &cap);
		for (int p = 0; p < TM_TRACE_PARTS; p++)
			tm_seen_part_add(&s->part[p], &t->part[p]);
		for (uint32_t g = 0; g < t->keys.n; g++)
			s->line[s->nlines++] = (struct source_line) {
				.part = t->keys.key[2 * (size_t)g],
				.name = (uint32_t)t->keys.key[2 * (size_t)g + 1],
				.calls = t->calls[g].calls,
				.total = t->calls[g].total
			};
	}
	if (s->line)
		tm_sources_add_lines(s);
	return ok && s->line;
}

bool tm_sources_numbers_anew(const struct tm_source *of, const struct tm_seen *s)
{
	return of->drawn && s->id.rule == TM_RANK_TRACE;
}

/* The rank that the traces of a unit have by the strongest rule, and of those the least.  What a
 * picture says of ranks is how they were numbered when it was drawn: traces next to it have others.
 */
static void tell_rank(const struct sources_of *o, struct source_unit *u)
{
	u->rule = TM_RANK_ORDER;
	u->drawn = true;
	for (size_t k = u->first; k < u->first + u->n; k++)
		u->drawn &= o->source[k].drawn;
	for (size_t k = u->first; k < u->first + u->n; k++)
		for (size_t i = o->source[k].first; i < o->source[k].first + o->source[k].n; i++) {
			const struct tm_seen *s = o->trace[i].s;

			if (s->id.rule > u->rule || s->id.rule == TM_RANK_ORDER ||
			    (s->id.rule == u->rule && s->id.rank >= u->rank) ||
			    (!u->drawn && tm_sources_numbers_anew(&o->source[k], s)))
				continue;
			u->rule = s->id.rule;
			u->rank = s->id.rank;
			u->told = true;
		}
}

/* Traces first .. end - 1 are one source. */
static bool add_source(struct sources_of *o, size_t first, size_t end, bool new_unit)
{
	struct tm_source *s;
	const struct tm_trace_id *id;
	bool drawn;

	if (!tm_grow_array(&o->source, &o->source_cap, o->nsources + 1, sizeof *o->source) ||
	    (new_unit && !tm_grow_array(&o->unit, &o->unit_cap, o->nunits + 1, sizeof *o->unit)))
		return false;
	if (new_unit) {
		o->unit[o->nunits] = (struct source_unit) { .first = o->nsources,
			                                    .run = o->nunits,
			                                    .next = o->nunits };
		o->nunits++;
	}
	o->unit[o->nunits - 1].n++;
	for (size_t i = first; i < end; i++)
		o->trace[i].source = o->nsources;
	s = &o->source[o->nsources++];
	id = &o->trace[first].s->id;
	drawn = id->producer && !strcmp(id->producer, TM_DRAWN_BY);
	*s = (struct tm_source) { .unit = o->nunits - 1,
		                  .first = first,
		                  .n = end - first,
		                  .format = drawn ? "tracecat's picture" : id->format,
		                  .drawn = drawn,
		                  .facts = tm_reader_facts(id->format) };
	return add_up(o, s);
}

/* ---- the same twice ---- */

/* What copies agree in, wherever they lie. */
static int by_events(const struct source_trace *a, const struct source_trace *b)
{
	const struct tm_seen *x = a->s, *y = b->s;
	int c = strcmp(x->id.format, y->id.format);

	if (!c)
		c = strcmp(x->id.table, y->id.table);
	if (!c && x->events != y->events)
		c = x->events > y->events ? 1 : -1;
	if (!c && x->content != y->content)
		c = x->content > y->content ? 1 : -1;
	return c;
}

/* What counts of several comes first: that whose rank the user gave, events before sums of them, a
 * file before a member of an archive.  Traces are sorted already. */
static int by_events_and_worth(const void *pa, const void *pb)
{
	const struct source_trace *const *a = pa, *const *b = pb;
	const struct tm_seen *x = (*a)->s, *y = (*b)->s;
	int c = by_events(*a, *b);

	if (!c)
		c = (x->id.rule != TM_RANK_GIVEN) - (y->id.rule != TM_RANK_GIVEN);
	if (!c)
		c = x->totals - y->totals;
	if (!c)
		c = x->inside - y->inside;
	return c ? c : (*a > *b) - (*a < *b);
}

/* As far as they are known, and not those of a file that is compressed. */
static bool same_size(const struct tm_trace_id *a, const struct tm_trace_id *b)
{
	return a->bytes == b->bytes || !a->bytes || !b->bytes || tm_watch_is_packed(a->path) ||
	       tm_watch_is_packed(b->path);
}

/* Of the same processes, by the ids that the profiler gave them? */
static bool same_processes(const struct tm_seen *a, const struct tm_seen *b)
{
	for (uint32_t i = 0; i < a->guids.n; i++)
		if (tm_groups_find(&b->guids, &a->guids.key[i]) == TM_GROUP_NONE)
			return false;
	return a->guids.n && a->guids.n == b->guids.n;
}

/* Databases of one trace may begin in any way.  GPUs are the same in all runs of a machine. */
static bool in_databases(const struct tm_seen *a, const struct tm_seen *b)
{
	return (a->stored || b->stored) && tm_reader_facts(a->id.format).holds != TM_HOLDS_GPUS;
}

/* The same events: is the one a copy of the other?  What is of the same processes or begins in the
 * same way, and where one file lies next to the same compressed; not what the user gave two ranks.
 */
static bool is_copy(const struct source_trace *a, const struct source_trace *b)
{
	const struct tm_seen *x = a->s, *y = b->s;

	if (x->id.rule == TM_RANK_GIVEN && y->id.rule == TM_RANK_GIVEN && x->id.rank != y->id.rank)
		return false;
	/* What a run.db holds twice was kept apart when it was merged. */
	if (x->stored && y->stored && !strcmp(x->source, y->source))
		return false;
	/* In a database the name of the host may be all that differs, far from its beginning. */
	if (x->id.host && y->id.host && strcmp(x->id.host, y->id.host) != 0)
		return false;
	if (same_processes(x, y) ||
	    (in_databases(x, y) && tm_content_sizes(&x->id, &y->id, x->events)))
		return true;
	return (a->start == b->start && a->start != TM_NAME_NONE && same_size(&x->id, &y->id)) ||
	       (a->file == b->file && a->file != TM_NAME_NONE && !strcmp(a->place, b->place));
}

/* Where it is read from: a database has it by the path of the file that it was. */
static const char *read_from(const struct source_trace *t)
{
	return t->s->stored ? t->s->source : t->s->id.path;
}

static void tell_copy(struct sources_of *o, const struct source_trace *copy,
                      const struct source_trace *of)
{
	if (copy->s->stored)
		tm_report_add(o->rep, TM_SEV_NOTE, read_from(copy), 0,
		              "%.300s: same events as %.300s; counted once", copy->s->id.path,
		              read_from(of));
	else
		tm_report_add(o->rep, TM_SEV_NOTE, copy->s->id.path, 0,
		              "same events as %.300s; counted once", read_from(of));
}

/* Of n traces with the same events, the most worth first, those that are copies of one before. */
static void mark_copies(struct sources_of *o, struct source_trace **v, size_t n, size_t *copies)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < i; k++) {
			if (v[k]->same_as != SIZE_MAX || !is_copy(v[k], v[i]))
				continue;
			v[i]->same_as = (size_t)(v[k] - o->trace);
			v[i]->leave = TM_PARTS_ALL;
			if (!(*copies)++)
				tell_copy(o, v[i], v[k]);
			break;
		}
}

static bool find_same(struct sources_of *o)
{
	struct source_trace **v = malloc((o->n + 1) * sizeof *v);
	size_t copies = 0, n = 0;

	if (!v)
		return false;
	for (size_t i = 0; i < o->n; i++)
		if (!o->trace[i].merged)
			v[n++] = &o->trace[i];
	qsort(v, n, sizeof *v, by_events_and_worth);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && !by_events(v[i], v[end]);)
			end++;
		if (v[i]->s->events)
			mark_copies(o, v + i, end - i, &copies);
	}
	if (copies > 1)
		tm_report_add(o->rep, TM_SEV_NOTE, NULL, 0,
		              "%zu more trace%s given twice; counted once", copies - 1,
		              copies == 2 ? " is" : "s are");
	free(v);
	return true;
}

/* ---- what is put together from others ---- */

/* The members of an archive: of files this is known before they are read. */
static bool find_merged(struct sources_of *o)
{
	struct tm_wholes m = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < o->n; i++) {
		const struct tm_trace_id *id = &o->trace[i].s->id;

		if (o->trace[i].s->inside)
			ok = tm_wholes_add(&m, id->path, id->bytes ? id->bytes : UINT64_MAX);
	}
	for (size_t i = 0; ok && i < o->n; i++) {
		struct source_trace *t = &o->trace[i];
		const struct tm_trace_id *id = &t->s->id;

		t->merged = t->s->inside &&
		            tm_wholes_has(&m, id->path, id->bytes ? id->bytes : UINT64_MAX, o->rep);
		if (t->merged)
			t->leave = TM_PARTS_ALL;
	}
	tm_wholes_fini(&m);
	return ok;
}

bool tm_sources_group(struct sources_of *o)
{
	o->trace = calloc(o->all->n + 1, sizeof *o->trace);
	if (!o->trace)
		return false;
	for (size_t i = 0; i < o->all->n; i++) {
		struct source_trace *t = &o->trace[o->n++];

		t->s = &o->all->v[i];
		t->same_as = SIZE_MAX;
		t->file = tm_watch_file(o->watch, t->s->id.path);
		t->start = tm_watch_start_of(o->watch, t->s->source);
		t->group = group_of(t->s);
		t->place = tm_watch_place_of(t->s->id.own_run, &t->pass);
		if (!t->group || !t->place)
			return false;
	}
	if (!join_groups(o))
		return false;
	qsort(o->trace, o->n, sizeof *o->trace, by_group);
	for (size_t i = 0, end; i < o->n; i = end) {
		for (end = i + 1; end < o->n && !strcmp(o->trace[i].group, o->trace[end].group);)
			end++;
		make_families(o->trace, i, end);
	}
	qsort(o->trace, o->n, sizeof *o->trace, by_group);
	if (!find_merged(o) || !find_same(o))
		return false;
	for (size_t i = 0, end; i < o->n; i = end) {
		const struct source_trace *a = &o->trace[i], *before = i ? a - 1 : NULL;

		for (end = i + 1; end < o->n && !strcmp(a->group, o->trace[end].group) &&
		                  !strcmp(a->s->id.format, o->trace[end].s->id.format);)
			end++;
		if (!add_source(o, i, end,
		                !before || strcmp(before->group, a->group) != 0 ||
		                        before->family != a->family))
			return false;
	}
	for (size_t i = 0; i < o->nunits; i++)
		tell_rank(o, &o->unit[i]);
	return true;
}
