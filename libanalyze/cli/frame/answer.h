/* SPDX-License-Identifier: MIT
 * Output of an answer: the only place where rows are sorted, limited and printed, and messages are
 * reported. */
#ifndef TM_CLI_ANSWER_H
#define TM_CLI_ANSWER_H

#include "cli/frame/show.h"

/* Finish with the rows that a question filled in, `st` being what that returned: TM_ST_OK,
 * TM_ST_END where there is nothing to show, TM_ST_FATAL where it failed.  They are sorted, cut and
 * chosen as *s says, the findings go to stderr (tm_tell) and the table to standard output or -o;
 * `name` is that of the table in the json schema.  Frees *t.  Returns the exit status. */
int tm_answer(const struct common *c, const struct show *s, const char *name, enum tm_status st,
              struct tm_table *t, struct tm_report *rep);

/* Fill in how text may look where the output goes: width, color, utf8. */
void tm_show_look(const struct common *c, struct tm_render_ctx *ctx);

/* Columns of a line of text where the output goes; 0 = no limit. */
unsigned tm_show_width(const struct common *c);

/* Does standard output go to a terminal, and the answer there? */
bool tm_show_on_terminal(const struct common *c);

/* Findings to stderr, notes not with -q; returns the exit status they ask for. */
int tm_tell(const struct common *c, const struct tm_report *rep);

#endif
