/* SPDX-License-Identifier: MIT
 * The answer of `samples`: places in kernels, and their shares. */
#include "metric/inside/samples.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENOUGH = 100 };               /* of fewer samples no share is told */
#define NORMAL_975 1.959963984540054 /* quantile of the normal distribution */

static const char undecoded[] = "(not decoded)";

/* Words of a row's key: samples or a thread trace, kernel (id of its shown name + 1, 0 = unknown),
 * and, by view, a place, a source (id + 1) or nothing. */
enum { ROW_TRACE, ROW_KERNEL, ROW_PLACE, ROW_WORDS };
enum { VIEW_PLACES, VIEW_LINES, VIEW_KERNELS };

struct row {
	uint64_t n, issued, told, lanes, masks; /* told: samples that say whether the wave issued */
	struct traced t;
	uint64_t key[ROW_WORDS];
	uint32_t stall, kernel; /* most frequent reason, id + 1; number of the kernel's sums */
	uint64_t stalls;
};

struct whole {
	uint64_t n;
	tm_u128 cycles;
};

struct answer {
	const struct samples *a;
	const struct tm_metric_opts *o;
	struct tm_table *t;
	struct tm_report *rep;
	unsigned view;
	struct tm_names names; /* of kernels as they are shown */
	uint32_t *shown;       /* of a name in a->names: id in `names` + 1, 0 = not asked for */
	struct tm_groups keys, stall_keys, wholes;
	struct row *row;
	struct whole *whole;
	uint64_t *stalls;
	size_t row_cap, stall_cap, whole_cap;
	struct tm_buf text;
	uint64_t unnamed, several, undecoded, untold;
	uint64_t left; /* samples that -k or --class leave out, or may */
	bool some;     /* these were given */
};

static const struct tm_name *name_at(const struct samples *a, uint64_t id)
{
	return &a->names.v[id - 1];
}

static const uint64_t *place_key(const struct samples *a, uint64_t place)
{
	return a->places.key + place * SPLACE_WORDS;
}

/* The shown name, id + 1, of a kernel; 0 when out of memory. */
static uint32_t show(struct answer *w, const char *text, size_t len)
{
	uint32_t id = TM_NAME_NONE;

	tm_buf_clear(&w->text);
	if (tm_kernel_name(&w->text, text, len, w->o->level))
		id = tm_names_add(&w->names, w->text.p ? w->text.p : "", w->text.n);
	return id == TM_NAME_NONE ? 0 : id + 1;
}

/* The kernel of a dispatch, id + 1 of what is shown; false when out of memory. */
static bool kernel_of(struct answer *w, uint32_t dispatch, uint64_t *kernel)
{
	uint32_t k = w->a->kernel[dispatch];

	*kernel = 0;
	if (k == KERNEL_UNKNOWN || k == KERNEL_SEVERAL) {
		if (w->some)
			return true;
		w->unnamed++;
		w->several += k == KERNEL_SEVERAL;
		return true;
	}
	if (!w->shown[k - 1])
		w->shown[k - 1] = show(w, name_at(w->a, k)->text, name_at(w->a, k)->len);
	*kernel = w->shown[k - 1];
	return *kernel != 0;
}

static uint64_t part_of(const struct answer *w, uint64_t place)
{
	return w->view == VIEW_PLACES  ? place
	       : w->view == VIEW_LINES ? place_key(w->a, place)[SPLACE_SOURCE]
	                               : 0;
}

/* The row of a key, and the sums of its kernel; NULL when out of memory. */
static struct row *row_of(struct answer *w, const uint64_t *key)
{
	uint32_t at = tm_groups_item(&w->keys, key, &w->row, &w->row_cap, sizeof *w->row, NULL);
	uint32_t k = at == TM_GROUP_NONE ? at
	                                 : tm_groups_item(&w->wholes, key, &w->whole, &w->whole_cap,
	                                                  sizeof *w->whole, NULL);

	if (k == TM_GROUP_NONE)
		return NULL;
	memcpy(w->row[at].key, key, sizeof w->row[at].key);
	w->row[at].kernel = k;
	return &w->row[at];
}

static bool add_sample(struct answer *w, const struct sample *s)
{
	uint64_t key[ROW_WORDS] = { [ROW_PLACE] = part_of(w, s->place) }, stall[2];
	struct row *r;
	uint32_t at;

	if (!kernel_of(w, s->dispatch, &key[ROW_KERNEL]))
		return false;
	if (w->some && !key[ROW_KERNEL]) {
		w->left++;
		return true;
	}
	r = row_of(w, key);
	if (!r)
		return false;
	r->n++;
	w->whole[r->kernel].n++;
	w->undecoded += !place_key(w->a, s->place)[SPLACE_TEXT];
	w->untold += s->issued == ISSUED_UNKNOWN;
	r->told += s->issued != ISSUED_UNKNOWN;
	r->issued += s->issued == ISSUED_YES;
	if (s->lanes != LANES_UNKNOWN) {
		r->masks++;
		r->lanes += s->lanes;
	}
	if (!s->stall)
		return true;
	stall[0] = (uint64_t)(r - w->row);
	stall[1] = s->stall;
	at = tm_groups_item(&w->stall_keys, stall, &w->stalls, &w->stall_cap, sizeof *w->stalls,
	                    NULL);
	if (at == TM_GROUP_NONE)
		return false;
	w->stalls[at]++;
	return true;
}

/* Of the reasons of each row the most frequent; of equal ones the first by name. */
static void choose_stalls(struct answer *w)
{
	for (uint32_t i = 0; i < w->stall_keys.n; i++) {
		const uint64_t *key = w->stall_keys.key + (size_t)i * 2;
		struct row *r = &w->row[key[0]];

		if (r->stall && (w->stalls[i] < r->stalls ||
		                 (w->stalls[i] == r->stalls &&
		                  tm_name_cmp(name_at(w->a, key[1]), name_at(w->a, r->stall)) > 0)))
			continue;
		r->stall = (uint32_t)key[1];
		r->stalls = w->stalls[i];
	}
}

/* ---- thread traces ---- */

/* By file, code object and address; the name of a kernel before what is in it. */
static int by_address(const void *pa, const void *pb, void *arg)
{
	const struct samples *a = ((const struct answer *)arg)->a;
	const uint32_t ia = *(const uint32_t *)pa, ib = *(const uint32_t *)pb;
	const uint64_t *x = a->traces.key + (size_t)ia * STRACE_WORDS,
	               *y = a->traces.key + (size_t)ib * STRACE_WORDS;
	int r = tm_u64_cmp(x[STRACE_PATH], y[STRACE_PATH]);

	if (!r)
		r = tm_u64_cmp(x[STRACE_OBJECT], y[STRACE_OBJECT]);
	if (!r)
		r = tm_u64_cmp(place_key(a, x[STRACE_PLACE])[SPLACE_AT],
		               place_key(a, y[STRACE_PLACE])[SPLACE_AT]);
	if (!r)
		r = (int)a->t[ib].kernel - (int)a->t[ia].kernel;
	return r ? r : tm_u64_cmp(ia, ib);
}

static bool add_traced(struct answer *w, uint64_t place, uint64_t kernel, const struct traced *t)
{
	const uint64_t key[ROW_WORDS] = { 1, kernel, part_of(w, place) };
	struct row *r = row_of(w, key);

	if (!r)
		return false;
	r->t.hits += t->hits;
	r->t.latency += t->latency;
	r->t.stalled += t->stalled;
	r->t.idle += t->idle;
	w->whole[r->kernel].cycles += t->latency + t->idle;
	return true;
}

static bool add_traces(struct answer *w)
{
	const struct samples *a = w->a;
	uint32_t *v = malloc(((size_t)a->traces.n + 1) * sizeof *v);
	const uint64_t *last = NULL;
	bool ok = v != NULL, kept = !w->some;
	uint64_t kernel = 0;

	for (uint32_t i = 0; ok && i < a->traces.n; i++)
		v[i] = i;
	if (ok)
		tm_sort_in_place(v, a->traces.n, sizeof *v, by_address, w);
	for (uint32_t i = 0; ok && i < a->traces.n; i++) {
		const uint64_t *key = a->traces.key + (size_t)v[i] * STRACE_WORDS,
		               *place = place_key(a, key[STRACE_PLACE]);

		if (last && (last[STRACE_PATH] != key[STRACE_PATH] ||
		             last[STRACE_OBJECT] != key[STRACE_OBJECT])) {
			kernel = 0;
			kept = !w->some;
		}
		last = key;
		if (a->t[v[i]].kernel) {
			const struct tm_name *nm = name_at(a, place[SPLACE_SOURCE]
			                                              ? place[SPLACE_SOURCE]
			                                              : place[SPLACE_TEXT]);
			const size_t skip = place[SPLACE_SOURCE] ? 0 : 2; /* "; " */

			kernel = show(w, nm->text + skip, nm->len - skip);
			ok = kernel != 0 &&
			     tm_only_kernel(w->o->only, nm->text + skip, nm->len - skip, &kept);
		} else if (kept) {
			ok = add_traced(w, key[STRACE_PLACE], kernel, &a->t[v[i]]);
		}
	}
	free(v);
	return ok;
}

/* ---- rows ---- */

static tm_u128 cycles_of(const struct row *r)
{
	return r->t.latency + r->t.idle;
}

static int cmp_u128(tm_u128 a, tm_u128 b)
{
	return (a > b) - (a < b);
}

/* Texts that may be absent (0), which come first. */
static int cmp_text(const struct tm_names *names, uint64_t a, uint64_t b)
{
	return a && b ? tm_name_cmp(&names->v[a - 1], &names->v[b - 1]) : (a > b) - (a < b);
}

static void texts_of(const struct answer *w, const struct row *r, uint64_t out[SPLACE_WORDS])
{
	memset(out, 0, SPLACE_WORDS * sizeof *out);
	if (w->view == VIEW_PLACES)
		memcpy(out, place_key(w->a, r->key[ROW_PLACE]), SPLACE_WORDS * sizeof *out);
	else if (w->view == VIEW_LINES)
		out[SPLACE_SOURCE] = r->key[ROW_PLACE];
}

static int by_share(const void *pa, const void *pb, void *arg)
{
	const struct answer *w = arg;
	const struct row *a = *(const struct row *const *)pa, *b = *(const struct row *const *)pb;
	const struct whole *x = &w->whole[a->kernel], *y = &w->whole[b->kernel];
	uint64_t ta[SPLACE_WORDS], tb[SPLACE_WORDS];
	int r = tm_u64_cmp(a->key[ROW_TRACE], b->key[ROW_TRACE]);

	if (!r)
		r = tm_u64_cmp(y->n, x->n);
	if (!r)
		r = cmp_u128(y->cycles, x->cycles);
	if (!r)
		r = cmp_text(&w->names, a->key[ROW_KERNEL], b->key[ROW_KERNEL]);
	if (!r)
		r = tm_u64_cmp(b->n, a->n);
	if (!r)
		r = cmp_u128(cycles_of(b), cycles_of(a));
	texts_of(w, a, ta);
	texts_of(w, b, tb);
	if (!r)
		r = cmp_text(&w->a->names, ta[SPLACE_TEXT], tb[SPLACE_TEXT]);
	if (!r)
		r = cmp_text(&w->a->names, ta[SPLACE_SOURCE], tb[SPLACE_SOURCE]);
	return r ? r : tm_u64_cmp(ta[SPLACE_AT], tb[SPLACE_AT]);
}

static struct tm_cell wide(tm_u128 v)
{
	return v >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)v);
}

/* The 95 % interval of k of n, by Wilson. */
static void put_interval(struct tm_cell *c, uint64_t k, uint64_t n)
{
	const double z2 = NORMAL_975 * NORMAL_975, m = (double)n, p = (double)k / m,
	             mid = p + z2 / (2 * m),
	             half = NORMAL_975 * sqrt(p * (1 - p) / m + z2 / (4 * m * m)), all = 1 + z2 / m;
	double low = (mid - half) / all, high = (mid + half) / all;

	c[SMP_LOW] = tm_cell_real4(100 * (k && low > 0 ? low : 0));
	c[SMP_HIGH] = tm_cell_real4(100 * (k < n && high < 1 ? high : 1));
}

/* A word of rocprofv3's enumerations without what all of them begin with. */
static struct tm_cell reason(struct answer *w, uint32_t id)
{
	static const char begin[] = "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_";
	const struct tm_name *nm = name_at(w->a, id);
	size_t skip = sizeof begin - 1;

	if (nm->len <= skip || memcmp(nm->text, begin, skip) != 0)
		skip = 0;
	return tm_cell_text(nm->text + skip, nm->len - skip);
}

static void put_samples(struct answer *w, const struct row *r, struct tm_cell *c)
{
	const uint64_t all = w->whole[r->kernel].n;

	c[SMP_SAMPLES] = tm_cell_u64(r->n);
	if (all >= ENOUGH && w->view != VIEW_KERNELS) {
		c[SMP_PCT] = tm_cell_pct(r->n, all);
		put_interval(c, r->n, all);
	}
	if (r->told >= ENOUGH)
		c[SMP_ISSUED] = tm_cell_pct(r->issued, r->told);
	if (r->stall)
		c[SMP_STALL] = reason(w, r->stall);
	if (r->stall && r->told >= ENOUGH)
		c[SMP_STALL_PCT] = tm_cell_pct(r->stalls, r->told);
	if (r->masks)
		c[SMP_LANES] = tm_cell_ratio(0, r->lanes, r->masks);
}

static void put_trace(struct answer *w, const struct row *r, struct tm_cell *c)
{
	if (w->view != VIEW_KERNELS)
		c[SMP_PCT] = tm_cell_pct(cycles_of(r), w->whole[r->kernel].cycles);
	c[SMP_HITS] = wide(r->t.hits);
	c[SMP_CYCLES] = wide(cycles_of(r));
	c[SMP_LATENCY] = wide(r->t.latency);
	c[SMP_STALLED] = wide(r->t.stalled);
	c[SMP_IDLE] = wide(r->t.idle);
}

/* For people without its folders. */
static struct tm_cell source(const struct answer *w, const struct tm_name *nm)
{
	const char *slash = w->o->width ? memrchr(nm->text, '/', nm->len) : NULL;
	const size_t skip = slash && slash + 1 < nm->text + nm->len ? (size_t)(slash + 1 - nm->text)
	                                                            : 0;

	return tm_cell_text(nm->text + skip, nm->len - skip);
}

static bool put_row(struct answer *w, const struct row *r)
{
	struct tm_cell *c = tm_table_row(w->t);
	uint64_t text[SPLACE_WORDS];

	if (!c)
		return false;
	texts_of(w, r, text);
	if (r->key[ROW_KERNEL]) {
		const struct tm_name *nm = &w->names.v[r->key[ROW_KERNEL] - 1];

		c[SMP_NAME] = tm_table_own(w->t, nm->text, nm->len);
	}
	if (text[SPLACE_TEXT])
		c[SMP_INSTRUCTION] = tm_cell_text(name_at(w->a, text[SPLACE_TEXT])->text,
		                                  name_at(w->a, text[SPLACE_TEXT])->len);
	else if (w->view == VIEW_PLACES && !r->key[ROW_TRACE])
		c[SMP_INSTRUCTION] = tm_cell_text(undecoded, sizeof undecoded - 1);
	if (text[SPLACE_SOURCE])
		c[SMP_SOURCE] = source(w, name_at(w->a, text[SPLACE_SOURCE]));
	if (text[SPLACE_AT])
		c[SMP_OFFSET] = tm_cell_u64(text[SPLACE_AT] - 1);
	if (r->key[ROW_TRACE])
		put_trace(w, r, c);
	else
		put_samples(w, r, c);
	return !w->t->failed;
}

/* ---- what it means ---- */

/* What helps against a reason, or NULL. */
static const char *remedy(const char *word, size_t len)
{
	static const struct {
		const char *word, *text;
	} v[] = {
		{ "WAITCNT", "waiting for memory or LDS: load earlier, or more waves" },
		{ "BARRIER_WAIT", "waiting for others of the workgroup: work is uneven" },
		{ "ALU_DEPENDENCY", "a result is not ready: more waves, or independent work" },
		{ "NO_INSTRUCTION_AVAILABLE", "fetching code: it is too large for the cache" },
		{ "ARBITER_NOT_WIN", "another wave had the unit: no loss if it is busy" },
		{ "ARBITER_WIN_EX_STALL", "the unit had no room" },
		{ "SLEEP_WAIT", "s_sleep" },
	};

	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		if (len == strlen(v[i].word) && !memcmp(word, v[i].word, len))
			return v[i].text;
	return NULL;
}

static void put_short(struct tm_buf *b, const char *text, size_t len)
{
	enum { MOST = 60 };

	tm_buf_add(b, text, len < MOST ? len : MOST);
	if (len > MOST)
		tm_buf_str(b, "...");
}

/* Of the kernel with most samples: where its waves are, and why. */
static void say_first(struct answer *w, const struct row *r)
{
	uint64_t all = w->whole[r->kernel].n, text[SPLACE_WORDS];
	const struct tm_name *nm = r->key[ROW_KERNEL] ? &w->names.v[r->key[ROW_KERNEL] - 1] : NULL;

	texts_of(w, r, text);
	tm_buf_clear(&w->text);
	put_short(&w->text, nm ? nm->text : "an unnamed kernel",
	          nm ? nm->len : strlen("an unnamed kernel"));
	if (r->key[ROW_TRACE])
		tm_buf_fmt(&w->text, ": %.1f %% of its cycles",
		           100 * (double)cycles_of(r) /
		                   (double)(w->whole[r->kernel].cycles ? w->whole[r->kernel].cycles
		                                                       : 1));
	else if (w->view == VIEW_KERNELS || all < ENOUGH)
		tm_buf_fmt(&w->text, ": %" PRIu64 " of %" PRIu64 " samples", r->n, all);
	else
		tm_buf_fmt(&w->text, ": %.1f %% of %" PRIu64 " samples",
		           100 * (double)r->n / (double)all, all);
	if (text[SPLACE_TEXT] || text[SPLACE_SOURCE]) {
		const struct tm_name *at = name_at(w->a, text[SPLACE_TEXT] ? text[SPLACE_TEXT]
		                                                           : text[SPLACE_SOURCE]);
		/* Of a source its last part, as in the column. */
		const char *slash = text[SPLACE_TEXT] ? NULL : memrchr(at->text, '/', at->len);
		const char *from = slash ? slash + 1 : at->text;

		tm_buf_str(&w->text, " are at ");
		put_short(&w->text, from, (size_t)(at->text + at->len - from));
	}
	if (!r->key[ROW_TRACE] && all < ENOUGH)
		tm_buf_str(&w->text, ": too few for shares");
	if (r->stall) {
		struct tm_cell c = reason(w, r->stall);
		const char *help = remedy(c.v.s, c.len);

		tm_buf_str(&w->text, "; stalled by ");
		put_short(&w->text, c.v.s, c.len);
		if (help)
			tm_buf_fmt(&w->text, ": %s", help);
	}
	w->t->headline = tm_table_own(w->t, w->text.p ? w->text.p : "", w->text.n);
	w->t->failed |= w->text.failed;
}

static void tell(const struct answer *w)
{
	const struct samples *a = w->a;
	const struct {
		uint64_t n;
		const char *what;
	} say[] = {
		{ w->unnamed - w->several, "are of dispatches that the input does not name: add "
		                           "kernel_trace.csv of the run (--kernel-trace)" },
		{ w->several, "are of dispatches with several names: their processes are unknown" },
		{ w->undecoded, "are in code that the profiler could not decode" },
		{ w->untold, "do not record why a wave did not issue: the stochastic method does "
		             "(gfx942 and later, --pc-sampling-method stochastic)" },
	};

	for (size_t i = 0; i < sizeof say / sizeof *say; i++)
		if (say[i].n)
			tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
			              "%" PRIu64 " of %" PRIu64 " samples (%.1f %%) %s", say[i].n,
			              (uint64_t)a->n - w->left,
			              100 * (double)say[i].n / (double)(a->n - w->left),
			              say[i].what);
	if (w->left)
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64 " samples are of other kernels, or of "
		              "dispatches that the input does not name",
		              w->left, (uint64_t)a->n);
	if (a->unplaced)
		tm_report_add(w->rep, TM_SEV_SKIP, NULL, 0,
		              "skipped samples without a dispatch: %" PRIu64, a->unplaced);
	if (a->n)
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "samples count waves, not time: compare places of one kernel; waves "
		              "sampled together are alike, so true intervals are wider");
	if (a->traces.n)
		tm_report_add(w->rep, TM_SEV_NOTE, NULL, 0,
		              "a thread trace covers one compute unit per shader engine: a sample "
		              "of the kernel");
}

static void say_nothing(const struct answer *w)
{
	for (size_t i = 0; i < w->rep->n; i++)
		if (w->rep->v[i].severity == TM_SEV_ERROR)
			return; /* said already */
	if (w->left)
		tm_report_add(w->rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: none of %" PRIu64
		              " samples is of such a kernel, where the input names dispatches",
		              w->left);
	else if (w->a->outside)
		tm_report_add(w->rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: no samples in the window");
	else if (w->o->selected)
		tm_report_add(w->rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: no PC samples and no thread trace %s",
		              tm_metric_where(w->o, true));
	else
		tm_report_add(w->rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: no PC samples and no thread trace in the input: "
		              "rocprofv3 --kernel-trace --pc-sampling-beta-enabled "
		              "--pc-sampling-method host_trap --pc-sampling-unit time "
		              "--pc-sampling-interval 1 -- PROGRAM collects them");
}

static bool put_rows(struct answer *w)
{
	const struct row **v = calloc((size_t)w->keys.n + 1, sizeof(struct row *));
	bool ok = v != NULL;

	for (uint32_t i = 0; ok && i < w->keys.n; i++)
		v[i] = &w->row[i];
	if (ok && w->keys.n)
		qsort_r(v, w->keys.n, sizeof *v, by_share, w);
	for (uint32_t i = 0; ok && i < w->keys.n; i++)
		ok = put_row(w, v[i]);
	if (ok) {
		say_first(w, v[0]);
		tell(w);
	}
	free(v);
	return ok && !w->t->failed;
}

static bool gather(struct answer *w)
{
	const struct samples *a = w->a;
	bool ok;

	w->shown = calloc((size_t)a->names.n + 1, sizeof *w->shown);
	ok = w->shown != NULL;
	for (size_t i = 0; ok && i < a->n; i++)
		ok = add_sample(w, &a->v[i]);
	if (ok)
		choose_stalls(w);
	return ok && add_traces(w);
}

enum tm_status tm_samples_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                               struct tm_report *rep)
{
	struct answer w = { .a = acc,
		            .o = o,
		            .t = t,
		            .rep = rep,
		            .keys = { .words = ROW_WORDS },
		            .stall_keys = { .words = 2 },
		            .wholes = { .words = 2 } };
	enum tm_status st = TM_ST_OK;

	w.some = o->only &&
	         o->only->by & (TM_ONLY_BIT(TM_ONLY_KERNEL) | TM_ONLY_BIT(TM_ONLY_CLASS));
	if (o->view)
		w.view = !strcmp(o->view, "lines") ? VIEW_LINES : VIEW_KERNELS;
	tm_table_init_list(t, tm_samples_columns);
	if (!gather(&w)) {
		st = TM_ST_FATAL;
	} else if (!w.keys.n) {
		say_nothing(&w);
		st = TM_ST_END;
	} else if (!put_rows(&w)) {
		st = TM_ST_FATAL;
	}
	tm_names_fini(&w.names);
	tm_groups_fini(&w.keys);
	tm_groups_fini(&w.stall_keys);
	tm_groups_fini(&w.wholes);
	free(w.shown);
	free(w.row);
	free(w.whole);
	free(w.stalls);
	tm_buf_fini(&w.text);
	return st;
}
