/* SPDX-License-Identifier: MIT
 * The readers of JSON traces: shipped samples with answers worked out by hand, and broken ones,
 * each read up to its fault. */
#include "base/buf.h"
#include "read/formats.h"
#include "stream/report.h"

#include "test.h"

/* Rows of a reader, each as "kind name start+duration ...;", then what was lost and why it ended.
 */
static struct tm_buf dump;
static struct tm_reader *last;

static void number(const struct tm_batch *b, uint32_t i, enum tm_ev_col c, const char *word)
{
	if (tm_batch_has(b, i, c))
		tm_buf_fmt(&dump, " %s=%" PRIu64, word, b->col[c][i]);
}

static void dump_row(const struct tm_batch *b, uint32_t i)
{
	static const char *const kinds[] = { "dispatch", "copy",   "api",  "alloc",
		                             "counter",  "sample", "stat", "agent" };
	static const enum tm_ev_col agents[] = { TM_EVC_AGENT, TM_EVC_SRC, TM_EVC_DST };
	static const char *const words[] = { "agent", "src", "dst" };
	uint64_t start = tm_batch_has(b, i, TM_EVC_START) ? b->col[TM_EVC_START][i] : 0;
	char agent[16];

	tm_buf_str(&dump, kinds[b->kind]);
	if (tm_batch_has(b, i, TM_EVC_NAME)) {
		tm_buf_chr(&dump, ' ');
		tm_buf_str(&dump, b->names->v[b->col[TM_EVC_NAME][i]].text);
	}
	if (tm_batch_has(b, i, TM_EVC_START))
		tm_buf_fmt(&dump, " %" PRIu64 "+%" PRIu64, start, b->col[TM_EVC_END][i] - start);
	if (tm_batch_has(b, i, TM_EVC_DOMAIN))
		tm_buf_fmt(&dump, " %s", tm_domain_text((enum tm_domain)b->col[TM_EVC_DOMAIN][i]));
	for (int k = 0; k < 3; k++)
		if (tm_batch_has(b, i, agents[k]))
			tm_buf_fmt(&dump, " %s=%s", words[k],
			           tm_agent_text(b->col[agents[k]][i], agent));
	number(b, i, TM_EVC_QUEUE, "queue");
	number(b, i, TM_EVC_STREAM, "stream");
	number(b, i, TM_EVC_PID, "pid");
	number(b, i, TM_EVC_TID, "tid");
	number(b, i, TM_EVC_CORR, "corr");
	number(b, i, TM_EVC_LDS, "lds");
	number(b, i, TM_EVC_SGPR, "sgpr");
	number(b, i, TM_EVC_WG, "wg");
	number(b, i, TM_EVC_GRID, "grid");
	number(b, i, TM_EVC_WG_X, "x");
	number(b, i, TM_EVC_WG_Y, "y");
	number(b, i, TM_EVC_WG_Z, "z");
	number(b, i, TM_EVC_GRID_X, "gx");
	number(b, i, TM_EVC_GRID_Y, "gy");
	number(b, i, TM_EVC_GRID_Z, "gz");
	number(b, i, TM_EVC_BYTES, "bytes");
	number(b, i, TM_EVC_ADDRESS, "at");
	number(b, i, TM_EVC_CUS, "cus");
	number(b, i, TM_EVC_GFX, "gfx");
	if (tm_batch_has(b, i, TM_EVC_COUNTER))
		tm_buf_fmt(&dump, " %s=%g", b->names->v[b->col[TM_EVC_COUNTER][i]].text,
		           tm_cell_real(b->col[TM_EVC_VALUE][i]));
	tm_buf_str(&dump, ";\n");
}

/* What a source gives; the reader stays open as `last`. */
static const char *read_source(struct tm_source *src)
{
	struct tm_report rep = { 0 };
	struct tm_diag d = { 0 };
	const struct tm_batch *b;
	enum tm_status st;

	tm_reader_close(last);
	tm_buf_clear(&dump);
	last = src ? tm_reader_open(src, NULL, TM_EV_ALL, NULL, &d) : NULL;
	if (!last) {
		tm_buf_fmt(&dump, "FATAL %s\n", d.text);
		return dump.p;
	}
	while ((st = tm_reader_next(last, &b, &d)) == TM_ST_OK)
		for (uint32_t i = 0; i < b->n; i++)
			dump_row(b, i);
	CHECK(tm_reader_next(last, &b, &d) == st);
	tm_report_loss(&rep, NULL, &last->loss);
	for (size_t i = 0; i < rep.n; i++)
		tm_buf_fmt(&dump, "lost: %s\n", rep.v[i].text);
	if (st == TM_ST_FATAL)
		tm_buf_fmt(&dump, "FATAL %s\n", d.text);
	tm_report_fini(&rep);
	if (!dump.p)
		tm_buf_str(&dump, "");
	return dump.p;
}

static const char *read_file(const char *name)
{
	const char *root = getenv("TESTDATA");
	struct tm_diag d = { 0 };
	char path[1024];
	struct tm_source *src;

	snprintf(path, sizeof path, "%s/%s", root ? root : "testdata", name);
	src = tm_source_open(path, &d);
	read_source(src);
	tm_source_close(src);
	if (last)
		last->src = NULL;
	return dump.p;
}

static const char *read_text(const char *text, size_t n)
{
	struct tm_source *src = tm_source_memory("t.json", text, n, NULL);

	read_source(src);
	tm_source_close(src);
	return dump.p;
}

static const char *read_str(const char *text)
{
	return read_text(text, strlen(text));
}

static bool shows(const char *line)
{
	if (strstr(dump.p, line))
		return true;
	fprintf(stderr, "no \"%s\" in\n%s", line, dump.p);
	return false;
}

static size_t lines(void)
{
	size_t n = 0;

	for (const char *p = dump.p; (p = strchr(p, '\n')); p++)
		n++;
	return n;
}

/* ---- torch.profiler ---- */

/* Base 1759300074000000000; the kernel's grid is in work-items where hipExtModuleLaunchKernel
 * launched it, and 8 4 2 blocks of 64 2 1 are 512 8 2 work-items. */
TEST(kineto)
{
	read_file("kineto/7.0/step/worker_77.pt.trace.json");
	CHECK_U64(lines(), 22);
	/* roctracer numbers devices otherwise than the header does. */
	CHECK(shows("agent gfx942 cus=304 gfx=90402;"));
	CHECK(shows("counter 1759300074001011000+0 agent=GPU 0 pid=77 tid=77 Total "
	            "Allocated=4096;"));
	CHECK(shows("counter 1759300074001500500+0 agent=GPU 0 pid=77 tid=77 Total "
	            "Reserved=2.09715e+06;"));
	CHECK(shows("api ProfilerStep#4 1759300074001000000+900500 marker pid=77 tid=77;"));
	CHECK(shows("api aten::mm 1759300074001010125+60250 other pid=77 tid=77;"));
	CHECK(shows("api train.py(12): step 1759300074001005001+800002 other pid=77 tid=77;"));
	CHECK(shows("api hipLaunchKernel 1759300074001030000+5250 hip pid=77 tid=77 corr=12;"));
	CHECK(shows("dispatch Cijk_Ailk_Bljk_BBS_BH_MT64x64x32 1759300074001100001+100002 agent=2 "
	            "stream=0 corr=11 x=256 y=1 z=1 gx=16384 gy=2 gz=1;"));
	CHECK(shows(
	        "dispatch void fill<float>(float*, char const*) 1759300074001300500+20250 agent=2 "
	        "stream=0 corr=12 x=64 y=2 z=1 gx=512 gy=8 gz=2;"));
	CHECK(shows(
	        "dispatch void fill<float>(float*, char const*) 1759300074001400000+3000 agent=2 "
	        "stream=1 corr=14;"));
	CHECK(shows("copy Memcpy HtoD (Host -> Device) 1759300074001500000+4096 agent=2 dst=2 "
	            "stream=0 corr=13 bytes=8192;"));
	CHECK(shows("copy Memset (Device) 1759300074001510000+1024 agent=2 stream=0 corr=15 "
	            "bytes=64;"));
	CHECK(shows("api ProfilerStep#4 1759300074001100000+411026 other agent=2 stream=0;"));
	CHECK(shows(
	        "alloc allocate 1759300074001011000+0 alloc agent=GPU 0 pid=77 tid=77 bytes=4096 "
	        "at=140216842854592;"));
	CHECK(shows("alloc free 1759300074001500500+0 alloc agent=GPU 0 pid=77 tid=77 bytes=4096 "
	            "at=140216842854592;"));
	CHECK(shows("api PyTorch Profiler (0) 1759300074000990000+1000000 other;"));
	CHECK(shows("api Record Window End 1759300074002000000+0 other;"));
	CHECK(last->has_rank && last->rank == 3);
	CHECK_STR(last->producer, "torch.profiler, roctracer, HIP 7.0");
	CHECK_STR(last->clock, "realtime");
}

#define HEAD "{\"schemaVersion\":1,\"deviceProperties\":[]"
#define KERNEL                                                                                     \
	"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":1,\"tid\":0,\"ts\":5.001,"        \
	"\"dur\":2.002,\"args\":{\"device\":1,\"stream\":0}}"

/* The base before the events, after them, twice, and not at all. */
TEST(base_time)
{
	read_str(HEAD ",\"baseTimeNanoseconds\":1000000,\"traceEvents\":[" KERNEL "]}");
	CHECK_STR(dump.p, "dispatch k 1005001+2002 agent=1 stream=0;\n");
	CHECK_STR(last->clock, "realtime");
	read_str(HEAD ",\"traceEvents\":[" KERNEL "],\"baseTimeNanoseconds\":1000000}");
	CHECK_STR(dump.p, "dispatch k 1005001+2002 agent=1 stream=0;\n");
	CHECK_STR(last->clock, "realtime");
	read_str(HEAD ",\"traceEvents\":[" KERNEL "]}");
	CHECK_STR(dump.p, "dispatch k 5001+2002 agent=1 stream=0;\n");
}

/* How devices are numbered: as the back-end does. */
TEST(back_ends)
{
	read_str(HEAD ",\"rocprofiler-sdk_version\":1.0,\"hip_runtime_version\":70051831,"
	              "\"traceEvents\":[" KERNEL "]}");
	CHECK_STR(dump.p, "dispatch k 5001+2002 agent=GPU 1 stream=0;\n");
	CHECK_STR(last->producer, "torch.profiler, rocprofiler-sdk, HIP 7.0");
	read_str(HEAD ",\"cuda_runtime_version\":12040,\"traceEvents\":[" KERNEL "]}");
	CHECK_STR(dump.p, "dispatch k 5001+2002 agent=GPU 1 stream=0;\n");
	CHECK_STR(last->producer, "torch.profiler, CUPTI");
	read_str(HEAD ",\"traceEvents\":[" KERNEL "]}");
	CHECK_STR(last->producer, "torch.profiler");
	CHECK(!last->has_rank);
}

/* Up to torch 1.10: categories with a capital, operators that are steps, and allocations without a
 * category, of the host, too.  Where they come only after the first look, one category is enough.
 */
TEST(old_categories)
{
	read_str("{\"traceEvents\":["
	         "{\"ph\":\"X\",\"cat\":\"Kernel\",\"name\":\"k\",\"pid\":0,\"tid\":\"stream 7\","
	         "\"ts\":100,\"dur\":20,\"args\":{\"device\":0,\"stream\":7,\"correlation\":5}},"
	         "{\"ph\":\"X\",\"cat\":\"Memcpy\",\"name\":\"Memcpy DtoH (Device -> Pinned)\","
	         "\"pid\":0,\"tid\":\"stream 7\",\"ts\":130,\"dur\":10,"
	         "\"args\":{\"device\":0,\"stream\":7,\"bytes\":64}},"
	         "{\"ph\":\"X\",\"cat\":\"Memset\",\"name\":\"Memset (Device)\",\"pid\":0,"
	         "\"tid\":\"stream 7\",\"ts\":150,\"dur\":1,\"args\":{\"device\":0,\"bytes\":4}},"
	         "{\"ph\":\"X\",\"cat\":\"Runtime\",\"name\":\"hipLaunchKernel\",\"pid\":9,\"tid\":"
	         "8,"
	         "\"ts\":90,\"dur\":5,\"args\":{\"correlation\":5}},"
	         "{\"ph\":\"X\",\"cat\":\"Operator\",\"name\":\"aten::mm\",\"pid\":9,\"tid\":\"8\","
	         "\"ts\":80,\"dur\":30},"
	         "{\"ph\":\"X\",\"cat\":\"Operator\",\"name\":\"ProfilerStep#2\",\"pid\":9,"
	         "\"tid\":\"8\",\"ts\":70,\"dur\":90},"
	         "{\"ph\":\"i\",\"name\":\"[memory]\",\"s\":\"t\",\"pid\":9,\"tid\":8,\"ts\":85,"
	         "\"args\":{\"Device Type\":0,\"Device Id\":-1,\"Bytes\":-24,\"Total "
	         "Allocated\":-8}}"
	         "]}");
	CHECK_U64(lines(), 8);
	CHECK(shows("dispatch k 100000+20000 agent=0 stream=7 corr=5;"));
	CHECK(shows("copy Memcpy DtoH (Device -> Pinned) 130000+10000 agent=0 src=0 stream=7 "
	            "bytes=64;"));
	CHECK(shows("copy Memset (Device) 150000+1000 agent=0 bytes=4;"));
	CHECK(shows("api hipLaunchKernel 90000+5000 hip pid=9 tid=8 corr=5;"));
	CHECK(shows("api aten::mm 80000+30000 other pid=9"));
	CHECK(shows("api ProfilerStep#2 70000+90000 marker pid=9"));
	CHECK(shows("alloc free 85000+0 alloc pid=9 tid=8 bytes=24;"));
	CHECK(shows("counter 85000+0 pid=9 tid=8 Total Allocated=-8;"));
	CHECK_STR(last->ops->name, "kineto-json");
	read_str("{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"Runtime\",\"name\":\"hipFree\",\"pid\":"
	         "9,"
	         "\"tid\":8,\"ts\":90,\"dur\":5}]}");
	CHECK_STR(dump.p, "api hipFree 90000+5000 hip pid=9 tid=8;\n");
	CHECK_STR(last->ops->name, "kineto-json");
}

/* Where copies go, and sizes of a build that has the block in `grid` and the grid in `block`. */
TEST(ends_and_sizes)
{
#define COPY(name, args)                                                                           \
	"{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy " name                             \
	"\",\"pid\":3,\"tid\":1,\"ts\":1,\"dur\":1,\"args\":{\"device\":3" args "}}"
	read_str(HEAD ",\"traceEvents\":[" COPY("HtoD (Host -> Device)", "") "," COPY(
	        "DtoH (Device -> Host)",
	        "") "," COPY("DtoD (Device -> Device)",
	                     "") "," COPY("HtoH (Host -> Host)",
	                                  "") "," COPY("PtoP (Device -> Device)",
	                                               ",\"fromDevice\":3,\"inDevice\":3,"
	                                               "\"toDevice\":5") "]}");
	CHECK_STR(dump.p, "copy Memcpy HtoD (Host -> Device) 1000+1000 agent=3 dst=3 stream=1;\n"
	                  "copy Memcpy DtoH (Device -> Host) 1000+1000 agent=3 src=3 stream=1;\n"
	                  "copy Memcpy DtoD (Device -> Device) 1000+1000 agent=3 src=3 dst=3 "
	                  "stream=1;\n"
	                  "copy Memcpy HtoH (Host -> Host) 1000+1000 agent=3 stream=1;\n"
	                  "copy Memcpy PtoP (Device -> Device) 1000+1000 agent=3 src=3 dst=5 "
	                  "stream=1;\n");
#undef COPY
	read_str(HEAD ",\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":1,"
	              "\"tid\":0,\"ts\":1,\"dur\":1,\"args\":{\"device\":1,\"grid\":[256,1,2],"
	              "\"block\":[524288,3,2]}}]}");
	CHECK_STR(dump.p, "dispatch k 1000+1000 agent=1 stream=0 x=256 y=1 z=2 gx=524288 gy=3 "
	                  "gz=2;\n");
}

/* ---- others ---- */

/* A kernel with more counters than a batch has rows, of rocprof v1 and of rocprofv3, whose
 * instances are added: 3000 of each. */
TEST(many_counters)
{
	enum { MANY = 3000 };
	struct tm_buf in = { 0 };

	tm_buf_str(&in,
	           "{\"traceEvents\":[{},{\"args\":{\"name\":\"GPU0\"},\"ph\":\"M\",\"pid\":6,"
	           "\"name\":\"process_name\",\"sort_index\":1},{\"ph\":\"X\",\"name\":\"k\","
	           "\"pid\":6,\"tid\":1,\"ts\":\"0\",\"dur\":\"1\",\"args\":{\"BeginNs\":\"100\","
	           "\"EndNs\":\"200\",\"KernelName\":\"k\",\"gpu-id\":\"0\"");
	for (int i = 0; i < MANY; i++)
		tm_buf_fmt(&in, ",\"C%d\":\"%d\"", i, i);
	tm_buf_str(&in, "}}]}");
	read_text(in.p, in.n);
	CHECK_U64(lines(), MANY + 1);
	CHECK(shows("dispatch k 100+100 agent=0;\n"));
	CHECK(shows("C2999=2999;\n"));
	tm_buf_clear(&in);
	tm_buf_str(&in, "{\"rocprofiler-sdk-tool\":[{\"metadata\":{\"pid\":7},\"counters\":[");
	for (int i = 0; i < MANY; i++)
		tm_buf_fmt(&in, "%s{\"id\":{\"handle\":%d},\"name\":\"C%d\"}", i ? "," : "", i + 1,
		           i);
	tm_buf_str(&in,
	           "],\"strings\":{\"buffer_records\":[]},\"kernel_symbols\":[{\"kernel_id\":1,"
	           "\"formatted_kernel_name\":\"k\"}],\"callback_records\":{"
	           "\"counter_collection\":[{\"dispatch_data\":{\"start_timestamp\":100,"
	           "\"end_timestamp\":200,\"dispatch_info\":{\"kernel_id\":1,\"dispatch_id\":4}},"
	           "\"records\":[");
	for (int i = 0; i < 2 * MANY; i++)
		tm_buf_fmt(&in, "%s{\"counter_id\":{\"handle\":%d},\"value\":%d.5}", i ? "," : "",
		           i % MANY + 1, i);
	tm_buf_str(&in, "]}]}}]}");
	read_text(in.p, in.n);
	CHECK_U64(lines(), MANY);
	CHECK(shows("counter k 100+100 pid=7 C0=3001;\n"));
	CHECK(shows("counter k 100+100 pid=7 C2999=8999;\n"));
	tm_buf_fini(&in);
}

TEST(plain_events)
{
	read_file("chrome/plain/phases.json");
	CHECK(shows("api inner 12500+2625 other pid=1 tid=1;\napi step 10000+10000 other"));
	CHECK(shows("api other thread 13000+17000 other pid=1 tid=2;"));
	CHECK(shows("api request 40000+4000 other"));
	CHECK(shows("api request 41000+8000 other"));
	CHECK(shows("api mark 50001+0 marker pid=1 tid=1;"));
	CHECK(shows("api named \"so\" \xc3\xa9 \xf0\x9f\x98\x80 60000+1999 other;"));
	CHECK(shows("counter 70000+0 pid=1 load=2.5;"));
	CHECK(shows("counter 71000+0 pid=1 memory:used=10;"));
	CHECK(shows("counter 71000+0 pid=1 memory:free=6;"));
	CHECK(shows("dispatch gemm.kd 90123+2002 agent=4 queue=1 corr=5 wg=128 grid=1024;"));
	CHECK(shows("copy MEMORY_COPY_HOST_TO_DEVICE 95000+1000 src=0 dst=4 bytes=4096;"));
	CHECK(shows("lost: skipped 1 event without an end"));
	CHECK(shows("lost: skipped 1 event without a beginning"));
	CHECK(shows("lost: skipped 1 event with a missing or invalid time"));
	CHECK_STR(last->ops->name, "chrome-json");
}

/* Ids: of a process, of all of them, of counters; and times in every way JSON writes a number. */
TEST(plain_ids_and_times)
{
	read_str("{\"traceEvents\":["
	         "{\"ph\":\"b\",\"cat\":\"a\",\"id2\":{\"local\":\"1\"},\"name\":\"l\",\"pid\":1,"
	         "\"ts\":1},"
	         "{\"ph\":\"b\",\"cat\":\"a\",\"id2\":{\"local\":\"1\"},\"name\":\"m\",\"pid\":2,"
	         "\"ts\":2},"
	         "{\"ph\":\"e\",\"cat\":\"a\",\"id2\":{ \"local\" : \"1\"},\"pid\":1,\"ts\":3},"
	         "{\"ph\":\"e\",\"cat\":\"a\",\"id2\":{\"local\":\"1\"},\"pid\":2,\"ts\":4},"
	         "{\"ph\":\"b\",\"cat\":\"a\",\"id2\":{\"global\":\"1\"},\"name\":\"g\",\"pid\":1,"
	         "\"ts\":5},"
	         "{\"ph\":\"e\",\"cat\":\"a\",\"id2\":{\"global\":\"1\"},\"pid\":2,\"ts\":6},"
	         "{\"ph\":\"C\",\"name\":\"c\",\"pid\":1,\"ts\":7,\"args\":{\"v\":1}},"
	         "{\"ph\":\"C\",\"name\":\"c\",\"id\":\"q\",\"pid\":1,\"ts\":7,\"args\":{\"v\":2}},"
	         "{\"ph\":\"C\",\"name\":\"c\",\"id\":3,\"pid\":1,\"ts\":7,\"args\":{\"v\":1,\"w\":"
	         "2}}]}");
	CHECK_STR(dump.p, "counter 7000+0 pid=1 c=1;\ncounter 7000+0 pid=1 c[q]=2;\n"
	                  "counter 7000+0 pid=1 c[3]:v=1;\ncounter 7000+0 pid=1 c[3]:w=2;\n"
	                  "api l 1000+2000 other pid=1;\napi m 2000+2000 other pid=2;\n"
	                  "api g 5000+1000 other pid=2;\n");
	read_str("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":\"100.5\",\"dur\":\"2.25\"},"
	         "{\"ph\":\"X\",\"name\":\"b\",\"ts\":1.5e2,\"dur\":25E-1},"
	         "{\"ph\":\"X\",\"name\":\"c\",\"ts\":1.759300074e15,\"dur\":1e0},"
	         "{\"ph\":\"X\",\"name\":\"d\",\"ts\":1e+3,\"dur\":0.001},"
	         "{\"ph\":\"X\",\"name\":\"e\",\"ts\":-0.0,\"dur\":1},"
	         "{\"ph\":\"X\",\"name\":\"f\",\"ts\":160.0009999,\"dur\":1e-4},"
	         "{\"ph\":\"X\",\"name\":\"g\",\"ts\":-5,\"dur\":10},"
	         "{\"ph\":\"X\",\"name\":\"h\",\"ts\":160}]");
	CHECK_STR(dump.p, "api a 100500+2250 other;\napi b 150000+2500 other;\napi c "
	                  "1759300074000000000+1000 other;\napi d 1000000+1 other;\napi e 0+1000 "
	                  "other;\napi f 160000+0 other;\nlost: skipped 2 events with a missing or "
	                  "invalid time (the first at byte 280)\n");
}

TEST(rpd2tracing)
{
	read_file("rpd/2/json/run.json");
	CHECK_STR(last->ops->name, "rpd-json");
	CHECK_U64(lines(), 8);
	CHECK(shows("dispatch void fill<float>(float*) 5020125+7500 agent=2 queue=0;"));
	CHECK(shows("copy CopyHostToDevice 5000000+10000 agent=2 queue=1;"));
	CHECK(shows("copy FillBuffer 5030000+2000 agent=2 queue=0;"));
	CHECK(shows("api step 1 4990000+60000 marker pid=808 tid=808;"));
	CHECK(shows("api hipLaunchKernel 5010000+5000 hip pid=808 tid=808;"));
	CHECK(!shows("hcc_activity_callback"));
	CHECK(strstr(dump.p, "lost: skipped 1 row in which the profiler traced itself\n"));
	CHECK(shows("counter 5000000+0 agent=2 Idle=0;"));
	CHECK(shows("counter 5100000+0 sclk=1700;"));
}

TEST(rocprof_v1)
{
	read_file("rocprofv1/6.2/json/results.json");
	CHECK_STR(last->ops->name, "rocprofv1-json");
	CHECK_U64(lines(), 6);
	CHECK(shows("api step one 1000000010+9490 marker pid=4242 tid=4242;"));
	CHECK(shows("copy CopyDeviceToHost 1000003200+5050 agent=1 queue=0 stream=2 pid=4242"));
	CHECK(shows(
	        "dispatch void foo<float, int>(float*, int) [clone .kd] 1000000900+1050 agent=1 "
	        "queue=0 pid=4242 tid=4242 lds=512 sgpr=16 wg=256 grid=65536;"));
	CHECK(shows("grid=65536 GRBM_COUNT=27867;"));
	CHECK(shows("grid=65536 SQ_WAVES=1024.5;"));
	CHECK_STR(last->producer, "rocprof 6.2 or later");
	/* Up to 4.2 pid repeats the section, and tid on a GPU is a lane. */
	read_file("rocprofv1/4.2/json/results.json");
	CHECK_STR(dump.p, "dispatch fill(int*) 84118793119821+10720 agent=0 queue=0 pid=900;\n"
	                  "api hipFree 84118453785080+3570 hip tid=900;\n");
	CHECK_STR(last->producer, "rocprof up to 4.2");
}

TEST(rocprofv2)
{
	read_file("rocprofv2/6.2/json/4141_output.json");
	CHECK_STR(dump.p,
	          "dispatch axpy(float, float*, float*) (.kd) 110000+25000 agent=4 corr=3;\n"
	          "copy CopyDeviceToHost 140000+6000 corr=4;\n"
	          "api hipLaunchKernel 100000+4000 hip tid=4141 corr=3;\n");
}

/* Two processes, each with its own kernel 8; two values of SQ_WAVES are added. */
TEST(rocprofv3)
{
	read_file("rocprofv3/7.0/json/1234_results.json");
	CHECK_STR(last->producer, "rocprofv3 7.0 or later");
	CHECK_STR(last->host, "node1");
	CHECK(shows("dispatch axpy(float*) 50000+3210 agent=4 queue=2 stream=3 pid=1234 tid=1240 "
	            "corr=50 lds=2048 sgpr=32 x=256 y=1 z=1 gx=4096 gy=2 gz=1;"));
	CHECK(shows("dispatch (unnamed) 61000+500 pid=1234;"));
	CHECK(shows("dispatch other 90000+1 agent=3 pid=1300 tid=1301;"));
	CHECK(shows("api hipLaunchKernel 48000+1000 hip pid=1234 tid=1240 corr=50;"));
	CHECK(shows("api say \"hello\"\nworld 40000+40000 marker pid=1234 tid=1240 corr=41;"));
	CHECK(shows("copy MEMORY_COPY_HOST_TO_DEVICE 42000+1000 src=0 dst=4 stream=3 pid=1234 "
	            "tid=1240 corr=45 bytes=65536;"));
	CHECK(shows("alloc MEMORY_ALLOCATION_ALLOCATE 41000+500 alloc agent=4 pid=1234 tid=1240 "
	            "corr=44 bytes=1048576 at=139637976731648;"));
	CHECK(shows("alloc SCRATCH_MEMORY_ALLOC 49500+400 scratch agent=4 queue=2"));
	CHECK(shows("SQ_WAVES=4;"));
	CHECK(shows("GRBM_COUNT=7;"));
	CHECK(shows("agent gfx942 agent=4 cus=304 gfx=90402;"));
	CHECK(shows("lost: skipped 1 event that ends before it begins"));
	CHECK(shows("lost: 1 event whose name was lost is shown as (unnamed)"));
}

/* ---- broken ---- */

static const char first[] = "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1},";

static void check_fault(const char *rest, const char *fault)
{
	char text[400], want[400];

	snprintf(text, sizeof text, "%s%s", first, rest);
	snprintf(want, sizeof want, "api a 1000+1000 other;\nFATAL %s\n", fault);
	CHECK_STR(read_str(text), want);
}

/* Bytes up to the second event: 53. */
TEST(broken)
{
	check_fault("{\"name\":\"say \"hi\"\"}]}",
	            "not valid JSON at byte 67: no comma or brace after a member; only the part "
	            "before it was read");
	check_fault("{\"name\":\"a\nb\"}]}",
	            "not valid JSON at byte 63: a control character in a string, or a quote is "
	            "missing; only the part before it was read");
	check_fault("{\"name\":\"\xff\"}]}", "not valid JSON at byte 62: a string that is not "
	                                     "UTF-8; only the part before it was read");
	check_fault("{\"na", "the file ends inside the array of events, at byte 57: truncated, or "
	                     "still being written");
	check_fault("", "the file ends inside the array of events, at byte 53: truncated, or still "
	                "being written");
	check_fault("{}]", "the file ends inside its outermost object, at byte 56: truncated, or "
	                   "still being written");
	check_fault("{}]} x", "not valid JSON at byte 58: extra data after its end; only the part "
	                      "before it was read");
	check_fault("{}]", "the file ends inside its outermost object, at byte 56: truncated, or "
	                   "still being written");
}

/* Times that are none leave out their event alone. */
TEST(bad_times)
{
	char text[900], long_number[401];

	memset(long_number, '9', 400);
	long_number[400] = '\0';
	snprintf(text, sizeof text,
	         "%s{\"ph\":\"X\",\"name\":\"b\",\"ts\":%s},{\"ph\":\"X\",\"ts\":\"x\"},"
	         "{\"ph\":\"X\",\"name\":\"c\",\"ts\":-1},{\"ph\":\"X\",\"name\":\"d\",\"ts\":1,"
	         "\"dur\":-1},7,{\"ph\":\"X\",\"name\":\"e\",\"ts\":[1]}]}",
	         first, long_number);
	CHECK_STR(read_str(text), "api a 1000+1000 other;\nlost: skipped 1 event that ends before "
	                          "it begins (at byte 531)\nlost: skipped 5 events with a missing "
	                          "or invalid time (the first at byte 53)\n");
}

/* A bare array may lack its end. */
TEST(bare_arrays)
{
	CHECK_STR(read_str("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1},\n"),
	          "api a 1000+1000 other;\n");
	CHECK_STR(read_str("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1}"),
	          "api a 1000+1000 other;\n");
	CHECK_STR(read_str("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1},{"),
	          "api a 1000+1000 other;\nFATAL the file ends inside the array of events, at byte "
	          "39: truncated, or still being written\n");
}

TEST(deep)
{
	char *text = malloc(4096);
	size_t n;

	CHECK(text != NULL);
	if (!text)
		return;
	n = (size_t)snprintf(text, 4096, "%s{\"args\":", first);
	memset(text + n, '[', 2000);
	read_text(text, n + 2000);
	CHECK(shows("FATAL not valid JSON at byte 573: nested too deeply; only the part before it "
	            "was read\n"));
	free(text);
}

/* Every prefix of every sample: rows that the whole file has, and then a word. */
TEST(cut_everywhere)
{
	static const char *const files[] = { "kineto/7.0/step/worker_77.pt.trace.json",
		                             "rocprofv3/7.0/json/1234_results.json",
		                             "rpd/2/json/run.json" };

	for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
		const char *root = getenv("TESTDATA");
		char path[1024], *text = malloc(65536);
		FILE *in;
		size_t n;

		snprintf(path, sizeof path, "%s/%s", root ? root : "testdata", files[f]);
		in = fopen(path, "rb");
		CHECK(in && text);
		if (!in || !text)
			return;
		n = fread(text, 1, 65536, in);
		fclose(in);
		for (size_t k = 0; k < n - 2; k++) {
			read_text(text, k);
			/* The array of rpd2tracing may end after any event. */
			CHECK(strstr(dump.p, "FATAL") || f == 2);
		}
		free(text);
	}
}

/* Wherever the bytes are cut into blocks, the same rows: 300 KiB of events, moved by a byte at a
 * time past the length of an event. */
TEST(every_block_boundary)
{
	enum { EVENTS = 2400, MOVES = 140 };
	struct tm_buf text = { 0 }, want = { 0 };

	for (int move = 0; move < MOVES; move++) {
		tm_buf_clear(&text);
		tm_buf_str(&text, HEAD ",\"baseTimeNanoseconds\":7,\"traceEvents\":[");
		for (int i = 0; i < move; i++)
			tm_buf_chr(&text, ' ');
		for (int i = 0; i < EVENTS; i++)
			tm_buf_fmt(
			        &text,
			        "%s\n{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\\u00e9%d\","
			        "\"pid\":1,\"tid\":0,\"ts\":%d.25,\"dur\":2.5,\"args\":{\"device\":"
			        "1,"
			        "\"x\":[1,{\"y\":null}],\"stream\":%d}}",
			        i ? "," : "", i % 7, i, i % 3);
		tm_buf_str(&text, "]}");
		CHECK(text.n > 256 * 1024);
		read_text(text.p, text.n);
		if (!move)
			tm_buf_add(&want, dump.p, dump.n);
		CHECK(dump.n == want.n && !memcmp(dump.p, want.p, want.n));
	}
	CHECK_U64(lines(), EVENTS);
	CHECK(shows("dispatch k\xc3\xa9"
	            "5 5257+2500"));
	tm_buf_fini(&text);
	tm_buf_fini(&want);
}

/* ---- whose is it ---- */

TEST(not_ours)
{
	CHECK(strstr(read_str("{\"schema_version\":1,\"status\":\"pass\"}"), "unknown format"));
	CHECK(strstr(read_str("[1,2,3]"), "unknown format"));
	CHECK(strstr(read_str("{\"traceEvents\":{}}"), "unknown format"));
	CHECK(strstr(read_str("{\"args\":{\"name\":\"COPY\"},\"ph\":\"M\"}"), "unknown format"));
	tm_reader_close(last);
	last = NULL;
	tm_buf_fini(&dump);
}

TEST_MAIN(T(kineto), T(base_time), T(back_ends), T(old_categories), T(ends_and_sizes),
          T(many_counters), T(plain_events), T(plain_ids_and_times), T(rpd2tracing), T(rocprof_v1),
          T(rocprofv2), T(rocprofv3), T(broken), T(bad_times), T(bare_arrays), T(deep),
          T(cut_everywhere), T(every_block_boundary), T(not_ours))
