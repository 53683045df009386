/* SPDX-License-Identifier: MIT
 * kstats roofline --peaks: what the GPUs can do, as schemas/products.def and peaks.def have it. */
#include "metric/inside/roofline.h"

#include <math.h>
#include <string.h>

enum {
	PEAK_GPU,
	PEAK_ARCH,
	PEAK_CUS,
	PEAK_MHZ,
	PEAK_TYPE,
	PEAK_UNIT,
	PEAK_RATE,
	PEAK_THEORY,
	PEAK_PUBLISHED,
	PEAK_MEMORY,
	PEAK_SOURCE,
	PEAK_N
};

const struct tm_column tm_roofline_peaks_columns[] = {
	[PEAK_GPU] = { .name = "gpu",
	               .title = "GPU",
	               .unit = TM_UNIT_TEXT,
	               .about = "product; MI250 and MI250X: one of the two dies" },
	[PEAK_ARCH] = { .name = "arch",
	                .title = "ARCH",
	                .unit = TM_UNIT_TEXT,
	                .about = "its architecture" },
	[PEAK_CUS] = { .name = "cus",
	               .title = "CUS",
	               .unit = TM_UNIT_COUNT,
	               .about = "compute units" },
	[PEAK_MHZ] = { .name = "max_mhz",
	               .title = "MHZ",
	               .unit = TM_UNIT_COUNT,
	               .about = "maximum clock" },
	[PEAK_TYPE] = { .name = "type",
	                .title = "TYPE",
	                .unit = TM_UNIT_TEXT,
	                .about = "operand data type" },
	[PEAK_UNIT] = { .name = "unit",
	                .title = "UNIT",
	                .unit = TM_UNIT_TEXT,
	                .about = "matrix, vector, or vector, packed: two operations in one "
	                         "instruction" },
	[PEAK_RATE] = { .name = "ops_per_clock",
	                .title = "OPS/CLOCK",
	                .unit = TM_UNIT_COUNT,
	                .about = "dense operations per clock and compute unit; a multiply-add is "
	                         "two" },
	[PEAK_THEORY] = { .name = "theory_tflops",
	                  .title = "THEORY",
	                  .unit = TM_UNIT_RATIO,
	                  .about = "cus x max_mhz x ops_per_clock, 10^12 operations per second" },
	[PEAK_PUBLISHED] = { .name = "published_tflops",
	                     .title = "PUBLISHED",
	                     .unit = TM_UNIT_RATIO,
	                     .about = "published maximum of a matrix product" },
	[PEAK_MEMORY] = { .name = "memory_gb_per_s",
	                  .title = "MEMORY",
	                  .unit = TM_UNIT_RATIO,
	                  .about = "theoretical memory bandwidth, 10^9 bytes per second" },
	[PEAK_SOURCE] = { .name = "source",
	                  .title = "SOURCE",
	                  .unit = TM_UNIT_TEXT,
	                  .spare = 1,
	                  .about = "source of theory and published maximum" },
	[PEAK_N] = { .name = NULL },
};

static struct tm_cell word(const char *s)
{
	return tm_cell_text(s, strlen(s));
}

static struct tm_cell known(uint64_t v)
{
	return v ? tm_cell_u64(v) : tm_cell_none();
}

static bool put_peak(struct tm_table *t, const struct tm_gpu_product *p, enum tm_gpu_type type,
                     enum tm_gpu_unit unit)
{
	const struct tm_gpu_seen seen = { .name = p->name, .len = strlen(p->name) };
	struct tm_cell *c = tm_table_row(t);
	struct tm_buf arch = { 0 };
	uint64_t mops;

	if (!c)
		return false;
	tm_gpu_put_gfx(&arch, p->gfx);
	c[PEAK_ARCH] = arch.failed ? tm_cell_none() : tm_table_own(t, arch.p, arch.n);
	t->failed |= arch.failed;
	tm_buf_fini(&arch);
	c[PEAK_GPU] = word(p->name);
	c[PEAK_CUS] = known(p->cus);
	c[PEAK_MHZ] = known(p->mhz);
	c[PEAK_TYPE] = word(tm_gpu_type_text(type));
	c[PEAK_UNIT] = word(tm_gpu_unit_text(unit));
	c[PEAK_RATE] = tm_cell_u64(tm_gpu_rate(p->gfx, type, unit));
	c[PEAK_SOURCE] = word("compute units, clock and operations");
	if (tm_gpu_peak(&seen, type, unit, &mops))
		c[PEAK_THEORY] = tm_cell_ratio(0, mops, 1000000);
	if (tm_gpu_reached(&seen, type, unit, &mops)) {
		c[PEAK_PUBLISHED] = tm_cell_ratio(0, mops, 1000000);
		c[PEAK_SOURCE] = word("compute units, clock and operations; AMD, ROCm blogs");
	}
	if (p->memory_gb_per_s > 0)
		c[PEAK_MEMORY] = tm_cell_real4(p->memory_gb_per_s);
	return !t->failed;
}

static bool put_product(struct tm_table *t, const struct tm_gpu_product *p)
{
	for (int type = 0; type < TM_GPU_TYPES; type++)
		for (int unit = 0; unit < TM_GPU_UNITS; unit++)
			if (tm_gpu_rate(p->gfx, (enum tm_gpu_type)type, (enum tm_gpu_unit)unit) &&
			    !put_peak(t, p, (enum tm_gpu_type)type, (enum tm_gpu_unit)unit))
				return false;
	return true;
}

bool tm_roofline_peaks(const void *own, struct tm_table *t, struct tm_diag *d)
{
	const struct roofline_own *o = own;
	const struct tm_gpu_seen one = { .name = o->gpu, .len = o->gpu ? strlen(o->gpu) : 0 };
	const struct tm_gpu_product *p;

	if (o->gpu)
		return tm_gpu_is_product(o->gpu, d) && put_product(t, tm_gpu_product(&one));
	for (size_t i = 0; (p = tm_gpu_product_at(i)) != NULL; i++)
		if (!put_product(t, p))
			return false;
	return true;
}
