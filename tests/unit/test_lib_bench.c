/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "read/library/lib_bench.h"
#include "read/library/lib_columns.h"
#include "read/lines.h"

#include "test.h"

static struct tm_buf dump;
static struct tm_loss loss;

static const char *const clients[] = { "rocblas",   "hipblaslt", "miopen",
	                               "tunableop", "comm",      "table" };

/* Every row as "client line: name=value ...\n", a bar before what is not of its line. */
static const char *rows(const char *p, size_t n)
{
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_memory("test", p, n, &d);
	struct tm_bench *b = tm_bench_open(s, NULL);
	struct tm_bench_row row;
	enum tm_status st;

	tm_buf_clear(&dump);
	tm_buf_str(&dump, "");
	while ((st = tm_bench_next(b, &row, &d)) == TM_ST_OK) {
		tm_buf_fmt(&dump, "%s %llu%s:", clients[row.client], (unsigned long long)row.line,
		           row.winner ? " winner" : "");
		for (size_t i = 0; i < row.n; i++) {
			tm_buf_str(&dump, i == row.nown ? " | " : " ");
			tm_buf_add(&dump, row.v[i].name, row.v[i].nname);
			tm_buf_chr(&dump, '=');
			tm_buf_add(&dump, row.v[i].p, row.v[i].n);
		}
		tm_buf_chr(&dump, '\n');
	}
	CHECK(st == TM_ST_END);
	loss = *tm_bench_loss(b);
	tm_bench_close(b);
	tm_source_close(s);
	return dump.p;
}

#define ROWS(text) rows(text, sizeof(text) - 1)

TEST(values_below_their_header)
{
	CHECK_STR(
	        ROWS("noise\n[0]:transA,m,hipblaslt-Gflops,us\nmore, noise\n    N,8,1.5e+06, 2\n"),
	        "hipblaslt 4: transA=N m=8 hipblaslt-Gflops=1.5e+06 us=2\n");
	/* A second row below one header, a header without a colon, CRLF. */
	CHECK_STR(ROWS("[0]transA,m,hipblaslt-Gflops,us\r\nN,8,1,2\r\nT,9,nan,3\r"),
	          "hipblaslt 2: transA=N m=8 hipblaslt-Gflops=1 us=2\n"
	          "hipblaslt 3: transA=T m=9 hipblaslt-Gflops=nan us=3\n");
	CHECK_STR(ROWS("M,alpha,rocblas-Gflops,us\n8,(1: 0), 1, 2\n8,(1,0), 1, 2\n"),
	          "rocblas 2: M=8 alpha=(1: 0) rocblas-Gflops=1 us=2\n"
	          "rocblas 3: M=8 alpha=(1,0) rocblas-Gflops=1 us=2\n");
	CHECK_U64(loss.of[TM_LOSS_LINE_MALFORMED].n, 0);
}

/* A last line without its newline: nothing of it is taken, be it values, a header or a name. */
TEST(lines_without_newline)
{
	CHECK_STR(ROWS("transA,m,hipblaslt-Gflops,us\nN,8,1,2\nT,9,7,3"),
	          "hipblaslt 2: transA=N m=8 hipblaslt-Gflops=1 us=2\n");
	CHECK_U64(loss.of[TM_LOSS_LINE_UNENDED].at, 3);
	CHECK_STR(ROWS("transA,m,hipblaslt-Gflops,us\nN,8,1,2\n    --Solution name:  Cijk_A"),
	          "hipblaslt 2: transA=N m=8 hipblaslt-Gflops=1 us=2\n");
	CHECK_U64(loss.of[TM_LOSS_LINE_UNENDED].n, 0);
	CHECK_U64(loss.of[TM_LOSS_LINE_OPEN_END].at, 3);
	/* In a table a number in quotes is whole, a text may be half of a doubled quote. */
	CHECK_STR(ROWS("\"m\",\"us\"\n\"8\",\"2\"\n\"9\",\"3\""),
	          "table 2: m=8 us=2\ntable 3: m=9 us=3\n");
	CHECK_U64(loss.of[TM_LOSS_LINE_OPEN_END].at, 3);
	CHECK_STR(ROWS("us,kernel\n2,\"a\"\n3,\"b\""), "table 2: us=2 kernel=a\n");
	CHECK_U64(loss.of[TM_LOSS_LINE_UNENDED].at, 3);
	CHECK_STR(ROWS("us,kernel\n2,\"a\"\n3"), "table 2: us=2 kernel=a\n");
	CHECK_U64(loss.of[TM_LOSS_LINE_CUT].at, 3);
}

TEST(what_stands_around_them)
{
	CHECK_STR(ROWS("Query device success: there are 2 devices. (Target device ID is 1)\n"
	               "Device ID 0 : AMD A gfx90a (x)\nDevice ID 1 : AMD B gfx942:sramecc+ (x)\n"
	               "[1]:m,hipblaslt-Gflops,us\n 8,1,2\n    --Solution index: 7\n"
	               "    --kernel name:    K<a, b>\n[0]:m,hipblaslt-Gflops,us\n 8,1,2\n"),
	          "hipblaslt 5: m=8 hipblaslt-Gflops=1 us=2 | device=AMD B "
	          "gcnArchName=gfx942:sramecc+ "
	          "result=1 solution_index=7 kernel_name=K<a, b>\n"
	          "hipblaslt 9: m=8 hipblaslt-Gflops=1 us=2 | device=AMD B "
	          "gcnArchName=gfx942:sramecc+\n");
	CHECK_STR(ROWS("Winner: \nm,hipblaslt-Gflops,us,soulution_index\n8,1,2,3\n"),
	          "hipblaslt 3 winner: m=8 hipblaslt-Gflops=1 us=2 solution_index=3\n");
}

TEST(torn_lines)
{
	/* Values cut short, a header cut short, a header at the end. */
	ROWS("transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us\nN,T,8,8,8,1,8,0,8,8,1\n"
	     "transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us\n");
	CHECK_STR(dump.p, "");
	CHECK_U64(loss.of[TM_LOSS_LINE_MALFORMED].n, 2);
	CHECK_U64(loss.of[TM_LOSS_LINE_MALFORMED].at, 2);
	/* Program output with as many commas, but no numbers where they should be. */
	CHECK_STR(ROWS("M,rocblas-Gflops,us\na,b,c\n1,2,3\n"),
	          "rocblas 3: M=1 rocblas-Gflops=2 us=3\n");
	CHECK_U64(loss.of[TM_LOSS_LINE_MALFORMED].n, 0);
	CHECK_STR(ROWS("M,rocblas-Gflops,us\n1\0,2,3\n\0\n"), rows(dump.p, 0));
}

TEST(driver)
{
	CHECK_STR(ROWS("MIOpenDriver conv -n 1\nstats: name, n, timeMs\nstats: fwd, 1,  0.5\n"
	               "stats: bnormf, 0, 1, 2, 0, 3, 0.25\n"),
	          "miopen 3: name=fwd n=1 timeMs=0.5 | command=MIOpenDriver conv -n 1\n"
	          "miopen 4: name=bnormf flopCnt=0 bytesRead=1 bytesWritten=2 GFLOPs=0 GB/s=3 "
	          "timeMs=0.25 "
	          "| command=MIOpenDriver conv -n 1\n");
	/* The time of a row with stats is that of its stats; alone it is a row, and so is that of
	 * torn stats. */
	CHECK_STR(
	        ROWS("GPU Kernel Time Forward Conv. Elapsed: 1.5 ms (average)\nstats: name, "
	             "timeMs\n"
	             "stats: fwd, 2\nGPU Kernel Time Backward Data Conv. Elapsed: 3 ms (average)\n"
	             "stats: bwd\n"),
	        "miopen 3: name=fwd timeMs=2\nmiopen 4: name=Backward Data Conv. timeMs=3\n");
	CHECK_U64(loss.of[TM_LOSS_LINE_MALFORMED].n, 1);
}

TEST(tables)
{
	CHECK_STR(ROWS("\xef\xbb\xbfkey,\"time, ms\",us\n\"a \"\"b\"\"\nc\",1,2\nkey,\"time, "
	               "ms\",us\nx,1\n"
	               "y,,\"3\"\n"),
	          "table 2: key=a \"b\"\nc time, ms=1 us=2\ntable 6: key=y time, ms= us=3\n");
	CHECK_U64(loss.of[TM_LOSS_LINE_MALFORMED].n, 1);
	/* No time and no rate, or only numbers: no table. */
	CHECK_STR(ROWS("a,b\n1,2\n"), "");
	CHECK_STR(ROWS("1,us\n1,2\n"), "");
	/* A quote that is never closed takes what is after it, and is told. */
	CHECK_STR(ROWS("key,us\na,1\n\"b,2\nc,3\n"), "table 2: key=a us=1\n");
	CHECK_U64(loss.of[TM_LOSS_LINE_MALFORMED].n, 1);
	CHECK_U64(loss.of[TM_LOSS_LINE_MALFORMED].at, 3);
}

/* A line of more than a megabyte is passed over, and the next one is read. */
TEST(long_lines)
{
	static const char head[] = "M,rocblas-Gflops,us\n", tail[] = "\n1,2,3\n";
	size_t n = sizeof head - 1 + 3000000 + sizeof tail - 1;
	char *p = malloc(n);

	memset(p, ',', n);
	memcpy(p, head, sizeof head - 1);
	memcpy(p + n - (sizeof tail - 1), tail, sizeof tail - 1);
	CHECK_STR(rows(p, n), "rocblas 3: M=1 rocblas-Gflops=2 us=3\n");
	free(p);
}

static enum tm_measure_kind kind(const char *name)
{
	size_t i = tm_measure_find(name, strlen(name));

	return i < tm_measures_n ? tm_measures[i].kind : (enum tm_measure_kind)99;
}

TEST(what_to_compare)
{
	bool known;

	CHECK(tm_measure_find("median_us", 9) < tm_measure_find("us", 2));
	CHECK(tm_measure_find("us", 2) < tm_measure_find("rocblas-Gflops", 14));
	CHECK(kind("TIME_US") == TM_MEASURE_TIME && kind("optimized_us") == TM_MEASURE_TIME);
	CHECK(kind("timeMs") == TM_MEASURE_TIME && kind("ns") == TM_MEASURE_TIME);
	CHECK(kind("hipblaslt-Gflops") == TM_MEASURE_FLOPS && kind("GFLOPs") == TM_MEASURE_FLOPS);
	CHECK(kind("GB/s") == TM_MEASURE_BYTES && kind("performance") == TM_MEASURE_OTHER);
	CHECK(kind("CPU-us") == 99 && kind("min_us") == 99 && kind("status") == 99);
	CHECK(tm_measures[tm_measure_find("tflops", 6)].scale > 999);
	CHECK(tm_measures[tm_measure_find("hipblaslt-GB/s", 14)].scale > 1.07);
	CHECK(tm_measures[tm_measure_find("rocblas-GB/s", 12)].scale < 1.01);

	CHECK(tm_measure_less_is_better("ms", 2, &known) && known);
	CHECK(tm_measure_less_is_better("median_ttft", 11, &known) && known);
	CHECK(!tm_measure_less_is_better("tok/sec", 7, &known) && known);
	CHECK(!tm_measure_less_is_better("samples_per_s", 13, &known) && known);
	CHECK(!tm_measure_less_is_better("widgets", 7, &known) && !known);
}

/* Data sheets: bf16 of MI300X 1307.4e12, f64 matrix 163.4e12; nothing computes 1e16 and more. */
TEST(peaks)
{
	CHECK_U64((uint64_t)tm_peak_gflops("gfx942:sramecc+", 15, "bf16_r;f32_r", 12), 1307400);
	CHECK_U64((uint64_t)tm_peak_gflops("gfx942", 6, "f64_r", 5), 163400);
	CHECK_U64((uint64_t)tm_peak_gflops("", 0, "f16_r", 5), 2516600);
	CHECK_U64((uint64_t)tm_peak_gflops("gfx1201", 7, "", 0), 10066300);
}

TEST(places)
{
	bool known;

	CHECK(tm_column_place(TM_BENCH_ROCBLAS, "M", 1, &known) <
	      tm_column_place(TM_BENCH_HIPBLASLT, "m", 1, &known));
	CHECK(tm_column_place(TM_BENCH_HIPBLASLT, "winner", 6, &known) >
	      tm_column_place(TM_BENCH_TUNABLEOP, "time_ms", 7, &known));
	CHECK(known == true);
	CHECK(tm_column_place(TM_BENCH_ROCBLAS, "new", 3, &known) >
	      tm_column_place(TM_BENCH_ROCBLAS, "norm_error_2", 12, &known));
	CHECK(tm_column_place(TM_BENCH_ROCBLAS, "new", 3, &known) <=
	      tm_column_place(TM_BENCH_HIPBLASLT, "grouped_gemm", 12, &known));
	CHECK(known);
}

static bool tag(const char *line, size_t n, const char *who, uint64_t rank)
{
	struct tm_line_tag t = tm_line_tag(line, strlen(line));

	return t.n == n &&
	       (!n || (t.nwho == strlen(who) && (!t.nwho || !memcmp(t.who, who, t.nwho)))) &&
	       t.has_rank == (rank != UINT64_MAX) && (!t.has_rank || t.rank == rank);
}

/* What launchers put in front of a line, and what only looks like that. */
TEST(tags)
{
	CHECK(tag("0: N,T", 3, "0", 0));
	CHECK(tag("  12: N,T", 6, "12", 12));
	CHECK(tag("[1,3]<stdout>:x", 14, "[1,3", 3));
	CHECK(tag("[1,3]<stderr>: x", 15, "[1,3", 3));
	CHECK(tag("[default7]:x", 11, "[default7", UINT64_MAX));
	CHECK(tag("[rank0]: x", 9, "[rank0", UINT64_MAX));
	CHECK(tag("3: ", 3, "3", 3));
	CHECK(tag("[3] N,T", 4, "[3", 3));
	CHECK(tag("[prterun-n1-12@1,3]<stdout>: x", 29, "[prterun-n1-12@1,3", 3));
	CHECK(tag("(Worker pid=12) N,T", 16, "(Worker pid=12", UINT64_MAX));
	CHECK(tag("(W pid=12, ip=10.0.0.2) N", 24, "(W pid=12, ip=10.0.0.2", UINT64_MAX));
	CHECK(tag("[pod/w-0/torch] N,T", 16, "[pod/w-0/torch", UINT64_MAX));
	CHECK(tag("[pod/w 0] N", 0, "", UINT64_MAX) && tag("[pod/w-0]", 0, "", UINT64_MAX));
	CHECK(tag("node1: N,T", 7, "node1", UINT64_MAX));
	CHECK(tag("worker-0  | N,T", 12, "worker-0", UINT64_MAX));
	/* The time of a line, with or without a tag after it. */
	CHECK(tag("2026-11-29T10:00:00.1234567Z N,T", 29, "", UINT64_MAX));
	CHECK(tag("2026-11-29T10:00:00Z 3: N,T", 24, "3", 3));
	CHECK(tag("3: 2026-11-29T10:00:00Z N,T", 24, "3", 3));
	CHECK(tag("2026-11-29T10:00:00.1+01:00 x", 28, "", UINT64_MAX));
	CHECK(tag("2026-11-29T10:00:00-0500 x", 25, "", UINT64_MAX));
	CHECK(tag("2026-11-29T10:00:00Z stderr F 3: x", 33, "3", 3));
	CHECK(tag("2026-11-29T10:00:00Z 00O+x", 25, "", UINT64_MAX));
	CHECK(tag("[2026-11-29T10:00:00.1Z] x", 25, "", UINT64_MAX));
	CHECK(tag("[2026-11-29 10:00:00,123] x", 26, "", UINT64_MAX));
	CHECK(tag("2026-11-29 10:00:00 N,T", 20, "", UINT64_MAX));
	CHECK(tag("12:30:45 text", 9, "", UINT64_MAX));
	CHECK(tag("[12:30:45.678] 3: text", 18, "3", 3));
	/* A header of hipBLASLt, no time, a record of rocprof v1, numbers of no rank. */
	CHECK(tag("[0]:transA,transB", 0, "", UINT64_MAX));
	CHECK(tag("12:30:4 text", 0, "", UINT64_MAX) && tag("12:30:45", 0, "", UINT64_MAX));
	CHECK(tag("7:8 9:9 hipInit()", 0, "", UINT64_MAX));
	CHECK(tag("99999999999999999999: x", 0, "", UINT64_MAX));
	CHECK(tag("[1,99999999999999999999]<stdout>:x", 0, "", UINT64_MAX));
	CHECK(tag("[1,3]<stdin>:x", 0, "", UINT64_MAX));
	CHECK(tag("[1,]<stdout>:x", 0, "", UINT64_MAX));
	CHECK(tag("[default]:x", 0, "", UINT64_MAX));
	CHECK(tag("stats: name, n, c", 0, "", UINT64_MAX));
	CHECK(tag("Running: N,T", 0, "", UINT64_MAX) && tag("10.0.0.1: x", 0, "", UINT64_MAX));
	CHECK(tag("(1: 0) x", 0, "", UINT64_MAX) && tag("(a pid=) x", 0, "", UINT64_MAX));
	CHECK(tag("| a | b |", 0, "", UINT64_MAX) && tag("a |", 0, "", UINT64_MAX));
	CHECK(tag("2026-11-29 10:00:00", 0, "", UINT64_MAX));
	CHECK(tag("2026-11-29T10:00:00.1", 0, "", UINT64_MAX));
	CHECK(tag("2026-11-29T10:00:00+01: x", 0, "", UINT64_MAX));
	CHECK(tag("[2026-11-29 10:00:00 x", 0, "", UINT64_MAX));
	CHECK(tag("2026-11-29,10:00:00 x", 0, "", UINT64_MAX));
	CHECK(tag("2026-11-29 10:00:00,1,2", 0, "", UINT64_MAX));
	CHECK(tag("[3default]:x", 0, "", UINT64_MAX));
	CHECK(tag("3:", 0, "", UINT64_MAX) && tag(" ", 0, "", UINT64_MAX) &&
	      tag("", 0, "", UINT64_MAX) && tag("[", 0, "", UINT64_MAX) &&
	      tag("[1", 0, "", UINT64_MAX) && tag("[1,", 0, "", UINT64_MAX) &&
	      tag("[a", 0, "", UINT64_MAX) && tag("[a1]", 0, "", UINT64_MAX));
}

static size_t escape(const char *text)
{
	return tm_line_escape(text, text + strlen(text));
}

TEST(escapes)
{
	CHECK(escape("\x1b[1;32mX") == 7 && escape("\x1b[0K") == 4 && escape("\x1b[m") == 3);
	CHECK(!escape("\x1b[1;3") && !escape("\x1b") && !escape("\x1b]0;x") && !escape("X"));
}

/* The header of each process is for its own values, and so is what stands around them: rank 11 runs
 * on another device, and prints one column more. */
TEST(processes)
{
	CHECK_STR(ROWS(" 0: transA,M,rocblas-Gflops,us\n"
	               "11: Query device (Target device ID is 1)\n"
	               "11: Device ID 1 : MI210 gfx90a\n"
	               "11: function,transA,M,rocblas-Gflops,us\n"
	               " 0: N,8,1,2\n"
	               "11: gemm,T,9,3,4\n"
	               "N,7,1,2\n"
	               "11: gemm,T,10,3,4\n"
	               " 0: T,11,5,6\n"),
	          "rocblas 6: function=gemm transA=T M=9 rocblas-Gflops=3 us=4 | device=MI210 "
	          "gcnArchName=gfx90a rank=11\n"
	          "rocblas 5: transA=N M=8 rocblas-Gflops=1 us=2 | rank=0\n"
	          "rocblas 9: transA=T M=11 rocblas-Gflops=5 us=6 | rank=0\n"
	          "rocblas 8: function=gemm transA=T M=10 rocblas-Gflops=3 us=4 | device=MI210 "
	          "gcnArchName=gfx90a rank=11\n");
	CHECK_U64(loss.of[TM_LOSS_LINE_MALFORMED].n, 0);
	/* A header of one, values of another: a header that nothing follows. */
	ROWS("[a0]:transA,M,rocblas-Gflops,us\n[a1]:N,8,1,2\n");
	CHECK_U64(loss.rows, 0);
	CHECK_U64(loss.of[TM_LOSS_LINE_MALFORMED].n, 1);
	CHECK_U64(loss.of[TM_LOSS_LINE_MALFORMED].at, 1);
	/* The command that begins a process is its own, and so are those after it; what a script
	 * calls a command is of the lines without a tag. */
	CHECK_STR(ROWS("n1: ./rocblas-bench -m 1\nn2: ./rocblas-bench -m 2\n"
	               "n1: M,rocblas-Gflops,us\nn2: M,rocblas-Gflops,us\n"
	               "n1: 1,5,6\nn2: 2,5,6\nn1: ./rocblas-bench -m 3\n"
	               "n1: M,rocblas-Gflops,us\nn1: 3,5,6\n"),
	          "rocblas 5: M=1 rocblas-Gflops=5 us=6 | command=./rocblas-bench -m 1\n"
	          "rocblas 9: M=3 rocblas-Gflops=5 us=6 | command=./rocblas-bench -m 3\n"
	          "rocblas 6: M=2 rocblas-Gflops=5 us=6 | command=./rocblas-bench -m 2\n");
	CHECK_STR(ROWS("1: ./rocblas-bench -m 1\nM,rocblas-Gflops,us\n1,5,6\n"
	               "2: ./rocblas-bench -m 2\nM,rocblas-Gflops,us\n2,5,6\n"
	               "1: ./rocblas-bench -m 3\nM,rocblas-Gflops,us\n3,5,6\n"),
	          "rocblas 3: M=1 rocblas-Gflops=5 us=6 | command=./rocblas-bench -m 1\n"
	          "rocblas 6: M=2 rocblas-Gflops=5 us=6 | command=./rocblas-bench -m 2\n"
	          "rocblas 9: M=3 rocblas-Gflops=5 us=6 | command=./rocblas-bench -m 3\n");
	/* Rows of a table begin as they like. */
	CHECK_STR(ROWS("name,us\n3: x,5\n"), "table 2: name=3: x us=5\n");
}

TEST_MAIN(T(tags), T(escapes), T(processes), T(values_below_their_header), T(lines_without_newline),
          T(what_stands_around_them), T(torn_lines), T(driver), T(tables), T(long_lines),
          T(what_to_compare), T(peaks), T(places))
