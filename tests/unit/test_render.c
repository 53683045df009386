/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "render/chart.h"
#include "render/table.h"

static const struct tm_column c_name = {
	.name = "name", .title = "NAME", .unit = TM_UNIT_TEXT, .elastic = true
};
static const struct tm_column c_prev = {
	.name = "prev", .title = "PREV", .unit = TM_UNIT_TEXT, .elastic = true
};
static const struct tm_column c_class = { .name = "class", .title = "CLASS", .unit = TM_UNIT_TEXT };
static const struct tm_column c_calls = { .name = "calls",
	                                  .title = "CALLS",
	                                  .unit = TM_UNIT_COUNT };
static const struct tm_column c_total = { .name = "total_ns",
	                                  .title = "TOTAL",
	                                  .unit = TM_UNIT_NS };
static const struct tm_column c_size = { .name = "bytes", .title = "SIZE", .unit = TM_UNIT_BYTES };
static const struct tm_column c_ratio = { .name = "ratio",
	                                  .title = "RATIO",
	                                  .unit = TM_UNIT_RATIO };
static const struct tm_column c_rank = { .name = "rank", .title = "RANK", .unit = TM_UNIT_ID };
static const struct tm_column c_pct = {
	.name = "pct", .title = "SHARE", .unit = TM_UNIT_PCT, .bar = true
};
static const struct tm_column c_depth = {
	.name = "depth", .title = "DEPTH", .unit = TM_UNIT_COUNT, .bar = true
};

#define TXT(s) tm_cell_text(s, sizeof(s) - 1)

static struct tm_cell fixed(uint64_t u)
{
	return (struct tm_cell) { .type = TM_CELL_FIXED, .v.u = u };
}

static struct tm_cell minus(uint64_t u)
{
	return (struct tm_cell) { .type = TM_CELL_FIXED, .neg = true, .v.u = u };
}

static const struct tm_render_ctx plain = {
	.tool = "kstats", .table = "top", .version = "0.2.0", .units = TM_UNITS_EACH
};

static void show(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\n')
			fputs("\\n\n", stderr);
		else if (s[i] >= ' ' && s[i] < 0x7f)
			fputc(s[i], stderr);
		else
			fprintf(stderr, "\\x%02x", (unsigned)(unsigned char)s[i]);
	}
}

/* Render the cells, row by row, and compare all bytes. */
static void expect(const char *mode, const struct tm_render_ctx *ctx, struct tm_table t,
                   const char *want, size_t len, int line)
{
	const struct tm_render_mode *m = tm_render_find(mode);
	struct tm_buf out = { 0 };

	CHECK(m);
	if (!m)
		return;
	CHECK(m->render(&out, &t, ctx));
	if (out.n != len || memcmp(out.p, want, len) != 0) {
		test_bad++;
		fprintf(stderr, "%s:%d: %s gives\n", __FILE__, line, mode);
		show(out.p, out.n);
		fprintf(stderr, "--- not\n");
		show(want, len);
	}
	tm_buf_fini(&out);
}

/* A table over borrowed cells and columns: nothing of it is to be freed. */
static struct tm_table table_over(const struct tm_column *const *cols, size_t ncols,
                                  struct tm_cell *cells, size_t nrows)
{
	static const struct tm_column *borrowed[16][64];
	static unsigned turn;
	const struct tm_column **own = borrowed[turn++ % 16];

	memcpy(own, cols, ncols * sizeof(struct tm_column *));
	return (struct tm_table) { .columns = own, .ncols = ncols, .cells = cells, .nrows = nrows };
}

#define EXPECT(mode, ctx, cols, n, cells_, want)                                                   \
	expect(mode, ctx, table_over(cols, sizeof(cols) / sizeof *(cols), cells_, n), want,        \
	       sizeof(want) - 1, __LINE__)

/* One value through text: the line below the heading. */
static const char *human(const struct tm_column *col, struct tm_cell c)
{
	static char line[200];
	struct tm_table t = table_over(&col, 1, &c, 1);
	struct tm_buf out = { 0 };
	const char *s = "";

	CHECK(tm_render_find("text")->render(&out, &t, &plain));
	if (out.p && strchr(out.p, '\n')) {
		s = strchr(out.p, '\n') + 1;
		s += strspn(s, " ");
	}
	snprintf(line, sizeof line, "%.*s", (int)strcspn(s, "\n"), s);
	tm_buf_fini(&out);
	return line;
}

TEST(modes)
{
	static const char *const names[] = { "text", "csv", "tsv", "json", "md" };
	size_t n = 0;

	for (; tm_render_modes[n]; n++) {
		CHECK_STR(tm_render_modes[n]->name, names[n]);
		CHECK(tm_render_find(names[n]) == tm_render_modes[n]);
		CHECK(tm_render_modes[n]->about && *tm_render_modes[n]->about);
		CHECK(tm_render_modes[n]->machine == (n >= 1 && n <= 3));
	}
	CHECK_U64(n, 5);
	CHECK(!tm_render_find("xml"));
	CHECK(!tm_render_find(""));
	CHECK(!tm_render_find("CSV"));
}

/* Names an attacker, or a C++ compiler, would choose; NHOSTILE rows of {name, calls}. */
#define NHOSTILE 14
static void hostile(struct tm_cell *c)
{
	const struct tm_cell names[NHOSTILE] = {
		TXT("void k<int, float>(\342\200\246)"),
		TXT("say \"hi\""),
		TXT("new\nline\r\nend\r"),
		TXT("tab\tback\\slash"),
		TXT("a|b\\|c"),
		TXT("<script>alert(1)</script>&amp;`x`"),
		TXT("\033[2Jclear\302\233\177"),
		TXT("bad\377\300\200\355\240\200\364\220\200\200\342\202"),
		TXT("nu\0l"),
		TXT(""),
		TXT(" blank"),
		TXT("blank\t"),
		TXT("\342\200\256bidi \360\237\230\200"),
		TXT("__f_*x* $_0 http://a [l](u) _"),
	};

	for (size_t i = 0; i < NHOSTILE; i++) {
		c[2 * i] = names[i];
		c[2 * i + 1] = tm_cell_u64(i);
	}
}

static const struct tm_column *const two[] = { &c_name, &c_calls };

TEST(csv_hostile)
{
	struct tm_cell c[2 * NHOSTILE];

	hostile(c);
	EXPECT("csv", &plain, two, NHOSTILE, c,
	       "name,calls\n"
	       "\"void k<int, float>(\342\200\246)\",0\n"
	       "\"say \"\"hi\"\"\",1\n"
	       "\"new\nline\r\nend\r\",2\n"
	       "tab\tback\\slash,3\n"
	       "a|b\\|c,4\n"
	       "<script>alert(1)</script>&amp;`x`,5\n"
	       "\033[2Jclear\302\233\177,6\n"
	       "bad\377\300\200\355\240\200\364\220\200\200\342\202,7\n"
	       "nu\0l,8\n"
	       ",9\n"
	       "\" blank\",10\n"
	       "\"blank\t\",11\n"
	       "\342\200\256bidi \360\237\230\200,12\n"
	       "__f_*x* $_0 http://a [l](u) _,13\n");
}

TEST(tsv_hostile)
{
	struct tm_cell c[2 * NHOSTILE];

	hostile(c);
	EXPECT("tsv", &plain, two, NHOSTILE, c,
	       "name\tcalls\n"
	       "void k<int, float>(\342\200\246)\t0\n"
	       "say \"hi\"\t1\n"
	       "new\\nline\\r\\nend\\r\t2\n"
	       "tab\\tback\\\\slash\t3\n"
	       "a|b\\\\|c\t4\n"
	       "<script>alert(1)</script>&amp;`x`\t5\n"
	       "\033[2Jclear\302\233\177\t6\n"
	       "bad\377\300\200\355\240\200\364\220\200\200\342\202\t7\n"
	       "nu\0l\t8\n"
	       "\t9\n"
	       " blank\t10\n"
	       "blank\\t\t11\n"
	       "\342\200\256bidi \360\237\230\200\t12\n"
	       "__f_*x* $_0 http://a [l](u) _\t13\n");
}

#define BAD "\\ufffd"

TEST(json_hostile)
{
	static const char *const inputs[] = { "a \"b\".csv", "\377\n" };
	static const char *const notes[] = { "One.", "Two." };
	struct tm_render_ctx ctx = plain;
	struct tm_cell c[2 * NHOSTILE];

	ctx.inputs = inputs;
	ctx.ninputs = 2;
	ctx.notes = notes;
	ctx.nnotes = 2;
	ctx.window = "marker:\"x\"/1";
	hostile(c);
	EXPECT("json", &ctx, two, NHOSTILE, c,
	       "{\"schema\":\"tracemill/kstats-top/1\",\n"
	       "\"tool\":\"kstats\",\n"
	       "\"version\":\"0.2.0\",\n"
	       "\"inputs\":[\"a \\\"b\\\".csv\",\"" BAD "\\n\"],\n"
	       "\"window\":{\"spec\":\"marker:\\\"x\\\"/1\"},\n"
	       "\"notes\":[\"One.\",\"Two.\"],\n"
	       "\"rows\":[\n"
	       "{\"name\":\"void k<int, float>(\342\200\246)\",\"calls\":0},\n"
	       "{\"name\":\"say \\\"hi\\\"\",\"calls\":1},\n"
	       "{\"name\":\"new\\nline\\r\\nend\\r\",\"calls\":2},\n"
	       "{\"name\":\"tab\\tback\\\\slash\",\"calls\":3},\n"
	       "{\"name\":\"a|b\\\\|c\",\"calls\":4},\n"
	       "{\"name\":\"<script>alert(1)</script>&amp;`x`\",\"calls\":5},\n"
	       "{\"name\":\"\\u001b[2Jclear\\u009b\\u007f\",\"calls\":6},\n"
	       "{\"name\":\"bad" BAD BAD BAD BAD BAD BAD BAD BAD BAD BAD BAD BAD
	       "\",\"calls\":7},\n"
	       "{\"name\":\"nu\\u0000l\",\"calls\":8},\n"
	       "{\"name\":\"\",\"calls\":9},\n"
	       "{\"name\":\" blank\",\"calls\":10},\n"
	       "{\"name\":\"blank\\t\",\"calls\":11},\n"
	       "{\"name\":\"\\u202ebidi \360\237\230\200\",\"calls\":12},\n"
	       "{\"name\":\"__f_*x* $_0 http://a [l](u) _\",\"calls\":13}\n"
	       "]}\n");
}

TEST(md_hostile)
{
	struct tm_cell c[2 * NHOSTILE];

	hostile(c);
	EXPECT("md", &plain, two, NHOSTILE, c,
	       "| NAME | CALLS |\n"
	       "| --- | ---: |\n"
	       "| void k&lt;int, float&gt;(\342\200\246) | 0 |\n"
	       "| say \"hi\" | 1 |\n"
	       "| new<br>line<br>end<br> | 2 |\n"
	       "| tab back\\\\slash | 3 |\n"
	       "| a\\|b\\\\\\|c | 4 |\n"
	       "| &lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;\\`x\\` | 5 |\n"
	       "| \\\\x1b\\[2Jclear\\\\u009b\\\\x7f | 6 |\n"
	       "| "
	       "bad\\\\xff\\\\xc0\\\\x80\\\\xed\\\\xa0\\\\x80\\\\xf4\\\\x90\\\\x80\\\\x80\\\\xe2\\"
	       "\\x82"
	       " | 7 |\n"
	       "| nu\\\\x00l | 8 |\n"
	       "|  | 9 |\n"
	       "|  blank | 10 |\n"
	       "| blank  | 11 |\n"
	       "| \\\\u202ebidi \360\237\230\200 | 12 |\n"
	       "| \\_\\_f\\_\\*x\\* \\$\\_0 http\\://a \\[l\\](u) \\_ | 13 |\n");
}

TEST(md_word_underscores_stay)
{
	struct tm_cell c[] = { TXT("Cijk_Ailk__BH_MT64"), tm_cell_u64(1), TXT("__amd_copy_"),
		               tm_cell_u64(2) };

	EXPECT("md", &plain, two, 2, c,
	       "| NAME | CALLS |\n"
	       "| --- | ---: |\n"
	       "| Cijk_Ailk__BH_MT64 | 1 |\n"
	       "| \\_\\_amd_copy\\_ | 2 |\n");
}

TEST(text_hostile)
{
	struct tm_render_ctx ctx = plain;
	struct tm_cell c[2 * NHOSTILE];

	hostile(c);
	/* Without UTF-8 not one byte outside ASCII gets out. */
	EXPECT("text", &ctx, two, NHOSTILE, c,
	       "CALLS  NAME\n"
	       "    0  void k<int, float>(\\u2026)\n"
	       "    1  say \"hi\"\n"
	       "    2  new\\nline\\r\\nend\\r\n"
	       "    3  tab\\tback\\slash\n"
	       "    4  a|b\\|c\n"
	       "    5  <script>alert(1)</script>&amp;`x`\n"
	       "    6  \\x1b[2Jclear\\u009b\\x7f\n"
	       "    7  bad\\xff\\xc0\\x80\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80\\xe2\\x82\n"
	       "    8  nu\\x00l\n"
	       "    9\n"
	       "   10   blank\n"
	       "   11  blank\\t\n"
	       "   12  \\u202ebidi \\U0001f600\n"
	       "   13  __f_*x* $_0 http://a [l](u) _\n");
	ctx.utf8 = true;
	c[2] = c[24];
	EXPECT("text", &ctx, two, 2, c,
	       "CALLS  NAME\n"
	       "    0  void k<int, float>(\342\200\246)\n"
	       "    1  \\u202ebidi \360\237\230\200\n");
}

/* Well formed at every length limit, and one step outside each. */
TEST(utf8_limits)
{
	struct tm_cell c[] = {
		TXT("\302\240 \337\277 \340\240\200 \355\237\277 \356\200\200 \357\277\275"),
		TXT("\360\220\200\200 \364\217\277\277"),
		TXT("\301\277"),
		TXT("\340\237\277"),
		TXT("\360\217\277\277"),
		TXT("\355\277\277"),
		TXT("\365\200\200\200"),
		TXT("\303"),
		TXT("\303("),
	};
	static const struct tm_column *const one[] = { &c_name };

	EXPECT("json", &plain, one, 9, c,
	       "{\"schema\":\"tracemill/kstats-top/1\",\n\"tool\":\"kstats\",\n"
	       "\"version\":\"0.2.0\",\n\"inputs\":[],\n\"window\":{},\n\"notes\":[],\n\"rows\":["
	       "\n"
	       "{\"name\":\"\302\240 \337\277 \340\240\200 \355\237\277 \356\200\200 "
	       "\357\277\275\"},\n"
	       "{\"name\":\"\360\220\200\200 \364\217\277\277\"},\n"
	       "{\"name\":\"" BAD BAD "\"},\n"
	       "{\"name\":\"" BAD BAD BAD "\"},\n"
	       "{\"name\":\"" BAD BAD BAD BAD "\"},\n"
	       "{\"name\":\"" BAD BAD BAD "\"},\n"
	       "{\"name\":\"" BAD BAD BAD BAD "\"},\n"
	       "{\"name\":\"" BAD "\"},\n"
	       "{\"name\":\"" BAD "(\"}\n"
	       "]}\n");
}

static const struct tm_column *const all[] = { &c_rank,  &c_name, &c_class, &c_calls,
	                                       &c_total, &c_size, &c_ratio, &c_pct };

/* Two rows of every kind of number; rank is absent in both, most in the second. */
static const struct tm_cell numbers[] = {
	{ .type = TM_CELL_NONE },
	{ .type = TM_CELL_TEXT, .len = 4, .v.s = "gemm" },
	{ .type = TM_CELL_TEXT, .len = 1, .v.s = "m" },
	{ .type = TM_CELL_U64, .v.u = UINT64_MAX },
	{ .type = TM_CELL_U64, .v.u = 17234567 },
	{ .type = TM_CELL_U64, .v.u = 1536 },
	{ .type = TM_CELL_FIXED, .neg = true, .v.u = 15000 },
	{ .type = TM_CELL_FIXED, .v.u = 623456 },
	{ .type = TM_CELL_NONE },
	{ .type = TM_CELL_TEXT, .len = 4, .v.s = "copy" },
	{ .type = TM_CELL_NONE },
	{ .type = TM_CELL_U64, .v.u = 0 },
	{ .type = TM_CELL_NONE },
	{ .type = TM_CELL_NONE },
	{ .type = TM_CELL_FIXED, .neg = true, .v.u = 0 },
	{ .type = TM_CELL_NONE },
};

static struct tm_cell *numbers_copy(void)
{
	static struct tm_cell c[16];

	memcpy(c, numbers, sizeof c);
	return c;
}

TEST(numbers_in_machine_modes)
{
	EXPECT("csv", &plain, all, 2, numbers_copy(),
	       "rank,name,class,calls,total_ns,bytes,ratio,pct\n"
	       ",gemm,m,18446744073709551615,17234567,1536,-1.5000,62.3456\n"
	       ",copy,,0,,,0.0000,\n");
	EXPECT("tsv", &plain, all, 2, numbers_copy(),
	       "rank\tname\tclass\tcalls\ttotal_ns\tbytes\tratio\tpct\n"
	       "\tgemm\tm\t18446744073709551615\t17234567\t1536\t-1.5000\t62.3456\n"
	       "\tcopy\t\t0\t\t\t0.0000\t\n");
	EXPECT("json", &plain, all, 2, numbers_copy(),
	       "{\"schema\":\"tracemill/kstats-top/1\",\n\"tool\":\"kstats\",\n"
	       "\"version\":\"0.2.0\",\n\"inputs\":[],\n\"window\":{},\n\"notes\":[],\n\"rows\":["
	       "\n"
	       "{\"rank\":null,\"name\":\"gemm\",\"class\":\"m\",\"calls\":18446744073709551615,"
	       "\"total_ns\":17234567,\"bytes\":1536,\"ratio\":-1.5000,\"pct\":62.3456},\n"
	       "{\"rank\":null,\"name\":\"copy\",\"class\":null,\"calls\":0,\"total_ns\":null,"
	       "\"bytes\":null,\"ratio\":0.0000,\"pct\":null}\n"
	       "]}\n");
}

TEST(numbers_for_people)
{
	struct tm_render_ctx ctx = plain;

	EXPECT("md", &ctx, all, 2, numbers_copy(),
	       "| NAME | CLASS | CALLS | TOTAL | SIZE | RATIO | SHARE |\n"
	       "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
	       "| gemm | m | 18446744073709551615 | 17.23 ms | 1.500 KiB | -1.5000 | 62.35% |\n"
	       "| copy | - | 0 | - | - | 0.0000 | - |\n");
	EXPECT("text", &ctx, all, 2, numbers_copy(),
	       "CLASS                 CALLS     TOTAL       SIZE    RATIO   SHARE         NAME\n"
	       "m      18446744073709551615  17.23 ms  1.500 KiB  -1.5000  62.35% ######  gemm\n"
	       "-                         0         -          -   0.0000       -         copy\n");
	ctx.utf8 = true;
	ctx.color = TM_COLOR_16;
#define FULL5 "\342\226\210\342\226\210\342\226\210\342\226\210\342\226\210"
	EXPECT("text", &ctx, all, 2, numbers_copy(),
	       "\033[1mCLASS                 CALLS     TOTAL       SIZE    RATIO   SHARE"
	       "          NAME\033[0m\n"
	       "\033[90mm\033[39m      18446744073709551615  17.23 ms  1.500 KiB  -1.5000  62.35% "
	       "\033[90m" FULL5 "\342\226\210\342\226\216\033[39m  gemm\n"
	       "\033[2m-\033[0m                         0         \033[2m-\033[0m          "
	       "\033[2m-\033[0m   0.0000       \033[2m-\033[0m          copy\n");
}

TEST(no_rows)
{
	EXPECT("csv", &plain, two, 0, NULL, "name,calls\n");
	EXPECT("tsv", &plain, two, 0, NULL, "name\tcalls\n");
	EXPECT("json", &plain, two, 0, NULL,
	       "{\"schema\":\"tracemill/kstats-top/1\",\n\"tool\":\"kstats\",\n"
	       "\"version\":\"0.2.0\",\n\"inputs\":[],\n\"window\":{},\n\"notes\":[],\n"
	       "\"rows\":[]}\n");
	EXPECT("md", &plain, two, 0, NULL, "| NAME | CALLS |\n| --- | ---: |\n");
	EXPECT("text", &plain, two, 0, NULL, "CALLS  NAME\n");
}

TEST(all_absent)
{
	struct tm_cell c[] = { tm_cell_none(), tm_cell_none() };

	EXPECT("csv", &plain, two, 1, c, "name,calls\n,\n");
	EXPECT("md", &plain, two, 1, c, "| NAME | CALLS |\n| --- | ---: |\n| - | - |\n");
	EXPECT("text", &plain, two, 1, c, "CALLS  NAME\n    -  -\n");
}

TEST(scale_time)
{
	static const struct {
		uint64_t ns;
		const char *want;
	} t[] = {
		{ 0, "0 ns" },
		{ 1, "1 ns" },
		{ 601, "601 ns" },
		{ 999, "999 ns" },
		{ 1000, "1.000 us" },
		{ 2430, "2.430 us" },
		{ 9999, "9.999 us" },
		{ 10000, "10.00 us" },
		{ 99994, "99.99 us" },
		{ 99995, "100.0 us" },
		{ 999949, "999.9 us" },
		{ 999950, "1.000 ms" },
		{ 999999, "1.000 ms" },
		{ 17234567, "17.23 ms" },
		{ 999949999, "999.9 ms" },
		{ 999950000, "1.000 s" },
		{ 59994999999, "59.99 s" },
		{ 59995000000, "1.000 min" },
		{ 61000000000, "1.017 min" },
		{ 3599700000000, "1.000 h" }, /* 59.995 min */
		{ 3600000000000, "1.000 h" },
		{ 360000000000000, "100.0 h" },
		{ UINT64_MAX, "5124096 h" },
	};

	for (size_t i = 0; i < sizeof t / sizeof *t; i++)
		CHECK_STR(human(&c_total, tm_cell_u64(t[i].ns)), t[i].want);
	CHECK_STR(human(&c_total, tm_cell_u64(2430)), "2.430 us");
	CHECK_STR(human(&c_total, fixed(0)), "0 ns");
	CHECK_STR(human(&c_total, fixed(1)), "0.0001 ns");
	CHECK_STR(human(&c_total, fixed(5000)), "0.5000 ns");
	CHECK_STR(human(&c_total, fixed(6010000)), "601.0 ns");
	CHECK_STR(human(&c_total, fixed(9999499)), "999.9 ns");
	CHECK_STR(human(&c_total, fixed(9999500)), "1.000 us");
	CHECK_STR(human(&c_total, fixed(172345678901)), "17.23 ms");
	CHECK_STR(human(&c_total, minus(24300000)), "-2.430 us");
	CHECK_STR(human(&c_total, fixed(UINT64_MAX)), "512.4 h");
}

TEST(scale_other_units)
{
	CHECK_STR(human(&c_size, tm_cell_u64(0)), "0 B");
	CHECK_STR(human(&c_size, tm_cell_u64(1023)), "1023 B");
	CHECK_STR(human(&c_size, tm_cell_u64(1024)), "1.000 KiB");
	CHECK_STR(human(&c_size, tm_cell_u64(1023 * 1024)), "1023 KiB");
	CHECK_STR(human(&c_size, tm_cell_u64(1024 * 1024 - 512)), "1.000 MiB");
	CHECK_STR(human(&c_size, tm_cell_u64(UINT64_MAX)), "16.00 EiB");
	CHECK_STR(human(&c_pct, fixed(0)), "0.00%");
	CHECK_STR(human(&c_pct, fixed(49)), "0.00%");
	CHECK_STR(human(&c_pct, minus(49)), "0.00%");
	CHECK_STR(human(&c_pct, minus(50)), "-0.01%");
	CHECK_STR(human(&c_pct, tm_cell_u64(UINT64_MAX)), "18446744073709551615.00% ##########");
	CHECK_STR(human(&c_calls, tm_cell_u64(1234567)), "1234567");
	CHECK_STR(human(&c_calls, fixed(UINT64_MAX)), "1844674407370955.1615");
	CHECK_STR(human(&c_rank, tm_cell_u64(1234567)), "1234567");
	CHECK_STR(human(&c_ratio, minus(1)), "-0.0001");
	CHECK_STR(human(&c_ratio, TXT("n/a")), "n/a");
}

TEST(bars)
{
	static const struct tm_column *const cols[] = { &c_pct, &c_depth };
	struct tm_cell c[] = {
		fixed(1000000), tm_cell_u64(8), fixed(500000),  tm_cell_u64(1),
		fixed(62500),   tm_cell_u64(0), fixed(6249),    tm_cell_none(),
		minus(500000),  minus(1),       fixed(2000000), tm_cell_u64(4),
	};
	struct tm_render_ctx ctx = plain;

	EXPECT("text", &ctx, cols, 6, c,
	       "  SHARE               DEPTH\n"
	       "100.00% ##########        8 ##########\n"
	       " 50.00% #####             1 #\n"
	       "  6.25% #                 0\n"
	       "  0.62%                   -\n"
	       "-50.00%             -0.0001\n"
	       "200.00% ##########        4 #####\n");
	ctx.utf8 = true;
	EXPECT("text", &ctx, cols, 6, c,
	       "  SHARE               DEPTH\n"
	       "100.00% " FULL5 FULL5 "        8 " FULL5 FULL5 "\n"
	       " 50.00% " FULL5 "             1 \342\226\210\342\226\216\n"
	       "  6.25% \342\226\213                 0\n"
	       "  0.62%                   -\n"
	       "-50.00%             -0.0001\n"
	       "200.00% " FULL5 FULL5 "        4 " FULL5 "\n");
}

TEST(width_limits)
{
	struct tm_cell c[] = { TXT("abcdefghijklmnopqrstuvwxyz"), tm_cell_u64(1) };
	struct tm_cell u[] = {
		TXT("\303\244\303\266\303\274\303\244\303\266\303\274\303\244\303\266\303\274"
		    "\303\244\303\266\303\274\303\244\303\266\303\274\303\244\303\266\303\274"),
		tm_cell_u64(1)
	};
	struct tm_render_ctx ctx = plain;

	EXPECT("text", &ctx, two, 1, c, "CALLS  NAME\n    1  abcdefghijklmnopqrstuvwxyz\n");
	ctx.width = 33; /* just fits */
	EXPECT("text", &ctx, two, 1, c, "CALLS  NAME\n    1  abcdefghijklmnopqrstuvwxyz\n");
	ctx.width = 32;
	EXPECT("text", &ctx, two, 1, c, "CALLS  NAME\n    1  abcdefghijk...pqrstuvwxyz\n");
	ctx.width = 23; /* never below 16 */
	EXPECT("text", &ctx, two, 1, c, "CALLS  NAME\n    1  abcdefg...uvwxyz\n");
	ctx.width = 22; /* and then a blank less between columns */
	EXPECT("text", &ctx, two, 1, c, "CALLS NAME\n    1 abcdefg...uvwxyz\n");
	ctx.width = 1;
	EXPECT("text", &ctx, two, 1, c, "CALLS NAME\n    1 abcdefg...uvwxyz\n");
	ctx.utf8 = true;
	EXPECT("text", &ctx, two, 1, c, "CALLS NAME\n    1 abcdefgh\342\200\246tuvwxyz\n");
	ctx.width = 24;
	EXPECT("text", &ctx, two, 1, u,
	       "CALLS  NAME\n    1  "
	       "\303\244\303\266\303\274\303\244\303\266\303\274\303\244\303\266\342\200\246"
	       "\303\266\303\274\303\244\303\266\303\274\303\244\303\266\303\274\n");
}

TEST(two_names_share_the_line)
{
	static const struct tm_column *const cols[] = { &c_prev, &c_calls, &c_name };
	struct tm_cell c[] = { TXT("short"),   tm_cell_u64(1), TXT("abcdefghijklmnopqrstuvwxyz"),
		               TXT("shorter"), tm_cell_u64(2), TXT("ABCDEFGHIJKLMNOPQRSTUVWXYZ") };
	struct tm_render_ctx ctx = plain;

	/* 5 + 2 for calls, 7 + 2 for prev, the other 20 for name. */
	ctx.width = 36;
	EXPECT("text", &ctx, cols, 2, c,
	       "CALLS  PREV     NAME\n"
	       "    1  short    abcdefghi...stuvwxyz\n"
	       "    2  shorter  ABCDEFGHI...STUVWXYZ\n");
	c[0] = c[2];
	ctx.width = 43; /* 17 for each */
	EXPECT("text", &ctx, cols, 2, c,
	       "CALLS  PREV               NAME\n"
	       "    1  abcdefg...tuvwxyz  abcdefg...tuvwxyz\n"
	       "    2  shorter            ABCDEFG...TUVWXYZ\n");
	ctx.width = 0;
	EXPECT("text", &ctx, cols, 2, c,
	       "CALLS  PREV                        NAME\n"
	       "    1  abcdefghijklmnopqrstuvwxyz  abcdefghijklmnopqrstuvwxyz\n"
	       "    2  shorter                     ABCDEFGHIJKLMNOPQRSTUVWXYZ\n");
}

/* Names that differ in their middle only, or where the short form of both is the same, must not
 * look alike. */
TEST(different_names_look_different)
{
	struct tm_cell c[] = {
		TXT("gemm_kernel_of_many_parameters_MT128x64_with_a_long_tail_WG64_4_1"),
		tm_cell_u64(1),
		TXT("gemm_kernel_of_many_parameters_MT64x64_with_a_long_tail_WG64_4_1"),
		tm_cell_u64(2),
		TXT("another_kernel_of_many_parameters_and_a_long_tail_WG64_4_1"),
		tm_cell_u64(3),
	};
	struct tm_cell later[] = {
		TXT("gemm_kernel_of_many_parameters_MT128x64_with_a_long_tail_K1_WG64_4_1_ISA942_"
		    "and_no_end"),
		tm_cell_u64(1),
		TXT("gemm_kernel_of_many_parameters_MT64x64_with_a_long_tail_K1_WG64_4_1_ISA942_"
		    "and_no_end"),
		tm_cell_u64(2),
		TXT("gemm_kernel_of_many_parameters_MT64x64_with_a_long_tail_K2_WG64_4_1_ISA942_"
		    "and_no_end"),
		tm_cell_u64(3),
	};
	struct tm_cell args[] = {
		TXT("void f_kernel_with_long_name(float const*, int)"),  tm_cell_u64(1),
		TXT("void f_kernel_with_long_name(double const*, int)"), tm_cell_u64(2),
		TXT("void g_kernel_with_long_name(double const*, int)"), tm_cell_u64(3),
	};
	struct tm_cell end[] = {
		TXT("Kokkos::View::initialization [V]"),
		tm_cell_u64(1),
		TXT("Kokkos::View::initialization [R]"),
		tm_cell_u64(2),
	};
	struct tm_cell same[] = { c[0], c[1], c[0], c[3] };
	struct tm_render_ctx ctx = plain;

	/* 26 for the name: a third of it is its beginning, 6 are dots, 12 are the place. */
	ctx.width = 33;
	EXPECT("text", &ctx, two, 3, c,
	       "CALLS  NAME\n"
	       "    1  gemm_ker...MT128x64_wit...\n"
	       "    2  gemm_ker...MT64x64_with...\n"
	       "    3  another_kern...il_WG64_4_1\n");
	/* The second and third show two places, of (40 - 10 - 9) / 2 = 10. */
	ctx.width = 47;
	EXPECT("text", &ctx, two, 3, later,
	       "CALLS  NAME\n"
	       "    1  gemm_kernel_o...MT128x64_with_a_long_...\n"
	       "    2  gemm_kerne...MT64x64_wi...K1_WG64_4_1...\n"
	       "    3  gemm_kerne...MT64x64_wi...K2_WG64_4_1...\n");
	ctx.width = 33;
	EXPECT("text", &ctx, two, 3, args,
	       "CALLS  NAME\n"
	       "    1  void f_k...float const*...\n"
	       "    2  void f_k...double const...\n"
	       "    3  g_kernel_with_long_name\n");
	/* 22, and what differs is at the end: 7, 3 for the dots, and 12 of the end. */
	ctx.width = 29;
	EXPECT("text", &ctx, two, 2, end,
	       "CALLS  NAME\n"
	       "    1  Kokkos:...lization [V]\n"
	       "    2  Kokkos:...lization [R]\n");
	ctx.width = 33;
	/* One name in two rows is one name. */
	EXPECT("text", &ctx, two, 2, same,
	       "CALLS  NAME\n"
	       "    1  gemm_kernel_...il_WG64_4_1\n"
	       "    2  gemm_kernel_...il_WG64_4_1\n");
}

/* Names that differ in several places show all of them, however little of the rest there is room
 * for; those told apart by fewer keep their beginning. */
TEST(names_that_differ_in_several_places)
{
#define TITLE(size, factor)                                                                        \
	TXT("kernel run_with<" size ", true, 1>(float const*, int, int) x " factor)
#define MANY(a, b, c) TXT("aaaaaaaaaa" a "bbbbbbbbbb" b "cccccccccc" c "dddddddddd")
	static const struct tm_column *const one[] = { &c_name };
	struct tm_cell title[] = { TITLE("256", "0"), TITLE("64", "0"), TITLE("256", "0.5"),
		                   TITLE("64", "0.5") };
	struct tm_cell many[] = { MANY("1", "1", "1"), MANY("1", "1", "2"), MANY("1", "2", "1"),
		                  MANY("1", "2", "2"), MANY("2", "1", "1"), MANY("2", "1", "2"),
		                  MANY("2", "2", "1"), MANY("2", "2", "2") };
	static const char again[] = "aaaaaaaaaa1bbbbbbbbbb1cccccccccc1dddddddddd";
	struct tm_cell twice[] = { many[0], many[4], tm_cell_text(again, sizeof again - 1) };
	struct tm_cell some[] = { many[0], many[1], many[2], many[3], many[4] };
	struct tm_render_ctx ctx = plain;

	/* 26 columns.  Cut in the middle, the first two look alike, and the last two; told apart by
	 * the size alone, the first and the third would.  Two places: 6 of the beginning, 9 of
	 * dots, (26 - 15) / 2 = 5 for each, and the dots after the last go to the end. */
	ctx.width = 26;
	EXPECT("text", &ctx, one, 4, title,
	       "NAME\n"
	       "kernel...256, tru... x 0\n"
	       "kernel...64, true... x 0\n"
	       "kernel...256, tru... x 0.5\n"
	       "kernel...64, true... x 0.5\n");
	/* 20 columns: with three places and a beginning, 4 + 12 of dots leave one for each; without
	 * it, (20 - 12) / 3 = 2, and the last gets what is over. */
	ctx.width = 20;
	EXPECT("text", &ctx, one, 8, many,
	       "NAME\n"
	       "...1b...1c...1ddd...\n"
	       "...1b...1c...2ddd...\n"
	       "...1b...2c...1ddd...\n"
	       "...1b...2c...2ddd...\n"
	       "...2b...1c...1ddd...\n"
	       "...2b...1c...2ddd...\n"
	       "...2b...2c...1ddd...\n"
	       "...2b...2c...2ddd...\n");
	/* The last of these differs from all others in the first place: 6, 3, 8 and 3. */
	EXPECT("text", &ctx, one, 5, some,
	       "NAME\n"
	       "...1b...1c...1ddd...\n"
	       "...1b...1c...2ddd...\n"
	       "...1b...2c...1ddd...\n"
	       "...1b...2c...2ddd...\n"
	       "aaaaaa...2bbbbbbb...\n");
	/* One name at two addresses is one name. */
	EXPECT("text", &ctx, one, 3, twice,
	       "NAME\n"
	       "aaaaaa...1bbbbbbb...\n"
	       "aaaaaa...2bbbbbbb...\n"
	       "aaaaaa...1bbbbbbb...\n");
#undef TITLE
#undef MANY
}

/* A terminal gives an ideograph two columns and an accent none. */
TEST(wide_characters)
{
#define JI "\345\255\227" /* U+5B57 */
	static const struct tm_column *const cols[] = { &c_class, &c_name };
	struct tm_cell c[] = { TXT(JI JI), TXT(JI JI JI JI JI JI JI JI JI JI JI JI JI JI JI),
		               TXT("e\314\201"), TXT("x") };
	struct tm_render_ctx ctx = plain;

	ctx.utf8 = true;
	EXPECT("text", &ctx, cols, 2, c,
	       "CLASS  NAME\n" JI JI "   " JI JI JI JI JI JI JI JI JI JI JI JI JI JI JI
	       "\ne\314\201      x\n");
	/* 17 columns: 8 and 8 beside the dots. */
	ctx.width = 24;
	EXPECT("text", &ctx, cols, 2, c,
	       "CLASS  NAME\n" JI JI "   " JI JI JI JI "\342\200\246" JI JI JI JI
	       "\ne\314\201      x\n");
	/* 18: the half of a character that would fit stays empty. */
	ctx.width = 25;
	EXPECT("text", &ctx, cols, 2, c,
	       "CLASS  NAME\n" JI JI "   " JI JI JI JI "\342\200\246" JI JI JI JI
	       "\ne\314\201      x\n");
#undef JI
}

/* Empty names everywhere: nothing to lay out, and it ends. */
TEST(empty_names_with_width)
{
	static const struct tm_column untitled = { .name = "x", .title = "", .elastic = true };
	static const struct tm_column *const cols[] = { &untitled, &untitled };
	struct tm_cell c[] = { TXT(""), TXT("") };
	struct tm_render_ctx ctx = plain;

	ctx.width = 80;
	EXPECT("text", &ctx, cols, 1, c, "\n\n");
}

/* One absurd name must not pad every other row. */
TEST(padding_is_bounded)
{
	static const struct tm_column *const cols[] = { &c_class, &c_calls };
	static char big[1 << 16];
	struct tm_buf out = { 0 };
	struct tm_cell c[] = { tm_cell_text(big, sizeof big), tm_cell_u64(1), TXT("x"),
		               tm_cell_u64(2) };
	struct tm_table t = table_over(cols, 2, c, 2);

	memset(big, 'x', sizeof big);
	CHECK(tm_render_find("text")->render(&out, &t, &plain));
	CHECK(out.n < sizeof big + 400);
	tm_buf_fini(&out);
}

/* Each class of the built-in rules has a family, and each family colors of its own. */
TEST(families)
{
	struct tm_diag d;
	struct tm_classes *classes = tm_classes_builtin(&d);
	size_t n = 0;

	CHECK(classes);
	for (size_t i = 0; classes && i < tm_classes_count(classes); i++) {
		const char *name = tm_classes_name(classes, i);

		CHECK(!strcmp(tm_hue_of(name, strlen(name))->name, "other") ==
		      !strcmp(name, "other"));
	}
	for (const struct tm_hue *h = tm_hues; h->name; h++, n++)
		for (const struct tm_hue *g = tm_hues; g < h; g++)
			CHECK(g->light != h->light && g->dark != h->dark);
	CHECK(n == 16);
	CHECK(!strcmp(tm_hue_of("moe_gemm", 8)->name, "gemm"));
	CHECK(!strcmp(tm_hue_of("moe_gem", 7)->name, "other"));
	tm_classes_free(classes);
}

/* By hand: the cube's levels are 0, 95, 135, 175, 215, 255, and 232 + i is 8 + 10 i of gray. */
TEST(nearest_colors)
{
	CHECK(tm_color_256(0x000000) == 16);
	CHECK(tm_color_256(0xff0000) == 196);
	CHECK(tm_color_256(0x5f87af) == 16 + 36 + 6 * 2 + 3);
	CHECK(tm_color_256(0x808080) == 244);
	CHECK(tm_color_16(0xff0000) == 91);
	CHECK(tm_color_16(0x808080) == 90);
	CHECK(tm_color_16(0x13c7f4) == 36);
	/* Of 16, one of the same hue: the nearest of all would be gray for most families. */
	CHECK(tm_color_16(tm_hue_of("comm", 4)->dark) == 31);
	CHECK(tm_color_16(tm_hue_of("norm", 4)->dark) == 32);
	CHECK(tm_color_16(tm_hue_of("copy", 4)->light) == 33);
	CHECK(tm_color_16(tm_hue_of("gemm", 4)->light) == 94);
	CHECK(tm_color_16(tm_hue_of("sync", 4)->dark) == 90);
}

/* Nothing is 0 and all of it 8; whatever is between shows as such, however little it is. */
TEST(levels)
{
	struct tm_buf b = { 0 };

	CHECK(tm_level(0, 10) == 0);
	CHECK(tm_level(0, 0) == 0);
	CHECK(tm_level(1, UINT64_MAX) == 1);
	CHECK(tm_level(UINT64_MAX - 1, UINT64_MAX) == 7);
	CHECK(tm_level(5, 10) == 4);
	CHECK(tm_level(10, 10) == 8);
	for (unsigned i = 0; i <= TM_LEVELS; i++)
		tm_put_level(&b, i, false);
	tm_put_level(&b, 1, true);
	tm_put_level(&b, 8, true);
	CHECK(b.p && !strcmp(b.p, " .:-=+*%#\342\226\201\342\226\210"));
	tm_buf_fini(&b);
}

/* One unit a column: the largest in which the least number has a digit, and its points below each
 * other; forced, all digits there are. */
TEST(one_unit_a_column)
{
	struct tm_cell c[] = { tm_cell_u64(15120000000), tm_cell_u64(10330000), tm_cell_u64(0),
		               tm_cell_none() };
	static const struct tm_column total = { .name = "total_ns",
		                                .title = "TOTAL",
		                                .unit = TM_UNIT_NS };
	static const struct tm_column *const cols[] = { &total };
	struct tm_render_ctx ctx = plain;

	ctx.units = TM_UNITS_AUTO;
	EXPECT("text", &ctx, cols, 4, c, "TOTAL s\n 15.120\n  0.010\n  0\n      -\n");
	ctx.units = TM_UNITS_S;
	EXPECT("text", &ctx, cols, 4, c, "TOTAL s\n  15.12\n   0.01\n   0\n      -\n");
	ctx.units = TM_UNITS_NS;
	EXPECT("text", &ctx, cols, 4, c,
	       "   TOTAL ns\n15120000000\n   10330000\n          0\n          -\n");
}

/* What is read across has one unit: what adds up, what is of two sides, least and most of the same.
 * A total and its mean need not. */
TEST(units_read_across)
{
	enum { MS = 1000000 };
	static const struct tm_column
	        busy = { .name = "busy_ns", .title = "BUSY", .unit = TM_UNIT_NS },
	        idle = { .name = "idle_ns", .title = "+IDLE", .unit = TM_UNIT_NS },
	        least = { .name = "min_ns", .title = "MIN", .unit = TM_UNIT_NS },
	        most = { .name = "max_ns", .title = "MAX", .unit = TM_UNIT_NS },
	        a = { .name = "a_ns", .title = "TOTAL A", .unit = TM_UNIT_NS },
	        b = { .name = "b_ns", .title = "TOTAL B", .unit = TM_UNIT_NS };
	static const struct tm_column *const sum[] = { &busy, &idle, &least, &most };
	static const struct tm_column *const sides[] = { &a, &b };
	struct tm_cell c[] = { tm_cell_u64(12 * MS), tm_cell_u64(20000), tm_cell_u64(500),
		               tm_cell_u64(3 * MS) };
	struct tm_cell two_sides[] = { tm_cell_u64(5 * MS), tm_cell_u64(2) };
	struct tm_render_ctx ctx = plain;

	ctx.units = TM_UNITS_AUTO;
	EXPECT("text", &ctx, sum, 1, c,
	       "BUSY ms  +IDLE ms  MIN us    MAX us\n 12.000     0.020   0.500  3000.000\n");
	EXPECT("md", &ctx, sum, 1, c,
	       "| BUSY ms | +IDLE ms | MIN us | MAX us |\n| ---: | ---: | ---: | ---: |\n"
	       "| 12.000 | 0.020 | 0.500 | 3000.000 |\n");
	EXPECT("text", &ctx, sides, 1, two_sides,
	       "TOTAL A ns  TOTAL B ns\n   5000000           2\n");
}

/* A line of characters for numbers in a row: of more than fit, the largest of several stands for
 * them, so that no peak is lost. */
TEST(series)
{
	static const struct tm_column one = { .name = "n", .title = "N", .unit = TM_UNIT_COUNT };
	static const struct tm_column *const cols[] = { &one };
	struct tm_cell c[] = { tm_cell_u64(1) };
	struct tm_table t = table_over(cols, 1, c, 1);
	struct tm_render_ctx ctx = plain;
	struct tm_buf out = { 0 };
	uint64_t v[1000] = { 0 };

	for (size_t i = 0; i < 16; i++)
		v[i] = i == 15 ? 8 : 1;
	ctx.width = 27; /* "a", two blanks, eight characters, two blanks, "1 to 8 of them" */
	CHECK(tm_table_series(&t, v, 16, "a", "1 to 8 of them"));
	CHECK(tm_render_find("text")->render(&out, &t, &ctx));
	CHECK(out.p && !strcmp(out.p, "a  .......#  1 to 8 of them\nN\n1\n"));
	tm_buf_clear(&out);
	for (size_t i = 0; i < 9; i++)
		CHECK(tm_table_series(&t, v, 2, "b", "c"));
	CHECK(t.nseries == TM_SERIES_MOST && t.series_more == 2);
	v[999] = 7;
	CHECK(tm_series_peak(v, 1000, 511, 512) == 7 && tm_series_peak(v, 1000, 100, 512) == 0);
	CHECK(tm_render_find("text")->render(&out, &t, &ctx));
	CHECK(out.p && strstr(out.p, "b  ..  c\n2 more are not drawn\nN\n"));
	for (size_t i = 0; i < t.nseries; i++)
		free(t.series[i].v);
	for (size_t i = 0; i < t.nowned; i++)
		tm_buf_fini(&t.owned[i]);
	free(t.owned);
	tm_buf_fini(&out);
}

TEST(append_only)
{
	struct tm_cell c[] = { TXT("x"), tm_cell_u64(1) };
	struct tm_table t = table_over(two, 2, c, 1);

	for (size_t i = 0; tm_render_modes[i]; i++) {
		struct tm_buf out = { 0 };

		tm_buf_str(&out, "before   ");
		CHECK(tm_render_modes[i]->render(&out, &t, &plain));
		CHECK(out.p && memcmp(out.p, "before   ", 9) == 0);
		CHECK(out.p && out.p[out.n] == '\0' && out.p[out.n - 1] == '\n');
		tm_buf_fini(&out);
	}
}

/* Lines end at blanks, never between a number and its unit; a word that is too long has a line of
 * its own. */
TEST(wrapping)
{
	static const struct {
		const char *text;
		size_t width, indent;
		const char *want;
	} c[] = {
		{ "", 10, 0, "" },
		{ "one two three", 0, 0, "one two three" },
		{ "one two three", 13, 0, "one two three" },
		{ "one two three", 12, 0, "one two\nthree" },
		{ "one two three", 7, 2, "one two\n  three" },
		{ "one two three", 3, 0, "one\ntwo\nthree" },
		{ "idle 38 % of it", 8, 0, "idle\n38 % of\nit" },
		{ "late by 27.00 us, 1 s", 13, 0, "late by\n27.00 us, 1 s" },
		{ "rank 27 use", 8, 0, "rank 27\nuse" },
		{ "a averyverylongword b", 6, 1, "a\n averyverylongword\n b" },
		{ "\303\274\303\274 \303\274\303\274", 5, 0, "\303\274\303\274 \303\274\303\274" },
	};

	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		struct tm_buf out = { 0 };

		CHECK(tm_render_wrap(&out, c[i].text, strlen(c[i].text), c[i].width, c[i].indent));
		CHECK_STR(out.p ? out.p : "", c[i].want);
		tm_buf_fini(&out);
	}
}

TEST_MAIN(T(modes), T(csv_hostile), T(tsv_hostile), T(json_hostile), T(md_hostile),
          T(md_word_underscores_stay), T(text_hostile), T(utf8_limits), T(numbers_in_machine_modes),
          T(numbers_for_people), T(no_rows), T(all_absent), T(scale_time), T(scale_other_units),
          T(bars), T(width_limits), T(two_names_share_the_line), T(different_names_look_different),
          T(names_that_differ_in_several_places), T(wide_characters), T(empty_names_with_width),
          T(padding_is_bounded), T(families), T(nearest_colors), T(levels), T(one_unit_a_column),
          T(units_read_across), T(series), T(append_only), T(wrapping))
