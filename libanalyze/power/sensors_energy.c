/* SPDX-License-Identifier: MIT
 * The energy of what ran, from the power that the same trace has: as power/energy.h, but readings
 * and work have one clock, and a GPU of a rank has the sensor that the rank's trace has of it. */
#include "power/energy_parts.h"
#include "power/readings.h"
#include "power/sensors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ONE = 10000 };

struct sensor_energy {
	struct tm_metric_opts all; /* of the work: readings alone are windowed */
	struct tm_sensors sensors;
	struct tm_energy energy;
};

static tm_ev_set want(const struct tm_metric_opts *o)
{
	return tm_sensors_want() | tm_energy_want(o);
}

static bool init(void *acc, const void *arg)
{
	struct sensor_energy *a = acc;

	a->all = *(const struct tm_metric_opts *)arg;
	a->all.windowed = a->all.some_ranks = false;
	a->all.nwindow = 0;
	return tm_sensors_init(&a->sensors, arg) && tm_energy_sink.init(&a->energy, &a->all);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct sensor_energy *a = acc;

	return tm_sensors_piece(&a->sensors, p) && tm_energy_sink.piece(&a->energy, p);
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct sensor_energy *a = acc;

	return tm_sensors_take(&a->sensors, b) && tm_energy_sink.take(&a->energy, b);
}

static bool merge(void *into, void *from)
{
	struct sensor_energy *a = into, *b = from;

	return tm_sensors_merge(&a->sensors, &b->sensors) &&
	       tm_energy_sink.merge(&a->energy, &b->energy);
}

static bool done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                 const struct tm_diag *why)
{
	return tm_energy_sink.done(&((struct sensor_energy *)acc)->energy, p, l, why);
}

static void fini(void *acc)
{
	struct sensor_energy *a = acc;

	tm_sensors_fini(&a->sensors);
	tm_energy_sink.fini(&a->energy);
}

static struct tm_work *work(void *acc)
{
	return &((struct sensor_energy *)acc)->energy.work;
}

/* ---- which sensor is whose ---- */

/* The sensors of power of a rank: [from, to) of the list. */
static struct tm_work_range sensors_of(const struct tm_sensor_list *l, uint64_t rank)
{
	size_t lo = 0, hi = l->n;
	struct tm_work_range r;

	TM_BISECT(lo, hi, mid, l->v[mid].rank < rank);
	r = (struct tm_work_range) { lo, lo };
	while (r.to < l->n && l->v[r.to].rank == rank)
		r.to++;
	return r;
}

/* Do all tracks of the rank run on one GPU? */
static bool alone(const struct tm_work *w, const struct tm_work_track *t)
{
	const struct tm_work_range r = tm_work_tracks_of(w, t->rank);
	bool one = true;

	for (size_t i = r.from; i < r.to; i++)
		one &= w->track[i].has_agent == t->has_agent && w->track[i].agent == t->agent;
	return one;
}

/* The sensor of what ran on a track: that of the same agent, else of the same number, else the only
 * one of the rank for the only GPU.  False where there is none. */
static bool place_track(const struct tm_work *w, const struct tm_work_track *t,
                        const struct tm_sensor_list *l, struct energy_place *p)
{
	const struct tm_work_range r = sensors_of(l, t->rank);
	int best = 0;

	*p = (struct energy_place) { 0 };
	for (size_t i = r.from; i < r.to; i++) {
		const int how = tm_sensor_fits(t->has_agent, t->agent, l->v[i].agent);

		if (how <= best)
			continue;
		best = how;
		p->device = i;
	}
	p->has_device = best > 1 || (best == 1 && r.to - r.from == 1 && alone(w, t));
	return p->has_device;
}

/* All that the answer needs. */
struct answer {
	struct sensor_energy *a;
	struct tm_sensor_list list;
	struct energy_place *place;
	struct tm_power_files files; /* of the sensors that count: borrowed but for .v */
	struct tm_power_node *node;
	uint64_t used, placed, left; /* sensors with work; operations with and without a sensor */
};

static uint64_t operations(const struct tm_work_track *t)
{
	uint64_t n = 0;

	for (int k = 0; k < TM_WORK_KINDS; k++)
		n += t->op[k].n;
	return n;
}

/* False when out of memory. */
static bool find_places(struct answer *w)
{
	const struct tm_work *work = &w->a->energy.work;

	w->place = calloc(work->ntrack + 1, sizeof *w->place);
	for (size_t i = 0; w->place && i < work->ntrack; i++)
		if (place_track(work, &work->track[i], &w->list, &w->place[i]))
			w->placed += operations(&work->track[i]);
		else
			w->left += operations(&work->track[i]);
	return w->place != NULL;
}

/* One node of the sensors that something ran on, each a device of its own. */
static bool make_node(struct answer *w)
{
	const struct tm_work *work = &w->a->energy.work;
	bool *used = calloc(w->list.n + 1, sizeof *used);
	size_t n;

	for (size_t i = 0; used && i < work->ntrack; i++)
		if (w->place[i].has_device)
			used[w->place[i].device] = true;
	w->files.v = used ? calloc(w->list.n + 1, sizeof *w->files.v) : NULL;
	for (size_t i = 0; w->files.v && i < w->list.n; i++) {
		if (!used[i] || !w->list.v[i].samples)
			continue;
		w->files.v[w->files.n] = *w->list.v[i].files.v;
		w->files.v[w->files.n].col->device = i;
		w->files.v[w->files.n++].node = 1;
		w->used++;
	}
	free(used);
	return w->files.v && tm_power_nodes(&w->files, TM_POWER_WATT, 0, &w->node, &n);
}

/* ---- the answer ---- */

static enum tm_status explain_nothing(const struct answer *w, struct tm_report *rep)
{
	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR)
			return TM_ST_END; /* said already */
	if (w->list.n)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: work and power sensors are of different GPUs: "
		              "their numbers differ");
	else
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: the input has no power readings%s: " TM_SENSORS_HOW,
		              w->a->sensors.o->windowed ? " in the window" : "");
	return TM_ST_END;
}

static void tell(const struct answer *w, struct tm_report *rep)
{
	const size_t idle = w->list.n - (size_t)w->used;

	if (w->left)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " operation%s of GPUs without a power sensor skipped",
		              w->left, w->left == 1 ? "" : "s");
	if (idle)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "the trace has no work on the GPUs of %zu of %zu power sensors; "
		              "their energy is not counted",
		              idle, w->list.n);
	tm_report_add(rep, TM_SEV_WARN, NULL, 0,
	              "readings are %" PRIu64 ".%03" PRIu64
	              " ms apart: the power of shorter kernels that overlap or alternate cannot be "
	              "separated",
	              w->node->spacing_ns / 1000000, w->node->spacing_ns % 1000000 / 1000);
}

static enum tm_status answer(struct answer *w, const struct tm_sensors_own *own, struct tm_table *t,
                             struct tm_report *rep)
{
	const struct tm_energy_opts o = { .has_offset = true };
	const uint64_t scale = own && own->scale ? own->scale : ONE;
	struct tm_energy *e = &w->a->energy;
	enum tm_status st;

	if (!tm_sensors_settle(&w->a->sensors, own ? own->gap_ns : 0, 1u << TM_SENSOR_POWER,
	                       &w->list))
		return TM_ST_FATAL;
	if (!w->list.n)
		return explain_nothing(w, rep);
	if (!tm_work_settle(&e->work))
		return TM_ST_FATAL;
	if (!e->work.ntrack) {
		tm_work_explain_nothing(&e->work, "kernels or copies", rep);
		return TM_ST_END;
	}
	if (!find_places(w) || !make_node(w))
		return TM_ST_FATAL;
	if (!w->used)
		return explain_nothing(w, rep);
	st = e->by ? tm_energy_share_by(e, &o, w->place, w->node, scale, t, rep)
	           : tm_energy_share(e, &o, w->place, w->node, scale, t, rep);
	if (st == TM_ST_OK) {
		tm_work_tell(&e->work, rep);
		tell(w, rep);
		tm_power_tell_unread(own && own->keep_zero, false, rep);
	}
	return st;
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct answer w = { .a = acc };
	enum tm_status st;

	tm_table_init_list(t, w.a->energy.by ? tm_energy_by_columns : tm_energy_columns);
	st = answer(&w, o->own, t, rep);
	tm_power_nodes_free(w.node, w.node ? 1 : 0);
	free(w.files.v);
	free(w.place);
	tm_sensor_list_fini(&w.list);
	return st;
}

static const struct tm_metric_view views[] = {
	{ .columns = tm_energy_columns, .whole = true },
	{ .option = "step", .about = "of steps", .columns = tm_energy_by_columns, .whole = true },
	{ .option = "region",
	  .about = "of regions",
	  .columns = tm_energy_by_columns,
	  .whole = true },
	{ .option = "op", .about = "of operators", .columns = tm_energy_by_columns, .whole = true },
	{ 0 },
};

const struct tm_metric tm_metric_energy = {
	.name = "energy",
	.about = "energy of kernel classes, steps, regions or operators, from sensors in traces",
	.views = views,
	.own = sizeof(struct tm_sensors_own),
	.whole = TM_WHOLE_RANKS,
	.sink = { .size = sizeof(struct sensor_energy),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini,
	          .done = done },
	.want = want,
	.work = work,
	.fill = fill,
};
