/* SPDX-License-Identifier: MIT
 * The pass of several scenarios with AVX2. */
#if defined(__x86_64__)
#include "replay/tracks.h"
#include "replay/usual.h"
#include "replay/weights.h"
#include "replay/wide/go.h"

#include <string.h>

#define ISA    __attribute__((target("avx2")))
#define GO_ALL tm_wide_go_avx2
#include "replay/wide/pass.inc"
#else
typedef int no_avx2;
#endif
