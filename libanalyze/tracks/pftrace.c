/* SPDX-License-Identifier: MIT
 * The pen for Perfetto: TrackEvent packets, interned, with times that count from the packet before,
 * in bundles, of which threads compress several at a time.  Field numbers are those of
 * schemas/perfetto.proto.
 *
 * The timeline of four ranks of Mixtral-8x7B, 64,096 slices with all arguments, takes 64.3 bytes a
 * slice, 11.0 compressed.  Of these, an end takes 15.0 and a value of a counter 22.2; correlation
 * ids take 6.6 (2.6 compressed), arrows 4.0 (1.5), sizes and registers 4.3 (0.4), threads 2.7,
 * agents and queues 2.0 each (less than 0.1).  Times take 6.0 and do not compress (5.0). */
#include "io/io.h"
#include "read/read.h"
#include "render/render.h"
#include "tracks/tracks_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BUNDLE = 450 * 1024, /* Perfetto takes 512 KB, what is put around the packets included */
	BUNDLES = 16,        /* compressed at a time, at most */
	CLOCK_BOOT = 6,
	CLOCK_DELTA = 64,
	EXPLICIT = 3, /* children in the order of their ranks */
	TYPE_BEGIN = 1,
	TYPE_END = 2,
	TYPE_COUNTER = 4,
};

/* What a text is known by in the packets of a section. */
struct iid {
	uint32_t section, iid;
};

/* Numbers of texts of one sort. */
struct iids {
	struct iid *v;
	uint32_t n; /* numbers given in this section */
};

enum texts { TEXT_CATEGORY, TEXT_NAME, TEXT_FULL, TEXT_VALUE, TEXT_ARG, TEXT_COLOUR, TEXTS };

/* The field of InternedData that holds it. */
static const unsigned text_field[TEXTS] = { 1, 2, 29, 29, 3, 43 };

enum { COLOURS = 64 };

/* Packets that are compressed together, alone or by threads beside others. */
struct bundle {
	struct tm_buf raw, packed;
};

struct pen {
	struct track_pen pen; /* first */
	const struct track_store *s;
	const struct tm_classes *classes;
	uint32_t section; /* 0 = not begun */
	uint64_t now;
	struct iids of[TEXTS];
	uint32_t strings; /* numbers of TEXT_FULL and TEXT_VALUE, which share a table */
	struct tm_names values;
	size_t values_cap;
	uint8_t *color; /* of each name: 0 = not known yet, else 1 + its place in tm_hues */
	struct bundle bundle[BUNDLES]; /* `closed` of them, and the one at hand */
	unsigned closed, jobs;
	struct tm_buf packet, event, interned, part, text, full;
};

/* ---- bytes ---- */

static void put_varint(struct tm_buf *b, uint64_t v)
{
	char c[10];
	size_t n = 0;

	for (; v > 127; v >>= 7)
		c[n++] = (char)(v | 128);
	c[n++] = (char)v;
	tm_buf_add(b, c, n);
}

static void put_number(struct tm_buf *b, unsigned field, uint64_t v)
{
	put_varint(b, (uint64_t)field << 3);
	put_varint(b, v);
}

static void put_bytes(struct tm_buf *b, unsigned field, const char *p, size_t n)
{
	put_varint(b, (uint64_t)field << 3 | 2);
	put_varint(b, n);
	tm_buf_add(b, p, n);
}

static void put_fixed(struct tm_buf *b, unsigned field, uint64_t v)
{
	char c[8];

	for (int i = 0; i < 8; i++)
		c[i] = (char)(v >> 8 * i);
	put_varint(b, (uint64_t)field << 3 | 1);
	tm_buf_add(b, c, sizeof c);
}

static bool failed(const struct pen *p)
{
	return p->pen.out.failed || p->bundle[p->closed].raw.failed || p->packet.failed ||
	       p->event.failed || p->interned.failed || p->part.failed || p->text.failed ||
	       p->full.failed;
}

static bool compress(void *arg, size_t i)
{
	struct bundle *b = &((struct pen *)arg)->bundle[i];

	return tm_deflate(&b->packed, b->raw.p, b->raw.n);
}

/* The bundles that are closed go out, in their order. */
static bool put_bundles(struct pen *p)
{
	if (!tm_each(compress, p, p->closed, p->jobs))
		return false;
	for (unsigned i = 0; i < p->closed; i++) {
		struct bundle *b = &p->bundle[i];

		tm_buf_clear(&p->text);
		put_bytes(&p->text, 50, b->packed.p, b->packed.n);
		put_bytes(&p->pen.out, 1, p->text.p ? p->text.p : "", p->text.n);
		tm_buf_clear(&b->raw);
		tm_buf_clear(&b->packed);
	}
	p->closed = 0;
	return !failed(p);
}

/* No packet comes to those gathered. */
static bool close_bundle(struct pen *p)
{
	if (!p->bundle[p->closed].raw.n || failed(p))
		return !failed(p);
	return ++p->closed < p->jobs || put_bundles(p);
}

/* p->packet is whole: into the bundle, or, with `bare`, as it is. */
static bool put_packet(struct pen *p, bool bare)
{
	const size_t n = p->packet.n;
	bool ok = true;

	p->pen.bytes += n + 2 + (n > 127) + (n > 16383);
	bare |= n > BUNDLE;
	if (p->pen.compress) {
		if (p->bundle[p->closed].raw.n + n > BUNDLE || bare)
			ok = close_bundle(p) && (!bare || put_bundles(p));
		put_bytes(bare ? &p->pen.out : &p->bundle[p->closed].raw, 1, p->packet.p, n);
	}
	tm_buf_clear(&p->packet);
	return ok && !failed(p);
}

/* ---- texts ---- */

/* The number of a text, told in the packet at hand where this section has not told it. */
static uint32_t number_of(struct pen *p, enum texts sort, size_t id, const char *text, size_t len)
{
	struct iid *x = &p->of[sort].v[id];
	uint32_t *n = sort == TEXT_FULL || sort == TEXT_VALUE ? &p->strings : &p->of[sort].n;

	if (x->section == p->section)
		return x->iid;
	*x = (struct iid) { p->section, ++*n };
	tm_buf_clear(&p->part);
	put_number(&p->part, 1, x->iid);
	put_bytes(&p->part, 2, text, len);
	put_bytes(&p->interned, text_field[sort], p->part.p ? p->part.p : "", p->part.n);
	return x->iid;
}

/* Is the number of that text known in this section? */
static bool told(const struct pen *p, enum texts sort, size_t id)
{
	return p->of[sort].v[id].section == p->section;
}

/* A text that some rows share, as a value; 0 when out of memory. */
static uint32_t value_number(struct pen *p, const char *text, size_t len)
{
	uint32_t before = p->values.n, id = tm_names_add(&p->values, text, len);

	if (id == TM_NAME_NONE || !tm_grow_array(&p->of[TEXT_VALUE].v, &p->values_cap,
	                                         (size_t)id + 1, sizeof(struct iid)))
		return 0;
	if (id == before)
		p->of[TEXT_VALUE].v[id] = (struct iid) { 0 };
	return number_of(p, TEXT_VALUE, id, text, len);
}

/* ---- events ---- */

/* The event in p->event, with what it tells of texts, at a time. */
static bool put_event(struct pen *p, uint64_t at)
{
	put_number(&p->packet, 8, at - p->now);
	put_number(&p->packet, 10, p->section);
	put_number(&p->packet, 13, 2);
	if (p->interned.n)
		put_bytes(&p->packet, 12, p->interned.p, p->interned.n);
	put_bytes(&p->packet, 11, p->event.p, p->event.n);
	tm_buf_clear(&p->interned);
	tm_buf_clear(&p->event);
	p->now = at;
	return put_packet(p, false);
}

static bool say_number(void *pen, unsigned arg, const char *name, uint64_t v)
{
	struct pen *p = pen;
	const uint32_t iid = number_of(p, TEXT_ARG, arg, name, strlen(name));

	tm_buf_clear(&p->part);
	put_number(&p->part, 1, iid);
	put_number(&p->part, 3, v);
	put_bytes(&p->event, 4, p->part.p ? p->part.p : "", p->part.n);
	return true;
}

/* A text by its number, which is not 0 unless memory ran out. */
static bool say_value(struct pen *p, unsigned arg, const char *name, uint32_t value)
{
	const uint32_t iid = number_of(p, TEXT_ARG, arg, name, strlen(name));

	tm_buf_clear(&p->part);
	put_number(&p->part, 1, iid);
	put_number(&p->part, 17, value);
	put_bytes(&p->event, 4, p->part.p ? p->part.p : "", p->part.n);
	return value != 0;
}

static bool say_text(void *pen, unsigned arg, const char *name, const char *text, size_t n)
{
	return say_value(pen, arg, name, value_number(pen, text, n));
}

/* What the row is called and, where that is shorter, what it is called in full. */
static bool put_names(struct pen *p, const struct track_slice *s, const char *shown, bool known)
{
	const struct track_row *r = s->row;
	const size_t shown_id = tm_track_name_id(p->s, r), id = r->name;
	const char *full = "";

	put_number(&p->event, 10,
	           number_of(p, TEXT_NAME, shown_id, shown, known ? 0 : strlen(shown)));
	if (r->what != WHAT_KERNEL || r->name == TM_NAME_NONE || s->args == TM_TRACKS_NONE)
		return true;
	if (!told(p, TEXT_FULL, id)) {
		full = tm_track_name(&p->full, p->s, r, TM_NAME_FULL);
		if (!full)
			return false;
		if (!known && !strcmp(shown, full))
			p->of[TEXT_FULL].v[id] = (struct iid) { p->section, 0 };
	}
	if (told(p, TEXT_FULL, id) && !p->of[TEXT_FULL].v[id].iid)
		return true; /* it is the same */
	return say_value(p, ARG_FULL_, "Full Kernel Name",
	                 number_of(p, TEXT_FULL, id, full, strlen(full)));
}

/* The color of a kernel's class. */
static bool put_color(struct pen *p, const struct track_row *r)
{
	uint8_t *known = &p->color[r->name];

	if (!*known) {
		const char *class_name = TM_CLASS_UNKNOWN;

		const char *full = tm_track_name(&p->full, p->s, r, TM_NAME_FULL);

		if (p->classes && full)
			class_name = tm_classes_of(p->classes, full, NULL);
		if (!class_name || !full)
			return false;
		*known = (uint8_t)(1 + (tm_hue_of(class_name, strlen(class_name)) - tm_hues));
	}
	put_number(&p->event, 54,
	           number_of(p, TEXT_COLOUR, *known, tm_hues[*known - 1].perfetto,
	                     strlen(tm_hues[*known - 1].perfetto)));
	return true;
}

static bool pen_open(struct track_pen *pen, uint64_t at, const struct track_slice *s)
{
	struct pen *p = (struct pen *)pen;
	const struct track_row *r = s->row;
	const unsigned category = tm_track_category(p->s, s);
	const char *word = tm_track_category_text(category), *shown = "";
	const bool merged = s->item->count > 1,
	           known = !merged && told(p, TEXT_NAME, tm_track_name_id(p->s, r));
	bool ok = true;

	if (!known && !merged && !(shown = tm_track_name(&p->text, p->s, r, TM_NAME_BASE)))
		return false;
	put_number(&p->event, 9, TYPE_BEGIN);
	put_number(&p->event, 11, s->lane->uuid);
	put_number(&p->event, 3, number_of(p, TEXT_CATEGORY, category, word, strlen(word)));
	if (merged) {
		char text[40];
		int n = snprintf(text, sizeof text, "%u short ones", (unsigned)s->item->count);

		put_bytes(&p->event, 23, text, (size_t)n);
		say_number(p, ARG_COUNT_, tm_track_arg_name(ARG_COUNT_), s->item->count);
		say_number(p, ARG_BUSY_, tm_track_arg_name(ARG_BUSY_), s->item->busy);
		return put_event(p, at);
	}
	ok = put_names(p, s, shown, known);
	if (ok)
		ok = tm_track_tell(p->s, s, &(struct track_saying) { p, say_number, say_text });
	for (size_t i = 0; i < s->nlink; i++)
		put_fixed(&p->event, s->link[i].ends ? 48 : 47, s->link[i].id);
	if (ok && r->what == WHAT_KERNEL && r->name != TM_NAME_NONE)
		ok = put_color(p, r);
	return ok && put_event(p, at);
}

static bool pen_close(struct track_pen *pen, uint64_t at, const struct track_slice *s)
{
	struct pen *p = (struct pen *)pen;

	put_number(&p->event, 9, TYPE_END);
	put_number(&p->event, 11, s->lane->uuid);
	return put_event(p, at);
}

static bool pen_value(struct track_pen *pen, uint64_t at, uint64_t end,
                      const struct track_lane *lane, double v)
{
	struct pen *p = (struct pen *)pen;

	put_number(&p->event, 9, TYPE_COUNTER);
	put_number(&p->event, 11, lane->uuid);
	if (end > at)
		say_number(p, ARG_END_, "end_ns", end);
	if (v >= 0 && v < 9007199254740992.0 && (double)(uint64_t)v == v)
		put_number(&p->event, 30, (uint64_t)v);
	else
		put_fixed(&p->event, 44, tm_real_bits(v));
	return put_event(p, at);
}

/* ---- tracks ---- */

static bool pen_node(struct track_pen *pen, const struct track_node_of *n)
{
	struct pen *p = (struct pen *)pen;
	const size_t len = strlen(n->name);

	tm_buf_clear(&p->event);
	put_number(&p->event, 1, n->uuid);
	if (n->node == NODE_PROCESS) {
		tm_buf_clear(&p->part);
		put_number(&p->part, 1, n->pid);
		put_bytes(&p->part, 6, n->name, len);
		put_bytes(&p->event, 3, p->part.p ? p->part.p : "", p->part.n);
	} else {
		put_bytes(&p->event, 2, n->name, len);
	}
	if (n->parent)
		put_number(&p->event, 5, n->parent);
	if (n->node == NODE_COUNTER) {
		tm_buf_clear(&p->part);
		if (n->unit.unit)
			put_number(&p->part, 3, n->unit.unit);
		if (n->unit.word)
			put_bytes(&p->part, 6, n->unit.word, strlen(n->unit.word));
		if (n->ours)
			put_bytes(&p->part, 7, TM_DRAWN_AXIS, strlen(TM_DRAWN_AXIS));
		put_bytes(&p->event, 8, p->part.p ? p->part.p : "", p->part.n);
	}
	if (n->node == NODE_GROUP)
		put_number(&p->event, 11, EXPLICIT);
	put_number(&p->event, 12, n->place);
	if (n->about)
		put_bytes(&p->event, 14, n->about, strlen(n->about));
	put_bytes(&p->packet, 60, p->event.p ? p->event.p : "", p->event.n);
	tm_buf_clear(&p->event);
	return put_packet(p, !p->section);
}

/* A sequence of packets of its own: from here on times count from `first`, and no text is known. */
static bool pen_section(struct track_pen *pen, size_t nth, uint64_t first)
{
	struct pen *p = (struct pen *)pen;

	p->section = (uint32_t)nth + TM_DRAWN_FIRST_RANK - 1;
	p->now = first;
	p->strings = 0;
	for (int i = 0; i < TEXTS; i++)
		p->of[i].n = 0;
	put_number(&p->packet, 10, p->section);
	put_number(&p->packet, 13, 1);
	put_number(&p->packet, 8, first);
	put_number(&p->packet, 58, CLOCK_BOOT);
	tm_buf_clear(&p->event);
	for (int i = 0; i < 2; i++) {
		tm_buf_clear(&p->part);
		put_number(&p->part, 1, i ? CLOCK_DELTA : CLOCK_BOOT);
		put_number(&p->part, 2, first);
		if (i)
			put_number(&p->part, 3, 1);
		put_bytes(&p->event, 1, p->part.p ? p->part.p : "", p->part.n);
	}
	put_bytes(&p->packet, 6, p->event.p ? p->event.p : "", p->event.n);
	tm_buf_clear(&p->event);
	put_number(&p->event, 58, CLOCK_DELTA);
	put_bytes(&p->packet, 59, p->event.p ? p->event.p : "", p->event.n);
	tm_buf_clear(&p->event);
	return put_packet(p, false);
}

/* ---- the pen ---- */

static void pen_free(struct track_pen *pen)
{
	struct pen *p = (struct pen *)pen;

	if (!p)
		return;
	for (int i = 0; i < TEXTS; i++)
		free(p->of[i].v);
	free(p->color);
	tm_names_fini(&p->values);
	tm_buf_fini(&p->pen.out);
	for (int i = 0; i < BUNDLES; i++) {
		tm_buf_fini(&p->bundle[i].raw);
		tm_buf_fini(&p->bundle[i].packed);
	}
	tm_buf_fini(&p->packet);
	tm_buf_fini(&p->event);
	tm_buf_fini(&p->interned);
	tm_buf_fini(&p->part);
	tm_buf_fini(&p->text);
	tm_buf_fini(&p->full);
	free(p);
}

static struct track_pen *pen_begin(const struct track_store *s, const struct tm_metric_opts *o,
                                   uint64_t origin)
{
	const size_t names = (size_t)s->names.n + 1;
	const size_t room[TEXTS] = {
		CATEGORIES, tm_track_name_ids(s), names, 1, ARG_NAMES_, COLOURS
	};
	struct pen *p = calloc(1, sizeof *p);
	bool ok = p != NULL;

	(void)origin;
	if (!p)
		return NULL;
	p->s = s;
	p->classes = o->classes;
	p->values_cap = 1;
	p->jobs = o->jobs > BUNDLES ? BUNDLES : o->jobs ? o->jobs : 1;
	p->color = calloc(names, 1);
	for (int i = 0; i < TEXTS; i++) {
		p->of[i].v = calloc(room[i], sizeof(struct iid));
		ok = ok && p->of[i].v;
	}
	if (!ok || !p->color) {
		pen_free(&p->pen);
		return NULL;
	}
	/* The root: processes and threads in the order of their ranks. */
	tm_buf_clear(&p->event);
	put_number(&p->event, 1, 0);
	put_number(&p->event, 19, 1);
	put_number(&p->event, 20, 1);
	put_bytes(&p->packet, 60, p->event.p ? p->event.p : "", p->event.n);
	tm_buf_clear(&p->event);
	p->pen.compress = true;
	if (!put_packet(p, true)) {
		pen_free(&p->pen);
		return NULL;
	}
	return &p->pen;
}

static bool pen_end(struct track_pen *pen)
{
	return close_bundle((struct pen *)pen) && put_bundles((struct pen *)pen);
}

const struct track_pen_ops tm_pen_pftrace = {
	.begin = pen_begin,
	.node = pen_node,
	.section = pen_section,
	.open = pen_open,
	.close = pen_close,
	.value = pen_value,
	.end = pen_end,
	.free = pen_free,
};
