/* SPDX-License-Identifier: MIT
 * Many runs in order of time: when did the deciding time, or that of a kernel, change its level,
 * and what was it? */
#include "diff/account.h"
#include "diff/compare.h"
#include "diff/refuse.h"
#include "diff/words.h"

#include "agg/agg.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN_SHARE 0.01 /* of kernels, unless the user says */

enum { C_RUN, C_VALUE, C_CHANGE, C_P, C_PCT, C_BEFORE, C_AFTER, C_NAME };

const struct tm_column tm_diff_history_columns[] = {
	[C_RUN] = { .name = "run", .title = "RUN", .unit = TM_UNIT_TEXT, .about = "operand" },
	[C_VALUE] = { .name = "value_ns",
	              .title = "VALUE",
	              .unit = TM_UNIT_NS,
	              .about = "deciding time of the run, or the part spent in the kernel" },
	[C_CHANGE] = { .name = "change",
	               .title = "CHANGE",
	               .unit = TM_UNIT_TEXT,
	               .about = "regression or improvement: the first run of a new level" },
	[C_P] = { .name = "p_value",
	          .title = "P",
	          .unit = TM_UNIT_RATIO,
	          .about = "p-value of the permutation test" },
	[C_PCT] = { .name = "change_pct",
	            .title = "CHANGE%",
	            .unit = TM_UNIT_PCT,
	            .about = "after_ns relative to before_ns" },
	[C_BEFORE] = { .name = "before_ns",
	               .title = "BEFORE",
	               .unit = TM_UNIT_NS,
	               .spare = 1,
	               .about = "median from the previous change to this one" },
	[C_AFTER] = { .name = "after_ns",
	              .title = "AFTER",
	              .unit = TM_UNIT_NS,
	              .spare = 1,
	              .about = "median from this change to the next" },
	[C_NAME] = { .name = "name",
	             .title = "NAME",
	             .unit = TM_UNIT_TEXT,
	             .elastic = true,
	             .about = "kernel; in parentheses: the deciding time" },
	{ .name = NULL },
};

struct history {
	const struct tm_digest *run;
	size_t n;
	const struct tm_diff_opts *o;
	struct tm_pairs all; /* the first run as side A, the others as B */
	struct tm_decision d;
	struct tm_refusal refusal;
	double *value;                  /* of each run */
	struct tm_change_point *change; /* of the deciding time */
	size_t changes;
	struct tm_decision levels; /* of kernels: the runs before the last change, those after it */
	/* of the last change: its first run against the one before */
	struct tm_pairs pair;
	struct tm_decision pair_decision;
	struct tm_account account;
};

static void history_fini(struct history *h)
{
	tm_pairs_fini(&h->all);
	tm_pairs_fini(&h->pair);
	tm_account_fini(&h->account);
	free(h->refusal.why);
	free(h->value);
	free(h->change);
}

/* ---- series ---- */

static double unit_of(const struct history *h, size_t run)
{
	uint64_t units = h->run[run].sum[h->d.of].units;

	return h->d.on == TM_ON_KERNEL || !units ? 1 : (double)units;
}

static void take_values(struct history *h, double *v)
{
	for (size_t r = 0; r < h->n; r++) {
		const struct tm_digest *d = &h->run[r];
		tm_u128 sum = 0;

		for (size_t i = 0; i < d->n && h->d.on == TM_ON_KERNEL; i++)
			sum += d->v[i].domain == TM_DOMAIN_KERNEL ? d->v[i].m.sum : 0;
		if (h->d.on != TM_ON_KERNEL)
			sum = d->sum[h->d.of].window;
		v[r] = (double)sum / unit_of(h, r);
	}
}

/* What a unit of each run spends in a kernel. */
static void take_kernel(const struct history *h, const struct tm_pair *p, double *v)
{
	for (size_t r = 0; r < h->n; r++)
		v[r] = 0;
	for (size_t m = p->first; m != SIZE_MAX; m = h->all.member[m].next) {
		const struct tm_member *one = &h->all.member[m];
		const struct tm_digest_name *n = &h->run[one->run].v[one->at];
		tm_u128 ns = h->d.on == TM_ON_KERNEL ? n->m.sum : n->use.ns[h->d.of];

		v[one->run] += (double)ns / unit_of(h, one->run);
	}
}

/* ---- rows ---- */

static struct tm_cell ns_cell(double v)
{
	return tm_cell_u64((uint64_t)(v + 0.5));
}

static bool put_change(struct tm_table *t, const struct tm_diff_opts *o, struct tm_cell *c,
                       const struct tm_change_point *change)
{
	char text[32];
	int n = snprintf(text, sizeof text, o->people ? "%.2g" : "%.7g", change->p);
	struct tm_cell p = tm_table_own(t, text, (size_t)n);
	enum tm_verdict v = change->after > change->before ? TM_VERDICT_REGRESSION
	                                                   : TM_VERDICT_IMPROVEMENT;

	c[C_CHANGE] = tm_cell_text(tm_verdict_words[v], strlen(tm_verdict_words[v]));
	if (p.type == TM_CELL_TEXT)
		c[C_P] = tm_cell_as_read(p.v.s, p.len);
	if (change->before > 0)
		c[C_PCT] = tm_cell_real4(100 * (change->after / change->before - 1));
	c[C_BEFORE] = ns_cell(change->before);
	c[C_AFTER] = ns_cell(change->after);
	return !t->failed;
}

static struct tm_cell *put_run(const struct history *h, struct tm_table *t, size_t run,
                               double value)
{
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return NULL;
	c[C_RUN] = tm_table_own(t, h->run[run].path, strlen(h->run[run].path));
	c[C_VALUE] = ns_cell(value);
	return c;
}

/* Every run. */
static bool put_runs(const struct history *h, struct tm_table *t)
{
	char name[16];
	int n = snprintf(name, sizeof name, "(%s)", tm_diff_on_words[h->d.on - TM_ON_STEPS]);

	for (size_t r = 0, k = 0; r < h->n; r++) {
		struct tm_cell *c = put_run(h, t, r, h->value[r]);

		if (!c)
			return false;
		c[C_NAME] = tm_table_own(t, name, (size_t)n);
		if (k < h->changes && h->change[k].at == r &&
		    !put_change(t, h->o, c, &h->change[k++]))
			return false;
	}
	return !t->failed;
}

/* The changes of one kernel. */
static bool put_kernel(const struct history *h, const struct tm_pair *p, double alpha, double *v,
                       struct tm_change_point *out, struct tm_table *t)
{
	size_t found;
	double high = 0;

	take_kernel(h, p, v);
	for (size_t r = 0; r < h->n; r++)
		high = v[r] > high ? v[r] : high;
	if (!tm_change_points(v, h->n, alpha, tm_diff_floor(h->o, high), out, &found))
		return false;
	for (size_t i = 0; i < found; i++) {
		struct tm_cell *c = put_run(h, t, out[i].at, v[out[i].at]);

		if (!c || !put_change(t, h->o, c, &out[i]))
			return false;
		c[C_NAME] = tm_table_own(t, p->name, p->len);
	}
	return !t->failed;
}

/* Does it take enough of all runs together? */
static bool is_large(const struct history *h, const struct tm_pair *p)
{
	double least = h->o->min_share >= 0 ? h->o->min_share : MIN_SHARE,
	       all = (double)h->all.total[TM_SIDE_A] + (double)h->all.total[TM_SIDE_B];

	return (double)p->side[TM_SIDE_A].m.sum + (double)p->side[TM_SIDE_B].m.sum >= least * all;
}

static bool put_kernels(const struct history *h, struct tm_table *t)
{
	double *v = calloc(h->n, sizeof *v), kernels = 0;
	struct tm_change_point *out = calloc(h->n, sizeof *out);
	bool ok = v && out;

	for (size_t i = 0; i < h->all.n; i++)
		kernels += is_large(h, &h->all.v[i]);
	for (size_t i = 0; ok && i < h->all.n; i++)
		if (is_large(h, &h->all.v[i]))
			/* All of them together have false alarms as often as the deciding time, and
			 * in other series. */
			ok = put_kernel(h, &h->all.v[i], h->o->alpha / kernels, v, out, t);
	free(v);
	free(out);
	return ok;
}

/* ---- words ---- */

static const struct tm_change_point *last_change(const struct history *h)
{
	return h->changes ? &h->change[h->changes - 1] : NULL;
}

static const char *const times[] = {
	[TM_ON_STEPS] = "step time", [TM_ON_WINDOW] = "GPU window", [TM_ON_KERNEL] = "kernel time"
};

/* No change was found.  That there is none only runs say that differ by no more than the floor: a
 * few cannot be so unlike that chance would not make them so. */
static bool put_unchanged(const struct history *h, struct tm_diff_answer *a)
{
	struct tm_change_point c;
	bool unlike = false;

	if (!tm_change_likeliest(h->value, h->n, h->o->alpha, h->d.floor, &c, &unlike))
		return false;
	a->verdict = h->n < TM_HISTORY_LEAST || unlike ? TM_VERDICT_INCONCLUSIVE
	                                               : TM_VERDICT_NEUTRAL;
	tm_buf_fmt(&a->words, "%s: %s of %zu runs",
	           a->verdict == TM_VERDICT_NEUTRAL ? "no change" : "unclear", times[h->d.on],
	           h->n);
	if (unlike) {
		tm_buf_str(&a->words, ": ");
		tm_put_time(&a->words, c.after - c.before, true);
		tm_buf_str(&a->words, " (");
		if (c.before > 0)
			tm_buf_fmt(&a->words, "%+.2f %%, ", 100 * (c.after / c.before - 1));
		tm_buf_fmt(&a->words, "p = %.2g) since %s, run %zu, which may be noise", c.p,
		           h->run[c.at].path, c.at + 1);
	}
	tm_buf_str(&a->words, h->n < TM_HISTORY_LEAST ? ", which are too few\n" : "\n");
	return tm_buf_fmt(&a->line, "verdict: %s on=%s runs=%zu\n", tm_verdict_words[a->verdict],
	                  tm_diff_on_words[h->d.on - TM_ON_STEPS], h->n);
}

static enum tm_status decide(const struct history *h, struct tm_pairs *p, size_t from, size_t at,
                             size_t to, const struct tm_diff_opts *o, struct tm_decision *d)
{
	struct tm_report unsaid = { 0 };
	enum tm_status st = TM_ST_FATAL;

	if (tm_pairs_make(p, h->run + from, at - from, to - from, o))
		st = tm_decide(d, p, &unsaid);
	tm_report_fini(&unsaid);
	return st;
}

/* The levels around the last change, kernel by kernel: noise is what runs of a level differ by. */
static bool weigh_levels(struct history *h, const struct tm_diff_opts *o)
{
	const struct tm_change_point *c = last_change(h);
	struct tm_pairs p;
	enum tm_status st = decide(h, &p, c->from, c->at, c->to, o, &h->levels);

	h->levels.most = NULL; /* it is in p */
	tm_pairs_fini(&p);
	return st != TM_ST_FATAL;
}

/* The first run of the new level against the one before, unless just these two cannot be compared
 * by what decides of all. */
static bool explain(struct history *h, struct tm_diff_answer *a)
{
	const struct tm_change_point *c = last_change(h);
	struct tm_diff_opts o = *h->o;
	enum tm_status st;

	if (!c)
		return true;
	o.on = h->d.on;
	o.per = TM_BY_KERNEL;
	if (o.on == TM_ON_KERNEL && !weigh_levels(h, &o))
		return false;
	st = decide(h, &h->pair, c->at - 1, c->at, c->at + 1, &o, &h->pair_decision);
	if (st != TM_ST_OK)
		return st == TM_ST_END;
	if (!tm_account_make(&h->account, &h->pair_decision, &h->pair))
		return false;
	tm_buf_fmt(&a->short_account, "  that run against %s:\n", h->run[c->at - 1].path);
	tm_put_account(&a->short_account, &h->pair_decision, &h->account, &h->pair);
	return true;
}

/* Is that a change whatever the length of the runs? */
static enum tm_verdict judge(const struct history *h, const struct tm_change_point *c)
{
	enum tm_verdict way = c->after > c->before ? TM_VERDICT_REGRESSION : TM_VERDICT_IMPROVEMENT;

	return h->levels.often > 0 && h->levels.verdict != way ? TM_VERDICT_INCONCLUSIVE : way;
}

/* By what share the new level is slower, at the length of the runs that says less. */
static double excess(const struct history *h, const struct tm_change_point *c)
{
	double share = c->after / c->before - 1;

	return h->levels.often > 0 ? fmin(share, h->levels.together) : share;
}

/* False when out of memory. */
static bool put_words(const struct history *h, struct tm_diff_answer *a)
{
	const struct tm_change_point *c = last_change(h);

	if (!c)
		return put_unchanged(h, a);
	a->verdict = judge(h, c);
	tm_buf_fmt(&a->words, "%s since %s, run %zu of %zu: %s ",
	           a->verdict == TM_VERDICT_REGRESSION    ? "slower"
	           : a->verdict == TM_VERDICT_IMPROVEMENT ? "faster"
	                                                  : "unclear",
	           h->run[c->at].path, c->at + 1, h->n, times[h->d.on]);
	tm_put_time(&a->words, c->after - c->before, true);
	tm_buf_fmt(&a->words, " (%+.2f %%, p = %.2g, n = %zu before, %zu since)",
	           100 * (c->after / c->before - 1), c->p, c->at - c->from, c->to - c->at);
	tm_put_length(&a->words, h->levels.often, a->verdict);
	tm_buf_str(&a->words, "\n");
	tm_buf_fmt(
	        &a->line,
	        "verdict: %s on=%s runs=%zu first=%zu before_ns=%.0f after_ns=%.0f delta_pct=%.4f "
	        "p=%.7g run=%s\n",
	        tm_verdict_words[a->verdict], tm_diff_on_words[h->d.on - TM_ON_STEPS], h->n,
	        c->at + 1, c->before, c->after, 100 * (c->after / c->before - 1), c->p,
	        h->run[c->at].path);
	return !a->words.failed && !a->line.failed;
}

/* ---- all of it ---- */

static enum tm_status refused(struct history *h, struct tm_diff_answer *a)
{
	tm_put_verdict(&a->words, &h->d, &h->refusal);
	tm_put_verdict_line(&a->line, &h->d, &h->refusal);
	return TM_ST_END;
}

static enum tm_status look_back(struct history *h, struct tm_table *t, struct tm_diff_answer *a,
                                struct tm_report *rep)
{
	const struct tm_change_point *c;
	enum tm_status st;

	if (!tm_pairs_make(&h->all, h->run, 1, h->n, h->o) || !tm_refuse(&h->refusal, &h->all, rep))
		return TM_ST_FATAL;
	if (h->refusal.any)
		return refused(h, a);
	st = tm_decide(&h->d, &h->all, rep);
	if (st == TM_ST_END) {
		h->refusal.any = true;
		h->refusal.why = strdup(rep->n ? rep->v[rep->n - 1].text : "");
		return refused(h, a);
	}
	h->value = calloc(h->n, sizeof *h->value);
	h->change = calloc(h->n, sizeof *h->change);
	if (st == TM_ST_FATAL || !h->value || !h->change)
		return TM_ST_FATAL;
	take_values(h, h->value);
	if (!tm_change_points(h->value, h->n, h->o->alpha, h->d.floor, h->change, &h->changes))
		return TM_ST_FATAL;
	if (!explain(h, a) || !put_words(h, a) || !put_runs(h, t) || !put_kernels(h, t))
		return TM_ST_FATAL;
	c = last_change(h);
	if (c && a->verdict == TM_VERDICT_REGRESSION && h->o->fail_over >= 0 &&
	    tm_sig_above(excess(h, c), h->o->fail_over))
		tm_report_add(rep, TM_SEV_NO, NULL, 0,
		              "slower by %.2f %% since run %zu, more than %.6g %%",
		              100 * excess(h, c), c->at + 1, 100 * h->o->fail_over);
	return TM_ST_OK;
}

enum tm_status tm_diff_history(struct tm_digest *runs, size_t n, const struct tm_diff_opts *o,
                               struct tm_table *t, struct tm_diff_answer *a, struct tm_report *rep)
{
	struct history h = { .run = runs, .n = n, .o = o };
	enum tm_status st;

	*a = (struct tm_diff_answer) { 0 };
	tm_table_init_list(t, tm_diff_history_columns);
	st = look_back(&h, t, a, rep);
	if (a->words.failed || a->short_account.failed || a->line.failed || t->failed || rep->lost)
		st = TM_ST_FATAL;
	history_fini(&h);
	return st;
}
