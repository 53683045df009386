/* SPDX-License-Identifier: MIT
 * The views of `launch`: what launch.c and launch_graphs.c share. */
#ifndef METRIC_PRIV_LAUNCH_H
#define METRIC_PRIV_LAUNCH_H

#include "metric/calls.h"

extern const struct column launch_graph_columns[];

/* The table of --graphs.  As struct metric's fill; *w has tracks apart by WORK_NODES. */
enum status launch_graphs_fill(struct work *w, struct table *t, struct report *rep);

#endif
