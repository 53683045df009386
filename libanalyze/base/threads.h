/* SPDX-License-Identifier: MIT
 * The same for many things, several at a time, and what only one of several threads may do. */
#ifndef TM_BASE_THREADS_H
#define TM_BASE_THREADS_H

#include <stdbool.h>
#include <stddef.h>

/* do_one(arg, i) for i = 0 .. n - 1, in no order, by up to `jobs` threads.  False when one of them
 * is; where no thread can be made there is one. */
bool tm_each(bool (*do_one)(void *arg, size_t i), void *arg, size_t n, unsigned jobs);

/* Something that is made when it is first asked for, by whichever thread asks.  {0}: not yet.  Not
 * to be copied while others ask. */
struct tm_once {
	unsigned char state; /* private: read and written as a whole, in order with what is made */
};

/* True: it is the caller's to make, and to end with tm_once_end, whatever became of it.  False: it
 * is made, and what was written meanwhile is there to be read; waits for who is making it. */
bool tm_once_begin(struct tm_once *o);
void tm_once_end(struct tm_once *o);

/* It is to be made anew; nobody is asking. */
void tm_once_again(struct tm_once *o);

#endif
