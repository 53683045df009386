/* SPDX-License-Identifier: MIT
 * A tool as data: its description, sub-commands and options; and the code that all tools share for
 * these: parse, help, completions, lists, run. */
#ifndef TM_CLI_TOOL_H
#define TM_CLI_TOOL_H

#include "cli/frame/common.h"

#include <stdbool.h>
#include <stddef.h>

enum { TOOL_COMMANDS = 31, TOOL_OPTIONS = 32 };

/* A sub-command, or the tool without one.  All borrowed. */
struct tool_command {
	const char *name;     /* NULL: the tool itself, and the end of a list */
	const char *about;    /* one clause */
	const char *page;     /* the same on its own page of help; NULL = about */
	const char *group;    /* heading above it in help; NULL = none */
	const char *examples; /* as struct option_page has them */
	const char *usage;    /* as --help shows it, whole; NULL = made of the name and ... */
	const char *operands; /* ... of these; NULL = those of the tool */
	unsigned in;          /* enum option_in: which of the common options it takes */
	const void *arg;      /* the tool's own */
};

struct tool {
	const char *name;
	struct tool_command self;            /* without a sub-command */
	const struct tool_command *commands; /* at most TOOL_COMMANDS, ends with { 0 }; or NULL */
	const char *example; /* "kstats top FILE": a sub-command there must be; NULL = need not */
	const char *usual;   /* the sub-command of "kstats FILE..."; NULL = none */
	const char *trailer; /* as struct option_page has it */
	/* May the file of -o with that path be an operand as well?  NULL = never. */
	bool (*updates)(const char *path);

	/* The options of its own, at most TOOL_OPTIONS with the { 0 } at their end, and what common
	 * ones are here; cmd->name NULL = without a sub-command.  Either may be NULL. */
	void (*options)(const struct tool_command *cmd, struct option *out);
	void (*adapt)(const struct tool_command *cmd, struct option *common);

	/* The columns of the nth table that it prints, NULL = there are no more: for completions.
	 * May be NULL. */
	const struct tm_column *(*columns)(const struct tool_command *cmd, size_t nth);

	/* The options are read.  *columns: of the table that it prints (NULL = of none), for
	 * --list-columns.  False with *d: they do not go together.  May be NULL: of columns(cmd,
	 * 0). */
	bool (*ready)(struct common *c, const struct tool_command *cmd,
	              const struct tm_column **columns, struct tm_diag *d);

	/* All that remains to be done.  Returns the exit status. */
	int (*run)(struct common *c, const struct tool_command *cmd);
};

/* All of main().  Returns the exit status. */
int tm_tool_main(const struct tool *t, int argc, char **argv);

#endif
