/* SPDX-License-Identifier: MIT */
#include "cli/frame/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 1000, EVERY_MS = 200, MB = 1000000 };

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Best effort: a progress line that cannot be written is no loss. */
static void put(const char *text)
{
	ssize_t n = write(STDERR_FILENO, text, strlen(text));

	(void)n;
}

void tm_progress_init(struct progress *p, const char *tool, bool wanted)
{
	const char *term = getenv("TERM");

	/* The line is drawn over, which a dumb terminal cannot do. */
	*p = (struct progress) { .tool = tool,
		                 .on = wanted && isatty(STDERR_FILENO) && term &&
		                       strcmp(term, "dumb") != 0 };
	p->start_ms = p->on ? now_ms() : 0;
	p->next_ms = p->start_ms + PATIENCE_MS;
}

/* What is left of a time, in one unit. */
static void say_left(char *text, size_t size, uint64_t ms)
{
	if (ms < 100 * 1000)
		snprintf(text, size, "%" PRIu64 " s", (ms + 999) / 1000);
	else if (ms < 100 * 60 * 1000)
		snprintf(text, size, "%" PRIu64 " min", (ms + 59999) / 60000);
	else
		snprintf(text, size, "%" PRIu64 " h", (ms + 3599999) / 3600000);
}

void tm_progress_line(char *text, size_t size, uint64_t done, uint64_t total, uint64_t ms)
{
	uint64_t rate = ms ? done / 1000 / ms : 0; /* 1000 bytes in 1 ms: 1 MB/s */
	char left[32];

	if (total < done)
		snprintf(text, size, "%" PRIu64 " MB, %" PRIu64 " MB/s", done / MB, rate);
	else if (total == done)
		snprintf(text, size, "%" PRIu64 " MB read, %" PRIu64 " MB/s, processing", done / MB,
		         rate);
	else {
		say_left(left, sizeof left,
		         done ? (uint64_t)((double)(total - done) / (double)done * (double)ms) : 0);
		snprintf(text, size,
		         "%" PRIu64 " %%, %" PRIu64 " of %" PRIu64 " MB, %" PRIu64 " MB/s%s%s%s",
		         (uint64_t)((double)done * 100 / (double)total), done / MB, total / MB,
		         rate, done ? ", " : "", done ? left : "", done ? " left" : "");
	}
}

void tm_progress_fit(char *text, size_t room)
{
	size_t n = strlen(text);

	if (n <= room)
		return;
	for (n = room; n && text[n] != ','; n--)
		continue;
	text[n] = '\0';
}

/* A line that the terminal wraps cannot be drawn over. */
static size_t columns(void)
{
	struct winsize ws;

	return !ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) && ws.ws_col ? ws.ws_col - 1u : SIZE_MAX;
}

void tm_progress_tell(void *arg, uint64_t done, uint64_t total)
{
	struct progress *p = arg;
	uint64_t now = p->on ? now_ms() : 0;
	char line[120], named[140], text[160];

	if (!p->on || (now < p->next_ms && !(p->shown && done == total)))
		return;
	p->next_ms = now + EVERY_MS;
	p->shown = true;
	tm_progress_line(line, sizeof line, done, total, now - p->start_ms);
	snprintf(named, sizeof named, "%s: %s", p->tool, line);
	tm_progress_fit(named, columns());
	snprintf(text, sizeof text, "\r%s\033[K", named);
	put(text);
}

void tm_progress_done(struct progress *p)
{
	if (p->shown)
		put("\r\033[K");
	p->shown = false;
}
