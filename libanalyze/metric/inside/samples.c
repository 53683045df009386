/* SPDX-License-Identifier: MIT
 * At which instructions of a kernel are its waves, and what do they wait for?
 *
 * Samples of the program counter, and thread traces, which count the cycles of each instruction on
 * one compute unit.  A sample knows its dispatch; which kernel that was a trace of kernels says. */
#include "metric/inside/samples.h"

#include <stdlib.h>
#include <string.h>

const struct tm_column tm_samples_columns[SMP_COLUMNS + 1] = {
	[SMP_NAME] = { .name = "name",
	               .title = "NAME",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true,
	               .about = "kernel; absent if the input does not name the dispatch" },
	[SMP_INSTRUCTION] = { .name = "instruction",
	                      .title = "INSTRUCTION",
	                      .unit = TM_UNIT_TEXT,
	                      .about = "instruction at which waves were; without offset, all with "
	                               "this text" },
	[SMP_SOURCE] = { .name = "source",
	                 .title = "SOURCE",
	                 .unit = TM_UNIT_TEXT,
	                 .spare = 1,
	                 .about = "file and line; text omits the folders" },
	[SMP_SAMPLES] = { .name = "samples",
	                  .title = "SAMPLES",
	                  .unit = TM_UNIT_COUNT,
	                  .about = "number of samples" },
	[SMP_PCT] = { .name = "pct",
	              .title = "PCT",
	              .unit = TM_UNIT_PCT,
	              .bar = true,
	              .about = "share of the kernel's samples, if 100 or more; thread trace: of "
	                       "its cycles" },
	[SMP_LOW] = { .name = "low_pct",
	              .title = "LOW",
	              .unit = TM_UNIT_PCT,
	              .spare = 2,
	              .about = "lower end of the 95 % interval of pct" },
	[SMP_HIGH] = { .name = "high_pct",
	               .title = "HIGH",
	               .unit = TM_UNIT_PCT,
	               .spare = 2,
	               .about = "upper end" },
	[SMP_ISSUED] = { .name = "issued_pct",
	                 .title = "ISSUED",
	                 .unit = TM_UNIT_PCT,
	                 .spare = 4,
	                 .about = "share of samples that issued an instruction, if 100 or more" },
	[SMP_STALL] = { .name = "top_stall",
	                .title = "STALL",
	                .unit = TM_UNIT_TEXT,
	                .about = "most frequent reason for not issuing" },
	[SMP_STALL_PCT] = { .name = "top_stall_pct",
	                    .title = "STALLED",
	                    .unit = TM_UNIT_PCT,
	                    .spare = 4,
	                    .about = "share of samples with that reason, if 100 or more" },
	[SMP_LANES] = { .name = "lanes",
	                .title = "LANES",
	                .unit = TM_UNIT_RATIO,
	                .machine = true,
	                .about = "mean active lanes of a wave" },
	[SMP_OFFSET] = { .name = "offset",
	                 .title = "OFFSET",
	                 .unit = TM_UNIT_ID,
	                 .machine = true,
	                 .about = "bytes from the start of the code object" },
	[SMP_HITS] = { .name = "hits",
	               .title = "HITS",
	               .unit = TM_UNIT_COUNT,
	               .spare = 1,
	               .about = "thread trace: how often a wave executed it" },
	[SMP_CYCLES] = { .name = "cycles",
	                 .title = "CYCLES",
	                 .unit = TM_UNIT_COUNT,
	                 .about = "thread trace: latency + idle" },
	[SMP_LATENCY] = { .name = "latency",
	                  .title = "LATENCY",
	                  .unit = TM_UNIT_COUNT,
	                  .machine = true,
	                  .about = "thread trace: cycles to issue or execute, including stalls" },
	[SMP_STALLED] = { .name = "stalled",
	                  .title = "STALL CYCLES",
	                  .unit = TM_UNIT_COUNT,
	                  .spare = 1,
	                  .about = "thread trace: cycles stalled" },
	[SMP_IDLE] = { .name = "idle",
	               .title = "IDLE",
	               .unit = TM_UNIT_COUNT,
	               .machine = true,
	               .about = "thread trace: cycles since the instruction before" },
	[SMP_COLUMNS] = { .name = NULL },
};

static tm_ev_set want(const struct tm_metric_opts *o)
{
	(void)o;
	return TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_DISPATCH_ID) |
	       TM_EV_BIT(TM_EVC_COMMENT) | TM_EV_BIT(TM_EVC_STALL) | TM_EV_BIT(TM_EVC_EXEC_MASK) |
	       TM_EV_BIT(TM_EVC_ISSUED) | TM_EV_BIT(TM_EVC_CODE_OBJECT) | TM_EV_BIT(TM_EVC_OFFSET) |
	       TM_EV_BIT(TM_EVC_CALLS) | TM_EV_BIT(TM_EVC_LATENCY) | TM_EV_BIT(TM_EVC_STALLED) |
	       TM_EV_BIT(TM_EVC_IDLE);
}

static bool init(void *acc, const void *arg)
{
	*(struct samples *)acc = (struct samples) {
		.o = arg,
		.runs = { .words = SRUN_WORDS },
		.dispatches = { .words = SDISP_WORDS },
		.places = { .words = SPLACE_WORDS },
		.traces = { .words = STRACE_WORDS },
	};
	return true;
}

static void fini(void *acc)
{
	struct samples *a = acc;

	tm_names_fini(&a->names);
	tm_groups_fini(&a->runs);
	tm_groups_fini(&a->dispatches);
	tm_groups_fini(&a->places);
	tm_groups_fini(&a->traces);
	free(a->kernel);
	free(a->v);
	free(a->t);
	free(a->norm);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct samples *a = acc;
	const char *run = p->id.run ? p->id.run : "", *path = p->id.path ? p->id.path : "";
	uint32_t name = tm_names_add(&a->names, run, strlen(run));
	uint64_t key[SRUN_WORDS] = { [SRUN_RANK] = p->id.rank, [SRUN_NAME] = name };

	a->nknown = 0;
	a->path = tm_names_add(&a->names, path, strlen(path));
	tm_metric_window(a->o, p->id.rank, &a->window);
	if (name == TM_NAME_NONE || a->path == TM_NAME_NONE)
		return false;
	a->run = tm_groups_add(&a->runs, key, NULL);
	return a->run != TM_GROUP_NONE;
}

/* The id here, + 1, of a text of the piece; 0 when the row has none or an empty one. */
static bool text_of(struct samples *a, const struct tm_batch *b, uint32_t i, enum tm_ev_col col,
                    uint32_t *id)
{
	const uint64_t *cell = tm_batch_cell(b, i, col);
	const struct tm_name *nm = cell ? &b->names->v[*cell] : NULL;

	*id = 0;
	if (!nm || !nm->len)
		return true;
	if (!tm_grow_known(&a->norm, &a->nknown, &a->norm_cap, b->names->n, sizeof *a->norm))
		return false;
	if (!a->norm[*cell]) {
		uint32_t own = tm_names_add(&a->names, nm->text, nm->len);

		if (own == TM_NAME_NONE)
			return false;
		a->norm[*cell] = own + 1;
	}
	*id = a->norm[*cell];
	return true;
}

/* The number of a dispatch of the piece; TM_GROUP_NONE when out of memory. */
static uint32_t dispatch_of(struct samples *a, uint64_t id)
{
	const uint64_t key[SDISP_WORDS] = { a->run, id };

	return tm_groups_item(&a->dispatches, key, &a->kernel, &a->kernel_cap, sizeof *a->kernel,
	                      NULL);
}

static void name_kernel(struct samples *a, uint32_t dispatch, uint32_t name)
{
	uint32_t *k = &a->kernel[dispatch];

	if (name)
		*k = *k == KERNEL_UNKNOWN || *k == name ? name : KERNEL_SEVERAL;
}

static bool take_dispatch(struct samples *a, const struct tm_batch *b, uint32_t i)
{
	const uint64_t *id = tm_batch_cell(b, i, TM_EVC_DISPATCH_ID);
	uint32_t at, name;

	if (!id)
		return true;
	at = dispatch_of(a, *id);
	if (at == TM_GROUP_NONE || !text_of(a, b, i, TM_EVC_NAME, &name))
		return false;
	name_kernel(a, at, name);
	return true;
}

/* Where it was: TM_GROUP_NONE when out of memory.  All that was not decoded is one place. */
static uint32_t place_of(struct samples *a, const struct tm_batch *b, uint32_t i)
{
	const uint64_t *object = tm_batch_cell(b, i, TM_EVC_CODE_OBJECT),
	               *offset = tm_batch_cell(b, i, TM_EVC_OFFSET);
	uint64_t key[SPLACE_WORDS] = { 0 };
	uint32_t text, source;

	if (!text_of(a, b, i, TM_EVC_NAME, &text) || !text_of(a, b, i, TM_EVC_COMMENT, &source))
		return TM_GROUP_NONE;
	if (text && !(object && !*object)) {
		key[SPLACE_AT] = offset ? *offset + 1 : 0;
		key[SPLACE_TEXT] = text;
		key[SPLACE_SOURCE] = source;
	}
	return tm_groups_add(&a->places, key, NULL);
}

static bool take_sample(struct samples *a, const struct tm_batch *b, uint32_t i)
{
	const uint64_t *id = tm_batch_cell(b, i, TM_EVC_DISPATCH_ID),
	               *start = tm_batch_cell(b, i, TM_EVC_START),
	               *issued = tm_batch_cell(b, i, TM_EVC_ISSUED),
	               *mask = tm_batch_cell(b, i, TM_EVC_EXEC_MASK);
	struct sample s = { .issued = ISSUED_UNKNOWN, .lanes = LANES_UNKNOWN };

	if (start && (*start < a->window.lo || *start >= a->window.hi)) {
		a->outside++;
		return true;
	}
	if (!id) {
		a->unplaced++;
		return true;
	}
	s.dispatch = dispatch_of(a, *id);
	s.place = place_of(a, b, i);
	if (s.dispatch == TM_GROUP_NONE || s.place == TM_GROUP_NONE)
		return false;
	if (issued)
		s.issued = *issued ? ISSUED_YES : ISSUED_NO;
	if (mask)
		s.lanes = (unsigned char)__builtin_popcountll(*mask);
	/* Where the wave issued, the reason is a filler. */
	if (s.issued == ISSUED_NO && !text_of(a, b, i, TM_EVC_STALL, &s.stall))
		return false;
	if (!tm_grow_array(&a->v, &a->cap, a->n + 1, sizeof *a->v))
		return false;
	a->v[a->n++] = s;
	return true;
}

static uint64_t number(const struct tm_batch *b, uint32_t i, enum tm_ev_col col)
{
	const uint64_t *cell = tm_batch_cell(b, i, col);

	return cell ? *cell : 0;
}

/* "; name" in place of an instruction, with the name in plain text as its source: a kernel begins.
 */
static bool begins_kernel(const struct samples *a, uint64_t text)
{
	const struct tm_name *nm = text ? &a->names.v[text - 1] : NULL;

	return nm && nm->len > 2 && nm->text[0] == ';' && nm->text[1] == ' ';
}

static bool take_trace(struct samples *a, const struct tm_batch *b, uint32_t i)
{
	uint64_t place[SPLACE_WORDS] = { number(b, i, TM_EVC_OFFSET) + 1 },
	         key[STRACE_WORDS] = { a->path, number(b, i, TM_EVC_CODE_OBJECT) };
	uint32_t text, source, at;
	struct traced *t;

	if (!text_of(a, b, i, TM_EVC_NAME, &text) || !text_of(a, b, i, TM_EVC_COMMENT, &source))
		return false;
	place[SPLACE_TEXT] = text;
	place[SPLACE_SOURCE] = source;
	key[STRACE_PLACE] = tm_groups_add(&a->places, place, NULL);
	if (key[STRACE_PLACE] == TM_GROUP_NONE)
		return false;
	at = tm_groups_item(&a->traces, key, &a->t, &a->t_cap, sizeof *a->t, NULL);
	if (at == TM_GROUP_NONE)
		return false;
	t = &a->t[at];
	t->hits += number(b, i, TM_EVC_CALLS);
	t->latency += number(b, i, TM_EVC_LATENCY);
	t->stalled += number(b, i, TM_EVC_STALLED);
	t->idle += number(b, i, TM_EVC_IDLE);
	t->kernel = !t->latency && !t->idle && begins_kernel(a, text);
	return true;
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct samples *a = acc;
	bool ok = true;

	for (uint32_t i = 0; ok && b->kind == TM_EV_DISPATCH && i < b->n; i++)
		ok = take_dispatch(a, b, i);
	for (uint32_t i = 0; ok && b->kind == TM_EV_SAMPLE && i < b->n; i++)
		ok = tm_batch_has(b, i, TM_EVC_LATENCY) ? take_trace(a, b, i)
		                                        : take_sample(a, b, i);
	return ok;
}

/* ---- merging ---- */

struct maps {
	uint32_t *names, *runs, *dispatches, *places;
};

static uint32_t moved(const uint32_t *names, uint64_t id)
{
	return id ? names[id - 1] + 1 : 0;
}

static bool merge_keys(struct samples *a, const struct samples *from, struct maps *m)
{
	for (uint32_t i = 0; i < from->runs.n; i++) {
		uint64_t key[SRUN_WORDS];

		memcpy(key, from->runs.key + (size_t)i * SRUN_WORDS, sizeof key);
		key[SRUN_NAME] = m->names[key[SRUN_NAME]];
		m->runs[i] = tm_groups_add(&a->runs, key, NULL);
		if (m->runs[i] == TM_GROUP_NONE)
			return false;
	}
	for (uint32_t i = 0; i < from->dispatches.n; i++) {
		const uint64_t *old = from->dispatches.key + (size_t)i * SDISP_WORDS;
		const uint64_t key[SDISP_WORDS] = { m->runs[old[SDISP_RUN]], old[SDISP_ID] };
		uint32_t k = from->kernel[i];

		m->dispatches[i] = tm_groups_item(&a->dispatches, key, &a->kernel, &a->kernel_cap,
		                                  sizeof *a->kernel, NULL);
		if (m->dispatches[i] == TM_GROUP_NONE)
			return false;
		name_kernel(a, m->dispatches[i], k == KERNEL_SEVERAL ? k : moved(m->names, k));
	}
	for (uint32_t i = 0; i < from->places.n; i++) {
		uint64_t key[SPLACE_WORDS];

		memcpy(key, from->places.key + (size_t)i * SPLACE_WORDS, sizeof key);
		key[SPLACE_TEXT] = moved(m->names, key[SPLACE_TEXT]);
		key[SPLACE_SOURCE] = moved(m->names, key[SPLACE_SOURCE]);
		m->places[i] = tm_groups_add(&a->places, key, NULL);
		if (m->places[i] == TM_GROUP_NONE)
			return false;
	}
	return true;
}

static bool merge_traces(struct samples *a, const struct samples *from, const struct maps *m)
{
	for (uint32_t i = 0; i < from->traces.n; i++) {
		const uint64_t *old = from->traces.key + (size_t)i * STRACE_WORDS;
		const uint64_t key[STRACE_WORDS] = { m->names[old[STRACE_PATH]], old[STRACE_OBJECT],
			                             m->places[old[STRACE_PLACE]] };
		uint32_t at = tm_groups_item(&a->traces, key, &a->t, &a->t_cap, sizeof *a->t, NULL);
		struct traced *t;

		if (at == TM_GROUP_NONE)
			return false;
		t = &a->t[at];
		t->hits += from->t[i].hits;
		t->latency += from->t[i].latency;
		t->stalled += from->t[i].stalled;
		t->idle += from->t[i].idle;
		t->kernel = from->t[i].kernel && !t->latency && !t->idle;
	}
	return true;
}

static bool merge(void *into, void *acc)
{
	struct samples *a = into, *from = acc;
	struct maps m = { .names = tm_names_add_all(&a->names, &from->names),
		          .runs = malloc(((size_t)from->runs.n + 1) * sizeof(uint32_t)),
		          .dispatches = malloc(((size_t)from->dispatches.n + 1) * sizeof(uint32_t)),
		          .places = malloc(((size_t)from->places.n + 1) * sizeof(uint32_t)) };
	bool ok = m.names && m.runs && m.dispatches && m.places && merge_keys(a, from, &m) &&
	          merge_traces(a, from, &m) &&
	          tm_grow_array(&a->v, &a->cap, a->n + from->n, sizeof *a->v);

	for (size_t i = 0; ok && i < from->n; i++) {
		struct sample s = from->v[i];

		s.dispatch = m.dispatches[s.dispatch];
		s.place = m.places[s.place];
		s.stall = moved(m.names, s.stall);
		a->v[a->n++] = s;
	}
	a->outside += from->outside;
	a->unplaced += from->unplaced;
	free(m.names);
	free(m.runs);
	free(m.dispatches);
	free(m.places);
	return ok;
}

static const struct tm_metric_view views[] = {
	{ .columns = tm_samples_columns },
	{ .option = "lines",
	  .about = "one row per source line instead",
	  .columns = tm_samples_columns },
	{ .option = "kernels", .about = "one row per kernel", .columns = tm_samples_columns },
	{ 0 }
};

const struct tm_metric tm_metric_samples = {
	.name = "samples",
	.about = "instructions at which waves were, and why they stalled",
	.group = "Inside a kernel",
	.examples = "kstats samples pc_sampling_stochastic.csv kernel_trace.csv\n"
	            "kstats samples --lines -k attention results.json\n",
	.views = views,
	.takes = TM_TAKES_NAME,
	.keeps_host = true,
	.sink = { .size = sizeof(struct samples),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini },
	.want = want,
	.fill = tm_samples_fill,
};
