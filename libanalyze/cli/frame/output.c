/* SPDX-License-Identifier: MIT */
#include "cli/frame/output.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool to_stdout(const struct output *o)
{
	return !o->path || !strcmp(o->path, "-");
}

static bool trouble(const struct output *o, struct tm_diag *d)
{
	int why = errno;

	tm_diag_set(d, 0, "%s: cannot write: %s", to_stdout(o) ? "<stdout>" : o->path,
	            strerror(why));
	return false;
}

/* A device or a pipe cannot be renamed over: -o /dev/stdout, -o >(gzip). */
static bool special_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

bool tm_output_follow(const char *path, char real[PATH_MAX], bool *standard, struct tm_diag *d)
{
	struct stat link, file, out;
	bool linked = !lstat(path, &link) && S_ISLNK(link.st_mode), ok;

	*standard = false;
	if (!*path) {
		tm_diag_set(d, 0, "-o: the file name is empty");
		return false;
	}
	if (!linked) {
		ok = strlen(path) < PATH_MAX;
		errno = ENAMETOOLONG;
		if (ok)
			memcpy(real, path, strlen(path) + 1);
	} else {
		ok = !stat(path, &file);
		*standard = ok && !fstat(STDOUT_FILENO, &out) && out.st_dev == file.st_dev &&
		            out.st_ino == file.st_ino;
		ok = ok && (*standard || realpath(path, real));
	}
	if (!ok)
		tm_diag_set(d, 0, "%s: cannot write: %s", path, strerror(errno));
	return ok;
}

static char *text_fmt(const char *fmt, const char *s, long n)
{
	char *out = NULL;

	return asprintf(&out, fmt, s, n) < 0 ? NULL : out;
}

/* A file without a name in the directory of PATH, or -1 where that cannot be had. */
static int open_nameless(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
	int fd = -1;

	/* It gets its name through /proc. */
	if (dir && !access("/proc/self/fd", X_OK))
		fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	free(dir);
	return fd;
}

static bool open_output(struct output *o, struct tm_diag *d)
{
	bool standard;

	o->open = true;
	o->fd = STDOUT_FILENO;
	if (to_stdout(o))
		return true;
	if (special_file(o->path)) {
		o->fd = open(o->path, O_WRONLY | O_CLOEXEC);
		return o->fd >= 0 || trouble(o, d);
	}
	if (!tm_output_follow(o->path, o->real, &standard, d)) {
		o->fd = -1;
		return false;
	}
	if (standard)
		return true;
	o->atomic = true;
	o->tmp = text_fmt("%s.tmp-%ld", o->real, (long)getpid());
	if (!o->tmp) {
		o->fd = -1;
		tm_diag_oom(d);
		return false;
	}
	o->fd = open_nameless(o->real);
	if (o->fd >= 0)
		return true;
	o->fd = open(o->tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	o->named = o->fd >= 0;
	return o->named || trouble(o, d);
}

bool tm_output_put(void *arg, const void *p, size_t n, struct tm_diag *d)
{
	struct output *o = arg;
	const char *at = p;

	if (!o->open && !open_output(o, d))
		return false;
	while (n) {
		ssize_t k = write(o->fd, at, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return trouble(o, d);
		at += k;
		n -= (size_t)k;
	}
	return true;
}

/* The nameless file gets the temporary name. */
static bool give_name(struct output *o)
{
	char *link = text_fmt("%s/%ld", "/proc/self/fd", o->fd);

	o->named = link && !linkat(AT_FDCWD, link, AT_FDCWD, o->tmp, AT_SYMLINK_FOLLOW);
	free(link);
	return o->named;
}

bool tm_output_close(struct output *o, bool keep, struct tm_diag *d)
{
	bool ok = true;

	if (!o->open && keep)
		ok = open_output(o, d);
	if (o->open && o->fd >= 0) {
		if (ok && keep && o->atomic && !o->named)
			ok = give_name(o) || trouble(o, d);
		if (close(o->fd) && ok && keep)
			ok = trouble(o, d);
		if (ok && keep && o->atomic)
			ok = !rename(o->tmp, o->real) || trouble(o, d);
		if (o->named && !(ok && keep))
			unlink(o->tmp);
	}
	free(o->tmp);
	*o = (struct output) { .path = o->path };
	return ok;
}

bool tm_output_same(const char *path, const char *other)
{
	struct stat a, b;

	return !stat(path, &a) && S_ISREG(a.st_mode) && !stat(other, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

bool tm_output_is_one_of(const char *path, const struct option_list *operands)
{
	for (size_t i = 0; i < operands->n; i++) {
		const char *word = operands->v[i];
		const size_t digits = strspn(word, "0123456789");

		if (tm_output_same(path, word) ||
		    (digits && word[digits] == '=' && tm_output_same(path, word + digits + 1)))
			return true;
	}
	return false;
}

void tm_output_lost(struct tm_diag *d, const char *option, const char *path)
{
	tm_diag_set(d, 0, "%s %.300s: it is an input, which would be lost", option, path);
}
