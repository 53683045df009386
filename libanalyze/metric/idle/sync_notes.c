/* SPDX-License-Identifier: MIT
 * What `sync` says beside its rows, of all ranks. */
#include "metric/idle/sync_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct noted *tm_sync_noted(struct notes *n, uint64_t rank, enum noted_kind kind)
{
	if (!tm_grow_array(&n->v, &n->cap, n->n + 1, sizeof *n->v))
		return NULL;
	n->v[n->n] = (struct noted) { .rank = rank, .nth = n->n, .v = { [NOTED_KIND] = kind } };
	return &n->v[n->n++];
}

static bool note_item(void *arg, uint64_t rank, const struct tm_state_item *it)
{
	struct noted *n = tm_sync_noted(arg, rank, NOTED_PROCESS);

	if (n)
		memcpy(n->v, it->v, sizeof n->v);
	return n != NULL;
}

static int by_rank_and_turn(const void *pa, const void *pb)
{
	const struct noted *a = pa, *b = pb;

	return a->rank != b->rank ? tm_u64_cmp(a->rank, b->rank) : tm_u64_cmp(a->nth, b->nth);
}

bool tm_sync_share_notes(struct notes *n, struct tm_state *s)
{
	for (size_t i = 0; i < n->n; i++) {
		struct tm_state_item it = { .text = "", .nv = NOTED_N };

		memcpy(it.v, n->v[i].v, sizeof n->v[i].v);
		tm_state_put(s, &it);
	}
	if (!tm_state_each(s, NOTED_N, note_item, n))
		return false;
	if (n->n)
		qsort(n->v, n->n, sizeof *n->v, by_rank_and_turn);
	return true;
}

void tm_sync_wholes_add(struct wholes *d, tm_u128 whole, uint64_t rank)
{
	if (!d->n || whole < d->lo) {
		d->lo = whole;
		d->lo_rank = rank;
	}
	if (!d->n || whole > d->hi) {
		d->hi = whole;
		d->hi_rank = rank;
	}
	d->n++;
}

static const char *ns_text(tm_u128 ns, char out[32])
{
	uint64_t n = ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;

	if (n < 1000000)
		snprintf(out, 32, "%" PRIu64 " ns", n);
	else if (n < 1000000000)
		snprintf(out, 32, "%" PRIu64 ".%03" PRIu64 " ms", n / 1000000, n / 1000 % 1000);
	else
		snprintf(out, 32, "%" PRIu64 ".%03" PRIu64 " s", n / 1000000000,
		         n / 1000000 % 1000);
	return out;
}

void tm_sync_tell_wholes(struct tm_report *rep, const char *what, const struct wholes *d)
{
	char lo[32], hi[32];

	if (d->n && d->lo == d->hi)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "%s: %s", what, ns_text(d->lo, lo));
	else if (d->n)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%s: %s (rank %" PRIu64 ") to %s (rank %" PRIu64 ")", what,
		              ns_text(d->lo, lo), d->lo_rank, ns_text(d->hi, hi), d->hi_rank);
}
