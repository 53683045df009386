/* SPDX-License-Identifier: MIT
 * Which work did kernels do, as far as it was counted?  Operations by unit and type and bytes past
 * L2 follow from counters by the formulas of schemas/counters.tsv, where these are valid.
 *
 * A row has the dispatches of one kernel of which the same is known. */
#include "metric/inside/counters.h"
#include "metric/inside/roofline_match.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct roofline_kind tm_roofline_kinds[ROOF_KINDS] = {
	{ "mfma_flops_f64", TM_GPU_F64, false },   { "mfma_flops_f32", TM_GPU_F32, false },
	{ "mfma_flops_xf32", TM_GPU_XF32, false }, { "mfma_flops_f16", TM_GPU_F16, false },
	{ "mfma_flops_bf16", TM_GPU_BF16, false }, { "mfma_flops_f8", TM_GPU_F8, false },
	{ "mfma_flops_f6f4", TM_GPU_F6, false },   { "mfma_i8_ops", TM_GPU_I8, false },
	{ "valu_flops_f64", TM_GPU_F64, true },    { "valu_flops_f32", TM_GPU_F32, true },
	{ "valu_flops_f16", TM_GPU_F16, true },
};
static const char *const bytes_metrics[2] = { "fabric_read_bytes", "fabric_write_bytes" };
static const char lanes_metric[] = "lane_use_pct";

/* What can be computed on a GPU; NULL = nothing. */
struct valid {
	struct counters_metrics all;
	const struct counters_metric *ops[ROOF_KINDS], *bytes[2], *lanes;
	uint64_t there; /* kinds that such a GPU has formulas of: bits */
};

struct counted {
	struct roofline_found *f;
	const struct counters *a;
	struct tm_report *rep;
	struct tm_known known;
	struct tm_counted d;
	struct valid *valid; /* of the GPUs of f: n of them */
	size_t n, cap;
	double *leaf;
	size_t leaf_cap;
	struct tm_buf text;
	bool across, rdna;
	uint64_t dispatches;
	/* Of how many dispatches what is missing; the first of them tells the GPU. */
	uint64_t no_bytes, no_ops, no_lanes;
	uint32_t no_bytes_gpu, no_ops_gpu;
	uint64_t no_ops_known; /* kinds that are known of that one */
};

static struct counters_gpu gpu_of(const struct tm_gpu_seen *seen)
{
	const struct tm_gpu_product *p = tm_gpu_product(seen);

	return (struct counters_gpu) { .gfx = seen->gfx ? seen->gfx
		                              : p       ? p->gfx
		                                        : 0,
		                       .cus = seen->cus ? seen->cus
		                              : p       ? p->cus
		                                        : 0 };
}

/* A metric that counts; why not is said once. */
static const struct counters_metric *valid_of(struct counted *c, const struct valid *v,
                                              const char *name, uint64_t gfx, bool *ok)
{
	const struct counters_metric *m = tm_counters_metric(&v->all, name);

	if (!m || !m->plan || m->row->kind == TM_KNOWN_UNKNOWN)
		return NULL;
	if (m->wrong)
		*ok = *ok && tm_counters_say_once(c->rep, TM_SEV_NOTE, m->row->name, gfx,
		                                  "is not used", m->wrong->about);
	return m->wrong ? NULL : m;
}

/* What is valid on GPU i of f; NULL when out of memory. */
static const struct valid *valid_on(struct counted *c, uint32_t i)
{
	bool ok = true;

	while (c->n <= i) {
		struct counters_gpu gpu = gpu_of(&c->f->gpu[c->n]);
		struct valid *v;

		if (!tm_grow_array(&c->valid, &c->cap, c->n + 1, sizeof *c->valid))
			return NULL;
		v = &c->valid[c->n++];
		*v = (struct valid) { 0 };
		if (!tm_counters_metrics(&v->all, &c->known, &c->a->c.names, &gpu))
			return NULL;
		for (unsigned k = 0; k < ROOF_KINDS; k++) {
			if (tm_counters_metric(&v->all, tm_roofline_kinds[k].metric))
				v->there |= TM_MASK_BIT(k);
			v->ops[k] = valid_of(c, v, tm_roofline_kinds[k].metric, gpu.gfx, &ok);
		}
		for (unsigned k = 0; k < 2; k++)
			v->bytes[k] = valid_of(c, v, bytes_metrics[k], gpu.gfx, &ok);
		v->lanes = valid_of(c, v, lanes_metric, gpu.gfx, &ok);
		c->rdna |= gpu.gfx >= 110000;
	}
	return ok ? &c->valid[i] : NULL;
}

/* *known = false where the dispatch does not have the counters, or they make no sense.  False when
 * out of memory. */
static bool value_of(struct counted *c, const struct counters_metric *m,
                     const struct tm_counted_dispatch *d, bool *known, bool *across, double *value)
{
	bool several;
	uint64_t ns;

	*known = false;
	if (!m)
		return true;
	if (!tm_grow_array(&c->leaf, &c->leaf_cap, m->nleaves + 1, sizeof *c->leaf))
		return false;
	if (!tm_counters_leaves(m, d, c->leaf, &ns, &several))
		return true;
	*value = tm_counters_value(m->plan, c->leaf, (double)ns / 1e9);
	*known = isfinite(*value) && *value >= 0 && *value < 0x1p90;
	*across |= *known && several;
	return true;
}

/* What is known of a dispatch. */
struct work {
	uint64_t known; /* ROW_KNOWN */
	tm_u128 ops[ROOF_KINDS], all_ops, bytes;
	bool across; /* of several executions */
	const struct tm_counted_value *first;
};

static bool ops_of(struct counted *c, const struct valid *v, const struct tm_counted_dispatch *d,
                   struct work *w)
{
	double lanes = 100, value;
	bool known, across = false;

	if (!value_of(c, v->lanes, d, &known, &across, &lanes))
		return false;
	w->known |= known ? ROOF_KNOWS_LANES : 0;
	lanes = known ? fmin(lanes, 100) : 100;
	for (unsigned k = 0; k < ROOF_KINDS; k++) {
		if (!value_of(c, v->ops[k], d, &known, &w->across, &value))
			return false;
		if (!known)
			continue;
		w->known |= TM_MASK_BIT(k);
		w->ops[k] = (tm_u128)(tm_roofline_kinds[k].valu ? value * lanes / 100 + 0.5
		                                                : value + 0.5);
		w->all_ops += w->ops[k];
		w->across |= across && tm_roofline_kinds[k].valu && w->ops[k];
	}
	if (!(v->there & ~w->known))
		w->known |= v->there ? ROOF_KNOWS_ALL : 0;
	return true;
}

static bool work_of(struct counted *c, const struct valid *v, const struct tm_counted_dispatch *d,
                    struct work *w)
{
	double value[2];
	bool known[2];

	*w = (struct work) { .known = ROOF_COUNTED };
	if (!ops_of(c, v, d, w))
		return false;
	for (unsigned k = 0; k < 2; k++)
		if (!value_of(c, v->bytes[k], d, &known[k], &w->across, &value[k]))
			return false;
	if (known[0] && known[1]) {
		w->known |= ROOF_KNOWS_BYTES;
		w->bytes = (tm_u128)(value[0] + value[1] + 0.5);
	}
	if (d->start < d->end)
		w->known |= ROOF_KNOWS_TIME;
	/* Operations of one execution, bytes of another. */
	for (size_t i = 1; i < d->n && !w->across; i++)
		w->across = d->v[i].pass != d->v[0].pass;
	return true;
}

static uint32_t empty_text(struct counted *c)
{
	return tm_names_add(&c->f->names, "", 0);
}

/* The name of the kernel in f->names; TM_NAME_NONE when out of memory. */
static uint32_t name_of(struct counted *c, uint32_t kernel)
{
	const struct tm_name *nm = &c->a->c.names.v[kernel];

	tm_buf_clear(&c->text);
	if (!tm_kernel_name(&c->text, nm->text, nm->len, TM_NAME_FULL))
		return TM_NAME_NONE;
	return tm_names_add(&c->f->names, c->text.p ? c->text.p : "", c->text.n);
}

static bool add_row(struct counted *c, const struct tm_counted_dispatch *d, uint32_t gpu,
                    uint32_t name, const struct work *w)
{
	const uint32_t none = empty_text(c),
	               source = tm_names_add(&c->f->names, "counters", strlen("counters"));
	const uint64_t key[ROW_WORDS] = {
		[ROW_NAME] = name, [ROW_OP] = none,       [ROW_PROBLEM] = none,  [ROW_TYPE] = none,
		[ROW_GPU] = gpu,   [ROW_SOURCE] = source, [ROW_KNOWN] = w->known
	};
	struct roofline_found *f = c->f;
	struct roofline_row *row;
	uint32_t at;
	bool fresh;

	if (none == TM_NAME_NONE || source == TM_NAME_NONE)
		return false;
	at = tm_groups_item(&f->keys, key, &f->row, &f->cap, sizeof *f->row, &fresh);
	if (at == TM_GROUP_NONE)
		return false;
	row = &f->row[at];
	if (fresh)
		row->ops = calloc(ROOF_KINDS, sizeof *row->ops);
	if (!row->ops)
		return false;
	row->calls++;
	row->total += d->end - d->start;
	row->flops += w->all_ops;
	row->bytes += w->bytes;
	row->no_bytes = !(w->known & ROOF_KNOWS_BYTES);
	row->across |= w->across;
	for (unsigned k = 0; k < ROOF_KINDS; k++)
		row->ops[k] += w->ops[k];
	f->untimed |= !(w->known & ROOF_KNOWS_TIME);
	return true;
}

static bool add_dispatch(struct counted *c, const struct tm_counted_dispatch *d)
{
	const uint32_t gpu = tm_roofline_gpu(c->f, d->rank, d->has_agent, d->agent),
	               name = name_of(c, d->kernel);
	const struct valid *v = gpu == UINT32_MAX ? NULL : valid_on(c, gpu);
	const uint64_t kinds = TM_MASK_BIT(ROOF_KINDS) - 1;
	struct work w;

	if (!v || name == TM_NAME_NONE || !work_of(c, v, d, &w))
		return false;
	c->dispatches++;
	if (!(w.known & ROOF_KNOWS_BYTES) && !c->no_bytes++)
		c->no_bytes_gpu = gpu;
	if (v->there & ~w.known && !c->no_ops++) {
		c->no_ops_gpu = gpu;
		c->no_ops_known = w.known;
	}
	if (!(w.known & (kinds | ROOF_KNOWS_BYTES)))
		return true;
	c->across |= w.across;
	for (unsigned k = 0; k < ROOF_KINDS; k++)
		if (tm_roofline_kinds[k].valu && w.ops[k] && !(w.known & ROOF_KNOWS_LANES)) {
			c->no_lanes++;
			break;
		}
	if (w.known & ROOF_KNOWS_ALL || w.all_ops) {
		const uint64_t key[2] = { d->rank, name };

		if (tm_groups_add(&c->f->counted, key, NULL) == TM_GROUP_NONE)
			return false;
	}
	return add_row(c, d, gpu, name, &w);
}

/* ---- what is missing ---- */

/* "rocprofv3 --pmc A B -- PROGRAM" for metrics of a list, into c->text. */
static void put_command(struct counted *c, uint32_t gpu, const char *const *metric, size_t n)
{
	const struct counters_gpu g = gpu_of(&c->f->gpu[gpu]);
	struct tm_buf names = { 0 };

	for (size_t i = 0; i < n; i++)
		tm_counters_put_needed(&names, &c->known, &g, metric[i]);
	tm_buf_clear(&c->text);
	if (names.n)
		tm_buf_fmt(&c->text, "rocprofv3 --pmc%s -- PROGRAM", names.p);
	else
		tm_buf_str(&c->text, "the counters needed depend on the GPU: name it with --gpu");
	c->text.failed |= names.failed;
	tm_buf_fini(&names);
}

/* Together they do not fit one pass of gfx942. */
static void say_bytes(struct counted *c)
{
	struct tm_buf read = { 0 };

	if (!c->no_bytes)
		return;
	put_command(c, c->no_bytes_gpu, bytes_metrics, 1);
	tm_buf_add(&read, c->text.p, c->text.n);
	put_command(c, c->no_bytes_gpu, bytes_metrics + 1, 1);
	tm_report_add(c->rep, TM_SEV_NOTE, NULL, 0,
	              "bytes of %" PRIu64 " of %" PRIu64
	              " counted dispatches are unknown: %s; and %s",
	              c->no_bytes, c->dispatches, read.p ? read.p : "", c->text.p ? c->text.p : "");
	c->text.failed |= read.failed;
	tm_buf_fini(&read);
}

/* Those of matrix units fit one pass; of vector units each type takes another. */
static void say_ops(struct counted *c)
{
	const char *metric[ROOF_KINDS];
	const uint64_t missing = c->no_ops ? c->valid[c->no_ops_gpu].there & ~c->no_ops_known : 0;
	bool vector = false;
	size_t n = 0;

	if (!missing)
		return;
	for (unsigned k = 0; k < ROOF_KINDS; k++) {
		if (!(missing & TM_MASK_BIT(k)))
			continue;
		if (tm_roofline_kinds[k].valu)
			vector = true;
		else
			metric[n++] = tm_roofline_kinds[k].metric;
	}
	tm_buf_clear(&c->text);
	if (n)
		put_command(c, c->no_ops_gpu, metric, n);
	tm_report_add(c->rep, TM_SEV_NOTE, NULL, 0,
	              "operations of %" PRIu64 " of %" PRIu64
	              " dispatches were not counted, or not all: %s%s%s",
	              c->no_ops, c->dispatches, c->text.p ? c->text.p : "", n && vector ? "; " : "",
	              vector ? "vector units, a run for each type: rocprofv3 --pmc "
	                       "SQ_INSTS_VALU_{ADD,MUL,TRANS,FMA}_F32 -- PROGRAM"
	                     : "");
}

static void say(struct counted *c)
{
	say_bytes(c);
	say_ops(c);
	if (c->no_lanes)
		tm_report_add(
		        c->rep, TM_SEV_NOTE, NULL, 0,
		        "vector operations of %" PRIu64
		        " dispatches include idle lanes: rocprofv3 --pmc SQ_THREAD_CYCLES_VALU "
		        "SQ_ACTIVE_INST_VALU -- PROGRAM counts active ones",
		        c->no_lanes);
	tm_counters_say_passes(&c->a->c, &c->d, c->across, c->rep);
	tm_counters_say_doubts(c->a, c->rdna, c->rep);
}

bool tm_roofline_counted(struct roofline_found *f, const struct counters *a, struct tm_report *rep)
{
	struct counted c = { .f = f, .a = a, .rep = rep };
	struct tm_diag d = { 0 };
	bool ok;

	if (!a->c.n)
		return true;
	ok = tm_known_builtin(&c.known, &d) && tm_counted_join(&c.d, &a->c);
	for (size_t i = 0; ok && i < c.d.n; i++)
		if (tm_counters_where(a->o, &c.d.v[i]) == COUNTED_INSIDE)
			ok = add_dispatch(&c, &c.d.v[i]);
	if (ok && c.dispatches)
		say(&c);
	ok = ok && !c.text.failed;
	for (size_t i = 0; i < c.n; i++)
		tm_counters_metrics_fini(&c.valid[i].all); /* before the rows it is made of */
	tm_known_fini(&c.known);
	tm_counted_fini(&c.d);
	tm_buf_fini(&c.text);
	free(c.valid);
	free(c.leaf);
	return ok;
}
