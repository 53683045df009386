/* SPDX-License-Identifier: MIT
 * Relate two clocks that recorded the same events.
 *
 * A robust straight line through pairs of readings, up to a third of which may be wrong, in whole
 * numbers, so that every machine finds the same line; and its error at any time. */
#ifndef TM_AGG_LINE_FIT_H
#define TM_AGG_LINE_FIT_H

#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One event on clock a and on clock b: when it began and when it ended.  Only ends are fitted. */
struct tm_fit_pair {
	uint64_t a_start, a_end, b_start, b_end;
};

enum {
	TM_FIT_FEWEST = 2,   /* pairs that a line takes */
	TM_FIT_MOST = 4096,  /* pairs that are looked at; of more, evenly chosen ones */
	TM_FIT_PARTS = 8,    /* equal parts of the time from the first pair to the last */
	TM_FIT_PART_MIN = 4, /* pairs that a part needs to speak for itself */
};

/* How well the line fits within one part of the time. */
struct tm_fit_part {
	uint64_t from_ns, to_ns; /* on clock a */
	uint64_t pairs;          /* of those that were looked at */
	uint64_t middle_ns;      /* median distance of their ends from the line, */
	uint64_t most_ns;        /* and the largest, of those that are not outliers */
	uint64_t bias_ns;        /* how far their median is from the line */
};

struct tm_line_fit {
	struct tm_clock_line line;  /* from a to b; its rate is 0 unless it is beyond doubt */
	uint64_t pairs, used;       /* looked at; not outliers */
	uint64_t spread_ns;         /* median distance of an end from the line */
	uint64_t start_spread_ns;   /* the same of starts, from their own median */
	uint64_t outlier_ns;        /* what is further from the line is an outlier */
	uint64_t first_ns, last_ns; /* of clock a */
	struct tm_fit_part part[TM_FIT_PARTS];
	size_t parts; /* 1 .. TM_FIT_PARTS, fewer for few pairs */
	/* private: what the error follows from */
	uint64_t sigma, center, root_sxx, slope_ppb, few_ns;
};

/* Fit n pairs, n >= TM_FIT_FEWEST, sorted by a_end (what is out of order is an outlier).  A drift
 * is accepted up to `most_rate` (TM_CLOCK_RATE_MOST or less), and only if chance would hardly
 * produce it on any of `clocks` clocks; clocks 0 = the line only guides a search, for which a
 * likely drift is better than none.  False when out of memory. */
bool tm_line_fit(struct tm_line_fit *f, const struct tm_fit_pair *p, size_t n, int64_t most_rate,
                 uint64_t clocks);

/* Set the line of two clocks that are one, whatever noise suggests: no offset and no drift. */
void tm_line_fit_one_clock(struct tm_line_fit *f);

/* The possible error of time t of clock a after conversion to clock b: three deviations of the
 * uncertainty of the pairs, plus what the part with t shows beyond that.  Away from the pairs it
 * grows with the uncertainty of the drift. */
uint64_t tm_line_fit_error(const struct tm_line_fit *f, uint64_t t);

#endif
