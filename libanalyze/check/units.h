/* SPDX-License-Identifier: MIT
 * Units as suffixes of column names (avg_us) and after numbers (30 us). */
#ifndef TM_CHECK_UNITS_H
#define TM_CHECK_UNITS_H

#include "check/decimal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Units of a family can be converted into each other. */
enum tm_family {
	TM_FAMILY_NONE,
	TM_FAMILY_TIME,
	TM_FAMILY_BYTES,
	TM_FAMILY_PCT,
	TM_FAMILY_POWER,
	TM_FAMILY_ENERGY
};

struct tm_check_unit {
	const char *word; /* "us" */
	const char *sign; /* as people write it: "us", "%", "KiB" */
	enum tm_family family;
	uint64_t factor;     /* so many of the smallest unit of its family */
	const char *inverse; /* 1 / factor as a decimal; NULL: it has none, no column is in it */
};

/* The unit that the name of a column ends with: "us" of "avg_us" and of "us".  *stem = bytes of the
 * name before it, its underscore included.  NULL: no unit that can be converted ("gb_per_s"). */
const struct tm_check_unit *tm_unit_of_column(const char *name, size_t *stem);

/* The unit of that word or sign, in any case of its letters; NULL = there is none. */
const struct tm_check_unit *tm_unit_of_word(const char *word, size_t n);

/* *r = x in the smallest unit of the family, x being in u, and back; u NULL: a copy.  *r is empty.
 * False when out of memory. */
bool tm_unit_to_base(struct tm_decimal *r, const struct tm_decimal *x,
                     const struct tm_check_unit *u);
bool tm_unit_from_base(struct tm_decimal *r, const struct tm_decimal *x,
                       const struct tm_check_unit *u);

/* Are two names of columns the same but for their units? */
bool tm_unit_same_column(const char *a, const char *b);

#endif
