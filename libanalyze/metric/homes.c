/* SPDX-License-Identifier: MIT */
#include "metric/homes.h"

#include <stdlib.h>
#include <string.h>

enum { RANK = 8 }; /* bytes of the rank */

bool tm_homes_put(struct tm_names *homes, uint64_t rank, const char *host, size_t len)
{
	struct tm_buf home = { 0 };
	bool ok;

	for (int shift = 8 * (RANK - 1); shift >= 0; shift -= 8)
		tm_buf_chr(&home, (char)(rank >> shift));
	if (len)
		tm_buf_add(&home, host, len);
	ok = !home.failed && tm_names_add(homes, home.p, home.n) != TM_NAME_NONE;
	tm_buf_fini(&home);
	return ok;
}

bool tm_homes_add(struct tm_names *homes, const struct tm_trace_id *id)
{
	return !id->host || tm_homes_put(homes, id->rank, id->host, strlen(id->host));
}

const char *tm_homes_host(const struct tm_names *homes, uint32_t i, size_t *len)
{
	*len = homes->v[i].len - RANK;
	return homes->v[i].text + RANK;
}

static uint64_t rank_of(const struct tm_name *home)
{
	uint64_t rank = 0;

	for (int i = 0; i < RANK; i++)
		rank = rank << 8 | (unsigned char)home->text[i];
	return rank;
}

bool tm_homes_apart(const struct tm_names *homes, uint64_t a, uint64_t b)
{
	bool both = false;

	for (uint32_t i = 0; i < homes->n; i++) {
		size_t ni, nk;
		const char *hi = tm_homes_host(homes, i, &ni), *hk;

		for (uint32_t k = 0; rank_of(&homes->v[i]) == a && k < homes->n; k++) {
			if (rank_of(&homes->v[k]) != b)
				continue;
			hk = tm_homes_host(homes, k, &nk);
			if (ni == nk && !memcmp(hi, hk, ni))
				return false;
			both = true;
		}
	}
	return both;
}

static int by_rank(const void *a, const void *b)
{
	return tm_name_cmp(a, b);
}

bool tm_homes_find(const struct tm_names *homes, const uint64_t *ranks, size_t n,
                   struct tm_names *hosts, uint64_t *unknown)
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
	for (size_t i = 0; ok && i < n; i++) {
		const uint64_t rank = ranks[i];

		if (i && rank == ranks[i - 1])
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
