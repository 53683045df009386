/* SPDX-License-Identifier: MIT
 * How inputs are shared out.
 *
 * Ranges of one size suit a format whose ranges begin at a look.  Where the next one begins only
 * for who has gone through the one before (struct tm_reader_ops, ahead), going ahead of everything
 * costs two workers `ahead` percent of all.  Then ranges are pairs: one worker reads the first, the
 * other goes through it and reads the second, which is so much shorter that both come to an end
 * together; the next pair begins with what the second one knows.  With a the part that going ahead
 * costs and c that of the first range, c = a * c + (1 - c), so c = 1 / (2 - a), and the two take c
 * of the time of one.  From three workers on ranges of one size are faster. */
#include "stream/tasks.h"

#include <stdlib.h>
#include <string.h>

/* Ranges per worker, and chunks in a range at most.  Merging a range costs the same whatever its
 * length, so long ranges are cheaper; but the last ones leave workers without work. */
enum { EACH_HAS = 4, MOST_CHUNKS = 8 };

/* Bytes of a pair, at most: at its end one waits for the other, and what one has gone through is to
 * be in memory still when the other reads it. */
#define PAIR (UINT64_C(512) << 20)

int tm_pick_cmp(const void *pa, const void *pb)
{
	const struct tm_pick *a = pa, *b = pb;

	if (a->origin != b->origin)
		return a->origin > b->origin ? 1 : -1;
	if (!a->path || !b->path)
		return (a->path != NULL) - (b->path != NULL);
	return strcmp(a->path, b->path);
}

const struct tm_pick *tm_pick_of(const struct tm_input *in, size_t origin, const char *path)
{
	const struct tm_pick key = { .origin = origin, .path = path };

	return in->npick ? bsearch(&key, in->pick, in->npick, sizeof key, tm_pick_cmp) : NULL;
}

bool tm_pick_nothing(const struct tm_pick *c)
{
	return c && c->leave == TM_PARTS_ALL;
}

void tm_pick_clock(struct tm_piece *p)
{
	const struct tm_recast *r = p->pick ? &p->pick->recast : NULL;

	if (r && r->shift_ns) {
		p->id.clock = r->clock;
		p->id.realtime = (struct tm_realtime) { 0 };
	}
	if (r && !p->id.realtime.readings)
		p->id.realtime = r->realtime;
}

void tm_pick_apply(struct tm_piece *p, const struct tm_pick *c)
{
	p->pick = c;
	if (c && c->run)
		p->id.run = c->run;
	if (c && c->has_rank && c->rule < p->id.rule) {
		p->id.rank = c->rank;
		p->id.rule = c->rule;
	}
	tm_pick_clock(p);
}

/* How an input is cut. */
struct cuts {
	size_t n;           /* into so many ranges */
	uint64_t size, cut; /* of a range; of pairs, where the second begins in it, else 0 */
};

/* What it is, which its head says, if that is kept; NULL where nobody knows. */
static const struct tm_reader_ops *format_of(const struct tm_drive *d, const struct tm_input *in)
{
	struct tm_diag why = { 0 };

	if (d->from || !in->head)
		return d->from;
	return tm_reader_choose(in->head->p, in->head->n, in->head->n < TM_HEAD_BYTES, NULL, &why);
}

/* Bytes of a range, in whole chunks.  One chunk where ranges are read from memory that a scout has
 * filled (ahead), or where the format is unknown. */
static uint64_t range_of(const struct tm_drive *d, const struct tm_input *in,
                         const struct tm_reader_ops *ops)
{
	const uint64_t share = in->size / tm_drive_chunk / d->jobs / EACH_HAS;
	uint64_t chunks = share < MOST_CHUNKS ? share : MOST_CHUNKS;

	if (!ops || ops->ahead || !chunks)
		chunks = 1;
	return chunks * tm_drive_chunk;
}

static struct cuts cuts_of(const struct tm_drive *d, const struct tm_input *in)
{
	struct cuts c = { .n = 1, .size = in->size };
	const struct tm_reader_ops *ops;
	unsigned ahead;
	uint64_t pairs;

	/* Counted elsewhere: it is a trace all the same. */
	if (tm_pick_nothing(tm_pick_of(in, SIZE_MAX, NULL)))
		return (struct cuts) { 0 };
	if (d->jobs < 2 || d->look || in->size < TM_DRIVE_CHUNKS * tm_drive_chunk)
		return c;
	ops = format_of(d, in);
	/* For one task no thread is begun. */
	if (ops && !ops->split)
		return c;
	c.size = range_of(d, in, ops);
	c.n = (size_t)((in->size + c.size - 1) / c.size);
	ahead = d->jobs == 2 && ops ? ops->ahead : 0;
	if (!ahead)
		return c;
	pairs = (in->size + PAIR - 1) / PAIR;
	c.n = (size_t)(2 * pairs);
	c.size = (in->size + pairs - 1) / pairs;
	c.cut = c.size / (200 - ahead) * 100;
	return c;
}

/* Where range i begins. */
static uint64_t cut_at(const struct cuts *c, size_t i)
{
	return c->cut ? i / 2 * c->size + (i % 2) * c->cut : i * c->size;
}

struct tm_task *tm_tasks(const struct tm_drive *d, const struct tm_input *in, size_t n,
                         size_t *count)
{
	struct tm_task *v;
	size_t k = 0;

	*count = 0;
	for (size_t i = 0; i < n; i++)
		*count += cuts_of(d, &in[i]).n;
	v = calloc(*count ? *count : 1, sizeof *v);
	for (size_t i = 0; v && i < n; i++) {
		struct cuts c = cuts_of(d, &in[i]);

		for (size_t j = 0; j < c.n; j++)
			v[k++] = (struct tm_task) {
				.input = i,
				.range = c.n > 1,
				.begin = cut_at(&c, j),
				.end = j + 1 == c.n ? UINT64_MAX : cut_at(&c, j + 1),
				.first = j == 0,
				.last = j + 1 == c.n,
				.pairs = c.cut,
				.in_turn = c.cut && j && j % 2 == 0,
			};
	}
	return v;
}
