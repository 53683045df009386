/* SPDX-License-Identifier: MIT
 * Scenarios of each rank by itself: what others send comes when it came.  So it takes the memory of
 * one rank at a time, and what comes out is kept in files of totals.
 *
 * Of a scenario the rank that gains most is shown: the program cannot gain more by it as long as
 * ranks wait for each other where they did. */
#include "metric/whatif/answer.h"
#include "question/question.h"

#include <stdlib.h>
#include <string.h>

enum {
	COL_SCENARIO,
	COL_RANKS,
	COL_RANK,
	COL_WINDOW,
	COL_PREDICTED,
	COL_SAVED,
	COL_PREDICTED_PCT,
	COL_ERROR,
	COL_SAVED_GPU,
	COL_SAVED_GPU_PCT,
	COL_N,
};

const struct tm_column tm_whatif_apart_columns[] = {
	[COL_SCENARIO] = { .name = "scenario",
	                   .title = "SCENARIO",
	                   .about = "what is changed",
	                   .unit = TM_UNIT_TEXT,
	                   .elastic = true },
	[COL_RANKS] = { .name = "ranks",
	                .title = "RANKS",
	                .about = "number of ranks that the change applies to",
	                .unit = TM_UNIT_COUNT },
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .about = "rank that gains most; the other columns are for it",
	               .unit = TM_UNIT_ID },
	[COL_WINDOW] = { .name = "window_ns",
	                 .title = "WINDOW",
	                 .about = "recorded time, first event to last event of the rank",
	                 .unit = TM_UNIT_NS,
	                 .spare = 2 },
	[COL_PREDICTED] = { .name = "predicted_ns",
	                    .title = "PREDICTED",
	                    .about = "same with the change",
	                    .unit = TM_UNIT_NS },
	[COL_SAVED] = { .name = "saved_ns",
	                .title = "SAVED",
	                .about = "window - predicted",
	                .unit = TM_UNIT_NS },
	[COL_PREDICTED_PCT] = { .name = "predicted_pct",
	                        .title = "PREDICTED%",
	                        .about = "predicted / window",
	                        .unit = TM_UNIT_PCT,
	                        .bar = true },
	[COL_ERROR] = { .name = "model_error_pct",
	                .title = "MODEL ERROR%",
	                .about = "error of the window if every latency is the usual one",
	                .unit = TM_UNIT_PCT,
	                .spare = 1 },
	SAVED_GPU_COLUMNS(COL_SAVED_GPU, COL_SAVED_GPU_PCT),
	[COL_N] = { 0 },
};

/* What is kept of a scenario on a rank: numbers of a tm_state_item, whose text is its name. */
enum { IT_WINDOW, IT_PREDICTED, IT_ERROR, IT_LESS, IT_SAVED_GPU, IT_GPU, IT_N };

/* A scenario, on the rank that gains most. */
struct best {
	uint64_t ranks, rank, v[IT_N];
};

/* What came out of one rank. */
struct outcome {
	struct whatif_list list; /* the scenarios, in order of the list */
	uint64_t (*v)[IT_N];     /* of each */
};

struct apart {
	const struct tm_metric_opts *o;
	struct replay_acc *acc;
	struct outcome *of;    /* of each rank of acc->rows */
	struct tm_names names; /* of scenarios */
	struct best *best;     /* nbest: of each */
	size_t nbest, cap;
	bool any; /* there is a rank with operations, whatever scenarios are wanted of it */
};

/* ---- ranks whose events are here ---- */

static bool keep_outcome(struct outcome *out, struct answer *a)
{
	out->v = calloc(a->list.n + 1, sizeof *out->v);
	for (size_t i = 0; out->v && i < a->list.n; i++) {
		out->v[i][IT_WINDOW] = a->window;
		out->v[i][IT_PREDICTED] = a->out[i].total[TM_REPLAY_LIKELY];
		out->v[i][IT_ERROR] = a->error;
		out->v[i][IT_LESS] = a->less;
		out->v[i][IT_SAVED_GPU] = tm_whatif_saved_gpu(a, i, &out->v[i][IT_GPU]);
	}
	return out->v != NULL;
}

static bool replay_rank(void *arg, uint32_t which, const struct tm_replay *r)
{
	struct apart *p = arg;
	struct outcome *out = &p->of[which];
	const struct whatif_own *own = p->o->own;
	struct answer a = { .r = r, .likely = true };
	bool ok = tm_whatif_usual(&a.list, r, p->o->classes,
	                          own->sweep ? WHATIF_SWEEP : WHATIF_NO_KERNELS);

	if (ok && own->only)
		tm_whatif_only(&a.list, own->only);
	ok = ok && tm_whatif_replay(&a, 1, 0) && keep_outcome(out, &a);
	out->list = a.list;
	a.list = (struct whatif_list) { 0 };
	tm_whatif_answer_fini(&a);
	return ok;
}

/* ---- all ranks ---- */

/* By how much the first gains more than the second: -1, 0, 1. */
static int gains(const uint64_t *a, const uint64_t *b)
{
	/* Window less predicted may be negative: what is added to the other side is not. */
	const tm_u128 x = (tm_u128)a[IT_WINDOW] + b[IT_PREDICTED],
	              y = (tm_u128)b[IT_WINDOW] + a[IT_PREDICTED];

	return (x > y) - (x < y);
}

/* A scenario of a rank: one of tm_state_each. */
static bool take(void *arg, uint64_t rank, const struct tm_state_item *it)
{
	struct apart *p = arg;
	const struct whatif_own *own = p->o->own;
	uint32_t id;
	struct best *b;
	int more = 1;

	p->any = true;
	if (own->only && !tm_whatif_is_named(own->only, it->text, it->len))
		return true;
	id = tm_names_add(&p->names, it->text, it->len);
	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&p->best, &p->cap, (size_t)id + 1, sizeof *p->best))
		return false;
	b = &p->best[id];
	if (id == p->nbest)
		p->best[p->nbest++] = (struct best) { 0 };
	else
		more = gains(it->v, b->v);
	if (more > 0 || (!more && rank < b->rank)) {
		b->rank = rank;
		memcpy(b->v, it->v, sizeof b->v);
	}
	b->ranks++;
	return true;
}

/* What came out of the ranks whose events are here: kept, or joined. */
static bool put_live(struct apart *p)
{
	const struct tm_replay_rows *rows = &p->acc->rows;
	struct tm_state *s = p->o->state;
	bool ok = true;

	for (uint32_t k = 0; ok && k < rows->ranks.n; k++)
		for (size_t i = 0; ok && i < p->of[k].list.n; i++) {
			const struct tm_buf *text = &p->of[k].list.v[i].text;
			struct tm_state_item it = { .text = text->p, .len = text->n, .nv = IT_N };

			memcpy(it.v, p->of[k].v[i], sizeof p->of[k].v[i]);
			tm_state_put(s, &it);
			ok = take(p, rows->rank[k].rank, &it);
		}
	return ok;
}

static bool put_rows(struct apart *p, struct tm_table *t)
{
	static const size_t by[] = { COL_SAVED, COL_SCENARIO };

	for (uint32_t i = 0; i < p->names.n; i++) {
		const struct best *b = &p->best[i];
		const uint64_t window = b->v[IT_WINDOW], now = b->v[IT_PREDICTED];
		struct tm_cell *c = tm_table_row(t);

		if (!c)
			return false;
		c[COL_SCENARIO] = tm_table_own(t, p->names.v[i].text, p->names.v[i].len);
		c[COL_RANKS] = tm_cell_u64(b->ranks);
		c[COL_RANK] = tm_cell_u64(b->rank);
		c[COL_WINDOW] = tm_cell_u64(window);
		c[COL_PREDICTED] = tm_cell_u64(now);
		c[COL_SAVED] = tm_cell_signed(now > window,
		                              now > window ? now - window : window - now);
		c[COL_PREDICTED_PCT] = tm_work_pct(now, window);
		c[COL_ERROR] = tm_cell_signed(b->v[IT_LESS], b->v[IT_ERROR]);
		c[COL_ERROR].type = TM_CELL_FIXED;
		c[COL_SAVED_GPU] = tm_cell_u64(b->v[IT_SAVED_GPU]);
		c[COL_SAVED_GPU_PCT] = tm_work_pct(b->v[IT_SAVED_GPU], b->v[IT_GPU]);
	}
	return tm_table_sort(t, by, sizeof by / sizeof *by);
}

/* ---- the view ---- */

/* What was read and cannot be replayed, of all ranks. */
static void join_counts(struct tm_state *s, struct tm_replay_rows *r)
{
	tm_state_add(s, &r->counters);
	tm_state_add(s, &r->untimed);
	tm_state_add(s, &r->stats);
	tm_state_add(s, &r->seen);
}

static void apart_fini(struct apart *p)
{
	for (uint32_t k = 0; p->of && k < p->acc->rows.ranks.n; k++) {
		tm_whatif_list_fini(&p->of[k].list);
		free(p->of[k].v);
	}
	free(p->of);
	free(p->best);
	tm_names_fini(&p->names);
}

static bool is_in(void *arg, const char *name, size_t n)
{
	const struct apart *p = arg;

	return tm_names_find(&p->names, name, n) != TM_NAME_NONE;
}

enum tm_status tm_whatif_apart(struct replay_acc *acc, const struct tm_metric_opts *o,
                               struct tm_table *t, struct tm_report *rep)
{
	const bool writing = o->state && o->state->writing;
	const struct whatif_own *own = o->own;
	struct apart p = { .o = o, .acc = acc };
	enum tm_status st = TM_ST_FATAL;
	bool ok;

	tm_table_init_list(t, tm_whatif_apart_columns);
	if (tm_whatif_asks(o->own)) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "--apart takes only the usual scenarios; for others select a rank "
		              "with --rank");
		return TM_ST_END;
	}
	/* Kernels of a counter collection run one at a time: nothing is to be learnt of them. */
	ok = tm_replay_rows_borrow(&acc->rows);
	for (uint32_t k = 0; ok && k < acc->rows.ranks.n; k++)
		p.any |= acc->rows.rank[k].nop != 0;
	p.of = calloc((size_t)acc->rows.ranks.n + 1, sizeof *p.of);
	ok = ok && p.of &&
	     (acc->rows.counters ||
	      tm_replay_apart(&acc->rows, o->jobs ? o->jobs : 1, replay_rank, &p)) &&
	     tm_state_rows(o->state, t);
	if (ok)
		join_counts(o->state, &acc->rows);
	ok = ok && put_live(&p) && tm_state_each(o->state, IT_N, take, &p);
	if (ok && writing)
		st = TM_ST_OK;
	else if (ok)
		st = tm_replay_acc_judge(acc, own->only ? p.any : p.nbest != 0, o, rep);
	if (st == TM_ST_OK && !writing && own->only)
		st = tm_whatif_absent(own->only, is_in, &p, rep);
	/* What is kept are the scenarios of the rank, not the table. */
	if (st == TM_ST_OK && !writing && !put_rows(&p, t))
		st = TM_ST_FATAL;
	apart_fini(&p);
	return st;
}
