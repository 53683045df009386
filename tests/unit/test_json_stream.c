/* SPDX-License-Identifier: MIT
 * The JSON cursor: what it takes, what it refuses and where, numbers of microseconds to the
 * nanosecond, and the same answers with the bytes in pieces.  Beside another parser:
 * tests/fuzz/fuzz_json.c. */
#include "read/json/json_stream.h"

#include "test.h"

#include <signal.h>
#include <sys/resource.h>

/* A text with its padding, as a cursor. */
static struct json cursor(const char *text, size_t n, bool last)
{
	static unsigned char bytes[1 << 16];

	CHECK(n + JSON_PAD <= sizeof bytes);
	memcpy(bytes, text, n);
	memset(bytes + n, 0, JSON_PAD);
	return (struct json) { .p = bytes, .end = bytes + n, .last = last };
}

/* Skip a value: "" when it is one and all of the text, else why not and where. */
static const char *skip_n(const char *text, size_t n)
{
	static char said[200];
	struct json c = cursor(text, n, true);
	const unsigned char *start = c.p;

	if (tm_json_skip(&c))
		return c.p == c.end ? "" : "more behind it";
	snprintf(said, sizeof said, "%s at %d", c.state == JSON_MORE ? "cut" : c.why,
	         (int)(c.p - start));
	return said;
}

static const char *skip(const char *text)
{
	return skip_n(text, strlen(text));
}

TEST(values_that_are_json)
{
	static const char *const good[] = {
		"0",
		"-0",
		"12",
		"-1.5",
		"1e5",
		"1E-7",
		"0.25e+3",
		"\"\"",
		"\"a\"",
		"true",
		"false",
		"null",
		"[]",
		"{}",
		"[ 1 , [ ] , { } ]",
		"{\"a\":1,\"b\":[{\"c\":\"d\"}]}",
		"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
		"\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"",
		"NaN",
		"-Infinity",
		"inf",
		"-nan",
		"\r\n\t [1]",
	};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		CHECK_STR(skip(good[i]), "");
}

TEST(values_that_are_not)
{
	static const char *const bad[][2] = {
		{ "01", "more behind it" },
		{ "1.", "cut at 0" },
		{ "1.x", "no number at 2" },
		{ "-", "cut at 0" },
		{ "+1", "no value at 0" },
		{ ".5", "no value at 0" },
		{ "tru", "cut at 0" },
		{ "trux", "no value at 0" },
		{ "[1,]", "no value at 3" },
		{ "[1 2]", "no comma or bracket after a value at 3" },
		{ "[1}", "no comma or bracket after a value at 2" },
		{ "{\"a\"}", "no colon after a key at 4" },
		{ "{\"a\":1,}", "no key at 7" },
		{ "{1:2}", "no key at 1" },
		{ "{\"a\":}", "no value at 5" },
		{ "\"a", "cut at 0" },
		{ "\"\\x\"", "an unknown escape in a string at 2" },
		{ "\"\\u12g4\"", "an unknown escape in a string at 5" },
		{ "\"a\nb\"", "a control character in a string, or a quote is missing at 2" },
		{ "\"\xff\"", "a string that is not UTF-8 at 1" },
		{ "\"\xc0\x80\"", "a string that is not UTF-8 at 1" },
		{ "\"\xed\xa0\x80\"", "a string that is not UTF-8 at 2" },
		{ "\"\xf4\x90\x80\x80\"", "a string that is not UTF-8 at 2" },
		{ "\"\xe2\x82\"", "a string that is not UTF-8 at 3" },
		{ "", "cut at 0" },
		{ "[", "cut at 1" },
		{ "{\"a\":[1,{", "cut at 9" },
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK_STR(skip(bad[i][0]), bad[i][1]);
	CHECK_STR(skip_n("[1,\0]", 5), "no value at 3");
	CHECK_STR(skip_n("\"a\0b\"", 5),
	          "a control character in a string, or a quote is missing at 2");
}

TEST(long_numbers_and_deep_nests)
{
	char text[1200];

	memset(text, '7', 400);
	CHECK_STR(skip_n(text, 400), "");
	memset(text, '[', JSON_DEPTH);
	memset(text + JSON_DEPTH, ']', JSON_DEPTH);
	CHECK_STR(skip_n(text, 2 * JSON_DEPTH), "");
	memset(text, '[', JSON_DEPTH + 1);
	CHECK_STR(skip_n(text, JSON_DEPTH + 1), "nested too deeply at 512");
}

/* Every split of a text into two: the first part says JSON_MORE, and with the second after it the
 * end is the same. */
TEST(in_two_parts)
{
	static const char text[] =
	        "{\"a\\u00e9\":[1.5e3,true,\"\xe2\x82\xac\",{\"b\":null}],\"c\":-12}";
	size_t n = sizeof text - 1;

	for (size_t cut = 0; cut < n; cut++) {
		struct json_skip s = { .depth = 0 };
		struct json c = cursor(text, cut, false);
		size_t done;

		CHECK(!tm_json_skip_on(&c, &s));
		CHECK(c.state == JSON_MORE);
		done = cut - (size_t)(c.end - c.p);
		c = cursor(text + done, n - done, true);
		CHECK(tm_json_skip_on(&c, &s));
		CHECK(c.p == c.end);
	}
}

static bool us(const char *text, uint64_t *ns, bool *negative)
{
	struct json c = cursor(text, strlen(text), true);
	struct json_item v = tm_json_value(&c);

	return tm_json_us(&v, ns, negative);
}

TEST(microseconds)
{
	static const struct {
		const char *text;
		uint64_t ns;
		bool negative;
	} good[] = {
		{ "0", 0, false },
		{ "1", 1000, false },
		{ "1.5", 1500, false },
		{ "1305516338095.402", 1305516338095402, false },
		/* through a double this one is 131 ns early */
		{ "1758793203456789.123", 1758793203456789123, false },
		{ "18001.420", 18001420, false },
		{ "0.0009", 0, false },
		{ "2.9999", 2999, false },
		{ "\"8306017670485.923\"", 8306017670485923, false },
		{ "-0.25", 250, true },
		{ "1e3", 1000000, false },
		{ "1.5E-2", 15, false },
		{ "12345678901234567.891", 0, false }, /* 1.2e19 ns: over 63 bits */
	};
	static const char *const bad[] = {
		"\"\"", "\"x\"",  "\"1.2.3\"", "\"12 \"", "null",
		"true", "\"1.\"", "1e400",     "\"-\"",   "99999999999999999999"
	};
	uint64_t ns;
	bool negative;

	for (size_t i = 0; i + 1 < sizeof good / sizeof *good; i++) {
		CHECK(us(good[i].text, &ns, &negative));
		CHECK_U64(ns, good[i].ns);
		CHECK(negative == good[i].negative);
	}
	CHECK(!us(good[sizeof good / sizeof *good - 1].text, &ns, &negative));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!us(bad[i], &ns, &negative));
}

static void check_text(const char *json, const char *want)
{
	struct json c = cursor(json, strlen(json), true);
	struct json_item v = tm_json_value(&c);
	struct tm_buf b = { 0 };
	const char *p;
	size_t n;

	CHECK(v.kind == JSON_STRING);
	CHECK(tm_json_text(&v, &b, &p, &n));
	CHECK(n == strlen(want) && !memcmp(p, want, n));
	tm_buf_fini(&b);
}

TEST(escapes)
{
	check_text("\"plain\"", "plain");
	check_text("\"\\\"q\\\" \\\\ \\/ \\n\\t\"", "\"q\" \\ / \n\t");
	check_text("\"\\u0041\\u00e9\\u20ac\"", "A\xc3\xa9\xe2\x82\xac");
	check_text("\"\\ud83d\\ude00!\"", "\xf0\x9f\x98\x80!");
	check_text("\"\\ud83d!\"", "\xef\xbf\xbd!");
	check_text("\"\\ude00\\ud83d\"", "\xef\xbf\xbd\xef\xbf\xbd");
}

/* The next value, with more bytes until it is whole. */
static struct json_item whole(struct json_stream *s, enum tm_status *st)
{
	for (*st = TM_ST_OK;;) {
		const unsigned char *mark = s->c.p;
		struct json_item v = tm_json_value(&s->c);

		if (v.kind != JSON_NONE || (*st = tm_json_more(s, mark)) != TM_ST_OK)
			return v;
	}
}

/* A value larger than what is read at once, and one larger than what may be kept. */
TEST(large_values)
{
	size_t n = 20 * 1024 * 1024;
	char *text = malloc(n);
	struct json_stream s = { 0 };
	struct json_skip skipping = { .depth = 0 };
	struct tm_source *src;
	struct json_item v;
	enum tm_status st = TM_ST_OK;

	CHECK(text != NULL);
	if (!text)
		return;
	memset(text, 'x', n);
	text[0] = '"';
	text[1000000] = '"';
	src = tm_source_memory("t", text, 1000001, NULL);
	CHECK(tm_json_open(&s, src) == TM_ST_OK);
	v = whole(&s, &st);
	CHECK(v.kind == JSON_STRING && v.n == 999999);
	tm_json_fini(&s);
	tm_source_close(src);

	text[1000000] = 'x';
	src = tm_source_memory("t", text, n, NULL);
	CHECK(tm_json_open(&s, src) == TM_ST_OK);
	v = whole(&s, &st);
	CHECK(v.kind == JSON_NONE && st == TM_ST_FATAL);
	CHECK_STR(s.why.text, "a value of more than 8 MiB at byte 0: not read");
	tm_json_fini(&s);
	tm_source_close(src);

	/* Many small ones are no large value. */
	for (size_t i = 0; i < n; i++)
		text[i] = i % 2 ? '1' : ',';
	text[0] = '[';
	text[n - 1] = ']';
	text[n - 2] = ' ';
	src = tm_source_memory("t", text, n, NULL);
	CHECK(tm_json_open(&s, src) == TM_ST_OK);
	while (!tm_json_skip_on(&s.c, &skipping) && s.c.state == JSON_MORE &&
	       tm_json_more(&s, s.c.p) == TM_ST_OK)
		;
	CHECK(s.c.state == JSON_GOOD);
	CHECK_U64(tm_json_at(&s), n);
	CHECK(s.cap <= 512 * 1024);
	tm_json_fini(&s);
	tm_source_close(src);
	free(text);
}

/* All of an array of 1000000 bytes that was put aside; how much fitted on the disk changes nothing.
 */
static void put_aside(rlim_t room, size_t tail_bytes)
{
	const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY }, some = { room, RLIM_INFINITY };
	size_t n = 1000000, elements = 0;
	char *text = malloc(n);
	struct json_stream s = { 0 };
	struct tm_source *src = NULL;
	struct tm_buf tail = { 0 };
	enum tm_status st = TM_ST_OK;
	bool first = true;

	CHECK(text != NULL);
	if (!text)
		return;
	for (size_t i = 0; i < n; i++)
		text[i] = i % 2 ? (char)('0' + i / 2 % 10) : ',';
	text[0] = '[';
	text[n - 1] = ']';
	text[n - 2] = ' ';
	src = tm_source_memory("t", text, n, NULL);
	CHECK(tm_json_open(&s, src) == TM_ST_OK);
	CHECK(tm_json_value(&s.c).kind == JSON_ARRAY);
	CHECK(setrlimit(RLIMIT_FSIZE, &some) == 0);
	CHECK(tm_json_aside(&s, &tail, 1000));
	CHECK(setrlimit(RLIMIT_FSIZE, &all) == 0);
	CHECK_U64(tail.n, tail_bytes);
	CHECK(!tail.n || !memcmp(tail.p, text + n - tail.n, tail.n));
	for (;;) {
		const unsigned char *mark = s.c.p;
		bool before = first;
		struct json_item v = { .kind = JSON_NONE };

		if (tm_json_element(&s.c, &first))
			v = tm_json_value(&s.c);
		if (s.c.state == JSON_MORE) {
			first = before;
			st = tm_json_more(&s, mark);
			if (st == TM_ST_OK)
				continue;
		}
		if (v.kind != JSON_NUMBER)
			break;
		CHECK(v.n == 1 && *v.p == '0' + elements % 10);
		elements++;
	}
	CHECK(st == TM_ST_OK && s.c.state == JSON_GOOD);
	CHECK_U64(elements, n / 2 - 1);
	CHECK_U64(tm_json_at(&s), n);
	tm_json_fini(&s);
	tm_source_close(src);
	tm_buf_fini(&tail);
	free(text);
}

TEST(aside)
{
	signal(SIGXFSZ, SIG_IGN);
	put_aside(RLIM_INFINITY, 1000);
	put_aside(400000, 0);
	put_aside(0, 0);
}

TEST_MAIN(T(values_that_are_json), T(values_that_are_not), T(long_numbers_and_deep_nests),
          T(in_two_parts), T(microseconds), T(escapes), T(large_values), T(aside))
