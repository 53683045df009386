/* SPDX-License-Identifier: MIT */
#include "replay/plain/plain.h"

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

/* A scenario, as far as the lanes that were looked at. */
struct line {
	struct pass p;
	uint64_t last;  /* when the last kernel ends */
	bool same;      /* nothing is elsewhere */
	tm_u128 is;     /* what the kernels of a lane take that take another time, */
	tm_u128 before; /* and what they took */
};

static void add_kernels(struct line *v, size_t n, const struct tm_replay_track *t,
                        const struct tm_replay_rows *rows)
{
	for (size_t i = 0; i < t->op.n; i++) {
		const struct tm_replay_op op = { .name = tm_replay_op_name(rows, t, i) };
		const uint64_t was = tm_interval_dur(&t->op, i);

		for (size_t k = 0; k < n; k++) {
			uint64_t is;

			if (!v[k].p.touched[op.name])
				continue;
			is = kernel_or_comm_ns(&v[k].p, &op, was);
			v[k].is += is;
			v[k].before += was;
			v[k].same &= is == was;
		}
	}
}

/* When the last kernel of a lane ends. */
static void end_lane(struct line *l, const struct tm_replay_track *t, tm_u128 kernels)
{
	const uint64_t first = tm_interval_start(&t->op, 0);
	const tm_u128 was = tm_interval_end(&t->op, t->op.n - 1),
	              gaps = l->p.s->blind ? (tm_u128)(t->op.n - 1) * ASSUMED_NS
	                                   : was - first - kernels,
	              now = first + gaps + kernels - l->before + l->is;
	const uint64_t end = now < UINT64_MAX ? (uint64_t)now : UINT64_MAX;

	l->same &= now == was;
	l->last = end > l->last ? end : l->last;
	l->is = l->before = 0;
}

static tm_u128 length_of(const struct tm_intervals *s)
{
	tm_u128 sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += tm_interval_dur(s, i);
	return sum;
}

static void run_all(const struct tm_replay_job *j, struct line *v, uint8_t *touched)
{
	const struct tm_replay *r = j->replay;
	bool any = false, blind = false;

	for (size_t i = 0; i < j->n; i++) {
		v[i] = (struct line) { .p = { .r = r, .s = &j->scenario[i], .level = LIKELY },
			               .last = r->lo,
			               .same = true };
		tm_replay_touch(&v[i].p, touched + i * r->rows->names.n);
		any |= !v[i].p.same_lengths;
		blind |= v[i].p.s->blind;
	}
	for (uint32_t k = 0; k < r->rows->tracks.n; k++) {
		const struct tm_replay_track *t = &r->rows->track[k];
		const tm_u128 kernels = blind ? length_of(&t->op) : 0;

		if (any)
			add_kernels(v, j->n, t, r->rows);
		for (size_t i = 0; i < j->n; i++)
			end_lane(&v[i], t, kernels);
	}
	for (size_t i = 0; i < j->n; i++)
		for (int at = 0; at < PASSES; at++) {
			j->result[i].total[at] = v[i].last - r->lo;
			j->result[i].identical[at] = v[i].same;
		}
}

bool tm_replay_line_run(const struct tm_replay_job *j)
{
	struct line *v = tm_array(j->n + 1, sizeof *v);
	uint8_t *touched = tm_array(j->n + 1, j->replay->rows->names.n + 1);

	if (v && touched)
		run_all(j, v, touched);
	free(v);
	free(touched);
	return v && touched;
}
