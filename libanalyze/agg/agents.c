/* SPDX-License-Identifier: MIT */
#include "agg/agents.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A GPU of a rank.  A number that is 0 is not known. */
struct tm_agent {
	uint64_t rank, agent, node;
	bool has_agent, has_node;
	uint32_t name; /* + 1, in names */
	uint64_t gfx, cus, device, mhz, xccs;
};

tm_ev_set tm_agents_want(void)
{
	return TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_NODE) | TM_EV_BIT(TM_EVC_PRODUCT) |
	       TM_EV_BIT(TM_EVC_GFX) | TM_EV_BIT(TM_EVC_CUS) | TM_EV_BIT(TM_EVC_DEVICE) |
	       TM_EV_BIT(TM_EVC_MHZ) | TM_EV_BIT(TM_EVC_XCCS);
}

static bool alike(const struct tm_agent *a, const struct tm_agent *b)
{
	return a->name == b->name && a->gfx == b->gfx && a->cus == b->cus &&
	       a->device == b->device && a->mhz == b->mhz && a->xccs == b->xccs;
}

/* Those of that rank end before: of thousands of ranks each has its own. */
static size_t end_of_rank(const struct tm_agents *a, uint64_t rank)
{
	size_t lo = 0, hi = a->n;

	TM_BISECT(lo, hi, mid, a->v[mid].rank <= rank);
	return lo;
}

/* Several inputs of a rank describe the same agents. */
static bool add(struct tm_agents *a, const struct tm_agent *agent)
{
	size_t end = end_of_rank(a, agent->rank);

	for (size_t i = end; i-- && a->v[i].rank == agent->rank;) {
		const struct tm_agent *v = &a->v[i];

		if (v->has_agent == agent->has_agent && v->agent == agent->agent &&
		    v->has_node == agent->has_node && v->node == agent->node && alike(v, agent))
			return true;
	}
	if (!tm_grow_array(&a->v, &a->cap, a->n + 1, sizeof *a->v))
		return false;
	memmove(a->v + end + 1, a->v + end, (a->n++ - end) * sizeof *a->v);
	a->v[end] = *agent;
	return true;
}

static uint64_t number(const struct tm_batch *b, uint32_t i, enum tm_ev_col col)
{
	const uint64_t *cell = tm_batch_cell(b, i, col);

	return cell ? *cell : 0;
}

bool tm_agents_take(struct tm_agents *a, uint64_t rank, const struct tm_batch *b)
{
	for (uint32_t i = 0; b->kind == TM_EV_AGENT && i < b->n; i++) {
		struct tm_agent agent = {
			.rank = rank,
			.agent = number(b, i, TM_EVC_AGENT),
			.node = number(b, i, TM_EVC_NODE),
			.has_agent = tm_batch_has(b, i, TM_EVC_AGENT),
			.has_node = tm_batch_has(b, i, TM_EVC_NODE),
			.gfx = number(b, i, TM_EVC_GFX),
			.cus = number(b, i, TM_EVC_CUS),
			.device = number(b, i, TM_EVC_DEVICE),
			.mhz = number(b, i, TM_EVC_MHZ),
			.xccs = number(b, i, TM_EVC_XCCS),
		};

		/* A CPU has no architecture of these, and compute units in some releases. */
		if (tm_batch_has(b, i, TM_EVC_GFX) ? !agent.gfx : !agent.cus)
			continue;
		if (tm_batch_has(b, i, TM_EVC_PRODUCT)) {
			const struct tm_name *nm = &b->names->v[b->col[TM_EVC_PRODUCT][i]];
			uint32_t id = tm_names_add(&a->names, nm->text, nm->len);

			if (id == TM_NAME_NONE)
				return false;
			agent.name = id + 1;
		}
		if (!add(a, &agent))
			return false;
	}
	return true;
}

bool tm_agents_merge(struct tm_agents *into, const struct tm_agents *from)
{
	for (size_t i = 0; i < from->n; i++) {
		struct tm_agent agent = from->v[i];

		if (agent.name) {
			const struct tm_name *nm = &from->names.v[agent.name - 1];
			uint32_t id = tm_names_add(&into->names, nm->text, nm->len);

			if (id == TM_NAME_NONE)
				return false;
			agent.name = id + 1;
		}
		if (!add(into, &agent))
			return false;
	}
	return true;
}

void tm_agents_fini(struct tm_agents *a)
{
	free(a->v);
	tm_names_fini(&a->names);
	*a = (struct tm_agents) { 0 };
}

static struct tm_gpu_seen seen_of(const struct tm_agents *a, const struct tm_agent *v)
{
	struct tm_gpu_seen s = { .gfx = v->gfx, .cus = v->cus, .device = v->device, .mhz = v->mhz };

	if (v->name) {
		s.name = a->names.v[v->name - 1].text;
		s.len = a->names.v[v->name - 1].len;
	}
	return s;
}

/* How well that description is of the agent: by the number that its own input gives it, by the
 * driver's, or not at all. */
static int fit(const struct tm_agent *v, uint64_t agent)
{
	if (v->has_agent && v->agent == agent)
		return 2;
	return v->has_node && v->node <= UINT32_MAX &&
	       tm_agent_pack(TM_AGENT_NODE, (uint32_t)v->node) == agent;
}

bool tm_agents_find(const struct tm_agents *a, uint64_t rank, uint64_t agent,
                    struct tm_gpu_seen *seen, uint64_t *xccs)
{
	const struct tm_agent *best = NULL, *any = NULL;
	bool same = true;
	int most = 0;

	/* Of those that fit as well the first counts. */
	for (size_t i = end_of_rank(a, rank); i-- && a->v[i].rank == rank;) {
		const struct tm_agent *v = &a->v[i];
		int how = fit(v, agent);

		same &= !any || alike(any, v);
		any = v;
		if (how && how >= most) {
			best = v;
			most = how;
		}
	}
	if (!best && same)
		best = any;
	if (!best)
		return false;
	*seen = seen_of(a, best);
	*xccs = best->xccs;
	return true;
}

/* A name, and how many have it. */
struct named {
	struct tm_name name;
	uint64_t n;
};

static int by_name(const void *pa, const void *pb)
{
	const struct named *a = pa, *b = pb;

	return tm_name_cmp(&a->name, &b->name);
}

bool tm_agents_put(const struct tm_agents *a, struct tm_buf *b)
{
	struct named *v = calloc(a->n + 1, sizeof *v);
	struct tm_names names = { 0 };
	struct tm_buf text = { 0 };
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < a->n; i++) {
		const struct tm_gpu_seen seen = seen_of(a, &a->v[i]);
		uint32_t id;

		tm_buf_clear(&text);
		if (!tm_gpu_put_name(&text, &seen))
			tm_buf_str(&text, "unknown");
		id = text.failed ? TM_NAME_NONE : tm_names_add(&names, text.p, text.n);
		ok = id != TM_NAME_NONE;
		if (ok)
			v[id].n++;
	}
	for (uint32_t i = 0; ok && i < names.n; i++)
		v[i].name = names.v[i];
	if (ok && names.n)
		qsort(v, names.n, sizeof *v, by_name);
	for (uint32_t i = 0; ok && i < names.n; i++)
		tm_buf_fmt(b, "%s%" PRIu64 " %s", i ? ", " : "", v[i].n, v[i].name.text);
	free(v);
	tm_buf_fini(&text);
	tm_names_fini(&names);
	return ok && !b->failed;
}
