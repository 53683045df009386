/* SPDX-License-Identifier: MIT
 * Sources of one run that count time from another moment, number agents in another way, or gave
 * other correlation ids.
 *
 * Both record the same kernels, and these tell how one is to be told as the other: by how much its
 * clock is ahead, and which of its agents is which.  Ids of two profilers have nothing in common:
 * calls and the work that they caused are taken from one of them. */
#include "runs/sources_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	KERNEL = TM_DOMAIN_KERNEL,
	LATE = 2000, /* ns between the same kernels in two formats of one clock */
};

/* Parts that correlation ids join with kernels. */
#define CALLS                                                                                      \
	(TM_PART_BIT(TM_DOMAIN_HIP) | TM_PART_BIT(TM_DOMAIN_HSA) | TM_PART_BIT(TM_DOMAIN_OTHER))

/* Parts whose events are of an agent. */
#define ON_AGENTS                                                                                  \
	(TM_PART_BIT(TM_DOMAIN_COPY) | TM_PART_BIT(TM_DOMAIN_ALLOC) |                              \
	 TM_PART_BIT(TM_DOMAIN_SCRATCH) | TM_PART_BIT(TM_PART_COUNTER) |                           \
	 TM_PART_BIT(TM_PART_SERIES) | TM_PART_BIT(TM_PART_SAMPLE) | TM_PART_BIT(TM_PART_AGENT))

/* All kernels of a source. */
static struct tm_seen_agent sum_of(const struct tm_source *s)
{
	struct tm_seen_agent sum = { .first = UINT64_MAX };

	for (size_t i = 0; i < s->nagents; i++)
		tm_seen_agent_add(&sum, &s->agent[i]);
	return sum;
}

/* How far the time of one kernel may be off in another format. */
static uint64_t slack_of(const struct tm_source *a, const struct tm_source *b)
{
	const struct tm_seen_part *x = &a->part[KERNEL], *y = &b->part[KERNEL];

	if (a->facts.times != TM_TIMES_CLIPPED && b->facts.times != TM_TIMES_CLIPPED)
		return LATE;
	return LATE + (x->longest > y->longest ? x->longest : y->longest);
}

static uint64_t between(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* ---- clocks ---- */

/* Is it that shift for the first, the last and the mean of the kernels? */
static bool shifted_alike(const struct tm_seen_agent *a, const struct tm_seen_agent *b,
                          uint64_t shift, uint64_t slack)
{
	const tm_i128 most = (tm_i128)slack * (tm_i128)a->kernels;
	const tm_i128 off = (tm_i128)a->starts - (tm_i128)b->starts -
	                    (tm_i128)(int64_t)shift * (tm_i128)a->kernels;

	return a->kernels == b->kernels && between(a->last, b->last + shift) <= slack &&
	       off <= most && off >= -most;
}

/* What to add to the times of s to have those of `base`; false: it is not known. */
static bool shift_of(const struct tm_source *base, const struct tm_source *s, uint64_t *shift)
{
	const struct tm_seen_agent a = sum_of(base), b = sum_of(s);
	const bool one = (base->facts.profilers & s->facts.profilers) != 0;

	*shift = 0;
	/* Without the same kernels nothing tells. */
	if (!a.kernels || !b.kernels || (one && (base->lossy || s->lossy)) ||
	    between(a.first, b.first) <= LATE)
		return true;
	*shift = a.first - b.first;
	return shifted_alike(&a, &b, *shift, slack_of(base, s));
}

/* ---- ids ---- */

/* Did one profiler give the correlation ids of both, in one numbering? */
static bool one_numbering(const struct tm_source *base, const struct tm_source *s, uint64_t shift)
{
	const struct tm_seen_agent a = sum_of(base), b = sum_of(s);

	return base->facts.profilers & s->facts.profilers && !shift &&
	       (!a.ids || !b.ids || base->lossy || s->lossy ||
	        (a.ids == b.ids && a.id_sum == b.id_sum));
}

static bool has_ids(const struct tm_source *s)
{
	tm_ev_set columns = 0;

	for (int p = 0; p < TM_TRACE_PARTS; p++)
		columns |= s->part[p].columns;
	return (columns & TM_EV_BIT(TM_EVC_CORR)) != 0;
}

/* ---- agents ---- */

static bool has_agent(const struct tm_source *s, uint64_t agent)
{
	for (size_t i = 0; i < s->nagents; i++)
		if (s->agent[i].agent == agent)
			return true;
	return false;
}

static tm_u128 apart(const struct tm_seen_agent *a, const struct tm_seen_agent *b, uint64_t shift)
{
	const tm_i128 off = (tm_i128)a->starts - (tm_i128)b->starts -
	                    (tm_i128)(int64_t)shift * (tm_i128)a->kernels;

	return (tm_u128)between(a->first, b->first + shift) + between(a->last, b->last + shift) +
	       (tm_u128)(off < 0 ? -off : off);
}

/* The one agent of `base` that ran the kernels of agent a of another source; NULL: none or several
 * may be it. */
static const struct tm_seen_agent *same_agent(const struct tm_source *base,
                                              const struct tm_seen_agent *a, uint64_t shift,
                                              uint64_t slack)
{
	const struct tm_seen_agent *best = NULL;
	bool several = false;

	for (size_t i = 0; i < base->nagents; i++) {
		const struct tm_seen_agent *b = &base->agent[i];

		if (b->kernels != a->kernels || between(b->first, a->first + shift) > slack)
			continue;
		several = best && apart(b, a, shift) == apart(best, a, shift);
		if (!best || apart(b, a, shift) < apart(best, a, shift))
			best = b;
	}
	return several ? NULL : best;
}

/* Which agent of `base` is each of s?  *known = false: it cannot be told.  False when out of
 * memory. */
static bool map_agents(const struct tm_source *base, struct tm_source *s, bool *known)
{
	const uint64_t slack = slack_of(base, s);
	struct tm_recast *r = &s->recast;
	bool same = true, subset = true;

	*known = true;
	if (has_agent(base, UINT64_MAX) || has_agent(s, UINT64_MAX) || !base->nagents ||
	    !s->nagents)
		return true;
	r->agent = calloc(s->nagents, sizeof *r->agent);
	if (!r->agent)
		return false;
	for (size_t i = 0; i < s->nagents; i++) {
		const struct tm_seen_agent *of = same_agent(base, &s->agent[i], r->shift_ns, slack);

		subset &= has_agent(base, s->agent[i].agent);
		*known &= of != NULL;
		for (size_t k = 0; of && k < i; k++)
			*known &= r->agent[k].to != of->agent;
		if (!of)
			continue;
		r->agent[i] = (struct tm_recast_agent) { s->agent[i].agent, of->agent };
		same &= of->agent == s->agent[i].agent;
	}
	r->n = *known && !same ? s->nagents : 0;
	/* The same numbers may be the same agents, where nothing says that they are not. */
	*known |= subset;
	return true;
}

/* ---- which is told as it is ---- */

/* How many parts of calls has the run whose ids are those of `base`? */
static int calls_of(const struct sources_of *o, const struct run_units *r,
                    const struct tm_source *base)
{
	uint32_t has = 0;
	uint64_t shift;

	/* Kernels without ids are of no call. */
	if (!sum_of(base).ids)
		return 0;
	for (size_t i = 0; i < r->n; i++) {
		const struct source_unit *u = &o->unit[r->unit[i]];

		for (size_t k = u->first; k < u->first + u->n; k++) {
			const struct tm_source *s = &o->source[k];

			if (!shift_of(base, s, &shift) || !one_numbering(base, s, shift))
				continue;
			for (int p = 0; p < TM_TRACE_PARTS; p++)
				has |= s->part[p].rows ? TM_PART_BIT(p) : 0;
		}
	}
	return __builtin_popcount(has & CALLS);
}

/* Of a run with kernels: is a better to tell the others by than b?  With calls of the same ids it
 * is known what caused them. */
static bool better(const struct sources_of *o, const struct run_units *r, const struct tm_source *a,
                   const struct tm_source *b)
{
	const struct tm_seen_part *x = &a->part[KERNEL], *y = &b->part[KERNEL];
	int na, nb;

	if (x->timed != y->timed || x->rows != y->rows || a->drawn != b->drawn)
		return tm_sources_better(o, a, b, (enum tm_trace_part)KERNEL);
	na = calls_of(o, r, a);
	nb = calls_of(o, r, b);
	return na != nb ? na > nb : tm_sources_better(o, a, b, (enum tm_trace_part)KERNEL);
}

/* The source that the others are told as, by the first part that any has; NULL: none has any. */
static struct tm_source *base_of(const struct sources_of *o, const struct run_units *r)
{
	struct tm_source *base = NULL;

	for (int p = 0; p < TM_DOMAIN_N && !base; p++)
		for (size_t i = 0; i < r->n; i++) {
			const struct source_unit *u = &o->unit[r->unit[i]];

			for (size_t k = u->first; k < u->first + u->n; k++) {
				struct tm_source *s = &o->source[k];

				if (!s->part[p].rows || tm_sources_only_counters(u))
					continue;
				if (!base ||
				    (p == KERNEL ? better(o, r, s, base)
				                 : tm_sources_better(o, s, base,
				                                     (enum tm_trace_part)p)))
					base = s;
			}
		}
	return base;
}

/* How s is told as `base`.  False when out of memory. */
static bool relate(const struct tm_source *base, struct tm_source *s)
{
	bool clock = shift_of(base, s, &s->recast.shift_ns), agents = true;
	bool ok = !clock || map_agents(base, s, &agents);
	bool ids = clock && one_numbering(base, s, s->recast.shift_ns);

	s->recast.no_ids = !ids && has_ids(s);
	s->beside = !ids;
	s->adrift = !clock;
	s->unfit = !clock ? TM_PARTS_ALL & ~TM_PART_BIT(TM_PART_STAT) : agents ? 0 : ON_AGENTS;
	return ok;
}

/* The source of another pass that is told as `base` is: the same format; NULL: there is none. */
static const struct tm_source *base_of_pass(const struct sources_of *o, const struct source_unit *u,
                                            const struct tm_source *base)
{
	for (size_t k = u->first; k < u->first + u->n; k++)
		if (!strcmp(o->source[k].format, base->format))
			return &o->source[k];
	return NULL;
}

/* Of another pass only counters count: their agents are all that is to be told. */
static bool relate_pass(const struct tm_source *base, struct tm_source *s)
{
	bool ok = relate(base, s);

	s->recast.shift_ns = 0;
	s->recast.no_ids = s->beside = false;
	s->unfit = 0;
	return ok;
}

/* How the clock of the run relates to CLOCK_REALTIME: what the first of its traces says that is
 * told as it is, for those that say nothing. */
static void share_realtime(struct sources_of *o, const struct run_units *r)
{
	const struct tm_realtime *known = NULL;

	for (int give = 0; give < 2; give++)
		for (size_t i = 0; i < r->n; i++) {
			const struct source_unit *u = &o->unit[r->unit[i]];

			for (size_t k = u->first; k < u->first + u->n; k++) {
				struct tm_source *s = &o->source[k];
				const bool other = s->recast.shift_ns || s->unfit & ~ON_AGENTS;

				for (size_t t = 0; !give && !known && !other && t < s->n; t++) {
					known = &o->trace[s->first + t].s->id.realtime;
					known = known->readings ? known : NULL;
				}
				if (give && known)
					s->recast.realtime = *known;
			}
		}
}

bool tm_sources_frames(struct sources_of *o, const struct run_units *r)
{
	struct tm_source *base = base_of(o, r);
	bool ok = true;

	for (size_t i = 0; ok && base && i < r->n; i++) {
		const struct source_unit *u = &o->unit[r->unit[i]];
		const bool pass = tm_sources_only_counters(u);
		const struct tm_source *as = pass ? base_of_pass(o, u, base) : base;

		for (size_t k = u->first; ok && as && k < u->first + u->n; k++) {
			struct tm_source *s = &o->source[k];

			if (s == as)
				continue;
			ok = pass ? relate_pass(as, s) : relate(as, s);
			s->base = pass ? NULL : as;
			s->recast.clock = o->trace[as->first].s->id.clock;
		}
	}
	share_realtime(o, r);
	return ok;
}

/* ---- what is said of it ---- */

static uint32_t used_parts(const struct sources_of *o, const struct tm_source *s)
{
	uint32_t has = 0;

	for (int p = 0; p < TM_TRACE_PARTS; p++)
		has |= s->part[p].rows ? TM_PART_BIT(p) : 0;
	return has & ~o->trace[s->first].leave;
}

static void tell_shift(const struct sources_of *o, const struct tm_source *s)
{
	const int64_t by = (int64_t)s->recast.shift_ns;

	if (by)
		tm_report_add(o->rep, TM_SEV_NOTE, o->trace[s->first].s->id.path, 0,
		              "times shifted by %s%" PRIu64
		              " ns to the clock of %s, which has the same kernels",
		              by < 0 ? "-" : "", by < 0 ? 0 - (uint64_t)by : (uint64_t)by,
		              s->base->format);
}

static void tell_agents(const struct sources_of *o, const struct tm_source *s)
{
	enum { SHOWN = 8 };
	struct tm_buf t = { 0 };
	char of[16], is[16];

	for (size_t i = 0; i < s->recast.n && i < SHOWN; i++)
		tm_buf_fmt(&t, "%s%s is %s", i ? ", " : "",
		           tm_agent_text(s->recast.agent[i].from, of),
		           tm_agent_text(s->recast.agent[i].to, is));
	if (s->recast.n)
		tm_report_add(o->rep, TM_SEV_NOTE, o->trace[s->first].s->id.path, 0,
		              "agents renumbered as in %s, which has the same kernels: %s%s",
		              s->base->format, t.p ? t.p : "", s->recast.n > SHOWN ? " ..." : "");
	tm_buf_fini(&t);
}

void tm_sources_tell_frame(const struct sources_of *o, const struct tm_source *s)
{
	const uint32_t used = used_parts(o, s), agent = TM_PART_BIT(TM_PART_AGENT);
	const char *path = o->trace[s->first].s->id.path;
	uint32_t unfit = s->unfit;

	for (int p = 0; p < TM_TRACE_PARTS; p++)
		unfit &= s->part[p].rows ? UINT32_MAX : ~TM_PART_BIT(p);
	if (unfit)
		tm_report_add(o->rep, TM_SEV_SKIP, path, 0,
		              "%s of %s are not those of %s, and the kernels do not say how to "
		              "convert them: events skipped",
		              s->adrift ? "times" : "agents", s->format, s->base->format);
	if (used & ~TM_PART_BIT(TM_PART_STAT) & ~agent)
		tell_shift(o, s);
	if (used & ON_AGENTS & ~agent)
		tell_agents(o, s);
	if (s->recast.no_ids && used & (CALLS | ON_AGENTS) & ~agent)
		tm_report_add(o->rep, TM_SEV_NOTE, path, 0,
		              "correlation ids of %s are not those of %s: not used", s->format,
		              s->base->format);
}
