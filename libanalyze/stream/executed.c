/* SPDX-License-Identifier: MIT */
#include "stream/executed.h"

#include "model/model.h"
#include "read/read.h"
#include "stream/drive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* No kernel starts before its launch: so much for clocks that differ.  Few start so long after it,
 * as behind a copy of all memory. */
#define EARLY_NS UINT64_C(1000000000)
#define LATE_NS  UINT64_C(10000000000)

/* Launches closer to those that are known than that are not looked for: names cost time. */
#define CLOSE_NS UINT64_C(1000000)

static const struct tm_executed_span nothing = { .first = UINT64_MAX, .path = TM_NAME_NONE };

static void widen(struct tm_executed_span *s, uint64_t at)
{
	s->first = at < s->first ? at : s->first;
	s->last = at > s->last ? at : s->last;
}

static bool is_launch(const struct tm_batch *b, uint32_t i)
{
	const char *name;

	if (!tm_batch_has(b, i, TM_EVC_NAME))
		return false;
	name = b->names->v[b->col[TM_EVC_NAME][i]].text;
	return strstr(name, "Launch") && !strstr(name, "LaunchHostFunc");
}

/* Copies and fills of the runtime have calls of other names. */
static bool is_blit(const struct tm_batch *b, uint32_t i)
{
	return tm_batch_has(b, i, TM_EVC_NAME) &&
	       !strncmp(b->names->v[b->col[TM_EVC_NAME][i]].text, "__amd_rocclr_", 13);
}

/* That of the piece: a reading has one after the other.  NULL when out of memory. */
static struct tm_executed_run *run_of(struct tm_executed *e, const struct tm_piece *p)
{
	const uint32_t path = tm_names_add(&e->paths, p->id.path, strlen(p->id.path));
	struct tm_executed_run *r = e->n ? &e->v[e->n - 1] : NULL;

	if (path == TM_NAME_NONE)
		return NULL;
	if (r && r->run == p->process && r->kernels.path == path)
		return r;
	if (!tm_grow_array(&e->v, &e->cap, e->n + 1, sizeof *e->v))
		return NULL;
	r = &e->v[e->n++];
	*r = (struct tm_executed_run) { p->process, nothing, nothing };
	r->kernels.path = r->launches.path = path;
	return r;
}

bool tm_executed_rows(struct tm_executed *e, const struct tm_piece *p, const struct tm_batch *b)
{
	const bool kernels = b->kind == TM_EV_DISPATCH;
	const uint64_t *start = b->col[TM_EVC_START];
	struct tm_executed_span *s;
	struct tm_executed_run *r;

	if ((!kernels && b->kind != TM_EV_API) || !(b->some & TM_EV_BIT(TM_EVC_START)))
		return true;
	r = run_of(e, p);
	if (!r)
		return false;
	s = kernels ? &r->kernels : &r->launches;
	for (uint32_t i = 0; i < b->n; i++) {
		if (!tm_batch_has(b, i, TM_EVC_START) ||
		    (s->first <= s->last && start[i] + CLOSE_NS >= s->first &&
		     start[i] <= s->last + CLOSE_NS))
			continue;
		if (kernels ? !is_blit(b, i)
		            : tm_batch_domain(b, i) == TM_DOMAIN_HIP && is_launch(b, i))
			widen(s, start[i]);
	}
	return true;
}

/* Add a span of another, whose paths are its own.  False when out of memory. */
static bool add(struct tm_executed *all, struct tm_executed_span *to, const struct tm_executed *e,
                const struct tm_executed_span *s)
{
	const struct tm_name *nm = &e->paths.v[s->path];
	uint32_t path;

	if (s->first > s->last)
		return true;
	path = tm_names_add(&all->paths, nm->text, nm->len);
	if (path == TM_NAME_NONE)
		return false;
	if (to->path == TM_NAME_NONE || tm_name_cmp(nm, &all->paths.v[to->path]) < 0)
		to->path = path;
	widen(to, s->first);
	widen(to, s->last);
	return true;
}

bool tm_executed_take(struct tm_executed *all, const struct tm_executed *e)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct tm_executed_run *r = &e->v[i];

		if (!tm_grow_array(&all->v, &all->cap, (size_t)r->run + 1, sizeof *all->v))
			return false;
		for (; all->n <= r->run; all->n++)
			all->v[all->n] = (struct tm_executed_run) { (uint32_t)all->n, nothing,
				                                    nothing };
		if (!add(all, &all->v[r->run].kernels, e, &r->kernels) ||
		    !add(all, &all->v[r->run].launches, e, &r->launches))
			return false;
	}
	return true;
}

/* How far apart are they?  0: not farther than they may be. */
static uint64_t apart(const struct tm_executed_run *r)
{
	const struct tm_executed_span *k = &r->kernels, *l = &r->launches;

	if (k->first > k->last || l->first > l->last)
		return 0;
	if (k->first > l->last && k->first - l->last > LATE_NS)
		return k->first - l->last;
	return l->first > k->last && l->first - k->last > EARLY_NS ? l->first - k->last : 0;
}

bool tm_executed_tell(const struct tm_executed *all, struct tm_report *rep)
{
	const struct tm_executed_run *found = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct tm_executed_run *r = &all->v[i];

		if (apart(r) && r->kernels.path != r->launches.path &&
		    (!found || tm_name_cmp(&all->paths.v[r->kernels.path],
		                           &all->paths.v[found->kernels.path]) < 0))
			found = r;
	}
	if (found)
		tm_report_add(rep, TM_SEV_ERROR, all->paths.v[found->kernels.path].text, 0,
		              "not of the execution of %.300s, which launches kernels %" PRIu64
		              " s %s; give one of the two",
		              all->paths.v[found->launches.path].text, apart(found) / 1000000000,
		              found->kernels.first > found->launches.last ? "earlier" : "later");
	return found != NULL;
}

void tm_executed_fini(struct tm_executed *e)
{
	tm_names_fini(&e->paths);
	free(e->v);
	*e = (struct tm_executed) { 0 };
}
