/* SPDX-License-Identifier: MIT
 * Which process it is: the rules, by runs and rows that name one. */
#include "stream/stream.h"

#include "test.h"

enum { A = 4242, B = 78 };

/* A run of rank 3, and the processes that its rows name; 0 = none. */
struct run {
	const char *text;
	bool given;
	uint64_t pid[2];
	/* what is expected */
	bool known;
	uint64_t id;
};

/* All runs in that order, or the other way round. */
static void check_runs(const struct run *v, size_t n, bool back)
{
	struct tm_processes *all = tm_processes_new();
	struct tm_whose w = { 0 };
	struct tm_piece piece = { .processes = all };
	uint32_t number[8];

	CHECK(all && n <= 8);
	for (size_t k = 0; k < n; k++) {
		size_t i = back ? n - 1 - k : k;

		CHECK(tm_processes_run(all, 3, v[i].text, v[i].given, &number[i]));
		/* Runs of other ranks are of others. */
		CHECK(tm_processes_run(all, 2, v[i].text, v[i].given, &piece.process));
		for (int p = 0; p < 2; p++)
			CHECK(!v[i].pid[p] || (tm_processes_note(all, number[i], v[i].pid[p]) &&
			                       tm_processes_note(all, number[i], v[i].pid[p])));
	}
	tm_whose_piece(&w, &piece);
	CHECK(tm_whose_settle(&w) && tm_whose_settle(&w));
	for (size_t i = 0; i < n; i++) {
		bool has = false;
		uint64_t pid = number[i];

		tm_whose_tell(&w, &has, &pid);
		CHECK(has == v[i].known);
		CHECK_U64(pid, v[i].id);
	}
	tm_whose_fini(&w);
	tm_processes_free(all);
}

static void check_both(const struct run *v, size_t n)
{
	check_runs(v, n, false);
	check_runs(v, n, true);
}

TEST(rows)
{
	/* A run without a name comes first. */
	static const struct run v[] = { { "h:/d/a_", false, { A, 0 }, true, A },
		                        { "h:/d/b_", false, { 0 }, false, 2 },
		                        { "h:/d/c_", false, { A, B }, false, 3 },
		                        { NULL, false, { B, 0 }, true, B } };

	check_both(v, 4);
}

TEST(numbers)
{
	/* By text: 4242_, 78_, 9_z_, x_. */
	static const struct run right[] = { { "/d/4242_", false, { A, 0 }, true, A },
		                            { "/d/78_", false, { 0 }, true, B },
		                            { "/d/x_", false, { 0 }, false, 3 },
		                            { "/d/9_z_", false, { 0 }, false, 2 } };
	static const struct run wrong[] = { { "/d/1_", false, { A, 0 }, true, A },
		                            { "/d/2_", false, { 0 }, false, 1 },
		                            { "/d/4242_", false, { A, 0 }, true, A } };
	static const struct run alone[] = { { "/d/1_", false, { 0 }, false, 0 },
		                            { "/d/h_", false, { A, 0 }, true, A } };

	check_both(right, 4);
	check_both(wrong, 3);
	check_both(alone, 2);
}

TEST(given)
{
	static const struct run one[] = { { "/d/a_", true, { A, 0 }, true, A },
		                          { "/d/b_", true, { 0 }, true, A },
		                          { "/d/c_", false, { 0 }, false, 2 } };
	static const struct run none[] = { { "/d/a_", false, { 0 }, false, 0 },
		                           { "/d/b_", true, { 0 }, false, 1 },
		                           { "/d/c_", true, { 0 }, false, 1 } };
	static const struct run several[] = { { "/d/a_", true, { A, 0 }, true, A },
		                              { "/d/b_", true, { B, 0 }, true, B },
		                              { "/d/c_", true, { 0 }, false, 2 } };

	check_both(one, 3);
	check_both(none, 3);
	check_both(several, 3);
}

TEST(whose)
{
	struct tm_processes *all = tm_processes_new();
	struct tm_whose w = { 0 };
	struct tm_piece piece = { .processes = all };
	struct tm_processes_seen seen = { 0 };
	uint32_t x, y;

	CHECK(all && tm_processes_run(all, 0, "x", false, &x) && tm_processes_note(all, x, A) &&
	      tm_processes_note(all, x, B));
	tm_whose_piece(&w, &piece);
	CHECK(tm_whose_settle(&w));
	CHECK(tm_process_of(&w, 0, &seen, true, A) == TM_PROCESS_NONE);
	tm_processes_see(&seen, true, A);
	tm_processes_see(&seen, true, A);
	CHECK(!seen.several);
	CHECK(tm_process_of(&w, 0, &seen, true, A) == TM_PROCESS_ANY);
	CHECK(tm_process_of(&w, 0, &seen, true, B) == TM_PROCESS_NONE);
	CHECK(tm_process_of(&w, 0, &seen, false, 0) == TM_PROCESS_ANY);
	tm_processes_see(&seen, true, B);
	CHECK(tm_process_of(&w, 0, &seen, true, A) == TM_PROCESS_OWN);
	/* One run: nothing tells its processes apart. */
	CHECK(tm_process_of(&w, 0, &seen, false, 0) == TM_PROCESS_ANY);
	CHECK(tm_processes_run(all, 0, "y", false, &y) && tm_whose_settle(&w));
	CHECK(tm_process_of(&w, 0, &seen, false, 0) == TM_PROCESS_OWN);
	CHECK(tm_process_same(&w, 0, false, 0, true, A));
	CHECK(tm_process_same(&w, 0, true, B, false, 0));
	CHECK(!tm_process_same(&w, 0, false, 1, true, A));
	CHECK(!tm_process_same(&w, 0, true, A, true, B));
	CHECK(tm_process_same(&w, 0, false, 1, false, 1));
	tm_whose_fini(&w);
	tm_processes_free(all);
}

TEST_MAIN(T(rows), T(numbers), T(given), T(whose))
