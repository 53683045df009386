/* SPDX-License-Identifier: MIT
 * Which files does an operand stand for?
 *
 * Directories are listed one at a time and closed before the next is opened, so the depth of a tree
 * costs memory but no descriptors. */
#include "io/walk.h"

#include "base/base.h"
#include "io/list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory to list. */
struct dir {
	char *path;
	dev_t dev;
	ino_t ino;
};

struct tree {
	struct tm_walk *w;
	size_t operand;
	struct dir *v;
	size_t n, cap;
	struct tm_names seen; /* device and inode of those that were listed */
	struct tm_diag *d;    /* the first thing that could not be looked at */
	bool failed;
};

static void complain(struct tree *t, const char *path, int err)
{
	bool whole = t->n && path == t->v[0].path; /* whoever tells of it names the operand */

	if (!t->failed)
		tm_diag_set(t->d, 0, "cannot open%s%.300s: %s", whole ? "" : " ", whole ? "" : path,
		            strerror(err));
	t->failed = true;
}

/* Add a file; the path is taken over, also on failure. */
static bool add_file(struct tm_walk *w, char *path, size_t operand, uint64_t size, bool in_dir)
{
	if (!path || !tm_grow_array(&w->v, &w->cap, w->n + 1, sizeof *w->v)) {
		free(path);
		return false;
	}
	w->v[w->n++] = (struct tm_walk_file) {
		.path = path,
		.operand = operand,
		.size = size,
		.in_dir = in_dir,
	};
	return true;
}

/* The same for a directory. */
static bool add_dir(struct tree *t, char *path, const struct stat *sb)
{
	if (!path || !tm_grow_array(&t->v, &t->cap, t->n + 1, sizeof *t->v)) {
		free(path);
		return false;
	}
	t->v[t->n++] = (struct dir) {
		.path = path,
		.dev = sb->st_dev,
		.ino = sb->st_ino,
	};
	return true;
}

/* Is this the first way to that directory?  Symbolic links may lead to it from many sides, and from
 * inside.  False with *ok false when out of memory. */
static bool first_way(struct tree *t, const struct dir *v, bool *ok)
{
	const uint64_t key[2] = { v->dev, v->ino };
	uint32_t had = t->seen.n;

	*ok = tm_names_add(&t->seen, (const char *)key, sizeof key) != TM_NAME_NONE;
	return t->seen.n > had;
}

static char *join(const char *dir, const char *name)
{
	size_t n = strlen(dir);
	struct tm_buf b = { 0 };

	tm_buf_add(&b, dir, n);
	if (n && dir[n - 1] != '/')
		tm_buf_chr(&b, '/');
	if (tm_buf_str(&b, name))
		return b.p;
	tm_buf_fini(&b);
	return NULL;
}

/* One entry of directory number `at`.  False when out of memory. */
static bool look(struct tree *t, size_t at, int dirfd, const char *name)
{
	struct stat sb;
	char *path;
	int err = 0;

	if (name[0] == '.')
		return true;
	if (fstatat(dirfd, name, &sb, 0) < 0)
		err = errno;
	/* A link that leads nowhere is no file; neither is what vanished just now. */
	if (err == ENOENT || err == ELOOP || err == ENOTDIR)
		return true;
	if (!err && !S_ISREG(sb.st_mode) && !S_ISDIR(sb.st_mode))
		return true;
	path = join(t->v[at].path, name);
	if (!path)
		return false;
	if (!err && S_ISREG(sb.st_mode))
		return add_file(t->w, path, t->operand, (uint64_t)sb.st_size, true);
	if (!err)
		return add_dir(t, path, &sb);
	if (err)
		complain(t, path, err);
	free(path);
	return true;
}

/* All entries of directory number `at`.  False when out of memory. */
static bool list(struct tree *t, size_t at)
{
	DIR *dir = opendir(t->v[at].path);
	struct dirent *e;
	bool ok = true;

	if (!dir) {
		complain(t, t->v[at].path, errno);
		return true;
	}
	while (ok && (errno = 0, e = readdir(dir)))
		ok = look(t, at, dirfd(dir), e->d_name);
	if (ok && errno)
		complain(t, t->v[at].path, errno);
	closedir(dir);
	return ok;
}

/* ---- lists of databases ---- */

/* The files a list names, while they are added. */
struct listing {
	struct tm_walk *w;
	const char *list; /* its path */
	size_t operand;
	const char *found; /* real path of a directory whose files are known already, or NULL */
	struct tm_diag *d; /* the first file that is not there */
	bool failed, oom;
	int unread; /* errno of a read of the list itself, 0 = none failed */
};

/* Is it below a directory that was walked? */
static bool found_already(const char *path, const char *dir)
{
	char *real = dir ? realpath(path, NULL) : NULL;
	size_t n = dir ? strlen(dir) : 0;
	bool below = real && !strncmp(real, dir, n) && (real[n] == '/' || (n && dir[n - 1] == '/'));

	free(real);
	return below;
}

static bool take_listed(void *arg, const char *name, size_t n)
{
	struct listing *l = arg;
	const char *slash = strrchr(l->list, '/');
	struct tm_buf b = { 0 };
	struct stat sb;

	if (!name) {
		l->oom = true;
		return false;
	}
	if (memchr(name, '\0', n))
		return true;
	if (*name != '/' && slash)
		tm_buf_add(&b, l->list, (size_t)(slash - l->list) + 1);
	if (!tm_buf_add(&b, name, n)) {
		tm_buf_fini(&b);
		l->oom = true;
		return false;
	}
	if (stat(b.p, &sb) < 0) {
		if (!l->failed)
			tm_diag_set(l->d, 0, "%.200s%snames %.200s: %s", l->found ? l->list : "",
			            l->found ? " " : "", b.p, strerror(errno));
		l->failed = true;
		tm_buf_fini(&b);
		return true;
	}
	if (found_already(b.p, l->found)) {
		tm_buf_fini(&b);
		return true;
	}
	l->oom = !add_file(l->w, b.p, l->operand, S_ISREG(sb.st_mode) ? (uint64_t)sb.st_size : 0,
	                   false);
	return !l->oom;
}

/* Read more of a file until there are `want` bytes, or no more; *err is why, where a read fails. */
static size_t read_up_to(const struct tm_head *h, char *p, size_t n, size_t want, int *err)
{
	while (n < want && !*err) {
		ptrdiff_t k = tm_head_read(h, p + n, want - n, n);

		if (!k)
			break;
		if (k > 0)
			n += (size_t)k;
		else
			*err = errno;
	}
	return n;
}

/* Is this file a list?  Then what it names is added.  Most files are none, and show it at once. */
static bool add_listed(struct listing *l, const struct tm_head *h, uint64_t size)
{
	static const char word[] = "rocprofiler-sdk:";
	size_t n = h && h->n > LIST_HEAD ? LIST_HEAD : h ? h->n : 0;
	bool is_list = false;
	char *p;

	if (!n || !memmem(h->p, n, word, sizeof word - 1))
		return false;
	p = malloc((size_t)size);
	l->oom = !p;
	if (p) {
		n = read_up_to(h, p, 0, (size_t)size, &l->unread);
		is_list = !l->unread && tm_list_parse(p, n, take_listed, l);
	}
	free(p);
	return is_list;
}

/* Without memory for it, it is opened without. */
static int unread(int err)
{
	return err == ENOMEM ? 0 : err;
}

const struct tm_head *tm_walk_head(struct tm_walk_file *f)
{
	int err = 0;

	if (f->opened)
		return f->head;
	f->opened = true;
	if (f->size)
		f->head = tm_head_open(f->path, false, &err);
	if (unread(err))
		f->unread = err;
	return f->head;
}

static bool is_yaml(const char *path)
{
	size_t n = strlen(path);

	return (n > 5 && !strcmp(path + n - 5, ".yaml")) ||
	       (n > 4 && !strcmp(path + n - 4, ".yml"));
}

/* The lists among the files of a directory: what they name outside of it. */
static bool add_lists(struct tree *t, const char *root, size_t first)
{
	size_t end = t->w->n;
	char *real = NULL;
	bool ok = true;

	for (size_t i = first; ok && i < end; i++) {
		struct listing l = {
			.w = t->w, .operand = t->operand, .d = t->d, .failed = t->failed
		};
		struct tm_head *h;
		uint64_t size = t->w->v[i].size;
		char *path;
		int err = 0;

		if (!is_yaml(t->w->v[i].path) || !size || size > LIST_MAX)
			continue;
		if (!real)
			real = realpath(root, NULL);
		path = strdup(t->w->v[i].path); /* v moves */
		l.list = path;
		l.found = real;
		h = path ? tm_head_open(path, true, &err) : NULL;
		l.unread = err;
		if (h)
			add_listed(&l, h, size);
		t->w->v[i].head = tm_head_keep(h);
		t->w->v[i].opened = true;
		t->w->v[i].unread = l.unread;
		ok = path && !l.oom && err != ENOMEM;
		t->failed |= l.failed;
		free(path);
	}
	free(real);
	return ok;
}

/* Numbers in them by value: "9/x" comes before "10/x", as ranks and processes are named. */
static int path_cmp(const char *a, const char *b)
{
	int c = strverscmp(a, b);

	return c ? c : strcmp(a, b);
}

static int by_path(const void *a, const void *b)
{
	const struct tm_walk_file *x = a, *y = b;

	return path_cmp(x->path, y->path);
}

static int by_dir(const void *a, const void *b)
{
	const struct dir *x = a, *y = b;

	return path_cmp(x->path, y->path);
}

static bool add_tree(struct tm_walk *w, const char *path, size_t operand, const struct stat *sb,
                     struct tm_diag *d)
{
	struct tree t = { .w = w, .operand = operand, .d = d };
	size_t first = w->n;
	bool ok = add_dir(&t, strdup(path), sb);

	/* Level by level, each in the order of the paths: which way to a directory is the first
	 * does not depend on that of its entries. */
	for (size_t i = 0, end; ok && i < t.n; i = end) {
		end = t.n;
		qsort(t.v + i, end - i, sizeof *t.v, by_dir);
		for (size_t k = i; ok && k < end; k++)
			if (first_way(&t, &t.v[k], &ok))
				ok = list(&t, k);
	}
	/* Sorting each directory would not do: "a-b" comes before "a/x", but "a" before "a-b". */
	if (w->n > first)
		qsort(w->v + first, w->n - first, sizeof *w->v, by_path);
	ok = ok && add_lists(&t, path, first);
	for (size_t i = 0; i < t.n; i++)
		free(t.v[i].path);
	free(t.v);
	tm_names_fini(&t.seen);
	if (!ok)
		tm_diag_oom(d);
	return ok && !t.failed;
}

/* A regular file, or what it is a list of. */
static bool add_regular(struct tm_walk *w, const char *path, size_t operand, uint64_t size,
                        struct tm_diag *d)
{
	struct listing l = { .w = w, .list = path, .operand = operand, .d = d };
	struct tm_head *h = NULL;
	bool listed = false;
	int err = 0;

	if (size && size <= LIST_MAX)
		h = tm_head_open(path, true, &err);
	l.oom = err == ENOMEM;
	l.unread = unread(err);
	if (h)
		listed = add_listed(&l, h, size);
	if (!l.oom && !listed) {
		l.oom = !add_file(w, strdup(path), operand, size, false);
		if (!l.oom) {
			w->v[w->n - 1].unread = l.unread;
			w->v[w->n - 1].head = tm_head_keep(h);
			w->v[w->n - 1].opened = h || l.unread;
			h = NULL;
		}
	}
	tm_head_close(h);
	if (l.oom)
		tm_diag_oom(d);
	return !l.oom && !l.failed;
}

bool tm_walk_add(struct tm_walk *w, const char *path, size_t operand, struct tm_diag *d)
{
	struct stat sb = { 0 };

	if (strcmp(path, "-") && stat(path, &sb) < 0) {
		tm_diag_set(d, 0, "cannot open: %s", strerror(errno));
		return false;
	}
	if (S_ISDIR(sb.st_mode))
		return add_tree(w, path, operand, &sb, d);
	if (S_ISREG(sb.st_mode))
		return add_regular(w, path, operand, (uint64_t)sb.st_size, d);
	if (add_file(w, strdup(path), operand, 0, false))
		return true;
	tm_diag_oom(d);
	return false;
}

void tm_walk_fini(struct tm_walk *w)
{
	for (size_t i = 0; i < w->n; i++) {
		tm_head_close(w->v[i].head);
		free(w->v[i].path);
	}
	free(w->v);
	*w = (struct tm_walk) { 0 };
}
