/* SPDX-License-Identifier: MIT */
#include "diff/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { KERNELS_SHOWN = 5, NAME_SHOWN = 70 };

void put_time(struct buf *b, double ns, bool sign)
{
	static const struct {
		double from, unit;
		const char *word;
	} units[] = { { 9999.5e6, 1e9, "s" }, { 9999.5e3, 1e6, "ms" }, { 9999.5, 1e3, "us" } };
	double size = fabs(ns);

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (size >= units[i].from / 10) {
			double v = ns / units[i].unit, v_size = fabs(v);

			buf_fmt(b, sign ? "%+.*f %s" : "%.*f %s",
			        v_size < 9.9995   ? 3
			        : v_size < 99.995 ? 2
			        : v_size < 999.95 ? 1
			                          : 0,
			        v, units[i].word);
			return;
		}
	buf_fmt(b, sign ? "%+.0f ns" : "%.0f ns", ns);
}

/* As much of a name as there is room for; bytes that would end the line are not. */
static void put_name(struct buf *b, const char *name, size_t n)
{
	for (size_t i = 0; i < n && i < NAME_SHOWN; i++)
		buf_chr(b, (unsigned char)name[i] < ' ' || name[i] == 0x7f ? '?' : name[i]);
	if (n > NAME_SHOWN)
		buf_str(b, "...");
}

static const char *time_word(const struct decision *d)
{
	return d->on == ON_STEPS ? "step time" : d->on == ON_WINDOW ? "GPU window" : "kernel time";
}

/* "p = 0.003" or "p < 1e-9"; three digits. */
static void put_p(struct buf *b, double p)
{
	if (p < 1e-9)
		buf_str(b, "p < 1e-9");
	else
		buf_fmt(b, p < 0.001 ? "p = %.1e" : "p = %.3g", p);
}

static void put_n(struct buf *b, const struct decision *d)
{
	buf_fmt(b, "n = %zu against %zu", d->n[SIDE_A], d->n[SIDE_B]);
	if (d->test.test != SIG_NONE && d->test.effective[0] < (double)d->n[SIDE_A])
		buf_fmt(b, ", worth %.1f and %.1f because they are correlated",
		        d->test.effective[0], d->test.effective[1]);
}

/* Why a change does not count, or does. */
static void put_reason(struct buf *b, const struct decision *d)
{
	if (d->verdict == VERDICT_NEUTRAL && d->on != ON_KERNEL)
		buf_fmt(b, "less than %.4g %%, ", 100 * d->floor);
	if (d->test.test != SIG_NONE) {
		put_p(b, d->test.p);
		buf_str(b, ", ");
	}
	put_n(b, d);
	if (d->few)
		buf_fmt(b, ": %s, %s",
		        d->n[SIDE_A] < SIG_SERIES_LEAST || d->n[SIDE_B] < SIG_SERIES_LEAST
		                ? "too few to test"
		                : "none varies, so no test",
		        d->verdict == VERDICT_INCONCLUSIVE
		                ? "and too small or too noisy a change to count without one"
		                : "but a large change");
	else if (d->verdict == VERDICT_INCONCLUSIVE)
		buf_str(b, ": it may be noise");
}

/* ", 2 new" */
static void put_count(struct buf *b, size_t n, const char *what)
{
	if (n)
		buf_fmt(b, ", %zu %s", n, what);
}

static void put_most(struct buf *b, const struct decision *d)
{
	const struct pair *p = d->most;
	struct effects e = effects_of(p);

	buf_str(b, "; the most ");
	put_name(b, p->name, p->len);
	if (p->significant) {
		buf_fmt(b, ": a call takes %+.2f %% (", 100 * p->change);
		put_reason(b, d);
		buf_str(b, ")");
		return;
	}
	buf_fmt(b, ": %s ",
	        !p->side[SIDE_A].runs   ? "new,"
	        : !p->side[SIDE_B].runs ? "gone,"
	        : e.calls > 0           ? "called more,"
	                                : "called less,");
	put_time(b, (double)e.calls, true);
}

static void put_kernels(struct buf *b, const struct decision *d)
{
	buf_str(b, "kernel time ");
	put_time(b, (double)decision_delta(d), true);
	buf_fmt(b, " (%+.2f %%): %zu of %zu kernels tested changed", 100 * d->change,
	        d->slower + d->faster, d->tested);
	if (d->slower && d->faster)
		buf_fmt(b, " (%zu slower, %zu faster)", d->slower, d->faster);
	put_count(b, d->added, "new");
	put_count(b, d->removed, "gone");
	if (d->most)
		put_most(b, d);
}

void put_verdict(struct buf *b, const struct decision *d, const struct refusal *r)
{
	static const char *const words[] = { [VERDICT_INCONCLUSIVE] = "unclear",
		                             [VERDICT_REGRESSION] = "slower",
		                             [VERDICT_IMPROVEMENT] = "faster",
		                             [VERDICT_NEUTRAL] = "no change" };

	if (r->any) {
		buf_fmt(b, "not comparable: %s\n", r->why ? r->why : "");
		return;
	}
	buf_fmt(b, "%s: ", words[d->verdict]);
	if (d->on == ON_KERNEL) {
		put_kernels(b, d);
	} else {
		buf_fmt(b, "%s ", time_word(d));
		put_time(b, (double)decision_delta(d), true);
		buf_fmt(b, " (%+.2f %%, ", 100 * d->change);
		put_reason(b, d);
		buf_str(b, ")");
	}
	buf_str(b, "\n");
}

void put_verdict_line(struct buf *b, const struct decision *d, const struct refusal *r)
{
	if (r->any) {
		buf_fmt(b, "verdict: %s reason=%s\n", verdict_words[VERDICT_INCONCLUSIVE],
		        r->partial ? "partial" : "refused");
		return;
	}
	buf_fmt(b, "verdict: %s on=%s a_ns=%" PRIu64 " b_ns=%" PRIu64 " delta_ns=%" PRId64,
	        verdict_words[d->verdict], diff_on_words[d->on - ON_STEPS], d->ns[SIDE_A],
	        d->ns[SIDE_B], decision_delta(d));
	buf_fmt(b, " delta_pct=%.4f", 100 * d->change);
	if (d->test.test != SIG_NONE)
		buf_fmt(b, " p=%.7g", d->test.p);
	buf_fmt(b, " n_a=%zu n_b=%zu\n", d->n[SIDE_A], d->n[SIDE_B]);
}

/* ---- the account ---- */

static void put_unit(struct buf *b, const struct decision *d, const struct pairs *k)
{
	size_t warm[SIDES] = { 0 }, steps[SIDES] = { 0 };

	buf_str(b, "  ");
	put_time(b, (double)d->ns[SIDE_A], false);
	buf_str(b, " -> ");
	put_time(b, (double)d->ns[SIDE_B], false);
	for (size_t r = 0; r < k->nruns; r++) {
		warm[pair_side_of(k, r)] += k->runs[r].warm_up;
		steps[pair_side_of(k, r)] += k->runs[r].nsteps;
	}
	if (d->on == ON_STEPS) {
		buf_fmt(b, " a step, the mean of %zu and %zu steps", steps[0], steps[1]);
		if (warm[0] || warm[1])
			buf_fmt(b, " (%zu and %zu of warm-up skipped)", warm[0], warm[1]);
	} else if (d->on == ON_WINDOW) {
		buf_str(b, " from the first to the last operation");
	} else {
		buf_str(b, " of kernels");
	}
	if (k->nruns > 2)
		buf_fmt(b, ", of %zu and %zu runs", k->na, k->nruns - k->na);
	buf_str(b, "\n");
}

/* The names of the largest effects, calls and mean of each on one line. */
static void put_busy(struct buf *b, const struct account *a)
{
	size_t shown = 0;
	int64_t rest = a->part[PART_BUSY];

	for (size_t i = 0, n; i < a->n && shown < KERNELS_SHOWN; i += n, shown++) {
		const struct account_row *row = &a->v[i];
		int64_t calls = 0, mean = 0;

		if (row->part != PART_BUSY)
			break;
		for (n = 0;
		     i + n < a->n && a->v[i + n].part == PART_BUSY && a->v[i + n].name == row->name;
		     n++)
			*(strcmp(a->v[i + n].cause, "calls") ? &mean : &calls) += a->v[i + n].delta;
		rest -= calls + mean;
		buf_str(b, "    ");
		put_time(b, (double)(calls + mean), true);
		buf_str(b, "  ");
		put_name(b, row->name, row->len);
		if (calls && mean) {
			buf_str(b, " (calls ");
			put_time(b, (double)calls, true);
			buf_str(b, ", their length ");
			put_time(b, (double)mean, true);
			buf_str(b, ")");
		} else {
			buf_str(b, calls ? " (calls)" : " (their length)");
		}
		buf_str(b, "\n");
	}
	if (rest) {
		buf_str(b, "    ");
		put_time(b, (double)rest, true);
		buf_str(b, "  all others\n");
	}
}

void put_account(struct buf *b, const struct decision *d, const struct account *a,
                 const struct pairs *kernels)
{
	static const char *const causes[] = { [CAUSE_SYNC] = "sync",
		                              [CAUSE_HOST] = "host",
		                              [CAUSE_LAUNCH] = "launch",
		                              [CAUSE_DEVICE] = "device",
		                              [CAUSE_UNKNOWN] = "unknown" };
	bool first = true;

	put_unit(b, d, kernels);
	buf_str(b, "  busy     ");
	put_time(b, (double)a->part[PART_BUSY], true);
	buf_str(b, "\n");
	put_busy(b, a);
	if (d->on == ON_KERNEL)
		return;
	if (a->part[PART_OVERLAP]) {
		buf_str(b, "  overlap  ");
		put_time(b, (double)a->part[PART_OVERLAP], true);
		buf_str(b, "\n");
	}
	buf_str(b, "  idle     ");
	put_time(b, (double)a->part[PART_IDLE], true);
	for (int c = 0; c < CAUSES; c++) {
		if (!a->idle[c])
			continue;
		buf_fmt(b, "%s%s ", first ? ": " : ", ", causes[c]);
		put_time(b, (double)a->idle[c], true);
		first = false;
	}
	buf_str(b, "\n");
}
