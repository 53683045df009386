/* SPDX-License-Identifier: MIT
 * Power of the devices, and how much of their memory was in use, from tables of readings over time;
 * with a trace, also which kernel classes the energy went into (power/energy.h).
 *
 * Of a device, over its covered stretches (power/power_series.h):
 *     duration  sum of their lengths
 *     energy    sum of (p0 + p1) / 2 * (t1 - t0), the trapezoid rule over the times as they were
 *               written
 *     mean      energy / duration: weighted by time, not by reading
 * and over its readings, each counting once:
 *     p95       nearest rank: the smallest reading that 95 % of them do not exceed
 *     peak      the largest
 * Computed in integers; only the printed digits are rounded.  Changes of power between two readings
 * are not seen. */
#ifndef TM_POWER_READINGS_H
#define TM_POWER_READINGS_H

#include "power/energy.h"
#include "power/power_series.h"
#include "question/question.h"

#include <stdbool.h>
#include <stdint.h>

/* The user's options. */
struct tm_power_opts {
	unsigned what;            /* 0 = what the files hold, else enum tm_power_what + 1 */
	uint64_t scale;           /* ten-thousandths */
	bool scaled;              /* the user said so: units are not doubted */
	uint64_t gap_ns;          /* 0 = by the rule */
	bool keep_zero;           /* of VRAM: 0 is a reading */
	bool windowed;            /* only the rows in ... */
	struct tm_window window;  /* ... this part, which is no marker and no step */
	struct tm_energy *energy; /* what a trace holds, or NULL */
	struct tm_energy_opts align;
};

/* A question whose `o` is a struct tm_power_opts.  The side of a source is the number of its node,
 * + 1, or 0.  tm_power_view comes before fill. */
extern const struct tm_question tm_power_question;

/* Choose the table after all files were read: returns its columns, ending with name NULL (also if
 * there is nothing to show), and its name in *name.  The column `node` is included if there are
 * several nodes, or with `every`. */
const struct tm_column *tm_power_view(void *acc, bool every, const char **name);

/* The tables that were read; they belong to the accumulator. */
const struct tm_power_files *tm_power_tables(const void *acc);

/* Report that readings of 0 % did not count; and that an option applies to readings that the table
 * does not show. */
void tm_power_tell_zeros(uint64_t zeros, const char *where, struct tm_report *rep);
void tm_power_tell_unread(bool keep_zero, bool scaled, struct tm_report *rep);

/* The columns of all tables, each name once, ending with name NULL; `what` as in struct
 * tm_power_opts, TM_POWER_WHATS + 1 for the energy of kernel classes, + 2 for that of the rest, + 3
 * for sensors of traces, + 4 for those over time. */
const struct tm_column *tm_power_columns(unsigned what);

#endif
