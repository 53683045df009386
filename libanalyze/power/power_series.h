/* SPDX-License-Identifier: MIT
 * Readings over time of the devices of a node, and which stretches between them may be integrated.
 *
 * A stretch is the time between a reading of a device and the next one; rows without a reading of
 * it are ignored.  It is
 *     covered   not longer than the gap limit: the power went straight from the one to the other
 *     a gap     longer than that: nobody knows
 *     back      its end is before its beginning: somebody set the clock, or summer time ended
 * The gap limit is 3.5 times the median spacing of the node's rows (so up to two missing readings
 * in a row are bridged, three are not, however unsteady the spacing), or what the user says; never
 * more than an hour. */
#ifndef TM_POWER_POWER_SERIES_H
#define TM_POWER_POWER_SERIES_H

#include "base/base.h"
#include "model/model.h"
#include "read/power/power.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a file held. */
struct tm_power_file {
	char *name;
	uint64_t node; /* the number in front of its name on the command line, + 1; 0 = none */
	struct tm_power_column *col; /* ncol of them, in the order of tm_power_column_cmp */
	size_t ncol;
	bool tall;       /* written by amd-smi, a row for each device */
	bool held;       /* rows in pairs: the value holds from the one to the other */
	uint64_t gap_ns; /* the limit of this file; 0 = that of its node */
	uint64_t *time;  /* n rows, in the order of the file */
	uint64_t *value; /* n * ncol, row by row; TM_POWER_NA = none, TM_POWER_ABSENT = nothing */
	size_t n, time_cap, value_cap;
};

/* {0} is the empty set. */
struct tm_power_files {
	struct tm_power_file *v;
	size_t n, cap;
};

/* Read a table to its end and, on TM_ST_OK and TM_ST_WARN, append it to *all.  Returns as take of
 * struct tm_question.  What was skipped is in *t, which the caller frees. */
enum tm_status tm_power_files_read(struct tm_power_files *all, struct tm_power_csv *t,
                                   struct tm_source *s, uint64_t node, struct tm_diag *d);

/* The kinds of readings in the files, a bit for each enum tm_power_what. */
unsigned tm_power_files_kinds(const struct tm_power_files *all);

/* Free it; {0} again. */
void tm_power_files_fini(struct tm_power_files *all);

/* The files of one node, one after the other, and what is known of their rows. */
struct tm_power_node {
	const struct tm_power_file *file; /* n of them, by the time of their first row */
	size_t n;
	uint64_t *device; /* ndevice numbers, ascending */
	size_t ndevice;
	uint64_t rows;
	uint64_t first_ns, last_ns; /* smallest and largest time */
	uint64_t begin_ns;          /* the time of the very first row */
	uint64_t spacing_ns;        /* (lower) median of the distances between rows; 0 = none */
	uint64_t gap_ns;            /* the limit; 0 = no stretch can be added up */
	struct tm_extent window;    /* rows that count: */
	uint64_t same,
	        back; /* of those, with the time of the one before, and with an earlier one */
};

/* Sort the files and group them by node: a file with a number belongs to the node of that number,
 * any other is a node of its own.  *node = *n of them, by number, then by name; for
 * tm_power_nodes_free.  `gap_ns` 0 = by the rule above.  False when out of memory. */
bool tm_power_nodes(struct tm_power_files *all, enum tm_power_what what, uint64_t gap_ns,
                    struct tm_power_node **node, size_t *n);

/* Use only the rows in this window; initially, all are used. */
void tm_power_node_window(struct tm_power_node *node, enum tm_power_what what,
                          struct tm_extent window);

/* Free them; NULL is fine. */
void tm_power_nodes_free(struct tm_power_node *node, size_t n);

/* The name for users: "0", or the file.  Lives as long as the files; `text` is a buffer for
 * numbers. */
const char *tm_power_node_name(const struct tm_power_node *node, char text[24]);

/* Are there several devices, all with even numbers?  These are packages of two dies (MI200), of
 * which only the first has a power sensor.  Pure. */
bool tm_power_node_packages(const struct tm_power_node *node);

/* Order of two uint64_t, for qsort. */
int tm_power_by_number(const void *a, const void *b);

/* How a reading follows the one before. */
enum tm_power_link { TM_POWER_FIRST, TM_POWER_COVERED, TM_POWER_GAP, TM_POWER_BACK };

/* One device's readings in order: {.node, .what, .device, .scale} before the first
 * tm_power_walk_next.  */
struct tm_power_walk {
	const struct tm_power_node *node;
	enum tm_power_what what;
	uint64_t device;
	uint64_t scale;    /* readings are multiplied by this many ten-thousandths */
	bool zero_is_none; /* a reading of 0 is a failed one */

	enum tm_power_link link; /* of the reading at hand */
	uint64_t t, v;           /* it; v in millionths */
	uint64_t t0, v0;         /* the one before */
	uint64_t na;             /* so far: cells without a reading */
	uint64_t zeros;          /* so far: of those, cells that said 0 */

	size_t file, row, col; /* private */
	bool begun, bound;
};

/* The index, in n > 0 sorted readings, of the 95th percentile by nearest rank: the smallest reading
 * that 95 % of them do not exceed. */
static inline uint64_t tm_power_p95_at(uint64_t n)
{
	return (n / 20) * 19 + ((n % 20) * 19 + 19) / 20 - 1;
}

/* The next reading; false when there is none. */
bool tm_power_walk_next(struct tm_power_walk *w);

/* Twice the integral of a covered stretch, in millionths times nanoseconds: exact. */
static inline tm_u128 tm_power_twice(const struct tm_power_walk *w)
{
	return (tm_u128)(w->v0 + w->v) * (w->t - w->t0);
}

/* Mean power in watts (or use in percent) over `ns`, and energy in joules, from a sum of
 * tm_power_twice. */
struct tm_cell tm_power_mean_cell(tm_u128 twice, uint64_t ns);
struct tm_cell tm_power_energy_cell(tm_u128 twice);

#endif
