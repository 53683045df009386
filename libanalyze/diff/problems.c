/* SPDX-License-Identifier: MIT */
#include "diff/problems.h"

#include "diff/rows.h"
#include "diff/words.h"
#include "libperf/libperf.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A problem on one side. */
struct problem_side {
	bool called, measured;
	uint64_t calls;
	bool has_calls; /* a table of measurements says how many */
	uint32_t library;
	struct lib_estimate e; /* with `measured` */
};

struct problem_row {
	uint32_t key;
	struct problem_side side[SIDES];
	struct lib_verdict verdict;
};

struct problems {
	const struct diff_opts *o;
	struct lib_opts lib;
	struct lib_samples all;
	struct lib_calls calls[SIDES];
	bool logged[SIDES]; /* it is known what was called */
	struct names skip;  /* sources that hold no calls */
	uint32_t *row_of;   /* of each key: its place in `row` + 1 */
	size_t row_of_n, row_of_cap;
	struct problem_row *row;
	size_t n, cap;
	struct pairs pairs;
};

struct problems *problems_open(const struct diff_opts *o)
{
	struct problems *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->o = o;
	p->lib = (struct lib_opts) {
		.threshold = o->floor < 0 ? UINT64_MAX : (uint64_t)llround(o->floor * 1e6),
		.fail_over = UINT64_MAX,
		.alpha = o->alpha,
	};
	p->all.o = &p->lib;
	return p;
}

void problems_close(struct problems *p)
{
	if (!p)
		return;
	lib_samples_fini(&p->all);
	for (int s = 0; s < SIDES; s++)
		lib_calls_fini(&p->calls[s]);
	names_fini(&p->skip);
	pairs_fini(&p->pairs);
	free(p->row_of);
	free(p->row);
	free(p);
}

/* ---- reading ---- */

bool problems_skip(struct problems *p, const char *source)
{
	return names_add(&p->skip, source, strlen(source)) != NAME_NONE;
}

/* A table of calls is no table of measurements, whatever columns it has beside. */
static bool is_calls(struct source *s)
{
	const unsigned char *head;
	size_t n;
	struct diag d;

	return source_peek(s, &head, &n, &d) == ST_OK &&
	       lib_calls_is_table(head, n, n < SOURCE_PEEK);
}

static enum status take_measured(void *acc, struct source *s, size_t side, struct report *rep,
                                 struct diag *d)
{
	struct problems *p = acc;
	enum status st;

	if (is_calls(s))
		return ST_OK;
	st = lib_rows_take(&p->all.rows, s, side ? LIB_NEW : LIB_BASE, NULL, rep, d);
	if ((st == ST_OK || st == ST_WARN) && !problems_skip(p, source_name(s)))
		return ST_FATAL;
	/* Then it is for the second reading. */
	return st == ST_SKIP && !source_failed(s, d) ? ST_OK : st;
}

static enum status take_called(void *acc, struct source *s, size_t side, struct report *rep,
                               struct diag *d)
{
	struct problems *p = acc;
	const char *name = source_name(s);
	enum status st;

	if (names_find(&p->skip, name, strlen(name)) != NAME_NONE)
		return ST_OK;
	st = lib_calls_take(&p->calls[side], s, rep, d);
	p->logged[side] |= st == ST_OK || st == ST_WARN;
	if (st == ST_SKIP && !source_failed(s, d))
		diag_set(d, 0, "neither calls nor measurements of GPU libraries");
	return st;
}

const struct question problems_reading[PROBLEM_READINGS] = {
	{ .name = "tracediff --per problem", .tables = true, .take = take_measured },
	{ .name = "tracediff --per problem", .take = take_called },
};

/* ---- problems ---- */

/* The row of a key, new where there is none; NULL when out of memory. */
static struct problem_row *row_of(struct problems *p, uint32_t key)
{
	if (!grow_array(&p->row_of, &p->row_of_cap, (size_t)key + 1, sizeof *p->row_of))
		return NULL;
	while (p->row_of_n <= key)
		p->row_of[p->row_of_n++] = 0;
	if (!p->row_of[key]) {
		if (!grow_array(&p->row, &p->cap, p->n + 1, sizeof *p->row))
			return NULL;
		p->row[p->n++] = (struct problem_row) {
			.key = key, .side = { { .library = NAME_NONE }, { .library = NAME_NONE } }
		};
		p->row_of[key] = (uint32_t)p->n;
	}
	return &p->row[p->row_of[key] - 1];
}

/* One more library that the side has it from: "hipblaslt+rocblas".  False when out of memory. */
static bool add_library(struct problems *p, struct problem_side *s, const char *library)
{
	const char *have = lib_text(&p->all, s->library), *at = have;
	size_t n = strlen(library);
	struct buf b = { 0 };

	for (; n && (at = strstr(at, library)); at++)
		if ((at == have || at[-1] == '+') && (!at[n] || at[n] == '+'))
			return true;
	if (!n)
		return true;
	buf_fmt(&b, "%s%s%s", have, *have ? "+" : "", library);
	s->library = b.failed ? NAME_NONE : names_add(&p->all.rows.texts, b.p, b.n);
	buf_fini(&b);
	return s->library != NAME_NONE;
}

/* Calls of one text. */
static bool add_calls(struct problems *p, int side, enum lib_call_kind kind,
                      const struct name *text, uint64_t calls)
{
	const char *word = call_words[lib_calls_shown_as(kind)];
	struct problem_row *row;
	struct problem_side *s;
	uint32_t key;

	if (!lib_samples_key(&p->all, call_words[kind], strlen(call_words[kind]), text->text,
	                     text->len, &key))
		return false;
	if (key == NAME_NONE)
		key = names_add(&p->all.rows.texts, text->text, text->len);
	row = key == NAME_NONE ? NULL : row_of(p, key);
	if (!row)
		return false;
	s = &row->side[side];
	s->called = true;
	s->calls = calls > UINT64_MAX - s->calls ? UINT64_MAX : s->calls + calls;
	return add_library(p, s, word);
}

static bool take_calls(struct problems *p, struct report *rep)
{
	for (int side = 0; side < SIDES; side++) {
		const struct lib_calls *c = &p->calls[side];
		uint32_t others = lib_calls_others(c, rep);

		for (int kind = 0; kind < CALL_KINDS; kind++) {
			const struct call_set *set = &c->set[kind];

			/* Told of twice, looked for and not made, or no problem. */
			if (others & 1u << kind || kind == CALL_MIOPEN_FIND ||
			    kind == CALL_TENSILE || kind == CALL_RCCL)
				continue;
			for (uint32_t i = 0; i < set->texts.n; i++)
				if (!add_calls(p, side, (enum lib_call_kind)kind, &set->texts.v[i],
				               set->calls[i]))
					return false;
		}
	}
	return true;
}

/* Measurements [from, to) of one problem, by one library on both sides: `side` begins at cut. */
struct one_library {
	bool has[SIDES];
	struct lib_estimate e[SIDES];
};

static double cost_of(const struct one_library *l)
{
	return l->e[l->has[SIDE_A] ? SIDE_A : SIDE_B].cost;
}

/* Of libraries that measured it on both sides the fastest of A; else the fastest of each side. */
static void choose(struct problem_row *row, const struct one_library *l)
{
	bool both = l->has[SIDE_A] && l->has[SIDE_B];
	struct problem_side *a = &row->side[SIDE_A], *b = &row->side[SIDE_B];
	bool had = a->measured && b->measured && a->e.of->library == b->e.of->library;

	if (both && (!had || l->e[SIDE_A].cost < a->e.cost)) {
		a->e = l->e[SIDE_A];
		b->e = l->e[SIDE_B];
		a->measured = b->measured = true;
	} else if (!both && !had) {
		struct problem_side *s = &row->side[l->has[SIDE_A] ? SIDE_A : SIDE_B];

		if (!s->measured || cost_of(l) < s->e.cost)
			s->e = l->e[l->has[SIDE_A] ? SIDE_A : SIDE_B];
		s->measured = true;
	}
}

/* What tables of measurements say of calls. */
static void calls_of_samples(struct problem_side *s, const struct lib_sample *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].has_calls) {
			s->has_calls = true;
			if (!s->called && v[i].calls > s->calls)
				s->calls = v[i].calls;
		}
}

static bool take_samples(struct problems *p)
{
	struct lib_sample *v;

	lib_samples_sort(&p->all, false);
	v = p->all.v;
	for (size_t i = 0, next; i < p->all.n; i = next) {
		uint32_t library = v[i].library, key = v[i].key;
		struct problem_row *row = row_of(p, key);
		struct one_library l = { 0 };

		if (!row)
			return false;
		for (next = i;
		     next < p->all.n && v[next].key == key && v[next].library == library;) {
			size_t from = next, side = v[from].side == LIB_NEW ? SIDE_B : SIDE_A;

			while (next < p->all.n && v[next].key == key &&
			       v[next].library == library && v[next].side == v[from].side)
				next++;
			calls_of_samples(&row->side[side], v + from, next - from);
			l.e[side] = lib_estimate_of(&p->all, from, next);
			l.has[side] = true;
			if (!add_library(p, &row->side[side], lib_text(&p->all, library)))
				return false;
		}
		choose(row, &l);
	}
	return true;
}

/* ---- pairs ---- */

static bool is_timed(const struct problem_side *s)
{
	return s->measured && s->e.of->has_us;
}

/* How often it was called: by the logs; else by a table of measurements. */
static bool counts(const struct problems *p, const struct problem_row *row, int side)
{
	return p->logged[side] || row->side[side].has_calls;
}

/* Their time in *ns; false when nobody could have measured it. */
static bool time_of(uint64_t calls, double us, u128 *ns)
{
	long double all = (long double)calls * us * 1000 + 0.5L;
	bool fits = all >= 0 && all < (long double)INT64_MAX;

	*ns = fits ? (u128)all : 0;
	return fits;
}

/* Where the next clause of a note goes. */
static struct buf *clause(struct buf *b)
{
	if (b->n)
		buf_str(b, "; ");
	return b;
}

static bool put_note(struct pair *pair, const struct problem_row *row)
{
	static const char *const sides[] = { "A", "B" };
	struct buf b = { 0 };

	for (int s = 0; s < SIDES; s++) {
		const struct problem_side *side = &row->side[s];

		if (is_timed(side) && pair->side[s].untimed)
			buf_fmt(clause(&b), "more than 292 years in %s", sides[s]);
		if (side->measured && !side->e.of->has_us)
			buf_fmt(clause(&b), "a rate without time in %s", sides[s]);
		if (side->measured && side->e.noisy)
			buf_fmt(clause(&b), "noisy in %s", sides[s]);
	}
	if (!pair->side[SIDE_A].untimed != !pair->side[SIDE_B].untimed && pair_matched(pair))
		buf_fmt(clause(&b), "no time in %s", sides[pair->side[SIDE_A].untimed ? 0 : 1]);
	if (pair->side[SIDE_A].uncounted && pair->side[SIDE_B].uncounted)
		buf_str(clause(&b), "time of one call");
	else if (pair_matched(pair) &&
	         (pair->side[SIDE_A].uncounted || pair->side[SIDE_B].uncounted))
		buf_fmt(clause(&b), "calls of %s", sides[pair->side[SIDE_A].uncounted]);
	pair->note = b.p;
	return !b.failed;
}

static bool put_library(struct problems *p, struct pair *pair, const struct problem_row *row)
{
	uint32_t a = row->side[SIDE_A].library, b = row->side[SIDE_B].library;
	struct buf text = { 0 };

	buf_str(&text, lib_text(&p->all, a == NAME_NONE ? b : a));
	if (a != NAME_NONE && b != NAME_NONE && a != b)
		buf_fmt(&text, "/%s", lib_text(&p->all, b));
	a = text.failed ? NAME_NONE : names_add(&p->all.rows.texts, text.p ? text.p : "", text.n);
	pair->class_name = a == NAME_NONE ? NULL : lib_text(&p->all, a);
	buf_fini(&text);
	return pair->class_name != NULL;
}

/* One side of a pair, without a weight of its own where nobody counted. */
static void put_side(const struct problems *p, const struct problem_row *row, int side,
                     struct pair *pair)
{
	const struct problem_side *s = &row->side[side];
	struct pair_side *out = &pair->side[side];
	uint64_t calls = 1;

	out->runs = s->called || s->measured;
	out->uncounted = !counts(p, row, side);
	if (!out->uncounted)
		calls = s->calls;
	else if (!out->runs)
		calls = 0;
	else if (counts(p, row, !side))
		calls = row->side[!side].calls;
	out->m.n = calls;
	/* Nothing takes no time. */
	out->untimed = !is_timed(s) && (out->uncounted || calls > 0);
	if (is_timed(s) && !time_of(calls, s->e.cost, &out->m.sum))
		out->untimed = true;
	pair->n[side] = s->measured ? s->e.n : 0;
}

static bool put_pair(struct problems *p, struct problem_row *row)
{
	const struct problem_side *a = &row->side[SIDE_A], *b = &row->side[SIDE_B];
	struct pair *pair;

	if (!grow_array(&p->pairs.v, &p->pairs.cap, p->pairs.n + 1, sizeof *p->pairs.v))
		return false;
	pair = &p->pairs.v[p->pairs.n++];
	*pair = (struct pair) { .first = SIZE_MAX, .rate = NAN };
	pair->name = p->all.rows.texts.v[row->key].text;
	pair->len = p->all.rows.texts.v[row->key].len;
	for (int s = 0; s < SIDES; s++) {
		put_side(p, row, s, pair);
		p->pairs.total[s] += pair->side[s].m.sum;
	}
	if (is_timed(a) && is_timed(b) && !pair->side[SIDE_A].untimed &&
	    !pair->side[SIDE_B].untimed) {
		if (!lib_judge(&p->all, &a->e, &b->e, &row->verdict))
			return false;
		pair->test = row->verdict.test;
		pair->change = b->e.cost / a->e.cost - 1;
		pair->rate = pair->test.test == SIG_NONE ? NAN : pair->test.p;
		pair->significant = row->verdict.apart;
	}
	return put_library(p, pair, row) && put_note(pair, row);
}

static int by_name(const void *x, const void *y)
{
	const struct pair *a = x, *b = y;
	struct name p = { .text = a->name, .len = (uint32_t)a->len },
	            q = { .text = b->name, .len = (uint32_t)b->len };

	return name_cmp(&p, &q);
}

/* Several tests at once: what counts is the rate of false ones among those that do. */
static bool adjust(struct pairs *p, double alpha)
{
	double *rate = malloc((p->n + 1) * sizeof *rate);
	bool ok = rate != NULL;

	for (size_t i = 0; ok && i < p->n; i++)
		rate[i] = p->v[i].rate;
	ok = ok && sig_adjust(rate, p->n);
	for (size_t i = 0; ok && i < p->n; i++) {
		p->v[i].rate = rate[i];
		if (!isnan(rate[i]) && rate[i] > alpha)
			p->v[i].significant = false;
	}
	free(rate);
	return ok;
}

/* ---- what it comes to ---- */

/* The time of the same calls, those of B, on either side: what differs in their number says nothing
 * of speed, for nobody knows how much each run did. */
struct total {
	u128 ns[SIDES];
	i128 calls, mean; /* effects of all that has times on both sides */
	size_t matched, timed, untimed, slower, faster, added, removed;
	double change, floor;
	bool decides; /* there are times of the same calls */
	enum verdict verdict;
};

static void add_up(const struct problems *p, struct total *t)
{
	for (size_t i = 0; i < p->pairs.n; i++) {
		const struct pair *pair = &p->pairs.v[i];
		const struct pair_side *a = &pair->side[SIDE_A], *b = &pair->side[SIDE_B];
		struct effects e = effects_of(pair);

		t->added += !a->runs;
		t->removed += !b->runs;
		t->matched += pair_matched(pair);
		t->untimed += pair_matched(pair) && (a->untimed || b->untimed);
		if (a->untimed || b->untimed)
			continue;
		t->calls += e.calls;
		t->mean += e.mean;
		if (!pair_matched(pair) || !a->m.n || !b->m.n)
			continue;
		t->timed++;
		t->ns[SIDE_B] += b->m.sum;
		t->ns[SIDE_A] += (u128)((i128)b->m.sum - e.mean);
		t->slower += pair->significant && pair->change > 0;
		t->faster += pair->significant && pair->change < 0;
	}
}

static void judge(const struct problems *p, struct total *t)
{
	double up, down;

	t->floor = p->o->floor < 0 ? SIG_FLOOR_PCT / 100.0 : p->o->floor;
	t->decides = t->ns[SIDE_A] && t->ns[SIDE_B] && t->ns[SIDE_A] <= INT64_MAX &&
	             t->ns[SIDE_B] <= INT64_MAX;
	if (!t->decides)
		return;
	t->change = (double)t->ns[SIDE_B] / (double)t->ns[SIDE_A] - 1;
	up = t->change;
	down = (double)t->ns[SIDE_A] / (double)t->ns[SIDE_B] - 1;
	t->verdict = VERDICT_NEUTRAL;
	if (up > t->floor)
		t->verdict = t->slower ? VERDICT_REGRESSION : VERDICT_INCONCLUSIVE;
	else if (down > t->floor)
		t->verdict = t->faster ? VERDICT_IMPROVEMENT : VERDICT_INCONCLUSIVE;
}

static void put_counts(struct buf *b, const struct total *t)
{
	if (t->added)
		buf_fmt(b, ", %zu new", t->added);
	if (t->removed)
		buf_fmt(b, ", %zu gone", t->removed);
}

static void put_words(const struct total *t, struct diff_answer *a)
{
	static const char *const words[] = { [VERDICT_INCONCLUSIVE] = "unclear",
		                             [VERDICT_REGRESSION] = "slower",
		                             [VERDICT_IMPROVEMENT] = "faster",
		                             [VERDICT_NEUTRAL] = "no change" };
	struct buf *b = &a->words;

	buf_fmt(b, "%s: ", words[t->verdict]);
	if (t->decides) {
		buf_str(b, "time of the same library calls ");
		put_time(b, (double)t->mean, true);
		buf_fmt(b, " (%+.2f %%): %zu slower and %zu faster of %zu with times",
		        100 * t->change, t->slower, t->faster, t->timed);
	} else {
		buf_fmt(b,
		        "no times of the same calls, only the numbers of calls are compared: "
		        "%zu problem%s on both sides",
		        t->matched, t->matched == 1 ? "" : "s");
	}
	put_counts(b, t);
	buf_str(b, "\n");
	buf_fmt(&a->line, "verdict: %s on=problem", verdict_words[t->verdict]);
	if (t->decides)
		buf_fmt(&a->line,
		        " a_ns=%" PRIu64 " b_ns=%" PRIu64 " delta_ns=%" PRId64 " delta_pct=%.4f",
		        (uint64_t)t->ns[SIDE_A], (uint64_t)t->ns[SIDE_B], (int64_t)t->mean,
		        100 * t->change);
	else
		buf_str(&a->line, " reason=no-times");
	buf_fmt(&a->line, " matched=%zu added=%zu removed=%zu\n", t->matched, t->added, t->removed);
	if (!t->decides)
		return;
	b = &a->short_account;
	buf_str(b, "  calls    ");
	put_time(b, (double)t->calls, true);
	buf_str(b, " (more, fewer, new or gone)\n  mean     ");
	put_time(b, (double)t->mean, true);
	buf_str(b, " (their length)\n");
}

/* People have the verdict above and below the table. */
static bool put_verdict_row(const struct problems *p, const struct total *total, struct table *t,
                            const char *refused)
{
	struct cell *c = p->o->people ? NULL : table_row(t);
	const char *word = verdict_words[refused ? VERDICT_INCONCLUSIVE : total->verdict];
	bool decides = total->decides && !refused;

	if (!c)
		return p->o->people;
	c[C_NAME] = cell_text("(verdict)", 9);
	c[C_STATUS] = cell_text(word, strlen(word));
	if (decides) {
		c[C_TOTAL_A] = cell_u64((uint64_t)total->ns[SIDE_A]);
		c[C_TOTAL_B] = cell_u64((uint64_t)total->ns[SIDE_B]);
		c[C_DELTA] = c[C_MEAN_EFFECT] = diff_signed_ns(total->mean);
		c[C_DELTA_PCT] = diff_pct_cell(total->change);
	}
	c[C_N_A] = c[C_N_B] = cell_u64(total->timed);
	if (refused)
		c[C_NOTE] = table_own(t, refused, strlen(refused));
	else if (!decides)
		c[C_NOTE] = cell_text("no times", 8);
	return !t->failed;
}

/* ---- all of it ---- */

/* Why there is nothing to compare, or NULL. */
static const char *refusal(const struct problems *p, const struct total *t, struct report *rep)
{
	if (!t->matched && !t->removed)
		return "A has no call and no measurement of a problem";
	if (!t->matched && !t->added)
		return "B has no call and no measurement of a problem";
	if (!t->matched)
		return "no problem is on both sides";
	if (!(p->o->allow & ALLOW_SELF) && lib_rows_twice(&p->all.rows, rep))
		return "a file is compared with itself";
	return NULL;
}

static void caveats(const struct problems *p, const struct total *t, struct report *rep)
{
	for (int s = 0; s < SIDES; s++)
		lib_calls_tell(&p->calls[s], false, rep);
	if (t->untimed)
		report_add(
		        rep, SEV_NOTE, NULL, 0,
		        "no times for %zu of %zu problems on both sides: logs hold no times; add "
		        "measurements of both sides (what 'libperf bench' reads)",
		        t->untimed, t->matched);
	if (p->all.n)
		lib_measures_tell(&p->all, rep);
	if (p->o->fail_over < 0)
		return;
	if (!t->decides)
		report_add(rep, SEV_ERROR, NULL, 0, "--fail-over: no times to judge by");
	else if (t->verdict == VERDICT_REGRESSION && t->change > p->o->fail_over)
		report_add(rep, SEV_NO, NULL, 0, "slower by %.2f %%, more than %.4g %%",
		           100 * t->change, 100 * p->o->fail_over);
}

static bool make_pairs(struct problems *p, struct report *rep)
{
	p->pairs.o = p->o;
	if (!lib_samples_make(&p->all, rep) || !take_calls(p, rep) || !take_samples(p))
		return false;
	for (size_t i = 0; i < p->n; i++)
		if (!put_pair(p, &p->row[i]))
			return false;
	if (p->pairs.n)
		qsort(p->pairs.v, p->pairs.n, sizeof *p->pairs.v, by_name);
	p->pairs.by_calls = !p->pairs.total[SIDE_A] && !p->pairs.total[SIDE_B];
	return adjust(&p->pairs, p->o->alpha);
}

enum status problems_compare(struct problems *p, bool same, struct table *t, struct diff_answer *a,
                             struct report *rep)
{
	struct total total = { 0 };
	const char *why;
	bool ok;

	*a = (struct diff_answer) { 0 };
	table_init_list(t, diff_columns);
	if (!same && !make_pairs(p, rep))
		return ST_FATAL;
	add_up(p, &total);
	judge(p, &total);
	why = same ? "it is compared with itself" : refusal(p, &total, rep);
	if (why) {
		if (!same)
			report_add(rep, SEV_ERROR, NULL, 0, "cannot be compared: %s", why);
		buf_fmt(&a->words, "not comparable: %s\n", why);
		buf_fmt(&a->line, "verdict: %s reason=refused\n",
		        verdict_words[VERDICT_INCONCLUSIVE]);
		ok = put_verdict_row(p, &total, t, why);
	} else {
		a->verdict = total.verdict;
		put_words(&total, a);
		caveats(p, &total, rep);
		ok = diff_put_pairs(t, &p->pairs) && diff_put_geomean(t, &p->pairs) &&
		     put_verdict_row(p, &total, t, NULL);
	}
	if (!ok || a->words.failed || a->short_account.failed || a->line.failed || t->failed ||
	    rep->lost)
		return ST_FATAL;
	return why ? ST_END : ST_OK;
}
