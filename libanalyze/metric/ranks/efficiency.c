/* SPDX-License-Identifier: MIT
 * How much of the GPUs' time is useful work, and what takes the rest?
 *
 * G agents, T the common window of all of them, u what an agent computes (K of docs/metrics.md), a
 * when anything runs on it.  The hierarchy of POP for accelerators (arXiv 2603.26576), as
 * fractions:
 *
 *     parallel      = sum u / (G T) = load_balance * communication * orchestration    exact
 *     load_balance  = sum u / (G max u)
 *     communication = max u / max a
 *     orchestration = max a / T
 *
 * and of H host threads that call the GPU's API, each in T and from its first call to its last, s
 * in all, of which h is outside calls:
 *
 *     host_hybrid   = sum h / (H T) = host_offload * host_presence                    exact
 *     host_offload  = sum h / sum s
 *     host_presence = sum s / (H T)
 *
 * Of several runs, against the first: computational_scaling = its sum u / sum u, global = parallel
 * * computational_scaling.
 *
 * What is lost is denominator less numerator of one agent or thread; means are rounded up, so that
 * the factors add up to the whole exactly and none says more than it costs:
 *
 *     T - mean u = (max u - mean u) + (max a - max u) + (T - max a)
 *
 * Blind to MPI, which these traces do not have: it is host time outside calls. */
#include "metric/ranks/ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COL_RUN, COL_METRIC, COL_VALUE, COL_RANK, COL_AGENT, COL_NUM, COL_DEN, COL_LOST, COL_N };

#define COLUMNS(one_run)                                                                           \
	{                                                                                          \
		[COL_RUN] = { .name = "run",                                                       \
			      .title = "RUN",                                                      \
			      .unit = TM_UNIT_TEXT,                                                \
			      .machine = (one_run),                                                \
			      .elastic = !(one_run),                                               \
			      .about = "operand (--runs)" },                                       \
		[COL_METRIC] = { .name = "metric",                                                 \
			         .title = "METRIC",                                                \
			         .unit = TM_UNIT_TEXT,                                             \
			         .naming = true,                                                   \
			         .about = "efficiency: the product of the factors below it" },     \
		[COL_VALUE] = { .name = "value",                                                   \
			        .title = "VALUE",                                                  \
			        .unit = TM_UNIT_RATIO,                                             \
			        .bar = true,                                                       \
			        .about = "num_ns / den_ns, 1 is perfect" },                        \
		[COL_RANK] = { .name = "guilty_rank",                                              \
			       .title = "RANK",                                                    \
			       .unit = TM_UNIT_ID,                                                 \
			       .about = "rank that loses most; absent if nothing is lost or for "  \
			                "a tie" },                                                 \
		[COL_AGENT] = { .name = "guilty_agent",                                            \
			        .title = "AGENT",                                                  \
			        .unit = TM_UNIT_TEXT,                                              \
			        .about = "its agent" },                                            \
		[COL_NUM] = { .name = "num_ns",                                                    \
			      .title = "NUM",                                                      \
			      .unit = TM_UNIT_NS,                                                  \
			      .machine = true,                                                     \
			      .about = "numerator, not reduced" },                                 \
		[COL_DEN] = { .name = "den_ns",                                                    \
			      .title = "DEN",                                                      \
			      .unit = TM_UNIT_NS,                                                  \
			      .machine = true,                                                     \
			      .about = "denominator" },                                            \
		[COL_LOST] = { .name = "lost_ns",                                                  \
			       .title = "LOST",                                                    \
			       .unit = TM_UNIT_NS,                                                 \
			       .about = "denominator - numerator, of one agent or thread" },       \
		[COL_N] = { .name = NULL },                                                        \
	}

static const struct tm_column columns[] = COLUMNS(true);
static const struct tm_column columns_runs[] = COLUMNS(false);

/* Who has most of something, a fraction whose denominator may be 0; nobody when two have the same.
 */
struct most {
	bool any, tie;
	tm_u128 num, den; /* what it has */
	uint64_t rank;
	bool one, has_agent; /* one: an agent, not a whole rank */
	uint64_t agent;
};

/* What an agent did. */
struct agent {
	uint64_t rank, agent, compute, busy;
	bool has_agent, other; /* other: it communicated, moved data or waited */
};

static void more(struct most *m, tm_u128 num, tm_u128 den, uint64_t rank, const struct agent *a)
{
	tm_u128 mine = num * m->den, best = m->num * den;

	if (m->any && mine <= best) {
		m->tie |= mine == best;
		return;
	}
	*m = (struct most) { .any = true,
		             .num = num,
		             .den = den,
		             .rank = rank,
		             .one = a != NULL,
		             .has_agent = a && a->has_agent,
		             .agent = a ? a->agent : 0 };
}

/* A stretch of time that others are put together with. */
static void stretch(struct tm_extent *e, struct tm_extent by)
{
	e->lo = by.lo < e->lo ? by.lo : e->lo;
	e->hi = by.hi > e->hi ? by.hi : e->hi;
}

static const struct tm_extent nothing = { UINT64_MAX, 0 };

static uint64_t length(struct tm_extent e)
{
	return e.lo < e.hi ? e.hi - e.lo : 0;
}

/* Agents, or host threads, together. */
struct side {
	uint64_t n;
	tm_u128 useful, present;         /* present: of threads */
	uint64_t max_useful, max_active; /* of agents */
};

/* One run. */
struct eff {
	struct side gpu, host;
	struct tm_extent all; /* when anything ran on any agent */
	uint64_t longest;     /* time of a rank in which anything ran on its agents */
	uint64_t window;      /* T */
	bool aligned;
	bool other; /* some kernels communicate, move data or wait */
	struct most least_useful, most_useful, most_other, most_idle; /* agents */
	struct most least_host, most_called, least_present;           /* ranks */
	uint64_t ranks;
};

static struct agent agent_of(const struct tm_work_track *t)
{
	const struct tm_work_use u = tm_work_use_of(t, 1);

	return (struct agent) { .rank = t->rank,
		                .agent = t->agent,
		                .compute = u.compute,
		                .busy = u.busy,
		                .has_agent = t->has_agent,
		                .other = u.comm || u.move || u.wait };
}

static void add_agent(struct eff *e, const struct agent *a)
{
	struct side *s = &e->gpu;

	s->n++;
	s->useful += a->compute;
	s->max_useful = a->compute > s->max_useful ? a->compute : s->max_useful;
	s->max_active = a->busy > s->max_active ? a->busy : s->max_active;
	e->other |= a->other;
	more(&e->least_useful, 1, a->compute, a->rank, a);
	more(&e->most_useful, a->compute, 1, a->rank, a);
	more(&e->most_other, a->busy - a->compute, 1, a->rank, a);
	more(&e->most_idle, 1, a->busy, a->rank, a);
}

/* A thread from its first call to its last, inside the window or not, as far as it lies in the
 * window, and its time in calls.  One that is not there at any time counts, as an idle agent does.
 */
static bool add_thread(struct side *s, struct tm_work_thread *t, struct tm_extent window)
{
	struct tm_intervals *list[] = { &t->call[t->api], &t->wait[t->api] };
	enum { LISTS = sizeof list / sizeof *list };
	struct tm_extent at = t->called[t->api];
	struct tm_pieces p;

	if (at.lo > at.hi)
		return true; /* it called nothing that counts */
	s->n++;
	for (int k = 0; k < LISTS; k++) {
		if (!list[k]->sorted && !tm_intervals_own(list[k]))
			return false;
		tm_intervals_sort(list[k], NULL);
	}
	at.lo = at.lo > window.lo ? at.lo : window.lo;
	at.hi = at.hi < window.hi ? at.hi : window.hi;
	if (!length(at))
		return true;
	tm_pieces_init(&p, at);
	for (int k = 0; k < LISTS; k++)
		if (!tm_pieces_add(&p, list[k]))
			return false;
	s->present += length(at);
	s->useful += length(at) - tm_pieces_length(p);
	return true;
}

/* All but the agents of a rank. */
struct whole {
	struct tm_extent window; /* when anything ran on its agents */
	struct side host;
	bool worked;
};

static void add_whole(struct eff *e, uint64_t rank, const struct whole *r)
{
	const struct side *host = &r->host;

	stretch(&e->all, r->window);
	e->longest = length(r->window) > e->longest ? length(r->window) : e->longest;
	e->ranks += r->worked;
	if (!host->n)
		return;
	e->host.n += host->n;
	e->host.useful += host->useful;
	e->host.present += host->present;
	more(&e->least_host, host->n, host->useful, rank, NULL);
	if (host->present)
		more(&e->most_called, host->present - host->useful, host->present, rank, NULL);
	more(&e->least_present, host->n, host->present, rank, NULL);
}

/* ---- what is kept ---- */

enum {
	KEPT_WHAT, /* enum rank_item */
	KEPT_HAS_AGENT,
	KEPT_AGENT,
	KEPT_COMPUTE,
	KEPT_BUSY,
	KEPT_OTHER,
	KEPT_LO = 1,
	KEPT_HI,
	KEPT_WORKED,
	KEPT_THREADS,
	KEPT_USEFUL, /* low and high half, as the next one */
	KEPT_PRESENT = KEPT_USEFUL + 2,
};

static void keep_agent(struct tm_state *s, const struct agent *a)
{
	struct tm_state_item it = { .text = "", .nv = RANK_WORDS, .bytes = "" };

	it.v[KEPT_WHAT] = RANK_AGENT;
	it.v[KEPT_HAS_AGENT] = a->has_agent;
	it.v[KEPT_AGENT] = a->agent;
	it.v[KEPT_COMPUTE] = a->compute;
	it.v[KEPT_BUSY] = a->busy;
	it.v[KEPT_OTHER] = a->other;
	tm_state_put(s, &it);
}

static void keep_whole(struct tm_state *s, const struct whole *r)
{
	struct tm_state_item it = { .text = "", .nv = RANK_WORDS, .bytes = "" };

	it.v[KEPT_WHAT] = RANK_HOST;
	it.v[KEPT_LO] = r->window.lo;
	it.v[KEPT_HI] = r->window.hi;
	it.v[KEPT_WORKED] = r->worked;
	it.v[KEPT_THREADS] = r->host.n;
	it.v[KEPT_USEFUL] = (uint64_t)r->host.useful;
	it.v[KEPT_USEFUL + 1] = (uint64_t)(r->host.useful >> 64);
	it.v[KEPT_PRESENT] = (uint64_t)r->host.present;
	it.v[KEPT_PRESENT + 1] = (uint64_t)(r->host.present >> 64);
	tm_state_put(s, &it);
}

static tm_u128 sum_at(const uint64_t *v)
{
	return (tm_u128)v[1] << 64 | v[0];
}

static bool add_kept(void *arg, uint64_t rank, const struct tm_state_item *it)
{
	struct eff *e = arg;
	const uint64_t *v = it->v;

	if (v[KEPT_WHAT] == RANK_AGENT) {
		add_agent(e, &(struct agent) { .rank = rank,
		                               .agent = v[KEPT_AGENT],
		                               .compute = v[KEPT_COMPUTE],
		                               .busy = v[KEPT_BUSY],
		                               .has_agent = v[KEPT_HAS_AGENT],
		                               .other = v[KEPT_OTHER] });
	} else if (v[KEPT_WHAT] == RANK_HOST) {
		const struct whole r = {
			.window = { v[KEPT_LO], v[KEPT_HI] },
			.worked = v[KEPT_WORKED],
			.host = { .n = v[KEPT_THREADS],
			          .useful = sum_at(v + KEPT_USEFUL),
			          .present = sum_at(v + KEPT_PRESENT) },
		};

		add_whole(e, rank, &r);
	}
	return true;
}

/* ---- measuring ---- */

static bool add_rank(struct eff *e, struct tm_state *s, const struct tm_work_rank *w)
{
	struct whole own = { .window = nothing, .worked = w->ntrack > 0 };

	for (size_t i = 0; i < w->ntrack; i++) {
		const struct agent a = agent_of(&w->track[i]);

		add_agent(e, &a);
		keep_agent(s, &a);
		/* A rank without work in a window with an open edge has none of its own. */
		if (w->track[i].window.hi)
			stretch(&own.window, w->track[i].window);
	}
	for (size_t i = 0; own.worked && i < w->nthread; i++)
		if (!add_thread(&own.host, &w->thread[i], own.window))
			return false;
	add_whole(e, w->rank, &own);
	keep_whole(s, &own);
	return true;
}

static bool measure(struct eff *e, struct ranks *r)
{
	size_t track = 0, thread = 0;
	struct tm_work_rank w;
	bool ok = tm_work_settle(&r->w);

	*e = (struct eff) { .all = nothing };
	while (ok && tm_work_rank_next(&w, &r->w, &track, &thread)) {
		ok = add_rank(e, r->w.o->state, &w);
		tm_work_rank_fini(&w);
	}
	ok = ok && tm_work_state(&r->w, r->w.o->state) &&
	     tm_ranks_state(r, r->w.o->state, add_kept, e);
	e->aligned = e->ranks < 2 || tm_ranks_aligned(r);
	e->window = e->aligned ? length(e->all) : e->longest;
	return ok;
}

/* ---- rows ---- */

/* num / den with 6 decimals, rounded half up; den > 0 and both below 2^108. */
static struct tm_cell quotient(struct tm_table *t, tm_u128 num, tm_u128 den)
{
	tm_u128 v = (num * 1000000 + den / 2) / den;
	char text[64];
	int n = snprintf(text, sizeof text, "%" PRIu64 ".%06" PRIu64, (uint64_t)(v / 1000000),
	                 (uint64_t)(v % 1000000));
	struct tm_cell own = tm_table_own(t, text, (size_t)n);

	return own.type == TM_CELL_TEXT ? tm_cell_as_read(own.v.s, own.len) : own;
}

static struct tm_cell sum_cell(tm_u128 v)
{
	return v >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)v);
}

/* What rows are made for. */
struct rows {
	struct tm_table *t;
	const char *run;
};

/* A fraction of two sums over `of` agents or threads. */
struct factor {
	tm_u128 num, den;
	uint64_t of; /* 0 = what one of them loses means nothing */
};

static tm_u128 mean_up(tm_u128 sum, uint64_t n)
{
	return sum / n + (sum % n != 0);
}

static bool add_row(const struct rows *r, unsigned char depth, const char *metric, struct factor f,
                    const struct most *guilty)
{
	const tm_u128 num = f.num, den = f.den;
	struct tm_cell *c = tm_table_row(r->t);

	if (!c)
		return false;
	if (r->run)
		c[COL_RUN] = tm_cell_text(r->run, strlen(r->run));
	c[COL_METRIC] = tm_cell_text(metric, strlen(metric));
	c[COL_METRIC].depth = depth;
	if (den) {
		c[COL_VALUE] = quotient(r->t, num, den);
		c[COL_NUM] = sum_cell(num);
		c[COL_DEN] = sum_cell(den);
		if (f.of)
			c[COL_LOST] = sum_cell(mean_up(den, f.of) - mean_up(num, f.of));
	}
	if (!guilty || !guilty->any || guilty->tie || num == den)
		return true;
	c[COL_RANK] = tm_cell_u64(guilty->rank);
	if (guilty->one)
		c[COL_AGENT] = tm_work_agent_cell(r->t, guilty->has_agent, guilty->agent);
	return true;
}

static bool add_gpu(const struct rows *r, const struct eff *e, unsigned char depth)
{
	const struct side *s = &e->gpu;
	const struct factor parallel = { s->useful, (tm_u128)s->n * e->window, s->n },
	                    balance = { s->useful, (tm_u128)s->n * s->max_useful, s->n },
	                    communication = { s->max_useful, s->max_active, 1 },
	                    orchestration = { s->max_active, e->window, 1 };

	return add_row(r, depth, "parallel", parallel, &e->least_useful) &&
	       add_row(r, depth + 1, "load_balance", balance, &e->most_useful) &&
	       add_row(r, depth + 1, "communication", communication, &e->most_other) &&
	       add_row(r, depth + 1, "orchestration", orchestration, &e->most_idle);
}

static bool add_host(const struct rows *r, const struct eff *e)
{
	const struct side *s = &e->host;
	const tm_u128 all = (tm_u128)s->n * e->window;
	const struct factor hybrid = { s->useful, all, s->n },
	                    offload = { s->useful, s->present, s->n },
	                    presence = { s->present, all, s->n };

	return !s->n || (add_row(r, 0, "host_hybrid", hybrid, &e->least_host) &&
	                 add_row(r, 1, "host_offload", offload, &e->most_called) &&
	                 add_row(r, 1, "host_presence", presence, &e->least_present));
}

/* parallel * scaling = (useful / all) * (first / useful) = first / all.  The first run has agents
 * of its own, so nothing is said of one. */
static bool add_scaled(const struct rows *r, const struct eff *e, const struct eff *first)
{
	const struct factor global = { first->gpu.useful, (tm_u128)e->gpu.n * e->window, 0 },
	                    scaling = { first->gpu.useful, e->gpu.useful, 0 };

	return add_row(r, 0, "global", global, NULL) &&
	       add_row(r, 1, "computational_scaling", scaling, NULL) && add_gpu(r, e, 1);
}

/* ---- words ---- */

/* Which of the three takes most, and who. */
static bool say_worst(struct tm_table *t, const struct eff *e)
{
	const struct side *s = &e->gpu;
	const tm_u128 all = (tm_u128)s->n * e->window;
	const struct {
		const char *what;
		tm_u128 num, den;
		const struct most *who;
	} f[] = {
		{ "uneven work", s->useful, (tm_u128)s->n * s->max_useful, &e->most_useful },
		{ "communication and copies", s->max_useful, s->max_active, &e->most_other },
		{ "idle GPUs", s->max_active, e->window, &e->most_idle },
	};
	size_t worst = 0;
	char text[256], who[64] = "";
	tm_u128 share;
	int n;

	if (!s->max_useful || !e->window)
		return true;
	for (size_t i = 1; i < 3; i++)
		if (f[i].num * f[worst].den < f[worst].num * f[i].den)
			worst = i;
	share = (s->useful * 1000 + all / 2) / all;
	if (e->ranks > 1 && !f[worst].who->tie)
		snprintf(who, sizeof who, " (rank %" PRIu64 ")", f[worst].who->rank);
	n = snprintf(text, sizeof text,
	             "%" PRIu64 ".%" PRIu64 " %% of the time of %" PRIu64
	             " GPU%s is computing%s%s%s",
	             (uint64_t)(share / 10), (uint64_t)(share % 10), s->n, s->n == 1 ? "" : "s",
	             f[worst].num < f[worst].den ? "; most of the rest is lost to " : "",
	             f[worst].num < f[worst].den ? f[worst].what : "",
	             f[worst].num < f[worst].den ? who : "");
	t->headline = tm_table_own(t, text, (size_t)n);
	return !t->failed;
}

static void tell(const struct eff *e, const struct tm_work *w, const char *run,
                 struct tm_report *rep)
{
	const bool calls = w->seen[TM_DOMAIN_HIP] || w->seen[TM_DOMAIN_HSA];

	if (!e->aligned)
		tm_report_add(rep, TM_SEV_NOTE, run, 0,
		              "the clocks of the ranks are not aligned: the longest window of any "
		              "rank is used for all; align them with tracemerge --align");
	if (e->other)
		tm_report_add(
		        rep, TM_SEV_NOTE, run, 0,
		        "kernels that communicate, move data or wait are not useful work here; "
		        "TALP counts every kernel as useful");
	if (e->host.n && !e->host.present)
		tm_report_add(rep, TM_SEV_NOTE, run, 0,
		              "no thread is active (first to last API call) in the window of its "
		              "GPUs: host_offload is absent");
	else if (!e->host.n)
		tm_report_add(rep, TM_SEV_NOTE, run, 0,
		              "no API calls %s%s: nothing is known about the host",
		              calls ? "of ranks with GPU work " : "", tm_metric_where(w->o, false));
}

static enum tm_status fill_runs(void *const *acc, const char *const *run, size_t n,
                                const struct tm_metric_opts *o, struct tm_table *t,
                                struct tm_report *rep)
{
	struct eff *e = calloc(n + 1, sizeof *e);
	enum tm_status st = e ? TM_ST_OK : TM_ST_FATAL;

	(void)o;
	tm_table_init_list(t, run ? columns_runs : columns);
	for (size_t i = 0; st == TM_ST_OK && i < n; i++) {
		struct ranks *r = acc[i];
		const struct rows rows = { t, run ? run[i] : NULL };

		if (!measure(&e[i], r)) {
			st = TM_ST_FATAL;
		} else if (!e[i].gpu.n) {
			tm_work_explain_nothing(&r->w, "kernels or copies", rep);
			st = TM_ST_END;
		} else if (!(run ? add_scaled(&rows, &e[i], &e[0]) : add_gpu(&rows, &e[i], 0)) ||
		           !add_host(&rows, &e[i]) || (!run && !say_worst(t, &e[i]))) {
			st = TM_ST_FATAL;
		} else {
			tm_work_tell(&r->w, rep);
			tell(&e[i], &r->w, rows.run, rep);
		}
	}
	free(e);
	return t->failed ? TM_ST_FATAL : st;
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	return fill_runs(&acc, NULL, 1, o, t, rep);
}

/* Waits are calls, too. */
enum { KEEP = TM_WORK_CALLS | TM_WORK_WAITS | TM_WORK_EVERY_AGENT };

static bool init(void *acc, const void *arg)
{
	return tm_ranks_init(acc, arg, KEEP, false);
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	(void)o;
	return tm_ranks_want(KEEP, false);
}

static const struct tm_metric_view views[] = { { .columns = columns }, { 0 } };

const struct tm_metric tm_metric_efficiency = {
	.name = "efficiency",
	.about = "how much of the GPUs' time is useful work, and what takes the rest",
	.group = "Which step is slow, which rank is late?",
	.examples = "kstats efficiency traces/\n"
	            "kstats efficiency --runs 1gpu.db 4gpus.db 8gpus.db\n",
	.views = views,
	.window = TM_WINDOW_WHOLE,
	.state = 1,
	.sink = RANKS_SINK(init),
	.work = tm_work_itself,
	.whole = TM_WHOLE_AGENTS,
	.want = want,
	.fill = fill,
	.fill_runs = fill_runs,
};
