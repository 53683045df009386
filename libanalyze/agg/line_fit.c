/* SPDX-License-Identifier: MIT */
#include "agg/line_fit.h"

#include <stdlib.h>
#include <string.h>

enum {
	BLOCKS = 48,      /* medians of neighbors, through which the first line goes */
	SHIFT = 10,       /* sums of squares are of microseconds, nearly: they fit 128 bits */
	RATE_FEWEST = 5,  /* pairs that a drift takes */
	CHANCE_BITS = 12, /* a drift takes that chance makes one in 2^-12 jobs or fewer */
	FIRST_BITS = 5,   /* of a line to look along, in 2^-5 */
	LG_BITS = 16,     /* of logarithms: after the point */
	T_BITS = 16,      /* of a drift in deviations, likewise */
	T_MOST_BITS = 36, /* which is no larger: 2^20 are as sure as anything */
	SIGMAS = 3,       /* of an error that is told */
	FEW = 8,          /* pairs of which there are fewer may agree by chance */
	PPB_MOST = 200000 /* a drift that was not found is no larger */
};

#define FAR (INT64_C(1) << 46) /* 20 hours: a difference that far from the first is an outlier */

/* A point of the plane in which the line lies: time from the origin, difference less the first. */
struct point {
	int64_t x, d;
};

static int by_value(const void *pa, const void *pb)
{
	int64_t a, b;

	memcpy(&a, pa, sizeof a);
	memcpy(&b, pb, sizeof b);
	return (a > b) - (a < b);
}

/* The middle of n > 0 values, which it sorts; of two in the middle what is between them. */
static int64_t median(int64_t *v, size_t n)
{
	int64_t lo;

	qsort(v, n, sizeof *v, by_value);
	lo = v[(n - 1) / 2];
	return lo + (v[n / 2] - lo) / 2;
}

static int64_t drift_at(int64_t rate, int64_t x)
{
	return (int64_t)((tm_i128)x * rate >> TM_CLOCK_RATE_BITS);
}

/* Whole root of v, rounded down. */
static uint64_t root(tm_u128 v)
{
	tm_u128 lo = 0, hi = (tm_u128)1 << 64;

	while (hi - lo > 1) {
		tm_u128 mid = lo + (hi - lo) / 2;

		if (mid * mid <= v)
			lo = mid;
		else
			hi = mid;
	}
	return (uint64_t)lo;
}

static uint64_t distance(int64_t a, int64_t b)
{
	return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

/* What a fit works on: n points and room for as many numbers. */
struct sheet {
	struct point *p;
	int64_t *room;
	size_t n;
};

/* The medians of up to BLOCKS runs of neighbors. */
static size_t medians(const struct sheet *s, struct point out[BLOCKS])
{
	size_t k = s->n < BLOCKS ? s->n : BLOCKS;

	for (size_t b = 0; b < k; b++) {
		size_t from = b * s->n / k, to = (b + 1) * s->n / k, m = to - from;

		for (size_t i = 0; i < m; i++)
			s->room[i] = s->p[from + i].x;
		out[b].x = median(s->room, m);
		for (size_t i = 0; i < m; i++)
			s->room[i] = s->p[from + i].d;
		out[b].d = median(s->room, m);
	}
	return k;
}

/* Theil and Sen: the median of the slopes between medians that are not neighbors. */
static int64_t first_rate(const struct sheet *s, int64_t most)
{
	struct point b[BLOCKS];
	int64_t slope[BLOCKS * (BLOCKS - 1) / 2];
	size_t k = medians(s, b), n = 0;
	/* Hostile times are as far apart as they can be. */
	tm_i128 span = (tm_i128)b[k - 1].x - b[0].x;

	for (size_t i = 0; i < k; i++)
		for (size_t j = i + 1; j < k; j++) {
			tm_i128 dx = (tm_i128)b[j].x - b[i].x, rate;

			if (dx <= span / 4 || dx <= 0)
				continue;
			rate = ((tm_i128)b[j].d - b[i].d) * ((tm_i128)1 << TM_CLOCK_RATE_BITS) / dx;
			/* Past all bounds, but on its side of the median. */
			slope[n++] = rate > 2 * (tm_i128)most    ? 2 * most
			             : rate < -2 * (tm_i128)most ? -2 * most
			                                         : (int64_t)rate;
		}
	return n ? median(slope, n) : 0;
}

/* Median of the differences less the drift: the offset at the origin. */
static int64_t offset_of(const struct sheet *s, int64_t rate)
{
	for (size_t i = 0; i < s->n; i++)
		s->room[i] = s->p[i].d - drift_at(rate, s->p[i].x);
	return median(s->room, s->n);
}

static uint64_t off_line(const struct point *p, int64_t rate, int64_t offset)
{
	return distance(p->d - drift_at(rate, p->x), offset);
}

static uint64_t spread_of(const struct sheet *s, int64_t rate, int64_t offset)
{
	for (size_t i = 0; i < s->n; i++) {
		uint64_t far = off_line(&s->p[i], rate, offset);

		s->room[i] = far >> 62 ? INT64_MAX : (int64_t)far;
	}
	return (uint64_t)median(s->room, s->n);
}

/* Least squares over what is no outlier, as a correction of a line that is nearly right. */
struct squares {
	size_t n;
	tm_i128 mean_x, mean_r; /* rounded down; r: from the line so far */
	tm_u128 sxx;            /* 2^-SHIFT ns, squared */
	tm_i128 sxr;
	tm_u128 srr;
};

static void add_up(struct squares *q, const struct sheet *s, int64_t rate, int64_t offset,
                   uint64_t outlier)
{
	tm_i128 sum_x = 0, sum_r = 0;

	*q = (struct squares) { 0 };
	for (size_t i = 0; i < s->n; i++)
		if (off_line(&s->p[i], rate, offset) <= outlier) {
			sum_x += s->p[i].x;
			sum_r += s->p[i].d - drift_at(rate, s->p[i].x) - offset;
			q->n++;
		}
	if (!q->n)
		return;
	q->mean_x = sum_x / (tm_i128)q->n;
	/* Down, also below 0. */
	q->mean_r = (sum_r - (sum_r < 0 ? (tm_i128)q->n - 1 : 0)) / (tm_i128)q->n;
	for (size_t i = 0; i < s->n; i++)
		if (off_line(&s->p[i], rate, offset) <= outlier) {
			tm_i128 x = (s->p[i].x - q->mean_x) >> SHIFT;
			tm_i128 r = s->p[i].d - drift_at(rate, s->p[i].x) - offset - q->mean_r;

			q->sxx += (tm_u128)(x * x);
			q->sxr += x * r;
			q->srr += (tm_u128)(r * r);
		}
}

/* The drift that the squares add, in rate units. */
static int64_t more_rate(const struct squares *q)
{
	/* 2^44 / 2^10 of it is shifted before the division, if there is room, and the rest after.
	 */
	tm_i128 top = q->sxr;
	int left = TM_CLOCK_RATE_BITS - SHIFT;

	if (!q->sxx)
		return 0;
	while (left && top < ((tm_i128)1 << 120) && top > -((tm_i128)1 << 120)) {
		top *= 2;
		left--;
	}
	return (int64_t)(top / (tm_i128)q->sxx * ((tm_i128)1 << left));
}

/* A deviation of one pair: of the squares, or of the median, whichever is larger. */
static uint64_t sigma_of(const struct squares *q, uint64_t spread)
{
	uint64_t s = q->n > 2 ? root(q->srr / (q->n - 2)) : 0;

	spread += spread / 2;
	return s > spread ? s : spread;
}

/* log2(x / 2^from), x >= 2^from, rounded down to 2^-LG_BITS. */
static uint64_t lg(tm_u128 x, int from)
{
	uint64_t whole = 0, m, part = 0;

	while (x >> (whole + 1))
		whole++;
	m = (uint64_t)(whole > 63 ? x >> (whole - 63) : x << (63 - whole));
	/* Of a number from 1 to 2, the next digit is 1 where its square is 2 or more. */
	for (int i = 0; i < LG_BITS; i++) {
		tm_u128 square = (tm_u128)m * m >> 63;

		part = part << 1 | (uint64_t)(square >> 64);
		m = (uint64_t)(square >> (square >> 64));
	}
	return ((whole - (uint64_t)from) << LG_BITS) + part;
}

/* Would noise make a drift of that many deviations (2^-T_BITS) in 2^-bits cases or fewer?  Of n
 * pairs it follows Student's t with v = n - 2 degrees of freedom.  By Wallace (1959), as normal as
 *     z^2 = ((8v + 1) / (8v + 3))^2 v ln(1 + t^2 / v)
 * and what is normal is past z with a chance of at most exp(-z^2 / 2), both sides together.  So
 *     v (8v + 1)^2 log2(1 + t^2 / v) >= 2 bits (8v + 3)^2 */
static bool is_no_noise(uint64_t t, uint64_t v, uint64_t bits)
{
	const tm_u128 one = (tm_u128)1 << (2 * T_BITS);
	const tm_u128 power = (tm_u128)v * (8 * v + 1) * (8 * v + 1);

	return power * lg(one + (tm_u128)t * t / v, 2 * T_BITS) >=
	       2 * (tm_u128)bits * (8 * v + 3) * (8 * v + 3);
}

/* Is a drift of `rate` more than noise can make, where so many clocks have the chance to show one?
 * *doubt: a deviation of it, in rate units. */
static bool rate_is_sure(const struct squares *q, uint64_t sigma, int64_t rate, uint64_t clocks,
                         uint64_t *doubt)
{
	const uint64_t bits = clocks ? ((uint64_t)CHANCE_BITS << LG_BITS) + lg(clocks, 0)
	                             : (uint64_t)FIRST_BITS << LG_BITS;
	const uint64_t most = UINT64_C(1) << T_MOST_BITS;
	tm_u128 t;
	uint64_t root_sxx = root(q->sxx);
	tm_u128 d;

	if (q->n < RATE_FEWEST || !root_sxx) {
		*doubt = UINT64_MAX;
		return false;
	}
	d = ((tm_u128)(sigma ? sigma : 1) << (TM_CLOCK_RATE_BITS - SHIFT)) / root_sxx;
	*doubt = d >> 62 ? UINT64_MAX : (uint64_t)d;
	t = ((tm_u128)distance(rate, 0) << T_BITS) / (*doubt ? *doubt : 1);
	return is_no_noise(t < most ? (uint64_t)t : most, q->n - 2, bits);
}

static uint64_t to_ppb(tm_u128 rate)
{
	tm_u128 ppb = rate >> 80 ? PPB_MOST : (rate * 1000000000 >> TM_CLOCK_RATE_BITS) + 1;

	return ppb < PPB_MOST ? (uint64_t)ppb : PPB_MOST;
}

/* Outliers are past six spreads: of ends that scatter normally one in 20,000. */
static uint64_t outlier_of(uint64_t spread)
{
	return spread >> 60 ? UINT64_MAX : spread * 6 + 1;
}

/* The line, its outliers and what its error follows from. */
static void fit_line(struct tm_line_fit *f, const struct sheet *s, uint64_t origin, int64_t most,
                     uint64_t clocks)
{
	int64_t rate = first_rate(s, most), offset = offset_of(s, rate), more;
	uint64_t spread = spread_of(s, rate, offset), doubt, sigma;
	struct squares q;

	add_up(&q, s, rate, offset, outlier_of(spread));
	sigma = sigma_of(&q, spread);
	more = more_rate(&q);
	if (distance(rate + more, 0) < (uint64_t)most &&
	    rate_is_sure(&q, sigma, rate + more, clocks, &doubt)) {
		offset += (int64_t)q.mean_r - drift_at(more, (int64_t)q.mean_x);
		rate += more;
		f->slope_ppb = 0;
	} else {
		int64_t found = rate;

		rate = 0;
		offset = offset_of(s, 0);
		spread = spread_of(s, 0, offset);
		add_up(&q, s, 0, offset, outlier_of(spread));
		offset += (int64_t)q.mean_r;
		sigma = sigma_of(&q, spread);
		rate_is_sure(&q, sigma, 0, clocks, &doubt);
		f->slope_ppb = to_ppb((tm_u128)distance(found, 0) + (tm_u128)doubt * 2);
	}
	f->spread_ns = spread_of(s, rate, offset);
	f->outlier_ns = outlier_of(f->spread_ns);
	f->used = q.n;
	f->sigma = sigma;
	f->center = origin + (uint64_t)(int64_t)q.mean_x;
	f->root_sxx = root(q.sxx);
	f->line = (struct tm_clock_line) { origin, (uint64_t)offset, rate };
}

static size_t parts_for(size_t n)
{
	size_t k = n / (TM_FIT_PART_MIN * 2);

	return !k ? 1 : k > TM_FIT_PARTS ? TM_FIT_PARTS : k;
}

static void fill_part(struct tm_line_fit *f, struct tm_fit_part *part, const struct sheet *s,
                      size_t from, size_t to)
{
	int64_t offset = (int64_t)f->line.offset_ns;
	size_t n = to - from;

	part->pairs = n;
	if (!n)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct point *p = &s->p[from + i];
		uint64_t far = off_line(p, f->line.rate, offset);

		s->room[i] = far >> 62 ? INT64_MAX : (int64_t)far;
		if (far <= f->outlier_ns && far > part->most_ns)
			part->most_ns = far;
	}
	part->middle_ns = (uint64_t)median(s->room, n);
	for (size_t i = 0; i < n; i++) {
		const struct point *p = &s->p[from + i];

		s->room[i] = p->d - drift_at(f->line.rate, p->x) - offset;
	}
	part->bias_ns = n < TM_FIT_PART_MIN ? 0 : distance(median(s->room, n), 0);
}

static void fill_parts(struct tm_line_fit *f, const struct sheet *s, uint64_t origin)
{
	uint64_t span = f->last_ns - f->first_ns;
	size_t at = 0;

	for (size_t i = 0; s->n < FEW && i < s->n; i++) {
		uint64_t far = off_line(&s->p[i], f->line.rate, (int64_t)f->line.offset_ns);

		if (far <= f->outlier_ns && far * 4 > f->few_ns)
			f->few_ns = far * 4;
	}
	f->parts = parts_for(s->n);
	for (size_t k = 0; k < f->parts; k++) {
		struct tm_fit_part *part = &f->part[k];
		size_t from = at;

		part->from_ns = f->first_ns + (uint64_t)((tm_u128)span * k / f->parts);
		part->to_ns = f->first_ns + (uint64_t)((tm_u128)span * (k + 1) / f->parts);
		while (at < s->n &&
		       (k + 1 == f->parts || s->p[at].x < (int64_t)(part->to_ns - origin)))
			at++;
		fill_part(f, part, s, from, at);
	}
}

bool tm_line_fit(struct tm_line_fit *f, const struct tm_fit_pair *p, size_t n, int64_t most_rate,
                 uint64_t clocks)
{
	size_t every = (n + TM_FIT_MOST - 1) / TM_FIT_MOST, m = (n + every - 1) / every;
	uint64_t base = p[n / 2].b_end - p[n / 2].a_end, origin;
	struct sheet s = { .p = malloc(m * sizeof *s.p), .room = malloc(m * sizeof *s.room) };
	int64_t middle;

	*f = (struct tm_line_fit) { .first_ns = p[0].a_end, .last_ns = p[(m - 1) * every].a_end };
	if (!s.p || !s.room) {
		free(s.p);
		free(s.room);
		return false;
	}
	f->last_ns = f->last_ns > f->first_ns ? f->last_ns : f->first_ns;
	origin = f->first_ns + (f->last_ns - f->first_ns) / 2;
	for (size_t i = 0; i < n; i += every) {
		int64_t d = (int64_t)(p[i].b_end - p[i].a_end - base);

		s.p[s.n++] = (struct point) { (int64_t)(p[i].a_end - origin), d > FAR    ? FAR
			                                                      : d < -FAR ? -FAR
			                                                                 : d };
	}
	f->pairs = s.n;
	fit_line(f, &s, origin, most_rate, clocks);
	fill_parts(f, &s, origin);
	for (size_t i = 0; i < n; i += every) {
		int64_t d = (int64_t)(p[i].b_start - p[i].a_start - base);

		s.room[i / every] = (d > FAR    ? FAR
		                     : d < -FAR ? -FAR
		                                : d) -
		                    drift_at(f->line.rate, (int64_t)(p[i].a_start - origin));
	}
	middle = median(s.room, s.n);
	for (size_t i = 0; i < s.n; i++)
		s.room[i] = (int64_t)distance(s.room[i], middle);
	f->start_spread_ns = (uint64_t)median(s.room, s.n);
	f->line.offset_ns += base;
	free(s.p);
	free(s.room);
	return true;
}

void tm_line_fit_one_clock(struct tm_line_fit *f)
{
	f->line = (struct tm_clock_line) { 0 };
	f->slope_ppb = 0;
}

/* a / b rounded up. */
static tm_u128 up(tm_u128 a, tm_u128 b)
{
	return (a + b - 1) / b;
}

static tm_u128 root_up(tm_u128 v)
{
	tm_u128 r = root(v);

	return r + (r * r < v);
}

uint64_t tm_line_fit_error(const struct tm_line_fit *f, uint64_t t)
{
	const tm_u128 squared = SIGMAS * SIGMAS;
	uint64_t away = t < f->center ? f->center - t : t - f->center, bias = 0;
	tm_u128 mean = up(squared * f->sigma * f->sigma, f->used ? f->used : 1), slope, error;

	for (size_t k = 0; k < f->parts; k++)
		if ((!k || t >= f->part[k].from_ns) && f->part[k].pairs >= TM_FIT_PART_MIN)
			bias = f->part[k].bias_ns;
	if (f->line.rate)
		slope = up((tm_u128)f->sigma * (away >> SHIFT), f->root_sxx ? f->root_sxx : 1);
	else
		/* Where no drift was found, what it may still be counts in place of what it is. */
		slope = up((tm_u128)away * f->slope_ppb, 1000000000);
	if (slope >> 56)
		return UINT64_MAX >> 2;
	error = f->line.rate ? root_up(mean + squared * slope * slope) : root_up(mean) + slope;
	error += f->spread_ns + f->few_ns + bias + (f->line.rate ? 1 : 0);
	return error >> 62 ? UINT64_MAX >> 2 : (uint64_t)error;
}
