/* SPDX-License-Identifier: MIT */
#include "merge/states.h"

#include "agg/agg.h"
#include "base/base.h"
#include "work/work.h"

#include <stdlib.h>
#include <string.h>

/* A rank, and the first input of it. */
struct of_rank {
	void *acc; /* of plan->asked; NULL = none */
	uint64_t input;
};

struct tm_states {
	const struct tm_states_plan *plan;
	struct tm_event_sink beside;
	struct tm_groups ranks;
	struct of_rank *v; /* ranks.n of them */
	size_t cap;
	const struct tm_piece *piece; /* that is being read */
	bool begun;                   /* the rank was told of it */
	                              /* the accumulator of `beside` follows, aligned */
};

enum { INSIDE = (sizeof(struct tm_states) + 63) / 64 * 64 };

/* ---- the plan ---- */

/* All questions of one rank; those about the same rows have one store. */
static bool all_init(void *acc, const void *arg)
{
	const struct tm_states_plan *p = arg;
	const struct tm_event_sink fan = tm_fan_sink(&p->fan);
	struct tm_work_pool *pool;

	if (!fan.init(acc, &p->fan))
		return false;
	pool = tm_fan_part(acc, p->n);
	for (size_t i = 0; i < p->n; i++)
		if (p->m[i]->work && !tm_work_pool_join(pool, p->m[i]->work(tm_fan_part(acc, i)))) {
			fan.fini(acc);
			return false;
		}
	tm_work_pool_close(pool);
	return true;
}

static bool make_opts(struct tm_states_plan *p, size_t i)
{
	const struct tm_metric *m = p->m[i];
	void *own = calloc(1, m->own + 1);

	p->o[i] = (struct tm_metric_opts) { .domains = TM_MASK_BIT(TM_DOMAIN_KERNEL),
		                            .level = TM_NAME_FULL,
		                            .classes = p->classes,
		                            .strict = true,
		                            .own = own };
	if (!own)
		return false;
	tm_metric_defaults(m, own, false);
	p->sink[i] = m->sink;
	p->sink[i].arg = &p->o[i];
	return true;
}

bool tm_states_plan(struct tm_states_plan *p, const struct tm_metric *const *list,
                    const struct tm_event_sink *beside, struct tm_diag *d)
{
	const struct tm_metric **m;
	struct tm_event_sink *all;
	size_t most = 0;
	bool ok;

	while (list[most])
		most++;
	m = calloc(most + 1, sizeof *m);
	*p = (struct tm_states_plan) { .beside = beside,
		                       .m = m,
		                       .o = calloc(most + 1, sizeof *p->o),
		                       .sink = calloc(most + 2, sizeof *p->sink),
		                       .classes = tm_classes_builtin(d) };
	ok = m && p->o && p->sink && p->classes;
	for (size_t i = 0; ok && i < most; i++) {
		if (!list[i]->state)
			continue;
		m[p->n++] = list[i];
		ok = make_opts(p, p->n - 1);
	}
	all = p->sink;
	if (!ok) {
		tm_diag_oom(d);
		return false;
	}
	all[p->n] = tm_work_pool_sink;
	p->fan = (struct tm_fan) { all, p->n + 1 };
	all[p->n + 1] = tm_fan_sink(&p->fan);
	all[p->n + 1].init = all_init;
	all[p->n + 1].arg = p;
	p->apart = (struct tm_apart_opts) { .sink = &all[p->n + 1], .o = &p->o[0] };
	p->asked = tm_apart_watch(&p->apart);
	return true;
}

tm_ev_set tm_states_want(const struct tm_states_plan *p)
{
	tm_ev_set want = TM_SPAN_WANT;

	for (size_t i = 0; i < p->n; i++)
		want |= p->m[i]->want(&p->o[i]);
	return want & ~tm_ev_of_type(TM_EVT_SUM);
}

void tm_states_plan_fini(struct tm_states_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->o[i].own);
	free(p->o);
	free(p->sink);
	free((void *)(uintptr_t)p->m);
	tm_classes_free(p->classes);
	*p = (struct tm_states_plan) { 0 };
}

/* ---- the sink ---- */

void *tm_states_beside(struct tm_states *s)
{
	return (char *)s + INSIDE;
}

static bool init(void *acc, const void *arg)
{
	struct tm_states *s = acc;
	const struct tm_states_plan *p = arg;

	*s = (struct tm_states) { .plan = p, .beside = *p->beside, .ranks = { .words = 1 } };
	return s->beside.init(tm_states_beside(s), s->beside.arg);
}

static void drop(const struct tm_states *s, struct of_rank *r)
{
	if (r->acc)
		s->plan->asked.fini(r->acc);
	free(r->acc);
	r->acc = NULL;
}

static struct of_rank *find(struct tm_states *s, uint64_t rank)
{
	uint32_t i = tm_groups_item(&s->ranks, &rank, &s->v, &s->cap, sizeof *s->v, NULL);

	return i == TM_GROUP_NONE ? NULL : &s->v[i];
}

/* The questions of a rank, made if new; NULL when out of memory. */
static struct of_rank *asked(struct tm_states *s, uint64_t rank)
{
	const struct tm_event_sink *all = &s->plan->asked;
	struct of_rank *r = find(s, rank);

	if (!r || r->acc)
		return r;
	r->acc = calloc(1, all->size);
	if (r->acc && all->init(r->acc, all->arg))
		return r;
	free(r->acc);
	r->acc = NULL;
	return NULL;
}

static bool is_totals(const struct tm_piece *p)
{
	return p->origin && p->origin->totals != NULL;
}

/* The questions of the rank of the piece, which are told of it first; NULL when out of memory. */
static struct of_rank *told(struct tm_states *s)
{
	struct of_rank *r = asked(s, s->piece->id.rank);

	if (!r || s->begun)
		return r;
	s->begun = true;
	return s->plan->asked.piece(r->acc, s->piece) ? r : NULL;
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct tm_states *s = acc;

	s->piece = p;
	s->begun = false;
	return (is_totals(p) || told(s)) && s->beside.piece(tm_states_beside(s), p);
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct tm_states *s = acc;
	struct of_rank *r = is_totals(s->piece) ? NULL : told(s);

	if (!r && !is_totals(s->piece))
		return false;
	return (!r || s->plan->asked.take(r->acc, b)) && s->beside.take(tm_states_beside(s), b);
}

/* What is the first of a rank moves; the rows that follow begin anew. */
static bool merge(void *into, void *from)
{
	struct tm_states *s = into, *f = from;

	f->begun = false;
	for (uint32_t i = 0; i < f->ranks.n; i++) {
		struct of_rank *r = f->v[i].acc ? find(s, f->ranks.key[i]) : NULL;
		bool ok = true;

		if (!f->v[i].acc)
			continue;
		if (!r)
			return false;
		if (!r->acc) {
			r->acc = f->v[i].acc;
			f->v[i].acc = NULL;
			continue;
		}
		ok = s->plan->asked.merge(r->acc, f->v[i].acc);
		drop(f, &f->v[i]);
		if (!ok)
			return false;
	}
	return s->beside.merge(tm_states_beside(s), tm_states_beside(f));
}

static bool done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                 const struct tm_diag *why)
{
	struct tm_states *s = acc;
	struct of_rank *r = is_totals(p) ? NULL : asked(s, p->id.rank);

	if (!is_totals(p) && (!r || !s->plan->asked.done(r->acc, p, l, why)))
		return false;
	return !s->beside.done || s->beside.done(tm_states_beside(s), p, l, why);
}

static size_t held(const void *acc)
{
	const struct tm_states *s = acc;

	return s->beside.held ? s->beside.held((const char *)acc + INSIDE) : 0;
}

static void fini(void *acc)
{
	struct tm_states *s = acc;

	for (uint32_t i = 0; i < s->ranks.n; i++)
		drop(s, &s->v[i]);
	free(s->v);
	tm_groups_fini(&s->ranks);
	s->beside.fini(tm_states_beside(s));
}

struct tm_event_sink tm_states_watch(const struct tm_states_plan *p)
{
	return (struct tm_event_sink) { .size = INSIDE + p->beside->size,
		                        .arg = p,
		                        .init = init,
		                        .piece = piece,
		                        .take = take,
		                        .merge = merge,
		                        .fini = fini,
		                        .done = done,
		                        .held = held };
}

/* ---- into the database ---- */

bool tm_states_input(struct tm_states *s, uint64_t rank, uint64_t input)
{
	struct of_rank *r = find(s, rank);

	if (r && !r->input)
		r->input = input;
	return r != NULL;
}

/* What the runs of the rank are, as judge_runs of the tools has it. */
static bool note_runs(struct tm_apart *a, struct tm_state_runs *r, struct tm_report *rep)
{
	*r = (struct tm_state_runs) { .apart = tm_apart_tell(a, TM_SEV_NOTE, "", rep) };
	return tm_apart_idle(a, r) && !rep->lost;
}

/* Ask one question of a rank: its state after *out.  False when out of memory. */
static bool ask(const struct tm_states_plan *p, size_t i, void *fan, const struct tm_state_runs *r,
                struct tm_buf *out)
{
	const struct tm_metric *m = p->m[i];
	struct tm_state state = { .writing = true };
	struct tm_report rep = { 0 };
	struct tm_table t = { 0 };
	enum tm_status st;
	bool ok;

	p->o[i].state = &state;
	st = m->fill(tm_fan_part(fan, i), &p->o[i], &t, &rep);
	p->o[i].state = NULL;
	tm_buf_clear(out);
	ok = st != TM_ST_FATAL && !t.failed && !rep.lost && tm_state_save(&state, m, &t, r, out);
	tm_table_fini(&t);
	tm_report_fini(&rep);
	tm_state_fini(&state);
	return ok;
}

static enum tm_status write_rank(const struct tm_states_plan *p, struct of_rank *r,
                                 struct tm_store *to, struct tm_names *names, struct tm_diag *d)
{
	struct tm_buf bytes = { 0 };
	struct tm_report rep = { 0 };
	struct tm_state_runs runs;
	enum tm_status st = TM_ST_OK;
	bool ok = note_runs(r->acc, &runs, &rep);

	for (size_t i = 0; ok && st == TM_ST_OK && i < p->n; i++) {
		uint32_t name = tm_names_add(names, p->m[i]->name, strlen(p->m[i]->name));

		ok = name != TM_NAME_NONE && ask(p, i, tm_apart_watched(r->acc), &runs, &bytes);
		if (ok)
			st = tm_store_state(to, r->input, name, bytes.p, bytes.n, d);
	}
	if (!ok) {
		tm_diag_oom(d);
		st = TM_ST_FATAL;
	}
	tm_report_fini(&rep);
	tm_buf_fini(&bytes);
	return st == TM_ST_OK ? tm_store_states_end(to, r->input, d) : st;
}

static int by_input(const void *pa, const void *pb)
{
	return tm_u64_cmp(((const struct of_rank *)pa)->input, ((const struct of_rank *)pb)->input);
}

enum tm_status tm_states_write(struct tm_states *s, struct tm_store *to, struct tm_names *names,
                               struct tm_diag *d)
{
	enum tm_status st = TM_ST_OK;

	if (s->ranks.n)
		qsort(s->v, s->ranks.n, sizeof *s->v, by_input);
	for (uint32_t i = 0; st == TM_ST_OK && i < s->ranks.n; i++) {
		if (s->v[i].input && s->v[i].acc)
			st = write_rank(s->plan, &s->v[i], to, names, d);
		drop(s, &s->v[i]);
	}
	return st;
}
