/* SPDX-License-Identifier: MIT */
#include "runs/seen.h"

#include "base/base.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_PART, KEY_NAME, KEY_WORDS };

#define TIMED (EV_BIT(EVC_START) | EV_BIT(EVC_END))

static bool seen_init(void *acc, const void *arg)
{
	*(struct seens *)acc = (struct seens) { .o = arg };
	return true;
}

static void one_fini(struct seen *s)
{
	free(s->path);
	free(s->run);
	free(s->own_run);
	free(s->format);
	free(s->table);
	free(s->calls);
	groups_fini(&s->keys);
	groups_fini(&s->dispatches);
	groups_fini(&s->counters);
}

static void seen_fini(void *acc)
{
	struct seens *s = acc;

	for (size_t i = 0; i < s->n; i++)
		one_fini(&s->v[i]);
	free(s->v);
	names_fini(&s->names);
	content_fini(&s->content);
	free(s->known[0]);
	free(s->known[1]);
	free(s->hash);
	buf_fini(&s->text);
}

static bool seen_piece(void *acc, const struct piece *p)
{
	struct seens *s = acc;
	struct seen *t;

	if (!grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return false;
	t = &s->v[s->n++];
	*t = (struct seen) { .path = strdup(p->path),
		             .run = strdup(p->run),
		             .own_run = strdup(p->own_run),
		             .format = strdup(p->format),
		             .table = strdup(p->table),
		             .input = p->input,
		             .nth = p->nth,
		             .rank = p->rank,
		             .rule = p->rule,
		             .more = p->more,
		             .keys = { .words = KEY_WORDS },
		             .dispatches = { .words = 2 },
		             .counters = { .words = 1 } };
	for (int i = 0; i < TRACE_PARTS; i++)
		t->part[i].first = UINT64_MAX;
	content_reset(&s->content);
	s->nknown = 0;
	s->pass = s->o->passes && s->o->passes(s->o->arg, p->own_run);
	return t->path && t->run && t->own_run && t->format && t->table;
}

/* ---- names ---- */

/* Room for the names that the reader has by now. */
static bool know_names(struct seens *s, uint32_t n)
{
	if (n <= s->nknown)
		return true;
	for (int k = 0; k < 2; k++) {
		if (!grow_array(&s->known[k], &s->known_cap[k], n, sizeof *s->known[k]))
			return false;
		memset(s->known[k] + s->nknown, 0, (n - s->nknown) * sizeof *s->known[k]);
	}
	s->nknown = n;
	return true;
}

/* What is the same name in every format. */
static uint32_t own_name(struct seens *s, const struct batch *b, uint32_t id, enum trace_part part)
{
	const struct name *nm = &b->names->v[id];
	bool kernel = part == (enum trace_part)DOMAIN_KERNEL || part == PART_COUNTER;
	const char *direction = part == (enum trace_part)DOMAIN_COPY
	                                ? copy_direction(nm->text, nm->len)
	                                : NULL;
	uint32_t own;

	if (direction)
		return names_add(&s->names, direction, strlen(direction));
	if (s->known[kernel][id])
		return s->known[kernel][id] - 1;
	buf_clear(&s->text);
	if (kernel ? !kernel_name(&s->text, nm->text, nm->len, NAME_FULL)
	           : !buf_add(&s->text, nm->text, nm->len))
		return NAME_NONE;
	own = names_add(&s->names, s->text.p ? s->text.p : "", s->text.n);
	if (own != NAME_NONE)
		s->known[kernel][id] = own + 1;
	return own;
}

static bool know_hashes(struct seens *s)
{
	if (!grow_array(&s->hash, &s->hash_cap, s->names.n, sizeof *s->hash))
		return false;
	for (; s->nhash < s->names.n; s->nhash++) {
		const struct name *nm = &s->names.v[s->nhash];

		s->hash[s->nhash] = hash_bytes(hash_own(), nm->text, nm->len);
	}
	return true;
}

/* ---- rows ---- */

static struct seen_calls *calls_of(struct seen *t, uint64_t part, uint64_t name)
{
	uint64_t key[KEY_WORDS] = { [KEY_PART] = part, [KEY_NAME] = name };
	uint32_t i = groups_item(&t->keys, key, &t->calls, &t->calls_cap, sizeof *t->calls, NULL);

	return i == GROUP_NONE ? NULL : &t->calls[i];
}

static uint64_t cell(const struct batch *b, uint32_t i, enum ev_col c)
{
	return batch_has(b, i, c) ? b->col[c][i] : 0;
}

/* Which dispatch is it, as far as another execution of the program would tell? */
static bool take_dispatch(struct seens *s, struct seen *t, const struct batch *b, uint32_t i,
                          uint32_t kernel)
{
	bool grid = batch_has(b, i, EVC_GRID_X), id = batch_has(b, i, EVC_DISPATCH_ID), fresh;
	uint64_t size = grid ? b->col[EVC_GRID_X][i] * cell(b, i, EVC_GRID_Y) *
	                                cell(b, i, EVC_GRID_Z)
	                     : cell(b, i, EVC_GRID);
	uint64_t w[3], key[2];

	if (b->kind == EV_COUNTER && batch_has(b, i, EVC_COUNTER)) {
		const struct name *nm = &b->names->v[b->col[EVC_COUNTER][i]];
		uint32_t name = names_add(&s->names, nm->text, nm->len);

		key[0] = name;
		if (name == NAME_NONE || groups_add(&t->counters, key, NULL) == GROUP_NONE)
			return false;
	}
	if (!know_hashes(s))
		return false;
	w[0] = s->hash[kernel];
	w[1] = id ? b->col[EVC_DISPATCH_ID][i] : t->bare;
	w[2] = id;
	key[0] = hash_words(hash_own(), w, 3);
	key[1] = size;
	t->bare += !id;
	t->gridless += !grid && !batch_has(b, i, EVC_GRID);
	if (groups_add(&t->dispatches, key, &fresh) == GROUP_NONE)
		return false;
	if (!fresh)
		return true;
	t->timed += batch_has(b, i, EVC_START) && batch_has(b, i, EVC_END);
	w[1] = size;
	w[2] = 0;
	t->loose += hash_words(hash_own(), w, 3);
	return true;
}

static bool take_row(struct seens *s, struct seen *t, const struct batch *b, uint32_t i,
                     enum trace_part part)
{
	struct seen_part *p = &t->part[part];
	struct seen_calls *calls;
	ev_set has = b->has == b->some ? b->has : b->row_has[i] & b->some;
	uint64_t name = NAME_NONE, ns = 0, n = 1;

	p->rows++;
	p->columns |= has;
	if ((has & TIMED) == TIMED) {
		uint64_t start = b->col[EVC_START][i], end = b->col[EVC_END][i];

		ns = end - start;
		p->timed++;
		p->fine |= start % 1000 || end % 1000;
		p->total += ns;
		p->first = start < p->first ? start : p->first;
		p->last = end > p->last ? end : p->last;
		p->longest = ns > p->longest ? ns : p->longest;
	}
	if (part == PART_AGENT || part == PART_SAMPLE || part == PART_SERIES)
		return true;
	if (part == PART_STAT) {
		part = (enum trace_part)cell(b, i, EVC_DOMAIN);
		ns = cell(b, i, EVC_TOTAL);
		n = cell(b, i, EVC_CALLS);
	}
	if (has & EV_BIT(EVC_NAME)) {
		name = own_name(s, b, (uint32_t)b->col[EVC_NAME][i], part);
		if (name == NAME_NONE)
			return false;
	}
	/* Those of statistics behind those of events. */
	calls = calls_of(t, b->kind == EV_STAT ? TRACE_PARTS + (uint64_t)part : part, name);
	if (!calls)
		return false;
	calls->calls += n;
	calls->total += ns;
	return !s->pass || name == NAME_NONE || (b->kind != EV_DISPATCH && part != PART_COUNTER) ||
	       take_dispatch(s, t, b, i, (uint32_t)name);
}

static bool seen_take(void *acc, const struct batch *b)
{
	struct seens *s = acc;
	struct seen *t = &s->v[s->n - 1];

	if (b->kind == EV_ROLLUP)
		return true;
	t->events += b->n;
	if (!know_names(s, b->names->n) || !content_add(&s->content, b, &t->content))
		return false;
	for (uint32_t i = 0; i < b->n; i++)
		if (!take_row(s, t, b, i, part_of_row(b, i)))
			return false;
	return true;
}

/* ---- merging ---- */

void seen_part_add(struct seen_part *into, const struct seen_part *p)
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

/* Names of keys of that many words, in that word, become others: map. */
static bool renumber_keys(struct groups *g, uint32_t word, const uint32_t *map)
{
	struct groups keys = { .words = g->words };

	for (uint32_t i = 0; i < g->n; i++) {
		uint64_t *key = g->key + (size_t)i * g->words;

		if (key[word] != NAME_NONE)
			key[word] = map[key[word]];
		if (groups_add(&keys, key, NULL) == GROUP_NONE) {
			groups_fini(&keys);
			return false;
		}
	}
	groups_fini(g);
	*g = keys;
	return true;
}

/* `from` goes on where `t` ended, in the same names. */
static bool append(struct seen *t, const struct seen *from)
{
	t->events += from->events;
	t->content += from->content;
	t->lossy |= from->lossy;
	for (int p = 0; p < TRACE_PARTS; p++)
		seen_part_add(&t->part[p], &from->part[p]);
	for (uint32_t i = 0; i < from->keys.n; i++) {
		const uint64_t *key = from->keys.key + (size_t)i * KEY_WORDS;
		struct seen_calls *c = calls_of(t, key[KEY_PART], key[KEY_NAME]);

		if (!c)
			return false;
		c->calls += from->calls[i].calls;
		c->total += from->calls[i].total;
	}
	for (uint32_t i = 0; i < from->counters.n; i++)
		if (groups_add(&t->counters, &from->counters.key[i], NULL) == GROUP_NONE)
			return false;
	t->bare += from->bare;
	t->gridless += from->gridless;
	t->timed += from->timed;
	t->loose += from->loose;
	for (uint32_t i = 0; i < from->dispatches.n; i++)
		if (groups_add(&t->dispatches, from->dispatches.key + 2 * (size_t)i, NULL) ==
		    GROUP_NONE)
			return false;
	return true;
}

static bool seen_merge(void *into, void *acc)
{
	struct seens *s = into, *from = acc;
	uint32_t *map = malloc(((size_t)from->names.n + 1) * sizeof *map);
	bool ok = map != NULL;

	for (uint32_t i = 0; ok && i < from->names.n; i++) {
		map[i] = names_add(&s->names, from->names.v[i].text, from->names.v[i].len);
		ok = map[i] != NAME_NONE;
	}
	for (size_t i = 0; ok && i < from->n; i++) {
		struct seen *t = &from->v[i];

		ok = renumber_keys(&t->keys, KEY_NAME, map) && renumber_keys(&t->counters, 0, map);
		if (ok && t->more && s->n) {
			ok = append(&s->v[s->n - 1], t);
			continue;
		}
		ok = ok && grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v);
		if (ok) {
			s->v[s->n++] = *t;
			*t = (struct seen) { 0 };
		}
	}
	free(map);
	return ok;
}

/* Are events of the trace missing that others of the run may have? */
static bool lacks_events(const struct loss *l)
{
	static const enum loss_reason not [] = { LOSS_UNNAMED, LOSS_TRACKLESS, LOSS_BASELESS,
		                                 LOSS_OPERATION, LOSS_INCLUSIVE, LOSS_RECURSIVE,
		                                 LOSS_ROW_UNNAMED, LOSS_ROW_SELF, LOSS_ROW_TWICE,
		                                 /* of kernels there is not one to compare */
		                                 LOSS_KERNELS };
	struct loss rest = *l;

	rest.recovered = 0;
	for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
		rest.other[not [i]].n = 0;
	return loss_any(&rest);
}

static bool seen_done(void *acc, const struct piece *p, const struct loss *l,
                      const struct diag *why)
{
	struct seens *s = acc;

	(void)p;
	if (s->n)
		s->v[s->n - 1].lossy |= why || lacks_events(l);
	return true;
}

const struct event_sink seen_sink = {
	.size = sizeof(struct seens),
	.init = seen_init,
	.piece = seen_piece,
	.take = seen_take,
	.merge = seen_merge,
	.fini = seen_fini,
	.done = seen_done,
};
