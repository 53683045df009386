/* SPDX-License-Identifier: MIT
 * The fast row loop with SSE2, which every x86-64 has. */
#if defined(__x86_64__)
#include "read/csv/scan.h"

#include "base/base.h"

#include <emmintrin.h>
#include <string.h>

struct masks {
	uint64_t quote, comma, newline;
};

static inline uint64_t equal16(__m128i v, char c)
{
	return (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
}

static inline struct masks masks_of(const unsigned char *p)
{
	struct masks m = { 0 };

	for (unsigned i = 0; i < 64; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));

		m.quote |= equal16(v, '"') << i;
		m.comma |= equal16(v, ',') << i;
		m.newline |= equal16(v, '\n') << i;
	}
	return m;
}

#define ISA
#define SCAN_ROWS tm_scan_rows_sse2
#include "read/csv/scan_rows.inc"
#else
typedef int scan_sse2_not_on_this_machine;
#endif
