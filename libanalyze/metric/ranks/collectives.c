/* SPDX-License-Identifier: MIT
 * What did the collectives cost, at what bandwidth, and who kept the others waiting?
 *
 * A row for each operation, size and communicator, or for each rank.  metric/comm_match.h says
 * which kernels are one collective.  Every kernel of class comm is in one row, so the totals add up
 * to those of `top`, and what is exposed to that of `timeline`: a stretch in which several
 * communicate and nothing computes goes to the one that began first. */
#include "base/base.h"
#include "metric/ranks/collectives_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
	COL_OP,
	COL_COMM,
	COL_RANKS,
	COL_BYTES,
	COL_COUNT,
	COL_TOTAL,
	COL_EXPOSED,
	COL_SKEW,
	COL_ALG,
	COL_BUS,
	COL_LAST,
	COL_SHARE,
	COL_BEST,
	COL_SLOW,
	COL_N,
};

static const struct tm_column columns[] = {
	[COL_OP] = { .name = "op",
	             .title = "OP",
	             .about = "operation, else kernel name",
	             .unit = TM_UNIT_TEXT,
	             .elastic = true },
	[COL_COMM] = { .name = "comm",
	               .title = "COMM",
	               .about = "communicator or process group, if the trace or a log names it",
	               .unit = TM_UNIT_TEXT },
	[COL_RANKS] = { .name = "ranks",
	                .title = "RANKS",
	                .about = "ranks of the communicator, else agents that took part",
	                .unit = TM_UNIT_COUNT },
	[COL_BYTES] = { .name = "bytes",
	                .title = "BYTES",
	                .about = "size of one collective: all ranks' parts",
	                .which = true,
	                .unit = TM_UNIT_BYTES },
	[COL_COUNT] = { .name = "count",
	                .title = "COUNT",
	                .about = "number of collectives",
	                .unit = TM_UNIT_COUNT },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .about = "sum of their kernel durations on all agents",
	                .unit = TM_UNIT_NS,
	                .bar = true },
	[COL_EXPOSED] = { .name = "exposed_ns",
	                  .title = "EXPOSED",
	                  .about = "part of total_ns with no compute kernel on the agent",
	                  .unit = TM_UNIT_NS },
	[COL_SKEW] = { .name = "skew_p50_ns",
	               .title = "SKEW",
	               .about = "last start - first start, median; absent below the error of the "
	                        "clocks",
	               .unit = TM_UNIT_NS },
	[COL_ALG] = { .name = "algbw_gb_per_s",
	              .title = "ALGBW",
	              .about = "bytes / shortest durations, GB = 1e9 bytes",
	              .unit = TM_UNIT_RATIO,
	              .spare = 3 },
	[COL_BUS] = { .name = "busbw_gb_per_s",
	              .title = "BUSBW",
	              .about = "algbw_gb_per_s * bus factor",
	              .unit = TM_UNIT_RATIO },
	[COL_LAST] = { .name = "last_rank",
	               .title = "LAST",
	               .about = "rank that was last most often; absent for a tie",
	               .unit = TM_UNIT_ID },
	[COL_SHARE] = { .name = "last_share_pct",
	                .title = "SHARE",
	                .about = "its share of the collectives with a known last rank",
	                .unit = TM_UNIT_PCT,
	                .tight = 1 },
	[COL_BEST] = { .name = "best_pct",
	               .title = "OF BEST",
	               .about = "bandwidth as a share of the fastest communicator's with as many "
	                        "other ranks, as far apart, same op and bytes",
	               .unit = TM_UNIT_PCT,
	               .spare = 4 },
	[COL_SLOW] = { .name = "slow_ns",
	               .title = "SLOW",
	               .about = "time that its collectives would take less at that bandwidth",
	               .unit = TM_UNIT_NS,
	               .spare = 4 },
	[COL_N] = { 0 },
};

/* Words of the keys of sums: op and comm are ids in `names`, comm + 1. */
enum { KEY_OP, KEY_COMM, KEY_SIZED, KEY_BYTES, KEY_WORDS };

static bool is_view(const struct tm_metric_opts *o, const char *view)
{
	return o->view && !strcmp(o->view, view);
}

/* What each kernel of a track exposed, in memory of its own. */
static uint64_t *exposed_of(const struct ranks *r, const struct tm_work_track *t)
{
	const uint64_t *kept = tm_collectives_kept(r, t);
	const size_t n = t->op[TM_WORK_COMM].n;
	uint64_t *v;

	if (!kept)
		return tm_collectives_exposed(t);
	v = malloc((n + 1) * sizeof *v);
	if (v)
		memcpy(v, kept, n * sizeof *v);
	return v;
}

static bool sums_init(struct sums *s, const struct ranks *r)
{
	const struct tm_work *w = &r->w;

	*s = (struct sums) { .ops = { .words = 2 },
		             .keys = { .words = KEY_WORDS },
		             .lasts = { .words = 2 },
		             .ranks = { .words = 1 } };
	s->exposed = calloc(w->ntrack + 1, sizeof *s->exposed);
	s->transfer = calloc(w->ntrack + 1, sizeof *s->transfer);
	s->open = calloc(w->ntrack + 1, sizeof *s->open);
	s->window = calloc(w->ntrack + 1, sizeof *s->window);
	s->busy = calloc(w->ntrack + 1, sizeof *s->busy);
	if (!s->exposed || !s->transfer || !s->open || !s->window || !s->busy)
		return false;
	for (; s->ntracks < w->ntrack; s->ntracks++) {
		s->exposed[s->ntracks] = exposed_of(r, &w->track[s->ntracks]);
		if (!s->exposed[s->ntracks])
			return false;
		s->window[s->ntracks] = tm_collectives_window(r, &w->track[s->ntracks]);
		s->busy[s->ntracks] = tm_collectives_busy(r, &w->track[s->ntracks]);
	}
	return true;
}

static void sums_fini(struct sums *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		tm_quantile_fini(&s->v[i].skew);
		tm_quantile_fini(&s->v[i].ends);
		free(s->v[i].who);
	}
	for (size_t i = 0; s->exposed && i < s->ntracks; i++)
		free(s->exposed[i]);
	free(s->exposed);
	free(s->transfer);
	free(s->open);
	free(s->window);
	free(s->busy);
	free(s->op);
	free(s->v);
	free(s->nlast);
	free(s->rank);
	free(s->came);
	free(s->meeting);
	tm_groups_fini(&s->ops);
	tm_groups_fini(&s->keys);
	tm_groups_fini(&s->lasts);
	tm_groups_fini(&s->ranks);
	tm_names_fini(&s->names);
	tm_buf_fini(&s->text);
}

/* ---- adding up ---- */

/* The name of a row: the call, or the kernel's short name, which is made once for each kernel. */
static bool op_of(struct sums *s, const struct comm_row *row, uint64_t *op)
{
	const uint64_t key[] = { (uintptr_t)row->name, row->called };
	bool fresh;
	uint32_t id, k = tm_groups_item(&s->ops, key, &s->op, &s->op_cap, sizeof *s->op, &fresh);

	if (k == TM_GROUP_NONE)
		return false;
	if (!fresh) {
		*op = s->op[k];
		return true;
	}
	tm_buf_clear(&s->text);
	if (row->called)
		tm_buf_add(&s->text, row->name->text, row->name->len);
	else
		tm_kernel_name(&s->text, row->name->text, row->name->len, TM_NAME_SHORT);
	if (s->text.failed)
		return false;
	id = tm_names_add(&s->names, s->text.n ? s->text.p : "", s->text.n);
	s->op[k] = id;
	*op = id;
	return id != TM_NAME_NONE;
}

static struct sum *sum_of(struct sums *s, const struct comm_row *row, uint32_t *number)
{
	uint64_t key[KEY_WORDS] = {
		[KEY_SIZED] = row->sized, [KEY_BYTES] = row->sized ? row->bytes : 0
	};
	bool fresh;

	if (!op_of(s, row, &key[KEY_OP]))
		return NULL;
	if (row->comm) {
		uint32_t id = tm_names_add(&s->names, row->comm->text, row->comm->len);

		if (id == TM_NAME_NONE)
			return NULL;
		key[KEY_COMM] = (uint64_t)id + 1;
	}
	*number = tm_groups_item(&s->keys, key, &s->v, &s->cap, sizeof *s->v, &fresh);
	if (*number == TM_GROUP_NONE)
		return NULL;
	if (fresh) {
		s->v[*number].num = row->num;
		s->v[*number].den = row->den;
		s->v[*number].comm_ranks = row->comm_ranks;
		s->v[*number].comm = key[KEY_COMM];
		s->v[*number].alone = row->alone;
	}
	return &s->v[*number];
}

/* Somebody came last. */
static bool add_last(struct sums *s, uint32_t number, const struct comm_row *row)
{
	const uint64_t key[] = { number, row->last_rank };
	uint32_t i = tm_groups_item(&s->lasts, key, &s->nlast, &s->last_cap, sizeof *s->nlast,
	                            NULL);
	struct rank_sum *r = tm_collectives_rank(s, row->last_rank);
	struct sum *sum = &s->v[number];

	if (i == TM_GROUP_NONE || !r)
		return false;
	r->last += !row->pair;
	sum->lasts++;
	if (++s->nlast[i] > sum->most) {
		sum->most = s->nlast[i];
		sum->last_rank = row->last_rank;
		sum->tie = false;
	} else if (s->nlast[i] == sum->most) {
		sum->tie = true;
	}
	return true;
}

static const struct comm_part *last_of(const struct comm_row *row)
{
	const struct comm_part *last = row->part;

	for (size_t i = 1; i < row->members; i++)
		if (row->part[i].arrival > last->arrival)
			last = &row->part[i];
	return last;
}

/* Nobody knows how long it waited: the other rank of a send or receive is not known, or kernels
 * that may be of several collectives were taken for one. */
static bool is_open(const struct comm_row *row)
{
	return !row->compared && (row->pair || (row->blind && row->members > 1 &&
	                                        (row->uneven || row->names_differ)));
}

/* What of a kernel is exposed; of that it transferred no more than what it did not wait for; where
 * that is not known, no more than the whole collective takes on another rank. */
static uint64_t add_exposed(struct sums *s, const struct tm_work *w, const struct comm_row *row,
                            const struct comm_part *p, uint64_t waited)
{
	const size_t track = (size_t)(p->track - w->track);
	const uint64_t exposed = s->exposed[track][p->at];
	uint64_t transfer = p->dur > waited ? p->dur - waited : 0;

	if (!row->compared && row->members > 1 && (row->blind || row->lacking) &&
	    row->shortest < transfer)
		transfer = row->shortest;
	if (is_open(row))
		s->open[track] |= exposed != 0;
	else
		s->transfer[track] += exposed < transfer ? exposed : transfer;
	return exposed;
}

/* A collective that is in the traces of all ranks of its communicator. */
static bool add_whole(struct sum *sum, const struct comm_row *row)
{
	sum->whole++;
	sum->whole_ns += row->shortest;
	if (sum->who)
		return true;
	sum->who = tm_array(row->members, sizeof(*sum->who));
	for (size_t i = 0; sum->who && i < row->members; i++)
		sum->who[i] = row->part[i].track;
	return sum->who != NULL;
}

/* How far apart it ends. */
static bool add_ends(struct sum *sum, const struct comm_row *row)
{
	uint64_t least = UINT64_MAX, most = 0;

	if (row->pair || row->members < 2)
		return true;
	sum->together |= tm_comm_ends_together(row->name);
	for (size_t i = 0; i < row->members; i++) {
		least = row->part[i].end < least ? row->part[i].end : least;
		most = row->part[i].end > most ? row->part[i].end : most;
	}
	most -= least;
	if (!sum->ends.n || most < sum->least_ends)
		sum->least_ends = most;
	if (most > sum->most_ends)
		sum->most_ends = most;
	return tm_quantile_add(&sum->ends, most);
}

/* Those that give to others, or pass on, say something only where there are no others. */
static void find_ends(struct sums *s)
{
	bool together = false;

	for (size_t i = 0; i < s->keys.n; i++)
		together |= s->v[i].together;
	for (size_t i = 0; i < s->keys.n; i++) {
		struct sum *sum = &s->v[i];
		uint64_t ns;

		if (!sum->ends.n || sum->together != together)
			continue;
		ns = tm_quantile_at(&sum->ends, 500, sum->least_ends, sum->most_ends);
		s->ends = ns > s->ends ? ns : s->ends;
		s->has_ends = true;
	}
}

static bool add_row(struct sums *s, const struct comm_match *m, const struct tm_work *w,
                    const struct comm_row *row)
{
	uint32_t number;
	struct sum *sum = sum_of(s, row, &number);

	if (!sum)
		return false;
	for (size_t i = 0; i < row->nbefore; i++)
		sum->exposed += add_exposed(s, w, row, &row->before[i], 0);
	sum->members = row->members > sum->members ? row->members : sum->members;
	if (!row->members)
		return true;
	sum->count++;
	if (row->num != sum->num || row->den != sum->den)
		sum->num = sum->den = 0;
	sum->alone |= row->alone;
	sum->pair |= row->pair;
	if (row->comm_ranks != sum->comm_ranks)
		sum->comm_ranks = 0;
	for (size_t i = 0; i < row->members; i++) {
		const struct comm_part *p = &row->part[i];

		sum->total += p->dur;
		sum->exposed += add_exposed(
		        s, w, row, p, row->compared ? tm_collectives_sure(m, p, last_of(row)) : 0);
	}
	sum->shortest += row->shortest;
	sum->bytes += row->bytes;
	/* The shortest of some ranks may have waited for one that was not traced. */
	if (row->members == row->comm_ranks && !add_whole(sum, row))
		return false;
	sum->compared += row->compared;
	sum->small += row->compared && !row->skewed;
	if (row->compared) {
		bool first = !sum->skew.n;

		if (!tm_quantile_add(&sum->skew, row->skew))
			return false;
		if (first || row->skew < sum->least_skew)
			sum->least_skew = row->skew;
		if (row->skew > sum->most_skew)
			sum->most_skew = row->skew;
	}
	return add_ends(sum, row) && tm_collectives_wait(s, m, w, row, number) &&
	       (!row->has_last || add_last(s, number, row));
}

/* ---- tables ---- */

enum { COMPARED = 8 }; /* collectives at least: the first ones of a run are slow */

static uint64_t ranks_in(const struct sum *sum)
{
	return sum->comm_ranks ? sum->comm_ranks : sum->members;
}

/* Is its bandwidth one of a communicator? */
static bool is_comparable(const struct sums *s, uint32_t i)
{
	const uint64_t *key = s->keys.key + (size_t)i * KEY_WORDS;
	const struct sum *sum = &s->v[i];

	return key[KEY_COMM] && key[KEY_SIZED] && !sum->pair && sum->whole >= COMPARED &&
	       sum->whole_ns && sum->comm_ranks;
}

/* Order by what makes bandwidths comparable, of equals the fastest first. */
static int by_likeness(const void *pa, const void *pb, void *arg)
{
	const struct sums *s = arg;
	const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	const uint64_t *x = s->keys.key + (size_t)a * KEY_WORDS;
	const uint64_t *y = s->keys.key + (size_t)b * KEY_WORDS;
	const struct sum *v = &s->v[a], *w = &s->v[b];
	const tm_u128 vs = v->whole_ns * w->whole, ws = w->whole_ns * v->whole;
	int d = tm_u64_cmp(x[KEY_OP], y[KEY_OP]);

	d = d ? d : tm_u64_cmp(x[KEY_BYTES], y[KEY_BYTES]);
	d = d ? d : tm_u64_cmp(ranks_in(v), ranks_in(w));
	return d ? d : (vs > ws) - (vs < ws);
}

static bool is_like(const struct sums *s, uint32_t a, uint32_t b)
{
	const uint64_t *x = s->keys.key + (size_t)a * KEY_WORDS;
	const uint64_t *y = s->keys.key + (size_t)b * KEY_WORDS;

	return x[KEY_OP] == y[KEY_OP] && x[KEY_BYTES] == y[KEY_BYTES] &&
	       ranks_in(&s->v[a]) == ranks_in(&s->v[b]);
}

/* Has neither a GPU of the other, and are their ranks as far apart?  Otherwise they are of other
 * kinds: one connects the GPUs of a node, say, and the other nodes. */
static bool is_akin(const struct sum *a, const struct sum *b)
{
	const size_t n = a->comm_ranks;
	size_t i = 0, k = 0;

	for (size_t at = 1; at < n; at++)
		if (a->who[at]->rank - a->who[at - 1]->rank !=
		    b->who[at]->rank - b->who[at - 1]->rank)
			return false;
	while (i < n && k < n && a->who[i] != b->who[k])
		if (a->who[i] < b->who[k])
			i++;
		else
			k++;
	return i == n || k == n;
}

/* The fastest of n that are alike, fastest first, and akin to v[at]; itself where it is as fast;
 * NULL if there are no others. */
static const struct sum *best_of(const struct sums *s, const uint32_t *v, size_t n, size_t at)
{
	const struct sum *own = &s->v[v[at]];

	for (size_t i = 0; i < n; i++)
		if (i != at && is_akin(own, &s->v[v[i]]))
			return i < at ? &s->v[v[i]] : own;
	return NULL;
}

/* Find for each the fastest that is like it.  False when out of memory. */
static bool find_best(struct sums *s)
{
	uint32_t *order = malloc(((size_t)s->keys.n + 1) * sizeof *order);
	size_t n = 0;

	for (uint32_t i = 0; order && i < s->keys.n; i++)
		if (is_comparable(s, i))
			order[n++] = i;
	if (n)
		qsort_r(order, n, sizeof *order, by_likeness, s);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && is_like(s, order[i], order[end]);)
			end++;
		for (size_t k = i; k < end; k++)
			s->v[order[k]].best = best_of(s, order + i, end - i, k - i);
	}
	free(order);
	return order != NULL;
}

static void put_best(const struct sum *sum, struct tm_cell *c, struct tm_report *rep)
{
	const struct sum *best = sum->best;
	const tm_u128 less = best ? best->whole_ns * sum->whole : 0;

	if (!best)
		return;
	c[COL_BEST] = tm_work_pct(less, sum->whole_ns * best->whole);
	c[COL_SLOW] = tm_work_sum_cell(sum->whole_ns - less / best->whole, "durations", rep);
}

static bool put_sum(const struct sums *s, uint32_t i, struct tm_table *t, struct tm_report *rep)
{
	const uint64_t *key = s->keys.key + (size_t)i * KEY_WORDS;
	const struct tm_name *op = &s->names.v[key[KEY_OP]];
	struct sum *sum = &s->v[i];
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return false;
	c[COL_OP] = tm_table_own(t, op->text, op->len);
	if (key[KEY_COMM]) {
		const struct tm_name *comm = &s->names.v[key[KEY_COMM] - 1];

		c[COL_COMM] = tm_table_own(t, comm->text, comm->len);
	}
	if (sum->comm_ranks || sum->members)
		c[COL_RANKS] = tm_cell_u64(ranks_in(sum));
	c[COL_COUNT] = tm_cell_u64(sum->count);
	c[COL_TOTAL] = tm_work_sum_cell(sum->total, "durations", rep);
	c[COL_EXPOSED] = tm_work_sum_cell(sum->exposed, "exposed time", rep);
	if (key[KEY_SIZED]) {
		c[COL_BYTES] = tm_cell_u64(key[KEY_BYTES]);
		if (!sum->alone)
			c[COL_ALG] = tm_comm_bandwidth(sum->bytes, 1, 1, sum->shortest);
		c[COL_BUS] = tm_comm_bandwidth(sum->bytes, sum->num, sum->den, sum->shortest);
	}
	/* The middle one is below the error where that many are. */
	if (sum->compared && sum->small < (sum->compared + 1) / 2)
		c[COL_SKEW] = tm_cell_u64(
		        tm_quantile_at(&sum->skew, 500, sum->least_skew, sum->most_skew));
	if (sum->lasts) {
		if (!sum->tie)
			c[COL_LAST] = tm_cell_u64(sum->last_rank);
		c[COL_SHARE] = tm_work_pct(sum->most, sum->lasts);
	}
	put_best(sum, c, rep);
	return true;
}

static int by_total(const void *pa, const void *pb, void *arg)
{
	const struct sums *s = arg;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	const uint64_t *x = s->keys.key + (size_t)a * KEY_WORDS;
	const uint64_t *y = s->keys.key + (size_t)b * KEY_WORDS;
	int d = (s->v[a].total < s->v[b].total) - (s->v[a].total > s->v[b].total);

	d = d ? d : tm_name_cmp(&s->names.v[x[KEY_OP]], &s->names.v[y[KEY_OP]]);
	if (!d && (x[KEY_COMM] == 0) != (y[KEY_COMM] == 0))
		d = x[KEY_COMM] == 0 ? -1 : 1;
	if (!d && x[KEY_COMM])
		d = tm_name_cmp(&s->names.v[x[KEY_COMM] - 1], &s->names.v[y[KEY_COMM] - 1]);
	d = d ? d : (x[KEY_SIZED] > y[KEY_SIZED]) - (x[KEY_SIZED] < y[KEY_SIZED]);
	return d ? d : (x[KEY_BYTES] > y[KEY_BYTES]) - (x[KEY_BYTES] < y[KEY_BYTES]);
}

static bool put_sums(struct sums *s, struct tm_table *t, struct tm_report *rep)
{
	uint32_t *order = malloc(((size_t)s->keys.n + 1) * sizeof *order);
	bool ok = order != NULL;

	for (uint32_t i = 0; ok && i < s->keys.n; i++)
		order[i] = i;
	if (ok && s->keys.n)
		qsort_r(order, s->keys.n, sizeof *order, by_total, s);
	for (uint32_t i = 0; ok && i < s->keys.n; i++)
		ok = put_sum(s, order[i], t, rep);
	free(order);
	return ok;
}

static enum tm_status fill_sums(struct ranks *r, const struct tm_metric_opts *o, struct tm_table *t,
                                struct tm_report *rep)
{
	struct comm_match *m = tm_comm_match_new(r);
	const bool ranks = is_view(o, "ranks"), absent = is_view(o, "absent");
	struct sums s = { 0 };
	struct comm_row row;
	bool ok, nothing;

	tm_table_init_list(t, ranks    ? tm_collective_rank_columns
	                      : absent ? tm_collective_absent_columns
	                               : columns);
	if (!m)
		return TM_ST_FATAL;
	tm_comm_match_reach(m);
	ok = sums_init(&s, r);
	while (ok && tm_comm_match_next(m, &row))
		ok = add_row(&s, m, &r->w, &row);
	ok = ok && find_best(&s);
	find_ends(&s);
	s.clocks = tm_comm_match_clocks(m);
	nothing = ok && !(ranks ? s.ranks.n : s.keys.n);
	if (nothing)
		tm_work_explain_nothing(&r->w, "kernels of class comm", rep);
	if (ok && !nothing)
		ok = ranks    ? tm_collectives_put_ranks(&s, &r->w, t, rep)
		     : absent ? tm_collectives_put_absent(&s, r, o, t)
		              : put_sums(&s, t, rep);
	if (ok && !nothing && !absent)
		tm_comm_match_tell(m, rep);
	if (ok && !nothing && absent && !t->nrows && !o->aside) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: no ranks without a trace are known of");
		nothing = true;
	}
	tm_comm_match_free(m);
	sums_fini(&s);
	return !ok ? TM_ST_FATAL : nothing ? TM_ST_END : TM_ST_OK;
}

/* ---- the metric ---- */

static bool init(void *acc, const void *arg)
{
	return tm_ranks_init(acc, arg, COLLECTIVE_KEEP, true);
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	(void)o;
	return tm_ranks_want(COLLECTIVE_KEEP, true);
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	return is_view(o, "list") ? tm_fill_collectives(acc, t, rep) : fill_sums(acc, o, t, rep);
}

static const struct tm_metric_view views[] = {
	{ .columns = columns },
	{ .option = "ranks",
	  .about = "one row per rank: how often it was last, and how long the others waited",
	  .columns = tm_collective_rank_columns,
	  .whole = true,
	  .sums = true },
	{ .option = "list",
	  .about = "one row per collective",
	  .columns = tm_collective_columns,
	  .sums = true },
	{ .option = "absent",
	  .about = "ranks without a trace, for which others may have waited",
	  .columns = tm_collective_absent_columns,
	  .whole = true,
	  .sums = true },
	{ 0 },
};

const struct tm_metric tm_metric_collectives = {
	.name = "collectives",
	.about = "cost of communication, and which rank the others waited for",
	.group = "Which step is slow, which rank is late?",
	.examples = "kstats collectives run.db\n"
	            "kstats collectives --ranks traces/\n",
	.views = views,
	.state = 4,
	.sink = RANKS_SINK(init),
	.work = tm_work_itself,
	.whole = TM_WHOLE_RANKS,
	.want = want,
	.fill = fill,
};
