/* SPDX-License-Identifier: MIT
 * The stacks that the attribution engine knows (stack/), a line each. */
#include "events/folded.h"

#include "base/base.h"
#include "stack/stack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WRITE_AT = 256 * 1024, KEY_WORDS = 2 };

/* In place of a leaf: the innermost frame is the last of the path. */
#define NO_LEAF UINT32_MAX

struct folded {
	struct tm_stack s;
	struct tm_stack_opts so;
};

/* What the lines are made with. */
struct fold {
	const struct tm_metric_opts *o;
	struct tm_folded *to;
	struct tm_stack *s;
	struct tm_names texts;        /* paths and leaves, as they are written */
	uint32_t *label_of, *name_of; /* of each label and name: its frame in `texts`, + 1 */
	struct tm_buf text, raw;      /* at hand */
	struct tm_groups keys;        /* path, leaf */
	tm_u128 *weight;              /* of each */
	size_t cap;
	uint64_t ops, unsized; /* unsized: of them, those whose bytes nobody knows */
	struct tm_stack_place place;
	struct tm_stack_path path;
};

static void window_of(const void *arg, uint64_t rank, struct tm_extent *w)
{
	tm_metric_window(arg, rank, w);
}

static struct tm_stack_opts asked(const struct tm_metric_opts *o)
{
	const struct tm_folded *to = o->own;
	const bool host = to->weight == TM_FOLDED_HOST;

	return (struct tm_stack_opts) {
		.window = window_of,
		.arg = o,
		.dispatches = !host && to->kinds & 1u << TM_EVENT_KERNEL,
		.copies = !host && to->kinds & 1u << TM_EVENT_COPY,
		.pairs = true,
		.names = !host,
		.bytes = to->weight == TM_FOLDED_BYTES,
	};
}

static bool init(void *acc, const void *arg)
{
	struct folded *a = acc;

	*a = (struct folded) { .so = asked(arg) };
	return tm_stack_init(&a->s, &a->so);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	return tm_stack_piece(&((struct folded *)acc)->s, p);
}

static bool take(void *acc, const struct tm_batch *b)
{
	return tm_stack_take(&((struct folded *)acc)->s, b);
}

static bool merge(void *into, void *from)
{
	return tm_stack_merge(&((struct folded *)into)->s, &((struct folded *)from)->s);
}

static void fini(void *acc)
{
	tm_stack_fini(&((struct folded *)acc)->s);
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	const struct tm_stack_opts so = asked(o);

	return tm_stack_want(&so);
}

/* ---- frames as they are written ---- */

/* A frame is one that a reader of the lines sees: no separator, no end of a line, never empty. */
static uint32_t add_frame(struct fold *f, const struct tm_buf *b)
{
	tm_buf_clear(&f->text);
	for (size_t i = 0; i < b->n; i++) {
		unsigned char c = (unsigned char)b->p[i];

		tm_buf_chr(&f->text, c == ';' ? ':' : c < ' ' || c == 0x7f ? ' ' : (char)c);
	}
	if (!f->text.n)
		tm_buf_str(&f->text, "(no name)");
	return b->failed || f->text.failed ? TM_NAME_NONE
	                                   : tm_names_add(&f->texts, f->text.p, f->text.n);
}

/* That of a label; TM_NAME_NONE when out of memory. */
static uint32_t frame_of_label(struct fold *f, uint32_t label)
{
	uint32_t id;

	if (f->label_of[label])
		return f->label_of[label] - 1;
	tm_stack_label_text(f->s, label, &f->raw);
	id = add_frame(f, &f->raw);
	f->label_of[label] = id == TM_NAME_NONE ? 0 : id + 1;
	return id;
}

/* That of an operation. */
static uint32_t frame_of_name(struct fold *f, uint32_t name, bool copy)
{
	const struct tm_name *nm = &f->s->names.v[name];
	uint32_t *known = &f->name_of[2 * (size_t)name + copy], id;

	if (*known)
		return *known - 1;
	tm_buf_clear(&f->raw);
	if (copy)
		tm_buf_add(&f->raw, nm->text, nm->len);
	else
		tm_kernel_name(&f->raw, nm->text, nm->len, TM_NAME_FULL);
	id = add_frame(f, &f->raw);
	*known = id == TM_NAME_NONE ? 0 : id + 1;
	return id;
}

static bool add_line(struct fold *f, uint32_t path, uint32_t leaf, uint64_t weight)
{
	const uint64_t key[KEY_WORDS] = { path, leaf };
	bool fresh;
	uint32_t i = tm_groups_item(&f->keys, key, &f->weight, &f->cap, sizeof *f->weight, &fresh);

	if (i == TM_GROUP_NONE)
		return false;
	f->weight[i] = (fresh ? 0 : f->weight[i]) + weight;
	return true;
}

/* The frames of f->path, joined; TM_NAME_NONE when out of memory. */
static uint32_t joined(struct fold *f)
{
	struct tm_buf *b = &f->raw;
	uint32_t id[sizeof f->path.label / sizeof *f->path.label];

	for (size_t i = 0; i < f->path.n; i++) {
		id[i] = frame_of_label(f, f->path.label[i]);
		if (id[i] == TM_NAME_NONE)
			return TM_NAME_NONE;
	}
	tm_buf_clear(b);
	for (size_t i = 0; i < f->path.n; i++) {
		const struct tm_name *nm = &f->texts.v[id[i]];

		if (i)
			tm_buf_chr(b, ';');
		tm_buf_add(b, nm->text, nm->len);
	}
	return b->failed ? TM_NAME_NONE : tm_names_add(&f->texts, b->p ? b->p : "", b->n);
}

/* ---- work of the GPU ---- */

static uint32_t path_of(struct fold *f, const struct tm_stack_rank *r)
{
	if (f->place.how < TM_STACK_PLACED) {
		tm_stack_path(r, &f->place, &f->path);
		return joined(f);
	}
	tm_buf_clear(&f->raw);
	tm_buf_fmt(&f->raw, "(unattributed: %s)", tm_stack_how_text(f->place.how));
	return add_frame(f, &f->raw);
}

static bool place_op(struct fold *f, struct tm_stack_rank *r, const struct tm_stack_track *t,
                     size_t i)
{
	uint64_t weight = tm_interval_dur(&t->op, i);
	uint32_t path, leaf;

	f->ops++;
	if (f->to->weight == TM_FOLDED_BYTES) {
		if (!tm_interval_tag(&t->bytes, i)) {
			f->unsized++;
			return true;
		}
		weight = tm_interval_start(&t->bytes, i);
	}
	if (!tm_stack_find(r, t, i, &f->place))
		return false;
	path = path_of(f, r);
	leaf = frame_of_name(f, tm_interval_name(&t->op, i), t->copies);
	return path != TM_NAME_NONE && leaf != TM_NAME_NONE && add_line(f, path, leaf, weight);
}

static bool place_ops(struct fold *f, struct tm_stack_rank *r)
{
	for (size_t t = r->track_from; t < r->track_to; t++)
		for (size_t i = 0; i < f->s->track[t].op.n; i++)
			if (!place_op(f, r, &f->s->track[t], i))
				return false;
	return true;
}

/* ---- time of the host ---- */

static int by_time(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/* Every time inside the window at which something of the thread begins or ends, once, ascending.
 * NULL when out of memory. */
static uint64_t *edges_of(const struct tm_stack_thread *t, const struct tm_extent *w, size_t *n)
{
	size_t most = 0, k = 0;
	uint64_t *v;

	for (int l = 0; l < TM_STACK_LISTS; l++)
		most += 2 * t->frame[l].n;
	v = malloc((most + 1) * sizeof *v);
	*n = 0;
	if (!v)
		return NULL;
	for (int l = 0; l < TM_STACK_LISTS; l++) {
		for (size_t i = 0; i < t->frame[l].n; i++) {
			uint64_t start = tm_interval_start(&t->frame[l], i);
			uint64_t end = tm_interval_end(&t->frame[l], i);

			if (start >= w->hi || end <= w->lo || start == end)
				continue;
			v[k++] = start < w->lo ? w->lo : start;
			v[k++] = end > w->hi ? w->hi : end;
		}
	}
	if (k)
		qsort(v, k, sizeof *v, by_time);
	for (size_t i = 0; i < k; i++)
		if (!i || v[i] != v[*n - 1])
			v[(*n)++] = v[i];
	return v;
}

/* Between two such times the same frames are open. */
static bool place_thread(struct fold *f, const struct tm_stack_rank *r, size_t thread)
{
	struct tm_extent w;
	size_t n;
	uint64_t *v;
	bool ok;

	tm_metric_window(f->o, tm_stack_rank_of(r), &w);
	v = edges_of(&f->s->thread[thread], &w, &n);
	ok = v != NULL;
	for (size_t i = 0; ok && i + 1 < n; i++) {
		uint32_t path;

		tm_stack_at(r, thread, v[i], &f->place);
		tm_stack_path(r, &f->place, &f->path);
		if (!f->path.n)
			continue;
		f->ops++;
		path = joined(f);
		ok = path != TM_NAME_NONE && add_line(f, path, NO_LEAF, v[i + 1] - v[i]);
	}
	free(v);
	return ok;
}

static bool place_threads(struct fold *f, const struct tm_stack_rank *r)
{
	for (size_t i = r->thread_from; i < r->thread_to; i++)
		if (!place_thread(f, r, i))
			return false;
	return true;
}

/* ---- lines ---- */

static const struct tm_name *text_of(const struct fold *f, uint32_t key, int word)
{
	static const struct tm_name none = { .text = "" };
	uint64_t id = f->keys.key[(size_t)key * KEY_WORDS + (size_t)word];

	return id == NO_LEAF ? &none : &f->texts.v[id];
}

static int heaviest_first(const void *pa, const void *pb, void *arg)
{
	const struct fold *f = arg;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	int c;

	if (f->weight[a] != f->weight[b])
		return f->weight[a] > f->weight[b] ? -1 : 1;
	c = tm_name_cmp(text_of(f, a, 0), text_of(f, b, 0));
	return c ? c : tm_name_cmp(text_of(f, a, 1), text_of(f, b, 1));
}

static void put_weight(struct tm_buf *b, tm_u128 v)
{
	enum { NINETEEN = 19 };
	const uint64_t part = UINT64_C(10000000000000000000);

	if (v >= part) {
		tm_buf_u64(b, (uint64_t)(v / part));
		tm_buf_fmt(b, "%0*" PRIu64, NINETEEN, (uint64_t)(v % part));
	} else {
		tm_buf_u64(b, (uint64_t)v);
	}
}

static bool flush(struct fold *f)
{
	struct tm_buf *b = &f->text;
	bool ok = !b->failed && (!b->n || f->to->put(f->to->arg, b->p, b->n, &f->to->why));

	tm_buf_clear(b);
	return ok;
}

static bool put_lines(struct fold *f)
{
	uint32_t *v = malloc(((size_t)f->keys.n + 1) * sizeof *v);
	bool ok = v != NULL;

	for (uint32_t i = 0; ok && i < f->keys.n; i++)
		v[i] = i;
	if (ok && f->keys.n)
		qsort_r(v, f->keys.n, sizeof *v, heaviest_first, f);
	tm_buf_clear(&f->text);
	for (uint32_t i = 0; ok && i < f->keys.n; i++) {
		const struct tm_name *path = text_of(f, v[i], 0), *leaf = text_of(f, v[i], 1);

		tm_buf_add(&f->text, path->text, path->len);
		if (leaf->len)
			tm_buf_chr(&f->text, ';');
		tm_buf_add(&f->text, leaf->text, leaf->len);
		tm_buf_chr(&f->text, ' ');
		put_weight(&f->text, f->weight[v[i]]);
		tm_buf_chr(&f->text, '\n');
		ok = f->text.n < WRITE_AT || flush(f);
	}
	free(v);
	return ok && flush(f);
}

/* ---- all of it ---- */

static void tell(const struct fold *f, struct tm_report *rep)
{
	if (f->place.deep)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "more than %d ranges were open at a time: only the innermost %d are "
		              "written",
		              TM_STACK_DEPTH, TM_STACK_DEPTH);
	tm_stack_tell(f->s, rep);
	if (f->unsized)
		tm_report_add(rep, TM_SEV_SKIP, NULL, 0,
		              "%" PRIu64 " of %" PRIu64
		              " operation%s skipped: the trace does not record how many bytes",
		              f->unsized, f->ops, f->ops == 1 ? "" : "s");
}

static void explain_nothing(const struct fold *f, struct tm_report *rep)
{
	const unsigned both = 1u << TM_EVENT_KERNEL | 1u << TM_EVENT_COPY;
	const char *what = f->to->weight == TM_FOLDED_HOST        ? "markers or operators"
	                   : (f->to->kinds & both) == both        ? "kernels or copies"
	                   : f->to->kinds & 1u << TM_EVENT_KERNEL ? "kernels"
	                                                          : "copies";

	tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "nothing to write: no %s%s in the input%s", what,
	              f->unsized ? " of known bytes" : "",
	              f->o->windowed ? " inside the window" : "");
}

static bool fold_all(struct fold *f)
{
	size_t thread = 0, track = 0;
	bool done = false, ok = tm_stack_settle(f->s);

	f->label_of = calloc((size_t)f->s->labels.n + 1, sizeof *f->label_of);
	f->name_of = calloc(2 * ((size_t)f->s->names.n + 1), sizeof *f->name_of);
	ok = ok && f->label_of && f->name_of;
	while (ok && !done) {
		struct tm_stack_rank r;

		if (tm_stack_rank_next(&r, f->s, &thread, &track, &done))
			ok = f->to->weight == TM_FOLDED_HOST ? place_threads(f, &r)
			                                     : place_ops(f, &r);
		else
			ok = done;
		tm_stack_rank_fini(&r);
	}
	return ok;
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct fold f = { .o = o,
		          .to = o->own,
		          .s = &((struct folded *)acc)->s,
		          .keys = { .words = KEY_WORDS } };
	enum tm_status st = TM_ST_OK;

	tm_table_init(t, NULL, 0);
	if (!fold_all(&f) || !put_lines(&f)) {
		st = TM_ST_FATAL;
	} else {
		f.to->written = f.keys.n > 0;
		tell(&f, rep);
		if (!f.keys.n) {
			explain_nothing(&f, rep);
			st = TM_ST_END;
		}
	}
	tm_names_fini(&f.texts);
	tm_buf_fini(&f.text);
	tm_buf_fini(&f.raw);
	tm_groups_fini(&f.keys);
	free(f.label_of);
	free(f.name_of);
	free(f.weight);
	return st;
}

static const struct tm_column no_columns[] = { { 0 } };
static const struct tm_metric_view views[] = { { .columns = no_columns }, { 0 } };

const struct tm_metric tm_folded_metric = {
	.name = "folded",
	.about = "stacks of what launched the work of the GPU",
	.views = views,
	.sink = { .size = sizeof(struct folded),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini },
	.whole = TM_ONLY_BIT(TM_ONLY_THREAD),
	.keeps_host = true,
	.want = want,
	.fill = fill,
};
