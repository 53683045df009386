/* SPDX-License-Identifier: MIT
 * Messages about a run: kept in order, printed by the caller. */
#ifndef TM_STREAM_REPORT_H
#define TM_STREAM_REPORT_H

#include "read/read.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tm_severity {
	TM_SEV_NOTE,  /* worth knowing; the answer stands */
	TM_SEV_WARN,  /* the answer stands, but may mislead */
	TM_SEV_SKIP,  /* rows were left out; with --strict an error */
	TM_SEV_NO,    /* the answer to what was asked is no: status 1 */
	TM_SEV_ERROR, /* some input could not be read whole, or the question cannot be answered:
	               * status
	              2 */
};

struct tm_finding {
	enum tm_severity severity;
	char *where;    /* what it is about, as the user names it; NULL = the whole run */
	uint64_t line;  /* 1-based, 0 = none */
	char *text;     /* may hold hostile bytes: scrub before printing */
	bool no_memory; /* memory ran out */
};

/* {0} is a valid empty report. */
struct tm_report {
	struct tm_finding *v;
	size_t n, cap;
	bool lost; /* a finding could not be kept: out of memory */
};

/* Add a finding (printf rules).  Texts are copied; `where` may be NULL. */
void tm_report_add(struct tm_report *r, enum tm_severity severity, const char *where, uint64_t line,
                   const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Report skipped rows, if there are any: rows without times; rows of statistics files. */
void tm_report_untimed(struct tm_report *r, uint64_t rows);
void tm_report_stats(struct tm_report *r, uint64_t rows);

/* Add *d as an error. */
void tm_report_diag(struct tm_report *r, const char *where, const struct tm_diag *d);

/* Limits a kind of finding about ranks: a thousand ranks must not give a thousand lines.  {0}
 * before the first. */
struct tm_report_few {
	uint64_t n;
};
enum { TM_REPORT_FEW = 4 };

/* Count a rank.  True for the first TM_REPORT_FEW: add the finding itself. */
bool tm_report_few(struct tm_report_few *f);

/* Report how many more there were: "996 more ranks: " and `what`; nothing if none. */
void tm_report_more(struct tm_report *r, const struct tm_report_few *f, enum tm_severity severity,
                    const char *what);

/* Report what the reader of `where` lost, one finding for each reason. */
void tm_report_loss(struct tm_report *r, const char *where, const struct tm_loss *l);

/* Add all of `from`, which stays.  False when out of memory. */
bool tm_report_copy(struct tm_report *r, const struct tm_report *from);

/* Move all of `from` after what is there; `from` is empty afterwards. */
void tm_report_move(struct tm_report *r, struct tm_report *from);

/* Add what is as severe as `least` of `from`, from an earlier reading of the same inputs, that is
 * not in *r yet. */
void tm_report_severe(struct tm_report *r, const struct tm_report *from, enum tm_severity least);

/* Add an error that something of `where` could not be read, so that the result may be wrong, with
 * both texts, unless there is one about it already.  True if it was added. */
bool tm_report_unread(struct tm_report *r, const char *where, const char *what, const char *why);

/* Add a note of the rows, by kind, that are not events; none if there are no such rows. */
void tm_report_no_events(struct tm_report *r, const uint64_t rows[TM_EV_NKINDS]);

/* Free it; {0} again. */
void tm_report_fini(struct tm_report *r);

#endif
