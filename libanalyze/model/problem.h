/* SPDX-License-Identifier: MIT
 * What a GPU library was asked to compute, in one form for all spellings: a rocblas-bench,
 * hipblaslt-bench or MIOpenDriver command line, a profile line of rocBLAS or hipBLASLt (YAML), a
 * trace line of rocBLAS, or the columns of a bench client's result.
 *
 * Two spellings of one problem have the same op, types and shape.  Order of options, long and short
 * names, `-r` against four types, `1` against `1.000000`, defaults written out or left out, and
 * packed strides given or not, make no difference.  Options that say how to compute or measure, not
 * what (solution index, algo, flags, iterations, rotating buffer, flush, program path), are
 * separate, as settings.  Names of options and columns, and what each of them is, are data:
 * schemas/problem.def; so is the order of a trace line's arguments: schemas/rocblas_trace.def.
 *
 * What is folded, and what is not:
 *   function   the operation without "rocblas_", _64, _ex, _ex3, _batched, _strided_batched and the
 *              letters of a type (s d c z h bf; rocblas_hgemm is gemm of f16_r).  Of a batch whose
 *              matrices may be anywhere (_batched) the shape says "pointers": no strides are packed
 *              there.  hipBLASLt's matmul is gemm.  Of an operation that is in no table all options
 *              but settings are shape.
 *   types      single letters (-r s) and "c_f32_r" are what they stand for; what is left out on a
 *              command line is what the client takes: f32_r, and for hipBLASLt to accumulate f32_r
 *              (i32_r for i8_r) where items are smaller.
 *   sizes      left out on a command line: 128; batch 1, without strides.  A leading dimension,
 *              stride or increment that is the one of packed data is left out (ldd: that of c).
 *   alpha beta to the six digits that clients print; "(1,0)", `--alphai 0` and 1 are one.
 *   epilogue   what is off is left out, and with it what only counts beside it (bias_type without a
 *              bias).
 *   grouped    one "MxNxK ..." for each part, joined by '+'.
 *   conv       op conv_fwd, conv_bwd, conv_wrw, or joined by '+' as -F has them; shape "NxCxHxW
 *              KxYxX" (with a third dimension NxCxDxHxW KxZxYxX), then pad= stride= dilation=
 *              groups= trans layout= where they are not the usual ones.
 *   MIOpen     other drivers: their words by their long names, sorted.
 * Numbers that are none stay as they are, and there are no flops then.
 *
 * Flops are those the clients count (rocBLAS clients/include/flops.hpp, the table of operations):
 * gemm 2mnk, complex 8mnk, k = 0 counts as 1; times the batch; parts of a group added up; for a
 * convolution 2 * N * K * Ho * Wo * (C / groups) * Y * X for each direction, Ho = (H + 2 pad -
 * dilation * (Y - 1) - 1) / stride + 1, and with H, W in place of Ho, Wo where it is transposed
 * (MIOpen's "flopCnt").  Bytes: gemm batch * (a * mk + b * kn + d * mn, + c * mn where beta is not
 * 0) with the size of an item of each, + m items of bias, + m of scaleAlpha (hipBLASLt's GB/s
 * without scales of a and b); gemv and axpy each vector and matrix once, y twice where it is added
 * to; conv input, filter and result once for each
 * direction.  Reuse of caches is not seen: these are the least. */
#ifndef TM_MODEL_PROBLEM_H
#define TM_MODEL_PROBLEM_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whose words they are; TM_LIB_ROCBLAS_FUNCTION is a profile line of rocBLAS and
 * TM_LIB_ROCBLAS_TRACE a trace line, which record the same calls as its bench lines.  In the order
 * of madengine's library_trace.csv; those from rccl on are ours. */
enum tm_lib {
	TM_LIB_ROCBLAS,
	TM_LIB_HIPBLASLT,
	TM_LIB_ROCBLAS_FUNCTION,
	TM_LIB_MIOPEN,
	TM_LIB_TENSILE,
	TM_LIB_RCCL,
	TM_LIB_ROCBLAS_TRACE,
	TM_LIB_N,
};

/* "rocblas", "hipblaslt", "rocblas_function", "miopen", "tensile", "rccl", "rocblas_trace"; ends
 * with NULL. */
extern const char *const tm_lib_words[];

/* The library of that name, or TM_LIB_N. */
enum tm_lib tm_lib_find(const char *s, size_t n);

/* One problem.  {0} before tm_problem_begin; every text is NUL-terminated and valid until the next
 * tm_problem_begin. */
struct tm_problem {
	enum tm_lib lib;

	/* The key: the same for every spelling.  Empty `shape` with `op` = "" is a text nobody
	 * could parse. */
	struct tm_buf
	        op; /* "gemm", "gemv", "trsm", "axpy", "conv_fwd", ...: what, not which entry point;
	             * batched, strided and _ex forms of one operation have one name */
	struct tm_buf
	        types; /* a,b,c,d;compute: "f16_r,f16_r,f32_r,f32_r;f32_r"; where a to d are one
	                * type "bf16_r;f32_r", where compute is too "f32_r"; empty where
	                * columns do not say */
	struct tm_buf
	        shape; /* "TN 4096x128x4096", then what is not the default, in one fixed order:
	                * " batch=96 lda=.. stride_a=.. beta=1 bias gelu ..." */

	struct tm_buf
	        settings; /* "solution_index=44 rotating=512 ...", sorted by name; not in the key */
	uint64_t call_count; /* of a profile line, 1 where it has none */
	bool has_flops; /* false for an op whose formula is not known, or on overflow of tm_u128 */
	tm_u128 flops;  /* of one call */
	bool has_bytes;
	tm_u128 bytes; /* read and written at least, of one call */

	/* private */
	struct tm_problem_fields *fields;
};

/* Parse a text.  The library is recognized from the text, otherwise p->lib is `lib`.  A number
 * before a command line is its call count.  TM_ST_OK; TM_ST_SKIP with *d when it is none of these
 * or contains no problem (then the key is empty and p->lib is as given); TM_ST_FATAL with *d when
 * out of memory.  Unknown options of a known operation are kept as settings. */
enum tm_status tm_problem_parse(struct tm_problem *p, enum tm_lib lib, const char *s, size_t n,
                                struct tm_diag *d);

/* The same from names and values, as in columns: begin, put each, end.  tm_problem_put ignores a
 * name that is not part of a problem or setting (false); values are as the library prints them.
 * tm_problem_end returns the same as tm_problem_parse. */
void tm_problem_begin(struct tm_problem *p, enum tm_lib lib);
bool tm_problem_put(struct tm_problem *p, const char *name, size_t nname, const char *value,
                    size_t nvalue);
enum tm_status tm_problem_end(struct tm_problem *p, struct tm_diag *d);

/* May this command line be complete: only options and their values after the program, the last
 * apparently not truncated?  Logs written by several processes contain incomplete ones. */
bool tm_problem_whole(const char *s, size_t n);

/* The kind of a line of rocBLAS's trace layer. */
enum tm_problem_trace {
	TM_TRACE_CALL,    /* a call */
	TM_TRACE_TORN,    /* its arguments are not those of the function, or not all of them */
	TM_TRACE_UNKNOWN, /* a function whose arguments nobody knows, in no table */
	TM_TRACE_NO_CALL, /* a function that computes nothing (rocblas_set_stream), or no trace
	                   * line */
};

/* Classify a line such as
 * "rocblas_sgemm,N,T,512,512,512,1,0x7f..,512,0x7f..,512,0,0x7f..,512,atomics_allowed", from its
 * name to its end.  For a TM_TRACE_CALL, *text becomes the line without the addresses, which are
 * not part of a problem; out of memory: text->failed.  Otherwise *text is unchanged. */
enum tm_problem_trace tm_problem_trace(const char *s, size_t n, struct tm_buf *text);

/* Append "op types shape", the key as one text, to b.  False when out of memory. */
bool tm_problem_key(const struct tm_problem *p, struct tm_buf *b);

/* Free it; {0} again. */
void tm_problem_fini(struct tm_problem *p);

#endif
