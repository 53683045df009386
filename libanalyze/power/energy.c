/* SPDX-License-Identifier: MIT */
#include "power/energy.h"

#include "base/base.h"
#include "power/energy_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_ERROR =
	        500000000 /* ns: readings of CLOCK_REALTIME that far apart are not of one clock */
};

/* ---- options ---- */

bool tm_energy_zone(const char *text, int64_t *ns)
{
	const int64_t minute = INT64_C(60000000000);
	size_t n = strlen(text);
	uint64_t hours, minutes = 0;

	*ns = 0;
	if (!strcmp(text, "Z") || !strcmp(text, "UTC"))
		return true;
	if (n < 3 || (*text != '+' && *text != '-') || !tm_num_u64(text + 1, 2, &hours) ||
	    hours > 14)
		return false;
	if (n > 3 && (!tm_num_u64(text + n - 2, 2, &minutes) || minutes > 59 ||
	              (n != 5 && (n != 6 || text[3] != ':'))))
		return false;
	*ns = (int64_t)(hours * 60 + minutes) * minute * (*text == '-' ? -1 : 1);
	return true;
}

bool tm_energy_map_add(struct tm_energy_opts *o, const char *word, struct tm_diag *d)
{
	const char *eq = strrchr(word, '=');
	enum tm_agent_numbering how = strncmp(word, "GPU ", 4) ? TM_AGENT_NODE : TM_AGENT_GPU;
	size_t from = how == TM_AGENT_GPU ? 4 : 0;
	uint64_t agent, device;

	if (!eq || eq < word + from ||
	    !tm_num_u64(word + from, (size_t)(eq - word) - from, &agent) || agent > UINT32_MAX ||
	    !tm_num_u64(eq + 1, strlen(eq + 1), &device)) {
		tm_diag_set(d, 0, "--map: '%.100s' is not AGENT=DEVICE, such as 4=0 or 'GPU 0=2'",
		            word);
		return false;
	}
	if (o->nmap == TM_ENERGY_MAPS) {
		tm_diag_set(d, 0, "--map has more than %d agents", TM_ENERGY_MAPS);
		return false;
	}
	o->map[o->nmap++] = (struct tm_energy_map) { .agent = tm_agent_pack(how, (uint32_t)agent),
		                                     .device = device };
	return true;
}

/* ---- the trace ---- */

const char *const tm_energy_by_words[] = { "class", "step", "region", "op", NULL };

static enum tm_energy_by by_of(const struct tm_metric_opts *o)
{
	for (int i = 0; o->view && tm_energy_by_words[i]; i++)
		if (!strcmp(o->view, tm_energy_by_words[i]))
			return (enum tm_energy_by)i;
	return TM_ENERGY_CLASS;
}

static bool is_stacked(enum tm_energy_by by)
{
	return by == TM_ENERGY_REGION || by == TM_ENERGY_OP;
}

static unsigned keep_of(enum tm_energy_by by)
{
	return by == TM_ENERGY_STEP ? TM_STEPS_KEEP
	       : is_stacked(by)     ? TM_WORK_OP_NAMES | TM_WORK_CORR | TM_WORK_PIDS
	                            : TM_WORK_OP_NAMES;
}

static void all_time(const void *arg, uint64_t rank, struct tm_extent *w)
{
	(void)arg;
	(void)rank;
	*w = (struct tm_extent) { 0, UINT64_MAX };
}

static struct tm_stack_opts stack_opts(enum tm_energy_by by)
{
	return (struct tm_stack_opts) { .window = all_time,
		                        .annotations = by == TM_ENERGY_REGION,
		                        .one_by_one = true };
}

tm_ev_set tm_energy_want(const struct tm_metric_opts *o)
{
	enum tm_energy_by by = by_of(o);
	const struct tm_stack_opts so = stack_opts(by);

	return tm_work_want(keep_of(by)) | TM_EV_BIT(TM_EVC_TYPE) | tm_agents_want() |
	       (is_stacked(by) ? tm_stack_want(&so) : 0);
}

static bool energy_init(void *acc, const void *arg)
{
	struct tm_energy *e = acc;

	e->o = arg;
	e->by = by_of(arg);
	e->gpus.words = 1;
	e->so = stack_opts(e->by);
	if (!tm_work_init(&e->work, arg, keep_of(e->by)))
		return false;
	if (!is_stacked(e->by) || tm_stack_init(&e->stack, &e->so))
		return true;
	tm_work_fini(&e->work);
	return false;
}

static void piece_fini(struct tm_energy_piece *p)
{
	free(p->path);
	free(p->clock);
}

static void energy_fini(void *acc)
{
	struct tm_energy *e = acc;

	tm_work_fini(&e->work);
	if (is_stacked(e->by))
		tm_stack_fini(&e->stack);
	for (size_t i = 0; i < e->n; i++)
		piece_fini(&e->piece[i]);
	free(e->piece);
	tm_names_fini(&e->pieces);
	tm_groups_fini(&e->gpus);
	tm_agents_fini(&e->agents);
}

/* The piece of that path and rank, made if new; SIZE_MAX when out of memory. */
static size_t piece_of(struct tm_energy *e, const char *path, uint64_t rank)
{
	struct tm_buf key = { 0 };
	uint32_t i = TM_NAME_NONE;

	if (tm_buf_add(&key, &rank, sizeof rank) && tm_buf_str(&key, path))
		i = tm_names_add(&e->pieces, key.p, key.n);
	tm_buf_fini(&key);
	if (i == TM_NAME_NONE || i < e->n)
		return i == TM_NAME_NONE ? SIZE_MAX : i;
	if (!tm_grow_array(&e->piece, &e->cap, e->n + 1, sizeof *e->piece))
		return SIZE_MAX;
	e->piece[e->n] = (struct tm_energy_piece) { .path = strdup(path), .rank = rank };
	return e->piece[e->n].path ? e->n++ : SIZE_MAX;
}

static bool energy_piece(void *acc, const struct tm_piece *p)
{
	struct tm_energy *e = acc;

	e->now = piece_of(e, p->id.path, p->id.rank);
	return e->now != SIZE_MAX && tm_work_piece(&e->work, p) &&
	       (!is_stacked(e->by) || tm_stack_piece(&e->stack, p));
}

static bool energy_done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                        const struct tm_diag *why)
{
	struct tm_energy *e = acc;
	size_t i = piece_of(e, p->id.path, p->id.rank);

	(void)l;
	(void)why;
	if (i == SIZE_MAX)
		return false;
	free(e->piece[i].clock);
	e->piece[i].clock = p->id.clock ? strdup(p->id.clock) : NULL;
	e->piece[i].realtime = p->id.realtime;
	return !p->id.clock || e->piece[i].clock;
}

static bool take_agents(struct tm_energy *e, const struct tm_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		const struct tm_name *type;

		if (!tm_batch_has(b, i, TM_EVC_AGENT) || !tm_batch_has(b, i, TM_EVC_TYPE))
			continue;
		type = &b->names->v[b->col[TM_EVC_TYPE][i]];
		if (type->len == 3 && !memcmp(type->text, "GPU", 3) &&
		    tm_groups_add(&e->gpus, &b->col[TM_EVC_AGENT][i], NULL) == TM_GROUP_NONE)
			return false;
	}
	/* Of one node, whichever trace lists them. */
	return tm_agents_take(&e->agents, 0, b);
}

static bool energy_take(void *acc, const struct tm_batch *b)
{
	struct tm_energy *e = acc;

	e->piece[e->now].works |= b->kind == TM_EV_DISPATCH || b->kind == TM_EV_COPY;
	if (b->kind == TM_EV_AGENT)
		return take_agents(e, b);
	return tm_work_take(&e->work, b) && (!is_stacked(e->by) || tm_stack_take(&e->stack, b));
}

static bool energy_merge(void *into, void *from)
{
	struct tm_energy *a = into, *b = from;

	for (size_t i = 0; i < b->n; i++) {
		size_t k = piece_of(a, b->piece[i].path, b->piece[i].rank);

		if (k == SIZE_MAX)
			return false;
		a->piece[k].works |= b->piece[i].works;
		if (b->piece[i].realtime.readings || !a->piece[k].clock) {
			free(a->piece[k].clock);
			a->piece[k].clock = b->piece[i].clock;
			b->piece[i].clock = NULL;
			a->piece[k].realtime = b->piece[i].realtime;
		}
	}
	for (uint32_t i = 0; i < b->gpus.n; i++)
		if (tm_groups_add(&a->gpus, &b->gpus.key[i], NULL) == TM_GROUP_NONE)
			return false;
	return tm_agents_merge(&a->agents, &b->agents) && tm_work_merge(&a->work, &b->work) &&
	       (!is_stacked(a->by) || tm_stack_merge(&a->stack, &b->stack));
}

const struct tm_event_sink tm_energy_sink = {
	.size = sizeof(struct tm_energy),
	.init = energy_init,
	.piece = energy_piece,
	.take = energy_take,
	.merge = energy_merge,
	.fini = energy_fini,
	.done = energy_done,
};

/* ---- clocks ---- */

/* Inputs by rank, and the clocks of each rank of which an input tells CLOCK_REALTIME. */
struct clocks {
	const struct tm_energy_piece **piece; /* n of them */
	size_t n;
	struct tm_names known;
	struct tm_buf key;
};

static int by_rank(const void *pa, const void *pb)
{
	const struct tm_energy_piece *a = *(const struct tm_energy_piece *const *)pa,
	                             *b = *(const struct tm_energy_piece *const *)pb;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a > b) - (a < b);
}

static const struct tm_buf *clock_key(struct clocks *c, const struct tm_energy_piece *p)
{
	tm_buf_clear(&c->key);
	tm_buf_add(&c->key, &p->rank, sizeof p->rank);
	tm_buf_str(&c->key, p->clock);
	return &c->key;
}

/* False when out of memory; clocks_fini is needed all the same. */
static bool clocks_init(struct clocks *c, const struct tm_energy *e)
{
	*c = (struct clocks) { .piece = calloc(e->n + 1, sizeof(void *)), .n = e->n };
	for (size_t i = 0; c->piece && i < e->n; i++) {
		const struct tm_energy_piece *p = c->piece[i] = &e->piece[i];
		const struct tm_buf *key = p->clock && p->realtime.readings ? clock_key(c, p)
		                                                            : NULL;

		if (key && (key->failed || tm_names_add(&c->known, key->p, key->n) == TM_NAME_NONE))
			return false;
	}
	if (c->piece && e->n)
		qsort(c->piece, e->n, sizeof(void *), by_rank);
	return c->piece != NULL;
}

static void clocks_fini(struct clocks *c)
{
	free(c->piece);
	tm_names_fini(&c->known);
	tm_buf_fini(&c->key);
}

/* Does an input of that rank and clock tell CLOCK_REALTIME? */
static bool clock_is_known(struct clocks *c, const struct tm_energy_piece *p)
{
	const struct tm_buf *key = p->clock ? clock_key(c, p) : NULL;

	return key && !key->failed && tm_names_find(&c->known, key->p, key->n) != TM_NAME_NONE;
}

/* Where the inputs of a rank begin. */
static size_t first_of_rank(const struct clocks *c, uint64_t rank)
{
	size_t lo = 0, hi = c->n;

	TM_BISECT(lo, hi, mid, c->piece[mid]->rank < rank);
	return lo;
}

/* What is known of CLOCK_REALTIME in all inputs of a rank.  False with an error in *rep. */
static bool rank_realtime(struct clocks *c, uint64_t rank, struct tm_realtime *all,
                          struct tm_report *rep)
{
	const char *without = NULL;

	*all = (struct tm_realtime) { 0 };
	for (size_t i = first_of_rank(c, rank); i < c->n && c->piece[i]->rank == rank; i++) {
		const struct tm_energy_piece *p = c->piece[i];
		struct tm_realtime r = p->realtime;

		if (!r.readings && p->clock && !strcmp(p->clock, "realtime") && p->works)
			r.readings = 1;
		if (!r.readings && p->works && !clock_is_known(c, p))
			without = p->path;
		if (!r.readings)
			continue;
		if (!all->readings || r.low_ns < all->low_ns)
			all->low_ns = r.low_ns;
		if (!all->readings || r.high_ns > all->high_ns)
			all->high_ns = r.high_ns;
		all->readings += r.readings;
	}
	if (without) {
		tm_report_add(
		        rep, TM_SEV_ERROR, without, 0,
		        "the trace has no time of day (no CLOCK_REALTIME): pass the trace clock "
		        "at the first reading with --offset NS");
		return false;
	}
	if (!all->readings || tm_realtime_error(all) <= MOST_ERROR)
		return true;
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
	              "rank %" PRIu64
	              " has snapshots of CLOCK_REALTIME that are seconds apart: pass "
	              "the trace clock at the first reading with --offset NS",
	              rank);
	return false;
}

/* What to add to times of that rank for the clock of the readings; false with an error in *rep. */
static bool rank_shift(struct clocks *c, const struct tm_energy_opts *o,
                       const struct tm_power_node *node, uint64_t rank, int64_t *shift,
                       struct tm_report *rep)
{
	struct tm_realtime r;

	if (o->has_offset) {
		*shift = (int64_t)node->begin_ns - (int64_t)o->offset_ns;
		return true;
	}
	if (!rank_realtime(c, rank, &r, rep))
		return false;
	*shift = (int64_t)tm_realtime_middle(&r) + o->zone_ns;
	return true;
}

/* ---- devices ---- */

static bool is_gpu_number(uint64_t agent)
{
	return agent >> 32 == TM_AGENT_GPU;
}

/* Place of a number among n ascending ones; n = none. */
static size_t place_of(const uint64_t *v, size_t n, uint64_t x)
{
	const uint64_t *at = n ? bsearch(&x, v, n, sizeof *v, tm_power_by_number) : NULL;

	return at ? (size_t)(at - v) : n;
}

static bool has_device(const struct tm_power_node *node, uint64_t device)
{
	return place_of(node->device, node->ndevice, device) < node->ndevice;
}

static bool has_kernels(const struct tm_work_track *t)
{
	bool any = false;

	for (int k = 0; k < TM_WORK_DISPATCHES; k++)
		any |= t->op[k].n != 0;
	return any;
}

/* Put them in order, each once; returns how many. */
static size_t distinct(uint64_t *v, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(v, n, sizeof *v, tm_power_by_number);
	for (size_t i = 0; i < n; i++)
		if (!kept || v[kept - 1] != v[i])
			v[kept++] = v[i];
	return kept;
}

/* The distinct agents that ran kernels, ascending (as tracks are within a rank, but not over
 * ranks). NULL when out of memory. */
static uint64_t *agents_that_ran(const struct tm_energy *e, size_t *n)
{
	uint64_t *v = calloc(e->work.ntrack + 1, sizeof *v);

	*n = 0;
	for (size_t i = 0; v && i < e->work.ntrack; i++)
		if (e->work.track[i].has_agent && has_kernels(&e->work.track[i]))
			v[(*n)++] = e->work.track[i].agent;
	if (v)
		*n = distinct(v, *n);
	return v;
}

static void list_agents(struct tm_buf *b, const uint64_t *v, size_t n)
{
	char text[16];

	for (size_t i = 0; i < n && b->n < 100; i++)
		tm_buf_fmt(b, "%s%s", i ? ", " : "", tm_agent_text(v[i], text));
}

/* The rule that holds for all agents without a number of their own. */
enum tm_rule { RULE_MAP, RULE_LISTED, RULE_ORDER };

struct devices {
	const struct tm_energy *e;
	const struct tm_energy_opts *o;
	const struct tm_power_node *node;
	enum tm_rule rule;
	uint64_t *ran; /* nran of them, ascending */
	size_t nran;
	uint64_t *gpu; /* ngpu of them, ascending: what the trace says are GPUs */
	size_t ngpu;
	bool numbered; /* all of them say which GPU they are */
	bool assumed;  /* one is taken for the second die of a package, as all numbers are even */
};

enum { TWO_DIES = 90010 }; /* of a package: gfx90a, MI200 */

/* TM_ST_OK; TM_ST_END with an error in *rep; TM_ST_FATAL. */
static enum tm_status devices_init(struct devices *v, struct tm_report *rep)
{
	const struct tm_power_node *node = v->node;
	struct tm_buf b = { 0 };

	v->ran = agents_that_ran(v->e, &v->nran);
	v->gpu = calloc((size_t)v->e->gpus.n + 1, sizeof *v->gpu);
	if (!v->ran || !v->gpu)
		return TM_ST_FATAL;
	if (v->e->gpus.n)
		memcpy(v->gpu, v->e->gpus.key, v->e->gpus.n * sizeof *v->gpu);
	v->ngpu = distinct(v->gpu, v->e->gpus.n);
	v->rule = v->o->nmap ? RULE_MAP : v->ngpu ? RULE_LISTED : RULE_ORDER;
	v->numbered = v->nran > 0;
	for (size_t i = 0; i < v->nran; i++)
		v->numbered &= is_gpu_number(v->ran[i]);
	if (v->rule != RULE_ORDER || v->numbered || v->nran == node->ndevice ||
	    (tm_power_node_packages(node) && v->nran == 2 * node->ndevice))
		return TM_ST_OK;
	list_agents(&b, v->ran, v->nran);
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
	              "the readings are of %zu device%s, and %s%s: use --map AGENT=DEVICE, or give "
	              "the agent list of the trace",
	              node->ndevice, node->ndevice == 1 ? "" : "s",
	              !v->nran       ? "no kernel in the trace shows which agents they are"
	              : v->nran == 1 ? "kernels ran on agent "
	                             : "kernels ran on agents ",
	              b.p ? b.p : "");
	rep->lost |= b.failed;
	tm_buf_fini(&b);
	return TM_ST_END;
}

/* The device that has the sensor of this one: where an agent may be the second die of a package,
 * the one before. */
static uint64_t with_sensor(struct devices *v, const struct tm_work_track *t, uint64_t device)
{
	struct tm_gpu_seen seen = { 0 };
	uint64_t xccs;

	if (has_device(v->node, device) || !tm_power_node_packages(v->node))
		return device;
	tm_agents_find(&v->e->agents, 0, t->agent, &seen, &xccs);
	if (seen.gfx && seen.gfx != TWO_DIES)
		return device;
	v->assumed |= !seen.gfx && has_device(v->node, device & ~UINT64_C(1));
	return device & ~UINT64_C(1);
}

/* The device that a track's work counts for; false = none. */
static bool device_of(struct devices *v, const struct tm_work_track *t, uint64_t *device)
{
	size_t i;

	if (!t->has_agent) {
		*device = v->node->device[0];
		return !v->nran && v->node->ndevice == 1;
	}
	if (v->rule == RULE_MAP) {
		for (i = 0; i < v->o->nmap; i++)
			if (v->o->map[i].agent == t->agent) {
				*device = v->o->map[i].device;
				return has_device(v->node, *device);
			}
		return false;
	}
	if (is_gpu_number(t->agent)) {
		*device = (uint32_t)t->agent;
	} else if (v->rule == RULE_LISTED) {
		i = place_of(v->gpu, v->ngpu, t->agent);
		if (i == v->ngpu)
			return false;
		*device = i;
	} else {
		i = place_of(v->ran, v->nran, t->agent);
		if (i == v->nran)
			return false;
		*device = v->nran == v->node->ndevice ? v->node->device[i] : i;
	}
	*device = with_sensor(v, t, *device);
	return has_device(v->node, *device);
}

/* Do the trace's list of GPUs and the readings number different sets of them?  Then there are
 * agents without a device, and devices past the end of the list.  TM_ST_END with an error in *rep.
 */
static enum tm_status check_list(const struct devices *v, const struct energy_place *place,
                                 struct tm_report *rep)
{
	const struct tm_power_node *node = v->node;
	const struct tm_work *w = &v->e->work;
	struct tm_buf have = { 0 };
	bool without = false;
	char text[16];

	for (size_t i = 0; i < w->ntrack && !without; i++) {
		without = !place[i].has_device && w->track[i].has_agent &&
		          has_kernels(&w->track[i]) && !is_gpu_number(w->track[i].agent);
		if (without)
			tm_agent_text(w->track[i].agent, text);
	}
	if (v->rule != RULE_LISTED || !without || node->device[node->ndevice - 1] < v->ngpu)
		return TM_ST_OK;
	for (size_t i = 0; i < node->ndevice && have.n < 100; i++)
		tm_buf_fmt(&have, "%sGPU%" PRIu64, i ? ", " : "", node->device[i]);
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
	              "the trace lists %zu GPUs and the readings are of %s: cannot determine which "
	              "is agent %s; use --map AGENT=DEVICE",
	              v->ngpu, have.p ? have.p : "", text);
	rep->lost |= have.failed;
	tm_buf_fini(&have);
	return TM_ST_END;
}

/* Agents and devices, as they were put together. */
static void tell_devices(const struct devices *v, const struct energy_place *place,
                         struct tm_report *rep)
{
	const struct tm_work *w = &v->e->work;
	struct tm_buf said = { 0 }, out = { 0 };
	struct tm_groups seen = { .words = 1 };
	uint64_t left = 0;
	bool ok = true, fresh;
	char text[16];

	for (size_t i = 0; ok && i < w->ntrack; i++) {
		const struct tm_work_track *t = &w->track[i];

		if (!place[i].has_device)
			for (int k = 0; k < TM_WORK_KINDS; k++)
				left += t->op[k].n;
		if (!t->has_agent)
			continue;
		ok = tm_groups_add(&seen, &t->agent, &fresh) != TM_GROUP_NONE;
		if (!fresh)
			continue;
		if (place[i].has_device && said.n < 200)
			tm_buf_fmt(&said, "%s%s is GPU%" PRIu64, said.n ? ", " : "",
			           tm_agent_text(t->agent, text), place[i].device);
		else if (has_kernels(t) && out.n < 100)
			tm_buf_fmt(&out, "%s%s", out.n ? ", " : "", tm_agent_text(t->agent, text));
	}
	if (said.n)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "agent %s%s", said.p,
		              v->rule == RULE_MAP || v->numbered ? ""
		              : v->rule == RULE_LISTED ? ", in the order of the trace's list"
		                                       : ", in order; --map overrides this");
	if (v->assumed)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "all devices have even numbers: assuming MI200, where each sensor "
		              "also covers the next device; the trace does not name the "
		              "architecture; --map overrides this");
	if (out.n)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "no readings for agent %s: its kernels are skipped", out.p);
	if (left)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " operation%s of devices without readings skipped", left,
		              left == 1 ? "" : "s");
	rep->lost |= said.failed || out.failed || !ok;
	tm_buf_fini(&said);
	tm_buf_fini(&out);
	tm_groups_fini(&seen);
}

/* ---- both ---- */

/* Where the work of every track goes.  TM_ST_OK with *place, the caller's to free; TM_ST_END with
 * an error in *rep; TM_ST_FATAL. */
static enum tm_status find_places(const struct tm_energy *e, const struct tm_energy_opts *o,
                                  const struct tm_power_node *node, struct energy_place **place,
                                  struct tm_report *rep)
{
	struct devices v = { .e = e, .o = o, .node = node };
	enum tm_status st = devices_init(&v, rep);
	struct clocks clocks;
	bool any = false;

	*place = calloc(e->work.ntrack + 1, sizeof **place);
	if (!clocks_init(&clocks, e) || !*place)
		st = TM_ST_FATAL;
	for (size_t i = 0; st == TM_ST_OK && i < e->work.ntrack; i++) {
		const struct tm_work_track *t = &e->work.track[i];
		struct energy_place *p = &(*place)[i];

		if (i && e->work.track[i - 1].rank == t->rank)
			p->shift = p[-1].shift;
		else if (!rank_shift(&clocks, o, node, t->rank, &p->shift, rep))
			st = clocks.key.failed ? TM_ST_FATAL : TM_ST_END;
		p->has_device = device_of(&v, t, &p->device);
		any |= p->has_device;
	}
	if (st == TM_ST_OK)
		st = check_list(&v, *place, rep);
	if (st == TM_ST_OK && !any) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing in the trace ran on a device with readings; use --map "
		              "AGENT=DEVICE");
		st = TM_ST_END;
	}
	if (st == TM_ST_OK)
		tell_devices(&v, *place, rep);
	clocks_fini(&clocks);
	free(v.ran);
	free(v.gpu);
	return st;
}

static void tell_clock(const struct tm_energy_opts *o, const struct tm_power_node *node,
                       struct tm_report *rep)
{
	if (!o->has_offset && !o->has_zone)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "the times of the readings have no zone; assuming UTC (--zone overrides "
		        "this)");
	tm_report_add(rep, TM_SEV_WARN, NULL, 0,
	              "readings are %" PRIu64 ".%03" PRIu64
	              " ms apart: the power of shorter kernels that overlap or alternate cannot be "
	              "separated",
	              node->spacing_ns / 1000000, node->spacing_ns % 1000000 / 1000);
}

enum tm_status tm_energy_fill(struct tm_energy *e, const struct tm_energy_opts *o,
                              const struct tm_power_node *node, uint64_t scale, struct tm_table *t,
                              struct tm_report *rep)
{
	struct energy_place *place = NULL;
	enum tm_status st;

	if (node->back) {
		tm_report_add(rep, TM_SEV_ERROR, node->file->name, 0,
		              "times go back %" PRIu64
		              " time%s: such readings cannot be matched with "
		              "a trace; choose a part without jumps with -w",
		              node->back, node->back == 1 ? "" : "s");
		return TM_ST_END;
	}
	if (!tm_work_settle(&e->work))
		return TM_ST_FATAL;
	if (!e->work.ntrack) {
		tm_work_explain_nothing(&e->work, "kernels or copies", rep);
		return TM_ST_END;
	}
	st = find_places(e, o, node, &place, rep);
	if (st == TM_ST_OK)
		st = e->by ? tm_energy_share_by(e, o, place, node, scale, t, rep)
		           : tm_energy_share(e, o, place, node, scale, t, rep);
	if (st == TM_ST_OK) {
		tm_work_tell(&e->work, rep);
		tell_clock(o, node, rep);
	}
	free(place);
	return st;
}
