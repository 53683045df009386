/* SPDX-License-Identifier: MIT
 * Statistics files: rocprofv3 --stats (6.2 and later, 8 columns), rocprof v1 stats, hip_stats,
 * hsa_stats and copy_stats (5 columns), and domain_stats.  Times are ns, already added up.
 *
 * No column says what the rows are, so the whole file is judged by its names: a set of domains, HIP
 * functions, HSA functions, copies ...  Kernel names and marker texts cannot be told apart by
 * content: a file of neither kind is kernels, unless its file name says "marker". */
#include "base/base.h"
#include "read/csv/csv_small.h"

#include <stdio.h>
#include <stdlib.h>

enum { S_NAME, S_CALLS, S_TOTAL, S_AVG, S_PCT, S_MIN, S_MAX, S_STDDEV, S_N };

static const struct csv_bind binds[S_N] = {
	[S_NAME] = { .names = "Name", .type = CSV_WORD, .required = true },
	[S_CALLS] = { .names = "Calls", .type = CSV_NUMBER, .required = true },
	[S_TOTAL] = { .names = "TotalDurationNs,Total_Duration_Ns",
	              .type = CSV_NUMBER,
	              .required = true },
	[S_AVG] = { .names = "AverageNs,Average_Ns", .type = CSV_NUMBER },
	[S_PCT] = { .names = "Percentage", .type = CSV_NUMBER },
	[S_MIN] = { .names = "MinNs,Min_Ns", .type = CSV_NUMBER },
	[S_MAX] = { .names = "MaxNs,Max_Ns", .type = CSV_NUMBER },
	[S_STDDEV] = { .names = "StdDev,Std_Dev,StdDevNs", .type = CSV_NUMBER },
};

struct stats {
	struct csv_small table;
	struct tm_ev_rows out;
	enum tm_domain domain;
	bool dead;
	struct tm_diag why;
};

static const char *const table_names[TM_DOMAIN_N] = {
	[TM_DOMAIN_KERNEL] = "kernel statistics",
	[TM_DOMAIN_COPY] = "memory copy statistics",
	[TM_DOMAIN_HIP] = "HIP API statistics",
	[TM_DOMAIN_HSA] = "HSA API statistics",
	[TM_DOMAIN_MARKER] = "marker statistics",
	[TM_DOMAIN_RCCL] = "RCCL API statistics",
	[TM_DOMAIN_ROCDECODE] = "rocDecode API statistics",
	[TM_DOMAIN_ROCJPEG] = "rocJPEG API statistics",
	[TM_DOMAIN_ALLOC] = "memory allocation statistics",
	[TM_DOMAIN_SCRATCH] = "scratch memory statistics",
	[TM_DOMAIN_OTHER] = "statistics",
	[TM_DOMAIN_DOMAINS] = "domain statistics",
};

/* ------------------------------------------------------------------------ */

/* What a character of a name may be. */
enum { C_UPPER = 1, C_LOWER = 2, C_DIGIT = 4, C_UNDER = 8, C_ANY = 16 };

static unsigned char_class(char c)
{
	if (c >= 'A' && c <= 'Z')
		return C_UPPER | C_ANY;
	if (c >= 'a' && c <= 'z')
		return C_LOWER | C_ANY;
	if (c >= '0' && c <= '9')
		return C_DIGIT | C_ANY;
	return c == '_' ? C_UNDER | C_ANY : C_ANY;
}

/* Names of a domain: a prefix (or the whole name), one character, then any number of others. */
static const struct pattern {
	enum tm_domain domain;
	const char *prefix;
	unsigned first, rest; /* 0, 0: the prefix is the whole name */
} patterns[] = {
	{ .domain = TM_DOMAIN_DOMAINS, .prefix = "HSA_API" },
	{ .domain = TM_DOMAIN_DOMAINS, .prefix = "HIP_API" },
	{ .domain = TM_DOMAIN_DOMAINS, .prefix = "MARKER_API" },
	{ .domain = TM_DOMAIN_DOMAINS, .prefix = "MARKER" },
	{ .domain = TM_DOMAIN_DOMAINS, .prefix = "KERNEL_DISPATCH" },
	{ .domain = TM_DOMAIN_DOMAINS, .prefix = "MEMORY_COPY" },
	{ .domain = TM_DOMAIN_DOMAINS, .prefix = "COUNTER_COLLECTION" },
	{ .domain = TM_DOMAIN_DOMAINS, .prefix = "SCRATCH_MEMORY" },
	{ .domain = TM_DOMAIN_DOMAINS, .prefix = "RCCL_API" },
	{ .domain = TM_DOMAIN_DOMAINS, .prefix = "MEMORY_ALLOCATION" },
	{ .domain = TM_DOMAIN_DOMAINS, .prefix = "ROCDECODE_API" },
	{ .domain = TM_DOMAIN_DOMAINS, .prefix = "ROCJPEG_API" },
	{ .domain = TM_DOMAIN_HIP,
	  .prefix = "hip",
	  .first = C_UPPER,
	  .rest = C_UPPER | C_LOWER | C_DIGIT | C_UNDER },
	{ .domain = TM_DOMAIN_HIP,
	  .prefix = "__hip",
	  .first = C_UPPER,
	  .rest = C_UPPER | C_LOWER | C_DIGIT | C_UNDER },
	{ .domain = TM_DOMAIN_HSA,
	  .prefix = "hsa_",
	  .first = C_LOWER,
	  .rest = C_LOWER | C_DIGIT | C_UNDER },
	{ .domain = TM_DOMAIN_RCCL,
	  .prefix = "nccl",
	  .first = C_UPPER,
	  .rest = C_UPPER | C_LOWER | C_DIGIT },
	{ .domain = TM_DOMAIN_RCCL,
	  .prefix = "rccl",
	  .first = C_UPPER,
	  .rest = C_UPPER | C_LOWER | C_DIGIT },
	{ .domain = TM_DOMAIN_RCCL,
	  .prefix = "msccl",
	  .first = C_UPPER,
	  .rest = C_UPPER | C_LOWER | C_DIGIT },
	{ .domain = TM_DOMAIN_COPY, .prefix = "MEMORY_COPY_", .first = C_UPPER, .rest = C_ANY },
	{ .domain = TM_DOMAIN_COPY, .prefix = "HOST_TO_HOST" },
	{ .domain = TM_DOMAIN_COPY, .prefix = "HOST_TO_DEVICE" },
	{ .domain = TM_DOMAIN_COPY, .prefix = "DEVICE_TO_HOST" },
	{ .domain = TM_DOMAIN_COPY, .prefix = "DEVICE_TO_DEVICE" },
	{ .domain = TM_DOMAIN_COPY,
	  .prefix = "CopyHostTo",
	  .first = C_UPPER,
	  .rest = C_UPPER | C_LOWER | C_DIGIT },
	{ .domain = TM_DOMAIN_COPY,
	  .prefix = "CopyDeviceTo",
	  .first = C_UPPER,
	  .rest = C_UPPER | C_LOWER | C_DIGIT },
	{ .domain = TM_DOMAIN_COPY, .prefix = "FillBuffer" },
	{ .domain = TM_DOMAIN_COPY, .prefix = "async-copy" },
	{ .domain = TM_DOMAIN_ALLOC,
	  .prefix = "MEMORY_ALLOCATION_",
	  .first = C_UPPER,
	  .rest = C_ANY },
	{ .domain = TM_DOMAIN_SCRATCH,
	  .prefix = "SCRATCH_MEMORY_",
	  .first = C_UPPER,
	  .rest = C_ANY },
	{ .domain = TM_DOMAIN_ROCDECODE,
	  .prefix = "rocDec",
	  .first = C_UPPER,
	  .rest = C_UPPER | C_LOWER | C_DIGIT },
	{ .domain = TM_DOMAIN_ROCJPEG,
	  .prefix = "rocJpeg",
	  .first = C_UPPER,
	  .rest = C_UPPER | C_LOWER | C_DIGIT },
};

/* Device code of RCCL has the prefix of its functions, but is kernels. */
static const char *const device_code[] = { "ncclKernel", "ncclDev", "rcclKernel", "rcclDev",
	                                   "mscclKernel" };

static bool begins(const char *p, size_t n, const char *prefix)
{
	size_t len = strlen(prefix);

	return n >= len && !memcmp(p, prefix, len);
}

/* The domains that could hold a row of this name, as bits. */
static unsigned domains_of(const char *p, size_t n)
{
	unsigned out = 0;

	for (size_t i = 0; i < sizeof device_code / sizeof *device_code; i++)
		if (begins(p, n, device_code[i]))
			return 0;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		const struct pattern *pat = &patterns[i];
		size_t k = strlen(pat->prefix);

		if (!begins(p, n, pat->prefix))
			continue;
		if (pat->first) {
			if (k == n || !(char_class(p[k]) & pat->first))
				continue;
			for (k++; k < n && (char_class(p[k]) & pat->rest); k++)
				;
		}
		if (k == n)
			out |= 1u << pat->domain;
	}
	return out;
}

static bool file_name_says_marker(const char *name)
{
	const char *file = strrchr(name, '/');

	return strcasestr(file ? file + 1 : name, "marker") != NULL;
}

/* ------------------------------------------------------------------------ */

/* Half a unit of the last digit of a number as it is printed: 8.38 -> 0.005, 1.000e-02 -> 5e-6. */
static bool half_digit(const char *p, size_t n, double *err)
{
	int exponent = 0, sign = 1;
	bool point = false;
	char text[24];
	int len;

	for (size_t i = 0; i < n; i++) {
		if (p[i] == '.') {
			point = true;
		} else if ((p[i] | 0x20) == 'e') {
			int e = 0;

			if (++i < n && (p[i] == '-' || p[i] == '+'))
				sign = p[i++] == '-' ? -1 : 1;
			for (; i < n && e < 1000; i++)
				e = e * 10 + (p[i] - '0');
			exponent += sign * e;
		} else if (point) {
			exponent--;
		}
	}
	len = snprintf(text, sizeof text, "5e%d", exponent - 1);
	return len > 0 && tm_num_real(text, (size_t)len, err);
}

static bool no_number(const struct tm_small_field *f)
{
	return tm_csv_fits(CSV_NUMBER, (const unsigned char *)f->p, f->n) &&
	       (!f->n || strchr("nNiI", *f->p) || (f->n > 1 && strchr("nNiI", f->p[1])));
}

/* An optional column: false when it is there and no such number. */
static bool take_u64(const struct stats *s, const struct tm_small_field *f, int bind,
                     enum tm_ev_col c, struct tm_ev_row *row)
{
	uint64_t v;

	if (!tm_csv_small_has(&s->table, (size_t)bind) || no_number(&f[bind]))
		return true;
	if (!tm_num_u64_any(f[bind].p, f[bind].n, &v))
		return false;
	tm_ev_put(row, c, v);
	return true;
}

static bool take_real(const struct stats *s, const struct tm_small_field *f, int bind,
                      enum tm_ev_col c, struct tm_ev_row *row)
{
	double v;

	if (!tm_csv_small_has(&s->table, (size_t)bind) || no_number(&f[bind]))
		return true;
	if (!tm_num_real(f[bind].p, f[bind].n, &v))
		return false;
	tm_ev_put(row, c, tm_real_bits(v));
	return true;
}

/* The same of a time: one that is no whole number of ns is rounded, and *inexact set. */
static bool take_ns(const struct stats *s, const struct tm_small_field *f, int bind,
                    enum tm_ev_col c, struct tm_ev_row *row, bool *inexact)
{
	bool exact;
	uint64_t v;

	if (take_u64(s, f, bind, c, row))
		return true;
	if (tm_num_shown(f[bind].p, f[bind].n) || !tm_num_nearest(f[bind].p, f[bind].n, &v, &exact))
		return false;
	*inexact |= !exact;
	tm_ev_put(row, c, v);
	return true;
}

/* A row of the table as an event, but for its name; *inexact: times were rounded.  False: it does
 * not fit. */
static bool take_row(const struct stats *s, const struct tm_small_field *f, struct tm_ev_row *row,
                     bool *inexact)
{
	double err;

	row->has = 0;
	*inexact = false;
	if (!take_u64(s, f, S_CALLS, TM_EVC_CALLS, row) ||
	    !take_ns(s, f, S_TOTAL, TM_EVC_TOTAL, row, inexact) ||
	    !take_real(s, f, S_AVG, TM_EVC_AVG, row) || !take_real(s, f, S_PCT, TM_EVC_PCT, row) ||
	    !take_ns(s, f, S_MIN, TM_EVC_MIN, row, inexact) ||
	    !take_ns(s, f, S_MAX, TM_EVC_MAX, row, inexact) ||
	    !take_real(s, f, S_STDDEV, TM_EVC_STDDEV, row))
		return false;
	if ((row->has & TM_EV_BIT(TM_EVC_PCT)) && half_digit(f[S_PCT].p, f[S_PCT].n, &err))
		tm_ev_put(row, TM_EVC_PCT_ERR, tm_real_bits(err));
	return (row->has & TM_EV_BIT(TM_EVC_CALLS)) && (row->has & TM_EV_BIT(TM_EVC_TOTAL));
}

static unsigned stats_bid(const unsigned char *p, size_t n, bool whole)
{
	return tm_csv_small_bid(binds, S_N, p, n, whole);
}

static enum tm_status stats_open(struct tm_reader *r, struct tm_diag *d)
{
	static const int text[] = { S_NAME, -1 };
	struct stats *s = r->priv;
	const struct tm_small_field *f;
	unsigned domains = ~0u;
	struct tm_loss ignored = { 0 };
	enum tm_status st;
	uint64_t line;

	s->out.b.kind = TM_EV_STAT;
	s->table.reader = r;
	if (tm_csv_small_open(&s->table, r->src, binds, S_N, text, d) != TM_ST_OK)
		return TM_ST_FATAL;
	/* What went through a CSV library may have other decimals. */
	if (tm_csv_small_has(&s->table, S_MIN) && !s->table.shape.escaped)
		tm_csv_small_decimals(&s->table, S_STDDEV);
	while ((st = tm_csv_small_next(&s->table, &ignored, &f, &line, d)) == TM_ST_OK) {
		struct tm_ev_row row;
		bool inexact;

		if (take_row(s, f, &row, &inexact))
			domains &= domains_of(f[S_NAME].p, f[S_NAME].n);
	}
	if (st == TM_ST_FATAL && s->table.failed)
		return TM_ST_FATAL;
	tm_csv_small_rewind(&s->table);

	s->domain = file_name_says_marker(tm_source_name(r->src)) ? TM_DOMAIN_MARKER
	                                                          : TM_DOMAIN_KERNEL;
	if (domains && domains != ~0u)
		s->domain = (enum tm_domain)__builtin_ctz(domains);
	r->table = table_names[s->domain];
	r->producer = tm_csv_small_has(&s->table, S_MIN) ? "rocprofv3 6.2 or later" : "rocprof";
	r->lines = tm_csv_small_lines(&s->table);
	return TM_ST_OK;
}

static enum tm_status stats_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct stats *s = r->priv;

	while (!s->dead && tm_ev_rows_n(&s->out) < TM_BATCH_ROWS) {
		const struct tm_small_field *f;
		struct tm_ev_row row;
		enum tm_status st;
		uint64_t line;
		uint32_t name;
		bool inexact;

		st = tm_csv_small_next(&s->table, &r->loss, &f, &line, &s->why);
		r->lines = tm_csv_small_lines(&s->table);
		if (st == TM_ST_FATAL)
			s->dead = true;
		if (st != TM_ST_OK)
			break;
		if (!take_row(s, f, &row, &inexact)) {
			tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, line);
			continue;
		}
		name = tm_names_add(&r->names, f[S_NAME].p, f[S_NAME].n);
		tm_ev_put(&row, TM_EVC_NAME, name);
		tm_ev_put(&row, TM_EVC_DOMAIN, s->domain);
		if (name == TM_NAME_NONE || !tm_ev_rows_add(&s->out, &row)) {
			s->dead = true;
			tm_diag_oom(&s->why);
			break;
		}
		if (inexact)
			tm_loss_count(&r->loss, TM_LOSS_ROUNDED, 1, line);
		r->loss.rows++;
	}
	return tm_ev_rows_next(&s->out, 1, &r->names, s->dead ? &s->why : NULL, b, d);
}

static void stats_close(struct tm_reader *r)
{
	struct stats *s = r->priv;

	tm_csv_small_fini(&s->table);
	tm_ev_rows_fini(&s->out);
}

const struct tm_reader_ops tm_reader_rocprof_stats = {
	.name = "rocprof-stats",
	.about = "statistics tables of rocprofv3 and rocprof (*_stats.csv, domain_stats.csv)",
	.bid = stats_bid,
	.priv_size = sizeof(struct stats),
	.open = stats_open,
	.next = stats_next,
	.close = stats_close,
};
