/* SPDX-License-Identifier: MIT
 * The rows of a store in order: the same for any order of the input. */
#include "tracks/tracks_parts.h"

#include <stdlib.h>
#include <string.h>

struct sorting {
	const struct track_store *s;
	const uint32_t *place; /* of names */
	bool outer_first;      /* of rows that begin together the longest first */
};

static int name_cmp(const void *pa, const void *pb, void *arg)
{
	const struct tm_name *v = arg;

	return tm_name_cmp(&v[*(const uint32_t *)pa], &v[*(const uint32_t *)pb]);
}

/* What of the keys comes first: tracks of the job, then rank by rank, group by group, in that the
 * GPUs one by one. */
static int track_cmp(const void *pa, const void *pb, void *arg)
{
	const struct sorting *o = arg;
	const uint64_t *a = o->s->tracks.key + (size_t) * (const uint32_t *)pa * KEY_WORDS;
	const uint64_t *b = o->s->tracks.key + (size_t) * (const uint32_t *)pb * KEY_WORDS;
	const enum track_group ga = tm_track_kinds[a[KEY_SORT]].group,
	                       gb = tm_track_kinds[b[KEY_SORT]].group;
	const bool job = ga == GROUP_JOB, gpu = ga == GROUP_GPU;
	const bool counter = a[KEY_SORT] == TRACK_COUNTER;
	const uint64_t way[][2] = {
		{ !job, gb != GROUP_JOB },
		{ job ? a[KEY_SORT] : 0, job ? b[KEY_SORT] : 0 },
		{ a[KEY_RANK], b[KEY_RANK] },
		{ ga, gb },
		{ gpu ? a[KEY_HAS] & HAS_WHO : 0, gpu ? b[KEY_HAS] & HAS_WHO : 0 },
		{ gpu ? a[KEY_WHO] : 0, gpu ? b[KEY_WHO] : 0 },
		{ a[KEY_SORT], b[KEY_SORT] },
		{ a[KEY_HAS], b[KEY_HAS] },
		{ a[KEY_WHO], b[KEY_WHO] },
		{ counter ? o->place[a[KEY_ID]] : a[KEY_ID],
		  counter && b[KEY_SORT] == TRACK_COUNTER ? o->place[b[KEY_ID]] : b[KEY_ID] },
	};

	for (size_t i = 0; i < sizeof way / sizeof *way; i++)
		if (way[i][0] != way[i][1])
			return way[i][0] > way[i][1] ? 1 : -1;
	return 0;
}

static int cells_cmp(const struct track_store *s, const struct track_row *a,
                     const struct track_row *b)
{
	struct track_cells x = tm_track_cells(s, a), y = tm_track_cells(s, b);
	uint64_t v, w;
	unsigned arg;

	if (x.set != y.set)
		return x.set > y.set ? 1 : -1;
	while (tm_track_cell(&x, &arg, &v) && tm_track_cell(&y, &arg, &w))
		if (v != w)
			return v > w ? 1 : -1;
	return 0;
}

static int row_cmp(const void *pa, const void *pb, void *arg)
{
	const struct sorting *o = arg;
	const struct track_row *a = &o->s->row[*(const uint32_t *)pa],
	                       *b = &o->s->row[*(const uint32_t *)pb];
	uint32_t na = a->name == TM_NAME_NONE ? 0 : o->place[a->name] + 1,
	         nb = b->name == TM_NAME_NONE ? 0 : o->place[b->name] + 1;

	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	if (a->end != b->end)
		return (a->end > b->end) == o->outer_first ? -1 : 1;
	if (na != nb)
		return na > nb ? 1 : -1;
	if (a->what != b->what || a->domain != b->domain)
		return a->what * 256 + a->domain - b->what * 256 - b->domain;
	if (a->has_corr != b->has_corr || a->corr != b->corr)
		return a->has_corr != b->has_corr ? (a->has_corr ? 1 : -1)
		                                  : (a->corr > b->corr ? 1 : -1);
	return cells_cmp(o->s, a, b);
}

/* The rows of each track, as they came. */
static void deal(struct track_order *o, const struct track_store *s, size_t *at)
{
	for (size_t i = 0; i < s->n; i++)
		at[s->row[i].track]++;
	for (size_t i = 0, from = 0; i < o->tracks; i++) {
		size_t n = at[o->track[i]];

		o->from[i] = at[o->track[i]] = from;
		from += n;
		o->from[i + 1] = from;
	}
	for (size_t i = 0; i < s->n; i++)
		o->row[at[s->row[i].track]++] = (uint32_t)i;
}

static void extend(struct track_order *o, const struct track_store *s)
{
	o->first = UINT64_MAX;
	for (size_t i = 0; i < s->n; i++) {
		o->first = s->row[i].start < o->first ? s->row[i].start : o->first;
		o->last = s->row[i].end > o->last ? s->row[i].end : o->last;
	}
}

bool tm_track_sort(struct track_order *o, const struct track_store *s)
{
	struct sorting how = { .s = s };
	size_t *at = calloc((size_t)s->tracks.n + 1, sizeof *at);
	bool ok;

	*o = (struct track_order) { .tracks = s->tracks.n };
	o->row = malloc((s->n + 1) * sizeof *o->row);
	o->track = malloc(((size_t)s->tracks.n + 1) * sizeof *o->track);
	o->from = calloc((size_t)s->tracks.n + 1, sizeof *o->from);
	how.place = o->name_place = tm_places(s->names.n, name_cmp, s->names.v);
	ok = at && o->row && o->track && o->from && o->name_place;
	for (uint32_t i = 0; ok && i < s->tracks.n; i++)
		o->track[i] = i;
	if (ok) {
		tm_sort_in_place(o->track, s->tracks.n, sizeof *o->track, track_cmp, &how);
		deal(o, s, at);
		extend(o, s);
	}
	for (size_t i = 0; ok && i < o->tracks; i++) {
		const uint64_t *key = s->tracks.key + (size_t)o->track[i] * KEY_WORDS;

		how.outer_first = tm_track_kinds[key[KEY_SORT]].form == FORM_NESTED;
		tm_sort_in_place(o->row + o->from[i], o->from[i + 1] - o->from[i], sizeof *o->row,
		                 row_cmp, &how);
	}
	free(at);
	return ok;
}

void tm_track_order_fini(struct track_order *o)
{
	free(o->row);
	free(o->track);
	free(o->from);
	free(o->name_place);
}
