/* SPDX-License-Identifier: MIT
 * What the GPU libraries were asked to compute most: calls folded by problem (model/problem.h),
 * with the work they are.
 *
 *     total_flops = calls * flops,   pct = its share of the flops of all calls whose flops are
 *     known
 *
 * Two spellings of one problem are one row of their library.  rocblas, rocblas_function and
 * rocblas_trace (hipblaslt and hipblaslt_function) record the same calls: the one that counts most
 * is taken, as "rocblas" ("hipblaslt"); a profile line is missing where a process was killed.
 * miopen_find and tensile have no share: a search is no call, and kernels are what rocblas and
 * hipblaslt are made of.  Blind to calls that rocBLAS hands to hipBLASLt, which log twice, and to
 * what no formula is known for. */
#include "libperf/lib_kernels.h"
#include "libperf/lib_opts.h"
#include "libperf/lib_take.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

enum {
	COL_LIBRARY,
	COL_OP,
	COL_TYPES,
	COL_PROBLEM,
	COL_CALLS,
	COL_FLOPS,
	COL_TOTAL_FLOPS,
	COL_PCT,
	COL_KERNEL_CALLS,
	COL_KERNEL_NS,
	COL_N,
};

static const struct tm_column columns[] = {
	[COL_LIBRARY] = { .name = "library",
	                  .title = "LIBRARY",
	                  .unit = TM_UNIT_TEXT,
	                  .about = "library called" },
	[COL_OP] = { .name = "op",
	             .title = "OP",
	             .unit = TM_UNIT_TEXT,
	             .about = "operation; absent if the text is not recognized" },
	[COL_TYPES] = { .name = "types",
	                .title = "TYPES",
	                .unit = TM_UNIT_TEXT,
	                .about = "types of a,b,c,d;compute, or one if all are the same" },
	[COL_PROBLEM] = { .name = "problem",
	                  .title = "PROBLEM",
	                  .unit = TM_UNIT_TEXT,
	                  .elastic = true,
	                  .about = "sizes and non-default settings, or the text of the call" },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = TM_UNIT_COUNT,
	                .about = "number of calls" },
	[COL_FLOPS] = { .name = "flops",
	                .title = "FLOPS",
	                .unit = TM_UNIT_COUNT,
	                .spare = 2,
	                .about = "floating-point operations of one call" },
	[COL_TOTAL_FLOPS] = { .name = "total_flops",
	                      .title = "TOTAL FLOPS",
	                      .unit = TM_UNIT_COUNT,
	                      .spare = 1,
	                      .about = "floating-point operations of all calls" },
	[COL_PCT] = { .name = "pct",
	              .title = "%",
	              .unit = TM_UNIT_PCT,
	              .bar = true,
	              .about = "share of the flops of all calls" },
	[COL_KERNEL_CALLS] = { .name = "kernel_calls",
	                       .title = "KERNELS",
	                       .unit = TM_UNIT_COUNT,
	                       .about = "with --trace: dispatches of the kernel of a tensile row" },
	[COL_KERNEL_NS] = { .name = "kernel_ns",
	                    .title = "KERNEL TIME",
	                    .unit = TM_UNIT_NS,
	                    .about = "with --trace: total time of these dispatches" },
	{ 0 },
};

struct acc {
	const struct tm_lib_opts *o;
	struct tm_lib_calls calls;
	struct lib_kernels kernels;
	bool traced; /* there was a --trace */
};

static bool top_init(void *acc, const void *o)
{
	((struct acc *)acc)->o = o;
	return true;
}

static enum tm_status top_take(void *acc, struct tm_source *s, size_t side, struct tm_report *rep,
                               struct tm_diag *d)
{
	struct acc *a = acc;

	if (side != TM_LIB_WEIGHTS)
		return tm_lib_calls_take(&a->calls, s, a->o->from, rep, d);
	a->traced = true;
	return tm_lib_kernels_read(&a->kernels, s, rep, d);
}

/* ---- rows to come ---- */

struct row {
	enum tm_lib_call_kind kind;
	const struct tm_name *key; /* op, types and problem in one, for the last order */
	struct tm_cell op, types, problem;
	bool has_flops, counts; /* counts: it has a share */
	tm_u128 flops, total;
	uint64_t calls;
};

/* Rows by the library and the key. */
struct rows {
	struct row *v;
	size_t cap;
	struct tm_names keys; /* v[id] */
	struct tm_table *t;   /* keeps the texts */
	struct tm_problem p;
	struct tm_buf key;
	bool overflow; /* some total fits nowhere */
};

/* The op of a collective is its name; what follows are words and values. */
static void split_collective(struct rows *r, const struct tm_name *text, struct row *row)
{
	const char *blank = memchr(text->text, ' ', text->len);
	size_t n = blank ? (size_t)(blank - text->text) : text->len;

	row->op = tm_table_own(r->t, text->text, n);
	if (blank)
		row->problem = tm_table_own(r->t, blank + 1, text->len - n - 1);
}

static struct tm_cell own_text(struct rows *r, const struct tm_buf *b)
{
	return b->n ? tm_table_own(r->t, b->p, b->n) : tm_cell_none();
}

/* A new row for a text, whose problem is in r->p where `known`. */
static bool row_begin(struct rows *r, uint32_t id, enum tm_lib_call_kind kind, bool known,
                      const struct tm_name *text)
{
	struct row row = { .kind = kind };

	if (!tm_grow_array(&r->v, &r->cap, (size_t)id + 1, sizeof *r->v))
		return false;
	row.counts = kind != TM_CALL_MIOPEN_FIND && kind != TM_CALL_TENSILE;
	if (known) {
		row.op = own_text(r, &r->p.op);
		row.types = own_text(r, &r->p.types);
		row.problem = own_text(r, &r->p.shape);
		row.has_flops = r->p.has_flops;
		row.flops = r->p.flops;
	} else if (kind == TM_CALL_RCCL) {
		split_collective(r, text, &row);
	} else {
		row.problem = tm_table_own(r->t, text->text, text->len);
	}
	r->v[id] = row;
	return true;
}

/* Add the calls of one text.  False when out of memory. */
static bool add_text(struct rows *r, enum tm_lib_call_kind kind, const struct tm_name *text,
                     uint64_t calls)
{
	struct tm_diag d;
	enum tm_status st = kind == TM_CALL_TENSILE || kind == TM_CALL_RCCL
	                            ? TM_ST_SKIP
	                            : tm_problem_parse(&r->p, TM_LIB_N, text->text, text->len, &d);
	uint32_t before = r->keys.n, id;
	struct row *row;

	if (st == TM_ST_FATAL)
		return false;
	tm_buf_clear(&r->key);
	tm_buf_fmt(&r->key, "%d ", (int)kind);
	if (st == TM_ST_OK)
		tm_problem_key(&r->p, &r->key);
	else
		tm_buf_add(&r->key, text->text, text->len);
	id = r->key.failed ? TM_NAME_NONE : tm_names_add(&r->keys, r->key.p, r->key.n);
	if (id == TM_NAME_NONE || (id == before && !row_begin(r, id, kind, st == TM_ST_OK, text)))
		return false;
	row = &r->v[id];
	if (calls > UINT64_MAX - row->calls) {
		r->overflow = true;
		calls = UINT64_MAX - row->calls;
	}
	row->calls += calls;
	return true;
}

/* All rows.  False when out of memory. */
static bool fold(const struct acc *a, struct rows *r, struct tm_report *rep)
{
	uint32_t out = tm_lib_calls_others(&a->calls, rep);

	for (int kind = 0; kind < TM_CALL_KINDS; kind++) {
		const struct tm_call_set *set = &a->calls.set[kind];

		if (out & 1u << kind)
			continue;
		for (uint32_t i = 0; i < set->texts.n; i++)
			if (!add_text(r, tm_lib_calls_shown_as((enum tm_lib_call_kind)kind),
			              &set->texts.v[i], set->calls[i]))
				return false;
	}
	return true;
}

/* Fold the rows of a library into one. */
static size_t by_library(struct row *v, size_t n)
{
	struct row sum[TM_CALL_KINDS] = { 0 };
	bool seen[TM_CALL_KINDS] = { false };
	size_t kinds = 0;

	for (size_t i = 0; i < n; i++) {
		struct row *s = &sum[v[i].kind];

		seen[v[i].kind] = true;
		s->kind = v[i].kind;
		s->counts = v[i].counts;
		s->has_flops |= v[i].has_flops;
		s->total += v[i].total;
		s->calls = v[i].calls > UINT64_MAX - s->calls ? UINT64_MAX : s->calls + v[i].calls;
	}
	for (int kind = 0; kind < TM_CALL_KINDS; kind++)
		if (seen[kind])
			v[kinds++] = sum[kind];
	return kinds;
}

static int by_work(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	if (a->calls != b->calls)
		return a->calls < b->calls ? 1 : -1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->key && b->key ? tm_name_cmp(a->key, b->key) : 0;
}

/* ---- the table ---- */

/* A number; one of more than 64 bits is digits all the same. */
static struct tm_cell wide(struct tm_table *t, tm_u128 v)
{
	char text[40], *p = text + sizeof text;

	if (v <= UINT64_MAX)
		return tm_cell_u64((uint64_t)v);
	for (; v; v /= 10)
		*--p = (char)('0' + (int)(v % 10));
	return tm_table_own(t, p, (size_t)(text + sizeof text - p));
}

static bool put_row(const struct acc *a, const struct row *r, tm_u128 all, struct tm_table *t)
{
	struct tm_cell *c = tm_table_row(t);
	const struct lib_kernel *k;

	if (!c)
		return false;
	c[COL_LIBRARY] = tm_cell_text(tm_call_words[r->kind], strlen(tm_call_words[r->kind]));
	c[COL_OP] = r->op;
	c[COL_TYPES] = r->types;
	c[COL_PROBLEM] = r->problem;
	c[COL_CALLS] = tm_cell_u64(r->calls);
	if (r->has_flops && !a->o->by_library)
		c[COL_FLOPS] = wide(t, r->flops);
	if (r->has_flops && r->counts) {
		c[COL_TOTAL_FLOPS] = wide(t, r->total);
		if (all)
			c[COL_PCT] = tm_cell_real4(100.0 * ((double)r->total / (double)all));
	}
	if (r->kind != TM_CALL_TENSILE || a->o->by_library || r->problem.type != TM_CELL_TEXT)
		return true;
	k = tm_lib_kernels_find(&a->kernels, r->problem.v.s, r->problem.len);
	if (k) {
		c[COL_KERNEL_CALLS] = tm_cell_u64(k->calls);
		c[COL_KERNEL_NS] = wide(t, k->ns);
	}
	return true;
}

/* What each row's calls are together; false when some do not fit. */
static bool totals(struct row *v, size_t n, tm_u128 *all)
{
	bool fits = true;

	*all = 0;
	for (size_t i = 0; i < n; i++) {
		if (!v[i].has_flops || !v[i].counts)
			continue;
		if (__builtin_mul_overflow(v[i].flops, (tm_u128)v[i].calls, &v[i].total) ||
		    __builtin_add_overflow(*all, v[i].total, all)) {
			fits = v[i].has_flops = false;
			v[i].total = 0;
		}
	}
	return fits;
}

static enum tm_status top_fill(void *acc, struct tm_table *t, struct tm_report *rep)
{
	struct acc *a = acc;
	struct rows r = { .t = t };
	size_t n;
	tm_u128 all;
	bool ok;

	tm_table_init_list(t, columns);
	ok = fold(a, &r, rep);
	n = r.keys.n;
	if (ok && (!totals(r.v, n, &all) || r.overflow))
		tm_report_add(rep, TM_SEV_SKIP, NULL, 0,
		              "unusable numbers of calls or flops: some totals are missing");
	for (size_t i = 0; ok && i < n; i++)
		r.v[i].key = &r.keys.v[i];
	if (ok && a->o->by_library)
		n = by_library(r.v, n);
	if (ok && n)
		qsort(r.v, n, sizeof *r.v, by_work);
	for (size_t i = 0; ok && i < n; i++)
		ok = put_row(a, &r.v[i], all, t);
	free(r.v);
	tm_names_fini(&r.keys);
	tm_problem_fini(&r.p);
	tm_buf_fini(&r.key);
	if (!ok || t->failed)
		return TM_ST_FATAL;
	tm_lib_calls_tell(&a->calls, false, rep);
	if (a->traced && !a->calls.set[TM_CALL_TENSILE].texts.n)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "nothing to join --trace to: no tensile kernel names in the input "
		              "(TENSILE_DB=0x8000)");
	if (!t->nrows && !rep->n)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "no GPU library calls in the input");
	return t->nrows ? TM_ST_OK : TM_ST_END;
}

static void top_fini(void *acc)
{
	struct acc *a = acc;

	tm_lib_calls_fini(&a->calls);
	tm_lib_kernels_fini(&a->kernels);
}

const struct tm_question tm_lib_top = {
	.name = "top",
	.about = "GEMM shapes and other library calls, by share of the flops",
	.columns = columns,
	.size = sizeof(struct acc),
	.init = top_init,
	.take = top_take,
	.fill = top_fill,
	.fini = top_fini,
};
