/* SPDX-License-Identifier: MIT
 * Scenarios, each at every level, several at a time. */
#include "base/base.h"
#include "replay/graph.h"
#include "replay/plain/plain.h"
#include "replay/pass.h"
#include "replay/prompt.h"
#include "replay/share.h"
#include "replay/tracks.h"
#include "replay/wide/wide.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct tm_replay_scenario tm_replay_same(void)
{
	return (struct tm_replay_scenario) { .launch = TM_REPLAY_UNIT,
		                             .graph = TM_REPLAY_UNIT,
		                             .copy = TM_REPLAY_UNIT,
		                             .comm = TM_REPLAY_UNIT,
		                             .host = TM_REPLAY_UNIT };
}

/* What one thread works in: times of all instants. */
struct state {
	struct state *next;
	uint64_t **t, *arrival, *starts;
	uint32_t *at, *left;
	uint64_t **ns, *start,
	        *was;     /* lengths of operations; of one rank: starts, lengths before */
	uint8_t *touched; /* of names: those that the scenario may give other lengths */
	struct share_machine *machine;
};

/* A pass of a scenario. */
struct item {
	size_t scenario, at;
};

struct batch {
	size_t from;
	unsigned n; /* 0 = one, by itself */
};

struct run {
	const struct tm_replay_job *job;
	uint64_t **balanced, **no_slower;
	uint32_t *company;   /* of each rank (prompt.h) */
	struct share *share; /* of each rank */
	bool shared[SHARES]; /* any rank slows with that s */
	bool between;        /* of any rank the s between is another than the usual one */
	uint32_t *near;      /* of each mark: instants around it */
	bool *narrow;        /* of each scenario: the likely pass is enough */
	bool likely;         /* that pass of all of them is run, or the others are */
	struct item *item;   /* passes that are run, by what several have in common */
	struct batch *batch; /* nbatch of them: neighbors that are run at once */
	size_t nitem, nbatch;
	struct wide_map map;
	bool mapped;
	pthread_mutex_t lock;
	struct state *free; /* that nobody works in */
	struct wide *free_wide;
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
	tm_share_machine_free(s->machine);
	free(s->touched);
	free(s->t);
	free(s->arrival);
	free(s->starts);
	free(s->at);
	free(s->left);
	free(s);
}

static struct state *state_new(const struct tm_replay *r)
{
	struct state *s = calloc(1, sizeof *s);
	size_t most = 0;
	bool ok;

	if (!s)
		return NULL;
	s->t = calloc(r->nrank + 1, sizeof *s->t);
	s->arrival = tm_array(r->ngroup + 1, sizeof *s->arrival);
	for (size_t g = 0; g < r->ngroup; g++)
		most = r->group[g].members > most ? r->group[g].members : most;
	s->starts = tm_array(most + 1, sizeof *s->starts);
	s->left = tm_array(r->ngroup + 1, sizeof *s->left);
	s->at = tm_array(r->nrank + 1, sizeof *s->at);
	s->touched = malloc((size_t)r->rows->names.n + 1);
	ok = s->t && s->arrival && s->starts && s->left && s->at && s->touched;
	for (size_t i = 0; ok && i < r->nrank; i++) {
		s->t[i] = tm_array((size_t)r->rank[i]->n + 1, sizeof *s->t[i]);
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

/* An instant near a mark: when it was, and when it is in a pass. */
struct near {
	bool any;
	uint64_t was, is;
};

/* Where a time is that was between these. */
static uint64_t moved(const struct near *before, const struct near *after, uint64_t time)
{
	uint64_t length, now, back;

	if (!before->any && !after->any)
		return time;
	if (!before->any) {
		back = after->was - time;
		return after->is - (back < after->is ? back : after->is);
	}
	if (!after->any)
		return before->is + (time - before->was);
	length = after->was - before->was;
	now = after->is > before->is ? after->is - before->is : 0;
	return length ? before->is + (uint64_t)((tm_u128)now * (time - before->was) / length)
	              : before->is;
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

/* Is the instant one that such a mark is measured by? */
static bool is_mark(const struct tm_replay_rank *k, uint32_t i, const struct tm_replay_mark *m,
                    uint32_t thread)
{
	if (thread == NONE)
		return node_kind(k, i) == (m->gpu && m->end ? NODE_END : NODE_START);
	return node_kind(k, i) < NODE_START && k->call[k->owner[i]].thread == thread;
}

/* Where a mark is: between which instants. */
static void find_mark(const struct tm_replay *r, const struct tm_replay_mark *mark,
                      uint32_t *before, uint32_t *after)
{
	const struct tm_replay_rank *k = r->rank[mark->rank];
	uint32_t thread = mark->gpu ? NONE : thread_of(k, mark), lo = 0, hi = k->n;

	*before = *after = NONE;
	TM_BISECT(lo, hi, mid, k->t[mid] < mark->at);
	for (uint32_t i = lo; i < k->n && *after == NONE; i++)
		if (is_mark(k, i, mark, thread))
			*after = i;
	for (uint32_t i = lo; i && *before == NONE; i--)
		if (is_mark(k, i - 1, mark, thread))
			*before = i - 1;
}

static void end_rank(const struct tm_replay *r, uint32_t k, uint64_t last, size_t at,
                     struct tm_replay_result *out)
{
	out->last[at][k] = last > r->lo ? last - r->lo : 0;
	if (out->last[at][k] > out->total[at])
		out->total[at] = out->last[at][k];
}

static struct near near_of(const struct pass *p, uint32_t rank, uint32_t i)
{
	return i == NONE ? (struct near) { 0 }
	                 : (struct near) { true, p->r->rank[rank]->t[i], p->t[rank][i] };
}

static void measure(const struct run *run, const struct pass *p, size_t at,
                    struct tm_replay_result *out)
{
	const struct tm_replay_job *j = run->job;
	const struct tm_replay *r = p->r;
	const uint32_t *near = run->near;

	for (uint32_t k = 0; k < r->nrank; k++) {
		uint64_t last = 0;

		for (uint32_t i = 0; i < r->rank[k]->n; i++)
			if (p->t[k][i] > last && !is_aside(r->rank[k], i))
				last = p->t[k][i];
		end_rank(r, k, last, at, out);
	}
	if (p->s->prompt)
		tm_replay_prompt_end(r, run->company, at, out);
	for (size_t i = 0; i < j->nmark; i++) {
		struct near before = near_of(p, j->mark[i].rank, near[2 * i]),
		            after = near_of(p, j->mark[i].rank, near[2 * i + 1]);

		out->mark[at][i] = moved(&before, &after, j->mark[i].at);
	}
}

static struct near near_wide(const struct wide *w, unsigned l, uint32_t rank, uint32_t i)
{
	return i == NONE ? (struct near) { 0 }
	                 : (struct near) { true, w->map->r->rank[rank]->t[i],
		                           tm_wide_time(w, l, rank, i) };
}

/* The same of one of several. */
static void measure_wide(const struct run *run, const struct wide *w, unsigned l, size_t at,
                         struct tm_replay_result *out)
{
	const struct tm_replay_job *j = run->job;

	for (uint32_t k = 0; k < j->replay->nrank; k++)
		end_rank(j->replay, k, (uint64_t)w->last[k][l], at, out);
	for (size_t i = 0; i < j->nmark; i++) {
		uint32_t rank = j->mark[i].rank;
		struct near before = near_wide(w, l, rank, run->near[2 * i]),
		            after = near_wide(w, l, rank, run->near[2 * i + 1]);

		out->mark[at][i] = moved(&before, &after, j->mark[i].at);
	}
	out->identical[at] = !w->differs[l];
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

	if (s->machine)
		return true;
	s->ns = calloc(r->nrank + 1, sizeof *s->ns);
	for (size_t i = 0; (ok = ok && s->ns) && i < r->nrank; i++) {
		size_t n = (size_t)r->rank[i]->nop + 1;

		most = n > most ? n : most;
		s->ns[i] = tm_array(n, sizeof **s->ns);
		ok = s->ns[i] != NULL;
	}
	s->start = ok ? tm_array(most + 1, sizeof *s->start) : NULL;
	s->was = ok ? tm_array(most + 1, sizeof *s->was) : NULL;
	s->machine = ok ? tm_share_machine_new(r) : NULL;
	return s->start && s->was && s->machine;
}

/* What operations take beside others, with the times so far; true when it is as before. */
static bool find_lengths(const struct run *run, struct pass *p, enum share_is is, struct state *s)
{
	const struct tm_replay *r = p->r;
	uint64_t *const *beside = p->beside;
	bool same = true;

	for (uint32_t k = 0; k < r->nrank; k++) {
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
			tm_share_lengths(&run->share[k], is, s->machine, s->start, s->ns[k]);
		same = same && !memcmp(s->was, s->ns[k], rank->nop * sizeof *s->was);
		p->beside = beside;
	}
	return same;
}

/* Kernels that run side by side slow each other: the lengths of the times, and the times of the
 * lengths, until neither changes. */
static bool share_out(const struct run *run, struct pass *p, enum share_is is, struct state *s)
{
	if (!run->shared[is] || p->s->blind)
		return true;
	if (!know_lengths(p->r, s))
		return false;
	for (int i = 0; i < SHARE_ROUNDS; i++) {
		if (find_lengths(run, p, is, s))
			break;
		p->beside = s->ns;
		tm_replay_pass(p, s->at, s->left);
	}
	return true;
}

/* With which s passes are. */
static const enum share_is share_of[PASSES] = { SHARE_USUAL, SHARE_USUAL, SHARE_USUAL,
	                                        SHARE_LOW,   SHARE_HIGH,  SHARE_BETWEEN };

static const enum way way_of[PASSES] = { WAY_LIKELY, WAY_LIKELY, WAY_LIKELY,
	                                 WAY_LEAST,  WAY_MOST,   WAY_LIKELY };

/* Is that pass run, or is it that of the likely level? */
static bool is_run(const struct run *run, size_t scenario, size_t at)
{
	if (share_of[at] == SHARE_BETWEEN && !run->between)
		return false;
	return at == LIKELY || !run->narrow[scenario];
}

/* Can it be one of several passes at once? */
static bool can_wide(const struct run *run, const struct item *it)
{
	const struct tm_replay_job *j = run->job;

	return run->mapped && !(j->paths && it->at < LEVELS) &&
	       tm_wide_can(j->replay, &j->scenario[it->scenario]);
}

static void copy_likely(const struct tm_replay_job *j, size_t scenario, size_t at)
{
	struct tm_replay_result *o = &j->result[scenario];

	o->total[at] = o->total[LIKELY];
	o->saved[at] = o->saved[LIKELY];
	o->identical[at] = o->identical[LIKELY];
	memcpy(o->last[at], o->last[LIKELY], j->replay->nrank * sizeof **o->last);
	memcpy(o->mark[at], o->mark[LIKELY], j->nmark * sizeof **o->mark);
}

static struct pass pass_of(const struct run *run, const struct item *it)
{
	const struct tm_replay_job *j = run->job;
	const struct tm_replay_scenario *s = &j->scenario[it->scenario];

	return (struct pass) { .r = j->replay,
		               .s = s,
		               .level = it->at < LEVELS ? (int)it->at : LIKELY,
		               .way = way_of[it->at],
		               .balanced = s->balance     ? run->balanced
		                           : s->no_slower ? run->no_slower
		                                          : NULL };
}

static bool do_alone(struct run *run, const struct item *it)
{
	const struct tm_replay_job *j = run->job;
	struct tm_replay_result *out = &j->result[it->scenario];
	struct state *s = take_state(run);
	struct pass p = pass_of(run, it);

	if (!s)
		return false;
	p.t = s->t;
	p.arrival = s->arrival;
	p.starts = s->starts;
	tm_replay_touch(&p, s->touched);
	tm_replay_pass(&p, s->at, s->left);
	if (!share_out(run, &p, share_of[it->at], s)) {
		give_state(run, s);
		return false;
	}
	measure(run, &p, it->at, out);
	if (j->paths && it->at < LEVELS)
		out->uncertain[it->at] = uncertain(&p);
	out->identical[it->at] = is_identical(&p);
	give_state(run, s);
	return true;
}

/* ---- several at once ---- */

static struct wide *take_wide(struct run *run)
{
	struct wide *w;

	pthread_mutex_lock(&run->lock);
	w = run->free_wide;
	if (w)
		run->free_wide = w->next;
	pthread_mutex_unlock(&run->lock);
	return w ? w : tm_wide_new(&run->map);
}

static void give_wide(struct run *run, struct wide *w)
{
	pthread_mutex_lock(&run->lock);
	w->next = run->free_wide;
	run->free_wide = w;
	pthread_mutex_unlock(&run->lock);
}

/* What operations take beside others in one of several scenarios; true when it is as before.
 * *fits: it is not too long for those. */
static bool lengths_wide(const struct run *run, struct wide *w, unsigned l, enum share_is is,
                         bool *fits)
{
	const struct tm_replay *r = run->job->replay;
	struct pass plain = w->pass[l];
	bool same = true;
	uint64_t all = 0;

	plain.beside = NULL;
	for (uint32_t k = 0; k < r->nrank; k++) {
		uint64_t *ns = w->ns[l][k];
		const uint32_t n = r->rank[k]->nop;

		for (uint32_t op = 0; op < n; op++) {
			uint64_t now = tm_replay_op_ns(&plain, k, op);

			w->was[op] = w->pass[l].beside ? ns[op] : now;
			ns[op] = now;
		}
		if (run->share[k].is[is].ns)
			tm_share_lengths(&run->share[k], is, w->machine, w->start[l][k], ns);
		same = same && !memcmp(w->was, ns, n * sizeof *ns);
		for (uint32_t op = 0; op < n; op++)
			all |= ns[op];
	}
	*fits = *fits && all < TM_WIDE_MOST;
	return same;
}

/* As share_out(): those whose lengths stay as they are keep their times.  False when a time is too
 * large. */
static bool share_wide(const struct run *run, struct wide *w, unsigned n, enum share_is is)
{
	bool done[WIDE] = { false }, all = false, fits = true;

	for (int i = 0; i < SHARE_ROUNDS && !all && fits; i++) {
		all = true;
		for (unsigned l = 0; l < n; l++) {
			if (done[l] || w->pass[l].s->blind)
				continue;
			done[l] = lengths_wide(run, w, l, is, &fits);
			if (!done[l]) {
				all = false;
				w->pass[l].beside = w->ns[l];
			}
		}
		if (!all && fits)
			fits = tm_wide_pass(w);
	}
	return fits;
}

static bool do_wide(struct run *run, const struct batch *b, bool *fits)
{
	const struct item *it = &run->item[b->from];
	const enum share_is is = share_of[it->at];
	struct wide *w = take_wide(run);
	bool ok = w && (!run->shared[is] || tm_wide_lengths(w, b->n));

	if (!w)
		return false;
	for (unsigned l = 0; ok && l < b->n; l++)
		w->pass[l] = pass_of(run, &it[l]);
	if (ok) {
		tm_wide_begin(w, b->n);
		*fits = tm_wide_pass(w) && (!run->shared[is] || share_wide(run, w, b->n, is));
	}
	for (unsigned l = 0; ok && *fits && l < b->n; l++)
		measure_wide(run, w, l, it->at, &run->job->result[it[l].scenario]);
	give_wide(run, w);
	return ok;
}

static bool do_batch(void *arg, size_t i)
{
	struct run *run = arg;
	const struct batch *b = &run->batch[i];
	bool fits = false, ok = true;

	if (b->n)
		ok = do_wide(run, b, &fits);
	for (size_t k = 0; ok && !fits && k < (b->n ? b->n : 1); k++)
		ok = do_alone(run, &run->item[b->from + k]);
	return ok;
}

/* More operations than that are replayed so many at a time where lengths of each are kept. */
enum { MANY_OPS = 1 << 22, MANY_AT_ONCE = 4 };

/* The passes of this round, those of one level next to each other, in batches: one of a single
 * scenario takes as long as one of WIDE. */
static void find_batches(struct run *run)
{
	const struct tm_replay_job *j = run->job;
	const size_t most = j->replay->counts.ops > MANY_OPS ? MANY_AT_ONCE : WIDE;

	run->nitem = run->nbatch = 0;
	for (size_t at = 0; at < PASSES; at++)
		for (size_t i = 0; i < j->n; i++)
			if (is_run(run, i, at) && run->likely == (at == LIKELY))
				run->item[run->nitem++] = (struct item) { i, at };
	for (size_t i = 0; i < run->nitem; i++) {
		const struct item *it = &run->item[i];
		struct batch *b = run->nbatch ? &run->batch[run->nbatch - 1] : NULL;
		bool can = can_wide(run, it);

		if (can && b && b->n && b->n < most && run->item[b->from].at == it->at)
			b->n++;
		else
			run->batch[run->nbatch++] = (struct batch) { i, can };
	}
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
	if (!run->share || !tm_each(know_share, run, n, jobs))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct share_alone *s = run->share[i].is;

		for (int is = 0; is < SHARES; is++)
			run->shared[is] |= s[is].ns != NULL;
		run->between |= s[SHARE_BETWEEN].s > s[SHARE_USUAL].s;
	}
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
	struct ranked *v = tm_array(j->ranked + 1, sizeof *v);

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

static bool do_round(struct run *run, bool likely)
{
	run->likely = likely;
	find_batches(run);
	return tm_each(do_batch, run, run->nbatch, run->job->jobs);
}

/* The likely pass of all scenarios, then the others of those that need them. */
static bool do_all(struct run *run)
{
	const struct tm_replay_job *j = run->job;

	run->narrow = calloc(j->n + 1, sizeof *run->narrow);
	run->item = tm_array(j->n * PASSES + 1, sizeof *run->item);
	run->batch = tm_array(j->n * PASSES + 1, sizeof *run->batch);
	if (!run->narrow || !run->item || !run->batch || !do_round(run, true) ||
	    !find_narrow(run) || !do_round(run, false))
		return false;
	for (size_t n = 0; n < j->n * PASSES; n++)
		if (!is_run(run, n / PASSES, n % PASSES))
			copy_likely(j, n / PASSES, n % PASSES);
	return true;
}

/* Which times passes of several scenarios keep. */
static bool make_map(struct run *run)
{
	const struct tm_replay_job *j = run->job;
	uint32_t(*ask)[2] = tm_array(2 * j->nmark + 1, sizeof *ask);
	bool ok = ask != NULL;

	for (size_t i = 0; ok && i < 2 * j->nmark; i++) {
		ask[i][0] = j->mark[i / 2].rank;
		ask[i][1] = run->near[i];
	}
	ok = ok && tm_wide_map_init(&run->map, j->replay, ask, 2 * j->nmark);
	run->mapped = ok;
	free(ask);
	return ok;
}

static void run_fini(struct run *run)
{
	const struct tm_replay *r = run->job->replay;

	free(run->narrow);
	free(run->item);
	free(run->batch);
	while (run->free) {
		struct state *s = run->free;

		run->free = s->next;
		state_free(r, s);
	}
	while (run->free_wide) {
		struct wide *w = run->free_wide;

		run->free_wide = w->next;
		tm_wide_free(w);
	}
	tm_wide_map_fini(&run->map);
	tm_replay_balanced_free(r, run->balanced);
	tm_replay_balanced_free(r, run->no_slower);
	for (size_t i = 0; run->share && i < r->nrank; i++)
		tm_share_fini(&run->share[i]);
	free(run->share);
	free(run->company);
	free(run->near);
}

bool tm_replay_run(const struct tm_replay_job *j)
{
	struct run run = { .job = j, .lock = PTHREAD_MUTEX_INITIALIZER };
	bool ok = true, balance = false, no_slower = false, prompt = false;

	for (size_t i = 0; i < j->n; i++) {
		ok = result_init(j, &j->result[i]) && ok;
		balance |= j->scenario[i].balance;
		no_slower |= j->scenario[i].no_slower;
		prompt |= j->scenario[i].prompt;
	}
	if (ok && j->replay->line)
		return tm_replay_line_run(j);
	if (ok && j->replay->weave)
		return tm_replay_weave_run(j);
	run.near = tm_array(2 * j->nmark + 1, sizeof *run.near);
	ok = ok && run.near;
	for (size_t i = 0; ok && i < j->nmark; i++)
		find_mark(j->replay, &j->mark[i], &run.near[2 * i], &run.near[2 * i + 1]);
	if (ok && balance) {
		run.balanced = tm_replay_balanced(j->replay);
		ok = run.balanced != NULL;
	}
	if (ok && no_slower) {
		run.no_slower = tm_replay_no_slower(j->replay);
		ok = run.no_slower != NULL;
	}
	if (ok && prompt) {
		run.company = tm_replay_companies(j->replay);
		ok = run.company != NULL;
	}
	ok = ok && make_map(&run) && know_shares(&run, j->jobs) && do_all(&run);
	run_fini(&run);
	return ok;
}
