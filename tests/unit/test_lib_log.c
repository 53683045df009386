/* SPDX-License-Identifier: MIT */
#include "read/library/lib_log.h"

#include "base/buf.h"
#include "test.h"

static struct tm_lib_calls calls;

static enum tm_status scan(const char *text, size_t n)
{
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_memory("test", text, n, &d);
	enum tm_status st;

	tm_lib_calls_fini(&calls);
	CHECK(s != NULL);
	st = tm_lib_log_read(&calls, s, &d);
	tm_source_close(s);
	return st;
}

static enum tm_status scan_text(const char *text)
{
	return scan(text, strlen(text));
}

/* How often a text was called; 0 = never. */
static uint64_t of(enum tm_lib_call_kind kind, const char *text)
{
	uint32_t id = tm_names_find(&calls.set[kind].texts, text, strlen(text));

	return id == TM_NAME_NONE ? 0 : calls.set[kind].calls[id];
}

TEST(every_library)
{
	CHECK(scan_text(
	              "step 1 loss 2.31\n"
	              "./rocblas-bench -f gemm -r f32_r --ldc 512 \n"
	              "hipblaslt-bench --api_method c  -m 1 \r\n"
	              "- { rocblas_function: \"rocblas_sgemm\", M: 512, call_count: 3 }\n"
	              "{ rocblas_function: \"rocblas_sgemm\", M: 512, call_count: 4 }\n"
	              "- {function: matmul, M: 16, call_count: 5}\n"
	              "MIOpen(HIP): Command [LogCmdFindConvolution] ./bin/MIOpenDriver conv -n 1\n"
	              "host 77 MIOpen(HIP)   6.425: Command [LogCmdConvolution] ./bin/MIOpenDriver "
	              "conv "
	              "-n 1\n"
	              "MIOpen: Command [LogCmdBNorm] MIOpenDriver.exe bnorm -n 4\n"
	              "Running kernel: Cijk_A\n"
	              "h:1:2 [0] NCCL INFO AllReduce: opCount 3 sendbuff 0x7 recvbuff 0x7 count 9 "
	              "datatype 8 op 0 root 0 comm 0xa [nranks=8] stream 0xb task 0 globalrank 5\n"
	              "rocblas_create_handle,atomics_allowed\n"
	              "rocblas_set_stream,0x0,atomics_allowed\n"
	              "rocblas_sscal,9,2,0x7f01,1,atomics_allowed\n"
	              "10% rocblas_sscal,9,2,0x7f02,1,atomics_allowed\r\n"
	              "rocblas_sgbmv,N,4,4,1,1,1,0x7f01,3,0x7f02,1,0,0x7f03,1,atomics_allowed\n"
	              "rocblas_sgemm, rocblas_dgemm,s and librocblas_sgemm\n"
	              "rocblas_sgemm,12,3.5\n"
	              "./rocblas-bench -f gemm -r f32_r --ldc 512 ") == TM_ST_OK);
	CHECK_U64(of(TM_CALL_ROCBLAS_TRACE, "rocblas_sscal,9,2,,1,atomics_allowed"), 2);
	CHECK_U64(calls.set[TM_CALL_ROCBLAS_TRACE].texts.n, 1);
	CHECK_U64(calls.unknown, 1);
	/* The last line has no end: more of it may have been there. */
	CHECK_U64(of(TM_CALL_ROCBLAS, "./rocblas-bench -f gemm -r f32_r --ldc 512 "), 1);
	CHECK_U64(calls.last.of[TM_LOSS_LINE_UNENDED].n, 1);
	CHECK_U64(calls.last.of[TM_LOSS_LINE_UNENDED].at, 19);
	CHECK_U64(of(TM_CALL_HIPBLASLT, "hipblaslt-bench --api_method c  -m 1 "), 1);
	CHECK_U64(of(TM_CALL_ROCBLAS_FUNCTION, "- { rocblas_function: \"rocblas_sgemm\", M: 512 }"),
	          3);
	CHECK_U64(of(TM_CALL_ROCBLAS_FUNCTION, "{ rocblas_function: \"rocblas_sgemm\", M: 512 }"),
	          4);
	CHECK_U64(of(TM_CALL_HIPBLASLT_FUNCTION, "- {function: matmul, M: 16}"), 5);
	CHECK_U64(of(TM_CALL_MIOPEN_FIND, "./bin/MIOpenDriver conv -n 1"), 1);
	CHECK_U64(of(TM_CALL_MIOPEN, "./bin/MIOpenDriver conv -n 1"), 1);
	CHECK_U64(of(TM_CALL_MIOPEN, "MIOpenDriver.exe bnorm -n 4"), 1);
	CHECK_U64(of(TM_CALL_TENSILE, "Cijk_A"), 1);
	CHECK_U64(of(TM_CALL_RCCL, "AllReduce count 9 datatype 8 op 0 root 0 nranks 8"), 1);
	CHECK_U64(calls.torn, 0);
}

TEST(torn)
{
	CHECK(scan_text("./rocblas-bench -f gemm --ld./rocblas-bench -f gemm -m 2\n"
	                "hipblaslt-bench -m 1step 2 loss 3\n"
	                "MIOpen(HIP): Command [LogCmdConv\n"
	                "- { rocblas_function: \"rocblas_sgemm\", M: 5\n"
	                "Running kernel: Cijk_A and more\n"
	                "h:1:2 [0] NCCL INFO AllReduce: opCount 3 send\n") == TM_ST_OK);
	CHECK_U64(calls.torn, 6);
	CHECK_U64(of(TM_CALL_ROCBLAS, "./rocblas-bench -f gemm -m 2"), 1);
	CHECK_U64(calls.set[TM_CALL_HIPBLASLT].texts.n, 0);
	/* Trace lines tear others, and are torn. */
	CHECK(scan_text("./rocblas-bench -f gemm --ldrocblas_sscal,9,2,0x7f02,1,atomics_allowed\n"
	                "rocblas_sscal,9,2,./rocblas-bench -f gemm -m 2\n"
	                "rocblas_sscal,9,2,0x7rocblas_sscal,8,2,0x7f02,1,atomics_allowed\n"
	                "hipblaslt-bench -m 1 rocblas_create_handle,atomics_allowed\n"
	                "rocblas_sscal,9,2,0x7f02,1,atomics_allowedstep 5\n") == TM_ST_OK);
	CHECK_U64(calls.torn, 5);
	CHECK_U64(of(TM_CALL_ROCBLAS_TRACE, "rocblas_sscal,9,2,,1,atomics_allowed"), 1);
	CHECK_U64(of(TM_CALL_ROCBLAS_TRACE, "rocblas_sscal,8,2,,1,atomics_allowed"), 1);
	CHECK_U64(of(TM_CALL_ROCBLAS, "./rocblas-bench -f gemm -m 2"), 1);
	/* One that begins in the name of another. */
	CHECK(scan_text("- { rocblas_function: \"rocblas_sgrocblas_sscal,9,2,0x7f02,1\n") ==
	      TM_ST_OK);
	CHECK_U64(calls.torn, 1);
	CHECK_U64(of(TM_CALL_ROCBLAS_TRACE, "rocblas_sscal,9,2,,1"), 1);
	/* All of it torn is still a log. */
	CHECK(scan_text("hipblaslt-bench -m\n") == TM_ST_OK);
	CHECK_U64(calls.torn, 1);
}

TEST(no_calls)
{
	CHECK(scan_text("") == TM_ST_SKIP);
	CHECK(scan_text("step 1\nRunning kernel: my own\nCommand [LogCmdX] of another\n") ==
	              TM_ST_OK ||
	      calls.torn == 0);
	CHECK_U64(calls.set[TM_CALL_TENSILE].texts.n, 0);
	/* set -x */
	CHECK(scan_text("+ hipblaslt-bench -m 1\n++ ./rocblas-bench -f gemm -m 1\n") == TM_ST_OK);
	CHECK_U64(calls.echoes, 2);
	CHECK_U64(calls.set[TM_CALL_HIPBLASLT].texts.n + calls.set[TM_CALL_ROCBLAS].texts.n, 0);
}

TEST(other_bytes)
{
	static const char holes[] =
	        "\0\0\0./rocblas-bench -f gemm -m 1\n./rocblas-bench -f gemm\0 -m 2\n";

	CHECK(scan(holes, sizeof holes - 1) == TM_ST_OK);
	CHECK_U64(of(TM_CALL_ROCBLAS, "./rocblas-bench -f gemm -m 1"), 1);
	CHECK_U64(calls.torn, 1);
	CHECK(scan_text("Epoch 1: 10%\rEpoch 1: 20%\rRunning kernel: Cijk_B\rEpoch 2\n") ==
	      TM_ST_OK);
	CHECK_U64(of(TM_CALL_TENSILE, "Cijk_B"), 1);
}

/* The seam of two blocks at every place of a call; and megabytes without a newline. */
TEST(long_input)
{
	static const char trace[] =
	        "x\nrocblas_zscal_strided_batched_64,9,(2,0),0x7f01,1,9,3,atomics_allowed\n";
	static const char line[] = "xx\n./rocblas-bench -f gemm -r f32_r -m 5\nyy\n";
	enum { BLOCK = 1024 * 1024, N = sizeof line - 1 };
	struct tm_buf b = { 0 };
	char *text = malloc(3 * BLOCK);

	CHECK(text != NULL);
	memset(text, '.', 3 * BLOCK);
	for (size_t i = 0; i <= N; i++) {
		memset(text, '.', BLOCK);
		memcpy(text + BLOCK - i, line, N);
		CHECK(scan(text, BLOCK - i + N) == TM_ST_OK);
		CHECK_U64(of(TM_CALL_ROCBLAS, "./rocblas-bench -f gemm -r f32_r -m 5"), 1);
		CHECK_U64(calls.torn, 0);
	}
	for (size_t i = 0; i < sizeof trace; i++) {
		memset(text, '.', BLOCK);
		memcpy(text + BLOCK - i, trace, sizeof trace - 1);
		CHECK(scan(text, BLOCK - i + sizeof trace - 1) == TM_ST_OK);
		CHECK_U64(of(TM_CALL_ROCBLAS_TRACE,
		             "rocblas_zscal_strided_batched_64,9,(2,0),,1,9,3,atomics_allowed"),
		          1);
		CHECK_U64(calls.torn + calls.unknown, 0);
	}
	/* A call that never ends, then many that begin. */
	memset(text, '.', 3 * BLOCK);
	memcpy(text, line, N - 4);
	CHECK(scan(text, 3 * BLOCK) == TM_ST_OK);
	CHECK_U64(calls.torn, 1);
	for (size_t i = 0; i + 14 <= 3 * BLOCK; i += 14)
		memcpy(text + i, "rocblas-bench ", 14);
	CHECK(scan(text, 3 * BLOCK) == TM_ST_OK);
	CHECK(calls.torn > 3 * BLOCK / 14 - 2);
	free(text);
	tm_buf_fini(&b);
	tm_lib_calls_fini(&calls);
}

TEST(counts)
{
	const char *rest;
	size_t front;
	uint64_t n;

	CHECK(tm_lib_calls_count("{a: 1, call_count: 12 }", 23, &front, &n, &rest));
	CHECK_U64(front, 5);
	CHECK_U64(n, 12);
	CHECK_STR(rest, " }");
	CHECK(!tm_lib_calls_count("{a: 1, call_count: }", 20, &front, &n, &rest));
	CHECK(!tm_lib_calls_count("{a: 1}", 6, &front, &n, &rest));
	CHECK(tm_lib_calls_add(&calls, TM_CALL_RCCL, "x", 1, UINT64_MAX) == TM_ST_OK);
	CHECK(tm_lib_calls_add(&calls, TM_CALL_RCCL, "x", 1, 1) == TM_ST_SKIP);
	CHECK_U64(of(TM_CALL_RCCL, "x"), UINT64_MAX);
	CHECK(tm_call_find("miopen_find", 11) == TM_CALL_MIOPEN_FIND);
	CHECK(tm_call_find("cublas", 6) == TM_CALL_KINDS);
	tm_lib_calls_fini(&calls);
}

TEST_MAIN(T(every_library), T(torn), T(no_calls), T(other_bytes), T(long_input), T(counts))
