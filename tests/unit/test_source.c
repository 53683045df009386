/* SPDX-License-Identifier: MIT
 * Does a source give back what was wrapped, and does it notice everything that is missing? */
#include "base/buf.h"
#include "io/source.h"

#include "test.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* What came out of a source. */
struct got {
	struct tm_buf bytes;
	enum tm_status st; /* TM_ST_END or TM_ST_FATAL */
	struct tm_diag d;
};

static const char text[] = "name,start,end\nvoid k<int, float>(...),10,20\nother,20,30\n";
static const size_t text_len = sizeof text - 1;

/* ---- making things ---- */

static struct tm_buf plain(const void *p, size_t n)
{
	struct tm_buf b = { 0 };

	tm_buf_add(&b, p, n);
	return b;
}

static struct tm_buf the_text(void)
{
	return plain(text, text_len);
}

/* Numbers in disorder: compresses badly, so that decoders need more than one block. */
static struct tm_buf noise(size_t n)
{
	struct tm_buf b = { 0 };
	uint64_t x = 88172645463325252u;

	tm_buf_reserve(&b, n);
	for (size_t i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		b.p[b.n++] = (char)('a' + (x >> 32) % 16);
	}
	b.p[b.n] = '\0';
	return b;
}

/* The makers of wrappings free what they wrap: they can be written one around the other. */
static struct tm_buf gz(struct tm_buf in)
{
	struct tm_buf out = { 0 };
	z_stream z = { 0 };

	CHECK(deflateInit2(&z, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	tm_buf_reserve(&out, deflateBound(&z, in.n) + 64);
	z.next_in = (unsigned char *)in.p;
	z.avail_in = (unsigned)in.n;
	z.next_out = (unsigned char *)out.p;
	z.avail_out = (unsigned)out.cap;
	CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	out.n = z.total_out;
	deflateEnd(&z);
	tm_buf_fini(&in);
	return out;
}

static struct tm_buf zst(struct tm_buf in)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	struct tm_buf out = { 0 };

	tm_buf_reserve(&out, ZSTD_compressBound(in.n));
	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	out.n = ZSTD_compress2(c, out.p, out.cap, in.p, in.n);
	CHECK(!ZSTD_isError(out.n));
	ZSTD_freeCCtx(c);
	tm_buf_fini(&in);
	return out;
}

static la_ssize_t keep(struct archive *a, void *arg, const void *p, size_t n)
{
	(void)a;
	return tm_buf_add(arg, p, n) ? (la_ssize_t)n : -1;
}

static struct archive *begin(struct tm_buf *out, int format, int filter)
{
	struct archive *a = archive_write_new();

	CHECK(archive_write_set_format(a, format) == ARCHIVE_OK);
	if (filter)
		CHECK(archive_write_add_filter(a, filter) == ARCHIVE_OK);
	archive_write_set_bytes_in_last_block(a, 1);
	return archive_write_open(a, out, NULL, keep, NULL) == ARCHIVE_OK ? a : NULL;
}

static void put(struct archive *a, const char *name, unsigned type, struct tm_buf in)
{
	struct archive_entry *e = archive_entry_new();

	archive_entry_set_pathname(e, name);
	archive_entry_set_filetype(e, type);
	archive_entry_set_perm(e, 0644);
	archive_entry_set_size(e, (la_int64_t)in.n);
	if (type == AE_IFLNK)
		archive_entry_set_symlink(e, "a.csv");
	/* A name that is not UTF-8 is warned about. */
	CHECK(archive_write_header(a, e) >= ARCHIVE_WARN);
	if (in.n)
		CHECK(archive_write_data(a, in.p, in.n) == (la_ssize_t)in.n);
	archive_entry_free(e);
	tm_buf_fini(&in);
}

static void finish(struct archive *a)
{
	CHECK(archive_write_close(a) == ARCHIVE_OK);
	archive_write_free(a);
}

static struct tm_buf foreign(struct tm_buf in, int filter)
{
	struct tm_buf out = { 0 };
	struct archive *a = begin(&out, ARCHIVE_FORMAT_RAW, filter);

	put(a, "x", AE_IFREG, in);
	finish(a);
	return out;
}

/* An archive of one member. */
static struct tm_buf pack1(int format, const char *name, struct tm_buf in)
{
	struct tm_buf out = { 0 };
	struct archive *a = begin(&out, format, 0);

	put(a, name, AE_IFREG, in);
	finish(a);
	return out;
}

/* An archive with a directory, a link and three members, two of them compressed. */
static struct tm_buf pack(int format)
{
	struct tm_buf out = { 0 };
	struct archive *a = begin(&out, format, 0);

	put(a, "dir", AE_IFDIR, (struct tm_buf) { 0 });
	put(a, "dir/a.csv", AE_IFREG, the_text());
	/* Only the directory at the end of a zip knows what is a link, and not all can see that. */
	if (format != ARCHIVE_FORMAT_ZIP)
		put(a, "link", AE_IFLNK, (struct tm_buf) { 0 });
	put(a, "dir/b.gz", AE_IFREG, gz(noise(300000)));
	put(a, "../c.zst", AE_IFREG, zst(the_text()));
	finish(a);
	return out;
}

/* ---- files ---- */

static char dir[200];

static const char *in_dir(const char *name)
{
	static char path[300];

	if (!dir[0]) {
		const char *tmp = getenv("TMPDIR");

		snprintf(dir, sizeof dir, "%.150s/test_source.XXXXXX", tmp ? tmp : "/tmp");
		CHECK(mkdtemp(dir) != NULL);
	}
	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

static const char *save(const char *name, struct tm_buf in)
{
	const char *path = in_dir(name);
	FILE *f = fopen(path, "wb");

	CHECK(f && fwrite(in.p ? in.p : "", 1, in.n, f) == in.n && fclose(f) == 0);
	tm_buf_fini(&in);
	return path;
}

static void clean(const char *name)
{
	unlink(in_dir(name));
	CHECK(rmdir(dir) == 0);
	dir[0] = '\0';
}

/* ---- reading ---- */

static void drain(struct tm_source *s, size_t step, struct got *g)
{
	static char buf[1 << 20];
	size_t n;

	while ((g->st = tm_source_read(s, buf, step, &n, &g->d)) == TM_ST_OK) {
		CHECK(n > 0 && n <= step);
		tm_buf_add(&g->bytes, buf, n);
	}
	CHECK_U64(n, 0);
	/* The end is the end, and death is for good. */
	CHECK(tm_source_read(s, buf, step, &n, &g->d) == g->st);
}

static struct got read_all(struct tm_source *s, size_t step)
{
	struct got g = { 0 };

	CHECK(s != NULL);
	if (s)
		drain(s, step, &g);
	tm_source_close(s);
	return g;
}

static struct got read_memory(const struct tm_buf *in, size_t step)
{
	struct tm_diag d = { 0 };

	return read_all(tm_source_memory("m", in->p, in->n, &d), step);
}

static bool same(const struct tm_buf *a, const struct tm_buf *b)
{
	return a->n == b->n && (!a->n || !memcmp(a->p, b->p, a->n));
}

static bool is_prefix(const struct tm_buf *a, const struct tm_buf *of)
{
	return a->n <= of->n && (!a->n || !memcmp(a->p, of->p, a->n));
}

/* `in` must give `want` and a good end, in big and in small pieces, with and without a peek. */
static void gives(struct tm_buf in, struct tm_buf want)
{
	static const size_t steps[] = { 1 << 20, 65536, 4097 };

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct got g = read_memory(&in, steps[i]);

		CHECK(g.st == TM_ST_END);
		CHECK_U64(g.bytes.n, want.n);
		CHECK(same(&g.bytes, &want));
		tm_buf_fini(&g.bytes);
	}
	tm_buf_fini(&in);
	tm_buf_fini(&want);
}

/* `in` must give `want` and then this fault. */
static void fails(struct tm_buf in, struct tm_buf want, const char *why)
{
	struct got g = read_memory(&in, 5000);

	CHECK(g.st == TM_ST_FATAL);
	CHECK_U64(g.bytes.n, want.n);
	CHECK(same(&g.bytes, &want));
	CHECK_STR(g.d.text, why);
	tm_buf_fini(&g.bytes);
	tm_buf_fini(&in);
	tm_buf_fini(&want);
}

/* Cut at every byte: never success once it can be told what it is, never wrong bytes. */
static void cut_everywhere(struct tm_buf in, struct tm_buf want, size_t least, const char *why)
{
	for (size_t n = least; n < in.n; n++) {
		/* A copy of its own, so that sanitizers see reads past the end. */
		struct tm_buf part = plain(in.p, n);
		char *exact = malloc(n);
		struct tm_diag d = { 0 };
		struct got g;

		memcpy(exact, part.p, n);
		g = read_all(tm_source_memory("m", exact, n, &d), 1 << 20);
		CHECK(g.st == TM_ST_FATAL);
		CHECK(is_prefix(&g.bytes, &want));
		if (g.st != TM_ST_FATAL || strcmp(g.d.text, why))
			fprintf(stderr, "cut at %zu of %zu\n", n, in.n);
		CHECK_STR(g.d.text, why);
		tm_buf_fini(&g.bytes);
		tm_buf_fini(&part);
		free(exact);
	}
	tm_buf_fini(&in);
	tm_buf_fini(&want);
}

/* All that is in an archive, as text: a line for each member or complaint, indented by depth. */
static void list(struct tm_source *s, struct tm_buf *out)
{
	struct tm_source *m;
	struct tm_diag d;
	enum tm_status st;

	CHECK(tm_source_is_archive(s));
	while ((st = tm_source_member(s, &m, &d)) == TM_ST_OK || st == TM_ST_SKIP) {
		struct got g = { 0 };

		if (st == TM_ST_SKIP) {
			tm_buf_fmt(out, "skip %s\n", d.text);
			continue;
		}
		tm_buf_fmt(out, "%s", tm_source_name(m));
		if (tm_source_is_archive(m)) {
			tm_buf_str(out, " {\n");
			list(m, out);
			tm_buf_str(out, "}\n");
		} else {
			drain(m, 70000, &g);
			if (g.bytes.n == text_len && !memcmp(g.bytes.p, text, text_len))
				tm_buf_str(out, " text");
			else
				tm_buf_fmt(out, " %zu", g.bytes.n);
			if (g.st == TM_ST_FATAL)
				tm_buf_fmt(out, " broken: %s", g.d.text);
			tm_buf_chr(out, '\n');
			tm_buf_fini(&g.bytes);
		}
		tm_source_close(m);
	}
	CHECK(tm_source_member(s, &m, &d) == st);
	if (st == TM_ST_FATAL)
		tm_buf_fmt(out, "dead: %s\n", d.text);
}

static void lists_source(struct tm_source *s, const char *want)
{
	struct tm_buf out = { 0 };

	tm_buf_str(&out, "");
	CHECK(s != NULL);
	if (s && tm_source_is_archive(s))
		list(s, &out);
	tm_source_close(s);
	CHECK_STR(out.p, want);
	tm_buf_fini(&out);
}

static void lists(struct tm_buf in, const char *want)
{
	struct tm_diag d = { 0 };

	lists_source(tm_source_memory("m", in.p, in.n, &d), want);
	tm_buf_fini(&in);
}

static void refuses(struct tm_buf in, const char *why)
{
	struct tm_diag d = { 0 };

	CHECK(tm_source_memory("m", in.p, in.n, &d) == NULL);
	CHECK_STR(d.text, why);
	tm_buf_fini(&in);
}

/* ---- plain bytes ---- */

TEST(plain_file)
{
	struct tm_buf want = noise(200000), copy = noise(200000);
	const char *path = save("plain", copy);
	struct tm_diag d;
	struct tm_source *s = tm_source_open(path, &d);
	const unsigned char *p, *q;
	uint64_t size = 0;
	struct got g;
	size_t n, m;
	int fd = -1;

	CHECK(s && !tm_source_is_archive(s));
	CHECK_STR(tm_source_name(s), path);
	CHECK(tm_source_regular(s, &fd, &size) && fd >= 0);
	CHECK_U64(size, want.n);
	CHECK(tm_source_peek(s, &p, &n, &d) == TM_ST_OK);
	CHECK_U64(n, TM_SOURCE_PEEK);
	CHECK(!memcmp(p, want.p, n));
	CHECK(tm_source_peek(s, &q, &m, &d) == TM_ST_OK && q == p && m == n);
	g = read_all(s, 70001);
	CHECK(g.st == TM_ST_END && same(&g.bytes, &want));
	tm_buf_fini(&g.bytes);
	tm_buf_fini(&want);
	clean("plain");
}

TEST(peek_between_reads)
{
	struct tm_buf want = noise(150000);
	struct tm_diag d;
	struct tm_source *s = tm_source_memory("m", want.p, want.n, &d);
	const unsigned char *p;
	char some[1000];
	struct got g;
	size_t n;

	CHECK(tm_source_read(s, some, sizeof some, &n, &d) == TM_ST_OK);
	CHECK(tm_source_peek(s, &p, &n, &d) == TM_ST_OK);
	CHECK(n == TM_SOURCE_PEEK && !memcmp(p, want.p + 1000, n));
	g = read_all(s, 1 << 20);
	CHECK(g.bytes.n == want.n - 1000 && !memcmp(g.bytes.p, want.p + 1000, g.bytes.n));
	tm_buf_fini(&g.bytes);
	tm_buf_fini(&want);
}

TEST(memory)
{
	gives(the_text(), the_text());
	gives(noise(1 << 17), noise(1 << 17));
	gives((struct tm_buf) { 0 }, (struct tm_buf) { 0 });
}

TEST(empty)
{
	const char *path = save("empty", (struct tm_buf) { 0 });
	struct tm_diag d;
	struct tm_source *s = tm_source_open(path, &d);
	const unsigned char *p;
	struct got g;
	size_t n = 1;

	CHECK(s && tm_source_peek(s, &p, &n, &d) == TM_ST_OK);
	CHECK_U64(n, 0);
	g = read_all(s, 100);
	CHECK(g.st == TM_ST_END && g.bytes.n == 0);
	g = read_all(tm_source_open("/dev/null", &d), 100);
	CHECK(g.st == TM_ST_END && g.bytes.n == 0);
	clean("empty");
}

TEST(proc_file)
{
	struct tm_diag d;
	struct tm_source *s = tm_source_open("/proc/self/status", &d);
	uint64_t size;
	struct got g;
	int fd;

	/* It says it has no bytes, so its size must not be relied on. */
	CHECK(s && !tm_source_regular(s, &fd, &size));
	g = read_all(s, 100);
	CHECK(g.st == TM_ST_END && g.bytes.n > 0);
	tm_buf_fini(&g.bytes);
}

TEST(cannot_open)
{
	struct tm_diag d = { 0 };

	in_dir("");
	CHECK(tm_source_open(dir, &d) == NULL);
	CHECK_STR(d.text, "is a directory");
	CHECK(tm_source_open(in_dir("none"), &d) == NULL);
	CHECK_STR(d.text, "cannot open: No such file or directory");
	if (geteuid()) {
		CHECK(chmod(save("closed", the_text()), 0) == 0);
		CHECK(tm_source_open(in_dir("closed"), &d) == NULL);
		CHECK_STR(d.text, "cannot open: Permission denied");
	}
	clean("closed");
}

TEST(read_error)
{
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_open("/proc/self/mem", &d); /* nothing is mapped at 0 */
	const unsigned char *p;
	size_t n;

	CHECK(s && tm_source_peek(s, &p, &n, &d) == TM_ST_FATAL);
	CHECK_STR(d.text, "cannot read: Input/output error");
	tm_source_close(s);
}

/* Run a writer of small pieces, read it as standard input. */
static struct tm_source *from_pipe(const struct tm_buf *in, int *saved, pid_t *pid)
{
	struct tm_diag d = { 0 };
	int fd[2];

	*saved = dup(0);
	CHECK(pipe(fd) == 0);
	*pid = fork();
	if (!*pid) {
		close(fd[0]);
		for (size_t i = 0; i < in->n;) {
			size_t k = in->n - i < 777 ? in->n - i : 777;
			ssize_t w = write(fd[1], in->p + i, k);

			if (w < 0)
				_exit(1);
			i += (size_t)w;
		}
		_exit(0);
	}
	close(fd[1]);
	dup2(fd[0], 0);
	close(fd[0]);
	return tm_source_open("-", &d);
}

static void end_pipe(int saved, pid_t pid)
{
	int status;

	dup2(saved, 0);
	close(saved);
	CHECK(waitpid(pid, &status, 0) == pid);
}

TEST(standard_input)
{
	struct tm_buf want = noise(200000);
	struct tm_buf packed = gz(noise(200000));
	const struct tm_buf *in[] = { &want, &packed };

	for (int i = 0; i < 2; i++) {
		const unsigned char *p;
		struct tm_source *s;
		struct tm_diag d;
		struct got g;
		uint64_t size;
		int saved, fd;
		pid_t pid;
		size_t n;

		s = from_pipe(in[i], &saved, &pid);
		CHECK(s && !tm_source_regular(s, &fd, &size));
		CHECK_STR(tm_source_name(s), "<stdin>");
		CHECK(tm_source_peek(s, &p, &n, &d) == TM_ST_OK);
		CHECK_U64(n, TM_SOURCE_PEEK);
		g = read_all(s, 1 << 16);
		end_pipe(saved, pid);
		CHECK(g.st == TM_ST_END && same(&g.bytes, &want));
		tm_buf_fini(&g.bytes);
	}
	tm_buf_fini(&want);
	tm_buf_fini(&packed);
}

TEST(standard_input_offset)
{
	const char *path = save("in", pack(ARCHIVE_FORMAT_ZIP));
	int saved = dup(0), fd = open(path, O_RDWR);
	struct stat sb;
	struct tm_diag d;

	/* A zip that begins in the middle of the file: places count from there. */
	CHECK(fstat(fd, &sb) == 0);
	{
		char *p = calloc(1, (size_t)sb.st_size);

		CHECK(read(fd, p, (size_t)sb.st_size) == sb.st_size);
		CHECK(pwrite(fd, p, (size_t)sb.st_size, 100) == sb.st_size);
		free(p);
	}
	CHECK(lseek(fd, 100, SEEK_SET) == 100);
	dup2(fd, 0);
	close(fd);
	lists_source(tm_source_open("-", &d), "<stdin>:dir/a.csv text\n"
	                                      "<stdin>:dir/b.gz 300000\n"
	                                      "<stdin>:../c.zst text\n");
	dup2(saved, 0);
	close(saved);
	clean("in");
}

/* ---- compressed streams ---- */

static struct tm_buf join(struct tm_buf a, struct tm_buf b)
{
	tm_buf_add(&a, b.p, b.n);
	tm_buf_fini(&b);
	return a;
}

static struct tm_buf flip(struct tm_buf b, size_t from_end)
{
	b.p[b.n - from_end] = (char)(b.p[b.n - from_end] ^ 1);
	return b;
}

TEST(gzip)
{
	gives(gz(the_text()), the_text());
	gives(gz((struct tm_buf) { 0 }), (struct tm_buf) { 0 });
	gives(gz(noise(1 << 20)), noise(1 << 20));
	gives(join(gz(the_text()), gz(noise(100000))), join(the_text(), noise(100000)));
	gives(join(gz(the_text()), plain("\0\0\0\0\0", 5)), the_text());
	gives(gz(gz(gz(the_text()))), the_text());
}

TEST(gzip_cut)
{
	cut_everywhere(gz(the_text()), the_text(), 1,
	               "gzip stream ends too early: the file is truncated");
	cut_everywhere(gz(gz(the_text())), the_text(), 1,
	               "gzip stream ends too early: the file is truncated");
}

TEST(gzip_cut_in_second_member)
{
	struct tm_buf a = gz(the_text()), b = gz(the_text()), both = join(the_text(), the_text());

	for (size_t n = 1; n < b.n; n++) {
		struct tm_buf in = plain(a.p, a.n);
		struct got g;

		tm_buf_add(&in, b.p, n);
		g = read_memory(&in, 1000);
		CHECK(g.st == TM_ST_FATAL && g.bytes.n >= text_len && is_prefix(&g.bytes, &both));
		CHECK_STR(g.d.text, "gzip stream ends too early: the file is truncated");
		tm_buf_fini(&g.bytes);
		tm_buf_fini(&in);
	}
	tm_buf_fini(&a);
	tm_buf_fini(&b);
	tm_buf_fini(&both);
}

TEST(gzip_damaged)
{
	static const char garbage[] =
	        "garbage after the end of the gzip stream: the file is damaged or was appended to";

	fails(flip(gz(noise(90000)), 5), noise(90000),
	      "gzip checksum (CRC-32) does not match: the file is damaged");
	fails(flip(gz(noise(90000)), 4), noise(90000),
	      "gzip length does not match: the file is damaged");
	fails(join(gz(the_text()), plain("x", 1)), the_text(), garbage);
	fails(join(gz(the_text()), plain("\x1fxyz", 4)), the_text(), garbage);
	fails(join(gz(the_text()), plain("\0\0x", 3)), the_text(), garbage);
	fails(plain("\x1f\x8b\7more and more", 16), (struct tm_buf) { 0 },
	      "gzip stream is damaged: unknown compression method");
}

/* Whatever bit is flipped: an error, or the right bytes (some header bits mean nothing). */
static void flip_everywhere(struct tm_buf in, struct tm_buf want)
{
	for (size_t i = 0; i < in.n * 8; i++) {
		struct tm_diag d;
		struct tm_source *s;

		in.p[i / 8] = (char)(in.p[i / 8] ^ (1 << i % 8));
		s = tm_source_memory("m", in.p, in.n, &d);
		if (s && !tm_source_is_archive(s)) {
			struct got g = read_all(s, 999);

			CHECK(g.st == TM_ST_FATAL || same(&g.bytes, &want) || same(&g.bytes, &in));
			tm_buf_fini(&g.bytes);
		} else {
			tm_source_close(s);
		}
		in.p[i / 8] = (char)(in.p[i / 8] ^ (1 << i % 8));
	}
	tm_buf_fini(&in);
	tm_buf_fini(&want);
}

TEST(bits_flipped)
{
	flip_everywhere(gz(the_text()), the_text());
	flip_everywhere(zst(the_text()), the_text());
}

TEST(zstd)
{
	static const char skip[] = "\x53\x2a\x4d\x18\4\0\0\0abcd";

	gives(zst(the_text()), the_text());
	gives(zst((struct tm_buf) { 0 }), (struct tm_buf) { 0 });
	gives(zst(noise(1 << 20)), noise(1 << 20));
	gives(join(zst(the_text()), zst(noise(300000))), join(the_text(), noise(300000)));
	gives(join(plain(skip, 12), zst(the_text())), the_text());
	gives(join(zst(the_text()), plain(skip, 12)), the_text());
	gives(zst(gz(zst(the_text()))), the_text());
}

TEST(zstd_cut)
{
	cut_everywhere(zst(the_text()), the_text(), 2,
	               "zstd stream ends too early: the file is truncated");
}

TEST(zstd_damaged)
{
	fails(flip(zst(noise(400000)), 1), noise(400000),
	      "zstd checksum does not match: the file is damaged");
	fails(join(zst(the_text()), plain("garbage", 7)), the_text(),
	      "garbage after the end of the zstd stream: the file is damaged or was appended to");
}

TEST(xz_bzip2_lz4)
{
	static const int filter[] = { ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_BZIP2, ARCHIVE_FILTER_LZ4 };
	static const char *const why[] = {
		"xz data ends too early: the file is truncated",
		"bzip2 data ends too early: the file is truncated",
		"lz4 data ends too early: the file is truncated",
	};
	static const size_t least[] = { 2, 4, 2 };

	for (int i = 0; i < 3; i++) {
		struct got g;
		struct tm_buf in;

		gives(foreign(the_text(), filter[i]), the_text());
		gives(foreign(noise(1 << 20), filter[i]), noise(1 << 20));
		/* libarchive 3.6.2 crashes when it writes an empty lz4. */
		gives(filter[i] == ARCHIVE_FILTER_LZ4
		              ? plain("\x04\x22\x4d\x18\x64\x40\xa7\0\0\0\0\x05\x5d\xcc\2", 15)
		              : foreign((struct tm_buf) { 0 }, filter[i]),
		      (struct tm_buf) { 0 });
		gives(join(foreign(the_text(), filter[i]), foreign(the_text(), filter[i])),
		      join(the_text(), the_text()));
		gives(foreign(foreign(the_text(), filter[i]), filter[i]), the_text());
		gives(gz(foreign(gz(the_text()), filter[i])), the_text());
		cut_everywhere(foreign(the_text(), filter[i]), the_text(), least[i], why[i]);
		in = join(foreign(the_text(), filter[i]), plain("garbage", 7));
		g = read_memory(&in, 1000);
		CHECK(g.st == TM_ST_FATAL);
		tm_buf_fini(&g.bytes);
		tm_buf_fini(&in);
	}
}

TEST(not_undone)
{
	refuses(plain("\x1f\x9d\x90"
	              "abc",
	              6),
	        "is unix compress (.Z) data, which is not supported: decompress it first");
	refuses(gz(plain("Rar!\x1a\7\1\0", 8)),
	        "is rar data, which is not supported: decompress it first");
	lists(pack1(ARCHIVE_FORMAT_TAR_USTAR, "old.Z",
	            plain("\x1f\x9d\x90"
	                  "abc",
	                  6)),
	      "skip member old.Z: is unix compress (.Z) data, which is not supported: "
	      "decompress it first\n");
}

TEST(text_is_not_wrapped)
{
	static const char *const near[] = {
		"(",           "BZh",   "BZh9,kernel\n", "PK\n", "070701,kernel,10\n",
		"7z,kernel\n", "ustar", "x\x9c",         "P*M"
	};

	for (size_t i = 0; i < sizeof near / sizeof *near; i++)
		gives(plain(near[i], strlen(near[i])), plain(near[i], strlen(near[i])));
}

/* Characters of one to four bytes, in both orders; the mark goes. */
TEST(utf16)
{
	static const char want[] = "a,\xc3\xa9,\xe2\x82\xac,\xf0\x9f\x98\x80\n";
	static const uint16_t units[] = { 0xfeff, 'a', ',',    0xe9,   ',',
		                          0x20ac, ',', 0xd83d, 0xde00, '\n' };
	struct tm_buf in[2] = { { 0 }, { 0 } };

	for (size_t k = 0; k < 40000; k++)
		for (size_t i = k > 0; i < sizeof units / sizeof *units; i++) {
			tm_buf_chr(&in[0], (char)(units[i] & 0xff));
			tm_buf_chr(&in[0], (char)(units[i] >> 8));
			tm_buf_chr(&in[1], (char)(units[i] >> 8));
			tm_buf_chr(&in[1], (char)(units[i] & 0xff));
		}
	for (int big = 0; big < 2; big++) {
		struct tm_buf out = { 0 };

		for (size_t k = 0; k < 40000; k++)
			tm_buf_str(&out, want);
		gives(plain(in[big].p, in[big].n), out);
		gives(gz(plain(in[big].p, 20)), plain(want, strlen(want)));
		gives(plain(in[big].p, 2), (struct tm_buf) { 0 });
		fails(plain(in[big].p, 19), plain(want, strlen(want) - 1),
		      "UTF-16 text ends inside a character: the file is truncated");
		fails(plain(in[big].p, 16), plain(want, strlen(want) - 5),
		      "UTF-16 text ends inside a character: the file is truncated");
		tm_buf_fini(&in[big]);
	}
	for (size_t step = 1; step < 6; step++) {
		struct tm_buf all = plain("\xff\xfe"
		                          "a\0\xac\x20\x3d\xd8\x00\xde",
		                          10);
		struct got g = read_memory(&all, step);

		CHECK(g.st == TM_ST_END);
		CHECK(g.bytes.n == 8 && !memcmp(g.bytes.p, "a\xe2\x82\xac\xf0\x9f\x98\x80", 8));
		tm_buf_fini(&g.bytes);
		tm_buf_fini(&all);
	}
	fails(plain("\xff\xfe"
	            "a\0\x00\xdc"
	            "b\0",
	            8),
	      plain("a", 1), "is UTF-16 with half a character at byte 4: damaged");
	fails(plain("\xff\xfe"
	            "a\0\x00\xd8"
	            "b\0",
	            8),
	      plain("a", 1), "is UTF-16 with half a character at byte 4: damaged");
}

TEST(broken_peek)
{
	struct tm_buf in = gz(noise(3000));
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_memory("m", in.p, in.n - 200, &d);
	const unsigned char *p;
	struct got g;
	size_t n = 0;

	CHECK(s && tm_source_peek(s, &p, &n, &d) == TM_ST_WARN);
	CHECK(n > 1000 && n < 3000);
	CHECK_STR(d.text, "gzip stream ends too early: the file is truncated");
	g = read_all(s, 500);
	CHECK(g.st == TM_ST_FATAL && g.bytes.n == n);
	tm_buf_fini(&g.bytes);
	s = tm_source_memory("m", in.p, 5, &d);
	CHECK(s && tm_source_peek(s, &p, &n, &d) == TM_ST_FATAL);
	CHECK_U64(n, 0);
	tm_source_close(s);
	tm_buf_fini(&in);
}

/* ---- archives ---- */

static const char listing[] = "m:dir/a.csv text\n"
                              "m:dir/b.gz 300000\n"
                              "m:../c.zst text\n";

static const int formats[] = {
	ARCHIVE_FORMAT_TAR_USTAR,  ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, ARCHIVE_FORMAT_TAR_GNUTAR,
	ARCHIVE_FORMAT_CPIO_POSIX, ARCHIVE_FORMAT_CPIO_SVR4_NOCRC,     ARCHIVE_FORMAT_ZIP,
};
static const size_t nformats = sizeof formats / sizeof *formats;

TEST(archives)
{
	for (size_t i = 0; i < nformats; i++) {
		lists(pack(formats[i]), listing);
		lists(gz(pack(formats[i])), listing);
		lists(zst(pack(formats[i])), listing);
		lists(foreign(pack(formats[i]), ARCHIVE_FILTER_XZ), listing);
	}
}

TEST(archive_files)
{
	struct tm_diag d;

	for (size_t i = 0; i <= nformats; i++) {
		int format = i < nformats ? formats[i] : ARCHIVE_FORMAT_7ZIP;
		const char *path = save("a", pack(format));
		struct tm_source *s = tm_source_open(path, &d), *m;
		char want[700];
		uint64_t size;
		int fd;

		CHECK(s && tm_source_is_archive(s) && !tm_source_regular(s, &fd, &size));
		CHECK(tm_source_member(s, &m, &d) == TM_ST_OK);
		CHECK(!tm_source_regular(m, &fd, &size) && tm_source_taken(m) > 0);
		tm_source_close(m);
		tm_source_close(s);
		snprintf(want, sizeof want,
		         "%s:dir/a.csv text\n%s:dir/b.gz 300000\n%s:../c.zst text\n", path, path,
		         path);
		lists_source(tm_source_open(path, &d), want);
	}
	clean("a");
}

/* Members not read, or not to their end, are passed over. */
TEST(members_passed_over)
{
	for (size_t i = 0; i <= nformats; i++) {
		struct tm_buf in = pack(i < nformats ? formats[i] : ARCHIVE_FORMAT_7ZIP);
		struct tm_source *s, *m;
		struct tm_diag d;
		struct got g;
		char c[10];
		size_t n;

		s = tm_source_memory("m", in.p, in.n, &d);
		CHECK(tm_source_member(s, &m, &d) == TM_ST_OK);
		CHECK(tm_source_read(m, c, sizeof c, &n, &d) == TM_ST_OK && !memcmp(c, text, n));
		tm_source_close(m);
		CHECK(tm_source_member(s, &m, &d) == TM_ST_OK);
		tm_source_close(m);
		CHECK(tm_source_member(s, &m, &d) == TM_ST_OK);
		g = read_all(m, 100);
		CHECK(g.st == TM_ST_END && g.bytes.n == text_len &&
		      !memcmp(g.bytes.p, text, text_len));
		CHECK(tm_source_member(s, &m, &d) == TM_ST_END);
		tm_source_close(s);
		tm_buf_fini(&g.bytes);
		tm_buf_fini(&in);
	}
}

TEST(member_outlived)
{
	struct tm_buf in = pack1(ARCHIVE_FORMAT_TAR_USTAR, "a", noise(300000));
	struct tm_source *s, *m, *m2;
	struct tm_diag d;
	struct got g = { 0 };

	s = tm_source_memory("m", in.p, in.n, &d);
	CHECK(tm_source_member(s, &m, &d) == TM_ST_OK);
	CHECK(tm_source_member(s, &m2, &d) == TM_ST_END);
	drain(m, 1 << 20, &g);
	CHECK(g.st == TM_ST_FATAL);
	CHECK_STR(g.d.text, "the archive has moved on to another member");
	tm_source_close(m);
	tm_source_close(s);
	tm_buf_fini(&g.bytes);
	tm_buf_fini(&in);
}

TEST(archive_in_archive)
{
	lists(pack1(ARCHIVE_FORMAT_TAR_USTAR, "in.zip", pack(ARCHIVE_FORMAT_ZIP)),
	      "m:in.zip {\n"
	      "m:in.zip:dir/a.csv text\n"
	      "m:in.zip:dir/b.gz 300000\n"
	      "m:in.zip:../c.zst text\n"
	      "}\n");
	lists(gz(pack1(ARCHIVE_FORMAT_ZIP, "in.tgz", gz(pack(ARCHIVE_FORMAT_TAR_USTAR)))),
	      "m:in.tgz {\n"
	      "m:in.tgz:dir/a.csv text\n"
	      "m:in.tgz:dir/b.gz 300000\n"
	      "m:in.tgz:../c.zst text\n"
	      "}\n");
	lists(pack1(ARCHIVE_FORMAT_TAR_USTAR, "in.7z", pack(ARCHIVE_FORMAT_7ZIP)),
	      "m:in.7z {\n"
	      "dead: a 7z archive can only be read from a file of its own: unpack it first\n"
	      "}\n");
}

TEST(seven_zip_from_pipe)
{
	struct tm_buf in = pack(ARCHIVE_FORMAT_7ZIP);
	struct tm_source *s;
	int saved;
	pid_t pid;

	s = from_pipe(&in, &saved, &pid);
	lists_source(s, "dead: a 7z archive can only be read from a file of its own: unpack it "
	                "first\n");
	end_pipe(saved, pid);
	tm_buf_fini(&in);
}

TEST(zip_from_pipe)
{
	struct tm_buf in = pack(ARCHIVE_FORMAT_ZIP);
	struct tm_source *s;
	int saved;
	pid_t pid;

	s = from_pipe(&in, &saved, &pid);
	lists_source(s, "<stdin>:dir/a.csv text\n<stdin>:dir/b.gz 300000\n<stdin>:../c.zst text\n");
	end_pipe(saved, pid);
	tm_buf_fini(&in);
}

/* An archive cut at any byte: complete members, then a complaint or a broken member. */
static void cut_archive(struct tm_buf in, size_t from, size_t step)
{
	for (size_t n = from; n < in.n; n += step) {
		struct tm_diag d;
		char *exact = malloc(n);
		struct tm_buf out = { 0 };
		struct tm_source *s;

		memcpy(exact, in.p, n);
		s = tm_source_memory("m", exact, n, &d);
		CHECK(s != NULL);
		if (s && tm_source_is_archive(s)) {
			bool noticed;

			list(s, &out);
			noticed = out.p && (strstr(out.p, "dead: ") || strstr(out.p, "broken: ") ||
			                    strstr(out.p, "skip "));
			CHECK(noticed);
			if (!noticed)
				fprintf(stderr, "cut at %zu of %zu\n", n, in.n);
		}
		tm_source_close(s);
		tm_buf_fini(&out);
		free(exact);
	}
	tm_buf_fini(&in);
}

static struct tm_buf pack2(int format)
{
	struct tm_buf out = { 0 };
	struct archive *a = begin(&out, format, 0);

	put(a, "a.csv", AE_IFREG, the_text());
	put(a, "b.csv", AE_IFREG, the_text());
	finish(a);
	return out;
}

TEST(archive_cut)
{
	for (size_t i = 0; i < nformats; i++) {
		struct tm_buf in = pack2(formats[i]);

		/* Of a tar, the end mark is two blocks, the second is only padding. */
		if (i < 3)
			in.n -= 1024;
		cut_archive(in, 1, 1);
	}
	cut_archive(pack2(ARCHIVE_FORMAT_7ZIP), 1, 1);
	cut_archive(gz(pack2(ARCHIVE_FORMAT_TAR_USTAR)), 30, 1);
	cut_archive(zst(pack2(ARCHIVE_FORMAT_ZIP)), 30, 1);
}

TEST(archive_ends)
{
	struct tm_buf in = pack2(ARCHIVE_FORMAT_TAR_USTAR);

	in.n = 2048;
	lists(in, "m:a.csv text\nm:b.csv text\nskip tar archive has no end marker: it may be "
	          "truncated\n");
	lists(join(pack2(ARCHIVE_FORMAT_TAR_USTAR), pack2(ARCHIVE_FORMAT_TAR_USTAR)),
	      "m:a.csv text\nm:b.csv text\nskip data after the end marker of the tar archive is "
	      "ignored\n");
	lists(join(pack2(ARCHIVE_FORMAT_TAR_USTAR), plain("x", 1)),
	      "m:a.csv text\nm:b.csv text\nskip data after the end marker of the tar archive is "
	      "ignored\n");
	lists(flip(gz(pack2(ARCHIVE_FORMAT_TAR_USTAR)), 8),
	      "m:a.csv text\nm:b.csv text\n"
	      "dead: gzip checksum (CRC-32) does not match: the file is damaged\n");
}

TEST(member_damaged)
{
	struct tm_buf in = pack2(ARCHIVE_FORMAT_ZIP), out = { 0 };
	struct tm_source *s;
	struct tm_diag d;

	/* Stored or deflated, one bit of the data is enough. */
	in.p[30 + 5 + 40] = (char)(in.p[30 + 5 + 40] ^ 4);
	s = tm_source_memory("m", in.p, in.n, &d);
	CHECK(s && tm_source_is_archive(s));
	list(s, &out);
	CHECK(strstr(out.p, "broken: cannot decompress zip data: ") != NULL);
	CHECK(strstr(out.p, "m:b.csv text\n") != NULL);
	tm_source_close(s);
	tm_buf_fini(&in);
	tm_buf_fini(&out);
}

TEST(tar_bits_flipped)
{
	struct tm_buf in = pack2(ARCHIVE_FORMAT_TAR_USTAR);

	for (size_t i = 0; i < in.n; i++) {
		struct tm_diag d;
		struct tm_source *s;
		struct tm_buf out = { 0 };

		in.p[i] = (char)(in.p[i] ^ 0x51);
		s = tm_source_memory("m", in.p, in.n, &d);
		if (s && tm_source_is_archive(s))
			list(s, &out);
		tm_source_close(s);
		tm_buf_fini(&out);
		in.p[i] = (char)(in.p[i] ^ 0x51);
	}
	tm_buf_fini(&in);
}

TEST(hostile_names)
{
	lists(pack1(ARCHIVE_FORMAT_TAR_GNUTAR, "../\x1b[31m\n\xff.csv", the_text()),
	      "m:../\x1b[31m\n\xff.csv text\n");
	lists(pack1(ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, "\xc3\xa4\xff.csv", the_text()),
	      "m:\xc3\xa4\xff.csv text\n");
}

TEST(encrypted_member)
{
	struct tm_buf out = { 0 };
	struct archive *a = archive_write_new();

	archive_write_set_format_zip(a);
	if (archive_write_set_options(a, "zip:encryption=traditional") == ARCHIVE_OK &&
	    archive_write_set_passphrase(a, "secret") == ARCHIVE_OK &&
	    archive_write_open(a, &out, NULL, keep, NULL) == ARCHIVE_OK) {
		put(a, "a.csv", AE_IFREG, the_text());
		finish(a);
		lists(out, "skip member a.csv: is encrypted: unpack it first\n");
	} else {
		archive_write_free(a);
	}
}

TEST(sparse_member)
{
	struct tm_buf out = { 0 };
	struct archive *a = begin(&out, ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, 0);
	struct archive_entry *e = archive_entry_new();
	struct tm_source *s, *m;
	struct tm_diag d;
	struct got g;

	/* 100000 zero bytes, the text, 100000 zero bytes. */
	archive_entry_set_pathname(e, "s");
	archive_entry_set_filetype(e, AE_IFREG);
	archive_entry_set_perm(e, 0644);
	archive_entry_set_size(e, (la_int64_t)(200000 + text_len));
	archive_entry_sparse_add_entry(e, 100000, (la_int64_t)text_len);
	CHECK(archive_write_header(a, e) == ARCHIVE_OK);
	{
		char *whole = calloc(1, 200000 + text_len);

		memcpy(whole + 100000, text, text_len);
		CHECK(archive_write_data(a, whole, 200000 + text_len) > 0);
		free(whole);
	}
	archive_entry_free(e);
	finish(a);
	CHECK(out.n < 20000);
	s = tm_source_memory("m", out.p, out.n, &d);
	CHECK(tm_source_member(s, &m, &d) == TM_ST_OK);
	g = read_all(m, 33333);
	CHECK(g.st == TM_ST_END);
	CHECK_U64(g.bytes.n, 200000 + text_len);
	CHECK(g.bytes.n > 100000 + text_len && !memcmp(g.bytes.p + 100000, text, text_len));
	CHECK(tm_source_member(s, &m, &d) == TM_ST_END);
	tm_source_close(s);
	tm_buf_fini(&g.bytes);
	tm_buf_fini(&out);
}

/* ---- limits ---- */

TEST(depth)
{
	struct tm_buf b = the_text();

	for (int i = 0; i < TM_SOURCE_DEPTH; i++)
		b = i % 2 ? gz(b) : zst(b);
	gives(plain(b.p, b.n), the_text());
	refuses(gz(b), "is compressed or archived more than 8 levels deep: unpack it first");

	b = gz(the_text());
	for (int i = 0; i < TM_SOURCE_DEPTH - 1; i++)
		b = pack1(ARCHIVE_FORMAT_TAR_USTAR, "t", b);
	lists(plain(b.p, b.n), "m:t {\nm:t:t {\nm:t:t:t {\nm:t:t:t:t {\nm:t:t:t:t:t {\n"
	                       "m:t:t:t:t:t:t {\nm:t:t:t:t:t:t:t text\n}\n}\n}\n}\n}\n}\n");
	lists(pack1(ARCHIVE_FORMAT_TAR_USTAR, "t", b),
	      "m:t {\nm:t:t {\nm:t:t:t {\nm:t:t:t:t {\nm:t:t:t:t:t {\nm:t:t:t:t:t:t "
	      "{\nm:t:t:t:t:t:t:t {\nskip member t: is compressed or archived more than 8 levels "
	      "deep: unpack it first\n}\n}\n}\n}\n}\n}\n}\n");
}

static struct tm_buf zeros(size_t n)
{
	struct tm_buf b = { 0 };

	tm_buf_reserve(&b, n);
	memset(b.p, 0, n);
	b.n = n;
	return b;
}

static const char bomb_text[] =
        "expands more than 400-fold, like an archive bomb: unpack it first if it is not one";

/* Reads until the fault; it must come soon after the limit. */
static void is_bomb(struct tm_buf in)
{
	static char buf[1 << 20];
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_memory("m", in.p, in.n, &d);
	uint64_t sum = 0;
	enum tm_status st;
	size_t n;

	CHECK(s != NULL);
	while ((st = tm_source_read(s, buf, sizeof buf, &n, &d)) == TM_ST_OK)
		sum += n;
	CHECK(st == TM_ST_FATAL);
	CHECK_STR(d.text, bomb_text);
	CHECK(sum <= TM_SOURCE_RATIO_FROM + TM_SOURCE_RATIO * (uint64_t)in.n + sizeof buf);
	tm_source_close(s);
	tm_buf_fini(&in);
}

static struct tm_buf gz_zeros;

TEST(bombs)
{
	gz_zeros = gz(zeros(150u << 20));
	is_bomb(plain(gz_zeros.p, gz_zeros.n));
	is_bomb(gz(plain(gz_zeros.p, gz_zeros.n)));
	is_bomb(zst(zeros(150u << 20)));
	is_bomb(foreign(plain(gz_zeros.p, gz_zeros.n), ARCHIVE_FILTER_XZ));
	/* Below the limit anything goes. */
	gives(gz(zeros(60u << 20)), zeros(60u << 20));
}

TEST(bomb_in_archive)
{
	struct tm_buf out = { 0 };
	struct archive *a = begin(&out, ARCHIVE_FORMAT_TAR_USTAR, 0);

	put(a, "bomb", AE_IFREG, plain(gz_zeros.p, gz_zeros.n));
	put(a, "after", AE_IFREG, the_text());
	finish(a);
	{
		struct tm_source *s, *m;
		struct tm_diag d;
		struct got g;

		s = tm_source_memory("m", out.p, out.n, &d);
		CHECK(tm_source_member(s, &m, &d) == TM_ST_OK);
		g = read_all(m, 1 << 20);
		CHECK(g.st == TM_ST_FATAL);
		CHECK_STR(g.d.text, bomb_text);
		CHECK(tm_source_member(s, &m, &d) == TM_ST_FATAL);
		CHECK_STR(d.text, bomb_text);
		tm_source_close(s);
		tm_buf_fini(&g.bytes);
	}
	tm_buf_fini(&out);
}

/* Many small members, none of them too much on its own. */
TEST(bomb_in_pieces)
{
	struct tm_buf out = { 0 }, one = gz(zeros(20u << 20));
	struct archive *a = begin(&out, ARCHIVE_FORMAT_ZIP, 0);
	struct tm_source *s, *m;
	struct tm_diag d;
	enum tm_status st = TM_ST_OK;
	int good = 0;

	for (int i = 0; i < 10; i++)
		put(a, "piece", AE_IFREG, plain(one.p, one.n));
	finish(a);
	s = tm_source_memory("m", out.p, out.n, &d);
	while (tm_source_member(s, &m, &d) == TM_ST_OK) {
		struct got g = read_all(m, 1 << 20);

		st = g.st;
		good += st == TM_ST_END;
		tm_buf_fini(&g.bytes);
	}
	CHECK(st == TM_ST_FATAL && good >= 3 && good < 6);
	CHECK_STR(d.text, bomb_text);
	tm_source_close(s);
	tm_buf_fini(&out);
	tm_buf_fini(&one);
}

/* Passing over a member must not decompress without a limit. */
TEST(bomb_passed_over)
{
	struct tm_buf in = pack1(ARCHIVE_FORMAT_7ZIP, "zeros", zeros(150u << 20));
	struct tm_source *s, *m;
	struct tm_diag d;

	s = tm_source_memory("m", in.p, in.n, &d);
	CHECK(tm_source_member(s, &m, &d) == TM_ST_OK);
	tm_source_close(m);
	CHECK(tm_source_member(s, &m, &d) == TM_ST_FATAL);
	CHECK_STR(d.text, bomb_text);
	tm_source_close(s);
	tm_buf_fini(&in);
	tm_buf_fini(&gz_zeros);
}

TEST_MAIN(T(plain_file), T(peek_between_reads), T(memory), T(empty), T(proc_file), T(cannot_open),
          T(read_error), T(standard_input), T(standard_input_offset), T(gzip), T(gzip_cut),
          T(gzip_cut_in_second_member), T(gzip_damaged), T(bits_flipped), T(zstd), T(zstd_cut),
          T(zstd_damaged), T(xz_bzip2_lz4), T(not_undone), T(text_is_not_wrapped), T(utf16),
          T(broken_peek), T(archives), T(archive_files), T(members_passed_over), T(member_outlived),
          T(archive_in_archive), T(seven_zip_from_pipe), T(zip_from_pipe), T(archive_cut),
          T(archive_ends), T(member_damaged), T(tar_bits_flipped), T(hostile_names),
          T(encrypted_member), T(sparse_member), T(depth), T(bombs), T(bomb_in_archive),
          T(bomb_in_pieces), T(bomb_passed_over))
