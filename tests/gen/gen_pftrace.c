/* SPDX-License-Identifier: MIT
 * gen_pftrace - a Perfetto trace as rocprofv3 7.x writes it, of any size, from a seed.
 *
 * As there, one packet begins a slice and carries all its annotations, the next one ends it; domains
 * come one after the other: HIP API, copies, kernels, counters.  Texts are interned where they are used
 * first; all is on one sequence, with explicit times.  Kernels lie on the track of their stream, or with
 * --by-queue on that of their queue; a queue works one dispatch after the other, copies overlap them.
 *
 * --csv writes the kernel trace of the same run instead, as rocprofv3's CSV: what readers of both must
 * agree on.  The same options give the same bytes on every machine.
 *
 * Packets of events are put together by hand, in the SDK's order of fields, the others by protobuf-c. */

#include "gen/perfetto.pb-c.h"
#include "tests/gen/model.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BYTES_PER_KERNEL = 397, /* with its API call, without names; measured */
	FRESH = 32,             /* texts that one packet may introduce, of one sort */
	AGENT = 4,              /* node of the first GPU; CPUs come before */
	SEQUENCE = 2,
};

static struct {
	uint64_t bytes, seed, names, queues, agents, streams, rank, pmc;
	bool by_queue, csv;
} opt = { .seed = 42, .names = 320, .queues = 4, .agents = 1, .streams = 4 };

/* ---- texts that are written once and then named by number ---- */

enum sort { CATEGORY, EVENT_NAME, ANNOTATION, SORTS };

struct word {
	const char *text;
	size_t n;
	uint32_t iid; /* 0 = not written yet */
};

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

#define WORD(s)                                                                                    \
	{                                                                                          \
		.text = (s), .n = sizeof(s) - 1                                                    \
	}

/* clang-format off */
enum note {
	BEGIN_NS, END_NS, DELTA_NS, TID, KIND, OPERATION, CORR, ANCESTOR, STREAM, SRC, DST, BYTES,
	AGENT_ID, AGENT_TYPE, QUEUE, KERNEL_ID, SCRATCH, LDS, VGPR, ACCUM, SGPR, WORKGROUP, GRID,
	NOTES
};

static struct word notes[NOTES] = {
	[BEGIN_NS] = WORD("begin_ns"), [END_NS] = WORD("end_ns"), [DELTA_NS] = WORD("delta_ns"),
	[TID] = WORD("tid"), [KIND] = WORD("kind"), [OPERATION] = WORD("operation"),
	[CORR] = WORD("corr_id"), [ANCESTOR] = WORD("ancestor_id"), [STREAM] = WORD("stream_ID"),
	[SRC] = WORD("src_agent"), [DST] = WORD("dst_agent"), [BYTES] = WORD("copy_bytes"),
	[AGENT_ID] = WORD("agent"), [AGENT_TYPE] = WORD("agent_type"), [QUEUE] = WORD("queue"),
	[KERNEL_ID] = WORD("kernel_id"), [SCRATCH] = WORD("Scratch_Size"),
	[LDS] = WORD("LDS_Block_Size"), [VGPR] = WORD("VGPR_Count"),
	[ACCUM] = WORD("Accum_VGPR_Count"), [SGPR] = WORD("SGPR_Count"),
	[WORKGROUP] = WORD("workgroup_size"), [GRID] = WORD("grid_size"),
};

static struct word pmcs[] = {
	WORD("SQ_WAVES"), WORD("TCC_HIT_sum"), WORD("GRBM_GUI_ACTIVE"), WORD("FETCH_SIZE"),
	WORD("SQ_INSTS_VALU"), WORD("OccupancyPercent"), WORD("TCC_MISS_sum"), WORD("WRITE_SIZE"),
};
/* clang-format on */

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

static struct word cat_kernel = WORD("kernel_dispatch"), cat_copy = WORD("memory_copy"),
                   cat_hip = WORD("hip_api");

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

static void note_u64(enum note k, uint64_t v)
{
	note(&notes[k], 3, v);
}

static void note_i64(enum note k, uint64_t v)
{
	note(&notes[k], 4, v);
}

static void note_text(enum note k, const char *text)
{
	size_t n = strlen(text);
	struct bytes a = { .n = 0 };

	put_varint(&a, 1 << 3);
	put_varint(&a, iid(ANNOTATION, &notes[k]));
	put_varint(&a, 6 << 3 | 2);
	put_length(&a, n);
	put_varint(&event, 4 << 3 | 2);
	put_length(&event, a.n + n);
	memcpy(event.p + event.n, a.p, a.n);
	memcpy(event.p + event.n + a.n, text, n);
	event.n += a.n + n;
}

static void note_agent(enum note k, uint64_t node)
{
	char text[32];

	snprintf(text, sizeof text, "Agent-%llu", (unsigned long long)node);
	note_text(k, text);
}

static void begin(struct word *cat, struct word *name, uint64_t track, uint64_t flow)
{
	event.n = 0;
	put_varint(&event, 9 << 3);
	put_varint(&event, 1);
	put_varint(&event, 3 << 3);
	put_varint(&event, iid(CATEGORY, cat));
	put_varint(&event, 10 << 3);
	put_varint(&event, iid(EVENT_NAME, name));
	put_varint(&event, 11 << 3);
	put_varint(&event, track);
	put_varint(&event, 47 << 3 | 1);
	put_fixed64(&event, flow);
}

static void note_times(uint64_t start, uint64_t end)
{
	note_u64(BEGIN_NS, start);
	note_u64(END_NS, end);
	note_u64(DELTA_NS, end - start);
}

/* Write what was begun, and its end. */
static void finish(uint64_t start, uint64_t end, uint64_t track, bool again)
{
	write_event(start);
	event.n = 0;
	put_varint(&event, 9 << 3);
	put_varint(&event, 2);
	put_varint(&event, 11 << 3);
	put_varint(&event, track);
	if (again) { /* copies end their flow here */
		put_varint(&event, 3 << 3);
		put_varint(&event, iid(CATEGORY, &cat_copy));
	}
	write_event(end);
}

static void sample(uint64_t ns, uint64_t track, uint64_t value)
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

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	return (x ^ x >> 29) | 1;
}

static uint64_t pid(void)
{
	return 2659034 + 131 * opt.rank;
}

static uint64_t process_track(void)
{
	return mix(pid());
}

enum track { T_THREAD = 1, T_STREAM, T_QUEUE, T_COPY, T_BYTES };

static uint64_t track(enum track what, uint64_t number)
{
	return mix(process_track() ^ (uint64_t)what << 56 ^ number << 8);
}

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
static void sequence(uint64_t boot)
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
	te.track_uuid = track(T_THREAD, 0);
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

static void describe(Tm__TrackDescriptor *t, uint64_t uuid)
{
	Tm__TracePacket p = packet(SEQUENCE);

	t->has_uuid = 1;
	t->uuid = uuid;
	if (uuid != process_track()) {
		t->has_parent_uuid = 1;
		t->parent_uuid = process_track();
	}
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

static void describe_named(uint64_t uuid, bool counter, const char *fmt, uint64_t a, uint64_t b)
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
	t.has_name = 1;
	t.name = bytes_of(name.p);
	if (counter) {
		c.has_unit = c.has_unit_multiplier = 1;
		c.unit = 3;
		c.unit_multiplier = 1024;
		t.counter = &c;
	}
	describe(&t, uuid);
	free(name.p);
}

static uint64_t tid(uint64_t thread)
{
	return pid() + 17 * thread;
}

static void describe_tracks(void)
{
	Tm__TrackDescriptor process = TM__TRACK_DESCRIPTOR__INIT, thread = process;
	Tm__ProcessDescriptor pd = TM__PROCESS_DESCRIPTOR__INIT;
	Tm__ThreadDescriptor td = TM__THREAD_DESCRIPTOR__INIT;

	td.has_pid = td.has_tid = td.has_thread_name = pd.has_pid = pd.has_process_name = 1;
	td.pid = td.tid = pd.pid = (int32_t)pid();
	td.thread_name = pd.process_name = bytes_of("train");
	thread.thread = &td;
	process.process = &pd;
	describe(&thread, track(T_THREAD, 0));
	describe(&process, process_track());
	for (uint64_t s = 1; s < opt.streams; s++)
		describe_named(track(T_THREAD, s), false, "THREAD # (#)", s, tid(s));
	for (uint64_t a = 0; a <= opt.agents; a++)
		describe_named(track(T_COPY, a), false,
		               a ? "COPY to Agent [#] THREAD [0] (GPU)"
		                 : "COPY to Agent [#] THREAD [0] (CPU)",
		               a ? AGENT + a - 1 : 0, 0);
	for (uint64_t q = 0; q < opt.agents * opt.queues; q++)
		describe_named(track(T_QUEUE, q), false, "COMPUTE Agent [#] QUEUE [#] GPU",
		               AGENT + q / opt.queues, q % opt.queues);
	for (uint64_t s = 0; s < opt.streams; s++)
		describe_named(track(T_STREAM, s), false, "STREAM [\" # \"] ", s, 0);
	for (uint64_t a = 0; a < opt.agents; a++)
		describe_named(track(T_BYTES, a), true, "COPY BYTES to Agent [#] (GPU)", AGENT + a,
		               0);
}

/* ---- the run ---- */

enum { SHAPES = 4 };

struct kernel {
	struct word name;
	uint32_t octave16, spread, id, lds, scratch, vgpr, accum, sgpr, wg[3], grid[SHAPES][3];
};

struct dispatch {
	const struct kernel *k;
	const uint32_t *grid;
	uint64_t start, end, corr, id, stream, agent, queue;
};

static struct kernel *make_kernels(void)
{
	struct kernel *v = alloc(opt.names, sizeof *v);
	struct seen seen = seen_new(opt.names);
	struct rng r;

	rng_init(&r, opt.seed);
	for (uint32_t i = 0; i < opt.names; i++) {
		struct text t = name_new(i, false, false, &r, &seen);
		struct kernel *k = &v[i];
		bool flat = below(&r, 4);

		k->name = (struct word) { .text = t.p, .n = t.n };
		k->id = 11 + 3 * i;
		k->octave16 = 16 * 11 + below(&r, 16 * 4) + (below(&r, 4) ? 0 : below(&r, 16 * 6));
		k->spread = 1 + below(&r, 3) + (below(&r, 8) ? 0 : 5);
		k->lds = below(&r, 2) ? 512 * below(&r, 128) : 0;
		k->scratch = below(&r, 12) ? 0 : 16 + 16 * below(&r, 20);
		k->vgpr = 8 + 8 * below(&r, 31);
		k->accum = below(&r, 3) ? 0 : 4 + 4 * below(&r, 63);
		k->sgpr = 16 + 16 * below(&r, 7);
		k->wg[0] = flat ? 64U << below(&r, 5) : 16;
		k->wg[1] = flat ? 1 : 16;
		k->wg[2] = 1;
		for (int s = 0; s < SHAPES; s++) {
			k->grid[s][0] = k->wg[0] * (1 + below(&r, UINT64_C(1) << below(&r, 14)));
			k->grid[s][1] = k->wg[1] * (1 + below(&r, flat ? 3 : 64));
			k->grid[s][2] = 1;
		}
	}
	free(seen.v);
	return v;
}

static void write_kernel(const struct dispatch *d)
{
	struct kernel *k = (struct kernel *)(uintptr_t)d->k;
	uint64_t on = opt.by_queue ? track(T_QUEUE, (d->agent - AGENT) * opt.queues + d->queue)
	                           : track(T_STREAM, d->stream);

	begin(&cat_kernel, &k->name, on, d->corr ^ process_track());
	note_times(d->start, d->end);
	note_i64(KIND, 11);
	note_agent(AGENT_ID, d->agent);
	note_text(AGENT_TYPE, "GPU");
	note_u64(CORR, d->corr);
	note_u64(QUEUE, d->queue);
	note_u64(TID, tid(d->stream));
	note_u64(KERNEL_ID, k->id);
	note_u64(SCRATCH, k->scratch);
	note_u64(LDS, k->lds);
	note_u64(VGPR, k->vgpr);
	note_u64(ACCUM, k->accum);
	note_u64(SGPR, k->sgpr);
	note_u64(WORKGROUP, (uint64_t)k->wg[0] * k->wg[1] * k->wg[2]);
	note_u64(GRID, (uint64_t)d->grid[0] * d->grid[1] * d->grid[2]);
	note_u64(STREAM, d->stream);
	for (uint64_t i = 0; i < opt.pmc; i++) {
		double value = (double)(mix(d->id + i) % 1000003);
		uint64_t bits;

		memcpy(&bits, &value, 8);
		note(&pmcs[i], 5, bits);
	}
	finish(d->start, d->end, on, false);
}

static void csv_header(void)
{
	puts("\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\","
	     "\"Kernel_Id\","
	     "\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_"
	     "Size\","
	     "\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\",\"Workgroup_Size_"
	     "X\","
	     "\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_"
	     "Size_Z\"");
}

static void csv_kernel(const struct dispatch *d)
{
	const struct kernel *k = d->k;

	printf("\"KERNEL_DISPATCH\",\"Agent %llu\",%llu,%llu,%llu,%llu,%u,\"",
	       (unsigned long long)d->agent, (unsigned long long)d->queue,
	       (unsigned long long)d->stream, (unsigned long long)tid(d->stream),
	       (unsigned long long)d->id, k->id);
	fwrite(k->name.text, 1, k->name.n, stdout);
	printf("\",%llu,%llu,%llu,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u\n", (unsigned long long)d->corr,
	       (unsigned long long)d->start, (unsigned long long)d->end, k->lds, k->scratch,
	       k->vgpr, k->accum, k->sgpr, k->wg[0], k->wg[1], k->wg[2], d->grid[0], d->grid[1],
	       d->grid[2]);
}

/* A HIP call of the thread of a stream. */
static void write_call(struct word *name, uint64_t stream, uint64_t corr, uint64_t start,
                       uint64_t end)
{
	begin(&cat_hip, name, track(T_THREAD, stream), corr ^ process_track());
	note_times(start, end);
	note_u64(TID, tid(stream));
	note_i64(KIND, 2);
	note_i64(OPERATION, 220);
	note_u64(CORR, corr);
	note_u64(ANCESTOR, 0);
	note_u64(STREAM, stream);
	finish(start, end, track(T_THREAD, stream), false);
}

static void write_copy(uint64_t stream, uint64_t corr, uint64_t start, uint64_t end, uint64_t agent,
                       uint64_t size)
{
	static struct word name = WORD("MEMORY_COPY_HOST_TO_DEVICE");
	uint64_t on = opt.by_queue ? track(T_COPY, agent - AGENT + 1) : track(T_STREAM, stream);

	begin(&cat_copy, &name, on, corr ^ process_track());
	note_times(start, end);
	note_i64(KIND, 10);
	note_i64(OPERATION, 2);
	note_agent(SRC, 0);
	note_agent(DST, agent);
	note_u64(BYTES, size);
	note_u64(CORR, corr);
	note_u64(TID, tid(stream));
	note_u64(STREAM, stream);
	finish(start, end, on, true);
}

enum pass { CALLS, COPIES, KERNELS, COUNTERS, PASSES };

/* The run from its beginning, of which one domain is written. */
static void simulate(enum pass pass, struct kernel *kernel, const struct zipf *zipf,
                     uint64_t kernels, uint64_t boot)
{
	static struct word launch = WORD("hipLaunchKernel"), query = WORD("hipEventQuery"),
	                   copy = WORD("hipMemcpyAsync");
	uint64_t *host = alloc(opt.streams, sizeof *host), corr = 0;
	uint64_t *free_at = alloc(opt.agents * opt.queues, sizeof *free_at);
	struct rng r;

	rng_init(&r, opt.seed * 1000003 + opt.rank);
	for (uint64_t i = 0; i < kernels; i++) {
		uint64_t u = rng_next(&r), s = (u >> 32) % opt.streams, began = boot + host[s];
		uint64_t a = s % opt.agents, q = s / opt.agents % opt.queues;
		uint64_t *ready = &free_at[a * opt.queues + q];
		struct kernel *k = &kernel[zipf_pick(zipf, &r)];
		struct dispatch d = { .k = k,
			              .grid = k->grid[u & 3],
			              .id = i + 1,
			              .stream = s,
			              .agent = AGENT + a,
			              .queue = q };
		uint64_t took = 1700 + (u >> 40 & 4095);

		if ((u >> 8 & 63) == 0) {
			if (pass == CALLS)
				write_call(&query, s, corr + 1, began, began + 400);
			corr++;
			began += 500;
		}
		if ((u >> 14 & 255) == 0) {
			uint64_t size = UINT64_C(4096) << (u >> 22 & 7), from = began + 6000,
			         to = from + 900 + size / 16;

			corr++;
			if (pass == CALLS)
				write_call(&copy, s, corr, began, began + 4000);
			if (pass == COPIES)
				write_copy(s, corr, from, to, AGENT + a, size);
			if (pass == COUNTERS) {
				sample(from, track(T_BYTES, a), size / 1024);
				sample(to, track(T_BYTES, a), 0);
			}
			began += 4200;
		}
		d.corr = ++corr;
		d.start = *ready + 600 + (u >> 20 & 1023);
		if (d.start < began + 2500)
			d.start = began + 2500 + (u >> 30 & 1023);
		d.end = d.start + duration(k->octave16, k->spread, &r);
		*ready = d.end;
		if (pass == CALLS)
			write_call(&launch, s, d.corr, began, began + took);
		if (pass == KERNELS)
			opt.csv ? csv_kernel(&d) : write_kernel(&d);
		host[s] = began + took + 80 - boot;
		if (host[s] + boot + 20000000 < *ready) /* the host waits for a full queue */
			host[s] = *ready - 10000000 - boot;
	}
	free(host);
	free(free_at);
}

static void write_run(void)
{
	struct kernel *kernel = make_kernels();
	uint64_t boot = UINT64_C(431999124226662) + opt.rank * 40961, names = 0, kernels;
	struct zipf zipf;

	for (uint64_t i = 0; i < opt.names; i++)
		names += kernel[i].name.n + 12;
	kernels = opt.bytes > names ? (opt.bytes - names) / (BYTES_PER_KERNEL + 14 * opt.pmc) : 0;
	zipf_init(&zipf, (uint32_t)opt.names);
	if (opt.csv) {
		csv_header();
		simulate(KERNELS, kernel, &zipf, kernels, boot);
	} else {
		clocks(boot - 1000000);
		sequence(boot - 500000);
		describe_tracks();
		for (int pass = 0; pass < PASSES; pass++)
			simulate((enum pass)pass, kernel, &zipf, kernels, boot);
	}
	for (uint64_t i = 0; i < opt.names; i++)
		free((char *)(uintptr_t)kernel[i].name.text);
	free(kernel);
	free(zipf.keep);
	free(zipf.other);
}

/* ---- command line ---- */

static void usage(FILE *to)
{
	fputs("usage: gen_pftrace [options] BYTES > trace.pftrace\n"
	      "  --seed N      which run (42)\n"
	      "  --names N     distinct kernels (320)\n"
	      "  --queues N    queues of an agent (4)\n"
	      "  --agents N    agents (1)\n"
	      "  --streams N   HIP streams, one host thread each (4)\n"
	      "  --rank N      another process of the same job: pid, times (0)\n"
	      "  --pmc N       hardware counters of each dispatch, up to 8 (0)\n"
	      "  --by-queue    kernels on the track of their queue, not of their stream\n"
	      "  --csv         the kernel trace of the same run as CSV\n"
	      "BYTES is about the size of the pftrace, whichever is written\n",
	      to);
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "names", required_argument, NULL, 'n' },
		{ "queues", required_argument, NULL, 'q' },
		{ "agents", required_argument, NULL, 'a' },
		{ "streams", required_argument, NULL, 't' },
		{ "rank", required_argument, NULL, 'r' },
		{ "pmc", required_argument, NULL, 'p' },
		{ "by-queue", no_argument, NULL, 'Q' },
		{ "csv", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		switch (c) {
		case 's':
			opt.seed = number(optarg, 0, UINT64_MAX, "--seed");
			break;
		case 'n':
			opt.names = number(optarg, 1, 1000000, "--names");
			break;
		case 'q':
			opt.queues = number(optarg, 1, 64, "--queues");
			break;
		case 'a':
			opt.agents = number(optarg, 1, 64, "--agents");
			break;
		case 't':
			opt.streams = number(optarg, 1, 256, "--streams");
			break;
		case 'r':
			opt.rank = number(optarg, 0, 100000, "--rank");
			break;
		case 'p':
			opt.pmc = number(optarg, 0, sizeof pmcs / sizeof *pmcs, "--pmc");
			break;
		case 'Q':
			opt.by_queue = true;
			break;
		case 'c':
			opt.csv = true;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (argc - optind != 1) {
		usage(stderr);
		return 2;
	}
	opt.bytes = number(argv[optind], 0, UINT64_C(1) << 50, "BYTES");
	write_run();
	if (fflush(stdout) || ferror(stdout))
		die("cannot write");
	return 0;
}
