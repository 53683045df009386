/* SPDX-License-Identifier: MIT
 * Does a walk find the files, all of them, in order, and those that are there twice? */
#include "base/buf.h"
#include "io/head.h"
#include "io/list.h"
#include "io/walk.h"

#include "test.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[200];

static int drop(const char *path, const struct stat *sb, int type, struct FTW *ftw)
{
	(void)sb;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* Every test works in a directory of its own, which is the current one. */
static void enter(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(top, sizeof top, "%.150s/test_walk.XXXXXX", tmp ? tmp : "/tmp");
	CHECK(mkdtemp(top) != NULL && chdir(top) == 0);
}

static void leave(void)
{
	CHECK(chdir("/") == 0);
	CHECK(nftw(top, drop, 8, FTW_DEPTH | FTW_PHYS) == 0);
}

static void make(const char *path, const char *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	CHECK(fd >= 0 && write(fd, bytes, n) == (ssize_t)n && close(fd) == 0);
}

/* The paths of a walk, a line each; duplicates say of what. */
static void finds(const struct tm_walk *w, const char *want)
{
	struct tm_buf b = { 0 };

	tm_buf_str(&b, "");
	for (size_t i = 0; i < w->n; i++) {
		tm_buf_str(&b, w->v[i].path);
		if (w->v[i].duplicate)
			tm_buf_fmt(&b, " = %zu", w->v[i].same_as);
		tm_buf_chr(&b, '\n');
	}
	CHECK_STR(b.p, want);
	tm_buf_fini(&b);
}

TEST(operands)
{
	struct tm_walk w = { 0 };
	struct tm_diag d = { 0 };

	enter();
	make("b.csv", "12345", 5);
	CHECK(mkfifo("fifo", 0600) == 0);
	CHECK(tm_walk_add(&w, "b.csv", 7, &d));
	CHECK(tm_walk_add(&w, "-", 8, &d));
	CHECK(tm_walk_add(&w, "fifo", 9, &d));
	CHECK(!tm_walk_add(&w, "none", 10, &d));
	CHECK_STR(d.text, "cannot open: No such file or directory");
	finds(&w, "b.csv\n-\nfifo\n");
	CHECK_U64(w.v[0].size, 5);
	CHECK_U64(w.v[0].operand, 7);
	CHECK_U64(w.v[1].size, 0);
	CHECK(!w.v[0].in_dir && !w.v[1].in_dir);
	tm_walk_fini(&w);
	tm_walk_fini(&w);
	leave();
}

TEST(order)
{
	struct tm_walk w = { 0 };
	struct tm_diag d = { 0 };

	enter();
	CHECK(mkdir("d", 0755) == 0 && mkdir("d/a", 0755) == 0 && mkdir("d/.h", 0755) == 0);
	CHECK(mkdir("d/e", 0755) == 0);
	make("d/a/x", "", 0);
	make("d/a/.hidden", "", 0);
	make("d/.h/y", "", 0);
	make("d/a-b", "", 0);
	make("d/a.b", "abc", 3);
	make("d/B", "", 0);
	make("d/\xff", "", 0);
	make("z", "", 0);
	CHECK(mkfifo("d/fifo", 0600) == 0);
	CHECK(symlink("../z", "d/link") == 0);
	CHECK(symlink("nowhere", "d/dangling") == 0);
	CHECK(symlink("self", "d/self") == 0);
	CHECK(tm_walk_add(&w, "z", 0, &d));
	CHECK(tm_walk_add(&w, "d/", 1, &d));
	finds(&w, "z\nd/B\nd/a-b\nd/a.b\nd/a/x\nd/link\nd/\xff\n");
	CHECK(w.v[3].in_dir && w.v[3].size == 3 && w.v[3].operand == 1);
	tm_walk_fini(&w);
	CHECK(tm_walk_add(&w, "d/.h", 0, &d));
	finds(&w, "d/.h/y\n");
	tm_walk_fini(&w);
	CHECK(tm_walk_add(&w, "d/e", 0, &d));
	finds(&w, "");
	tm_walk_fini(&w);
	leave();
}

TEST(cycles)
{
	struct tm_walk w = { 0 };
	struct tm_diag d = { 0 };

	enter();
	CHECK(mkdir("d", 0755) == 0 && mkdir("d/a", 0755) == 0 && mkdir("d/b", 0755) == 0);
	make("d/a/x", "", 0);
	CHECK(symlink("..", "d/a/up") == 0);
	CHECK(symlink(".", "d/a/here") == 0);
	CHECK(symlink("../a", "d/b/again") == 0);
	CHECK(tm_walk_add(&w, "d", 0, &d));
	/* Each directory once, by the way that has fewest parts, and of those the first. */
	finds(&w, "d/a/x\n");
	tm_walk_fini(&w);
	leave();
}

TEST(doubled)
{
	enum { DEPTH = 30 };
	struct tm_walk w = { 0 };
	struct tm_diag d = { 0 };
	char dir[16], to[16], link[32];

	/* Two links from each directory to the next: 2^30 ways to the last. */
	enter();
	for (int i = 0; i <= DEPTH; i++) {
		snprintf(dir, sizeof dir, "d%d", i);
		CHECK(mkdir(dir, 0755) == 0);
		for (const char *n = "ba"; i < DEPTH && *n; n++) {
			snprintf(to, sizeof to, "../d%d", i + 1);
			snprintf(link, sizeof link, "d%d/%c", i, *n);
			CHECK(symlink(to, link) == 0);
		}
	}
	make("d2/x", "", 0);
	CHECK(tm_walk_add(&w, "d0", 0, &d));
	finds(&w, "d0/a/a/x\n");
	tm_walk_fini(&w);
	leave();
}

TEST(deep)
{
	struct tm_walk w = { 0 };
	struct tm_diag d = { 0 };
	int fd, low;

	/* Deeper than there are descriptors, and longer than PATH_MAX at the end. */
	enter();
	for (int i = 0; i < 1500; i++)
		CHECK(mkdir("dd", 0755) == 0 && chdir("dd") == 0);
	make("lost", "", 0);
	CHECK(chdir(top) == 0);
	for (int i = 0; i < 1200; i++)
		CHECK(chdir("dd") == 0);
	make("found", "", 0);
	CHECK(chdir(top) == 0);
	low = dup(0);
	CHECK(!tm_walk_add(&w, "dd", 0, &d));
	CHECK(strstr(d.text, "File name too long") != NULL);
	CHECK_U64(w.n, 1);
	fd = dup(0);
	CHECK(fd == low + 1); /* nothing was left open */
	close(fd);
	close(low);
	tm_walk_fini(&w);
	for (int i = 0; i < 1500; i++)
		CHECK(chdir("dd") == 0);
	CHECK(unlink("lost") == 0);
	for (int i = 1499; i >= 0; i--) {
		if (i == 1199)
			CHECK(unlink("found") == 0);
		CHECK(chdir("..") == 0 && rmdir("dd") == 0);
	}
	leave();
}

TEST(unreadable)
{
	struct tm_walk w = { 0 };
	struct tm_diag d = { 0 };

	enter();
	CHECK(mkdir("d", 0755) == 0 && mkdir("d/a", 0) == 0);
	make("d/x", "", 0);
	if (geteuid()) {
		CHECK(!tm_walk_add(&w, "d", 0, &d));
		CHECK_STR(d.text, "cannot look at d/a: Permission denied");
		finds(&w, "d/x\n");
	}
	tm_walk_fini(&w);
	CHECK(chmod("d/a", 0755) == 0);
	leave();
}

static uint64_t rank_of(void *arg, size_t operand)
{
	(void)arg;
	return operand;
}

static uint64_t group_at(void *arg, size_t operand)
{
	return ((const uint64_t *)arg)[operand];
}

TEST(duplicates)
{
	struct tm_walk w = { 0 };
	struct tm_diag d = { 0 };

	enter();
	make("a", "12345", 5);
	make("b", "12345", 5);
	make("c", "12346", 5);
	make("e1", "", 0);
	make("e2", "", 0);
	CHECK(link("c", "hard") == 0);
	CHECK(symlink("b", "soft") == 0);
	CHECK(mkfifo("fifo", 0600) == 0);
	for (size_t i = 0; i < 11; i++) {
		static const char *const names[] = { "c", "soft", "a",  "b", "hard", "a",
			                             "-", "e1",   "e2", "-", "fifo" };

		CHECK(tm_walk_add(&w, names[i], i, &d));
	}
	CHECK(tm_walk_mark_duplicates(&w, NULL, NULL, NULL));
	finds(&w, "c\nsoft\na = 1\nb = 1\nhard = 0\na = 1\n-\ne1\ne2\n-\nfifo\n");
	for (size_t i = 0; i < w.n; i++)
		w.v[i].duplicate = false;
	/* The first one has group 0, and another name of it a group. */
	CHECK(tm_walk_mark_duplicates(&w, rank_of, NULL, NULL));
	finds(&w, "c = 4\nsoft\na\nb\nhard\na\n-\ne1\ne2\n-\nfifo\n");
	tm_walk_fini(&w);
	CHECK(tm_walk_mark_duplicates(&w, NULL, NULL, NULL));
	leave();
}

/* What has no group is the same as one that has, in any order.  Groups stay apart. */
TEST(duplicates_of_groups)
{
	enum { FILES = 7 };
	static const struct {
		const char *path;
		uint64_t group;
	} files[FILES] = { { "a", 3 },    { "a", 2 },     { "a", 0 },    { "copy", 0 },
		           { "copy", 3 }, { "other", 0 }, { "other", 0 } };
	struct tm_diag d = { 0 };

	enter();
	make("a", "12345", 5);
	make("copy", "12345", 5);
	make("other", "12346", 5);
	for (size_t turn = 0; turn < FILES; turn++) {
		uint64_t group[FILES], count[4] = { 0 };
		struct tm_walk w = { 0 };

		for (size_t i = 0; i < FILES; i++) {
			group[i] = files[(i + turn) % FILES].group;
			CHECK(tm_walk_add(&w, files[(i + turn) % FILES].path, i, &d));
		}
		CHECK(tm_walk_mark_duplicates(&w, group_at, NULL, group));
		for (size_t i = 0; i < FILES; i++) {
			const struct tm_walk_file *f = &w.v[i], *of = &w.v[f->same_as];

			if (!f->duplicate)
				count[group[i]]++;
			else if (group[i] || *f->path == 'o')
				CHECK(!of->duplicate && group[f->same_as] == group[i]);
			else
				CHECK(!of->duplicate && group[f->same_as]);
		}
		CHECK(count[0] == 1 && count[2] == 1 && count[3] == 1);
		tm_walk_fini(&w);
	}
	leave();
}

/* What it is of: the last letter of its path; it is asked of none that is alone in its size. */
static bool last_letter(void *arg, struct tm_walk_file *f)
{
	(void)arg;
	CHECK(f->size == 5);
	f->of = (uint64_t)f->path[strlen(f->path) - 1];
	return true;
}

/* What files are of keeps them apart, whatever name they have, and groups within it. */
TEST(duplicates_of_what)
{
	static const char *const names[] = { "1a", "2b", "3a", "4b", "5a", "6" };
	static const uint64_t group[] = { 0, 0, 2, 0, 0, 0 };
	struct tm_walk w = { 0 };
	struct tm_diag d = { 0 };

	enter();
	make("1a", "12345", 5);
	make("2b", "12345", 5);
	CHECK(link("1a", "3a") == 0);
	CHECK(link("1a", "4b") == 0);
	make("5a", "12345", 5);
	make("6", "123456", 6);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		CHECK(tm_walk_add(&w, names[i], i, &d));
	CHECK(tm_walk_mark_duplicates(&w, group_at, last_letter, (void *)(uintptr_t)group));
	finds(&w, "1a = 2\n2b\n3a\n4b = 1\n5a = 2\n6\n");
	tm_walk_fini(&w);
	leave();
}

/* Files of one size: large ones that differ only in the end, some alike, one gone, one closed. */
TEST(duplicates_of_one_size)
{
	enum { FILES = 60, BYTES = 300000 };
	struct tm_walk w = { 0 };
	struct tm_diag d = { 0 };
	char *p = calloc(1, BYTES), name[20];

	enter();
	CHECK(mkdir("d", 0755) == 0);
	for (int i = 0; i < FILES; i++) {
		p[0] = (char)(i % 3);
		p[BYTES - 1] = (char)(i % 20);
		snprintf(name, sizeof name, "d/%02d", i);
		make(name, p, BYTES);
	}
	snprintf(name, sizeof name, "d/%02d", FILES);
	make(name, p, BYTES); /* the same as the last one */
	CHECK(tm_walk_add(&w, "d", 0, &d));
	CHECK(unlink("d/00") == 0);
	if (geteuid())
		CHECK(chmod("d/01", 0) == 0);
	CHECK(tm_walk_mark_duplicates(&w, NULL, NULL, NULL));
	CHECK_U64(w.n, FILES + 1);
	/* 3 and 20 have no common divisor: all 60 differ. */
	for (size_t i = 0; i < FILES; i++)
		CHECK(!w.v[i].duplicate);
	CHECK(w.v[FILES].duplicate && w.v[FILES].same_as == FILES - 1);
	tm_walk_fini(&w);
	leave();
	free(p);
}

TEST(many_alike)
{
	struct tm_walk w = { 0 };
	struct tm_diag d = { 0 };
	char name[20];

	enter();
	CHECK(mkdir("d", 0755) == 0);
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof name, "d/%03d", i);
		make(name, i % 2 ? "odd odd" : "evenly?", 7);
	}
	CHECK(tm_walk_add(&w, "d", 0, &d));
	CHECK(tm_walk_mark_duplicates(&w, NULL, NULL, NULL));
	for (size_t i = 0; i < w.n; i++)
		CHECK(w.v[i].duplicate == (i > 1) && w.v[i].same_as == (i > 1 ? i % 2 : 0));
	tm_walk_fini(&w);
	leave();
}

static bool gather(void *arg, const char *path, size_t n)
{
	struct tm_buf *b = arg;

	return tm_buf_add(b, path, n) && tm_buf_chr(b, '|');
}

#define ROCPD "rocprofiler-sdk:\n  rocpd:\n"

/* As much of YAML as a list is made of, and what is none. */
TEST(lists)
{
	static const struct {
		const char *text, *paths; /* NULL = no list */
	} sets[] = {
		{ ROCPD "    files:\n    - a.db\n    - b c.db\n    path: .\n", "a.db|b c.db|" },
		{ "---\n# list\n" ROCPD "    files:\n      - 'it''s.db'\n      -   \"q\\\"x.db\"\n",
		  "it's.db|q\"x.db|" },
		{ ROCPD "    files: a.db\n", "a.db|" },
		{ ROCPD "    files: ['a.db', b.db]\r\n", "a.db|b.db|" },
		{ ROCPD "    files:\n    - a long\n      path.db\n    - b.db",
		  "a long path.db|b.db|" },
		{ ROCPD "    files: ''\n", "" },
		{ ROCPD "    files:\n", "" },
		{ ROCPD "  files: a.db\n", NULL },
		{ "files:\n- a.db\n", NULL },
		{ "rocprofiler-sdk:\nrocpd:\n  files: a.db\n", NULL },
		{ "other:\n  rocpd:\n    files: a.db\n", NULL },
		{ "", NULL },
		{ "-", NULL },
	};

	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		struct tm_buf b = { 0 };
		bool is_list;

		tm_buf_str(&b, "");
		is_list = tm_list_parse(sets[i].text, strlen(sets[i].text), gather, &b);
		CHECK(is_list == (sets[i].paths != NULL));
		if (sets[i].paths)
			CHECK_STR(b.p, sets[i].paths);
		tm_buf_fini(&b);
	}
}

/* A list stands for its files; in a directory it adds those that are elsewhere. */
TEST(listed_files)
{
	static const char text[] = ROCPD "    files:\n    - in.db\n    - ../out.db\n";
	struct tm_walk w = { 0 };
	struct tm_diag d = { 0 };

	enter();
	CHECK(mkdir("x", 0755) == 0);
	make("x/in.db", "in", 2);
	make("out.db", "out", 3);
	make("x/index.yaml", text, sizeof text - 1);
	CHECK(tm_walk_add(&w, "x/index.yaml", 0, &d));
	finds(&w, "x/in.db\nx/../out.db\n");
	tm_walk_fini(&w);
	CHECK(tm_walk_add(&w, "x", 0, &d));
	finds(&w, "x/in.db\nx/index.yaml\nx/../out.db\n");
	tm_walk_fini(&w);
	make("gone.yaml", ROCPD "    files: gone.db\n", strlen(ROCPD) + 19);
	CHECK(!tm_walk_add(&w, "gone.yaml", 0, &d));
	CHECK(strstr(d.text, "names gone.db"));
	tm_walk_fini(&w);
	leave();
}

TEST(shared_heads)
{
	struct tm_head *a, *b, *c;
	int err;

	enter();
	make("f", "one", 3);
	CHECK(tm_head_find("f") == NULL);
	a = tm_head_open("f", false, &err);
	b = tm_head_find("f");
	CHECK(a != NULL && b == a && tm_head_open("f", false, &err) == a);
	tm_head_close(a);
	tm_head_close(a);
	CHECK_U64(b->n, 3);
	/* Another file of that name is another file. */
	make("f", "other", 5);
	c = tm_head_open("f", false, &err);
	CHECK(c != NULL && c != b && c->n == 5);
	tm_head_close(c);
	tm_head_close(b);
	CHECK(tm_head_find("f") == NULL);
	leave();
}

TEST_MAIN(T(operands), T(order), T(cycles), T(doubled), T(deep), T(unreadable), T(duplicates),
          T(duplicates_of_groups), T(duplicates_of_what), T(duplicates_of_one_size), T(many_alike),
          T(lists), T(listed_files), T(shared_heads))
