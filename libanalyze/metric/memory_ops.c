/* SPDX-License-Identifier: MIT
 * What was held at the peak, by the operators and regions that allocated it. */
#include "metric/memory_parts.h"

#include <stdlib.h>

enum { OPS_RANK, OPS_AGENT, OPS_PATH, OPS_BLOCKS, OPS_BYTES, OPS_PCT, OPS_N };

const struct tm_column tm_memory_ops_columns[] = {
	[OPS_RANK] = { .name = "rank",
	               .title = "RANK",
	               .unit = TM_UNIT_ID,
	               .about = "rank of the process" },
	[OPS_AGENT] = { .name = "agent",
	                .title = "AGENT",
	                .unit = TM_UNIT_TEXT,
	                .about = "agent that holds it" },
	[OPS_PATH] = { .name = "path",
	               .title = "PATH",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true,
	               .about = "regions and operators around the allocation, outermost first; "
	                        "(unattributed) for the rest" },
	[OPS_BLOCKS] = { .name = "blocks",
	                 .title = "BLOCKS",
	                 .unit = TM_UNIT_COUNT,
	                 .about = "blocks allocated at the peak" },
	[OPS_BYTES] = { .name = "bytes",
	                .title = "BYTES",
	                .unit = TM_UNIT_BYTES,
	                .about = "sum of their sizes" },
	[OPS_PCT] = { .name = "pct",
	              .title = "PCT",
	              .unit = TM_UNIT_PCT,
	              .bar = true,
	              .about = "share of the peak of the agent" },
	[OPS_N] = { 0 },
};

/* A row: the blocks of a holder that were allocated at a path. */
struct at_path {
	const struct holder *h;
	uint32_t path;
	uint64_t blocks;
	tm_u128 bytes;
};

enum { AT_HOLDER, AT_PATH, AT_WORDS };

struct by_path {
	struct memory *m;
	struct tm_names texts;
	struct tm_groups keys; /* place of the holder, path */
	struct at_path *v;     /* of each */
	size_t cap;
	struct tm_buf text, joined;
	struct tm_stack_place place;
	struct tm_stack_path path;
};

/* What was around the allocation, in texts; TM_NAME_NONE when out of memory. */
static uint32_t path_of(struct by_path *f, const struct tm_stack_rank *r, const struct record *v)
{
	const uint64_t *who = who_of(f->m, v);
	size_t thread = who[WHO_HAS] & HAS_TID
	                        ? tm_stack_thread_find(r, who[WHO_HAS] & HAS_PID, who[WHO_PID],
	                                               true, who[WHO_TID])
	                        : SIZE_MAX;

	f->path.n = 0;
	if (thread != SIZE_MAX) {
		tm_stack_at(r, thread, v->start, &f->place);
		tm_stack_path(r, &f->place, &f->path);
	}
	tm_buf_clear(&f->joined);
	for (size_t i = 0; i < f->path.n; i++) {
		if (!tm_stack_label_text(r->s, f->path.label[i], &f->text))
			return TM_NAME_NONE;
		if (i)
			tm_buf_chr(&f->joined, ';');
		tm_buf_add(&f->joined, f->text.p ? f->text.p : "", f->text.n);
	}
	if (!f->path.n)
		tm_buf_str(&f->joined, "(unattributed)");
	return f->joined.failed ? TM_NAME_NONE : tm_names_add(&f->texts, f->joined.p, f->joined.n);
}

static bool add_block(struct by_path *f, const struct replay *p, const struct tm_stack_rank *r,
                      const struct block *b)
{
	uint32_t path = path_of(f, r, b->r), i;
	const uint64_t key[AT_WORDS] = { (uint64_t)(b->h - p->h), path };
	bool fresh;

	if (path == TM_NAME_NONE)
		return false;
	i = tm_groups_item(&f->keys, key, &f->v, &f->cap, sizeof *f->v, &fresh);
	if (i == TM_GROUP_NONE)
		return false;
	if (fresh)
		f->v[i] = (struct at_path) { .h = b->h, .path = path };
	f->v[i].blocks++;
	f->v[i].bytes += b->r->bytes;
	return true;
}

/* Most bytes first. */
static int by_bytes(const void *pa, const void *pb, void *arg)
{
	const struct at_path *a = pa, *b = pb;
	const struct by_path *f = arg;
	int c = cmp_holder(a->h, b->h);

	if (!c && a->bytes != b->bytes)
		c = a->bytes > b->bytes ? -1 : 1;
	return c ? c : tm_name_cmp(&f->texts.v[a->path], &f->texts.v[b->path]);
}

static bool put_path(struct tm_table *t, const struct by_path *f, const struct at_path *v,
                     struct tm_report *rep)
{
	struct tm_cell *cell = tm_table_row(t);

	if (!cell)
		return false;
	cell[OPS_RANK] = tm_cell_u64(v->h->rank);
	cell[OPS_AGENT] = tm_work_agent_cell(t, v->h->has_agent, v->h->agent);
	cell[OPS_PATH] = tm_table_own(t, f->texts.v[v->path].text, f->texts.v[v->path].len);
	cell[OPS_BLOCKS] = tm_cell_u64(v->blocks);
	cell[OPS_BYTES] = tm_work_sum_cell(v->bytes, "bytes", rep);
	cell[OPS_PCT] = tm_work_pct(v->bytes, v->h->peak);
	return true;
}

/* Blocks come by rank, as the ranks of the stack do. */
static bool place_blocks(struct by_path *f, const struct replay *p, const struct block *list,
                         size_t n)
{
	size_t thread = 0, track = 0, i = 0;
	bool done = false, ok = tm_stack_settle(&f->m->s);
	static const struct tm_stack_rank none;

	while (ok && i < n) {
		struct tm_stack_rank r = none;

		if (!done && !tm_stack_rank_next(&r, &f->m->s, &thread, &track, &done))
			ok = done;
		for (; ok && i < n && (done || list[i].h->rank <= tm_stack_rank_of(&r)); i++) {
			bool here = !done && list[i].h->rank == tm_stack_rank_of(&r);

			ok = add_block(f, p, here ? &r : &none, &list[i]);
		}
		tm_stack_rank_fini(&r);
	}
	return ok;
}

bool tm_memory_fill_paths(struct replay *p, struct tm_table *t, struct tm_report *rep)
{
	struct by_path f = { .m = p->m, .keys = { .words = AT_WORDS } };
	struct block *list = NULL;
	size_t n = 0;
	bool ok = tm_memory_blocks(p, &list, &n) && place_blocks(&f, p, list, n);

	if (ok && f.keys.n)
		qsort_r(f.v, f.keys.n, sizeof *f.v, by_bytes, &f);
	for (uint32_t i = 0; ok && i < f.keys.n; i++)
		ok = put_path(t, &f, &f.v[i], rep);
	if (f.place.deep)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "more than %d operators were open at a time: only the innermost %d "
		              "are shown",
		              TM_STACK_DEPTH, TM_STACK_DEPTH);
	free(list);
	free(f.v);
	tm_groups_fini(&f.keys);
	tm_names_fini(&f.texts);
	tm_buf_fini(&f.text);
	tm_buf_fini(&f.joined);
	return ok;
}
