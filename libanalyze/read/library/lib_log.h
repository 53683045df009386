/* SPDX-License-Identifier: MIT
 * Logs of programs that contain logged calls of the GPU libraries:
 *   rocBLAS     ROCBLAS_LAYER: "./rocblas-bench ..." (2), "- { rocblas_function: ... }" (4),
 *               "rocblas_sgemm,N,T,512,..." (1)
 *   hipBLASLt   HIPBLASLT_LOG_MASK: "hipblaslt-bench ..." (32), "- {function: matmul, ...}" (64)
 *   MIOpen      MIOPEN_ENABLE_LOGGING_CMD: "MIOpen(HIP): Command [LogCmd...] ./bin/MIOpenDriver
 *               ..."
 *   Tensile     TENSILE_DB=0x8000: "Running kernel: ..."
 *   RCCL        NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS=COLL: "AllReduce: opCount ..."
 *
 * The text of a call is what madengine's get_library_trace.py keeps: from the program's name to the
 * end of the line, blanks included; but of a profile line, from brace to brace without its
 * call_count, which is the number of calls; a trace line is without its addresses.  Anything before
 * the call in its line is ignored.  Trace lines of functions with unknown arguments are counted and
 * skipped.
 *
 * Lines end with LF, CR LF or CR (progress bars).  If processes write over each other, a call in
 * which another one begins, or whose words do not fit together, is counted as torn and skipped;
 * also a call at the end of a truncated input.  A call in a last line without a line end may be
 * incomplete: it is skipped, unless it is a profile line with its closing brace.  A shell's "+
 * hipblaslt-bench ..."  (set -x) is not a call. */
#ifndef TM_READ_LIBRARY_LIB_LOG_H
#define TM_READ_LIBRARY_LIB_LOG_H

#include "read/library/lib_calls.h"

/* Read the source to its end and add its calls.  TM_ST_OK; TM_ST_SKIP with *d: it contains no call,
 * torn or complete; TM_ST_WARN with *d: the rest could not be read; TM_ST_FATAL with *d when out of
 * memory.  Memory grows only with distinct texts. */
enum tm_status tm_lib_log_read(struct tm_lib_calls *c, struct tm_source *s, struct tm_diag *d);

#endif
