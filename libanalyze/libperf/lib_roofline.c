/* SPDX-License-Identifier: MIT
 * How near do measurements of GPU libraries come to what the GPU can do?  Operations and bytes are
 * those of the problem, so the rate can be compared with the one that the client prints. */
#include "libperf/lib_compare_sample.h"

#include <stdlib.h>
#include <string.h>

enum {
	COL_SOURCE,
	COL_LINE,
	COL_LIBRARY,
	COL_OP,
	COL_PROBLEM,
	COL_TYPES,
	COL_US,
	COL_FLOPS,
	COL_BYTES,
	COL_GFLOPS,
	COL_PRINTED,
	COL_GBPS,
	COL_INTENSITY,
	COL_PEAK,
	COL_PEAK_PCT,
	COL_REACHED_PCT,
	COL_MEMORY_PCT,
	COL_BOUND,
	COL_LOST,
	COL_GPU,
	COL_N
};

static const struct tm_column columns[] = {
	[COL_SOURCE] = { .name = "source",
	                 .title = "SOURCE",
	                 .unit = TM_UNIT_TEXT,
	                 .machine = true,
	                 .about = "file of the measurement" },
	[COL_LINE] = { .name = "line",
	               .title = "LINE",
	               .unit = TM_UNIT_ID,
	               .machine = true,
	               .about = "line in that file" },
	[COL_LIBRARY] = { .name = "library",
	                  .title = "LIBRARY",
	                  .unit = TM_UNIT_TEXT,
	                  .spare = 3,
	                  .about = "library measured" },
	[COL_OP] = { .name = "op", .title = "OP", .unit = TM_UNIT_TEXT, .about = "operation" },
	[COL_PROBLEM] = { .name = "problem",
	                  .title = "PROBLEM",
	                  .unit = TM_UNIT_TEXT,
	                  .elastic = true,
	                  .about = "sizes, as in libperf top" },
	[COL_TYPES] = { .name = "types",
	                .title = "TYPES",
	                .unit = TM_UNIT_TEXT,
	                .about = "types of a, b, c, d and of the computation" },
	[COL_US] = { .name = "us",
	             .title = "us",
	             .unit = TM_UNIT_RATIO,
	             .about = "microseconds per call" },
	[COL_FLOPS] = { .name = "flops",
	                .title = "FLOPS",
	                .unit = TM_UNIT_COUNT,
	                .machine = true,
	                .about = "operations per call" },
	[COL_BYTES] = { .name = "bytes",
	                .title = "BYTES",
	                .unit = TM_UNIT_BYTES,
	                .machine = true,
	                .about = "bytes per call, if each operand is moved once" },
	[COL_GFLOPS] = { .name = "gflops",
	                 .title = "GFLOP/S",
	                 .unit = TM_UNIT_RATIO,
	                 .about = "10^9 operations per second" },
	[COL_PRINTED] = { .name = "printed_gflops",
	                  .title = "PRINTED",
	                  .unit = TM_UNIT_TEXT,
	                  .machine = true,
	                  .about = "rate that the client prints" },
	[COL_GBPS] = { .name = "gb_per_s",
	               .title = "GB/S",
	               .unit = TM_UNIT_RATIO,
	               .spare = 4,
	               .about = "10^9 bytes per second" },
	[COL_INTENSITY] = { .name = "intensity",
	                    .title = "FLOP/B",
	                    .unit = TM_UNIT_RATIO,
	                    .spare = 5,
	                    .about = "operations per byte" },
	[COL_PEAK] = { .name = "peak",
	               .title = "PEAK",
	               .unit = TM_UNIT_TEXT,
	               .about = "theoretical peak for peak_pct: data type and unit of the GPU" },
	[COL_PEAK_PCT] = { .name = "peak_pct",
	                   .title = "THEORY",
	                   .unit = TM_UNIT_PCT,
	                   .bar = true,
	                   .about = "share of that peak" },
	[COL_REACHED_PCT] = { .name = "published_pct",
	                      .title = "PUBLISHED",
	                      .unit = TM_UNIT_PCT,
	                      .spare = 2,
	                      .about = "share of the published maximum of the same type and unit" },
	[COL_MEMORY_PCT] = { .name = "memory_pct",
	                     .title = "MEMORY",
	                     .unit = TM_UNIT_PCT,
	                     .spare = 6,
	                     .about = "share of the theoretical memory bandwidth" },
	[COL_BOUND] = { .name = "bound",
	                .title = "BOUND",
	                .unit = TM_UNIT_TEXT,
	                .spare = 1,
	                .about = "which roof limits it: compute or memory" },
	[COL_LOST] = { .name = "lost_us",
	               .title = "LOST us",
	               .unit = TM_UNIT_RATIO,
	               .about = "microseconds above the roof" },
	[COL_GPU] = { .name = "gpu",
	              .title = "GPU",
	              .unit = TM_UNIT_TEXT,
	              .spare = 3,
	              .about = "GPU it was measured on" },
	{ 0 },
};

struct acc {
	struct tm_lib_samples all;
};

static bool roofline_init(void *acc, const void *o)
{
	((struct acc *)acc)->all.o = o;
	return true;
}

static enum tm_status roofline_take(void *acc, struct tm_source *s, size_t side,
                                    struct tm_report *rep, struct tm_diag *d)
{
	struct acc *a = acc;

	return tm_lib_rows_take(&a->all.rows, s, side, a->all.o->metric, rep, d);
}

/* The GPU of a measurement: "gfx942:sramecc+:xnack-", compute units, a name. */
static struct tm_gpu_seen seen_of(const struct tm_lib_samples *a, const struct tm_lib_sample *s)
{
	const char *arch = tm_lib_text(a, s->arch), *device = tm_lib_text(a, s->device),
	           *cus = tm_lib_text(a, s->cus);
	size_t n = strcspn(arch, ":");
	struct tm_gpu_seen seen = { 0 };
	char word[16];

	if (n < sizeof word) {
		memcpy(word, arch, n);
		word[n] = 0;
		if (!tm_gpu_gfx_parse(word, &seen.gfx))
			seen.gfx = 0;
	}
	if (!tm_num_u64_any(cus, strlen(cus), &seen.cus))
		seen.cus = 0;
	/* Some clients print "gfx90a:sramecc+:xnack-" there too. */
	if (*device && strncmp(device, "gfx", 3) != 0) {
		seen.name = device;
		seen.len = strlen(device);
	}
	if (a->o->gpu && !tm_gpu_product(&seen)) {
		seen.name = a->o->gpu;
		seen.len = strlen(a->o->gpu);
	}
	return seen;
}

static struct tm_cell text_cell(const struct tm_lib_samples *a, uint32_t id)
{
	const char *s = tm_lib_text(a, id);

	return *s ? tm_cell_text(s, strlen(s)) : tm_cell_none();
}

static struct tm_cell whole(tm_u128 v)
{
	return v >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)v);
}

/* Shares of the peaks. */
static bool put_roof(const struct tm_lib_sample *s, const struct tm_gpu_roof *r, struct tm_table *t,
                     struct tm_cell *c)
{
	double flops = (double)s->flops, bytes = (double)s->bytes,
	       compute = r->mops ? flops / (double)r->mops : 0,
	       memory = r->mbps ? bytes / (double)r->mbps : 0,
	       least = compute > memory ? compute : memory;
	struct tm_buf text = { 0 };

	if (r->mops) {
		tm_buf_fmt(&text, "%s %s", tm_gpu_type_text(r->type), tm_gpu_unit_text(r->unit));
		c[COL_PEAK] = text.failed ? tm_cell_none() : tm_table_own(t, text.p, text.n);
		t->failed |= text.failed;
		tm_buf_fini(&text);
		c[COL_PEAK_PCT] = tm_cell_real4(100 * compute / s->us);
	}
	if (r->reached)
		c[COL_REACHED_PCT] = tm_cell_real4(100 * flops / (double)r->reached / s->us);
	if (r->mbps && s->has_bytes)
		c[COL_MEMORY_PCT] = tm_cell_real4(100 * memory / s->us);
	if (r->mops && r->mbps && s->has_bytes) {
		c[COL_BOUND] = compute >= memory ? tm_cell_text("compute", 7)
		                                 : tm_cell_text("memory", 6);
		c[COL_LOST] = tm_cell_real4(s->us > least ? s->us - least : 0);
	}
	return !t->failed;
}

static bool put_gpu(const struct tm_gpu_seen *seen, struct tm_table *t, struct tm_cell *cell)
{
	struct tm_buf text = { 0 };

	if (tm_gpu_put_name(&text, seen) && !text.failed)
		*cell = tm_table_own(t, text.p, text.n);
	t->failed |= text.failed;
	tm_buf_fini(&text);
	return !t->failed;
}

static bool put_sample(const struct tm_lib_samples *a, const struct tm_lib_sample *s,
                       struct tm_table *t)
{
	const struct tm_gpu_seen seen = seen_of(a, s);
	struct tm_cell *c = tm_table_row(t);
	const char *rate = tm_lib_text(a, s->rate);
	struct tm_gpu_roof r = tm_gpu_roof(&seen, tm_gpu_type_of(tm_lib_text(a, s->types)), false);

	if (!c)
		return false;
	c[COL_SOURCE] = text_cell(a, s->source);
	c[COL_LINE] = tm_cell_u64(s->line);
	c[COL_LIBRARY] = text_cell(a, s->library);
	c[COL_OP] = text_cell(a, s->op);
	c[COL_PROBLEM] = text_cell(a, s->problem);
	c[COL_TYPES] = text_cell(a, s->types);
	c[COL_US] = tm_cell_real4(s->us);
	c[COL_FLOPS] = whole(s->flops);
	c[COL_GFLOPS] = tm_cell_real4((double)s->flops / s->us / 1e3);
	if (*rate)
		c[COL_PRINTED] = tm_cell_as_read(rate, strlen(rate));
	if (s->has_bytes) {
		c[COL_BYTES] = whole(s->bytes);
		c[COL_GBPS] = tm_cell_real4((double)s->bytes / s->us / 1e3);
		c[COL_INTENSITY] = tm_cell_real4((double)s->flops / (double)s->bytes);
	}
	return put_roof(s, &r, t, c) && put_gpu(&seen, t, &c[COL_GPU]);
}

static enum tm_status roofline_fill(void *acc, struct tm_table *t, struct tm_report *rep)
{
	static const size_t by[] = { COL_US };
	struct tm_lib_samples *all = &((struct acc *)acc)->all;
	bool ok = tm_lib_samples_make(all, rep);
	struct tm_diag d = { 0 };
	size_t left = 0;

	tm_table_init_list(t, columns);
	if (ok && all->o->gpu && !tm_gpu_is_product(all->o->gpu, &d)) {
		tm_report_diag(rep, NULL, &d);
		return TM_ST_END;
	}
	if (ok)
		tm_lib_samples_sort(all, true);
	for (size_t i = 0; ok && i < all->n; i++) {
		if (!all->v[i].has_flops || !all->v[i].has_us)
			left++;
		else
			ok = put_sample(all, &all->v[i], t);
	}
	if (!ok || t->failed || !tm_table_sort(t, by, sizeof by / sizeof *by))
		return TM_ST_FATAL;
	if (left)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "%zu measurement%s skipped: no time, or operations of the problem unknown",
		        left, left == 1 ? "" : "s");
	if (!t->nrows) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "no measurement with known operations");
		return TM_ST_END;
	}
	tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
	              "bytes are a lower bound: each operand is moved once, regardless of caches");
	return TM_ST_OK;
}

static void roofline_fini(void *acc)
{
	tm_lib_samples_fini(&((struct acc *)acc)->all);
}

const struct tm_question tm_lib_roofline = {
	.name = "roofline",
	.about = "how close measurements come to the peaks of the GPU",
	.columns = columns,
	.tables = true,
	.size = sizeof(struct acc),
	.init = roofline_init,
	.take = roofline_take,
	.fill = roofline_fill,
	.fini = roofline_fini,
};
