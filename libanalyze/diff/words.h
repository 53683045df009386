/* SPDX-License-Identifier: MIT
 * The answer in words. */
#ifndef TM_DIFF_WORDS_H
#define TM_DIFF_WORDS_H

#include "diff/account.h"
#include "diff/refuse.h"

/* The verdict with the figure that decides, one line: "slower: step time +3.1 ms (+4.2 %, p =
 * 0.003, n = 40 against 40)". */
void put_verdict(struct buf *b, const struct decision *d, const struct refusal *r);

/* The same for scripts, one line: "verdict: regression on=steps delta_ns=3100000 ...". */
void put_verdict_line(struct buf *b, const struct decision *d, const struct refusal *r);

/* What the times are, and the account in a few lines. */
void put_account(struct buf *b, const struct decision *d, const struct account *a,
                 const struct pairs *kernels);

/* "+3.1 ms": four digits and a unit. */
void put_time(struct buf *b, double ns, bool sign);

#endif
