/* SPDX-License-Identifier: MIT
 * What was copied, which way, how fast, and how much of it did nothing hide?
 *
 *     exposed = union of the copies of a row, less the kernels of the agents involved
 *
 * communication kernels included, kernels that only wait not.  Involved are source and destination;
 * where the device at either end is not known, or numbered otherwise than those of the kernels, all
 * agents of the rank.
 *
 * Fills count, as a direction of their own.  Blind to copies that the runtime does with kernels:
 * those are dispatches, and a note counts them. */
#include "work/work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	COL_RANK,
	COL_DIRECTION,
	COL_SRC,
	COL_DST,
	COL_CALLS,
	COL_BYTES,
	COL_TOTAL,
	COL_UNION,
	COL_EXPOSED,
	COL_RATE,
	COL_N,
};

static const struct tm_column columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .unit = TM_UNIT_ID,
	               .about = "rank of the process" },
	[COL_DIRECTION] = { .name = "direction",
	                    .title = "DIRECTION",
	                    .unit = TM_UNIT_TEXT,
	                    .about = "direction, or fill" },
	[COL_SRC] = { .name = "src",
	              .title = "FROM",
	              .unit = TM_UNIT_TEXT,
	              .about = "source agent" },
	[COL_DST] = { .name = "dst",
	              .title = "TO",
	              .unit = TM_UNIT_TEXT,
	              .about = "destination agent" },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = TM_UNIT_COUNT,
	                .about = "copies that start inside the window" },
	[COL_BYTES] = { .name = "bytes",
	                .title = "BYTES",
	                .unit = TM_UNIT_BYTES,
	                .about = "total size, where recorded" },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = TM_UNIT_NS,
	                .spare = 1,
	                .about = "total duration" },
	[COL_UNION] = { .name = "union_ns",
	                .title = "BUSY",
	                .unit = TM_UNIT_NS,
	                .about = "at least one was running" },
	[COL_EXPOSED] = { .name = "exposed_ns",
	                  .title = "EXPOSED",
	                  .unit = TM_UNIT_NS,
	                  .about = "one ran, but no kernel on its agents (waiting kernels aside)" },
	[COL_RATE] = { .name = "gb_per_s",
	               .title = "GB/S",
	               .unit = TM_UNIT_RATIO,
	               .about = "bytes / sum of durations, 1 GB = 1e9 bytes" },
	[COL_N] = { 0 },
};

enum way { TO_DEVICE, FROM_DEVICE, BETWEEN_DEVICES, ON_HOST, FILL, OTHER, WAYS };

static const char *const way_text[WAYS] = {
	[TO_DEVICE] = "host_to_device",
	[FROM_DEVICE] = "device_to_host",
	[BETWEEN_DEVICES] = "device_to_device",
	[ON_HOST] = "host_to_host",
	[FILL] = "fill",
	[OTHER] = NULL, /* the producer does not say */
};

enum { KEY_RANK, KEY_WAY, KEY_SRC, KEY_DST, KEY_HAS, KEY_WORDS };
enum { HAS_SRC = 1, HAS_DST = 2 };

/* The copies of one row. */
struct group {
	uint64_t key[KEY_WORDS];
	struct tm_intervals op;            /* overlap the window */
	uint64_t calls, sized;             /* start inside it; with a size */
	tm_u128 bytes, total, sized_total; /* of those */
};

struct copies {
	struct tm_work w; /* the kernels */
	bool sizes;       /* some copy has one, inside the window or not */
	struct tm_groups keys;
	struct group *g; /* keys.n of them, until they are sorted */
	size_t cap;

	/* the piece being read */
	unsigned char *way; /* of each of its names, + 1 */
	size_t way_cap, nway;
	size_t last; /* group */
};

static bool init(void *acc, const void *arg)
{
	struct copies *c = acc;

	*c = (struct copies) { .keys = { .words = KEY_WORDS } };
	return tm_work_init(&c->w, arg, 0);
}

static void fini(void *acc)
{
	struct copies *c = acc;

	for (uint32_t i = 0; i < c->keys.n; i++)
		tm_intervals_fini(&c->g[i].op);
	free(c->g);
	free(c->way);
	tm_groups_fini(&c->keys);
	tm_work_fini(&c->w);
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	(void)o;
	return tm_work_want(0) | TM_EV_BIT(TM_EVC_BYTES);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct copies *c = acc;

	c->nway = 0;
	return tm_work_piece(&c->w, p);
}

/* ---- taking in ---- */

static enum way way_of_text(const struct tm_name *nm)
{
	const char *text = tm_copy_direction(nm->text, nm->len);

	for (int i = 0; text && i < WAYS; i++)
		if (way_text[i] && !strcmp(way_text[i], text))
			return (enum way)i;
	return strcasestr(nm->text, "fill") || strcasestr(nm->text, "memset") ? FILL : OTHER;
}

static bool know_ways(struct copies *c, const struct tm_names *names)
{
	if (names->n <= c->nway)
		return true;
	if (!tm_grow_array(&c->way, &c->way_cap, names->n, sizeof *c->way))
		return false;
	for (size_t i = c->nway; i < names->n; i++)
		c->way[i] = 0;
	c->nway = names->n;
	return true;
}

static struct group *group_of(struct copies *c, const uint64_t *key)
{
	bool fresh;
	uint32_t i;

	if (c->last < c->keys.n && !memcmp(c->g[c->last].key, key, sizeof c->g->key))
		return &c->g[c->last];
	i = tm_groups_item(&c->keys, key, &c->g, &c->cap, sizeof *c->g, &fresh);
	if (i == TM_GROUP_NONE)
		return NULL;
	if (fresh)
		memcpy(c->g[i].key, key, sizeof c->g->key);
	c->last = i;
	return &c->g[i];
}

static void set_agent(uint64_t *key, const struct tm_batch *b, uint32_t i, enum tm_ev_col col,
                      int part, unsigned has)
{
	if (key[KEY_HAS] & has || !tm_batch_has(b, i, col))
		return;
	key[part] = b->col[col][i];
	key[KEY_HAS] |= has;
}

static bool take_copy(struct copies *c, const struct tm_batch *b, uint32_t i)
{
	uint64_t start = b->col[TM_EVC_START][i], end = b->col[TM_EVC_END][i],
	         key[KEY_WORDS] = { 0 };
	uint32_t name = (uint32_t)b->col[TM_EVC_NAME][i];
	const struct tm_extent *w = &c->w.window;
	struct group *g;
	enum way way;

	c->sizes |= tm_batch_has(b, i, TM_EVC_BYTES);
	if (start >= w->hi || (end <= w->lo && start < w->lo))
		return true;
	if (!c->way[name])
		c->way[name] = (unsigned char)(way_of_text(&b->names->v[name]) + 1);
	way = (enum way)(c->way[name] - 1);
	key[KEY_RANK] = c->w.rank;
	key[KEY_WAY] = way;
	set_agent(key, b, i, TM_EVC_SRC, KEY_SRC, HAS_SRC);
	set_agent(key, b, i, TM_EVC_DST, KEY_DST, HAS_DST);
	/* A producer that names one agent means the device. */
	if (way == FROM_DEVICE)
		set_agent(key, b, i, TM_EVC_AGENT, KEY_SRC, HAS_SRC);
	if (way == TO_DEVICE || way == FILL)
		set_agent(key, b, i, TM_EVC_AGENT, KEY_DST, HAS_DST);
	g = group_of(c, key);
	if (!g || !tm_intervals_add(&g->op, start, end, 0, 0))
		return false;
	if (start < w->lo)
		return true;
	g->calls++;
	g->total += end - start;
	if (tm_batch_has(b, i, TM_EVC_BYTES)) {
		g->sized++;
		g->bytes += b->col[TM_EVC_BYTES][i];
		g->sized_total += end - start;
	}
	return true;
}

static bool take(void *acc, const struct tm_batch *b)
{
	const tm_ev_set need = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) |
	                       TM_EV_BIT(TM_EVC_END);
	struct copies *c = acc;

	if (b->kind != TM_EV_COPY)
		return tm_work_take(&c->w, b);
	if (!know_ways(c, b->names))
		return false;
	c->w.seen[TM_DOMAIN_COPY] += b->n;
	for (uint32_t i = 0; i < b->n; i++)
		if (!tm_batch_has_all(b, i, need))
			c->w.untimed++;
		else if (!take_copy(c, b, i))
			return false;
	return true;
}

static bool merge(void *into, void *acc)
{
	struct copies *c = into, *from = acc;

	for (uint32_t i = 0; i < from->keys.n; i++) {
		struct group *f = &from->g[i];
		struct group *g = group_of(c, f->key);

		if (!g || !tm_intervals_move(&g->op, &f->op, NULL))
			return false;
		g->calls += f->calls;
		g->sized += f->sized;
		g->bytes += f->bytes;
		g->total += f->total;
		g->sized_total += f->sized_total;
	}
	c->sizes |= from->sizes;
	return tm_work_merge(&c->w, &from->w);
}

/* ---- the answer ---- */

/* Absent agents first. */
static int cmp_agent(const struct group *a, const struct group *b, int part, unsigned has)
{
	bool ha = a->key[KEY_HAS] & has, hb = b->key[KEY_HAS] & has;

	return ha != hb ? (ha ? 1 : -1) : tm_u64_cmp(a->key[part], b->key[part]);
}

static int by_key(const void *pa, const void *pb)
{
	const struct group *a = pa, *b = pb;
	int c = tm_u64_cmp(a->key[KEY_RANK], b->key[KEY_RANK]);

	if (!c)
		c = tm_u64_cmp(a->key[KEY_WAY], b->key[KEY_WAY]);
	if (!c)
		c = cmp_agent(a, b, KEY_SRC, HAS_SRC);
	return c ? c : cmp_agent(a, b, KEY_DST, HAS_DST);
}

/* The ends at which a device must be for its kernels to be found. */
static unsigned device_ends(const struct group *g)
{
	static const unsigned ends[WAYS] = {
		[TO_DEVICE] = HAS_DST,
		[FROM_DEVICE] = HAS_SRC,
		[BETWEEN_DEVICES] = HAS_SRC | HAS_DST,
		[FILL] = HAS_DST,
		[OTHER] = HAS_SRC | HAS_DST,
	};

	return ends[g->key[KEY_WAY]];
}

static bool other_numbering(uint64_t end, uint64_t agent)
{
	return end >> 32 != agent >> 32 && end >> 32 != TM_AGENT_CPU;
}

/* Can it be told whether the copies concern this agent?  rocprof-sys, for one, numbers the agents
 * of kernels otherwise than those of copies. */
static bool comparable(const struct group *g, const struct tm_work_track *t)
{
	unsigned ends = device_ends(g);

	return t->has_agent && (g->key[KEY_HAS] & ends) == ends &&
	       !(ends & HAS_SRC && other_numbering(g->key[KEY_SRC], t->agent)) &&
	       !(ends & HAS_DST && other_numbering(g->key[KEY_DST], t->agent));
}

/* ---- what hides copies ---- */

/* Kernels of agents, each as a union that is made when it is asked for.  Very many pairs of agents
 * must not each look at the kernels of all of a rank. */
struct hiders {
	struct tm_work *w;
	struct tm_cover *of; /* of w->track, each */
	uint64_t rank;       /* whose tracks these are: */
	size_t from, to;
	/* Of those that cannot be compared with an end of that numbering, TM_AGENT_CPU asking for
	 * none; and of all. */
	struct tm_cover rest[TM_AGENT_CPU + 1][TM_AGENT_CPU + 1], all;
	bool unknown; /* there was one that cannot be compared */
};

static void fini_rests(struct hiders *h)
{
	for (int s = 0; s <= TM_AGENT_CPU; s++)
		for (int d = 0; d <= TM_AGENT_CPU; d++)
			tm_cover_fini(&h->rest[s][d]);
	tm_cover_fini(&h->all);
}

static void hiders_fini(struct hiders *h)
{
	for (size_t i = 0; h->of && i < h->w->ntrack; i++)
		tm_cover_fini(&h->of[i]);
	free(h->of);
	fini_rests(h);
}

/* Groups come in the order of their ranks. */
static void turn_to_rank(struct hiders *h, uint64_t rank)
{
	if (h->rank != rank) {
		fini_rests(h);
		h->from = h->to;
		h->rank = rank;
	}
	while (h->from < h->w->ntrack && h->w->track[h->from].rank < rank)
		h->from++;
	h->to = h->to < h->from ? h->from : h->to;
	while (h->to < h->w->ntrack && h->w->track[h->to].rank == rank)
		h->to++;
}

/* NULL when out of memory. */
static const struct tm_cover *cover_of_track(struct hiders *h, size_t i)
{
	struct tm_work_track *t = &h->w->track[i];
	struct tm_cover *c = &h->of[i];
	bool ok = true;

	if (c->made)
		return c;
	c->made = true;
	for (int k = 0; ok && k < TM_WORK_DISPATCHES; k++)
		ok = k == TM_WORK_SPIN || tm_cover_take(c, &t->op[k]);
	return ok && tm_cover_finish(c) ? c : NULL;
}

/* The kernels of agents that cannot be compared with the ends of these copies.  NULL when out of
 * memory. */
static const struct tm_cover *cover_of_rest(struct hiders *h, const struct group *g)
{
	unsigned ends = device_ends(g);
	uint64_t src = ends & HAS_SRC ? g->key[KEY_SRC] >> 32 : TM_AGENT_CPU,
	         dst = ends & HAS_DST ? g->key[KEY_DST] >> 32 : TM_AGENT_CPU;
	struct tm_cover *c = (g->key[KEY_HAS] & ends) == ends ? &h->rest[src][dst] : &h->all;

	if (c->made)
		return c;
	c->made = true;
	for (size_t i = h->from; i < h->to; i++) {
		const struct tm_cover *of;

		if (comparable(g, &h->w->track[i]))
			continue;
		h->unknown = true;
		of = cover_of_track(h, i);
		if (!of || !tm_cover_copy(c, of))
			return NULL;
	}
	return tm_cover_finish(c) ? c : NULL;
}

/* The track of an agent of the rank; h->to = it has none. */
static size_t track_of_agent(const struct hiders *h, uint64_t agent)
{
	const struct tm_work_track *t = h->w->track;
	size_t lo = h->from, hi = h->to;

	TM_BISECT(lo, hi, mid, !t[mid].has_agent || t[mid].agent < agent);
	return lo < h->to && t[lo].has_agent && t[lo].agent == agent ? lo : h->to;
}

/* The kernels that hide copies of g, in out[0] to out[n - 1]; 0 when out of memory. */
static size_t hiding(struct hiders *h, const struct group *g,
                     const struct tm_cover *out[TM_COVER_ANY])
{
	static const struct {
		unsigned has;
		int part;
	} ends[] = { { HAS_SRC, KEY_SRC }, { HAS_DST, KEY_DST } };
	size_t n = 0;

	turn_to_rank(h, g->key[KEY_RANK]);
	out[n++] = cover_of_rest(h, g);
	for (int i = 0; out[n - 1] && i < 2; i++) {
		size_t t = g->key[KEY_HAS] & ends[i].has ? track_of_agent(h, g->key[ends[i].part])
		                                         : h->to;

		if (t < h->to && (n == 1 || out[1] != &h->of[t]))
			out[n++] = cover_of_track(h, t);
	}
	return out[n - 1] ? n : 0;
}

/* Time inside the window during which copies of g were under way, and that during which kernels ran
 * as well.  False when out of memory. */
static bool measure(struct hiders *h, struct group *g, uint64_t *under_way, uint64_t *hidden)
{
	const struct tm_cover *c[TM_COVER_ANY];
	size_t n = hiding(h, g, c);
	struct tm_extent window;
	uint64_t edge;

	tm_metric_window(h->w->o, g->key[KEY_RANK], &window);
	tm_intervals_sort(&g->op, NULL);
	*under_way = *hidden = 0;
	edge = window.lo;
	for (size_t i = 0; n && i < g->op.n; i++) {
		uint64_t lo = tm_interval_start(&g->op, i), hi = tm_interval_end(&g->op, i);

		lo = lo > edge ? lo : edge;
		hi = hi < window.hi ? hi : window.hi;
		if (lo >= hi)
			continue;
		*under_way += hi - lo;
		*hidden += tm_cover_any(c, n, lo, hi);
		edge = hi;
	}
	return n != 0;
}

static bool fill_row(struct hiders *h, struct group *g, struct tm_table *t, struct tm_report *rep)
{
	const char *way = way_text[g->key[KEY_WAY]];
	uint64_t under_way, hidden;
	struct tm_cell *cell;

	if (!measure(h, g, &under_way, &hidden))
		return false;
	cell = tm_table_row(t);
	if (!cell)
		return false;
	cell[COL_RANK] = tm_cell_u64(g->key[KEY_RANK]);
	if (way)
		cell[COL_DIRECTION] = tm_cell_text(way, strlen(way));
	cell[COL_SRC] = tm_work_agent_cell(t, g->key[KEY_HAS] & HAS_SRC, g->key[KEY_SRC]);
	cell[COL_DST] = tm_work_agent_cell(t, g->key[KEY_HAS] & HAS_DST, g->key[KEY_DST]);
	cell[COL_CALLS] = tm_cell_u64(g->calls);
	cell[COL_TOTAL] = tm_work_sum_cell(g->total, "durations", rep);
	cell[COL_UNION] = tm_cell_u64(under_way);
	cell[COL_EXPOSED] = tm_cell_u64(under_way - hidden);
	if (!g->sized)
		return true;
	cell[COL_BYTES] = tm_work_sum_cell(g->bytes, "bytes", rep);
	/* Bytes a nanosecond are GB a second. */
	if (g->sized_total <= UINT64_MAX)
		cell[COL_RATE] = tm_cell_ratio((uint64_t)(g->bytes >> 64), (uint64_t)g->bytes,
		                               (uint64_t)g->sized_total);
	return true;
}

/* Copies that are not in the table. */
static void tell_blits(const struct tm_work *w, struct tm_report *rep)
{
	uint64_t us = w->blit_ns / 1000 > UINT64_MAX ? UINT64_MAX : (uint64_t)(w->blit_ns / 1000);

	if (w->blits)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "%" PRIu64
		        " dispatch%s of class memory (copies and fills done by kernels), %" PRIu64
		        ".%03" PRIu64 " ms, %s not included: see kstats top",
		        w->blits, w->blits == 1 ? "" : "es", us / 1000, us % 1000,
		        w->blits == 1 ? "is" : "are");
}

static void tell(const struct copies *c, uint64_t calls, uint64_t sized, bool unknown,
                 struct tm_report *rep)
{
	if (calls && !sized)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              c->sizes ? "no copy inside the window has a size"
		              : c->w.o->selected
		                      ? "no selected copy has a size"
		                      : "the input has no sizes (rocprofv3 writes them in "
		                        "pftrace and rocpd output, not in CSV)");
	else if (sized < calls)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64
		              " copies without a size: bytes and gb_per_s exclude them",
		              calls - sized, calls);
	if (!c->w.seen[TM_DOMAIN_KERNEL])
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "no kernels %s: all copying counts as exposed",
		              tm_metric_where(c->w.o, false));
	else if (unknown)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "agents of copies and kernels cannot be compared: any such kernel of "
		              "the rank counts as hiding copies");
	tell_blits(&c->w, rep);
	tm_work_tell(&c->w, rep);
}

/* A store of others has copies too, which are in groups of their own here. */
static void drop_copies(struct tm_work *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->ntrack; i++) {
		struct tm_work_track *t = &w->track[i];
		bool worked = false;

		tm_intervals_fini(&t->op[TM_WORK_COPY]);
		for (int k = 0; k < TM_WORK_DISPATCHES; k++)
			worked |= t->op[k].n != 0;
		if (worked)
			w->track[n++] = *t;
	}
	w->ntrack = n;
	w->host_copies = 0;
}

/* Where there is a window, tracks of no kernel inside it cannot be told from those of none. */
static struct tm_work *work(void *acc)
{
	struct copies *c = acc;

	return c->w.o->windowed ? NULL : &c->w;
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct copies *c = acc;
	struct hiders h = { .w = &c->w };
	uint64_t calls = 0, sized = 0;
	bool ok;

	tm_table_init_list(t, columns);
	if (!tm_work_settle(&c->w))
		return TM_ST_FATAL;
	if (c->w.lender)
		drop_copies(&c->w);
	if (c->keys.n)
		qsort(c->g, c->keys.n, sizeof *c->g, by_key);
	h.of = calloc(c->w.ntrack + 1, sizeof *h.of);
	ok = h.of != NULL;
	for (uint32_t i = 0; ok && i < c->keys.n; i++)
		ok = fill_row(&h, &c->g[i], t, rep);
	hiders_fini(&h);
	for (uint32_t i = 0; i < c->keys.n; i++) {
		calls += c->g[i].calls;
		sized += c->g[i].sized;
	}
	if (!ok || !tm_state_rows(o->state, t) || !tm_work_state(&c->w, o->state))
		return TM_ST_FATAL;
	tm_state_add(o->state, &calls);
	tm_state_add(o->state, &sized);
	h.unknown = tm_state_sum(o->state, h.unknown) != 0;
	if (t->nrows) {
		tell(c, calls, sized, h.unknown, rep);
		return TM_ST_OK;
	}
	tell_blits(&c->w, rep);
	tm_work_explain_nothing(&c->w, "copies (rocprofv3 records them with --memory-copy-trace)",
	                        rep);
	return TM_ST_END;
}

static const struct tm_metric_view views[] = { { .columns = columns }, { 0 } };

const struct tm_metric tm_metric_copies = {
	.name = "copies",
	.about = "copies: direction, speed, hidden or exposed",
	.group = "What is copied, what is allocated?",
	.examples = "kstats copies results.db\n"
	            "kstats copies -n 0 -f csv run.db\n",
	.views = views,
	.sink = { .size = sizeof(struct copies),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini },
	.whole = TM_WHOLE_AGENTS,
	.state = 1,
	.want = want,
	.work = work,
	.fill = fill,
};
