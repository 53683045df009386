/* SPDX-License-Identifier: MIT
 * Colors of kernel classes: schemas/palette.def, and the nearest that a terminal has. */
#ifndef TM_RENDER_PALETTE_H
#define TM_RENDER_PALETTE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A family of classes that are drawn alike. */
struct tm_hue {
	const char *name;
	const char *perfetto; /* a text of which Perfetto makes a color like it */
	uint32_t light, dark; /* on a light and on a dark background: 0xRRGGBB */
};

/* How many colors a terminal has. */
enum tm_color { TM_COLOR_NONE, TM_COLOR_16, TM_COLOR_256 };

/* All families, ending with name NULL. */
extern const struct tm_hue tm_hues[];

/* The family of a class, s[0..n); for a class defined by the user, that of unknown kernels. */
const struct tm_hue *tm_hue_of(const char *s, size_t n);

/* The nearest of the 240 fixed colors of a terminal with 256: 16 .. 255. */
unsigned tm_color_256(uint32_t rgb);

/* The nearest of the bright and dark colors of a terminal with 16, by ECMA-48 number: 31 .. 36 and
 * 91 .. 96 for colors, 90 for gray. */
unsigned tm_color_16(uint32_t rgb);

/* Append the sequence that switches to this color; nothing for TM_COLOR_NONE. */
void tm_hue_begin(struct tm_buf *b, const struct tm_hue *h, enum tm_color color, bool light);

/* Append the sequence that switches back; nothing for TM_COLOR_NONE. */
void tm_hue_end(struct tm_buf *b, enum tm_color color);

#endif
