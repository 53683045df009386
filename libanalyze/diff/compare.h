/* SPDX-License-Identifier: MIT
 * Two sides of runs compared: is B slower than A, beyond noise, and what is the difference made of?
 */
#ifndef TM_DIFF_COMPARE_H
#define TM_DIFF_COMPARE_H

#include "agg/agg.h"
#include "diff/digest.h"
#include "model/model.h"

/* What decides. */
enum diff_on { ON_AUTO, ON_STEPS, ON_WINDOW, ON_KERNEL };
extern const char *const diff_on_words[]; /* without ON_AUTO: "steps" is [0]; ends with NULL */

/* What rows are of. */
enum diff_per { BY_KERNEL, BY_CLASS, BY_API, BY_COPY, BY_REGION, BY_PROBLEM };
extern const char *const diff_per_words[]; /* without BY_KERNEL; ends with NULL */

enum verdict { VERDICT_INCONCLUSIVE, VERDICT_REGRESSION, VERDICT_IMPROVEMENT, VERDICT_NEUTRAL };
extern const char *const verdict_words[];

/* What may be compared all the same. */
enum { ALLOW_SELF = 1, ALLOW_AGENTS = 2, ALLOW_ARCH = 4, ALLOW_PARTIAL = 8 };
extern const char *const allow_words[]; /* of these bits; ends with NULL */

struct diff_opts {
	enum diff_on on;
	enum diff_per per;
	unsigned allow;   /* ALLOW_* */
	double alpha;     /* level of significance */
	double floor;     /* least change that matters, as a share; negative = the usual ones */
	double min_share; /* rows below this share of both sides are put together */
	double fail_over; /* a regression by more, as a share, is SEV_NO; negative = none is */
	bool account;     /* the table is the account */
	bool history;     /* runs are in order of time, not two sides */
	bool people;      /* it is to be read, not parsed */
};

/* Domains that the runs must be read with (EV_BIT(enum domain)). */
uint64_t diff_domains(const struct diff_opts *o);

/* What came out, besides a table. */
struct diff_answer {
	enum verdict verdict;
	struct buf words;         /* one line: the verdict with the figure that decides */
	struct buf short_account; /* some lines: the times, and what their difference is made of; or
	                             empty */
	struct buf line;          /* one line: "verdict: WORD key=value ..." */
};

/* Compare n runs, the first na of which are side A, the others B; 0 < na < n.  The answer as rows
 * of *t, made here; caveats into *rep.  ST_OK; ST_END when the runs cannot be compared (*rep says
 * why, in errors; the table has the verdict only, or, of runs that are not whole, all rows);
 * ST_FATAL when out of memory. */
enum status diff_compare(struct digest *runs, size_t na, size_t n, const struct diff_opts *o,
                         struct table *t, struct diff_answer *answer, struct report *rep);

/* Find where in n runs, in order of time, the deciding time and that of each kernel change their
 * levels; the answer as above, the table run by run.  The verdict is that of the last change of the
 * deciding time.  Digests need no samples. */
enum status diff_history(struct digest *runs, size_t n, const struct diff_opts *o, struct table *t,
                         struct diff_answer *answer, struct report *rep);

enum { HISTORY_LEAST = 6 }; /* runs: of fewer nothing is found */

extern const struct column diff_columns[], diff_account_columns[], diff_history_columns[];

/* Free it; {0} again. */
void diff_answer_fini(struct diff_answer *a);

#endif
