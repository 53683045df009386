/* SPDX-License-Identifier: MIT
 * What a tool prints about itself. */
#ifndef CLI_PAGES_H
#define CLI_PAGES_H

#include "cli/common.h"
#include "cli/complete.h"

/* --help: the page to standard output or -o.  Returns the exit status. */
int put_help(const struct common *c, const struct option_page *page);

/* --completion: the script for the shell c->completion.  Returns the exit status. */
int put_completion(const struct common *c, const struct complete_spec *spec);

/* A usage error: `word` is none of the sub-commands (`names` ends with NULL), or NULL: there was none;
 * `example` is a command line that has one.  Returns EXIT_TROUBLE. */
int no_such_command(const struct common *c, const char *word, const char *const *names,
                    const char *example);

#endif
