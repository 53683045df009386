/* SPDX-License-Identifier: MIT
 * The status that fallible functions of the library return. */
#ifndef TM_BASE_STATUS_H
#define TM_BASE_STATUS_H

enum tm_status {
	TM_ST_OK = 0,     /* done */
	TM_ST_END = 1,    /* nothing more to come; not an error */
	TM_ST_WARN = -1,  /* done, but something was lost; the diag says what */
	TM_ST_SKIP = -2,  /* this item is unusable, the next call may succeed */
	TM_ST_FATAL = -3, /* the handle is dead for good: every later call returns TM_ST_FATAL */
	TM_ST_NOMEM = -4, /* memory ran out: nothing is known, and the run ends */
};

#endif
