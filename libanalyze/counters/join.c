/* SPDX-License-Identifier: MIT
 * Executions to dispatches. */
#include "counters/gather_parts.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* An execution, by what tells which dispatch it is of. */
struct exec {
	uint32_t at;
	uint32_t run, process, pass; /* places in their order, not numbers by appearance */
	uint32_t kernel;             /* the same */
	bool by_order;
	bool has_id;
	uint64_t number; /* of the dispatch, or which one of its kernel; at first its id */
};

struct join {
	const struct tm_counters *c;
	uint32_t *names, *runs, *passes; /* place of each in its order */
	uint32_t *process;               /* of each pass: which of the processes of its file */
	struct exec *v;
	size_t n;
	bool *counts;       /* each pass: has it counters? */
	bool *valued;       /* each execution: has it? */
	uint32_t *dispatch; /* of each execution */
	uint32_t *order;    /* of each execution: its place in v */
};

static int cmp_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int cmp_name(const void *pa, const void *pb, void *arg)
{
	const struct join *j = arg;
	const struct tm_name *v = j->c->names.v;

	return tm_name_cmp(&v[*(const uint32_t *)pa], &v[*(const uint32_t *)pb]);
}

static int cmp_run(const void *pa, const void *pb, void *arg)
{
	const struct join *j = arg;
	const uint64_t *a = j->c->runs.key + (size_t) * (const uint32_t *)pa * RUN_WORDS,
	               *b = j->c->runs.key + (size_t) * (const uint32_t *)pb * RUN_WORDS;
	int r = tm_u64_cmp(a[RUN_RANK], b[RUN_RANK]);

	return r ? r : cmp_u32(j->names[a[RUN_NAME]], j->names[b[RUN_NAME]]);
}

static int cmp_pass(const void *pa, const void *pb, void *arg)
{
	const struct join *j = arg;
	const uint64_t *a = pass_key(j->c, *(const uint32_t *)pa),
	               *b = pass_key(j->c, *(const uint32_t *)pb);
	int r = cmp_u32(j->runs[a[PASS_RUN]], j->runs[b[PASS_RUN]]);

	if (!r)
		r = cmp_u32(j->names[a[PASS_PATH]], j->names[b[PASS_PATH]]);
	return r ? r : tm_known_cmp(a[PASS_HAS_PID], a[PASS_PID], b[PASS_HAS_PID], b[PASS_PID]);
}

/* Which of the processes of its file is each pass?  A program that is executed again has others,
 * in the same order. */
static bool number_processes(struct join *j)
{
	uint32_t n = j->c->passes.n, *at = malloc(((size_t)n + 1) * sizeof *at);

	j->process = calloc((size_t)n + 1, sizeof *j->process);
	for (uint32_t i = 0; at && i < n; i++)
		at[j->passes[i]] = i;
	for (uint32_t i = 1; at && j->process && i < n; i++) {
		const uint64_t *a = pass_key(j->c, at[i - 1]), *b = pass_key(j->c, at[i]);

		if (a[PASS_RUN] == b[PASS_RUN] && a[PASS_PATH] == b[PASS_PATH])
			j->process[at[i]] = j->process[at[i - 1]] + 1;
	}
	free(at);
	return at && j->process;
}

static bool places(struct join *j)
{
	const struct tm_counters *c = j->c;

	j->names = tm_places(c->names.n, cmp_name, j);
	j->runs = j->names ? tm_places(c->runs.n, cmp_run, j) : NULL;
	j->passes = j->runs ? tm_places(c->passes.n, cmp_pass, j) : NULL;
	j->counts = calloc((size_t)c->passes.n + 1, sizeof *j->counts);
	j->valued = calloc((size_t)c->executed.n + 1, sizeof *j->valued);
	for (size_t i = 0; j->counts && j->valued && i < c->n; i++) {
		j->counts[exec_key(c, c->v[i].at)[EXEC_PASS]] = true;
		j->valued[c->v[i].at] = true;
	}
	return j->passes && j->counts && j->valued && number_processes(j);
}

/* When: what is known of it, and then the order in the file. */
static int cmp_time(const struct tm_counters *c, const struct exec *a, const struct exec *b)
{
	const uint64_t *x = exec_key(c, a->at), *y = exec_key(c, b->at);
	int r = tm_known_cmp(exec_has(x, EXEC_START), x[EXEC_START], exec_has(y, EXEC_START),
	                     y[EXEC_START]);

	if (!r)
		r = tm_u64_cmp(x[EXEC_END], y[EXEC_END]);
	if (!r)
		r = tm_u64_cmp(x[EXEC_LOOSE], y[EXEC_LOOSE]);
	return r ? r
	         : tm_known_cmp(exec_has(x, EXEC_AGENT), x[EXEC_AGENT], exec_has(y, EXEC_AGENT),
	                        y[EXEC_AGENT]);
}

static int cmp_where(const struct exec *a, const struct exec *b)
{
	int r = cmp_u32(a->run, b->run);

	return r ? r : cmp_u32(a->process, b->process);
}

/* By run and process, and then by the number of the dispatch. */
static int by_id(const void *pa, const void *pb, void *arg)
{
	const struct exec *a = pa, *b = pb;
	const struct join *j = arg;
	int r = cmp_where(a, b);

	if (!r)
		r = tm_known_cmp(a->has_id, a->number, b->has_id, b->number);
	if (!r)
		r = cmp_u32(a->kernel, b->kernel);
	if (!r)
		r = cmp_u32(a->pass, b->pass);
	return r ? r : cmp_time(j->c, a, b);
}

/* By run, process and pass, kernel, and then in the order of dispatch. */
static int by_nth(const void *pa, const void *pb, void *arg)
{
	const struct exec *a = pa, *b = pb;
	const struct join *j = arg;
	int r = cmp_u32(a->pass, b->pass);

	if (!r)
		r = cmp_u32(a->kernel, b->kernel);
	if (!r)
		r = tm_known_cmp(a->has_id, a->number, b->has_id, b->number);
	return r ? r : cmp_time(j->c, a, b);
}

/* Dispatches, each with its executions: by kernel, and then where. */
static int by_dispatch(const void *pa, const void *pb, void *arg)
{
	const struct exec *a = pa, *b = pb;
	const struct join *j = arg;
	int r = cmp_u32(a->kernel, b->kernel);

	if (!r)
		r = cmp_where(a, b);
	if (!r)
		r = tm_u64_cmp(a->number, b->number);
	if (!r)
		r = cmp_u32(a->pass, b->pass);
	return r ? r : cmp_time(j->c, a, b);
}

/* Does every id of v[0..n), sorted by id, go with one kernel, and do passes share ids? */
static bool ids_agree(const struct exec *v, size_t n)
{
	bool many = false, shared = false;

	for (size_t i = 0; i < n; i++) {
		if (!v[i].has_id)
			return false;
		if (!i)
			continue;
		many |= v[i].pass != v[0].pass;
		if (v[i].number != v[i - 1].number)
			continue;
		if (v[i].kernel != v[i - 1].kernel)
			return false;
		shared |= v[i].pass != v[i - 1].pass;
	}
	return shared || !many;
}

/* v[0..n) are of one run and process, by id: give each the number of its dispatch, and sort them by
 * kernel and number where ids are not that. */
static void number(struct join *j, struct exec *v, size_t n)
{
	uint64_t id, last_id = 0;

	if (ids_agree(v, n))
		return;
	tm_sort_in_place(v, n, sizeof *v, by_nth, j);
	for (size_t i = 0; i < n; i++, last_id = id) {
		const struct exec *last = i ? &v[i - 1] : NULL;

		id = v[i].number;
		v[i].by_order = true;
		if (!last || last->pass != v[i].pass || last->kernel != v[i].kernel)
			v[i].number = 0;
		else if (v[i].has_id && last->has_id && id == last_id)
			v[i].number = last->number; /* executed again, to count more */
		else
			v[i].number = last->number + 1;
	}
	tm_sort_in_place(v, n, sizeof *v, by_dispatch, j);
}

/* v, by run, process and number, to one kernel after another: a pass over them, for there can be
 * millions. */
static bool by_kernel(struct join *j)
{
	struct exec *v = malloc((j->n + 1) * sizeof *v);
	size_t *from = calloc((size_t)j->c->names.n + 1, sizeof *from);

	if (!v || !from) {
		free(v);
		free(from);
		return false;
	}
	tm_heap_large_pages(v, (j->n + 1) * sizeof *v);
	for (size_t i = 0; i < j->n; i++)
		from[j->v[i].kernel + 1]++;
	for (uint32_t k = 1; k < j->c->names.n; k++)
		from[k] += from[k - 1];
	for (size_t i = 0; i < j->n; i++)
		v[from[j->v[i].kernel]++] = j->v[i];
	free(from);
	free(j->v);
	j->v = v;
	return true;
}

static bool executions(struct join *j)
{
	const struct tm_counters *c = j->c;

	j->n = c->executed.n;
	j->v = calloc(j->n + 1, sizeof *j->v);
	if (!j->v)
		return false;
	for (uint32_t i = 0; i < j->n; i++) {
		const uint64_t *key = exec_key(c, i);

		j->v[i] = (struct exec) { .at = i,
			                  .run = j->runs[pass_key(c, key[EXEC_PASS])[PASS_RUN]],
			                  .process = j->process[key[EXEC_PASS]],
			                  .pass = j->passes[key[EXEC_PASS]],
			                  .kernel = j->names[key[EXEC_KERNEL]],
			                  .has_id = exec_has(key, EXEC_ID),
			                  .number = key[EXEC_ID] };
	}
	tm_sort_in_place(j->v, j->n, sizeof *j->v, by_id, j);
	for (size_t i = 0, end; i < j->n; i = end) {
		for (end = i + 1; end < j->n && !cmp_where(&j->v[i], &j->v[end]); end++)
			;
		number(j, j->v + i, end - i);
	}
	return by_kernel(j);
}

static bool same_dispatch(const struct exec *a, const struct exec *b)
{
	return a->kernel == b->kernel && !cmp_where(a, b) && a->number == b->number;
}

/* How many passes has the run of that execution, with its process?  Sorted passes of one run are
 * beside each other. */
static uint32_t passes_of(const struct join *j, const uint32_t *many, const struct exec *e)
{
	const uint64_t *key = pass_key(j->c, exec_key(j->c, e->at)[EXEC_PASS]);

	return e->process ? 1 : many[key[PASS_RUN]];
}

static void put_dispatch(struct join *j, struct tm_counted *d, size_t from, size_t to,
                         const uint32_t *many)
{
	struct tm_counted_dispatch *v = &d->v[d->n];
	const uint64_t *key = exec_key(j->c, j->v[from].at);
	uint32_t seen = 0, all = passes_of(j, many, &j->v[from]), last = UINT32_MAX;
	const uint64_t *run = j->c->runs.key + pass_key(j->c, key[EXEC_PASS])[PASS_RUN] * RUN_WORDS;
	bool valued = false;

	*v = (struct tm_counted_dispatch) { .kernel = (uint32_t)key[EXEC_KERNEL],
		                            .rank = run[RUN_RANK],
		                            .has_agent = exec_has(key, EXEC_AGENT),
		                            .agent = key[EXEC_AGENT],
		                            .pass = j->v[from].pass };
	for (size_t i = from; i < to; i++) {
		const uint64_t *k = exec_key(j->c, j->v[i].at);

		j->dispatch[j->v[i].at] = (uint32_t)d->n;
		j->order[j->v[i].at] = (uint32_t)i;
		valued |= j->valued[j->v[i].at];
		if (j->counts[k[EXEC_PASS]] && j->v[i].pass != last) {
			last = j->v[i].pass;
			seen++;
		}
		if (v->start == v->end && k[EXEC_START] < k[EXEC_END]) {
			v->start = k[EXEC_START];
			v->end = k[EXEC_END];
			v->pass = j->v[i].pass;
		}
	}
	d->in_passes += valued && all > 1;
	d->partly += valued && seen < all;
	d->by_order += valued && all > 1 && j->v[from].by_order;
	d->n++;
}

static bool dispatches(struct join *j, struct tm_counted *d)
{
	uint32_t *many = calloc((size_t)j->c->runs.n + 1, sizeof *many);

	d->v = calloc(j->n + 1, sizeof *d->v);
	j->dispatch = calloc(j->n + 1, sizeof *j->dispatch);
	j->order = calloc(j->n + 1, sizeof *j->order);
	if (many && d->v && j->dispatch && j->order) {
		for (uint32_t i = 0; i < j->c->passes.n; i++)
			many[pass_key(j->c, i)[PASS_RUN]] += j->counts[i] && !j->process[i];
		for (size_t i = 0, end; i < j->n; i = end) {
			for (end = i + 1; end < j->n && same_dispatch(&j->v[i], &j->v[end]); end++)
				;
			put_dispatch(j, d, i, end, many);
		}
	}
	free(many);
	return many && d->v && j->dispatch && j->order;
}

/* Of one dispatch. */
static int by_counter(const void *pa, const void *pb, void *arg)
{
	const struct tm_counter_read *a = pa, *b = pb;
	const struct join *j = arg;
	int r = cmp_u32(a->counter, b->counter);

	if (!r)
		r = cmp_u32(j->order[a->at], j->order[b->at]);
	return r ? r : (a->value > b->value) - (a->value < b->value);
}

/* What was read, one dispatch after another; *end: for each of the n, where the next one begins.
 * False when out of memory. */
static bool by_where(const struct join *j, size_t n, struct tm_counter_read **to, size_t **end)
{
	const struct tm_counters *c = j->c;
	size_t *at = calloc(n + 1, sizeof *at), all = 0;
	struct tm_counter_read *v = malloc((c->n + 1) * sizeof *v);

	*to = v;
	*end = at;
	if (!v || !at)
		return false;
	tm_heap_large_pages(v, (c->n + 1) * sizeof *v);
	for (size_t i = 0; i < c->n; i++)
		at[j->dispatch[c->v[i].at]]++;
	for (size_t k = 0; k < n; k++) {
		all += at[k];
		at[k] = all - at[k];
	}
	for (size_t i = 0; i < c->n; i++)
		v[at[j->dispatch[c->v[i].at]]++] = c->v[i];
	return true;
}

/* The values of a dispatch, v[0..n) as read. */
static void put_dispatch_values(struct join *j, struct tm_counted *d,
                                struct tm_counted_dispatch *to, struct tm_counter_read *v, size_t n)
{
	struct tm_counted_value *out = d->values + d->nvalues;

	tm_sort_in_place(v, n, sizeof *v, by_counter, j);
	to->v = out;
	for (size_t i = 0; i < n; i++) {
		const uint64_t *key = exec_key(j->c, v[i].at);

		if (i && v[i - 1].counter == v[i].counter) {
			d->repeated++;
			continue;
		}
		out[to->n++] = (struct tm_counted_value) { .value = v[i].value,
			                                   .counter = v[i].counter,
			                                   .pass = j->passes[key[EXEC_PASS]],
			                                   .start = key[EXEC_START],
			                                   .end = key[EXEC_END] };
	}
	d->nvalues += to->n;
}

/* Values to their dispatches, of which those without any are left out. */
static bool put_values(struct join *j, struct tm_counted *d)
{
	struct tm_counter_read *v;
	size_t *end, n = 0;
	bool ok = by_where(j, d->n, &v, &end);

	d->values = calloc(j->c->n + 1, sizeof *d->values);
	for (size_t i = 0, from = 0; ok && d->values && i < d->n; from = end[i++]) {
		if (from == end[i])
			continue;
		d->v[n] = d->v[i];
		put_dispatch_values(j, d, &d->v[n++], v + from, end[i] - from);
	}
	free(v);
	free(end);
	d->n = n;
	return ok && d->values;
}

bool tm_counted_join(struct tm_counted *d, const struct tm_counters *c)
{
	struct join j = { .c = c };
	bool ok;

	*d = (struct tm_counted) { 0 };
	ok = places(&j) && executions(&j) && dispatches(&j, d) && put_values(&j, d);
	free(j.names);
	free(j.runs);
	free(j.passes);
	free(j.process);
	free(j.counts);
	free(j.valued);
	free(j.v);
	free(j.dispatch);
	free(j.order);
	return ok;
}

const struct tm_counted_value *tm_counted_find(const struct tm_counted_dispatch *d,
                                               uint32_t counter)
{
	size_t lo = 0, hi = d->n;

	TM_BISECT(lo, hi, mid, d->v[mid].counter < counter);
	return lo < d->n && d->v[lo].counter == counter ? &d->v[lo] : NULL;
}

void tm_counted_fini(struct tm_counted *d)
{
	free(d->v);
	free(d->values);
	*d = (struct tm_counted) { 0 };
}
