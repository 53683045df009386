/* SPDX-License-Identifier: MIT
 * A track as lanes on which nothing overlaps but what nests. */
#include "tracks/tracks_parts.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 500 }; /* Perfetto draws slices 512 deep */

/* Lanes by a key, the smallest first: those at work by when they end, those free by number. */
struct lane_heap {
	struct held {
		uint64_t key;
		uint32_t lane;
	} * v;
	size_t n, cap;
};

static bool heap_add(struct lane_heap *h, uint64_t key, uint32_t lane)
{
	size_t i;

	if (!tm_grow_array(&h->v, &h->cap, h->n + 1, sizeof *h->v))
		return false;
	for (i = h->n++; i && h->v[(i - 1) / 2].key > key; i = (i - 1) / 2)
		h->v[i] = h->v[(i - 1) / 2];
	h->v[i] = (struct held) { key, lane };
	return true;
}

static uint32_t heap_take(struct lane_heap *h)
{
	uint32_t lane = h->v[0].lane;
	struct held last = h->v[--h->n];
	size_t i = 0, k;

	while ((k = 2 * i + 1) < h->n) {
		k += k + 1 < h->n && h->v[k + 1].key < h->v[k].key;
		if (last.key <= h->v[k].key)
			break;
		h->v[i] = h->v[k];
		i = k;
	}
	h->v[i] = last;
	return lane;
}

/* Which lanes there are, while the items of a track come in order of their starts. */
struct dealer {
	struct lane_heap busy, idle;
	uint32_t lanes;
	uint64_t *open; /* ends of what is open on lane 0 of a track that nests */
	size_t depth;
	bool nested;
};

/* The first lane that is free then; UINT32_MAX when out of memory. */
static uint32_t flat(struct dealer *d, const struct track_item *x)
{
	uint32_t lane;

	while (d->busy.n && d->busy.v[0].key <= x->start) {
		lane = heap_take(&d->busy);
		if (!heap_add(&d->idle, lane, lane))
			return UINT32_MAX;
	}
	lane = d->idle.n ? heap_take(&d->idle) : d->lanes++;
	return heap_add(&d->busy, x->end, lane) ? lane : UINT32_MAX;
}

static uint32_t lane_of(struct dealer *d, const struct track_item *x)
{
	if (!d->nested)
		return flat(d, x);
	while (d->depth && d->open[d->depth - 1] <= x->start)
		d->depth--;
	if (d->depth == DEPTH || (d->depth && x->end > d->open[d->depth - 1]))
		return flat(d, x);
	d->open[d->depth++] = x->end;
	return 0;
}

/* ---- items ---- */

static bool add_item(struct track_lanes *l, struct track_item x)
{
	if (!tm_grow_array(&l->item, &l->item_cap, l->items + 1, sizeof *l->item))
		return false;
	l->item[l->items++] = x;
	return true;
}

/* Does the agent work then?  Of a state, only if it is named so. */
static bool is_work(const struct track_store *s, const struct track_row *r)
{
	return r->what != WHAT_OWN || !strcmp(s->names.v[r->name].text, TRACK_BUSY);
}

/* Put a row into the last item: of both kinds, how many rows are in items of several. */
static void join(struct track_item *last, const struct track_store *s, const struct track_row *r,
                 struct track_left *left)
{
	const uint64_t from = r->start > last->end ? r->start : last->end;
	const unsigned more = last->count == 1 ? 2 : 1;

	if (r->what == WHAT_OWN) {
		left->states += more;
		left->state_merges += last->count == 1;
	} else {
		left->ops += more;
		left->merges += last->count == 1;
	}
	if (r->end > from && is_work(s, r))
		last->busy += r->end - from;
	last->end = r->end > last->end ? r->end : last->end;
	last->count++;
}

/* Short work after short work, put together. */
static bool joins(const struct track_item *into, const struct track_row *r, uint64_t shorter)
{
	return r->end - r->start < shorter && r->start <= into->end + shorter;
}

/* Places in the order of rows of the least and the most in a part of the time, the first of equals:
 * what a counter reached is still seen. */
struct ends {
	size_t least, most;
};

static bool add_ends(struct track_lanes *l, const struct track_store *s,
                     const struct track_order *o, struct ends e)
{
	const size_t at[] = { e.least < e.most ? e.least : e.most,
		              e.least < e.most ? e.most : e.least };
	bool ok = true;

	for (int i = 0; ok && i < 1 + (at[0] < at[1]); i++) {
		const struct track_row *r = &s->row[o->row[at[i]]];

		ok = add_item(l, (struct track_item) { r->start, r->end, 0, o->row[at[i]], 1 });
	}
	return ok;
}

/* The values of a counter; the last one always, which says how it ended. */
static bool make_values(struct track_lanes *l, const struct track_store *s,
                        const struct track_order *o, size_t nth, uint64_t each, uint64_t *left)
{
	const size_t first = l->items, from = o->from[nth], to = o->from[nth + 1];
	struct ends e = { from, from };
	bool ok = true;

	for (size_t i = from + 1; ok && i < to; i++) {
		const struct track_row *r = &s->row[o->row[i]], *of = &s->row[o->row[e.least]];
		const double v = tm_cell_real(r->corr);

		if (!each || i + 1 == to || r->start / each != of->start / each) {
			ok = add_ends(l, s, o, e);
			e = (struct ends) { i, i };
			continue;
		}
		e.least = v < tm_cell_real(of->corr) ? i : e.least;
		e.most = v > tm_cell_real(s->row[o->row[e.most]].corr) ? i : e.most;
	}
	ok = ok && (from == to || add_ends(l, s, o, e));
	*left += to - from - (l->items - first);
	return ok;
}

static bool make_items(struct track_lanes *l, const struct track_store *s,
                       const struct track_order *o, size_t nth, const struct track_level *level,
                       struct track_left *left)
{
	const uint64_t sort = s->tracks.key[(size_t)o->track[nth] * KEY_WORDS + KEY_SORT];
	const struct track_kind kind = tm_track_kinds[sort];
	const bool gpu = kind.group == GROUP_GPU && kind.form == FORM_FLAT;
	const size_t first = l->items;
	const uint64_t out = left->calls + left->ops;
	uint64_t events = 0;
	bool open = false; /* the last item is short work that may go on */

	if (kind.form == FORM_COUNTER)
		return make_values(l, s, o, nth, level->value_ns,
		                   sort == TRACK_COUNTER ? &left->values : &left->own_values);
	for (size_t i = o->from[nth]; i < o->from[nth + 1]; i++) {
		const struct track_row *r = &s->row[o->row[i]];
		uint64_t dur = r->end - r->start;
		struct track_item *last = l->items > first ? &l->item[l->items - 1] : NULL;

		events += r->what != WHAT_OWN && r->what != WHAT_COUNTER;
		if (r->what == WHAT_API && dur < level->host_ns) {
			left->calls++;
			continue;
		}
		if (gpu && open && joins(last, r, level->device_ns)) {
			join(last, s, r, left);
			continue;
		}
		open = gpu && dur < level->device_ns;
		if (!add_item(l, (struct track_item) { r->start, r->end,
		                                       gpu && !is_work(s, r) ? 0 : dur, o->row[i],
		                                       1 }))
			return false;
	}
	if (level->args != TM_TRACKS_ALL)
		left->bare += events - (left->calls + left->ops - out);
	return true;
}

bool tm_track_count_left(struct track_lanes *l, const struct track_store *s,
                         const struct track_order *o, size_t nth, const struct track_level *level,
                         struct track_left *left)
{
	const size_t first = l->items;
	const bool ok = make_items(l, s, o, nth, level, left);

	l->items = first;
	return ok;
}

/* The items from `first` on, lane by lane. */
static bool deal(struct track_lanes *l, struct dealer *d, uint32_t track, size_t first)
{
	const size_t n = l->items - first;
	uint32_t *lane = malloc((n + 1) * sizeof *lane);
	struct track_item *all = malloc((n + 1) * sizeof *all);
	size_t *at = NULL;
	bool ok = lane && all;

	for (size_t i = 0; ok && i < n; i++) {
		all[i] = l->item[first + i];
		lane[i] = lane_of(d, &all[i]);
		ok = lane[i] != UINT32_MAX;
	}
	at = ok ? calloc((size_t)d->lanes + 1, sizeof *at) : NULL;
	ok = at && tm_grow_array(&l->lane, &l->cap, l->n + d->lanes, sizeof *l->lane);
	for (size_t i = 0; ok && i < n; i++)
		at[lane[i] + 1]++;
	for (uint32_t k = 0; ok && k < d->lanes; k++) {
		at[k + 1] += at[k];
		l->lane[l->n++] = (struct track_lane) {
			.track = track, .nth = k, .from = first + at[k], .to = first + at[k + 1]
		};
	}
	for (size_t i = 0; ok && i < n; i++)
		l->item[first + at[lane[i]]++] = all[i];
	free(lane);
	free(all);
	free(at);
	return ok;
}

bool tm_track_lanes(struct track_lanes *l, const struct track_store *s, const struct track_order *o,
                    size_t nth, const struct track_level *level)
{
	const uint64_t *key = s->tracks.key + (size_t)o->track[nth] * KEY_WORDS;
	const enum track_form form = tm_track_kinds[key[KEY_SORT]].form;
	struct dealer d = { .nested = form == FORM_NESTED, .lanes = form != FORM_FLAT };
	const size_t first = l->items;
	struct track_left left = { 0 };
	bool ok;

	d.open = d.nested ? malloc(DEPTH * sizeof *d.open) : NULL;
	ok = (d.open || !d.nested) && make_items(l, s, o, nth, level, &left);
	if (ok && form == FORM_COUNTER) {
		ok = tm_grow_array(&l->lane, &l->cap, l->n + 1, sizeof *l->lane);
		if (ok)
			l->lane[l->n++] = (struct track_lane) { .track = o->track[nth],
				                                .from = first,
				                                .to = l->items };
	} else if (ok && l->items > first) {
		ok = deal(l, &d, o->track[nth], first);
	}
	free(d.open);
	free(d.busy.v);
	free(d.idle.v);
	return ok;
}

void tm_track_lanes_fini(struct track_lanes *l)
{
	free(l->lane);
	free(l->item);
	*l = (struct track_lanes) { 0 };
}
