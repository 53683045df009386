/* SPDX-License-Identifier: MIT
 * The same for many things, several at a time. */
#ifndef REPLAY_THREADS_H
#define REPLAY_THREADS_H

#include <stdbool.h>
#include <stddef.h>

/* do_one(arg, i) for i = 0 .. n - 1, in no order, by up to `jobs` threads.  False when one of them
 * is; where no thread can be made there is one. */
bool tm_replay_each(bool (*do_one)(void *arg, size_t i), void *arg, size_t n, unsigned jobs);

#endif
