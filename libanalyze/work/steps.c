/* SPDX-License-Identifier: MIT */
#include "work/steps.h"

#include "agg/agg.h"
#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)TM_WORK_DISPATCHES <= (int)TM_SEQUENCE_LISTS, "kernels are in too many lists");

static bool init(void *acc, const void *arg)
{
	return tm_work_init(acc, arg, TM_STEPS_KEEP);
}

const struct tm_event_sink tm_steps_sink = {
	.size = sizeof(struct tm_work),
	.init = init,
	.piece = tm_work_piece,
	.take = tm_work_take,
	.merge = tm_work_merge,
	.fini = tm_work_fini,
};

void tm_steps_fini(struct tm_steps *s)
{
	free(s->v);
	*s = (struct tm_steps) { 0 };
}

static bool add_step(struct tm_steps *s, uint64_t rank, uint64_t number, uint64_t lo, uint64_t hi)
{
	if (!tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return false;
	s->v[s->n++] = (struct tm_step) { .rank = rank, .number = number, .at = { lo, hi } };
	return true;
}

/* ---- markers ---- */

enum { NUMBERS = 4 }; /* in a text: "train_step 7, rank 0" has two */

/* A marker's text, taken apart. */
struct text {
	bool known;
	uint32_t pattern; /* in finder.patterns */
	unsigned n;       /* numbers; more than NUMBERS are not looked at */
	uint64_t number[NUMBERS];
};

/* Ranges of one pattern on one thread. */
struct series {
	uint32_t pattern;
	size_t thread;
	uint64_t count, first, last;
	tm_u128 total;
	bool overlaps;
	uint64_t before[NUMBERS]; /* numbers of the range before */
	unsigned ascending;       /* a bit for each that went up from range to range */
};

/* What a pattern is worth over all ranks. */
enum worth { WORTH_RANGE, WORTH_STEP, WORTH_PROFILER };

struct candidate {
	tm_u128 total;
	uint64_t series; /* that are fit */
};

struct finder {
	const struct tm_work *w;
	struct tm_names patterns; /* texts with * for each number */
	struct text *text;        /* of each name of w */
	struct tm_groups keys;    /* thread, pattern */
	struct series *series;
	size_t nseries, cap;
	struct candidate *candidate; /* of each pattern */
	struct tm_buf buf;
};

static void finder_fini(struct finder *f)
{
	tm_names_fini(&f->patterns);
	tm_groups_fini(&f->keys);
	tm_buf_fini(&f->buf);
	free(f->text);
	free(f->series);
	free(f->candidate);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_letter(char c)
{
	return is_lower(c) || (c >= 'A' && c <= 'Z');
}

/* What the text of a marker is without its numbers, and these. */
static bool take_apart(struct finder *f, uint32_t id)
{
	const struct tm_name *nm = &f->w->names.v[id];
	struct text *t = &f->text[id];

	tm_buf_clear(&f->buf);
	for (size_t i = 0, k; i < nm->len; i = k) {
		uint64_t v;

		for (k = i; k < nm->len && is_digit(nm->text[k]);)
			k++;
		if (k > i && tm_num_u64(nm->text + i, k - i, &v)) {
			if (t->n < NUMBERS)
				t->number[t->n++] = v;
			tm_buf_chr(&f->buf, '*');
		} else {
			k = k > i ? k : i + 1;
			tm_buf_add(&f->buf, nm->text + i, k - i);
		}
	}
	t->known = true;
	t->pattern = tm_names_add(&f->patterns, f->buf.n ? f->buf.p : "", f->buf.n);
	return !f->buf.failed && t->pattern != TM_NAME_NONE;
}

/* One range of a thread, in the order of their starts. */
static bool take_range(struct finder *f, size_t thread, size_t i)
{
	const struct tm_intervals *s = &f->w->thread[thread].region;
	struct text *t = &f->text[tm_interval_name(s, i)];
	uint64_t start = tm_interval_start(s, i), end = tm_interval_end(s, i);
	struct series *one;
	bool fresh;
	uint32_t g;

	if (start == end)
		return true;
	if (!t->known && !take_apart(f, tm_interval_name(s, i)))
		return false;
	g = tm_groups_item(&f->keys, (uint64_t[]) { thread, t->pattern }, &f->series, &f->cap,
	                   sizeof *f->series, &fresh);
	if (g == TM_GROUP_NONE)
		return false;
	one = &f->series[g];
	if (fresh) {
		*one = (struct series) { .pattern = t->pattern,
			                 .thread = thread,
			                 .first = start,
			                 .ascending = (1u << t->n) - 1 };
		f->nseries++;
	}
	one->overlaps |= one->count && start < one->last;
	for (unsigned k = 0; k < t->n; k++) {
		if (one->count && t->number[k] <= one->before[k])
			one->ascending &= ~(1u << k);
		one->before[k] = t->number[k];
	}
	one->last = end > one->last ? end : one->last;
	one->total += end - start;
	one->count++;
	return true;
}

static enum worth worth_of(const struct tm_name *pattern)
{
	if (!strcmp(pattern->text, "ProfilerStep#*"))
		return WORTH_PROFILER;
	return strcasestr(pattern->text, "step") || strcasestr(pattern->text, "iter") ? WORTH_STEP
	                                                                              : WORTH_RANGE;
}

/* Does a pattern name a single step: "step", "iteration *", "train_step #*", but not the "step" of
 * an optimizer, which is no iteration?  The word is all of it, or a number follows. */
static bool names_a_step(const struct tm_name *pattern)
{
	static const char *const word[] = { "iteration", "step", "iter" };
	const char *p = pattern->text;

	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		for (const char *at = p; (at = strcasestr(at, word[i])); at++) {
			const char *end = at + strlen(word[i]);
			bool whole = at == p && !*end;

			if (at > p && is_letter(at[-1]) && !(is_lower(at[-1]) && !is_lower(*at)))
				continue;
			while (*end && strchr(" _#:=-./[(", *end))
				end++;
			if (whole || *end == '*')
				return true;
		}
	return false;
}

/* A range that names a step is one, even alone or far from the next; anything else must come back
 * and fill most of its time. */
static bool fit(const struct finder *f, const struct series *s)
{
	if (s->overlaps)
		return false;
	return names_a_step(&f->patterns.v[s->pattern]) ||
	       (s->count > 1 && s->total > (s->last - s->first) / 2);
}

int tm_steps_compare(const struct tm_name *a, tm_u128 total_a, const struct tm_name *b,
                     tm_u128 total_b)
{
	const enum worth wa = worth_of(a), wb = worth_of(b);

	if (wa != wb)
		return wa > wb ? -1 : 1;
	if (total_a != total_b)
		return total_a > total_b ? -1 : 1;
	return tm_name_cmp(a, b);
}

static bool is_better(const struct finder *f, uint32_t a, uint32_t b)
{
	return tm_steps_compare(&f->patterns.v[a], f->candidate[a].total, &f->patterns.v[b],
	                        f->candidate[b].total) < 0;
}

/* The pattern whose ranges are the steps; TM_NAME_NONE if there is none.  *ok is false when out of
 * memory. */
static uint32_t choose_pattern(struct finder *f, bool *ok)
{
	uint32_t best = TM_NAME_NONE;

	f->text = calloc((size_t)f->w->names.n + 1, sizeof *f->text);
	*ok = f->text != NULL;
	for (size_t t = 0; *ok && t < f->w->nthread; t++)
		for (size_t i = 0; *ok && i < f->w->thread[t].region.n; i++)
			*ok = take_range(f, t, i);
	f->candidate = calloc((size_t)f->patterns.n + 1, sizeof *f->candidate);
	*ok = *ok && f->candidate;
	for (size_t i = 0; *ok && i < f->nseries; i++)
		if (fit(f, &f->series[i])) {
			struct candidate *c = &f->candidate[f->series[i].pattern];

			c->series++;
			c->total += f->series[i].total;
		}
	for (uint32_t i = 0; *ok && i < f->patterns.n; i++)
		if (f->candidate[i].series && (best == TM_NAME_NONE || is_better(f, i, best)))
			best = i;
	return best;
}

/* The fit series of that pattern which lasts longest on this rank; NULL if there is none.  Series
 * come in the order of their threads, so *at goes through them once, rank by rank. */
static const struct series *choose_series(const struct finder *f, uint32_t pattern, uint64_t rank,
                                          size_t *at)
{
	const struct series *best = NULL;

	for (; *at < f->nseries && f->w->thread[f->series[*at].thread].rank <= rank; ++*at) {
		const struct series *s = &f->series[*at];

		if (s->pattern == pattern && fit(f, s) && (!best || s->total > best->total))
			best = s;
	}
	return best;
}

static bool add_series(const struct finder *f, const struct series *of, struct tm_steps *s)
{
	const struct tm_work_thread *t = &f->w->thread[of->thread];
	uint64_t n = 0;
	unsigned k = 0;

	while (of->ascending && !(of->ascending & 1u << k))
		k++;
	for (size_t i = 0; i < t->region.n; i++) {
		const struct text *one = &f->text[tm_interval_name(&t->region, i)];

		/* Texts of marks may never have been looked at. */
		if (!tm_interval_dur(&t->region, i) || one->pattern != of->pattern)
			continue;
		n++;
		if (!add_step(s, t->rank, of->ascending ? one->number[k] : n,
		              tm_interval_start(&t->region, i), tm_interval_end(&t->region, i)))
			return false;
		s->v[s->n - 1].has_pid = t->has_pid;
		s->v[s->n - 1].pid = t->pid;
		s->v[s->n - 1].has_tid = t->has_tid;
		s->v[s->n - 1].tid = t->tid;
	}
	return true;
}

/* ---- sequences of kernels ---- */

/* The number of each kernel becomes the place of the one that, of those up to here, ends last. */
static void write_last(struct tm_sequence *q)
{
	size_t last = 0;

	for (size_t at = 0; at < q->n; at++) {
		if (tm_sequence_end(q, at) > tm_sequence_end(q, last))
			last = at;
		tm_sequence_write(q, at, (uint32_t)last);
	}
}

/* Until when the kernels up to this one ran, after write_last. */
static uint64_t done_by(const struct tm_sequence *q, size_t at)
{
	return tm_sequence_end(q, tm_sequence_read(q, at));
}

/* Where in the repeats a step begins: with the trace, or, after a warm-up, where idle time before
 * it is longest over all repeats.  At least two whole ones remain. */
static size_t first_of(const struct tm_sequence *q, const struct tm_period *p)
{
	size_t repeats = (p->to - p->from) / p->length, best = p->from;
	tm_u128 longest = 0;

	for (size_t i = p->from; p->from && i < p->from + p->length && i + 2 * p->length <= p->to;
	     i++) {
		tm_u128 idle = 0;

		for (size_t k = 0; k < repeats; k++) {
			size_t at = i + k * p->length;
			uint64_t start = tm_sequence_start(q, at), done = done_by(q, at - 1);

			idle += start > done ? start - done : 0;
		}
		if (idle > longest) {
			longest = idle;
			best = i;
		}
	}
	return best;
}

/* The agent of a rank that ran most kernels: *tracks of them, of its processes and lanes; NULL when
 * none did. */
static struct tm_work_track *lead_of(const struct tm_work *w, size_t from, size_t n, size_t *tracks)
{
	struct tm_work_track *best = NULL;
	size_t most = 0;

	for (size_t i = from, end; i < from + n; i = end) {
		struct tm_work_track *t = &w->track[i];
		size_t kernels = 0;

		for (end = i; end < from + n && w->track[end].has_agent == t->has_agent &&
		              w->track[end].agent == t->agent;
		     end++)
			for (int k = 0; k < TM_WORK_DISPATCHES; k++)
				kernels += w->track[end].op[k].n;
		if (kernels > most) {
			most = kernels;
			best = t;
			*tracks = end - i;
		}
	}
	return best;
}

/* The period of the kernels of a track; computed once where several stores share its lists. */
static enum tm_status find_period(const struct tm_work_track *t, struct tm_sequence *q,
                                  struct tm_period *out)
{
	struct tm_work_found *f = tm_work_found_of(t);

	if (!f)
		return tm_period_find(q, out);
	if (tm_once_begin(&f->period_once)) {
		f->repeats = tm_period_find(q, &f->period);
		tm_once_end(&f->period_once);
	}
	*out = f->period;
	return f->repeats;
}

/* The kernels of one agent, n tracks: what repeats is the same whatever else the store keeps.
 * Numbers are not written into tags that belong to a lender. */
static bool add_repeats(const struct tm_work *w, struct tm_work_track *t, size_t n,
                        struct tm_steps *s, struct tm_steps_sequence *out)
{
	const bool join = n > 1 || w->keep & TM_WORK_CORR;
	struct tm_intervals joined[TM_WORK_DISPATCHES] = { 0 };
	struct tm_sequence q = { 0 };
	struct tm_period p = { 0 };
	enum tm_status st = TM_ST_FATAL;
	size_t first = 0, steps = 0;
	bool ok = true;

	for (int k = 0; ok && join && k < TM_WORK_DISPATCHES; k++)
		ok = tm_work_join_ops(w, &joined[k], t, n, k);
	if (ok &&
	    tm_sequence_init(&q, join ? joined : t->op, TM_WORK_DISPATCHES, join || w->lender))
		st = join ? tm_period_find(&q, &p) : find_period(t, &q, &p);
	ok = st != TM_ST_FATAL;
	if (st == TM_ST_OK && p.length == 1 && w->o->aside)
		st = TM_ST_END;
	if (st == TM_ST_OK) {
		write_last(&q);
		first = first_of(&q, &p);
	}
	for (size_t at = first; ok && st == TM_ST_OK && at + p.length <= p.to; at += p.length) {
		size_t next = at + p.length;

		ok = add_step(s, t->rank, ++steps, tm_sequence_start(&q, at),
		              next < p.to ? tm_sequence_start(&q, next) : done_by(&q, next - 1));
	}
	*out = (struct tm_steps_sequence) { .any = true,
		                            .found = st == TM_ST_OK,
		                            .steps = steps,
		                            .length = p.length,
		                            .kernels = q.n,
		                            .has_agent = t->has_agent,
		                            .agent = t->agent,
		                            .first = "" };
	if (ok && out->found) {
		const struct tm_name *nm = &w->names.v[tm_sequence_name(&q, first)];

		out->first = nm->text;
		out->len = nm->len;
	}
	tm_sequence_fini(&q);
	for (int k = 0; k < TM_WORK_DISPATCHES; k++)
		tm_intervals_fini(&joined[k]);
	return ok;
}

/* ---- what there is to say ---- */

enum { NAME = 80 }; /* bytes of one */

void tm_steps_tell_repeats(struct tm_steps_told *told, uint64_t rank,
                           const struct tm_steps_sequence *q, struct tm_report *rep)
{
	const char *dots = q->len > NAME ? "..." : "";
	char agent[16] = "?";

	if (q->found && tm_report_few(&told->found))
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "rank %" PRIu64 ": no step markers; inferred %" PRIu64
		              " steps from a repeating sequence of %" PRIu64 " kernel%s (%" PRIu64
		              " of the %" PRIu64 " of agent %s), starting with %.*s%s; these may "
		              "be layers rather than iterations",
		              rank, q->steps, q->length, q->length == 1 ? "" : "s",
		              q->steps * q->length, q->kernels,
		              q->has_agent ? tm_agent_text(q->agent, agent) : agent,
		              q->len < NAME ? (int)q->len : NAME, q->first, dots);
	else if (!q->found && q->length == 1 && tm_report_few(&told->none))
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "rank %" PRIu64
		              ": no step markers; a single repeating kernel counts as steps only "
		              "in kstats steps",
		              rank);
	else if (!q->found && tm_report_few(&told->none))
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "rank %" PRIu64
		              ": no steps found: no marker repeats over most of the run, and no "
		              "sequence of kernels repeats over most of it (%" PRIu64
		              " kernel%s); mark steps with roctx",
		              rank, q->kernels, q->kernels == 1 ? "" : "s");
}

void tm_steps_tell_without(struct tm_steps_told *told, uint64_t rank, const struct tm_name *marker,
                           struct tm_report *rep)
{
	if (tm_report_few(&told->without))
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "rank %" PRIu64 ": no steps found: it has no ranges '%s', "
		              "which are the steps of other ranks",
		              rank, marker->text);
}

void tm_steps_tell_end(struct tm_steps_told *told, const struct tm_name *marker, size_t steps,
                       uint64_t ranks, struct tm_report *rep)
{
	if (!marker) {
		tm_report_more(rep, &told->found, TM_SEV_NOTE,
		               "steps inferred from a sequence of kernels, too");
		tm_report_more(rep, &told->none, TM_SEV_ERROR, "no steps found");
		return;
	}
	tm_report_more(rep, &told->without, TM_SEV_ERROR, "no steps found, none of these ranges");
	tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
	              "steps are the ranges '%s': %zu of them on %" PRIu64 " rank%s", marker->text,
	              steps, ranks, ranks == 1 ? "" : "s");
}

/* ---- both ---- */

/* The smallest rank that any track or thread from here on has; both go after it. */
static bool next_rank(const struct tm_work *w, size_t *track, size_t *thread, uint64_t *rank)
{
	bool some = *track < w->ntrack || *thread < w->nthread;

	*rank = UINT64_MAX;
	if (*track < w->ntrack)
		*rank = w->track[*track].rank;
	if (*thread < w->nthread && w->thread[*thread].rank < *rank)
		*rank = w->thread[*thread].rank;
	while (*track < w->ntrack && w->track[*track].rank == *rank)
		++*track;
	while (*thread < w->nthread && w->thread[*thread].rank == *rank)
		++*thread;
	return some;
}

static bool by_marker(const struct finder *f, uint32_t pattern, struct tm_steps *s,
                      struct tm_report *rep)
{
	const struct tm_name *nm = &f->patterns.v[pattern];
	size_t track = 0, thread = 0, series = 0;
	struct tm_steps_told told = { 0 };
	uint64_t rank, ranks = 0;

	while (next_rank(f->w, &track, &thread, &rank)) {
		const struct series *of = choose_series(f, pattern, rank, &series);

		if (of && !add_series(f, of, s))
			return false;
		ranks += of != NULL;
		if (!of)
			tm_steps_tell_without(&told, rank, nm, rep);
	}
	tm_steps_tell_end(&told, nm, s->n, ranks, rep);
	return true;
}

static bool by_sequence(const struct tm_work *w, struct tm_steps *s, struct tm_report *rep)
{
	struct tm_steps_told told = { 0 };

	for (size_t i = 0, k; i < w->ntrack; i = k) {
		struct tm_steps_sequence q;
		struct tm_work_track *t;
		size_t n = 0;

		for (k = i + 1; k < w->ntrack && w->track[k].rank == w->track[i].rank;)
			k++;
		t = lead_of(w, i, k - i, &n);
		if (!t)
			continue;
		if (!add_repeats(w, t, n, s, &q))
			return false;
		tm_steps_tell_repeats(&told, t->rank, &q, rep);
	}
	tm_steps_tell_end(&told, NULL, s->n, 0, rep);
	return true;
}

/* ---- of one rank, whatever others have ---- */

static struct tm_steps_maybe *add_maybe(struct tm_steps_maybe **v, size_t *n, size_t *cap)
{
	if (!tm_grow_array(v, cap, *n + 1, sizeof **v))
		return NULL;
	(*v)[*n] = (struct tm_steps_maybe) { 0 };
	return &(*v)[(*n)++];
}

static bool maybe_marker(const struct finder *f, uint32_t pattern, struct tm_steps_maybe *m)
{
	const struct tm_name *nm = &f->patterns.v[pattern];
	size_t at = 0;

	m->marker = malloc((size_t)nm->len + 1);
	if (!m->marker)
		return false;
	memcpy(m->marker, nm->text, (size_t)nm->len + 1);
	m->len = nm->len;
	m->total = f->candidate[pattern].total;
	return add_series(f, choose_series(f, pattern, UINT64_MAX, &at), &m->steps);
}

static bool maybe_repeats(const struct tm_work *w, struct tm_steps_maybe *m)
{
	size_t n = 0;
	struct tm_work_track *t = lead_of(w, 0, w->ntrack, &n);

	m->steps.sequence = true;
	m->sequence = (struct tm_steps_sequence) { .first = "" };
	return !t || add_repeats(w, t, n, &m->steps, &m->sequence);
}

bool tm_steps_maybe(const struct tm_work *w, struct tm_steps_maybe **v, size_t *n)
{
	struct finder f = { .w = w, .keys = { .words = 2 } };
	struct tm_steps_maybe *m;
	size_t cap = 0;
	bool ok;
	uint32_t best = choose_pattern(&f, &ok);

	*v = NULL;
	*n = 0;
	/* A better one of other ranks is none of those that are worth less here. */
	for (uint32_t i = 0; ok && best != TM_NAME_NONE && i < f.patterns.n; i++) {
		if (!f.candidate[i].series ||
		    worth_of(&f.patterns.v[i]) != worth_of(&f.patterns.v[best]))
			continue;
		m = add_maybe(v, n, &cap);
		ok = m && maybe_marker(&f, i, m);
	}
	if (ok && best == TM_NAME_NONE) {
		m = add_maybe(v, n, &cap);
		ok = m && maybe_repeats(w, m);
	}
	finder_fini(&f);
	return ok;
}

void tm_steps_maybe_free(struct tm_steps_maybe *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(v[i].marker);
		tm_steps_fini(&v[i].steps);
	}
	free(v);
}

/* A window of steps and a table of steps say the same: once is enough. */
static void tell_once(struct tm_report *rep, const struct tm_report *found)
{
	for (size_t i = 0; i < found->n; i++) {
		size_t k = 0;

		while (k < rep->n && strcmp(rep->v[k].text, found->v[i].text) != 0)
			k++;
		if (k == rep->n)
			tm_report_add(rep, found->v[i].severity, NULL, 0, "%s", found->v[i].text);
	}
	rep->lost |= found->lost;
}

enum tm_status tm_steps_find(struct tm_steps *s, const struct tm_work *w, struct tm_report *rep)
{
	struct finder f = { .w = w, .keys = { .words = 2 } };
	struct tm_report found = { 0 };
	bool ok;
	uint32_t pattern = choose_pattern(&f, &ok);

	*s = (struct tm_steps) { .sequence = pattern == TM_NAME_NONE };
	if (ok)
		ok = pattern != TM_NAME_NONE ? by_marker(&f, pattern, s, &found)
		                             : by_sequence(w, s, &found);
	tell_once(rep, &found);
	tm_report_fini(&found);
	finder_fini(&f);
	if (!ok)
		return TM_ST_FATAL;
	if (s->n)
		return TM_ST_OK;
	tm_work_explain_nothing(w, "markers and no kernels", rep);
	return TM_ST_END;
}
