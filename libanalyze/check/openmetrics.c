/* SPDX-License-Identifier: MIT
 * OpenMetrics: the values, for GitLab's metrics report and for Prometheus. */
#include "check/answer.h"
#include "render/render.h"

#include <string.h>

static void put_label(struct buf *out, const char *name, const char *s, size_t n)
{
	struct buf visible = { 0 };

	render_visible(&visible, s, n, true);
	buf_fmt(out, "%s=\"", name);
	for (size_t i = 0; i < visible.n; i++) {
		if (visible.p[i] == '"' || visible.p[i] == '\\')
			buf_chr(out, '\\');
		buf_chr(out, visible.p[i]);
	}
	buf_chr(out, '"');
	out->failed |= visible.failed;
	buf_fini(&visible);
}

static void put_labels(struct buf *out, const struct check_answer *a, size_t i)
{
	struct buf id = { 0 };

	check_put_id(&id, a, i);
	buf_chr(out, '{');
	put_label(out, "rule", id.p ? id.p : "", id.n);
	buf_chr(out, '}');
	out->failed |= id.failed;
	buf_fini(&id);
}

static bool render(struct buf *out, const struct check_answer *a, const struct check_look *look)
{
	(void)look;
	buf_str(out, "# TYPE tracecheck_value gauge\n"
	             "# HELP tracecheck_value The value in the unit of the rule.\n");
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].value.n) {
			buf_str(out, "tracecheck_value");
			put_labels(out, a, i);
			buf_fmt(out, " %s\n", a->v[i].value.p);
		}
	buf_str(out, "# TYPE tracecheck_holds gauge\n"
	             "# HELP tracecheck_holds 1 where the rule holds.\n");
	for (size_t i = 0; i < a->n; i++) {
		buf_str(out, "tracecheck_holds");
		put_labels(out, a, i);
		buf_fmt(out, " %d\n", a->v[i].verdict == CHECK_PASS);
	}
	buf_fmt(out,
	        "# TYPE tracecheck_status gauge\n"
	        "# HELP tracecheck_status 0 pass, 1 fail, 2 inconclusive.\n"
	        "tracecheck_status %d\n# EOF\n",
	        check_status(a));
	return !out->failed;
}

const struct check_format check_openmetrics = {
	.name = "openmetrics",
	.about = "OpenMetrics text, the values",
	.render = render,
};
