/* SPDX-License-Identifier: MIT
 * Windows: what people type, and what it means for a span. */
#include "stream/window.h"

#include "test.h"

#define OPEN                                                                                       \
	{                                                                                          \
		TM_EDGE_OPEN, 0                                                                    \
	}
#define NS(v)                                                                                      \
	{                                                                                          \
		TM_EDGE_NS, v                                                                      \
	}
#define AFT(v)                                                                                     \
	{                                                                                          \
		TM_EDGE_AFTER, v                                                                   \
	}
#define PCT(v)                                                                                     \
	{                                                                                          \
		TM_EDGE_PCT, v                                                                     \
	}

TEST(parsed)
{
	static const struct {
		const char *text;
		struct tm_edge from, to;
	} cases[] = {
		{ "..", OPEN, OPEN },
		{ "100..200", NS(100), NS(200) },
		{ "100..", NS(100), OPEN },
		{ "..200", OPEN, NS(200) },
		{ "1us..2ms", NS(1000), NS(2000000) },
		{ "1.5us..2s", NS(1500), NS(2000000000) },
		{ "7ns..8", NS(7), NS(8) },
		{ "+1.5s..", AFT(1500000000), OPEN },
		{ "+0.000000001s..+0.000000002s", AFT(1), AFT(2) },
		{ "..+10ms", OPEN, AFT(10000000) },
		{ "+1.5min..+0.123456789h", AFT(90000000000), AFT(444444440400) },
		{ "2min..1h", NS(120000000000), NS(3600000000000) },
		{ "25%..75%", PCT(250000), PCT(750000) },
		{ "0%..100%", PCT(0), PCT(1000000) },
		{ "33.3333%..", PCT(333333), OPEN },
		{ "0%..+1s", PCT(0), AFT(1000000000) },
		{ "50%..+1s", PCT(500000), AFT(1000000000) },
		{ "18446744073709551614..18446744073709551615", NS(UINT64_MAX - 1),
		  NS(UINT64_MAX) },
		{ "18446744073.709551615s..", NS(UINT64_MAX), OPEN },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tm_diag d = { 0 };
		struct tm_window w = { 0 };
		bool good = tm_window_parse(&w, cases[i].text, &d);

		if (!good || w.from.kind != cases[i].from.kind || w.from.v != cases[i].from.v ||
		    w.to.kind != cases[i].to.kind || w.to.v != cases[i].to.v) {
			fprintf(stderr, "'%s': %s from %d %" PRIu64 " to %d %" PRIu64 "\n",
			        cases[i].text, d.text, (int)w.from.kind, w.from.v, (int)w.to.kind,
			        w.to.v);
			test_bad++;
		}
	}
}

TEST(refused)
{
	static const char *const cases[] = {
		"",
		"100",
		"100-200",
		"100.200",
		"a..b",
		"..b",
		"1x..",
		"-1..5",
		"+..",
		"+-1..",
		"%..",
		"101%..",
		"100.0001%..",
		"0..-1",
		"1.5..",
		"1.0000000001s..",
		"1.s..",
		".5s..",
		"1 ..2",
		" 1..2",
		"1..2 ",
		"1e3..",
		"0x10..",
		"1m..",
		"18446744073709551616..",
		"18446744073.709551616s..",
		"99999999999999s..",
		"0.00001%..",
		"200..100",
		"75%..25%",
		"+2s..+1s",
		"1..2..3",
		"s..",
		"ns..",
		"nan..",
		"5..5",
		"marker:",
		"marker:/3",
		"marker:a/0",
		"marker",
		"step:",
		"step:x",
		"step:3..2",
		"step:1..2..3",
		"step:-1",
		"step:+1",
		"step:18446744073709551616",
		"step",
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tm_diag d = { 0 };
		struct tm_window w;

		if (tm_window_parse(&w, cases[i], &d) || !d.text[0]) {
			fprintf(stderr, "'%s' is taken for a window\n", cases[i]);
			test_bad++;
		}
	}
}

TEST(resolved)
{
	static const struct {
		const char *text;
		uint64_t first, last, lo, hi;
		bool relative;
	} cases[] = {
		{ "..", 1000, 2000, 0, UINT64_MAX, false },
		{ "5..6", 1000, 2000, 5, 6, false },
		{ "..1500", 1000, 2000, 0, 1500, false },
		{ "25%..75%", 1000, 2000, 1250, 1750, true },
		{ "0%..100%", 1000, 2000, 1000, 2000, true },
		{ "..50%", 1000, 2000, 0, 1500, true },
		{ "+100..", 1000, 2000, 1100, UINT64_MAX, true },
		{ "+100..+5s", 1000, 2000, 1100, 5000001000, true },
		{ "50%..+900", 1000, 2000, 1500, 1900, true },
		/* Neither the product nor the sum runs over. */
		{ "0%..100%", 0, UINT64_MAX, 0, UINT64_MAX, true },
		{ "50%..", 0, UINT64_MAX, UINT64_MAX / 2, UINT64_MAX, true },
		{ "99.9999%..", 1, UINT64_MAX, UINT64_C(18446725626965477905), UINT64_MAX, true },
		{ "+18446744073709551615..", 1000, 2000, UINT64_MAX, UINT64_MAX, true },
		{ "33.3333%..", 0, 3, 0, UINT64_MAX, true },
		{ "10%..90%", 7, 7, 7, 7, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tm_diag d = { 0 };
		struct tm_extent e;
		struct tm_window w;

		CHECK(tm_window_parse(&w, cases[i].text, &d));
		CHECK(tm_window_relative(&w) == cases[i].relative);
		e = tm_window_resolve(&w, cases[i].first, cases[i].last);
		if (e.lo != cases[i].lo || e.hi != cases[i].hi) {
			fprintf(stderr, "'%s' is %" PRIu64 "..%" PRIu64 "\n", cases[i].text, e.lo,
			        e.hi);
			test_bad++;
		}
	}
}

TEST(markers)
{
	static const struct {
		const char *text, *name;
		uint64_t index;
	} cases[] = {
		{ "marker:forward", "forward", 0 },
		{ "marker:forward/3", "forward", 3 },
		{ "marker:a/b", "a/b", 0 },
		/* A text that ends like an index needs one. */
		{ "marker:layer/2/1", "layer/2", 1 },
		{ "marker:a/", "a/", 0 },
		{ "marker:a/1x", "a/1x", 0 },
		{ "marker:1..2", "1..2", 0 },
		{ "marker:step:7, rank 0", "step:7, rank 0", 0 },
		{ "marker:a/18446744073709551615", "a", UINT64_MAX },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tm_diag d = { 0 };
		struct tm_window w;

		CHECK(tm_window_parse(&w, cases[i].text, &d));
		CHECK(w.kind == TM_WINDOW_LAUNCHED && tm_window_relative(&w));
		CHECK_U64(w.name_len, strlen(cases[i].name));
		CHECK(!strncmp(w.name, cases[i].name, w.name_len));
		CHECK_U64(w.index, cases[i].index);
	}
}

TEST(steps)
{
	static const struct {
		const char *text;
		uint64_t first, last;
	} cases[] = {
		{ "step:5", 5, 5 },   { "step:0..3", 0, 3 }, { "step:3..", 3, UINT64_MAX },
		{ "step:..3", 0, 3 }, { "step:7..7", 7, 7 }, { "step:..", 0, UINT64_MAX },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tm_diag d = { 0 };
		struct tm_window w;

		CHECK(tm_window_parse(&w, cases[i].text, &d));
		CHECK(w.kind == TM_WINDOW_STEPS && tm_window_relative(&w));
		CHECK_U64(w.first, cases[i].first);
		CHECK_U64(w.last, cases[i].last);
	}
}

TEST_MAIN(T(markers), T(steps), T(parsed), T(refused), T(resolved))
