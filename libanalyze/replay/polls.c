/* SPDX-License-Identifier: MIT
 * Loops that poll.  A thread that asks again and again whether an operation has ended, and does
 * nothing else until it has, waits for it as in one call that waits. */
#include "replay/tracks.h"

#include "base/base.h"
#include "replay/sort.h"

#include <stdlib.h>

/* So many calls at least, so long together, with pauses so long at most between two. */
enum { LEAST_CALLS = 3, LEAST_NS = 20000, PAUSE_NS = 100000 };
/* What tells that loops end as an operation has: so many times as many as by chance; or of so many
 * that would not by chance, so many times fewer. */
enum { BY_CHANCE = 4, TELLING = 6 };
/* Parts of a loop that are told apart. */
enum { WHOLE = 1000000 };

/* Calls [from, to) of a thread. */
struct loop {
	uint32_t from, to;
	bool hit;        /* an operation ended between its last two calls, or in these */
	uint32_t chance; /* for what part of those before that holds, of WHOLE */
};

static bool is_poll(const struct tm_replay_rank *r, uint32_t call)
{
	return r->all->does[r->call[call].name] == DOES_POLL;
}

/* Where the loop ends that begins with a call of a thread, which ends at `to`. */
static uint32_t loop_end(const struct tm_replay_rank *r, uint32_t call, uint32_t to)
{
	uint32_t next = call + 1;

	while (next < to && is_poll(r, next) && r->call[next].start >= r->call[next - 1].end &&
	       r->call[next].start - r->call[next - 1].end <= PAUSE_NS)
		next++;
	return next;
}

/* Add the loops of a thread to the *n of *v, which has room for *cap. */
static bool find_loops(const struct tm_replay_rank *r, const struct thread *t, struct loop **v,
                       size_t *n, size_t *cap)
{
	uint64_t over = 0; /* all calls before */

	for (uint32_t i = t->from, next; i < t->to; i = next) {
		next = is_poll(r, i) ? loop_end(r, i, t->to) : i + 1;
		if (next - i >= LEAST_CALLS && r->call[i].start >= over &&
		    r->call[next - 1].end - r->call[i].start >= LEAST_NS) {
			if (!tm_grow_array(v, cap, *n + 1, sizeof **v))
				return false;
			(*v)[(*n)++] = (struct loop) { .from = i, .to = next };
		}
		over = r->call[next - 1].end > over ? r->call[next - 1].end : over;
	}
	return true;
}

/* How a loop ends; end[0 .. nop) are the ends of all operations, in order. */
static void judge(const struct tm_replay_rank *r, const struct key *end, struct loop *l)
{
	uint32_t at = 0, hi = r->nop, hits = 0;

	TM_BISECT(at, hi, mid, end[mid].a <= r->call[l->from].start);
	for (uint32_t i = l->from + 1; i < l->to; i++) {
		while (at < r->nop && end[at].a <= r->call[i - 1].start)
			at++;
		l->hit = at < r->nop && end[at].a <= r->call[i].end;
		hits += l->hit;
	}
	l->chance = (uint32_t)((uint64_t)(hits - l->hit) * WHOLE / (l->to - l->from - 2));
}

/* Do so many of n loops end so, and not by chance?  `chance`: how many would. */
static bool is_told(size_t n, size_t hits, uint64_t chance)
{
	const tm_u128 all = (tm_u128)n * WHOLE, seen = (tm_u128)hits * WHOLE;

	return (seen * 2 >= all && seen >= (tm_u128)chance * BY_CHANCE) ||
	       (all - chance >= (tm_u128)TELLING * WHOLE &&
	        (all - seen) * BY_CHANCE <= all - chance);
}

/* Which of n loops end when an operation has; *told: those are waits.  False when out of memory. */
static bool judge_all(const struct tm_replay_rank *r, struct loop *v, size_t n, bool *told)
{
	struct key *end = tm_array(2 * (size_t)r->nop + 1, sizeof *end);
	uint64_t chance = 0;
	size_t hits = 0;

	*told = false;
	if (!end)
		return false;
	for (uint32_t i = 0; i < r->nop; i++)
		end[i] = (struct key) { r->op[i].end, i };
	tm_replay_sort(end, end + r->nop, r->nop);
	for (size_t i = 0; i < n; i++) {
		judge(r, end, &v[i]);
		hits += v[i].hit;
		chance += v[i].chance;
	}
	free(end);
	*told = hits && is_told(n, hits, chance);
	return true;
}

/* One call instead of each that hits; n loops, in order of their calls. */
static void merge(struct tm_replay_rank *r, const struct loop *v, size_t n)
{
	uint32_t left = 0;
	size_t at = 0;

	for (uint32_t t = 0; t < r->nthread; t++) {
		struct thread *thread = &r->thread[t];
		const uint32_t from = left;

		for (uint32_t i = thread->from; i < thread->to; i++) {
			r->call[left] = r->call[i];
			while (at < n && v[at].from < i)
				at++;
			if (at < n && v[at].from == i && v[at].hit) {
				i = v[at].to - 1;
				r->call[left].end = r->call[i].end;
				r->polled[left / 8] |= (uint8_t)(1u << left % 8);
			}
			left++;
		}
		thread->from = from;
		thread->to = left;
	}
	r->ncall = left;
}

bool tm_replay_polls(struct tm_replay_rank *r)
{
	struct loop *v = NULL;
	size_t n = 0, cap = 0;
	bool ok = true, told = false;

	for (uint32_t t = 0; ok && t < r->nthread; t++)
		ok = find_loops(r, &r->thread[t], &v, &n, &cap);
	ok = ok && (!n || judge_all(r, v, n, &told));
	if (ok && told) {
		r->polled = calloc((size_t)r->ncall / 8 + 1, 1);
		if (r->polled)
			merge(r, v, n);
		ok = r->polled != NULL;
	}
	free(v);
	return ok;
}
