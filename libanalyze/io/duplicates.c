/* SPDX-License-Identifier: MIT
 * Which files were given twice?
 *
 * Files of equal size are told apart by a hash of their beginning, those that agree in it by a hash
 * of everything, and only those are compared byte by byte: hundreds of files of one size are read
 * about once each. */
#include "io/walk.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_BYTES = 256 * 1024 };

struct item {
	size_t file; /* index in walk.v */
	uint64_t of, group, size, hash;
	dev_t dev;
	ino_t ino;
};

struct job {
	struct tm_walk_file *v;
	unsigned char *a, *b; /* CHUNK_BYTES each */
	const struct tm_hash *hash;
};

static int order(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

/* Of files that are alike the first counts: those of a group go before those of none, which may be
 * the same as any. */
static int by_place(const struct item *x, const struct item *y)
{
	int c = order(x->of, y->of);

	if (!c)
		c = order(x->group - 1, y->group - 1); /* 0 becomes the last of all numbers */
	return c ? c : order(x->file, y->file);
}

static int by_inode(const void *p, const void *q)
{
	const struct item *x = p, *y = q;
	int c = order(x->dev, y->dev);

	if (!c)
		c = order(x->ino, y->ino);
	return c ? c : by_place(x, y);
}

static int by_content(const void *p, const void *q)
{
	const struct item *x = p, *y = q;
	int c = order(x->size, y->size);

	if (!c)
		c = order(x->hash, y->hash);
	return c ? c : by_place(x, y);
}

/* Of items in the order of by_place: the first that item `i` may be the same as; `i` itself when
 * there is none before it. */
static size_t first_like(const struct item *it, size_t i)
{
	size_t lo = 0, hi = i;

	TM_BISECT(lo, hi, mid,
	          it[mid].of < it[i].of ||
	                  (it[i].group && it[mid].of == it[i].of && it[mid].group < it[i].group));
	return lo;
}

/* A file being read, its head kept or not. */
struct view {
	const struct tm_head *head; /* or NULL: fd is its own */
	int fd;
	uint64_t at;
};

/* False when it cannot be opened, and that is noted. */
static bool view_open(const struct job *j, size_t file, struct view *v)
{
	struct tm_walk_file *f = &j->v[file];

	*v = (struct view) { .head = tm_walk_head(f), .fd = -1 };
	if (v->head)
		return true;
	/* Non-blocking, should a FIFO have taken the place of the file. */
	do
		v->fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	while (v->fd < 0 && errno == EINTR);
	if (v->fd < 0)
		f->unread = errno;
	return v->fd >= 0;
}

static void view_close(struct view *v)
{
	if (v->fd >= 0)
		close(v->fd);
}

static ptrdiff_t view_read(struct view *v, unsigned char *buf, size_t cap)
{
	return v->head ? tm_head_read(v->head, buf, cap, v->at) : read(v->fd, buf, cap);
}

/* Up to `cap` bytes of a file, fewer only at the end; -1 = failed, and that is noted. */
static ptrdiff_t read_chunk(const struct job *j, size_t file, struct view *v, unsigned char *buf,
                            size_t cap)
{
	size_t n = 0;

	while (n < cap) {
		ptrdiff_t r = view_read(v, buf + n, cap - n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			j->v[file].unread = errno;
		if (r < 0)
			return -1;
		if (!r)
			break;
		n += (size_t)r;
		v->at += (uint64_t)r;
	}
	return (ptrdiff_t)n;
}

/* Hash the file up to `most` bytes.  False when it cannot be read. */
static bool hash_file(const struct job *j, struct item *it, uint64_t most)
{
	struct view v;
	ptrdiff_t n = 0;

	if (!view_open(j, it->file, &v))
		return false;
	it->hash = 0;
	while (most) {
		uint64_t both[2] = { it->hash };

		n = read_chunk(j, it->file, &v, j->a,
		               most < CHUNK_BYTES ? (size_t)most : CHUNK_BYTES);
		if (n <= 0)
			break;
		both[1] = tm_hash_bytes(j->hash, j->a, (size_t)n);
		it->hash = tm_hash_words(j->hash, both, 2);
		most -= (uint64_t)n;
	}
	view_close(&v);
	return n >= 0;
}

/* Piece by piece, the first as large as a head. */
static bool same_bytes(const struct job *j, size_t x, size_t y)
{
	struct view vx, vy = { .fd = -1 };
	bool same = view_open(j, x, &vx) && view_open(j, y, &vy);
	ptrdiff_t n = 1, m;
	size_t cap = TM_HEAD_BYTES;

	for (; same && n > 0; cap = CHUNK_BYTES) {
		n = read_chunk(j, x, &vx, j->a, cap);
		m = read_chunk(j, y, &vy, j->b, cap);
		same = n == m && n >= 0 && !memcmp(j->a, j->b, (size_t)n);
	}
	view_close(&vx);
	view_close(&vy);
	return same;
}

static void mark(struct tm_walk_file *v, size_t file, size_t same_as)
{
	v[file].duplicate = true;
	v[file].same_as = same_as;
}

/* Compare all items of a run that looks the same so far; each with the first of every kind. */
static void compare(const struct job *j, const struct item *it, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = first_like(it, i); k < i; k++) {
			if (j->v[it[k].file].duplicate)
				continue;
			if (same_bytes(j, it[k].file, it[i].file)) {
				mark(j->v, it[i].file, it[k].file);
				break;
			}
		}
}

/* May none of them be the same as another? */
static bool all_apart(const struct item *it, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (first_like(it, i) < i)
			return false;
	return true;
}

/* Items of one size, in the order of by_place: hash up to `most` bytes, look into the runs that are
 * still alike. */
static void refine(const struct job *j, struct item *it, size_t n, uint64_t most)
{
	size_t kept = 0;

	if (all_apart(it, n))
		return;
	if (n == 2 || most == UINT64_MAX) {
		compare(j, it, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct item one = it[i];

		if (hash_file(j, &one, most))
			it[kept++] = one;
	}
	qsort(it, kept, sizeof *it, by_content);
	for (size_t i = 0, end; i < kept; i = end) {
		for (end = i + 1; end < kept && it[end].hash == it[i].hash; end++)
			;
		if (end - i > 1)
			refine(j, it + i, end - i, most < it[i].size ? it[i].size : UINT64_MAX);
	}
}

/* Take one look at every file.  Returns how many regular ones there are. */
static size_t stat_all(const struct tm_walk *w, struct item *it,
                       uint64_t (*group_of)(void *arg, size_t operand), void *arg)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct tm_walk_file *f = &w->v[i];
		struct stat sb;

		if (f->ignored || !strcmp(f->path, "-") || stat(f->path, &sb) < 0 ||
		    !S_ISREG(sb.st_mode))
			continue;
		it[n++] = (struct item) {
			.file = i,
			.group = group_of ? group_of(arg, f->operand) : 0,
			.size = (uint64_t)sb.st_size,
			.dev = sb.st_dev,
			.ino = sb.st_ino,
		};
	}
	return n;
}

/* Mark further names of one file; returns how many items are left, all different files, or kept
 * apart. */
static size_t same_inodes(struct tm_walk_file *v, struct item *it, size_t n)
{
	size_t kept = 0, first = 0; /* of those kept, the first that is this file */

	if (!n)
		return 0;
	qsort(it, n, sizeof *it, by_inode);
	for (size_t i = 0; i < n; i++) {
		const struct item *last = kept ? &it[kept - 1] : NULL;

		if (!last || last->dev != it[i].dev || last->ino != it[i].ino ||
		    last->of != it[i].of)
			first = kept;
		if (first < kept && !it[i].group)
			mark(v, it[i].file, it[first].file);
		else if (first < kept && last->group == it[i].group)
			mark(v, it[i].file, last->file);
		else
			it[kept++] = it[i];
	}
	return kept;
}

bool tm_walk_mark_same(struct tm_walk *w, uint64_t (*group_of)(void *arg, size_t operand),
                       void *arg)
{
	struct item *it = calloc(w->n ? w->n : 1, sizeof *it);
	size_t n = it ? stat_all(w, it, group_of, arg) : 0, kept = 0;

	for (size_t i = 0; i < n; i++)
		if (it[i].size)
			it[kept++] = it[i];
	same_inodes(w->v, it, kept);
	free(it);
	return it != NULL;
}

/* Items i .. end - 1 of n, sorted by_content, have one size. */
static size_t end_of_size(const struct item *it, size_t i, size_t n)
{
	size_t end = i + 1;

	while (end < n && it[end].size == it[i].size)
		end++;
	return end;
}

/* Items of one size: what they are of.  False when out of memory. */
static bool tell_all(struct tm_walk_file *v, struct item *it, size_t n,
                     bool (*tell)(void *arg, struct tm_walk_file *f), void *arg)
{
	for (size_t i = 0; i < n; i++) {
		if (!tell(arg, &v[it[i].file]))
			return false;
		it[i].of = v[it[i].file].of;
	}
	return true;
}

bool tm_walk_mark_duplicates(struct tm_walk *w, uint64_t (*group_of)(void *arg, size_t operand),
                             bool (*tell)(void *arg, struct tm_walk_file *f), void *arg)
{
	struct item *it = calloc(w->n ? w->n : 1, sizeof *it);
	struct job j = {
		.v = w->v, .hash = tm_hash_own(), .a = malloc(CHUNK_BYTES), .b = malloc(CHUNK_BYTES)
	};
	bool ok = it && j.a && j.b;
	size_t n;

	if (!ok)
		goto out;
	n = stat_all(w, it, group_of, arg);
	qsort(it, n, sizeof *it, by_content);
	for (size_t i = 0, end; tell && i < n; i = end) {
		end = end_of_size(it, i, n);
		if (end - i > 1 && !tell_all(w->v, it + i, end - i, tell, arg)) {
			ok = false;
			goto out;
		}
	}
	n = same_inodes(w->v, it, n);
	qsort(it, n, sizeof *it, by_content);
	for (size_t i = 0, end; i < n; i = end) {
		end = end_of_size(it, i, n);
		if (end - i > 1 && it[i].size)
			refine(&j, it + i, end - i, TM_HEAD_BYTES);
	}
	/* The one a file is the same as may have turned out to be the same as another. */
	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].duplicate && w->v[w->v[i].same_as].duplicate)
			w->v[i].same_as = w->v[w->v[i].same_as].same_as;
out:
	free(it);
	free(j.a);
	free(j.b);
	return ok;
}
