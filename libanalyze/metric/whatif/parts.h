/* SPDX-License-Identifier: MIT
 * Shared by `kstats whatif` and `kstats path`: reading, and the scenarios. */
#ifndef TM_METRIC_WHATIF_PARTS_H
#define TM_METRIC_WHATIF_PARTS_H

#include "replay/replay.h"
#include "stack/stack.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The accumulator: rows of the replay, and what else is asked for. */
struct replay_acc {
	struct tm_replay_rows rows;
	bool steps, frames;
	struct tm_work work;   /* steps: to find the steps in */
	struct tm_stack stack; /* frames: what the host was in */
	struct tm_stack_opts stack_opts;
};

bool tm_replay_acc_init(struct replay_acc *a, const struct tm_metric_opts *o, bool steps,
                        bool frames);
tm_ev_set tm_replay_acc_want(bool steps, bool frames);
bool tm_replay_acc_piece(void *acc, const struct tm_piece *p);
bool tm_replay_acc_take(void *acc, const struct tm_batch *b);
bool tm_replay_acc_merge(void *into, void *from);
void tm_replay_acc_fini(void *acc);

/* tm_metric.lend. */
void tm_replay_acc_lend(void *acc, const struct tm_work_pool *work,
                        const struct tm_stack_pool *stacks);

#define REPLAY_SINK(init_)                                                                         \
	{                                                                                          \
		.size = sizeof(struct replay_acc), .init = (init_), .piece = tm_replay_acc_piece,  \
		.take = tm_replay_acc_take, .merge = tm_replay_acc_merge,                          \
		.fini = tm_replay_acc_fini                                                         \
	}

/* All was read: what there is to say of it.  TM_ST_END when there is nothing to replay, and *rep
 * says why; TM_ST_FATAL when out of memory. */
enum tm_status tm_replay_acc_settle(struct replay_acc *a, const struct tm_metric_opts *o,
                                    struct tm_report *rep);

/* Then: its graph; `what` as for tm_replay_new.  TM_ST_OK with *out; TM_ST_FATAL when out of
 * memory. */
enum tm_status tm_replay_acc_graph(struct replay_acc *a, const struct tm_metric_opts *o,
                                   enum tm_replay_for what, struct tm_replay **out);

/* What there is to say of rows, of which `any` can be replayed.  TM_ST_END when there is nothing to
 * replay, and *rep says why. */
enum tm_status tm_replay_acc_judge(const struct replay_acc *a, bool any,
                                   const struct tm_metric_opts *o, struct tm_report *rep);

/* What there is to say of a graph, whatever is asked of it. */
void tm_replay_acc_tell(const struct tm_replay *r, const struct tm_metric_opts *o,
                        struct tm_report *rep);

/* What the options of `whatif` say. */
struct whatif_own {
	const char *scale, *launch, *copy, *comm, *host, *nosync_of;
	const char *only; /* usual scenarios, with ';' between their names; NULL = all */
	bool nosync, balance, sweep, likely;
};

/* A scenario and what it is called. */
struct whatif_one {
	struct tm_buf text;
	struct tm_replay_scenario s;
	struct tm_replay_scale *scale;
	size_t nscale, scale_cap;
	uint8_t *set; /* of each name, for s.nosync */
	uint8_t **sets;
	size_t nsets, sets_cap;
};

struct whatif_list {
	struct whatif_one *v;
	size_t n, cap;
};

/* The usual scenarios, or those but for kernels, or two of each class. */
enum whatif_of { WHATIF_ALL, WHATIF_NO_KERNELS, WHATIF_SWEEP };

/* Put them into the list.  False when out of memory. */
bool tm_whatif_usual(struct whatif_list *l, const struct tm_replay *r, const struct tm_classes *c,
                     enum whatif_of of);

/* Names of scenarios with ';' between them: is this one of them? */
bool tm_whatif_is_named(const char *only, const char *name, size_t len);

/* Leave those scenarios of the list that `only` names. */
void tm_whatif_only(struct whatif_list *l, const char *only);

/* Are these names that the usual scenarios may have?  TM_ST_END where one is not, and *rep lists
 * those there are; TM_ST_FATAL when out of memory. */
enum tm_status tm_whatif_names(const char *only, const struct tm_classes *c, enum whatif_of of,
                               struct tm_report *rep);

/* Can rows have any of them?  As tm_whatif_absent where it is clear without a graph that they have
 * none; else TM_ST_OK. */
enum tm_status tm_whatif_possible(const char *only, const struct tm_replay_rows *rows,
                                  struct tm_report *rep);

/* Which of them does the input not have?  *rep tells, has() knows.  TM_ST_END where it has none of
 * them; TM_ST_FATAL when out of memory. */
enum tm_status tm_whatif_absent(const char *only,
                                bool (*has)(void *arg, const char *name, size_t n), void *arg,
                                struct tm_report *rep);

/* The same of those in a list. */
enum tm_status tm_whatif_absent_of(struct whatif_list *l, const char *only, struct tm_report *rep);

/* The one scenario that the options describe.  TM_ST_END where they ask for what cannot be, and
 * *rep says so; TM_ST_FATAL when out of memory. */
enum tm_status tm_whatif_asked(struct whatif_list *l, const struct tm_replay *r,
                               const struct tm_classes *c, const struct whatif_own *own,
                               struct tm_report *rep);

/* Do the options ask for anything? */
bool tm_whatif_asks(const struct whatif_own *own);

/* A scenario more that changes nothing yet; NULL when out of memory. */
struct whatif_one *tm_whatif_add(struct whatif_list *l, const char *text);

/* Kernels that take another time, in one.  False when out of memory. */
bool tm_whatif_add_scale(struct whatif_one *w, struct tm_replay_scale s);

/* Calls that do not wait any more: those that only wait for the GPU, or of the names in `list`,
 * with ',' between them.  False when out of memory. */
bool tm_whatif_nosync(struct whatif_one *w, const struct tm_replay *r, const char *list);

void tm_whatif_list_fini(struct whatif_list *l);

/* Can the host's part be replayed: are there calls, and do kernels know theirs?  Else why not. */
const char *tm_whatif_no_host(const struct tm_replay *r);

/* Why no usual scenario is about the host. */
const char *tm_whatif_no_usual_host(const struct tm_replay *r);

/* Can ranks be compared?  Else why not. */
const char *tm_whatif_no_ranks(const struct tm_replay *r);

/* The same of what would be if all had as much to do. */
const char *tm_whatif_no_balance(const struct tm_replay *r);

#endif
