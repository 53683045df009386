/* SPDX-License-Identifier: MIT
 * Rows in order, however many: runs sorted in memory, spilled to one unlinked file, merged at once.
 * events/list.h says how much memory that takes. */
#include "events/events_parts.h"
#include "io/io.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A row as it lies in memory and in the file: this, then n bytes, then up to 7 to an even place. */
struct record {
	uint64_t start, rank;
	struct cell_text name;
	uint32_t kind, n;
	bool untimed;
};

struct sort_entry {
	uint64_t start;
	union {
		size_t at; /* in sorter.bytes, while they may still move */
		const struct record *record;
	} row;
};

enum { WRITE_AT_ONCE = 1 << 20, LEAST_BUFFER = 16 * 1024 };

static size_t size_of(size_t n)
{
	return (sizeof(struct record) + n + 7) & ~(size_t)7;
}

static const char *text_of(const struct record *r)
{
	return (const char *)(r + 1);
}

static int cmp_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int cmp_bytes(const char *a, uint32_t na, const char *b, uint32_t nb)
{
	uint32_t n = na < nb ? na : nb;
	int c = n ? memcmp(a, b, n) : 0;

	return c ? c : cmp_u64(na, nb);
}

static int cmp_records(const struct record *a, const struct record *b)
{
	int c;

	if (a->untimed != b->untimed)
		return a->untimed ? 1 : -1;
	if ((c = cmp_u64(a->start, b->start)) || (c = cmp_u64(a->rank, b->rank)) ||
	    (c = cmp_u64(a->kind, b->kind)))
		return c;
	if (a->name.p != b->name.p && (c = cmp_bytes(a->name.p, a->name.n, b->name.p, b->name.n)))
		return c;
	return cmp_bytes(text_of(a), a->n, text_of(b), b->n);
}

static int cmp_entries(const void *a, const void *b)
{
	const struct sort_entry *x = a, *y = b;

	if (x->start != y->start)
		return cmp_u64(x->start, y->start);
	return cmp_records(x->row.record, y->row.record);
}

/* ---- gathering ---- */

static size_t weight(const struct sorter *s)
{
	return s->bytes.n + s->n * sizeof *s->v;
}

/* What was gathered as a sorted run in memory, taken out of the sorter. */
static struct sort_run take_run(struct sorter *s)
{
	struct sort_run run = { .bytes = (unsigned char *)s->bytes.p, .v = s->v, .n = s->n };

	for (size_t i = 0; i < run.n; i++)
		run.v[i].row.record = (const void *)(run.bytes + run.v[i].row.at);
	qsort(run.v, run.n, sizeof *run.v, cmp_entries);
	run.len = weight(s);
	s->bytes = (struct tm_buf) { 0 };
	s->v = NULL;
	s->n = s->cap = 0;
	return run;
}

static void run_free(struct sort_run *run)
{
	free(run->bytes);
	free(run->v);
	*run = (struct sort_run) { 0 };
}

static bool add_run(struct sorter *s, const struct sort_run *run)
{
	if (!tm_grow_array(&s->run, &s->run_cap, s->nrun + 1, sizeof *s->run))
		return false;
	s->run[s->nrun++] = *run;
	return true;
}

/* ---- the temporary file ---- */

static bool broken(struct spool *sp, const char *what, const char *where)
{
	int why = errno;

	pthread_mutex_lock(&sp->lock);
	tm_diag_set(&sp->why, 0,
	            "--sort cannot %s a temporary file in %s: %s; set TMPDIR to another directory",
	            what, where, strerror(why));
	pthread_mutex_unlock(&sp->lock);
	return false;
}

/* Room for n bytes in the file: where it begins, or UINT64_MAX. */
static uint64_t spool_room(struct spool *sp, uint64_t n)
{
	uint64_t at = UINT64_MAX;

	pthread_mutex_lock(&sp->lock);
	if (sp->fd < 0)
		sp->fd = tm_temp_open();
	if (sp->fd >= 0) {
		at = sp->size;
		sp->size += n;
	}
	pthread_mutex_unlock(&sp->lock);
	return at;
}

static bool write_at(struct spool *sp, const char *p, size_t n, uint64_t at)
{
	while (n) {
		ssize_t k = pwrite(sp->fd, p, n, (off_t)at);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return broken(sp, "write", tm_temp_place());
		p += k;
		n -= (size_t)k;
		at += (uint64_t)k;
	}
	return true;
}

/* A run in memory becomes one in the file. */
static bool spill(struct spool *sp, struct sort_run *run)
{
	struct tm_buf b = { 0 };
	uint64_t len = 0, at;
	bool ok = true;

	for (size_t i = 0; i < run->n; i++)
		len += size_of(run->v[i].row.record->n);
	at = spool_room(sp, len);
	if (at == UINT64_MAX)
		return broken(sp, "make", tm_temp_place());
	run->at = at;
	for (size_t i = 0; ok && i < run->n; i++) {
		const struct record *r = run->v[i].row.record;

		ok = tm_buf_add(&b, r, size_of(r->n));
		if (ok && (b.n >= WRITE_AT_ONCE || i + 1 == run->n)) {
			ok = write_at(sp, b.p, b.n, at);
			at += b.n;
			tm_buf_clear(&b);
		}
	}
	tm_buf_fini(&b);
	free(run->bytes);
	free(run->v);
	run->bytes = NULL;
	run->v = NULL;
	run->len = len;
	return ok;
}

bool tm_sorter_add(struct sorter *s, struct spool *sp, const struct sort_key *k, const char *row,
                   size_t n)
{
	struct record r = { .start = k->untimed ? UINT64_MAX : k->start,
		            .rank = k->rank,
		            .name = k->name,
		            .kind = k->kind,
		            .n = (uint32_t)n,
		            .untimed = k->untimed };
	size_t at = s->bytes.n;

	if (n > UINT32_MAX - 64 || !tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v) ||
	    !tm_buf_reserve(&s->bytes, size_of(n)))
		return false;
	memset(s->bytes.p + at, 0, size_of(n));
	memcpy(s->bytes.p + at, &r, sizeof r);
	memcpy(s->bytes.p + at + sizeof r, row, n);
	s->bytes.n += size_of(n);
	s->v[s->n].start = r.start;
	s->v[s->n++].row.at = at;
	if (weight(s) >= sp->run) {
		struct sort_run run = take_run(s);

		if (!spill(sp, &run) || !add_run(s, &run)) {
			run_free(&run);
			return false;
		}
	}
	return true;
}

bool tm_sorter_merge(struct sorter *s, struct spool *sp, struct sorter *from)
{
	for (size_t i = 0; i < from->nrun; i++)
		if (!add_run(s, &from->run[i]))
			return false;
	from->nrun = 0;
	if (from->n) {
		struct sort_run run = take_run(from);

		if ((s->kept + run.len > sp->keep && !spill(sp, &run)) || !add_run(s, &run)) {
			run_free(&run);
			return false;
		}
		if (run.bytes)
			s->kept += run.len;
	}
	return true;
}

/* ---- merging ---- */

/* A run being read: its next record. */
struct cursor {
	const struct sort_run *run;
	size_t i; /* in memory: next entry */
	struct tm_buf b;
	size_t pos;
	uint64_t at, end; /* in the file: what is not in b yet */
	const struct record *head;
	size_t number;
};

/* At least n bytes at b.p + pos, of a run in the file. */
static bool fetch(struct cursor *c, struct spool *sp, size_t n, size_t buffer)
{
	size_t have = c->b.n - c->pos, want;

	if (have >= n)
		return true;
	if (c->pos) {
		memmove(c->b.p, c->b.p + c->pos, have);
		c->b.n = have;
		c->pos = 0;
	}
	want = n > buffer ? n : buffer;
	if (!tm_buf_reserve(&c->b, want - have))
		return false;
	while (c->b.n < n) {
		uint64_t left = c->end - c->at;
		size_t room = want - c->b.n;
		ssize_t k = pread(sp->fd, c->b.p + c->b.n, left < room ? (size_t)left : room,
		                  (off_t)c->at);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			errno = k ? errno : EIO;
			return broken(sp, "read", tm_temp_place());
		}
		c->b.n += (size_t)k;
		c->at += (uint64_t)k;
	}
	return true;
}

/* On to the next record; head NULL at the end. */
static bool advance(struct cursor *c, struct spool *sp, size_t buffer)
{
	const struct record *r;

	c->head = NULL;
	if (c->run->bytes) {
		if (c->i < c->run->n)
			c->head = c->run->v[c->i++].row.record;
		return true;
	}
	if (c->pos == c->b.n && c->at == c->end)
		return true;
	if (!fetch(c, sp, sizeof *r, buffer))
		return false;
	r = (const void *)(c->b.p + c->pos);
	if (!fetch(c, sp, size_of(r->n), buffer))
		return false;
	c->head = (const void *)(c->b.p + c->pos);
	c->pos += size_of(c->head->n);
	return true;
}

static bool before(const struct cursor *a, const struct cursor *b)
{
	int c = cmp_records(a->head, b->head);

	return c ? c < 0 : a->number < b->number;
}

static void sink_down(struct cursor **heap, size_t n, size_t i)
{
	for (;;) {
		size_t least = i, l = 2 * i + 1, r = 2 * i + 2;
		struct cursor *t;

		if (l < n && before(heap[l], heap[least]))
			least = l;
		if (r < n && before(heap[r], heap[least]))
			least = r;
		if (least == i)
			return;
		t = heap[i];
		heap[i] = heap[least];
		heap[least] = t;
		i = least;
	}
}

bool tm_sorter_drain(struct sorter *s, struct spool *sp,
                     bool (*put)(void *arg, const void *p, size_t n), void *arg)
{
	struct cursor *c = calloc(s->nrun ? s->nrun : 1, sizeof *c);
	struct cursor **heap = calloc(s->nrun ? s->nrun : 1, sizeof(struct cursor *));
	size_t buffer = TM_EVENTS_MERGE / (s->nrun ? s->nrun : 1), n = 0;
	bool ok = c && heap;

	buffer = buffer < LEAST_BUFFER    ? LEAST_BUFFER
	         : buffer > WRITE_AT_ONCE ? WRITE_AT_ONCE
	                                  : buffer;
	for (size_t i = 0; ok && i < s->nrun; i++) {
		c[i] = (struct cursor) { .run = &s->run[i],
			                 .at = s->run[i].at,
			                 .end = s->run[i].at + s->run[i].len,
			                 .number = i };
		ok = advance(&c[i], sp, buffer);
		if (ok && c[i].head)
			heap[n++] = &c[i];
	}
	for (size_t i = n / 2; ok && i-- > 0;)
		sink_down(heap, n, i);
	while (ok && n) {
		ok = put(arg, text_of(heap[0]->head), heap[0]->head->n) &&
		     advance(heap[0], sp, buffer);
		if (ok && !heap[0]->head)
			heap[0] = heap[--n];
		if (ok)
			sink_down(heap, n, 0);
	}
	for (size_t i = 0; c && i < s->nrun; i++)
		tm_buf_fini(&c[i].b);
	free(c);
	free(heap);
	return ok;
}

void tm_sorter_fini(struct sorter *s)
{
	for (size_t i = 0; i < s->nrun; i++)
		run_free(&s->run[i]);
	free(s->run);
	free(s->v);
	tm_buf_fini(&s->bytes);
	*s = (struct sorter) { 0 };
}
