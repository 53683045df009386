/* SPDX-License-Identifier: MIT
 * Calls that wait: each ends not before what it waits for, and what that was is decided by recorded
 * times. */
#include "replay/lanes.h"

#include "base/base.h"
#include "replay/records.h"
#include "replay/sort.h"
#include "replay/tracks.h"
#include "replay/usual.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 16, BACK = 16, HITS = 64, RECORDS = 64, INSTEAD = 4, MUST_HIT_PCT = 90 };
enum { LONG_NS = 20000, LONG_TIMES = 10, OWN_NS = 1000 };
/* One of so many is an exception. */
enum { RARE = 10 };

bool tm_replay_ends_waiting(const struct making *m, uint32_t call)
{
	enum call_does d = call_does(m->r, call);

	if (d != DOES_MAYBE)
		return d >= DOES_DEVICE && d <= DOES_COPY;
	return m->last_op[call] != NONE && m->r->op[m->last_op[call]].end <= m->r->call[call].end;
}

/* What was submitted so far, lane by lane, those used last in front. */
struct front {
	uint32_t *done; /* of each lane: after its last operation */
	uint32_t *next, *before;
	uint32_t first;
	struct key *op; /* submitted, operation: all, in order */
	size_t at;
};

static bool front_init(struct front *f, const struct tm_replay_rank *r)
{
	struct key *room = tm_array((size_t)r->nop + 1, sizeof *room);

	f->op = tm_array((size_t)r->nop + 1, sizeof *f->op);
	f->done = calloc((size_t)r->nlane + 1, sizeof *f->done);
	f->next = tm_array((size_t)r->nlane + 1, sizeof *f->next);
	f->before = tm_array((size_t)r->nlane + 1, sizeof *f->before);
	if (room && f->op && f->done && f->next && f->before) {
		for (uint32_t i = 0; i < r->nop; i++)
			f->op[i] = (struct key) { op_sub(r, i), i };
		tm_replay_sort(f->op, room, r->nop);
	}
	free(room);
	return room && f->op && f->done && f->next && f->before;
}

static void front_reset(struct front *f, const struct tm_replay_rank *r)
{
	memset(f->done, 0, (size_t)r->nlane * sizeof *f->done);
	f->first = NONE;
	f->at = 0;
}

static void front_fini(struct front *f)
{
	free(f->op);
	free(f->done);
	free(f->next);
	free(f->before);
}

/* Go on to what was submitted before that time. */
static void front_to(struct front *f, const struct tm_replay_rank *r, uint64_t time)
{
	for (; f->at < r->nop && f->op[f->at].a < time; f->at++) {
		uint32_t op = (uint32_t)f->op[f->at].b, lane = r->op[op].lane;

		if (f->first != lane) {
			if (f->done[lane]) {
				f->next[f->before[lane]] = f->next[lane];
				if (f->next[lane] != NONE)
					f->before[f->next[lane]] = f->before[lane];
			}
			f->next[lane] = f->first;
			f->before[lane] = NONE;
			if (f->first != NONE)
				f->before[f->first] = lane;
			f->first = lane;
		}
		if (f->done[lane] < op + 1)
			f->done[lane] = op + 1;
	}
}

/* What one call may have waited for. */
struct waited {
	uint32_t call;
	uint64_t start, end;
	enum call_does does;
	struct {
		uint32_t op;
		bool left; /* its lane had something that ended later */
	} v[(BACK + 1) * LANES];
	const struct lane *busy[LANES]; /* what was submitted last there ended after the call */
	unsigned n, lanes, nbusy;
	uint64_t usual;  /* return latency, where it decides; else 0 */
	uint32_t hit;    /* was seen to end the wait, or NONE */
	bool left;       /* of every device something was left */
	bool pending;    /* anything was under way when it began */
	bool waits;      /* it frees, and such calls wait wherever there is something to wait for */
	uint32_t likely; /* where nothing is seen */
};

/* The last of [from, k] that ended not after `end`; NONE. */
static uint32_t last_ended(const struct tm_replay_rank *r, const struct lane *l, uint32_t k,
                           uint64_t end)
{
	uint32_t lo = l->from, hi = k;

	if (r->op[k].end <= end)
		return k;
	if (l->overlaps || !l->has_id) {
		for (uint32_t i = 0; i < HITS && k > l->from; i++)
			if (r->op[--k].end <= end)
				return k;
		return NONE;
	}
	TM_BISECT(lo, hi, mid, r->op[mid].end <= end);
	return lo > l->from && r->op[lo - 1].end <= end ? lo - 1 : NONE;
}

static void add_candidate(struct waited *w, uint32_t op, bool left)
{
	w->v[w->n].op = op;
	w->v[w->n++].left = left;
}

/* The last of the lane that ended not after the call; where several run side by side the others of
 * the last, any of which may be the one that ends last. */
static void add_lane(const struct tm_replay_rank *r, const struct lane *l, uint32_t done,
                     struct waited *w)
{
	uint32_t k = done - 1, op = last_ended(r, l, k, w->end), from = l->from;
	bool left = false;

	w->lanes++;
	if (r->op[k].end > w->end)
		w->busy[w->nbusy++] = l;
	from = done - from > BACK ? done - BACK : from;
	for (uint32_t i = from; i < done; i++) {
		left |= r->op[i].end > w->end;
		w->pending |= r->op[i].end > w->start;
	}
	if (op != NONE)
		add_candidate(w, op, left);
	for (uint32_t i = from; (l->overlaps || !l->has_id) && i < done; i++)
		if (i != op && r->op[i].end <= w->end)
			add_candidate(w, i, left);
}

/* Of which nobody says the agent may be of any. */
static bool one_device(const struct lane *a, const struct lane *b)
{
	return !a->has_agent || !b->has_agent || a->agent == b->agent;
}

/* A call that waits for a device waits for all that it was given: of one that has something left it
 * did not. */
static void leave_busy(const struct tm_replay_rank *r, struct waited *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->n; i++) {
		const struct lane *l = &r->lane[r->op[w->v[i].op].lane];
		bool busy = false;

		for (unsigned k = 0; k < w->nbusy; k++)
			busy |= one_device(l, w->busy[k]);
		if (!busy)
			w->v[n++] = w->v[i];
	}
	w->n = n;
	w->left = w->nbusy && !n;
}

/* How far the return after this operation would be from the usual one. */
static uint64_t unusual(const struct tm_replay_rank *r, const struct waited *w, uint32_t op)
{
	uint64_t back = w->end - r->op[op].end;

	return back > w->usual ? back - w->usual : w->usual - back;
}

/* Did the thread that waits launch it? */
static bool is_own(const struct tm_replay_rank *r, const struct waited *w, uint32_t op)
{
	uint32_t call = r->op[op].call;

	return call != NONE && r->call[call].thread == r->call[w->call].thread;
}

/* Is a better one than b to have ended the wait: of the same thread, and late, or, where the usual
 * return latency is known of a wait for one of many, such that the return is a usual one? */
static bool better(const struct tm_replay_rank *r, const struct waited *w, uint32_t a, uint32_t b)
{
	if (b == NONE)
		return true;
	if (is_own(r, w, a) != is_own(r, w, b))
		return is_own(r, w, a);
	if (w->usual && unusual(r, w, a) != unusual(r, w, b))
		return unusual(r, w, a) < unusual(r, w, b);
	return r->op[a].end != r->op[b].end ? r->op[a].end > r->op[b].end : a < b;
}

static void find_hit(const struct tm_replay_rank *r, struct waited *w)
{
	for (unsigned i = 0; i < w->n; i++) {
		uint32_t op = w->v[i].op, from = r->lane[r->op[op].lane].from;
		uint32_t n = w->does == DOES_EVENT ? HITS : 1;

		if (w->does == DOES_DEVICE && w->v[i].left)
			continue;
		for (; n; n--, op--) {
			if (r->op[op].end > w->start && r->op[op].end <= w->end &&
			    better(r, w, op, w->hit))
				w->hit = op;
			if (op == from)
				break;
		}
	}
}

/* Usual return latency of a function; 0 until it is known. */
static uint64_t back_of(const struct tm_replay_rank *r, uint32_t call)
{
	const struct usual *u = tm_usual_of(&r->back, r->call[call].name, false);

	return u ? u->median : r->back.median;
}

static void look(const struct making *m, const struct front *f, uint32_t call, struct waited *w)
{
	const struct tm_replay_rank *r = m->r;
	uint32_t own = m->last_op[call], seen = 0,
	         process = r->thread[r->call[call].thread].process;

	*w = (struct waited) { .call = call,
		               .start = r->call[call].start,
		               .end = r->call[call].end,
		               .does = call_does(r, call),
		               .hit = NONE,
		               .likely = NONE };
	if (w->does == DOES_COPY || w->does == DOES_MAYBE) {
		w->pending = own != NONE;
		if (own != NONE && r->op[own].end <= w->end) {
			w->v[w->n++].op = own;
			w->hit = own;
		}
		return;
	}
	if (w->does == DOES_STREAM || w->does == DOES_EVENT)
		w->usual = back_of(r, call);
	for (uint32_t l = f->first; l != NONE && seen < LANES; l = f->next[l]) {
		if (lane_of_others(&r->lane[l], process))
			continue;
		add_lane(r, &r->lane[l], f->done[l], w);
		seen++;
	}
	if (w->does == DOES_FREE)
		leave_busy(r, w);
	if (!w->left)
		find_hit(r, w);
}

/* ---- what is learned from all of them ---- */

/* Of a thread and a function: the lane that its waits were seen to be for; NONE = several. */
struct learned {
	uint64_t key;
	uint32_t lane;
};

struct lessons {
	struct learned *v;
	size_t n;
	struct samples back, alone;
	uint64_t waited, went_on; /* calls that free while something is under way: they waited for
	                           * it, or did not */
	struct key *hit;          /* thread and function, lane */
	size_t nhit, hit_cap;
	struct record_places places;
	bool failed;
};

static uint64_t lesson_key(const struct tm_replay_rank *r, uint32_t call)
{
	return (uint64_t)r->call[call].thread << 32 | r->call[call].name;
}

/* Where it is known which event calls of this place wait for, that of this one: it ended the wait,
 * or had ended before a short one. */
static void apply_record(const struct making *m, const struct lessons *s, struct waited *w)
{
	uint32_t op = w->does == DOES_EVENT ? tm_records_op(&s->places, m, w->call) : NONE;
	const struct tm_replay_op *o;

	if (op == NONE)
		return;
	o = &m->r->op[op];
	if (o->end > w->end)
		return;
	if (o->end > w->start) {
		w->hit = op;
	} else if (w->hit == NONE || w->end - w->start <= TM_RECORDS_SHORT_NS) {
		w->hit = NONE;
		w->likely = op;
	}
}

static void learn(const struct tm_replay_rank *r, const struct waited *w, struct lessons *s)
{
	uint32_t name = r->call[w->call].name;

	if (w->does == DOES_FREE) {
		s->waited += w->hit != NONE;
		s->went_on += w->left;
	}
	if (w->hit != NONE) {
		tm_samples_add(&s->back, name, false, w->end - r->op[w->hit].end);
		if (w->does == DOES_STREAM || w->does == DOES_EVENT) {
			if (!tm_grow_array(&s->hit, &s->hit_cap, s->nhit + 1, sizeof *s->hit))
				s->failed = true;
			else
				s->hit[s->nhit++] = (struct key) { lesson_key(r, w->call),
					                           r->op[w->hit].lane };
		}
	} else if (!w->pending) {
		tm_samples_add(&s->alone, name, false, w->end - w->start);
	}
}

/* The lane that most hits of a key are of, if nearly all are. */
static bool conclude(struct lessons *s)
{
	struct key *room = tm_array(s->nhit + 1, sizeof *room);

	s->v = tm_array(s->nhit + 1, sizeof *s->v);
	if (!room || !s->v || s->failed) {
		free(room);
		return false;
	}
	tm_replay_sort(s->hit, room, s->nhit);
	for (size_t i = 0, end; i < s->nhit; i = end) {
		size_t best = 0;
		uint32_t lane = NONE;

		for (end = i; end < s->nhit && s->hit[end].a == s->hit[i].a;) {
			size_t from = end;

			while (end < s->nhit && s->hit[end].a == s->hit[i].a &&
			       s->hit[end].b == s->hit[from].b)
				end++;
			if (end - from > best) {
				best = end - from;
				lane = (uint32_t)s->hit[from].b;
			}
		}
		if (best * 100 >= (end - i) * MUST_HIT_PCT)
			s->v[s->n++] = (struct learned) { s->hit[i].a, lane };
	}
	free(room);
	return true;
}

static uint32_t learned_lane(const struct lessons *s, uint64_t key)
{
	size_t lo = 0, hi = s->n;

	TM_BISECT(lo, hi, mid, s->v[mid].key < key);
	return lo < s->n && s->v[lo].key == key ? s->v[lo].lane : NONE;
}

/* ---- edges ---- */

/* The operation of the event that was recorded last and had happened: NONE = not known. */
static uint32_t recorded(const struct making *m, const struct waited *w)
{
	const struct tm_replay_rank *r = m->r;
	uint32_t process = r->thread[r->call[w->call].thread].process;
	uint32_t first = r->record_of[process], lo = first, hi = r->record_of[process + 1];

	TM_BISECT(lo, hi, mid, r->call[r->record[mid]].start < w->start);
	for (uint32_t n = 0; lo > first && n < RECORDS; n++) {
		uint32_t call = m->latest[r->record[--lo]];
		uint32_t op = call != NONE ? m->last_op[call] : NONE;

		if (op != NONE && r->op[op].end <= w->start)
			return op;
	}
	return NONE;
}

/* The lane that a wait of which nothing is seen is likely for. */
static uint32_t likely_lane(const struct making *m, const struct lessons *s, const struct waited *w)
{
	uint32_t lane = learned_lane(s, lesson_key(m->r, w->call)), call;

	if (lane != NONE || w->does != DOES_STREAM)
		return lane;
	call = m->latest[w->call];
	return call != NONE && m->last_op[call] != NONE ? m->r->op[m->last_op[call]].lane : NONE;
}

/* Is a wait for a device for that operation?  On another device than that of the one which ended it
 * are those for which it cannot have been: what had ended before, and what other threads
 * launched. */
static bool is_for(const struct tm_replay_rank *r, const struct waited *w, uint32_t op)
{
	return w->hit == NONE ||
	       one_device(&r->lane[r->op[op].lane], &r->lane[r->op[w->hit].lane]) ||
	       (r->op[op].end > w->start && is_own(r, w, op) == is_own(r, w, w->hit));
}

static int level_of(const struct making *m, const struct waited *w, unsigned i, uint32_t lane)
{
	uint32_t op = w->v[i].op;

	switch (w->does) {
	case DOES_DEVICE:
		if (w->v[i].left)
			return -1;
		return is_for(m->r, w, op) ? 0 : 2;
	case DOES_FREE:
		if (w->hit == NONE)
			return w->waits ? 1 : 2;
		return is_for(m->r, w, op) ? 0 : 2;
	case DOES_COPY:
	case DOES_MAYBE:
		return 0;
	default:
		if (op == w->hit || (w->lanes == 1 && w->does == DOES_STREAM))
			return 0;
		return w->hit == NONE && (op == w->likely || m->r->op[op].lane == lane) ? 1 : 2;
	}
}

/* How long the call takes when nothing is pending; assumed where that never was. */
static uint64_t own_of(const struct tm_replay_rank *r, const struct waited *w)
{
	const struct usual *u = tm_usual_of(&r->alone, r->call[w->call].name, false);
	uint64_t own = u ? u->median : OWN_NS, length = w->end - w->start;

	if (!u && (w->does == DOES_COPY || w->does == DOES_MAYBE))
		own = 0;
	return own < length ? own : length;
}

static void note_long(struct tm_replay_rank *r, const struct waited *w)
{
	const struct usual *u = tm_usual_of(&r->alone, r->call[w->call].name, false);
	uint64_t length = w->end - w->start;

	if (w->hit != NONE || w->does > DOES_EVENT || length <= LONG_NS || !u ||
	    length / LONG_TIMES <= u->median)
		return;
	if (r->counts.waits < TM_REPLAY_FEW)
		r->counts.wait[r->counts.waits] = (struct tm_replay_wait) {
			.start = w->start, .ns = length, .name = r->call[w->call].name
		};
	r->counts.waits++;
}

/* The operations that may have ended the wait instead, by what is known of its place; how many. */
static unsigned instead(const struct making *m, const struct lessons *s, const struct waited *w,
                        uint32_t *out)
{
	uint32_t op[INSTEAD];
	unsigned n = 0, found;

	if (w->does != DOES_EVENT || w->hit == NONE)
		return 0;
	found = tm_records_possible(&s->places, m, w->call, op, INSTEAD);
	for (unsigned i = 0; i < found; i++)
		if (op[i] != w->hit && m->r->op[op[i]].end > w->start &&
		    m->r->op[op[i]].end <= w->end)
			out[n++] = op[i];
	return n;
}

static bool is_in(const uint32_t *v, unsigned n, uint32_t op)
{
	while (n && v[n - 1] != op)
		n--;
	return n;
}

static void add_edges(struct making *m, const struct lessons *s, struct waited *w)
{
	struct tm_replay_rank *r = m->r;
	uint32_t node = call_ends(w->call), lane = NONE, other[INSTEAD];
	uint64_t back = back_of(r, w->call);
	bool listed = false;
	unsigned others, open;

	note_long(r, w);
	if (w->does == DOES_FREE && w->left)
		return;
	w->waits = w->does == DOES_FREE && s->went_on * RARE <= s->waited;
	/* Memory is freed once the wait is over. */
	if (w->does == DOES_FREE && !tm_usual_of(&r->back, r->call[w->call].name, false))
		back = own_of(r, w) > back ? own_of(r, w) : back;
	apply_record(m, s, w);
	if (w->hit == NONE && w->likely == NONE && w->does == DOES_EVENT)
		w->likely = recorded(m, w);
	if (w->hit == NONE && (w->does == DOES_STREAM || w->likely == NONE))
		lane = likely_lane(m, s, w);
	if (w->hit != NONE) {
		tm_replay_edge(m, node, m->prev[node], EDGE_OWN, own_of(r, w), MASK_ALL);
		m->prev[node] = NONE;
	}
	others = instead(m, s, w, other);
	open = others ? MASK_OPEN : 0;
	for (unsigned i = 0; i < others; i++)
		tm_replay_edge(m, node, op_ends(r, other[i]), EDGE_SYNC, back, mask_from(2) | open);
	for (unsigned i = 0; i < w->n; i++) {
		uint32_t op = w->v[i].op;
		int level = level_of(m, w, i, lane);

		listed |= op == w->hit || op == w->likely;
		if (level >= 0 && !is_in(other, others, op))
			tm_replay_edge(m, node, op_ends(r, op), EDGE_SYNC, back,
			               mask_from(level) | (op == w->hit ? open : 0));
	}
	if (listed)
		return;
	if (w->hit != NONE)
		tm_replay_edge(m, node, op_ends(r, w->hit), EDGE_SYNC, back, MASK_ALL | open);
	else if (w->likely != NONE)
		tm_replay_edge(m, node, op_ends(r, w->likely), EDGE_SYNC, back, mask_from(1));
}

/* ---- all of them ---- */

/* Calls that wait, by start; their number in *n.  NULL when out of memory. */
static struct key *waits_of(const struct making *m, size_t *n)
{
	const struct tm_replay_rank *r = m->r;
	struct key *v;

	*n = 0;
	for (uint32_t i = 0; i < r->ncall; i++)
		*n += tm_replay_ends_waiting(m, i);
	v = tm_array(2 * *n + 1, sizeof *v);
	*n = 0;
	for (uint32_t i = 0; v && i < r->ncall; i++)
		if (tm_replay_ends_waiting(m, i))
			v[(*n)++] = (struct key) { r->call[i].start, i };
	if (v)
		tm_replay_sort(v, v + *n, *n);
	return v;
}

/* Waits for events, place by place: what each is for shows in all of them, and in how long waits
 * for everything take to return, of which it is known what they are for. */
static bool note_places(struct making *m, struct front *f, const struct key *v, size_t n,
                        struct record_places *places)
{
	struct tm_replay_rank *r = m->r;
	struct usuals known = { 0 };
	struct samples back = { 0 };
	struct waited w;
	bool ok = true;

	front_reset(f, r);
	for (size_t i = 0; ok && i < n; i++) {
		uint32_t call = (uint32_t)v[i].b;

		if (call_does(r, call) == DOES_EVENT) {
			ok = tm_records_note(places, m, call);
		} else if (call_does(r, call) == DOES_DEVICE) {
			front_to(f, r, v[i].a);
			look(m, f, call, &w);
			if (w.hit != NONE)
				tm_samples_add(&back, NONE, false, w.end - r->op[w.hit].end);
		}
	}
	ok = tm_usuals_make(&known, &back) && ok;
	if (ok)
		tm_records_settle(places, known.median);
	free(known.v);
	return ok;
}

bool tm_replay_waits(struct making *m)
{
	struct tm_replay_rank *r = m->r;
	struct lessons s = { 0 };
	struct front f = { 0 };
	struct waited w;
	size_t n;
	struct key *v = waits_of(m, &n);
	bool ok = v && (!n || (front_init(&f, r) && note_places(m, &f, v, n, &s.places)));

	if (ok && n)
		front_reset(&f, r);
	for (size_t i = 0; ok && i < n; i++) {
		front_to(&f, r, v[i].a);
		look(m, &f, (uint32_t)v[i].b, &w);
		apply_record(m, &s, &w);
		learn(r, &w, &s);
	}
	ok = ok && conclude(&s);
	ok = tm_usuals_make(&r->back, &s.back) && ok;
	ok = tm_usuals_make(&r->alone, &s.alone) && ok;
	if (ok && n)
		front_reset(&f, r);
	for (size_t i = 0; ok && i < n; i++) {
		front_to(&f, r, v[i].a);
		look(m, &f, (uint32_t)v[i].b, &w);
		add_edges(m, &s, &w);
	}
	free(v);
	free(s.v);
	free(s.hit);
	tm_records_fini(&s.places);
	front_fini(&f);
	return ok && !m->failed;
}
