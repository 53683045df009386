/* SPDX-License-Identifier: MIT
 * What a sub-command of kstats takes beside the common options: kstats reads it from its command
 * line, tracecheck from rules. */
#ifndef TM_CLI_STATS_H
#define TM_CLI_STATS_H

#include "cli/common.h"

enum { STATS_VIEWS = 8, STATS_OPTIONS = 6 + STATS_VIEWS + 1 };

/* What the user may say; begin with STATS_OWN. */
struct stats_own {
	unsigned level, domain;
	uint64_t short_us, skip, max_unclassified;
	const char *during;
	bool view[STATS_VIEWS]; /* of the metric's views */
};

#define STATS_OWN                                                                                  \
	{                                                                                          \
		.short_us = 10, .max_unclassified = UINT64_MAX                                     \
	}

/* The options of one sub-command, and a flag for each of its other views, writing into *own; NULL
 * has none. */
void tm_stats_options(struct stats_own *own, const struct tm_metric *m,
                      struct option out[STATS_OPTIONS]);

/* What the common options take with a sub-command: the words of --per and --sort. */
void tm_stats_adapt(const struct tm_metric *m, struct option *common);

/* The one view that was asked for, NULL = the usual one; false with *d when there are two. */
bool tm_stats_view(const struct tm_metric *m, const struct stats_own *own, const char **view,
                   struct tm_diag *d);

/* The same as the metric has them. */
struct tm_metric_opts tm_stats_opts(const struct stats_own *own, const char *view);

#endif
