/* SPDX-License-Identifier: MIT
 * A function's own name, without namespaces and template arguments. */
#ifndef TM_MODEL_NAME_BASE_H
#define TM_MODEL_NAME_BASE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

/* Append a qualified name without template arguments and lists of arguments: of "ns::step<4>" it is
 * "ns::step".  *own is where its last component begins that has a name of its own, "step"; an
 * operator or a lambda keeps what it belongs to: "run::{lambda(int)#1}::operator()".  Of a launcher
 * (schemas/kernel_launchers.def) it is what is launched.  Text that does not balance is taken
 * whole. False when out of memory. */
bool tm_name_scope(struct tm_buf *out, const char *s, size_t n, size_t *own);

/* Append that component alone. */
bool tm_name_base(struct tm_buf *out, const char *s, size_t n);

#endif
