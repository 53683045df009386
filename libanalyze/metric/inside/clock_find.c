/* SPDX-License-Identifier: MIT
 * The clock of each kernel on each GPU, from readings of its sensor and from counted cycles.
 *
 * A reading counts for the kernel that alone runs on the GPU at that instant, if three in a row do
 * and no other kernel starts between them; for the GPU, if any kernel runs.  Counted cycles count
 * if the dispatch takes 100 us, since the counter also counts some 20,000 cycles around it, and if
 * they make no clock beyond 1.05 times the largest. */
#include "metric/inside/clock.h"

#include "metric/inside/counters.h"

#include <stdlib.h>
#include <string.h>

uint64_t tm_clock_of(const struct clock_sum *s)
{
	return s->den ? (uint64_t)((s->num + s->den / 2) / s->den) : 0;
}

static void add(struct clock_sum *to, const struct clock_sum *from)
{
	to->n += from->n;
	to->num += from->num;
	to->den += from->den;
}

/* ---- GPUs ---- */

static const uint64_t *key_of(const struct clock *a, uint32_t group)
{
	return a->keys.key + (size_t)group * CLOCK_WORDS;
}

static int by_gpu(const void *pa, const void *pb)
{
	const struct clock_gpu *a = pa, *b = pb;

	return a->rank != b->rank ? tm_u64_cmp(a->rank, b->rank)
	                          : tm_known_cmp(a->has_agent, a->agent, b->has_agent, b->agent);
}

/* What is known of it. */
static void describe(struct clock_gpu *g, const struct clock *a, const struct clock_own *own)
{
	const struct tm_grbm_given given = { .cus = UINT64_MAX,
		                             .max_mhz = own->max_mhz,
		                             .xccs = own->xccs };

	tm_grbm_gpu(&g->kind, &a->agents, g->rank, g->has_agent, g->agent, &given);
	g->max = g->kind.max_mhz;
}

static bool find_gpus(struct clock_found *f, const struct clock_own *own)
{
	const struct clock *a = f->a;

	f->gpu = calloc((size_t)a->keys.n + 1, sizeof *f->gpu);
	f->gpu_of = calloc((size_t)a->keys.n + 1, sizeof *f->gpu_of);
	f->read = calloc((size_t)a->keys.n + 1, sizeof *f->read);
	f->counted = calloc((size_t)a->keys.n + 1, sizeof *f->counted);
	if (!f->gpu || !f->gpu_of || !f->read || !f->counted)
		return false;
	for (uint32_t i = 0; i < a->keys.n; i++) {
		const uint64_t *key = key_of(a, i);

		f->gpu[i] = (struct clock_gpu) { .rank = key[CLOCK_RANK],
			                         .agent = key[CLOCK_AGENT],
			                         .has_agent = key[CLOCK_FLAGS] & CLOCK_HAS_AGENT };
	}
	if (a->keys.n)
		qsort(f->gpu, a->keys.n, sizeof *f->gpu, by_gpu);
	for (uint32_t i = 0; i < a->keys.n; i++)
		if (!f->n || by_gpu(&f->gpu[f->n - 1], &f->gpu[i]))
			f->gpu[f->n++] = f->gpu[i];
	for (uint32_t i = 0; i < a->keys.n; i++) {
		const uint64_t *key = key_of(a, i);
		struct clock_gpu want = { .rank = key[CLOCK_RANK],
			                  .agent = key[CLOCK_AGENT],
			                  .has_agent = key[CLOCK_FLAGS] & CLOCK_HAS_AGENT };
		const struct clock_gpu *at = bsearch(&want, f->gpu, f->n, sizeof want, by_gpu);

		f->gpu_of[i] = (uint32_t)(at - f->gpu);
		f->gpu[f->gpu_of[i]].launched |= !(key[CLOCK_FLAGS] & CLOCK_COUNTED);
	}
	for (size_t i = 0; i < f->n; i++)
		describe(&f->gpu[i], a, own);
	return true;
}

/* ---- readings ---- */

static int by_sensor(const void *pa, const void *pb)
{
	const struct clock_reading *a = pa, *b = pb;
	int c = tm_u64_cmp(a->rank, b->rank);

	c = c ? c : tm_u64_cmp(a->agent, b->agent);
	c = c ? c : tm_u64_cmp(a->at, b->at);
	return c ? c : tm_u64_cmp(a->value, b->value);
}

/* Readings [from, to) of one sensor. */
struct sensor {
	const struct clock_reading *from, *to;
};

static struct sensor next_sensor(const struct clock *a, const struct clock_reading *from)
{
	const struct clock_reading *end = a->reading + a->nreading;
	struct sensor s = { from, from };

	while (s.to < end && s.to->rank == from->rank && s.to->agent == from->agent)
		s.to++;
	return s;
}

/* Is it the only GPU of its rank that launches ran on? */
static bool alone(const struct clock_found *f, const struct clock_gpu *g)
{
	const struct clock_gpu *end = f->gpu + f->n;
	uint64_t n = 0;

	for (const struct clock_gpu *p = g; p < end && p->rank == g->rank; p++)
		n += p->launched;
	for (const struct clock_gpu *p = g; p-- > f->gpu && p->rank == g->rank;)
		n += p->launched;
	return n == 1;
}

/* The sensor of a GPU: that of the same agent, else of the same number, else the only one of the
 * rank for the only GPU. */
static struct sensor sensor_of(const struct clock_found *f, const struct clock_gpu *g)
{
	const struct clock *a = f->a;
	const struct clock_reading *end;
	struct sensor found = { NULL, NULL }, s;
	size_t sensors = 0, lo = 0, hi = a->nreading;
	int best = 0;

	if (!a->nreading)
		return found;
	end = a->reading + a->nreading;
	TM_BISECT(lo, hi, mid, a->reading[mid].rank < g->rank);
	for (const struct clock_reading *r = a->reading + lo; r < end && r->rank == g->rank;
	     r = s.to) {
		int how = tm_sensor_fits(g->has_agent, g->agent, r->agent);

		s = next_sensor(a, r);
		sensors++;
		if (how > best) {
			best = how;
			found = s;
		}
	}
	if (best == 1 && (sensors > 1 || !alone(f, g)))
		return (struct sensor) { NULL, NULL };
	return found;
}

/* Kernels that run at an instant. */
struct active {
	struct running {
		uint64_t end, kernel;
		uint32_t group;
	} * v;
	size_t n, cap;
};

/* Readings in a row that one kernel alone has. */
struct row {
	uint64_t kernel; /* + 1; 0 = none */
	uint32_t group;
	struct clock_sum sum;
};

static void end_row(struct clock_found *f, struct row *r)
{
	if (r->kernel)
		f->read[r->group].n += r->sum.n;
	if (r->sum.n >= CLOCK_FEWEST) {
		f->read[r->group].num += r->sum.num;
		f->read[r->group].den += r->sum.den;
	}
	*r = (struct row) { 0 };
}

/* One more that starts by the instant of the reading; it may have ended. */
static bool start(struct clock_found *f, struct active *run, struct row *r, size_t i, uint64_t at)
{
	uint32_t group = tm_interval_name(&f->a->ops, i);
	uint64_t end = tm_interval_start(&f->a->ops, i) + tm_interval_dur(&f->a->ops, i),
	         kernel = key_of(f->a, group)[CLOCK_KERNEL] + 1;

	if (r->kernel && r->kernel != kernel)
		end_row(f, r);
	if (end <= at)
		return true;
	if (!tm_grow_array(&run->v, &run->cap, run->n + 1, sizeof *run->v))
		return false;
	run->v[run->n++] = (struct running) { end, kernel, group };
	return true;
}

/* The kernel that runs alone, + 1; 0 = none or several; *group: one of its launches. */
static uint64_t only(struct active *run, uint64_t at, uint32_t *group)
{
	uint64_t kernel = 0;
	bool several = false;
	size_t kept = 0;

	for (size_t i = 0; i < run->n; i++) {
		if (run->v[i].end <= at)
			continue;
		run->v[kept] = run->v[i];
		several |= kept && run->v[kept].kernel != kernel;
		kernel = run->v[kept].kernel;
		*group = run->v[kept++].group;
	}
	run->n = kept;
	return several ? 0 : kernel;
}

/* Launches [from, to) of a->ops ran on the GPU of that sensor. */
static bool walk(struct clock_found *f, struct clock_gpu *g, struct sensor s, size_t from,
                 size_t to)
{
	struct active run = { 0 };
	struct row row = { 0 };
	bool ok = true;

	for (const struct clock_reading *r = s.from; ok && r < s.to; r++) {
		struct clock_sum one = { 1, r->value, 1 };
		uint64_t kernel;
		uint32_t group = 0;

		if (r > s.from && !by_sensor(r - 1, r))
			continue; /* the same reading, of two inputs */
		g->readings++;
		for (; ok && from < to && tm_interval_start(&f->a->ops, from) <= r->at; from++)
			ok = start(f, &run, &row, from, r->at);
		kernel = only(&run, r->at, &group);
		if (run.n)
			add(&g->read, &one);
		if (kernel != row.kernel && kernel)
			end_row(f, &row);
		if (!kernel)
			continue;
		if (!row.kernel)
			row.group = group;
		row.kernel = kernel;
		add(&row.sum, &one);
	}
	end_row(f, &row);
	free(run.v);
	return ok;
}

static bool find_read(struct clock_found *f, struct clock *a)
{
	bool ok = true;
	size_t to;

	if (a->nreading)
		qsort(a->reading, a->nreading, sizeof *a->reading, by_sensor);
	tm_intervals_sort_by_group(&a->ops, f->gpu_of, NULL);
	for (size_t from = 0; ok && from < a->ops.n; from = to) {
		uint32_t gpu = f->gpu_of[tm_interval_name(&a->ops, from)];
		struct sensor s = sensor_of(f, &f->gpu[gpu]);

		for (to = from; to < a->ops.n && f->gpu_of[tm_interval_name(&a->ops, to)] == gpu;)
			to++;
		ok = walk(f, &f->gpu[gpu], s, from, to);
		for (const struct clock_reading *r = s.from; r < s.to; r++)
			if (!f->gpu[gpu].max || f->gpu[gpu].seen) {
				uint64_t mhz = (r->value + 9999) / 10000;

				f->gpu[gpu].seen = true;
				f->gpu[gpu].max = mhz > f->gpu[gpu].max ? mhz : f->gpu[gpu].max;
			}
	}
	return ok;
}

/* ---- counted cycles ---- */

/* A dispatch of which `v` was counted: by the duration of the execution that counted, or, where the
 * times of another pass are used, of that. */
static bool add_count(struct clock *a, const struct tm_counted_dispatch *d,
                      const struct tm_counted_value *v)
{
	const bool own = v->start < v->end;
	const uint64_t start = own ? v->start : d->start, ns = (own ? v->end : d->end) - start;
	uint64_t key[CLOCK_WORDS] = { [CLOCK_RANK] = d->rank,
		                      [CLOCK_AGENT] = d->has_agent ? d->agent : 0,
		                      [CLOCK_FLAGS] = CLOCK_COUNTED |
		                                      (d->has_agent ? CLOCK_HAS_AGENT : 0) };
	struct tm_extent win;
	uint32_t name, group;

	a->untimed += !ns;
	a->nameless += ns && !(v->value >= 0 && v->value < 0x1p53);
	if (!ns || !(v->value >= 0 && v->value < 0x1p53))
		return true;
	tm_metric_window(a->o, d->rank, &win);
	if (start < win.lo || start >= win.hi) {
		a->outside++;
		return true;
	}
	name = tm_own_names_of(&a->own, &a->counted.names, d->kernel, a->o->level);
	if (name == TM_NAME_NONE)
		return false;
	key[CLOCK_KERNEL] = name;
	group = tm_groups_item(&a->keys, key, &a->g, &a->cap, sizeof *a->g, NULL);
	if (group == TM_GROUP_NONE ||
	    !tm_grow_array(&a->count, &a->count_cap, a->ncount + 1, sizeof *a->count))
		return false;
	a->g[group].calls++;
	a->g[group].total += ns;
	a->count[a->ncount++] = (struct clock_count) { group, ns, (uint64_t)v->value };
	return true;
}

/* What was counted becomes a->count. */
static bool count_all(struct clock *a, struct tm_report *rep)
{
	uint32_t cycles = tm_names_find(&a->counted.names, "GRBM_GUI_ACTIVE", 15);
	struct tm_counted d = { 0 };
	bool ok = cycles == TM_NAME_NONE ||
	          (tm_counters_use_times(&a->counted) && tm_counted_join(&d, &a->counted));

	tm_own_names_piece(&a->own);
	for (size_t i = 0; ok && i < d.n; i++) {
		const struct tm_counted_value *v = tm_counted_find(&d.v[i], cycles);

		ok = !v || add_count(a, &d.v[i], v);
	}
	tm_counters_say_repeated(&d, rep);
	tm_counted_fini(&d);
	tm_counters_fini(&a->counted);
	return ok;
}

static uint64_t khz_of(const struct clock_count *c)
{
	return tm_grbm_khz(c->cycles, c->ns);
}

/* By what has its count to be divided?  Without a largest clock nobody can know. */
static void find_division(struct clock_found *f, struct clock_gpu *g, uint64_t median)
{
	if (!median || !g->max)
		return;
	g->divide = tm_grbm_divide(&g->kind, median, false);
	if (g->kind.xccs > 1 || (g->kind.xccs && !g->divide))
		tm_grbm_tell(f->rep, g->rank, g->has_agent, g->agent, &g->kind, median, false);
}

static int by_gpu_and_khz(const void *pa, const void *pb, void *arg)
{
	const struct clock_count *a = pa, *b = pb;
	const uint32_t *gpu_of = arg;

	if (gpu_of[a->group] != gpu_of[b->group])
		return gpu_of[a->group] < gpu_of[b->group] ? -1 : 1;
	if ((a->ns < CLOCK_LONG) != (b->ns < CLOCK_LONG))
		return a->ns < CLOCK_LONG ? 1 : -1;
	return tm_u64_cmp(khz_of(a), khz_of(b));
}

static void take_count(struct clock_found *f, struct clock_gpu *g, const struct clock_count *c)
{
	struct clock_sum one = { 1, (tm_u128)c->cycles * 10000000, (tm_u128)c->ns * g->divide };

	g->counts++;
	if (c->ns < CLOCK_LONG) {
		g->brief++;
	} else if (g->divide &&
	           (tm_u128)c->cycles * 100000 > (tm_u128)c->ns * g->divide * g->max * 105) {
		g->above++;
	} else if (g->divide) {
		add(&f->counted[c->group], &one);
		add(&g->counted, &one);
	}
}

/* The counts of a GPU begin with those of long dispatches, the slowest first. */
static void find_counted(struct clock_found *f, struct clock *a)
{
	size_t to;

	if (a->ncount)
		qsort_r(a->count, a->ncount, sizeof *a->count, by_gpu_and_khz, f->gpu_of);
	for (size_t from = 0; from < a->ncount; from = to) {
		uint32_t gpu = f->gpu_of[a->count[from].group];
		size_t usable = 0;

		for (to = from; to < a->ncount && f->gpu_of[a->count[to].group] == gpu; to++)
			usable += a->count[to].ns >= CLOCK_LONG;
		if (usable)
			find_division(f, &f->gpu[gpu], khz_of(&a->count[from + (usable - 1) / 2]));
		for (size_t i = from; i < to; i++)
			take_count(f, &f->gpu[gpu], &a->count[i]);
	}
}

/* ---- both ---- */

bool tm_clock_find(struct clock_found *f, struct clock *a, const struct tm_metric_opts *o,
                   struct tm_report *rep)
{
	*f = (struct clock_found) { .a = a, .rep = rep };
	if (!count_all(a, rep) || !find_gpus(f, o->own))
		return false;
	find_counted(f, a);
	return find_read(f, a);
}

void tm_clock_found_fini(struct clock_found *f)
{
	free(f->gpu);
	free(f->gpu_of);
	free(f->read);
	free(f->counted);
}
