/* SPDX-License-Identifier: MIT
 * Numbers, texts and names as the bytes of a stored item (question/state.h). */
#ifndef TM_QUESTION_STATE_BYTES_H
#define TM_QUESTION_STATE_BYTES_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The remaining bytes.  Check `bad` only after reading: what is missing is read as 0 or "". */
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

/* A number of following things, each of which takes at least a byte. */
size_t tm_state_many(struct tm_state_bytes *b);

/* len bytes, borrowed. */
const char *tm_state_text(struct tm_state_bytes *b, size_t *len);

/* Append them. */
void tm_state_put_text(struct tm_buf *out, const char *text, size_t len);

/* Append v[0..n) by byte planes, the lowest first, each compressed separately: for numbers of which
 * only the high bytes are alike.  False when out of memory. */
bool tm_state_put_planes(struct tm_buf *out, const uint64_t *v, size_t n);

/* Read n of them back, for the caller to free.  NULL when out of memory, or with b->bad. */
uint64_t *tm_state_get_planes(struct tm_state_bytes *b, size_t n);

/* Names by small numbers, in order of first use. */
struct tm_state_dict {
	const struct tm_names *names;
	uint32_t *of; /* of each name its number + 1, 0 = none yet */
	uint32_t n;
	struct tm_buf text;
};

/* Initialize it with *names, which must not change meanwhile.  False when out of memory. */
bool tm_state_dict_init(struct tm_state_dict *d, const struct tm_names *names);

/* The number of a name, from 1; TM_NAME_NONE has 0. */
uint32_t tm_state_dict_of(struct tm_state_dict *d, uint32_t name);

/* Append all names that were used; free it. */
void tm_state_dict_put(struct tm_state_dict *d, struct tm_buf *out);
void tm_state_dict_fini(struct tm_state_dict *d);

/* Read these names into *names and return id[number], freed by the caller: *n numbers including 0,
 * which is TM_NAME_NONE.  NULL when out of memory. */
uint32_t *tm_state_dict_get(struct tm_state_bytes *b, struct tm_names *names, size_t *n);

#endif
