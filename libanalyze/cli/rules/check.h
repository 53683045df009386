/* SPDX-License-Identifier: MIT
 * From operands and rules to a verdict. */
#ifndef TM_CLI_CHECK_H
#define TM_CLI_CHECK_H

#include "check/check.h"
#include "cli/frame/frame.h"

#include <stdbool.h>

/* What the user says beside the common options. */
struct check_opts {
	struct tm_rules rules;
	struct option_list baseline; /* files of the run that rules compare with */
	struct option_list reports;  /* FORMAT=FILE: the same answer once more */
	unsigned allow;              /* ALLOW_* of diff/compare.h */
};

/* What -f takes, ending with NULL. */
const char *const *tm_check_format_words(void);

/* Add the rules of a file, "-" being standard input.  What is wrong with it is an error in *rep.
 * False when out of memory. */
bool tm_check_read_rules(struct tm_rules *r, const char *path, struct tm_report *rep);

/* Read the operands, and hold the rules against them: everything after the options are parsed and
 * the rules are read. Where rules are wrong, *wrong says which, also those that could be read but
 * ask for what there is not, and no trace is read.  Returns the exit status. */
int tm_check_run(struct common *c, const struct check_opts *o, struct tm_report *wrong);

#endif
