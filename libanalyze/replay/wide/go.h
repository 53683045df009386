/* SPDX-License-Identifier: MIT
 * The pass of several scenarios, for each set of instructions: pass.inc. */
#ifndef REPLAY_WIDE_GO_H
#define REPLAY_WIDE_GO_H

#include "replay/wide/wide.h"

void tm_wide_go_plain(struct wide *w);
#if defined(__x86_64__)
void tm_wide_go_avx2(struct wide *w);
#endif

#endif
