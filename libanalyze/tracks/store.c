/* SPDX-License-Identifier: MIT
 * Events as rows on tracks. */
#include "read/read.h"
#include "tracks/tracks_parts.h"

#include <stdlib.h>
#include <string.h>

const struct track_kind tm_track_kinds[TRACK_SORTS] = {
#define TRACK_SORT(id, group, form) [TRACK_##id] = { GROUP_##group, FORM_##form },
#include "tracks/tracks.def"
};

const enum tm_ev_col tm_track_cols[ARG_OWN] = {
	TM_EVC_PID,    TM_EVC_TID,    TM_EVC_AGENT,      TM_EVC_QUEUE,     TM_EVC_STREAM,
	TM_EVC_WG_X,   TM_EVC_WG_Y,   TM_EVC_WG_Z,       TM_EVC_WG,        TM_EVC_GRID_X,
	TM_EVC_GRID_Y, TM_EVC_GRID_Z, TM_EVC_GRID,       TM_EVC_LDS,       TM_EVC_SCRATCH,
	TM_EVC_VGPR,   TM_EVC_SGPR,   TM_EVC_ACCUM_VGPR, TM_EVC_KERNEL_ID, TM_EVC_DISPATCH_ID,
	TM_EVC_WAVE,   TM_EVC_SRC,    TM_EVC_DST,        TM_EVC_BYTES,     TM_EVC_ADDRESS,
#define ANNOTATION_TM(text, column, how) column,
#include "schemas/pftrace.def"
	TM_EVC_N,
};

const char *tm_track_arg_name(unsigned arg)
{
	static const struct {
		const char *name;
		enum tm_ev_col col;
	} words[] = {
#define ANNOTATION(text, column, how) { text, column },
#include "schemas/pftrace.def"
	};
	static const char *const own[] = {
#define ARG(id, name) name,
#include "tracks/args.def"
	};
	enum tm_ev_col col;

	if (arg >= ARG_OWN)
		return own[arg - ARG_OWN];
	col = tm_track_cols[arg];
	col = col == TM_EVC_GRID_Z ? TM_EVC_GRID : col == TM_EVC_WG_Z ? TM_EVC_WG : col;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].col == col)
			return words[i].name;
	return NULL;
}

bool tm_track_is_text(unsigned arg)
{
	return arg < ARG_OWN && tm_ev_columns[tm_track_cols[arg]].type == TM_EVT_NAME;
}

/* ---- rows ---- */

static bool put_varint(struct tm_buf *b, uint64_t v)
{
	for (; v > 127; v >>= 7)
		tm_buf_chr(b, (char)(v | 128));
	return tm_buf_chr(b, (char)v);
}

static uint64_t get_varint(const unsigned char **p)
{
	uint64_t v = 0;
	unsigned at = 0;

	for (; **p > 127; at += 7)
		v |= (uint64_t)(*(*p)++ & 127) << at;
	return v | (uint64_t) * (*p)++ << at;
}

struct track_cells tm_track_cells(const struct track_store *s, const struct track_row *r)
{
	struct track_cells c = { .p = (const unsigned char *)s->cells.p + r->cells };

	c.set = get_varint(&c.p);
	return c;
}

bool tm_track_cell(struct track_cells *c, unsigned *arg, uint64_t *v)
{
	if (!c->set)
		return false;
	*arg = (unsigned)__builtin_ctzll(c->set);
	c->set &= c->set - 1;
	*v = get_varint(&c->p);
	return true;
}

static struct track_row *add_row(struct track_store *s, const uint64_t key[KEY_WORDS])
{
	uint32_t track = tm_groups_add(&s->tracks, key, NULL);

	if (track == TM_GROUP_NONE || s->n >= UINT32_MAX - 1 ||
	    !tm_grow_array(&s->row, &s->cap, s->n + 1, sizeof *s->row))
		return NULL;
	s->row[s->n] = (struct track_row) { .track = track,
		                            .name = TM_NAME_NONE,
		                            .cells = s->cells.n };
	return &s->row[s->n++];
}

/* ---- events ---- */

/* Which kind of event it is, as --kind has them. */
static enum tm_event_kind kind_of(const struct tm_batch *b, enum tm_domain domain)
{
	return b->kind == TM_EV_DISPATCH    ? TM_EVENT_KERNEL
	       : b->kind == TM_EV_COPY      ? TM_EVENT_COPY
	       : b->kind == TM_EV_ALLOC     ? TM_EVENT_ALLOC
	       : b->kind == TM_EV_COUNTER   ? TM_EVENT_COUNTER
	       : domain == TM_DOMAIN_MARKER ? TM_EVENT_MARKER
	                                    : TM_EVENT_API;
}

static void put_id(uint64_t key[KEY_WORDS], const uint64_t *v, int word, unsigned has)
{
	key[word] = v ? *v : 0;
	key[KEY_HAS] |= v ? has : 0;
}

/* The agent that a copy is drawn with, one that is no work of any with where it writes; NULL =
 * nobody says. */
static const uint64_t *copy_agent(const struct track_store *s, const struct tm_batch *b, uint32_t i,
                                  uint32_t name)
{
	const char *way = name == TM_NAME_NONE
	                          ? NULL
	                          : tm_copy_direction(s->names.v[name].text, s->names.v[name].len);
	const uint64_t *of[2];

	if (tm_batch_has(b, i, TM_EVC_AGENT))
		return tm_batch_cell(b, i, TM_EVC_AGENT);
	return tm_copy_agents(b, i, way, of) ? of[0] : tm_batch_cell(b, i, TM_EVC_DST);
}

static void key_of(const struct track_store *s, const struct track_take *t,
                   const struct tm_batch *b, uint32_t i, enum tm_event_kind kind, uint32_t name,
                   uint64_t key[KEY_WORDS])
{
	const bool stream = tm_batch_has(b, i, TM_EVC_STREAM),
	           queue = tm_batch_has(b, i, TM_EVC_QUEUE);

	memset(key, 0, KEY_WORDS * sizeof *key);
	key[KEY_RANK] = t->rank;
	switch (kind) {
	case TM_EVENT_KERNEL:
	case TM_EVENT_COPY:
		key[KEY_SORT] = stream                  ? TRACK_STREAM
		                : kind == TM_EVENT_COPY ? TRACK_COPIES
		                : queue                 ? TRACK_QUEUE
		                                        : TRACK_KERNELS;
		put_id(key,
		       kind == TM_EVENT_COPY ? copy_agent(s, b, i, name)
		                             : tm_batch_cell(b, i, TM_EVC_AGENT),
		       KEY_WHO, HAS_WHO);
		if (stream || key[KEY_SORT] == TRACK_QUEUE)
			put_id(key, tm_batch_cell(b, i, stream ? TM_EVC_STREAM : TM_EVC_QUEUE),
			       KEY_ID, HAS_ID);
		return;
	case TM_EVENT_COUNTER:
		key[KEY_SORT] = TRACK_COUNTER;
		put_id(key, tm_batch_cell(b, i, TM_EVC_AGENT), KEY_WHO, HAS_WHO);
		key[KEY_HAS] |= HAS_ID;
		key[KEY_ID] = name;
		return;
	default:
		key[KEY_SORT] = kind == TM_EVENT_MARKER  ? TRACK_MARKERS
		                : kind == TM_EVENT_ALLOC ? TRACK_MEMORY
		                                         : TRACK_THREAD;
		put_id(key, tm_batch_cell(b, i, TM_EVC_PID), KEY_WHO, HAS_WHO);
		put_id(key, tm_batch_cell(b, i, TM_EVC_TID), KEY_ID, HAS_ID);
		return;
	}
}

/* A text of a row, in store.names; false when out of memory. */
static bool name_of(struct track_store *s, struct track_take *t, const struct tm_batch *b,
                    uint32_t i, enum tm_ev_col col, uint32_t *out)
{
	const uint64_t *id = tm_batch_cell(b, i, col);

	*out = TM_NAME_NONE;
	if (!id)
		return true;
	if (b->names->n > t->nknown) {
		if (!tm_grow_array(&t->known, &t->known_cap, b->names->n, sizeof *t->known))
			return false;
		for (; t->nknown < b->names->n; t->nknown++)
			t->known[t->nknown] = TM_NAME_NONE;
	}
	if (t->known[*id] == TM_NAME_NONE)
		t->known[*id] = tm_names_add(&s->names, b->names->v[*id].text,
		                             b->names->v[*id].len);
	*out = t->known[*id];
	return *out != TM_NAME_NONE;
}

/* What it says beside its name and times.  Of host rows the track tells the thread. */
static bool put_cells(struct track_store *s, struct track_take *t, const struct tm_batch *b,
                      uint32_t i, bool host)
{
	uint64_t set = 0;

	for (unsigned a = 0; tm_track_cols[a] != TM_EVC_N; a++)
		if ((!host || tm_track_cols[a] != TM_EVC_TID) &&
		    tm_batch_has(b, i, tm_track_cols[a]))
			set |= UINT64_C(1) << a;
	put_varint(&s->cells, set);
	for (; set; set &= set - 1) {
		const unsigned arg = (unsigned)__builtin_ctzll(set);
		const enum tm_ev_col col = tm_track_cols[arg];
		uint32_t name;

		if (!tm_track_is_text(arg)) {
			put_varint(&s->cells, b->col[col][i]);
			continue;
		}
		if (!name_of(s, t, b, i, col, &name))
			return false;
		put_varint(&s->cells, name);
	}
	return !s->cells.failed;
}

/* Is it drawn at all? */
static bool drawn(struct track_store *s, const struct track_take *t, const struct tm_batch *b,
                  uint32_t i, enum tm_event_kind kind)
{
	uint64_t start;

	if (!(t->asked->kinds & 1u << kind)) {
		s->other_kind++;
		return false;
	}
	if (kind == TM_EVENT_COUNTER && tm_batch_has(b, i, TM_EVC_NAME)) {
		s->of_dispatch++;
		return false;
	}
	if (!tm_batch_has_all(b, i, TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END))) {
		s->untimed++;
		return false;
	}
	start = b->col[TM_EVC_START][i];
	if (t->o->windowed && (start < t->window.lo || start >= t->window.hi)) {
		s->outside++;
		return false;
	}
	return kind != TM_EVENT_COUNTER ||
	       tm_batch_has_all(b, i, TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE));
}

static uint64_t common(const struct track_take *t, uint64_t at)
{
	return at + (uint64_t)tm_clock_line_drift(&t->line, at - t->line.offset_ns);
}

static bool take_row(struct track_store *s, struct track_take *t, const struct tm_batch *b,
                     uint32_t i, enum tm_event_kind kind, enum tm_domain domain)
{
	static const enum track_what what[] = {
		[TM_EVENT_KERNEL] = WHAT_KERNEL, [TM_EVENT_COPY] = WHAT_COPY,
		[TM_EVENT_API] = WHAT_API,       [TM_EVENT_MARKER] = WHAT_API,
		[TM_EVENT_ALLOC] = WHAT_ALLOC,   [TM_EVENT_COUNTER] = WHAT_COUNTER
	};
	const uint64_t *corr = tm_batch_cell(b, i, TM_EVC_CORR);
	const bool counter = kind == TM_EVENT_COUNTER;
	uint64_t key[KEY_WORDS];
	struct track_row *r;
	uint32_t name;

	if (!name_of(s, t, b, i, counter ? TM_EVC_COUNTER : TM_EVC_NAME, &name))
		return false;
	key_of(s, t, b, i, kind, name, key);
	r = add_row(s, key);
	if (!r)
		return false;
	r->start = common(t, b->col[TM_EVC_START][i]);
	r->end = common(t, b->col[TM_EVC_END][i]);
	r->name = name;
	r->what = (uint8_t)what[kind];
	r->domain = (uint8_t)domain;
	r->has_corr = corr != NULL;
	r->run = (uint32_t)s->whose.run;
	r->corr = counter ? b->col[TM_EVC_VALUE][i] : corr ? *corr : 0;
	s->events++;
	return put_cells(s, t, b, i, tm_track_kinds[key[KEY_SORT]].group >= GROUP_HOST);
}

/* Where the losses of a rank are added up; NULL when out of memory. */
static struct tm_loss *lost_of(struct track_store *s, uint64_t rank)
{
	size_t i = 0;

	while (i < s->nlost && s->lost[i].rank != rank)
		i++;
	if (i == s->nlost) {
		if (!tm_grow_array(&s->lost, &s->lost_cap, s->nlost + 1, sizeof *s->lost))
			return NULL;
		s->lost[s->nlost++] = (struct track_lost) { .rank = rank };
	}
	return &s->lost[i].loss;
}

/* What who reads the picture must know of events that it does not show, or not so: counters of
 * dispatches are never drawn, whatever is asked for, and `untimed` of the events could not be. */
static bool lose(struct track_store *s, const struct track_take *t, const struct tm_batch *b,
                 uint64_t untimed)
{
	struct tm_loss *lost;
	uint64_t counters = 0, kernels = 0;

	for (uint32_t i = 0; b->kind == TM_EV_COUNTER && i < b->n; i++)
		counters += tm_batch_has(b, i, TM_EVC_NAME);
	if (b->kind == TM_EV_DISPATCH && t->static_lds)
		kernels = b->n;
	/* Of allocations tables that skip rows without times do not speak. */
	untimed = b->kind == TM_EV_ALLOC ? 0 : untimed;
	lost = counters || kernels || untimed ? lost_of(s, t->rank) : NULL;
	if (lost) {
		lost->of[TM_LOSS_UNDRAWN].n += counters;
		lost->of[TM_LOSS_STATIC_LDS].n += kernels;
		lost->of[TM_LOSS_TIMELESS].n += untimed;
	}
	return lost || !(counters || kernels || untimed);
}

/* Agents of the machine, which several inputs of a rank may describe. */
static bool take_agents(struct track_store *s, uint64_t rank, const struct tm_batch *b)
{
	struct tm_buf text = { 0 };
	bool ok = true;

	for (uint32_t i = 0; ok && i < b->n; i++) {
		tm_buf_clear(&text);
		ok = tm_buf_add(&text, (const char *)&rank, sizeof rank) &&
		     tm_drawn_put_agent(&text, b, i) &&
		     tm_names_add(&s->machines, text.p, text.n) != TM_NAME_NONE;
	}
	tm_buf_fini(&text);
	return ok;
}

bool tm_track_take(struct track_store *s, struct track_take *t, const struct tm_batch *b)
{
	const uint64_t untimed = s->untimed;

	if (b->kind == TM_EV_AGENT)
		return take_agents(s, t->rank, b);
	if (b->kind == TM_EV_SAMPLE || b->kind == TM_EV_STAT || b->kind == TM_EV_ROLLUP) {
		s->no_events[b->kind] += b->n;
		return true;
	}
	for (uint32_t i = 0; i < b->n; i++) {
		enum tm_domain domain = tm_batch_domain(b, i);
		enum tm_event_kind kind = kind_of(b, domain);

		if (drawn(s, t, b, i, kind) && !take_row(s, t, b, i, kind, domain))
			return false;
	}
	return lose(s, t, b, s->untimed - untimed);
}

/* ---- rows of our own ---- */

bool tm_track_own(struct track_store *s, const uint64_t key[KEY_WORDS], uint64_t start,
                  uint64_t end, const char *name, const struct track_say *say, size_t n)
{
	struct track_row *r = add_row(s, key);
	uint64_t set = 0;

	if (!r)
		return false;
	r->start = start;
	r->end = end;
	r->what = WHAT_OWN;
	r->name = tm_names_add(&s->names, name, strlen(name));
	for (size_t i = 0; i < n; i++)
		set |= UINT64_C(1) << say[i].arg;
	put_varint(&s->cells, set);
	for (size_t i = 0; i < n; i++)
		put_varint(&s->cells, say[i].v);
	return r->name != TM_NAME_NONE && !s->cells.failed;
}

bool tm_track_value(struct track_store *s, const uint64_t key[KEY_WORDS], uint64_t at, double v)
{
	struct track_row *r = add_row(s, key);

	if (!r)
		return false;
	r->start = r->end = at;
	r->what = WHAT_OWN;
	r->corr = tm_real_bits(v);
	return put_varint(&s->cells, 0);
}

/* ---- all together ---- */

/* The cells of a row of *from, whose texts have other numbers here: written anew if it has any. */
static bool merge_cells(struct track_store *s, const struct track_store *from, uint64_t cells,
                        const uint32_t *name, struct track_row *r)
{
	struct track_cells c = tm_track_cells(from, r);
	bool texts = false;
	unsigned arg;
	uint64_t v;

	r->cells += cells;
	for (uint64_t set = c.set; set; set &= set - 1)
		texts |= tm_track_is_text((unsigned)__builtin_ctzll(set));
	if (!texts)
		return true;
	r->cells = s->cells.n;
	put_varint(&s->cells, c.set);
	while (tm_track_cell(&c, &arg, &v))
		put_varint(&s->cells, tm_track_is_text(arg) ? name[v] : v);
	return !s->cells.failed;
}

/* The number of each track of *from here. */
static uint32_t *tracks_of(struct track_store *s, const struct track_store *from,
                           const uint32_t *name)
{
	uint32_t *to = malloc(((size_t)from->tracks.n + 1) * sizeof *to);

	for (uint32_t i = 0; to && i < from->tracks.n; i++) {
		uint64_t key[KEY_WORDS];

		memcpy(key, from->tracks.key + (size_t)i * KEY_WORDS, sizeof key);
		if (key[KEY_SORT] == TRACK_COUNTER)
			key[KEY_ID] = name[key[KEY_ID]];
		to[i] = tm_groups_add(&s->tracks, key, NULL);
		if (to[i] == TM_GROUP_NONE) {
			free(to);
			return NULL;
		}
	}
	return to;
}

bool tm_track_merge(struct track_store *s, const struct track_store *from)
{
	uint32_t *name = tm_names_add_all(&s->names, &from->names), *track = NULL;
	uint32_t *machine = tm_names_add_all(&s->machines, &from->machines);
	const uint64_t cells = s->cells.n;
	bool ok = name && machine && (track = tracks_of(s, from, name)) != NULL &&
	          s->n + from->n < UINT32_MAX - 1 &&
	          tm_grow_array(&s->row, &s->cap, s->n + from->n + 1, sizeof *s->row) &&
	          tm_buf_reserve(&s->cells, from->cells.n) &&
	          (!from->cells.n || tm_buf_add(&s->cells, from->cells.p, from->cells.n));

	for (size_t i = 0; ok && i < from->n; i++) {
		struct track_row r = from->row[i];

		r.name = r.name == TM_NAME_NONE ? r.name : name[r.name];
		r.track = track[r.track];
		ok = merge_cells(s, from, cells, name, &r);
		s->row[s->n++] = r;
	}
	free(name);
	free(track);
	free(machine);
	tm_whose_merge(&s->whose, &from->whose);
	s->untimed += from->untimed;
	s->outside += from->outside;
	s->other_kind += from->other_kind;
	s->of_dispatch += from->of_dispatch;
	for (int i = 0; i < TM_EV_NKINDS; i++)
		s->no_events[i] += from->no_events[i];
	s->events += from->events;
	for (size_t i = 0; ok && i < from->nlost; i++) {
		struct tm_loss *to = lost_of(s, from->lost[i].rank);

		ok = to != NULL;
		if (to)
			tm_loss_add(to, &from->lost[i].loss, 0);
	}
	return ok;
}

bool tm_track_lose(struct track_store *s, uint64_t rank, const struct tm_loss *l, bool whole)
{
	struct tm_loss loss = { 0 }, *to;

	tm_drawn_add_loss(&loss, l, whole);
	if (!tm_loss_any(&loss))
		return true;
	to = lost_of(s, rank);
	if (to)
		tm_loss_add(to, &loss, 0);
	return to != NULL;
}

const struct tm_loss *tm_track_lost(const struct track_store *s, uint64_t rank)
{
	for (size_t i = 0; i < s->nlost; i++)
		if (s->lost[i].rank == rank)
			return &s->lost[i].loss;
	return NULL;
}

void tm_track_store_fini(struct track_store *s)
{
	tm_names_fini(&s->names);
	tm_names_fini(&s->machines);
	tm_groups_fini(&s->tracks);
	free(s->row);
	free(s->lost);
	tm_whose_fini(&s->whose);
	tm_buf_fini(&s->cells);
}
