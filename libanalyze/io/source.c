/* SPDX-License-Identifier: MIT
 * Opens an input and peels it: looks at the first bytes, undoes the wrapping they show, looks
 * again, until the bytes are plain or an archive. */
#include "io/source.h"

#include "base/base.h"
#include "io/archive.h"
#include "io/feed.h"
#include "io/magic.h"
#include "io/stage.h"

#include <stdlib.h>
#include <string.h>

struct source {
	struct stage *top;       /* plain bytes, or those of the archive */
	struct members *members; /* of the archive, or NULL */
	struct ledger ledger;    /* used by the outermost source, for all that comes out of it */
	bool dead;               /* out of memory among the members */
	struct buf name;
};

/* Undo one wrapping of s->top.  ST_SKIP when it is one that cannot be undone. */
static enum status unwrap(struct source *s, enum wrap wrap, const char *name, struct diag *d)
{
	struct stage *top = NULL;

	if (wrap == WRAP_REFUSED) {
		diag_set(d, 0, "is %s data, which is not supported: decompress it first", name);
		return ST_SKIP;
	}
	if (s->top->level == SOURCE_DEPTH) {
		diag_set(d, 0,
		         "is compressed or archived more than %d levels deep: unpack it first",
		         SOURCE_DEPTH);
		return ST_SKIP;
	}
	switch (wrap) {
	case WRAP_GZIP:
		top = gunzip_open(s->top);
		break;
	case WRAP_ZSTD:
		top = unzstd_open(s->top);
		break;
	case WRAP_UTF16:
	case WRAP_UTF16_BIG:
		top = utf16_open(s->top, wrap == WRAP_UTF16_BIG);
		break;
	case WRAP_XZ:
	case WRAP_BZIP2:
	case WRAP_LZ4:
		top = foreign_open(s->top, wrap, name);
		break;
	default:
		s->members = members_open(s->top, wrap, name);
		break;
	}
	if (!top && !s->members) {
		diag_oom(d);
		return ST_FATAL;
	}
	if (top)
		s->top = top;
	return ST_OK;
}

/* ST_OK; ST_SKIP with *d about a wrapping that cannot be undone; ST_FATAL when out of memory. */
static enum status peel(struct source *s, struct diag *d)
{
	while (!s->members) {
		const unsigned char *p;
		const char *name;
		enum wrap wrap;
		enum status st;
		size_t n;

		/* An input that breaks in here breaks again for whoever reads it. */
		stage_peek(s->top, &p, &n, d);
		if (!p)
			return ST_FATAL;
		wrap = magic_look(p, n, &name);
		if (wrap == WRAP_NONE)
			return ST_OK;
		st = unwrap(s, wrap, name, d);
		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}

static struct source *source_new(const char *name, const char *member, struct diag *d)
{
	struct source *s = calloc(1, sizeof *s);

	if (s) {
		buf_str(&s->name, name);
		if (member) {
			buf_chr(&s->name, ':');
			buf_str(&s->name, member);
		}
		if (!s->name.failed)
			return s;
	}
	source_close(s);
	diag_oom(d);
	return NULL;
}

static struct source *peeled(struct source *s, struct diag *d)
{
	if (s->top && peel(s, d) == ST_OK)
		return s;
	source_close(s);
	return NULL;
}

struct source *source_open_head(const char *path, const struct head *h, struct diag *d)
{
	struct source *s = source_new(strcmp(path, "-") ? path : "<stdin>", NULL, d);
	const struct stage *bottom;

	if (!s)
		return NULL;
	s->top = origin_file(path, h, &s->ledger, d);
	bottom = s->top;
	s = peeled(s, d);
	if (s && bottom)
		origin_decide(bottom, s->members != NULL);
	return s;
}

struct source *source_open(const char *path, struct diag *d)
{
	return source_open_head(path, NULL, d);
}

struct source *source_memory(const char *name, const void *p, size_t n, struct diag *d)
{
	struct source *s = source_new(name, NULL, d);

	if (!s)
		return NULL;
	s->top = origin_memory(p, n, &s->ledger, d);
	return peeled(s, d);
}

bool source_is_archive(const struct source *s)
{
	return s->members != NULL;
}

enum status source_member(struct source *s, struct source **out, struct diag *d)
{
	struct source *in;
	struct stage *top;
	struct diag why = { 0 };
	const char *name;
	enum status st;

	*out = NULL;
	if (!s->members)
		return ST_END;
	if (s->dead) {
		diag_oom(d);
		return ST_FATAL;
	}
	st = members_next(s->members, &top, &name, d);
	if (st != ST_OK)
		return st;
	in = source_new(s->name.p, name, d);
	if (!in) {
		s->dead = true;
		stage_close(top);
		return ST_FATAL;
	}
	in->top = top;
	st = peel(in, &why);
	if (st == ST_OK) {
		*out = in;
		return ST_OK;
	}
	if (st == ST_SKIP)
		diag_set(d, 0, "member %.200s: %s", name, why.text);
	else
		diag_oom(d);
	s->dead = st == ST_FATAL;
	source_close(in);
	return st;
}

const char *source_name(const struct source *s)
{
	return s->name.p;
}

enum status source_peek(struct source *s, const unsigned char **p, size_t *n, struct diag *d)
{
	return stage_peek(s->top, p, n, d);
}

enum status source_read(struct source *s, void *buf, size_t cap, size_t *n, struct diag *d)
{
	return stage_read(s->top, buf, cap, n, d);
}

bool source_failed(const struct source *s, struct diag *d)
{
	if (s->members || s->top->state != ST_FATAL)
		return false;
	*d = s->top->why;
	return true;
}

bool source_regular(const struct source *s, int *fd, uint64_t *size)
{
	return !s->members && origin_regular(s->top, fd, size);
}

const struct head *source_head(const struct source *s)
{
	return s->members ? NULL : origin_head(s->top);
}

struct source *source_again(const struct source *s, struct diag *d)
{
	const struct stage *bottom = s->top;

	while (bottom->below)
		bottom = bottom->below;
	return !s->members && origin_by_path(bottom) ? source_open(s->name.p, d) : NULL;
}

uint64_t source_taken(const struct source *s)
{
	return s->top->ledger->taken;
}

void source_close(struct source *s)
{
	if (!s)
		return;
	members_close(s->members);
	stage_close(s->top);
	buf_fini(&s->name);
	free(s);
}
