/* SPDX-License-Identifier: MIT
 * What a sequence of packets carries along. */
#include "read/drawn.h"
#include "read/pftrace/pftrace_parts.h"

#include <stdlib.h>

#define CATEGORY(text, class, domain, by)                                                          \
	{ text, sizeof text - 1, PF_##class, TM_DOMAIN_##domain, PF_BY_##by },
const struct pf_word tm_pf_categories[] = {
#include "schemas/pftrace.def"
};
#define ANNOTATION(text, column, how) { text, sizeof text - 1, column, PF_##how, 0 },
const struct pf_word tm_pf_annotations[] = {
#include "schemas/pftrace.def"
};

enum {
	NCATEGORIES = sizeof tm_pf_categories / sizeof *tm_pf_categories,
	NANNOTATIONS = sizeof tm_pf_annotations / sizeof *tm_pf_annotations,
	WORD_SLOTS = 512,
	REALTIME = 1, /* clocks that every trace may name */
	REALTIME_COARSE = 2,
	BOOTTIME = 6,
};

_Static_assert(NCATEGORIES < 254 && NANNOTATIONS < 255, "an index and two more fit a byte");

static uint32_t word_slot(const struct pf *f, const void *p, size_t n)
{
	return (uint32_t)(tm_hash_bytes(f->hash, p, n) % WORD_SLOTS);
}

static void words_init(const struct pf *f, uint8_t *slot, const struct pf_word *w, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t h = word_slot(f, w[i].text, w[i].len);

		while (slot[h])
			h = (h + 1) % WORD_SLOTS;
		slot[h] = (uint8_t)(i + 1);
	}
}

static int word_find(const struct pf *f, const uint8_t *slot, const struct pf_word *w,
                     struct tm_span s)
{
	if (s.n > 32)
		return -1;
	for (uint32_t h = word_slot(f, s.p, s.n); slot[h]; h = (h + 1) % WORD_SLOTS)
		if (w[slot[h] - 1].len == s.n && !memcmp(w[slot[h] - 1].text, s.p, s.n))
			return slot[h] - 1;
	return -1;
}

int tm_pf_category(const struct pf *f, struct tm_span text)
{
	const size_t ours = strlen(TM_DRAWN_OWN);

	if (text.n > ours && !memcmp(text.p, TM_DRAWN_OWN, ours))
		text.n = ours;
	return word_find(f, f->word_of[0], tm_pf_categories, text);
}

int tm_pf_annotation(const struct pf *f, struct tm_span text)
{
	return word_find(f, f->word_of[1], tm_pf_annotations, text);
}

/* Columns that only kernels have. */
#define KERNEL_COLS                                                                                \
	(TM_EV_BIT(TM_EVC_KERNEL_ID) | TM_EV_BIT(TM_EVC_DISPATCH_ID) | TM_EV_BIT(TM_EVC_WG) |      \
	 TM_EV_BIT(TM_EVC_GRID) | TM_EV_BIT(TM_EVC_LDS) | TM_EV_BIT(TM_EVC_VGPR))

bool tm_pf_init(struct pf *f, struct tm_reader *r)
{
	f->r = r;
	f->row = &f->rows[0];
	f->want = r->want | TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) |
	          TM_EV_BIT(TM_EVC_END);
	f->trace_clock = BOOTTIME; /* unless a snapshot says otherwise */
	r->clock = "boottime";
	f->hash = tm_hash_own();
	words_init(f, f->word_of[0], tm_pf_categories, NCATEGORIES);
	words_init(f, f->word_of[1], tm_pf_annotations, NANNOTATIONS);
	for (size_t i = 0; i < NANNOTATIONS; i++) {
		enum tm_ev_col x = tm_pf_annotations[i].a == TM_EVC_WG ? TM_EVC_WG_X
		                                                       : TM_EVC_GRID_X;
		tm_ev_set cols = 0;

		if (tm_pf_annotations[i].a < TM_EVC_N)
			cols = TM_EV_BIT(tm_pf_annotations[i].a);
		if (tm_pf_annotations[i].b == PF_SIZE)
			cols |= TM_EV_BIT(x) | TM_EV_BIT(x + 1) | TM_EV_BIT(x + 2);
		f->annot_wanted[i] = cols & f->want;
		f->annot_of_kernel[i] = cols & KERNEL_COLS;
	}
	f->out[PF_OUT_DISPATCH].b.kind = TM_EV_DISPATCH;
	f->out[PF_OUT_COPY].b.kind = TM_EV_COPY;
	f->out[PF_OUT_API].b.kind = TM_EV_API;
	f->out[PF_OUT_ALLOC].b.kind = TM_EV_ALLOC;
	f->out[PF_OUT_COUNTER].b.kind = TM_EV_COUNTER;
	f->out[PF_OUT_AGENT].b.kind = TM_EV_AGENT;
	return true;
}

/* A copy of its own; false when out of memory. */
static bool table_copy(struct pf_table *to, const struct pf_table *from)
{
	*to = *from;
	if (!from->slot)
		return true;
	to->slot = malloc(sizeof *to->slot << to->bits);
	if (to->slot)
		memcpy(to->slot, from->slot, sizeof *to->slot << to->bits);
	return to->slot != NULL;
}

/* All texts, with the numbers they have there.  `to` is empty. */
static bool names_copy(struct tm_names *to, const struct tm_names *from)
{
	for (uint32_t i = 0; i < from->n; i++)
		if (tm_names_add(to, from->v[i].text, from->v[i].len) != i)
			return false;
	return true;
}

/* A sequence as it is, but for the slices on it. */
static bool sequence_copy(struct pf *f, const struct pf_seq *from)
{
	struct pf_seq *s = malloc(sizeof *s);

	if (!s)
		return false;
	*s = *from;
	s->names = s->cats = s->annots = s->strings = s->lanes = (struct pf_table) { 0 };
	memset(s->near, 0, sizeof s->near);
	f->seq[f->nseq++] = s;
	return table_copy(&s->names, &from->names) && table_copy(&s->cats, &from->cats) &&
	       table_copy(&s->annots, &from->annots) && table_copy(&s->strings, &from->strings);
}

bool tm_pf_init_like(struct pf *f, struct tm_reader *r, const struct pf *from)
{
	if (!tm_pf_init(f, r) || !names_copy(&r->names, &from->r->names) ||
	    !names_copy(&f->texts, &from->texts) || !table_copy(&f->seqs, &from->seqs) ||
	    !table_copy(&f->tracks, &from->tracks) ||
	    !tm_grow_array(&f->seq, &f->seq_cap, from->nseq, sizeof(void *)) ||
	    !tm_grow_array(&f->track, &f->track_cap, from->ntrack, sizeof *f->track))
		return false;
	for (size_t i = 0; i < from->nseq; i++)
		if (!sequence_copy(f, from->seq[i]))
			return false;
	if (from->ntrack)
		memcpy(f->track, from->track, from->ntrack * sizeof *f->track);
	f->ntrack = from->ntrack;
	f->epoch = from->epoch;
	f->trace_clock = from->trace_clock;
	f->nglobal = from->nglobal;
	memcpy(f->global, from->global, sizeof f->global);
	f->discarded = from->discarded;
	f->overwritten = from->overwritten;
	f->lost = from->lost;
	f->weight = from->weight;
	memcpy(f->by, from->by, sizeof f->by);
	f->by_inline = from->by_inline;
	memcpy(f->annot_seen, from->annot_seen, sizeof f->annot_seen);
	f->node = from->node;
	f->drawn = from->drawn;
	r->host = from->r->host ? f->texts.v[f->node - 1].text : NULL;
	r->clock = from->r->clock;
	r->realtime = from->r->realtime;
	return true;
}

void tm_pf_fini(struct pf *f)
{
	for (size_t i = 0; i < f->nseq; i++) {
		free(f->seq[i]->names.slot);
		free(f->seq[i]->cats.slot);
		free(f->seq[i]->annots.slot);
		free(f->seq[i]->strings.slot);
		free(f->seq[i]->lanes.slot);
		free(f->seq[i]);
	}
	for (size_t i = 0; i < f->nlane; i++)
		free(f->lane[i].w);
	tm_ev_rows_fini_all(f->out, PF_OUTS);
	free(f->seq);
	free(f->lane);
	free(f->track);
	free(f->seqs.slot);
	free(f->tracks.slot);
	free(f->due.w);
	free(f->late.w);
	tm_names_fini(&f->texts);
	tm_pf_cold_free(f->cold);
}

/* ------------------------------------------------------------------------ */

static void slot_add(struct pf *f, struct pf_slot *slot, uint32_t bits, uint64_t key, uint32_t val)
{
	uint32_t mask = (1u << bits) - 1, i = (uint32_t)tm_hash_word(f->hash, key) & mask;

	while (slot[i].used && slot[i].key != key)
		i = (i + 1) & mask;
	slot[i] = (struct pf_slot) { key, val, 1 };
}

bool tm_pf_put(struct pf *f, struct pf_table *t, uint64_t key, uint32_t val)
{
	uint32_t old;

	if (pf_get(f, t, key, &old)) {
		slot_add(f, t->slot, t->bits, key, val);
		return true;
	}
	if (!t->slot || t->n >= (1u << t->bits) / 2) {
		uint32_t bits = t->slot ? t->bits + 1 : 5;
		struct pf_slot *slot = bits < 31 ? calloc((size_t)1 << bits, sizeof *slot) : NULL;

		if (!slot)
			return false;
		for (uint32_t i = 0; t->slot && i < 1u << t->bits; i++)
			if (t->slot[i].used)
				slot_add(f, slot, bits, t->slot[i].key, t->slot[i].val);
		free(t->slot);
		t->slot = slot;
		t->bits = bits;
	}
	slot_add(f, t->slot, t->bits, key, val);
	t->n++;
	return true;
}

/* Empty it.  A large one is freed, so that clearing costs no more than filling did. */
static void table_clear(struct pf_table *t)
{
	if (t->n && t->bits <= 10) {
		memset(t->slot, 0, sizeof *t->slot << t->bits);
		t->n = 0;
	} else if (t->n) {
		free(t->slot);
		*t = (struct pf_table) { 0 };
	}
}

struct pf_seq *tm_pf_sequence(struct pf *f, uint32_t machine, uint32_t id, bool *many)
{
	uint64_t key = (uint64_t)machine << 32 | id;
	struct pf_seq *s;
	uint32_t i;

	*many = false;
	if (f->last_seq && f->last_seq_key == key)
		return f->last_seq;
	if (pf_get(f, &f->seqs, key, &i)) {
		s = f->seq[i];
	} else {
		*many = f->nseq >= PF_SEQS;
		if (*many || !tm_grow_array(&f->seq, &f->seq_cap, f->nseq + 1, sizeof(void *)))
			return NULL;
		s = calloc(1, sizeof *s);
		if (!s || !tm_pf_put(f, &f->seqs, key, (uint32_t)f->nseq)) {
			free(s);
			return NULL;
		}
		f->seq[f->nseq++] = s;
	}
	f->last_seq = s;
	f->last_seq_key = key;
	return s;
}

void tm_pf_clear(struct pf_seq *s)
{
	table_clear(&s->names);
	table_clear(&s->cats);
	table_clear(&s->annots);
	memset(s->quick, 0, sizeof s->quick);
	memset(s->quick_cat, 0, sizeof s->quick_cat);
	table_clear(&s->strings);
	s->has_default_track = false;
	s->default_clock = 0;
	s->cleared = true;
}

void tm_pf_gap(struct pf_seq *s)
{
	s->gaps++;
	for (unsigned i = 0; i < s->nclock; i++)
		if (s->clock[i].incremental)
			s->clock[i].known = false;
}

static bool seen(const struct pf *f, const char *annotation)
{
	struct tm_span s = { (const unsigned char *)annotation, strlen(annotation) };
	int word = tm_pf_annotation(f, s);

	return word >= 0 && f->annot_seen[word];
}

const char *tm_pf_producer(const struct pf *f)
{
	int n = 0;

	if (f->by[PF_BY_TM])
		return TM_DRAWN_BY;
	for (int i = 0; i < PF_BYS; i++)
		n += f->by[i];
	if (n != 1)
		return NULL; /* a program of its own, or several after one another */
	if (f->by[PF_BY_SYS])
		return "rocprof-sys";
	if (f->by[PF_BY_OMNITRACE])
		return "omnitrace";
	if (f->by[PF_BY_V2])
		return "rocprofv2";
	/* rocprofv3 interns its categories. */
	if (f->by_inline)
		return "rocpd convert";
	/* Annotations that 7.0 brought, for kernels or calls, and one that it took away. */
	if (seen(f, "Scratch_Size") || seen(f, "agent_type") || seen(f, "ancestor_id") ||
	    seen(f, "stream_ID"))
		return "rocprofv3 7.0 or later";
	return seen(f, "private_segment_size") ? "rocprofv3 6.2-6.4" : "rocprofv3 6.2 or later";
}

/* ------------------------------------------------------------------------ */

bool tm_pf_is_launch(const unsigned char *p, size_t n)
{
	return n > 9 && !memcmp(p, "hip", 3) &&
	       (memmem(p, n, "LaunchKernel", 12) || memmem(p, n, "LaunchCooperativeKernel", 23) ||
	        (n == 14 && !memcmp(p, "hipGraphLaunch", 14)));
}

/* One entry of a table of texts: its number and its text. */
static bool entry(struct tm_span m, uint64_t *iid, struct tm_span *text)
{
	struct wire w = wire_of(m);
	struct wire_field fd;
	bool has = false;

	*text = (struct tm_span) { m.p, 0 };
	while (wire_next(&w, &fd) > 0) {
		if (fd.tag == WIRE_TAG(1, WIRE_VARINT)) {
			*iid = fd.v;
			has = true;
		} else if (fd.tag == WIRE_TAG(2, WIRE_BYTES)) {
			*text = wire_span(&fd);
		}
	}
	return has;
}

/* The entry of pf_seq.quick for an annotation. */
static uint16_t quick(const struct pf *f, uint32_t val)
{
	if (val >= PF_WORDS)
		return 0;
	return (uint16_t)((val + 1) |
	                  (tm_pf_annotations[val].b == PF_NUMBER ? PF_QUICK_NUMBER : 0) |
	                  (f->annot_wanted[val] ? PF_QUICK_WANTED : 0) |
	                  (f->annot_of_kernel[val] ? PF_QUICK_KERNEL : 0));
}

bool tm_pf_interned(struct pf *f, struct pf_seq *s, struct tm_span m)
{
	struct wire w = wire_of(m);
	struct wire_field fd;

	while (wire_next(&w, &fd) > 0) {
		struct pf_table *t;
		struct tm_span text;
		uint64_t iid = 0;
		uint32_t val;
		int word;

		if (fd.tag == WIRE_TAG(2, WIRE_BYTES))
			t = &s->names;
		else if (fd.tag == WIRE_TAG(1, WIRE_BYTES))
			t = &s->cats;
		else if (fd.tag == WIRE_TAG(3, WIRE_BYTES))
			t = &s->annots;
		else if (fd.tag == WIRE_TAG(29, WIRE_BYTES))
			t = &s->strings;
		else
			continue;
		if (!entry(wire_span(&fd), &iid, &text))
			continue;
		if (t == &s->cats) {
			val = (uint32_t)(tm_pf_category(f, text) + 1);
			if (val)
				f->by[tm_pf_categories[val - 1].by] = true;
		} else if (t == &s->annots && (word = tm_pf_annotation(f, text)) >= 0) {
			val = (uint32_t)word;
			f->annot_seen[word] = true;
		} else {
			val = tm_names_add(t == &s->strings ? &f->texts : &f->r->names,
			                   (const char *)text.p, text.n);
			if (val >= UINT32_MAX / 2)
				return false;
			if (t == &s->names)
				val = val << 1 | tm_pf_is_launch(text.p, text.n);
			else if (t == &s->annots)
				val += PF_WORDS;
		}
		if (t == &s->cats && iid < 128)
			s->quick_cat[iid] = (uint8_t)(val + 1);
		if (t == &s->annots && iid < 128)
			s->quick[iid] = quick(f, val);
		if (!tm_pf_put(f, t, iid, val))
			return false;
	}
	return true;
}

void tm_pf_defaults(struct pf_seq *s, const struct pf_packet_defaults *d)
{
	s->default_clock = d->clock;
	s->has_default_track = d->has_track;
	s->default_track = d->track;
}

/* ------------------------------------------------------------------------ */

static bool scoped(uint32_t id)
{
	return id >= 64 && id < 128;
}

static bool global_time(const struct pf *f, uint32_t id, uint64_t ts, uint64_t *ns)
{
	*ns = ts;
	if (id == f->trace_clock || !id)
		return true;
	for (unsigned i = 0; i < f->nglobal; i++)
		if (f->global[i].id == id) {
			*ns = ts + f->global[i].offset;
			return true;
		}
	return false;
}

static void set_global(struct pf *f, uint32_t id, uint64_t offset)
{
	unsigned i = 0;

	while (i < f->nglobal && f->global[i].id != id)
		i++;
	if (i == PF_GLOBALS)
		return;
	f->global[i].id = id;
	f->global[i].offset = offset;
	f->nglobal += i == f->nglobal;
}

static void set_scoped(struct pf_seq *s, const struct pf_reading *r, uint64_t base)
{
	unsigned i = 0;

	while (i < s->nclock && s->clock[i].id != r->id)
		i++;
	if (i == PF_CLOCKS)
		return;
	s->clock[i] = (struct pf_clock) {
		.id = r->id,
		.incremental = r->incremental,
		.known = true,
		.mult = r->mult,
		.run = r->ts * r->mult,
		.own_base = r->ts * r->mult,
		.base = base,
	};
	s->nclock += i == s->nclock;
}

/* What the clock of the trace is called. */
static const char *clock_word(uint32_t id)
{
	static const char *const words[] = { NULL, "realtime",      NULL,      "monotonic",
		                             NULL, "monotonic_raw", "boottime" };

	return id < sizeof words / sizeof *words ? words[id] : NULL;
}

void tm_pf_snapshot(struct pf *f, struct pf_seq *s, const struct pf_clocks *c)
{
	const struct pf_reading *all = c->v;
	unsigned n = c->n;
	bool known = false;
	uint64_t now = 0;

	if (c->primary && c->primary < 64 && f->trace_clock != c->primary) {
		f->trace_clock = c->primary;
		f->nglobal = 0;
		f->r->clock = clock_word(f->trace_clock);
		f->r->realtime = (struct tm_realtime) { 0 };
	}
	/* What time is it on the clock of the trace?  It is in the snapshot itself, or follows from
	 * a clock that was compared with it before. */
	for (unsigned i = 0; i < n && !known; i++)
		if (all[i].id == f->trace_clock) {
			now = all[i].ts * all[i].mult;
			known = true;
		}
	for (unsigned i = 0; i < n && !known; i++)
		if (!scoped(all[i].id) && all[i].id && all[i].id != REALTIME &&
		    all[i].id != REALTIME_COARSE)
			known = global_time(f, all[i].id, all[i].ts * all[i].mult, &now);
	for (unsigned i = 0; i < n && known; i++)
		if (all[i].id == REALTIME)
			tm_realtime_add(&f->r->realtime, all[i].ts * all[i].mult, now);
	/* Last of all by CLOCK_REALTIME itself, which says nothing new about it. */
	for (unsigned i = 0; i < n && !known; i++)
		if (all[i].id == REALTIME || all[i].id == REALTIME_COARSE)
			known = global_time(f, all[i].id, all[i].ts * all[i].mult, &now);
	if (!known)
		return;
	for (unsigned i = 0; i < n; i++) {
		if (scoped(all[i].id))
			set_scoped(s, &all[i], now);
		else if (all[i].id && all[i].id != f->trace_clock)
			set_global(f, all[i].id, now - all[i].ts * all[i].mult);
	}
}

bool tm_pf_time_counts(const struct pf_seq *s, const struct pf_stamp *p)
{
	uint32_t id = p->has_clock ? p->clock : s->default_clock;

	for (unsigned i = 0; i < s->nclock; i++)
		if (s->clock[i].id == id && s->clock[i].incremental)
			return true;
	return false;
}

bool tm_pf_time(struct pf *f, struct pf_seq *s, const struct pf_stamp *p, uint64_t *ns)
{
	uint32_t id = p->has_clock ? p->clock : s->default_clock ? s->default_clock : 6;

	if (!p->has_ts)
		return false;
	if (!scoped(id)) {
		/* Without any snapshot (some writers make none) all built-in clocks are taken as
		 * one. */
		return global_time(f, id, p->ts, ns) || id < 64;
	}
	for (unsigned i = 0; i < s->nclock; i++) {
		struct pf_clock *c = &s->clock[i];

		if (c->id != id)
			continue;
		if (c->incremental)
			c->run += p->ts * c->mult;
		*ns = c->base + ((c->incremental ? c->run : p->ts * c->mult) - c->own_base);
		return c->known;
	}
	return false;
}
