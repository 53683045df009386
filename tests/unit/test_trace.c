/* SPDX-License-Identifier: MIT
 * Which trace it is. */
#include "model/trace.h"

#include "test.h"

/* run.db keeps these words: they stay, whatever becomes of the numbers. */
TEST(rule_words)
{
	static const char *const words[] = { "given", "regex",       "trace",
		                             "path",  "environment", "order" };
	enum tm_rank_rule rule = TM_RANK_RULES;

	CHECK_U64(TM_RANK_RULES, sizeof words / sizeof *words);
	for (unsigned i = 0; i < TM_RANK_RULES; i++) {
		CHECK_STR(tm_rank_rule_text((enum tm_rank_rule)i), words[i]);
		CHECK(tm_rank_rule_find(words[i], &rule));
		CHECK_U64(rule, i);
	}
	CHECK(!tm_rank_rule_find("", &rule) && !tm_rank_rule_find("orders", &rule));
}

/* A copy outlives what it was made of, and learns at the end what only then is sure. */
TEST(copy)
{
	char path[] = "p", producer[] = "maybe";
	struct tm_trace_id from = { .path = path,
		                    .run = "r",
		                    .rank = 7,
		                    .rule = TM_RANK_PATH,
		                    .format = "f",
		                    .table = "t",
		                    .producer = producer,
		                    .bytes = 5 };
	struct tm_trace_id to;

	CHECK(tm_trace_id_copy(&to, &from));
	*path = *producer = 'x';
	CHECK_STR(to.path, "p");
	CHECK_STR(to.producer, "maybe");
	CHECK(!to.own_run && !to.clock && !to.host);
	CHECK(to.rank == 7 && to.rule == TM_RANK_PATH && to.bytes == 5);
	from.producer = NULL;
	from.clock = "boottime";
	from.host = "node1";
	from.rank = 8;
	tm_realtime_add(&from.realtime, 10, 4);
	CHECK(tm_trace_id_learn(&to, &from));
	CHECK(!to.producer && to.rank == 7);
	CHECK_STR(to.path, "p");
	CHECK_STR(to.clock, "boottime");
	CHECK_STR(to.host, "node1");
	CHECK_U64(tm_realtime_middle(&to.realtime), 6);
	tm_trace_id_fini(&to);
	CHECK(!to.path && !to.rank);
	tm_trace_id_fini(&to);
}

TEST_MAIN(T(rule_words), T(copy))
