/* SPDX-License-Identifier: MIT
 * The time in bins, for the views of `timeline` and for others. */
#ifndef TM_METRIC_TIMELINE_H
#define TM_METRIC_TIMELINE_H

#include "work/work.h"

/* Columns of the chart, ending with name NULL; the places of some of them. */
enum {
	TM_CHART_RANK,
	TM_CHART_AGENT,
	TM_CHART_FROM,
	TM_CHART_TO,
	TM_CHART_COMPUTE,
	TM_CHART_COMM,
	TM_CHART_COPY,
	TM_CHART_MOVE,
	TM_CHART_WAIT,
	TM_CHART_IDLE,
	TM_CHART_LONGEST,
	TM_CHART_N
};
extern const struct tm_column tm_timeline_chart_columns[];

/* The options of `timeline` with only the number of bins set; to be freed.  NULL when out of
 * memory. */
void *tm_timeline_own(uint64_t bins);

/* Initialize and fill *t: for each agent, a row for each of `bins` equal parts of time; fewer if
 * there are fewer ns.  For a settled store without queues and streams.  All agents have the same
 * parts, unless their windows are so far apart that their clocks must differ: then each has its
 * own, and *rep says so.  False when out of memory. */
bool tm_timeline_chart(const struct tm_work *w, uint64_t bins, struct tm_table *t,
                       struct tm_report *rep);

#endif
