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
	tm_u128 total, lost;             /* of those whose lost time is known */
};

static struct tm_cell word(const char *s)
{
	return s && *s ? tm_cell_text(s, strlen(s)) : tm_cell_none();
}

static struct tm_cell own(struct answer *w)
{
	struct tm_cell c = w->text.n ? tm_table_own(w->t, w->text.p, w->text.n) : tm_cell_none();

	w->t->failed |= w->text.failed;
	tm_buf_clear(&w->text);
	return c;
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

static void put_roof(struct answer *w, const struct roofline_row *row, const struct tm_gpu_roof *r,
                     struct tm_cell *c)
{
	tm_u128 compute = 0, memory = 0, least;

	if (r->mops) {
		tm_buf_fmt(&w->text, "%s %s", tm_gpu_type_text(r->type), tm_gpu_unit_text(r->unit));
		c[ROOF_PEAK] = own(w);
		c[ROOF_PEAK_PCT] = tm_cell_pct(row->flops * 1000, row->total * r->mops);
		c[ROOF_PEAK_TFLOPS] = ratio(r->mops, 1000000);
		compute = up(row->flops * 1000, r->mops);
	}
	if (r->reached) {
		c[ROOF_REACHED_PCT] = tm_cell_pct(row->flops * 1000, row->total * r->reached);
		c[ROOF_REACHED_TFLOPS] = ratio(r->reached, 1000000);
	}
	if (r->mbps) {
		c[ROOF_MEMORY_GBPS] = ratio(r->mbps, 1000);
		if (!row->no_bytes)
			c[ROOF_MEMORY_PCT] = tm_cell_pct(row->bytes * 1000, row->total * r->mbps);
		memory = up(row->bytes * 1000, r->mbps);
	}
	if (!r->mops || !r->mbps || row->no_bytes)
		return;
	least = compute > memory ? compute : memory;
	c[ROOF_BOUND] = word(compute >= memory ? "compute" : "memory");
	c[ROOF_LOST] = tm_work_sum_cell(row->total > least ? row->total - least : 0, "durations",
	                                w->rep);
	w->total += row->total;
	w->lost += row->total > least ? row->total - least : 0;
	if (row->total < least)
		tm_buf_str(&w->text,
		           compute > memory
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

static void put_rates(struct answer *w, const struct roofline_row *row, struct tm_cell *c)
{
	c[ROOF_CALLS] = tm_cell_u64(row->calls);
	c[ROOF_TOTAL] = tm_work_sum_cell(row->total, "durations", w->rep);
	c[ROOF_FLOPS] = tm_work_sum_cell(row->flops, "operations", w->rep);
	c[ROOF_TFLOPS] = ratio(row->flops, row->total * 1000);
	if (row->no_bytes)
		return;
	c[ROOF_BYTES] = tm_work_sum_cell(row->bytes, "bytes", w->rep);
	c[ROOF_GBPS] = ratio(row->bytes, row->total);
	c[ROOF_INTENSITY] = ratio(row->flops, row->bytes);
}

static void put_gpu(struct answer *w, const struct roofline_row *row, struct tm_cell *c)
{
	const struct tm_name *v = w->f->names.v, *name = &v[row->key[ROW_NAME]];
	const struct tm_gpu_seen *gpu = &w->f->gpu[row->key[ROW_GPU]];
	const struct tm_gpu_product *product = tm_gpu_product(gpu);
	struct tm_kernel_facts facts = { 0 };
	uint64_t gfx = gpu->gfx ? gpu->gfx : product ? product->gfx : 0;
	struct tm_gpu_roof r;

	if (!row->several) {
		facts = tm_kernel_facts(name->text, name->len);
		put_tiles(w, row,
		          gpu->cus  ? gpu->cus
		          : product ? product->cus
		                    : 0,
		          gfx >= 100000, name, &facts, c);
	}
	r = roof_of(gpu, tm_gpu_type_of(v[row->key[ROW_TYPE]].text), &facts);
	if (is_winograd(name)) {
		tm_buf_str(&w->text, "Winograd: fewer operations than counted");
	} else {
		put_roof(w, row, &r, c);
		if (!r.mops && tm_gpu_put_name(&w->text, gpu)) {
			tm_buf_clear(&w->text);
			tm_buf_str(&w->text, "no peak known");
			w->no_peak += row->calls;
		} else if (!r.mops) {
			tm_buf_str(&w->text, "GPU unknown");
			w->no_gpu += row->calls;
		}
	}
	c[ROOF_NOTE] = own(w);
	tm_gpu_put_name(&w->text, gpu);
	c[ROOF_GPU] = own(w);
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
	c[ROOF_NAME] = own(w);
	c[ROOF_OP] = text(w, ROW_OP, row, 0);
	c[ROOF_PROBLEM] = text(w, ROW_PROBLEM, row, 0);
	/* "bf16_r" */
	c[ROOF_TYPE] = text(w, ROW_TYPE, row,
	                    type->len > 2 && !strcmp(type->text + type->len - 2, "_r") ? 2 : 0);
	c[ROOF_SOURCE] = text(w, ROW_SOURCE, row, 0);
	w->calls += row->calls;
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
	return c ? c : tm_u64_cmp(a[ROW_GROUPS], b[ROW_GROUPS]);
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
		ok = put_row(w, v[i]);
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
	[LACK_VALUES] = "the inputs of the operator do not tell its work",
	[LACK_OTHER] = "the work of the operator is not known",
	[LACK_LOG] = "the log does not tell which of its calls: ROCBLAS_LAYER=2 and "
	             "TENSILE_DB=0x8000, one process",
	[LACK_KERNELS] = "which kernels of the operator do its work is not known",
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
		c[ROOF_NOTE] = own(w);
		/* People do not have that column where there is little room. */
		if (c[ROOF_NOTE].type == TM_CELL_TEXT) {
			tm_buf_fmt(&w->text, "unmatched, %" PRIu64 " call%s: %.*s", w->f->lack[i],
			           w->f->lack[i] == 1 ? "" : "s", (int)c[ROOF_NOTE].len,
			           c[ROOF_NOTE].v.s);
			tm_table_say_below(w->t, own(w));
		}
		w->t->kept++;
	}
	return !w->t->failed;
}

static void tell(struct answer *w)
{
	for (int i = 0; i < LACKS; i++)
		if (w->f->lack[i])
			tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
			              "%" PRIu64 " of %" PRIu64
			              " matrix kernels have no known work: %s",
			              w->f->lack[i], w->f->matrix, lacks[i]);
	if (w->no_gpu)
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64 " calls ran on a GPU that the input does "
		              "not describe: --gpu names it",
		              w->no_gpu, w->calls);
	if (w->no_peak)
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64
		              " calls have no peak that is known for their "
		              "type and GPU: --gpu names the GPU, kstats roofline --peaks lists "
		              "those there are",
		              w->no_peak, w->calls);
	if (w->calls)
		tm_report_add(
		        w->rep, TM_SEV_NOTE, NULL, 0,
		        "bytes are the least: each operand is moved once, whatever caches do");
	tm_stack_tell(&w->f->a->s, w->rep);
}

static void say_first(struct answer *w)
{
	if (!w->total)
		return;
	tm_attributed_share(&w->text, w->lost, w->total);
	tm_buf_str(&w->text, " of the time of these kernels is above the roof of theory");
	w->t->headline = own(w);
}

static void explain_nothing(const struct answer *w)
{
	const struct tm_stack *s = &w->f->a->s;

	tm_report_add(w->rep, TM_SEV_ERROR, NULL, 0, "nothing to show: %s",
	              w->f->kernels ? "no matrix kernel in the input"
	              : s->stats    ? "statistics files hold no single events, only sums; give the "
	                              "trace"
	              : w->f->a->o->windowed ? "no kernels in the input inside the window"
	                                     : "no kernels in the input");
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
		return tm_roofline_peaks(t) ? TM_ST_OK : TM_ST_FATAL;
	}
	tm_table_init_list(t, tm_roofline_columns);
	if (o->view)
		t->look = TM_LOOK_ROOF;
	if (own_opts->gpu && !tm_gpu_product(&(struct tm_gpu_seen) {
	                             .name = own_opts->gpu, .len = strlen(own_opts->gpu) })) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "--gpu: '%.40s' is no GPU whose peaks are known: kstats roofline "
		              "--peaks lists them",
		              own_opts->gpu);
		return TM_ST_END;
	}
	if (!tm_roofline_find(&f, acc, &d)) {
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
