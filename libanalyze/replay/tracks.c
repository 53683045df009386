/* SPDX-License-Identifier: MIT */
#include "replay/tracks.h"

#include "agg/agg.h"
#include "base/base.h"
#include "replay/sort.h"
#include "replay/take.h"

#include <stdlib.h>
#include <string.h>

/* ---- calls, by thread ---- */

/* Calls that begin together: the one that ends last holds the others. */
static int by_call(const void *pa, const void *pb, void *arg)
{
	const struct tm_replay_call *a = pa, *b = pb;
	const uint32_t *order = arg;

	if (a->end != b->end)
		return a->end < b->end ? 1 : -1;
	if (a->name != b->name)
		return order[a->name] > order[b->name] ? 1 : -1;
	return (a->corr > b->corr) - (a->corr < b->corr);
}

/* keys of n items into `to`: by group, which are `groups`, each in the order of the keys.  from[g]
 * becomes where group g begins; it has groups + 1 places. */
static void deal(const struct key *v, size_t n, const uint32_t *group, uint32_t groups,
                 uint32_t *from, uint32_t *to)
{
	memset(from, 0, ((size_t)groups + 1) * sizeof *from);
	for (size_t i = 0; i < n; i++)
		from[group[i] + 1]++;
	for (uint32_t g = 0; g < groups; g++)
		from[g + 1] += from[g];
	for (size_t i = 0; i < n; i++)
		to[from[group[v[i].b]]++] = (uint32_t)v[i].b;
	memmove(from + 1, from, groups * sizeof *from);
	from[0] = 0;
}

/* Room for bringing n items of `groups` groups in order. */
struct room {
	struct key *key;
	uint32_t *group, *from, *to;
};

static bool room_init(struct room *m, size_t n, size_t groups)
{
	m->key = tm_array(2 * n + 1, sizeof *m->key);
	m->group = calloc(n + 1, sizeof *m->group);
	m->to = tm_array(n + 1, sizeof *m->to);
	m->from = tm_array(groups + 2, sizeof *m->from);
	return m->key && m->group && m->to && m->from;
}

static void room_fini(struct room *m)
{
	free(m->key);
	free(m->group);
	free(m->to);
	free(m->from);
}

/* How rows of a kind are brought in order: by group, then key, then `next`. */
struct sorting {
	size_t size;
	uint64_t (*key)(const struct tm_replay_rank *r, const void *row);
	uint32_t (*group)(const void *row);
	int (*next)(const void *a, const void *b, void *order);
};

/* Rows of one group and key are together: bring those in order. */
static void sort_equal(const struct tm_replay_rank *r, const struct sorting *s, char *v, uint32_t n)
{
	for (uint32_t i = 0, end; i < n; i = end) {
		const char *row = v + i * s->size, *at = row + s->size;
		uint64_t key = s->key(r, row);

		for (end = i + 1; end < n && s->group(at) == s->group(row) && s->key(r, at) == key;
		     end++)
			at += s->size;
		if (end - i > 1)
			qsort_r(v + i * s->size, end - i, s->size, s->next, r->all->order);
	}
}

/* ---- rows that are nearly in order ---- */

/* Rows are nearly in order where at most one in so many is out of place. */
enum { NEARLY = 16 };

/* Rows that are out of their places. */
struct aside {
	char *row;       /* n of them */
	struct key *key; /* of each, and room for as many */
	size_t n, row_cap, key_cap;
};

static void aside_fini(struct aside *a)
{
	free(a->row);
	free(a->key);
}

static bool put_aside(struct aside *a, const char *row, uint64_t key, size_t size)
{
	if (!tm_grow_array(&a->row, &a->row_cap, a->n + 1, size) ||
	    !tm_grow_array(&a->key, &a->key_cap, 2 * (a->n + 1), sizeof *a->key))
		return false;
	memcpy(a->row + a->n * size, row, size);
	a->key[a->n] = (struct key) { key, a->n };
	a->n++;
	return true;
}

/* Move rows that break the ascending order aside; *left is the number that stay, in front.  If a
 * row is lower than the last one but not than the one before that, the last one goes.  False when
 * `most` are aside or out of memory: then all rows are back in v, in any order. */
static bool keep_ascending(const struct tm_replay_rank *r, const struct sorting *s, char *v,
                           size_t n, size_t most, struct aside *a, size_t *left)
{
	size_t kept = 0, seen;
	uint64_t last = 0, before = 0;

	for (seen = 0; seen < n && a->n < most; seen++) {
		char *row = v + seen * s->size, *end = v + kept * s->size;
		const uint64_t key = s->key(r, row);

		if (kept && key < last && (kept < 2 || key < before)) {
			if (!put_aside(a, row, key, s->size))
				break;
			continue;
		}
		if (kept && key < last) {
			end -= s->size;
			if (!put_aside(a, end, last, s->size))
				break;
		} else {
			before = last;
			kept++;
		}
		last = key;
		if (end != row)
			memcpy(end, row, s->size);
	}
	if (seen < n && a->n)
		memcpy(v + kept * s->size, a->row, a->n * s->size);
	*left = kept;
	return seen == n;
}

/* Put the rows that are aside in their places: `kept` rows are in front. */
static void put_back(const struct tm_replay_rank *r, const struct sorting *s, char *v, size_t kept,
                     struct aside *a)
{
	tm_replay_sort(a->key, a->key + a->n, a->n);
	for (char *out = v + (kept + a->n) * s->size; a->n;) {
		const struct key *k = &a->key[a->n - 1];
		const char *last = v + kept * s->size;

		out -= s->size;
		if (kept && s->key(r, last - s->size) > k->a) {
			memcpy(out, last - s->size, s->size);
			kept--;
		} else {
			memcpy(out, a->row + k->b * s->size, s->size);
			a->n--;
		}
	}
}

/* Bring n rows of one group in order of their keys, if they nearly are; false if not. */
static bool put_in_order(const struct tm_replay_rank *r, const struct sorting *s, char *v, size_t n)
{
	struct aside a = { 0 };
	size_t kept;
	bool ok = keep_ascending(r, s, v, n, n / NEARLY + 1, &a, &kept);

	if (ok && a.n)
		put_back(r, s, v, kept, &a);
	aside_fini(&a);
	return ok;
}

/* Where the rows of each group begin, and the end of the last; NULL where they are not group by
 * group, or when out of memory. */
static uint32_t *find_groups(const struct sorting *s, const char *v, uint32_t n, uint32_t groups)
{
	uint32_t *from = tm_array((size_t)groups + 1, sizeof *from), at = 0;

	for (uint32_t i = 0; from && i < n; i++) {
		const uint32_t group = s->group(v + i * s->size);

		if (group + 1 < at) {
			free(from);
			return NULL;
		}
		while (at <= group)
			from[at++] = i;
	}
	while (from && at <= groups)
		from[at++] = n;
	return from;
}

/* Bring rows in order that nearly are, group by group; where each begins.  NULL where they are not.
 */
static uint32_t *in_order(const struct tm_replay_rank *r, const struct sorting *s, char *v,
                          uint32_t n, uint32_t groups)
{
	uint32_t *from = find_groups(s, v, n, groups);
	bool ok = from != NULL;

	for (uint32_t g = 0; ok && g < groups; g++)
		ok = put_in_order(r, s, v + from[g] * s->size, from[g + 1] - from[g]);
	if (!ok) {
		free(from);
		return NULL;
	}
	sort_equal(r, s, v, n);
	return from;
}

/* The n rows v in order, from malloc, v freed unless it is that; *from: where those of each group
 * begin, the caller's to free.  NULL when out of memory, and v has the same rows. */
static void *sorted_rows(const struct tm_replay_rank *r, const struct sorting *s, void *v,
                         uint32_t n, uint32_t groups, uint32_t **from)
{
	const char *old = v;
	char *out;
	struct room m = { 0 };
	bool ok;

	*from = in_order(r, s, v, n, groups);
	if (*from)
		return v;
	out = tm_array((size_t)n + 1, s->size);
	ok = room_init(&m, n, groups) && out;
	for (uint32_t i = 0; ok && i < n; i++) {
		m.key[i] = (struct key) { s->key(r, old + i * s->size), i };
		m.group[i] = s->group(old + i * s->size);
	}
	if (ok) {
		tm_replay_sort(m.key, m.key + n, n);
		deal(m.key, n, m.group, groups, m.from, m.to);
		for (uint32_t i = 0; i < n; i++)
			memcpy(out + i * s->size, old + m.to[i] * s->size, s->size);
		sort_equal(r, s, out, n);
		*from = m.from;
		m.from = NULL;
	}
	room_fini(&m);
	free(ok ? v : out);
	return ok ? out : NULL;
}

static uint64_t call_key(const struct tm_replay_rank *r, const void *row)
{
	(void)r;
	return ((const struct tm_replay_call *)row)->start;
}

static uint32_t call_group(const void *row)
{
	return ((const struct tm_replay_call *)row)->thread;
}

static bool sort_calls(struct tm_replay_rank *r)
{
	static const struct sorting how = { sizeof *r->call, call_key, call_group, by_call };
	uint32_t *from = NULL;
	struct tm_replay_call *v = sorted_rows(r, &how, r->call, r->ncall, r->nthread, &from);

	for (uint32_t i = 0; v && i < r->nthread; i++) {
		r->thread[i].from = from[i];
		r->thread[i].to = from[i + 1];
	}
	r->call = v ? v : r->call;
	free(from);
	return v != NULL;
}

/* ---- the call of each operation ---- */

/* The last place of the sorted ids that is not after `id`, from *at on or before; n keys. */
static size_t first_not_before(const struct key *v, size_t n, uint64_t id, size_t at)
{
	size_t lo = 0, hi = n, step = 1;

	at = at < n ? at : 0;
	if (n && v[at].a < id) {
		for (lo = at + 1; at + step < n && v[at + step].a < id; step *= 2)
			lo = at + step + 1;
		hi = at + step < n ? at + step : n;
	} else if (n) {
		for (hi = at; at >= step && v[at - step].a >= id; step *= 2)
			hi = at - step;
		lo = at >= step ? at - step : 0;
	}
	TM_BISECT(lo, hi, mid, v[mid].a < id);
	return lo;
}

/* So many calls of one id are looked at, as in work/calls.c. */
enum { WALK = 1024 };

/* Processes with calls. */
static struct tm_processes_seen callers(const struct tm_replay_rank *r)
{
	struct tm_processes_seen seen = { 0 };

	for (uint32_t i = 0; i < r->nthread; i++)
		tm_processes_see(&seen, r->thread[i].has_pid, r->thread[i].pid);
	return seen;
}

/* The last call of that id that begins not after an operation of a track; NONE = there is none. */
static uint32_t call_of(const struct tm_replay_rank *r, const struct key *v, size_t at, uint64_t id,
                        uint64_t start, const struct tm_replay_track *track, enum tm_process_of of)
{
	const struct tm_whose *whose = &r->all->rows->whose;
	uint32_t best = NONE;

	for (size_t i = at; i < r->ncall && v[i].a == id && i - at < WALK; i++) {
		uint32_t c = (uint32_t)v[i].b;
		const struct thread *t = &r->thread[r->call[c].thread];

		if (r->call[c].start > start ||
		    (of == TM_PROCESS_OWN && !tm_process_same(whose, track->rank, track->has_pid,
		                                              track->pid, t->has_pid, t->pid)))
			continue;
		if (best == NONE || r->call[c].start >= r->call[best].start)
			best = c;
	}
	return best;
}

static bool join(struct tm_replay_rank *r)
{
	const struct tm_replay_track *tracks = r->all->rows->track, *track;
	const struct tm_processes_seen seen = callers(r);
	struct key *v = tm_array(2 * (size_t)r->ncall + 1, sizeof *v);
	enum tm_process_of of = TM_PROCESS_NONE;
	uint32_t last = NONE;
	size_t at = 0;

	for (uint32_t i = 0; v && i < r->ncall; i++)
		v[i] = (struct key) { r->call[i].corr, i };
	if (v)
		tm_replay_sort(v, v + r->ncall, r->ncall);
	for (uint32_t i = 0; v && i < r->nop; i++) {
		struct tm_replay_op *op = &r->op[i];
		uint64_t id = op->corr;

		track = &tracks[op->lane];
		if (op->lane != last) {
			of = tm_process_of(&r->all->rows->whose, track->rank, &seen, track->has_pid,
			                   track->pid);
			last = op->lane;
		}
		/* Where `corr` was. */
		op->call = NONE;
		op->group = NONE;
		if (!r->ncall || !id || of == TM_PROCESS_NONE)
			continue;
		at = first_not_before(v, r->ncall, id, at);
		op->call = call_of(r, v, at, id, op->start, track, of);
	}
	free(v);
	return v != NULL;
}

/* ---- operations, by lane ---- */

static int by_op(const void *pa, const void *pb, void *arg)
{
	const struct tm_replay_op *a = pa, *b = pb;
	const uint32_t *order = arg;

	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	if (a->end != b->end)
		return a->end > b->end ? 1 : -1;
	if (a->name != b->name)
		return order[a->name] > order[b->name] ? 1 : -1;
	return (a->call > b->call) - (a->call < b->call);
}

/* As op_sub. */
static uint64_t op_key(const struct tm_replay_rank *r, const void *row)
{
	const struct tm_replay_op *o = row;

	return o->call != NONE ? r->call[o->call].start : o->start;
}

static uint32_t op_group(const void *row)
{
	return ((const struct tm_replay_op *)row)->lane;
}

static bool sort_ops(struct tm_replay_rank *r)
{
	static const struct sorting how = { sizeof *r->op, op_key, op_group, by_op };
	uint32_t *from = NULL;
	struct tm_replay_op *v = sorted_rows(r, &how, r->op, r->nop, r->nlane, &from);

	for (uint32_t i = 0; v && i < r->nlane; i++) {
		r->lane[i].from = from[i];
		r->lane[i].to = from[i + 1];
	}
	r->op = v ? v : r->op;
	free(from);
	return v != NULL;
}

/* ---- lanes of one process each ---- */

/* The process whose call launched it; NONE = not known. */
static uint32_t launched_by(const struct tm_replay_rank *r, const struct tm_replay_op *op)
{
	return op->call != NONE ? r->thread[r->call[op->call].thread].process : NONE;
}

enum { PART_LANE, PART_PROCESS, PART_WORDS };

/* By lane, and the process in it. */
static int by_part(const void *pa, const void *pb, void *arg)
{
	const struct tm_groups *parts = arg;
	const uint64_t *a = parts->key + (size_t) * (const uint32_t *)pa * PART_WORDS,
	               *b = parts->key + (size_t) * (const uint32_t *)pb * PART_WORDS;

	if (a[PART_LANE] != b[PART_LANE])
		return a[PART_LANE] > b[PART_LANE] ? 1 : -1;
	return (a[PART_PROCESS] > b[PART_PROCESS]) - (a[PART_PROCESS] < b[PART_PROCESS]);
}

/* Give each lane the process of its operations: lane.process, where that is one.  Is it several of
 * any lane? */
static bool lanes_mix(struct tm_replay_rank *r, bool *mixed)
{
	bool any = false;

	for (uint32_t i = 0; i < r->nlane; i++)
		r->lane[i].process = NONE;
	for (uint32_t i = 0; r->nprocess > 1 && i < r->nop; i++) {
		struct lane *l = &r->lane[r->op[i].lane];
		uint32_t of = launched_by(r, &r->op[i]);

		if (of == NONE || l->process == of)
			continue;
		any |= mixed[l - r->lane] = l->process != NONE;
		l->process = of;
	}
	return any;
}

/* Streams of two processes that have one number are not one lane, where rows do not say the
 * process: those of several become one for each, and one of what no call is known of. */
static bool part_lanes(struct tm_replay_rank *r)
{
	struct tm_groups parts = { .words = PART_WORDS };
	bool *mixed = calloc((size_t)r->nlane + 1, sizeof *mixed), ok = mixed != NULL;
	uint32_t *place = NULL;
	struct lane *lane = NULL;

	if (!ok || !lanes_mix(r, mixed)) {
		free(mixed);
		return ok;
	}
	for (uint32_t i = 0; ok && i < r->nop; i++) {
		struct tm_replay_op *op = &r->op[i];
		const uint64_t key[PART_WORDS] = {
			[PART_LANE] = op->lane,
			[PART_PROCESS] = mixed[op->lane] ? launched_by(r, op)
			                                 : r->lane[op->lane].process,
		};

		op->lane = tm_groups_add(&parts, key, NULL);
		ok = op->lane != TM_GROUP_NONE;
	}
	place = ok ? tm_places(parts.n, by_part, &parts) : NULL;
	lane = place ? calloc((size_t)parts.n + 1, sizeof *lane) : NULL;
	for (uint32_t i = 0; lane && i < parts.n; i++) {
		const uint64_t *key = parts.key + (size_t)i * PART_WORDS;

		lane[place[i]] = r->lane[key[PART_LANE]];
		lane[place[i]].process = (uint32_t)key[PART_PROCESS];
	}
	for (uint32_t i = 0; lane && i < r->nop; i++)
		r->op[i].lane = place[r->op[i].lane];
	if (lane) {
		free(r->lane);
		r->lane = lane;
		r->nlane = parts.n;
	}
	free(mixed);
	free(place);
	tm_groups_fini(&parts);
	return lane != NULL;
}

/* ---- calls that matter for others ---- */

/* Calls that do one of two things, by process and start; of[p] is where those of process p begin.
 * False when out of memory. */
static bool list_calls(const struct tm_replay_rank *r, enum call_does a, enum call_does b,
                       uint32_t **out, uint32_t **of)
{
	struct room m = { 0 };
	size_t n = 0;
	bool ok;

	for (uint32_t i = 0; i < r->ncall; i++)
		n += call_does(r, i) == a || call_does(r, i) == b;
	ok = room_init(&m, n, r->nprocess);
	*out = tm_array(n + 1, sizeof **out);
	n = 0;
	for (uint32_t i = 0; ok && *out && i < r->ncall; i++)
		if (call_does(r, i) == a || call_does(r, i) == b) {
			m.key[n] = (struct key) { r->call[i].start, n };
			m.group[n] = r->thread[r->call[i].thread].process;
			(*out)[n++] = i;
		}
	if (ok && *out) {
		tm_replay_sort(m.key, m.key + n, n);
		deal(m.key, n, m.group, r->nprocess, m.from, m.to);
		for (size_t i = 0; i < n; i++)
			m.to[i] = (*out)[m.to[i]];
		memcpy(*out, m.to, n * sizeof **out);
		*of = m.from;
		m.from = NULL;
	}
	room_fini(&m);
	return ok && *out;
}

/* The first operation of each call, in call.ops; and calls inside others. */
static void first_ops(struct tm_replay_rank *r)
{
	for (uint32_t i = 0; i < r->ncall; i++) {
		r->call[i].enclosing = NONE;
		r->call[i].ops = NONE;
	}
	for (uint32_t i = 0; i < r->nop; i++) {
		uint32_t c = r->op[i].call, *first = c != NONE ? &r->call[c].ops : NULL;

		if (first && (*first == NONE || r->op[i].start < r->op[*first].start))
			*first = i;
	}
}

bool tm_replay_tracks(struct tm_replay_rank *r, struct tm_replay_rank_rows *rows)
{
	uint32_t *lane_at = r->all->lane_at;
	bool ok = tm_replay_take_ops(r, rows, lane_at) && tm_replay_take_calls(r, rows) &&
	          sort_calls(r) && tm_replay_polls(r) && join(r);

	for (uint32_t i = 0; ok && i < r->nop; i++)
		r->op[i].lane = lane_at[r->op[i].lane];
	ok = ok && part_lanes(r) && sort_ops(r) &&
	     list_calls(r, DOES_AWAIT, DOES_GRAPH, &r->arm, &r->arm_of) &&
	     list_calls(r, DOES_RECORD, DOES_RECORD, &r->record, &r->record_of);
	if (ok)
		first_ops(r);
	return ok;
}
