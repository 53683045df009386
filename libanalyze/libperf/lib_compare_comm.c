/* SPDX-License-Identifier: MIT
 * Operations differ in whether they reduce, whether they have a root, and whether the count is that
 * of all bytes or of the part of one rank.  All-reduce and send-receive do not: they differ in what
 * a byte is to the buses. */
#include "libperf/lib_compare_comm.h"

#include "base/base.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const struct {
	const char *name;
	bool reduces, rooted, part;
} operations[] = {
	{ "all_reduce", .reduces = true },
	{ "reduce_scatter", .reduces = true, .part = true },
	{ "reduce", .reduces = true, .rooted = true },
	{ "broadcast", .rooted = true },
	{ "gather/scatter", .rooted = true, .part = true },
	{ "all_gather/alltoall", .part = true },
	{ "sendrecv", .part = false },
};

static const struct {
	const char *type;
	uint64_t bytes;
} types[] = {
	{ "int8", 1 },   { "uint8", 1 },  { "int32", 4 },    { "uint32", 4 },   { "int64", 8 },
	{ "uint64", 8 }, { "half", 2 },   { "float", 4 },    { "double", 8 },   { "bfloat16", 2 },
	{ "f8e4m3", 1 }, { "f8e5m2", 1 }, { "fp8_e4m3", 1 }, { "fp8_e5m2", 1 },
};

static bool number(const char *text, uint64_t *v)
{
	return tm_num_u64(text, strlen(text), v);
}

/* Is the count that of the part of one rank?  False when it is neither that nor that of all. */
static bool find_part(const struct tm_lib_comm *c, bool *part)
{
	uint64_t bytes, count, ranks, size = 0;

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!strcmp(types[i].type, c->type))
			size = types[i].bytes;
	if (!size || !number(c->bytes, &bytes) || !number(c->count, &count) || !count ||
	    bytes % count || bytes / count % size)
		return false;
	*part = bytes / count != size;
	return !*part || !number(c->ranks, &ranks) || bytes / count == size * ranks;
}

/* What a number may be off by, for how it is printed. */
static double half_digit(const char *text)
{
	const char *dot = strchr(text, '.');

	return 0.5 * pow(10, dot ? -(double)strlen(dot + 1) : 0);
}

/* Is the second rate the first, times a factor? */
static bool fits(const struct tm_lib_comm *c, double factor)
{
	double alg, bus;

	return tm_num_real(c->algbw, strlen(c->algbw), &alg) &&
	       tm_num_real(c->busbw, strlen(c->busbw), &bus) &&
	       fabs(bus - alg * factor) <=
	               half_digit(c->busbw) + half_digit(c->algbw) * factor + 1e-9 * bus;
}

static bool is_said(const char *text, const char *none)
{
	return *text && strcmp(text, none) != 0;
}

const char *tm_lib_comm_name(const struct tm_lib_comm *c)
{
	bool reduces = is_said(c->redop, "none"), rooted = is_said(c->root, "-1"), part;
	uint64_t ranks;

	if (!find_part(c, &part))
		return "collective";
	/* Its tests name a reduction that they do not do. */
	if (reduces && !rooted && !part && number(c->ranks, &ranks) && ranks &&
	    !fits(c, 2 * (double)(ranks - 1) / (double)ranks) && fits(c, 1))
		return "sendrecv";
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (operations[i].reduces == reduces && operations[i].rooted == rooted &&
		    operations[i].part == part)
			return operations[i].name;
	return "collective";
}
