/* SPDX-License-Identifier: MIT */
#include "render/render_parts.h"

#include <stdlib.h>
#include <string.h>

#define MODE(id) &tm_render_##id,
const struct tm_render_mode *const tm_render_modes[] = {
#include "render/modes.def"
	NULL,
};
#undef MODE

const struct tm_render_mode *tm_render_find(const char *name)
{
	for (size_t i = 0; tm_render_modes[i]; i++)
		if (strcmp(tm_render_modes[i]->name, name) == 0)
			return tm_render_modes[i];
	return NULL;
}

static bool column_absent(const struct tm_table *t, size_t col)
{
	for (size_t r = 0; r < t->nrows; r++)
		if (t->cells[r * t->ncols + col].type != TM_CELL_NONE)
			return false;
	return true;
}

size_t *tm_shown_columns(const struct tm_table *t, bool all, size_t *n)
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
