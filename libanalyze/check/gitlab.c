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

static void put_issue(struct buf *out, const struct check_answer *a, size_t i)
{
	const struct check_result *r = &a->v[i];
	const char *path = r->rule && r->rule->line ? r->rule->origin : "tracecheck";
	struct buf text = { 0 }, id = { 0 };

	check_put_id(&id, a, i);
	buf_fmt(&text, "%s: ", r->rule ? r->rule->text : r->ref);
	check_put_message(&text, r);
	buf_str(out, "{\"description\":");
	row_text_json(out, text.p ? text.p : "", text.n);
	buf_fmt(out, ",\"check_name\":\"tracecheck-%s\",\"fingerprint\":\"%016" PRIx64 "\"",
	        check_verdict_words[r->verdict], fingerprint(id.p ? id.p : "", id.n));
	buf_fmt(out, ",\"severity\":\"%s\",\"location\":{\"path\":",
	        r->verdict == CHECK_FAIL ? "major" : "critical");
	row_text_json(out, path, strlen(path));
	buf_fmt(out, ",\"lines\":{\"begin\":%" PRIu64 "}}}",
	        r->rule && r->rule->line ? r->rule->line : 1);
	out->failed |= text.failed || id.failed;
	buf_fini(&text);
	buf_fini(&id);
}

static bool render(struct buf *out, const struct check_answer *a, const struct check_look *look)
{
	const char *between = "\n";

	(void)look;
	buf_chr(out, '[');
	for (size_t i = 0; i < a->n; i++) {
		if (a->v[i].verdict == CHECK_PASS)
			continue;
		buf_str(out, between);
		put_issue(out, a, i);
		between = ",\n";
	}
	buf_str(out, *between == ',' ? "\n]\n" : "]\n");
	return !out->failed;
}

const struct check_format check_gitlab = {
	.name = "gitlab",
	.about = "code quality report of GitLab",
	.render = render,
};
