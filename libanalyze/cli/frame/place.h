/* SPDX-License-Identifier: MIT
 * The place to write a file that cannot be written sequentially: a database. */
#ifndef TM_CLI_PLACE_H
#define TM_CLI_PLACE_H

#include "base/base.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum place_how {
	PLACE_NONE,
	PLACE_BESIDE,  /* -o FILE: a new file beside it, or what it links to, renamed in the end */
	PLACE_STDOUT,  /* standard output is an empty regular file: written there */
	PLACE_SPOOLED, /* a pipe: a nameless file in TMPDIR, copied in the end */
};

/* {0} before tm_place_choose.  Path is where to write. */
struct place {
	volatile enum place_how how;
	volatile bool named;    /* path is a file that only we know: to be removed */
	volatile bool finished; /* it is where it belongs: a signal comes too late */
	char path[4096];
	/* private */
	char target[PATH_MAX]; /* PLACE_BESIDE */
	int out, spool;
};

/* Decide by -o (NULL or "-" = standard output) and make what is needed.  False with *d: a terminal,
 * or what the system refused. */
bool tm_place_choose(struct place *p, const char *output, struct tm_diag *d);

/* The file at path is open now: a spooled one loses its name, so that nothing is left behind
 * whatever happens. */
void tm_place_opened(struct place *p);

/* All is written and closed (`ok`): put it where it belongs, *bytes = its size.  Otherwise take it
 * away.  False with *d when that did not work. */
bool tm_place_finish(struct place *p, bool ok, uint64_t *bytes, struct tm_diag *d);

/* Take away what was written so far; safe in a signal handler. */
void tm_place_abandon(struct place *p);

#endif
