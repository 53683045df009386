/* SPDX-License-Identifier: MIT
 * Messages that come seldom are unpacked by protobuf-c, by schemas/perfetto.proto: here they end as
 * plain structures, nothing else of the reader sees what was generated.
 *
 * What it unpacks lies in an arena that is used again for each message.  That is bounded: an
 * unknown field of two bytes takes fifty in memory, and a packet may have millions.
 *
 * protobuf-c refuses a message for every flaw there is in it.  What has a flaw is mended first:
 * fields whose type is another than the schema's are passed over, as are groups, which is what
 * protobuf demands; and a part that is damaged ends where the damage begins. */
#include "base/base.h"
#include "read/drawn.h"
#include "read/pftrace/pftrace_parts.h"

#include <gen/perfetto.pb-c.h>
#include <stdalign.h>
#include <stdlib.h>

enum {
	BLOCK = 16 * 1024, /* the first; the next are as large as all before them */
	ARENA = 4 * 1024 *
	        1024, /* real messages take some hundred bytes, statistics a hundred KB */
	ALIGN = alignof(max_align_t),
};

struct block {
	struct block *next;
	size_t size, used;
	alignas(max_align_t) unsigned char p[];
};

struct pf_cold {
	ProtobufCAllocator allocator;
	struct block *first, *at;
	size_t size; /* of all blocks */
	bool oom, full;
	struct tm_buf mended;
};

/* Room for `size` bytes in a block of its own or another; NULL when that is too much. */
static struct block *block_for(struct pf_cold *c, size_t size)
{
	struct block *b = c->at, **end = &c->first;
	size_t room = c->size ? c->size : BLOCK;

	for (; b; b = b->next)
		if (b->size - b->used >= size)
			return b;
	room = room > size ? room : size;
	if (size > ARENA || c->size + room > ARENA) {
		c->full = true;
		return NULL;
	}
	b = malloc(sizeof *b + room);
	if (!b) {
		c->oom = true;
		return NULL;
	}
	*b = (struct block) { .size = room };
	while (*end)
		end = &(*end)->next;
	*end = b;
	c->size += room;
	return b;
}

static void *arena_alloc(void *arena, size_t size)
{
	struct pf_cold *c = arena;
	size_t n = size > ARENA ? size : (size + ALIGN - 1) / ALIGN * ALIGN;
	struct block *b = block_for(c, n);
	void *p;

	if (!b)
		return NULL;
	p = b->p + b->used;
	b->used += n;
	c->at = b;
	return p;
}

/* All goes at once, with the next message. */
static void arena_free(void *arena, void *p)
{
	(void)arena;
	(void)p;
}

static struct pf_cold *cold_new(void)
{
	struct pf_cold *c = calloc(1, sizeof *c);

	if (c)
		c->allocator = (ProtobufCAllocator) { .alloc = arena_alloc,
			                              .free = arena_free,
			                              .allocator_data = c };
	return c;
}

void tm_pf_cold_free(struct pf_cold *c)
{
	if (!c)
		return;
	for (struct block *b = c->first, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	tm_buf_fini(&c->mended);
	free(c);
}

/* ---- mending ---- */

static bool right_type(const ProtobufCFieldDescriptor *d, unsigned wire)
{
	switch (d->type) {
	case PROTOBUF_C_TYPE_BYTES:
	case PROTOBUF_C_TYPE_MESSAGE:
		return wire == WIRE_BYTES;
	default: /* of the others there are only varints here */
		return wire == WIRE_VARINT;
	}
}

static bool add_varint(struct tm_buf *b, uint64_t v)
{
	for (; v > 127; v >>= 7)
		tm_buf_chr(b, (char)(v | 128));
	return tm_buf_chr(b, (char)v);
}

/* Append the fields of a message that the schema knows, up to where it is damaged; how many levels
 * of messages there are is the schema's affair.  False when it is damaged. */
static bool mend(const ProtobufCMessageDescriptor *type, struct tm_span m, struct tm_buf *out)
{
	struct wire w = wire_of(m);
	struct wire_field fd;
	int more;

	for (;;) {
		const unsigned char *from = w.p;
		const ProtobufCFieldDescriptor *d;

		more = wire_next(&w, &fd);
		if (more <= 0)
			break;
		d = protobuf_c_message_descriptor_get_field(type, fd.tag >> 3);
		if (!d || !right_type(d, fd.tag & 7))
			continue;
		if (d->type == PROTOBUF_C_TYPE_MESSAGE) {
			struct tm_buf part = { 0 };

			mend(d->descriptor, wire_span(&fd), &part);
			add_varint(out, fd.tag);
			add_varint(out, part.n);
			tm_buf_add(out, part.p, part.n);
			out->failed |= part.failed;
			tm_buf_fini(&part);
		} else {
			tm_buf_add(out, from, (size_t)(w.p - from));
		}
	}
	return more == 0;
}

/* ---- messages ---- */

static ProtobufCMessage *attempt(struct pf_cold *c, const ProtobufCMessageDescriptor *type,
                                 struct tm_span m)
{
	for (struct block *b = c->first; b; b = b->next)
		b->used = 0;
	c->at = c->first;
	c->oom = c->full = false;
	return protobuf_c_message_unpack(type, &c->allocator, m.n, m.p);
}

/* The message, with *st TM_ST_OK; it lives until the next one is unpacked.  NULL with another *st,
 * as tm_pf_unpack_clocks. */
static const void *unpack(struct pf *f, const ProtobufCMessageDescriptor *type, struct tm_span m,
                          enum tm_status *st)
{
	struct pf_cold *c = f->cold = f->cold ? f->cold : cold_new();
	const void *k = c ? attempt(c, type, m) : NULL;

	if (c && !k && !c->oom && !c->full && m.n <= ARENA) {
		bool whole;

		tm_buf_clear(&c->mended);
		whole = mend(type, m, &c->mended);
		c->oom = c->mended.failed;
		if (whole && !c->oom)
			k = attempt(c, type,
			            (struct tm_span) { (unsigned char *)c->mended.p, c->mended.n });
	}
	*st = k ? TM_ST_OK : !c || c->oom ? TM_ST_FATAL : TM_ST_SKIP;
	return k;
}

enum tm_status tm_pf_unpack_clocks(struct pf *f, struct tm_span m, struct pf_clocks *out)
{
	enum tm_status st;
	const Tm__ClockSnapshot *k = unpack(f, &tm__clock_snapshot__descriptor, m, &st);

	out->n = 0;
	if (st != TM_ST_OK)
		return st;
	out->primary = k->primary_trace_clock;
	for (size_t i = 0; i < k->n_clocks && out->n < PF_READINGS; i++) {
		const Tm__ClockSnapshot__Clock *c = k->clocks[i];

		out->v[out->n++] = (struct pf_reading) {
			.id = c->clock_id,
			.ts = c->timestamp,
			.mult = c->unit_multiplier_ns ? c->unit_multiplier_ns : 1,
			.incremental = c->is_incremental,
		};
	}
	return TM_ST_OK;
}

enum tm_status tm_pf_unpack_defaults(struct pf *f, struct tm_span m, struct pf_packet_defaults *out)
{
	enum tm_status st;
	const Tm__TracePacketDefaults *k = unpack(f, &tm__trace_packet_defaults__descriptor, m,
	                                          &st);

	*out = (struct pf_packet_defaults) { 0 };
	if (st != TM_ST_OK)
		return st;
	out->clock = k->timestamp_clock_id;
	if (k->track_event_defaults) {
		out->has_track = k->track_event_defaults->has_track_uuid;
		out->track = k->track_event_defaults->track_uuid;
	}
	return TM_ST_OK;
}

enum tm_status tm_pf_unpack_stats(struct pf *f, struct tm_span m, struct pf_stats *out)
{
	enum tm_status st;
	const Tm__TraceStats *k = unpack(f, &tm__trace_stats__descriptor, m, &st);

	*out = (struct pf_stats) { 0 };
	for (size_t i = 0; st == TM_ST_OK && i < k->n_buffer_stats; i++) {
		out->discarded += k->buffer_stats[i]->chunks_discarded;
		out->overwritten += k->buffer_stats[i]->chunks_overwritten;
		out->lost += k->buffer_stats[i]->trace_writer_packet_loss;
	}
	return st;
}

static struct tm_span span_of(ProtobufCBinaryData b)
{
	return b.len ? (struct tm_span) { b.data, b.len } : (struct tm_span) { 0 };
}

enum tm_status tm_pf_unpack_descriptor(struct pf *f, struct tm_span m, struct pf_description *out)
{
	enum tm_status st;
	const Tm__TrackDescriptor *k = unpack(f, &tm__track_descriptor__descriptor, m, &st);

	*out = (struct pf_description) { 0 };
	if (st != TM_ST_OK)
		return st;
	out->uuid = k->uuid;
	out->parent = k->parent_uuid;
	switch (k->some_name_case) {
	case TM__TRACK_DESCRIPTOR__SOME_NAME_NAME:
		out->name = span_of(k->name);
		break;
	case TM__TRACK_DESCRIPTOR__SOME_NAME_STATIC_NAME:
		out->name = span_of(k->static_name);
		break;
	case TM__TRACK_DESCRIPTOR__SOME_NAME_ATRACE_NAME:
		out->name = span_of(k->atrace_name);
		break;
	default:
		break;
	}
	out->about = span_of(k->description);
	if (k->process) {
		out->process_name = span_of(k->process->process_name);
		out->has_pid = k->process->has_pid;
		out->pid = (uint32_t)k->process->pid;
		out->has_pid &= !tm_drawn_made_up_pid((const char *)k->description.data,
		                                      k->description.len);
	}
	if (k->thread) {
		out->has_tid = k->thread->has_tid;
		out->tid = (uint32_t)k->thread->tid;
		/* A thread's own word about its process counts for more. */
		out->pid = k->thread->has_pid ? (uint32_t)k->thread->pid : out->pid;
		out->has_pid |= k->thread->has_pid;
	}
	if (k->counter) {
		out->is_counter = true;
		out->ours = k->counter->has_y_axis_share_key &&
		            k->counter->y_axis_share_key.len == strlen(TM_DRAWN_AXIS) &&
		            !memcmp(k->counter->y_axis_share_key.data, TM_DRAWN_AXIS,
		                    strlen(TM_DRAWN_AXIS));
		out->mult = k->counter->unit_multiplier;
		out->has_incremental = k->counter->has_is_incremental;
		out->incremental = k->counter->is_incremental;
	}
	return TM_ST_OK;
}
