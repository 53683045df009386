/* SPDX-License-Identifier: MIT
 * Which format is it?  One clear winner for every header a profiler writes, none for anything else.
 * No two formats have been found that bid the same for one input; were there such bytes, the
 * message would name both and --from. */
#include "read/formats.h"

#include "test.h"

#define CHOOSE(format, bits_, text)                                                                \
	do {                                                                                       \
		unsigned got_ = 0;                                                                 \
		const struct tm_reader_ops *ops_ = choose(text, sizeof(text) - 1, &got_);          \
		CHECK_STR(ops_ ? ops_->name : "none", (tm_reader_##format).name);                  \
		CHECK_U64(got_, bits_);                                                            \
	} while (0)

/* The choice; every other format must bid less, whether or not more bytes may follow. */
static const struct tm_reader_ops *choose(const char *text, size_t n, unsigned *bits)
{
	unsigned char *p = malloc(n ? n : 1);
	const struct tm_reader_ops *ops, *again;
	unsigned first = 0, second = 0;
	struct tm_diag d = { 0 };

	memcpy(p, text, n);
	ops = tm_reader_choose(p, n, true, bits, &d);
	for (size_t i = 0; tm_reader_formats[i]; i++) {
		unsigned b = tm_reader_formats[i]->bid(p, n, true);

		if (b > first) {
			second = first;
			first = b;
		} else if (b > second) {
			second = b;
		}
	}
	CHECK(ops ? first > second : first == 0 && d.text[0]);
	if (memchr(text, '\n', n)) {
		again = tm_reader_choose(p, n, false, NULL, &d);
		CHECK(again == ops);
	}
	free(p);
	return ops;
}

TEST(rocprofv3)
{
	CHOOSE(rocprofv3_csv, 24,
	       "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_"
	       "Id\","
	       "\"Start_Timestamp\",\"End_Timestamp\"\n");
	CHOOSE(rocprofv3_csv, 40,
	       "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\","
	       "\"Start_Timestamp\",\"End_Timestamp\"\n");
	CHOOSE(rocprofv3_csv, 40,
	       "\"Kind\",\"Direction\",\"Stream_Id\",\"Source_Agent_Id\",\"Destination_Agent_Id\","
	       "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n");
	CHOOSE(rocprofv3_csv, 40,
	       "\"Kind\",\"Operation\",\"Agent_Id\",\"Allocation_Size\",\"Address\","
	       "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n");
	CHOOSE(rocprofv3_csv, 32,
	       "\"Kind\",\"Operation\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Alloc_Flags\","
	       "\"Start_Timestamp\",\"End_Timestamp\",\"Allocation_Size\"\n");
	CHOOSE(rocprofv3_csv, 32,
	       "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\","
	       "\"Thread_Id\",\"Grid_Size\",\"Kernel_Name\",\"Workgroup_Size\",\"LDS_Block_Size\","
	       "\"Scratch_Size\",\"VGPR_Count\",\"SGPR_Count\",\"Counter_Name\",\"Counter_"
	       "Value\"\n");
	CHOOSE(rocprofv3_csv, 24, "\"Dispatch_Id\",\"Counter_Name\",\"Counter_Value\"\n");
	CHOOSE(rocprofv3_csv, 32,
	       "\"Sample_Timestamp\",\"Exec_Mask\",\"Dispatch_Id\",\"Instruction\","
	       "\"Instruction_Comment\",\"Correlation_Id\"\n");
	/* rocpd; without quotes, in lower case, with a byte order mark, with CRLF. */
	CHOOSE(rocprofv3_csv, 24,
	       "\"Guid\",\"Kind\",\"Agent_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_"
	       "Timestamp\"\n");
	CHOOSE(rocprofv3_csv, 24, "\xef\xbb\xbfkind,kernel_name,start_timestamp,end_timestamp\r\n");
	/* No newline yet. */
	CHOOSE(rocprofv3_csv, 24, "kind,kernel_name,start_timestamp,end_timestamp");
}

TEST(rocprofv2)
{
	CHOOSE(rocprofv2_csv, 40,
	       "Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,"
	       "Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Wave_Size,Kernel_Name,"
	       "Start_Timestamp,End_Timestamp,Correlation_ID,SQ_WAVES\n\n");
	CHOOSE(rocprofv2_csv, 24, "Dispatch_ID,GPU_ID,Kernel_Name,SQ_WAVES\n");
	CHOOSE(rocprofv2_csv, 32,
	       "Domain,Function,Start_Timestamp,End_Timestamp,Correlation_ID\n\n");
	CHOOSE(rocprofv2_csv, 40,
	       "Domain,Operation,Kernel_Name,Start_Timestamp,Stop_Timestamp,Correlation_ID\n\n");
	CHOOSE(rocprofv2_csv, 32,
	       "Domain,Operation,Start_Timestamp,Stop_Timestamp,Correlation_ID\n\n");
	CHOOSE(rocprofv2_csv, 24, "Dispatch_ID,Timestamp,GPU_ID,PC_Sample,Shader_Engines\n\n");
	CHOOSE(rocprofv2_markers, 32, "Domain,ROCTX_ID,Message,Timestamp\n\n");
	CHOOSE(rocprofv2_text, 100,
	       "hello from the program\n"
	       "Dispatch_ID(1), GPU_ID(4), Queue_ID(1), Kernel_Name(\"f\"), Begin_Timestamp(1), "
	       "End_Timestamp(2)\n");
}

TEST(rocprofv1_and_statistics)
{
	CHOOSE(rocprofv1_csv, 40,
	       "Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,"
	       "accum_vgpr,sgpr,wave_size,sig,obj,DispatchNs,BeginNs,EndNs,CompleteNs\n");
	CHOOSE(rocprofv1_csv, 40,
	       "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\",\"DispatchNs\",\"BeginNs\","
	       "\"EndNs\","
	       "\"CompleteNs\",\"DurationNs\"\n");
	CHOOSE(rocprofv1_csv, 24, "Index,KernelName,gpu-id,queue-id,SQ_WAVES\n");
	CHOOSE(rocprof_stats, 24,
	       "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n");
	CHOOSE(rocprof_stats, 24,
	       "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\","
	       "\"MaxNs\",\"StdDev\"\n");
	CHOOSE(rocprof_agents, 24,
	       "\"Node_Id\",\"Logical_Node_Id\",\"Agent_Type\",\"Cpu_Cores_Count\",\"Name\"\n");
}

TEST(text_files)
{
	CHOOSE(rocprofv1_text, 72, "hello\n1000000:1000001 1:2 hipMalloc(p=1) :1\n");
	CHOOSE(rocprofv1_text, 40, "1000000:1000001 1:2 hsw_thing(p=1)\n");
	CHOOSE(rocprofv1_text, 48, "1000000:1000001 0:0 KernelExecution:1:2\n");
	CHOOSE(rocprofv1_text, 100, "1000000:1000001 async-copy:1:2\n");
	CHOOSE(rocprofv1_text, 48, "1000000 1:2 1:0:\"a\"\n");
	CHOOSE(rocprofv3_summary, 32,
	       "hello\n    | NAME | DOMAIN | CALLS | DURATION (msec) | STDDEV |\n");
	CHOOSE(rocprofsys_text, 40, "|--|\n| LABEL | COUNT | DEPTH | METRIC | SUM |\n");
	CHOOSE(rocprofsys_json, 80,
	       "{\n \"timemory\": {\"x\": {\"unit_repr\": \"sec\", \"ranks\": [{\"graph\": [");
}

/* Not a trace: why not, in words. */
TEST(json)
{
	CHOOSE(rocprofv3_json, 176, "{\"rocprofiler-sdk-tool\":[");
	CHOOSE(kineto_json, 56,
	       "{\"schemaVersion\":1,\"deviceProperties\": [],\"traceEvents\": [{\"cat\": "
	       "\"kernel\"}]}");
	/* A header so long that the events are not in sight. */
	CHOOSE(kineto_json, 48, "{\"schemaVersion\":1,\"deviceProperties\":[");
	CHOOSE(rocprofv1_json, 80, "{ \"traceEvents\":[{}\n,{\"args\":{\"BeginNs\":\"1\"}}");
	CHOOSE(rocprofv1_json, 40,
	       "{ \"traceEvents\":[{}\n,{\"args\":{\"name\":\"GPU0\"},\"ph\":\"M\",\"pid\":6,"
	       "\"name\":\"process_name\",\"sort_index\":0}");
	CHOOSE(rocprofv2_json, 40,
	       "{\"traceEvents\":[{\"args\":{\"cid\":1},\"cat\":\"GPU\",\"ts\":\"5\"}]}");
	CHOOSE(rpd_json, 32, "[ {}\n,{\"ph\":\"M\",\"args\":{\"name\":\"Hip 7\"}}");
	CHOOSE(chrome_json, 16, "{\"traceEvents\":[]}");
	CHOOSE(chrome_json, 16, " [ {\"name\":\"a\",\"ph\":\"X\"}");
}

TEST(nothing_known)
{
	static const struct {
		const char *text;
		size_t n;
		const char *why;
	} cases[] = {
		{ "", 0, "empty" },
		{ "a,b,c\n1,2,3\n", 12, "begins with 'a,b,c'" },
		{ "\x7f"
		  "ELF\x02\x01",
		  6, "binary" },
		{ "\0\0\0\0", 4, "binary" },
		{ "\n\n\n", 3, "binary" },
		{ "{\"events\":[]}", 13, "begins with '{\"events\":[]}'" },
		{ "\"Name", 5, "begins with '\"Name'" },
		{ "Kernel_Name", 11, "begins with" },
		{ "a line of more than sixty characters, which is cut so that the message stays "
		  "short",
		  82, "..." },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tm_diag d = { 0 };
		unsigned bits = 9;

		CHECK(!choose(cases[i].text, cases[i].n, &bits));
		CHECK_U64(bits, 0);
		tm_reader_choose((const unsigned char *)cases[i].text, cases[i].n, true, NULL, &d);
		if (!strstr(d.text, cases[i].why)) {
			fprintf(stderr, "'%s' says '%s'\n", cases[i].text, d.text);
			test_bad++;
		}
	}
}

/* A trace but for one column: which one? */
TEST(one_column_short)
{
	static const char text[] = "\"Kind\",\"Agent_Id\",\"Kernel_Name\",\"Start_Timestamp\"\n";
	struct tm_diag d = { 0 };
	unsigned bits;

	CHECK(!choose(text, sizeof text - 1, &bits));
	tm_reader_choose((const unsigned char *)text, sizeof text - 1, true, NULL, &d);
	CHECK(strstr(d.text, "kernel trace") && strcasestr(d.text, "end_timestamp"));
}

TEST(by_name)
{
	for (size_t i = 0; tm_reader_formats[i]; i++) {
		CHECK(tm_reader_find(tm_reader_formats[i]->name) == tm_reader_formats[i]);
		CHECK(tm_reader_formats[i]->about && *tm_reader_formats[i]->about);
		for (size_t j = 0; j < i; j++)
			CHECK(strcmp(tm_reader_formats[i]->name, tm_reader_formats[j]->name) != 0);
	}
	CHECK(!tm_reader_find("rocprofv3"));
	CHECK(!tm_reader_find(""));
}

/* --from beats the content, and fails where the table is not there. */
TEST(forced)
{
	static const char text[] =
	        "Domain,Function,Start_Timestamp,End_Timestamp,Correlation_ID\n\n"
	        "HIP_API_DOMAIN,\"hipMalloc\",1,2,3\n";
	struct tm_diag d = { 0 };
	struct tm_source *src = tm_source_memory("x", text, sizeof text - 1, &d);
	bool unknown = true;
	struct tm_reader *r;

	r = tm_reader_open(src, &tm_reader_rocprof_stats, TM_EV_ALL, &unknown, &d);
	CHECK(!r && !unknown && d.text[0]);
	r = tm_reader_open(src, NULL, TM_EV_ALL, &unknown, &d);
	CHECK(!r || r->ops == &tm_reader_rocprofv2_csv);
	tm_reader_close(r);
	tm_source_close(src);
}

TEST_MAIN(T(rocprofv3), T(rocprofv2), T(rocprofv1_and_statistics), T(text_files), T(json),
          T(nothing_known), T(one_column_short), T(by_name), T(forced))
