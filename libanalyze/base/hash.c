/* SPDX-License-Identifier: MIT
 * How texts are hashed, and what is proven of it.
 *
 * A block of up to 64 words m becomes the 128 bits
 *     NH(m) = sum of (m[2i] + k[2i] mod 2^64) (m[2i+1] + k[2i+1] mod 2^64)   mod 2^128
 * of two different blocks of one length each difference has a probability of at most 2^-64 over the
 * random words k (Black, Halevi, Krawczyk, Krovetz, Rogaway: UMAC, 1999, theorem 4.2).  Blocks of a
 * longer text are the coefficients of a polynomial modulo 2^61 - 1 at a random place (Carter and
 * Wegman), which begins with the length.  The last block and the value of the polynomial x are
 * brought to 64 bits by the sum of a[i] x[i] + b mod 2^128, of which the upper half is strongly
 * universal for random a, b (Dietzfelbinger 1996): any l bits of two of them agree in 2^-l of all
 * keys. */
#include "base/hash.h"

#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define PRIME ((UINT64_C(1) << 61) - 1)

enum { BLOCK_BYTES = TM_HASH_BLOCK * sizeof(uint64_t) };

static struct tm_hash own;
static pthread_once_t drawn = PTHREAD_ONCE_INIT;

/* The next of a sequence that passes for random (SplitMix64). */
static uint64_t next(uint64_t *state)
{
	uint64_t v = *state += UINT64_C(0x9e3779b97f4a7c15);

	v = (v ^ v >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	v = (v ^ v >> 27) * UINT64_C(0x94d049bb133111eb);
	return v ^ v >> 31;
}

void tm_hash_seed(struct tm_hash *h, uint64_t seed)
{
	uint64_t w[sizeof *h / sizeof(uint64_t)];

	for (size_t i = 0; i < sizeof w / sizeof *w; i++)
		w[i] = next(&seed);
	memcpy(h, w, sizeof *h);
	h->power %= PRIME;
}

/* Where the system has no random bytes (yet): those it gave the process when it began, the time,
 * and where things lie. */
static uint64_t makeshift(void)
{
	const void *given = (const void *)getauxval(AT_RANDOM);
	uint64_t seed[2] = { 0 };
	struct timespec t = { 0 };

	if (given)
		memcpy(seed, given, sizeof seed);
	clock_gettime(CLOCK_REALTIME, &t);
	seed[0] += next(&seed[1]) + (uint64_t)t.tv_nsec + ((uint64_t)t.tv_sec << 30);
	seed[0] += next(&seed[0]) + (uint64_t)getpid() + (uint64_t)(uintptr_t)&seed;
	return next(&seed[0]);
}

static void draw(void)
{
	unsigned char bytes[sizeof own];
	ssize_t got;

	tm_hash_seed(&own, makeshift());
	memcpy(bytes, &own, sizeof bytes);
	for (size_t at = 0; at < sizeof bytes; at += (size_t)got) {
		size_t most = sizeof bytes - at < 256 ? sizeof bytes - at : 256;

		/* Up to 256 bytes are not cut short by signals. */
		got = getrandom(bytes + at, most, GRND_NONBLOCK);
		if (got <= 0)
			break;
	}
	memcpy(&own, bytes, sizeof own);
	own.power %= PRIME;
}

const struct tm_hash *tm_hash_own(void)
{
	pthread_once(&drawn, draw);
	return &own;
}

void tm_hash_own_seed(uint64_t seed)
{
	pthread_once(&drawn, draw);
	tm_hash_seed(&own, seed);
}

static uint64_t load64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline tm_u128 pair(const uint64_t *k, uint64_t a, uint64_t b)
{
	return (tm_u128)(a + k[0]) * (b + k[1]);
}

/* NH of n <= 512 bytes at p; those of the last 16 that a pair before had are taken again. */
static inline tm_u128 nh_bytes(const struct tm_hash *h, const unsigned char *p, size_t n)
{
	const uint64_t *k = h->word;
	tm_u128 sum = 0;

	for (; n > 32; n -= 32, p += 32, k += 4) {
		sum += pair(k, load64(p), load64(p + 8));
		sum += pair(k + 2, load64(p + 16), load64(p + 24));
	}
	if (n > 16) {
		sum += pair(k, load64(p), load64(p + 8));
		p += 16;
		n -= 16;
		k += 2;
	}
	return sum + pair(k, load64(p + n - 16), load64(p + n - 8));
}

/* NH of fewer than 16 bytes, of which two overlapping words have all. */
static inline tm_u128 nh_few(const struct tm_hash *h, const unsigned char *p, size_t n)
{
	uint32_t a, b;

	if (n >= 8)
		return pair(h->word, load64(p), load64(p + n - 8));
	if (n >= 4) {
		memcpy(&a, p, sizeof a);
		memcpy(&b, p + n - 4, sizeof b);
		return pair(h->word, a, b);
	}
	if (!n)
		return pair(h->word, 0, 0);
	return pair(h->word, (uint64_t)p[0] << 16 | (uint64_t)p[n / 2] << 8 | p[n - 1], 0);
}

/* Congruent to a * b + c modulo 2^61 - 1 and below 2^61 + 8, for b below 2^61 and a below 2^61 + 8.
 */
static uint64_t step(uint64_t a, uint64_t b, uint64_t c)
{
	tm_u128 v = (tm_u128)a * b + c;
	uint64_t r = ((uint64_t)v & PRIME) + (uint64_t)(v >> 61);

	return (r & PRIME) + (r >> 61);
}

/* The upper half of the sum of a[i] x[i] + b, whose x are the halves of m and `before`. */
static inline uint64_t finish(const struct tm_hash *h, tm_u128 m, uint64_t before)
{
	uint64_t x = (uint64_t)m, y = (uint64_t)(m >> 64);
	tm_u128 sum = (tm_u128)h->of[0].lo * x + (tm_u128)h->of[1].lo * y +
	              (tm_u128)h->of[2].lo * before + h->plus.lo;

	return tm_hash_spread((uint64_t)(sum >> 64) + h->of[0].hi * x + h->of[1].hi * y +
	                      h->of[2].hi * before + h->plus.hi);
}

/* Of a text of several blocks; the last is not empty, and 16 bytes end where it does. */
static __attribute__((noinline)) uint64_t hash_long(const struct tm_hash *h, const unsigned char *p,
                                                    size_t n)
{
	uint64_t before = n;

	for (; n > BLOCK_BYTES; n -= BLOCK_BYTES, p += BLOCK_BYTES) {
		tm_u128 m = nh_bytes(h, p, BLOCK_BYTES);

		before = step(before, h->power, (uint64_t)m);
		before = step(before, h->power, (uint64_t)(m >> 64));
	}
	return finish(h, nh_bytes(h, p, n), before);
}

uint64_t tm_hash_bytes(const struct tm_hash *h, const void *p, size_t n)
{
	if (n < 16)
		return finish(h, nh_few(h, p, n), n);
	if (n > BLOCK_BYTES)
		return hash_long(h, p, n);
	return finish(h, nh_bytes(h, p, n), n);
}

uint64_t tm_hash_words(const struct tm_hash *h, const uint64_t *w, size_t n)
{
	tm_u128 m = 0;
	size_t i = 0;

	for (; i + 1 < n; i += 2)
		m += pair(h->word + i, w[i], w[i + 1]);
	if (i < n)
		m += pair(h->word + i, w[i], 0);
	return finish(h, m, 0);
}
