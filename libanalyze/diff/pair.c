/* SPDX-License-Identifier: MIT */
#include "diff/pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double tm_diff_floor(const struct tm_diff_opts *o, double ns)
{
	if (o->floor >= 0)
		return o->floor;
	return (ns < TM_SIG_SHORT_NS ? TM_SIG_FLOOR_SHORT_PCT : TM_SIG_FLOOR_PCT) / 100.0;
}

struct tm_effects tm_effects_of(const struct tm_pair *p, const uint64_t per[TM_SIDES])
{
	uint64_t calls_a = p->side[TM_SIDE_A].m.n, calls_b = p->side[TM_SIDE_B].m.n;
	tm_u128 total_a = p->side[TM_SIDE_A].m.sum, total_b = p->side[TM_SIDE_B].m.sum;
	tm_i128 of_a = (tm_i128)per[TM_SIDE_A], of_b = (tm_i128)per[TM_SIDE_B], more, product;
	tm_i128 delta = tm_rounded((tm_i128)total_b * of_a - (tm_i128)total_a * of_b, of_a * of_b);
	struct tm_effects e = { .calls = delta };

	if (!calls_a || !calls_b)
		return e;
	more = (tm_i128)calls_b * of_a - (tm_i128)calls_a * of_b;
	if (__builtin_mul_overflow(more, (tm_i128)total_a, &product)) /* centuries of kernels */
		e.calls = (tm_i128)((long double)more / (long double)(of_a * of_b) *
		                    ((long double)total_a / (long double)calls_a));
	else
		e.calls = tm_rounded(product, of_a * of_b * (tm_i128)calls_a);
	e.mean = delta - e.calls;
	return e;
}

void tm_pairs_fini(struct tm_pairs *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->v[i].note);
	free(p->v);
	free(p->member);
	tm_names_fini(&p->texts);
	*p = (struct tm_pairs) { 0 };
}

/* ---- joining ---- */

/* A name of a run, while it looks for its pair. */
struct key {
	uint32_t text; /* in the joiner's names */
	size_t run, at;
};

struct joiner {
	struct tm_pairs *p;
	struct key *key; /* n of them */
	size_t n, cap;
	struct tm_names full, stable;
	unsigned *sides; /* of each of `full`: bits of the sides that have it */
	struct tm_buf text;
};

/* HIP calls, or, where nobody has any, those of HSA. */
static enum tm_domain domain_of(const struct tm_pairs *p)
{
	bool hip = false;

	if (p->o->per == TM_BY_COPY)
		return TM_DOMAIN_COPY;
	if (p->o->per == TM_BY_REGION)
		return TM_DOMAIN_MARKER;
	if (p->o->per != TM_BY_API)
		return TM_DOMAIN_KERNEL;
	for (size_t r = 0; r < p->nruns; r++)
		for (size_t i = 0; i < p->runs[r].n; i++)
			hip |= p->runs[r].v[i].domain == TM_DOMAIN_HIP;
	return hip ? TM_DOMAIN_HIP : TM_DOMAIN_HSA;
}

/* What a name is joined by at first. */
static uint32_t full_key(struct joiner *j, const struct tm_digest *d,
                         const struct tm_digest_name *n)
{
	const struct tm_name *nm = &d->names.v[n->name];
	const char *way = n->domain == TM_DOMAIN_COPY ? tm_copy_direction(nm->text, nm->len) : NULL;

	if (j->p->o->per == TM_BY_CLASS)
		return tm_names_add(&j->full, n->class_name, strlen(n->class_name));
	return way ? tm_names_add(&j->full, way, strlen(way))
	           : tm_names_add(&j->full, nm->text, nm->len);
}

static bool find_keys(struct joiner *j)
{
	const struct tm_pairs *p = j->p;
	enum tm_domain domain = domain_of(p);

	for (size_t r = 0; r < p->nruns; r++)
		for (size_t i = 0; i < p->runs[r].n; i++) {
			const struct tm_digest_name *n = &p->runs[r].v[i];
			uint32_t text;

			if (n->domain != domain)
				continue;
			text = full_key(j, &p->runs[r], n);
			if (text == TM_NAME_NONE ||
			    !tm_grow_array(&j->key, &j->cap, j->n + 1, sizeof *j->key))
				return false;
			j->key[j->n++] = (struct key) { text, r, i };
		}
	j->sides = calloc((size_t)j->full.n + 1, sizeof *j->sides);
	for (size_t i = 0; j->sides && i < j->n; i++)
		j->sides[j->key[i].text] |= 1u << tm_pair_side_of(p, j->key[i].run);
	return j->sides != NULL;
}

/* What of a kernel's name is the same in every build, as an id of j->stable; with `unmarked`, even
 * where a new lambda renumbered others of its function. */
static uint32_t stable_of(struct joiner *j, uint32_t full, bool unmarked)
{
	const struct tm_name *nm = &j->full.v[full];

	tm_buf_clear(&j->text);
	if (!tm_kernel_name(&j->text, nm->text, nm->len, TM_NAME_SHORT))
		return TM_NAME_NONE;
	if (unmarked) {
		j->text.n = tm_kernel_name_unmarked(j->text.p, j->text.n);
		if (!tm_buf_str(&j->text, "#?"))
			return TM_NAME_NONE;
	}
	return tm_names_add(&j->stable, j->text.p ? j->text.p : "", j->text.n);
}

/* Names that one side has only: those that both sides have under one stable name get that; without
 * marks only where it is one name of each side.  by_stable[full] = id of the stable name + 1. */
static bool match_stable(struct joiner *j, uint32_t *by_stable, bool unmarked)
{
	uint32_t *id = calloc((size_t)j->full.n + 1, sizeof *id);
	unsigned *sides = NULL;
	bool ok = id != NULL;

	for (uint32_t i = 0; ok && i < j->full.n; i++) {
		if (j->sides[i] == 3 || by_stable[i])
			continue;
		id[i] = stable_of(j, i, unmarked) + 1;
		ok = id[i] != 0; /* TM_NAME_NONE + 1 */
	}
	if (ok)
		sides = calloc((size_t)j->stable.n + 1, sizeof *sides);
	ok = ok && sides;
	/* The bits of the sides; above them that a side has it twice. */
	for (uint32_t i = 0; ok && i < j->full.n; i++)
		if (id[i])
			sides[id[i] - 1] |= j->sides[i] | (sides[id[i] - 1] & j->sides[i]) << 2;
	for (uint32_t i = 0; ok && i < j->full.n; i++)
		if (id[i] && (unmarked ? sides[id[i] - 1] : sides[id[i] - 1] & 3) == 3)
			by_stable[i] = id[i];
	free(sides);
	free(id);
	return ok;
}

/* The pair of that text, made if new; *at is where it is + 1, 0 = not yet.  NULL when out of
 * memory. */
static struct tm_pair *pair_at(struct tm_pairs *p, size_t *at, const struct tm_name *text)
{
	uint32_t id;

	if (*at)
		return &p->v[*at - 1];
	id = tm_names_add(&p->texts, text->text, text->len);
	if (id == TM_NAME_NONE || !tm_grow_array(&p->v, &p->cap, p->n + 1, sizeof *p->v))
		return NULL;
	p->v[p->n] = (struct tm_pair) { .name = p->texts.v[id].text,
		                        .len = text->len,
		                        .first = SIZE_MAX,
		                        .rate = NAN,
		                        .test.p = 1 };
	*at = ++p->n;
	return &p->v[*at - 1];
}

static bool add_member(struct tm_pairs *p, struct tm_pair *pair, const struct key *k)
{
	const struct tm_digest_name *n = &p->runs[k->run].v[k->at];
	struct tm_pair_side *s = &pair->side[tm_pair_side_of(p, k->run)];
	/* Keys come run by run. */
	bool again = pair->first != SIZE_MAX && p->member[pair->first].run == k->run;

	if (!tm_grow_array(&p->member, &p->member_cap, p->nmembers + 1, sizeof *p->member))
		return false;
	p->member[p->nmembers] = (struct tm_member) { k->run, k->at, pair->first };
	pair->first = p->nmembers++;
	pair->class_name = pair->class_name ? pair->class_name : n->class_name;
	s->runs += !again;
	tm_moments_merge(&s->m, &n->m);
	for (int b = 0; b < TM_BUDGETS; b++) {
		s->ns[b] += n->use.ns[b];
		s->calls[b] += n->use.calls[b];
	}
	p->total[tm_pair_side_of(p, k->run)] += n->m.sum;
	return true;
}

static bool join(struct joiner *j)
{
	struct tm_pairs *p = j->p;
	uint32_t *by_stable = calloc((size_t)j->full.n + 1, sizeof *by_stable);
	size_t *full = calloc((size_t)j->full.n + 1, sizeof *full), *stable = NULL;
	bool ok = by_stable && full &&
	          (p->o->per != TM_BY_KERNEL ||
	           (match_stable(j, by_stable, false) && match_stable(j, by_stable, true)));

	stable = calloc((size_t)j->stable.n + 1, sizeof *stable);
	ok = ok && stable;
	/* From the last on, so that members come in the order of runs. */
	for (size_t i = j->n; ok && i-- > 0;) {
		const struct key *k = &j->key[i];
		uint32_t s = by_stable[k->text];
		struct tm_pair *pair = s ? pair_at(p, &stable[s - 1], &j->stable.v[s - 1])
		                         : pair_at(p, &full[k->text], &j->full.v[k->text]);

		ok = pair && add_member(p, pair, k);
		if (ok && s) {
			p->stable += !pair->stable;
			pair->stable = true;
		}
	}
	free(by_stable);
	free(full);
	free(stable);
	return ok;
}

/* ---- tests ---- */

/* Values of one side: durations of its only run, or the means of its runs. */
struct values {
	double *v;
	size_t n;
	bool mixed; /* durations of several names */
};

static double mean_of(const struct tm_moments *m)
{
	return m->n ? (double)m->sum / (double)m->n : 0;
}

/* A duration, and its place in the order of time. */
struct placed {
	size_t place;
	double ns;
};

static int by_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

/* The same values in order of time: those of several names follow each other name by name. */
static bool put_in_order(double *v, const size_t *place, size_t n)
{
	struct placed *w = malloc((n + 1) * sizeof *w);

	for (size_t i = 0; w && i < n; i++)
		w[i] = (struct placed) { place[i], v[i] };
	if (w)
		qsort(w, n, sizeof *w, by_place);
	for (size_t i = 0; w && i < n; i++)
		v[i] = w[i].ns;
	free(w);
	return w != NULL;
}

/* The durations of the calls of one run, in order of time; v NULL when out of memory, n 0 when they
 * are not known. */
static struct values durations(const struct tm_pairs *p, const struct tm_pair *pair, size_t run)
{
	const struct tm_digest *d = &p->runs[run];
	struct values out = { 0 };
	size_t *place, names = 0;
	uint64_t calls = 0;
	bool ok;

	for (size_t m = pair->first; m != SIZE_MAX; m = p->member[m].next)
		if (p->member[m].run == run) {
			out.n += d->v[p->member[m].at].n;
			calls += d->v[p->member[m].at].m.n;
			names++;
		}
	out.mixed = names > 1;
	out.v = malloc((out.n + 1) * sizeof *out.v);
	place = out.mixed ? malloc((out.n + 1) * sizeof *place) : NULL;
	ok = out.v && (place || !out.mixed);
	out.n = 0;
	for (size_t m = pair->first; ok && m != SIZE_MAX; m = p->member[m].next) {
		const struct tm_digest_name *n = &d->v[p->member[m].at];

		if (p->member[m].run != run || !n->n)
			continue;
		memcpy(out.v + out.n, d->sample + n->from, n->n * sizeof *out.v);
		if (place)
			memcpy(place + out.n, d->place + n->from, n->n * sizeof *place);
		out.n += n->n;
	}
	if (!ok || (place && !put_in_order(out.v, place, out.n))) {
		free(out.v);
		out.v = NULL;
	}
	free(place);
	/* Some of the calls are known from statistics only. */
	if (out.n != calls)
		out.n = 0;
	return out;
}

/* The mean of each run of a side that has it; members are in the order of their runs. */
static struct values run_means(const struct tm_pairs *p, const struct tm_pair *pair, size_t side)
{
	struct values out = { .v = malloc((pair->side[side].runs + 1) * sizeof *out.v) };
	size_t run = SIZE_MAX;
	tm_u128 sum = 0;
	uint64_t n = 0;

	for (size_t m = pair->first; out.v && m != SIZE_MAX; m = p->member[m].next) {
		const struct tm_member *one = &p->member[m];
		const struct tm_moments *of = &p->runs[one->run].v[one->at].m;

		if (tm_pair_side_of(p, one->run) != side)
			continue;
		out.n += one->run != run;
		sum = one->run == run ? sum + of->sum : of->sum;
		n = one->run == run ? n + of->n : of->n;
		run = one->run;
		out.v[out.n - 1] = n ? (double)sum / (double)n : 0;
	}
	return out;
}

/* The variance of the calls.  Where many all take the same time, that of rounding to the ticks of
 * the clock of a GPU, so that a difference of the means is one. */
static double variance_of(const struct tm_moments *m, double deviation)
{
	enum { MANY = 8, TICK_NS = 10 };

	return deviation > 0 || m->n < MANY ? deviation * deviation : TICK_NS * TICK_NS / 12.0;
}

/* By what statistics say: mean, deviation, calls. */
static void test_moments(struct tm_pair *pair, double alpha)
{
	struct tm_sig_moments of[TM_SIDES];

	for (int s = 0; s < TM_SIDES; s++) {
		const struct tm_moments *m = &pair->side[s].m;
		double deviation;

		if (!tm_moments_stddev(m, &deviation))
			return;
		of[s] = (struct tm_sig_moments) { (double)m->n, mean_of(m),
			                          variance_of(m, deviation) };
		pair->n[s] = m->n;
	}
	pair->test = tm_sig_welch(of[0], of[1]);
	pair->test.found = pair->test.test != TM_SIG_NONE && pair->test.p <= alpha;
}

/* What the change of a call is shown by: the median, which outliers do not turn.  That of calls of
 * several names is turned by one call more or less of any of them, where half of them are shorter:
 * of those the mean, if it changed less. */
static void take_medians(struct tm_pair *pair, bool mixed)
{
	const double *median = pair->test.median, *mean = pair->typical;

	if (!(median[TM_SIDE_A] > 0) && !(median[TM_SIDE_B] > 0))
		return;
	if (mixed && fabs(log(mean[TM_SIDE_B] / mean[TM_SIDE_A])) <
	                     fabs(log(median[TM_SIDE_B] / median[TM_SIDE_A])))
		return;
	memcpy(pair->typical, median, sizeof pair->typical);
}

/* One of so many tests. */
static bool test_pair(const struct tm_pairs *p, struct tm_pair *pair, size_t tests)
{
	bool several = p->nruns > 2, ok = true;
	struct values x = several ? run_means(p, pair, TM_SIDE_A) : durations(p, pair, 0),
	              y = several ? run_means(p, pair, TM_SIDE_B) : durations(p, pair, 1);

	ok = x.v && y.v;
	for (int s = 0; s < TM_SIDES; s++)
		pair->typical[s] = mean_of(&pair->side[s].m);
	if (ok && x.n && y.n) {
		pair->n[TM_SIDE_A] = x.n;
		pair->n[TM_SIDE_B] = y.n;
		/* Calls may depend on each other: few of them are not worth a t that U does not
		 * confirm. */
		ok = several ? tm_sig_compare(x.v, x.n, y.v, y.n, TM_SIG_MEANS, p->o->alpha, tests,
		                              &pair->test)
		             : tm_sig_compare(x.v, x.n, y.v, y.n, TM_SIG_SERIES, p->o->alpha, 1,
		                              &pair->test);
		if (!several)
			take_medians(pair, x.mixed || y.mixed);
	} else if (ok && !several) {
		test_moments(pair, p->o->alpha);
	}
	pair->change = pair->typical[TM_SIDE_B] / pair->typical[TM_SIDE_A] - 1;
	free(x.v);
	free(y.v);
	return ok;
}

/* Is the difference larger than what matters, and the test on its side? */
static bool is_large(const struct tm_pairs *p, const struct tm_pair *pair)
{
	double a = mean_of(&pair->side[TM_SIDE_A].m), b = mean_of(&pair->side[TM_SIDE_B].m),
	       low = a < b ? a : b;
	double ratio = pair->change < 0 ? 1 / (1 + pair->change) : 1 + pair->change;

	return tm_sig_above(ratio - 1, tm_diff_floor(p->o, low)) &&
	       pair->test.sign == (pair->change < 0 ? 1 : -1);
}

bool tm_pair_is_small(const struct tm_pairs *p, const struct tm_pair *pair)
{
	for (int s = 0; s < TM_SIDES; s++)
		if ((double)pair->side[s].m.sum >= p->o->min_share * (double)p->total[s] &&
		    pair->side[s].runs)
			return false;
	return p->o->min_share > 0;
}

static bool is_tested(const struct tm_pairs *p, const struct tm_pair *pair)
{
	return tm_pair_matched(pair) && !tm_pair_is_small(p, pair);
}

bool tm_pairs_rates(const struct tm_pairs *p, double *rate)
{
	for (size_t i = 0; i < p->n; i++)
		rate[i] = p->v[i].test.test == TM_SIG_NONE ? NAN : p->v[i].test.p;
	return tm_sig_adjust(rate, p->n);
}

/* A row that ranks did not find, by its means where ranks of so few runs can find no row of so many
 * alone.  Not all rows: an outlier turns means, and ranks find many rows that change together. */
static bool test_means(const struct tm_pairs *p, struct tm_pair *pair, size_t tests)
{
	const struct tm_significance ranks = pair->test;

	if (!test_pair(p, pair, tests))
		return false;
	if (pair->test.p >= ranks.p)
		pair->test = ranks;
	return true;
}

static bool test_all(struct tm_pairs *p)
{
	double *rate = malloc((p->n + 1) * sizeof *rate);
	bool ok = rate != NULL;
	size_t tests = 0;

	for (size_t i = 0; ok && i < p->n; i++)
		if (is_tested(p, &p->v[i])) {
			ok = test_pair(p, &p->v[i], 1);
			tests++;
		}
	ok = ok && tm_pairs_rates(p, rate);
	for (size_t i = 0; ok && i < p->n && p->nruns > 2; i++)
		if (rate[i] > p->o->alpha)
			ok = test_means(p, &p->v[i], tests);
	ok = ok && tm_pairs_rates(p, rate);
	for (size_t i = 0; ok && i < p->n; i++) {
		struct tm_pair *pair = &p->v[i];

		pair->rate = rate[i];
		pair->significant = pair->test.found && rate[i] <= p->o->alpha && is_large(p, pair);
	}
	free(rate);
	return ok;
}

static int by_text(const void *a, const void *b)
{
	const struct tm_pair *x = a, *y = b;
	struct tm_name p = { .text = x->name, .len = (uint32_t)x->len },
	               q = { .text = y->name, .len = (uint32_t)y->len };

	int c = tm_name_cmp(&p, &q);

	return c ? c : (int)x->stable - (int)y->stable;
}

bool tm_pairs_make(struct tm_pairs *p, const struct tm_digest *runs, size_t na, size_t n,
                   const struct tm_diff_opts *o)
{
	struct joiner j = { .p = p };
	bool ok;

	*p = (struct tm_pairs) { .runs = runs, .na = na, .nruns = n, .o = o, .per = { 1, 1 } };
	if (na != n - na)
		tm_pairs_runs(p, p->per);
	ok = find_keys(&j) && join(&j);
	free(j.key);
	free(j.sides);
	tm_names_fini(&j.full);
	tm_names_fini(&j.stable);
	tm_buf_fini(&j.text);
	if (ok && p->n)
		qsort(p->v, p->n, sizeof *p->v, by_text);
	return ok && test_all(p);
}
