/* SPDX-License-Identifier: MIT
 * Kernels that run side by side share their agent: k of them run at rate 1 / (1 + s (k - 1)).  With
 * s = 0 each is as fast as alone, with s = 1 they take turns.  s is estimated from the same kernels
 * at the same place of the program that ran with more and with less next to them; without these,
 * any s is possible.
 *
 * Communication kernels are excluded, since they wait for others. */
#ifndef REPLAY_SHARE_H
#define REPLAY_SHARE_H

#include "replay/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which s.  What a change gives need not be the most or the least with the lowest or the highest:
 * one is between the usual and that. */
enum share_is { SHARE_USUAL, SHARE_LOW, SHARE_HIGH, SHARE_BETWEEN, SHARES };

/* Lengths and times are found anew so often at most. */
enum { SHARE_ROUNDS = 2 };

/* What each kernel of a rank takes alone, and how much longer than that it took. */
struct share_alone {
	double s;
	double *ns, *slow; /* of each operation; NULL with s 0, those of an equal s before */
};

/* Kernels of one agent, n of them from `from` on in share.op. */
struct share_agent {
	uint32_t from, n;
};

/* Those of a rank, of the agents where several can run side by side. */
struct share {
	const struct tm_replay_rank *r;
	uint32_t *op; /* by agent and lane */
	struct share_agent *agent;
	size_t n;
	struct share_alone is[SHARES];
};

/* With `usual` of the likely s alone.  False when out of memory. */
bool tm_share_make(struct share *s, const struct tm_replay_rank *r, bool usual);
void tm_share_fini(struct share *s);

/* What that takes, for any rank, one after the other. */
struct share_machine;
struct share_machine *tm_share_machine_new(const struct tm_replay *r);
void tm_share_machine_free(struct share_machine *m);

/* The lengths of kernels that begin at start[op]: ns[op], before what each would take beside the
 * same others as it had, becomes what it takes beside others of now. */
void tm_share_lengths(const struct share *s, enum share_is is, struct share_machine *m,
                      const uint64_t *start, uint64_t *ns);

#endif
