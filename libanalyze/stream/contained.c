/* SPDX-License-Identifier: MIT */
#include "stream/contained.h"

#include "read/read.h"
#include "stream/drive.h"

#include <stdlib.h>
#include <string.h>

#define TIMED (TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END))

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
	if (c->runs.n > had)
		*r = (struct tm_contained_run) { .path = own, .rank = rank, .rule = rule };
	r->rule = rule > r->rule ? rule : r->rule;
	/* Of several ranks it has none of its own. */
	if (r->rank != rank && r->rule > TM_RANK_REGEX)
		r->rule = TM_RANK_ORDER;
	if (tm_name_cmp(&c->paths.v[own], &c->paths.v[r->path]) < 0)
		r->path = own;
	return r;
}

/* Hash of a kernel with times, as far as the row says which one it is. */
static uint64_t hash_of(const struct tm_batch *b, uint32_t i)
{
	uint64_t h = b->col[TM_EVC_START][i];

	if (tm_batch_has(b, i, TM_EVC_NAME))
		h += (uint64_t)b->names->v[b->col[TM_EVC_NAME][i]].hash << 32;
	if (tm_batch_has(b, i, TM_EVC_AGENT))
		h += tm_hash_spread(b->col[TM_EVC_AGENT][i] + 1);
	return tm_hash_spread(tm_hash_spread(h) + b->col[TM_EVC_END][i]);
}

bool tm_contained_rows(struct tm_contained *c, const struct tm_piece *p, const struct tm_batch *b)
{
	struct tm_contained_run *r;
	uint64_t kernels = 0, sum = 0;

	if (b->kind != TM_EV_DISPATCH || (b->some & TIMED) != TIMED || !p->id.run)
		return true;
	r = run_of(c, p->id.run, strlen(p->id.run), p->id.path, strlen(p->id.path), p->id.rank,
	           p->id.rule);
	if (!r)
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		/* A time of 0 is none. */
		if (!tm_batch_has_all(b, i, TIMED) || !b->col[TM_EVC_END][i])
			continue;
		kernels++;
		sum += hash_of(b, i);
	}
	r->kernels += kernels;
	r->sum += sum;
	return true;
}

bool tm_contained_take(struct tm_contained *all, const struct tm_contained *c)
{
	for (uint32_t i = 0; i < c->runs.n; i++) {
		const struct tm_contained_run *from = &c->v[i];
		const struct tm_name *run = &c->runs.v[i], *path = &c->paths.v[from->path];
		struct tm_contained_run *r = run_of(all, run->text, run->len, path->text, path->len,
		                                    from->rank, from->rule);

		if (!r)
			return false;
		r->kernels += from->kernels;
		r->sum += from->sum;
	}
	return true;
}

/* ---- when everything was read ---- */

/* All runs below a directory. */
struct below {
	const char *dir; /* n bytes of the name of a run */
	size_t n;
	uint64_t runs, kernels, sum;
	const struct tm_contained_run *first, *second; /* by path */
};

static int by_size(const void *pa, const void *pb)
{
	const struct below *a = pa, *b = pb;

	return (a->kernels > b->kernels) - (a->kernels < b->kernels);
}

/* One more run below the directory. */
static void add_below(const struct tm_contained *c, struct below *d,
                      const struct tm_contained_run *r)
{
	const struct tm_name *path = &c->paths.v[r->path];

	d->runs++;
	d->kernels += r->kernels;
	d->sum += r->sum;
	if (!d->first || tm_name_cmp(path, &c->paths.v[d->first->path]) < 0) {
		d->second = d->first;
		d->first = r;
	} else if (!d->second || tm_name_cmp(path, &c->paths.v[d->second->path]) < 0) {
		d->second = r;
	}
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
			if (ok)
				add_below(c, &v[id], &c->v[i]);
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

/* Is run i of another process than each other one below the directory?  Those that the user gave
 * ranks are, and those that state different ones. */
static bool other_ranks(const struct tm_contained *c, uint32_t i, const struct below *d)
{
	const struct tm_contained_run *r = &c->v[i];
	bool other = true;

	for (uint32_t k = 0; other && k < c->runs.n; k++) {
		const enum tm_rank_rule rule = c->v[k].rule > r->rule ? c->v[k].rule : r->rule;

		if (k != i && c->v[k].kernels && is_below(c, k, d))
			other = rule <= TM_RANK_REGEX ||
			        (rule <= TM_RANK_PATH && c->v[k].rank != r->rank);
	}
	return other;
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
			    is_below(c, i, &v[lo]) == (own > 0) && !other_ranks(c, i, &v[lo]))
				return &v[lo];
	}
	return NULL;
}

bool tm_contained_tell(const struct tm_contained *all, struct tm_report *rep)
{
	const struct tm_contained_run *found = NULL;
	const struct below *parts = NULL;
	size_t n = 0;
	struct below *v = all->runs.n > 2 ? directories(all, &n) : NULL;

	rep->lost |= all->runs.n > 2 && !v;
	for (uint32_t i = 0; v && i < all->runs.n; i++) {
		const struct below *of = parts_of(all, i, v, n);

		if (of && (!found || tm_name_cmp(&all->paths.v[all->v[i].path],
		                                 &all->paths.v[found->path]) < 0)) {
			found = &all->v[i];
			parts = of;
		}
	}
	if (found) {
		const bool own = parts->first == found;
		const struct tm_contained_run *one = own ? parts->second : parts->first;

		tm_report_add(
		        rep, TM_SEV_ERROR, all->paths.v[found->path].text, 0,
		        "contains the kernels of %.300s and %llu more, which count, too; "
		        "give one of the two",
		        all->paths.v[one->path].text,
		        (unsigned long long)(parts->runs - 1 - (parts->kernels > found->kernels)));
	}
	free(v);
	return found != NULL;
}

void tm_contained_fini(struct tm_contained *c)
{
	tm_names_fini(&c->runs);
	tm_names_fini(&c->paths);
	free(c->v);
	*c = (struct tm_contained) { 0 };
}
