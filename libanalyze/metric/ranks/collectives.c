/* SPDX-License-Identifier: MIT
 * What did the collectives cost, at what bandwidth, and who kept the others waiting?
 *
 * A row for each operation, size and communicator, or for each rank.  metric/comm_match.h says
 * which kernels are one collective.  Every kernel of class comm is in one row, so the totals add up
 * to those of `top`, and what is exposed to that of `timeline`: a stretch in which several
 * communicate and nothing computes goes to the one that began first. */
#include "agg/agg.h"
#include "base/base.h"
#include "metric/ranks/comm_match.h"

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
	               .unit = TM_UNIT_TEXT,
	               .spare = 1 },
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
	              .unit = TM_UNIT_RATIO },
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
	                .unit = TM_UNIT_PCT },
	[COL_N] = { 0 },
};

enum {
	RANK_RANK,
	RANK_LAST,
	RANK_LAST_PCT,
	RANK_CAUSED,
	RANK_CAUSED_PCT,
	RANK_WAITED,
	RANK_LATE,
	RANK_LATE_PCT,
	RANK_WAITED_PCT,
	RANK_LATE_MAX,
	RANK_LATE_MAX_PCT,
	RANK_PATTERN,
	RANK_TRANSFER,
	RANK_N
};

static const struct tm_column rank_columns[] = {
	[RANK_RANK] = { .name = "rank",
	                .title = "RANK",
	                .about = "rank of the process",
	                .unit = TM_UNIT_ID },
	[RANK_LAST] = { .name = "last",
	                .title = "LAST",
	                .about = "collectives in which it was certainly last",
	                .unit = TM_UNIT_COUNT },
	[RANK_LAST_PCT] = { .name = "last_pct",
	                    .title = "LAST%",
	                    .about = "share of the collectives with a known last rank",
	                    .unit = TM_UNIT_PCT,
	                    .spare = 2 },
	[RANK_CAUSED] = { .name = "caused_wait_ns",
	                  .title = "CAUSED WAIT",
	                  .about = "how long the first rank waited when this rank was last; "
	                           "shared if several are last",
	                  .unit = TM_UNIT_NS },
	[RANK_CAUSED_PCT] = { .name = "caused_wait_pct",
	                      .title = "CAUSED WAIT%",
	                      .about = "share of the waits caused by all ranks",
	                      .unit = TM_UNIT_PCT,
	                      .bar = true },
	[RANK_WAITED] = { .name = "waited_ns",
	                  .title = "WAITED",
	                  .about = "time it waited for the last rank",
	                  .unit = TM_UNIT_NS },
	[RANK_LATE] = { .name = "late_ns",
	                .title = "LATE",
	                .about = "delay of its start after half of the ranks",
	                .unit = TM_UNIT_NS },
	[RANK_LATE_PCT] = { .name = "late_pct",
	                    .title = "LATE%",
	                    .about = "late_ns / delay of the last rank after half of the ranks",
	                    .unit = TM_UNIT_PCT },
	[RANK_WAITED_PCT] = { .name = "waited_pct",
	                      .title = "WAITED%",
	                      .about = "waited_ns / time of the kernels that waited",
	                      .unit = TM_UNIT_PCT,
	                      .spare = 1 },
	[RANK_LATE_MAX] = { .name = "late_max_ns",
	                    .title = "LATE MAX",
	                    .about = "longest delay at one collective",
	                    .unit = TM_UNIT_NS,
	                    .spare = 3 },
	[RANK_LATE_MAX_PCT] = { .name = "late_max_pct",
	                        .title = "LATE MAX%",
	                        .about = "late_max_ns / the same delay as for LATE%",
	                        .unit = TM_UNIT_PCT,
	                        .spare = 3 },
	[RANK_PATTERN] = { .name = "pattern",
	                   .title = "PATTERN",
	                   .about = "late often or once, or one of ranks that are late in turns",
	                   .unit = TM_UNIT_TEXT,
	                   .spare = 1 },
	[RANK_TRANSFER] = { .name = "transfer_ns",
	                    .title = "TRANSFER",
	                    .about = "what collectives that take no time would save, at most",
	                    .unit = TM_UNIT_NS,
	                    .spare = 2 },
	[RANK_N] = { 0 },
};

/* The collectives of one row. */
struct sum {
	uint64_t count, members, comm_ranks;
	tm_u128 total, exposed, bytes, shortest;
	uint64_t num, den;        /* bus factor; den 0 = not known, or they differ */
	bool alone;               /* the time of one is not that of both */
	uint64_t compared, small; /* collectives of several agents; those below the error */
	struct tm_quantile skew;
	uint64_t least_skew, most_skew;
	uint64_t lasts; /* of which one rank came last */
	uint64_t last_rank, most;
	bool tie; /* another rank came last as often */
};

/* What a rank did to the others. */
struct rank_sum {
	uint64_t rank, compared, last; /* compared: collectives of which arrivals are known */
	uint64_t late_most;            /* at one collective */
	/* The same less how far the clocks may be off: */
	uint64_t sure_most;
	tm_u128 sure_late, sure_waited;
	tm_u128 caused, waited, late;
	tm_u128 held;   /* by collectives: of each the kernel that came first */
	tm_u128 behind; /* from half of the ranks to the last, of collectives that it was in */
	tm_u128 transfer, exposed;
	uint64_t count; /* collectives that it was in */
	uint32_t up;    /* the rank above it in the tree of ranks that communicate */
	/* Of a root: */
	bool several;  /* ranks */
	bool blamed;   /* one of them is late often or once */
	bool ready;    /* one hardly waits */
	uint64_t most; /* collectives that one of them was in, and of those that were in so many */
	tm_u128 least; /* the least exposed */
};

/* Percent of what a rank's collectives had to wait after half of the ranks had come, from which on
 * it is to blame; and of the time of its kernels, up to which it hardly waits. */
enum { BLAMED_PCT = 60, READY_PCT = 10 };

/* Words of the keys of sums: op and comm are ids in `names`, comm + 1. */
enum { KEY_OP, KEY_COMM, KEY_SIZED, KEY_BYTES, KEY_WORDS };

struct sums {
	struct tm_names names;
	struct tm_groups ops; /* name (its address), is it a call's */
	uint32_t *op;         /* of each of ops: its id in `names` */
	size_t op_cap;
	struct tm_groups keys;
	struct sum *v;
	size_t cap;
	struct tm_groups lasts; /* (sum, rank) */
	uint64_t *nlast;
	size_t last_cap;
	struct tm_groups ranks;
	struct rank_sum *rank;
	size_t rank_cap;
	const struct comm_part **came; /* of each rank that came to the collective at hand the last
	                                * agent */
	size_t came_cap;
	/* Of every track, */
	uint64_t **exposed; /* of every kernel of class comm */
	tm_u128 *transfer;  /* what is exposed and not waiting */
	size_t ntracks;
	struct tm_buf text;
};

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
	if (!s->exposed || !s->transfer)
		return false;
	for (; s->ntracks < w->ntrack; s->ntracks++) {
		s->exposed[s->ntracks] = exposed_of(r, &w->track[s->ntracks]);
		if (!s->exposed[s->ntracks])
			return false;
	}
	return true;
}

static void sums_fini(struct sums *s)
{
	for (size_t i = 0; i < s->keys.n; i++)
		tm_quantile_fini(&s->v[i].skew);
	for (size_t i = 0; s->exposed && i < s->ntracks; i++)
		free(s->exposed[i]);
	free(s->exposed);
	free(s->transfer);
	free(s->op);
	free(s->v);
	free(s->nlast);
	free(s->rank);
	free(s->came);
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
		s->v[*number].alone = row->alone;
	}
	return &s->v[*number];
}

static struct rank_sum *rank_of(struct sums *s, uint64_t rank)
{
	bool fresh;
	uint32_t i = tm_groups_item(&s->ranks, &rank, &s->rank, &s->rank_cap, sizeof *s->rank,
	                            &fresh);

	if (i == TM_GROUP_NONE)
		return NULL;
	s->rank[i].rank = rank;
	if (fresh)
		s->rank[i].up = i;
	return &s->rank[i];
}

/* The root of ranks that communicate with each other, also by way of others. */
static uint32_t root_of(struct sums *s, uint32_t i)
{
	while (s->rank[i].up != i)
		i = s->rank[i].up = s->rank[s->rank[i].up].up;
	return i;
}

static void unite(struct sums *s, uint32_t a, uint32_t b)
{
	a = root_of(s, a);
	b = root_of(s, b);
	if (a == b)
		return;
	s->rank[b].up = a;
	s->rank[a].several = true;
}

/* Somebody came last. */
static bool add_last(struct sums *s, uint32_t number, const struct comm_row *row)
{
	const uint64_t key[] = { number, row->last_rank };
	uint32_t i = tm_groups_item(&s->lasts, key, &s->nlast, &s->last_cap, sizeof *s->nlast,
	                            NULL);
	struct rank_sum *r = rank_of(s, row->last_rank);
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

/* A rank in a collective, when the first and the last of its agents came, and how long the first
 * was there. */
struct comer {
	uint64_t rank, first, last, dur;
	const struct comm_part *first_part, *last_part;
	size_t end; /* of row->part; 0 = none yet */
};

/* The next rank of a row; false after the last. */
static bool next_comer(const struct comm_row *row, struct comer *c)
{
	const size_t from = c->end;

	if (from == row->members)
		return false;
	*c = (struct comer) { .rank = row->part[from].track->rank, .first = UINT64_MAX };
	for (c->end = from; c->end < row->members && row->part[c->end].track->rank == c->rank;
	     c->end++) {
		const struct comm_part *p = &row->part[c->end];

		if (p->arrival < c->first) {
			c->first = p->arrival;
			c->first_part = p;
			c->dur = p->dur;
		}
		if (!c->last_part || p->arrival > c->last) {
			c->last = p->arrival;
			c->last_part = p;
		}
	}
	return true;
}

static int by_time(const void *pa, const void *pb)
{
	const struct comm_part *a = *(const struct comm_part *const *)pa;
	const struct comm_part *b = *(const struct comm_part *const *)pb;
	int d = tm_u64_cmp(a->arrival, b->arrival);

	return d ? d : tm_u64_cmp(a->track->rank, b->track->rank);
}

/* Who came when half of the ranks had come, who came last, and how many came last together. */
static bool look_comers(struct sums *s, const struct comm_row *row, const struct comm_part **half,
                        const struct comm_part **last, uint64_t *lasts)
{
	struct comer c = { 0 };
	size_t n = 0;

	*lasts = 0;
	while (next_comer(row, &c)) {
		if (!tm_grow_array(&s->came, &s->came_cap, n + 1, sizeof *s->came))
			return false;
		s->came[n++] = c.last_part;
		*lasts += c.last == row->last_arrival;
	}
	qsort(s->came, n, sizeof *s->came, by_time);
	*half = s->came[(n - 1) / 2];
	*last = s->came[n - 1];
	return true;
}

/* What remains of the time from a to b, however far their clocks are off. */
static uint64_t sure(const struct comm_match *m, const struct comm_part *a,
                     const struct comm_part *b)
{
	const uint64_t time = b->arrival > a->arrival ? b->arrival - a->arrival : 0;
	const uint64_t error = time ? tm_comm_match_error(m, a, b) : 0;

	return time > error ? time - error : 0;
}

/* How long each rank waited, that is its first agent to come, and how late it was.  Whose fault the
 * waiting was is measured, not proved; but where two ranks are too close to tell which of them was
 * last, it is all but the same time.  Of sends and receives nothing is said: stages of a pipeline
 * wait for each other without any being late. */
static bool add_waits(struct sums *s, const struct comm_match *m, const struct comm_row *row)
{
	const bool compared = row->compared && !row->pair;
	const bool skewed = compared && row->skewed;
	const struct comm_part *half = NULL, *last = NULL;
	uint64_t lasts = 0, before = 0; /* before: ranks that came last, up to here */
	uint64_t late;
	uint32_t one = TM_GROUP_NONE; /* rank of them */
	struct comer c = { 0 };

	if (skewed && !look_comers(s, row, &half, &last, &lasts))
		return false;
	while (next_comer(row, &c)) {
		struct rank_sum *r = rank_of(s, c.rank);

		if (!r)
			return false;
		one = one == TM_GROUP_NONE ? (uint32_t)(r - s->rank) : one;
		if (compared)
			unite(s, one, (uint32_t)(r - s->rank));
		r->count++;
		r->compared += compared;
		r->held += compared ? c.dur : 0;
		if (!skewed)
			continue;
		r->behind += last->arrival - half->arrival;
		r->waited += last->arrival - c.first;
		r->sure_waited += sure(m, c.first_part, last);
		late = c.last > half->arrival ? c.last - half->arrival : 0;
		r->late += late;
		r->late_most = late > r->late_most ? late : r->late_most;
		late = sure(m, half, c.last_part);
		r->sure_late += late;
		r->sure_most = late > r->sure_most ? late : r->sure_most;
		if (c.last == row->last_arrival)
			r->caused += row->skew / lasts + (before++ < row->skew % lasts);
	}
	return true;
}

/* What of a kernel is exposed; of that it transferred no more than what it did not wait for. */
static uint64_t add_exposed(struct sums *s, const struct tm_work *w, const struct comm_part *p,
                            uint64_t waited)
{
	const size_t track = (size_t)(p->track - w->track);
	const uint64_t exposed = s->exposed[track][p->at];
	const uint64_t transfer = p->dur > waited ? p->dur - waited : 0;

	s->transfer[track] += exposed < transfer ? exposed : transfer;
	return exposed;
}

static const struct comm_part *last_of(const struct comm_row *row)
{
	const struct comm_part *last = row->part;

	for (size_t i = 1; i < row->members; i++)
		if (row->part[i].arrival > last->arrival)
			last = &row->part[i];
	return last;
}

static bool add_row(struct sums *s, const struct comm_match *m, const struct tm_work *w,
                    const struct comm_row *row)
{
	/* Along a pipeline the transfers of all ranks follow each other: no wait is left out. */
	const bool waits = row->compared && !row->pair;
	uint32_t number;
	struct sum *sum = sum_of(s, row, &number);

	if (!sum)
		return false;
	for (size_t i = 0; i < row->nbefore; i++)
		sum->exposed += add_exposed(s, w, &row->before[i], 0);
	sum->members = row->members > sum->members ? row->members : sum->members;
	if (!row->members)
		return true;
	sum->count++;
	if (row->num != sum->num || row->den != sum->den)
		sum->num = sum->den = 0;
	sum->alone |= row->alone;
	if (row->comm_ranks != sum->comm_ranks)
		sum->comm_ranks = 0;
	for (size_t i = 0; i < row->members; i++) {
		const struct comm_part *p = &row->part[i];

		sum->total += p->dur;
		sum->exposed += add_exposed(s, w, p, waits ? sure(m, p, last_of(row)) : 0);
	}
	sum->shortest += row->shortest;
	sum->bytes += row->bytes;
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
	return add_waits(s, m, row) && (!row->has_last || add_last(s, number, row));
}

/* ---- tables ---- */

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
		c[COL_RANKS] = tm_cell_u64(sum->comm_ranks ? sum->comm_ranks : sum->members);
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

static bool is_share(tm_u128 part, tm_u128 whole, unsigned pct)
{
	return whole && part * 100 >= whole * pct;
}

static bool is_once(const struct rank_sum *r)
{
	return is_share(r->sure_most, r->behind, BLAMED_PCT);
}

/* Most of its lateness may still be one delay, of which the clocks leave too little. */
static bool is_often(const struct rank_sum *r)
{
	return !is_share(r->late_most, r->behind, BLAMED_PCT) &&
	       is_share(r->sure_late, r->behind, BLAMED_PCT);
}

/* What the ranks that communicate with each other have in common. */
static void look_together(struct sums *s)
{
	for (uint32_t i = 0; i < s->ranks.n; i++) {
		const struct rank_sum *r = &s->rank[i];
		struct rank_sum *root = &s->rank[root_of(s, i)];

		/* Also where the clocks do not say for sure. */
		root->blamed |= is_share(r->late, r->behind, BLAMED_PCT);
		root->ready |= !is_share(r->sure_waited, r->held, READY_PCT);
		/* All else of a rank takes as long without them. */
		if (r->count > root->most || (r->count == root->most && r->exposed < root->least)) {
			root->most = r->count;
			root->least = r->exposed;
		}
	}
}

/* Where a rank is to blame, others that come late in the same collectives are not: they may wait
 * for it elsewhere. */
static struct tm_cell pattern(struct sums *s, uint32_t i)
{
	const struct rank_sum *r = &s->rank[i], *root = &s->rank[root_of(s, i)];

	if (is_once(r))
		return tm_cell_text("once", 4);
	if (is_often(r))
		return tm_cell_text("often", 5);
	return root->several && !root->blamed && !root->ready ? tm_cell_text("turns", 5)
	                                                      : tm_cell_none();
}

static int by_rank(const void *pa, const void *pb, void *arg)
{
	const struct rank_sum *v = arg;

	return tm_u64_cmp(v[*(const uint32_t *)pa].rank, v[*(const uint32_t *)pb].rank);
}

/* Of the agent of each rank with most of it. */
static void take_exposed(struct sums *s, const struct tm_work *w)
{
	for (size_t i = 0; i < s->ntracks; i++) {
		const uint32_t at = tm_groups_find(&s->ranks, &w->track[i].rank);
		struct rank_sum *r = at == TM_GROUP_NONE ? NULL : &s->rank[at];
		tm_u128 exposed = 0;

		for (size_t k = 0; r && k < w->track[i].op[TM_WORK_COMM].n; k++)
			exposed += s->exposed[i][k];
		if (r && exposed > r->exposed)
			r->exposed = exposed;
		if (r && s->transfer[i] > r->transfer)
			r->transfer = s->transfer[i];
	}
}

static bool put_rank(struct sums *s, uint32_t i, uint64_t lasts, tm_u128 caused, struct tm_table *t,
                     struct tm_report *rep)
{
	const struct rank_sum *r = &s->rank[i];
	const tm_u128 least = s->rank[root_of(s, i)].least;
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return false;
	c[RANK_RANK] = tm_cell_u64(r->rank);
	c[RANK_TRANSFER] = tm_work_sum_cell(r->transfer < least ? r->transfer : least,
	                                    "exposed time", rep);
	if (!r->compared)
		return true;
	c[RANK_LAST] = tm_cell_u64(r->last);
	c[RANK_LAST_PCT] = lasts ? tm_work_pct(r->last, lasts) : tm_cell_none();
	c[RANK_CAUSED] = tm_work_sum_cell(r->caused, "waiting", rep);
	c[RANK_CAUSED_PCT] = caused ? tm_work_pct(r->caused, caused) : tm_cell_none();
	c[RANK_WAITED] = tm_work_sum_cell(r->waited, "waiting", rep);
	c[RANK_LATE] = tm_work_sum_cell(r->late, "lateness", rep);
	/* Where clocks are off it may seem to wait when all is over. */
	c[RANK_WAITED_PCT] = r->held ? tm_work_pct(r->waited < r->held ? r->waited : r->held,
	                                           r->held)
	                             : tm_cell_none();
	c[RANK_LATE_MAX] = tm_cell_u64(r->late_most);
	c[RANK_PATTERN] = pattern(s, i);
	if (!r->behind)
		return true;
	c[RANK_LATE_PCT] = tm_work_pct(r->late, r->behind);
	c[RANK_LATE_MAX_PCT] = tm_work_pct(r->late_most, r->behind);
	return true;
}

static bool put_ranks(struct sums *s, const struct tm_work *w, struct tm_table *t,
                      struct tm_report *rep)
{
	uint32_t *order = malloc(((size_t)s->ranks.n + 1) * sizeof *order);
	uint64_t lasts = 0;
	tm_u128 caused = 0;
	bool ok = order != NULL;

	for (uint32_t i = 0; ok && i < s->ranks.n; i++) {
		order[i] = i;
		lasts += s->rank[i].last;
		caused += s->rank[i].caused;
	}
	take_exposed(s, w);
	look_together(s);
	if (ok && s->ranks.n)
		qsort_r(order, s->ranks.n, sizeof *order, by_rank, s->rank);
	for (uint32_t i = 0; ok && i < s->ranks.n; i++)
		ok = put_rank(s, order[i], lasts, caused, t, rep);
	free(order);
	return ok;
}

static enum tm_status fill_sums(struct ranks *r, const struct tm_metric_opts *o, struct tm_table *t,
                                struct tm_report *rep)
{
	struct comm_match *m = tm_comm_match_new(r);
	bool ranks = is_view(o, "ranks");
	struct sums s = { 0 };
	struct comm_row row;
	bool ok, nothing;

	if (ranks)
		tm_table_init_list(t, rank_columns);
	else
		tm_table_init_list(t, columns);
	if (!m)
		return TM_ST_FATAL;
	tm_comm_match_reach(m);
	ok = sums_init(&s, r);
	while (ok && tm_comm_match_next(m, &row))
		ok = add_row(&s, m, &r->w, &row);
	nothing = ok && !(ranks ? s.ranks.n : s.keys.n);
	if (nothing)
		tm_work_explain_nothing(&r->w, "kernels of class comm", rep);
	ok = ok && (ranks ? put_ranks(&s, &r->w, t, rep) : put_sums(&s, t, rep));
	if (ok && !nothing)
		tm_comm_match_tell(m, rep);
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
	  .columns = rank_columns,
	  .whole = true,
	  .sums = true },
	{ .option = "list",
	  .about = "one row per collective",
	  .columns = tm_collective_columns,
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
	.state = 1,
	.sink = RANKS_SINK(init),
	.work = tm_work_itself,
	.whole = TM_WHOLE_RANKS,
	.want = want,
	.fill = fill,
};
