/* SPDX-License-Identifier: MIT
 * Which call launched an operation, and which kernels are one collective. */
#include "tracks/tracks_parts.h"

#include <stdlib.h>
#include <string.h>

enum { BINS = 2048 };

/* ---- calls and what they launched ---- */

/* A call or an operation of a rank. */
struct party {
	uint64_t rank, corr, pid, start;
	uint32_t row;
	bool op, has_pid; /* its process, as tm_whose_tell says */
};

static const uint64_t *key_of(const struct track_store *s, const struct track_row *r)
{
	return s->tracks.key + (size_t)r->track * KEY_WORDS;
}

/* The process of a row, if it says so. */
static bool pid_of(const struct track_store *s, const struct track_row *r, uint64_t *pid)
{
	struct track_cells c = tm_track_cells(s, r);
	const uint64_t *key = key_of(s, r);
	unsigned arg;

	if (r->what == WHAT_API) {
		*pid = key[KEY_WHO];
		return key[KEY_HAS] & HAS_WHO;
	}
	/* The process is the first arg there is. */
	return tm_track_cell(&c, &arg, pid) && tm_track_cols[arg] == TM_EVC_PID;
}

static bool is_op(const struct track_row *r)
{
	return r->what == WHAT_KERNEL || r->what == WHAT_COPY;
}

static int party_cmp(const void *pa, const void *pb, void *arg)
{
	const struct party *a = pa, *b = pb;
	const uint64_t way[][2] = { { a->rank, b->rank },       { a->corr, b->corr },
		                    { a->has_pid, b->has_pid }, { a->pid, b->pid },
		                    { a->op, b->op },           { a->start, b->start } };

	(void)arg;
	for (size_t i = 0; i < sizeof way / sizeof *way; i++)
		if (way[i][0] != way[i][1])
			return way[i][0] > way[i][1] ? 1 : -1;
	return (a->row > b->row) - (a->row < b->row);
}

/* The calls of ranks: of which processes they are. */
struct callers {
	struct tm_groups ranks;
	struct of_rank {
		struct tm_processes_seen seen;
		bool mixed; /* an operation may be of any of several */
	} * v;
	size_t cap;
};

static struct of_rank *callers_of(struct callers *c, uint64_t rank)
{
	uint32_t i = tm_groups_item(&c->ranks, &rank, &c->v, &c->cap, sizeof *c->v, NULL);

	return i == TM_GROUP_NONE ? NULL : &c->v[i];
}

static enum tm_process_of process_of(const struct tm_whose *w, const struct of_rank *r,
                                     const struct party *x)
{
	return tm_process_of(w, x->rank, &r->seen, x->has_pid, x->pid);
}

/* Parties that belong together get one process; an operation that no call of the rank may have
 * launched is left out.  Ranks are those of *c already. */
static void pair_processes(const struct tm_whose *w, struct callers *c, struct party *v, size_t *n)
{
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++) {
		struct of_rank *r = callers_of(c, v[i].rank);

		r->mixed |= r->seen.several && process_of(w, r, &v[i]) == TM_PROCESS_ANY;
	}
	for (size_t i = 0; i < *n; i++) {
		const struct of_rank *r = callers_of(c, v[i].rank);
		enum tm_process_of of = process_of(w, r, &v[i]);

		if (r->mixed || of == TM_PROCESS_ANY) {
			v[i].has_pid = r->seen.has_pid;
			v[i].pid = r->seen.pid;
		}
		if (of != TM_PROCESS_NONE)
			v[kept++] = v[i];
	}
	*n = kept;
}

/* Calls and operations with a correlation id, in order. */
static struct party *gather(struct track_store *s, size_t *n)
{
	struct party *v = malloc((s->n + 1) * sizeof *v);
	struct callers c = { .ranks = { .words = 1 } };
	bool ok = v && tm_whose_settle(&s->whose);

	*n = 0;
	for (size_t i = 0; ok && i < s->n; i++) {
		const struct track_row *r = &s->row[i];
		struct party x = {
			.row = (uint32_t)i, .corr = r->corr, .start = r->start, .op = is_op(r)
		};
		struct of_rank *rank;

		if (!r->has_corr ||
		    (!x.op && (r->what != WHAT_API || r->domain == TM_DOMAIN_MARKER)))
			continue;
		x.rank = key_of(s, r)[KEY_RANK];
		x.has_pid = pid_of(s, r, &x.pid);
		if (!x.has_pid)
			x.pid = r->run;
		tm_whose_tell(&s->whose, &x.has_pid, &x.pid);
		rank = callers_of(&c, x.rank);
		ok = rank != NULL;
		if (ok && !x.op)
			tm_processes_see(&rank->seen, x.has_pid, x.pid);
		v[(*n)++] = x;
	}
	if (ok)
		pair_processes(&s->whose, &c, v, n);
	tm_groups_fini(&c.ranks);
	free(c.v);
	if (ok) {
		tm_sort_in_place(v, *n, sizeof *v, party_cmp, NULL);
		return v;
	}
	free(v);
	return NULL;
}

/* Those of one call number: calls v[from .. op), operations v[op .. to). */
struct group {
	size_t from, op, to;
};

static bool next_group(const struct party *v, size_t n, struct group *g)
{
	g->from = g->op = g->to;
	while (g->to < n && v[g->to].rank == v[g->from].rank && v[g->to].corr == v[g->from].corr &&
	       v[g->to].has_pid == v[g->from].has_pid && v[g->to].pid == v[g->from].pid)
		g->op += !v[g->to++].op;
	return g->from < g->to;
}

/* The call of an operation: the last that begins not after it, else the first. */
static size_t call_of(const struct party *v, const struct group *g, size_t op, size_t from)
{
	size_t call = from;

	while (call + 1 < g->op && v[call + 1].start <= v[op].start)
		call++;
	return call;
}

static bool add_link(struct track_links *l, struct track_link x)
{
	if (!tm_grow_array(&l->v, &l->cap, l->n + 1, sizeof *l->v))
		return false;
	l->v[l->n++] = x;
	return true;
}

/* ---- operations that wait ---- */

/* +1 when one is launched, -1 when it begins, on an agent. */
struct change {
	uint64_t rank, has, agent, at;
	int by;
};

static int change_cmp(const void *pa, const void *pb, void *arg)
{
	const struct change *a = pa, *b = pb;
	const uint64_t way[][2] = {
		{ a->rank, b->rank }, { a->has, b->has }, { a->agent, b->agent }, { a->at, b->at }
	};

	(void)arg;
	for (size_t i = 0; i < sizeof way / sizeof *way; i++)
		if (way[i][0] != way[i][1])
			return way[i][0] > way[i][1] ? 1 : -1;
	return a->by - b->by;
}

/* The most that waited in each of BINS parts of the time. */
static bool draw_depth(struct track_store *s, const struct change *v, size_t n)
{
	const uint64_t key[KEY_WORDS] = { [KEY_SORT] = TRACK_DEPTH,
		                          [KEY_RANK] = v->rank,
		                          [KEY_HAS] = v->has,
		                          [KEY_WHO] = v->agent };
	const uint64_t width = (v[n - 1].at - v[0].at) / BINS + 1;
	int64_t depth = 0, drawn = -1;
	bool ok = true;

	for (size_t i = 0; ok && i < n;) {
		const uint64_t bin = (v[i].at - v[0].at) / width;
		int64_t most = depth;

		for (; i < n && (v[i].at - v[0].at) / width == bin; i++) {
			depth += v[i].by;
			most = depth > most ? depth : most;
		}
		if (most != drawn)
			ok = tm_track_value(s, key, v[0].at + bin * width, (double)most);
		drawn = most;
		/* Until the next change it stays as it is. */
		if (ok && depth != drawn && (i == n || (v[i].at - v[0].at) / width > bin + 1)) {
			const uint64_t from = v[0].at + bin * width, room = UINT64_MAX - from;

			ok = tm_track_value(s, key, from + (width < room ? width : room),
			                    (double)depth);
			drawn = depth;
		}
	}
	return ok;
}

static bool draw_depths(struct track_store *s, struct change *v, size_t n)
{
	bool ok = true;

	tm_sort_in_place(v, n, sizeof *v, change_cmp, NULL);
	for (size_t i = 0, to; ok && i < n; i = to) {
		for (to = i; to < n && v[to].rank == v[i].rank && v[to].has == v[i].has &&
		             v[to].agent == v[i].agent;)
			to++;
		ok = draw_depth(s, v + i, to - i);
	}
	return ok;
}

/* ---- collectives ---- */

/* What kernels are sorted by. */
struct kernels {
	const struct track_store *s;
};

static int place_cmp(const struct track_store *s, const struct track_row *r,
                     const struct track_member *m)
{
	const uint64_t *key = key_of(s, r);
	const uint64_t way[][2] = { { key[KEY_RANK], m->rank },
		                    { key[KEY_HAS] & HAS_WHO, m->has_agent ? HAS_WHO : 0 },
		                    { key[KEY_HAS] & HAS_WHO ? key[KEY_WHO] : 0,
		                      m->has_agent ? m->agent : 0 },
		                    { r->start, m->at } };

	for (size_t i = 0; i < sizeof way / sizeof *way; i++)
		if (way[i][0] != way[i][1])
			return way[i][0] > way[i][1] ? 1 : -1;
	return 0;
}

static int kernel_cmp(const void *pa, const void *pb, void *arg)
{
	const struct track_store *s = ((const struct kernels *)arg)->s;
	const struct track_row *a = &s->row[*(const uint32_t *)pa],
	                       *b = &s->row[*(const uint32_t *)pb];
	const uint64_t *key = key_of(s, b);
	const struct track_member of = { .rank = key[KEY_RANK],
		                         .has_agent = key[KEY_HAS] & HAS_WHO,
		                         .agent = key[KEY_WHO],
		                         .at = b->start };
	int c = place_cmp(s, a, &of);

	/* What lasts longest is the collective, should two begin at once. */
	return c ? c : (a->end < b->end) - (a->end > b->end);
}

/* The kernel of a member; UINT32_MAX = it is not drawn. */
static uint32_t kernel_of(const struct track_store *s, const uint32_t *v, size_t n,
                          const struct track_member *m)
{
	size_t lo = 0, hi = n;

	TM_BISECT(lo, hi, mid, place_cmp(s, &s->row[v[mid]], m) < 0);
	return lo < n && !place_cmp(s, &s->row[v[lo]], m) ? v[lo] : UINT32_MAX;
}

static bool link_collectives(struct track_links *l, const struct track_store *s,
                             const struct track_members *m)
{
	struct kernels by = { s };
	uint32_t *v = malloc((s->n + 1) * sizeof *v);
	size_t n = 0;
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < s->n; i++)
		if (s->row[i].what == WHAT_KERNEL)
			v[n++] = (uint32_t)i;
	if (ok)
		tm_sort_in_place(v, n, sizeof *v, kernel_cmp, &by);
	for (size_t i = 0; ok && i < m->n; i++) {
		const struct track_member *one = &m->v[i];
		uint32_t row = kernel_of(s, v, n, one);

		if (row != UINT32_MAX)
			ok = add_link(l,
			              (struct track_link) { .row = row,
			                                    .leaves = one->first,
			                                    .ends = one->last,
			                                    .id = UINT64_C(1) << 48 | one->nth });
	}
	free(v);
	return ok;
}

/* ---- all of it ---- */

static int link_cmp(const void *pa, const void *pb, void *arg)
{
	const struct track_link *a = pa, *b = pb;

	(void)arg;
	return a->row != b->row ? (a->row > b->row ? 1 : -1) : (a->id > b->id) - (a->id < b->id);
}

/* The arrow of each call to the first that it launched, and what waited meanwhile. */
static bool link_calls(struct track_links *l, const struct track_store *s, const struct party *v,
                       size_t n, struct change *waits, size_t *nwaits)
{
	struct group g = { 0 };
	uint64_t id = 0;

	while (next_group(v, n, &g)) {
		size_t call = g.from, told = SIZE_MAX;

		for (size_t op = g.op; g.op > g.from && op < g.to; op++) {
			const struct track_row *r = &s->row[v[op].row];
			const uint64_t *key = key_of(s, r);

			call = call_of(v, &g, op, call);
			if (v[call].start < r->start) {
				const struct change c = { key[KEY_RANK], key[KEY_HAS] & HAS_WHO,
					                  key[KEY_WHO], v[call].start, 1 };

				waits[(*nwaits)++] = c;
				waits[*nwaits] = c;
				waits[*nwaits].at = r->start;
				waits[(*nwaits)++].by = -1;
			}
			if (call == told)
				continue;
			told = call;
			id++;
			if (!add_link(l, (struct track_link) { v[call].row, true, false, id }) ||
			    !add_link(l, (struct track_link) { v[op].row, false, true, id }))
				return false;
		}
	}
	return true;
}

bool tm_track_link(struct track_links *l, struct track_store *s, const struct track_members *m,
                   bool whole)
{
	size_t n, nwaits = 0;
	struct party *v = gather(s, &n);
	struct change *waits = malloc((2 * n + 1) * sizeof *waits);
	bool ok = v && waits && link_calls(l, s, v, n, waits, &nwaits);

	free(v);
	l->waits = nwaits / 2;
	ok = ok && (!whole || draw_depths(s, waits, nwaits)) &&
	     (!m->n || link_collectives(l, s, m));
	free(waits);
	if (ok)
		tm_sort_in_place(l->v, l->n, sizeof *l->v, link_cmp, NULL);
	return ok;
}

void tm_track_links_fini(struct track_links *l)
{
	free(l->v);
}
