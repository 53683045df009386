/* SPDX-License-Identifier: MIT
 * Is the same work given in two formats?  A profiler may write one run as CSV and as a pftrace; both in
 * one directory would count every kernel twice, and their bytes do not tell. */
#ifndef STREAM_TWICE_H
#define STREAM_TWICE_H

#include "stream/drive.h"

struct twice_entry {
	char *run, *format, *path;
	unsigned kinds; /* bits 1 << enum ev_kind: dispatches, copies */
};

/* {0} is a valid empty one. */
struct twice {
	struct twice_entry *v;
	size_t n, cap;
};

/* The kinds that a batch counts as, of those that matter here. */
unsigned twice_kinds(const struct batch *b);

/* This piece had events of these kinds.  False when out of memory. */
bool twice_note(struct twice *t, const struct piece *p, unsigned kinds);

/* What is there twice, into *rep, in an order that does not depend on that of the notes. */
void twice_tell(struct twice *t, enum severity severity, struct report *rep);

/* Free it; {0} again. */
void twice_fini(struct twice *t);

#endif
