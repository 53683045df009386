/* SPDX-License-Identifier: MIT
 * How long did host threads wait for the GPU?
 *
 * Times are unions, so calls inside each other count once and no share exceeds 100 %:
 *     row    the thread was inside a call of this function
 *     total  at least one thread of the process was inside any of them
 * each as a share of the GPU window of the rank, with the part during which no agent of the rank
 * worked: only that is judged, for a host that waits while the GPU works costs nothing.  Beside
 * them, as a share of the host window, first start to last end of the API calls of the process.
 *
 * Statistics files hold sums only; they count where no trace of the same run is given, as a share
 * of the sum over all functions of their kind.
 *
 * Blind to waiting that is no call: a host that spins on memory, or launches that block because a
 * queue is full. */
#include "metric/sync_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- taking in ---- */

static bool init(void *acc, const void *arg)
{
	struct sync *s = acc;

	*s = (struct sync) { .keys = { .words = KEY_WORDS },
		             .traced = { .words = 1 },
		             .busy = { .words = 1 } };
	return work_init(&s->w, arg, WORK_WAITS);
}

static void fini(void *acc)
{
	struct sync *s = acc;

	work_fini(&s->w);
	groups_fini(&s->keys);
	groups_fini(&s->traced);
	groups_fini(&s->busy);
	free(s->sum);
}

static ev_set want(const struct metric_opts *o)
{
	(void)o;
	return work_want(WORK_WAITS) | EV_BIT(EVC_CALLS) | EV_BIT(EVC_TOTAL) |
	       EV_BIT(EVC_TOTAL_HI) | EV_BIT(EVC_MAX) | EV_BIT(EVC_PCT) | EV_BIT(EVC_PCT_ERR);
}

static bool piece(void *acc, const struct piece *p)
{
	struct sync *s = acc;

	s->run = names_add(&s->w.names, p->run, strlen(p->run));
	return s->run != NAME_NONE && work_piece(&s->w, p);
}

bool sync_note(struct groups *g, uint64_t key)
{
	return groups_add(g, &key, NULL) != GROUP_NONE;
}

/* The sum of a key, made if new; NULL when out of memory. */
static struct sum *sum_of(struct sync *s, const uint64_t *key)
{
	uint32_t i = groups_item(&s->keys, key, &s->sum, &s->cap, sizeof *s->sum, NULL);

	return i == GROUP_NONE ? NULL : &s->sum[i];
}

void sync_add_sum(struct sum *into, const struct sum *from)
{
	into->calls += from->calls;
	into->total += from->total;
	into->max = from->max > into->max ? from->max : into->max;
	into->least = from->least > into->least ? from->least : into->least;
	into->no_max |= from->no_max;
}

/* total is pct +- err percent of its file. */
static double least_whole(double total, double pct, double err)
{
	return pct > 0 && err >= 0 ? 100 * total / (pct + err) : 0;
}

/* A row of a statistics file, or of what a database without events keeps. */
static bool take_sum(struct sync *s, const struct batch *b, uint32_t i, enum work_api api)
{
	const struct name *nm = &b->names->v[b->col[EVC_NAME][i]];
	struct sum one = { .calls = b->col[EVC_CALLS][i],
		           .total = b->col[EVC_TOTAL][i],
		           .no_max = !batch_has(b, i, EVC_MAX) };
	uint32_t name = names_add(&s->w.names, nm->text, nm->len);
	const uint64_t key[KEY_WORDS] = { s->run, s->w.rank, api, name };
	struct sum *sum = name == NAME_NONE ? NULL : sum_of(s, key);

	if (batch_has(b, i, EVC_TOTAL_HI))
		one.total |= (u128)b->col[EVC_TOTAL_HI][i] << 64;
	if (!one.no_max)
		one.max = b->col[EVC_MAX][i];
	if (batch_has(b, i, EVC_PCT) && batch_has(b, i, EVC_PCT_ERR))
		one.least = least_whole((double)one.total, cell_real(b->col[EVC_PCT][i]),
		                        cell_real(b->col[EVC_PCT_ERR][i]));
	if (sum)
		sync_add_sum(sum, &one);
	return sum != NULL;
}

static bool take_sums(struct sync *s, const struct batch *b)
{
	const struct metric_opts *o = s->w.o;

	for (uint32_t i = 0; i < b->n; i++) {
		enum domain d = batch_has(b, i, EVC_DOMAIN) ? (enum domain)b->col[EVC_DOMAIN][i]
		                                            : DOMAIN_KERNEL;

		if (d != DOMAIN_HIP && d != DOMAIN_HSA)
			continue;
		if (o->windowed || o->during != DURING_ALL)
			s->unusable++;
		else if (!batch_has(b, i, EVC_NAME) || !batch_has(b, i, EVC_CALLS) ||
		         !batch_has(b, i, EVC_TOTAL))
			s->w.untimed++;
		else if (!take_sum(s, b, i, d == DOMAIN_HIP ? WORK_HIP : WORK_HSA))
			return false;
	}
	return true;
}

static bool take(void *acc, const struct batch *b)
{
	struct sync *s = acc;
	uint64_t before = s->w.seen[DOMAIN_HIP] + s->w.seen[DOMAIN_HSA];

	if (b->kind == EV_STAT || b->kind == EV_ROLLUP)
		return take_sums(s, b);
	return work_take(&s->w, b) && (s->w.seen[DOMAIN_HIP] + s->w.seen[DOMAIN_HSA] == before ||
	                               sync_note(&s->traced, s->run));
}

/* What `from` calls name `id`, here. */
static uint32_t moved(struct sync *s, const struct sync *from, uint64_t id)
{
	const struct name *nm = &from->w.names.v[id];

	return names_add(&s->w.names, nm->text, nm->len);
}

static bool merge(void *into, void *acc)
{
	struct sync *s = into, *from = acc;

	if (!work_merge(&s->w, &from->w))
		return false;
	for (uint32_t i = 0; i < from->keys.n; i++) {
		uint64_t key[KEY_WORDS];
		struct sum *sum;

		memcpy(key, from->keys.key + (size_t)i * KEY_WORDS, sizeof key);
		key[KEY_RUN] = moved(s, from, key[KEY_RUN]);
		key[KEY_NAME] = moved(s, from, key[KEY_NAME]);
		if (key[KEY_RUN] == NAME_NONE || key[KEY_NAME] == NAME_NONE)
			return false;
		sum = sum_of(s, key);
		if (!sum)
			return false;
		sync_add_sum(sum, &from->sum[i]);
	}
	for (uint32_t i = 0; i < from->traced.n; i++) {
		uint32_t run = moved(s, from, from->traced.key[i]);

		if (run == NAME_NONE || !sync_note(&s->traced, run))
			return false;
	}
	s->unusable += from->unusable;
	return true;
}

static const struct metric_view views[] = { { .columns = sync_columns }, { 0 } };
static const char *const options[] = { "during", NULL };

const struct metric metric_sync = {
	.name = "sync",
	.about = "time host threads waited for the GPU",
	.group = "Why is the GPU idle?",
	.examples = "kstats sync results.db\n"
	            "kstats sync --during idle run.pftrace\n",
	.views = views,
	.options = options,
	.window = WINDOW_WHOLE,
	.sink = { .size = sizeof(struct sync),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini },
	.want = want,
	.fill = sync_fill,
};
