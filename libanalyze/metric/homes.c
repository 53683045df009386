/* SPDX-License-Identifier: MIT */
#include "metric/homes.h"

#include <stdlib.h>
#include <string.h>

enum { RANK = 8 }; /* bytes of the rank */

bool tm_homes_add(struct tm_names *homes, const struct tm_trace_id *id)
{
	struct tm_buf home = { 0 };
	bool ok;

	if (!id->host)
		return true;
	for (int shift = 8 * (RANK - 1); shift >= 0; shift -= 8)
		tm_buf_chr(&home, (char)(id->rank >> shift));
	tm_buf_str(&home, id->host);
	ok = !home.failed && tm_names_add(homes, home.p, home.n) != TM_NAME_NONE;
	tm_buf_fini(&home);
	return ok;
}

static uint64_t rank_of(const struct tm_name *home)
{
	uint64_t rank = 0;

	for (int i = 0; i < RANK; i++)
		rank = rank << 8 | (unsigned char)home->text[i];
	return rank;
}

static int by_rank(const void *a, const void *b)
{
	return tm_name_cmp(a, b);
}

bool tm_homes_find(const struct tm_names *homes, const struct tm_work *w, struct tm_names *hosts,
                   uint64_t *unknown)
{
	struct tm_name *home = calloc((size_t)homes->n + 1, sizeof *home);
	uint32_t at = 0;
	bool ok = home != NULL;

	*unknown = 0;
	if (ok && homes->n) {
		memcpy(home, homes->v, homes->n * sizeof *home);
		qsort(home, homes->n, sizeof *home, by_rank);
	}
	/* Both are in the order of ranks. */
	for (size_t i = 0; ok && i < w->ntrack; i++) {
		const uint64_t rank = w->track[i].rank;

		if (i && rank == w->track[i - 1].rank)
			continue;
		while (at < homes->n && rank_of(&home[at]) < rank)
			at++;
		*unknown += at == homes->n || rank_of(&home[at]) != rank;
		for (; ok && at < homes->n && rank_of(&home[at]) == rank; at++)
			ok = tm_names_add(hosts, home[at].text + RANK, home[at].len - RANK) !=
			     TM_NAME_NONE;
	}
	free(home);
	return ok;
}
