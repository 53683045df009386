/* SPDX-License-Identifier: MIT
 * A trace as a graph: identity, partition and collapse, and what changes give, worked out by
 * hand. */
#include "replay/replay.h"

#include "replay/share.h"
#include "replay/spread.h"

#include "test.h"

#include <math.h>

static struct tm_metric_opts opts = { .level = TM_NAME_FULL };

static uint64_t agent = 4;

/* A row of one rank, process and stream; times in us. */
static void add(struct tm_replay_rows *rows, enum tm_ev_kind kind, const char *name, uint64_t start,
                uint64_t end, uint64_t corr, uint64_t place)
{
	struct tm_names names = { 0 };
	uint64_t id = tm_names_add(&names, name, strlen(name)), pid = 1,
	         domain = kind == TM_EV_API ? TM_DOMAIN_HIP : TM_DOMAIN_KERNEL;
	struct tm_piece p = { .id.rank = 0 };
	struct tm_batch b = { .kind = kind, .n = 1, .names = &names };

	start *= 1000;
	end *= 1000;
	b.has = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_DOMAIN) | TM_EV_BIT(TM_EVC_START) |
	        TM_EV_BIT(TM_EVC_END) | TM_EV_BIT(TM_EVC_CORR) | TM_EV_BIT(TM_EVC_PID);
	b.has |= kind == TM_EV_API ? TM_EV_BIT(TM_EVC_TID)
	                           : TM_EV_BIT(TM_EVC_STREAM) | TM_EV_BIT(TM_EVC_AGENT);
	b.some = b.has;
	b.col[TM_EVC_NAME] = &id;
	b.col[TM_EVC_DOMAIN] = &domain;
	b.col[TM_EVC_START] = &start;
	b.col[TM_EVC_END] = &end;
	b.col[TM_EVC_CORR] = &corr;
	b.col[TM_EVC_PID] = &pid;
	b.col[TM_EVC_TID] = b.col[TM_EVC_STREAM] = &place;
	b.col[TM_EVC_AGENT] = &agent;
	CHECK(tm_replay_rows_piece(rows, &p));
	CHECK(tm_replay_rows_take(rows, &b));
	tm_names_fini(&names);
}

/* Two kernels, each awaited: launch 5 us, latency 4, kernel 20, return 6, gap of the host 3. */
static void two_waits(struct tm_replay_rows *rows)
{
	CHECK(tm_replay_rows_init(rows, &opts));
	add(rows, TM_EV_API, "hipLaunchKernel", 0, 5, 1, 7);
	add(rows, TM_EV_DISPATCH, "a", 9, 29, 1, 0);
	add(rows, TM_EV_API, "hipStreamSynchronize", 5, 35, 2, 7);
	add(rows, TM_EV_API, "hipLaunchKernel", 38, 43, 3, 7);
	add(rows, TM_EV_DISPATCH, "b", 47, 67, 3, 0);
	add(rows, TM_EV_API, "hipStreamSynchronize", 43, 73, 4, 7);
}

static struct tm_replay_result run(const struct tm_replay *r, struct tm_replay_scenario s)
{
	struct tm_replay_result out = { 0 };
	struct tm_replay_job job = {
		.replay = r, .scenario = &s, .result = &out, .n = 1, .jobs = 2, .likely = r->likely
	};

	CHECK(tm_replay_run(&job));
	tm_replay_result_fini(&out);
	return out;
}

/* The waits gone, but for the last: the second call starts at 8, its kernel after the first, which
 * ends at 29, plus a gap of 0, 1 or 9 us (nothing ever queued), takes 20, and returns 6 later. */
TEST(waits)
{
	struct tm_replay_rows rows;
	struct tm_replay *r;
	struct tm_replay_scenario s = tm_replay_same();
	struct tm_replay_result out;
	uint8_t set[8] = { 0 };

	two_waits(&rows);
	r = tm_replay_new(&rows, TM_REPLAY_ANY_JOB, 1);
	CHECK(r != NULL);
	if (!r)
		return;
	out = run(r, s);
	for (int g = 0; g < TM_REPLAY_PASSES; g++) {
		CHECK(out.identical[g]);
		CHECK_U64(out.total[g], 73000);
	}
	for (uint32_t i = 0; i < rows.names.n; i++)
		set[i] = !strcmp(rows.names.v[i].text, "hipStreamSynchronize");
	s.nosync = set;
	out = run(r, s);
	CHECK_U64(out.total[0], 29000 + 20000 + 6000);
	CHECK_U64(out.total[1], 29000 + 1000 + 20000 + 6000);
	CHECK_U64(out.total[2], 29000 + 9000 + 20000 + 6000);
	CHECK(!out.identical[1]);
	tm_replay_free(r);
	tm_replay_rows_fini(&rows);
}

/* Kernels of no length: 20 us less each.  Twice as long: 20 more. */
TEST(kernels)
{
	struct tm_replay_rows rows;
	struct tm_replay_scale scale = { .name = TM_REPLAY_NONE };
	struct tm_replay_scenario s = tm_replay_same();
	struct tm_replay_result out;
	struct tm_replay *r;

	two_waits(&rows);
	r = tm_replay_new(&rows, TM_REPLAY_ANY_JOB, 1);
	CHECK(r != NULL);
	if (!r)
		return;
	s.scale = &scale;
	s.nscale = 1;
	out = run(r, s);
	CHECK_U64(out.total[1], 33000);
	scale.factor = 2 * TM_REPLAY_UNIT;
	out = run(r, s);
	CHECK_U64(out.total[0], 113000);
	CHECK_U64(out.total[2], 113000);
	scale.factor = 500001; /* 20000 x 0.500001 = 10000.02, rounded down */
	out = run(r, s);
	CHECK_U64(out.total[1], 53000);
	tm_replay_free(r);
	tm_replay_rows_fini(&rows);
}

static uint64_t next(uint64_t *seed, uint64_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % below;
}

/* Kernels one after the other on each of up to three agents, some of a collective where there is
 * one agent; where they are not `apart`, the second of one touches the first. */
static struct tm_replay *line_of(struct tm_replay_rows *rows, int round, bool apart,
                                 enum tm_replay_for what)
{
	const int agents = 1 + round / 2 % 3;
	const char *const names[] = { "a", "b", agents > 1 ? "c" : "ncclDevKernel_Generic" };
	uint64_t seed = (uint64_t)round, at[3] = { 5, 9, 2 };

	CHECK(tm_replay_rows_init(rows, &opts));
	for (int i = 0; i < 2 * agents + round; i++) {
		const uint64_t gap = round % 2 ? next(&seed, 5000) : next(&seed, 3),
		               ns = 1 + next(&seed, 40);
		const int on = i % agents;

		agent = 4 + (uint64_t)on;
		add(rows, TM_EV_DISPATCH, names[next(&seed, 3)], at[on], at[on] + ns, 0, 0);
		at[on] += ns + (!apart && !i ? 0 : gap + 1);
	}
	agent = 4;
	CHECK(tm_replay_rows_borrow(rows));
	return tm_replay_new(rows, what, 1);
}

/* Two of the same rows, with a graph and without, say the same of scenarios. */
static void compare(struct tm_replay *with, struct tm_replay *without)
{
	struct tm_replay_scale scale[2] = { { .factor = 500001 }, { .factor = 3000000 } };

	CHECK(with->lo == without->lo && with->hi == without->hi);
	CHECK_U64(with->counts.kernels, without->counts.kernels);
	CHECK_U64(with->counts.uncalled_kernels, without->counts.uncalled_kernels);
	CHECK_U64(with->counts.assumed, without->counts.assumed);
	CHECK_U64(with->counts.comm_ops, without->counts.comm_ops);
	CHECK_U64(with->counts.comm_ranks, without->counts.comm_ranks);
	for (int k = 0; k < 6; k++) {
		struct tm_replay_scenario s = tm_replay_same();
		struct tm_replay_result whole, total;

		scale[0].name = k == 1 ? 0 : TM_REPLAY_NONE;
		scale[1].name = 1;
		s.scale = scale;
		s.nscale = k < 3 ? (size_t)k : 0;
		s.blind = k == 3;
		s.comm = k == 4 ? 700000 : k == 5 ? 1500000 : TM_REPLAY_UNIT;
		whole = run(with, s);
		total = run(without, s);
		CHECK_U64(total.total[1], whole.total[1]);
		CHECK(total.identical[1] == whole.identical[1]);
	}
}

/* Their totals are found without a graph: as with one. */
TEST(line)
{
	for (int round = 0; round < 60; round++) {
		const bool apart = round % 3 != 0;
		struct tm_replay_rows rows[2];
		struct tm_replay *with = line_of(&rows[0], round, apart, TM_REPLAY_LIKELY_JOBS),
		                 *without = line_of(&rows[1], round, apart, TM_REPLAY_TOTALS);

		CHECK(with && !with->line && without && without->line == apart);
		if (with && without)
			compare(with, without);
		for (int i = 0; i < 2; i++) {
			tm_replay_free(i ? with : without);
			tm_replay_rows_fini(&rows[i]);
		}
	}
}

/* Kernels of two to five streams of one or two agents: at any time, or each after one of another
 * stream; some end or begin together.  Where they are not `apart`, the second of one touches the
 * first. */
static struct tm_replay *weave_of(struct tm_replay_rows *rows, int round, bool apart,
                                  enum tm_replay_for what)
{
	enum { MOST = 5 };
	const uint64_t streams = 2 + (uint64_t)round / 4 % 4;
	const int agents = 1 + round / 2 % 2, n = round % 9 ? 10 + 3 * round : 600;
	const char *const names[] = { "a", "b", agents > 1 ? "c" : "ncclDevKernel_Generic" };
	uint64_t seed = (uint64_t)round, free[MOST] = { 0 }, last = 10;

	CHECK(tm_replay_rows_init(rows, &opts));
	for (int i = 0; i < n; i++) {
		const uint64_t on = !apart && i < 2 ? 0 : next(&seed, streams),
		               ns = 1 + next(&seed, 30);
		uint64_t at = free[on] + next(&seed, 4) * next(&seed, 8);

		if (next(&seed, 3) > (uint64_t)round % 3)
			at = last > at ? last + next(&seed, 3) : at;
		if (!apart && i == 1)
			at = free[on] - 1;
		agent = 4 + (agents > 1 ? on % 2 : 0);
		add(rows, TM_EV_DISPATCH, names[next(&seed, 3)], at, at + ns, 0, on);
		free[on] = at + ns + 1;
		last = at + ns > last ? at + ns : last;
	}
	agent = 4;
	CHECK(tm_replay_rows_borrow(rows));
	return tm_replay_new(rows, what, 1);
}

/* The same of several queues. */
TEST(weave)
{
	unsigned woven = 0;

	for (int round = 0; round < 120; round++) {
		const bool apart = round % 5 != 0;
		struct tm_replay_rows rows[2];
		struct tm_replay *with = weave_of(&rows[0], round, apart, TM_REPLAY_LIKELY_JOBS),
		                 *without = weave_of(&rows[1], round, apart, TM_REPLAY_TOTALS);

		CHECK(with && !with->weave && without);
		/* Where one stream or agent has no kernel it may be a line. */
		CHECK(without && (without->weave || without->line) == apart);
		woven += without && without->weave;
		if (with && without)
			compare(with, without);
		for (int i = 0; i < 2; i++) {
			tm_replay_free(i ? with : without);
			tm_replay_rows_fini(&rows[i]);
		}
	}
	CHECK(woven > 60);
}

TEST(path)
{
	static const enum tm_replay_piece_kind want[] = { TM_REPLAY_HOST_CALL, TM_REPLAY_LAUNCH,
		                                          TM_REPLAY_GPU,       TM_REPLAY_RETURN,
		                                          TM_REPLAY_HOST_GAP,  TM_REPLAY_HOST_CALL,
		                                          TM_REPLAY_LAUNCH,    TM_REPLAY_GPU,
		                                          TM_REPLAY_RETURN };
	static const uint64_t ns[] = { 5000, 4000, 20000, 6000, 3000, 5000, 4000, 20000, 6000 };
	struct tm_replay_rows rows;
	struct tm_replay *r;
	uint64_t at = 0;

	two_waits(&rows);
	r = tm_replay_new(&rows, TM_REPLAY_ANY_JOB, 1);
	CHECK(r != NULL);
	if (!r)
		return;
	for (int g = 0; g < TM_REPLAY_LEVELS; g++) {
		struct tm_replay_path p = { 0 };

		CHECK(tm_replay_path(r, g, &p));
		CHECK_U64(p.n, 9);
		at = 0;
		for (size_t i = 0; i < p.n && i < 9; i++) {
			CHECK(p.v[i].kind == want[i]);
			CHECK_U64(p.v[i].start, at);
			CHECK_U64(p.v[i].end - p.v[i].start, ns[i]);
			at = p.v[i].end;
		}
		CHECK_U64(at, 73000);
		free(p.v);
	}
	tm_replay_free(r);
	tm_replay_rows_fini(&rows);
}

/* Two kernels, 20 us of 30 side by side.  If they take turns each takes 20 alone; with the first
 * half as long it is through when the second begins, and neither is slower than alone. */
TEST(share)
{
	const uint64_t start[] = { 0, 10000 };
	uint64_t ns[] = { 15000, 30000 };
	struct tm_replay_rows rows;
	struct tm_replay *r;
	struct share_machine *m;
	struct share s;

	CHECK(tm_replay_rows_init(&rows, &opts));
	add(&rows, TM_EV_DISPATCH, "a", 0, 30, 1, 0);
	add(&rows, TM_EV_DISPATCH, "b", 10, 40, 2, 1);
	r = tm_replay_new(&rows, TM_REPLAY_ANY_JOB, 1);
	CHECK(r != NULL);
	if (!r)
		return;
	CHECK(tm_share_make(&s, r->rank[0], false));
	CHECK_U64(s.n, 1);
	/* One run of each tells nothing. */
	CHECK(s.is[SHARE_USUAL].s <= 0 && s.is[SHARE_LOW].s <= 0 && s.is[SHARE_HIGH].s >= 1);
	m = tm_share_machine_new(r);
	CHECK(m != NULL);
	if (m)
		tm_share_lengths(&s, SHARE_HIGH, m, start, ns);
	tm_share_machine_free(m);
	CHECK_U64(ns[0], 10000);
	CHECK_U64(ns[1], 20000);
	tm_share_fini(&s);
	tm_replay_free(r);
	tm_replay_rows_fini(&rows);
}

/* How likely v[0..6) are, in three groups. */
static double likely(const double *v, bool shapes)
{
	static const uint32_t of[] = { 0, 1, 0, 2, 1, 1 };
	struct spread s;
	double x[6], l = NAN;

	if (tm_spread_init(&s, of, 6, 3, shapes)) {
		for (int i = 0; i < 6; i++)
			x[s.to[i]] = v[i];
		l = tm_spread_likely(&s, x);
	}
	tm_spread_fini(&s);
	return l;
}

/* Values of three groups, the last by itself, which says nothing.  Means are 0.1 and 5, squares add
 * up to 0.02 and 0.14, of 3 values more than groups.  Wherever the groups are, values are as
 * likely; twice as far apart each of the 3 is half as likely. */
TEST(spread)
{
	const double v[] = { 0, 5.2, 0.2, 9, 4.7, 5.1 }, moved[] = { 1, 3.2, 1.2, -7, 2.7, 3.1 },
	             twice[] = { 0, 10.4, 0.4, 18, 9.4, 10.2 };

	CHECK(fabs(likely(v, false) + 1.5 * log(0.16 / 3)) < 1e-9);
	for (int shapes = 0; shapes < 2; shapes++) {
		CHECK(fabs(likely(moved, shapes) - likely(v, shapes)) < 1e-9);
		CHECK(fabs(likely(twice, shapes) - likely(v, shapes) + 3 * log(2)) < 1e-9);
	}
}

/* ---- one and several at once ---- */

static uint64_t drawn(uint64_t *seed, uint64_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*seed >> 33) % below;
}

/* Calls of two threads that launch kernels and copies on four streams, wait for all and for one of
 * them and for events, and let streams wait. */
static void any_rows(struct tm_replay_rows *rows, uint64_t seed)
{
	static const char *const calls[] = { "hipLaunchKernel",      "hipLaunchKernel",
		                             "hipLaunchKernel",      "hipGraphLaunch",
		                             "hipEventRecord",       "hipStreamWaitEvent",
		                             "hipEventSynchronize",  "hipStreamSynchronize",
		                             "hipDeviceSynchronize", "hipMemcpyAsync" };
	static const char *const kernels[] = { "Cijk_Ailk_gemm", "softmax", "layer_norm" };
	uint64_t t[2] = { drawn(&seed, 50), 20 }, busy[4] = { 0 }, corr = 1, last = 0;
	bool laneless = drawn(&seed, 4) == 0;

	CHECK(tm_replay_rows_init(rows, &opts));
	for (int i = 0; i < 3000; i++, corr++) {
		uint64_t thread = drawn(&seed, 4) == 0, what = drawn(&seed, 10), start = t[thread],
		         stream = drawn(&seed, 4), end = start + 1 + drawn(&seed, 12);
		uint64_t begin = end + drawn(&seed, 6), left = 1 + 2 * (what == 3);

		for (; (what < 4 || what == 9) && left; left--) {
			if (!laneless && begin < busy[stream])
				begin = busy[stream] + drawn(&seed, 3);
			busy[stream] = begin + drawn(&seed, 40);
			last = busy[stream] > last ? busy[stream] : last;
			add(rows, what == 9 ? TM_EV_COPY : TM_EV_DISPATCH,
			    what == 9 ? "host_to_device" : kernels[drawn(&seed, 3)], begin,
			    busy[stream], drawn(&seed, 20) ? corr : 0, stream);
			stream = what == 3 ? (stream + 1) % 4 : stream;
		}
		if (what == 8 && last > end)
			end = last + 4;
		if ((what == 6 || what == 7) && busy[stream] > end)
			end = busy[stream] + 4;
		add(rows, TM_EV_API, calls[what], start, end, corr, 7 + thread);
		t[thread] = end + (drawn(&seed, 50) ? drawn(&seed, 5) : 300);
	}
}

enum { ANY = 11 };

/* One that makes no kernel there is longer is as without: but it is not one of several. */
static void compare_all(const struct tm_replay *r, const struct tm_replay_scenario *s,
                        struct tm_replay_scale *longer)
{
	static const struct tm_replay_mark marks[] = { { .at = 1500000 },
		                                       { .at = 4000000, .gpu = true } };
	struct tm_replay_result all[ANY] = { 0 };
	struct tm_replay_job job = { .replay = r,
		                     .scenario = s,
		                     .result = all,
		                     .n = ANY,
		                     .mark = marks,
		                     .nmark = 2,
		                     .jobs = 1 };

	CHECK(tm_replay_run(&job));
	for (size_t i = 0; i < ANY; i++) {
		struct tm_replay_scenario alone = s[i];
		struct tm_replay_result one = { 0 };

		longer[0] = s[i].nscale ? s[i].scale[0] : longer[1];
		alone.scale = longer;
		alone.nscale = 2;
		job.scenario = &alone;
		job.result = &one;
		job.n = 1;
		CHECK(tm_replay_run(&job));
		for (int g = 0; g < TM_REPLAY_PASSES; g++) {
			CHECK_U64(all[i].total[g], one.total[g]);
			CHECK_U64(all[i].last[g][0], one.last[g][0]);
			CHECK_U64(all[i].mark[g][0], one.mark[g][0]);
			CHECK_U64(all[i].mark[g][1], one.mark[g][1]);
			CHECK(all[i].identical[g] == one.identical[g]);
		}
		tm_replay_result_fini(&one);
		tm_replay_result_fini(&all[i]);
	}
}

TEST(several)
{
	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct tm_replay_rows rows;
		struct tm_replay_scenario s[ANY];
		struct tm_replay_scale half[3],
		        longer[2] = { { .name = TM_REPLAY_NONE - 1, .factor = 2 * TM_REPLAY_UNIT },
			              { .name = TM_REPLAY_NONE - 1,
			                .factor = 2 * TM_REPLAY_UNIT } };
		struct tm_replay *r;
		uint8_t *set;

		any_rows(&rows, seed);
		set = calloc((size_t)rows.names.n + 1, 1);
		r = tm_replay_new(&rows, TM_REPLAY_ANY_JOB, 1);
		CHECK(set && r);
		for (uint32_t i = 0; set && i < rows.names.n; i++)
			set[i] = strstr(rows.names.v[i].text, "Synchronize") != NULL;
		for (int i = 0; i < ANY; i++)
			s[i] = tm_replay_same();
		s[1].launch = 0;
		s[2].nosync = set;
		s[3].host = TM_REPLAY_UNIT / 2;
		s[4].copy = 0;
		s[5].blind = true;
		for (uint32_t i = 0; i < 3; i++) {
			half[i] = (struct tm_replay_scale) { .factor = i * 300000, .name = i };
			half[i].name = tm_names_find(&rows.names, i ? "softmax" : "Cijk_Ailk_gemm",
			                             i ? 7 : 14);
			s[6 + i].scale = &half[i];
			s[6 + i].nscale = 1;
		}
		s[9] = s[1];
		s[9].nosync = set;
		s[9].host = 0;
		s[10].launch = TM_REPLAY_UNIT / 3;
		if (set && r)
			compare_all(r, s, longer);
		free(set);
		tm_replay_free(r);
		tm_replay_rows_fini(&rows);
	}
}

int main(void)
{
	static const struct test_case tests[] = { T(waits), T(kernels), T(line),   T(weave),
		                                  T(path),  T(share),   T(spread), T(several) };
	struct tm_classes *c = tm_classes_builtin(NULL);
	int status;

	opts.classes = c;
	opts.plain_window = (struct tm_extent) { 0, UINT64_MAX };
	if (!c)
		return 1;
	status = test_run(tests, sizeof tests / sizeof *tests);

	tm_classes_free(c);
	return status;
}
