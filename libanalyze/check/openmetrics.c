/* SPDX-License-Identifier: MIT
 * OpenMetrics: the values, for GitLab's metrics report and for Prometheus. */
#include "check/answer.h"
#include "render/render.h"

#include <string.h>

static void put_label(struct tm_buf *out, const char *name, const char *s, size_t n)
{
	struct tm_buf visible = { 0 };

	tm_render_visible(&visible, s, n, true);
	tm_buf_fmt(out, "%s=\"", name);
	for (size_t i = 0; i < visible.n; i++) {
		if (visible.p[i] == '"' || visible.p[i] == '\\')
			tm_buf_chr(out, '\\');
		tm_buf_chr(out, visible.p[i]);
	}
	tm_buf_chr(out, '"');
	out->failed |= visible.failed;
	tm_buf_fini(&visible);
}

static void put_labels(struct tm_buf *out, const struct tm_check_answer *a, size_t i)
{
	struct tm_buf id = { 0 };

	tm_check_put_id(&id, a, i);
	tm_buf_chr(out, '{');
	put_label(out, "rule", id.p ? id.p : "", id.n);
	tm_buf_chr(out, '}');
	out->failed |= id.failed;
	tm_buf_fini(&id);
}

static bool render(struct tm_buf *out, const struct tm_check_answer *a,
                   const struct tm_check_look *look)
{
	(void)look;
	tm_buf_str(out, "# TYPE tracecheck_value gauge\n"
	                "# HELP tracecheck_value The value in the unit of the rule.\n");
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].value.n) {
			tm_buf_str(out, "tracecheck_value");
			put_labels(out, a, i);
			tm_buf_fmt(out, " %s\n", a->v[i].value.p);
		}
	tm_buf_str(out, "# TYPE tracecheck_holds gauge\n"
	                "# HELP tracecheck_holds 1 where the rule holds.\n");
	for (size_t i = 0; i < a->n; i++) {
		tm_buf_str(out, "tracecheck_holds");
		put_labels(out, a, i);
		tm_buf_fmt(out, " %d\n", a->v[i].verdict == TM_CHECK_PASS);
	}
	tm_buf_fmt(out,
	           "# TYPE tracecheck_status gauge\n"
	           "# HELP tracecheck_status 0 pass, 1 fail, 2 inconclusive.\n"
	           "tracecheck_status %d\n# EOF\n",
	           tm_check_status(a));
	return !out->failed;
}

const struct tm_check_format tm_check_openmetrics = {
	.name = "openmetrics",
	.about = "OpenMetrics text, the values",
	.render = render,
};
