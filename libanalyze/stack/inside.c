/* SPDX-License-Identifier: MIT */
#include "stack/inside.h"

#include "stack/frames.h"

#include <stdlib.h>
#include <string.h>

/* What a frame is a range of, a bit each. */
enum { OF_REGION = 1, OF_MARKER = 2 };

struct part {
	size_t at, len; /* in tm_inside.parts */
};

struct tm_inside {
	struct tm_inside_opts o;
	struct tm_stack_opts so;
	unsigned need; /* bits */
	struct tm_buf parts;
	struct part *part; /* npart of them */
	size_t npart, part_cap;
	bool anchored;
	struct tm_stack s;
	struct tm_stack_rank *rank; /* nrank of them, ascending */
	size_t nrank, rank_cap;
	unsigned char **of; /* of each thread of s: the bits of each of its frames, or NULL */
	struct tm_buf text;
	struct tm_inside_found found;
};

/* What is read into. */
struct reading {
	struct tm_stack s;
	uint64_t *seen; /* nseen ranks with any event, once or more */
	size_t nseen, seen_cap;
	size_t at, without; /* of them looked at, and at the front without the region */
	uint64_t rank;      /* of the piece being read */
	bool noted;         /* it is among those */
};

static void whole(const void *arg, uint64_t rank, struct tm_extent *w)
{
	(void)arg;
	(void)rank;
	*w = (struct tm_extent) { 0, UINT64_MAX };
}

static const struct tm_stack_opts read_opts = {
	.window = whole, .annotations = true, .by_time = true, .one_by_one = true
};

/* ---- the path ---- */

static bool add_part(struct tm_inside *in, size_t from)
{
	if (!tm_grow_array(&in->part, &in->part_cap, in->npart + 1, sizeof *in->part))
		return false;
	in->part[in->npart++] = (struct part) { from, in->parts.n - from };
	return true;
}

/* False when out of memory. */
static bool split(struct tm_inside *in, const char *p)
{
	size_t from = 0;

	in->anchored = *p == '/';
	for (p += in->anchored; *p; p++) {
		if (*p == '/') {
			if (!add_part(in, from))
				return false;
			from = in->parts.n;
			continue;
		}
		p += *p == '\\' && (p[1] == '/' || p[1] == '\\');
		tm_buf_chr(&in->parts, *p);
	}
	return !in->parts.failed && add_part(in, from);
}

struct tm_inside *tm_inside_new(const struct tm_inside_opts *o)
{
	struct tm_inside *in = calloc(1, sizeof *in);

	if (!in || (o->path && !split(in, o->path))) {
		tm_inside_free(in);
		return NULL;
	}
	in->o = *o;
	in->so = read_opts;
	in->need = (o->path ? OF_REGION : 0) | (o->name ? OF_MARKER : 0);
	return in;
}

void tm_inside_free(struct tm_inside *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->nrank; i++)
		tm_stack_rank_fini(&in->rank[i]);
	for (size_t i = 0; in->of && i < in->s.nthread; i++)
		free(in->of[i]);
	tm_stack_fini(&in->s);
	tm_buf_fini(&in->parts);
	tm_buf_fini(&in->text);
	free(in->part);
	free(in->rank);
	free(in->of);
	free(in);
}

/* ---- reading ---- */

static bool init(void *acc, const void *arg)
{
	struct reading *d = acc;

	*d = (struct reading) { 0 };
	return tm_stack_init(&d->s, &((const struct tm_inside *)arg)->so);
}

static bool note_rank(struct reading *d, uint64_t rank)
{
	if (d->nseen && d->seen[d->nseen - 1] == rank)
		return true;
	if (!tm_grow_array(&d->seen, &d->seen_cap, d->nseen + 1, sizeof *d->seen))
		return false;
	d->seen[d->nseen++] = rank;
	return true;
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct reading *d = acc;

	d->rank = p->id.rank;
	d->noted = false;
	return tm_stack_piece(&d->s, p);
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct reading *d = acc;

	if (b->n && !d->noted && b->kind != TM_EV_AGENT) {
		if (!note_rank(d, d->rank))
			return false;
		d->noted = true;
	}
	return tm_stack_take(&d->s, b);
}

static bool merge(void *into, void *from)
{
	struct reading *d = into, *f = from;

	for (size_t i = 0; i < f->nseen; i++)
		if (!note_rank(d, f->seen[i]))
			return false;
	return tm_stack_merge(&d->s, &f->s);
}

static void fini(void *acc)
{
	tm_stack_fini(&((struct reading *)acc)->s);
	free(((struct reading *)acc)->seen);
}

struct tm_event_sink tm_inside_sink(const struct tm_inside *in)
{
	return (struct tm_event_sink) { .size = sizeof(struct reading),
		                        .arg = in,
		                        .init = init,
		                        .piece = piece,
		                        .take = take,
		                        .merge = merge,
		                        .fini = fini };
}

tm_ev_set tm_inside_want(void)
{
	return tm_stack_want(&read_opts);
}

/* ---- which frames are ranges of it ---- */

/* Is a label that part of the path?  The text is looked at with and without its numbers. */
static bool is_part(struct tm_inside *in, uint32_t label, size_t i)
{
	const struct tm_name *nm = &in->s.names.v[in->s.label[label].name];
	const struct part *p = &in->part[i];
	const char *text = in->parts.p + p->at;

	if (nm->len == p->len && !memcmp(nm->text, text, p->len))
		return true;
	return tm_stack_label_text(&in->s, label, &in->text) && in->text.n == p->len &&
	       !memcmp(in->text.p, text, p->len);
}

/* Does the path of a frame end with the one asked for? */
static bool ends_path(struct tm_inside *in, size_t thread, uint32_t frame)
{
	const struct tm_intervals *s = &in->s.thread[thread].frame[TM_STACK_FRAMES];
	const size_t last = in->npart - 1;
	uint32_t around[TM_STACK_DEPTH], n;
	bool deep = false;

	if (!is_part(in, tm_interval_name(s, frame), last))
		return false;
	n = tm_stack_around(&in->s, thread, frame, around, &deep);
	if (n < last || (in->anchored && (n > last || deep)))
		return false;
	for (size_t i = 0; i < last; i++)
		if (!is_part(in, tm_interval_name(s, around[i]), last - 1 - i))
			return false;
	return true;
}

static bool is_marker(const struct tm_inside *in, uint32_t label)
{
	const struct tm_name *nm = &in->s.names.v[in->s.label[label].name];

	return in->o.name && nm->len == in->o.name_len && !memcmp(nm->text, in->o.name, nm->len);
}

/* A marker of the name asked for. */
struct hit {
	uint64_t start, end;
	size_t thread, frame;
};

static int by_start(const void *pa, const void *pb)
{
	const struct hit *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

struct hits {
	struct hit *v;
	size_t n, cap;
};

/* The frames of a thread that are of the region; the markers of the name into *h. */
static bool mark_thread(struct tm_inside *in, size_t thread, struct hits *h)
{
	const struct tm_intervals *s = &in->s.thread[thread].frame[TM_STACK_FRAMES];
	unsigned char *of = calloc(s->n + 1, sizeof *of);

	in->of[thread] = of;
	if (!of)
		return false;
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t label = tm_interval_name(s, i);

		if (in->s.label[label].kind != TM_STACK_ANNOTATION)
			continue;
		if (in->npart && ends_path(in, thread, i))
			of[i] |= OF_REGION;
		if (!is_marker(in, label))
			continue;
		if (!tm_grow_array(&h->v, &h->cap, h->n + 1, sizeof *h->v))
			return false;
		h->v[h->n++] = (struct hit) { tm_interval_start(s, i), tm_interval_end(s, i),
			                      thread, i };
	}
	return !in->text.failed;
}

/* Has a rank ranges that hold something? */
static bool holds(const struct tm_inside *in, const struct tm_stack_rank *r, unsigned bit,
                  bool mark)
{
	for (size_t t = r->thread_from; t < r->thread_to; t++) {
		const struct tm_intervals *s = &in->s.thread[t].frame[TM_STACK_FRAMES];

		for (size_t i = 0; i < s->n; i++)
			if (in->of[t][i] & bit && mark == !tm_interval_dur(s, i))
				return true;
	}
	return false;
}

static int by_rank(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/* A rank that has the region, or whose region or marker is a mark, is no rank without.  Ranks come
 * in order: of those seen, the ones up to this that are without move to the front. */
static void count_rank(struct tm_inside *in, const struct tm_stack_rank *r, const struct hits *h,
                       struct reading *d)
{
	bool region = !(in->need & OF_REGION) || holds(in, r, OF_REGION, false),
	     marker = !(in->need & OF_MARKER) || holds(in, r, OF_MARKER, false),
	     point = in->need & OF_MARKER
	                     ? region && !marker && h->n > (in->o.index ? in->o.index - 1 : 0)
	                     : !region && holds(in, r, OF_REGION, true);
	uint64_t rank = tm_stack_rank_of(r);

	in->found.ranks += region && marker;
	in->found.points += point;
	for (; d->at < d->nseen && d->seen[d->at] <= rank; d->at++)
		if (d->seen[d->at] < rank || !((region && marker) || point))
			d->seen[d->without++] = d->seen[d->at];
}

static bool mark_rank(struct tm_inside *in, struct tm_stack_rank *r, struct reading *d)
{
	struct hits h = { 0 };
	bool ok = true;

	for (size_t t = r->thread_from; ok && t < r->thread_to; t++)
		ok = mark_thread(in, t, &h);
	if (ok && h.n)
		qsort(h.v, h.n, sizeof *h.v, by_start);
	for (size_t i = 0; ok && i < h.n; i++)
		if (!in->o.index || i + 1 == in->o.index)
			in->of[h.v[i].thread][h.v[i].frame] |= OF_MARKER;
	if (ok)
		count_rank(in, r, &h, d);
	free(h.v);
	return ok && tm_stack_rank_share(r);
}

/* Once each, ascending. */
static void sort_seen(struct reading *d)
{
	size_t n = 0;

	if (d->nseen)
		qsort(d->seen, d->nseen, sizeof *d->seen, by_rank);
	for (size_t i = 0; i < d->nseen; i++)
		if (!n || d->seen[n - 1] != d->seen[i])
			d->seen[n++] = d->seen[i];
	d->nseen = n;
}

bool tm_inside_settle(struct tm_inside *in, void *acc)
{
	struct reading *d = acc;
	size_t thread = 0, track = 0;
	bool done = false, ok;

	in->s = d->s;
	d->s = (struct tm_stack) { 0 };
	sort_seen(d);
	ok = tm_stack_settle(&in->s);
	in->of = calloc(in->s.nthread + 1, sizeof *in->of);
	ok = ok && in->of;
	while (ok && !done) {
		ok = tm_grow_array(&in->rank, &in->rank_cap, in->nrank + 1, sizeof *in->rank);
		if (!ok)
			break;
		ok = tm_stack_rank_next(&in->rank[in->nrank], &in->s, &thread, &track, &done);
		if (!ok)
			tm_stack_rank_fini(&in->rank[in->nrank]);
		else
			ok = mark_rank(in, &in->rank[in->nrank++], d);
	}
	for (; d->at < d->nseen; d->at++)
		d->seen[d->without++] = d->seen[d->at];
	in->found.without = d->without;
	in->found.first_without = d->without ? d->seen[0] : 0;
	return ok || done;
}

struct tm_inside_found tm_inside_found(const struct tm_inside *in)
{
	return in->found;
}

/* ---- events ---- */

static const struct tm_stack_rank *rank_of(const struct tm_inside *in, uint64_t rank)
{
	size_t lo = 0, hi = in->nrank;

	TM_BISECT(lo, hi, mid, tm_stack_rank_of(&in->rank[mid]) < rank);
	return lo < in->nrank && tm_stack_rank_of(&in->rank[lo]) == rank ? &in->rank[lo] : NULL;
}

static uint64_t cell_or_0(const struct tm_batch *b, uint32_t i, enum tm_ev_col c)
{
	return tm_batch_has(b, i, c) ? b->col[c][i] : 0;
}

enum tm_only_inside tm_inside_row(const void *arg, const struct tm_piece *piece,
                                  const struct tm_batch *b, uint32_t i)
{
	const struct tm_inside *in = arg;
	const struct tm_stack_rank *r = rank_of(in, piece->id.rank);
	const bool has_pid = tm_batch_has(b, i, TM_EVC_PID);
	struct tm_stack_op op = {
		.pid = has_pid ? b->col[TM_EVC_PID][i] : piece->process,
		.has_pid = has_pid,
		.tid = cell_or_0(b, i, TM_EVC_TID),
		.has_tid = tm_batch_has(b, i, TM_EVC_TID),
		.external = cell_or_0(b, i, TM_EVC_EXTERNAL),
		.corr = cell_or_0(b, i, TM_EVC_CORR),
		.start = cell_or_0(b, i, TM_EVC_START),
	};
	struct tm_stack_place p;
	bool on_gpu = b->kind == TM_EV_DISPATCH || b->kind == TM_EV_COPY ||
	              b->kind == TM_EV_COUNTER;
	unsigned of = 0;

	if (!tm_batch_has(b, i, TM_EVC_START))
		return TM_ONLY_UNKNOWN;
	if (!r)
		return TM_ONLY_OUTSIDE;
	tm_whose_tell(&in->s.whose, &op.has_pid, &op.pid);
	p.deep = false;
	p.near = 0;
	if (on_gpu)
		tm_stack_find_op(r, &op, &p);
	else
		tm_stack_find_start(r, &op, &p);
	for (size_t k = 0; k < p.n; k++)
		of |= in->of[p.open[k].thread][p.open[k].frame];
	if ((of & in->need) != in->need)
		return TM_ONLY_OUTSIDE;
	return on_gpu && p.how == TM_STACK_BY_TIME ? TM_ONLY_GUESSED : TM_ONLY_INSIDE;
}
