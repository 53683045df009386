/* SPDX-License-Identifier: MIT */
#include "runs/content.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Never change this, or old and new databases will not recognize the same trace. */
const tm_ev_set tm_content_cols = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) |
                                  TM_EV_BIT(TM_EVC_END) | TM_EV_BIT(TM_EVC_AGENT) |
                                  TM_EV_BIT(TM_EVC_TID) | TM_EV_BIT(TM_EVC_CORR) |
                                  TM_EV_BIT(TM_EVC_DISPATCH_ID) | TM_EV_BIT(TM_EVC_BYTES) |
                                  TM_EV_BIT(TM_EVC_ADDRESS) | TM_EV_BIT(TM_EVC_COUNTER) |
                                  TM_EV_BIT(TM_EVC_VALUE) | TM_EV_BIT(TM_EVC_CALLS) |
                                  TM_EV_BIT(TM_EVC_TOTAL);

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

void tm_content_reset(struct tm_content_names *c)
{
	c->n = 0;
}

void tm_content_fini(struct tm_content_names *c)
{
	free(c->v);
	*c = (struct tm_content_names) { 0 };
}

bool tm_content_packed(const char *path, const char *plain)
{
	size_t n = strlen(plain);

	return !strncmp(path, plain, n) && path[n] == '.' && tm_watch_is_packed(path) &&
	       !strchr(path + n + 1, '.');
}

bool tm_content_sizes(const struct tm_trace_id *a, const struct tm_trace_id *b, uint64_t rows)
{
	const char *x = tm_path_base(a->path), *y = tm_path_base(b->path);
	enum tm_format_holds holds = tm_reader_facts(a->format).holds;

	if (a->bytes && a->bytes == b->bytes)
		return true;
	return rows && holds != TM_HOLDS_ASIDE && holds != TM_HOLDS_GPUS &&
	       (!a->bytes || !b->bytes || tm_content_packed(x, y) || tm_content_packed(y, x));
}

/* A hash of each row, added up: the order of rows does not matter, so neither do ranges. */
bool tm_content_add(struct tm_content_names *c, const struct tm_batch *b, uint64_t *sum)
{
	uint64_t h[TM_BATCH_ROWS];
	tm_ev_set cols = b->some & tm_content_cols;
	const bool counter = b->kind == TM_EV_COUNTER;

	/* Older readers knew no bytes of kernels. */
	if (b->kind == TM_EV_DISPATCH)
		cols &= ~TM_EV_BIT(TM_EVC_BYTES);
	if (!tm_grow_array(&c->v, &c->cap, b->names->n, sizeof *c->v))
		return false;
	for (; c->n < b->names->n; c->n++)
		c->v[c->n] = tm_hash_stable(TM_HASH_STABLE, b->names->v[c->n].text,
		                            b->names->v[c->n].len);
	for (uint32_t i = 0; i < b->n; i++)
		h[i] = (uint64_t)b->kind + 1;
	for (int col = 0; col < TM_EVC_N; col++) {
		if (!(cols & TM_EV_BIT(col)))
			continue;
		for (uint32_t i = 0; i < b->n; i++) {
			uint64_t v;

			if (!tm_batch_has(b, i, (enum tm_ev_col)col))
				continue;
			/* Older readers gave samples over time no length. */
			v = b->col[counter && col == TM_EVC_END && !tm_batch_has(b, i, TM_EVC_NAME)
			                   ? TM_EVC_START
			                   : col][i];
			h[i] = mix(h[i], tm_ev_of_type(TM_EVT_NAME) & TM_EV_BIT(col)
			                         ? c->v[v]
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
	*(struct tm_contents *)acc = (struct tm_contents) { 0 };
	return true;
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct tm_contents *c = acc;

	tm_content_reset(&c->names);
	if (!tm_grow_array(&c->v, &c->cap, c->n + 1, sizeof *c->v))
		return false;
	/* Without a table: goes on with the one before, which is in another accumulator. */
	c->v[c->n] = (struct tm_content) { .table = p->more ? NULL : strdup(p->id.table),
		                           .path = p->more ? NULL : strdup(p->id.path),
		                           .bytes = p->id.bytes };
	c->n++;
	return p->more || (c->v[c->n - 1].table && c->v[c->n - 1].path);
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct tm_contents *c = acc;
	struct tm_content *of = &c->v[c->n - 1];

	of->events += b->n;
	return tm_content_add(&c->names, b, &of->hash);
}

static bool merge(void *into, void *acc)
{
	struct tm_contents *c = into, *from = acc;

	for (size_t i = 0; i < from->n; i++) {
		if (!from->v[i].table && c->n) {
			c->v[c->n - 1].events += from->v[i].events;
			c->v[c->n - 1].hash += from->v[i].hash;
			continue;
		}
		if (!tm_grow_array(&c->v, &c->cap, c->n + 1, sizeof *c->v))
			return false;
		c->v[c->n++] = from->v[i];
		from->v[i].table = from->v[i].path = NULL;
	}
	return true;
}

static void fini(void *acc)
{
	struct tm_contents *c = acc;

	for (size_t i = 0; i < c->n; i++) {
		free(c->v[i].table);
		free(c->v[i].path);
	}
	free(c->v);
	tm_content_fini(&c->names);
}

const struct tm_event_sink tm_content_sink = {
	.size = sizeof(struct tm_contents),
	.init = init,
	.piece = piece,
	.take = take,
	.merge = merge,
	.fini = fini,
};
