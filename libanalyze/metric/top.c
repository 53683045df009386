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

#define TIMED (EV_BIT(EVC_NAME) | EV_BIT(EVC_START) | EV_BIT(EVC_END))

#define ROLLUP ev_of_type(EVT_SUM)

ev_set top_want(const struct metric_opts *o)
{
	static const uint64_t per[] = {
		0,
		EV_BIT(EVC_AGENT),
		EV_BIT(EVC_QUEUE),
		EV_BIT(EVC_STREAM),
		EV_BIT(EVC_GRID_X) | EV_BIT(EVC_GRID_Y) | EV_BIT(EVC_GRID_Z) | EV_BIT(EVC_GRID) |
		        EV_BIT(EVC_WG_X) | EV_BIT(EVC_WG_Y) | EV_BIT(EVC_WG_Z) | EV_BIT(EVC_WG),
	};
	ev_set want = TIMED | EV_BIT(EVC_DOMAIN) | EV_BIT(EVC_COUNTER) | EV_BIT(EVC_CALLS) |
	              EV_BIT(EVC_TOTAL) | EV_BIT(EVC_PCT) | EV_BIT(EVC_PCT_ERR) | EV_BIT(EVC_MIN) |
	              EV_BIT(EVC_MAX) | EV_BIT(EVC_STDDEV);

	for (size_t i = 0; per_words[i]; i++)
		if (o->per & 1u << i)
			want |= per[i];
	/* Rollups tell ranks and agents apart, nothing finer, and know nothing of when. */
	if (!o->windowed && !(o->per & ~(unsigned)(PER_RANK | PER_AGENT)))
		want |= ROLLUP;
	return want;
}

bool top_init(void *acc, const void *arg)
{
	struct top *t = acc;

	*t = (struct top) { .o = arg };
	t->quantiles = top_prints(t->o, "p50_ns") || top_prints(t->o, "p90_ns") ||
	               top_prints(t->o, "p99_ns");
	for (size_t i = 0; i < t->o->nsort; i++)
		t->quantiles |= t->o->sort[i][0] == 'p'; /* p50 p90 p99 */
	if (top_layer(t, LAYER_TRACE, DOMAIN_N, NULL, NULL) == 0)
		return true;
	top_fini(t);
	return false;
}

void layer_fini(struct layer *l)
{
	for (uint32_t i = 0; i < l->keys.n; i++)
		quantile_fini(&l->g[i].q);
	free(l->g);
	free(l->run);
	free(l->path);
	free(l->measure);
	groups_fini(&l->keys);
}

void top_fini(void *acc)
{
	struct top *t = acc;

	for (size_t i = 0; i < t->nlayer; i++)
		layer_fini(&t->layer[i]);
	free(t->layer);
	free(t->traced);
	free(t->norm);
	free(t->class_of);
	free(t->hit);
	free(t->brief);
	buf_fini(&t->text);
	names_fini(&t->names);
	names_fini(&t->layers);
	names_fini(&t->runs);
	names_fini(&t->whole);
}

/* Domains of a run that are traced; *id = its number. */
static bool note_run(struct top *t, const char *run, uint64_t domains, uint32_t *id)
{
	uint32_t before = t->runs.n, at = names_add(&t->runs, run, strlen(run));

	if (at == NAME_NONE ||
	    !grow_array(&t->traced, &t->traced_cap, t->runs.n, sizeof *t->traced))
		return false;
	if (t->runs.n > before)
		t->traced[at] = 0;
	t->traced[at] |= domains;
	if (id)
		*id = at;
	return true;
}

size_t top_layer(struct top *t, enum layer_sort sort, enum domain domain, const char *run,
                 const char *path)
{
	uint32_t before = t->layers.n, at;
	struct layer *l;

	buf_clear(&t->text);
	buf_fmt(&t->text, "%d %d ", (int)sort, (int)domain);
	/* No run holds a NUL. */
	if (run)
		buf_add(&t->text, run, strlen(run) + 1);
	if (sort == LAYER_STATS && path)
		buf_str(&t->text, path);
	at = t->text.failed ? NAME_NONE : names_add(&t->layers, t->text.p, t->text.n);
	if (at == NAME_NONE)
		return SIZE_MAX;
	if (t->layers.n == before)
		return at;
	if (!grow_array(&t->layer, &t->layer_cap, t->nlayer + 1, sizeof *t->layer))
		return SIZE_MAX;
	l = &t->layer[t->nlayer];
	*l = (struct layer) { .sort = sort, .domain = domain, .keys = { .words = TOP_WORDS } };
	l->run = run ? strdup(run) : NULL;
	l->path = path ? strdup(path) : NULL;
	if ((run && !l->run) || (path && !l->path) || (run && !note_run(t, run, 0, &l->run_id))) {
		layer_fini(l);
		return SIZE_MAX;
	}
	return t->nlayer++;
}

/* The group of a key; NULL when out of memory. */
static struct top_group *group_of(struct layer *l, const uint64_t *key, uint32_t *number)
{
	uint32_t i = groups_item(&l->keys, key, &l->g, &l->cap, sizeof *l->g, NULL);

	if (i == GROUP_NONE)
		return NULL;
	if (number)
		*number = i;
	return &l->g[i];
}

bool top_pour(struct layer *into, const struct layer *from, bool without_counter)
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
		moments_merge(&g->m, &from->g[i].m);
		if (!quantile_merge(&g->q, &from->g[i].q))
			return false;
	}
	return true;
}

bool top_piece(void *acc, const struct piece *p)
{
	struct top *t = acc;

	t->piece = *p;
	t->current = 0;
	t->dispatches = false;
	t->nknown = 0;
	t->unplaced = !metric_window(t->o, p->rank, &t->window);
	return true;
}

/* The piece has more names now: the new ones are not known yet. */
static bool know_names(struct top *t, uint32_t n)
{
	if (n <= t->nknown)
		return true;
	if (!grow_array(&t->norm, &t->norm_cap, n, sizeof *t->norm) ||
	    !grow_array(&t->class_of, &t->class_cap, n, sizeof *t->class_of) ||
	    !grow_array(&t->hit, &t->hit_cap, n, sizeof *t->hit))
		return false;
	memset(t->norm + t->nknown, 0, (n - t->nknown) * sizeof *t->norm);
	memset(t->hit + t->nknown, 0, (n - t->nknown) * sizeof *t->hit);
	t->nknown = n;
	return true;
}

/* Does the class have to be known while adding up?  Printed names of other levels are shorter. */
static bool classed(const struct top *t)
{
	return t->o->by_class || t->o->level != NAME_FULL;
}

/* Is it to be told that a name stands for several kernels?  Coarser levels are asked for to have
 * that. */
static bool joins_silently(const struct top *t)
{
	return t->o->level == NAME_SHORT && !t->o->by_class;
}

/* A full name is grouped under one of t->names. */
static bool note_joined(struct top *t, const char *full, size_t n, uint32_t own)
{
	uint32_t known = t->whole.n, id = names_add(&t->whole, full, n);

	if (id == NAME_NONE ||
	    !grow_array(&t->brief, &t->brief_cap, (size_t)id + 1, sizeof *t->brief))
		return false;
	if (id == known)
		t->brief[id] = own;
	return true;
}

/* Learn a kernel's name of the piece: what it is grouped by, and its class. */
static bool learn_kernel(struct top *t, const struct name *nm, uint32_t id)
{
	const char *class_name = "";
	struct buf full = { 0 };
	uint32_t own;
	bool ok;

	if (classed(t)) {
		buf_clear(&t->text);
		if (!kernel_name(&t->text, nm->text, nm->len, NAME_FULL))
			return false;
		class_name = classes_of(t->o->classes, t->text.p ? t->text.p : "", NULL);
		if (!class_name)
			return false;
	}
	if (joins_silently(t)) {
		full = t->text;
		t->text = (struct buf) { 0 };
	}
	buf_clear(&t->text);
	if (t->o->by_class)
		buf_str(&t->text, class_name);
	else
		kernel_name(&t->text, nm->text, nm->len, t->o->level);
	own = t->text.failed ? NAME_NONE
	                     : names_add(&t->names, t->text.p ? t->text.p : "", t->text.n);
	ok = own != NAME_NONE &&
	     (!joins_silently(t) || note_joined(t, full.p ? full.p : "", full.n, own));
	buf_fini(&full);
	t->class_of[id] = classed(t) ? names_add(&t->names, class_name, strlen(class_name)) : 0;
	if (!ok || t->class_of[id] == NAME_NONE)
		return false;
	t->norm[id] = own + 1;
	return true;
}

/* The name part of a key (and the class part).  False when out of memory. */
static bool identity(struct top *t, const struct names *names, uint32_t id, enum domain domain,
                     uint64_t *key)
{
	const struct name *nm = &names->v[id];
	uint32_t own;

	if (domain == DOMAIN_KERNEL) {
		if (!t->norm[id] && !learn_kernel(t, nm, id))
			return false;
		own = t->norm[id] - 1;
		if (classed(t)) {
			key[TOP_CLASS] = t->class_of[id];
			key[TOP_HAS] |= MASK_BIT(TOP_CLASS);
		}
	} else {
		own = names_add(&t->names, nm->text, nm->len);
	}
	key[TOP_NAME] = (uint64_t)domain << 32 | own;
	return own != NAME_NONE;
}

static void set_part(uint64_t *key, const struct batch *b, uint32_t i, enum top_word w,
                     enum ev_col c)
{
	if (!batch_has(b, i, c))
		return;
	key[w] = b->col[c][i];
	key[TOP_HAS] |= MASK_BIT(w);
}

static bool make_key(struct top *t, const struct batch *b, uint32_t i, enum domain domain,
                     uint64_t *key)
{
	unsigned per = t->o->per;

	memset(key, 0, TOP_WORDS * sizeof *key);
	if (!identity(t, b->names, (uint32_t)b->col[EVC_NAME][i], domain, key))
		return false;
	if (per & PER_RANK) {
		key[TOP_RANK] = t->piece.rank;
		key[TOP_HAS] |= MASK_BIT(TOP_RANK);
	}
	if (per & PER_AGENT)
		set_part(key, b, i, TOP_AGENT, EVC_AGENT);
	if (per & PER_QUEUE)
		set_part(key, b, i, TOP_QUEUE, EVC_QUEUE);
	if (per & PER_STREAM)
		set_part(key, b, i, TOP_STREAM, EVC_STREAM);
	if (per & PER_SHAPE) {
		bool product = !batch_has(b, i, EVC_GRID_X);

		set_part(key, b, i, TOP_GRID_X, product ? EVC_GRID : EVC_GRID_X);
		set_part(key, b, i, TOP_GRID_Y, EVC_GRID_Y);
		set_part(key, b, i, TOP_GRID_Z, EVC_GRID_Z);
		set_part(key, b, i, TOP_WG_X, product ? EVC_WG : EVC_WG_X);
		set_part(key, b, i, TOP_WG_Y, EVC_WG_Y);
		set_part(key, b, i, TOP_WG_Z, EVC_WG_Z);
	}
	return true;
}

/* Rows of a trace. */
static bool take_rows(struct top *t, const struct batch *b)
{
	const uint64_t *name = b->col[EVC_NAME], *start = b->col[EVC_START], *end = b->col[EVC_END];
	const uint64_t *dom = b->some & EV_BIT(EVC_DOMAIN) ? b->col[EVC_DOMAIN] : NULL;
	enum domain usual = ev_kind_domain(b->kind);
	bool whole = (b->has & TIMED) == TIMED, direct = !t->o->per;
	uint64_t domains = 0;

	if (!know_names(t, b->names->n))
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		enum domain d = dom ? (enum domain)dom[i] : usual;
		struct layer *l = &t->layer[0];
		struct top_group *g = NULL;
		uint64_t key[TOP_WORDS], ns;

		domains |= MASK_BIT(d);
		t->seen[d]++;
		if (!whole && (b->row_has[i] & TIMED) != TIMED) {
			t->untimed[d]++;
			continue;
		}
		if (!(t->o->domains & MASK_BIT(d)))
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
		moments_add(&g->m, ns);
		if (t->quantiles && !quantile_add(&g->q, ns))
			return false;
	}
	t->dispatches |= b->kind == EV_DISPATCH;
	if (t->dispatches && t->current)
		t->layer[t->current].beside_trace = true;
	return note_run(t, t->piece.run, domains, NULL);
}

/* Rows of a counter collection: every counter of a dispatch repeats its times, so each counter is a
 * population of its own; one of them is chosen in the end. */
static bool take_counters(struct top *t, const struct batch *b)
{
	if (!know_names(t, b->names->n))
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t key[TOP_WORDS], ns;
		const struct name *counter;
		struct top_group *g;
		uint32_t id;

		if (!batch_has(b, i, EVC_NAME))
			continue; /* a sample over time, of no dispatch */
		t->seen[DOMAIN_KERNEL]++;
		if (!(t->o->domains & MASK_BIT(DOMAIN_KERNEL)))
			continue;
		if (!batch_has(b, i, EVC_START) || !batch_has(b, i, EVC_END) ||
		    !batch_has(b, i, EVC_COUNTER)) {
			t->untimed_counters++;
			continue;
		}
		if (b->col[EVC_START][i] < t->window.lo || b->col[EVC_START][i] >= t->window.hi) {
			t->outside++;
			t->misplaced += t->unplaced;
			continue;
		}
		if (!t->current) {
			t->current = top_layer(t, LAYER_COUNTERS, DOMAIN_KERNEL, t->piece.run,
			                       t->piece.path);
			if (t->current == SIZE_MAX)
				return false;
		}
		t->layer[t->current].beside_trace |= t->dispatches;
		counter = &b->names->v[b->col[EVC_COUNTER][i]];
		id = names_add(&t->names, counter->text, counter->len);
		if (id == NAME_NONE || !make_key(t, b, i, DOMAIN_KERNEL, key))
			return false;
		key[TOP_COUNTER] = id;
		g = group_of(&t->layer[t->current], key, NULL);
		if (!g)
			return false;
		ns = b->col[EVC_END][i] - b->col[EVC_START][i];
		moments_add(&g->m, ns);
		if (t->quantiles && !quantile_add(&g->q, ns))
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
static char *measure_of(const struct piece *p)
{
	struct buf b = { 0 };

	/* The newline sorts before what may follow in a longer text. */
	buf_fmt(&b, "%s\n%s", p->table ? p->table : "", p->format ? p->format : "");
	if (b.failed)
		buf_fini(&b);
	return b.p;
}

static bool take_stat(struct top *t, const struct batch *b, uint32_t i, enum domain d)
{
	struct stat_row row = {
		.calls = b->col[EVC_CALLS][i],
		.total_ns = b->col[EVC_TOTAL][i],
		.has_extremes = batch_has(b, i, EVC_MIN) && batch_has(b, i, EVC_MAX),
		.has_stddev = batch_has(b, i, EVC_STDDEV),
	};
	uint64_t key[TOP_WORDS];
	struct top_group *g;
	struct layer *l;

	if (row.has_extremes) {
		row.min_ns = b->col[EVC_MIN][i];
		row.max_ns = b->col[EVC_MAX][i];
	}
	if (row.has_stddev)
		row.stddev_ns = cell_real(b->col[EVC_STDDEV][i]);
	if (!make_key(t, b, i, d, key))
		return false;
	t->current = top_layer(t, LAYER_STATS, d, t->piece.run, t->piece.path);
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
	if (row.has_stddev && batch_has(b, i, EVC_PCT)) {
		enum stddev_state st = stat_row_repair(&row);

		l->repaired += st == STDDEV_REPAIRED;
		l->unknown += st == STDDEV_ABSENT;
	}
	moments_add_stat(&g->m, &row);
	l->rows++;
	l->total += row.total_ns;
	if (batch_has(b, i, EVC_PCT) && batch_has(b, i, EVC_PCT_ERR))
		narrow(l, (double)row.total_ns, cell_real(b->col[EVC_PCT][i]),
		       cell_real(b->col[EVC_PCT_ERR][i]));
	return true;
}

static bool take_stats(struct top *t, const struct batch *b)
{
	if (!know_names(t, b->names->n))
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		enum domain d = batch_has(b, i, EVC_DOMAIN) ? (enum domain)b->col[EVC_DOMAIN][i]
		                                            : DOMAIN_KERNEL;
		uint64_t asked = t->o->domains | (t->o->all_domains ? MASK_BIT(DOMAIN_DOMAINS) : 0);

		t->seen[d]++;
		if (!(asked & MASK_BIT(d)))
			continue;
		if (!batch_has(b, i, EVC_TOTAL)) {
			t->counts += batch_has(b, i, EVC_CALLS) ? b->col[EVC_CALLS][i] : 0;
			continue;
		}
		if (!take_stat(t, b, i, d))
			return false;
	}
	return true;
}

/* The group of a rollup of counters, as take_counters finds it. */
static struct top_group *counter_group(struct top *t, const struct batch *b, uint32_t i,
                                       uint64_t *key)
{
	const struct name *counter = &b->names->v[b->col[EVC_COUNTER][i]];
	uint32_t id = names_add(&t->names, counter->text, counter->len);

	if (id == NAME_NONE)
		return NULL;
	key[TOP_COUNTER] = id;
	if (!t->current) {
		t->current = top_layer(t, LAYER_COUNTERS, DOMAIN_KERNEL, t->piece.run,
		                       t->piece.path);
		if (t->current == SIZE_MAX)
			return NULL;
	}
	t->layer[t->current].beside_trace |= t->dispatches;
	return group_of(&t->layer[t->current], key, NULL);
}

static bool take_rollup(struct top *t, const struct batch *b, uint32_t i, enum domain d)
{
	uint64_t at = b->col[EVC_SKETCH][i], calls = b->col[EVC_CALLS][i], key[TOP_WORDS];
	struct moments m = {
		.n = calls,
		.min = b->col[EVC_MIN][i],
		.max = b->col[EVC_MAX][i],
		.sum = (u128)b->col[EVC_TOTAL_HI][i] << 64 | b->col[EVC_TOTAL][i],
		.squares = (u128)b->col[EVC_SQUARES_1][i] << 64 | b->col[EVC_SQUARES_0][i],
		.squares_hi = b->col[EVC_SQUARES_2][i],
	};
	struct top_group *g;
	bool bad;

	if (!make_key(t, b, i, d, key))
		return false;
	g = batch_has(b, i, EVC_COUNTER) ? counter_group(t, b, i, key)
	                                 : group_of(&t->layer[0], key, NULL);
	if (!g)
		return false;
	moments_merge(&g->m, &m);
	if (!t->quantiles ||
	    quantile_merge_saved(&g->q, b->bytes + (at >> 32), (uint32_t)at, calls, &bad))
		return true;
	/* A damaged sketch: the quantiles of this group are unknown. */
	g->m.sealed += bad;
	return bad;
}

static bool take_rollups(struct top *t, const struct batch *b)
{
	uint64_t domains = 0;

	if (!know_names(t, b->names->n))
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		enum domain d = (enum domain)b->col[EVC_DOMAIN][i];
		bool counter = batch_has(b, i, EVC_COUNTER);

		if (!counter)
			domains |= MASK_BIT(d);
		t->dispatches |= !counter && d == DOMAIN_KERNEL;
		t->seen[d] += b->col[EVC_CALLS][i];
		if (!batch_has(b, i, EVC_TOTAL) && !counter)
			t->untimed[d] += b->col[EVC_CALLS][i];
		else if (!(t->o->domains & MASK_BIT(d)))
			continue;
		else if (!batch_has(b, i, EVC_TOTAL))
			t->untimed_counters += b->col[EVC_CALLS][i];
		else if (t->o->windowed)
			t->unwindowed++;
		else if (!take_rollup(t, b, i, d))
			return false;
	}
	if (t->dispatches && t->current)
		t->layer[t->current].beside_trace = true;
	return note_run(t, t->piece.run, domains, NULL);
}

bool top_take(void *acc, const struct batch *b)
{
	switch (b->kind) {
	case EV_DISPATCH:
	case EV_COPY:
	case EV_API:
	case EV_ALLOC:
		return take_rows(acc, b);
	case EV_COUNTER:
		return take_counters(acc, b);
	case EV_STAT:
		return take_stats(acc, b);
	case EV_ROLLUP:
		return take_rollups(acc, b);
	case EV_SAMPLE:
	case EV_AGENT:
	case EV_NKINDS:
		break;
	}
	return true;
}

/* The names of one top in the numbers of another; NULL when out of memory. */
static uint32_t *translate(struct top *t, const struct top *from)
{
	uint32_t *map = malloc(((size_t)from->names.n + 1) * sizeof *map);

	for (uint32_t i = 0; map && i < from->names.n; i++) {
		map[i] = names_add(&t->names, from->names.v[i].text, from->names.v[i].len);
		if (map[i] == NAME_NONE) {
			free(map);
			return NULL;
		}
	}
	return map;
}

static bool merge_layer(struct top *t, struct layer *from, const uint32_t *map)
{
	size_t at = top_layer(t, from->sort, from->domain, from->run, from->path);
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
		if (key[TOP_HAS] & MASK_BIT(TOP_CLASS))
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
	return top_pour(l, from, false);
}

bool top_merge(void *into, void *acc)
{
	struct top *t = into, *from = acc;
	uint32_t *map = translate(t, from);
	bool ok = map != NULL;

	for (uint32_t i = 0; ok && i < from->whole.n; i++)
		ok = note_joined(t, from->whole.v[i].text, from->whole.v[i].len,
		                 map[from->brief[i]]);
	for (size_t i = 0; ok && i < from->nlayer; i++)
		ok = merge_layer(t, &from->layer[i], map);
	for (uint32_t i = 0; ok && i < from->runs.n; i++)
		ok = note_run(t, from->runs.v[i].text, from->traced[i], NULL);
	for (int d = 0; d < DOMAIN_N; d++) {
		t->seen[d] += from->seen[d];
		t->untimed[d] += from->untimed[d];
	}
	t->untimed_counters += from->untimed_counters;
	t->counts += from->counts;
	t->misplaced += from->misplaced;
	t->outside += from->outside;
	t->unwindowed += from->unwindowed;
	free(map);
	return ok;
}

static const struct metric_view views[] = { { .columns = top_columns }, { 0 } };
static const char *const options[] = { "name", "domain", NULL };

const struct metric metric_top = {
	.name = "top",
	.about = "kernels, copies or API functions by total time",
	.group = "Where does the time go?",
	.examples = "kstats top -n 10 results.db\n"
	            "kstats top --per rank --name short -f csv traces/\n",
	.views = views,
	.options = options,
	.per = PER_RANK | PER_AGENT | PER_QUEUE | PER_STREAM | PER_SHAPE,
	.sort_words = top_sort_words,
	.by_itself = true,
	.sink = { .size = sizeof(struct top),
	          .init = top_init,
	          .piece = top_piece,
	          .take = top_take,
	          .merge = top_merge,
	          .fini = top_fini },
	.per_of = top_per_of,
	.want = top_want,
	.fill = top_fill,
};
