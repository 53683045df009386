/* SPDX-License-Identifier: MIT
 * How long did host threads wait for the GPU?
 *
 * Times are unions, so calls inside each other count once and no share exceeds 100 %:
 *     row    the thread was inside a call of this function
 *     kind   at least one thread was inside a call of that kind (--kinds)
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
#include "metric/idle/sync_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- taking in ---- */

static bool init(void *acc, const void *arg)
{
	struct sync *s = acc;

	*s = (struct sync) { .keys = { .words = KEY_WORDS },
		             .traced = { .words = 1 },
		             .busy = { .words = 1 } };
	return tm_work_init(&s->w, arg, TM_WORK_WAITS);
}

static void fini(void *acc)
{
	struct sync *s = acc;

	tm_work_fini(&s->w);
	tm_groups_fini(&s->keys);
	tm_groups_fini(&s->traced);
	tm_groups_fini(&s->busy);
	free(s->sum);
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	(void)o;
	return tm_work_want(TM_WORK_WAITS) | TM_EV_BIT(TM_EVC_CALLS) | TM_EV_BIT(TM_EVC_TOTAL) |
	       TM_EV_BIT(TM_EVC_TOTAL_HI) | TM_EV_BIT(TM_EVC_MAX) | TM_EV_BIT(TM_EVC_PCT) |
	       TM_EV_BIT(TM_EVC_PCT_ERR);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct sync *s = acc;

	s->run = tm_names_add(&s->w.names, p->id.run, strlen(p->id.run));
	return s->run != TM_NAME_NONE && tm_work_piece(&s->w, p);
}

bool tm_sync_note(struct tm_groups *g, uint64_t key)
{
	return tm_groups_add(g, &key, NULL) != TM_GROUP_NONE;
}

/* The sum of a key, made if new; NULL when out of memory. */
static struct sum *sum_of(struct sync *s, const uint64_t *key)
{
	uint32_t i = tm_groups_item(&s->keys, key, &s->sum, &s->cap, sizeof *s->sum, NULL);

	return i == TM_GROUP_NONE ? NULL : &s->sum[i];
}

void tm_sync_add_sum(struct sum *into, const struct sum *from)
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
static bool take_sum(struct sync *s, const struct tm_batch *b, uint32_t i, enum tm_work_api api)
{
	const struct tm_name *nm = &b->names->v[b->col[TM_EVC_NAME][i]];
	struct sum one = { .calls = b->col[TM_EVC_CALLS][i],
		           .total = b->col[TM_EVC_TOTAL][i],
		           .no_max = !tm_batch_has(b, i, TM_EVC_MAX) };
	uint32_t name = tm_names_add(&s->w.names, nm->text, nm->len);
	const uint64_t key[KEY_WORDS] = { s->run, s->w.rank, api, name };
	struct sum *sum = name == TM_NAME_NONE ? NULL : sum_of(s, key);

	if (tm_batch_has(b, i, TM_EVC_TOTAL_HI))
		one.total |= (tm_u128)b->col[TM_EVC_TOTAL_HI][i] << 64;
	if (!one.no_max)
		one.max = b->col[TM_EVC_MAX][i];
	if (tm_batch_has(b, i, TM_EVC_PCT) && tm_batch_has(b, i, TM_EVC_PCT_ERR))
		one.least = least_whole((double)one.total, tm_cell_real(b->col[TM_EVC_PCT][i]),
		                        tm_cell_real(b->col[TM_EVC_PCT_ERR][i]));
	if (sum)
		tm_sync_add_sum(sum, &one);
	return sum != NULL;
}

static bool take_sums(struct sync *s, const struct tm_batch *b)
{
	const struct tm_metric_opts *o = s->w.o;

	for (uint32_t i = 0; i < b->n; i++) {
		enum tm_domain d = tm_batch_domain(b, i);

		if (d != TM_DOMAIN_HIP && d != TM_DOMAIN_HSA)
			continue;
		if (o->windowed || tm_sync_during(o) != DURING_ALL)
			s->unusable++;
		else if (!tm_batch_has(b, i, TM_EVC_NAME) || !tm_batch_has(b, i, TM_EVC_CALLS) ||
		         !tm_batch_has(b, i, TM_EVC_TOTAL))
			s->w.untimed++;
		else if (!take_sum(s, b, i, d == TM_DOMAIN_HIP ? TM_WORK_HIP : TM_WORK_HSA))
			return false;
	}
	return true;
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct sync *s = acc;
	uint64_t before = s->w.seen[TM_DOMAIN_HIP] + s->w.seen[TM_DOMAIN_HSA];

	if (b->kind == TM_EV_STAT || b->kind == TM_EV_ROLLUP)
		return take_sums(s, b);
	return tm_work_take(&s->w, b) &&
	       (s->w.seen[TM_DOMAIN_HIP] + s->w.seen[TM_DOMAIN_HSA] == before ||
	        tm_sync_note(&s->traced, s->run));
}

/* What `from` calls name `id`, here. */
static uint32_t moved(struct sync *s, const struct sync *from, uint64_t id)
{
	const struct tm_name *nm = &from->w.names.v[id];

	return tm_names_add(&s->w.names, nm->text, nm->len);
}

static bool merge(void *into, void *acc)
{
	struct sync *s = into, *from = acc;

	if (!tm_work_merge(&s->w, &from->w))
		return false;
	for (uint32_t i = 0; i < from->keys.n; i++) {
		uint64_t key[KEY_WORDS];
		struct sum *sum;

		memcpy(key, from->keys.key + (size_t)i * KEY_WORDS, sizeof key);
		key[KEY_RUN] = moved(s, from, key[KEY_RUN]);
		key[KEY_NAME] = moved(s, from, key[KEY_NAME]);
		if (key[KEY_RUN] == TM_NAME_NONE || key[KEY_NAME] == TM_NAME_NONE)
			return false;
		sum = sum_of(s, key);
		if (!sum)
			return false;
		tm_sync_add_sum(sum, &from->sum[i]);
	}
	for (uint32_t i = 0; i < from->traced.n; i++) {
		uint32_t run = moved(s, from, from->traced.key[i]);

		if (run == TM_NAME_NONE || !tm_sync_note(&s->traced, run))
			return false;
	}
	s->unusable += from->unusable;
	return true;
}

static struct tm_work *work(void *acc)
{
	struct sync *s = acc;

	return &s->w;
}

static const struct tm_metric_view views[] = {
	{ .columns = tm_sync_columns },
	{ .option = "kinds",
	  .about = "one row per kind of call (copies, fills, frees ...), over all threads",
	  .columns = tm_sync_kinds_columns,
	  .whole = true,
	  .sums = true },
	{ 0 },
};

const struct tm_metric tm_metric_sync = {
	.name = "sync",
	.about = "time host threads waited for the GPU",
	.group = "Why is the GPU idle?",
	.examples = "kstats sync results.db\n"
	            "kstats sync --during idle run.pftrace\n",
	.views = views,
	.options = tm_sync_options,
	.own = sizeof(struct sync_own),
	.window = TM_WINDOW_WHOLE,
	.state = 3,
	.sink = { .size = sizeof(struct sync),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini },
	.work = work,
	.whole = TM_WHOLE_RANKS,
	.want = want,
	.fill = tm_sync_fill,
};
