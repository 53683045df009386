/* SPDX-License-Identifier: MIT */
#include "read/library/lib_columns.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

const struct tm_measure tm_measures[] = {
#define MEASURE(name_, kind_, scale_)                                                              \
	{ .name = (name_), .kind = TM_MEASURE_##kind_, .scale = (scale_) },
#include "schemas/lib_bench.def"
};
const size_t tm_measures_n = sizeof tm_measures / sizeof *tm_measures;

static const char *const not_measures[] = {
#define NOT_ONE(name) name,
#include "schemas/lib_bench.def"
	NULL,
};

enum { METHOD, MACHINE };

const struct tm_setting tm_lib_settings[] = {
#define SETTING(name_, what_) { .name = (name_), .machine = (what_) == MACHINE },
#include "schemas/lib_bench.def"
	{ 0 },
};
_Static_assert(sizeof tm_lib_settings / sizeof *tm_lib_settings <= TM_SETTINGS_MAX + 1,
               "who keeps a value of each");

static const char *const about[] = {
#define ABOUT(name) name,
#include "schemas/lib_bench.def"
	NULL,
};

static const char *const mains[] = {
#define MAIN(name) name,
#include "schemas/lib_bench.def"
	NULL,
};

static const struct {
	enum tm_bench_client client;
	const char *name;
} columns[] = {
#define COLUMN(client_, name_) { .client = TM_BENCH_##client_, .name = (name_) },
#include "schemas/lib_bench.def"
};

static const struct {
	const char *arch, *type;
	double gflops;
} peaks[] = {
#define PEAK(arch_, type_, gflops_) { .arch = (arch_), .type = (type_), .gflops = (gflops_) },
#include "schemas/lib_bench.def"
};

/* Names of quantities and units: pieces of them, looked for case-blind. */
static const char *const less[] = { "ttft", "tpot", "itl", "e2el", "latency",  "time", "sec",
	                            "ms",   "us",   "ns",  "s",    "duration", NULL };
static const char *const more[] = { "/s",         "/sec",       "per_s", "per_sec", "per_second",
	                            "per second", "throughput", "tps",   "flops",   "fps",
	                            "bandwidth",  "accuracy",   NULL };

static bool same(const char *word, const char *p, size_t n)
{
	return strlen(word) == n && !strncasecmp(word, p, n);
}

static bool in(const char *const *words, const char *p, size_t n)
{
	while (*words && !same(*words, p, n))
		words++;
	return *words;
}

size_t tm_measure_find(const char *name, size_t n)
{
	size_t i = 0;

	if (in(not_measures, name, n))
		return tm_measures_n;
	for (; i < tm_measures_n; i++) {
		const char *want = tm_measures[i].name;
		size_t len = strlen(want);

		if (*want == '*' ? n >= len - 1 && same(want + 1, name + n - (len - 1), len - 1)
		                 : same(want, name, n))
			break;
	}
	return i;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Some word of the list stands in p[0..n), with no letter beside it. */
static bool holds(const char *const *words, const char *p, size_t n)
{
	for (; *words; words++) {
		size_t len = strlen(*words);

		for (size_t i = 0; i + len <= n; i++)
			if (!strncasecmp(p + i, *words, len) &&
			    (!i || !is_letter(p[i]) || !is_letter(p[i - 1])) &&
			    (i + len == n || !is_letter(p[i + len])))
				return true;
	}
	return false;
}

bool tm_measure_less_is_better(const char *name, size_t n, bool *known)
{
	bool up = holds(more, name, n), down = !up && holds(less, name, n);

	*known = up || down;
	return down;
}

bool tm_column_is_about(const char *name, size_t n)
{
	return in(about, name, n);
}

bool tm_column_is_main(const char *name, size_t n)
{
	return in(mains, name, n);
}

size_t tm_column_place(enum tm_bench_client client, const char *name, size_t n, bool *known)
{
	size_t behind = 0;

	*known = false;
	for (size_t i = 0; i < sizeof columns / sizeof *columns && !*known; i++) {
		if (columns[i].client <= client && columns[i].client != TM_BENCH_ALL)
			behind = i + 1;
		/* The names of some clients differ in nothing but case. */
		*known = (columns[i].client == client || columns[i].client == TM_BENCH_ALL) &&
		         strlen(columns[i].name) == n && !memcmp(columns[i].name, name, n);
		if (*known)
			return i;
	}
	return behind;
}

double tm_peak_gflops(const char *arch, size_t narch, const char *type, size_t ntype)
{
	const char *colon = narch ? memchr(arch, ':', narch) : NULL;
	size_t i = 0, n = colon ? (size_t)(colon - arch) : narch;

	/* The last row fits everything. */
	while ((*peaks[i].arch && !same(peaks[i].arch, arch, n)) || strlen(peaks[i].type) > ntype ||
	       strncmp(peaks[i].type, type, strlen(peaks[i].type)) != 0)
		i++;
	return peaks[i].gflops;
}
