/* SPDX-License-Identifier: MIT
 * From a path to the rank and the run it belongs to. */
#include "stream/rank.h"

#include "test.h"

enum { NONE = -1 };

static void check(const struct tm_rank_regex *re, const char *path, int64_t want,
                  enum tm_rank_rule by)
{
	enum tm_rank_rule rule = TM_RANK_ORDER;
	uint64_t rank = 77;
	bool found = tm_rank_of_path(re, path, &rank, &rule);

	if (found == (want == NONE) || (found && (rank != (uint64_t)want || rule != by))) {
		fprintf(stderr, "%s: %s %" PRIu64 " by rule %d\n", path, found ? "is" : "is none,",
		        rank, (int)rule);
		test_bad++;
	}
}

TEST(from_the_path)
{
	static const struct {
		const char *path;
		int64_t rank;
	} cases[] = {
		{ "rank3/x.csv", 3 },
		{ "out/rank_12/x.csv", 12 },
		{ "out/rank-0/x.csv", 0 },
		{ "out/rank=7/x.csv", 7 },
		{ "out/rank.7/x.csv", 7 },
		{ "RANK5_kernel_trace.csv", 5 },
		{ "out/x_rank5.csv", 5 },
		{ "rank1/rank2.csv", 2 },
		/* As launchers, and people who use them, write it. */
		{ "global_rank2-local_rank0.csv", 2 },
		{ "local_rank0-global_rank2.csv", 2 },
		{ "GlobalRank2_LocalRank0.csv", 2 },
		{ "globalrank-2/localrank-0.csv", 2 },
		{ "rank6/local-rank=2.csv", 6 },
		{ "node_rank1/local_rank2/rank10.csv", 10 },
		{ "OMPI_COMM_WORLD_RANK_5.OMPI_COMM_WORLD_LOCAL_RANK_1.csv", 5 },
		{ "world_size_8_rank_3.csv", 3 },
		{ "mpirank3.csv", 3 },
		{ "tp_rank1-rank5.csv", 5 },
		{ "node12.3.csv", 3 },
		{ "node12.rank3.csv", 3 },
		{ "node-12-rank3.csv", 3 },
		/* Of a part alone: all there is of a job on one node. */
		{ "local_rank3.csv", 3 },
		{ "localrank3.csv", 3 },
		{ "tp-rank-1.csv", 1 },
		{ "local_rank1/local_rank3.csv", 3 },
		/* Two coordinates, of which none is the rank. */
		{ "node_rank1-local_rank3.csv", NONE },
		{ "tp_rank0_pp_rank1.csv", NONE },
		{ "node_rank1-local_rank3.11.csv", 11 },
		/* A word of its own, or none. */
		{ "nonlocal_rank3.csv", 3 },
		{ "xlocalrank3.csv", NONE },
		{ "local/rank3.csv", 3 },
		{ "local_rank.rank3.csv", 3 },
		{ "rank0001/x.csv", 1 },
		{ "a.tar.gz:rank4/x.csv", 4 },
		{ "out/results.3.csv", 3 },
		{ "out/results.3.kernel_trace.csv.gz", 3 },
		{ "out.5.d/results.csv", NONE },
		{ "rank2/results.9.csv", 2 },
		{ "results.123456.csv", NONE },
		{ "results.12345.csv", 12345 },
		{ "results.2024.01.csv", 2024 },
		{ "frank3/x.csv", NONE },
		{ "rankine3/x.csv", NONE },
		{ "rank3b/x.csv", NONE },
		{ "rank/x.csv", NONE },
		{ "rank__3/x.csv", NONE },
		{ "ranks3/x.csv", NONE },
		{ "rank18446744073709551616/x.csv", NONE },
		{ "2117183_kernel_trace.csv", NONE },
		{ "", NONE },
		{ "rank", NONE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check(NULL, cases[i].path, cases[i].rank, TM_RANK_PATH);
}

TEST(from_a_regex)
{
	struct tm_rank_regex re = { 0 };
	struct tm_diag d = { 0 };

	CHECK(tm_rank_regex_init(&re, "node([0-9]+)", &d));
	check(&re, "node4/rank3.csv", 4, TM_RANK_REGEX);
	check(&re, "host4/rank3.csv", 3, TM_RANK_PATH);
	check(&re, "host4/x.csv", NONE, TM_RANK_PATH);
	tm_rank_regex_fini(&re);
	/* The first group that matched; without a group the whole match. */
	CHECK(tm_rank_regex_init(&re, "a([0-9]+)|b([0-9]+)", &d));
	check(&re, "b7", 7, TM_RANK_REGEX);
	tm_rank_regex_fini(&re);
	CHECK(tm_rank_regex_init(&re, "[0-9]+", &d));
	check(&re, "run17.csv", 17, TM_RANK_REGEX);
	tm_rank_regex_fini(&re);
	/* A match that is no number does not count. */
	CHECK(tm_rank_regex_init(&re, "n(.*)x", &d));
	check(&re, "nothing.x", NONE, TM_RANK_PATH);
	check(&re, "n12x", 12, TM_RANK_REGEX);
	tm_rank_regex_fini(&re);
	tm_rank_regex_fini(&re);
	CHECK(!tm_rank_regex_init(&re, "a(", &d));
	CHECK(strstr(d.text, "a("));
	tm_rank_regex_fini(&re);
}

TEST(runs)
{
	/* Each line is one run, by several paths. */
	static const char *const same[][6] = {
		{ "out/2117183_kernel_stats.csv", "out/2117183_hip_api_trace.csv.gz",
		  "out/2117183_memory_copy_trace.csv", "out/2117183_agent_info.csv",
		  "out/2117183_counter_collection.csv", "out/2117183_domain_stats.csv" },
		{ "run_kernel_trace.csv", "run_marker_api_trace.csv",
		  "run_scratch_memory_stats.csv.zst", "run_rccl_api_trace.csv",
		  "run_regions_trace.csv", "run_memory_allocation_trace.csv" },
		{ "d/results_77.csv", "d/hip_api_trace_77.csv", "d/hsa_api_trace_77.csv",
		  "d/hcc_ops_trace_77.csv", "d/async_copy_trace_77.csv", "d/roctx_trace_77.csv" },
		{ "B.csv", "B.stats.csv", "B.hip_stats.csv", "B.hsa_stats.csv", "B.copy_stats.csv",
		  "B.stats.csv.gz" },
		{ "x/kernel_trace.csv", "x/kernel_stats.csv", "x/hip_api_trace.csv",
		  "x/results.csv", "x/results.stats.csv", "x/domain_stats.csv" },
		{ "s/wall_clock-41.txt", "s/wall_clock-41.json", "s/trip_count-41.txt",
		  "s/sampling_wall_clock-41.txt", "s/perfetto-trace-41.proto",
		  "s/cpu_clock-41.txt" },
		{ "s/wall_clock-42.txt", "s/perfetto-trace-42.proto" },
		{ "p/41_hip_api_trace.txt", "p/41_hcc_ops_trace.txt", "p/41_results.txt" },
		{ "p/hip_api_trace.txt", "p/results.db" },
		{ "2117184_kernel_stats.csv" },
		{ "other/2117183_kernel_stats.csv" },
		{ "out/pass_1/2117183_counter_collection.csv" },
		{ "out/pass_2/2117183_counter_collection.csv" },
		{ "a.zip:2117183_kernel_stats.csv" },
	};
	enum { N = sizeof same / sizeof *same };

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			for (int k = 0; k < 6 && same[j][k]; k++) {
				char *a = tm_run_of_path(same[i][0]),
				     *b = tm_run_of_path(same[j][k]);

				if (!a || !b || !strcmp(a, b) != (i == j)) {
					fprintf(stderr, "%s is '%s', %s is '%s'\n", same[i][0], a,
					        same[j][k], b);
					test_bad++;
				}
				free(a);
				free(b);
			}
}

static void check_deal(struct tm_run_ranks *r, const char *run, uint64_t place, uint64_t want,
                       enum tm_rank_rule by)
{
	enum tm_rank_rule rule = TM_RANK_RULES;
	uint64_t rank = 77;

	CHECK(tm_run_ranks_deal(r, run, place, &rank, &rule));
	CHECK_U64(rank, want);
	CHECK_U64(rule, by);
	CHECK(tm_run_ranks_find(r, run, &rank, &rule));
	CHECK_U64(rank, want);
	if (by == TM_RANK_ORDER)
		CHECK_U64(tm_run_ranks_place(r, rank), place);
}

/* 0, 2, 3 and 7 are taken: places 0 ... 4 are 1, 4, 5, 6, 8. */
TEST(dealt)
{
	struct tm_run_ranks r = { 0 };

	CHECK(tm_run_ranks_take(&r, "a", 3, TM_RANK_PATH));
	CHECK(tm_run_ranks_take(&r, "b", 0, TM_RANK_TRACE));
	CHECK(tm_run_ranks_take(&r, "c", 7, TM_RANK_GIVEN));
	CHECK(tm_run_ranks_take(&r, "a", 3, TM_RANK_TRACE));
	CHECK(tm_run_ranks_take(&r, "d", 2, TM_RANK_PATH));
	CHECK(tm_run_ranks_take(&r, "d", 3, TM_RANK_PATH));
	check_deal(&r, "x", 0, 1, TM_RANK_ORDER);
	check_deal(&r, "x", 0, 1, TM_RANK_ORDER);
	check_deal(&r, "y", 1, 4, TM_RANK_ORDER);
	/* Two ranks are none. */
	check_deal(&r, "d", 4, 8, TM_RANK_ORDER);
	CHECK_U64(r.next, 5);
	check_deal(&r, "z", 3, 6, TM_RANK_ORDER);
	CHECK_U64(r.next, 5);
	/* Of two rules the stronger. */
	check_deal(&r, "a", 9, 3, TM_RANK_TRACE);
	check_deal(&r, "c", 9, 7, TM_RANK_GIVEN);
	CHECK_U64(r.next, 5);
	tm_run_ranks_fini(&r);
}

TEST(parts_of_wholes)
{
	CHECK_STR(tm_whole_of_part("d/41_hip_api_trace.txt"), "hip_api_trace.txt");
	CHECK_STR(tm_whole_of_part("41_results.txt"), "results.txt");
	CHECK(!tm_whole_of_part("d/hip_api_trace.txt"));
	CHECK(!tm_whole_of_part("d/x41_hip_api_trace.txt"));
	CHECK(!tm_whole_of_part("41_hip_api_trace.csv"));
	CHECK(!tm_whole_of_part("41_x/hip_api_trace.txt"));
	CHECK(tm_whole_by_name("d/hip_api_trace.txt") && tm_whole_by_name("results.txt"));
	CHECK(!tm_whole_by_name("d/41_hip_api_trace.txt") && !tm_whole_by_name("results.txt/x"));
}

TEST(many_runs)
{
	enum { MANY = 100000 };
	struct tm_run_ranks r = { 0 };
	enum tm_rank_rule rule;
	uint64_t rank;
	char run[32];

	/* Every third number is taken, from the top down, each twice: 0 3 6 ... are gone, place p
	 * is number p + p / 2 + 1. */
	for (uint64_t i = 2 * MANY; i-- > 0;) {
		snprintf(run, sizeof run, "t%" PRIu64, i);
		CHECK(tm_run_ranks_take(&r, run, i / 2 * 3, TM_RANK_PATH));
	}
	for (uint64_t p = 0; p < MANY; p++) {
		snprintf(run, sizeof run, "d%" PRIu64, p);
		CHECK(tm_run_ranks_deal(&r, run, p, &rank, &rule));
		CHECK_U64(rank, p + p / 2 + 1);
		CHECK(rule == TM_RANK_ORDER);
	}
	CHECK_U64(tm_run_ranks_place(&r, 1), 0);
	CHECK_U64(tm_run_ranks_place(&r, MANY / 2 * 3 + 1), MANY);
	tm_run_ranks_fini(&r);
}

TEST_MAIN(T(from_the_path), T(from_a_regex), T(runs), T(dealt), T(parts_of_wholes), T(many_runs))
