/* SPDX-License-Identifier: MIT
 * What went wrong, where: filled by the library, owned and printed by the caller. */
#ifndef TM_BASE_DIAG_H
#define TM_BASE_DIAG_H

#include "base/status.h"

#include <stdarg.h>
#include <stdint.h>

/* One finding.  `text` is one clause in lower case without a full stop, "what, then what to do".
 * It may hold bytes of hostile input: whoever prints it scrubs control characters. */
struct diag {
	uint64_t line;      /* 1-based line of the input, 0 = none */
	enum status status; /* ST_NOMEM: memory ran out; ST_OK: any other reason, or none */
	char text[480];     /* NUL-terminated; longer texts are cut */
};

/* Fill *d (printf rules); `d` may be NULL.  `line` 0 = no line. */
void diag_set(struct diag *d, uint64_t line, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* The same with a va_list. */
void diag_vset(struct diag *d, uint64_t line, const char *fmt, va_list ap);

/* "out of memory": what diag_oom says.  Who must tell it from other reasons looks at the
 * status. */
extern const char diag_no_memory[];

/* *d = "out of memory" with ST_NOMEM; returns nothing so that callers write `diag_oom(d); return
 * ST_FATAL;`. */
void diag_oom(struct diag *d);

#endif
