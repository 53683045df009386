/* SPDX-License-Identifier: MIT
 * The energy of every instant to the classes that run in it.
 *
 * Unit: half a millionth of a watt for a nanosecond, in which a whole stretch between two readings
 * is an integer.  Inside a stretch the energy up to an instant is rounded down, and parts are
 * differences of that: whatever is cut off one part is in the next. */
#include "power/energy_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_CLASS,
	COL_KERNELS,
	COL_CALLS,
	COL_TOTAL,
	COL_BUSY,
	COL_ENERGY,
	COL_MEAN,
	COL_SHARE,
	COL_N
};

const struct tm_column tm_energy_columns[] = {
	[COL_CLASS] = { .name = "class",
	                .title = "CLASS",
	                .unit = TM_UNIT_TEXT,
	                .about = "kernel class; copy = copies, fills; idle = nothing ran; untraced "
	                         "= before or after" },
	[COL_KERNELS] = { .name = "kernels",
	                  .title = "KERNELS",
	                  .unit = TM_UNIT_COUNT,
	                  .about = "distinct kernel names" },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = TM_UNIT_COUNT,
	                .about = "dispatches, or copies and fills" },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = TM_UNIT_NS,
	                .about = "total duration" },
	[COL_BUSY] = { .name = "busy_ns",
	               .title = "BUSY",
	               .unit = TM_UNIT_NS,
	               .about = "time any of them ran with known power, summed over devices" },
	[COL_ENERGY] = { .name = "energy_j",
	                 .title = "JOULES",
	                 .unit = TM_UNIT_RATIO,
	                 .about = "energy of the row" },
	[COL_MEAN] = { .name = "mean_w",
	               .title = "MEAN W",
	               .unit = TM_UNIT_RATIO,
	               .about = "mean power of the device in busy_ns, other work included" },
	[COL_SHARE] = { .name = "share_pct",
	                .title = "SHARE",
	                .unit = TM_UNIT_PCT,
	                .bar = true,
	                .about = "share of the energy of all rows except untraced" },
	[COL_N] = { .name = NULL },
};

/* A row.  Those of classes come first, by the number of the class, then these. */
enum { ROW_COPY, ROW_IDLE, ROW_UNTRACED, ROWS_MORE };

struct energy_row {
	const char *name;
	uint64_t kernels, calls;
	tm_u128 total_ns, busy_ns;
	tm_u128 part; /* its part of the energy, in units of this file */
	tm_u128 full; /* the energy of the device while it ran */
};

/* One device as time goes by. */
struct sweep {
	struct energy_row *row; /* nclass + ROWS_MORE of them */
	size_t nclass;
	struct tm_intervals *list; /* nclass + 1: of each class, and of copies */
	struct tm_pieces *walk;    /* the unions of those that are not empty, nlive of them ... */
	struct tm_extent *now;     /* ... their stretch at hand or to come ... */
	size_t *which;             /* ... and whose they are */
	size_t *active;            /* those that run now */
	size_t nlive;
	size_t *track; /* tracks with a device, by device and their order; ntrack of them */
	size_t ntrack;
	struct tm_extent window; /* first start, last end */
	tm_u128 busy_ns;         /* of all classes together, as far as readings go */
};

/* ---- the work of a device ---- */

uint64_t tm_energy_shifted(uint64_t t, int64_t shift)
{
	uint64_t ns = t + (uint64_t)shift;

	if (shift < 0)
		return t < (uint64_t)-shift ? 0 : ns;
	return ns < t ? UINT64_MAX : ns;
}

static bool add_op(struct sweep *s, size_t list, const struct tm_intervals *op, size_t i,
                   int64_t shift)
{
	uint64_t lo = tm_energy_shifted(tm_interval_start(op, i), shift),
	         hi = tm_energy_shifted(tm_interval_end(op, i), shift);

	s->window.lo = lo < s->window.lo ? lo : s->window.lo;
	s->window.hi = hi > s->window.hi ? hi : s->window.hi;
	return tm_intervals_add(&s->list[list], lo, hi, 0, 0);
}

/* The class of each name of the trace; NULL when out of memory. */
static size_t *class_ids(const struct tm_energy *e)
{
	const struct tm_names *names = &e->work.names;
	size_t *id = calloc((size_t)names->n + 1, sizeof *id);

	for (uint32_t i = 0; id && i < names->n; i++)
		id[i] = SIZE_MAX;
	return id;
}

/* Classes are asked for when a kernel of that name is met: names of copies have none. */
static bool class_of(const struct tm_energy *e, size_t *id, uint32_t name, struct energy_row *row)
{
	struct tm_class_match m;

	if (id[name] != SIZE_MAX)
		return true;
	if (!tm_classes_match(e->o->classes, e->work.names.v[name].text, &m))
		return false;
	id[name] = m.id;
	row[m.id].kernels++;
	return true;
}

static bool add_track(struct sweep *s, const struct tm_energy *e, const struct tm_work_track *t,
                      int64_t shift, size_t *id)
{
	for (int k = 0; k < TM_WORK_KINDS; k++)
		for (size_t i = 0; i < t->op[k].n; i++) {
			size_t at = s->nclass + ROW_COPY;

			if (k != TM_WORK_COPY) {
				if (!class_of(e, id, tm_interval_name(&t->op[k], i), s->row))
					return false;
				at = id[tm_interval_name(&t->op[k], i)];
			}
			s->row[at].calls++;
			s->row[at].total_ns += tm_interval_dur(&t->op[k], i);
			if (!add_op(s, at, &t->op[k], i, shift))
				return false;
		}
	return true;
}

static int by_device(const void *pa, const void *pb, void *arg)
{
	const struct energy_place *place = arg;
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb;

	if (place[a].device != place[b].device)
		return place[a].device < place[b].device ? -1 : 1;
	return (a > b) - (a < b);
}

static bool order_tracks(struct sweep *s, const struct tm_energy *e,
                         const struct energy_place *place)
{
	s->track = calloc(e->work.ntrack + 1, sizeof *s->track);
	for (size_t i = 0; s->track && i < e->work.ntrack; i++)
		if (place[i].has_device)
			s->track[s->ntrack++] = i;
	if (s->ntrack)
		qsort_r(s->track, s->ntrack, sizeof *s->track, by_device, (void *)(uintptr_t)place);
	return s->track != NULL;
}

/* Where the tracks of a device begin in s->track. */
static size_t first_track(const struct sweep *s, const struct energy_place *place, uint64_t device)
{
	size_t lo = 0, hi = s->ntrack;

	TM_BISECT(lo, hi, mid, place[s->track[mid]].device < device);
	return lo;
}

static bool add_work(struct sweep *s, const struct tm_energy *e, const struct energy_place *place,
                     uint64_t device, size_t *id)
{
	s->window = (struct tm_extent) { UINT64_MAX, 0 };
	for (size_t i = first_track(s, place, device);
	     i < s->ntrack && place[s->track[i]].device == device; i++)
		if (!add_track(s, e, &e->work.track[s->track[i]], place[s->track[i]].shift, id))
			return false;
	s->nlive = 0;
	for (size_t c = 0; c <= s->nclass; c++) {
		if (!s->list[c].n)
			continue;
		tm_intervals_sort(&s->list[c], NULL);
		tm_pieces_init(&s->walk[s->nlive], (struct tm_extent) { 0, UINT64_MAX });
		tm_pieces_add(&s->walk[s->nlive], &s->list[c]);
		s->which[s->nlive] = c;
		if (tm_pieces_next(&s->walk[s->nlive], &s->now[s->nlive]))
			s->nlive++;
	}
	return true;
}

/* ---- its energy ---- */

tm_u128 tm_energy_to(const struct tm_power_walk *w, uint64_t x)
{
	tm_u128 at = x - w->t0, len = w->t - w->t0;

	if (w->v >= w->v0)
		return 2 * (tm_u128)w->v0 * at + (w->v - w->v0) * at * at / len;
	/* Rounded down as a whole, so that it never falls. */
	return (2 * (tm_u128)w->v0 * at * len - (w->v0 - w->v) * at * at) / len;
}

/* What runs at x, into s->active; *next is brought down to when that changes. */
static size_t running(struct sweep *s, uint64_t x, uint64_t *next)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nlive; i++) {
		while (s->now[i].hi <= x) {
			if (tm_pieces_next(&s->walk[i], &s->now[i]))
				continue;
			s->nlive--;
			s->walk[i] = s->walk[s->nlive];
			s->now[i] = s->now[s->nlive];
			s->which[i] = s->which[s->nlive];
			if (i == s->nlive)
				return n;
		}
		if (s->now[i].lo > x) {
			*next = s->now[i].lo < *next ? s->now[i].lo : *next;
			continue;
		}
		*next = s->now[i].hi < *next ? s->now[i].hi : *next;
		s->active[n++] = s->which[i];
	}
	return n;
}

static void give(struct sweep *s, size_t row, uint64_t ns, tm_u128 part, tm_u128 full)
{
	s->row[row].busy_ns += ns;
	s->row[row].part += part;
	s->row[row].full += full;
}

/* [x, next) inside a stretch, in which n classes run all the time. */
static void share(struct sweep *s, size_t n, uint64_t ns, bool inside, tm_u128 energy)
{
	tm_u128 each = n ? energy / n : 0;
	size_t first = 0;

	if (!n) {
		give(s, s->nclass + (inside ? ROW_IDLE : ROW_UNTRACED), ns, energy, energy);
		return;
	}
	/* What does not divide goes to the first class, whatever the order they are held in. */
	for (size_t i = 1; i < n; i++)
		first = s->active[i] < s->active[first] ? i : first;
	for (size_t i = 0; i < n; i++)
		give(s, s->active[i], ns, each + (i == first ? energy - each * n : 0), energy);
	s->busy_ns += ns;
}

static void sweep_stretch(struct sweep *s, const struct tm_power_walk *w)
{
	uint64_t x = w->t0;
	tm_u128 before = 0;

	while (x < w->t) {
		uint64_t next = w->t;
		size_t n = running(s, x, &next);
		bool inside = x >= s->window.lo && x < s->window.hi;
		uint64_t edge = x < s->window.lo ? s->window.lo : s->window.hi;
		tm_u128 upto;

		/* Work without length begins or ends the window too. */
		next = edge > x && edge < next ? edge : next;
		upto = tm_energy_to(w, next);

		share(s, n, next - x, inside, upto - before);
		before = upto;
		x = next;
	}
}

/* ---- all devices ---- */

static void sweep_fini(struct sweep *s)
{
	for (size_t c = 0; s->list && c <= s->nclass; c++)
		tm_intervals_fini(&s->list[c]);
	free(s->list);
	free(s->row);
	free(s->walk);
	free(s->now);
	free(s->which);
	free(s->active);
	free(s->track);
}

static bool sweep_init(struct sweep *s, const struct tm_energy *e)
{
	static const char *const more[] = { "copy", "idle", "untraced" };
	size_t n;

	s->nclass = tm_classes_count(e->o->classes);
	n = s->nclass + ROWS_MORE;
	s->list = calloc(n, sizeof *s->list);
	s->row = calloc(n, sizeof *s->row);
	s->walk = calloc(n, sizeof *s->walk);
	s->now = calloc(n, sizeof *s->now);
	s->which = calloc(n, sizeof *s->which);
	s->active = calloc(n, sizeof *s->active);
	if (!s->list || !s->row || !s->walk || !s->now || !s->which || !s->active)
		return false;
	for (size_t i = 0; i < n; i++)
		s->row[i].name = i < s->nclass ? tm_classes_name(e->o->classes, i)
		                               : more[i - s->nclass];
	return true;
}

/* One device.  Work that readings do not cover is added to *missed.  False when out of memory. */
static bool sweep_device(struct sweep *s, const struct tm_energy *e,
                         const struct energy_place *place, struct tm_power_walk *w, size_t *id,
                         tm_u128 *missed)
{
	tm_u128 before = s->busy_ns;
	struct tm_pieces all;
	bool known = true;

	if (!add_work(s, e, place, w->device, id))
		return false;
	while (tm_power_walk_next(w))
		if (w->link == TM_POWER_COVERED)
			sweep_stretch(s, w);
	tm_pieces_init(&all, (struct tm_extent) { 0, UINT64_MAX });
	for (size_t c = 0; c <= s->nclass; c++)
		known &= tm_pieces_add(&all, &s->list[c]);
	/* With more classes than that nobody says it. */
	if (known)
		*missed += tm_pieces_length(all) - (s->busy_ns - before);
	for (size_t c = 0; c <= s->nclass; c++)
		tm_intervals_fini(&s->list[c]);
	return true;
}

static bool is_used(const struct sweep *s, const struct energy_place *place, uint64_t device)
{
	size_t i = first_track(s, place, device);

	return i < s->ntrack && place[s->track[i]].device == device;
}

/* ---- the table ---- */

static int by_part(const void *pa, const void *pb)
{
	const struct energy_row *a = pa, *b = pb;

	if (a->part != b->part)
		return a->part > b->part ? -1 : 1;
	return strcmp(a->name, b->name);
}

static bool fill_rows(struct sweep *s, struct tm_table *t, struct tm_report *rep)
{
	size_t n = s->nclass + ROWS_MORE, idle = s->nclass + ROW_IDLE;
	tm_u128 whole = 0;

	for (size_t i = 0; i <= idle; i++)
		whole += s->row[i].part;
	qsort(s->row, idle, sizeof *s->row, by_part);
	for (size_t i = 0; i < n; i++) {
		const struct energy_row *r = &s->row[i];
		struct tm_cell *c;

		if (!r->calls && !r->busy_ns)
			continue;
		c = tm_table_row(t);
		if (!c)
			return false;
		c[COL_CLASS] = tm_table_own(t, r->name, strlen(r->name));
		if (r->kernels)
			c[COL_KERNELS] = tm_cell_u64(r->kernels);
		if (r->calls) {
			c[COL_CALLS] = tm_cell_u64(r->calls);
			c[COL_TOTAL] = tm_work_sum_cell(r->total_ns, "durations", rep);
		}
		c[COL_BUSY] = tm_work_sum_cell(r->busy_ns, "busy time", rep);
		if (!r->busy_ns)
			continue;
		c[COL_ENERGY] = tm_power_energy_cell(r->part);
		c[COL_MEAN] = tm_power_mean_cell(r->full, (uint64_t)r->busy_ns);
		if (i <= idle)
			c[COL_SHARE] = tm_work_pct(r->part, whole);
	}
	return true;
}

/* When the work of the trace begins, on the clock of the readings. */
static uint64_t first_work(const struct tm_energy *e, const struct energy_place *place)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < e->work.ntrack; i++)
		for (int k = 0; place[i].has_device && k < TM_WORK_KINDS; k++)
			if (e->work.track[i].op[k].n) {
				uint64_t t = tm_energy_shifted(
				        tm_interval_start(&e->work.track[i].op[k], 0),
				        place[i].shift);

				first = t < first ? t : first;
			}
	return first;
}

void tm_energy_tell_apart(const struct tm_energy *e, const struct tm_energy_opts *o,
                          const struct energy_place *place, const struct tm_power_node *node,
                          struct tm_report *rep)
{
	const int64_t minute = INT64_C(60) * 1000000000, quarter = 15 * minute;
	int64_t first = (int64_t)(first_work(e, place) & INT64_MAX);
	int64_t late = first - (int64_t)node->begin_ns;
	int64_t zone = o->zone_ns -
	               (late + (late < 0 ? -quarter : quarter) / 2) / quarter * quarter;
	uint64_t off = (uint64_t)(zone < 0 ? -zone : zone);
	struct tm_buf apart = { 0 };
	char hint[80] = "";

	if (!o->has_offset && zone != o->zone_ns && zone % minute == 0 &&
	    off <= 14 * 60 * (uint64_t)minute)
		snprintf(hint, sizeof hint,
		         "; with --zone %c%02" PRIu64 ":%02" PRIu64 " they would overlap",
		         zone < 0 ? '-' : '+', off / (60 * (uint64_t)minute),
		         off / (uint64_t)minute % 60);
	tm_buf_ns(&apart, (uint64_t)(late < 0 ? -late : late));
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
	              "the trace's work begins %s %s the first reading and none of it overlaps "
	              "the readings: nothing to attribute%s",
	              apart.p ? apart.p : "", late < 0 ? "before" : "after", hint);
	rep->lost |= apart.failed;
	tm_buf_fini(&apart);
}

enum tm_status tm_energy_share(const struct tm_energy *e, const struct tm_energy_opts *o,
                               const struct energy_place *place, const struct tm_power_node *node,
                               uint64_t scale, struct tm_table *t, struct tm_report *rep)
{
	struct sweep s = { 0 };
	size_t *id = class_ids(e);
	bool ok = id && sweep_init(&s, e) && order_tracks(&s, e, place);
	enum tm_status st = TM_ST_FATAL;
	struct tm_buf unused = { 0 };
	tm_u128 missed = 0;

	for (size_t i = 0; ok && i < node->ndevice; i++) {
		struct tm_power_walk w = { .node = node,
			                   .what = TM_POWER_WATT,
			                   .device = node->device[i],
			                   .scale = scale };

		if (is_used(&s, place, node->device[i]))
			ok = sweep_device(&s, e, place, &w, id, &missed);
		else if (unused.n < 100)
			tm_buf_fmt(&unused, "%sGPU%" PRIu64, unused.n ? ", " : "", node->device[i]);
	}
	if (ok && !s.busy_ns) {
		tm_energy_tell_apart(e, o, place, node, rep);
		st = TM_ST_END;
	} else if (ok && fill_rows(&s, t, rep)) {
		st = TM_ST_OK;
	}
	if (st == TM_ST_OK && missed)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64
		              " ns of GPU work are before, after or between readings: no "
		              "energy is counted for them",
		              missed > UINT64_MAX ? UINT64_MAX : (uint64_t)missed);
	if (st == TM_ST_OK && unused.n)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%s: the trace has no work there; its energy is not counted",
		              unused.p);
	rep->lost |= unused.failed;
	tm_buf_fini(&unused);
	sweep_fini(&s);
	free(id);
	return st;
}
