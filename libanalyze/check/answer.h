/* SPDX-License-Identifier: MIT
 * What became of all rules together, and how it is shown. */
#ifndef TM_CHECK_ANSWER_H
#define TM_CHECK_ANSWER_H

#include "check/values.h"

#include <stdbool.h>
#include <stddef.h>

/* All of it: first what cannot be judged of the inputs, then a result for each rule, in the order
 * of the rules. */
struct check_answer {
	struct check_result *v;
	size_t n, cap;
	size_t rules, of[CHECK_VERDICTS]; /* rules, and results of each verdict */
	const char *version;
};

/* One more result, empty; NULL when out of memory.  Valid until the next is added. */
struct check_result *check_add(struct check_answer *a);

/* Count the verdicts, when all are there. */
void check_count(struct check_answer *a);

/* 0: all rules hold; 1: one does not; 2: one cannot be judged, or an input. */
int check_status(const struct check_answer *a);

/* The word for it: pass, fail, inconclusive. */
const char *check_word(const struct check_answer *a);

/* "2 of 6 rules failed, 1 has no value": one line without its end.  "verdict: WORD key=value ...",
 * the same for scripts. False when out of memory. */
bool check_put_words(struct buf *b, const struct check_answer *a);
bool check_put_line(struct buf *b, const struct check_answer *a);

/* The answer as rows of *t (made here, the caller's to fini; texts are the answer's), as the rules
 * stand, and the verdict as the last.  False when out of memory. */
bool check_table(struct table *t, const struct check_answer *a);
extern const struct column check_columns[];

/* What a result is called in reports that are compared over time: the value's name, and what tells
 * it from other rules about the same.  False when out of memory. */
bool check_put_id(struct buf *b, const struct check_answer *a, size_t i);

/* "41.2 us, not < 30 us: NAME" or why there is no value: one line, of hostile bytes.  False when
 * out of memory. */
bool check_put_message(struct buf *b, const struct check_result *r);

/* The results in the order in which people want them: worst first; the caller's to free, NULL when
 * out of memory. */
size_t *check_order(const struct check_answer *a);

/* How text may look. */
struct check_look {
	unsigned width;   /* columns of the terminal */
	bool utf8, color; /* it takes these */
};

/* "30 us": one of the result's numbers with its unit.  False when out of memory. */
bool check_put_number(struct buf *b, const struct check_result *r, const struct buf *number);

/* One output format: one file check/<id>.c and one line in check/formats.def. */
struct check_format {
	const char *name;  /* what -f takes */
	const char *about; /* one clause */
	/* Append all of it; false when out of memory. */
	bool (*render)(struct buf *out, const struct check_answer *a,
	               const struct check_look *look);
};

/* All of them, ending with NULL. */
extern const struct check_format *const check_formats[];

/* Free it; {0} again. */
void check_answer_fini(struct check_answer *a);

#endif
