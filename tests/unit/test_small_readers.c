/* SPDX-License-Identifier: MIT
 * The readers of statistics, agents and rocprofv2's text: every dialect with exact answers, and the
 * real files of the shared folder. */
#include "read/csv/csv_small.h"
#include "read/formats.h"

#include "test.h"

#include <ftw.h>
#include <math.h>

/* Everything a reader gives, as one text: "kind col=value ...;" for each row, then its losses. */
static struct tm_buf dump;

static void dump_row(const struct tm_batch *b, uint32_t i)
{
	static const char *const kinds[] = { "dispatch", "copy",   "api",  "alloc",
		                             "counter",  "sample", "stat", "agent" };

	tm_buf_str(&dump, kinds[b->kind]);
	for (int c = 0; c < TM_EVC_N; c++) {
		char agent[16];
		uint64_t v;

		if (!tm_batch_has(b, i, (enum tm_ev_col)c))
			continue;
		v = b->col[c][i];
		tm_buf_fmt(&dump, " %s=", tm_ev_columns[c].word);
		switch (tm_ev_columns[c].type) {
		case TM_EVT_NAME:
			tm_buf_add(&dump, b->names->v[v].text, b->names->v[v].len);
			break;
		case TM_EVT_REAL:
			tm_buf_fmt(&dump, "%.10g", tm_cell_real(v));
			break;
		case TM_EVT_AGENT:
			tm_buf_str(&dump, tm_agent_text(v, agent));
			break;
		case TM_EVT_DOMAIN:
			tm_buf_str(&dump, tm_domain_text((enum tm_domain)v));
			break;
		default:
			tm_buf_u64(&dump, v);
		}
	}
	tm_buf_str(&dump, ";\n");
}

static struct tm_loss last_loss;
static enum tm_status last_status;
static char last_table[64];
static uint64_t last_lines;

/* Laws of a batch. */
static void check_batch(const struct tm_batch *b)
{
	tm_ev_set all = TM_EV_ALL, any = 0;

	CHECK(b->n > 0 && b->n <= TM_BATCH_ROWS);
	for (uint32_t i = 0; i < b->n; i++) {
		all &= b->row_has[i];
		any |= b->row_has[i];
	}
	CHECK(b->has == all && b->some == any);
}

static void read_source(struct tm_source *src, const struct tm_reader_ops *ops, bool show)
{
	const struct tm_batch *b = NULL;
	struct tm_diag d = { 0 };
	struct tm_reader *r = tm_reader_open(src, ops, TM_EV_ALL, NULL, &d);
	uint64_t rows = 0;

	tm_buf_clear(&dump);
	if (!r) {
		tm_buf_fmt(&dump, "FATAL %s", d.text);
		last_status = TM_ST_FATAL;
		return;
	}
	while ((last_status = tm_reader_next(r, &b, &d)) == TM_ST_OK) {
		check_batch(b);
		rows += b->n;
		for (uint32_t i = 0; i < b->n && show; i++)
			dump_row(b, i);
	}
	CHECK(tm_reader_next(r, &b, &d) == last_status);
	if (last_status == TM_ST_FATAL)
		tm_buf_fmt(&dump, "FATAL %s", d.text);
	last_loss = r->loss;
	last_lines = r->lines;
	snprintf(last_table, sizeof last_table, "%s", r->table);
	CHECK_U64(r->loss.rows, rows);
	for (enum tm_loss_reason i = 0; i < TM_LOSS_REASONS; i++) {
		const struct tm_lost *l = &r->loss.of[i];

		/* Of a last line there is one, and no need to count it. */
		if (l->n && (i == TM_LOSS_LINE_UNENDED || i == TM_LOSS_LINE_OPEN_END))
			tm_buf_fmt(&dump, "%s @%" PRIu64 "\n", tm_losses[i].word, l->at);
		else if (l->n && tm_losses[i].place == TM_LOSS_LINE)
			tm_buf_fmt(&dump, "%s %" PRIu64 " @%" PRIu64 "\n", tm_losses[i].word, l->n,
			           l->at);
	}
	tm_reader_close(r);
}

static const char *read_named(const struct tm_reader_ops *ops, const char *name, const char *text,
                              size_t n)
{
	unsigned char *copy = malloc(n ? n : 1);
	struct tm_diag d;
	struct tm_source *src;

	memcpy(copy, text, n);
	src = tm_source_memory(name, copy, n, &d);
	CHECK(src != NULL);
	read_source(src, ops, true);
	tm_source_close(src);
	free(copy);
	return dump.p ? dump.p : "";
}

#define READ(ops, text) read_named(&tm_reader_##ops, "x.csv", text, sizeof(text) - 1)

#define HEAD8                                                                                      \
	"\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\"MaxNs\"," \
	"\"StdDev\"\n"
#define HEAD5 "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n"

TEST(stats_of_rocprofv3)
{
	CHECK_STR(READ(rocprof_stats,
	               HEAD8 "\"foo(float*)\",10,2000,200.000000,98.50,100,300,12.500000\n"
	                     "\"bar\",1,20,20.000000,1.000e-02,20,20,0.00000000e+00\n"),
	          "stat name=foo(float*) domain=kernel calls=10 total_ns=2000 avg_ns=200 pct=98.5 "
	          "pct_err=0.005 min_ns=100 max_ns=300 stddev_ns=12.5;\n"
	          "stat name=bar domain=kernel calls=1 total_ns=20 avg_ns=20 pct=0.01 "
	          "pct_err=5e-06 min_ns=20 "
	          "max_ns=20 stddev_ns=0;\n");
	CHECK_STR(last_table, "kernel statistics");
	CHECK_U64(last_lines, 3);
	CHECK(last_status == TM_ST_END);
	/* Columns in any order and spelling, byte order mark, CRLF, all quoted. */
	CHECK_STR(READ(rocprof_stats,
	               "\xef\xbb\xbf\"calls\",\"Total-Duration-Ns\",\"extra\",\"name\"\r\n"
	               "\"3\",\"60.0\",\"x\",\"a \"\"q\"\", b\"\r\n"),
	          "stat name=a \"q\", b domain=kernel calls=3 total_ns=60;\n");
	/* Bare, as a spreadsheet leaves it. */
	CHECK_STR(READ(rocprof_stats,
	               "Name,Calls,TotalDurationNs\n\"f<\"\"x\"\">, g\",3,60\nh,4,70\n"),
	          "stat name=f<\"x\">, g domain=kernel calls=3 total_ns=60;\n"
	          "stat name=h domain=kernel calls=4 total_ns=70;\n");
	/* No number at all is absent, a wrong one is not. */
	CHECK_STR(READ(rocprof_stats, HEAD8 "\"f\",0,0,nan,-nan,,None,inf\n"),
	          "stat name=f domain=kernel calls=0 total_ns=0;\n");
	CHECK_STR(READ(rocprof_stats,
	               HEAD8 "\"f\",1,99999999999999999999,1,1,1,1,1\n"
	                     "\"g\",,5,1,1,1,1,1\n\"h\",1,5,1,1,-1,1,1\n\"i\",1,5,1,1,x,1,1\n"),
	          "malformed 4 @2\n");
}

TEST(stats_of_rocprof_v1)
{
	CHECK_STR(READ(rocprof_stats,
	               HEAD5 "\"f(Body*, int) [clone .kd]\",10,261124944,26112494,100.0\n"),
	          "stat name=f(Body*, int) [clone .kd] domain=kernel calls=10 total_ns=261124944 "
	          "avg_ns=26112494 pct=100 pct_err=0.05;\n");
	CHECK_STR(READ(rocprof_stats,
	               HEAD5 "\"hsa_queue_create\",1,5,5,99.9\n\"hsa_dispatch\",7,0,0,0.0\n"),
	          "stat name=hsa_queue_create domain=hsa calls=1 total_ns=5 avg_ns=5 pct=99.9 "
	          "pct_err=0.05;\n"
	          "stat name=hsa_dispatch domain=hsa calls=7 total_ns=0 avg_ns=0 pct=0 "
	          "pct_err=0.05;\n");
	CHECK_STR(last_table, "HSA API statistics");
	/* Before 5.2: no quotes at all, commas or not. */
	CHECK_STR(
	        READ(rocprof_stats, HEAD5
	             "hsa_init,1,5,5,4.3697855621997866e-05\nfoo<int, 2>(a, b),5,10,2,50.0\n"),
	        "stat name=hsa_init domain=kernel calls=1 total_ns=5 avg_ns=5 pct=4.369785562e-05 "
	        "pct_err=5e-22;\n"
	        "stat name=foo<int, 2>(a, b) domain=kernel calls=5 total_ns=10 avg_ns=2 pct=50 "
	        "pct_err=0.05;\n"
	        "recovered 1 @3\n");
	CHECK_STR(
	        READ(rocprof_stats, HEAD5 "\"\"<barrier packet>\"\",1,5,5,100.0\n"),
	        "stat name=\"<barrier packet>\" domain=kernel calls=1 total_ns=5 avg_ns=5 pct=100 "
	        "pct_err=0.05;\n"
	        "recovered 1 @2\n");
}

static const char *domain_of(const char *file, const char *names)
{
	struct tm_buf in = { 0 };

	tm_buf_str(&in, HEAD5);
	while (*names) {
		size_t n = strcspn(names, " ");

		tm_buf_fmt(&in, "\"%.*s\",1,2,2,50.0\n", (int)n, names);
		names += n + (names[n] == ' ');
	}
	read_named(&tm_reader_rocprof_stats, file, in.p, in.n);
	tm_buf_fini(&in);
	return last_table;
}

TEST(domains_of_stats)
{
	CHECK_STR(domain_of("a.csv",
	                    "hipMalloc __hipPushCallConfiguration hipGetDevicePropertiesR0600"),
	          "HIP API statistics");
	CHECK_STR(domain_of("a.csv", "hipMalloc my_kernel"), "kernel statistics");
	CHECK_STR(domain_of("a.csv", "hip_kernel"), "kernel statistics");
	CHECK_STR(domain_of("a.csv", "hsa_init hsa_amd_agents_allow_access"), "HSA API statistics");
	CHECK_STR(domain_of("a.csv", "ncclAllReduce ncclCommInitRank"), "RCCL API statistics");
	CHECK_STR(domain_of("a.csv", "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)"),
	          "kernel statistics");
	CHECK_STR(domain_of("a.csv", "ncclDevKernel_Generic_4"), "kernel statistics");
	CHECK_STR(domain_of("a.csv", "ncclKernelAllReduce"), "kernel statistics");
	CHECK_STR(domain_of("a.csv", "MEMORY_COPY_HOST_TO_DEVICE"), "memory copy statistics");
	CHECK_STR(domain_of("a.csv", "HOST_TO_DEVICE DEVICE_TO_HOST"), "memory copy statistics");
	CHECK_STR(domain_of("a.csv", "CopyHostToDevice FillBuffer CopyDeviceToHost2D"),
	          "memory copy statistics");
	CHECK_STR(domain_of("a.csv", "async-copy"), "memory copy statistics");
	CHECK_STR(domain_of("a.csv", "MEMORY_ALLOCATION_ALLOCATE MEMORY_ALLOCATION_FREE"),
	          "memory allocation statistics");
	CHECK_STR(domain_of("a.csv", "SCRATCH_MEMORY_ALLOC SCRATCH_MEMORY_FREE"),
	          "scratch memory statistics");
	CHECK_STR(domain_of("a.csv", "rocDecCreateDecoder"), "rocDecode API statistics");
	CHECK_STR(domain_of("a.csv", "rocJpegCreate"), "rocJPEG API statistics");
	CHECK_STR(domain_of("a.csv",
	                    "HSA_API HIP_API MARKER KERNEL_DISPATCH MEMORY_COPY SCRATCH_MEMORY"),
	          "domain statistics");
	CHECK_STR(domain_of("d/run_Marker_api_stats.csv", "step forward"), "marker statistics");
	CHECK_STR(domain_of("marker/run_stats.csv", "step forward"), "kernel statistics");
	CHECK_STR(domain_of("run_marker_stats.csv", "hipMalloc"), "HIP API statistics");
}

TEST(names_that_hurt)
{
	CHECK_STR(
	        READ(rocprof_stats, HEAD5 "\"k<\"a\",1>(int)\",1,2,2,50.0\n"
	                                  "\"f<\"\">\",1,2,2,50.0\n"
	                                  "\"two\nlines\",1,2,2,50.0\n"
	                                  "\"cut here\n"
	                                  "\"a\",b\",\"c\",1,2,2,50.0\n"
	                                  "\"short\",1\n"
	                                  "\n"
	                                  "\"ok\",1,2,2,50.0\n"
	                                  "\"and cut at the e"),
	        "stat name=k<\"a\",1>(int) domain=kernel calls=1 total_ns=2 avg_ns=2 pct=50 "
	        "pct_err=0.05;\n"
	        "stat name=f<\"\"> domain=kernel calls=1 total_ns=2 avg_ns=2 pct=50 pct_err=0.05;\n"
	        "stat name=two\nlines domain=kernel calls=1 total_ns=2 avg_ns=2 pct=50 "
	        "pct_err=0.05;\n"
	        "stat name=a\",b\",\"c domain=kernel calls=1 total_ns=2 avg_ns=2 pct=50 "
	        "pct_err=0.05;\n"
	        "stat name=ok domain=kernel calls=1 total_ns=2 avg_ns=2 pct=50 pct_err=0.05;\n"
	        "malformed 2 @6\nrecovered 3 @2\ncut 1 @11\n");
	CHECK_U64(last_lines, 10);
}

TEST(nothing_and_no_table)
{
	CHECK_STR(READ(rocprof_stats, HEAD8), "");
	CHECK(last_status == TM_ST_END);
	CHECK_STR(READ(rocprof_stats, "Name,Calls\n\"a\",1\n"),
	          "FATAL no column 'TotalDurationNs' in the header");
	CHECK_STR(READ(rocprof_stats, ""), "FATAL no column 'Name' in the header");
	CHECK_STR(READ(rocprof_agents, "\"Node_Id\",\"Agent_Type\",\"Name\""), "");
	CHECK_STR(READ(rocprofv2_text, ""), "");
	CHECK_STR(READ(rocprofv2_text, "hello\n\nworld"), "open_end @3\n");
}

TEST(many_rows)
{
	struct tm_buf in = { 0 };

	tm_buf_str(&in, HEAD5);
	for (int i = 0; i < 5000; i++)
		tm_buf_fmt(&in, "\"k%d\",1,2,2,50.0\n", i);
	read_named(&tm_reader_rocprof_stats, "x", in.p, in.n);
	CHECK_U64(last_loss.rows, 5000);
	CHECK(strstr(dump.p, "name=k4999 ") != NULL);
	tm_buf_clear(&in);
	tm_buf_str(&in, "dispatch[1], gpu-id(0), kernel-name(\"x\"), time(1,2)");
	for (int i = 0; i < 5000; i++)
		tm_buf_fmt(&in, ", C_%d(%d.0)", i, i);
	tm_buf_chr(&in, '\n');
	for (int i = 0; i < 3000; i++)
		tm_buf_fmt(&in,
		           "Domain(ROCTX_DOMAIN), Timestamp(%d), ROCTX_ID(0), ROCTX_Message(m%d)\n",
		           i, i);
	read_named(&tm_reader_rocprofv2_text, "x", in.p, in.n);
	CHECK_U64(last_loss.rows, 8001);
	CHECK(strstr(dump.p, "counter=C_4999 value=4999;") != NULL);
	CHECK(strstr(dump.p, "name=m2999 domain=marker start_ns=2999 end_ns=2999;") != NULL);
	tm_buf_fini(&in);
}

/* Every prefix of every dialect: no crash, and never a row that the whole does not have. */
TEST(cut_anywhere)
{
	static const char stats[] = HEAD8
	        "\"f<\"a\",1>\",10,2000,200.0,98.50,100,300,12.5\r\n\"g\nh\",1,2,3,4,5,6,7\n";
	static const char text[] =
	        "Dispatch_ID(1), GPU_ID(4), Kernel_Name(\"f(int)\"), Begin_Timestamp(1), "
	        "End_Timestamp(2), Correlation_ID(0), C(5.0)\n"
	        "Domain(HIP_API_DOMAIN), Function(hipMalloc), Start_Timestamp(1), "
	        "End_Timestamp(2), Correlation_ID(2)\n";

	for (size_t n = 0; n < sizeof stats; n++) {
		read_named(&tm_reader_rocprof_stats, "x", stats, n);
		CHECK(last_loss.of[TM_LOSS_LINE_MALFORMED].n == 0 || n > sizeof HEAD8);
	}
	for (size_t n = 0; n < sizeof text; n++) {
		read_named(&tm_reader_rocprofv2_text, "x", text, n);
		CHECK_U64(last_loss.of[TM_LOSS_LINE_MALFORMED].n, 0);
		CHECK(last_loss.of[TM_LOSS_LINE_CUT].n <= 1);
	}
}

TEST(agents)
{
	CHECK_STR(READ(rocprof_agents,
	               "\"Node_Id\",\"Logical_Node_Id\",\"Agent_Type\",\"Cu_Count\",\"Gfx_Target_"
	               "Version\",\"Name\",\"Vendor_Name\",\"Product_Name\",\"Model_Name\"\n"
	               "0,0,\"CPU\",0,0,\"AMD EPYC 7742\",\"CPU\",\"AMD EPYC 7742, 64-Core\",\"\"\n"
	               "4,2,\"GPU\",304,90402,\"gfx942\",\"AMD\",\"AMD \"Instinct\", MI300X\",\"ip "
	               "discovery\"\n"),
	          "agent name=AMD EPYC 7742 agent=0 type=CPU product=AMD EPYC 7742, 64-Core node=0 "
	          "cus=0 gfx=0;\n"
	          "agent name=gfx942 agent=2 type=GPU product=AMD \"Instinct\", MI300X node=4 "
	          "cus=304 gfx=90402;\n"
	          "recovered 1 @3\n");
	CHECK_STR(READ(rocprof_agents, "Node_Id,Agent_Type,Name\n7,GPU,gfx90a\nx,GPU,gfx90a\n"),
	          "agent name=gfx90a agent=7 type=GPU node=7;\nmalformed 1 @3\n");
}

TEST(text_of_rocprofv2)
{
	CHECK_STR(
	        READ(rocprofv2_text,
	             "ROCProfilerV2: Collecting the following counters:\n- GRBM_COUNT\n"
	             "Dispatch_ID(1), GPU_ID(4), Queue_ID(1), Process_ID(21), Thread_ID(22), "
	             "Grid_Size(10), Workgroup_Size(5), LDS_Per_Workgroup(512), "
	             "Scratch_Per_Workitem(0), Arch_VGPR(8), Accum_VGPR(4), SGPR(16), "
	             "Wave_Size(64), Kernel_Name(\"f<(int)1, 'x'>(char*) (.kd)\"), "
	             "Begin_Timestamp(100), End_Timestamp(200), Correlation_ID(3), "
	             "GRBM_COUNT(14222.000000), TCC_HIT[0](1.5)\n"
	             "PASSED!\n"
	             "Domain(HIP_API_DOMAIN), Function(hipMalloc), Start_Timestamp(5), "
	             "End_Timestamp(9), Correlation_ID(2)\r\n"
	             "Domain(HSA_OPS_DOMAIN), Operation_Name(COPY), Start_Timestamp(6), "
	             "End_Timestamp(8), Correlation_ID(33)\n"
	             "Domain(HIP_OPS_DOMAIN), Operation_Name(KernelExecution), Kernel_Name(g(int, "
	             "float)), Start_Timestamp(6), End_Timestamp(8), Correlation_ID(34)\n"
	             "Domain(HSA_API_DOMAIN), Function(hsa_init), Start_Timestamp(9), "
	             "End_Timestamp(8), Correlation_ID(1)\n"
	             "Domain(HSA_API_DOMAIN), Function(hsa_init), Start_Timestamp(x), "
	             "End_Timestamp(8)\n"
	             "Domain(mine), no record\n"),
	        "dispatch name=f<(int)1, 'x'>(char*) (.kd) domain=kernel start_ns=100 end_ns=200 "
	        "agent=4 "
	        "queue=1 pid=21 tid=22 corr=3 dispatch_id=1 lds_bytes=512 scratch_bytes=0 vgpr=8 "
	        "accum_vgpr=4 sgpr=16 workgroup=5 "
	        "grid=10 wave=64;\n"
	        "dispatch name=g(int, float) domain=kernel start_ns=6 end_ns=8 corr=34;\n"
	        "counter name=f<(int)1, 'x'>(char*) (.kd) domain=kernel start_ns=100 end_ns=200 "
	        "agent=4 "
	        "queue=1 pid=21 tid=22 corr=3 dispatch_id=1 lds_bytes=512 scratch_bytes=0 vgpr=8 "
	        "accum_vgpr=4 sgpr=16 workgroup=5 "
	        "grid=10 wave=64 counter=GRBM_COUNT value=14222;\n"
	        "counter name=f<(int)1, 'x'>(char*) (.kd) domain=kernel start_ns=100 end_ns=200 "
	        "agent=4 "
	        "queue=1 pid=21 tid=22 corr=3 dispatch_id=1 lds_bytes=512 scratch_bytes=0 vgpr=8 "
	        "accum_vgpr=4 sgpr=16 workgroup=5 "
	        "grid=10 wave=64 counter=TCC_HIT[0] value=1.5;\n"
	        "api name=hipMalloc domain=hip start_ns=5 end_ns=9 corr=2;\n"
	        "copy name=COPY domain=copy start_ns=6 end_ns=8 corr=33;\n"
	        "malformed 1 @9\nreversed 1 @8\n");
	CHECK_U64(last_lines, 10);
}

TEST(markers_of_rocprofv2)
{
	CHECK_STR(READ(rocprofv2_text,
	               "Domain(ROCTX_DOMAIN), Timestamp(10), ROCTX_ID(0), ROCTX_Message(mark)\n"
	               "Domain(ROCTX_DOMAIN), Timestamp(20), ROCTX_ID(0), ROCTX_Message(push (a), "
	               "b)\n"
	               "Domain(ROCTX_DOMAIN), Timestamp(25), ROCTX_ID(7), ROCTX_Message(range)\n"
	               "Domain(ROCTX_DOMAIN), Timestamp(30), ROCTX_ID(0), \n"
	               "Domain(ROCTX_DOMAIN), Timestamp(40), ROCTX_ID(7),\n"
	               "Domain(ROCTX_DOMAIN), Timestamp(50), ROCTX_ID(9), \n"),
	          "api name=push (a), b domain=marker start_ns=20 end_ns=30;\n"
	          "api name=range domain=marker start_ns=25 end_ns=40;\n"
	          "api name=mark domain=marker start_ns=10 end_ns=10;\n"
	          "malformed 1 @6\n");
}

TEST(text_of_5_5_and_v1)
{
	CHECK_STR(
	        READ(rocprofv2_text,
	             "Record [3], Domain(HIP_API_DOMAIN), Begin(10), End(20), Correlation ID( 7), "
	             "ROCTX ID(-94023), Function(hipMalloc)\n"
	             "Record [4], Domain(HIP_OPS_DOMAIN), Begin(11), End(21), Correlation ID( 7), "
	             "Kernel Name(f<g>(int, h(*)(int)))\n"
	             "Record [5], Domain(ROCTX_DOMAIN), Begin(12), End(0), Correlation ID( 0), "
	             "ROCTX ID(0), ROCTX Message(m)\n"
	             "Record [6], Domain(HSA_OPS_DOMAIN), Begin(13), End(23), Correlation ID( 8)\n"
	             "Record(7), Domain(HSA_API_DOMAIN), Function(hsa_init), Begin(30), "
	             "Correlation_ID(1)\n"
	             "Record(8), Domain(HSA_API_DOMAIN), Function(hsa_init), End(35), "
	             "Correlation_ID(1)\n"
	             "Record(9), Domain(HSA_API_DOMAIN), Function(hsa_init), End(36), "
	             "Correlation_ID(1)\n"),
	        "api name=hipMalloc domain=hip start_ns=10 end_ns=20 corr=7;\n"
	        "api name=hsa_init domain=hsa start_ns=30 end_ns=35 corr=1;\n"
	        "api name=m domain=marker start_ns=12 end_ns=12;\n"
	        "dispatch name=f<g>(int, h(*)(int)) domain=kernel start_ns=11 end_ns=21 corr=7;\n"
	        "copy name=COPY domain=copy start_ns=13 end_ns=23 corr=8;\n"
	        "malformed 1 @7\n");
	CHECK_STR(READ(rocprofv2_text,
	               "dispatch[1], gpu_id(4), queue_id(1), queue_index(0), pid(5), tid(6), "
	               "grd(64), wgr(32), lds(0), scr(0), arch_vgpr(8), accum_vgpr(0), sgpr(16), "
	               "wave_size(64), sig(12), obj(13), kernel-name(\"k<\"a\", (b)1>(int)\"), "
	               "start_time(1), end_time(2)\n"
	               ", GRBM_COUNT (21840)\n"
	               "dispatch[2], gpu-id(0), kernel-name(\"x\"), time(3,4)\n"
	               "  SQ_WAVES (7)\n  not one\n  SQ_WAVES (8)\n"
	               "dispatch[3], gpu-id(0), sig(0x0), kernel-name(\"x\"), time(1,5,6,9)\n"
	               "dispatch[4], gpu-id(0), kernel-name(\"untimed\")\n"),
	          "dispatch name=k<\"a\", (b)1>(int) domain=kernel start_ns=1 end_ns=2 agent=4 "
	          "queue=1 "
	          "pid=5 tid=6 dispatch_id=1 lds_bytes=0 scratch_bytes=0 vgpr=8 accum_vgpr=0 "
	          "sgpr=16 workgroup=32 grid=64 wave=64;\n"
	          "dispatch name=x domain=kernel start_ns=3 end_ns=4 agent=0 dispatch_id=2;\n"
	          "dispatch name=x domain=kernel start_ns=5 end_ns=6 agent=0 dispatch_id=3;\n"
	          "dispatch name=untimed domain=kernel agent=0 dispatch_id=4;\n"
	          "counter name=k<\"a\", (b)1>(int) domain=kernel start_ns=1 end_ns=2 agent=4 "
	          "queue=1 "
	          "pid=5 tid=6 dispatch_id=1 lds_bytes=0 scratch_bytes=0 vgpr=8 accum_vgpr=0 "
	          "sgpr=16 workgroup=32 grid=64 wave=64 "
	          "counter=GRBM_COUNT value=21840;\n"
	          "counter name=x domain=kernel start_ns=3 end_ns=4 agent=0 dispatch_id=2 "
	          "counter=SQ_WAVES "
	          "value=7;\n");
}

static unsigned bid(const struct tm_reader_ops *ops, const char *text)
{
	return ops->bid((const unsigned char *)text, strlen(text), true);
}

/* The text files of rocprof v1, and what older releases left out of them. */
TEST(text_of_v1)
{
	/* Without correlation ids calls are counted, each process's on their own. */
	CHECK_STR(READ(rocprofv1_text, "1000000100:1000000200 10:11 hipFoo(a=1, b={2, 3})\n"
	                               "1000000100:1000000201 20:21 hipFoo()\n"
	                               "1000000100:1000000202 10:12 hsa_bar(x) = 0\r\n"
	                               "1000000100:1000000203 10:12 unknown :9\n"),
	          "api name=hipFoo domain=hip start_ns=1000000100 end_ns=1000000200 pid=10 tid=11 "
	          "corr=1;\n"
	          "api name=hipFoo domain=hip start_ns=1000000100 end_ns=1000000201 pid=20 tid=21 "
	          "corr=1;\n"
	          "api name=hsa_bar domain=hsa start_ns=1000000100 end_ns=1000000202 pid=10 tid=12 "
	          "corr=2;\n"
	          "api name=unknown domain=hip start_ns=1000000100 end_ns=1000000203 pid=10 tid=12 "
	          "corr=9;\n");
	CHECK_STR(last_table, "HIP API trace");
	/* Operations without a process; names hold colons; a copy's process after a blank. */
	CHECK_STR(
	        READ(rocprofv1_text, "1000000100:1000000200 0:1 KernelExecution:7\n"
	                             "1000000100:1000000200 0:1 ns::kernel:7:10\n"
	                             "1000000300:1000000400 async-copy:3 10\n"
	                             "1000000100:1000000200 0:1 Marker:7:10\n"
	                             "1000000300:1000000200 0:1 FillBuffer:7:10\n"),
	        "dispatch name=KernelExecution domain=kernel start_ns=1000000100 end_ns=1000000200 "
	        "agent=0 queue=1 corr=7;\n"
	        "dispatch name=ns::kernel domain=kernel start_ns=1000000100 end_ns=1000000200 "
	        "agent=0 "
	        "queue=1 pid=10 corr=7;\n"
	        "copy name=async-copy domain=copy start_ns=1000000300 end_ns=1000000400 pid=10 "
	        "corr=3;\n"
	        "reversed 1 @5\n");
	CHECK_U64(last_loss.of[TM_LOSS_OPERATION].n, 1);
	/* What a program prints in between is not looked at, what begins like a record is; the last
	 * line is cut. */
	CHECK_STR(READ(rocprofv1_text, "hello 5:6 7:8 f(x)\n"
	                               "1000000100:1000000200 10:11\n"
	                               "1000000100:1000000200 10:11 two words(x) :1\n"
	                               "1000000100:1000000200 10:11 hipFoo() :1"),
	          "malformed 2 @2\ncut 1 @4\n");
	/* Ranges: of each thread on their own, stopped by any thread; a message over two lines. */
	CHECK_STR(READ(rocprofv1_text, "100 1:2 1:0:\"a\"\n"
	                               "110 1:3 1:0:\"b\nc\"\n"
	                               "120 1:2 2:0:\"\"\n"
	                               "130 1:3 3:5:\"d\"\n"
	                               "140 1:3 2:0:\"\"\n"
	                               "150 1:2 4:5:\"\"\n"
	                               "160 1:2 0:0:\"e\"\n"
	                               "170 1:2 4:5:\"\"\n"
	                               "180 1:2 1:0:\"f\"\n"
	                               "190 1:2 7:0:\"g\"\n"),
	          "api name=a domain=marker start_ns=100 end_ns=120 pid=1 tid=2;\n"
	          "api name=b\nc domain=marker start_ns=110 end_ns=140 pid=1 tid=3;\n"
	          "api name=d domain=marker start_ns=130 end_ns=150 pid=1 tid=3;\n"
	          "api name=e domain=marker start_ns=160 end_ns=161 pid=1 tid=2;\n"
	          "malformed 1 @11\n");
	CHECK_U64(last_loss.of[TM_LOSS_CLOSE].n, 1);
	CHECK_U64(last_loss.of[TM_LOSS_OPEN].n, 1);
	/* A message that a record interrupts, and one that the file does. */
	CHECK_STR(READ(rocprofv1_text, "100 1:2 1:0:\"a\nb\n100 1:2 0:0:\"c\"\n110 1:2 1:0:\"d\n"),
	          "api name=c domain=marker start_ns=100 end_ns=101 pid=1 tid=2;\n"
	          "malformed 1 @1\ncut 1 @4\n");
}

/* Tables of rocprofv3 --summary: units, titles that come again, rows that do not fit. */
TEST(summary_of_rocprofv3)
{
#define SUMMARY_HEAD(unit)                                                                         \
	"| NAME | DOMAIN | CALLS | DURATION (" unit ") | PERCENT (INC) | MIN (" unit ") |\n"
	CHECK_STR(READ(rocprofv3_summary,
	               "| not | a | row |\r\n"
	               "  ROCPROFV3 HIP_API SUMMARY:\r\n\r\n  " SUMMARY_HEAD(
	                       "msec") "  |--|--|\n"
	                               "  | a|b || c | HIP_API | 3 | 0.0000125 | 12.5 | 1e-06 |\r\n"
	                               "  | d | HIP_API | x | 1 | 1 | 1 |\n"
	                               "  | e | HIP_API | 1 |  | 1 | 1 |\n"
	                               "  | f(\n"
	                               "  | g | HIP_API | 1 | 1 | 1 | 1 |\n"
	                               "and the program prints\n"
	                               "  | h | HIP_API | 1 | 1 | 1 | 1 |\n"
	                               "ROCPROFV3 SUMMARY:\n" SUMMARY_HEAD(
	                                       "nsec") "| a|b || c | HIP_API | 3 | 13 | 50 | 1 |\n"
	                                               "| k | KERNEL_DISPATCH | 1 | "
	                                               "18446744073709551615 | 50 | 1 |\n"
	                                               "ROCPROFV3 SUMMARY:\n" SUMMARY_HEAD(
	                                                       "nsec") "| k | KERNEL_DISPATCH | 2 "
	                                                               "| 7 | 50 | 1 |\n"
	                                                               "| l | NEW_API | 2 | 7 | 50 "
	                                                               "| 1"),
	          "stat name=a|b || c domain=hip calls=3 total_ns=13 pct=12.5 pct_err=5e-07 "
	          "min_ns=1;\n"
	          "stat name=g domain=hip calls=1 total_ns=1000000 pct=1 pct_err=5e-07 "
	          "min_ns=1000000;\n"
	          "stat name=k domain=kernel calls=1 total_ns=18446744073709551615 min_ns=1;\n"
	          "stat name=k domain=kernel calls=2 total_ns=7 min_ns=1;\n"
	          "malformed 3 @7\ncut 1 @20\n");
	/* A document that lost the titles; a column that is not known; no newline at the end. */
	CHECK_STR(READ(rocprofv3_summary, "| NAME | DOMAIN | CALLS | SKEW | DURATION (sec) |\n"
	                                  "| k | MARKER | 2 | 9 | 0.25 |"),
	          "stat name=k domain=marker calls=2 total_ns=250000000;\nopen_end @2\n");
	CHECK_STR(last_table, "summary");
}

/* Tables of rocprof-sys: units, rows that do not fit, and a table in a program's output. */
TEST(tables_of_rocprofsys)
{
	CHECK_STR(READ(rocprofsys_text,
	               "done in 3 | seconds |\n"
	               "   | LABEL | COUNT | DEPTH | METRIC | UNITS | SUM | MEAN | MIN | MAX | "
	               "STDDEV |\r\n"
	               "   |-------|\n"
	               "   | |0>>> main | 2 | 0 | wall_clock | msec | 1.5e+01 | 7.5 | 7 | "
	               "8.0000005 | nan |\r\n"
	               "   | |0>>> |_a || b | 1 | 1 | wall_clock | msec | 0.0000005 |  |  |  |  |\n"
	               "   | |0>>> |_c | 1 | 1 | cpu_clock | msec | 1 |  |  |  |  |\n"
	               "   | |0>>> |_d | 1 | 1 | wall_clock | msec | -1 |  |  |  |  |\n"
	               "   | |0>>>   |_main | 1 | 2 | wall_clock | msec | 1 |  |  |  |  |\n"
	               "   | |0>>> |_e | 1\n"
	               "   | |0>>> f |\n"
	               "   | |0>>> |_g | 1 | 1 | wall"),
	          "stat name=main domain=marker calls=2 total_ns=15000000 avg_ns=7500000 "
	          "min_ns=7000000 "
	          "max_ns=8000001;\n"
	          "stat name=a || b domain=marker calls=1 total_ns=1;\n"
	          "malformed 3 @6\ncut 1 @11\n");
	CHECK_STR(last_table, "function times");
	CHECK_U64(last_loss.of[TM_LOSS_RECURSIVE].n, 1);
	CHECK_U64(last_loss.of[TM_LOSS_INCLUSIVE].n, 1);
	CHECK_STR(READ(rocprofsys_text, "| LABEL | COUNT | DEPTH | METRIC | SUM |\n"
	                                "| |0>>> f | 3 | 0 | trip_count | 3 |\n"
	                                "| |0>>> |_f | 2 | 1 | trip_count | 2 |\n"),
	          "stat name=f domain=marker calls=3;\nstat name=f domain=marker calls=2;\n");
	CHECK_STR(last_table, "function counts");
	/* Units after the rows are good when they are what they were taken for. */
	CHECK_STR(
	        READ(rocprofsys_json,
	             "{\"timemory\": {\"wall_clock\": {\"ranks\": [{\"graph\": [{\"prefix\": "
	             "\"|0>>> \\u0061b\", \"depth\": 0, \"entry\": {\"laps\": 2, \"accum\": "
	             "1234567891, \"repr_data\": 1.2}, \"stats\": {\"min\": 1e-9, \"max\": 1.25, "
	             "\"stddev\": 0.5}}, 7]}], \"unit_repr\": \"sec\", \"unit_value\": "
	             "1000000000}}}"),
	        "stat name=ab domain=marker calls=2 total_ns=1234567891 min_ns=1 max_ns=1250000000 "
	        "stddev_ns=500000000;\n");
}

TEST(bids)
{
	CHECK_U64(bid(&tm_reader_rocprof_stats, HEAD8), 24);
	CHECK_U64(bid(&tm_reader_rocprof_stats, "name,calls,total_duration_ns"), 24);
	CHECK_U64(bid(&tm_reader_rocprof_stats, "\"Name\",\"Calls\"\n"), 0);
	CHECK_U64(bid(&tm_reader_rocprof_stats, "\"Name\",\"Calls\",\"TotalDurationNs"), 0);
	CHECK_U64(bid(&tm_reader_rocprof_stats, ""), 0);
	CHECK_U64(bid(&tm_reader_rocprof_agents, "\"Node_Id\",\"Agent_Type\",\"Name\"\n"), 24);
	CHECK_U64(bid(&tm_reader_rocprof_agents, HEAD8), 0);
	CHECK_U64(bid(&tm_reader_rocprofv2_text, "hello\nDispatch_ID(1), GPU_ID(4)\n"), 100);
	CHECK_U64(bid(&tm_reader_rocprofv2_text, "hello\nDomain(HIP_API_DOMAIN), F"), 100);
	CHECK_U64(
	        bid(&tm_reader_rocprofv2_text, "Record(1), Domain(HSA_API_DOMAIN), Function(f)\n"),
	        100);
	CHECK_U64(bid(&tm_reader_rocprofv2_text, "dispatch[1], gpu-id(0)\n"), 100);
	CHECK_U64(bid(&tm_reader_rocprofv2_text, "Dispatch_ID,GPU_ID\nDomain(x), \n"), 0);
}

/* ------------------------------------------------------------------------ */

static unsigned files_seen, files_bad;

/* Why a real file is not read without a loss; by a part of its name. */
static const struct {
	const char *part, *why;
} excused[] = {
	{ "PyTorch-Profiling-rocprofv3-README_1_stats.csv",
	  "its last row ends in '>' (edited by hand)" },
	{ "results_nostats.csv", "not a statistics file in spite of its name: rocprof v1 results" },
};

static int visit(const char *path, const struct stat *sb, int type, struct FTW *ftw)
{
	const char *file = path + ftw->base;
	const struct tm_reader_ops *ops = NULL;
	struct tm_source *src;
	struct tm_diag d;

	(void)sb;
	if (type != FTW_F)
		return 0;
	if (strstr(file, "stats") && strstr(file, ".csv"))
		ops = &tm_reader_rocprof_stats;
	else if (strstr(file, "agent_info") && strstr(file, ".csv"))
		ops = &tm_reader_rocprof_agents;
	else if (strstr(path, "goldentraces") && strstr(file, ".txt"))
		ops = &tm_reader_rocprofv2_text;
	if (!ops)
		return 0;
	for (size_t i = 0; i < sizeof excused / sizeof *excused; i++)
		if (strstr(path, excused[i].part)) {
			printf("# %s: %s\n", file, excused[i].why);
			return 0;
		}
	src = tm_source_open(path, &d);
	CHECK(src != NULL);
	if (!src)
		return 0;
	read_source(src, ops, getenv("SHOW") != NULL);
	tm_source_close(src);
	files_seen++;
	if (getenv("SHOW"))
		printf("# %s: %s, %" PRIu64 " rows\n%s", path, last_table, last_loss.rows, dump.p);
	/* Where the last record is half a call, the other half goes with it. */
	if (last_status != TM_ST_END ||
	    last_loss.of[TM_LOSS_LINE_MALFORMED].n > last_loss.of[TM_LOSS_LINE_UNENDED].n ||
	    last_loss.of[TM_LOSS_LINE_CUT].n) {
		files_bad++;
		printf("# %s: %s: %s\n", path, last_table, dump.p);
	}
	return 0;
}

TEST(real_files)
{
	const char *shared = getenv("TRACEMILL_SHARED");
	char path[4096];

	if (!shared) {
		printf("not run: shared data absent\n");
		return;
	}
	snprintf(path, sizeof path, "%s/data", shared);
	nftw(path, visit, 20, FTW_PHYS);
	printf("# %u real files\n", files_seen);
	CHECK(files_seen > 50);
	CHECK_U64(files_bad, 0);
	tm_buf_fini(&dump);
}

TEST_MAIN(T(stats_of_rocprofv3), T(stats_of_rocprof_v1), T(domains_of_stats), T(names_that_hurt),
          T(nothing_and_no_table), T(many_rows), T(cut_anywhere), T(agents), T(text_of_rocprofv2),
          T(markers_of_rocprofv2), T(text_of_5_5_and_v1), T(text_of_v1), T(tables_of_rocprofsys),
          T(summary_of_rocprofv3), T(bids), T(real_files))
