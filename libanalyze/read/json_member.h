/* SPDX-License-Identifier: MIT
 * One member of a small JSON object, such as rocpd keeps beside its rows. */
#ifndef READ_JSON_MEMBER_H
#define READ_JSON_MEMBER_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* The value of the first member called `key` of the object p[0..n): *v and *vn are its bytes as they
 * stand there, a string with its quotes.  False: no such member, or no JSON up to there.  `key` is
 * compared as it stands, so it should hold nothing that JSON escapes. */
bool json_member(const char *p, size_t n, const char *key, const char **v, size_t *vn);

/* Append what the string v[0..n), with its quotes, stands for, as UTF-8; half a surrogate pair becomes
 * U+FFFD.  False: no string, or out of memory (b->failed). */
bool json_text(const char *v, size_t n, struct buf *b);

#endif
