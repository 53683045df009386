/* SPDX-License-Identifier: MIT
 * The code quality report of GitLab: an issue for each rule that does not hold. */
#include "check/answer.h"
#include "render/render.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The same for the same rule in every run, whatever its value: FNV-1a. */
static uint64_t fingerprint(const char *s, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	return h;
}

static void put_issue(struct tm_buf *out, const struct tm_check_answer *a, size_t i)
{
	const struct tm_check_result *r = &a->v[i];
	const char *path = r->rule && r->rule->line ? r->rule->origin : "tracecheck";
	struct tm_buf text = { 0 }, id = { 0 };

	tm_check_put_id(&id, a, i);
	tm_buf_fmt(&text, "%s: ", r->rule ? r->rule->text : r->ref);
	tm_check_put_message(&text, r);
	tm_buf_str(out, "{\"description\":");
	tm_row_text_json(out, text.p ? text.p : "", text.n);
	tm_buf_fmt(out, ",\"check_name\":\"tracecheck-%s\",\"fingerprint\":\"%016" PRIx64 "\"",
	           tm_check_verdict_words[r->verdict], fingerprint(id.p ? id.p : "", id.n));
	tm_buf_fmt(out, ",\"severity\":\"%s\",\"location\":{\"path\":",
	           r->verdict == TM_CHECK_FAIL ? "major" : "critical");
	tm_row_text_json(out, path, strlen(path));
	tm_buf_fmt(out, ",\"lines\":{\"begin\":%" PRIu64 "}}}",
	           r->rule && r->rule->line ? r->rule->line : 1);
	out->failed |= text.failed || id.failed;
	tm_buf_fini(&text);
	tm_buf_fini(&id);
}

static bool render(struct tm_buf *out, const struct tm_check_answer *a,
                   const struct tm_check_look *look)
{
	const char *between = "\n";

	(void)look;
	tm_buf_chr(out, '[');
	for (size_t i = 0; i < a->n; i++) {
		if (a->v[i].verdict == TM_CHECK_PASS)
			continue;
		tm_buf_str(out, between);
		put_issue(out, a, i);
		between = ",\n";
	}
	tm_buf_str(out, *between == ',' ? "\n]\n" : "]\n");
	return !out->failed;
}

const struct tm_check_format tm_check_gitlab = {
	.name = "gitlab",
	.about = "code quality report of GitLab",
	.render = render,
};
