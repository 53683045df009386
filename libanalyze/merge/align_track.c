/* SPDX-License-Identifier: MIT
 * The collectives of an input, by what they can be compared by. */
#include "merge/align_parts.h"
#include "work/work.h"

#include <stdlib.h>
#include <string.h>

void tm_track_fini(struct track *t)
{
	free(t->run);
	free(t->op);
	*t = (struct track) { 0 };
}

/* ---- one input ---- */

struct row {
	uint64_t key, agent;
	struct tm_end_op op;
};

static int by_key(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->agent != b->agent)
		return a->agent < b->agent ? -1 : 1;
	if (a->op.end != b->op.end)
		return a->op.end < b->op.end ? -1 : 1;
	return (a->op.start > b->op.start) - (a->op.start < b->op.start);
}

/* The kernels of an agent, for tm_comm_join. */
struct agent_kernels {
	const struct tm_store_collective *v;
	const struct tm_names *names;
};

static const char *name_of(const void *of, size_t i)
{
	const struct agent_kernels *k = of;

	return k->names->v[k->v[i].name].text;
}

/* Rows of the n collectives of one agent, after *nrows of them; there is room. */
static bool add_agent(const struct tm_align_facts *f, struct tm_comm_join *join, uint64_t rank,
                      const struct tm_store_collective *v, size_t n, struct row *rows,
                      size_t *nrows)
{
	const struct tm_comm_call **call = calloc(n, sizeof(*call));
	const struct agent_kernels of = { v, f->names };
	const struct tm_comm_kernels kernels = { .n = n, .name = name_of, .of = &of };
	struct tm_comm_joined joined;

	if (!call || (f->calls && !tm_comm_join(join, rank, &kernels, call, &joined))) {
		free(call);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		const struct tm_comm_call *c = call[i];
		struct row row = { .agent = v[i].agent,
			           .op = { v[i].start_ns, v[i].end_ns, v[i].seq } };

		if (c && !tm_align_is_collective_op(&f->calls->names.v[c->name]))
			continue;
		if (v[i].comm != TM_NAME_NONE) {
			row.key = KEY_COMM + v[i].comm;
		} else if (c && c->comm != TM_NAME_NONE &&
		           tm_comm_is_global(&f->calls->names.v[c->comm])) {
			row.key = KEY_LOG + c->comm;
			row.op.seq = c->has_op ? c->op : UINT64_MAX;
		} else {
			row.key = KEY_ALL;
			rows[(*nrows)++] = row;
			row.key = KEY_NAME + v[i].name;
		}
		rows[(*nrows)++] = row;
	}
	free(call);
	return true;
}

/* Sorted rows into runs: of each key those of the agent that has most. */
static bool make_runs(struct track *t, const struct row *rows, size_t n)
{
	size_t cap = 0;

	t->op = malloc((n + 1) * sizeof *t->op);
	if (!t->op)
		return false;
	for (size_t i = 0, end; i < n; i = end) {
		size_t best = i, most = 0;

		for (end = i; end < n && rows[end].key == rows[i].key;) {
			size_t from = end;

			while (end < n && rows[end].key == rows[i].key &&
			       rows[end].agent == rows[from].agent)
				end++;
			if (end - from > most) {
				most = end - from;
				best = from;
			}
		}
		if (!tm_grow_array(&t->run, &cap, t->nruns + 1, sizeof *t->run))
			return false;
		t->run[t->nruns++] = (struct run_of) { rows[i].key, t->n, most };
		for (size_t k = 0; k < most; k++)
			t->op[t->n++] = rows[best + k].op;
	}
	return true;
}

enum tm_status tm_track_load(const struct align_set *s, const struct tm_align_input *in,
                             struct track *t, struct tm_diag *d)
{
	struct tm_store_collective *v;
	struct tm_comm_join join = { .calls = s->f->calls };
	struct row *rows;
	size_t n, nrows = 0;
	enum tm_status st = tm_store_collectives(s->store, in->input, &v, &n, d);
	bool ok;

	*t = (struct track) { 0 };
	if (st != TM_ST_OK)
		return st;
	rows = malloc((2 * n + 1) * sizeof *rows);
	ok = rows != NULL;
	for (size_t i = 0, end; ok && i < n; i = end) {
		for (end = i; end < n && v[end].agent == v[i].agent; end++)
			continue;
		ok = add_agent(s->f, &join, in->id.rank, v + i, end - i, rows, &nrows);
	}
	if (ok && nrows)
		qsort(rows, nrows, sizeof *rows, by_key);
	ok = ok && make_runs(t, rows, nrows);
	tm_comm_join_fini(&join);
	free(rows);
	free(v);
	if (!ok) {
		tm_track_fini(t);
		tm_diag_oom(d);
	}
	return ok ? TM_ST_OK : TM_ST_FATAL;
}

static int by_run_key(const void *key, const void *run)
{
	uint64_t a = *(const uint64_t *)key, b = ((const struct run_of *)run)->key;

	return (a > b) - (a < b);
}

const struct run_of *tm_run_find(const struct track *t, uint64_t key)
{
	return t->nruns ? bsearch(&key, t->run, t->nruns, sizeof *t->run, by_run_key) : NULL;
}
