/* SPDX-License-Identifier: MIT */
#include "render/palette.h"

#include "render/render_parts.h"

#include <string.h>

#define FAMILY(id, light, dark, salt) HUE_##id,
enum {
#include "schemas/palette.def"
};
#undef FAMILY

#define FAMILY(id, light, dark, salt) [HUE_##id] = { #id, #id " #" #salt, light, dark },
const struct tm_hue tm_hues[] = {
#include "schemas/palette.def"
	{ NULL, NULL, 0, 0 },
};
#undef FAMILY

#define MEMBER(class_name, family) { class_name, HUE_##family },
static const struct {
	const char *class_name;
	int family;
} members[] = {
#include "schemas/palette.def"
};
#undef MEMBER

static bool is(const char *word, const char *s, size_t n)
{
	return strlen(word) == n && !memcmp(word, s, n);
}

const struct tm_hue *tm_hue_of(const char *s, size_t n)
{
	for (const struct tm_hue *h = tm_hues; h->name; h++)
		if (is(h->name, s, n))
			return h;
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (is(members[i].class_name, s, n))
			return &tm_hues[members[i].family];
	return &tm_hues[HUE_other];
}

/* Square of the distance as an eye sees it, roughly: it tells greens better than reds than blues.
 */
static unsigned apart(uint32_t a, uint32_t b)
{
	int red = (int)(a >> 16 & 255) - (int)(b >> 16 & 255);
	int green = (int)(a >> 8 & 255) - (int)(b >> 8 & 255);
	int blue = (int)(a & 255) - (int)(b & 255);

	return (unsigned)(3 * red * red + 4 * green * green + 2 * blue * blue);
}

/* Color n of the 256: a cube of 6 x 6 x 6, then 24 grays. */
static uint32_t of_256(unsigned n)
{
	static const unsigned level[] = { 0, 95, 135, 175, 215, 255 };
	unsigned cube = n - 16, gray = 8 + (n - 232) * 10;

	if (n >= 232)
		return gray << 16 | gray << 8 | gray;
	return level[cube / 36] << 16 | level[cube / 6 % 6] << 8 | level[cube % 6];
}

unsigned tm_color_256(uint32_t rgb)
{
	unsigned best = 16;

	for (unsigned n = 17; n < 256; n++)
		if (apart(rgb, of_256(n)) < apart(rgb, of_256(best)))
			best = n;
	return best;
}

unsigned tm_color_16(uint32_t rgb)
{
	/* As xterm has them; black and white are left out: one of them is the background. */
	static const struct {
		unsigned code;
		uint32_t rgb;
	} have[] = {
		{ 90, 0x7f7f7f }, { 31, 0xcd0000 }, { 32, 0x00cd00 }, { 33, 0xcdcd00 },
		{ 34, 0x0000ee }, { 35, 0xcd00cd }, { 36, 0x00cdcd }, { 91, 0xff0000 },
		{ 92, 0x00ff00 }, { 93, 0xffff00 }, { 94, 0x5c5cff }, { 95, 0xff00ff },
		{ 96, 0x00ffff },
	};
	size_t best = 0;

	for (size_t i = 1; i < sizeof have / sizeof *have; i++)
		if (apart(rgb, have[i].rgb) < apart(rgb, have[best].rgb))
			best = i;
	return have[best].code;
}

void tm_hue_begin(struct tm_buf *b, const struct tm_hue *h, enum tm_color color, bool light)
{
	uint32_t rgb = light ? h->light : h->dark;

	if (color == TM_COLOR_256)
		tm_buf_fmt(b, "\033[38;5;%um", tm_color_256(rgb));
	else if (color == TM_COLOR_16)
		tm_buf_fmt(b, "\033[%um", tm_color_16(rgb));
}

void tm_hue_end(struct tm_buf *b, enum tm_color color)
{
	if (color != TM_COLOR_NONE)
		tm_buf_str(b, "\033[39m");
}

const char *tm_color_of_word(const char *column, const struct tm_cell *c)
{
	static const struct {
		const char *column, *word, *begin;
	} words[] = {
		{ "verdict", "missed", "\033[31m" },  { "verdict", "met", "\033[32m" },
		{ "severity", "trust", "\033[35m" },  { "severity", "high", "\033[31m" },
		{ "severity", "medium", "\033[33m" },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(words[i].column, column) && is(words[i].word, c->v.s, c->len))
			return words[i].begin;
	return NULL;
}
