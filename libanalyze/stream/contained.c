/* SPDX-License-Identifier: MIT */
#include "stream/contained.h"

#include "read/read.h"
#include "stream/drive.h"
#include "stream/rank.h"

#include <stdlib.h>
#include <string.h>

#define TIMED (TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END))

enum {
	SPARSE = 4,     /* bits for each kernel, but ... */
	LEAST_BITS = 6, /* 1 << LEAST_BITS of all at least, and ... */
	LARGEST = 24,   /* ... 1 << LARGEST at most */
	FIRST_BITS = 16,
	STRIDE = 256, /* kernels that are looked at together */
};

/* ---- what is kept of a run ---- */

/* Room for so many kernels, 1 << log2 bits at least: where there were fewer, hashes that begin to
 * be told apart count as seen if one that ended alike was.  False when out of memory. */
static bool make_room(struct tm_contained_run *r, uint64_t kernels, unsigned log2)
{
	unsigned to = r->least && r->log2 > log2 ? r->log2 : log2;
	uint64_t *least, *bits;

	while (to < LARGEST && SPARSE * kernels >> to)
		to++;
	if (r->least && r->log2 == to)
		return true;
	least = realloc(r->least, ((size_t)TM_CONTAINED_LEAST << 3) + ((size_t)1 << (to - 3)));
	if (!least)
		return false;
	bits = least + TM_CONTAINED_LEAST;
	if (!r->least)
		memset(bits, 0, (size_t)1 << (to - 3));
	for (unsigned i = r->least ? r->log2 : to; i < to; i++)
		memcpy(bits + ((size_t)1 << (i - 6)), bits, (size_t)1 << (i - 3));
	r->least = least;
	r->log2 = to;
	return true;
}

static uint64_t *bits_of(const struct tm_contained_run *r)
{
	return r->least + TM_CONTAINED_LEAST;
}

static bool has_hash(const struct tm_contained_run *r, uint64_t h)
{
	const uint64_t at = h & ((UINT64_C(1) << r->log2) - 1);

	return bits_of(r)[at >> 6] >> (at & 63) & 1;
}

/* One of the least, if it is that. */
static void keep(struct tm_contained_run *r, uint64_t h)
{
	if (r->nleast < TM_CONTAINED_LEAST)
		r->least[r->nleast++] = h;
	else if (h < r->least[r->most])
		r->least[r->most] = h;
	else
		return;
	for (uint32_t i = r->most = 0; i < r->nleast; i++)
		r->most = r->least[i] > r->least[r->most] ? i : r->most;
}

uint64_t tm_contained_limit(const struct tm_contained_run *r)
{
	return r->nleast < TM_CONTAINED_LEAST ? UINT64_MAX : r->least[r->most];
}

/* That of a name, added if new, of which a file has this rank; NULL when out of memory. */
static struct tm_contained_run *run_of(struct tm_contained *c, const char *run, size_t n,
                                       const char *path, size_t npath, uint64_t rank,
                                       enum tm_rank_rule rule)
{
	const uint32_t had = c->runs.n, own = tm_names_add(&c->paths, path, npath);
	struct tm_contained_run *r;
	uint32_t id;

	/* Room first: what is named is there, also for who goes on without memory. */
	if (own == TM_NAME_NONE || !tm_grow_array(&c->v, &c->cap, had + 1, sizeof *c->v))
		return NULL;
	id = tm_names_add(&c->runs, run, n);
	if (id == TM_NAME_NONE)
		return NULL;
	r = &c->v[id];
	if (c->runs.n > had) {
		*r = (struct tm_contained_run) { .path = own, .rank = rank, .rule = rule };
		r->numbered = tm_run_number(run, n, &r->number);
	}
	r->rule = rule > r->rule ? rule : r->rule;
	r->several |= r->rank != rank;
	/* Of several ranks it has none of its own. */
	if (r->rank != rank && r->rule > TM_RANK_REGEX)
		r->rule = TM_RANK_ORDER;
	if (tm_name_cmp(&c->paths.v[own], &c->paths.v[r->path]) < 0)
		r->path = own;
	return r;
}

/* The first bits of a hash: the last ones of a time are as good as any, and cost nothing. */
static inline uint64_t first_of(uint64_t start)
{
	return start & ((1 << FIRST_BITS) - 1);
}

static inline uint64_t hash_of(uint64_t start, uint64_t end)
{
	const uint64_t h = tm_hash_spread(start * UINT64_C(0x9e3779b97f4a7c15) + end);

	return first_of(start) << (64 - FIRST_BITS) | h >> FIRST_BITS;
}

uint64_t tm_contained_hash(const struct tm_batch *b, uint32_t i)
{
	return hash_of(b->col[TM_EVC_START][i], b->col[TM_EVC_END][i]);
}

/* All kernels of a batch, for which there is room. */
static void add_rows(struct tm_contained_run *r, const struct tm_batch *b)
{
	const uint64_t mask = (UINT64_C(1) << r->log2) - 1, *const end = b->col[TM_EVC_END];
	uint64_t *const bits = bits_of(r), kernels = 0, sum = 0, limit = tm_contained_limit(r);
	const bool whole = (b->has & TIMED) == TIMED;

	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t h;

		/* A time of 0 is none. */
		if (!end[i] || !(whole || tm_batch_has_all(b, i, TIMED)))
			continue;
		h = tm_contained_hash(b, i);
		kernels++;
		sum += h;
		bits[(h & mask) >> 6] |= UINT64_C(1) << (h & 63);
		if (h <= limit) {
			keep(r, h);
			limit = tm_contained_limit(r);
		}
	}
	r->kernels += kernels;
	r->sum += sum;
}

/* May any of n kernels be among the least? */
static bool any_kept(const struct tm_contained_run *r, const uint64_t *start, uint32_t n)
{
	const uint64_t beyond = (tm_contained_limit(r) >> (64 - FIRST_BITS)) + 1;
	uint64_t any = 0;

	/* No branch, no name: a few instructions for several kernels. */
	for (uint32_t i = 0; i < n; i++)
		any |= first_of(start[i]) - beyond;
	return any >> 63;
}

/* The least of a batch; no bits. */
static void keep_rows(struct tm_contained_run *r, const struct tm_batch *b)
{
	const uint64_t *start = b->col[TM_EVC_START];

	for (uint32_t i = 0, n; i < b->n; i += n) {
		n = b->n - i < STRIDE ? b->n - i : STRIDE;
		if (!any_kept(r, start + i, n))
			continue;
		for (uint32_t k = i; k < i + n; k++)
			if (first_of(start[k]) <= tm_contained_limit(r) >> (64 - FIRST_BITS) &&
			    tm_batch_has_all(b, k, TIMED) && b->col[TM_EVC_END][k])
				keep(r, tm_contained_hash(b, k));
	}
}

bool tm_contained_rows(struct tm_contained *c, const struct tm_piece *p, const struct tm_batch *b,
                       bool one)
{
	const bool kernels = c->kind == TM_EV_DISPATCH;
	struct tm_contained_run *r;

	if ((b->some & TIMED) != TIMED || !p->id.run || (one && !kernels))
		return true;
	r = run_of(c, p->id.run, strlen(p->id.run), p->id.path, strlen(p->id.path), p->id.rank,
	           p->id.rule);
	if (!r || !make_room(r, one || !kernels ? 0 : r->kernels + b->n, LEAST_BITS))
		return false;
	if (p->id.host)
		r->host = tm_hash_bytes(tm_hash_own(), p->id.host, strlen(p->id.host));
	if (one || !kernels)
		keep_rows(r, b);
	else
		add_rows(r, b);
	return true;
}

/* What is kept of another part of the same run.  False when out of memory. */
static bool add_run(struct tm_contained_run *r, const struct tm_contained_run *from)
{
	r->host = from->host ? from->host : r->host;
	r->several |= from->several;
	if (!from->least)
		return true;
	if (!make_room(r, r->kernels + from->kernels, from->log2))
		return false;
	for (size_t i = 0, n = (size_t)1 << (from->log2 - 6); i < (size_t)1 << (r->log2 - 6); i++)
		bits_of(r)[i] |= bits_of(from)[i & (n - 1)];
	for (uint32_t i = 0; i < from->nleast; i++)
		keep(r, from->least[i]);
	r->kernels += from->kernels;
	r->sum += from->sum;
	return true;
}

bool tm_contained_take(struct tm_contained *all, const struct tm_contained *c)
{
	if (c->runs.n)
		all->kind = c->kind;
	for (uint32_t i = 0; i < c->runs.n; i++) {
		const struct tm_contained_run *from = &c->v[i];
		const struct tm_name *run = &c->runs.v[i], *path = &c->paths.v[from->path];
		struct tm_contained_run *r = run_of(all, run->text, run->len, path->text, path->len,
		                                    from->rank, from->rule);

		if (!r || !add_run(r, from))
			return false;
	}
	return true;
}

/* ---- when everything was read ---- */

/* All runs below a directory. */
struct below {
	const char *dir; /* n bytes of the name of a run */
	size_t n;
	uint64_t runs, kernels, sum;
};

static int by_size(const void *pa, const void *pb)
{
	const struct below *a = pa, *b = pb;

	return (a->kernels > b->kernels) - (a->kernels < b->kernels);
}

/* The directories above all runs, by how many kernels there are: *n of them; NULL when out of
 * memory. */
static struct below *directories(const struct tm_contained *c, size_t *n)
{
	struct tm_names dirs = { 0 };
	struct below *v = NULL;
	size_t cap = 0;
	bool ok = tm_grow_array(&v, &cap, 1, sizeof *v);

	for (uint32_t i = 0; ok && i < c->runs.n; i++) {
		const struct tm_name *run = &c->runs.v[i];

		for (size_t k = 1; ok && c->v[i].kernels && k <= run->len; k++) {
			const uint32_t had = dirs.n;
			uint32_t id;

			if (run->text[k - 1] != '/')
				continue;
			id = tm_names_add(&dirs, run->text, k);
			ok = id != TM_NAME_NONE && tm_grow_array(&v, &cap, dirs.n, sizeof *v);
			if (ok && dirs.n > had)
				v[id] = (struct below) { .dir = run->text, .n = k };
			if (ok) {
				v[id].runs++;
				v[id].kernels += c->v[i].kernels;
				v[id].sum += c->v[i].sum;
			}
		}
	}
	*n = dirs.n;
	tm_names_fini(&dirs);
	if (ok)
		qsort(v, *n, sizeof *v, by_size);
	else
		free(v);
	return ok ? v : NULL;
}

static bool is_below(const struct tm_contained *c, uint32_t i, const struct below *d)
{
	const struct tm_name *run = &c->runs.v[i];

	return run->len >= d->n && !memcmp(run->text, d->dir, d->n);
}

/* Are two runs of different processes?  Those that the user gave ranks are, and those that state
 * different ranks, hosts or processes. */
static bool are_apart(const struct tm_contained *c, uint32_t a, uint32_t b)
{
	const struct tm_contained_run *x = &c->v[a], *y = &c->v[b];
	const enum tm_rank_rule rule = x->rule > y->rule ? x->rule : y->rule;

	return rule <= TM_RANK_REGEX || (rule <= TM_RANK_PATH && x->rank != y->rank) ||
	       (x->host && y->host && x->host != y->host) ||
	       (x->numbered && y->numbered && x->number != y->number);
}

/* The directory of n below which there are all kernels of run i, and no others but its own; NULL:
 * there is none, or one other run alone has them. */
static const struct below *parts_of(const struct tm_contained *c, uint32_t i, const struct below *v,
                                    size_t n)
{
	const struct tm_contained_run *r = &c->v[i];

	for (uint64_t own = 0; own < 2; own++) {
		const uint64_t kernels = r->kernels * (1 + own), sum = r->sum * (1 + own);
		size_t lo = 0, hi = n;

		TM_BISECT(lo, hi, mid, v[mid].kernels < kernels);
		for (; r->kernels && lo < n && v[lo].kernels == kernels; lo++)
			if (v[lo].sum == sum && v[lo].runs >= 2 + own &&
			    is_below(c, i, &v[lo]) == (own > 0))
				return &v[lo];
	}
	return NULL;
}

/* Seems run b to have all kernels of a? */
static bool seems_part(const struct tm_contained *c, uint32_t a, uint32_t b)
{
	const struct tm_contained_run *x = &c->v[a], *y = &c->v[b];

	if (a == b || x->kernels < TM_CONTAINED_FEW || x->kernels > y->kernels ||
	    are_apart(c, a, b))
		return false;
	/* Of equal ones the first file counts. */
	if (x->kernels == y->kernels &&
	    (x->sum != y->sum || tm_name_cmp(&c->paths.v[x->path], &c->paths.v[y->path]) < 0))
		return false;
	for (uint32_t k = 0; k < x->nleast; k++)
		if (!has_hash(y, x->least[k]))
			return false;
	return true;
}

/* All that are below the directory, if the run is of the process of any of them. */
static size_t parts_below(const struct tm_contained *c, uint32_t whole, const struct below *d,
                          const uint32_t *order, struct tm_contained_part *v)
{
	size_t n = 0;
	bool apart = true;

	for (uint32_t k = 0; k < c->runs.n; k++) {
		const uint32_t run = order[k];

		if (run == whole || !c->v[run].kernels || !is_below(c, run, d))
			continue;
		v[n++] = (struct tm_contained_part) { .run = run,
			                              .few = c->v[run].kernels < TM_CONTAINED_FEW };
		apart &= are_apart(c, run, whole);
	}
	return apart ? 0 : n;
}

static const struct tm_name *path_of(const struct tm_contained *c, uint32_t run)
{
	return &c->paths.v[c->v[run].path];
}

static int by_path(const void *pa, const void *pb, void *arg)
{
	const struct tm_contained *c = *(const struct tm_contained **)arg;
	const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	int d = tm_name_cmp(path_of(c, a), path_of(c, b));

	return d ? d : tm_name_cmp(&c->runs.v[a], &c->runs.v[b]);
}

/* All runs in the order of their paths; NULL when out of memory. */
static uint32_t *runs_by_path(const struct tm_contained *c)
{
	const uint32_t n = c->runs.n;
	uint32_t *place = tm_places(n, by_path, &c);
	uint32_t *runs = place ? malloc(((size_t)n + 1) * sizeof *runs) : NULL;

	for (uint32_t i = 0; runs && i < n; i++)
		runs[place[i]] = i;
	free(place);
	return runs;
}

bool tm_contained_each(const struct tm_contained *c, tm_contained_see *see, void *arg)
{
	size_t ndirs = 0, n;
	const uint32_t runs = c->runs.n;
	struct below *dirs = directories(c, &ndirs);
	struct tm_contained_part *v = malloc((runs + 1) * sizeof *v);
	uint32_t *order = runs_by_path(c);
	const bool ok = dirs && v && order;
	bool more = ok;

	for (uint32_t i = 0; more && i < runs; i++) {
		const struct below *of = parts_of(c, order[i], dirs, ndirs);

		n = of ? parts_below(c, order[i], of, order, v) : 0;
		if (!n)
			for (uint32_t k = 0; k < runs; k++)
				if (seems_part(c, order[k], order[i]))
					v[n++] = (struct tm_contained_part) { .run = order[k] };
		more = !n || see(arg, order[i], v, n);
	}
	free(order);
	free(dirs);
	free(v);
	return ok;
}

/* A kernel that was kept, and the place of its run by path; or two runs that have one. */
struct kept {
	uint64_t hash;
	uint32_t at, other;
};

static int by_kept(const void *pa, const void *pb)
{
	const struct kept *a = pa, *b = pb;

	if (a->hash != b->hash)
		return a->hash > b->hash ? 1 : -1;
	return (a->at > b->at) - (a->at < b->at);
}

static int by_pair(const void *pa, const void *pb)
{
	const struct kept *a = pa, *b = pb;

	if (a->at != b->at)
		return a->at > b->at ? 1 : -1;
	return (a->other > b->other) - (a->other < b->other);
}

/* All that was kept of all runs: *n of them, by_kept(); NULL when out of memory. */
static struct kept *all_kept(const struct tm_contained *c, const uint32_t *order, size_t *n)
{
	struct kept *v = malloc(((size_t)c->runs.n * TM_CONTAINED_LEAST + 1) * sizeof *v);

	*n = 0;
	for (uint32_t i = 0; v && i < c->runs.n; i++)
		for (uint32_t k = 0; k < c->v[order[i]].nleast; k++)
			v[(*n)++] = (struct kept) { .hash = c->v[order[i]].least[k], .at = i };
	if (v && *n)
		qsort(v, *n, sizeof *v, by_kept);
	return v;
}

/* v becomes the pairs of neighbors that may be of one process: returns how many. */
static size_t pairs_of(const struct tm_contained *c, const uint32_t *order, struct kept *v,
                       size_t n)
{
	size_t pairs = 0;

	for (size_t i = 1; i < n; i++)
		if (v[i].hash == v[i - 1].hash && v[i].at != v[i - 1].at &&
		    !are_apart(c, order[v[i - 1].at], order[v[i].at]))
			v[pairs++] = (struct kept) { .at = v[i - 1].at, .other = v[i].at };
	if (pairs)
		qsort(v, pairs, sizeof *v, by_pair);
	return pairs;
}

bool tm_contained_pairs(const struct tm_contained *c, tm_contained_pair *see, void *arg)
{
	uint32_t *order = runs_by_path(c);
	size_t n = 0;
	struct kept *v = order ? all_kept(c, order, &n) : NULL;

	n = v ? pairs_of(c, order, v, n) : 0;
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && !by_pair(&v[i], &v[end]);)
			end++;
		if (end - i >= TM_CONTAINED_FEW)
			see(arg, order[v[i].at], order[v[i].other]);
	}
	free(order);
	free(v);
	return v != NULL;
}

static int by_hash(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

bool tm_contained_repeats(const struct tm_contained_run *r)
{
	uint64_t v[TM_CONTAINED_LEAST];
	size_t n = 0, repeated = 0;

	/* One file may be given as several ranks. */
	if (!r->nleast || r->several)
		return false;
	memcpy(v, r->least, r->nleast * sizeof *v);
	qsort(v, r->nleast, sizeof *v, by_hash);
	for (size_t i = 0, end; i < r->nleast; i = end) {
		for (end = i + 1; end < r->nleast && v[end] == v[i];)
			end++;
		n++;
		repeated += end - i > 1;
	}
	return repeated >= TM_CONTAINED_FEW ||
	       (repeated > 1 && repeated == n && r->nleast < TM_CONTAINED_LEAST);
}

void tm_contained_fini(struct tm_contained *c)
{
	for (uint32_t i = 0; i < c->runs.n; i++)
		free(c->v[i].least);
	tm_names_fini(&c->runs);
	tm_names_fini(&c->paths);
	free(c->v);
	*c = (struct tm_contained) { 0 };
}
