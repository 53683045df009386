/* SPDX-License-Identifier: MIT
 * Rows sorted in runs that do not fit in memory come out as if they did. */
#include "events/events_parts.h"

#include "test.h"

#include <unistd.h>

static bool collect(void *arg, const void *p, size_t n)
{
	return tm_buf_add(arg, p, n);
}

static struct spool spool_of(size_t run, size_t keep)
{
	struct spool sp = { .fd = -1, .run = run, .keep = keep };

	pthread_mutex_init(&sp.lock, NULL);
	return sp;
}

static void spool_fini(struct spool *sp)
{
	if (sp->fd >= 0)
		close(sp->fd);
	pthread_mutex_destroy(&sp->lock);
}

static const char *const names[] = { "b", "a", "ab", "" };

static bool add(struct sorter *s, struct spool *sp, uint32_t i)
{
	/* 37 starts for 5000 rows, so that every tie there is occurs. */
	struct sort_key k = { .start = (uint64_t)(i * 7919u) % 37,
		              .rank = i % 3,
		              .kind = i % 2,
		              .name = { names[i % 4], (uint32_t)strlen(names[i % 4]) },
		              .untimed = i % 50 == 0 };
	char row[64];
	int n = snprintf(row, sizeof row, "%d %02u %u %u %-2s %u\n", k.untimed,
	                 k.untimed ? 99 : (unsigned)k.start, (unsigned)k.rank, (unsigned)k.kind,
	                 k.name.p, (unsigned)(i % 11));

	return tm_sorter_add(s, sp, &k, row, (size_t)n);
}

/* 5000 rows over `parts` sorters, merged and drained. */
static void sort_in(struct tm_buf *out, uint32_t parts, size_t run, size_t keep, bool backwards)
{
	struct spool sp = spool_of(run, keep);
	struct sorter total = { 0 };

	for (uint32_t p = 0; p < parts; p++) {
		struct sorter s = { 0 };

		for (uint32_t i = p; i < 5000; i += parts)
			CHECK(add(&s, &sp, backwards ? 4999 - i : i));
		CHECK(tm_sorter_merge(&total, &sp, &s));
		tm_sorter_fini(&s);
	}
	CHECK(tm_sorter_drain(&total, &sp, collect, out));
	CHECK((sp.fd >= 0) == (run < 100000 || keep < 100000));
	tm_sorter_fini(&total);
	spool_fini(&sp);
}

TEST(in_order)
{
	struct tm_buf out = { 0 };
	size_t lines = 0;
	char last[64] = "";

	sort_in(&out, 1, SIZE_MAX, SIZE_MAX, false);
	for (char *p = out.p; p && *p; lines++) {
		char *nl = strchr(p, '\n');

		*nl = '\0';
		/* The row is written so that its own order is that of its key. */
		CHECK(strcmp(last, p) <= 0);
		snprintf(last, sizeof last, "%s", p);
		p = nl + 1;
	}
	CHECK_U64(lines, 5000);
	tm_buf_fini(&out);
}

TEST(spilled_or_not)
{
	struct tm_buf want = { 0 };

	sort_in(&want, 1, SIZE_MAX, SIZE_MAX, false);
	for (uint32_t parts = 1; parts <= 9; parts += 4)
		for (int i = 0; i < 4; i++) {
			struct tm_buf got = { 0 };

			sort_in(&got, parts, i & 1 ? 4096 : SIZE_MAX, i & 2 ? 30000 : SIZE_MAX,
			        parts == 5);
			CHECK_U64(got.n, want.n);
			CHECK(got.n == want.n && !memcmp(got.p, want.p, want.n));
			tm_buf_fini(&got);
		}
	tm_buf_fini(&want);
}

TEST(long_row)
{
	struct spool sp = spool_of(1, 0);
	struct sorter s = { 0 };
	struct tm_buf row = { 0 }, out = { 0 };
	struct sort_key k = { .start = 2, .name = { "", 0 } };

	/* Longer than any buffer of the merge. */
	for (int i = 0; i < 3000000; i++)
		tm_buf_chr(&row, 'x');
	CHECK(tm_sorter_add(&s, &sp, &k, row.p, row.n));
	k.start = 1;
	CHECK(tm_sorter_add(&s, &sp, &k, "first", 5));
	CHECK(tm_sorter_drain(&s, &sp, collect, &out));
	CHECK_U64(out.n, 3000005);
	CHECK(out.n == 3000005 && !memcmp(out.p, "firstx", 6));
	tm_buf_fini(&row);
	tm_buf_fini(&out);
	tm_sorter_fini(&s);
	spool_fini(&sp);
}

TEST(nowhere_to_spill)
{
	struct spool sp = spool_of(1, 0);
	struct sorter s = { 0 };
	struct sort_key k = { .start = 1, .name = { "", 0 } };
	const char *had = getenv("TMPDIR");
	char *keep = had ? strdup(had) : NULL;

	setenv("TMPDIR", "/nowhere/at/all", 1);
	CHECK(!tm_sorter_add(&s, &sp, &k, "row", 3));
	CHECK(strstr(sp.why.text, "/nowhere/at/all") != NULL);
	if (keep)
		setenv("TMPDIR", keep, 1);
	else
		unsetenv("TMPDIR");
	free(keep);
	tm_sorter_fini(&s);
	spool_fini(&sp);
}

TEST_MAIN(T(in_order), T(spilled_or_not), T(long_row), T(nowhere_to_spill))
