/* SPDX-License-Identifier: MIT
 * The answer of `roofline`: work, rates, and shares of the peaks of the GPU. */
#include "metric/inside/roofline.h"

#include "metric/attributed.h"
#include "metric/gemm_tiles.h"
#include "work/work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct answer {
	struct roofline_found *f;
	struct tm_table *t;
	struct tm_report *rep;
	enum tm_name_level level;
	struct tm_buf text;
	uint64_t calls, no_gpu, no_peak; /* executions: all, and those without */
	uint64_t counted;                /* of them, those of counters */
	bool counted_bytes;              /* of some of these bytes are known */
	/* of those whose lost time is known; of counters only where there is nothing else */
	tm_u128 total[2], lost[2];
};

static struct tm_cell word(const char *s)
{
	return s && *s ? tm_cell_text(s, strlen(s)) : tm_cell_none();
}

static struct tm_cell ratio(tm_u128 num, tm_u128 den)
{
	return den >> 64 ? tm_cell_none()
	                 : tm_cell_ratio((uint64_t)(num >> 64), (uint64_t)num, (uint64_t)den);
}

/* ---- the roof ---- */

static struct tm_gpu_roof roof_of(const struct tm_gpu_seen *gpu, enum tm_gpu_type type,
                                  const struct tm_kernel_facts *facts)
{
	bool valu = facts->instruction && !strcmp(facts->instruction, "valu");

	if (type == TM_GPU_F32 && facts->type && !strcmp(facts->type, "xf32"))
		type = TM_GPU_XF32;
	return tm_gpu_roof(gpu, type, valu);
}

static tm_u128 up(tm_u128 num, tm_u128 den)
{
	return num / den + (num % den != 0);
}

/* What a row is held against. */
struct under {
	struct tm_gpu_roof r;
	tm_u128 ops;     /* of its type and unit */
	tm_u128 compute; /* ns that all operations take at their peaks, at least */
	bool known;      /* compute is */
	bool least;      /* there may be more operations than are known */
};

static void put_shares(struct answer *w, const struct roofline_row *row, const struct under *u,
                       struct tm_cell *c)
{
	const struct tm_gpu_roof *r = &u->r;

	if (r->mops) {
		struct tm_buf peak = { 0 };

		tm_buf_fmt(&peak, "%s %s", tm_gpu_type_text(r->type), tm_gpu_unit_text(r->unit));
		c[ROOF_PEAK] = tm_table_own(w->t, peak.p ? peak.p : "", peak.n);
		w->t->failed |= peak.failed;
		tm_buf_fini(&peak);
		c[ROOF_PEAK_PCT] = tm_cell_pct(u->ops * 1000, row->total * r->mops);
		c[ROOF_PEAK_TFLOPS] = ratio(r->mops, 1000000);
	}
	if (r->reached) {
		c[ROOF_REACHED_PCT] = tm_cell_pct(u->ops * 1000, row->total * r->reached);
		c[ROOF_REACHED_TFLOPS] = ratio(r->reached, 1000000);
	}
	if (r->mbps) {
		c[ROOF_MEMORY_GBPS] = ratio(r->mbps, 1000);
		if (!row->no_bytes)
			c[ROOF_MEMORY_PCT] = tm_cell_pct(row->bytes * 1000, row->total * r->mbps);
	}
}

static void note(struct answer *w, const char *what)
{
	tm_buf_fmt(&w->text, "%s%s", w->text.n ? "; " : "", what);
}

static void put_roof(struct answer *w, const struct roofline_row *row, const struct under *u,
                     struct tm_cell *c)
{
	const bool counted = row->ops != NULL;
	tm_u128 memory, least, lost;

	if (!u->known || !u->r.mbps || row->no_bytes || row->no_time)
		return;
	memory = up(row->bytes * 1000, u->r.mbps);
	least = u->compute > memory ? u->compute : memory;
	lost = row->total > least ? row->total - least : 0;
	if (u->compute >= memory || !u->least)
		c[ROOF_BOUND] = word(u->compute >= memory ? "compute" : "memory");
	c[ROOF_LOST] = tm_work_sum_cell(lost, "durations", w->rep);
	w->total[counted] += row->total;
	w->lost[counted] += lost;
	if (row->total < least)
		note(w, u->compute > memory && counted ? "faster than the peak: another clock"
		        : u->compute > memory
		                ? "faster than the peak: fewer operations than counted, "
		                  "or another clock"
		                : "faster than memory: operands came from a cache");
}

/* ---- tiles ---- */

/* How many tiles a result has; 0 = too many. */
static uint64_t tiles_of(uint64_t m, uint64_t n, const struct tm_kernel_facts *f)
{
	uint64_t tiles;

	return __builtin_mul_overflow((uint64_t)up(m, f->m), (uint64_t)up(n, f->n), &tiles) ? 0
	                                                                                    : tiles;
}

static struct tm_cell tile_pct(uint64_t m, uint64_t n, const struct tm_kernel_facts *f)
{
	return tm_cell_pct((tm_u128)m * n, (tm_u128)tiles_of(m, n, f) * (tm_u128)(f->m * f->n));
}

/* Tensile counts rows and columns as BLAS does.  Others may count them the other way round: only
 * what is the same either way is known. */
static void put_tiles(struct answer *w, const struct roofline_row *row, uint64_t cus, bool rdna,
                      const struct tm_name *name, const struct tm_kernel_facts *f,
                      struct tm_cell *c)
{
	const struct tm_gpu_occupancy one = { .blocks = 1, .units = rdna ? 2 : 1 };
	uint64_t groups = row->key[ROW_GROUPS], tiles;
	struct tm_gpu_rounds r;
	bool tensile = f->library && !strcmp(f->library, "tensile");

	c[ROOF_TILE] = tm_gemm_tile(w->t, f);
	if (row->is_product && f->m && f->n) {
		struct tm_cell pct = tile_pct(row->m, row->n, f),
		               turned = tile_pct(row->n, row->m, f);

		if (tensile || pct.v.u == turned.v.u)
			c[ROOF_TILE_PCT] = pct;
		tiles = tiles_of(row->m, row->n, f);
		if (!groups && f->split_k && (tensile || tiles == tiles_of(row->n, row->m, f)) &&
		    (__builtin_mul_overflow(tiles, f->split_k, &groups) ||
		     __builtin_mul_overflow(groups, row->batch, &groups)))
			groups = 0;
	}
	if (groups && cus && !tm_kernel_persistent(name->text, name->len) &&
	    tm_gpu_rounds(&one, cus, groups, &r) && r.slots)
		c[ROOF_ROUND_PCT] = tm_cell_pct(groups, r.capacity);
}

/* ---- rows ---- */

static bool put_name(struct answer *w, const struct tm_name *nm)
{
	const char *p = nm->text, *end = nm->text + nm->len;

	/* Several are joined: each is cut for itself. */
	while (p < end) {
		const char *plus = memmem(p, (size_t)(end - p), " + ", 3);

		if (!plus || w->level == TM_NAME_FULL)
			plus = end;
		if (!tm_kernel_name(&w->text, p, (size_t)(plus - p), w->level))
			return false;
		if (plus < end)
			tm_buf_str(&w->text, " + ");
		p = plus < end ? plus + 3 : end;
	}
	return true;
}

/* Does a Winograd kernel do it, with fewer operations than are counted? */
static bool is_winograd(const struct tm_name *nm)
{
	return memmem(nm->text, nm->len, "Winograd", 8) ||
	       memmem(nm->text, nm->len, "winograd", 8) || memmem(nm->text, nm->len, "_f2x3_", 6) ||
	       memmem(nm->text, nm->len, "_f3x2_", 6) ||
	       memmem(nm->text, nm->len, "Sp3AsmConv", 10);
}

/* Are the operations of a row known, all of them or some? */
static bool has_ops(const struct roofline_row *row)
{
	return !row->ops || row->key[ROW_KNOWN] & ROOF_KNOWS_ALL || row->flops;
}

static void put_rates(struct answer *w, const struct roofline_row *row, struct tm_cell *c)
{
	const bool ops = has_ops(row);

	c[ROOF_CALLS] = tm_cell_u64(row->calls);
	if (!row->no_time)
		c[ROOF_TOTAL] = tm_work_sum_cell(row->total, "durations", w->rep);
	if (ops)
		c[ROOF_FLOPS] = tm_work_sum_cell(row->flops, "operations", w->rep);
	if (ops && !row->no_time)
		c[ROOF_TFLOPS] = ratio(row->flops, row->total * 1000);
	if (row->no_bytes)
		return;
	c[ROOF_BYTES] = tm_work_sum_cell(row->bytes, "bytes", w->rep);
	if (!row->no_time)
		c[ROOF_GBPS] = ratio(row->bytes, row->total);
	if (ops)
		c[ROOF_INTENSITY] = ratio(row->flops, row->bytes);
}

/* ---- of counters ---- */

/* A kind's part of the operations, in tenths of a percent. */
static uint64_t share_of(const struct roofline_row *row, unsigned k)
{
	return row->flops ? (uint64_t)((row->ops[k] * 1000 + row->flops / 2) / row->flops) : 0;
}

/* Of several kinds, how much is of each: "f16 matrix 97.0 %, f32 vector 3.0 % of operations". */
static void note_kinds(struct answer *w, const struct roofline_row *row)
{
	unsigned n = 0;

	for (unsigned k = 0; k < ROOF_KINDS; k++)
		n += share_of(row, k) != 0;
	if (n < 2)
		return;
	tm_buf_str(&w->text, "operations: ");
	for (unsigned k = 0, at = 0; k < ROOF_KINDS; k++) {
		const struct roofline_kind *kind = &tm_roofline_kinds[k];
		uint64_t share = share_of(row, k);

		if (!share)
			continue;
		tm_buf_fmt(&w->text, "%s%" PRIu64 ".%" PRIu64 " %% %s %s", at++ ? ", " : "",
		           share / 10, share % 10, tm_gpu_type_text(kind->type),
		           kind->valu ? "vector" : "matrix");
	}
}

/* What is not known of its dispatches. */
static void note_unknown(struct answer *w, const struct roofline_row *row)
{
	const uint64_t known = row->key[ROW_KNOWN];
	bool vector = false;

	for (unsigned k = 0; k < ROOF_KINDS; k++)
		vector |= tm_roofline_kinds[k].valu && row->ops[k];
	if (!has_ops(row))
		note(w, "operations not counted");
	else if (!(known & ROOF_KNOWS_ALL))
		note(w, "other operations not counted");
	else if (!row->flops)
		note(w, "no floating-point or matrix operations");
	if (vector && !(known & ROOF_KNOWS_LANES))
		note(w, "all lanes assumed active");
	if (row->no_bytes)
		note(w, "bytes not counted");
	if (row->no_time)
		note(w, "counters without times");
	if (row->across)
		note(w, "of several passes");
}

/* Matrix and vector units may work at once; each does one type after the other.  The type and unit
 * that the row has are those that take longest at their peak. */
static struct under under_counted(struct answer *w, const struct roofline_row *row,
                                  const struct tm_gpu_seen *gpu)
{
	struct under u = { .r = tm_gpu_roof(gpu, TM_GPU_TYPES, false),
		           .least = !(row->key[ROW_KNOWN] & ROOF_KNOWS_ALL),
		           .known = has_ops(row) };
	tm_u128 unit[2] = { 0, 0 }, longest = 0;
	bool no_peak = false;

	for (unsigned k = 0; k < ROOF_KINDS; k++) {
		const struct roofline_kind *kind = &tm_roofline_kinds[k];
		const struct tm_gpu_roof r = tm_gpu_roof(gpu, kind->type, kind->valu);
		tm_u128 t;

		if (!row->ops[k])
			continue;
		if (!r.mops) {
			u.least = no_peak = true;
			continue;
		}
		t = up(row->ops[k] * 1000, r.mops);
		unit[kind->valu] += t;
		if (t <= longest)
			continue;
		longest = t;
		u.r = r;
		u.ops = row->ops[k];
	}
	u.compute = unit[unit[1] > unit[0]];
	u.known &= longest || !row->flops;
	if (no_peak && longest)
		note(w, "no known peak for some types");
	return u;
}

/* The type of most operations, as the column has it. */
static const char *type_counted(const struct roofline_row *row)
{
	unsigned most = 0;

	for (unsigned k = 1; k < ROOF_KINDS; k++)
		if (row->ops[k] > row->ops[most])
			most = k;
	return row->ops[most] ? tm_gpu_type_text(tm_roofline_kinds[most].type) : NULL;
}

static bool is_known(const struct tm_gpu_seen *gpu)
{
	struct tm_buf name = { 0 };
	bool known = tm_gpu_put_name(&name, gpu);

	tm_buf_fini(&name);
	return known;
}

/* Rates against peaks, and the notes about them. */
static void put_against(struct answer *w, const struct roofline_row *row,
                        const struct tm_gpu_seen *gpu, const struct tm_kernel_facts *facts,
                        struct tm_cell *c)
{
	const struct tm_name *v = w->f->names.v;
	struct under u;

	if (!row->ops && is_winograd(&v[row->key[ROW_NAME]])) {
		tm_buf_str(&w->text, "Winograd: fewer operations than counted");
		return;
	}
	if (row->ops) {
		note_kinds(w, row);
		note_unknown(w, row);
		u = under_counted(w, row, gpu);
	} else {
		u = (struct under) { .r = roof_of(gpu, tm_gpu_type_of(v[row->key[ROW_TYPE]].text),
			                          facts),
			             .ops = row->flops };
		u.known = u.r.mops != 0;
		u.compute = u.known ? up(row->flops * 1000, u.r.mops) : 0;
	}
	if (!row->no_time)
		put_shares(w, row, &u, c);
	put_roof(w, row, &u, c);
	if (u.r.mops || (row->ops && !row->flops))
		return;
	if (is_known(gpu)) {
		note(w, "no peak known");
		w->no_peak += row->calls;
	} else {
		note(w, "GPU unknown");
		w->no_gpu += row->calls;
	}
}

static void put_gpu(struct answer *w, const struct roofline_row *row, struct tm_cell *c)
{
	const struct tm_name *v = w->f->names.v, *name = &v[row->key[ROW_NAME]];
	const struct tm_gpu_seen *gpu = &w->f->gpu[row->key[ROW_GPU]];
	const struct tm_gpu_product *product = tm_gpu_product(gpu);
	struct tm_kernel_facts facts = { 0 };
	uint64_t gfx = gpu->gfx ? gpu->gfx : product ? product->gfx : 0;

	if (!row->several) {
		facts = tm_kernel_facts(name->text, name->len);
		put_tiles(w, row,
		          gpu->cus  ? gpu->cus
		          : product ? product->cus
		                    : 0,
		          gfx >= 100000, name, &facts, c);
	}
	put_against(w, row, gpu, &facts, c);
	c[ROOF_NOTE] = tm_table_take(w->t, &w->text);
	tm_gpu_put_name(&w->text, gpu);
	c[ROOF_GPU] = tm_table_take(w->t, &w->text);
}

/* A text of the key, without its last bytes. */
static struct tm_cell text(struct answer *w, int word, const struct roofline_row *row,
                           uint32_t less)
{
	const struct tm_name *nm = &w->f->names.v[row->key[word]];

	return nm->len ? tm_table_own(w->t, nm->text, nm->len - less) : tm_cell_none();
}

static bool put_row(struct answer *w, const struct roofline_row *row)
{
	const struct tm_name *v = w->f->names.v;
	struct tm_cell *c = tm_table_row(w->t);
	const struct tm_name *type = &v[row->key[ROW_TYPE]];

	if (!c || !put_name(w, &v[row->key[ROW_NAME]]))
		return false;
	c[ROOF_NAME] = tm_table_take(w->t, &w->text);
	c[ROOF_OP] = text(w, ROW_OP, row, 0);
	c[ROOF_PROBLEM] = text(w, ROW_PROBLEM, row, 0);
	/* "bf16_r" */
	c[ROOF_TYPE] = row->ops ? word(type_counted(row))
	                        : text(w, ROW_TYPE, row,
	                               type->len > 2 && !strcmp(type->text + type->len - 2, "_r")
	                                       ? 2
	                                       : 0);
	c[ROOF_SOURCE] = text(w, ROW_SOURCE, row, 0);
	w->calls += row->calls;
	w->counted += row->ops ? row->calls : 0;
	w->counted_bytes |= row->ops && !row->no_bytes;
	put_rates(w, row, c);
	put_gpu(w, row, c);
	return !w->t->failed;
}

/* The words of a key that are names. */
static int by_words(const struct tm_names *names, const uint64_t *a, const uint64_t *b)
{
	static const int words[] = { ROW_NAME, ROW_OP, ROW_PROBLEM, ROW_TYPE, ROW_SOURCE };
	int c = 0;

	for (size_t i = 0; !c && i < sizeof words / sizeof *words; i++)
		c = tm_name_cmp(&names->v[a[words[i]]], &names->v[b[words[i]]]);
	c = c ? c : tm_u64_cmp(a[ROW_GROUPS], b[ROW_GROUPS]);
	return c ? c : tm_u64_cmp(a[ROW_KNOWN], b[ROW_KNOWN]);
}

static int by_gpu(const struct tm_gpu_seen *a, const struct tm_gpu_seen *b)
{
	int c = tm_u64_cmp(a->gfx, b->gfx);

	c = c ? c : tm_u64_cmp(a->cus, b->cus);
	c = c ? c : tm_u64_cmp(a->device, b->device);
	c = c ? c : tm_u64_cmp(a->mhz, b->mhz);
	return c ? c : strcmp(a->name ? a->name : "", b->name ? b->name : "");
}

static int by_total(const void *pa, const void *pb, void *arg)
{
	const struct roofline_row *a = *(const struct roofline_row *const *)pa,
	                          *b = *(const struct roofline_row *const *)pb;
	const struct roofline_found *f = arg;
	int c;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	c = by_words(&f->names, a->key, b->key);
	return c ? c : by_gpu(&f->gpu[a->key[ROW_GPU]], &f->gpu[b->key[ROW_GPU]]);
}

static bool put_rows(struct answer *w)
{
	const struct roofline_found *f = w->f;
	const struct roofline_row **v = calloc((size_t)f->keys.n + 1,
	                                       sizeof(struct roofline_row *));
	bool ok = v != NULL;

	for (uint32_t i = 0; ok && i < f->keys.n; i++)
		v[i] = &f->row[i];
	if (ok && f->keys.n)
		qsort_r(v, f->keys.n, sizeof *v, by_total, w->f);
	for (uint32_t i = 0; ok && i < f->keys.n; i++)
		ok = (!has_ops(v[i]) && v[i]->no_bytes) || put_row(w, v[i]);
	free(v);
	return ok;
}

/* ---- what is not known ---- */

/* Why, and what records it. */
static const char *const lacks[LACKS] = {
	[LACK_LAUNCH] =
	        "no operator in the trace: torch.profiler with record_shapes=True, or --log of "
	        "ROCBLAS_LAYER=2 TENSILE_DB=0x8000",
	[LACK_OUTSIDE] =
	        "launched outside any operator: torch.profiler with record_shapes=True, or "
	        "--log of ROCBLAS_LAYER=2 TENSILE_DB=0x8000",
	[LACK_GRAPH] = "launched with a HIP graph: its operators are recorded without graphs only",
	[LACK_INPUTS] = "no sizes of the operator's inputs: torch.profiler with record_shapes=True",
	[LACK_VALUES] = "the operator's inputs do not determine its work",
	[LACK_OTHER] = "work of the operator unknown",
	[LACK_LOG] = "the log does not show which of its calls: ROCBLAS_LAYER=2 and "
	             "TENSILE_DB=0x8000, one process",
	[LACK_KERNELS] = "unknown which kernels of the operator do its work",
};

static bool put_lacks(struct answer *w)
{
	static const char unmatched[] = "(unmatched)";

	for (int i = 0; i < LACKS; i++) {
		struct tm_cell *c = w->f->lack[i] ? tm_table_row(w->t) : NULL;

		if (!w->f->lack[i])
			continue;
		if (!c)
			return false;
		c[ROOF_NAME] = tm_cell_text(unmatched, sizeof unmatched - 1);
		c[ROOF_CALLS] = tm_cell_u64(w->f->lack[i]);
		c[ROOF_TOTAL] = tm_work_sum_cell(w->f->lack_ns[i], "durations", w->rep);
		tm_buf_str(&w->text, lacks[i]);
		if (i == LACK_OTHER && w->f->other)
			tm_buf_fmt(&w->text, ": %s", w->f->names.v[w->f->other - 1].text);
		c[ROOF_NOTE] = tm_table_take(w->t, &w->text);
		/* People do not have that column where there is little room. */
		if (c[ROOF_NOTE].type == TM_CELL_TEXT) {
			tm_buf_fmt(&w->text, "unmatched, %" PRIu64 " call%s: %.*s", w->f->lack[i],
			           w->f->lack[i] == 1 ? "" : "s", (int)c[ROOF_NOTE].len,
			           c[ROOF_NOTE].v.s);
			tm_table_say_below(w->t, tm_table_take(w->t, &w->text));
		}
		w->t->kept++;
	}
	return !w->t->failed;
}

static void tell(struct answer *w)
{
	bool any = false;

	for (int i = 0; i < LACKS; i++) {
		any |= w->f->lack[i] != 0;
		if (w->f->lack[i])
			tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
			              "%" PRIu64 " of %" PRIu64
			              " matrix kernels have no known work: %s",
			              w->f->lack[i], w->f->matrix, lacks[i]);
	}
	if (any && !w->f->a->counters.c.n)
		tm_report_add(
		        w->rep, TM_SEV_NOTE, NULL, 0,
		        "counters measure the work of any kernel (gfx90a and later Instinct): "
		        "rocprofv3 --pmc SQ_INSTS_VALU_MFMA_MOPS_F16 SQ_INSTS_VALU_MFMA_MOPS_BF16 "
		        "FETCH_SIZE -- PROGRAM, and again with WRITE_SIZE");
	if (w->no_gpu)
		tm_report_add(
		        w->rep, TM_SEV_NOTE, NULL, 0,
		        "%" PRIu64 " of %" PRIu64
		        " calls ran on a GPU that the input does not describe: name it with --gpu",
		        w->no_gpu, w->calls);
	if (w->no_peak)
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64
		              " calls have no known peak for their type and GPU: name the GPU with "
		              "--gpu; kstats roofline --peaks lists the known ones",
		              w->no_peak, w->calls);
	if (w->calls > w->counted)
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "bytes%s are a lower bound: each operand is moved once, regardless "
		              "of caches",
		              w->counted_bytes ? " that follow from sizes" : "");
	if (w->counted_bytes)
		tm_report_add(
		        w->rep, TM_SEV_NOTE, NULL, 0,
		        "counted bytes are those between L2 and memory, Infinity Cache included");
	if (w->counted)
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "dispatches were counted one at a time: durations differ from those "
		              "of a normal run");
	tm_stack_tell(&w->f->a->s, w->rep);
}

static void say_first(struct answer *w)
{
	const bool counted = !w->total[0];

	if (!w->total[counted])
		return;
	tm_attributed_share(&w->text, w->lost[counted], w->total[counted]);
	tm_buf_str(&w->text, " of the time of these kernels exceeds the theoretical roof");
	w->t->headline = tm_table_take(w->t, &w->text);
}

static void explain_nothing(const struct answer *w)
{
	const struct tm_stack *s = &w->f->a->s;
	const struct tm_metric_opts *o = w->f->a->o;
	const char *where = tm_metric_where(o, true);

	if (w->f->a->counters.c.n && !o->windowed && !o->selected)
		tm_report_add(w->rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: no counters of operations or bytes in the input");
	else if (w->f->kernels)
		tm_report_add(w->rep, TM_SEV_ERROR, NULL, 0, "nothing to show: no matrix kernel %s",
		              where);
	else if (s->stats)
		tm_report_add(w->rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: statistics files contain totals, not events; give "
		              "the trace");
	else
		tm_report_add(w->rep, TM_SEV_ERROR, NULL, 0, "nothing to show: no kernels %s%s",
		              where,
		              o->windowed || o->selected
		                      ? ""
		                      : ": rocprofv3 --kernel-trace -- PROGRAM records them");
}

enum tm_status tm_roofline_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                                struct tm_report *rep)
{
	const struct roofline_own *own_opts = o->own;
	struct roofline_found f = { 0 };
	struct answer w = { .f = &f, .t = t, .rep = rep, .level = o->level };
	enum tm_status st = TM_ST_FATAL;
	struct tm_diag d = { 0 };

	if (o->view && !strcmp(o->view, "peaks")) {
		tm_table_init_list(t, tm_roofline_peaks_columns);
		return tm_roofline_peaks(own_opts, t, &d) ? TM_ST_OK : TM_ST_FATAL;
	}
	tm_table_init_list(t, tm_roofline_columns);
	if (o->view)
		t->look = TM_LOOK_ROOF;
	if (own_opts->gpu && !tm_gpu_is_product(own_opts->gpu, &d)) {
		tm_report_diag(rep, NULL, &d);
		return TM_ST_END;
	}
	if (!tm_roofline_find(&f, acc, rep, &d)) {
		if (*d.text) {
			tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "--log %.200s: %s", own_opts->log,
			              d.text);
			st = TM_ST_END;
		}
	} else if (put_rows(&w) && put_lacks(&w)) {
		st = t->nrows ? TM_ST_OK : TM_ST_END;
		if (t->nrows) {
			say_first(&w);
			tell(&w);
		} else {
			explain_nothing(&w);
		}
	}
	tm_buf_fini(&w.text);
	tm_roofline_found_fini(&f);
	return t->failed ? TM_ST_FATAL : st;
}
