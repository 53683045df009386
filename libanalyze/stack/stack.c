/* SPDX-License-Identifier: MIT */
#include "stack/stack.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define TIMED (EV_BIT(EVC_START) | EV_BIT(EVC_END))

enum { HAS_PID = 1, HAS_TID = 2, HAS_EXTERNAL = 4, COPIES = 8 };
enum { THREAD_WORDS = 4, TRACK_WORDS = 3 };

/* What a name of the piece was found to be, once. */
struct stack_seen {
	uint32_t label[STACK_PYTHON + 1]; /* + 1 */
	bool asked_type, asked_call;
	bool graph;   /* a call that launches a graph */
	uint8_t kind; /* of a type: enum stack_kind + 1, 0 = of no frame */
};

ev_set stack_want(void)
{
	return TIMED | EV_BIT(EVC_NAME) | EV_BIT(EVC_DOMAIN) | EV_BIT(EVC_PID) | EV_BIT(EVC_TID) |
	       EV_BIT(EVC_CORR) | EV_BIT(EVC_TYPE) | EV_BIT(EVC_EXTERNAL);
}

bool stack_init(struct stack *s, const struct stack_opts *o)
{
	*s = (struct stack) { .o = o,
		              .labels = { .words = 2 },
		              .threads = { .words = THREAD_WORDS },
		              .tracks = { .words = TRACK_WORDS } };
	return true;
}

void stack_fini(void *acc)
{
	struct stack *s = acc;

	for (size_t i = 0; i < s->nthread; i++) {
		for (int k = 0; k < STACK_LISTS; k++)
			intervals_fini(&s->thread[i].frame[k]);
		for (int k = 0; k < STACK_APIS; k++)
			intervals_fini(&s->thread[i].call[k]);
	}
	for (size_t i = 0; i < s->ntrack; i++) {
		intervals_fini(&s->track[i].op);
		intervals_fini(&s->track[i].external);
	}
	free(s->thread);
	free(s->track);
	free(s->label);
	free(s->order);
	free(s->seen);
	names_fini(&s->names);
	groups_fini(&s->labels);
	groups_fini(&s->threads);
	groups_fini(&s->tracks);
}

bool stack_piece(void *acc, const struct piece *p)
{
	struct stack *s = acc;

	s->rank = p->rank;
	s->nseen = 0;
	s->o->window(s->o->arg, p->rank, &s->window);
	return true;
}

/* ---- whose ---- */

static struct stack_thread *thread_of(struct stack *s, uint64_t rank, const uint64_t *pid,
                                      const uint64_t *tid)
{
	uint64_t key[THREAD_WORDS] = { rank, pid ? *pid : 0, tid ? *tid : 0,
		                       (pid ? HAS_PID : 0) | (tid ? HAS_TID : 0) };
	bool fresh;
	uint32_t i;

	if (s->last_thread < s->nthread &&
	    !memcmp(s->threads.key + s->last_thread * THREAD_WORDS, key, sizeof key))
		return &s->thread[s->last_thread];
	i = groups_item(&s->threads, key, &s->thread, &s->thread_cap, sizeof *s->thread, &fresh);
	if (i == GROUP_NONE)
		return NULL;
	if (fresh)
		s->thread[s->nthread++] = (struct stack_thread) { .rank = rank,
			                                          .pid = key[1],
			                                          .tid = key[2],
			                                          .has_pid = pid != NULL,
			                                          .has_tid = tid != NULL };
	s->last_thread = i;
	return &s->thread[i];
}

static struct stack_track *track_of(struct stack *s, uint64_t rank, const uint64_t *pid,
                                    bool external, bool copies)
{
	uint64_t key[TRACK_WORDS] = { rank, pid ? *pid : 0,
		                      (pid ? HAS_PID : 0) | (external ? HAS_EXTERNAL : 0) |
		                              (copies ? COPIES : 0) };
	bool fresh;
	uint32_t i;

	if (s->last_track < s->ntrack &&
	    !memcmp(s->tracks.key + s->last_track * TRACK_WORDS, key, sizeof key))
		return &s->track[s->last_track];
	i = groups_item(&s->tracks, key, &s->track, &s->track_cap, sizeof *s->track, &fresh);
	if (i == GROUP_NONE)
		return NULL;
	if (fresh)
		s->track[s->ntrack++] = (struct stack_track) { .rank = rank,
			                                       .pid = key[1],
			                                       .has_pid = pid != NULL,
			                                       .has_external = external,
			                                       .copies = copies };
	s->last_track = i;
	return &s->track[i];
}

/* ---- names ---- */

static bool see_names(struct stack *s, uint32_t n)
{
	if (n <= s->nseen)
		return true;
	if (!grow_array(&s->seen, &s->seen_cap, n, sizeof *s->seen))
		return false;
	memset(s->seen + s->nseen, 0, (n - s->nseen) * sizeof *s->seen);
	s->nseen = n;
	return true;
}

static uint32_t add_label(struct stack *s, enum stack_kind kind, uint32_t name)
{
	const uint64_t key[] = { kind, name };
	bool fresh;
	uint32_t i = groups_item(&s->labels, key, &s->label, &s->label_cap, sizeof *s->label,
	                         &fresh);

	if (i != GROUP_NONE && fresh)
		s->label[i] = (struct stack_label) { .kind = kind, .name = name };
	return i;
}

/* The label of a frame whose text is a name of the piece; GROUP_NONE when out of memory. */
static uint32_t label_of(struct stack *s, const struct names *names, uint32_t id,
                         enum stack_kind kind)
{
	const struct name *nm = &names->v[id];
	uint32_t own, label;

	if (s->seen[id].label[kind])
		return s->seen[id].label[kind] - 1;
	own = names_add(&s->names, nm->text, nm->len);
	if (own == NAME_NONE)
		return GROUP_NONE;
	label = add_label(s, kind, own);
	if (label != GROUP_NONE)
		s->seen[id].label[kind] = label + 1;
	return label;
}

/* What rows of a producer's category are. */
static uint8_t kind_of_type(const struct name *type)
{
	static const struct {
		const char *text;
		enum stack_kind kind;
	} kinds[] = {
		{ "cpu_op", STACK_OPERATOR },
		{ "Operator", STACK_OPERATOR } /* up to torch 1.10 */,
		{ "python_function", STACK_PYTHON },
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(kinds[i].text, type->text))
			return (uint8_t)(kinds[i].kind + 1);
	return 0;
}

/* A pattern that ends with '*' stands for all names that begin so. */
static bool name_like(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);

	return pattern[n - 1] == '*' ? !strncmp(pattern, name, n - 1) : !strcmp(pattern, name);
}

static bool launches_graph(const char *name)
{
	static const struct {
		bool graph;
		const char *name;
	} launches[] = {
#define CALL_KERNEL        false
#define CALL_GRAPH         true
#define LAUNCH(kind, name) { CALL_##kind, name },
#include "schemas/launch_calls.def"
#undef LAUNCH
#undef CALL_KERNEL
#undef CALL_GRAPH
	};

	for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
		if (launches[i].graph && name_like(launches[i].name, name))
			return true;
	return false;
}

/* ---- rows ---- */

static const uint64_t *cell_of(const struct batch *b, uint32_t i, enum ev_col c)
{
	return batch_has(b, i, c) ? &b->col[c][i] : NULL;
}

static bool take_op(struct stack *s, const struct batch *b, uint32_t i, bool copy)
{
	uint64_t start = b->col[EVC_START][i], end = b->col[EVC_END][i];
	const uint64_t *corr = cell_of(b, i, EVC_CORR), *external = cell_of(b, i, EVC_EXTERNAL);
	struct stack_track *t;

	if (start < s->window.lo || start >= s->window.hi)
		return true;
	/* Kineto writes 0 where it linked nothing. */
	if (external && !*external)
		external = NULL;
	t = track_of(s, s->rank, cell_of(b, i, EVC_PID), external != NULL, copy);
	/* No call has correlation id 0: the profilers count from 1. */
	return t && intervals_add(&t->op, start, end, corr ? *corr : 0, 0) &&
	       (!external || intervals_add(&t->external, *external, *external, 0, 0));
}

static bool take_call(struct stack *s, const struct batch *b, uint32_t i, enum stack_api api)
{
	const uint64_t *corr = cell_of(b, i, EVC_CORR);
	uint32_t id = (uint32_t)b->col[EVC_NAME][i];
	struct stack_thread *t = thread_of(s, s->rank, cell_of(b, i, EVC_PID),
	                                   cell_of(b, i, EVC_TID));

	if (!t)
		return false;
	t->calls[api]++;
	if (!corr || !*corr)
		return true;
	if (!s->seen[id].asked_call) {
		s->seen[id].graph = launches_graph(b->names->v[id].text);
		s->seen[id].asked_call = true;
	}
	return intervals_add(&t->call[api], b->col[EVC_START][i], b->col[EVC_END][i], *corr,
	                     s->seen[id].graph);
}

static bool take_frame(struct stack *s, const struct batch *b, uint32_t i, enum stack_kind kind)
{
	const uint64_t *external = cell_of(b, i, EVC_EXTERNAL);
	uint64_t start = b->col[EVC_START][i], end = b->col[EVC_END][i];
	struct stack_thread *t;
	uint32_t label;

	/* A mark holds nothing. */
	if (kind == STACK_ANNOTATION && start == end)
		return true;
	t = thread_of(s, s->rank, cell_of(b, i, EVC_PID), cell_of(b, i, EVC_TID));
	label = label_of(s, b->names, (uint32_t)b->col[EVC_NAME][i], kind);
	return t && label != GROUP_NONE &&
	       intervals_add(&t->frame[kind == STACK_PYTHON ? STACK_FUNCTIONS : STACK_FRAMES],
	                     start, end, external ? *external : 0, label);
}

/* A row of a domain of its own: its producer says what it is, or nobody knows. */
static bool take_other(struct stack *s, const struct batch *b, uint32_t i)
{
	uint32_t type;

	if (!batch_has(b, i, EVC_TYPE))
		return true;
	type = (uint32_t)b->col[EVC_TYPE][i];
	if (!s->seen[type].asked_type) {
		s->seen[type].kind = kind_of_type(&b->names->v[type]);
		s->seen[type].asked_type = true;
	}
	return !s->seen[type].kind ||
	       take_frame(s, b, i, (enum stack_kind)(s->seen[type].kind - 1));
}

static bool take_row(struct stack *s, const struct batch *b, uint32_t i, enum domain d)
{
	switch (d) {
	case DOMAIN_KERNEL:
		return !s->o->dispatches || take_op(s, b, i, false);
	case DOMAIN_COPY:
		return !s->o->copies || take_op(s, b, i, true);
	case DOMAIN_HIP:
		return take_call(s, b, i, STACK_HIP);
	case DOMAIN_HSA:
		return take_call(s, b, i, STACK_HSA);
	case DOMAIN_MARKER:
		return take_frame(s, b, i, STACK_ANNOTATION);
	case DOMAIN_OTHER:
		return take_other(s, b, i);
	default:
		return true;
	}
}

bool stack_take(void *acc, const struct batch *b)
{
	struct stack *s = acc;
	const uint64_t *dom = b->some & EV_BIT(EVC_DOMAIN) ? b->col[EVC_DOMAIN] : NULL;
	const ev_set need = TIMED | EV_BIT(EVC_NAME);

	s->stats += b->kind == EV_STAT || b->kind == EV_ROLLUP ? b->n : 0;
	s->counters += b->kind == EV_COUNTER ? b->n : 0;
	if (b->kind != EV_DISPATCH && b->kind != EV_COPY && b->kind != EV_API)
		return true;
	if (!see_names(s, b->names->n))
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		enum domain d = dom && batch_has(b, i, EVC_DOMAIN) ? (enum domain)dom[i]
		                                                   : ev_kind_domain(b->kind);

		if ((b->has & need) != need && (b->row_has[i] & need & ~b->has) != (need & ~b->has))
			s->untimed++;
		else if (!take_row(s, b, i, d))
			return false;
	}
	return true;
}

/* ---- merging ---- */

/* Labels of `from` as ours; NULL when out of memory. */
static uint32_t *translate(struct stack *s, const struct stack *from)
{
	uint32_t *map = malloc(((size_t)from->labels.n + 1) * sizeof *map);

	for (uint32_t i = 0; map && i < from->labels.n; i++) {
		const struct name *nm = &from->names.v[from->label[i].name];
		uint32_t name = names_add(&s->names, nm->text, nm->len);

		map[i] = name == NAME_NONE ? GROUP_NONE : add_label(s, from->label[i].kind, name);
		if (map[i] == GROUP_NONE) {
			free(map);
			return NULL;
		}
	}
	return map;
}

static bool merge_thread(struct stack *s, struct stack_thread *f, const uint32_t *map)
{
	struct stack_thread *t = thread_of(s, f->rank, f->has_pid ? &f->pid : NULL,
	                                   f->has_tid ? &f->tid : NULL);
	bool ok = t != NULL;

	for (int k = 0; ok && k < STACK_LISTS; k++)
		ok = intervals_move(&t->frame[k], &f->frame[k], map);
	for (int k = 0; ok && k < STACK_APIS; k++) {
		t->calls[k] += f->calls[k];
		ok = intervals_move(&t->call[k], &f->call[k], NULL);
	}
	return ok;
}

static bool merge_track(struct stack *s, struct stack_track *f)
{
	struct stack_track *t = track_of(s, f->rank, f->has_pid ? &f->pid : NULL, f->has_external,
	                                 f->copies);

	/* Both stay in the order in which they came, so that they still belong together. */
	return t && intervals_move(&t->op, &f->op, NULL) &&
	       intervals_move(&t->external, &f->external, NULL);
}

bool stack_merge(void *into, void *acc)
{
	struct stack *s = into, *from = acc;
	uint32_t *map = translate(s, from);
	bool ok = map != NULL;

	for (size_t i = 0; ok && i < from->nthread; i++)
		ok = merge_thread(s, &from->thread[i], map);
	for (size_t i = 0; ok && i < from->ntrack; i++)
		ok = merge_track(s, &from->track[i]);
	s->untimed += from->untimed;
	s->stats += from->stats;
	s->counters += from->counters;
	free(map);
	return ok;
}

/* ---- when all is there ---- */

static int cmp_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Absent first. */
static int cmp_part(bool has_a, uint64_t a, bool has_b, uint64_t b)
{
	return has_a != has_b ? (has_a ? 1 : -1) : cmp_u64(a, b);
}

static int by_thread(const void *pa, const void *pb)
{
	const struct stack_thread *a = pa, *b = pb;
	int c = cmp_u64(a->rank, b->rank);

	if (!c)
		c = cmp_part(a->has_pid, a->pid, b->has_pid, b->pid);
	return c ? c : cmp_part(a->has_tid, a->tid, b->has_tid, b->tid);
}

static int by_track(const void *pa, const void *pb)
{
	const struct stack_track *a = pa, *b = pb;
	int c = cmp_u64(a->rank, b->rank);

	if (!c)
		c = cmp_part(a->has_pid, a->pid, b->has_pid, b->pid);
	if (!c)
		c = cmp_u64(a->has_external, b->has_external);
	return c ? c : cmp_u64(a->copies, b->copies);
}

/* Of frames with the same ends annotations are outside, so their labels come first. */
static int by_label(const void *pa, const void *pb, void *arg)
{
	const struct stack *s = arg;
	const struct stack_label *a = &s->label[*(const uint32_t *)pa],
	                         *b = &s->label[*(const uint32_t *)pb];
	bool inner_a = a->kind == STACK_OPERATOR, inner_b = b->kind == STACK_OPERATOR;

	if (inner_a != inner_b)
		return inner_a ? 1 : -1;
	return name_cmp(&s->names.v[a->name], &s->names.v[b->name]);
}

static bool order_labels(struct stack *s)
{
	uint32_t *ids = malloc(((size_t)s->labels.n + 1) * sizeof *ids);

	free(s->order);
	s->order = malloc(((size_t)s->labels.n + 1) * sizeof *s->order);
	for (uint32_t i = 0; ids && i < s->labels.n; i++)
		ids[i] = i;
	if (ids && s->order) {
		if (s->labels.n)
			qsort_r(ids, s->labels.n, sizeof *ids, by_label, s);
		for (uint32_t i = 0; i < s->labels.n; i++)
			s->order[ids[i]] = i;
	}
	free(ids);
	return ids && s->order;
}

bool stack_settle(struct stack *s)
{
	if (s->nthread)
		qsort(s->thread, s->nthread, sizeof *s->thread, by_thread);
	if (s->ntrack)
		qsort(s->track, s->ntrack, sizeof *s->track, by_track);
	return s->nthread < UINT32_MAX / 2 && order_labels(s);
}
