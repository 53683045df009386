/* SPDX-License-Identifier: MIT */
#include "stack/stack.h"

#include "base/base.h"
#include "stack/thread.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TIMED (TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END))

enum {
	HAS_PID = 1,
	HAS_TID = 2,
	HAS_EXTERNAL = 4,
	COPIES = 8,
	HAS_AGENT = 16,
	HAS_QUEUE = 32,
	HAS_STREAM = 64
};
enum { THREAD_WORDS = 4, TRACK_WORDS = 7 };

/* What tells tracks apart. */
struct track_like {
	uint64_t rank, pid, tid, agent, queue, stream;
	bool has_pid, has_tid, has_external, copies, has_agent, has_queue, has_stream;
};

/* What a name of the piece was found to be, once. */
struct tm_stack_seen {
	uint32_t label[TM_STACK_PYTHON + 1]; /* without inputs, + 1 */
	uint32_t own;                        /* the same text in stack.names, + 1 */
	uint32_t told; /* of an operation of that name: its last key, by number in told, + 1 */
	bool asked_type, asked_call;
	bool graph;   /* a call that launches a graph */
	uint8_t kind; /* of a type: enum tm_stack_kind + 1, 0 = of no frame */
};

tm_ev_set tm_stack_want(const struct tm_stack_opts *o)
{
	return TIMED | TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_DOMAIN) | TM_EV_BIT(TM_EVC_PID) |
	       TM_EV_BIT(TM_EVC_TID) | TM_EV_BIT(TM_EVC_CORR) | TM_EV_BIT(TM_EVC_TYPE) |
	       TM_EV_BIT(TM_EVC_EXTERNAL) | (o->inputs ? TM_EV_BIT(TM_EVC_INPUTS) : 0) |
	       (o->values ? TM_EV_BIT(TM_EVC_VALUES) : 0) | o->named_want |
	       (o->pairs ? TM_EV_BIT(TM_EVC_SEQUENCE) | TM_EV_BIT(TM_EVC_FORWARD) : 0) |
	       (o->bytes ? TM_EV_BIT(TM_EVC_BYTES) : 0);
}

bool tm_stack_init(struct tm_stack *s, const struct tm_stack_opts *o)
{
	*s = (struct tm_stack) { .o = o,
		                 .marks = o->annotations,
		                 .functions = !o->annotations,
		                 .tids = o->by_time,
		                 .labels = { .words = 3 },
		                 .threads = { .words = THREAD_WORDS },
		                 .tracks = { .words = TRACK_WORDS },
		                 .told = { .words = TM_STACK_KEY } };
	return true;
}

/* What it borrowed goes with the lender. */
static void give_back(struct tm_stack *s)
{
	s->names = (struct tm_names) { 0 };
	s->labels = (struct tm_groups) { .words = s->labels.words };
	s->label = NULL;
	s->order = NULL;
	s->thread = NULL;
	s->nthread = 0;
	s->track = NULL;
	s->ntrack = 0;
	s->lent = false;
}

void tm_stack_thread_fini(struct tm_stack_thread *t)
{
	for (int k = 0; k < TM_STACK_LISTS; k++)
		tm_intervals_fini(&t->frame[k]);
	for (int k = 0; k < TM_STACK_APIS; k++)
		tm_intervals_fini(&t->call[k]);
	tm_intervals_fini(&t->pair);
}

void tm_stack_fini(void *acc)
{
	struct tm_stack *s = acc;

	if (s->lent)
		give_back(s);
	for (size_t i = 0; i < s->nkept; i++)
		tm_stack_rank_fini(&s->kept[i]);
	free(s->kept);
	free(s->sum_at);
	for (size_t i = 0; i < s->nthread; i++)
		tm_stack_thread_fini(&s->thread[i]);
	for (size_t i = 0; i < s->ntrack; i++) {
		tm_intervals_fini(&s->track[i].op);
		tm_words_fini(&s->track[i].external);
		tm_intervals_fini(&s->track[i].bytes);
	}
	free(s->thread);
	free(s->track);
	free(s->label);
	free(s->order);
	free(s->seen);
	free(s->told_name);
	free(s->kernel);
	free(s->key);
	tm_buf_fini(&s->text);
	tm_names_fini(&s->names);
	tm_groups_fini(&s->labels);
	tm_groups_fini(&s->threads);
	tm_groups_fini(&s->tracks);
	tm_groups_fini(&s->told);
	tm_whose_fini(&s->whose);
}

bool tm_stack_piece(void *acc, const struct tm_piece *p)
{
	struct tm_stack *s = acc;

	s->rank = p->id.rank;
	s->nseen = 0;
	tm_whose_piece(&s->whose, p);
	tm_groups_fini(&s->told);
	s->o->window(s->o->arg, p->id.rank, &s->window);
	return true;
}

/* ---- whose ---- */

static struct tm_stack_thread *thread_of(struct tm_stack *s, uint64_t rank, bool has_pid,
                                         uint64_t pid, const uint64_t *tid)
{
	uint64_t key[THREAD_WORDS] = { rank, pid, tid ? *tid : 0,
		                       (has_pid ? HAS_PID : 0) | (tid ? HAS_TID : 0) };
	uint32_t i = tm_groups_recent(&s->threads, key, THREAD_WORDS);
	bool fresh = false;

	if (i == TM_GROUP_NONE)
		i = tm_groups_item(&s->threads, key, &s->thread, &s->thread_cap, sizeof *s->thread,
		                   &fresh);
	if (i == TM_GROUP_NONE)
		return NULL;
	if (fresh)
		s->thread[s->nthread++] = (struct tm_stack_thread) { .rank = rank,
			                                             .pid = key[1],
			                                             .tid = key[2],
			                                             .has_pid = has_pid,
			                                             .has_tid = tid != NULL };
	return &s->thread[i];
}

static struct tm_stack_thread *thread_of_row(struct tm_stack *s, const struct tm_batch *b,
                                             uint32_t i)
{
	const uint64_t *pid = tm_batch_cell(b, i, TM_EVC_PID);

	return thread_of(s, s->rank, pid != NULL, pid ? *pid : s->whose.run,
	                 tm_batch_cell(b, i, TM_EVC_TID));
}

/* The track of such operations. */
static struct tm_stack_track *track_of(struct tm_stack *s, const struct track_like *like)
{
	const uint64_t key[TRACK_WORDS] = {
		like->rank,
		like->pid,
		like->tid,
		like->agent,
		like->queue,
		like->stream,
		(like->has_pid ? HAS_PID : 0) | (like->has_tid ? HAS_TID : 0) |
		        (like->has_external ? HAS_EXTERNAL : 0) | (like->copies ? COPIES : 0) |
		        (like->has_agent ? HAS_AGENT : 0) | (like->has_queue ? HAS_QUEUE : 0) |
		        (like->has_stream ? HAS_STREAM : 0)
	};
	uint32_t i = tm_groups_recent(&s->tracks, key, TRACK_WORDS);
	bool fresh = false;

	if (i == TM_GROUP_NONE)
		i = tm_groups_item(&s->tracks, key, &s->track, &s->track_cap, sizeof *s->track,
		                   &fresh);
	if (i == TM_GROUP_NONE)
		return NULL;
	if (fresh)
		s->track[s->ntrack++] = (struct tm_stack_track) {
			.rank = like->rank,
			.pid = like->pid,
			.tid = like->tid,
			.has_pid = like->has_pid,
			.has_tid = like->has_tid,
			.has_external = like->has_external,
			.copies = like->copies,
			.agent = like->agent,
			.queue = like->queue,
			.stream = like->stream,
			.has_agent = like->has_agent,
			.has_queue = like->has_queue,
			.has_stream = like->has_stream
		};
	return &s->track[i];
}

/* ---- names ---- */

static bool see_names(struct tm_stack *s, uint32_t n)
{
	return tm_grow_known(&s->seen, &s->nseen, &s->seen_cap, n, sizeof *s->seen);
}

static uint32_t add_label(struct tm_stack *s, const struct tm_stack_label *l)
{
	const uint64_t key[] = { (uint64_t)l->kind << 32 | l->name, l->inputs, l->values };
	bool fresh;
	uint32_t i = tm_groups_item(&s->labels, key, &s->label, &s->label_cap, sizeof *s->label,
	                            &fresh);

	if (i != TM_GROUP_NONE && fresh)
		s->label[i] = *l;
	return i;
}

/* A name of the piece in s->names; TM_NAME_NONE when out of memory. */
static uint32_t own_name(struct tm_stack *s, const struct tm_names *names, uint32_t id)
{
	if (!s->seen[id].own) {
		uint32_t own = tm_names_add(&s->names, names->v[id].text, names->v[id].len);

		if (own == TM_NAME_NONE)
			return TM_NAME_NONE;
		s->seen[id].own = own + 1;
	}
	return s->seen[id].own - 1;
}

/* Where a key was found last: of a few thousand keys, a name in some shapes each, most are found
 * there. */
static uint32_t *told_place(struct tm_stack *s, const uint64_t key[TM_STACK_KEY])
{
	uint64_t sum = 0, by = 1;

	for (uint64_t w = 0; w < TM_STACK_KEY; w++) {
		by *= UINT64_C(0x9e3779b97f4a7c15);
		sum += key[w] * by;
	}
	return &s->told_last[sum >> (64 - TM_STACK_TOLD_BITS)];
}

static bool is_told(const struct tm_stack *s, uint32_t k, const uint64_t key[TM_STACK_KEY])
{
	const uint64_t *of = s->told.key + (size_t)k * TM_STACK_KEY;
	uint64_t differ = 0;

	for (int w = 0; w < TM_STACK_KEY; w++)
		differ |= of[w] ^ key[w];
	return !differ;
}

/* The keys of a batch, once one of its rows is an operation.  False when out of memory. */
static bool find_keys(struct tm_stack *s, const struct tm_batch *b)
{
	if (!s->key)
		s->key = malloc(TM_BATCH_ROWS * sizeof *s->key);
	if (s->key)
		s->o->named_keys(b, s->key);
	return s->keyed = s->key != NULL;
}

/* Room in s->kernel for all names; those that are new have none. */
static bool kernel_room(struct tm_stack *s)
{
	const size_t old = s->kernel_cap;

	if (!tm_grow_array(&s->kernel, &s->kernel_cap, (size_t)s->names.n + 1, sizeof *s->kernel))
		return false;
	for (size_t i = old; i < s->kernel_cap; i++)
		s->kernel[i] = TM_NAME_NONE;
	return true;
}

/* Note which name an operation has that is told by another. */
static bool know_kernel(struct tm_stack *s, const struct tm_batch *b, uint32_t i, uint32_t told)
{
	const uint32_t own = own_name(s, b->names, (uint32_t)b->col[TM_EVC_NAME][i]);

	if (own == TM_NAME_NONE || !kernel_room(s))
		return false;
	s->kernel[told] = own;
	return true;
}

/* What an operation is told by, in s->names; TM_NAME_NONE when out of memory. */
static uint32_t name_of(struct tm_stack *s, const struct tm_batch *b, uint32_t i)
{
	struct tm_stack_seen *seen = &s->seen[b->col[TM_EVC_NAME][i]];
	const uint64_t *key;
	uint32_t k, own, *last;
	bool fresh;

	if (!s->o->named)
		return own_name(s, b->names, (uint32_t)b->col[TM_EVC_NAME][i]);
	if (!s->keyed && !find_keys(s, b))
		return TM_NAME_NONE;
	key = s->key[i];
	if (seen->told && is_told(s, seen->told - 1, key))
		return s->told_name[seen->told - 1];
	last = told_place(s, key);
	/* It may be of the piece before. */
	if (*last && *last <= s->told.n && is_told(s, *last - 1, key)) {
		seen->told = *last;
		return s->told_name[*last - 1];
	}
	k = tm_groups_item(&s->told, key, &s->told_name, &s->told_cap, sizeof *s->told_name,
	                   &fresh);
	if (k == TM_GROUP_NONE)
		return TM_NAME_NONE;
	*last = seen->told = k + 1;
	if (!fresh)
		return s->told_name[k];
	tm_buf_clear(&s->text);
	own = s->o->named(&s->text, b->names, key) ? tm_names_add(&s->names, s->text.p, s->text.n)
	                                           : TM_NAME_NONE;
	if (own != TM_NAME_NONE && s->lanes && !know_kernel(s, b, i, own))
		own = TM_NAME_NONE;
	return s->told_name[k] = own;
}

/* The label of a frame; TM_GROUP_NONE when out of memory. */
static uint32_t label_of(struct tm_stack *s, const struct tm_batch *b, uint32_t i,
                         enum tm_stack_kind kind)
{
	uint32_t id = (uint32_t)b->col[TM_EVC_NAME][i], label;
	struct tm_stack_label l = { .kind = kind, .inputs = TM_NAME_NONE, .values = TM_NAME_NONE };
	bool inputs = s->o->inputs && tm_batch_has(b, i, TM_EVC_INPUTS),
	     values = s->o->values && tm_batch_has(b, i, TM_EVC_VALUES);

	if (!inputs && !values && s->seen[id].label[kind])
		return s->seen[id].label[kind] - 1;
	l.name = own_name(s, b->names, id);
	if (inputs)
		l.inputs = own_name(s, b->names, (uint32_t)b->col[TM_EVC_INPUTS][i]);
	if (values)
		l.values = own_name(s, b->names, (uint32_t)b->col[TM_EVC_VALUES][i]);
	if (l.name == TM_NAME_NONE || (inputs && l.inputs == TM_NAME_NONE) ||
	    (values && l.values == TM_NAME_NONE))
		return TM_GROUP_NONE;
	label = add_label(s, &l);
	if (!inputs && !values && label != TM_GROUP_NONE)
		s->seen[id].label[kind] = label + 1;
	return label;
}

/* What rows of a producer's category are. */
static uint8_t kind_of_type(const struct tm_name *type)
{
	static const struct {
		const char *text;
		enum tm_stack_kind kind;
	} kinds[] = {
		{ "cpu_op", TM_STACK_OPERATOR },
		{ "Operator", TM_STACK_OPERATOR } /* up to torch 1.10 */,
		{ "python_function", TM_STACK_PYTHON },
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(kinds[i].text, type->text))
			return (uint8_t)(kinds[i].kind + 1);
	return 0;
}

/* ---- rows ---- */

/* Does it count, or is it at least asked for? */
static bool in_window(const struct tm_stack *s, uint64_t start, uint64_t end)
{
	return start < s->window.hi &&
	       (start >= s->window.lo || (s->o->overlapping && end > s->window.lo));
}

static bool take_op(struct tm_stack *s, const struct tm_batch *b, uint32_t i, bool copy)
{
	uint64_t start = b->col[TM_EVC_START][i], end = b->col[TM_EVC_END][i];
	const uint64_t *corr = tm_batch_cell(b, i, TM_EVC_CORR),
	               *external = tm_batch_cell(b, i, TM_EVC_EXTERNAL),
	               *pid = tm_batch_cell(b, i, TM_EVC_PID),
	               *bytes = tm_batch_cell(b, i, TM_EVC_BYTES),
	               *tid = s->tids ? tm_batch_cell(b, i, TM_EVC_TID) : NULL,
	               *agent = s->lanes ? tm_batch_cell(b, i, TM_EVC_AGENT) : NULL,
	               *queue = s->lanes ? tm_batch_cell(b, i, TM_EVC_QUEUE) : NULL,
	               *stream = s->lanes ? tm_batch_cell(b, i, TM_EVC_STREAM) : NULL;
	const struct track_like like = { .rank = s->rank,
		                         .pid = pid ? *pid : s->whose.run,
		                         .tid = tid ? *tid : 0,
		                         .has_pid = pid != NULL,
		                         .has_tid = tid != NULL,
		                         /* Kineto writes 0 where it linked nothing. */
		                         .has_external = external && *external,
		                         .copies = copy,
		                         .agent = agent ? *agent : 0,
		                         .queue = queue ? *queue : 0,
		                         .stream = stream ? *stream : 0,
		                         .has_agent = agent != NULL,
		                         .has_queue = queue != NULL,
		                         .has_stream = stream != NULL };
	struct tm_stack_track *t;
	uint32_t name = 0;

	t = track_of(s, &like);
	if (!t || !(copy ? s->o->copies : s->o->dispatches) || !in_window(s, start, end))
		return t != NULL; /* the rank has work, if not what is asked for */
	if (s->o->names)
		name = name_of(s, b, i);
	/* No call has correlation id 0: the profilers count from 1. */
	return name != TM_NAME_NONE &&
	       tm_intervals_add(&t->op, start, end, corr ? *corr : 0, name) &&
	       (!like.has_external || tm_words_add(&t->external, *external)) &&
	       (!s->o->bytes || tm_intervals_add(&t->bytes, bytes ? *bytes : 0, bytes ? *bytes : 0,
	                                         bytes != NULL, 0));
}

static bool take_call(struct tm_stack *s, const struct tm_batch *b, uint32_t i,
                      enum tm_stack_api api)
{
	const uint64_t *corr = tm_batch_cell(b, i, TM_EVC_CORR);
	uint32_t id = (uint32_t)b->col[TM_EVC_NAME][i];
	struct tm_stack_thread *t = thread_of_row(s, b, i);

	if (!t)
		return false;
	t->calls[api]++;
	if (!corr || !*corr)
		return true;
	if (!s->seen[id].asked_call) {
		s->seen[id].graph = tm_call_kind_of_text(b->names->v[id].text) == TM_CALL_GRAPH;
		s->seen[id].asked_call = true;
	}
	return tm_intervals_add(&t->call[api], b->col[TM_EVC_START][i], b->col[TM_EVC_END][i],
	                        *corr, s->seen[id].graph);
}

/* An operator that has a forward or backward one. */
static bool take_pair(struct tm_stack_thread *t, const struct tm_batch *b, uint32_t i)
{
	const uint64_t *sequence = tm_batch_cell(b, i, TM_EVC_SEQUENCE);
	const uint64_t *forward = tm_batch_cell(b, i, TM_EVC_FORWARD);
	uint32_t id = !forward ? 0 : *forward < UINT32_MAX ? (uint32_t)*forward : UINT32_MAX;

	return !sequence || tm_intervals_add(&t->pair, b->col[TM_EVC_START][i],
	                                     b->col[TM_EVC_END][i], *sequence, id);
}

static bool take_frame(struct tm_stack *s, const struct tm_batch *b, uint32_t i,
                       enum tm_stack_kind kind)
{
	const uint64_t *external = tm_batch_cell(b, i, TM_EVC_EXTERNAL);
	uint64_t start = b->col[TM_EVC_START][i], end = b->col[TM_EVC_END][i];
	struct tm_stack_thread *t;
	uint32_t label;

	t = thread_of_row(s, b, i);
	if (!t)
		return false;
	/* Its thread is one all the same: whose processes there are does not depend on what is
	 * asked. */
	if ((kind == TM_STACK_ANNOTATION && start == end && !s->marks) ||
	    (kind == TM_STACK_PYTHON && !s->functions))
		return true;
	label = label_of(s, b, i, kind);
	return label != TM_GROUP_NONE && (!s->o->pairs || take_pair(t, b, i)) &&
	       tm_intervals_add(
	               &t->frame[kind == TM_STACK_PYTHON ? TM_STACK_FUNCTIONS : TM_STACK_FRAMES],
	               start, end, external ? *external : 0, label);
}

/* A row of a domain of its own: its producer says what it is, or nobody knows. */
static bool take_other(struct tm_stack *s, const struct tm_batch *b, uint32_t i)
{
	uint32_t type;

	if (!tm_batch_has(b, i, TM_EVC_TYPE))
		return true;
	type = (uint32_t)b->col[TM_EVC_TYPE][i];
	if (!s->seen[type].asked_type) {
		s->seen[type].kind = kind_of_type(&b->names->v[type]);
		s->seen[type].asked_type = true;
	}
	return !s->seen[type].kind ||
	       take_frame(s, b, i, (enum tm_stack_kind)(s->seen[type].kind - 1));
}

static bool take_row(struct tm_stack *s, const struct tm_batch *b, uint32_t i, enum tm_domain d)
{
	switch (d) {
	case TM_DOMAIN_KERNEL:
		return take_op(s, b, i, false);
	case TM_DOMAIN_COPY:
		return take_op(s, b, i, true);
	case TM_DOMAIN_HIP:
		return take_call(s, b, i, TM_STACK_HIP);
	case TM_DOMAIN_HSA:
		return take_call(s, b, i, TM_STACK_HSA);
	case TM_DOMAIN_MARKER:
		return take_frame(s, b, i, TM_STACK_ANNOTATION);
	case TM_DOMAIN_OTHER:
		return take_other(s, b, i);
	default:
		return true;
	}
}

/* Columns that every row of a batch has; NULL = none has it, or it is not asked for. */
struct columns {
	const uint64_t *pid, *tid, *corr, *external, *agent, *queue, *stream;
	uint64_t has; /* of the key of a track or thread */
	bool one;     /* all rows are of one track */
};

static bool op_columns(const struct tm_stack *s, const struct tm_batch *b, struct columns *c)
{
	c->tid = c->agent = c->queue = c->stream = NULL;
	if (s->lanes && (!tm_batch_column(b, TM_EVC_AGENT, &c->agent) ||
	                 !tm_batch_column(b, TM_EVC_QUEUE, &c->queue) ||
	                 !tm_batch_column(b, TM_EVC_STREAM, &c->stream)))
		return false;
	if (s->o->bytes || !tm_batch_column(b, TM_EVC_PID, &c->pid) ||
	    (s->tids && !tm_batch_column(b, TM_EVC_TID, &c->tid)) ||
	    !tm_batch_column(b, TM_EVC_CORR, &c->corr) ||
	    !tm_batch_column(b, TM_EVC_EXTERNAL, &c->external))
		return false;
	c->has = (c->pid ? HAS_PID : 0) | (c->tid ? HAS_TID : 0) | (c->agent ? HAS_AGENT : 0) |
	         (c->queue ? HAS_QUEUE : 0) | (c->stream ? HAS_STREAM : 0);
	c->one = !c->external && tm_column_same(c->pid, b->n) && tm_column_same(c->tid, b->n) &&
	         tm_column_same(c->agent, b->n) && tm_column_same(c->queue, b->n) &&
	         tm_column_same(c->stream, b->n);
	return true;
}

static bool call_columns(const struct tm_batch *b, struct columns *c)
{
	if (!tm_batch_column(b, TM_EVC_PID, &c->pid) || !tm_batch_column(b, TM_EVC_TID, &c->tid) ||
	    !tm_batch_column(b, TM_EVC_CORR, &c->corr))
		return false;
	c->has = (c->pid ? HAS_PID : 0) | (c->tid ? HAS_TID : 0);
	return true;
}

static uint64_t at(const uint64_t *column, uint32_t i)
{
	return column ? column[i] : 0;
}

/* The track of row i, if it is known. */
static uint32_t known_track(const struct tm_stack *s, const struct columns *c, uint32_t i)
{
	const uint64_t key[TRACK_WORDS] = { s->rank,
		                            c->pid ? c->pid[i] : s->whose.run,
		                            at(c->tid, i),
		                            at(c->agent, i),
		                            at(c->queue, i),
		                            at(c->stream, i),
		                            c->has | (at(c->external, i) ? HAS_EXTERNAL : 0) };

	return tm_groups_recent(&s->tracks, key, TRACK_WORDS);
}

/* Kernels of such columns: what take_op does on tracks that are known. */
static bool take_kernels(struct tm_stack *s, const struct tm_batch *b, const struct columns *c)
{
	const uint64_t *start = b->col[TM_EVC_START], *end = b->col[TM_EVC_END];
	uint32_t track = TM_GROUP_NONE;

	for (uint32_t i = 0; i < b->n; i++) {
		const uint64_t external = at(c->external, i);
		struct tm_stack_track *t;
		uint32_t name;

		if (!c->one || track == TM_GROUP_NONE)
			track = known_track(s, c, i);
		if (track == TM_GROUP_NONE) {
			if (!take_op(s, b, i, false))
				return false;
			continue;
		}
		if (!s->o->dispatches || !in_window(s, start[i], end[i]))
			continue;
		t = &s->track[track];
		name = s->o->names ? name_of(s, b, i) : 0;
		if (name == TM_NAME_NONE ||
		    !tm_intervals_add(&t->op, start[i], end[i], at(c->corr, i), name) ||
		    (external && !tm_words_add(&t->external, external)))
			return false;
	}
	return true;
}

/* The same of calls that have an id, on threads that are known; all else is for take_row. */
static bool take_calls(struct tm_stack *s, const struct tm_batch *b, const struct columns *c)
{
	const uint64_t *start = b->col[TM_EVC_START], *end = b->col[TM_EVC_END],
	               *domain = b->col[TM_EVC_DOMAIN], *id = b->col[TM_EVC_NAME];

	for (uint32_t i = 0; i < b->n; i++) {
		const uint64_t key[THREAD_WORDS] = { s->rank, c->pid ? c->pid[i] : s->whose.run,
			                             at(c->tid, i), c->has };
		const bool call = domain[i] == TM_DOMAIN_HIP || domain[i] == TM_DOMAIN_HSA;
		enum tm_stack_api api = domain[i] == TM_DOMAIN_HIP ? TM_STACK_HIP : TM_STACK_HSA;
		uint32_t thread = tm_groups_recent(&s->threads, key, THREAD_WORDS);
		struct tm_stack_thread *t;

		if (!call || thread == TM_GROUP_NONE || !at(c->corr, i) ||
		    !s->seen[id[i]].asked_call) {
			if (!take_row(s, b, i, (enum tm_domain)domain[i]))
				return false;
			continue;
		}
		t = &s->thread[thread];
		t->calls[api]++;
		if (!tm_intervals_add(&t->call[api], start[i], end[i], c->corr[i],
		                      s->seen[id[i]].graph))
			return false;
	}
	return true;
}

/* Those that are left out, where another stack takes the rows. */
static void count_untimed(struct tm_stack *s, const struct tm_batch *b, tm_ev_set need)
{
	for (uint32_t i = 0; (b->has & need) != need && i < b->n; i++)
		s->untimed += !tm_batch_has_all(b, i, need);
}

bool tm_stack_take(void *acc, const struct tm_batch *b)
{
	struct tm_stack *s = acc;
	const uint64_t *dom = b->some & TM_EV_BIT(TM_EVC_DOMAIN) ? b->col[TM_EVC_DOMAIN] : NULL;
	const tm_ev_set need = TIMED | TM_EV_BIT(TM_EVC_NAME);
	struct columns c;

	s->stats += b->kind == TM_EV_STAT || b->kind == TM_EV_ROLLUP ? b->n : 0;
	s->counters += b->kind == TM_EV_COUNTER ? b->n : 0;
	if (b->kind != TM_EV_DISPATCH && b->kind != TM_EV_COPY && b->kind != TM_EV_API)
		return true;
	if (s->lender) {
		count_untimed(s, b, need);
		return true;
	}
	if (!see_names(s, b->names->n))
		return false;
	s->keyed = false;
	if (tm_batch_kernels(b, need) && op_columns(s, b, &c))
		return take_kernels(s, b, &c);
	if (b->kind == TM_EV_API && (b->has & need) == need && dom &&
	    b->has & TM_EV_BIT(TM_EVC_DOMAIN) && call_columns(b, &c))
		return take_calls(s, b, &c);
	for (uint32_t i = 0; i < b->n; i++) {
		enum tm_domain d = dom && tm_batch_has(b, i, TM_EVC_DOMAIN)
		                           ? (enum tm_domain)dom[i]
		                           : tm_ev_kind_domain(b->kind);

		if (!tm_batch_has_all(b, i, need))
			s->untimed++;
		else if (!take_row(s, b, i, d))
			return false;
	}
	return true;
}

/* ---- merging ---- */

/* A name of `from` in s->names; TM_NAME_NONE stays. */
static bool move_name(struct tm_stack *s, const struct tm_stack *from, uint32_t *id)
{
	if (*id == TM_NAME_NONE)
		return true;
	*id = tm_names_add(&s->names, from->names.v[*id].text, from->names.v[*id].len);
	return *id != TM_NAME_NONE;
}

/* Labels of `from` as ours; NULL when out of memory. */
static uint32_t *translate(struct tm_stack *s, const struct tm_stack *from)
{
	uint32_t *map = malloc(((size_t)from->labels.n + 1) * sizeof *map);

	for (uint32_t i = 0; map && i < from->labels.n; i++) {
		struct tm_stack_label l = from->label[i];
		bool ok = move_name(s, from, &l.name) && move_name(s, from, &l.inputs) &&
		          move_name(s, from, &l.values);

		map[i] = ok ? add_label(s, &l) : TM_GROUP_NONE;
		if (map[i] == TM_GROUP_NONE) {
			free(map);
			return NULL;
		}
	}
	return map;
}

bool tm_stack_thread_move(struct tm_stack_thread *t, struct tm_stack_thread *f, const uint32_t *map)
{
	bool ok = true;

	for (int k = 0; ok && k < TM_STACK_LISTS; k++)
		ok = tm_intervals_move(&t->frame[k], &f->frame[k], map);
	ok = ok && tm_intervals_move(&t->pair, &f->pair, NULL);
	for (int k = 0; ok && k < TM_STACK_APIS; k++) {
		t->calls[k] += f->calls[k];
		ok = tm_intervals_move(&t->call[k], &f->call[k], NULL);
	}
	return ok;
}

static bool merge_thread(struct tm_stack *s, struct tm_stack_thread *f, const uint32_t *map)
{
	struct tm_stack_thread *t = thread_of(s, f->rank, f->has_pid, f->pid,
	                                      f->has_tid ? &f->tid : NULL);

	return t && tm_stack_thread_move(t, f, map);
}

static bool merge_track(struct tm_stack *s, struct tm_stack_track *f, const uint32_t *names)
{
	const struct track_like like = { .rank = f->rank,
		                         .pid = f->pid,
		                         .tid = f->tid,
		                         .agent = f->agent,
		                         .queue = f->queue,
		                         .stream = f->stream,
		                         .has_pid = f->has_pid,
		                         .has_tid = f->has_tid,
		                         .has_external = f->has_external,
		                         .copies = f->copies,
		                         .has_agent = f->has_agent,
		                         .has_queue = f->has_queue,
		                         .has_stream = f->has_stream };
	struct tm_stack_track *t = track_of(s, &like);

	/* Both stay in the order in which they came, so that they still belong together. */
	return t && tm_intervals_move(&t->op, &f->op, names) &&
	       tm_words_move(&t->external, &f->external) &&
	       tm_intervals_move(&t->bytes, &f->bytes, NULL);
}

/* Names of `from` are names[name] here; NULL = the same. */
static bool merge_kernels(struct tm_stack *s, const struct tm_stack *from, const uint32_t *names)
{
	if (!kernel_room(s))
		return false;
	for (uint32_t i = 0; i < from->kernel_cap && i < from->names.n; i++) {
		const uint32_t to = names ? names[i] : i, own = from->kernel[i];

		if (own != TM_NAME_NONE)
			s->kernel[to] = names ? names[own] : own;
	}
	return true;
}

bool tm_stack_merge(void *into, void *acc)
{
	struct tm_stack *s = into, *from = acc;
	uint32_t *map = translate(s, from);
	uint32_t *names = NULL;
	bool ok = map && (!s->o->names || tm_names_adopt(&s->names, &from->names, &names));

	tm_whose_merge(&s->whose, &from->whose);
	ok = ok && (!s->lanes || merge_kernels(s, from, names));
	for (size_t i = 0; ok && i < from->nthread; i++)
		ok = merge_thread(s, &from->thread[i], map);
	for (size_t i = 0; ok && i < from->ntrack; i++)
		ok = merge_track(s, &from->track[i], names);
	s->untimed += from->untimed;
	s->stats += from->stats;
	s->counters += from->counters;
	free(names);
	free(map);
	return ok;
}

void tm_stack_tell(const struct tm_stack *s, struct tm_report *rep)
{
	tm_report_untimed(rep, s->untimed);
	tm_report_stats(rep, s->stats);
}
