/* SPDX-License-Identifier: MIT
 * Gives libarchive its bytes and turns its complaints into ours. */
#include "io/feed.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 128 * 1024 };

/* Remember what tm_members_next() asks for at the end of the archive. */
static void look_for_end(struct feed *f)
{
	static const char directory_end[] = "PK\5\6";
	const unsigned char *p = f->block, *hit;
	size_t n = FEED_CARRY + f->last;

	if (f->wrap == WRAP_TAR) {
		while (n > FEED_CARRY && !p[n - 1])
			n--;
		if (n > FEED_CARRY)
			f->mark = f->pos - (FEED_CARRY + f->last - n);
	}
	while (f->wrap == WRAP_ZIP && (hit = memmem(p, n, directory_end, 4))) {
		n -= (size_t)(hit - p) + 1;
		p = hit + 1;
		f->mark = f->pos - n;
	}
}

enum tm_status tm_feed_take(struct feed *f)
{
	enum tm_status st;
	size_t n;

	memmove(f->block, f->block + f->last, FEED_CARRY);
	st = tm_stage_read(f->below, f->block + FEED_CARRY, BLOCK_BYTES, &n, &f->why);
	f->ended = st == TM_ST_END;
	f->failed |= st == TM_ST_FATAL; /* for good: libarchive may go on some other way */
	if (st != TM_ST_OK)
		return st;
	f->last = n;
	f->pos += n;
	look_for_end(f);
	return TM_ST_OK;
}

bool tm_feed_seek(struct feed *f, int64_t offset, int whence)
{
	int64_t at = tm_stage_seek(f->below, offset, whence);

	if (at < 0)
		return false;
	f->pos = (uint64_t)at;
	f->last = 0;
	f->ended = false;
	memset(f->block, 0, FEED_CARRY);
	return true;
}

static la_ssize_t on_read(struct archive *a, void *arg, const void **p)
{
	struct feed *f = arg;
	enum tm_status st = tm_feed_take(f);

	*p = f->block + FEED_CARRY;
	if (st == TM_ST_OK)
		return (la_ssize_t)f->last;
	if (st == TM_ST_END)
		return 0;
	tm_la.archive_set_error(a, EIO, "read");
	return ARCHIVE_FATAL;
}

static la_int64_t on_seek(struct archive *a, void *arg, la_int64_t offset, int whence)
{
	struct feed *f = arg;

	if (tm_feed_seek(f, offset, whence))
		return (la_int64_t)f->pos;
	tm_la.archive_set_error(a, EINVAL, "cannot seek");
	return ARCHIVE_FATAL;
}

/* Allow one thing only: libarchive would otherwise undo what is inside as well, unseen by the
 * limits on depth and expansion. */
static int support(struct archive *a, enum wrap wrap, bool seeks)
{
	switch (wrap) {
	case WRAP_TAR:
		return tm_la.archive_read_support_format_tar(a);
	case WRAP_CPIO:
		return tm_la.archive_read_support_format_cpio(a);
	case WRAP_7Z:
		return tm_la.archive_read_support_format_7zip(a);
	case WRAP_ZIP:
		/* The directory at the end of a zip knows best; without it, what comes by. */
		if (seeks && tm_la.archive_read_support_format_zip_seekable(a) < ARCHIVE_WARN)
			return ARCHIVE_FATAL;
		return tm_la.archive_read_support_format_zip_streamable(a);
	case WRAP_XZ:
		return tm_la.archive_read_append_filter(a, ARCHIVE_FILTER_XZ);
	case WRAP_BZIP2:
		return tm_la.archive_read_append_filter(a, ARCHIVE_FILTER_BZIP2);
	case WRAP_LZ4:
		return tm_la.archive_read_append_filter(a, ARCHIVE_FILTER_LZ4);
	default:
		return ARCHIVE_FATAL;
	}
}

enum tm_status tm_feed_open(struct feed *f, struct stage *below, enum wrap wrap, const char *name,
                            struct tm_diag *d)
{
	bool raw = wrap == WRAP_XZ || wrap == WRAP_BZIP2 || wrap == WRAP_LZ4;

	*f = (struct feed) { .below = below, .wrap = wrap, .name = name };
	if (!tm_libarchive_load(d))
		return TM_ST_FATAL;
	f->block = calloc(1, FEED_CARRY + BLOCK_BYTES);
	f->a = tm_la.archive_read_new();
	/* The entry libarchive has for itself may be missing when memory is short: it would crash.
	 */
	f->entry = f->a ? tm_la.archive_entry_new2(f->a) : NULL;
	if (!f->block || !f->entry || tm_la.archive_read_set_callback_data(f->a, f) != ARCHIVE_OK) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	tm_la.archive_read_set_read_callback(f->a, on_read);
	if (below->ops->seek)
		tm_la.archive_read_set_seek_callback(f->a, on_seek);
	if (support(f->a, wrap, below->ops->seek != NULL) < ARCHIVE_WARN ||
	    (raw && tm_la.archive_read_set_format(f->a, ARCHIVE_FORMAT_RAW) < ARCHIVE_WARN) ||
	    tm_la.archive_read_open1(f->a) < ARCHIVE_WARN) {
		tm_feed_fault(f, d);
		return TM_ST_FATAL;
	}
	f->known = true;
	return TM_ST_OK;
}

/* Without a format, archive_read_has_encrypted_entries() follows a stray pointer (3.6.2). */
void tm_feed_fault(const struct feed *f, struct tm_diag *d)
{
	const char *text = tm_la.archive_error_string(f->a);

	if (f->failed)
		*d = f->why;
	else if (tm_la.archive_errno(f->a) == ENOMEM)
		tm_diag_oom(d);
	else if (f->ended)
		tm_diag_set(d, 0, "%s data ends too early: the file is truncated", f->name);
	else if (f->known && tm_la.archive_read_has_encrypted_entries(f->a) > 0)
		tm_diag_set(d, 0, "%s data is encrypted: unpack it first", f->name);
	else if (!text || !*text)
		tm_diag_set(d, 0, "%s data is damaged", f->name);
	else
		tm_diag_set(d, 0, "cannot decompress %s data: %c%s", f->name,
		            tolower((unsigned char)*text), text + 1);
}

void tm_feed_close(struct feed *f)
{
	/* Nothing, where libarchive is not there. */
	if (f->entry)
		tm_la.archive_entry_free(f->entry);
	if (f->a)
		tm_la.archive_read_free(f->a);
	free(f->block);
	*f = (struct feed) { 0 };
}
