/* SPDX-License-Identifier: MIT
 * What is packed in a run.db of totals: names and rollups (read/packed.h). */
#include "read/sqlite/run_db.h"

bool tm_run_packed_names(struct run_db *t, struct tm_names *names)
{
	sqlite3_stmt *st = NULL;
	bool ok = sqlite3_prepare_v2(t->db, "SELECT first,bytes FROM packed_name ORDER BY first",
	                             -1, &st, NULL) == SQLITE_OK;
	int rc = SQLITE_ERROR;

	while (ok && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		const void *p = sqlite3_column_blob(st, 1);
		bool bad = false;

		ok = sqlite3_column_int64(st, 0) == names->n &&
		     sqlite3_column_type(st, 1) == SQLITE_BLOB && p;
		if (!ok)
			break;
		ok = tm_packed_names_get(p, (size_t)sqlite3_column_bytes(st, 1), names, &bad);
		t->starved |= !ok && !bad;
	}
	sqlite3_finalize(st);
	return ok && rc == SQLITE_DONE;
}

bool tm_run_packed_prepare(struct run_db *t)
{
	return sqlite3_prepare_v2(
	               t->db,
	               "SELECT input,bytes FROM packed_rollup WHERE id>=?1 AND id<?2 ORDER BY id",
	               -1, &t->select[PACKED], NULL) == SQLITE_OK;
}

/* Is all there is in table packed_whole of the inputs that there are? */
static bool fits(struct run_db *t)
{
	sqlite3_stmt *st = NULL;
	sqlite3_int64 rollups = 0;
	bool ok;

	for (size_t i = 0; i < t->ninputs; i++)
		for (int k = ROLLUPS; k <= PACKED; k++)
			if (__builtin_add_overflow(rollups, t->input[i].extent[k].rows, &rollups))
				return false;
	ok = sqlite3_prepare_v2(t->db,
	                        "SELECT count(*)>0 AND min(inputs=?1 AND rollups=?2) "
	                        "FROM packed_whole",
	                        -1, &st, NULL) == SQLITE_OK;
	if (ok) {
		sqlite3_bind_int64(st, 1, (sqlite3_int64)t->ninputs);
		sqlite3_bind_int64(st, 2, rollups);
		ok = sqlite3_step(st) == SQLITE_ROW && sqlite3_column_int(st, 0);
	}
	sqlite3_finalize(st);
	return ok;
}

bool tm_run_whole_prepare(struct run_db *t)
{
	if (t->version >= RUN_WHOLE && t->ninputs && fits(t) &&
	    sqlite3_prepare_v2(t->db,
	                       "SELECT NULL,bytes FROM packed_whole WHERE id>=?1 AND id<?2 "
	                       "ORDER BY id",
	                       -1, &t->select[WHOLE], NULL) == SQLITE_OK) {
		t->whole = true;
		t->input[0].extent[WHOLE] = (struct extent_of) { 1, INT64_MAX - 1 };
	}
	t->starved |= sqlite3_errcode(t->db) == SQLITE_NOMEM;
	return !t->starved;
}

int tm_run_packed_step(struct run_db *t)
{
	sqlite3_stmt *st = t->select[t->table];
	int rc;

	if (tm_run_is_packed(t->table) && t->rollups.left)
		return SQLITE_ROW;
	rc = sqlite3_step(st);
	if (rc != SQLITE_ROW || !tm_run_is_packed(t->table))
		return rc;
	if (sqlite3_column_type(st, 1) != SQLITE_BLOB)
		return SQLITE_CORRUPT;
	if (tm_rollups_open(&t->rollups, sqlite3_column_blob(st, 1),
	                    (size_t)sqlite3_column_bytes(st, 1)))
		return SQLITE_ROW;
	t->starved |= !t->rollups.bad;
	return SQLITE_CORRUPT;
}

static void put_cell(struct run_db *t, enum tm_ev_col col, uint64_t v, uint32_t row, tm_ev_set *has)
{
	t->batch.col[col][row] = v;
	*has |= TM_EV_BIT(col);
}

bool tm_run_packed_row(struct run_db *t, uint32_t row, tm_ev_set *has)
{
	static const enum tm_ev_col total[] = { TM_EVC_TOTAL, TM_EVC_TOTAL_HI },
	                            squares[] = { TM_EVC_SQUARES_0, TM_EVC_SQUARES_1,
		                                  TM_EVC_SQUARES_2 };
	const uint32_t names = t->batch.names->n;
	const size_t at = t->bytes.n;
	struct tm_rollup r;

	if (!tm_rollups_next(&t->rollups, &r) || (r.name != TM_NAME_NONE && r.name >= names) ||
	    (r.counter != TM_NAME_NONE && r.counter >= names) ||
	    (r.has_agent && r.agent >> 32 > TM_AGENT_CPU) || (r.timed && r.name == TM_NAME_NONE) ||
	    at + r.sketch_n > UINT32_MAX)
		return false;
	put_cell(t, TM_EVC_DOMAIN, r.domain, row, has);
	put_cell(t, TM_EVC_CALLS, r.calls, row, has);
	if (r.name != TM_NAME_NONE)
		put_cell(t, TM_EVC_NAME, r.name, row, has);
	if (r.counter != TM_NAME_NONE)
		put_cell(t, TM_EVC_COUNTER, r.counter, row, has);
	if (r.has_agent)
		put_cell(t, TM_EVC_AGENT, r.agent, row, has);
	if (!r.timed)
		return true;
	for (int i = 0; i < 2; i++)
		put_cell(t, total[i], r.total[i], row, has);
	for (int i = 0; i < 3; i++)
		put_cell(t, squares[i], r.squares[i], row, has);
	put_cell(t, TM_EVC_MIN, r.min, row, has);
	put_cell(t, TM_EVC_MAX, r.max, row, has);
	put_cell(t, TM_EVC_SKETCH, (uint64_t)at << 32 | r.sketch_n, row, has);
	return !r.sketch_n || tm_buf_add(&t->bytes, r.sketch, r.sketch_n);
}
