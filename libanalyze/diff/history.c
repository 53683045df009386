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
	               .about = "regression, improvement or inconclusive: the first run of a new "
	                        "level" },
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
	struct tm_diff_opts by_kernel; /* the same, of some of the runs */
	struct tm_pairs all;           /* the first run as side A, the others as B */
	struct tm_decision d;
	struct tm_refusal refusal;
	double *value;                  /* of each run */
	struct tm_change_point *change; /* of the deciding time */
	size_t changes, weighed;
	struct tm_decision *levels; /* not of steps: the runs before each, those after it */
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
	free(h->levels);
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

/* ---- levels ---- */

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Runs from..to into out[], as they are, without those of another number of kernels than most of
 * them have: the level is a median, to which a run that ended early does not matter, but the calls
 * are added up.  How many; 0: out of memory. */
static size_t take_usual(const struct history *h, size_t from, size_t to, struct tm_digest *out)
{
	size_t n = to - from, kept = 0;
	uint64_t *kernels = calloc(n, sizeof *kernels), usual = 0;

	for (size_t i = 0; kernels && i < n; i++)
		kernels[i] = h->run[from + i].kernels;
	if (!kernels)
		return 0;
	qsort(kernels, n, sizeof *kernels, by_number);
	usual = kernels[n / 2];
	free(kernels);
	for (size_t i = from; i < to; i++) {
		double times = (double)h->run[i].kernels / (double)usual;

		if (!tm_sig_above(fmax(times, 1 / times) - 1, h->d.floor))
			out[kept++] = h->run[i];
	}
	if (2 * kept > n)
		return kept;
	memcpy(out, h->run + from, n * sizeof *out);
	return n;
}

static enum tm_status decide(const struct history *h, struct tm_pairs *p,
                             const struct tm_digest *runs, size_t before, size_t n,
                             struct tm_decision *d)
{
	struct tm_report unsaid = { 0 };
	enum tm_status st = TM_ST_FATAL;

	if (tm_pairs_make(p, runs, before, n, &h->by_kernel))
		st = tm_decide(d, p, &unsaid);
	tm_report_fini(&unsaid);
	return st;
}

/* The usual runs of the levels around a change: noise is what they differ by. */
static enum tm_status decide_levels(const struct history *h, const struct tm_change_point *c,
                                    struct tm_decision *d)
{
	struct tm_digest *runs = calloc(c->to - c->from, sizeof *runs);
	size_t before = runs ? take_usual(h, c->from, c->at, runs) : 0,
	       after = before ? take_usual(h, c->at, c->to, runs + before) : 0;
	struct tm_pairs p = { 0 };
	enum tm_status st = after ? decide(h, &p, runs, before, before + after, d) : TM_ST_FATAL;

	/* They are in p. */
	d->most = NULL;
	memset(d->length.pair, 0, sizeof d->length.pair);
	tm_pairs_fini(&p);
	free(runs);
	return st;
}

/* The levels of a kernel are mostly those of the deciding time. */
static bool weigh_levels(const struct history *h, const struct tm_change_point *c,
                         struct tm_decision *d)
{
	*d = (struct tm_decision) { 0 };
	for (size_t i = 0; i < h->weighed; i++)
		if (h->change[i].from == c->from && h->change[i].at == c->at &&
		    h->change[i].to == c->to) {
			*d = h->levels[i];
			return true;
		}
	return h->d.on == TM_ON_STEPS || decide_levels(h, c, d) != TM_ST_FATAL;
}

static bool may_differ_in_length(const struct tm_decision *levels)
{
	return levels->length.times[0] > 0;
}

static enum tm_verdict way_of(double before, double after)
{
	return after > before ? TM_VERDICT_REGRESSION : TM_VERDICT_IMPROVEMENT;
}

/* Is a change of the deciding time one whatever the length of the runs? */
static enum tm_verdict judge(const struct history *h, size_t change)
{
	const struct tm_change_point *c = &h->change[change];
	enum tm_verdict way = way_of(c->before, c->after);

	return may_differ_in_length(&h->levels[change]) && h->levels[change].verdict != way
	               ? TM_VERDICT_INCONCLUSIVE
	               : way;
}

/* Is that of a kernel? */
static enum tm_verdict judge_kernel(const struct tm_change_point *c,
                                    const struct tm_decision *levels, double floor)
{
	enum tm_verdict way = way_of(c->before, c->after);

	for (size_t i = 0; i < TM_LENGTHS && may_differ_in_length(levels); i++) {
		double after = c->after / levels->length.times[i], low = fmin(c->before, after);

		if (way_of(c->before, after) != way ||
		    (low > 0 && !tm_sig_above(fabs(after - c->before) / low, floor)))
			return TM_VERDICT_INCONCLUSIVE;
	}
	return way;
}

/* By what share the new level is slower, at the length of the runs that says least. */
static double excess(const struct history *h, size_t change)
{
	const struct tm_change_point *c = &h->change[change];
	const struct tm_decision *levels = &h->levels[change];
	double share = c->after / c->before - 1;

	if (may_differ_in_length(levels))
		share = fmin(share, h->d.on == TM_ON_KERNEL ? levels->together : levels->excess);
	return share;
}

/* ---- rows ---- */

static struct tm_cell ns_cell(double v)
{
	return tm_cell_u64((uint64_t)(v + 0.5));
}

static bool put_change(struct tm_table *t, const struct tm_diff_opts *o, struct tm_cell *c,
                       const struct tm_change_point *change, enum tm_verdict v)
{
	char text[32];
	int n = snprintf(text, sizeof text, o->people ? "%.2g" : "%.7g", change->p);
	struct tm_cell p = tm_table_own(t, text, (size_t)n);

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
		if (k == h->changes || h->change[k].at != r)
			continue;
		if (!put_change(t, h->o, c, &h->change[k], judge(h, k)))
			return false;
		k++;
	}
	return !t->failed;
}

/* The changes of one kernel. */
static bool put_kernel(const struct history *h, const struct tm_pair *p, double alpha, double *v,
                       struct tm_change_point *out, struct tm_table *t)
{
	size_t found;
	double high = 0, floor;

	take_kernel(h, p, v);
	for (size_t r = 0; r < h->n; r++)
		high = v[r] > high ? v[r] : high;
	floor = tm_diff_floor(h->o, high);
	if (!tm_change_points(v, h->n, alpha, floor, out, &found))
		return false;
	for (size_t i = 0; i < found; i++) {
		struct tm_cell *c = put_run(h, t, out[i].at, v[out[i].at]);
		struct tm_decision levels;

		if (!c || !weigh_levels(h, &out[i], &levels) ||
		    !put_change(t, h->o, c, &out[i], judge_kernel(&out[i], &levels, floor)))
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

static bool differ(double a, double b, double floor)
{
	double low = fmin(a, b);

	return low > 0 ? tm_sig_above(fabs(b - a) / low, floor) : a != b;
}

/* Without a run where the level changes: the first third of the runs against the last, which a slow
 * drift makes unlike.  False when out of memory. */
static bool find_drift(const struct history *h, struct tm_significance *s, bool *drifts)
{
	const size_t third = h->n / 3;

	if (!tm_sig_u(h->value, third, h->value + h->n - third, third, s))
		return false;
	*drifts = s->test != TM_SIG_NONE && s->p <= h->o->alpha &&
	          differ(s->median[0], s->median[1], h->d.floor);
	return true;
}

static void put_difference(struct tm_buf *b, double before, double after)
{
	tm_buf_str(b, ": ");
	tm_put_time(b, after - before, true);
	tm_buf_str(b, " (");
	if (before > 0)
		tm_buf_fmt(b, "%+.2f %%, ", 100 * (after / before - 1));
}

/* No change was found.  That there is none only runs say that differ by no more than the floor: a
 * few cannot be so unlike that chance would not make them so. */
static bool put_unchanged(const struct history *h, struct tm_diff_answer *a)
{
	struct tm_change_point c;
	struct tm_significance s;
	bool unlike = false, drifts = false;

	if (!tm_change_likeliest(h->value, h->n, h->o->alpha, h->d.floor, &c, &unlike) ||
	    !find_drift(h, &s, &drifts))
		return false;
	a->verdict = h->n < TM_HISTORY_LEAST || unlike || drifts ? TM_VERDICT_INCONCLUSIVE
	                                                         : TM_VERDICT_NEUTRAL;
	tm_buf_fmt(&a->words, "%s: %s of %zu runs",
	           a->verdict == TM_VERDICT_NEUTRAL ? "no change" : "unclear", times[h->d.on],
	           h->n);
	if (drifts) {
		put_difference(&a->words, s.median[0], s.median[1]);
		tm_buf_fmt(&a->words,
		           "p = %.2g) from the first %zu to the last %zu, little by little", s.p,
		           h->n / 3, h->n / 3);
	} else if (unlike) {
		put_difference(&a->words, c.before, c.after);
		tm_buf_fmt(&a->words, "p = %.2g) since %s, run %zu, which may be noise", c.p,
		           h->run[c.at].path, c.at + 1);
	}
	tm_buf_str(&a->words, h->n < TM_HISTORY_LEAST ? ", which are too few\n" : "\n");
	return tm_buf_fmt(&a->line, "verdict: %s on=%s runs=%zu\n", tm_verdict_words[a->verdict],
	                  tm_diff_on_words[h->d.on - TM_ON_STEPS], h->n);
}

/* The first run of the new level against the one before, unless just these two cannot be compared
 * by what decides of all. */
static bool explain(struct history *h, struct tm_diff_answer *a)
{
	const struct tm_change_point *c = last_change(h);
	enum tm_status st;

	if (!c)
		return true;
	st = decide(h, &h->pair, h->run + c->at - 1, 1, 2, &h->pair_decision);
	if (st != TM_ST_OK)
		return st == TM_ST_END;
	if (!tm_account_make(&h->account, &h->pair_decision, &h->pair))
		return false;
	tm_buf_fmt(&a->short_account, "  that run against %s:\n", h->run[c->at - 1].path);
	tm_put_account(&a->short_account, &h->pair_decision, &h->account, &h->pair);
	return true;
}

/* All changes. */
static bool weigh_changes(struct history *h)
{
	bool ok;

	h->levels = calloc(h->changes + 1, sizeof *h->levels);
	ok = h->levels != NULL;
	for (; ok && h->weighed < h->changes; h->weighed++)
		ok = weigh_levels(h, &h->change[h->weighed], &h->levels[h->weighed]);
	return ok;
}

/* False when out of memory. */
static bool put_words(const struct history *h, struct tm_diff_answer *a)
{
	const struct tm_change_point *c = last_change(h);

	if (!c)
		return put_unchanged(h, a);
	a->verdict = judge(h, h->changes - 1);
	tm_buf_fmt(&a->words, "%s since %s, run %zu of %zu: %s ",
	           a->verdict == TM_VERDICT_REGRESSION    ? "slower"
	           : a->verdict == TM_VERDICT_IMPROVEMENT ? "faster"
	                                                  : "unclear",
	           h->run[c->at].path, c->at + 1, h->n, times[h->d.on]);
	tm_put_time(&a->words, c->after - c->before, true);
	tm_buf_fmt(&a->words, " (%+.2f %%, p = %.2g, n = %zu before, %zu since)",
	           100 * (c->after / c->before - 1), c->p, c->at - c->from, c->to - c->at);
	tm_put_length(&a->words, &h->levels[h->changes - 1].length, a->verdict);
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
	double over;

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
	h->by_kernel = *h->o;
	h->by_kernel.on = h->d.on;
	h->by_kernel.per = TM_BY_KERNEL;
	if (!tm_change_points(h->value, h->n, h->o->alpha, h->d.floor, h->change, &h->changes) ||
	    !weigh_changes(h))
		return TM_ST_FATAL;
	if (!explain(h, a) || !put_words(h, a) || !put_runs(h, t) || !put_kernels(h, t))
		return TM_ST_FATAL;
	c = last_change(h);
	over = c ? excess(h, h->changes - 1) : 0;
	if (c && a->verdict == TM_VERDICT_REGRESSION && h->o->fail_over >= 0 &&
	    tm_sig_above(over, h->o->fail_over))
		tm_report_add(rep, TM_SEV_NO, NULL, 0,
		              "slower by %.2f %% since run %zu, more than %.6g %%", 100 * over,
		              c->at + 1, 100 * h->o->fail_over);
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
