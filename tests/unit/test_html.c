/* SPDX-License-Identifier: MIT
 * A page of HTML: names stay text, whatever they hold. */
#include "html/html.h"

#include "test.h"

static const char *text(const char *s, size_t n)
{
	static struct tm_buf b;

	tm_buf_clear(&b);
	CHECK(tm_buf_str(&b, "") && tm_html_text(&b, s, n));
	return b.p;
}

#define TEXT(s) text(s, sizeof(s) - 1)

TEST(escaped)
{
	CHECK_STR(TEXT(""), "");
	CHECK_STR(TEXT("plain_kernel<float>"), "plain_kernel&lt;float&gt;");
	CHECK_STR(TEXT("</script><img onerror=\"x\" a='b'>&amp;"),
	          "&lt;/script&gt;&lt;img onerror=&quot;x&quot; a=&#39;b&#39;&gt;&amp;amp;");
	CHECK_STR(TEXT("<!--"), "&lt;!--");
	CHECK_STR(TEXT("a\0b\x1b[31m\n\r\t\x7f"), "a\\x00b\\x1b[31m\\n\\r\\t\\x7f");
	/* C1, bidi override, line separator; a letter and an ideograph; no UTF-8 and half of it. */
	CHECK_STR(TEXT("\xc2\x9b"), "\\u009b");
	CHECK_STR(TEXT("\xe2\x80\xae\xe2\x80\xa8"), "\\u202e\\u2028");
	CHECK_STR(TEXT("\xc3\xa4\xe5\xad\x97"), "\xc3\xa4\xe5\xad\x97");
	CHECK_STR(TEXT("\xff<\xc3"), "\\xff&lt;\\xc3");
	CHECK_STR(TEXT("\xed\xa0\x80"), "\\xed\\xa0\\x80");
}

TEST(json)
{
	static const char in[] = "{\"a\":\"</script><!--&\",\"b\":1}";
	struct tm_buf b = { 0 };

	CHECK(tm_html_json(&b, in, sizeof in - 1));
	CHECK_STR(b.p, "{\"a\":\"\\u003c/script\\u003e\\u003c!--\\u0026\",\"b\":1}");
	tm_buf_fini(&b);
}

/* The vectors of RFC 4648. */
TEST(base64)
{
	static const char *const v[][2] = {
		{ "", "" },
		{ "f", "Zg==" },
		{ "fo", "Zm8=" },
		{ "foo", "Zm9v" },
		{ "foob", "Zm9vYg==" },
		{ "fooba", "Zm9vYmE=" },
		{ "foobar", "Zm9vYmFy" },
	};

	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct tm_buf b = { 0 };

		CHECK(tm_buf_str(&b, "") &&
		      tm_html_base64(&b, (const unsigned char *)v[i][0], strlen(v[i][0])));
		CHECK_STR(b.p, v[i][1]);
		tm_buf_fini(&b);
	}
}

static const struct tm_column columns[] = {
	{ .name = "name",
	  .title = "NAME",
	  .about = "its \"name\"",
	  .unit = TM_UNIT_TEXT,
	  .elastic = true },
	{ .name = "total_ns", .title = "TOTAL", .about = "its time", .unit = TM_UNIT_NS },
	{ .name = "pct", .title = "%", .about = "its share", .unit = TM_UNIT_PCT, .bar = true },
	{ .name = "secret",
	  .title = "S",
	  .about = "for machines",
	  .unit = TM_UNIT_COUNT,
	  .machine = true },
	{ 0 },
};

static void add(struct tm_table *t, const char *name, uint64_t ns, uint64_t pct)
{
	struct tm_cell *c = tm_table_row(t);

	c[0] = tm_cell_text(name, strlen(name));
	c[1] = tm_cell_u64(ns);
	c[2] = tm_cell_none();
	if (pct) {
		c[2].type = TM_CELL_FIXED;
		c[2].v.u = pct;
	}
}

TEST(table)
{
	struct tm_html_table h = {
		.id = "t", .caption = "Two", .command = "kstats <x>", .rows = 1, .bytes = 10000
	};
	struct tm_table t = { 0 };
	struct tm_buf b = { 0 }, json = { 0 };
	size_t shown;

	tm_table_init_list(&t, columns);
	add(&t, "<b>", 1500, 625000);
	add(&t, "second", 20, 0);
	h.t = &t;
	CHECK(tm_html_table(&b, &h, &shown));
	CHECK_U64(shown, 1);
	CHECK(strstr(b.p, "<caption>Two</caption>"));
	CHECK(strstr(b.p, "title=\"name: its &quot;name&quot;\">name</th>"));
	CHECK(strstr(b.p, ">total</th>") && !strstr(b.p, "_ns</th>"));
	CHECK(strstr(b.p, "<tr><td class=\"x\">&lt;b&gt;</td><td>1.500 us</td>"
	                  "<td>62.50%<svg"));
	CHECK(strstr(b.p, "<rect width=\"625\" height=\"1\"/>"));
	CHECK(strstr(b.p,
	             "1 of 2 rows; all of them: <code class=\"cmd\">kstats &lt;x&gt; -n 0</code>"));
	CHECK(!strstr(b.p, "second") && !strstr(b.p, "secret"));
	CHECK(tm_html_table_json(&json, &h, shown));
	CHECK_STR(json.p, "\"t\":{\"command\":\"kstats <x>\",\"all\":2,"
	                  "\"columns\":[\"name\",\"total_ns\",\"pct\",\"secret\"],"
	                  "\"units\":[\"text\",\"ns\",\"pct\",\"count\"],\"rows\":[\n"
	                  "[\"<b>\",1500,62.5000,null]]}");
	tm_buf_fini(&b);
	tm_buf_fini(&json);
	tm_table_fini(&t);
}

/* The number before stands beside the row of that name; not where it is the same. */
TEST(compared)
{
	struct tm_html_table h = { .id = "t", .caption = "Two", .rows = 9, .bytes = 10000 };
	struct tm_table t = { 0 }, was = { 0 };
	struct tm_buf b = { 0 };
	size_t shown;

	tm_table_init_list(&t, columns);
	tm_table_init_list(&was, columns);
	add(&t, "a", 10, 500000);
	add(&t, "new", 10, 500000);
	add(&was, "b", 5, 100000);
	add(&was, "a", 30, 500000);
	h.t = &t;
	h.base = &was;
	CHECK(tm_html_table(&b, &h, &shown));
	CHECK_U64(shown, 2);
	CHECK(strstr(b.p, "<td class=\"x\">a</td><td>10 ns <small>A: 30 ns</small></td>"));
	CHECK(!strstr(b.p, "<small>A: 50"));
	CHECK(strstr(b.p, "new</td><td>10 ns</td>"));
	tm_buf_fini(&b);
	tm_table_fini(&t);
	tm_table_fini(&was);
}

/* What is alike is one bar of parts that leave nothing out and never pass the end. */
TEST(stack)
{
	const struct tm_cell c[] = { tm_cell_u64(30), tm_cell_u64(1), tm_cell_u64(100) };
	const struct tm_html_part part[] = { { "compute", "gemm", &columns[1], &c[0] },
		                             { "wait", "sync", &columns[1], &c[1] },
		                             { "idle", NULL, &columns[1], &c[2] } };
	struct tm_buf b = { 0 };

	CHECK(tm_html_stack(&b, part, 3, 100));
	CHECK(strstr(b.p, "aria-label=\"compute 30 ns, wait 1 ns, idle 100 ns\""));
	CHECK(strstr(b.p, "class=\"f-gemm\" x=\"0\" width=\"300\""));
	CHECK(strstr(b.p, "class=\"f-sync\" x=\"300\" width=\"10\""));
	CHECK(strstr(b.p, "class=\"f-none\" x=\"310\" width=\"690\""));
	tm_buf_fini(&b);
}

TEST_MAIN(T(escaped), T(json), T(base64), T(table), T(compared), T(stack))
