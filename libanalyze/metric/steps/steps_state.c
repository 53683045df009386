/* SPDX-License-Identifier: MIT
 * What files of totals keep of the steps of a rank.  Which marker has the steps is chosen over all
 * ranks, so all that it may be of are measured and kept; the choice is made when it is asked. */
#include "metric/steps/regions.h"
#include "metric/steps/steps.h"

#include <stdlib.h>
#include <string.h>

/* Words of an item; its text is the marker, or the kernel that a repeat begins with. */
enum {
	KEPT_WHAT, /* KEPT_RANK: */
	KEPT_SOME, /* it has GPU work or calls */
	KEPT_ANY,  /* struct tm_steps_sequence, as what follows */
	KEPT_FOUND,
	KEPT_STEPS,
	KEPT_LENGTH,
	KEPT_KERNELS,
	KEPT_HAS_AGENT,
	KEPT_AGENT,
	KEPT_TOTAL = 1, /* KEPT_MARKER, KEPT_REPEATS: low and high half */
	KEPT_N = KEPT_AGENT + 1
};

enum { KEPT_RANK, KEPT_MARKER, KEPT_REPEATS };

enum { GPU = 1, CALLS = 2, SIZED = 4, BITS = 7 };

/* ---- writing ---- */

/* The numbers of a row, but for its step and flags. */
enum { NUMBERS = 16 };

static void numbers_of(struct tm_step_row *r, uint64_t *out[NUMBERS])
{
	struct tm_work_use *u = &r->use;
	uint64_t *const v[NUMBERS] = { &u->window,       &u->busy,     &u->compute,
		                       &u->exposed_comm, &u->move,     &u->exposed_copy,
		                       &u->wait,         &u->idle,     &u->comm,
		                       &u->copy,         &r->kernels,  &r->sync,
		                       &r->sync_idle,    &r->launches, &r->copied,
		                       &r->inside };

	memcpy(out, v, sizeof v);
}

static void put_rows(const struct tm_step_rows *rows, struct tm_buf *out)
{
	uint64_t before = 0;

	tm_num_put_varint(out, rows->n);
	for (size_t i = 0; i < rows->n; i++) {
		struct tm_step_row *r = &rows->v[i];
		uint64_t *v[NUMBERS];

		numbers_of(r, v);
		tm_num_put_varint(out, (r->gpu ? GPU : 0) | (r->calls ? CALLS : 0) |
		                               (r->sized ? SIZED : 0));
		tm_num_put_varint(out, r->step.number);
		tm_num_put_varint(out, r->step.at.lo - before);
		tm_num_put_varint(out, r->step.at.hi - r->step.at.lo);
		before = r->step.at.lo;
		for (size_t k = 0; k < NUMBERS; k++)
			tm_num_put_varint(out, *v[k]);
	}
}

static bool keep_rows(const struct tm_steps_maybe *m, const struct tm_step_rows *rows,
                      struct tm_state *s)
{
	struct tm_state_item it = { .text = m->marker ? m->marker : "",
		                    .len = m->len,
		                    .nv = KEPT_N };
	struct tm_buf out = { 0 };

	put_rows(rows, &out);
	it.v[KEPT_WHAT] = m->marker ? KEPT_MARKER : KEPT_REPEATS;
	it.v[KEPT_TOTAL] = (uint64_t)m->total;
	it.v[KEPT_TOTAL + 1] = (uint64_t)(m->total >> 64);
	it.bytes = out.p;
	it.nbytes = out.n;
	tm_state_put(s, &it);
	tm_buf_fini(&out);
	return !out.failed;
}

static void keep_rank(const struct tm_work *w, const struct tm_steps_sequence *q,
                      struct tm_state *s)
{
	struct tm_state_item it = {
		.text = q->first ? q->first : "", .len = q->len, .nv = KEPT_N, .bytes = ""
	};

	it.v[KEPT_WHAT] = KEPT_RANK;
	it.v[KEPT_SOME] = w->ntrack || w->nthread;
	it.v[KEPT_ANY] = q->any;
	it.v[KEPT_FOUND] = q->found;
	it.v[KEPT_STEPS] = q->steps;
	it.v[KEPT_LENGTH] = q->length;
	it.v[KEPT_KERNELS] = q->kernels;
	it.v[KEPT_HAS_AGENT] = q->has_agent;
	it.v[KEPT_AGENT] = q->agent;
	tm_state_put(s, &it);
}

static bool share_notes(struct tm_work *w, struct tm_state *s, struct tm_work_rank_notes *notes)
{
	tm_state_add(s, &notes->several);
	tm_state_add(s, &notes->silent);
	return tm_work_state(w, s);
}

bool tm_step_rows_keep(struct tm_work *w, struct tm_state *s, struct tm_table *t)
{
	struct tm_steps_maybe *v;
	size_t n;
	bool ok = tm_steps_maybe(w, &v, &n);
	struct tm_steps *steps = calloc(n + 1, sizeof *steps);
	struct tm_step_rows *rows = calloc(n + 1, sizeof *rows);
	struct tm_work_rank_notes notes = { 0 };

	ok = ok && steps && rows && tm_work_origins(w, t);
	for (size_t i = 0; ok && i < n; i++)
		steps[i] = v[i].steps;
	ok = ok && tm_step_rows_measure(w, steps, n, rows, &notes);
	if (ok)
		keep_rank(w, &v->sequence, s);
	for (size_t i = 0; ok && i < n; i++)
		ok = keep_rows(&v[i], &rows[i], s);
	for (size_t i = 0; rows && i < n; i++)
		tm_step_rows_fini(&rows[i]);
	free(steps);
	free(rows);
	tm_steps_maybe_free(v, n);
	return ok && share_notes(w, s, &notes);
}

/* ---- reading ---- */

/* What may be the steps of a rank. */
struct maybe {
	uint64_t rank;
	uint32_t marker; /* TM_NAME_NONE = repeats */
	struct tm_step_rows rows;
};

struct of_rank {
	uint64_t rank;
	bool some;
	struct tm_steps_sequence sequence; /* texts are names */
};

struct reading {
	struct tm_state *s;
	struct tm_names names; /* of markers, and of kernels */
	tm_u128 *total;        /* of each name */
	bool *marker;
	size_t total_cap, marker_cap, known;
	struct maybe *v; /* n of them, by rank */
	size_t n, cap;
	struct of_rank *rank;
	size_t nranks, ranks_cap;
};

static void reading_fini(struct reading *g)
{
	for (size_t i = 0; i < g->n; i++)
		tm_step_rows_fini(&g->v[i].rows);
	free(g->v);
	free(g->rank);
	free(g->total);
	free(g->marker);
	tm_names_fini(&g->names);
}

/* A name; its total is 0 at first. */
static bool name_of(struct reading *g, const struct tm_state_item *it, uint32_t *id)
{
	*id = tm_names_add(&g->names, it->text, it->len);
	if (*id == TM_NAME_NONE ||
	    !tm_grow_array(&g->total, &g->total_cap, g->names.n, sizeof *g->total) ||
	    !tm_grow_array(&g->marker, &g->marker_cap, g->names.n, sizeof *g->marker))
		return false;
	for (; g->known < g->names.n; g->known++) {
		g->total[g->known] = 0;
		g->marker[g->known] = false;
	}
	return true;
}

static bool get_rows(struct tm_state_bytes *in, uint64_t rank, struct tm_step_rows *rows)
{
	size_t n = tm_state_many(in);
	uint64_t before = 0;

	if (!tm_grow_array(&rows->v, &rows->cap, n + 1, sizeof *rows->v))
		return false;
	for (size_t i = 0; i < n && !in->bad; i++) {
		struct tm_step_row *r = &rows->v[rows->n++];
		const uint64_t flags = tm_state_up_to(in, BITS);
		uint64_t *v[NUMBERS];

		*r = (struct tm_step_row) { .step = { .rank = rank },
			                    .gpu = flags & GPU,
			                    .calls = flags & CALLS,
			                    .sized = flags & SIZED };
		r->step.number = tm_state_number(in);
		r->step.at.lo = before += tm_state_number(in);
		r->step.at.hi = before + tm_state_up_to(in, UINT64_MAX - before);
		numbers_of(r, v);
		for (size_t k = 0; k < NUMBERS; k++)
			*v[k] = tm_state_number(in);
		in->bad |= r->sync_idle > r->use.idle;
	}
	return true;
}

static bool take_rows(struct reading *g, uint64_t rank, const struct tm_state_item *it)
{
	struct tm_state_bytes in = tm_state_bytes(it->bytes, it->nbytes);
	struct maybe *m;
	uint32_t id;

	if (!name_of(g, it, &id) || !tm_grow_array(&g->v, &g->cap, g->n + 1, sizeof *g->v))
		return false;
	m = &g->v[g->n++];
	*m = (struct maybe) { .rank = rank,
		              .marker = it->v[KEPT_WHAT] == KEPT_MARKER ? id : TM_NAME_NONE };
	if (!get_rows(&in, rank, &m->rows))
		return false;
	if (in.bad || in.p != in.end) {
		m->rows.n = 0;
		tm_state_bad(g->s);
	}
	if (m->marker != TM_NAME_NONE) {
		g->marker[id] = true;
		g->total[id] += (tm_u128)it->v[KEPT_TOTAL + 1] << 64 | it->v[KEPT_TOTAL];
	}
	return true;
}

static bool take(void *arg, uint64_t rank, const struct tm_state_item *it)
{
	struct reading *g = arg;
	const uint64_t *v = it->v;
	uint32_t id;

	if (v[KEPT_WHAT] != KEPT_RANK)
		return take_rows(g, rank, it);
	if (!name_of(g, it, &id) ||
	    !tm_grow_array(&g->rank, &g->ranks_cap, g->nranks + 1, sizeof *g->rank))
		return false;
	g->rank[g->nranks++] = (struct of_rank) {
		.rank = rank,
		.some = v[KEPT_SOME],
		.sequence = { .any = v[KEPT_ANY],
		              .found = v[KEPT_FOUND],
		              .steps = v[KEPT_STEPS],
		              .length = v[KEPT_LENGTH],
		              .kernels = v[KEPT_KERNELS],
		              .has_agent = v[KEPT_HAS_AGENT],
		              .agent = v[KEPT_AGENT],
		              .first = g->names.v[id].text,
		              .len = g->names.v[id].len },
	};
	return true;
}

static uint32_t choose(const struct reading *g)
{
	uint32_t best = TM_NAME_NONE;

	for (uint32_t i = 0; i < g->names.n; i++)
		if (g->marker[i] && (best == TM_NAME_NONE ||
		                     tm_steps_compare(&g->names.v[i], g->total[i],
		                                      &g->names.v[best], g->total[best]) < 0))
			best = i;
	return best;
}

/* The rows of the rank by that marker, if it has any; *at goes on to the next rank. */
static bool add_rows(const struct reading *g, uint64_t rank, uint32_t marker, size_t *at,
                     struct tm_step_rows *rows, bool *any)
{
	*any = false;
	for (; *at < g->n && g->v[*at].rank <= rank; ++*at) {
		const struct maybe *m = &g->v[*at];

		if (m->rank != rank || m->marker != marker)
			continue;
		if (!tm_grow_array(&rows->v, &rows->cap, rows->n + m->rows.n + 1, sizeof *rows->v))
			return false;
		if (m->rows.n)
			memcpy(rows->v + rows->n, m->rows.v, m->rows.n * sizeof *rows->v);
		rows->n += m->rows.n;
		*any = true;
	}
	return true;
}

/* `aside`: what tm_steps_find leaves out then. */
static bool add_ranks(struct reading *g, bool aside, struct tm_step_rows *rows,
                      struct tm_report *rep)
{
	const uint32_t best = choose(g);
	const struct tm_name *marker = best == TM_NAME_NONE ? NULL : &g->names.v[best];
	struct tm_steps_told told = { 0 };
	uint64_t ranks = 0;
	size_t at = 0;

	rows->sequence = !marker;
	for (size_t i = 0; i < g->nranks; i++) {
		struct of_rank *r = &g->rank[i];
		const bool single = aside && !marker && r->sequence.length == 1;
		bool any = false;

		if (!r->some)
			continue;
		r->sequence.found &= !single;
		if (!single && !add_rows(g, r->rank, best, &at, rows, &any))
			return false;
		ranks += any;
		if (marker && !any)
			tm_steps_tell_without(&told, r->rank, marker, rep);
		else if (!marker && r->sequence.any)
			tm_steps_tell_repeats(&told, r->rank, &r->sequence, rep);
	}
	tm_steps_tell_end(&told, marker, rows->n, ranks, rep);
	return true;
}

enum tm_status tm_step_rows_kept(struct tm_step_rows *rows, struct tm_work *w, struct tm_state *s,
                                 struct tm_table *t, struct tm_report *rep)
{
	struct tm_work_rank_notes notes = { 0 };
	struct reading g = { .s = s };
	bool ok = tm_state_rows(s, t) && share_notes(w, s, &notes) &&
	          tm_state_each(s, KEPT_N, take, &g);
	enum tm_status st = TM_ST_FATAL;

	*rows = (struct tm_step_rows) { 0 };
	if (ok && add_ranks(&g, w->o->aside, rows, rep))
		st = rows->n ? TM_ST_OK : TM_ST_END;
	if (st == TM_ST_END)
		tm_work_explain_nothing(w, "markers and no kernels", rep);
	if (st == TM_ST_OK) {
		tm_work_rank_tell(&notes, rep);
		tm_work_tell(w, rep);
	}
	reading_fini(&g);
	return st;
}
