/* SPDX-License-Identifier: MIT */
#include "render/palette.h"

#include "render/render_parts.h"

#include <string.h>

enum { NEARLY_GRAY = 32 }; /* of 255, between the weakest and the strongest of red, green, blue */

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

/* The hue of a color, as strong and as light as it can be; 0 = it is nearly gray. */
static uint32_t hue_of(uint32_t rgb)
{
	const unsigned v[] = { rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255 };
	unsigned least = 255, most = 0;

	for (int i = 0; i < 3; i++) {
		least = v[i] < least ? v[i] : least;
		most = v[i] > most ? v[i] : most;
	}
	if (most - least < NEARLY_GRAY)
		return 0;
	most -= least;
	return (v[0] - least) * 255 / most << 16 | (v[1] - least) * 255 / most << 8 |
	       (v[2] - least) * 255 / most;
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
	const uint32_t hue = hue_of(rgb);
	size_t best = hue != 0;

	/* The nearest of all would be gray for most: what they have in common with these is hue. */
	for (size_t i = 1; hue && i < sizeof have / sizeof *have; i++) {
		const unsigned by = apart(hue, hue_of(have[i].rgb));
		const unsigned least = apart(hue, hue_of(have[best].rgb));

		if (by < least ||
		    (by == least && apart(rgb, have[i].rgb) < apart(rgb, have[best].rgb)))
			best = i;
	}
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
