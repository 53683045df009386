/* SPDX-License-Identifier: MIT
 * A tool of sub-commands: help, completions, and a word that is none of them. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/common.h"

#include <stddef.h>

enum { COMMANDS = 31, COMMAND_OPTIONS = 32 };

/* All borrowed. */
struct commands {
	const struct option_command *list; /* at most COMMANDS, ends with { 0 } */
	const char *about;                 /* the tool in one sentence */
	const char *operands;              /* as --help shows them where a sub-command has no own */
	const char *example;               /* "kstats top FILE" */
	const char *trailer;               /* as struct option_page has it */
	const char *examples;              /* of the tool, likewise */
	/* The options that sub-command i has beside the common ones, at most COMMAND_OPTIONS with
	 * the { 0 } at their end; they are only shown. */
	void (*options)(size_t i, struct option *out);
};

/* Turn "help [SUBCOMMAND]" at the beginning of a command line into "[SUBCOMMAND] --help". */
void commands_help_word(int argc, char **argv);

/* Print --help, of the tool where `cmd` is NULL; `operands` NULL = those of the tool.  With an
 * operand and without `cmd`, what it is is unknown, and that is said.  Returns the exit status. */
int commands_help(const struct common *c, const struct commands *all,
                  const struct option_command *cmd, const char *operands,
                  const struct option *const *tables);

/* Print the completions for the shell that was asked for.  Returns the exit status. */
int commands_completion(const struct common *c, const struct commands *all,
                        const struct option *common);

/* Say that `word` is no sub-command, or does not come first, or that there is none where it is
 * NULL. Returns the exit status. */
int commands_unknown(const struct common *c, const struct commands *all, const char *word);

#endif
