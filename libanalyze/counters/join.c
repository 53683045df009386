/* SPDX-License-Identifier: MIT
 * Executions to dispatches. */
#include "counters/gather_parts.h"

#include <stdlib.h>
#include <string.h>

/* An execution, by what tells which dispatch it is of. */
struct exec {
	uint32_t at;
	uint32_t run, process, pass; /* places in their order, not numbers by appearance */
	uint32_t kernel;             /* the same */
	bool by_order;
	uint64_t number; /* of the dispatch, or which one of its kernel */
};

struct join {
	const struct tm_counters *c;
	uint32_t *names, *runs, *passes; /* place of each in its order */
	uint32_t *process;               /* of each pass: which of the processes of its file */
	struct exec *v;
	size_t n;
	bool *counts;       /* each pass: has it counters? */
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
	for (size_t i = 0; j->counts && i < c->n; i++)
		j->counts[exec_key(c, c->v[i].at)[EXEC_PASS]] = true;
	return j->passes && j->counts && number_processes(j);
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
	const uint64_t *x = exec_key(j->c, a->at), *y = exec_key(j->c, b->at);
	int r = cmp_where(a, b);

	if (!r)
		r = tm_known_cmp(exec_has(x, EXEC_ID), x[EXEC_ID], exec_has(y, EXEC_ID),
		                 y[EXEC_ID]);
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
	const uint64_t *x = exec_key(j->c, a->at), *y = exec_key(j->c, b->at);
	int r = cmp_u32(a->pass, b->pass);

	if (!r)
		r = cmp_u32(a->kernel, b->kernel);
	if (!r)
		r = tm_known_cmp(exec_has(x, EXEC_ID), x[EXEC_ID], exec_has(y, EXEC_ID),
		                 y[EXEC_ID]);
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

/* Does every number of v[0..n), sorted by id, go with one kernel, and do passes share numbers? */
static bool ids_agree(const struct join *j, const struct exec *v, size_t n)
{
	bool many = false, shared = false;

	for (size_t i = 0; i < n; i++) {
		const uint64_t *a = exec_key(j->c, v[i].at), *b;

		if (!exec_has(a, EXEC_ID))
			return false;
		if (!i)
			continue;
		b = exec_key(j->c, v[i - 1].at);
		many |= v[i].pass != v[0].pass;
		if (a[EXEC_ID] != b[EXEC_ID])
			continue;
		if (v[i].kernel != v[i - 1].kernel)
			return false;
		shared |= v[i].pass != v[i - 1].pass;
	}
	return shared || !many;
}

/* v[0..n) are of one run and process: give each the number of its dispatch. */
static void number(struct join *j, struct exec *v, size_t n)
{
	bool agree = ids_agree(j, v, n);

	if (!agree)
		tm_sort_in_place(v, n, sizeof *v, by_nth, j);
	for (size_t i = 0; i < n; i++) {
		const uint64_t *a = exec_key(j->c, v[i].at);
		const struct exec *last = i ? &v[i - 1] : NULL;

		v[i].by_order = !agree;
		if (agree)
			v[i].number = a[EXEC_ID];
		else if (!last || last->pass != v[i].pass || last->kernel != v[i].kernel)
			v[i].number = 0;
		else if (exec_has(a, EXEC_ID) && exec_has(exec_key(j->c, last->at), EXEC_ID) &&
		         a[EXEC_ID] == exec_key(j->c, last->at)[EXEC_ID])
			v[i].number = last->number; /* executed again, to count more */
		else
			v[i].number = last->number + 1;
	}
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
			                  .kernel = j->names[key[EXEC_KERNEL]] };
	}
	tm_sort_in_place(j->v, j->n, sizeof *j->v, by_id, j);
	for (size_t i = 0, end; i < j->n; i = end) {
		for (end = i + 1; end < j->n && !cmp_where(&j->v[i], &j->v[end]); end++)
			;
		number(j, j->v + i, end - i);
	}
	tm_sort_in_place(j->v, j->n, sizeof *j->v, by_dispatch, j);
	return true;
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

	*v = (struct tm_counted_dispatch) { .kernel = (uint32_t)key[EXEC_KERNEL],
		                            .rank = run[RUN_RANK],
		                            .has_agent = exec_has(key, EXEC_AGENT),
		                            .agent = key[EXEC_AGENT],
		                            .pass = j->v[from].pass };
	for (size_t i = from; i < to; i++) {
		const uint64_t *k = exec_key(j->c, j->v[i].at);

		j->dispatch[j->v[i].at] = (uint32_t)d->n;
		j->order[j->v[i].at] = (uint32_t)i;
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
	d->in_passes += seen && all > 1;
	d->partly += seen && seen < all;
	d->by_order += seen && all > 1 && j->v[from].by_order;
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

static int by_counter(const void *pa, const void *pb, void *arg)
{
	const struct tm_counter_read *a = pa, *b = pb;
	const struct join *j = arg;
	int r = cmp_u32(j->dispatch[a->at], j->dispatch[b->at]);

	if (!r)
		r = cmp_u32(a->counter, b->counter);
	if (!r)
		r = cmp_u32(j->order[a->at], j->order[b->at]);
	return r ? r : (a->value > b->value) - (a->value < b->value);
}

static bool put_values(struct join *j, struct tm_counted *d)
{
	const struct tm_counters *c = j->c;
	struct tm_counter_read *v = malloc((c->n + 1) * sizeof *v);
	struct tm_counted_dispatch *to;
	size_t n = 0;

	d->values = calloc(c->n + 1, sizeof *d->values);
	if (!v || !d->values) {
		free(v);
		return false;
	}
	if (c->n)
		memcpy(v, c->v, c->n * sizeof *v);
	tm_sort_in_place(v, c->n, sizeof *v, by_counter, j);
	for (size_t i = 0; i < c->n; i++) {
		const uint64_t *key = exec_key(c, v[i].at);

		to = &d->v[j->dispatch[v[i].at]];
		if (i && j->dispatch[v[i - 1].at] == j->dispatch[v[i].at] &&
		    v[i - 1].counter == v[i].counter) {
			d->repeated++;
			continue;
		}
		if (!to->n++)
			to->v = &d->values[n];
		d->values[n++] = (struct tm_counted_value) { .value = v[i].value,
			                                     .counter = v[i].counter,
			                                     .pass = j->passes[key[EXEC_PASS]],
			                                     .start = key[EXEC_START],
			                                     .end = key[EXEC_END] };
	}
	free(v);
	n = 0;
	for (size_t i = 0; i < d->n; i++)
		if (d->v[i].n)
			d->v[n++] = d->v[i];
	d->n = n;
	return true;
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
