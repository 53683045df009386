/* SPDX-License-Identifier: MIT
 * What the line of progress says. */
#include "cli/frame/frame.h"

#include "test.h"

#define GB UINT64_C(1000000000)

static const char *line(uint64_t done, uint64_t total, uint64_t ms)
{
	static char text[120];

	tm_progress_line(text, sizeof text, done, total, ms);
	return text;
}

TEST(known_length)
{
	CHECK_STR(line(GB / 4, GB, 1000), "25 %, 250 of 1000 MB, 250 MB/s, 3 s left");
	CHECK_STR(line(GB - 1, GB, 2000), "99 %, 999 of 1000 MB, 499 MB/s, 0 s left");
	CHECK_STR(line(GB, 100 * GB, 1000), "1 %, 1000 of 100000 MB, 1000 MB/s, 99 s left");
	CHECK_STR(line(GB, 101 * GB + 1, 1000), "0 %, 1000 of 101000 MB, 1000 MB/s, 2 min left");
	CHECK_STR(line(GB, 9001 * GB, 1000), "0 %, 1000 of 9001000 MB, 1000 MB/s, 3 h left");
}

TEST(nothing_yet)
{
	CHECK_STR(line(0, GB, 1500), "0 %, 0 of 1000 MB, 0 MB/s");
	CHECK_STR(line(5, GB, 0), "0 %, 0 of 1000 MB, 0 MB/s, 0 s left");
}

TEST(all_read)
{
	CHECK_STR(line(GB, GB, 1000), "1000 MB read, 1000 MB/s, processing");
}

TEST(pipe)
{
	CHECK_STR(line(GB, 0, 2000), "1000 MB, 500 MB/s");
}

/* 64 bits full: no number wraps. */
TEST(largest)
{
	CHECK_STR(line(UINT64_MAX / 2, UINT64_MAX, 3600000),
	          "50 %, 9223372036854 of 18446744073709 MB, 2562047788 MB/s, 60 min left");
}

static const char *cut(size_t room)
{
	static char text[120];

	snprintf(text, sizeof text, "kstats: 25 %%, 250 of 1000 MB, 250 MB/s");
	tm_progress_fit(text, room);
	return text;
}

/* The first parts have 12, 28 and 38 characters. */
TEST(narrow)
{
	CHECK_STR(cut(SIZE_MAX), "kstats: 25 %, 250 of 1000 MB, 250 MB/s");
	CHECK_STR(cut(38), "kstats: 25 %, 250 of 1000 MB, 250 MB/s");
	CHECK_STR(cut(37), "kstats: 25 %, 250 of 1000 MB");
	CHECK_STR(cut(28), "kstats: 25 %, 250 of 1000 MB");
	CHECK_STR(cut(27), "kstats: 25 %");
	CHECK_STR(cut(11), "");
	CHECK_STR(cut(0), "");
}

TEST_MAIN(T(narrow), T(known_length), T(nothing_yet), T(all_read), T(pipe), T(largest))
