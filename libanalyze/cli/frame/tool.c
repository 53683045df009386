/* SPDX-License-Identifier: MIT */
#include "cli/frame/tool.h"

#include "base/base.h"
#include "cli/frame/complete.h"
#include "cli/frame/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* All options of one command: its own, then the common ones. */
struct own_tables {
	struct option own[TOOL_OPTIONS], common[COMMON_OPTIONS];
	const struct option *tables[3];
};

static void fill_tables(struct own_tables *o, const struct tool *t, const struct tool_command *cmd,
                        struct common *c)
{
	o->own[0] = (struct option) { 0 };
	if (t->options)
		t->options(cmd, o->own);
	tm_common_options(c, cmd->in, o->common);
	if (t->adapt)
		t->adapt(cmd, o->common);
	o->tables[0] = o->own;
	o->tables[1] = o->common;
	o->tables[2] = NULL;
}

/* ---- help ---- */

/* "help [SUBCOMMAND]" becomes "[SUBCOMMAND] --help". */
static void help_word(int argc, char **argv)
{
	static char help[] = "--help";

	if (argc < 2 || strcmp(argv[1], "help") != 0)
		return;
	if (argc > 2)
		argv[1] = argv[2];
	argv[argc > 2 ? 2 : 1] = help;
}

/* ---- no sub-command ---- */

/* What a user of one tool may have come for, and another is. */
static const struct {
	const char *name, *about;
} tools[] = {
	{ "kstats", "where the time went, why the GPU was idle" },
	{ "tracediff", "compare runs: did it get faster?" },
	{ "libperf", "library calls: which GEMM shapes matter?" },
	{ "tracecheck", "targets and limits, for CI" },
	{ "tracecat", "every event as CSV or NDJSON" },
	{ "tracemerge", "many traces as one database" },
	{ "powerstats", "power and energy" },
	{ "tracereport", "everything on one HTML page" },
};

static bool in_group(const struct tool_command *cmd, const char *word)
{
	return cmd->group && strcasestr(cmd->group, word);
}

/* Where a word that is no sub-command is said in the help: "kstats idle". */
static void put_hint(struct tm_buf *b, const struct tool *t, const char *word)
{
	enum { SHORTEST = 4 };
	const struct tool_command *best = NULL;

	if (strlen(word) < SHORTEST || *word == '-')
		return;
	for (const struct tool_command *cmd = t->commands; cmd->name; cmd++)
		if (strcasestr(cmd->about, word) &&
		    (!best || (!in_group(best, word) && in_group(cmd, word))))
			best = cmd;
	if (best) {
		tm_buf_fmt(b, "; see '%s %s -h': %s", t->name, best->name, best->about);
		return;
	}
	for (const struct tool_command *cmd = t->commands; cmd->name; cmd++)
		if (in_group(cmd, word)) {
			tm_buf_fmt(b, "; see \"%s\" in '%s -h'", cmd->group, t->name);
			return;
		}
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		if (strcmp(tools[i].name, t->name) != 0 &&
		    (strcasestr(tools[i].about, word) || strcasestr(tools[i].name, word))) {
			tm_buf_fmt(b, "; see '%s -h': %s", tools[i].name, tools[i].about);
			return;
		}
}

/* `word` is no sub-command, or does not come first, or there is none where it is NULL. */
static int unknown(const struct tool *t, const struct common *c, const char *word)
{
	const char *names[TOOL_COMMANDS + 1] = { 0 };
	const char *near;
	bool late = word && *word == '-'; /* kstats -q top */
	struct tm_buf hint = { 0 };
	struct tm_diag d;

	for (size_t i = 0; t->commands[i].name && i < TOOL_COMMANDS; i++) {
		names[i] = t->commands[i].name;
		late |= word && !strcmp(word, names[i]);
	}
	near = word ? tm_option_nearest(word, names) : NULL;
	late |= word && !near && !access(word, F_OK); /* kstats FILE */
	if (word && !near && !late)
		put_hint(&hint, t, word);
	if (late)
		tm_diag_set(&d, 0, "give the sub-command first: %s", t->example);
	else if (!word && t->usual)
		tm_diag_set(&d, 0, "nothing to read: %s FILE, or a sub-command: %s", t->name,
		            t->example);
	else if (!word)
		tm_diag_set(&d, 0, "choose a sub-command: %s", t->example);
	else if (t->usual && !near && !hint.n)
		tm_diag_set(&d, 0, "'%s' is neither a sub-command nor a file", word);
	else
		tm_diag_set(&d, 0, "unknown sub-command '%s'%s%s%s%s", word,
		            near ? "; did you mean " : "", near ? near : "", near ? "?" : "",
		            hint.p && !hint.failed ? hint.p : "");
	tm_buf_fini(&hint);
	return tm_usage_error(c, &d);
}

/* The page to standard output or -o. */
static int put_page(const struct common *c, struct tm_buf *out, bool made)
{
	int status;

	out->failed |= !made;
	status = tm_put_output(c, out);
	tm_buf_fini(out);
	return status;
}

/* What a reader of the short help may have come for, and this tool is not. */
static void other_tools(struct tm_buf *out, const char *self)
{
	tm_buf_str(out, "Other tools, see tracemill(7):\n");
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		if (strcmp(tools[i].name, self) != 0)
			tm_buf_fmt(out, "  %-12s%s\n", tools[i].name, tools[i].about);
	tm_buf_chr(out, '\n');
}

static int help(const struct tool *t, const struct common *c, const struct tool_command *cmd,
                const struct option *const *tables)
{
	struct option_command list[TOOL_COMMANDS + 1] = { 0 };
	struct option_page page = { .about = cmd->page ? cmd->page : cmd->about,
		                    .tables = tables,
		                    .trailer = t->trailer,
		                    .examples = cmd->examples };
	struct tm_buf out = { 0 }, more = { 0 }, usage = { 0 };
	bool made;

	if (t->example && !cmd->name && c->operands.n)
		return unknown(t, c, c->operands.v[0]);
	for (size_t i = 0; !cmd->name && t->commands && t->commands[i].name && i < TOOL_COMMANDS;
	     i++)
		list[i] = (struct option_command) { .name = t->commands[i].name,
			                            .about = t->commands[i].about,
			                            .group = t->commands[i].group };
	page.commands = cmd->name ? NULL : list;
	tm_buf_fmt(&usage, "%s %s [options] %s", t->name, cmd->name ? cmd->name : "SUBCOMMAND",
	           cmd->operands ? cmd->operands : t->self.operands);
	if (!cmd->name)
		other_tools(&more, t->name);
	tm_buf_fmt(&more, "'%s%s%s --help' lists all options.\n", t->name, c->table ? " " : "",
	           c->table ? c->table : "");
	page.usage = cmd->usage ? cmd->usage : usage.p ? usage.p : "";
	page.more = c->page.brief ? more.p : NULL;
	made = tm_option_help(&out, &page) && !more.failed && !usage.failed;
	tm_buf_fini(&usage);
	tm_buf_fini(&more);
	return put_page(c, &out, made);
}

/* ---- completions ---- */

/* The columns of all tables of a command, each name once. */
static void column_words(const struct tool *t, const struct tool_command *cmd,
                         const char *words[COMPLETE_WORDS])
{
	const struct tm_column *columns;
	size_t n = 0;

	for (size_t nth = 0; t->columns && (columns = t->columns(cmd, nth)); nth++)
		for (; columns->name && n + 1 < COMPLETE_WORDS; columns++) {
			size_t i = 0;

			while (i < n && strcmp(words[i], columns->name) != 0)
				i++;
			if (i == n)
				words[n++] = columns->name;
		}
	words[n] = NULL;
}

/* What a command completes to. */
struct completion {
	struct own_tables tables;
	const char *columns[COMPLETE_WORDS];
};

/* Values that are columns complete to them, unless the option has words of its own. */
static void fill_completion(struct completion *o, const struct tool *t,
                            const struct tool_command *cmd, struct common *c)
{
	fill_tables(&o->tables, t, cmd, c);
	column_words(t, cmd, o->columns);
	for (struct option *p = o->tables.common; p->name && *o->columns; p++)
		if (!p->words && (!strcmp(p->name, "columns") || !strcmp(p->name, "sort")))
			p->words = o->columns;
}

static int completion(const struct tool *t, const struct common *c)
{
	static struct completion all[TOOL_COMMANDS + 1]; /* the tool itself, then its commands */
	struct complete_command list[TOOL_COMMANDS + 1] = { 0 };
	struct common shown = *c;
	const struct complete_spec spec = { .tool = t->name,
		                            .commands = t->commands ? list : NULL,
		                            .alone = !t->example,
		                            .tables = all[0].tables.tables };
	struct tm_buf out = { 0 };
	bool made;

	fill_completion(&all[0], t, &t->self, &shown);
	for (size_t i = 0; t->commands && t->commands[i].name && i < TOOL_COMMANDS; i++) {
		fill_completion(&all[i + 1], t, &t->commands[i], &shown);
		list[i] = (struct complete_command) { .name = t->commands[i].name,
			                              .about = t->commands[i].about,
			                              .tables = all[i + 1].tables.tables };
	}
	made = tm_complete_render(&out, c->page.completion, &spec);
	return put_page(c, &out, made);
}

/* ---- all of it ---- */

static const struct tool_command *find_command(const struct tool *t, const char *word)
{
	for (const struct tool_command *cmd = t->commands; cmd && cmd->name; cmd++)
		if (word && !strcmp(cmd->name, word))
			return cmd;
	return &t->self;
}

/* Is it meant as an input? */
static bool is_input(const char *word)
{
	size_t digits = strspn(word, "0123456789");

	return !strcmp(word, "-") || (digits && word[digits] == '=') || strpbrk(word, "./") ||
	       !access(word, F_OK);
}

/* Inputs or options come first, and no sub-command is anywhere: "kstats -f csv FILE".  `tables` are
 * the options that are then understood. */
static bool is_usual(const struct tool *t, int argc, char *const *argv,
                     const struct option *const *tables)
{
	bool input = false;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--")) {
			/* Whatever comes after it is one. */
			input |= i + 1 < argc;
			break;
		}
		if (find_command(t, argv[i])->name)
			return false;
		input |= (*argv[i] != '-' || !argv[i][1]) && is_input(argv[i]);
		/* A value is no sub-command: "-o top", "--class gemm". */
		i += tm_option_takes_next(argv[i], tables);
	}
	return input && (*argv[1] == '-' || is_input(argv[1]));
}

/* Is the file of -o an operand?  What is read would be gone. */
static bool replaces_input(const struct tool *t, const struct common *c, struct tm_diag *d)
{
	const char *path = c->out.output;

	if (!path || (t->updates && t->updates(path)) || !tm_output_is_one_of(path, &c->operands))
		return false;
	tm_output_lost(d, "-o", path);
	return true;
}

/* After the options were read. */
static int answer(const struct tool *t, struct common *c, const struct tool_command *cmd,
                  const struct option *const *tables, const char *word)
{
	const struct tm_column *columns = NULL;
	bool none = t->example && !cmd->name; /* a sub-command is needed, and there is none */
	struct tm_diag d = { 0 };
	int status;

	if (c->page.help)
		return help(t, c, cmd, tables);
	if (c->page.completion)
		return completion(t, c);
	if (none && c->page.list_columns)
		return unknown(t, c, NULL);
	if (!none && !t->ready && t->columns)
		columns = t->columns(cmd, 0);
	if (!none && t->ready && !t->ready(c, cmd, &columns, &d))
		return tm_usage_error(c, &d);
	if (tm_answer_lists(c, columns, &status))
		return status;
	if (!none && replaces_input(t, c, &d))
		return tm_usage_error(c, &d);
	return none ? unknown(t, c, word) : t->run(c, cmd);
}

/* A file that is opened gets the least free number: where standard input or output is closed, "-"
 * would read that file, or the answer would be written into it.  Their places are taken by what
 * fails as a closed one does. */
static void take_closed(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int tm_tool_main(const struct tool *t, int argc, char **argv)
{
	struct common c = { .tool = t->name, .out.updates = t->updates };
	const struct tool_command *cmd;
	struct own_tables o;
	struct tm_diag d = { 0 };
	int status, skip;

	take_closed();
	/* Then a write beyond ulimit -f fails, and is reported, instead of ending the process. */
	signal(SIGXFSZ, SIG_IGN);
	tm_heap_init();
	if (t->example)
		help_word(argc, argv);
	cmd = find_command(t, argc > 1 ? argv[1] : NULL);
	skip = cmd->name != NULL;
	if (!skip && t->usual) {
		fill_tables(&o, t, find_command(t, t->usual), &c);
		if (is_usual(t, argc, argv, o.tables))
			cmd = find_command(t, t->usual);
	}
	c.table = cmd->name;
	fill_tables(&o, t, cmd, &c);
	if (!tm_option_parse(argc - skip, argv + skip, o.tables, &c.operands, &d))
		status = tm_usage_error(&c, &d);
	else
		status = answer(t, &c, cmd, o.tables, argc > 1 ? argv[1] : NULL);
	tm_option_list_fini(&c.operands);
	return status;
}
