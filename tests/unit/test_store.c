/* SPDX-License-Identifier: MIT
 * run.db: tables and their description agree, sketches survive, what goes in comes out. */
#include "tests/unit/test.h"

#include "agg/quantile.h"
#include "merge/job.h"
#include "read/reader.h"
#include "runs/content.h"
#include "store/store.h"

#include <sqlite3.h>
#include <unistd.h>

/* ---- tm_run_tables.def and run.sql ---- */

static bool has_column(const struct tm_run_table *t, const char *name, const char *type)
{
	static const char *const types[] = {
		[TM_EVT_NUMBER] = "INTEGER", [TM_EVT_TIME] = "INTEGER",  [TM_EVT_AGENT] = "INTEGER",
		[TM_EVT_SUM] = "INTEGER",    [TM_EVT_STATE] = "INTEGER", [TM_EVT_REAL] = "REAL",
		[TM_EVT_NAME] = "INTEGER",   [TM_EVT_DOMAIN] = "TEXT"
	};

	if (!strcmp(name, "id") || !strcmp(name, "rank_id"))
		return true;
	for (const struct tm_run_column *c = t->column; c->name; c++)
		if (!strcmp(c->name, name))
			return !strcmp(types[tm_ev_columns[c->col].type], type);
	return false;
}

/* Databases keep these words: one that is no longer here is one that is no longer read. */
TEST(words_of_losses)
{
	struct tm_buf all = { 0 };

	for (int i = 0; i < TM_LOSS_REASONS; i++)
		tm_buf_fmt(&all, "%s ", tm_losses[i].word);
	tm_buf_str(&all, "");
	CHECK_STR(all.p,
	          "malformed reversed recovered shown cut unended open_end cut_bytes damaged "
	          "compressed "
	          "discarded overwritten dropped open close reversed_events untimed "
	          "negative last unnamed "
	          "trackless excess excess_tracks kernels event baseless operations inclusive "
	          "recursive "
	          "counter_values misfit_rows reversed_rows unnamed_rows self_rows twice_rows "
	          "journal rounded_rows joined_rows counters values "
	          "merged omitted thinned few bare undrawn timeless static_lds "
	          "source_skipped source_lost source_cut headers ");
	tm_buf_fini(&all);
}

TEST(tables_agree)
{
	sqlite3 *db = NULL;
	struct tm_buf sql = { 0 };

	CHECK(sqlite3_open(":memory:", &db) == SQLITE_OK);
	CHECK(tm_store_schema(false, true, &sql));
	CHECK(sqlite3_exec(db, sql.p, NULL, NULL, NULL) == SQLITE_OK);
	tm_buf_fini(&sql);
	for (int i = 0; i < TM_RUN_TABLES; i++) {
		const struct tm_run_table *t = &tm_run_tables[i];
		size_t want = 2, got = 0;
		sqlite3_stmt *st = NULL;

		for (const struct tm_run_column *c = t->column; c->name; c++)
			want++;
		CHECK(sqlite3_prepare_v2(db, "SELECT name,type FROM pragma_table_info(?)", -1, &st,
		                         NULL) == SQLITE_OK);
		sqlite3_bind_text(st, 1, t->name, -1, SQLITE_STATIC);
		for (; sqlite3_step(st) == SQLITE_ROW; got++)
			CHECK(has_column(t, (const char *)sqlite3_column_text(st, 0),
			                 (const char *)sqlite3_column_text(st, 1)));
		CHECK_U64(got, want);
		sqlite3_finalize(st);
	}
	sqlite3_close(db);
}

/* What tells that two databases hold the same trace counts the columns: these never move. */
TEST(columns_of_content_stay)
{
	const struct {
		enum tm_ev_col col;
		unsigned at;
	} v[] = {
		{ TM_EVC_NAME, 0 },         { TM_EVC_START, 2 },  { TM_EVC_END, 3 },
		{ TM_EVC_AGENT, 4 },        { TM_EVC_TID, 8 },    { TM_EVC_CORR, 9 },
		{ TM_EVC_DISPATCH_ID, 10 }, { TM_EVC_BYTES, 26 }, { TM_EVC_ADDRESS, 27 },
		{ TM_EVC_COUNTER, 31 },     { TM_EVC_VALUE, 32 }, { TM_EVC_CALLS, 33 },
		{ TM_EVC_TOTAL, 34 },
	};
	tm_ev_set all = 0;

	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		CHECK_U64(v[i].col, v[i].at);
		all |= TM_EV_BIT(v[i].col);
	}
	CHECK(all == tm_content_cols);
}

/* ---- sketches ---- */

static void fill(struct tm_quantile *q, uint64_t n, uint64_t step)
{
	for (uint64_t i = 0; i < n; i++)
		CHECK(tm_quantile_add(q, i * step + 7));
}

static void check_round(uint64_t n, uint64_t step)
{
	struct tm_quantile q = { 0 }, back = { 0 };
	struct tm_buf b = { 0 };
	bool bad = true;

	fill(&q, n, step);
	CHECK(tm_quantile_save(&q, &b));
	CHECK(tm_quantile_merge_saved(&back, (const unsigned char *)b.p, b.n, n, &bad));
	CHECK(!bad);
	CHECK_U64(back.n, n);
	for (unsigned p = 1; n && p <= 1000; p += 37)
		CHECK_U64(tm_quantile_at(&back, p, 7, (n - 1) * step + 7),
		          tm_quantile_at(&q, p, 7, (n - 1) * step + 7));
	tm_quantile_fini(&q);
	tm_quantile_fini(&back);
	tm_buf_fini(&b);
}

TEST(sketch_round)
{
	check_round(0, 1);
	check_round(1, 1);
	check_round(1024, 1000003);
	check_round(1025, 1000003);
	check_round(100000, 1);
	check_round(5000, UINT64_C(1) << 50);
}

/* ---- packed rollups and names ---- */

/* One of every sort, the i-th of them; q is its sketch. */
static struct tm_rollup make_rollup(unsigned i, struct tm_quantile *q, struct tm_buf *sketch)
{
	struct tm_rollup r = { .domain = i % 3 ? TM_DOMAIN_KERNEL : TM_DOMAIN_COPY,
		               .name = i % 5 ? i * 7 % 50 : TM_NAME_NONE,
		               .counter = i % 4 ? TM_NAME_NONE : i,
		               .has_agent = i % 2,
		               .agent = i % 2 ? UINT64_C(1) << 32 | i : 0,
		               .timed = i % 5 != 0,
		               .calls = i % 7 * 300 + 1 };
	struct tm_moments m = { 0 };

	for (uint64_t k = 0; r.timed && k < r.calls; k++) {
		const uint64_t ns = i % 11 ? k * k + i : UINT64_MAX - k;

		CHECK(tm_quantile_add(q, ns));
		tm_moments_add(&m, ns);
	}
	if (!r.timed)
		return r;
	CHECK(tm_quantile_save(q, sketch));
	r.total[0] = (uint64_t)m.sum;
	r.total[1] = (uint64_t)(m.sum >> 64);
	r.squares[0] = (uint64_t)m.squares;
	r.squares[1] = (uint64_t)(m.squares >> 64);
	r.squares[2] = m.squares_hi;
	r.min = m.min;
	r.max = m.max;
	/* Its sums are not those of its values: they are to be kept by themselves. */
	r.max += i == 13;
	/* Sealed: quantiles are not known. */
	r.sketch = sketch->p;
	r.sketch_n = i == 14 ? 0 : sketch->n;
	return r;
}

enum { ROLLUPS_MADE = 60 };

static void make_rollups(struct tm_buf *out)
{
	struct tm_rollups_out o = { 0 };

	for (unsigned i = 0; i < ROLLUPS_MADE; i++) {
		struct tm_quantile q = { 0 };
		struct tm_buf sketch = { 0 };
		struct tm_rollup r = make_rollup(i, &q, &sketch);

		CHECK(tm_rollups_add(&o, &r));
		tm_quantile_fini(&q);
		tm_buf_fini(&sketch);
	}
	CHECK(tm_rollups_pack(&o, out));
	CHECK_U64(tm_rollups_size(&o), 0);
	tm_rollups_out_fini(&o);
}

TEST(rollups_packed)
{
	struct tm_buf b = { 0 };
	struct tm_rollups u = { 0 };
	struct tm_rollup r;

	make_rollups(&b);
	CHECK(tm_rollups_open(&u, b.p, b.n));
	for (unsigned i = 0; i < ROLLUPS_MADE; i++) {
		struct tm_quantile q = { 0 };
		struct tm_buf sketch = { 0 };
		struct tm_rollup want = make_rollup(i, &q, &sketch);

		CHECK(tm_rollups_next(&u, &r));
		CHECK(r.domain == want.domain && r.timed == want.timed);
		CHECK(r.has_agent == want.has_agent && r.agent == want.agent);
		CHECK_U64(r.name, want.name);
		CHECK_U64(r.counter, want.counter);
		CHECK_U64(r.calls, want.calls);
		CHECK(!memcmp(r.total, want.total, sizeof r.total));
		CHECK(!memcmp(r.squares, want.squares, sizeof r.squares));
		CHECK_U64(r.min, want.min);
		CHECK_U64(r.max, want.max);
		CHECK_U64(r.sketch_n, want.sketch_n);
		CHECK(!r.sketch_n || !memcmp(r.sketch, want.sketch, r.sketch_n));
		tm_quantile_fini(&q);
		tm_buf_fini(&sketch);
	}
	CHECK(!tm_rollups_next(&u, &r) && !u.bad);
	tm_rollups_fini(&u);
	tm_buf_fini(&b);
}

/* Cut anywhere, or a byte too long, they are damaged. */
TEST(rollups_cut)
{
	struct tm_buf b = { 0 };
	struct tm_rollups u = { 0 };

	make_rollups(&b);
	tm_buf_chr(&b, 'x');
	for (size_t n = 0; n <= b.n; n += n < 100 || n + 100 > b.n ? 1 : 37) {
		struct tm_rollup r;

		if (n == b.n - 1)
			continue;
		while (tm_rollups_open(&u, b.p, n) && tm_rollups_next(&u, &r))
			;
		CHECK(u.bad);
	}
	tm_rollups_fini(&u);
	tm_buf_fini(&b);
}

TEST(names_packed)
{
	struct tm_names names = { 0 }, back = { 0 };
	uint32_t next = 0;
	bool bad = true;

	for (unsigned i = 0; i < 30000; i++) {
		char text[128];
		int n = snprintf(text, sizeof text, "void kernel<%u, float const*, %060u>(int)", i,
		                 i);

		CHECK_U64(tm_names_add(&names, text, (size_t)n), i);
	}
	CHECK_U64(tm_names_add(&names, "", 0), 30000);
	CHECK_U64(tm_names_add(&names, "a\0b", 3), 30001);
	for (uint32_t from = 0; from < names.n; from = next) {
		struct tm_buf b = { 0 };

		CHECK(tm_packed_names_put(&names, from, &next, &b));
		CHECK(next > from);
		CHECK(tm_packed_names_get(b.p, b.n, &back, &bad));
		CHECK_U64(back.n, next);
		/* What is there already is not there twice. */
		CHECK(!tm_packed_names_get(b.p, b.n, &back, &bad) && bad);
		CHECK(!tm_packed_names_get(b.p, b.n - 1, &back, &bad) && bad);
		tm_buf_fini(&b);
	}
	for (uint32_t i = 0; i < names.n; i++)
		CHECK(names.v[i].len == back.v[i].len &&
		      !memcmp(names.v[i].text, back.v[i].text, names.v[i].len));
	tm_names_fini(&names);
	tm_names_fini(&back);
}

/* As run.sql says: kind, how many, then differences of the sorted values. */
TEST(sketch_bytes)
{
	static const unsigned char want[] = { 0, 3, 5, 0, 0xac, 0x02 };
	struct tm_quantile q = { 0 };
	struct tm_buf b = { 0 };

	tm_quantile_add(&q, 305);
	tm_quantile_add(&q, 5);
	tm_quantile_add(&q, 5);
	CHECK(tm_quantile_save(&q, &b));
	CHECK_U64(b.n, sizeof want);
	CHECK(b.p && !memcmp(b.p, want, sizeof want));
	tm_quantile_fini(&q);
	tm_buf_fini(&b);
}

TEST(sketch_damaged)
{
	static const struct {
		const char *bytes;
		size_t n;
		uint64_t calls;
	} bad[] = {
		{ "", 0, 0 },
		{ "\2\1\1", 3, 1 },                                        /* no such kind */
		{ "\0\2\1", 3, 2 },                                        /* a value is missing */
		{ "\0\1\1\1", 4, 1 },                                      /* one too many */
		{ "\0\1\1", 3, 2 },                                        /* not so many calls */
		{ "\0\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\2", 12, 1 },   /* 65 bits */
		{ "\0\2\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\1", 13, 2 }, /* the sum runs over */
		{ "\1\1\x80\x40\x81\x10", 6, 2049 },                       /* no such bucket */
		{ "\1\2\1\1\0\1", 6, 2 },                                  /* too few for buckets */
		{ "\1\2\1\x81\x10\0\1", 7, 2050 }, /* the same bucket twice */
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct tm_quantile q = { 0 };
		bool is_bad = false;

		CHECK(!tm_quantile_merge_saved(&q, (const unsigned char *)bad[i].bytes, bad[i].n,
		                               bad[i].calls, &is_bad));
		CHECK(is_bad);
		tm_quantile_fini(&q);
	}
}

/* ---- through a database ---- */

static char path[64];

/* Two dispatches, the second of which says little, and a marker beside an API call. */
static void write_run(struct tm_names *names)
{
	static uint64_t start[] = { UINT64_MAX - 10, 0 }, end[] = { UINT64_MAX, 0 },
	                name[] = { 0, 1 }, dom[2];
	static tm_ev_set has[] = { 0, TM_EV_BIT(TM_EVC_NAME) };
	struct tm_batch b = { .kind = TM_EV_DISPATCH, .n = 2, .row_has = has, .names = names };
	const struct tm_merge_opts o = { 0 };
	const struct tm_piece p = { .id.path = "p",
		                    .id.run = "r",
		                    .id.rank = 5,
		                    .id.rule = TM_RANK_GIVEN,
		                    .id.format = "f",
		                    .id.table = "t",
		                    .id.bytes = 99 };
	const struct tm_loss loss = { .rows = 4,
		                      .of[TM_LOSS_LINE_MALFORMED] = { .n = 2, .at = 7 } };
	struct tm_merge_totals totals;
	struct tm_diag d = { 0 };
	struct tm_store *s = tm_store_create(path, false, false, &d);
	void *acc = calloc(1, tm_merge_sink.size), *total = calloc(1, tm_merge_sink.size);

	CHECK(s != NULL);
	has[0] = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END);
	b.some = has[0];
	b.has = TM_EV_BIT(TM_EVC_NAME);
	b.col[TM_EVC_NAME] = name;
	b.col[TM_EVC_START] = start;
	b.col[TM_EVC_END] = end;
	CHECK(tm_merge_sink.init(acc, &o) && tm_merge_sink.init(total, &o));
	tm_merge_begin(total, s, NULL);
	CHECK(tm_merge_sink.piece(acc, &p));
	CHECK(tm_merge_sink.take(acc, &b));
	dom[0] = TM_DOMAIN_MARKER;
	dom[1] = TM_DOMAIN_HIP;
	b.kind = TM_EV_API;
	b.has = b.some = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_DOMAIN);
	b.col[TM_EVC_DOMAIN] = dom;
	CHECK(tm_merge_sink.take(acc, &b));
	CHECK(tm_merge_sink.done(acc, &p, &loss, NULL));
	CHECK(tm_merge_sink.merge(total, acc));
	CHECK(tm_merge_finish(total, true, &totals, &d) == TM_ST_OK);
	CHECK_U64(totals.events, 4);
	CHECK_U64(totals.skipped, 2);
	tm_merge_sink.fini(acc);
	tm_merge_sink.fini(total);
	free(acc);
	free(total);
	tm_store_close(s);
}

TEST(round_trip)
{
	struct tm_names names = { 0 };
	struct tm_diag d = { 0 };
	struct tm_source *src;
	struct tm_reader *r;
	const struct tm_batch *b;
	int fd;

	snprintf(path, sizeof path, "/tmp/test_store-XXXXXX");
	fd = mkstemp(path);
	CHECK(fd >= 0);
	tm_names_add(&names, "a\0b\xff", 4);
	tm_names_add(&names, "", 0);
	write_run(&names);
	src = tm_source_open(path, &d);
	r = tm_reader_open(src, NULL, TM_EV_ALL & ~TM_EV_BIT(TM_EVC_SKETCH), NULL, &d);
	CHECK(r && r->norigins == 1);
	if (r && r->norigins == 1) {
		const struct tm_origin *o = r->origins;

		CHECK_STR(o->id.path, "p");
		CHECK_STR(o->id.run, "r");
		CHECK_U64(o->id.rank, 5);
		CHECK_U64(o->id.rule, TM_RANK_GIVEN);
		CHECK_U64(o->id.bytes, 99);
		CHECK_U64(o->loss.of[TM_LOSS_LINE_MALFORMED].n, 2);
		CHECK_U64(o->loss.of[TM_LOSS_LINE_MALFORMED].at, 7);
		CHECK_U64(o->loss.rows, 4);
		CHECK(tm_reader_next(r, &b, &d) == TM_ST_OK && b->kind == TM_EV_DISPATCH &&
		      b->n == 2);
		CHECK_U64(b->col[TM_EVC_START][0], UINT64_MAX - 10);
		CHECK_U64(b->col[TM_EVC_END][0], UINT64_MAX);
		CHECK(tm_batch_has(b, 1, TM_EVC_NAME) && !tm_batch_has(b, 1, TM_EVC_START));
		CHECK(!tm_batch_has(b, 0, TM_EVC_PID) && !tm_batch_has(b, 0, TM_EVC_AGENT));
		CHECK_U64(b->names->v[b->col[TM_EVC_NAME][0]].len, 4);
		CHECK(!memcmp(b->names->v[b->col[TM_EVC_NAME][0]].text, "a\0b\xff", 4));
		CHECK(tm_reader_next(r, &b, &d) == TM_ST_OK && b->kind == TM_EV_API && b->n == 1);
		CHECK_U64(b->col[TM_EVC_DOMAIN][0], TM_DOMAIN_HIP);
		CHECK(tm_reader_next(r, &b, &d) == TM_ST_OK && b->kind == TM_EV_API && b->n == 1);
		CHECK_U64(b->col[TM_EVC_DOMAIN][0], TM_DOMAIN_MARKER);
		CHECK(tm_reader_next(r, &b, &d) == TM_ST_END);
	}
	tm_reader_close(r);
	/* The same as sums: one timed, one not, two calls without times. */
	tm_source_close(src);
	src = tm_source_open(path, &d);
	r = tm_reader_open(src, NULL, TM_EV_ALL, NULL, &d);
	CHECK(r && tm_reader_next(r, &b, &d) == TM_ST_OK && b->kind == TM_EV_ROLLUP && b->n == 4);
	if (r && b->n == 4) {
		CHECK(tm_batch_has(b, 0, TM_EVC_TOTAL) && !tm_batch_has(b, 1, TM_EVC_TOTAL));
		CHECK_U64(b->col[TM_EVC_TOTAL][0], 10);
		CHECK_U64(b->col[TM_EVC_SQUARES_0][0], 100);
		CHECK_U64(b->col[TM_EVC_MIN][0], 10);
	}
	tm_reader_close(r);
	tm_source_close(src);
	tm_names_fini(&names);
	unlink(path);
	if (fd >= 0)
		close(fd);
}

TEST_MAIN(T(tables_agree), T(columns_of_content_stay), T(sketch_round), T(sketch_bytes),
          T(sketch_damaged), T(rollups_packed), T(rollups_cut), T(names_packed), T(round_trip),
          T(words_of_losses))
