/* SPDX-License-Identifier: MIT */
#include "stream/parts.h"

#include <stdlib.h>

#define TIMES (TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END))

_Static_assert(TM_TRACE_PARTS <= 32, "a set of parts is one 32-bit mask");

/* The part of all rows of that kind, or TM_TRACE_PARTS: each row says. */
static enum tm_trace_part part_of_kind(const struct tm_batch *b)
{
	switch (b->kind) {
	case TM_EV_SAMPLE:
		return TM_PART_SAMPLE;
	case TM_EV_STAT:
		return TM_PART_STAT;
	case TM_EV_AGENT:
		return TM_PART_AGENT;
	case TM_EV_COUNTER:
		return b->has & TM_EV_BIT(TM_EVC_NAME)       ? TM_PART_COUNTER
		       : !(b->some & TM_EV_BIT(TM_EVC_NAME)) ? TM_PART_SERIES
		                                             : TM_TRACE_PARTS;
	case TM_EV_ROLLUP:
		return TM_TRACE_PARTS;
	default:
		return b->some & TM_EV_BIT(TM_EVC_DOMAIN)
		               ? TM_TRACE_PARTS
		               : (enum tm_trace_part)tm_ev_kind_domain(b->kind);
	}
}

enum tm_trace_part tm_part_of_row(const struct tm_batch *b, uint32_t i)
{
	enum tm_trace_part all = part_of_kind(b);
	enum tm_domain d;

	if (all != TM_TRACE_PARTS)
		return all;
	if (b->kind == TM_EV_COUNTER)
		return tm_batch_has(b, i, TM_EVC_NAME) ? TM_PART_COUNTER : TM_PART_SERIES;
	if (b->kind == TM_EV_ROLLUP && tm_batch_has(b, i, TM_EVC_COUNTER))
		return TM_PART_COUNTER;
	d = tm_batch_domain(b, i);
	return d < TM_DOMAIN_N ? (enum tm_trace_part)d : (enum tm_trace_part)TM_DOMAIN_OTHER;
}

const char *tm_part_text(enum tm_trace_part p)
{
	static const char *const word[] = { "counter", "counter over time", "PC sample", "agent",
		                            "statistics" };

	return p < (enum tm_trace_part)TM_DOMAIN_N ? tm_domain_text((enum tm_domain)p)
	                                           : word[p - TM_PART_COUNTER];
}

/* Room for the columns of a batch, and for what each row has. */
static bool make_room(struct tm_sieve *s)
{
	if (!s->room)
		s->room = malloc(TM_BATCH_ROWS * (sizeof(tm_ev_set) + TM_EVC_N * sizeof(uint64_t)));
	return s->room != NULL;
}

const struct tm_batch *tm_sieve_rows(struct tm_sieve *s, const struct tm_batch *b,
                                     const uint16_t *row, uint32_t n)
{
	enum tm_ev_col c;

	if (!make_room(s))
		return NULL;
	s->b = *b;
	s->b.n = n;
	s->b.row_has = s->room;
	for (uint32_t i = 0; i < n; i++)
		s->b.row_has[i] = b->has == b->some ? b->has : b->row_has[row[i]] & b->some;
	TM_EV_EACH(c, b->some)
	{
		s->b.col[c] = (uint64_t *)(s->b.row_has + TM_BATCH_ROWS) +
		              (size_t)c * TM_BATCH_ROWS;
		for (uint32_t i = 0; i < n; i++)
			s->b.col[c][i] = b->col[c][row[i]];
	}
	return &s->b;
}

void tm_sieve_forget(struct tm_sieve *s, tm_ev_set columns)
{
	s->b.has &= ~columns;
	s->b.some &= ~columns;
	for (uint32_t i = 0; i < s->b.n; i++)
		s->b.row_has[i] &= ~columns;
}

bool tm_sieve_batch(struct tm_sieve *s, const struct tm_batch *b, uint32_t leave, bool untimed,
                    const struct tm_batch **out)
{
	uint16_t row[TM_BATCH_ROWS];
	enum tm_trace_part all = part_of_kind(b);
	uint32_t n = 0;

	*out = b;
	if (b->kind == TM_EV_STATE)
		return true; /* of all parts together: what others hold is not in the way */
	if (all != TM_TRACE_PARTS && leave & TM_PART_BIT(all)) {
		*out = NULL;
		return true;
	}
	untimed = untimed && b->kind == TM_EV_COUNTER && b->some & TIMES;
	for (uint32_t i = 0; i < b->n && all == TM_TRACE_PARTS; i++)
		if (!(leave & TM_PART_BIT(tm_part_of_row(b, i))))
			row[n++] = (uint16_t)i;
	if (all == TM_TRACE_PARTS && !n)
		*out = NULL;
	if (!*out || ((all != TM_TRACE_PARTS || n == b->n) && !untimed))
		return true;
	for (uint32_t i = 0; all != TM_TRACE_PARTS && i < b->n; i++)
		row[n++] = (uint16_t)i;
	*out = tm_sieve_rows(s, b, row, n);
	if (*out && untimed)
		tm_sieve_forget(s, TIMES);
	return *out != NULL;
}

void tm_sieve_fini(struct tm_sieve *s)
{
	free(s->room);
	*s = (struct tm_sieve) { 0 };
}
