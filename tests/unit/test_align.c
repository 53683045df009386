/* SPDX-License-Identifier: MIT
 * Clocks of ranks: offsets and residuals worked out by hand. */
#include "tests/unit/test.h"

#include "merge/align.h"

#include <sqlite3.h>
#include <unistd.h>

static char path[64];
static struct tm_store *store;
static struct tm_names names;
static struct tm_align_input input[8];
static size_t ninputs;
static struct tm_diag d;
static uint32_t comm = TM_NAME_NONE; /* of the collectives of the next input */

static void begin(void)
{
	int fd;

	snprintf(path, sizeof path, "/tmp/test_align-XXXXXX");
	fd = mkstemp(path);
	CHECK(fd >= 0 && !close(fd));
	d = (struct tm_diag) { 0 };
	store = tm_store_create(path, false, false, &d);
	CHECK(store != NULL);
	ninputs = 0;
	tm_names_add(&names, "b", 1);
	tm_names_add(&names, "a", 1);
}

static void end(void)
{
	tm_store_close(store);
	tm_names_fini(&names);
	unlink(path);
}

/* An input whose collectives end at ends[0 .. n), 200 ns after they began, names in turn a, b. */
static struct tm_align_input *add(uint64_t rank, const char *clock, const uint64_t *ends, size_t n)
{
	const struct tm_piece p = { .id.path = "p",
		                    .id.run = "r",
		                    .id.rank = rank,
		                    .id.format = "f",
		                    .id.table = "t",
		                    .id.clock = clock };
	const struct tm_loss loss = { 0 };
	const struct tm_store_end e = { .of = &p, .loss = &loss };
	struct tm_align_input *in = &input[ninputs++];

	CHECK(tm_store_input(store, &p, &d) == TM_ST_OK);
	for (size_t i = 0; i < n; i++) {
		const struct tm_store_collective c = { .name = (uint32_t)i % 2,
			                               .comm = comm,
			                               .agent = 0,
			                               .seq = UINT64_MAX,
			                               .start_ns = ends[i] - 200,
			                               .end_ns = ends[i] };

		CHECK(tm_store_collective(store, &c, &d) == TM_ST_OK);
	}
	CHECK(tm_store_input_end(store, &e, &d) == TM_ST_OK);
	*in = (struct tm_align_input) {
		.input = ninputs, .id.rank = rank, .timed = true, .last_ns = 10000, .collectives = n
	};
	in->id.path = path;
	if (clock)
		memcpy(&in->id.clock, &clock, sizeof clock);
	return in;
}

/* "method offset residual" of every input, in one line. */
static const char *rows(void)
{
	static char text[512];
	sqlite3_stmt *st = NULL;
	sqlite3 *db = NULL;
	size_t n = 0;

	CHECK(tm_store_finish(store, &names, true, &d) == TM_ST_OK);
	tm_store_close(store); /* its lock */
	store = NULL;
	CHECK(sqlite3_open(path, &db) == SQLITE_OK);
	CHECK(sqlite3_prepare_v2(db,
	                         "SELECT method || ' ' || offset_ns || ' ' || "
	                         "coalesce(residual_ns, '-') FROM clock ORDER BY input",
	                         -1, &st, NULL) == SQLITE_OK);
	*text = '\0';
	while (sqlite3_step(st) == SQLITE_ROW)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "",
		                      (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	sqlite3_close(db);
	return text;
}

static enum tm_status align(enum tm_align_how how, struct tm_align_done *done)
{
	const struct tm_align_facts f = { .v = input, .n = ninputs, .names = &names };

	return tm_align_inputs(how, &f, store, done, &d);
}

/* Rank 4 is read before rank 2, which is the one to compare with.
 * Ends of rank 2 less those of rank 4, sorted: 90 94 98 100 102 104 106 190: the middle is between
 * 100 and 102.  From 101 they are 11 7 3 1 1 3 5 89, sorted 1 1 3 3 5 7 11 89, the middle 4, so
 * that 89 is an outlier, being past 6 * 4 + 1.  The mean of the others is 99 1/7; from 99 they are
 * 9 5 1 1 3 5 7 91, the middle 5. A deviation of one is sqrt(189.7 / 5) = 6, less than 5 + 5 / 2 =
 * 7; three of their mean sqrt(63), up: 8. So 5 and 8 may be left, 2 for the median of all, which is
 * 101, and at time 0 for a drift of 200 ppm at most 1 from the middle at 4500; and 2 more from rank
 * 2 to rank 9, whose times are later. Rank 9 is 50 ahead of rank 2 throughout, so that it is
 * furthest ahead and stays: others come 50 later. */
TEST(collectives)
{
	static const uint64_t four[] = { 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000 },
	                      two[] = { 1100, 2094, 3190, 4098, 5106, 6104, 7090, 8102 };
	uint64_t nine[8];
	struct tm_align_done done;

	for (size_t i = 0; i < 8; i++)
		nine[7 - i] = two[i] + 50;
	/* In the order of their starts, whatever order they come in; the names change places. */
	for (size_t i = 0; i < 8; i += 2) {
		uint64_t t = nine[i];

		nine[i] = nine[i + 1];
		nine[i + 1] = t;
	}
	begin();
	add(4, "boottime", four, 8);
	add(2, NULL, two, 8);
	add(9, NULL, nine, 8);
	add(4, "boottime", NULL, 0); /* another file of rank 4, on its clock */
	add(7, NULL, NULL, 0)->timed = false;
	CHECK(align(TM_ALIGN_AUTO, &done) == TM_ST_OK);
	CHECK(done.how == TM_ALIGN_COLLECTIVES && done.several && done.has_residual);
	CHECK_U64(done.collectives, 8);
	CHECK_U64(done.residual_ns, 18);
	CHECK_STR(rows(), "collectives 149 18, collectives 50 2, collectives 0 0, "
	                  "collectives 149 18, none 0 -");
	end();
}

TEST(collectives_that_do_not_do)
{
	static const uint64_t v[] = { 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000 };
	struct tm_align_done done;

	begin();
	add(0, NULL, v, 9); /* five times b, four times a */
	add(1, NULL, v, 8);
	CHECK(align(TM_ALIGN_COLLECTIVES, &done) == TM_ST_SKIP);
	CHECK_STR(d.text, "--align collectives is not possible: rank 0 has 5 and rank 1 4 of b");
	input[1].collectives = 7;
	CHECK(align(TM_ALIGN_COLLECTIVES, &done) == TM_ST_SKIP);
	CHECK_STR(d.text, "--align collectives is not possible: rank 1 has 7 collectives that "
	                  "ranks end together; alignment needs at least 8");
	CHECK(align(TM_ALIGN_AUTO, &done) == TM_ST_OK);
	CHECK(done.how == TM_ALIGN_NONE && done.several);
	CHECK(strstr(done.why.text, "rank 0 has no snapshot of CLOCK_REALTIME"));
	CHECK_STR(rows(), "none 0 -, none 0 -");
	end();
	/* A file of which nobody knows whether it counts the same clock. */
	begin();
	add(0, NULL, v, 8);
	add(1, "boottime", v, 8);
	add(1, "monotonic", NULL, 0);
	CHECK(align(TM_ALIGN_COLLECTIVES, &done) == TM_ST_SKIP);
	CHECK(strstr(d.text, "rank 1 has inputs on different clocks"));
	end();
	/* None at all. */
	begin();
	add(0, NULL, NULL, 0);
	add(1, NULL, NULL, 0);
	CHECK(align(TM_ALIGN_COLLECTIVES, &done) == TM_ST_SKIP);
	CHECK(strstr(d.text, "rank 0 has 0 collectives that ranks end together; "
	                     "alignment needs at least 8"));
	end();
}

/* CLOCK_REALTIME less the clock: 5000 +- 10, 4000, 7000.  The least is of the clock furthest ahead.
 * That it was read to 10 says nothing of how well the hosts keep it, and nothing else does: what is
 * left is unknown. */
TEST(realtime)
{
	struct tm_align_done done;

	begin();
	add(0, "boottime", NULL, 0)->id.realtime = (struct tm_realtime) { .readings = 2,
		                                                          .low_ns = 4990,
		                                                          .high_ns = 5010 };
	add(1, "boottime", NULL, 0)->id.realtime = (struct tm_realtime) { .readings = 1,
		                                                          .low_ns = 4000,
		                                                          .high_ns = 4000 };
	add(1, "boottime", NULL, 0);
	add(2, NULL, NULL, 0)->id.realtime = (struct tm_realtime) { .readings = 9,
		                                                    .low_ns = 6999,
		                                                    .high_ns = 7001 };
	CHECK(align(TM_ALIGN_REALTIME, &done) == TM_ST_OK);
	CHECK(done.how == TM_ALIGN_REALTIME && !done.has_residual);
	CHECK_STR(rows(), "realtime 1000 -, realtime 0 -, realtime 0 -, realtime 3000 -");
	end();
	begin();
	add(0, NULL, NULL, 0)->id.realtime = (struct tm_realtime) { .readings = 1 };
	add(1, NULL, NULL, 0)->id.realtime = (struct tm_realtime) { .readings = 1,
		                                                    .low_ns = INT64_MAX,
		                                                    .high_ns = INT64_MAX };
	CHECK(align(TM_ALIGN_REALTIME, &done) == TM_ST_SKIP);
	CHECK(strstr(d.text, "rank 1 are centuries away"));
	/* Two traces of different hosts in one file. */
	input[1].id.realtime = (struct tm_realtime) { .readings = 2,
		                                      .low_ns = 1,
		                                      .high_ns = 1000000002 };
	CHECK(align(TM_ALIGN_REALTIME, &done) == TM_ST_SKIP);
	CHECK(strstr(d.text, "rank 1 has snapshots of CLOCK_REALTIME that are seconds apart"));
	/* A rank of its own has nothing to be compared with. */
	input[1].id.rank = 0;
	CHECK(align(TM_ALIGN_REALTIME, &done) == TM_ST_OK && !done.several &&
	      done.how == TM_ALIGN_NONE);
	CHECK_STR(rows(), "none 0 -, none 0 -");
	end();
}

/* Two ranks of one host count one clock, whatever their collectives say: 826000 apart. */
TEST(one_host)
{
	uint64_t far[9], v[9];
	struct tm_align_done done;
	char host[] = "node1", other[] = "node2";

	for (size_t i = 0; i < 9; i++) {
		v[i] = 1000000 * (i + 1) + i * i * 5000;
		far[i] = v[i] + 826000 + i * 20;
	}
	begin();
	add(0, "boottime", v, 9)->id.host = host;
	add(1, "boottime", far, 9)->id.host = host;
	for (enum tm_align_how how = TM_ALIGN_REALTIME; how <= TM_ALIGN_AUTO; how++) {
		CHECK(align(how, &done) == TM_ST_OK && done.how == TM_ALIGN_SHARED);
		CHECK(done.has_residual && !done.residual_ns);
	}
	CHECK_STR(rows(), "shared 0 0, shared 0 0");
	end();
	/* Those of another host move together, as rank 3 says, whatever rank 2 does. */
	begin();
	add(0, "boottime", v, 9)->id.host = host;
	add(1, "boottime", v, 9)->id.host = host;
	add(2, "boottime", NULL, 0)->id.host = other;
	add(3, "boottime", far, 9)->id.host = other;
	input[2].last_ns = 10000000;
	CHECK(align(TM_ALIGN_COLLECTIVES, &done) == TM_ST_OK && done.how == TM_ALIGN_COLLECTIVES);
	/* Their ends are 20 ns further apart each time: a drift, and what is left of rounding. */
	CHECK_STR(rows(), "collectives 826081 3, collectives 826081 3, collectives 0 0, "
	                  "collectives 0 0");
	end();
}

/* Communicators that are named are never compared with others: of rank 1 with rank 0 there is one
 * that both have, and of another name, ends that only look alike. */
TEST(communicators)
{
	uint64_t v[9], w[9];
	struct tm_align_done done;

	for (size_t i = 0; i < 9; i++) {
		v[i] = 1000000 * (i + 1) + i * i * 5000;
		w[i] = v[i] + 5000000;
	}
	begin();
	comm = tm_names_add(&names, "tp", 2);
	add(0, "boottime", v, 9);
	comm = tm_names_add(&names, "dp", 2);
	add(1, "boottime", w, 9);
	CHECK(align(TM_ALIGN_COLLECTIVES, &done) == TM_ST_SKIP);
	CHECK(strstr(d.text, "no collectives connect rank 1 with the others"));
	end();
	begin();
	comm = tm_names_add(&names, "tp", 2);
	add(0, "boottime", v, 3);
	add(1, "boottime", w, 3);
	input[0].collectives = input[1].collectives = 9;
	CHECK(align(TM_ALIGN_COLLECTIVES, &done) == TM_ST_OK && !done.by_order);
	CHECK_U64(done.collectives, 3);
	end();
	comm = TM_NAME_NONE;
}

/* A grid of two tensor groups, ranks 0 and 1, 2 and 3, and two data groups, ranks 0 and 2, 1 and 3,
 * of which nothing names the communicators: of 9 collectives 8 are of the tensor group, at times of
 * its own, and one of the data group.  Rank r is 1000 r ahead, exactly; no two ranks of different
 * tensor groups match as a whole. */
TEST(groups_by_order)
{
	enum { STEPS = 12, N = STEPS * 9 };
	static uint64_t v[4][N];
	uint64_t random = 1, now = 100000000;
	struct tm_align_done done;

	for (size_t step = 0; step < STEPS; step++, now += 20000000)
		for (size_t k = 0; k < 9; k++)
			for (size_t group = 0; group < 2; group++) {
				/* Knuth's constants; up to 1 ms */
				random = random * 6364136223846793005 + 1442695040888963407;
				for (size_t i = 0; i < 2; i++) {
					size_t r = k < 8 ? group * 2 + i : group + i * 2;

					v[r][step * 9 + k] = now + k * 2000000 + (random >> 44) +
					                     r * 1000;
				}
			}
	begin();
	for (uint64_t r = 0; r < 4; r++) {
		struct tm_align_input *in = add(r, NULL, v[r], N);

		in->first_ns = v[r][0];
		in->last_ns = v[r][N - 1];
	}
	CHECK(align(TM_ALIGN_COLLECTIVES, &done) == TM_ST_OK && done.by_order);
	CHECK_STR(rows(), "collectives 3000 3, collectives 2000 4, collectives 1000 1, "
	                  "collectives 0 0");
	end();
}

/* 50 ppm over a minute: 3 ms, which a line takes away. */
TEST(drift)
{
	enum { N = 600 };
	static uint64_t v[N], w[N];
	struct tm_align_done done;

	for (uint64_t i = 0; i < N; i++) {
		uint64_t t = 100000000 * i + i * i % 7919 * 1000;

		v[i] = 3600000000000 + t;
		w[i] = 7000000000 + t + t / 20000;
	}
	begin();
	add(0, "boottime", v, N)->last_ns = v[N - 1];
	add(1, "boottime", w, N)->last_ns = w[N - 1];
	input[0].first_ns = v[0];
	input[1].first_ns = w[0];
	CHECK(align(TM_ALIGN_COLLECTIVES, &done) == TM_ST_OK);
	CHECK(done.residual_ns < 10 && done.rate_rank == 1 && done.parts == TM_ALIGN_PARTS);
	/* -50 ppm and what 1 / (1 + x) has beyond: -879565359 of 2^44. */
	CHECK(done.rate < -879565000 && done.rate > -879565700);
	end();
}

TEST(collective_names)
{
	static const char *const yes[] = {
		"ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)",
		"void ncclSymkDevKernel_AllGather_LL(x) [clone .kd]",
		"ncclKernel_AllReduce_RING_LL_Sum_float",
		"void vllm::cross_device_reduce_2stage<__hip_bfloat16, 8>(vllm::RankData*, int)",
		"void aiter::allreduce_prototype_twoshot<aiter::CodecFP, 8>(x)",
		"c10d::intra_node_comm::twoShotAllReduceKernel<8u>",
		"void quickreduce::allreduce_prototype_twoshot<quickreduce::CodecQ4>(x)"
	};
	static const char *const no[] = {
		"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "Cijk_Ailk_Bljk", ""
	};

	struct tm_classes *c = tm_classes_builtin(&d);

	CHECK(c != NULL);
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
		struct tm_name n = { .text = yes[i], .len = (uint32_t)strlen(yes[i]) };

		CHECK(tm_align_is_collective(c, &n));
	}
	for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
		struct tm_name n = { .text = no[i], .len = (uint32_t)strlen(no[i]) };

		CHECK(!tm_align_is_collective(c, &n));
	}
	tm_classes_free(c);
}

TEST_MAIN(T(collectives), T(collectives_that_do_not_do), T(realtime), T(one_host), T(communicators),
          T(groups_by_order), T(drift), T(collective_names))
