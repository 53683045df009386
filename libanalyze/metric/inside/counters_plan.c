/* SPDX-License-Identifier: MIT
 * Which metrics can be computed on a kind of GPU, and of what. */
#include "metric/inside/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	NESTED = 8,   /* metrics in metrics; a metric that is made of itself ends here ... */
	STEPS = 10000 /* ... and one that is made of all others, which are made of it */
};

struct planner {
	const struct tm_known *k;
	const struct tm_names *names;
	const struct counters_gpu *gpu;
	struct counters_metric *m;
	bool failed;
	enum counters_lack lack;
	unsigned steps;
};

static struct counters_plan *plan(struct planner *p, const struct tm_known_row *row,
                                  unsigned nested);

static void plan_fini(struct counters_plan *p)
{
	for (uint32_t i = 0; p && p->input && i < p->row->formula.inputs.n; i++)
		plan_fini(p->input[i].inner);
	if (p) {
		free(p->input);
		free(p->in);
		free(p->work);
	}
	free(p);
}

/* Rows that say how a metric is computed, or that nobody knows. */
static bool is_metric(const struct tm_known_row *r)
{
	return r->kind != TM_KNOWN_WRONG && r->kind != TM_KNOWN_COUNTER &&
	       r->kind != TM_KNOWN_AVERAGE && r->kind != TM_KNOWN_MOST;
}

static bool is_for(const struct planner *p, const struct tm_known_row *r)
{
	return tm_known_fits(r, p->gpu->gfx, p->gpu->cus);
}

static bool is_named(const struct tm_known_row *r, const struct tm_name *nm)
{
	return strlen(r->name) == nm->len && !memcmp(r->name, nm->text, nm->len);
}

static bool begins(const struct tm_name *nm, const char *with)
{
	size_t n = strlen(with);

	return nm->len >= n && !memcmp(nm->text, with, n);
}

/* Ids of a counter and of its sum over instances; false when neither was counted. */
static bool find_counter(struct planner *p, const struct tm_name *nm, uint32_t id[2])
{
	struct tm_buf b = { 0 };
	bool ok = tm_buf_add(&b, nm->text, nm->len) && tm_buf_str(&b, "_sum");

	id[0] = tm_names_find(p->names, nm->text, nm->len);
	id[1] = ok ? tm_names_find(p->names, b.p, b.n) : TM_NAME_NONE;
	p->failed |= !ok;
	tm_buf_fini(&b);
	return ok && (id[0] != TM_NAME_NONE || id[1] != TM_NAME_NONE);
}

static bool put_leaf(struct planner *p, const struct tm_name *nm, const uint32_t id[2],
                     struct counters_input *in)
{
	struct counters_metric *m = p->m;

	m->gui |= nm->len == 15 && !memcmp(nm->text, "GRBM_GUI_ACTIVE", 15);
	for (in->leaf = 0; in->leaf < m->nleaves; in->leaf++)
		if (m->leaf[in->leaf].id[0] == id[0] && m->leaf[in->leaf].id[1] == id[1])
			return true;
	if (!tm_grow_array(&m->leaf, &m->cap, m->nleaves + 1, sizeof *m->leaf)) {
		p->failed = true;
		return false;
	}
	m->leaf[m->nleaves++] = (struct counters_leaf) { { id[0], id[1] },
		                                         /* Formulas take the sum over XCCs. */
		                                         p->gpu->one_xcc && begins(nm, "GRBM_")
		                                                 ? (double)p->gpu->xccs
		                                                 : 1 };
	return true;
}

/* Is it a word that stands for a number of the GPU, or for the duration? */
static bool is_constant(struct planner *p, const struct tm_name *nm, struct counters_input *in)
{
	const struct {
		const char *word;
		uint64_t v;
	} c[] = { { "CUS", p->gpu->cus },
		  { "XCCS", p->gpu->xccs },
		  { "SES", p->gpu->ses },
		  { "MAX_MHZ", p->gpu->max_mhz } };

	in->seconds = nm->len == 7 && !memcmp(nm->text, "SECONDS", 7);
	p->m->seconds |= in->seconds;
	if (in->seconds)
		return true;
	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		if (nm->len != strlen(c[i].word) || memcmp(nm->text, c[i].word, nm->len) != 0)
			continue;
		in->constant = (double)c[i].v;
		if (!c[i].v)
			p->lack = LACK_GPU;
		return true;
	}
	return false;
}

/* What an input of a formula is: a counter, a constant, or else another metric. */
static bool find_input(struct planner *p, const struct tm_name *nm, struct counters_input *in,
                       unsigned nested)
{
	uint32_t id[2];

	*in = (struct counters_input) { .leaf = UINT32_MAX };
	if (is_constant(p, nm, in))
		return p->lack == LACK_NOTHING;
	if (find_counter(p, nm, id))
		return put_leaf(p, nm, id, in);
	for (size_t i = 0; nested < NESTED && !p->failed && i < p->k->n; i++) {
		const struct tm_known_row *r = &p->k->v[i];
		const size_t leaves = p->m->nleaves;
		const bool seconds = p->m->seconds, gui = p->m->gui;

		if (!is_metric(r) || r->kind == TM_KNOWN_UNKNOWN || !is_named(r, nm) ||
		    !is_for(p, r))
			continue;
		p->lack = LACK_NOTHING;
		in->inner = plan(p, r, nested + 1);
		if (in->inner)
			return true;
		p->m->nleaves = leaves;
		p->m->seconds = seconds;
		p->m->gui = gui;
	}
	if (p->lack == LACK_NOTHING)
		p->lack = LACK_COUNTERS;
	return false;
}

static struct counters_plan *plan(struct planner *p, const struct tm_known_row *row,
                                  unsigned nested)
{
	const struct tm_formula *f = &row->formula;
	struct counters_plan *v = calloc(1, sizeof *v);
	bool ok;

	if (++p->steps > STEPS) {
		free(v);
		p->lack = LACK_COUNTERS;
		return NULL;
	}
	if (v) {
		v->row = row;
		v->input = calloc((size_t)f->inputs.n + 1, sizeof *v->input);
		v->in = calloc((size_t)f->inputs.n + 1, sizeof *v->in);
		v->work = calloc(f->depth + 1, sizeof *v->work);
	}
	ok = v && v->input && v->in && v->work;
	p->failed |= !ok;
	for (uint32_t i = 0; ok && i < f->inputs.n; i++)
		ok = find_input(p, &f->inputs.v[i], &v->input[i], nested);
	if (ok)
		return v;
	plan_fini(v);
	return NULL;
}

static void metric_clear(struct counters_metric *m)
{
	plan_fini(m->plan);
	free(m->leaf);
	*m = (struct counters_metric) { 0 };
}

/* The plan of one row, in *m.  False when out of memory. */
static bool try_row(const struct planner *of, const struct tm_known_row *r,
                    struct counters_metric *m)
{
	struct planner p = *of;

	*m = (struct counters_metric) { .row = r };
	p.m = m;
	p.lack = LACK_NOTHING;
	p.failed = false;
	p.steps = 0;
	m->plan = plan(&p, r, 0);
	m->lack = m->plan ? LACK_NOTHING : p.lack;
	if (p.failed)
		metric_clear(m);
	return !p.failed;
}

/* Is it the first row of its metric? */
static bool is_first(const struct tm_known *k, size_t i)
{
	for (size_t n = 0; n < i; n++)
		if (is_metric(&k->v[n]) && !strcmp(k->v[n].name, k->v[i].name))
			return false;
	return is_metric(&k->v[i]);
}

/* The metric whose first row is i: of its rows for the GPU the first that can be computed.  Without
 * any, row is NULL.  False when out of memory. */
static bool choose(const struct planner *p, size_t i, struct counters_metric *best)
{
	*best = (struct counters_metric) { .lack = LACK_COUNTERS };
	for (size_t k = i; k < p->k->n; k++) {
		const struct tm_known_row *r = &p->k->v[k];
		struct counters_metric m;

		if (!is_metric(r) || strcmp(r->name, p->k->v[i].name) || !is_for(p, r))
			continue;
		if (!try_row(p, r, &m)) {
			metric_clear(best);
			return false;
		}
		if (m.plan || !best->row || (m.lack == LACK_GPU && best->lack != LACK_GPU)) {
			metric_clear(best);
			*best = m;
		} else {
			metric_clear(&m);
		}
		if (best->plan)
			break;
	}
	return true;
}

static bool same_plan(const struct counters_plan *a, const struct counters_plan *b)
{
	if (!a || !b || a->row != b->row)
		return a == b;
	for (uint32_t i = 0; i < a->row->formula.inputs.n; i++)
		if (!same_plan(a->input[i].inner, b->input[i].inner))
			return false;
	return true;
}

/* Architectures that a GPU nobody describes may have, by what was counted: these counters are of
 * gfx9, or of RDNA, alone. */
static void possible(const struct tm_names *names, const uint64_t **gfx, size_t *n)
{
	static const uint64_t all[] = { 90010, 90402, 90500, 110000, 110501, 120001 };
	bool gfx9 = false, rdna = false;

	for (uint32_t i = 0; i < names->n; i++) {
		gfx9 |= begins(&names->v[i], "TCC_") || begins(&names->v[i], "TCP_TCC_") ||
		        begins(&names->v[i], "SQ_VALU_MFMA_") ||
		        begins(&names->v[i], "SQ_INSTS_VALU_MFMA_");
		rdna |= begins(&names->v[i], "GL2C_") || begins(&names->v[i], "SQC_LDS_");
	}
	*gfx = rdna && !gfx9 ? all + 3 : all;
	*n = gfx9 == rdna ? 6 : 3;
}

/* The same where the GPU is not known: there must be one answer for all that it may be. */
static bool choose_any(const struct planner *of, size_t i, struct counters_metric *best)
{
	const uint64_t *gfx;
	size_t n;

	possible(of->names, &gfx, &n);
	for (size_t k = 0; k < n; k++) {
		struct counters_gpu gpu = *of->gpu;
		struct planner p = *of;
		struct counters_metric m;

		gpu.gfx = gfx[k];
		p.gpu = &gpu;
		if (!choose(&p, i, k ? &m : best)) {
			if (k)
				metric_clear(best);
			return false;
		}
		if (!k)
			continue;
		if (!same_plan(best->plan, m.plan)) {
			metric_clear(best);
			best->lack = LACK_CHOICE;
		}
		metric_clear(&m);
		if (!best->plan)
			break;
	}
	return true;
}

static const struct tm_known_row *wrong_of(const struct planner *p, const struct counters_metric *m)
{
	const struct tm_known_row *r = tm_known_wrong(p->k, m->row->name, strlen(m->row->name),
	                                              p->gpu->gfx, p->gpu->cus);

	for (size_t i = 0; !r && i < m->nleaves; i++)
		for (unsigned s = 0; !r && s < 2; s++)
			if (m->leaf[i].id[s] != TM_NAME_NONE)
				r = tm_known_wrong(p->k, p->names->v[m->leaf[i].id[s]].text,
				                   p->names->v[m->leaf[i].id[s]].len, p->gpu->gfx,
				                   p->gpu->cus);
	return r;
}

/* The least that the metric can be, and the most, by the first row that says so of such a GPU (by
 * the largest of all, where the GPU is not known), or else because it is a share.  False when out
 * of memory. */
static bool find_limits(const struct planner *p, struct counters_metric *m)
{
	const char *unit = m->row->unit;
	bool found = false;

	m->least = m->row->built_in ? 0 : -INFINITY;
	m->most = INFINITY;
	for (size_t i = 0; i < p->k->n && !(found && p->gpu->gfx); i++) {
		const struct tm_known_row *r = &p->k->v[i];
		struct counters_metric of;
		double most;

		if (r->kind != TM_KNOWN_MOST || strcmp(r->name, m->row->name) != 0 ||
		    (p->gpu->gfx && !is_for(p, r)))
			continue;
		if (!try_row(p, r, &of))
			return false;
		/* Without that number of the GPU, nobody knows. */
		most = of.plan && !of.nleaves && !of.seconds ? tm_counters_value(of.plan, NULL, 0)
		                                             : INFINITY;
		m->most = found ? fmax(m->most, most) : most;
		found = true;
		metric_clear(&of);
	}
	if (unit && !strcmp(unit, "percent") && !(found && p->gpu->gfx))
		m->most = found ? fmax(m->most, 100) : 100;
	return true;
}

bool tm_counters_metrics(struct counters_metrics *m, const struct tm_known *k,
                         const struct tm_names *names, const struct counters_gpu *gpu)
{
	const struct planner p = { .k = k, .names = names, .gpu = gpu };

	*m = (struct counters_metrics) { 0 };
	for (size_t i = 0; i < k->n; i++) {
		struct counters_metric *v;

		if (!is_first(k, i))
			continue;
		if (!tm_grow_array(&m->v, &m->cap, m->n + 1, sizeof *m->v))
			return false;
		v = &m->v[m->n];
		if (!(gpu->gfx ? choose(&p, i, v) : choose_any(&p, i, v)))
			return false;
		m->n++;
		if (v->row)
			v->wrong = wrong_of(&p, v);
		if (v->row && !find_limits(&p, v))
			return false;
	}
	return true;
}

void tm_counters_metrics_fini(struct counters_metrics *m)
{
	for (size_t i = 0; i < m->n; i++)
		metric_clear(&m->v[i]);
	free(m->v);
	*m = (struct counters_metrics) { 0 };
}

double tm_counters_value(const struct counters_plan *p, const double *leaf, double seconds)
{
	const struct tm_formula *f = &p->row->formula;

	for (uint32_t i = 0; i < f->inputs.n; i++) {
		const struct counters_input *in = &p->input[i];

		p->in[i] = in->leaf != UINT32_MAX ? leaf[in->leaf]
		           : in->inner            ? tm_counters_value(in->inner, leaf, seconds)
		           : in->seconds          ? seconds
		                                  : in->constant;
	}
	return tm_formula_value(f, p->in, p->work);
}
