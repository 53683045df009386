/* SPDX-License-Identifier: MIT
 * rocpd, rpd and rocprof v1 databases: made here with SQLite, read back through the readers, and
 * broken in every way that an open file can be. */
#include "tests/unit/test.h"

#include "read/json/json_stream.h"
#include "read/reader.h"

#include <sqlite3.h>
#include <unistd.h>

/* ---- a database in memory, as bytes ---- */

struct bytes {
	unsigned char *p;
	size_t n;
};

/* What the SQL makes, in pages of 512 bytes. */
static struct bytes make(const char *sql)
{
	struct bytes out = { 0 };
	sqlite3 *db = NULL;
	sqlite3_int64 n = 0;
	unsigned char *p;
	char *why = NULL;

	CHECK(sqlite3_open(":memory:", &db) == SQLITE_OK);
	if (sqlite3_exec(db, "PRAGMA page_size=512", NULL, NULL, NULL) != SQLITE_OK ||
	    sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) {
		fprintf(stderr, "%s\n", why ? why : "?");
		CHECK(false);
	}
	sqlite3_free(why);
	p = sqlite3_serialize(db, "main", &n, 0);
	out.n = (size_t)n;
	out.p = malloc(out.n ? out.n : 1);
	if (p && out.p)
		memcpy(out.p, p, out.n);
	sqlite3_free(p);
	sqlite3_close(db);
	return out;
}

/* What came out of a database. */
struct tm_seen {
	char format[32], producer[64], table[32];
	uint64_t kind[TM_EV_NKINDS], rows, ns, batches;
	uint64_t pid_sum, corr_sum;
	double value_sum;
	char last_name[64];
	struct tm_loss loss;
	enum tm_status end; /* TM_ST_SKIP: it could not be opened */
	bool unknown;
	struct tm_diag why;
};

static void take(struct tm_seen *s, const struct tm_batch *b)
{
	s->batches++;
	s->kind[b->kind] += b->n;
	s->rows += b->n;
	for (uint32_t i = 0; i < b->n; i++) {
		if (tm_batch_has(b, i, TM_EVC_START) && tm_batch_has(b, i, TM_EVC_END))
			s->ns += b->col[TM_EVC_END][i] - b->col[TM_EVC_START][i];
		if (tm_batch_has(b, i, TM_EVC_PID))
			s->pid_sum += b->col[TM_EVC_PID][i];
		if (tm_batch_has(b, i, TM_EVC_CORR))
			s->corr_sum += b->col[TM_EVC_CORR][i];
		if (tm_batch_has(b, i, TM_EVC_VALUE))
			s->value_sum += tm_cell_real(b->col[TM_EVC_VALUE][i]);
		if (tm_batch_has(b, i, TM_EVC_NAME))
			snprintf(s->last_name, sizeof s->last_name, "%.60s",
			         b->names->v[b->col[TM_EVC_NAME][i]].text);
	}
}

static struct tm_seen read_bytes(struct bytes in, const char *from, tm_ev_set want)
{
	struct tm_seen s = { .end = TM_ST_SKIP };
	struct tm_source *src = tm_source_memory("test.db", in.p, in.n, &s.why);
	struct tm_reader *r = tm_reader_open(src, from ? tm_reader_find(from) : NULL, want,
	                                     &s.unknown, &s.why);
	const struct tm_batch *b;

	if (r) {
		snprintf(s.format, sizeof s.format, "%s", r->ops->name);
		snprintf(s.producer, sizeof s.producer, "%s", r->producer ? r->producer : "");
		while ((s.end = tm_reader_next(r, &b, &s.why)) == TM_ST_OK)
			take(&s, b);
		CHECK(tm_reader_next(r, &b, &s.why) == s.end);
		CHECK_U64(r->loss.rows, s.rows);
		s.loss = r->loss;
	}
	tm_reader_close(r);
	tm_source_close(src);
	return s;
}

static struct tm_seen read_sql(const char *sql, tm_ev_set want)
{
	struct bytes in = make(sql);
	struct tm_seen s = read_bytes(in, NULL, want);

	free(in.p);
	return s;
}

#define NAMES (TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END))

/* ---- rocpd ---- */

#define GUID "_a"
#define ROCPD_STRINGS                                                                              \
	"CREATE TABLE rocpd_string_a(id INTEGER PRIMARY KEY, guid TEXT, string TEXT);"             \
	"INSERT INTO rocpd_string_a VALUES(1,'',''),(2,'','HIP_RUNTIME_API_EXT'),"                 \
	"(3,'','MARKER_CORE_RANGE_API'),(4,'','hipMalloc'),(5,'','roctxRangePushA');"
#define ROCPD_KERNELS                                                                              \
	"CREATE TABLE rocpd_info_kernel_symbol_a(id INTEGER PRIMARY KEY, kernel_name TEXT,"        \
	" display_name TEXT);"                                                                     \
	"INSERT INTO rocpd_info_kernel_symbol_a VALUES(1,'fill.kd','fill'),(2,'axpy.kd','');"      \
	"CREATE TABLE rocpd_kernel_dispatch_a(id INTEGER PRIMARY KEY, kernel_id INTEGER,"          \
	" start BIGINT, end BIGINT, event_id INTEGER, pid INTEGER);"
#define ROCPD_EVENTS                                                                               \
	"CREATE TABLE rocpd_event_a(id INTEGER PRIMARY KEY, category_id INTEGER,"                  \
	" stack_id INTEGER, extdata TEXT);"                                                        \
	"CREATE TABLE rocpd_region_a(id INTEGER PRIMARY KEY, start BIGINT, end BIGINT,"            \
	" name_id INTEGER, event_id INTEGER);"

/* Three dispatches of 100 + 50 + 7 ns; process row 9 stands for process 77; the last dispatch has
 * none of its partners, and counts. */
TEST(rocpd_dispatches)
{
	struct tm_seen s = read_sql(
	        ROCPD_STRINGS ROCPD_KERNELS
	        "CREATE TABLE rocpd_info_process_a(id INTEGER PRIMARY KEY, pid INTEGER);"
	        "INSERT INTO rocpd_info_process_a VALUES(9,77);"
	        "INSERT INTO rocpd_kernel_dispatch_a VALUES(1,1,1000,1100,NULL,9),"
	        "(2,1,1200,1250,NULL,9),(3,2,1300,1307,NULL,10);",
	        TM_EV_ALL);

	CHECK_STR(s.format, "rocpd");
	CHECK(s.end == TM_ST_END);
	CHECK_U64(s.kind[TM_EV_DISPATCH], 3);
	CHECK_U64(s.ns, 157);
	CHECK_U64(s.pid_sum, 154);
	CHECK_STR(s.last_name, "axpy.kd");
	CHECK(!tm_loss_any(&s.loss));
}

/* The same with only what a ranking needs. */
TEST(rocpd_projection)
{
	struct tm_seen s = read_sql(
	        ROCPD_STRINGS ROCPD_KERNELS
	        "INSERT INTO rocpd_kernel_dispatch_a VALUES(1,1,1000,1100,NULL,9);",
	        NAMES);

	CHECK_U64(s.rows, 1);
	CHECK_U64(s.ns, 100);
	CHECK_U64(s.pid_sum, 0);
}

/* A marker's text is in its event, with JSON's escapes; where that is broken the function's name
 * stays. */
TEST(rocpd_markers)
{
	static const char *const sets[][2] = {
		{ "{\"message\":\"a \\\"b\\\" \\u00e9\"}", "a \"b\" \xc3\xa9" },
		{ "{\"x\":{\"message\":\"no\"},\"message\":\"yes\"}", "yes" },
		{ "{\"message\":\"", "roctxRangePushA" },
		{ "{\"message\":\"\"}", "roctxRangePushA" },
		{ "{}", "roctxRangePushA" },
		{ "not json", "roctxRangePushA" },
	};

	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		char *sql = sqlite3_mprintf("%s%s INSERT INTO rocpd_event_a VALUES(1,3,5,%Q);"
		                            "INSERT INTO rocpd_region_a VALUES(1,10,20,5,1);",
		                            ROCPD_STRINGS, ROCPD_EVENTS, sets[i][0]);
		struct tm_seen s = read_sql(sql, TM_EV_ALL);

		CHECK_U64(s.kind[TM_EV_API], 1);
		CHECK_STR(s.last_name, sets[i][1]);
		CHECK_U64(s.corr_sum, 5);
		sqlite3_free(sql);
	}
}

/* Two instances of one counter on dispatch 1 (10 + 32), one on dispatch 2 (7), given in any order:
 * two values, 49 in all. */
TEST(rocpd_counters)
{
	struct tm_seen s = read_sql(
	        ROCPD_STRINGS ROCPD_KERNELS
	        "INSERT INTO rocpd_kernel_dispatch_a "
	        "VALUES(1,1,1000,1100,21,9),(2,1,1200,1250,22,9);"
	        "CREATE TABLE rocpd_info_pmc_a(id INTEGER PRIMARY KEY, name TEXT);"
	        "INSERT INTO rocpd_info_pmc_a VALUES(1,'SQ_WAVES'),(2,'SQ_WAVES');"
	        "CREATE TABLE rocpd_pmc_event_a(id INTEGER PRIMARY KEY, event_id INTEGER,"
	        " pmc_id INTEGER, value REAL);"
	        "INSERT INTO rocpd_pmc_event_a VALUES(1,21,1,10),(2,22,1,7),(3,21,2,32);",
	        TM_EV_ALL);

	CHECK_U64(s.kind[TM_EV_COUNTER], 2);
	CHECK(s.value_sum == 49);
	CHECK(!tm_loss_any(&s.loss));
}

/* Rows with a time that is none, a negative one, an end before the start, an unknown name. */
TEST(rocpd_bad_rows)
{
	struct tm_seen s = read_sql(
	        ROCPD_STRINGS ROCPD_KERNELS
	        "INSERT INTO rocpd_kernel_dispatch_a VALUES(1,1,'soon',1100,NULL,9),"
	        "(2,1,1200,1100,NULL,9),(3,99,1300,1310,NULL,9),(4,1,NULL,5,NULL,9),"
	        "(5,1,-3,5,NULL,9),(6,1,x'00',5,NULL,9),(7,1,1.5,5,NULL,9),(8,'x',1,5,NULL,9);",
	        NAMES);

	CHECK(s.end == TM_ST_END);
	CHECK_U64(s.rows, 1);
	CHECK_STR(s.last_name, "(unnamed)");
	CHECK_U64(s.loss.of[TM_LOSS_ROW_MISFIT].n, 6);
	CHECK_U64(s.loss.of[TM_LOSS_ROW_MISFIT].at, 1);
	CHECK_U64(s.loss.of[TM_LOSS_ROW_REVERSED].n, 1);
	CHECK_U64(s.loss.of[TM_LOSS_ROW_REVERSED].at, 2);
	CHECK_U64(s.loss.of[TM_LOSS_ROW_UNNAMED].at, 3);
}

/* A later schema is refused by its number, not misread. */
TEST(rocpd_version_4)
{
	struct tm_seen s = read_sql(
	        ROCPD_STRINGS ROCPD_KERNELS
	        "CREATE TABLE rocpd_metadata_a(id INTEGER PRIMARY KEY, tag TEXT,"
	        " value TEXT);"
	        "INSERT INTO rocpd_metadata_a VALUES(1,'schema_version','4.1.0');",
	        NAMES);

	CHECK(s.end == TM_ST_SKIP);
	CHECK(!s.unknown);
	CHECK(strstr(s.why.text, "schema version 4.1.0"));
}

/* A column that nothing can do without. */
TEST(rocpd_missing_column)
{
	struct tm_seen s = read_sql(ROCPD_STRINGS
	                            "CREATE TABLE rocpd_kernel_dispatch_a(id INTEGER PRIMARY KEY,"
	                            " kernel_id INTEGER, start BIGINT);",
	                            NAMES);

	CHECK(s.end == TM_ST_SKIP);
	CHECK(strstr(s.why.text, "rocpd_kernel_dispatch_a has no column end"));
}

/* Columns of what is looked up are missing: nothing has the name of a column. */
TEST(rocpd_nothing_to_look_up)
{
	struct tm_seen s = read_sql(
	        "CREATE TABLE rocpd_string(id INTEGER PRIMARY KEY, text TEXT);"
	        "CREATE TABLE rocpd_info_kernel_symbol(id INTEGER PRIMARY KEY, x TEXT);"
	        "CREATE TABLE rocpd_info_process(id INTEGER PRIMARY KEY, x TEXT);"
	        "CREATE TABLE rocpd_info_thread(id INTEGER PRIMARY KEY, x TEXT);"
	        "CREATE TABLE rocpd_kernel_dispatch(id INTEGER PRIMARY KEY, pid, tid, kernel_id,"
	        " start, \"end\");"
	        "INSERT INTO rocpd_info_kernel_symbol VALUES(1,'x');"
	        "INSERT INTO rocpd_info_process VALUES(1,'x');"
	        "INSERT INTO rocpd_info_thread VALUES(1,'x');"
	        "INSERT INTO rocpd_kernel_dispatch VALUES(1,1,1,1,100,110);",
	        TM_EV_ALL);

	CHECK(s.end == TM_ST_END);
	CHECK_U64(s.rows, 1);
	CHECK_STR(s.last_name, "(unnamed)");
}

/* A thousand ranges of one event, whose text is a megabyte: that is not parsed a thousand times. */
TEST(rocpd_one_long_message)
{
	struct tm_seen s = read_sql(
	        "CREATE TABLE rocpd_string(id INTEGER PRIMARY KEY, string TEXT);"
	        "INSERT INTO rocpd_string VALUES(1,'MARKER_CORE_RANGE_API'),(2,'roctxRange');"
	        "CREATE TABLE rocpd_event(id INTEGER PRIMARY KEY, category_id INTEGER, extdata);"
	        "INSERT INTO rocpd_event "
	        "VALUES(1,1,printf('{\"a\":\"%.*c\",\"message\":\"m\"}',1000000,'k'));"
	        "CREATE TABLE rocpd_region(id INTEGER PRIMARY KEY, start, \"end\", name_id, "
	        "event_id);"
	        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<1000)"
	        " INSERT INTO rocpd_region SELECT i,i,i+1,2,1 FROM n;",
	        NAMES);

	CHECK(s.end != TM_ST_END);
	CHECK(strstr(s.why.text, "more text than the file has bytes"));
}

/* ---- rpd, rocprof v1, others ---- */

/* Two sessions with strings of their own: one kernel under two ids, one name. */
TEST(rpd_sessions)
{
	struct tm_seen s = read_sql(
	        "CREATE TABLE rocpd_string(id INTEGER PRIMARY KEY, string TEXT);"
	        "INSERT INTO rocpd_string VALUES(1,'fill'),(2,'KernelExecution'),"
	        "(4294967297,'fill'),(4294967298,'KernelExecution'),(3,'CopyHostToDevice'),(4,'');"
	        "CREATE TABLE rocpd_op(id INTEGER PRIMARY KEY, gpuId INTEGER, start INTEGER,"
	        " \"end\" INTEGER, description_id INTEGER, opType_id INTEGER);"
	        "INSERT INTO rocpd_op VALUES(1,2,100,110,1,2),(4294967297,2,200,220,4294967297,"
	        "4294967298),(4294967298,2,300,301,4,3);",
	        NAMES);

	CHECK_STR(s.format, "rpd");
	CHECK_U64(s.kind[TM_EV_DISPATCH], 2);
	CHECK_U64(s.kind[TM_EV_COPY], 1);
	CHECK_U64(s.ns, 31);
	CHECK_STR(s.last_name, "CopyHostToDevice");
}

TEST(rocprofv1_quotes)
{
	struct tm_seen s = read_sql(
	        "CREATE TABLE KERN (\"Index\" INTEGER,\"KernelName\" TEXT,\"SQ \"\"x\" INTEGER,"
	        "\"BeginNs\" INTEGER,\"EndNs\" INTEGER);"
	        "INSERT INTO KERN VALUES(0,'\"fill\"',5,10,20),(1,'\"fill\"','None',30,35);",
	        TM_EV_ALL);

	CHECK_STR(s.format, "rocprofv1-db");
	CHECK_U64(s.kind[TM_EV_DISPATCH], 2);
	CHECK_U64(s.kind[TM_EV_COUNTER], 1);
	CHECK_STR(s.last_name, "fill");
	CHECK(s.value_sum == 5);
}

/* Long names beside many counters: a name is fetched once for each counter, and that is no damage.
 */
TEST(rocprofv1_many_counters)
{
	struct tm_seen s = read_sql(
	        "CREATE TABLE KERN (\"Index\" INTEGER,\"KernelName\" TEXT,a INTEGER,b INTEGER,"
	        "c INTEGER,d INTEGER,e INTEGER,f INTEGER,g INTEGER,h INTEGER,i INTEGER,j INTEGER,"
	        "k INTEGER,l INTEGER,m INTEGER,n INTEGER,\"BeginNs\" INTEGER,\"EndNs\" INTEGER);"
	        "WITH RECURSIVE x(y) AS (SELECT 1 UNION ALL SELECT y+1 FROM x WHERE y<300)"
	        "INSERT INTO KERN SELECT y,printf('\"%.*c%d\"',2000,'k',y),"
	        "1,1,1,1,1,1,1,1,1,1,1,1,1,1,y,y+1 FROM x;",
	        TM_EV_ALL);

	CHECK(s.end == TM_ST_END);
	CHECK_U64(s.kind[TM_EV_DISPATCH], 300);
	CHECK_U64(s.kind[TM_EV_COUNTER], 14 * 300);
	CHECK(s.value_sum == 14 * 300);
}

/* Somebody else's database is no trace, and says so. */
TEST(others)
{
	struct tm_seen s = read_sql("CREATE TABLE t(a); INSERT INTO t VALUES(1);", NAMES);

	CHECK(s.end == TM_ST_SKIP);
	CHECK(s.unknown);
	CHECK(strstr(s.why.text, "another program"));
	s = read_sql("", NAMES);
	CHECK(s.end == TM_ST_SKIP);
}

/* Named by the user, each format says what is missing. */
TEST(named)
{
	static const char *const formats[] = { "rocpd", "rpd", "rocprofv1-db", "run-db" };
	struct bytes in = make("CREATE TABLE t(a);");

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		struct tm_seen s = read_bytes(in, formats[i], NAMES);

		CHECK(s.end == TM_ST_SKIP);
		CHECK(!s.unknown);
		CHECK(s.why.text[0]);
	}
	free(in.p);
}

/* ---- hostile ---- */

/* Views in place of tables, generated columns and virtual tables run somebody's SQL: none is
 * touched. */
TEST(nothing_runs)
{
	struct tm_seen s = read_sql(
	        "CREATE TABLE x(a);"
	        "CREATE VIEW rocpd_string_a AS SELECT 1 AS id, 'x' AS string;"
	        "CREATE VIEW rocpd_kernel_dispatch_a AS SELECT 1 AS id, 1 AS start,"
	        " 2 AS end, 1 AS kernel_id;",
	        NAMES);

	CHECK(s.unknown);
	s = read_sql(
	        ROCPD_STRINGS
	        "CREATE TABLE rocpd_kernel_dispatch_a(id INTEGER PRIMARY KEY, start BIGINT,"
	        " end BIGINT GENERATED ALWAYS AS (start+length(hex(zeroblob(1000000)))) VIRTUAL,"
	        " kernel_id INTEGER);",
	        NAMES);
	CHECK(s.end == TM_ST_SKIP);
	CHECK(strstr(s.why.text, "no column end"));
}

/* A table whose id is no key cannot be looked up quickly: its names count as missing. */
TEST(no_key)
{
	struct tm_seen s = read_sql(
	        "CREATE TABLE rocpd_string_a(id INTEGER, string TEXT);"
	        "CREATE TABLE rocpd_info_kernel_symbol_a(id TEXT, display_name TEXT);"
	        "INSERT INTO rocpd_info_kernel_symbol_a VALUES('1','fill');"
	        "CREATE TABLE rocpd_kernel_dispatch_a(id INTEGER PRIMARY KEY,"
	        " kernel_id INTEGER, start BIGINT, end BIGINT);"
	        "INSERT INTO rocpd_kernel_dispatch_a VALUES(1,1,5,6);",
	        NAMES);

	CHECK_U64(s.rows, 1);
	CHECK_STR(s.last_name, "(unnamed)");
}

/* A dispatch and its events joined many times over must not take time that grows with the square.
 */
TEST(joins_are_bounded)
{
	struct tm_seen s = read_sql(
	        ROCPD_STRINGS ROCPD_KERNELS
	        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<8000)"
	        "INSERT INTO rocpd_kernel_dispatch_a SELECT i,1,i,i+1,7,9 FROM n;"
	        "CREATE TABLE rocpd_pmc_event_a(id INTEGER PRIMARY KEY, event_id INTEGER,"
	        " pmc_id INTEGER, value REAL);"
	        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<8000)"
	        "INSERT INTO rocpd_pmc_event_a SELECT i,7,i,1 FROM n;",
	        TM_EV_ALL);

	/* 64 million pairs: given up, and said. */
	CHECK(s.end == TM_ST_FATAL);
	CHECK(strstr(s.why.text, "rocpd database"));
	CHECK_U64(s.kind[TM_EV_DISPATCH], 8000);
}

static uint32_t big_endian(const unsigned char *p, int n)
{
	uint32_t v = 0;

	while (n-- > 0)
		v = v << 8 | *p++;
	return v;
}

/* An inner page of a table whose children all are the same leaf: rows without end, in a small file.
 */
TEST(circles)
{
	struct bytes in = make(
	        ROCPD_STRINGS ROCPD_KERNELS
	        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<2000)"
	        "INSERT INTO rocpd_kernel_dispatch_a SELECT i,1,i,i+1,NULL,9 FROM n;");
	size_t changed = 0;
	struct tm_seen s;

	for (size_t page = 1; page < in.n / 512; page++) {
		unsigned char *p = in.p + page * 512;
		uint32_t cells = big_endian(p + 3, 2);
		const unsigned char *first;

		if (p[0] != 5 || cells < 10)
			continue;
		first = p + big_endian(p + 12, 2);
		for (uint32_t i = 0; i < cells; i++)
			memcpy(p + big_endian(p + 12 + 2 * i, 2), first, 4);
		changed++;
	}
	CHECK(changed > 0);
	s = read_bytes(in, NULL, NAMES);
	CHECK(s.end == TM_ST_FATAL);
	CHECK(strstr(s.why.text, "damaged"));
	free(in.p);
}

/* Any single byte changed, any end cut off: an answer or a clear error, never a crash or a hang. */
TEST(every_byte)
{
	struct bytes in = make(ROCPD_STRINGS ROCPD_KERNELS ROCPD_EVENTS
	                       "INSERT INTO rocpd_kernel_dispatch_a VALUES(1,1,1000,1100,1,9);"
	                       "INSERT INTO rocpd_event_a VALUES(1,3,5,'{\"message\":\"m\"}');"
	                       "INSERT INTO rocpd_region_a VALUES(1,10,20,5,1);");

	for (size_t i = 0; i < in.n; i += 3) {
		static const unsigned char values[] = { 0, 0xff };
		unsigned char was = in.p[i];

		for (size_t k = 0; k < sizeof values; k++) {
			struct tm_seen s;

			in.p[i] = values[k];
			s = read_bytes(in, NULL, TM_EV_ALL);
			CHECK(s.end == TM_ST_END || s.why.text[0]);
		}
		in.p[i] = was;
	}
	for (size_t n = 16; n < in.n; n += 97) {
		struct tm_seen s = read_bytes((struct bytes) { in.p, n }, NULL, NAMES);

		CHECK(s.end == TM_ST_END || s.why.text[0]);
	}
	free(in.p);
}

/* A text of a megabyte is a text. */
TEST(long_text)
{
	struct tm_seen s = read_sql(
	        "CREATE TABLE rocpd_string(id INTEGER PRIMARY KEY, string TEXT);"
	        "INSERT INTO rocpd_string "
	        "VALUES(1,printf('%.*c',1000000,'k')),(2,'KernelExecution');"
	        "CREATE TABLE rocpd_op(id INTEGER PRIMARY KEY, start INTEGER, \"end\" INTEGER,"
	        " description_id INTEGER, opType_id INTEGER);"
	        "INSERT INTO rocpd_op VALUES(1,100,110,1,2);",
	        NAMES);

	CHECK(s.end == TM_ST_END);
	CHECK_U64(s.rows, 1);
	CHECK(!strncmp(s.last_name, "kkkk", 4));
}

/* ---- JSON ---- */

TEST(json)
{
	static const struct {
		const char *json, *key, *value; /* NULL: none */
	} sets[] = {
		{ "{\"a\":1}", "a", "1" },
		{ " { \"b\" : [1,{\"a\":2}] , \"a\" : -3.5e1 } ", "a", "-3.5e1" },
		{ "{\"b\":\"\\\"a\\\":\",\"a\":\"x\"}", "a", "x" },
		{ "{\"aa\":1}", "a", NULL },
		{ "{\"a\":", "a", NULL },
		{ "{\"a\"", "a", NULL },
		{ "{\"a\":[1,2", "a", NULL },
		{ "[1]", "a", NULL },
		{ "", "a", NULL },
		{ "{", "a", NULL },
		{ "{\"a\":1,\"a\":2}", "a", "1" },
		{ "{\"a\":\"\"}", "a", "" },
		{ "{\"a\":1 garbage", "a", "1" },
		{ "{\"a\":1}{", "a", "1" },
		{ "{\"a\":{\"b\":1}}", "b", NULL },
		{ "{\"b\":[{\"a\":1}]}", "a", NULL },
		{ "{\"\\u0061\":1}", "a", NULL },
		{ "{,\"a\":1}", "a", NULL },
		{ "{\"a\"1}", "a", NULL },
		{ "{\"a\":-}", "a", NULL },
		{ "{\"a\":12", "a", "12" },
		{ "{\"a\":\"x", "a", NULL },
		{ "{\"a\":\"\xff\"}", "a", NULL },
		{ "{\"a\":\"\\u12", "a", NULL },
		{ "{\"b\":\"\xff\",\"a\":1}", "a", NULL },
		{ "\xef\xbb\xbf{\"a\":1}", "a", NULL },
		{ "null", "a", NULL },
		{ "{\"\":1}", "", "1" },
	};
	struct tm_buf b = { 0 };

	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		struct json_item v = { 0 };
		bool found = tm_json_find(sets[i].json, strlen(sets[i].json), sets[i].key, &b, &v);

		CHECK(found == (sets[i].value != NULL));
		if (found && sets[i].value)
			CHECK(v.n == strlen(sets[i].value) && !memcmp(v.p, sets[i].value, v.n));
	}
	/* A NUL byte ends nothing and is no blank; nothing after the bytes is looked at. */
	{
		struct json_item v;

		CHECK(!tm_json_find("{\0\"a\":1}", 9, "a", &b, &v));
		CHECK(!tm_json_find("{\"a\":\0 1}", 9, "a", &b, &v));
		CHECK(tm_json_find("{\"a\":12345}", 6, "a", &b, &v) && v.n == 1);
		CHECK(!tm_json_find("{\"a\":1}", 5, "a", &b, &v));
		CHECK(!tm_json_find("", 0, "a", &b, &v));
	}
	tm_buf_fini(&b);
}

/* Containers within containers: more than can be skipped are no member, and nothing recurses. */
TEST(json_deep)
{
	struct tm_buf deep = { 0 }, copy = { 0 };
	struct json_item v;

	for (int levels = JSON_DEPTH; levels <= 100000; levels += 100000 - JSON_DEPTH) {
		tm_buf_clear(&deep);
		tm_buf_str(&deep, "{\"b\":");
		for (int i = 0; i < levels; i++)
			tm_buf_chr(&deep, '[');
		for (int i = 0; i < levels; i++)
			tm_buf_chr(&deep, ']');
		tm_buf_str(&deep, ",\"a\":1}");
		CHECK(tm_json_find(deep.p, deep.n, "a", &copy, &v) == (levels <= JSON_DEPTH));
	}
	tm_buf_fini(&deep);
	tm_buf_fini(&copy);
}

TEST_MAIN(T(rocpd_dispatches), T(rocpd_projection), T(rocpd_markers), T(rocpd_counters),
          T(rocpd_bad_rows), T(rocpd_version_4), T(rocpd_missing_column),
          T(rocpd_nothing_to_look_up), T(rocpd_one_long_message), T(rpd_sessions),
          T(rocprofv1_quotes), T(rocprofv1_many_counters), T(others), T(named), T(nothing_runs),
          T(no_key), T(joins_are_bounded), T(circles), T(every_byte), T(long_text), T(json),
          T(json_deep))
