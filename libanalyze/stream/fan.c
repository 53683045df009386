/* SPDX-License-Identifier: MIT */
#include "stream/fan.h"

#include <string.h>

/* The accumulators of the sinks follow, aligned. */
struct fanned {
	const struct tm_fan *fan;
	size_t made; /* of the first so many sinks */
};

static size_t aligned(size_t n)
{
	return (n + 63) / 64 * 64;
}

static void *part(const struct tm_fan *fan, void *acc, size_t i)
{
	char *p = (char *)acc + aligned(sizeof(struct fanned));

	for (size_t k = 0; k < i; k++)
		p += aligned(fan->sink[k].size);
	return p;
}

void *tm_fan_part(void *acc, size_t i)
{
	return part(((const struct fanned *)acc)->fan, acc, i);
}

static void fan_fini(void *acc)
{
	struct fanned *f = acc;

	for (size_t i = 0; i < f->made; i++)
		f->fan->sink[i].fini(tm_fan_part(acc, i));
	f->made = 0;
}

static bool fan_init(void *acc, const void *arg)
{
	const struct tm_fan *fan = arg;
	struct fanned *f = acc;

	*f = (struct fanned) { .fan = fan };
	for (; f->made < fan->n; f->made++) {
		void *p = part(fan, acc, f->made);

		memset(p, 0, fan->sink[f->made].size);
		if (!fan->sink[f->made].init(p, fan->sink[f->made].arg)) {
			fan_fini(acc);
			return false;
		}
	}
	return true;
}

static bool fan_piece(void *acc, const struct tm_piece *p)
{
	const struct tm_fan *fan = ((const struct fanned *)acc)->fan;
	bool ok = true;

	for (size_t i = 0; i < fan->n && ok; i++)
		ok = fan->sink[i].piece(tm_fan_part(acc, i), p);
	return ok;
}

/* Each of many would look through the domains of the rows. */
static bool fan_take(void *acc, const struct tm_batch *b)
{
	const struct tm_fan *fan = ((const struct fanned *)acc)->fan;
	struct tm_batch_domains domains;
	struct tm_batch seen = *b;
	bool ok = true;

	if (!b->domains) {
		tm_batch_see_domains(b, &domains);
		seen.domains = &domains;
	}
	for (size_t i = 0; i < fan->n && ok; i++)
		ok = fan->sink[i].take(tm_fan_part(acc, i), &seen);
	return ok;
}

static bool fan_merge(void *into, void *from)
{
	const struct tm_fan *fan = ((const struct fanned *)into)->fan;
	bool ok = true;

	for (size_t i = 0; i < fan->n && ok; i++)
		ok = fan->sink[i].merge(tm_fan_part(into, i), tm_fan_part(from, i));
	return ok;
}

static bool fan_done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                     const struct tm_diag *why)
{
	const struct tm_fan *fan = ((const struct fanned *)acc)->fan;
	bool ok = true;

	for (size_t i = 0; i < fan->n && ok; i++)
		ok = !fan->sink[i].done || fan->sink[i].done(tm_fan_part(acc, i), p, l, why);
	return ok;
}

struct tm_event_sink tm_fan_sink(const struct tm_fan *fan)
{
	struct tm_event_sink s = { .size = aligned(sizeof(struct fanned)),
		                   .arg = fan,
		                   .init = fan_init,
		                   .piece = fan_piece,
		                   .take = fan_take,
		                   .merge = fan_merge,
		                   .fini = fan_fini,
		                   .done = fan_done,
		                   .mixed = true };

	for (size_t i = 0; i < fan->n; i++) {
		s.size += aligned(fan->sink[i].size);
		s.mixed &= fan->sink[i].mixed;
	}
	return s;
}
