/* SPDX-License-Identifier: MIT
 * The files that make the page of `kernel`. */
#ifndef TM_METRIC_KERNEL_PAGE_H
#define TM_METRIC_KERNEL_PAGE_H

#include "metric/inside/kernel.h"
#include "metric/shape.h"

enum {
	KERNEL_SECTION,
	KERNEL_METRIC,
	KERNEL_VALUE,
	KERNEL_UNIT,
	KERNEL_NOTE,
	KERNEL_CALLS,
	KERNEL_PCT,
	KERNEL_COLUMNS,
	KERNEL_FEW = 4, /* rows of a section that people see, where it has many */
};

struct kernel_page {
	struct kernel *a;
	const struct tm_metric_opts *o;
	struct tm_table *t;
	struct tm_report *rep;
	bool people;
	struct tm_moments sum; /* of all dispatches of the kernel */
	struct tm_quantile q;
	uint32_t names; /* kernels that match */
	struct kernel_around around;
	struct tm_table part[PARTS]; /* answers of the other questions; without rows: none */
	bool launched[2];            /* it is known from which operator, which region */
	struct tm_buf text;
};

/* One more row; NULL when out of memory.  The texts are the table's, or outlive it. */
struct tm_cell *tm_kernel_row(struct kernel_page *p, const char *section, struct tm_cell metric);

/* Its value; `word` says the unit to machines. */
void tm_kernel_value(struct tm_cell *c, struct tm_cell value, enum tm_unit unit, const char *word);

/* Sums by one thing, each known by a text; {0} is empty. */
struct kernel_parts {
	struct tm_names names;
	struct kernel_sum {
		const char *text; /* `len` bytes */
		size_t len;
		uint64_t number, has; /* for the order of those of equal time */
		uint64_t calls;
		tm_u128 total;
	} * v;
	size_t cap;
};

/* Add to that of a text. */
bool tm_kernel_add(struct kernel_parts *s, const struct tm_buf *text, uint64_t has, uint64_t number,
                   uint64_t calls, tm_u128 total);

/* A row for each, those with most time first; people see the first few and what the others have
 * together. */
bool tm_kernel_put(struct kernel_page *p, struct kernel_parts *s, const char *section);
void tm_kernel_parts_fini(struct kernel_parts *s);

/* Fill p->part.  False when out of memory, as below. */
bool tm_kernel_ask(struct kernel_page *p);

/* Where it was launched; what its registers, grid and clock tell; what the input does not tell, and
 * how to record it; what follows from all that. */
bool tm_kernel_launched(struct kernel_page *p);
bool tm_kernel_inside(struct kernel_page *p);
bool tm_kernel_missing(struct kernel_page *p);
bool tm_kernel_answer(struct kernel_page *p);

#endif
