/* SPDX-License-Identifier: MIT */
#include "cli/frame/place.h"

#include "cli/frame/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY = 256 * 1024 };

/* A new file, its name being `base` and something that nothing else has; its descriptor.  `told`:
 * what messages call it. */
static int make_file(struct place *p, const char *base, const char *told, struct tm_diag *d)
{
	int n = snprintf(p->path, sizeof p->path, "%s-XXXXXX", base), fd = -1;

	if (n > 0 && (size_t)n < sizeof p->path)
		fd = mkstemp(p->path);
	else
		errno = ENAMETOOLONG;
	if (fd < 0)
		tm_diag_set(d, 0, "%.300s: cannot write: %s", told, strerror(errno));
	p->named = fd >= 0;
	return fd;
}

static bool choose_beside(struct place *p, struct tm_diag *d)
{
	mode_t mask = umask(0);
	char base[PATH_MAX + 4];
	int fd, why = 0;

	umask(mask);
	snprintf(base, sizeof base, "%s.tmp", p->target);
	p->how = PLACE_BESIDE;
	fd = make_file(p, base, p->target, d);
	if (fd < 0)
		return false;
	/* mkstemp's files are for their owner alone, this one becomes an ordinary one. */
	if (fchmod(fd, 0666 & ~mask)) {
		why = errno;
		close(fd);
	} else if (close(fd)) {
		why = errno;
	}
	if (!why)
		return true;
	tm_diag_set(d, 0, "%.300s: cannot write: %s", p->target, strerror(why));
	tm_place_abandon(p);
	return false;
}

static bool choose_spooled(struct place *p, struct tm_diag *d)
{
	const char *tmp = getenv("TMPDIR");
	char base[4096];

	p->how = PLACE_SPOOLED;
	snprintf(base, sizeof base, "%s/tracemill", tmp && *tmp ? tmp : "/tmp");
	p->spool = make_file(p, base, base, d);
	return p->spool >= 0;
}

bool tm_place_choose(struct place *p, const char *output, struct tm_diag *d)
{
	bool named = output && strcmp(output, "-") != 0, standard = false;
	struct stat st;

	*p = (struct place) { .out = STDOUT_FILENO, .spool = -1 };
	if (named && (stat(output, &st) || S_ISREG(st.st_mode))) {
		if (!tm_output_follow(output, p->target, &standard, d))
			return false;
		if (!standard)
			return choose_beside(p, d);
		named = false;
	}
	if (named)
		p->out = open(output, O_WRONLY | O_CLOEXEC);
	if (p->out < 0 || fstat(p->out, &st)) {
		tm_diag_set(d, 0, "%.300s: cannot write: %s", named ? output : "<stdout>",
		            strerror(errno));
		return false;
	}
	if (isatty(p->out)) {
		tm_diag_set(d, 0, "refusing to write a database to a terminal; use -o run.db");
		return false;
	}
	if (!S_ISREG(st.st_mode))
		return choose_spooled(p, d);
	if (st.st_size) {
		tm_diag_set(d, 0, "standard output is a file that is not empty; use -o FILE");
		return false;
	}
	snprintf(p->path, sizeof p->path, "/proc/self/fd/%d", p->out);
	p->how = PLACE_STDOUT;
	return true;
}

void tm_place_opened(struct place *p)
{
	if (p->how == PLACE_SPOOLED && p->named) {
		p->named = false;
		unlink(p->path);
	}
}

void tm_place_abandon(struct place *p)
{
	ssize_t ignored = 0;

	if (p->named)
		unlink(p->path);
	p->named = false;
	if (p->how == PLACE_STDOUT)
		ignored = ftruncate(p->out, 0);
	(void)ignored;
	p->how = PLACE_NONE;
}

static bool copy_out(const struct place *p, struct tm_diag *d)
{
	char *block = malloc(COPY);
	ssize_t n = -1, k = 0;
	off_t at = 0;

	while (block && (n = pread(p->spool, block, COPY, at)) > 0) {
		for (ssize_t done = 0; done < n && k >= 0; done += k > 0 ? k : 0) {
			k = write(p->out, block + done, (size_t)(n - done));
			if (k < 0 && errno == EINTR)
				k = 0;
		}
		if (k < 0)
			break;
		at += n;
	}
	if (n || k < 0)
		tm_diag_set(d, 0, "%scannot write: %s", p->out == STDOUT_FILENO ? "<stdout>: " : "",
		            block ? strerror(errno) : "out of memory");
	free(block);
	return n == 0 && k >= 0;
}

/* No signal comes between the new name and the note that it is there. */
static bool move_in(struct place *p, struct tm_diag *d)
{
	sigset_t all, before;
	bool ok;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = !rename(p->path, p->target);
	if (!ok)
		tm_diag_set(d, 0, "cannot rename %.200s to it: %s", p->path, strerror(errno));
	p->finished = ok;
	p->named = !ok;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

bool tm_place_finish(struct place *p, bool ok, uint64_t *bytes, struct tm_diag *d)
{
	struct stat st = { 0 };
	int bad = p->how == PLACE_SPOOLED ? fstat(p->spool, &st) : stat(p->path, &st);

	if (ok && !bad)
		*bytes = (uint64_t)st.st_size;
	if (ok && p->how == PLACE_SPOOLED)
		ok = copy_out(p, d);
	if (ok && p->how == PLACE_BESIDE)
		ok = move_in(p, d);
	if (p->how != PLACE_BESIDE && ok && close(p->out)) {
		tm_diag_set(d, 0, "%scannot write: %s", p->out == STDOUT_FILENO ? "<stdout>: " : "",
		            strerror(errno));
		ok = false;
	}
	p->finished = ok;
	if (ok)
		p->named = false;
	else
		tm_place_abandon(p);
	if (p->spool >= 0)
		close(p->spool);
	p->how = PLACE_NONE;
	return ok;
}
