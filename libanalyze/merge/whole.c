/* SPDX-License-Identifier: MIT */
#include "merge/whole.h"

#include <stdlib.h>
#include <string.h>

void tm_whole_drop(struct tm_whole *w)
{
	tm_sums_fini(&w->sums);
	w->dropped = true;
}

bool tm_whole_input(struct tm_whole *w, uint64_t rank, const char *run)
{
	uint32_t id = tm_names_add(&w->runs, run, strlen(run)), i;
	bool fresh;

	if (id == TM_NAME_NONE)
		return false;
	i = tm_groups_item(&w->ranks, &rank, &w->run, &w->cap, sizeof *w->run, &fresh);
	if (i == TM_GROUP_NONE)
		return false;
	if (fresh)
		w->run[i] = id;
	/* That they are added up is told of runs, not of sums. */
	if (w->run[i] != id)
		tm_whole_drop(w);
	return true;
}

/* The values of *s, all of which are in to->m by now.  False when out of memory. */
static bool add_values(struct tm_sum *to, const struct tm_sum *s)
{
	bool bad = false;

	if (!to->m.sealed && !s->saved_n)
		return tm_quantile_merge(&to->q, &s->q);
	if (!to->m.sealed && !tm_quantile_merge_saved(&to->q, s->saved, s->saved_n, s->m.n, &bad) &&
	    !bad)
		return false;
	/* As who adds them up one by one: what is damaged or unknown in one is so in all. */
	to->m.sealed += bad;
	if (to->m.sealed)
		tm_quantile_fini(&to->q);
	return true;
}

bool tm_whole_add(struct tm_whole *w, const uint64_t *key, const struct tm_sum *s)
{
	uint64_t all[WORDS];
	struct tm_sum *to;

	if (key[W_COUNTER] || w->sums.keys.n > TM_WHOLE_MOST)
		tm_whole_drop(w);
	if (w->dropped)
		return true;
	memcpy(all, key, sizeof all);
	all[W_HAS_AGENT] = all[W_AGENT] = 0;
	to = tm_sums_of(&w->sums, all, NULL);
	if (!to)
		return false;
	tm_moments_merge(&to->m, &s->m);
	return !key[W_TIMED] || add_values(to, s);
}

struct tm_sums *tm_whole_sums(struct tm_whole *w)
{
	return w->dropped || w->ranks.n < 2 || w->sums.keys.n > TM_WHOLE_MOST ? NULL : &w->sums;
}

void tm_whole_fini(struct tm_whole *w)
{
	tm_sums_fini(&w->sums);
	tm_groups_fini(&w->ranks);
	free(w->run);
	tm_names_fini(&w->runs);
	*w = TM_WHOLE_NONE;
}
