/* SPDX-License-Identifier: MIT
 * Walks a tar, zip, 7z or cpio archive with libarchive, and reads its members as bytes.
 *
 * Names of members come from strangers; they are shown, never opened or created. */
#include "io/archive.h"
#include "io/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct members {
	struct feed feed;
	struct stage *below; /* borrowed */
	enum wrap wrap;
	const char *name;     /* of the format */
	enum tm_status state; /* TM_ST_OK, TM_ST_END or TM_ST_FATAL */
	struct tm_diag why;   /* of TM_ST_FATAL */
	bool open;            /* feed is */
	bool member_left;     /* the member begun last may have more bytes */
	uint64_t serial;      /* of the member begun last */
	int64_t failed_at;    /* where the last unusable header was */
};

struct tm_member {
	struct stage st;
	struct members *m;
	uint64_t serial;
	const char *p; /* n bytes of libarchive's not yet handed out, after `hole` zero bytes */
	size_t n;
	uint64_t hole;
	uint64_t pos;        /* end of those in the member */
	enum tm_status next; /* what follows: TM_ST_OK, TM_ST_END or TM_ST_FATAL */
};

static enum tm_status die(struct members *m, struct tm_diag *d)
{
	m->state = TM_ST_FATAL;
	if (d)
		*d = m->why;
	return TM_ST_FATAL;
}

/* One more block of the current member.  TM_ST_WARN: a block, and *d what is wrong with it all. */
static enum tm_status next_block(struct members *m, const void **p, size_t *n, la_int64_t *offset,
                                 struct tm_diag *d)
{
	int ret;

	*p = NULL;
	*n = 0;
	ret = tm_la.archive_read_data_block(m->feed.a, p, n, offset);
	m->member_left = ret == ARCHIVE_OK;
	if (ret == ARCHIVE_OK)
		return TM_ST_OK;
	if (ret == ARCHIVE_EOF)
		return TM_ST_END;
	tm_feed_fault(&m->feed, d);
	if (ret == ARCHIVE_WARN && *p)
		return TM_ST_WARN; /* a sum that does not match comes with the last bytes */
	*n = 0;
	if (ret == ARCHIVE_FATAL) {
		tm_feed_fault(&m->feed, &m->why);
		m->state = TM_ST_FATAL;
	}
	return TM_ST_FATAL;
}

static enum tm_status advance(struct tm_member *mb, struct tm_diag *d)
{
	la_int64_t offset = (la_int64_t)mb->pos;
	const void *p;
	enum tm_status st = next_block(mb->m, &p, &mb->n, &offset, d);

	if (st == TM_ST_FATAL)
		return st;
	if (st == TM_ST_END)
		mb->n = 0;
	if (offset < 0 || (uint64_t)offset < mb->pos) {
		if (st == TM_ST_END)
			return st; /* not every format says where its end is */
		tm_diag_set(d, 0, "%s data is damaged: pieces of a member overlap", mb->m->name);
		return TM_ST_FATAL;
	}
	mb->p = p;
	mb->hole = (uint64_t)offset - mb->pos;
	mb->pos = (uint64_t)offset + mb->n;
	return st == TM_ST_WARN ? TM_ST_FATAL : st;
}

static enum tm_status member_read(struct stage *st, void *buf, size_t cap, size_t *n,
                                  struct tm_diag *d)
{
	struct tm_member *mb = (struct tm_member *)st;

	if (mb->serial != mb->m->serial) {
		tm_diag_set(d, 0, "the archive has moved on to another member");
		return TM_ST_FATAL;
	}
	while (!mb->hole && !mb->n) {
		if (mb->next != TM_ST_OK)
			return mb->next;
		/* *d stays as it is until the bytes before the fault are delivered. */
		mb->next = advance(mb, d);
	}
	if (mb->hole) {
		*n = mb->hole < cap ? (size_t)mb->hole : cap;
		memset(buf, 0, *n);
		mb->hole -= *n;
	} else {
		*n = mb->n < cap ? mb->n : cap;
		memcpy(buf, mb->p, *n);
		mb->p += *n;
		mb->n -= *n;
	}
	return TM_ST_OK;
}

static const struct stage_ops member_ops = { .read = member_read };

/* libarchive passes over what was not read of a member.  Where that means decompressing it, do it
 * here, where the limit on expansion holds. */
static enum tm_status leave_member(struct members *m)
{
	bool seeks = m->below->ops->seek != NULL;

	while (m->member_left && (m->wrap == WRAP_7Z || (m->wrap == WRAP_ZIP && !seeks))) {
		const void *p;
		la_int64_t offset;
		struct tm_diag ignored;
		size_t n;

		next_block(m, &p, &n, &offset, &ignored);
		if (!tm_ledger_add(m->below->ledger, m->below->level + 1, n, &m->why))
			return die(m, NULL);
	}
	m->member_left = false;
	return m->state;
}

/* libarchive stops at the end mark of the archive.  The sums of a wrapping around it come after
 * that, and so does a second archive that somebody appended. */
static enum tm_status read_rest(struct members *m, uint64_t used)
{
	bool seeks = m->below->ops->seek != NULL;
	enum tm_status st = TM_ST_OK;

	while (st == TM_ST_OK && !(m->wrap == WRAP_TAR && seeks && m->feed.mark > used))
		st = tm_feed_take(&m->feed);
	if (st == TM_ST_FATAL)
		m->why = m->feed.why;
	return st;
}

static const char *end_of_tar(struct members *m)
{
	uint64_t used = (uint64_t)tm_la.archive_filter_bytes(m->feed.a, -1);
	/* Nothing is there where the next header should be: no two blocks of zeros. */
	bool cut = used <= (uint64_t)tm_la.archive_read_header_position(m->feed.a);

	m->state = read_rest(m, used);
	if (cut)
		return "tar archive has no end marker: it may be truncated";
	return m->feed.mark > used ? "data after the end marker of the tar archive is ignored"
	                           : NULL;
}

/* The directory of a zip comes last.  Without it the members can still be read as they come by. */
static const char *end_of_zip(struct members *m)
{
	static const int64_t least = 22, most = 22 + 65535; /* its end, a comment */
	uint64_t used = (uint64_t)tm_la.archive_filter_bytes(m->feed.a, -1);

	/* libarchive looks at the end first; when that cannot be read it goes by the members. */
	if (m->feed.failed) {
		m->state = TM_ST_FATAL;
		m->why = m->feed.why;
		return NULL;
	}
	if (m->below->ops->seek) {
		m->feed.mark = used = 0;
		if (!tm_feed_seek(&m->feed, -most, SEEK_END) &&
		    !tm_feed_seek(&m->feed, 0, SEEK_SET)) {
			m->state = read_rest(m, 0); /* what broke below says so once more */
			return NULL;
		}
	}
	m->state = read_rest(m, used);
	if (m->feed.mark > used && m->feed.pos >= m->feed.mark - 1 + (uint64_t)least)
		return NULL;
	return "zip archive has no central directory: truncated";
}

static enum tm_status at_end(struct members *m, struct tm_diag *d)
{
	const char *what = NULL;

	m->state = TM_ST_END;
	if (m->wrap == WRAP_TAR)
		what = end_of_tar(m);
	else if (m->wrap == WRAP_ZIP)
		what = end_of_zip(m);
	else if (!m->below->ops->seek)
		m->state = read_rest(m, 0);
	if (m->state == TM_ST_FATAL)
		return die(m, d);
	m->state = TM_ST_END;
	if (!what)
		return TM_ST_END;
	tm_diag_set(d, 0, "%s", what);
	return TM_ST_SKIP;
}

/* The member at hand as a stage, or TM_ST_SKIP. */
static enum tm_status begin_member(struct members *m, struct archive_entry *entry,
                                   struct stage **out, const char **name, struct tm_diag *d)
{
	struct tm_member *mb;

	/* Which of the two works depends on the format, the bytes and the locale. */
	*name = tm_la.archive_entry_pathname(entry);
	if (!*name)
		*name = tm_la.archive_entry_pathname_utf8(entry);
	if (!*name)
		*name = "?";
	if (tm_la.archive_entry_is_encrypted(entry)) {
		tm_diag_set(d, 0, "member %.200s: is encrypted: unpack it first", *name);
		return TM_ST_SKIP;
	}
	mb = tm_stage_new(sizeof *mb, &member_ops, NULL);
	if (!mb) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	mb->st.ledger = m->below->ledger;
	mb->st.level = m->below->level + 1;
	mb->m = m;
	mb->serial = m->serial;
	m->member_left = true;
	*out = &mb->st;
	return TM_ST_OK;
}

static enum tm_status open_feed(struct members *m, struct tm_diag *d)
{
	if (m->wrap == WRAP_7Z && !m->below->ops->seek) {
		tm_diag_set(
		        &m->why, 0,
		        "a 7z archive can only be read from a file of its own: unpack it first");
		return die(m, d);
	}
	m->open = true;
	if (tm_feed_open(&m->feed, m->below, m->wrap, m->name, &m->why) != TM_ST_OK)
		return die(m, d);
	return TM_ST_OK;
}

enum tm_status tm_members_next(struct members *m, struct stage **out, const char **name,
                               uint64_t *size, struct tm_diag *d)
{
	m->serial++;
	if (m->state == TM_ST_OK && m->below->ledger->bomb) {
		tm_ledger_add(m->below->ledger, 0, 0, &m->why);
		m->state = TM_ST_FATAL;
	}
	if (m->state == TM_ST_OK && !m->open)
		open_feed(m, NULL);
	if (m->state == TM_ST_OK)
		leave_member(m);
	if (m->state == TM_ST_FATAL)
		return die(m, d);
	while (m->state == TM_ST_OK) {
		struct archive_entry *entry = m->feed.entry;
		int ret = tm_la.archive_read_next_header2(m->feed.a, entry);
		la_int64_t bytes;
		int64_t at = tm_la.archive_read_header_position(m->feed.a);

		if (ret == ARCHIVE_EOF)
			return at_end(m, d);
		if (ret == ARCHIVE_FAILED && at != m->failed_at) {
			m->failed_at = at;
			tm_feed_fault(&m->feed, d);
			return TM_ST_SKIP;
		}
		if (ret != ARCHIVE_OK && ret != ARCHIVE_WARN) {
			tm_feed_fault(&m->feed, &m->why);
			return die(m, d);
		}
		if (tm_la.archive_entry_filetype(entry) != AE_IFREG &&
		    tm_la.archive_entry_filetype(entry))
			continue;
		/* A second name for a member that came before. */
		if (tm_la.archive_entry_hardlink(entry) && !tm_la.archive_entry_size(entry))
			continue;
		bytes = tm_la.archive_entry_size(entry);
		*size = bytes > 0 ? (uint64_t)bytes : 0;
		return begin_member(m, entry, out, name, d);
	}
	return m->state;
}

struct members *tm_members_open(struct stage *below, enum wrap wrap, const char *name)
{
	struct members *m = calloc(1, sizeof *m);

	if (!m)
		return NULL;
	m->below = below;
	m->wrap = wrap;
	m->name = name;
	m->failed_at = -1;
	return m;
}

void tm_members_close(struct members *m)
{
	if (m && m->open)
		tm_feed_close(&m->feed);
	free(m);
}
