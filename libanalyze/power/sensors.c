/* SPDX-License-Identifier: MIT */
#include "power/sensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000 };

/* ---- reading ---- */

tm_ev_set tm_sensors_want(void)
{
	return TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END) |
	       TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE);
}

bool tm_sensors_init(void *acc, const void *arg)
{
	*(struct tm_sensors *)acc = (struct tm_sensors) { .o = arg };
	return true;
}

void tm_sensors_fini(void *acc)
{
	struct tm_sensors *s = acc;

	free(s->v);
	free(s->track);
}

bool tm_sensors_piece(void *acc, const struct tm_piece *p)
{
	struct tm_sensors *s = acc;

	s->ntrack = 0;
	s->rank = p->id.rank;
	tm_metric_window(s->o, p->id.rank, &s->window);
	return true;
}

/* What counter `id` of the piece is; NULL when out of memory. */
static const struct tm_sensor_name *know_track(struct tm_sensors *s, const struct tm_names *names,
                                               uint32_t id)
{
	if (names->n > s->ntrack) {
		if (!tm_grow_array(&s->track, &s->track_cap, names->n, sizeof *s->track))
			return NULL;
		for (; s->ntrack < names->n; s->ntrack++)
			s->track[s->ntrack] = tm_sensor_of(&names->v[s->ntrack]);
	}
	return &s->track[id];
}

/* A number that a sensor may have, in millionths. */
static uint64_t value_of(double v)
{
	return v >= 0 && v * MILLION <= (double)TM_POWER_MOST ? (uint64_t)llround(v * MILLION)
	                                                      : TM_POWER_NA;
}

static bool take_row(struct tm_sensors *s, const struct tm_batch *b, uint32_t i,
                     const struct tm_sensor_name *name)
{
	struct tm_sensor_reading r = { .rank = s->rank,
		                       .value = value_of(tm_cell_real(b->col[TM_EVC_VALUE][i])),
		                       .sensor = name->sensor,
		                       .held = name->held,
		                       .sampled = name->sampled };

	if (!tm_batch_has(b, i, TM_EVC_START)) {
		s->untimed++;
		return true;
	}
	r.at = r.until = b->col[TM_EVC_START][i];
	if (tm_batch_has(b, i, TM_EVC_END) && b->col[TM_EVC_END][i] > r.at)
		r.until = b->col[TM_EVC_END][i];
	if (r.at >= s->window.hi ||
	    (r.until > r.at ? r.until <= s->window.lo : r.at < s->window.lo))
		return true;
	if (!tm_sensor_agent(b, i, name, &r.agent)) {
		s->of_cpu += tm_batch_has(b, i, TM_EVC_AGENT);
		s->nameless += !tm_batch_has(b, i, TM_EVC_AGENT);
		return true;
	}
	r.at = r.at < s->window.lo ? s->window.lo : r.at;
	r.until = r.until > s->window.hi ? s->window.hi : r.until;
	if (!tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return false;
	s->v[s->n++] = r;
	return true;
}

bool tm_sensors_take(void *acc, const struct tm_batch *b)
{
	static const tm_ev_set need = TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE);
	struct tm_sensors *s = acc;

	if (b->kind != TM_EV_COUNTER)
		return true;
	for (uint32_t i = 0; i < b->n; i++) {
		const struct tm_sensor_name *name;

		if (!tm_batch_has_all(b, i, need) || tm_batch_has(b, i, TM_EVC_NAME))
			continue;
		name = know_track(s, b->names, (uint32_t)b->col[TM_EVC_COUNTER][i]);
		if (!name)
			return false;
		if (name->sensor != TM_SENSOR_NONE && !take_row(s, b, i, name))
			return false;
	}
	return true;
}

bool tm_sensors_merge(void *into, void *acc)
{
	struct tm_sensors *a = into, *from = acc;

	if (!tm_grow_array(&a->v, &a->cap, a->n + from->n, sizeof *a->v))
		return false;
	if (from->n)
		memcpy(a->v + a->n, from->v, from->n * sizeof *a->v);
	a->n += from->n;
	a->of_cpu += from->of_cpu;
	a->nameless += from->nameless;
	a->untimed += from->untimed;
	return true;
}

/* ---- one sensor ---- */

static int by_sensor(const void *pa, const void *pb)
{
	const struct tm_sensor_reading *a = pa, *b = pb;
	int c = tm_u64_cmp(a->rank, b->rank);

	c = c ? c : tm_u64_cmp(a->agent, b->agent);
	return c ? c : (int)a->sensor - (int)b->sensor;
}

static int by_time(const void *pa, const void *pb)
{
	const struct tm_sensor_reading *a = pa, *b = pb;
	int c = by_sensor(a, b);

	c = c ? c : tm_u64_cmp(a->at, b->at);
	c = c ? c : tm_u64_cmp(a->until, b->until);
	return c ? c : tm_u64_cmp(a->value, b->value);
}

/* Readings of one sensor become rows: n of r, in order of time, none twice. */
struct rows {
	const struct tm_sensor_reading *r;
	size_t n;
	bool held;
	bool endless; /* none says until when: a run.db of before these were kept */
};

/* Until when reading i holds: what the trace says, never past the next; or else until that. */
static uint64_t until(const struct rows *w, size_t i)
{
	const struct tm_sensor_reading *r = &w->r[i];
	uint64_t next = i + 1 < w->n ? w->r[i + 1].at : r->until;

	next = next > r->at ? next : r->at;
	return w->endless || (i + 1 < w->n && r->until > next) ? next : r->until;
}

static void put_row(struct tm_power_file *f, uint64_t at, uint64_t value)
{
	f->time[f->n] = at;
	f->value[f->n++] = value;
}

static bool make_file(struct tm_sensor_series *s, const struct rows *w)
{
	struct tm_power_file *f;

	if (!tm_grow_array(&s->files.v, &s->files.cap, 1, sizeof *s->files.v))
		return false;
	f = &s->files.v[s->files.n++];
	*f = (struct tm_power_file) { .name = strdup(tm_sensor_word(s->sensor)),
		                      .col = calloc(1, sizeof *f->col),
		                      .ncol = 1,
		                      .held = w->held,
		                      .time = calloc(2 * w->n + 1, sizeof *f->time),
		                      .value = calloc(2 * w->n + 1, sizeof *f->value) };
	if (!f->name || !f->col || !f->time || !f->value)
		return false;
	f->col->what = TM_POWER_WATT; /* whatever it is: one kind will do */
	for (size_t i = 0; i < w->n; i++) {
		const struct tm_sensor_reading *r = &w->r[i];

		if (r->value == TM_POWER_NA) {
			s->na++;
			continue;
		}
		s->samples++;
		put_row(f, r->at, r->value);
		if (w->held)
			put_row(f, until(w, i), r->value);
	}
	return true;
}

/* The last 0 of a track of rocprof-sys that had anything else. */
static bool ends_in_zero(const struct rows *w)
{
	const struct tm_sensor_reading *last = &w->r[w->n - 1];
	bool more = false;

	for (size_t i = 0; i < w->n; i++)
		more |= w->r[i].value && w->r[i].value != TM_POWER_NA;
	return last->sampled && !w->held && !last->value && more;
}

static bool settle_one(struct tm_sensor_series *s, const struct tm_sensor_reading *r, size_t n,
                       uint64_t gap_ns)
{
	struct rows w = { .r = r, .n = n, .endless = true };
	size_t nodes;

	for (size_t i = 0; i < n; i++)
		w.endless &= r[i].until == r[i].at;
	w.held = r->held || !w.endless;

	*s = (struct tm_sensor_series) { .rank = r->rank, .agent = r->agent, .sensor = r->sensor };
	s->ended = ends_in_zero(&w);
	w.n -= s->ended;
	if (!make_file(s, &w) ||
	    !tm_power_nodes(&s->files, TM_POWER_WATT, gap_ns, &s->node, &nodes))
		return false;
	s->files.v->gap_ns = s->node->gap_ns;
	return true;
}

/* None twice, as where two inputs have the same. */
static void make_distinct(struct tm_sensors *s)
{
	size_t n = 0;

	if (s->n)
		qsort(s->v, s->n, sizeof *s->v, by_time);
	for (size_t i = 0; i < s->n; i++)
		if (!n || by_time(&s->v[n - 1], &s->v[i]) != 0)
			s->v[n++] = s->v[i];
	s->n = n;
}

bool tm_sensors_settle(struct tm_sensors *s, uint64_t gap_ns, unsigned which,
                       struct tm_sensor_list *out)
{
	size_t cap = 0, to;

	*out = (struct tm_sensor_list) { 0 };
	make_distinct(s);
	for (size_t from = 0; from < s->n; from = to) {
		for (to = from; to < s->n && !by_sensor(&s->v[from], &s->v[to]);)
			to++;
		if (!(which & 1u << s->v[from].sensor))
			continue;
		if (!tm_grow_array(&out->v, &cap, out->n + 1, sizeof *out->v) ||
		    !settle_one(&out->v[out->n++], &s->v[from], to - from, gap_ns))
			return false;
	}
	return true;
}

void tm_sensor_list_fini(struct tm_sensor_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		tm_power_nodes_free(l->v[i].node, l->v[i].node ? 1 : 0);
		tm_power_files_fini(&l->v[i].files);
	}
	free(l->v);
	*l = (struct tm_sensor_list) { 0 };
}

struct tm_power_walk tm_sensor_walk(const struct tm_sensor_series *s, uint64_t scale)
{
	return (struct tm_power_walk) { .node = s->node, .what = TM_POWER_WATT, .scale = scale };
}
