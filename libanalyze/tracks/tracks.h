/* SPDX-License-Identifier: MIT
 * A timeline of a run: a process for each rank, with a track for each stream, queue, copy engine,
 * host thread and counter; on one clock, if clocks are known to be comparable.  Written for
 * Perfetto (ui.perfetto.dev) or as the JSON of Chrome's trace viewer.
 *
 * In addition to the events, it draws the following, in categories that begin with "tm_", which the
 * readers of tracemill ignore:
 *     findings     what could be better, where the caller says so
 *     state        of each agent: busy, or idle, named by what most of that time was
 *                  (work/causes.h)
 *     bytes held   of each agent, by allocations and frees (metric/memory_held.h)
 *     depth        of each agent: operations that were launched and have not begun, the most of
 *                  each of 2048 parts of the time
 *     collectives  from the first agent that came to the last that left, where agents are several
 *     steps        of the first rank that has steps (work/steps.h)
 *     clock error  of each rank, where clocks were aligned
 *     busy agents  how many are at work, the mean of each of 2048 parts of the time
 * Arrows go from a launch to the first operation it caused, and from the agent that came last to
 * those that waited for it.
 *
 * Ranks come one after the other in a Perfetto file, each a packet sequence of its own with
 * ascending times, so that a reader needs to keep only one of them; slices of a track that overlap
 * without nesting are put on lanes of one name, which Perfetto shows as one track.
 *
 * Everything that is drawn is kept in memory: 48 bytes per event plus its arguments, mostly 10 to
 * 20. */
#ifndef TM_TRACKS_TRACKS_H
#define TM_TRACKS_TRACKS_H

#include "events/events.h"
#include "question/question.h"

enum tm_tracks_form {
	TM_TRACKS_PFTRACE, /* packets compressed in bundles */
	TM_TRACKS_CHROME,  /* JSON, times in microseconds from the first event */
};

/* Arguments of slices, besides names and times. */
enum tm_tracks_args {
	TM_TRACKS_ALL,  /* all that is known */
	TM_TRACKS_FEW,  /* names in full, correlation ids and agents */
	TM_TRACKS_NONE, /* agents, so that kernels have the short names they are drawn with */
};

/* A finding to be seen first, over the time that it is about: from the first work of GPUs to the
 * last; the longest idle gap of an agent; all of the trace. */
enum tm_tracks_over { TM_TRACKS_WORK, TM_TRACKS_LONGEST_IDLE, TM_TRACKS_WHOLE };
struct tm_tracks_pin {
	char *text; /* on the heap */
	enum tm_tracks_over over;
};

enum { TM_TRACKS_PINS = 6 };

/* Options and output; all other members must be 0 at first. */
struct tm_tracks {
	enum tm_tracks_form form;
	unsigned kinds; /* of events: bits 1 << enum tm_event_kind */
	bool no_flows;  /* no arrows */
	enum tm_tracks_args args;
	uint64_t budget; /* bytes at most, before compression: UINT64_MAX = no limit.  What is left
	                  * out for it is noted in the report */
	struct tm_tracks_pin pin[TM_TRACKS_PINS]; /* pins of them, worst first; the caller's */
	size_t pins;
	event_put_fn *put;
	void *arg;
	struct tm_diag why; /* why it could not be written; empty = it was not that */
	bool written;       /* all was, and there was an event */
};

/* The timeline as a metric whose table is empty: metric_opts.own is the struct tm_tracks. */
extern const struct tm_metric tm_tracks_metric;

#endif
