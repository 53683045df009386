/* SPDX-License-Identifier: MIT */
#include "read/cells.h"

#include <string.h>

static bool is(const char *p, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(p, word, n);
}

unsigned tm_cell_find(const char *name, size_t n)
{
	static const struct {
		const char *word;
		enum tm_cell_code code;
	} others[] = { { "kind", TM_CELL_KIND },
		       { "rank", TM_CELL_RANK },
		       { "class", TM_CELL_DERIVED },
		       { "direction", TM_CELL_DERIVED } };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (is(name, n, others[i].word))
			return others[i].code;
	for (unsigned c = 0; c < TM_EVC_N; c++)
		if (is(name, n, tm_ev_columns[c].word))
			return c;
	return TM_CELL_UNKNOWN;
}

bool tm_cell_needed(unsigned code)
{
	return code == TM_CELL_KIND || code == TM_EVC_NAME || code == TM_EVC_START ||
	       code == TM_EVC_END;
}

/* ---- cells ---- */

static bool put_kind(struct tm_cell_row *row, const char *p, size_t n)
{
	static const struct {
		const char *word;
		enum tm_ev_kind kind;
	} kinds[] = { { "kernel", TM_EV_DISPATCH }, { "copy", TM_EV_COPY },
		      { "api", TM_EV_API },         { "marker", TM_EV_API },
		      { "alloc", TM_EV_ALLOC },     { "counter", TM_EV_COUNTER } };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (is(p, n, kinds[i].word)) {
			row->kind = kinds[i].kind;
			row->has_kind = true;
			if (!row->has_domain)
				row->domain = is(p, n, "marker") ? TM_DOMAIN_MARKER
				                                 : tm_ev_kind_domain(row->kind);
			return true;
		}
	return false;
}

static bool put_domain(struct tm_cell_row *row, const char *p, size_t n)
{
	row->domain = tm_domain_find(p, n);
	row->has_domain = true;
	return row->domain < TM_DOMAIN_N;
}

/* "4", "GPU 0", "CPU 1" */
static bool put_agent(struct tm_cell_row *row, enum tm_ev_col c, const char *p, size_t n)
{
	enum tm_agent_numbering how = TM_AGENT_NODE;
	uint64_t v;

	if (n > 4 && (!memcmp(p, "GPU ", 4) || !memcmp(p, "CPU ", 4))) {
		how = *p == 'G' ? TM_AGENT_GPU : TM_AGENT_CPU;
		p += 4;
		n -= 4;
	}
	if (!tm_num_u64(p, n, &v) || v > UINT32_MAX)
		return false;
	tm_ev_put(&row->row, c, tm_agent_pack(how, (uint32_t)v));
	return true;
}

/* "64x2x1", what the producer gave of it, or the product alone. */
static bool put_shape(struct tm_cell_row *row, enum tm_ev_col product, const char *p, size_t n)
{
	enum tm_ev_col c = product == TM_EVC_WG ? TM_EVC_WG_X : TM_EVC_GRID_X;
	const char *end = p + n;
	uint64_t v;

	if (!memchr(p, 'x', n)) {
		if (!tm_num_u64(p, n, &v))
			return false;
		tm_ev_put(&row->row, product, v);
		return true;
	}
	for (unsigned i = 0; i < 3; i++, c++) {
		const char *x = memchr(p, 'x', (size_t)(end - p));
		size_t len = (size_t)((x ? x : end) - p);

		if (!tm_num_u64(p, len, &v))
			return false;
		tm_ev_put(&row->row, c, v);
		if (!x)
			return true;
		p = x + 1;
	}
	return false;
}

static bool put_number(struct tm_cell_row *row, enum tm_ev_col c, const char *p, size_t n)
{
	uint64_t v;
	double real;

	if (tm_ev_columns[c].type == TM_EVT_REAL) {
		if (!tm_num_real(p, n, &real))
			return false;
		v = tm_real_bits(real);
	} else if (!tm_num_u64_any(p, n, &v)) {
		return false;
	}
	tm_ev_put(&row->row, c, v);
	return true;
}

static bool put(struct tm_cell_row *row, unsigned code, const char *p, size_t n)
{
	if (code == TM_CELL_KIND)
		return put_kind(row, p, n);
	if (code == TM_CELL_RANK)
		return row->has_rank = tm_num_u64(p, n, &row->rank);
	if (code >= TM_EVC_N)
		return true;
	if (code == TM_EVC_WG || code == TM_EVC_GRID)
		return put_shape(row, (enum tm_ev_col)code, p, n);
	if (code == TM_EVC_DOMAIN)
		return put_domain(row, p, n);
	if (tm_ev_columns[code].type == TM_EVT_AGENT)
		return put_agent(row, (enum tm_ev_col)code, p, n);
	return put_number(row, (enum tm_ev_col)code, p, n);
}

bool tm_cell_put(struct tm_reader *r, struct tm_cell_row *row, unsigned code, const char *p,
                 size_t n)
{
	uint32_t id;

	if (code >= TM_EVC_N || tm_ev_columns[code].type != TM_EVT_NAME) {
		row->bad |= !put(row, code, p, n);
		return true;
	}
	id = tm_names_add(&r->names, p, n);
	tm_ev_put(&row->row, (enum tm_ev_col)code, id);
	return id != TM_NAME_NONE;
}

/* ---- rows ---- */

void tm_cells_init(struct tm_cells *c)
{
	for (int i = 0; i < TM_CELLS_OUT; i++)
		c->out[i].b.kind = (enum tm_ev_kind)i;
}

/* Whose rows come next: of the kind that has been waiting, or, where none has, of this one. */
static void turn(struct tm_cells *c, unsigned kind)
{
	for (unsigned i = 0; i < TM_CELLS_OUT && !tm_ev_rows_n(&c->out[c->at]); i++)
		c->at = (c->at + 1) % TM_CELLS_OUT;
	if (!tm_ev_rows_n(&c->out[c->at]))
		c->at = kind;
}

/* Of an empty cell: every event has a name, which may be empty, but samples of counters. */
static bool put_empty_name(struct tm_reader *r, struct tm_cell_row *row)
{
	uint32_t id;

	if (row->kind == TM_EV_COUNTER || (row->row.has & TM_EV_BIT(TM_EVC_NAME)))
		return true;
	id = tm_names_add(&r->names, "", 0);
	tm_ev_put(&row->row, TM_EVC_NAME, id);
	return id != TM_NAME_NONE;
}

bool tm_cells_add(struct tm_cells *c, struct tm_reader *r, struct tm_cell_row *row, uint64_t line)
{
	const tm_ev_set both = TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END);

	if (row->bad || !row->has_kind || row->has_rank != c->ranked ||
	    (c->ranked && row->rank != c->rank)) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, line);
		return true;
	}
	if ((row->row.has & both) == both && row->row.v[TM_EVC_END] < row->row.v[TM_EVC_START]) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_REVERSED, line);
		return true;
	}
	if (row->kind == TM_EV_API || row->kind == TM_EV_ALLOC ||
	    row->domain != tm_ev_kind_domain(row->kind))
		tm_ev_put(&row->row, TM_EVC_DOMAIN, row->domain);
	turn(c, row->kind);
	c->turned = row->kind != c->at;
	if (!put_empty_name(r, row) || !tm_ev_rows_add(&c->out[row->kind], &row->row)) {
		c->dead = true;
		tm_diag_oom(&c->why);
		return false;
	}
	r->loss.rows++;
	return true;
}

bool tm_cells_room(const struct tm_cells *c)
{
	return !c->dead && !c->turned && tm_ev_rows_room(&c->out[c->at], 1, 1);
}

enum tm_status tm_cells_next(struct tm_cells *c, struct tm_reader *r, const struct tm_batch **b,
                             struct tm_diag *d)
{
	turn(c, c->at);
	c->turned = false;
	return tm_ev_rows_next(&c->out[c->at], 1, &r->names, c->dead ? &c->why : NULL, b, d);
}

void tm_cells_fini(struct tm_cells *c)
{
	tm_ev_rows_fini_all(c->out, TM_CELLS_OUT);
}
