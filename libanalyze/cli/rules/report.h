/* SPDX-License-Identifier: MIT
 * The report: tables of a run, and what was found, as one page of HTML. */
#ifndef TM_CLI_REPORT_H
#define TM_CLI_REPORT_H

#include "cli/frame/frame.h"

#include <stdbool.h>

/* Read the operands once for all tables and write the page: everything after the options are
 * parsed.  With `open` it is served to a browser of this machine as well.  Returns the exit
 * status. */
int tm_report_run(struct common *c, bool open);

#endif
