/* SPDX-License-Identifier: MIT
 * A growable run of bytes; also the string builder of the renderers. */
#ifndef TM_BASE_BUF_H
#define TM_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is a valid empty buffer.  After a failed allocation `failed` stays true, further calls do
 * nothing and return false: a caller may append a whole line and look at `failed` once. */
struct tm_buf {
	char *p;    /* n bytes, followed by a NUL byte whenever p is not NULL */
	size_t n;   /* bytes in use */
	size_t cap; /* bytes allocated */
	bool failed;
};

/* Room for `more` further bytes (and a NUL).  False when out of memory. */
bool tm_buf_reserve(struct tm_buf *b, size_t more);

/* Append.  False when out of memory. */
bool tm_buf_add(struct tm_buf *b, const void *p, size_t n);
bool tm_buf_str(struct tm_buf *b, const char *s);
bool tm_buf_chr(struct tm_buf *b, char c);
bool tm_buf_u64(struct tm_buf *b, uint64_t v);
/* A time in four digits, rounded half up: "9.128 ms". */
bool tm_buf_ns(struct tm_buf *b, uint64_t ns);
bool tm_buf_fmt(struct tm_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Empty it, keep the memory. */
void tm_buf_clear(struct tm_buf *b);

/* Free it; {0} again. */
void tm_buf_fini(struct tm_buf *b);

/* *v = array of at least `want` items of `size` bytes, grown by doubling; *cap is in items.
 * New memory is not initialized.  False when out of memory (*v and *cap unchanged). */
bool tm_grow_array(void *v, size_t *cap, size_t want, size_t size);

/* The same, but new items, up to *cap, are 0. */
bool tm_grow_zeroed(void *v, size_t *cap, size_t want, size_t size);

/* The same for an array of *n items, which grows to at least `want`; new ones are 0. For calls per
 * row, which mostly find the item there. */
bool tm_grow_known_more(void *v, size_t *n, size_t *cap, size_t want, size_t size);
static inline bool tm_grow_known(void *v, size_t *n, size_t *cap, size_t want, size_t size)
{
	return want <= *n || tm_grow_known_more(v, n, cap, want, size);
}

/* n items of `size` bytes, from malloc, not initialized; NULL when out of memory.  For arrays with
 * an item per row of a run: for a large one the kernel is asked for large pages, as in
 * tm_grow_array, since the first access to small pages can cost more than their use. */
void *tm_array(size_t n, size_t size);

#endif
