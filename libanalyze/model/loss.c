/* SPDX-License-Identifier: MIT */
#include "model/loss.h"

const struct tm_loss_about tm_losses[TM_LOSS_REASONS] = {
#define LOSS(id, word, kind, severity, place, one, many)                                           \
	[TM_LOSS_##id] = { word, TM_LOSS_IS_##kind, TM_LOSS_##place, one, many },
#include "model/losses.def"
#undef LOSS
};

void tm_loss_count(struct tm_loss *l, enum tm_loss_reason why, uint64_t n, uint64_t at)
{
	struct tm_lost *o = &l->of[why];

	if (n && (!o->n || at < o->at))
		o->at = at;
	o->n += n;
}

void tm_loss_add(struct tm_loss *into, const struct tm_loss *from, uint64_t lines)
{
	into->rows += from->rows;
	for (enum tm_loss_reason i = 0; i < TM_LOSS_REASONS; i++) {
		const struct tm_lost *o = &from->of[i];
		uint64_t at = o->at + (tm_loss_has_line(i) ? lines : 0);

		/* A line stays what was met first: a row may end before one that began earlier. */
		if (tm_losses[i].place == TM_LOSS_LINE && into->of[i].n)
			into->of[i].n += o->n;
		else
			tm_loss_count(into, i, o->n, at);
	}
}

bool tm_loss_any(const struct tm_loss *l)
{
	bool any = false;

	for (int i = 0; i < TM_LOSS_REASONS; i++)
		any |= l->of[i].n > 0;
	return any;
}

struct tm_loss tm_loss_of_kinds(const struct tm_loss *l, unsigned kinds)
{
	struct tm_loss part = { 0 };

	for (int i = 0; i < TM_LOSS_REASONS; i++)
		if (kinds >> tm_losses[i].kind & 1)
			part.of[i] = l->of[i];
	return part;
}

uint64_t tm_loss_sum(const struct tm_loss *l, unsigned kinds)
{
	uint64_t sum = 0;

	for (int i = 0; i < TM_LOSS_REASONS; i++)
		if (kinds >> tm_losses[i].kind & 1)
			sum += l->of[i].n;
	return sum;
}

uint64_t tm_loss_skipped(const struct tm_loss *l)
{
	return tm_loss_sum(l, 1U << TM_LOSS_IS_SKIPPED | 1U << TM_LOSS_IS_BROKEN);
}

uint64_t tm_loss_lost(const struct tm_loss *l)
{
	return tm_loss_sum(l, 1U << TM_LOSS_IS_GONE | 1U << TM_LOSS_IS_THINNED);
}
