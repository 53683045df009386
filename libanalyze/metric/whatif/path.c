/* SPDX-License-Identifier: MIT
 * What determined how long the program took?  The critical path of the recording: from the last
 * instant back along what each one waited for.  Its pieces are adjacent and fill the window, so
 * their sum is the window, to the nanosecond. */
#include "metric/whatif/path.h"

#include "metric/whatif/frames.h"

#include <stdlib.h>
#include <string.h>

enum {
	COL_RANK,
	COL_RESOURCE,
	COL_KIND,
	COL_NAME,
	COL_CLASS,
	COL_PIECES,
	COL_TOTAL,
	COL_PCT,
	COL_CUM,
	COL_N,
};

static const struct tm_column columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .about = "rank of the process",
	               .unit = TM_UNIT_ID },
	[COL_RESOURCE] = { .name = "resource",
	                   .title = "RESOURCE",
	                   .about = "agent with its stream or queue, or process and thread",
	                   .unit = TM_UNIT_TEXT,
	                   .spare = 2 },
	[COL_KIND] = { .name = "kind",
	               .title = "KIND",
	               .about = "gpu, transfer, copy, host_call, host_gap, launch, lane_gap, "
	                        "event, return, arrive, unexplained or before",
	               .unit = TM_UNIT_TEXT },
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .about = "kernel, copy or call; host_gap: what the host was in",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true },
	[COL_CLASS] = { .name = "class",
	                .title = "CLASS",
	                .about = "class of the kernel",
	                .unit = TM_UNIT_TEXT,
	                .spare = 1 },
	[COL_PIECES] = { .name = "pieces",
	                 .title = "PIECES",
	                 .about = "number of pieces of the path",
	                 .unit = TM_UNIT_COUNT },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .about = "total length; the sum of all rows is the window",
	                .unit = TM_UNIT_NS },
	[COL_PCT] = { .name = "pct",
	              .title = "PCT",
	              .about = "share of the window",
	              .unit = TM_UNIT_PCT,
	              .bar = true },
	[COL_CUM] = { .name = "cum_pct",
	              .title = "CUM%",
	              .about = "share of this row and those before it",
	              .unit = TM_UNIT_PCT },
	[COL_N] = { 0 },
};

enum {
	LIST_START,
	LIST_END,
	LIST_NS,
	LIST_RANK,
	LIST_RESOURCE,
	LIST_KIND,
	LIST_NAME,
	LIST_CLASS,
	LIST_N
};

static const struct tm_column list_columns[] = {
	[LIST_START] = { .name = "start_ns",
	                 .title = "START",
	                 .about = "start",
	                 .unit = TM_UNIT_TIME,
	                 .local = true },
	[LIST_END] = { .name = "end_ns",
	               .title = "END",
	               .about = "end, and start of the next",
	               .unit = TM_UNIT_TIME,
	               .machine = true,
	               .local = true },
	[LIST_NS] = { .name = "duration_ns",
	              .title = "DURATION",
	              .about = "length",
	              .unit = TM_UNIT_NS },
	[LIST_RANK] = { .name = "rank",
	                .title = "RANK",
	                .about = "rank of the process",
	                .unit = TM_UNIT_ID },
	[LIST_RESOURCE] = { .name = "resource",
	                    .title = "RESOURCE",
	                    .about = "agent with its stream or queue, or process and thread",
	                    .unit = TM_UNIT_TEXT },
	[LIST_KIND] = { .name = "kind",
	                .title = "KIND",
	                .about = "kind of piece",
	                .unit = TM_UNIT_TEXT },
	[LIST_NAME] = { .name = "name",
	                .title = "NAME",
	                .about = "kernel, copy or call; host_gap: what the host was in",
	                .unit = TM_UNIT_TEXT,
	                .elastic = true,
	                .naming = true },
	[LIST_CLASS] = { .name = "class",
	                 .tight = 1,
	                 .title = "CLASS",
	                 .about = "class of the kernel",
	                 .unit = TM_UNIT_TEXT },
	[LIST_N] = { 0 },
};

static void told_fini(struct path_told *p)
{
	free(p->path.v);
	free(p->name);
	free(p->resource);
	tm_names_fini(&p->texts);
	tm_buf_fini(&p->text);
}

static uint32_t keep(struct path_told *p)
{
	return p->text.failed ? TM_NAME_NONE
	                      : tm_names_add(&p->texts, p->text.p ? p->text.p : "", p->text.n);
}

/* The name of a piece that has one. */
static bool name_piece(struct path_told *p, size_t i)
{
	const struct tm_replay_piece *v = &p->path.v[i];
	const struct tm_name *nm;

	if (v->name == TM_REPLAY_NONE)
		return true;
	nm = &p->r->rows->names.v[v->name];
	tm_buf_clear(&p->text);
	if (v->class_of && !tm_kernel_name(&p->text, nm->text, nm->len, p->o->level))
		return false;
	if (!v->class_of)
		tm_buf_add(&p->text, nm->text, nm->len);
	p->name[i] = keep(p);
	return p->name[i] != TM_NAME_NONE;
}

/* With `gaps` those of the host are named, too. */
static bool tell_all(struct path_told *p, struct replay_acc *acc, bool gaps)
{
	size_t n = p->path.n;

	p->name = malloc((n + 1) * sizeof *p->name);
	p->resource = malloc((n + 1) * sizeof *p->resource);
	for (size_t i = 0; p->name && p->resource && i < n; i++) {
		p->name[i] = TM_NAME_NONE;
		if (!name_piece(p, i) || !tm_replay_piece_resource(p->r, &p->path.v[i], &p->text))
			return false;
		p->resource[i] = keep(p);
		if (p->resource[i] == TM_NAME_NONE)
			return false;
	}
	return p->name && p->resource &&
	       (!gaps || tm_whatif_name_gaps(acc, p->r, &p->path, &p->texts, p->name));
}

struct tm_cell tm_path_text_cell(struct tm_table *t, const struct path_told *p, uint32_t id)
{
	if (id == TM_NAME_NONE)
		return tm_cell_none();
	return tm_table_own(t, p->texts.v[id].text, p->texts.v[id].len);
}

struct tm_cell tm_path_kind_cell(enum tm_replay_piece_kind k)
{
	const char *text = tm_replay_piece_text(k);

	return tm_cell_text(text, strlen(text));
}

static struct tm_cell class_cell(const struct path_told *p, uint16_t class_of)
{
	const char *text = class_of ? tm_classes_name(p->o->classes, class_of - 1u) : NULL;

	return text ? tm_cell_text(text, strlen(text)) : tm_cell_none();
}

static bool put_list(const struct path_told *p, struct tm_table *t)
{
	for (size_t i = 0; i < p->path.n; i++) {
		const struct tm_replay_piece *v = &p->path.v[i];
		struct tm_cell *c = tm_table_row(t);

		if (!c)
			return false;
		c[LIST_START] = tm_cell_u64(v->start);
		c[LIST_END] = tm_cell_u64(v->end);
		c[LIST_NS] = tm_cell_u64(v->end - v->start);
		c[LIST_RANK] = tm_cell_u64(tm_replay_rank_of(p->r, v->rank));
		c[LIST_RESOURCE] = tm_path_text_cell(t, p, p->resource[i]);
		c[LIST_KIND] = tm_path_kind_cell(v->kind);
		c[LIST_NAME] = tm_path_text_cell(t, p, p->name[i]);
		c[LIST_CLASS] = class_cell(p, v->class_of);
	}
	/* One beginning for all ranks: pieces of several follow each other. */
	for (size_t i = 0; i < p->r->nrank && !p->o->windowed; i++)
		if (!tm_table_origin(t, tm_replay_rank_of(p->r, i), p->r->lo))
			return false;
	return true;
}

/* Pieces of one rank, resource, kind, name and class. */
struct sum {
	size_t first; /* one of them */
	uint64_t pieces, ns;
};

int tm_path_by_text(const struct path_told *p, uint32_t a, uint32_t b)
{
	if (a == TM_NAME_NONE || b == TM_NAME_NONE)
		return (a != TM_NAME_NONE) - (b != TM_NAME_NONE);
	return tm_name_cmp(&p->texts.v[a], &p->texts.v[b]);
}

static int by_total(const void *pa, const void *pb, void *arg)
{
	const struct sum *a = pa, *b = pb;
	const struct path_told *p = arg;
	const struct tm_replay_piece *x = &p->path.v[a->first], *y = &p->path.v[b->first];
	int d = (a->ns < b->ns) - (a->ns > b->ns);

	d = d ? d : (x->rank > y->rank) - (x->rank < y->rank);
	d = d ? d : tm_path_by_text(p, p->resource[a->first], p->resource[b->first]);
	d = d ? d : (x->kind > y->kind) - (x->kind < y->kind);
	d = d ? d : tm_path_by_text(p, p->name[a->first], p->name[b->first]);
	return d ? d : (x->class_of > y->class_of) - (x->class_of < y->class_of);
}

static bool put_sums(struct path_told *p, struct tm_table *t)
{
	uint64_t window = p->r->hi - p->r->lo, so_far = 0;
	struct tm_groups keys = { .words = 5 };
	struct sum *v = NULL;
	size_t cap = 0;
	bool ok = true;

	for (size_t i = 0; ok && i < p->path.n; i++) {
		const struct tm_replay_piece *q = &p->path.v[i];
		uint64_t key[] = { q->rank, p->resource[i], q->kind, p->name[i], q->class_of };
		bool fresh;
		uint32_t at = tm_groups_item(&keys, key, &v, &cap, sizeof *v, &fresh);

		ok = at != TM_GROUP_NONE;
		if (!ok)
			break;
		if (fresh)
			v[at].first = i;
		v[at].pieces++;
		v[at].ns += q->end - q->start;
	}
	if (ok && keys.n)
		qsort_r(v, keys.n, sizeof *v, by_total, p);
	for (uint32_t i = 0; ok && i < keys.n; i++) {
		const struct tm_replay_piece *q = &p->path.v[v[i].first];
		struct tm_cell *c = tm_table_row(t);

		ok = c != NULL;
		if (!ok)
			break;
		so_far += v[i].ns;
		c[COL_RANK] = tm_cell_u64(tm_replay_rank_of(p->r, q->rank));
		c[COL_RESOURCE] = tm_path_text_cell(t, p, p->resource[v[i].first]);
		c[COL_KIND] = tm_path_kind_cell(q->kind);
		c[COL_NAME] = tm_path_text_cell(t, p, p->name[v[i].first]);
		c[COL_CLASS] = class_cell(p, q->class_of);
		c[COL_PIECES] = tm_cell_u64(v[i].pieces);
		c[COL_TOTAL] = tm_cell_u64(v[i].ns);
		c[COL_PCT] = tm_work_pct(v[i].ns, window);
		c[COL_CUM] = tm_work_pct(so_far, window);
	}
	free(v);
	tm_groups_fini(&keys);
	return ok;
}

/* Are the pieces adjacent, from the beginning of the window to its end? */
static bool fills(const struct path_told *p)
{
	uint64_t at = p->r->lo;

	for (size_t i = 0; i < p->path.n; i++) {
		if (p->path.v[i].start != at || p->path.v[i].end < at)
			return false;
		at = p->path.v[i].end;
	}
	return at == p->r->hi;
}

static bool is_view(const struct tm_metric_opts *o, const char *view)
{
	return o->view && !strcmp(o->view, view);
}

/* The steps, if they are asked for. */
static enum tm_status find_steps(struct replay_acc *acc, struct tm_steps *s, struct tm_report *rep)
{
	if (!acc->steps)
		return TM_ST_OK;
	return tm_work_settle(&acc->work) ? tm_steps_find(s, &acc->work, rep) : TM_ST_FATAL;
}

static enum tm_status put(struct path_told *p, struct replay_acc *acc, const struct tm_steps *steps,
                          struct tm_table *t, struct tm_report *rep)
{
	bool ok = tm_replay_path(p->r, TM_REPLAY_LIKELY, &p->path) && tell_all(p, acc, !acc->steps);

	ok = ok && (acc->steps              ? tm_path_put_steps(p, steps, t)
	            : is_view(p->o, "list") ? put_list(p, t)
	                                    : put_sums(p, t));
	if (ok && !fills(p))
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "internal error: the pieces of the path do not fill the window; do "
		              "not trust the numbers");
	return ok ? TM_ST_OK : TM_ST_FATAL;
}

static enum tm_status fill(void *v, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct replay_acc *acc = v;
	struct path_told p = { .o = o };
	struct tm_steps steps = { 0 };
	struct tm_replay *r = NULL;
	enum tm_status st;

	tm_table_init_list(t, acc->steps           ? tm_path_step_columns
	                      : is_view(o, "list") ? list_columns
	                                           : columns);
	st = tm_replay_acc_settle(acc, o, rep);
	if (st == TM_ST_OK)
		st = tm_replay_acc_graph(acc, o, TM_REPLAY_ANY_JOB, &r);
	p.r = r;
	if (st == TM_ST_OK)
		st = find_steps(acc, &steps, rep);
	if (st == TM_ST_OK) {
		st = put(&p, acc, &steps, t, rep);
		tm_replay_acc_tell(r, o, rep);
	}
	tm_steps_fini(&steps);
	told_fini(&p);
	tm_replay_free(r);
	return st;
}

static bool init(void *acc, const void *arg)
{
	return tm_replay_acc_init(acc, arg, is_view(arg, "steps"), !is_view(arg, "steps"));
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	return tm_replay_acc_want(is_view(o, "steps"), !is_view(o, "steps"));
}

static const struct tm_metric_view views[] = {
	{ .columns = columns },
	{ .option = "list",
	  .about = "one row per piece of the path, in time order",
	  .columns = list_columns,
	  .whole = true },
	{ .option = "steps",
	  .about = "critical path in each step, and outside steps",
	  .columns = tm_path_step_columns,
	  .whole = true },
	{ 0 },
};

const struct tm_metric tm_metric_path = {
	.name = "path",
	.about = "critical path: what determined how long the program took",
	.group = "What would a change buy?",
	.examples = "kstats path run.db\n"
	            "kstats path --list -f csv run.db\n",
	.views = views,
	.takes = TM_TAKES_NAME,
	.clock = TM_DRIVE_COMMON,
	.window = TM_WINDOW_WHOLE,
	.sink = REPLAY_SINK(init),
	.whole = TM_WHOLE_RANKS,
	.want = want,
	.lend = tm_replay_acc_lend,
	.fill = fill,
};
