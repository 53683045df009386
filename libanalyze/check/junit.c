/* SPDX-License-Identifier: MIT
 * JUnit XML as Jenkins, GitLab and Surefire read it: a test case for each rule.  Jenkins' schema
 * (junit-10.xsd of its xunit plugin) knows `skipped` of a suite, not of all of them. */
#include "check/answer.h"
#include "render/render.h"

#include <string.h>

/* name="value" */
static void put_attribute(struct buf *out, const char *name, const char *s, size_t n)
{
	buf_fmt(out, " %s=\"", name);
	row_text_xml(out, s, n);
	buf_chr(out, '"');
}

static void put_counts(struct buf *out, const struct check_answer *a)
{
	buf_fmt(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"0\"", a->n,
	        a->of[CHECK_FAIL], a->of[CHECK_ABSENT] + a->of[CHECK_ERROR]);
}

static void put_property(struct buf *out, const char *name, const char *value)
{
	buf_str(out, "      <property");
	put_attribute(out, "name", name, strlen(name));
	put_attribute(out, "value", value, strlen(value));
	buf_str(out, "/>\n");
}

/* What a rule says that does not hold, or cannot be judged. */
static void put_trouble(struct buf *out, const struct check_result *r)
{
	const char *element = r->verdict == CHECK_FAIL ? "failure" : "error";
	const char *type = check_verdict_words[r->verdict];
	struct buf text = { 0 };

	check_put_message(&text, r);
	buf_fmt(out, ">\n      <%s", element);
	put_attribute(out, "message", text.p ? text.p : "", text.n);
	put_attribute(out, "type", type, strlen(type));
	buf_chr(out, '>');
	if (r->rule) {
		row_text_xml(out, r->rule->text, strlen(r->rule->text));
		if (r->rule->line) {
			buf_str(out, "&#10;");
			row_text_xml(out, r->rule->origin, strlen(r->rule->origin));
			buf_fmt(out, ":%llu", (unsigned long long)r->rule->line);
		}
	}
	buf_fmt(out, "</%s>\n    </testcase>\n", element);
	out->failed |= text.failed;
	buf_fini(&text);
}

static void put_case(struct buf *out, const struct check_answer *a, size_t i)
{
	const struct check_result *r = &a->v[i];
	struct buf text = { 0 };

	buf_str(out, "    <testcase classname=\"tracecheck");
	if (r->rule && *r->rule->table) {
		buf_chr(out, '.');
		row_text_xml(out, r->rule->table, strlen(r->rule->table));
	}
	buf_chr(out, '"');
	check_put_id(&text, a, i);
	put_attribute(out, "name", text.p ? text.p : "", text.n);
	buf_str(out, " time=\"0\"");
	if (r->verdict == CHECK_PASS)
		buf_str(out, "/>\n");
	else
		put_trouble(out, r);
	out->failed |= text.failed;
	buf_fini(&text);
}

static bool render(struct buf *out, const struct check_answer *a, const struct check_look *look)
{
	(void)look;
	buf_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tracecheck\"");
	put_counts(out, a);
	buf_str(out, ">\n  <testsuite name=\"tracecheck\"");
	put_counts(out, a);
	buf_str(out, " skipped=\"0\">\n    <properties>\n");
	put_property(out, "verdict", check_word(a));
	put_property(out, "tracemill", a->version ? a->version : "");
	buf_str(out, "    </properties>\n");
	for (size_t i = 0; i < a->n; i++)
		put_case(out, a, i);
	buf_str(out, "  </testsuite>\n</testsuites>\n");
	return !out->failed;
}

const struct check_format check_junit = {
	.name = "junit",
	.about = "JUnit XML, a test case for each rule",
	.render = render,
};
