/* SPDX-License-Identifier: MIT
 * Which traces are of one run, and what of them counts: parts of a trace, what a look at files
 * tells, and the decision. */
#include "read/reader.h"
#include "runs/sources.h"
#include "stream/parts.h"
#include "stream/twice.h"
#include "stream/watch.h"

#include "test.h"

/* ---- parts ---- */

enum { ROWS = 4 };

/* Rows of one kind with start, end, name and domain; the last row has no domain. */
struct rows {
	struct tm_batch b;
	tm_ev_set has[ROWS];
	uint64_t start[ROWS], end[ROWS], name[ROWS], domain[ROWS];
};

static void fill(struct rows *r, enum tm_ev_kind kind, const struct tm_names *names)
{
	const tm_ev_set all = TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END) |
	                      TM_EV_BIT(TM_EVC_NAME);

	*r = (struct rows) { 0 };
	r->b = (struct tm_batch) { .kind = kind,
		                   .n = ROWS,
		                   .has = all,
		                   .some = all | TM_EV_BIT(TM_EVC_DOMAIN),
		                   .row_has = r->has,
		                   .names = names };
	r->b.col[TM_EVC_START] = r->start;
	r->b.col[TM_EVC_END] = r->end;
	r->b.col[TM_EVC_NAME] = r->name;
	r->b.col[TM_EVC_DOMAIN] = r->domain;
	for (uint64_t i = 0; i < ROWS; i++) {
		r->start[i] = 100 * i;
		r->end[i] = 100 * i + 10 + i;
		r->has[i] = all | (i + 1 < ROWS ? TM_EV_BIT(TM_EVC_DOMAIN) : 0);
	}
	r->domain[0] = TM_DOMAIN_HIP;
	r->domain[1] = TM_DOMAIN_MARKER;
	r->domain[2] = TM_DOMAIN_HIP;
}

TEST(parts_of_rows)
{
	struct rows r;

	fill(&r, TM_EV_API, NULL);
	CHECK(tm_part_of_row(&r.b, 0) == (enum tm_trace_part)TM_DOMAIN_HIP);
	CHECK(tm_part_of_row(&r.b, 1) == (enum tm_trace_part)TM_DOMAIN_MARKER);
	CHECK(tm_part_of_row(&r.b, 3) == (enum tm_trace_part)tm_ev_kind_domain(TM_EV_API));
	fill(&r, TM_EV_COUNTER, NULL);
	CHECK(tm_part_of_row(&r.b, 0) == TM_PART_COUNTER);
	r.b.has &= ~TM_EV_BIT(TM_EVC_NAME);
	r.has[1] &= ~TM_EV_BIT(TM_EVC_NAME);
	CHECK(tm_part_of_row(&r.b, 0) == TM_PART_COUNTER);
	CHECK(tm_part_of_row(&r.b, 1) == TM_PART_SERIES);
	CHECK_STR(tm_part_text((enum tm_trace_part)TM_DOMAIN_KERNEL), "kernel");
	CHECK_STR(tm_part_text(TM_PART_COUNTER), "counter");
	for (int p = 0; p < TM_TRACE_PARTS; p++)
		CHECK(*tm_part_text((enum tm_trace_part)p));
}

TEST(sieved)
{
	struct tm_sieve s = { 0 };
	const struct tm_batch *out;
	struct rows r;

	/* Nothing is left out: the batch itself. */
	fill(&r, TM_EV_API, NULL);
	CHECK(tm_sieve_batch(&s, &r.b, TM_PART_BIT(TM_DOMAIN_COPY), false, &out) && out == &r.b);
	/* The two rows of HIP go, the others keep their cells and what they have. */
	CHECK(tm_sieve_batch(&s, &r.b, TM_PART_BIT(TM_DOMAIN_HIP), false, &out) && out &&
	      out != &r.b);
	CHECK_U64(out->n, 2);
	CHECK_U64(out->col[TM_EVC_START][0], 100);
	CHECK_U64(out->col[TM_EVC_END][1], 313);
	CHECK(tm_batch_has(out, 0, TM_EVC_DOMAIN) && !tm_batch_has(out, 1, TM_EVC_DOMAIN));
	CHECK(tm_batch_has(out, 1, TM_EVC_NAME));
	CHECK(tm_sieve_batch(&s, &r.b, TM_PARTS_ALL, false, &out) && !out);
	/* Counters without the times of their dispatches. */
	fill(&r, TM_EV_COUNTER, NULL);
	CHECK(tm_sieve_batch(&s, &r.b, 0, true, &out) && out);
	CHECK_U64(out->n, ROWS);
	CHECK(!tm_batch_has(out, 0, TM_EVC_START) && !tm_batch_has(out, 0, TM_EVC_END) &&
	      tm_batch_has(out, 0, TM_EVC_NAME));
	CHECK(tm_sieve_batch(&s, &r.b, TM_PART_BIT(TM_PART_COUNTER), true, &out) && !out);
	tm_sieve_fini(&s);
}

/* ---- what a look tells ---- */

static void see_file(struct tm_watch *w, const char *run, const char *path, const char *format,
                     const char *head)
{
	const struct tm_watched t = { .run = run,
		                      .path = path,
		                      .table = "kernel trace",
		                      .format = format,
		                      .p = (const unsigned char *)head,
		                      .n = head ? strlen(head) : 0 };

	CHECK(tm_watch_add(w, &t));
}

static void see_begin(struct tm_watch *w, const char *run, const char *path, const char *format,
                      const char *begin)
{
	const struct tm_watched t = {
		.run = run,
		.path = path,
		.table = "kernel trace",
		.format = format,
		.start = tm_watch_start((const unsigned char *)begin, strlen(begin)),
	};

	CHECK(tm_watch_add(w, &t));
}

TEST(contested)
{
	struct tm_watch w = { 0 };
	uint64_t pass;
	char *place;

	/* One format is not, however many runs; where there is another one, wherever, all are. */
	see_file(&w, "h:/d/1_", "/d/1_kernel_trace.csv", "rocprofv3-csv", NULL);
	see_file(&w, "h:/d/2_", "/d/2_kernel_trace.csv", "rocprofv3-csv", NULL);
	CHECK(!w.fresh && !tm_watch_contested(&w, "h:/d/1_"));
	see_file(&w, "h:/x/e/1_", "/x/e/1_results.pftrace", "pftrace", NULL);
	CHECK(w.fresh && tm_watch_contested(&w, "h:/d/1_") && tm_watch_contested(&w, "h:/x/e/1_"));
	tm_watch_decided(&w);
	CHECK(!w.fresh);
	/* A file, and the same compressed: nothing new where it is known what counts. */
	see_file(&w, "h:/d/1_", "/d/1_kernel_trace.csv.gz", "rocprofv3-csv", NULL);
	CHECK(!w.fresh);
	see_file(&w, "h:/x/y/1_", "/x/y/1_results.pftrace", "pftrace", NULL);
	CHECK(w.fresh && tm_watch_contested(&w, "h:/x/y/1_"));
	see_file(&w, "h:/x/e/1_", "/x/e/1_results.pftrace.gz", "pftrace", NULL);
	CHECK(tm_watch_file(&w, "/x/e/1_results.pftrace") ==
	      tm_watch_file(&w, "/x/e/1_results.pftrace.gz"));
	tm_watch_fini(&w);
	/* Statistics whose trace is not there: of any beside them.  With their trace they are of
	 * that. */
	see_file(&w, "h:/f/1_", "/f/1_kernel_trace.csv", "rocprofv3-csv", NULL);
	see_file(&w, "h:/f/1_", "/f/1_kernel_stats.csv", "rocprof-stats", NULL);
	CHECK(tm_watch_all_seen(&w) && !w.fresh);
	see_file(&w, "h:/f/x_", "/f/x_kernel_stats.csv", "rocprof-stats", NULL);
	CHECK(tm_watch_all_seen(&w) && w.fresh && tm_watch_contested(&w, "h:/f/1_"));
	tm_watch_fini(&w);
	/* What begins as another one, wherever that is; what lies beside the runs is noted, too. */
	CHECK(tm_watch_start((const unsigned char *)"", 0) == 0);
	see_begin(&w, "h:/g/1_", "/g/1_kernel_trace.csv", "rocprofv3-csv", "a");
	see_begin(&w, "h:/w/i/1_", "/w/i/1_kernel_trace.csv", "rocprofv3-csv", "b");
	CHECK(!w.fresh && !tm_watch_copied(&w, "/g/1_kernel_trace.csv"));
	see_begin(&w, "h:/j.tar:1_", "/j.tar:1_kernel_trace.csv", "rocprofv3-csv", "a");
	CHECK(w.fresh && tm_watch_copied(&w, "/g/1_kernel_trace.csv"));
	CHECK(tm_watch_contested(&w, "h:/g/1_") && tm_watch_contested(&w, "h:/j.tar:1_"));
	CHECK(!tm_watch_contested(&w, "h:/w/i/1_") && !tm_watch_copied(&w, "/none"));
	CHECK(tm_watch_start_of(&w, "/g/1_kernel_trace.csv") ==
	      tm_watch_start_of(&w, "/j.tar:1_kernel_trace.csv"));
	tm_watch_decided(&w);
	see_begin(&w, NULL, "/g/run.db", "run-db", "c");
	CHECK(!w.fresh);
	see_begin(&w, NULL, "/i/run.db", "run-db", "c");
	CHECK(w.fresh && tm_watch_copied(&w, "/g/run.db"));
	tm_watch_fini(&w);
	CHECK(tm_watch_place_above("h:/a/bc/", 8) == 5 && tm_watch_place_above("h:/", 3) == 0);
	CHECK(tm_watch_is_packed("a.csv.GZ") && !tm_watch_is_packed("a.csv"));
	/* Passes are of one place. */
	place = tm_watch_place_of("h:/d/pmc_12/1_", &pass);
	CHECK_STR(place, "h:/d/");
	CHECK_U64(pass, 12);
	free(place);
	place = tm_watch_place_of("h:/d/pmc_x/1_", &pass);
	CHECK_STR(place, "h:/d/pmc_x/");
	CHECK_U64(pass, UINT64_MAX);
	free(place);
	place = tm_watch_place_of("h:/d/o.tgz:pass_3/1_", &pass);
	CHECK_STR(place, "h:/d/");
	CHECK_U64(pass, 3);
	free(place);
	place = tm_watch_place_of("h:/d/pass_4.tgz:./a/1_", &pass);
	CHECK_STR(place, "h:/d/a/");
	CHECK_U64(pass, 4);
	free(place);
	see_file(&w, "h:/d/pmc_1/1_", "/d/pmc_1/1_counter_collection.csv", "rocprofv3-csv",
	         "\"Kernel_Name\",\"Counter_Name\"\n");
	CHECK(!tm_watch_passes(&w, "h:/d/pmc_1/1_"));
	see_file(&w, "h:/d/pmc_2/1_", "/d/pmc_2/1_counter_collection.csv", "rocprofv3-csv",
	         "\"Kernel_Name\",\"Counter_Name\"\n");
	CHECK(w.fresh && tm_watch_passes(&w, "h:/d/pmc_1/1_"));
	/* What was noted changes nothing. */
	tm_watch_decided(&w);
	see_file(&w, "h:/d/pmc_2/1_", "/d/pmc_2/1_counter_collection.csv", "rocprofv3-csv", NULL);
	CHECK(!w.fresh);
	tm_watch_fini(&w);
}

/* ---- the decision ---- */

/* A trace of kernels k at 0, 100, 200 and 300, whose durations are 10, 11, 12 and 13, the last
 * `longer`. */
static void see_trace(struct tm_seens *all, const char *path, const char *format, size_t input,
                      const struct tm_names *names, uint64_t longer)
{
	const struct tm_loss none = { 0 };
	const struct tm_piece p = { .id.path = path,
		                    .source = path,
		                    .id.run = "h:/d/1_",
		                    .id.own_run = "h:/d/1_",
		                    .id.rule = TM_RANK_ORDER,
		                    .id.format = format,
		                    .id.table = "kernel trace",
		                    .input = input,
		                    .nth = SIZE_MAX };
	struct rows r;

	fill(&r, TM_EV_DISPATCH, names);
	r.b.some = r.b.has;
	r.end[3] += longer;
	CHECK(tm_seen_sink.piece(all, &p));
	CHECK(tm_seen_sink.take(all, &r.b));
	CHECK(tm_seen_sink.done(all, &p, &none, NULL));
}

static void decide(struct tm_sources *s, const char *a, const char *b, uint64_t longer,
                   struct tm_report *rep)
{
	const struct tm_seen_opts o = { 0 };
	struct tm_seens all = { 0 };
	struct tm_names names = { 0 };
	struct tm_watch w = { 0 };

	CHECK(tm_names_add(&names, "k", 1) == 0);
	CHECK(tm_seen_sink.init(&all, &o));
	see_file(&w, "h:/d/1_", "/d/one", a, NULL);
	see_file(&w, "h:/d/1_", "/d/two", b, NULL);
	see_trace(&all, "/d/one", a, 0, &names, 0);
	see_trace(&all, "/d/two", b, 1, &names, longer);
	CHECK(tm_sources_decide(s, &all, &w, rep));
	tm_seen_sink.fini(&all);
	tm_watch_fini(&w);
	tm_names_fini(&names);
}

TEST(one_format_counts)
{
	struct tm_sources s = { 0 };
	struct tm_report rep = { 0 };

	/* Equally many: rocpd keeps times exactly, a pftrace clips. */
	decide(&s, "pftrace", "rocpd", 0, &rep);
	CHECK(!s.refused);
	CHECK_U64(s.n, 1);
	CHECK_U64(s.v[0].input, 0);
	CHECK(s.v[0].pick.leave & TM_PART_BIT(TM_DOMAIN_KERNEL));
	CHECK_U64(rep.n, 1);
	CHECK(rep.v[0].severity == TM_SEV_NOTE);
	tm_sources_fini(&s);
	tm_report_fini(&rep);
	/* Kernels of a pftrace may end early, not those of rocpd late. */
	decide(&s, "pftrace", "rocpd", 500, &rep);
	CHECK(!s.refused);
	tm_sources_fini(&s);
	tm_report_fini(&rep);
	decide(&s, "rocpd", "pftrace", 500, &rep);
	CHECK(s.refused && rep.n == 1 && rep.v[0].severity == TM_SEV_ERROR);
	tm_sources_fini(&s);
	tm_report_fini(&rep);
	/* Two exact formats that differ by a nanosecond. */
	decide(&s, "rocprofv3-csv", "rocpd", 1, &rep);
	CHECK(s.refused && rep.n == 1 && rep.v[0].severity == TM_SEV_ERROR);
	tm_sources_fini(&s);
	tm_report_fini(&rep);
}

/* ---- many runs ---- */

TEST(many_claims)
{
	enum { MANY = 20000 };
	struct tm_twice t = { 0 };
	struct tm_report rep = { 0 };
	char run[32];

	/* Each rank once, noted twice, the last rank by another run, too. */
	for (uint64_t i = 0; i < 2 * MANY; i++) {
		const struct tm_piece p = {
			.id.path = run, .id.run = run, .id.rank = i % MANY, .id.rule = TM_RANK_PATH
		};

		snprintf(run, sizeof run, "run%" PRIu64, i % MANY);
		CHECK(tm_twice_note(&t, &p, 1u << TM_EV_DISPATCH));
	}
	tm_twice_tell(&t, &rep);
	CHECK_U64(rep.n, 0);
	tm_twice_fini(&t);
	for (int i = 0; i < 2; i++) {
		const struct tm_piece p = { .id.path = i ? "b" : "a",
			                    .id.run = i ? "b" : "a",
			                    .id.rule = TM_RANK_PATH };

		CHECK(tm_twice_note(&t, &p, 1u << TM_EV_DISPATCH));
	}
	tm_twice_tell(&t, &rep);
	CHECK_U64(rep.n, 1);
	CHECK_STR(rep.v[0].where, "b");
	tm_twice_fini(&t);
	tm_report_fini(&rep);
}

TEST_MAIN(T(parts_of_rows), T(sieved), T(contested), T(one_format_counts), T(many_claims))
