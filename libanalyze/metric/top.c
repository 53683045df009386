/* SPDX-License-Identifier: MIT
 * Where did the time go?  Every kernel (or copy, API function, marker) with its calls and
 * durations, from traces and from statistics files.
 *
 * Blind to what the profiler did not record; rocprofv3 runs dispatches one at a time while it
 * collects counters, so such durations are those of kernels running alone. */
#include "metric/top.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIMED (TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END))

#define ROLLUP tm_ev_of_type(TM_EVT_SUM)

tm_ev_set tm_top_want(const struct tm_metric_opts *o)
{
	static const tm_ev_set per[] = {
		0,
		TM_EV_BIT(TM_EVC_AGENT),
		TM_EV_BIT(TM_EVC_QUEUE),
		TM_EV_BIT(TM_EVC_STREAM),
		TM_EV_BIT(TM_EVC_GRID_X) | TM_EV_BIT(TM_EVC_GRID_Y) | TM_EV_BIT(TM_EVC_GRID_Z) |
		        TM_EV_BIT(TM_EVC_GRID) | TM_EV_BIT(TM_EVC_WG_X) | TM_EV_BIT(TM_EVC_WG_Y) |
		        TM_EV_BIT(TM_EVC_WG_Z) | TM_EV_BIT(TM_EVC_WG),
	};
	tm_ev_set want = TIMED | TM_EV_BIT(TM_EVC_DOMAIN) | TM_EV_BIT(TM_EVC_COUNTER) |
	                 TM_EV_BIT(TM_EVC_CALLS) | TM_EV_BIT(TM_EVC_TOTAL) | TM_EV_BIT(TM_EVC_PCT) |
	                 TM_EV_BIT(TM_EVC_PCT_ERR) | TM_EV_BIT(TM_EVC_MIN) | TM_EV_BIT(TM_EVC_MAX) |
	                 TM_EV_BIT(TM_EVC_STDDEV);

	for (size_t i = 0; tm_per_words[i]; i++)
		if (o->per & 1u << i)
			want |= per[i];
	/* Who asks for calls and copies has to know whether a table of them is there twice, too:
	 * tm_processes_tell. */
	if (o->domains & ~TM_MASK_BIT(TM_DOMAIN_KERNEL))
		want |= TM_EV_BIT(TM_EVC_CORR);
	/* Rollups tell ranks and agents apart, nothing finer, and know nothing of when. */
	if (!o->windowed && !(o->per & ~(unsigned)(TM_PER_RANK | TM_PER_AGENT)))
		want |= ROLLUP;
	return want;
}

bool tm_top_init(void *acc, const void *arg)
{
	struct tm_top *t = acc;

	*t = (struct tm_top) { .o = arg, .counted.words = 2 };
	t->quantiles = tm_top_asks(t->o, "p50_ns") || tm_top_asks(t->o, "p90_ns") ||
	               tm_top_asks(t->o, "p99_ns");
	if (tm_top_layer(t, LAYER_TRACE, TM_DOMAIN_N, NULL, NULL) == 0)
		return true;
	tm_top_fini(t);
	return false;
}

void tm_layer_fini(struct layer *l)
{
	for (uint32_t i = 0; i < l->keys.n; i++)
		tm_quantile_fini(&l->g[i].q);
	free(l->g);
	free(l->run);
	free(l->path);
	free(l->measure);
	tm_groups_fini(&l->keys);
}

void tm_top_fini(void *acc)
{
	struct tm_top *t = acc;

	for (size_t i = 0; i < t->nlayer; i++)
		tm_layer_fini(&t->layer[i]);
	free(t->layer);
	tm_groups_fini(&t->counted);
	free(t->counts_of);
	free(t->traced);
	free(t->norm);
	free(t->class_of);
	free(t->hit);
	free(t->brief);
	tm_buf_fini(&t->text);
	tm_names_fini(&t->names);
	tm_names_fini(&t->layers);
	tm_names_fini(&t->runs);
	tm_names_fini(&t->whole);
	tm_report_fini(&t->told);
}

/* Do both add up the same rows by the same, but for quantiles?  Of one reading they have one window
 * and the same rules of classes. */
static bool same_sums(const struct tm_metric_opts *a, const struct tm_metric_opts *b)
{
	return a->domains == b->domains && a->all_domains == b->all_domains &&
	       a->level == b->level && a->by_class == b->by_class && a->per == b->per &&
	       a->windowed == b->windowed && a->classes == b->classes;
}

void tm_top_join(struct tm_top *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct tm_top *lender = NULL;

		/* One with quantiles if there is one, else the first. */
		for (size_t k = 0; k < n; k++)
			if (same_sums(v[i]->o, v[k]->o) &&
			    (!lender || (v[k]->quantiles && !lender->quantiles)))
				lender = v[k];
		if (v[i]->quantiles || lender == v[i])
			continue;
		v[i]->lender = lender;
		lender->lends = true;
	}
}

/* Domains of a run that are traced; *id = its number. */
static bool note_run(struct tm_top *t, const char *run, uint64_t domains, uint32_t *id)
{
	uint32_t before = t->runs.n, at = tm_names_add(&t->runs, run, strlen(run));

	if (at == TM_NAME_NONE ||
	    !tm_grow_array(&t->traced, &t->traced_cap, t->runs.n, sizeof *t->traced))
		return false;
	if (t->runs.n > before)
		t->traced[at] = 0;
	t->traced[at] |= domains;
	if (id)
		*id = at;
	return true;
}

size_t tm_top_layer(struct tm_top *t, enum layer_sort sort, enum tm_domain domain, const char *run,
                    const char *path)
{
	uint32_t before = t->layers.n, at;
	struct layer *l;

	tm_buf_clear(&t->text);
	tm_buf_fmt(&t->text, "%d %d ", (int)sort, (int)domain);
	/* No run holds a NUL. */
	if (run)
		tm_buf_add(&t->text, run, strlen(run) + 1);
	if (sort == LAYER_STATS && path)
		tm_buf_str(&t->text, path);
	at = t->text.failed ? TM_NAME_NONE : tm_names_add(&t->layers, t->text.p, t->text.n);
	if (at == TM_NAME_NONE)
		return SIZE_MAX;
	if (t->layers.n == before)
		return at;
	if (!tm_grow_array(&t->layer, &t->layer_cap, t->nlayer + 1, sizeof *t->layer))
		return SIZE_MAX;
	l = &t->layer[t->nlayer];
	*l = (struct layer) { .sort = sort, .domain = domain, .keys = { .words = TOP_WORDS } };
	l->run = run ? strdup(run) : NULL;
	l->path = path ? strdup(path) : NULL;
	if ((run && !l->run) || (path && !l->path) || (run && !note_run(t, run, 0, &l->run_id))) {
		tm_layer_fini(l);
		return SIZE_MAX;
	}
	return t->nlayer++;
}

/* The group of a key; NULL when out of memory. */
static struct top_group *group_of(struct layer *l, const uint64_t *key, uint32_t *number)
{
	uint32_t i = tm_groups_item(&l->keys, key, &l->g, &l->cap, sizeof *l->g, NULL);

	if (i == TM_GROUP_NONE)
		return NULL;
	if (number)
		*number = i;
	return &l->g[i];
}

bool tm_top_pour(struct layer *into, struct layer *from, bool without_counter)
{
	for (uint32_t i = 0; i < from->keys.n; i++) {
		uint64_t key[TOP_WORDS];
		struct top_group *g;

		memcpy(key, from->keys.key + (size_t)i * TOP_WORDS, sizeof key);
		if (without_counter)
			key[TOP_COUNTER] = 0;
		g = group_of(into, key, NULL);
		if (!g)
			return false;
		tm_moments_merge(&g->m, &from->g[i].m);
		if (!g->q.n) {
			const struct tm_quantile none = g->q;

			g->q = from->g[i].q;
			from->g[i].q = none;
		} else if (!tm_quantile_merge(&g->q, &from->g[i].q)) {
			return false;
		}
	}
	return true;
}

bool tm_top_piece(void *acc, const struct tm_piece *p)
{
	struct tm_top *t = acc;

	t->piece = *p;
	t->current = 0;
	t->run = 0;
	t->dispatches = false;
	t->nknown = 0;
	t->unplaced = !tm_metric_window(t->o, p->id.rank, &t->window);
	return true;
}

/* The piece has more names now: the new ones are not known yet. */
static bool know_names(struct tm_top *t, uint32_t n)
{
	if (n <= t->nknown)
		return true;
	if (!tm_grow_array(&t->norm, &t->norm_cap, n, sizeof *t->norm) ||
	    !tm_grow_array(&t->class_of, &t->class_cap, n, sizeof *t->class_of) ||
	    !tm_grow_array(&t->hit, &t->hit_cap, n, sizeof *t->hit))
		return false;
	memset(t->norm + t->nknown, 0, (n - t->nknown) * sizeof *t->norm);
	memset(t->hit + t->nknown, 0, (n - t->nknown) * sizeof *t->hit);
	t->nknown = n;
	return true;
}

/* Does the class have to be known while adding up?  Printed names of other levels are shorter. */
static bool classed(const struct tm_top *t)
{
	return t->o->by_class || t->o->level != TM_NAME_FULL;
}

/* Is it to be told that a name stands for several kernels?  Coarser levels are asked for to have
 * that. */
static bool joins_silently(const struct tm_top *t)
{
	return t->o->level == TM_NAME_SHORT && !t->o->by_class;
}

/* A full name is grouped under one of t->names. */
static bool note_joined(struct tm_top *t, const char *full, size_t n, uint32_t own)
{
	uint32_t known = t->whole.n, id = tm_names_add(&t->whole, full, n);

	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&t->brief, &t->brief_cap, (size_t)id + 1, sizeof *t->brief))
		return false;
	if (id == known)
		t->brief[id] = own;
	return true;
}

/* Learn a kernel's name of the piece: what it is grouped by, and its class. */
static bool learn_kernel(struct tm_top *t, const struct tm_name *nm, uint32_t id)
{
	const char *class_name = "";
	struct tm_buf full = { 0 };
	uint32_t own;
	bool ok;

	if (classed(t)) {
		tm_buf_clear(&t->text);
		if (!tm_kernel_name(&t->text, nm->text, nm->len, TM_NAME_FULL))
			return false;
		class_name = tm_classes_of(t->o->classes, t->text.p ? t->text.p : "", NULL);
		if (!class_name)
			return false;
	}
	if (joins_silently(t)) {
		full = t->text;
		t->text = (struct tm_buf) { 0 };
	}
	tm_buf_clear(&t->text);
	if (t->o->by_class)
		tm_buf_str(&t->text, class_name);
	else
		tm_kernel_name(&t->text, nm->text, nm->len, t->o->level);
	own = t->text.failed ? TM_NAME_NONE
	                     : tm_names_add(&t->names, t->text.p ? t->text.p : "", t->text.n);
	ok = own != TM_NAME_NONE &&
	     (!joins_silently(t) || note_joined(t, full.p ? full.p : "", full.n, own));
	tm_buf_fini(&full);
	t->class_of[id] = classed(t) ? tm_names_add(&t->names, class_name, strlen(class_name)) : 0;
	if (!ok || t->class_of[id] == TM_NAME_NONE)
		return false;
	t->norm[id] = own + 1;
	return true;
}

/* The name part of a key (and the class part).  False when out of memory. */
static bool identity(struct tm_top *t, const struct tm_names *names, uint32_t id,
                     enum tm_domain domain, uint64_t *key)
{
	const struct tm_name *nm = &names->v[id];
	uint32_t own;

	if (domain == TM_DOMAIN_KERNEL) {
		if (!t->norm[id] && !learn_kernel(t, nm, id))
			return false;
		own = t->norm[id] - 1;
		if (classed(t)) {
			key[TOP_CLASS] = t->class_of[id];
			key[TOP_HAS] |= TM_MASK_BIT(TOP_CLASS);
		}
	} else {
		own = tm_names_add(&t->names, nm->text, nm->len);
	}
	key[TOP_NAME] = (uint64_t)domain << 32 | own;
	return own != TM_NAME_NONE;
}

static void set_part(uint64_t *key, const struct tm_batch *b, uint32_t i, enum top_word w,
                     enum tm_ev_col c)
{
	if (!tm_batch_has(b, i, c))
		return;
	key[w] = b->col[c][i];
	key[TOP_HAS] |= TM_MASK_BIT(w);
}

static bool make_key(struct tm_top *t, const struct tm_batch *b, uint32_t i, enum tm_domain domain,
                     uint64_t *key)
{
	unsigned per = t->o->per;

	memset(key, 0, TOP_WORDS * sizeof *key);
	if (!identity(t, b->names, (uint32_t)b->col[TM_EVC_NAME][i], domain, key))
		return false;
	if (per & TM_PER_RANK) {
		key[TOP_RANK] = t->piece.id.rank;
		key[TOP_HAS] |= TM_MASK_BIT(TOP_RANK);
	}
	if (per & TM_PER_AGENT)
		set_part(key, b, i, TOP_AGENT, TM_EVC_AGENT);
	if (per & TM_PER_QUEUE)
		set_part(key, b, i, TOP_QUEUE, TM_EVC_QUEUE);
	if (per & TM_PER_STREAM)
		set_part(key, b, i, TOP_STREAM, TM_EVC_STREAM);
	if (per & TM_PER_SHAPE) {
		bool product = !tm_batch_has(b, i, TM_EVC_GRID_X);

		set_part(key, b, i, TOP_GRID_X, product ? TM_EVC_GRID : TM_EVC_GRID_X);
		set_part(key, b, i, TOP_GRID_Y, TM_EVC_GRID_Y);
		set_part(key, b, i, TOP_GRID_Z, TM_EVC_GRID_Z);
		set_part(key, b, i, TOP_WG_X, product ? TM_EVC_WG : TM_EVC_WG_X);
		set_part(key, b, i, TOP_WG_Y, TM_EVC_WG_Y);
		set_part(key, b, i, TOP_WG_Z, TM_EVC_WG_Z);
	}
	return true;
}

/* Rows of a trace. */
static bool take_rows(struct tm_top *t, const struct tm_batch *b)
{
	const uint64_t *name = b->col[TM_EVC_NAME], *start = b->col[TM_EVC_START],
	               *end = b->col[TM_EVC_END];
	bool each = b->has & TM_EV_BIT(TM_EVC_DOMAIN);
	bool whole = (b->has & TIMED) == TIMED, direct = !t->o->per;
	uint64_t domains = 0;

	if (!know_names(t, b->names->n))
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		enum tm_domain d = each ? (enum tm_domain)b->col[TM_EVC_DOMAIN][i]
		                        : tm_batch_domain(b, i);
		struct layer *l = &t->layer[0];
		struct top_group *g = NULL;
		uint64_t key[TOP_WORDS], ns;

		domains |= TM_MASK_BIT(d);
		t->seen[d]++;
		if (!whole && (b->row_has[i] & TIMED) != TIMED) {
			t->untimed[d]++;
			continue;
		}
		if (!(t->o->domains & TM_MASK_BIT(d)))
			continue;
		if (start[i] < t->window.lo || start[i] >= t->window.hi) {
			t->outside++;
			t->misplaced += t->unplaced;
			continue;
		}
		if (direct && t->hit[name[i]]) {
			uint32_t k = t->hit[name[i]] - 1;

			if (l->keys.key[(size_t)k * TOP_WORDS] >> 32 == d)
				g = &l->g[k];
		}
		if (!g) {
			uint32_t k;

			if (!make_key(t, b, i, d, key))
				return false;
			g = group_of(l, key, &k);
			if (!g)
				return false;
			t->hit[name[i]] = k + 1;
		}
		ns = end[i] - start[i];
		tm_moments_add(&g->m, ns);
		if (t->quantiles && !tm_quantile_add(&g->q, ns))
			return false;
	}
	t->dispatches |= b->kind == TM_EV_DISPATCH;
	if (t->dispatches && t->current)
		t->layer[t->current].beside_trace = true;
	return note_run(t, t->piece.id.run, domains, NULL);
}

/* `n` dispatches more of a run and a counter.  False when out of memory. */
static bool count_more(struct tm_top *t, uint32_t run, uint32_t counter, uint64_t n)
{
	const uint64_t key[] = { run, counter };
	uint32_t i = tm_groups_item(&t->counted, key, &t->counts_of, &t->counts_cap,
	                            sizeof *t->counts_of, NULL);

	if (i == TM_GROUP_NONE)
		return false;
	t->counts_of[i] += n;
	return true;
}

/* `n` dispatches with the counter of that row, where kernels are not asked for: all there is to
 * know of them is how many there are.  False when out of memory. */
static bool count_dispatches(struct tm_top *t, const struct tm_batch *b, uint32_t i, uint64_t n)
{
	static const struct tm_name none = { .text = "" };
	const struct tm_name *counter = tm_batch_has(b, i, TM_EVC_COUNTER)
	                                        ? &b->names->v[b->col[TM_EVC_COUNTER][i]]
	                                        : &none;
	uint32_t id = tm_names_add(&t->names, counter->text, counter->len), run;

	if (!t->run) {
		if (!note_run(t, t->piece.id.run, 0, &run))
			return false;
		t->run = run + 1;
	}
	return id != TM_NAME_NONE && count_more(t, t->run - 1, id, n);
}

/* Rows of a counter collection: every counter of a dispatch repeats its times, so each counter is a
 * population of its own; one of them is chosen in the end. */
static bool take_counters(struct tm_top *t, const struct tm_batch *b)
{
	if (!know_names(t, b->names->n))
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t key[TOP_WORDS], ns;
		const struct tm_name *counter;
		struct top_group *g;
		uint32_t id;

		if (!tm_batch_has(b, i, TM_EVC_NAME)) {
			t->readings++;
			continue;
		}
		if (!(t->o->domains & TM_MASK_BIT(TM_DOMAIN_KERNEL))) {
			if (!count_dispatches(t, b, i, 1))
				return false;
			continue;
		}
		if (!tm_batch_has(b, i, TM_EVC_START) || !tm_batch_has(b, i, TM_EVC_END) ||
		    !tm_batch_has(b, i, TM_EVC_COUNTER)) {
			t->untimed_counters++;
			continue;
		}
		if (b->col[TM_EVC_START][i] < t->window.lo ||
		    b->col[TM_EVC_START][i] >= t->window.hi) {
			t->outside++;
			t->misplaced += t->unplaced;
			continue;
		}
		if (!t->current) {
			t->current = tm_top_layer(t, LAYER_COUNTERS, TM_DOMAIN_KERNEL,
			                          t->piece.id.run, t->piece.id.path);
			if (t->current == SIZE_MAX)
				return false;
		}
		t->layer[t->current].beside_trace |= t->dispatches;
		counter = &b->names->v[b->col[TM_EVC_COUNTER][i]];
		id = tm_names_add(&t->names, counter->text, counter->len);
		if (id == TM_NAME_NONE || !make_key(t, b, i, TM_DOMAIN_KERNEL, key))
			return false;
		key[TOP_COUNTER] = id;
		g = group_of(&t->layer[t->current], key, NULL);
		if (!g)
			return false;
		ns = b->col[TM_EVC_END][i] - b->col[TM_EVC_START][i];
		tm_moments_add(&g->m, ns);
		if (t->quantiles && !tm_quantile_add(&g->q, ns))
			return false;
	}
	return true;
}

/* What one row's Percentage says of the total of its file: 100 T / (P +- e). */
static void narrow(struct layer *l, double total, double pct, double err)
{
	double lo = 100 * total / (pct + err),
	       hi = pct > err ? 100 * total / (pct - err) : INFINITY;

	if (total <= 0 || pct <= 0)
		return;
	if (l->lo <= 0 || lo > l->lo)
		l->lo = lo;
	if (l->hi <= 0 || hi < l->hi)
		l->hi = hi;
}

/* What a statistics file measures, in one text; NULL when out of memory. */
static char *measure_of(const struct tm_piece *p)
{
	struct tm_buf b = { 0 };

	/* The newline sorts before what may follow in a longer text. */
	tm_buf_fmt(&b, "%s\n%s", p->id.table ? p->id.table : "", p->id.format ? p->id.format : "");
	if (b.failed)
		tm_buf_fini(&b);
	return b.p;
}

static bool take_stat(struct tm_top *t, const struct tm_batch *b, uint32_t i, enum tm_domain d)
{
	struct tm_stat_row row = {
		.calls = b->col[TM_EVC_CALLS][i],
		.total_ns = b->col[TM_EVC_TOTAL][i],
		.has_extremes = tm_batch_has(b, i, TM_EVC_MIN) && tm_batch_has(b, i, TM_EVC_MAX),
		.has_stddev = tm_batch_has(b, i, TM_EVC_STDDEV),
	};
	uint64_t key[TOP_WORDS];
	struct top_group *g;
	struct layer *l;

	if (row.has_extremes) {
		row.min_ns = b->col[TM_EVC_MIN][i];
		row.max_ns = b->col[TM_EVC_MAX][i];
	}
	if (row.has_stddev)
		row.stddev_ns = tm_cell_real(b->col[TM_EVC_STDDEV][i]);
	if (!make_key(t, b, i, d, key))
		return false;
	t->current = tm_top_layer(t, LAYER_STATS, d, t->piece.id.run, t->piece.id.path);
	if (t->current == SIZE_MAX)
		return false;
	l = &t->layer[t->current];
	if (!l->measure)
		l->measure = measure_of(&t->piece);
	g = group_of(l, key, NULL);
	if (!g || !l->measure)
		return false;
	/* Only rocprofv3's deviations wrap; only its rows have a share of their file beside them.
	 */
	if (row.has_stddev && tm_batch_has(b, i, TM_EVC_PCT)) {
		enum tm_stddev_state st = tm_stat_row_repair(&row);

		l->repaired += st == TM_STDDEV_REPAIRED;
		l->unknown += st == TM_STDDEV_ABSENT;
	}
	tm_moments_add_stat(&g->m, &row);
	l->rows++;
	l->total += row.total_ns;
	if (tm_batch_has(b, i, TM_EVC_PCT) && tm_batch_has(b, i, TM_EVC_PCT_ERR))
		narrow(l, (double)row.total_ns, tm_cell_real(b->col[TM_EVC_PCT][i]),
		       tm_cell_real(b->col[TM_EVC_PCT_ERR][i]));
	return true;
}

static bool take_stats(struct tm_top *t, const struct tm_batch *b)
{
	if (!know_names(t, b->names->n))
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		enum tm_domain d = tm_batch_domain(b, i);
		uint64_t asked = t->o->domains |
		                 (t->o->all_domains ? TM_MASK_BIT(TM_DOMAIN_DOMAINS) : 0);

		t->seen[d]++;
		if (!(asked & TM_MASK_BIT(d)))
			continue;
		if (!tm_batch_has(b, i, TM_EVC_TOTAL)) {
			t->counts += tm_batch_has(b, i, TM_EVC_CALLS) ? b->col[TM_EVC_CALLS][i] : 0;
			continue;
		}
		if (!take_stat(t, b, i, d))
			return false;
	}
	return true;
}

/* The group of a rollup of counters, as take_counters finds it. */
static struct top_group *counter_group(struct tm_top *t, const struct tm_batch *b, uint32_t i,
                                       uint64_t *key)
{
	const struct tm_name *counter = &b->names->v[b->col[TM_EVC_COUNTER][i]];
	uint32_t id = tm_names_add(&t->names, counter->text, counter->len);

	if (id == TM_NAME_NONE)
		return NULL;
	key[TOP_COUNTER] = id;
	if (!t->current) {
		t->current = tm_top_layer(t, LAYER_COUNTERS, TM_DOMAIN_KERNEL, t->piece.id.run,
		                          t->piece.id.path);
		if (t->current == SIZE_MAX)
			return NULL;
	}
	t->layer[t->current].beside_trace |= t->dispatches;
	return group_of(&t->layer[t->current], key, NULL);
}

static bool take_rollup(struct tm_top *t, const struct tm_batch *b, uint32_t i, enum tm_domain d)
{
	uint64_t at = b->col[TM_EVC_SKETCH][i], calls = b->col[TM_EVC_CALLS][i], key[TOP_WORDS];
	struct tm_moments m = {
		.n = calls,
		.min = b->col[TM_EVC_MIN][i],
		.max = b->col[TM_EVC_MAX][i],
		.sum = (tm_u128)b->col[TM_EVC_TOTAL_HI][i] << 64 | b->col[TM_EVC_TOTAL][i],
		.squares = (tm_u128)b->col[TM_EVC_SQUARES_1][i] << 64 | b->col[TM_EVC_SQUARES_0][i],
		.squares_hi = b->col[TM_EVC_SQUARES_2][i],
	};
	struct top_group *g;
	bool bad;

	if (!make_key(t, b, i, d, key))
		return false;
	g = tm_batch_has(b, i, TM_EVC_COUNTER) ? counter_group(t, b, i, key)
	                                       : group_of(&t->layer[0], key, NULL);
	if (!g)
		return false;
	tm_moments_merge(&g->m, &m);
	if (!t->quantiles ||
	    tm_quantile_merge_saved(&g->q, b->bytes + (at >> 32), (uint32_t)at, calls, &bad))
		return true;
	/* A damaged sketch: the quantiles of this group are unknown. */
	g->m.sealed += bad;
	return bad;
}

static bool take_rollups(struct tm_top *t, const struct tm_batch *b)
{
	uint64_t domains = 0;

	if (!know_names(t, b->names->n))
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		enum tm_domain d = (enum tm_domain)b->col[TM_EVC_DOMAIN][i];
		bool counter = tm_batch_has(b, i, TM_EVC_COUNTER);

		if (!counter)
			domains |= TM_MASK_BIT(d);
		t->dispatches |= !counter && d == TM_DOMAIN_KERNEL;
		if (!counter)
			t->seen[d] += b->col[TM_EVC_CALLS][i];
		else if (!(t->o->domains & TM_MASK_BIT(d)) &&
		         !count_dispatches(t, b, i, b->col[TM_EVC_CALLS][i]))
			return false;
		if (!tm_batch_has(b, i, TM_EVC_TOTAL) && !counter)
			t->untimed[d] += b->col[TM_EVC_CALLS][i];
		else if (!(t->o->domains & TM_MASK_BIT(d)))
			continue;
		else if (!tm_batch_has(b, i, TM_EVC_TOTAL))
			t->untimed_counters += b->col[TM_EVC_CALLS][i];
		else if (t->o->windowed)
			t->unwindowed++;
		else if (!take_rollup(t, b, i, d))
			return false;
	}
	if (t->dispatches && t->current)
		t->layer[t->current].beside_trace = true;
	return note_run(t, t->piece.id.run, domains, NULL);
}

bool tm_top_take(void *acc, const struct tm_batch *b)
{
	if (((const struct tm_top *)acc)->lender)
		return true;
	switch (b->kind) {
	case TM_EV_DISPATCH:
	case TM_EV_COPY:
	case TM_EV_API:
	case TM_EV_ALLOC:
		return take_rows(acc, b);
	case TM_EV_COUNTER:
		return take_counters(acc, b);
	case TM_EV_STAT:
		return take_stats(acc, b);
	case TM_EV_ROLLUP:
		return take_rollups(acc, b);
	case TM_EV_SAMPLE:
	case TM_EV_AGENT:
	case TM_EV_STATE:
	case TM_EV_NKINDS:
		break;
	}
	return true;
}

static bool merge_layer(struct tm_top *t, struct layer *from, const uint32_t *map)
{
	size_t at = tm_top_layer(t, from->sort, from->domain, from->run, from->path);
	struct layer *l;

	if (at == SIZE_MAX)
		return false;
	/* Rewrite the keys in place: `from` is thrown away afterwards, its index is not used again.
	 */
	for (uint32_t i = 0; i < from->keys.n; i++) {
		uint64_t *key = from->keys.key + (size_t)i * TOP_WORDS;

		key[TOP_NAME] = (key[TOP_NAME] & ~(uint64_t)UINT32_MAX) |
		                map[(uint32_t)key[TOP_NAME]];
		if (from->sort == LAYER_COUNTERS)
			key[TOP_COUNTER] = map[key[TOP_COUNTER]];
		if (key[TOP_HAS] & TM_MASK_BIT(TOP_CLASS))
			key[TOP_CLASS] = map[key[TOP_CLASS]];
	}
	l = &t->layer[at];
	if (!l->measure) {
		l->measure = from->measure;
		from->measure = NULL;
	}
	l->rows += from->rows;
	l->total += from->total;
	l->repaired += from->repaired;
	l->unknown += from->unknown;
	l->beside_trace |= from->beside_trace;
	if (from->lo > 0 && (l->lo <= 0 || from->lo > l->lo))
		l->lo = from->lo;
	if (from->hi > 0 && (l->hi <= 0 || from->hi < l->hi))
		l->hi = from->hi;
	return tm_top_pour(l, from, false);
}

static bool merge_counted(struct tm_top *t, const struct tm_top *from, const uint32_t *map)
{
	for (uint32_t i = 0; i < from->counted.n; i++) {
		const uint64_t *key = from->counted.key + (size_t)i * 2;
		uint32_t run;

		if (!note_run(t, from->runs.v[key[0]].text, 0, &run) ||
		    !count_more(t, run, map[key[1]], from->counts_of[i]))
			return false;
	}
	return true;
}

bool tm_top_merge(void *into, void *acc)
{
	struct tm_top *t = into, *from = acc;
	uint32_t *map = tm_names_add_all(&t->names, &from->names);
	bool ok = map != NULL;

	for (uint32_t i = 0; ok && i < from->whole.n; i++)
		ok = note_joined(t, from->whole.v[i].text, from->whole.v[i].len,
		                 map[from->brief[i]]);
	for (size_t i = 0; ok && i < from->nlayer; i++)
		ok = merge_layer(t, &from->layer[i], map);
	for (uint32_t i = 0; ok && i < from->runs.n; i++)
		ok = note_run(t, from->runs.v[i].text, from->traced[i], NULL);
	ok = ok && merge_counted(t, from, map);
	for (int d = 0; d < TM_DOMAIN_N; d++) {
		t->seen[d] += from->seen[d];
		t->untimed[d] += from->untimed[d];
	}
	t->untimed_counters += from->untimed_counters;
	t->readings += from->readings;
	t->counts += from->counts;
	t->misplaced += from->misplaced;
	t->outside += from->outside;
	t->unwindowed += from->unwindowed;
	free(map);
	return ok;
}

static const struct tm_metric_option hist = {
	.name = "hist",
	TM_METRIC_TO_TEXT(struct top_own, hist),
	.arg = "NAME",
	.about = "histogram instead, of the durations of names that contain NAME",
};

static const struct tm_metric_view views[] = {
	{ .columns = tm_top_columns },
	{ .option = "hist",
	  .value = &hist,
	  .columns = tm_top_hist_columns,
	  .whole = true,
	  .no_per = true },
	{ 0 },
};

static bool is_hist(const struct tm_metric_opts *o)
{
	return o->view && !strcmp(o->view, "hist");
}

static bool init(void *acc, const void *arg)
{
	struct tm_top *t = acc;

	if (!tm_top_init(acc, arg))
		return false;
	t->quantiles |= is_hist(t->o);
	return true;
}

static struct tm_top *itself(void *acc)
{
	return acc;
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *out,
                           struct tm_report *rep)
{
	return is_hist(o) ? tm_top_hist_fill(acc, o, out, rep) : tm_top_fill(acc, o, out, rep);
}

const struct tm_metric tm_metric_top = {
	.name = "top",
	.about = "kernels, copies or API functions by total time",
	.group = "Where does the time go?",
	.examples = "kstats top -n 10 results.db\n"
	            "kstats top --per rank --name short -f csv traces/\n",
	.views = views,
	.own = sizeof(struct top_own),
	.takes = TM_TAKES_NAME | TM_TAKES_CLASS | TM_TAKES_DOMAIN,
	.per = TM_PER_RANK | TM_PER_AGENT | TM_PER_QUEUE | TM_PER_STREAM | TM_PER_SHAPE,
	.state_sums = true,
	.whole_sums = true,
	.sink = { .size = sizeof(struct tm_top),
	          .init = init,
	          .piece = tm_top_piece,
	          .take = tm_top_take,
	          .merge = tm_top_merge,
	          .fini = tm_top_fini },
	.per_of = tm_top_per_of,
	.want = tm_top_want,
	.sums = itself,
	.fill = fill,
};
