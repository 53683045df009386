/* SPDX-License-Identifier: MIT */
#include "replay/prompt.h"

#include "base/base.h"

static uint32_t first_of(uint32_t *company, uint32_t i)
{
	while (company[i] != i)
		i = company[i] = company[company[i]];
	return i;
}

uint32_t *tm_replay_companies(const struct tm_replay *r)
{
	uint32_t *v = tm_array(r->nrank + 1, sizeof *v);

	for (uint32_t i = 0; v && i < r->nrank; i++)
		v[i] = i;
	for (size_t g = 0; v && g < r->ngroup; g++)
		for (uint32_t i = 1; i < r->group[g].members; i++) {
			const struct tm_replay_member *m = &r->member[r->group[g].from];
			const uint32_t a = first_of(v, m[0].rank), b = first_of(v, m[i].rank);

			v[a > b ? a : b] = a < b ? a : b;
		}
	for (uint32_t i = 0; v && i < r->nrank; i++)
		v[i] = first_of(v, i);
	return v;
}

static uint64_t gain_of(const struct tm_replay *r, const uint64_t *last, size_t k)
{
	const uint64_t was = tm_replay_recorded(r, k);

	return was > last[k] ? was - last[k] : 0;
}

/* What a late rank does after it has met the others takes as long as before: it ends earlier by no
 * more than what they gained. */
static uint64_t end_of(const struct tm_replay *r, const uint64_t *last, size_t k, uint64_t most)
{
	const uint64_t was = tm_replay_recorded(r, k);

	if (gain_of(r, last, k) >= most / 2)
		return last[k];
	return was > most ? was - most : 0;
}

void tm_replay_prompt_end(const struct tm_replay *r, const uint32_t *company, size_t at,
                          struct tm_replay_result *out)
{
	uint64_t *last = out->last[at];

	out->total[at] = out->saved[at] = 0;
	for (size_t c = 0; c < r->nrank; c++) {
		uint64_t most = 0, was = 0, is = 0;

		for (size_t k = c; company[c] == c && k < r->nrank; k++)
			if (company[k] == c && gain_of(r, last, k) > most)
				most = gain_of(r, last, k);
		for (size_t k = c; company[c] == c && k < r->nrank; k++) {
			const uint64_t recorded = tm_replay_recorded(r, k);
			const uint64_t end = end_of(r, last, k, most);

			if (company[k] != c)
				continue;
			was = recorded > was ? recorded : was;
			is = end > is ? end : is;
			last[k] = end;
		}
		out->total[at] = is > out->total[at] ? is : out->total[at];
		out->saved[at] = was > is && was - is > out->saved[at] ? was - is : out->saved[at];
	}
}
