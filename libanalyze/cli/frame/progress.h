/* SPDX-License-Identifier: MIT
 * How far is it?  One line on a terminal while the work is long. */
#ifndef TM_CLI_PROGRESS_H
#define TM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *tool;
	bool on;    /* stderr is a terminal and the user did not say no */
	bool shown; /* a line is on the screen */
	uint64_t start_ms, next_ms;
};

/* Start the clock. */
void tm_progress_init(struct progress *p, const char *tool, bool wanted);

/* A drive's progress function; arg is the struct progress. */
void tm_progress_tell(void *arg, uint64_t done, uint64_t total);

/* Take the line away. */
void tm_progress_done(struct progress *p);

#endif
