/* SPDX-License-Identifier: MIT */
#include "runs/content.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Never change this, or old and new databases will not recognise the same trace. */
const ev_set content_cols = EV_BIT(EVC_NAME) | EV_BIT(EVC_START) | EV_BIT(EVC_END) |
                            EV_BIT(EVC_AGENT) | EV_BIT(EVC_TID) | EV_BIT(EVC_CORR) |
                            EV_BIT(EVC_DISPATCH_ID) | EV_BIT(EVC_BYTES) | EV_BIT(EVC_ADDRESS) |
                            EV_BIT(EVC_COUNTER) | EV_BIT(EVC_VALUE) | EV_BIT(EVC_CALLS) |
                            EV_BIT(EVC_TOTAL);

/* FNV-1a: the same everywhere, unlike hash_bytes. */
static uint64_t stable_hash(const char *p, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p[i]) * UINT64_C(0x100000001b3);
	return h;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

void content_reset(struct content_names *c)
{
	c->n = 0;
}

void content_fini(struct content_names *c)
{
	free(c->v);
	*c = (struct content_names) { 0 };
}

/* A hash of each row, added up: the order of rows does not matter, so neither do ranges. */
bool content_add(struct content_names *c, const struct batch *b, uint64_t *sum)
{
	uint64_t h[BATCH_ROWS];
	ev_set cols = b->some & content_cols;

	/* Older readers knew no bytes of kernels. */
	if (b->kind == EV_DISPATCH)
		cols &= ~EV_BIT(EVC_BYTES);
	if (!grow_array(&c->v, &c->cap, b->names->n, sizeof *c->v))
		return false;
	for (; c->n < b->names->n; c->n++)
		c->v[c->n] = stable_hash(b->names->v[c->n].text, b->names->v[c->n].len);
	for (uint32_t i = 0; i < b->n; i++)
		h[i] = (uint64_t)b->kind + 1;
	for (int col = 0; col < EVC_N; col++) {
		if (!(cols & EV_BIT(col)))
			continue;
		for (uint32_t i = 0; i < b->n; i++) {
			uint64_t v;

			if (!batch_has(b, i, (enum ev_col)col))
				continue;
			v = b->col[col][i];
			h[i] = mix(h[i], ev_of_type(EVT_NAME) & EV_BIT(col) ? c->v[v]
			                                                    : v + (uint64_t)col);
		}
	}
	for (uint32_t i = 0; i < b->n; i++)
		*sum += h[i];
	return true;
}

/* ---- of whole inputs ---- */

static bool init(void *acc, const void *arg)
{
	(void)arg;
	*(struct contents *)acc = (struct contents) { 0 };
	return true;
}

static bool piece(void *acc, const struct piece *p)
{
	struct contents *c = acc;

	content_reset(&c->names);
	if (!grow_array(&c->v, &c->cap, c->n + 1, sizeof *c->v))
		return false;
	/* Without a table: goes on with the one before, which is in another accumulator. */
	c->v[c->n] = (struct content) { .table = p->more ? NULL : strdup(p->table),
		                        .bytes = p->bytes };
	return c->v[c->n++].table || p->more;
}

static bool take(void *acc, const struct batch *b)
{
	struct contents *c = acc;
	struct content *of = &c->v[c->n - 1];

	of->events += b->n;
	return content_add(&c->names, b, &of->hash);
}

static bool merge(void *into, void *acc)
{
	struct contents *c = into, *from = acc;

	for (size_t i = 0; i < from->n; i++) {
		if (!from->v[i].table && c->n) {
			c->v[c->n - 1].events += from->v[i].events;
			c->v[c->n - 1].hash += from->v[i].hash;
			continue;
		}
		if (!grow_array(&c->v, &c->cap, c->n + 1, sizeof *c->v))
			return false;
		c->v[c->n++] = from->v[i];
		from->v[i].table = NULL;
	}
	return true;
}

static void fini(void *acc)
{
	struct contents *c = acc;

	for (size_t i = 0; i < c->n; i++)
		free(c->v[i].table);
	free(c->v);
	content_fini(&c->names);
}

const struct event_sink content_sink = {
	.size = sizeof(struct contents),
	.init = init,
	.piece = piece,
	.take = take,
	.merge = merge,
	.fini = fini,
};
