/* SPDX-License-Identifier: MIT
 * Memory in large pages.
 *
 * A tool runs once over a trace, and asks for memory until it ends.  In pages of 4 KiB, each of
 * which the kernel hands out and the processor looks up on its own, that is up to a third of the
 * time of a command that keeps rows.  Where the kernel has no large pages, all is as without. */
#ifndef TM_BASE_HEAP_H
#define TM_BASE_HEAP_H

#include <stddef.h>

/* What malloc gives is cut from large pages.  For main of a tool, before its first thread.  Address
 * space is taken, memory is not until it is used; what is freed stays with the process. */
void tm_heap_init(void);

/* The n bytes at p, from malloc, are to be in large pages if they are many. */
void tm_heap_large_pages(void *p, size_t n);

#endif
