/* SPDX-License-Identifier: MIT
 * A loop shared by several threads, and results that are computed once. */
#ifndef TM_BASE_THREADS_H
#define TM_BASE_THREADS_H

#include <stdbool.h>
#include <stddef.h>

/* Call do_one(arg, i) for i = 0 .. n - 1, in any order, from up to `jobs` threads, the caller's
 * among them.  False if a call returned false: then no new one is begun.  Where threads cannot be
 * created, fewer are used. */
bool tm_each(bool (*do_one)(void *arg, size_t i), void *arg, size_t n, unsigned jobs);

/* Guards a result that the first thread to need it computes.  {0}: not computed.  Not to be copied
 * while other threads use it. */
struct tm_once {
	unsigned char state; /* private; read and written atomically */
};

/* True: the caller computes the result and calls tm_once_end, even if that failed.  False: it is
 * computed and may be read; waits while another thread computes it. */
bool tm_once_begin(struct tm_once *o);
void tm_once_end(struct tm_once *o);

/* Make it not computed again, while no other thread uses it. */
void tm_once_again(struct tm_once *o);

#endif
