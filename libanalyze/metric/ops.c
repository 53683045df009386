/* SPDX-License-Identifier: MIT
 * Which operator of the framework caused the work of the GPU?
 *
 *     self  = Σ durations of what was launched with it the innermost operator or annotation
 *     total = the same with it anywhere around the launch, once where it holds itself
 *     host  = Σ of its own durations on the host
 *
 * Σ self over all rows, those without an operator included, is that of `kstats top`. */
#include "metric/attributed.h"
#include "metric/ops_parts.h"
#include "work/work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_RANK,
	COL_OP,
	COL_SHAPE,
	COL_CALLS,
	COL_KERNELS,
	COL_SELF,
	COL_TOTAL,
	COL_PCT,
	COL_HOST,
	COL_REASON,
	COL_NUMBERS,
	COL_N
};

static const struct tm_column columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .about = "rank; absent if several",
	               .unit = TM_UNIT_ID },
	[COL_OP] = { .name = "op",
	             .title = "OP",
	             .about =
	                     "operator, annotation or Python function; (unattributed) for the rest",
	             .unit = TM_UNIT_TEXT,
	             .elastic = true },
	[COL_SHAPE] = { .name = "shape",
	                .title = "SHAPE",
	                .about = "types and sizes of its inputs, with --per shape",
	                .unit = TM_UNIT_TEXT,
	                .elastic = true },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .about = "number of calls",
	                .unit = TM_UNIT_COUNT },
	[COL_KERNELS] = { .name = "kernels",
	                  .title = "KERNELS",
	                  .about = "GPU operations it launched itself",
	                  .unit = TM_UNIT_COUNT },
	[COL_SELF] = { .name = "self_ns",
	               .title = "SELF",
	               .about = "sum of their durations",
	               .unit = TM_UNIT_NS },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .about = "same, including operators inside it",
	                .unit = TM_UNIT_NS },
	[COL_PCT] = { .name = "pct",
	              .title = "PCT",
	              .about = "share of self_ns over all rows",
	              .unit = TM_UNIT_PCT,
	              .bar = true },
	[COL_HOST] = { .name = "host_ns",
	               .title = "HOST",
	               .about = "sum of its durations on the host",
	               .unit = TM_UNIT_NS,
	               .spare = 1 },
	[COL_REASON] = { .name = "reason",
	                 .title = "REASON",
	                 .about = "why there is no operator",
	                 .unit = TM_UNIT_TEXT,
	                 .spare = 2 },
	[COL_NUMBERS] = { .name = "numbers",
	                  .title = "NUMBERS",
	                  .about = "numbers that each * stands for",
	                  .unit = TM_UNIT_TEXT,
	                  .spare = 3 },
	[COL_N] = { 0 },
};

enum { PATH_RANK, PATH_PATH, PATH_KERNELS, PATH_SELF, PATH_PCT, PATH_REASON, PATH_NUMBERS, PATH_N };

static const struct tm_column path_columns[] = {
	[PATH_RANK] = { .name = "rank",
	                .title = "RANK",
	                .about = "rank; absent if several",
	                .unit = TM_UNIT_ID },
	[PATH_PATH] = { .name = "path",
	                .title = "PATH",
	                .about = "path around the launch, outermost first; (unattributed) for the "
	                         "rest",
	                .unit = TM_UNIT_TEXT,
	                .elastic = true },
	[PATH_KERNELS] = { .name = "kernels",
	                   .title = "KERNELS",
	                   .about = "GPU operations launched there",
	                   .unit = TM_UNIT_COUNT },
	[PATH_SELF] = { .name = "self_ns",
	                .title = "SELF",
	                .about = "sum of their durations",
	                .unit = TM_UNIT_NS },
	[PATH_PCT] = { .name = "pct",
	               .title = "PCT",
	               .about = "share of self_ns over all rows",
	               .unit = TM_UNIT_PCT,
	               .bar = true },
	[PATH_REASON] = { .name = "reason",
	                  .title = "REASON",
	                  .about = "why there is no path",
	                  .unit = TM_UNIT_TEXT,
	                  .spare = 2 },
	[PATH_NUMBERS] = { .name = "numbers",
	                   .title = "NUMBERS",
	                   .about = "numbers that each * stands for",
	                   .unit = TM_UNIT_TEXT,
	                   .spare = 3 },
	[PATH_N] = { 0 },
};

struct ops {
	struct tm_stack s;
	struct tm_stack_opts so;
};

static void window_of(const void *arg, uint64_t rank, struct tm_extent *w)
{
	tm_metric_window(arg, rank, w);
}

static bool by_path(const struct tm_metric_opts *o)
{
	return o->view != NULL;
}

static bool init(void *acc, const void *arg)
{
	const struct tm_metric_opts *o = arg;
	struct ops *a = acc;

	*a = (struct ops) { 0 };
	a->so = (struct tm_stack_opts) { .window = window_of,
		                         .arg = o,
		                         .dispatches = (o->domains & TM_EV_BIT(TM_DOMAIN_KERNEL)) !=
		                                       0,
		                         .copies = (o->domains & TM_EV_BIT(TM_DOMAIN_COPY)) != 0,
		                         .inputs = (o->per & TM_PER_SHAPE) != 0,
		                         .pairs = by_path(o),
		                         .sums = true };
	return tm_stack_init(&a->s, &a->so);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	return tm_stack_piece(&((struct ops *)acc)->s, p);
}

static bool take(void *acc, const struct tm_batch *b)
{
	return tm_stack_take(&((struct ops *)acc)->s, b);
}

static bool merge(void *into, void *from)
{
	return tm_stack_merge(&((struct ops *)into)->s, &((struct ops *)from)->s);
}

static void fini(void *acc)
{
	tm_stack_fini(&((struct ops *)acc)->s);
}

static struct tm_stack *stack_of(void *acc)
{
	return &((struct ops *)acc)->s;
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	const struct tm_stack_opts so = { .inputs = (o->per & TM_PER_SHAPE) != 0,
		                          .pairs = by_path(o) };

	return tm_stack_want(&so);
}

/* ---- rows ---- */

/* The text of a label's row, in f->texts; TM_NAME_NONE when out of memory. */
static uint32_t text_of(struct ops_fill *f, uint32_t label)
{
	uint32_t id;

	if (f->text_of[label])
		return f->text_of[label] - 1;
	if (!tm_stack_label_text(f->s, label, &f->text))
		return TM_NAME_NONE;
	id = tm_names_add(&f->texts, f->text.p ? f->text.p : "", f->text.n);
	if (id != TM_NAME_NONE)
		f->text_of[label] = id + 1;
	return id;
}

static uint64_t rank_key(const struct ops_fill *f)
{
	return f->o->per & TM_PER_RANK ? f->rank : 0;
}

/* The row of a name, made if new; NULL when out of memory. */
struct ops_row *tm_ops_row(struct ops_fill *f, uint64_t name, uint32_t inputs)
{
	const uint64_t key[KEY_WORDS] = { rank_key(f), name, inputs };
	bool fresh;
	uint32_t i = tm_groups_item(&f->keys, key, &f->row, &f->cap, sizeof *f->row, &fresh);

	if (i == TM_GROUP_NONE)
		return NULL;
	if (fresh) {
		memcpy(f->row[i].key, key, sizeof key);
		if (name < LOST &&
		    !tm_fold_ranges_add(&f->ranges, f->texts.v[name].text, f->texts.v[name].len,
		                        &f->row[i].range, &f->row[i].nrange))
			return NULL;
	}
	return &f->row[i];
}

struct ops_row *tm_ops_row_find(const struct ops_fill *f, uint32_t text)
{
	const uint64_t key[KEY_WORDS] = { rank_key(f), text, TM_NAME_NONE };
	uint32_t i = tm_groups_find(&f->keys, key);

	return i == TM_GROUP_NONE ? NULL : &f->row[i];
}

/* The row of a label. */
static struct ops_row *row_of(struct ops_fill *f, uint32_t label)
{
	uint32_t text = text_of(f, label);

	/* Others may have asked for inputs (stack/pool.h). */
	return text == TM_NAME_NONE
	               ? NULL
	               : tm_ops_row(f, text,
	                            f->o->per & TM_PER_SHAPE ? f->s->label[label].inputs
	                                                     : TM_NAME_NONE);
}

/* The row of what belongs nowhere, which all of a trace may. */
static struct ops_row *row_of_lost(struct ops_fill *f, enum tm_stack_how how)
{
	struct ops_row *row;

	if (f->lost_rank != rank_key(f))
		memset(f->lost_row, 0, sizeof f->lost_row);
	f->lost_rank = rank_key(f);
	if (f->lost_row[how])
		return &f->row[f->lost_row[how] - 1];
	row = tm_ops_row(f, LOST + how, TM_NAME_NONE);
	if (row)
		f->lost_row[how] = (uint32_t)(row - f->row) + 1;
	return row;
}

/* n operations that took so long in all belong nowhere. */
static bool lose_ops(struct ops_fill *f, enum tm_stack_how how, uint64_t n, tm_u128 ns)
{
	struct ops_row *row = row_of_lost(f, how);

	if (!row)
		return false;
	row->kernels += n;
	row->self += ns;
	f->lost[how] += n;
	f->lost_ops += n;
	f->lost_ns += ns;
	return true;
}

/* The numbers of all that is around the operation: of each of f->path as many as its text has '*'.
 */
static void widen_path(struct ops_fill *f, const struct ops_row *row)
{
	size_t at = row->range;

	for (size_t i = 0; row->nrange && i < f->path.n; i++) {
		const struct tm_name *text = &f->texts.v[f->text_of[f->path.label[i]] - 1];
		const struct tm_stack_label *l = &f->s->label[f->path.label[i]];
		const struct tm_name *nm = &f->s->names.v[l->name];
		size_t n = 0;

		for (size_t k = 0; k < text->len; k++)
			n += text->text[k] == '*';
		if (n && l->kind == TM_STACK_ANNOTATION)
			tm_fold_ranges_widen(&f->ranges, at, n, nm->text, nm->len);
		at += n;
	}
}

/* The texts of all that is around the operation, in its row. */
static bool place_path(struct ops_fill *f, const struct tm_stack_rank *r, uint64_t ns)
{
	struct ops_row *row;
	uint32_t text;

	tm_stack_path(r, &f->place, &f->path);
	tm_buf_clear(&f->joined);
	for (size_t i = 0; i < f->path.n; i++) {
		const struct tm_name *nm;

		text = text_of(f, f->path.label[i]);
		if (text == TM_NAME_NONE)
			return false;
		nm = &f->texts.v[text];
		if (i)
			tm_buf_chr(&f->joined, ';');
		tm_buf_add(&f->joined, nm->text, nm->len);
	}
	text = f->joined.failed
	               ? TM_NAME_NONE
	               : tm_names_add(&f->texts, f->joined.p ? f->joined.p : "", f->joined.n);
	row = text == TM_NAME_NONE ? NULL : tm_ops_row(f, text, TM_NAME_NONE);
	if (!row)
		return false;
	row->kernels++;
	row->self += ns;
	widen_path(f, row);
	return true;
}

static bool place_op(struct ops_fill *f, struct tm_stack_rank *r, const struct tm_stack_track *t,
                     size_t i)
{
	uint64_t ns = tm_interval_dur(&t->op, i);
	struct ops_row *row;

	f->ops++;
	f->all += ns;
	if (!tm_stack_find(r, t, i, &f->place))
		return false;
	if (f->place.how >= TM_STACK_PLACED)
		return lose_ops(f, f->place.how, 1, ns);
	if (by_path(f->o))
		return place_path(f, r, ns);
	for (size_t k = 0; k < f->place.n; k++) {
		row = row_of(f, f->place.open[k].label);
		if (!row)
			return false;
		if (!k) {
			row->kernels++;
			row->self += ns;
		}
		if (row->seen != f->ops)
			row->total += ns;
		row->seen = f->ops;
		/* Of functions only the innermost has a row. */
		if (f->place.how == TM_STACK_BY_FUNCTION)
			break;
	}
	return true;
}

/* The row that a function of Python has; NULL = none, for it launched nothing itself. */
static struct ops_row *row_of_function(const struct ops_fill *f, uint32_t label)
{
	return f->text_of[label] ? tm_ops_row_find(f, f->text_of[label] - 1) : NULL;
}

/* The numbers of an annotation, once for each row. */
static void widen(struct ops_fill *f, struct ops_row *row, uint32_t label)
{
	const struct tm_stack_label *l = &f->s->label[label];
	const struct tm_name *nm = &f->s->names.v[l->name];
	uint32_t at = (uint32_t)(row - f->row) + 1;

	if (!row->nrange || l->kind != TM_STACK_ANNOTATION || f->widened[label] == at)
		return;
	f->widened[label] = at;
	tm_fold_ranges_widen(&f->ranges, row->range, row->nrange, nm->text, nm->len);
}

/* Operators and annotations of a thread; of functions those that have a row. */
static bool count_frames(struct ops_fill *f, const struct tm_stack_thread *t)
{
	struct tm_extent w;

	f->rank = t->rank;
	tm_metric_window(f->o, t->rank, &w);
	/* Where a row may be of a rank that is not here, functions wait for it. */
	for (int k = 0; k < (f->o->state ? TM_STACK_FUNCTIONS : TM_STACK_LISTS); k++) {
		const struct tm_intervals *s = &t->frame[k];

		for (size_t i = 0; i < s->n; i++) {
			uint64_t start = tm_interval_start(s, i);
			struct ops_row *row;

			if (start < w.lo || start >= w.hi || tm_stack_is_mark(f->s, s, i))
				continue;
			row = k == TM_STACK_FUNCTIONS ? row_of_function(f, tm_interval_name(s, i))
			                              : row_of(f, tm_interval_name(s, i));
			if (!row && k != TM_STACK_FUNCTIONS)
				return false;
			if (!row)
				continue;
			row->calls++;
			row->host += tm_interval_dur(s, i);
			widen(f, row, tm_interval_name(s, i));
		}
	}
	return true;
}

static bool place_ops(struct ops_fill *f, struct tm_stack_rank *r)
{
	f->ranks++;
	f->rank = tm_stack_rank_of(r);
	for (size_t i = 0; i < r->nsum; i++) {
		f->ops += r->sum[i].n;
		f->all += r->sum[i].ns;
		if (!lose_ops(f, r->sum[i].how, r->sum[i].n, r->sum[i].ns))
			return false;
	}
	for (size_t t = r->track_from; !r->bare && t < r->track_to; t++)
		for (size_t i = 0; i < f->s->track[t].op.n; i++)
			if (!place_op(f, r, &f->s->track[t], i))
				return false;
	return true;
}

/* ---- the table ---- */

/* Those of none before others. */
static int by_inputs(const struct tm_names *names, uint64_t a, uint64_t b)
{
	if (a == TM_NAME_NONE || b == TM_NAME_NONE)
		return (a != TM_NAME_NONE) - (b != TM_NAME_NONE);
	return tm_name_cmp(&names->v[a], &names->v[b]);
}

/* What belongs nowhere comes last, by its reason. */
static int by_time(const void *pa, const void *pb, void *arg)
{
	const struct ops_row *a = *(const struct ops_row *const *)pa,
	                     *b = *(const struct ops_row *const *)pb;
	const struct ops_fill *f = arg;
	bool lost_a = a->key[KEY_NAME] >= LOST, lost_b = b->key[KEY_NAME] >= LOST;
	int c = lost_a != lost_b ? (lost_a ? 1 : -1) : 0;

	if (!c && lost_a)
		c = tm_u64_cmp(a->key[KEY_NAME], b->key[KEY_NAME]);
	else if (!c && a->self != b->self)
		c = a->self > b->self ? -1 : 1;
	else if (!c && a->total != b->total)
		c = a->total > b->total ? -1 : 1;
	if (!c && !lost_a)
		c = tm_name_cmp(&f->texts.v[a->key[KEY_NAME]], &f->texts.v[b->key[KEY_NAME]]);
	if (!c)
		c = by_inputs(&f->s->names, a->key[KEY_INPUTS], b->key[KEY_INPUTS]);
	return c ? c : tm_u64_cmp(a->key[KEY_RANK], b->key[KEY_RANK]);
}

static const char *per_of(const struct tm_metric_opts *o, const char *column)
{
	return !strcmp(column, "shape") && !(o->per & TM_PER_SHAPE) ? "shape" : NULL;
}

/* The columns that --per leaves. */
static void begin(const struct tm_metric_opts *o, struct tm_table *t)
{
	const struct tm_column *some[COL_N];
	size_t n = 0;

	if (by_path(o)) {
		tm_table_init_list(t, path_columns);
		return;
	}
	for (size_t i = 0; columns[i].name; i++)
		if (!per_of(o, columns[i].name))
			some[n++] = &columns[i];
	tm_table_init(t, some, n);
}

/* A row of cells for all columns there are. */
static bool put_cells(const struct tm_metric_opts *o, struct tm_table *t,
                      const struct tm_cell all[COL_N])
{
	struct tm_cell *c = tm_table_row(t);
	size_t n = 0;

	if (!c)
		return false;
	for (size_t i = 0; columns[i].name; i++)
		if (!per_of(o, columns[i].name))
			c[n++] = all[i];
	return true;
}

/* The numbers of its text, absent where it has none. */
static struct tm_cell numbers_cell(struct ops_fill *f, struct tm_table *t, const struct ops_row *r)
{
	tm_buf_clear(&f->text);
	for (size_t i = 0; i < r->nrange; i++)
		tm_fold_put(&f->text, &f->ranges.v[r->range + i]);
	t->failed |= f->text.failed;
	return f->text.n ? tm_table_own(t, f->text.p, f->text.n) : tm_cell_none();
}

/* Absent in the row that stands for nothing lost, which is of no rank. */
static struct tm_cell rank_cell(const struct ops_fill *f, const struct ops_row *r)
{
	if (f->ranks == 1)
		return tm_cell_u64(f->rank);
	if (f->o->per & TM_PER_RANK && (r->kernels || r->key[KEY_NAME] < LOST))
		return tm_cell_u64(r->key[KEY_RANK]);
	return tm_cell_none();
}

static bool put_path(struct ops_fill *f, struct tm_table *t, const struct ops_row *r,
                     struct tm_report *rep)
{
	bool lost = r->key[KEY_NAME] >= LOST;
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return false;
	c[PATH_RANK] = rank_cell(f, r);
	c[PATH_PATH] = lost ? tm_unattributed_cell()
	                    : tm_table_own(t, f->texts.v[r->key[KEY_NAME]].text,
	                                   f->texts.v[r->key[KEY_NAME]].len);
	c[PATH_KERNELS] = tm_cell_u64(r->kernels);
	c[PATH_SELF] = tm_work_sum_cell(r->self, "durations", rep);
	c[PATH_PCT] = tm_work_pct(r->self, f->all);
	c[PATH_NUMBERS] = numbers_cell(f, t, r);
	if (lost && r->kernels) {
		const char *why = tm_stack_how_text((enum tm_stack_how)(r->key[KEY_NAME] - LOST));

		c[PATH_REASON] = tm_cell_text(why, strlen(why));
	}
	return true;
}

static bool put_row(struct ops_fill *f, struct tm_table *t, const struct ops_row *r,
                    struct tm_report *rep)
{
	struct tm_cell c[COL_N] = { [COL_RANK] = rank_cell(f, r),
		                    [COL_OP] = tm_unattributed_cell(),
		                    [COL_KERNELS] = tm_cell_u64(r->kernels),
		                    [COL_SELF] = tm_work_sum_cell(r->self, "durations", rep),
		                    [COL_PCT] = tm_work_pct(r->self, f->all) };

	if (r->key[KEY_NAME] >= LOST) {
		const char *why = tm_stack_how_text((enum tm_stack_how)(r->key[KEY_NAME] - LOST));

		if (r->kernels)
			c[COL_REASON] = tm_cell_text(why, strlen(why));
		return put_cells(f->o, t, c);
	}
	c[COL_OP] = tm_table_own(t, f->texts.v[r->key[KEY_NAME]].text,
	                         f->texts.v[r->key[KEY_NAME]].len);
	if (r->key[KEY_INPUTS] != TM_NAME_NONE)
		c[COL_SHAPE] = tm_cell_text(f->s->names.v[r->key[KEY_INPUTS]].text,
		                            f->s->names.v[r->key[KEY_INPUTS]].len);
	c[COL_NUMBERS] = numbers_cell(f, t, r);
	c[COL_CALLS] = tm_cell_u64(r->calls);
	c[COL_TOTAL] = tm_work_sum_cell(r->total, "durations", rep);
	c[COL_HOST] = tm_work_sum_cell(r->host, "durations", rep);
	return put_cells(f->o, t, c);
}

/* The answer in a sentence: who caused most of it. */
static void say_first(struct ops_fill *f, struct tm_table *t, const struct ops_row *first)
{
	enum { MOST = 60 };
	const struct tm_name *nm = first && first->key[KEY_NAME] < LOST
	                                   ? &f->texts.v[first->key[KEY_NAME]]
	                                   : NULL;

	if (!f->all)
		return;
	tm_buf_clear(&f->text);
	if (nm && first->self) {
		tm_buf_add(&f->text, nm->text, nm->len < MOST ? nm->len : MOST);
		tm_buf_str(&f->text, nm->len < MOST ? " launched " : "... launched ");
		tm_attributed_share(&f->text, first->self, f->all);
		tm_buf_str(&f->text, " of the GPU time itself; ");
	}
	tm_attributed_share(&f->text, f->all - f->lost_ns, f->all);
	tm_buf_str(&f->text,
	           nm && first->self ? " is attributed" : " of the GPU time is attributed");
	t->headline = tm_table_own(t, f->text.p ? f->text.p : "", f->text.n);
	t->failed |= f->text.failed;
}

static bool put_rows(struct ops_fill *f, struct tm_table *t, struct tm_report *rep)
{
	static const struct ops_row none = { .key = { [KEY_NAME] = LOST } };
	const struct ops_row **v = calloc((size_t)f->keys.n + 1, sizeof(struct ops_row *));
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < f->keys.n; i++)
		v[i] = &f->row[i];
	if (ok && f->keys.n)
		qsort_r(v, f->keys.n, sizeof *v, by_time, f);
	if (ok)
		say_first(f, t, f->keys.n ? v[0] : NULL);
	for (size_t i = 0; ok && i < f->keys.n; i++)
		ok = by_path(f->o) ? put_path(f, t, v[i], rep) : put_row(f, t, v[i], rep);
	/* The last row says that nothing is missing, too. */
	if (ok && !f->lost_ops)
		ok = by_path(f->o) ? put_path(f, t, &none, rep) : put_row(f, t, &none, rep);
	for (size_t i = f->keys.n; i && v && v[i - 1]->key[KEY_NAME] >= LOST; i--)
		t->kept++;
	t->kept += ok && !f->lost_ops;
	free(v);
	return ok;
}

static void tell(const struct ops_fill *f, struct tm_report *rep)
{
	struct tm_buf part = { 0 };

	if (f->all) {
		tm_attributed_share(&part, f->all - f->lost_ns, f->all);
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%s of the GPU time is attributed to operators and annotations",
		              part.p && !part.failed ? part.p : "?");
		rep->lost |= part.failed;
	}
	for (int how = TM_STACK_PLACED; how < TM_STACK_HOWS; how++)
		if (f->lost[how])
			tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
			              "%" PRIu64 " of %" PRIu64 " GPU operations: %s", f->lost[how],
			              f->ops, tm_stack_how_text((enum tm_stack_how)how));
	if (by_path(f->o) && f->o->per & TM_PER_SHAPE)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "--per shape applies to operators only: paths are not split by shape");
	if (f->place.deep)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "more than %d operators were open at a time: only the innermost %d count",
		        TM_STACK_DEPTH, TM_STACK_DEPTH);
	tm_stack_tell(f->s, rep);
	tm_buf_fini(&part);
}

static void explain_nothing(const struct ops_fill *f, struct tm_report *rep)
{
	if (f->s->stats)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: statistics files contain totals, not events; give "
		              "the trace");
	else
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "nothing to show: no %s %s",
		              !(f->o->domains & TM_EV_BIT(TM_DOMAIN_COPY)) ? "kernels"
		              : !(f->o->domains & TM_EV_BIT(TM_DOMAIN_KERNEL))
		                      ? "copies"
		                      : "kernels or copies",
		              tm_metric_where(f->o, true));
}

static bool fill_all(struct ops_fill *f)
{
	size_t thread = 0, track = 0;
	bool done = false, ok = tm_stack_settle(f->s);

	f->text_of = ok ? calloc((size_t)f->s->labels.n + 1, sizeof *f->text_of) : NULL;
	f->widened = ok ? calloc((size_t)f->s->labels.n + 1, sizeof *f->widened) : NULL;
	ok = ok && f->text_of && f->widened;
	while (ok && !done) {
		struct tm_stack_rank r;

		if (tm_stack_rank_next(&r, f->s, &thread, &track, &done))
			ok = place_ops(f, &r);
		else
			ok = done;
		tm_stack_rank_fini(&r);
	}
	/* Which functions have rows is only known now. */
	for (size_t i = 0; ok && !by_path(f->o) && i < f->s->nthread; i++)
		ok = count_frames(f, &f->s->thread[i]);
	return ok && (!f->o->state || tm_ops_state(f));
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct ops_fill f = { .o = o,
		              .s = &((struct ops *)acc)->s,
		              .keys = { .words = KEY_WORDS },
		              .functions = { .words = 1 } };
	enum tm_status st = TM_ST_OK;

	begin(o, t);
	if (!fill_all(&f)) {
		st = TM_ST_FATAL;
	} else if (!f.ops) {
		explain_nothing(&f, rep);
		st = TM_ST_END;
	} else {
		st = put_rows(&f, t, rep) ? TM_ST_OK : TM_ST_FATAL;
		tell(&f, rep);
	}
	tm_names_fini(&f.texts);
	tm_buf_fini(&f.joined);
	tm_buf_fini(&f.text);
	tm_groups_fini(&f.keys);
	tm_fold_ranges_fini(&f.ranges);
	tm_groups_fini(&f.functions);
	free(f.function);
	free(f.text_of);
	free(f.widened);
	free(f.row);
	return st;
}

static const struct tm_metric_view views[] = {
	{ .columns = columns },
	{ .option = "paths",
	  .about = "one row per full path around a launch instead",
	  .columns = path_columns },
	{ 0 },
};

const struct tm_metric tm_metric_ops = {
	.name = "ops",
	.about = "GPU time by operator of the framework or annotation",
	.group = "Where does the time go?",
	.examples = "kstats ops worker.pt.trace.json\n"
	            "kstats ops --per rank,shape -n 10 traces/\n",
	.views = views,
	.takes = TM_TAKES_WORK,
	.per = TM_PER_RANK | TM_PER_SHAPE,
	.sink = { .size = sizeof(struct ops),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini },
	.state = 1,
	.whole = TM_WHOLE_AGENTS,
	.per_of = per_of,
	.want = want,
	.stack = stack_of,
	.fill = fill,
};
