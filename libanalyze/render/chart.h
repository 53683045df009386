/* SPDX-License-Identifier: MIT
 * Drawing with characters: how high, how long. */
#ifndef TM_RENDER_CHART_H
#define TM_RENDER_CHART_H

#include "model/model.h"
#include "render/palette.h"

#include <stdbool.h>
#include <stdint.h>

/* How high a column is drawn: 0 .. TM_LEVELS.  0 is nothing at all, and TM_LEVELS all of it:
 * however short what is there, or is missing, it shows. */
enum { TM_LEVELS = 8 };
unsigned tm_level(uint64_t part, uint64_t whole);

/* Append a column of that height: a block, or one of " .:-=+*%#". */
void tm_put_level(struct tm_buf *b, unsigned level, bool utf8);

/* What the parts of the time are called and drawn in; NULL = the column is none. */
struct tm_part {
	const char *column, *label;
	const char *family; /* of palette.def; NULL = none */
};
const struct tm_part *tm_part_of(const char *column);

#endif
