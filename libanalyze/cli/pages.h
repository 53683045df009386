/* SPDX-License-Identifier: MIT
 * What a tool prints about itself. */
#ifndef CLI_PAGES_H
#define CLI_PAGES_H

#include "cli/common.h"
#include "cli/complete.h"

/* --help: the page to standard output or -o; with c->brief the short one.  Returns the exit status.
 */
int put_help(const struct common *c, const struct option_page *page);

/* --completion: the script for the shell c->completion.  Returns the exit status. */
int put_completion(const struct common *c, const struct complete_spec *spec);

#endif
