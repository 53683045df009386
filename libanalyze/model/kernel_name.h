/* SPDX-License-Identifier: MIT
 * One name for one kernel, however the producer spelt it. */
#ifndef MODEL_KERNEL_NAME_H
#define MODEL_KERNEL_NAME_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* Levels of identity, coarser and coarser. */
enum name_level {
	NAME_FULL,  /* demangled; without ".kd", " [clone .kd]", " (.kd)" and outer quotes */
	NAME_SHORT, /* and without return type, argument list, "(anonymous namespace)::",
		       ROCPRIM_<digits>_NS:: (HIPCUB, THRUST, CUB too), lambda numbers
		       ({lambda(int)#2}, 'lambda0', $_1), Triton's trailing _<digits> */
	NAME_BASE,  /* and without template arguments and enclosing namespaces; an operator or a
		       lambda keeps what it belongs to: "run::{lambda(int)}::operator()" */
};

/* Append the kernel's name at that level to `out`.  Tile sizes in names stay at every level
 * (MT128x64 is not MT64x128); those in template arguments go with them at NAME_BASE.  A name that
 * cannot be demangled stays mangled, and text that is not shaped like a function ("Memset
 * (Device)", brackets that do not balance) stays as it is.  The result may equal the input; it is
 * empty only if the input is.  Time is linear in `len` but for mangled names, which demangle()
 * bounds.  False when out of memory. */
bool kernel_name(struct buf *out, const char *name, size_t len, enum name_level level);

/* The name without the producer's decoration (".kd" and so on): the part of `name` that is left, no
 * copy made.  *n is its length. */
const char *kernel_name_trim(const char *name, size_t len, size_t *n);

#endif
