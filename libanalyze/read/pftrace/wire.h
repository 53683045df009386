/* SPDX-License-Identifier: MIT
 * Protobuf as bytes: a walker over the fields of one message, without allocation and without a
 * schema.  (protobuf.dev/programming-guides/encoding)
 *
 * Every message must be in memory with WIRE_PAD readable bytes after it, of any content: a varint
 * is then loaded without a length check, and running past the end is detected afterwards. */
#ifndef TM_READ_PFTRACE_WIRE_H
#define TM_READ_PFTRACE_WIRE_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WIRE_PAD = 16 };

enum wire_type { WIRE_VARINT, WIRE_I64, WIRE_BYTES, WIRE_GROUP, WIRE_GROUP_END, WIRE_I32 };

/* A run of bytes; p NULL = there is none. */
struct tm_span {
	const unsigned char *p;
	size_t n;
};

/* Tag of a field as it stands on the wire. */
#define WIRE_TAG(number, type) ((uint32_t)(number) << 3 | (type))

struct wire {
	const unsigned char *p, *end;
};

struct wire_field {
	uint32_t tag;
	uint64_t v;             /* varint, fixed; the length of bytes */
	const unsigned char *p; /* bytes */
};

/* The eight bytes at p, the first of them lowest. */
static inline uint64_t wire_word(const unsigned char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof w);
	return le64toh(w);
}

/* The varint at p; NULL when it is longer than ten bytes. */
static inline const unsigned char *wire_varint(const unsigned char *p, uint64_t *v)
{
	uint64_t w, stop;

	if (p[0] < 0x80) {
		*v = p[0];
		return p + 1;
	}
	memcpy(&w, p, sizeof w);
	w = le64toh(w);
	stop = ~w & UINT64_C(0x8080808080808080);
	if (stop)
		w &= stop ^ (stop - 1);
	/* Push the groups of seven bits together: pairs, then fours, then all eight. */
	w &= UINT64_C(0x7f7f7f7f7f7f7f7f);
	w = (w & UINT64_C(0x007f007f007f007f)) | (w & UINT64_C(0x7f007f007f007f00)) >> 1;
	w = (w & UINT64_C(0x00003fff00003fff)) | (w & UINT64_C(0x3fff00003fff0000)) >> 2;
	w = (w & UINT64_C(0x000000000fffffff)) | (w & UINT64_C(0x0fffffff00000000)) >> 4;
	if (stop) {
		*v = w;
		return p + __builtin_ctzll(stop) / 8 + 1;
	}
	if (p[8] < 0x80) {
		*v = w | (uint64_t)p[8] << 56;
		return p + 9;
	}
	*v = w | (uint64_t)(p[8] & 0x7f) << 56 | (uint64_t)p[9] << 63;
	return p[9] < 0x80 ? p + 10 : NULL;
}

/* After the group whose tag was just read; NULL when it has no good end.  In wire.c. */
const unsigned char *tm_wire_group(const unsigned char *p, const unsigned char *end, uint32_t tag);

/* Next field: 1 with *f, 0 at the end, -1 when the message is damaged from here on.  Inlined: it is
 * what reading a trace costs. */
__attribute__((always_inline)) static inline int wire_next(struct wire *w, struct wire_field *f)
{
	const unsigned char *p = w->p, *end = w->end;
	uint64_t tag;

	if (p == end)
		return 0;
	p = wire_varint(p, &tag);
	if (!p || tag > UINT32_MAX || tag < 8)
		return -1;
	f->tag = (uint32_t)tag;
	f->v = 0;
	f->p = NULL;
	switch (tag & 7) {
	case WIRE_VARINT:
		p = wire_varint(p, &f->v);
		break;
	case WIRE_BYTES:
		p = wire_varint(p, &f->v);
		if (!p || p > end || f->v > (size_t)(end - p))
			return -1;
		f->p = p;
		p += f->v;
		break;
	case WIRE_I64:
		memcpy(&f->v, p, 8);
		f->v = le64toh(f->v);
		p += 8;
		break;
	case WIRE_I32: {
		uint32_t v;

		memcpy(&v, p, 4);
		f->v = le32toh(v);
		p += 4;
		break;
	}
	case WIRE_GROUP:
		p = tm_wire_group(p, end, f->tag);
		break;
	default:
		return -1;
	}
	if (!p || p > end)
		return -1;
	w->p = p;
	return 1;
}

static inline struct tm_span wire_span(const struct wire_field *f)
{
	return (struct tm_span) { f->p, (size_t)f->v };
}

static inline struct wire wire_of(struct tm_span s)
{
	return (struct wire) { s.p, s.p + s.n };
}

#endif
