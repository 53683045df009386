/* SPDX-License-Identifier: MIT
 * A walk over all ranks, one after the other, into a pen. */
#include "read/read.h"
#include "tracks/tracks_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WRITE_AT = 256 * 1024, MADE_UP_PID = 1000000, PID_MOST = 0x7fffffff };

/* ---- levels ---- */

struct track_level tm_track_level(unsigned level)
{
	struct track_level l = { .no_flows = level > 0,
		                 .args = level > 1 ? TM_TRACKS_NONE : TM_TRACKS_ALL };

	if (level > 2) {
		const unsigned k = (level - 3) / 2;

		l.host_ns = UINT64_C(1000) << k;
		l.device_ns = level % 2 ? l.host_ns / 2 : l.host_ns;
		l.device_ns = k || level % 2 == 0 ? l.device_ns : 0;
		l.value_ns = 1000 * l.host_ns;
	}
	return l;
}

/* ---- names ---- */

const char *tm_track_name(struct tm_buf *text, const struct track_store *s,
                          const struct track_row *r, enum tm_name_level level)
{
	const struct tm_name *nm = r->name == TM_NAME_NONE ? NULL : &s->names.v[r->name];

	tm_buf_clear(text);
	if (!nm)
		tm_buf_str(text, "(unnamed)");
	else if (r->what == WHAT_KERNEL)
		tm_kernel_name(text, nm->text, nm->len, level);
	else
		tm_buf_add(text, nm->text, nm->len);
	return text->failed ? NULL : text->p ? text->p : "";
}

size_t tm_track_name_id(const struct track_store *s, const struct track_row *r)
{
	return r->name == TM_NAME_NONE  ? 2 * (size_t)s->names.n
	       : r->what == WHAT_KERNEL ? (size_t)s->names.n + r->name
	                                : r->name;
}

size_t tm_track_name_ids(const struct track_store *s)
{
	return 2 * (size_t)s->names.n + 1;
}

/* "GPU agent 4", "GPU 0", "CPU 1"; what only has counters may be any agent: "agent 4". */
static void put_agent(struct tm_buf *b, const uint64_t *key, bool gpu)
{
	const char *const before = gpu ? "GPU " : "";
	char agent[16];

	if (!(key[KEY_HAS] & HAS_WHO)) {
		tm_buf_str(b, gpu ? "GPU" : "counters");
		return;
	}
	tm_agent_text(key[KEY_WHO], agent);
	if (agent[0] >= '0' && agent[0] <= '9')
		tm_buf_fmt(b, "%sagent ", before);
	tm_buf_str(b, agent);
}

/* "bytes held, agent 4", "bytes held, GPU 0": a viewer of Chrome's knows a counter by its process
 * and name alone. */
static void put_of_agent(struct tm_buf *b, const uint64_t *key, const char *what)
{
	char agent[16];

	tm_buf_str(b, what);
	if (!(key[KEY_HAS] & HAS_WHO))
		return;
	tm_agent_text(key[KEY_WHO], agent);
	tm_buf_fmt(b, ", %s%s", agent[0] >= '0' && agent[0] <= '9' ? "agent " : "", agent);
}

/* What a track is called: what tells a reader of ours the thread or the agent, see
 * schemas/pftrace.def. */
static void put_label(struct tm_buf *b, const struct track_store *s, const uint64_t *key,
                      size_t nth)
{
	static const char *const plain[TRACK_SORTS] = {
		[TRACK_ABOUT] = "about",
		[TRACK_FINDINGS] = "findings",
		[TRACK_STEPS] = "steps",
		[TRACK_COLLECTIVES] = "collectives",
		[TRACK_JOB_BUSY] = "busy agents (mean)",
		[TRACK_STATE] = "state",
		[TRACK_KERNELS] = "kernels",
		[TRACK_COPIES] = "copies",
		[TRACK_THREAD] = "host calls",
		[TRACK_MEMORY] = "memory",
		[TRACK_MARKERS] = "markers",
	};
	const bool id = key[KEY_HAS] & HAS_ID;

	tm_buf_clear(b);
	switch (key[KEY_SORT]) {
	case TRACK_STREAM:
	case TRACK_QUEUE:
		tm_buf_fmt(b, "%s %" PRIu64, key[KEY_SORT] == TRACK_STREAM ? "stream" : "queue",
		           key[KEY_ID]);
		break;
	case TRACK_CLOCK:
		tm_buf_fmt(b, "clock error of rank %" PRIu64, key[KEY_RANK]);
		break;
	case TRACK_DEPTH:
		put_of_agent(b, key, "waiting operations (most)");
		break;
	case TRACK_HELD:
		put_of_agent(b, key, "bytes held");
		break;
	case TRACK_COUNTER:
		if (key[KEY_HAS] & HAS_WHO)
			tm_drawn_put_counter(b, key[KEY_WHO]);
		tm_buf_add(b, s->names.v[key[KEY_ID]].text, s->names.v[key[KEY_ID]].len);
		break;
	case TRACK_THREAD:
	case TRACK_MEMORY:
	case TRACK_MARKERS:
		if (id) {
			tm_buf_fmt(b, "thread %zu (%" PRIu64 ")%s", nth + 1, key[KEY_ID],
			           key[KEY_SORT] == TRACK_MEMORY ? " memory" : "");
			break;
		}
		/* fall through */
	default:
		tm_buf_str(b, plain[key[KEY_SORT]]);
	}
}

/* What a counter counts in, as far as it is known. */
static struct track_unit unit_of(const struct track_store *s, const uint64_t *key)
{
	static const struct track_unit ours[TRACK_SORTS] = {
		[TRACK_CLOCK] = { UNIT_NS, NULL },
		[TRACK_JOB_BUSY] = { UNIT_COUNT, NULL },
		[TRACK_DEPTH] = { UNIT_COUNT, NULL },
		[TRACK_HELD] = { UNIT_BYTES, NULL },
	};
	static const char *const bytes[] = { "ALLOCATE BYTES ", "COPY BYTES " };
	const struct tm_name *name;
	enum tm_sensor sensor;

	if (key[KEY_SORT] != TRACK_COUNTER)
		return ours[key[KEY_SORT]];
	name = &s->names.v[key[KEY_ID]];
	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
		if (!strncmp(name->text, bytes[i], strlen(bytes[i])))
			return (struct track_unit) { UNIT_BYTES, NULL };
	sensor = tm_sensor_of(name).sensor;
	return (struct track_unit) { UNIT_NONE, sensor ? tm_sensor_unit(sensor) : NULL };
}

/* ---- processes ---- */

struct process {
	uint64_t rank, pid, uuid;
	size_t from, to; /* of order.track; none = its inputs lost something, and that is all */
	bool made_up;    /* pid */
	struct track_left left;
};

struct draw {
	const struct track_drawing *d;
	const struct track_pen_ops *ops;
	struct track_pen *pen;
	const struct track_level *level;
	bool measure;
	struct process *process; /* the first is the job */
	size_t processes, cap;
	uint64_t uuids;
	bool one_clock; /* that of all ranks */
	struct tm_buf text, about, agents;
	uint32_t *machine; /* places in store.machines, by rank */
	size_t machines;   /* those before are of ranks that were drawn */
	struct track_lanes lanes;
};

static const uint64_t *key_at(const struct draw *w, size_t nth)
{
	return w->d->s->tracks.key + (size_t)w->d->order->track[nth] * KEY_WORDS;
}

static bool of_job(const uint64_t *key)
{
	return tm_track_kinds[key[KEY_SORT]].group == GROUP_JOB;
}

static int process_cmp(const void *pa, const void *pb)
{
	const struct process *a = pa, *b = pb;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* The ranks of which nothing is drawn: what their inputs lost is lost for who reads the picture. */
static bool find_empty(struct draw *w)
{
	const struct track_store *s = w->d->s;
	const size_t drawn = w->processes;

	for (size_t i = 0; i < s->nlost; i++) {
		const struct process p = { .rank = s->lost[i].rank };

		if (drawn > 1 && bsearch(&p, w->process + 1, drawn - 1, sizeof p, process_cmp))
			continue;
		if (!tm_grow_array(&w->process, &w->cap, w->processes + 1, sizeof p))
			return false;
		w->process[w->processes++] = p;
	}
	if (w->processes > drawn)
		qsort(w->process + 1, w->processes - 1, sizeof *w->process, process_cmp);
	return true;
}

/* The tracks of the job, then those of each rank. */
static bool find_processes(struct draw *w)
{
	const struct track_order *o = w->d->order;

	for (size_t i = 0; i < o->tracks; i++) {
		const uint64_t *key = key_at(w, i);
		const bool job = of_job(key);
		struct process *last = w->processes ? &w->process[w->processes - 1] : NULL;

		if (last && (job || (w->processes > 1 && last->rank == key[KEY_RANK]))) {
			last->to = i + 1;
			continue;
		}
		if (!last && !job) { /* a job without tracks */
			if (!tm_grow_array(&w->process, &w->cap, 1, sizeof *w->process))
				return false;
			w->process[w->processes++] = (struct process) { 0 };
		}
		if (!tm_grow_array(&w->process, &w->cap, w->processes + 1, sizeof *w->process))
			return false;
		w->process[w->processes++] = (struct process) { .rank = key[KEY_RANK],
			                                        .from = i,
			                                        .to = i + 1 };
	}
	return find_empty(w);
}

/* Ids of processes: real ones where they are known and differ, so that viewers tell them apart;
 * those made up, of ranks of which nothing is drawn, are none of them. */
static void number_processes(struct draw *w)
{
	bool real = true;

	for (size_t i = 1; i < w->processes; i++) {
		struct process *p = &w->process[i];
		const struct rank_facts *f = tm_ranks_facts(w->d->ranks, p->rank);

		p->made_up = p->from == p->to;
		if (p->made_up)
			continue;
		p->pid = f && f->has_pid ? f->pid : 0;
		real &= p->pid && p->pid < PID_MOST && p->pid - MADE_UP_PID >= w->processes;
		for (size_t k = 1; real && k < i; k++)
			real = w->process[k].pid != p->pid;
	}
	for (size_t i = 1; i < w->processes; i++) {
		struct process *p = &w->process[i];

		p->made_up |= !real;
		if (p->made_up)
			p->pid = MADE_UP_PID + i - 1;
	}
}

static int digits(uint64_t v)
{
	int n = 1;

	for (; v > 9; v /= 10)
		n++;
	return n;
}

/* What the GPUs of a process are, each name once, in the order of the agents. */
static bool put_gpus(struct draw *w, const struct process *p, struct tm_buf *b)
{
	struct tm_names names = { 0 };
	struct tm_buf name = { 0 };
	bool ok = true;

	for (size_t i = p->from; ok && i < p->to; i++) {
		const uint64_t *key = key_at(w, i);
		struct tm_gpu_seen seen;
		uint64_t xccs;

		if (!(key[KEY_HAS] & HAS_WHO) || tm_track_kinds[key[KEY_SORT]].group != GROUP_GPU ||
		    !tm_agents_find(w->d->agents, p->rank, key[KEY_WHO], &seen, &xccs))
			continue;
		tm_buf_clear(&name);
		if (tm_gpu_put_name(&name, &seen))
			ok = !name.failed && tm_names_add(&names, name.p, name.n) != TM_NAME_NONE;
	}
	for (uint32_t i = 0; i < names.n; i++)
		tm_buf_fmt(b, "%s%s", i ? ", " : " · ", names.v[i].text);
	tm_buf_fini(&name);
	tm_names_fini(&names);
	return ok && !b->failed;
}

/* What is left out of each process, which its description says ahead of its tracks. */
static bool count_left(struct draw *w, struct track_left *sum)
{
	const struct track_level *l = w->level;
	bool ok = true;

	*sum = (struct track_left) { 0 };
	if (!l->host_ns && !l->device_ns && l->args == TM_TRACKS_ALL)
		return true;
	for (size_t i = 0; ok && i < w->processes; i++) {
		struct process *p = &w->process[i];

		for (size_t k = p->from; ok && k < p->to; k++)
			ok = tm_track_count_left(&w->lanes, w->d->s, w->d->order, k, l, &p->left);
		sum->calls += p->left.calls;
		sum->ops += p->left.ops;
		sum->merges += p->left.merges;
		sum->states += p->left.states;
		sum->state_merges += p->left.state_merges;
		sum->values += p->left.values;
		sum->own_values += p->left.own_values;
		sum->bare += p->left.bare;
	}
	return ok;
}

/* The same as a reader of ours counts it, and what the inputs of the process lost before. */
static struct tm_loss loss_of(const struct draw *w, const struct process *p)
{
	const enum tm_tracks_args args = w->level->args;
	const struct tm_loss *before = tm_track_lost(w->d->s, p->rank);
	struct tm_loss loss = { 0 };

	if (before)
		tm_loss_add(&loss, before, 0);
	loss.of[TM_LOSS_MERGED].n += p->left.ops;
	loss.of[TM_LOSS_OMITTED].n += p->left.calls;
	loss.of[TM_LOSS_THINNED].n += p->left.values;
	if (p->left.bare) {
		/* All of them: what had few before, or none, is among them. */
		loss.of[TM_LOSS_FEW].n = args == TM_TRACKS_FEW ? p->left.bare : 0;
		loss.of[TM_LOSS_BARE].n = args == TM_TRACKS_FEW ? loss.of[TM_LOSS_BARE].n
		                                                : p->left.bare;
	}
	return loss;
}

static uint64_t rank_of_machine(const struct tm_name *machine)
{
	uint64_t rank;

	memcpy(&rank, machine->text, sizeof rank);
	return rank;
}

/* By rank, else as they came. */
static int by_rank(const void *pa, const void *pb, void *arg)
{
	const struct tm_name *machine = arg;
	const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	const uint64_t of_a = rank_of_machine(&machine[a]), of_b = rank_of_machine(&machine[b]);

	return of_a != of_b ? (of_a > of_b) - (of_a < of_b) : (a > b) - (a < b);
}

static bool sort_machines(struct draw *w)
{
	const struct tm_names *all = &w->d->s->machines;
	const uint32_t n = all->n;

	w->machine = malloc(((size_t)n + 1) * sizeof *w->machine);
	for (uint32_t i = 0; w->machine && i < n; i++)
		w->machine[i] = i;
	if (w->machine && n)
		tm_sort_in_place(w->machine, n, sizeof *w->machine, by_rank, all->v);
	return w->machine != NULL;
}

/* What the times of a rank count: in Perfetto's format they are as recorded, unless they were put
 * on a clock that ranks share.  NULL = that is not known. */
static const char *clock_of(const struct draw *w, uint64_t rank)
{
	const struct rank_facts *f = tm_ranks_facts(w->d->ranks, rank);
	const struct tm_name *clock = tm_ranks_clock(w->d->ranks, rank);

	if (!clock || w->d->asked->form != TM_TRACKS_PFTRACE)
		return NULL;
	return f->has_line && (f->line.offset_ns || f->line.rate) ? NULL : clock->text;
}

/* Do times of a rank compare with those of others?  Where they are as recorded their clock says
 * it. */
static void tell_aligned(const struct draw *w, const struct process *p,
                         struct tm_drawn_about *about)
{
	static const uint64_t none = 0;
	const struct rank_facts *f = tm_ranks_facts(w->d->ranks, p->rank);

	if (!f || !f->timed)
		return;
	about->aligned = f->has_line;
	about->error = f->has_error ? &f->error : NULL;
	if (!f->has_line && w->d->asked->form != TM_TRACKS_PFTRACE && w->one_clock) {
		about->aligned = true;
		about->error = &none;
	}
}

/* The agents of the next rank, into w->agents. */
static bool find_agents(struct draw *w, uint64_t rank)
{
	const struct tm_names *all = &w->d->s->machines;

	tm_buf_clear(&w->agents);
	for (; w->machines < all->n; w->machines++) {
		const struct tm_name *nm = &all->v[w->machine[w->machines]];

		if (rank_of_machine(nm) > rank)
			break;
		if (rank_of_machine(nm) == rank)
			tm_buf_add(&w->agents, nm->text + sizeof rank, nm->len - sizeof rank);
	}
	return !w->agents.failed;
}

static bool put_processes(struct draw *w)
{
	const uint64_t most = w->processes ? w->process[w->processes - 1].rank : 0;
	struct track_node_of n = {
		.node = NODE_GROUP,
		.uuid = ++w->uuids,
		.name = "tracemill",
		.about = TM_DRAWN_MARK,
		.ours = true,
		.job = true,
	};
	bool ok = sort_machines(w) && w->ops->node(w->pen, &n);

	if (w->processes)
		w->process[0].uuid = n.uuid;
	for (size_t i = 1; ok && i < w->processes; i++) {
		struct process *p = &w->process[i];
		const struct rank_facts *f = tm_ranks_facts(w->d->ranks, p->rank);
		const struct tm_loss loss = loss_of(w, p);
		const char *host = f && f->host != TM_NAME_NONE ? w->d->ranks->names.v[f->host].text
		                                                : NULL;
		struct tm_drawn_about about = { .made_up_pid = p->made_up,
			                        .clock = clock_of(w, p->rank),
			                        .left = &loss,
			                        .host = host };

		p->uuid = ++w->uuids;
		tm_buf_clear(&w->text);
		tm_buf_clear(&w->about);
		if (!find_agents(w, p->rank))
			return false;
		tell_aligned(w, p, &about);
		about.agents = w->agents.p;
		about.nagents = w->agents.n;
		tm_drawn_put_about(&w->about, &about);
		/* Viewers sort by name: as many digits for each. */
		tm_buf_fmt(&w->text, "rank %0*" PRIu64, digits(most), p->rank);
		if (host)
			tm_buf_fmt(&w->text, " · %s", host);
		if (!put_gpus(w, p, &w->text))
			return false;
		if (f && f->has_pid)
			tm_buf_fmt(&w->text, " · pid %" PRIu64, f->pid);
		n = (struct track_node_of) { .node = NODE_PROCESS,
			                     .uuid = p->uuid,
			                     .name = w->text.p,
			                     .about = w->about.n ? w->about.p : NULL,
			                     .rank = p->rank,
			                     .pid = p->pid,
			                     .place = (unsigned)i };
		ok = !w->text.failed && !w->about.failed && w->ops->node(w->pen, &n);
	}
	return ok;
}

/* ---- tracks of a process ---- */

static bool same_agent(const uint64_t *a, const uint64_t *b)
{
	return (a[KEY_HAS] & HAS_WHO) == (b[KEY_HAS] & HAS_WHO) && a[KEY_WHO] == b[KEY_WHO];
}

/* Has the agent whose tracks begin at i any but counters? */
static bool works(const struct draw *w, const struct process *p, size_t i)
{
	const uint64_t *first = key_at(w, i);

	for (; i < p->to && same_agent(first, key_at(w, i)); i++)
		if (tm_track_kinds[key_at(w, i)[KEY_SORT]].group == GROUP_GPU &&
		    key_at(w, i)[KEY_SORT] != TRACK_COUNTER)
			return true;
	return false;
}

/* The group a track is in, made where it is another than that of the track before. */
static bool put_group(struct draw *w, const struct process *p, size_t i, uint64_t *group)
{
	static const char *const words[] = { [GROUP_HOST] = "Host", [GROUP_MARKERS] = "Markers" };
	const uint64_t *key = key_at(w, i), *before = i > p->from ? key_at(w, i - 1) : NULL;
	const enum track_group g = tm_track_kinds[key[KEY_SORT]].group;
	struct track_node_of n = { .node = NODE_GROUP,
		                   .parent = p->uuid,
		                   .rank = p->rank,
		                   .pid = p->pid,
		                   .place = (unsigned)(i + 1) };

	if (g == GROUP_JOB) {
		*group = p->uuid;
		return true;
	}
	if (before && tm_track_kinds[before[KEY_SORT]].group == g &&
	    (g != GROUP_GPU || same_agent(before, key)))
		return true;
	tm_buf_clear(&w->text);
	if (g == GROUP_GPU)
		put_agent(&w->text, key, works(w, p, i));
	else
		tm_buf_str(&w->text, words[g]);
	n.uuid = *group = ++w->uuids;
	n.name = w->text.p;
	return !w->text.failed && w->ops->node(w->pen, &n);
}

static bool put_tracks(struct draw *w, const struct process *p)
{
	uint64_t group = 0;
	size_t nth = 0;

	w->lanes.n = w->lanes.items = 0;
	for (size_t i = p->from; i < p->to; i++) {
		const uint64_t *key = key_at(w, i);
		const size_t first = w->lanes.n;
		const bool counter = tm_track_kinds[key[KEY_SORT]].form == FORM_COUNTER;

		nth = i > p->from && key_at(w, i - 1)[KEY_SORT] == key[KEY_SORT] ? nth + 1 : 0;
		if (!tm_track_lanes(&w->lanes, w->d->s, w->d->order, i, w->level))
			return false;
		if (w->lanes.n == first)
			continue;
		if (!put_group(w, p, i, &group))
			return false;
		put_label(&w->text, w->d->s, key, nth);
		for (size_t k = first; k < w->lanes.n; k++) {
			const struct track_node_of n = {
				.node = counter ? NODE_COUNTER : NODE_SLICES,
				.uuid = ++w->uuids,
				.parent = group,
				.name = w->text.p,
				.unit = unit_of(w->d->s, key),
				.rank = p->rank,
				.pid = p->pid,
				.place = (unsigned)(i + 1),
				.ours = counter && key[KEY_SORT] != TRACK_COUNTER,
				.job = of_job(key)
			};

			w->lanes.lane[k].uuid = n.uuid;
			if (w->text.failed || !w->ops->node(w->pen, &n))
				return false;
		}
	}
	return true;
}

/* ---- in time ---- */

/* Where the walk is on a lane: what is open, the innermost last. */
struct cursor {
	uint64_t at; /* when something happens next */
	size_t next; /* item */
	size_t *open;
	size_t depth, cap;
	bool closes; /* then something ends */
};

struct walk {
	struct draw *w;
	const struct process *p;
	struct cursor *c; /* of each lane */
	size_t *heap;     /* lanes that have more, the one with the smallest `at` first */
	size_t n;
};

/* What is next; false when there is nothing more. */
static bool look_ahead(struct cursor *c, const struct track_lane *l, const struct track_item *item)
{
	const bool more = c->next < l->to;

	if (!more && !c->depth)
		return false;
	c->closes = c->depth && (!more || item[c->open[c->depth - 1]].end <= item[c->next].start);
	c->at = c->closes ? item[c->open[c->depth - 1]].end : item[c->next].start;
	return true;
}

static bool before(const struct walk *k, size_t a, size_t b)
{
	return k->c[a].at != k->c[b].at ? k->c[a].at < k->c[b].at : a < b;
}

static void sift(struct walk *k, size_t i)
{
	const size_t lane = k->heap[i];
	size_t down;

	while ((down = 2 * i + 1) < k->n) {
		down += down + 1 < k->n && before(k, k->heap[down + 1], k->heap[down]);
		if (!before(k, k->heap[down], lane))
			break;
		k->heap[i] = k->heap[down];
		i = down;
	}
	k->heap[i] = lane;
}

static const struct track_link *links_of(const struct track_links *l, uint32_t row, size_t *n)
{
	size_t lo = 0, hi = l->n;

	TM_BISECT(lo, hi, mid, l->v[mid].row < row);
	for (*n = 0; lo + *n < l->n && l->v[lo + *n].row == row;)
		++*n;
	return l->v ? l->v + lo : NULL;
}

static bool flush(struct draw *w)
{
	struct tm_tracks *t = w->d->asked;
	struct tm_buf *b = &w->pen->out;
	bool ok = !b->failed && (w->measure || !b->n || t->put(t->arg, b->p, b->n, &t->why));

	tm_buf_clear(b);
	return ok;
}

/* What happens next on a lane is drawn. */
static bool go_on(struct walk *k, size_t lane)
{
	struct draw *w = k->w;
	struct cursor *c = &k->c[lane];
	const struct track_lane *l = &w->lanes.lane[lane];
	const size_t at = c->closes ? c->open[--c->depth] : c->next++;
	const struct track_item *item = &w->lanes.item[at];
	const struct track_row *row = &w->d->s->row[item->row];
	struct track_slice s = {
		.lane = l, .item = item, .row = row, .args = w->level->args, .pid = k->p->pid
	};

	if (tm_track_kinds[w->d->s->tracks.key[(size_t)l->track * KEY_WORDS + KEY_SORT]].form ==
	    FORM_COUNTER)
		return w->ops->value(w->pen, c->at, item->end, l, tm_cell_real(row->corr));
	if (c->closes)
		return w->ops->close(w->pen, c->at, &s);
	if (!w->level->no_flows && item->count == 1)
		s.link = links_of(w->d->links, item->row, &s.nlink);
	if (!tm_grow_array(&c->open, &c->cap, c->depth + 1, sizeof *c->open))
		return false;
	c->open[c->depth++] = at;
	return w->ops->open(w->pen, c->at, &s);
}

static bool walk_lanes(struct walk *k)
{
	struct track_lanes *lanes = &k->w->lanes;

	for (size_t i = 0; i < lanes->n; i++) {
		k->c[i].next = lanes->lane[i].from;
		if (look_ahead(&k->c[i], &lanes->lane[i], lanes->item))
			k->heap[k->n++] = i;
	}
	for (size_t i = k->n; i-- > 0;)
		sift(k, i);
	if (k->n &&
	    !k->w->ops->section(k->w->pen, (size_t)(k->p - k->w->process), k->c[k->heap[0]].at))
		return false;
	while (k->n) {
		const size_t lane = k->heap[0];

		if (!go_on(k, lane) || (k->w->pen->out.n > WRITE_AT && !flush(k->w)))
			return false;
		if (!look_ahead(&k->c[lane], &lanes->lane[lane], lanes->item))
			k->heap[0] = k->heap[--k->n];
		if (k->n)
			sift(k, 0);
	}
	return true;
}

static bool draw_process(struct draw *w, const struct process *p)
{
	struct walk k = { .w = w, .p = p };
	bool ok = put_tracks(w, p);

	k.c = ok ? calloc(w->lanes.n + 1, sizeof *k.c) : NULL;
	k.heap = ok ? malloc((w->lanes.n + 1) * sizeof *k.heap) : NULL;
	ok = k.c && k.heap && walk_lanes(&k);
	for (size_t i = 0; k.c && i < w->lanes.n; i++)
		free(k.c[i].open);
	free(k.c);
	free(k.heap);
	return ok;
}

bool tm_track_draw(const struct track_drawing *d, const struct track_level *level, bool measure,
                   uint64_t *bytes, struct track_left *left)
{
	struct draw w = { .d = d, .level = level, .measure = measure };
	bool ok;

	w.ops = d->asked->form == TM_TRACKS_CHROME ? &tm_pen_chrome : &tm_pen_pftrace;
	w.pen = w.ops->begin(d->s, d->o, d->order->first);
	ok = w.pen && find_processes(&w) && count_left(&w, left);
	if (ok) {
		w.pen->compress = !measure;
		number_processes(&w);
		w.one_clock = tm_ranks_one_clock(d->ranks);
		ok = put_processes(&w);
	}
	for (size_t i = 0; ok && i < w.processes; i++)
		ok = draw_process(&w, &w.process[i]);
	ok = ok && w.ops->end(w.pen) && flush(&w);
	*bytes = w.pen ? w.pen->bytes : 0;
	w.ops->free(w.pen);
	free(w.process);
	tm_buf_fini(&w.text);
	tm_buf_fini(&w.about);
	tm_buf_fini(&w.agents);
	free(w.machine);
	tm_track_lanes_fini(&w.lanes);
	return ok;
}
