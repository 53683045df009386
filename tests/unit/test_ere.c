/* SPDX-License-Identifier: MIT
 * What is read out of a regular expression, its literals and its automaton, says what regexec says:
 * for expressions by hand and at random, and for every rule of the built-in table on every name
 * there is, whole and mutilated. */
#include "test.h"

#include "base/demangle.h"
#include "model/automaton.h"
#include "model/ere.h"
#include "model/filter.h"
#include "model/kernel_class.h"

#include <regex.h>

/* An expression every way it can be run. */
struct both {
	const char *text;
	regex_t re;
	bool compiled, understood;
	struct filter filter;
	struct filters filters;
	struct automaton *a; /* NULL where regexec would have to decide */
};

static void both_init(struct both *b, const char *text)
{
	struct ere e;
	bool oom;

	*b = (struct both) { .text = text };
	b->compiled = !regcomp(&b->re, text, REG_EXTENDED | REG_NOSUB);
	b->understood = tm_ere_read(&e, text, &oom);
	CHECK(!oom);
	if (b->understood) {
		CHECK(tm_filter_make(&b->filter, &e) && tm_filters_add(&b->filters, &b->filter, 0));
		b->a = tm_automaton_make(&e, &oom);
		CHECK(!oom);
	}
	tm_ere_fini(&e);
	/* What regcomp refuses is never understood. */
	if (b->understood && !b->compiled)
		fprintf(stderr, "not an expression: %s\n", text);
	CHECK(b->compiled || !b->understood);
}

static void both_fini(struct both *b)
{
	if (b->compiled)
		regfree(&b->re);
	tm_filters_fini(&b->filters);
	tm_filter_fini(&b->filter);
	tm_automaton_free(b->a);
}

/* Does it match?  Checked to be the same every way. */
static bool both_match(struct both *b, const char *subject)
{
	bool want = !regexec(&b->re, subject, 0, NULL, 0);
	uint64_t may = 1;
	bool ok = true;

	if (b->filters.words)
		tm_filters_find(&b->filters, subject, &may);
	if (want && !(may & 1)) {
		fprintf(stderr, "ruled out by its literals: /%s/ on \"%s\"\n", b->text, subject);
		ok = false;
	}
	if (b->a && tm_automaton_match(b->a, subject) != want) {
		fprintf(stderr, "regexec says %d: /%s/ on \"%s\"\n", want, b->text, subject);
		ok = false;
	}
	CHECK(ok);
	return want;
}

static uint64_t rng = 1;

static unsigned below(unsigned n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (unsigned)(rng >> 33) % n;
}

/* Literals that are no literals, quantifiers that make one optional, and what only GNU knows. */
TEST(by_hand)
{
	static const struct {
		const char *ere;
		bool understood;
		const char *yes, *no; /* NULL = none */
	} v[] = {
		{ "abc", true, "xabcx", "abxc" },
		{ "ab+?c", false, "ac", "ab" },
		{ "ab?", true, "a", "b" },
		{ "ab*c", true, "ac", "bc" },
		{ "(ab)?cd", true, "cd", "ab" },
		{ "(ab){0,2}cd", true, "cd", "abab" },
		{ "(ab){2}", true, "abab", "aba" },
		{ "a{2,}b", true, "caaab", "ab" },
		{ "a{0}b", false, "b", "a" },
		{ "a{1,33}", false, "a", "b" },
		{ "ab)c|d", false, "d", "abc" },
		{ "(ab|cd)ef|gh", true, "gh", "abcd" },
		{ "ab|", false, "", NULL },
		{ "(|ab)c", false, "c", "ab" },
		{ "a||b", false, "", NULL },
		{ "()", false, "", NULL },
		{ "(ab)\\1", false, "abab", "ab" },
		{ "\\bab", false, "x ab", "xab" },
		{ "\\wab", false, "xab", " ab" },
		{ "ab\\.c", true, "ab.c", "abxc" },
		{ "ab\\|c", true, "ab|c", "ab" },
		{ "a\\{2}", true, "a{2}", "aa" },
		{ "[]a]b", true, "]b", "xb" },
		{ "[^]a]b", true, "xb", "]b" },
		{ "[a-]b", true, "-b", "xb" },
		{ "[-a]b", true, "-b", "xb" },
		{ "[a-c-e]b", false, NULL, NULL },
		{ "[[:alpha:]_]b", true, "_b", "1b" },
		{ "[^[:alpha:]]b", true, "1b", "ab" },
		{ "[[:alpha:]-c]b", false, NULL, NULL },
		{ "[[=a=]]b", false, "ab", "bb" },
		{ "[[.a.]]b", false, "ab", "bb" },
		{ "[\\n]b", true, "\\b", "xb" },
		{ "[a|b]c", true, "|c", "dc" },
		{ "[(]a", true, "(a", "a" },
		{ "(^|[^a-z])rope([^a-z]|$)", true, "_rope", "europe" },
		{ "^ab$", true, "ab", "ab\n" },
		{ "a.b", true, "a\nb", "ab" },
		{ "a.b", true,
		  "a\xff"
		  "b",
		  NULL },
		{ "^*ab", false, NULL, NULL },
		{ "(^)*ab", true, "xab", "a" },
		{ "(^|x)(^|y)ab", true, "yab", "zab" },
		{ "(ab$)?(cd)", true, "cd", "ab" },
		{ "a$b", true, NULL, "a" },
		{ "a^b", true, NULL, "ab" },
		{ "^^ab", true, "ab", "xab" },
		{ "ab$$", true, "ab", "abx" },
		{ "x*^ab", true, "ab", "xab" },
		{ "(a*)*b", true, "b", "a" },
		{ "(a|ab)(c|bcd)(d*)e", true, "abcde", "abde" },
		{ "{", false, NULL, NULL },
		{ "a{x", false, NULL, NULL },
		{ "a}", true, "a}", "a" },
		{ "*a", false, NULL, NULL },
		{ "a\\", false, NULL, NULL },
		{ "[a", false, NULL, NULL },
		{ "[z-a]", false, NULL, NULL },
		{ "(a", false, NULL, NULL },
		{ "((((((((((((((((((ab))))))))))))))))))", false, "ab", "a" },
		{ "", false, "", NULL },
	};

	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct both b;

		both_init(&b, v[i].ere);
		if (b.understood != v[i].understood)
			fprintf(stderr, "understood or not: %s\n", v[i].ere);
		CHECK(b.understood == v[i].understood);
		CHECK(!b.compiled || !v[i].yes || both_match(&b, v[i].yes));
		CHECK(!b.compiled || !v[i].no || !both_match(&b, v[i].no));
		both_fini(&b);
	}
}

/* The literals are those that must be there: one of every branch, the longest of a sequence. */
TEST(literals)
{
	static const struct {
		const char *ere;
		const char *want; /* each ended by '/' */
	} v[] = {
		{ "abc[xy]defg", "defg/" },  { "abc?d", "ab/" },
		{ "ab(cd|efg)?h", "ab/" },   { "(ab|cd)x", "ab/cd/" },
		{ "(ab|c)x", "" },           { "abc+d", "abc/" },
		{ "a{3}bcd", "bcd/" },       { "^ab|cd$", "ab/cd/" },
		{ "(ab|cde).*fgh", "fgh/" }, { "a.b", "" },
		{ "ab\\.\\(cd", "ab.(cd/" }, { "(abc|def)+", "abc/def/" },
	};

	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		char got[64] = "";
		struct both b;

		both_init(&b, v[i].ere);
		CHECK(b.understood && b.filter.n < sizeof got);
		for (size_t k = 0; k < b.filter.n; k++)
			got[k] = b.filter.text[k] ? b.filter.text[k] : '/';
		CHECK_STR(got, v[i].want);
		both_fini(&b);
	}
}

/* A random expression over few letters, so that much of it matches. */
static size_t random_ere(char *out, size_t room, int depth)
{
	static const char *const atom[] = { "a",    "b",      "c",     "ab",  "ca",  ".",   "[ab]",
		                            "[^a]", "[^a-c]", "[b-c]", "abc", "bca", "cab", "\\." };
	static const char *const often[] = {
		"?", "*", "+", "{2}", "{0,2}", "{1,3}", "", "", "", ""
	};
	size_t n = 0;

	for (unsigned i = 1 + below(4); i && room > n + 64; i--) {
		switch (below(depth ? 12 : 9)) {
		case 0:
			n += (size_t)snprintf(out + n, room - n, "^");
			continue;
		case 1:
			n += (size_t)snprintf(out + n, room - n, "$");
			continue;
		case 9:
		case 10:
		case 11:
			out[n++] = '(';
			n += random_ere(out + n, room - n - 16, depth - 1);
			out[n++] = ')';
			break;
		default:
			n += (size_t)snprintf(out + n, room - n, "%s",
			                      atom[below(sizeof atom / sizeof *atom)]);
			break;
		}
		n += (size_t)snprintf(out + n, room - n, "%s",
		                      often[below(sizeof often / sizeof *often)]);
		if (i > 1 && below(4) == 0)
			out[n++] = '|';
	}
	out[n] = '\0';
	return n;
}

TEST(at_random)
{
	const int rounds = test_rounds(20000);
	unsigned understood = 0, matched = 0, run = 0;

	for (int i = 0; i < rounds; i++) {
		char ere[512], subject[24];
		struct both b;

		random_ere(ere, sizeof ere, 3);
		/* Now and then something that nobody meant. */
		if (below(8) == 0 && *ere)
			ere[below((unsigned)strlen(ere))] = "?*+{}()[]|^$\\,1-"[below(16)];
		both_init(&b, ere);
		understood += b.understood;
		for (int k = 0; k < 20 && b.compiled; k++) {
			size_t n = below(12);

			for (size_t j = 0; j < n; j++)
				subject[j] = "aaabbbccc.x\n"[below(12)];
			subject[n] = '\0';
			run++;
			matched += both_match(&b, subject);
		}
		both_fini(&b);
	}
	CHECK(understood > (unsigned)rounds / 2);
	CHECK(matched > run / 10 && matched < run - run / 10);
}

/* The last field of a line of a table of names; false at the end. */
static bool next_name(FILE *f, char **line, size_t *cap, char **name)
{
	ssize_t n = f ? getline(line, cap, f) : -1;

	if (n < 0)
		return false;
	if (n && (*line)[n - 1] == '\n')
		(*line)[n - 1] = '\0';
	*name = strrchr(*line, '\t');
	*name = *name ? *name + 1 : *line;
	return true;
}

/* A few bytes of a name gone, doubled, changed, or put elsewhere. */
static void mutate(char *s, size_t cap)
{
	for (unsigned i = 1 + below(4); i; i--) {
		size_t n = strlen(s), at = n ? below((unsigned)n) : 0, len;

		len = n - at < 8 ? n - at : 1 + below(8);
		switch (below(4)) {
		case 0:
			memmove(s + at, s + at + len, n - at - len + 1);
			break;
		case 1:
			if (n + len < cap)
				memmove(s + at + len, s + at, n - at + 1);
			break;
		case 2:
			if (n)
				s[at] = "aAzZ_09<(:, ^$.\n\x80\xff"[below(18)];
			break;
		default:
			if (n)
				memmove(s, s + at, n - at + 1);
			break;
		}
	}
}

/* Every rule of the built-in table on every name, by itself: whether an earlier one matches or not.
 */
static void all_rules(const char *path, struct both *rule, size_t n, unsigned *names)
{
	FILE *f = fopen(path, "r");
	char *line = NULL, *name, s[8192];
	size_t cap = 0;

	while (next_name(f, &line, &cap, &name)) {
		struct tm_buf full = { 0 };

		if (strlen(name) >= sizeof s / 2)
			continue;
		++*names;
		for (int k = 0; k < 4; k++) {
			snprintf(s, sizeof s, "%s", name);
			if (k == 1 && tm_demangle(&full, name, strlen(name)) &&
			    full.n < sizeof s / 2)
				snprintf(s, sizeof s, "%s", full.p);
			if (k >= 2)
				mutate(s, sizeof s);
			for (size_t i = 0; i < n; i++)
				both_match(&rule[i], s);
		}
		tm_buf_fini(&full);
	}
	free(line);
	if (f)
		fclose(f);
}

TEST(builtin_rules)
{
	const char *root = getenv("ROOT"), *shared = getenv("TRACEMILL_SHARED");
	struct tm_classes *c = tm_classes_builtin(NULL);
	size_t n = c ? tm_classes_rules(c) : 0;
	struct both *rule = calloc(n + 1, sizeof *rule);
	unsigned names = 0;
	char path[4096];

	CHECK(c && rule);
	for (size_t i = 0; rule && i < n; i++) {
		both_init(&rule[i], tm_classes_rule(c, i + 1).regex);
		if (!rule[i].a || !rule[i].filter.n)
			fprintf(stderr, "rule %zu takes regexec, or every name: %s\n", i + 1,
			        rule[i].text);
		CHECK(rule[i].a && rule[i].filter.n);
	}
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/tests/unit/%s", root ? root : ".",
		         i ? "kernel_names_unseen.tsv" : "kernel_names.tsv");
		all_rules(path, rule, n, &names);
	}
	if (!names)
		printf("not run: %s is not there\n", path);
	snprintf(path, sizeof path, "%s/data/kernel_names.tsv", shared ? shared : "../shared");
	all_rules(path, rule, n, &names);
	for (size_t i = 0; rule && i < n; i++)
		both_fini(&rule[i]);
	free(rule);
	tm_classes_free(c);
}

/* More states than are kept: they are forgotten and learnt again. */
TEST(many_states)
{
	static const char ere[] = "a[ab]{12}c[ab]{3}d";
	static char subject[200000];
	struct both b;
	size_t n = sizeof subject - 1;

	both_init(&b, ere);
	CHECK(b.a != NULL);
	for (size_t i = 0; i < n; i++)
		subject[i] = "ab"[below(2)];
	CHECK(!both_match(&b, subject));
	memcpy(subject + n / 2, "aabababababbacaaad", 18);
	CHECK(both_match(&b, subject));
	subject[n / 2 + 17] = 'b';
	CHECK(!both_match(&b, subject));
	both_fini(&b);
	/* too large for an automaton, as copies of copies are */
	both_init(&b, "(((a{1,30}b){1,30}c){1,30}d){1,30}");
	CHECK(b.understood && !b.a);
	both_fini(&b);
}

TEST_MAIN(T(by_hand), T(literals), T(at_random), T(builtin_rules), T(many_states))
