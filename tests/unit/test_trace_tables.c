/* SPDX-License-Identifier: MIT
 * Every table of every dialect that the trace readers know, one small input each: what it is, every
 * value, what is absent, and what was left out and where. */
#include "read/formats.h"

#include "base/buf.h"

#include "test.h"

/* Everything a reader gave: "kind col=value ...;" for each row, then its losses. */
static struct tm_buf dump;
static char table[64];
static uint64_t lines, rows;
static enum tm_status last;

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
	tm_buf_chr(&dump, '\n');
}

/* `has` and `some` as event.h has them. */
static void check_batch(const struct tm_batch *b)
{
	tm_ev_set all = TM_EV_ALL, any = 0;

	CHECK(b->n > 0 && b->n <= TM_BATCH_ROWS);
	for (uint32_t i = 0; i < b->n; i++) {
		tm_ev_set row = 0;

		for (int c = 0; c < TM_EVC_N; c++)
			row |= tm_batch_has(b, i, (enum tm_ev_col)c) ? TM_EV_BIT(c) : 0;
		all &= row;
		any |= row;
	}
	CHECK((b->has & ~all) == 0);
	CHECK(b->some == any);
}

static void dump_loss(const struct tm_loss *l)
{
	for (enum tm_loss_reason i = 0; i < TM_LOSS_REASONS; i++)
		if (l->of[i].n || l->of[i].at)
			tm_buf_fmt(&dump, "%s %" PRIu64 " @%" PRIu64 "\n", tm_losses[i].word,
			           l->of[i].n, l->of[i].at);
	CHECK_U64(l->rows, rows);
}

/* Read it all; `ops` NULL = by content.  The input is copied to exactly its size, so that a
 * sanitizer sees a read past it. */
static const char *read_wanted(const struct tm_reader_ops *ops, tm_ev_set want, const char *text,
                               size_t n)
{
	unsigned char *copy = malloc(n ? n : 1);
	const struct tm_batch *b = NULL;
	struct tm_diag d = { 0 };
	struct tm_source *src;
	struct tm_reader *r;

	if (n)
		memcpy(copy, text, n);
	tm_buf_clear(&dump);
	tm_buf_str(&dump, "");
	rows = lines = 0;
	src = tm_source_memory("x.csv", copy, n, &d);
	r = tm_reader_open(src, ops, want, NULL, &d);
	if (!r) {
		tm_buf_fmt(&dump, "no reader: %s", d.text);
		goto done;
	}
	snprintf(table, sizeof table, "%s", r->table);
	while ((last = tm_reader_next(r, &b, &d)) == TM_ST_OK) {
		check_batch(b);
		CHECK(b->names == &r->names);
		for (uint32_t i = 0; i < b->n; i++)
			dump_row(b, i);
		rows += b->n;
	}
	CHECK(last == TM_ST_END);
	CHECK(tm_reader_next(r, &b, &d) == last);
	lines = r->lines;
	dump_loss(&r->loss);
	if (ops)
		CHECK(r->ops == ops);
	tm_reader_close(r);
done:
	tm_source_close(src);
	free(copy);
	return dump.p;
}

/* A table that must be recognized by itself. */
#define READ(format, label, text, want)                                                            \
	do {                                                                                       \
		CHECK(tm_reader_choose((const unsigned char *)(text), sizeof(text) - 1, true,      \
		                       NULL, NULL) == &tm_reader_##format);                        \
		CHECK_STR(read_wanted(NULL, TM_EV_ALL, text, sizeof(text) - 1), want);             \
		CHECK_STR(table, label);                                                           \
	} while (0)

/* ---- rocprofv3 ---- */

#define V3_62_KERNEL                                                                               \
	"\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\","     \
	"\"Start_Timestamp\",\"End_Timestamp\",\"Private_Segment_Size\",\"Group_Segment_Size\","   \
	"\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\","          \
	"\"Grid_Size_Y\",\"Grid_Size_Z\"\n"
#define V3_63_KERNEL                                                                               \
	"\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\","          \
	"\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\","                \
	"\"Private_Segment_Size\",\"Group_Segment_Size\",\"Workgroup_Size_X\","                    \
	"\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\",\"Grid_Size_Y\","               \
	"\"Grid_Size_Z\"\n"
#define V3_70_KERNEL                                                                               \
	"\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\","          \
	"\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\","  \
	"\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\","  \
	"\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\","          \
	"\"Grid_Size_Y\",\"Grid_Size_Z\"\n"

TEST(v3_kernels)
{
	READ(rocprofv3_csv, "kernel trace",
	     V3_62_KERNEL "\"KERNEL_DISPATCH\",4,139690710949888,10,\"f(float*, "
	                  "int)\",0,100,250,16,512,64,2,1,1024,4,1\n",
	     "dispatch name=f(float*, int) domain=kernel start_ns=100 end_ns=250 agent=4 "
	     "queue=139690710949888 corr=0 kernel_id=10 lds_bytes=512 scratch_bytes=16 "
	     "workgroup_x=64 workgroup_y=2 workgroup_z=1 grid_x=1024 grid_y=4 "
	     "grid_z=1\n");
	READ(rocprofv3_csv, "kernel trace",
	     V3_63_KERNEL "\"KERNEL_DISPATCH\",1,2,77,3,11,\"g\",9,100,100,0,0,1,1,1,1,1,1\n",
	     "dispatch name=g domain=kernel start_ns=100 end_ns=100 agent=1 queue=2 tid=77 corr=9 "
	     "dispatch_id=3 "
	     "kernel_id=11 lds_bytes=0 scratch_bytes=0 workgroup_x=1 workgroup_y=1 workgroup_z=1 "
	     "grid_x=1 grid_y=1 grid_z=1\n");
	READ(rocprofv3_csv, "kernel trace",
	     V3_70_KERNEL "\"KERNEL_DISPATCH\",\"Agent 4\",1,5,77,2,12,\"void h<1, "
	                  "2>(a)\",8,100,250,512,0,28,4,32,"
	                  "256,1,1,1048576,1,1\n"
	                  "\"KERNEL_DISPATCH\",\"GPU 0\",1,0,77,3,12,\"void h<1, "
	                  "2>(a)\",9,300,301,0,0,28,4,32,256,"
	                  "1,1,256,1,1\n",
	     "dispatch name=void h<1, 2>(a) domain=kernel start_ns=100 end_ns=250 agent=4 queue=1 "
	     "stream=5 "
	     "tid=77 corr=8 dispatch_id=2 kernel_id=12 lds_bytes=512 scratch_bytes=0 vgpr=28 "
	     "accum_vgpr=4 sgpr=32 workgroup_x=256 workgroup_y=1 workgroup_z=1 "
	     "grid_x=1048576 grid_y=1 grid_z=1\n"
	     "dispatch name=void h<1, 2>(a) domain=kernel start_ns=300 end_ns=301 agent=GPU 0 "
	     "queue=1 "
	     "stream=0 tid=77 corr=9 dispatch_id=3 kernel_id=12 lds_bytes=0 scratch_bytes=0 "
	     "vgpr=28 accum_vgpr=4 sgpr=32 workgroup_x=256 workgroup_y=1 "
	     "workgroup_z=1 grid_x=256 grid_y=1 grid_z=1\n");
}

#define V3_API                                                                                     \
	"\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\","                 \
	"\"Start_Timestamp\",\"End_Timestamp\"\n"

TEST(v3_api)
{
	READ(rocprofv3_csv, "API trace",
	     V3_API "\"HSA_CORE_API\",\"hsa_init\",1,2,3,10,20\n"
	            "\"HSA_AMD_EXT_API\",\"hsa_amd_agents_allow_access\",1,2,4,20,30\n"
	            "\"HIP_RUNTIME_API\",\"hipMalloc\",1,2,5,30,40\n"
	            "\"HIP_COMPILER_API_EXT\",\"__hipRegisterFatBinary\",1,2,6,40,50\n"
	            "\"MARKER_CORE_RANGE_API\",\"step 1, \"warm\"\",1,2,7,50,60\n"
	            "\"MARKER_CORE_API\",\"\",1,2,8,60,60\n"
	            "\"RCCL_API\",\"ncclAllReduce\",1,2,9,70,80\n"
	            "\"ROCDECODE_API\",\"rocDecDecodeFrame\",1,2,10,80,90\n"
	            "\"ROCJPEG_API\",\"rocJpegDecode\",1,2,11,90,100\n"
	            "\"OMPT\",\"omp_parallel\",1,2,12,100,110\n",
	     "api name=hsa_init domain=hsa start_ns=10 end_ns=20 pid=1 tid=2 corr=3\n"
	     "api name=hsa_amd_agents_allow_access domain=hsa start_ns=20 end_ns=30 pid=1 tid=2 "
	     "corr=4\n"
	     "api name=hipMalloc domain=hip start_ns=30 end_ns=40 pid=1 tid=2 corr=5\n"
	     "api name=__hipRegisterFatBinary domain=hip start_ns=40 end_ns=50 pid=1 tid=2 corr=6\n"
	     "api name=step 1, \"warm\" domain=marker start_ns=50 end_ns=60 pid=1 tid=2 corr=7\n"
	     "api name= domain=marker start_ns=60 end_ns=60 pid=1 tid=2 corr=8\n"
	     "api name=ncclAllReduce domain=rccl start_ns=70 end_ns=80 pid=1 tid=2 corr=9\n"
	     "api name=rocDecDecodeFrame domain=rocdecode start_ns=80 end_ns=90 pid=1 tid=2 "
	     "corr=10\n"
	     "api name=rocJpegDecode domain=rocjpeg start_ns=90 end_ns=100 pid=1 tid=2 corr=11\n"
	     "api name=omp_parallel domain=other start_ns=100 end_ns=110 pid=1 tid=2 corr=12\n");
}

TEST(v3_copies)
{
	READ(rocprofv3_csv, "memory copy trace",
	     "\"Kind\",\"Direction\",\"Source_Agent_Id\",\"Destination_Agent_Id\",\"Correlation_"
	     "Id\","
	     "\"Start_Timestamp\",\"End_Timestamp\"\n"
	     "\"MEMORY_COPY\",\"HOST_TO_DEVICE\",0,4,1,10,20\n",
	     "copy name=HOST_TO_DEVICE domain=copy start_ns=10 end_ns=20 corr=1 src=0 dst=4\n");
	READ(rocprofv3_csv, "memory copy trace",
	     "\"Kind\",\"Direction\",\"Stream_Id\",\"Source_Agent_Id\",\"Destination_Agent_Id\","
	     "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"
	     "\"MEMORY_COPY\",\"MEMORY_COPY_DEVICE_TO_HOST\",3,\"GPU 1\",\"CPU 0\",1,10,20\n"
	     "\"MEMORY_COPY\",\"MEMORY_COPY_DEVICE_TO_HOST\",3,\"Agent 4\",\"Agent 0\",2,30,40\n",
	     "copy name=MEMORY_COPY_DEVICE_TO_HOST domain=copy start_ns=10 end_ns=20 stream=3 "
	     "corr=1 "
	     "src=GPU 1 dst=CPU 0\n"
	     "copy name=MEMORY_COPY_DEVICE_TO_HOST domain=copy start_ns=30 end_ns=40 stream=3 "
	     "corr=2 "
	     "src=4 "
	     "dst=0\n");
}

TEST(v3_allocations)
{
	/* FREE rows have no agent; addresses are quoted. */
	READ(rocprofv3_csv, "memory allocation trace",
	     "\"Kind\",\"Operation\",\"Agent_Id\",\"Allocation_Size\",\"Address\",\"Correlation_"
	     "Id\","
	     "\"Start_Timestamp\",\"End_Timestamp\"\n"
	     "\"MEMORY_ALLOCATION\",\"MEMORY_ALLOCATION_ALLOCATE\",\"Agent 4\",1024,"
	     "\"0x00007f2b4d282500\",1,10,20\n"
	     "\"MEMORY_ALLOCATION\",\"MEMORY_ALLOCATION_FREE\",\"\",0,\"0xffffffffffffffff\",2,30,"
	     "40\n",
	     "alloc name=MEMORY_ALLOCATION_ALLOCATE domain=alloc start_ns=10 end_ns=20 agent=4 "
	     "corr=1 "
	     "bytes=1024 address=139823954797824\n"
	     "alloc name=MEMORY_ALLOCATION_FREE domain=alloc start_ns=30 end_ns=40 corr=2 bytes=0 "
	     "address=18446744073709551615\n");
	/* The development form of November 2024. */
	READ(rocprofv3_csv, "memory allocation trace",
	     "\"Kind\",\"Operation\",\"Agent_Id\",\"Allocation_Size\",\"Starting_Address\","
	     "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"
	     "\"MEMORY_ALLOCATION\",\"MEMORY_ALLOCATION_ALLOCATE\",4,64,\"0x10\",1,10,20\n",
	     "alloc name=MEMORY_ALLOCATION_ALLOCATE domain=alloc start_ns=10 end_ns=20 agent=4 "
	     "corr=1 "
	     "bytes=64 address=16\n");
}

TEST(v3_scratch)
{
	READ(rocprofv3_csv, "scratch memory trace",
	     "\"Kind\",\"Operation\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Alloc_flags\","
	     "\"Start_Timestamp\",\"End_Timestamp\"\n"
	     "\"SCRATCH_MEMORY\",\"SCRATCH_MEMORY_ALLOC\",1,2,3,0,10,20\n",
	     "alloc name=SCRATCH_MEMORY_ALLOC domain=scratch start_ns=10 end_ns=20 agent=1 queue=2 "
	     "tid=3 "
	     "alloc_flags=0\n");
	READ(rocprofv3_csv, "scratch memory trace",
	     "\"Kind\",\"Operation\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Alloc_Flags\","
	     "\"Start_Timestamp\",\"End_Timestamp\",\"Allocation_Size\"\n"
	     "\"SCRATCH_MEMORY\",\"SCRATCH_MEMORY_FREE\",\"Agent 1\",2,3,1,10,20,4096\n",
	     "alloc name=SCRATCH_MEMORY_FREE domain=scratch start_ns=10 end_ns=20 agent=1 queue=2 "
	     "tid=3 "
	     "bytes=4096 alloc_flags=1\n");
}

TEST(v3_counters)
{
	READ(rocprofv3_csv, "counter collection",
	     "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\","
	     "\"Thread_Id\",\"Grid_Size\",\"Kernel_Name\",\"Workgroup_Size\",\"LDS_Block_Size\","
	     "\"Scratch_Size\",\"VGPR_Count\",\"SGPR_Count\",\"Counter_Name\",\"Counter_Value\"\n"
	     "1,2,4,5,6,7,1024,\"f(int)\",64,512,0,8,16,\"SQ_WAVES\",16384\n",
	     "counter name=f(int) domain=kernel agent=4 queue=5 pid=6 tid=7 corr=1 dispatch_id=2 "
	     "lds_bytes=512 "
	     "scratch_bytes=0 vgpr=8 sgpr=16 workgroup=64 grid=1024 counter=SQ_WAVES "
	     "value=16384\n");
	READ(rocprofv3_csv, "counter collection",
	     "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\","
	     "\"Thread_Id\",\"Grid_Size\",\"Kernel_Id\",\"Kernel_Name\",\"Workgroup_Size\","
	     "\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\",\"SGPR_Count\",\"Counter_Name\","
	     "\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"\n"
	     "1,2,4,5,6,7,1024,9,\"f(int)\",64,512,0,8,16,\"SQ_WAVES\",2.36316718e-02,10,20\n",
	     "counter name=f(int) domain=kernel start_ns=10 end_ns=20 agent=4 queue=5 pid=6 tid=7 "
	     "corr=1 "
	     "dispatch_id=2 kernel_id=9 lds_bytes=512 scratch_bytes=0 vgpr=8 sgpr=16 workgroup=64 "
	     "grid=1024 counter=SQ_WAVES "
	     "value=0.0236316718\n");
	READ(rocprofv3_csv, "counter collection",
	     "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\","
	     "\"Thread_Id\",\"Grid_Size\",\"Kernel_Id\",\"Kernel_Name\",\"Workgroup_Size\","
	     "\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\","
	     "\"SGPR_Count\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\","
	     "\"End_Timestamp\"\n"
	     "1,2,\"Agent 4\",5,6,7,1024,9,\"f\",64,512,0,8,4,16,\"SQ_WAVES\",16384.000000,10,20\n"
	     "1,2,\"Agent "
	     "4\",5,6,7,1024,9,\"f\",64,512,0,8,4,16,\"GRBM_COUNT\",-1.00000000e+00,10,20\n",
	     "counter name=f domain=kernel start_ns=10 end_ns=20 agent=4 queue=5 pid=6 tid=7 "
	     "corr=1 "
	     "dispatch_id=2 "
	     "kernel_id=9 lds_bytes=512 scratch_bytes=0 vgpr=8 accum_vgpr=4 sgpr=16 workgroup=64 "
	     "grid=1024 counter=SQ_WAVES "
	     "value=16384\n"
	     "counter name=f domain=kernel start_ns=10 end_ns=20 agent=4 queue=5 pid=6 tid=7 "
	     "corr=1 "
	     "dispatch_id=2 "
	     "kernel_id=9 lds_bytes=512 scratch_bytes=0 vgpr=8 accum_vgpr=4 sgpr=16 workgroup=64 "
	     "grid=1024 counter=GRBM_COUNT "
	     "value=-1\n");
	READ(rocprofv3_csv, "streaming performance monitor",
	     "\"Dispatch_Id\",\"Counter_Name\",\"Counter_Value\"\n1,\"SQ_BUSY\",12.500000\n",
	     "counter domain=kernel dispatch_id=1 counter=SQ_BUSY value=12.5\n");
}

TEST(v3_samples)
{
	READ(rocprofv3_csv, "PC samples",
	     "\"Sample_Timestamp\",\"Exec_Mask\",\"Dispatch_Id\",\"Instruction\","
	     "\"Instruction_Comment\",\"Correlation_Id\"\n"
	     "100,18446744073709551615,1,\"v_add_u32_e32 v0, v1, v2\",\"a.cpp:12\",3\n"
	     "101,0,1,\"\",\"\",3\n",
	     "sample name=v_add_u32_e32 v0, v1, v2 domain=kernel start_ns=100 corr=3 dispatch_id=1 "
	     "exec_mask=18446744073709551615 comment=a.cpp:12\n"
	     "sample name= domain=kernel start_ns=101 corr=3 dispatch_id=1 exec_mask=0\n");
	READ(rocprofv3_csv, "PC samples",
	     "\"Sample_Timestamp\",\"Exec_Mask\",\"Dispatch_Id\",\"Instruction\","
	     "\"Instruction_Comment\",\"Correlation_Id\",\"Wave_Issued_Instruction\","
	     "\"Instruction_Type\",\"Stall_Reason\",\"Wave_Count\"\n"
	     "100,3,1,\"s_waitcnt vmcnt(0)\",\"a.cpp:12\",3,0,\"TYPE_VALU\",\"REASON_WAITCNT\",5\n",
	     "sample name=s_waitcnt vmcnt(0) domain=kernel start_ns=100 corr=3 dispatch_id=1 "
	     "type=TYPE_VALU "
	     "exec_mask=3 comment=a.cpp:12 stall=REASON_WAITCNT issued=0\n");
	READ(rocprofv3_csv, "thread trace",
	     "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source\n"
	     "1,6144,\"; k\",0,0,0,0,\"k(int, int)\"\n"
	     "1,6148,\"s_load_dword s0, s[4:5]\",8,96,32,4,\"a, b.cpp:3\"\n",
	     "sample name=; k domain=kernel calls=0 comment=k(int, int) code_object=1 offset=6144 "
	     "latency=0 stalled=0 idle=0\n"
	     "sample name=s_load_dword s0, s[4:5] domain=kernel calls=8 comment=a, b.cpp:3 "
	     "code_object=1 offset=6148 latency=96 stalled=32 idle=4\n");
}

/* rocpd convert: Guid first, Title_Case, quotes doubled. */
TEST(v3_rocpd)
{
	READ(rocprofv3_csv, "kernel trace",
	     "\"Guid\",\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Graph_Exec_Id\","
	     "\"Graph_Node_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\","
	     "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"Duration\","
	     "\"Lds_Block_Size\",\"Scratch_Size\",\"Vgpr_Count\",\"Accum_Vgpr_Count\","
	     "\"Sgpr_Count\",\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\","
	     "\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n"
	     "\"00000a-b\",\"KERNEL_DISPATCH\",\"Agent 4\",1,2,3,4,5,6,7,\"k<\"\"a\"\", "
	     "1>\",8,10,20,10,"
	     "11,12,13,14,15,16,17,18,19,20,21\n"
	     "\"00000a-b\",\"KERNEL_DISPATCH\",\"Agent 4\",1,2,,,5,6,7,\"f\",8,10,20,10,"
	     "11,12,13,14,15,16,17,18,19,20,21\n",
	     "dispatch name=k<\"a\", 1> domain=kernel start_ns=10 end_ns=20 agent=4 queue=1 "
	     "stream=2 "
	     "tid=5 "
	     "corr=8 dispatch_id=6 kernel_id=7 lds_bytes=11 scratch_bytes=12 vgpr=13 accum_vgpr=14 "
	     "sgpr=15 workgroup_x=16 workgroup_y=17 workgroup_z=18 grid_x=19 "
	     "grid_y=20 grid_z=21 graph_exec=3 graph_node=4 guid=00000a-b\n"
	     "dispatch name=f domain=kernel start_ns=10 end_ns=20 agent=4 queue=1 stream=2 tid=5 "
	     "corr=8 "
	     "dispatch_id=6 kernel_id=7 lds_bytes=11 scratch_bytes=12 vgpr=13 accum_vgpr=14 "
	     "sgpr=15 workgroup_x=16 workgroup_y=17 workgroup_z=18 grid_x=19 grid_y=20 "
	     "grid_z=21 guid=00000a-b\n");
	READ(rocprofv3_csv, "API trace",
	     "\"Guid\",\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\","
	     "\"Start_Timestamp\",\"End_Timestamp\"\n"
	     "\"g\",\"MARKER_CORE_RANGE_API\",\"say \"\"hi\"\",\nthen go\",1,2,3,10,20\n",
	     "api name=say \"hi\",\nthen go domain=marker start_ns=10 end_ns=20 pid=1 tid=2 corr=3 "
	     "guid=g\n");
	CHECK_U64(lines, 3);
	/* The agent of a FREE row is one quote, escaped. */
	READ(rocprofv3_csv, "memory allocation trace",
	     "\"Guid\",\"Kind\",\"Operation\",\"Agent_Id\",\"Allocation_Size\",\"Address\","
	     "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"
	     "\"g\",\"MEMORY_ALLOCATION\",\"ALLOCATE\",\"Agent 4\",64,\"0x10\",1,10,20\n"
	     "\"g\",\"MEMORY_ALLOCATION\",\"FREE\",\"\"\"\",0,\"0x10\",2,30,40\n",
	     "alloc name=ALLOCATE domain=alloc start_ns=10 end_ns=20 agent=4 corr=1 bytes=64 "
	     "address=16 "
	     "guid=g\n"
	     "alloc name=FREE domain=alloc start_ns=30 end_ns=40 corr=2 bytes=0 address=16 "
	     "guid=g\n");
	/* An extra Pid in front, beside Process_Id. */
	READ(rocprofv3_csv, "counter collection",
	     "\"Guid\",\"Pid\",\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\","
	     "\"Process_Id\",\"Thread_Id\",\"Grid_Size\",\"Kernel_Id\",\"Kernel_Name\","
	     "\"Workgroup_Size\",\"Lds_Block_Size\",\"Scratch_Size\",\"Vgpr_Count\","
	     "\"Accum_Vgpr_Count\",\"Sgpr_Count\",\"Counter_Name\",\"Counter_Value\","
	     "\"Start_Timestamp\",\"End_Timestamp\"\n"
	     "\"g\",6,1,2,\"Agent "
	     "4\",5,6,7,1024,9,\"f\",64,512,0,8,4,16,\"SQ_WAVES\",16384.0,10,20\n",
	     "counter name=f domain=kernel start_ns=10 end_ns=20 agent=4 queue=5 pid=6 tid=7 "
	     "corr=1 "
	     "dispatch_id=2 "
	     "kernel_id=9 lds_bytes=512 scratch_bytes=0 vgpr=8 accum_vgpr=4 sgpr=16 workgroup=64 "
	     "grid=1024 counter=SQ_WAVES "
	     "value=16384 "
	     "guid=g\n");
}

/* ---- rocprofv2 ---- */

TEST(v2_kernels)
{
	READ(rocprofv2_csv, "kernel results",
	     "Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,"
	     "Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Wave_Size,Kernel_Name,Start_Timestamp,"
	     "End_Timestamp,Correlation_ID,SQ_WAVES\n\n"
	     "1,60633,2,3,4,1024,64,512,0,8,4,16,64,\"f(int) (.kd)\",10,20,5,16.000000\n",
	     "dispatch name=f(int) (.kd) domain=kernel start_ns=10 end_ns=20 agent=60633 queue=2 "
	     "pid=3 "
	     "tid=4 "
	     "corr=5 dispatch_id=1 lds_bytes=512 scratch_bytes=0 vgpr=8 accum_vgpr=4 sgpr=16 "
	     "workgroup=64 grid=1024 wave=64\n"
	     "counter name=f(int) (.kd) domain=kernel start_ns=10 end_ns=20 agent=60633 queue=2 "
	     "pid=3 "
	     "tid=4 corr=5 dispatch_id=1 lds_bytes=512 scratch_bytes=0 vgpr=8 accum_vgpr=4 sgpr=16 "
	     "workgroup=64 grid=1024 wave=64 "
	     "counter=SQ_WAVES value=16\n");
	CHECK_U64(lines, 3);
	/* 5.7 */
	READ(rocprofv2_csv, "kernel results",
	     "Dispatch_ID,GPU_ID,Queue_ID,Queue_Index,PID,TID,GRD,WGR,LDS,SCR,Arch_VGPR,ACCUM_VGPR,"
	     "SGPR,Wave_Size,SIG,OBJ,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID\n\n"
	     "1,4,2,0,3,4,1024,64,512,0,8,4,16,64,139690710949888,139690710949889,\"f\",10,20,5\n",
	     "dispatch name=f domain=kernel start_ns=10 end_ns=20 agent=4 queue=2 pid=3 tid=4 "
	     "corr=5 "
	     "dispatch_id=1 "
	     "lds_bytes=512 scratch_bytes=0 vgpr=8 accum_vgpr=4 sgpr=16 workgroup=64 grid=1024 "
	     "wave=64\n");
	READ(rocprofv2_csv, "kernel results without times",
	     "Dispatch_ID,GPU_ID,Kernel_Name,SQ_WAVES\n1,4,\"f\",16.000000\n",
	     "dispatch name=f domain=kernel agent=4 dispatch_id=1\n"
	     "counter name=f domain=kernel agent=4 dispatch_id=1 counter=SQ_WAVES value=16\n");
	/* Before 6.3: more or fewer counters than the header names. */
	READ(rocprofv2_csv, "kernel results",
	     "Dispatch_ID,GPU_ID,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID,A,B\n\n"
	     "1,4,\"f\",10,20,1,1.000000,2.000000\n"
	     "2,4,\"g\",20,30,1,1.000000\n"
	     "3,4,\"h\",30,40,1\n"
	     "4,4,\"i\",40,50,1,1.000000,2.000000,3.000000\n"
	     "5,4,\"j\",50\n"
	     "6,4,\"k\",60,70,1,1.000000,2.000000\n",
	     "dispatch name=f domain=kernel start_ns=10 end_ns=20 agent=4 corr=1 dispatch_id=1\n"
	     "dispatch name=g domain=kernel start_ns=20 end_ns=30 agent=4 corr=1 dispatch_id=2\n"
	     "dispatch name=h domain=kernel start_ns=30 end_ns=40 agent=4 corr=1 dispatch_id=3\n"
	     "dispatch name=i domain=kernel start_ns=40 end_ns=50 agent=4 corr=1 dispatch_id=4\n"
	     "dispatch name=k domain=kernel start_ns=60 end_ns=70 agent=4 corr=1 dispatch_id=6\n"
	     "counter name=f domain=kernel start_ns=10 end_ns=20 agent=4 corr=1 dispatch_id=1 "
	     "counter=A "
	     "value=1\n"
	     "counter name=f domain=kernel start_ns=10 end_ns=20 agent=4 corr=1 dispatch_id=1 "
	     "counter=B "
	     "value=2\n"
	     "counter name=k domain=kernel start_ns=60 end_ns=70 agent=4 corr=1 dispatch_id=6 "
	     "counter=A "
	     "value=1\n"
	     "counter name=k domain=kernel start_ns=60 end_ns=70 agent=4 corr=1 dispatch_id=6 "
	     "counter=B "
	     "value=2\n"
	     "malformed 1 @7\nrecovered 3 @4\ncounters 3 @4\n");
}

TEST(v2_api_and_copies)
{
	READ(rocprofv2_csv, "API trace",
	     "Domain,Function,Start_Timestamp,End_Timestamp,Correlation_ID\n\n"
	     "HIP_API_DOMAIN,\"hipMalloc\",10,20,1\nHSA_API_DOMAIN,\"hsa_init\",20,30,2\n",
	     "api name=hipMalloc domain=hip start_ns=10 end_ns=20 corr=1\n"
	     "api name=hsa_init domain=hsa start_ns=20 end_ns=30 corr=2\n");
	READ(rocprofv2_csv, "copy trace",
	     "Domain,Operation,Start_Timestamp,Stop_Timestamp,Correlation_ID\n\n"
	     "HSA_OPS_DOMAIN,\"COPY\",10,20,1\n",
	     "copy name=COPY domain=copy start_ns=10 end_ns=20 corr=1\n");
	/* A row without a kernel is a copy, named by its operation. */
	READ(rocprofv2_csv, "HIP operations",
	     "Domain,Operation,Kernel_Name,Start_Timestamp,Stop_Timestamp,Correlation_ID\n\n"
	     "HIP_OPS_DOMAIN,\"KernelExecution\",\"f(int)\",10,20,1\n"
	     "HIP_OPS_DOMAIN,\"CopyHostToDevice\",,30,40,2\n"
	     "HIP_OPS_DOMAIN,\"KernelExecution\",\"g\",50,60,3\n",
	     "dispatch name=f(int) domain=kernel start_ns=10 end_ns=20 corr=1\n"
	     "copy name=CopyHostToDevice domain=copy start_ns=30 end_ns=40 corr=2\n"
	     "dispatch name=g domain=kernel start_ns=50 end_ns=60 corr=3\n");
	READ(rocprofv2_csv, "PC samples",
	     "Dispatch_ID,Timestamp,GPU_ID,PC_Sample,Shader_Engines\n\n1,100,4,0x7f2b4d282500,2\n",
	     "sample domain=kernel start_ns=100 agent=4 dispatch_id=1\n");
}

/* Points in time: id 0 are marks, pushes and pops, others start and stop a range; a row without a
 * message closes the last open one of its id, and what is never closed is a mark. */
TEST(v2_markers)
{
	READ(rocprofv2_markers, "marker trace",
	     "Domain,ROCTX_ID,Message,Timestamp\n\n"
	     "ROCTX_DOMAIN,0,\"outer\",10\n"
	     "ROCTX_DOMAIN,0,\"inner, \"x\"\",20\n"
	     "ROCTX_DOMAIN,7,\"range\",25\n"
	     "ROCTX_DOMAIN,0,,30\n"
	     "ROCTX_DOMAIN,7,,35\n"
	     "ROCTX_DOMAIN,0,,40\n"
	     "ROCTX_DOMAIN,0,\"mark\",50\n",
	     "api name=inner, \"x\" domain=marker start_ns=20 end_ns=30\n"
	     "api name=range domain=marker start_ns=25 end_ns=35\n"
	     "api name=outer domain=marker start_ns=10 end_ns=40\n"
	     "api name=mark domain=marker start_ns=50 end_ns=50\nrecovered 1 @4\n");
}

/* ---- rocprof v1 ---- */

TEST(v1_kernels)
{
	/* The writer without quotes, ROCm 5.3 and later, with counters and times. */
	READ(rocprofv1_csv, "kernel results",
	     "Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,"
	     "accum_vgpr,sgpr,wave_size,sig,obj,SQ_WAVES,TCC_HIT[0],DispatchNs,BeginNs,EndNs,"
	     "CompleteNs\n"
	     "0,\"f(int) [clone .kd]\",0,1,2,3,4,65536,256,512,0,20,4,16,64,0x0,0x7f2b4d282500,"
	     "2048.0000000000,7,5,10,20,25\n"
	     "1,\"g [clone "
	     ".kd]\",0,1,4,3,4,65536,256,None,0,20,4,16,64,0x0,0x7f2b4d282500,None,None,"
	     "25,30,40,45\n",
	     "dispatch name=f(int) [clone .kd] domain=kernel start_ns=10 end_ns=20 agent=0 queue=1 "
	     "pid=3 "
	     "tid=4 dispatch_id=0 lds_bytes=512 scratch_bytes=0 vgpr=20 accum_vgpr=4 sgpr=16 "
	     "workgroup=256 grid=65536 wave=64\n"
	     "dispatch name=g [clone .kd] domain=kernel start_ns=30 end_ns=40 agent=0 queue=1 "
	     "pid=3 "
	     "tid=4 "
	     "dispatch_id=1 scratch_bytes=0 vgpr=20 accum_vgpr=4 sgpr=16 workgroup=256 grid=65536 "
	     "wave=64\n"
	     "counter name=f(int) [clone .kd] domain=kernel start_ns=10 end_ns=20 agent=0 queue=1 "
	     "pid=3 "
	     "tid=4 dispatch_id=0 lds_bytes=512 scratch_bytes=0 vgpr=20 accum_vgpr=4 sgpr=16 "
	     "workgroup=256 grid=65536 wave=64 "
	     "counter=SQ_WAVES value=2048\n"
	     "counter name=f(int) [clone .kd] domain=kernel start_ns=10 end_ns=20 agent=0 queue=1 "
	     "pid=3 "
	     "tid=4 dispatch_id=0 lds_bytes=512 scratch_bytes=0 vgpr=20 accum_vgpr=4 sgpr=16 "
	     "workgroup=256 grid=65536 wave=64 "
	     "counter=TCC_HIT[0] value=7\n");
	/* The other writer, with --stats. */
	READ(rocprofv1_csv, "kernel results",
	     "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\",\"queue-index\",\"pid\",\"tid\","
	     "\"grd\",\"wgr\",\"lds\",\"scr\",\"vgpr\",\"sgpr\",\"fbar\",\"sig\",\"obj\","
	     "\"DispatchNs\",\"BeginNs\",\"EndNs\",\"CompleteNs\",\"DurationNs\"\n"
	     "0,\"f [clone "
	     ".kd]\",0,1,2,3,4,64,32,0,0,8,16,6464,\"0x0\",\"0x7f7b27c04500\",5,10,20,25,10\n"
	     "1,\"\"<barrier "
	     "packet>\"\",0,1,2,3,4,64,32,0,0,8,16,6464,\"0x0\",\"0x7f7b27c04500\",5,30,40,"
	     "45,10\n",
	     "dispatch name=f [clone .kd] domain=kernel start_ns=10 end_ns=20 agent=0 queue=1 "
	     "pid=3 "
	     "tid=4 "
	     "dispatch_id=0 lds_bytes=0 scratch_bytes=0 vgpr=8 sgpr=16 workgroup=32 grid=64\n"
	     "dispatch name=\"<barrier packet>\" domain=kernel start_ns=30 end_ns=40 agent=0 "
	     "queue=1 "
	     "pid=3 "
	     "tid=4 dispatch_id=1 lds_bytes=0 scratch_bytes=0 vgpr=8 sgpr=16 workgroup=32 "
	     "grid=64\n");
	/* No --timestamp on. */
	READ(rocprofv1_csv, "kernel results without times",
	     "Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,vgpr,sgpr,fbar,"
	     "sig,"
	     "obj,SQ_WAVES\n0,\"f\",0,1,2,3,4,64,32,0,0,8,16,0,0x0,0x7f,9\n",
	     "dispatch name=f domain=kernel agent=0 queue=1 pid=3 tid=4 dispatch_id=0 lds_bytes=0 "
	     "scratch_bytes=0 vgpr=8 "
	     "sgpr=16 workgroup=32 grid=64\n"
	     "counter name=f domain=kernel agent=0 queue=1 pid=3 tid=4 dispatch_id=0 lds_bytes=0 "
	     "scratch_bytes=0 vgpr=8 "
	     "sgpr=16 workgroup=32 grid=64 counter=SQ_WAVES value=9\n");
}

/* ---- what any of them may look like ---- */

#define SMALL_HEAD                                                                                 \
	"\"Kind\",\"Agent_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\","            \
	"\"End_Timestamp\"\n"
#define SMALL(text, want) READ(rocprofv3_csv, "kernel trace", SMALL_HEAD text, want)
#define F(n, s, e, k)                                                                              \
	"dispatch name=" n " domain=kernel start_ns=" s " end_ns=" e " agent=4 corr=" k "\n"

TEST(numbers)
{
	SMALL("\"K\",4,\"f\",18446744073709551615,18446744073709551614,18446744073709551615\n",
	      F("f", "18446744073709551614", "18446744073709551615", "18446744073709551615"));
	/* One too many for 64 bits: absent where it is not needed, a bad row where it is. */
	SMALL("\"K\",4,\"f\",18446744073709551616,1,2\n\"K\",4,\"g\",1,1,18446744073709551616\n",
	      "dispatch name=f domain=kernel start_ns=1 end_ns=2 agent=4\nmalformed 1 @3\n");
	SMALL("\"K\",4,\"f\",1,-1,2\n\"K\",4,\"f\",1,1.5,2\n\"K\",4,\"f\",1,1.0,2\n\"K\",4,\"f\",,"
	      "0x10,32\n",
	      "dispatch name=f domain=kernel start_ns=2 end_ns=2 agent=4 corr=1\n"
	      "dispatch name=f domain=kernel start_ns=1 end_ns=2 agent=4 corr=1\n"
	      "dispatch name=f domain=kernel start_ns=16 end_ns=32 agent=4\nmalformed 1 @2\n"
	      "rounded_rows 1 @3\n");
	/* Halves go to the even number, by their digits: 2^53 and more are no matter. */
	SMALL("\"K\",4,\"f\",1,300.5,301.5\n"
	      "\"K\",4,\"f\",1,9007199254740993.5,9.0071992547409955e+15\n"
	      "\"K\",4,\"f\",1,300.49999999999999999999,300.50000000000000000001\n"
	      "\"K\",4,\"f\",1,3e2,30000e-2\n\"K\",4,\"f\",1,3e2,1e20\n",
	      F("f", "300", "302", "1") F("f", "9007199254740994", "9007199254740996", "1")
	              F("f", "300", "301", "1")
	                      F("f", "300", "300", "1") "malformed 1 @6\nrounded_rows 3 @2\n");
	/* Quoted numbers: went through a program that doubles quotes. */
	SMALL("\"K\",\"4\",\"f\"\"\",\"1\",\"10\",\"20\"\n", F("f\"", "10", "20", "1"));
}

TEST(agents)
{
	SMALL("\"K\",\"Agent 4\",\"f\",1,1,2\n\"K\",\"GPU 3\",\"f\",1,1,2\n\"K\",\"CPU "
	      "0\",\"f\",1,1,2\n"
	      "\"K\",\"\",\"f\",1,1,2\n\"K\",4294967296,\"f\",1,1,2\n\"K\",\"Agent "
	      "X\",\"f\",1,1,2\n",
	      F("f", "1", "2",
	        "1") "dispatch name=f domain=kernel start_ns=1 end_ns=2 agent=GPU 3 corr=1\n"
	             "dispatch name=f domain=kernel start_ns=1 end_ns=2 agent=CPU 0 corr=1\n"
	             "dispatch name=f domain=kernel start_ns=1 end_ns=2 corr=1\n"
	             "dispatch name=f domain=kernel start_ns=1 end_ns=2 corr=1\n"
	             "dispatch name=f domain=kernel start_ns=1 end_ns=2 corr=1\n");
}

TEST(reversed_rows)
{
	SMALL("\"K\",4,\"f\",1,10,20\n\"K\",4,\"g\",2,30,29\n\"K\",4,\"h\",3,40,40\n\"K\",4,\"i\","
	      "4,2,1\n",
	      F("f", "10", "20", "1") F("h", "40", "40", "3") "reversed 2 @3\n");
	SMALL("\"K\",4,\"f\",1,20,10\n", "reversed 1 @2\n");
	/* After a name of two lines; the only row with an agent goes with it. */
	SMALL("\"K\",,\"two\nlines\",1,10,20\n\"K\",4,\"g\",2,30,29\n",
	      "dispatch name=two\nlines domain=kernel start_ns=10 end_ns=20 corr=1\nreversed 1 "
	      "@4\n");
}

TEST(malformed_rows)
{
	SMALL("\"K\",4,\"f\",1,10\n\"K\",4,\"f\",1,10,20\nnonsense\n\"K\",4,\"f\",1,10,20,30\n",
	      F("f", "10", "20", "1") "malformed 3 @2\n");
	SMALL("\"K\",4,\"f\",1,,20\n\"K\",4,\"f\",1,10,20\n",
	      F("f", "10", "20", "1") "malformed 1 @2\n");
	/* A row that was cut inside its name, another follows. */
	SMALL("\"K\",4,\"f(in\n\"K\",4,\"g\",1,10,20\n",
	      F("g", "10", "20", "1") "malformed 1 @2\n");
	/* Quotes that are not escaped. */
	SMALL("\"K\",4,\"k<\"a\",1>\",1,10,20\n\"K\",4,\"g\",1,10,20\n",
	      F("k<\"a\",1>", "10", "20", "1") F("g", "10", "20", "1") "recovered 1 @2\n");
}

TEST(line_ends_and_marks)
{
	/* A byte order mark, CRLF, blank lines, half a newline at the end. */
	READ(rocprofv3_csv, "kernel trace",
	     "\xef\xbb\xbf\"Kind\",\"Agent_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_"
	     "Timestamp\","
	     "\"End_Timestamp\"\r\n"
	     "\r\n\"K\",4,\"f\",1,10,20\r\n\n\"K\",4,\"g\",1,30,20\r\n\r\n\"K\",4,\"h\",1,40,50\r",
	     F("f", "10", "20", "1") F("h", "40", "50", "1") "reversed 1 @5\nopen_end 1 @7\n");
	CHECK_U64(lines, 6);
	SMALL("\"K\",4,\"f\",1,10,20\n\"K\",4,\"g\",1,40,50",
	      F("f", "10", "20", "1") "unended 1 @3\n");
	SMALL("\"K\",4,\"f\",1,10,20\n\"K\",4,\"g\",1,\"40\",\"50\"",
	      F("f", "10", "20", "1") F("g", "40", "50", "1") "open_end 1 @3\n");
	/* Cut in the last row. */
	SMALL("\"K\",4,\"f\",1,10,20\n\"K\",4,\"g\",1,40,", F("f", "10", "20", "1") "cut 1 @3\n");
	SMALL("\"K\",4,\"f\",1,10,20\n\"K\",4,\"g", F("f", "10", "20", "1") "cut 1 @3\n");
	/* The header alone, with and without a newline. */
	SMALL("", "");
	READ(rocprofv3_csv, "API trace",
	     "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp",
	     "");
}

TEST(names_with_newlines)
{
	SMALL("\"K\",4,\"a\nb\n\nc\",1,10,20\n\"K\",4,\"g\",1,30,20\n\"K\",4,\"a\nb\n\nc\",1,10,"
	      "20\n"
	      "\"K\",4,\"h\",1,30,20\nx\n",
	      F("a\nb\n\nc", "10", "20", "1")
	              F("a\nb\n\nc", "10", "20", "1") "malformed 1 @12\nreversed 2 @6\n");
	CHECK_U64(lines, 12);
}

/* ---- large ---- */

/* Rows around the size of a batch, with and without rows in between that are not plain. */
TEST(many_rows)
{
	struct tm_buf in = { 0 }, want = { 0 };

	for (unsigned n = 1022; n <= 3 * TM_BATCH_ROWS + 2; n += n < 1027 ? 1 : 511) {
		for (unsigned odd = 0; odd < 3; odd++) {
			uint64_t reversed = 0, first = 0, recovered = 0, at = 0;

			tm_buf_clear(&in);
			tm_buf_clear(&want);
			tm_buf_str(&in, SMALL_HEAD);
			for (unsigned i = 0; i < n; i++) {
				bool back = odd == 2 && i % 100 == 99, quote = odd && i % 7 == 3;

				tm_buf_fmt(&in, "\"K\",4,\"k%u%s\",%u,%u,%u\n", i % 50,
				           quote ? "<\"x\",1>" : "", i, i * 10 + 5,
				           i * 10 + (back ? 0 : 9));
				if (quote && !recovered++)
					at = i + 2;
				if (back && !reversed++)
					first = i + 2;
				if (!back)
					tm_buf_fmt(&want,
					           "dispatch name=k%u%s domain=kernel start_ns=%u "
					           "end_ns=%u "
					           "agent=4 "
					           "corr=%u\n",
					           i % 50, quote ? "<\"x\",1>" : "", i * 10 + 5,
					           i * 10 + 9, i);
			}
			if (reversed)
				tm_buf_fmt(&want, "reversed %" PRIu64 " @%" PRIu64 "\n", reversed,
				           first);
			if (recovered)
				tm_buf_fmt(&want, "recovered %" PRIu64 " @%" PRIu64 "\n", recovered,
				           at);
			CHECK(!strcmp(read_wanted(NULL, TM_EV_ALL, in.p, in.n), want.p));
			CHECK_U64(lines, n + 1);
			/* What nobody wants does not change what is wanted. */
			read_wanted(NULL, TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_END), in.p,
			            in.n);
			CHECK_U64(rows, n - reversed);
		}
	}
	tm_buf_fini(&in);
	tm_buf_fini(&want);
}

/* Any number of columns, headers and rows longer than what is looked at first, or read at a time.
 */
TEST(wide_tables)
{
	static const unsigned widths[] = { 0, 1, 60, 255, 256, 257, 1023, 1024, 1025, 5000, 70000 };
	struct tm_buf in = { 0 }, plain = { 0 }, want = { 0 };

	for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
		unsigned n = widths[w];

		tm_buf_clear(&in);
		tm_buf_clear(&plain);
		tm_buf_str(&in, "Index,KernelName,gpu-id");
		for (unsigned i = 0; i < n; i++)
			tm_buf_fmt(&in, ",TCC_HIT[%u]", i);
		tm_buf_str(&in, ",DispatchNs,BeginNs,EndNs,CompleteNs\n");
		for (unsigned r = 0; r < 2; r++) {
			tm_buf_fmt(&in, "%u,\"f\",0", r);
			for (unsigned i = 0; i < n; i++)
				tm_buf_fmt(&in, ",%u", r * i);
			tm_buf_str(&in, ",1,10,20,30\n");
			tm_buf_fmt(&plain,
			           "dispatch name=f domain=kernel start_ns=10 end_ns=20 agent=0 "
			           "dispatch_id=%u\n",
			           r);
		}
		tm_buf_clear(&want);
		/* A batch is closed when it has many values. */
		for (unsigned r = 0; r < 2; r++) {
			tm_buf_fmt(&want,
			           "dispatch name=f domain=kernel start_ns=10 end_ns=20 agent=0 "
			           "dispatch_id=%u\n",
			           r);
			if (!r && n < 70000)
				tm_buf_fmt(&want, "dispatch name=f domain=kernel start_ns=10 "
				                  "end_ns=20 agent=0 "
				                  "dispatch_id=1\n");
			for (unsigned k = r; k < (r || n == 70000 ? r + 1 : 2); k++) {
				for (unsigned i = 0; i < n; i++)
					tm_buf_fmt(&want,
					           "counter name=f domain=kernel start_ns=10 "
					           "end_ns=20 "
					           "agent=0 dispatch_id=%u counter=TCC_HIT[%u] "
					           "value=%u\n",
					           k, i, k * i);
			}
			if (n < 70000)
				break;
		}
		CHECK(!strcmp(read_wanted(NULL, TM_EV_ALL, in.p, in.n), want.p));
		CHECK_STR(table, "kernel results");
		/* Who does not want values gets the dispatches alone. */
		CHECK_STR(read_wanted(NULL, TM_EV_ALL & ~TM_EV_BIT(TM_EVC_VALUE), in.p, in.n),
		          plain.p);
	}
	tm_buf_fini(&in);
	tm_buf_fini(&plain);
	tm_buf_fini(&want);
}

/* Which columns are counters. */
TEST(columns_that_are_counters)
{
	/* Not properties of a dispatch, nor what joining tables makes of those, nor words. */
	READ(rocprofv2_csv, "kernel results",
	     "Dispatch_ID,Kernel_Name,GPU_ID,queue-index,sig,obj,Wave_Size,New_Size_X,wave_size_1,"
	     "Kernel_ID_2,sig.1,Duration,,Remark,SQ_WAVES_1,MemUnitBusy,TCC_HIT_sum,lower,"
	     "Start_Timestamp,End_Timestamp\n"
	     "1,f,4,2,0x0,0x7f,64,9,64,3,0x1,10,5,fast,1.5,2.5e3,-3,4,10,20\n"
	     "2,g,4,2,0x0,0x7f,64,9,64,3,0x1,10,5,,None,nan,,x,30,40\n",
	     "dispatch name=f domain=kernel start_ns=10 end_ns=20 agent=4 dispatch_id=1 wave=64\n"
	     "dispatch name=g domain=kernel start_ns=30 end_ns=40 agent=4 dispatch_id=2 wave=64\n"
	     "counter name=f domain=kernel start_ns=10 end_ns=20 agent=4 dispatch_id=1 wave=64 "
	     "counter=SQ_WAVES_1 value=1.5\n"
	     "counter name=f domain=kernel start_ns=10 end_ns=20 agent=4 dispatch_id=1 wave=64 "
	     "counter=MemUnitBusy value=2500\n"
	     "counter name=f domain=kernel start_ns=10 end_ns=20 agent=4 dispatch_id=1 wave=64 "
	     "counter=TCC_HIT_sum value=-3\n"
	     "counter name=f domain=kernel start_ns=10 end_ns=20 agent=4 dispatch_id=1 wave=64 "
	     "counter=lower value=4\n"
	     "values 2 @3\n");
	/* rocprofv3's long table after a pivot, with and without times. */
	READ(rocprofv3_csv, "kernel trace",
	     "Dispatch_Id,Agent_Id,Kernel_Name,Start_Timestamp,End_Timestamp,lower,Graph_Size,"
	     "GRBM_COUNT,SQ_WAVES\n1,4,f,10,20,7,8,16384.0,64.0\n",
	     "dispatch name=f domain=kernel start_ns=10 end_ns=20 agent=4 dispatch_id=1\n"
	     "counter name=f domain=kernel start_ns=10 end_ns=20 agent=4 dispatch_id=1 "
	     "counter=GRBM_COUNT "
	     "value=16384\n"
	     "counter name=f domain=kernel start_ns=10 end_ns=20 agent=4 dispatch_id=1 "
	     "counter=SQ_WAVES "
	     "value=64\n");
	READ(rocprofv3_csv, "kernel counters", ",Dispatch_Id,Kernel_Name,SQ_WAVES\n0,1,f,64.0\n",
	     "dispatch name=f domain=kernel dispatch_id=1\n"
	     "counter name=f domain=kernel dispatch_id=1 counter=SQ_WAVES value=64\n");
	CHECK_STR(read_wanted(NULL, TM_EV_ALL, "Dispatch_Id,Kernel_Name,Remark_No\n1,f,2\n", 41),
	          "no reader: looks like kernel results without times of rocprofv2-csv, but has no "
	          "column Gpu_Id");
	/* Its dispatch ends before it begins: so do its counters. */
	READ(rocprofv1_csv, "kernel results",
	     "Index,KernelName,gpu-id,BeginNs,EndNs,A\n0,f,0,10,20,1\n1,g,0,20,10,2\n"
	     "2,h,0,30,40,3\n",
	     "dispatch name=f domain=kernel start_ns=10 end_ns=20 agent=0 dispatch_id=0\n"
	     "dispatch name=h domain=kernel start_ns=30 end_ns=40 agent=0 dispatch_id=2\n"
	     "counter name=f domain=kernel start_ns=10 end_ns=20 agent=0 dispatch_id=0 counter=A "
	     "value=1\n"
	     "counter name=h domain=kernel start_ns=30 end_ns=40 agent=0 dispatch_id=2 counter=A "
	     "value=3\n"
	     "reversed 1 @3\n");
}

/* A row a counter: each dispatch, that is all rows which agree in everything else, once. */
TEST(long_tables)
{
	static const char in[] = "GPU_ID,Dispatch_ID,Kernel_Name,Start_Timestamp,End_Timestamp,"
	                         "Kernel_ID,Counter_Name,"
	                         "Counter_Value\n"
	                         "2,1,\"f(int)\",10,20,7,A,1.0\n"
	                         "2,1,\"f(int)\",10,20,7,B,2.5\n"
	                         "2,2,\"f(int)\",10,20,7,A,3.0\n"
	                         "2,1,\"f(int)\",30,45,7,A,4.0\n"
	                         "2,1,\"f(int)\",10,20,7,C,5.0\n"
	                         "3,1,\"f(int)\",10,20,7,A,6.0\n";
	static const char dispatches[] = "dispatch name=f(int) domain=kernel start_ns=10 end_ns=20 "
	                                 "agent=2 dispatch_id=1 kernel_id=7\n"
	                                 "dispatch name=f(int) domain=kernel start_ns=10 end_ns=20 "
	                                 "agent=2 dispatch_id=2 kernel_id=7\n"
	                                 "dispatch name=f(int) domain=kernel start_ns=30 end_ns=45 "
	                                 "agent=2 dispatch_id=1 kernel_id=7\n"
	                                 "dispatch name=f(int) domain=kernel start_ns=10 end_ns=20 "
	                                 "agent=3 dispatch_id=1 kernel_id=7\n";

#define L(s, e, a, d, c, v)                                                                        \
	"counter name=f(int) domain=kernel start_ns=" s " end_ns=" e " agent=" a " dispatch_id=" d \
	" kernel_id=7 counter=" c " value=" v "\n"
	READ(rocprofv2_csv, "counters of kernels",
	     "GPU_ID,Dispatch_ID,Kernel_Name,Start_Timestamp,End_Timestamp,Kernel_ID,Counter_Name,"
	     "Counter_Value\n"
	     "2,1,\"f(int)\",10,20,7,A,1.0\n"
	     "2,1,\"f(int)\",10,20,7,B,2.5\n"
	     "2,2,\"f(int)\",10,20,7,A,3.0\n"
	     "2,1,\"f(int)\",30,45,7,A,4.0\n"
	     "2,1,\"f(int)\",10,20,7,C,5.0\n"
	     "3,1,\"f(int)\",10,20,7,A,6.0\n",
	     "dispatch name=f(int) domain=kernel start_ns=10 end_ns=20 agent=2 dispatch_id=1 "
	     "kernel_id=7\n"
	     "dispatch name=f(int) domain=kernel start_ns=10 end_ns=20 agent=2 dispatch_id=2 "
	     "kernel_id=7\n"
	     "dispatch name=f(int) domain=kernel start_ns=30 end_ns=45 agent=2 dispatch_id=1 "
	     "kernel_id=7\n"
	     "dispatch name=f(int) domain=kernel start_ns=10 end_ns=20 agent=3 dispatch_id=1 "
	     "kernel_id=7\n" L("10", "20", "2", "1", "A", "1") L("10", "20", "2", "1", "B", "2.5")
	             L("10", "20", "2", "2", "A", "3") L("30", "45", "2", "1", "A", "4")
	                     L("10", "20", "2", "1", "C", "5") L("10", "20", "3", "1", "A", "6"));
	/* Which they are does not depend on what is wanted. */
	read_wanted(NULL, TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START), in, sizeof in - 1);
	CHECK_U64(rows, 4);
	CHECK_STR(read_wanted(NULL, TM_EV_ALL & ~TM_EV_BIT(TM_EVC_VALUE), in, sizeof in - 1),
	          dispatches);
	READ(rocprofv2_csv, "counters of kernels without times",
	     "GPU_ID,Dispatch_ID,Kernel_Name,Counter_Name,Counter_Value\n2,1,f,A,1.0\n2,1,f,B,2."
	     "0\n",
	     "dispatch name=f domain=kernel agent=2 dispatch_id=1\n"
	     "counter name=f domain=kernel agent=2 dispatch_id=1 counter=A value=1\n"
	     "counter name=f domain=kernel agent=2 dispatch_id=1 counter=B value=2\n");
#undef L
}

/* The newline between two rows is lost. */
TEST(joined_rows)
{
	SMALL("\"K\",4,\"f\",1,10,20\"K\",4,\"g\",1,30,40\n\"K\",4,\"h\",1,50,60\n",
	      F("f", "10", "20", "1") F("g", "30", "40", "1")
	              F("h", "50", "60", "1") "joined_rows 1 @2\n");
	CHECK_U64(lines, 3);
	/* The end of a row that ends with a number that is of the next, too, is not known. */
	READ(rocprofv3_csv, "counter collection",
	     "Correlation_Id,Dispatch_Id,Agent_Id,Kernel_Name,Counter_Name,Counter_Value,"
	     "Start_Timestamp,End_Timestamp\n1,1,4,\"f\",\"A\",1.0,10,202,2,4,\"g\",\"A\",2.0,30,"
	     "40\n",
	     "counter name=g domain=kernel start_ns=30 end_ns=40 agent=4 dispatch_id=2 counter=A "
	     "value=2\n"
	     "malformed 1 @2\njoined_rows 1 @2\n");
	READ(rocprofv2_csv, "kernel results",
	     "Dispatch_ID,GPU_ID,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID\n\n"
	     "1,4,\"f\",10,20,12,4,\"g\",30,40,2\n",
	     "dispatch name=f domain=kernel start_ns=10 end_ns=20 agent=4 dispatch_id=1\n"
	     "dispatch name=g domain=kernel start_ns=30 end_ns=40 agent=4 corr=2\njoined_rows 1 "
	     "@3\n");
	READ(rocprofv2_csv, "API trace",
	     "Domain,Function,Start_Timestamp,End_Timestamp,Correlation_ID\n\n"
	     "HIP_API_DOMAIN,\"hipMalloc\",10,20,1HSA_API_DOMAIN,\"hsa_init\",20,30,2\n",
	     "api name=hipMalloc domain=hip start_ns=10 end_ns=20 corr=1\n"
	     "api name=hsa_init domain=hsa start_ns=20 end_ns=30 corr=2\njoined_rows 1 @3\n");
	/* One of them is cut. */
	SMALL("\"KERN\",4,\"f(in\"KERN\",4,\"g\",1,30,40\n\"KERN\",4,\"h\",1,50,60\n",
	      F("g", "30", "40", "1") F("h", "50", "60", "1") "malformed 1 @2\n");
}

/* Blank lines and a mark before the header; a header that ends with the input. */
TEST(before_the_header)
{
	static const char *const before[] = { "\n", "\r\n\n", " \t\n", "\xef\xbb\xbf",
		                              "\xef\xbb\xbf\n\n" };
	static const uint64_t more[] = { 1, 2, 1, 0, 2 };
	struct tm_buf in = { 0 };

	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		tm_buf_clear(&in);
		tm_buf_str(&in, before[i]);
		tm_buf_str(&in, SMALL_HEAD "\"K\",4,\"f\",1,10,20\nx\n");
		tm_buf_chr(&dump, '\n');
		read_wanted(NULL, TM_EV_ALL, in.p, in.n);
		CHECK(strstr(dump.p, F("f", "10", "20", "1") "malformed 1 @") == dump.p);
		CHECK_U64(lines, 3 + more[i]);
	}
	tm_buf_fini(&in);
}

/* An input of several blocks; every row has a name of its own length, so that blocks end
 * everywhere in a row.  Then names longer than a block. */
TEST(block_ends)
{
	static const size_t giant[] = { 64 * 1024, 256 * 1024 - 40, 256 * 1024, 512 * 1024,
		                        3 << 20 };
	struct tm_buf in = { 0 }, want = { 0 };
	char *name = malloc(4 << 20);

	memset(name, 'n', 4 << 20);
	for (unsigned round = 0; round < 8; round++) {
		tm_buf_clear(&in);
		tm_buf_clear(&want);
		tm_buf_str(&in, SMALL_HEAD);
		for (unsigned i = 0; in.n < 900 * 1024; i++) {
			int len = (int)((i * 31 + round * 7) % 300);
			const char *mark = round & 1 ? (i % 3 ? "" : "<\"q\",1>")
			                   : i % 5   ? ""
			                             : "\n";

			tm_buf_fmt(&in, "\"K\",4,\"%.*s%s\",%u,%u,%u\n", len, name, mark, i, i,
			           i + 1);
			tm_buf_fmt(
			        &want,
			        "dispatch name=%.*s%s domain=kernel start_ns=%u end_ns=%u agent=4 "
			        "corr=%u\n",
			        len, name, mark, i, i + 1, i);
		}
		read_wanted(NULL, TM_EV_ALL, in.p, in.n);
		CHECK(dump.n >= want.n && !memcmp(dump.p, want.p, want.n));
		CHECK(round & 1 ? !strncmp(dump.p + want.n, "recovered ", 10) : dump.n == want.n);
	}
	for (size_t i = 0; i < sizeof giant / sizeof *giant; i++) {
		tm_buf_clear(&in);
		tm_buf_clear(&want);
		tm_buf_str(&in, SMALL_HEAD "\"K\",4,\"f\",1,10,20\n\"K\",4,\"");
		tm_buf_add(&in, name, giant[i]);
		tm_buf_str(&in, "\",2,30,40\n\"K\",4,\"g\",3,50,60\n");
		tm_buf_str(&want, F("f", "10", "20", "1") "dispatch name=");
		tm_buf_add(&want, name, giant[i]);
		tm_buf_str(&want, " domain=kernel start_ns=30 end_ns=40 agent=4 corr=2\n" F(
		                          "g", "50", "60", "3"));
		CHECK(!strcmp(read_wanted(NULL, TM_EV_ALL, in.p, in.n), want.p));
	}
	free(name);
	tm_buf_fini(&in);
	tm_buf_fini(&want);
}

/* Only what is asked for need be there, and it is the same. */
TEST(wanted_columns)
{
	static const char in[] = V3_70_KERNEL
	        "\"KERNEL_DISPATCH\",\"Agent "
	        "4\",1,5,77,2,12,\"h\",8,100,250,512,0,28,4,32,256,1,1,1024,1,1\n"
	        "\"KERNEL_DISPATCH\",\"Agent "
	        "4\",1,5,77,2,12,\"h\"\",8,100,250,512,0,28,4,32,256,1,1,1024,1,1\n";

	CHECK_STR(read_wanted(NULL, TM_EV_BIT(TM_EVC_NAME), in, sizeof in - 1),
	          "dispatch name=h\ndispatch name=h\"\n");
	CHECK_STR(read_wanted(NULL, TM_EV_BIT(TM_EVC_START), in, sizeof in - 1),
	          "dispatch start_ns=100 end_ns=250\ndispatch start_ns=100 end_ns=250\n");
	CHECK_STR(read_wanted(NULL, TM_EV_BIT(TM_EVC_GRID_Z) | TM_EV_BIT(TM_EVC_QUEUE), in,
	                      sizeof in - 1),
	          "dispatch queue=1 grid_z=1\ndispatch queue=1 grid_z=1\n");
	CHECK_STR(read_wanted(NULL, TM_EV_BIT(TM_EVC_DOMAIN), in, sizeof in - 1),
	          "dispatch domain=kernel\ndispatch domain=kernel\n");
	read_wanted(NULL, 0, in, sizeof in - 1);
	CHECK_U64(rows, 2);
	tm_buf_fini(&dump);
}

TEST_MAIN(T(v3_kernels), T(v3_api), T(v3_copies), T(v3_allocations), T(v3_scratch), T(v3_counters),
          T(v3_samples), T(v3_rocpd), T(v2_kernels), T(v2_api_and_copies), T(v2_markers),
          T(v1_kernels), T(numbers), T(agents), T(reversed_rows), T(malformed_rows),
          T(line_ends_and_marks), T(names_with_newlines), T(many_rows), T(wide_tables),
          T(columns_that_are_counters), T(long_tables), T(joined_rows), T(before_the_header),
          T(columns_that_are_counters), T(long_tables), T(joined_rows), T(before_the_header),
          T(block_ends), T(wanted_columns))
