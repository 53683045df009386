/* SPDX-License-Identifier: MIT */
#include "read/text/rocprofsys.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *table;
} tm_metrics[] = {
#define METRIC(n, t) { n, t },
#include "schemas/rocprofsys.def"
};

static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
#define UNIT(n, v) { n, UINT64_C(v) },
#include "schemas/rocprofsys.def"
};

static bool is_word(const char *word, const char *p, size_t n)
{
	return strlen(word) == n && !memcmp(word, p, n);
}

const char *tm_sys_table(const char *metric, size_t n)
{
	for (size_t i = 0; i < sizeof tm_metrics / sizeof *tm_metrics; i++)
		if (is_word(tm_metrics[i].name, metric, n))
			return tm_metrics[i].table;
	return "function times, other clock";
}

uint64_t tm_sys_unit_ns(const char *unit, size_t n)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (is_word(units[i].name, unit, n))
			return units[i].ns;
	return 0;
}

bool tm_sys_unit(struct sys_rows *s, const char *unit, size_t n)
{
	s->unit = tm_sys_unit_ns(unit, n);
	s->timed = s->unit != 0;
	return s->timed;
}

bool tm_sys_label(const struct tm_small_field *f, struct sys_label *out)
{
	static const char mark[] = ">>> ";
	const char *p = f->p, *end = p + f->n, *last = NULL;
	const char *name = memmem(p, f->n, mark, sizeof mark - 1);

	*out = (struct sys_label) { .thread = { .p = p } };
	if (!name)
		return false;
	out->thread.n = (size_t)(name - p);
	/* In front of the mark only numbers and bars: "|01|03". */
	for (const char *q = p; q < name; q++) {
		if (*q == '|')
			last = q;
		else if (*q < '0' || *q > '9')
			return false;
	}
	if (last && last > p)
		out->has_rank = tm_num_u64(p + 1, (size_t)(last - p - 1), &out->rank);
	for (name += sizeof mark - 1; name < end && *name == ' '; name++)
		;
	if (end - name >= 2 && name[0] == '|' && name[1] == '_')
		name += 2;
	out->name = (struct tm_small_field) { name, (size_t)(end - name) };
	return true;
}

/* ---- the tree ---- */

/* Back up to that depth. */
static void climb(struct sys_rows *s, uint64_t depth)
{
	while (s->depth > depth)
		s->inside[s->stack[--s->depth]]--;
}

/* Put a row onto the stack; *again: it stands inside one of its own name and thread. */
static bool descend(struct sys_rows *s, const struct sys_label *l, uint64_t depth, bool *again)
{
	uint32_t id;

	tm_buf_clear(&s->who);
	tm_buf_add(&s->who, l->thread.p, l->thread.n);
	tm_buf_chr(&s->who, '>');
	tm_buf_add(&s->who, l->name.p, l->name.n);
	if (s->who.failed)
		return false;
	id = tm_names_add(&s->whos, s->who.p, s->who.n);
	if (id == TM_NAME_NONE ||
	    !tm_grow_zeroed(&s->inside, &s->inside_cap, (size_t)id + 1, sizeof *s->inside) ||
	    !tm_grow_array(&s->stack, &s->stack_cap, s->depth + 1, sizeof *s->stack))
		return false;
	climb(s, depth);
	*again = s->inside[id] > 0;
	s->inside[id]++;
	s->stack[s->depth++] = id;
	return true;
}

void tm_sys_restart(struct sys_rows *s)
{
	climb(s, 0);
}

/* ---- numbers ---- */

/* A time of the table in ns.  False: it is none. */
static bool to_ns(const struct sys_rows *s, const struct tm_small_field *f, uint64_t *ns)
{
	return tm_num_scaled(f->p, f->n, s->unit, ns);
}

static void put_real(const struct sys_rows *s, const struct tm_small_field *f, enum tm_ev_col c,
                     struct tm_ev_row *row)
{
	double v;

	if (!f->n || !tm_num_real(f->p, f->n, &v))
		return;
	v *= (double)s->unit;
	if (v >= 0 && isfinite(v))
		tm_ev_put(row, c, tm_real_bits(v));
}

/* What is optional and no number, or negative, is not there. */
static void put_ns(const struct sys_rows *s, const struct tm_small_field *f, enum tm_ev_col c,
                   struct tm_ev_row *row)
{
	uint64_t ns;

	if (f->n && to_ns(s, f, &ns))
		tm_ev_put(row, c, ns);
}

static bool put_times(const struct sys_rows *s, const struct sys_row *row, struct tm_ev_row *ev)
{
	uint64_t ns = row->sum_ns;

	if (!row->has_ns && !to_ns(s, &row->sum, &ns))
		return false;
	tm_ev_put(ev, TM_EVC_TOTAL, ns);
	put_real(s, &row->mean, TM_EVC_AVG, ev);
	put_ns(s, &row->min, TM_EVC_MIN, ev);
	put_ns(s, &row->max, TM_EVC_MAX, ev);
	put_real(s, &row->stddev, TM_EVC_STDDEV, ev);
	return true;
}

enum sys_fate tm_sys_take(struct tm_reader *r, struct sys_rows *s, const struct sys_row *row)
{
	struct tm_ev_row ev = { .has = 0 };
	uint64_t calls, depth;
	struct sys_label label;
	uint32_t name;
	bool again;

	if (!tm_sys_label(&row->label, &label) || !tm_num_u64(row->calls.p, row->calls.n, &calls) ||
	    !tm_num_u64(row->depth.p, row->depth.n, &depth) ||
	    (s->timed && !put_times(s, row, &ev)))
		return SYS_MISFIT;
	if (!descend(s, &label, depth, &again))
		return SYS_OOM;
	if (again && s->timed) {
		tm_loss_count(&r->loss, TM_LOSS_RECURSIVE, 1, row->at);
		return SYS_TAKEN;
	}
	/* There is something above it, whose time holds its own. */
	if (s->depth > 1 && s->timed)
		tm_loss_count(&r->loss, TM_LOSS_INCLUSIVE, 1, row->at);
	name = tm_names_add(&r->names, label.name.p, label.name.n);
	tm_ev_put(&ev, TM_EVC_NAME, name);
	tm_ev_put(&ev, TM_EVC_DOMAIN, TM_DOMAIN_MARKER);
	tm_ev_put(&ev, TM_EVC_CALLS, calls);
	if (name == TM_NAME_NONE || !tm_ev_rows_add(&s->out, &ev))
		return SYS_OOM;
	r->loss.rows++;
	return SYS_TAKEN;
}

void tm_sys_fini(struct sys_rows *s)
{
	tm_ev_rows_fini(&s->out);
	tm_names_fini(&s->whos);
	tm_buf_fini(&s->who);
	free(s->stack);
	free(s->inside);
}
