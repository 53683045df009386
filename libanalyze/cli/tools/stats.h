/* SPDX-License-Identifier: MIT
 * The options of a sub-command of kstats besides the common ones: kstats reads them from its
 * command line, tracecheck from rules. */
#ifndef TM_CLI_STATS_H
#define TM_CLI_STATS_H

#include "cli/frame/frame.h"

#include <stddef.h>

enum { STATS_VIEWS = 8, STATS_OPTIONS = 24, STATS_OWN = 256 };

/* What the user may say; {0} before tm_stats_options. */
struct stats_own {
	unsigned level, domain;
	unsigned every;         /* the domain that stands for all of them */
	bool runs;              /* --runs */
	bool view[STATS_VIEWS]; /* of the metric's views */
	_Alignas(max_align_t) unsigned char own[STATS_OWN]; /* the metric's */
};

/* The options of one sub-command, and a flag for each of its other views, writing into *own; NULL
 * has none. */
void tm_stats_options(struct stats_own *own, const struct tm_metric *m,
                      struct option out[STATS_OPTIONS]);

/* What the common options take with a sub-command: the words of --per and --sort. */
void tm_stats_adapt(const struct tm_metric *m, struct option *common);

/* The one view that was asked for, NULL = the usual one; false with *d when there are two. */
bool tm_stats_view(const struct tm_metric *m, const struct stats_own *own, const char **view,
                   struct tm_diag *d);

/* The first operand into *own, where it is the metric's; without operands nothing.  False with *d
 * when the metric does not understand it. */
bool tm_stats_operand(const struct tm_metric *m, struct stats_own *own,
                      struct option_list *operands, struct tm_diag *d);

/* Does the metric lack its operand, or is that an input and no other follows?  Then with *d. */
bool tm_stats_lacks(const struct tm_metric *m, const struct stats_own *own,
                    const struct option_list *operands, struct tm_diag *d);

/* The same as the metric has them, which borrows from *own. */
struct tm_metric_opts tm_stats_opts(struct stats_own *own, const char *view);

#endif
