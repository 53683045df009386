/* SPDX-License-Identifier: MIT
 * Kernel names come from files anybody may have written: which of their bytes are characters, and
 * which of those may be shown. */
#include "render/render_parts.h"

#include <stdio.h>
#include <string.h>

size_t tm_utf8_get(const char *s, size_t n, uint32_t *cp)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char c = (unsigned char)s[0];
	uint32_t v;
	size_t len;

	if (c < 0x80) {
		*cp = c;
		return 1;
	}
	if (c < 0xc2 || c > 0xf4) /* a tail byte, always overlong, or always too large */
		return 0;
	len = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (len > n)
		return 0;
	v = c & (0x7fU >> len);
	for (size_t i = 1; i < len; i++) {
		c = (unsigned char)s[i];
		if ((c & 0xc0) != 0x80)
			return 0;
		v = v << 6 | (c & 0x3f);
	}
	if (v < least[len] || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff))
		return 0;
	*cp = v;
	return len;
}

bool tm_cp_unsafe(uint32_t cp)
{
	static const struct {
		uint32_t from, to;
	} bad[] = {
		{ 0x0, 0x1f },      { 0x7f, 0x9f },       /* C0, DEL, C1 */
		{ 0xad, 0xad },     { 0x61c, 0x61c },     /* soft hyphen, arabic letter mark */
		{ 0x180e, 0x180e }, { 0x200b, 0x200f },   /* zero width, direction marks */
		{ 0x2028, 0x202e }, { 0x2060, 0x206f },   /* separators, bidi overrides */
		{ 0xfeff, 0xfeff }, { 0xfff9, 0xfffb },   /* byte order mark, annotations */
		{ 0xfffe, 0xffff }, { 0xe0000, 0xe007f }, /* no characters, tags */
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad && cp >= bad[i].from; i++)
		if (cp <= bad[i].to)
			return true;
	return false;
}

size_t tm_glyph_get(struct glyph *g, const char *s, size_t n, bool utf8)
{
	uint32_t cp = 0;
	size_t len = tm_utf8_get(s, n, &cp);
	int w;

	g->escape = !len || tm_cp_unsafe(cp) || (cp >= 0x80 && !utf8);
	if (!g->escape) {
		memcpy(g->s, s, len);
		g->n = len;
		return len;
	}
	if (!len)
		w = snprintf(g->s, sizeof g->s, "\\x%02x", (unsigned)(unsigned char)s[0]);
	else if (cp == '\n' || cp == '\r' || cp == '\t')
		w = snprintf(g->s, sizeof g->s, "\\%c", cp == '\n' ? 'n' : cp == '\r' ? 'r' : 't');
	else if (cp < 0x80)
		w = snprintf(g->s, sizeof g->s, "\\x%02x", (unsigned)cp);
	else
		w = snprintf(g->s, sizeof g->s, cp < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)cp);
	g->n = (size_t)w;
	return len ? len : 1;
}

bool tm_put_clean(struct tm_buf *b, const char *s, size_t n, bool utf8)
{
	struct glyph g;

	for (size_t i = 0; i < n;) {
		size_t from = i;

		while (i < n && s[i] >= ' ' && s[i] < 0x7f)
			i++;
		if (i > from)
			tm_buf_add(b, s + from, i - from);
		if (i < n) {
			i += tm_glyph_get(&g, s + i, n - i, utf8);
			tm_buf_add(b, g.s, g.n);
		}
	}
	return !b->failed;
}

size_t tm_render_width(const char *s, size_t n)
{
	return tm_text_width(s, n);
}

size_t tm_render_fit(const char *s, size_t n, size_t limit)
{
	size_t i = 0, width = 0, w, len;

	while (i < n && (len = tm_char_width(s + i, n - i, &w), width + w <= limit)) {
		width += w;
		i += len;
	}
	return i;
}

bool tm_render_visible(struct tm_buf *b, const char *s, size_t n, bool utf8)
{
	return tm_put_clean(b, s, n, utf8);
}

/* Does a unit, which belongs to its number, begin here? */
static bool is_unit(const char *s, size_t n)
{
	static const char *const units[] = { "%", "ns", "us",  "ms",  "s",    "min",
		                             "h", "B",  "KiB", "MiB", "GiB",  "TiB",
		                             "W", "J",  "MHz", "GHz", "GB/s", "TFLOP/s" };

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		const size_t len = strlen(units[i]);

		if (len <= n && !memcmp(s, units[i], len) && (len == n || strchr(" ,;:.)", s[len])))
			return true;
	}
	return false;
}

/* Is what follows s[i], a blank after one word, the value of that option, "--pmc NAMES"? */
static bool is_value(const char *s, size_t n, size_t i)
{
	return i > 2 && !memcmp(s, "--", 2) && !memchr(s, ' ', i) && !strchr(",;:.)", s[i - 1]) &&
	       i + 1 < n && s[i + 1] != '-';
}

/* Is s[i], a blank, behind a comparison, "< 10"? */
static bool is_compared(const char *s, size_t i)
{
	size_t n = i;

	while (n && s[n - 1] && strchr("<>=!", s[n - 1]))
		n--;
	return n < i && (!n || s[n - 1] == ' ');
}

/* Bytes up to the blank where a line may end: not within a number with its unit, nor between an
 * option and its value, nor behind a comparison. */
static size_t word_of(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n &&
	       (s[i] != ' ' || is_value(s, n, i) || is_compared(s, i) ||
	        (i && s[i - 1] >= '0' && s[i - 1] <= '9' && is_unit(s + i + 1, n - i - 1))))
		i++;
	return i;
}

bool tm_render_wrap(struct tm_buf *b, const char *s, size_t n, size_t width, size_t indent)
{
	size_t used = 0; /* columns of the line */
	bool begun = false;

	for (; n && *s == ' '; s++, n--, used++)
		tm_buf_chr(b, ' ');
	while (n) {
		const size_t word = word_of(s, n), w = tm_text_width(s, word);

		if (begun && width && used + 1 + w > width && word) {
			while (b->n && b->p[b->n - 1] == ' ')
				b->n--;
			tm_buf_fmt(b, "\n%*s", (int)indent, "");
			used = indent;
		} else if (begun) {
			tm_buf_chr(b, ' ');
			used++;
		}
		tm_buf_add(b, s, word);
		begun = true;
		used += w;
		s += word + (word < n);
		n -= word + (word < n);
	}
	return !b->failed;
}

/* Columns of a code point.  Marks of scripts that no kernel is named in count as letters. */
static size_t cp_width(uint32_t cp)
{
	static const struct {
		uint32_t from, to;
		unsigned char width;
	} odd[] = {
		{ 0x300, 0x36f, 0 },     { 0x1100, 0x115f, 2 },   { 0x1ab0, 0x1aff, 0 },
		{ 0x1dc0, 0x1dff, 0 },   { 0x20d0, 0x20ff, 0 },   { 0x2e80, 0x303e, 2 },
		{ 0x3041, 0x4dbf, 2 },   { 0x4e00, 0xa4cf, 2 },   { 0xa960, 0xa97f, 2 },
		{ 0xac00, 0xd7a3, 2 },   { 0xf900, 0xfaff, 2 },   { 0xfe00, 0xfe0f, 0 },
		{ 0xfe20, 0xfe2f, 0 },   { 0xfe30, 0xfe6f, 2 },   { 0xff01, 0xff60, 2 },
		{ 0xffe0, 0xffe6, 2 },   { 0x1f300, 0x1f64f, 2 }, { 0x1f680, 0x1f6ff, 2 },
		{ 0x1f900, 0x1f9ff, 2 }, { 0x1fa70, 0x1faff, 2 }, { 0x20000, 0x3fffd, 2 },
		{ 0xe0100, 0xe01ef, 0 },
	};

	for (size_t i = 0; i < sizeof odd / sizeof *odd && cp >= odd[i].from; i++)
		if (cp <= odd[i].to)
			return odd[i].width;
	return 1;
}

size_t tm_char_width(const char *s, size_t n, size_t *columns)
{
	uint32_t cp = 0;
	size_t len = tm_utf8_get(s, n, &cp);

	*columns = len ? cp_width(cp) : 1;
	return len ? len : 1;
}

size_t tm_text_width(const char *s, size_t n)
{
	size_t width = 0, w;

	for (size_t i = 0; i < n; width += w)
		if ((unsigned char)s[i] < 0x80) {
			i++;
			w = 1;
		} else {
			i += tm_char_width(s + i, n - i, &w);
		}
	return width;
}
