/* SPDX-License-Identifier: MIT
 * Memory in large pages.
 *
 * A tool runs once over a trace, and allocates memory until it ends.  With pages of 4 KiB, page
 * faults and address translation take up to a third of the time of a command that keeps rows.  If
 * the kernel has no large pages, this has no effect. */
#ifndef TM_BASE_HEAP_H
#define TM_BASE_HEAP_H

#include <stddef.h>

/* Make malloc use large pages.  Called by main of a tool, before its first thread.  Reserves
 * address space, but memory only when it is used; freed memory stays with the process. */
void tm_heap_init(void);

/* Ask for large pages for the n bytes at p, from malloc, if they are many. */
void tm_heap_large_pages(void *p, size_t n);

#endif
