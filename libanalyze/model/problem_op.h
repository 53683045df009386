/* SPDX-License-Identifier: MIT
 * What an operator of PyTorch computes, from the types and sizes of its inputs in a trace of
 * torch.profiler: schemas/torch_ops.def says which inputs these are.  Products and convolutions are
 * problems of the libraries (model/problem.h), and so are their flops and bytes. */
#ifndef TM_MODEL_PROBLEM_OP_H
#define TM_MODEL_PROBLEM_OP_H

#include "base/base.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tm_op_how {
	TM_OP_WORK,
	TM_OP_OTHER,     /* no operator of the table, or one that was asked for nothing */
	TM_OP_NO_INPUTS, /* the trace has no types and sizes of its inputs */
	TM_OP_UNCLEAR,   /* what its inputs say is not enough, or does not fit */
};

/* {0} before the first tm_op_work; texts are valid until the next. */
struct tm_op_work {
	struct tm_buf problem; /* "15360x4096x24576", M x K x N as the operator has them */
	char type[24];         /* of the factors, as in problem.def: "bf16_r" */
	bool is_product;
	uint64_t m, n, k, batch; /* of a product as BLAS has it, column-major: m is the operator's N
	                          */
	tm_u128 flops;           /* attention: 4 B H Nq Nkv D, where it is causal half of that, and
	                          * backward 2.5 times */
	bool has_bytes;
	tm_u128 bytes; /* read and written at least */

	/* private */
	struct tm_problem p;
	struct tm_buf text;
};

/* inputs[0..ninputs) is TM_EVC_INPUTS, NULL = not in the trace; values[] likewise TM_EVC_VALUES.
 * Unless *how is TM_OP_WORK, only `problem` is valid, and empty.  False with *how unchanged when
 * out of memory. */
bool tm_op_work(struct tm_op_work *w, const char *op, const char *inputs, size_t ninputs,
                const char *values, size_t nvalues, enum tm_op_how *how);

/* Free it; {0} again. */
void tm_op_work_fini(struct tm_op_work *w);

#endif
