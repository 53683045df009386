/* SPDX-License-Identifier: MIT
 * Opens an input and peels it: looks at the first bytes, undoes the wrapping they show, looks
 * again, until the bytes are plain or an archive. */
#include "io/source.h"

#include "base/base.h"
#include "io/archive.h"
#include "io/feed.h"
#include "io/magic.h"
#include "io/stage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct tm_source {
	struct stage *top;       /* plain bytes, or those of the archive */
	struct members *members; /* of the archive, or NULL */
	struct ledger ledger;    /* used by the outermost source, for all that comes out of it */
	bool dead;               /* out of memory among the members */
	uint64_t size;           /* of a member, 0 = not known */
	struct tm_names had;     /* names of members so far, ... */
	uint32_t *times;         /* ... and how many are called so */
	size_t times_cap;
	struct tm_buf name;
};

/* Undo one wrapping of s->top.  TM_ST_SKIP when it is one that cannot be undone. */
static enum tm_status unwrap(struct tm_source *s, enum wrap wrap, const char *name,
                             struct tm_diag *d)
{
	struct stage *top = NULL;

	if (wrap == WRAP_REFUSED) {
		tm_diag_set(d, 0, "is %s data, which is not supported: decompress it first", name);
		return TM_ST_SKIP;
	}
	if (s->top->level == TM_SOURCE_DEPTH) {
		tm_diag_set(d, 0,
		            "is compressed or archived more than %d levels deep: unpack it first",
		            TM_SOURCE_DEPTH);
		return TM_ST_SKIP;
	}
	switch (wrap) {
	case WRAP_GZIP:
		top = tm_gunzip_open(s->top);
		break;
	case WRAP_ZSTD:
		top = tm_unzstd_open(s->top);
		break;
	case WRAP_UTF16:
	case WRAP_UTF16_BIG:
		top = tm_utf16_open(s->top, wrap == WRAP_UTF16_BIG);
		break;
	case WRAP_XZ:
	case WRAP_BZIP2:
	case WRAP_LZ4:
		top = tm_foreign_open(s->top, wrap, name);
		break;
	default:
		s->members = tm_members_open(s->top, wrap, name);
		break;
	}
	if (!top && !s->members) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	if (top)
		s->top = top;
	return TM_ST_OK;
}

/* TM_ST_OK; TM_ST_SKIP with *d about a wrapping that cannot be undone; TM_ST_FATAL when out of
 * memory. */
static enum tm_status peel(struct tm_source *s, struct tm_diag *d)
{
	while (!s->members) {
		const unsigned char *p;
		const char *name;
		enum wrap wrap;
		enum tm_status st;
		size_t n;

		/* An input that breaks in here breaks again for whoever reads it. */
		tm_stage_peek(s->top, &p, &n, d);
		if (!p)
			return TM_ST_FATAL;
		wrap = tm_magic_look(p, n, &name);
		if (wrap == WRAP_NONE)
			return TM_ST_OK;
		st = unwrap(s, wrap, name, d);
		if (st != TM_ST_OK)
			return st;
	}
	return TM_ST_OK;
}

static struct tm_source *source_new(const char *name, struct tm_diag *d)
{
	struct tm_source *s = calloc(1, sizeof *s);

	if (s) {
		tm_buf_str(&s->name, name);
		if (!s->name.failed)
			return s;
	}
	tm_source_close(s);
	tm_diag_oom(d);
	return NULL;
}

static struct tm_source *peeled(struct tm_source *s, struct tm_diag *d)
{
	if (s->top && peel(s, d) == TM_ST_OK)
		return s;
	tm_source_close(s);
	return NULL;
}

struct tm_source *tm_source_open_head(const char *path, const struct tm_head *h, struct tm_diag *d)
{
	struct tm_source *s = source_new(strcmp(path, "-") ? path : "<stdin>", d);
	const struct stage *bottom;

	if (!s)
		return NULL;
	s->top = tm_origin_file(path, h, &s->ledger, d);
	bottom = s->top;
	s = peeled(s, d);
	if (s && bottom)
		tm_origin_decide(bottom, s->members != NULL);
	return s;
}

struct tm_source *tm_source_open(const char *path, struct tm_diag *d)
{
	return tm_source_open_head(path, NULL, d);
}

struct tm_source *tm_source_memory(const char *name, const void *p, size_t n, struct tm_diag *d)
{
	struct tm_source *s = source_new(name, d);

	if (!s)
		return NULL;
	s->top = tm_origin_memory(p, n, &s->ledger, d);
	return peeled(s, d);
}

bool tm_source_is_archive(const struct tm_source *s)
{
	return s->members != NULL;
}

/* "ARCHIVE:MEMBER", and " #2" after it for the second of that name, as tar -r leaves them: what is
 * called alike could not be told apart.  False when out of memory. */
static bool name_member(struct tm_source *s, struct tm_source *in, const char *member)
{
	uint32_t had = s->had.n, id = tm_names_add(&s->had, member, strlen(member));

	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&s->times, &s->times_cap, s->had.n, sizeof *s->times))
		return false;
	if (id == had)
		s->times[id] = 0;
	tm_buf_chr(&in->name, ':');
	tm_buf_str(&in->name, member);
	if (++s->times[id] > 1)
		tm_buf_fmt(&in->name, " #%" PRIu32, s->times[id]);
	return !in->name.failed;
}

enum tm_status tm_source_member(struct tm_source *s, struct tm_source **out, struct tm_diag *d)
{
	struct tm_source *in;
	struct stage *top;
	struct tm_diag why = { 0 };
	const char *name;
	enum tm_status st;
	uint64_t size;

	*out = NULL;
	if (!s->members)
		return TM_ST_END;
	if (s->dead) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	st = tm_members_next(s->members, &top, &name, &size, d);
	if (st != TM_ST_OK)
		return st;
	in = source_new(s->name.p, d);
	if (!in || !name_member(s, in, name)) {
		tm_diag_oom(d);
		s->dead = true;
		tm_stage_close(top);
		tm_source_close(in);
		return TM_ST_FATAL;
	}
	in->top = top;
	in->size = size;
	st = peel(in, &why);
	if (st == TM_ST_OK) {
		*out = in;
		return TM_ST_OK;
	}
	if (st == TM_ST_SKIP)
		tm_diag_set(d, 0, "member %.200s: %s", name, why.text);
	else
		tm_diag_oom(d);
	s->dead = st == TM_ST_FATAL;
	tm_source_close(in);
	return st;
}

const char *tm_source_name(const struct tm_source *s)
{
	return s->name.p;
}

enum tm_status tm_source_peek(struct tm_source *s, const unsigned char **p, size_t *n,
                              struct tm_diag *d)
{
	return tm_stage_peek(s->top, p, n, d);
}

enum tm_status tm_source_read(struct tm_source *s, void *buf, size_t cap, size_t *n,
                              struct tm_diag *d)
{
	return tm_stage_read(s->top, buf, cap, n, d);
}

bool tm_source_failed(const struct tm_source *s, struct tm_diag *d)
{
	if (s->members || s->top->state != TM_ST_FATAL)
		return false;
	*d = s->top->why;
	return true;
}

bool tm_source_regular(const struct tm_source *s, int *fd, uint64_t *size)
{
	return !s->members && tm_origin_regular(s->top, fd, size);
}

uint64_t tm_source_size(const struct tm_source *s)
{
	uint64_t size = s->size;
	int fd;

	return tm_source_regular(s, &fd, &size) ? size : s->size;
}

const struct tm_head *tm_source_head(const struct tm_source *s)
{
	return s->members ? NULL : tm_origin_head(s->top);
}

struct tm_source *tm_source_again(const struct tm_source *s, struct tm_diag *d)
{
	const struct stage *bottom = s->top;

	while (bottom->below)
		bottom = bottom->below;
	return !s->members && tm_origin_by_path(bottom) ? tm_source_open(s->name.p, d) : NULL;
}

uint64_t tm_source_taken(const struct tm_source *s)
{
	return s->top->ledger->taken;
}

void tm_source_close(struct tm_source *s)
{
	if (!s)
		return;
	tm_members_close(s->members);
	tm_stage_close(s->top);
	tm_names_fini(&s->had);
	free(s->times);
	tm_buf_fini(&s->name);
	free(s);
}
