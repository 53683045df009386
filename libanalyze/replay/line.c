/* SPDX-License-Identifier: MIT */
#include "replay/line.h"

#include "replay/weights.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 64 };

/* Do its operations run one after the other, without collectives of several agents, or
 * sends? */
static bool is_one(const struct tm_replay_rows *rows, const struct tm_replay_track *t)
{
	if (t->copy || !(t->has_queue || t->has_stream) || !t->op.n ||
	    !tm_intervals_are_apart(&t->op))
		return false;
	if (!memchr(rows->comm, 1, rows->names.n))
		return true;
	if (rows->comms.n || rows->comms.nown)
		return false;
	for (size_t i = 0; i < t->op.n; i++) {
		const uint32_t name = tm_replay_op_name(rows, t, i);

		if (rows->comm[name] &&
		    (rows->tracks.n > 1 || strstr(rows->names.v[name].text, "SendRecv")))
			return false;
	}
	return true;
}

bool tm_replay_is_line(const struct tm_replay_rows *rows)
{
	const struct tm_replay_track *t = rows->track;

	if (rows->ranks.n != 1 || rows->rank[0].ncall || rows->rank[0].noutside ||
	    !rows->tracks.n || rows->tracks.n > MOST_LINES)
		return false;
	for (uint32_t i = 0; i < rows->tracks.n; i++) {
		for (uint32_t k = 0; k < i; k++)
			if (t[k].has_agent == t[i].has_agent && t[k].agent == t[i].agent)
				return false;
		if (!is_one(rows, &t[i]))
			return false;
	}
	return true;
}

static uint64_t count_comm(const struct tm_replay_rows *rows, const struct tm_replay_track *t)
{
	uint64_t n = 0;

	if (memchr(rows->comm, 1, rows->names.n))
		for (size_t i = 0; i < t->op.n; i++)
			n += rows->comm[tm_replay_op_name(rows, t, i)];
	return n;
}

void tm_replay_line_begin(struct tm_replay *r)
{
	uint64_t n = 0, comm = 0;

	r->line = true;
	r->lo = UINT64_MAX;
	for (uint32_t k = 0; k < r->rows->tracks.n; k++) {
		const struct tm_intervals *s = &r->rows->track[k].op;
		const uint64_t lo = tm_interval_start(s, 0), hi = tm_interval_end(s, s->n - 1);

		r->lo = lo < r->lo ? lo : r->lo;
		r->hi = hi > r->hi ? hi : r->hi;
		n += s->n;
		comm += count_comm(r->rows, &r->rows->track[k]);
	}
	r->counts = (struct tm_replay_counts) {
		.kernels = n,
		.ops = n,
		.uncalled_kernels = n,
		.uncalled = n,
		.assumed = n > 1,
		.comm_ops = comm,
		.comm_ranks = comm != 0,
	};
}

void tm_replay_line_kernels(const struct tm_replay *r, tm_u128 *ns)
{
	for (uint32_t k = 0; k < r->rows->tracks.n; k++) {
		const struct tm_replay_track *t = &r->rows->track[k];

		for (size_t i = 0; i < t->op.n; i++)
			ns[tm_replay_op_name(r->rows, t, i)] += tm_interval_dur(&t->op, i);
	}
}

/* When the last kernel of a lane ends in a scenario.  *same: nothing is elsewhere. */
static uint64_t end_of(const struct pass *p, const struct tm_replay_track *t, bool *same)
{
	const uint64_t first = tm_interval_start(&t->op, 0), n = t->op.n;
	const uint64_t all = tm_interval_end(&t->op, n - 1) - first;
	tm_u128 kernels = 0, before = 0, now;

	if (!p->s->blind && p->same_lengths)
		return first + all;
	for (size_t i = 0; i < n; i++) {
		const struct tm_replay_op op = { .name = tm_replay_op_name(p->r->rows, t, i) };
		const uint64_t was = tm_interval_dur(&t->op, i),
		               is = p->touched[op.name] ? kernel_or_comm_ns(p, &op, was) : was;

		before += was;
		kernels += is;
		*same = *same && is == was;
	}
	now = first + (p->s->blind ? (tm_u128)(n - 1) * ASSUMED_NS : all - before) + kernels;
	*same = *same && now == (tm_u128)first + all;
	return now < UINT64_MAX ? (uint64_t)now : UINT64_MAX;
}

static void run_one(const struct tm_replay_job *j, size_t scenario, uint8_t *touched)
{
	const struct tm_replay *r = j->replay;
	struct pass p = { .r = r, .s = &j->scenario[scenario], .level = LIKELY };
	struct tm_replay_result *out = &j->result[scenario];
	uint64_t last = r->lo;
	bool same = true;

	tm_replay_touch(&p, touched);
	for (uint32_t k = 0; k < r->rows->tracks.n; k++) {
		const uint64_t end = end_of(&p, &r->rows->track[k], &same);

		last = end > last ? end : last;
	}
	for (int at = 0; at < PASSES; at++) {
		out->total[at] = last - r->lo;
		out->identical[at] = same;
	}
}

bool tm_replay_line_run(const struct tm_replay_job *j)
{
	uint8_t *touched = malloc((size_t)j->replay->rows->names.n + 1);

	for (size_t i = 0; touched && i < j->n; i++)
		run_one(j, i, touched);
	free(touched);
	return touched != NULL;
}
