/* SPDX-License-Identifier: MIT */
#include "model/problem.h"

#include "test.h"

static struct tm_problem p;
static struct tm_buf key;

/* The key of a text, "" where there is no problem in it. */
static const char *key_of(const char *text)
{
	struct tm_diag d = { 0 };
	enum tm_status st = tm_problem_parse(&p, TM_LIB_N, text, strlen(text), &d);

	tm_buf_clear(&key);
	tm_buf_str(&key, "");
	CHECK(st == TM_ST_OK || st == TM_ST_SKIP);
	CHECK((st == TM_ST_SKIP) == (*d.text != 0));
	CHECK(tm_problem_key(&p, &key));
	return key.p;
}

/* Flops and bytes fit 64 bits in these tests. */
static uint64_t flops(void)
{
	CHECK(p.has_flops);
	return (uint64_t)p.flops;
}

static uint64_t bytes(void)
{
	CHECK(p.has_bytes);
	return (uint64_t)p.bytes;
}

/* 2 * 4096 * 128 * 4096 = 4294967296; bytes 2 * (4096*4096 + 4096*128 + 4096*128) = 35651584. */
TEST(one_gemm_in_many_words)
{
	static const char *const same[] = {
		"./rocblas-bench -f gemm_ex --transposeA T --transposeB N -m 4096 -n 128 -k 4096 "
		"--alpha 1 --a_type bf16_r --lda 4096 --b_type bf16_r --ldb 4096 --beta 0 --c_type "
		"bf16_r --ldc 4096 --d_type bf16_r --ldd 4096 --compute_type f32_r --algo 0 "
		"--solution_index 0 --flags 0 ",
		"- { rocblas_function: \"rocblas_gemm_ex\", atomics_mode: atomics_allowed, a_type: "
		"\"bf16_r\", b_type: \"bf16_r\", c_type: \"bf16_r\", d_type: \"bf16_r\", "
		"compute_type: \"f32_r\", transA: 'T', transB: 'N', M: 4096, N: 128, K: 4096, "
		"alpha: "
		"1.0, lda: 4096, ldb: 4096, beta: 0.0, ldc: 4096, ldd: 4096, algo: 0, "
		"solution_index: 0, flags: none, call_count: 3 }",
		"{ rocblas_function: \"rocblas_gemm_ex\", a_type: \"bf16_r\", b_type: \"bf16_r\", "
		"c_type: \"bf16_r\", d_type: \"bf16_r\", compute_type: \"f32_r\", transA: 'T', "
		"transB: 'N', M: 4096, N: 128, K: 4096, lda: 4096, ldb: 4096, ldc: 4096, ldd: "
		"4096}",
		"hipblaslt-bench --api_method c -m 4096 -n 128 -k 4096 --lda 4096 --ldb 4096 --ldc "
		"4096 --ldd 4096  --stride_a 0 --stride_b 0 --stride_c 0 --stride_d 0  --alpha "
		"1.000000 --beta 0.000000 --transA T --transB N --batch_count 1  --a_type bf16_r "
		"--b_type bf16_r --c_type bf16_r --d_type bf16_r --scale_type f32_r --bias_type "
		"f32_r   --compute_type f32_r --algo_method index --solution_index 56073 ",
		"- {function: matmul, M: 4096, N: 128, K: 4096, lda: 4096, stride_a: 0, ldb: 4096, "
		"stride_b: 0, ldc: 4096, stride_c: 0, ldd: 4096, stride_d: 0, alpha: 1.0, beta: "
		"0.0, "
		"transA: T, transB: N, batch_count: 1, scaleA: 0, a_type: bf16_r, b_type: bf16_r, "
		"c_type: bf16_r, d_type: bf16_r, compute_type: c_f32_r, activation_type: none, "
		"flush: "
		"false, rotating: 512, cold_iters: 0, iters: 0, call_count: 1}",
		"hipblaslt-bench -r bf16_r --transA T -k 4096 -n128 --sizem=4096",
		"rocblas-bench -k 4096 -n 128 -m 4096 -f gemm_ex --transposeA T -r bf16_r "
		"--compute_type f32_r -i 10 -j 2",
		"16320 /opt/rocm/bin/rocblas-bench --function gemm_strided_batched_ex "
		"--batch_count 1 "
		"--stride_a 77 --a_type bf16_r --b_type bf16_r --c_type bf16_r --d_type bf16_r "
		"--compute_type f32_r --sizem 4096 --sizen 128 --sizek 4096 --transposeA T",
	};

	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		CHECK_STR(key_of(same[i]), "gemm bf16_r;f32_r TN 4096x128x4096");
		CHECK_U64(flops(), 4294967296);
		CHECK_U64(bytes(), 35651584);
		CHECK_U64(p.call_count, i == 1 ? 3 : i == 7 ? 16320 : 1);
	}
}

TEST(settings_are_kept_apart)
{
	key_of("hipblaslt-bench -m 1 -n 1 -k 1 --solution_index 44 --rotating 512 --flush -i 1000 "
	       "--algo_method index --unheard_of 7");
	CHECK_STR(p.settings.p,
	          "algo_method=index flush iters=1000 rotating=512 solution_index=44 unheard_of=7");
	CHECK(p.lib == TM_LIB_HIPBLASLT);
	/* rocBLAS may hand a call on: how it was computed stands after a '#'. */
	key_of("./rocblas-bench -f gemm -r f32_r -m 1 -n 1 -k 1  # source=tensile kernel=Cijk_A "
	       "fallback_from=hipblaslt");
	CHECK_STR(p.settings.p, "fallback_from=hipblaslt kernel=Cijk_A source=tensile");
	CHECK(p.lib == TM_LIB_ROCBLAS);
}

/* What tells problems apart, one word at a time. */
TEST(different_problems)
{
	static const char *const words[] = {
		"",
		"--stride_a 16777216",
		"--ldb 4160",
		"--beta 1",
		"--alpha 0.5",
		"--batch_count 95",
		"-m 4095",
		"--transA N",
		"--c_type f32_r",
		"--compute_type xf32_r",
		"--bias_vector",
		"--bias_vector --bias_type f32_r",
		"--activation_type gelu",
		"--activation_type gelu --gradient",
		"--scaleA 1",
		"--swizzleA",
		"--use_e",
	};
	enum { N = sizeof words / sizeof *words };
	char *keys[N];

	for (size_t i = 0; i < N; i++) {
		char text[512];

		snprintf(text, sizeof text,
		         "hipblaslt-bench -m 4096 -n 128 -k 4096 -r bf16_r --batch_count 96 "
		         "--transA "
		         "T %s",
		         words[i]);
		keys[i] = strdup(key_of(text));
		for (size_t k = 0; k < i; k++)
			if (!strcmp(keys[k], keys[i])) {
				/* 4096 rows of 4096 are packed. */
				CHECK(i == 1 && k == 0);
			}
	}
	CHECK_STR(keys[1], keys[0]);
	CHECK_STR(keys[11], "gemm bf16_r;f32_r TN 4096x128x4096 batch=96 bias bias_type=f32_r");
	for (size_t i = 0; i < N; i++)
		free(keys[i]);
	/* One stride that is not that of packed data. */
	CHECK_STR(
	        key_of("rocblas-bench -f gemm_strided_batched -r s -m 8 -n 4 -k 2 --batch_count 3 "
	               "--stride_a 16 --stride_b 8 --stride_c 33"),
	        "gemm f32_r NN 8x4x2 batch=3 stride_c=33");
	/* Data that may be anywhere is not data in one piece. */
	CHECK_STR(key_of("rocblas-bench -f gemm_batched -r s -m 8 -n 4 -k 2 --batch_count 3"),
	          "gemm f32_r NN 8x4x2 batch=3 pointers");
}

/* Epilogue: bytes of bias are m items of its type, of scaleAlpha m of 32 bits. */
TEST(epilogue)
{
	CHECK_STR(
	        key_of("hipblaslt-bench -m 16 -n 8 -k 4 --a_type f16_r --b_type f16_r --c_type "
	               "f16_r "
	               "--d_type f16_r --beta 0.5 --bias_vector --bias_type f32_r "
	               "--activation_type "
	               "gelu --activation_arg1 0 --scaleAlpha_vector --aux_type f16_r"),
	        "gemm f16_r;f32_r NN 16x8x4 beta=0.5 scaleAlpha_vector bias bias_type=f32_r gelu");
	/* 2*(16*4 + 4*8 + 16*8 + 16*8) + 4*16 + 4*16 */
	CHECK_U64(bytes(), 704 + 128);
	CHECK_U64(flops(), 1024);
}

/* A word alone is on, an empty column says nothing. */
TEST(words_alone)
{
	struct tm_diag d;

	CHECK_STR(key_of("hipblaslt-bench -m 4 -n 4 -k 4 --scaleA --gradient --bias_vector 0 "
	                 "--amaxD 1"),
	          "gemm f32_r NN 4x4x4 scaleA=1 amaxD gradient");
	tm_problem_begin(&p, TM_LIB_HIPBLASLT);
	tm_problem_put(&p, "m", 1, "4", 1);
	tm_problem_put(&p, "n", 1, "4", 1);
	tm_problem_put(&p, "k", 1, "4", 1);
	tm_problem_put(&p, "transA", 6, "N", 1);
	tm_problem_put(&p, "transB", 6, "N", 1);
	tm_problem_put(&p, "scaleA", 6, "", 0);
	tm_problem_put(&p, "bias_vector", 11, "", 0);
	tm_problem_put(&p, "activation_type", 15, "", 0);
	CHECK(tm_problem_end(&p, &d) == TM_ST_OK);
	CHECK_STR(p.shape.p, "NN 4x4x4");
}

/* 2*10*20*30 + 2*40*50*60 = 252000. */
TEST(grouped)
{
	CHECK_STR(key_of("hipblaslt-bench --grouped_gemm -m 10 -n 20 -k 30 --lda 10 -m 40 -n 50 -k "
	                 "60 "
	                 "--lda 99 -r f32_r --transB T"),
	          "gemm f32_r NT 10x20x30+40x50x60 lda=99 grouped");
	CHECK_U64(flops(), 252000);
	CHECK_STR(key_of("hipblaslt-bench -m 10 -n 20 -k 30 -m 40 -n 50 -k 60"),
	          "gemm f32_r NN 10x20x30+40x50x60 grouped");
}

/* Functions: the type in the name, batches, other operations. */
TEST(functions)
{
	CHECK_STR(
	        key_of("{rocblas_function: \"rocblas_hgemm_strided_batched\", transA: 'N', transB: "
	               "'N', M: 2, N: 2, K: 0, batch_count: 2, stride_a: 4}"),
	        "gemm f16_r NN 2x2x0 batch=2 stride_a=4");
	/* Sums of nothing are written all the same: k = 0 counts as 1. */
	CHECK_U64(flops(), 16);
	CHECK_STR(key_of("{rocblas_function: \"rocblas_zgemm\", transA: 'C', transB: 'N', M: 2, N: "
	                 "3, "
	                 "K: 4, alpha: '(1.0,0.0)', beta: (0.5,2)}"),
	          "gemm f64_c CN 2x3x4 beta=0.5,2");
	CHECK_U64(flops(), 8 * 2 * 3 * 4);
	CHECK_STR(key_of("rocblas-bench -f gemv -r d -m 100 -n 50 --transposeA T --incy 2"),
	          "gemv f64_r T 100x50 incy=2");
	CHECK_U64(flops(), 2 * 100 * 50 + 2 * 50);
	CHECK_U64(bytes(), 8 * (100 * 50 + 100 + 50));
	CHECK_STR(key_of("rocblas-bench -f axpy_ex -r f32_r -n 1000 --alpha 2"),
	          "axpy f32_r 1000 alpha=2");
	CHECK_U64(flops(), 2000);
	CHECK_U64(bytes(), 12000);
	/* L: m*m*n, R: m*n*n. */
	CHECK_STR(key_of("rocblas-bench -f trsm -r d --side R -m 100 -n 200"),
	          "trsm f64_r RUNN 100x200");
	CHECK_U64(flops(), 100 * 200 * 200);
	key_of("rocblas-bench -f trsm -r d --side L -m 100 -n 200");
	CHECK_U64(flops(), 100 * 100 * 200);
	CHECK_STR(key_of("rocblas-bench -f isamax -n 100"), "iamax f32_r 100");
	CHECK_STR(key_of("{rocblas_function: \"rocblas_dznrm2\", N: 5}"), "nrm2 f64_c 5");
	CHECK_STR(key_of("rocblas-bench -f csscal -n 10"), "scal f32_c 10");
	CHECK(!p.has_flops);
	/* Of what nobody knows all is kept, in one order. */
	CHECK_STR(key_of("rocblas-bench -f frob_ex --zz 3 -n 10 --aa 1.0 --iters 3"),
	          "frob_ex f32_r n=10 aa=1 zz=3");
	CHECK(!p.has_flops);
}

/* ho = (56 + 2 - 2 - 1) / 1 + 1 = 56: 2*128*64*56*56*64*3*3 = 29595009024. */
TEST(convolutions)
{
	static const char *const same[] = {
		"./bin/MIOpenDriver convfp16 -n 128 -c 64 -H 56 -W 56 -k 64 -y 3 -x 3 -p 1 -q 1 -u "
		"1 -v "
		"1 -l 1 -j 1 -m conv -g 1 -F 1 -t 1",
		"MIOpenDriver.exe convfp16 --forw 1 --batchsize 128 --in_channels 64 --in_h 56 "
		"--in_w 56 "
		"--out_channels 64 --fil_h 3 --fil_w 3 --pad_h 1 --pad_w 1 -V 0 -i 5 -s 1",
		"MIOpenDriver convfp16 -F1 -n128 -c64 -H56 -W56 -k64 -p1 -q1 --in_layout NCHW",
	};

	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		CHECK_STR(key_of(same[i]), "conv_fwd f16_r 128x64x56x56 64x3x3 pad=1x1");
		CHECK_U64(flops(), 29595009024);
	}
	CHECK_STR(p.settings.p, "");
	key_of(same[1]);
	CHECK_STR(p.settings.p, "iter=5 search=1 verify=0");
	/* All directions, groups, another layout: 3 * 2*1*(8/4)*6*6*8*3*3 */
	CHECK_STR(key_of("MIOpenDriver conv -n 1 -c 8 -H 8 -W 8 -k 8 -g 4 -I NHWC -f NHWC -O NHWC"),
	          "conv_fwd+bwd+wrw f32_r 1x8x8x8 8x3x3 groups=4 layout=NHWC");
	CHECK_U64(flops(), 3 * 2 * 2 * 36 * 8 * 9);
	/* 64x64 from 32x32, stride 2: each item of the input meets the filter: 2*1*3*32*32*8*2*2 */
	CHECK_STR(key_of("MIOpenDriver convbfp16 -n 1 -c 3 -H 32 -W 32 -k 8 -y 2 -x 2 -u 2 -v 2 -F "
	                 "2 -m "
	                 "trans"),
	          "conv_bwd bf16_r 1x3x32x32 8x2x2 stride=2x2 trans");
	CHECK_U64(flops(), 2 * 3 * 32 * 32 * 8 * 4);
	/* bytes 2 * (1*3*32*32 + 8*3*2*2 + 1*8*64*64) */
	CHECK_U64(bytes(), 2 * (3072 + 96 + 32768));
	/* Three dimensions: do = (4 - 2 - 1) + 1 = 2, ho = wo = 30. */
	CHECK_STR(key_of("MIOpenDriver conv --spatial_dim 3 -n 2 --in_d 4 --fil_d 3 -F 4"),
	          "conv_wrw f32_r 2x3x4x32x32 32x3x3x3");
	CHECK_U64(flops(), UINT64_C(2) * 2 * 32 * 2 * 30 * 30 * 3 * 27);
	/* A filter larger than its input. */
	key_of("MIOpenDriver conv -H 2 -F 1");
	CHECK(!p.has_flops);
}

/* What MIOpenDriver itself printed: flopCnt, bytesRead + bytesWritten (where they are right). */
TEST(convolutions_as_printed)
{
	key_of("MIOpenDriver: conv -n 1 -c 3 -H 224 -W 224 -k 64 -y 3 -x 3 -p 1 -q 1 -u 1 -v 1 -l "
	       "1 -j "
	       "1 -m conv -g 1 -F 1 -t 1");
	CHECK_U64(flops(), 173408256);
	CHECK_U64(bytes(), 609024 + 12845056);
	key_of("MIOpenDriver convfp16 -n 3 -c 256 -H 512 -W 512 -k 192 -y 1 -x 1 -F 4");
	CHECK_U64(flops(), 77309411328);
}

/* Letters mean other things to other drivers. */
TEST(other_drivers)
{
	CHECK_STR(key_of("MIOpenDriver bnorm -n 4 -c 8 -H 2 -W 2 -m 1 --forw 1 -b 0 -r 1 -s 1 "
	                 "--layout "
	                 "NHWC"),
	          "bnorm f32_r back=0 batchsize=4 forw=1 in_channels=8 in_h=2 in_w=2 layout=NHWC "
	          "mode=1 "
	          "run=1 save=1");
	CHECK_STR(key_of("MIOpenDriver rnnfp16 -k 45 -m lstm -W 30 -n 256 -t 1"),
	          "rnn f16_r batchsize=256 in_vec=30 mode=lstm seq_len=45");
	CHECK_STR(p.settings.p, "time=1");
	CHECK_STR(key_of("MIOpenDriver unheard -Q 2 -A 1"), "unheard f32_r A=1 Q=2");
}

/* Columns of a result, as a bench client prints them. */
TEST(columns)
{
	static const char *const v[][2] = {
		{ "transA", "N" }, { "transB", "T" }, { "M", "7680" },       { "N", "8192" },
		{ "K", "8192" },   { "alpha", "1" },  { "lda", "8384" },     { "beta", "0" },
		{ "ldb", "8384" }, { "ldc", "8384" }, { "cold_iters", "2" },
	};
	struct tm_diag d = { 0 };

	tm_problem_begin(&p, TM_LIB_ROCBLAS);
	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		CHECK(tm_problem_put(&p, v[i][0], strlen(v[i][0]), v[i][1], strlen(v[i][1])));
	CHECK(!tm_problem_put(&p, "rocblas-Gflops", 14, "10037.5", 7));
	CHECK(tm_problem_end(&p, &d) == TM_ST_OK);
	CHECK_STR(p.op.p, "gemm");
	CHECK_STR(p.types.p, "");
	CHECK_STR(p.shape.p, "NT 7680x8192x8192 lda=8384 ldb=8384 ldc=8384");
	CHECK_STR(p.settings.p, "cold_iters=2");
	CHECK_U64(flops(), UINT64_C(2) * 7680 * 8192 * 8192);
	CHECK(!p.has_bytes);
	tm_problem_begin(&p, TM_LIB_HIPBLASLT);
	tm_problem_put(&p, "m", 1, "1", 1);
	CHECK(tm_problem_end(&p, &d) == TM_ST_SKIP);
	CHECK_STR(p.op.p, "");
}

/* What each layer of rocBLAS logs of one call. */
static const struct {
	const char *trace, *bench, *key;
} layers[] = {
	{ "rocblas_sgemm,N,T,512,256,128,1,0x7f01,512,0x7f02,256,0,0x7f03,512,"
	  "atomics_allowed",
	  "./rocblas-bench -f gemm -r f32_r --transposeA N --transposeB T -m 512 -n 256 -k "
	  "128 "
	  "--alpha 1 --lda 512 --ldb 256 --beta 0 --ldc 512 ",
	  "gemm f32_r NT 512x256x128" },
	/* Of before there was a mode of atomics. */
	{ "rocblas_hgemm_batched,C,N,8,4,2,0.5,0x1,2,0x2,3,1,0x3,9,5",
	  "./rocblas-bench -f gemm_batched -r f16_r --transposeA C --transposeB N -m 8 -n "
	  "4 -k 2 "
	  "--alpha 0.5 --lda 2 --ldb 3 --beta 1 --ldc 9 --batch_count 5 ",
	  "gemm f16_r CN 8x4x2 batch=5 pointers ldb=3 ldc=9 alpha=0.5 beta=1" },
	{ "rocblas_zgemm_strided_batched_64,N,N,8,4,2,(1,0.5),0x1,8,16,0x2,2,8,(0,0),0x3,8,"
	  "33,3,"
	  "atomics_allowed",
	  "./rocblas-bench --api 1 -f gemm_strided_batched -r f64_c --transposeA N "
	  "--transposeB N "
	  "-m 8 -n 4 -k 2 --alpha 1 --alphai 0.5 --lda 8 --stride_a 16 --ldb 2 --stride_b "
	  "8 "
	  "--beta 0 --ldc 8 --stride_c 33 --batch_count 3 ",
	  "gemm f64_c NN 8x4x2 batch=3 stride_c=33 alpha=1,0.5" },
	{ "rocblas_gemm_ex,T,N,4096,128,64,1,0x1,bf16_r,64,0x2,bf16_r,64,0,0x3,bf16_r,4096,"
	  "0x3,"
	  "bf16_r,4096,f32_r,0,0,none,atomics_not_allowed",
	  "./rocblas-bench -f gemm_ex --transposeA T --transposeB N -m 4096 -n 128 -k 64 "
	  "--alpha 1 "
	  "--a_type bf16_r --lda 64 --b_type bf16_r --ldb 64 --beta 0 --c_type bf16_r "
	  "--ldc 4096 "
	  "--d_type bf16_r --ldd 4096 --compute_type f32_r --algo 0 --solution_index 0 "
	  "--flags 0 "
	  "--atomics_not_allowed",
	  "gemm bf16_r;f32_r TN 4096x128x64" },
	{ "rocblas_gemm_batched_ex,T,N,256,64,128,1,0x1,f16_r,1024,0x2,f16_r,128,0,0x3,f32_"
	  "r,256,"
	  "0x3,f32_r,256,96,f32_r,0,0,none,atomics_not_allowed",
	  "./rocblas-bench -f gemm_batched_ex --transposeA T --transposeB N -m 256 -n 64 "
	  "-k 128 "
	  "--alpha 1 --a_type f16_r --lda 1024 --b_type f16_r --ldb 128 --beta 0 --c_type "
	  "f32_r "
	  "--ldc 256 --d_type f32_r --ldd 256 --batch_count 96 --compute_type f32_r --algo "
	  "0 "
	  "--solution_index 0 --flags 0 ",
	  "gemm f16_r,f16_r,f32_r,f32_r;f32_r TN 256x64x128 batch=96 pointers lda=1024" },
	{ "rocblas_gemm_strided_batched_ex,N,N,8,4,2,1,0x1,i8_r,8,17,0x2,i8_r,2,8,0,0x3,"
	  "i32_r,8,32,"
	  "0x4,i32_r,8,32,3,i32_r,0,7,fp16_alt_impl,atomics_allowed",
	  "./rocblas-bench -f gemm_strided_batched_ex --transposeA N --transposeB N -m 8 "
	  "-n 4 -k 2 "
	  "--alpha 1 --a_type i8_r --lda 8 --stride_a 17 --b_type i8_r --ldb 2 --stride_b "
	  "8 --beta "
	  "0 --c_type i32_r --ldc 8 --stride_c 32 --d_type i32_r --ldd 8 --stride_d 32 "
	  "--batch_count 3 --compute_type i32_r --algo 0 --solution_index 7 --flags 4 ",
	  "gemm i8_r,i8_r,i32_r,i32_r;i32_r NN 8x4x2 batch=3 stride_a=17" },
	{ "rocblas_dgemv_strided_batched,T,8,4,2,0x1,8,32,0x2,-1,8,0.25,0x3,2,8,3,atomics_"
	  "allowed",
	  "./rocblas-bench -f gemv_strided_batched -r f64_r --transposeA T -m 8 -n 4 "
	  "--alpha 2 --lda "
	  "8 --stride_a 32 --incx -1 --stride_x 8 --beta 0.25 --incy 2 --stride_y 8 "
	  "--batch_count 3 ",
	  NULL },
	{ "rocblas_cgerc,8,4,(1,0),0x1,1,0x2,1,0x3,8,atomics_allowed",
	  "./rocblas-bench -f gerc -r f32_c -m 8 -n 4 --alpha 1 --incx 1 --incy 1 --lda 8 ",
	  "gerc f32_c 8x4" },
	{ "rocblas_axpy_ex,100,2,f32_r,0x1,f16_r,1,0x2,f16_r,1,f32_r,atomics_allowed",
	  "./rocblas-bench -f axpy_ex -n 100 --alpha 2 --a_type f32_r --b_type f16_r "
	  "--incx 1 "
	  "--c_type f16_r --incy 1 --compute_type f32_r ",
	  NULL },
	{ "rocblas_isamax,100,0x1,2,atomics_allowed",
	  "./rocblas-bench -f iamax -r f32_r -n 100 --incx 2 ", "iamax f32_r 100 incx=2" },
	{ "rocblas_bfdot_batched,100,0x1,1,0x2,1,7,atomics_allowed",
	  "./rocblas-bench -f dot_batched -r bf16_r -n 100 --incx 1 --incy 1 --batch_count "
	  "7 ",
	  "dot bf16_r 100 batch=7 pointers" },
	{ "rocblas_dtrsm,L,U,N,N,8,4,1,0x1,8,0x2,8,atomics_allowed",
	  "./rocblas-bench -f trsm -r f64_r --side L --uplo U --transposeA N --diag N -m 8 "
	  "-n 4 "
	  "--alpha 1 --lda 8 --ldb 8 ",
	  "trsm f64_r LUNN 8x4" },
	{ "rocblas_strided_batched_strsm,R,L,T,U,8,4,1,0x1,4,16,0x2,8,32,3,atomics_allowed",
	  "./rocblas-bench -f trsm_strided_batched -r f32_r --side R --uplo L --transposeA "
	  "T --diag U "
	  "-m 8 -n 4 --alpha 1 --lda 4 --stride_a 16 --ldb 8 --stride_b 32 --batch_count "
	  "3 ",
	  "trsm f32_r RLTU 8x4 batch=3" },
	{ "rocblas_dgeam,N,T,8,4,1,0x1,8,0,0x2,4,0x3,8,atomics_allowed",
	  "./rocblas-bench -f geam -r f64_r --transposeA N --transposeB T -m 8 -n 4 "
	  "--alpha 1 --lda 8 "
	  "--beta 0 --ldb 4 --ldc 8 ",
	  "geam f64_r NT 8x4" },
	{ "rocblas_ssyrk,U,T,8,4,1,0x1,4,1,0x2,8,atomics_allowed",
	  "./rocblas-bench -f syrk -r f32_r --uplo U --transposeA T -n 8 -k 4 --alpha 1 "
	  "--lda 4 "
	  "--beta 1 --ldc 8 ",
	  "syrk f32_r UT 8x4 beta=1" },
	{ "rocblas_cdotu,100,0x1,1,0x2,1,atomics_allowed",
	  "./rocblas-bench -f dot -r f32_c -n 100 --incx 1 --incy 1 ", "dot f32_c 100" },
	{ "rocblas_dot_ex,100,0x1,f16_r,1,0x2,f16_r,2,f16_r,f32_r,atomics_allowed",
	  "./rocblas-bench -f dot_ex -n 100 --a_type f16_r --incx 1 --b_type f16_r --incy 2 "
	  "--c_type f16_r --compute_type f32_r ",
	  "dot f16_r;f32_r 100 incy=2" },
	{ "rocblas_dotc_strided_batched_ex_64,100,0x1,f32_c,1,100,0x2,f32_c,1,200,7,f32_c,f32_c,"
	  "atomics_allowed",
	  "./rocblas-bench --api 1 -f dotc_strided_batched_ex -n 100 --a_type f32_c --incx 1 "
	  "--stride_x 100 --b_type f32_c --incy 1 --stride_y 200 --batch_count 7 --c_type f32_c "
	  "--compute_type f32_c ",
	  "dotc f32_c 100 batch=7 stride_y=200" },
	{ "rocblas_scal_ex,100,2,f32_r,0x1,f16_r,1,f32_r,atomics_allowed",
	  "./rocblas-bench -f scal_ex -n 100 --alpha 2 --incx 1 --a_type f32_r --b_type f16_r "
	  "--compute_type f32_r ",
	  "scal f32_r,f16_r,f16_r,f16_r;f32_r 100 alpha=2" },
	{ "rocblas_scal_batched_ex,100,2,f32_r,0x1,f32_r,3,7,f32_r,atomics_allowed",
	  "./rocblas-bench -f scal_batched_ex -n 100 --alpha 2 --incx 3 --batch_count 7 -r f32_r ",
	  "scal f32_r 100 batch=7 pointers incx=3 alpha=2" },
	{ "rocblas_srot,100,0x1,1,0x2,1,0x3,0x4,atomics_allowed",
	  "./rocblas-bench -f rot -r f32_r -n 100 --incx 1 --incy 1 ", "rot f32_r 100" },
	{ "rocblas_rot_strided_batched_ex,100,0x1,f32_c,1,100,0x2,f32_c,1,100,0x3,0x4,f32_r,7,f32_"
	  "c,atomics_allowed",
	  "./rocblas-bench -f rot_strided_batched_ex --a_type f32_c --b_type f32_c --c_type f32_r "
	  "--compute_type f32_c -n 100 --incx 1 --stride_x 100 --incy 1 --stride_y 100 "
	  "--batch_count 7 ",
	  "rot f32_c,f32_c,f32_r,f32_r;f32_c 100 batch=7" },
	{ "rocblas_dsyr2k,U,T,8,4,1,0x1,4,0x2,4,0,0x3,8,atomics_allowed",
	  "./rocblas-bench -f syr2k -r f64_r --uplo U --transposeA T -n 8 -k 4 --alpha 1 --lda 4 "
	  "--ldb 4 --beta 0 --ldc 8 ",
	  "syr2k f64_r UT 8x4" },
	{ "rocblas_cher2k_batched,L,N,8,4,(1,2),0x1,8,0x2,8,3,0x3,8,5,atomics_allowed",
	  "./rocblas-bench -f her2k_batched -r f32_c --uplo L --transposeA N -n 8 -k 4 --alpha 1 "
	  "--alphai 2 --lda 8 --ldb 8 --beta 3 --ldc 8 --batch_count 5 ",
	  NULL },
	{ "rocblas_ssyrkx_strided_batched,U,N,8,4,1,0x1,8,32,0x2,8,32,1,0x3,8,64,5,atomics_allowed",
	  "./rocblas-bench -f syrkx_strided_batched -r f32_r --uplo U --transposeA N -n 8 -k 4 "
	  "--alpha 1 --lda 8 --stride_a 32 --ldb 8 --stride_b 32 --beta 1 --ldc 8 --stride_c 64 "
	  "--batch_count 5 ",
	  "syrkx f32_r UN 8x4 batch=5 beta=1" },
	{ "rocblas_zherkx,U,C,8,4,(1,0),0x1,4,0x2,4,0,0x3,8,atomics_allowed",
	  "./rocblas-bench -f herkx -r f64_c --uplo U --transposeA C -n 8 -k 4 --alpha 1 --alphai "
	  "0 --lda 4 --ldb 4 --beta 0 --ldc 8 ",
	  "herkx f64_c UC 8x4" },
	{ "rocblas_sgemmt,U,N,T,8,4,1,0x1,8,0x2,8,0,0x3,8,atomics_allowed",
	  "./rocblas-bench -f gemmt -r f32_r --uplo U --transposeA N --transposeB T -n 8 -k 4 "
	  "--alpha 1 --lda 8 --ldb 8 --beta 0 --ldc 8 ",
	  "gemmt f32_r UNT 8x4" },
	{ "rocblas_gemm_ex3,N,T,8,4,2,1,0x1,f8_r,8,0x2,bf8_r,4,0,0x3,f16_r,8,0x4,f16_r,8,f32,0,0,"
	  "none,atomics_allowed",
	  "./rocblas-bench -f gemm_ex3 --transposeA N --transposeB T -m 8 -n 4 -k 2 --alpha 1 "
	  "--a_type f8_r --lda 8 --b_type bf8_r --ldb 4 --beta 0 --c_type f16_r --ldc 8 --d_type "
	  "f16_r --ldd 8 --composite_compute_type f32 --algo 0 --solution_index 0 --flags 0 ",
	  "gemm f8_r,bf8_r,f16_r,f16_r;f32_r NT 8x4x2" },
};

TEST(trace_and_bench_lines)
{
	struct tm_buf bench = { 0 }, text = { 0 };

	for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
		tm_buf_clear(&bench);
		tm_buf_str(&bench, key_of(layers[i].bench));
		CHECK_STR(key_of(layers[i].trace), bench.p);
		CHECK(*bench.p && (!layers[i].key || !strcmp(bench.p, layers[i].key)));
		CHECK(p.lib == TM_LIB_ROCBLAS_TRACE);
		/* Without its addresses it is the same. */
		CHECK(tm_problem_trace(layers[i].trace, strlen(layers[i].trace), &text) ==
		      TM_TRACE_CALL);
		CHECK(strlen(text.p) == text.n && !strstr(text.p, "0x"));
		CHECK_STR(key_of(text.p), bench.p);
		tm_buf_clear(&bench);
		tm_buf_add(&bench, text.p, text.n);
		CHECK(tm_problem_trace(bench.p, bench.n, &text) == TM_TRACE_CALL);
		CHECK_STR(text.p, bench.p);
	}
	/* A scalar on the device may be its address, which is no value. */
	CHECK_STR(key_of("rocblas_sscal,9,0x7f01,0x7f02,1,atomics_allowed"), "scal f32_r 9");
	tm_buf_fini(&bench);
	tm_buf_fini(&text);
}

static enum tm_problem_trace trace_of(const char *s)
{
	struct tm_buf text = { 0 };
	enum tm_problem_trace what = tm_problem_trace(s, strlen(s), &text);

	CHECK((what == TM_TRACE_CALL) == (text.n != 0));
	CHECK((*key_of(s) != 0) == (what == TM_TRACE_CALL));
	tm_buf_fini(&text);
	return what;
}

TEST(trace_lines_or_not)
{
	CHECK(trace_of("rocblas_sscal,9,2,0x7f02,1") == TM_TRACE_CALL);
	CHECK(trace_of("rocblas_sscal,9,2,0x7f02,-1,atomics_allowed") == TM_TRACE_CALL);
	CHECK(trace_of("rocblas_sscal,9,2,0x7f02,1,atomics_allow") == TM_TRACE_TORN);
	CHECK(trace_of("rocblas_sscal,9,2,0x7f02,1,atomics_allowedstep 1") == TM_TRACE_TORN);
	CHECK(trace_of("rocblas_sscal,9,2,0x7f02") == TM_TRACE_TORN);
	CHECK(trace_of("rocblas_sscal,9,2,0x7f02,1,1,atomics_allowed") == TM_TRACE_TORN);
	CHECK(trace_of("rocblas_sscal,9,2,0x7g02,1,atomics_allowed") == TM_TRACE_TORN);
	CHECK(trace_of("rocblas_sscal,9,(2,0x7f02,1,atomics_allowed") == TM_TRACE_TORN);
	CHECK(trace_of("rocblas_sscal,9,2,0x7f02,1 step,atomics_allowed") == TM_TRACE_TORN);
	CHECK(trace_of("rocblas_sgemm,N") == TM_TRACE_TORN);
	CHECK(trace_of("rocblas_rot_ex,9,0x7f02,f32_r,1,atomics_allowed") == TM_TRACE_TORN);
	/* One argument less than its strides: those of a scalar on the device, who knows which. */
	CHECK(trace_of("rocblas_axpy_strided_batched_ex,9,f32_r,0x1,f16_r,1,0x2,f16_r,1,7,f32_r") ==
	      TM_TRACE_TORN);
	CHECK(trace_of("rocblas_scal_ex,9,f32_r,0x7f02,f16_r,1,f32_r") == TM_TRACE_CALL);
	CHECK_STR(key_of("rocblas_scal_ex,9,f32_r,0x7f02,f16_r,1,f32_r"),
	          "scal f32_r,f16_r,f16_r,f16_r;f32_r 9");
	CHECK(trace_of("rocblas_nrm2_ex,9,0x7f02,f32_r,1,f32_r,f32_r") == TM_TRACE_UNKNOWN);
	CHECK(trace_of("rocblas_sger_ex,9,0x7f02,f32_r,1,atomics_allowed") == TM_TRACE_UNKNOWN);
	CHECK(trace_of("rocblas_gemm,N,N,1,1,1") == TM_TRACE_UNKNOWN);
	CHECK(trace_of("rocblas_set_stream,0x0,atomics_allowed") == TM_TRACE_NO_CALL);
	CHECK(trace_of("rocblas_create_handle,atomics_allowed") == TM_TRACE_NO_CALL);
	/* A table of calls and times. */
	CHECK(trace_of("rocblas_sgemm,12,3.5") == TM_TRACE_NO_CALL);
	CHECK(trace_of("rocblas_sgemm") == TM_TRACE_NO_CALL);
	CHECK(trace_of("rocblas_,N") == TM_TRACE_NO_CALL);
	CHECK(trace_of("rocblas_") == TM_TRACE_NO_CALL);
	CHECK(trace_of("rocblas_sgemm,") == TM_TRACE_NO_CALL);
	CHECK(trace_of("rocblas_sgemm,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,"
	               ",") == TM_TRACE_NO_CALL);
}

static bool whole(const char *text)
{
	return tm_problem_whole(text, strlen(text));
}

TEST(whole_or_torn)
{
	CHECK(whole("./rocblas-bench -f gemm -r f32_r -m 512 --beta -1 --ldc 512 "));
	CHECK(whole("./rocblas-bench -f gemm --ldc 512 --atomics_not_allowed"));
	CHECK(whole("./rocblas-bench -f gemm --ldc 512 --some_new_word"));
	CHECK(whole("./rocblas-bench -f gemm --ldc 512 # source=tensile kernel=Cijk more words"));
	CHECK(whole("hipblaslt-bench --api_method c -m 1  --alpha 1.000000 --flush --any_stride "
	            "--rotating 0 --cold_iters 0 --iters 0"));
	CHECK(whole("./bin/MIOpenDriver conv -n 1 -F 1 -t 1"));
	CHECK(!whole("./rocblas-bench -f gemm --transpos"));
	CHECK(!whole("./rocblas-bench -f gemm --ldc"));
	CHECK(!whole("./rocblas-bench -f gemm -r f32_r -m 51step 1 loss 2.31"));
	CHECK(!whole("hipblaslt-bench [options]"));
	CHECK(!whole("hipblaslt-bench --solution_index"));
	CHECK(!whole("hipblaslt-bench -m 1 '"));
	CHECK(!whole("./bin/MIOpenDriver"));
	CHECK(!whole("./bin/MIOpenDriver conv -n 1 -F"));
	CHECK(!whole("./bin/MIOpenDriver conv -n 1 -F 1 -t 1Epoch 3"));
	CHECK(!whole("./bin/MIOpenDriver conv -n 1 -F 1 -t 1Epoch"));
	CHECK(!whole("nothing at all"));
	CHECK(!whole(""));
}

TEST(hostile)
{
	enum { LONG = 512 * 1024 };
	static char text[LONG + 64];
	struct tm_diag d = { 0 };

	CHECK_STR(key_of(""), "");
	CHECK_STR(key_of("rocblas-bench"), "gemm f32_r NN 128x128x128");
	CHECK_STR(key_of("MIOpenDriver"), "");
	CHECK_STR(key_of("{ rocblas_function: "), "");
	CHECK_STR(key_of("{ rocblas_function: \"rocblas_sgemm, M: 1"), "\"rocblas_sgemm m=1");
	CHECK_STR(key_of("rocblas-bench -f \"gemm -m 3"), "gemm-m3 f32_r");
	CHECK_STR(key_of("rocblas-bench -m -n -k"), "gemm f32_r NN xx");
	CHECK(!p.has_flops);
	/* 2^63 * 2^63 * 2^63 * 2 does not fit, 2^40 * 2^40 * 2^40 * 2 does. */
	key_of("rocblas-bench -m 9223372036854775808 -n 9223372036854775808 -k "
	       "9223372036854775808");
	CHECK(!p.has_flops && !p.has_bytes);
	key_of("rocblas-bench -m 1099511627776 -n 1099511627776 -k 1099511627776");
	CHECK(p.has_flops && p.flops == (tm_u128)1 << 121);
	memset(text, '9', LONG);
	memcpy(text, "hipblaslt-bench -m ", 19);
	CHECK(strlen(key_of(text)) > LONG - 64);
	CHECK(!p.has_flops);
	memset(text, '\'', LONG);
	memcpy(text, "hipblaslt-bench '", 17);
	key_of(text);
	memset(text, '-', LONG);
	memcpy(text, "hipblaslt-bench ", 16);
	key_of(text);
	for (size_t i = 16; i + 5 < LONG; i += 5)
		memcpy(text + i, "-m 1 ", 5);
	key_of(text);
	memset(text, 0, LONG);
	memcpy(text, "rocblas-bench -m", 16);
	CHECK(tm_problem_parse(&p, TM_LIB_N, text, LONG, &d) == TM_ST_OK);
	memcpy(text, "{ rocblas_function: ", 20);
	memset(text + 20, ':', LONG - 20);
	CHECK(tm_problem_parse(&p, TM_LIB_ROCBLAS, text, LONG, &d) != TM_ST_FATAL);
	tm_problem_fini(&p);
	tm_buf_fini(&key);
}

TEST_MAIN(T(one_gemm_in_many_words), T(settings_are_kept_apart), T(different_problems), T(epilogue),
          T(words_alone), T(grouped), T(functions), T(convolutions), T(convolutions_as_printed),
          T(other_drivers), T(columns), T(trace_and_bench_lines), T(trace_lines_or_not),
          T(whole_or_torn), T(hostile))
