/* SPDX-License-Identifier: MIT
 * What the generators of traces share: random numbers, kernel names, how often each is used.  The
 * same seed gives the same on every machine: integer arithmetic only, no libm, no locale, no clock.
 * All of it ends the program when memory runs out. */
#ifndef GEN_MODEL_H
#define GEN_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "PROGRAM: what" to stderr; exit 2. */
_Noreturn void die(const char *what);

/* n things of `size` bytes, all zero. */
void *alloc(size_t n, size_t size);

/* ---- random numbers: xoshiro256**, seeded by splitmix64; public domain algorithms ---- */

struct rng {
	uint64_t s[4];
};

void rng_init(struct rng *r, uint64_t seed);

static inline uint64_t rotl(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

static inline uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s, out = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return out;
}

/* 0 .. n-1, n below 2^32; the bias of 2^-32 does not matter here. */
static inline uint32_t below(struct rng *r, uint64_t n)
{
	return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* ---- text that grows; {0} is empty ---- */

struct text {
	char *p;
	size_t n, cap;
};

void text_mem(struct text *t, const char *p, size_t n);
void text_str(struct text *t, const char *s);
void text_fmt(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- kernel names ---- */

/* A set of hashes of names: names must differ, and 64 bits tell them apart well enough. */
struct tm_seen {
	uint64_t *v;
	size_t mask;
};

/* Room for n names; free(v) when done. */
struct tm_seen seen_new(uint64_t n);

/* A name that was not there before, of the family that stands at this rank of use.  brief: about 64
 * bytes instead of about 420; nasty: with quotes, commas, newlines and pieces of rows. */
struct text name_new(uint64_t rank, bool brief, bool nasty, struct rng *r, struct tm_seen *seen);

/* ---- Zipf, s = 1, by Walker's alias method in integers ---- */

struct zipf {
	uint32_t *keep; /* take i when a 32-bit random number is not above keep[i] */
	uint32_t *other;
	uint32_t n;
};

void zipf_init(struct zipf *z, uint32_t n);

static inline uint32_t zipf_pick(const struct zipf *z, struct rng *r)
{
	uint64_t u = rng_next(r);
	uint32_t i = (uint32_t)((u >> 32) * z->n >> 32);

	return (uint32_t)u <= z->keep[i] ? i : z->other[i];
}

/* How long a dispatch takes: like a log-normal, without libm.  typical * 2^(z/16), z a sum of fair
 * coins (popcount) around 0 times the spread, and fine noise below a sixteenth of an octave.
 * octave16: log2 of the typical duration in ns, times 16. */
uint64_t duration(uint32_t octave16, uint32_t spread, struct rng *r);

/* The decimal digits of v at p; where they end.  Up to 20. */
char *put_u64(char *p, uint64_t v);

/* A number of the command line, from lo to hi; else a message naming `what` and exit 2. */
uint64_t number(const char *s, uint64_t lo, uint64_t hi, const char *what);

#endif
