/* SPDX-License-Identifier: MIT
 * Which wrapping do the first bytes show?
 *
 * A false alarm would keep a trace from its reader, so evidence that is only two bytes or all text
 * is checked further.  What cannot be undone is recognized too, to be able to say so. */
#include "io/magic.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { TAR_HEADER = 512 };

static const struct {
	enum wrap wrap;
	const char *name;
	const char *magic;
	size_t len;   /* of magic */
	size_t least; /* this much of it is enough when the input ends there: it was cut */
} magics[] = {
	{ WRAP_GZIP, "gzip", "\x1f\x8b", 2, 1 },
	{ WRAP_ZSTD, "zstd", "\x28\xb5\x2f\xfd", 4, 2 },
	{ WRAP_XZ, "xz",
	  "\xfd"
	  "7zXZ\0",
	  6, 2 },
	{ WRAP_LZ4, "lz4", "\x04\x22\x4d\x18", 4, 2 },
	{ WRAP_LZ4, "lz4", "\x02\x21\x4c\x18", 4, 2 },
	{ WRAP_7Z, "7z", "7z\xbc\xaf\x27\x1c", 6, 3 },
	{ WRAP_ZIP, "zip", "PK\3\4", 4, 3 },
	{ WRAP_ZIP, "zip", "PK\5\6", 4, 3 },
	{ WRAP_ZIP, "zip", "PK\7\10PK\3\4", 8, 3 },
	{ WRAP_ZIP, "zip", "PK00PK\3\4", 8, 7 },
	{ WRAP_UTF16, "UTF-16", "\xff\xfe", 2, 2 },
	{ WRAP_UTF16_BIG, "UTF-16", "\xfe\xff", 2, 2 },
	{ WRAP_REFUSED, "unix compress (.Z)", "\x1f\x9d", 2, 2 },
	{ WRAP_REFUSED, "pack (.z)", "\x1f\x1e", 2, 2 },
	{ WRAP_REFUSED, "lzip", "LZIP\1", 5, 5 },
	{ WRAP_REFUSED, "lzop", "\x89LZO\0\r\n\x1a\n", 9, 2 },
	{ WRAP_REFUSED, "lrzip", "LRZI\0", 5, 5 },
	{ WRAP_REFUSED, "snappy", "\xff\6\0\0sNaPpY", 10, 3 },
	{ WRAP_REFUSED, "rar", "Rar!\x1a\7", 6, 5 },
	{ WRAP_REFUSED, "cabinet", "MSCF\0\0\0\0", 8, 5 },
	{ WRAP_REFUSED, "xar", "xar!\0", 5, 5 },
};

static bool all_digits(const unsigned char *p, size_t n, const char *digits)
{
	for (size_t i = 0; i < n; i++)
		if (!p[i] || !strchr(digits, p[i]))
			return false;
	return true;
}

/* "BZh", the block size, then the head of a block or of the empty stream. */
static bool is_bzip2(const unsigned char *p, size_t n)
{
	size_t k = n < 10 ? n : 10;

	return n >= 4 && !memcmp(p, "BZh", 3) && p[3] >= '1' && p[3] <= '9' &&
	       (!memcmp(p + 4, "1AY&SY", k - 4) || !memcmp(p + 4, "\x17rE8P\x90", k - 4));
}

/* The portable headers are all digits; the old binary ones have too little to go by. */
static bool is_cpio(const unsigned char *p, size_t n)
{
	if (n >= 110 && (!memcmp(p, "070701", 6) || !memcmp(p, "070702", 6)))
		return all_digits(p, 110, "0123456789abcdefABCDEF");
	return n >= 76 && !memcmp(p, "070707", 6) && all_digits(p, 76, "01234567");
}

/* The magic of POSIX or GNU; tar before both had none, but every tar has a sum of its header. */
static bool is_tar(const unsigned char *p, size_t n)
{
	static const size_t sum_at = 148, sum_len = 8;
	unsigned sum = 0, want = 0;

	if (n >= 265 && (!memcmp(p + 257, "ustar\0", 6) || !memcmp(p + 257, "ustar  \0", 8)))
		return true;
	if (n < TAR_HEADER || !p[0])
		return false;
	for (size_t i = 0; i < TAR_HEADER; i++)
		sum += i >= sum_at && i < sum_at + sum_len ? ' ' : p[i];
	for (size_t i = sum_at; i < sum_at + 6; i++) {
		if (p[i] == ' ' && !want)
			continue;
		if (p[i] < '0' || p[i] > '7')
			break;
		want = want * 8 + p[i] - '0';
	}
	return sum == want;
}

/* Skippable frames may come before the first frame of zstd, and of lz4: see what follows them. */
static enum wrap skippable(const unsigned char *p, size_t n, const char **name)
{
	uint64_t at = 0;

	while (n - at >= 8 && (p[at] & 0xf0) == 0x50 && !memcmp(p + at + 1, "\x2a\x4d\x18", 3)) {
		at += 8 + (p[at + 4] | (uint64_t)p[at + 5] << 8 | (uint64_t)p[at + 6] << 16 |
		           (uint64_t)p[at + 7] << 24);
		if (at >= n) {
			*name = "zstd";
			return WRAP_ZSTD;
		}
	}
	return at ? tm_magic_look(p + at, (size_t)(n - at), name) : WRAP_NONE;
}

enum wrap tm_magic_look(const unsigned char *p, size_t n, const char **name)
{
	for (size_t i = 0; n && i < sizeof magics / sizeof *magics; i++) {
		size_t k = n < magics[i].len ? n : magics[i].len;

		if (k >= magics[i].least && !memcmp(p, magics[i].magic, k)) {
			*name = magics[i].name;
			return magics[i].wrap;
		}
	}
	if (is_bzip2(p, n)) {
		*name = "bzip2";
		return WRAP_BZIP2;
	}
	if (is_cpio(p, n)) {
		*name = "cpio";
		return WRAP_CPIO;
	}
	if (is_tar(p, n)) {
		*name = "tar";
		return WRAP_TAR;
	}
	return skippable(p, n, name);
}
