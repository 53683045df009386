/* SPDX-License-Identifier: MIT
 * Drawing with characters: heights and lengths. */
#ifndef TM_RENDER_CHART_H
#define TM_RENDER_CHART_H

#include "model/model.h"
#include "render/palette.h"

#include <stdbool.h>
#include <stdint.h>

/* The height of a column: 0 .. TM_LEVELS.  0 only if `part` is 0, and TM_LEVELS only if it is all
 * of `whole`, so that even a small part, or a small rest, shows. */
enum { TM_LEVELS = 8 };
unsigned tm_level(uint64_t part, uint64_t whole);

/* Append a column of that height: a block, or one of " .:-=+*%#". */
void tm_put_level(struct tm_buf *b, unsigned level, bool utf8);

/* Label and color of a part of the time; tm_part_of returns NULL if the column is none. */
struct tm_part {
	const char *column, *label;
	const char *family; /* of palette.def; NULL = none */
};
const struct tm_part *tm_part_of(const char *column);

#endif
