/* SPDX-License-Identifier: MIT
 * The energy of every instant to the steps, regions or operators that it belongs to.
 *
 * As energy_share.c has it, in the same units: parts of a stretch between two readings are
 * differences of what is rounded down once, and what does not divide goes to the first by text, so
 * that all rows add up to the whole, to the last bit. */
#include "power/energy_parts.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_PART,
	COL_RANK,
	COL_CALLS,
	COL_TOTAL,
	COL_COVERED,
	COL_ENERGY,
	COL_MEAN,
	COL_SHARE,
	COL_N,
};

const struct tm_column tm_energy_by_columns[] = {
	[COL_PART] = { .name = "part",
	               .title = "PART",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true,
	               .about = "step, region or operator; the rest: (unattributed), idle, "
	                        "untraced, outside" },
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .unit = TM_UNIT_ID,
	               .about = "rank of the step" },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = TM_UNIT_COUNT,
	                .about = "GPU operations that it launched" },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = TM_UNIT_NS,
	                .about = "sum of their durations; for a step, its length" },
	[COL_COVERED] = { .name = "covered_ns",
	                  .title = "COVERED",
	                  .unit = TM_UNIT_NS,
	                  .about = "part of its time with known power, summed over devices" },
	[COL_ENERGY] = { .name = "energy_j",
	                 .title = "JOULES",
	                 .unit = TM_UNIT_RATIO,
	                 .about = "energy of the row" },
	[COL_MEAN] = { .name = "mean_w",
	               .title = "MEAN W",
	               .unit = TM_UNIT_RATIO,
	               .about = "mean power of the device in covered_ns, other work included" },
	[COL_SHARE] = { .name = "share_pct",
	                .title = "SHARE",
	                .unit = TM_UNIT_PCT,
	                .bar = true,
	                .about = "share of the energy of all rows" },
	[COL_N] = { .name = NULL },
};

/* One of those that the energy is shared out to. */
struct part {
	bool has_rank;
	uint64_t rank, number; /* of a step */
	uint64_t calls;
	tm_u128 total, covered, energy, full;
	uint64_t order, seen; /* its place by text; the last instant at which it was met */
};

/* What is not theirs. */
enum { REST_IDLE, REST_OUTSIDE, RESTS };

/* Something that an instant of a device belongs to. */
struct piece {
	uint64_t device, lo, hi;
	uint32_t part;
};

struct by {
	struct tm_energy *e;
	const struct energy_place *place;
	struct tm_names texts; /* of parts; of steps "rank/number" */
	struct part *part;
	size_t part_cap;
	struct piece *piece; /* npiece of them */
	size_t npiece, piece_cap;
	struct part rest[RESTS];
	uint32_t *text_of; /* of each label, + 1 */
	struct tm_buf text;

	/* the device at hand */
	const struct piece *next, *end; /* those that did not begin yet */
	struct active {
		uint64_t hi;
		uint32_t part;
	} * active;
	size_t nactive, active_cap;
	uint32_t *met; /* different parts of these */
	size_t met_cap;
	uint64_t instant;
	struct tm_extent window; /* first start, last end */
};

/* ---- parts ---- */

/* The part of s->text, made if new; TM_NAME_NONE when out of memory. */
static uint32_t part_of_text(struct by *s)
{
	uint32_t known = s->texts.n, id;

	id = s->text.failed ? TM_NAME_NONE
	                    : tm_names_add(&s->texts, s->text.p ? s->text.p : "", s->text.n);
	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&s->part, &s->part_cap, s->texts.n, sizeof *s->part))
		return TM_NAME_NONE;
	if (id == known)
		s->part[id] = (struct part) { .calls = 0 };
	return id;
}

static bool add_piece(struct by *s, const struct energy_place *p, uint64_t lo, uint64_t hi,
                      uint32_t part)
{
	struct piece v = { .device = p->device,
		           .lo = tm_energy_shifted(lo, p->shift),
		           .hi = tm_energy_shifted(hi, p->shift),
		           .part = part };

	if (!tm_grow_array(&s->piece, &s->piece_cap, s->npiece + 1, sizeof *s->piece))
		return false;
	s->piece[s->npiece++] = v;
	return true;
}

/* ---- steps ---- */

/* A step on all devices that its rank has. */
static bool add_step(struct by *s, const struct tm_step *step, size_t index)
{
	const struct tm_work *w = &s->e->work;
	struct tm_work_range tracks = tm_work_tracks_of(w, step->rank);
	uint32_t id;

	tm_buf_clear(&s->text);
	tm_buf_fmt(&s->text, "%020" PRIu64 "/%zu", step->rank, index);
	id = part_of_text(s);
	if (id == TM_NAME_NONE)
		return false;
	s->part[id].has_rank = true;
	s->part[id].rank = step->rank;
	s->part[id].number = step->number;
	s->part[id].total = step->at.hi - step->at.lo;
	s->part[id].order = index;
	for (size_t i = tracks.from; i < tracks.to; i++) {
		bool again = false;

		for (size_t k = tracks.from; k < i; k++)
			again |= s->place[k].has_device && s->place[k].device == s->place[i].device;
		if (s->place[i].has_device && !again &&
		    !add_piece(s, &s->place[i], step->at.lo, step->at.hi, id))
			return false;
	}
	return true;
}

static enum tm_status gather_steps(struct by *s, struct tm_report *rep)
{
	struct tm_steps steps = { 0 };
	enum tm_status st = tm_steps_find(&steps, &s->e->work, rep);

	for (size_t i = 0; st == TM_ST_OK && i < steps.n; i++)
		if (!add_step(s, &steps.v[i], i))
			st = TM_ST_FATAL;
	tm_steps_fini(&steps);
	return st;
}

/* ---- regions and operators ---- */

/* The part of what is innermost around an operation. */
static uint32_t part_of(struct by *s, const struct tm_stack_place *p)
{
	uint32_t label, id;

	if (p->how >= TM_STACK_PLACED || !p->n) {
		tm_buf_clear(&s->text);
		tm_buf_str(&s->text, "(unattributed)");
		return part_of_text(s);
	}
	label = p->open[0].label;
	if (s->text_of[label])
		return s->text_of[label] - 1;
	if (!tm_stack_label_text(&s->e->stack, label, &s->text))
		return TM_NAME_NONE;
	id = part_of_text(s);
	if (id != TM_NAME_NONE)
		s->text_of[label] = id + 1;
	return id;
}

/* `r` is that of the rank, or NULL: the host of the rank is not in the trace. */
static bool add_track(struct by *s, const struct tm_stack_rank *r, size_t track)
{
	const struct tm_work_track *t = &s->e->work.track[track];
	struct tm_stack_place *place = malloc(sizeof *place);
	bool ok = place != NULL;

	for (int k = 0; ok && k < TM_WORK_KINDS; k++)
		for (size_t i = 0; ok && i < t->op[k].n; i++) {
			uint64_t lo = tm_interval_start(&t->op[k], i),
			         hi = tm_interval_end(&t->op[k], i);
			const struct tm_stack_op op = { .pid = t->pid,
				                        .has_pid = t->has_pid,
				                        .corr = tm_interval_tag(&t->op[k], i),
				                        .start = lo };
			uint32_t part;

			*place = (struct tm_stack_place) { .how = TM_STACK_NO_LAUNCH };
			if (r)
				tm_stack_find_op(r, &op, place);
			part = part_of(s, place);
			ok = part != TM_NAME_NONE && add_piece(s, &s->place[track], lo, hi, part);
			if (ok) {
				s->part[part].calls++;
				s->part[part].total += hi - lo;
			}
		}
	free(place);
	return ok;
}

static bool add_rank(struct by *s, const struct tm_stack_rank *r, struct tm_work_range tracks)
{
	for (size_t i = tracks.from; i < tracks.to; i++)
		if (s->place[i].has_device && !add_track(s, r, i))
			return false;
	return true;
}

/* Ranks with a host and those without, in order. */
static bool gather_launches(struct by *s)
{
	const struct tm_work *w = &s->e->work;
	size_t at_thread = 0, at_track = 0, track = 0;
	bool done = false, ok = tm_stack_settle(&s->e->stack);

	s->text_of = ok ? calloc((size_t)s->e->stack.labels.n + 1, sizeof *s->text_of) : NULL;
	ok = s->text_of != NULL;
	while (ok && !done) {
		struct tm_stack_rank r = { 0 };

		ok = tm_stack_rank_next(&r, &s->e->stack, &at_thread, &at_track, &done) || done;
		ok = ok && (done || tm_stack_rank_share(&r));
		if (ok && !done) {
			struct tm_work_range mine = tm_work_tracks_of(w, tm_stack_rank_of(&r));

			/* Ranks before it have no host. */
			while (ok && track < w->ntrack &&
			       w->track[track].rank < tm_stack_rank_of(&r)) {
				struct tm_work_range one = { track, track + 1 };

				ok = add_rank(s, NULL, one);
				track++;
			}
			ok = ok && add_rank(s, &r, mine);
			track = mine.to > track ? mine.to : track;
		}
		tm_stack_rank_fini(&r);
	}
	if (ok && track < w->ntrack) {
		struct tm_work_range rest = { track, w->ntrack };

		ok = add_rank(s, NULL, rest);
	}
	return ok;
}

/* ---- order ---- */

static int by_start(const void *pa, const void *pb)
{
	const struct piece *a = pa, *b = pb;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return a->lo != b->lo ? tm_u64_cmp(a->lo, b->lo) : tm_u64_cmp(a->hi, b->hi);
}

static int by_text(const void *pa, const void *pb, void *arg)
{
	const struct tm_names *names = arg;
	uint32_t a, b;

	memcpy(&a, pa, sizeof a);
	memcpy(&b, pb, sizeof b);
	return tm_name_cmp(&names->v[a], &names->v[b]);
}

/* Parts by their texts, so that it does not matter which came first. */
static bool order_parts(struct by *s)
{
	uint32_t *v = calloc((size_t)s->texts.n + 1, sizeof *v);

	for (uint32_t i = 0; v && i < s->texts.n; i++)
		v[i] = i;
	if (v && s->texts.n && s->e->by != TM_ENERGY_STEP) {
		qsort_r(v, s->texts.n, sizeof *v, by_text, &s->texts);
		for (uint32_t i = 0; i < s->texts.n; i++)
			s->part[v[i]].order = i;
	}
	free(v);
	if (s->npiece)
		qsort(s->piece, s->npiece, sizeof *s->piece, by_start);
	return v != NULL;
}

/* ---- energy ---- */

static void give(struct part *p, uint64_t ns, tm_u128 energy, tm_u128 full)
{
	p->covered += ns;
	p->energy += energy;
	p->full += full;
}

/* What holds the instant, into s->active; *next is brought down to when that changes.  False when
 * out of memory. */
static bool hold(struct by *s, uint64_t x, uint64_t *next)
{
	size_t kept = 0;

	for (; s->next < s->end && s->next->lo <= x; s->next++) {
		if (s->next->hi <= x)
			continue;
		if (!tm_grow_array(&s->active, &s->active_cap, s->nactive + 1, sizeof *s->active))
			return false;
		s->active[s->nactive++] = (struct active) { s->next->hi, s->next->part };
	}
	if (s->next < s->end && s->next->lo < *next)
		*next = s->next->lo;
	for (size_t i = 0; i < s->nactive; i++) {
		if (s->active[i].hi <= x)
			continue;
		*next = s->active[i].hi < *next ? s->active[i].hi : *next;
		s->active[kept++] = s->active[i];
	}
	s->nactive = kept;
	return true;
}

/* [x, next) to the parts that hold it, in equal parts. */
static bool share(struct by *s, uint64_t x, uint64_t ns, tm_u128 energy)
{
	size_t n = 0, first = 0;

	s->instant++;
	if (!tm_grow_array(&s->met, &s->met_cap, s->nactive + 1, sizeof *s->met))
		return false;
	for (size_t i = 0; i < s->nactive; i++) {
		struct part *p = &s->part[s->active[i].part];

		if (p->seen == s->instant)
			continue;
		p->seen = s->instant;
		s->met[n++] = s->active[i].part;
		first = p->order < s->part[s->met[first]].order ? n - 1 : first;
	}
	if (!n) {
		bool idle = s->e->by != TM_ENERGY_STEP && x >= s->window.lo && x < s->window.hi;

		give(&s->rest[idle ? REST_IDLE : REST_OUTSIDE], ns, energy, energy);
	}
	for (size_t i = 0; i < n; i++)
		give(&s->part[s->met[i]], ns,
		     energy / n + (i == first ? energy - energy / n * n : 0), energy);
	return true;
}

static bool sweep_stretch(struct by *s, const struct tm_power_walk *w)
{
	tm_u128 before = 0;

	for (uint64_t x = w->t0, next; x < w->t; x = next) {
		uint64_t edge = x < s->window.lo ? s->window.lo : s->window.hi;
		tm_u128 upto;

		next = w->t;
		if (!hold(s, x, &next))
			return false;
		next = edge > x && edge < next ? edge : next;
		upto = tm_energy_to(w, next);
		if (!share(s, x, next - x, upto - before))
			return false;
		before = upto;
	}
	return true;
}

/* One device, if the trace has work there. */
static bool sweep_device(struct by *s, struct tm_power_walk *w, uint64_t *used)
{
	size_t lo = 0, hi = s->npiece;

	TM_BISECT(lo, hi, mid, s->piece[mid].device < w->device);
	if (lo == s->npiece || s->piece[lo].device != w->device)
		return true;
	(*used)++;
	s->window = (struct tm_extent) { s->piece[lo].lo, 0 };
	for (hi = lo; hi < s->npiece && s->piece[hi].device == w->device; hi++)
		s->window.hi = s->piece[hi].hi > s->window.hi ? s->piece[hi].hi : s->window.hi;
	s->next = s->piece + lo;
	s->end = s->piece + hi;
	s->nactive = 0;
	while (tm_power_walk_next(w))
		if (w->link == TM_POWER_COVERED && !sweep_stretch(s, w))
			return false;
	return true;
}

/* ---- rows ---- */

/* Steps as they come, others by energy. */
static int by_energy(const void *pa, const void *pb)
{
	const struct part *a = *(const struct part *const *)pa,
	                  *b = *(const struct part *const *)pb;

	if (!a->has_rank && a->energy != b->energy)
		return a->energy > b->energy ? -1 : 1;
	return tm_u64_cmp(a->order, b->order);
}

static bool put_row(struct by *s, const struct part *p, struct tm_cell name, tm_u128 whole,
                    struct tm_table *t, struct tm_report *rep)
{
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return false;
	c[COL_PART] = name;
	if (p->has_rank)
		c[COL_RANK] = tm_cell_u64(p->rank);
	if (p->calls)
		c[COL_CALLS] = tm_cell_u64(p->calls);
	if (p->calls || p->has_rank)
		c[COL_TOTAL] = tm_work_sum_cell(p->total, "durations", rep);
	c[COL_COVERED] = tm_work_sum_cell(p->covered, "covered time", rep);
	if (!p->covered)
		return true;
	c[COL_ENERGY] = tm_power_energy_cell(p->energy);
	if (!(p->covered >> 64))
		c[COL_MEAN] = tm_power_mean_cell(p->full, (uint64_t)p->covered);
	c[COL_SHARE] = tm_work_pct(p->energy, whole);
	(void)s;
	return true;
}

static struct tm_cell name_of(struct by *s, const struct part *p, struct tm_table *t)
{
	const struct tm_name *nm = &s->texts.v[p - s->part];

	if (!p->has_rank)
		return tm_table_own(t, nm->text, nm->len);
	tm_buf_clear(&s->text);
	tm_buf_fmt(&s->text, "step %" PRIu64, p->number);
	return tm_table_own(t, s->text.p ? s->text.p : "", s->text.n);
}

static bool put_rows(struct by *s, struct tm_table *t, struct tm_report *rep)
{
	static const char *const rest[RESTS] = { "idle", "untraced" };
	const struct part **v = calloc((size_t)s->texts.n + 1, sizeof *v);
	tm_u128 whole = 0;
	bool ok = v != NULL;

	for (uint32_t i = 0; ok && i < s->texts.n; i++) {
		v[i] = &s->part[i];
		whole += s->part[i].energy;
	}
	for (int i = 0; i < RESTS; i++)
		whole += s->rest[i].energy;
	if (ok && s->texts.n)
		qsort(v, s->texts.n, sizeof *v, by_energy);
	for (uint32_t i = 0; ok && i < s->texts.n; i++)
		ok = put_row(s, v[i], name_of(s, v[i], t), whole, t, rep);
	for (int i = 0; ok && i < RESTS; i++) {
		const char *word = s->e->by == TM_ENERGY_STEP ? "outside" : rest[i];

		if (!s->rest[i].covered)
			continue;
		ok = put_row(s, &s->rest[i], tm_cell_text(word, strlen(word)), whole, t, rep);
		t->kept++;
	}
	free(v);
	return ok && !t->failed;
}

/* Is there energy of any of them? */
static bool meets(const struct by *s)
{
	for (uint32_t i = 0; i < s->texts.n; i++)
		if (s->part[i].covered)
			return true;
	return false;
}

enum tm_status tm_energy_share_by(struct tm_energy *e, const struct tm_energy_opts *o,
                                  const struct energy_place *place,
                                  const struct tm_power_node *node, uint64_t scale,
                                  struct tm_table *t, struct tm_report *rep)
{
	struct by s = { .e = e, .place = place };
	enum tm_status st = e->by == TM_ENERGY_STEP ? gather_steps(&s, rep)
	                    : gather_launches(&s)   ? TM_ST_OK
	                                            : TM_ST_FATAL;
	uint64_t used = 0;

	if (st == TM_ST_OK && !order_parts(&s))
		st = TM_ST_FATAL;
	for (size_t i = 0; st == TM_ST_OK && i < node->ndevice; i++) {
		struct tm_power_walk w = { .node = node,
			                   .what = TM_POWER_WATT,
			                   .device = node->device[i],
			                   .scale = scale };

		if (!sweep_device(&s, &w, &used))
			st = TM_ST_FATAL;
	}
	if (st == TM_ST_OK && !meets(&s)) {
		tm_energy_tell_apart(e, o, place, node, rep);
		st = TM_ST_END;
	}
	if (st == TM_ST_OK && !put_rows(&s, t, rep))
		st = TM_ST_FATAL;
	if (st == TM_ST_OK && used < node->ndevice)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "the trace has no work on %zu of %zu devices; their energy is not counted",
		        node->ndevice - (size_t)used, node->ndevice);
	tm_names_fini(&s.texts);
	tm_buf_fini(&s.text);
	free(s.part);
	free(s.piece);
	free(s.text_of);
	free(s.active);
	free(s.met);
	return st;
}
