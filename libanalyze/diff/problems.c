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
	struct tm_lib_estimate e; /* with `measured` */
};

struct problem_row {
	uint32_t key;
	struct problem_side side[TM_SIDES];
};

struct tm_problems {
	const struct tm_diff_opts *o;
	struct tm_lib_opts lib;
	struct tm_lib_samples all;
	struct tm_lib_calls calls[TM_SIDES];
	bool logged[TM_SIDES]; /* it is known what was called */
	struct tm_names skip;  /* sources that hold no calls */
	uint32_t *row_of;      /* of each key: its place in `row` + 1 */
	size_t row_of_n, row_of_cap;
	struct problem_row *row;
	size_t n, cap;
	struct tm_pairs pairs;
};

struct tm_problems *tm_problems_open(const struct tm_diff_opts *o)
{
	struct tm_problems *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->o = o;
	p->lib = (struct tm_lib_opts) {
		.threshold = o->floor < 0 ? UINT64_MAX : (uint64_t)llround(o->floor * 1e6),
		.fail_over = UINT64_MAX,
		.alpha = o->alpha,
	};
	p->all.o = &p->lib;
	return p;
}

void tm_problems_close(struct tm_problems *p)
{
	if (!p)
		return;
	tm_lib_samples_fini(&p->all);
	for (int s = 0; s < TM_SIDES; s++)
		tm_lib_calls_fini(&p->calls[s]);
	tm_names_fini(&p->skip);
	tm_pairs_fini(&p->pairs);
	free(p->row_of);
	free(p->row);
	free(p);
}

/* ---- reading ---- */

bool tm_problems_skip(struct tm_problems *p, const char *source)
{
	return tm_names_add(&p->skip, source, strlen(source)) != TM_NAME_NONE;
}

/* A table of calls is no table of measurements, whatever columns it has beside. */
static bool is_calls(struct tm_source *s)
{
	const unsigned char *head;
	size_t n;
	struct tm_diag d;

	return tm_source_peek(s, &head, &n, &d) == TM_ST_OK &&
	       tm_lib_calls_is_table(head, n, n < TM_SOURCE_PEEK);
}

static enum tm_status take_measured(void *acc, struct tm_source *s, size_t side,
                                    struct tm_report *rep, struct tm_diag *d)
{
	struct tm_problems *p = acc;
	enum tm_status st;

	if (is_calls(s))
		return TM_ST_OK;
	st = tm_lib_rows_take(&p->all.rows, s, side ? TM_LIB_NEW : TM_LIB_BASE, NULL, rep, d);
	if ((st == TM_ST_OK || st == TM_ST_WARN) && !tm_problems_skip(p, tm_source_name(s)))
		return TM_ST_FATAL;
	/* Then it is for the second reading. */
	return st == TM_ST_SKIP && !tm_source_failed(s, d) ? TM_ST_OK : st;
}

static enum tm_status take_called(void *acc, struct tm_source *s, size_t side,
                                  struct tm_report *rep, struct tm_diag *d)
{
	struct tm_problems *p = acc;
	const char *name = tm_source_name(s);
	enum tm_status st;

	if (tm_names_find(&p->skip, name, strlen(name)) != TM_NAME_NONE)
		return TM_ST_OK;
	st = tm_lib_calls_take(&p->calls[side], s, NULL, rep, d);
	p->logged[side] |= st == TM_ST_OK || st == TM_ST_WARN;
	if (st == TM_ST_SKIP && !tm_source_failed(s, d))
		tm_diag_set(d, 0, "neither calls nor measurements of GPU libraries");
	return st;
}

const struct tm_question tm_problems_reading[TM_PROBLEM_READINGS] = {
	{ .name = "tracediff --per problem", .tables = true, .take = take_measured },
	{ .name = "tracediff --per problem", .take = take_called },
};

/* ---- problems ---- */

/* The row of a key, new where there is none; NULL when out of memory. */
static struct problem_row *row_of(struct tm_problems *p, uint32_t key)
{
	if (!tm_grow_array(&p->row_of, &p->row_of_cap, (size_t)key + 1, sizeof *p->row_of))
		return NULL;
	while (p->row_of_n <= key)
		p->row_of[p->row_of_n++] = 0;
	if (!p->row_of[key]) {
		if (!tm_grow_array(&p->row, &p->cap, p->n + 1, sizeof *p->row))
			return NULL;
		p->row[p->n++] = (struct problem_row) { .key = key,
			                                .side = { { .library = TM_NAME_NONE },
			                                          { .library = TM_NAME_NONE } } };
		p->row_of[key] = (uint32_t)p->n;
	}
	return &p->row[p->row_of[key] - 1];
}

/* One more library that the side has it from: "hipblaslt+rocblas".  False when out of memory. */
static bool add_library(struct tm_problems *p, struct problem_side *s, const char *library)
{
	const char *have = tm_lib_text(&p->all, s->library), *at = have;
	size_t n = strlen(library);
	struct tm_buf b = { 0 };

	for (; n && (at = strstr(at, library)); at++)
		if ((at == have || at[-1] == '+') && (!at[n] || at[n] == '+'))
			return true;
	if (!n)
		return true;
	tm_buf_fmt(&b, "%s%s%s", have, *have ? "+" : "", library);
	s->library = b.failed ? TM_NAME_NONE : tm_names_add(&p->all.rows.texts, b.p, b.n);
	tm_buf_fini(&b);
	return s->library != TM_NAME_NONE;
}

/* Calls of one text. */
static bool add_calls(struct tm_problems *p, int side, enum tm_lib_call_kind kind,
                      const struct tm_name *text, uint64_t calls)
{
	const char *word = tm_call_words[tm_lib_calls_shown_as(kind)];
	struct problem_row *row;
	struct problem_side *s;
	uint32_t key;

	if (!tm_lib_samples_key(&p->all, tm_call_words[kind], strlen(tm_call_words[kind]),
	                        text->text, text->len, &key))
		return false;
	if (key == TM_NAME_NONE)
		key = tm_names_add(&p->all.rows.texts, text->text, text->len);
	row = key == TM_NAME_NONE ? NULL : row_of(p, key);
	if (!row)
		return false;
	s = &row->side[side];
	s->called = true;
	s->calls = calls > UINT64_MAX - s->calls ? UINT64_MAX : s->calls + calls;
	return add_library(p, s, word);
}

static bool take_calls(struct tm_problems *p, struct tm_report *rep)
{
	for (int side = 0; side < TM_SIDES; side++) {
		const struct tm_lib_calls *c = &p->calls[side];
		uint32_t others = tm_lib_calls_others(c, rep);

		for (int kind = 0; kind < TM_CALL_KINDS; kind++) {
			const struct tm_call_set *set = &c->set[kind];

			/* Told of twice, looked for and not made, or no problem. */
			if (others & 1u << kind || kind == TM_CALL_MIOPEN_FIND ||
			    kind == TM_CALL_TENSILE || kind == TM_CALL_RCCL)
				continue;
			for (uint32_t i = 0; i < set->texts.n; i++)
				if (!add_calls(p, side, (enum tm_lib_call_kind)kind,
				               &set->texts.v[i], set->calls[i]))
					return false;
		}
	}
	return true;
}

/* Measurements [from, to) of one problem, by one library on both sides: `side` begins at cut. */
struct one_library {
	bool has[TM_SIDES];
	struct tm_lib_estimate e[TM_SIDES];
};

static double cost_of(const struct one_library *l)
{
	return l->e[l->has[TM_SIDE_A] ? TM_SIDE_A : TM_SIDE_B].cost;
}

/* Of libraries that measured it on both sides the fastest of A; else the fastest of each side. */
static void choose(struct problem_row *row, const struct one_library *l)
{
	bool both = l->has[TM_SIDE_A] && l->has[TM_SIDE_B];
	struct problem_side *a = &row->side[TM_SIDE_A], *b = &row->side[TM_SIDE_B];
	bool had = a->measured && b->measured && a->e.of->library == b->e.of->library;

	if (both && (!had || l->e[TM_SIDE_A].cost < a->e.cost)) {
		a->e = l->e[TM_SIDE_A];
		b->e = l->e[TM_SIDE_B];
		a->measured = b->measured = true;
	} else if (!both && !had) {
		struct problem_side *s = &row->side[l->has[TM_SIDE_A] ? TM_SIDE_A : TM_SIDE_B];

		if (!s->measured || cost_of(l) < s->e.cost)
			s->e = l->e[l->has[TM_SIDE_A] ? TM_SIDE_A : TM_SIDE_B];
		s->measured = true;
	}
}

/* What tables of measurements say of calls. */
static void calls_of_samples(struct problem_side *s, const struct tm_lib_sample *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].has_calls) {
			s->has_calls = true;
			if (!s->called && v[i].calls > s->calls)
				s->calls = v[i].calls;
		}
}

static bool take_samples(struct tm_problems *p)
{
	struct tm_lib_sample *v;

	tm_lib_samples_sort(&p->all, false);
	v = p->all.v;
	for (size_t i = 0, next; i < p->all.n; i = next) {
		uint32_t library = v[i].library, key = v[i].key;
		struct problem_row *row = row_of(p, key);
		struct one_library l = { 0 };

		if (!row)
			return false;
		for (next = i;
		     next < p->all.n && v[next].key == key && v[next].library == library;) {
			size_t from = next,
			       side = v[from].side == TM_LIB_NEW ? TM_SIDE_B : TM_SIDE_A;

			while (next < p->all.n && v[next].key == key &&
			       v[next].library == library && v[next].side == v[from].side)
				next++;
			calls_of_samples(&row->side[side], v + from, next - from);
			l.e[side] = tm_lib_estimate_of(&p->all, from, next);
			l.has[side] = true;
			if (!add_library(p, &row->side[side], tm_lib_text(&p->all, library)))
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
static bool counts(const struct tm_problems *p, const struct problem_row *row, int side)
{
	return p->logged[side] || row->side[side].has_calls;
}

/* Their time in *ns; false when nobody could have measured it. */
static bool time_of(uint64_t calls, double us, tm_u128 *ns)
{
	long double all = (long double)calls * us * 1000 + 0.5L;
	bool fits = all >= 0 && all < (long double)INT64_MAX;

	*ns = fits ? (tm_u128)all : 0;
	return fits;
}

/* Where the next clause of a note goes. */
static struct tm_buf *clause(struct tm_buf *b)
{
	if (b->n)
		tm_buf_str(b, "; ");
	return b;
}

static bool put_note(struct tm_pair *pair, const struct problem_row *row)
{
	static const char *const sides[] = { "A", "B" };
	struct tm_buf b = { 0 };

	for (int s = 0; s < TM_SIDES; s++) {
		const struct problem_side *side = &row->side[s];

		if (is_timed(side) && pair->side[s].untimed)
			tm_buf_fmt(clause(&b), "more than 292 years in %s", sides[s]);
		if (side->measured && !side->e.of->has_us)
			tm_buf_fmt(clause(&b), "a rate without time in %s", sides[s]);
		if (side->measured && side->e.noisy)
			tm_buf_fmt(clause(&b), "noisy in %s", sides[s]);
	}
	if (!pair->side[TM_SIDE_A].untimed != !pair->side[TM_SIDE_B].untimed &&
	    tm_pair_matched(pair))
		tm_buf_fmt(clause(&b), "no time in %s",
		           sides[pair->side[TM_SIDE_A].untimed ? 0 : 1]);
	if (pair->side[TM_SIDE_A].uncounted && pair->side[TM_SIDE_B].uncounted)
		tm_buf_str(clause(&b), "time of one call");
	else if (tm_pair_matched(pair) &&
	         (pair->side[TM_SIDE_A].uncounted || pair->side[TM_SIDE_B].uncounted))
		tm_buf_fmt(clause(&b), "calls of %s", sides[pair->side[TM_SIDE_A].uncounted]);
	pair->note = b.p;
	return !b.failed;
}

static bool put_library(struct tm_problems *p, struct tm_pair *pair, const struct problem_row *row)
{
	uint32_t a = row->side[TM_SIDE_A].library, b = row->side[TM_SIDE_B].library;
	struct tm_buf text = { 0 };

	tm_buf_str(&text, tm_lib_text(&p->all, a == TM_NAME_NONE ? b : a));
	if (a != TM_NAME_NONE && b != TM_NAME_NONE && a != b)
		tm_buf_fmt(&text, "/%s", tm_lib_text(&p->all, b));
	a = text.failed ? TM_NAME_NONE
	                : tm_names_add(&p->all.rows.texts, text.p ? text.p : "", text.n);
	pair->class_name = a == TM_NAME_NONE ? NULL : tm_lib_text(&p->all, a);
	tm_buf_fini(&text);
	return pair->class_name != NULL;
}

/* One side of a pair, without a weight of its own where nobody counted. */
static void put_side(const struct tm_problems *p, const struct problem_row *row, int side,
                     struct tm_pair *pair)
{
	const struct problem_side *s = &row->side[side];
	struct tm_pair_side *out = &pair->side[side];
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

static bool is_compared(const struct tm_pair *pair, const struct problem_row *row)
{
	return is_timed(&row->side[TM_SIDE_A]) && is_timed(&row->side[TM_SIDE_B]) &&
	       !pair->side[TM_SIDE_A].untimed && !pair->side[TM_SIDE_B].untimed;
}

static bool put_pair(struct tm_problems *p, const struct problem_row *row)
{
	struct tm_pair *pair;

	if (!tm_grow_array(&p->pairs.v, &p->pairs.cap, p->pairs.n + 1, sizeof *p->pairs.v))
		return false;
	pair = &p->pairs.v[p->pairs.n++];
	*pair = (struct tm_pair) { .first = SIZE_MAX, .rate = NAN };
	pair->name = p->all.rows.texts.v[row->key].text;
	pair->len = p->all.rows.texts.v[row->key].len;
	for (int s = 0; s < TM_SIDES; s++) {
		put_side(p, row, s, pair);
		p->pairs.total[s] += pair->side[s].m.sum;
	}
	if (is_compared(pair, row))
		pair->change = row->side[TM_SIDE_B].e.cost / row->side[TM_SIDE_A].e.cost - 1;
	return put_library(p, pair, row) && put_note(pair, row);
}

static int by_name(const void *x, const void *y)
{
	const struct tm_pair *a = x, *b = y;
	struct tm_name p = { .text = a->name, .len = (uint32_t)a->len },
	               q = { .text = b->name, .len = (uint32_t)b->len };

	return tm_name_cmp(&p, &q);
}

/* Once more it may find what it did not find before. */
static bool judge_row(const struct tm_problems *p, const struct problem_row *row,
                      struct tm_pair *pair)
{
	struct tm_lib_verdict v;

	if (!tm_lib_judge(&p->all, &row->side[TM_SIDE_A].e, &row->side[TM_SIDE_B].e, &v))
		return false;
	if (pair->test.test == TM_SIG_NONE || v.test.p < pair->test.p) {
		pair->test = v.test;
		pair->significant = v.apart;
	}
	return true;
}

/* Several tests at once: what counts is the rate of false ones among those that do.  Rows that are
 * not found each by itself are judged as one of so many (as in pair.c).  Pairs are still in
 * the order of the rows. */
static bool judge_rows(struct tm_problems *p)
{
	struct tm_pair *v = p->pairs.v;
	double *rate = malloc((p->n + 1) * sizeof *rate);
	bool ok = rate != NULL;
	size_t tests = 0;

	for (size_t i = 0; ok && i < p->n; i++)
		if (is_compared(&v[i], &p->row[i])) {
			ok = judge_row(p, &p->row[i], &v[i]);
			tests++;
		}
	ok = ok && tm_pairs_rates(&p->pairs, rate);
	p->lib.tests = tests;
	for (size_t i = 0; ok && i < p->n; i++)
		if (rate[i] > p->o->alpha)
			ok = judge_row(p, &p->row[i], &v[i]);
	ok = ok && tm_pairs_rates(&p->pairs, rate);
	for (size_t i = 0; ok && i < p->n; i++) {
		v[i].rate = rate[i];
		if (rate[i] > p->o->alpha)
			v[i].significant = false;
	}
	free(rate);
	return ok;
}

/* ---- what it comes to ---- */

/* The time of the same calls, those of B, on either side: what differs in their number says nothing
 * of speed, for nobody knows how much each run did. */
struct total {
	tm_u128 ns[TM_SIDES];
	tm_i128 calls, mean; /* effects of all that has times on both sides */
	size_t matched, timed, untimed, slower, faster, added, removed;
	double change, floor;
	bool decides; /* there are times of the same calls */
	enum tm_verdict verdict;
};

static void add_up(const struct tm_problems *p, struct total *t)
{
	for (size_t i = 0; i < p->pairs.n; i++) {
		const struct tm_pair *pair = &p->pairs.v[i];
		const struct tm_pair_side *a = &pair->side[TM_SIDE_A], *b = &pair->side[TM_SIDE_B];
		struct tm_effects e = tm_effects_of(pair, p->pairs.per);

		t->added += !a->runs;
		t->removed += !b->runs;
		t->matched += tm_pair_matched(pair);
		t->untimed += tm_pair_matched(pair) && (a->untimed || b->untimed);
		if (a->untimed || b->untimed)
			continue;
		t->calls += e.calls;
		t->mean += e.mean;
		if (!tm_pair_matched(pair) || !a->m.n || !b->m.n)
			continue;
		t->timed++;
		t->ns[TM_SIDE_B] += b->m.sum;
		t->ns[TM_SIDE_A] += (tm_u128)((tm_i128)b->m.sum - e.mean);
		t->slower += pair->significant && pair->change > 0;
		t->faster += pair->significant && pair->change < 0;
	}
}

static void judge(const struct tm_problems *p, struct total *t)
{
	double up, down;

	t->floor = p->o->floor < 0 ? TM_SIG_FLOOR_PCT / 100.0 : p->o->floor;
	t->decides = t->ns[TM_SIDE_A] && t->ns[TM_SIDE_B] && t->ns[TM_SIDE_A] <= INT64_MAX &&
	             t->ns[TM_SIDE_B] <= INT64_MAX;
	if (!t->decides)
		return;
	t->change = (double)t->ns[TM_SIDE_B] / (double)t->ns[TM_SIDE_A] - 1;
	up = t->change;
	down = (double)t->ns[TM_SIDE_A] / (double)t->ns[TM_SIDE_B] - 1;
	t->verdict = TM_VERDICT_NEUTRAL;
	if (tm_sig_above(up, t->floor))
		t->verdict = t->slower ? TM_VERDICT_REGRESSION : TM_VERDICT_INCONCLUSIVE;
	else if (tm_sig_above(down, t->floor))
		t->verdict = t->faster ? TM_VERDICT_IMPROVEMENT : TM_VERDICT_INCONCLUSIVE;
}

static void put_counts(struct tm_buf *b, const struct total *t)
{
	if (t->added)
		tm_buf_fmt(b, ", %zu new", t->added);
	if (t->removed)
		tm_buf_fmt(b, ", %zu gone", t->removed);
}

static void put_words(const struct total *t, struct tm_diff_answer *a)
{
	static const char *const words[] = { [TM_VERDICT_INCONCLUSIVE] = "unclear",
		                             [TM_VERDICT_REGRESSION] = "slower",
		                             [TM_VERDICT_IMPROVEMENT] = "faster",
		                             [TM_VERDICT_NEUTRAL] = "no change" };
	struct tm_buf *b = &a->words;

	tm_buf_fmt(b, "%s: ", words[t->verdict]);
	if (t->decides) {
		tm_buf_str(b, "time of the same library calls ");
		tm_put_time(b, (double)t->mean, true);
		tm_buf_fmt(b, " (%+.2f %%): %zu slower and %zu faster of %zu with times",
		           100 * t->change, t->slower, t->faster, t->timed);
	} else {
		tm_buf_fmt(b,
		           "no times for the same calls, only call counts are compared: %zu "
		           "problem%s on both sides",
		           t->matched, t->matched == 1 ? "" : "s");
	}
	put_counts(b, t);
	tm_buf_str(b, "\n");
	tm_buf_fmt(&a->line, "verdict: %s on=problem", tm_verdict_words[t->verdict]);
	if (t->decides)
		tm_buf_fmt(&a->line,
		           " a_ns=%" PRIu64 " b_ns=%" PRIu64 " delta_ns=%" PRId64 " delta_pct=%.4f",
		           (uint64_t)t->ns[TM_SIDE_A], (uint64_t)t->ns[TM_SIDE_B], (int64_t)t->mean,
		           100 * t->change);
	else
		tm_buf_str(&a->line, " reason=no-times");
	tm_buf_fmt(&a->line, " matched=%zu added=%zu removed=%zu\n", t->matched, t->added,
	           t->removed);
	if (!t->decides)
		return;
	b = &a->short_account;
	tm_buf_str(b, "  calls    ");
	tm_put_time(b, (double)t->calls, true);
	tm_buf_str(b, " (more, fewer, new or gone)\n  mean     ");
	tm_put_time(b, (double)t->mean, true);
	tm_buf_str(b, " (mean duration)\n");
}

/* People have the verdict above and below the table. */
static bool put_verdict_row(const struct tm_problems *p, const struct total *total,
                            struct tm_table *t, const char *refused)
{
	struct tm_cell *c = p->o->people ? NULL : tm_table_row(t);
	const char *word = tm_verdict_words[refused ? TM_VERDICT_INCONCLUSIVE : total->verdict];
	bool decides = total->decides && !refused;

	if (!c)
		return p->o->people;
	t->kept++;
	c[C_NAME] = tm_cell_text("(verdict)", 9);
	c[C_STATUS] = tm_cell_text(word, strlen(word));
	if (decides) {
		c[C_TOTAL_A] = tm_cell_u64((uint64_t)total->ns[TM_SIDE_A]);
		c[C_TOTAL_B] = tm_cell_u64((uint64_t)total->ns[TM_SIDE_B]);
		c[C_DELTA] = c[C_MEAN_EFFECT] = tm_diff_signed_ns(total->mean);
		c[C_DELTA_PCT] = tm_diff_pct_cell(total->change);
	}
	c[C_N_A] = c[C_N_B] = tm_cell_u64(total->timed);
	if (refused)
		c[C_NOTE] = tm_table_own(t, refused, strlen(refused));
	else if (!decides)
		c[C_NOTE] = tm_cell_text("no times", 8);
	return !t->failed;
}

/* ---- all of it ---- */

/* Why there is nothing to compare, or NULL. */
static const char *refusal(const struct tm_problems *p, const struct total *t,
                           struct tm_report *rep)
{
	if (!t->matched && !t->removed)
		return "A has no calls or measurements of a problem";
	if (!t->matched && !t->added)
		return "B has no calls or measurements of a problem";
	if (!t->matched)
		return "no problem is on both sides";
	if (!(p->o->allow & TM_ALLOW_SELF) && tm_lib_rows_twice(&p->all.rows, rep))
		return "a file is compared with itself";
	return NULL;
}

static void caveats(const struct tm_problems *p, const struct total *t, struct tm_report *rep)
{
	for (int s = 0; s < TM_SIDES; s++)
		tm_lib_calls_tell(&p->calls[s], false, rep);
	if (t->untimed)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "no times for %zu of %zu problems on both sides: logs have no times; "
		              "add measurements of both sides (what 'libperf bench' reads)",
		              t->untimed, t->matched);
	if (p->all.n)
		tm_lib_measures_tell(&p->all, rep);
	if (p->o->fail_over < 0)
		return;
	if (!t->decides)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "--fail-over: no times to judge by");
	else if (t->verdict == TM_VERDICT_REGRESSION && tm_sig_above(t->change, p->o->fail_over))
		tm_report_add(rep, TM_SEV_NO, NULL, 0, "slower by %.2f %%, more than %.6g %%",
		              100 * t->change, 100 * p->o->fail_over);
}

static bool make_pairs(struct tm_problems *p, struct tm_report *rep)
{
	p->pairs.o = p->o;
	p->pairs.per[TM_SIDE_A] = p->pairs.per[TM_SIDE_B] = 1;
	if (!tm_lib_samples_make(&p->all, rep) || !take_calls(p, rep) || !take_samples(p))
		return false;
	for (size_t i = 0; i < p->n; i++)
		if (!put_pair(p, &p->row[i]))
			return false;
	if (!judge_rows(p))
		return false;
	if (p->pairs.n)
		qsort(p->pairs.v, p->pairs.n, sizeof *p->pairs.v, by_name);
	p->pairs.by_calls = !p->pairs.total[TM_SIDE_A] && !p->pairs.total[TM_SIDE_B];
	return true;
}

enum tm_status tm_problems_compare(struct tm_problems *p, bool same, struct tm_table *t,
                                   struct tm_diff_answer *a, struct tm_report *rep)
{
	struct total total = { 0 };
	const char *why;
	bool ok;

	*a = (struct tm_diff_answer) { 0 };
	tm_table_init_list(t, tm_diff_columns);
	if (!same && !make_pairs(p, rep))
		return TM_ST_FATAL;
	add_up(p, &total);
	judge(p, &total);
	why = same ? "it is compared with itself" : refusal(p, &total, rep);
	if (why) {
		if (!same)
			tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "cannot be compared: %s", why);
		tm_buf_fmt(&a->words, "not comparable: %s\n", why);
		tm_buf_fmt(&a->line, "verdict: %s reason=refused\n",
		           tm_verdict_words[TM_VERDICT_INCONCLUSIVE]);
		ok = put_verdict_row(p, &total, t, why);
	} else {
		a->verdict = total.verdict;
		put_words(&total, a);
		caveats(p, &total, rep);
		ok = tm_diff_put_pairs(t, &p->pairs) && tm_diff_put_geomean(t, &p->pairs) &&
		     put_verdict_row(p, &total, t, NULL);
	}
	if (!ok || a->words.failed || a->short_account.failed || a->line.failed || t->failed ||
	    rep->lost)
		return TM_ST_FATAL;
	return why ? TM_ST_END : TM_ST_OK;
}
