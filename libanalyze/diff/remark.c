/* SPDX-License-Identifier: MIT */
#include "diff/remark.h"

#include "diff/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	CANDIDATES = 64, /* of each side, those that take most time */
	TOKENS = 64,     /* of a name */
	SHOWN = 60,      /* bytes of a name in a note */
};

#define A_LITTLE_ALIKE 0.2 /* of names, of kernels in the same place */
#define ALIKE          0.5 /* of those called as often */
#define VERY_ALIKE     0.8 /* without other evidence */

/* A kernel that one side has only. */
struct lone {
	struct tm_pair *pair;
	uint64_t calls, runs;                 /* of all runs of its side, and how many those are */
	const struct tm_name *before, *after; /* NULL = none, or not known */
	struct lone *best;                    /* of the other side */
	double score;
};

struct lones {
	struct lone v[TM_SIDES][CANDIDATES];
	size_t n[TM_SIDES];
};

static bool set_note(struct tm_pair *p, struct tm_buf *text)
{
	if (text->failed)
		return false;
	if (!p->note && text->n) {
		p->note = strdup(text->p);
		if (!p->note)
			return false;
	}
	tm_buf_clear(text);
	return true;
}

/* ---- names that are alike ---- */

struct token {
	const char *p;
	size_t n;
};

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static size_t tokens_of(const char *p, size_t n, struct token out[TOKENS])
{
	size_t k = 0;

	for (size_t i = 0, end; i < n && k < TOKENS; i = end) {
		for (end = i; end < n && is_word(p[end]);)
			end++;
		if (end > i)
			out[k++] = (struct token) { p + i, end - i };
		end = end > i ? end : i + 1;
	}
	return k;
}

/* Twice the words that both have, by all words. */
static double alike(const struct tm_pair *a, const struct tm_pair *b)
{
	struct token x[TOKENS], y[TOKENS];
	size_t nx = tokens_of(a->name, a->len, x), ny = tokens_of(b->name, b->len, y), both = 0;
	bool used[TOKENS] = { false };

	for (size_t i = 0; i < nx; i++)
		for (size_t k = 0; k < ny; k++)
			if (!used[k] && x[i].n == y[k].n && !memcmp(x[i].p, y[k].p, x[i].n)) {
				used[k] = true;
				both++;
				break;
			}
	return nx + ny ? 2 * (double)both / (double)(nx + ny) : 0;
}

/* ---- who is alone ---- */

static const struct tm_name *neighbor(const struct tm_digest *d, uint32_t id)
{
	return id == TM_NAME_NONE ? NULL : &d->names.v[id];
}

static bool same_name(const struct tm_name *a, const struct tm_name *b)
{
	return a && b && !tm_name_cmp(a, b);
}

static struct lone lone_of(const struct tm_pairs *p, struct tm_pair *pair, size_t side)
{
	uint64_t runs[TM_SIDES];
	struct lone l = { .pair = pair, .calls = pair->side[side].m.n };

	tm_pairs_runs(p, runs);
	l.runs = runs[side];
	if (pair->first != SIZE_MAX) {
		const struct tm_member *m = &p->member[pair->first];
		const struct tm_digest *d = &p->runs[m->run];

		l.before = neighbor(d, d->v[m->at].before);
		l.after = neighbor(d, d->v[m->at].after);
	}
	return l;
}

static void find_lones(struct tm_pairs *p, struct lones *l)
{
	for (size_t i = 0; i < p->n; i++) {
		struct tm_pair *pair = &p->v[i];
		size_t side = pair->side[TM_SIDE_B].runs ? TM_SIDE_B : TM_SIDE_A, at;

		if (tm_pair_matched(pair))
			continue;
		for (at = l->n[side]; at > 0; at--)
			if (l->v[side][at - 1].pair->side[side].m.sum >= pair->side[side].m.sum)
				break;
		if (at == CANDIDATES)
			continue;
		l->n[side] += l->n[side] < CANDIDATES;
		memmove(&l->v[side][at + 1], &l->v[side][at],
		        (l->n[side] - at - 1) * sizeof **l->v);
		l->v[side][at] = lone_of(p, pair, side);
	}
}

/* In a run. */
static bool as_often(const struct lone *x, const struct lone *y)
{
	double a = (double)x->calls / (double)x->runs, b = (double)y->calls / (double)y->runs;

	return fabs(a - b) <= 0.01 * (a > b ? a : b);
}

/* ---- split, or put together ---- */

/* Is `whole` on one side what x and then y are on the other? */
static bool is_split(const struct lone *whole, const struct lone *x, const struct lone *y)
{
	const struct tm_name nx = { .text = x->pair->name, .len = (uint32_t)x->pair->len },
	                     ny = { .text = y->pair->name, .len = (uint32_t)y->pair->len };

	return x != y && same_name(x->after, &ny) && same_name(y->before, &nx) &&
	       as_often(whole, x) && as_often(whole, y) &&
	       (same_name(whole->before, x->before) || same_name(whole->after, y->after));
}

static void put_name(struct tm_buf *b, const struct tm_pair *p)
{
	tm_buf_add(b, p->name, p->len < SHOWN ? p->len : SHOWN);
	if (p->len > SHOWN)
		tm_buf_str(b, "...");
}

static void put_often(struct tm_buf *b, const char *before, uint64_t calls)
{
	tm_buf_fmt(b, "%sas often (%" PRIu64 " call%s)", before, calls, calls == 1 ? "" : "s");
}

static bool tell_split(const struct lone *whole, const struct lone *x, const struct lone *y,
                       size_t side, struct tm_buf *b)
{
	const struct lone *part[] = { x, y };

	tm_buf_str(b, side == TM_SIDE_A ? "may be split into " : "may be merged from ");
	put_name(b, x->pair);
	tm_buf_str(b, " and ");
	put_name(b, y->pair);
	put_often(b, ": ", whole->calls);
	tm_buf_str(b, ", in sequence, in the same place");
	if (!set_note(whole->pair, b))
		return false;
	for (int i = 0; i < 2; i++) {
		tm_buf_str(b, side == TM_SIDE_A ? "may be part of the former " : "may be part of ");
		put_name(b, whole->pair);
		put_often(b, ": ", part[i]->calls);
		tm_buf_str(b, ", in the same place");
		if (!set_note(part[i]->pair, b))
			return false;
	}
	return true;
}

static bool find_splits(struct lones *l, size_t side, struct tm_buf *b)
{
	size_t other = 1 - side;

	for (size_t i = 0; i < l->n[side]; i++)
		for (size_t x = 0; x < l->n[other]; x++)
			for (size_t y = 0; y < l->n[other]; y++) {
				const struct lone *whole = &l->v[side][i], *p = &l->v[other][x],
				                  *q = &l->v[other][y];

				if (whole->pair->note || p->pair->note || q->pair->note ||
				    !is_split(whole, p, q))
					continue;
				if (!tell_split(whole, p, q, side, b))
					return false;
			}
	return true;
}

/* ---- renamed ---- */

struct evidence {
	bool class_name, often, before, after, as_long;
	double alike;
};

/* Mean duration of a call. */
static double mean_of(const struct lone *l)
{
	const struct tm_pair_side *s = l->pair->side;
	tm_u128 sum = s[TM_SIDE_A].m.sum + s[TM_SIDE_B].m.sum; /* one of them is 0 */

	return l->calls ? (double)sum / (double)l->calls : 0;
}

static struct evidence evidence_of(const struct lone *a, const struct lone *b)
{
	double x = mean_of(a), y = mean_of(b);

	/* Nothing else counts then, and names are long. */
	if (strcmp(a->pair->class_name, b->pair->class_name) != 0)
		return (struct evidence) { .class_name = false };
	return (struct evidence) { .as_long = x < 1.5 * y && y < 1.5 * x,
		                   .class_name = true,
		                   .often = as_often(a, b),
		                   .before = same_name(a->before, b->before),
		                   .after = same_name(a->after, b->after),
		                   .alike = alike(a->pair, b->pair) };
}

/* 0 = not enough. */
static double score_of(const struct evidence *e)
{
	bool place = e->before && e->after,
	     good = e->class_name &&
	            (e->alike >= VERY_ALIKE || (e->often && (place || e->alike >= ALIKE)));

	return good ? e->alike + e->often + e->before + e->after : 0;
}

static bool tell_renamed(const struct lone *l, size_t side, struct tm_buf *b)
{
	const struct evidence e = evidence_of(l, l->best);
	double change = side == TM_SIDE_A ? mean_of(l->best) / mean_of(l) - 1
	                                  : mean_of(l) / mean_of(l->best) - 1;

	tm_buf_str(b, side == TM_SIDE_A ? "may be renamed to " : "may be renamed from ");
	put_name(b, l->best->pair);
	tm_buf_str(b, ": same class");
	if (e.often)
		put_often(b, ", ", l->calls);
	if (e.before || e.after)
		tm_buf_fmt(b, ", %s the same kernel%s",
		           e.before && e.after ? "between"
		           : e.before          ? "after"
		                               : "before",
		           e.before && e.after ? "s" : "");
	tm_buf_fmt(b, ", names %.0f %% alike", 100 * e.alike);
	if (isfinite(change))
		tm_buf_fmt(b, "; a call takes %+.1f %%", 100 * change);
	return set_note(l->pair, b);
}

static bool find_renamed(struct lones *l, struct tm_buf *b)
{
	for (size_t i = 0; i < l->n[TM_SIDE_A]; i++)
		for (size_t k = 0; k < l->n[TM_SIDE_B]; k++) {
			struct lone *x = &l->v[TM_SIDE_A][i], *y = &l->v[TM_SIDE_B][k];
			const struct evidence e = evidence_of(x, y);
			double score = x->pair->note || y->pair->note ? 0 : score_of(&e);

			if (score > x->score) {
				x->score = score;
				x->best = y;
			}
			if (score > y->score) {
				y->score = score;
				y->best = x;
			}
		}
	for (size_t i = 0; i < l->n[TM_SIDE_A]; i++) {
		struct lone *x = &l->v[TM_SIDE_A][i];

		if (x->best && x->best->best == x &&
		    !(tell_renamed(x, TM_SIDE_A, b) && tell_renamed(x->best, TM_SIDE_B, b)))
			return false;
	}
	return true;
}

/* ---- slower and faster ---- */

/* "called 3 times, was 2"; where the sides have different numbers of runs, in a run. */
static void tell_calls(const struct tm_pair *p, const uint64_t per[TM_SIDES], struct tm_buf *b)
{
	uint64_t was = p->side[TM_SIDE_A].m.n, is = p->side[TM_SIDE_B].m.n;

	tm_buf_str(b, b->n ? "; called " : "called ");
	if (per[TM_SIDE_A] == per[TM_SIDE_B])
		tm_buf_fmt(b, "%" PRIu64 " times, was %" PRIu64, is, was);
	else
		tm_buf_fmt(b, "%.6g times a run, was %.6g", (double)is / (double)per[TM_SIDE_B],
		           (double)was / (double)per[TM_SIDE_A]);
}

static bool tell_change(struct tm_pair *p, const uint64_t per[TM_SIDES],
                        const struct tm_decision *d, struct tm_buf *b)
{
	const struct tm_pair_side *x = &p->side[TM_SIDE_A], *y = &p->side[TM_SIDE_B];
	bool slower = p->change > 0;
	uint64_t was = x->m.n * per[TM_SIDE_B], is = y->m.n * per[TM_SIDE_A];
	bool more_time = y->m.sum * per[TM_SIDE_A] > x->m.sum * per[TM_SIDE_B];

	if (p->significant) {
		tm_buf_fmt(b, "%s: a typical call takes ", slower ? "slower" : "faster");
		tm_put_change(b, p, 1);
		if (slower && d->verdict == TM_VERDICT_IMPROVEMENT && d->on != TM_ON_KERNEL)
			tm_buf_str(b, ", though the run is faster");
		if (!slower && d->verdict == TM_VERDICT_REGRESSION && d->on != TM_ON_KERNEL)
			tm_buf_str(b, ", though the run is slower");
		if (slower != more_time && (slower ? is < was : is > was))
			tm_buf_str(b,
			           slower ? ", but it is called less" : ", but it is called more");
		else if (slower != more_time)
			tm_buf_fmt(b, ", but the mean of all calls is not %s",
			           slower ? "longer" : "shorter");
	}
	if (is != was)
		tell_calls(p, per, b);
	if (p->test.shown)
		tm_buf_fmt(b, "%scalls are correlated: effective n=%.1f and %.1f", b->n ? "; " : "",
		           p->test.effective[0], p->test.effective[1]);
	if (p->stable)
		tm_buf_fmt(b, "%smatched by the build-independent part of the name",
		           b->n ? "; " : "");
	return set_note(p, b);
}

static bool tell_lone(const struct tm_pairs *p, struct tm_pair *pair, struct tm_buf *b)
{
	size_t side = pair->side[TM_SIDE_B].runs ? TM_SIDE_B : TM_SIDE_A;
	const struct tm_moments *m = &pair->side[side].m;

	if (pair->note)
		return true;
	tm_buf_fmt(b, "%s: %.2f %% of the time of %c, %" PRIu64 " call%s",
	           side == TM_SIDE_A ? "gone" : "new",
	           p->total[side] ? 100 * (double)m->sum / (double)p->total[side] : 0,
	           side == TM_SIDE_A ? 'A' : 'B', m->n, m->n == 1 ? "" : "s");
	return set_note(pair, b);
}

bool tm_remark(struct tm_pairs *p, const struct tm_decision *d)
{
	struct lones *l = calloc(1, sizeof *l);
	struct tm_buf b = { 0 };
	bool ok = l != NULL;

	if (ok && p->o->per == TM_BY_KERNEL) {
		find_lones(p, l);
		ok = find_splits(l, TM_SIDE_A, &b) && find_splits(l, TM_SIDE_B, &b) &&
		     find_renamed(l, &b);
	}
	for (size_t i = 0; ok && i < p->n; i++)
		ok = tm_pair_matched(&p->v[i]) ? tell_change(&p->v[i], p->per, d, &b)
		                               : tell_lone(p, &p->v[i], &b);
	tm_buf_fini(&b);
	free(l);
	return ok;
}
