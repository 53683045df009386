/* SPDX-License-Identifier: MIT */
#include "runs/sources.h"

#include "runs/sources_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Parts of which formats of one run have to tell the same; the rest is told in too many ways. */
#define COMPARED (TM_PART_BIT(TM_DOMAIN_OTHER) - 1)

/* Parts that are chosen: statistics stay, whoever shows them knows whose trace is there. */
#define CHOSEN (TM_PARTS_ALL & ~TM_PART_BIT(TM_PART_STAT))

/* ---- which is best ---- */

/* Of two formats with equally many events, how well they keep the times of this part. */
static enum tm_format_times times_of(const struct tm_source *s, enum tm_trace_part part)
{
	/* Copies and calls are not clipped. */
	if (s->facts.times == TM_TIMES_CLIPPED && part != (enum tm_trace_part)TM_DOMAIN_KERNEL)
		return TM_TIMES_EXACT;
	return s->facts.times;
}

bool tm_sources_better(const struct sources_of *o, const struct tm_source *a,
                       const struct tm_source *b, enum tm_trace_part part)
{
	const struct tm_seen_part *x = &a->part[part], *y = &b->part[part];
	unsigned nx = tm_ev_count(x->columns), ny = tm_ev_count(y->columns);

	/* What was drawn has less to say. */
	if (a->drawn != b->drawn)
		return b->drawn;
	if (x->timed != y->timed)
		return x->timed > y->timed;
	if (x->rows != y->rows)
		return x->rows > y->rows;
	if (times_of(a, part) != times_of(b, part))
		return times_of(a, part) < times_of(b, part);
	if (nx != ny)
		return nx > ny;
	if (a->facts.place != b->facts.place)
		return a->facts.place < b->facts.place;
	return strcmp(o->trace[a->first].s->id.path, o->trace[b->first].s->id.path) < 0;
}

const struct tm_source *tm_sources_best(const struct sources_of *o, size_t unit,
                                        enum tm_trace_part part)
{
	const struct source_unit *u = &o->unit[unit];
	const struct tm_source *best = NULL;

	for (size_t k = u->first; k < u->first + u->n; k++)
		if (o->source[k].part[part].rows &&
		    (!best || tm_sources_better(o, &o->source[k], best, part)))
			best = &o->source[k];
	return best;
}

/* ---- one run ---- */

bool tm_sources_only_counters(const struct source_unit *u)
{
	return u->passes && !u->timing;
}

static void tell_diff(struct sources_of *o, const struct tm_source *a, const struct tm_source *b,
                      const struct source_diff *d)
{
	const struct tm_source *of[2] = { a, b };
	struct tm_buf t = { 0 };

	if (d->name == TM_NAME_NONE && !d->calls[0] && !d->calls[1]) {
		tm_buf_fmt(&t,
		           "they take %" PRIu64 " ns from the first to the last in %s and %" PRIu64
		           " ns",
		           (uint64_t)d->total[0], a->format, (uint64_t)d->total[1]);
	} else {
		const struct tm_name *nm = d->name == TM_NAME_NONE ? NULL
		                                                   : &o->all->names.v[d->name];

		tm_buf_fmt(&t, "'%.120s' ", nm ? nm->text : "");
		for (int i = 0; i < 2; i++)
			tm_buf_fmt(&t, "%s%" PRIu64 " call%s, %" PRIu64 " ns%s%s", i ? " and " : "",
			           d->calls[i], d->calls[i] == 1 ? "" : "s", (uint64_t)d->total[i],
			           i ? "" : " in ", i ? "" : of[i]->format);
	}
	tm_report_add(
	        o->rep, TM_SEV_ERROR, o->trace[b->first].s->id.path, 0,
	        "%s and %s (%.200s) record the same run, but their %s events differ: %s in %s; "
	        "give one of the two",
	        b->format, a->format, o->trace[a->first].s->id.path, tm_part_text(d->part),
	        t.p ? t.p : "", b->format);
	tm_buf_fini(&t);
}

/* Do all formats of the run tell what the best one does? */
static bool compare(struct sources_of *o, struct run_units *r, const struct tm_source *best,
                    enum tm_trace_part part)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct source_unit *u = &o->unit[r->unit[i]];

		for (size_t k = u->first; k < u->first + u->n && !tm_sources_only_counters(u);
		     k++) {
			const struct tm_source *s = &o->source[k];
			bool one = (s->facts.profilers & best->facts.profilers) != 0;
			struct source_diff d;
			bool same;

			if (s == best || !s->part[part].rows || !one)
				continue;
			if (!tm_sources_alike(o, best, s, part, &same, &d))
				return false;
			if (!same) {
				tell_diff(o, best, s, &d);
				r->refused = true;
				return true;
			}
		}
	}
	return true;
}

/* Is a better than b for a part, as they would be told?  Kernels are those that the others are told
 * by; of the rest, ids that join it with them come first; and agents of whoever numbers them as the
 * events do. */
static bool told_better(const struct sources_of *o, const struct tm_source *a,
                        const struct tm_source *b, enum tm_trace_part part)
{
	if (a->drawn != b->drawn)
		return b->drawn;
	if (part == (enum tm_trace_part)TM_DOMAIN_KERNEL && !a->base != !b->base)
		return !a->base;
	if (a->beside != b->beside)
		return b->beside;
	if (part == TM_PART_AGENT && !a->recast.n != !b->recast.n)
		return !a->recast.n;
	return tm_sources_better(o, a, b, part);
}

/* The best source of a run for a part, passes that have no times aside; which GPUs there are needs
 * none. */
static const struct tm_source *best_of_run(const struct sources_of *o, const struct run_units *r,
                                           enum tm_trace_part part)
{
	const struct tm_source *best = NULL;

	for (size_t i = 0; i < r->n; i++) {
		const struct source_unit *u = &o->unit[r->unit[i]];

		if (part != TM_PART_AGENT && tm_sources_only_counters(u))
			continue;
		for (size_t k = u->first; k < u->first + u->n; k++)
			if (o->source[k].part[part].rows &&
			    !(o->source[k].unfit & TM_PART_BIT(part)) &&
			    (!best || told_better(o, &o->source[k], best, part)))
				best = &o->source[k];
	}
	return best;
}

static void leave(struct sources_of *o, const struct tm_source *s, uint32_t parts)
{
	for (size_t i = s->first; i < s->first + s->n; i++)
		o->trace[i].leave |= parts;
}

/* Choose for one part of a run. */
static bool choose(struct sources_of *o, struct run_units *r, enum tm_trace_part part)
{
	const struct tm_source *best = best_of_run(o, r, part);

	if (best && COMPARED & TM_PART_BIT(part) && !compare(o, r, best, part))
		return false;
	for (size_t i = 0; i < r->n; i++) {
		const struct source_unit *u = &o->unit[r->unit[i]];
		const struct tm_source *own = tm_sources_only_counters(u) && part == TM_PART_COUNTER
		                                      ? tm_sources_best(o, r->unit[i], part)
		                                      : best;

		for (size_t k = u->first; k < u->first + u->n; k++)
			if (&o->source[k] != own && (tm_sources_only_counters(u) || best ||
			                             o->source[k].unfit & TM_PART_BIT(part)))
				leave(o, &o->source[k], TM_PART_BIT(part));
		/* What another has as many of is not missing. */
		for (size_t k = u->first; k < u->first + u->n; k++)
			if (best && best->part[part].rows >= o->source[k].part[part].rows)
				o->source[k].unfit &= ~TM_PART_BIT(part);
	}
	return true;
}

/* ---- statistics ---- */

/* What a trace has of statistics: how many lines, and the sum of their hashes. */
struct stat_lines {
	struct source_trace *t;
	uint64_t n, sum, domains; /* a bit each */
};

static struct stat_lines stat_lines_of(struct source_trace *t)
{
	struct stat_lines l = { .t = t };

	for (uint32_t g = 0; g < t->s->keys.n; g++) {
		const uint64_t *key = &t->s->keys.key[2 * (size_t)g];
		const struct tm_seen_calls *c = &t->s->calls[g];
		const uint64_t w[] = { key[0], key[1], c->calls, (uint64_t)c->total };

		if (key[0] < TM_TRACE_PARTS)
			continue;
		l.n++;
		l.domains |= UINT64_C(1) << (key[0] - TM_TRACE_PARTS) % 64;
		l.sum += tm_hash_digest(w, 4);
	}
	return l;
}

/* Those that say most come first. */
static int by_lines(const void *pa, const void *pb)
{
	const struct stat_lines *a = pa, *b = pb;
	unsigned x = tm_ev_count(a->t->s->part[TM_PART_STAT].columns);
	unsigned y = tm_ev_count(b->t->s->part[TM_PART_STAT].columns);

	if (a->n != b->n)
		return a->n > b->n ? 1 : -1;
	if (a->sum != b->sum)
		return a->sum > b->sum ? 1 : -1;
	return x != y ? (x < y) - (x > y) : (a->t > b->t) - (a->t < b->t);
}

/* Has the trace all of these statistics? */
static bool has_lines(const struct source_trace *of, const struct source_trace *t)
{
	const struct tm_groups *keys = &t->s->keys;

	for (uint32_t g = 0; g < keys->n; g++) {
		const struct tm_seen_calls *c = &t->s->calls[g], *same;
		uint32_t at;

		if (keys->key[2 * (size_t)g] < TM_TRACE_PARTS)
			continue;
		at = tm_groups_find(&of->s->keys, &keys->key[2 * (size_t)g]);
		same = at == TM_GROUP_NONE ? NULL : &of->s->calls[at];
		if (!same || same->calls != c->calls || same->total != c->total)
			return false;
	}
	return true;
}

/* Of n by_lines(): leave out those that are all in one that has more of the same domains.  A
 * summary has those of several; which of these count is decided where they are added up. */
static void leave_parts(struct sources_of *o, const struct stat_lines *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = n; k-- > i + 1 && v[k].n > v[i].n;) {
			if (!v[i].n || v[i].domains != v[k].domains ||
			    v[i].t->leave & TM_PART_BIT(TM_PART_STAT) || !has_lines(v[k].t, v[i].t))
				continue;
			v[i].t->leave |= TM_PART_BIT(TM_PART_STAT);
			tm_report_add(o->rep, TM_SEV_NOTE, v[i].t->s->id.path, 0,
			              "has only statistics that %.300s has, too; counted once",
			              v[k].t->s->id.path);
		}
}

/* Statistics of a run that two profilers wrote count once.  False when out of memory. */
static bool leave_sums(struct sources_of *o, const struct run_units *r)
{
	struct stat_lines *v = malloc((o->n + 1) * sizeof *v);
	size_t n = 0, end;

	for (size_t i = 0; v && i < r->n; i++)
		for (size_t t = tm_sources_first(o, r->unit[i], &end); t < end; t++)
			if (tm_sources_counts(&o->trace[t]) &&
			    !(o->trace[t].leave & TM_PART_BIT(TM_PART_STAT)) &&
			    o->trace[t].s->part[TM_PART_STAT].rows)
				v[n++] = stat_lines_of(&o->trace[t]);
	if (v && n)
		qsort(v, n, sizeof *v, by_lines);
	for (size_t i = 1, of = 0; i < n; i++) {
		if (v[i].n != v[of].n || v[i].sum != v[of].sum) {
			of = i;
			continue;
		}
		v[i].t->leave |= TM_PART_BIT(TM_PART_STAT);
		tm_report_add(o->rep, TM_SEV_NOTE, v[i].t->s->id.path, 0,
		              "same statistics as %.300s; counted once", v[of].t->s->id.path);
	}
	if (v)
		leave_parts(o, v, n);
	free(v);
	return v != NULL;
}

/* ---- what is said of it ---- */

/* "kernel/copy/hip of FORMAT", of the parts that this source has and are, or are not, used. */
static void list_parts(const struct sources_of *o, struct tm_buf *b, const struct tm_source *s,
                       bool used)
{
	uint32_t which = 0;
	unsigned n = 0;

	for (int p = 0; p < TM_DOMAIN_N; p++)
		if (s->part[p].rows && !(o->trace[s->first].leave & TM_PART_BIT(p)) == used)
			which |= TM_PART_BIT(p);
	if (s->part[TM_PART_COUNTER].rows &&
	    !(o->trace[s->first].leave & TM_PART_BIT(TM_PART_COUNTER)) == used)
		which |= TM_PART_BIT(TM_PART_COUNTER);
	if (!which)
		return;
	tm_buf_str(b, b->n ? ", " : "");
	while (which) {
		int p = __builtin_ctz(which);

		which &= which - 1;
		tm_buf_fmt(b, "%s%s", n++ ? "/" : "", tm_part_text((enum tm_trace_part)p));
	}
	tm_buf_fmt(b, " of %s", s->format);
}

/* Several formats: what is used of which, and what is not. */
static void tell_formats(struct sources_of *o, const struct run_units *r)
{
	struct tm_buf used = { 0 }, not = { 0 };
	const struct tm_source *first = NULL;

	for (size_t i = 0; i < r->n; i++) {
		const struct source_unit *u = &o->unit[r->unit[i]];

		for (size_t k = u->first; k < u->first + u->n && !tm_sources_only_counters(u);
		     k++) {
			size_t had = used.n;

			list_parts(o, &used, &o->source[k], true);
			list_parts(o, &not, &o->source[k], false);
			if (used.n > had && !first)
				first = &o->source[k];
		}
	}
	if (not .n && first)
		tm_report_add(o->rep, TM_SEV_NOTE, o->trace[first->first].s->id.path, 0,
		              "several formats record this run: using %s; ignoring %s",
		              used.p ? used.p : "", not .p);
	for (size_t i = 0; i < r->n; i++) {
		const struct source_unit *u = &o->unit[r->unit[i]];

		for (size_t k = u->first; k < u->first + u->n; k++)
			if (o->source[k].base)
				tm_sources_tell_frame(o, &o->source[k]);
	}
	tm_buf_fini(&used);
	tm_buf_fini(&not );
}

/* Several passes: whose times count. */
static void tell_passes(struct sources_of *o, const struct run_units *r)
{
	size_t n = 0, untimed = 0;
	const char *path = NULL;

	for (size_t i = 0; i < r->n; i++) {
		const struct source_unit *u = &o->unit[r->unit[i]];

		n += u->passes;
		untimed += u->untimed;
		if (u->timing)
			path = o->trace[o->source[u->first].first].s->id.path;
	}
	if (path && untimed)
		tm_report_add(o->rep, TM_SEV_NOTE, path, 0,
		              "%zu passes over the same dispatches: using the times of this one, "
		              "which lacks %zu of them",
		              n, untimed);
	else if (path)
		tm_report_add(o->rep, TM_SEV_NOTE, path, 0,
		              "%zu passes over the same dispatches: using the times of this one",
		              n);
}

/* ---- all runs ---- */

static bool decide_run(struct sources_of *o, struct run_units *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct source_unit *u = &o->unit[r->unit[i]];

		for (size_t k = u->first; k < u->first + u->n && tm_sources_only_counters(u); k++) {
			leave(o, &o->source[k], TM_PART_BIT(TM_PART_STAT));
			for (size_t t = 0; t < o->source[k].n; t++)
				o->trace[o->source[k].first + t].untimed = true;
		}
	}
	if (!tm_sources_frames(o, r))
		return false;
	/* One part that differs is enough. */
	for (int p = 0; p < TM_TRACE_PARTS && !r->refused; p++)
		if (CHOSEN & TM_PART_BIT(p) && !choose(o, r, (enum tm_trace_part)p))
			return false;
	o->refused |= r->refused;
	if (!r->refused) {
		if (!leave_sums(o, r))
			return false;
		tell_formats(o, r);
		tell_passes(o, r);
	}
	return true;
}

static int by_run(const void *pa, const void *pb, void *arg)
{
	const size_t *a = pa, *b = pb;
	const struct sources_of *o = arg;
	size_t x = o->unit[*a].run, y = o->unit[*b].run;

	if (x != y)
		return x > y ? 1 : -1;
	return (*a > *b) - (*a < *b);
}

/* The name of a run: the least that its traces have, but not that of another run (files of two
 * profilers that are called alike). */
static char *name_of_run(const struct sources_of *o, const struct run_units *r)
{
	const struct source_unit *u = &o->unit[r->unit[0]];
	const struct source_trace *t = &o->trace[o->source[u->first].first];
	const struct source_unit *before = r->unit[0] ? u - 1 : NULL;
	struct tm_buf b = { 0 };

	tm_buf_str(&b, t->s->id.own_run);
	if (before && !strcmp(o->trace[o->source[before->first].first].group, t->group))
		tm_buf_fmt(&b, "%s_", t->s->id.format);
	if (b.failed)
		tm_buf_fini(&b);
	return b.p;
}

/* A copy of how it is told, owned by the pick.  False when out of memory. */
static bool recast(struct tm_pick *p, const struct tm_recast *r)
{
	char *clock = r->shift_ns && r->clock ? strdup(r->clock) : NULL;

	p->recast = *r;
	p->recast.clock = clock;
	p->recast.agent = r->n ? malloc(r->n * sizeof *r->agent) : NULL;
	if (p->recast.agent)
		memcpy(p->recast.agent, r->agent, r->n * sizeof *r->agent);
	return (p->recast.agent || !r->n) && (clock || !r->shift_ns || !r->clock);
}

/* What was decided of one trace of the run; false when out of memory. */
static bool add_pick(struct tm_sources *out, const struct source_trace *t, const char *run,
                     const struct source_unit *told, const struct tm_source *s, bool anew)
{
	uint32_t rows = t->s->totals ? TM_PARTS_ALL : 0;
	struct tm_pick *p;
	/* Who gives an archive its rank is told the runs of all its members. */
	bool other_run = strcmp(run, t->s->id.run) != 0 || t->s->inside;
	bool other_rank = told && told->rule < (anew ? TM_RANK_ORDER : t->s->id.rule);
	bool told_clock = s->recast.realtime.readings && !t->s->id.realtime.readings;

	for (int i = 0; i < TM_TRACE_PARTS; i++)
		rows |= t->s->part[i].rows ? TM_PART_BIT(i) : 0;
	if (!(t->leave & rows) && !t->untimed && !other_run && !other_rank && !anew &&
	    !told_clock && !tm_recast_any(&s->recast))
		return true;
	if (!tm_grow_array(&out->v, &out->cap, out->n + 1, sizeof *out->v))
		return false;
	out->v[out->n] = (struct tm_source_pick) { .input = t->s->input,
		                                   .source = t->s->inside ? strdup(t->s->source)
		                                                          : NULL };
	p = &out->v[out->n++].pick;
	*p = (struct tm_pick) { .path = strdup(t->s->id.path),
		                .origin = t->s->nth,
		                .leave = t->leave & rows,
		                .untimed = t->untimed,
		                .run = other_run ? strdup(run) : NULL,
		                .has_rank = other_rank,
		                .anew = anew,
		                .has_content = !s->lossy,
		                .events = t->s->events,
		                .content = t->s->content };
	if (other_rank) {
		p->rank = told->rank;
		p->rule = told->rule;
	}
	/* Nothing of it counts. */
	if (rows && p->leave == rows)
		p->leave = TM_PARTS_ALL;
	return recast(p, &s->recast) && p->path && (p->run || !other_run) &&
	       (out->v[out->n - 1].source || !t->s->inside);
}

/* The unit of a run whose rank is known by the strongest rule, or NULL; what a picture says of it
 * only where it is nothing but pictures. */
static const struct source_unit *told_of(const struct sources_of *o, const struct run_units *r)
{
	const struct source_unit *best = NULL;

	for (size_t i = 0; i < r->n; i++) {
		const struct source_unit *u = &o->unit[r->unit[i]];
		const bool counts = r->drawn || !u->drawn || u->rule != TM_RANK_TRACE;

		if (u->told && counts && (!best || u->rule < best->rule))
			best = u;
	}
	return best;
}

static bool pick_source(const struct sources_of *o, const struct run_units *r,
                        const struct tm_source *s, const char *run, const struct source_unit *told,
                        struct tm_sources *out)
{
	bool ok = true;

	for (size_t i = s->first; ok && i < s->first + s->n; i++) {
		const struct source_trace *t = &o->trace[i];
		const bool anew = !r->drawn && tm_sources_numbers_anew(s, t->s);

		ok = add_pick(out, t, run, told, s, anew);
	}
	return ok;
}

static bool pick_run(struct sources_of *o, const struct run_units *r, struct tm_sources *out)
{
	char *run = name_of_run(o, r);
	const struct source_unit *told = told_of(o, r);
	bool ok = run != NULL;

	for (size_t i = 0; ok && i < r->n; i++) {
		const struct source_unit *u = &o->unit[r->unit[i]];

		for (size_t k = u->first; ok && k < u->first + u->n; k++)
			ok = pick_source(o, r, &o->source[k], run, told, out);
	}
	free(run);
	return ok;
}

static bool decide_runs(struct sources_of *o, struct tm_sources *out)
{
	size_t *order = malloc((o->nunits + 1) * sizeof *order);
	bool ok = order != NULL;

	for (size_t i = 0; ok && i < o->nunits; i++)
		order[i] = i;
	if (ok)
		qsort_r(order, o->nunits, sizeof *order, by_run, o);
	for (size_t i = 0, end; ok && i < o->nunits; i = end) {
		struct run_units r = { .unit = order + i };

		for (end = i + 1;
		     end < o->nunits && o->unit[order[end]].run == o->unit[order[i]].run;)
			end++;
		r.n = end - i;
		r.drawn = true;
		for (size_t k = i; k < end; k++)
			r.drawn &= o->unit[order[k]].drawn;
		ok = decide_run(o, &r) && pick_run(o, &r, out);
	}
	free(order);
	return ok;
}

static int by_input(const void *pa, const void *pb)
{
	const struct tm_source_pick *a = pa, *b = pb;

	if (a->input != b->input)
		return a->input > b->input ? 1 : -1;
	return tm_pick_cmp(&a->pick, &b->pick);
}

bool tm_sources_decide(struct tm_sources *s, struct tm_seens *all, const struct tm_watch *w,
                       struct tm_report *rep)
{
	struct sources_of o = { .all = all, .watch = w, .rep = rep };
	bool ok = tm_sources_group(&o) && tm_sources_link(&o) && decide_runs(&o, s);

	if (ok && s->n)
		qsort(s->v, s->n, sizeof *s->v, by_input);
	s->refused |= o.refused;
	for (size_t i = 0; i < o.n; i++) {
		free(o.trace[i].group);
		free(o.trace[i].place);
	}
	for (size_t i = 0; i < o.nsources; i++) {
		free(o.source[i].line);
		free(o.source[i].agent);
		free(o.source[i].recast.agent);
	}
	free(o.trace);
	free(o.source);
	free(o.unit);
	tm_names_fini(&o.base);
	tm_buf_fini(&o.text);
	return ok;
}

void tm_sources_fini(struct tm_sources *s)
{
	for (size_t i = 0; i < s->n; i++) {
		char *text;

		memcpy(&text, &s->v[i].pick.path, sizeof text);
		free(text);
		memcpy(&text, &s->v[i].pick.run, sizeof text);
		free(text);
		memcpy(&text, &s->v[i].pick.recast.clock, sizeof text);
		free(text);
		free(s->v[i].pick.recast.agent);
		free(s->v[i].source);
	}
	free(s->v);
	*s = (struct tm_sources) { 0 };
}
