/* SPDX-License-Identifier: MIT
 * How matrix kernels work, as far as their names say: kstats gemm --tiles, and what types the
 * matrix time is of: --types. */
#include "metric/gemm_tiles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	TILE_NAME,
	TILE_CLASS,
	TILE_CALLS,
	TILE_TOTAL,
	TILE_KERNEL_PCT,
	TILE_LIBRARY,
	TILE_TYPE,
	TILE_INSTRUCTION,
	TILE_TILE,
	TILE_SPLIT,
	TILE_STREAM,
	TILE_N,
};

const struct tm_column tm_gemm_tiles_columns[] = {
	[TILE_NAME] = { .name = "name",
	                .title = "NAME",
	                .unit = TM_UNIT_TEXT,
	                .elastic = true,
	                .about = "kernel counted as matrix work" },
	[TILE_CLASS] = { .name = "class",
	                 .title = "CLASS",
	                 .unit = TM_UNIT_TEXT,
	                 .about = "class it counts as" },
	[TILE_CALLS] = { .name = "calls",
	                 .title = "CALLS",
	                 .unit = TM_UNIT_COUNT,
	                 .about = "dispatches" },
	[TILE_TOTAL] = { .name = "total_ns",
	                 .title = "TOTAL",
	                 .unit = TM_UNIT_NS,
	                 .about = "total duration" },
	[TILE_KERNEL_PCT] = { .name = "kernel_pct",
	                      .title = "KERNEL%",
	                      .unit = TM_UNIT_PCT,
	                      .bar = true,
	                      .about = "share of the sum of all kernel durations" },
	[TILE_LIBRARY] = { .name = "library",
	                   .title = "LIBRARY",
	                   .unit = TM_UNIT_TEXT,
	                   .spare = 2,
	                   .about = "library, from the name: tensile, ck, ck_tile, aiter, miopen, "
	                            "triton, rocblas" },
	[TILE_TYPE] = { .name = "type",
	                .title = "TYPE",
	                .unit = TM_UNIT_TEXT,
	                .about = "input data type" },
	[TILE_INSTRUCTION] = { .name = "instruction",
	                       .title = "UNIT",
	                       .unit = TM_UNIT_TEXT,
	                       .about = "mfma, wmma, matrix (one of these) or valu" },
	[TILE_TILE] = { .name = "tile",
	                .title = "TILE",
	                .unit = TM_UNIT_TEXT,
	                .about = "workgroup tile: rows x columns x depth of a step" },
	[TILE_SPLIT] = { .name = "split_k",
	                 .title = "SPLIT",
	                 .unit = TM_UNIT_TEXT,
	                 .spare = 1,
	                 .about = "workgroups per tile, or yes" },
	[TILE_STREAM] = { .name = "stream_k",
	                  .title = "STREAM-K",
	                  .unit = TM_UNIT_TEXT,
	                  .spare = 1,
	                  .about = "yes or no" },
	[TILE_N] = { .name = NULL },
};

enum {
	TYPE_TYPE,
	TYPE_INSTRUCTION,
	TYPE_KERNELS,
	TYPE_CALLS,
	TYPE_TOTAL,
	TYPE_MATRIX,
	TYPE_PCT,
	TYPE_N
};

const struct tm_column tm_gemm_types_columns[] = {
	[TYPE_TYPE] = { .name = "type",
	                .title = "TYPE",
	                .unit = TM_UNIT_TEXT,
	                .about = "input data type; absent if not in the names" },
	[TYPE_INSTRUCTION] = { .name = "instruction",
	                       .title = "UNIT",
	                       .unit = TM_UNIT_TEXT,
	                       .about = "mfma, wmma, matrix (one of these) or valu" },
	[TYPE_KERNELS] = { .name = "kernels",
	                   .title = "KERNELS",
	                   .unit = TM_UNIT_COUNT,
	                   .about = "distinct names" },
	[TYPE_CALLS] = { .name = "calls",
	                 .title = "CALLS",
	                 .unit = TM_UNIT_COUNT,
	                 .about = "dispatches" },
	[TYPE_TOTAL] = { .name = "total_ns",
	                 .title = "TOTAL",
	                 .unit = TM_UNIT_NS,
	                 .about = "total duration" },
	[TYPE_MATRIX] = { .name = "matrix_pct",
	                  .title = "MATRIX%",
	                  .unit = TM_UNIT_PCT,
	                  .bar = true,
	                  .about = "share of the total_ns of row matrix" },
	[TYPE_PCT] = { .name = "kernel_pct",
	               .title = "KERNEL%",
	               .unit = TM_UNIT_PCT,
	               .about = "share of the sum of all kernel durations" },
	[TYPE_N] = { .name = NULL },
};

static struct tm_cell word(const char *s)
{
	return s ? tm_cell_text(s, strlen(s)) : tm_cell_none();
}

static struct tm_cell ns(tm_u128 total)
{
	return total >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)total);
}

static bool counts(const struct share_name *n)
{
	return tm_gemm_counts(n->class_name, GEMM_MATRIX) && !n->before;
}

struct tm_cell tm_gemm_tile(struct tm_table *t, const struct tm_kernel_facts *f)
{
	char text[80];
	int n = snprintf(text, sizeof text, "%" PRIu64 "x%" PRIu64, f->m, f->n);

	if (!f->m)
		return tm_cell_none();
	if (f->k)
		n += snprintf(text + n, sizeof text - (size_t)n, "x%" PRIu64, f->k);
	return tm_table_own(t, text, (size_t)n);
}

static struct tm_cell split(struct tm_table *t, const struct tm_kernel_facts *f)
{
	char text[24];
	int n = snprintf(text, sizeof text, "%" PRIu64, f->split_k);

	if (f->split_k)
		return tm_table_own(t, text, (size_t)n);
	return f->split ? tm_cell_text("yes", 3) : tm_cell_none();
}

bool tm_gemm_tiles_rows(const struct share_sum *s, struct tm_table *t)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct share_name *n = &s->name[i];
		struct tm_kernel_facts f;
		struct tm_cell *c;

		if (!counts(n))
			continue;
		f = tm_kernel_facts(n->text.text, n->text.len);
		c = tm_table_row(t);
		if (!c)
			return false;
		c[TILE_NAME] = tm_cell_text(n->text.text, n->text.len);
		c[TILE_CLASS] = word(n->class_name);
		c[TILE_CALLS] = tm_cell_u64(n->calls);
		c[TILE_TOTAL] = ns(n->total);
		c[TILE_KERNEL_PCT] = tm_cell_pct(n->total, s->total);
		c[TILE_LIBRARY] = word(f.library);
		c[TILE_TYPE] = word(f.type);
		c[TILE_INSTRUCTION] = word(f.instruction);
		c[TILE_TILE] = tm_gemm_tile(t, &f);
		c[TILE_SPLIT] = split(t, &f);
		c[TILE_STREAM] = word(f.stream_k);
	}
	return !t->failed;
}

/* Kernels of one type and instruction. */
struct mix {
	const char *type, *instruction; /* "" = not said */
	uint64_t kernels, calls;
	tm_u128 total;
};

static int by_total(const void *pa, const void *pb)
{
	const struct mix *a = pa, *b = pb;
	int c = strcmp(a->type, b->type);

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return c ? c : strcmp(a->instruction, b->instruction);
}

static void mix_add(struct mix *v, size_t *n, const struct share_name *name)
{
	struct tm_kernel_facts f = tm_kernel_facts(name->text.text, name->text.len);
	const char *type = f.type ? f.type : "", *unit = f.instruction ? f.instruction : "";
	size_t i = 0;

	while (i < *n && (strcmp(v[i].type, type) != 0 || strcmp(v[i].instruction, unit) != 0))
		i++;
	if (i == *n)
		v[(*n)++] = (struct mix) { .type = type, .instruction = unit };
	v[i].kernels++;
	v[i].calls += name->calls;
	v[i].total += name->total;
}

bool tm_gemm_types_rows(const struct share_sum *s, struct tm_table *t)
{
	struct mix *v = calloc(s->n + 1, sizeof *v);
	tm_u128 matrix = 0;
	size_t n = 0;
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < s->n; i++)
		if (counts(&s->name[i])) {
			matrix += s->name[i].total;
			mix_add(v, &n, &s->name[i]);
		}
	if (ok && n)
		qsort(v, n, sizeof *v, by_total);
	for (size_t i = 0; ok && i < n; i++) {
		struct tm_cell *c = tm_table_row(t);

		ok = c != NULL;
		if (!ok)
			break;
		c[TYPE_TYPE] = word(*v[i].type ? v[i].type : NULL);
		c[TYPE_INSTRUCTION] = word(*v[i].instruction ? v[i].instruction : NULL);
		c[TYPE_KERNELS] = tm_cell_u64(v[i].kernels);
		c[TYPE_CALLS] = tm_cell_u64(v[i].calls);
		c[TYPE_TOTAL] = ns(v[i].total);
		c[TYPE_MATRIX] = tm_cell_pct(v[i].total, matrix);
		c[TYPE_PCT] = tm_cell_pct(v[i].total, s->total);
	}
	free(v);
	return ok && !t->failed;
}
