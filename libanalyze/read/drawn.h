/* SPDX-License-Identifier: MIT
 * What the timelines that tracemill writes itself (tracks/tracks.h) say of themselves, as Perfetto
 * traces and as JSON: each rank is a process called "rank N", the ranks stand one after the
 * other, and a text about each process says what its name does not. */
#ifndef TM_READ_DRAWN_H
#define TM_READ_DRAWN_H

#include "read/batch.h"
#include "read/reader.h"

/* The text about the first process, or track: what follows it is a timeline of tracemill. */
#define TM_DRAWN_MARK "tracemill 1"

/* Categories of what is drawn beside the events begin with it. */
#define TM_DRAWN_OWN "tm_"

/* Packets of the first rank are of this sequence, those of the next of the next; what is about the
 * job is in the one before. */
enum { TM_DRAWN_FIRST_RANK = 2 };

/* Values that are, share their axis with this key. */
#define TM_DRAWN_AXIS "tm_own"

/* What the text about a process says. */
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

/* Append that text, or nothing where there is nothing to say.  False when out of memory. */
bool tm_drawn_put_about(struct tm_buf *b, const struct tm_drawn_about *about);

/* The columns of an agent that the text keeps, and one of them, row i of a TM_EV_AGENT, in its
 * words.  False when out of memory. */
tm_ev_set tm_drawn_agent_columns(void);
bool tm_drawn_put_agent(struct tm_buf *b, const struct tm_batch *agents, uint32_t i);

/* Add what a timeline of it says that an input lost: what was left out when that was drawn itself,
 * by reasons that say so, and what its reader could not use or its profiler had lost, by three of
 * their own.  `whole` = it was read to its end. */
void tm_drawn_add_loss(struct tm_loss *into, const struct tm_loss *of, bool whole);

/* Is that the text about a process whose id was made up? */
bool tm_drawn_made_up_pid(const char *about, size_t n);

/* What a counter of an agent is called, up to its own name: "GPU [0] PMC ", as rocprofv3 does.
 * False when out of memory. */
bool tm_drawn_put_counter(struct tm_buf *b, uint64_t agent);

/* How many bytes of that a name begins with, with *agent; 0 = it is of none. */
size_t tm_drawn_counter(const char *name, size_t n, uint64_t *agent);

/* The ranks of an input, in its order.  {0} is a valid empty one. */
struct tm_drawn {
	struct tm_origin *origin;
	uint32_t *about; /* of each the text about its process, in `text` */
	size_t n, cap, about_cap;
	bool ended;           /* the last is at its end */
	struct tm_names text; /* texts of them */
};

/* A process, by its name and the text about it: the next rank, if its name is one, and then
 * *is_rank.  False when out of memory. */
bool tm_drawn_add(struct tm_drawn *m, struct tm_reader *r, const char *name, size_t len,
                  const char *about, size_t n, bool *is_rank);

/* After the last: who drew the picture, also one without ranks, and what is known of a single rank,
 * or of all of them, goes to the reader, which has not read anything yet, and the agents of the
 * first to `agents`.  False when out of memory. */
bool tm_drawn_know(struct tm_drawn *m, struct tm_reader *r, struct tm_ev_rows *agents);

/* The reader goes on with the nth of several: all of those before were given out.  False when out
 * of memory. */
bool tm_drawn_next(struct tm_drawn *m, struct tm_reader *r, size_t nth, struct tm_ev_rows *agents);

/* The input has been read. */
void tm_drawn_end(struct tm_drawn *m, struct tm_reader *r);

/* Free what it holds, which the reader's origins point to. */
void tm_drawn_fini(struct tm_drawn *m);

#endif
