/* SPDX-License-Identifier: MIT
 * Ranks without a trace: kstats collectives --absent.  If communicators say how many ranks they
 * have, there are some if one has more than traces; then ranks are numbered from 0, unless traces
 * have numbers beyond: that communicator is not the whole job.  Then, and if none says how many
 * ranks it has, numbers between those of two others are taken for ranks.  Numbers by the order of
 * the inputs say nothing. */
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

/* What communicators say: the most ranks that one has, 0 = nothing; and whether one lacks any, in
 * all that it did: a trace may end before the others.  False when out of memory. */
static bool told_ranks(const struct sums *s, const struct tm_work *w, uint64_t *most, bool *lacking)
{
	uint64_t *here = calloc((size_t)s->names.n + 2, sizeof *here); /* of each communicator */

	*most = 0;
	*lacking = false;
	for (uint32_t i = 0; here && i < s->keys.n; i++)
		if (s->v[i].members > here[s->v[i].comm])
			here[s->v[i].comm] = s->v[i].members;
	for (uint32_t i = 0; here && i < s->keys.n; i++) {
		const struct sum *sum = &s->v[i];

		if (sum->pair)
			continue;
		*most = sum->comm_ranks > *most ? sum->comm_ranks : *most;
		*lacking |= sum->comm_ranks > (sum->comm ? here[sum->comm] : sum->members);
	}
	/* They count GPUs: the ranks of a communicator are no processes. */
	for (size_t i = 1; i < w->ntrack; i++)
		*lacking &= w->track[i].rank != w->track[i - 1].rank;
	free(here);
	return here != NULL;
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

static int by_number(const void *pa, const void *pb)
{
	return tm_u64_cmp(*(const uint64_t *)pa, *(const uint64_t *)pb);
}

/* Of the n ranks with a trace the numbers, ascending, the caller's; NULL when out of memory. */
static uint64_t *list_present(const struct ranks *r, size_t *n)
{
	uint64_t *v = tm_array((size_t)r->known.n + 1, sizeof *v);

	*n = 0;
	for (uint32_t i = 0; v && i < r->known.n; i++)
		v[(*n)++] = r->facts[i].rank;
	if (*n)
		qsort(v, *n, sizeof *v, by_number);
	return v;
}

static bool put_row(struct tm_table *t, const struct tm_buf *b, uint64_t count)
{
	struct tm_cell *c = b->failed ? NULL : tm_table_row(t);

	if (!c)
		return false;
	c[ABSENT_RANKS] = tm_table_own(t, b->p, b->n);
	c[ABSENT_COUNT] = tm_cell_u64(count);
	return true;
}

bool tm_collectives_put_absent(const struct sums *s, const struct ranks *r,
                               const struct tm_metric_opts *o, struct tm_table *t)
{
	const bool some = o->only && o->only->by & TM_ONLY_BIT(TM_ONLY_RANK);
	uint64_t told, next, count = 0;
	bool lacking, all, ok = told_ranks(s, &r->w, &told, &lacking);
	size_t n;
	uint64_t *v = list_present(r, &n);
	struct tm_buf b = { 0 };

	all = lacking && v && n && told > v[n - 1];
	next = v && n && !all ? v[0] : 0;

	for (size_t i = 0; v && i < n; i++) {
		add_range(&b, next, v[i], &count);
		next = v[i] + 1;
	}
	add_range(&b, next, all ? told : 0, &count);
	if (ok && v && count && (lacking || !told) && !r->by_order && !some)
		ok = put_row(t, &b, count);
	tm_buf_fini(&b);
	ok = ok && v;
	free(v);
	return ok;
}
