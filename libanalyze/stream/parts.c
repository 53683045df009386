/* SPDX-License-Identifier: MIT */
#include "stream/parts.h"

#include <stdlib.h>

#define TIMES (EV_BIT(EVC_START) | EV_BIT(EVC_END))

_Static_assert(TRACE_PARTS <= 32, "a set of parts is one 32-bit mask");

/* The part of all rows of that kind, or TRACE_PARTS: each row says. */
static enum trace_part part_of_kind(const struct batch *b)
{
	switch (b->kind) {
	case EV_SAMPLE:
		return PART_SAMPLE;
	case EV_STAT:
		return PART_STAT;
	case EV_AGENT:
		return PART_AGENT;
	case EV_COUNTER:
		return b->has & EV_BIT(EVC_NAME)       ? PART_COUNTER
		       : !(b->some & EV_BIT(EVC_NAME)) ? PART_SERIES
		                                       : TRACE_PARTS;
	case EV_ROLLUP:
		return TRACE_PARTS;
	default:
		return b->some & EV_BIT(EVC_DOMAIN) ? TRACE_PARTS
		                                    : (enum trace_part)ev_kind_domain(b->kind);
	}
}

enum trace_part part_of_row(const struct batch *b, uint32_t i)
{
	enum trace_part all = part_of_kind(b);
	enum domain d;

	if (all != TRACE_PARTS)
		return all;
	if (b->kind == EV_COUNTER)
		return batch_has(b, i, EVC_NAME) ? PART_COUNTER : PART_SERIES;
	if (b->kind == EV_ROLLUP && batch_has(b, i, EVC_COUNTER))
		return PART_COUNTER;
	d = batch_has(b, i, EVC_DOMAIN) ? (enum domain)b->col[EVC_DOMAIN][i]
	                                : ev_kind_domain(b->kind);
	return d < DOMAIN_N ? (enum trace_part)d : (enum trace_part)DOMAIN_OTHER;
}

const char *part_text(enum trace_part p)
{
	static const char *const word[] = { "counter", "counter over time", "PC sample", "agent",
		                            "statistics" };

	return p < (enum trace_part)DOMAIN_N ? domain_text((enum domain)p) : word[p - PART_COUNTER];
}

/* Room for the columns of a batch, and for what each row has. */
static bool make_room(struct sieve *s)
{
	if (!s->room)
		s->room = malloc(BATCH_ROWS * (sizeof(ev_set) + EVC_N * sizeof(uint64_t)));
	return s->room != NULL;
}

bool sieve_batch(struct sieve *s, const struct batch *b, uint32_t leave, bool untimed,
                 const struct batch **out)
{
	uint16_t row[BATCH_ROWS];
	enum trace_part all = part_of_kind(b);
	uint32_t n = 0;

	*out = b;
	if (all != TRACE_PARTS && leave & PART_BIT(all)) {
		*out = NULL;
		return true;
	}
	untimed = untimed && b->kind == EV_COUNTER && b->some & TIMES;
	for (uint32_t i = 0; i < b->n && all == TRACE_PARTS; i++)
		if (!(leave & PART_BIT(part_of_row(b, i))))
			row[n++] = (uint16_t)i;
	if (all == TRACE_PARTS && !n)
		*out = NULL;
	if (!*out || ((all != TRACE_PARTS || n == b->n) && !untimed))
		return true;
	if (!make_room(s))
		return false;
	for (uint32_t i = 0; all != TRACE_PARTS && i < b->n; i++)
		row[n++] = (uint16_t)i;
	s->b = *b;
	s->b.n = n;
	if (untimed) {
		s->b.has &= ~TIMES;
		s->b.some &= ~TIMES;
	}
	s->b.row_has = s->room;
	for (uint32_t i = 0; i < n; i++)
		s->b.row_has[i] = b->has == b->some ? s->b.has : b->row_has[row[i]] & s->b.some;
	for (int c = 0; c < EVC_N; c++) {
		if (!(s->b.some & EV_BIT(c)))
			continue;
		s->b.col[c] = (uint64_t *)(s->b.row_has + BATCH_ROWS) + (size_t)c * BATCH_ROWS;
		for (uint32_t i = 0; i < n; i++)
			s->b.col[c][i] = b->col[c][row[i]];
	}
	*out = &s->b;
	return true;
}

void sieve_fini(struct sieve *s)
{
	free(s->room);
	*s = (struct sieve) { 0 };
}
