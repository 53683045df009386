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
	o->open = true;
	o->fd = STDOUT_FILENO;
	if (to_stdout(o))
		return true;
	if (special_file(o->path)) {
		o->fd = open(o->path, O_WRONLY | O_CLOEXEC);
		return o->fd >= 0 || trouble(o, d);
	}
	o->atomic = true;
	o->tmp = text_fmt("%s.tmp-%ld", o->path, (long)getpid());
	if (!o->tmp) {
		o->fd = -1;
		tm_diag_oom(d);
		return false;
	}
	o->fd = open_nameless(o->path);
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
			ok = !rename(o->tmp, o->path) || trouble(o, d);
		if (o->named && !(ok && keep))
			unlink(o->tmp);
	}
	free(o->tmp);
	*o = (struct output) { .path = o->path };
	return ok;
}
