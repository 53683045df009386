/* SPDX-License-Identifier: MIT */
#include "cli/frame/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

void tm_progress_tell(void *arg, uint64_t done, uint64_t total)
{
	struct progress *p = arg;
	uint64_t now = p->on ? now_ms() : 0;
	char text[160];

	if (!p->on || now < p->next_ms)
		return;
	p->next_ms = now + EVERY_MS;
	p->shown = true;
	if (total >= done)
		snprintf(text, sizeof text,
		         "\r%s: %" PRIu64 " of %" PRIu64 " MB, %" PRIu64 " MB/s\033[K", p->tool,
		         done / MB, total / MB, done / MB * 1000 / (now - p->start_ms));
	else
		snprintf(text, sizeof text, "\r%s: %" PRIu64 " MB, %" PRIu64 " MB/s\033[K", p->tool,
		         done / MB, done / MB * 1000 / (now - p->start_ms));
	put(text);
}

void tm_progress_done(struct progress *p)
{
	if (p->shown)
		put("\r\033[K");
	p->shown = false;
}
