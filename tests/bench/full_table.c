/* SPDX-License-Identifier: MIT
 * full_table - what it costs to read every column, not only the three that a top-N needs.
 *
 * Opens a trace with libanalyze, wants all columns, walks all batches and adds up each column over
 * the rows that have it (modulo 2^64; of a text column the lengths, for ids say nothing).  Prints
 * column,sum as CSV under the names of a rocprofv3 kernel trace, so that libcsv_top --sums can
 * check it. */

#include "io/source.h"
#include "model/event.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* As rocprofv3 heads them, so that libcsv_top --sums can check it. */
static const char *const titles[EVC_N] = {
	[EVC_NAME] = "Kernel_Name",        [EVC_DOMAIN] = "Domain",
	[EVC_START] = "Start_Timestamp",   [EVC_END] = "End_Timestamp",
	[EVC_AGENT] = "Agent_Id",          [EVC_QUEUE] = "Queue_Id",
	[EVC_STREAM] = "Stream_Id",        [EVC_PID] = "Process_Id",
	[EVC_TID] = "Thread_Id",           [EVC_CORR] = "Correlation_Id",
	[EVC_DISPATCH_ID] = "Dispatch_Id", [EVC_KERNEL_ID] = "Kernel_Id",
	[EVC_LDS] = "LDS_Block_Size",      [EVC_SCRATCH] = "Scratch_Size",
	[EVC_VGPR] = "VGPR_Count",         [EVC_ACCUM_VGPR] = "Accum_VGPR_Count",
	[EVC_SGPR] = "SGPR_Count",         [EVC_WG_X] = "Workgroup_Size_X",
	[EVC_WG_Y] = "Workgroup_Size_Y",   [EVC_WG_Z] = "Workgroup_Size_Z",
	[EVC_GRID_X] = "Grid_Size_X",      [EVC_GRID_Y] = "Grid_Size_Y",
	[EVC_GRID_Z] = "Grid_Size_Z",      [EVC_GUID] = "Guid",
};

static uint64_t rows, sum[EVC_N], seen;

static void add_batch(const struct batch *b)
{
	rows += b->n;
	seen |= b->some;
	for (unsigned c = 0; c < EVC_N; c++) {
		const uint64_t *v = b->col[c];
		uint64_t s = 0;

		if (!(b->some & EV_BIT(c)))
			continue;
		for (uint32_t i = 0; i < b->n; i++) {
			if (!batch_has(b, i, (enum ev_col)c))
				continue;
			s += ev_columns[c].type == EVT_NAME ? b->names->v[v[i]].len : v[i];
		}
		sum[c] += s;
	}
}

static int fail(const char *path, const struct diag *d)
{
	fprintf(stderr, "full_table: %s: %s\n", path, d->text);
	return 2;
}

int main(int argc, char **argv)
{
	struct diag d = { 0 };
	const struct batch *b;
	struct source *src;
	struct reader *r;
	enum status st;

	if (argc != 2) {
		fputs("usage: full_table FILE\n", stderr);
		return 2;
	}
	src = source_open(argv[1], &d);
	if (!src)
		return fail(argv[1], &d);
	r = reader_open(src, NULL, EV_ALL, NULL, &d);
	if (!r)
		return fail(argv[1], &d);
	while ((st = reader_next(r, &b, &d)) == ST_OK)
		add_batch(b);
	if (st != ST_END)
		return fail(argv[1], &d);
	if (r->loss.malformed || r->loss.reversed || r->loss.cut) {
		fprintf(stderr, "full_table: %s: some rows were left out\n", argv[1]);
		return 2;
	}
	puts("column,sum");
	printf("rows,%llu\n", (unsigned long long)rows);
	for (unsigned c = 0; c < EVC_N; c++)
		if (seen & EV_BIT(c)) {
			if (titles[c])
				printf("%s,%llu\n", titles[c], (unsigned long long)sum[c]);
			else
				printf("column %u,%llu\n", c, (unsigned long long)sum[c]);
		}
	reader_close(r);
	source_close(src);
	return fflush(stdout) ? 2 : 0;
}
