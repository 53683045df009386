/* SPDX-License-Identifier: MIT
 * From the operands of powerstats to its table. */
#ifndef TM_CLI_POWER_RUN_H
#define TM_CLI_POWER_RUN_H

#include "cli/tools/power_options.h"

/* Read the operands of *c, and the traces that *own names, and print the table: everything after
 * the options are parsed.  Returns the exit status. */
int tm_power_run(struct common *c, const struct power_own *own);

#endif
