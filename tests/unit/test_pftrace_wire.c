/* SPDX-License-Identifier: MIT
 * The wire walker against protobuf-c: every packet of a real trace, as it is and damaged at random,
 * must have the same fields for both, down to the last annotation. */
#include "base/buf.h"
#include "gen/perfetto.pb-c.h"
#include "read/pftrace/wire.h"

#include "test.h"

/* Value of a scalar field of a message as protobuf-c has it, as the bits of the wire. */
static uint64_t scalar(const ProtobufCFieldDescriptor *d, const void *at)
{
	uint64_t v = 0;

	switch (d->type) {
	case PROTOBUF_C_TYPE_INT32:
		return (uint64_t)(int64_t) * (const int32_t *)at;
	case PROTOBUF_C_TYPE_UINT32:
		return *(const uint32_t *)at;
	case PROTOBUF_C_TYPE_BOOL:
		return *(const protobuf_c_boolean *)at != 0;
	default:
		memcpy(&v, at, 8);
		return v;
	}
}

/* The same as the walker found it: a value that is wider than its type is cut, as everyone does. */
static uint64_t narrowed(const ProtobufCFieldDescriptor *d, uint64_t v)
{
	switch (d->type) {
	case PROTOBUF_C_TYPE_INT32:
		return (uint64_t)(int64_t)(int32_t)v;
	case PROTOBUF_C_TYPE_UINT32:
		return (uint32_t)v;
	case PROTOBUF_C_TYPE_BOOL:
		return v != 0;
	default:
		return v;
	}
}

static size_t size_of(const ProtobufCFieldDescriptor *d)
{
	switch (d->type) {
	case PROTOBUF_C_TYPE_INT32:
	case PROTOBUF_C_TYPE_UINT32:
		return 4;
	case PROTOBUF_C_TYPE_BOOL:
		return sizeof(protobuf_c_boolean);
	case PROTOBUF_C_TYPE_BYTES:
		return sizeof(ProtobufCBinaryData);
	case PROTOBUF_C_TYPE_MESSAGE:
		return sizeof(void *);
	default:
		return 8;
	}
}

static unsigned type_of(const ProtobufCFieldDescriptor *d)
{
	return d->type == PROTOBUF_C_TYPE_BYTES || d->type == PROTOBUF_C_TYPE_MESSAGE ? WIRE_BYTES
	       : d->type == PROTOBUF_C_TYPE_DOUBLE || d->type == PROTOBUF_C_TYPE_FIXED64
	               ? WIRE_I64
	               : WIRE_VARINT;
}

static uint64_t fields; /* compared */

static bool same_message(const ProtobufCMessage *m, struct tm_span s);

static bool same_field(const ProtobufCFieldDescriptor *d, const void *at,
                       const struct wire_field *f)
{
	const ProtobufCBinaryData *b = at;

	fields++;
	if (d->type == PROTOBUF_C_TYPE_BYTES)
		return b->len == f->v && (!b->len || !memcmp(b->data, f->p, b->len));
	if (d->type == PROTOBUF_C_TYPE_MESSAGE)
		return same_message(*(ProtobufCMessage *const *)at, wire_span(f));
	return scalar(d, at) == narrowed(d, f->v);
}

/* Times a field occurs. */
static unsigned count(struct tm_span s, uint32_t tag)
{
	struct wire w = wire_of(s);
	struct wire_field f;
	unsigned n = 0;

	while (wire_next(&w, &f) > 0)
		n += f.tag == tag;
	return n;
}

static bool same_message(const ProtobufCMessage *m, struct tm_span s)
{
	const ProtobufCMessageDescriptor *md = m->descriptor;

	for (unsigned i = 0; i < md->n_fields; i++) {
		const ProtobufCFieldDescriptor *d = &md->fields[i];
		const char *at = (const char *)m + d->offset;
		uint32_t tag = WIRE_TAG(d->id, type_of(d));
		unsigned all = count(s, tag), k = 0;
		struct wire w = wire_of(s);
		struct wire_field f;

		/* Packed numbers, and messages that come twice and are merged: other ground. */
		if (type_of(d) != WIRE_BYTES && count(s, WIRE_TAG(d->id, WIRE_BYTES)))
			continue;
		if (d->type == PROTOBUF_C_TYPE_MESSAGE && d->label != PROTOBUF_C_LABEL_REPEATED &&
		    all > 1)
			continue;
		if (d->label == PROTOBUF_C_LABEL_REPEATED) {
			if (*(const size_t *)(const void *)((const char *)m +
			                                    d->quantifier_offset) != all)
				return false;
			at = *(char *const *)(const void *)at;
		}
		while (wire_next(&w, &f) > 0) {
			if (f.tag != tag)
				continue;
			k++;
			if (d->label == PROTOBUF_C_LABEL_REPEATED) {
				if (!same_field(d, at + (k - 1) * size_of(d), &f))
					return false;
			} else if (k == all && !same_field(d, at, &f)) {
				return false;
			}
		}
	}
	return true;
}

/* Does the walker find the end of the message, and of every message in it? */
static bool walks(const ProtobufCMessageDescriptor *md, struct tm_span s, bool *groups)
{
	struct wire w = wire_of(s);
	struct wire_field f;
	uint64_t tag;
	int more;

	while ((more = wire_next(&w, &f)) > 0) {
		const ProtobufCFieldDescriptor *d = protobuf_c_message_descriptor_get_field(
		        md, f.tag >> 3);

		*groups |= (f.tag & 7) == WIRE_GROUP || (d && (f.tag & 7) != type_of(d));
		if (d && d->type == PROTOBUF_C_TYPE_MESSAGE && (f.tag & 7) == WIRE_BYTES &&
		    !walks(d->descriptor, wire_span(&f), groups))
			return false;
	}
	/* protobuf-c cuts a tag of more than 32 bits; no writer makes one. */
	if (more < 0 && wire_varint(w.p, &tag) && tag > UINT32_MAX)
		*groups = true;
	return more == 0;
}

static uint64_t accepted, refused;

static void compare(const unsigned char *p, size_t n)
{
	unsigned char *copy = calloc(1, n + WIRE_PAD);
	struct tm_span s = { copy, n };
	bool groups = false, mine;
	Tm__TracePacket *k;

	memcpy(copy, p, n);
	mine = walks(&tm__trace_packet__descriptor, s, &groups);
	k = tm__trace_packet__unpack(NULL, n, copy);
	/* Groups and wrong wire types are taken otherwise by design; all else must agree. */
	if (!groups && (k != NULL) != mine) {
		CHECK(mine || !k);
		CHECK(k || !mine);
	} else if (k && mine && !groups) {
		CHECK(same_message(&k->base, s));
		accepted++;
	} else {
		refused++;
	}
	if (k)
		tm__trace_packet__free_unpacked(k, NULL);
	free(copy);
}

static struct tm_buf load(void)
{
	const char *dir = getenv("TESTDATA");
	char path[512];
	struct tm_buf b = { 0 };
	FILE *f;
	int c;

	snprintf(path, sizeof path, "%s/perfetto-sdk/44/tiny/tiny_unknown.pftrace",
	         dir ? dir : "testdata");
	f = fopen(path, "rb");
	CHECK(f != NULL);
	while (f && (c = getc(f)) != EOF)
		tm_buf_chr(&b, (char)c);
	if (f)
		fclose(f);
	tm_buf_reserve(&b, WIRE_PAD);
	return b;
}

static uint64_t state = 88172645463325252;

static uint64_t random_number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

TEST(every_packet)
{
	struct tm_buf b = load();
	struct wire w = { (unsigned char *)b.p, (unsigned char *)b.p + b.n };
	struct wire_field f;
	unsigned packets = 0;

	while (wire_next(&w, &f) > 0)
		if (f.tag == WIRE_TAG(1, WIRE_BYTES)) {
			compare(f.p, (size_t)f.v);
			packets++;
		}
	/* One holds an unknown field with the number of a known one and another type. */
	CHECK(packets > 1300 && accepted + 1 >= packets && fields > 10000);
	tm_buf_fini(&b);
}

TEST(damaged_packets)
{
	struct tm_buf b = load();
	struct wire w = { (unsigned char *)b.p, (unsigned char *)b.p + b.n };
	struct wire_field f;
	unsigned char copy[8192];

	accepted = refused = 0;
	while (wire_next(&w, &f) > 0) {
		if (f.tag != WIRE_TAG(1, WIRE_BYTES) || !f.v || f.v > sizeof copy)
			continue;
		for (int round = 0; round < 24; round++) {
			size_t n = (size_t)f.v;

			memcpy(copy, f.p, n);
			for (uint64_t hits = random_number() % 3; hits; hits--)
				copy[random_number() % n] = (unsigned char)random_number();
			if (random_number() % 8 == 0)
				n = random_number() % n;
			compare(copy, n);
		}
	}
	CHECK(accepted > 5000 && refused > 1000);
	tm_buf_fini(&b);
}

TEST_MAIN(T(every_packet), T(damaged_packets))
