/* SPDX-License-Identifier: MIT */
#include "html/escape.h"

#include "render/render.h"

#include <string.h>

static const char *entity_of(char c)
{
	return c == '\'' ? "&#39;" : tm_row_entity(c);
}

bool tm_html_text(struct tm_buf *b, const char *s, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		const char *entity = entity_of(s[i]);

		for (end = i; end < n && !entity_of(s[end]); end++)
			continue;
		if (entity) {
			tm_buf_str(b, entity);
			end = i + 1;
		} else {
			tm_render_visible(b, s + i, end - i, true);
		}
	}
	return !b->failed;
}

bool tm_html_str(struct tm_buf *b, const char *s)
{
	return tm_html_text(b, s, strlen(s));
}

/* Not a name that happens to begin as one and would be wider than the page. */
static bool is_option(const char *s, size_t n)
{
	enum { MOST = 40 };

	return n > 1 && n <= MOST && s[0] == '-' && (s[1] == '-' || (s[1] >= 'a' && s[1] <= 'z'));
}

bool tm_html_prose(struct tm_buf *b, const char *s, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		const size_t from = i + (s[i] == '(');
		bool option;

		for (end = i; end < n && s[end] != ' '; end++)
			continue;
		option = is_option(s + from, end - from);
		tm_buf_str(b, option ? "<span class=\"o\">" : "");
		tm_html_text(b, s + i, end - i);
		tm_buf_str(b, option ? "</span>" : "");
		for (; end < n && s[end] == ' '; end++) {
			const bool joins = (end + 1 < n && s[end + 1] == '%') ||
			                   (end && strchr("<>=", s[end - 1]));

			tm_buf_str(b, joins ? "&nbsp;" : " ");
		}
	}
	return !b->failed;
}

bool tm_html_cut(struct tm_buf *b, const char *s, size_t n, size_t limit)
{
	struct tm_buf all = { 0 }, cut = { 0 };

	tm_render_visible(&all, s, n, true);
	tm_render_cut(&cut, all.p ? all.p : "", all.n, limit, true);
	tm_html_text(b, cut.p ? cut.p : "", cut.n);
	b->failed |= all.failed || cut.failed;
	tm_buf_fini(&all);
	tm_buf_fini(&cut);
	return !b->failed;
}

bool tm_html_json(struct tm_buf *b, const char *s, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && s[end] != '<' && s[end] != '>' && s[end] != '&'; end++)
			continue;
		tm_buf_add(b, s + i, end - i);
		if (end < n)
			tm_buf_fmt(b, "\\u%04x", (unsigned)s[end++]);
	}
	return !b->failed;
}
