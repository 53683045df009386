/* SPDX-License-Identifier: MIT
 * One row of CSV: known cases, then laws on random tables, then libcsv as the other opinion. */
#include "read/csv/csv_row.h"

#include "base/buf.h"

#include "test.h"

#include <csv.h>
#include <time.h>

enum { MAXCOL = 16, MAXROW = 64 };

/* Tables by their fixed columns: W word, N number, T the free text. */
static struct csv_shape shape_of(const char *cols, bool escaped)
{
	static unsigned char type[4][MAXCOL];
	static unsigned turn;
	struct csv_shape s = { .ncols = (uint32_t)strlen(cols), .text = -1, .escaped = escaped };
	unsigned char *t = type[turn++ % 4];

	for (uint32_t i = 0; i < s.ncols; i++) {
		t[i] = cols[i] == 'N' ? CSV_NUMBER : CSV_WORD;
		if (cols[i] == 'T')
			s.text = (int32_t)i;
	}
	s.type = t;
	return s;
}

/* A whole input split into one line of text per verdict: "row[a|b|c]", "mend[...]", "bad", "cut",
 * "blank".  The input is copied to exactly its size, so that a sanitizer sees a read past it. */
static const char *split_all(const struct csv_shape *s, const char *text, size_t n)
{
	static struct tm_buf out;
	struct csv_memo memo = { 0 };
	struct csv_field f[MAXCOL];
	unsigned char *p = malloc(n ? n : 1);
	uint64_t lines = 0, want = 0;
	size_t at = 0;

	memcpy(p, text, n);
	tm_buf_clear(&out);
	while (at < n) {
		size_t next = 0;
		uint64_t l = 0;
		enum csv_verdict v = tm_csv_row_split(s, &memo, at, p + at, n - at, true, f, &next,
		                                      &l);

		if (!next || next > n - at || v == CSV_MORE) {
			tm_buf_str(&out, "STUCK");
			break;
		}
		lines += l;
		if (out.n)
			tm_buf_chr(&out, ' ');
		tm_buf_str(&out, v == CSV_ROW         ? "row["
		                 : v == CSV_RECOVERED ? "mend["
		                 : v == CSV_JOINED    ? "join["
		                 : v == CSV_BAD       ? "bad"
		                 : v == CSV_CUT       ? "cut"
		                 : v == CSV_UNENDED   ? "open"
		                                      : "blank");
		for (uint32_t i = 0; v <= CSV_JOINED && i < s->ncols; i++) {
			unsigned char *t = malloc(f[i].n + 1);

			tm_buf_add(&out, t, tm_csv_unquote(&f[i], t));
			tm_buf_chr(&out, i + 1 < s->ncols ? '|' : ']');
			free(t);
		}
		at += next;
	}
	for (size_t i = 0; i < n; i++)
		want += p[i] == '\n';
	CHECK_U64(lines, want);
	free(p);
	return out.p ? out.p : "";
}

#define SPLIT(cols, text, want)                                                                    \
	do {                                                                                       \
		struct csv_shape s_ = shape_of(cols, false);                                       \
		CHECK_STR(split_all(&s_, text, sizeof(text) - 1), want);                           \
	} while (0)

#define SPLIT_RFC(cols, text, want)                                                                \
	do {                                                                                       \
		struct csv_shape s_ = shape_of(cols, true);                                        \
		CHECK_STR(split_all(&s_, text, sizeof(text) - 1), want);                           \
	} while (0)

TEST(clean_rows)
{
	SPLIT("WNTNN", "\"K\",1,\"f(int)\",5,6\n", "row[K|1|f(int)|5|6]");
	SPLIT("WNTNN", "K,1,f,5,6\r\nK,2,g,7,8\r\n", "row[K|1|f|5|6] row[K|2|g|7|8]");
	SPLIT("WNTNN", "\"K\",\"1\",\"f\",\"5\",\"6\"\r\n", "row[K|1|f|5|6]");
	SPLIT("WNTNN", "K,1,\"f\",5,6\r", "row[K|1|f|5|6]");
	SPLIT("WNTNN", "\nK,1,\"\",,-1.5e-3\n\r\n", "blank row[K|1|||-1.5e-3] blank");
	SPLIT("WNTNN", "K,1,\"two\nlines\",5,6\n", "row[K|1|two\nlines|5|6]");
	SPLIT("TNN", "\"a, b\",5,nan\n", "row[a, b|5|nan]");
	SPLIT("NT", "1,\"a\nb\"\n2,\"c\"\n", "row[1|a\nb] row[2|c]");
	SPLIT("N", "1\n\n2\n", "row[1] blank row[2]");
	SPLIT("WN", "\"Agent 4\",0x7f\n,None\n", "row[Agent 4|0x7f] row[|None]");
	SPLIT("NN", "-nan,inf\n1,-INF\n", "row[-nan|inf] row[1|-INF]");
}

/* Without its newline a row counts only where nothing can be missing from its last column. */
TEST(rows_without_newline)
{
	SPLIT("WNTNN", "K,1,\"f\",5,6", "open");
	SPLIT("WNTNN", "K,1,\"k<\"a\",1>\",5,6", "open");
	SPLIT("WNTNN", "K,1,f,5,None", "open");
	SPLIT("WNTNN", "K,1,\"f\",5,\"6\"", "row[K|1|f|5|6]");
	SPLIT("WNTNN", "K,1,\"f\",5,\"\"", "row[K|1|f|5|]");
	SPLIT("WNTNN", "K,1,\"f\",5,\"6", "cut");
	SPLIT("WNTNN", "K,1,\"f\",5,\"6\"\r", "row[K|1|f|5|6]");
	SPLIT("NW", "1,\"Agent 4\"", "row[1|Agent 4]");
	SPLIT("NW", "1,Agent", "open");
	/* The quote at the end may be the name's own, or half of a doubled one. */
	SPLIT("NT", "1,\"a\"", "open");
	SPLIT_RFC("NT", "1,\"a\"", "open");
	SPLIT("N", "1\n2", "row[1] open");
}

/* A bare number that is known to have all its digits. */
TEST(whole_numbers)
{
	struct csv_shape time = shape_of("NTNN", false), real = shape_of("TNN", false);
	const struct {
		const char *text, *want;
	} times[] = {
		{ "1,\"f\",1520113899682208,1520113901495882", "row[1|f|1520113899682208|1520113901495882]" },
		{ "1,\"f\",1520113899682208,1520113899682208", "row[1|f|1520113899682208|1520113899682208]" },
		{ "1,\"f\",1520113899682208,152011390149588", "open" },
		{ "1,\"f\",1520113899682208,1520113899682207", "open" },
		{ "1,\"f\",1520113899682208,1520113901495.25", "open" },
		/* Soon after boot an end without its last digit may still be after its start. */
		{ "1,\"f\",100000000000,105000000000", "open" },
		{ "1,\"f\",9520113899682208,10520113901495882", "open" },
	}, reals[] = {
		{ "\"f\",1,99315857.546240", "row[f|1|99315857.546240]" },
		{ "\"f\",1,0.00000000e+00", "row[f|1|0.00000000e+00]" },
		{ "\"f\",1,99315857.54624", "open" },
		{ "\"f\",1,0.00000000e+0", "open" },
		{ "\"f\",1,0.00000000e+", "cut" },
		{ "\"f\",1,0.00000000", "open" },
		{ "\"f\",1,0.000000", "open" },
		{ "\"f\",1,1.414213", "open" },
		{ "\"f\",1,0.000001", "row[f|1|0.000001]" },
		{ "\"f\",1,14.142135", "row[f|1|14.142135]" },
		{ "\"f\",1,12", "open" },
		{ "\"f\",1,.123456", "open" },
	};

	time.last = LAST_TIME;
	time.start = 2;
	real.last = LAST_DECIMALS;
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		CHECK_STR(split_all(&time, times[i].text, strlen(times[i].text)), times[i].want);
	for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
		CHECK_STR(split_all(&real, reals[i].text, strlen(reals[i].text)), reals[i].want);
}

TEST(unescaped_quotes)
{
	SPLIT("WNTNN", "K,1,\"k<\"a\",1>(int)\",5,6\n", "mend[K|1|k<\"a\",1>(int)|5|6]");
	SPLIT("WNTNN", "K,1,\"f<\"\">\",5,6\n", "row[K|1|f<\"\">|5|6]");
	SPLIT("WNTNN", "K,1,\"a\",b\",\"c\",5,6\n", "mend[K|1|a\",b\",\"c|5|6]");
	SPLIT("WNTNN", "K,1,\"ends\"\",5,6\n", "row[K|1|ends\"|5|6]");
	SPLIT("WNTNN", "K,1,\"\"begins\",5,6\n", "row[K|1|\"begins|5|6]");
	SPLIT("WNTNN", "K,1,\"\"\",5,6\n", "row[K|1|\"|5|6]");
	SPLIT("WNTNN", "K,1,\"\",\"\",5,6\n", "mend[K|1|\",\"|5|6]");
	SPLIT("WNTNN", "K,1,\"x\",5\",5,6\n", "mend[K|1|x\",5|5|6]");
	SPLIT("WNTNN", "K,1,\"q\"\ntext\",5,6\nK,2,\"g\",7,8\n",
	      "mend[K|1|q\"\ntext|5|6] row[K|2|g|7|8]");
	SPLIT("WNTNN", "K,1,\"q\"\n\",5,6\n", "mend[K|1|q\"\n|5|6]");
	SPLIT("TN", "\"a\",b\",\"c\",5\n", "mend[a\",b\",\"c|5]");
	SPLIT("NT", "5,\"a\",b\",\"c\"\n", "mend[5|a\",b\",\"c]");
	SPLIT("TN", "\"<barrier packet>\",5\n\"\"quoted\"\",6\n",
	      "row[<barrier packet>|5] row[\"quoted\"|6]");
	/* Names with commas and without quotes: rocprof before ROCm 5.2. */
	SPLIT("TNN", "foo<int, 2>(a, b),5,6\n", "mend[foo<int, 2>(a, b)|5|6]");
	SPLIT_RFC("WNTNN", "K,1,\"k<\"\"a\"\",1>\",5,6\n", "row[K|1|k<\"a\",1>|5|6]");
	SPLIT_RFC("WNTNN", "K,1,\"\"\"\",5,6\n", "row[K|1|\"|5|6]");
	SPLIT_RFC("WNTNN", "K,1,\"k<\"a\",1>\",5,6\n", "mend[K|1|k<\"a\",1>|5|6]");
	SPLIT_RFC("TN", "\"x\n\"\"y\"\"\",6\n", "row[x\n\"y\"|6]");
}

TEST(rows_that_do_not_fit)
{
	SPLIT("WNTNN", "K,1,\"f\",5\nK,2,\"g\",7,8\n", "bad row[K|2|g|7|8]");
	SPLIT("WNTNN", "K,1,\"f\",5,6,7\nK,2,\"g\",7,8\n", "bad row[K|2|g|7|8]");
	SPLIT("WNTNN", "K,x,\"f\",5,6\nK,2,\"g\",7,8\n", "bad row[K|2|g|7|8]");
	SPLIT("WNTNN", "K,1,\"f\",5,6x\nK,2,\"g\",7,8\n", "bad row[K|2|g|7|8]");
	SPLIT("WNTNN", "\"K,L\",1,\"f\",5,6\nK,2,\"g\",7,8\n", "bad row[K|2|g|7|8]");
	SPLIT("WNTNN", "a\"b,1,\"f\",5,6\nK,2,\"g\",7,8\n", "bad row[K|2|g|7|8]");
	SPLIT("WNTNN", "some other line\n\nK,2,\"g\",7,8\n", "bad blank row[K|2|g|7|8]");
	/* Without a free text one line is one row, whatever it holds. */
	SPLIT("WN", "\"a\nb\",1\nc,2\n", "bad bad row[c|2]");
	SPLIT("WN", "\"a\"b\",1\nc,2\nd", "bad row[c|2] cut");
}

TEST(joined_rows)
{
	/* The next row begins with a quote, or with a word after a number: both rows are known. */
	SPLIT("WNTNN", "\"K\",1,\"f\",5,6\"K\",2,\"g\",7,8\n\"K\",3,\"h\",7,8\n",
	      "join[K|1|f|5|6] row[K|2|g|7|8] row[K|3|h|7|8]");
	SPLIT("WNTNN", "K,1,\"f\",5,6K,2,\"g\",7,8\n", "join[K|1|f|5|6] row[K|2|g|7|8]");
	SPLIT("WNTNN", "K,1,f,5,6.50K,2,g,7,8\r\n", "join[K|1|f|5|6.50] row[K|2|g|7|8]");
	SPLIT("WTNNN", "\"M\",\"f\",1,5,6\"M\",\"g\",2,7,8\n", "join[M|f|1|5|6] row[M|g|2|7|8]");
	SPLIT("TNNNN", "\"f\",1,5,6,7.0\"g\",2,7,8,9e-02\n",
	      "join[f|1|5|6|7.0] row[g|2|7|8|9e-02]");
	SPLIT("TNNN", "f,1,5,6g,2,7,8\n", "join[f|1|5|6] row[g|2|7|8]");
	SPLIT("WNNW", "\"C\",1,2,\"x\"\"C\",3,4,\"y\"\n", "join[C|1|2|x] row[C|3|4|y]");
	SPLIT("WTNN", "\"M\",\"f<\"a\",1>\",5,6\"M\",\"g\",7,8\n",
	      "join[M|f<\"a\",1>|5|6] row[M|g|7|8]");
	SPLIT_RFC("WNTNN", "\"K\",1,\"f\"\"\",5,6\"K\",2,\"g\",7,8\n",
	          "join[K|1|f\"|5|6] row[K|2|g|7|8]");
	/* Three and more. */
	SPLIT("WNTNN", "\"K\",1,\"f\",5,6\"K\",2,\"g\",7,8\"K\",3,\"h\",9,9\n",
	      "join[K|1|f|5|6] join[K|2|g|7|8] row[K|3|h|9|9]");
	SPLIT("NTNN", "1,f,2,3,g,4,5,h,6,7\n", "join[1|f|2|] join[|g|4|] row[|h|6|7]");
	/* Two numbers that are one now. */
	SPLIT("NNTNN", "1,2,\"f\",5,61,2,\"g\",7,8\n", "join[1|2|f|5|] row[|2|g|7|8]");
	SPLIT("NNTNN", "1,2,f,5,6.51,2,g,7,8\n", "join[1|2|f|5|] row[|2|g|7|8]");
	SPLIT("NNNN", "1,2,3,45,6,7,8\n", "join[1|2|3|] row[|6|7|8]");
	SPLIT("WNNN", "K,2,3,4e5K,6,7,8\n", "bad");
	SPLIT("TNNN", "f,1,5,6e5,2,7,8\n", "mend[f,1,5,6e5|2|7|8]");
	/* The first was cut: in its text, after it, in its head. */
	SPLIT("WTNNN", "\"MARK\",\"f(in\"MARK\",\"g\",2,7,8\n", "bad row[MARK|g|2|7|8]");
	SPLIT("WTNNN", "\"MARK\",\"f\",1,5\"MARK\",\"g\",2,7,8\n", "bad row[MARK|g|2|7|8]");
	SPLIT("WTNNN", "\"MARK\",\"f\",1,5,\"MARK\",\"g\",2,7,8\n", "bad row[MARK|g|2|7|8]");
	SPLIT("WTNNN", "\"MA\"MARK\",\"g\",2,7,8\n", "bad row[MARK|g|2|7|8]");
	SPLIT("TNNNN", "\"f\",1,5,6\"g\",2,7,8,9\n", "bad row[g|2|7|8|9]");
	SPLIT("TNNNN", "\"f\",1\"g\",2,7,8,9\n", "bad row[g|2|7|8|9]");
	/* These are names that hold quotes, as before. */
	SPLIT("WTNNN", "\"MARK\",\"say \"YES\",\"please\",2,7,8\n",
	      "mend[MARK|say \"YES\",\"please|2|7|8]");
	SPLIT("TNNNN", "\"f<\"x\"g\",2,7,8,9\n", "row[f<\"x\"g|2|7|8|9]");
	SPLIT("TNNNN", "\"f<\"x\",5,\"g\">\",2,7,8,9\n", "mend[f<\"x\",5,\"g\">|2|7|8|9]");
	SPLIT("TNN", "\"f\",1,2\"g\",3,4\n", "mend[f\",1,2\"g|3|4]");
}

TEST(cut_rows)
{
	/* Cut in the text, the next row on its own line. */
	SPLIT("WNTNN", "K,1,\"f(in\nK,2,\"g\",7,8\n", "bad row[K|2|g|7|8]");
	SPLIT("TN", "\"f(in\n\"g\",7\n", "bad row[g|7]");
	SPLIT("WNTNN", "\"K\",1,\"f<\"a\",\n\"K\",2,\"g\",7,8\n", "bad row[K|2|g|7|8]");
	/* A line that looks like a head but quotes its words otherwise is text. */
	SPLIT("WTN", "\"M\",\"say\na,\"b\" twice\",7\n", "row[M|say\na,\"b\" twice|7]");
	/* Cut in the head. */
	SPLIT("WNTNN", "K,\nK,2,\"g\",7,8\n", "bad row[K|2|g|7|8]");
	/* Run together without a newline. */
	SPLIT("WNTNN", "K,1K,2,\"g\",7,8\nK,3,\"h\",7,8\n", "bad row[K|3|h|7|8]");
	SPLIT("WNNNTNN", "\"K\",1,2,3,\"f(in\"K\",1,2,3,\"g\",7,8\n\"K\",4,5,6,\"h\",7,8\n",
	      "bad row[K|1|2|3|g|7|8] row[K|4|5|6|h|7|8]");
	/* Where the number of the cut row ends, and that of the next begins, nothing tells. */
	SPLIT("NNNNTNN", "1,1,2,3,\"f(in1,1,2,3,\"g\",7,8\n4,4,5,6,\"h\",7,8\n",
	      "bad row[|1|2|3|g|7|8] row[4|4|5|6|h|7|8]");
	/* The last row. */
	SPLIT("WNTNN", "K,1,\"f\",5,6\nK,2,\"g", "row[K|1|f|5|6] cut");
	SPLIT("WNTNN", "K,1,\"f\",5,6\nK,2,\"g\n", "row[K|1|f|5|6] cut");
	SPLIT("WNTNN", "K,2,\"g\",7,", "cut");
	SPLIT("WNTNN", "K,2,\"g\",7,1e", "cut");
	SPLIT("WNTNN", "\"K", "cut");
	SPLIT("WNTNN", "K,2,\"k<\"a\",1>(int, fl", "cut");
}

/* Anything may follow: only a whole input, or the next head, decides. */
TEST(more_bytes)
{
	static const char text[] = "K,1,\"k<\"a\",\n1>\",5,6\r\nK,2,\"g\",7,8\n";
	struct csv_shape s = shape_of("WNTNN", false);

	for (size_t cut = 1; cut < sizeof text; cut++) {
		struct csv_memo memo = { 0 };
		struct csv_field f[MAXCOL];
		unsigned char *p = malloc(cut);
		uint64_t lines;
		size_t next;
		enum csv_verdict v;

		memcpy(p, text, cut);
		v = tm_csv_row_split(&s, &memo, 0, p, cut, false, f, &next, &lines);
		CHECK(v == (cut < 21 ? CSV_MORE : CSV_RECOVERED));
		CHECK_U64(next, cut < 21 ? 0 : 21);
		free(p);
	}
}

/* ------------------------------------------------------------------------ */

static uint64_t rng = 88172645463325252u;

static uint32_t roll(uint32_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 32) % n;
}

/* Free text, made of what hurts.  `wild` allows newlines and quotes next to anything. */
static void random_text(struct tm_buf *b, bool wild)
{
	static const char *const part[] = { "k",    "<",  ">",        "(int)", " ",   "::f",
		                            "7",    ",5", "\xc3\xa9", "\"",    "\",", ",\"",
		                            "\"\"", "\n", "\"\n",     "\r",    "K," };
	uint32_t n = roll(8);

	tm_buf_clear(b);
	while (n--)
		tm_buf_str(b, part[roll(wild ? 17 : 9)]);
	if (!b->p)
		tm_buf_str(b, "");
}

/* Would a reader of raw text be deceived by this name?  The rule can be fooled by a name that holds
 * a whole end of a row, or a whole beginning at a line of its own. */
static bool deceives(const char *t)
{
	for (const char *q = strchr(t, '"'); q; q = strchr(q + 1, '"')) {
		const char *e = q + 1;
		int cols = 0;

		while (*e == ',') {
			e += 1 + strspn(e + 1, "0123456789");
			cols++;
		}
		/* An empty number and a quote may close a column, too: keep well away. */
		if (cols >= 3 && (*e == '\n' || *e == '\r' || *e == '"' || !*e))
			return true;
		if (cols && *e == '"')
			return true;
	}
	for (const char *l = strchr(t, '\n'); l; l = strchr(l + 1, '\n')) {
		const char *e = l + 1 + strcspn(l + 1, "\",\n");

		if (*e == ',')
			e += 1 + strspn(e + 1, "\"0123456789");
		if (*e == ',' && (!e[1] || e[1] == '"'))
			return true;
	}
	return false;
}

static void put_text(struct tm_buf *b, const char *t, size_t n, bool escaped)
{
	tm_buf_chr(b, '"');
	for (size_t i = 0; i < n; i++) {
		if (t[i] == '"' && escaped)
			tm_buf_chr(b, '"');
		tm_buf_chr(b, t[i]);
	}
	tm_buf_chr(b, '"');
}

/* A random table WNTNNN and what split_all() has to say of it, but for "row" or "mend". */
static void random_table(struct tm_buf *in, struct tm_buf *want, bool escaped, bool wild,
                         size_t *last)
{
	struct tm_buf t = { 0 };
	uint32_t rows = 1 + roll(5);

	tm_buf_clear(in);
	tm_buf_clear(want);
	for (uint32_t i = 0; i < rows; i++) {
		uint32_t a = roll(100), b = roll(100000), c = roll(5), d = 1 + roll(9);

		do {
			random_text(&t, wild);
		} while (!escaped && deceives(t.p));
		*last = in->n;
		tm_buf_fmt(in, "K,%u,", a);
		put_text(in, t.p, t.n, escaped);
		tm_buf_fmt(in, ",%u,%u,%u%s", b, c, d, roll(4) ? "\n" : "\r\n");
		tm_buf_fmt(want, "%s[K|%u|", i ? " " : "", a);
		tm_buf_add(want, t.p, t.n);
		tm_buf_fmt(want, "|%u|%u|%u]", b, c, d);
	}
	tm_buf_fini(&t);
}

/* split_all() without the verdict words of good rows. */
static void strip_words(struct tm_buf *out, const char *s)
{
	tm_buf_clear(out);
	while (*s) {
		if (!strncmp(s, "row[K|", 6) || !strncmp(s, "mend[K|", 7))
			s = strchr(s, '[');
		tm_buf_chr(out, *s++);
	}
}

TEST(random_tables)
{
	struct tm_buf in = { 0 }, want = { 0 }, got = { 0 };
	size_t last;

	for (int i = 0; i < 40000 && !test_bad; i++) {
		bool escaped = i & 1;
		struct csv_shape s = shape_of("WNTNNN", escaped);

		random_table(&in, &want, escaped, true, &last);
		strip_words(&got, split_all(&s, in.p, in.n));
		CHECK_STR(got.p, want.p);
	}
	tm_buf_fini(&in);
	tm_buf_fini(&want);
	tm_buf_fini(&got);
}

/* A file that ends anywhere in its last row: the rows before are what they were, and the rest is
 * never a row before its newline begins, unless its last number stands in quotes. */
TEST(random_cuts)
{
	struct tm_buf in = { 0 }, want = { 0 }, before = { 0 };
	size_t last;

	for (int i = 0; i < 3000 && !test_bad; i++) {
		struct csv_shape s = shape_of("WNTNNN", i & 1);

		random_table(&in, &want, i & 1, true, &last);
		tm_buf_clear(&before);
		tm_buf_str(&before, split_all(&s, in.p, last));
		for (size_t cut = last + 1; cut < in.n && !test_bad; cut++) {
			const char *got = split_all(&s, in.p, cut);
			size_t n = before.n;

			CHECK(!strncmp(got, before.p, n));
			got += n + (n > 0);
			/* After a newline in the name, its first line can be a short row. */
			CHECK(!strcmp(got, "cut") || !strcmp(got, "open") ||
			      in.p[cut - 1] == '\r' || in.p[cut - 1] == '"' ||
			      memchr(in.p + last, '\n', cut - last));
		}
	}
	tm_buf_fini(&in);
	tm_buf_fini(&want);
	tm_buf_fini(&before);
}

/* Any bytes: progress, no read outside, lines add up (split_all checks), linear time. */
TEST(random_bytes)
{
	static const char part[] = "K,1\"\"\"\n\n,,5ax\r";
	char text[200];

	for (int i = 0; i < 100000 && !test_bad; i++) {
		size_t n = roll(sizeof text);
		struct csv_shape s = shape_of(i & 2 ? "WNTNN" : i & 4 ? "TN" : "NNNNTNN", i & 1);

		for (size_t j = 0; j < n; j++)
			text[j] = part[roll(sizeof part - 1)];
		CHECK(!strstr(split_all(&s, text, n), "STUCK"));
	}
}

/* ------------------------------------------------------------------------ */

/* libcsv, told to neither trim blanks nor end rows at a bare carriage return. */
static struct tm_buf other;
static int is_cr(unsigned char c)
{
	return c == '\r';
}

static int is_lf(unsigned char c)
{
	return c == '\n';
}

static void other_field(void *p, size_t n, void *first)
{
	tm_buf_chr(&other, *(int *)first ? '[' : '|');
	*(int *)first = 0;
	tm_buf_add(&other, p, n);
}

static void other_row(int c, void *first)
{
	(void)c;
	tm_buf_str(&other, "] ");
	*(int *)first = 1;
}

TEST(same_as_libcsv_on_well_formed_input)
{
	struct tm_buf in = { 0 }, want = { 0 }, got = { 0 };
	size_t last;

	for (int i = 0; i < 20000 && !test_bad; i++) {
		struct csv_shape s = shape_of("WNTNNN", true);
		struct csv_parser parser;
		int first = 1;

		random_table(&in, &want, true, true, &last);
		csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
		csv_set_space_func(&parser, is_cr);
		csv_set_term_func(&parser, is_lf);
		tm_buf_clear(&other);
		CHECK_U64(csv_parse(&parser, in.p, in.n, other_field, other_row, &first), in.n);
		CHECK(csv_fini(&parser, other_field, other_row, &first) == 0);
		csv_free(&parser);
		strip_words(&got, split_all(&s, in.p, in.n));
		tm_buf_chr(&got, ' ');
		CHECK_STR(got.p, other.p);
	}
	tm_buf_fini(&in);
	tm_buf_fini(&want);
	tm_buf_fini(&got);
	tm_buf_fini(&other);
}

/* ------------------------------------------------------------------------ */

/* Crafted to make every row search far: 16 MB each, and the time of a few passes over it. */
TEST(linear_on_hostile_input)
{
	static const struct {
		const char *cols, *line;
		bool escaped;
	} cases[] = {
		{ "WNTNN", "K,1,\"abc\n", false },
		{ "WNTNN", "K,1,\"abc\n", true },
		{ "WNTNN", "K,1,\"abc\",5\n", false },
		{ "TN", "\"\n", false },
		{ "TN", "\"\"\"\n", true },
		{ "TN", "\"\",\"\n", true },
		{ "TN", "x\n", false },
		{ "WNTNN", "K,1,\"a\"\nx\n", false },
		{ "NNNNTNN", "1,2,3,4,\",\",\",\",\",", false },
		{ "NNNNTNN", "1,2,3,4,\"", false },
		{ "NNNNTNN", ",,,,\"\n", false },
		{ "WNTNN", "K,1,\"a\n\"K\",1,\"b\n", false },
	};
	size_t n = 16u << 20, big = 40u << 20;
	unsigned char *p = malloc(big);

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct csv_shape s = shape_of(cases[c].cols, cases[c].escaped);
		struct csv_memo memo = { 0 };
		struct csv_field f[MAXCOL];
		size_t len = strlen(cases[c].line), at = 0, next;
		uint64_t lines;
		clock_t t = clock();

		for (size_t i = 0; i < n; i++)
			p[i] = (unsigned char)cases[c].line[i % len];
		for (; at < n; at += next) {
			tm_csv_row_split(&s, &memo, at, p + at, n - at, true, f, &next, &lines);
			CHECK(next > 0);
			if (!next)
				break;
		}
		if (clock() - t > 20 * CLOCKS_PER_SEC) {
			fprintf(stderr, "case %zu took %ld s\n", c,
			        (long)((clock() - t) / CLOCKS_PER_SEC));
			test_bad++;
		}
	}

	/* A line past the limit is one bad row, however it is handed out. */
	{
		struct csv_shape s = shape_of("WNTNN", false);
		struct csv_memo memo = { 0 };
		struct csv_field f[MAXCOL];
		uint64_t lines;
		size_t next;

		memset(p, 'x', big);
		memcpy(p, "K,1,\"", 5);
		p[big - 20] = '\n';
		memcpy(p + big - 19, "K,1,\"f\",5,6\n", 12);
		CHECK(tm_csv_row_split(&s, &memo, 0, p, 1000, false, f, &next, &lines) == CSV_MORE);
		CHECK(tm_csv_row_split(&s, &memo, 0, p, CSV_ROW_MAX, false, f, &next, &lines) ==
		      CSV_BAD);
		CHECK_U64(next, CSV_ROW_MAX);
		CHECK(tm_csv_row_split(&s, &memo, next, p + next, 1000, false, f, &next, &lines) ==
		      CSV_BLANK);
		CHECK_U64(next, 1000);
		next += CSV_ROW_MAX;
		CHECK(tm_csv_row_split(&s, &memo, next, p + next, big - next, true, f, &next,
		                       &lines) == CSV_BLANK);
		CHECK_U64(lines, 1);
		CHECK(tm_csv_row_split(&s, &memo, big - 19, p + big - 19, 19, true, f, &next,
		                       &lines) == CSV_ROW);
	}
	free(p);
}

TEST_MAIN(T(clean_rows), T(rows_without_newline), T(whole_numbers), T(unescaped_quotes),
          T(rows_that_do_not_fit), T(joined_rows), T(cut_rows), T(more_bytes), T(random_tables),
          T(random_cuts), T(random_bytes), T(same_as_libcsv_on_well_formed_input),
          T(linear_on_hostile_input))
