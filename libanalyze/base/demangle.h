/* SPDX-License-Identifier: MIT
 * Itanium C++ symbols into readable names, safely on hostile input. */
#ifndef TM_BASE_DEMANGLE_H
#define TM_BASE_DEMANGLE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* Longest symbol that is looked at.  The parser recurses about once per byte; the worst symbol
 * of this length was measured to need less than a quarter of an 8 MiB stack. */
#define TM_DEMANGLE_MAX_IN ((size_t)16 << 10)

/* Longest result.  Substitutions let n bytes of symbol stand for 2^n bytes of name. */
#define TM_DEMANGLE_MAX_OUT ((size_t)1 << 20)

/*
 * Append the demangled form of name[0..len) to `out`: "_Z3fooi" gives "foo(int)".
 *
 * True when something was appended.  False, with nothing appended, when it is no mangled name
 * (it does not begin with "_Z", holds a NUL byte, or does not parse), when it is longer than
 * TM_DEMANGLE_MAX_IN or its result longer than TM_DEMANGLE_MAX_OUT, when it is nested deeper than
 * 1000 levels, or when printing it could take unreasonable time or stack: then the caller shows it
 * as it is.  False with out->failed set when out of memory.
 * Sets errno to 0 or ENOMEM.  Thread-safe.
 */
bool tm_demangle(struct tm_buf *out, const char *name, size_t len);

#endif
