/* SPDX-License-Identifier: MIT
 * Which short kernels could be one kernel?  kstats gaps --fuse.
 *
 * Two kernels that follow each other belong together if, wherever the first runs, the second is
 * next, or wherever the second runs, the first was before, on the same agent (queue, stream).  A
 * run is as many short compute kernels in a row as belong together, one to the next, and between
 * which the host did not wait for the GPU: it may have decided what comes next.  A run that
 * repeats itself (the layers of a model) is cut into what it repeats.  So no dispatch and no gap is
 * in two runs. */
#include "agg/agg.h"
#include "metric/idle/gaps_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	FUSE_KERNELS = COL_OWN,
	FUSE_RUNS,
	FUSE_TOTAL,
	FUSE_GAP,
	FUSE_CAUSE, /* TM_CAUSES of them */
	FUSE_PCT = FUSE_CAUSE + TM_CAUSES,
	FUSE_SEQUENCE,
	FUSE_N,
};

#define CAUSE(id, column, heading, more)                                                           \
	[FUSE_CAUSE + (id)] = { .name = (column),                                                  \
		                .title = (heading),                                                \
		                .unit = TM_UNIT_NS,                                                \
		                .about = "as in the default table",                                \
		                .spare = (more) }

const struct tm_column tm_gaps_fuse_columns[] = {
	WHOSE,
	[FUSE_KERNELS] = { .name = "kernels",
	                   .title = "KERNELS",
	                   .unit = TM_UNIT_COUNT,
	                   .about = "kernels in the sequence" },
	[FUSE_RUNS] = { .name = "runs",
	                .title = "RUNS",
	                .unit = TM_UNIT_COUNT,
	                .about = "times the sequence ran" },
	[FUSE_TOTAL] = { .name = "total_ns",
	                 .title = "TOTAL",
	                 .unit = TM_UNIT_NS,
	                 .about = "sum of their durations" },
	[FUSE_GAP] = { .name = "gap_ns",
	               .title = "GAPS",
	               .unit = TM_UNIT_NS,
	               .about = "idle time between its kernels" },
	CAUSE(TM_CAUSE_SYNC, "sync_ns", "SYNC", 2),
	CAUSE(TM_CAUSE_HOST, "host_ns", "+HOST", 2),
	CAUSE(TM_CAUSE_LAUNCH, "launch_ns", "+LAUNCH", 1),
	CAUSE(TM_CAUSE_DEVICE, "device_ns", "+DEVICE", 2),
	CAUSE(TM_CAUSE_UNKNOWN, "unknown_ns", "+UNKNOWN", 2),
	[FUSE_PCT] = { .name = "window_pct",
	               .title = "WINDOW%",
	               .unit = TM_UNIT_PCT,
	               .bar = true,
	               .about = "gap_ns / window" },
	[FUSE_SEQUENCE] = { .name = "sequence",
	                    .title = "SEQUENCE",
	                    .unit = TM_UNIT_TEXT,
	                    .elastic = true,
	                    .naming = true,
	                    .about = "kernels in order" },
	[FUSE_N] = { 0 },
};

enum { FEWEST = 3 }; /* runs that make a pattern */

/* A dispatch of a run, and the gap before it. */
struct member {
	uint32_t name;
	uint64_t ns, gap;
	uint64_t cause[TM_CAUSES];
};

/* Runs of one sequence of kernels. */
struct sum {
	uint64_t runs, total, gap, cause[TM_CAUSES];
};

struct fuse {
	struct gaps_fill *f;
	const struct gaps_lane *l;
	uint64_t short_ns;
	struct tm_groups pairs, names; /* what follows what, and what has any before or after */
	struct pair {
		uint64_t n;
	} * pair;
	struct ends {
		uint64_t before, behind;
	} * ends;
	size_t pair_cap, ends_cap;
	struct member *m; /* n of them: the run at hand */
	uint32_t *fail;   /* of its prefixes */
	size_t n, cap, fail_cap;
	struct tm_names sequences; /* names in order, four bytes each */
	struct sum *sum;
	size_t sum_cap;
};

/* ---- the operations of a lane, in order ---- */

struct op {
	uint32_t name;
	uint64_t start, end;
	bool computes, inside;
	struct gaps_beside at;
};

/* Each operation with the one before it (NULL: the first), and since when nothing ran. */
typedef bool (*visit)(struct fuse *u, const struct op *prev, uint64_t idle_from,
                      const struct op *op);

static bool each(struct fuse *u, visit see)
{
	const struct gaps_lane *l = u->l;
	const struct tm_intervals *list[TM_PIECE_LISTS];
	struct op op, prev = { .name = 0 };
	struct tm_merged m;
	uint64_t end = 0;
	bool any = false, ok;

	for (size_t k = 0; k < TM_WORK_KINDS; k++)
		for (size_t i = 0; i < l->n; i++)
			list[k * l->n + i] = &l->t[i].op[k];
	ok = tm_merged_init(&m, list, TM_WORK_KINDS * l->n, u->f->w->order);
	for (const struct tm_merged_list *at; ok && (at = tm_merged_at(&m)); tm_merged_step(&m)) {
		op = (struct op) { .name = tm_interval_name(at->list, at->i),
			           .start = tm_interval_start(at->list, at->i),
			           .end = tm_interval_end(at->list, at->i),
			           .computes = at->number / l->n == TM_WORK_KERNEL,
			           .at = { (unsigned)at->number, at->i } };
		op.inside = tm_work_starts_inside(l->t, op.start);
		ok = see(u, any ? &prev : NULL, end, &op);
		prev = op;
		any = true;
		end = op.end > end ? op.end : end;
	}
	tm_merged_fini(&m);
	return ok;
}

/* ---- what belongs together ---- */

/* Another name for an operation that is no kernel: it belongs to nothing. */
static uint64_t who(const struct op *op)
{
	return op->computes ? (uint64_t)op->name + 1 : 0;
}

static bool count(struct fuse *u, const struct op *prev, uint64_t idle_from, const struct op *op)
{
	uint64_t a, b, key;
	uint32_t i;

	(void)idle_from;
	if (!prev || !prev->inside || !op->inside)
		return true;
	a = who(prev);
	b = who(op);
	key = a << 32 | b;
	i = tm_groups_item(&u->pairs, &key, &u->pair, &u->pair_cap, sizeof *u->pair, NULL);
	if (i == TM_GROUP_NONE)
		return false;
	u->pair[i].n++;
	i = tm_groups_item(&u->names, &a, &u->ends, &u->ends_cap, sizeof *u->ends, NULL);
	if (i == TM_GROUP_NONE)
		return false;
	u->ends[i].behind++;
	i = tm_groups_item(&u->names, &b, &u->ends, &u->ends_cap, sizeof *u->ends, NULL);
	if (i == TM_GROUP_NONE)
		return false;
	u->ends[i].before++;
	return true;
}

static bool is_short(const struct fuse *u, const struct op *op)
{
	return op->computes && op->inside && op->end - op->start < u->short_ns;
}

static bool together(const struct fuse *u, const struct op *a, const struct op *b)
{
	uint64_t x = who(a), y = who(b), key = x << 32 | y, n;

	if (!is_short(u, a) || !is_short(u, b))
		return false;
	n = u->pair[tm_groups_find(&u->pairs, &key)].n;
	return n == u->ends[tm_groups_find(&u->names, &x)].behind ||
	       n == u->ends[tm_groups_find(&u->names, &y)].before;
}

/* ---- runs ---- */

/* How long the part is that the run repeats from its beginning to its end; u->n if it does not. */
static bool period(struct fuse *u, size_t *length)
{
	size_t k = 0;

	if (!tm_grow_array(&u->fail, &u->fail_cap, u->n, sizeof *u->fail))
		return false;
	u->fail[0] = 0;
	for (size_t i = 1; i < u->n; i++) {
		while (k && u->m[i].name != u->m[k].name)
			k = u->fail[k - 1];
		k += u->m[i].name == u->m[k].name;
		u->fail[i] = (uint32_t)k;
	}
	*length = u->n - k <= u->n / 2 ? u->n - k : u->n;
	return true;
}

/* The run [from, to) of the one at hand. */
static bool add_run(struct fuse *u, size_t from, size_t to)
{
	uint32_t known = u->sequences.n, id;
	struct tm_buf key = { 0 };
	struct sum *s;

	for (size_t i = from; i < to; i++)
		tm_buf_add(&key, &u->m[i].name, sizeof u->m[i].name);
	id = key.failed ? TM_NAME_NONE : tm_names_add(&u->sequences, key.p, key.n);
	tm_buf_fini(&key);
	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&u->sum, &u->sum_cap, u->sequences.n, sizeof *u->sum))
		return false;
	s = &u->sum[id];
	if (id == known)
		*s = (struct sum) { .runs = 0 };
	s->runs++;
	for (size_t i = from; i < to; i++) {
		s->total += u->m[i].ns;
		if (i == from)
			continue;
		s->gap += u->m[i].gap;
		for (int c = 0; c < TM_CAUSES; c++)
			s->cause[c] += u->m[i].cause[c];
	}
	return true;
}

/* The run at hand is at its end. */
static bool end_run(struct fuse *u)
{
	size_t length;
	bool ok = true;

	if (u->n > 1) {
		ok = period(u, &length);
		/* One kernel that follows itself wants a larger grid. */
		for (size_t from = 0; ok && length > 1 && from < u->n; from += length)
			if (u->n - from >= length)
				ok = add_run(u, from, from + length);
	}
	u->n = 0;
	return ok;
}

static bool follow(struct fuse *u, const struct op *prev, uint64_t idle_from, const struct op *op)
{
	const struct gap gap = { .at = { idle_from, op->start },
		                 .prev.list = GAPS_NONE,
		                 .next = op->at };
	const bool idle = prev && gap.at.lo < gap.at.hi;
	struct member m = { .name = op->name, .ns = op->end - op->start };
	bool goes_on = prev && together(u, prev, op);
	size_t thread;

	if (goes_on && idle) {
		m.gap = gaps_length(&gap);
		if (!tm_gaps_split(u->f, u->l, &gap, m.cause, &thread))
			return false;
		goes_on = !m.cause[TM_CAUSE_SYNC];
	}
	if (!goes_on && !end_run(u))
		return false;
	if (!is_short(u, op))
		return true;
	if (u->n == UINT32_MAX || !tm_grow_array(&u->m, &u->cap, u->n + 1, sizeof *u->m))
		return false;
	u->m[u->n++] = m;
	return true;
}

/* ---- rows ---- */

static uint32_t length_of(const struct tm_name *sequence)
{
	return sequence->len / (uint32_t)sizeof(uint32_t);
}

static uint32_t name_at(const struct tm_name *sequence, uint32_t i)
{
	uint32_t id;

	memcpy(&id, sequence->text + i * sizeof id, sizeof id);
	return id;
}

/* "a > b": for people without arguments of templates and functions. */
static bool put_sequence(const struct fuse *u, const struct tm_name *sequence, struct tm_buf *b)
{
	const struct tm_names *names = &u->f->w->names;

	tm_buf_clear(b);
	for (uint32_t i = 0; i < length_of(sequence); i++) {
		const struct tm_name *nm = &names->v[name_at(sequence, i)];

		if (i)
			tm_buf_str(b, " > ");
		if (!u->f->o->width)
			tm_buf_add(b, nm->text, nm->len);
		else if (!tm_kernel_name(b, nm->text, nm->len, TM_NAME_BASE))
			return false;
	}
	return !b->failed;
}

static int by_gap(const void *pa, const void *pb, void *arg)
{
	const struct fuse *u = arg;
	uint32_t a, b;
	const struct tm_name *x, *y;
	const struct tm_names *names = &u->f->w->names;
	int c;

	memcpy(&a, pa, sizeof a);
	memcpy(&b, pb, sizeof b);
	if (u->sum[a].gap != u->sum[b].gap)
		return u->sum[a].gap > u->sum[b].gap ? -1 : 1;
	if (u->sum[a].total != u->sum[b].total)
		return u->sum[a].total > u->sum[b].total ? -1 : 1;
	x = &u->sequences.v[a];
	y = &u->sequences.v[b];
	for (uint32_t i = 0; i < length_of(x) && i < length_of(y); i++)
		if ((c = tm_name_cmp(&names->v[name_at(x, i)], &names->v[name_at(y, i)])) != 0)
			return c;
	return tm_u64_cmp(x->len, y->len);
}

static bool put_row(struct fuse *u, uint32_t id, struct tm_extent window, struct tm_buf *text)
{
	const struct sum *s = &u->sum[id];
	struct gaps_fill *f = u->f;
	struct tm_cell *c;

	if (s->runs < FEWEST)
		return true;
	c = tm_gaps_row(f, u->l);
	if (!c || !put_sequence(u, &u->sequences.v[id], text))
		return false;
	c[f->place[FUSE_KERNELS]] = tm_cell_u64(length_of(&u->sequences.v[id]));
	c[f->place[FUSE_RUNS]] = tm_cell_u64(s->runs);
	c[f->place[FUSE_TOTAL]] = tm_cell_u64(s->total);
	c[f->place[FUSE_GAP]] = tm_cell_u64(s->gap);
	for (int k = 0; k < TM_CAUSES; k++)
		c[f->place[FUSE_CAUSE + k]] = tm_cell_u64(s->cause[k]);
	c[f->place[FUSE_PCT]] = tm_work_pct(s->gap, window.hi - window.lo);
	c[f->place[FUSE_SEQUENCE]] = tm_table_own(f->t, text->p, text->n);
	return !f->t->failed;
}

static bool put_rows(struct fuse *u)
{
	struct tm_extent window = tm_gaps_walk(u->l).p.window;
	uint32_t *order = calloc((size_t)u->sequences.n + 1, sizeof *order);
	struct tm_buf text = { 0 };
	bool ok = order != NULL;

	for (uint32_t i = 0; ok && i < u->sequences.n; i++)
		order[i] = i;
	if (ok && u->sequences.n)
		qsort_r(order, u->sequences.n, sizeof *order, by_gap, u);
	for (uint32_t i = 0; ok && i < u->sequences.n; i++)
		ok = put_row(u, order[i], window, &text);
	free(order);
	tm_buf_fini(&text);
	return ok;
}

bool tm_gaps_fill_fuse(struct gaps_fill *f, const struct gaps_lane *l)
{
	const struct gaps_own *own = f->o->own;
	struct fuse u = { .f = f,
		          .l = l,
		          .short_ns = own->short_us * 1000,
		          .pairs = { .words = 1 },
		          .names = { .words = 1 } };
	struct tm_calls_found found;
	bool ok = tm_gaps_rank_ready(f, l->t->rank) && each(&u, count) && each(&u, follow) &&
	          end_run(&u) && put_rows(&u);

	if (ok)
		tm_gaps_count_found(f, l, &found);
	tm_groups_fini(&u.pairs);
	tm_groups_fini(&u.names);
	tm_names_fini(&u.sequences);
	free(u.pair);
	free(u.ends);
	free(u.m);
	free(u.fail);
	free(u.sum);
	return ok;
}
