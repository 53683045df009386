/* SPDX-License-Identifier: MIT
 * What there is to say about a run besides its numbers: kept in order, printed by the caller. */
#ifndef TM_STREAM_REPORT_H
#define TM_STREAM_REPORT_H

#include "read/read.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum severity {
	SEV_NOTE,  /* worth knowing; the answer stands */
	SEV_WARN,  /* the answer stands, but may mislead */
	SEV_SKIP,  /* rows were left out; with --strict an error */
	SEV_NO,    /* the answer to what was asked is no: status 1 */
	SEV_ERROR, /* some input could not be read whole, or the question cannot be answered: status
	              2 */
};

struct finding {
	enum severity severity;
	char *where;    /* what it is about, as the user names it; NULL = the whole run */
	uint64_t line;  /* 1-based, 0 = none */
	char *text;     /* may hold hostile bytes: scrub before printing */
	bool no_memory; /* memory ran out */
};

/* {0} is a valid empty report. */
struct report {
	struct finding *v;
	size_t n, cap;
	bool lost; /* a finding could not be kept: out of memory */
};

/* Add a finding (printf rules).  Texts are copied; `where` may be NULL. */
void report_add(struct report *r, enum severity severity, const char *where, uint64_t line,
                const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Add what *d says as an error. */
void report_diag(struct report *r, const char *where, const struct diag *d);

/* Of one kind of finding about a rank: a thousand ranks must not make a thousand lines.  {0} before
 * the first. */
struct report_few {
	uint64_t n;
};
enum { REPORT_FEW = 4 };

/* One more rank.  True for the first REPORT_FEW: add the finding itself. */
bool report_few(struct report_few *f);

/* How many there were beyond: "996 more ranks: " and what is to be said of them; nothing when none.
 */
void report_more(struct report *r, const struct report_few *f, enum severity severity,
                 const char *what);

/* What the reader of `where` left out, as one finding for each reason. */
void report_loss(struct report *r, const char *where, const struct loss *l);

/* Move all of `from` behind what is there; `from` is empty afterwards. */
void report_move(struct report *r, struct report *from);

/* The errors of `from`, of an earlier reading of the same inputs, that are not said yet. */
void report_errors_of(struct report *r, const struct report *from);

/* Something of `where` could not be read while it was looked at, so what was made of it may be
 * wrong: an error of both texts, unless one about it was said already.  True when it was not. */
bool report_unread(struct report *r, const char *where, const char *what, const char *why);

/* Free it; {0} again. */
void report_fini(struct report *r);

#endif
