/* SPDX-License-Identifier: MIT
 * Inside of kstats ops. */
#ifndef TM_METRIC_OPS_PARTS_H
#define TM_METRIC_OPS_PARTS_H

#include "question/question.h"
#include "stack/stack.h"

enum { KEY_RANK, KEY_NAME, KEY_INPUTS, KEY_WORDS };

/* In place of a name: what belongs nowhere, and why, + enum tm_stack_how. */
#define LOST (UINT64_C(1) << 32)

struct ops_row {
	uint64_t key[KEY_WORDS];
	uint64_t calls, kernels, seen;
	tm_u128 self, total, host;
	size_t range, nrange; /* of the numbers that its text stands for, in fill.ranges */
};

/* Functions of Python of one name: they count in its row, if it has one.  Only where files of
 * totals are written or read, for the row may come from another rank. */
struct ops_function {
	uint64_t calls;
	tm_u128 host;
	bool placed; /* something was launched in it, and by no operator or annotation */
};

/* What the table is made with. */
struct ops_fill {
	const struct tm_metric_opts *o;
	struct tm_stack *s;
	struct tm_names texts; /* of rows: without numbers */
	struct tm_buf text;
	uint32_t *text_of; /* of each label, + 1 */
	uint32_t *widened; /* of each label: the row that knows its numbers, + 1 */
	struct tm_fold_ranges ranges;
	struct tm_groups keys;
	struct ops_row *row;
	size_t cap;
	struct tm_groups functions; /* ids of texts */
	struct ops_function *function;
	size_t function_cap;
	uint64_t lost[TM_STACK_HOWS];     /* operations that belong nowhere, by why */
	uint32_t lost_row[TM_STACK_HOWS]; /* their rows, + 1, of that rank */
	uint64_t lost_rank;
	uint64_t lost_ops;
	uint64_t ops, ranks, rank; /* rank: the last one */
	tm_u128 all, lost_ns;
	struct tm_stack_place place;
	struct tm_stack_path path;
	struct tm_buf joined;
};

/* The row of a name, made if new; NULL when out of memory. */
struct ops_row *tm_ops_row(struct ops_fill *f, uint64_t name, uint32_t inputs);

/* The row of that text with no inputs, of the rank at hand; NULL = there is none. */
struct ops_row *tm_ops_row_find(const struct ops_fill *f, uint32_t text);

/* ops_state.c: what files of totals keep, and what they are to keep; of all operations that there
 * are, and of all frames but functions of Python, which it counts.  False when out of memory. */
bool tm_ops_state(struct ops_fill *f);

#endif
