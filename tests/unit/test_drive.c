/* SPDX-License-Identifier: MIT
 * Many inputs, several workers: the same answer and the same findings in the same order as one
 * worker gives, and no hang when memory runs out. */
#include "stream/drive.h"
#include "stream/tasks.h"

#include "base/buf.h"
#include "io/source.h"

#include "test.h"

#include <stdatomic.h>
#include <unistd.h>

enum { HANG = 240 }; /* seconds after which a test counts as hung */

#define HEAD                                                                                       \
	"\"Kind\",\"Agent_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_"      \
	"Timestamp\"\n"

static char dir[] = "/tmp/tracemill_drive_XXXXXX";

static const char *path_of(const char *name)
{
	static char path[8][256];
	static unsigned turn;
	char *p = path[turn++ % 8];

	snprintf(p, sizeof path[0], "%s/%s", dir, name);
	return p;
}

static struct tm_input write_input(const char *name, const void *p, size_t n)
{
	struct tm_input in = { .path = strdup(path_of(name)), .size = n, .rule = TM_RANK_ORDER };
	FILE *f = fopen(in.path, "wb");

	CHECK(f && fwrite(p, 1, n, f) == n);
	CHECK(f && fclose(f) == 0);
	in.run = tm_run_of_path(in.path);
	return in;
}

static void forget_inputs(struct tm_input *in, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unlink(in[i].path);
		free((void *)(uintptr_t)in[i].path);
		free((void *)(uintptr_t)in[i].run);
	}
}

/* ---- a sink that remembers order ---- */

/* What the accumulator is to fail at; counted over all of them. */
struct trouble {
	long init, piece, take, merge; /* which call fails, 0 = none */
	atomic_long inits, pieces, takes, merges;
};

struct tm_seen {
	struct trouble *trouble;
	struct tm_buf text; /* "PATH rank RANK run RUN table TABLE: COUNT\n" for each piece */
	struct tm_buf piece_name;
	uint64_t rows, sum; /* of all starts */
	uint64_t hash;      /* of the starts in order, mergeable: sum of start * base^place */
	uint64_t power;     /* base^rows */
	uint64_t piece_rows;
};

enum { BASE = 1000003 };

static bool fails(long at, atomic_long *count)
{
	long i = atomic_fetch_add(count, 1) + 1;

	return at && i >= at;
}

static bool seen_init(void *acc, const void *arg)
{
	struct tm_seen *s = acc;
	struct trouble *t;

	memcpy(&t, arg, sizeof t);
	*s = (struct tm_seen) { .trouble = t, .power = 1 };
	return !fails(t->init, &t->inits);
}

static void end_piece(struct tm_seen *s)
{
	if (!s->piece_name.n)
		return;
	tm_buf_fmt(&s->text, "%s: %" PRIu64 "\n", s->piece_name.p, s->piece_rows);
	tm_buf_clear(&s->piece_name);
	s->piece_rows = 0;
}

static bool seen_piece(void *acc, const struct tm_piece *p)
{
	struct tm_seen *s = acc;

	end_piece(s);
	tm_buf_fmt(&s->piece_name, "%s rank %" PRIu64 " run %s %s %s", strrchr(p->id.path, '/') + 1,
	           p->id.rank, strrchr(p->id.run, '/') + 1, p->id.format, p->id.table);
	return !fails(s->trouble->piece, &s->trouble->pieces);
}

static bool seen_take(void *acc, const struct tm_batch *b)
{
	struct tm_seen *s = acc;

	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t v = tm_batch_has(b, i, TM_EVC_START) ? b->col[TM_EVC_START][i] : 0;

		s->sum += v;
		s->hash += v * s->power;
		s->power *= BASE;
	}
	s->rows += b->n;
	s->piece_rows += b->n;
	return !fails(s->trouble->take, &s->trouble->takes);
}

static bool seen_merge(void *into, void *acc)
{
	struct tm_seen *s = into, *from = acc;

	end_piece(from);
	if (from->text.n)
		tm_buf_add(&s->text, from->text.p, from->text.n);
	s->sum += from->sum;
	s->rows += from->rows;
	s->hash += from->hash * s->power;
	s->power *= from->power;
	return !fails(s->trouble->merge, &s->trouble->merges);
}

static void seen_fini(void *acc)
{
	struct tm_seen *s = acc;

	tm_buf_fini(&s->text);
	tm_buf_fini(&s->piece_name);
}

static struct tm_event_sink sink_of(struct trouble *const *t)
{
	return (struct tm_event_sink) { .size = sizeof(struct tm_seen),
		                        .arg = t,
		                        .init = seen_init,
		                        .piece = seen_piece,
		                        .take = seen_take,
		                        .merge = seen_merge,
		                        .fini = seen_fini };
}

/* The findings as text, paths without their directory. */
static void put_report(struct tm_buf *b, const struct tm_report *r)
{
	static const char *const word[] = { "note", "warn", "skip", "no", "error" };

	for (size_t i = 0; i < r->n; i++) {
		const struct tm_finding *f = &r->v[i];
		const char *where = f->where ? strrchr(f->where, '/') : NULL;

		tm_buf_fmt(b, "%s %s:%" PRIu64 ": %s\n", word[f->severity], where ? where + 1 : "-",
		           f->line, f->text);
	}
}

struct answer {
	enum tm_status st;
	struct tm_buf text; /* pieces, then findings */
	uint64_t rows, sum, hash;
};

static struct answer run(struct tm_input *in, size_t n, unsigned jobs, struct trouble *t,
                         bool verbose)
{
	struct trouble none = { 0 }, *which = t ? t : &none;
	struct tm_event_sink sink = sink_of(&which);
	struct tm_drive d = { .want = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) |
		                      TM_EV_BIT(TM_EVC_END),
		              .jobs = jobs,
		              .verbose = verbose };
	struct tm_report rep = { 0 };
	struct answer a = { .st = TM_ST_OK };
	struct tm_seen total;
	long init = which->init;

	/* The total is ours; only the workers' are to fail. */
	which->init = 0;
	seen_init(&total, &which);
	which->init = init;
	atomic_store(&which->inits, 0);
	alarm(HANG);
	a.st = tm_drive_run(&d, in, n, &sink, &total, &rep);
	alarm(0);
	a.rows = total.rows;
	a.sum = total.sum;
	a.hash = total.hash;
	if (total.text.n)
		tm_buf_add(&a.text, total.text.p, total.text.n);
	tm_buf_str(&a.text, "");
	put_report(&a.text, &rep);
	tm_report_fini(&rep);
	seen_fini(&total);
	return a;
}

static void answer_fini(struct answer *a)
{
	tm_buf_fini(&a->text);
}

/* ---- small inputs ---- */

/* A ustar archive, member by member. */
static void tar_add(struct tm_buf *b, const char *name, const void *p, size_t n)
{
	char h[512] = { 0 };
	unsigned sum = 8 * ' ';

	snprintf(h, 100, "%s", name);
	memcpy(h + 100, "0000644", 7);
	memcpy(h + 108, "0000000", 7);
	memcpy(h + 116, "0000000", 7);
	snprintf(h + 124, 12, "%011zo", n);
	memcpy(h + 136, "00000000000", 11);
	h[156] = '0';
	memcpy(h + 257, "ustar\00000", 8);
	for (int i = 0; i < 512; i++)
		sum += (i < 148 || i >= 156) ? (unsigned char)h[i] : 0;
	snprintf(h + 148, 8, "%06o", sum);
	tm_buf_add(b, h, 512);
	tm_buf_add(b, p, n);
	memset(h, 0, sizeof h);
	tm_buf_add(b, h, (512 - n % 512) % 512);
}

#define ROW(n, s, e) "\"K\",4,\"" n "\",1," s "," e "\n"
static const char three[] = HEAD ROW("f", "10", "20") ROW("g", "20", "30") ROW("f", "30", "45");
static const char odd[] = HEAD ROW("f", "10", "20") "bad\n" ROW("g", "30",
                                                                "20") "bad\n" ROW("h", "1", "2");
static const char cut[] = HEAD ROW("f", "10", "20") "\"K\",4,\"g";
static const char stats[] =
        "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n\"f\",1,2,2,100.0\n";

static size_t make_inputs(struct tm_input *in)
{
	struct tm_buf tar = { 0 };
	char zeros[1024] = { 0 };
	size_t n = 0;

	in[n++] = write_input("a_kernel_trace.csv", three, sizeof three - 1);
	in[n++] = write_input("b_kernel_trace.csv", odd, sizeof odd - 1);
	in[n++] = write_input("notes.txt", "hello\n", 6);
	in[n++] = write_input("more_notes.txt", "hello\n", 6);
	in[n - 1].optional = true;
	in[n++] = write_input("c_kernel_trace.csv", HEAD, sizeof HEAD - 1);
	tar_add(&tar, "rank3/p_kernel_trace.csv", three, sizeof three - 1);
	tar_add(&tar, "readme", "text\n", 5);
	tar_add(&tar, "rank5/p_kernel_stats.csv", stats, sizeof stats - 1);
	tar_add(&tar, "q_kernel_trace.csv", odd, sizeof odd - 1);
	tm_buf_add(&tar, zeros, sizeof zeros);
	in[n++] = write_input("all.tar", tar.p, tar.n);
	in[n - 1].rank = 9;
	tm_buf_clear(&tar);
	tar_add(&tar, "readme", "text\n", 5);
	tm_buf_add(&tar, zeros, sizeof zeros);
	in[n++] = write_input("none.tar", tar.p, tar.n);
	in[n++] = write_input("d_kernel_trace.csv", cut, sizeof cut - 1);
	in[n++] = write_input("gone.csv", "", 0);
	unlink(in[n - 1].path);
	in[n++] = write_input("e_kernel_trace.csv", three, sizeof three - 1);
	in[n - 1].rank = 7;
	in[n - 1].rule = TM_RANK_GIVEN;
	tm_buf_fini(&tar);
	return n;
}

TEST(pieces_and_findings)
{
	struct tm_input in[16];
	size_t n = make_inputs(in);
	struct answer one = run(in, n, 1, NULL, false);
	const char *text = one.text.p;

	CHECK(one.st == TM_ST_OK);
	/* In order, the members of the archive with the rank and the run their own names say. */
	CHECK(strstr(text,
	             "a_kernel_trace.csv rank 0 run a_ rocprofv3-csv kernel trace: 3\n"
	             "b_kernel_trace.csv rank 0 run b_ rocprofv3-csv kernel trace: 2\n"
	             "c_kernel_trace.csv rank 0 run c_ rocprofv3-csv kernel trace: 0\n"
	             "p_kernel_trace.csv rank 3 run p_ rocprofv3-csv kernel trace: 3\n"
	             "p_kernel_stats.csv rank 5 run p_ rocprof-stats kernel statistics: 1\n") ==
	      text);
	CHECK(strstr(text, "q_kernel_trace.csv rank 9 "));
	CHECK(strstr(text, "e_kernel_trace.csv rank 7 run e_ "));
	CHECK(strstr(text, "skip b_kernel_trace.csv:3: 2 rows"));
	CHECK(strstr(text, "skip b_kernel_trace.csv:4: 1 row"));
	CHECK(strstr(text, "error notes.txt:1: unknown format"));
	CHECK(!strstr(text, "more_notes.txt"));
	CHECK(strstr(text, "note c_kernel_trace.csv:0: a kernel trace without rows"));
	CHECK(strstr(text, "error none.tar:0: no trace in this archive (1 file looked at)"));
	CHECK(strstr(text, "error d_kernel_trace.csv:3: the file ends inside this row"));
	CHECK(strstr(text, "error gone.csv:"));
	CHECK_U64(one.rows, 3 + 2 + 3 + 1 + 2 + 1 + 3);
	CHECK_U64(in[0].traces, 1);
	CHECK_U64(in[2].traces, 0);
	CHECK_U64(in[5].traces, 3);
	CHECK_U64(in[6].traces, 0);
	for (unsigned jobs = 1; jobs <= 4; jobs++)
		for (int again = 0; again < 20; again++) {
			struct answer a = run(in, n, jobs, NULL, false);

			CHECK(a.st == TM_ST_OK);
			CHECK_STR(a.text.p, text);
			CHECK_U64(a.hash, one.hash);
			CHECK_U64(in[5].traces, 3);
			answer_fini(&a);
		}
	answer_fini(&one);
	one = run(in, n, 3, NULL, true);
	CHECK(strstr(one.text.p, "note more_notes.txt:0: not a trace; skipped"));
	CHECK(strstr(one.text.p, "note readme:0: not a trace; skipped") ||
	      strstr(one.text.p, "readme:0: not a trace; skipped"));
	answer_fini(&one);
	/* No input at all. */
	one = run(in, 0, 4, NULL, false);
	CHECK(one.st == TM_ST_OK && !one.rows);
	answer_fini(&one);
	forget_inputs(in, n);
}

/* Memory runs out at any of the calls, with any number of workers: TM_ST_FATAL, and it ends. */
TEST(out_of_memory)
{
	struct tm_input in[40];
	size_t n = 0;

	while (n < 40) {
		char name[32];

		snprintf(name, sizeof name, "%02zu_kernel_trace.csv", n);
		in[n++] = write_input(name, three, sizeof three - 1);
	}
	for (unsigned jobs = 1; jobs <= 4; jobs++)
		for (long at = 1; at <= 40; at += at < 4 ? 1 : 9)
			for (int what = 0; what < 4; what++) {
				struct trouble t = { 0 };
				struct answer a;

				*(what == 0   ? &t.init
				  : what == 1 ? &t.piece
				  : what == 2 ? &t.take
				              : &t.merge) = at;
				a = run(in, n, jobs, &t, false);
				CHECK(a.st == TM_ST_FATAL);
				answer_fini(&a);
			}
	forget_inputs(in, n);
}

/* ---- a large file ---- */

/* 70 MB: nine ranges.  With `nasty`, a name of many lines lies across each end of a range, so that
 * ranges begin inside it, some of its lines looking like rows; and bad rows everywhere. */
static void make_large(struct tm_buf *b, bool nasty, uint64_t *malformed, uint64_t *first)
{
	size_t next = (size_t)tm_drive_chunk - 3000;
	uint64_t line = 1, i = 0;

	*malformed = *first = 0;
	tm_buf_clear(b);
	tm_buf_reserve(b, 73 << 20);
	tm_buf_str(b, HEAD);
	while (b->n < (size_t)70 << 20) {
		line++;
		i++;
		if (nasty && b->n > next) {
			tm_buf_fmt(b, "\"K\",4,\"a \"long\", name\n");
			for (int k = 0; k < 400; k++, line++)
				tm_buf_str(b, k % 3 ? "K,4,inside,1,2,3\n" : "inside\n");
			tm_buf_fmt(b, "end\",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", i, i * 10,
			           i * 10 + 5);
			line++;
			next += tm_drive_chunk;
		} else if (nasty && i % 100000 == 7) {
			tm_buf_fmt(b, "\"K\",4,\"f\",%" PRIu64 "\n", i);
			if (!(*malformed)++)
				*first = line;
		} else {
			tm_buf_fmt(b,
			           "\"K\",4,\"k%" PRIu64 "\",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
			           i % 97, i, i * 10, i * 10 + 5);
		}
	}
}

static void large(bool nasty)
{
	struct tm_buf b = { 0 };
	uint64_t malformed, first;
	struct tm_input in[3];
	struct answer one;
	char want[200];

	make_large(&b, nasty, &malformed, &first);
	in[0] = write_input("a_kernel_trace.csv", three, sizeof three - 1);
	in[1] = write_input("big_kernel_trace.csv", b.p, b.n);
	in[2] = write_input("b_kernel_trace.csv", odd, sizeof odd - 1);
	tm_buf_fini(&b);
	one = run(in, 3, 1, NULL, false);
	CHECK(one.st == TM_ST_OK && one.rows > 1000000);
	if (nasty) {
		snprintf(want, sizeof want,
		         "skip big_kernel_trace.csv:%" PRIu64 ": %" PRIu64 " rows", first,
		         malformed);
		CHECK(strstr(one.text.p, want));
		CHECK(strstr(one.text.p, "note big_kernel_trace.csv:"));
	}
	for (unsigned jobs = 2; jobs <= 4; jobs++) {
		struct answer a = run(in, 3, jobs, NULL, false);

		CHECK(a.st == TM_ST_OK);
		CHECK_U64(a.rows, one.rows);
		CHECK_U64(a.sum, one.sum);
		CHECK_U64(a.hash, one.hash);
		CHECK_U64(in[1].traces, 1);
		/* The pieces of a range are counted apart; the findings are those of the file. */
		CHECK_STR(strstr(a.text.p, "skip ") ? strstr(a.text.p, "skip ") : "",
		          strstr(one.text.p, "skip ") ? strstr(one.text.p, "skip ") : "");
		answer_fini(&a);
	}
	/* Out of memory in the middle of it. */
	for (long at = 1; at < 2000; at *= 11) {
		struct trouble t = { .take = at };
		struct answer a = run(in, 3, 4, &t, false);

		CHECK(a.st == TM_ST_FATAL);
		answer_fini(&a);
	}
	answer_fini(&one);
	forget_inputs(in, 3);
}

TEST(large_file)
{
	large(false);
}

TEST(large_nasty_file)
{
	large(true);
}

static void begin(void)
{
	if (!mkdtemp(dir))
		abort();
}

static void end(void)
{
	rmdir(dir);
}

/* Memory that ran out is told by a status, whatever the text says. */
TEST(no_memory_is_a_status)
{
	struct tm_report r = { 0 };
	struct tm_diag d = { 0 };

	tm_diag_set(&d, 0, "out of memory");
	CHECK(d.status == TM_ST_OK);
	tm_report_diag(&r, "a", &d);
	tm_diag_oom(&d);
	CHECK(d.status == TM_ST_NOMEM);
	CHECK_STR(d.text, "out of memory");
	tm_report_diag(&r, "b", &d);
	tm_diag_set(&d, 7, "broken");
	CHECK(d.status == TM_ST_OK);
	CHECK_U64(r.n, 2);
	CHECK(r.n == 2 && !r.v[0].no_memory && r.v[1].no_memory);
	tm_report_fini(&r);
}

TEST_MAIN(T(begin), T(no_memory_is_a_status), T(pieces_and_findings), T(out_of_memory),
          T(large_file), T(large_nasty_file), T(end))
