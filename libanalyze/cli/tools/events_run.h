/* SPDX-License-Identifier: MIT
 * From operands to rows, one for each event. */
#ifndef TM_CLI_EVENTS_RUN_H
#define TM_CLI_EVENTS_RUN_H

#include "cli/frame/frame.h"
#include "tracks/tracks.h"

enum { EVENTS_OPTIONS = 8 };

/* What the user may say beside the common options; {0} to begin with. */
struct events_own {
	const char *kinds, *weight, *budget, *args;
	bool no_flows, no_findings, open;
	/* What a picture shows first, into *t, its texts to be freed; NULL = nothing.  *why: what
	 * could not be read for it.  False where there is no answer, which is said. */
	bool (*pin)(const struct common *c, struct tm_tracks *t, struct tm_buf *why);
};

/* All of them, writing into *own. */
void tm_events_options(struct events_own *own, struct option out[EVENTS_OPTIONS]);

/* What the common options are for events: -f, -s and -n. */
void tm_events_adapt(struct option *common);

/* Read the operands of *c and write their events, stacks or a picture: everything after the options
 * are
 * parsed.  Returns the exit status. */
int tm_events_run(struct common *c, const struct events_own *own);

#endif
