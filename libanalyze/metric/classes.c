/* SPDX-License-Identifier: MIT
 * What kinds of work did the kernels do?
 *
 * Shares of the sum of kernel durations, of the time in which anything ran, and of the window; the
 * last two from unions, so that kernels side by side do not count twice.  Blind to names: a kernel
 * whose name no rule knows is `other`. */
#include "metric/shares.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_CLASS,
	COL_KERNELS,
	COL_CALLS,
	COL_TOTAL,
	COL_KERNEL_PCT,
	COL_BUSY_PCT,
	COL_WINDOW_PCT,
	COL_NAME,
	COL_RULE,
	COL_N,
};

#define CLASS_COLUMNS                                                                              \
	[COL_CLASS] = { .name = "class",                                                           \
		        .title = "CLASS",                                                          \
		        .unit = TM_UNIT_TEXT,                                                      \
		        .about = "class of the kernels; " TM_CLASS_UNKNOWN                         \
		                 " = no rule knows them" },                                        \
	[COL_KERNELS] = { .name = "kernels",                                                       \
		          .title = "KERNELS",                                                      \
		          .unit = TM_UNIT_COUNT,                                                   \
		          .about = "distinct names" },                                             \
	[COL_CALLS] = { .name = "calls",                                                           \
		        .title = "CALLS",                                                          \
		        .unit = TM_UNIT_COUNT,                                                     \
		        .about = "dispatches" },                                                   \
	[COL_TOTAL] = { .name = "total_ns",                                                        \
		        .title = "TOTAL",                                                          \
		        .unit = TM_UNIT_NS,                                                        \
		        .about = "total duration" },                                               \
	[COL_KERNEL_PCT] = { .name = "kernel_pct",                                                 \
		             .title = "KERNEL%",                                                   \
		             .unit = TM_UNIT_PCT,                                                  \
		             .bar = true,                                                          \
		             .about = "share of the sum of all kernel durations" },                \
	[COL_BUSY_PCT] = { .name = "busy_pct",                                                     \
		           .title = "BUSY%",                                                       \
		           .unit = TM_UNIT_PCT,                                                    \
		           .about = "share of GPU busy time",                                      \
		           .spare = 1 },                                                           \
	[COL_WINDOW_PCT] = { .name = "window_pct",                                                 \
		             .title = "WINDOW%",                                                   \
		             .unit = TM_UNIT_PCT,                                                  \
		             .about = "share of the window",                                       \
		             .spare = 1 }

static const struct tm_column columns[] = { CLASS_COLUMNS, { .name = NULL } };

static const struct tm_column explained[] = {
	CLASS_COLUMNS,
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true,
	               .about = "kernel" },
	[COL_RULE] = { .name = "rule",
	               .title = "RULE",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true,
	               .about = "the regular expression that matched first" },
	[COL_N] = { .name = NULL },
};

enum { UN_NAME, UN_CALLS, UN_TOTAL, UN_KERNEL_PCT, UN_N };

static const struct tm_column unclassified[] = {
	[UN_NAME] = { .name = "name",
	              .title = "NAME",
	              .unit = TM_UNIT_TEXT,
	              .elastic = true,
	              .about = "kernel that matches no rule" },
	[UN_CALLS] = { .name = "calls",
	               .title = "CALLS",
	               .unit = TM_UNIT_COUNT,
	               .about = "dispatches" },
	[UN_TOTAL] = { .name = "total_ns",
	               .title = "TOTAL",
	               .unit = TM_UNIT_NS,
	               .about = "total duration" },
	[UN_KERNEL_PCT] = { .name = "kernel_pct",
	                    .title = "KERNEL%",
	                    .unit = TM_UNIT_PCT,
	                    .bar = true,
	                    .about = "share of the sum of all kernel durations" },
	[UN_N] = { .name = NULL },
};

/* ---- a row a class ---- */

struct class_row {
	const char *class_name;
	uint64_t kernels, calls;
	tm_u128 total, covered;
};

static int by_total(const void *pa, const void *pb)
{
	const struct class_row *a = pa, *b = pb;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return strcmp(a->class_name, b->class_name);
}

static struct tm_cell sum_cell(tm_u128 total)
{
	return total >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)total);
}

static void fill_cells(struct tm_cell *c, const struct share_sum *s, const struct class_row *r)
{
	c[COL_CLASS] = tm_cell_text(r->class_name, strlen(r->class_name));
	c[COL_KERNELS] = tm_cell_u64(r->kernels);
	c[COL_CALLS] = tm_cell_u64(r->calls);
	c[COL_TOTAL] = sum_cell(r->total);
	c[COL_KERNEL_PCT] = tm_work_pct(r->total, s->total);
	if (!s->unions)
		return;
	c[COL_BUSY_PCT] = tm_work_pct(r->covered, s->busy);
	c[COL_WINDOW_PCT] = tm_work_pct(r->covered, s->window);
}

/* What classes cover on ranks whose events are not here. */
struct covered {
	const struct tm_names *classes;
	tm_u128 *of; /* each of them */
};

static bool add_kept(void *arg, uint64_t rank, const struct tm_state_item *it)
{
	const struct covered *c = arg;
	uint32_t i = tm_names_find(c->classes, it->text, it->len);

	(void)rank;
	if (i != TM_NAME_NONE)
		c->of[i] += (tm_u128)it->v[1] << 64 | it->v[0];
	return true;
}

static bool share_covered(const struct covered *c, struct tm_state *s)
{
	for (uint32_t i = 0; i < c->classes->n; i++) {
		const struct tm_state_item it = { .text = c->classes->v[i].text,
			                          .len = c->classes->v[i].len,
			                          .v = { (uint64_t)c->of[i],
			                                 (uint64_t)(c->of[i] >> 64) },
			                          .nv = 2 };

		tm_state_put(s, &it);
	}
	return tm_state_each(s, 2, add_kept, (void *)(uintptr_t)c);
}

/* The classes there are, added up; *n of them. */
static struct class_row *add_up(const struct shares *a, const struct share_sum *s,
                                struct tm_state *state, size_t *n)
{
	struct class_row *row = calloc(s->n + 1, sizeof *row);
	uint32_t *set = calloc(s->n + 1, sizeof *set);
	struct tm_names classes = { 0 };
	tm_u128 *covered = NULL;
	bool ok = row && set;

	for (size_t i = 0; ok && i < s->n; i++) {
		const struct share_name *k = &s->name[i];
		uint32_t r = set[i] = tm_names_add(&classes, k->class_name, strlen(k->class_name));

		ok = r != TM_NAME_NONE;
		if (!ok)
			break;
		row[r].class_name = k->class_name;
		row[r].kernels += !k->before;
		row[r].calls += k->calls;
		row[r].total += k->total;
	}
	*n = classes.n;
	if (ok)
		covered = calloc(*n + 1, sizeof *covered);
	ok = covered && tm_shares_covered(a, s, set, 1, *n, covered) &&
	     share_covered(&(struct covered) { &classes, covered }, state);
	for (size_t i = 0; ok && i < *n; i++)
		row[i].covered = covered[i];
	free(covered);
	free(set);
	tm_names_fini(&classes);
	if (!ok) {
		free(row);
		return NULL;
	}
	qsort(row, *n, sizeof *row, by_total);
	return row;
}

static bool fill_classes(const struct shares *a, const struct share_sum *s, struct tm_state *state,
                         struct tm_table *t)
{
	size_t n;
	struct class_row *row = add_up(a, s, state, &n);
	bool ok = row != NULL;

	for (size_t i = 0; ok && i < n; i++) {
		struct tm_cell *c = tm_table_row(t);

		ok = c != NULL;
		if (ok)
			fill_cells(c, s, &row[i]);
	}
	free(row);
	return ok;
}

/* ---- a row a kernel ---- */

static bool fill_explained(const struct shares *a, struct share_sum *s, struct tm_table *t)
{
	if (!tm_shares_cover_names(a, s))
		return false;
	for (size_t i = 0; i < s->n; i++) {
		const struct share_name *n = &s->name[i];
		const struct class_row r = { .class_name = n->class_name,
			                     .kernels = !n->before,
			                     .calls = n->calls,
			                     .total = n->total,
			                     .covered = n->covered };
		struct tm_cell *c = tm_table_row(t);

		if (!c)
			return false;
		fill_cells(c, s, &r);
		c[COL_NAME] = tm_cell_text(n->text.text, n->text.len);
		if (n->rule)
			c[COL_RULE] = tm_cell_text(n->rule, strlen(n->rule));
	}
	return true;
}

static bool fill_unclassified(const struct share_sum *s, struct tm_table *t)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct share_name *n = &s->name[i];
		struct tm_cell *c;

		if (n->before || strcmp(n->class_name, TM_CLASS_UNKNOWN) != 0)
			continue;
		c = tm_table_row(t);
		if (!c)
			return false;
		c[UN_NAME] = tm_cell_text(n->text.text, n->text.len);
		c[UN_CALLS] = tm_cell_u64(n->calls);
		c[UN_TOTAL] = sum_cell(n->total);
		c[UN_KERNEL_PCT] = tm_work_pct(n->total, s->total);
	}
	return true;
}

static bool init(void *acc, const void *arg)
{
	return tm_shares_init(acc, arg, TM_WORK_OP_NAMES);
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	return tm_shares_want(o, TM_WORK_OP_NAMES);
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	bool explain = o->view && !strcmp(o->view, "explain"),
	     unknown = o->view && !strcmp(o->view, "unclassified");
	struct shares *a = acc;
	struct share_sum s;
	enum tm_status st;
	bool ok;

	tm_table_init_list(t, explain ? explained : unknown ? unclassified : columns);
	st = tm_shares_sum(a, o, &s, rep);
	if (st == TM_ST_OK) {
		ok = explain   ? fill_explained(a, &s, t)
		     : unknown ? fill_unclassified(&s, t)
		               : fill_classes(a, &s, o->state, t);
		st = ok ? TM_ST_OK : TM_ST_FATAL;
		tm_shares_tell(a, &s, o, rep);
		if (unknown && !t->nrows)
			tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "every kernel%s has a class",
			              o->windowed ? " that starts inside the window" : "");
	}
	free(s.name);
	return st;
}

static const struct tm_metric_view views[] = {
	{ .columns = columns },
	{ .option = "explain",
	  .about = "one row per kernel, with the rule that classified it",
	  .columns = explained },
	{ .option = "unclassified",
	  .about = "list only kernels that match no rule, by time",
	  .columns = unclassified,
	  .sums = true },
	{ 0 },
};

const struct tm_metric tm_metric_classes = {
	.name = "classes",
	.about = "kernel time by kernel class",
	.group = "Where does the time go?",
	.examples = "kstats classes run_kernel_trace.csv\n"
	            "kstats classes --unclassified run_kernel_trace.csv\n",
	.views = views,
	.options = tm_shares_options,
	.own = sizeof(struct shares_own),
	.window = TM_WINDOW_SOME,
	.state = 1,
	.state_sums = true,
	.sink = { .size = sizeof(struct shares),
	          .init = init,
	          .piece = tm_shares_piece,
	          .take = tm_shares_take,
	          .merge = tm_shares_merge,
	          .fini = tm_shares_fini },
	.work = tm_shares_work,
	.sums = tm_shares_top,
	.whole = TM_WHOLE_AGENTS,
	.want = want,
	.fill = fill,
};
