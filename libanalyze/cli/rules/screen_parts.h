/* SPDX-License-Identifier: MIT
 * The first screen: contents of its two forms, text and Markdown. */
#ifndef TM_CLI_SCREEN_PARTS_H
#define TM_CLI_SCREEN_PARTS_H

#include "cli/rules/findings_parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All that is known when it is drawn. */
struct screen {
	struct finding_job *j;
	const struct tm_table *sum;                  /* of the summary */
	size_t metric, value, target, verdict, name; /* its columns */
	const struct tm_table *top;                  /* of kernels, or without rows */
	struct tm_table chart;                       /* of the timeline, or without rows */
	struct found *v;                             /* n of them */
	size_t n;
	uint64_t window;
	bool doubt;  /* records are lost, or lack what tells them apart: no verdicts */
	bool totals; /* an input holds no events: nothing is known of the chart */
	struct tm_render_ctx ctx;
	struct tm_buf *out;
};

/* Fill in all but the chart, ctx and out, of what was read for s->j.  False when out of memory;
 * free s->v in any case. */
bool tm_screen_find(struct screen *s);

/* The page of a metric with its usual view and no options; NULL where none is asked. */
const struct ask_page *tm_screen_page(const struct finding_job *j, const char *word);

/* A cell of the row of that metric; absent where there is no such row. */
struct tm_cell tm_screen_cell(const struct screen *s, const char *metric, size_t col);

/* Is the number of that row there, and more than nothing that would show, 0.05 %? */
bool tm_screen_some(const struct screen *s, const char *metric);

/* Append a share: "23.8 %". */
void tm_screen_put_pct(struct tm_buf *b, struct tm_cell c);

/* Append the text of a cell, harmless in text. */
void tm_screen_put_text(const struct screen *s, struct tm_buf *b, struct tm_cell c);

/* A part of a whole that is drawn. */
struct screen_part {
	const char *metric, *label;
	const char *family; /* of palette.def; NULL = what is not there */
};

/* The parts of the time, and of what is idle of it; each ends with metric NULL. */
extern const struct screen_part tm_screen_parts[], tm_screen_causes[];

/* Append what was read: producer, ranks, agents, the window; and what was lost of it,
 * which is false for "nothing lost". */
void tm_screen_put_head(const struct screen *s, struct tm_buf *b, const char *between);
bool tm_screen_put_losses(const struct screen *s, struct tm_buf *b);

/* Append "3 of 9 missed: timeline.idle_pct 76.0 % (< 10 %), ...", of the targets. */
void tm_screen_put_verdict(const struct screen *s, struct tm_buf *b);

/* Append the command that shows all findings. */
void tm_screen_put_all(const struct screen *s, struct tm_buf *b);

/* Append that there are no findings but doubts, and how many could have been. */
void tm_screen_put_none(const struct screen *s, struct tm_buf *b);

/* Append the calls that most of the idle time passed in, and in how many gaps: "46.9 %
 * hipLaunchKernel (437 gaps), ..."; false when none is known. */
bool tm_screen_put_calls(const struct screen *s, struct tm_buf *b);

/* Append the busy share over time, a character for each of the bins; false when nobody knows. */
bool tm_screen_put_spark(const struct screen *s, struct tm_buf *b, bool utf8);

/* Append the readings of the first GPU that has that sensor, one after the other, and what they
 * are; false when there are none. */
bool tm_screen_put_sensor(const struct screen *s, struct tm_buf *b, enum tm_sensor sensor,
                          bool utf8);

/* The first `limit` kernels as a table: pct, total_ns, calls, avg_ns, class, name; *all there are.
 * False when out of memory; free it in any case. */
bool tm_screen_kernels(const struct screen *s, uint64_t limit, struct tm_table *t, size_t *all);

/* Draw it; false when out of memory. */
bool tm_screen_text(const struct screen *s, uint64_t kernels);
bool tm_screen_md(const struct screen *s, uint64_t kernels);

/* Append a table, of `all` rows of what it shows, that opens by a click; its names are cut to a
 * length that keeps a comment below its limit.  Nothing where it has no rows; false when out of
 * memory. */
bool tm_screen_md_table(const struct screen *s, struct tm_table *t, size_t all, const char *what);

#endif
