/* SPDX-License-Identifier: MIT
 * Lists of few runs.
 *
 * What one thread or queue did comes almost in order, mostly in that of the ends; a list of several
 * has such runs one after the other, or bits of them by turns.  They are told apart, brought one
 * after the other, and merged by twos.  A block that was read is written to next, so that this
 * takes a few blocks more than the list has, however long it is. */
#include "agg/blocks.h"
#include "agg/intervals_order.h"
#include "agg/intervals_parts.h"

#include <stdlib.h>

enum {
	PATIENCE = 2, /* moves that each entry has */
	AT_FIRST = 64,
	MOST_RUNS = 16,
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Does *x come after *y, whose keys these are? */
static inline bool is_behind(const struct sorter *o, const struct tm_interval *x, uint64_t key_x,
                             const struct tm_interval *y, uint64_t key_y)
{
	return key_x != key_y ? key_x > key_y : tm_sorter_rest(o, x, y) > 0;
}

/* ---- one run ---- */

static bool entry_is_behind(const struct sorter *o, size_t a, size_t b)
{
	const struct tm_interval *x = tm_interval_at(o->s, a), *y = tm_interval_at(o->s, b);

	return is_behind(o, x, sorter_key(o, x), y, sorter_key(o, y));
}

/* Where entry i belongs in the run [from, i), whose last comes after it: mostly not far from that.
 */
static size_t place_in(const struct sorter *o, size_t from, size_t i)
{
	size_t hi = i - 1, far = 1, lo;

	for (; hi - from >= far && entry_is_behind(o, hi - far, i); far *= 2)
		hi -= far;
	lo = hi - from >= far ? hi - far + 1 : from;
	TM_BISECT(lo, hi, mid, !entry_is_behind(o, mid, i));
	return lo;
}

static void move_back(struct tm_intervals *s, size_t i, size_t to)
{
	const struct tm_interval one = *tm_interval_at(s, i);

	for (; i > to; i--)
		*tm_interval_entry(s, i) = *tm_interval_at(s, i - 1);
	*tm_interval_entry(s, to) = one;
}

/* Each that is not in its place is moved there, as long as that costs no more than a few moves
 * each, of the entries so far: where it is in vain, that shows soon. */
bool tm_sorter_is_run(const struct sorter *o, size_t from, size_t n)
{
	const struct tm_interval *before = tm_interval_at(o->s, from);
	uint64_t key_before = sorter_key(o, before);
	size_t moves = AT_FIRST;

	for (size_t i = from + 1; i < from + n; i++) {
		const struct tm_interval *one = tm_interval_at(o->s, i);
		const uint64_t key = sorter_key(o, one);
		size_t to;

		moves += PATIENCE;
		if (!is_behind(o, before, key_before, one, key)) {
			before = one;
			key_before = key;
			continue;
		}
		to = place_in(o, from, i);
		if (i - to > moves)
			return false;
		moves -= i - to;
		move_back(o->s, i, to);
		before = one; /* the last still, at another place */
	}
	return true;
}

/* ---- telling runs apart ---- */

/* So many runs: their last entries so far, how many entries they have. */
struct runs {
	size_t n, size[MOST_RUNS], turns;
	struct tm_interval last[MOST_RUNS];
	uint64_t key[MOST_RUNS];
	size_t now;     /* whose turn it is, as long as keys are below ... */
	uint64_t other; /* ... the last one of another */
};

/* The run that *v continues: of those that it can, the one of the latest end.  A new one if it can
 * none; MOST_RUNS when there are too many. */
static size_t find_run(const struct sorter *o, struct runs *r, const struct tm_interval *v,
                       uint64_t key)
{
	size_t k = r->n;

	for (size_t i = 0; i < r->n; i++)
		if ((k == r->n || r->key[i] > r->key[k]) &&
		    !is_behind(o, &r->last[i], r->key[i], v, key))
			k = i;
	if (k == MOST_RUNS)
		return k;
	if (k == r->n)
		r->size[r->n++] = 0;
	r->other = UINT64_MAX;
	for (size_t i = 0; i < r->n; i++)
		if (i != k && r->key[i] >= key && r->key[i] < r->other)
			r->other = r->key[i];
	r->turns++;
	return r->now = k;
}

/* The run of the next entry, as find_run. */
static inline size_t next_run(const struct sorter *o, struct runs *r, const struct tm_interval *v)
{
	const uint64_t key = sorter_key(o, v);
	size_t k = r->now;

	if (!r->n || key >= r->other || key <= r->key[k])
		k = find_run(o, r, v, key);
	if (k == MOST_RUNS)
		return k;
	r->key[k] = key;
	r->last[k] = *v;
	r->size[k]++;
	return k;
}

/* False: there are too many. */
static bool find_runs(const struct sorter *o, struct runs *r)
{
	const struct tm_intervals *s = o->s;

	r->n = r->turns = r->now = 0;
	for (size_t i = 0; i < s->n; i++)
		if (next_run(o, r, tm_interval_at(s, i)) == MOST_RUNS)
			return false;
	return true;
}

/* ---- the blocks ---- */

/* From the blocks `in` to the blocks `out`, `blocks` each. */
struct merge {
	struct sorter o;
	struct tm_interval **in, **out, **spare;
	uint16_t *left; /* of each block of `in`: entries to be read yet */
	size_t n, blocks, nspare;
	size_t begin[MOST_RUNS + 1], runs; /* where runs begin; the end of the last */
	struct tm_interval *to, *to_end; /* where the next is written, in the last block of `out` */
	size_t nout;
};

/* Of each run two blocks may be read or written in part, the first and that at hand; and so may be
 * the block at the other side. */
static size_t extra_of(size_t runs)
{
	return 2 * runs + 1;
}

static void merge_fini(struct merge *m)
{
	while (m->nspare)
		tm_block_free(m->spare[--m->nspare]);
	free(m->in);
	free(m->left);
}

/* Room for all of that; false when there is none. */
static bool merge_init(struct merge *m, const struct sorter *o, const size_t *size, size_t runs)
{
	const size_t n = o->s->n, blocks = (n + TM_INTERVAL_BLOCK - 1) >> TM_INTERVAL_SHIFT,
	             extra = least(blocks, extra_of(runs));

	*m = (struct merge) { .o = *o, .n = n, .blocks = blocks, .runs = runs };
	for (size_t k = 0; k < runs; k++)
		m->begin[k + 1] = m->begin[k] + size[k];
	m->in = malloc((3 * blocks + extra) * sizeof(struct tm_interval *));
	m->left = malloc(blocks * sizeof *m->left);
	if (m->in && m->left) {
		m->out = m->in + blocks;
		m->spare = m->out + blocks;
		while (m->nspare < extra && (m->spare[m->nspare] = tm_block_new()))
			m->nspare++;
		if (m->nspare == extra) {
			memcpy(m->in, o->s->block, blocks * sizeof(struct tm_interval *));
			return true;
		}
	}
	merge_fini(m);
	return false;
}

static void begin_pass(struct merge *m)
{
	for (size_t b = 0; b < m->blocks; b++) {
		m->left[b] = (uint16_t)least(TM_INTERVAL_BLOCK, m->n - b * TM_INTERVAL_BLOCK);
		m->out[b] = NULL;
	}
	m->to = m->to_end = NULL;
	m->nout = 0;
}

static void end_pass(struct merge *m)
{
	memcpy(m->in, m->out, m->blocks * sizeof(struct tm_interval *));
}

/* The blocks of the list are now those of `in`; a block that grows stays where it is. */
static void take_back(struct merge *m, struct tm_intervals *s)
{
	if (s->cap < TM_INTERVAL_BLOCK && m->in[0] != s->block[0]) {
		memcpy(s->block[0], m->in[0], s->n * sizeof **s->block);
		m->spare[0] = m->in[0];
	} else if (s->cap >= TM_INTERVAL_BLOCK) {
		memcpy(s->block, m->in, m->blocks * sizeof(struct tm_interval *));
	}
}

/* ---- one run, or group, after the other ---- */

/* Where the next entry of each goes. */
struct dealing {
	struct merge *m;
	size_t at[MOST_RUNS];
};

static struct dealing begin_dealing(struct merge *m)
{
	struct dealing d = { .m = m };

	memcpy(d.at, m->begin, m->runs * sizeof *d.at);
	begin_pass(m);
	return d;
}

static inline void deal_to(struct dealing *d, size_t k, const struct tm_interval *v)
{
	const size_t to = d->at[k]++;
	struct tm_interval **out = &d->m->out[to >> TM_INTERVAL_SHIFT];

	if (!*out)
		*out = d->m->spare[--d->m->nspare];
	(*out)[to & (TM_INTERVAL_BLOCK - 1)] = *v;
}

static void deal_runs(struct merge *m, struct runs *r)
{
	struct dealing d = begin_dealing(m);

	r->n = r->now = 0;
	for (size_t b = 0; b < m->blocks; b++) {
		const struct tm_interval *v = m->in[b];

		for (size_t i = 0; i < m->left[b]; i++)
			deal_to(&d, next_run(&m->o, r, &v[i]), &v[i]);
		m->spare[m->nspare++] = m->in[b];
	}
	end_pass(m);
}

/* ---- groups ---- */

/* The groups that there are, ascending, and how many entries each has. */
struct shares {
	size_t n, size[MOST_RUNS], now;
	uint64_t group[MOST_RUNS];
	bool dealt; /* none comes after a later one */
};

/* Which one it is: mostly that of the entry before. */
static inline size_t share_of(struct shares *g, uint64_t group)
{
	size_t k = g->now;

	if (k < g->n && g->group[k] == group)
		return k;
	for (k = 0; k < g->n && g->group[k] < group;)
		k++;
	return g->now = k;
}

/* False: there are too many. */
static bool find_shares(const struct sorter *o, struct shares *g)
{
	const struct tm_intervals *s = o->s;
	uint64_t before = 0;

	*g = (struct shares) { .dealt = true };
	for (size_t i = 0; i < s->n; i++) {
		const uint64_t group = sorter_key(o, tm_interval_at(s, i));
		const size_t k = share_of(g, group);

		g->dealt &= group >= before;
		before = group;
		if (k == g->n || g->group[k] != group) {
			if (g->n == MOST_RUNS)
				return false;
			for (size_t j = g->n++; j > k; j--) {
				g->group[j] = g->group[j - 1];
				g->size[j] = g->size[j - 1];
			}
			g->group[k] = group;
			g->size[k] = 0;
		}
		g->size[k]++;
	}
	return true;
}

bool tm_sorter_deal_groups(const struct sorter *o)
{
	struct shares g;
	struct dealing d;
	struct merge m;

	if (!find_shares(o, &g))
		return false;
	if (g.dealt)
		return true;
	if (!merge_init(&m, o, g.size, g.n))
		return false;
	d = begin_dealing(&m);
	for (size_t b = 0; b < m.blocks; b++) {
		const struct tm_interval *v = m.in[b];

		for (size_t i = 0; i < m.left[b]; i++)
			deal_to(&d, share_of(&g, sorter_key(o, &v[i])), &v[i]);
		m.spare[m.nspare++] = m.in[b];
	}
	end_pass(&m);
	take_back(&m, o->s);
	merge_fini(&m);
	return true;
}

/* ---- merging ---- */

/* What is to be read of a run. */
struct rest {
	const struct tm_interval *v, *end; /* in its block */
	size_t at, n; /* in the list: where that block ends, and what follows */
};

/* The next block of a run; `v` = `end` when there is none. */
static void next_block(const struct merge *m, struct rest *r)
{
	const size_t first = r->at & (TM_INTERVAL_BLOCK - 1);
	size_t n = TM_INTERVAL_BLOCK - first;

	n = n < r->n ? n : r->n;
	r->v = r->end = NULL;
	if (!n)
		return;
	r->v = m->in[r->at >> TM_INTERVAL_SHIFT] + first;
	r->end = r->v + n;
	r->at += n;
	r->n -= n;
}

static struct rest rest_of(const struct merge *m, size_t from, size_t to)
{
	struct rest r = { .at = from, .n = to - from };

	next_block(m, &r);
	return r;
}

/* n entries of that block have been read: the last of them frees it. */
static void have_read(struct merge *m, struct rest *r, size_t n)
{
	const size_t b = (r->at - 1) >> TM_INTERVAL_SHIFT;

	m->left[b] = (uint16_t)(m->left[b] - n);
	if (!m->left[b])
		m->spare[m->nspare++] = m->in[b];
	if (r->v == r->end)
		next_block(m, r);
}

/* How many fit into the block that is written; a new one when it is full. */
static size_t room(struct merge *m)
{
	if (m->to == m->to_end) {
		m->to = m->out[m->nout++] = m->spare[--m->nspare];
		m->to_end = m->to + TM_INTERVAL_BLOCK;
	}
	return (size_t)(m->to_end - m->to);
}

static void copy_rest(struct merge *m, struct rest *r)
{
	while (r->v != r->end) {
		const size_t n = least(room(m), (size_t)(r->end - r->v));

		memcpy(m->to, r->v, n * sizeof *m->to);
		m->to += n;
		r->v += n;
		have_read(m, r, n);
	}
}

/* What is left of all runs, in no order, and the next key of each. */
struct rests {
	struct rest v[MOST_RUNS];
	uint64_t key[MOST_RUNS];
	size_t n;
};

/* The run whose next entry is first; *other: the least key of the others. */
static size_t first_of(const struct sorter *o, const struct rests *r, uint64_t *other)
{
	size_t best = 0;

	*other = UINT64_MAX;
	for (size_t k = 1; k < r->n; k++) {
		size_t then = k;

		if (r->key[k] < r->key[best] ||
		    (r->key[k] == r->key[best] && tm_sorter_rest(o, r->v[k].v, r->v[best].v) < 0)) {
			then = best;
			best = k;
		}
		*other = r->key[then] < *other ? r->key[then] : *other;
	}
	return best;
}

/* Run k as far as it goes on before another, one entry of it at least; no block ends before. */
static void run_on(struct merge *m, struct rests *r, size_t k, uint64_t other)
{
	const struct sorter o = m->o;
	struct rest *from = &r->v[k];
	const size_t n = least(room(m), (size_t)(from->end - from->v));
	const struct tm_interval *v = from->v, *end = v + n;
	struct tm_interval *to = m->to;

	do
		*to++ = *v++;
	while (v < end && sorter_key(&o, v) < other);
	m->to = to;
	from->v = v;
	have_read(m, from, n - (size_t)(end - v));
	if (from->v != from->end)
		r->key[k] = sorter_key(&o, from->v);
}

static void merge_all(struct merge *m)
{
	struct rests r = { .n = m->runs };

	begin_pass(m);
	for (size_t k = 0; k < r.n; k++) {
		r.v[k] = rest_of(m, m->begin[k], m->begin[k + 1]);
		r.key[k] = sorter_key(&m->o, r.v[k].v);
	}
	while (r.n > 1) {
		uint64_t other;
		const size_t k = first_of(&m->o, &r, &other);

		run_on(m, &r, k, other);
		if (r.v[k].v == r.v[k].end) {
			r.n--;
			r.v[k] = r.v[r.n];
			r.key[k] = r.key[r.n];
		}
	}
	copy_rest(m, &r.v[0]);
	end_pass(m);
}

bool tm_sorter_merge_runs(const struct sorter *o)
{
	struct runs r;
	struct merge m;

	if (tm_sorter_is_run(o, 0, o->s->n))
		return true;
	if (!find_runs(o, &r) || !merge_init(&m, o, r.size, r.n))
		return false;
	if (r.turns > r.n)
		deal_runs(&m, &r);
	if (m.runs > 1)
		merge_all(&m);
	take_back(&m, o->s);
	merge_fini(&m);
	return true;
}
