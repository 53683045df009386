/* SPDX-License-Identifier: MIT */
#include "cli/pages.h"

static int put_page(const struct common *c, struct buf *out, bool made)
{
	int status;

	out->failed |= !made;
	status = put_output(c, out);
	buf_fini(out);
	return status;
}

int put_help(const struct common *c, const struct option_page *page)
{
	struct option_page shown = *page;
	struct buf out = { 0 }, more = { 0 };
	bool made;

	buf_fmt(&more, "'%s%s%s --help' lists all options.\n", c->tool, c->table ? " " : "",
	        c->table ? c->table : "");
	shown.more = c->brief && more.p ? more.p : NULL;
	made = option_help(&out, &shown) && !more.failed;
	buf_fini(&more);
	return put_page(c, &out, made);
}

int put_completion(const struct common *c, const struct complete_spec *spec)
{
	struct buf out = { 0 };
	bool made = complete_render(&out, c->completion, spec);

	return put_page(c, &out, made);
}
