/* SPDX-License-Identifier: MIT
 * Do two formats tell the same of a run?
 *
 * Known differences: names (mangled, cut, without arguments), a microsecond at each end of an
 * event, kernels that overlap on a queue and are cut where they meet, and losses that the reader
 * has told. */
#include "model/model.h"
#include "runs/sources_parts.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDING = 1000, DECIMALS = 1 }; /* ns an event */

/* How far apart the times of two formats may be. */
struct slack {
	uint64_t each; /* ns of every call */
	int clipped;   /* 1 + which of the two has kernels that end early; 0 = none */
};

static struct slack slack_of(const struct tm_source *a, const struct tm_source *b,
                             enum tm_trace_part part)
{
	bool kernel = part == (enum tm_trace_part)TM_DOMAIN_KERNEL;
	struct slack s = { 0 };

	/* Some versions of a format round to microseconds, others write decimals. */
	if (a->facts.times >= TM_TIMES_ROUNDED)
		s.each = a->part[part].fine ? DECIMALS : ROUNDING;
	if (b->facts.times >= TM_TIMES_ROUNDED)
		s.each += b->part[part].fine ? DECIMALS : ROUNDING;
	if (kernel && a->facts.times != b->facts.times)
		s.clipped = a->facts.times == TM_TIMES_CLIPPED   ? 1
		            : b->facts.times == TM_TIMES_CLIPPED ? 2
		                                                 : 0;
	return s;
}

static bool close_enough(tm_u128 a, tm_u128 b, uint64_t calls, const struct slack *s)
{
	tm_u128 most = (tm_u128)calls * s->each;

	if (a > b)
		return s->clipped == 2 || a - b <= most;
	return s->clipped == 1 || b - a <= most;
}

/* The lines of a part: *n of them. */
static const struct source_line *lines_of(const struct tm_source *s, uint64_t part, size_t *n)
{
	size_t lo = 0, hi;

	while (lo < s->nlines && s->line[lo].part < part)
		lo++;
	for (hi = lo; hi < s->nlines && s->line[hi].part == part; hi++)
		continue;
	*n = hi - lo;
	return s->line + lo;
}

static int by_name(const void *pa, const void *pb)
{
	const struct source_line *a = pa, *b = pb;

	return (a->name > b->name) - (a->name < b->name);
}

/* Two lists of lines, by name.  The first difference in the order of the texts. */
static bool same_lines(const struct tm_names *names, const struct source_line *a, size_t na,
                       const struct source_line *b, size_t nb, const struct slack *s,
                       struct source_diff *d)
{
	bool same = true;

	for (size_t i = 0, k = 0; i < na || k < nb;) {
		const struct source_line none = { 0 };
		bool take_a = k == nb || (i < na && a[i].name <= b[k].name);
		bool take_b = i == na || (k < nb && b[k].name <= a[i].name);
		const struct source_line *x = take_a ? &a[i] : &none, *y = take_b ? &b[k] : &none;
		uint32_t name = take_a ? x->name : y->name;

		i += take_a;
		k += take_b;
		if (x->calls == y->calls && close_enough(x->total, y->total, x->calls, s))
			continue;
		if (same || (name != TM_NAME_NONE &&
		             (d->name == TM_NAME_NONE ||
		              tm_name_cmp(&names->v[name], &names->v[d->name]) < 0))) {
			d->name = name;
			d->calls[0] = x->calls;
			d->calls[1] = y->calls;
			d->total[0] = x->total;
			d->total[1] = y->total;
		}
		same = false;
	}
	return same;
}

/* The lines with names at TM_NAME_BASE; NULL when out of memory. */
static struct source_line *base_lines(struct sources_of *o, const struct source_line *v, size_t *n)
{
	struct source_line *out = malloc((*n + 1) * sizeof *out);
	size_t k = 0;

	for (size_t i = 0; out && i < *n; i++) {
		const struct tm_name *nm = &o->all->names.v[v[i].name];

		out[i] = v[i];
		if (v[i].name == TM_NAME_NONE)
			continue;
		tm_buf_clear(&o->text);
		if (tm_kernel_name(&o->text, nm->text, nm->len, TM_NAME_BASE))
			out[i].name = tm_names_add(&o->base, o->text.p ? o->text.p : "", o->text.n);
		if (o->text.failed || out[i].name == TM_NAME_NONE) {
			free(out);
			return NULL;
		}
	}
	if (!out)
		return NULL;
	qsort(out, *n, sizeof *out, by_name);
	for (size_t i = 0; i < *n; i++) {
		if (k && out[k - 1].name == out[i].name) {
			out[k - 1].calls += out[i].calls;
			out[k - 1].total += out[i].total;
		} else {
			out[k++] = out[i];
		}
	}
	*n = k;
	return out;
}

static bool same_base(struct sources_of *o, const struct source_line *a, size_t na,
                      const struct source_line *b, size_t nb, const struct slack *s, bool *same)
{
	struct source_line *x = base_lines(o, a, &na), *y = x ? base_lines(o, b, &nb) : NULL;
	struct source_diff d = { 0 };

	if (y)
		*same = same_lines(&o->base, x, na, y, nb, s, &d);
	free(x);
	free(y);
	return y != NULL;
}

/* All names together: what is left when one of them has other names. */
static bool same_sums(const struct source_line *a, size_t na, const struct source_line *b,
                      size_t nb, const struct slack *s)
{
	struct source_line x = { 0 }, y = { 0 };

	for (size_t i = 0; i < na; i++) {
		x.calls += a[i].calls;
		x.total += a[i].total;
	}
	for (size_t i = 0; i < nb; i++) {
		y.calls += b[i].calls;
		y.total += b[i].total;
	}
	return x.calls == y.calls && close_enough(x.total, y.total, x.calls, s);
}

static bool same_names(const struct source_line *a, size_t na, const struct source_line *b,
                       size_t nb)
{
	bool same = na == nb;

	for (size_t i = 0; same && i < na; i++)
		same = a[i].name == b[i].name;
	return same;
}

/* From the first start to the last end. */
static uint64_t length(const struct tm_seen_part *p)
{
	return p->timed ? p->last - p->first : 0;
}

static bool same_length(const struct tm_seen_part *a, const struct tm_seen_part *b,
                        const struct slack *s)
{
	uint64_t x = length(a), y = length(b), most = 2 * s->each;

	if (s->clipped)
		most += a->longest > b->longest ? a->longest : b->longest;
	return !a->timed || !b->timed || (x > y ? x - y : y - x) <= most;
}

static bool overlap(const struct tm_seen_part *a, const struct tm_seen_part *b)
{
	return !a->timed || !b->timed || (a->first <= b->last && b->first <= a->last);
}

bool tm_sources_same(struct sources_of *o, const struct tm_source *a, const struct tm_source *b,
                     enum tm_trace_part part, bool *same, struct source_diff *d)
{
	struct slack s = slack_of(a, b, part);
	size_t na, nb;
	const struct source_line *x = lines_of(a, part, &na), *y = lines_of(b, part, &nb);

	*d = (struct source_diff) { .part = part, .name = TM_NAME_NONE };
	*same = same_lines(&o->all->names, x, na, y, nb, &s, d);
	if (!*same && part == (enum tm_trace_part)TM_DOMAIN_KERNEL &&
	    !same_base(o, x, na, y, nb, &s, same))
		return false;
	/* The same sums under other names: mangled, cut or given by the user. */
	if (!*same && !same_names(x, na, y, nb))
		*same = same_sums(x, na, y, nb, &s);
	if (*same && !same_length(&a->part[part], &b->part[part], &s)) {
		*same = false;
		d->name = TM_NAME_NONE;
		d->total[0] = length(&a->part[part]);
		d->total[1] = length(&b->part[part]);
	}
	return true;
}

bool tm_sources_alike(struct sources_of *o, const struct tm_source *a, const struct tm_source *b,
                      enum tm_trace_part part, bool *same, struct source_diff *d)
{
	if (!tm_sources_same(o, a, b, part, same, d))
		return false;
	/* What is missing cannot be compared, but it was at the same time. */
	if (!*same && (a->lossy || b->lossy)) {
		*d = (struct source_diff) { .part = part, .name = TM_NAME_NONE };
		*same = overlap(&a->part[part], &b->part[part]);
	}
	return true;
}

static int by_calls(const void *pa, const void *pb, void *arg)
{
	const struct source_line *a = pa, *b = pb;
	const struct tm_names *names = arg;

	if (a->calls != b->calls)
		return a->calls > b->calls ? 1 : -1;
	if (a->total != b->total)
		return a->total > b->total ? 1 : -1;
	return a->name == TM_NAME_NONE || b->name == TM_NAME_NONE
	               ? by_name(a, b)
	               : tm_name_cmp(&names->v[a->name], &names->v[b->name]);
}

/* One name mangled, or cut? */
static bool one_name(const struct tm_names *names, uint32_t a, uint32_t b)
{
	const struct tm_name *x = a == TM_NAME_NONE ? NULL : &names->v[a];
	const struct tm_name *y = b == TM_NAME_NONE ? NULL : &names->v[b];

	if (!x || !y)
		return x == y;
	return !strncmp(x->text, "_Z", 2) || !strncmp(y->text, "_Z", 2) ||
	       !memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);
}

/* n lines each, which may be put into another order. */
static bool each_alike(struct tm_names *names, struct source_line *a, struct source_line *b,
                       size_t n)
{
	bool alike = true;

	qsort_r(a, n, sizeof *a, by_calls, names);
	qsort_r(b, n, sizeof *b, by_calls, names);
	for (size_t i = 0; alike && i < n; i++)
		alike = a[i].calls == b[i].calls && a[i].total == b[i].total &&
		        one_name(names, a[i].name, b[i].name);
	return alike;
}

bool tm_sources_named_alike(struct sources_of *o, const struct tm_source *a,
                            const struct tm_source *b, bool *alike)
{
	const struct slack exact = { 0 };
	size_t na, nb;
	const struct source_line *x = lines_of(a, TM_DOMAIN_KERNEL, &na);
	const struct source_line *y = lines_of(b, TM_DOMAIN_KERNEL, &nb);
	struct source_line *own;
	bool ok = same_base(o, x, na, y, nb, &exact, alike);

	if (!ok || *alike || na != nb || !na)
		return ok;
	own = malloc(2 * na * sizeof *own);
	if (own) {
		memcpy(own, x, na * sizeof *own);
		memcpy(own + na, y, na * sizeof *own);
		*alike = each_alike(&o->all->names, own, own + na, na);
	}
	free(own);
	return own != NULL;
}

/* Does b have of each name as many calls as a, and as much time, or more of both? */
static bool all_among(const struct source_line *a, size_t na, const struct source_line *b,
                      size_t nb, const struct slack *s)
{
	size_t k = 0;

	for (size_t i = 0; i < na; i++) {
		while (k < nb && b[k].name < a[i].name)
			k++;
		if (k == nb || b[k].name != a[i].name || b[k].calls < a[i].calls)
			return false;
		if (b[k].calls > a[i].calls && b[k].total >= a[i].total)
			continue;
		if (!close_enough(a[i].total, b[k].total, a[i].calls, s))
			return false;
	}
	return na > 0;
}

/* Did the kernels of both begin or end at one time?  Asked where the time of each kernel tells
 * little. */
static bool same_end(const struct tm_source *a, const struct tm_source *b)
{
	const struct tm_seen_part *x = &a->part[TM_DOMAIN_KERNEL];
	const struct tm_seen_part *y = &b->part[TM_DOMAIN_KERNEL];
	const uint64_t most = 2 * ROUNDING;

	return (x->first > y->first ? x->first - y->first : y->first - x->first) <= most ||
	       (x->last > y->last ? x->last - y->last : y->last - x->last) <= most;
}

/* Is a time of one trace at most that of another?  Clocks that are being set right run at most
 * 500 ppm faster. */
static bool at_most(uint64_t a, uint64_t b)
{
	return a <= b + b / 1000 + 2 * ROUNDING;
}

/* Is no kernel of a longer than all of b, and no longer from the first to the last? */
static bool fits_in(const struct tm_source *a, const struct tm_source *b)
{
	const struct tm_seen_part *x = &a->part[TM_DOMAIN_KERNEL];
	const struct tm_seen_part *y = &b->part[TM_DOMAIN_KERNEL];

	return at_most(x->longest, y->longest) && at_most(length(x), length(y));
}

bool tm_sources_among(struct sources_of *o, const struct tm_source *a, const struct tm_source *b,
                      bool *among)
{
	const struct slack s = slack_of(a, b, (enum tm_trace_part)TM_DOMAIN_KERNEL);
	size_t na, nb;
	const struct source_line *v = lines_of(a, TM_DOMAIN_KERNEL, &na);
	const struct source_line *w = lines_of(b, TM_DOMAIN_KERNEL, &nb);
	struct source_line *x = base_lines(o, v, &na), *y = x ? base_lines(o, w, &nb) : NULL;

	/* Kernels that end early are shorter than they were. */
	*among = y && all_among(x, na, y, nb, &s) && (!s.clipped || same_end(a, b)) &&
	         (s.clipped == 2 || fits_in(a, b));
	free(x);
	free(y);
	return y != NULL;
}

bool tm_sources_sums_alike(const struct sources_of *o, const struct tm_source *a, uint64_t part,
                           const struct tm_source *b, enum tm_domain dom)
{
	const struct slack exact = { 0 };
	struct source_diff d = { .name = TM_NAME_NONE };
	size_t na, nb;
	const struct source_line *x = lines_of(a, part, &na);
	const struct source_line *y = lines_of(b, TM_TRACE_PARTS + (uint64_t)dom, &nb);

	return na && nb && same_lines(&o->all->names, x, na, y, nb, &exact, &d);
}

bool tm_sources_sums_among(const struct tm_source *a, uint64_t part, const struct tm_source *b,
                           enum tm_domain d, size_t names)
{
	size_t na, nb, i = 0;
	const struct source_line *x = lines_of(a, part, &na);
	const struct source_line *y = lines_of(b, TM_TRACE_PARTS + (uint64_t)d, &nb);

	if (nb < names || nb >= na)
		return false;
	for (size_t k = 0; k < nb; k++) {
		while (i < na && x[i].name < y[k].name)
			i++;
		if (i == na || x[i].name != y[k].name || x[i].calls != y[k].calls ||
		    x[i].total != y[k].total || !y[k].total)
			return false;
	}
	return true;
}
