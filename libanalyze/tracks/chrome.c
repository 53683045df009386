/* SPDX-License-Identifier: MIT
 * The pen for Chrome's JSON: one event a line, times in microseconds from the first event, with
 * three decimals, which is exact. */
#include "read/read.h"
#include "render/render.h"
#include "tracks/tracks_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A name as it stands in the file, once it is known. */
struct quoted {
	uint64_t at;
	uint32_t n; /* 0 = not yet */
};

struct pen {
	struct track_pen pen; /* first */
	const struct track_store *s;
	uint64_t origin, pid; /* of the section */
	bool any;             /* there is an event before */
	struct quoted *shown, *full;
	const char *comma; /* between two things that a slice says */
	struct tm_buf texts, text;
	/* names of the counters of a section, by uuid - base */
	uint64_t base;
	struct tm_names counters;
	uint32_t *counter;
	size_t ncounter, counter_cap;
};

static void put_us(struct tm_buf *b, uint64_t ns)
{
	char text[32], *end = tm_num_put_u64(text, ns / 1000);

	*end++ = '.';
	*end++ = (char)('0' + ns / 100 % 10);
	*end++ = (char)('0' + ns / 10 % 10);
	*end++ = (char)('0' + ns % 10);
	tm_buf_add(b, text, (size_t)(end - text));
}

static void put_key(struct tm_buf *b, const char *key, uint64_t v)
{
	tm_buf_str(b, key);
	tm_buf_u64(b, v);
}

/* A new line of the array. */
static struct tm_buf *next(struct pen *p, const char *ph, uint64_t pid, uint64_t tid)
{
	struct tm_buf *b = &p->pen.out;

	tm_buf_str(b, p->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	p->any = true;
	tm_buf_str(b, ph);
	put_key(b, "\",\"pid\":", pid);
	put_key(b, ",\"tid\":", tid);
	return b;
}

static bool done(struct pen *p, size_t from)
{
	p->pen.bytes += p->pen.out.n - from;
	return !p->pen.out.failed && !p->texts.failed && !p->text.failed;
}

/* ---- texts ---- */

static void put_quoted(struct pen *p, struct quoted *q, const char *text, size_t len)
{
	if (!q->n) {
		q->at = p->texts.n;
		tm_row_text_json(&p->texts, text, len);
		q->n = (uint32_t)(p->texts.n - q->at);
	}
	if (!p->texts.failed)
		tm_buf_add(&p->pen.out, p->texts.p + q->at, q->n);
}

static void put_shown(struct pen *p, const struct track_row *r)
{
	struct quoted *q = &p->shown[tm_track_name_id(p->s, r)];
	const char *text = q->n ? "" : tm_track_name(&p->text, p->s, r, TM_NAME_BASE);

	put_quoted(p, q, text ? text : "", text ? strlen(text) : 0);
}

/* The next of what a slice says. */
static struct tm_buf *say(struct pen *p, const char *name)
{
	tm_buf_fmt(&p->pen.out, "%s\"%s\":", p->comma, name);
	p->comma = ",";
	return &p->pen.out;
}

static bool say_number(void *pen, unsigned arg, const char *name, uint64_t v)
{
	(void)arg;
	return tm_buf_u64(say(pen, name), v);
}

static bool say_text(void *pen, unsigned arg, const char *name, const char *text, size_t n)
{
	(void)arg;
	return tm_row_text_json(say(pen, name), text, n);
}

static void put_args(struct pen *p, const struct track_slice *s)
{
	const struct track_row *r = s->row;
	const uint64_t *key = p->s->tracks.key + (size_t)r->track * KEY_WORDS;
	const bool none = s->args == TM_TRACKS_NONE;
	const size_t from = p->pen.out.n;

	tm_buf_str(&p->pen.out, ",\"args\":{");
	p->comma = "";
	if (r->what == WHAT_KERNEL && r->name != TM_NAME_NONE && !none) {
		struct quoted *q = &p->full[r->name];
		const char *text = q->n ? "" : tm_track_name(&p->text, p->s, r, TM_NAME_FULL);

		say(p, "Full Kernel Name");
		put_quoted(p, q, text ? text : "", text ? strlen(text) : 0);
	}
	/* The lane stands where the thread's number would. */
	if (tm_track_kinds[key[KEY_SORT]].group >= GROUP_HOST && (key[KEY_HAS] & HAS_ID) && !none)
		tm_buf_u64(say(p, "tid"), key[KEY_ID]);
	tm_track_tell(p->s, s, &(struct track_saying) { p, say_number, say_text });
	tm_buf_chr(&p->pen.out, '}');
	if (none && !*p->comma)
		p->pen.out.n = from;
}

/* ---- events ---- */

static bool put_link(struct pen *p, uint64_t at, const struct track_slice *s,
                     const struct track_link *l)
{
	const size_t from = p->pen.out.n;
	struct tm_buf *b = next(p, l->leaves ? "s" : l->ends ? "f" : "t", s->pid, s->lane->uuid);

	tm_buf_str(b, ",\"ts\":");
	put_us(b, at - p->origin);
	put_key(b, ",\"id\":", l->id);
	tm_buf_str(b, ",\"cat\":\"flow\",\"name\":\"flow\"");
	tm_buf_str(b, l->leaves ? "}" : ",\"bp\":\"e\"}");
	return done(p, from);
}

static bool pen_open(struct track_pen *pen, uint64_t at, const struct track_slice *s)
{
	struct pen *p = (struct pen *)pen;
	const size_t from = pen->out.n;
	struct tm_buf *b = next(p, "X", s->pid, s->lane->uuid);
	bool ok;

	tm_buf_str(b, ",\"ts\":");
	put_us(b, at - p->origin);
	tm_buf_str(b, ",\"dur\":");
	put_us(b, s->item->end - s->item->start);
	tm_buf_fmt(b,
	           ",\"cat\":\"%s\",\"name\":", tm_track_category_text(tm_track_category(p->s, s)));
	if (s->item->count > 1)
		tm_buf_fmt(b, "\"%u short ones\",\"args\":{\"busy_ns\":%" PRIu64 "}",
		           (unsigned)s->item->count, s->item->busy);
	else
		put_shown(p, s->row);
	if (s->item->count == 1)
		put_args(p, s);
	tm_buf_chr(b, '}');
	ok = done(p, from);
	for (size_t i = 0; ok && i < s->nlink; i++)
		ok = put_link(p, at, s, &s->link[i]);
	return ok;
}

static bool pen_close(struct track_pen *pen, uint64_t at, const struct track_slice *s)
{
	(void)pen;
	(void)at;
	(void)s;
	return true;
}

static bool pen_value(struct track_pen *pen, uint64_t at, uint64_t end,
                      const struct track_lane *lane, double v)
{
	struct pen *p = (struct pen *)pen;
	const size_t from = pen->out.n;
	const struct tm_name *name = &p->counters.v[p->counter[lane->uuid - p->base]];
	struct tm_buf *b = next(p, "C", p->pid, 0);

	tm_buf_str(b, ",\"ts\":");
	put_us(b, at - p->origin);
	if (end > at) { /* viewers pass over it */
		tm_buf_str(b, ",\"dur\":");
		put_us(b, end - at);
	}
	if (p->s->tracks.key[(size_t)lane->track * KEY_WORDS + KEY_SORT] != TRACK_COUNTER)
		tm_buf_str(b, ",\"cat\":\"" TM_DRAWN_AXIS "\"");
	tm_buf_str(b, ",\"name\":");
	tm_row_text_json(b, name->text, name->len);
	tm_buf_fmt(b, ",\"args\":{\"value\":%.17g}}", v);
	return done(p, from);
}

/* ---- tracks ---- */

static void put_meta(struct pen *p, const char *what, uint64_t pid, uint64_t tid, const char *key)
{
	struct tm_buf *b = next(p, "M", pid, tid);

	tm_buf_fmt(b, ",\"name\":\"%s\",\"args\":{\"%s\":", what, key);
}

/* What a value belongs to is told by the name of its track. */
static bool know_counter(struct pen *p, const struct track_node_of *n)
{
	if (!p->ncounter)
		p->base = n->uuid;
	if (!tm_grow_array(&p->counter, &p->counter_cap, (size_t)(n->uuid - p->base) + 1,
	                   sizeof *p->counter))
		return false;
	for (; p->ncounter < n->uuid - p->base + 1; p->ncounter++)
		p->counter[p->ncounter] = TM_NAME_NONE;
	p->counter[n->uuid - p->base] = tm_names_add(&p->counters, n->name, strlen(n->name));
	return p->counter[n->uuid - p->base] != TM_NAME_NONE;
}

static bool pen_node(struct track_pen *pen, const struct track_node_of *n)
{
	struct pen *p = (struct pen *)pen;
	const size_t from = pen->out.n;

	if (n->node == NODE_COUNTER)
		return know_counter(p, n);
	if (n->node == NODE_GROUP && n->parent)
		return true;
	put_meta(p, n->node == NODE_SLICES ? "thread_name" : "process_name", n->pid,
	         n->node == NODE_SLICES ? n->uuid : 0, "name");
	tm_row_text_json(&pen->out, n->name, strlen(n->name));
	if (n->about) {
		tm_buf_str(&pen->out, ",\"about\":");
		tm_row_text_json(&pen->out, n->about, strlen(n->about));
	}
	tm_buf_str(&pen->out, "}}");
	put_meta(p, n->node == NODE_SLICES ? "thread_sort_index" : "process_sort_index", n->pid,
	         n->node == NODE_SLICES ? n->uuid : 0, "sort_index");
	tm_buf_u64(&pen->out, n->place);
	tm_buf_str(&pen->out, "}}");
	p->pid = n->pid;
	return done(p, from);
}

static bool pen_section(struct track_pen *pen, size_t nth, uint64_t first)
{
	(void)pen;
	(void)nth;
	(void)first;
	return true;
}

/* ---- the pen ---- */

static void pen_free(struct track_pen *pen)
{
	struct pen *p = (struct pen *)pen;

	if (!p)
		return;
	free(p->shown);
	free(p->full);
	free(p->counter);
	tm_names_fini(&p->counters);
	tm_buf_fini(&p->texts);
	tm_buf_fini(&p->text);
	tm_buf_fini(&pen->out);
	free(p);
}

static struct track_pen *pen_begin(const struct track_store *s, const struct tm_metric_opts *o,
                                   uint64_t origin)
{
	struct pen *p = calloc(1, sizeof *p);

	(void)o;
	if (!p)
		return NULL;
	p->s = s;
	p->origin = origin;
	p->shown = calloc(tm_track_name_ids(s), sizeof *p->shown);
	p->full = calloc((size_t)s->names.n + 1, sizeof *p->full);
	tm_buf_str(&p->pen.out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	if (!p->shown || !p->full || !done(p, 0)) {
		pen_free(&p->pen);
		return NULL;
	}
	return &p->pen;
}

static bool pen_end(struct track_pen *pen)
{
	const size_t from = pen->out.n;

	tm_buf_str(&pen->out, "\n]}\n");
	return done((struct pen *)pen, from);
}

const struct track_pen_ops tm_pen_chrome = {
	.begin = pen_begin,
	.node = pen_node,
	.section = pen_section,
	.open = pen_open,
	.close = pen_close,
	.value = pen_value,
	.end = pen_end,
	.free = pen_free,
};
