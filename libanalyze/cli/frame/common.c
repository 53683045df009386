/* SPDX-License-Identifier: MIT */
#include "cli/frame/common.h"

#include "cli/frame/complete.h"
#include "cli/frame/output.h"
#include "cli/frame/pager.h"
#include "render/render.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The names of a list of output modes, for the choices of -f. */
static const char *const *mode_names(void)
{
	static const char *names[16];
	size_t n = 0;

	while (tm_render_modes[n] && n + 1 < sizeof names / sizeof *names) {
		names[n] = tm_render_modes[n]->name;
		n++;
	}
	return names;
}

static const char *const *format_names(void)
{
	static const char *names[64];
	size_t n = 0;

	while (tm_reader_formats[n] && n + 1 < sizeof names / sizeof *names) {
		names[n] = tm_reader_formats[n]->name;
		n++;
	}
	return names;
}

/* What libperf reads: logs and tables of libraries. */
static const char *const *library_names(void)
{
	static const char *names[8];
	size_t n = 0;

	for (size_t i = 0; tm_bytes_formats[i] && n + 1 < sizeof names / sizeof *names; i++)
		if (!strncmp(tm_bytes_formats[i]->tool, "libperf", strlen("libperf")))
			names[n++] = tm_bytes_formats[i]->name;
	names[n] = NULL;
	return names;
}

static const char *const *shell_names(void)
{
	return tm_complete_shells;
}

const char *const *tm_show_units(void)
{
	static const char *const words[] = { "auto", "ns", "us", "ms", "s", "each", NULL };

	return words;
}

static const char *const *color_words(void)
{
	static const char *const words[] = { "auto", "always", "never", NULL };

	return words;
}

/* Who prints a table, reads traces, reads anything. */
enum {
	IN_TABLES = IN_KSTATS | IN_LIBPERF | IN_POWERSTATS | IN_TRACECHECK | IN_TRACEDIFF,
	IN_TRACES = IN_KSTATS | IN_POWERSTATS | IN_TRACECAT | IN_INFO | IN_TRACECHECK |
	            IN_TRACEDIFF | IN_TRACEMERGE | IN_TRACEREPORT,
	IN_EVENTS = IN_KSTATS | IN_TRACECAT | IN_TRACEDIFF | IN_TRACEMERGE,
	IN_ALL = IN_TRACES | IN_LIBPERF,
	/* A kernel without a class is no error of --strict here. */
	IN_UNCLASSED = IN_LIBPERF | IN_POWERSTATS | IN_TRACEDIFF | IN_TRACEMERGE,
};

/* An option of several tools: which, and where in struct common its value goes. */
#define TO(member, kind, word)                                                                     \
	.o.type = (word), .value = _Generic(((struct common *)0)->member, kind                     \
	                                    : offsetof(struct common, member))
#define TO_FLAG(member)   TO(member, bool, OPT_FLAG)
#define TO_U64(member)    TO(member, uint64_t, OPT_U64)
#define TO_TEXT(member)   TO(member, const char *, OPT_TEXT)
#define TO_CHOICE(member) TO(member, const char *, OPT_CHOICE)
#define COUNT(member)     .given = offsetof(struct common, member)

static const struct {
	struct option o;
	unsigned in; /* enum option_in */
	const char *const *(*choices)(void);
	size_t value, given; /* given 0 = not asked: the first member is none of these */
} rows[COMMON_OPTIONS - 1] = {
	{ { .letter = 'n',
	    .name = "rows",
	    .arg = "N",
	    .about = "print the first N rows, 0 = all",
	    .dflt = "20 in text and md, else all" },
	  .in = IN_TABLES | IN_TRACECAT | IN_INFO,
	  TO_U64(out.limit),
	  COUNT(out.limit_given) },
	{ { .letter = 's',
	    .name = "sort",
	    .arg = "KEY[,KEY...]",
	    .about = "sort by these columns, with or without their unit" },
	  .in = IN_TABLES | IN_TRACECAT | IN_INFO,
	  TO_TEXT(out.sort) },
	{ { .letter = 'f',
	    .name = "format",
	    .arg = "FORMAT",
	    .about = "output format",
	    .dflt = "text" },
	  .in = IN_TABLES | IN_TRACECAT | IN_INFO,
	  .choices = mode_names,
	  TO_CHOICE(out.format) },
	{ { .name = "to", .arg = "FORMAT", .about = "the same as --format" },
	  .in = IN_TRACECAT,
	  .choices = mode_names,
	  TO_CHOICE(out.format) },
	{ { .letter = 'o', .name = "output", .arg = "FILE", .about = "write to FILE atomically" },
	  .in = IN_ALL,
	  TO_TEXT(out.output) },
	{ { .name = "color", .arg = "WHEN", .about = "use colors", .dflt = "auto" },
	  .in = IN_TABLES | IN_INFO,
	  .choices = color_words,
	  TO_CHOICE(out.color) },
	{ { .name = "unit",
	    .arg = "UNIT",
	    .about = "time unit of columns, in text",
	    .dflt = "auto" },
	  .in = IN_TABLES & ~IN_TRACECHECK,
	  .choices = tm_show_units,
	  TO_CHOICE(out.unit) },
	{ { .name = "pager", .about = "show the output in $PAGER, on a terminal only" },
	  .in = IN_TABLES | IN_INFO,
	  TO_FLAG(out.pager) },
	{ { .letter = 'j',
	    .name = "jobs",
	    .arg = "N",
	    .min = 1,
	    .max = 1024,
	    .about = "use N threads",
	    .dflt = "all cores" },
	  .in = IN_TRACES,
	  TO_U64(in.jobs),
	  COUNT(in.jobs_given) },
	{ { .letter = 'w',
	    .name = "window",
	    .arg = "WINDOW",
	    .about = "only what starts in this part of the trace: FROM..TO (ns, +DURATION, "
	             "PERCENT%), window:NAME[/INDEX], step:N..M; or what was launched inside "
	             "marker:NAME[/INDEX]" },
	  .in = (IN_TABLES & ~IN_LIBPERF) | IN_TRACECAT | IN_TRACEREPORT | IN_RULE,
	  TO_TEXT(in.window) },
	{ { .letter = 'k',
	    .name = "kernel",
	    .arg = "REGEX",
	    .about = "only kernels whose full name matches, and no other events" },
	  .in = IN_EVENTS,
	  TO_TEXT(in.filter.word[TM_ONLY_KERNEL]) },
	{ { .name = "class",
	    .arg = "LIST",
	    .about = "only kernels of these classes, and no other events" },
	  .in = IN_EVENTS,
	  TO_TEXT(in.filter.word[TM_ONLY_CLASS]) },
	{ { .name = "rank", .arg = "LIST", .about = "only these ranks: 0,2-5" },
	  .in = IN_EVENTS | IN_TRACECHECK | IN_POWERSTATS | IN_TRACEREPORT,
	  TO_TEXT(in.filter.word[TM_ONLY_RANK]) },
	{ { .name = "agent",
	    .arg = "LIST",
	    .about = "only work of these agents, as tables print them: 4,GPU 0-3; host calls "
	             "are kept" },
	  .in = IN_EVENTS,
	  TO_TEXT(in.filter.word[TM_ONLY_AGENT]) },
	{ { .name = "stream",
	    .arg = "LIST",
	    .about = "only work of these HIP streams; host calls are kept" },
	  .in = IN_EVENTS,
	  TO_TEXT(in.filter.word[TM_ONLY_STREAM]) },
	{ { .name = "thread",
	    .arg = "LIST",
	    .about = "only calls of these threads, and work that they launched" },
	  .in = IN_EVENTS,
	  TO_TEXT(in.filter.word[TM_ONLY_THREAD]) },
	{ { .name = "region",
	    .arg = "PATH",
	    .about = "only what was launched inside a marked region: NAME or OUTER/INNER" },
	  .in = IN_EVENTS,
	  TO_TEXT(in.filter.word[TM_ONLY_REGION]) },
	{ { .name = "per", .arg = "LIST", .about = "group by rank, agent, queue, stream or shape" },
	  .in = IN_PER,
	  TO_TEXT(per) },
	{ { .name = "columns", .arg = "LIST", .about = "print these columns, in this order" },
	  .in = IN_TABLES | IN_TRACECAT | IN_INFO,
	  TO_TEXT(out.columns) },
	{ { .name = "classes",
	    .arg = "FILE",
	    .about = "classify kernels by the rules in FILE instead of the built-in ones" },
	  .in = (IN_TABLES & ~IN_LIBPERF) | IN_TRACECAT | IN_TRACEREPORT,
	  TO_TEXT(in.classes) },
	{ { .name = "from", .arg = "FORMAT", .about = "treat every input as FORMAT" },
	  .in = IN_TRACES,
	  .choices = format_names,
	  TO_CHOICE(in.from) },
	{ { .name = "from", .arg = "FORMAT", .about = "treat every input as FORMAT" },
	  .in = IN_LIBPERF,
	  .choices = library_names,
	  TO_CHOICE(in.from) },
	{ { .name = "rank-from",
	    .arg = "REGEX",
	    .about = "take the rank from the first group of REGEX in the path" },
	  .in = IN_TRACES,
	  TO_TEXT(in.rank_from) },
	{ { .name = "strict",
	    .about = "exit 2 if records were skipped or a kernel is unclassified" },
	  .in = IN_ALL & ~IN_UNCLASSED,
	  TO_FLAG(say.strict) },
	{ { .name = "strict", .about = "exit 2 if records were skipped" },
	  .in = IN_UNCLASSED,
	  TO_FLAG(say.strict) },
	{ { .name = "allow-empty", .about = "exit 0 if there is nothing to show" },
	  .in = IN_KSTATS | IN_LIBPERF | IN_POWERSTATS,
	  TO_FLAG(say.allow_empty) },
	{ { .letter = 'q', .name = "quiet", .about = "print errors only, no warnings or notes" },
	  .in = IN_ALL,
	  TO_FLAG(say.quiet) },
	{ { .letter = 'v',
	    .name = "verbose",
	    .about = "more notes, for example on files that are not traces" },
	  .in = IN_ALL,
	  TO_FLAG(say.verbose) },
	{ { .name = "no-progress", .about = "no progress on a terminal" },
	  .in = IN_TRACES,
	  TO_FLAG(say.no_progress) },
	{ { .name = "list-formats", .last = true, .about = "list the input formats" },
	  .in = IN_ALL,
	  TO_FLAG(page.list_formats) },
	/* Options after it choose the table, too. */
	{ { .name = "list-columns",
	    .about = "list the columns of the table: name, heading, unit, meaning" },
	  .in = IN_ALL & ~(IN_TRACEMERGE | IN_TRACEREPORT),
	  TO_FLAG(page.list_columns) },
	{ { .name = "completion",
	    .last = true,
	    .arg = "SHELL",
	    .about = "print completions for a shell" },
	  .in = IN_ALL,
	  .choices = shell_names,
	  TO_CHOICE(page.completion) },
	{ { .letter = 'h', .name = "help", .last = true, .about = "print this help (-h: short)" },
	  .in = IN_ALL,
	  TO_FLAG(page.help) },
	{ { .letter = 'V', .name = "version", .last = true, .about = "print the version" },
	  .in = IN_ALL,
	  TO_FLAG(page.version) },
};

void tm_common_options(struct common *c, unsigned in, struct option out[COMMON_OPTIONS])
{
	for (size_t i = 0; i + 1 < COMMON_OPTIONS; i++) {
		if (!(rows[i].in & in))
			continue;
		*out = rows[i].o;
		out->value = (char *)c + rows[i].value;
		if (rows[i].choices)
			out->choices = rows[i].choices();
		if (rows[i].given)
			out->given = (unsigned *)(void *)((char *)c + rows[i].given);
		if (out->letter == 'h')
			out->by_letter = &c->page.brief;
		out++;
	}
	*out = (struct option) { 0 };
}

void tm_options_drop(struct option *table, const char *const *names)
{
	struct option *to = table;

	for (struct option *o = table; o->name; o++) {
		size_t i = 0;

		while (names[i] && strcmp(names[i], o->name) != 0)
			i++;
		if (!names[i])
			*to++ = *o;
	}
	*to = (struct option) { 0 };
}

void tm_options_refuse(struct option *table, unsigned filters)
{
	for (struct option *o = table; o->name; o++)
		for (unsigned left = filters; left; left &= left - 1) {
			const char *s = tm_only_option((enum tm_only_by)__builtin_ctz(left));

			o->refused |= s[1] == '-' ? !strcmp(s + 2, o->name) : s[1] == o->letter;
		}
}

bool tm_locale_is_utf8(void)
{
	static const char *const vars[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof vars / sizeof *vars; i++) {
		const char *v = getenv(vars[i]);

		if (v && *v)
			return strcasestr(v, "utf-8") || strcasestr(v, "utf8");
	}
	return false;
}

/* What drives a terminal becomes visible, and nothing else where there is none: a file name must
 * not clear a screen, and a script must find it. */
static void put_scrubbed(struct tm_buf *b, const char *s)
{
	tm_render_visible(b, s, strlen(s), !isatty(STDERR_FILENO) || tm_locale_is_utf8());
}

static bool write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t k = write(fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return false;
		p += k;
		n -= (size_t)k;
	}
	return true;
}

/* To standard error.  If nobody reads it any more, as after "2>&1 | head", the file of -o is still
 * wanted. */
static void put_message(const char *p, size_t n)
{
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);

	write_all(STDERR_FILENO, p, n);
	signal(SIGPIPE, before);
}

void tm_say(const struct common *c, enum tm_severity severity, const char *where, uint64_t line,
            const char *text)
{
	static const char *const prefix[] = {
		[TM_SEV_NOTE] = ": note: ",
		[TM_SEV_WARN] = ": warning: ",
		[TM_SEV_SKIP] = ": warning: ",
		[TM_SEV_NO] = ": error: ", /* whoever asked for a limit wants to be told */
		[TM_SEV_ERROR] = ": error: ",
	};
	struct tm_buf b = { 0 };

	tm_buf_str(&b, c->tool);
	tm_buf_str(&b, prefix[severity]);
	if (where) {
		/* Of a shell variable that is unset there is no name to be read. */
		put_scrubbed(&b, !strcmp(where, "-") ? "<stdin>" : *where ? where : "''");
		if (line)
			tm_buf_fmt(&b, ":%llu", (unsigned long long)line);
		tm_buf_str(&b, ": ");
	}
	put_scrubbed(&b, text);
	tm_buf_chr(&b, '\n');
	/* Without memory for a line there is only one thing to say. */
	if (b.failed) {
		static const char words[] = ": error: out of memory\n";

		put_message(c->tool, strlen(c->tool));
		put_message(words, sizeof words - 1);
	} else {
		put_message(b.p, b.n);
	}
	tm_buf_fini(&b);
}

int tm_usage_error(const struct common *c, const struct tm_diag *d)
{
	struct tm_buf b = { 0 };

	tm_say(c, TM_SEV_ERROR, NULL, 0, d->text);
	tm_buf_fmt(&b, "try '%s%s%s --help'", c->tool, c->table ? " " : "",
	           c->table ? c->table : "");
	tm_say(c, TM_SEV_NOTE, NULL, 0, b.p ? b.p : "try --help");
	tm_buf_fini(&b);
	return EXIT_TROUBLE;
}

int tm_put_output(const struct common *c, const struct tm_buf *b)
{
	struct output o = { .path = c->out.output };
	struct tm_diag d;
	bool ok;

	if (b->failed) {
		tm_say(c, TM_SEV_ERROR, NULL, 0, "out of memory");
		return EXIT_TROUBLE;
	}
	if (c->out.pager && b->n && (!o.path || !strcmp(o.path, "-")) && isatty(STDOUT_FILENO) &&
	    tm_pager_put(b->p, b->n))
		return EXIT_DONE;
	ok = tm_output_put(&o, b->p, b->n, &d);
	if (!ok)
		tm_output_close(&o, false, NULL);
	else
		ok = tm_output_close(&o, true, &d);
	if (!ok)
		tm_say(c, TM_SEV_ERROR, NULL, 0, d.text);
	return ok ? EXIT_DONE : EXIT_TROUBLE;
}

/* The formats of traces, and those that this tool reads beside them or instead. */
static void put_formats(struct tm_buf *b, const struct common *c)
{
	bool all = !strcmp(c->tool, "tracecheck"), traces = strcmp(c->tool, "libperf") != 0;
	size_t n = strlen(c->tool), width = 0;

	for (size_t i = 0; tm_reader_formats[i]; i++)
		if (strlen(tm_reader_formats[i]->name) > width)
			width = strlen(tm_reader_formats[i]->name);
	for (size_t i = 0; tm_bytes_formats[i]; i++)
		if (all || !strncmp(tm_bytes_formats[i]->tool, c->tool, n))
			tm_buf_fmt(b, "%-*s  %s\n", (int)width, tm_bytes_formats[i]->name,
			           tm_bytes_formats[i]->about);
	for (size_t i = 0; traces && tm_reader_formats[i]; i++)
		tm_buf_fmt(b, "%-*s  %s\n", (int)width, tm_reader_formats[i]->name,
		           tm_reader_formats[i]->about);
}

/* Name, heading in text, unit and meaning of each. */
static void put_columns(struct tm_buf *b, const struct tm_column *columns)
{
	static const char *const units[] = {
		[TM_UNIT_TEXT] = "text", [TM_UNIT_COUNT] = "count",  [TM_UNIT_ID] = "id",
		[TM_UNIT_TIME] = "time", [TM_UNIT_NS] = "ns",        [TM_UNIT_BYTES] = "bytes",
		[TM_UNIT_PCT] = "%",     [TM_UNIT_RATIO] = "number",
	};
	size_t name = strlen("NAME"), title = strlen("HEADER");

	for (const struct tm_column *v = columns; v && v->name; v++) {
		name = strlen(v->name) > name ? strlen(v->name) : name;
		title = v->title && strlen(v->title) > title ? strlen(v->title) : title;
	}
	tm_buf_fmt(b, "%-*s  %-*s  UNIT    MEANING\n", (int)name, "NAME", (int)title, "HEADER");
	for (; columns && columns->name; columns++)
		tm_buf_fmt(b, "%-*s  %-*s  %-6s  %s\n", (int)name, columns->name, (int)title,
		           columns->title ? columns->title : "-", units[columns->unit],
		           columns->about ? columns->about : "-");
}

bool tm_answer_lists(const struct common *c, const struct tm_column *columns, int *status)
{
	struct tm_buf b = { 0 };

	if (c->page.version)
		tm_buf_fmt(&b, "%s (tracemill) %s\n", c->tool, TRACEMILL_VERSION);
	else if (c->page.list_formats)
		put_formats(&b, c);
	else if (c->page.list_columns)
		put_columns(&b, columns);
	else
		return false;
	*status = tm_put_output(c, &b);
	tm_buf_fini(&b);
	return true;
}
