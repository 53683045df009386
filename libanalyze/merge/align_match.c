/* SPDX-License-Identifier: MIT
 * Which collectives have two clocks in common, and what do their ends say?
 *
 * Where a trace names communicators (struct tm_store_collective, or a log of RCCL), those of one
 * name are compared and no others.  Otherwise the order has to do: of all collectives of a rank,
 * and of those of each name apart.  Each rank is compared with the lowest that has the same; where
 * only the order tells, also with the one at its own place among those of that host, its usual
 * partner, and as long as some are not connected, with others (align_more.c). */
#include "merge/align_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CLOSE_NS = 10000000 }; /* clocks of one host may look that far apart, if only order tells */

/* ---- who is compared with whom ---- */

/* A key that a speaker has, or that two of them are compared by. */
struct bond {
	size_t hub, member; /* speakers */
	uint64_t key;
};

struct bonds {
	struct bond *v;
	size_t n, cap;
};

static bool bond_add(struct bonds *b, size_t hub, size_t member, uint64_t key)
{
	if (!tm_grow_array(&b->v, &b->cap, b->n + 1, sizeof *b->v))
		return false;
	b->v[b->n++] = (struct bond) { hub, member, key };
	return true;
}

static int bond_by_key(const void *pa, const void *pb)
{
	const struct bond *a = pa, *b = pb;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->member > b->member) - (a->member < b->member);
}

static int bond_by_hub(const void *pa, const void *pb)
{
	const struct bond *a = pa, *b = pb;

	if (a->hub != b->hub)
		return a->hub < b->hub ? -1 : 1;
	if (a->member != b->member)
		return a->member < b->member ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

size_t tm_align_node_of(const struct align_set *s, size_t speaker)
{
	return s->node[s->speaker[speaker]];
}

/* What each speaker has enough of. */
static enum tm_status list_keys(const struct align_set *s, struct bonds *keys, struct tm_diag *d)
{
	for (size_t i = 0; i < s->nspeakers; i++) {
		struct track t;
		enum tm_status st = tm_track_load(s, &s->f->v[s->speaker[i]], &t, d);
		bool ok = true;

		if (st != TM_ST_OK)
			return st;
		for (size_t k = 0; ok && k < t.nruns; k++)
			if (t.run[k].n >= (t.run[k].key < KEY_COMM ? TM_END_FEWEST : TM_FIT_FEWEST))
				ok = bond_add(keys, 0, i, t.run[k].key);
		tm_track_fini(&t);
		if (!ok) {
			tm_diag_oom(d);
			return TM_ST_FATAL;
		}
	}
	if (keys->n)
		qsort(keys->v, keys->n, sizeof *keys->v, bond_by_key);
	return TM_ST_OK;
}

/* The speakers of every node, and where each stands among those of its own. */
struct places {
	size_t *at;    /* speakers, by node */
	size_t *first; /* of every node, its first one in `at`; and one more, after the last */
	size_t *place; /* of every speaker */
};

static void places_fini(struct places *p)
{
	free(p->at);
	free(p->first);
	free(p->place);
}

static bool places_init(struct places *p, const struct align_set *s)
{
	p->at = calloc(s->nspeakers + 1, sizeof *p->at);
	p->first = calloc(s->nnodes + 2, sizeof *p->first);
	p->place = calloc(s->nspeakers + 1, sizeof *p->place);
	if (!p->at || !p->first || !p->place)
		return false;
	for (size_t i = 0; i < s->nspeakers; i++)
		p->place[i] = p->first[tm_align_node_of(s, i) + 1]++;
	for (size_t i = 0; i < s->nnodes; i++)
		p->first[i + 1] += p->first[i];
	for (size_t i = 0; i < s->nspeakers; i++)
		p->at[p->first[tm_align_node_of(s, i)] + p->place[i]] = i;
	return true;
}

/* The bonds of one key: keys[0 .. n). */
static bool bond_key(const struct align_set *s, const struct bond *keys, size_t n,
                     const struct places *p, struct bonds *out)
{
	size_t hub = keys[0].member, home = tm_align_node_of(s, hub);

	for (size_t i = 1; i < n; i++) {
		size_t m = keys[i].member, at = p->first[home] + p->place[m];

		if (tm_align_node_of(s, m) == home)
			continue;
		if (!bond_add(out, hub, m, keys[i].key))
			return false;
		if (keys[i].key < KEY_COMM && at < p->first[home + 1] && p->at[at] != hub &&
		    !bond_add(out, p->at[at], m, keys[i].key))
			return false;
	}
	return true;
}

static enum tm_status list_bonds(const struct align_set *s, struct bonds *out, struct tm_diag *d)
{
	struct bonds keys = { 0 };
	struct places places = { 0 };
	enum tm_status st = list_keys(s, &keys, d);
	bool ok = st == TM_ST_OK && places_init(&places, s);

	for (size_t i = 0, end; ok && i < keys.n; i = end) {
		for (end = i; end < keys.n && keys.v[end].key == keys.v[i].key; end++)
			continue;
		ok = bond_key(s, keys.v + i, end - i, &places, out);
	}
	if (ok && out->n)
		qsort(out->v, out->n, sizeof *out->v, bond_by_hub);
	if (st == TM_ST_OK && !ok) {
		tm_diag_oom(d);
		st = TM_ST_FATAL;
	}
	free(keys.v);
	places_fini(&places);
	return st;
}

/* ---- what they say ---- */

static uint64_t worst_of(const struct tm_line_fit *f)
{
	uint64_t a = tm_line_fit_error(f, f->first_ns), b = tm_line_fit_error(f, f->last_ns);

	return a > b ? a : b;
}

/* Is a match better than the best so far? */
static bool is_better(const struct align_edge *new, const struct align_edge *old)
{
	if (!old->matched || new->by_order != old->by_order)
		return !old->matched || !new->by_order;
	if (new->loose != old->loose)
		return !new->loose;
	return worst_of(&new->fit) < worst_of(&old->fit);
}

static bool known_apart(const struct align_node *a, const struct align_node *b)
{
	return a->host && b->host && strcmp(a->host, b->host) != 0;
}

static bool one_kind(const struct align_node *a, const struct align_node *b)
{
	const char *x = a->any->id.clock, *y = b->any->id.clock;

	return x && y ? !strcmp(x, y) : !x && !y;
}

/* Hosts may be one and not say so: what cannot be told from no difference is none, and what is
 * small where the ends may be of different collectives, too. */
static void doubt(const struct align_set *s, struct align_edge *e)
{
	const struct tm_line_fit *f = &e->fit;
	uint64_t a = tm_clock_line_at(&f->line, f->first_ns) - f->first_ns;
	uint64_t b = tm_clock_line_at(&f->line, f->last_ns) - f->last_ns;

	if (e->loose)
		e->more_ns = f->spread_ns >> 60 ? UINT64_MAX >> 4 : f->spread_ns * 4;
	if (known_apart(&s->nodes[e->a], &s->nodes[e->b]) ||
	    !one_kind(&s->nodes[e->a], &s->nodes[e->b]))
		return;
	a = a >> 63 ? -a : a;
	b = b >> 63 ? -b : b;
	a = a > b ? a : b;
	if (a <= worst_of(f) || (e->loose && e->by_order && a <= CLOSE_NS && !f->line.rate)) {
		tm_line_fit_one_clock(&e->fit);
		e->more_ns += a;
	}
}

enum tm_status tm_align_add_edge(struct align_set *s, struct align_edge *e)
{
	doubt(s, e);
	if (!tm_grow_array(&s->edge, &s->edges_cap, s->nedges + 1, sizeof *s->edge))
		return TM_ST_FATAL;
	s->edge[s->nedges++] = *e;
	return TM_ST_OK;
}

/* A match as an edge, if it is one, in place of a worse one. */
static void offer(const struct align_set *s, const struct bond *bond, const struct tm_end_match *m,
                  bool by_order, struct align_edge *best)
{
	struct align_edge e = { .a = tm_align_node_of(s, bond->member),
		                .b = tm_align_node_of(s, bond->hub),
		                .fit = m->fit,
		                .matched = m->matched,
		                .loose = m->loose,
		                .by_order = by_order };

	/* A collective ends nowhere before everybody has come. */
	if (m->matched >= (by_order ? TM_END_FEWEST : TM_END_SURE) &&
	    m->together * 10 >= m->looked * 9 && is_better(&e, best))
		*best = e;
}

/* What two tracks say by one key; pairs of communicators go to *known. */
static enum tm_status compare(const struct align_set *s, const struct track *hub,
                              const struct track *member, const struct bond *bond,
                              struct tm_end_pairs *known, struct align_edge *best)
{
	const struct run_of *a = tm_run_find(member, bond->key), *b = tm_run_find(hub, bond->key);
	bool by_order = bond->key < KEY_COMM;
	struct tm_end_pairs mine = { 0 };
	struct tm_end_match m;
	enum tm_status st;

	if (!a || !b)
		return TM_ST_OK;
	st = tm_end_match(&m, member->op + a->from, a->n, hub->op + b->from, b->n,
	                  tm_align_rule(s, by_order ? TM_END_FEWEST : TM_FIT_FEWEST),
	                  by_order ? &mine : known);
	if (st == TM_ST_OK && by_order)
		offer(s, bond, &m, true, best);
	free(mine.v);
	return st == TM_ST_SKIP ? TM_ST_OK : st;
}

/* All keys of a pair of speakers. */
static enum tm_status compare_all(const struct align_set *s, const struct bond *bond, size_t n,
                                  const struct track *hub, const struct track *member,
                                  struct align_edge *best)
{
	struct tm_end_pairs known = { 0 };
	struct tm_end_match m;
	enum tm_status st = TM_ST_OK;

	for (size_t i = 0; st == TM_ST_OK && i < n; i++) {
		/* One name after the other only if all together do not do. */
		if (bond[i].key != KEY_ALL && bond[i].key < KEY_COMM && best->matched &&
		    !best->loose)
			continue;
		st = compare(s, hub, member, &bond[i], &known, best);
	}
	if (st == TM_ST_OK && known.n) {
		st = tm_end_match_all(&m, s->nspeakers, &known);
		if (st == TM_ST_OK)
			offer(s, bond, &m, false, best);
	}
	free(known.v);
	return st == TM_ST_SKIP ? TM_ST_OK : st;
}

enum tm_status tm_align_by_order(const struct align_set *s, size_t hub, const struct track *h,
                                 size_t member, const struct track *m, struct align_edge *best)
{
	struct bonds both = { 0 };
	bool ok = true;
	enum tm_status st;

	for (size_t i = 0; ok && i < h->nruns && h->run[i].key < KEY_COMM; i++) {
		const struct run_of *other = tm_run_find(m, h->run[i].key);

		if (other && h->run[i].n >= TM_END_FEWEST && other->n >= TM_END_FEWEST)
			ok = bond_add(&both, hub, member, h->run[i].key);
	}
	st = ok ? compare_all(s, both.v, both.n, h, m, best) : TM_ST_FATAL;
	free(both.v);
	return st;
}

/* Why two ranks that have the same kinds of collectives do not match. */
static void explain(const struct align_set *s, const struct bond *bond, const struct track *hub,
                    const struct track *member, struct tm_diag *why)
{
	uint64_t ra = s->f->v[s->speaker[bond->hub]].id.rank;
	uint64_t rb = s->f->v[s->speaker[bond->member]].id.rank;
	const struct run_of *b = tm_run_find(member, bond->key), *a = tm_run_find(hub, bond->key);

	for (size_t i = 0; i < hub->nruns; i++) {
		const struct run_of *x = &hub->run[i], *y = tm_run_find(member, x->key);

		if (x->key < KEY_NAME || x->key >= KEY_COMM || !y || x->n == y->n)
			continue;
		tm_diag_set(why, 0, "rank %" PRIu64 " has %zu and rank %" PRIu64 " %zu of %.100s",
		            ra, x->n, rb, y->n, s->f->names->v[x->key - KEY_NAME].text);
		return;
	}
	tm_diag_set(why, 0,
	            "the collectives of rank %" PRIu64 " and rank %" PRIu64
	            " do not end together (%zu and %zu)",
	            ra, rb, a ? a->n : 0, b ? b->n : 0);
}

/* The bonds of one pair of speakers: one edge, if any of them match. */
static enum tm_status join_pair(struct align_set *s, const struct bond *bond, size_t n,
                                const struct track *hub, struct tm_diag *why, struct tm_diag *d)
{
	struct align_edge best = { 0 };
	struct track member;
	enum tm_status st = tm_track_load(s, &s->f->v[s->speaker[bond->member]], &member, d);

	if (st != TM_ST_OK)
		return st;
	st = compare_all(s, bond, n, hub, &member, &best);
	if (st == TM_ST_OK && best.matched) {
		st = tm_align_add_edge(s, &best);
	} else if (st == TM_ST_OK && !*why->text) {
		explain(s, bond, hub, &member, why);
	}
	if (st != TM_ST_OK)
		tm_diag_oom(d);
	tm_track_fini(&member);
	return st;
}

enum tm_status tm_align_match(struct align_set *s, struct tm_diag *why, struct tm_diag *d)
{
	struct bonds bonds = { 0 };
	struct track hub = { 0 };
	size_t loaded = SIZE_MAX;
	enum tm_status st = list_bonds(s, &bonds, d);

	for (size_t i = 0, end; st == TM_ST_OK && i < bonds.n; i = end) {
		const struct bond *bond = &bonds.v[i];

		for (end = i; end < bonds.n && bonds.v[end].hub == bond->hub &&
		              bonds.v[end].member == bond->member;)
			end++;
		if (bond->hub != loaded) {
			tm_track_fini(&hub);
			loaded = bond->hub;
			st = tm_track_load(s, &s->f->v[s->speaker[loaded]], &hub, d);
		}
		if (st == TM_ST_OK)
			st = join_pair(s, bond, end - i, &hub, why, d);
	}
	tm_track_fini(&hub);
	free(bonds.v);
	return st == TM_ST_OK ? tm_align_more(s, d) : st;
}
