/* SPDX-License-Identifier: MIT
 * One name for one kernel, however the producer spelt it. */
#ifndef TM_MODEL_KERNEL_NAME_H
#define TM_MODEL_KERNEL_NAME_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

/* Levels of identity, from fine to coarse. */
enum tm_name_level {
	TM_NAME_FULL,  /* demangled; without ".kd", " [clone .kd]", " (.kd)" and outer quotes */
	TM_NAME_SHORT, /* and without return type, argument list, "(anonymous namespace)::",
	               ROCPRIM_<digits>_NS:: (HIPCUB, THRUST, CUB too), Triton's trailing _<digits>;
	               the numbers of lambdas ({lambda(int)#2}, 'lambda0', $_1) are in a mark after
	               it */
	TM_NAME_BASE,  /* and without template arguments and enclosing namespaces; an operator or a
	               lambda keeps what it belongs to: "run::{lambda(int)}::operator()".  What only
	               launches (schemas/kernel_launchers.def) has the name of what it launches */
};

/* The mark: the numbers of a name's lambdas in order, "#2.3.1", or, if that is long, "#x" and 8
 * digits derived from them.  They distinguish kernels of one function, such as PyTorch's GELU by
 * tanh and by erf; but a new lambda in the source renumbers all after it, so only the name before
 * the mark is the same in two builds.  There is no mark if all lambdas are the first of their
 * function. */

/* Append the kernel's name at that level to `out`.  Tile sizes in names stay at every level
 * (MT128x64 is not MT64x128); those in template arguments go with them at TM_NAME_BASE.  A name
 * that cannot be demangled stays mangled, and text that is not shaped like a function ("Memset
 * (Device)", brackets that do not balance) stays as it is.  The result may equal the input; it is
 * empty only if the input is.  Time is linear in `len` but for mangled names, which tm_demangle()
 * bounds.  False when out of memory. */
bool tm_kernel_name(struct tm_buf *out, const char *name, size_t len, enum tm_name_level level);

/* Length of a short or base name without its mark. */
size_t tm_kernel_name_unmarked(const char *name, size_t len);

/* The name without the producer's decoration (".kd" and so on): a part of `name`, not a copy.  *n
 * is its length. */
const char *tm_kernel_name_trim(const char *name, size_t len, size_t *n);

#endif
