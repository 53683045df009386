/* SPDX-License-Identifier: MIT */
#include "metric/align.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const align_words[] = { "none", "realtime", "collectives", "auto", NULL };

enum {
	PAIRS = 1 << 20, /* of two ranks that are compared; of more every second, third ... */
	MOST_ERROR =
	        500000000, /* ns of CLOCK_REALTIME: readings that far apart are not of one clock */
};

/* What is decided for an input. */
struct plan {
	struct store_clock clock;
	uint64_t back; /* modulo 2^64: what would lead to a clock that all share */
};

bool align_is_collective(const struct name *kernel)
{
	/* ncclDevKernel_Generic_1(...), ncclSymDevKernel..., ncclKernel_... of older ones, and what RCCL
	 * had instead.  Point-to-point kernels end when two ranks are done, not all. */
	static const char *const words[] = { "ncclDevKernel",     "ncclSymDevKernel",
		                             "ncclSymkDevKernel", "ncclKernel",
		                             "rcclGenericKernel", "rccl_main_kernel",
		                             "mscclKernel" };

	if (memmem(kernel->text, kernel->len, "SendRecv", 8))
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (memmem(kernel->text, kernel->len, words[i], strlen(words[i])))
			return true;
	return false;
}

/* Do the times of two inputs count the same clock? */
static bool same_clock(const struct align_input *a, const struct align_input *b)
{
	return a == b ||
	       (a->rank == b->rank && a->clock && b->clock && !strcmp(a->clock, b->clock));
}

static bool has_several_ranks(const struct align_input *v, size_t n)
{
	const struct align_input *first = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!v[i].timed)
			continue;
		if (first && first->rank != v[i].rank)
			return true;
		first = first ? first : &v[i];
	}
	return false;
}

/* Bring the smallest `back`, taken as a signed difference, to 0: the clock furthest ahead stays. */
static enum status settle(const struct align_input *v, size_t n, struct plan *p, struct diag *d)
{
	int64_t least = 0;
	bool any = false;

	for (size_t i = 0; i < n; i++)
		if (v[i].timed && (!any || (int64_t)p[i].back < least)) {
			least = (int64_t)p[i].back;
			any = true;
		}
	for (size_t i = 0; i < n; i++) {
		uint64_t ns = p[i].back - (uint64_t)least;

		if (!v[i].timed)
			continue;
		if (ns >> 63 || v[i].last_ns >> 63 || (v[i].last_ns + ns) >> 63) {
			diag_set(d, 0,
			         "the times of rank %" PRIu64 " are centuries away from the others",
			         v[i].rank);
			return ST_SKIP;
		}
		p[i].clock.offset_ns = ns;
	}
	return ST_OK;
}

/* ---- realtime ---- */

static enum status by_realtime(const struct align_input *v, size_t n, struct plan *p,
                               struct diag *d)
{
	for (size_t i = 0; i < n; i++) {
		const struct align_input *from = v[i].realtime.readings ? &v[i] : NULL;

		for (size_t k = 0; k < n && !from; k++)
			if (v[k].realtime.readings && same_clock(&v[i], &v[k]))
				from = &v[k];
		if (!v[i].timed)
			continue;
		if (!from) {
			diag_set(d, 0,
			         "rank %" PRIu64 " has no snapshot of CLOCK_REALTIME (%.200s)",
			         v[i].rank, v[i].path);
			return ST_SKIP;
		}
		if (realtime_error(&from->realtime) > MOST_ERROR) {
			diag_set(d, 0,
			         "rank %" PRIu64
			         " has snapshots of CLOCK_REALTIME that are seconds "
			         "apart, of several hosts or from before it was set (%.200s)",
			         v[i].rank, from->path);
			return ST_SKIP;
		}
		p[i].back = realtime_middle(&from->realtime);
		/* One says nothing of its own error. */
		p[i].clock.has_residual = from->realtime.readings > 1;
		p[i].clock.residual_ns = realtime_error(&from->realtime);
	}
	return settle(v, n, p, d);
}

/* ---- collectives ---- */

/* The input that speaks for a rank: the one with most collectives; NULL = the rank has no times. */
static const struct align_input *speaker(const struct align_input *v, size_t n, uint64_t rank)
{
	const struct align_input *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (v[i].timed && v[i].rank == rank &&
		    (!best || v[i].collectives > best->collectives))
			best = &v[i];
	return best;
}

static const struct align_input *lowest(const struct align_input *v, size_t n)
{
	uint64_t rank = UINT64_MAX;

	for (size_t i = 0; i < n; i++)
		if (v[i].timed && v[i].rank < rank)
			rank = v[i].rank;
	return speaker(v, n, rank);
}

static int order(const void *p, const void *q)
{
	int64_t a, b;

	memcpy(&a, p, sizeof a);
	memcpy(&b, q, sizeof b);
	return (a > b) - (a < b);
}

/* The middle one of n > 0 sorted values; of two in the middle what is between them. */
static int64_t median(const int64_t *v, size_t n)
{
	uint64_t lo = (uint64_t)v[(n - 1) / 2], hi = (uint64_t)v[n / 2];

	return (int64_t)(lo + (hi - lo) / 2);
}

/* How far rank b is behind rank a, in the middle, and how far from that the ends are. */
static void compare(int64_t *diff, size_t n, struct plan *p)
{
	int64_t middle;

	qsort(diff, n, sizeof *diff, order);
	middle = median(diff, n);
	for (size_t i = 0; i < n; i++) {
		uint64_t far = diff[i] < middle ? (uint64_t)middle - (uint64_t)diff[i]
		                                : (uint64_t)diff[i] - (uint64_t)middle;

		diff[i] = far >> 63 ? INT64_MAX : (int64_t)far;
	}
	qsort(diff, n, sizeof *diff, order);
	p->back = (uint64_t)middle;
	p->clock.has_residual = true;
	p->clock.residual_ns = (uint64_t)median(diff, n);
}

/* The collectives of every rank against those of the lowest. */
static enum status by_speakers(const struct align_input *v, size_t n, const struct names *names,
                               struct store *s, struct plan *p, int64_t *diff, struct diag *d)
{
	const struct align_input *ref = lowest(v, n);

	p[ref - v].clock.has_residual = true;
	for (size_t i = 0; i < n; i++) {
		const struct align_input *a = speaker(v, n, v[i].rank);
		struct store_match m = { .a = ref->id, .b = v[i].id, .most = PAIRS, .diff = diff };
		enum status st;

		if (a != &v[i])
			continue;
		if (a->collectives < ALIGN_FEWEST) {
			diag_set(d, 0, "rank %" PRIu64 " has %" PRIu64 " collective%s, it takes %d",
			         a->rank, a->collectives, a->collectives == 1 ? "" : "s",
			         ALIGN_FEWEST);
			return ST_SKIP;
		}
		if (a == ref)
			continue;
		st = store_match(s, &m, d);
		if (st == ST_SKIP)
			diag_set(d, 0,
			         "rank %" PRIu64 " has %" PRIu64 " and rank %" PRIu64 " %" PRIu64
			         " of %.100s",
			         ref->rank, m.count_a, a->rank, m.count_b, names->v[m.name].text);
		if (st != ST_OK)
			return st;
		compare(diff, m.n, &p[i]);
	}
	return ST_OK;
}

static enum status by_collectives(const struct align_input *v, size_t n, const struct names *names,
                                  struct store *s, struct plan *p, struct diag *d)
{
	int64_t *diff = malloc(PAIRS * sizeof *diff);
	enum status st = ST_FATAL;

	if (diff)
		st = by_speakers(v, n, names, s, p, diff, d);
	else
		diag_oom(d);
	free(diff);
	for (size_t i = 0; i < n && st == ST_OK; i++) {
		const struct align_input *a = v[i].timed ? speaker(v, n, v[i].rank) : &v[i];

		if (!same_clock(a, &v[i])) {
			diag_set(d, 0,
			         "rank %" PRIu64
			         " has inputs on different clocks, %.100s and %.100s",
			         a->rank, a->path, v[i].path);
			return ST_SKIP;
		}
		if (a != &v[i])
			p[i] = p[a - v];
	}
	return st == ST_OK ? settle(v, n, p, d) : st;
}

/* ---- either ---- */

static enum status attempt(enum align_how how, const struct align_input *v, size_t n,
                           const struct names *names, struct store *s, struct plan *p,
                           struct diag *d)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (struct plan) { .clock.method = align_words[how] };
	return how == ALIGN_REALTIME ? by_realtime(v, n, p, d)
	                             : by_collectives(v, n, names, s, p, d);
}

/* The first method that is possible; ST_SKIP with why neither is. */
static enum status choose(const struct align_input *v, size_t n, const struct names *names,
                          struct store *s, struct plan *p, struct align_done *done, struct diag *d)
{
	struct diag first = { 0 };
	enum status st;

	done->how = ALIGN_REALTIME;
	st = attempt(ALIGN_REALTIME, v, n, names, s, p, &first);
	if (st != ST_SKIP) {
		*d = first;
		return st;
	}
	done->how = ALIGN_COLLECTIVES;
	st = attempt(ALIGN_COLLECTIVES, v, n, names, s, p, d);
	if (st == ST_SKIP) {
		struct diag second = *d;

		diag_set(d, 0, "%s, and %s", first.text, second.text);
	}
	return st;
}

static enum status tell(const struct align_input *v, size_t n, const struct plan *p,
                        struct store *s, struct align_done *done, struct diag *d)
{
	enum status st = ST_OK;

	done->has_residual = true;
	for (size_t i = 0; i < n && st == ST_OK; i++) {
		if (!v[i].timed)
			continue;
		if (p[i].clock.residual_ns > done->residual_ns)
			done->residual_ns = p[i].clock.residual_ns;
		done->has_residual &= p[i].clock.has_residual;
		st = store_clock(s, v[i].id, &p[i].clock, d);
	}
	if (done->how == ALIGN_COLLECTIVES)
		done->collectives = lowest(v, n)->collectives;
	return st;
}

enum status align_inputs(enum align_how how, const struct align_input *v, size_t n,
                         const struct names *names, struct store *s, struct align_done *done,
                         struct diag *d)
{
	struct plan *p;
	enum status st;

	*done = (struct align_done) { .how = ALIGN_NONE, .several = has_several_ranks(v, n) };
	if (how == ALIGN_NONE || !done->several)
		return ST_OK;
	p = calloc(n, sizeof *p);
	if (!p) {
		diag_oom(d);
		return ST_FATAL;
	}
	done->how = how;
	st = how == ALIGN_AUTO ? choose(v, n, names, s, p, done, d)
	                       : attempt(how, v, n, names, s, p, d);
	if (st == ST_OK) {
		st = tell(v, n, p, s, done, d);
	} else if (st == ST_SKIP && how == ALIGN_AUTO) {
		done->how = ALIGN_NONE;
		done->why = *d;
		st = ST_OK;
	} else if (st == ST_SKIP) {
		struct diag why = *d;

		diag_set(d, 0, "--align %s is not possible: %s", align_words[how], why.text);
	}
	free(p);
	return st;
}
