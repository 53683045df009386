/* SPDX-License-Identifier: MIT
 * Compare two sides of runs: is B slower than A, beyond noise, and what does the difference consist
 * of? */
#ifndef TM_DIFF_COMPARE_H
#define TM_DIFF_COMPARE_H

#include "agg/agg.h"
#include "diff/digest.h"
#include "model/model.h"

/* What decides. */
enum tm_diff_on { TM_ON_AUTO, TM_ON_STEPS, TM_ON_WINDOW, TM_ON_KERNEL };
extern const char
        *const tm_diff_on_words[]; /* without TM_ON_AUTO: "steps" is [0]; ends with NULL */

/* What rows are of. */
enum tm_diff_per { TM_BY_KERNEL, TM_BY_CLASS, TM_BY_API, TM_BY_COPY, TM_BY_REGION, TM_BY_PROBLEM };
extern const char *const tm_diff_per_words[]; /* without TM_BY_KERNEL; ends with NULL */

enum tm_verdict {
	TM_VERDICT_INCONCLUSIVE,
	TM_VERDICT_REGRESSION,
	TM_VERDICT_IMPROVEMENT,
	TM_VERDICT_NEUTRAL
};
extern const char *const tm_verdict_words[];

/* What --allow permits to compare. */
enum { TM_ALLOW_SELF = 1, TM_ALLOW_AGENTS = 2, TM_ALLOW_ARCH = 4, TM_ALLOW_PARTIAL = 8 };
extern const char *const tm_allow_words[]; /* of these bits; ends with NULL */

struct tm_diff_opts {
	enum tm_diff_on on;
	enum tm_diff_per per;
	unsigned allow;   /* ALLOW_* */
	double alpha;     /* level of significance */
	double floor;     /* least change that matters, as a share; negative = the usual ones */
	double min_share; /* rows below this share of both sides are put together; negative = none
	                   * are, and a history is of kernels with 1 % */
	double fail_over; /* a regression by more, as a share, is TM_SEV_NO; negative = none is */
	bool account;     /* the table is the account */
	bool history;     /* runs are in order of time, not two sides */
	bool skips;       /* the user said to leave steps out */
	bool same_work;   /* ... and that the window decides: all runs do the same */
	bool people;      /* it is to be read, not parsed */
};

/* Domains that the runs must be read with (TM_EV_BIT(enum tm_domain)). */
uint64_t tm_diff_domains(const struct tm_diff_opts *o);

/* The answer, besides the table. */
struct tm_diff_answer {
	enum tm_verdict verdict;
	struct tm_buf words; /* one line: the verdict with the figure that decides */
	struct tm_buf
	        short_account; /* some lines: the times, and what their difference is made of; or
	                             empty */
	struct tm_buf line;    /* one line: "verdict: WORD key=value ..." */
};

/* Compare n runs, the first na of which are side A, the others B; 0 < na < n.  Writes the answer to
 * *t, initialized here, and caveats to *rep.  TM_ST_OK; TM_ST_END when the runs cannot be compared
 * (*rep says why, in errors; the table has only the verdict or, for incomplete runs, all rows);
 * TM_ST_FATAL when out of memory. */
enum tm_status tm_diff_compare(struct tm_digest *runs, size_t na, size_t n,
                               const struct tm_diff_opts *o, struct tm_table *t,
                               struct tm_diff_answer *answer, struct tm_report *rep);

/* Find where in n runs, in order of time, the deciding time and that of each kernel change their
 * levels; the answer as above, the table run by run.  The verdict is that of the last change of the
 * deciding time.  Digests need no samples. */
enum tm_status tm_diff_history(struct tm_digest *runs, size_t n, const struct tm_diff_opts *o,
                               struct tm_table *t, struct tm_diff_answer *answer,
                               struct tm_report *rep);

enum { TM_HISTORY_LEAST = 6 }; /* runs: of fewer nothing is found */

extern const struct tm_column tm_diff_columns[], tm_diff_account_columns[],
        tm_diff_history_columns[];

/* Free it; {0} again. */
void tm_diff_answer_fini(struct tm_diff_answer *a);

#endif
