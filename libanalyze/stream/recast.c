/* SPDX-License-Identifier: MIT */
#include "stream/recast.h"

static void shift(const struct tm_batch *b, enum tm_ev_col c, uint64_t by)
{
	for (uint32_t i = 0; i < b->n && b->some & TM_EV_BIT(c); i++)
		b->col[c][i] += by;
}

/* The agent of the other profiler; false: it is not known which. */
static bool agent_of(const struct tm_recast *r, uint64_t *agent)
{
	bool taken = false;

	for (size_t k = 0; k < r->n; k++) {
		taken |= r->agent[k].to == *agent;
		if (r->agent[k].from == *agent) {
			*agent = r->agent[k].to;
			return true;
		}
	}
	return !taken;
}

static void rename_agents(struct tm_batch *b, enum tm_ev_col c, const struct tm_recast *r)
{
	tm_ev_set every = b->has;

	for (uint32_t i = 0; i < b->n && b->some & TM_EV_BIT(c); i++) {
		b->row_has[i] |= every;
		if (b->row_has[i] & TM_EV_BIT(c) && !agent_of(r, &b->col[c][i])) {
			b->row_has[i] &= ~TM_EV_BIT(c);
			b->has &= ~TM_EV_BIT(c);
		}
	}
}

bool tm_recast_any(const struct tm_recast *r)
{
	return r->shift_ns || r->no_ids || r->n;
}

bool tm_recast_batch(struct tm_sieve *s, const struct tm_recast *r, const struct tm_batch *b,
                     const struct tm_batch **out)
{
	uint16_t row[TM_BATCH_ROWS];

	*out = b;
	if (b->kind == TM_EV_STATE || !tm_recast_any(r))
		return true;
	for (uint32_t i = 0; i < b->n; i++)
		row[i] = (uint16_t)i;
	*out = tm_sieve_rows(s, b, row, b->n);
	if (!*out)
		return false;
	if (r->no_ids)
		tm_sieve_forget(s, TM_EV_BIT(TM_EVC_CORR));
	shift(&s->b, TM_EVC_START, r->shift_ns);
	shift(&s->b, TM_EVC_END, r->shift_ns);
	rename_agents(&s->b, TM_EVC_AGENT, r);
	rename_agents(&s->b, TM_EVC_SRC, r);
	rename_agents(&s->b, TM_EVC_DST, r);
	return true;
}
