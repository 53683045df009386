/* SPDX-License-Identifier: MIT */
#include "tests/gen/perfetto.h"

#include "gen/perfetto.pb-c.h"
#include "tests/gen/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FRESH = 32, /* texts that one packet may introduce, of one sort */
	SEQUENCE = 2,
};

/* ---- texts that are written once ---- */

enum sort { CATEGORY, EVENT_NAME, ANNOTATION, SORTS };

static struct {
	uint32_t iids;
	size_t fresh;
	Tm__InternedText entry[FRESH];
	Tm__InternedText *list[FRESH];
} sorts[SORTS];

static uint32_t iid(enum sort s, struct word *w)
{
	Tm__InternedText *e;

	if (w->iid)
		return w->iid;
	if (sorts[s].fresh == FRESH)
		die("too many new texts in one packet");
	w->iid = ++sorts[s].iids;
	e = &sorts[s].entry[sorts[s].fresh];
	tm__interned_text__init(e);
	e->has_iid = e->has_text = 1;
	e->iid = w->iid;
	e->text.data = (uint8_t *)(uintptr_t)w->text;
	e->text.len = w->n;
	sorts[s].list[sorts[s].fresh++] = e;
	return w->iid;
}

/* ---- packets ---- */

struct bytes {
	unsigned char p[4096];
	size_t n;
};

static struct bytes event; /* the TrackEvent being made */

static void put_varint(struct bytes *b, uint64_t v)
{
	for (; v > 127; v >>= 7)
		b->p[b->n++] = (unsigned char)(v | 128);
	b->p[b->n++] = (unsigned char)v;
}

/* A length as the SDK writes it: it leaves room for four bytes before it knows. */
static void put_length(struct bytes *b, size_t n)
{
	for (int i = 0; n > 127 && i < 3; i++, n >>= 7)
		b->p[b->n++] = (unsigned char)(n | 128);
	b->p[b->n++] = (unsigned char)n;
}

static void put_fixed64(struct bytes *b, uint64_t v)
{
	for (int i = 0; i < 8; i++, v >>= 8)
		b->p[b->n++] = (unsigned char)v;
}

static void write_packet(const unsigned char *p, size_t n)
{
	struct bytes frame = { .n = 0 };

	frame.p[frame.n++] = 0x0a;
	put_varint(&frame, n);
	fwrite(frame.p, 1, frame.n, stdout);
	fwrite(p, 1, n, stdout);
}

static void write_message(const Tm__TracePacket *m)
{
	static struct text room;
	size_t n = tm__trace_packet__get_packed_size(m);

	room.n = 0;
	if (room.cap <= n) {
		free(room.p);
		room.cap = n * 2;
		room.p = alloc(room.cap, 1);
	}
	tm__trace_packet__pack(m, (uint8_t *)room.p);
	write_packet((unsigned char *)room.p, n);
}

/* Field 12 of the packet: the texts that this event used first. */
static void put_interned(struct text *t)
{
	Tm__InternedData d = TM__INTERNED_DATA__INIT;
	struct bytes head = { .n = 0 };
	uint8_t *p;
	size_t n;

	d.n_event_categories = sorts[CATEGORY].fresh;
	d.event_categories = sorts[CATEGORY].list;
	d.n_event_names = sorts[EVENT_NAME].fresh;
	d.event_names = sorts[EVENT_NAME].list;
	d.n_debug_annotation_names = sorts[ANNOTATION].fresh;
	d.debug_annotation_names = sorts[ANNOTATION].list;
	n = tm__interned_data__get_packed_size(&d);
	if (!n)
		return;
	p = alloc(n, 1);
	tm__interned_data__pack(&d, p);
	put_varint(&head, 12 << 3 | 2);
	put_length(&head, n);
	text_mem(t, (const char *)head.p, head.n);
	text_mem(t, (const char *)p, n);
	free(p);
	for (int s = 0; s < SORTS; s++)
		sorts[s].fresh = 0;
}

/* The packet around `event`. */
static void write_event(uint64_t ns)
{
	static struct text t;
	struct bytes b = { .n = 0 };

	t.n = 0;
	put_varint(&b, 8 << 3);
	put_varint(&b, ns);
	put_varint(&b, 58 << 3);
	put_varint(&b, 6); /* boot time */
	put_varint(&b, 13 << 3);
	put_varint(&b, 2);
	put_varint(&b, 11 << 3 | 2);
	put_length(&b, event.n);
	text_mem(&t, (char *)b.p, b.n);
	text_mem(&t, (char *)event.p, event.n);
	put_interned(&t);
	b.n = 0;
	put_varint(&b, 3 << 3);
	put_varint(&b, 0);
	put_varint(&b, 10 << 3);
	put_varint(&b, SEQUENCE);
	put_varint(&b, 79 << 3);
	put_varint(&b, 0);
	text_mem(&t, (char *)b.p, b.n);
	write_packet((unsigned char *)t.p, t.n);
}

/* ---- track events ---- */

/* An annotation with a number: field 3 unsigned, 4 signed, 5 a double. */
static void note(struct word *name, unsigned field, uint64_t v)
{
	struct bytes a = { .n = 0 };

	put_varint(&a, 1 << 3);
	put_varint(&a, iid(ANNOTATION, name));
	put_varint(&a, field << 3 | (field == 5 ? 1 : 0));
	if (field == 5)
		put_fixed64(&a, v);
	else
		put_varint(&a, v);
	put_varint(&event, 4 << 3 | 2);
	put_length(&event, a.n);
	memcpy(event.p + event.n, a.p, a.n);
	event.n += a.n;
}

void note_u64(struct word *name, uint64_t v)
{
	note(name, 3, v);
}

void note_i64(struct word *name, uint64_t v)
{
	note(name, 4, v);
}

void note_double(struct word *name, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, 8);
	note(name, 5, bits);
}

void note_text(struct word *name, const char *text)
{
	size_t n = strlen(text);
	struct bytes a = { .n = 0 };

	put_varint(&a, 1 << 3);
	put_varint(&a, iid(ANNOTATION, name));
	put_varint(&a, 6 << 3 | 2);
	put_length(&a, n);
	put_varint(&event, 4 << 3 | 2);
	put_length(&event, a.n + n);
	memcpy(event.p + event.n, a.p, a.n);
	memcpy(event.p + event.n + a.n, text, n);
	event.n += a.n + n;
}

void slice_begin(struct word *category, struct word *name, uint64_t track, uint64_t flow)
{
	event.n = 0;
	put_varint(&event, 9 << 3);
	put_varint(&event, 1);
	put_varint(&event, 3 << 3);
	put_varint(&event, iid(CATEGORY, category));
	put_varint(&event, 10 << 3);
	put_varint(&event, iid(EVENT_NAME, name));
	put_varint(&event, 11 << 3);
	put_varint(&event, track);
	put_varint(&event, 47 << 3 | 1);
	put_fixed64(&event, flow);
}

void slice_finish(uint64_t start, uint64_t end, uint64_t track)
{
	write_event(start);
	event.n = 0;
	put_varint(&event, 9 << 3);
	put_varint(&event, 2);
	put_varint(&event, 11 << 3);
	put_varint(&event, track);
	write_event(end);
}

void counter_sample(uint64_t ns, uint64_t track, uint64_t value)
{
	event.n = 0;
	put_varint(&event, 9 << 3);
	put_varint(&event, 4);
	put_varint(&event, 11 << 3);
	put_varint(&event, track);
	put_varint(&event, 30 << 3);
	put_varint(&event, value);
	write_event(ns);
}

/* ---- the beginning of the file ---- */

static Tm__TracePacket packet(uint64_t sequence)
{
	Tm__TracePacket p = TM__TRACE_PACKET__INIT;

	p.has_trusted_uid = p.has_trusted_packet_sequence_id = 1;
	p.trusted_packet_sequence_id = (uint32_t)sequence;
	return p;
}

static void clocks(uint64_t boot)
{
	static const uint32_t ids[] = { 6, 2, 4, 1, 3, 5 };
	const uint64_t real = UINT64_C(1795216256995262070);
	Tm__ClockSnapshot__Clock c[6], *list[6];
	Tm__ClockSnapshot s = TM__CLOCK_SNAPSHOT__INIT;
	Tm__TracePacket p = packet(1);

	for (int i = 0; i < 6; i++) {
		tm__clock_snapshot__clock__init(&c[i]);
		c[i].has_clock_id = c[i].has_timestamp = 1;
		c[i].clock_id = ids[i];
		c[i].timestamp = ids[i] < 3 ? real : boot;
		list[i] = &c[i];
	}
	s.n_clocks = 6;
	s.clocks = list;
	s.has_primary_trace_clock = 1;
	s.primary_trace_clock = 6;
	p.clock_snapshot = &s;
	write_message(&p);
}

/* The producer's sequence begins: its own clock counts from the last packet, in ns. */
static void sequence(uint64_t boot, uint64_t thread)
{
	Tm__ClockSnapshot__Clock c[2], *list[2] = { &c[0], &c[1] };
	Tm__ClockSnapshot s = TM__CLOCK_SNAPSHOT__INIT;
	Tm__TrackEventDefaults te = TM__TRACK_EVENT_DEFAULTS__INIT;
	Tm__TracePacketDefaults d = TM__TRACE_PACKET_DEFAULTS__INIT;
	Tm__TracePacket p = packet(SEQUENCE);

	for (int i = 0; i < 2; i++) {
		tm__clock_snapshot__clock__init(&c[i]);
		c[i].has_clock_id = c[i].has_timestamp = 1;
		c[i].clock_id = i ? 64 : 6;
		c[i].timestamp = boot;
	}
	c[1].has_is_incremental = c[1].is_incremental = 1;
	c[1].has_unit_multiplier_ns = 1;
	c[1].unit_multiplier_ns = 1;
	s.n_clocks = 2;
	s.clocks = list;
	te.has_track_uuid = 1;
	te.track_uuid = thread;
	d.track_event_defaults = &te;
	d.has_timestamp_clock_id = 1;
	d.timestamp_clock_id = 64;
	p.clock_snapshot = &s;
	p.trace_packet_defaults = &d;
	p.has_timestamp = 1;
	p.has_sequence_flags = p.has_previous_packet_dropped = p.has_first_packet_on_sequence = 1;
	p.sequence_flags = p.previous_packet_dropped = 1;
	p.first_packet_on_sequence = 1;
	write_message(&p);
}

void perfetto_begin(uint64_t boot, uint64_t thread)
{
	clocks(boot - 500000);
	sequence(boot, thread);
}

static void describe(Tm__TrackDescriptor *t, uint64_t uuid, uint64_t parent)
{
	Tm__TracePacket p = packet(SEQUENCE);

	t->has_uuid = 1;
	t->uuid = uuid;
	t->has_parent_uuid = parent != 0;
	t->parent_uuid = parent;
	p.has_timestamp = p.has_sequence_flags = 1;
	p.sequence_flags = 2;
	p.timestamp = 1000; /* since the packet before */
	p.track_descriptor = t;
	write_message(&p);
}

static ProtobufCBinaryData bytes_of(const char *s)
{
	return (ProtobufCBinaryData) { .len = strlen(s), .data = (uint8_t *)(uintptr_t)s };
}

void describe_process(uint64_t uuid, uint64_t thread, uint64_t pid, const char *name)
{
	Tm__TrackDescriptor process = TM__TRACK_DESCRIPTOR__INIT, main_thread = process;
	Tm__ProcessDescriptor pd = TM__PROCESS_DESCRIPTOR__INIT;
	Tm__ThreadDescriptor td = TM__THREAD_DESCRIPTOR__INIT;

	td.has_pid = td.has_tid = td.has_thread_name = pd.has_pid = pd.has_process_name = 1;
	td.pid = td.tid = pd.pid = (int32_t)pid;
	td.thread_name = pd.process_name = bytes_of(name);
	main_thread.thread = &td;
	process.process = &pd;
	describe(&main_thread, thread, uuid);
	describe(&process, uuid, 0);
}

void describe_track(uint64_t uuid, uint64_t parent, bool counter, const char *fmt, uint64_t a,
                    uint64_t b)
{
	Tm__TrackDescriptor t = TM__TRACK_DESCRIPTOR__INIT;
	Tm__CounterDescriptor c = TM__COUNTER_DESCRIPTOR__INIT;
	struct text name = { 0 };

	for (; *fmt; fmt++) {
		if (*fmt == '#') {
			text_fmt(&name, "%llu", (unsigned long long)a);
			a = b;
		} else {
			text_mem(&name, fmt, 1);
		}
	}
	t.some_name_case = TM__TRACK_DESCRIPTOR__SOME_NAME_NAME;
	t.name = bytes_of(name.p);
	if (counter) {
		c.has_unit = c.has_unit_multiplier = 1;
		c.unit = 3;
		c.unit_multiplier = 1024;
		t.counter = &c;
	}
	describe(&t, uuid, parent);
	free(name.p);
}
