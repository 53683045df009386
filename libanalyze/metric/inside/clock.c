/* SPDX-License-Identifier: MIT
 * At what clock did each kernel run, and how much time does that cost?
 *
 * From readings of a sensor in the trace, where only one kernel runs, and from GRBM_GUI_ACTIVE of
 * dispatches that are long enough.  Blind to clocks between readings, and to what the clock is
 * without the counters that were collected. */
#include "metric/inside/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tm_ev_set want(const struct tm_metric_opts *o)
{
	return TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END) |
	       TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE) |
	       (o->view ? tm_shape_want() : tm_counters_want()) | tm_agents_want();
}

static bool init(void *acc, const void *arg)
{
	struct clock *a = acc;

	*a = (struct clock) { .o = arg, .keys = { .words = CLOCK_WORDS } };
	tm_counters_init(&a->counted);
	return true;
}

static void fini(void *acc)
{
	struct clock *a = acc;

	tm_own_names_fini(&a->own);
	tm_groups_fini(&a->keys);
	free(a->g);
	tm_intervals_fini(&a->ops);
	tm_counters_fini(&a->counted);
	free(a->count);
	free(a->reading);
	free(a->track);
	tm_agents_fini(&a->agents);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct clock *a = acc;

	tm_own_names_piece(&a->own);
	a->ntrack = 0;
	a->rank = p->id.rank;
	tm_metric_window(a->o, p->id.rank, &a->window);
	return tm_counters_piece(&a->counted, p);
}

/* ---- launches ---- */

/* The group of row i; TM_GROUP_NONE when out of memory. */
static uint32_t group_of(struct clock *a, const struct tm_batch *b, uint32_t i)
{
	uint64_t key[CLOCK_WORDS] = { [CLOCK_RANK] = a->rank };
	const uint64_t *agent = tm_batch_cell(b, i, TM_EVC_AGENT);
	uint32_t own = tm_own_names_of(&a->own, b->names, (uint32_t)b->col[TM_EVC_NAME][i],
	                               a->o->view ? TM_NAME_FULL : a->o->level);

	if (own == TM_NAME_NONE)
		return TM_GROUP_NONE;
	key[CLOCK_KERNEL] = own;
	key[CLOCK_AGENT] = agent ? *agent : 0;
	key[CLOCK_FLAGS] = agent ? CLOCK_HAS_AGENT : 0;
	if (a->o->view)
		tm_shape_of(b, i, key + CLOCK_SHAPE);
	return tm_groups_item(&a->keys, key, &a->g, &a->cap, sizeof *a->g, NULL);
}

static bool take_dispatch(struct clock *a, const struct tm_batch *b, uint32_t i)
{
	uint64_t start = b->col[TM_EVC_START][i], end = b->col[TM_EVC_END][i];
	uint32_t group;

	if (start < a->window.lo || start >= a->window.hi) {
		a->outside++;
		return true;
	}
	group = group_of(a, b, i);
	if (group == TM_GROUP_NONE)
		return false;
	a->g[group].calls++;
	a->g[group].total += end - start;
	return tm_intervals_add(&a->ops, start, end, 0, group);
}

/* ---- readings ---- */

enum { TRACK_UNKNOWN, TRACK_NONE, TRACK_CLOCK, TRACK_CYCLES };

/* The clock of a GPU, and the counter. */
static uint8_t track_of(const struct tm_name *nm)
{
	if (nm->len == 15 && !memcmp(nm->text, "GRBM_GUI_ACTIVE", 15))
		return TRACK_CYCLES;
	return tm_sensor_of(nm).sensor == TM_SENSOR_SCLK ? TRACK_CLOCK : TRACK_NONE;
}

/* What counter `id` of the piece is; TRACK_UNKNOWN when out of memory. */
static uint8_t know_track(struct clock *a, const struct tm_names *names, uint32_t id)
{
	/* TRACK_UNKNOWN is 0. */
	if (!tm_grow_known(&a->track, &a->ntrack, &a->track_cap, names->n, sizeof *a->track))
		return TRACK_UNKNOWN;
	if (!a->track[id])
		a->track[id] = track_of(&names->v[id]);
	return a->track[id];
}

static bool take_reading(struct clock *a, const struct tm_batch *b, uint32_t i)
{
	const struct tm_sensor_name name = tm_sensor_of(&b->names->v[b->col[TM_EVC_COUNTER][i]]);
	double mhz = tm_cell_real(b->col[TM_EVC_VALUE][i]);
	uint64_t at = b->col[TM_EVC_START][i], agent;

	if (at < a->window.lo || at >= a->window.hi)
		return true;
	if (!(mhz > 0 && mhz < 1e6) || !tm_sensor_agent(b, i, &name, &agent)) {
		a->nameless++;
		return true;
	}
	if (!tm_grow_array(&a->reading, &a->reading_cap, a->nreading + 1, sizeof *a->reading))
		return false;
	a->reading[a->nreading++] = (struct clock_reading) {
		.rank = a->rank,
		.agent = agent,
		.at = at,
		.value = (uint64_t)llround(mhz * 10000),
	};
	return true;
}

static bool take_counters(struct clock *a, const struct tm_batch *b)
{
	static const tm_ev_set need = TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE);
	bool ok = true;

	for (uint32_t i = 0; ok && i < b->n; i++) {
		bool kernel = tm_batch_has(b, i, TM_EVC_NAME);
		uint8_t what;

		if (!tm_batch_has_all(b, i, need))
			continue;
		what = know_track(a, b->names, (uint32_t)b->col[TM_EVC_COUNTER][i]);
		if (what == TRACK_UNKNOWN)
			return false;
		if (kernel && !a->o->view)
			ok = what == TRACK_CYCLES ? tm_counters_take(&a->counted, b, i)
			                          : tm_counters_keep_times(&a->counted, b, i);
		else if (!kernel && what == TRACK_CLOCK && tm_batch_has(b, i, TM_EVC_START))
			ok = take_reading(a, b, i);
		else
			a->untimed += !kernel && what == TRACK_CLOCK;
	}
	return ok;
}

static bool take(void *acc, const struct tm_batch *b)
{
	static const tm_ev_set timed = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) |
	                               TM_EV_BIT(TM_EVC_END);
	struct clock *a = acc;

	if (b->kind == TM_EV_AGENT)
		return tm_agents_take(&a->agents, a->rank, b);
	if (b->kind == TM_EV_STAT || b->kind == TM_EV_ROLLUP)
		a->stats += b->n;
	if (b->kind == TM_EV_COUNTER)
		return take_counters(a, b);
	for (uint32_t i = 0; b->kind == TM_EV_DISPATCH && i < b->n; i++) {
		if (!tm_batch_has_all(b, i, timed))
			a->untimed++;
		else if (!take_dispatch(a, b, i))
			return false;
		/* Another pass over it may count, and have no times that are used. */
		if (!a->o->view && !tm_counters_keep_times(&a->counted, b, i))
			return false;
	}
	return true;
}

/* ---- several inputs ---- */

static bool merge_groups(struct clock *a, struct clock *from, uint32_t *map)
{
	uint32_t *names = tm_names_add_all(&a->own.names, &from->own.names);
	bool ok = names != NULL;

	for (uint32_t i = 0; ok && i < from->keys.n; i++) {
		uint64_t key[CLOCK_WORDS];

		memcpy(key, from->keys.key + (size_t)i * CLOCK_WORDS, sizeof key);
		key[CLOCK_KERNEL] = names[key[CLOCK_KERNEL]];
		map[i] = tm_groups_item(&a->keys, key, &a->g, &a->cap, sizeof *a->g, NULL);
		ok = map[i] != TM_GROUP_NONE;
		if (ok) {
			a->g[map[i]].calls += from->g[i].calls;
			a->g[map[i]].total += from->g[i].total;
		}
	}
	free(names);
	return ok;
}

static bool merge(void *into, void *acc)
{
	struct clock *a = into, *from = acc;
	uint32_t *map = calloc((size_t)from->keys.n + 1, sizeof *map);
	bool ok = map && merge_groups(a, from, map) && tm_agents_merge(&a->agents, &from->agents) &&
	          tm_intervals_move(&a->ops, &from->ops, map) &&
	          tm_counters_merge(&a->counted, &from->counted) &&
	          tm_grow_array(&a->reading, &a->reading_cap, a->nreading + from->nreading,
	                        sizeof *a->reading);

	for (size_t i = 0; ok && i < from->nreading; i++)
		a->reading[a->nreading++] = from->reading[i];
	a->outside += from->outside;
	a->untimed += from->untimed;
	a->stats += from->stats;
	a->nameless += from->nameless;
	free(map);
	return ok;
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	return o->view ? tm_clock_drift_fill(acc, o, t, rep) : tm_clock_fill(acc, o, t, rep);
}

static const struct tm_metric_option options[] = {
	{ .name = "max-mhz",
	  TM_METRIC_TO_U64(struct clock_own, max_mhz),
	  .arg = "MHZ",
	  .min = 1,
	  .max = 100000,
	  .about = "maximum clock of GPUs that the input does not describe" },
	{ .name = "xccs",
	  TM_METRIC_TO_U64(struct clock_own, xccs),
	  .arg = "N",
	  .min = 1,
	  .max = 64,
	  .about = "XCCs that GRBM_GUI_ACTIVE may be a sum over; overrides the input" },
	{ 0 },
};

static const struct tm_metric_view views[] = {
	{ .columns = tm_clock_columns },
	{ .option = "drift",
	  .about = "durations of each kernel and shape over time and GPUs instead",
	  .columns = tm_clock_drift_columns,
	  .no_name = "it compares kernels by full name" },
	{ 0 },
};

const struct tm_metric tm_metric_clock = {
	.name = "clock",
	.about = "clock that each kernel ran at, and what slow clocks cost",
	.group = "Inside a kernel",
	.examples = "kstats clock trace.rpd\n"
	            "kstats clock --drift traces/\n",
	.views = views,
	.options = options,
	.own = sizeof(struct clock_own),
	.takes = TM_TAKES_NAME,
	.whole = TM_WHOLE_AGENTS,
	.sink = { .size = sizeof(struct clock),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini },
	.want = want,
	.fill = fill,
};
