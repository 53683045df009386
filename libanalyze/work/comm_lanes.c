/* SPDX-License-Identifier: MIT */
#include "work/comm_lanes.h"

#include <stdlib.h>
#include <string.h>

/* What is known of a communicator. */
struct tm_of_comm {
	uint64_t low, high, ranks; /* of its ranks that are here the lowest and the highest */
	bool any, lone;            /* there is some; a send or a receive by itself */
};

enum p2p { NO_P2P, SENDS, RECEIVES, BOTH };

/* Is it between two ranks, as far as its call says? */
static enum p2p p2p_of(const struct tm_comm_calls *c, const struct tm_comm_call *call)
{
	static const char *const names[] = {
		[SENDS] = "ncclSend", [RECEIVES] = "ncclRecv", [BOTH] = "ncclSend+ncclRecv"
	};
	const char *name = call ? c->names.v[call->name].text : "";
	enum p2p p = BOTH;

	while (p > NO_P2P && strcmp(name, names[p]) != 0)
		p--;
	return p;
}

bool tm_comm_sends(const struct tm_comm_calls *c, const struct tm_comm_call *call)
{
	return p2p_of(c, call) == SENDS;
}

bool tm_comm_lanes_add(struct tm_comm_lanes *l, const struct tm_comm_kernel *k)
{
	const enum p2p p = p2p_of(l->calls, k->call);
	struct tm_of_comm *c;

	if (!tm_grow_array(&l->of, &l->cap, (size_t)k->comm + 1, sizeof *l->of))
		return false;
	for (; l->n <= k->comm; l->n++)
		l->of[l->n] = (struct tm_of_comm) { 0 };
	c = &l->of[k->comm];
	c->low = !c->any || k->rank < c->low ? k->rank : c->low;
	c->high = !c->any || k->rank > c->high ? k->rank : c->high;
	if (k->call)
		c->ranks = k->call->ranks;
	c->any = true;
	c->lone |= p == SENDS || p == RECEIVES;
	return true;
}

/* All ranks of a communicator that exchange at once may be an all-to-all; where some send alone it
 * is a pipeline, or the like.  Of two ranks, both here, each sends to the other. */
enum tm_comm_lane tm_comm_lane_of(const struct tm_comm_lanes *l, const struct tm_comm_kernel *k)
{
	const struct tm_of_comm *c = &l->of[k->comm];
	const enum p2p p = p2p_of(l->calls, k->call);
	const bool pair = c->ranks == 2 && c->low != c->high;

	if (!l->told || !k->call)
		return strstr(k->name, "SendRecv") ? TM_LANE_ALONE : TM_LANE_ALL;
	if (p == NO_P2P || (p == BOTH && (pair || !c->lone)))
		return TM_LANE_ALL;
	if (p == BOTH || !k->comm || !pair)
		return TM_LANE_ALONE;
	return (p == SENDS) == (k->rank == c->low) ? TM_LANE_UP : TM_LANE_DOWN;
}

void tm_comm_lanes_fini(struct tm_comm_lanes *l)
{
	free(l->of);
	l->of = NULL;
	l->n = l->cap = 0;
}
