/* SPDX-License-Identifier: MIT
 * How near do matrix kernels come to what the GPU can do?
 *
 *     tflops    = operations of the problem / time           operations from its sizes alone
 *     intensity = operations / bytes                          bytes: each operand once
 *     lost      = time - max(operations / peak, bytes / bandwidth)
 *
 * The sizes are those of the inputs of the operator that launched the kernel. */
#include "metric/inside/roofline.h"

#include "metric/list.h"
#include "metric/shape.h"

const struct tm_column tm_roofline_columns[ROOF_COLUMNS + 1] = {
	[ROOF_NAME] = { .name = "name",
	                .title = "NAME",
	                .unit = TM_UNIT_TEXT,
	                .elastic = true,
	                .about = "kernel; several kernels of one operator are joined with +" },
	[ROOF_OP] = { .name = "op",
	              .title = "OP",
	              .unit = TM_UNIT_TEXT,
	              .tight = 1,
	              .about = "operator, or operation of the library" },
	[ROOF_PROBLEM] = { .name = "problem",
	                   .title = "PROBLEM",
	                   .unit = TM_UNIT_TEXT,
	                   .elastic = true,
	                   .about = "sizes: M x K x N of a matrix product" },
	[ROOF_CALLS] = { .name = "calls",
	                 .title = "CALLS",
	                 .unit = TM_UNIT_COUNT,
	                 .about = "times it was computed" },
	[ROOF_TOTAL] = { .name = "total_ns",
	                 .title = "TOTAL",
	                 .unit = TM_UNIT_NS,
	                 .about = "total duration of the kernels" },
	[ROOF_FLOPS] = { .name = "flops",
	                 .title = "FLOPS",
	                 .unit = TM_UNIT_COUNT,
	                 .machine = true,
	                 .about = "floating-point or integer operations of all calls" },
	[ROOF_BYTES] = { .name = "bytes",
	                 .title = "BYTES",
	                 .unit = TM_UNIT_BYTES,
	                 .machine = true,
	                 .about = "bytes of all calls, if each operand is moved once; from "
	                          "counters, those that left L2" },
	[ROOF_TFLOPS] = { .name = "tflops",
	                  .title = "TFLOP/S",
	                  .unit = TM_UNIT_RATIO,
	                  .about = "10^12 operations per second" },
	[ROOF_GBPS] = { .name = "gb_per_s",
	                .title = "GB/S",
	                .unit = TM_UNIT_RATIO,
	                .spare = 5,
	                .about = "10^9 bytes per second" },
	[ROOF_INTENSITY] = { .name = "intensity",
	                     .title = "FLOP/B",
	                     .unit = TM_UNIT_RATIO,
	                     .spare = 6,
	                     .about = "operations per byte" },
	[ROOF_PEAK] = { .name = "peak",
	                .title = "PEAK",
	                .unit = TM_UNIT_TEXT,
	                .about = "theoretical peak for peak_pct: data type and unit of the GPU" },
	[ROOF_PEAK_PCT] = { .name = "peak_pct",
	                    .title = "THEORY",
	                    .unit = TM_UNIT_PCT,
	                    .bar = true,
	                    .about = "share of that peak" },
	[ROOF_BOUND] = { .name = "bound",
	                 .title = "BOUND",
	                 .unit = TM_UNIT_TEXT,
	                 .spare = 1,
	                 .about = "which roof limits it: compute or memory" },
	[ROOF_LOST] = { .name = "lost_ns",
	                .title = "LOST",
	                .unit = TM_UNIT_NS,
	                .about = "time above the roof: longer than both peaks allow" },
	[ROOF_SOURCE] = { .name = "source",
	                  .title = "SOURCE",
	                  .unit = TM_UNIT_TEXT,
	                  .machine = true,
	                  .about = "source of flops and bytes: kineto, log (sizes) or counters" },
	[ROOF_TYPE] = { .name = "type",
	                .title = "TYPE",
	                .unit = TM_UNIT_TEXT,
	                .machine = true,
	                .about = "input data type" },
	[ROOF_MEMORY_PCT] = { .name = "memory_pct",
	                      .title = "MEMORY",
	                      .unit = TM_UNIT_PCT,
	                      .spare = 3,
	                      .about = "share of the theoretical memory bandwidth" },
	[ROOF_REACHED_PCT] = { .name = "published_pct",
	                       .title = "PUBLISHED",
	                       .unit = TM_UNIT_PCT,
	                       .spare = 2,
	                       .about =
	                               "share of the published maximum of the same type and unit" },
	[ROOF_TILE] = { .name = "tile",
	                .title = "TILE",
	                .unit = TM_UNIT_TEXT,
	                .spare = 8,
	                .about = "workgroup tile, if in the name" },
	[ROOF_TILE_PCT] = { .name = "tile_pct",
	                    .title = "TILE%",
	                    .unit = TM_UNIT_PCT,
	                    .spare = 7,
	                    .about = "part of the tiles filled by the result" },
	[ROOF_ROUND_PCT] = { .name = "round_pct",
	                     .title = "ROUND%",
	                     .unit = TM_UNIT_PCT,
	                     .spare = 7,
	                     .about = "part of the compute units in use, if each takes one tile at "
	                              "a time" },
	[ROOF_GPU] = { .name = "gpu",
	               .title = "GPU",
	               .unit = TM_UNIT_TEXT,
	               .machine = true,
	               .about = "GPU it ran on" },
	[ROOF_PEAK_TFLOPS] = { .name = "peak_tflops",
	                       .title = "PEAK TFLOP/S",
	                       .unit = TM_UNIT_RATIO,
	                       .machine = true,
	                       .about = "the theoretical peak" },
	[ROOF_REACHED_TFLOPS] = { .name = "published_tflops",
	                          .title = "PUBLISHED TFLOP/S",
	                          .unit = TM_UNIT_RATIO,
	                          .machine = true,
	                          .about = "the published maximum" },
	[ROOF_MEMORY_GBPS] = { .name = "memory_gb_per_s",
	                       .title = "MEMORY GB/S",
	                       .unit = TM_UNIT_RATIO,
	                       .machine = true,
	                       .about = "the theoretical memory bandwidth" },
	[ROOF_NOTE] = { .name = "note",
	                .title = "NOTE",
	                .unit = TM_UNIT_TEXT,
	                .spare = 4,
	                .about = "what the figures depend on, or why there are none" },
	[ROOF_COLUMNS] = { .name = NULL },
};

/* ---- events ---- */

static char *put_hex(char *at, uint64_t v)
{
	int shift = v ? (63 - __builtin_clzll(v)) / 4 * 4 : 0;

	for (; shift >= 0; shift -= 4)
		*at++ = "0123456789abcdef"[v >> shift & 15];
	*at++ = ' ';
	return at;
}

enum { KEY_NAME, KEY_AGENT, KEY_HAS_AGENT, KEY_GROUPS };

/* An operation is told by agent, workgroups and name. */
static void named_keys(const struct tm_batch *b, uint64_t (*key)[TM_STACK_KEY])
{
	uint64_t groups[TM_BATCH_ROWS];

	tm_shape_groups_all(b, groups);
	for (uint32_t i = 0; i < b->n; i++) {
		const uint64_t *agent = tm_batch_cell(b, i, TM_EVC_AGENT);

		key[i][KEY_NAME] = b->col[TM_EVC_NAME][i];
		key[i][KEY_AGENT] = agent ? *agent : 0;
		key[i][KEY_HAS_AGENT] = agent != NULL;
		key[i][KEY_GROUPS] = groups[i];
	}
}

/* As tm_roofline_launch() reads it. */
static bool named(struct tm_buf *out, const struct tm_names *names,
                  const uint64_t key[TM_STACK_KEY])
{
	const struct tm_name *nm = &names->v[key[KEY_NAME]];
	char text[3 * 17], *end;

	end = put_hex(text, key[KEY_HAS_AGENT]);
	end = put_hex(end, key[KEY_AGENT]);
	end = put_hex(end, key[KEY_GROUPS]);
	return tm_buf_add(out, text, (size_t)(end - text)) && tm_buf_add(out, nm->text, nm->len);
}

static void window_of(const void *arg, uint64_t rank, struct tm_extent *w)
{
	tm_metric_window(arg, rank, w);
}

static struct tm_stack_opts stack_opts(const struct tm_metric_opts *o)
{
	return (struct tm_stack_opts) { .window = window_of,
		                        .arg = o,
		                        .dispatches = true,
		                        .inputs = true,
		                        .values = true,
		                        .names = true,
		                        .sums = true,
		                        .named_keys = named_keys,
		                        .named = named,
		                        .named_want = TM_EV_BIT(TM_EVC_AGENT) | tm_shape_want() };
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	const struct tm_stack_opts so = stack_opts(o);

	return tm_stack_want(&so) | tm_agents_want() | tm_counters_want();
}

/* How many workgroups there were is asked of products whose sizes are known. */
static tm_ev_set want_with_inputs(const struct tm_metric_opts *o)
{
	const struct roofline_own *own = o->own;

	return own && own->log ? 0 : tm_shape_want();
}

static bool init(void *acc, const void *arg)
{
	struct roofline *a = acc;

	*a = (struct roofline) { .o = arg, .so = stack_opts(arg) };
	return tm_metric_counters.sink.init(&a->counters, arg) && tm_stack_init(&a->s, &a->so);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct roofline *a = acc;

	a->rank = p->id.rank;
	return tm_metric_counters.sink.piece(&a->counters, p) && tm_stack_piece(&a->s, p);
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct roofline *a = acc;

	if (b->kind == TM_EV_AGENT)
		return tm_agents_take(&a->agents, a->rank, b);
	return (b->kind != TM_EV_COUNTER || tm_metric_counters.sink.take(&a->counters, b)) &&
	       tm_stack_take(&a->s, b);
}

static bool done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                 const struct tm_diag *why)
{
	return tm_metric_counters.sink.done(&((struct roofline *)acc)->counters, p, l, why);
}

static bool merge(void *into, void *acc)
{
	struct roofline *a = into, *from = acc;

	return tm_agents_merge(&a->agents, &from->agents) &&
	       tm_metric_counters.sink.merge(&a->counters, &from->counters) &&
	       tm_stack_merge(&a->s, &from->s);
}

static void fini(void *acc)
{
	struct roofline *a = acc;

	tm_agents_fini(&a->agents);
	tm_metric_counters.sink.fini(&a->counters);
	tm_stack_fini(&a->s);
}

static struct tm_stack *stack_of(void *acc)
{
	return &((struct roofline *)acc)->s;
}

static const struct tm_metric_option options[] = {
	{ .name = "gpu",
	  TM_METRIC_TO_TEXT(struct roofline_own, gpu),
	  .arg = "PRODUCT",
	  .about = "GPU if the input names none, e.g. MI300X" },
	{ .name = "log",
	  TM_METRIC_TO_TEXT(struct roofline_own, log),
	  .arg = "FILE",
	  .about = "rocBLAS, hipBLASLt or MIOpen log of the same run, for kernels without an "
	           "operator" },
	{ 0 },
};

static const struct tm_metric_view views[] = {
	{ .columns = tm_roofline_columns },
	{ .option = "chart",
	  .about = "draw the rows under their roofs; no effect on machine formats",
	  .columns = tm_roofline_columns,
	  .whole = true },
	{ .option = "peaks",
	  .about = "list the peaks of all known GPUs, or of --gpu, instead; reads no input",
	  .columns = tm_roofline_peaks_columns,
	  .rows = tm_roofline_peaks,
	  .whole = true },
	{ 0 },
};

const struct tm_metric tm_metric_roofline = {
	.name = "roofline",
	.about = "how close matrix kernels come to the peaks of the GPU",
	.group = "Inside a kernel",
	.examples = "kstats roofline worker.pt.trace.json\n"
	            "kstats roofline -f csv --gpu MI300X run.db\n",
	.views = views,
	.options = options,
	.own = sizeof(struct roofline_own),
	.takes = TM_TAKES_NAME,
	.keeps_counted = true,
	.whole = TM_WHOLE_AGENTS,
	.sink = { .size = sizeof(struct roofline),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini,
	          .done = done },
	.want = want,
	.want_with_inputs = want_with_inputs,
	.stack = stack_of,
	.fill = tm_roofline_fill,
};
