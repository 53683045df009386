/* SPDX-License-Identifier: MIT */
#include "metric/whatif/frames.h"

#include <stdlib.h>

/* The label of one gap; true with *label where something was open. */
static bool label_of(const struct tm_stack_rank *s, const struct tm_replay *r,
                     const struct tm_replay_piece *p, struct tm_stack_place *place,
                     struct tm_stack_path *path, uint32_t *label)
{
	struct tm_replay_thread who = tm_replay_piece_thread(r, p);
	size_t thread = tm_stack_thread_find(s, who.has_pid, who.pid, who.has_tid, who.tid);

	if (thread == SIZE_MAX)
		return false;
	tm_stack_at(s, thread, p->start + (p->end - p->start) / 2, place);
	tm_stack_path(s, place, path);
	if (!path->n)
		return false;
	*label = path->label[path->n - 1];
	return true;
}

/* The gaps of one rank. */
static bool name_rank(const struct tm_stack_rank *s, const struct tm_replay *r,
                      const struct tm_replay_path *path, struct tm_names *texts, uint32_t *name)
{
	struct tm_stack_place *place = calloc(1, sizeof *place);
	struct tm_stack_path *around = calloc(1, sizeof *around);
	struct tm_buf text = { 0 };
	bool ok = place && around;
	uint32_t label;

	for (size_t i = 0; ok && i < path->n; i++) {
		const struct tm_replay_piece *p = &path->v[i];

		if (p->kind != TM_REPLAY_HOST_GAP ||
		    tm_replay_rank_of(r, p->rank) != tm_stack_rank_of(s) ||
		    !label_of(s, r, p, place, around, &label))
			continue;
		ok = tm_stack_label_text(s->s, label, &text);
		name[i] = ok ? tm_names_add(texts, text.p ? text.p : "", text.n) : TM_NAME_NONE;
		ok = ok && name[i] != TM_NAME_NONE;
	}
	tm_buf_fini(&text);
	free(place);
	free(around);
	return ok;
}

bool tm_whatif_name_gaps(struct replay_acc *acc, const struct tm_replay *r,
                         const struct tm_replay_path *path, struct tm_names *texts, uint32_t *name)
{
	size_t thread = 0, track = 0;
	bool done = false, ok = tm_stack_settle(&acc->stack);

	while (ok) {
		struct tm_stack_rank s = { 0 };

		ok = tm_stack_rank_next(&s, &acc->stack, &thread, &track, &done);
		if (ok)
			ok = name_rank(&s, r, path, texts, name);
		tm_stack_rank_fini(&s);
	}
	return ok || done;
}
