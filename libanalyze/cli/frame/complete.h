/* SPDX-License-Identifier: MIT
 * Completion scripts for interactive shells, from the same tables that parse the command line. */
#ifndef TM_CLI_COMPLETE_H
#define TM_CLI_COMPLETE_H

#include "base/base.h"
#include "cli/frame/option.h"

#include <stdbool.h>

enum { COMPLETE_WORDS = 512 }; /* columns of one command that are offered, at most */

/* One sub-command and what it takes; arrays end with { 0 }. */
struct complete_command {
	const char *name;                   /* "top" */
	const char *about;                  /* one clause */
	const struct option *const *tables; /* all its options, as tm_option_parse gets them */
};

/* What is completed, all borrowed. */
struct complete_spec {
	const char *tool;                        /* "kstats" */
	const struct complete_command *commands; /* the first word; NULL = the tool has none */
	bool alone; /* the first word may be a file as well: the tool does without a sub-command */
	/* The options where there is no sub-command, or before one. */
	const struct option *const *tables;
};

/* Append the script for "bash", "zsh" or "fish"; words that are no option complete to file names.
 * False for another shell (nothing is appended) and when out of memory (out->failed). */
bool tm_complete_render(struct tm_buf *out, const char *shell, const struct complete_spec *spec);

/* Append a word in single quotes, as a POSIX shell reads it back. */
void tm_shell_quote(struct tm_buf *out, const char *s);

/* The shells, ending with NULL: choices for an option. */
extern const char *const tm_complete_shells[];

#endif
