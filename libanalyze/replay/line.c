/* SPDX-License-Identifier: MIT */
#include "replay/line.h"

#include "replay/weights.h"

#include <stdlib.h>

static const struct tm_replay_track *track_of(const struct tm_replay_rows *rows)
{
	return &rows->track[0];
}

bool tm_replay_is_line(const struct tm_replay_rows *rows)
{
	const struct tm_replay_track *t = track_of(rows);
	uint64_t end = 0;

	if (rows->ranks.n != 1 || rows->tracks.n != 1 || rows->rank[0].ncall ||
	    rows->rank[0].noutside || t->copy || !(t->has_queue || t->has_stream) || !t->op.n)
		return false;
	for (size_t i = 0; i < t->op.n; i++) {
		const uint64_t start = tm_interval_start(&t->op, i);

		if (start < end || (i && start == end) || !tm_interval_dur(&t->op, i) ||
		    rows->comm[tm_replay_op_name(rows, t, i)])
			return false;
		end = tm_interval_end(&t->op, i);
	}
	return true;
}

void tm_replay_line_begin(struct tm_replay *r)
{
	const struct tm_replay_track *t = track_of(r->rows);
	const uint64_t n = t->op.n;

	r->line = true;
	r->lo = tm_interval_start(&t->op, 0);
	r->hi = tm_interval_end(&t->op, n - 1);
	r->counts = (struct tm_replay_counts) {
		.kernels = n, .ops = n, .uncalled_kernels = n, .uncalled = n, .assumed = n > 1
	};
}

void tm_replay_line_kernels(const struct tm_replay *r, tm_u128 *ns)
{
	const struct tm_replay_track *t = track_of(r->rows);

	for (size_t i = 0; i < t->op.n; i++)
		ns[tm_replay_op_name(r->rows, t, i)] += tm_interval_dur(&t->op, i);
}

/* How long it takes in a scenario. */
static uint64_t length(const struct tm_replay *r, const struct tm_replay_scenario *s,
                       uint8_t *touched)
{
	const struct tm_replay_track *t = track_of(r->rows);
	struct pass p = { .r = r, .s = s, .level = LIKELY };
	tm_u128 kernels = 0, before = 0, all = r->hi - r->lo;

	tm_replay_touch(&p, touched);
	for (size_t i = 0; i < t->op.n && (s->blind || !p.same_lengths); i++) {
		const struct tm_replay_op op = { .name = tm_replay_op_name(r->rows, t, i) };
		const uint64_t ns = tm_interval_dur(&t->op, i);

		before += ns;
		kernels += touched[op.name] ? kernel_ns(&p, &op, ns) : ns;
	}
	all = s->blind ? (tm_u128)(t->op.n - 1) * ASSUMED_NS + kernels : all - before + kernels;
	return all < UINT64_MAX - r->lo ? (uint64_t)all : UINT64_MAX - r->lo;
}

bool tm_replay_line_run(const struct tm_replay_job *j)
{
	uint8_t *touched = malloc((size_t)j->replay->rows->names.n + 1);

	for (size_t i = 0; touched && i < j->n; i++) {
		struct tm_replay_result *out = &j->result[i];
		const uint64_t ns = length(j->replay, &j->scenario[i], touched);

		for (int at = 0; at < PASSES; at++) {
			out->total[at] = ns;
			out->identical[at] = ns == j->replay->hi - j->replay->lo;
		}
	}
	free(touched);
	return touched != NULL;
}
