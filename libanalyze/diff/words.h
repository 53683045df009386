/* SPDX-License-Identifier: MIT
 * The answer in words. */
#ifndef TM_DIFF_WORDS_H
#define TM_DIFF_WORDS_H

#include "diff/account.h"
#include "diff/refuse.h"

/* The verdict with the figure that decides, one line: "slower: step time +3.1 ms (+4.2 %, p =
 * 0.003, n = 40 against 40)". */
void tm_put_verdict(struct tm_buf *b, const struct tm_decision *d, const struct tm_refusal *r);

/* The same for scripts, one line: "verdict: regression on=steps delta_ns=3100000 ...". */
void tm_put_verdict_line(struct tm_buf *b, const struct tm_decision *d, const struct tm_refusal *r);

/* What the times are, and the account in a few lines. */
void tm_put_account(struct tm_buf *b, const struct tm_decision *d, const struct tm_account *a,
                    const struct tm_pairs *kernels);

/* "; nearly all kernels are called 1.5 times as often: ...", where they are. */
void tm_put_length(struct tm_buf *b, const struct tm_length *l, enum tm_verdict v);

/* "+3.1 ms": four digits and a unit. */
void tm_put_time(struct tm_buf *b, double ns, bool sign);

/* The change of a typical call: "+8.0 %" with so many decimals; "40 ns, was 0 ns" where there is no
 * share. */
void tm_put_change(struct tm_buf *b, const struct tm_pair *p, int decimals);

#endif
