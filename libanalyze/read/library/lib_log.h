/* SPDX-License-Identifier: MIT
 * Logs of programs with what the GPU libraries say about their calls in between:
 *   rocBLAS     ROCBLAS_LAYER: "./rocblas-bench ..." (2), "- { rocblas_function: ... }" (4),
 *               "rocblas_sgemm,N,T,512,..." (1)
 *   hipBLASLt   HIPBLASLT_LOG_MASK: "hipblaslt-bench ..." (32), "- {function: matmul, ...}" (64)
 *   MIOpen      MIOPEN_ENABLE_LOGGING_CMD: "MIOpen(HIP): Command [LogCmd...] ./bin/MIOpenDriver
 *               ..."
 *   Tensile     TENSILE_DB=0x8000: "Running kernel: ..."
 *   RCCL        NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS=COLL: "AllReduce: opCount ..."
 *
 * The text of a call is what madengine's get_library_trace.py keeps: from the program's name to the
 * end of the line, blanks included; but a profile line goes from its brace to the other, without
 * its call_count, which is the number of calls; a trace line goes without its addresses; what
 * stands in front of a call in its line does not matter.  Trace lines of functions whose arguments
 * nobody knows are counted and left out.
 *
 * Lines end with LF, CR LF or CR (progress bars).  Where processes write over each other, a call
 * that another one begins in, or whose words do not fit together, is counted as torn and left out;
 * also a call at the end of an input that broke there.  A call in a last line without its end may
 * be longer: it is left out, unless it is a profile line with its closing brace.  A shell's "+
 * hipblaslt-bench ..." (set -x) is no call. */
#ifndef TM_READ_LIBRARY_LIB_LOG_H
#define TM_READ_LIBRARY_LIB_LOG_H

#include "read/library/lib_calls.h"

/* Read the source to its end and add its calls.  TM_ST_OK; TM_ST_SKIP with *d: there is no call in
 * it, torn or whole; TM_ST_WARN with *d: the rest could not be read; TM_ST_FATAL with *d when out
 * of memory.  The memory it takes does not grow with the input, but for texts not seen before. */
enum tm_status tm_lib_log_read(struct tm_lib_calls *c, struct tm_source *s, struct tm_diag *d);

#endif
