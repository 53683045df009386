/* SPDX-License-Identifier: MIT
 * The severity ladder every fallible call of the library climbs. */
#ifndef TM_BASE_STATUS_H
#define TM_BASE_STATUS_H

enum status {
	ST_OK = 0,     /* done */
	ST_END = 1,    /* nothing more to come; not an error */
	ST_WARN = -1,  /* done, but something was lost; the diag says what */
	ST_SKIP = -2,  /* this item is unusable, the next call may succeed */
	ST_FATAL = -3, /* the handle is dead for good: every later call returns ST_FATAL */
	ST_NOMEM = -4, /* memory ran out: nothing is known, and the run ends */
};

#endif
