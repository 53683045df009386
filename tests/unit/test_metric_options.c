/* SPDX-License-Identifier: MIT
 * The options of metrics: each row lies in the struct of its metric, has what its type needs, and
 * all of a metric fit where the tools keep them. */
#include "test.h"

#include "cli/cli.h"

#include <string.h>

/* Bytes that an option of this type writes. */
static size_t width(enum tm_metric_option_type type)
{
	switch (type) {
	case TM_METRIC_FLAG:
		return sizeof(bool);
	case TM_METRIC_TEXT:
	case TM_METRIC_CHOICE:
		return sizeof(const char *);
	default:
		return sizeof(uint64_t);
	}
}

TEST(rows)
{
	for (size_t i = 0; tm_metrics[i]; i++) {
		const struct tm_metric *m = tm_metrics[i];
		size_t n = 2, views = 0; /* --name, --domain */
		bool own = m->options || m->operand;

		CHECK(m->own <= STATS_OWN);
		for (const struct tm_metric_option *o = m->options; o && o->name; o++, n++) {
			uint64_t v;

			CHECK(o->at + width(o->type) <= m->own);
			CHECK(!o->arg == (o->type == TM_METRIC_FLAG));
			CHECK(!o->choices == (o->type != TM_METRIC_CHOICE));
			CHECK(!o->dflt || (o->type == TM_METRIC_U64 &&
			                   tm_num_u64(o->dflt, strlen(o->dflt), &v)));
		}
		for (; m->views[views].columns; views++) {
			const struct tm_metric_option *o = m->views[views].value;

			CHECK(!o || ((o->type == TM_METRIC_TEXT || o->type == TM_METRIC_CHOICE) &&
			             o->at + width(o->type) <= m->own));
			CHECK(!o || !strcmp(o->name, m->views[views].option));
			own |= o != NULL;
		}
		if (m->operand) {
			CHECK(m->operand->type == TM_METRIC_TEXT && m->understood);
			CHECK(m->operand->at + width(TM_METRIC_TEXT) <= m->own);
		}
		CHECK(!m->own == !own);
		CHECK(views <= STATS_VIEWS);
		CHECK(n + views < STATS_OPTIONS);
	}
}

struct own {
	bool flag;
	uint64_t usual, none, bound;
	const char *text;
};

/* What was not given is what the row says, or absent; limits alone leave the others. */
TEST(defaults)
{
	static const struct tm_metric_option options[] = {
		{ .name = "flag", TM_METRIC_TO_FLAG(struct own, flag) },
		{ .name = "usual", TM_METRIC_TO_U64(struct own, usual), .dflt = "10" },
		{ .name = "none", TM_METRIC_TO_U64(struct own, none) },
		{ .name = "bound", TM_METRIC_TO_FIXED(struct own, bound), .limit = true },
		{ .name = "text", TM_METRIC_TO_TEXT(struct own, text) },
		{ 0 },
	};
	static const struct tm_metric m = { .options = options, .own = sizeof(struct own) };
	struct own own = { 0 };

	tm_metric_defaults(&m, &own, false);
	CHECK(!own.flag && own.usual == 10 && own.none == UINT64_MAX && own.bound == UINT64_MAX &&
	      !own.text);
	own = (struct own) { true, 1, 2, 3, "x" };
	tm_metric_defaults(&m, &own, true);
	CHECK(own.flag && own.usual == 1 && own.none == 2 && own.bound == UINT64_MAX && own.text);
}

TEST_MAIN(T(rows), T(defaults))
