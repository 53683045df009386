/* SPDX-License-Identifier: MIT
 * What went wrong, where: filled by the library, owned and printed by the caller. */
#ifndef TM_BASE_DIAG_H
#define TM_BASE_DIAG_H

#include "base/status.h"

#include <stdarg.h>
#include <stdint.h>

/* One finding.  `text` is one clause in lower case without a full stop, "what, then what to do".
 * It may hold bytes of hostile input: whoever prints it scrubs control characters. */
struct tm_diag {
	uint64_t line; /* 1-based line of the input, 0 = none */
	enum tm_status
	        status; /* TM_ST_NOMEM: memory ran out; TM_ST_OK: any other reason, or none */
	char text[480]; /* NUL-terminated; longer texts are cut */
};

/* Fill *d (printf rules); `d` may be NULL.  `line` 0 = no line. */
void tm_diag_set(struct tm_diag *d, uint64_t line, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* The same with a va_list. */
void tm_diag_vset(struct tm_diag *d, uint64_t line, const char *fmt, va_list ap);

/* "out of memory": what tm_diag_oom says.  To distinguish it from other reasons, use the status. */
extern const char tm_diag_no_memory[];

/* *d = "out of memory" with TM_ST_NOMEM; returns nothing so that callers write `tm_diag_oom(d);
 * return TM_ST_FATAL;`. */
void tm_diag_oom(struct tm_diag *d);

#endif
