/* SPDX-License-Identifier: MIT
 * Stores of work that share one: each has the lists that it would have alone. */
#include "work/work.h"

#include "model/model.h"
#include "work/pool.h"

#include "test.h"

#include <stdlib.h>

enum { ROWS = 600, STORES = 5, NAMES = 8 };

/* What they keep: all ids, none, and sizes of copies. */
static const unsigned keeps[STORES] = {
	TM_WORK_OP_NAMES | TM_WORK_CORR | TM_WORK_PIDS,
	0,
	TM_WORK_OP_NAMES,
	TM_WORK_OP_NAMES | TM_WORK_BYTES,
	TM_WORK_CORR | TM_WORK_PIDS,
};

struct rows {
	struct tm_batch b;
	uint64_t col[TM_EVC_N][ROWS];
	tm_ev_set row_has[ROWS];
};

/* Rows of some agents and processes, whose times are multiples of `grain`: the larger, the more
 * begin and end together. */
static void make(struct rows *r, const struct tm_names *names, enum tm_ev_kind kind, unsigned pids,
                 uint64_t grain)
{
	static const enum tm_ev_col cols[] = { TM_EVC_NAME, TM_EVC_START, TM_EVC_END,  TM_EVC_AGENT,
		                               TM_EVC_PID,  TM_EVC_CORR,  TM_EVC_BYTES };

	memset(r, 0, sizeof *r);
	r->b.kind = kind;
	r->b.n = ROWS;
	r->b.names = names;
	r->b.row_has = r->row_has;
	for (size_t c = 0; c < sizeof cols / sizeof *cols; c++) {
		r->b.has |= TM_EV_BIT(cols[c]);
		r->b.col[cols[c]] = r->col[cols[c]];
	}
	r->b.some = r->b.has;
	for (size_t i = 0; i < ROWS; i++) {
		r->row_has[i] = r->b.has;
		r->col[TM_EVC_NAME][i] = (uint64_t)rand() % NAMES;
		r->col[TM_EVC_START][i] = ((uint64_t)rand() % 5000) / grain * grain;
		r->col[TM_EVC_END][i] = r->col[TM_EVC_START][i] +
		                        (1 + (uint64_t)rand() % 3) * grain;
		r->col[TM_EVC_AGENT][i] = (uint64_t)rand() % 2;
		r->col[TM_EVC_PID][i] = (uint64_t)rand() % pids;
		r->col[TM_EVC_CORR][i] = 1 + (uint64_t)rand() % 1000;
		r->col[TM_EVC_BYTES][i] = (uint64_t)rand() % 100;
	}
}

static void same_list(const struct tm_work *a, const struct tm_intervals *x,
                      const struct tm_work *b, const struct tm_intervals *y, bool tags)
{
	CHECK_U64(x->n, y->n);
	for (size_t i = 0; i < x->n && i < y->n; i++) {
		CHECK_U64(tm_interval_start(x, i), tm_interval_start(y, i));
		CHECK_U64(tm_interval_end(x, i), tm_interval_end(y, i));
		CHECK(!tags || tm_interval_tag(x, i) == tm_interval_tag(y, i));
		if (a->keep & TM_WORK_OP_NAMES)
			CHECK_STR(a->names.v[tm_interval_name(x, i)].text,
			          b->names.v[tm_interval_name(y, i)].text);
	}
}

static void same(const struct tm_work *a, const struct tm_work *b)
{
	CHECK_U64(a->ntrack, b->ntrack);
	CHECK_U64(a->uncorrelated, b->uncorrelated);
	CHECK_U64(a->seen[TM_DOMAIN_KERNEL], b->seen[TM_DOMAIN_KERNEL]);
	CHECK_U64(a->nhost, a->keep & TM_WORK_BYTES ? 1 : 0);
	CHECK_U64(b->nhost, a->nhost);
	for (size_t i = 0; i < a->nhost && i < b->nhost; i++) {
		const struct tm_intervals *x = &a->host[i].copy, *y = &b->host[i].copy;

		CHECK(a->host[i].rank == b->host[i].rank && x->n == y->n && x->n);
		for (size_t k = 0; k < x->n && k < y->n; k++)
			CHECK(tm_interval_start(x, k) == tm_interval_start(y, k) &&
			      tm_interval_tag(x, k) == tm_interval_tag(y, k));
	}
	for (size_t i = 0; i < a->ntrack && i < b->ntrack; i++) {
		const struct tm_work_track *t = &a->track[i], *u = &b->track[i];

		CHECK(tm_work_same_lane(t, u) && t->has_pid == u->has_pid && t->pid == u->pid);
		CHECK(t->window.lo == u->window.lo && t->window.hi == u->window.hi);
		for (int k = 0; k < TM_WORK_KINDS; k++) {
			const bool sizes = k == TM_WORK_COPY && a->keep & TM_WORK_BYTES;

			CHECK_U64(t->started[k], u->started[k]);
			same_list(a, &t->op[k], b, &u->op[k], sizes || a->keep & TM_WORK_CORR);
		}
	}
}

/* All stores, alone and in a pool, are given the same rows. */
static void compare(unsigned pids, uint64_t grain)
{
	static const char *const text[NAMES] = { "gemm",
		                                 "Zeta",
		                                 "alpha(int)",
		                                 "ncclKernel_AllReduce",
		                                 "mid",
		                                 "omega",
		                                 "MEMORY_COPY_HOST_TO_DEVICE",
		                                 "MEMORY_COPY_HOST_TO_HOST" };
	struct tm_classes *classes = tm_classes_builtin(NULL);
	const struct tm_metric_opts o = { .classes = classes, .domains = 1 };
	const struct tm_piece p = { .id = { .rank = 3 } };
	struct tm_work alone[STORES], shared[STORES];
	struct tm_work_pool pool = { 0 };
	struct tm_names names = { 0 };
	struct rows *r = malloc(2 * sizeof *r);

	for (int i = 0; i < NAMES; i++)
		CHECK_U64(tm_names_add(&names, text[i], strlen(text[i])), (uint64_t)i);
	make(&r[0], &names, TM_EV_DISPATCH, pids, grain);
	make(&r[1], &names, TM_EV_COPY, pids, grain);
	for (int i = 0; i < STORES; i++) {
		CHECK(tm_work_init(&alone[i], &o, keeps[i]) && tm_work_piece(&alone[i], &p));
		CHECK(tm_work_init(&shared[i], &o, keeps[i]));
		CHECK(tm_work_pool_join(&pool, &shared[i]));
	}
	tm_work_pool_close(&pool);
	CHECK_U64(pool.n, 1);
	CHECK(tm_work_pool_sink.piece(&pool, &p));
	for (int k = 0; k < 2; k++) {
		CHECK(tm_work_pool_sink.take(&pool, &r[k].b));
		for (int i = 0; i < STORES; i++)
			CHECK(tm_work_take(&alone[i], &r[k].b) &&
			      tm_work_take(&shared[i], &r[k].b));
	}
	for (int i = 0; i < STORES; i++) {
		CHECK(tm_work_settle(&alone[i]) && tm_work_settle(&shared[i]));
		same(&alone[i], &shared[i]);
	}
	for (int i = 0; i < STORES; i++) {
		tm_work_fini(&alone[i]);
		tm_work_fini(&shared[i]);
	}
	tm_work_pool_sink.fini(&pool);
	tm_names_fini(&names);
	tm_classes_free(classes);
	free(r);
}

TEST(one_process)
{
	compare(1, 1);
}

/* Which of those with the same times comes first depends on the ids, where there are any. */
TEST(ties)
{
	compare(1, 500);
}

TEST(processes)
{
	compare(4, 1);
	compare(4, 500);
}

/* More than are walked together. */
TEST(many_processes)
{
	compare(2 * TM_WORK_SAME, 50);
}

TEST_MAIN(T(one_process), T(ties), T(processes), T(many_processes))
