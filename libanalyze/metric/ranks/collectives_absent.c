/* SPDX-License-Identifier: MIT
 * Ranks without a trace: kstats collectives --absent.  If communicators say how many ranks they
 * have, there are some if one has more than traces; then ranks are numbered from 0.  If none says
 * that, numbers between those of two others are taken for ranks. */
#include "base/base.h"
#include "metric/ranks/collectives_parts.h"
#include "metric/ranks/comm_match.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ABSENT_RANKS, ABSENT_COUNT, ABSENT_N };

const struct tm_column tm_collective_absent_columns[] = {
	[ABSENT_RANKS] = { .name = "absent",
	                   .title = "ABSENT",
	                   .about = "numbers of the ranks without a trace",
	                   .unit = TM_UNIT_TEXT,
	                   .elastic = true },
	[ABSENT_COUNT] = { .name = "count",
	                   .title = "COUNT",
	                   .about = "how many",
	                   .unit = TM_UNIT_COUNT },
	[ABSENT_N] = { 0 },
};

/* What communicators say: the most ranks that one has, 0 = nothing; and whether one lacks any. */
static uint64_t told_ranks(const struct sums *s, const struct tm_work *w, bool *lacking)
{
	uint64_t most = 0;

	*lacking = false;
	for (uint32_t i = 0; i < s->keys.n; i++) {
		const struct sum *sum = &s->v[i];

		if (sum->pair)
			continue;
		most = sum->comm_ranks > most ? sum->comm_ranks : most;
		*lacking |= sum->comm_ranks > sum->members;
	}
	/* They count GPUs: the ranks of a communicator are no processes. */
	for (size_t i = 1; i < w->ntrack; i++)
		*lacking &= w->track[i].rank != w->track[i - 1].rank;
	return most;
}

/* The numbers from `from` up to `to`, if there are any: the first few of them as text, as one name
 * of a row. */
static void add_range(struct tm_buf *b, uint64_t from, uint64_t to, uint64_t *count)
{
	enum { FEW = 60 };

	if (from >= to)
		return;
	*count += to - from;
	if (b->n >= FEW)
		return;
	tm_buf_fmt(b, "%s%" PRIu64, b->n ? " " : "", from);
	if (to - from > 1)
		tm_buf_fmt(b, "-%" PRIu64, to - 1);
	if (b->n >= FEW)
		tm_buf_str(b, " ...");
}

bool tm_collectives_put_absent(const struct sums *s, const struct tm_work *w, struct tm_table *t)
{
	bool lacking;
	const uint64_t told = told_ranks(s, w, &lacking);
	uint64_t next = w->ntrack && !lacking ? w->track[0].rank : 0, count = 0;
	struct tm_buf b = { 0 };
	struct tm_cell *c = NULL;

	for (size_t i = 0; i < w->ntrack; i++) {
		add_range(&b, next, w->track[i].rank, &count);
		next = w->track[i].rank + 1;
	}
	add_range(&b, next, lacking ? told : 0, &count);
	if (count && (lacking || !told) && !b.failed) {
		c = tm_table_row(t);
		if (c) {
			c[ABSENT_RANKS] = tm_table_own(t, b.p, b.n);
			c[ABSENT_COUNT] = tm_cell_u64(count);
		}
	}
	tm_buf_fini(&b);
	return !count || c || (told && !lacking);
}
