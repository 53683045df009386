/* SPDX-License-Identifier: MIT
 * The row scanners: known rows, then random tables whose answer is known because they were made
 * here, wherever they lie in memory and however they are cut.  Every variant against every other,
 * tm_csv_row_split and libcsv. */
#include "tests/fuzz/scan_diff.h"

#include "test.h"

#ifndef NO_LIBCSV
#include <csv.h>
#endif
#include <inttypes.h>

/* One in PART of the random tables: an emulator is slow. */
#ifndef PART
#define PART 1
#endif

static uint64_t rng = 0x2545f4914f6cdd1du;

static uint32_t roll(uint32_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 32) % n;
}

#define KERNELS                                                                                    \
	"WANNKTNNN" /* Kind, Agent, Queue, Dispatch, Kernel_Id, Kernel_Name, three numbers */

static const struct diff_plan plain = { .cols = KERNELS, .want = UINT64_MAX };

/* All variants read `in`; each must say `want`, or what tm_csv_row_split says with `want` NULL.
 * Where tm_csv_row_split then gives up a row, or mends one of which not all columns are wanted, a
 * part of it may look plain to a scanner, which does not look at what nobody wants: there the
 * scanners need only agree among themselves.  Returns how many rows the scanners took. */
static uint64_t all_say(const struct diff_plan *plan, const char *in, size_t n, const char *want)
{
	struct tm_buf first = { 0 }, out = { 0 };
	uint64_t fast = 0;

	diff_read(plan, 0, (const unsigned char *)in, n, &first);
	if (want)
		CHECK_STR(first.p, want);
	if (!want &&
	    (memmem(first.p, first.n, " bad\n", 5) || (diff_recovered && plan->want != UINT64_MAX)))
		diff_read(plan, 1, (const unsigned char *)in, n, &first);
	for (size_t v = 1; v < DIFF_VARIANTS; v++) {
		if (!diff_can_run(v))
			continue;
		fast = diff_read(plan, v, (const unsigned char *)in, n, &out);
		if (out.n == first.n && !memcmp(out.p, first.p, out.n))
			continue;
		test_bad++;
		fprintf(stderr, "%s%s on\n%.*s\nsays\n%s--- not\n%s", diff_variants[v].name,
		        plan->escaped ? ", escaped," : "", (int)(n < 2000 ? n : 2000), in, out.p,
		        first.p);
	}
	tm_buf_fini(&first);
	tm_buf_fini(&out);
	return fast;
}

#define SAY(plan, in, want, rows) CHECK_U64(all_say(plan, in, sizeof(in) - 1, want), rows)

/* The same where it does not matter who reads the rows. */
#define SAME(plan, in, want) all_say(plan, in, sizeof(in) - 1, want)

TEST(plain_rows)
{
	SAY(&plain, "\"K\",\"Agent 4\",1,2,3,\"f(int)\",10,20,30\n",
	    "1|K|4|1|2|3|f(int)|10|20|30\n", 1);
	SAY(&plain, "K,4,1,2,3,\"a, b\",10,20,30\r\nK,4,1,2,3,\"c\",10,20,18446744073709551615\r\n",
	    "1|K|4|1|2|3|a, b|10|20|30\n2|K|4|1|2|3|c|10|20|18446744073709551615\n", 2);
	/* A newline inside a name counts. */
	SAME(&plain, "K,1,1,2,3,\"two\nlines\",10,20,30\nK,1,1,2,3,\"f\",1,2,3\n",
	     "1|K|1|1|2|3|two\nlines|10|20|30\n3|K|1|1|2|3|f|1|2|3\n");
	/* GPU 0 and CPU 1 are 1 << 32 and 2 << 32 | 1. */
	SAY(&plain, "K,\"GPU 0\",1,2,3,\"f\",1,2,3\nK,\"CPU 1\",1,2,3,\"f\",1,2,3\n",
	    "1|K|4294967296|1|2|3|f|1|2|3\n2|K|8589934593|1|2|3|f|1|2|3\n", 2);
}

/* What is not plain must be left to tm_csv_row_split: the same answer, no row by the scanner. */
TEST(rows_that_are_not_plain)
{
	SAY(&plain, "K,4,1,2,3,\"k<\"a\",1>\",10,20,30\n", "1|K|4|1|2|3|k<\"a\",1>|10|20|30\n", 0);
	SAY(&plain, "K,4,1,2,3,bare,10,20,30\n", "1|K|4|1|2|3|bare|10|20|30\n", 0);
	SAY(&plain, "K,,1,2,3,\"f\",10,20,30\n", "1|K|-|1|2|3|f|10|20|30\n", 0);
	SAY(&plain, "K,\"\",1,2,3,\"f\",10,20,30\n", "1|K|-|1|2|3|f|10|20|30\n", 0);
	SAY(&plain, "K,x,1,2,3,\"f\",10,20,30\n", "1|K|-|1|2|3|f|10|20|30\n", 0);
	SAY(&plain, "K,4,\"1\",2,3,\"f\",10,20,30\n", "1|K|4|1|2|3|f|10|20|30\n", 0);
	SAY(&plain, "K,4,1.0,2,3,\"f\",10,0x10,30\n", "1|K|4|1|2|3|f|10|16|30\n", 0);
	SAY(&plain, "K,4,1,2,3,\"f\",10,20,18446744073709551616\n", "1|K|4|1|2|3|f|10|20|-\n", 0);
	SAY(&plain, "K,4,1,2,3,\"f\",10,20,-1\n", "1|K|4|1|2|3|f|10|20|-\n", 0);
	SAY(&plain, "K,4,1,2,3,\"f\",10,20\n", "1 bad\n", 0);
	SAY(&plain, "K,4,1,2,3,\"f\",10,20,30,40\n", "1 bad\n", 0);
	SAY(&plain, "K,4,1,2,\"f\",10,20,30\n", "1 bad\n", 0);
	SAY(&plain, "K,4,1,2,3,\"f\",10,20,30", "1 open\n", 0);
	SAY(&plain, "K,4,1,2,3,\"f\",10,20,", "1 cut\n", 0);
	SAY(&plain, "\n\nK,4,1,2,3,\"f\",10,20,30\n\n", "3|K|4|1|2|3|f|10|20|30\n", 1);
}

/* The text begins where the head ends, not at the first quote that is left. */
TEST(text_behind_its_comma)
{
	static const char in[] =
	        "K,4,1,2,3,\"f\",1,2,3\n"
	        "K,4,1,2,3,x\"abc\",10,20,30\n"
	        "K,4,1,2,3,\"a name that fills the block of 64 bytes, and more\",1,2,3\n";

	SAY(&plain, "K,4,1,2,3,x\"abc\",10,20,30\n", "1|K|4|1|2|3|x\"abc\"|10|20|30\n", 0);
	for (uint64_t want = 0; want < 1 << 9; want++) {
		struct diff_plan p = plain;

		p.want = want;
		all_say(&p, in, sizeof in - 1, NULL);
	}
}

TEST(kernel_ids_and_names)
{
	/* The same id under another name, and names that begin with one another. */
	SAY(&plain,
	    "K,4,1,2,3,\"fill\",1,2,3\nK,4,1,2,3,\"fill\",1,2,3\nK,4,1,2,3,\"fill2\",1,2,3\n"
	    "K,4,1,2,3,\"fil\",1,2,3\nK,4,1,2,3,\"\",1,2,3\nK,4,1,2,3,\"fill\",1,2,3\n",
	    "1|K|4|1|2|3|fill|1|2|3\n2|K|4|1|2|3|fill|1|2|3\n3|K|4|1|2|3|fill2|1|2|3\n"
	    "4|K|4|1|2|3|fil|1|2|3\n5|K|4|1|2|3||1|2|3\n6|K|4|1|2|3|fill|1|2|3\n",
	    6);
	/* Ids of 8 digits, of more, of none; ids that share their last 8 digits. */
	SAY(&plain,
	    "K,4,1,2,12345678,\"a\",1,2,3\nK,4,1,2,112345678,\"b\",1,2,3\n"
	    "K,4,1,2,12345678,\"a\",1,2,3\nK,4,1,2,18446744073709551615,\"c\",1,2,3\n"
	    "K,4,1,2,,\"d\",1,2,3\nK,4,1,2,012345678,\"e\",1,2,3\n",
	    "1|K|4|1|2|12345678|a|1|2|3\n2|K|4|1|2|112345678|b|1|2|3\n"
	    "3|K|4|1|2|12345678|a|1|2|3\n4|K|4|1|2|18446744073709551615|c|1|2|3\n"
	    "5|K|4|1|2|-|d|1|2|3\n6|K|4|1|2|12345678|e|1|2|3\n",
	    5);
	/* A guess ends where the name goes on with a quote and a comma of its own. */
	SAY(&plain, "K,4,1,2,3,\"f\",1,2,3\nK,4,1,2,3,\"f\",1\",2,3,4\nK,4,1,2,3,\"f\",1,2,3\n",
	    "1|K|4|1|2|3|f|1|2|3\n2|K|4|1|2|3|f\",1|2|3|4\n3|K|4|1|2|3|f|1|2|3\n", 2);
	/* A name with a newline is never guessed: its lines would not be counted. */
	SAME(&plain, "K,4,1,2,3,\"a\nb\",1,2,3\nK,4,1,2,3,\"a\nb\",1,2,3\nK,4,1,2,3,\"c\",1,2,3\n",
	     "1|K|4|1|2|3|a\nb|1|2|3\n3|K|4|1|2|3|a\nb|1|2|3\n5|K|4|1|2|3|c|1|2|3\n");
}

/* Rows that begin as an earlier one did have its agent and queue; one that differs by a byte has
 * its own, wherever that byte is, and one that is no plain row stays none. */
TEST(heads_that_are_remembered)
{
	struct tm_buf in = { 0 }, want = { 0 };
	uint32_t taken = 0;

	for (uint32_t i = 0; i < 3000; i++) {
		const uint32_t agent = i / 7 % 3, queue = i % 5 == 4 ? i : 1000000 + i / 50 % 2;
		const bool plain_one = i % 97 != 96;

		tm_buf_fmt(&in,
		           "\"KERNEL_DISPATCH\",\"Agent %" PRIu32 "\",%" PRIu32 "%s,%" PRIu32
		           ",3,\"f\",10,20,30\n",
		           agent, queue, plain_one ? "" : ".0", i);
		tm_buf_fmt(&want,
		           "%" PRIu32 "|KERNEL_DISPATCH|%" PRIu32 "|%" PRIu32 "|%" PRIu32
		           "|3|f|10|20|30\n",
		           i + 1, agent, queue, i);
		taken += plain_one;
	}
	CHECK_U64(all_say(&plain, in.p, in.n, want.p), taken);
	tm_buf_fini(&in);
	tm_buf_fini(&want);
}

/* A text with quotes and newlines of its own is read by tm_csv_row_split once, then known again. */
TEST(texts_that_are_remembered)
{
	static const struct diff_plan escaped = { .cols = KERNELS,
		                                  .want = UINT64_MAX,
		                                  .escaped = true };
	static const struct diff_plan few = { .cols = "NNKTNN",
		                              .want = UINT64_MAX,
		                              .escaped = true };

	SAY(&escaped,
	    "\"K\",4,1,2,3,\"k<\"\"a\"\",\n1>\",10,20,30\n\"K\",4,1,2,3,\"k<\"\"a\"\",\n1>\",1,2,"
	    "3\n"
	    "\"K\",5,1,2,3,\"k<\"\"a\"\",\n1>\",4,5,6\n\"K\",4,1,2,3,\"f\",7,8,9\n",
	    "1|K|4|1|2|3|k<\"a\",\n1>|10|20|30\n3|K|4|1|2|3|k<\"a\",\n1>|1|2|3\n"
	    "5|K|5|1|2|3|k<\"a\",\n1>|4|5|6\n7|K|4|1|2|3|f|7|8|9\n",
	    3);
	/* It ends elsewhere, or is another. */
	SAY(&escaped,
	    "K,4,1,2,3,\"a\"\"b\",1,2,3\nK,4,1,2,3,\"a\"\"b\"\"\",1,2,3\n"
	    "K,4,1,2,3,\"a\"\"c\",1,2,3\nK,4,1,2,3,\"a\"\"b\"x,1,2,3\nK,4,1,2,3,\"a\"\"c\",1,2,3\n",
	    "1|K|4|1|2|3|a\"b|1|2|3\n2|K|4|1|2|3|a\"b\"|1|2|3\n3|K|4|1|2|3|a\"c|1|2|3\n"
	    "4 bad\n5|K|4|1|2|3|a\"c|1|2|3\n",
	    1);
	/* Where the first word has quotes, the text holds the beginning of another row. */
	SAME(&escaped,
	     "K,4,1,2,3,\"x\"\"W\"\",4,1,2,3,\"\"q\",1,2,3\n\"K\",4,1,2,3,\"x\"\"W\"\",4,1,2,3,"
	     "\"\"q\",1,2,3\n"
	     "K,4,1,2,3,\"x\"\"W\"\",4,1,2,3,\"\"q\",1,2,3\n",
	     NULL);
	/* Few columns before the text. */
	SAY(&few, "1,2,3,\"a\"\"b\",4,5\n1,2,3,\"a\"\"b\",4,5\n",
	    "1|1|2|3|a\"b|4|5\n2|1|2|3|a\"b|4|5\n", 0);
}

/* More kernels than there are guesses: their places are shared, and still no name is mixed up. */
TEST(more_kernels_than_guesses)
{
	struct tm_buf in = { 0 }, want = { 0 };

	for (unsigned i = 0; i < 30000; i++) {
		unsigned id = roll(12000);

		tm_buf_fmt(&in, "K,1,1,2,%u,\"kernel_%u<%u>\",1,2,%u\n", id, id * 7 % 997, id, i);
		tm_buf_fmt(&want, "%u|K|1|1|2|%u|kernel_%u<%u>|1|2|%u\n", i + 1, id, id * 7 % 997,
		           id, i);
	}
	CHECK_U64(all_say(&plain, in.p, in.n, want.p), 30000);
	tm_buf_fini(&in);
	tm_buf_fini(&want);
}

/* ------------------------------------------------------------------------ */

/* Every digit string of 1 .. 21 digits as every number of a row. */
TEST(digits)
{
	struct tm_buf in = { 0 }, want = { 0 };
	struct diff_plan p = plain;

	p.cols = "NNTNN";
	for (unsigned n = 1; n <= 21; n++) {
		for (int i = 0; i < 200; i++) {
			char text[4][24];
			uint64_t v[4];
			bool good = true;

			for (int k = 0; k < 4; k++) {
				for (unsigned j = 0; j < n; j++)
					text[k][j] = (char)('0' + roll(n > 19 && !j ? 2 : 10));
				text[k][n] = '\0';
				if (i < 3 && k == i)
					text[k][roll(n)] = "/:a"[i];
				good &= tm_num_u64(text[k], n, &v[k]);
			}
			tm_buf_clear(&in);
			tm_buf_clear(&want);
			tm_buf_fmt(&in, "%s,%s,\"f\",%s,%s\n", text[0], text[1], text[2], text[3]);
			if (good)
				tm_buf_fmt(&want,
				           "1|%" PRIu64 "|%" PRIu64 "|f|%" PRIu64 "|%" PRIu64 "\n",
				           v[0], v[1], v[2], v[3]);
			CHECK_U64(all_say(&p, in.p, in.n, good ? want.p : NULL), good);
		}
	}
	tm_buf_fini(&in);
	tm_buf_fini(&want);
}

/* ------------------------------------------------------------------------ */

static const char *const tables[] = { KERNELS,
	                              "DTNNNNN",
	                              "NNANTNNWRNN",
	                              "WWNAANNN",
	                              "TNN",
	                              "NNNNTN",
	                              "KTN",
	                              "WTWWW",
	                              "N",
	                              "W",
	                              "NTNNNNNNNNNNNNNNNNNNNNNNNNNN" };

/* Free text.  Tame: nothing that hurts.  Wild: quotes, commas, newlines in any order. */
static void random_text(struct tm_buf *b, bool wild)
{
	static const char *const part[] = {
		"k",    "<",   ">",    "(int)",    " ",
		"::f",  "7",   ",5",   "\xc3\xa9", "__amd_rocclr_fillBufferAligned",
		"\\",   "''",  "\"",   "\",",      ",\"",
		"\"\"", "\n",  "\"\n", "\r",       "K,",
		",,",   "1,2,"
	};
	uint32_t n = roll(roll(8) ? 6 : 40);

	tm_buf_clear(b);
	tm_buf_str(b, "");
	while (n--)
		tm_buf_str(b, part[roll(wild ? 22 : 12)]);
}

struct made {
	struct tm_buf in, want;
	size_t last; /* where the last row begins */
	size_t lines;
};

/* One cell of the table, and what is to be said of it. */
static void random_cell(struct made *m, char letter, bool quoted, bool escaped, bool wild)
{
	static const char *const word[] = { "KERNEL_DISPATCH", "SQ_WAVES", "x", "TCC_HIT[0]" };
	static const char *const domain[] = { "HIP_RUNTIME_API", "HSA_CORE_API",
		                              "MARKER_CORE_API" };
	static const unsigned number[] = { TM_DOMAIN_HIP, TM_DOMAIN_HSA, TM_DOMAIN_MARKER };
	struct tm_buf t = { 0 }, v = { 0 };
	uint32_t k;

	switch (letter) {
	case 'T':
		random_text(&t, wild);
		tm_buf_add(&v, t.p, t.n);
		for (size_t i = 0; i < t.n; i++)
			m->lines += t.p[i] == '\n';
		quoted = true;
		break;
	case 'W':
		tm_buf_str(&t, word[roll(4)]);
		tm_buf_str(&v, t.p);
		break;
	case 'D':
		k = roll(3);
		tm_buf_str(&t, domain[k]);
		tm_buf_fmt(&v, "%u", number[k]);
		break;
	case 'A':
		k = roll(9);
		tm_buf_fmt(&t, "%s%u", quoted ? "Agent " : "", k);
		tm_buf_fmt(&v, "%u", k);
		break;
	case 'R':
		tm_buf_fmt(&t, "%u.%06u", roll(100000), roll(1000000));
		tm_buf_fmt(&v, "%" PRIu64, tm_real_bits(strtod(t.p, NULL)));
		quoted = false;
		break;
	default:
		k = letter == 'K' ? roll(20) : roll(3) ? roll(1000) : roll(UINT32_MAX);
		/* No zero in front: libcsv gives the text, not the number. */
		tm_buf_fmt(&t, "%u%s", k, k && letter == 'N' && !roll(3) ? "123456789" : "");
		tm_buf_str(&v, t.p);
		quoted = false;
		break;
	}
	if (quoted)
		tm_buf_chr(&m->in, '"');
	for (size_t i = 0; i < t.n; i++) {
		if (t.p[i] == '"' && escaped)
			tm_buf_chr(&m->in, '"');
		tm_buf_chr(&m->in, t.p[i]);
	}
	if (quoted)
		tm_buf_chr(&m->in, '"');
	tm_buf_chr(&m->want, '|');
	tm_buf_add(&m->want, v.p ? v.p : "", v.n);
	tm_buf_fini(&t);
	tm_buf_fini(&v);
}

static void random_table(struct made *m, const struct diff_plan *plan, bool wild)
{
	uint32_t rows = 1 + roll(12), quoted = roll(UINT32_MAX);
	const char *newline = roll(4) ? "\n" : "\r\n";

	tm_buf_clear(&m->in);
	tm_buf_clear(&m->want);
	m->lines = 0;
	for (uint32_t r = 0; r < rows; r++) {
		m->last = m->in.n;
		tm_buf_fmt(&m->want, "%zu", m->lines + 1);
		for (size_t i = 0; plan->cols[i]; i++) {
			if (i)
				tm_buf_chr(&m->in, ',');
			random_cell(m, plan->cols[i], quoted >> i & 1, plan->escaped, wild);
		}
		tm_buf_str(&m->in, newline);
		tm_buf_chr(&m->want, '\n');
		m->lines++;
	}
}

static void random_plan(struct diff_plan *p)
{
	static const unsigned char pads[] = ",\"\n0\r";

	*p = (struct diff_plan) { .cols = tables[roll(sizeof tables / sizeof *tables)],
		                  .want = UINT64_MAX,
		                  .escaped = roll(2),
		                  .step = roll(3) ? 0 : 1 + roll(150),
		                  .align = roll(64),
		                  .pad = pads[roll(5)] };
}

static void made_fini(struct made *m)
{
	tm_buf_fini(&m->in);
	tm_buf_fini(&m->want);
}

TEST(random_tables)
{
	uint64_t fast = 0, rows = 0;
	struct made m = { 0 };
	struct diff_plan p;

	for (int i = 0; i < test_rounds(12000 / PART) && !test_bad; i++) {
		random_plan(&p);
		/* Without escapes a wild name can be read in two ways; after four columns it can
		 * look like two rows that were run together. */
		random_table(&m, &p, p.escaped && roll(2) && strcspn(p.cols, "T") < 4);
		fast += all_say(&p, m.in.p, m.in.n, m.want.p);
		for (size_t k = 0; k < m.want.n; k++)
			rows += m.want.p[k] == '\n';
	}
	/* A test of the scanner only if it is the scanner that reads most rows. */
	CHECK(fast > rows / 2);
	made_fini(&m);
}

/* Whatever a name holds, and whichever columns are wanted, the answer may not depend on who reads
 * the row.  Two exceptions, both far from any trace: in a table that begins with its text
 * tm_csv_row_split gives up a name with a line that begins with a quote; and a name that holds
 * quotes, commas and newlines just so can look to a scanner like the end of a name and quoted words
 * after it. */
TEST(random_wild_tables)
{
	struct made m = { 0 };
	struct diff_plan p;

	for (int i = 0; i < test_rounds(20000 / PART) && !test_bad; i++) {
		do {
			random_plan(&p);
		} while (*p.cols == 'T' || strchr(p.cols + strcspn(p.cols, "T"), 'W'));
		p.want = roll(2) ? UINT64_MAX : roll(UINT32_MAX);
		random_table(&m, &p, true);
		all_say(&p, m.in.p, m.in.n, NULL);
	}
	made_fini(&m);
}

/* The same table at every place in memory and with every step of arrival. */
TEST(everywhere)
{
	struct diff_plan p = plain;
	struct made m = { 0 };

	for (int i = 0; i < 6; i++) {
		p.cols = tables[i];
		p.step = 0;
		random_table(&m, &p, false);
		for (p.align = 0; p.align < 64; p.align++)
			for (const char *pad = ",\"\n0"; *pad; pad++) {
				p.pad = (unsigned char)*pad;
				all_say(&p, m.in.p, m.in.n, m.want.p);
			}
		p.align = 0;
		for (p.step = 1; p.step < 200; p.step++)
			all_say(&p, m.in.p, m.in.n, m.want.p);
	}
	made_fini(&m);
}

/* Everything in a row at every distance from a block of 64 bytes. */
TEST(across_blocks)
{
	struct tm_buf in = { 0 }, want = { 0 };
	char name[210];

	for (unsigned head = 1; head < 70; head += 3)
		for (unsigned len = 0; len < 200; len += 1 + len / 70) {
			memset(name, 'n', sizeof name);
			name[len] = '\0';
			tm_buf_clear(&in);
			tm_buf_clear(&want);
			for (unsigned r = 1; r <= 4; r++) {
				tm_buf_fmt(
				        &in, "\"%.*s\",4,1,2,3,\"%s%s\",10,%u,30\n", (int)head,
				        "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"
				        "wwww"
				        "wwwwwwwwwwwww",
				        name, r == 3 ? "x" : "", r);
				tm_buf_fmt(
				        &want, "%u|%.*s|4|1|2|3|%s%s|10|%u|30\n", r, (int)head,
				        "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"
				        "wwww"
				        "wwwwwwwwwwwww",
				        name, r == 3 ? "x" : "", r);
			}
			CHECK_U64(all_say(&plain, in.p, in.n, want.p), 4);
		}
	tm_buf_fini(&in);
	tm_buf_fini(&want);
}

/* A file that ends anywhere in its last row: the rows before stay, the rest is cut or short. */
TEST(cut_at_every_byte)
{
	struct made m = { 0 };
	struct diff_plan p;

	for (int i = 0; i < test_rounds(300 / PART) && !test_bad; i++) {
		random_plan(&p);
		random_table(&m, &p, *p.cols != 'T' && roll(2));
		for (size_t cut = m.last; cut <= m.in.n && !test_bad; cut++)
			all_say(&p, m.in.p, cut, NULL);
	}
	made_fini(&m);
}

/* Rows that begin at or after the limit belong to somebody else. */
TEST(limit)
{
	struct made m = { 0 };
	struct diff_run r;
	unsigned char *p;

	random_table(&m, &plain, false);
	for (size_t v = 1; v < DIFF_VARIANTS; v++) {
		if (!diff_can_run(v))
			continue;
		p = malloc(m.in.n + 2 * SCAN_PAD);
		memset(p, '0', m.in.n + 2 * SCAN_PAD);
		memcpy(p + SCAN_PAD, m.in.p, m.in.n);
		diff_setup(&r, &plain);
		r.shape.type = r.type;
		diff_learn(&r, p + SCAN_PAD, m.in.n);
		for (size_t lim = 0; lim <= m.in.n; lim++) {
			const unsigned char *at = p + SCAN_PAD, *end = at + m.in.n, *stop;
			size_t rows = 0, next = 0;
			uint32_t row = 0;

			while (next < lim) {
				next = (size_t)((char *)memchr(m.in.p + next, '\n', m.in.n - next) -
				                m.in.p) +
				       1;
				rows++;
			}
			stop = diff_variants[v].rows(r.scan, at, at + lim, end, &row,
			                             TM_BATCH_ROWS);
			CHECK_U64(row, rows);
			CHECK_U64((uint64_t)(stop - at), next);
			/* And no more rows than there is room for. */
			row = TM_BATCH_ROWS - 1;
			stop = diff_variants[v].rows(r.scan, at, at + lim, end, &row,
			                             TM_BATCH_ROWS);
			CHECK_U64(row, rows ? TM_BATCH_ROWS : TM_BATCH_ROWS - 1);
		}
		diff_teardown(&r);
		free(p);
	}
	made_fini(&m);
}

/* ------------------------------------------------------------------------ */

/* NO_LIBCSV: for a machine whose libcsv is not here. */
#ifndef NO_LIBCSV
static struct tm_buf other;
static uint64_t other_lines;
static bool other_first;

static int is_cr(unsigned char c)
{
	return c == '\r';
}

static int is_lf(unsigned char c)
{
	return c == '\n';
}

static void other_field(void *p, size_t n, void *unused)
{
	(void)unused;
	if (other_first)
		tm_buf_fmt(&other, "%" PRIu64, other_lines + 1);
	other_first = false;
	tm_buf_chr(&other, '|');
	tm_buf_add(&other, p, n);
	for (size_t i = 0; i < n; i++)
		other_lines += ((char *)p)[i] == '\n';
}

static void other_row(int c, void *unused)
{
	(void)c;
	(void)unused;
	tm_buf_chr(&other, '\n');
	other_lines++;
	other_first = true;
}

/* On well-formed input libcsv has the same opinion.  Columns whose value is their text. */
TEST(same_as_libcsv)
{
	struct diff_plan p = { .cols = "WNTNNW", .want = UINT64_MAX, .escaped = true };
	struct made m = { 0 };

	for (int i = 0; i < test_rounds(6000) && !test_bad; i++) {
		struct csv_parser parser;

		p.align = roll(64);
		random_table(&m, &p, true);
		csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
		csv_set_space_func(&parser, is_cr);
		csv_set_term_func(&parser, is_lf);
		tm_buf_clear(&other);
		other_lines = 0;
		other_first = true;
		CHECK_U64(csv_parse(&parser, m.in.p, m.in.n, other_field, other_row, NULL), m.in.n);
		CHECK(csv_fini(&parser, other_field, other_row, NULL) == 0);
		csv_free(&parser);
		all_say(&p, m.in.p, m.in.n, other.p);
	}
	made_fini(&m);
	tm_buf_fini(&other);
}
#else
TEST(same_as_libcsv)
{
}
#endif

/* ------------------------------------------------------------------------ */

TEST(agents)
{
	static const struct {
		const char *text;
		bool good;
		enum tm_agent_numbering how;
		uint32_t number;
	} cases[] = {
		{ "4", true, TM_AGENT_NODE, 4 },
		{ "Agent 4", true, TM_AGENT_NODE, 4 },
		{ "Agent-4", true, TM_AGENT_NODE, 4 },
		{ "GPU 0", true, TM_AGENT_GPU, 0 },
		{ "GPU-3", true, TM_AGENT_GPU, 3 },
		{ "CPU 1", true, TM_AGENT_CPU, 1 },
		{ "CPU-1", true, TM_AGENT_CPU, 1 },
		{ "4294967295", true, TM_AGENT_NODE, UINT32_MAX },
		{ "4294967296", false, 0, 0 },
		{ "GPU 18446744073709551616", false, 0, 0 },
		{ "", false, 0, 0 },
		{ "Agent ", false, 0, 0 },
		{ "Agent", false, 0, 0 },
		{ "GPU -1", false, 0, 0 },
		{ "GPU 0 ", false, 0, 0 },
		{ "\"", false, 0, 0 },
		{ "0x4", false, 0, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t v = 77;
		bool good = tm_scan_agent((const unsigned char *)cases[i].text,
		                          strlen(cases[i].text), &v);

		CHECK(good == cases[i].good);
		CHECK_U64(v, good ? tm_agent_pack(cases[i].how, cases[i].number) : 77);
	}
}

TEST_MAIN(T(plain_rows), T(rows_that_are_not_plain), T(text_behind_its_comma),
          T(kernel_ids_and_names), T(heads_that_are_remembered), T(texts_that_are_remembered),
          T(more_kernels_than_guesses), T(digits), T(random_tables), T(random_wild_tables),
          T(everywhere), T(across_blocks), T(cut_at_every_byte), T(limit), T(same_as_libcsv),
          T(agents))
