/* SPDX-License-Identifier: MIT
 * The state of `samples`, shared by the file that gathers and the file that prints. */
#ifndef TM_METRIC_SAMPLES_H
#define TM_METRIC_SAMPLES_H

#include "agg/agg.h"
#include "question/question.h"

/* Words of keys. */
enum { SRUN_RANK, SRUN_NAME, SRUN_WORDS };                       /* runs of the profiler */
enum { SDISP_RUN, SDISP_ID, SDISP_WORDS };                       /* dispatches */
enum { SPLACE_AT, SPLACE_TEXT, SPLACE_SOURCE, SPLACE_WORDS };    /* places: offset + 1, texts + 1 */
enum { STRACE_PATH, STRACE_OBJECT, STRACE_PLACE, STRACE_WORDS }; /* of thread traces */

/* The kernel of a dispatch: a name's id + 1, or ... */
#define KERNEL_UNKNOWN UINT32_C(0)
#define KERNEL_SEVERAL UINT32_MAX
enum { ISSUED_NO, ISSUED_YES, ISSUED_UNKNOWN };
enum { LANES_UNKNOWN = 255 };

struct sample {
	uint32_t dispatch, place;
	uint32_t stall; /* id of the reason + 1, 0 = none */
	unsigned char issued, lanes;
};

/* An instruction in a thread trace. */
struct traced {
	tm_u128 hits, latency, stalled, idle;
	bool kernel; /* the name of one, which begins here */
};

struct samples {
	const struct tm_metric_opts *o;
	struct tm_names names;
	struct tm_groups runs, dispatches, places, traces;
	uint32_t *kernel; /* of each dispatch */
	size_t kernel_cap;
	struct sample *v; /* n of them */
	size_t n, cap;
	struct traced *t; /* of each trace */
	size_t t_cap;
	uint64_t outside, unplaced; /* samples: of the window; without dispatch */

	/* the piece being read */
	uint32_t run, path;
	struct tm_extent window;
	uint32_t *norm; /* id in its names -> id in `names`, + 1 */
	size_t norm_cap;
	size_t nknown;
};

enum {
	SMP_NAME,
	SMP_INSTRUCTION,
	SMP_SOURCE,
	SMP_SAMPLES,
	SMP_PCT,
	SMP_LOW,
	SMP_HIGH,
	SMP_ISSUED,
	SMP_STALL,
	SMP_STALL_PCT,
	SMP_LANES,
	SMP_OFFSET,
	SMP_HITS,
	SMP_CYCLES,
	SMP_LATENCY,
	SMP_STALLED,
	SMP_IDLE,
	SMP_COLUMNS,
};
extern const struct tm_column tm_samples_columns[SMP_COLUMNS + 1];

/* struct tm_metric's fill. */
enum tm_status tm_samples_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                               struct tm_report *rep);

#endif
