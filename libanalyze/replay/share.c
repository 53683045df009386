/* SPDX-License-Identifier: MIT */
#include "replay/share.h"

#include "base/base.h"
#include "replay/places.h"
#include "replay/sort.h"
#include "replay/spread.h"
#include "replay/tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* s in hundredths: up to in turns, in steps. */
enum { S_MOST = 100, S_STEP = 5, STEPS = S_MOST / S_STEP, ENOUGH = 4 };
/* So many kernels of all agents are looked at, and so many of one at least. */
enum { SAMPLE = 1 << 15, SAMPLE_LEAST = 1 << 10 };
/* Of as many as MANY each s but a few is out of the question: first each COARSE-th is tried. */
enum { MANY = 1 << 12, COARSE = 5 };
/* Parts of the time from the first start to the last. */
enum { BINS = 1 << 11 };
/* Of so many kernels it is looked at how their lengths vary; more are sure enough without. */
enum { CLOSELY = 256 };

/* How much worse than the best fit one may be that is possible, twice the logarithm of likelihoods:
 * a chance of a wrong s of one in a hundred. */
static const double worse = 6.635;

/* Rates of so many kernels are worked out once. */
enum { FEW = 32 };

static double rate(double s, size_t k)
{
	return k > 1 ? 1 / (1 + s * (double)(k - 1)) : 1;
}

/* ---- who shares ---- */

static bool shares(const struct tm_replay_rank *r, uint32_t op)
{
	const struct tm_replay_op *o = &r->op[op];

	return r->all->class_of[o->name] && !r->all->rows->comm[o->name] && o->end > o->start;
}

/* Kernels of lanes [i, end) of one agent, if they can run side by side. */
static void add_agent(struct share *s, uint32_t i, uint32_t end)
{
	const struct tm_replay_rank *r = s->r;
	uint32_t lanes = 0, n = 0, from = s->n ? s->agent[s->n - 1].from + s->agent[s->n - 1].n : 0;
	bool overlaps = false;

	for (uint32_t l = i; l < end; l++) {
		uint32_t before = n;

		for (uint32_t op = r->lane[l].from; op < r->lane[l].to; op++)
			if (shares(r, op))
				s->op[from + n++] = op;
		lanes += n > before;
		overlaps |= r->lane[l].overlaps || !r->lane[l].has_id;
	}
	if (n >= 2 && (lanes >= 2 || overlaps))
		s->agent[s->n++] = (struct share_agent) { from, n };
}

/* Put those of an agent that begin first in `out`, by start, up to `most` of them.  False when out
 * of memory. */
static bool by_start(const struct share *s, const struct share_agent *a, uint32_t most,
                     uint32_t *out)
{
	const uint32_t *op = s->op + a->from;
	const struct tm_replay_op *v = s->r->op;
	uint32_t count[BINS] = { 0 }, bins = 0, n = 0;
	uint64_t least = UINT64_MAX, last = 0;
	unsigned shift = 0;
	struct key *key;

	for (uint32_t i = 0; i < a->n; i++) {
		least = v[op[i]].start < least ? v[op[i]].start : least;
		last = v[op[i]].start > last ? v[op[i]].start : last;
	}
	while ((last - least) >> shift >= BINS)
		shift++;
	for (uint32_t i = 0; i < a->n; i++)
		count[(v[op[i]].start - least) >> shift]++;
	while (n < most)
		n += count[bins++];
	key = tm_array(2 * (size_t)n + 1, sizeof *key);
	n = 0;
	for (uint32_t i = 0; key && i < a->n; i++)
		if ((v[op[i]].start - least) >> shift < bins)
			key[n++] = (struct key) { v[op[i]].start, op[i] };
	if (key)
		tm_replay_sort(key, key + n, n);
	for (uint32_t i = 0; key && i < most; i++)
		out[i] = (uint32_t)key[i].b;
	free(key);
	return key != NULL;
}

/* ---- what is known of s ---- */

/* Virtual time: what one kernel gets done. */
struct clock {
	double s, at; /* done so far */
	uint64_t t;
	size_t running;
};

static double clock_to(struct clock *c, uint64_t t)
{
	c->at += (double)(t - c->t) * rate(c->s, c->running);
	c->t = t;
	return c->at;
}

/* What each of n kernels, by start, gets done in its time, by ends in order.  How much that would
 * change with the ends, as the logarithm of the determinant: what one has done depends on its own
 * end and on earlier ones, so it is the product of the rates at the ends. */
static double work_done(const struct tm_replay_rank *r, const uint32_t *op, const struct key *ends,
                        uint32_t n, double s, double *done)
{
	struct clock c = { .s = s, .t = n ? r->op[op[0]].start : 0 };
	double change = 0, slower[FEW];

	for (size_t k = 0; k < FEW; k++)
		slower[k] = log(rate(s, k));

	for (uint32_t i = 0, e = 0; e < n;) {
		if (i < n && r->op[op[i]].start < ends[e].a) {
			done[i] = -clock_to(&c, r->op[op[i]].start);
			c.running++;
			i++;
		} else {
			done[ends[e].b] += clock_to(&c, ends[e].a);
			change += c.running < FEW ? slower[c.running] : log(rate(s, c.running));
			c.running--;
			e++;
		}
	}
	return change;
}

/* Ends in order, each with its place among n kernels. */
static void sort_ends(const struct tm_replay_rank *r, const uint32_t *op, uint32_t n,
                      struct key *ends, struct key *room)
{
	for (uint32_t i = 0; i < n; i++)
		ends[i] = (struct key) { r->op[op[i]].end, i };
	tm_replay_sort(ends, room, n);
}

/* What is told of s: how likely each is, by how far the logarithms of what kernels of one place
 * have done vary, and how much those change with the recorded ends.  Without the second, s would be
 * told too high: a kernel that happens to take longer does so beside others more often, where a
 * high s makes less of it. */
struct told {
	double like[STEPS + 1]; /* -INFINITY = not tried */
	uint64_t free;          /* kernels more than places */
};

/* Of each kernel of a sample: its place; how many places there are in *places. */
static bool find_places(const struct tm_replay_rank *r, const uint32_t *op, uint32_t n,
                        uint32_t *of, uint32_t *places)
{
	struct places p;
	bool ok = tm_places_init(&p, r, n <= CLOSELY);

	for (uint32_t i = 0; ok && i < n; i++) {
		of[i] = tm_places_of(&p, r, op[i]);
		ok = of[i] != TM_GROUP_NONE;
	}
	*places = p.keys.n;
	tm_places_fini(&p);
	return ok;
}

/* With the rate of which `done` was found. */
static double likely(struct spread *s, const double *done, uint32_t n, double *x)
{
	double change = 0;

	for (uint32_t i = 0; i < n; i++) {
		double v = log(done[i] > 1 ? done[i] : 1);

		x[s->to[i]] = v;
		change -= v;
	}
	return change + tm_spread_likely(s, x);
}

/* Those kernels of an agent that are looked at. */
struct sample {
	uint32_t *op, n, places; /* by start */
	struct key *ends;
	double *done; /* of each; and room for as many more */
	struct spread spread;
	bool tells; /* some of them ran at once */
};

static void sample_fini(struct sample *x)
{
	tm_spread_fini(&x->spread);
	free(x->op);
	free(x->ends);
	free(x->done);
}

/* Do any of n kernels, by start, run at once? */
static bool any_beside(const struct tm_replay_rank *r, const uint32_t *op, uint32_t n)
{
	uint64_t end = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (r->op[op[i]].start < end)
			return true;
		end = r->op[op[i]].end;
	}
	return false;
}

static bool sample_init(struct sample *x, const struct share *s, const struct share_agent *a)
{
	const uint32_t part = (uint32_t)(SAMPLE / s->n),
	               most = part > SAMPLE_LEAST ? part : SAMPLE_LEAST,
	               n = a->n < most ? a->n : most;
	uint32_t *of = NULL;
	bool ok;

	*x = (struct sample) { .n = n, .op = tm_array((size_t)n + 1, sizeof *x->op) };
	if (!x->op || !by_start(s, a, n, x->op))
		return false;
	x->tells = any_beside(s->r, x->op, n);
	if (!x->tells)
		return true;
	x->ends = tm_array(2 * (size_t)n + 1, sizeof *x->ends);
	x->done = tm_array(2 * (size_t)n + 1, sizeof *x->done);
	of = tm_array((size_t)n + 1, sizeof *of);
	ok = x->ends && x->done && of && find_places(s->r, x->op, n, of, &x->places) &&
	     tm_spread_init(&x->spread, of, n, x->places, n <= CLOSELY);
	if (ok)
		sort_ends(s->r, x->op, n, x->ends, x->ends + n);
	free(of);
	return ok;
}

/* What the kernels of all agents tell of those s in steps of `by` from `from` to `to` that were not
 * tried yet. */
static void fit(const struct share *s, struct sample *v, int from, int to, int by, struct told *t)
{
	for (int i = from < 0 ? 0 : from; i <= STEPS && i <= to; i += by) {
		if (t->like[i] > -INFINITY)
			continue;
		t->like[i] = 0;
		for (size_t a = 0; a < s->n; a++) {
			struct sample *x = &v[a];

			if (!x->tells)
				continue;
			t->like[i] += work_done(s->r, x->op, x->ends, x->n, i * S_STEP / 100.0,
			                        x->done);
			t->like[i] += likely(&x->spread, x->done, x->n, x->done + x->n);
		}
	}
}

/* How much likelier one s is than another: the logarithm of the likelihoods' quotient. */
static double likelier(const struct told *t, int a, int b)
{
	return t->like[a] - t->like[b];
}

/* Of all s the one that is as likely too low as too high, which is off by the least on average, by
 * the likelihoods.  Before anything was seen, that kernels do not slow each other was as likely as
 * all else. */
static int middle_of(const struct told *t, int best)
{
	double w[STEPS + 1], all = 0, below = 0;
	int i = 0;

	for (int k = 0; k <= STEPS; k++) {
		w[k] = exp(likelier(t, k, best));
		w[k] *= k ? 1 : STEPS;
		all += w[k];
	}
	while (i < STEPS && 2 * (below += w[i]) < all)
		i++;
	return i;
}

static int best_of(const struct told *t)
{
	int best = 0;

	for (int i = 1; i <= STEPS; i++)
		if (likelier(t, i, best) > 0)
			best = i;
	return best;
}

/* What the kernels tell of each s.  False when out of memory. */
static bool find_told(const struct share *s, struct told *t)
{
	struct sample *v = calloc(s->n + 1, sizeof *v);
	uint64_t n = 0;
	bool ok = v != NULL;

	t->free = 0;
	for (int i = 0; i <= STEPS; i++)
		t->like[i] = -INFINITY;
	for (size_t a = 0; ok && a < s->n; a++) {
		ok = sample_init(&v[a], s, &s->agent[a]);
		n += v[a].n;
		t->free += v[a].tells ? v[a].n - v[a].places : 0;
	}
	if (ok && t->free >= ENOUGH) {
		fit(s, v, 0, STEPS, n < MANY ? 1 : COARSE, t);
		fit(s, v, best_of(t) - COARSE, best_of(t) + COARSE, 1, t);
	}
	for (size_t a = 0; v && a < s->n; a++)
		sample_fini(&v[a]);
	free(v);
	return ok;
}

/* The likely s, and those that fit nearly as well as the best. */
static void conclude(struct share *s, const struct told *t)
{
	int best, usual, low, high;

	s->is[SHARE_HIGH].s = S_MOST / 100.0;
	s->is[SHARE_BETWEEN].s = S_MOST / 200.0;
	if (t->free < ENOUGH)
		return;
	best = best_of(t);
	usual = middle_of(t, best);
	for (low = best; low && 2 * likelier(t, best, low - 1) < worse;)
		low--;
	for (high = best; high < STEPS && 2 * likelier(t, best, high + 1) < worse;)
		high++;
	s->is[SHARE_USUAL].s = usual * S_STEP / 100.0;
	s->is[SHARE_LOW].s = (low < usual ? low : usual) * S_STEP / 100.0;
	s->is[SHARE_HIGH].s = (high > usual ? high : usual) * S_STEP / 100.0;
	s->is[SHARE_BETWEEN].s = (s->is[SHARE_USUAL].s + s->is[SHARE_HIGH].s) / 2;
}

/* ---- kernels side by side ---- */

/* A kernel that runs, its lane, and what all will have got done when it is through. */
struct running {
	double until;
	uint32_t i, lane;
};

static bool sooner(const struct running *a, const struct running *b)
{
	return a->until != b->until ? a->until < b->until : a->i < b->i;
}

static void push(struct running *v, size_t n, struct running x)
{
	for (; n && sooner(&x, &v[(n - 1) / 2]); n = (n - 1) / 2)
		v[n] = v[(n - 1) / 2];
	v[n] = x;
}

static void pop(struct running *v, size_t n)
{
	struct running last = v[n - 1];
	size_t i = 0;

	for (size_t child; (child = 2 * i + 1) < n - 1; i = child) {
		if (child + 1 < n - 1 && sooner(&v[child + 1], &v[child]))
			child++;
		if (!sooner(&v[child], &last))
			break;
		v[i] = v[child];
	}
	v[i] = last;
}

/* Kernels that run, and those that wait for one of their lane. */
struct share_machine {
	struct running *v;
	size_t n;
	uint32_t *next, *first, *last; /* of an operation: after it; of a lane: waiting */
	bool *busy, *turns;            /* of a lane; it runs one at a time */
	double *alone, *slow;          /* of operations */
	struct key *begin, *room;
	double rate[FEW]; /* of so many */
};

/* Does the lane run one at a time? */
static bool in_turn(const struct lane *l)
{
	return l->has_id && !l->overlaps;
}

/* For a rank of up to so many operations and lanes. */
static bool machine_init(struct share_machine *m, uint32_t nop, uint32_t nlane)
{
	size_t n = (size_t)nop + 1, lanes = (size_t)nlane + 1;

	*m = (struct share_machine) { .v = tm_array(n, sizeof *m->v),
		                      .next = tm_array(n, sizeof *m->next),
		                      .first = tm_array(lanes, sizeof *m->first),
		                      .last = tm_array(lanes, sizeof *m->last),
		                      .busy = calloc(lanes, sizeof *m->busy),
		                      .turns = calloc(lanes, sizeof *m->turns),
		                      .alone = tm_array(n, sizeof *m->alone),
		                      .slow = tm_array(n, sizeof *m->slow),
		                      .begin = tm_array(2 * n, sizeof *m->begin) };
	m->room = m->begin ? m->begin + n : NULL;
	for (uint32_t i = 0; m->first && i < nlane; i++)
		m->first[i] = NONE;
	return m->v && m->next && m->first && m->last && m->busy && m->turns && m->alone &&
	       m->slow && m->begin;
}

static void know_turns(struct share_machine *m, const struct tm_replay_rank *r)
{
	for (uint32_t i = 0; i < r->nlane; i++)
		m->turns[i] = in_turn(&r->lane[i]);
}

static void machine_fini(struct share_machine *m)
{
	free(m->v);
	free(m->next);
	free(m->first);
	free(m->last);
	free(m->busy);
	free(m->turns);
	free(m->alone);
	free(m->slow);
	free(m->begin);
}

/* As a key: the operations of a lane are numbered one after the other, so that the order of keys is
 * that of operations. */
static struct key key_of(const struct tm_replay_rank *r, uint64_t start, uint32_t op)
{
	return (struct key) { start, (uint64_t)r->op[op].lane << 32 | op };
}

/* One begins at time t, when `at` is done, or waits for its lane. */
static inline void begin_one(struct share_machine *m, uint32_t op, uint32_t lane, double t,
                             double at)
{
	if (m->turns[lane] && m->busy[lane]) {
		m->next[op] = NONE;
		if (m->first[lane] == NONE)
			m->first[lane] = op;
		else
			m->next[m->last[lane]] = op;
		m->last[lane] = op;
		return;
	}
	m->busy[lane] = true;
	m->slow[op] = -t;
	push(m->v, m->n++, (struct running) { at + m->alone[op], op, lane });
}

static inline void end_one(struct share_machine *m, double t, double at)
{
	uint32_t op = m->v[0].i, lane = m->v[0].lane, next = m->first[lane];

	m->slow[op] = (m->slow[op] + t) / m->alone[op];
	pop(m->v, m->n--);
	m->busy[lane] = false;
	if (!m->turns[lane] || next == NONE)
		return;
	m->first[lane] = m->next[next];
	begin_one(m, next, lane, t, at);
}

/* How much longer than alone each of n kernels takes, by when they are to begin.  Times are counted
 * from the first: of a clock that began in 1970, a double tells 256 ns apart. */
static void side_by_side(struct share_machine *m, uint32_t n, double s)
{
	const uint64_t first = n ? m->begin[0].a : 0;
	double t = 0, at = 0;

	for (size_t k = 0; k < FEW; k++)
		m->rate[k] = rate(s, k);
	for (uint32_t i = 0; i < n || m->n;) {
		double now = m->n < FEW ? m->rate[m->n] : rate(s, m->n);
		double next = i < n ? (double)(m->begin[i].a - first) : INFINITY;
		double end = m->n ? t + (m->v[0].until - at) / now : INFINITY;

		if (next < end) {
			at += (next - t) * now;
			t = next;
			begin_one(m, (uint32_t)m->begin[i].b, (uint32_t)(m->begin[i].b >> 32), t,
			          at);
			i++;
		} else {
			at = m->v[0].until;
			t = end;
			end_one(m, t, at);
		}
	}
}

/* `order`: the operations of s->op, those of an agent by start. */
static bool know_alone(const struct share *s, const uint32_t *order, struct share_alone *is)
{
	const struct tm_replay_rank *r = s->r;
	double *done = tm_array((size_t)r->nop + 1, sizeof *done);
	struct share_machine m;
	bool ok = machine_init(&m, r->nop, r->nlane);

	if (ok)
		know_turns(&m, r);
	is->ns = tm_array((size_t)r->nop + 1, sizeof *is->ns);
	is->slow = tm_array((size_t)r->nop + 1, sizeof *is->slow);
	ok = ok && done && is->ns && is->slow;
	for (size_t a = 0; ok && a < s->n; a++) {
		const uint32_t *op = order + s->agent[a].from;
		uint32_t n = s->agent[a].n;

		sort_ends(r, op, n, m.begin, m.room);
		work_done(r, op, m.begin, n, is->s, done);
		for (uint32_t i = 0; i < n; i++) {
			m.begin[i] = key_of(r, r->op[op[i]].start, op[i]);
			is->ns[op[i]] = m.alone[op[i]] = done[i];
		}
		tm_replay_sort(m.begin, m.room, n);
		side_by_side(&m, n, is->s);
		for (uint32_t i = 0; i < n; i++)
			is->slow[op[i]] = m.slow[op[i]];
	}
	machine_fini(&m);
	free(done);
	return ok;
}

void tm_share_machine_free(struct share_machine *m)
{
	if (m)
		machine_fini(m);
	free(m);
}

struct share_machine *tm_share_machine_new(const struct tm_replay *r)
{
	struct share_machine *m = malloc(sizeof *m);
	uint32_t ops = 0, lanes = 0;

	for (size_t i = 0; i < r->nrank; i++) {
		ops = r->rank[i]->nop > ops ? r->rank[i]->nop : ops;
		lanes = r->rank[i]->nlane > lanes ? r->rank[i]->nlane : lanes;
	}
	if (m && machine_init(m, ops, lanes))
		return m;
	tm_share_machine_free(m);
	return NULL;
}

void tm_share_lengths(const struct share *s, enum share_is is, struct share_machine *m,
                      const uint64_t *start, uint64_t *ns)
{
	const struct tm_replay_rank *r = s->r;
	const struct share_alone *was = &s->is[is];

	know_turns(m, r);
	for (size_t a = 0; a < s->n; a++) {
		const uint32_t *op = s->op + s->agent[a].from;
		uint32_t n = 0;

		for (uint32_t i = 0; i < s->agent[a].n; i++) {
			const struct tm_replay_op *o = &r->op[op[i]];

			if (!ns[op[i]])
				continue;
			m->begin[n++] = key_of(r, start[op[i]], op[i]);
			m->alone[op[i]] = was->ns[op[i]] *
			                  ((double)ns[op[i]] / (double)(o->end - o->start));
		}
		tm_replay_sort(m->begin, m->room, n);
		side_by_side(m, n, was->s);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t b = (uint32_t)m->begin[i].b;

			if (m->slow[b] != was->slow[b])
				ns[b] = (uint64_t)((double)ns[b] * (m->slow[b] / was->slow[b]) +
				                   0.5);
		}
	}
}

/* ---- all of it ---- */

/* With the i-th s. */
static bool know(struct share *s, const uint32_t *order, int i)
{
	for (int k = 0; k < i; k++)
		if (s->is[k].s >= s->is[i].s && s->is[k].s <= s->is[i].s) {
			s->is[i] = s->is[k];
			return true;
		}
	return know_alone(s, order, &s->is[i]);
}

static bool know_all(struct share *s, int n)
{
	uint32_t *order = NULL;
	bool ok = true, any = false;

	for (int i = 0; i < n; i++)
		any |= s->is[i].s > 0;
	if (!any)
		return true;
	order = tm_array((size_t)s->r->nop + 1, sizeof *order);
	for (size_t a = 0; order && ok && a < s->n; a++)
		ok = by_start(s, &s->agent[a], s->agent[a].n, order + s->agent[a].from);
	for (int i = 0; order && ok && i < n; i++)
		ok = s->is[i].s <= 0 || know(s, order, i);
	free(order);
	return order && ok;
}

bool tm_share_make(struct share *s, const struct tm_replay_rank *r, bool usual)
{
	struct told t;
	bool ok;

	*s = (struct share) { .r = r };
	s->op = tm_array((size_t)r->nop + 1, sizeof *s->op);
	s->agent = calloc((size_t)r->nlane + 1, sizeof *s->agent);
	ok = s->op && s->agent;
	for (uint32_t i = 0, end; ok && i < r->nlane; i = end) {
		for (end = i + 1; end < r->nlane && same_gpu(&r->lane[i], &r->lane[end]);)
			end++;
		add_agent(s, i, end);
	}
	ok = ok && find_told(s, &t);
	if (ok && s->n)
		conclude(s, &t);
	return ok && know_all(s, usual ? SHARE_LOW : SHARES);
}

void tm_share_fini(struct share *s)
{
	for (int i = 0; i < SHARES; i++) {
		for (int k = i + 1; k < SHARES; k++)
			if (s->is[k].ns == s->is[i].ns)
				s->is[k].ns = s->is[k].slow = NULL;
		free(s->is[i].ns);
		free(s->is[i].slow);
	}
	free(s->op);
	free(s->agent);
	*s = (struct share) { 0 };
}
