/* SPDX-License-Identifier: MIT
 * Recognize compression and archives by the first bytes. */
#ifndef TM_IO_MAGIC_H
#define TM_IO_MAGIC_H

#include <stddef.h>

enum wrap {
	WRAP_NONE = 0, /* plain bytes, for a reader */
	WRAP_GZIP,
	WRAP_ZSTD,
	WRAP_XZ,
	WRAP_BZIP2,
	WRAP_LZ4,
	WRAP_TAR,
	WRAP_ZIP,
	WRAP_7Z,
	WRAP_CPIO,
	WRAP_UTF16,     /* text, the low byte of each character first */
	WRAP_UTF16_BIG, /* ... the high byte */
	WRAP_REFUSED,   /* recognized, not undone here */
};

/* p[0..n) is the beginning of an input, all of it when it is short.  *name = what people call the
 * wrapping; untouched for WRAP_NONE. */
enum wrap tm_magic_look(const unsigned char *p, size_t n, const char **name);

#endif
