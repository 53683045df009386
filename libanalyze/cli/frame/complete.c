/* SPDX-License-Identifier: MIT
 * Every text that goes into a script is quoted here for the shell that reads it, once for each time
 * that shell will expand it: a choice or an "about" may hold quotes, blanks and dollar signs.
 * `words` are names of columns and the like, which need none. */
#include "cli/frame/complete.h"

#include <string.h>

/* Calls each(out, o, owner, arg) for the options that parsing can reach. */
typedef void (*each_option)(struct tm_buf *out, const struct option *o, bool letter,
                            const void *arg);

static void for_options(struct tm_buf *out, const struct option *const *tables, each_option each,
                        const void *arg)
{
	for (const struct option *const *t = tables; t && *t; t++) {
		for (const struct option *o = *t; o->name; o++) {
			enum option_owner owner = tm_option_owner(tables, o);

			if (owner != OPTION_DEAD)
				each(out, o, o->letter && owner == OPTION_OWN, arg);
		}
	}
}

/* Append s with `before` in front of each byte that stands in `special`. */
static void add_escaped(struct tm_buf *out, const char *s, const char *special, const char *before)
{
	for (; *s; s++) {
		if (strchr(special, *s))
			tm_buf_str(out, before);
		tm_buf_chr(out, *s);
	}
}

/* 'text' for sh, bash and zsh */
void tm_shell_quote(struct tm_buf *out, const char *s)
{
	tm_buf_chr(out, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			tm_buf_str(out, "'\\''");
		else
			tm_buf_chr(out, *s);
	}
	tm_buf_chr(out, '\'');
}

/* 'text' for fish, which has escapes inside single quotes */
static void add_fish(struct tm_buf *out, const char *s)
{
	tm_buf_chr(out, '\'');
	add_escaped(out, s, "\\'", "\\");
	tm_buf_chr(out, '\'');
}

/* The tool's name as a part of a function's. */
static void add_function(struct tm_buf *out, const char *tool)
{
	tm_buf_chr(out, '_');
	for (; *tool; tool++) {
		bool word = (*tool >= 'a' && *tool <= 'z') || (*tool >= 'A' && *tool <= 'Z') ||
		            (*tool >= '0' && *tool <= '9');

		tm_buf_chr(out, word ? *tool : '_');
	}
}

static bool takes_number(const struct option *o)
{
	return o->type == OPT_U64 || o->type == OPT_FIXED;
}

/* bash */

static void bash_value(struct tm_buf *out, const struct option *o, bool letter, const void *arg)
{
	const char *tool = arg;

	const char *const *words = o->choices ? o->choices : o->words;

	if (o->type == OPT_FLAG || (!words && !takes_number(o)))
		return; /* nothing to offer but files */
	tm_buf_str(out, "\t\t");
	if (letter)
		tm_buf_fmt(out, "-%c | ", o->letter);
	tm_buf_fmt(out, "--%s)\n\t\t\t", o->name);
	if (words) {
		add_function(out, tool);
		tm_buf_str(out, o->choices ? "_pick" : "_list");
		for (const char *const *w = words; *w; w++) {
			tm_buf_chr(out, ' ');
			tm_shell_quote(out, *w);
		}
	} else {
		tm_buf_str(out, "compopt +o default");
	}
	tm_buf_str(out, "\n\t\t\treturn\n\t\t\t;;\n");
}

static void bash_name(struct tm_buf *out, const struct option *o, bool letter, const void *arg)
{
	(void)arg;
	tm_buf_fmt(out, " --%s", o->name);
	if (letter)
		tm_buf_fmt(out, " -%c", o->letter);
}

/* What follows one sub-command. */
static void bash_arm(struct tm_buf *out, const char *tool, const struct option *const *tables)
{
	tm_buf_str(out, "\t\tcase $prev in\n");
	for_options(out, tables, bash_value, tool);
	tm_buf_str(out, "\t\tesac\n\t\toptions=(");
	for_options(out, tables, bash_name, NULL);
	tm_buf_str(out, " )\n\t\t;;\n");
}

/* What offers words: one of them, or one more of a list with commas. */
static void bash_helpers(struct tm_buf *out, const char *tool)
{
	add_function(out, tool);
	tm_buf_str(out, "_pick()\n{\n"
	                "\tlocal word quoted\n"
	                "\tcompopt +o default\n"
	                "\tfor word; do\n"
	                "\t\tif [[ $word == \"$cur\"* ]]; then\n"
	                "\t\t\tprintf -v quoted %q \"$word\"\n"
	                "\t\t\tCOMPREPLY+=(\"$quoted\")\n"
	                "\t\tfi\n"
	                "\tdone\n}\n\n");
	add_function(out, tool);
	tm_buf_str(out,
	           "_list()\n{\n"
	           "\tlocal word before=\n"
	           "\tcompopt +o default -o nospace\n"
	           "\tif [[ $cur == *,* ]]; then\n"
	           "\t\tbefore=${cur%,*},\n"
	           "\tfi\n"
	           "\tfor word; do\n"
	           "\t\tif [[ $before$word == \"$cur\"* && ,$before != *,\"$word\",* ]]; then\n"
	           "\t\t\tCOMPREPLY+=(\"$before$word\")\n"
	           "\t\tfi\n"
	           "\tdone\n}\n\n");
}

static void bash_render(struct tm_buf *out, const struct complete_spec *spec)
{
	const struct complete_command *c;

	tm_buf_fmt(out, "# bash completion for %s\n\n", spec->tool);
	bash_helpers(out, spec->tool);
	add_function(out, spec->tool);
	/* bash splits words at "=", so --format=csv arrives as three of them. */
	tm_buf_str(out, "()\n{\n"
	                "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
	                "\tlocal command='' options=()\n"
	                "\tCOMPREPLY=()\n"
	                "\tif [[ $cur == = ]]; then\n"
	                "\t\tcur=\n"
	                "\telif [[ $prev == = ]]; then\n"
	                "\t\tprev=${COMP_WORDS[COMP_CWORD - 2]}\n"
	                "\tfi\n"
	                "\tif ((COMP_CWORD > 1)); then\n"
	                "\t\tcommand=${COMP_WORDS[1]}\n"
	                "\tfi\n"
	                "\tcase $command in\n");
	for (c = spec->commands; c && c->name; c++) {
		tm_buf_chr(out, '\t');
		tm_shell_quote(out, c->name);
		tm_buf_str(out, ")\n");
		bash_arm(out, spec->tool, c->tables);
	}
	tm_buf_str(out, "\t*)\n");
	bash_arm(out, spec->tool, spec->tables);
	tm_buf_str(out, "\tesac\n"
	                "\tif [[ $cur == -* ]]; then\n\t\t");
	add_function(out, spec->tool);
	tm_buf_str(out, "_pick \"${options[@]}\"\n");
	if (spec->commands && spec->commands->name) {
		tm_buf_str(out, "\telif ((COMP_CWORD == 1)); then\n\t\t");
		add_function(out, spec->tool);
		tm_buf_str(out, "_pick");
		for (c = spec->commands; c->name; c++) {
			tm_buf_chr(out, ' ');
			tm_shell_quote(out, c->name);
		}
		tm_buf_chr(out, '\n');
		if (spec->alone)
			tm_buf_str(out, "\t\tcompopt -o default\n");
	}
	tm_buf_str(out, "\tfi\n}\n\ncomplete -o default -F ");
	add_function(out, spec->tool);
	tm_buf_fmt(out, " %s\n", spec->tool);
}

/* zsh */

/* ":N: " or ":FMT:(a b)" or ":FILE:_files", the part of an _arguments spec after the text */
static void zsh_value(struct tm_buf *out, const struct option *o)
{
	if (o->type == OPT_FLAG)
		return;
	tm_buf_chr(out, ':');
	add_escaped(out, o->arg ? o->arg : "VALUE", ":\\", "\\");
	tm_buf_chr(out, ':');
	if (o->choices) {
		tm_buf_chr(out, '(');
		for (const char *const *w = o->choices; *w; w++) {
			tm_buf_str(out, w == o->choices ? "" : " ");
			add_escaped(out, *w, " \t'\"`$\\()[]{}<>|&;:*?~#!", "\\");
		}
		tm_buf_chr(out, ')');
	} else if (o->words) {
		tm_buf_fmt(out, "_values -s , %s", o->name);
		for (const char *const *w = o->words; *w; w++)
			tm_buf_fmt(out, " %s", *w);
	} else {
		tm_buf_str(out, takes_number(o) ? " " : "_files");
	}
}

/* '(-f --format)-f+[about]:FMT:(a b)' and the same for the long name */
static void zsh_option(struct tm_buf *out, const struct option *o, bool letter, const void *arg)
{
	bool value = o->type != OPT_FLAG;

	(void)arg;
	for (int i = letter ? 0 : 1; i < 2; i++) {
		struct tm_buf spec = { 0 };

		if (o->type == OPT_LIST)
			tm_buf_chr(&spec, '*');
		else if (letter)
			tm_buf_fmt(&spec, "(-%c --%s)", o->letter, o->name);
		if (i == 0)
			tm_buf_fmt(&spec, "-%c%s[", o->letter, value ? "+" : "");
		else
			tm_buf_fmt(&spec, "--%s%s[", o->name, value ? "=" : "");
		add_escaped(&spec, o->about, "\\[]:", "\\");
		tm_buf_chr(&spec, ']');
		zsh_value(&spec, o);
		tm_buf_str(out, " \\\n\t\t\t");
		tm_shell_quote(out, spec.p ? spec.p : "");
		out->failed |= spec.failed;
		tm_buf_fini(&spec);
	}
}

static void zsh_arm(struct tm_buf *out, const struct option *const *tables)
{
	tm_buf_str(out, "\t\t_arguments -s -S");
	for_options(out, tables, zsh_option, NULL);
	tm_buf_str(out, " \\\n\t\t\t'*:input:_files'\n");
}

static void zsh_render(struct tm_buf *out, const struct complete_spec *spec)
{
	const struct complete_command *c;
	bool commands = spec->commands && spec->commands->name;

	tm_buf_fmt(out, "#compdef %s\n\n", spec->tool);
	add_function(out, spec->tool);
	tm_buf_str(out, "() {\n");
	if (commands) {
		tm_buf_str(out, "\tlocal -a commands\n\tcommands=(\n");
		for (c = spec->commands; c->name; c++) {
			struct tm_buf item = { 0 };

			add_escaped(&item, c->name, ":\\", "\\");
			tm_buf_chr(&item, ':');
			tm_buf_str(&item, c->about);
			tm_buf_str(out, "\t\t");
			tm_shell_quote(out, item.p ? item.p : "");
			tm_buf_chr(out, '\n');
			out->failed |= item.failed;
			tm_buf_fini(&item);
		}
		tm_buf_str(out, "\t)\n"
		                "\tif (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
		                "\t\t_describe sub-command commands\n");
		if (spec->alone)
			tm_buf_str(out, "\t\t_files\n");
		tm_buf_str(out, "\t\treturn\n"
		                "\tfi\n");
	}
	tm_buf_str(out, "\tcase $words[2] in\n");
	for (c = spec->commands; commands && c->name; c++) {
		tm_buf_chr(out, '\t');
		tm_shell_quote(out, c->name);
		tm_buf_str(out, ")\n\t\tshift words\n\t\t(( CURRENT-- ))\n");
		zsh_arm(out, c->tables);
		tm_buf_str(out, "\t\t;;\n");
	}
	tm_buf_str(out, "\t*)\n");
	zsh_arm(out, spec->tables);
	tm_buf_str(out, "\t\t;;\n\tesac\n}\n\n");
	/* Works from the completion directory and when sourced. */
	tm_buf_str(out, "if [[ $funcstack[1] = ");
	add_function(out, spec->tool);
	tm_buf_str(out, " ]]; then\n\t");
	add_function(out, spec->tool);
	tm_buf_str(out, " \"$@\"\nelse\n\tcompdef ");
	add_function(out, spec->tool);
	tm_buf_fmt(out, " %s\nfi\n", spec->tool);
}

/* fish */

struct fish_place {
	const char *tool;
	const char *condition; /* when the option is offered, as fish code; NULL = always */
};

static void fish_option(struct tm_buf *out, const struct option *o, bool letter, const void *arg)
{
	const struct fish_place *place = arg;

	tm_buf_fmt(out, "complete -c %s", place->tool);
	if (place->condition) {
		tm_buf_str(out, " -n ");
		add_fish(out, place->condition);
	}
	if (letter)
		tm_buf_fmt(out, " -s %c", o->letter);
	tm_buf_fmt(out, " -l %s", o->name);
	if (o->choices) {
		struct tm_buf words = { 0 };

		for (const char *const *w = o->choices; *w; w++) {
			tm_buf_str(&words, w == o->choices ? "" : " ");
			add_fish(&words, *w);
		}
		tm_buf_str(out, " -x -a ");
		add_fish(out, words.p ? words.p : "");
		out->failed |= words.failed;
		tm_buf_fini(&words);
	} else if (o->words) {
		tm_buf_str(out, " -x -a '(__fish_append ,");
		for (const char *const *w = o->words; *w; w++)
			tm_buf_fmt(out, " %s", *w);
		tm_buf_str(out, ")'");
	} else if (o->type != OPT_FLAG) {
		tm_buf_str(out, takes_number(o) ? " -x" : " -r -F");
	}
	tm_buf_str(out, " -d ");
	add_fish(out, o->about);
	tm_buf_chr(out, '\n');
}

static void fish_render(struct tm_buf *out, const struct complete_spec *spec)
{
	bool commands = spec->commands && spec->commands->name;
	struct fish_place place = { .tool = spec->tool };

	tm_buf_fmt(out, "# fish completion for %s\n", spec->tool);
	if (commands)
		place.condition = "__fish_use_subcommand";
	for_options(out, spec->tables, fish_option, &place);
	for (const struct complete_command *c = spec->commands; commands && c->name; c++) {
		struct tm_buf word = { 0 }, seen = { 0 };

		/* -a is split and expanded once more, so its word is quoted twice. */
		add_fish(&word, c->name);
		tm_buf_fmt(out, "complete -c %s -n __fish_use_subcommand%s -a ", spec->tool,
		           spec->alone ? "" : " -f");
		add_fish(out, word.p ? word.p : "");
		tm_buf_str(out, " -d ");
		add_fish(out, c->about);
		tm_buf_chr(out, '\n');
		tm_buf_str(&seen, "__fish_seen_subcommand_from ");
		tm_buf_str(&seen, word.p ? word.p : "");
		place.condition = seen.p;
		for_options(out, c->tables, fish_option, &place);
		out->failed |= word.failed || seen.failed;
		tm_buf_fini(&word);
		tm_buf_fini(&seen);
	}
}

const char *const tm_complete_shells[] = { "bash", "zsh", "fish", NULL };

bool tm_complete_render(struct tm_buf *out, const char *shell, const struct complete_spec *spec)
{
	static void (*const render[])(struct tm_buf *, const struct complete_spec *) = {
		bash_render,
		zsh_render,
		fish_render,
	};

	for (size_t i = 0; tm_complete_shells[i]; i++) {
		if (strcmp(shell, tm_complete_shells[i]) != 0)
			continue;
		render[i](out, spec);
		return !out->failed;
	}
	return false;
}
