/* SPDX-License-Identifier: MIT
 * `top` on inputs small enough to be worked out by hand. */
#include "metric/metric.h"

#include "io/source.h"

#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

static char dir[] = "/tmp/tracemill_top_XXXXXX";
static struct tm_classes *classes;

/* The files of a question, and its answer: "name|calls|..." for each row, then the findings. */
enum { MOST = 8 };
static struct tm_input in[MOST];
static size_t nin;
static struct tm_buf out;

static void give(const char *name, const char *text)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	f = fopen(path, "wb");
	CHECK(f && fputs(text, f) >= 0);
	CHECK(f && fclose(f) == 0);
	in[nin] = (struct tm_input) { .path = strdup(path),
		                      .size = strlen(text),
		                      .rank = nin,
		                      .rule = TM_RANK_ORDER,
		                      .run = tm_run_of_path(path) };
	nin++;
}

static void forget(void)
{
	while (nin) {
		nin--;
		unlink(in[nin].path);
		free((void *)(uintptr_t)in[nin].path);
		free((void *)(uintptr_t)in[nin].run);
	}
}

static void put_cell(const struct tm_cell *c)
{
	switch (c->type) {
	case TM_CELL_NONE:
		tm_buf_chr(&out, '-');
		break;
	case TM_CELL_U64:
		tm_buf_u64(&out, c->v.u);
		break;
	case TM_CELL_FIXED:
		tm_buf_fmt(&out, "%s%" PRIu64 ".%04" PRIu64, c->neg ? "-" : "", c->v.u / 10000,
		           c->v.u % 10000);
		break;
	case TM_CELL_TEXT:
	case TM_CELL_DIGITS:
		tm_buf_add(&out, c->v.s, c->len);
		break;
	}
}

/* Sorted and with the columns asked for, as the answer of every tool has them. */
static void shape(struct tm_table *t, const struct tm_metric_opts *o)
{
	size_t which[TM_TABLE_COLUMNS];

	for (size_t i = 0; i < o->nsort; i++)
		which[i] = tm_table_find(t, o->sort[i]);
	CHECK(!o->nsort || tm_table_sort(t, which, o->nsort));
	tm_table_run(t);
	for (size_t i = 0; i < o->ncolumns; i++)
		which[i] = tm_table_find(t, o->columns[i]);
	CHECK(!o->ncolumns || tm_table_choose(t, which, o->ncolumns));
}

/* `columns` are separated by commas; NULL = the usual ones. */
static const char *ask(const struct tm_metric_opts *base, const char *columns, const char *sort,
                       unsigned jobs)
{
	static const char *const words[] = { "note", "warn", "skip", "no", "error" };
	const struct tm_metric *m = tm_metric_find("top");
	char text[2][200], *save[2] = { NULL, NULL };
	const char *column[TM_TABLE_COLUMNS], *key[16];
	struct tm_metric_opts o = *base;
	struct tm_drive d = { .jobs = jobs };
	struct tm_event_sink sink = m->sink;
	struct tm_report rep = { 0 };
	void *acc = calloc(1, sink.size);
	struct tm_table t = { 0 };
	enum tm_status st;

	snprintf(text[0], sizeof text[0], "%s", columns ? columns : "");
	snprintf(text[1], sizeof text[1], "%s", sort ? sort : "");
	for (char *p = strtok_r(text[0], ",", &save[0]); p; p = strtok_r(NULL, ",", &save[0]))
		column[o.ncolumns++] = p;
	for (char *p = strtok_r(text[1], ",", &save[1]); p; p = strtok_r(NULL, ",", &save[1]))
		key[o.nsort++] = p;
	o.columns = columns ? column : NULL;
	o.sort = key;
	o.classes = classes;
	if (!o.domains)
		o.domains = TM_MASK_BIT(TM_DOMAIN_KERNEL);
	d.want = m->want(&o);
	sink.arg = &o;
	CHECK(sink.init(acc, &o));
	CHECK(tm_drive_run(&d, in, nin, &sink, acc, &rep) == TM_ST_OK);
	st = m->fill(acc, &o, &t, &rep);
	CHECK(st == (t.nrows ? TM_ST_OK : TM_ST_END));
	shape(&t, &o);
	tm_buf_clear(&out);
	tm_buf_str(&out, "");
	for (size_t r = 0; r < t.nrows; r++)
		for (size_t c = 0; c < t.ncols; c++) {
			put_cell(&t.cells[r * t.ncols + c]);
			tm_buf_chr(&out, c + 1 < t.ncols ? '|' : '\n');
		}
	for (size_t i = 0; i < rep.n; i++) {
		const char *where = rep.v[i].where ? strrchr(rep.v[i].where, '/') + 1 : "-";

		tm_buf_fmt(&out, "%s %s: %s\n", words[rep.v[i].severity], where, rep.v[i].text);
	}
	tm_table_fini(&t);
	sink.fini(acc);
	free(acc);
	tm_report_fini(&rep);
	return out.p;
}

#define V3                                                                                         \
	"\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Kernel_Name\",\"Start_Timestamp\","    \
	"\"End_Timestamp\",\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\","        \
	"\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n"
#define ROW(agent, queue, stream, name, start, end, wg, grid)                                      \
	"\"KERNEL_DISPATCH\",\"" agent "\"," queue "," stream ",\"" name "\"," start "," end       \
	"," wg "," grid "\n"
#define K(name, start, end) ROW("Agent 1", "1", "0", name, start, end, "64,1,1", "256,1,1")

/* Durations: f 2 4 4 10, g 30.  f: total 20, mean 5, squares 9+1+1+25 = 36, 36/3 = 12; median the
 * 2nd, p90 the ceil(3.6) = 4th.  All: 50. */
static const char five[] = V3 K("f(int)", "100", "102") K("g", "200", "230")
        K("f(int)", "300", "304") K("f(int)", "400", "404") K("f(int)", "500", "510");

TEST(five_rows)
{
	struct tm_metric_opts o = { 0 };

	give("x_kernel_trace.csv", five);
	CHECK_STR(ask(&o,
	              "name,calls,total_ns,pct,cum_pct,avg_ns,min_ns,p50_ns,p90_ns,p99_ns,max_ns,"
	              "stddev_ns",
	              NULL, 1),
	          "g|1|30|60.0000|60.0000|30.0000|30|30|30|30|30|-\n"
	          "f(int)|4|20|40.0000|100.0000|5.0000|2|4|10|10|10|3.4641\n");
	/* The usual columns; none of --per. */
	CHECK(strstr(ask(&o, NULL, NULL, 1), "g|other|1|30|60.0000|") == out.p);
	/* Without a quantile among the columns; sorted by other things. */
	CHECK_STR(ask(&o, "name", "calls", 2), "f(int)\ng\n");
	CHECK_STR(ask(&o, "name", "avg_ns", 2), "g\nf(int)\n");
	CHECK_STR(ask(&o, "name", "p50_ns", 2), "g\nf(int)\n");
	CHECK_STR(ask(&o, "name", "stddev_ns", 2), "f(int)\ng\n");
	CHECK_STR(ask(&o, "name,cum_pct", "calls", 2), "f(int)|40.0000\ng|100.0000\n");
	CHECK_STR(ask(&o, "name", "name", 2), "f(int)\ng\n");
	/* A limit; the share of all rows stays. */
	o.limit = 1;
	CHECK_STR(ask(&o, "name,pct", NULL, 2), "g|60.0000\n");
	/* Sorted by something else, all rows are there for it. */
	CHECK_STR(ask(&o, "name,pct", "calls", 2), "f(int)|40.0000\ng|60.0000\n");
	/* In a window: [200, 400). */
	o = (struct tm_metric_opts) { .windowed = true, .plain_window = { 200, 400 } };
	CHECK_STR(ask(&o, "name,total_ns", NULL, 2), "g|30\nf(int)|4\n");
	o.plain_window = (struct tm_extent) { 600, 700 };
	CHECK_STR(ask(&o, "name", NULL, 2), "error -: nothing to show: none of the 5 kernel "
	                                    "dispatches starts inside the window\n");
	forget();
}

/* Two files of two runs are one population; --per takes it apart. */
TEST(per)
{
	struct tm_metric_opts o = { 0 };

	give("a_kernel_trace.csv",
	     V3 ROW("Agent 1", "1", "0", "f", "10", "20", "64,1,1", "256,1,1")
	             ROW("Agent 2", "1", "3", "f", "20", "40", "64,1,1", "256,1,1")
	                     ROW("GPU 0", "2", "0", "f", "30", "70", "8,8,1", "64,64,1"));
	give("b_kernel_trace.csv",
	     V3 ROW("Agent 1", "1", "0", "f", "10", "90", "64,1,1", "256,1,1"));
	CHECK_STR(ask(&o, "name,calls,total_ns", NULL, 2), "f|4|150\n");
	o.per = TM_PER_SHAPE;
	CHECK_STR(ask(&o, "grid,workgroup,calls,total_ns", NULL, 2),
	          "256x1x1|64x1x1|3|110\n64x64x1|8x8x1|1|40\n");
	o.per = TM_PER_AGENT;
	CHECK_STR(ask(&o, "agent,calls,total_ns", NULL, 2), "1|2|90\nGPU 0|1|40\n2|1|20\n");
	o.per = TM_PER_QUEUE | TM_PER_STREAM;
	CHECK_STR(ask(&o, "queue,stream,calls,total_ns", NULL, 2),
	          "1|0|2|90\n2|0|1|40\n1|3|1|20\n");
	o.per = TM_PER_RANK;
	CHECK_STR(ask(&o, "rank,calls,total_ns,pct", NULL, 2), "1|1|80|53.3333\n0|3|70|46.6667\n");
	/* Only the product of a shape is known. */
	forget();
	give("results_1.csv",
	     "Dispatch_ID,GPU_ID,Grid_Size,Workgroup_Size,Kernel_Name,Start_Timestamp,"
	     "End_Timestamp\n\n1,4,1024,64,\"f\",10,20\n2,4,2048,64,\"f\",20,35\n");
	o.per = TM_PER_SHAPE;
	CHECK_STR(ask(&o, "grid,workgroup,calls,total_ns", NULL, 2),
	          "2048|64|1|15\n1024|64|1|10\n");
	forget();
}

TEST(names_and_classes)
{
	struct tm_metric_opts o = { .level = TM_NAME_FULL };

	give("a_kernel_trace.csv",
	     V3 K("Cijk_Ailk_Bljk_HHS_BH_MT128x64", "10", "20")
	             K("void ns::f<int>(int)", "20", "25") K("void ns::f<float>(float)", "25", "28")
	                     K("_Z1gi.kd", "30", "31") K("g(int)", "31", "33")
	                             K("ncclDevKernel_Generic", "40", "47"));
	CHECK_STR(ask(&o, "name,calls,total_ns", NULL, 1),
	          "Cijk_Ailk_Bljk_HHS_BH_MT128x64|1|10\nncclDevKernel_Generic|1|7\n"
	          "void ns::f<int>(int)|1|5\ng(int)|2|3\nvoid ns::f<float>(float)|1|3\n");
	o.level = TM_NAME_BASE;
	CHECK_STR(ask(&o, "name,calls,total_ns", NULL, 2),
	          "Cijk_Ailk_Bljk_HHS_BH_MT128x64|1|10\nf|2|8\nncclDevKernel_Generic|1|7\ng|2|3\n");
	o = (struct tm_metric_opts) { .by_class = true };
	ask(&o, "name,class,calls,total_ns", NULL, 2);
	CHECK(strstr(out.p, "gemm|gemm|1|10\n"));
	CHECK(strstr(out.p, "other|other|4|11\n"));
	o.strict = true;
	CHECK(strstr(ask(&o, "name", NULL, 1), "error -: "));
	forget();
}

#define API                                                                                        \
	"\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\","                 \
	"\"Start_Timestamp\",\"End_Timestamp\"\n"

TEST(domains)
{
	struct tm_metric_opts o = { 0 };

	give("a_kernel_trace.csv", five);
	give("a_hip_api_trace.csv", API "\"HIP_RUNTIME_API\",\"hipMalloc\",1,2,3,10,17\n"
	                                "\"HSA_CORE_API\",\"hsa_init\",1,2,3,10,12\n"
	                                "\"MARKER_CORE_API\",\"step\",1,2,3,0,1000\n");
	give("a_memory_copy_trace.csv", "\"Kind\",\"Direction\",\"Source_Agent_Id\",\"Destination_"
	                                "Agent_Id\",\"Correlation_Id\","
	                                "\"Start_Timestamp\",\"End_Timestamp\"\n\"MEMORY_COPY\","
	                                "\"HOST_TO_DEVICE\",0,4,1,10,20\n");
	CHECK_STR(ask(&o, "name,total_ns,pct", NULL, 2), "g|30|60.0000\nf(int)|20|40.0000\n");
	o.domains = TM_MASK_BIT(TM_DOMAIN_HIP);
	CHECK_STR(ask(&o, "name,class,total_ns,pct", NULL, 2), "hipMalloc|hip|7|100.0000\n");
	o.domains = TM_MASK_BIT(TM_DOMAIN_COPY) | TM_MASK_BIT(TM_DOMAIN_HSA);
	CHECK_STR(ask(&o, "name,class,total_ns", NULL, 2),
	          "HOST_TO_DEVICE|copy|10\nhsa_init|hsa|2\n");
	o.domains = TM_MASK_BIT(TM_DOMAIN_RCCL);
	CHECK(strstr(ask(&o, "name", NULL, 2), "error -: nothing to show: no RCCL API calls"));
	o.domains = TM_MASK_BIT(TM_DOMAIN_N) - 1;
	o.all_domains = true;
	ask(&o, "name,total_ns,pct", NULL, 2);
	/* 50 + 7 + 2 + 1000 + 10 = 1069 */
	CHECK(strstr(out.p, "step|1000|93.5454\n") == out.p);
	CHECK(strstr(out.p, "note -: domains overlap"));
	forget();
}

#define STATS                                                                                      \
	"\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\"MaxNs\"," \
	"\"StdDev\"\n"

TEST(statistics)
{
	struct tm_metric_opts o = { 0 };

	/* f: 2 4 4 10 again; g: 30. */
	give("a_kernel_stats.csv", STATS "\"g\",1,30,30.000000,60.00,30,30,0.00000000e+00\n"
	                                 "\"f(int)\",4,20,5.000000,40.00,2,10,3.464102\n");
	CHECK_STR(ask(&o, "name,calls,total_ns,pct,avg_ns,min_ns,p50_ns,max_ns,stddev_ns", NULL, 2),
	          "g|1|30|60.0000|30.0000|30|-|30|-\n"
	          "f(int)|4|20|40.0000|5.0000|2|-|10|3.4641\n");
	/* The trace of the same run knows better; another run's is added. */
	give("a_kernel_trace.csv", five);
	CHECK_STR(ask(&o, "name,calls,total_ns,pct", NULL, 2),
	          "g|1|30|60.0000\nf(int)|4|20|40.0000\nnote a_kernel_stats.csv: skipped: the "
	          "trace of the same run is also given\n");
	forget();
	give("a_kernel_stats.csv", STATS "\"g\",1,30,30.000000,100.00,30,30,0.00000000e+00\n");
	give("b_kernel_trace.csv", five);
	CHECK_STR(ask(&o, "name,calls,total_ns,p50_ns", NULL, 2),
	          "g|2|60|-\nf(int)|4|20|4\nwarn -: traces and statistics files are added up as "
	          "different runs\n");
	/* A window cannot look into a statistics file. */
	o.windowed = true;
	o.plain_window = (struct tm_extent) { 0, 1000 };
	CHECK(strstr(ask(&o, "name,calls", NULL, 2), "g|1\nf(int)|4\n") == out.p);
	CHECK(strstr(out.p, "error -: 1 row"));
	forget();
}

/* domain_stats stands for whole domains: only with --domain all, and only alone. */
TEST(totals_per_domain)
{
	struct tm_metric_opts o = { 0 };

	give("a_domain_stats.csv", STATS "\"KERNEL_DISPATCH\",5,50,10.000000,83.33,2,30,11.0\n"
	                                 "\"HIP_API\",1,10,10.000000,16.67,10,10,0.0\n");
	ask(&o, "name", NULL, 2);
	CHECK(strstr(out.p, "totals per domain") && strstr(out.p, "try kstats top --domain all"));
	o.domains = TM_MASK_BIT(TM_DOMAIN_N) - 1;
	o.all_domains = true;
	CHECK(strstr(ask(&o, "name,total_ns", NULL, 2), "KERNEL_DISPATCH|50\nHIP_API|10\n") ==
	      out.p);
	give("a_kernel_stats.csv", STATS "\"g\",1,30,30.000000,100.00,30,30,0.00000000e+00\n");
	ask(&o, "name,total_ns", NULL, 2);
	CHECK(strstr(out.p, "g|30\n") == out.p);
	CHECK(strstr(out.p, "note a_domain_stats.csv: skipped: it only sums up other files"));
	forget();
}

/* The first rows of a file whose rows are 20 %, 10 % and 5 % of 1000: the rest was cut off. */
TEST(cut_statistics)
{
	struct tm_metric_opts o = { 0 };

	give("a_kernel_stats.csv", STATS "\"a\",1,200,200.000000,20.00,200,200,0.0\n"
	                                 "\"b\",1,100,100.000000,10.00,100,100,0.0\n"
	                                 "\"c\",1,50,50.000000,5.00,50,50,0.0\n");
	ask(&o, "name,total_ns,pct,cum_pct", NULL, 2);
	/* 20.00 +- 0.005 says 999.75 .. 1000.25, the others say no more: the middle is 1000. */
	CHECK(strstr(out.p,
	             "a|200|20.0000|20.0000\nb|100|10.0000|30.0000\nc|50|5.0000|35.0000\n") ==
	      out.p);
	CHECK(strstr(
	        out.p,
	        "warn a_kernel_stats.csv: truncated: its rows cover 35.00 % of the kernel time"));
	CHECK(strstr(out.p, "(about 1000 ns)"));
	forget();
	/* Percentages that contradict one another say nothing. */
	give("a_kernel_stats.csv", STATS "\"a\",1,200,200.000000,20.00,200,200,0.0\n"
	                                 "\"b\",1,100,100.000000,50.00,100,100,0.0\n");
	ask(&o, "name,pct", NULL, 2);
	CHECK(strstr(out.p, "a|66.6667\nb|33.3333\n") == out.p);
	CHECK(strstr(out.p, "does not match the rows"));
	forget();
}

/* A deviation that ran over is put right: 10000 calls of exactly 1 ms. */
TEST(repaired_deviation)
{
	struct tm_metric_opts o = { 0 };

	give("a_kernel_stats.csv",
	     STATS "\"a\",10000,10000000000,1000000.000000,100.00,1000000,1000000,960431.906295\n");
	CHECK_STR(ask(&o, "name,stddev_ns", NULL, 1),
	          "a|0.0000\nnote a_kernel_stats.csv: StdDev of 1 row corrected (the profiler's "
	          "sum of squares overflowed 64 bits: total above 4.29 s)\n");
	forget();
	/* Pooled with another file, and given up where it cannot be known. */
	give("a_kernel_stats.csv",
	     STATS "\"a\",3,9000000000000,3000000000000.000000,100.00,1,8999999999998,0.0\n");
	ask(&o, "name,calls,stddev_ns", NULL, 1);
	CHECK(strstr(out.p, "a|3|-\n") == out.p);
	CHECK(strstr(out.p, "StdDev of 1 row unknown"));
	forget();
}

#define COUNTERS                                                                                   \
	"\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Kernel_Name\",\"Counter_Name\","        \
	"\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"\n"

/* Every counter of a dispatch repeats its times: they count once. */
TEST(counters)
{
	struct tm_metric_opts o = { 0 };

	give("a_counter_collection.csv", COUNTERS "1,1,4,\"f\",\"SQ_WAVES\",16.000000,10,20\n"
	                                          "1,1,4,\"f\",\"GRBM_COUNT\",99.000000,10,20\n"
	                                          "2,2,4,\"f\",\"SQ_WAVES\",16.000000,30,60\n"
	                                          "2,2,4,\"f\",\"GRBM_COUNT\",99.000000,30,60\n"
	                                          "3,3,4,\"g\",\"GRBM_COUNT\",99.000000,70,75\n");
	CHECK_STR(ask(&o, "name,calls,total_ns,p50_ns", NULL, 2),
	          "f|2|40|10\ng|1|5|5\nnote a_counter_collection.csv: durations come from a "
	          "counter collection, which runs kernels one at a time\n");
	/* Beside the kernel trace of the same run they count for nothing. */
	give("a_kernel_trace.csv", five);
	CHECK_STR(ask(&o, "name,calls,total_ns", NULL, 2),
	          "g|1|30\nf(int)|4|20\nnote a_counter_collection.csv: skipped: the trace of the "
	          "same run is also given; counting makes its kernels run one at a time\n");
	forget();
}

/* Rows without times are counted, not shown. */
TEST(untimed)
{
	struct tm_metric_opts o = { 0 };

	give("a.csv", "Index,KernelName,gpu-id,queue-id,SQ_WAVES\n0,\"f\",0,1,5\n1,\"f\",0,1,5\n");
	CHECK(strstr(ask(&o, "name", NULL, 2),
	             "nothing to show: 2 kernel dispatches without start and end"));
	give("b_kernel_trace.csv", five);
	ask(&o, "name,calls", NULL, 2);
	CHECK(strstr(out.p, "g|1\nf(int)|4\n") == out.p);
	CHECK(strstr(out.p, "skip -: 2 rows without start and end times skipped"));
	forget();
}

/* One file or many, one worker or four, in whichever order: the same table. */
TEST(same_by_any_way)
{
	static const char *const per[] = {
		"name,calls,total_ns,pct,cum_pct,avg_ns,min_ns,p50_ns,p90_ns,"
		"p99_ns,max_ns,stddev_ns,grid,agent,queue"
	};
	struct tm_buf parts[4] = { { 0 } }, whole = { 0 }, want = { 0 };
	struct tm_metric_opts o = { .per = TM_PER_SHAPE | TM_PER_AGENT | TM_PER_QUEUE };
	uint64_t rng = 88172645463325252u;

	for (int i = 0; i < 4; i++)
		tm_buf_str(&parts[i], V3);
	tm_buf_str(&whole, V3);
	for (unsigned i = 0; i < 30000; i++) {
		struct tm_buf row = { 0 };

		rng ^= rng << 13;
		rng ^= rng >> 7;
		rng ^= rng << 17;
		tm_buf_fmt(&row, "\"K\",\"Agent %u\",%u,0,\"k%u\",%u,%u,64,1,1,%u,1,1\n",
		           (unsigned)(rng >> 60) % 3, (unsigned)(rng >> 50) % 2,
		           (unsigned)(rng >> 40) % 5, i * 1000,
		           i * 1000 + (unsigned)(rng >> 20) % 5000, 64 << (rng >> 33) % 2);
		tm_buf_add(&whole, row.p, row.n);
		tm_buf_add(&parts[(rng >> 11) % 4], row.p, row.n);
		tm_buf_fini(&row);
	}
	give("x_kernel_trace.csv", whole.p);
	tm_buf_str(&want, ask(&o, per[0], NULL, 1));
	CHECK(want.n > 3000);
	forget();
	for (int turn = 0; turn < 4; turn++) {
		for (int i = 0; i < 4; i++) {
			char name[32];

			snprintf(name, sizeof name, "%d_kernel_trace.csv", i);
			give(name, parts[(i + turn) % 4].p);
		}
		for (unsigned jobs = 1; jobs <= 4; jobs++)
			CHECK_STR(ask(&o, per[0], NULL, jobs), want.p);
		forget();
	}
	for (int i = 0; i < 4; i++)
		tm_buf_fini(&parts[i]);
	tm_buf_fini(&whole);
	tm_buf_fini(&want);
}

static void begin(void)
{
	struct tm_diag d;

	if (!mkdtemp(dir))
		abort();
	classes = tm_classes_builtin(&d);
	CHECK(classes != NULL);
}

static void end(void)
{
	tm_classes_free(classes);
	tm_buf_fini(&out);
	rmdir(dir);
}

TEST_MAIN(T(begin), T(five_rows), T(per), T(names_and_classes), T(domains), T(statistics),
          T(totals_per_domain), T(cut_statistics), T(repaired_deviation), T(counters), T(untimed),
          T(same_by_any_way), T(end))
