/* SPDX-License-Identifier: MIT
 * The critical path: from the last instant back along what each waited for. */
#include "replay/graph.h"
#include "replay/pass.h"
#include "replay/tracks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { EXCESS_NS = 3000 };

const char *tm_replay_piece_text(enum tm_replay_piece_kind k)
{
	static const char *const text[TM_REPLAY_KINDS] = { "gpu",       "transfer",    "copy",
		                                           "host_call", "host_gap",    "launch",
		                                           "lane_gap",  "event",       "return",
		                                           "arrive",    "unexplained", "before" };

	return text[k];
}

/* The path as it grows, from its end. */
struct walk {
	const struct tm_replay *r;
	struct tm_replay_path *out;
	bool failed;
};

static void add(struct walk *w, struct tm_replay_piece piece)
{
	struct tm_replay_path *o = w->out;

	if (piece.start == piece.end && piece.kind != TM_REPLAY_ARRIVE)
		return;
	if (w->failed || !tm_grow_array(&o->v, &o->cap, o->n + 1, sizeof *o->v)) {
		w->failed = true;
		return;
	}
	o->v[o->n++] = piece;
}

static struct tm_replay_piece of_op(const struct tm_replay_rank *k, uint32_t rank, uint32_t op,
                                    enum tm_replay_piece_kind kind)
{
	const struct tm_replay_op *o = &k->op[op];

	return (struct tm_replay_piece) { .kind = kind,
		                          .rank = rank,
		                          .of = o->lane,
		                          .name = o->name,
		                          .class_of = k->all->class_of[o->name] };
}

static struct tm_replay_piece of_call(const struct tm_replay_rank *k, uint32_t rank, uint32_t call,
                                      enum tm_replay_piece_kind kind)
{
	return (struct tm_replay_piece) { .kind = kind,
		                          .rank = rank,
		                          .host = true,
		                          .of = k->call[call].thread,
		                          .name = kind == TM_REPLAY_HOST_GAP ? NONE
		                                                             : k->call[call].name };
}

/* [from, to) as a piece, of which what is beyond the usual latency is not explained. */
static void add_latency(struct walk *w, struct tm_replay_piece piece, uint64_t from, uint64_t to,
                        uint64_t est)
{
	uint64_t excess = est > EXCESS_NS ? est : EXCESS_NS;
	struct tm_replay_piece more = piece;

	piece.start = from;
	piece.end = to;
	if (to - from > est && to - from - est > excess) {
		more.kind = TM_REPLAY_UNEXPLAINED;
		more.start = piece.end = from + est;
		more.end = to;
		add(w, more);
	}
	add(w, piece);
}

static void add_launch(struct walk *w, const struct tm_replay_rank *k, uint32_t rank, uint32_t i,
                       const struct came *came)
{
	uint32_t op = k->owner[i], call = k->op[op].call;
	uint64_t from = k->call[call].start, to = k->t[i], end = k->call[call].end;
	struct tm_replay_piece host = of_call(k, rank, call, TM_REPLAY_HOST_CALL);
	uint64_t est;

	end = end < to ? end : to;
	est = came->e->est > end - from ? came->e->est - (end - from) : 0;
	add_latency(w, of_op(k, rank, op, TM_REPLAY_LAUNCH), end, to, est);
	host.start = from;
	host.end = end;
	add(w, host);
}

/* What happened from the instant that i waited for until i. */
static void add_step(struct walk *w, uint32_t rank, uint32_t i, const struct came *came)
{
	const struct tm_replay_rank *k = w->r->rank[rank];
	uint64_t to = k->t[i], from = came->pred != NONE ? k->t[came->pred] : to;
	uint32_t owner = k->owner[i];
	uint64_t est = came->e ? came->e->est : 0;
	struct tm_replay_piece p;

	switch (came->kind) {
	case EDGE_SEG:
	case EDGE_OWN:
	case EDGE_THREAD:
		p = of_call(k, rank, owner,
		            node_kind(k, i) == NODE_GAP ? TM_REPLAY_HOST_GAP : TM_REPLAY_HOST_CALL);
		break;
	case EDGE_DUR:
		p = of_op(k, rank, owner, op_copies(k, owner) ? TM_REPLAY_COPY : TM_REPLAY_GPU);
		break;
	case EDGE_COLL:
		p = of_op(k, rank, owner, TM_REPLAY_TRANSFER);
		from = w->r->group[k->op[owner].group].arrival;
		break;
	case EDGE_JIT:
		p = of_op(k, rank, k->owner[came->pred],
		          op_copies(k, k->owner[came->pred]) ? TM_REPLAY_COPY : TM_REPLAY_GPU);
		break;
	case EDGE_LAUNCH:
		add_launch(w, k, rank, i, came);
		return;
	case EDGE_SYNC:
	case EDGE_ROOM:
		add_latency(w, of_call(k, rank, owner, TM_REPLAY_RETURN), from, to, est);
		return;
	case EDGE_EVENT:
		add_latency(w, of_op(k, rank, owner, TM_REPLAY_EVENT), from, to, est);
		return;
	default:
		add_latency(w, of_op(k, rank, owner, TM_REPLAY_LANE_GAP), from, to, est);
		return;
	}
	p.start = from;
	p.end = to;
	add(w, p);
}

/* The rest, back to the beginning of the window. */
static void add_before(struct walk *w, uint32_t rank, uint32_t i)
{
	const struct tm_replay_rank *k = w->r->rank[rank];
	struct tm_replay_piece p = node_kind(k, i) < NODE_START
	                                   ? of_call(k, rank, k->owner[i], TM_REPLAY_BEFORE)
	                                   : of_op(k, rank, k->owner[i], TM_REPLAY_BEFORE);

	p.name = NONE;
	p.class_of = 0;
	p.start = w->r->lo;
	p.end = k->t[i];
	add(w, p);
}

static void turn(struct tm_replay_path *p)
{
	for (size_t i = 0, k = p->n; i + 1 < k; i++) {
		struct tm_replay_piece v = p->v[i];

		p->v[i] = p->v[--k];
		p->v[k] = v;
	}
}

/* Times are the recorded ones: by identity the replay gives no others. */
bool tm_replay_path(const struct tm_replay *r, int level, struct tm_replay_path *out)
{
	const struct tm_replay_scenario same = tm_replay_same();
	struct walk w = { .r = r, .out = out };
	uint64_t **t = calloc(r->nrank + 1, sizeof *t);
	uint64_t *arrival = calloc(r->ngroup + 1, sizeof *arrival);
	struct pass p = { .r = r, .s = &same, .level = level, .t = t, .arrival = arrival };
	uint32_t rank, i, at_rank, at;
	struct came came;

	for (size_t k = 0; t && k < r->nrank; k++)
		t[k] = r->rank[k]->t;
	for (size_t g = 0; arrival && g < r->ngroup; g++)
		arrival[g] = r->group[g].arrival;
	w.failed = !t || !arrival;
	if (!w.failed && r->nrank) {
		tm_replay_last(&p, &rank, &i);
		for (;;) {
			at_rank = rank;
			at = i;
			if (!tm_replay_back(&p, &rank, &i, &came))
				break;
			add_step(&w, at_rank, at, &came);
			if (rank != at_rank) {
				struct tm_replay_piece a = of_op(r->rank[rank], rank,
				                                 r->rank[rank]->owner[i],
				                                 TM_REPLAY_ARRIVE);

				a.start = a.end = r->rank[rank]->t[i];
				add(&w, a);
			}
		}
		add_before(&w, at_rank, at);
	}
	free(t);
	free(arrival);
	turn(out);
	return !w.failed;
}

/* ---- whose ---- */

bool tm_replay_piece_resource(const struct tm_replay *r, const struct tm_replay_piece *p,
                              struct tm_buf *out)
{
	const struct tm_replay_rank *k = r->rank[p->rank];
	char agent[16];

	tm_buf_clear(out);
	if (p->host) {
		const struct thread *t = &k->thread[p->of];

		tm_buf_str(out, "thread");
		if (t->has_pid)
			tm_buf_fmt(out, " %" PRIu64, t->pid);
		if (t->has_tid)
			tm_buf_fmt(out, "%c%" PRIu64, t->has_pid ? '/' : ' ', t->tid);
	} else {
		const struct lane *l = &k->lane[p->of];

		tm_buf_str(out, "agent");
		if (l->has_agent)
			tm_buf_fmt(out, " %s", tm_agent_text(l->agent, agent));
		if (l->has_id)
			tm_buf_fmt(out, "/%s %" PRIu64, l->stream ? "stream" : "queue", l->id);
	}
	return !out->failed;
}

struct tm_replay_thread tm_replay_piece_thread(const struct tm_replay *r,
                                               const struct tm_replay_piece *p)
{
	const struct tm_replay_rank *k = r->rank[p->rank];
	const struct thread *t = &k->thread[p->of];

	return (struct tm_replay_thread) { .rank = k->rank,
		                           .pid = t->pid,
		                           .tid = t->tid,
		                           .has_pid = t->has_pid,
		                           .has_tid = t->has_tid };
}
