/* SPDX-License-Identifier: MIT
 * The pftrace reader on packets put together by hand, with answers worked out by hand, and on a
 * trace of the real SDK cut and damaged in every way. */
#include "base/buf.h"
#include "read/formats.h"
#include "stream/report.h"

#include "test.h"

#include <zlib.h>
#include <zstd.h>

/* ---- a writer ---- */

static void varint(struct tm_buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		tm_buf_chr(b, (char)(unsigned char)(v | 0x80));
	tm_buf_chr(b, (char)(unsigned char)v);
}

/* A field of a message: number, bytes, fixed 64, and a message that is used up. */
static void num(struct tm_buf *b, unsigned field, uint64_t v)
{
	varint(b, (uint64_t)field << 3);
	varint(b, v);
}

static void bytes(struct tm_buf *b, unsigned field, const void *p, size_t n)
{
	varint(b, (uint64_t)field << 3 | 2);
	varint(b, n);
	tm_buf_add(b, p, n);
}

static void text(struct tm_buf *b, unsigned field, const char *s)
{
	bytes(b, field, s, strlen(s));
}

static void fixed(struct tm_buf *b, unsigned field, uint64_t v)
{
	varint(b, (uint64_t)field << 3 | 1);
	tm_buf_add(b, &v, 8);
}

static void sub(struct tm_buf *b, unsigned field, struct tm_buf *m)
{
	bytes(b, field, m->p ? m->p : "", m->n);
	tm_buf_fini(m);
}

static struct tm_buf trace; /* the file being written */

/* A packet of sequence 1 on clock 6, flags as given; the caller's fields come before or after. */
static void packet(struct tm_buf *k, uint64_t ts)
{
	num(k, 8, ts);
	num(k, 58, 6);
	num(k, 10, 1);
	sub(&trace, 1, k);
}

/* Interned entry into InternedData m: table 1 categories, 2 names, 3 annotation names. */
static void entry(struct tm_buf *m, unsigned table, uint64_t iid, const char *s)
{
	struct tm_buf e = { 0 };

	num(&e, 1, iid);
	text(&e, 2, s);
	sub(m, table, &e);
}

/* The first packet: cleared, defaults with clock 64 and track 7, snapshot, and the usual names. */
static void first_packet(void)
{
	struct tm_buf k = { 0 }, m = { 0 }, c = { 0 };

	tm_buf_clear(&trace);
	num(&k, 13, 1);
	num(&k, 42, 1);
	num(&k, 87, 1);
	num(&c, 11, 7);
	num(&m, 58, 64);
	sub(&m, 11, &c);
	sub(&k, 59, &m);
	num(&c, 1, 6);
	num(&c, 2, 1000);
	sub(&m, 1, &c);
	num(&c, 1, 64);
	num(&c, 2, 1000);
	num(&c, 3, 1);
	num(&c, 4, 1);
	sub(&m, 1, &c);
	sub(&k, 6, &m);
	entry(&m, 1, 1, "kernel_dispatch");
	entry(&m, 1, 2, "hip_api");
	entry(&m, 1, 3, "memory_copy");
	entry(&m, 2, 1, "alpha.kd");
	entry(&m, 2, 2, "beta");
	entry(&m, 2, 3, "hipLaunchKernel");
	entry(&m, 3, 1, "begin_ns");
	entry(&m, 3, 2, "end_ns");
	entry(&m, 3, 3, "corr_id");
	entry(&m, 3, 4, "agent");
	sub(&k, 12, &m);
	num(&k, 8, 0);
	num(&k, 10, 1);
	sub(&trace, 1, &k);
}

/* A track: uuid, parent, name. */
static void track(uint64_t uuid, uint64_t parent, const char *name)
{
	struct tm_buf k = { 0 }, m = { 0 };

	num(&m, 1, uuid);
	if (parent)
		num(&m, 5, parent);
	if (name)
		text(&m, 2, name);
	sub(&k, 60, &m);
	num(&k, 13, 2);
	num(&k, 10, 1);
	num(&k, 8, 1);
	sub(&trace, 1, &k);
}

static void process(uint64_t uuid, uint64_t pid)
{
	struct tm_buf k = { 0 }, m = { 0 }, p = { 0 };

	num(&p, 1, pid);
	num(&m, 1, uuid);
	sub(&m, 3, &p);
	sub(&k, 60, &m);
	num(&k, 10, 1);
	sub(&trace, 1, &k);
}

/* The TrackEvent of a BEGIN. */
static struct tm_buf begun(uint64_t on, uint64_t category, uint64_t name)
{
	struct tm_buf e = { 0 };

	num(&e, 9, 1);
	if (on)
		num(&e, 11, on);
	if (category)
		num(&e, 3, category);
	if (name)
		num(&e, 10, name);
	return e;
}

static void put_event(struct tm_buf *e, uint64_t ts)
{
	struct tm_buf k = { 0 };

	num(&k, 13, 2);
	sub(&k, 11, e);
	packet(&k, ts);
}

static void begin(uint64_t on, uint64_t category, uint64_t name, uint64_t ts)
{
	struct tm_buf e = begun(on, category, name);

	put_event(&e, ts);
}

static void end(uint64_t on, uint64_t ts)
{
	struct tm_buf e = { 0 };

	num(&e, 9, 2);
	if (on)
		num(&e, 11, on);
	put_event(&e, ts);
}

/* A number as an annotation: by iid, or by name. */
static void note(struct tm_buf *e, uint64_t iid, uint64_t v)
{
	struct tm_buf a = { 0 };

	num(&a, 1, iid);
	num(&a, 3, v);
	sub(e, 4, &a);
}

static void note_named(struct tm_buf *e, const char *name, const char *s)
{
	struct tm_buf a = { 0 };

	text(&a, 10, name);
	text(&a, 6, s);
	sub(e, 4, &a);
}

static void dropped(void)
{
	struct tm_buf k = { 0 };

	num(&k, 42, 1);
	num(&k, 13, 2);
	num(&k, 10, 1);
	sub(&trace, 1, &k);
}

/* ---- a reader ---- */

static struct tm_buf dump;
static struct tm_loss last_loss;
static struct {
	const char *producer, *clock; /* static */
	char host[64];
	struct tm_realtime realtime;
} told; /* by the last trace, at its end */

static void dump_row(const struct tm_batch *b, uint32_t i)
{
	static const struct {
		enum tm_ev_col col;
		const char *name;
	} cols[] = {
		{ TM_EVC_NAME, "" },      { TM_EVC_DOMAIN, "dom=" }, { TM_EVC_START, "" },
		{ TM_EVC_END, "" },       { TM_EVC_AGENT, "ag=" },   { TM_EVC_QUEUE, "q=" },
		{ TM_EVC_STREAM, "st=" }, { TM_EVC_PID, "pid=" },    { TM_EVC_TID, "tid=" },
		{ TM_EVC_CORR, "corr=" }, { TM_EVC_WG, "wg=" },      { TM_EVC_WG_X, "x=" },
		{ TM_EVC_WG_Y, "y=" },    { TM_EVC_WG_Z, "z=" },     { TM_EVC_BYTES, "bytes=" },
		{ TM_EVC_SRC, "src=" },   { TM_EVC_DST, "dst=" },    { TM_EVC_COUNTER, "ctr=" },
		{ TM_EVC_VALUE, "v=" },
	};
	static const char kinds[] = "KCAMc";

	tm_buf_chr(&dump, kinds[b->kind]);
	for (size_t c = 0; c < sizeof cols / sizeof *cols; c++) {
		enum tm_ev_col col = cols[c].col;
		uint64_t v;
		char agent[16];

		if (!tm_batch_has(b, i, col))
			continue;
		v = b->col[col][i];
		tm_buf_fmt(&dump, " %s", cols[c].name);
		if (col == TM_EVC_NAME || col == TM_EVC_COUNTER)
			tm_buf_add(&dump, b->names->v[v].text, b->names->v[v].len);
		else if (col == TM_EVC_DOMAIN)
			tm_buf_str(&dump, tm_domain_text((enum tm_domain)v));
		else if (col == TM_EVC_AGENT || col == TM_EVC_SRC || col == TM_EVC_DST)
			tm_buf_str(&dump, tm_agent_text(v, agent));
		else if (col == TM_EVC_VALUE)
			tm_buf_fmt(&dump, "%g", tm_cell_real(v));
		else
			tm_buf_u64(&dump, v);
	}
	tm_buf_chr(&dump, '\n');
}

static uint64_t read_bytes(const void *p, size_t n, tm_ev_set want, bool show)
{
	struct tm_diag d = { 0 };
	unsigned char *copy = malloc(n ? n : 1);
	struct tm_source *src;
	struct tm_reader *r;
	const struct tm_batch *b;
	uint64_t rows = 0;

	memcpy(copy, p, n);
	src = tm_source_memory("trace", copy, n, &d);
	r = tm_reader_open(src, &tm_reader_pftrace, want, NULL, &d);
	tm_buf_clear(&dump);
	CHECK(r != NULL);
	while (r && tm_reader_next(r, &b, &d) == TM_ST_OK) {
		rows += b->n;
		for (uint32_t i = 0; i < b->n && show; i++)
			dump_row(b, i);
	}
	if (r) {
		CHECK_U64(r->loss.rows, rows);
		last_loss = r->loss;
		told.producer = r->producer ? r->producer : "";
		told.clock = r->clock ? r->clock : "";
		snprintf(told.host, sizeof told.host, "%s", r->host ? r->host : "");
		told.realtime = r->realtime;
	}
	tm_reader_close(r);
	tm_source_close(src);
	free(copy);
	return rows;
}

static const char *read_trace(void)
{
	read_bytes(trace.p, trace.n, TM_EV_ALL, true);
	return dump.p ? dump.p : "";
}

#define LOST(why) last_loss.of[TM_LOSS_##why].n

static void nothing_lost(void)
{
	CHECK(!tm_loss_any(&last_loss));
}

/* ---- tests ---- */

TEST(slices)
{
	first_packet();
	process(5, 77);
	track(7, 5, "STREAM [\" 3 \"] ");
	begin(7, 1, 1, 2000);
	end(7, 2010);
	begin(0, 2, 3, 2100); /* on the track of the defaults */
	begin(7, 2, 2, 2110);
	end(7, 2120);
	end(0, 2130);
	CHECK_STR(read_trace(), "A beta dom=hip 2110 2120 pid=77\n"
	                        "A hipLaunchKernel dom=hip 2100 2130 pid=77\n"
	                        "K alpha.kd 2000 2010 st=3 pid=77\n");
	nothing_lost();
}

/* Slices that overlap without nesting: each END closes the last BEGIN of the file. */
TEST(pairing_in_file_order)
{
	first_packet();
	track(7, 0, "COMPUTE AGENT [4] QUEUE [1] (GPU)");
	begin(7, 1, 1, 100);
	end(7, 200);
	begin(7, 1, 2, 150);
	end(7, 160);
	begin(7, 1, 1, 120);
	end(7, 300);
	CHECK_STR(read_trace(), "K alpha.kd 100 200 ag=4 q=1\n"
	                        "K beta 150 160 ag=4 q=1\n"
	                        "K alpha.kd 120 300 ag=4 q=1\n");
	nothing_lost();
}

/* Clock 64 counts from packet to packet; packets on clock 6 do not move it. */
TEST(two_clocks)
{
	struct tm_buf e, k = { 0 };

	first_packet();
	track(7, 0, "x"); /* +1: 1001 */
	e = begun(7, 2, 2);
	sub(&k, 11, &e);
	num(&k, 8, 9);
	num(&k, 10, 1);
	sub(&trace, 1, &k); /* 1010 */
	begin(7, 2, 3, 5000);
	end(7, 5001);
	num(&e, 9, 2);
	num(&e, 11, 7);
	sub(&k, 11, &e);
	num(&k, 8, 10);
	num(&k, 10, 1);
	sub(&trace, 1, &k); /* 1020 */
	CHECK_STR(read_trace(), "A hipLaunchKernel dom=hip 5000 5001\nA beta dom=hip 1010 1020\n");
	CHECK_U64(LOST(KERNELS), 1);
	CHECK_U64(LOST(UNTIMED), 0);
}

/* A builtin clock that is not the trace's is shifted by the last snapshot. */
TEST(clock_snapshot)
{
	struct tm_buf k = { 0 }, m = { 0 }, c = { 0 }, e;

	first_packet();
	num(&c, 1, 6);
	num(&c, 2, 50000);
	sub(&m, 1, &c);
	num(&c, 1, 3);
	num(&c, 2, 20000);
	sub(&m, 1, &c);
	sub(&k, 6, &m);
	sub(&trace, 1, &k);
	track(7, 0, "x");
	e = begun(7, 2, 2);
	sub(&k, 11, &e);
	num(&k, 8, 20100);
	num(&k, 58, 3);
	num(&k, 10, 1);
	sub(&trace, 1, &k);
	end(7, 50200);
	CHECK_STR(read_trace(), "A beta dom=hip 50100 50200\n");
	nothing_lost();
}

/* A snapshot of clocks a and b (0 = none), and which of all clocks the trace counts (0 = not said).
 */
static void snapshot(uint64_t a, uint64_t at, uint64_t b, uint64_t bt, uint64_t primary)
{
	struct tm_buf k = { 0 }, m = { 0 }, c = { 0 };

	num(&c, 1, a);
	num(&c, 2, at);
	sub(&m, 1, &c);
	if (b) {
		num(&c, 1, b);
		num(&c, 2, bt);
		sub(&m, 1, &c);
	}
	if (primary)
		num(&m, 2, primary);
	num(&k, 10, 1);
	sub(&k, 6, &m);
	sub(&trace, 1, &k);
}

/* 1 is CLOCK_REALTIME, 6 BOOTTIME, which the trace counts, 3 MONOTONIC. */
TEST(realtime_snapshots)
{
	first_packet(); /* 6 and 64 only */
	read_trace();
	CHECK_STR(told.clock, "boottime");
	CHECK_U64(told.realtime.readings, 0);
	snapshot(6, 1000, 1, 500000000001040, 6); /* + 500000000000040 */
	read_trace();
	CHECK_U64(told.realtime.readings, 1);
	CHECK_U64(tm_realtime_middle(&told.realtime), 500000000000040);
	CHECK_U64(tm_realtime_error(&told.realtime), 0);
	snapshot(1, 500000000002011, 6, 2000, 6); /* + ...0011, in the other order */
	snapshot(6, 7000, 3, 4000, 0);
	snapshot(3, 4100, 1, 500000000007120, 0); /* 4100 is 7100: + ...0020 */
	snapshot(1, 500000000009999, 0, 0, 0);    /* beside itself: no reading */
	snapshot(1, 500000000009999, 2, 500000000009000, 0);
	read_trace();
	CHECK_U64(told.realtime.readings, 3);
	CHECK_U64(told.realtime.low_ns, 500000000000011);
	CHECK_U64(told.realtime.high_ns, 500000000000040);
	CHECK_U64(tm_realtime_middle(&told.realtime), 500000000000025);
	CHECK_U64(tm_realtime_error(&told.realtime), 15); /* of the higher one */
	/* Another clock from here on: what was known is of no use. */
	snapshot(3, 4200, 1, 500000000007220, 3);
	read_trace();
	CHECK_STR(told.clock, "monotonic");
	CHECK_U64(told.realtime.readings, 1);
	CHECK_U64(told.realtime.low_ns, 500000000003020);
	snapshot(42, 1, 0, 0, 42); /* one that nobody knows */
	read_trace();
	CHECK_STR(told.clock, "");
	nothing_lost();
}

TEST(realtime_that_cannot_be)
{
	struct tm_realtime r = { 0 };

	tm_realtime_add(&r, 5, 6);          /* before 1970 */
	tm_realtime_add(&r, UINT64_MAX, 1); /* past 2^63 */
	CHECK_U64(r.readings, 0);
	tm_realtime_add(&r, INT64_MAX, 0);
	tm_realtime_add(&r, 6, 6);
	CHECK_U64(r.readings, 2);
	CHECK_U64(tm_realtime_middle(&r), INT64_MAX / 2);
	CHECK_U64(tm_realtime_error(&r), INT64_MAX / 2 + 1);
}

/* One interned text of a table of InternedData. */
static void intern(unsigned table, uint64_t iid, const char *s)
{
	struct tm_buf k = { 0 }, m = { 0 };

	entry(&m, table, iid, s);
	num(&k, 10, 1);
	sub(&k, 12, &m);
	sub(&trace, 1, &k);
}

static const char *producer_of(void)
{
	read_trace();
	return told.producer;
}

TEST(producers)
{
	struct tm_buf e = { 0 };

	first_packet(); /* categories of rocprofv3, no annotation that tells more */
	CHECK_STR(producer_of(), "rocprofv3 6.2 or later");
	intern(3, 9, "private_segment_size");
	CHECK_STR(producer_of(), "rocprofv3 6.2-6.4");
	first_packet();
	intern(3, 9, "stream_ID");
	CHECK_STR(producer_of(), "rocprofv3 7.0 or later");
	intern(1, 9, "rocm_hip_api"); /* and another's after it */
	CHECK_STR(producer_of(), "");

	tm_buf_clear(&trace);
	intern(1, 1, "rocm_hip_stream");
	CHECK_STR(producer_of(), "rocprof-sys");
	tm_buf_clear(&trace);
	intern(1, 1, "device_hip");
	CHECK_STR(producer_of(), "omnitrace");
	tm_buf_clear(&trace);
	intern(1, 1, "HIP_OPS");
	CHECK_STR(producer_of(), "rocprofv2");
	tm_buf_clear(&trace);
	intern(1, 1, "my_category");
	CHECK_STR(producer_of(), "");

	/* rocpd convert spells them out. */
	tm_buf_clear(&trace);
	num(&e, 9, 1);
	num(&e, 11, 7);
	text(&e, 22, "kernel_dispatch");
	text(&e, 23, "k");
	put_event(&e, 10);
	end(7, 20);
	CHECK_STR(producer_of(), "rocpd convert");
}

static const char *host_of(const char *process_name)
{
	struct tm_buf k = { 0 }, m = { 0 }, p = { 0 };

	num(&p, 1, 3);
	text(&p, 6, process_name);
	num(&m, 1, 5);
	sub(&m, 3, &p);
	sub(&k, 60, &m);
	num(&k, 10, 1);
	sub(&trace, 1, &k);
	read_trace();
	return told.host;
}

TEST(hosts)
{
	tm_buf_clear(&trace);
	CHECK_STR(host_of("app"), "");
	CHECK_STR(host_of("Node: "), "");
	CHECK_STR(host_of("Node: gpu-01.cluster Device: "), "gpu-01.cluster");
	CHECK_STR(host_of("Node: gpu-01.cluster"), "gpu-01.cluster");
	CHECK_STR(host_of("Node: gpu-02 Rank 3"), ""); /* two of them: of neither */
	CHECK_STR(host_of("Node: gpu-02 Rank 3"), "");
	tm_buf_clear(&trace);
	CHECK_STR(host_of("Node: gpu-02 Rank 3"), "gpu-02");
}

/* The SDK puts interned data after the event that uses them. */
TEST(interned_behind_its_use)
{
	struct tm_buf e, k = { 0 }, m = { 0 };

	first_packet();
	track(7, 0, "x");
	e = begun(7, 9, 9);
	sub(&k, 11, &e);
	entry(&m, 1, 9, "hsa_api");
	entry(&m, 2, 9, "gamma");
	sub(&k, 12, &m);
	packet(&k, 10);
	end(7, 20);
	entry(&m, 2, 9, "delta"); /* a number that gets another text */
	sub(&k, 12, &m);
	packet(&k, 30);
	begin(7, 9, 9, 30);
	end(7, 40);
	CHECK_STR(read_trace(), "A gamma dom=hsa 10 20\nA delta dom=hsa 30 40\n");
	nothing_lost();
}

TEST(inline_texts)
{
	struct tm_buf e = { 0 };

	first_packet();
	track(7, 0, "HIP Activity Stream 4");
	num(&e, 9, 1);
	num(&e, 11, 7);
	text(&e, 22, "rocm_hip_stream");
	text(&e, 23, "a kernel");
	note_named(&e, "workgroup_size", "(64,2,1)");
	note_named(&e, "grid_size", "64 (x=64, y=1, z=1)");
	note_named(&e, "agent", "Agent-6");
	put_event(&e, 10);
	end(7, 20);
	num(&e, 9, 1);
	num(&e, 11, 7);
	text(&e, 22, "rocm_hip_stream");
	text(&e, 23, "MEMORY_COPY_DEVICE_TO_HOST");
	note_named(&e, "dst_agent", "Agent-0");
	put_event(&e, 30);
	end(7, 40);
	CHECK_STR(read_trace(), "K a kernel 10 20 ag=6 st=4 x=64 y=2 z=1\n"
	                        "C MEMORY_COPY_DEVICE_TO_HOST 30 40 st=4 dst=0\n");
	nothing_lost();
}

/* rocprofv3 -A type-relative: by stream only the annotation names the GPU. */
TEST(agents_by_type)
{
	struct tm_buf e = { 0 };

	first_packet();
	track(7, 0, "STREAM [\" 0 \"] ");
	for (unsigned gpu = 0; gpu < 2; gpu++) {
		num(&e, 9, 1);
		num(&e, 11, 7);
		text(&e, 22, "kernel_dispatch");
		text(&e, 23, "a kernel");
		note_named(&e, "agent", gpu ? "GPU-1" : "GPU-0");
		put_event(&e, 10 + 20 * gpu);
		end(7, 20 + 20 * gpu);
	}
	CHECK_STR(read_trace(), "K a kernel 10 20 ag=GPU 0 st=0\nK a kernel 30 40 ag=GPU 1 st=0\n");
	nothing_lost();
}

TEST(annotated_times_win)
{
	struct tm_buf e;

	first_packet();
	track(7, 0, "x");
	e = begun(7, 1, 1);
	note(&e, 1, 500);
	note(&e, 2, 600);
	note(&e, 3, 42);
	note(&e, 4, 2);
	put_event(&e, 501);
	end(7, 599);
	e = begun(7, 2, 2);
	note(&e, 1, 700);
	put_event(&e, 701);
	num(&e, 9, 2); /* rocprof-sys: the end is on the END */
	num(&e, 11, 7);
	note(&e, 2, 800);
	put_event(&e, 799);
	CHECK_STR(read_trace(), "K alpha.kd 500 600 ag=2 corr=42\nA beta dom=hip 700 800\n");
	nothing_lost();
}

/* A track that is described after its events, in pieces; its process still later. */
TEST(late_tracks)
{
	first_packet();
	track(9, 0, NULL);
	begin(8, 1, 1, 10);
	end(8, 20);
	begin(11, 1, 2, 30);
	end(11, 40);
	track(8, 5, NULL);
	track(8, 0, "COMPUTE GPU [1] QUEUE [2] GPU");
	process(5, 99);
	CHECK_STR(read_trace(), "K alpha.kd 10 20 ag=GPU 1 q=2 pid=99\nK beta 30 40\n");
	CHECK_U64(LOST(TRACKLESS), 1);
	read_bytes(trace.p, trace.n, TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END), true);
	CHECK_U64(LOST(TRACKLESS), 0); /* nobody asked */
}

TEST(flows)
{
	struct tm_buf e;

	first_packet();
	process(0x7000000000000005, 1);
	track(7, 0x7000000000000005, "x");
	e = begun(7, 2, 2);
	fixed(&e, 47, 0x7000000000000005 ^ 31);
	put_event(&e, 10);
	end(7, 20);
	CHECK_STR(read_trace(), "A beta dom=hip 10 20 pid=1 corr=31\n");
}

static void counter_track(uint64_t uuid, const char *name, uint64_t mult, bool incremental)
{
	struct tm_buf k = { 0 }, m = { 0 }, c = { 0 };

	num(&c, 4, mult);
	num(&c, 5, incremental);
	num(&m, 1, uuid);
	text(&m, 2, name);
	sub(&m, 8, &c);
	sub(&k, 60, &m);
	num(&k, 10, 1);
	sub(&trace, 1, &k);
}

static void sample(uint64_t on, bool real, uint64_t v, uint64_t ts)
{
	struct tm_buf e = { 0 };

	num(&e, 9, 4);
	num(&e, 11, on);
	if (real)
		fixed(&e, 44, v);
	else
		num(&e, 30, v);
	put_event(&e, ts);
}

TEST(counters)
{
	struct tm_buf e, a = { 0 };

	first_packet();
	counter_track(7, "COPY BYTES to Agent [2] (GPU)", 1024, false);
	counter_track(8, "Agent [3] PMC SQ_WAVES", 1, true);
	sample(7, false, 4, 10);
	sample(7, false, (uint64_t)-1, 20);
	sample(7, false, 1, UINT64_MAX - 4999); /* before the epoch: rocprofv3 6.2 */
	sample(8, false, 5, 30);
	sample(8, true, tm_real_bits(2.5), 40);
	track(9, 0, "STREAM [0]");
	e = begun(9, 1, 2);
	text(&a, 10, "GRBM_COUNT");
	fixed(&a, 5, tm_real_bits(12.5));
	sub(&e, 4, &a);
	put_event(&e, 50);
	end(9, 60);
	CHECK_STR(read_trace(), "c 10 10 ag=2 ctr=COPY BYTES to Agent [2] (GPU) v=4096\n"
	                        "c 20 20 ag=2 ctr=COPY BYTES to Agent [2] (GPU) v=-1024\n"
	                        "c 30 30 ag=3 ctr=SQ_WAVES v=5\n"
	                        "c 40 40 ag=3 ctr=SQ_WAVES v=7.5\n"
	                        "c beta 50 60 st=0 ctr=GRBM_COUNT v=12.5\n"
	                        "K beta 50 60 st=0\n");
	nothing_lost();
}

TEST(names_lost)
{
	first_packet();
	track(7, 0, "COMPUTE Agent [1] QUEUE [0] GPU");
	begin(7, 8, 8, 10); /* category and name that were interned in a lost packet */
	end(7, 20);
	CHECK_STR(read_trace(), "K (unnamed) 10 20 ag=1 q=0\n");
	CHECK_U64(LOST(UNNAMED), 1);
}

TEST(unmatched)
{
	struct tm_buf e;

	first_packet();
	track(7, 0, "STREAM [0]");
	end(7, 5);
	e = begun(7, 1, 2); /* complete without its END */
	note(&e, 1, 30);
	note(&e, 2, 40);
	put_event(&e, 30);
	begin(7, 1, 1, 10);
	CHECK_STR(read_trace(), "K beta 30 40 st=0\n");
	CHECK_U64(LOST(CLOSE), 1);
	CHECK_U64(LOST(OPEN), 1);
}

/* END of the first and BEGIN of the second are missing: the second END is not the end of the first.
 */
TEST(dropped_packets)
{
	struct tm_buf e;

	first_packet();
	track(7, 0, "STREAM [0]");
	e = begun(7, 1, 1);
	note(&e, 1, 10);
	note(&e, 2, 20);
	put_event(&e, 10);
	dropped();
	end(7, 40);
	begin(7, 2, 2, 50); /* old names still hold */
	dropped();
	end(7, 60);
	begin(7, 1, 1, 70);
	dropped();
	end(7, 80); /* a kernel's end that may be another's */
	CHECK_STR(read_trace(), "K alpha.kd 10 20 st=0\nA beta dom=hip 50 60\n");
	CHECK_U64(LOST(DROPPED), 3);
	CHECK_U64(LOST(CLOSE), 2);
	CHECK_U64(LOST(OPEN), 1);
}

TEST(delta_clock_after_a_gap)
{
	struct tm_buf e, k = { 0 };

	first_packet();
	track(7, 0, "x");
	dropped();
	e = begun(7, 2, 2);
	sub(&k, 11, &e);
	num(&k, 8, 9);
	num(&k, 10, 1);
	sub(&trace, 1, &k);
	end(7, 60);
	CHECK_STR(read_trace(), "");
	CHECK_U64(LOST(UNTIMED), 1);
}

/* 2^63 ns is -2^63: the clock is known, the time is none.  One before it is the last that is. */
TEST(negative)
{
	first_packet();
	track(7, 0, "x");
	begin(7, 2, 2, ((uint64_t)1 << 63) - 2);
	end(7, ((uint64_t)1 << 63) - 1);
	begin(7, 2, 2, (uint64_t)1 << 63);
	end(7, ((uint64_t)1 << 63) + 9);
	CHECK_STR(read_trace(), "A beta dom=hip 9223372036854775806 9223372036854775807\n");
	CHECK_U64(LOST(NEGATIVE), 1);
	CHECK_U64(LOST(UNTIMED), 0);
}

TEST(reversed)
{
	first_packet();
	track(7, 0, "x");
	begin(7, 2, 2, 50);
	end(7, 40);
	CHECK_STR(read_trace(), "");
	CHECK_U64(LOST(REVERSED), 1);
}

TEST(buffer_was_full)
{
	struct tm_buf k = { 0 }, m = { 0 }, s = { 0 };
	struct tm_report rep = { 0 };

	first_packet();
	num(&s, 18, 31818);
	num(&s, 19, 2);
	sub(&m, 1, &s);
	sub(&k, 35, &m);
	sub(&trace, 1, &k);
	read_trace();
	CHECK_U64(LOST(DISCARDED), 31818);
	CHECK_U64(LOST(DROPPED), 2);
	tm_report_loss(&rep, "x", &last_loss);
	CHECK_U64(rep.n, 2);
	CHECK(rep.n > 0 && strstr(rep.v[0].text, "31818 chunks were discarded"));
	tm_report_fini(&rep);
}

static void one_slice(void)
{
	first_packet();
	track(7, 0, "x");
	begin(7, 2, 2, 10);
	end(7, 20);
}

#define ONE "A beta dom=hip 10 20\n"

TEST(padding_and_unknown_fields)
{
	struct tm_buf whole = { 0 }, k = { 0 };

	one_slice();
	tm_buf_add(&whole, trace.p, trace.n);
	tm_buf_add(&whole, "\0\0", 2);
	num(&whole, 15, 3);          /* top level */
	text(&whole, 1000, "other"); /* top level */
	sub(&whole, 1, &k);          /* an empty packet */
	tm_buf_add(&whole, "\x0b\x08\x01\x0c", 0);
	num(&k, 900, 5);
	text(&k, 901, "?");
	fixed(&k, 902, 5);
	tm_buf_add(&k, "\xbb\x38\x08\x01\xbc\x38", 6); /* a group, field 903 */
	sub(&whole, 1, &k);
	one_slice();
	tm_buf_add(&whole, trace.p, trace.n);
	tm_buf_chr(&whole, '\0');
	read_bytes(whole.p, whole.n, TM_EV_ALL, true);
	CHECK_STR(dump.p, ONE ONE);
	nothing_lost();
	tm_buf_fini(&whole);
}

TEST(damage)
{
	static const unsigned char junk[] = {
		0xff, 0x0a, 0x05, 0x0a, 0x0a, 0x07, 0xff, 0x13, 0x77
	};
	struct tm_buf whole = { 0 }, k = { 0 };

	one_slice();
	tm_buf_add(&whole, trace.p, trace.n);
	tm_buf_add(&whole, junk, sizeof junk);
	tm_buf_add(&whole, trace.p, trace.n);
	tm_buf_add(&k, "\x07", 1); /* a packet of one bad tag */
	sub(&whole, 1, &k);
	tm_buf_add(&whole, trace.p, trace.n);
	read_bytes(whole.p, whole.n, TM_EV_ALL, true);
	CHECK_STR(dump.p, ONE ONE ONE);
	CHECK_U64(LOST(DAMAGED), 2);
	CHECK_U64(last_loss.of[TM_LOSS_DAMAGED].at, trace.n);
	tm_buf_fini(&whole);
}

/* A descriptor of track 7 that is put together by the caller, and one call on it. */
static const char *call_on(struct tm_buf *descriptor)
{
	struct tm_buf k = { 0 };

	first_packet();
	sub(&k, 60, descriptor);
	num(&k, 10, 1);
	sub(&trace, 1, &k);
	begin(7, 2, 2, 10);
	end(7, 20);
	return read_trace();
}

/* A message that comes seldom is taken as far as it can be: unknown fields and those of another
 * type are passed over, a part ends where it is damaged; one that is damaged itself is left out. */
TEST(descriptions)
{
	struct tm_buf m = { 0 }, p = { 0 };

	/* twice is once, put together */
	num(&m, 1, 7);
	num(&p, 1, 41);
	sub(&m, 3, &p);
	num(&p, 2, 5);
	sub(&m, 4, &p);
	num(&p, 1, 42);
	sub(&m, 4, &p);
	CHECK_STR(call_on(&m), "A beta dom=hip 10 20 pid=42 tid=5\n");
	nothing_lost();

	/* a pid as text, a group, an uuid of 4 bytes after the one that is meant */
	num(&m, 1, 7);
	tm_buf_add(&m, "\x0d\1\2\3\4", 5);
	tm_buf_add(&m, "\xbb\x38\x08\x01\xbc\x38", 6);
	text(&p, 1, "9");
	num(&p, 2, 5);
	sub(&m, 4, &p);
	CHECK_STR(call_on(&m), "A beta dom=hip 10 20 tid=5\n");
	nothing_lost();

	/* a process whose command line swallowed the tag after it */
	num(&m, 1, 7);
	num(&p, 1, 41);
	tm_buf_add(&p, "\x12\x01xx\x05./gen", 10);
	sub(&m, 3, &p);
	CHECK_STR(call_on(&m), "A beta dom=hip 10 20 pid=41\n");
	nothing_lost();

	/* a negative number, as int32 is written */
	num(&m, 1, 7);
	num(&p, 1, UINT64_MAX);
	sub(&m, 3, &p);
	CHECK_STR(call_on(&m), "A beta dom=hip 10 20 pid=4294967295\n");
	nothing_lost();

	/* cut, and so left out */
	num(&m, 1, 7);
	num(&p, 1, 41);
	sub(&m, 3, &p);
	tm_buf_add(&m, "\x12\x09zz", 4);
	CHECK_STR(call_on(&m), ONE);
	CHECK_U64(LOST(DAMAGED), 1);
	CHECK_U64(LOST(TRACKLESS), 1);
}

/* Fields by the million in a message that has a few bytes: no memory for them, but for the rest. */
TEST(swollen_descriptions)
{
	static const unsigned kinds[] = { 60, 6, 35, 59 };

	for (size_t i = 0; i < 4; i++) {
		struct tm_buf m = { 0 }, k = { 0 };

		one_slice();
		for (int n = 0; n < 1000000; n++)
			tm_buf_add(&m, "\x78\x01", 2);
		sub(&k, kinds[i], &m);
		num(&k, 10, 1);
		sub(&trace, 1, &k);
		begin(7, 2, 2, 30);
		end(7, 40);
		CHECK_STR(read_trace(), ONE "A beta dom=hip 30 40\n");
		CHECK_U64(LOST(DAMAGED), 1);
	}
}

TEST(compressed)
{
	struct tm_buf k = { 0 }, whole = { 0 };
	unsigned char z[4096];
	uLongf n = sizeof z;
	size_t m;

	one_slice();
	CHECK(compress(z, &n, (const unsigned char *)trace.p, trace.n) == Z_OK);
	m = n;
	bytes(&k, 50, z, m);
	sub(&whole, 1, &k);
	bytes(&k, 50, z, m - 6);
	sub(&whole, 1, &k);
	z[m - 1] ^= 1; /* the checksum: found at the end */
	bytes(&k, 50, z, m);
	sub(&whole, 1, &k);
	m = ZSTD_compress(z, sizeof z, trace.p, trace.n, 3);
	bytes(&k, 133, z, m);
	sub(&whole, 1, &k);
	read_bytes(whole.p, whole.n, TM_EV_ALL, true);
	CHECK(strlen(dump.p) >= 3 * strlen(ONE));
	CHECK_U64(LOST(COMPRESSED), 2);
	CHECK_U64(LOST(DAMAGED), 0);
	CHECK_U64(LOST(CUT), 0);
	tm_buf_fini(&whole);
}

/* A file cut at every byte: what is whole is read, what is left over is told to the byte. */
static void cut_everywhere(const unsigned char *p, size_t n, size_t step)
{
	uint64_t before = 0;

	for (size_t cut = 0, at = 0; cut <= n; cut += step) {
		uint64_t rows = read_bytes(p, cut, TM_EV_BIT(TM_EVC_START), false);

		/* The last packet that is whole ends at `at`. */
		for (;;) {
			size_t q = at + 1, len = 0;

			for (unsigned shift = 0; q < n; shift += 7) {
				len |= (size_t)(p[q] & 0x7f) << shift;
				if (!(p[q++] & 0x80))
					break;
			}
			if (q + len > cut || at >= n)
				break;
			at = q + len;
		}
		CHECK_U64(LOST(CUT), cut - at);
		CHECK(!LOST(CUT) || last_loss.of[TM_LOSS_CUT].at == at);
		CHECK_U64(LOST(DAMAGED), 0);
		CHECK(rows + 1 >= before); /* one may be due without its END, and then have it */
		before = rows;
	}
}

TEST(cut_by_hand)
{
	one_slice();
	cut_everywhere((const unsigned char *)trace.p, trace.n, 1);
}

static struct tm_buf load(const char *name)
{
	const char *dir = getenv("TESTDATA");
	char path[512];
	struct tm_buf b = { 0 };
	FILE *f;
	int c;

	snprintf(path, sizeof path, "%s/%s", dir ? dir : "testdata", name);
	f = fopen(path, "rb");
	CHECK(f != NULL);
	while (f && (c = getc(f)) != EOF)
		tm_buf_chr(&b, (char)c);
	if (f)
		fclose(f);
	return b;
}

TEST(cut_sdk_trace)
{
	struct tm_buf tiny = load("perfetto-sdk/44/tiny/tiny.pftrace");

	/* All bytes of the beginning, where every sort of packet is, and samples of the rest. */
	cut_everywhere((const unsigned char *)tiny.p, tiny.n < 12000 ? tiny.n : 12000, 1);
	cut_everywhere((const unsigned char *)tiny.p, tiny.n, 97);
	tm_buf_fini(&tiny);
}

TEST(sdk_trace_variants)
{
	static const char *const names[] = { "tiny", "tiny_nul", "tiny_unknown",
		                             "tiny_deflate_one" };
	char *first = NULL;

	for (size_t i = 0; i < 4; i++) {
		struct tm_buf b;
		char path[64];

		snprintf(path, sizeof path, "perfetto-sdk/44/tiny/%s.pftrace", names[i]);
		b = load(path);
		CHECK_U64(read_bytes(b.p, b.n, TM_EV_ALL, true), 661 + 59);
		nothing_lost();
		CHECK(tm_reader_choose((const unsigned char *)b.p,
		                       b.n < TM_SOURCE_PEEK ? b.n : TM_SOURCE_PEEK,
		                       b.n < TM_SOURCE_PEEK, NULL, NULL) == &tm_reader_pftrace);
		if (!first)
			first = strdup(dump.p);
		CHECK_STR(dump.p, first);
		tm_buf_fini(&b);
	}
	free(first);
}

TEST(bid)
{
	static const char *const texts[] = {
		"",
		"\n",
		"\n\n\n\n",
		"\n\tP1P1P1P1P1P1",
		"\nPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPP",
		"\n \"Kind\",\"Agent_Id\"\n",
		"\n\x1b[31mred\n",
		"\nName,Calls\na,1\n",
		"\r\n\r\n0x1\n",
	};
	static const char other[] = { 7 << 3 | 2, 3, 'a', 'b', 'c', 9 << 3, 5 };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		CHECK_U64(tm_reader_pftrace.bid((const unsigned char *)texts[i], strlen(texts[i]),
		                                true),
		          0);
	first_packet();
	CHECK(tm_reader_pftrace.bid((const unsigned char *)trace.p, trace.n, true) >= 32);
	CHECK(tm_reader_pftrace.bid((const unsigned char *)trace.p, trace.n / 2, false) >= 8);
	/* Fields that are no packets, after one. */
	CHECK(tm_buf_add(&trace, other, sizeof other));
	track(7, 0, "STREAM [0]");
	CHECK(tm_reader_pftrace.bid((const unsigned char *)trace.p, trace.n, true) >= 32);
}

/* Only the columns that are wanted, and the same rows. */
TEST(wanted_columns)
{
	struct tm_buf e;

	first_packet();
	track(7, 0, "STREAM [0]");
	e = begun(7, 1, 1);
	note(&e, 3, 42);
	note(&e, 4, 2);
	put_event(&e, 10);
	end(7, 20);
	read_bytes(trace.p, trace.n, TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_CORR), true);
	CHECK_STR(dump.p, "K alpha.kd 10 20 corr=42\n");
	read_bytes(trace.p, trace.n, TM_EV_BIT(TM_EVC_STREAM), true);
	CHECK_STR(dump.p, "K alpha.kd 10 20 st=0\n");
}

TEST_MAIN(T(slices), T(pairing_in_file_order), T(two_clocks), T(clock_snapshot),
          T(realtime_snapshots), T(realtime_that_cannot_be), T(producers), T(hosts),
          T(interned_behind_its_use), T(inline_texts), T(agents_by_type), T(annotated_times_win),
          T(late_tracks), T(flows), T(counters), T(names_lost), T(unmatched), T(dropped_packets),
          T(delta_clock_after_a_gap), T(negative), T(reversed), T(buffer_was_full),
          T(padding_and_unknown_fields), T(damage), T(descriptions), T(swollen_descriptions),
          T(compressed), T(cut_by_hand), T(cut_sdk_trace), T(sdk_trace_variants), T(bid),
          T(wanted_columns))
