/* SPDX-License-Identifier: MIT
 * From operands to a run.db. */
#ifndef TM_CLI_MERGE_RUN_H
#define TM_CLI_MERGE_RUN_H

#include "cli/frame/frame.h"
#include "merge/merge.h"

enum { MERGE_OPTIONS = 5 };

/* What the user may say beside the common options; begin with MERGE_OWN. */
struct merge_own {
	bool stats_only, no_index, schema;
	unsigned align; /* enum tm_align_how */
};

#define MERGE_OWN                                                                                  \
	{                                                                                          \
		.align = TM_ALIGN_AUTO                                                             \
	}

/* All of them, writing into *own. */
void tm_merge_options(struct merge_own *own, struct option out[MERGE_OPTIONS]);

/* Read the operands of *c and write the database, or print its tables where that was asked for:
 * everything after the options are parsed.  `placed` is called when it is known where the database
 * is written, *place, which tm_place_abandon takes away.  Returns the exit status. */
int tm_merge_run(struct common *c, const struct merge_own *own, struct place *place,
                 void (*placed)(void));

#endif
