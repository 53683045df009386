/* SPDX-License-Identifier: MIT
 * What `counters` and `roofline` both need of counted dispatches. */
#include "metric/inside/counters.h"

#include <inttypes.h>
#include <string.h>

/* Were both counted in one execution?  A dispatch may be executed again within a pass. */
static bool same_execution(const struct tm_counted_value *a, const struct tm_counted_value *b)
{
	return a->pass == b->pass && a->start == b->start && a->end == b->end;
}

bool tm_counters_leaves(const struct counters_metric *m, const struct tm_counted_dispatch *d,
                        double *leaf, uint64_t *ns, bool *across)
{
	const struct tm_counted_value *first = NULL;

	*ns = d->end - d->start;
	*across = false;
	if (m->seconds && !*ns)
		return false;
	for (size_t i = 0; i < m->nleaves; i++) {
		const struct tm_counted_value *v = NULL;

		for (unsigned s = 0; !v && s < 2; s++)
			if (m->leaf[i].id[s] != TM_NAME_NONE)
				v = tm_counted_find(d, m->leaf[i].id[s]);
		if (!v)
			return false;
		leaf[i] = v->value * m->leaf[i].times;
		first = first ? first : v;
		*across |= !same_execution(first, v);
	}
	if (first && !*across && first->start < first->end)
		*ns = first->end - first->start;
	else if (first && m->seconds)
		*across |= first->pass != d->pass;
	return true;
}

const struct counters_metric *tm_counters_metric(const struct counters_metrics *m, const char *name)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].row && !strcmp(m->v[i].row->name, name))
			return &m->v[i];
	return NULL;
}

/* Is one of the counters in a formula wrong on such a GPU? */
static bool has_wrong(const struct tm_known *k, const struct tm_known_row *r,
                      const struct counters_gpu *gpu)
{
	const struct tm_names *in = &r->formula.inputs;

	for (uint32_t i = 0; i < in->n; i++)
		if (tm_known_wrong(k, in->v[i].text, in->v[i].len, gpu->gfx, gpu->cus))
			return true;
	return false;
}

void tm_counters_put_needed(struct tm_buf *b, const struct tm_known *k,
                            const struct counters_gpu *gpu, const char *name)
{
	const struct tm_known_row *best = NULL;

	for (size_t i = 0; i < k->n; i++) {
		const struct tm_known_row *r = &k->v[i];

		if ((r->kind == TM_KNOWN_TOTAL || r->kind == TM_KNOWN_PART) &&
		    !strcmp(r->name, name) && tm_known_fits(r, gpu->gfx, gpu->cus) &&
		    !has_wrong(k, r, gpu) &&
		    (!best || r->formula.inputs.n < best->formula.inputs.n))
			best = r;
	}
	for (uint32_t i = 0; best && i < best->formula.inputs.n; i++)
		tm_buf_fmt(b, " %s", best->formula.inputs.v[i].text);
}

enum counters_where tm_counters_where(const struct tm_metric_opts *o,
                                      const struct tm_counted_dispatch *d)
{
	struct tm_extent win;

	if (d->start == d->end && o->windowed)
		return COUNTED_UNTIMED;
	if (tm_metric_window(o, d->rank, &win) &&
	    (d->start == d->end || (d->start >= win.lo && d->start < win.hi)))
		return COUNTED_INSIDE;
	return COUNTED_OUTSIDE;
}

bool tm_counters_say_once(struct tm_report *rep, enum tm_severity severity, const char *what,
                          uint64_t gfx, const char *how, const char *why)
{
	struct tm_buf b = { 0 };
	bool said = false, ok;

	tm_buf_str(&b, what);
	if (gfx) {
		tm_buf_str(&b, " on ");
		tm_gpu_put_gfx(&b, gfx);
	}
	tm_buf_fmt(&b, " %s: %s", how, why);
	ok = !b.failed;
	for (size_t i = 0; ok && i < rep->n; i++)
		said |= !strcmp(rep->v[i].text, b.p);
	if (ok && !said)
		tm_report_add(rep, severity, NULL, 0, "%s", b.p);
	tm_buf_fini(&b);
	return ok;
}

void tm_counters_say_repeated(const struct tm_counted *d, struct tm_report *rep)
{
	if (d->repeated)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "ignored duplicate counter values of the same dispatch: %" PRIu64
		              "; using the first",
		              d->repeated);
}

void tm_counters_say_passes(const struct tm_counters *c, const struct tm_counted *d, bool across,
                            struct tm_report *rep)
{
	if (d->by_order)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "passes number the same dispatch differently: %" PRIu64
		              " dispatches are matched by kernel and order",
		              d->by_order);
	if (d->partly)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "dispatches missing from some passes: %" PRIu64 " of %" PRIu64
		              "; metrics skip them where a counter is missing",
		              d->partly, d->in_passes);
	if (across)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "metrics with counters of several passes combine different "
		              "executions; their notes say so");
	tm_counters_say_repeated(d, rep);
	if (c->loose)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "values without dispatch number and time, not used in metrics of "
		              "several counters: %" PRIu64,
		              c->loose);
	if (c->odd)
		tm_report_add(rep, TM_SEV_SKIP, NULL, 0,
		              "skipped values that are not finite: %" PRIu64, c->odd);
}

void tm_counters_say_doubts(const struct counters *a, bool rdna, struct tm_report *rep)
{
	if (rdna)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "counters of RDNA 3 and 4 are right only with a fixed clock "
		              "(performance level stable_std)");
	if (a->swapped)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "rocprofv2 5.7 may swap values between counters (fixed in 6.0): with "
		              "several counters, trust none");
	if (a->running)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "pftrace files of rocpd convert may contain running sums over all "
		              "earlier dispatches (7.1 does): use the database");
}
