/* SPDX-License-Identifier: MIT */
#include "cli/frame/pager.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program(void)
{
	const char *own = getenv("TRACEMILL_PAGER"), *usual = getenv("PAGER");

	return own ? own : usual ? usual : "less";
}

/* In the child: never returns. */
static void become(const char *pager, int from)
{
	const char *const words[] = { "sh", "-c", pager, NULL };

	dup2(from, STDIN_FILENO);
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	execvp("/bin/sh", (char *const *)(uintptr_t)words);
	_exit(127);
}

static void feed(int fd, const char *b, size_t n)
{
	while (n) {
		ssize_t k = write(fd, b, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) /* the user has seen enough */
			return;
		b += k;
		n -= (size_t)k;
	}
}

bool tm_pager_put(const char *b, size_t n)
{
	const char *pager = program();
	void (*before)(int);
	int ends[2], status = 0;
	pid_t child;

	if (!*pager || !strcmp(pager, "cat") || pipe(ends))
		return false;
	child = fork();
	if (!child) {
		close(ends[1]);
		become(pager, ends[0]);
	}
	close(ends[0]);
	if (child > 0) {
		before = signal(SIGPIPE, SIG_IGN);
		feed(ends[1], b, n);
		close(ends[1]);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			continue;
		signal(SIGPIPE, before);
	} else {
		close(ends[1]);
	}
	return child > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
}
