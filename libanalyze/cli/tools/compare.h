/* SPDX-License-Identifier: MIT
 * From operands that are runs to a printed comparison. */
#ifndef TM_CLI_COMPARE_H
#define TM_CLI_COMPARE_H

#include "cli/frame/frame.h"
#include "diff/diff.h"

/* The columns of the table that the options ask for. */
const struct tm_column *tm_compare_columns(const struct tm_diff_opts *o);

/* The words of --allow as ALLOW_* of diff/compare.h, added to *allow; false with *d. */
bool tm_read_allow(const char *list, unsigned *allow, struct tm_diag *d);

/* Compare the operands, the first na of which are side A, or, with o->history, all one after the
 * other: everything after the options are parsed.  `skip`: steps to leave out of each run,
 * UINT64_MAX = find out.  Returns the exit status. */
int tm_compare_runs(struct common *c, const struct tm_diff_opts *o, size_t na, uint64_t skip);

#endif
