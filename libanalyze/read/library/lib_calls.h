/* SPDX-License-Identifier: MIT
 * Calls of the GPU libraries, counted by their text, from a log or a library_trace.csv of
 * madengine. */
#ifndef TM_READ_LIBRARY_LIB_CALLS_H
#define TM_READ_LIBRARY_LIB_CALLS_H

#include "base/base.h"
#include "io/io.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The library and form of a call, in the order of library_trace.csv; the last four are our own.
 * Kinds that record the same calls must not be added: rocblas, rocblas_function and rocblas_trace,
 * hipblaslt and hipblaslt_function. */
enum tm_lib_call_kind {
	TM_CALL_ROCBLAS,            /* "./rocblas-bench -f ..." */
	TM_CALL_HIPBLASLT,          /* "hipblaslt-bench --api_method c -m ..." */
	TM_CALL_ROCBLAS_FUNCTION,   /* "- { rocblas_function: ... }" */
	TM_CALL_MIOPEN,             /* "./bin/MIOpenDriver conv ...", executed */
	TM_CALL_TENSILE,            /* the name of a kernel */
	TM_CALL_HIPBLASLT_FUNCTION, /* "- {function: matmul, ... }" */
	TM_CALL_MIOPEN_FIND,        /* the same driver's text, when MIOpen looked for a solution */
	TM_CALL_RCCL,               /* "AllReduce count 1 datatype 8 op 0 root 0 nranks 8" */
	TM_CALL_ROCBLAS_TRACE,      /* "rocblas_sgemm,N,T,512,..." without addresses */
	TM_CALL_KINDS,
};

/* "rocblas", ... "rccl", "rocblas_trace": what stands in the column library; ends with NULL. */
extern const char *const tm_call_words[];

/* The kind of that word, or TM_CALL_KINDS. */
enum tm_lib_call_kind tm_call_find(const char *s, size_t n);

/* The texts of one kind and how often each was called: calls[id] for texts.v[id], tabled[id] of
 * them as tables say; what is past tabled_cap is in no table. */
struct tm_call_set {
	struct tm_names texts;
	uint64_t *calls, *tabled;
	size_t cap, tabled_cap;
};

/* {0} is a valid empty one. */
struct tm_lib_calls {
	struct tm_call_set set[TM_CALL_KINDS];
	/* What stands in every row that was read from tables so far; a text that is not the same in
	 * all of them is "". */
	char *job, *date, *model;
	bool has_rows;
	bool of_table; /* private: what is added is a row of a table */
	uint64_t table_miopen_rows,
	        table_miopen_most; /* of the last table: rows, most calls of one */

	/* What was seen of logs. */
	uint64_t rocblas;   /* bench lines of rocBLAS */
	uint64_t torn;      /* records that are not whole: left out */
	uint64_t unknown;   /* trace lines of functions whose arguments nobody knows: left out */
	uint64_t echoes;    /* lines of a shell that says what it runs: no calls */
	uint64_t chosen;    /* "# source=...": rocBLAS says how it computed a call */
	uint64_t handed_on; /* ... and that hipBLASLt was asked first or after */
	/* Wanted of logs: every call, one after the other. */
	bool in_order;
	struct tm_lib_called {
		enum tm_lib_call_kind kind;
		uint32_t text; /* id in its set */
	} * order;             /* norder of them */
	size_t norder, order_cap;
	struct tm_loss last; /* of the last log: what its last line lacks (unended, open_end) */
};

/* Add that many calls of a text.  TM_ST_OK; TM_ST_SKIP: 64-bit overflow, nothing was added;
 * TM_ST_FATAL when out of memory. */
enum tm_status tm_lib_calls_add(struct tm_lib_calls *c, enum tm_lib_call_kind kind,
                                const char *text, size_t n, uint64_t calls);

/* Its name for --from. */
#define TM_LIB_TRACE_NAME "library-trace"

/* Does a library_trace.csv begin like this? */
bool tm_lib_calls_is_table(const unsigned char *p, size_t n, bool whole);

/* Add the rows of a library_trace.csv: columns `library`, `config` and `calls`; others are ignored.
 * A row of rocblas_function or hipblaslt_function with a call_count in its text counts as calls
 * times that, and the call_count is removed from the text.  Rows of unknown libraries, and those
 * without a number, are counted in *loss.  TM_ST_OK; TM_ST_WARN with *d: the rest could not be
 * read; TM_ST_SKIP with *d: no such table; TM_ST_FATAL with *d when out of memory. */
enum tm_status tm_lib_calls_read(struct tm_lib_calls *c, struct tm_source *s, struct tm_loss *loss,
                                 struct tm_diag *d);

/* Split a profile line at its call_count: *front bytes of the text are before it, *count is its
 * number, and *rest is the text after it.  False if it has none. */
bool tm_lib_calls_count(const char *text, size_t n, size_t *front, uint64_t *count,
                        const char **rest);

/* Free it; {0} again. */
void tm_lib_calls_fini(struct tm_lib_calls *c);

#endif
