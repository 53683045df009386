/* SPDX-License-Identifier: MIT
 * agent_info.csv of rocprofv3 (53 columns, the same in all versions) and of rocpd convert (more of
 * them): which agents the machine has.  Written once per process; times play no part. */
#include "base/base.h"
#include "read/csv/csv_small.h"

enum { A_NODE, A_TYPE, A_NAME, A_LOGICAL, A_PRODUCT, A_CUS, A_GFX, A_DEVICE, A_MHZ, A_XCCS, A_N };

static const struct csv_bind binds[A_N] = {
	[A_NODE] = { .names = "Node_Id", .type = CSV_NUMBER, .required = true },
	[A_TYPE] = { .names = "Agent_Type", .type = CSV_WORD, .required = true },
	[A_NAME] = { .names = "Name", .type = CSV_WORD, .required = true },
	[A_LOGICAL] = { .names = "Logical_Node_Id", .type = CSV_NUMBER },
	[A_PRODUCT] = { .names = "Product_Name", .type = CSV_WORD },
	[A_CUS] = { .names = "Cu_Count", .type = CSV_NUMBER },
	[A_GFX] = { .names = "Gfx_Target_Version", .type = CSV_NUMBER },
	[A_DEVICE] = { .names = "Device_Id", .type = CSV_NUMBER },
	[A_MHZ] = { .names = "Max_Engine_Clk_Fcompute", .type = CSV_NUMBER },
	[A_XCCS] = { .names = "Num_Xcc", .type = CSV_NUMBER },
};

struct agents {
	struct csv_small table;
	struct tm_ev_rows out;
	bool dead;
	struct tm_diag why;
};

static unsigned agents_bid(const unsigned char *p, size_t n, bool whole)
{
	return tm_csv_small_bid(binds, A_N, p, n, whole);
}

static enum tm_status agents_open(struct tm_reader *r, struct tm_diag *d)
{
	/* A marketing name is the likeliest to hold a comma. */
	static const int text[] = { A_PRODUCT, A_NAME, -1 };
	struct agents *a = r->priv;

	a->out.b.kind = TM_EV_AGENT;
	r->table = "agent information";
	r->producer = "rocprofv3 6.2 or later, or rocpd convert";
	a->table.reader = r;
	if (tm_csv_small_open(&a->table, r->src, binds, A_N, text, d) != TM_ST_OK)
		return TM_ST_FATAL;
	r->lines = tm_csv_small_lines(&a->table);
	return TM_ST_OK;
}

/* An optional number: false when it is there and none. */
static bool take_u64(const struct agents *a, const struct tm_small_field *f, int bind,
                     enum tm_ev_col c, struct tm_ev_row *row)
{
	uint64_t v;

	if (!tm_csv_small_has(&a->table, (size_t)bind) || !f[bind].n)
		return true;
	if (!tm_num_u64_any(f[bind].p, f[bind].n, &v))
		return false;
	tm_ev_put(row, c, v);
	return true;
}

/* The numbers of a row. */
static bool take_row(const struct agents *a, const struct tm_small_field *f, struct tm_ev_row *row)
{
	uint64_t number;

	row->has = 0;
	if (!take_u64(a, f, A_NODE, TM_EVC_NODE, row) || !(row->has & TM_EV_BIT(TM_EVC_NODE)) ||
	    !take_u64(a, f, A_CUS, TM_EVC_CUS, row) || !take_u64(a, f, A_GFX, TM_EVC_GFX, row) ||
	    !take_u64(a, f, A_DEVICE, TM_EVC_DEVICE, row) ||
	    !take_u64(a, f, A_MHZ, TM_EVC_MHZ, row) || !take_u64(a, f, A_XCCS, TM_EVC_XCCS, row))
		return false;
	number = row->v[TM_EVC_NODE];
	if (tm_csv_small_has(&a->table, A_LOGICAL) && f[A_LOGICAL].n &&
	    !tm_num_u64_any(f[A_LOGICAL].p, f[A_LOGICAL].n, &number))
		return false;
	if (number > UINT32_MAX)
		return false;
	tm_ev_put(row, TM_EVC_AGENT, tm_agent_pack(TM_AGENT_NODE, (uint32_t)number));
	return true;
}

/* False when out of memory. */
static bool take_name(struct tm_reader *r, const struct tm_small_field *f, int bind,
                      enum tm_ev_col c, struct tm_ev_row *row)
{
	const struct agents *a = r->priv;
	uint32_t id;

	if (!tm_csv_small_has(&a->table, (size_t)bind) || !f[bind].n)
		return true;
	id = tm_names_add(&r->names, f[bind].p, f[bind].n);
	if (id == TM_NAME_NONE)
		return false;
	tm_ev_put(row, c, id);
	return true;
}

static enum tm_status agents_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct agents *a = r->priv;

	while (!a->dead && tm_ev_rows_n(&a->out) < TM_BATCH_ROWS) {
		const struct tm_small_field *f;
		struct tm_ev_row row;
		enum tm_status st;
		uint64_t line;

		st = tm_csv_small_next(&a->table, &r->loss, &f, &line, &a->why);
		r->lines = tm_csv_small_lines(&a->table);
		if (st == TM_ST_FATAL)
			a->dead = true;
		if (st != TM_ST_OK)
			break;
		if (!take_row(a, f, &row)) {
			tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, line);
			continue;
		}
		if (!take_name(r, f, A_NAME, TM_EVC_NAME, &row) ||
		    !take_name(r, f, A_TYPE, TM_EVC_TYPE, &row) ||
		    !take_name(r, f, A_PRODUCT, TM_EVC_PRODUCT, &row) ||
		    !tm_ev_rows_add(&a->out, &row)) {
			a->dead = true;
			tm_diag_oom(&a->why);
			break;
		}
		r->loss.rows++;
	}
	return tm_ev_rows_next(&a->out, 1, &r->names, a->dead ? &a->why : NULL, b, d);
}

static void agents_close(struct tm_reader *r)
{
	struct agents *a = r->priv;

	tm_csv_small_fini(&a->table);
	tm_ev_rows_fini(&a->out);
}

const struct tm_reader_ops tm_reader_rocprof_agents = {
	.name = "rocprof-agents",
	.about = "the agents of the machine, from rocprofv3 (*_agent_info.csv)",
	.bid = agents_bid,
	.priv_size = sizeof(struct agents),
	.open = agents_open,
	.next = agents_next,
	.close = agents_close,
};
