/* SPDX-License-Identifier: MIT */
#include "merge/align_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const tm_align_words[] = { "none", "realtime", "collectives", "auto", NULL };

static const char *const method_words[] = {
	[TM_ALIGN_NONE] = "none",
	[TM_ALIGN_REALTIME] = "realtime",
	[TM_ALIGN_COLLECTIVES] = "collectives",
	[TM_ALIGN_SHARED] = "shared",
};

enum {
	MOST_ERROR =
	        500000000, /* ns of CLOCK_REALTIME: readings that far apart are not of one clock */
	SAME_BOOT = 100,   /* and so near are those of one: no two hosts start at the same moment */
};

bool tm_align_is_collective(const struct tm_classes *c, const struct tm_name *kernel)
{
	static const char *const pairs[] = { "SendRecv", "sendrecv", "send_recv", "sendRecv" };
	const char *class_name;

	/* Point-to-point kernels end when two ranks are done, not all. */
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (memmem(kernel->text, kernel->len, pairs[i], strlen(pairs[i])))
			return false;
	if (!tm_comm_ends_together(kernel))
		return false;
	class_name = tm_classes_of(c, kernel->text, NULL);
	return class_name && !strcmp(class_name, "comm");
}

bool tm_align_is_collective_op(const struct tm_name *op)
{
	return tm_comm_ends_together(op);
}

static bool has_several_ranks(const struct tm_align_facts *f)
{
	const struct tm_align_input *first = NULL;

	for (size_t i = 0; i < f->n; i++) {
		if (!f->v[i].timed)
			continue;
		if (first && first->id.rank != f->v[i].id.rank)
			return true;
		first = first ? first : &f->v[i];
	}
	return false;
}

/* ---- clocks ---- */

static int text_cmp(const char *a, const char *b)
{
	return !a || !b ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

/* Inputs by what makes them count one clock, so that those that do are neighbors. */
static int by_rank_clock(const void *pa, const void *pb, void *arg)
{
	const struct tm_align_input *v = arg;
	const struct tm_align_input *a = &v[*(const size_t *)pa], *b = &v[*(const size_t *)pb];
	int d = (a->id.rank > b->id.rank) - (a->id.rank < b->id.rank);

	d = d ? d : text_cmp(a->id.clock, b->id.clock);
	/* The one that speaks for the rank first. */
	d = d ? d : (a->collectives < b->collectives) - (a->collectives > b->collectives);
	d = d ? d : strcmp(a->id.path, b->id.path);
	return d ? d : (a->input > b->input) - (a->input < b->input);
}

static int by_host_clock(const void *pa, const void *pb, void *arg)
{
	const struct tm_align_input *v = arg;
	const struct tm_align_input *a = &v[*(const size_t *)pa], *b = &v[*(const size_t *)pb];
	int d = text_cmp(a->id.host, b->id.host);

	return d ? d : text_cmp(a->id.clock, b->id.clock);
}

/* By what they say of CLOCK_REALTIME; those that say nothing first. */
static int by_boot(const void *pa, const void *pb, void *arg)
{
	const struct tm_align_input *v = arg;
	const struct tm_align_input *a = &v[*(const size_t *)pa], *b = &v[*(const size_t *)pb];
	uint64_t x = a->id.realtime.readings ? a->id.realtime.low_ns + 1 : 0;
	uint64_t y = b->id.realtime.readings ? b->id.realtime.low_ns + 1 : 0;
	int d = text_cmp(a->id.clock, b->id.clock);

	return d ? d : (x > y) - (x < y);
}

/* Do the times of two inputs count the same clock? */
static bool one_clock(const struct tm_align_input *a, const struct tm_align_input *b)
{
	return a->id.clock && b->id.clock && !strcmp(a->id.clock, b->id.clock) &&
	       (a->id.rank == b->id.rank ||
	        (a->id.host && b->id.host && !strcmp(a->id.host, b->id.host)));
}

/* Were they counted from the same start?  Hosts that do not say who they are tell by that. */
static bool one_boot(const struct tm_align_input *a, const struct tm_align_input *b)
{
	return a->id.realtime.readings && b->id.realtime.readings && a->id.clock && b->id.clock &&
	       !strcmp(a->id.clock, b->id.clock) &&
	       (!a->id.host || !b->id.host || !strcmp(a->id.host, b->id.host)) &&
	       b->id.realtime.low_ns <= a->id.realtime.high_ns + SAME_BOOT &&
	       a->id.realtime.low_ns <= b->id.realtime.high_ns + SAME_BOOT;
}

/* Those of neighbors in that order that count one clock are of one tree. */
static void unite(const struct tm_align_facts *f, const size_t *order, size_t n,
                  bool (*one)(const struct tm_align_input *a, const struct tm_align_input *b),
                  size_t *up)
{
	for (size_t i = 1; i < n; i++)
		if (one(&f->v[order[i - 1]], &f->v[order[i]]))
			up[tm_align_root(up, order[i])] = tm_align_root(up, order[i - 1]);
}

/* Nodes, by the order of `order` (rank, clock); speakers are the first of each rank on each. */
static void number_nodes(struct align_set *s, const size_t *order, size_t n, size_t *up)
{
	const struct tm_align_input *v = s->f->v, *last = NULL;

	for (size_t i = 0; i < s->f->n; i++)
		s->node[i] = SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		const struct tm_align_input *in = &v[order[i]];
		size_t root = tm_align_root(up, order[i]);
		struct align_node *node;

		if (s->node[root] == SIZE_MAX) {
			s->nodes[s->nnodes] = (struct align_node) { .any = in };
			s->node[root] = s->nnodes++;
		}
		s->node[order[i]] = s->node[root];
		node = &s->nodes[s->node[root]];
		node->host = node->host ? node->host : in->id.host;
		tm_realtime_merge(&node->realtime, &in->id.realtime);
		/* Where nobody says what they count, each file is on its own. */
		if (!last || last->id.rank != in->id.rank || !one_clock(last, in))
			s->speaker[s->nspeakers++] = order[i];
		last = in;
	}
}

static void set_fini(struct align_set *s)
{
	free(s->node);
	free(s->nodes);
	free(s->speaker);
	free(s->edge);
}

static bool set_init(struct align_set *s, const struct tm_align_facts *f, struct tm_store *store)
{
	size_t *order = malloc((f->n + 1) * sizeof *order), *up = malloc((f->n + 1) * sizeof *up);
	size_t n = 0;
	bool ok;

	*s = (struct align_set) { .f = f,
		                  .store = store,
		                  .node = malloc((f->n + 1) * sizeof *s->node),
		                  .nodes = calloc(f->n + 1, sizeof *s->nodes),
		                  .speaker = malloc((f->n + 1) * sizeof *s->speaker) };
	ok = order && up && s->node && s->nodes && s->speaker;
	for (size_t i = 0; ok && i < f->n; i++) {
		up[i] = i;
		if (f->v[i].timed)
			order[n++] = i;
	}
	if (ok && n) {
		/* Whoever compares may not write, but qsort_r says otherwise. */
		struct tm_align_input *v;

		memcpy(&v, &f->v, sizeof v);
		qsort_r(order, n, sizeof *order, by_host_clock, v);
		unite(f, order, n, one_clock, up);
		qsort_r(order, n, sizeof *order, by_boot, v);
		unite(f, order, n, one_boot, up);
		qsort_r(order, n, sizeof *order, by_rank_clock, v);
		unite(f, order, n, one_clock, up);
		number_nodes(s, order, n, up);
	}
	free(order);
	free(up);
	return ok;
}

/* ---- realtime ---- */

/* Lines to CLOCK_REALTIME, and from there to the clock furthest ahead. */
static enum tm_status by_realtime(struct align_set *s, struct tm_diag *d)
{
	int64_t least = 0;

	for (size_t i = 0; i < s->nnodes; i++) {
		struct align_node *node = &s->nodes[i];
		int64_t back;

		if (!node->realtime.readings) {
			tm_diag_set(d, 0,
			            "rank %" PRIu64 " has no snapshot of CLOCK_REALTIME (%.200s)",
			            node->any->id.rank, node->any->id.path);
			return TM_ST_SKIP;
		}
		if (tm_realtime_error(&node->realtime) > MOST_ERROR) {
			tm_diag_set(d, 0,
			            "rank %" PRIu64
			            " has snapshots of CLOCK_REALTIME that are seconds "
			            "apart, of several hosts or from before it was set (%.200s)",
			            node->any->id.rank, node->any->id.path);
			return TM_ST_SKIP;
		}
		node->line = (struct tm_clock_line) { .offset_ns = tm_realtime_middle(
			                                      &node->realtime) };
		back = (int64_t)node->line.offset_ns;
		least = !i || back < least ? back : least;
	}
	for (size_t i = 0; i < s->nnodes; i++)
		s->nodes[i].line.offset_ns -= (uint64_t)least;
	return TM_ST_OK;
}

/* ---- both ---- */

/* A time on the common clock, which may be too early or too late for one. */
static tm_i128 common(const struct align_set *s, size_t input, uint64_t t)
{
	const struct tm_clock_line *line = &s->nodes[s->node[input]].line;

	return (tm_i128)t + (int64_t)line->offset_ns + tm_clock_line_drift(line, t);
}

/* Times stay within 63 bits: none before 0, where drift takes the first ones there, for which all
 * are shifted; none past the end. */
static enum tm_status settle(struct align_set *s, struct tm_diag *d)
{
	tm_i128 up = 0;

	for (size_t i = 0; i < s->f->n; i++)
		if (s->node[i] != SIZE_MAX && common(s, i, s->f->v[i].first_ns) + up < 0)
			up = -common(s, i, s->f->v[i].first_ns);
	for (size_t i = 0; i < s->f->n; i++) {
		const struct tm_align_input *in = &s->f->v[i];
		const struct align_node *node = &s->nodes[s->node[i] == SIZE_MAX ? 0 : s->node[i]];

		if (s->node[i] == SIZE_MAX ||
		    (!(in->last_ns >> 63) && common(s, i, in->last_ns) + up <= INT64_MAX &&
		     node->line.rate > -TM_CLOCK_RATE_MOST && node->line.rate < TM_CLOCK_RATE_MOST))
			continue;
		tm_diag_set(d, 0,
		            "the times of rank %" PRIu64 " are centuries away from the others",
		            in->id.rank);
		return TM_ST_SKIP;
	}
	for (size_t i = 0; i < s->nnodes; i++)
		s->nodes[i].line.offset_ns += (uint64_t)up;
	return TM_ST_OK;
}

/* What was decided, for the store. */
struct plan {
	enum tm_align_how how;
	struct align_set *set;
};

/* The largest error of an input: at its first and last time, and in between. */
static uint64_t worst_error(const struct align_set *s, const struct tm_align_input *in, size_t node)
{
	uint64_t worst = 0;

	for (int k = 0; k <= TM_ALIGN_PARTS; k++) {
		uint64_t at = in->first_ns + (uint64_t)((tm_u128)(in->last_ns - in->first_ns) *
		                                        (unsigned)k / TM_ALIGN_PARTS);
		uint64_t error = tm_align_error(s, node, at);

		worst = error > worst ? error : worst;
	}
	return worst;
}

/* The parts of the comparison that a clock was put in its place by. */
static size_t parts_of(const struct align_set *s, size_t node, struct tm_store_clock_part *out)
{
	const struct align_edge *e;

	if (s->nodes[node].edge == SIZE_MAX)
		return 0;
	e = &s->edge[s->nodes[node].edge];
	for (size_t k = 0; k < e->fit.parts; k++) {
		const struct tm_fit_part *part = &e->fit.part[k];
		uint64_t from = part->from_ns, to = part->to_ns, a, b;

		if (e->a != node) {
			from = tm_clock_line_at(&e->fit.line, from);
			to = tm_clock_line_at(&e->fit.line, to);
		}
		a = tm_align_error(s, node, from);
		b = tm_align_error(s, node, to);
		out[k] = (struct tm_store_clock_part) { .from_ns = from,
			                                .to_ns = to,
			                                .pairs = part->pairs,
			                                .middle_ns = part->middle_ns,
			                                .most_ns = part->most_ns,
			                                .error_ns = a > b ? a : b };
	}
	return e->fit.parts;
}

static void tell_ends(const struct align_set *s, const struct tm_align_input *in, size_t node,
                      struct tm_store_clock *c, struct tm_store_clock_part *part,
                      struct tm_align_done *done)
{
	const struct align_node *n = &s->nodes[node];
	const struct align_edge *e = n->edge == SIZE_MAX ? NULL : &s->edge[n->edge];
	int64_t rate = c->line.rate;

	c->has_residual = true;
	c->residual_ns = worst_error(s, in, node);
	if (done->floor_ns > c->residual_ns)
		c->residual_ns = done->floor_ns;
	c->part = part;
	c->parts = parts_of(s, node, part);
	if ((rate < 0 ? -rate : rate) > (done->rate < 0 ? -done->rate : done->rate)) {
		done->rate = rate;
		done->rate_rank = in->id.rank;
	}
	for (size_t k = 0; k < c->parts; k++)
		if (part[k].error_ns < done->floor_ns)
			part[k].error_ns = done->floor_ns;
	for (size_t k = 0; k < c->parts && c->parts == TM_ALIGN_PARTS; k++) {
		done->parts = TM_ALIGN_PARTS;
		if (part[k].error_ns > done->part_ns[k])
			done->part_ns[k] = part[k].error_ns;
	}
	if (!e)
		return;
	if (!done->collectives || e->matched < done->collectives)
		done->collectives = e->matched;
	done->by_order |= e->by_order;
	if (e->fit.spread_ns > done->middle_ns)
		done->middle_ns = e->fit.spread_ns;
}

static enum tm_status tell(const struct plan *p, struct tm_align_done *done, struct tm_diag *d)
{
	const struct align_set *s = p->set;
	struct tm_store_clock_part part[TM_FIT_PARTS];
	enum tm_status st = TM_ST_OK;

	done->has_residual = true;
	for (size_t i = 0; i < s->f->n && st == TM_ST_OK; i++) {
		const struct tm_align_input *in = &s->f->v[i];
		const struct align_node *node;
		struct tm_store_clock c = { .method = method_words[p->how] };

		if (s->node[i] == SIZE_MAX)
			continue;
		node = &s->nodes[s->node[i]];
		if (p->how != TM_ALIGN_SHARED)
			c.line = node->line;
		if (!c.line.rate)
			c.line.origin_ns = 0;
		if (p->how == TM_ALIGN_REALTIME) {
			/* How well a clock was read says nothing of how well its host keeps it. */
			c.has_residual = done->has_other;
			c.residual_ns = done->has_other ? done->other_ns : 0;
		} else if (p->how == TM_ALIGN_COLLECTIVES) {
			tell_ends(s, in, s->node[i], &c, part, done);
		} else {
			c.has_residual = true;
		}
		if (c.residual_ns > done->residual_ns)
			done->residual_ns = c.residual_ns;
		done->has_residual &= c.has_residual;
		st = tm_store_clock(s->store, in->input, &c, d);
	}
	return st;
}

/* ---- which of them ---- */

/* How far CLOCK_REALTIME is from what collectives say, at worst: `set` is aligned by ends, `other`
 * by CLOCK_REALTIME.  *error: how far the ends may be off themselves. */
static uint64_t disagreement(const struct align_set *set, const struct align_set *other,
                             uint64_t *error)
{
	uint64_t worst = 0;
	tm_i128 base = 0;

	*error = 0;
	/* Both may have chosen another clock to be the common one. */
	for (size_t i = 0; i < set->nnodes; i++)
		if (set->nodes[i].edge == SIZE_MAX)
			base = (int64_t)(other->nodes[i].line.offset_ns -
			                 set->nodes[i].line.offset_ns);
	for (size_t i = 0; i < set->nnodes; i++) {
		const struct tm_align_input *in = set->nodes[i].any;
		const uint64_t at[] = { in->first_ns, in->last_ns };

		for (int k = 0; k < 2; k++) {
			tm_i128 far =
			        (tm_i128)(int64_t)(tm_clock_line_at(&other->nodes[i].line, at[k]) -
			                           tm_clock_line_at(&set->nodes[i].line, at[k])) -
			        base;
			uint64_t e = tm_align_error(set, i, at[k]);

			far = far < 0 ? -far : far;
			if (far > worst)
				worst = far >> 62 ? UINT64_MAX >> 2 : (uint64_t)far;
			*error = e > *error ? e : *error;
		}
	}
	return worst;
}

static bool any_loose(const struct align_set *s)
{
	for (size_t i = 0; i < s->nedges; i++)
		if (s->edge[i].loose)
			return true;
	return false;
}

/* How well CLOCK_REALTIME was read, where all read it more than once. */
static void note_reading(const struct align_set *real, struct tm_align_done *done)
{
	done->has_read = true;
	for (size_t i = 0; i < real->nnodes; i++) {
		const struct tm_realtime *r = &real->nodes[i].realtime;
		uint64_t e = tm_realtime_error(r);

		done->has_read &= r->readings > 1;
		done->read_ns = e > done->read_ns ? e : done->read_ns;
	}
}

/* What collectives say of CLOCK_REALTIME: it is off by that, and by what they may be off
 * themselves.  So theirs is the smaller residual, wherever they match. */
static void cross_check(enum tm_align_how how, struct align_set *ends, struct align_set *real,
                        struct tm_align_done *done)
{
	uint64_t error, far = disagreement(ends, real, &error);

	done->has_other = true;
	done->other_ns = how == TM_ALIGN_REALTIME ? far + error : far;
	/* Ends that may be of different collectives are not sure where the two do not agree. */
	if (how == TM_ALIGN_COLLECTIVES && any_loose(ends) && far > error)
		done->floor_ns = far;
}

static enum tm_status attempt(enum tm_align_how how, struct align_set *s, struct tm_diag *d)
{
	enum tm_status st = how == TM_ALIGN_REALTIME ? by_realtime(s, d) : tm_align_by_ends(s, d);

	return st == TM_ST_OK ? settle(s, d) : st;
}

/* What is possible of both, and of that the better one; TM_ST_SKIP with why neither is. */
static enum tm_status choose(struct align_set *ends, struct align_set *real, struct plan *p,
                             struct tm_align_done *done, struct tm_diag *d)
{
	struct tm_diag first = { 0 }, second = { 0 };
	enum tm_status by_clock = attempt(TM_ALIGN_REALTIME, real, &first), st;

	if (by_clock == TM_ST_FATAL) {
		*d = first;
		return by_clock;
	}
	st = attempt(TM_ALIGN_COLLECTIVES, ends, &second);
	if (st == TM_ST_FATAL) {
		*d = second;
		return st;
	}
	if (st == TM_ST_OK && by_clock == TM_ST_OK)
		cross_check(TM_ALIGN_COLLECTIVES, ends, real, done);
	if (st == TM_ST_OK || by_clock == TM_ST_OK)
		*p = st == TM_ST_OK ? (struct plan) { TM_ALIGN_COLLECTIVES, ends }
		                    : (struct plan) { TM_ALIGN_REALTIME, real };
	else
		tm_diag_set(d, 0, "%s, and %s", first.text, second.text);
	return st == TM_ST_OK || by_clock == TM_ST_OK ? TM_ST_OK : TM_ST_SKIP;
}

/* Several clocks onto one. */
static enum tm_status align_sets(enum tm_align_how how, struct align_set *ends,
                                 struct align_set *real, struct tm_align_done *done,
                                 struct tm_diag *d)
{
	struct plan p = { how, how == TM_ALIGN_REALTIME ? real : ends };
	enum tm_status st = TM_ST_OK;

	if (ends->nnodes < 2)
		p = (struct plan) { TM_ALIGN_SHARED, ends };
	else if (how == TM_ALIGN_AUTO)
		st = choose(ends, real, &p, done, d);
	else
		st = attempt(how, p.set, d);
	if (st == TM_ST_OK && how == TM_ALIGN_REALTIME && ends->nnodes > 1) {
		struct tm_diag why;
		enum tm_status also = attempt(TM_ALIGN_COLLECTIVES, ends, &why);

		if (also == TM_ST_OK)
			cross_check(how, ends, real, done);
		else if (also == TM_ST_FATAL)
			*d = why;
		st = also == TM_ST_FATAL ? also : st;
	}
	if (st != TM_ST_OK)
		return st;
	done->how = p.how;
	if (p.how == TM_ALIGN_REALTIME)
		note_reading(real, done);
	return tell(&p, done, d);
}

enum tm_status tm_align_inputs(enum tm_align_how how, const struct tm_align_facts *f,
                               struct tm_store *s, struct tm_align_done *done, struct tm_diag *d)
{
	struct align_set ends = { 0 }, real = { 0 };
	enum tm_status st = TM_ST_FATAL;

	*done = (struct tm_align_done) { .how = TM_ALIGN_NONE, .several = has_several_ranks(f) };
	if (how == TM_ALIGN_NONE || !done->several)
		return TM_ST_OK;
	if (set_init(&ends, f, s) && set_init(&real, f, s))
		st = align_sets(how, &ends, &real, done, d);
	else
		tm_diag_oom(d);
	if (st == TM_ST_SKIP && how == TM_ALIGN_AUTO) {
		done->why = *d;
		st = TM_ST_OK;
	} else if (st == TM_ST_SKIP) {
		struct tm_diag why = *d;

		tm_diag_set(d, 0, "--align %s is not possible: %s", tm_align_words[how], why.text);
	}
	set_fini(&ends);
	set_fini(&real);
	return st;
}
