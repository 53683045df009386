/* SPDX-License-Identifier: MIT
 * A pftrace that is read in ranges, small ones, as stream/drive.h reads a large one: its rows,
 * what is lost of it and what it says of itself are those of the whole.  Traces of the SDK as they
 * are and damaged in random places. */
#include "base/buf.h"
#include "read/formats.h"
#include "read/reader.h"

#include "test.h"

#include <fcntl.h>
#include <unistd.h>

enum { KINDS = TM_EV_NKINDS };

/* What was read: rows of each kind in order, and the rest as text. */
struct answer {
	struct tm_buf rows[KINDS], facts;
	struct tm_loss loss;
	uint64_t filled, again; /* ranges with rows; ranges that were read twice */
};

static void answer_fini(struct answer *a)
{
	for (int k = 0; k < KINDS; k++)
		tm_buf_fini(&a->rows[k]);
	tm_buf_fini(&a->facts);
}

static void take_row(struct tm_buf *out, const struct tm_batch *b, uint32_t i)
{
	for (int c = 0; c < TM_EVC_N; c++) {
		uint64_t v;

		if (!tm_batch_has(b, i, (enum tm_ev_col)c))
			continue;
		v = b->col[c][i];
		if (tm_ev_columns[c].type == TM_EVT_NAME)
			tm_buf_add(out, b->names->v[v].text, b->names->v[v].len);
		else
			tm_buf_u64(out, v);
		tm_buf_fmt(out, "=%d ", c);
	}
	tm_buf_chr(out, '\n');
}

/* All rows of a reader; false when it ends with an error. */
static bool take_all(struct tm_reader *r, struct tm_buf *rows)
{
	const struct tm_batch *b;
	struct tm_diag d = { 0 };
	enum tm_status st;

	while ((st = tm_reader_next(r, &b, &d)) == TM_ST_OK)
		for (uint32_t i = 0; i < b->n; i++)
			take_row(&rows[b->kind], b, i);
	return st == TM_ST_END;
}

static void take_facts(struct answer *a, const struct tm_reader *r)
{
	const struct tm_realtime *t = &r->realtime;

	tm_buf_fmt(&a->facts, "%s %s %s rows=%" PRIu64, r->producer ? r->producer : "-",
	           r->clock ? r->clock : "-", r->host ? r->host : "-", a->loss.rows);
	for (int i = 0; i < TM_LOSS_REASONS; i++)
		if (a->loss.of[i].n)
			tm_buf_fmt(&a->facts, " %s=%" PRIu64 "@%" PRIu64, tm_losses[i].word,
			           a->loss.of[i].n, a->loss.of[i].at);
	tm_buf_add(&a->facts, (const char *)t, sizeof *t);
}

static void read_whole(struct answer *a, const char *path, tm_ev_set want)
{
	struct tm_diag d = { 0 };
	struct tm_source *src = tm_source_open(path, &d);
	struct tm_reader *r = tm_reader_open(src, &tm_reader_pftrace, want, NULL, &d);

	CHECK(r != NULL);
	if (r && take_all(r, a->rows)) {
		a->loss = r->loss;
		take_facts(a, r);
	}
	tm_reader_close(r);
	tm_source_close(src);
}

/* One range as it comes, and again when it began elsewhere than the one before it stopped. */
static void read_range(struct answer *a, const struct tm_reader *of, int fd, uint64_t begin,
                       uint64_t end, bool exact, uint64_t *stop)
{
	struct tm_diag d = { 0 };
	bool first = !begin || exact;

	for (int turn = 0; turn < 2; turn++) {
		struct tm_reader *r = tm_reader_split(of, fd, turn ? *stop : begin, end,
		                                      first || turn, &d);
		struct tm_buf rows[KINDS] = { { 0 } };
		bool mine;

		CHECK(r != NULL);
		if (!r)
			return;
		mine = r->begin == *stop;
		CHECK(mine || !turn);
		take_all(r, rows);
		a->filled += mine && r->loss.rows;
		for (int k = 0; k < KINDS; k++) {
			if (mine && rows[k].n)
				tm_buf_add(&a->rows[k], rows[k].p, rows[k].n);
			tm_buf_fini(&rows[k]);
		}
		if (mine) {
			*stop = r->stop;
			tm_loss_add(&a->loss, &r->loss, 0);
		}
		tm_reader_close(r);
		if (mine || *stop >= end)
			return;
		a->again++;
	}
}

enum how {
	IN_ORDER,
	LATE,  /* every second range is asked for before the one that stands before it */
	PAIRS, /* every second one begins where the one before it stopped */
};

static void read_ranges(struct answer *a, const char *path, tm_ev_set want, uint64_t size,
                        uint64_t chunk, enum how how)
{
	struct tm_diag d = { 0 };
	struct tm_source *src = tm_source_open(path, &d);
	struct tm_reader *of = tm_reader_open(src, &tm_reader_pftrace, want, NULL, &d);
	int fd = open(path, O_RDONLY);
	uint64_t stop = 0;

	CHECK(of != NULL && fd >= 0 && tm_reader_can_split(of));
	if (of)
		of->pairs = how == PAIRS;
	for (uint64_t at = 0; of && at < size; at += chunk) {
		bool last = at + chunk >= size, joins = how == PAIRS && at / chunk % 2 == 0;

		if (joins && at && stop >= at + chunk)
			continue;
		if (how == LATE && at && !last)
			tm_reader_close(
			        tm_reader_split(of, fd, at + chunk, at + 2 * chunk, false, &d));
		read_range(a, of, fd, joins ? stop : at, last ? UINT64_MAX : at + chunk, joins,
		           &stop);
	}
	if (of) {
		CHECK(tm_reader_joined(of, &a->loss));
		take_facts(a, of);
	}
	tm_reader_close(of);
	tm_source_close(src);
	close(fd);
}

static char path[] = "/tmp/test_pftrace_split.XXXXXX";

static void write_file(const void *p, size_t n)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	CHECK(fd >= 0 && write(fd, p, n) == (ssize_t)n);
	close(fd);
}

static bool equal(const struct tm_buf *a, const struct tm_buf *b)
{
	return a->n == b->n && (!a->n || !memcmp(a->p, b->p, a->n));
}

/* How the last bytes were read. */
static uint64_t filled, again;

/* Bytes read whole and in ranges. */
static void compare(const void *p, size_t n, uint64_t chunk, enum how how)
{
	struct answer whole = { 0 }, ranges = { 0 };

	write_file(p, n);
	read_whole(&whole, path, TM_EV_ALL);
	read_ranges(&ranges, path, TM_EV_ALL, n, chunk, how);
	for (int k = 0; k < KINDS; k++)
		CHECK(equal(&whole.rows[k], &ranges.rows[k]));
	CHECK(equal(&whole.facts, &ranges.facts));
	again = ranges.again;
	filled = ranges.filled;
	answer_fini(&whole);
	answer_fini(&ranges);
}

static struct tm_buf load(const char *name)
{
	const char *dir = getenv("TESTDATA");
	char from[512];
	struct tm_buf b = { 0 };
	FILE *f;
	int c;

	snprintf(from, sizeof from, "%s/perfetto-sdk/44/tiny/%s.pftrace", dir ? dir : "testdata",
	         name);
	f = fopen(from, "rb");
	CHECK(f != NULL);
	while (f && (c = getc(f)) != EOF)
		tm_buf_chr(&b, (char)c);
	if (f)
		fclose(f);
	return b;
}

static const char *const names[] = { "tiny", "tiny_nul", "tiny_unknown", "tiny_deflate_one" };
static const uint64_t chunks[] = { 700, 5000, 40000 };

TEST(sdk_traces)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct tm_buf b = load(names[i]);

		for (size_t c = 0; c < sizeof chunks / sizeof *chunks; c++)
			for (enum how how = IN_ORDER; how <= PAIRS; how++)
				compare(b.p, b.n, chunks[c], how);
		tm_buf_fini(&b);
	}
}

TEST(asked_for_out_of_order)
{
	struct tm_buf b = load("tiny");

	compare(b.p, b.n, 5000, LATE);
	CHECK(again > 0);
	tm_buf_fini(&b);
}

/* Nothing is open between the slices of this trace: no range is read twice. */
TEST(ranges_end_between_slices)
{
	struct tm_buf b = load("tiny");

	compare(b.p, b.n, 20000, IN_ORDER);
	CHECK_U64(again, 0);
	CHECK_U64(filled, 7);
	compare(b.p, b.n, 20000, PAIRS);
	CHECK_U64(again, 0);
	CHECK_U64(filled, 7);
	tm_buf_fini(&b);
}

static uint64_t dice(uint64_t *s, uint64_t n)
{
	*s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*s >> 33) % n;
}

/* Bytes changed, cut out, doubled. */
TEST(damaged)
{
	struct tm_buf b = load("tiny");
	const int rounds = test_rounds(150);
	uint64_t seed = 19, many = 0;

	for (int round = 0; round < rounds; round++) {
		unsigned char *p = malloc(2 * b.n);
		size_t n = b.n;

		memcpy(p, b.p, n);
		for (uint64_t k = dice(&seed, 6); k; k--) {
			size_t at = dice(&seed, n), len = dice(&seed, 400);

			len = len < n - at ? len : n - at;
			switch (dice(&seed, 4)) {
			case 0:
				memmove(p + at, p + at + len, n - at - len);
				n -= len;
				break;
			case 1:
				if (n + len > 2 * b.n)
					break;
				memmove(p + at + len, p + at, n - at);
				n += len;
				break;
			default:
				p[at] ^= (unsigned char)(1u << dice(&seed, 8));
				break;
			}
		}
		compare(p, n, 300 + dice(&seed, 30000), dice(&seed, 4) == 0 ? LATE : IN_ORDER);
		many += filled > 2;
		compare(p, n, 300 + dice(&seed, 30000), PAIRS);
		many += filled > 2;
		free(p);
	}
	CHECK(many > (unsigned)rounds * 2 / 5);
	tm_buf_fini(&b);
}

TEST(make_path)
{
	int fd = mkstemp(path);

	CHECK(fd >= 0 && !close(fd));
}

TEST(tidy)
{
	CHECK(!unlink(path));
}

TEST_MAIN(T(make_path), T(sdk_traces), T(asked_for_out_of_order), T(ranges_end_between_slices),
          T(damaged), T(tidy))
