/* SPDX-License-Identifier: MIT */
#include "runs/wholes.h"

#include <stdlib.h>
#include <string.h>

/* One more part of the file `whole`, in the directory of `path`. */
static bool add_part(struct tm_wholes *w, const char *path, const char *whole, uint64_t bytes)
{
	struct tm_buf b = { 0 };
	uint32_t had = w->paths.n, id = TM_NAME_NONE;

	if (tm_buf_add(&b, path, (size_t)(tm_path_base(path) - path)) && tm_buf_str(&b, whole) &&
	    tm_grow_array(&w->v, &w->cap, had + (size_t)1, sizeof *w->v))
		id = tm_names_add(&w->paths, b.p, b.n);
	tm_buf_fini(&b);
	if (id == TM_NAME_NONE)
		return false;
	if (w->paths.n > had)
		w->v[id] = (struct tm_wholes_one) { 0 };
	w->v[id].parts++;
	w->v[id].unknown |= bytes == UINT64_MAX;
	w->v[id].bytes += bytes;
	return true;
}

bool tm_wholes_add(struct tm_wholes *w, const char *path, uint64_t bytes)
{
	const char *whole = tm_whole_beside(path);
	uint32_t had = w->parts.n;

	if (!whole)
		return true;
	if (tm_names_add(&w->parts, path, strlen(path)) == TM_NAME_NONE)
		return false;
	return w->parts.n == had || add_part(w, path, whole, bytes);
}

bool tm_wholes_has(struct tm_wholes *w, const char *path, uint64_t bytes, struct tm_report *rep)
{
	uint32_t id = tm_names_find(&w->paths, path, strlen(path));
	struct tm_wholes_one *v = id == TM_NAME_NONE ? NULL : &w->v[id];

	if (!v || v->told)
		return v != NULL;
	v->told = true;
	if (!v->unknown && bytes != UINT64_MAX && v->bytes != bytes)
		tm_report_add(rep, TM_SEV_ERROR, path, 0,
		              "not read: %zu per-process file%s next to it, but it is not their "
		              "concatenation; give either this file or those",
		              v->parts, v->parts == 1 ? " is" : "s are");
	else if (bytes)
		tm_report_add(rep, TM_SEV_NOTE, path, 0,
		              "merged from the %zu per-process file%s next to it; counted once",
		              v->parts, v->parts == 1 ? "" : "s");
	return true;
}

void tm_wholes_fini(struct tm_wholes *w)
{
	tm_names_fini(&w->parts);
	tm_names_fini(&w->paths);
	free(w->v);
	*w = (struct tm_wholes) { 0 };
}
