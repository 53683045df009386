/* SPDX-License-Identifier: MIT
 * Rows of several ranks in one text: a trace for each, gathered in memory and in a temporary file,
 * as CSV and as NDJSON. */
#include "read/formats.h"
#include "read/ranked.h"

#include "test.h"

/* Rows i = 0 .. n-1 of rank i % ranks, from i to i + 1; row 5 of another kind; no rank of row 7. */
static void write_rows(struct tm_buf *b, bool json, unsigned n, unsigned ranks)
{
	tm_buf_clear(b);
	if (!json)
		tm_buf_str(b, "kind,rank,name,start_ns,end_ns\n");
	for (unsigned i = 0; i < n; i++) {
		const char *kind = i == 5 ? "copy" : "kernel";

		if (json && i == 7)
			tm_buf_str(b, "{\"kind\":\"kernel\",\"name\":\"k\",\"start_ns\":7,\"end_"
			              "ns\":8}\n");
		else if (json)
			tm_buf_fmt(b,
			           "{\"kind\":\"%s\",\"rank\":%u,\"name\":\"k\",\"start_ns\":%u,"
			           "\"end_ns\":%u}\n",
			           kind, i % ranks, i, i + 1);
		else if (i == 7)
			tm_buf_str(b, "kernel,,k,7,8\n");
		else
			tm_buf_fmt(b, "%s,%u,\"k\",%u,%u\n", kind, i % ranks, i, i + 1);
	}
}

/* Read it: a trace for each rank, ascending, its rows in their order. */
static void read_ranks(const struct tm_buf *text, const struct tm_reader_ops *ops, unsigned n,
                       unsigned ranks, bool json)
{
	struct tm_diag d = { 0 };
	struct tm_source *src = tm_source_memory("m", text->p, text->n, &d);
	struct tm_reader *r = tm_reader_open(src, ops, TM_EV_ALL, NULL, &d);
	uint64_t rows = 0, last = 0, rank = 0;
	const struct tm_batch *b;
	enum tm_status st;

	CHECK(r != NULL);
	if (!r)
		return;
	CHECK(r->norigins == (ranks > 1 ? ranks : 0) && r->has_rank == (ranks == 1));
	while ((st = tm_reader_next(r, &b, &d)) == TM_ST_OK) {
		if (ranks > 1 && r->origin->id.rank != rank) {
			CHECK(r->origin->id.rank == rank + 1);
			rank++;
			last = 0;
		}
		for (uint32_t i = 0; i < b->n; i++) {
			uint64_t start = b->col[TM_EVC_START][i];

			CHECK(start % ranks == rank && (!last || start > last));
			CHECK((b->kind == TM_EV_COPY) == (start == 5));
			last = start;
			rows++;
		}
	}
	CHECK(st == TM_ST_END && rank + 1 == ranks && rows == n - 1);
	CHECK(r->loss.rows == n - 1 && r->loss.of[TM_LOSS_LINE_MALFORMED].n == 1);
	CHECK(r->loss.of[TM_LOSS_LINE_MALFORMED].at == (json ? 8 : 9));
	for (unsigned i = 0; i < r->norigins; i++)
		CHECK(r->origins[i].loss.of[TM_LOSS_LINE_MALFORMED].n == !i &&
		      r->origins[i].id.rank == i);
	tm_reader_close(r);
	tm_source_close(src);
}

TEST(test_ranks)
{
	static const size_t keep[] = { 64u << 20, 100, 5000 };
	static const unsigned counts[][2] = { { 9, 2 }, { 100, 1 }, { 20000, 3 }, { 5000, 700 } };
	const struct tm_reader_ops *csv = tm_reader_find("tracecat-csv");
	const struct tm_reader_ops *ndjson = tm_reader_find("tracecat-ndjson");
	struct tm_buf b = { 0 };

	for (size_t k = 0; k < sizeof keep / sizeof *keep; k++)
		for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
			for (int json = 0; json < 2; json++) {
				tm_ranked_keep = keep[k];
				write_rows(&b, json, counts[c][0], counts[c][1]);
				read_ranks(&b, json ? ndjson : csv, counts[c][0], counts[c][1],
				           json);
			}
	tm_ranked_keep = keep[0];
	tm_buf_fini(&b);
}

/* No rank at all: one trace. */
TEST(test_no_rank)
{
	static const char text[] = "kind,name,start_ns,end_ns\nkernel,k,1,2\nkernel,k,3,4\n";
	struct tm_diag d = { 0 };
	struct tm_source *src = tm_source_memory("m", text, sizeof text - 1, &d);
	struct tm_reader *r = tm_reader_open(src, NULL, TM_EV_ALL, NULL, &d);
	const struct tm_batch *b;

	CHECK(r && r->ops == tm_reader_find("tracecat-csv") && !r->has_rank && !r->norigins);
	if (!r)
		return;
	CHECK(tm_reader_next(r, &b, &d) == TM_ST_OK && b->n == 2);
	CHECK(tm_reader_next(r, &b, &d) == TM_ST_END && r->loss.rows == 2);
	tm_reader_close(r);
	tm_source_close(src);
}

TEST_MAIN(T(test_ranks), T(test_no_rank))
