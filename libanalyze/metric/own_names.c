/* SPDX-License-Identifier: MIT */
#include "metric/own_names.h"

#include <stdlib.h>
#include <string.h>

void tm_own_names_piece(struct own_names *n)
{
	n->nknown = 0;
}

uint32_t tm_own_names_of(struct own_names *n, const struct tm_names *names, uint32_t id,
                         enum tm_name_level level)
{
	if (!tm_grow_known(&n->norm, &n->nknown, &n->cap, names->n, sizeof *n->norm))
		return TM_NAME_NONE;
	if (!n->norm[id]) {
		uint32_t own = TM_NAME_NONE;

		tm_buf_clear(&n->text);
		if (tm_kernel_name(&n->text, names->v[id].text, names->v[id].len, level))
			own = tm_names_add(&n->names, n->text.p ? n->text.p : "", n->text.n);
		if (own == TM_NAME_NONE)
			return own;
		n->norm[id] = own + 1;
	}
	return n->norm[id] - 1;
}

void tm_own_names_fini(struct own_names *n)
{
	tm_names_fini(&n->names);
	free(n->norm);
	tm_buf_fini(&n->text);
	*n = (struct own_names) { 0 };
}
