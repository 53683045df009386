/* SPDX-License-Identifier: MIT
 * The fast row loop with NEON, which every aarch64 has. */
#if defined(__aarch64__)
#include "read/csv/scan.h"

#include "base/base.h"

#include <arm_neon.h>
#include <string.h>

struct masks {
	uint64_t quote, comma, newline;
};

/* One bit a byte out of four compared vectors. */
static inline uint64_t equal64(const uint8x16_t *v, unsigned char c)
{
	static const uint8_t weight[16] = {
		1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128
	};
	uint8x16_t w = vld1q_u8(weight), k = vdupq_n_u8(c);
	uint8x16_t a = vandq_u8(vceqq_u8(v[0], k), w), b = vandq_u8(vceqq_u8(v[1], k), w);
	uint8x16_t d = vandq_u8(vceqq_u8(v[2], k), w), e = vandq_u8(vceqq_u8(v[3], k), w);
	uint8x16_t s = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(d, e));

	return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(s, s)), 0);
}

static inline struct masks masks_of(const unsigned char *p)
{
	uint8x16_t v[4] = { vld1q_u8(p), vld1q_u8(p + 16), vld1q_u8(p + 32), vld1q_u8(p + 48) };

	return (struct masks) { .quote = equal64(v, '"'),
		                .comma = equal64(v, ','),
		                .newline = equal64(v, '\n') };
}

#define ISA
#define SCAN_ROWS scan_rows_neon
#include "read/csv/scan_rows.inc"
#else
typedef int scan_neon_not_on_this_machine;
#endif
