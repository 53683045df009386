/* SPDX-License-Identifier: MIT
 * How much of the time goes into matrix multiplication?
 *
 * Four answers, because people mean different things by the question: dense multiplication alone,
 * with that of mixtures of experts, with convolution and attention (which are matrix multiplication
 * inside); and the time of kernels that no rule knows, by which any of them may be wrong.  Of some
 * a rule says that it is not sure: they make each answer a range. */
#include "metric/gemm_tiles.h"
#include "metric/shares.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_SHARE,
	COL_TOTAL,
	COL_KERNEL_PCT,
	COL_BUSY_PCT,
	COL_WINDOW_PCT,
	COL_LOW_PCT,
	COL_HIGH_PCT,
	COL_N,
};

static const struct tm_column columns[] = {
	[COL_SHARE] = { .name = "share",
	                .title = "SHARE",
	                .unit = TM_UNIT_TEXT,
	                .about = "gemm, gemm+moe, matrix, unclassified" },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = TM_UNIT_NS,
	                .about = "total duration of these kernels" },
	[COL_KERNEL_PCT] = { .name = "kernel_pct",
	                     .title = "KERNEL%",
	                     .unit = TM_UNIT_PCT,
	                     .bar = true,
	                     .about = "share of the sum of all kernel durations" },
	[COL_BUSY_PCT] = { .name = "busy_pct",
	                   .title = "BUSY%",
	                   .unit = TM_UNIT_PCT,
	                   .about = "share of GPU busy time" },
	[COL_WINDOW_PCT] = { .name = "window_pct",
	                     .title = "WINDOW%",
	                     .unit = TM_UNIT_PCT,
	                     .about = "share of the window" },
	[COL_LOW_PCT] = { .name = "low_pct",
	                  .title = "LOW%",
	                  .unit = TM_UNIT_PCT,
	                  .about = "KERNEL% without its suspects" },
	[COL_HIGH_PCT] = { .name = "high_pct",
	                   .title = "HIGH%",
	                   .unit = TM_UNIT_PCT,
	                   .about = "KERNEL% plus the other suspects" },
	[COL_N] = { .name = NULL },
};

enum { SUS_NAME, SUS_CLASS, SUS_CALLS, SUS_TOTAL, SUS_KERNEL_PCT, SUS_REASON, SUS_N };

static const struct tm_column suspects[] = {
	[SUS_NAME] = { .name = "name",
	               .title = "NAME",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true,
	               .about = "kernel that may be matrix work" },
	[SUS_CLASS] = { .name = "class",
	                .title = "CLASS",
	                .unit = TM_UNIT_TEXT,
	                .about = "class it counts as" },
	[SUS_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = TM_UNIT_COUNT,
	                .about = "dispatches" },
	[SUS_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = TM_UNIT_NS,
	                .about = "total duration" },
	[SUS_KERNEL_PCT] = { .name = "kernel_pct",
	                     .title = "KERNEL%",
	                     .unit = TM_UNIT_PCT,
	                     .bar = true,
	                     .about = "share of the sum of all kernel durations" },
	[SUS_REASON] = { .name = "reason",
	                 .title = "REASON",
	                 .unit = TM_UNIT_TEXT,
	                 .elastic = true,
	                 .prose = true,
	                 .about = "why it is uncertain" },
	[SUS_N] = { .name = NULL },
};

const char *const tm_gemm_row_names[GEMM_ROWS] = { "gemm", "gemm+moe", "matrix", "unclassified" };

/* A class belongs to the row `first` and to those after it, but for the last. */
static const struct {
	const char *class_name;
	int first;
} members[] = {
	{ "gemm", GEMM_DENSE },       { "gemv", GEMM_DENSE },
	{ "moe_gemm", GEMM_MOE },     { "conv", GEMM_MATRIX },
	{ "attention", GEMM_MATRIX }, { TM_CLASS_UNKNOWN, GEMM_UNCLASSIFIED },
};

bool tm_gemm_counts(const char *class_name, int row)
{
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (!strcmp(members[i].class_name, class_name))
			return members[i].first == row ||
			       (members[i].first < row && row < GEMM_UNCLASSIFIED);
	return false;
}

tm_u128 tm_gemm_total(const struct share_sum *s, int row)
{
	tm_u128 total = 0;

	for (size_t i = 0; i < s->n; i++)
		if (tm_gemm_counts(s->name[i].class_name, row))
			total += s->name[i].total;
	return total;
}

/* Would the doubt, were it right, change that row? */
static bool in_doubt(const struct share_name *n, int row)
{
	bool own = tm_gemm_counts(n->class_name, row);

	return n->doubt &&
	       (strcmp(n->doubt, n->class_name) ? tm_gemm_counts(n->doubt, row) > own : own);
}

struct gemm_range tm_gemm_range(const struct share_sum *s, int row)
{
	tm_u128 total = tm_gemm_total(s, row);
	struct gemm_range r = { total, total, s->total };

	for (size_t i = 0; i < s->n; i++) {
		const struct share_name *n = &s->name[i];
		bool own = tm_gemm_counts(n->class_name, row), doubt = in_doubt(n, row);

		if (doubt && own)
			r.low -= n->total;
		else if (doubt)
			r.high += n->total;
		/* What has no class may be anything. */
		if (!own && !doubt && !tm_gemm_counts(n->class_name, GEMM_UNCLASSIFIED))
			r.most -= n->total;
	}
	return r;
}

const char tm_gemm_why_open[] = "the class of some kernels is unknown or in doubt";

static bool is_suspect(const struct share_name *n)
{
	bool found = false;

	for (int row = 0; row < GEMM_UNCLASSIFIED; row++)
		found |= in_doubt(n, row);
	return found && !n->before;
}

/* covered: by the kernels of the row, of ranks that have events. */
static bool fill_row(const struct share_sum *s, int row, tm_u128 covered, struct tm_state *state,
                     struct tm_table *t)
{
	struct tm_cell *c = tm_table_row(t);
	const struct gemm_range r = tm_gemm_range(s, row);
	tm_u128 total = tm_gemm_total(s, row);

	covered = tm_state_sum(state, covered);
	if (!c)
		return false;
	c[COL_SHARE] = tm_cell_text(tm_gemm_row_names[row], strlen(tm_gemm_row_names[row]));
	c[COL_TOTAL] = total >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)total);
	c[COL_KERNEL_PCT] = tm_work_pct(total, s->total);
	if (r.low != r.most &&
	    !tm_table_between(t, &c[COL_KERNEL_PCT],
	                      &(struct tm_table_ends) { tm_work_pct(r.low, s->total),
	                                                tm_work_pct(r.most, s->total),
	                                                tm_gemm_why_open }))
		return false;
	if (s->unions) {
		c[COL_BUSY_PCT] = tm_work_pct(covered, s->busy);
		c[COL_WINDOW_PCT] = tm_work_pct(covered, s->window);
	}
	if (row != GEMM_UNCLASSIFIED) {
		c[COL_LOW_PCT] = tm_work_pct(r.low, s->total);
		c[COL_HIGH_PCT] = tm_work_pct(r.high, s->total);
	}
	return true;
}

static bool fill_suspects(const struct share_sum *s, struct tm_table *t)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct share_name *n = &s->name[i];
		struct tm_cell *c;

		if (!is_suspect(n))
			continue;
		c = tm_table_row(t);
		if (!c)
			return false;
		c[SUS_NAME] = tm_cell_text(n->text.text, n->text.len);
		c[SUS_CLASS] = tm_cell_text(n->class_name, strlen(n->class_name));
		c[SUS_CALLS] = tm_cell_u64(n->calls);
		c[SUS_TOTAL] = n->total >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)n->total);
		c[SUS_KERNEL_PCT] = tm_work_pct(n->total, s->total);
		c[SUS_REASON] = tm_cell_text(n->reason, strlen(n->reason));
	}
	return true;
}

void tm_gemm_tell_suspects(const struct share_sum *s, struct tm_report *rep)
{
	tm_u128 total = 0;
	size_t n = 0;
	uint64_t hundredths;
	struct tm_cell pct;

	for (size_t i = 0; i < s->n; i++)
		if (is_suspect(&s->name[i])) {
			total += s->name[i].total;
			n++;
		}
	pct = tm_work_pct(total, s->total);
	hundredths = (pct.v.u + 50) / 100;
	/* Not of what no share shows. */
	if (n && pct.type == TM_CELL_FIXED && pct.v.u >= 100)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "%zu kernel%s, %" PRIu64
		        ".%02u %% of the kernel time, may or may not be matrix work, judging by "
		        "the name; kstats gemm shows the range, kstats gemm --suspects lists %s",
		        n, n == 1 ? "" : "s", hundredths / 100, (unsigned)(hundredths % 100),
		        n == 1 ? "it" : "them");
}

static bool init(void *acc, const void *arg)
{
	return tm_shares_init(acc, arg, TM_WORK_OP_NAMES);
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	return tm_shares_want(o, TM_WORK_OP_NAMES);
}

/* What the kernels of each row cover, one pass for all. */
static bool cover_rows(const struct shares *a, const struct share_sum *s, tm_u128 *covered)
{
	uint32_t *set = malloc((s->n + 1) * GEMM_ROWS * sizeof *set), *at = set;
	bool ok;

	for (size_t i = 0; set && i < s->n; i++, at += GEMM_ROWS) {
		size_t n = 0;

		for (uint32_t row = 0; row < GEMM_ROWS; row++)
			if (tm_gemm_counts(s->name[i].class_name, (int)row))
				at[n++] = row;
		if (n < GEMM_ROWS)
			at[n] = SHARE_NONE;
	}
	ok = set && tm_shares_covered(a, s, set, GEMM_ROWS, GEMM_ROWS, covered);
	free(set);
	return ok;
}

/* The four shares. */
static bool fill_shares(const struct shares *a, const struct share_sum *s, struct tm_state *state,
                        struct tm_table *t)
{
	tm_u128 covered[GEMM_ROWS];

	if (!cover_rows(a, s, covered))
		return false;
	for (int row = 0; row < GEMM_ROWS; row++)
		if (!fill_row(s, row, covered[row], state, t))
			return false;
	return true;
}

/* A view, made of the sums alone but for the shares. */
static bool fill_view(const struct shares *a, const struct share_sum *s,
                      const struct tm_metric_opts *o, struct tm_table *t)
{
	const char *view = o->view;

	return !view                    ? fill_shares(a, s, o->state, t)
	       : !strcmp(view, "tiles") ? tm_gemm_tiles_rows(s, t)
	       : !strcmp(view, "types") ? tm_gemm_types_rows(s, t)
	                                : fill_suspects(s, t);
}

extern const struct tm_metric tm_metric_gemm;

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct shares *a = acc;
	struct share_sum s;
	enum tm_status st;

	tm_table_init_list(t, tm_metric_view(&tm_metric_gemm, o)->columns);
	st = tm_shares_sum(a, o, &s, rep);
	/* Of a rank without kernels no row covers anything. */
	for (int row = 0; st == TM_ST_END && row < GEMM_ROWS; row++)
		tm_state_sum(o->state, 0);
	if (st == TM_ST_OK && (!tm_shares_doubts(&s, o) || !fill_view(a, &s, o, t)))
		st = TM_ST_FATAL;
	if (st == TM_ST_OK) {
		tm_shares_tell(a, &s, o, rep);
		if (!o->view)
			tm_gemm_tell_suspects(&s, rep);
		else if (!t->nrows)
			tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
			              strcmp(o->view, "suspects") ? "no kernel is matrix work"
			                                          : "no kernel is in doubt");
	}
	free(s.name);
	return st;
}

static const struct tm_metric_view views[] = {
	{ .columns = columns, .window = TM_WINDOW_SOME },
	{ .option = "suspects",
	  .about = "list only kernels that may be matrix work, by time",
	  .columns = suspects,
	  .sums = true },
	{ .option = "tiles",
	  .about = "list matrix kernels with the tile, type, instruction, split-K and stream-K in "
	           "their names",
	  .columns = tm_gemm_tiles_columns,
	  .sums = true },
	{ .option = "types",
	  .about = "matrix time by input type and instruction",
	  .columns = tm_gemm_types_columns,
	  .sums = true,
	  .whole = true },
	{ 0 },
};

const struct tm_metric tm_metric_gemm = {
	.name = "gemm",
	.about = "share of matrix multiplication (for GEMM shapes: libperf top)",
	.group = "Where does the time go?",
	.examples = "kstats gemm run_kernel_trace.csv\n"
	            "kstats gemm --suspects run_kernel_trace.csv\n",
	.views = views,
	.options = tm_shares_options,
	.own = sizeof(struct shares_own),
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
