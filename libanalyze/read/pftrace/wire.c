/* SPDX-License-Identifier: MIT */
#include "read/pftrace/wire.h"

enum { GROUPS = 64 }; /* nested in one another, at most */

const unsigned char *tm_wire_group(const unsigned char *p, const unsigned char *end, uint32_t tag)
{
	uint32_t open[GROUPS];
	size_t n = 0;

	open[n++] = tag >> 3;
	while (p < end) {
		uint64_t t, v;

		p = wire_varint(p, &t);
		if (!p || p > end || t > UINT32_MAX || t < 8)
			return NULL;
		switch (t & 7) {
		case WIRE_VARINT:
			p = wire_varint(p, &v);
			break;
		case WIRE_BYTES:
			p = wire_varint(p, &v);
			if (!p || p > end || v > (size_t)(end - p))
				return NULL;
			p += v;
			break;
		case WIRE_I64:
		case WIRE_I32:
			if ((size_t)(end - p) < ((t & 7) == WIRE_I64 ? 8 : 4))
				return NULL;
			p += (t & 7) == WIRE_I64 ? 8 : 4;
			break;
		case WIRE_GROUP:
			if (n == GROUPS)
				return NULL;
			open[n++] = (uint32_t)t >> 3;
			break;
		case WIRE_GROUP_END:
			if (open[--n] != t >> 3)
				return NULL;
			if (!n)
				return p;
			break;
		default:
			return NULL;
		}
		if (!p)
			return NULL;
	}
	return NULL;
}
