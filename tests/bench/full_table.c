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
static const char *const titles[TM_EVC_N] = {
	[TM_EVC_NAME] = "Kernel_Name",        [TM_EVC_DOMAIN] = "Domain",
	[TM_EVC_START] = "Start_Timestamp",   [TM_EVC_END] = "End_Timestamp",
	[TM_EVC_AGENT] = "Agent_Id",          [TM_EVC_QUEUE] = "Queue_Id",
	[TM_EVC_STREAM] = "Stream_Id",        [TM_EVC_PID] = "Process_Id",
	[TM_EVC_TID] = "Thread_Id",           [TM_EVC_CORR] = "Correlation_Id",
	[TM_EVC_DISPATCH_ID] = "Dispatch_Id", [TM_EVC_KERNEL_ID] = "Kernel_Id",
	[TM_EVC_LDS] = "LDS_Block_Size",      [TM_EVC_SCRATCH] = "Scratch_Size",
	[TM_EVC_VGPR] = "VGPR_Count",         [TM_EVC_ACCUM_VGPR] = "Accum_VGPR_Count",
	[TM_EVC_SGPR] = "SGPR_Count",         [TM_EVC_WG_X] = "Workgroup_Size_X",
	[TM_EVC_WG_Y] = "Workgroup_Size_Y",   [TM_EVC_WG_Z] = "Workgroup_Size_Z",
	[TM_EVC_GRID_X] = "Grid_Size_X",      [TM_EVC_GRID_Y] = "Grid_Size_Y",
	[TM_EVC_GRID_Z] = "Grid_Size_Z",      [TM_EVC_GUID] = "Guid",
};

static uint64_t rows, sum[TM_EVC_N];
static tm_ev_set seen;

static void add_batch(const struct tm_batch *b)
{
	rows += b->n;
	seen |= b->some;
	for (unsigned c = 0; c < TM_EVC_N; c++) {
		const uint64_t *v = b->col[c];
		uint64_t s = 0;

		if (!(b->some & TM_EV_BIT(c)))
			continue;
		for (uint32_t i = 0; i < b->n; i++) {
			if (!tm_batch_has(b, i, (enum tm_ev_col)c))
				continue;
			s += tm_ev_columns[c].type == TM_EVT_NAME ? b->names->v[v[i]].len : v[i];
		}
		sum[c] += s;
	}
}

static int fail(const char *path, const struct tm_diag *d)
{
	fprintf(stderr, "full_table: %s: %s\n", path, d->text);
	return 2;
}

int main(int argc, char **argv)
{
	struct tm_diag d = { 0 };
	const struct tm_batch *b;
	struct tm_source *src;
	struct tm_reader *r;
	enum tm_status st;

	if (argc != 2) {
		fputs("usage: full_table FILE\n", stderr);
		return 2;
	}
	src = tm_source_open(argv[1], &d);
	if (!src)
		return fail(argv[1], &d);
	r = tm_reader_open(src, NULL, TM_EV_ALL, NULL, &d);
	if (!r)
		return fail(argv[1], &d);
	while ((st = tm_reader_next(r, &b, &d)) == TM_ST_OK)
		add_batch(b);
	if (st != TM_ST_END)
		return fail(argv[1], &d);
	if (tm_loss_skipped(&r->loss)) {
		fprintf(stderr, "full_table: %s: some rows were left out\n", argv[1]);
		return 2;
	}
	puts("column,sum");
	printf("rows,%llu\n", (unsigned long long)rows);
	for (unsigned c = 0; c < TM_EVC_N; c++)
		if (seen & TM_EV_BIT(c)) {
			if (titles[c])
				printf("%s,%llu\n", titles[c], (unsigned long long)sum[c]);
			else
				printf("column %u,%llu\n", c, (unsigned long long)sum[c]);
		}
	tm_reader_close(r);
	tm_source_close(src);
	return fflush(stdout) ? 2 : 0;
}
