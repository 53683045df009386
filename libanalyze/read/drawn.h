/* SPDX-License-Identifier: MIT
 * Metadata in the timelines that tracemill writes itself (tracks/tracks.h), as Perfetto traces and
 * as JSON: each rank is a process called "rank N", ranks come one after the other, and a text about
 * each process has the rest. */
#ifndef TM_READ_DRAWN_H
#define TM_READ_DRAWN_H

#include "read/batch.h"
#include "read/reader.h"

/* Begins the text about the first process, or track: what follows is a timeline of tracemill. */
#define TM_DRAWN_MARK "tracemill 1"

/* Prefix of the categories of what is drawn in addition to the events. */
#define TM_DRAWN_OWN "tm_"

/* Packet sequence of the first rank; the next rank has the next sequence, and the job the one
 * before. */
enum { TM_DRAWN_FIRST_RANK = 2 };

/* Values with this key share an axis. */
#define TM_DRAWN_AXIS "tm_own"

/* The contents of the text about a process. */
struct tm_drawn_about {
	bool made_up_pid;  /* its id was made up to tell it from others */
	const char *clock; /* what its times count; NULL = not known */
	bool aligned;      /* they compare with those of other ranks of which that is said, ... */
	const uint64_t *error;      /* ... and are off by that at worst, ns; NULL = not known */
	const struct tm_loss *left; /* what was left out of it when it was drawn, by reasons of
	                             * model/losses.def that are counts alone */
	const char *agents;         /* nagents bytes: those of its machine, by tm_drawn_put_agent */
	size_t nagents;
	const char *host; /* it ran on; NULL = not known */
};

/* Append that text, or nothing if it is empty.  False when out of memory. */
bool tm_drawn_put_about(struct tm_buf *b, const struct tm_drawn_about *about);

/* The columns of an agent that the text contains; and append row i of a TM_EV_AGENT batch in its
 * form.  False when out of memory. */
tm_ev_set tm_drawn_agent_columns(void);
bool tm_drawn_put_agent(struct tm_buf *b, const struct tm_batch *agents, uint32_t i);

/* Add the losses of an input as a timeline of it records them: what an earlier drawing omitted, by
 * reasons for that; and what its reader could not use or its profiler lost, by three reasons of
 * their own.  `whole` = the input was read to its end. */
void tm_drawn_add_loss(struct tm_loss *into, const struct tm_loss *of, bool whole);

/* Does this text say that the process id was made up? */
bool tm_drawn_made_up_pid(const char *about, size_t n);

/* Append the prefix of a counter of an agent, as in rocprofv3: "GPU [0] PMC ".  False when out of
 * memory. */
bool tm_drawn_put_counter(struct tm_buf *b, uint64_t agent);

/* Length of that prefix in a name, and *agent; 0 = it has none. */
size_t tm_drawn_counter(const char *name, size_t n, uint64_t *agent);

/* The ranks of an input, in its order.  {0} is a valid empty one. */
struct tm_drawn {
	struct tm_origin *origin;
	uint32_t *about; /* of each the text about its process, in `text` */
	size_t n, cap, about_cap;
	bool ended;           /* the last is at its end */
	struct tm_names text; /* texts of them */
};

/* Add a process by its name and the text about it: if the name is that of a rank, it is the next
 * rank, and *is_rank is set.  False when out of memory. */
bool tm_drawn_add(struct tm_drawn *m, struct tm_reader *r, const char *name, size_t len,
                  const char *about, size_t n, bool *is_rank);

/* After the last: tell the reader, before it reads, that tracemill drew the timeline (even one
 * without ranks) and what is known of the only rank or of all; the agents of the first rank go to
 * `agents`.  False when out of memory. */
bool tm_drawn_know(struct tm_drawn *m, struct tm_reader *r, struct tm_ev_rows *agents);

/* Switch the reader to the nth of several ranks; all before it are done.  False when out of
 * memory. */
bool tm_drawn_next(struct tm_drawn *m, struct tm_reader *r, size_t nth, struct tm_ev_rows *agents);

/* Call at the end of the input. */
void tm_drawn_end(struct tm_drawn *m, struct tm_reader *r);

/* Free it; the reader's origins point into it. */
void tm_drawn_fini(struct tm_drawn *m);

#endif
