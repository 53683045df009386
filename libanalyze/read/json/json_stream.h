/* SPDX-License-Identifier: MIT
 * Streaming JSON (RFC 8259): values one after the other, never a document.
 *
 * A cursor walks over bytes in memory and validates everything: brackets, commas, numbers, escapes,
 * UTF-8.  If the bytes end inside a value, it returns JSON_MORE and the caller begins that value
 * again with more bytes; struct json_stream buffers an input for that, at most its largest value
 * that is wanted whole.
 *
 * Beyond the standard, since profilers write them: NaN, Infinity, nan and inf with or without a
 * minus are values, and read as null.  Nothing else is forgiven.  Nesting deeper than JSON_DEPTH is
 * an error.  A key that comes twice is given twice. */
#ifndef TM_READ_JSON_JSON_STREAM_H
#define TM_READ_JSON_JSON_STREAM_H

#include "base/base.h"
#include "io/io.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	JSON_DEPTH = 512,              /* containers inside one another that can be skipped */
	JSON_PAD = 32,                 /* NUL bytes after the end of what a cursor walks over */
	JSON_WHOLE = 16 * 1024 * 1024, /* bytes of a value that is wanted whole */
};

enum json_kind {
	JSON_NONE, /* nothing: the cursor says why */
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_STRING,
	JSON_NUMBER,
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL,
};

enum json_state {
	JSON_GOOD,
	JSON_MORE, /* the bytes end inside a value */
	JSON_BAD,  /* no JSON: see `why`, at `p` */
};

/* A value: of a string the bytes between its quotes, of a number its digits.  p points into the
 * bytes of the cursor. */
struct json_item {
	enum json_kind kind;
	bool escaped; /* a string with backslashes: tm_json_text undoes them */
	const unsigned char *p;
	size_t n;
};

/* Where reading is.  JSON_PAD NUL bytes must follow end. */
struct json {
	const unsigned char *p, *end;
	bool last; /* nothing comes after end: a number may end there */
	enum json_state state;
	const char *why; /* static */
};

/* Skipping one value piece by piece: {0} before. */
struct json_skip {
	uint64_t object[JSON_DEPTH / 64]; /* bit d: container d is an object */
	unsigned depth, phase;
};

/* The next value.  Of a container only its opening bracket is consumed.  kind JSON_NONE: c->state.
 */
struct json_item tm_json_value(struct json *c);

/* Inside an object: its next key, consumed with the colon.  *first is true before the first call.
 * False at the closing brace, which is consumed, and where c->state is not JSON_GOOD. */
bool tm_json_member(struct json *c, bool *first, struct json_item *key);

/* Inside an array: is there another element?  As tm_json_member. */
bool tm_json_element(struct json *c, bool *first);

/* Skip one value.  False where c->state is not JSON_GOOD; after JSON_MORE it goes on with the same
 * *s where it stopped, c->p (so only what follows c->p must be kept). */
bool tm_json_skip_on(struct json *c, struct json_skip *s);

/* Skip one value that is wanted whole. */
bool tm_json_skip(struct json *c);

/* Skip the rest of a container whose opening bracket, given as a kind, was just consumed.  Any
 * other kind: nothing to do. */
bool tm_json_skip_rest(struct json *c, enum json_kind opened);

/* The text of a string without its escapes: its own bytes where it has none, else put into *b.
 * Halves of surrogate pairs become U+FFFD.  False when out of memory. */
bool tm_json_text(const struct json_item *s, struct tm_buf *b, const char **p, size_t *n);

/* Is it the string `text`?  Escapes are not undone. */
static inline bool json_is(const struct json_item *s, const char *text, size_t n)
{
	return s->n == n && !memcmp(s->p, text, n);
}

/* The first member of that key of the object p[0..n), which nothing needs to follow: a padded copy
 * of it is put into *copy, where *v points.  The key must hold nothing that JSON escapes.  False:
 * no such member, no JSON up to its end, or out of memory (copy->failed). */
bool tm_json_find(const char *p, size_t n, const char *key, struct tm_buf *copy,
                  struct json_item *v);

/* A number, or a string that holds one, as an integer: decimal, "0x..." or "12.0".  False when it
 * is none, negative or too large. */
bool tm_json_u64(const struct json_item *v, uint64_t *out);

/* The same, as a finite real. */
bool tm_json_real(const struct json_item *v, double *out);

/* A number of microseconds, or a string that holds one, as nanoseconds: decimal digits, never a
 * double.  What follows the third decimal is cut off.  *negative: it is below zero, *ns above.
 * False when it is no number or does not fit 63 bits. */
bool tm_json_us(const struct json_item *v, uint64_t *ns, bool *negative);

/* The bytes of an input.  {0} before tm_json_open; tm_json_fini after, whatever happened. */
struct json_stream {
	struct tm_source *src;
	unsigned char *buf;
	size_t cap;
	uint64_t base; /* bytes before buf */
	struct json c; /* over what is in buf */
	bool broken;   /* the source gave an error before its end: why */
	struct tm_diag why;
	int aside; /* 1 + descriptor of what was put aside, which comes before the rest of src ...
	            */
	struct tm_buf
	        block; /* ... and after it what there was no room for in the file; 0 = nothing */
	size_t block_at;
};

/* Bind to a source.  A byte order mark is passed over.  TM_ST_OK, or TM_ST_FATAL with s->why. */
enum tm_status tm_json_open(struct json_stream *s, struct tm_source *src);

/* After JSON_MORE: get more bytes, keeping those from `keep` on, where the cursor stands then.
 * TM_ST_OK; TM_ST_END when there are no more: the value is cut (or, with s->broken, the source is);
 * TM_ST_FATAL with s->why: out of memory, or the value is larger than JSON_WHOLE. */
enum tm_status tm_json_more(struct json_stream *s, const unsigned char *keep);

/* After the cursor stopped, for JSON_MORE or JSON_BAD: as tm_json_more, and all that is not
 * TM_ST_OK is TM_ST_FATAL with the text for the user in *why: no JSON, no memory, the source broke,
 * or the file ends, and `inside` says where: "inside a value". */
enum tm_status tm_json_go_on(struct json_stream *s, const unsigned char *keep, const char *inside,
                             struct tm_diag *why);

/* After the outermost value: TM_ST_END at the end of the input; TM_ST_OK when there may be more of
 * it: call again; TM_ST_FATAL with *why: something else than blanks follows, or the source broke.
 * */
enum tm_status tm_json_end(struct json_stream *s, struct tm_diag *why);

/* Look at the end before the rest is read: everything the source still has goes into a file without
 * a name, and is read from there.  The last bytes of the input, at most `most` of them, into *tail;
 * none where the disk has no room for it all, or the source broke, which both change nothing else.
 * False when out of memory. */
bool tm_json_aside(struct json_stream *s, struct tm_buf *tail, size_t most);

/* Byte of the input the cursor stands at. */
uint64_t tm_json_at(const struct json_stream *s);

/* Free it; {0} again. */
void tm_json_fini(struct json_stream *s);

#endif
