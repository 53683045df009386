/* SPDX-License-Identifier: MIT
 * What do graph launches spend their time on?
 *
 * All kernels of one graph launch have its correlation id.  They are told apart by the node of the
 * graph where the producer recorded it, else by position: the first to start in its launch is 1.
 * Over all launches of a rank, one row for each node or position and kernel name, so that graphs of
 * different shape share no row with different kernels in it.
 *
 * Blind to which graph it was: launches of two graphs of the same kernels are one. */
#include "agg/agg.h"
#include "metric/idle/launch.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	COL_RANK,
	COL_NODE,
	COL_POSITION,
	COL_NAME,
	COL_CALLS,
	COL_TOTAL,
	COL_AVG,
	COL_START,
	COL_N
};

const struct tm_column tm_launch_graph_columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .unit = TM_UNIT_ID,
	               .about = "rank of the process" },
	[COL_NODE] = { .name = "node",
	               .title = "NODE",
	               .unit = TM_UNIT_ID,
	               .about = "graph node, if recorded" },
	[COL_POSITION] = { .name = "position",
	                   .title = "POSITION",
	                   .unit = TM_UNIT_ID,
	                   .about = "otherwise position in the launch by start, from 1" },
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .unit = TM_UNIT_TEXT,
	               .about = "kernel",
	               .elastic = true },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = TM_UNIT_COUNT,
	                .about = "number of runs" },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = TM_UNIT_NS,
	                .about = "sum of its durations",
	                .bar = true },
	[COL_AVG] = { .name = "avg_ns",
	              .title = "AVG",
	              .unit = TM_UNIT_NS,
	              .about = "total_ns / calls" },
	[COL_START] = { .name = "start_avg_ns",
	                .title = "START",
	                .unit = TM_UNIT_NS,
	                .about = "mean time from start of the first kernel of the launch" },
	[COL_N] = { 0 },
};

/* One kernel of a graph launch. */
struct kernel {
	size_t call; /* in the index of its rank */
	uint64_t start, end, node;
	uint32_t name;
	bool has_node, inside; /* it starts inside the window */
};

enum { KEY_RANK, KEY_HAS_NODE, KEY_PLACE, KEY_NAME, KEY_WORDS }; /* name: in work.order */

struct row {
	uint32_t name, key;
	uint64_t calls;
	tm_u128 total, start;
};

struct fill {
	struct tm_work *w;
	struct launches l;     /* of the rank at hand */
	struct kernel *kernel; /* of one correlation id */
	size_t nkernel, kernel_cap;
	struct tm_groups keys;
	struct row *row; /* keys.n of them */
	size_t row_cap;
	uint64_t launches;
};

/* The kernels [from, to) that graph launches have launched. */
static bool gather(struct fill *f, size_t from, size_t to)
{
	const struct tm_intervals *s = &f->l.ops;

	f->nkernel = 0;
	for (size_t i = from; i < to; i++) {
		const struct tm_work_track *t = launches_track(&f->l, i);
		size_t call = tm_launches_call(&f->l, i);

		if (call == TM_CALL_NONE || tm_calls_kind(&f->l.calls, call) != TM_CALL_GRAPH)
			continue;
		if (!tm_grow_array(&f->kernel, &f->kernel_cap, f->nkernel + 1, sizeof *f->kernel))
			return false;
		f->kernel[f->nkernel++] = (struct kernel) { call,
			                                    tm_interval_start(s, i),
			                                    tm_interval_end(s, i),
			                                    t->lane,
			                                    launches_name(&f->l, i),
			                                    t->has_lane,
			                                    launches_inside(&f->l, i) };
	}
	return true;
}

/* By launch, in order of start. */
static int by_launch(const void *pa, const void *pb, void *arg)
{
	const struct kernel *a = pa, *b = pb;
	const uint32_t *order = arg;
	int c = tm_u64_cmp(a->call, b->call);

	if (!c)
		c = tm_u64_cmp(a->start, b->start);
	if (!c)
		c = tm_u64_cmp(a->end, b->end);
	if (!c)
		c = tm_u64_cmp(order[a->name], order[b->name]);
	return c ? c : tm_u64_cmp(a->node, b->node);
}

static bool add(struct fill *f, uint64_t rank, const struct kernel *k, uint64_t position,
                uint64_t first)
{
	const uint64_t key[KEY_WORDS] = { [KEY_RANK] = rank,
		                          [KEY_HAS_NODE] = k->has_node,
		                          [KEY_PLACE] = k->has_node ? k->node : position,
		                          [KEY_NAME] = f->w->order[k->name] };
	bool fresh;
	uint32_t i = tm_groups_item(&f->keys, key, &f->row, &f->row_cap, sizeof *f->row, &fresh);

	if (i == TM_GROUP_NONE)
		return false;
	if (fresh)
		f->row[i] = (struct row) { .name = k->name, .key = i };
	f->row[i].calls++;
	f->row[i].total += k->end - k->start;
	f->row[i].start += k->start - first;
	return true;
}

/* Kernels [from, to) have one correlation id. */
static bool add_same(struct fill *f, uint64_t rank, size_t from, size_t to)
{
	uint64_t position = 0, first = 0;
	bool told = false, ok = gather(f, from, to);

	if (ok && f->nkernel)
		qsort_r(f->kernel, f->nkernel, sizeof *f->kernel, by_launch, f->w->order);
	for (size_t i = 0; ok && i < f->nkernel; i++) {
		const struct kernel *k = &f->kernel[i];

		if (!i || k->call != k[-1].call) {
			told = false;
			position = 0;
			first = k->start;
		}
		position++;
		if (!k->inside)
			continue;
		f->launches += !told;
		told = true;
		ok = add(f, rank, k, position, first);
	}
	return ok;
}

/* Tracks [from, to) are those of one rank. */
static bool add_rank(struct fill *f, size_t from, size_t to)
{
	uint64_t rank = f->w->track[from].rank;
	bool ok = tm_launches_init(&f->l, f->w, rank, from, to);

	for (size_t i = 0, k; ok && i < f->l.ops.n; i = k) {
		k = i + tm_launches_same(&f->l, i);
		ok = add_same(f, rank, i, k);
	}
	tm_launches_fini(&f->l);
	return ok;
}

static int by_key(const void *pa, const void *pb, void *arg)
{
	const struct row *a = pa, *b = pb;
	const uint64_t *keys = arg;
	int c = 0;

	for (size_t i = 0; !c && i < KEY_WORDS; i++)
		c = tm_u64_cmp(keys[a->key * (size_t)KEY_WORDS + i],
		               keys[b->key * (size_t)KEY_WORDS + i]);
	return c;
}

static struct tm_cell average(tm_u128 sum, uint64_t n)
{
	return tm_cell_ratio((uint64_t)(sum >> 64), (uint64_t)sum, n);
}

static bool fill_rows(struct fill *f, struct tm_table *t)
{
	if (f->keys.n)
		qsort_r(f->row, f->keys.n, sizeof *f->row, by_key, f->keys.key);
	for (uint32_t i = 0; i < f->keys.n; i++) {
		const struct row *r = &f->row[i];
		const uint64_t *key = &f->keys.key[r->key * (size_t)KEY_WORDS];
		struct tm_cell *cell = tm_table_row(t);

		if (!cell)
			return false;
		cell[COL_RANK] = tm_cell_u64(key[KEY_RANK]);
		cell[key[KEY_HAS_NODE] ? COL_NODE : COL_POSITION] = tm_cell_u64(key[KEY_PLACE]);
		cell[COL_NAME] = tm_cell_text(f->w->names.v[r->name].text,
		                              f->w->names.v[r->name].len);
		cell[COL_CALLS] = tm_cell_u64(r->calls);
		/* Past 64 bits only where a trace is longer than 584 years. */
		if (r->total <= UINT64_MAX)
			cell[COL_TOTAL] = tm_cell_u64((uint64_t)r->total);
		cell[COL_AVG] = average(r->total, r->calls);
		cell[COL_START] = average(r->start, r->calls);
	}
	return true;
}

enum tm_status tm_launch_graphs_fill(struct tm_work *w, struct tm_table *t, struct tm_report *rep)
{
	struct fill f = { .w = w, .keys = { .words = KEY_WORDS } };
	bool ok = tm_work_settle(w);

	tm_table_init_list(t, tm_launch_graph_columns);
	for (size_t i = 0, to; ok && i < w->ntrack; i = to) {
		for (to = i + 1; to < w->ntrack && w->track[to].rank == w->track[i].rank;)
			to++;
		ok = add_rank(&f, i, to);
	}
	ok = ok && fill_rows(&f, t);
	free(f.kernel);
	free(f.row);
	tm_groups_fini(&f.keys);
	if (!ok)
		return TM_ST_FATAL;
	tm_work_tell(w, rep);
	if (t->nrows) {
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "%" PRIu64 " graph launch%s", f.launches,
		              f.launches == 1 ? "" : "es");
		return TM_ST_OK;
	}
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
	              "nothing to show: no kernel has the correlation id of a graph launch in the "
	              "same rank");
	return TM_ST_END;
}
