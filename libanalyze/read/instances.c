/* SPDX-License-Identifier: MIT */
#include "read/instances.h"

#include <stdlib.h>
#include <string.h>

enum { HAS_WORDS = 2 }; /* in front of the values of a dispatch */

uint32_t tm_instances_of(struct tm_instances *in, const struct tm_ev_row *row, bool *fresh)
{
	uint64_t key[HAS_WORDS + TM_EVC_N] = { (uint64_t)row->has, (uint64_t)(row->has >> 64) };
	uint32_t words = HAS_WORDS, had = in->seen.n, id;
	enum tm_ev_col c;

	TM_EV_EACH(c, row->has)
	key[words++] = row->v[c];
	id = tm_names_add(&in->seen, (const char *)key, words * sizeof *key);
	*fresh = id == had;
	return id;
}

bool tm_instances_add(struct tm_instances *in, uint32_t dispatch, uint32_t counter, double value)
{
	const uint32_t key[] = { dispatch, counter };
	uint32_t had = in->keys.n, id;

	if (!tm_grow_array(&in->sum, &in->cap, had + (size_t)1, sizeof *in->sum))
		return false;
	id = tm_names_add(&in->keys, (const char *)key, sizeof key);
	if (id == TM_NAME_NONE)
		return false;
	in->sum[id] = id == had ? value : in->sum[id] + value;
	return true;
}

bool tm_instances_next(struct tm_instances *in, struct tm_ev_row *row)
{
	uint32_t key[2];
	uint64_t has[HAS_WORDS];
	const char *values;
	enum tm_ev_col c;

	if (in->given == in->keys.n)
		return false;
	memcpy(key, in->keys.v[in->given].text, sizeof key);
	values = in->seen.v[key[0]].text;
	memcpy(has, values, sizeof has);
	values += sizeof has;
	row->has = (tm_ev_set)has[1] << 64 | has[0];
	TM_EV_EACH(c, row->has)
	{
		memcpy(&row->v[c], values, sizeof row->v[c]);
		values += sizeof row->v[c];
	}
	tm_ev_put(row, TM_EVC_COUNTER, key[1]);
	tm_ev_put(row, TM_EVC_VALUE, tm_real_bits(in->sum[in->given++]));
	return true;
}

void tm_instances_fini(struct tm_instances *in)
{
	tm_names_fini(&in->seen);
	tm_names_fini(&in->keys);
	free(in->sum);
	*in = (struct tm_instances) { 0 };
}
