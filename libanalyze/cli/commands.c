/* SPDX-License-Identifier: MIT */
#include "cli/commands.h"

#include "cli/pages.h"

#include <string.h>
#include <unistd.h>

void commands_help_word(int argc, char **argv)
{
	static char help[] = "--help";

	if (argc < 2 || strcmp(argv[1], "help") != 0)
		return;
	if (argc > 2)
		argv[1] = argv[2];
	argv[argc > 2 ? 2 : 1] = help;
}

int commands_help(const struct common *c, const struct commands *all,
                  const struct option_command *cmd, const char *operands,
                  const struct option *const *tables)
{
	struct buf usage = { 0 };
	struct option_page page = { .tables = tables };
	int status = EXIT_TROUBLE;

	if (!cmd && c->operands.n)
		return commands_unknown(c, all, c->operands.v[0]);
	buf_fmt(&usage, "%s %s [options] %s", c->tool, cmd ? cmd->name : "SUBCOMMAND",
	        operands ? operands : all->operands);
	page.usage = usage.p;
	page.about = cmd ? cmd->about : all->about;
	page.commands = cmd ? NULL : all->list;
	page.trailer = all->trailer;
	page.examples = cmd ? cmd->examples : all->examples;
	if (usage.failed)
		say(c, SEV_ERROR, NULL, 0, diag_no_memory);
	else
		status = put_help(c, &page);
	buf_fini(&usage);
	return status;
}

int commands_completion(const struct common *c, const struct commands *all,
                        const struct option *common)
{
	static struct option own[COMMANDS][COMMAND_OPTIONS];
	static const struct option *tables[COMMANDS][3];
	const struct option *const without[] = { common, NULL };
	struct complete_command list[COMMANDS + 1] = { 0 };
	const struct complete_spec spec = { .tool = c->tool, .commands = list, .tables = without };

	for (size_t i = 0; all->list[i].name && i < COMMANDS; i++) {
		all->options(i, own[i]);
		tables[i][0] = own[i];
		tables[i][1] = common;
		list[i] = (struct complete_command) { .name = all->list[i].name,
			                              .about = all->list[i].about,
			                              .tables = tables[i] };
	}
	return put_completion(c, &spec);
}

int commands_unknown(const struct common *c, const struct commands *all, const char *word)
{
	const char *names[COMMANDS + 1] = { 0 };
	const char *near;
	bool late = word && *word == '-'; /* kstats -q top */
	struct diag d;

	for (size_t i = 0; all->list[i].name && i < COMMANDS; i++) {
		names[i] = all->list[i].name;
		late |= word && !strcmp(word, names[i]);
	}
	near = word ? option_nearest(word, names) : NULL;
	late |= word && !near && !access(word, F_OK); /* kstats FILE */
	if (late)
		diag_set(&d, 0, "give the sub-command first: %s", all->example);
	else if (!word)
		diag_set(&d, 0, "choose a sub-command: %s", all->example);
	else
		diag_set(&d, 0, "unknown sub-command '%s'%s%s%s", word,
		         near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	return usage_error(c, &d);
}
