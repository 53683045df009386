/* SPDX-License-Identifier: MIT
 * Waiting by what the calls are there for: kstats sync --kinds.
 *
 * Threads that take turns in a call wait as long as one that is in it all the time: a kind is the
 * union over the threads of a process, of all calls that are there for the same. */
#include "metric/idle/sync_parts.h"

#include "work/work.h"

#include <string.h>

enum {
	KIND_RANK,
	KIND_PID,
	KIND_KIND,
	KIND_CALL,
	KIND_CALLS,
	KIND_TOTAL,
	KIND_PCT,
	KIND_IDLE,
	KIND_IDLE_PCT,
	KIND_LATER,
	KIND_N,
};

const struct tm_column tm_sync_kinds_columns[] = {
	[KIND_RANK] = { .name = "rank",
	                .title = "RANK",
	                .unit = TM_UNIT_ID,
	                .about = "rank of the process" },
	[KIND_PID] = { .name = "pid",
	               .title = "PID",
	               .unit = TM_UNIT_ID,
	               .local = true,
	               .spare = 1,
	               .about = "process id" },
	[KIND_KIND] = { .name = "kind",
	                .title = "KIND",
	                .unit = TM_UNIT_TEXT,
	                .about = "kind of call: sync, copy, fill, free, host_free" },
	[KIND_CALL] = { .name = "call",
	                .title = "MOST IN",
	                .unit = TM_UNIT_TEXT,
	                .elastic = true,
	                .about = "call with the most idle_ns over all threads; absent: none" },
	[KIND_CALLS] = { .name = "calls",
	                 .title = "CALLS",
	                 .unit = TM_UNIT_COUNT,
	                 .about = "calls that start inside the window" },
	[KIND_TOTAL] = { .name = "total_ns",
	                 .title = "TOTAL",
	                 .unit = TM_UNIT_NS,
	                 .about = "time with at least one thread in such a call" },
	[KIND_PCT] = { .name = "window_pct",
	               .title = "WINDOW%",
	               .unit = TM_UNIT_PCT,
	               .about = "total_ns / GPU window of the rank" },
	[KIND_IDLE] = { .name = "idle_ns",
	                .title = "IDLE",
	                .unit = TM_UNIT_NS,
	                .about = "part of total_ns with all agents of the rank idle" },
	[KIND_IDLE_PCT] = { .name = "idle_pct",
	                    .title = "IDLE%",
	                    .unit = TM_UNIT_PCT,
	                    .bar = true,
	                    .about = "idle_ns / GPU window of the rank" },
	[KIND_LATER] = { .name = "later_idle_ns",
	                 .title = "LATER IDLE",
	                 .unit = TM_UNIT_NS,
	                 .machine = true,
	                 .about = "part of idle_ns from the first kernel on" },
	[KIND_N] = { 0 },
};

void tm_sync_weigh(const struct tm_work *w, struct kind_sum *k, uint32_t name, tm_u128 total,
                   uint64_t idle)
{
	bool more = k->most == TM_NAME_NONE || idle > k->most_idle;

	if (!more && idle == k->most_idle)
		more = total > k->most_total ||
		       (total == k->most_total && w->order[name] < w->order[k->most]);
	if (!more)
		return;
	k->most = name;
	k->most_idle = idle;
	k->most_total = total;
}

bool tm_sync_note_kinds(struct notes *n, uint64_t rank, const struct tm_work_thread *of,
                        const struct tm_extent *window, bool has_idle,
                        const struct kind_sum kinds[TM_WAIT_KINDS])
{
	for (int k = 0; k < TM_WAIT_KINDS; k++) {
		struct noted *noted = tm_sync_noted(n, rank, NOTED_CALLS);

		if (!noted)
			return false;
		noted->name = kinds[k].most;
		noted->v[NOTED_WAIT] = (uint64_t)k;
		noted->v[NOTED_PID] = of ? of->pid : 0;
		noted->v[NOTED_HAS_PID] = of && of->has_pid;
		noted->v[NOTED_WINDOW] = window ? window->hi - window->lo : 0;
		noted->v[NOTED_KNOWN] = has_idle;
		noted->v[NOTED_COUNT] = kinds[k].calls;
		noted->v[NOTED_TOTAL] = (uint64_t)kinds[k].total;
		noted->v[NOTED_TOTAL_HI] = (uint64_t)(kinds[k].total >> 64);
		noted->v[NOTED_IDLE] = kinds[k].idle;
		noted->v[NOTED_LATER] = kinds[k].later;
	}
	return true;
}

bool tm_sync_put_kinds(const struct notes *n, struct tm_table *t, struct tm_report *rep)
{
	for (size_t i = 0; i < n->n; i++) {
		const struct noted *noted = &n->v[i];
		const uint64_t *v = noted->v;
		const tm_u128 total = (tm_u128)v[NOTED_TOTAL_HI] << 64 | v[NOTED_TOTAL];
		const char *word;
		struct tm_cell *c;

		if (v[NOTED_KIND] != NOTED_CALLS || v[NOTED_WAIT] >= TM_WAIT_KINDS)
			continue;
		c = tm_table_row(t);
		if (!c)
			return false;
		word = tm_wait_words[v[NOTED_WAIT]];
		c[KIND_RANK] = tm_cell_u64(noted->rank);
		if (v[NOTED_HAS_PID])
			c[KIND_PID] = tm_cell_u64(v[NOTED_PID]);
		c[KIND_KIND] = tm_cell_text(word, strlen(word));
		if (noted->name != TM_NAME_NONE)
			c[KIND_CALL] = tm_cell_text(n->names->v[noted->name].text,
			                            n->names->v[noted->name].len);
		c[KIND_CALLS] = tm_cell_u64(v[NOTED_COUNT]);
		c[KIND_TOTAL] = tm_work_sum_cell(total, "durations", rep);
		c[KIND_PCT] = tm_work_pct(total, v[NOTED_WINDOW]);
		if (!v[NOTED_KNOWN])
			continue;
		c[KIND_IDLE] = tm_cell_u64(v[NOTED_IDLE]);
		c[KIND_IDLE_PCT] = tm_work_pct(v[NOTED_IDLE], v[NOTED_WINDOW]);
		c[KIND_LATER] = tm_cell_u64(v[NOTED_LATER]);
	}
	return true;
}
