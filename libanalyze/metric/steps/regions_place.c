/* SPDX-License-Identifier: MIT
 * The regions of one rank, and the work that was launched in each. */
#include "metric/steps/regions.h"

#include <stdlib.h>
#include <string.h>

static struct tm_intervals *frames_of(const struct regions *g, size_t thread)
{
	return &g->s->thread[thread].frame[TM_STACK_FRAMES];
}

static bool is_region(const struct regions *g, uint32_t label)
{
	return g->s->label[label].kind == TM_STACK_ANNOTATION;
}

static bool is_asked(const struct regions *g, uint64_t at)
{
	return at >= g->asked.lo && at < g->asked.hi;
}

/* ---- which there are ---- */

/* The text of a label without its numbers, in g->texts; TM_NAME_NONE when out of memory. */
static uint32_t text_of(struct regions *g, uint32_t label)
{
	uint32_t id;

	if (g->text_of[label])
		return g->text_of[label] - 1;
	if (!tm_stack_label_text(g->s, label, &g->buf))
		return TM_NAME_NONE;
	id = tm_names_add(&g->texts, g->buf.p ? g->buf.p : "", g->buf.n);
	if (id != TM_NAME_NONE)
		g->text_of[label] = id + 1;
	return id;
}

/* A region that was not there, below its parent. */
static bool make_region(struct regions *g, uint32_t at, size_t thread, uint32_t parent,
                        uint32_t text)
{
	const struct tm_name *nm = &g->texts.v[text];
	struct region *r = &g->region[at];

	*r = (struct region) {
		.thread = thread, .parent = parent, .text = text, .first = UINT64_MAX
	};
	if (!tm_fold_ranges_add(&g->ranges, nm->text, nm->len, &r->range, &r->nrange))
		return false;
	g->nregion++;
	if (parent == REGION_NONE)
		return true;
	r->depth = g->region[parent].depth + 1;
	if (g->region[parent].last_child)
		g->region[g->region[parent].last_child - 1].next = at + 1;
	else
		g->region[parent].child = at + 1;
	g->region[parent].last_child = at + 1;
	return true;
}

/* The numbers of a range's text, for those of its region. */
static void widen(struct regions *g, const struct region *r, uint32_t label)
{
	const struct tm_name *nm = &g->s->names.v[g->s->label[label].name];

	tm_fold_ranges_widen(&g->ranges, r->range, r->nrange, nm->text, nm->len);
}

/* The region of that text below another on a thread; REGION_NONE when out of memory. */
static uint32_t region_of(struct regions *g, size_t thread, uint32_t parent, uint32_t label)
{
	const uint32_t text = text_of(g, label);
	const uint64_t key[2] = { thread,
		                  (uint64_t)(parent + 1) << 32 | text }; /* REGION_NONE + 1 is 0 */
	bool fresh;
	uint32_t at;

	if (text == TM_NAME_NONE)
		return REGION_NONE;
	at = tm_groups_item(&g->keys, key, &g->region, &g->region_cap, sizeof *g->region, &fresh);
	if (at == TM_GROUP_NONE || (fresh && !make_region(g, at, thread, parent, text)))
		return REGION_NONE;
	return at;
}

/* The path of n ranges around a frame, innermost first: its regions, of which those that no range
 * has to itself are made.  REGION_NONE when out of memory. */
static uint32_t path_of(struct regions *g, size_t thread, uint32_t i, const uint32_t *around,
                        uint32_t n)
{
	const struct tm_intervals *s = frames_of(g, thread);
	const bool asked = is_asked(g, tm_interval_start(s, i));
	uint32_t at = REGION_NONE;

	while (n--) {
		const uint32_t label = tm_interval_name(s, around[n]);

		at = region_of(g, thread, at, label);
		if (at == REGION_NONE)
			return REGION_NONE;
		if (asked)
			widen(g, &g->region[at], label);
	}
	return at;
}

/* The region around frame i of a thread, REGION_NONE: there is none.  False when out of memory. */
static bool find_parent(struct regions *g, size_t thread, uint32_t i, uint32_t *parent)
{
	const uint32_t *one = g->one + g->first[thread - g->r.thread_from];
	uint32_t around[TM_STACK_DEPTH], further[TM_STACK_DEPTH], n;
	bool deep = false;

	*parent = REGION_NONE;
	n = tm_stack_around(g->s, thread, i, around, &deep);
	if (!n) {
		g->deep |= deep;
		return true;
	}
	*parent = g->occurrence[one[around[0]] - 1].region;
	/* Where ranges nest, those around it are the innermost of them and those around that. */
	if (n == 1 || tm_stack_around(g->s, thread, around[0], further, &deep) + 1 == n || deep)
		return true;
	*parent = path_of(g, thread, i, around, n);
	return *parent != REGION_NONE;
}

/* Frame i of a thread is a range of some region. */
static bool add_range(struct regions *g, size_t thread, uint32_t i, uint32_t label)
{
	const struct tm_intervals *s = frames_of(g, thread);
	uint32_t *one = g->one + g->first[thread - g->r.thread_from], parent, at;

	if (!find_parent(g, thread, i, &parent))
		return false;
	at = region_of(g, thread, parent, label);
	if (at == REGION_NONE)
		return false;
	g->occurrence[g->noccurrence++] = (struct region_occurrence) { .region = at,
		                                                       .thread = (uint32_t)thread,
		                                                       .frame = i };
	one[i] = (uint32_t)g->noccurrence;
	if (is_asked(g, tm_interval_start(s, i))) {
		g->region[at].count++;
		g->region[at].host += tm_interval_dur(s, i);
		widen(g, &g->region[at], label);
	}
	return true;
}

/* Room for what is known of each frame, and of each range. */
static bool make_room(struct regions *g)
{
	size_t frames = 0, ranges = 0;

	g->first = calloc(g->r.thread_to - g->r.thread_from + 1, sizeof *g->first);
	for (size_t t = g->r.thread_from; g->first && t < g->r.thread_to; t++) {
		const struct tm_intervals *s = frames_of(g, t);

		g->first[t - g->r.thread_from] = frames;
		frames += s->n;
		for (size_t i = 0; i < s->n; i++)
			ranges += is_region(g, tm_interval_name(s, i));
	}
	if (!g->first || ranges >= UINT32_MAX)
		return false;
	g->one = calloc(frames + 1, sizeof *g->one);
	g->occurrence = calloc(ranges + 1, sizeof *g->occurrence);
	g->sorted = calloc(ranges + 1, sizeof *g->sorted);
	g->gpu = calloc(ranges + 1, sizeof *g->gpu);
	if (g->list)
		g->nkernel = calloc(ranges + 1, sizeof *g->nkernel);
	return g->one && g->occurrence && g->sorted && g->gpu && (!g->list || g->nkernel);
}

static bool find_ranges(struct regions *g)
{
	if (!make_room(g))
		return false;
	for (size_t t = g->r.thread_from; t < g->r.thread_to; t++) {
		const struct tm_intervals *s = frames_of(g, t);

		for (uint32_t i = 0; i < s->n; i++) {
			uint32_t label = tm_interval_name(s, i);

			if (!is_region(g, label))
				continue;
			g->loose |= !g->s->thread[t].has_tid;
			if (!add_range(g, t, i, label))
				return false;
		}
	}
	return true;
}

/* Occurrences that count, those of a region together. */
static void sort_occurrences(struct regions *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->nregion; i++) {
		g->region[i].at = n;
		n += g->region[i].count;
	}
	for (uint32_t i = 0; i < g->noccurrence; i++) {
		const struct region_occurrence *o = &g->occurrence[i];

		if (is_asked(g, tm_interval_start(frames_of(g, o->thread), o->frame)))
			g->sorted[g->region[o->region].at++] = i;
	}
	for (size_t i = 0; i < g->nregion; i++)
		g->region[i].at -= g->region[i].count;
}

/* ---- work ---- */

struct op {
	uint64_t start, end, number; /* number: from 1 */
	bool kernel, counts;
};

static void add_op(struct regions *g, struct region *r, const struct op *op, bool self)
{
	uint64_t lo = op->start > g->asked.lo ? op->start : g->asked.lo;
	uint64_t hi = op->end < g->asked.hi ? op->end : g->asked.hi;

	if (lo < hi) {
		uint64_t from = lo > r->cover ? lo : r->cover;

		r->busy += hi > from ? hi - from : 0;
		r->cover = hi > r->cover ? hi : r->cover;
	}
	if (!op->counts)
		return;
	r->total += op->end - op->start;
	r->kernels += op->kernel;
	r->first = op->start < r->first ? op->start : r->first;
	r->last = op->end > r->last ? op->end : r->last;
	if (!self)
		return;
	r->self += op->end - op->start;
	r->ops++;
}

static void add_to_one(struct regions *g, size_t one, const struct op *op)
{
	uint64_t ns = op->end - op->start, *gpu = &g->gpu[one];

	*gpu = ns > UINT64_MAX - *gpu ? UINT64_MAX : *gpu + ns;
	if (g->list)
		g->nkernel[one] += op->kernel;
}

/* The regions that are open get it; the innermost of them is returned, REGION_NONE = there is none.
 */
static uint32_t add_to_open(struct regions *g, const struct op *op)
{
	uint32_t inner = REGION_NONE;

	for (size_t k = 0; k < g->place.n; k++) {
		const struct tm_stack_frame *f = &g->place.open[k];
		uint32_t one = g->one[g->first[f->thread - g->r.thread_from] + f->frame];
		struct region_occurrence *o = one ? &g->occurrence[one - 1] : NULL;
		bool self = inner == REGION_NONE;

		if (!o)
			continue;
		if (op->counts)
			add_to_one(g, one - 1, op);
		/* Another range of the same region may hold it, too. */
		if (g->region[o->region].seen == op->number)
			continue;
		inner = self ? o->region : inner;
		g->region[o->region].seen = op->number;
		add_op(g, &g->region[o->region], op, self);
	}
	return inner;
}

/* Why it is in no region, where only others were open. */
static enum tm_stack_how outside(const struct tm_stack_place *p)
{
	if (p->how >= TM_STACK_PLACED)
		return p->how;
	return p->graph ? TM_STACK_GRAPH_OUTSIDE : TM_STACK_OUTSIDE;
}

static bool place(struct regions *g, const struct tm_stack_track *t, size_t i)
{
	struct op op = { .start = tm_interval_start(&t->op, i),
		         .end = tm_interval_end(&t->op, i),
		         .kernel = !t->copies };
	uint32_t inner;

	op.counts = is_asked(g, op.start);
	op.number = ++g->looked;
	if (!tm_stack_find(&g->r, t, i, &g->place))
		return false;
	inner = add_to_open(g, &op);
	if (inner == REGION_NONE)
		add_op(g, &g->outside[outside(&g->place)], &op, true);
	if (!op.counts)
		return true;
	g->ops++;
	g->all += op.end - op.start;
	g->lost_ns += inner == REGION_NONE ? op.end - op.start : 0;
	g->by_time += g->place.how == TM_STACK_BY_TIME || g->place.how == TM_STACK_NO_LAUNCH;
	return !g->kernels ||
	       tm_region_kernels_add(g, inner, outside(&g->place), tm_interval_name(&t->op, i),
	                             t->copies, op.end - op.start);
}

/* The operations of a track in order of start: the track's list if it is sorted, otherwise a copy
 * in *own, tagged with the places in that list, which other questions may be reading. */
static const struct tm_intervals *in_order(const struct tm_stack_track *t, struct tm_intervals *own)
{
	if (t->op.sorted)
		return &t->op;
	for (size_t i = 0; i < t->op.n; i++)
		if (!tm_intervals_add(own, tm_interval_start(&t->op, i), tm_interval_end(&t->op, i),
		                      i, 0))
			return NULL;
	tm_intervals_sort(own, NULL);
	return own;
}

/* All operations in the order in which they start. */
static bool place_all(struct regions *g)
{
	size_t n = g->r.track_to - g->r.track_from;
	struct tm_stack_track *t = n ? &g->s->track[g->r.track_from] : NULL;
	struct tm_intervals *own = calloc(n + 1, sizeof *own);
	const struct tm_intervals **list = calloc(n + 1, sizeof(struct tm_intervals *));
	const struct tm_merged_list *next;
	struct tm_merged m = { 0 };
	bool ok = own && list;

	for (size_t i = 0; ok && i < n; i++) {
		list[i] = in_order(&t[i], &own[i]);
		ok = list[i] != NULL;
	}
	ok = ok && tm_merged_init(&m, list, n, NULL);
	for (; ok && (next = tm_merged_at(&m)); tm_merged_step(&m))
		ok = place(g, &t[next->number],
		           next->list == &t[next->number].op
		                   ? next->i
		                   : tm_interval_tag(next->list, next->i));
	tm_merged_fini(&m);
	for (size_t i = 0; own && i < n; i++)
		tm_intervals_fini(&own[i]);
	free(own);
	free(list);
	return ok;
}

static bool keep_lost(struct regions *g, uint64_t rank)
{
	for (int how = 0; how < TM_STACK_HOWS; how++) {
		if (!g->outside[how].ops && !g->outside[how].busy)
			continue;
		if (!tm_grow_array(&g->lost, &g->lost_cap, g->nlost + 1, sizeof *g->lost))
			return false;
		g->lost[g->nlost++] = (struct region_lost) { .rank = rank,
			                                     .how = (enum tm_stack_how)how,
			                                     .r = g->outside[how] };
	}
	return true;
}

bool tm_regions_next(struct regions *g, size_t *at_thread, size_t *at_track, bool *done)
{
	uint64_t rank;
	bool ok;

	g->keys = (struct tm_groups) { .words = 2 };
	if (!tm_stack_rank_next(&g->r, g->s, at_thread, at_track, done))
		return false;
	rank = tm_stack_rank_of(&g->r);
	tm_metric_window(g->o, rank, &g->asked);
	for (int how = 0; how < TM_STACK_HOWS; how++)
		g->outside[how] = (struct region) { .first = UINT64_MAX };
	ok = find_ranges(g);
	if (ok)
		sort_occurrences(g);
	ok = ok && place_all(g) && keep_lost(g, rank);
	if (g->r.track_from < g->r.track_to) {
		g->ranks++;
		g->rank = rank;
	} else if (g->nregion) {
		g->no_work++;
	}
	g->deep |= g->place.deep;
	if (g->kernels)
		tm_region_kernels_rank(g->kernels);
	return ok;
}

void tm_regions_rank_fini(struct regions *g)
{
	tm_stack_rank_fini(&g->r);
	tm_groups_fini(&g->keys);
	free(g->first);
	free(g->one);
	free(g->occurrence);
	free(g->sorted);
	free(g->gpu);
	free(g->nkernel);
	free(g->region);
	tm_fold_ranges_fini(&g->ranges);
	g->first = NULL;
	g->one = g->sorted = NULL;
	g->occurrence = NULL;
	g->region = NULL;
	g->gpu = g->nkernel = NULL;
	g->noccurrence = 0;
	g->nregion = g->region_cap = 0;
}
