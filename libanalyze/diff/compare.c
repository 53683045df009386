/* SPDX-License-Identifier: MIT */
#include "diff/compare.h"

#include "diff/account.h"
#include "diff/refuse.h"
#include "diff/remark.h"
#include "diff/rows.h"
#include "diff/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const tm_diff_per_words[] = { "class", "api", "copy", "region", "problem", NULL };

const struct tm_column tm_diff_columns[] = {
	[C_NAME] = { .name = "name",
	             .title = "NAME",
	             .unit = TM_UNIT_TEXT,
	             .elastic = true,
	             .about = "kernel, class, call, copy, region or problem; in parentheses: "
	                      "totals" },
	[C_CLASS] = { .name = "class",
	              .title = "CLASS",
	              .unit = TM_UNIT_TEXT,
	              .spare = 3,
	              .about = "kernel class or domain; for a problem, its libraries" },
	[C_STATUS] = { .name = "status",
	               .title = "STATUS",
	               .unit = TM_UNIT_TEXT,
	               .about = "matched, added or removed; for (verdict), the verdict" },
	[C_CALLS_A] = { .name = "calls_a",
	                .title = "CALLS A",
	                .unit = TM_UNIT_COUNT,
	                .spare = 5,
	                .about = "calls in all runs of A" },
	[C_CALLS_B] = { .name = "calls_b",
	                .title = "CALLS B",
	                .unit = TM_UNIT_COUNT,
	                .spare = 5,
	                .about = "calls in all runs of B" },
	[C_TOTAL_A] = { .name = "total_a_ns",
	                .title = "TOTAL A",
	                .unit = TM_UNIT_NS,
	                .about = "sum of durations" },
	[C_TOTAL_B] = { .name = "total_b_ns",
	                .title = "TOTAL B",
	                .unit = TM_UNIT_NS,
	                .about = "sum of durations" },
	[C_DELTA] = { .name = "delta_ns",
	              .title = "DELTA",
	              .unit = TM_UNIT_NS,
	              .about = "total_b_ns - total_a_ns" },
	[C_DELTA_PCT] = { .name = "delta_pct",
	                  .title = "DELTA%",
	                  .unit = TM_UNIT_PCT,
	                  .about = "delta_ns / total_a_ns" },
	[C_CALLS_EFFECT] = { .name = "calls_effect_ns",
	                     .title = "CALLS EFFECT",
	                     .unit = TM_UNIT_NS,
	                     .spare = 4,
	                     .about = "part of delta_ns: more or fewer calls, at A's mean" },
	[C_MEAN_EFFECT] = { .name = "mean_effect_ns",
	                    .title = "MEAN EFFECT",
	                    .unit = TM_UNIT_NS,
	                    .spare = 4,
	                    .about = "part of delta_ns: longer or shorter calls" },
	[C_P] = { .name = "p_value",
	          .title = "P",
	          .unit = TM_UNIT_RATIO,
	          .about = "two-sided p-value of the test of durations" },
	[C_SIGNIFICANT] = { .name = "significant",
	                    .title = "SIG",
	                    .unit = TM_UNIT_TEXT,
	                    .about = "yes, or ~ if it may be noise or is too small" },
	[C_N_A] = { .name = "n_a",
	            .title = "N A",
	            .unit = TM_UNIT_COUNT,
	            .spare = 6,
	            .about = "durations tested, or runs" },
	[C_N_B] = { .name = "n_b",
	            .title = "N B",
	            .unit = TM_UNIT_COUNT,
	            .spare = 6,
	            .about = "durations tested, or runs" },
	[C_TEST] = { .name = "test",
	             .title = "TEST",
	             .unit = TM_UNIT_TEXT,
	             .machine = true,
	             .about = "u-exact, u, u-batches, welch or welch-batches" },
	[C_RATE] = { .name = "q_value",
	             .title = "Q",
	             .unit = TM_UNIT_RATIO,
	             .machine = true,
	             .about = "false discovery rate at which the row is significant" },
	[C_NOTE] = { .name = "note",
	             .title = "NOTE",
	             .unit = TM_UNIT_TEXT,
	             .spare = 1,
	             .about = "remarks: matches, likely renames, why no verdict" },
	{ .name = NULL },
};

enum { A_PART, A_NAME, A_CAUSE, A_DELTA };

const struct tm_column tm_diff_account_columns[] = {
	[A_PART] = { .name = "part",
	             .title = "PART",
	             .unit = TM_UNIT_TEXT,
	             .about = "busy, overlap or idle" },
	[A_NAME] = { .name = "name",
	             .title = "NAME",
	             .unit = TM_UNIT_TEXT,
	             .elastic = true,
	             .about = "busy: the kernel or copy" },
	[A_CAUSE] = { .name = "cause",
	              .title = "CAUSE",
	              .unit = TM_UNIT_TEXT,
	              .about =
	                      "busy: calls or mean; overlap: concurrent or edge; idle: sync, host, "
	                      "launch, device or unknown" },
	[A_DELTA] = { .name = "delta_ns",
	              .title = "DELTA",
	              .unit = TM_UNIT_NS,
	              .about = "part of the difference in deciding time" },
	{ .name = NULL },
};

uint64_t tm_diff_domains(const struct tm_diff_opts *o)
{
	static const uint64_t of[] = { [TM_BY_KERNEL] = 0,
		                       [TM_BY_CLASS] = 0,
		                       [TM_BY_API] = TM_MASK_BIT(TM_DOMAIN_HIP) |
		                                     TM_MASK_BIT(TM_DOMAIN_HSA),
		                       [TM_BY_COPY] = TM_MASK_BIT(TM_DOMAIN_COPY),
		                       [TM_BY_REGION] = TM_MASK_BIT(TM_DOMAIN_MARKER),
		                       [TM_BY_PROBLEM] = 0 };

	return TM_MASK_BIT(TM_DOMAIN_KERNEL) | of[o->per];
}

void tm_diff_answer_fini(struct tm_diff_answer *a)
{
	tm_buf_fini(&a->words);
	tm_buf_fini(&a->short_account);
	tm_buf_fini(&a->line);
	*a = (struct tm_diff_answer) { 0 };
}

/* ---- cells ---- */

static struct tm_cell word(const char *s)
{
	return tm_cell_text(s, strlen(s));
}

struct tm_cell tm_diff_signed_ns(tm_i128 v)
{
	tm_u128 size = v < 0 ? -(tm_u128)v : (tm_u128)v;

	return size > UINT64_MAX ? tm_cell_none() : tm_cell_signed(v < 0, (uint64_t)size);
}

static struct tm_cell total_cell(tm_u128 v)
{
	return v >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)v);
}

/* Seven digits for scripts, two for people. */
static struct tm_cell p_cell(struct tm_table *t, const struct tm_diff_opts *o, double p)
{
	char text[32];
	int n = snprintf(text, sizeof text, o->people ? "%.2g" : "%.7g", p);
	struct tm_cell own = tm_table_own(t, text, (size_t)n);

	return own.type == TM_CELL_TEXT ? tm_cell_as_read(own.v.s, own.len) : own;
}

struct tm_cell tm_diff_pct_cell(double share)
{
	return isfinite(share) ? tm_cell_real4(100 * share) : tm_cell_none();
}

static const char *test_word(enum tm_sig_test test)
{
	static const char *const words[] = {
		[TM_SIG_NONE] = "",       [TM_SIG_U_EXACT] = "u-exact",
		[TM_SIG_U_NORMAL] = "u",  [TM_SIG_U_BATCHES] = "u-batches",
		[TM_SIG_WELCH] = "welch", [TM_SIG_WELCH_BATCHES] = "welch-batches",
	};

	return words[test];
}

static void put_test(struct tm_table *t, struct tm_cell *c, const struct tm_diff_opts *o,
                     const struct tm_significance *s, double rate)
{
	if (s->test == TM_SIG_NONE)
		return;
	c[C_P] = p_cell(t, o, s->p);
	c[C_TEST] = word(test_word(s->test));
	if (!isnan(rate))
		c[C_RATE] = p_cell(t, o, rate);
}

/* ---- rows ---- */

/* B over A - 1, of sums or of the mean runs. */
static double change_of(tm_u128 a, tm_u128 b, const uint64_t per[TM_SIDES])
{
	double was = (double)a / (double)per[TM_SIDE_A], is = (double)b / (double)per[TM_SIDE_B];

	return (is - was) / was;
}

static bool put_pair(struct tm_table *t, const struct tm_pairs *of, const struct tm_pair *p)
{
	const struct tm_diff_opts *o = of->o;
	const struct tm_pair_side *a = &p->side[TM_SIDE_A], *b = &p->side[TM_SIDE_B];
	struct tm_effects e = tm_effects_of(p, of->per);
	struct tm_cell *c = tm_table_row(t);
	bool timed = !a->untimed && !b->untimed;

	if (!c)
		return false;
	c[C_NAME] = tm_table_own(t, p->name, p->len);
	if (*p->class_name)
		c[C_CLASS] = word(p->class_name);
	c[C_STATUS] = word(!a->runs ? "added" : !b->runs ? "removed" : "matched");
	c[C_CALLS_A] = a->uncounted ? tm_cell_none() : tm_cell_u64(a->m.n);
	c[C_CALLS_B] = b->uncounted ? tm_cell_none() : tm_cell_u64(b->m.n);
	c[C_TOTAL_A] = a->untimed ? tm_cell_none() : total_cell(a->m.sum);
	c[C_TOTAL_B] = b->untimed ? tm_cell_none() : total_cell(b->m.sum);
	if (timed) {
		c[C_DELTA] = tm_diff_signed_ns(e.calls + e.mean);
		c[C_CALLS_EFFECT] = tm_diff_signed_ns(e.calls);
		c[C_MEAN_EFFECT] = tm_diff_signed_ns(e.mean);
	}
	if (timed && a->m.sum)
		c[C_DELTA_PCT] = tm_diff_pct_cell(change_of(a->m.sum, b->m.sum, of->per));
	put_test(t, c, o, &p->test, p->rate);
	if (tm_pair_matched(p) && timed)
		c[C_SIGNIFICANT] = word(p->significant ? "yes" : "~");
	c[C_N_A] = tm_cell_u64(p->n[TM_SIDE_A]);
	c[C_N_B] = tm_cell_u64(p->n[TM_SIDE_B]);
	if (p->note)
		c[C_NOTE] = tm_table_own(t, p->note, strlen(p->note));
	return !t->failed;
}

/* Time, or calls where there are no times, without a sign, and a place in the order of texts, which
 * does not change. */
struct ranked {
	tm_u128 size;
	const struct tm_pair *pair;
};

/* What is significant first, then the largest difference. */
static int by_delta(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->pair->significant != b->pair->significant)
		return a->pair->significant ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return (a->pair > b->pair) - (a->pair < b->pair);
}

/* Those below --min-share, together. */
static void add_small(struct tm_pair *into, const struct tm_pair *p)
{
	for (int s = 0; s < TM_SIDES; s++) {
		into->side[s].runs += p->side[s].runs;
		into->side[s].untimed |= p->side[s].untimed;
		into->side[s].uncounted |= p->side[s].uncounted;
		tm_moments_merge(&into->side[s].m, &p->side[s].m);
	}
}

bool tm_diff_put_pairs(struct tm_table *t, const struct tm_pairs *p)
{
	struct ranked *v = calloc(p->n + 1, sizeof *v);
	struct tm_pair small = {
		.name = tm_others, .len = strlen(tm_others), .class_name = "", .rate = NAN
	};
	size_t n = 0, smalls = 0;
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < p->n; i++) {
		const struct tm_moments *ma = &p->v[i].side[TM_SIDE_A].m,
		                        *mb = &p->v[i].side[TM_SIDE_B].m;
		tm_u128 a = (p->by_calls ? ma->n : ma->sum) * p->per[TM_SIDE_B],
		        b = (p->by_calls ? mb->n : mb->sum) * p->per[TM_SIDE_A];

		if (tm_pair_is_small(p, &p->v[i])) {
			add_small(&small, &p->v[i]);
			smalls++;
		} else {
			v[n++] = (struct ranked) { a > b ? a - b : b - a, &p->v[i] };
		}
	}
	if (n)
		qsort(v, n, sizeof *v, by_delta);
	for (size_t i = 0; ok && i < n; i++)
		ok = put_pair(t, p, v[i].pair);
	if (ok && smalls)
		ok = put_pair(t, p, &small);
	free(v);
	return ok;
}

/* The geometric mean of the means of B over those of A, of rows of both. */
bool tm_diff_put_geomean(struct tm_table *t, const struct tm_pairs *p)
{
	double sum = 0;
	size_t n = 0;
	struct tm_cell *c;

	for (size_t i = 0; i < p->n; i++) {
		const struct tm_moments *a = &p->v[i].side[TM_SIDE_A].m,
		                        *b = &p->v[i].side[TM_SIDE_B].m;

		if (!a->sum || !b->sum)
			continue;
		sum += log((double)b->sum / (double)b->n) - log((double)a->sum / (double)a->n);
		n++;
	}
	if (!n)
		return true;
	c = tm_table_row(t);
	if (!c)
		return false;
	t->kept++;
	c[C_NAME] = word("(geomean)");
	c[C_STATUS] = word("geomean");
	c[C_DELTA_PCT] = tm_diff_pct_cell(exp(sum / (double)n) - 1);
	c[C_N_A] = c[C_N_B] = tm_cell_u64(n);
	return true;
}

/* People have the verdict above and below the table. */
static bool put_verdict_row(struct tm_table *t, const struct tm_diff_opts *o,
                            const struct tm_decision *d, const struct tm_refusal *r)
{
	struct tm_cell *c = o->people ? NULL : tm_table_row(t);

	if (!c)
		return o->people;
	t->kept++;
	c[C_NAME] = word("(verdict)");
	c[C_STATUS] = word(tm_verdict_words[r->any ? TM_VERDICT_INCONCLUSIVE : d->verdict]);
	if (r->any) {
		if (r->why)
			c[C_NOTE] = tm_table_own(t, r->why, strlen(r->why));
		return !t->failed;
	}
	c[C_CLASS] = word(tm_diff_on_words[d->on - TM_ON_STEPS]);
	c[C_TOTAL_A] = tm_cell_u64(d->ns[TM_SIDE_A]);
	c[C_TOTAL_B] = tm_cell_u64(d->ns[TM_SIDE_B]);
	c[C_DELTA] = tm_diff_signed_ns(tm_decision_delta(d));
	c[C_DELTA_PCT] = tm_diff_pct_cell(d->change);
	put_test(t, c, o, &d->test, NAN);
	c[C_SIGNIFICANT] = word(
	        d->verdict == TM_VERDICT_REGRESSION || d->verdict == TM_VERDICT_IMPROVEMENT ? "yes"
	                                                                                    : "~");
	c[C_N_A] = tm_cell_u64(d->n[TM_SIDE_A]);
	c[C_N_B] = tm_cell_u64(d->n[TM_SIDE_B]);
	return !t->failed;
}

static bool put_account_row(struct tm_table *t, const struct tm_account_row *row)
{
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return false;
	c[A_PART] = word(tm_account_words[row->part]);
	if (row->name)
		c[A_NAME] = tm_table_own(t, row->name, row->len);
	c[A_CAUSE] = word(row->cause);
	c[A_DELTA] = tm_diff_signed_ns(row->delta);
	return !t->failed;
}

/* Busy parts that --min-share puts together: kernels below it, and what no kernel is about. */
static bool is_small_part(const struct tm_account_row *row, const struct tm_pairs *kernels)
{
	return kernels->o->min_share > 0 &&
	       (row->name == tm_others || (row->pair && tm_pair_is_small(kernels, row->pair)));
}

static bool put_account_rows(struct tm_table *t, const struct tm_account *a,
                             const struct tm_pairs *kernels)
{
	const struct tm_account_row empty = { .part = TM_PART_BUSY,
		                              .name = tm_others,
		                              .len = strlen(tm_others) };
	struct tm_account_row calls = empty, mean = empty;
	size_t i = 0;
	bool ok = true;

	calls.cause = "calls";
	mean.cause = "mean";
	for (; ok && i < a->n && a->v[i].part == TM_PART_BUSY; i++)
		if (is_small_part(&a->v[i], kernels))
			*(strcmp(a->v[i].cause, "mean") ? &calls.delta
			                                : &mean.delta) += a->v[i].delta;
		else
			ok = put_account_row(t, &a->v[i]);
	ok = ok && (!calls.delta || put_account_row(t, &calls)) &&
	     (!mean.delta || put_account_row(t, &mean));
	for (; ok && i < a->n; i++)
		ok = put_account_row(t, &a->v[i]);
	return ok;
}

/* ---- what else there is to say ---- */

static void tell(const struct tm_decision *d, const struct tm_pairs *kernels,
                 const struct tm_diff_opts *o, struct tm_report *rep)
{
	size_t few = 0, silent = 0;

	for (size_t r = 0; r < kernels->nruns && d->on == TM_ON_STEPS; r++) {
		const struct tm_report *notes = &kernels->runs[r].step_notes;

		for (size_t i = 0; i < notes->n; i++)
			tm_report_add(rep, TM_SEV_NOTE, notes->v[i].where, 0, "%s",
			              notes->v[i].text);
	}

	for (size_t r = 0; r < kernels->nruns; r++) {
		const struct tm_digest *run = &kernels->runs[r];

		few += run->has_calls && (tm_u128)run->matched * 10 < (tm_u128)run->ops * 9;
		silent += !run->has_calls;
	}
	if (d->on != TM_ON_KERNEL && silent)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "no API calls in %zu of %zu runs: causes of idle time are unknown there; "
		        "trace with --hip-trace",
		        silent, kernels->nruns);
	if (d->on != TM_ON_KERNEL && few)
		tm_report_add(
		        rep, TM_SEV_WARN, NULL, 0,
		        "API calls were found for less than 90 %% of the operations of %zu of "
		        "%zu runs: the causes of idle time there are not representative",
		        few, kernels->nruns);
	if (kernels->stable)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%zu row%s whose names differ between the sides only in "
		              "build-dependent parts",
		              kernels->stable, kernels->stable == 1 ? "" : "s");
	if (d->on == TM_ON_STEPS && d->n[0] != d->n[1] && kernels->nruns == 2)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "the sides have %zu and %zu steps: row totals cover whole runs, only "
		              "the verdict and the account are per step",
		              d->n[0], d->n[1]);
	if (kernels->per[TM_SIDE_A] != kernels->per[TM_SIDE_B])
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "the sides have %zu and %zu runs: row calls and totals cover all "
		              "runs of a side, differences are per mean run",
		              kernels->na, kernels->nruns - kernels->na);
	if (o->fail_over >= 0 && d->verdict == TM_VERDICT_REGRESSION &&
	    tm_sig_above(d->excess, o->fail_over))
		tm_report_add(rep, TM_SEV_NO, NULL, 0, "slower by %.2f %%, more than %.6g %%",
		              100 * d->excess, 100 * o->fail_over);
}

/* ---- all of it ---- */

struct comparison {
	struct tm_pairs kernels, others; /* others: what rows are of, unless it is kernels */
	struct tm_decision d;
	struct tm_account account;
	struct tm_refusal r;
};

static bool answer(struct comparison *c, const struct tm_diff_opts *o, struct tm_table *t,
                   struct tm_diff_answer *a, struct tm_report *rep)
{
	struct tm_pairs *rows = o->per == TM_BY_KERNEL ? &c->kernels : &c->others;

	a->verdict = c->d.verdict;
	tm_put_verdict(&a->words, &c->d, &c->r);
	tm_put_verdict_line(&a->line, &c->d, &c->r);
	if (!c->r.any) {
		if (!c->account.over)
			tm_put_account(&a->short_account, &c->d, &c->account, &c->kernels);
		tell(&c->d, &c->kernels, o, rep);
	}
	if (o->account)
		return put_account_rows(t, &c->account, &c->kernels);
	return tm_remark(rows, &c->d) && tm_diff_put_pairs(t, rows) &&
	       tm_diff_put_geomean(t, rows) && put_verdict_row(t, o, &c->d, &c->r);
}

static bool refused(struct comparison *c, const struct tm_diff_opts *o, struct tm_table *t,
                    struct tm_diff_answer *a)
{
	tm_put_verdict(&a->words, &c->d, &c->r);
	tm_put_verdict_line(&a->line, &c->d, &c->r);
	return o->account || put_verdict_row(t, o, &c->d, &c->r);
}

static bool break_down(struct comparison *c, struct tm_report *rep)
{
	if (!tm_account_make(&c->account, &c->d, &c->kernels))
		return false;
	if (!c->account.over)
		return true;
	tm_account_fini(&c->account);
	c->account.over = true;
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
	              "no breakdown: the effect of calls or durations exceeds 292 years");
	return true;
}

static enum tm_status compare(struct comparison *c, const struct tm_digest *runs, size_t na,
                              size_t n, const struct tm_diff_opts *o, struct tm_table *t,
                              struct tm_diff_answer *a, struct tm_report *rep)
{
	struct tm_diff_opts by_kernel = *o;
	enum tm_status st;

	by_kernel.per = TM_BY_KERNEL;
	if (!tm_pairs_make(&c->kernels, runs, na, n, &by_kernel) ||
	    !tm_refuse(&c->r, &c->kernels, rep))
		return TM_ST_FATAL;
	if (c->r.any && !c->r.partial)
		return refused(c, o, t, a) ? TM_ST_END : TM_ST_FATAL;
	st = tm_decide(&c->d, &c->kernels, rep);
	if (st == TM_ST_END && !c->r.any) {
		c->r.any = true;
		c->r.why = strdup(rep->n ? rep->v[rep->n - 1].text : "");
		return c->r.why && refused(c, o, t, a) ? TM_ST_END : TM_ST_FATAL;
	}
	/* Runs that are incomplete show their rows even if nothing can decide: without a deciding
	 * time, there is nothing to break down. */
	if (st == TM_ST_FATAL || (st == TM_ST_OK && !break_down(c, rep)) ||
	    (o->per != TM_BY_KERNEL && !tm_pairs_make(&c->others, runs, na, n, o)) ||
	    !answer(c, o, t, a, rep))
		return TM_ST_FATAL;
	return c->r.any ? TM_ST_END : TM_ST_OK;
}

enum tm_status tm_diff_compare(struct tm_digest *runs, size_t na, size_t n,
                               const struct tm_diff_opts *o, struct tm_table *t,
                               struct tm_diff_answer *a, struct tm_report *rep)
{
	struct comparison c = { 0 };
	enum tm_status st;

	*a = (struct tm_diff_answer) { 0 };
	tm_table_init_list(t, o->account ? tm_diff_account_columns : tm_diff_columns);
	st = compare(&c, runs, na, n, o, t, a, rep);
	if (a->words.failed || a->short_account.failed || a->line.failed || t->failed || rep->lost)
		st = TM_ST_FATAL;
	tm_pairs_fini(&c.kernels);
	tm_pairs_fini(&c.others);
	tm_account_fini(&c.account);
	free(c.r.why);
	return st;
}
