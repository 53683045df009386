/* SPDX-License-Identifier: MIT
 * What the demangler cannot read yet: declarations of template parameters in template arguments, as
 * compilers write them since the Itanium ABI of 2023 ("Tn <type> <argument>"). */
#ifndef TM_BASE_MANGLED_H
#define TM_BASE_MANGLED_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* What a declaration becomes: an argument pack of this literal, which no compiler writes, the type
 * declared and the argument.  So the types in it are counted, which later ones refer to; who
 * prints the symbol takes the argument alone. */
#define MANGLED_MARK "Li@E"

/* Append the symbol, rewritten so.  False, with `out` in any state, when there is no such
 * declaration in it or it cannot be read; out->failed when out of memory.  Linear in n. */
bool tm_mangled_rewrite(struct tm_buf *out, const char *s, size_t n);

#endif
