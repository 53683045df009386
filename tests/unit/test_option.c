/* SPDX-License-Identifier: MIT */
#include "cli/frame/frame.h"
#include "test.h"

#include <stdarg.h>

/* What the options of this test fill. */
static struct {
	bool quiet, verbose, help;
	uint64_t top, jobs, pct;
	const char *output, *format;
	unsigned domain;
	struct option_list columns;
	unsigned top_given;
	struct option_list operands;
	struct tm_diag diag;
} o;

static const char *const formats[] = { "text", "csv", "json", NULL };
static const char *const domains[] = { "kernel", "copy", "it's", NULL };

static const struct option own[] = {
	{ .letter = 'n',
	  .name = "top",
	  .type = OPT_U64,
	  .value = &o.top,
	  .given = &o.top_given,
	  .arg = "N",
	  .about = "show the N rows that come first",
	  .dflt = "20",
	  .min = 1 },
	{ .name = "domain",
	  .type = OPT_INDEX,
	  .value = &o.domain,
	  .arg = "WHAT",
	  .about = "which [traced] calls",
	  .choices = domains },
	{ .name = "fail-over",
	  .type = OPT_FIXED,
	  .value = &o.pct,
	  .arg = "PCT",
	  .about = "the answer is no when the difference is more than this many percent of it",
	  .max = 1000000 },
	{ 0 },
};

static const struct option common[] = {
	{ .letter = 'j',
	  .name = "jobs",
	  .type = OPT_U64,
	  .value = &o.jobs,
	  .arg = "N",
	  .about = "work on N inputs at a time",
	  .max = 64 },
	{ .letter = 'f',
	  .name = "format",
	  .type = OPT_CHOICE,
	  .value = &o.format,
	  .arg = "FORMAT",
	  .about = "how to print",
	  .choices = formats },
	{ .letter = 'o',
	  .name = "output",
	  .type = OPT_TEXT,
	  .value = &o.output,
	  .arg = "FILE",
	  .about = "write to FILE" },
	{ .name = "columns",
	  .type = OPT_LIST,
	  .value = &o.columns,
	  .arg = "LIST",
	  .about = "only these" },
	{ .letter = 'q', .name = "quiet", .value = &o.quiet, .about = "say less: don't talk" },
	{ .letter = 'v', .name = "verbose", .value = &o.verbose, .about = "say more" },
	{ .letter = 'n', .name = "never", .value = &o.verbose, .about = "loses its letter" },
	{ .letter = 'x', .name = "top", .value = &o.verbose, .about = "loses its name" },
	{ .letter = 'h', .name = "help", .last = true, .value = &o.help, .about = "print this" },
	{ 0 },
};

static const struct option *const tables[] = { own, common, NULL };

/* Parse the words up to NULL, from a clean start. */
static bool parse(const char *first, ...)
{
	char *argv[16] = { (char *)(uintptr_t) "kstats" };
	int argc = 1;
	va_list ap;

	tm_option_list_fini(&o.columns);
	tm_option_list_fini(&o.operands);
	memset(&o, 0, sizeof o);
	o.top = 20;
	va_start(ap, first);
	for (const char *w = first; w && argc < 15; w = va_arg(ap, const char *))
		argv[argc++] = (char *)(uintptr_t)w;
	va_end(ap);
	return tm_option_parse(argc, argv, tables, &o.operands, &o.diag);
}

static void forget(void)
{
	tm_option_list_fini(&o.columns);
	tm_option_list_fini(&o.operands);
}

#define PARSE(...) parse(__VA_ARGS__, (const char *)NULL)
#define BAD(want, ...)                                                                             \
	do {                                                                                       \
		CHECK(!PARSE(__VA_ARGS__));                                                        \
		CHECK_STR(o.diag.text, want);                                                      \
	} while (0)

TEST(nothing_given)
{
	CHECK(PARSE(NULL));
	CHECK_U64(o.top, 20);
	CHECK_U64(o.top_given, 0);
	CHECK_U64(o.operands.n, 0);
	forget();
}

TEST(all_spellings)
{
	CHECK(PARSE("-n5") && o.top == 5 && o.top_given == 1);
	CHECK(PARSE("-n", "6") && o.top == 6);
	CHECK(PARSE("--top=7") && o.top == 7);
	CHECK(PARSE("--top", "8") && o.top == 8 && o.operands.n == 0);
	CHECK(PARSE("-qv") && o.quiet && o.verbose);
	CHECK(PARSE("-qn9") && o.quiet && o.top == 9);
	CHECK(PARSE("-qn", "10", "a") && o.quiet && o.top == 10 && o.operands.n == 1);
	CHECK(PARSE("-n5", "-n6") && o.top == 6 && o.top_given == 2);
	CHECK(PARSE("--output=") && strcmp(o.output, "") == 0);
	CHECK(PARSE("--output=a=b") && strcmp(o.output, "a=b") == 0);
	CHECK(PARSE("-o", "-") && strcmp(o.output, "-") == 0);
	CHECK(PARSE("-o", "--") && strcmp(o.output, "--") == 0);
	forget();
}

TEST(operands_mix_with_options)
{
	CHECK(PARSE("a", "-q", "-", "--top=3", "b", "--", "-v", "--", "c"));
	CHECK(o.quiet && !o.verbose && o.top == 3);
	CHECK_U64(o.operands.n, 6);
	CHECK_STR(o.operands.v[0], "a");
	CHECK_STR(o.operands.v[1], "-");
	CHECK_STR(o.operands.v[3], "-v");
	CHECK_STR(o.operands.v[4], "--");
	CHECK(PARSE("") && o.operands.n == 1);
	forget();
}

TEST(lists_and_choices)
{
	CHECK(PARSE("--columns=a,b", "--columns", "c"));
	CHECK_U64(o.columns.n, 2);
	CHECK_STR(o.columns.v[1], "c");
	CHECK(PARSE("-fcsv") && o.format == formats[1]);
	CHECK(PARSE("--domain", "copy") && o.domain == 1);
	BAD("-f: unknown value 'cvs'; did you mean csv?", "-f", "cvs");
	BAD("--format: unknown value 'xml'; choose text, csv or json", "--format=xml");
	BAD("--format: unknown value ''; choose text, csv or json", "--format=");
	forget();
}

TEST(numbers)
{
	CHECK(PARSE("-n18446744073709551615") && o.top == UINT64_MAX);
	BAD("-n: 18446744073709551616 is out of range; give 1 or more", "-n18446744073709551616");
	BAD("-n: 99999999999999999999999 is out of range; give 1 or more",
	    "-n99999999999999999999999");
	BAD("-n: 0 is out of range; give 1 or more", "-n0");
	BAD("--jobs: 65 is out of range; give 0 to 64", "--jobs=65");
	BAD("-n: '12x' is not a whole number; give 1 or more", "-n12x");
	BAD("-n: '' is not a whole number; give 1 or more", "-n", "");
	BAD("-n: '-5' is not a whole number; give 1 or more", "-n", "-5");
	BAD("-n: '+5' is not a whole number; give 1 or more", "-n+5");
	BAD("-n: ' 5' is not a whole number; give 1 or more", "-n", " 5");
	BAD("-n: '5 ' is not a whole number; give 1 or more", "-n", "5 ");
	BAD("-n: '0x10' is not a whole number; give 1 or more", "-n", "0x10");
	BAD("-n: '1.5' is not a whole number; give 1 or more", "-n1.5");
	forget();
}

TEST(fixed_numbers)
{
	CHECK(PARSE("--fail-over=1.5") && o.pct == 15000);
	CHECK(PARSE("--fail-over=5") && o.pct == 50000);
	CHECK(PARSE("--fail-over=0.0001") && o.pct == 1);
	CHECK(PARSE("--fail-over=100") && o.pct == 1000000);
	BAD("--fail-over: 100.0001 is out of range; give 0 to 100", "--fail-over=100.0001");
	BAD("--fail-over: 1844674407370955.1616 is out of range; give 0 to 100",
	    "--fail-over=1844674407370955.1616");
	for (size_t i = 0; i < 6; i++) {
		static const char *const bad[] = { "1.23456", "1.", ".5", "1.2.3", "1e3", "5%" };

		CHECK(!PARSE("--fail-over", bad[i]));
		CHECK(strstr(o.diag.text, "is not a number with at most 4 decimals; give 0 to"));
	}
	forget();
}

TEST(usage_errors)
{
	BAD("unknown option --colums; did you mean --columns?", "--colums");
	BAD("unknown option --colunms; did you mean --columns?", "--colunms=x");
	BAD("unknown option --col; did you mean --columns?", "--col");
	BAD("unknown option --zebra", "--zebra");
	BAD("unknown option -z", "-qz");
	BAD("unknown option -columns; did you mean --columns?", "-columns");
	BAD("unknown option --", "--=3");
	BAD("-n needs a value: -n N", "-n");
	BAD("--output needs a value: --output FILE", "a", "--output");
	BAD("--quiet takes no value; remove '=yes'", "--quiet=yes");
	forget();
}

TEST(first_table_wins)
{
	CHECK(PARSE("-n4") && o.top == 4 && !o.verbose);
	CHECK(PARSE("--top", "4") && o.top == 4);
	CHECK(PARSE("--never") && o.verbose);
	CHECK(tm_option_owner(tables, &own[0]) == OPTION_OWN);
	CHECK(tm_option_owner(tables, &common[6]) == OPTION_NO_LETTER);
	CHECK(tm_option_owner(tables, &common[7]) == OPTION_DEAD);
	forget();
}

TEST(help_ends_the_line)
{
	CHECK(PARSE("a", "--help", "--zebra", "b") && o.help && o.operands.n == 1);
	CHECK(PARSE("-hz") && o.help);
	forget();
}

TEST(nearest)
{
	static const char *const known[] = { "top", "timeline", "gemm", "gaps", "summary", NULL };

	CHECK_STR(tm_option_nearest("sumary", known), "summary");
	CHECK_STR(tm_option_nearest("tpo", known), "top");
	CHECK_STR(tm_option_nearest("time", known), "timeline");
	CHECK_STR(tm_option_nearest("gap", known), "gaps");
	CHECK(!tm_option_nearest("", known));
	CHECK(!tm_option_nearest("xyzzy", known));
	CHECK(!tm_option_nearest("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	                         known));
}

TEST(help_text)
{
	static const struct option_command commands[] = {
		{ .name = "top", .about = "kernels by time" },
		{ 0 },
	};
	struct option_page page = {
		.usage = "kstats top [options] FILE...",
		.about = "One.\n\nTwo words of a paragraph that is long enough to need a second "
		         "line of "
		         "text, which starts at the left.",
		.commands = commands,
		.tables = tables,
		.trailer = "See kstats(1).\n",
	};
	struct tm_buf b = { 0 };

	CHECK(tm_option_help(&b, &page));
	CHECK_STR(b.p,
	          "usage: kstats top [options] FILE...\n"
	          "\n"
	          "One.\n"
	          "\n"
	          "Two words of a paragraph that is long enough to need a second line of text,\n"
	          "which starts at the left.\n"
	          "\n"
	          "Sub-commands:\n"
	          "  top                  kernels by time\n"
	          "\n"
	          "Options:\n"
	          "  -n, --top N          show the N rows that come first (default: 20)\n"
	          "      --domain WHAT    which [traced] calls: kernel, copy or it's\n"
	          "      --fail-over PCT  the answer is no when the difference is more than this\n"
	          "                       many percent of it\n"
	          "  -j, --jobs N         work on N inputs at a time\n"
	          "  -f, --format FORMAT  how to print: text, csv or json\n"
	          "  -o, --output FILE    write to FILE\n"
	          "      --columns LIST   only these\n"
	          "  -q, --quiet          say less: don't talk\n"
	          "  -v, --verbose        say more\n"
	          "      --never          loses its letter\n"
	          "  -h, --help           print this\n"
	          "\n"
	          "See kstats(1).\n");
	tm_buf_fini(&b);
}

TEST(completions)
{
	static const struct complete_command commands[] = {
		{ .name = "top", .about = "kernels: by $time", .tables = tables },
		{ 0 },
	};
	static const struct option *const before[] = { common, NULL };
	struct complete_spec spec = { .tool = "kstats", .commands = commands, .tables = before };
	struct tm_buf b = { 0 };

	CHECK(!tm_complete_render(&b, "csh", &spec) && b.n == 0 && !b.failed);
	CHECK(tm_complete_render(&b, "bash", &spec));
	CHECK(strstr(b.p, "\t\t--domain)\n\t\t\t_kstats_pick 'kernel' 'copy' 'it'\\''s'\n"));
	CHECK(strstr(b.p, "complete -o default -F _kstats kstats\n"));
	tm_buf_clear(&b);
	CHECK(tm_complete_render(&b, "zsh", &spec));
	CHECK(strstr(b.p, "'--domain=[which \\[traced\\] calls]:WHAT:(kernel copy it\\'\\''s)'"));
	CHECK(strstr(b.p, "'(-q --quiet)--quiet[say less\\: don'\\''t talk]'"));
	CHECK(strstr(b.p, "'*--columns=[only these]:LIST:_files'"));
	tm_buf_clear(&b);
	CHECK(tm_complete_render(&b, "fish", &spec));
	CHECK(strstr(b.p,
	             "-n '__fish_seen_subcommand_from \\'top\\'' -l domain -x "
	             "-a '\\'kernel\\' \\'copy\\' \\'it\\\\\\'s\\'' -d 'which [traced] calls'\n"));
	CHECK(strstr(b.p, "-n __fish_use_subcommand -f -a '\\'top\\'' -d 'kernels: by $time'\n"));
	tm_buf_fini(&b);
}

TEST_MAIN(T(nothing_given), T(all_spellings), T(operands_mix_with_options), T(lists_and_choices),
          T(numbers), T(fixed_numbers), T(usage_errors), T(first_table_wins), T(help_ends_the_line),
          T(nearest), T(help_text), T(completions))
