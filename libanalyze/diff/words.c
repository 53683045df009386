/* SPDX-License-Identifier: MIT */
#include "diff/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KERNELS_SHOWN = 5, NAME_SHOWN = 70, NAME_HEAD = 56, NAME_LEAST = 24, BACK = 16 };

/* Halves up, as tables have them. */
void tm_put_time(struct tm_buf *b, double ns, bool sign)
{
	const uint64_t size = (uint64_t)(fabs(ns) + 0.5);

	if (sign || (ns < 0 && size))
		tm_buf_chr(b, ns < 0 && size ? '-' : '+');
	tm_work_put_ns(b, size);
}

void tm_put_change(struct tm_buf *b, const struct tm_pair *p, int decimals)
{
	if (isfinite(p->change)) {
		tm_buf_fmt(b, "%+.*f %%", decimals, 100 * p->change);
		return;
	}
	tm_put_time(b, p->typical[TM_SIDE_B], false);
	tm_buf_str(b, ", was ");
	tm_put_time(b, p->typical[TM_SIDE_A], false);
}

/* A name; a function without what it takes and returns (Triton's are none, and their numbers tell
 * them apart). */
static void take_name(struct tm_buf *b, const char *name, size_t n)
{
	if (memchr(name, '(', n))
		tm_kernel_name(b, name, n, TM_NAME_SHORT);
	if (!b->n)
		tm_buf_add(b, name, n);
}

/* Bytes of a name; those that would end the line, or drive a terminal, as the table has them. */
static void put_bytes(struct tm_buf *b, const char *s, size_t n)
{
	static const char special[] = "\t\n\r", letters[] = "tnr";

	for (size_t i = 0; i < n; i++) {
		const char *known = s[i] ? strchr(special, s[i]) : NULL;

		if (known)
			tm_buf_fmt(b, "\\%c", letters[known - special]);
		else if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
			tm_buf_fmt(b, "\\x%02x", (unsigned char)s[i]);
		else
			tm_buf_chr(b, s[i]);
	}
}

static bool is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (unsigned char)c >= 0x80;
}

/* Bytes [from, to), but no parts of characters. */
static void put_part(struct tm_buf *b, const char *s, size_t n, size_t from, size_t to)
{
	while (from < to && is_inside(s[from]))
		from++;
	while (to > from && to < n && is_inside(s[to]))
		to--;
	put_bytes(b, s + from, to - from);
}

/* As much of a name as there is room for: the beginning, with the tile of most matrix products, and
 * the end.  `alike`: its first bytes that another name here has, too; where what differs is in
 * neither, the word that differs and what follows it are there instead of the end. */
static void put_name(struct tm_buf *b, const struct tm_buf *name, size_t alike)
{
	const char *p = name->p;
	const size_t n = name->n, dots = 3;
	size_t head = NAME_HEAD, from = n - (NAME_SHOWN - NAME_HEAD - dots), to = n;

	if (n <= NAME_SHOWN) {
		put_bytes(b, p, n);
		return;
	}
	if (alike + dots > NAME_HEAD && alike < from) {
		head = NAME_LEAST;
		for (from = alike; from > head && from + BACK > alike && is_word(p[from - 1]);)
			from--;
		if (n - from > NAME_SHOWN - head)
			to = from + NAME_SHOWN - head;
	}
	put_part(b, p, n, 0, head);
	tm_buf_str(b, "...");
	put_part(b, p, n, from, to);
	if (to < n)
		tm_buf_str(b, "...");
}

/* Most of the first bytes of name[i] that any of the others begins with. */
static size_t alike_of(const struct tm_buf *name, size_t n, size_t i)
{
	size_t most = 0;

	for (size_t k = 0; k < n; k++) {
		size_t same = 0;

		while (k != i && same < name[i].n && same < name[k].n &&
		       name[i].p[same] == name[k].p[same])
			same++;
		most = same > most ? same : most;
	}
	return most;
}

static const char *time_word(const struct tm_decision *d)
{
	return d->on == TM_ON_STEPS    ? "step time"
	       : d->on == TM_ON_WINDOW ? "GPU window"
	                               : "kernel time";
}

/* "p = 0.003" or "p < 1e-9"; three digits. */
static void put_p(struct tm_buf *b, double p)
{
	if (p < 1e-9)
		tm_buf_str(b, "p < 1e-9");
	else
		tm_buf_fmt(b, p < 0.001 ? "p = %.1e" : "p = %.3g", p);
}

static void put_n(struct tm_buf *b, const struct tm_decision *d)
{
	tm_buf_fmt(b, "n = %zu against %zu", d->n[TM_SIDE_A], d->n[TM_SIDE_B]);
	if (d->test.test != TM_SIG_NONE && d->test.effective[0] < (double)d->n[TM_SIDE_A])
		tm_buf_fmt(b, " (%scorrelated: effective n = %.1f and %.1f)",
		           d->test.shown ? "" : "perhaps ", d->test.effective[0],
		           d->test.effective[1]);
}

/* Why a change does not count, or does. */
static void put_reason(struct tm_buf *b, const struct tm_decision *d)
{
	if (d->verdict == TM_VERDICT_NEUTRAL && d->on != TM_ON_KERNEL)
		tm_buf_fmt(b, "%s %.4g %%, ",
		           tm_sig_above(d->floor, tm_decision_size(d)) ? "less than"
		                                                       : "not more than",
		           100 * d->floor);
	if (d->test.test != TM_SIG_NONE) {
		put_p(b, d->test.p);
		tm_buf_str(b, ", ");
	}
	put_n(b, d);
	if (d->few)
		tm_buf_fmt(b, ": %s%s",
		           d->n[TM_SIDE_A] < TM_SIG_SERIES_LEAST ||
		                           d->n[TM_SIDE_B] < TM_SIG_SERIES_LEAST
		                   ? "too few to test"
		                   : "none varies, so no test",
		           d->verdict != TM_VERDICT_INCONCLUSIVE ? ", but a large change"
		           : d->length.times[0] > 0
		                   ? ""
		                   : ", and the change is too small or too noisy to count without "
		                     "one");
	else if (d->apart && d->verdict != TM_VERDICT_INCONCLUSIVE)
		tm_buf_str(b, ": over three times as far apart as either side varies");
	else if (d->verdict == TM_VERDICT_INCONCLUSIVE && d->on != TM_ON_KERNEL &&
	         !(d->length.times[0] > 0))
		tm_buf_str(b, ": it may be noise");
}

/* ", 2 new" */
static void put_count(struct tm_buf *b, size_t n, const char *what)
{
	if (n)
		tm_buf_fmt(b, ", %zu %s", n, what);
}

static void put_most(struct tm_buf *b, const struct tm_decision *d)
{
	const struct tm_pair *p = d->most;
	struct tm_effects e = tm_effects_of(p, d->units);
	struct tm_buf name = { 0 };

	take_name(&name, p->name, p->len);
	tm_buf_str(b, "; largest: ");
	put_name(b, &name, 0);
	b->failed |= name.failed;
	tm_buf_fini(&name);
	if (p->significant) {
		tm_buf_str(b, ": a call takes ");
		tm_put_change(b, p, 2);
		tm_buf_str(b, " (");
		put_reason(b, d);
		tm_buf_str(b, ")");
		if (p->change > 0 ? e.calls < 0 : e.calls > 0)
			tm_buf_fmt(b, ", but it is called %s", p->change > 0 ? "less" : "more");
		return;
	}
	tm_buf_fmt(b, ": %s ",
	           !p->side[TM_SIDE_A].runs   ? "new,"
	           : !p->side[TM_SIDE_B].runs ? "gone,"
	           : e.calls > 0              ? "called more,"
	                                      : "called less,");
	tm_put_time(b, (double)e.calls, true);
}

void tm_put_length(struct tm_buf *b, const struct tm_length *l, enum tm_verdict v)
{
	char least[16], most[16];

	if (!(l->times[0] > 0))
		return;
	snprintf(least, sizeof least, "%.3g", l->times[0]);
	snprintf(most, sizeof most, "%.3g", l->times[1]);
	tm_buf_fmt(b, "; nearly all kernels are called %s%s%s times as often: %s", least,
	           strcmp(least, most) ? " to " : "", strcmp(least, most) ? most : "",
	           v == TM_VERDICT_INCONCLUSIVE ? "a run of another length, or other work"
	                                        : "maybe a run of another length");
}

static void put_kernels(struct tm_buf *b, const struct tm_decision *d)
{
	bool other_length = d->length.times[0] > 0;

	tm_buf_str(b, "kernel time ");
	tm_put_time(b, (double)tm_decision_delta(d), true);
	tm_buf_fmt(b, " (%+.2f %%): %zu of %zu kernels tested changed", 100 * d->change,
	           d->slower + d->faster, d->tested);
	if (d->slower && d->faster)
		tm_buf_fmt(b, " (%zu slower, %zu faster)", d->slower, d->faster);
	put_count(b, d->added, "new");
	put_count(b, d->removed, "gone");
	tm_put_length(b, &d->length, d->verdict);
	if (!other_length && d->verdict == TM_VERDICT_INCONCLUSIVE && d->tested)
		tm_buf_str(b, ", which does not explain it");
	if (d->most && !(other_length && d->verdict == TM_VERDICT_INCONCLUSIVE))
		put_most(b, d);
}

void tm_put_verdict(struct tm_buf *b, const struct tm_decision *d, const struct tm_refusal *r)
{
	static const char *const words[] = { [TM_VERDICT_INCONCLUSIVE] = "unclear",
		                             [TM_VERDICT_REGRESSION] = "slower",
		                             [TM_VERDICT_IMPROVEMENT] = "faster",
		                             [TM_VERDICT_NEUTRAL] = "no change" };

	if (r->any) {
		tm_buf_fmt(b, "not comparable: %s\n", r->why ? r->why : "");
		return;
	}
	tm_buf_fmt(b, "%s: ", words[d->verdict]);
	if (d->on == TM_ON_KERNEL) {
		put_kernels(b, d);
	} else {
		tm_buf_fmt(b, "%s ", time_word(d));
		tm_put_time(b, (double)tm_decision_delta(d), true);
		tm_buf_fmt(b, " (%+.2f %%, ", 100 * d->change);
		put_reason(b, d);
		tm_buf_str(b, ")");
		tm_put_length(b, &d->length, d->verdict);
	}
	tm_buf_str(b, "\n");
}

void tm_put_verdict_line(struct tm_buf *b, const struct tm_decision *d, const struct tm_refusal *r)
{
	if (r->any) {
		tm_buf_fmt(b, "verdict: %s reason=%s\n", tm_verdict_words[TM_VERDICT_INCONCLUSIVE],
		           r->partial ? "partial" : "refused");
		return;
	}
	tm_buf_fmt(b, "verdict: %s on=%s a_ns=%" PRIu64 " b_ns=%" PRIu64 " delta_ns=%" PRId64,
	           tm_verdict_words[d->verdict], tm_diff_on_words[d->on - TM_ON_STEPS],
	           d->ns[TM_SIDE_A], d->ns[TM_SIDE_B], tm_decision_delta(d));
	tm_buf_fmt(b, " delta_pct=%.4f", 100 * d->change);
	if (d->test.test != TM_SIG_NONE)
		tm_buf_fmt(b, " p=%.7g", d->test.p);
	tm_buf_fmt(b, " n_a=%zu n_b=%zu\n", d->n[TM_SIDE_A], d->n[TM_SIDE_B]);
}

/* ---- the account ---- */

static void put_unit(struct tm_buf *b, const struct tm_decision *d, const struct tm_pairs *k)
{
	size_t warm[TM_SIDES] = { 0 }, steps[TM_SIDES] = { 0 };

	tm_buf_str(b, "  ");
	tm_put_time(b, (double)d->ns[TM_SIDE_A], false);
	tm_buf_str(b, " -> ");
	tm_put_time(b, (double)d->ns[TM_SIDE_B], false);
	for (size_t r = 0; r < k->nruns; r++) {
		warm[tm_pair_side_of(k, r)] += k->runs[r].warm_up;
		steps[tm_pair_side_of(k, r)] += k->runs[r].nsteps;
	}
	if (d->on == TM_ON_STEPS) {
		tm_buf_fmt(b, " per step, mean of %zu and %zu steps", steps[0], steps[1]);
		if (warm[0] || warm[1])
			tm_buf_fmt(b, " (%zu and %zu warm-up steps skipped)", warm[0], warm[1]);
	} else if (d->on == TM_ON_WINDOW) {
		tm_buf_str(b, " from the first to the last operation");
	} else {
		tm_buf_str(b, " of kernels");
	}
	if (k->nruns > 2)
		tm_buf_fmt(b, ", of %zu and %zu runs", k->na, k->nruns - k->na);
	tm_buf_str(b, "\n");
}

/* The rows of a kernel: its effects. */
struct effect {
	const struct tm_account_row *row; /* the first of them */
	int64_t calls, mean;
};

/* The largest effects, from a->v[0] on, and their names; how many there are. */
static size_t take_effects(const struct tm_account *a, struct effect *e, struct tm_buf *name)
{
	size_t shown = 0;

	for (size_t i = 0; i < a->n && a->v[i].part == TM_PART_BUSY; i++) {
		const struct tm_account_row *row = &a->v[i];

		if (!i || row->name != a->v[i - 1].name) {
			if (shown == KERNELS_SHOWN)
				break;
			e[shown].row = row;
			take_name(&name[shown++], row->name, row->len);
		}
		*(strcmp(row->cause, "calls") ? &e[shown - 1].mean
		                              : &e[shown - 1].calls) += row->delta;
	}
	return shown;
}

static bool is_twin(const struct tm_buf *name, size_t n, size_t i)
{
	for (size_t k = 0; k < n; k++)
		if (k != i && name[k].n == name[i].n && !memcmp(name[k].p, name[i].p, name[i].n))
			return true;
	return false;
}

/* Functions that differ in what they take alone have their whole names. */
static void tell_twins(const struct effect *e, struct tm_buf *name, size_t n)
{
	bool twin[KERNELS_SHOWN] = { false };

	for (size_t i = 0; i < n; i++)
		twin[i] = name[i].n && is_twin(name, n, i);
	for (size_t i = 0; i < n; i++) {
		if (!twin[i])
			continue;
		tm_buf_clear(&name[i]);
		tm_buf_add(&name[i], e[i].row->name, e[i].row->len);
	}
}

/* The names of the largest effects, calls and mean of each on one line. */
static void put_busy(struct tm_buf *b, const struct tm_account *a)
{
	struct effect e[KERNELS_SHOWN] = { 0 };
	struct tm_buf name[KERNELS_SHOWN] = { 0 };
	size_t shown = take_effects(a, e, name);
	int64_t rest = a->part[TM_PART_BUSY];

	tell_twins(e, name, shown);
	for (size_t i = 0; i < shown; i++) {
		int64_t calls = e[i].calls, mean = e[i].mean;

		rest -= calls + mean;
		tm_buf_str(b, "    ");
		tm_put_time(b, (double)(calls + mean), true);
		tm_buf_str(b, "  ");
		put_name(b, &name[i], alike_of(name, shown, i));
		b->failed |= name[i].failed;
		if (calls && mean) {
			tm_buf_str(b, " (calls ");
			tm_put_time(b, (double)calls, true);
			tm_buf_str(b, ", mean duration ");
			tm_put_time(b, (double)mean, true);
			tm_buf_str(b, ")");
		} else {
			tm_buf_str(b, calls ? " (calls)" : " (mean duration)");
		}
		tm_buf_str(b, "\n");
	}
	for (size_t i = 0; i < shown; i++)
		tm_buf_fini(&name[i]);
	if (rest) {
		tm_buf_str(b, "    ");
		tm_put_time(b, (double)rest, true);
		tm_buf_str(b, "  all others\n");
	}
}

void tm_put_account(struct tm_buf *b, const struct tm_decision *d, const struct tm_account *a,
                    const struct tm_pairs *kernels)
{
	static const char *const causes[] = { [TM_CAUSE_SYNC] = "sync",
		                              [TM_CAUSE_HOST] = "host",
		                              [TM_CAUSE_LAUNCH] = "launch",
		                              [TM_CAUSE_DEVICE] = "device",
		                              [TM_CAUSE_UNKNOWN] = "unknown" };
	bool first = true;

	put_unit(b, d, kernels);
	tm_buf_str(b, "  busy     ");
	tm_put_time(b, (double)a->part[TM_PART_BUSY], true);
	tm_buf_str(b, "\n");
	put_busy(b, a);
	if (d->on == TM_ON_KERNEL)
		return;
	if (a->part[TM_PART_OVERLAP]) {
		tm_buf_str(b, "  overlap  ");
		tm_put_time(b, (double)a->part[TM_PART_OVERLAP], true);
		tm_buf_str(b, "\n");
	}
	tm_buf_str(b, "  idle     ");
	tm_put_time(b, (double)a->part[TM_PART_IDLE], true);
	for (int c = 0; c < TM_CAUSES; c++) {
		if (!a->idle[c])
			continue;
		tm_buf_fmt(b, "%s%s ", first ? ": " : ", ", causes[c]);
		tm_put_time(b, (double)a->idle[c], true);
		first = false;
	}
	tm_buf_str(b, "\n");
}
