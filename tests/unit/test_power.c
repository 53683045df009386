/* SPDX-License-Identifier: MIT
 * Readings of power: times and cells as they are written, which stretches are covered, and what a
 * user says about clocks and devices. */
#include "power/energy.h"

#include "test.h"

TEST(times)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "1970-01-01 00:00:00", 0 },
		{ "1970-01-01 00:00:00.000000001", 1 },
		{ "1970-03-01T00:00:00", UINT64_C(59) * 86400 * 1000000000 },
		{ "2000-02-29 12:00:00.5", UINT64_C(951825600500000000) },
		{ "2026-06-12 09:30:00.123456", UINT64_C(1781256600123456000) },
		{ "2250-12-31 23:59:59.999999999", UINT64_C(8867491199999999999) },
	};
	static const char *const wrong[] = {
		"",
		"2026",
		"2026-02-29 00:00:00",
		"2100-02-29 00:00:00",
		"2026-06-31 00:00:00",
		"2026-06-12 09:30",
		"2026-06-12_09:30:00",
		"2026-06-12 09:30:00.",
		"2026-06-12 09:30:00.1x",
		"2026-06-12 09:30:00.0000000001",
		"2026-06-12 09:30:00+02:00",
		"2251-01-01 00:00:00",
		"+026-06-12 09:30:00",
	};
	uint64_t ns;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		CHECK(tm_power_time(good[i].text, strlen(good[i].text), &ns));
		CHECK_U64(ns, good[i].ns);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK(!tm_power_time(wrong[i], strlen(wrong[i]), &ns));
}

TEST(cells)
{
	static const struct {
		const char *text;
		uint64_t v;
	} good[] = {
		{ "135.0", 135000000 },       { "0", 0 },
		{ "0.0000004", 0 },           { "0.0000005", 1 },
		{ "0.9999995", 1000000 },     { "0.99999949999", 999999 },
		{ " 7 W ", 7000000 },         { "71.3%", 71300000 },
		{ "1e3", 1000000000 },        { ".5", 500000 },
		{ "1000000", TM_POWER_MOST }, { "N/A", TM_POWER_NA },
		{ "nan", TM_POWER_NA },       { "", TM_POWER_NA },
		{ "  ", TM_POWER_NA },
	};
	static const char *const wrong[] = { "-1",
		                             "1000000.1",
		                             "1,5",
		                             "0x10",
		                             "W",
		                             ".",
		                             "1..2",
		                             "1.5.",
		                             "inf",
		                             "1e99",
		                             "99999999999999999999",
		                             "--" };
	uint64_t v;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		CHECK(tm_power_value(good[i].text, strlen(good[i].text), &v));
		CHECK_U64(v, good[i].v);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK(!tm_power_value(wrong[i], strlen(wrong[i]), &v));
}

/* Rows 0 1 2 3 7 s, GPU3 without the one at 2: distances 1 1 1 4, median 1, limit 3.5 s. */
TEST(stretches)
{
	static const char text[] = "time,power(w) GPU3,power(w) GPU1\n"
	                           "1970-01-01 00:00:00,10,1\n1970-01-01 00:00:01,20,1\n"
	                           "1970-01-01 00:00:02,N/A,1\n1970-01-01 00:00:03,40,1\n"
	                           "1970-01-01 00:00:07,50,1\n";
	const uint64_t second = 1000000000;
	struct tm_power_files all = { 0 };
	struct tm_power_csv t = { 0 };
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_memory("x", text, sizeof text - 1, &d);
	struct tm_power_walk w = { .what = TM_POWER_WATT, .device = 3, .scale = 20000 };
	struct tm_power_node *node;
	size_t n;

	CHECK(tm_power_files_read(&all, &t, s, 0, &d) == TM_ST_OK);
	CHECK(tm_power_nodes(&all, TM_POWER_VRAM, 0, &node, &n) && !n);
	tm_power_nodes_free(node, n);
	CHECK(tm_power_nodes(&all, TM_POWER_WATT, 0, &node, &n));
	CHECK_U64(n, 1);
	CHECK_U64(node->ndevice, 2);
	CHECK_U64(node->device[0], 1);
	CHECK_U64(node->spacing_ns, second);
	CHECK_U64(node->gap_ns, 3500000000);
	CHECK_U64(node->last_ns, 7 * second);
	CHECK(!tm_power_node_packages(node));
	w.node = node;
	CHECK(tm_power_walk_next(&w) && w.link == TM_POWER_FIRST && w.v == 20000000);
	CHECK(tm_power_walk_next(&w) && w.link == TM_POWER_COVERED &&
	      tm_power_twice(&w) == (tm_u128)60000000 * second);
	CHECK(tm_power_walk_next(&w) && w.link == TM_POWER_COVERED && w.t0 == second &&
	      w.t == 3 * second);
	CHECK_U64(w.na, 1);
	CHECK(tm_power_walk_next(&w) && w.link == TM_POWER_GAP);
	CHECK(!tm_power_walk_next(&w) && !tm_power_walk_next(&w));
	tm_power_nodes_free(node, n);
	tm_power_csv_fini(&t);
	tm_power_files_fini(&all);
	tm_source_close(s);
}

TEST(zones)
{
	static const char *const wrong[] = { "",       "CET",     "2",     "+2",
		                             "+15:00", "+02:60",  "+02:0", "02:00",
		                             "+0x:00", "+02:000", "+02-00" };
	const int64_t minute = INT64_C(60000000000);
	int64_t ns;

	CHECK(tm_energy_zone("+02:00", &ns) && ns == 120 * minute);
	CHECK(tm_energy_zone("-0330", &ns) && ns == -210 * minute);
	CHECK(tm_energy_zone("+14", &ns) && ns == 840 * minute);
	CHECK(tm_energy_zone("UTC", &ns) && !ns);
	CHECK(tm_energy_zone("Z", &ns) && !ns);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK(!tm_energy_zone(wrong[i], &ns));
}

TEST(maps)
{
	static const char *const wrong[] = { "",    "=",  "4=", "=4", "4", "GPU=1", "4294967296=0",
		                             "4=x", "a=1" };
	static struct tm_energy_opts o;
	struct tm_diag d;

	CHECK(tm_energy_map_add(&o, "4=1", &d) && tm_energy_map_add(&o, "GPU 7=3", &d));
	CHECK_U64(o.nmap, 2);
	CHECK_U64(o.map[0].agent, tm_agent_pack(TM_AGENT_NODE, 4));
	CHECK_U64(o.map[1].agent, tm_agent_pack(TM_AGENT_GPU, 7));
	CHECK_U64(o.map[1].device, 3);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK(!tm_energy_map_add(&o, wrong[i], &d));
}

/* Seconds since 1970, to a nanosecond. */
TEST(epochs)
{
	static const char *const wrong[] = { "",   "-1", "1.", "1.0000000001", "9000000000", "1e9",
		                             " 1", "1x", ".5" };
	uint64_t ns;

	CHECK(tm_power_epoch("1733000000", 10, &ns) && ns == UINT64_C(1733000000000000000));
	CHECK(tm_power_epoch("1733000000.25", 13, &ns) && ns == UINT64_C(1733000000250000000));
	CHECK(tm_power_epoch("0.000000001", 11, &ns) && ns == 1);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK(!tm_power_epoch(wrong[i], strlen(wrong[i]), &ns));
}

/* What tm_power_csv_next gives: "time: device=watts ... |", in millionths; "-" no reading, "." no
 * row. */
static void tall_rows(const char *text, const char *want, uint64_t rows, uint64_t cells)
{
	struct tm_power_csv t = { 0 };
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_memory("x", text, strlen(text), &d);
	struct tm_buf b = { 0 };

	tm_buf_str(&b, "");
	CHECK(tm_power_csv_open(&t, s, &d) == TM_ST_OK && t.tall);
	while (tm_power_csv_next(&t, &d) == TM_ST_OK) {
		tm_buf_fmt(&b, "%llu@%llu:", (unsigned long long)t.time_ns,
		           (unsigned long long)t.line);
		for (size_t i = 0; i < t.ncol; i++) {
			tm_buf_fmt(&b, " %s%llu=", t.col[i].what == TM_POWER_VRAM ? "v" : "",
			           (unsigned long long)t.col[i].device);
			if (t.value[i] == TM_POWER_NA || t.value[i] == TM_POWER_ABSENT)
				tm_buf_str(&b, t.value[i] == TM_POWER_NA ? "-" : ".");
			else
				tm_buf_u64(&b, t.value[i]);
		}
		tm_buf_str(&b, "|");
	}
	CHECK_STR(b.p, want);
	CHECK_U64(t.rows.n, rows);
	CHECK_U64(t.cells.n, cells);
	tm_buf_fini(&b);
	tm_power_csv_fini(&t);
	tm_source_close(s);
}

/* A row for each device: those of one second are one row, one that comes again begins the next; the
 * header comes with every sample, and devices when they like. */
TEST(tall_tables)
{
	tall_rows("'CTRL' + 'C' to stop watching output:\n"
	          "timestamp,gpu,xcp,power_usage,hotspot_temperature\r\n"
	          "0,3,0,100,44\r\n0,1,0,N/A,44\r\n\r\n"
	          "timestamp,gpu,xcp,power_usage,hotspot_temperature\r\n"
	          "0,3,0,110.5,44\r\n0.5,7,0,9,44\r\nx,7,0,9,44\r\n0.5,1,0,eight,44\r\n",
	          "0@4: 3=100000000 1=-|0@7: 3=110500000 1=.|500000000@10: 3=. 1=- 7=9000000|", 1,
	          1);
	/* Percent of what there is: 1 of 3 = 33.333333 %; of a table that says percent, those. */
	tall_rows("timestamp,gpu,socket_power,total_vram,used_vram,free_vram\n"
	          "1,0,5,3,1,2\n1,1,5,0,0,0\n1,2,5,N/A,1,1\n",
	          "1000000000@4: 0=5000000 v0=33333333 1=5000000 v1=- 2=5000000 v2=-|", 0, 0);
	tall_rows("timestamp,gpu,vram_used,vram_total,vram_percent\n1,0,1,3,50.5\n",
	          "1000000000@2: v0=50500000|", 0, 0);
}

/* Columns in order, whatever that of the devices; stretches of each device between its own
 * readings. */
TEST(tall_series)
{
	static const char text[] = "timestamp,gpu,power_usage\n"
	                           "0,5,10\n0,2,1\n1,5,30\n2,2,3\n2,5,50\n";
	struct tm_power_files all = { 0 };
	struct tm_power_csv t = { 0 };
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_memory("x", text, sizeof text - 1, &d);
	struct tm_power_walk w = { .what = TM_POWER_WATT, .device = 2, .scale = 10000 };
	struct tm_power_node *node;
	size_t n;

	CHECK(tm_power_files_read(&all, &t, s, 0, &d) == TM_ST_OK);
	CHECK(tm_power_nodes(&all, TM_POWER_WATT, 0, &node, &n) && n == 1);
	CHECK(node->ndevice == 2 && node->device[0] == 2 && node->device[1] == 5);
	CHECK_U64(node->rows, 3);
	w.node = node;
	CHECK(tm_power_walk_next(&w) && w.link == TM_POWER_FIRST && w.v == 1000000);
	CHECK(tm_power_walk_next(&w) && w.link == TM_POWER_COVERED && w.t - w.t0 == 2000000000);
	CHECK(!tm_power_walk_next(&w));
	CHECK_U64(w.na, 0);
	tm_power_nodes_free(node, n);
	tm_power_csv_fini(&t);
	tm_power_files_fini(&all);
	tm_source_close(s);
}

TEST_MAIN(T(epochs), T(tall_tables), T(tall_series), T(times), T(cells), T(stretches), T(zones),
          T(maps))
