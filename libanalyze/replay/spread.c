/* SPDX-License-Identifier: MIT */
#include "replay/spread.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Means are tried at so many points, which is exact enough for parts of up to so many values, and
 * the scale is found in so many turns at most. */
enum { POINTS = 25, PART = 16, TURNS = 12 };

/* Nothing is told by what varies by less: times are whole ns. */
static const double LEAST = 1e-6;
/* Points are as far beyond the values, in standard deviations; a turn that changes less of the
 * scale is the last; what is less than exp(-this) of the most is nothing. */
static const double BEYOND = 2, CLOSE = 0.003, NOTHING = 40;

/* exp(-|z|^p) with p = 1, 2, 4, 8 and 16: from one that has many far off and the normal one to one
 * that is nearly flat and has none.  To have area 1 each has a factor, of which this is the
 * logarithm; and its scale for a standard deviation of 1. */
static const struct shape {
	double factor, scale;
} SHAPE[SPREAD_SHAPES] = {
	{ -0.6931471805599453, 0.7071067811865476 }, { -0.5723649429247004, 1.414213562373095 },
	{ -0.5948753441381319, 1.720079974649039 },  { -0.6331239964339048, 1.782776869302931 },
	{ -0.6601900802663683, 1.7747479106704342 },
};

/* x^(2^k) and its inverse. */
static double raised(double x, int k)
{
	while (k--)
		x *= x;
	return x;
}

static double root(double x, int k)
{
	while (k--)
		x = sqrt(x);
	return x;
}

/* Values by group. */
static void place(struct spread *s, const uint32_t *of, uint32_t n)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < n; i++)
		s->from[of[i]]++;
	for (uint32_t g = 0; g < s->groups; g++) {
		uint32_t k = s->from[g];

		s->from[g] = at;
		at += k;
	}
	for (uint32_t i = 0; i < n; i++)
		s->to[i] = s->from[of[i]]++;
	/* Each is where the next begins now. */
	for (uint32_t g = s->groups; g; g--)
		s->from[g] = s->from[g - 1];
	s->from[0] = 0;
}

/* Groups as parts of up to PART. */
static bool cut(struct spread *s)
{
	uint32_t parts = 0, n = s->from[s->groups], *from;

	for (uint32_t g = 0; g < s->groups; g++)
		parts += (s->from[g + 1] - s->from[g] + PART - 1) / PART;
	from = tm_array((size_t)parts + 1, sizeof *from);
	if (!from)
		return false;
	parts = 0;
	for (uint32_t g = 0; g < s->groups; g++)
		for (uint32_t at = s->from[g]; at < s->from[g + 1]; at += PART)
			from[parts++] = at;
	from[parts] = n;
	free(s->from);
	s->from = from;
	s->groups = parts;
	return true;
}

bool tm_spread_init(struct spread *s, const uint32_t *of, uint32_t n, uint32_t groups, bool shapes)
{
	*s = (struct spread) { .groups = groups };
	s->from = calloc((size_t)groups + 1, sizeof *s->from);
	s->to = tm_array((size_t)n + 1, sizeof *s->to);
	if (!s->from || !s->to)
		return false;
	place(s, of, n);
	if (!shapes)
		return true;
	if (!cut(s))
		return false;
	s->power = malloc(((size_t)s->groups + 1) * (SPREAD_SHAPES * POINTS + 1) *
	                  sizeof *s->power);
	return s->power != NULL;
}

void tm_spread_fini(struct spread *s)
{
	free(s->from);
	free(s->to);
	free(s->power);
	*s = (struct spread) { 0 };
}

/* ---- one shape ---- */

/* How much the values of a group are off from their mean, squared. */
static double squares(const double *x, uint32_t n)
{
	double sum = 0, off = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += x[i];
	for (uint32_t i = 0; i < n; i++) {
		double d = x[i] - sum / n;

		off += d * d;
	}
	return off;
}

/* The standard deviation, of so many values that say anything of it. */
static double deviation(const struct spread *s, const double *x, uint32_t *free)
{
	double off = 0;

	*free = 0;
	for (uint32_t g = 0; g < s->groups; g++) {
		uint32_t n = s->from[g + 1] - s->from[g];

		*free += n ? n - 1 : 0;
		off += squares(x + s->from[g], n);
	}
	off = *free ? sqrt(off / *free) : 0;
	return off > LEAST ? off : LEAST;
}

/* ---- of several shapes ---- */

/* Sums of the powers of what values are off from points around them; returns how far these are
 * apart. */
static double add_powers(double *power, const double *x, uint32_t n, double beyond)
{
	double lo = x[0], hi = x[0], step;

	for (uint32_t i = 1; i < n; i++) {
		lo = x[i] < lo ? x[i] : lo;
		hi = x[i] > hi ? x[i] : hi;
	}
	lo -= beyond;
	step = (hi + beyond - lo) / (POINTS - 1);
	memset(power, 0, SPREAD_SHAPES * POINTS * sizeof *power);
	for (uint32_t i = 0; i < n; i++) {
		double off[POINTS];

		for (int m = 0; m < POINTS; m++)
			off[m] = fabs(x[i] - (lo + m * step));
		for (int k = 0; k < SPREAD_SHAPES; k++)
			for (int m = 0; m < POINTS; m++) {
				power[k * POINTS + m] += off[m];
				off[m] *= off[m];
			}
	}
	return step;
}

/* One group with one shape, over all means: the logarithm, and the sum of powers to be expected. */
static double over_means(const double *power, double step, double per, double *expected)
{
	double least = power[0], all = 0, weighted = 0;

	for (int m = 1; m < POINTS; m++)
		least = power[m] < least ? power[m] : least;
	for (int m = 0; m < POINTS; m++) {
		double e = (power[m] - least) * per;

		if (e > NOTHING)
			continue;
		e = exp(-e);
		all += e;
		weighted += e * power[m];
	}
	*expected = weighted / all;
	return log(all * step) - least * per;
}

/* With shape k and the scale that is likeliest, which is looked for from *start on, and put
 * there. */
static double with_shape(const struct spread *s, const double *step, int k, double *start)
{
	double like = 0, scale = *start, was;

	for (int turn = 0; turn < TURNS; turn++) {
		double per = 1 / raised(scale, k), sum = 0, expected;
		uint32_t n = 0;

		like = 0;
		for (uint32_t g = 0; g < s->groups; g++) {
			uint32_t of = s->from[g + 1] - s->from[g];
			size_t at = (size_t)g * SPREAD_SHAPES + (size_t)k;

			/* One by itself says nothing. */
			if (of < 2)
				continue;
			like += over_means(s->power + at * POINTS, step[g], per, &expected);
			sum += expected;
			n += of;
		}
		like += n * (SHAPE[k].factor - log(scale));
		was = scale;
		scale = root((1 << k) * sum / n, k);
		scale = scale > LEAST ? scale : LEAST;
		if (fabs(scale - was) < CLOSE * was)
			break;
	}
	*start = scale;
	return like;
}

double tm_spread_likely(struct spread *s, const double *x)
{
	double like[SPREAD_SHAPES], most = -INFINITY, all = 0, sd, *step;
	uint32_t free;

	sd = deviation(s, x, &free);
	if (!s->power || !free)
		return -(double)free * log(sd);
	step = s->power + (size_t)s->groups * SPREAD_SHAPES * POINTS;
	for (uint32_t g = 0; g < s->groups; g++)
		if (s->from[g + 1] - s->from[g] > 1)
			step[g] = add_powers(s->power + (size_t)g * SPREAD_SHAPES * POINTS,
			                     x + s->from[g], s->from[g + 1] - s->from[g],
			                     BEYOND * sd);
	for (int k = 0; k < SPREAD_SHAPES; k++) {
		double scale = sd * (s->scale[k] > 0 ? s->scale[k] : SHAPE[k].scale);

		like[k] = with_shape(s, step, k, &scale);
		s->scale[k] = scale / sd;
		most = like[k] > most ? like[k] : most;
	}
	for (int k = 0; k < SPREAD_SHAPES; k++)
		all += exp(like[k] - most);
	return most + log(all);
}
