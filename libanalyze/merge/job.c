/* SPDX-License-Identifier: MIT */
#include "merge/job.h"

#include "agg/agg.h"
#include "base/base.h"
#include "merge/sums.h"
#include "merge/whole.h"
#include "runs/runs.h"
#include "work/work.h"

#include <stdlib.h>
#include <string.h>

enum {
	FULL_ROWS = 32 * 1024, /* rows an accumulator holds before it asks to be merged */
	ROW_BYTES = 200,       /* of a row that waits, about */
};

#define ROLLUP tm_ev_of_type(TM_EVT_SUM)

/* Kinds that are kept with --stats-only too: they are few, and nothing else says what they say. */
#define SMALL_KINDS (TM_MASK_BIT(TM_EV_STAT) | TM_MASK_BIT(TM_EV_AGENT))

/* What another file of totals keeps for a question; kept as it is. */
struct state {
	uint32_t question; /* one of our names */
	size_t n;
	unsigned char *bytes;
};

/* A piece, or the part of it that one accumulator saw. */
struct part {
	struct tm_piece piece; /* texts are owned */
	bool begun;            /* the database knows of it */
	bool ended;
	struct tm_loss loss;
	char *problem;
	uint64_t events, content;
	uint64_t taken;             /* events that count, where others hold the same run */
	bool picked;                /* there are such ... */
	bool partly;                /* ... and what all of the input holds is not known */
	uint64_t first_ns, last_ns; /* of the times that are kept, if timed */
	bool stats_only, timed;
	bool totals; /* it was so where it comes from */
	struct state *states;
	size_t nstates, states_cap;
	struct tm_store_rows *rows; /* each with one block of memory at row_has */
	size_t nrows, rows_cap;
	struct tm_sums sums;
};

struct tm_merge {
	const struct tm_merge_opts *o;
	struct tm_names names;
	struct tm_content_names content; /* of the reader */
	struct tm_comm_calls calls;      /* that name a communicator */
	uint32_t *map;                   /* id in the reader's names -> id in ours */
	size_t map_cap, nmap;
	uint32_t *hit; /* our id -> the group it had last, + 1 */
	size_t hit_cap, nhit;
	struct part *part; /* in the order they came; the last one may be open */
	size_t nparts, parts_cap;
	size_t held;       /* rows in all parts */
	size_t held_bytes; /* of states in them */
	bool absorbed;     /* the total knows the names so far: `into` */

	/* the total */
	struct tm_store *store;
	struct tm_states *states; /* or NULL */
	struct part open;         /* the input that is being written */
	bool is_open;
	uint64_t collectives; /* of that input */
	bool *collective;     /* of each of our names, by ... */
	struct tm_classes *classes;
	size_t collective_cap, nnames;
	struct tm_align_input *clock; /* of every input */
	size_t nclocks, clock_cap;
	uint32_t *into; /* id in the names of what is merged -> id in ours */
	size_t into_cap, ninto;
	struct tm_buf sketch;
	struct tm_merge_totals totals;
	struct tm_groups ranks;
	struct tm_whole whole;
	bool failed;
	struct tm_diag why;
};

tm_ev_set tm_merge_want(const struct tm_merge_opts *o)
{
	tm_ev_set events = TM_EV_ALL & ~ROLLUP;

	/* Not TM_EVC_SKETCH: where there are events, they are what states are made of. */
	return o->stats_only ? tm_content_cols | TM_EV_BIT(TM_EVC_STATE) |
	                               TM_EV_BIT(TM_EVC_DOMAIN) | TM_EV_BIT(TM_EVC_MIN) |
	                               TM_EV_BIT(TM_EVC_MAX) | TM_EV_BIT(TM_EVC_AVG) |
	                               TM_EV_BIT(TM_EVC_PCT) | TM_EV_BIT(TM_EVC_PCT_ERR) |
	                               TM_EV_BIT(TM_EVC_STDDEV) | TM_EV_BIT(TM_EVC_TYPE) |
	                               TM_EV_BIT(TM_EVC_PRODUCT) | TM_EV_BIT(TM_EVC_NODE) |
	                               TM_EV_BIT(TM_EVC_CUS) | TM_EV_BIT(TM_EVC_GFX) |
	                               TM_EV_BIT(TM_EVC_DEVICE) | TM_EV_BIT(TM_EVC_MHZ) |
	                               TM_EV_BIT(TM_EVC_XCCS) | TM_EV_BIT(TM_EVC_PID)
	                     : events;
}

static bool merge_init(void *acc, const void *arg)
{
	*(struct tm_merge *)acc = (struct tm_merge) { .o = arg,
		                                      .ranks = { .words = 1 },
		                                      .whole = TM_WHOLE_NONE };
	return true;
}

static void drop_rows(struct part *p)
{
	for (size_t i = 0; i < p->nrows; i++)
		free(p->rows[i].b.row_has);
	p->nrows = 0;
}

static void drop_states(struct part *p)
{
	for (size_t i = 0; i < p->nstates; i++)
		free(p->states[i].bytes);
	p->nstates = 0;
}

static void part_fini(struct part *p)
{
	drop_states(p);
	free(p->states);
	tm_trace_id_fini(&p->piece.id);
	free(p->problem);
	drop_rows(p);
	free(p->rows);
	tm_sums_fini(&p->sums);
	*p = (struct part) { 0 };
}

static void merge_fini(void *acc)
{
	struct tm_merge *m = acc;

	for (size_t i = 0; i < m->nparts; i++)
		part_fini(&m->part[i]);
	part_fini(&m->open);
	free(m->part);
	tm_content_fini(&m->content);
	free(m->map);
	free(m->hit);
	free(m->into);
	free(m->collective);
	tm_classes_free(m->classes);
	tm_comm_calls_fini(&m->calls);
	for (size_t i = 0; i < m->nclocks; i++)
		tm_trace_id_fini(&m->clock[i].id);
	free(m->clock);
	tm_groups_fini(&m->ranks);
	tm_whole_fini(&m->whole);
	tm_buf_fini(&m->sketch);
	tm_names_fini(&m->names);
}

/* Is it known what all of it holds, though only some of it counts? */
static bool all_known(const struct tm_piece *p)
{
	return p->pick && p->pick->leave && p->pick->has_content && (!p->origin || p->origin->live);
}

static bool part_init(struct part *p, const struct tm_piece *of, bool stats_only)
{
	const bool totals = of->origin && of->origin->totals;

	/* Also where it has no sums: agents, statistics or nothing at all. */
	*p = (struct part) { .piece = *of, .stats_only = stats_only || totals, .totals = totals };
	p->sums.keys.words = WORDS;
	/* What an earlier reading counted, it counted on the whole input. */
	if (of->origin && !of->origin->live)
		p->events = of->origin->loss.rows;
	if (of->origin && of->origin->has_content)
		p->content = of->origin->content;
	p->picked = of->pick && of->pick->leave;
	p->partly = p->picked && !all_known(of) && !(of->origin && of->origin->has_content);
	/* So it is known again, though not all of it is here. */
	if (all_known(of) && !of->more) {
		p->events = of->pick->events;
		p->content = of->pick->content;
	}
	return tm_trace_id_copy(&p->piece.id, &of->id);
}

/* Is it worth while to keep collectives in mind? */
static bool by_collectives(const struct tm_merge *m)
{
	return !m->o->stats_only && m->o->align != TM_ALIGN_NONE;
}

static bool merge_piece(void *acc, const struct tm_piece *p)
{
	struct tm_merge *m = acc;
	bool ok;

	if (!tm_grow_array(&m->part, &m->parts_cap, m->nparts + 1, sizeof *m->part))
		return false;
	ok = part_init(&m->part[m->nparts++], p, m->o->stats_only) &&
	     (!by_collectives(m) || tm_comm_calls_piece(&m->calls, p));
	m->nmap = 0;
	tm_content_reset(&m->content);
	if (m->nhit)
		memset(m->hit, 0, m->nhit * sizeof *m->hit);
	return ok;
}

/* ---- names ---- */

/* All names of `from` as ours, from number *known on: map[id]. */
static bool translate(struct tm_merge *m, const struct tm_names *from, uint32_t **map, size_t *cap,
                      size_t *known)
{
	if (from->n <= *known)
		return true;
	if (!tm_grow_array(map, cap, from->n, sizeof **map))
		return false;
	for (; *known < from->n; ++*known) {
		const struct tm_name *nm = &from->v[*known];
		uint32_t id = tm_names_add(&m->names, nm->text, nm->len);

		if (id == TM_NAME_NONE)
			return false;
		(*map)[*known] = id;
	}
	return true;
}

static bool know_names(struct tm_merge *m, const struct tm_batch *b)
{
	if (!translate(m, b->names, &m->map, &m->map_cap, &m->nmap))
		return false;
	if (!tm_grow_array(&m->hit, &m->hit_cap, m->names.n, sizeof *m->hit))
		return false;
	for (; m->nhit < m->names.n; m->nhit++)
		m->hit[m->nhit] = 0;
	return true;
}

/* ---- rows ---- */

static void see_time(struct part *p, uint64_t t)
{
	if (!p->timed || t < p->first_ns)
		p->first_ns = t;
	if (t > p->last_ns)
		p->last_ns = t;
	p->timed = true;
}

/* The first and the last time of rows that are kept. */
static void see_times(struct part *p, const struct tm_batch *b)
{
	static const enum tm_ev_col times[] = { TM_EVC_START, TM_EVC_END };

	for (size_t c = 0; c < 2 && b->some & TM_EV_BIT(times[c]); c++)
		for (uint32_t i = 0; i < b->n; i++) {
			if (!tm_batch_has(b, i, times[c]))
				continue;
			see_time(p, b->col[times[c]][i]);
		}
}

/* A copy of the batch that stays, its names being ours; appended to the part. */
static struct tm_batch *keep(struct tm_merge *m, struct part *p, const struct tm_batch *b)
{
	tm_ev_set cols = b->some;
	struct tm_store_rows *r;
	uint64_t *at;
	tm_ev_set *has;

	if (!tm_grow_array(&p->rows, &p->rows_cap, p->nrows + 1, sizeof *p->rows))
		return NULL;
	see_times(p, b);
	r = &p->rows[p->nrows];
	has = malloc(b->n * (sizeof *has + tm_ev_count(cols) * sizeof *at));
	if (!has)
		return NULL;
	p->nrows++;
	r->map = NULL;
	r->b = (struct tm_batch) { .kind = b->kind, .n = b->n, .has = b->has, .some = b->some };
	r->b.row_has = has;
	at = (uint64_t *)(has + b->n);
	if (b->has != b->some)
		memcpy(has, b->row_has, b->n * sizeof *has);
	for (int c = 0; c < TM_EVC_N; c++) {
		if (!(cols & TM_EV_BIT(c)))
			continue;
		r->b.col[c] = at;
		at += b->n;
		if (!(tm_ev_of_type(TM_EVT_NAME) & TM_EV_BIT(c))) {
			memcpy(r->b.col[c], b->col[c], b->n * sizeof *at);
			continue;
		}
		for (uint32_t i = 0; i < b->n; i++)
			r->b.col[c][i] = tm_batch_has(b, i, (enum tm_ev_col)c)
			                         ? m->map[b->col[c][i]]
			                         : 0;
	}
	m->held += b->n;
	return &r->b;
}

/* ---- sums ---- */

static bool add_row(struct tm_merge *m, struct part *p, const struct tm_batch *b, uint32_t i,
                    enum tm_domain d)
{
	bool counter = b->kind == TM_EV_COUNTER;
	uint64_t key[WORDS] = { [W_DOMAIN] = d };
	uint32_t id = 0, number;
	struct tm_sum *s;
	uint64_t ns;

	if (counter && !tm_batch_has(b, i, TM_EVC_NAME))
		return true; /* a sample over time, of no dispatch: it has no duration */
	if (tm_batch_has(b, i, TM_EVC_NAME)) {
		id = m->map[b->col[TM_EVC_NAME][i]];
		key[W_NAME] = (uint64_t)id + 1;
	}
	if (counter && tm_batch_has(b, i, TM_EVC_COUNTER))
		key[W_COUNTER] = (uint64_t)m->map[b->col[TM_EVC_COUNTER][i]] + 1;
	key[W_HAS_AGENT] = tm_batch_has(b, i, TM_EVC_AGENT);
	key[W_AGENT] = key[W_HAS_AGENT] ? b->col[TM_EVC_AGENT][i] : 0;
	key[W_TIMED] = key[W_NAME] && tm_batch_has(b, i, TM_EVC_START) &&
	               tm_batch_has(b, i, TM_EVC_END) && (!counter || key[W_COUNTER]);
	/* A counter row is known by having a counter: the empty one where it does not say. */
	if (counter && !key[W_COUNTER]) {
		uint32_t empty = tm_names_add(&m->names, "", 0);

		if (empty == TM_NAME_NONE)
			return false;
		key[W_COUNTER] = (uint64_t)empty + 1;
	}
	number = key[W_NAME] && id < m->nhit ? m->hit[id] : 0;
	if (number && !memcmp(p->sums.keys.key + (size_t)(number - 1) * WORDS, key, sizeof key)) {
		s = &p->sums.v[number - 1];
	} else {
		s = tm_sums_of(&p->sums, key, &number);
		if (!s)
			return false;
		if (key[W_NAME] && id < m->nhit)
			m->hit[id] = number + 1;
	}
	if (!key[W_TIMED]) {
		s->m.n++;
		return true;
	}
	if (!tm_sum_open(s))
		return false;
	ns = b->col[TM_EVC_END][i] - b->col[TM_EVC_START][i];
	tm_moments_add(&s->m, ns);
	return tm_quantile_add(&s->q, ns);
}

static bool add_events(struct tm_merge *m, struct part *p, const struct tm_batch *b)
{
	enum tm_domain usual = tm_ev_kind_domain(b->kind);

	for (uint32_t i = 0; i < b->n; i++) {
		enum tm_domain d = b->kind != TM_EV_COUNTER && tm_batch_has(b, i, TM_EVC_DOMAIN)
		                           ? (enum tm_domain)b->col[TM_EVC_DOMAIN][i]
		                           : usual;

		if (!add_row(m, p, b, i, d))
			return false;
	}
	return true;
}

/* A rollup of another run.db. */
static bool add_rollup(struct tm_merge *m, struct part *p, const struct tm_batch *b, uint32_t i)
{
	uint64_t key[WORDS] = { [W_DOMAIN] = b->col[TM_EVC_DOMAIN][i] }, at;
	struct tm_sum more = { .m = { .n = b->col[TM_EVC_CALLS][i] } };
	struct tm_sum *s;
	bool ok;

	if (tm_batch_has(b, i, TM_EVC_NAME))
		key[W_NAME] = (uint64_t)m->map[b->col[TM_EVC_NAME][i]] + 1;
	if (tm_batch_has(b, i, TM_EVC_COUNTER))
		key[W_COUNTER] = (uint64_t)m->map[b->col[TM_EVC_COUNTER][i]] + 1;
	key[W_HAS_AGENT] = tm_batch_has(b, i, TM_EVC_AGENT);
	key[W_AGENT] = key[W_HAS_AGENT] ? b->col[TM_EVC_AGENT][i] : 0;
	key[W_TIMED] = tm_batch_has(b, i, TM_EVC_TOTAL);
	s = tm_sums_of(&p->sums, key, NULL);
	if (!s)
		return false;
	if (!key[W_TIMED]) {
		s->m.n += more.m.n;
		return true;
	}
	more.m.min = b->col[TM_EVC_MIN][i];
	more.m.max = b->col[TM_EVC_MAX][i];
	more.m.sum = (tm_u128)b->col[TM_EVC_TOTAL_HI][i] << 64 | b->col[TM_EVC_TOTAL][i];
	more.m.squares = (tm_u128)b->col[TM_EVC_SQUARES_1][i] << 64 | b->col[TM_EVC_SQUARES_0][i];
	more.m.squares_hi = b->col[TM_EVC_SQUARES_2][i];
	at = b->col[TM_EVC_SKETCH][i];
	more.saved_n = (uint32_t)at;
	more.m.sealed = !more.saved_n;
	more.saved = more.saved_n ? malloc(more.saved_n) : NULL;
	if (more.saved)
		memcpy(more.saved, b->bytes + (at >> 32), more.saved_n);
	ok = (more.saved || !more.saved_n) && tm_sum_add(s, &more);
	tm_sum_fini(&more);
	return ok;
}

static bool take_rollups(struct tm_merge *m, struct part *p, const struct tm_batch *b)
{
	p->stats_only = true;
	for (uint32_t i = 0; i < b->n; i++)
		if (!add_rollup(m, p, b, i))
			return false;
	return true;
}

static bool take_states(struct tm_merge *m, struct part *p, const struct tm_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		const uint64_t at = b->col[TM_EVC_STATE][i];
		struct state s = { .question = m->map[b->col[TM_EVC_NAME][i]], .n = (uint32_t)at };

		if (!tm_grow_array(&p->states, &p->states_cap, p->nstates + 1, sizeof *p->states))
			return false;
		s.bytes = malloc(s.n + 1);
		if (!s.bytes)
			return false;
		memcpy(s.bytes, b->bytes + (at >> 32), s.n);
		p->states[p->nstates++] = s;
		m->held_bytes += s.n;
	}
	return true;
}

static bool merge_take(void *acc, const struct tm_batch *b)
{
	struct tm_merge *m = acc;
	struct part *p = &m->part[m->nparts - 1];
	bool whole = all_known(&p->piece);
	bool known = whole || (p->piece.origin && p->piece.origin->has_content);
	uint64_t untimed = 0;

	if (!know_names(m, b))
		return false;
	if (b->kind == TM_EV_ROLLUP)
		return take_rollups(m, p, b);
	if (b->kind == TM_EV_STATE)
		return take_states(m, p, b);
	p->taken += b->n;
	if (!whole && (!p->piece.origin || p->piece.origin->live))
		p->events += b->n;
	if (!known && !tm_content_add(&m->content, b, &p->content))
		return false;
	if (by_collectives(m) && b->kind == TM_EV_API && b->some & TM_EV_BIT(TM_EVC_COMM) &&
	    !tm_comm_calls_take(&m->calls, b, &untimed))
		return false;
	if ((!m->o->stats_only || SMALL_KINDS & TM_MASK_BIT(b->kind)) && !keep(m, p, b))
		return false;
	if (SMALL_KINDS & TM_MASK_BIT(b->kind) || b->kind == TM_EV_SAMPLE)
		return true;
	return add_events(m, p, b);
}

/* ---- into the database ---- */

static bool fail(struct tm_merge *m, enum tm_status st)
{
	m->failed |= st != TM_ST_OK;
	return st == TM_ST_OK;
}

static bool write_sums(struct tm_merge *m)
{
	struct tm_sums *s = &m->open.sums;
	const bool timeless = tm_timeless_may(&m->open.piece);
	uint32_t *order = tm_sums_order(s);
	bool ok = order != NULL;

	for (uint32_t i = 0; ok && i < s->keys.n; i++) {
		const uint64_t *key = s->keys.key + (size_t)order[i] * WORDS;
		struct tm_sum *v = &s->v[order[i]];
		struct tm_rollup r;

		/* What is told of such calls is told log by log. */
		if (timeless && !key[W_TIMED])
			tm_whole_drop(&m->whole);
		ok = tm_whole_add(&m->whole, key, v) && tm_sum_rollup(key, v, &m->sketch, &r) &&
		     fail(m, tm_store_rollup(m->store, &r, &m->why));
	}
	free(order);
	return ok;
}

/* What all inputs add up to, when they are written. */
static bool write_whole(struct tm_merge *m)
{
	struct tm_sums *s = tm_whole_sums(&m->whole);
	uint32_t *order = s ? tm_sums_order(s) : NULL;
	bool ok = !s || order;

	for (uint32_t i = 0; ok && s && i < s->keys.n; i++) {
		struct tm_rollup r;

		ok = tm_sum_rollup(s->keys.key + (size_t)order[i] * WORDS, &s->v[order[i]],
		                   &m->sketch, &r) &&
		     fail(m, tm_store_whole(m->store, &r, &m->why));
	}
	free(order);
	return ok;
}

static bool note_rank(struct tm_merge *m, uint64_t rank)
{
	if (tm_groups_add(&m->ranks, &rank, NULL) == TM_GROUP_NONE)
		return false;
	m->totals.ranks = m->ranks.n;
	return true;
}

/* What is known of the clock of the open input goes on the list. */
static bool note_clock(struct tm_merge *m)
{
	struct tm_align_input *in;

	if (!tm_grow_array(&m->clock, &m->clock_cap, m->nclocks + 1, sizeof *m->clock))
		return false;
	in = &m->clock[m->nclocks++];
	*in = (struct tm_align_input) {
		.input = m->totals.inputs,
		.timed = m->open.timed,
		.first_ns = m->open.first_ns,
		.last_ns = m->open.last_ns,
		.collectives = m->collectives,
	};
	m->collectives = 0;
	return tm_trace_id_copy(&in->id, &m->open.piece.id);
}

/* The input that is open has been written. */
static bool finish_open(struct tm_merge *m)
{
	struct part *p = &m->open;
	struct tm_store_end e = {
		.of = &p->piece,
		.loss = &p->loss,
		.problem = p->problem,
		.events = p->events,
		.content = p->content,
		.has_content = !p->partly,
		.stats_only = p->stats_only,
	};

	if (!m->is_open)
		return true;
	if (m->states && !p->totals &&
	    !tm_states_input(m->states, p->piece.id.rank, m->totals.inputs))
		return false;
	if (!write_sums(m) || !note_clock(m) || !fail(m, tm_store_input_end(m->store, &e, &m->why)))
		return false;
	m->totals.events += p->picked ? p->taken : p->events;
	m->totals.skipped += tm_loss_skipped(&p->loss);
	m->totals.lost += tm_loss_lost(&p->loss);
	m->is_open = false;
	part_fini(p);
	return true;
}

/* A part that is new to the database becomes the open input. */
static bool begin_part(struct tm_merge *m, struct part *p)
{
	struct tm_piece of = p->piece;

	if (p->begun || (p->piece.more && m->is_open)) {
		p->begun = true;
		return true;
	}
	of.origin = NULL; /* its reader may be closed by now */
	of.pick = NULL;
	if (!finish_open(m) || !note_rank(m, of.id.rank) ||
	    !tm_whole_input(&m->whole, of.id.rank, of.id.run) ||
	    !part_init(&m->open, &of, m->o->stats_only) ||
	    !fail(m, tm_store_input(m->store, &of, &m->why)))
		return false;
	m->is_open = p->begun = true;
	m->totals.inputs++;
	return true;
}

/* Is a kernel of that name a collective?  False when out of memory. */
static bool know_collectives(struct tm_merge *m)
{
	struct tm_diag d;

	if (!m->classes)
		m->classes = tm_classes_builtin(&d);
	if (!m->classes ||
	    !tm_grow_array(&m->collective, &m->collective_cap, m->names.n, sizeof *m->collective))
		return false;
	for (; m->nnames < m->names.n; m->nnames++)
		m->collective[m->nnames] = tm_align_is_collective(m->classes,
		                                                  &m->names.v[m->nnames]);
	return true;
}

static bool is_collective(const struct tm_merge *m, const struct tm_batch *b, uint32_t i,
                          const uint32_t *map)
{
	if (!tm_batch_has(b, i, TM_EVC_NAME) || !tm_batch_has(b, i, TM_EVC_START) ||
	    !tm_batch_has(b, i, TM_EVC_END))
		return false;
	/* What the trace says it does, says more than its name. */
	if (tm_batch_has(b, i, TM_EVC_TYPE))
		return tm_align_is_collective_op(&m->names.v[map[b->col[TM_EVC_TYPE][i]]]);
	return m->collective[map[b->col[TM_EVC_NAME][i]]];
}

/* The collectives among rows whose names are ours by `map`. */
static bool note_collectives(struct tm_merge *m, const struct tm_batch *b, const uint32_t *map)
{
	for (uint32_t i = 0; i < b->n; i++) {
		struct tm_store_collective c = { .comm = TM_NAME_NONE,
			                         .agent = UINT64_MAX,
			                         .seq = UINT64_MAX };

		if (!is_collective(m, b, i, map))
			continue;
		c.name = map[b->col[TM_EVC_NAME][i]];
		c.start_ns = b->col[TM_EVC_START][i];
		c.end_ns = b->col[TM_EVC_END][i];
		if (tm_batch_has(b, i, TM_EVC_AGENT))
			c.agent = b->col[TM_EVC_AGENT][i];
		if (tm_batch_has(b, i, TM_EVC_COMM)) {
			c.comm = map[b->col[TM_EVC_COMM][i]];
			if (tm_batch_has(b, i, TM_EVC_OP_COUNT))
				c.seq = b->col[TM_EVC_OP_COUNT][i];
		}
		m->collectives++;
		if (!fail(m, tm_store_collective(m->store, &c, &m->why)))
			return false;
	}
	return true;
}

/* The rows of a part; in runs of one kind, which is what the store takes. */
static bool write_rows(struct tm_merge *m, struct part *p)
{
	size_t i = 0;

	for (size_t k = 0; k < p->nrows; k++) {
		p->rows[k].map = m->into;
		if (p->rows[k].b.kind == TM_EV_STAT)
			tm_whole_drop(&m->whole);
		if (p->rows[k].b.kind == TM_EV_DISPATCH && by_collectives(m) &&
		    (!know_collectives(m) || !note_collectives(m, &p->rows[k].b, m->into)))
			return false;
	}
	while (i < p->nrows) {
		size_t n = 1;

		while (i + n < p->nrows && p->rows[i + n].b.kind == p->rows[i].b.kind)
			n++;
		if (!fail(m, tm_store_add(m->store, p->rows + i, n, &m->why)))
			return false;
		i += n;
	}
	drop_rows(p);
	return true;
}

static bool write_states(struct tm_merge *m, struct part *p)
{
	for (size_t i = 0; i < p->nstates; i++)
		if (!fail(m,
		          tm_store_state(m->store, m->totals.inputs, m->into[p->states[i].question],
		                         p->states[i].bytes, p->states[i].n, &m->why)))
			return false;
	drop_states(p);
	return true;
}

/* What a part adds up to, into the open input; nothing of it stays. */
static bool pour_sums(struct tm_merge *m, struct part *p)
{
	for (uint32_t i = 0; i < p->sums.keys.n; i++) {
		uint64_t key[WORDS];
		struct tm_sum *s;

		memcpy(key, p->sums.keys.key + (size_t)i * WORDS, sizeof key);
		if (key[W_NAME])
			key[W_NAME] = (uint64_t)m->into[key[W_NAME] - 1] + 1;
		if (key[W_COUNTER])
			key[W_COUNTER] = (uint64_t)m->into[key[W_COUNTER] - 1] + 1;
		s = tm_sums_of(&m->open.sums, key, NULL);
		if (!s)
			return false;
		if (!tm_sum_add(s, &p->sums.v[i]))
			return false;
	}
	tm_sums_fini(&p->sums);
	if (p->timed) {
		see_time(&m->open, p->first_ns);
		see_time(&m->open, p->last_ns);
	}
	m->open.events += p->events;
	m->open.content += p->content;
	m->open.taken += p->taken;
	m->open.picked |= p->picked;
	m->open.partly |= p->partly;
	p->events = p->content = p->taken = 0;
	m->open.stats_only |= p->stats_only;
	m->open.totals |= p->totals;
	m->open.loss = p->loss;
	m->open.problem = p->problem;
	p->problem = NULL;
	return tm_trace_id_learn(&m->open.piece.id, &p->piece.id);
}

/* Names are numbered anew in each accumulator, so `into` is good for as long as one is merged. */
static bool know_into(struct tm_merge *m, struct tm_merge *from)
{
	if (!from->absorbed)
		m->ninto = 0;
	from->absorbed = true;
	return translate(m, &from->names, &m->into, &m->into_cap, &m->ninto);
}

/* All that is held; the last part may go on, in this accumulator or, of a range, in the next. */
static bool merge_merge(void *into, void *acc)
{
	struct tm_merge *m = into, *from = acc;
	size_t n = 0;

	if (!know_into(m, from))
		return false;
	for (; n < from->nparts; n++) {
		struct part *p = &from->part[n];

		if (!begin_part(m, p) || !write_rows(m, p) || !write_states(m, p) ||
		    !pour_sums(m, p))
			return false;
		if (!p->ended && n + 1 == from->nparts)
			break;
		if (p->ended && !finish_open(m))
			return false;
		part_fini(p);
	}
	if (n && n < from->nparts)
		from->part[0] = from->part[n];
	from->nparts -= n;
	from->held = from->held_bytes = 0;
	if (!tm_comm_calls_move(&m->calls, &from->calls))
		return false;
	/* Its sums begin anew. */
	if (from->nhit)
		memset(from->hit, 0, from->nhit * sizeof *from->hit);
	return true;
}

/* Not asked for row by row: sums are poured with each merge, and that has to be worth it. */
static size_t merge_held(const void *acc)
{
	const struct tm_merge *m = acc;

	return (m->held < FULL_ROWS ? 0 : m->held * ROW_BYTES) + m->held_bytes;
}

static bool merge_done(void *acc, const struct tm_piece *of, const struct tm_loss *l,
                       const struct tm_diag *why)
{
	struct tm_merge *m = acc;
	struct part *p = m->store ? &m->open : m->nparts ? &m->part[m->nparts - 1] : NULL;

	if (!p || (m->store && !m->is_open))
		return true;
	if (!tm_trace_id_learn(&p->piece.id, &of->id))
		return false;
	p->loss = *l;
	p->ended = true;
	if (why) {
		p->problem = strdup(why->text);
		if (!p->problem)
			return false;
	}
	return !m->store || finish_open(m);
}

const struct tm_event_sink tm_merge_sink = {
	.size = sizeof(struct tm_merge),
	.init = merge_init,
	.piece = merge_piece,
	.take = merge_take,
	.merge = merge_merge,
	.fini = merge_fini,
	.done = merge_done,
	.held = merge_held,
};

void tm_merge_begin(void *total, struct tm_store *s, struct tm_states *states)
{
	struct tm_merge *m = total;

	m->store = s;
	m->states = states;
}

enum tm_status tm_merge_finish(void *total, bool index, struct tm_merge_totals *t,
                               struct tm_diag *d)
{
	struct tm_merge *m = total;
	bool ok = finish_open(m) && write_whole(m) && tm_comm_calls_settle(&m->calls) &&
	          (!m->states || fail(m, tm_states_write(m->states, m->store, &m->names, &m->why)));

	if (ok) {
		const struct tm_align_facts f = {
			.v = m->clock, .n = m->nclocks, .names = &m->names, .calls = &m->calls
		};
		enum tm_status st = tm_align_inputs(m->o->align, &f, m->store, &m->totals.clocks,
		                                    d);

		if (st != TM_ST_OK)
			return st;
	}
	if (ok && fail(m, tm_store_finish(m->store, &m->names, index, &m->why))) {
		*t = m->totals;
		return TM_ST_OK;
	}
	if (!tm_merge_failed(m, d))
		tm_diag_oom(d);
	return TM_ST_FATAL;
}

bool tm_merge_failed(const void *total, struct tm_diag *d)
{
	const struct tm_merge *m = total;

	if (m->failed)
		*d = m->why;
	return m->failed;
}
