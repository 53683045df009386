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
	struct buf out = { 0 };
	bool made = option_help(&out, page);

	return put_page(c, &out, made);
}

int put_completion(const struct common *c, const struct complete_spec *spec)
{
	struct buf out = { 0 };
	bool made = complete_render(&out, c->completion, spec);

	return put_page(c, &out, made);
}
