/* SPDX-License-Identifier: MIT
 * How long are the steps of the program, which of them are slow, and what grew in these?
 *
 * Of the steps of one rank, m the median of their times and d the median of |time - m|:
 *
 *     slow = time - m > 5 d  and  time - m > m / 20, of five steps or more
 *
 * Steps inferred from kernels may be layers, of which the last before the program goes on to its
 * next iteration takes longer.  So where more than half of the slow ones of a rank come at one
 * distance, of which there are two at least, none is called slow; nor is any that is a single
 * kernel.
 *
 * The time of a step is made of parts, which add up to it exactly:
 *
 *     compute + comm + copies + wait + move + sync + idle
 *
 * where sync is the idle time in which a host thread waited for the GPU, and idle the rest of it.
 * The part that grew is the one that is most above its own median.  Medians are nearest rank: the
 * ceil(n / 2)-th smallest. */
#include "metric/steps/steps.h"
#include "agg/agg.h"
#include "metric/steps/regions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_RANK,
	COL_STEP,
	COL_START,
	COL_WINDOW,
	COL_BUSY,
	COL_COMPUTE,
	COL_COMM,
	COL_COPY,
	COL_IDLE,
	COL_KERNELS,
	COL_SYNC,
	COL_COPIED,
	COL_SLOW,
	COL_WAIT,
	COL_MOVE,
	COL_SYNC_IDLE,
	COL_OVER,
	COL_GREW,
	COL_LAUNCHES,
	COL_N,
};

static const struct tm_column columns[] = {
	[COL_RANK] = { TM_COLUMN_RANK },
	[COL_STEP] = { TM_COLUMN_STEP },
	[COL_START] = { TM_COLUMN_START, .local = true, .machine = true },
	[COL_WINDOW] = { TM_COLUMN_STEP_WINDOW, .bar = true },
	[COL_BUSY] = { TM_COLUMN_BUSY, .spare = 3 },
	[COL_COMPUTE] = { TM_COLUMN_COMPUTE },
	[COL_COMM] = { TM_COLUMN_EXPOSED_COMM },
	[COL_COPY] = { TM_COLUMN_EXPOSED_COPY },
	[COL_IDLE] = { TM_COLUMN_IDLE },
	[COL_KERNELS] = { TM_COLUMN_KERNELS, .spare = 1 },
	[COL_SYNC] = { TM_COLUMN_SYNC, .spare = 2 },
	[COL_COPIED] = { .name = "copied_bytes",
	                 .title = "COPIED",
	                 .about = "total size of copies that start in it",
	                 .unit = TM_UNIT_BYTES,
	                 .spare = 2 },
	[COL_SLOW] = { .name = "slow",
	               .title = "SLOW",
	               .about = "slow step: part that grew most: compute, comm, copies, wait, "
	                        "move, sync or idle",
	               .unit = TM_UNIT_TEXT },
	[COL_WAIT] = { TM_COLUMN_WAIT, .tight = 1 },
	[COL_MOVE] = { TM_COLUMN_MOVE, .tight = 1 },
	[COL_SYNC_IDLE] = { .name = "sync_idle_ns",
	                    .title = "SYNC IDLE",
	                    .about = "part of idle_ns with a host thread waiting for the GPU",
	                    .unit = TM_UNIT_NS,
	                    .machine = true },
	[COL_OVER] = { .name = "over_ns",
	               .title = "OVER",
	               .about = "slow step: time above the median",
	               .unit = TM_UNIT_NS },
	[COL_GREW] = { .name = "grew_ns",
	               .title = "GREW",
	               .about = "slow step: that part above its own median",
	               .unit = TM_UNIT_NS },
	[COL_LAUNCHES] = { .name = "launches",
	                   .title = "LAUNCHES",
	                   .about = "calls in it that launch kernels or graphs",
	                   .unit = TM_UNIT_COUNT,
	                   .spare = 4 },
	[COL_N] = { 0 },
};

enum {
	TOTAL_RANK,
	TOTAL_STEPS,
	TOTAL_MEDIAN,
	TOTAL_P95,
	TOTAL_MEAN,
	TOTAL_STDDEV,
	TOTAL_SLOW,
	TOTAL_SOURCE,
	TOTAL_OVER,
	TOTAL_OVER_GPU,
	TOTAL_LATER,
	TOTAL_LATER_PCT,
	TOTAL_N,
};

static const struct tm_column total_columns[] = {
	[TOTAL_RANK] = { .name = "rank",
	                 .title = "RANK",
	                 .about = "rank of the process; absent in the row of all ranks",
	                 .unit = TM_UNIT_ID },
	[TOTAL_STEPS] = { .name = "steps",
	                  .title = "STEPS",
	                  .about = "number of steps",
	                  .unit = TM_UNIT_COUNT },
	[TOTAL_MEDIAN] = { .name = "median_ns",
	                   .title = "MEDIAN",
	                   .about = "median step time",
	                   .unit = TM_UNIT_NS,
	                   .bar = true },
	[TOTAL_P95] = { .name = "p95_ns",
	                .title = "P95",
	                .about = "95th percentile of step times",
	                .unit = TM_UNIT_NS },
	[TOTAL_MEAN] = { .name = "mean_ns",
	                 .title = "MEAN",
	                 .about = "mean step time",
	                 .unit = TM_UNIT_NS },
	[TOTAL_STDDEV] = { .name = "stddev_ns",
	                   .title = "STDDEV",
	                   .about = "sample standard deviation of step times",
	                   .unit = TM_UNIT_NS },
	[TOTAL_SLOW] = { .name = "slow",
	                 .title = "SLOW",
	                 .about = "number of slow steps; absent with fewer than 5 steps, if the "
	                          "longer "
	                          "of inferred steps come at a regular distance, or each is one "
	                          "kernel",
	                 .unit = TM_UNIT_COUNT },
	[TOTAL_SOURCE] = { .name = "source",
	                   .title = "SOURCE",
	                   .about = "marker, or inferred from a repeating kernel sequence (may be "
	                            "layers)",
	                   .unit = TM_UNIT_TEXT },
	[TOTAL_OVER] = { .name = "over_ns",
	                 .title = "OVER",
	                 .about = "sum over slow steps of their time above the median",
	                 .unit = TM_UNIT_NS },
	[TOTAL_OVER_GPU] = { .name = "over_gpu_ns",
	                     .title = "OVER GPU",
	                     .about = "part of over_ns that the GPUs lost",
	                     .unit = TM_UNIT_NS,
	                     .machine = true },
	[TOTAL_LATER] = { .name = "later_ns",
	                  .title = "LATER",
	                  .about = "steps of the second half, times how much longer their median "
	                           "is than that of the first; absent with fewer than 20 steps "
	                           "of a rank",
	                  .unit = TM_UNIT_NS,
	                  .machine = true },
	[TOTAL_LATER_PCT] = { .name = "later_pct",
	                      .title = "LATER%",
	                      .about = "how much longer that median is than the first",
	                      .unit = TM_UNIT_PCT,
	                      .machine = true },
	[TOTAL_N] = { 0 },
};

/* ---- which are slow ---- */

/* slow: over > SLOW_MADS times the median deviation, and over > median / SLOW_PART. */
enum { SLOW_MADS = 5, SLOW_PART = 20, SLOW_LEAST = 5 };

enum part { COMPUTE, COMM, COPIES, WAIT, MOVE, SYNC, IDLE, PARTS };

static const char *const part_text[PARTS + 1] = { "compute", "comm", "copies", "wait",
	                                          "move",    "sync", "idle",   "several" };

/* What was found of one step. */
struct verdict {
	bool slow;
	bool open;      /* whether it is slow cannot be told */
	bool known;     /* the rank has GPU work, so that parts are known */
	enum part part; /* PARTS = none is above its median */
	uint64_t over, grew;
	uint64_t inside; /* part of `over` in the window of the rank */
};

/* The steps with what was found. */
struct found {
	struct tm_step_rows rows;
	struct verdict *of; /* of each */
	uint64_t ranks, slow;
	uint64_t every; /* of inferred steps of some rank every so many-th is longer; 0 = of none */
	bool single;    /* inferred steps of some rank are single kernels */
	bool judged;    /* of some rank it could be told which are slow */
};

/* Tables of the same steps find them once, in the first of their accumulators. */
struct acc {
	struct tm_work work;
	struct acc *first; /* NULL = it is that itself */
	unsigned uses;     /* tables that still need them, read and written atomically; 0 = its own
	                    * alone */
	struct tm_once once;
	enum tm_status st;
	struct found found;
	struct tm_report told;
};

static uint64_t time_of(const struct tm_step_row *r)
{
	return r->step.at.hi - r->step.at.lo;
}

static uint64_t part_of(const struct tm_step_row *r, enum part part)
{
	switch (part) {
	case COMPUTE:
		return r->use.compute;
	case COMM:
		return r->use.exposed_comm;
	case COPIES:
		return r->use.exposed_copy;
	case WAIT:
		return r->use.wait;
	case MOVE:
		return r->use.move;
	case SYNC:
		return r->sync_idle;
	default:
		return r->use.idle - r->sync_idle;
	}
}

static int by_number(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

enum { FEW = 1024 }; /* so many are sorted sooner than counted */

/* The ceil(percent n / 100)-th smallest of n > 0 numbers, whose order may change. */
static uint64_t quantile(uint64_t *v, size_t n, unsigned percent)
{
	const size_t nth = n / 100 * percent + (n % 100 * percent + 99) / 100;
	struct tm_nth found;
	uint64_t most = 0;

	if (n <= FEW) {
		qsort(v, n, sizeof *v, by_number);
		return v[nth - 1];
	}
	for (size_t i = 0; i < n; i++)
		most = v[i] > most ? v[i] : most;
	tm_nth_init(&found, nth, most);
	while (tm_nth_again(&found)) {
		for (size_t i = 0; i < n; i++)
			tm_nth_add(&found, v[i]);
		tm_nth_settle(&found);
	}
	return found.value;
}

/* The part of a step that is most above its median, the first of those. */
static void find_part(struct verdict *v, const struct tm_step_row *r, const uint64_t *median)
{
	v->part = PARTS;
	for (int p = 0; p < PARTS; p++) {
		uint64_t ns = part_of(r, (enum part)p);

		if (ns > median[p] && ns - median[p] > v->grew) {
			v->part = (enum part)p;
			v->grew = ns - median[p];
		}
	}
}

/* What is usual of the steps of a rank. */
struct usual {
	uint64_t busy, idle, kernels;
};

static uint64_t above(uint64_t value, uint64_t usual)
{
	return value > usual ? value - usual : 0;
}

/* Before the first start and after the last end of GPU work a step is idle: what it is idle for
 * more than usually may be that.  Where the host runs ahead, the work of several steps runs in one
 * of them: a step with more kernels than usual has lost no time by them. */
static void find_inside(struct verdict *v, const struct tm_step_row *r, const struct usual *u)
{
	const uint64_t outside = time_of(r) - r->inside;
	const uint64_t idle = above(r->use.idle, u->idle);
	const uint64_t lost = above(idle, outside) +
	                      (r->kernels > u->kernels ? 0 : above(r->use.busy, u->busy));

	v->inside = v->over < lost ? v->over : lost;
}

static void leave_open(struct verdict *of, size_t n)
{
	for (size_t i = 0; i < n; i++)
		of[i] = (struct verdict) { .open = true };
}

/* The distance of the slow ones of n steps, if they come at regular ones; 0 = they do not.  `v` is
 * room for a number of each. */
static uint64_t regular(const struct verdict *of, size_t n, uint64_t *v)
{
	size_t last = n, far = 0, same = 0;
	uint64_t usual;

	for (size_t i = 0; i < n; i++) {
		if (!of[i].slow)
			continue;
		if (last < n)
			v[far++] = i - last;
		last = i;
	}
	if (far < 2)
		return 0;
	usual = quantile(v, far, 50);
	for (size_t i = 0; i < far; i++)
		same += v[i] == usual;
	return same > 1 && same * 2 > far ? usual : 0;
}

static struct usual usual_of(const struct tm_step_row *row, uint64_t *v, size_t n)
{
	struct usual u;

	for (size_t i = 0; i < n; i++)
		v[i] = row[i].use.busy;
	u.busy = quantile(v, n, 50);
	for (size_t i = 0; i < n; i++)
		v[i] = row[i].use.idle;
	u.idle = quantile(v, n, 50);
	for (size_t i = 0; i < n; i++)
		v[i] = row[i].kernels;
	u.kernels = quantile(v, n, 50);
	return u;
}

/* Is each inferred step a single kernel?  Then what makes one long is the gap behind it. */
static bool single_kernels(const struct tm_step_row *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (row[i].kernels > 1)
			return false;
	return n > 0 && row->gpu;
}

/* The n steps of one rank, from `first` on; `v` is room for a number of each. */
static void judge_rank(struct found *f, uint64_t *v, size_t first, size_t n)
{
	const struct tm_step_row *row = f->rows.v + first;
	uint64_t median, mad, part[PARTS] = { 0 }, slow = f->slow;
	struct usual usual;

	f->ranks++;
	if (n < SLOW_LEAST || (f->rows.sequence && single_kernels(row, n))) {
		leave_open(f->of + first, n);
		f->single |= n >= SLOW_LEAST;
		return;
	}
	for (size_t i = 0; i < n; i++)
		v[i] = time_of(&row[i]);
	median = quantile(v, n, 50);
	for (size_t i = 0; i < n; i++)
		v[i] = v[i] > median ? v[i] - median : median - v[i];
	mad = quantile(v, n, 50);
	for (size_t i = 0; i < n; i++) {
		uint64_t ns = time_of(&row[i]), over = ns > median ? ns - median : 0;
		struct verdict *of = &f->of[first + i];

		of->slow = over > (tm_u128)mad * SLOW_MADS && (tm_u128)over * SLOW_PART > median;
		of->known = row[i].gpu;
		of->over = of->slow ? over : 0;
		f->slow += of->slow;
	}
	if (f->slow != slow && f->rows.sequence) {
		const uint64_t every = regular(f->of + first, n, v);

		if (every) {
			leave_open(f->of + first, n);
			f->slow = slow;
			f->every = every;
			return;
		}
	}
	f->judged = true;
	if (f->slow == slow || !row->gpu)
		return;
	for (int p = 0; p < PARTS; p++) {
		for (size_t i = 0; i < n; i++)
			v[i] = part_of(&row[i], (enum part)p);
		part[p] = quantile(v, n, 50);
	}
	usual = usual_of(row, v, n);
	for (size_t i = 0; i < n; i++) {
		if (!f->of[first + i].slow)
			continue;
		find_part(&f->of[first + i], &row[i], part);
		find_inside(&f->of[first + i], &row[i], &usual);
	}
}

/* How many steps of the same rank there are from `first` on. */
static size_t same_rank(const struct tm_step_rows *r, size_t first)
{
	size_t n = 1;

	while (first + n < r->n && r->v[first + n].step.rank == r->v[first].step.rank)
		n++;
	return n;
}

static bool judge(struct found *f)
{
	uint64_t *v = tm_array(f->rows.n + 1, sizeof *v);

	f->of = calloc(f->rows.n + 1, sizeof *f->of);
	for (size_t i = 0, n; f->of && v && i < f->rows.n; i += n) {
		n = same_rank(&f->rows, i);
		judge_rank(f, v, i, n);
	}
	free(v);
	return f->of && v;
}

/* ---- the answer in one line ---- */

/* The slow step that is furthest above the median, the first of those. */
static size_t slowest(const struct found *f)
{
	size_t best = f->rows.n;

	for (size_t i = 0; i < f->rows.n; i++)
		if (f->of[i].slow && (best == f->rows.n || f->of[i].over > f->of[best].over))
			best = i;
	return best;
}

static void say_slow(const struct found *f, struct tm_buf *b)
{
	size_t at = slowest(f);
	const struct verdict *v = &f->of[at];

	if (at == f->rows.n && f->every)
		tm_buf_fmt(b,
		           "; the steps that are longer come every %" PRIu64
		           " steps, as at the end of an iteration",
		           f->every);
	else if (at == f->rows.n)
		tm_buf_str(b, f->judged   ? "; none is slow"
		              : f->single ? "; single kernels, none is called slow"
		                          : "; too few to call any slow");
	if (at == f->rows.n)
		return;
	tm_buf_str(b, "; ");
	if (f->slow > 1)
		tm_buf_fmt(b, "%" PRIu64 " slow, worst: ", f->slow);
	if (f->ranks > 1)
		tm_buf_fmt(b, "rank %" PRIu64 " ", f->rows.v[at].step.rank);
	tm_buf_fmt(b, "step %" PRIu64 "%s", f->rows.v[at].step.number,
	           f->slow > 1 ? ", " : " is slow: ");
	tm_work_put_ns(b, v->over);
	tm_buf_str(b, " more");
	if (v->known && v->part != PARTS) {
		tm_buf_str(b, ", ");
		tm_work_put_ns(b, v->grew);
		tm_buf_fmt(b, " of it %s", part_text[v->part]);
	}
}

static bool say_first(const struct found *f, uint64_t *v, struct tm_table *t)
{
	size_t n = f->rows.n;
	struct tm_buf b = { 0 };

	for (size_t i = 0; i < n; i++)
		v[i] = time_of(&f->rows.v[i]);
	tm_buf_fmt(&b, "%zu step%s", n, n == 1 ? "" : "s");
	if (f->ranks > 1)
		tm_buf_fmt(&b, " on %" PRIu64 " ranks", f->ranks);
	if (f->rows.sequence)
		tm_buf_str(&b, " (inferred, may be layers)");
	tm_buf_str(&b, ", median ");
	tm_work_put_ns(&b, quantile(v, n, 50));
	tm_buf_str(&b, ", p95 ");
	tm_work_put_ns(&b, quantile(v, n, 95));
	say_slow(f, &b);
	t->headline = b.failed ? tm_cell_none() : tm_table_own(t, b.p, b.n);
	tm_buf_fini(&b);
	return t->headline.type == TM_CELL_TEXT;
}

/* How long the steps of each rank were, one after the other. */
static bool draw(const struct found *f, uint64_t *v, struct tm_table *t)
{
	bool ok = true;

	for (size_t i = 0, n; ok && i < f->rows.n; i += n) {
		struct tm_buf label = { 0 }, about = { 0 };
		uint64_t least = UINT64_MAX, most = 0;

		n = same_rank(&f->rows, i);
		for (size_t k = 0; k < n; k++) {
			v[k] = time_of(&f->rows.v[i + k]);
			least = v[k] < least ? v[k] : least;
			most = v[k] > most ? v[k] : most;
		}
		tm_buf_fmt(&label, "rank %" PRIu64, f->rows.v[i].step.rank);
		tm_work_put_ns(&about, least);
		tm_buf_str(&about, " to ");
		tm_work_put_ns(&about, most);
		ok = !label.failed && !about.failed &&
		     (n < 2 || tm_table_series(t, v, n, label.p, about.p));
		tm_buf_fini(&label);
		tm_buf_fini(&about);
	}
	return ok;
}

/* ---- rows ---- */

static bool add_row(const struct tm_step_row *s, const struct verdict *v, struct tm_table *t)
{
	const char *word = part_text[v->part];
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return false;
	c[COL_RANK] = tm_cell_u64(s->step.rank);
	c[COL_STEP] = tm_cell_u64(s->step.number);
	c[COL_START] = tm_cell_u64(s->step.at.lo);
	c[COL_WINDOW] = tm_cell_u64(time_of(s));
	if (s->gpu) {
		c[COL_BUSY] = tm_cell_u64(s->use.busy);
		c[COL_COMPUTE] = tm_cell_u64(s->use.compute);
		c[COL_COMM] = tm_cell_u64(s->use.exposed_comm);
		c[COL_COPY] = tm_cell_u64(s->use.exposed_copy);
		c[COL_IDLE] = tm_cell_u64(s->use.idle);
		c[COL_KERNELS] = tm_cell_u64(s->kernels);
		c[COL_WAIT] = tm_cell_u64(s->use.wait);
		c[COL_MOVE] = tm_cell_u64(s->use.move);
	}
	if (s->calls)
		c[COL_SYNC] = tm_cell_u64(s->sync);
	if (s->calls)
		c[COL_LAUNCHES] = tm_cell_u64(s->launches);
	if (s->calls && s->gpu)
		c[COL_SYNC_IDLE] = tm_cell_u64(s->sync_idle);
	if (s->sized)
		c[COL_COPIED] = tm_cell_u64(s->copied);
	if (!v->slow)
		return true;
	word = v->known ? word : "unknown";
	c[COL_SLOW] = tm_cell_text(word, strlen(word));
	c[COL_OVER] = tm_cell_u64(v->over);
	if (v->known && v->part != PARTS)
		c[COL_GREW] = tm_cell_u64(v->grew);
	return true;
}

/* Do later steps take longer than earlier ones?  By the medians of the halves of v[0 .. n), which a
 * few slow steps do not move. */
static void put_later(struct tm_cell *c, uint64_t *v, size_t n)
{
	enum { LEAST = 20 };
	const size_t half = n / 2;
	uint64_t early, late, more;

	if (n < LEAST)
		return;
	early = quantile(v, half, 50);
	late = quantile(v + half, n - half, 50);
	more = late > early ? late - early : 0;
	c[TOTAL_LATER] = tm_cell_u64(more * (n - half));
	c[TOTAL_LATER_PCT] = tm_work_pct(more, early);
}

/* The row of n steps from `first` on: of one rank, or of all. */
static bool add_total(const struct found *f, uint64_t *v, size_t first, size_t n, bool all,
                      struct tm_table *t)
{
	const char *source = f->rows.sequence ? "inferred" : "marker";
	struct tm_moments m = { 0 };
	uint64_t slow = 0, over = 0, inside = 0;
	bool judged = false, gpu = false;
	double deviation;
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return false;
	for (size_t i = 0; i < n; i++) {
		v[i] = time_of(&f->rows.v[first + i]);
		tm_moments_add(&m, v[i]);
		judged |= !f->of[first + i].open;
		slow += f->of[first + i].slow;
		over += f->of[first + i].over;
		inside += f->of[first + i].inside;
		gpu |= f->of[first + i].known;
	}
	if (!all) {
		c[TOTAL_RANK] = tm_cell_u64(f->rows.v[first].step.rank);
		put_later(c, v, n);
	}
	c[TOTAL_STEPS] = tm_cell_u64(n);
	c[TOTAL_MEDIAN] = tm_cell_u64(quantile(v, n, 50));
	c[TOTAL_P95] = tm_cell_u64(quantile(v, n, 95));
	c[TOTAL_MEAN] = tm_cell_ratio((uint64_t)(m.sum >> 64), (uint64_t)m.sum, n);
	if (tm_moments_stddev(&m, &deviation))
		c[TOTAL_STDDEV] = tm_cell_real4(deviation);
	if (judged) {
		c[TOTAL_SLOW] = tm_cell_u64(slow);
		c[TOTAL_OVER] = tm_cell_u64(over);
		if (gpu)
			c[TOTAL_OVER_GPU] = tm_cell_u64(inside);
	}
	c[TOTAL_SOURCE] = tm_cell_text(source, strlen(source));
	return true;
}

static bool add_totals(const struct found *f, uint64_t *v, struct tm_table *t)
{
	for (size_t i = 0, n; i < f->rows.n; i += n) {
		n = same_rank(&f->rows, i);
		if (!add_total(f, v, i, n, false, t))
			return false;
	}
	return f->ranks < 2 || add_total(f, v, 0, f->rows.n, true, t);
}

static bool say_picture(const struct found *f, size_t each, struct tm_table *t)
{
	struct tm_buf b = { 0 };
	bool ok;

	tm_buf_fmt(&b, "each row is the longest of %zu steps of rank %" PRIu64, each,
	           f->rows.v->step.rank);
	ok = !b.failed && tm_table_say_below(t, tm_table_own(t, b.p, b.n));
	tm_buf_fini(&b);
	return ok;
}

/* Of the steps of the first rank at most `most`: the longest of as many that follow one another. */
static bool add_picture(const struct found *f, size_t most, struct tm_table *t)
{
	const size_t n = same_rank(&f->rows, 0), each = (n + most - 1) / most;

	for (size_t i = 0; i < n; i += each) {
		size_t at = i;

		for (size_t k = i + 1; k < n && k < i + each; k++)
			if (time_of(&f->rows.v[k]) > time_of(&f->rows.v[at]))
				at = k;
		if (!add_row(&f->rows.v[at], &f->of[at], t))
			return false;
	}
	t->more = f->rows.n - t->nrows;
	return each == 1 || say_picture(f, each, t);
}

/* Those that will be printed: there may be a hundred thousand. */
static bool add_rows(const struct found *f, const struct tm_metric_opts *o, struct tm_table *t)
{
	const bool cut = o->limit && !o->nsort && o->limit < f->rows.n;
	const size_t n = cut ? (size_t)o->limit : f->rows.n;

	if (cut && o->aside)
		return add_picture(f, n, t);
	if (!tm_table_rows(t, n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!add_row(&f->rows.v[i], &f->of[i], t))
			return false;
	t->more = f->rows.n - n;
	return true;
}

/* ---- the answer ---- */

static void drop(struct acc *a)
{
	tm_step_rows_fini(&a->found.rows);
	free(a->found.of);
	a->found = (struct found) { 0 };
	tm_report_fini(&a->told);
}

static void find(struct acc *a, const struct tm_metric_opts *o, struct tm_table *t)
{
	struct tm_step_rows *rows = &a->found.rows;

	a->st = o->state ? tm_step_rows_kept(rows, &a->work, o->state, t, &a->told)
	                 : tm_step_rows_make(rows, &a->work, o, &a->told);
	if (a->st == TM_ST_OK && !judge(&a->found))
		a->st = TM_ST_FATAL;
}

static bool put(const struct found *f, const struct tm_metric_opts *o, struct tm_table *t)
{
	uint64_t *v = tm_array(f->rows.n + 1, sizeof *v);
	bool ok = v && (o->view ? add_totals(f, v, t) : add_rows(f, o, t)) && say_first(f, v, t) &&
	          draw(f, v, t);

	free(v);
	return ok;
}

/* Its steps are found, by whatever thread. */
static enum tm_status answer(struct acc *a, const struct tm_metric_opts *o, struct tm_table *t,
                             struct tm_report *rep)
{
	if (!tm_report_copy(rep, &a->told))
		return TM_ST_FATAL;
	if (a->st != TM_ST_OK)
		return a->st;
	return put(&a->found, o, t) && (o->state || tm_work_origins(&a->work, t)) ? TM_ST_OK
	                                                                          : TM_ST_FATAL;
}

/* What files of totals kept: each table notes itself where that is from. */
static enum tm_status fill_kept(struct acc *a, const struct tm_metric_opts *o, struct tm_table *t,
                                struct tm_report *rep)
{
	enum tm_status st;

	if (o->state->writing)
		return tm_work_settle(&a->work) && tm_step_rows_keep(&a->work, o->state, t)
		               ? TM_ST_OK
		               : TM_ST_FATAL;
	if (o->state->nlive) {
		tm_report_add(rep, TM_SEV_ERROR, o->state->where, 0,
		              "contains totals only, but another part of the input events: the "
		              "step marker is chosen over all ranks; give traces of all, or totals "
		              "of all (tracemerge --stats-only)");
		return TM_ST_END;
	}
	find(a, o, t);
	st = answer(a, o, t, rep);
	drop(a);
	return st;
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct acc *own = acc, *a = own->first ? own->first : own;
	enum tm_status st;

	tm_table_init_list(t, o->view ? total_columns : columns);
	if (o->state)
		return fill_kept(own, o, t, rep);
	if (tm_once_begin(&a->once)) {
		find(a, o, t);
		tm_once_end(&a->once);
	}
	st = answer(a, o, t, rep);
	/* Who asks again has them made again. */
	if (!__atomic_load_n(&a->uses, __ATOMIC_RELAXED) ||
	    !__atomic_sub_fetch(&a->uses, 1, __ATOMIC_ACQ_REL)) {
		drop(a);
		tm_once_again(&a->once);
	}
	return st;
}

enum { KEEP = STEP_KEEP | TM_WORK_BYTES | TM_WORK_CALLS | TM_WORK_CALL_NAMES };

static bool init(void *acc, const void *arg)
{
	struct acc *a = acc;

	*a = (struct acc) { .st = TM_ST_FATAL };
	return tm_work_init(&a->work, arg, KEEP);
}

static void fini(void *acc)
{
	struct acc *a = acc;

	drop(a);
	tm_work_fini(&a->work);
}

/* Both skip as many steps: that is all that rows depend on but what tables of one reading share. */
static void share(void *acc, void *with)
{
	struct acc *a = acc, *first = with;
	const struct step_own *skips = a->work.o->own, *too = first->work.o->own;

	if (a->first || first->first || skips->skip != too->skip)
		return;
	a->first = first;
	first->uses += first->uses ? 1 : 2;
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	(void)o;
	return tm_work_want(KEEP);
}

static const struct tm_metric_view views[] = {
	{ .columns = columns },
	{ .option = "total",
	  .about = "one row per rank, and one for all: median, p95, mean, deviation",
	  .columns = total_columns,
	  .whole = true,
	  .sums = true },
	{ 0 },
};

const struct tm_metric tm_metric_steps = {
	.name = "steps",
	.about = "time of each step (iteration), slow steps and what grew in them",
	.group = "Which step is slow, which rank is late?",
	.examples = "kstats steps run.pftrace\n"
	            "kstats steps --total --skip 3 traces/\n",
	.views = views,
	.options = tm_step_options,
	.own = sizeof(struct step_own),
	.window = TM_WINDOW_WHOLE,
	.whole = TM_WHOLE_AGENTS,
	.state = 2,
	.sink = { .size = sizeof(struct acc),
	          .init = init,
	          .piece = tm_work_piece,
	          .take = tm_work_take,
	          .merge = tm_work_merge,
	          .fini = fini },
	.work = tm_work_itself,
	.share = share,
	.want = want,
	.fill = fill,
};
