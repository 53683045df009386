/* SPDX-License-Identifier: MIT
 * Over any number of measurements of GPU libraries: which library, version, device and solution
 * answers each problem fastest, and by how much. */
#include "libperf/lib_compare_sample.h"

#include <stdlib.h>
#include <string.h>

static const struct tm_column columns[] = {
	{ .name = "problem",
	  .title = "PROBLEM",
	  .about = "operation, types and sizes",
	  .unit = TM_UNIT_TEXT,
	  .naming = true },
	{ .name = "library", .title = "LIBRARY", .about = "fastest library", .unit = TM_UNIT_TEXT },
	{ .name = "winner",
	  .title = "WINNER",
	  .about = "fastest solution, and its file",
	  .unit = TM_UNIT_TEXT,
	  .elastic = true },
	{ .name = "us",
	  .title = "us",
	  .about = "microseconds per call, median of repeats",
	  .unit = TM_UNIT_RATIO },
	{ .name = "runner_up",
	  .title = "RUNNER-UP",
	  .about = "next best: library, solution and file",
	  .unit = TM_UNIT_TEXT,
	  .elastic = true },
	{ .name = "margin_pct",
	  .title = "MARGIN",
	  .about = "how much longer the runner-up takes",
	  .unit = TM_UNIT_PCT },
	{ .name = "files",
	  .title = "FILES",
	  .about = "files that measure the problem",
	  .unit = TM_UNIT_COUNT,
	  .spare = 2 },
	{ .name = "tie",
	  .title = "TIE",
	  .about = "tie if winner and runner-up differ by no more than noise",
	  .unit = TM_UNIT_TEXT },
	{ .name = "candidates",
	  .title = "CANDIDATES",
	  .about = "candidates measured (library, file and solution)",
	  .unit = TM_UNIT_COUNT,
	  .machine = true },
	{ .name = "config",
	  .title = "CONFIG",
	  .about = "configuration of the winner, as in its file",
	  .unit = TM_UNIT_TEXT,
	  .machine = true },
	{ 0 },
};

enum {
	C_PROBLEM,
	C_LIBRARY,
	C_WINNER,
	C_US,
	C_RUNNER_UP,
	C_MARGIN_PCT,
	C_FILES,
	C_TIE,
	C_CANDIDATES,
	C_CONFIG,
};

struct acc {
	struct tm_lib_samples all;
	size_t *last_key; /* of each text, as a source: number of the problem that counted it last
	                   */
};

/* What there is to say about all problems. */
struct totals {
	size_t problems, ties, alone, other;
	struct tm_lib_differences differ;
};

static bool best_init(void *acc, const void *o)
{
	((struct acc *)acc)->all.o = o;
	return true;
}

static enum tm_status best_take(void *acc, struct tm_source *s, size_t side, struct tm_report *rep,
                                struct tm_diag *d)
{
	struct acc *a = acc;

	return tm_lib_rows_take(&a->all.rows, s, side, a->all.o->metric, rep, d);
}

/* The candidates of a problem, the two best of them. */
struct race {
	struct tm_lib_estimate first, second; /* n 0 = there is none */
	size_t candidates, files, other;
};

/* Before any other: a time if there is one, then what is faster. */
static bool beats(const struct tm_lib_estimate *x, const struct tm_lib_estimate *y)
{
	if (!y->n)
		return true;
	if (x->of->has_us != y->of->has_us)
		return x->of->has_us;
	return tm_lib_same_measure(x->of, y->of) && x->cost < y->cost;
}

/* Run samples [from, *to) of one problem against each other. */
static struct race run_race(struct acc *a, size_t from, size_t *to, size_t number)
{
	struct tm_lib_samples *all = &a->all;
	const struct tm_lib_sample *v = all->v;
	struct race r = { 0 };
	size_t i = from, next;

	for (; i < all->n && v[i].key == v[from].key; i = next) {
		struct tm_lib_estimate e;

		if (a->last_key[v[i].source] != number) {
			a->last_key[v[i].source] = number;
			r.files++;
		}
		for (next = i + 1; next < all->n && v[next].key == v[i].key &&
		                   v[next].library == v[i].library &&
		                   v[next].source == v[i].source && v[next].choice == v[i].choice;)
			next++;
		e = tm_lib_estimate_of(all, i, next);
		r.candidates++;
		if (beats(&e, &r.first)) {
			r.second = r.first;
			r.first = e;
		} else if (beats(&e, &r.second)) {
			r.second = e;
		}
	}
	*to = i;
	if (r.second.n && !tm_lib_same_measure(r.first.of, r.second.of)) {
		r.second = (struct tm_lib_estimate) { 0 };
		r.other = 1;
	}
	return r;
}

/* "hipblaslt #293437 (winner.txt)": the number first, as long names are cut in their middle. */
static struct tm_cell label(const struct acc *a, const struct tm_lib_sample *s, uint32_t whose,
                            struct tm_table *t, struct tm_buf *text)
{
	static const char number[] = "solution_index=";
	const char *library = tm_lib_text(&a->all, whose),
	           *choice = tm_lib_text(&a->all, s->choice);
	bool short_form = !strncmp(choice, number, sizeof number - 1);

	tm_buf_clear(text);
	tm_buf_fmt(text, "%s%s%s%s%s(%s)", library, *library ? " " : "", short_form ? "#" : "",
	           short_form ? choice + sizeof number - 1 : choice, *choice ? " " : "",
	           tm_lib_text(&a->all, s->source));
	return text->failed ? tm_cell_none() : tm_table_own(t, text->p, text->n);
}

static struct tm_cell text_cell(const struct acc *a, uint32_t id)
{
	const char *s = tm_lib_text(&a->all, id);

	return *s ? tm_cell_text(s, strlen(s)) : tm_cell_none();
}

static bool put_race(struct acc *a, const struct race *r, struct tm_table *t, struct tm_buf *text,
                     struct totals *sum)
{
	struct tm_cell *cell = tm_table_row(t);
	const struct tm_lib_sample *s = r->first.of;
	struct tm_lib_verdict v;

	if (!cell)
		return false;
	sum->problems++;
	sum->other += r->other;
	cell[C_PROBLEM] = text_cell(a, s->key);
	cell[C_LIBRARY] = text_cell(a, s->library);
	cell[C_WINNER] = label(a, s, TM_NAME_NONE, t, text);
	if (s->has_us)
		cell[C_US] = tm_cell_real4(r->first.cost);
	cell[C_FILES] = tm_cell_u64(r->files);
	cell[C_CANDIDATES] = tm_cell_u64(r->candidates);
	cell[C_CONFIG] = text_cell(a, s->config);
	if (r->second.n) {
		cell[C_RUNNER_UP] = label(a, r->second.of, r->second.of->library, t, text);
		cell[C_MARGIN_PCT] = tm_cell_real4(100 * (r->second.cost / r->first.cost - 1));
		tm_lib_differences_add(&sum->differ, s, r->second.of);
		if (!tm_lib_judge(&a->all, &r->first, &r->second, &v))
			return false;
		if (!v.apart) {
			cell[C_TIE] = tm_cell_text("tie", 3);
			sum->ties++;
		}
	} else {
		sum->alone++;
	}
	return !text->failed && !t->failed;
}

static enum tm_status best_fill(void *acc, struct tm_table *t, struct tm_report *rep)
{
	static const size_t by[] = { C_US, C_PROBLEM };
	struct acc *a = acc;
	struct totals sum = { 0 };
	struct tm_buf text = { 0 };
	size_t end;
	bool ok = tm_lib_samples_make(&a->all, rep);

	tm_table_init_list(t, columns);
	a->last_key = ok ? calloc(a->all.rows.texts.n + 1u, sizeof *a->last_key) : NULL;
	ok = a->last_key;
	if (ok)
		tm_lib_samples_sort(&a->all, true);
	for (size_t i = 0; ok && i < a->all.n; i = end) {
		struct race r = run_race(a, i, &end, sum.problems + 1);

		ok = put_race(a, &r, t, &text, &sum);
	}
	tm_buf_fini(&text);
	if (!ok || !tm_table_sort(t, by, sizeof by / sizeof *by))
		return TM_ST_FATAL;
	if (!sum.problems) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "no measurement to choose from");
		return TM_ST_END;
	}
	tm_lib_measures_tell(&a->all, rep);
	tm_lib_differences_tell(&sum.differ, &a->all, false, rep);
	tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
	              "%zu problem%s: %zu with a winner, %zu tie%s within noise, %zu with one "
	              "candidate",
	              sum.problems, sum.problems == 1 ? "" : "s",
	              sum.problems - sum.ties - sum.alone, sum.ties, sum.ties == 1 ? "" : "s",
	              sum.alone);
	if (sum.other)
		tm_report_add(
		        rep, TM_SEV_WARN, NULL, 0,
		        "%zu problem%s measured in units that cannot be compared: using the first",
		        sum.other, sum.other == 1 ? "" : "s");
	return TM_ST_OK;
}

static void best_fini(void *acc)
{
	struct acc *a = acc;

	tm_lib_samples_fini(&a->all);
	free(a->last_key);
}

const struct tm_question tm_lib_best = {
	.name = "best",
	.about = "fastest library and solution for each problem, over many measurements",
	.columns = columns,
	.tables = true,
	.size = sizeof(struct acc),
	.init = best_init,
	.take = best_take,
	.fill = best_fill,
	.fini = best_fini,
};
