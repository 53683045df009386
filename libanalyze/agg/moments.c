/* SPDX-License-Identifier: MIT */
#include "agg/moments.h"

#include <math.h>

#define PICO UINT64_C(1000000000000)

/* (n-1) s^2 + T^2/n in 1e-12 ns^2.  False when a step does not fit 256 bits. */
static bool squares_of(const struct tm_stat_row *row, struct tm_u256 *out)
{
	struct tm_u256 t2, s2;
	double micro = row->stddev_ns * 1e6;
	tm_u128 s;

	if (!(micro >= 0) || micro >= ldexp(1, 100))
		return false;
	s = (tm_u128)(micro + 0.5);
	s2 = tm_u256_mul128(s, s);
	if (!tm_u256_mul(&s2, &s2, row->calls - 1))
		return false;
	t2 = tm_u256_mul128(row->total_ns, row->total_ns);
	if (!tm_u256_mul(&t2, &t2, PICO))
		return false;
	t2 = tm_u256_div_round(&t2, row->calls);
	return tm_u256_add(out, &s2, &t2);
}

/* What the wrapped deviation leaves possible.  The profiler printed sqrt(q / (n-1)) with
 *     q = |Q' - W|,  Q' = Q mod 2^64,  W = (T^2 mod 2^64) / n,  T^2 = carry 2^64 + T^2 mod 2^64
 * so, for a sign and a whole k >= 0,
 *     Q - T^2/n = +-q + 2^64 (k - carry/n)
 * and that is at least (max-min)^2 / 2, as both extremes are among the values, and at most
 * n (max-mean)(mean-min) (Bhatia-Davis).  Exactly one pair (sign, k) must fit. */
struct wrapped {
	double q, w, frac;         /* frac = carry/n modulo 1, times 2^64 */
	double least, most, error; /* of the deviation sum; what rounding leaves open */
	bool may_lower;            /* carry >= n: k can be one less */
};

/* How many k fit with this sign; the deviation sum of the first. */
static int fits(const struct wrapped *x, int sign, double *dev)
{
	const double wrap = ldexp(1, 64);
	double d = sign * x->q - x->frac;
	int n = 0;

	/* Q' is a 64-bit number. */
	if (x->w + sign * x->q < -x->error || x->w + sign * x->q > wrap + x->error)
		return 0;
	if (d < x->least)
		d += wrap * ceil((x->least - d) / wrap);
	if (d >= wrap + x->least && x->may_lower)
		d -= wrap;
	for (; d <= x->most && n < 2; d += wrap)
		if (!n++)
			*dev = d;
	return n;
}

enum tm_stddev_state tm_stat_row_repair(struct tm_stat_row *row)
{
	double n = (double)row->calls, mean = (double)row->total_ns / n, dev = 0, other = 0;
	double most, least;
	tm_u128 t2 = (tm_u128)row->total_ns * row->total_ns;
	struct wrapped x;
	int plus, minus;

	if (row->calls < 2) {
		row->stddev_ns = 0;
		return row->has_stddev ? TM_STDDEV_AS_IS : TM_STDDEV_ABSENT;
	}
	if (!row->has_stddev)
		return TM_STDDEV_ABSENT;
	if (row->total_ns >> 32 == 0)
		return TM_STDDEV_AS_IS;
	row->has_stddev = false;
	if (!row->has_extremes)
		return TM_STDDEV_ABSENT;
	x.q = row->stddev_ns * row->stddev_ns * (n - 1);
	x.w = (double)(uint64_t)t2 / n;
	x.frac = ldexp((double)((uint64_t)(t2 >> 64) % row->calls) / n, 64);
	x.may_lower = (uint64_t)(t2 >> 64) >= row->calls;
	/* Six printed decimals; two doubles of up to 2^64 in the profiler's arithmetic. */
	x.error = 1e-6 * row->stddev_ns * n + 4098;
	most = ((double)row->max_ns - mean) * (mean - (double)row->min_ns) * n;
	least = pow((double)(row->max_ns - row->min_ns), 2) / 2;
	if (!(most >= 0) || row->max_ns < row->min_ns)
		return TM_STDDEV_ABSENT;
	x.most = most * (1 + 1e-9) + x.error;
	x.least = least * (1 - 1e-9) - x.error;
	/* Q' and W are below 2^64, so their difference is; and past 2^52 multiples of 2^64 a double
	 * does not tell them apart. */
	if (x.q > ldexp(1, 65) || x.least > ldexp(1, 110))
		return TM_STDDEV_ABSENT;
	plus = fits(&x, 1, &dev);
	minus = fits(&x, -1, plus ? &other : &dev);
	/* A q near 0 is the same with either sign. */
	if (plus == 1 && minus == 1 && fabs(dev - other) <= 2 * x.error)
		minus = 0;
	/* Nearly equal values leave no digit to stand behind, equal ones are known. */
	if (row->min_ns == row->max_ns)
		dev = 0;
	else if (plus + minus != 1 || dev < 1e4 * x.error)
		return TM_STDDEV_ABSENT;
	row->stddev_ns = sqrt((dev > most ? most : dev) / (n - 1));
	row->has_stddev = true;
	return TM_STDDEV_REPAIRED;
}

void tm_moments_add_stat(struct tm_moments *m, const struct tm_stat_row *row)
{
	struct tm_u256 sq;

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
	    !tm_u256_add(&m->pico, &m->pico, &sq))
		m->no_deviation = true;
}

void tm_moments_merge(struct tm_moments *m, const struct tm_moments *from)
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
	if (!tm_u256_add(&m->pico, &m->pico, &from->pico))
		m->no_deviation = true;
}

bool tm_moments_stddev(const struct tm_moments *m, double *ns)
{
	struct tm_u256 q = { { (uint64_t)m->squares, (uint64_t)(m->squares >> 64), m->squares_hi,
		               0 } };
	struct tm_u256 s2;
	double n = (double)m->n;

	if (m->n < 2 || m->no_deviation)
		return false;
	if (!m->sealed) {
		/* n Q - S^2 in whole ns^2: exact, never below zero. */
		s2 = tm_u256_mul128(m->sum, m->sum);
		if (!tm_u256_mul(&q, &q, m->n) || !tm_u256_sub(&q, &q, &s2))
			return false;
		*ns = sqrt(tm_u256_double(&q) / n / (n - 1));
		return true;
	}
	/* The same in 1e-12 ns^2; the statistics rows are rounded, so a hair below zero is zero. */
	s2 = tm_u256_mul128(m->sum, m->sum);
	if (!tm_u256_mul(&s2, &s2, PICO) || !tm_u256_mul(&q, &q, PICO) ||
	    !tm_u256_add(&q, &q, &m->pico) || !tm_u256_mul(&q, &q, m->n))
		return false;
	*ns = tm_u256_sub(&q, &q, &s2) ? sqrt(tm_u256_double(&q) / 1e12 / n / (n - 1)) : 0;
	return true;
}

bool tm_moments_extremes(const struct tm_moments *m)
{
	return m->n && !m->no_extremes;
}
