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
	struct batch b;
	ev_set has[ROWS];
	uint64_t start[ROWS], end[ROWS], name[ROWS], domain[ROWS];
};

static void fill(struct rows *r, enum ev_kind kind, const struct names *names)
{
	const ev_set all = EV_BIT(EVC_START) | EV_BIT(EVC_END) | EV_BIT(EVC_NAME);

	*r = (struct rows) { 0 };
	r->b = (struct batch) { .kind = kind,
		                .n = ROWS,
		                .has = all,
		                .some = all | EV_BIT(EVC_DOMAIN),
		                .row_has = r->has,
		                .names = names };
	r->b.col[EVC_START] = r->start;
	r->b.col[EVC_END] = r->end;
	r->b.col[EVC_NAME] = r->name;
	r->b.col[EVC_DOMAIN] = r->domain;
	for (uint64_t i = 0; i < ROWS; i++) {
		r->start[i] = 100 * i;
		r->end[i] = 100 * i + 10 + i;
		r->has[i] = all | (i + 1 < ROWS ? EV_BIT(EVC_DOMAIN) : 0);
	}
	r->domain[0] = DOMAIN_HIP;
	r->domain[1] = DOMAIN_MARKER;
	r->domain[2] = DOMAIN_HIP;
}

TEST(parts_of_rows)
{
	struct rows r;

	fill(&r, EV_API, NULL);
	CHECK(part_of_row(&r.b, 0) == (enum trace_part)DOMAIN_HIP);
	CHECK(part_of_row(&r.b, 1) == (enum trace_part)DOMAIN_MARKER);
	CHECK(part_of_row(&r.b, 3) == (enum trace_part)ev_kind_domain(EV_API));
	fill(&r, EV_COUNTER, NULL);
	CHECK(part_of_row(&r.b, 0) == PART_COUNTER);
	r.b.has &= ~EV_BIT(EVC_NAME);
	r.has[1] &= ~EV_BIT(EVC_NAME);
	CHECK(part_of_row(&r.b, 0) == PART_COUNTER);
	CHECK(part_of_row(&r.b, 1) == PART_SERIES);
	CHECK_STR(part_text((enum trace_part)DOMAIN_KERNEL), "kernel");
	CHECK_STR(part_text(PART_COUNTER), "counter");
	for (int p = 0; p < TRACE_PARTS; p++)
		CHECK(*part_text((enum trace_part)p));
}

TEST(sieved)
{
	struct sieve s = { 0 };
	const struct batch *out;
	struct rows r;

	/* Nothing is left out: the batch itself. */
	fill(&r, EV_API, NULL);
	CHECK(sieve_batch(&s, &r.b, PART_BIT(DOMAIN_COPY), false, &out) && out == &r.b);
	/* The two rows of HIP go, the others keep their cells and what they have. */
	CHECK(sieve_batch(&s, &r.b, PART_BIT(DOMAIN_HIP), false, &out) && out && out != &r.b);
	CHECK_U64(out->n, 2);
	CHECK_U64(out->col[EVC_START][0], 100);
	CHECK_U64(out->col[EVC_END][1], 313);
	CHECK(batch_has(out, 0, EVC_DOMAIN) && !batch_has(out, 1, EVC_DOMAIN));
	CHECK(batch_has(out, 1, EVC_NAME));
	CHECK(sieve_batch(&s, &r.b, PARTS_ALL, false, &out) && !out);
	/* Counters without the times of their dispatches. */
	fill(&r, EV_COUNTER, NULL);
	CHECK(sieve_batch(&s, &r.b, 0, true, &out) && out);
	CHECK_U64(out->n, ROWS);
	CHECK(!batch_has(out, 0, EVC_START) && !batch_has(out, 0, EVC_END) &&
	      batch_has(out, 0, EVC_NAME));
	CHECK(sieve_batch(&s, &r.b, PART_BIT(PART_COUNTER), true, &out) && !out);
	sieve_fini(&s);
}

/* ---- what a look tells ---- */

static void see_file(struct watch *w, const char *run, const char *path, const char *format,
                     const char *head)
{
	const struct watched t = { .run = run,
		                   .path = path,
		                   .table = "kernel trace",
		                   .format = format,
		                   .p = (const unsigned char *)head,
		                   .n = head ? strlen(head) : 0 };

	CHECK(watch_add(w, &t));
}

TEST(contested)
{
	struct watch w = { 0 };
	uint64_t pass;
	char *place;

	/* One format in a directory is not, however many runs; another one there is. */
	see_file(&w, "h:/d/1_", "/d/1_kernel_trace.csv", "rocprofv3-csv", NULL);
	see_file(&w, "h:/d/2_", "/d/2_kernel_trace.csv", "rocprofv3-csv", NULL);
	CHECK(!w.fresh && !watch_contested(&w, "h:/d/1_"));
	see_file(&w, "h:/e/1_", "/e/1_results.pftrace", "pftrace", NULL);
	CHECK(!w.fresh && !watch_contested(&w, "h:/e/1_"));
	see_file(&w, "h:/d/3_", "/d/3_results.pftrace", "pftrace", NULL);
	CHECK(w.fresh && watch_contested(&w, "h:/d/1_") && !watch_contested(&w, "h:/e/1_"));
	watch_decided(&w);
	CHECK(!w.fresh);
	/* A file, and the same compressed; it is known of this place what counts there. */
	see_file(&w, "h:/e/1_", "/e/1_results.pftrace.gz", "pftrace", NULL);
	CHECK(!w.fresh && watch_contested(&w, "h:/e/1_"));
	CHECK(watch_file(&w, "/e/1_results.pftrace") == watch_file(&w, "/e/1_results.pftrace.gz"));
	watch_fini(&w);
	/* Statistics whose trace is not there: of any beside them.  With their trace they are of
	 * that. */
	see_file(&w, "h:/f/1_", "/f/1_kernel_trace.csv", "rocprofv3-csv", NULL);
	see_file(&w, "h:/f/1_", "/f/1_kernel_stats.csv", "rocprof-stats", NULL);
	CHECK(watch_all_seen(&w) && !w.fresh);
	see_file(&w, "h:/f/x_", "/f/x_kernel_stats.csv", "rocprof-stats", NULL);
	CHECK(watch_all_seen(&w) && w.fresh && watch_contested(&w, "h:/f/1_"));
	watch_fini(&w);
	/* Passes are of one place. */
	place = watch_place_of("h:/d/pmc_12/1_", &pass);
	CHECK_STR(place, "h:/d/");
	CHECK_U64(pass, 12);
	free(place);
	place = watch_place_of("h:/d/pmc_x/1_", &pass);
	CHECK_STR(place, "h:/d/pmc_x/");
	CHECK_U64(pass, UINT64_MAX);
	free(place);
	see_file(&w, "h:/d/pmc_1/1_", "/d/pmc_1/1_counter_collection.csv", "rocprofv3-csv",
	         "\"Kernel_Name\",\"Counter_Name\"\n");
	CHECK(!watch_passes(&w, "h:/d/pmc_1/1_"));
	see_file(&w, "h:/d/pmc_2/1_", "/d/pmc_2/1_counter_collection.csv", "rocprofv3-csv",
	         "\"Kernel_Name\",\"Counter_Name\"\n");
	CHECK(w.fresh && watch_passes(&w, "h:/d/pmc_1/1_"));
	/* What was noted changes nothing. */
	watch_decided(&w);
	see_file(&w, "h:/d/pmc_2/1_", "/d/pmc_2/1_counter_collection.csv", "rocprofv3-csv", NULL);
	CHECK(!w.fresh);
	watch_fini(&w);
}

/* ---- the decision ---- */

/* A trace of kernels k at 0, 100, 200 and 300, whose durations are 10, 11, 12 and 13, the last
 * `longer`. */
static void see_trace(struct seens *all, const char *path, const char *format, size_t input,
                      const struct names *names, uint64_t longer)
{
	const struct loss none = { 0 };
	const struct piece p = { .path = path,
		                 .run = "h:/d/1_",
		                 .own_run = "h:/d/1_",
		                 .rule = RANK_ORDER,
		                 .format = format,
		                 .table = "kernel trace",
		                 .input = input,
		                 .nth = SIZE_MAX };
	struct rows r;

	fill(&r, EV_DISPATCH, names);
	r.b.some = r.b.has;
	r.end[3] += longer;
	CHECK(seen_sink.piece(all, &p));
	CHECK(seen_sink.take(all, &r.b));
	CHECK(seen_sink.done(all, &p, &none, NULL));
}

static void decide(struct sources *s, const char *a, const char *b, uint64_t longer,
                   struct report *rep)
{
	const struct seen_opts o = { 0 };
	struct seens all = { 0 };
	struct names names = { 0 };
	struct watch w = { 0 };

	CHECK(names_add(&names, "k", 1) == 0);
	CHECK(seen_sink.init(&all, &o));
	see_file(&w, "h:/d/1_", "/d/one", a, NULL);
	see_file(&w, "h:/d/1_", "/d/two", b, NULL);
	see_trace(&all, "/d/one", a, 0, &names, 0);
	see_trace(&all, "/d/two", b, 1, &names, longer);
	CHECK(sources_decide(s, &all, &w, rep));
	seen_sink.fini(&all);
	watch_fini(&w);
	names_fini(&names);
}

TEST(one_format_counts)
{
	struct sources s = { 0 };
	struct report rep = { 0 };

	/* Equally many: rocpd keeps times exactly, a pftrace clips. */
	decide(&s, "pftrace", "rocpd", 0, &rep);
	CHECK(!s.refused);
	CHECK_U64(s.n, 1);
	CHECK_U64(s.v[0].input, 0);
	CHECK(s.v[0].pick.leave & PART_BIT(DOMAIN_KERNEL));
	CHECK_U64(rep.n, 1);
	CHECK(rep.v[0].severity == SEV_NOTE);
	sources_fini(&s);
	report_fini(&rep);
	/* Kernels of a pftrace may end early, not those of rocpd late. */
	decide(&s, "pftrace", "rocpd", 500, &rep);
	CHECK(!s.refused);
	sources_fini(&s);
	report_fini(&rep);
	decide(&s, "rocpd", "pftrace", 500, &rep);
	CHECK(s.refused && rep.n == 1 && rep.v[0].severity == SEV_ERROR);
	sources_fini(&s);
	report_fini(&rep);
	/* Two exact formats that differ by a nanosecond. */
	decide(&s, "rocprofv3-csv", "rocpd", 1, &rep);
	CHECK(s.refused && rep.n == 1 && rep.v[0].severity == SEV_ERROR);
	sources_fini(&s);
	report_fini(&rep);
}

/* ---- many runs ---- */

TEST(many_claims)
{
	enum { MANY = 20000 };
	struct twice t = { 0 };
	struct report rep = { 0 };
	char run[32];

	/* Each rank once, noted twice, the last rank by another run, too. */
	for (uint64_t i = 0; i < 2 * MANY; i++) {
		const struct piece p = {
			.path = run, .run = run, .rank = i % MANY, .rule = RANK_PATH
		};

		snprintf(run, sizeof run, "run%" PRIu64, i % MANY);
		CHECK(twice_note(&t, &p, 1u << EV_DISPATCH));
	}
	twice_tell(&t, &rep);
	CHECK_U64(rep.n, 0);
	twice_fini(&t);
	for (int i = 0; i < 2; i++) {
		const struct piece p = { .path = i ? "b" : "a",
			                 .run = i ? "b" : "a",
			                 .rule = RANK_PATH };

		CHECK(twice_note(&t, &p, 1u << EV_DISPATCH));
	}
	twice_tell(&t, &rep);
	CHECK_U64(rep.n, 1);
	CHECK_STR(rep.v[0].where, "b");
	twice_fini(&t);
	report_fini(&rep);
}

TEST_MAIN(T(parts_of_rows), T(sieved), T(contested), T(one_format_counts), T(many_claims))
