/* SPDX-License-Identifier: MIT
 * replay_time - what the graph of a replay costs: to build, to keep and to go through once.
 *
 *   replay_time ROWS
 *
 * Rows are made here: calls of one thread that launch kernels and copies on four streams, and wait
 * for them now and then.  Prints "rows build_s pass_s bytes_a_row edges_a_row": the CPU time of
 * the graph and of one pass, and what the graph and the times of a pass keep. */

#include "replay/pass.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 4096, STREAMS = 4, WAIT = 64, FEW = 5 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t kept(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

static void die(const char *what)
{
	fprintf(stderr, "replay_time: %s\n", what);
	exit(2);
}

/* The columns of a batch. */
struct columns {
	uint64_t name[BATCH], domain[BATCH], start[BATCH], end[BATCH], corr[BATCH], pid[BATCH],
	        place[BATCH], agent[BATCH];
	struct tm_batch b;
};

static void columns_init(struct columns *c, enum tm_ev_kind kind, struct tm_names *names)
{
	c->b = (struct tm_batch) { .kind = kind, .names = names };
	c->b.has = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_DOMAIN) | TM_EV_BIT(TM_EVC_START) |
	           TM_EV_BIT(TM_EVC_END) | TM_EV_BIT(TM_EVC_CORR) | TM_EV_BIT(TM_EVC_PID);
	c->b.has |= kind == TM_EV_API ? TM_EV_BIT(TM_EVC_TID)
	                              : TM_EV_BIT(TM_EVC_STREAM) | TM_EV_BIT(TM_EVC_AGENT);
	c->b.some = c->b.has;
	c->b.col[TM_EVC_NAME] = c->name;
	c->b.col[TM_EVC_DOMAIN] = c->domain;
	c->b.col[TM_EVC_START] = c->start;
	c->b.col[TM_EVC_END] = c->end;
	c->b.col[TM_EVC_CORR] = c->corr;
	c->b.col[TM_EVC_PID] = c->pid;
	c->b.col[TM_EVC_TID] = c->b.col[TM_EVC_STREAM] = c->place;
	c->b.col[TM_EVC_AGENT] = c->agent;
}

static void flush(struct columns *c, struct tm_replay_rows *rows)
{
	if (c->b.n && !tm_replay_rows_take(rows, &c->b))
		die("out of memory");
	c->b.n = 0;
}

static void add(struct columns *c, struct tm_replay_rows *rows, uint32_t name, uint64_t start,
                uint64_t end, uint64_t corr, uint64_t place)
{
	uint32_t i = c->b.n++;

	c->name[i] = name;
	c->domain[i] = c->b.kind == TM_EV_API ? TM_DOMAIN_HIP : TM_DOMAIN_KERNEL;
	c->start[i] = start;
	c->end[i] = end;
	c->corr[i] = corr;
	c->pid[i] = 1;
	c->place[i] = place;
	c->agent[i] = 4;
	if (c->b.n == BATCH)
		flush(c, rows);
}

/* The time of every kernel differs a little, the same in every run. */
static uint64_t vary(uint64_t i)
{
	return i * UINT64_C(2654435761) >> 7 & 4095;
}

static void make_rows(struct tm_replay_rows *rows, uint64_t n)
{
	static const char *const text[FEW] = { "hipLaunchKernel", "hipStreamSynchronize",
		                               "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_SE",
		                               "softmax_warp_forward", "layer_norm_kernel" };
	static struct columns call, op;
	struct tm_names names = { 0 };
	struct tm_piece piece = { .id.rank = 0 };
	uint64_t t = 1000000, busy[STREAMS] = { 0 }, most;

	for (int i = 0; i < FEW; i++)
		if (tm_names_add(&names, text[i], strlen(text[i])) == TM_NAME_NONE)
			die("out of memory");
	columns_init(&call, TM_EV_API, &names);
	columns_init(&op, TM_EV_DISPATCH, &names);
	if (!tm_replay_rows_piece(rows, &piece))
		die("out of memory");
	for (uint64_t i = 0, corr = 1; i + 2 <= n; i += 2, corr++) {
		uint64_t stream = corr / WAIT % STREAMS, end = t + 4000 + vary(i) / 8, start;

		start = end + 4000 > busy[stream] + 1500 ? end + 4000 : busy[stream] + 1500;
		busy[stream] = start + 5000 + vary(i + 1);
		add(&call, rows, 0, t, end, corr, 7);
		add(&op, rows, 2 + (uint32_t)(corr % 3), start, busy[stream], corr, stream);
		t = end + 1000;
		if (corr % WAIT)
			continue;
		most = busy[stream] > t ? busy[stream] : t;
		add(&call, rows, 1, t, most + 6000, n + corr, 7);
		t = most + 9000;
		i++;
	}
	flush(&call, rows);
	flush(&op, rows);
	tm_names_fini(&names);
}

static void time_pass(const struct tm_replay *r, double *best)
{
	struct tm_replay_scenario s = tm_replay_same();
	uint64_t *t = malloc(((size_t)r->rank[0]->n + 1) * sizeof *t), arrival = 0;
	uint32_t at[2], left[2];
	struct pass p = { .r = r, .s = &s, .level = LIKELY, .t = &t, .arrival = &arrival };

	if (!t)
		die("out of memory");
	s.launch = s.host = TM_REPLAY_UNIT / 2;
	for (int i = 0; i < FEW; i++) {
		double from = now(), took;

		tm_replay_pass(&p, at, left);
		took = now() - from;
		*best = i && *best < took ? *best : took;
	}
	free(t);
}

int main(int argc, char **argv)
{
	struct tm_metric_opts opts = { .level = TM_NAME_FULL };
	struct tm_classes *classes = tm_classes_builtin(NULL);
	struct tm_replay_rows rows;
	struct tm_replay *r;
	uint64_t n = argc == 2 ? strtoull(argv[1], NULL, 10) : 0, all;
	double from, build, pass = 0;
	size_t before;

	if (!n || !classes)
		die("usage: replay_time ROWS");
	opts.classes = classes;
	opts.plain_window = (struct tm_extent) { 0, UINT64_MAX };
	before = kept();
	if (!tm_replay_rows_init(&rows, &opts))
		die("out of memory");
	make_rows(&rows, n);
	from = now();
	r = tm_replay_new(&rows, TM_REPLAY_ANY_JOB, 1);
	build = now() - from;
	if (!r)
		die("out of memory");
	all = r->counts.ops + r->counts.calls;
	before = kept() - before + (size_t)r->counts.instants * sizeof(uint64_t);
	time_pass(r, &pass);
	printf("%" PRIu64 " %.3f %.3f %.1f %.2f\n", all, build, pass, (double)before / (double)all,
	       (double)r->counts.edges / (double)all);
	tm_replay_free(r);
	tm_replay_rows_fini(&rows);
	tm_classes_free(classes);
	return 0;
}
