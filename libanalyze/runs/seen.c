/* SPDX-License-Identifier: MIT */
#include "runs/seen.h"

#include "base/base.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_PART, KEY_NAME, KEY_WORDS };

#define TIMED (TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END))

static bool seen_init(void *acc, const void *arg)
{
	*(struct tm_seens *)acc = (struct tm_seens) { .o = arg };
	return true;
}

static void one_fini(struct tm_seen *s)
{
	tm_trace_id_fini(&s->id);
	free(s->source);
	free(s->calls);
	free(s->agent);
	tm_groups_fini(&s->keys);
	tm_groups_fini(&s->guids);
	tm_groups_fini(&s->pids);
	tm_groups_fini(&s->dispatches);
	tm_groups_fini(&s->counters);
	free(s->exact);
}

static void seen_fini(void *acc)
{
	struct tm_seens *s = acc;

	for (size_t i = 0; i < s->n; i++)
		one_fini(&s->v[i]);
	free(s->v);
	tm_names_fini(&s->names);
	tm_content_fini(&s->content);
	free(s->known[0]);
	free(s->known[1]);
	free(s->hash);
	tm_buf_fini(&s->text);
}

static bool seen_piece(void *acc, const struct tm_piece *p)
{
	struct tm_seens *s = acc;
	struct tm_seen *t;

	if (!tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return false;
	t = &s->v[s->n++];
	*t = (struct tm_seen) { .source = strdup(p->source),
		                .inside = p->inside,
		                .input = p->input,
		                .nth = p->nth,
		                .stored = p->origin != NULL,
		                .totals = p->origin && p->origin->totals,
		                .more = p->more,
		                .keys = { .words = KEY_WORDS },
		                .guids = { .words = 1 },
		                .pids = { .words = 1 },
		                .dispatches = { .words = 3 },
		                .counters = { .words = 1 } };
	for (int i = 0; i < TM_TRACE_PARTS; i++)
		t->part[i].first = UINT64_MAX;
	/* What it held, those know who read it. */
	if (t->totals && p->origin->has_content && !p->more) {
		t->events = p->origin->loss.rows;
		t->content = p->origin->content;
	}
	tm_content_reset(&s->content);
	s->nknown = 0;
	s->pass = s->o->passes && s->o->passes(s->o->arg, p->id.own_run);
	return tm_trace_id_copy(&t->id, &p->id) && t->source;
}

/* ---- names ---- */

/* Room for the names that the reader has by now. */
static bool know_names(struct tm_seens *s, uint32_t n)
{
	if (n <= s->nknown)
		return true;
	for (int k = 0; k < 2; k++) {
		if (!tm_grow_array(&s->known[k], &s->known_cap[k], n, sizeof *s->known[k]))
			return false;
		memset(s->known[k] + s->nknown, 0, (n - s->nknown) * sizeof *s->known[k]);
	}
	s->nknown = n;
	return true;
}

/* What is the same name in every format. */
static uint32_t own_name(struct tm_seens *s, const struct tm_batch *b, uint32_t id,
                         enum tm_trace_part part)
{
	const struct tm_name *nm = &b->names->v[id];
	bool kernel = part == (enum tm_trace_part)TM_DOMAIN_KERNEL || part == TM_PART_COUNTER;
	const char *direction = part == (enum tm_trace_part)TM_DOMAIN_COPY
	                                ? tm_copy_direction(nm->text, nm->len)
	                                : NULL;
	uint32_t own;

	if (direction)
		return tm_names_add(&s->names, direction, strlen(direction));
	if (s->known[kernel][id])
		return s->known[kernel][id] - 1;
	tm_buf_clear(&s->text);
	if (kernel ? !tm_kernel_name(&s->text, nm->text, nm->len, TM_NAME_FULL)
	           : !tm_buf_add(&s->text, nm->text, nm->len))
		return TM_NAME_NONE;
	own = tm_names_add(&s->names, s->text.p ? s->text.p : "", s->text.n);
	if (own != TM_NAME_NONE)
		s->known[kernel][id] = own + 1;
	return own;
}

static bool know_hashes(struct tm_seens *s)
{
	if (!tm_grow_array(&s->hash, &s->hash_cap, s->names.n, sizeof *s->hash))
		return false;
	for (; s->nhash < s->names.n; s->nhash++) {
		const struct tm_name *nm = &s->names.v[s->nhash];

		s->hash[s->nhash] = tm_hash_bytes(tm_hash_own(), nm->text, nm->len);
	}
	return true;
}

/* ---- rows ---- */

static struct tm_seen_calls *calls_of(struct tm_seen *t, uint64_t part, uint64_t name)
{
	uint64_t key[KEY_WORDS] = { [KEY_PART] = part, [KEY_NAME] = name };
	uint32_t i = tm_groups_item(&t->keys, key, &t->calls, &t->calls_cap, sizeof *t->calls,
	                            NULL);

	return i == TM_GROUP_NONE ? NULL : &t->calls[i];
}

static uint64_t cell(const struct tm_batch *b, uint32_t i, enum tm_ev_col c)
{
	return tm_batch_has(b, i, c) ? b->col[c][i] : 0;
}

/* The kernels of an agent, of which there are few; NULL when out of memory. */
static struct tm_seen_agent *agent_of(struct tm_seen *t, uint64_t agent)
{
	for (size_t k = 0; k < t->nagents; k++)
		if (t->agent[k].agent == agent)
			return &t->agent[k];
	if (!tm_grow_array(&t->agent, &t->agent_cap, t->nagents + 1, sizeof *t->agent))
		return NULL;
	t->agent[t->nagents] = (struct tm_seen_agent) { .agent = agent, .first = UINT64_MAX };
	return &t->agent[t->nagents++];
}

/* Which kernel is it? */
static bool take_kernel(struct tm_seen *t, const struct tm_batch *b, uint32_t i)
{
	struct tm_seen_agent one = { .agent = UINT64_MAX,
		                     .kernels = 1,
		                     .first = b->col[TM_EVC_START][i],
		                     .last = b->col[TM_EVC_END][i],
		                     .starts = b->col[TM_EVC_START][i] };
	const uint64_t times[] = { one.first, one.last };
	struct tm_seen_agent *a;

	one.time_sum = tm_hash_digest(times, 2);
	if (tm_batch_has(b, i, TM_EVC_AGENT))
		one.agent = b->col[TM_EVC_AGENT][i];
	/* 0 is none. */
	if (cell(b, i, TM_EVC_CORR)) {
		one.ids = 1;
		one.id_sum = tm_hash_digest(&b->col[TM_EVC_CORR][i], 1);
	}
	a = agent_of(t, one.agent);
	if (a)
		tm_seen_agent_add(a, &one);
	return a != NULL;
}

/* Which execution of a dispatch is it?  What has its times is no other. */
static bool take_exact(struct tm_seens *s, struct tm_seen *t, const struct tm_batch *b, uint32_t i,
                       uint32_t kernel)
{
	const tm_ev_set need = TIMED | TM_EV_BIT(TM_EVC_DISPATCH_ID);
	uint64_t w[5], hash;

	if (!tm_batch_has_all(b, i, need))
		return true;
	w[0] = s->hash[kernel];
	w[1] = b->col[TM_EVC_DISPATCH_ID][i];
	w[2] = b->col[TM_EVC_START][i];
	w[3] = b->col[TM_EVC_END][i];
	w[4] = cell(b, i, TM_EVC_PID);
	hash = tm_hash_words(tm_hash_own(), w, 5);
	/* Its counters follow one another. */
	if (t->nexact && t->exact[t->nexact - 1] == hash)
		return true;
	if (!tm_grow_array(&t->exact, &t->exact_cap, t->nexact + 1, sizeof *t->exact))
		return false;
	t->exact[t->nexact++] = hash;
	return true;
}

/* Which dispatch is it, as far as another execution of the program would tell? */
static bool take_dispatch(struct tm_seens *s, struct tm_seen *t, const struct tm_batch *b,
                          uint32_t i, uint32_t kernel)
{
	bool grid = tm_batch_has(b, i, TM_EVC_GRID_X), id = tm_batch_has(b, i, TM_EVC_DISPATCH_ID),
	     fresh;
	uint64_t size = grid ? b->col[TM_EVC_GRID_X][i] * cell(b, i, TM_EVC_GRID_Y) *
	                                cell(b, i, TM_EVC_GRID_Z)
	                     : cell(b, i, TM_EVC_GRID);
	uint64_t w[3], key[3];

	if (b->kind == TM_EV_COUNTER && tm_batch_has(b, i, TM_EVC_COUNTER)) {
		const struct tm_name *nm = &b->names->v[b->col[TM_EVC_COUNTER][i]];
		uint32_t name = tm_names_add(&s->names, nm->text, nm->len);

		key[0] = name;
		if (name == TM_NAME_NONE || tm_groups_add(&t->counters, key, NULL) == TM_GROUP_NONE)
			return false;
	}
	if (!know_hashes(s) || !take_exact(s, t, b, i, kernel))
		return false;
	w[0] = s->hash[kernel];
	w[1] = id ? b->col[TM_EVC_DISPATCH_ID][i] : t->bare;
	w[2] = id;
	key[0] = tm_hash_words(tm_hash_own(), w, 3);
	key[1] = size;
	key[2] = w[1];
	t->bare += !id;
	t->gridless += !grid && !tm_batch_has(b, i, TM_EVC_GRID);
	if (tm_groups_add(&t->dispatches, key, &fresh) == TM_GROUP_NONE)
		return false;
	if (!fresh)
		return true;
	t->timed += tm_batch_has(b, i, TM_EVC_START) && tm_batch_has(b, i, TM_EVC_END);
	w[1] = size;
	w[2] = 0;
	t->loose += tm_hash_words(tm_hash_own(), w, 3);
	return true;
}

static bool take_row(struct tm_seens *s, struct tm_seen *t, const struct tm_batch *b, uint32_t i,
                     enum tm_trace_part part)
{
	struct tm_seen_part *p = &t->part[part];
	struct tm_seen_calls *calls;
	tm_ev_set has = b->has == b->some ? b->has : b->row_has[i] & b->some;
	uint64_t name = TM_NAME_NONE, ns = 0, n = 1;

	p->rows++;
	p->columns |= has;
	if ((has & TIMED) == TIMED) {
		uint64_t start = b->col[TM_EVC_START][i], end = b->col[TM_EVC_END][i];

		ns = end - start;
		p->timed++;
		p->fine |= start % 1000 || end % 1000;
		p->total += ns;
		p->first = start < p->first ? start : p->first;
		p->last = end > p->last ? end : p->last;
		p->longest = ns > p->longest ? ns : p->longest;
		if (part == (enum tm_trace_part)TM_DOMAIN_KERNEL && !take_kernel(t, b, i))
			return false;
	}
	if (part == TM_PART_AGENT || part == TM_PART_SAMPLE || part == TM_PART_SERIES)
		return true;
	if (part == TM_PART_STAT) {
		part = (enum tm_trace_part)cell(b, i, TM_EVC_DOMAIN);
		ns = cell(b, i, TM_EVC_TOTAL);
		n = cell(b, i, TM_EVC_CALLS);
	}
	if (has & TM_EV_BIT(TM_EVC_NAME)) {
		name = own_name(s, b, (uint32_t)b->col[TM_EVC_NAME][i], part);
		if (name == TM_NAME_NONE)
			return false;
	}
	/* Those of statistics after those of events. */
	calls = calls_of(t, b->kind == TM_EV_STAT ? TM_TRACE_PARTS + (uint64_t)part : part, name);
	if (!calls)
		return false;
	calls->calls += n;
	calls->total += ns;
	return !s->pass || name == TM_NAME_NONE ||
	       (b->kind != TM_EV_DISPATCH && part != TM_PART_COUNTER) ||
	       take_dispatch(s, t, b, i, (uint32_t)name);
}

/* Which processes is it of?  Most rows repeat the one before. */
static bool take_guids(struct tm_seens *s, struct tm_seen *t, const struct tm_batch *b)
{
	uint64_t last = TM_NAME_NONE;

	if (!(b->some & TM_EV_BIT(TM_EVC_GUID)))
		return true;
	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t own;

		if (!tm_batch_has(b, i, TM_EVC_GUID) || b->col[TM_EVC_GUID][i] == last)
			continue;
		last = b->col[TM_EVC_GUID][i];
		own = own_name(s, b, (uint32_t)last, (enum tm_trace_part)TM_DOMAIN_OTHER);
		if (own == TM_NAME_NONE || tm_groups_add(&t->guids, &own, NULL) == TM_GROUP_NONE)
			return false;
	}
	return true;
}

/* Their ids on the host. */
static bool take_pids(struct tm_seen *t, const struct tm_batch *b)
{
	const uint64_t *last = NULL;

	if (!(b->some & TM_EV_BIT(TM_EVC_PID)))
		return true;
	for (uint32_t i = 0; i < b->n; i++) {
		const uint64_t *pid = &b->col[TM_EVC_PID][i];

		if (!tm_batch_has(b, i, TM_EVC_PID) || (last && *pid == *last))
			continue;
		last = pid;
		if (tm_groups_add(&t->pids, pid, NULL) == TM_GROUP_NONE)
			return false;
	}
	return true;
}

static bool seen_take(void *acc, const struct tm_batch *b)
{
	struct tm_seens *s = acc;
	struct tm_seen *t = &s->v[s->n - 1];

	if (b->kind == TM_EV_ROLLUP || b->kind == TM_EV_STATE)
		return true;
	t->events += t->totals ? 0 : b->n;
	if (!know_names(s, b->names->n) ||
	    (!t->totals && !tm_content_add(&s->content, b, &t->content)) || !take_guids(s, t, b) ||
	    !take_pids(t, b))
		return false;
	for (uint32_t i = 0; i < b->n; i++)
		if (!take_row(s, t, b, i, tm_part_of_row(b, i)))
			return false;
	return true;
}

/* ---- merging ---- */

void tm_seen_part_add(struct tm_seen_part *into, const struct tm_seen_part *p)
{
	into->rows += p->rows;
	into->timed += p->timed;
	into->total += p->total;
	into->first = p->first < into->first ? p->first : into->first;
	into->last = p->last > into->last ? p->last : into->last;
	into->longest = p->longest > into->longest ? p->longest : into->longest;
	into->columns |= p->columns;
	into->fine |= p->fine;
}

void tm_seen_agent_add(struct tm_seen_agent *into, const struct tm_seen_agent *a)
{
	into->kernels += a->kernels;
	into->first = a->first < into->first ? a->first : into->first;
	into->last = a->last > into->last ? a->last : into->last;
	into->starts += a->starts;
	into->time_sum += a->time_sum;
	into->ids += a->ids;
	into->id_sum += a->id_sum;
}

/* Names of keys of that many words, in that word, become others: map. */
static bool renumber_keys(struct tm_groups *g, uint32_t word, const uint32_t *map)
{
	struct tm_groups keys = { .words = g->words };

	for (uint32_t i = 0; i < g->n; i++) {
		uint64_t *key = g->key + (size_t)i * g->words;

		if (key[word] != TM_NAME_NONE)
			key[word] = map[key[word]];
		if (tm_groups_add(&keys, key, NULL) == TM_GROUP_NONE) {
			tm_groups_fini(&keys);
			return false;
		}
	}
	tm_groups_fini(g);
	*g = keys;
	return true;
}

/* `from` goes on where `t` ended, in the same names. */
static bool append(struct tm_seen *t, const struct tm_seen *from)
{
	t->events += from->events;
	t->content += from->content;
	t->lossy |= from->lossy;
	for (int p = 0; p < TM_TRACE_PARTS; p++)
		tm_seen_part_add(&t->part[p], &from->part[p]);
	for (size_t i = 0; i < from->nagents; i++) {
		struct tm_seen_agent *a = agent_of(t, from->agent[i].agent);

		if (!a)
			return false;
		tm_seen_agent_add(a, &from->agent[i]);
	}
	for (uint32_t i = 0; i < from->keys.n; i++) {
		const uint64_t *key = from->keys.key + (size_t)i * KEY_WORDS;
		struct tm_seen_calls *c = calls_of(t, key[KEY_PART], key[KEY_NAME]);

		if (!c)
			return false;
		c->calls += from->calls[i].calls;
		c->total += from->calls[i].total;
	}
	for (uint32_t i = 0; i < from->guids.n; i++)
		if (tm_groups_add(&t->guids, &from->guids.key[i], NULL) == TM_GROUP_NONE)
			return false;
	for (uint32_t i = 0; i < from->pids.n; i++)
		if (tm_groups_add(&t->pids, &from->pids.key[i], NULL) == TM_GROUP_NONE)
			return false;
	for (uint32_t i = 0; i < from->counters.n; i++)
		if (tm_groups_add(&t->counters, &from->counters.key[i], NULL) == TM_GROUP_NONE)
			return false;
	if (!tm_grow_array(&t->exact, &t->exact_cap, t->nexact + from->nexact, sizeof *t->exact))
		return false;
	if (from->nexact)
		memcpy(t->exact + t->nexact, from->exact, from->nexact * sizeof *t->exact);
	t->nexact += from->nexact;
	t->bare += from->bare;
	t->gridless += from->gridless;
	t->timed += from->timed;
	t->loose += from->loose;
	for (uint32_t i = 0; i < from->dispatches.n; i++)
		if (tm_groups_add(&t->dispatches, from->dispatches.key + 3 * (size_t)i, NULL) ==
		    TM_GROUP_NONE)
			return false;
	return true;
}

static bool seen_merge(void *into, void *acc)
{
	struct tm_seens *s = into, *from = acc;
	uint32_t *map = tm_names_add_all(&s->names, &from->names);
	bool ok = map != NULL;

	for (size_t i = 0; ok && i < from->n; i++) {
		struct tm_seen *t = &from->v[i];

		ok = renumber_keys(&t->keys, KEY_NAME, map) && renumber_keys(&t->guids, 0, map) &&
		     renumber_keys(&t->counters, 0, map);
		if (ok && t->more && s->n) {
			ok = append(&s->v[s->n - 1], t);
			continue;
		}
		ok = ok && tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v);
		if (ok) {
			s->v[s->n++] = *t;
			*t = (struct tm_seen) { 0 };
		}
	}
	free(map);
	return ok;
}

/* Are events of the trace missing that others of the run may have? */
static bool lacks_events(const struct tm_loss *l)
{
	/* Of kernels that were not traced there is not one to compare. */
	return tm_loss_sum(l, ~(1U << TM_LOSS_IS_NONE | 1U << TM_LOSS_IS_UNTRACED)) != 0;
}

static bool seen_done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                      const struct tm_diag *why)
{
	struct tm_seens *s = acc;

	if (!s->n)
		return true;
	s->v[s->n - 1].lossy |= why || lacks_events(l);
	return p->origin || tm_trace_id_learn(&s->v[s->n - 1].id, &p->id);
}

const struct tm_event_sink tm_seen_sink = {
	.size = sizeof(struct tm_seens),
	.init = seen_init,
	.piece = seen_piece,
	.take = seen_take,
	.merge = seen_merge,
	.fini = seen_fini,
	.done = seen_done,
};
