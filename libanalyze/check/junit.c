/* SPDX-License-Identifier: MIT
 * JUnit XML as Jenkins, GitLab and Surefire read it: a test case for each rule.  Jenkins' schema
 * (junit-10.xsd of its xunit plugin) knows `skipped` of a suite, not of all of them. */
#include "check/answer.h"
#include "render/render.h"

#include <string.h>

/* name="value" */
static void put_attribute(struct tm_buf *out, const char *name, const char *s, size_t n)
{
	tm_buf_fmt(out, " %s=\"", name);
	tm_row_text_xml(out, s, n);
	tm_buf_chr(out, '"');
}

static void put_counts(struct tm_buf *out, const struct tm_check_answer *a)
{
	tm_buf_fmt(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"0\"", a->n,
	           a->of[TM_CHECK_FAIL], a->of[TM_CHECK_ABSENT] + a->of[TM_CHECK_ERROR]);
}

static void put_property(struct tm_buf *out, const char *name, const char *value)
{
	tm_buf_str(out, "      <property");
	put_attribute(out, "name", name, strlen(name));
	put_attribute(out, "value", value, strlen(value));
	tm_buf_str(out, "/>\n");
}

/* What a rule says that does not hold, or cannot be judged. */
static void put_trouble(struct tm_buf *out, const struct tm_check_result *r)
{
	const char *element = r->verdict == TM_CHECK_FAIL ? "failure" : "error";
	const char *type = tm_check_verdict_words[r->verdict];
	struct tm_buf text = { 0 };

	tm_check_put_message(&text, r);
	tm_buf_fmt(out, ">\n      <%s", element);
	put_attribute(out, "message", text.p ? text.p : "", text.n);
	put_attribute(out, "type", type, strlen(type));
	tm_buf_chr(out, '>');
	if (r->rule) {
		tm_row_text_xml(out, r->rule->text, strlen(r->rule->text));
		if (r->rule->line) {
			tm_buf_str(out, "&#10;");
			tm_row_text_xml(out, r->rule->origin, strlen(r->rule->origin));
			tm_buf_fmt(out, ":%llu", (unsigned long long)r->rule->line);
		}
	}
	tm_buf_fmt(out, "</%s>\n    </testcase>\n", element);
	out->failed |= text.failed;
	tm_buf_fini(&text);
}

static void put_case(struct tm_buf *out, const struct tm_check_answer *a, size_t i)
{
	const struct tm_check_result *r = &a->v[i];
	struct tm_buf text = { 0 };

	tm_buf_str(out, "    <testcase classname=\"tracecheck");
	if (r->rule && *r->rule->table) {
		tm_buf_chr(out, '.');
		tm_row_text_xml(out, r->rule->table, strlen(r->rule->table));
	}
	tm_buf_chr(out, '"');
	tm_check_put_id(&text, a, i);
	put_attribute(out, "name", text.p ? text.p : "", text.n);
	tm_buf_str(out, " time=\"0\"");
	if (r->verdict == TM_CHECK_PASS)
		tm_buf_str(out, "/>\n");
	else
		put_trouble(out, r);
	out->failed |= text.failed;
	tm_buf_fini(&text);
}

static bool render(struct tm_buf *out, const struct tm_check_answer *a,
                   const struct tm_check_look *look)
{
	(void)look;
	tm_buf_str(out,
	           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tracecheck\"");
	put_counts(out, a);
	tm_buf_str(out, ">\n  <testsuite name=\"tracecheck\"");
	put_counts(out, a);
	tm_buf_str(out, " skipped=\"0\">\n    <properties>\n");
	put_property(out, "verdict", tm_check_word(a));
	put_property(out, "tracemill", a->version ? a->version : "");
	tm_buf_str(out, "    </properties>\n");
	for (size_t i = 0; i < a->n; i++)
		put_case(out, a, i);
	tm_buf_str(out, "  </testsuite>\n</testsuites>\n");
	return !out->failed;
}

const struct tm_check_format tm_check_junit = {
	.name = "junit",
	.about = "JUnit XML, a test case for each rule",
	.render = render,
};
