/* SPDX-License-Identifier: MIT
 * Files that rocprof v1 puts together from those of single processes. */
#include "cli/operands/inputs_parts.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* One more file of a single process, of which `path` is put together; false when out of memory. */
static bool add_part(struct wholes *w, const char *path, size_t len, uint64_t size)
{
	uint32_t had = w->paths.n, id;

	if (!tm_grow_array(&w->v, &w->cap, had + (size_t)1, sizeof *w->v))
		return false;
	id = tm_names_add(&w->paths, path, len);
	if (id == TM_NAME_NONE)
		return false;
	if (w->paths.n > had)
		w->v[id] = (struct whole) { 0 };
	w->v[id].parts++;
	w->v[id].bytes += size;
	return true;
}

bool tm_wholes_find(struct wholes *w, const struct tm_walk *walk)
{
	struct tm_buf path = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < walk->n; i++) {
		const char *p = walk->v[i].path, *slash = strrchr(p, '/'),
		           *whole = tm_whole_of_part(p);

		if (!whole)
			continue;
		tm_buf_clear(&path);
		ok = tm_buf_add(&path, p, slash ? (size_t)(slash + 1 - p) : 0) &&
		     tm_buf_str(&path, whole) && add_part(w, path.p, path.n, walk->v[i].size);
	}
	tm_buf_fini(&path);
	return ok;
}

bool tm_wholes_has(const struct wholes *w, const struct tm_walk_file *f, struct tm_report *rep)
{
	uint32_t id = tm_names_find(&w->paths, f->path, strlen(f->path));
	const struct whole *v = id == TM_NAME_NONE ? NULL : &w->v[id];

	if (!v)
		return false;
	if (v->bytes != f->size)
		tm_report_add(rep, TM_SEV_ERROR, f->path, 0,
		              "not read: %zu per-process files are next to it, but it is not their "
		              "concatenation; give either this file or those",
		              v->parts);
	else if (v->bytes)
		tm_report_add(rep, TM_SEV_NOTE, f->path, 0,
		              "merged from the %zu per-process files next to it; counted once",
		              v->parts);
	return true;
}

void tm_wholes_fini(struct wholes *w)
{
	tm_names_fini(&w->paths);
	free(w->v);
}
