/* SPDX-License-Identifier: MIT
 * The first screen: kstats summary, and kstats without a sub-command. */
#ifndef TM_CLI_SCREEN_H
#define TM_CLI_SCREEN_H

#include "cli/tools/tools.h"

/* Read the operands once for the summary and all findings, and print them: for people as a page,
 * for machines the rows of the summary with those of the findings after them.  *own is what the
 * options of the summary say.  Returns the exit status. */
int tm_screen_run(struct common *c, const struct stats_own *own);

#endif
