/* SPDX-License-Identifier: MIT
 * How many calls of a name took how long: kstats top --hist NAME.
 *
 * The edges are powers of two, and three more between each and the next: those that the counts of
 * struct tm_quantile have too, so that no call is in the wrong row however many there are. */
#include "metric/top.h"
#include "metric/top_again.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COL_FROM, COL_TO, COL_CALLS, COL_PCT, COL_CUM_PCT, COL_N };

const struct tm_column tm_top_hist_columns[] = {
	[COL_FROM] = { .name = "from_ns",
	               .title = "FROM",
	               .unit = TM_UNIT_NS,
	               .which = true,
	               .about = "calls of this duration or more" },
	[COL_TO] = { .name = "to_ns",
	             .title = "BELOW",
	             .unit = TM_UNIT_NS,
	             .which = true,
	             .about = "and less than this" },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = TM_UNIT_COUNT,
	                .about = "number of calls" },
	[COL_PCT] = { .name = "pct",
	              .title = "PCT",
	              .unit = TM_UNIT_PCT,
	              .bar = true,
	              .about = "share of the calls" },
	[COL_CUM_PCT] = { .name = "cum_pct",
	                  .title = "SUM",
	                  .unit = TM_UNIT_PCT,
	                  .about = "share of this row and those before" },
	[COL_N] = { .name = NULL },
};

/* Four to a power of two; below 4 ns each has its own. */
enum { PARTS = 4, BINS = 4 + 62 * PARTS };

static unsigned bin_of(uint64_t v)
{
	unsigned e;

	if (v < PARTS)
		return (unsigned)v;
	e = 63u - (unsigned)__builtin_clzll(v);
	return (e - 1) * PARTS + (unsigned)(v >> (e - 2) & (PARTS - 1));
}

/* The least value of a bin; UINT64_MAX after the last. */
static uint64_t edge_of(unsigned bin)
{
	unsigned e = bin / PARTS + 1;

	if (bin < PARTS)
		return bin;
	return bin >= BINS ? UINT64_MAX : (uint64_t)(PARTS + bin % PARTS) << (e - 2);
}

/* The least value of a bucket of tm_quantile_bucket. */
static uint64_t value_of(uint32_t bucket)
{
	const uint32_t steps = TM_QUANTILE_STEPS;

	return bucket < 2 * steps ? bucket
	                          : (uint64_t)(bucket % steps + steps) << (bucket / steps - 1);
}

static void add(const struct tm_quantile *q, uint64_t count[BINS])
{
	for (uint64_t i = 0; q->value && i < q->n; i++)
		count[bin_of(q->value[i])]++;
	for (uint32_t i = 0; !q->value && i < q->nbuckets; i++)
		count[bin_of(value_of(q->first + i))] += q->count[i];
}

void *tm_top_again_own(const char *name, size_t n)
{
	struct top_own *own = calloc(1, sizeof *own);

	if (own)
		*own = (struct top_own) { .hist = name, .again = n };
	return own;
}

/* Is the group one of those asked for? */
static bool is_asked(const struct tm_top *t, const uint64_t *key, const struct top_own *own)
{
	const struct tm_name *n = &t->names.v[(uint32_t)key[TOP_NAME]];

	if (own->again)
		return n->len == own->again && !memcmp(n->text, own->hist, n->len);
	return memmem(n->text, n->len, own->hist, strlen(own->hist)) != NULL;
}

static bool put_rows(struct tm_table *out, const uint64_t count[BINS], uint64_t all)
{
	unsigned first = 0, last = BINS;
	tm_u128 sum = 0;

	while (!count[first])
		first++;
	while (!count[last - 1])
		last--;
	for (unsigned i = first; i < last; i++) {
		struct tm_cell *c = tm_table_row(out);

		if (!c)
			return false;
		sum += count[i];
		c[COL_FROM] = tm_cell_u64(edge_of(i));
		c[COL_TO] = tm_cell_u64(edge_of(i + 1));
		c[COL_CALLS] = tm_cell_u64(count[i]);
		c[COL_PCT] = tm_cell_pct(count[i], all);
		c[COL_CUM_PCT] = tm_cell_pct(sum, all);
	}
	return true;
}

bool tm_top_hist_of(const struct tm_quantile *q, struct tm_table *out)
{
	uint64_t count[BINS] = { 0 };

	add(q, count);
	return !q->n || put_rows(out, count, q->n);
}

enum tm_status tm_top_hist_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *out,
                                struct tm_report *rep)
{
	const struct top_own *own = o->own;
	struct tm_top *t = acc;
	struct layer *l = &t->layer[0];
	uint64_t count[BINS] = { 0 }, all = 0, names = 0, unknown = 0;
	tm_u128 whole;

	tm_table_init_list(out, tm_top_hist_columns);
	if (!own->again && !tm_top_fold(t, &whole, rep))
		return TM_ST_FATAL;
	for (uint32_t i = 0; i < l->keys.n; i++) {
		const struct top_group *g = &l->g[i];

		if (!is_asked(t, l->keys.key + (size_t)i * TOP_WORDS, own))
			continue;
		names++;
		if (g->m.sealed || !g->q.n) {
			unknown++;
			continue;
		}
		add(&g->q, count);
		all += g->q.n;
	}
	if (!l->keys.n)
		tm_top_explain_nothing(t, o, rep);
	else if (!names)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: no name contains '%.200s'", own->hist);
	else if (!all)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: statistics do not record single durations");
	if (unknown && all)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64
		              " names are only in statistics files: skipped",
		              unknown, names);
	if (names > 1 && all)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "%" PRIu64 " rows of kstats top together",
		              names);
	if (!all)
		return TM_ST_END;
	return put_rows(out, count, all) ? TM_ST_OK : TM_ST_FATAL;
}
