/* SPDX-License-Identifier: MIT
 * How much of the time goes into matrix multiplication?
 *
 * Four answers, because people mean different things by the question: dense multiplication alone,
 * with that of mixtures of experts, with convolution and attention (which are matrix multiplication
 * inside); and the time of kernels that no rule knows, by which any of them may be wrong. */
#include "metric/priv_shares.h"

#include <stdlib.h>
#include <string.h>

enum { COL_SHARE, COL_TOTAL, COL_KERNEL_PCT, COL_BUSY_PCT, COL_WINDOW_PCT, COL_N };

static const struct column columns[] = {
	[COL_SHARE] = { .name = "share",
	                .title = "SHARE",
	                .unit = UNIT_TEXT,
	                .about = "gemm, gemm+moe, matrix, unclassified" },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = UNIT_NS,
	                .about = "sum of the durations of these kernels" },
	[COL_KERNEL_PCT] = { .name = "kernel_pct",
	                     .title = "KERNEL%",
	                     .unit = UNIT_PCT,
	                     .bar = true,
	                     .about = "share of the sum of all kernel durations" },
	[COL_BUSY_PCT] = { .name = "busy_pct",
	                   .title = "BUSY%",
	                   .unit = UNIT_PCT,
	                   .about = "share of the time in which anything ran" },
	[COL_WINDOW_PCT] = { .name = "window_pct",
	                     .title = "WINDOW%",
	                     .unit = UNIT_PCT,
	                     .about = "share of the window" },
	[COL_N] = { .name = NULL },
};

const char *const gemm_row_names[GEMM_ROWS] = { "gemm", "gemm+moe", "matrix", "unclassified" };

/* A class belongs to the row `first` and to those after it, but for the last. */
static const struct {
	const char *class;
	int first;
} members[] = {
	{ "gemm", GEMM_DENSE },  { "gemv", GEMM_DENSE },       { "moe_gemm", GEMM_MOE },
	{ "conv", GEMM_MATRIX }, { "attention", GEMM_MATRIX }, { CLASS_UNKNOWN, GEMM_UNCLASSIFIED },
};

bool gemm_counts(const char *class, int row)
{
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (!strcmp(members[i].class, class))
			return members[i].first == row ||
			       (members[i].first < row && row < GEMM_UNCLASSIFIED);
	return false;
}

u128 gemm_total(const struct share_sum *s, int row)
{
	u128 total = 0;

	for (size_t i = 0; i < s->n; i++)
		if (gemm_counts(s->name[i].class, row))
			total += s->name[i].total;
	return total;
}

static bool fill_row(const struct shares *a, const struct share_sum *s, int row, struct table *t)
{
	struct cell *c = table_row(t);
	bool *chosen = calloc(s->n + 1, sizeof *chosen);
	u128 total = gemm_total(s, row), covered = 0;
	bool ok = c && chosen;

	for (size_t i = 0; ok && i < s->n; i++)
		chosen[i] = gemm_counts(s->name[i].class, row);
	ok = ok && shares_covered(a, s, chosen, &covered);
	free(chosen);
	if (!ok)
		return false;
	c[COL_SHARE] = cell_text(gemm_row_names[row], strlen(gemm_row_names[row]));
	c[COL_TOTAL] = total >> 64 ? cell_none() : cell_u64((uint64_t)total);
	c[COL_KERNEL_PCT] = work_pct(total, s->total);
	if (s->unions) {
		c[COL_BUSY_PCT] = work_pct(covered, s->busy);
		c[COL_WINDOW_PCT] = work_pct(covered, s->window);
	}
	return true;
}

static bool init(void *acc, const void *arg)
{
	return shares_init(acc, arg, WORK_OP_NAMES);
}

static uint64_t want(const struct metric_opts *o)
{
	return shares_want(o, WORK_OP_NAMES);
}

static enum status fill(void *acc, const struct metric_opts *o, struct table *t, struct report *rep)
{
	struct shares *a = acc;
	struct share_sum s;
	enum status st;

	table_init_list(t, columns);
	st = shares_sum(a, o, &s, rep);
	for (int row = 0; st == ST_OK && row < GEMM_ROWS; row++)
		if (!fill_row(a, &s, row, t))
			st = ST_FATAL;
	if (st == ST_OK)
		shares_tell(a, &s, o, rep);
	free(s.name);
	return st;
}

static const struct metric_view views[] = { { .columns = columns }, { 0 } };
static const char *const options[] = { "max-unclassified", NULL };

const struct metric metric_gemm = {
	.name = "gemm",
	.about = "how much of it was matrix multiplication, and how much is unknown",
	.views = views,
	.options = options,
	.sink = { .size = sizeof(struct shares),
	          .init = init,
	          .piece = shares_piece,
	          .take = shares_take,
	          .merge = shares_merge,
	          .fini = shares_fini },
	.want = want,
	.fill = fill,
};
