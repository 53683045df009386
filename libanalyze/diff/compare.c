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

const char *const diff_per_words[] = { "class", "api", "copy", "region", "problem", NULL };

const struct column diff_columns[] = {
	[C_NAME] = { .name = "name",
	             .title = "NAME",
	             .unit = UNIT_TEXT,
	             .elastic = true,
	             .about = "kernel, class, call, copy, region or problem; in parentheses: "
	                      "totals" },
	[C_CLASS] = { .name = "class",
	              .title = "CLASS",
	              .unit = UNIT_TEXT,
	              .spare = 3,
	              .about = "class of the kernel, or domain; of a problem: libraries" },
	[C_STATUS] = { .name = "status",
	               .title = "STATUS",
	               .unit = UNIT_TEXT,
	               .about = "matched, added or removed; of (verdict) its word" },
	[C_CALLS_A] = { .name = "calls_a",
	                .title = "CALLS A",
	                .unit = UNIT_COUNT,
	                .spare = 5,
	                .about = "in all runs of A" },
	[C_CALLS_B] = { .name = "calls_b",
	                .title = "CALLS B",
	                .unit = UNIT_COUNT,
	                .spare = 5,
	                .about = "in all runs of B" },
	[C_TOTAL_A] = { .name = "total_a_ns",
	                .title = "TOTAL A",
	                .unit = UNIT_NS,
	                .about = "sum of durations" },
	[C_TOTAL_B] = { .name = "total_b_ns",
	                .title = "TOTAL B",
	                .unit = UNIT_NS,
	                .about = "sum of durations" },
	[C_DELTA] = { .name = "delta_ns",
	              .title = "DELTA",
	              .unit = UNIT_NS,
	              .about = "total_b_ns - total_a_ns" },
	[C_DELTA_PCT] = { .name = "delta_pct",
	                  .title = "DELTA%",
	                  .unit = UNIT_PCT,
	                  .about = "delta_ns / total_a_ns" },
	[C_CALLS_EFFECT] = { .name = "calls_effect_ns",
	                     .title = "CALLS EFFECT",
	                     .unit = UNIT_NS,
	                     .spare = 4,
	                     .about = "part of delta_ns: more or fewer calls, at A's mean" },
	[C_MEAN_EFFECT] = { .name = "mean_effect_ns",
	                    .title = "MEAN EFFECT",
	                    .unit = UNIT_NS,
	                    .spare = 4,
	                    .about = "part of delta_ns: longer or shorter calls" },
	[C_P] = { .name = "p_value",
	          .title = "P",
	          .unit = UNIT_RATIO,
	          .about = "of no difference of the durations, two-sided" },
	[C_SIGNIFICANT] = { .name = "significant",
	                    .title = "SIG",
	                    .unit = UNIT_TEXT,
	                    .about = "yes, or ~ where it may be noise or is too small" },
	[C_N_A] = { .name = "n_a",
	            .title = "N A",
	            .unit = UNIT_COUNT,
	            .spare = 6,
	            .about = "durations tested, or runs" },
	[C_N_B] = { .name = "n_b",
	            .title = "N B",
	            .unit = UNIT_COUNT,
	            .spare = 6,
	            .about = "durations tested, or runs" },
	[C_TEST] = { .name = "test",
	             .title = "TEST",
	             .unit = UNIT_TEXT,
	             .machine = true,
	             .about = "u-exact, u, u-batches, welch or welch-batches" },
	[C_RATE] = { .name = "q_value",
	             .title = "Q",
	             .unit = UNIT_RATIO,
	             .machine = true,
	             .about = "rate of false discoveries at which the row counts" },
	[C_NOTE] = { .name = "note",
	             .title = "NOTE",
	             .unit = UNIT_TEXT,
	             .spare = 1,
	             .about = "what became of it" },
	{ .name = NULL },
};

enum { A_PART, A_NAME, A_CAUSE, A_DELTA };

const struct column diff_account_columns[] = {
	[A_PART] = { .name = "part",
	             .title = "PART",
	             .unit = UNIT_TEXT,
	             .about = "busy, overlap or idle" },
	[A_NAME] = { .name = "name",
	             .title = "NAME",
	             .unit = UNIT_TEXT,
	             .elastic = true,
	             .about = "busy: the kernel or copy" },
	[A_CAUSE] = { .name = "cause",
	              .title = "CAUSE",
	              .unit = UNIT_TEXT,
	              .about =
	                      "busy: calls or mean; overlap: concurrent or edge; idle: sync, host, "
	                      "launch, device or unknown" },
	[A_DELTA] = { .name = "delta_ns",
	              .title = "DELTA",
	              .unit = UNIT_NS,
	              .about = "part of the difference of the deciding times" },
	{ .name = NULL },
};

uint64_t diff_domains(const struct diff_opts *o)
{
	static const uint64_t of[] = { [BY_KERNEL] = 0,
		                       [BY_CLASS] = 0,
		                       [BY_API] = MASK_BIT(DOMAIN_HIP) | MASK_BIT(DOMAIN_HSA),
		                       [BY_COPY] = MASK_BIT(DOMAIN_COPY),
		                       [BY_REGION] = MASK_BIT(DOMAIN_MARKER),
		                       [BY_PROBLEM] = 0 };

	return MASK_BIT(DOMAIN_KERNEL) | of[o->per];
}

void diff_answer_fini(struct diff_answer *a)
{
	buf_fini(&a->words);
	buf_fini(&a->short_account);
	buf_fini(&a->line);
	*a = (struct diff_answer) { 0 };
}

/* ---- cells ---- */

static struct cell word(const char *s)
{
	return cell_text(s, strlen(s));
}

struct cell diff_signed_ns(i128 v)
{
	u128 size = v < 0 ? -(u128)v : (u128)v;

	return size > UINT64_MAX ? cell_none() : cell_signed(v < 0, (uint64_t)size);
}

static struct cell total_cell(u128 v)
{
	return v >> 64 ? cell_none() : cell_u64((uint64_t)v);
}

/* Seven digits for scripts, two for people. */
static struct cell p_cell(struct table *t, const struct diff_opts *o, double p)
{
	char text[32];
	int n = snprintf(text, sizeof text, o->people ? "%.2g" : "%.7g", p);
	struct cell own = table_own(t, text, (size_t)n);

	return own.type == CELL_TEXT ? cell_as_read(own.v.s, own.len) : own;
}

struct cell diff_pct_cell(double share)
{
	return isfinite(share) ? cell_real4(100 * share) : cell_none();
}

static const char *test_word(enum sig_test test)
{
	static const char *const words[] = {
		[SIG_NONE] = "",       [SIG_U_EXACT] = "u-exact",
		[SIG_U_NORMAL] = "u",  [SIG_U_BATCHES] = "u-batches",
		[SIG_WELCH] = "welch", [SIG_WELCH_BATCHES] = "welch-batches",
	};

	return words[test];
}

static void put_test(struct table *t, struct cell *c, const struct diff_opts *o,
                     const struct significance *s, double rate)
{
	if (s->test == SIG_NONE)
		return;
	c[C_P] = p_cell(t, o, s->p);
	c[C_TEST] = word(test_word(s->test));
	if (!isnan(rate))
		c[C_RATE] = p_cell(t, o, rate);
}

/* ---- rows ---- */

static bool put_pair(struct table *t, const struct diff_opts *o, const struct pair *p)
{
	const struct pair_side *a = &p->side[SIDE_A], *b = &p->side[SIDE_B];
	struct effects e = effects_of(p);
	struct cell *c = table_row(t);
	bool timed = !a->untimed && !b->untimed;

	if (!c)
		return false;
	c[C_NAME] = table_own(t, p->name, p->len);
	c[C_CLASS] = word(p->class_name);
	c[C_STATUS] = word(!a->runs ? "added" : !b->runs ? "removed" : "matched");
	c[C_CALLS_A] = a->uncounted ? cell_none() : cell_u64(a->m.n);
	c[C_CALLS_B] = b->uncounted ? cell_none() : cell_u64(b->m.n);
	c[C_TOTAL_A] = a->untimed ? cell_none() : total_cell(a->m.sum);
	c[C_TOTAL_B] = b->untimed ? cell_none() : total_cell(b->m.sum);
	if (timed) {
		c[C_DELTA] = diff_signed_ns(e.calls + e.mean);
		c[C_CALLS_EFFECT] = diff_signed_ns(e.calls);
		c[C_MEAN_EFFECT] = diff_signed_ns(e.mean);
	}
	if (timed && a->m.sum)
		c[C_DELTA_PCT] = diff_pct_cell(((double)b->m.sum - (double)a->m.sum) /
		                               (double)a->m.sum);
	put_test(t, c, o, &p->test, p->rate);
	if (pair_matched(p) && timed)
		c[C_SIGNIFICANT] = word(p->significant ? "yes" : "~");
	c[C_N_A] = cell_u64(p->n[SIDE_A]);
	c[C_N_B] = cell_u64(p->n[SIDE_B]);
	if (p->note)
		c[C_NOTE] = table_own(t, p->note, strlen(p->note));
	return !t->failed;
}

/* Time, or calls where there are no times, without a sign, and a place in the order of texts, which
 * does not change. */
struct ranked {
	u128 size;
	const struct pair *pair;
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

static bool is_small(const struct pairs *p, const struct pair *pair)
{
	for (int s = 0; s < SIDES; s++)
		if ((double)pair->side[s].m.sum >= p->o->min_share * (double)p->total[s] &&
		    pair->side[s].runs)
			return false;
	return true;
}

/* Those below --min-share, together. */
static void add_small(struct pair *into, const struct pair *p)
{
	for (int s = 0; s < SIDES; s++) {
		into->side[s].runs += p->side[s].runs;
		into->side[s].untimed |= p->side[s].untimed;
		into->side[s].uncounted |= p->side[s].uncounted;
		moments_merge(&into->side[s].m, &p->side[s].m);
	}
}

bool diff_put_pairs(struct table *t, const struct pairs *p)
{
	static const char others[] = "(others)";
	struct ranked *v = calloc(p->n + 1, sizeof *v);
	struct pair small = {
		.name = others, .len = sizeof others - 1, .class_name = "", .rate = NAN
	};
	size_t n = 0, smalls = 0;
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < p->n; i++) {
		const struct moments *ma = &p->v[i].side[SIDE_A].m, *mb = &p->v[i].side[SIDE_B].m;
		u128 a = p->by_calls ? ma->n : ma->sum, b = p->by_calls ? mb->n : mb->sum;

		if (p->o->min_share > 0 && is_small(p, &p->v[i])) {
			add_small(&small, &p->v[i]);
			smalls++;
		} else {
			v[n++] = (struct ranked) { a > b ? a - b : b - a, &p->v[i] };
		}
	}
	if (n)
		qsort(v, n, sizeof *v, by_delta);
	for (size_t i = 0; ok && i < n; i++)
		ok = put_pair(t, p->o, v[i].pair);
	if (ok && smalls)
		ok = put_pair(t, p->o, &small);
	free(v);
	return ok;
}

/* The geometric mean of the means of B over those of A, of rows of both. */
bool diff_put_geomean(struct table *t, const struct pairs *p)
{
	double sum = 0;
	size_t n = 0;
	struct cell *c;

	for (size_t i = 0; i < p->n; i++) {
		const struct moments *a = &p->v[i].side[SIDE_A].m, *b = &p->v[i].side[SIDE_B].m;

		if (!a->sum || !b->sum)
			continue;
		sum += log((double)b->sum / (double)b->n) - log((double)a->sum / (double)a->n);
		n++;
	}
	if (!n)
		return true;
	c = table_row(t);
	if (!c)
		return false;
	c[C_NAME] = word("(geomean)");
	c[C_STATUS] = word("geomean");
	c[C_DELTA_PCT] = diff_pct_cell(exp(sum / (double)n) - 1);
	c[C_N_A] = c[C_N_B] = cell_u64(n);
	return true;
}

/* People have the verdict above and below the table. */
static bool put_verdict_row(struct table *t, const struct diff_opts *o, const struct decision *d,
                            const struct refusal *r)
{
	struct cell *c = o->people ? NULL : table_row(t);

	if (!c)
		return o->people;
	c[C_NAME] = word("(verdict)");
	c[C_STATUS] = word(verdict_words[r->any ? VERDICT_INCONCLUSIVE : d->verdict]);
	if (r->any) {
		if (r->why)
			c[C_NOTE] = table_own(t, r->why, strlen(r->why));
		return !t->failed;
	}
	c[C_CLASS] = word(diff_on_words[d->on - ON_STEPS]);
	c[C_TOTAL_A] = cell_u64(d->ns[SIDE_A]);
	c[C_TOTAL_B] = cell_u64(d->ns[SIDE_B]);
	c[C_DELTA] = diff_signed_ns(decision_delta(d));
	c[C_DELTA_PCT] = diff_pct_cell(d->change);
	put_test(t, c, o, &d->test, NAN);
	c[C_SIGNIFICANT] = word(
	        d->verdict == VERDICT_REGRESSION || d->verdict == VERDICT_IMPROVEMENT ? "yes"
	                                                                              : "~");
	c[C_N_A] = cell_u64(d->n[SIDE_A]);
	c[C_N_B] = cell_u64(d->n[SIDE_B]);
	return !t->failed;
}

static bool put_account_rows(struct table *t, const struct account *a)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct account_row *row = &a->v[i];
		struct cell *c = table_row(t);

		if (!c)
			return false;
		c[A_PART] = word(account_words[row->part]);
		if (row->name)
			c[A_NAME] = table_own(t, row->name, row->len);
		c[A_CAUSE] = word(row->cause);
		c[A_DELTA] = diff_signed_ns(row->delta);
	}
	return !t->failed;
}

/* ---- what else there is to say ---- */

static void tell(const struct decision *d, const struct pairs *kernels, const struct diff_opts *o,
                 struct report *rep)
{
	size_t few = 0, silent = 0;

	for (size_t r = 0; r < kernels->nruns && d->on == ON_STEPS; r++) {
		const struct report *notes = &kernels->runs[r].step_notes;

		for (size_t i = 0; i < notes->n; i++)
			report_add(rep, SEV_NOTE, notes->v[i].where, 0, "%s", notes->v[i].text);
	}

	for (size_t r = 0; r < kernels->nruns; r++) {
		const struct digest *run = &kernels->runs[r];

		few += run->has_calls && (u128)run->matched * 10 < (u128)run->ops * 9;
		silent += !run->has_calls;
	}
	if (d->on != ON_KERNEL && silent)
		report_add(
		        rep, SEV_NOTE, NULL, 0,
		        "no API calls in %zu of %zu runs: causes of idle time are unknown there; "
		        "trace with --hip-trace",
		        silent, kernels->nruns);
	if (d->on != ON_KERNEL && few)
		report_add(rep, SEV_WARN, NULL, 0,
		           "API calls were found for less than 90 %% of the operations of %zu of "
		           "%zu runs: the causes of idle time there are not representative",
		           few, kernels->nruns);
	if (kernels->stable)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "%zu row%s of names that differ between the sides in what builds change",
		           kernels->stable, kernels->stable == 1 ? "" : "s");
	if (d->on == ON_STEPS && d->n[0] != d->n[1] && kernels->nruns == 2)
		report_add(
		        rep, SEV_NOTE, NULL, 0,
		        "the sides have %zu and %zu steps: totals of rows are of whole runs, only "
		        "the verdict and the account are of a step",
		        d->n[0], d->n[1]);
	if (o->fail_over >= 0 && d->verdict == VERDICT_REGRESSION && d->excess > o->fail_over)
		report_add(rep, SEV_NO, NULL, 0, "slower by %.2f %%, more than %.4g %%",
		           100 * d->excess, 100 * o->fail_over);
}

/* ---- all of it ---- */

struct comparison {
	struct pairs kernels, others; /* others: what rows are of, unless it is kernels */
	struct decision d;
	struct account account;
	struct refusal r;
};

static bool answer(struct comparison *c, const struct diff_opts *o, struct table *t,
                   struct diff_answer *a, struct report *rep)
{
	struct pairs *rows = o->per == BY_KERNEL ? &c->kernels : &c->others;

	a->verdict = c->d.verdict;
	put_verdict(&a->words, &c->d, &c->r);
	put_verdict_line(&a->line, &c->d, &c->r);
	if (!c->r.any) {
		put_account(&a->short_account, &c->d, &c->account, &c->kernels);
		tell(&c->d, &c->kernels, o, rep);
	}
	if (o->account)
		return put_account_rows(t, &c->account);
	return remark(rows, &c->d) && diff_put_pairs(t, rows) && diff_put_geomean(t, rows) &&
	       put_verdict_row(t, o, &c->d, &c->r);
}

static bool refused(struct comparison *c, const struct diff_opts *o, struct table *t,
                    struct diff_answer *a)
{
	put_verdict(&a->words, &c->d, &c->r);
	put_verdict_line(&a->line, &c->d, &c->r);
	return o->account || put_verdict_row(t, o, &c->d, &c->r);
}

static enum status compare(struct comparison *c, const struct digest *runs, size_t na, size_t n,
                           const struct diff_opts *o, struct table *t, struct diff_answer *a,
                           struct report *rep)
{
	struct diff_opts by_kernel = *o;
	enum status st;

	by_kernel.per = BY_KERNEL;
	if (!pairs_make(&c->kernels, runs, na, n, &by_kernel) || !refuse(&c->r, &c->kernels, rep))
		return ST_FATAL;
	if (c->r.any && !c->r.partial)
		return refused(c, o, t, a) ? ST_END : ST_FATAL;
	st = decide(&c->d, &c->kernels, rep);
	if (st == ST_END && !c->r.any) {
		c->r.any = true;
		c->r.why = strdup(rep->n ? rep->v[rep->n - 1].text : "");
		return c->r.why && refused(c, o, t, a) ? ST_END : ST_FATAL;
	}
	if (st == ST_FATAL || !account_make(&c->account, &c->d, &c->kernels) ||
	    (o->per != BY_KERNEL && !pairs_make(&c->others, runs, na, n, o)) ||
	    !answer(c, o, t, a, rep))
		return ST_FATAL;
	return c->r.any ? ST_END : ST_OK;
}

enum status diff_compare(struct digest *runs, size_t na, size_t n, const struct diff_opts *o,
                         struct table *t, struct diff_answer *a, struct report *rep)
{
	struct comparison c = { 0 };
	enum status st;

	*a = (struct diff_answer) { 0 };
	table_init_list(t, o->account ? diff_account_columns : diff_columns);
	st = compare(&c, runs, na, n, o, t, a, rep);
	if (a->words.failed || a->short_account.failed || a->line.failed || t->failed || rep->lost)
		st = ST_FATAL;
	pairs_fini(&c.kernels);
	pairs_fini(&c.others);
	account_fini(&c.account);
	free(c.r.why);
	return st;
}
