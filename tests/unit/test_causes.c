/* SPDX-License-Identifier: MIT
 * Which call launched an operation, and what the host did before: beside the plainest way to say
 * it. */
#include "work/causes.h"

#include "test.h"

enum { SPAN = 120, THREADS = 3 };

static uint64_t seed = 1;

static uint64_t next(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % below;
}

/* Rank 0, threads of processes 1, 1 and 2; what is added to them must be in order of start. */
static struct tm_work_thread *threads_of(struct tm_work *w)
{
	struct tm_work_thread *t = calloc(THREADS, sizeof *t);

	for (size_t i = 0; t && i < THREADS; i++) {
		t[i] = (struct tm_work_thread) {
			.pid = i / 2 + 1, .tid = i, .has_pid = true, .has_tid = true
		};
		t[i].calls[TM_WORK_HIP] = 1;
	}
	*w = (struct tm_work) { .thread = t, .nthread = THREADS, .keep = TM_WORK_CALL_NAMES };
	return t;
}

static void add_call(struct tm_work_thread *t, uint64_t corr, uint64_t start, uint64_t end)
{
	CHECK(tm_intervals_add(&t->call[TM_WORK_HIP], start, end, corr, 0));
}

/* The call of an operation with this id and start, in a process (0 = not known). */
static size_t find(struct tm_calls *c, uint64_t corr, uint64_t start, uint64_t pid)
{
	const struct tm_work_track t = { .pid = pid, .has_pid = pid != 0 };
	struct tm_intervals op = { 0 };
	size_t i;

	CHECK(tm_intervals_add(&op, start, start + 1, corr, 0));
	i = tm_calls_find(c, &t, tm_calls_of(c, &t), &op, 0);
	tm_intervals_fini(&op);
	return i;
}

static uint64_t start_of(const struct tm_calls *c, size_t i)
{
	return i == TM_CALL_NONE ? UINT64_MAX : tm_calls_extent(c, i).lo;
}

/* Id 5 is called at 10 and 30 in process 1, at 20 in process 2; id 6 at 50 in process 1. */
TEST(call_by_hand)
{
	struct tm_work w;
	struct tm_work_thread *t = threads_of(&w);
	struct tm_calls c;

	if (!t)
		return;
	add_call(&t[0], 5, 10, 12);
	add_call(&t[1], 5, 30, 31);
	add_call(&t[1], 6, 50, 51);
	add_call(&t[2], 5, 20, 29);
	w.names = (struct tm_names) { 0 };
	CHECK(tm_names_add(&w.names, "hipLaunchKernel", 15) == 0);
	CHECK(tm_calls_init(&c, &w, 0, false));
	CHECK_U64(start_of(&c, find(&c, 5, 25, 0)), 20); /* the last that starts not after it */
	CHECK_U64(start_of(&c, find(&c, 5, 30, 0)), 30);
	CHECK_U64(start_of(&c, find(&c, 5, 25, 1)), 10); /* of its own process */
	CHECK_U64(start_of(&c, find(&c, 5, 15, 2)), 20); /* none before: the first */
	CHECK_U64(start_of(&c, find(&c, 5, 5, 0)), 10);
	CHECK(find(&c, 5, 25, 3) == TM_CALL_NONE); /* a process without calls */
	CHECK(find(&c, 6, 60, 2) == TM_CALL_NONE); /* process 2 has calls, but not this */
	CHECK_U64(start_of(&c, find(&c, 6, 60, 1)), 50);
	CHECK(find(&c, 7, 60, 0) == TM_CALL_NONE && find(&c, 0, 60, 0) == TM_CALL_NONE);
	CHECK(tm_calls_kind(&c, find(&c, 6, 60, 1)) == TM_CALL_LAUNCH);
	CHECK_U64(tm_calls_thread(&c, find(&c, 6, 60, 1)), 1);
	tm_calls_fini(&c);
	w.o = NULL;
	tm_work_fini(&w);
}

/* Any order of questions finds what looking at every call finds. */
TEST(call_at_random)
{
	for (int round = 0; round < 300; round++) {
		uint64_t ids = 1 + next(30), most = 1 + next(200);
		struct tm_work w;
		struct tm_work_thread *t = threads_of(&w);
		struct tm_calls c;

		if (!t)
			return;
		CHECK(tm_names_add(&w.names, "x", 1) == 0);
		for (uint64_t i = 0, at = 0; i < most; i++) {
			at += 1 + next(3);
			add_call(&t[next(THREADS)], next(ids) * (next(9) ? 1 : UINT64_C(1) << 33),
			         at, at + 2);
		}
		CHECK(tm_calls_init(&c, &w, 0, true));
		for (int k = 0; k < 200; k++) {
			uint64_t corr = 1 + next(ids), start = next(2 * most), pid = next(4);
			uint64_t best = UINT64_MAX, first = UINT64_MAX;

			for (size_t i = 0; i < c.v.n; i++) {
				uint64_t lo = tm_calls_extent(&c, i).lo;

				if (tm_interval_tag(&c.v, i) != corr ||
				    (pid && w.thread[tm_calls_thread(&c, i)].pid != pid))
					continue;
				if (lo <= start && (best == UINT64_MAX || lo > best))
					best = lo;
				if (lo < first)
					first = lo;
			}
			CHECK_U64(start_of(&c, find(&c, corr, start, pid)),
			          best == UINT64_MAX ? first : best);
		}
		tm_calls_fini(&c);
		tm_work_fini(&w);
	}
}

/* What a test of causes asks about: thread 1 of three waits like that. */
struct asked {
	struct tm_work w;
	struct tm_calls calls;
	struct tm_causes c;
};

static bool asked_init(struct asked *a, const struct tm_extent *wait, size_t n)
{
	struct tm_work_thread *t = threads_of(&a->w);

	if (!t)
		return false;
	CHECK(tm_names_add(&a->w.names, "hipFree", 7) == 0);
	for (size_t i = 0; i < n; i++)
		CHECK(tm_intervals_add(&t[1].wait[TM_WORK_HIP], wait[i].lo, wait[i].hi, 7, 0));
	CHECK(tm_calls_init(&a->calls, &a->w, 0, false));
	CHECK(tm_causes_init(&a->c, &a->w, &a->calls, 0));
	return true;
}

static void asked_fini(struct asked *a)
{
	tm_causes_fini(&a->c);
	tm_calls_fini(&a->calls);
	tm_work_fini(&a->w);
}

/* Some stretches of time, for every third test none; in[ns] says which are inside. */
static void some_stretches(struct tm_stretches *s, bool *in)
{
	uint64_t n = next(3) ? next(20) : 0;

	for (uint64_t i = 0, at = 0; i < n && at < 2 * SPAN; i++) {
		struct tm_extent e = { at + (next(2) ? next(8) : 0), 0 };

		at = e.hi = e.lo + 1 + next(12);
		CHECK(tm_stretches_add(s, e));
		for (uint64_t ns = e.lo; ns < e.hi && ns < 2 * SPAN; ns++)
			in[ns] = true;
	}
}

/* Every nanosecond of a gap on its own, whatever the waits look like: one in another, one over the
 * call, the call after the operation. */
TEST(split_at_random)
{
	struct tm_stretches inside = { 0 };

	for (int round = 0; round < 2000; round++) {
		struct tm_extent wait[400];
		uint64_t got[TM_CAUSES], want[TM_CAUSES] = { 0 }, part[TM_CAUSES] = { 0 };
		bool in[2 * SPAN] = { false };
		uint64_t length = round % 2 ? SPAN : 3; /* short ones: many stretches */
		size_t waits = next(round % 4 == 0 ? 400 : 40);
		struct tm_extent gap = { next(SPAN), 0 }, call = { next(SPAN), 0 };
		struct asked a;

		gap.hi = gap.lo + 1 + next(SPAN);
		call.hi = call.lo + next(SPAN / 4);
		for (size_t i = 0; i < waits; i++) {
			wait[i].lo = next(SPAN);
			wait[i].hi = wait[i].lo + next(1 + next(length));
		}
		if (!asked_init(&a, wait, waits))
			return;
		some_stretches(&inside, in);
		a.c.inside = &inside;
		for (uint64_t ns = gap.lo; ns < gap.hi; ns++) {
			bool waited = false;
			enum tm_cause k;

			for (size_t i = 0; i < waits; i++)
				waited |= wait[i].lo <= ns && ns < wait[i].hi &&
				          wait[i].hi <= call.lo;
			k = ns < call.lo   ? waited ? TM_CAUSE_SYNC : TM_CAUSE_HOST
			    : ns < call.hi ? TM_CAUSE_LAUNCH
			                   : TM_CAUSE_DEVICE;
			want[k]++;
			part[k] += in[ns];
		}
		CHECK(tm_causes_split(&a.c, gap, call, 1, got));
		for (int k = 0; k < TM_CAUSES; k++)
			CHECK_U64(got[k], want[k]);
		CHECK(tm_causes_split_inside(&a.c, gap, call, 1, got));
		for (int k = 0; k < TM_CAUSES; k++)
			CHECK_U64(got[k], part[k]);
		asked_fini(&a);
		tm_stretches_clear(&inside);
	}
	tm_stretches_fini(&inside);
}

enum { WAITS = 3000, TIME = 40000, SHAPES = 5 };

/* One after the other, in pairs one inside the other, anywhere, as a staircase, and one after the
 * other with now and then one that reaches back over many. */
static struct tm_extent wait_of(int shape, uint64_t i)
{
	uint64_t at = 12 * i, dur = next(11);

	if (shape == 1)
		return i % 2 ? (struct tm_extent) { at - 10, at - 5 }
		             : (struct tm_extent) { at, at + 11 };
	if (shape == 2)
		at = next(TIME - 200);
	if (shape == 3)
		dur = next(40);
	if (shape == 4 && i > 500 && next(40) == 0) {
		dur = next(5000);
		at -= dur;
	}
	return (struct tm_extent) { at, at + dur };
}

/* The time of `in` inside those of n waits that end at or before a0. */
static uint64_t waited_in(const struct tm_extent *wait, size_t n, struct tm_extent in, uint64_t a0)
{
	static int open[TIME + 1];
	uint64_t sum = 0;
	int now = 0;

	memset(open, 0, sizeof open);
	for (size_t i = 0; i < n; i++)
		if (wait[i].hi <= a0) {
			open[wait[i].lo]++;
			open[wait[i].hi]--;
		}
	for (uint64_t ns = 0; ns < in.hi; ns++) {
		now += open[ns];
		sum += now > 0 && ns >= in.lo;
	}
	return sum;
}

/* So many waits that what is known of them is in notes of notes. */
TEST(split_of_many)
{
	static struct tm_extent wait[WAITS];

	for (int round = 0; round < 4 * SHAPES; round++) {
		struct asked a;

		for (size_t i = 0; i < WAITS; i++)
			wait[i] = wait_of(round % SHAPES, i);
		if (!asked_init(&a, wait, WAITS))
			return;
		for (int k = 0; k < 50; k++) {
			uint64_t lo = next(TIME - 300), a0 = lo + next(k % 2 ? 300 : TIME - lo);
			struct tm_extent gap = { lo, a0 + next(50) }, call = { a0, a0 + 20 };
			uint64_t got[TM_CAUSES];

			CHECK(tm_causes_split(&a.c, gap, call, 1, got));
			CHECK_U64(got[TM_CAUSE_SYNC],
			          waited_in(wait, WAITS, (struct tm_extent) { lo, a0 }, a0));
		}
		asked_fini(&a);
	}
}

enum { FEW = 40, MANY = 700 };

/* The call that covers most of a gap, of any shape: of equals the one that ends last, then the one
 * that starts first.  MANY are more than are looked at one by one. */
TEST(host_call_at_random)
{
	static struct tm_extent call[MANY];

	for (int round = 0; round < 2000; round++) {
		struct tm_extent gap = { next(SPAN), 0 };
		uint32_t n = round % 4 ? FEW : MANY, name = 0, best = UINT32_MAX;
		uint64_t length = round % 8 ? SPAN : 4, most = 0;
		struct tm_work w;
		struct tm_work_thread *t = threads_of(&w);
		struct tm_calls calls;
		struct tm_causes c;
		bool any;

		if (!t)
			return;
		gap.hi = gap.lo + 1 + next(SPAN / 2);
		for (uint32_t i = 0; i < n; i++) {
			char text[16];
			uint64_t lo = next(SPAN), hi = lo + next(1 + next(length));
			uint64_t from = lo > gap.lo ? lo : gap.lo, to = hi < gap.hi ? hi : gap.hi;
			uint64_t covers = from < to ? to - from : 0;

			snprintf(text, sizeof text, "%u", (unsigned)i);
			CHECK(tm_names_add(&w.names, text, strlen(text)) == i);
			CHECK(tm_intervals_add(next(3) ? &t[1].call[TM_WORK_HIP]
			                               : &t[1].wait[TM_WORK_HIP],
			                       lo, hi, 0, i));
			call[i] = (struct tm_extent) { lo, hi };
			if (!covers || covers < most)
				continue;
			if (covers > most || hi > call[best].hi ||
			    (hi == call[best].hi && lo < call[best].lo)) {
				most = covers;
				best = i;
			}
		}
		CHECK(tm_calls_init(&calls, &w, 0, true));
		CHECK(tm_causes_init(&c, &w, &calls, 0));
		CHECK(tm_causes_call(&c, gap, 1, &any, &name));
		CHECK_U64(any, most != 0);
		if (any && most) {
			CHECK_U64(call[name].lo, call[best].lo);
			CHECK_U64(call[name].hi, call[best].hi);
		}
		tm_causes_fini(&c);
		tm_calls_fini(&calls);
		tm_work_fini(&w);
	}
}

/* Whose a moment is: of the calls that are open the first to begin, of equals the last to end, then
 * by name; FEW and MANY names. */
static uint32_t open_at(const struct tm_extent *call, const uint32_t *name, uint32_t n, uint64_t at)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < n; i++) {
		if (at < call[i].lo || at >= call[i].hi)
			continue;
		if (best == UINT32_MAX || call[i].lo < call[best].lo ||
		    (call[i].lo == call[best].lo &&
		     (call[i].hi > call[best].hi ||
		      (call[i].hi == call[best].hi && name[i] < name[best]))))
			best = i;
	}
	return best == UINT32_MAX ? UINT32_MAX : name[best];
}

/* Each moment of a gap is of one call or of none, however many calls there are. */
TEST(parts_at_random)
{
	static struct tm_extent call[MANY];
	static uint32_t name[MANY];
	static uint64_t want[MANY];

	for (int round = 0; round < 120; round++) {
		uint32_t n = round % 2 ? FEW : MANY, names = round % 3 ? 5 : n;
		uint64_t span = round % 2 ? 200 : 4000, length = round % 4 ? 6 : 60;
		struct tm_call_parts parts = { 0 };
		struct tm_work w;
		struct tm_work_thread *t = threads_of(&w);
		struct tm_calls calls;
		struct tm_causes c;

		if (!t)
			return;
		for (uint32_t i = 0; i < names; i++) {
			char text[16];

			/* In the order of the numbers. */
			snprintf(text, sizeof text, "%05u", (unsigned)i);
			CHECK(tm_names_add(&w.names, text, strlen(text)) == i);
		}
		CHECK(tm_work_order(&w));
		for (uint32_t i = 0; i < n; i++) {
			uint64_t lo = next(span), hi = lo + next(1 + length);

			name[i] = (uint32_t)next(names);
			call[i] = (struct tm_extent) { lo, hi };
			CHECK(tm_intervals_add(next(3) ? &t[1].call[TM_WORK_HIP]
			                               : &t[1].wait[TM_WORK_HIP],
			                       lo, hi, 0, name[i]));
		}
		CHECK(tm_calls_init(&calls, &w, 0, true));
		CHECK(tm_causes_init(&c, &w, &calls, 0));
		for (int k = 0; k < 6; k++) {
			struct tm_extent gap = { next(k ? span : 9), span };

			if (k)
				gap.hi = gap.lo + 1 + next(span - gap.lo);
			memset(want, 0, sizeof want);
			for (uint64_t at = gap.lo; at < gap.hi; at++) {
				uint32_t whose = open_at(call, name, n, at);

				if (whose != UINT32_MAX)
					want[whose]++;
			}
			CHECK(tm_causes_parts(&c, gap, 1, &parts));
			for (size_t i = 0; i < parts.n; i++) {
				CHECK(parts.v[i].ns > 0);
				CHECK_U64(parts.v[i].ns, want[parts.v[i].name]);
				want[parts.v[i].name] = 0;
			}
			for (uint32_t i = 0; i < names; i++)
				CHECK_U64(want[i], 0);
		}
		tm_call_parts_fini(&parts);
		tm_causes_fini(&c);
		tm_calls_fini(&calls);
		tm_work_fini(&w);
	}
}

TEST_MAIN(T(call_by_hand), T(call_at_random), T(split_at_random), T(split_of_many),
          T(host_call_at_random), T(parts_at_random))
