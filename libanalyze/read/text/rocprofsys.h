/* SPDX-License-Identifier: MIT
 * Common parts of the tables of rocprof-sys and omnitrace, as text and as JSON.
 *
 * A row is a function at a place in the call tree: a label "|00>>>   |_name" of thread, depth and
 * name, the number of calls, and the time, which includes that of the rows below it.  So nested
 * rows of one name on one thread must not be added up: only the outermost counts. */
#ifndef TM_READ_TEXT_ROCPROFSYS_H
#define TM_READ_TEXT_ROCPROFSYS_H

#include "read/batch.h"
#include "read/reader.h"

struct sys_rows {
	struct tm_ev_rows out;
	bool timed; /* the unit is one of time: `unit` ns */
	uint64_t unit;
	/* private: the rows above the one at hand, from the root on, and which (thread, name) they
	 * are */
	struct tm_names whos;
	uint32_t *stack;
	size_t depth, stack_cap;
	uint32_t *inside; /* by id in whos: how many of it are on the stack */
	size_t inside_cap;
	struct tm_buf who;
};

/* A row as it stands there; a field of n = 0 is not there. */
struct sys_row {
	struct tm_small_field label, calls, depth, sum, mean, min, max, stddev;
	uint64_t sum_ns; /* instead of `sum`, where it is known exactly: has_ns */
	bool has_ns;
	uint64_t at; /* byte where it begins */
};

/* What became of a row. */
enum sys_fate { SYS_TAKEN, SYS_MISFIT, SYS_OOM };

/* What a table of that metric is called. */
const char *tm_sys_table(const char *metric, size_t n);

/* "sec", "msec" and so on: how many ns; 0 = no unit of time. */
uint64_t tm_sys_unit_ns(const char *unit, size_t n);

/* The unit of that name: s->timed, s->unit.  False: none of time. */
bool tm_sys_unit(struct sys_rows *s, const char *unit, size_t n);

/* "|03>>>   |_name" or, of several processes, "|01|03>>> ...": its parts.  False: no such label. */
struct sys_label {
	struct tm_small_field thread, name;
	uint64_t rank;
	bool has_rank;
};
bool tm_sys_label(const struct tm_small_field *f, struct sys_label *out);

/* One row into s->out, or counted in r->loss; never with TM_BATCH_ROWS of them there. */
enum sys_fate tm_sys_take(struct tm_reader *r, struct sys_rows *s, const struct sys_row *row);

/* Begin a new tree. */
void tm_sys_restart(struct sys_rows *s);

void tm_sys_fini(struct sys_rows *s);

#endif
