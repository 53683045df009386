/* SPDX-License-Identifier: MIT
 * libcsv_top - the honest reference: what a careful C programmer gets from libcsv in an afternoon.
 *
 * Groups a kernel trace by Kernel_Name and prints name,calls,total_ns,min_ns,max_ns as CSV, most
 * time first.  With --sums it adds up every column instead (column,sum), to check full_table.
 * Shares no code with tracemill on purpose: it is also the oracle of the benchmark. */

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 64 * 1024, COLUMNS = 64 };

struct group {
	char *name;
	size_t len;
	uint64_t hash, calls, total, min, max;
};

static struct {
	struct group *v; /* open addressing; name NULL = free */
	size_t n, mask;
} groups;

static struct {
	uint64_t row, col; /* row 0 is the header */
	uint64_t ncols;
	uint64_t name, start, end; /* where those columns are, from 1; 0 = not seen */
	uint64_t start_ns, end_ns;
	struct group *group;
	bool sums;
	char *title[COLUMNS];
	uint64_t sum[COLUMNS];
} st;

static void die(const char *what)
{
	fprintf(stderr, "libcsv_top: row %llu: %s\n", (unsigned long long)st.row, what);
	exit(2);
}

static void *check(void *p)
{
	if (!p)
		die("out of memory");
	return p;
}

static struct group *slot(struct group *v, size_t mask, uint64_t hash, const char *name, size_t len)
{
	size_t i = hash & mask;

	while (v[i].name && (v[i].hash != hash || v[i].len != len || memcmp(v[i].name, name, len)))
		i = (i + 1) & mask;
	return &v[i];
}

static struct group *group_of(const char *name, size_t len)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
	struct group *g;
	size_t i = 0;

	for (; i + 8 <= len; i += 8) {
		memcpy(&word, name + i, 8);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	for (; i < len; i++)
		hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
	hash ^= hash >> 29;
	if (groups.n * 2 >= groups.mask) {
		size_t mask = groups.mask ? groups.mask * 2 + 1 : 1023;
		struct group *v = check(calloc(mask + 1, sizeof *v));

		for (i = 0; groups.v && i <= groups.mask; i++)
			if (groups.v[i].name)
				*slot(v, mask, groups.v[i].hash, groups.v[i].name,
				      groups.v[i].len) = groups.v[i];
		free(groups.v);
		groups.v = v;
		groups.mask = mask;
	}
	g = slot(groups.v, groups.mask, hash, name, len);
	if (!g->name) {
		g->name = check(malloc(len + 1));
		memcpy(g->name, name, len);
		g->len = len;
		g->hash = hash;
		g->min = UINT64_MAX;
		groups.n++;
	}
	return g;
}

static uint64_t number(const char *p, size_t n)
{
	uint64_t v = 0;

	if (!n || n > 19)
		die("not a number");
	for (size_t i = 0; i < n; i++) {
		if (p[i] < '0' || p[i] > '9')
			die("not a number");
		v = v * 10 + (uint64_t)(p[i] - '0');
	}
	return v;
}

/* A number, the number at the end of "Agent 3", or the length of any other text. */
static uint64_t value(const char *p, size_t n)
{
	size_t digits = 0;

	while (digits < n && p[n - 1 - digits] >= '0' && p[n - 1 - digits] <= '9')
		digits++;
	if (digits && (digits == n || (n > 6 && !memcmp(p, "Agent ", 6))))
		return number(p + n - digits, digits);
	return n;
}

static void on_title(const char *p, size_t n)
{
	if (st.col > COLUMNS)
		die("too many columns");
	st.title[st.col - 1] = check(strndup(p, n));
	if (!strcasecmp(st.title[st.col - 1], "Kernel_Name"))
		st.name = st.col;
	else if (!strcasecmp(st.title[st.col - 1], "Start_Timestamp"))
		st.start = st.col;
	else if (!strcasecmp(st.title[st.col - 1], "End_Timestamp"))
		st.end = st.col;
}

static void on_field(void *data, size_t n, void *unused)
{
	const char *p = data;

	(void)unused;
	st.col++;
	if (st.row == 0)
		on_title(p, n);
	else if (st.sums && st.col <= st.ncols)
		st.sum[st.col - 1] += st.col == st.name ? n : value(p, n);
	else if (st.col == st.name)
		st.group = group_of(p, n);
	else if (st.col == st.start)
		st.start_ns = number(p, n);
	else if (st.col == st.end)
		st.end_ns = number(p, n);
}

static void on_row(int end, void *unused)
{
	(void)end;
	(void)unused;
	if (st.row == 0) {
		st.ncols = st.col;
		if (!st.name || !st.start || !st.end)
			die("want the columns Kernel_Name, Start_Timestamp, End_Timestamp");
	} else if (st.col != st.ncols) {
		die("wrong number of columns");
	} else if (!st.sums) {
		struct group *g = st.group;
		uint64_t ns = st.end_ns - st.start_ns;

		if (st.end_ns < st.start_ns)
			die("ends before it starts");
		g->calls++;
		g->total += ns;
		if (ns < g->min)
			g->min = ns;
		if (ns > g->max)
			g->max = ns;
	}
	st.row++;
	st.col = 0;
}

static int by_total(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	size_t n = x->len < y->len ? x->len : y->len;
	int c;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	c = memcmp(x->name, y->name, n);
	return c ? c : x->len < y->len ? -1 : x->len > y->len;
}

static void print_groups(void)
{
	size_t n = 0;

	for (size_t i = 0; groups.v && i <= groups.mask; i++)
		if (groups.v[i].name)
			groups.v[n++] = groups.v[i];
	if (n)
		qsort(groups.v, n, sizeof *groups.v, by_total);
	puts("name,calls,total_ns,min_ns,max_ns");
	for (size_t i = 0; i < n; i++) {
		const struct group *g = &groups.v[i];

		csv_fwrite(stdout, g->name, g->len);
		printf(",%llu,%llu,%llu,%llu\n", (unsigned long long)g->calls,
		       (unsigned long long)g->total, (unsigned long long)g->min,
		       (unsigned long long)g->max);
	}
}

static void print_sums(void)
{
	puts("column,sum");
	printf("rows,%llu\n", (unsigned long long)st.row - 1);
	for (uint64_t i = 0; i < st.ncols; i++)
		printf("%s,%llu\n", st.title[i], (unsigned long long)st.sum[i]);
}

int main(int argc, char **argv)
{
	static char block[BLOCK];
	struct csv_parser parser;
	int fd;
	ssize_t n;

	if (argc == 3 && !strcmp(argv[1], "--sums")) {
		st.sums = true;
		argv++;
		argc--;
	}
	if (argc != 2) {
		fputs("usage: libcsv_top [--sums] FILE\n", stderr);
		return 2;
	}
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die(strerror(errno));
	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI))
		die("csv_init failed");
	while ((n = read(fd, block, sizeof block)) > 0)
		if (csv_parse(&parser, block, (size_t)n, on_field, on_row, NULL) != (size_t)n)
			die(csv_strerror(csv_error(&parser)));
	if (n < 0)
		die(strerror(errno));
	if (csv_fini(&parser, on_field, on_row, NULL))
		die("ends inside a quoted field");
	csv_free(&parser);
	close(fd);
	if (st.row == 0)
		die("no header");
	if (st.sums)
		print_sums();
	else
		print_groups();
	if (fflush(stdout) || ferror(stdout))
		die("cannot write");
	return 0;
}
