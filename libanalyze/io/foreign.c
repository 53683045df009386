/* SPDX-License-Identifier: MIT
 * Undoes xz, bzip2 and lz4 with libarchive, which checks their sums. */
#include "io/feed.h"

#include <string.h>

struct foreign {
	struct stage st;
	struct feed feed;
	enum wrap wrap;
	const char *name;
	bool open;
	const char *p; /* n bytes of libarchive's not yet handed out */
	size_t n;
};

/* libarchive takes whatever follows a bzip2 or lz4 stream for padding, even a second stream with a
 * cut or damaged head: only a stream that used all of its input has ended well. */
static enum tm_status ended(struct foreign *f, struct tm_diag *d)
{
	struct feed *feed = &f->feed;
	size_t left = (size_t)(feed->pos - (uint64_t)tm_la.archive_filter_bytes(feed->a, -1));
	const char *name;

	if (!left) {
		enum tm_status st = tm_feed_take(feed);

		if (st == TM_ST_FATAL)
			*d = feed->why;
		if (st != TM_ST_OK)
			return st;
		left = feed->last;
	}
	if (left <= feed->last &&
	    tm_magic_look(feed->block + FEED_CARRY + feed->last - left, left, &name) == f->wrap)
		tm_diag_set(d, 0, "%s data ends too early: the file is truncated", f->name);
	else
		tm_diag_set(d, 0,
		            "garbage after the end of the %s stream: the file is damaged or was "
		            "appended to",
		            f->name);
	return TM_ST_FATAL;
}

static enum tm_status foreign_read(struct stage *st, void *buf, size_t cap, size_t *n,
                                   struct tm_diag *d)
{
	struct foreign *f = (struct foreign *)st;

	/* Here and not in tm_foreign_open(): a damaged head is a fault of reading like any other.
	 * */
	if (!f->open) {
		if (tm_feed_open(&f->feed, st->below, f->wrap, f->name, d) != TM_ST_OK)
			return TM_ST_FATAL;
		f->open = true;
		switch (tm_la.archive_read_next_header2(f->feed.a, f->feed.entry)) {
		case ARCHIVE_EOF:
			return ended(f, d);
		case ARCHIVE_OK:
		case ARCHIVE_WARN:
			break;
		default:
			tm_feed_fault(&f->feed, d);
			return TM_ST_FATAL;
		}
	}
	while (!f->n) {
		const void *p;
		la_int64_t offset;
		int ret = tm_la.archive_read_data_block(f->feed.a, &p, &f->n, &offset);

		if (ret == ARCHIVE_EOF)
			return ended(f, d);
		if (ret != ARCHIVE_OK) {
			tm_feed_fault(&f->feed, d);
			return TM_ST_FATAL;
		}
		f->p = p;
	}
	*n = cap < f->n ? cap : f->n;
	memcpy(buf, f->p, *n);
	f->p += *n;
	f->n -= *n;
	return TM_ST_OK;
}

static void foreign_fini(struct stage *st)
{
	tm_feed_close(&((struct foreign *)st)->feed);
}

static const struct stage_ops foreign_ops = { .read = foreign_read, .fini = foreign_fini };

struct stage *tm_foreign_open(struct stage *below, enum wrap wrap, const char *name)
{
	struct foreign *f = tm_stage_new(sizeof *f, &foreign_ops, below);

	if (!f)
		return NULL;
	f->wrap = wrap;
	f->name = name;
	return &f->st;
}
