/* SPDX-License-Identifier: MIT
 * roctx_trace_*.csv of rocprofv2's file plugin: points in time that open and close ranges.
 *
 * A row has an id, a message and a time, but neither thread nor kind.  Id 0 is roctxMark and
 * push/pop, other ids are start/stop; a row without a message closes the last open row of its id.
 * Messages that nothing closes were marks: start and end are the same. */
#include "base/base.h"
#include "read/batch.h"
#include "read/csv/csv.h"
#include "read/open.h"

enum { M_DOMAIN, M_ID, M_MESSAGE, M_TIME, M_N };

static const struct csv_bind binds[M_N] = {
	[M_DOMAIN] = { .names = "Domain", .type = CSV_WORD, .required = true },
	[M_ID] = { .names = "ROCTX_ID", .type = CSV_NUMBER, .required = true },
	[M_MESSAGE] = { .names = "Message", .type = CSV_WORD, .required = true },
	[M_TIME] = { .names = "Timestamp", .type = CSV_NUMBER, .required = true },
};

struct markers {
	struct csv_small table;
	struct tm_ev_rows out;
	struct open_set open;
	size_t left; /* next of the never closed ones to give out */
	bool ended, dead;
	struct tm_diag why;
};

static unsigned markers_bid(const unsigned char *p, size_t n, bool whole)
{
	return tm_csv_small_bid(binds, M_N, p, n, whole);
}

static enum tm_status markers_open(struct tm_reader *r, struct tm_diag *d)
{
	static const int text[] = { M_MESSAGE, -1 };
	struct markers *m = r->priv;

	m->out.b.kind = TM_EV_API;
	r->table = "marker trace";
	r->producer = "rocprofv2 5.7 or later";
	r->clock = "boottime";
	m->table.reader = r;
	if (tm_csv_small_open(&m->table, r->src, binds, M_N, text, d) != TM_ST_OK)
		return TM_ST_FATAL;
	r->lines = tm_csv_small_lines(&m->table);
	return TM_ST_OK;
}

static bool out_of_memory(struct markers *m)
{
	m->dead = true;
	tm_diag_oom(&m->why);
	return false;
}

/* A range, or a mark when it ends where it starts.  False when out of memory. */
static bool give(struct tm_reader *r, const struct open_item *item, uint64_t end)
{
	struct markers *m = r->priv;
	struct tm_ev_row row = { 0 };

	if (end < item->start) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_REVERSED, item->line);
		return true;
	}
	tm_ev_put(&row, TM_EVC_NAME, item->name);
	tm_ev_put(&row, TM_EVC_DOMAIN, TM_DOMAIN_MARKER);
	tm_ev_put(&row, TM_EVC_START, item->start);
	tm_ev_put(&row, TM_EVC_END, end);
	if (!tm_ev_rows_add(&m->out, &row))
		return out_of_memory(m);
	r->loss.rows++;
	return true;
}

/* One row of the table.  False when out of memory. */
static bool take_row(struct tm_reader *r, const struct tm_small_field *f, uint64_t line)
{
	struct markers *m = r->priv;
	struct open_item item = { .line = line, .domain = TM_DOMAIN_MARKER };
	struct open_item begun;

	if (!tm_num_u64(f[M_ID].p, f[M_ID].n, &item.key) ||
	    !tm_num_u64(f[M_TIME].p, f[M_TIME].n, &item.start) ||
	    (!f[M_MESSAGE].n && !tm_open_take(&m->open, item.key, TM_DOMAIN_MARKER, &begun))) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, line);
		return true;
	}
	if (!f[M_MESSAGE].n)
		return give(r, &begun, item.start);
	item.name = tm_names_add(&r->names, f[M_MESSAGE].p, f[M_MESSAGE].n);
	return (item.name != TM_NAME_NONE && tm_open_add(&m->open, &item)) || out_of_memory(m);
}

/* The next row, or the next of those nothing closed; false at the end of both, or when dead. */
static bool step(struct tm_reader *r)
{
	struct markers *m = r->priv;
	const struct tm_small_field *f;
	uint64_t line;

	if (!m->ended) {
		enum tm_status st = tm_csv_small_next(&m->table, &r->loss, &f, &line, &m->why);

		r->lines = tm_csv_small_lines(&m->table);
		if (st == TM_ST_OK)
			return take_row(r, f, line);
		m->ended = true;
		m->dead = st == TM_ST_FATAL;
	}
	while (m->left < m->open.n) {
		const struct open_item *item = &m->open.v[m->left++];

		if (item->live)
			return give(r, item, item->start);
	}
	return false;
}

static enum tm_status markers_next(struct tm_reader *r, const struct tm_batch **b,
                                   struct tm_diag *d)
{
	struct markers *m = r->priv;

	while (tm_ev_rows_n(&m->out) < TM_BATCH_ROWS && step(r))
		continue;
	return tm_ev_rows_next(&m->out, 1, &r->names, m->dead ? &m->why : NULL, b, d);
}

static void markers_close(struct tm_reader *r)
{
	struct markers *m = r->priv;

	tm_csv_small_fini(&m->table);
	tm_ev_rows_fini(&m->out);
	tm_open_fini(&m->open);
}

const struct tm_reader_ops tm_reader_rocprofv2_markers = {
	.name = "rocprofv2-markers",
	.about = "rocprofv2 file plugin: roctx_trace (ranges are assembled from their begin and "
	         "end records)",
	.bid = markers_bid,
	.priv_size = sizeof(struct markers),
	.open = markers_open,
	.next = markers_next,
	.close = markers_close,
};
