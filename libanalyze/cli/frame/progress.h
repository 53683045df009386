/* SPDX-License-Identifier: MIT
 * Progress: one line on a terminal during long work. */
#ifndef TM_CLI_PROGRESS_H
#define TM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	const char *tool;
	bool on;    /* stderr is a terminal and the user did not say no */
	bool shown; /* a line is on the screen */
	uint64_t start_ms, next_ms;
};

/* Start the clock. */
void tm_progress_init(struct progress *p, const char *tool, bool wanted);

/* What the line says after `ms`, of `done` bytes of `total`; total < done = how many there are is
 * not known, which is so of a pipe.  Percent, bytes, bytes a second so far, and how long the rest
 * takes at that pace: "72 %, 309 of 426 MB, 198 MB/s, 1 s left".  Cut at `size`. */
void tm_progress_line(char *text, size_t size, uint64_t done, uint64_t total, uint64_t ms);

/* Leave out the last parts of the line, so that it has no more than `room` columns: half a number
 * is another number. */
void tm_progress_fit(char *text, size_t room);

/* A drive's progress function; arg is the struct progress. */
void tm_progress_tell(void *arg, uint64_t done, uint64_t total);

/* Take the line away. */
void tm_progress_done(struct progress *p);

#endif
