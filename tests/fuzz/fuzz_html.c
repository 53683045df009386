/* SPDX-License-Identifier: MIT
 * Text of a page: whatever bytes a name has, what comes out is text of an element, of an attribute
 * and of a script, UTF-8 without control characters, and the same name can be told from it. */
#include "html/html.h"
#include "render/render.h"

#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAW(cond)                                                                                  \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "%s:%d: broken law: %s\n", __FILE__, __LINE__, #cond);     \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

static struct tm_buf out, plain, seen;

/* Entities are read back; any other use of what they stand for is a way out of the text. */
static void undo(void)
{
	static const char *const entity[][2] = { { "&amp;", "&" },
		                                 { "&lt;", "<" },
		                                 { "&gt;", ">" },
		                                 { "&quot;", "\"" },
		                                 { "&#39;", "'" } };
	enum { ENTITIES = sizeof entity / sizeof *entity };

	tm_buf_clear(&plain);
	for (size_t i = 0; i < out.n;) {
		size_t e = 0;

		LAW((unsigned char)out.p[i] >= ' ' && out.p[i] != 0x7f);
		if (!strchr("&<>\"'", out.p[i])) {
			tm_buf_chr(&plain, out.p[i++]);
			continue;
		}
		while (e < ENTITIES && strncmp(out.p + i, entity[e][0], strlen(entity[e][0])) != 0)
			e++;
		LAW(e < ENTITIES);
		tm_buf_str(&plain, entity[e][1]);
		i += strlen(entity[e][0]);
	}
}

static void element(const char *s, size_t n)
{
	tm_buf_clear(&out);
	LAW(tm_buf_str(&out, "") && tm_html_text(&out, s, n));
	undo();
	/* What a terminal would see, which has an oracle of its own. */
	tm_buf_clear(&seen);
	LAW(tm_buf_str(&seen, "") && tm_render_visible(&seen, s, n, true));
	LAW(seen.n == plain.n && !memcmp(seen.p, plain.p ? plain.p : "", seen.n));
}

static void script(const char *s, size_t n)
{
	size_t at = 0;

	tm_buf_clear(&plain);
	tm_buf_clear(&out);
	LAW(tm_row_text_json(&plain, s, n));
	LAW(tm_html_json(&out, plain.p, plain.n));
	for (size_t i = 0; i < out.n; at++) {
		unsigned code;

		LAW(at < plain.n && !strchr("<>&", out.p[i]));
		if (out.p[i] == plain.p[at]) {
			i++;
			continue;
		}
		LAW(sscanf(out.p + i, "\\u%4x", &code) == 1 && code == (unsigned)plain.p[at]);
		i += 6;
	}
	LAW(at == plain.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	element((const char *)data, n);
	script((const char *)data, n);
	return 0;
}
