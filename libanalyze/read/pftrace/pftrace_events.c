/* SPDX-License-Identifier: MIT
 * Track events to rows.
 *
 * A slice lies open on its lane (sequence and track) from BEGIN to END and is packed into words:
 *     meta, has (two words), at, a value for each bit of has, two words for each counter, and how
 *     many words there are
 * The same words, with the lane in front, wait in a queue where a row cannot be given out at once.
 */
#include "read/pftrace/pftrace_parts.h"

#include <math.h>
#include <stdlib.h>

enum {
	HEAD = 4,          /* words in front of the values */
	META_FLOW = 1,     /* TM_EVC_CORR is a flow id */
	META_KERNEL = 2,   /* annotations that only kernels have were seen */
	META_COPYISH = 4,  /* it has the name of a copy */
	META_LOST_END = 8, /* no END: complete by its annotations */
};

/* Words of the head. */
enum { W_META, W_HAS, W_HAS_HIGH, W_AT };

#define GPU_COLS                                                                                   \
	(TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_QUEUE) | TM_EV_BIT(TM_EVC_STREAM) |            \
	 TM_EV_BIT(TM_EVC_PID) | TM_EV_BIT(TM_EVC_TID))

/* meta: class, domain, flags, counters, gaps of the sequence when it began */
static uint64_t meta_of(unsigned class, unsigned domain, unsigned flags, uint32_t npmc,
                        uint32_t gaps)
{
	return (uint64_t) class | (uint64_t)domain << 8 | (uint64_t)flags << 16 |
	       (uint64_t)npmc << 24 | (uint64_t)gaps << 32;
}

static unsigned meta_class(uint64_t m)
{
	return m & 0xff;
}

static unsigned meta_domain(uint64_t m)
{
	return m >> 8 & 0xff;
}

static unsigned meta_npmc(uint64_t m)
{
	return m >> 24 & 0xff;
}

static tm_ev_set packed_has(const uint64_t *w)
{
	return w[W_HAS] | (tm_ev_set)w[W_HAS_HIGH] << 64;
}

static size_t packed_words(const uint64_t *w)
{
	return HEAD + tm_ev_count(packed_has(w)) + 2 * (size_t)meta_npmc(w[W_META]) + 1;
}

/* A slice, not packed. */
struct slice {
	uint64_t meta, at;
	struct tm_ev_row *row;
	const uint64_t *pmc; /* two words for each of its counters */
};

/* The event at hand. */
static struct slice at_hand(const struct pf *f, uint64_t meta)
{
	return (struct slice) { .meta = meta, .at = f->at, .row = f->row, .pmc = f->pmc };
}

/* At *w, which has room.  Returns the words used. */
static size_t pack(const struct slice *x, uint64_t *w)
{
	const size_t words = 2 * (size_t)meta_npmc(x->meta);
	size_t n = 0;
	enum tm_ev_col c;

	w[n++] = x->meta;
	w[n++] = (uint64_t)x->row->has;
	w[n++] = (uint64_t)(x->row->has >> 64);
	w[n++] = x->at;
	TM_EV_EACH(c, x->row->has)
	w[n++] = x->row->v[c];
	for (size_t i = 0; i < words; i++)
		w[n++] = x->pmc[i];
	n++;
	w[n - 1] = n;
	return n;
}

/* What was packed, its columns into *row. */
static struct slice unpack(struct tm_ev_row *row, const uint64_t *w)
{
	size_t n = HEAD;
	enum tm_ev_col c;

	row->has = packed_has(w);
	TM_EV_EACH(c, row->has)
	row->v[c] = w[n++];
	return (struct slice) { .meta = w[W_META], .at = w[W_AT], .row = row, .pmc = w + n };
}

/* ---- giving rows out ---- */

size_t tm_pf_room(const struct pf *f)
{
	size_t most = 0;

	for (size_t i = 0; i < PF_OUTS; i++) {
		size_t n = tm_ev_rows_n(&f->out[i]);

		most = n > most ? n : most;
	}
	return most < TM_BATCH_ROWS ? (TM_BATCH_ROWS - most) / PF_ROOM : 0;
}

static bool push_words(struct pf_words *q, uint32_t lane, const uint64_t *w, size_t n)
{
	if (!tm_grow_array(&q->w, &q->cap, q->n + n + 1, sizeof *q->w))
		return false;
	q->w[q->n++] = lane;
	memcpy(q->w + q->n, w, n * sizeof *w);
	q->n += n;
	return true;
}

/* Columns that come from the track, unless the event has them. */
static tm_ev_set from_track(unsigned class)
{
	switch (class) {
	case PF_KERNEL:
		return GPU_COLS;
	case PF_COPY:
		return (GPU_COLS & ~TM_EV_BIT(TM_EVC_AGENT)) | TM_EV_BIT(TM_EVC_DST);
	case PF_ALLOC:
		return TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_PID) | TM_EV_BIT(TM_EVC_TID);
	case PF_SAMPLE:
		return TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_PID);
	default:
		return TM_EV_BIT(TM_EVC_PID) | TM_EV_BIT(TM_EVC_TID);
	}
}

/* Does the row lack something that its track could tell? */
static bool lacks_track(const struct pf *f, uint64_t meta, tm_ev_set has)
{
	unsigned class = meta_class(meta), flags = (unsigned)(meta >> 16) & 0xff;
	tm_ev_set lacks = from_track(class == PF_MIXED || class == PF_NONE ? PF_KERNEL : class);

	if (class == PF_NONE && !(flags & META_KERNEL))
		return true;
	if (class == PF_SAMPLE)
		return true;
	return (lacks & f->want & ~has) ||
	       ((flags & META_FLOW) && (f->want & TM_EV_BIT(TM_EVC_CORR)));
}

static void add_track(struct pf *f, const struct pf_track *t, struct tm_ev_row *row, unsigned class,
                      unsigned flags)
{
	tm_ev_set cols = from_track(class) & t->has & f->want & ~row->has;

	for (int k = 0; k < 6; k++)
		if (cols & TM_EV_BIT(tm_pf_track_cols[k]))
			tm_ev_put(row, tm_pf_track_cols[k], t->v[k]);
	if (flags & META_FLOW) {
		/* Flow::ProcessScoped: the correlation id, xor the uuid of the process. */
		uint64_t corr = row->v[TM_EVC_CORR] ^ t->root;

		if (corr >> 48)
			corr = row->v[TM_EVC_CORR];
		row->has &= ~TM_EV_BIT(TM_EVC_CORR);
		if (!(corr >> 48))
			tm_ev_put(row, TM_EVC_CORR, corr);
	}
}

/* What a slice is in the end. */
static unsigned final_class(const struct pf_track *t, uint64_t meta, unsigned *domain)
{
	unsigned class = meta_class(meta), flags = (unsigned)(meta >> 16) & 0xff;

	if (class == PF_NONE && t && t->class != PF_NONE)
		class = t->class;
	if (class == PF_NONE && (flags & META_KERNEL))
		class = PF_KERNEL;
	if (class == PF_MIXED)
		class = (flags & META_COPYISH) && !(flags & META_KERNEL) ? PF_COPY : PF_KERNEL;
	if (class == PF_OPS)
		class = flags & META_COPYISH ? PF_COPY : PF_API;
	if (class == PF_NONE)
		class = PF_API;
	*domain = meta_domain(meta);
	if (class == PF_ALLOC && *domain != TM_DOMAIN_SCRATCH)
		*domain = TM_DOMAIN_ALLOC;
	return class;
}

static bool give_sample(struct pf *f, uint32_t lane, struct tm_ev_row *row)
{
	struct pf_lane *l = &f->lane[lane];
	uint32_t name = tm_pf_counter_name(f, l->track);
	const struct pf_track *t = tm_pf_resolve(f, l->track);
	double v = tm_cell_real(row->v[TM_EVC_VALUE]) * t->mult;

	if (name == TM_NAME_NONE)
		return false;
	if (t->incremental) {
		f->summed = true;
		l->sum += v;
		v = l->sum;
	}
	if (!isfinite(v))
		return true;
	tm_ev_put(row, TM_EVC_VALUE, tm_real_bits(v));
	tm_ev_put(row, TM_EVC_COUNTER, name);
	add_track(f, t, row, PF_SAMPLE, 0);
	return tm_ev_rows_add(&f->out[PF_OUT_COUNTER], row);
}

/* A whole row into its batch, which has room. */
static bool give(struct pf *f, uint32_t lane, const struct slice *x)
{
	struct tm_ev_row *row = x->row;
	uint64_t meta = x->meta;
	unsigned flags = (unsigned)(meta >> 16) & 0xff, class = meta_class(meta), domain;
	const struct pf_track *t = NULL;
	uint32_t npmc = meta_npmc(meta);

	if (class == PF_SAMPLE)
		return give_sample(f, lane, row);
	if (lacks_track(f, meta, row->has))
		t = tm_pf_resolve(f, f->lane[lane].track);
	class = final_class(t, meta, &domain);
	if (t)
		add_track(f, t, row, class, flags);
	switch (class) {
	case PF_KERNEL:
		f->dispatches++;
		if (!tm_ev_rows_add(&f->out[PF_OUT_DISPATCH], row))
			return false;
		for (uint32_t i = 0; i < npmc; i++) {
			tm_ev_put(row, TM_EVC_COUNTER, x->pmc[2 * i]);
			tm_ev_put(row, TM_EVC_VALUE, x->pmc[2 * i + 1]);
			if (!tm_ev_rows_add(&f->out[PF_OUT_COUNTER], row))
				return false;
		}
		return true;
	case PF_COPY:
		return tm_ev_rows_add(&f->out[PF_OUT_COPY], row);
	case PF_ALLOC:
		tm_ev_put(row, TM_EVC_DOMAIN, domain);
		return tm_ev_rows_add(&f->out[PF_OUT_ALLOC], row);
	default:
		tm_ev_put(row, TM_EVC_DOMAIN, domain);
		return tm_ev_rows_add(&f->out[PF_OUT_API], row);
	}
}

/* Row that waits until its track is described. */
static bool wait_for_track(struct pf *f, uint32_t lane, const struct slice *x)
{
	uint64_t w[HEAD + TM_EVC_N + 2 * PF_PMC + 2];

	return push_words(&f->late, lane, w, pack(x, w));
}

/* Is it one of the times below 0 that writers have for those they do not know?  Tracemill has none,
 * but what any trace has, up to 2^64. */
static bool before_epoch(const struct pf *f, uint64_t ns)
{
	return ns >> 63 && !f->drawn;
}

/* A slice that has its end: checked, then given out or queued. */
static bool finish(struct pf *f, uint32_t lane, const struct slice *x, uint64_t end, bool has_end)
{
	const struct pf_track *t = &f->track[f->lane[lane].track];
	struct tm_ev_row *row = x->row;

	if (meta_class(x->meta) == PF_OURS)
		return true;
	if (has_end)
		tm_ev_put(row, TM_EVC_END, end);
	if (!(row->has & TM_EV_BIT(TM_EVC_START)) || !(row->has & TM_EV_BIT(TM_EVC_END))) {
		tm_loss_count(&f->r->loss, TM_LOSS_UNTIMED, 1, x->at);
		return true;
	}
	if (before_epoch(f, row->v[TM_EVC_START] | row->v[TM_EVC_END])) {
		tm_loss_count(&f->r->loss, TM_LOSS_NEGATIVE, 1, x->at);
		return true;
	}
	if (row->v[TM_EVC_END] < row->v[TM_EVC_START]) {
		tm_loss_count(&f->r->loss, TM_LOSS_REVERSED, 1, x->at);
		return true;
	}
	if (!t->described && t->uuid && lacks_track(f, x->meta, row->has))
		return wait_for_track(f, lane, x);
	return give(f, lane, x);
}

bool tm_pf_drain(struct pf *f)
{
	struct pf_words *q = &f->due;

	if (q->at == q->n && f->late.n > PF_LATE) {
		struct pf_words empty = *q;

		*q = f->late;
		empty.n = empty.at = 0;
		f->late = empty;
	}
	while (q->at < q->n && tm_pf_room(f)) {
		const uint64_t *w = q->w + q->at + 1;
		uint32_t lane = (uint32_t)q->w[q->at];
		const struct pf_track *t = &f->track[f->lane[lane].track];
		struct tm_ev_row row;
		struct slice x = unpack(&row, w);

		if (!t->described && t->uuid && lacks_track(f, x.meta, row.has))
			tm_loss_count(&f->r->loss, TM_LOSS_TRACKLESS, 1, x.at);
		if (!give(f, lane, &x))
			return false;
		q->at += 1 + packed_words(w);
	}
	if (q->at == q->n)
		q->at = q->n = 0;
	return true;
}

/* ---- begin and end ---- */

/* The lane of an event; UINT32_MAX when out of memory or, with *many, when there are too many. */
static uint32_t lane_of(struct pf *f, struct pf_seq *s, uint64_t uuid, bool *many)
{
	uint32_t i, track;

	const size_t slot = (size_t)(tm_hash_spread(uuid) & (PF_NEAR - 1));

	*many = false;
	if (s->near[slot].uuid == uuid && s->near[slot].lane)
		return s->near[slot].lane - 1;
	if (!pf_get(f, &s->lanes, uuid, &i)) {
		track = tm_pf_track_of(f, uuid);
		*many = (track == UINT32_MAX && f->ntrack >= PF_TRACKS) || f->nlane >= PF_TRACKS;
		if (*many || track == UINT32_MAX ||
		    !tm_grow_array(&f->lane, &f->lane_cap, f->nlane + 1, sizeof *f->lane) ||
		    !tm_pf_put(f, &s->lanes, uuid, (uint32_t)f->nlane))
			return UINT32_MAX;
		f->lane[f->nlane] = (struct pf_lane) { .track = track };
		i = (uint32_t)f->nlane++;
	}
	s->near[slot].uuid = uuid;
	s->near[slot].lane = i + 1;
	return i;
}

static bool starts(const struct tm_name *nm, const char *with)
{
	size_t n = strlen(with);

	return nm->len >= n && !memcmp(nm->text, with, n);
}

static bool copyish(const struct tm_name *nm)
{
	return starts(nm, "MEMORY_COPY") || starts(nm, "Copy") || starts(nm, "hipMemcpy") ||
	       starts(nm, "Memcpy") || starts(nm, "hsa_amd_memory_async_copy");
}

/* The name of the event; *launch: it launches kernels. */
static bool put_name(struct pf *f, struct pf_seq *s, const struct pf_track_event *e, bool *launch)
{
	uint32_t id;

	*launch = false;
	if (f->row->has & TM_EV_BIT(TM_EVC_NAME))
		return true; /* an annotation has it in full */
	if (e->name.p && e->name.n) {
		id = tm_names_add(&f->r->names, (const char *)e->name.p, e->name.n);
		if (id == TM_NAME_NONE)
			return false;
		*launch = tm_pf_is_launch(e->name.p, e->name.n);
	} else if (e->has_name_iid && pf_get(f, &s->names, e->name_iid, &id)) {
		*launch = id & 1;
		id >>= 1;
	} else {
		tm_loss_count(&f->r->loss, TM_LOSS_UNNAMED, 1, f->at);
		if (!f->unnamed) {
			id = tm_names_add(&f->r->names, "(unnamed)", 9);
			if (id == TM_NAME_NONE)
				return false;
			f->unnamed = id + 1;
		}
		id = f->unnamed - 1;
	}
	tm_ev_put(f->row, TM_EVC_NAME, id);
	return true;
}

/* *f->row made whole for a slice that begins, and its meta word. */
static bool describe(struct pf *f, struct pf_seq *s, const struct pf_track_event *e, bool timed,
                     uint64_t ns, uint64_t *meta)
{
	unsigned class = e->category < 0 ? PF_NONE : tm_pf_categories[e->category].a,
	         domain = e->category < 0 ? TM_DOMAIN_OTHER : tm_pf_categories[e->category].b,
	         flags = 0;
	bool launch;

	if (!put_name(f, s, e, &launch))
		return false;
	if (timed && !(f->row->has & TM_EV_BIT(TM_EVC_START)))
		tm_ev_put(f->row, TM_EVC_START, ns);
	if (f->of_kernel)
		flags |= META_KERNEL;
	if ((class == PF_MIXED || class == PF_OPS || class == PF_NONE) &&
	    copyish(&f->r->names.v[f->row->v[TM_EVC_NAME]]))
		flags |= META_COPYISH;
	if (e->has_flow && (f->want & TM_EV_BIT(TM_EVC_CORR)) &&
	    !(f->row->has & TM_EV_BIT(TM_EVC_CORR))) {
		tm_ev_put(f->row, TM_EVC_CORR, e->flow);
		flags |= META_FLOW;
	}
	if (launch && class == PF_API) {
		if (!f->launches++)
			f->launch_at = f->at;
	}
	if (class != PF_KERNEL && class != PF_MIXED && class != PF_NONE)
		f->npmc = 0;
	*meta = meta_of(class, domain, flags, f->npmc, s->gaps);
	return true;
}

/* Words of a slice when it is packed. */
static size_t words_of(const struct slice *x)
{
	return HEAD + tm_ev_count(x->row->has) + 2 * (size_t)meta_npmc(x->meta) + 1;
}

/* Onto the stack of its lane. */
static bool push(struct pf *f, uint32_t lane, const struct slice *x)
{
	struct pf_lane *l = &f->lane[lane];
	size_t n = words_of(x);

	if (!tm_grow_array(&l->w, &l->cap, l->n + n, sizeof *l->w))
		return false;
	l->n += pack(x, l->w + l->n);
	f->open += n;
	return true;
}

/* The slice that was held. */
static struct slice held(struct pf *f)
{
	return (struct slice) { .meta = f->held.meta,
		                .at = f->held.at,
		                .row = &f->rows[f->row == &f->rows[0]],
		                .pmc = f->pmc };
}

/* What was held is not at its end yet. */
static bool put_down(struct pf *f)
{
	struct slice x = held(f);

	if (!f->held.yes)
		return true;
	f->held.yes = false;
	return push(f, f->held.lane, &x);
}

static bool begin(struct pf *f, struct pf_seq *s, const struct pf_track_event *e, uint32_t lane,
                  bool timed, uint64_t ns)
{
	struct pf_lane *l = &f->lane[lane];
	struct slice x;
	uint64_t meta;

	if (!describe(f, s, e, timed, ns, &meta))
		return false;
	x = at_hand(f, meta);
	if (l->excess || f->open + words_of(&x) > PF_OPEN) {
		l->excess++;
		tm_loss_count(&f->r->loss, TM_LOSS_EXCESS, 1, f->at);
		return true;
	}
	if (f->npmc)
		return push(f, lane, &x);
	f->held.yes = true;
	f->held.lane = lane;
	f->held.meta = meta;
	f->held.at = f->at;
	f->row = &f->rows[f->row == &f->rows[0]];
	return true;
}

/* The END of the slice that was held. */
static bool end_held(struct pf *f, bool timed, uint64_t ns)
{
	struct slice x = held(f);
	bool known = f->row->has & TM_EV_BIT(TM_EVC_END);

	f->held.yes = false;
	if ((x.row->has & TM_EV_BIT(TM_EVC_END)) && !known)
		return finish(f, f->held.lane, &x, 0, false);
	return finish(f, f->held.lane, &x, known ? f->row->v[TM_EVC_END] : ns, known || timed);
}

static uint64_t packed_end(const uint64_t *w)
{
	return w[HEAD + tm_ev_count(packed_has(w) & (TM_EV_BIT(TM_EVC_END) - 1))];
}

/* A slice whose END will not come any more. */
static bool abandon(struct pf *f, uint32_t lane, const uint64_t *w)
{
	if (meta_class(w[W_META]) == PF_OURS)
		return true;
	if (!(packed_has(w) & TM_EV_BIT(TM_EVC_END)) ||
	    !(packed_has(w) & TM_EV_BIT(TM_EVC_START)) ||
	    packed_end(w) < w[HEAD + tm_ev_count(packed_has(w) & (TM_EV_BIT(TM_EVC_START) - 1))] ||
	    before_epoch(f, packed_end(w))) {
		tm_loss_count(&f->r->loss, TM_LOSS_OPEN, 1, w[W_AT]);
		return true;
	}
	return push_words(&f->due, lane, w, packed_words(w));
}

static const uint64_t *pop(struct pf *f, struct pf_lane *l)
{
	size_t n;

	if (!l->n)
		return NULL;
	n = (size_t)l->w[l->n - 1];
	l->n -= n;
	f->open -= n;
	return l->w + l->n;
}

static bool end(struct pf *f, struct pf_seq *s, uint32_t lane, bool timed, uint64_t ns)
{
	struct pf_lane *l = &f->lane[lane];
	bool known = f->row->has & TM_EV_BIT(TM_EVC_END);
	uint64_t at = known ? f->row->v[TM_EVC_END] : ns;
	struct tm_ev_row row;
	struct slice x;
	const uint64_t *w;

	if (l->excess) {
		l->excess--;
		return true;
	}
	while ((w = pop(f, l))) {
		bool has_end = packed_has(w) & TM_EV_BIT(TM_EVC_END),
		     gap = w[W_META] >> 32 != s->gaps;
		unsigned class = meta_class(w[W_META]);

		/* Where packets were dropped meanwhile this may be the END of another one. */
		if (gap && has_end && timed && packed_end(w) != ns) {
			if (!abandon(f, lane, w))
				return false;
			continue;
		}
		if (gap && !has_end &&
		    (class == PF_KERNEL || class == PF_COPY || class == PF_MIXED)) {
			tm_loss_count(&f->r->loss, TM_LOSS_OPEN, 1, w[W_AT]);
			continue;
		}
		x = unpack(&row, w);
		if (has_end && !known)
			return finish(f, lane, &x, 0, false);
		return finish(f, lane, &x, at, known || timed);
	}
	tm_loss_count(&f->r->loss, TM_LOSS_CLOSE, 1, f->at);
	return true;
}

/* A slice in one event: an instant, or a legacy event with a duration. */
static bool single(struct pf *f, struct pf_seq *s, const struct pf_track_event *e, uint32_t lane,
                   bool timed, uint64_t ns, uint64_t duration)
{
	struct slice x;
	uint64_t meta;

	if (!describe(f, s, e, timed, ns, &meta))
		return false;
	x = at_hand(f, meta);
	if (f->row->has & TM_EV_BIT(TM_EVC_END))
		return finish(f, lane, &x, 0, false);
	return finish(f, lane, &x, ns + duration, timed);
}

static bool sample(struct pf *f, const struct pf_track_event *e, uint32_t lane, bool timed,
                   uint64_t ns)
{
	const struct pf_track *t = &f->track[f->lane[lane].track];
	struct slice x = at_hand(f, meta_of(PF_SAMPLE, 0, 0, 0, 0));
	double v = e->real ? tm_cell_real(e->value) : (double)(int64_t)e->value;
	uint64_t until;

	if (t->ours)
		return true;
	if (!e->has_value || !(f->want & (TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE))))
		return true;
	if (!timed) {
		tm_loss_count(&f->r->loss, TM_LOSS_UNTIMED, 1, f->at);
		return true;
	}
	if (before_epoch(f, ns))
		return true; /* rocprofv3 6.2: a sample "5 us before the epoch" */
	until = f->row->has & TM_EV_BIT(TM_EVC_END) && f->row->v[TM_EVC_END] > ns
	                ? f->row->v[TM_EVC_END]
	                : ns;
	f->row->has = 0;
	tm_ev_put(f->row, TM_EVC_START, ns);
	tm_ev_put(f->row, TM_EVC_END, until);
	tm_ev_put(f->row, TM_EVC_VALUE, tm_real_bits(v));
	if (!t->described && t->uuid)
		return wait_for_track(f, lane, &x);
	return give(f, lane, &x);
}

bool tm_pf_event(struct pf *f, struct pf_seq *s, struct tm_span m, bool timed, uint64_t ns)
{
	struct pf_track_event e;
	uint32_t lane;
	bool ok, many;

	if (!tm_pf_read_event(f, s, m, &e, &ok))
		return false;
	if (!ok) {
		tm_loss_count(&f->r->loss, TM_LOSS_DAMAGED, 1, f->at);
		return true;
	}
	lane = lane_of(f, s,
	               e.has_track            ? e.track
	               : s->has_default_track ? s->default_track
	                                      : 0,
	               &many);
	if (lane == UINT32_MAX) {
		if (many)
			tm_loss_count(&f->r->loss, TM_LOSS_EXCESS_TRACKS, 1, f->at);
		return many;
	}
	if (f->held.yes) {
		if (e.type == PF_TYPE_END && lane == f->held.lane && f->held.meta >> 32 == s->gaps)
			return end_held(f, timed, ns);
		if ((e.type == PF_TYPE_BEGIN || e.type == PF_TYPE_END) && !put_down(f))
			return false;
	}
	switch (e.type) {
	case PF_TYPE_BEGIN:
		return begin(f, s, &e, lane, timed, ns);
	case PF_TYPE_END:
		return end(f, s, lane, timed, ns);
	case PF_TYPE_COUNTER:
		return sample(f, &e, lane, timed, ns);
	case PF_TYPE_INSTANT:
		/* Of instants only those of an interface or a marker are events of this model. */
		if (e.complete || (e.category >= 0 && tm_pf_categories[e.category].a == PF_API))
			return single(f, s, &e, lane, timed, ns, e.duration_ns);
		return true;
	default:
		return true;
	}
}

bool tm_pf_idle(const struct pf *f)
{
	if (f->held.yes || f->open || f->due.n || f->late.n || f->summed)
		return false;
	for (size_t i = 0; i < f->nlane; i++)
		if (f->lane[i].excess)
			return false;
	return true;
}

bool tm_pf_end(struct pf *f)
{
	if (!put_down(f))
		return false;
	for (size_t i = 0; i < f->nlane; i++) {
		struct pf_lane *l = &f->lane[i];
		size_t at = 0;

		/* From the bottom of the stack: in the order of the file. */
		while (at < l->n) {
			size_t n = packed_words(l->w + at);

			if (!abandon(f, (uint32_t)i, l->w + at))
				return false;
			at += n;
		}
		l->n = 0;
	}
	for (size_t at = f->late.at; at < f->late.n;) {
		size_t n = packed_words(f->late.w + at + 1);

		if (!push_words(&f->due, (uint32_t)f->late.w[at], f->late.w + at + 1, n))
			return false;
		at += n + 1;
	}
	f->late.n = f->late.at = 0;
	f->open = 0;
	if (f->launches && !f->dispatches)
		for (size_t at = f->due.at; at < f->due.n;
		     at += packed_words(f->due.w + at + 1) + 1)
			f->dispatches += meta_class(f->due.w[at + 1]) == PF_KERNEL;
	/* Of a timeline of ours it says whether its trace had them. */
	if (f->launches && !f->dispatches && !f->part && !f->drawn)
		tm_loss_count(&f->r->loss, TM_LOSS_KERNELS, f->launches, f->launch_at);
	return true;
}
