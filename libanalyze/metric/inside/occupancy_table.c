/* SPDX-License-Identifier: MIT
 * The answer of `occupancy`: launches of one shape on one kind of GPU, and their figures. */
#include "metric/inside/occupancy.h"

#include "metric/shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GFX950 = 90500 };

/* Words of a row's key: architecture and compute units instead of an agent, 0 = unknown. */
enum { ROW_GFX = OCC_RANK, ROW_CUS = OCC_AGENT };

/* Groups by key, of launches or of rows. */
struct set {
	struct tm_groups keys;
	struct occ_group *g;
	size_t cap;
};

struct row {
	const uint64_t *key;
	const struct occ_group *g;
};

struct answer {
	const struct occupancy *a;
	uint64_t gfx, cus; /* what the user says of GPUs that are not described; 0 = nothing */
	bool people;       /* the answer is for them */
	struct tm_table *t;
	struct set rows;
	struct tm_buf text;
	uint64_t calls, unknown_gpu, unmeasured, part_of_lds, rdna, rdna_mode, doubled, doubtful;
};

static bool has(const uint64_t *key, unsigned bit)
{
	return key[OCC_HAS] & TM_MASK_BIT(bit);
}

static bool add(struct set *s, const uint64_t *key, const struct occ_group *g)
{
	uint32_t at = tm_groups_item(&s->keys, key, &s->g, &s->cap, sizeof *s->g, NULL);

	if (at == TM_GROUP_NONE)
		return false;
	s->g[at].calls += g->calls;
	s->g[at].total += g->total;
	return true;
}

static void set_fini(struct set *s)
{
	tm_groups_fini(&s->keys);
	free(s->g);
}

/* ---- launches to rows ---- */

/* Architecture and compute units of the GPU that a launch ran on; 0 = not known.  Without an agent
 * it is that of the rank, if it has one kind of them. */
static void gpu_of(const struct answer *w, const uint64_t *key, uint64_t *gfx, uint64_t *cus)
{
	struct tm_gpu_seen seen = { 0 };
	uint64_t xccs, agent = has(key, OCC_AGENT) ? key[OCC_AGENT] : UINT64_MAX;

	tm_agents_find(&w->a->agents, key[OCC_RANK], agent, &seen, &xccs);
	*gfx = seen.gfx ? seen.gfx : w->gfx;
	*cus = seen.cus ? seen.cus : w->cus;
}

/* How the profiler counted the registers of gfx950 on a rank: builds up to May 2026 give half of
 * all of them, and no accumulation registers; the others never give 8 k + 4 and none of those.  Of
 * a rank `calls` counts proofs of a right build, `total` those of a wrong one. */
static bool judge_halves(const struct answer *w, struct set *ranks)
{
	const struct occupancy *a = w->a;

	for (uint32_t i = 0; i < a->keys.n; i++) {
		const uint64_t *key = a->keys.key + (size_t)i * OCC_WORDS;
		struct occ_group seen = { 0 };
		uint64_t gfx, cus;

		gpu_of(w, key, &gfx, &cus);
		if (gfx == GFX950 && has(key, OCC_VGPRS) && has(key, OCC_ACCUMS)) {
			seen.calls = key[OCC_ACCUMS] != 0;
			seen.total = !key[OCC_ACCUMS] && key[OCC_VGPRS] % 8;
		}
		if (!add(ranks, &key[OCC_RANK], &seen))
			return false;
	}
	return true;
}

static void put_halves(const struct set *ranks, uint64_t rank, uint64_t *key)
{
	const struct occ_group *seen = &ranks->g[tm_groups_find(&ranks->keys, &rank)];

	if (key[ROW_GFX] != GFX950 || !has(key, OCC_VGPRS) || !has(key, OCC_ACCUMS) || seen->calls)
		return;
	key[OCC_HAS] |= TM_MASK_BIT(seen->total ? OCC_DOUBLED : OCC_HALF);
}

/* Launches of a rank and agent become those of a kind of GPU. */
static bool add_launch(struct answer *w, const struct set *ranks, const uint64_t *launch,
                       const struct occ_group *g)
{
	uint64_t key[OCC_WORDS];

	memcpy(key, launch, sizeof key);
	key[OCC_COUNTER] = 0;
	key[OCC_HAS] &= ~(TM_MASK_BIT(OCC_COUNTER) | TM_MASK_BIT(OCC_AGENT));
	gpu_of(w, launch, &key[ROW_GFX], &key[ROW_CUS]);
	put_halves(ranks, launch[OCC_RANK], key);
	return add(&w->rows, key, g);
}

/* Every counter repeats the dispatch it was read of: that with most launches counts, on ranks of
 * which there are no plain dispatches. */
static bool add_counted(struct answer *w, const struct set *ranks, const struct set *plain)
{
	struct set most = { .keys = { .words = OCC_WORDS } };
	const struct occupancy *a = w->a;
	bool ok = true;

	for (uint32_t i = 0; ok && i < a->keys.n; i++) {
		uint64_t key[OCC_WORDS];
		uint32_t at;

		memcpy(key, a->keys.key + (size_t)i * OCC_WORDS, sizeof key);
		if (!has(key, OCC_COUNTER) ||
		    tm_groups_find(&plain->keys, &key[OCC_RANK]) != TM_GROUP_NONE)
			continue;
		key[OCC_COUNTER] = 0;
		key[OCC_HAS] &= ~TM_MASK_BIT(OCC_COUNTER);
		at = tm_groups_item(&most.keys, key, &most.g, &most.cap, sizeof *most.g, NULL);
		ok = at != TM_GROUP_NONE;
		if (ok && (a->g[i].calls > most.g[at].calls ||
		           (a->g[i].calls == most.g[at].calls && a->g[i].total > most.g[at].total)))
			most.g[at] = a->g[i];
	}
	for (uint32_t i = 0; ok && i < most.keys.n; i++)
		ok = add_launch(w, ranks, most.keys.key + (size_t)i * OCC_WORDS, &most.g[i]);
	set_fini(&most);
	return ok;
}

static bool gather(struct answer *w)
{
	struct set ranks = { .keys = { .words = 1 } }, plain = { .keys = { .words = 1 } };
	static const struct occ_group none;
	const struct occupancy *a = w->a;
	bool ok = judge_halves(w, &ranks);

	for (uint32_t i = 0; ok && i < a->keys.n; i++) {
		const uint64_t *key = a->keys.key + (size_t)i * OCC_WORDS;

		if (!has(key, OCC_COUNTER))
			ok = add(&plain, &key[OCC_RANK], &none) &&
			     add_launch(w, &ranks, key, &a->g[i]);
	}
	ok = ok && add_counted(w, &ranks, &plain);
	set_fini(&ranks);
	set_fini(&plain);
	return ok;
}

/* ---- cells ---- */

/* "256x2": of three numbers those after the last that is not 1 are left out. */
static void put_size(struct tm_buf *b, const uint64_t *key, unsigned x)
{
	int n = has(key, x + 2) && key[x + 2] != 1 ? 3 : has(key, x + 1) && key[x + 1] != 1 ? 2 : 1;

	for (int i = 0; i < n; i++)
		tm_buf_fmt(b, "%s%" PRIu64, i ? "x" : "", key[x + (unsigned)i]);
}

static void put_shape(struct tm_buf *b, const uint64_t *key)
{
	tm_buf_clear(b);
	if (has(key, OCC_WG_X)) {
		tm_buf_str(b, "wg ");
		put_size(b, key, OCC_WG_X);
	}
	if (has(key, OCC_GRID_X)) {
		tm_buf_str(b, " grid ");
		put_size(b, key, OCC_GRID_X);
	}
	if (has(key, OCC_VGPRS))
		tm_buf_fmt(b, " vgpr %" PRIu64, key[OCC_VGPRS]);
	if (has(key, OCC_ACCUMS) && key[OCC_ACCUMS])
		tm_buf_fmt(b, "+%" PRIu64, key[OCC_ACCUMS]);
	if (has(key, OCC_SGPRS))
		tm_buf_fmt(b, " sgpr %" PRIu64, key[OCC_SGPRS]);
	if (has(key, OCC_LDS))
		tm_buf_fmt(b, " lds %" PRIu64, key[OCC_LDS]);
	if (has(key, OCC_WAVE))
		tm_buf_fmt(b, " wave %" PRIu64, key[OCC_WAVE]);
}

/* The product of three, of which Y and Z may be 1; UINT64_MAX where that does not fit. */
static uint64_t product(const uint64_t *key, unsigned x)
{
	uint64_t n = key[x];

	for (unsigned i = 1; i < 3; i++)
		if (has(key, x + i) && __builtin_mul_overflow(n, key[x + i], &n))
			return UINT64_MAX;
	return n;
}

/* Workgroups of a launch; 0 = unknown. */
static uint64_t groups_of(const uint64_t *key)
{
	return tm_shape_groups(key + OCC_WG_X, key[OCC_HAS] >> OCC_WG_X);
}

static void note(struct answer *w, const char *text)
{
	tm_buf_fmt(&w->text, "%s%s", w->text.n ? "; " : "", text);
}

/* The same of what is true of most rows: people are told once. */
static void note_all(struct answer *w, const char *text)
{
	if (!w->people)
		note(w, text);
}

/* Has gfx accumulation registers? */
static bool has_accums(uint64_t gfx)
{
	return gfx >= 90008 && gfx < 100000;
}

/* What is asked for; false, with a note, where that is not known. */
static bool launch_of(struct answer *w, const uint64_t *key, uint64_t calls,
                      struct tm_gpu_launch *l)
{
	*l = (struct tm_gpu_launch) {
		.gfx = key[ROW_GFX],
		.wave = has(key, OCC_WAVE) ? key[OCC_WAVE] : 0,
		.items = has(key, OCC_WG_X) ? product(key, OCC_WG_X) : 0,
		.vgprs = key[OCC_VGPRS],
		.accums = key[OCC_ACCUMS],
		.sgprs = key[OCC_SGPRS],
		.lds = key[OCC_LDS],
	};
	if (!l->gfx) {
		w->unknown_gpu += calls;
		note(w, "GPU unknown");
	}
	if (!has(key, OCC_VGPRS) || !has(key, OCC_WG_X) ||
	    (has_accums(l->gfx) && !has(key, OCC_ACCUMS))) {
		w->unmeasured += calls;
		note(w, has(key, OCC_VGPRS)  ? "registers or workgroup missing"
		        : has(key, OCC_WG_X) ? "no registers"
		                             : "no registers, no workgroup");
		return false;
	}
	return l->gfx != 0;
}

/* The true number of registers, of which `vgprs` is half. */
static void twice(struct tm_gpu_launch *l)
{
	uint64_t all = 2 * l->vgprs;

	l->vgprs = all < 256 ? all : 256;
	l->accums = all - l->vgprs;
}

/* The figures; false, with a note, where they are not known. */
static bool find(struct answer *w, const struct row *r, struct tm_gpu_occupancy *o)
{
	struct tm_gpu_launch l;
	struct tm_gpu_occupancy other;
	enum tm_gpu_fit fit;

	if (!launch_of(w, r->key, r->g->calls, &l))
		return false;
	if (has(r->key, OCC_DOUBLED) || has(r->key, OCC_HALF)) {
		enum tm_gpu_fit as_is = tm_gpu_occupancy(&l, &other);

		twice(&l);
		fit = tm_gpu_occupancy(&l, o);
		if (has(r->key, OCC_DOUBLED)) {
			w->doubled += r->g->calls;
			note_all(w, "VGPRs doubled");
		} else if (as_is == TM_GPU_FITS &&
		           (fit != TM_GPU_FITS || other.blocks != o->blocks)) {
			w->doubtful += r->g->calls;
			tm_buf_fmt(&w->text, "%s%" PRIu64 " or %" PRIu64 " waves",
			           w->text.n ? "; " : "", other.waves, o->waves);
			return false;
		}
	} else {
		fit = tm_gpu_occupancy(&l, o);
	}
	if (fit == TM_GPU_NO_LIMITS)
		note(w, "limits unknown");
	if (fit == TM_GPU_INCONSISTENT)
		note(w, "inconsistent");
	return fit == TM_GPU_FITS;
}

/* Rounds, and how full the GPU is. */
static void put_rounds(struct answer *w, const struct row *r, const struct tm_gpu_occupancy *o,
                       struct tm_cell *c)
{
	const struct tm_name *nm = &w->a->own.names.v[r->key[OCC_KERNEL]];
	uint64_t groups = groups_of(r->key);
	struct tm_gpu_rounds n;

	if (!r->key[ROW_CUS] || !tm_gpu_rounds(o, r->key[ROW_CUS], groups, &n))
		return;
	c[OCC_SLOTS] = tm_cell_u64(n.slots);
	if (tm_kernel_persistent(nm->text, nm->len)) {
		note(w, "persistent");
		return;
	}
	c[OCC_ROUNDS] = tm_cell_u64(n.rounds);
	c[OCC_TAIL] = tm_cell_pct(groups, n.capacity);
	if (groups < n.units)
		tm_buf_fmt(&w->text, "%s%" PRIu64 " of %" PRIu64 " %s empty", w->text.n ? "; " : "",
		           n.units - groups, n.units, o->units > 1 ? "WGPs" : "CUs");
}

static void put_figures(struct answer *w, const struct row *r, const struct tm_gpu_occupancy *o,
                        struct tm_cell *c)
{
	c[OCC_WAVES] = tm_cell_u64(o->waves);
	c[OCC_MAX_WAVES] = tm_cell_u64(o->most);
	c[OCC_PCT] = tm_cell_pct(o->waves, o->most);
	if (o->to_free)
		c[OCC_TO_FREE] = tm_cell_u64(o->to_free);
	put_rounds(w, r, o, c);
	if (o->units > 1) {
		*(has(r->key, OCC_WAVE) ? &w->rdna_mode : &w->rdna) += r->g->calls;
		note_all(w, has(r->key, OCC_WAVE) ? "if WGP mode" : "if wave32 and WGP mode");
	}
	if (has(r->key, OCC_PART_OF_LDS) || !has(r->key, OCC_LDS)) {
		w->part_of_lds += r->g->calls;
		note_all(w, has(r->key, OCC_LDS) ? "static LDS" : "no LDS");
	}
}

static bool put_row(struct answer *w, const struct row *r)
{
	const struct tm_name *nm = &w->a->own.names.v[r->key[OCC_KERNEL]];
	struct tm_cell *c = tm_table_row(w->t);
	struct tm_gpu_occupancy o;
	bool found;

	if (!c)
		return false;
	w->calls += r->g->calls;
	c[OCC_NAME] = tm_cell_text(nm->text, nm->len);
	put_shape(&w->text, r->key);
	c[OCC_SHAPE] = tm_table_take(w->t, &w->text);
	c[OCC_CALLS] = tm_cell_u64(r->g->calls);
	c[OCC_TOTAL] = r->g->total >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)r->g->total);
	if (r->key[ROW_GFX])
		tm_gpu_put_gfx(&w->text, r->key[ROW_GFX]);
	c[OCC_ARCH] = tm_table_take(w->t, &w->text);
	if (groups_of(r->key))
		c[OCC_GROUPS] = tm_cell_u64(groups_of(r->key));
	found = find(w, r, &o);
	if (found)
		put_figures(w, r, &o, c);
	c[OCC_NOTE] = tm_table_take(w->t, &w->text);
	if (found)
		tm_gpu_put_limits(&w->text, o.limits);
	c[OCC_LIMITER] = tm_table_take(w->t, &w->text);
	return !w->t->failed;
}

/* ---- all of it ---- */

static int by_total(const void *pa, const void *pb, void *arg)
{
	const struct row *a = pa, *b = pb;
	const struct tm_name *names = arg;
	int c;

	if (a->g->total != b->g->total)
		return a->g->total > b->g->total ? -1 : 1;
	c = tm_name_cmp(&names[a->key[OCC_KERNEL]], &names[b->key[OCC_KERNEL]]);
	for (unsigned i = OCC_HAS; !c && i < OCC_WORDS; i++)
		c = (a->key[i] > b->key[i]) - (a->key[i] < b->key[i]);
	return c;
}

static bool put_rows(struct answer *w)
{
	const struct tm_groups *keys = &w->rows.keys;
	struct row *v = calloc((size_t)keys->n + 1, sizeof *v);
	bool ok = v != NULL;

	for (uint32_t i = 0; ok && i < keys->n; i++)
		v[i] = (struct row) { keys->key + (size_t)i * OCC_WORDS, &w->rows.g[i] };
	if (ok && keys->n)
		qsort_r(v, keys->n, sizeof *v, by_total, w->a->own.names.v);
	for (uint32_t i = 0; ok && i < keys->n; i++)
		ok = put_row(w, &v[i]);
	free(v);
	return ok;
}

static void tell(const struct answer *w, struct tm_report *rep)
{
	const struct {
		uint64_t n;
		const char *what;
	} say[] = {
		{ w->unknown_gpu, "ran on a GPU that the input does not describe: add the "
		                  "agent_info.csv of the run, or use --arch and --cus" },
		{ w->unmeasured, "have no registers or workgroup: rocprofv3 records them (kernel "
		                 "trace as CSV, rocpd or pftrace)" },
		{ w->part_of_lds, "have no dynamic LDS in the input, so that fewer waves may fit: "
		                  "rocpd and pftrace record it" },
		{ w->doubled, "ran on gfx950 and report half of their VGPRs, as the profiler did "
		              "until 2026: doubled" },
		{ w->doubtful, "ran on gfx950 and report VGPRs that may be half of the real "
		               "number: no other kernel of the rank shows which" },
		{ w->rdna, "ran on RDNA: their waves and mode are not recorded, so figures are for "
		           "workgroups that share two compute units (WGP mode)" },
		{ w->rdna_mode, "ran on RDNA: their mode is not recorded, so figures are for "
		                "workgroups that share two compute units (WGP mode)" },
	};

	for (size_t i = 0; i < sizeof say / sizeof *say; i++)
		if (say[i].n)
			tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
			              "%" PRIu64 " of %" PRIu64 " launches %s", say[i].n, w->calls,
			              say[i].what);
	tm_report_untimed(rep, w->a->untimed);
	tm_report_stats(rep, w->a->stats);
}

static void explain_nothing(const struct occupancy *a, struct tm_report *rep)
{
	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR)
			return; /* said already */
	if (a->stats && !a->outside && !a->untimed)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: statistics files contain totals, not events; give "
		              "the trace");
	else
		tm_report_add(
		        rep, TM_SEV_ERROR, NULL, 0, "nothing to show: no kernel dispatches %s",
		        a->outside   ? "start in the window"
		        : a->untimed ? "with start and end in the input"
		        : a->o->selected
		                ? "among the selected events"
		                : "in the input: rocprofv3 --kernel-trace -- PROGRAM records them");
}

enum tm_status tm_occupancy_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                                 struct tm_report *rep)
{
	const struct occupancy_own *own = o->own;
	struct answer w = { .a = acc, .t = t, .rows = { .keys = { .words = OCC_WORDS } } };
	enum tm_status st = TM_ST_OK;

	tm_table_init_list(t, tm_occupancy_columns);
	if (own->arch && !tm_gpu_gfx_parse(own->arch, &w.gfx)) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "--arch: '%.40s' is not an architecture: gfx942, gfx90a, gfx1100 ...",
		              own->arch);
		return TM_ST_END;
	}
	w.people = o->width != 0;
	w.cus = own->cus == UINT64_MAX ? 0 : own->cus;
	if (!w.a->keys.n) {
		explain_nothing(w.a, rep);
		return TM_ST_END;
	}
	if (gather(&w) && put_rows(&w))
		tell(&w, rep);
	else
		st = TM_ST_FATAL;
	set_fini(&w.rows);
	tm_buf_fini(&w.text);
	return st;
}
