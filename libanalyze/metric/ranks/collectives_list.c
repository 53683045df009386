/* SPDX-License-Identifier: MIT
 * Every collective: who came last, and how long did the others wait?  metric/comm_match.h says
 * which kernels are one. */
#include "metric/ranks/comm_match.h"

enum {
	COL_COMM,
	COL_INDEX,
	COL_NAME,
	COL_RANKS,
	COL_BYTES,
	COL_SKEW,
	COL_MIN,
	COL_WAIT,
	COL_LAST,
	COL_BANDWIDTH,
	COL_N,
};

const struct tm_column tm_collective_columns[] = {
	[COL_COMM] = { .name = "comm",
	               .title = "COMM",
	               .about = "communicator, if the trace or a log names it",
	               .unit = TM_UNIT_TEXT },
	[COL_INDEX] = { .name = "index",
	                .title = "INDEX",
	                .about = "position in the order of starts, from 1",
	                .unit = TM_UNIT_ID },
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .about = "RCCL operation, else kernel name",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true },
	[COL_RANKS] = { .name = "ranks",
	                .title = "RANKS",
	                .about = "agents of all ranks that took part",
	                .unit = TM_UNIT_COUNT },
	[COL_BYTES] = { .name = "bytes",
	                .title = "BYTES",
	                .about = "size of all ranks' parts, if recorded",
	                .unit = TM_UNIT_BYTES },
	[COL_SKEW] = { .name = "arrival_skew_ns",
	               .title = "SKEW",
	               .about = "last start - first start; absent below the error of the clocks",
	               .unit = TM_UNIT_NS },
	[COL_MIN] = { .name = "min_dur_ns",
	              .title = "FASTEST",
	              .about = "shortest duration",
	              .unit = TM_UNIT_NS },
	[COL_WAIT] = { .name = "max_wait_ns",
	               .title = "WAIT",
	               .about = "longest duration - shortest duration",
	               .unit = TM_UNIT_NS,
	               .bar = true },
	[COL_LAST] = { .name = "last_rank",
	               .title = "LAST",
	               .about = "rank that started last; absent for a tie",
	               .unit = TM_UNIT_ID },
	[COL_BANDWIDTH] = { .name = "busbw_gb_per_s",
	                    .title = "BUSBW",
	                    .about = "bytes * bus factor / shortest duration, GB = 1e9 bytes",
	                    .unit = TM_UNIT_RATIO },
	[COL_N] = { 0 },
};

static void fill_row(const struct comm_row *row, struct tm_cell *cell)
{
	if (row->comm)
		cell[COL_COMM] = tm_cell_text(row->comm->text, row->comm->len);
	cell[COL_INDEX] = tm_cell_u64(row->place + 1);
	cell[COL_NAME] = tm_cell_text(row->name->text, row->name->len);
	cell[COL_RANKS] = tm_cell_u64(row->members);
	cell[COL_MIN] = tm_cell_u64(row->shortest);
	if (row->sized)
		cell[COL_BYTES] = tm_cell_u64(row->bytes);
	if (row->sized)
		cell[COL_BANDWIDTH] = tm_comm_bandwidth(row->bytes, row->num, row->den,
		                                        row->shortest);
	if (row->members > 1)
		cell[COL_WAIT] = tm_cell_u64(row->longest - row->shortest);
	if (row->compared && row->skewed)
		cell[COL_SKEW] = tm_cell_u64(row->skew);
	if (row->has_last)
		cell[COL_LAST] = tm_cell_u64(row->last_rank);
}

enum tm_status tm_fill_collectives(struct ranks *r, struct tm_table *t, struct tm_report *rep)
{
	struct comm_match *m = tm_comm_match_new(r);
	struct comm_row row;
	bool ok = m != NULL;

	tm_table_init_list(t, tm_collective_columns);
	if (ok && !tm_comm_match_any(m)) {
		tm_comm_match_free(m);
		tm_work_explain_nothing(&r->w, "kernels of class comm", rep);
		return TM_ST_END;
	}
	while (ok && tm_comm_match_next(m, &row)) {
		struct tm_cell *cell = tm_table_row(t);

		ok = cell != NULL;
		if (ok)
			fill_row(&row, cell);
	}
	if (ok)
		tm_comm_match_tell(m, rep);
	if (m)
		tm_comm_match_free(m);
	return ok ? TM_ST_OK : TM_ST_FATAL;
}
