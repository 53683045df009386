/* SPDX-License-Identifier: MIT */
#include "cli/operands/backups.h"

#include "base/base.h"
#include "cli/operands/look.h"

#include <stdlib.h>
#include <string.h>

static const char *const endings[] = {
	"~",     ".bak", ".orig",    ".old",        ".save",
	".part", ".tmp", ".partial", ".crdownload", ".download",
};

/* The name of the file that this one would be a backup of; n = 0: it is named as none. */
static const char *plain_name(const char *name, size_t *n)
{
	const size_t len = strlen(name);

	/* Emacs has "#name#" while the file is edited. */
	*n = len > 2 && *name == '#' && name[len - 1] == '#' ? len - 2 : 0;
	if (*n)
		return name + 1;
	for (size_t i = 0; i < sizeof endings / sizeof *endings && !*n; i++) {
		const size_t k = strlen(endings[i]);

		if (len > k && !strcmp(name + len - k, endings[i]))
			*n = len - k;
	}
	return name;
}

/* The path of that file, empty if it is named as none.  False when out of memory. */
static bool plain_path(const char *path, struct tm_buf *b)
{
	const char *name = tm_path_base(path), *plain;
	size_t n;

	tm_buf_clear(b);
	plain = plain_name(name, &n);
	return !n || (tm_buf_add(b, path, (size_t)(name - path)) && tm_buf_add(b, plain, n));
}

static int by_path(const void *pa, const void *pb)
{
	const struct tm_walk_file *const *a = pa, *const *b = pb;

	return strcmp((*a)->path, (*b)->path);
}

static int at_path(const void *path, const void *pf)
{
	const struct tm_walk_file *const *f = pf;

	return strcmp(path, (*f)->path);
}

/* All files with something in them: *n of them, in order; NULL when out of memory. */
static struct tm_walk_file **files_of(const struct tm_walk *w, size_t *n)
{
	struct tm_walk_file **v = malloc((w->n + 1) * sizeof *v);

	*n = 0;
	for (size_t i = 0; v && i < w->n; i++)
		if (w->v[i].size)
			v[(*n)++] = &w->v[i];
	if (v && *n)
		qsort(v, *n, sizeof *v, by_path);
	return v;
}

/* One that is named as a backup of that file: if this is a trace, too, and not what was written in
 * its place. */
static bool ignore(struct tm_walk_file *f, struct tm_walk_file *of, struct tm_report *rep)
{
	bool trace;

	if (!tm_look_trace(of, &trace))
		return false;
	if (!trace)
		return true;
	f->ignored = true;
	if (!tm_look_trace(f, &trace))
		return false;
	if (trace)
		tm_report_add(rep, TM_SEV_NOTE, f->path, 0,
		              "skipped: by its name a backup, or a part, of the file beside it");
	return true;
}

bool tm_backups_ignore(struct tm_walk *w, struct tm_report *rep)
{
	struct tm_buf b = { 0 };
	struct tm_walk_file **v = NULL, **of;
	bool ok = true;
	size_t n = 0;

	for (size_t i = 0; ok && i < w->n; i++) {
		struct tm_walk_file *f = &w->v[i];

		if (!f->in_dir || f->ignored)
			continue;
		ok = plain_path(f->path, &b);
		if (!ok || !b.n)
			continue;
		v = v ? v : files_of(w, &n);
		of = v ? bsearch(b.p, v, n, sizeof *v, at_path) : NULL;
		ok = v && (!of || ignore(f, *of, rep));
	}
	tm_buf_fini(&b);
	free(v);
	return ok;
}
