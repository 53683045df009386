/* SPDX-License-Identifier: MIT
 * The report: tables of a run, and findings, as a page of HTML or a few lines of Markdown. */
#ifndef TM_CLI_REPORT_H
#define TM_CLI_REPORT_H

#include "cli/frame/frame.h"

#include <stdbool.h>

/* What the options of the tool say. */
struct report_opts {
	const char *format;          /* of tm_report_formats */
	bool open;                   /* serve it to a browser of this machine as well */
	struct option_list baseline; /* the run to compare with; none = there is none */
	unsigned allow;              /* what may be compared all the same: TM_ALLOW_SELF ... */
	const char *preset;  /* of tm_summary_presets; NULL = nobody said what the run does */
	const char *allowed; /* the same as it was typed, or NULL */
};

/* Ends with NULL; the usual one first. */
extern const char *const tm_report_formats[];

/* Read the operands once for all tables, those of the baseline too, and write the page: everything
 * after the options are parsed.  Returns the exit status. */
int tm_report_run(struct common *c, const struct report_opts *o);

#endif
