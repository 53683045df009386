/* SPDX-License-Identifier: MIT */
#include "agg/moments.h"

#include <math.h>

#define PICO UINT64_C(1000000000000)

/* (n-1) s^2 + T^2/n in 1e-12 ns^2.  False when a step does not fit 256 bits. */
static bool squares_of(const struct stat_row *row, struct u256 *out)
{
	struct u256 t2, s2;
	double micro = row->stddev_ns * 1e6;
	u128 s;

	if (!(micro >= 0) || micro >= ldexp(1, 100))
		return false;
	s = (u128)(micro + 0.5);
	s2 = u256_mul128(s, s);
	if (!u256_mul(&s2, &s2, row->calls - 1))
		return false;
	t2 = u256_mul128(row->total_ns, row->total_ns);
	if (!u256_mul(&t2, &t2, PICO))
		return false;
	t2 = u256_div_round(&t2, row->calls);
	return u256_add(out, &s2, &t2);
}

enum stddev_state stat_row_repair(struct stat_row *row)
{
	const double wrap = ldexp(1, 64);
	double n = (double)row->calls, mean = (double)row->total_ns / n;
	u128 carry = (u128)row->total_ns * row->total_ns >> 64;
	double q, bound, error, dev;

	if (row->calls < 2) {
		row->stddev_ns = 0;
		return row->has_stddev ? STDDEV_AS_IS : STDDEV_ABSENT;
	}
	if (!row->has_stddev)
		return STDDEV_ABSENT;
	if (row->total_ns >> 32 == 0)
		return STDDEV_AS_IS;
	row->has_stddev = false;
	if (!row->has_extremes)
		return STDDEV_ABSENT;
	/* Printed: q = Q' - (T^2 - carry 2^64)/n, where Q' = Q - k 2^64 if the sum of squares wrapped
	 * k times itself.  Wanted: Q - T^2/n = q + 2^64 (k - carry/n).  It lies between 0 and the
	 * Bhatia-Davis bound, so at most one k fits, or none that we can stand behind.
	 * `error` is what six printed decimals and one integer division leave open. */
	q = row->stddev_ns * row->stddev_ns * (n - 1);
	error = 1e-6 * row->stddev_ns * n + 2;
	bound = ((double)row->max_ns - mean) * (mean - (double)row->min_ns) * n;
	dev = q - wrap * ((double)(uint64_t)(carry % row->calls) / n);
	if (dev < -error)
		dev += wrap;
	else if (dev >= wrap && carry >= row->calls)
		dev -= wrap;
	if (!(bound >= 0) || dev > bound + error || dev + wrap <= bound)
		return STDDEV_ABSENT;
	dev = dev < 0 ? 0 : dev > bound ? bound : dev;
	row->stddev_ns = sqrt(dev / (n - 1));
	row->has_stddev = true;
	return STDDEV_REPAIRED;
}

void moments_add_stat(struct moments *m, const struct stat_row *row)
{
	struct u256 sq;

	if (!row->calls)
		return;
	if (row->has_extremes) {
		bool first = !m->n;

		m->min = first || row->min_ns < m->min ? row->min_ns : m->min;
		m->max = first || row->max_ns > m->max ? row->max_ns : m->max;
	}
	m->no_extremes |= !row->has_extremes;
	m->n += row->calls;
	m->sealed += row->calls;
	m->sum += row->total_ns;
	if ((row->calls > 1 && !row->has_stddev) || !squares_of(row, &sq) ||
	    !u256_add(&m->pico, &m->pico, &sq))
		m->no_deviation = true;
}

void moments_merge(struct moments *m, const struct moments *from)
{
	if (!from->n)
		return;
	if (!m->n || from->min < m->min)
		m->min = from->min;
	if (!m->n || from->max > m->max)
		m->max = from->max;
	m->n += from->n;
	m->sealed += from->sealed;
	m->sum += from->sum;
	m->squares += from->squares;
	m->squares_hi += from->squares_hi + (m->squares < from->squares);
	m->no_extremes |= from->no_extremes;
	m->no_deviation |= from->no_deviation;
	if (!u256_add(&m->pico, &m->pico, &from->pico))
		m->no_deviation = true;
}

bool moments_stddev(const struct moments *m, double *ns)
{
	struct u256 q = { { (uint64_t)m->squares, (uint64_t)(m->squares >> 64), m->squares_hi,
		            0 } };
	struct u256 s2;
	double n = (double)m->n;

	if (m->n < 2 || m->no_deviation)
		return false;
	if (!m->sealed) {
		/* n Q - S^2 in whole ns^2: exact, never below zero. */
		s2 = u256_mul128(m->sum, m->sum);
		if (!u256_mul(&q, &q, m->n) || !u256_sub(&q, &q, &s2))
			return false;
		*ns = sqrt(u256_double(&q) / n / (n - 1));
		return true;
	}
	/* The same in 1e-12 ns^2; the statistics rows are rounded, so a hair below zero is zero. */
	s2 = u256_mul128(m->sum, m->sum);
	if (!u256_mul(&s2, &s2, PICO) || !u256_mul(&q, &q, PICO) || !u256_add(&q, &q, &m->pico) ||
	    !u256_mul(&q, &q, m->n))
		return false;
	*ns = u256_sub(&q, &q, &s2) ? sqrt(u256_double(&q) / 1e12 / n / (n - 1)) : 0;
	return true;
}

bool moments_extremes(const struct moments *m)
{
	return m->n && !m->no_extremes;
}
