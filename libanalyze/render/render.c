/* SPDX-License-Identifier: MIT */
#include "render/render_parts.h"

#include <stdlib.h>
#include <string.h>

#define MODE(id) &render_##id,
const struct render_mode *const render_modes[] = {
#include "render/modes.def"
	NULL,
};
#undef MODE

const struct render_mode *render_find(const char *name)
{
	for (size_t i = 0; render_modes[i]; i++)
		if (strcmp(render_modes[i]->name, name) == 0)
			return render_modes[i];
	return NULL;
}

static bool column_absent(const struct table *t, size_t col)
{
	for (size_t r = 0; r < t->nrows; r++)
		if (t->cells[r * t->ncols + col].type != CELL_NONE)
			return false;
	return true;
}

size_t *shown_columns(const struct table *t, bool all, size_t *n)
{
	size_t *v;

	if (t->ncols >= SIZE_MAX / sizeof *v)
		return NULL;
	v = malloc((t->ncols + 1) * sizeof *v);
	if (!v)
		return NULL;
	*n = 0;
	for (size_t i = 0; i < t->ncols; i++)
		if (!t->nrows || (!column_absent(t, i) && (all || !t->columns[i]->machine)))
			v[(*n)++] = i;
	if (!*n)
		for (size_t i = 0; i < t->ncols; i++)
			v[(*n)++] = i;
	return v;
}
