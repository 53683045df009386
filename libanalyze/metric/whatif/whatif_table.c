/* SPDX-License-Identifier: MIT
 * The tables of `kstats whatif`. */
#include "metric/whatif/answer.h"

enum {
	COL_SCENARIO,
	COL_WINDOW,
	COL_PREDICTED,
	COL_LOW,
	COL_HIGH,
	COL_SAVED,
	COL_PREDICTED_PCT,
	COL_LOW_PCT,
	COL_HIGH_PCT,
	COL_ERROR,
	COL_UNCERTAIN,
	COL_SAVED_GPU,
	COL_SAVED_GPU_PCT,
	COL_N,
};

const struct tm_column tm_whatif_columns[] = {
	[COL_SCENARIO] = { .name = "scenario",
	                   .title = "SCENARIO",
	                   .about = "what is changed",
	                   .unit = TM_UNIT_TEXT,
	                   .elastic = true },
	[COL_WINDOW] = { .name = "window_ns",
	                 .title = "WINDOW",
	                 .about = "recorded time, first event to last event",
	                 .unit = TM_UNIT_NS,
	                 .spare = 2 },
	[COL_PREDICTED] = { .name = "predicted_ns",
	                    .title = "PREDICTED",
	                    .about = "same with the change",
	                    .unit = TM_UNIT_NS },
	[COL_LOW] = { .name = "low_ns",
	              .title = "LOW",
	              .about = "lower end of the prediction interval",
	              .unit = TM_UNIT_NS,
	              .machine = true },
	[COL_HIGH] = { .name = "high_ns",
	               .title = "HIGH",
	               .about = "upper end of the prediction interval",
	               .unit = TM_UNIT_NS,
	               .machine = true },
	[COL_SAVED] = { .name = "saved_ns",
	                .title = "SAVED",
	                .about = "window - predicted",
	                .unit = TM_UNIT_NS },
	[COL_PREDICTED_PCT] = { .name = "predicted_pct",
	                        .title = "PREDICTED%",
	                        .about = "predicted / window",
	                        .unit = TM_UNIT_PCT,
	                        .bar = true },
	[COL_LOW_PCT] = { .name = "low_pct",
	                  .title = "LOW%",
	                  .about = "low_ns / window",
	                  .unit = TM_UNIT_PCT },
	[COL_HIGH_PCT] = { .name = "high_pct",
	                   .title = "HIGH%",
	                   .about = "high_ns / window",
	                   .unit = TM_UNIT_PCT },
	[COL_ERROR] = { .name = "model_error_pct",
	                .title = "MODEL ERROR%",
	                .about = "error of the window if every latency is the usual one",
	                .unit = TM_UNIT_PCT,
	                .spare = 1 },
	[COL_UNCERTAIN] = { .name = "edges_uncertain",
	                    .title = "UNCERTAIN",
	                    .about = "likely or possible dependencies on the three critical paths",
	                    .unit = TM_UNIT_COUNT,
	                    .machine = true },
	SAVED_GPU_COLUMNS(COL_SAVED_GPU, COL_SAVED_GPU_PCT),
	[COL_N] = { 0 },
};

enum { PART_SCENARIO, PART_RANK, PART_RECORDED, PART_PREDICTED, PART_LOW, PART_HIGH, PART_N };

const struct tm_column tm_whatif_rank_columns[] = {
	[PART_SCENARIO] = { .name = "scenario",
	                    .title = "SCENARIO",
	                    .about = "what is changed",
	                    .unit = TM_UNIT_TEXT,
	                    .elastic = true },
	[PART_RANK] = { .name = "rank",
	                .title = "RANK",
	                .about = "rank of the process",
	                .unit = TM_UNIT_ID },
	[PART_RECORDED] = { .name = "recorded_ns",
	                    .title = "RECORDED",
	                    .about = "first event of all ranks to last event of this one",
	                    .unit = TM_UNIT_NS },
	[PART_PREDICTED] = { .name = "predicted_ns",
	                     .title = "PREDICTED",
	                     .about = "same with the change",
	                     .unit = TM_UNIT_NS },
	[PART_LOW] = { .name = "low_ns",
	               .title = "LOW",
	               .about = "lower end of the prediction interval",
	               .unit = TM_UNIT_NS },
	[PART_HIGH] = { .name = "high_ns",
	                .title = "HIGH",
	                .about = "upper end of the prediction interval",
	                .unit = TM_UNIT_NS },
	[PART_N] = { 0 },
};

enum {
	STEP_SCENARIO,
	STEP_RANK,
	STEP_STEP,
	STEP_RECORDED,
	STEP_PREDICTED,
	STEP_LOW,
	STEP_HIGH,
	STEP_N
};

const struct tm_column tm_whatif_step_columns[] = {
	[STEP_SCENARIO] = { .name = "scenario",
	                    .title = "SCENARIO",
	                    .about = "what is changed",
	                    .unit = TM_UNIT_TEXT,
	                    .elastic = true },
	[STEP_RANK] = { .name = "rank",
	                .title = "RANK",
	                .about = "rank of the process",
	                .unit = TM_UNIT_ID },
	[STEP_STEP] = { .name = "step",
	                .title = "STEP",
	                .about = "number of the step",
	                .unit = TM_UNIT_ID },
	[STEP_RECORDED] = { .name = "recorded_ns",
	                    .title = "RECORDED",
	                    .about = "length of the step",
	                    .unit = TM_UNIT_NS },
	[STEP_PREDICTED] = { .name = "predicted_ns",
	                     .title = "PREDICTED",
	                     .about = "same with the change",
	                     .unit = TM_UNIT_NS },
	[STEP_LOW] = { .name = "low_ns",
	               .title = "LOW",
	               .about = "lower end of the prediction interval",
	               .unit = TM_UNIT_NS },
	[STEP_HIGH] = { .name = "high_ns",
	                .title = "HIGH",
	                .about = "upper end of the prediction interval",
	                .unit = TM_UNIT_NS },
	[STEP_N] = { 0 },
};

static uint64_t least(const uint64_t *v)
{
	uint64_t n = v[0];

	for (int i = 1; i < TM_REPLAY_PASSES; i++)
		n = v[i] < n ? v[i] : n;
	return n;
}

static uint64_t most(const uint64_t *v)
{
	uint64_t n = v[0];

	for (int i = 1; i < TM_REPLAY_PASSES; i++)
		n = v[i] > n ? v[i] : n;
	return n;
}

/* An end of an interval. */
static struct tm_cell end_cell(const struct answer *a, uint64_t ns)
{
	return a->likely ? tm_cell_none() : tm_cell_u64(ns);
}

bool tm_whatif_asks_paths(const struct tm_metric_opts *o)
{
	const char *const name = tm_whatif_columns[COL_UNCERTAIN].name;

	for (size_t i = 0; i < o->ncolumns; i++)
		if (!strcmp(o->columns[i], name))
			return true;
	for (size_t i = 0; i < o->nsort; i++)
		if (!strcmp(o->sort[i], name))
			return true;
	return !o->columns && !o->width;
}

bool tm_whatif_put_scenarios(const struct answer *a, struct tm_table *t)
{
	size_t n = a->most && a->most < a->list.n ? a->most : a->list.n;

	for (size_t i = 0; i < n; i++) {
		const struct whatif_one *w = &a->list.v[a->order[i]];
		const struct tm_replay_result *o = &a->out[a->order[i]];
		uint64_t now = o->total[TM_REPLAY_LIKELY], saved, gpu;
		struct tm_cell *c = tm_table_row(t);

		if (!c)
			return false;
		c[COL_SCENARIO] = tm_table_own(t, w->text.p, w->text.n);
		c[COL_WINDOW] = tm_cell_u64(a->window);
		c[COL_PREDICTED] = tm_cell_u64(now);
		c[COL_LOW] = end_cell(a, least(o->total));
		c[COL_HIGH] = end_cell(a, most(o->total));
		c[COL_SAVED] = tm_cell_signed(now > a->window,
		                              now > a->window ? now - a->window : a->window - now);
		c[COL_PREDICTED_PCT] = tm_work_pct(now, a->window);
		if (!a->likely) {
			c[COL_LOW_PCT] = tm_work_pct(least(o->total), a->window);
			c[COL_HIGH_PCT] = tm_work_pct(most(o->total), a->window);
		}
		c[COL_ERROR] = tm_cell_signed(a->less, a->error);
		c[COL_ERROR].type = TM_CELL_FIXED;
		saved = tm_whatif_saved_gpu(a, a->order[i], &gpu);
		c[COL_SAVED_GPU] = tm_cell_u64(saved);
		c[COL_SAVED_GPU_PCT] = tm_work_pct(saved, gpu);
		if (a->paths)
			c[COL_UNCERTAIN] = tm_cell_u64(o->uncertain[0] + o->uncertain[1] +
			                               o->uncertain[2]);
	}
	t->more = a->list.n - n;
	return true;
}

bool tm_whatif_put_ranks(const struct answer *a, struct tm_table *t)
{
	for (size_t i = 0; i < a->list.n; i++) {
		const struct whatif_one *w = &a->list.v[a->order[i]];
		const struct tm_replay_result *o = &a->out[a->order[i]];

		for (size_t k = 0; k < a->r->nrank; k++) {
			uint64_t v[TM_REPLAY_PASSES];
			struct tm_cell *c = tm_table_row(t);

			if (!c)
				return false;
			for (int g = 0; g < TM_REPLAY_PASSES; g++)
				v[g] = o->last[g][k];
			c[PART_SCENARIO] = tm_table_own(t, w->text.p, w->text.n);
			c[PART_RANK] = tm_cell_u64(tm_replay_rank_of(a->r, k));
			c[PART_RECORDED] = tm_cell_u64(tm_replay_recorded(a->r, k));
			c[PART_PREDICTED] = tm_cell_u64(v[TM_REPLAY_LIKELY]);
			c[PART_LOW] = end_cell(a, least(v));
			c[PART_HIGH] = end_cell(a, most(v));
		}
	}
	return true;
}

bool tm_whatif_put_steps(const struct answer *a, struct tm_table *t)
{
	for (size_t i = 0; i < a->list.n; i++) {
		const struct whatif_one *w = &a->list.v[a->order[i]];
		const struct tm_replay_result *o = &a->out[a->order[i]];

		for (size_t k = 0; k < a->steps.n; k++) {
			const struct tm_step *s = &a->steps.v[k];
			uint64_t v[TM_REPLAY_PASSES];
			struct tm_cell *c = tm_table_row(t);

			if (!c)
				return false;
			for (int g = 0; g < TM_REPLAY_PASSES; g++)
				v[g] = o->mark[g][2 * k + 1] > o->mark[g][2 * k]
				               ? o->mark[g][2 * k + 1] - o->mark[g][2 * k]
				               : 0;
			c[STEP_SCENARIO] = tm_table_own(t, w->text.p, w->text.n);
			c[STEP_RANK] = tm_cell_u64(s->rank);
			c[STEP_STEP] = tm_cell_u64(s->number);
			c[STEP_RECORDED] = tm_cell_u64(s->at.hi - s->at.lo);
			c[STEP_PREDICTED] = tm_cell_u64(v[TM_REPLAY_LIKELY]);
			c[STEP_LOW] = end_cell(a, least(v));
			c[STEP_HIGH] = end_cell(a, most(v));
		}
	}
	return true;
}
