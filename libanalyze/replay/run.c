/* SPDX-License-Identifier: MIT
 * Scenarios, each at every level, several at a time. */
#include "replay/graph.h"
#include "replay/pass.h"
#include "replay/share.h"
#include "replay/threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Lengths and times are found anew so often at most. */
enum { ROUNDS = 2 };

struct tm_replay_scenario tm_replay_same(void)
{
	return (struct tm_replay_scenario) { .launch = TM_REPLAY_UNIT,
		                             .copy = TM_REPLAY_UNIT,
		                             .comm = TM_REPLAY_UNIT,
		                             .host = TM_REPLAY_UNIT };
}

/* What one thread works in: times of all instants. */
struct state {
	struct state *next;
	uint64_t **t, *arrival;
	uint32_t *at, *left;
	uint64_t **ns, *start,
	        *was;     /* lengths of operations; of one rank: starts, lengths before */
	uint8_t *touched; /* of names: those that the scenario may give other lengths */
};

struct run {
	const struct tm_replay_job *job;
	uint64_t **balanced;
	struct share *share; /* of each rank */
	bool shared[SHARES]; /* any rank slows with that s */
	uint32_t *near;      /* of each mark: instants around it */
	bool *narrow;        /* of each scenario: the likely pass is enough */
	bool likely;         /* that pass of all of them is run, or the others are */
	pthread_mutex_t lock;
	struct state *free; /* that nobody works in */
};

static void state_free(const struct tm_replay *r, struct state *s)
{
	for (size_t i = 0; s->t && i < r->nrank; i++)
		free(s->t[i]);
	for (size_t i = 0; s->ns && i < r->nrank; i++)
		free(s->ns[i]);
	free(s->ns);
	free(s->start);
	free(s->was);
	free(s->touched);
	free(s->t);
	free(s->arrival);
	free(s->at);
	free(s->left);
	free(s);
}

static struct state *state_new(const struct tm_replay *r)
{
	struct state *s = calloc(1, sizeof *s);
	bool ok;

	if (!s)
		return NULL;
	s->t = calloc(r->nrank + 1, sizeof *s->t);
	s->arrival = malloc((r->ngroup + 1) * sizeof *s->arrival);
	s->left = malloc((r->ngroup + 1) * sizeof *s->left);
	s->at = malloc((r->nrank + 1) * sizeof *s->at);
	s->touched = malloc((size_t)r->rows->names.n + 1);
	ok = s->t && s->arrival && s->left && s->at && s->touched;
	for (size_t i = 0; ok && i < r->nrank; i++) {
		s->t[i] = malloc(((size_t)r->rank[i]->n + 1) * sizeof *s->t[i]);
		ok = s->t[i] != NULL;
	}
	if (ok)
		return s;
	state_free(r, s);
	return NULL;
}

static struct state *take_state(struct run *run)
{
	struct state *s;

	pthread_mutex_lock(&run->lock);
	s = run->free;
	if (s)
		run->free = s->next;
	pthread_mutex_unlock(&run->lock);
	return s ? s : state_new(run->job->replay);
}

static void give_state(struct run *run, struct state *s)
{
	pthread_mutex_lock(&run->lock);
	s->next = run->free;
	run->free = s;
	pthread_mutex_unlock(&run->lock);
}

/* ---- what came out ---- */

/* The instant of a thread or lane at or before a time, for marks. */
static uint64_t moved(const struct pass *p, uint32_t rank, uint32_t before, uint32_t after,
                      uint64_t time)
{
	const struct tm_replay_rank *k = p->r->rank[rank];
	const uint64_t *t = p->t[rank];
	uint64_t from, to, length, now;

	if (before == NONE && after == NONE)
		return time;
	if (before == NONE)
		return t[after] - (k->t[after] - time < t[after] ? k->t[after] - time : t[after]);
	if (after == NONE)
		return t[before] + (time - k->t[before]);
	from = k->t[before];
	to = k->t[after];
	length = to - from;
	now = t[after] > t[before] ? t[after] - t[before] : 0;
	return length ? t[before] + (uint64_t)((tm_u128)now * (time - from) / length) : t[before];
}

/* The thread of a rank that launches most, the first of those; NONE. */
static uint32_t main_thread(const struct tm_replay_rank *k)
{
	uint32_t best = NONE, most = 0;

	for (uint32_t i = 0; i < k->nthread; i++) {
		uint32_t n = 0;

		for (uint32_t c = k->thread[i].from; c < k->thread[i].to; c++)
			n += k->call[c].ops != NONE;
		if (best == NONE || n > most) {
			best = i;
			most = n;
		}
	}
	return best;
}

/* The thread of a mark; NONE. */
static uint32_t thread_of(const struct tm_replay_rank *k, const struct tm_replay_mark *m)
{
	for (uint32_t i = 0; i < k->nthread; i++) {
		const struct thread *t = &k->thread[i];

		if (t->has_tid && m->has_tid && t->tid == m->tid &&
		    (!t->has_pid || !m->has_pid || t->pid == m->pid))
			return i;
	}
	return main_thread(k);
}

/* Is the instant one that marks of that kind are measured by? */
static bool is_mark(const struct tm_replay_rank *k, uint32_t i, bool gpu, uint32_t thread)
{
	if (gpu)
		return node_kind(k, i) == NODE_START;
	return node_kind(k, i) < NODE_START && k->call[k->owner[i]].thread == thread;
}

/* Where a mark is: between which instants. */
static void find_mark(const struct tm_replay *r, const struct tm_replay_mark *mark,
                      uint32_t *before, uint32_t *after)
{
	const struct tm_replay_rank *k = r->rank[mark->rank];
	uint32_t thread = mark->gpu ? NONE : thread_of(k, mark), lo = 0, hi = k->n;
	bool gpu = mark->gpu || thread == NONE;

	*before = *after = NONE;
	TM_BISECT(lo, hi, mid, k->t[mid] < mark->at);
	for (uint32_t i = lo; i < k->n && *after == NONE; i++)
		if (is_mark(k, i, gpu, thread))
			*after = i;
	for (uint32_t i = lo; i && *before == NONE; i--)
		if (is_mark(k, i - 1, gpu, thread))
			*before = i - 1;
}

static void measure(const struct tm_replay_job *j, const struct pass *p, const uint32_t *near,
                    size_t at, struct tm_replay_result *out)
{
	const struct tm_replay *r = p->r;

	for (uint32_t k = 0; k < r->nrank; k++) {
		uint64_t last = 0;

		for (uint32_t i = 0; i < r->rank[k]->n; i++)
			last = p->t[k][i] > last ? p->t[k][i] : last;
		out->last[at][k] = last > r->lo ? last - r->lo : 0;
		if (out->last[at][k] > out->total[at])
			out->total[at] = out->last[at][k];
	}
	for (size_t i = 0; i < j->nmark; i++)
		out->mark[at][i] = moved(p, j->mark[i].rank, near[2 * i], near[2 * i + 1],
		                         j->mark[i].at);
}

static uint64_t uncertain(const struct pass *p)
{
	struct came came;
	uint32_t rank, i;
	uint64_t n = 0;

	tm_replay_last(p, &rank, &i);
	while (tm_replay_back(p, &rank, &i, &came))
		n += came.e && !edge_at(came.e, 0);
	return n + (came.kind == EDGE_UNTRACED);
}

static bool is_identical(const struct pass *p)
{
	for (uint32_t k = 0; k < p->r->nrank; k++)
		if (memcmp(p->t[k], p->r->rank[k]->t, p->r->rank[k]->n * sizeof **p->t) != 0)
			return false;
	return true;
}

/* Room for lengths; it is made when they are asked for. */
static bool know_lengths(const struct tm_replay *r, struct state *s)
{
	size_t most = 0;
	bool ok = true;

	if (s->was)
		return true;
	s->ns = calloc(r->nrank + 1, sizeof *s->ns);
	for (size_t i = 0; (ok = ok && s->ns) && i < r->nrank; i++) {
		size_t n = (size_t)r->rank[i]->nop + 1;

		most = n > most ? n : most;
		s->ns[i] = malloc(n * sizeof **s->ns);
		ok = s->ns[i] != NULL;
	}
	s->start = ok ? malloc((most + 1) * sizeof *s->start) : NULL;
	s->was = ok ? malloc((most + 1) * sizeof *s->was) : NULL;
	return s->start && s->was;
}

/* What operations take beside others, with the times so far; *same: as before. */
static bool find_lengths(const struct run *run, struct pass *p, enum share_is is, struct state *s,
                         bool *same)
{
	const struct tm_replay *r = p->r;
	uint64_t *const *beside = p->beside;
	bool ok = true;

	*same = true;
	for (uint32_t k = 0; ok && k < r->nrank; k++) {
		const struct tm_replay_rank *rank = r->rank[k];

		for (uint32_t i = 0; i < rank->n; i++)
			if (node_kind(rank, i) == NODE_START)
				s->start[rank->owner[i]] = p->t[k][i];
		p->beside = NULL;
		for (uint32_t op = 0; op < rank->nop; op++) {
			uint64_t ns = tm_replay_op_ns(p, k, op);

			s->was[op] = beside ? s->ns[k][op] : ns;
			s->ns[k][op] = ns;
		}
		if (run->share[k].is[is].ns)
			ok = tm_share_lengths(&run->share[k], is, s->start, s->ns[k]);
		*same = *same && !memcmp(s->was, s->ns[k], rank->nop * sizeof *s->was);
		p->beside = beside;
	}
	return ok;
}

/* Kernels that run side by side slow each other: the lengths of the times, and the times of the
 * lengths, until neither changes. */
static bool share_out(const struct run *run, struct pass *p, enum share_is is, struct state *s)
{
	bool same;

	if (!run->shared[is] || p->s->blind)
		return true;
	if (!know_lengths(p->r, s))
		return false;
	for (int i = 0; i < ROUNDS; i++) {
		if (!find_lengths(run, p, is, s, &same))
			return false;
		if (same)
			break;
		p->beside = s->ns;
		tm_replay_pass(p, s->at, s->left);
	}
	return true;
}

/* With which s passes are. */
static const enum share_is share_of[PASSES] = { SHARE_USUAL, SHARE_USUAL, SHARE_USUAL, SHARE_LOW,
	                                        SHARE_HIGH };

static const enum way way_of[PASSES] = { WAY_LIKELY, WAY_LIKELY, WAY_LIKELY, WAY_LEAST, WAY_MOST };

/* Is that pass run, or is it that of the likely level? */
static bool is_run(const struct run *run, size_t scenario, size_t at)
{
	return at == LIKELY || !run->narrow[scenario];
}

static void copy_likely(const struct tm_replay_job *j, size_t scenario, size_t at)
{
	struct tm_replay_result *o = &j->result[scenario];

	o->total[at] = o->total[LIKELY];
	o->identical[at] = o->identical[LIKELY];
	memcpy(o->last[at], o->last[LIKELY], j->replay->nrank * sizeof **o->last);
	memcpy(o->mark[at], o->mark[LIKELY], j->nmark * sizeof **o->mark);
}

static bool do_one(void *arg, size_t n)
{
	struct run *run = arg;
	const struct tm_replay_job *j = run->job;
	size_t i = n / PASSES, at = n % PASSES;
	struct tm_replay_result *out = &j->result[i];
	bool now = is_run(run, i, at) && run->likely == (at == LIKELY);
	struct state *s = now ? take_state(run) : NULL;
	struct pass p = { .r = j->replay,
		          .s = &j->scenario[i],
		          .level = at < LEVELS ? (int)at : LIKELY,
		          .way = way_of[at],
		          .balanced = j->scenario[i].balance ? run->balanced : NULL };

	if (!s)
		return !now;
	p.t = s->t;
	p.arrival = s->arrival;
	tm_replay_touch(&p, s->touched);
	tm_replay_pass(&p, s->at, s->left);
	if (!share_out(run, &p, share_of[at], s)) {
		give_state(run, s);
		return false;
	}
	measure(j, &p, run->near, at, out);
	if (j->paths && at < LEVELS)
		out->uncertain[at] = uncertain(&p);
	out->identical[at] = is_identical(&p);
	give_state(run, s);
	return true;
}

static bool result_init(const struct tm_replay_job *j, struct tm_replay_result *out)
{
	bool ok = true;

	for (int g = 0; g < PASSES; g++) {
		out->last[g] = calloc(j->replay->nrank + 1, sizeof *out->last[g]);
		out->mark[g] = calloc(j->nmark + 1, sizeof *out->mark[g]);
		ok = ok && out->last[g] && out->mark[g];
	}
	return ok;
}

void tm_replay_result_fini(struct tm_replay_result *r)
{
	for (int g = 0; g < PASSES; g++) {
		free(r->last[g]);
		free(r->mark[g]);
	}
}

static bool know_share(void *arg, size_t i)
{
	struct run *run = arg;

	return tm_share_make(&run->share[i], run->job->replay->rank[i], run->job->likely);
}

static bool know_shares(struct run *run, unsigned jobs)
{
	size_t n = run->job->replay->nrank;

	run->share = calloc(n + 1, sizeof *run->share);
	if (!run->share || !tm_replay_each(know_share, run, n, jobs))
		return false;
	for (size_t i = 0; i < n; i++)
		for (int is = 0; is < SHARES; is++)
			run->shared[is] |= run->share[i].is[is].ns != NULL;
	return true;
}

/* ---- which passes ---- */

struct ranked {
	uint64_t total;
	size_t scenario;
};

static int by_total(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->total != b->total)
		return a->total > b->total ? 1 : -1;
	return (a->scenario > b->scenario) - (a->scenario < b->scenario);
}

/* Those of the ranked scenarios that are among the shortest need all passes. */
static bool find_narrow(struct run *run)
{
	const struct tm_replay_job *j = run->job;
	struct ranked *v = malloc((j->ranked + 1) * sizeof *v);

	for (size_t i = 0; i < j->n; i++)
		run->narrow[i] = j->likely || j->scenario[i].blind;
	for (size_t i = 0; v && i < j->ranked; i++)
		v[i] = (struct ranked) { j->result[i].total[LIKELY], i };
	if (v && j->ranked)
		qsort(v, j->ranked, sizeof *v, by_total);
	for (size_t i = j->most; v && j->most && i < j->ranked; i++)
		run->narrow[v[i].scenario] = true;
	free(v);
	return v != NULL;
}

/* The likely pass of all scenarios, then the others of those that need them. */
static bool do_all(struct run *run)
{
	const struct tm_replay_job *j = run->job;

	run->narrow = calloc(j->n + 1, sizeof *run->narrow);
	run->likely = true;
	if (!run->narrow || !tm_replay_each(do_one, run, j->n * PASSES, j->jobs) ||
	    !find_narrow(run))
		return false;
	run->likely = false;
	if (!tm_replay_each(do_one, run, j->n * PASSES, j->jobs))
		return false;
	for (size_t n = 0; n < j->n * PASSES; n++)
		if (!is_run(run, n / PASSES, n % PASSES))
			copy_likely(j, n / PASSES, n % PASSES);
	return true;
}

bool tm_replay_run(const struct tm_replay_job *j)
{
	struct run run = { .job = j, .lock = PTHREAD_MUTEX_INITIALIZER };
	bool ok = true, balance = false;

	for (size_t i = 0; i < j->n; i++) {
		ok = result_init(j, &j->result[i]) && ok;
		balance |= j->scenario[i].balance;
	}
	run.near = malloc((2 * j->nmark + 1) * sizeof *run.near);
	ok = ok && run.near;
	for (size_t i = 0; ok && i < j->nmark; i++)
		find_mark(j->replay, &j->mark[i], &run.near[2 * i], &run.near[2 * i + 1]);
	if (ok && balance) {
		run.balanced = tm_replay_balanced(j->replay);
		ok = run.balanced != NULL;
	}
	ok = ok && know_shares(&run, j->jobs);
	ok = ok && do_all(&run);
	free(run.narrow);
	while (run.free) {
		struct state *s = run.free;

		run.free = s->next;
		state_free(j->replay, s);
	}
	tm_replay_balanced_free(j->replay, run.balanced);
	for (size_t i = 0; run.share && i < j->replay->nrank; i++)
		tm_share_fini(&run.share[i]);
	free(run.share);
	free(run.near);
	return ok;
}
