/* SPDX-License-Identifier: MIT */
#include "replay/usual.h"

#include "agg/agg.h"
#include "base/base.h"
#include "replay/lanes.h"
#include "replay/tracks.h"

#include <stdlib.h>

enum { ENOUGH = 8, SLOPE_ENOUGH = 64, SLOPE_USUAL = 900000, AHEAD_NS = 20000, EVIDENCE = 20 };
enum { JIT_NS = 1000, JIT_PART = 4 };
/* Latencies vary by so much and this part of the usual one. */
enum { VARY_NS = 500, VARY_PART = 4 };
/* So many that agree tell, at least. */
enum { TELLING = 20, TELLING_PCT = 90 };
/* What is longer than that percentage of all launches is rare. */
enum { NEARLY_ALL = 95 };

void tm_samples_add(struct samples *s, uint32_t name, bool copy, uint64_t ns)
{
	if (s->failed || !tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v)) {
		s->failed = true;
		return;
	}
	s->v[s->n++] = (struct key) { (uint64_t)name << 1 | copy, ns };
}

/* Of n > 0 samples: the ceil(n percent / 100)-th smallest, and the least. */
static bool find_nth(const struct key *v, size_t n, unsigned percent, uint64_t *value,
                     uint64_t *least)
{
	struct tm_nth *nth = malloc(sizeof *nth);
	uint64_t most = 0;

	*least = v[0].b;
	for (size_t i = 0; i < n; i++) {
		most = v[i].b > most ? v[i].b : most;
		*least = v[i].b < *least ? v[i].b : *least;
	}
	if (!nth)
		return false;
	tm_nth_init(nth, (n * percent + 99) / 100, most);
	while (tm_nth_again(nth)) {
		for (size_t i = 0; i < n; i++)
			tm_nth_add(nth, v[i].b);
		tm_nth_settle(nth);
	}
	*value = nth->value;
	free(nth);
	return true;
}

/* By kind, then length; of one kind they stay as they are, which is most often so.  False when out
 * of memory. */
static bool sort_kinds(const struct samples *s, size_t *kinds)
{
	struct key *room;
	size_t same = 0;

	while (same < s->n && s->v[same].a == s->v[0].a)
		same++;
	*kinds = s->n ? 1 : 0;
	if (same == s->n)
		return true;
	room = tm_array(s->n + 1, sizeof *room);
	if (!room)
		return false;
	tm_replay_sort(s->v, room, s->n);
	free(room);
	for (size_t i = 1; i < s->n; i++)
		*kinds += s->v[i].a != s->v[i - 1].a;
	return true;
}

static bool add_usuals(struct usuals *u, const struct samples *s, size_t kinds)
{
	if (s->n && !find_nth(s->v, s->n, 50, &u->median, &u->least))
		return false;
	for (size_t i = 0, end; i < s->n; i = end) {
		for (end = i; end < s->n && s->v[end].a == s->v[i].a;)
			end++;
		u->v[u->n++] = (struct usual) {
			.name = (uint32_t)(s->v[i].a >> 1),
			.copy = s->v[i].a & 1,
			.n = end - i,
			.median = kinds == 1 ? u->median : s->v[i + (end - i - 1) / 2].b,
			.least = kinds == 1 ? u->least : s->v[i].b,
		};
	}
	return true;
}

bool tm_usuals_make(struct usuals *u, struct samples *s)
{
	size_t kinds;

	*u = (struct usuals) { .samples = s->n };
	if (!s->failed && sort_kinds(s, &kinds))
		u->v = calloc(kinds + 1, sizeof *u->v);
	if (u->v && !add_usuals(u, s, kinds)) {
		free(u->v);
		*u = (struct usuals) { 0 };
	}
	free(s->v);
	*s = (struct samples) { 0 };
	return u->v != NULL;
}

const struct usual *tm_usual_of(const struct usuals *u, uint32_t name, bool copy)
{
	uint64_t want = (uint64_t)name << 1 | copy;
	size_t lo = 0, hi = u->n;

	TM_BISECT(lo, hi, mid, ((uint64_t)u->v[mid].name << 1 | u->v[mid].copy) < want);
	return lo < u->n && u->v[lo].name == name && u->v[lo].copy == copy ? &u->v[lo] : NULL;
}

uint32_t tm_replay_armed(const struct tm_replay_rank *r, uint32_t op)
{
	uint32_t c = r->op[op].call, before, process, lo, hi;
	uint64_t from, to;

	if (c == NONE || !r->lane[r->op[op].lane].has_id || tm_replay_in_turn(r, op))
		return ARM_ANY;
	before = op_before(r, op);
	from = before != NONE ? op_sub(r, before) : 0;
	to = r->call[c].start;
	process = r->thread[r->call[c].thread].process;
	lo = r->arm_of[process];
	hi = r->arm_of[process + 1];
	TM_BISECT(lo, hi, mid, r->call[r->arm[mid]].start <= to);
	if (lo == r->arm_of[process] || r->call[r->arm[lo - 1]].start < from)
		return NONE;
	return r->arm[lo - 1];
}

/* Does it overlap the one before by so little that it was let go a moment early? */
static bool is_jit(const struct tm_replay_op *before, const struct tm_replay_op *op)
{
	uint64_t over = before->end > op->start ? before->end - op->start : 0;

	return over && over <= JIT_NS && over <= (before->end - before->start) / JIT_PART;
}

static bool runs_beside(const struct tm_replay_op *before, const struct tm_replay_op *op)
{
	return op->start < before->end && !is_jit(before, op);
}

/* What was seen of a lane: those submitted long before the one before them ended; of these, and of
 * all, those that ran beside it nevertheless. */
struct lane_seen {
	uint32_t ahead, beside, overlaps;
};

static void judge_lane(struct lane *l, const struct lane_seen *s)
{
	uint64_t n = l->to - l->from;

	l->overlaps = (uint64_t)s->overlaps * 100 > n;
	l->level = l->stream || (s->ahead >= EVIDENCE && (uint64_t)s->beside * 100 < s->ahead) ? 0
	                                                                                       : 1;
}

/* In a lane where some overlap, did more than half of those that could, as they were surely there
 * in time? */
static void judge_overlaps(const struct tm_replay_rank *r, struct lane *l)
{
	uint32_t could = 0, did = 0;

	for (uint32_t op = l->from + 1; l->overlaps && op < l->to; op++) {
		const struct tm_replay_op *o = &r->op[op], *b = o - 1;
		uint64_t there = op_sub(r, op) + (o->call != NONE ? tm_replay_launch(r, op) : 0);
		bool beside = runs_beside(b, o);

		could += beside || there + (there - op_sub(r, op)) / VARY_PART + VARY_NS < b->end;
		did += beside;
	}
	if (l->overlaps)
		l->level = (uint64_t)did * 2 > could ? 2 : 1;
}

/* Least squares of latency over length of launch calls. */
struct slope {
	uint64_t n;
	tm_u128 x, y, xx, xy;
};

static void slope_add(struct slope *s, uint64_t x, uint64_t y)
{
	if (x >> 32 || y >> 32 || s->n >> 30)
		return;
	s->n++;
	s->x += x;
	s->y += y;
	s->xx += (tm_u128)x * x;
	s->xy += (tm_u128)x * y;
}

static uint32_t slope_of(const struct slope *s)
{
	double num, den, part;

	if (s->n < SLOPE_ENOUGH)
		return SLOPE_USUAL;
	num = (double)s->n * (double)s->xy - (double)s->x * (double)s->y;
	den = (double)s->n * (double)s->xx - (double)s->x * (double)s->x;
	part = den > 0 ? num / den : 0.9;
	if (!(part > 0))
		return 0;
	return part < 1 ? (uint32_t)(part * 1e6) : 1000000;
}

/* What operations tell. */
struct seen {
	struct samples launch;
	struct samples gap;     /* after one that ended when the next was surely there */
	struct samples likely;  /* ... when it usually was */
	struct samples between; /* ... after its call began */
	struct slope slope;
	uint64_t least;  /* from any call to its operation */
	uint64_t spread; /* find_spread */
};

static void see_op(struct tm_replay_rank *r, uint32_t op, struct lane_seen *lane, struct seen *s)
{
	const struct tm_replay_op *o = &r->op[op];
	uint32_t before = op_before(r, op);
	const struct tm_replay_op *b = before != NONE ? &r->op[before] : NULL;
	uint64_t sub = op_sub(r, op), lag = o->start - sub;
	bool copy = op_copies(r, op), over = b && runs_beside(b, o);

	lane->overlaps += over;
	if (b && sub + AHEAD_NS >= sub && sub + AHEAD_NS <= b->end) {
		lane->ahead++;
		lane->beside += over;
	}
	r->untraced |= o->call == NONE;
	if (o->call == NONE)
		return;
	s->least = lag < s->least ? lag : s->least;
	if (tm_replay_armed(r, op) == NONE && (!b || b->end <= sub) && r->call[o->call].ops == op) {
		const struct tm_replay_call *c = &r->call[o->call];

		tm_samples_add(&s->launch, c->name, copy, lag);
		if (call_does(r, o->call) == DOES_LAUNCH)
			slope_add(&s->slope, c->end - c->start, lag);
	}
}

/* The gap after the operation before, where this one was there when that ended.  Where launches
 * take longer than from one to the next, the one before ends long after a call began and this one
 * is not there yet: what it starts later than that is part of its launch.  Once the usual launches
 * are known. */
static void see_gap(const struct tm_replay_rank *r, uint32_t op, struct seen *s)
{
	const struct tm_replay_op *o = &r->op[op];
	uint32_t before = op_before(r, op);
	const struct tm_replay_op *b = before != NONE ? &r->op[before] : NULL;
	uint64_t sub, launch, vary;
	bool copy;

	if (o->call == NONE || !b || b->end > o->start)
		return;
	sub = op_sub(r, op);
	if (b->end <= sub || tm_replay_armed(r, op) != NONE)
		return;
	copy = op_copies(r, op);
	/* One that took long may be the first, which loads the program. */
	launch = r->launch.samples < ENOUGH ? s->least : tm_replay_launch(r, op);
	/* What ran before it in a launch that loads is no sign of a queue. */
	if (call_does(r, o->call) == DOES_LAUNCH &&
	    tm_replay_takes_long(r->call[o->call].end - r->call[o->call].start, launch))
		return;
	vary = launch / VARY_PART + VARY_NS;
	vary = r->launch.samples >= ENOUGH && s->spread > vary ? s->spread : vary;
	if (b->end - sub >= launch && b->end - sub - launch >= vary)
		tm_samples_add(&s->gap, 0, copy, o->start - b->end);
	else if (b->end - sub >= launch)
		tm_samples_add(&s->likely, 0, copy, o->start - b->end);
	else
		tm_samples_add(&s->between, 0, copy, o->start - b->end);
}

/* Is it the first of its call, on a lane that was idle when that began, and waits for no other? */
static bool on_idle(const struct tm_replay_rank *r, uint32_t op)
{
	const struct tm_replay_op *o = &r->op[op];
	uint32_t before = op_before(r, op);

	return o->call != NONE && r->call[o->call].ops == op &&
	       (before == NONE || r->op[before].end <= r->call[o->call].start) &&
	       tm_replay_armed(r, op) == NONE;
}

/* From submission to the operation, on idle lanes. */
static bool find_rouse(struct tm_replay_rank *r)
{
	uint64_t *v = tm_array((size_t)r->nop + 1, sizeof *v);
	size_t n = 0;

	for (uint32_t i = 0; v && r->ncall && i < r->nop; i++)
		if (on_idle(r, i) && tm_replay_submits(r, i))
			v[n++] = r->op[i].start - op_sub(r, i) - tm_replay_submits(r, i);
	r->rouse = tm_replay_median(v, n);
	r->rouses = (uint32_t)n;
	free(v);
	return v != NULL;
}

static uint64_t apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Does an idle lane take longer to begin than one at work?  Told by operations that were submitted
 * just before the one before them ended. */
static void see_rousing(struct tm_replay_rank *r, uint32_t op)
{
	const struct tm_replay_op *o = &r->op[op];
	uint32_t before = op_before(r, op);
	uint64_t roused, next, sent;

	if (o->call == NONE || before == NONE || r->call[o->call].ops != op ||
	    r->op[before].end > o->start || tm_replay_armed(r, op) != NONE)
		return;
	sent = op_sub(r, op) + tm_replay_submits(r, op);
	if (r->op[before].end < sent)
		return;
	roused = sent + r->rouse;
	next = r->op[before].end + tm_replay_gap(r, op);
	if (roused < next || roused - next <= JIT_NS)
		return;
	if (apart(o->start, next) < apart(o->start, roused))
		r->roused++;
	else
		r->alike++;
}

/* What enough of them agree on. */
static enum rousing rousing_of(const struct tm_replay_rank *r)
{
	uint64_t all = (uint64_t)r->roused + r->alike, least = all * TELLING_PCT;

	if (all < TELLING)
		return ROUSES_OPEN;
	if (r->alike * UINT64_C(100) >= least)
		return ROUSES_NOT;
	return r->roused * UINT64_C(100) >= least ? ROUSES : ROUSES_OPEN;
}

/* By how much nearly all launches take longer than the usual one.  False when out of memory. */
static bool find_spread(const struct samples *launch, uint64_t *spread)
{
	uint64_t median, most, least;

	*spread = 0;
	if (!launch->n || launch->failed)
		return !launch->failed;
	if (!find_nth(launch->v, launch->n, 50, &median, &least) ||
	    !find_nth(launch->v, launch->n, NEARLY_ALL, &most, &least))
		return false;
	*spread = most - median;
	return true;
}

static void take_all(struct samples *to, struct samples *from, bool taken)
{
	for (size_t i = 0; taken && i < from->n; i++)
		tm_samples_add(to, (uint32_t)(from->v[i].a >> 1), from->v[i].a & 1, from->v[i].b);
	to->failed |= from->failed;
	free(from->v);
	*from = (struct samples) { 0 };
}

static bool any_kernel(const struct samples *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (!(s->v[i].a & 1))
			return true;
	return false;
}

/* Gaps of those that were surely there; if none was, of those that usually are, where these are
 * most.  What others tell is how long a launch takes, unless that was never seen.  A few gaps
 * before copies tell nothing of those before kernels. */
static void judge_gaps(const struct tm_replay_rank *r, struct seen *s)
{
	take_all(&s->gap, &s->likely, !s->gap.n && s->likely.n >= s->between.n);
	if (s->gap.n && s->gap.n < ENOUGH && !any_kernel(&s->gap) && any_kernel(&s->between))
		s->gap.n = 0;
	take_all(&s->gap, &s->between, !s->gap.n && !r->launch.samples);
}

bool tm_replay_usual(struct tm_replay_rank *r)
{
	struct seen s = { .least = UINT64_MAX };
	struct usuals gap = { 0 };
	bool ok;

	for (uint32_t i = 0; i < r->nlane; i++) {
		struct lane_seen lane = { 0 };

		for (uint32_t op = r->lane[i].from; op < r->lane[i].to; op++)
			see_op(r, op, &lane, &s);
		judge_lane(&r->lane[i], &lane);
		if (r->lane[i].has_id)
			r->counts.overlaps += lane.overlaps;
	}
	r->slope = slope_of(&s.slope);
	ok = find_rouse(r) && find_spread(&s.launch, &s.spread);
	ok = tm_usuals_make(&r->launch, &s.launch) && ok;
	for (uint32_t i = 0; ok && r->ncall && i < r->nop; i++)
		see_gap(r, i, &s);
	judge_gaps(r, &s);
	/* Where every stream is told to wait, or all are of graphs, those that had nothing left to
	 * wait for tell. */
	if (ok && r->ncall && !s.gap.n)
		ok = tm_replay_held(r, &s.gap);
	r->queued = s.gap.n != 0;
	if (!r->launch.samples)
		r->launch.median = r->launch.least = s.least == UINT64_MAX ? ASSUMED_NS : s.least;
	ok = tm_usuals_make(&gap, &s.gap) && ok;
	r->gaps = (struct usual) { .n = gap.samples,
		                   .median = gap.samples ? gap.median : ASSUMED_NS };
	for (size_t i = 0; i < gap.n; i++)
		r->gap[gap.v[i].copy] = gap.v[i];
	free(gap.v);
	for (uint32_t i = 0; ok && i < r->nlane; i++)
		judge_overlaps(r, &r->lane[i]);
	for (uint32_t i = 0; ok && r->ncall && i < r->nop; i++)
		see_rousing(r, i);
	r->rousing = rousing_of(r);
	return ok;
}

/* Launch calls of a function that was not seen enough submit after the usual part of their own
 * length, and their operations take as long to begin as all do. */
uint64_t tm_replay_launch(const struct tm_replay_rank *r, uint32_t op)
{
	const struct usual *u = tm_usual_of(&r->launch, r->call[r->op[op].call].name,
	                                    op_copies(r, op));
	uint64_t usual = r->launch.median, part;

	if (u && u->n >= ENOUGH)
		return u->median;
	part = r->rouses && call_does(r, r->op[op].call) == DOES_LAUNCH ? tm_replay_submits(r, op)
	                                                                : 0;
	if (part)
		usual = part + r->rouse < part ? UINT64_MAX : part + r->rouse;
	return u && u->least < usual ? u->least : usual;
}

uint64_t tm_replay_submits(const struct tm_replay_rank *r, uint32_t op)
{
	const struct tm_replay_op *o = &r->op[op];
	const struct tm_replay_call *c = &r->call[o->call];
	const enum call_does d = call_does(r, o->call);
	uint64_t part = tm_replay_scaled(tm_replay_call_ns(r, o->call), r->slope);

	if (d != DOES_LAUNCH && d != DOES_GRAPH && o->end <= c->end)
		return 0;
	return part < o->start - c->start ? part : o->start - c->start;
}

uint64_t tm_replay_gap(const struct tm_replay_rank *r, uint32_t op)
{
	const struct usual *u = &r->gap[op_copies(r, op)];

	return u->n ? u->median : r->gaps.median;
}

uint64_t tm_replay_before_own(const struct tm_replay_rank *r, uint32_t call)
{
	enum { LANES = 64 };
	const struct tm_replay_call *c = &r->call[call];
	const uint64_t length = c->end - c->start;
	uint64_t took, usual;

	if (c->ops == NONE || r->op[c->ops].start <= c->start || r->nlane > LANES)
		return 0;
	took = r->op[c->ops].start - c->start;
	took = took < length ? took : length;
	usual = tm_replay_launch(r, c->ops);
	if (took <= usual)
		return 0;
	for (uint32_t i = 0; i < r->nlane; i++) {
		uint32_t lo = r->lane[i].from, hi = r->lane[i].to;

		TM_BISECT(lo, hi, mid, r->op[mid].start < r->op[c->ops].start);
		if (lo > r->lane[i].from && r->op[lo - 1].end > c->start)
			return 0;
	}
	return took - usual;
}
