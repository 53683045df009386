/* SPDX-License-Identifier: MIT
 * Traces that hold the same processes, as the ids say that the profiler gave them: databases, what
 * 'rocpd merge' makes of several, and the tables that 'rocpd convert' makes of them.  The pftrace
 * that it makes of them has no ids: it is known by its kernels, which are those of all databases
 * in its directory, in one above, or in those beside it. */
#include "runs/sources_parts.h"

#include <stdlib.h>
#include <string.h>

/* Parts that are told alike by all of them: the rest is not compared. */
#define COMPARED (TM_PART_BIT(TM_DOMAIN_OTHER) - 1)

/* The processes of a unit. */
struct held {
	size_t unit;
	uint32_t *guid; /* n names, ascending */
	size_t n;
	unsigned parts; /* of which it has anything */
	bool gone;      /* others have them all */
};

static int by_u32(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Those with most processes first, of those the ones with fewest parts. */
static int by_most(const void *pa, const void *pb)
{
	const struct held *a = pa, *b = pb;

	if (a->n != b->n)
		return a->n < b->n ? 1 : -1;
	if (a->parts != b->parts)
		return a->parts > b->parts ? 1 : -1;
	return (a->unit < b->unit) - (a->unit > b->unit);
}

/* Nothing is allocated of a unit that has none.  False when out of memory. */
static bool held_of(const struct sources_of *o, size_t unit, struct held *h)
{
	size_t end, n = 0, k = 0;

	*h = (struct held) { .unit = unit };
	for (size_t i = tm_sources_first(o, unit, &end); i < end; i++)
		n += o->trace[i].s->guids.n;
	if (!n)
		return true;
	h->guid = malloc(n * sizeof *h->guid);
	if (!h->guid)
		return false;
	for (size_t i = tm_sources_first(o, unit, &end); i < end; i++)
		for (uint32_t g = 0; tm_sources_counts(&o->trace[i]) && g < o->trace[i].s->guids.n;
		     g++)
			h->guid[h->n++] = (uint32_t)o->trace[i].s->guids.key[g];
	qsort(h->guid, h->n, sizeof *h->guid, by_u32);
	for (size_t i = 0; i < h->n; i++)
		if (!k || h->guid[k - 1] != h->guid[i])
			h->guid[k++] = h->guid[i];
	h->n = k;
	if (!k) {
		free(h->guid);
		h->guid = NULL;
	}
	for (int p = 0; p < TM_TRACE_PARTS; p++)
		h->parts += tm_sources_best(o, unit, (enum tm_trace_part)p) != NULL;
	return true;
}

/* How many processes both have. */
static size_t shared(const struct held *a, const struct held *b)
{
	size_t n = 0;

	for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
		n += a->guid[i] == b->guid[k];
		if (a->guid[i] < b->guid[k])
			i++;
		else if (a->guid[i] > b->guid[k])
			k++;
		else
			i++, k++;
	}
	return n;
}

static const struct source_trace *first_trace(const struct sources_of *o, const struct held *h)
{
	return &o->trace[o->source[o->unit[h->unit].first].first];
}

/* Both are of one run when they hold the same processes in two formats; two of one format that are
 * no copies are what they are: ids are not unique in files that were made by hand. */
static void join_formats(struct sources_of *o, const struct held *a, const struct held *b)
{
	if (strcmp(first_trace(o, a)->s->id.format, first_trace(o, b)->s->id.format) != 0)
		tm_sources_join(o, a->unit, b->unit);
}

static void refuse(struct sources_of *o, const struct held *a, const struct held *b,
                   const char *why)
{
	tm_report_add(o->rep, TM_SEV_ERROR, first_trace(o, a)->s->id.path, 0,
	              "contains processes that are also in %.300s, %s; give one of the two",
	              first_trace(o, b)->s->id.path, why);
	o->refused = true;
}

/* ---- what is put together from several ---- */

/* What n units have of a part: lines are the caller's to free.  False when out of memory. */
static bool add_units(const struct sources_of *o, const struct held *const *v, size_t n,
                      enum tm_trace_part part, struct tm_source *sum)
{
	size_t cap = 0;

	*sum = (struct tm_source) { 0 };
	sum->part[part].first = UINT64_MAX;
	for (size_t i = 0; i < n; i++) {
		const struct tm_source *s = tm_sources_best(o, v[i]->unit, part);

		cap += s ? s->nlines : 0;
	}
	sum->line = malloc((cap + 1) * sizeof *sum->line);
	for (size_t i = 0; sum->line && i < n; i++) {
		const struct tm_source *s = tm_sources_best(o, v[i]->unit, part);

		if (!s)
			continue;
		sum->facts = s->facts;
		sum->format = s->format;
		sum->lossy |= s->lossy;
		tm_seen_part_add(&sum->part[part], &s->part[part]);
		memcpy(sum->line + sum->nlines, s->line, s->nlines * sizeof *s->line);
		sum->nlines += s->nlines;
	}
	if (sum->line)
		tm_sources_add_lines(sum);
	return sum->line != NULL;
}

/* Does source s tell of a part what those units do?  *had: they have some of it. */
static bool is_sum(struct sources_of *o, const struct tm_source *s, const struct held *const *v,
                   size_t n, enum tm_trace_part part, bool *had, bool *same)
{
	struct tm_source sum;
	struct source_diff d;
	bool ok = add_units(o, v, n, part, &sum);

	*had = ok && sum.part[part].rows;
	*same = true;
	if (*had && COMPARED & TM_PART_BIT(part))
		ok = tm_sources_alike(o, &sum, s, part, same, &d);
	free(sum.line);
	return ok;
}

/* Nothing of that part counts of a source. */
static void take_away(struct sources_of *o, struct tm_source *s, enum tm_trace_part part)
{
	for (size_t i = s->first; i < s->first + s->n; i++)
		o->trace[i].leave |= TM_PART_BIT(part);
	s->part[part] = (struct tm_seen_part) { .first = UINT64_MAX };
}

/* Unit h holds the processes of n others together: what those have counts.  False when out of
 * memory. */
static bool leave_whole(struct sources_of *o, struct held *h, const struct held *const *v, size_t n)
{
	const struct source_unit *u = &o->unit[h->unit];
	bool had, same;

	for (size_t k = u->first; k < u->first + u->n; k++)
		for (int p = 0; p < TM_TRACE_PARTS; p++) {
			struct tm_source *s = &o->source[k];

			if (!s->part[p].rows)
				continue;
			if (!is_sum(o, s, v, n, (enum tm_trace_part)p, &had, &same))
				return false;
			if (!same) {
				refuse(o, h, v[0], "but with other events");
				return true;
			}
			if (had)
				take_away(o, s, (enum tm_trace_part)p);
		}
	h->gone = true;
	tm_report_add(o->rep, TM_SEV_NOTE, first_trace(o, h)->s->id.path, 0,
	              "contains the processes of %.300s and %zu more, which are read instead",
	              first_trace(o, v[0])->s->id.path, n - 1);
	return true;
}

/* What else holds the processes of v[at], which has most of them?  Those with fewer come last.
 * `part` has room for n.  False when out of memory. */
static bool compare(struct sources_of *o, struct held *v, size_t n, size_t at,
                    const struct held **part)
{
	struct held *h = &v[at];
	const struct held *other = NULL;
	size_t parts = 0, covered = 0;

	for (size_t i = n; i-- > at + 1;) {
		bool apart = true;
		size_t both = v[i].gone ? 0 : shared(h, &v[i]);

		if (!both)
			continue;
		if (both == h->n) {
			if (!parts)
				join_formats(o, h, &v[i]);
			continue;
		}
		other = &v[i];
		for (size_t k = 0; k < parts && apart; k++)
			apart = !shared(part[k], &v[i]);
		if (both == v[i].n && apart) {
			part[parts++] = &v[i];
			covered += both;
		}
	}
	if (parts && covered == h->n)
		return leave_whole(o, h, part, parts);
	if (other)
		refuse(o, h, other, "and others that are not among the inputs");
	return true;
}

/* ---- ... and has no ids ---- */

enum {
	KERNEL = TM_DOMAIN_KERNEL,
	LATE = 2000, /* ns between the first kernels of databases, and of what is made of them */
};

/* Are the kernels of a source those of the n units together?  False when out of memory. */
static bool has_kernels_of(struct sources_of *o, const struct tm_source *s,
                           const struct held *const *v, size_t n, bool *yes)
{
	uint64_t rows = 0, first = UINT64_MAX, at = s->part[KERNEL].first;
	bool had;

	for (size_t i = 0; i < n; i++) {
		const struct tm_source *of = tm_sources_best(o, v[i]->unit,
		                                             (enum tm_trace_part)KERNEL);

		rows += of ? of->part[KERNEL].rows : 0;
		if (of && of->part[KERNEL].first < first)
			first = of->part[KERNEL].first;
	}
	*yes = false;
	if (n < 2 || rows != s->part[KERNEL].rows || (at > first ? at - first : first - at) > LATE)
		return true;
	return is_sum(o, s, v, n, (enum tm_trace_part)KERNEL, &had, yes);
}

/* The databases of a place, or of all places that begin with those n bytes.  *yes: they have the
 * kernels of that unit, which is left out.  `part` has room for nv.  False when out of memory. */
static bool compare_place(struct sources_of *o, struct held *h, const struct held *v, size_t nv,
                          const char *place, size_t n, bool whole, const struct held **part,
                          bool *yes)
{
	const struct tm_source *s = tm_sources_best(o, h->unit, (enum tm_trace_part)KERNEL);
	size_t parts = 0;

	for (size_t i = 0; i < nv; i++) {
		const struct source_trace *t = first_trace(o, &v[i]);

		if (!v[i].gone && !strcmp(t->s->id.format, "rocpd") &&
		    !strncmp(t->place, place, n) && (!whole || !t->place[n]))
			part[parts++] = &v[i];
	}
	return has_kernels_of(o, s, part, parts, yes) && (!*yes || leave_whole(o, h, part, parts));
}

/* A unit without ids, of one trace that is of no other's run: leave it out where the databases of
 * its directory, of one above, or of those beside it have its kernels. */
static bool compare_whole(struct sources_of *o, size_t unit, const struct held *v, size_t n,
                          const struct held **part)
{
	const struct tm_source *s = tm_sources_best(o, unit, (enum tm_trace_part)KERNEL);
	struct held h = { .unit = unit };
	const char *place = first_trace(o, &h)->place;
	const size_t own = strlen(place), above = tm_watch_place_above(place, own);
	bool ok = true, yes = false;

	if (!s || s->lossy || !s->part[KERNEL].timed || strcmp(s->format, "pftrace") != 0)
		return true;
	for (size_t len = own; ok && !yes && len; len = tm_watch_place_above(place, len))
		ok = compare_place(o, &h, v, n, place, len, true, part, &yes);
	if (ok && !yes && above)
		ok = compare_place(o, &h, v, n, place, above, false, part, &yes);
	return ok;
}

/* Is each unit of a run with others? */
static void mark_joined(const struct sources_of *o, bool *joined)
{
	for (size_t i = 0; i < o->nunits; i++) {
		size_t root = i;

		while (o->unit[root].run != root)
			root = o->unit[root].run;
		if (root != i)
			joined[i] = joined[root] = true;
	}
}

bool tm_sources_link_wholes(struct sources_of *o)
{
	struct held *v = calloc(o->nunits + 1, sizeof *v);
	const struct held **part = calloc(o->nunits + 1, sizeof *part);
	bool *joined = calloc(o->nunits + 1, sizeof *joined);
	bool ok = v && part && joined;
	size_t n = 0;

	for (size_t i = 0; ok && i < o->nunits; i++) {
		ok = held_of(o, i, &v[n]);
		v[n].gone = !tm_sources_best(o, i, (enum tm_trace_part)KERNEL);
		n += v[n].n > 0;
	}
	if (ok)
		mark_joined(o, joined);
	for (size_t i = 0; ok && n > 1 && i < o->nunits; i++) {
		size_t end, first = tm_sources_first(o, i, &end);

		if (!joined[i] && !o->trace[first].s->guids.n)
			ok = compare_whole(o, i, v, n, part);
	}
	for (size_t i = 0; v && i < n; i++)
		free(v[i].guid);
	free(v);
	free(part);
	free(joined);
	return ok;
}

bool tm_sources_link_guids(struct sources_of *o)
{
	struct held *v = calloc(o->nunits + 1, sizeof *v);
	const struct held **part = calloc(o->nunits + 1, sizeof *part);
	bool ok = v && part;
	size_t n = 0;

	for (size_t i = 0; ok && i < o->nunits; i++) {
		ok = held_of(o, i, &v[n]);
		n += v[n].n > 0;
	}
	if (ok)
		qsort(v, n, sizeof *v, by_most);
	for (size_t i = 0; ok && i < n; i++)
		ok = compare(o, v, n, i, part);
	for (size_t i = 0; v && i < n; i++)
		free(v[i].guid);
	free(v);
	free(part);
	return ok;
}
