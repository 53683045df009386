/* SPDX-License-Identifier: MIT
 * The fast row loop with AVX2; chosen at run time. */
#if defined(__x86_64__)
#include "read/csv/scan.h"

#include "base/base.h"

#include <immintrin.h>
#include <string.h>

#define ISA __attribute__((target("avx2,bmi,popcnt,pclmul")))

struct masks {
	uint64_t quote, comma, newline;
};

static inline ISA uint64_t equal32(__m256i v, char c)
{
	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(c)));
}

static inline ISA struct masks masks_of(const unsigned char *p)
{
	__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));

	return (struct masks) { .quote = equal32(a, '"') | equal32(b, '"') << 32,
		                .comma = equal32(a, ',') | equal32(b, ',') << 32,
		                .newline = equal32(a, '\n') | equal32(b, '\n') << 32 };
}

/* Are n bytes the same?  Inline, because the call and its dispatch cost as much as a short name. */
static inline ISA bool same_bytes(const unsigned char *a, const char *b, size_t n)
{
	size_t i = 0;
	__m256i d;

	if (n < 8)
		return !memcmp(a, b, n);
	for (; n <= 32 && i + 8 < n; i += 8)
		if (memcmp(a + i, b + i, 8) != 0)
			return false;
	if (n <= 32)
		return !memcmp(a + n - 8, b + n - 8, 8);
	for (; i + 32 < n; i += 32) {
		d = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)(a + i)),
		                      _mm256_loadu_si256((const __m256i *)(const void *)(b + i)));
		if (_mm256_movemask_epi8(d) != -1)
			return false;
	}
	d = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)(a + n - 32)),
	                      _mm256_loadu_si256((const __m256i *)(const void *)(b + n - 32)));
	return _mm256_movemask_epi8(d) == -1;
}

/* Each bit by all the bits above it: a product without carries. */
static inline ISA uint64_t xor_up(uint64_t q)
{
	return (uint64_t)_mm_cvtsi128_si64(
	        _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)q), _mm_set1_epi8((char)-1), 0));
}

#define SAME_BYTES same_bytes
#define INSIDE     xor_up
#define SCAN_ROWS  tm_scan_rows_avx2
#include "read/csv/scan_rows.inc"
#else
typedef int scan_avx2_not_on_this_machine;
#endif
