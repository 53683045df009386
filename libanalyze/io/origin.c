/* SPDX-License-Identifier: MIT
 * The outermost bytes: a file, standard input or memory, counted as they are taken. */
#include "base/base.h"
#include "io/head.h"
#include "io/stage.h"
#include "io/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { READ_MOST = 1 << 30 }; /* read(2) takes no more than 2 GiB anyway */

/* A reader faster than its producer is woken for every few pages, and waits for the pipe's lock
 * while more are written, which costs more than the reading.  A pipe of the size that Linux grants
 * to everybody takes a third of the CPU time off (0.66 to 0.38 s a GB); letting it fill for a
 * moment when there was little in it, another tenth, and does not make the whole slower. */
enum { PIPE_BYTES = 1024 * 1024, PIPE_LITTLE = PIPE_BYTES / 4, PIPE_MOMENT = 10000 /* ns */ };

struct file {
	struct stage st;
	int fd;
	bool owned;                 /* close it */
	bool by_path;               /* it was opened by its path */
	const struct tm_head *head; /* kept: fd is its, and may be somebody else's too; or NULL */
	struct tm_head *shared;     /* the same where it is this source's to close, or NULL */
	bool pipe;
	bool regular;   /* a regular file, whatever the offset it was handed over with */
	int64_t start;  /* that offset: standard input may have been read from before us */
	uint64_t bytes; /* size of a regular file */
	bool emptied;   /* of a pipe: there was little in it */
	bool keep;      /* it is the standard input of `kept` ... */
	uint64_t at;    /* ... and so many bytes were read from that */
};

enum { KEPT_MOST = 1024 * 1024 };

/* What was read of a standard input that can be read only once.  Its first bytes are kept, so that
 * it can be opened again by who only looked at them; of an archive everything, in a file: what lies
 * at its end may say how its beginning is to be read. */
static struct {
	bool on, decided;
	struct tm_buf head; /* n bytes, while there is no file */
	int fd;             /* with n bytes */
	uint64_t n;
	dev_t dev; /* of the standard input that it is of: a program may put another in its place */
	ino_t ino;
} kept = { .fd = -1 };

static const struct stage_ops pipe_ops;

struct memory {
	struct stage st;
	const unsigned char *p;
	size_t n, at;
};

static void keep_nothing(void)
{
	tm_buf_fini(&kept.head);
	if (kept.fd >= 0)
		close(kept.fd);
	kept.fd = -1;
	kept.n = 0;
	kept.on = false;
}

static bool write_all(int fd, const void *p, size_t n)
{
	const char *at = p;

	while (n) {
		ssize_t w = write(fd, at, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return false;
		at += w;
		n -= (size_t)w;
	}
	return true;
}

/* n more bytes of standard input; where there is no room for them it can be read once, as without.
 */
static void keep(const void *p, size_t n)
{
	bool ok = kept.fd >= 0 ? write_all(kept.fd, p, n)
	                       : (!kept.decided || kept.n + n <= KEPT_MOST) &&
	                                 tm_buf_add(&kept.head, p, n);

	kept.n += n;
	if (!ok)
		keep_nothing();
}

/* What was kept before is read first: TM_ST_OK, TM_ST_FATAL and *d, TM_ST_END = there is nothing
 * more of that. */
static enum tm_status read_kept(struct file *f, void *buf, size_t cap, size_t *n, struct tm_diag *d)
{
	ssize_t r = 0;

	if (!f->keep || f->at >= kept.n)
		return TM_ST_END;
	if (cap > kept.n - f->at)
		cap = (size_t)(kept.n - f->at);
	if (kept.fd < 0) {
		memcpy(buf, kept.head.p + f->at, cap);
		r = (ssize_t)cap;
	} else {
		do
			r = pread(kept.fd, buf, cap, (off_t)f->at);
		while (r < 0 && errno == EINTR);
	}
	if (r <= 0) {
		tm_diag_set(d, 0, "cannot read: %s", strerror(r < 0 ? errno : EIO));
		return TM_ST_FATAL;
	}
	f->at += (uint64_t)r;
	f->st.ledger->taken += (uint64_t)r;
	*n = (size_t)r;
	return TM_ST_OK;
}

void tm_origin_decide(const struct stage *st, bool archive)
{
	const struct file *f = (const struct file *)st;

	if (st->ops != &pipe_ops || !f->keep || kept.decided)
		return;
	kept.decided = true;
	if (!archive)
		return;
	kept.fd = tm_temp_open();
	if (kept.fd < 0 || !write_all(kept.fd, kept.head.p, kept.head.n))
		keep_nothing();
	tm_buf_fini(&kept.head);
}

static ssize_t read_some(const struct file *f, void *buf, size_t cap)
{
	return f->head ? tm_head_read(f->head, buf, cap, f->at) : read(f->fd, buf, cap);
}

static enum tm_status file_read(struct stage *st, void *buf, size_t cap, size_t *n,
                                struct tm_diag *d)
{
	static const struct timespec moment = { .tv_nsec = PIPE_MOMENT };
	struct file *f = (struct file *)st;
	enum tm_status had = read_kept(f, buf, cap, n, d);
	ssize_t r;

	if (had != TM_ST_END)
		return had;
	if (f->emptied)
		(void)nanosleep(&moment, NULL);
	while ((r = read_some(f, buf, cap < READ_MOST ? cap : READ_MOST)) < 0) {
		struct pollfd wait = { .fd = f->fd, .events = POLLIN };

		/* Whoever shares our standard input may have made it non-blocking. */
		if (errno == EAGAIN && (poll(&wait, 1, -1) >= 0 || errno == EINTR))
			continue;
		if (errno == EINTR)
			continue;
		tm_diag_set(d, 0, "cannot read: %s", strerror(errno));
		return TM_ST_FATAL;
	}
	*n = (size_t)r;
	f->emptied = f->pipe && *n < PIPE_LITTLE;
	st->ledger->taken += *n;
	if (f->keep && kept.on)
		keep(buf, *n);
	f->at += *n;
	return r ? TM_ST_OK : TM_ST_END;
}

static int64_t file_seek(struct stage *st, int64_t offset, int whence)
{
	struct file *f = (struct file *)st;
	off_t at = -1;

	if (!f->head) {
		at = lseek(f->fd, whence == SEEK_SET ? f->start + offset : offset, whence);
		return at < f->start ? -1 : at - f->start;
	}
	if (whence != SEEK_END)
		at = whence == SEEK_SET ? 0 : (off_t)f->at;
	else
		at = lseek(f->fd, 0, SEEK_END);
	if (at < 0 || offset < -at || offset > INT64_MAX - at)
		return -1;
	f->at = (uint64_t)(at + offset);
	return at + offset;
}

static void file_fini(struct stage *st)
{
	struct file *f = (struct file *)st;

	if (f->owned)
		close(f->fd);
	tm_head_close(f->shared);
}

static enum tm_status memory_read(struct stage *st, void *buf, size_t cap, size_t *n,
                                  struct tm_diag *d)
{
	struct memory *m = (struct memory *)st;

	(void)d;
	if (m->at >= m->n)
		return TM_ST_END;
	*n = cap < m->n - m->at ? cap : m->n - m->at;
	memcpy(buf, m->p + m->at, *n);
	m->at += *n;
	st->ledger->taken += *n;
	return TM_ST_OK;
}

static int64_t memory_seek(struct stage *st, int64_t offset, int whence)
{
	struct memory *m = (struct memory *)st;
	int64_t base = whence == SEEK_SET ? 0 : (int64_t)(whence == SEEK_CUR ? m->at : m->n);

	if (offset < -base || offset > INT64_MAX - base)
		return -1;
	m->at = (size_t)(base + offset);
	return base + offset;
}

static const struct stage_ops pipe_ops = { .read = file_read, .fini = file_fini };
static const struct stage_ops file_ops = {
	.read = file_read,
	.seek = file_seek,
	.fini = file_fini,
};
static const struct stage_ops memory_ops = { .read = memory_read, .seek = memory_seek };

/* Where a regular file begins: standard input where it was handed over, each time it is opened. */
static int64_t start_of(int fd, bool owned)
{
	static off_t handed_over = -1;

	if (owned)
		return 0;
	if (handed_over < 0)
		handed_over = lseek(fd, 0, SEEK_CUR);
	return handed_over < 0 ? -1 : lseek(fd, handed_over, SEEK_SET);
}

struct stage *tm_origin_file(const char *path, const struct tm_head *h, struct ledger *l,
                             struct tm_diag *d)
{
	bool by_path = strcmp(path, "-") != 0, owned;
	struct tm_head *shared = by_path && !h ? tm_head_find(path) : NULL;
	int fd;
	struct stat sb;
	struct file *f;

	h = shared ? shared : h;
	owned = by_path && !h;
	fd = h ? h->fd : STDIN_FILENO;
	if (owned) {
		do
			fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		while (fd < 0 && errno == EINTR);
	}
	/* What cannot be read was not opened for that: a closed standard input, too, whose place
	 * the tools take (cli/frame/tool.c). */
	if (!by_path && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY) {
		errno = EBADF;
		fd = -1;
	}
	if (fd < 0 || fstat(fd, &sb) < 0) {
		tm_diag_set(d, 0, "cannot open: %s", strerror(errno));
		goto fail;
	}
	if (S_ISDIR(sb.st_mode)) {
		tm_diag_set(d, 0, "is a directory");
		goto fail;
	}
	f = tm_stage_new(sizeof *f, &pipe_ops, NULL);
	if (!f) {
		tm_diag_oom(d);
		goto fail;
	}
	f->st.ledger = l;
	f->fd = fd;
	f->owned = owned;
	f->by_path = by_path;
	f->head = h;
	f->shared = shared;
	if (S_ISREG(sb.st_mode) && (f->start = start_of(fd, by_path)) >= 0) {
		f->st.ops = &file_ops;
		f->regular = true;
		f->bytes = (uint64_t)sb.st_size;
		/* Only a hint: the kernel reads further ahead. */
		(void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	}
	if (!by_path && !f->regular) {
		if (kept.dev != sb.st_dev || kept.ino != sb.st_ino) {
			keep_nothing();
			kept.decided = false;
			kept.dev = sb.st_dev;
			kept.ino = sb.st_ino;
		}
		if (!kept.decided && !kept.n)
			kept.on = true;
		f->keep = true;
	}
	f->pipe = S_ISFIFO(sb.st_mode) && fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES) >= 0;
	return &f->st;
fail:
	if (owned && fd >= 0)
		close(fd);
	tm_head_close(shared);
	return NULL;
}

struct stage *tm_origin_memory(const void *p, size_t n, struct ledger *l, struct tm_diag *d)
{
	struct memory *m = tm_stage_new(sizeof *m, &memory_ops, NULL);

	if (!m) {
		tm_diag_oom(d);
		return NULL;
	}
	m->st.ledger = l;
	m->p = p;
	m->n = n;
	return &m->st;
}

bool tm_origin_regular(const struct stage *st, int *fd, uint64_t *size)
{
	const struct file *f = (const struct file *)st;

	/* Files in /proc say they have no bytes and give some: those are only read in order. */
	if (st->ops != &file_ops || f->start || f->bytes < st->end || !f->bytes)
		return false;
	*fd = f->fd;
	*size = f->bytes;
	return true;
}

const struct tm_head *tm_origin_head(const struct stage *st)
{
	return st->ops == &file_ops ? ((const struct file *)st)->head : NULL;
}

bool tm_origin_by_path(const struct stage *st)
{
	return st->ops == &file_ops && ((const struct file *)st)->by_path;
}
