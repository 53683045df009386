/* SPDX-License-Identifier: MIT
 * What a GPU library was asked to compute, told the same way whoever spells it: a rocblas-bench,
 * hipblaslt-bench or MIOpenDriver command line, a profile line of rocBLAS or hipBLASLt (YAML), or the
 * columns of a bench client's result.
 *
 * Two spellings of one problem have the same op, types and shape.  Order of options, long and short
 * names, `-r` against four types, `1` against `1.000000`, defaults written out or left out, and packed
 * strides given or not, make no difference.  What says how to compute or to measure, not what (solution
 * index, algo, flags, iterations, rotating buffer, flush, program path), is kept apart as settings.
 * Names of options and columns, and what each of them is, are data: schemas/problem.def. */
#ifndef MODEL_PROBLEM_H
#define MODEL_PROBLEM_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/status.h"
#include "base/wide.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whose words they are; LIB_ROCBLAS_FUNCTION is a profile line of rocBLAS, which tells of the same calls
 * as its bench lines.  In the order of madengine's library_trace.csv; rccl is ours. */
enum lib {
	LIB_ROCBLAS,
	LIB_HIPBLASLT,
	LIB_ROCBLAS_FUNCTION,
	LIB_MIOPEN,
	LIB_TENSILE,
	LIB_RCCL,
	LIB_N,
};

/* "rocblas", "hipblaslt", "rocblas_function", "miopen", "tensile", "rccl"; ends with NULL. */
extern const char *const lib_words[];

/* The library of that name, or LIB_N. */
enum lib lib_find(const char *s, size_t n);

/* One problem.  {0} before problem_begin; every text is NUL-terminated and valid until the next
 * problem_begin. */
struct problem {
	enum lib lib;

	/* The key: the same for every spelling.  Empty `shape` with `op` = "" is a text nobody could
	 * parse. */
	struct buf
	        op; /* "gemm", "gemv", "trsm", "axpy", "conv_fwd", ...: what, not which entry point;
	                   * batched, strided and _ex forms of one operation have one name */
	struct buf types; /* "bf16_r", or "bf16_r,bf16_r,f32_r,f32_r;f32_r" where they differ:
	                   * a,b,c,d;compute */
	struct buf shape; /* "TN 4096x128x4096", then what is not the default, in one fixed order:
	                   * " batch=96 lda=.. stride_a=.. beta=1 bias gelu ..." */

	struct buf
	        settings; /* "solution_index=44 rotating=512 ...", sorted by name; not in the key */
	uint64_t call_count; /* of a profile line, 1 where it has none */
	bool has_flops; /* false for an op whose formula is not known, or on overflow of u128 */
	u128 flops;     /* of one call */
	bool has_bytes;
	u128 bytes; /* read and written at least, of one call */

	/* private */
	struct problem_fields *fields;
};

/* Parse a text of library `lib`, or, with LIB_N, of whichever it looks like.  ST_OK; ST_SKIP with *d
 * when it is none of these or holds no problem (then the key is empty and `lib` is as given);
 * ST_FATAL with *d when out of memory.  Unknown options are kept as settings. */
enum status problem_parse(struct problem *p, enum lib lib, const char *s, size_t n, struct diag *d);

/* The same from names and values, as columns give them: begin, put each, end.  A name that is no part
 * of a problem or setting is ignored by problem_put (false); values are as the library prints them.
 * problem_end: as problem_parse. */
void problem_begin(struct problem *p, enum lib lib);
bool problem_put(struct problem *p, const char *name, size_t nname, const char *value,
                 size_t nvalue);
enum status problem_end(struct problem *p, struct diag *d);

/* Append "op types shape", the key as one text, to b.  False when out of memory. */
bool problem_key(const struct problem *p, struct buf *b);

/* Free it; {0} again. */
void problem_fini(struct problem *p);

#endif
