/* SPDX-License-Identifier: MIT
 * Tables of readings: whatever the bytes, the rows that are given keep what read/power/power_csv.h
 * says, come again when they are read again, and add up to something that is neither negative nor
 * more than the largest reading all the time. */
#include "power/power_series.h"

#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAW(cond)                                                                                  \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "%s:%d: broken law: %s\n", __FILE__, __LINE__, #cond);     \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* All rows; a hash of them. */
static uint64_t read_rows(const uint8_t *data, size_t n, uint64_t *rows)
{
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_memory("x", data, n, &d);
	struct tm_power_csv t = { 0 };
	uint64_t hash = 0, line = 0;
	enum tm_status st;

	*rows = 0;
	if (!s || tm_source_is_archive(s)) {
		tm_source_close(s);
		return 0;
	}
	st = tm_power_csv_open(&t, s, &d);
	LAW(st == TM_ST_OK || (st == TM_ST_SKIP && *d.text));
	while (st == TM_ST_OK && (st = tm_power_csv_next(&t, &d)) == TM_ST_OK) {
		++*rows;
		LAW(t.line > line);
		line = t.line;
		hash = hash * 31 + t.time_ns;
		LAW(t.time_ns >> 63 == 0);
		for (size_t i = 0; i < t.ncol; i++) {
			LAW(t.value[i] == TM_POWER_NA || t.value[i] <= TM_POWER_MOST ||
			    (t.tall && t.value[i] == TM_POWER_ABSENT));
			hash = hash * 31 + t.value[i];
		}
	}
	LAW(st == TM_ST_END || st == TM_ST_SKIP || (st == TM_ST_WARN && *d.text));
	LAW(!t.rows.n == !t.rows.line && !t.cells.n == !t.cells.line);
	tm_power_csv_fini(&t);
	tm_source_close(s);
	return hash;
}

static void walk(const struct tm_power_node *node, enum tm_power_what what, uint64_t device)
{
	struct tm_power_walk w = { .node = node, .what = what, .device = device, .scale = 10000 };
	uint64_t n = 0, ns = 0, most = 0;
	tm_u128 twice = 0;

	while (tm_power_walk_next(&w)) {
		LAW((w.link == TM_POWER_FIRST) == !n++);
		most = w.v > most ? w.v : most;
		if (w.link != TM_POWER_COVERED)
			continue;
		LAW(w.t >= w.t0 && w.t - w.t0 <= node->gap_ns);
		ns += w.t - w.t0;
		twice += tm_power_twice(&w);
	}
	LAW(n + w.na <= node->rows);
	LAW(twice <= (tm_u128)2 * most * ns);
}

static void add_up(const uint8_t *data, size_t n, uint64_t rows)
{
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_memory("x", data, n, &d);
	struct tm_power_files all = { 0 };
	struct tm_power_csv t = { 0 };
	struct tm_power_node *node;
	size_t nodes;

	LAW(s);
	tm_power_files_read(&all, &t, s, 0, &d);
	LAW(!all.n || all.v[0].n == rows || (t.tall && all.v[0].n < rows));
	for (int what = 0; what < TM_POWER_WHATS; what++) {
		LAW(tm_power_nodes(&all, (enum tm_power_what)what, 0, &node, &nodes));
		for (size_t i = 0; i < nodes; i++)
			for (size_t k = 0; k < node[i].ndevice; k++)
				walk(&node[i], (enum tm_power_what)what, node[i].device[k]);
		tm_power_nodes_free(node, nodes);
	}
	tm_power_csv_fini(&t);
	tm_power_files_fini(&all);
	tm_source_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	uint64_t rows, again;
	uint64_t hash = read_rows(data, n, &rows);

	LAW(read_rows(data, n, &again) == hash && again == rows);
	if (rows)
		add_up(data, n, rows);
	return 0;
}
