/* SPDX-License-Identifier: MIT
 * Folded stacks, for flame graphs: a line "outermost;...;innermost WEIGHT" for each path that
 * something was launched from, or that the host was in.
 *
 *     gpu     Σ durations of kernels (and copies), the kernel innermost.  What belongs nowhere is
 *             under "(unattributed: WHY)", so that all lines add up to what `kstats top` does
 *     bytes   Σ bytes of copies (and kernels), likewise; of those whose bytes are known
 *     host    time of the threads, each instant once, on the stack of what is open then
 *
 * In a frame ';' is written as ':' and what ends a line as a blank.  The heaviest line is first. */
#ifndef TM_EVENTS_FOLDED_H
#define TM_EVENTS_FOLDED_H

#include "events/list.h"

enum tm_folded_weight { TM_FOLDED_GPU, TM_FOLDED_HOST, TM_FOLDED_BYTES };

/* What is asked for and where it goes; {0} but for these to begin with. */
struct tm_folded {
	enum tm_folded_weight weight;
	unsigned kinds; /* bits 1 << TM_EVENT_KERNEL, 1 << TM_EVENT_COPY; of no use for host */
	event_put_fn *put;
	void *arg;
	struct tm_diag why; /* why a line could not be written; empty = it was not that */
	bool written;       /* all lines were, and there was one */
};

/* The lines as a metric whose table is empty: metric_opts.own is the struct tm_folded. */
extern const struct tm_metric tm_folded_metric;

#endif
