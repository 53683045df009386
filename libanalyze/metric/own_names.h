/* SPDX-License-Identifier: MIT
 * The names by which kernels of many pieces are grouped: each name is shortened to the chosen level
 * only once. */
#ifndef TM_METRIC_OWN_NAMES_H
#define TM_METRIC_OWN_NAMES_H

#include "base/base.h"
#include "model/model.h"

#include <stddef.h>
#include <stdint.h>

/* {0} is valid. */
struct own_names {
	struct tm_names names;
	/* of the piece being read: id in its names -> id in `names`, + 1 */
	uint32_t *norm;
	size_t nknown, cap;
	struct tm_buf text;
};

/* Another piece, which has names of its own, begins. */
void tm_own_names_piece(struct own_names *n);

/* The id in n->names of name `id` of the piece; TM_NAME_NONE when out of memory. */
uint32_t tm_own_names_of(struct own_names *n, const struct tm_names *names, uint32_t id,
                         enum tm_name_level level);

/* Free it; {0} again. */
void tm_own_names_fini(struct own_names *n);

#endif
