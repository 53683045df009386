/* SPDX-License-Identifier: MIT
 * Findings on what could be better in a run: the rules of schemas/findings.def, applied to the
 * tables of kstats, with the possible saving from the replay. */
#ifndef TM_CLI_FINDINGS_H
#define TM_CLI_FINDINGS_H

#include "cli/frame/frame.h"

/* The columns of the table, ending with name NULL. */
extern const struct tm_column tm_findings_columns[];

/* The words --explain takes, ending with NULL. */
const char *const *tm_findings_words(void);

/* Read the operands, once for all rules, and print what was found; with `explain` the one rule of
 * that name instead: what it asks, what the numbers are, what to do.  Everything after the options
 * are parsed.  Returns the exit status: 0 also where nothing was found. */
int tm_findings_run(struct common *c, const char *explain);

#endif
