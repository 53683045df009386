/* SPDX-License-Identifier: MIT */
#include "render/render_parts.h"
#include "render/row.h"

const char *tm_row_entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>': /* so that ]]> is none */
		return "&gt;";
	case '"':
		return "&quot;";
	default:
		return NULL;
	}
}

static const char *entity_of(char c)
{
	switch (c) {
	case '\n':
		return "&#10;";
	case '\r':
		return "&#13;";
	case '\t':
		return "&#9;";
	default:
		return tm_row_entity(c);
	}
}

bool tm_row_text_xml(struct tm_buf *b, const char *s, size_t n)
{
	struct glyph g;

	for (size_t i = 0; i < n;) {
		const char *entity = entity_of(s[i]);

		if (entity) {
			tm_buf_str(b, entity);
			i++;
			continue;
		}
		i += tm_glyph_get(&g, s + i, n - i, true);
		tm_buf_add(b, g.s, g.n);
	}
	return !b->failed;
}
