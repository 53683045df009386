/* SPDX-License-Identifier: MIT
 * Formats in one directory that name the same process, which do not have the same kernels: one of
 * them lost some, or recorded a part of the execution.  And a trace of several processes, wherever
 * it is, next to traces of each of them.
 *
 * At one time a process id is that of one process.  At another it may be that of another one, in a
 * container even in each execution: what is on two clocks is not known to be one run.  If one may
 * have recorded a part of the other, as torch.profiler some steps, nothing counts. */
#include "runs/sources_parts.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL = TM_DOMAIN_KERNEL };

/* Times beyond are counted from 1970, not from when the machine was started: 2001. */
#define SINCE_1970 UINT64_C(1000000000000000000)

/* A process that a unit with kernels names. */
struct named {
	const char *place;
	uint64_t pid, pass;
	size_t unit;
	bool several; /* that unit names others, too */
};

static int by_process(const void *pa, const void *pb)
{
	const struct named *a = pa, *b = pb;
	int c = strcmp(a->place, b->place);

	if (c)
		return c;
	if (a->pid != b->pid)
		return a->pid > b->pid ? 1 : -1;
	if (a->pass != b->pass)
		return a->pass > b->pass ? 1 : -1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

static bool one_process(const struct named *a, const struct named *b)
{
	return a->pid == b->pid && a->pass == b->pass && !strcmp(a->place, b->place);
}

/* The kernels of a unit, as far as it counts time and is no picture; NULL: none. */
static const struct tm_seen_part *kernels_of(const struct sources_of *o, size_t unit)
{
	const struct tm_source *s = tm_sources_best(o, unit, (enum tm_trace_part)KERNEL);

	return s && !o->unit[unit].drawn && s->part[KERNEL].timed ? &s->part[KERNEL] : NULL;
}

static const struct source_trace *first_trace(const struct sources_of *o, size_t unit)
{
	return &o->trace[o->source[o->unit[unit].first].first];
}

static bool names(const struct sources_of *o, size_t unit, const uint64_t *pid)
{
	size_t end;

	for (size_t i = tm_sources_first(o, unit, &end); i < end; i++)
		if (tm_groups_find(&o->trace[i].s->pids, pid) != TM_GROUP_NONE)
			return true;
	return false;
}

/* Does b name all processes that a names? */
static bool names_all(const struct sources_of *o, size_t a, size_t b)
{
	size_t end;

	for (size_t i = tm_sources_first(o, a, &end); i < end; i++)
		for (uint32_t p = 0; p < o->trace[i].s->pids.n; p++)
			if (!names(o, b, &o->trace[i].s->pids.key[p]))
				return false;
	return true;
}

/* May both be of one run, by what else is known, and did both work at one time? */
static bool at_one_time(struct sources_of *o, size_t a, size_t b)
{
	const struct tm_seen_part *x = kernels_of(o, a), *y = kernels_of(o, b);

	return tm_sources_run_of(o, a) != tm_sources_run_of(o, b) && tm_sources_joinable(o, a, b) &&
	       x->first <= y->last && y->first <= x->last;
}

static void refuse(struct sources_of *o, size_t whole, size_t one)
{
	if (!o->refused)
		tm_report_add(o->rep, TM_SEV_ERROR, first_trace(o, whole)->s->id.path, 0,
		              "contains processes that are also in %.300s, and others; give one of "
		              "the two",
		              first_trace(o, one)->s->id.path);
	o->refused = true;
}

/* Do they count from other moments, so that nobody knows whether they are one run? */
static bool two_clocks(struct sources_of *o, size_t a, size_t b)
{
	return tm_sources_run_of(o, a) != tm_sources_run_of(o, b) && tm_sources_joinable(o, a, b) &&
	       (kernels_of(o, a)->first > SINCE_1970) != (kernels_of(o, b)->first > SINCE_1970);
}

static bool among(struct sources_of *o, size_t a, size_t b, bool *yes)
{
	return tm_sources_among(o, tm_sources_best(o, a, (enum tm_trace_part)KERNEL),
	                        tm_sources_best(o, b, (enum tm_trace_part)KERNEL), yes);
}

/* Has one of them all kernels that the other has?  Where each has its own these are two processes,
 * of two nodes, or neither is whole.  False when out of memory. */
static bool one_has_all(struct sources_of *o, size_t a, size_t b, bool *yes)
{
	return among(o, a, b, yes) && (*yes || among(o, b, a, yes));
}

/* May one have recorded a part of what the other did?  With as many kernels it is another
 * execution, or else they were linked.  False when out of memory. */
static bool may_be_part(struct sources_of *o, size_t a, size_t b, bool *yes)
{
	*yes = false;
	return kernels_of(o, a)->rows == kernels_of(o, b)->rows || one_has_all(o, a, b, yes);
}

static void tell_maybe(struct sources_of *o, size_t a, size_t b, const char *how)
{
	tm_report_add(o->rep, TM_SEV_WARN, first_trace(o, b)->s->id.path, 0,
	              "of the same process as %.300s, with other kernels%s: both count; if they "
	              "are one run, give one of the two",
	              first_trace(o, a)->s->id.path, how);
}

/* Two units of one place that name one process.  *told: they may be one run, and that was said.
 * False when out of memory. */
static bool relate(struct sources_of *o, size_t a, size_t b, bool *told)
{
	const bool all = names_all(o, a, b), now = at_one_time(o, a, b);
	const bool two = two_clocks(o, a, b);
	bool same = false, part = false;

	if ((now && !one_has_all(o, a, b, &same)) || (two && !may_be_part(o, a, b, &part)))
		return false;
	if (now && same && all && names_all(o, b, a)) {
		tm_sources_join(o, a, b);
	} else if (now && same) {
		refuse(o, all ? b : a, all ? a : b);
	} else if (!*told && (now || (two && !part))) {
		tell_maybe(o, a, b, now ? "" : " and on another clock");
		*told = true;
	}
	return true;
}

/* The processes of all units, each once: *n of them; NULL when out of memory. */
static struct named *named_of(const struct sources_of *o, size_t *n)
{
	struct named *v;
	size_t most = 1, k = 0;

	*n = 0;
	for (size_t i = 0; i < o->n; i++)
		most += o->trace[i].s->pids.n;
	v = malloc(most * sizeof *v);
	for (size_t i = 0; v && i < o->n; i++) {
		const struct source_trace *t = &o->trace[i];
		const size_t unit = o->source[t->source].unit;

		for (uint32_t p = 0; !t->merged && kernels_of(o, unit) && p < t->s->pids.n; p++)
			v[(*n)++] = (struct named) { t->place, t->s->pids.key[p], t->pass, unit,
				                     t->s->pids.n > 1 };
	}
	if (v && *n)
		qsort(v, *n, sizeof *v, by_process);
	for (size_t i = 0; i < *n; i++)
		if (!k || by_process(&v[k - 1], &v[i]))
			v[k++] = v[i];
		else
			v[k - 1].several |= v[i].several;
	*n = k;
	return v;
}

static bool link_places(struct sources_of *o, const struct named *v, size_t n)
{
	bool told = false, ok = true;

	for (size_t i = 0, end; ok && i < n; i = end)
		for (end = i + 1; end < n && one_process(&v[i], &v[end]); end++)
			for (size_t k = i; ok && k < end; k++)
				ok = relate(o, v[k].unit, v[end].unit, &told);
	return ok;
}

static int by_pid(const void *pa, const void *pb)
{
	const struct named *a = pa, *b = pb;

	if (a->pid != b->pid)
		return a->pid > b->pid ? 1 : -1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

/* Does a GPU begin at the same time in both?  A trace of several processes has more kernels of each
 * name than one of them in any case, of the same program. */
static bool begin_alike(const struct sources_of *o, size_t one, size_t whole)
{
	enum { LATE = 2000 }; /* ns between the first kernels of one run in two formats */
	const struct tm_source *x = tm_sources_best(o, one, (enum tm_trace_part)KERNEL);
	const struct tm_source *y = tm_sources_best(o, whole, (enum tm_trace_part)KERNEL);

	for (size_t i = 0; i < x->nagents; i++)
		for (size_t k = 0; k < y->nagents; k++) {
			const uint64_t a = x->agent[i].first, b = y->agent[k].first;

			if (y->agent[k].kernels >= x->agent[i].kernels &&
			    (a > b ? a - b : b - a) <= LATE)
				return true;
		}
	return false;
}

/* Is the process of v[at] also in a unit of its own that worked at that time, with kernels that
 * v[at] has?  n of that pid.  False when out of memory. */
static bool is_elsewhere(struct sources_of *o, const struct named *v, size_t n, size_t at,
                         size_t *where, bool *yes)
{
	*yes = false;
	for (size_t i = 0; !*yes && i < n; i++) {
		if (v[i].several || !at_one_time(o, v[at].unit, v[i].unit) ||
		    !begin_alike(o, v[i].unit, v[at].unit))
			continue;
		if (!among(o, v[i].unit, v[at].unit, yes))
			return false;
		*where = v[i].unit;
	}
	return true;
}

/* Of each unit with several processes: are they all elsewhere?  False when out of memory. */
static bool refuse_wholes(struct sources_of *o, struct named *v, size_t n)
{
	size_t *left = calloc(o->nunits + 1, sizeof *left), one = 0;
	bool ok = left != NULL, yes;

	if (left && n)
		qsort(v, n, sizeof *v, by_pid);
	for (size_t i = 0; left && i < n; i++)
		left[v[i].unit] += v[i].several;
	for (size_t i = 0, end; ok && i < n; i = end) {
		for (end = i + 1; end < n && v[end].pid == v[i].pid;)
			end++;
		for (size_t k = i; ok && k < end; k++) {
			if (!v[k].several)
				continue;
			ok = is_elsewhere(o, v + i, end - i, k - i, &one, &yes);
			if (ok && yes && !--left[v[k].unit])
				refuse(o, v[k].unit, one);
		}
	}
	free(left);
	return ok;
}

/* Is something of its run counted from 1970, and something else not? */
static bool has_both_clocks(const struct sources_of *o, size_t unit)
{
	bool has[2] = { false };
	size_t i = unit;

	do {
		const struct tm_seen_part *k = kernels_of(o, i);

		if (k)
			has[k->first > SINCE_1970] = true;
		i = o->unit[i].next;
	} while (i != unit);
	return has[0] && has[1];
}

/* Of n units that name one process: is one on another clock than another, of which it may be a
 * part?  False when out of memory. */
static bool refuse_clocks(struct sources_of *o, const struct named *v, size_t n)
{
	bool yes;

	for (size_t i = 1; i < n && !o->refused; i++) {
		if (has_both_clocks(o, v[i].unit))
			continue;
		for (size_t k = 0; k < i && !o->refused; k++) {
			const size_t a = v[i].unit, b = v[k].unit;

			if (!two_clocks(o, a, b) || has_both_clocks(o, b))
				continue;
			if (!may_be_part(o, a, b, &yes))
				return false;
			if (!yes)
				continue;
			tm_report_add(o->rep, TM_SEV_ERROR, first_trace(o, a)->s->id.path, 0,
			              "of the same process as %.300s, on another clock, and one "
			              "may have the kernels of the other; give one of the two",
			              first_trace(o, b)->s->id.path);
			o->refused = true;
		}
	}
	return true;
}

bool tm_sources_refuse_clocks(struct sources_of *o)
{
	size_t n;
	struct named *v = named_of(o, &n);
	bool ok = v != NULL;

	if (n)
		qsort(v, n, sizeof *v, by_pid);
	for (size_t i = 0, end; ok && i < n; i = end) {
		for (end = i + 1; end < n && v[end].pid == v[i].pid;)
			end++;
		ok = refuse_clocks(o, v + i, end - i);
	}
	free(v);
	return ok;
}

bool tm_sources_link_pids(struct sources_of *o)
{
	size_t n;
	struct named *v = named_of(o, &n);
	bool ok = v && link_places(o, v, n);

	ok = ok && refuse_wholes(o, v, n);
	free(v);
	return ok;
}
