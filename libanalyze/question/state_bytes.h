/* SPDX-License-Identifier: MIT
 * Numbers, texts and names as the bytes of an item that a question keeps (question/state.h). */
#ifndef TM_QUESTION_STATE_BYTES_H
#define TM_QUESTION_STATE_BYTES_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of them.  Read it to where `bad` is looked at: what is not there is 0, or "". */
struct tm_state_bytes {
	const unsigned char *p, *end;
	bool bad; /* something was asked for that is not there */
};

/* All of p[0..n). */
struct tm_state_bytes tm_state_bytes(const void *p, size_t n);

/* The next number. */
uint64_t tm_state_number(struct tm_state_bytes *b);

/* The same, at most `most`. */
uint64_t tm_state_up_to(struct tm_state_bytes *b, uint64_t most);

/* How many things follow, of which each takes a byte or more. */
size_t tm_state_many(struct tm_state_bytes *b);

/* len bytes, borrowed. */
const char *tm_state_text(struct tm_state_bytes *b, size_t *len);

/* Append them. */
void tm_state_put_text(struct tm_buf *out, const char *text, size_t len);

/* Append v[0..n) as bytes of the same weight side by side, the lowest first, each sort packed on
 * its own: numbers of which only the high bytes are alike.  False when out of memory. */
bool tm_state_put_planes(struct tm_buf *out, const uint64_t *v, size_t n);

/* Read n of them back, for the caller to free.  NULL when out of memory, or with b->bad. */
uint64_t *tm_state_get_planes(struct tm_state_bytes *b, size_t n);

/* Names that are spoken of by small numbers, in the order in which they come up. */
struct tm_state_dict {
	const struct tm_names *names;
	uint32_t *of; /* of each name its number + 1, 0 = none yet */
	uint32_t n;
	struct tm_buf text;
};

/* {0} with *names, which stays as it is meanwhile.  False when out of memory. */
bool tm_state_dict_init(struct tm_state_dict *d, const struct tm_names *names);

/* The number of a name, from 1; TM_NAME_NONE has 0. */
uint32_t tm_state_dict_of(struct tm_state_dict *d, uint32_t name);

/* Append all names that came up; free it. */
void tm_state_dict_put(struct tm_state_dict *d, struct tm_buf *out);
void tm_state_dict_fini(struct tm_state_dict *d);

/* Those names, into *names: id[number], which the caller frees, *n numbers with that 0 which is
 * TM_NAME_NONE.  NULL when out of memory. */
uint32_t *tm_state_dict_get(struct tm_state_bytes *b, struct tm_names *names, size_t *n);

#endif
