/* SPDX-License-Identifier: MIT */
#include "diff/digest.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TOO_LIKE 8   /* kernels that two runs never have at the same distances */
#define WARM_UP  1.1 /* times the median of the later half */

/* What is at hand while a run is digested. */
struct digester {
	struct tm_digest *d;
	const struct tm_digest_opts *o;
	struct tm_run_sums *run;
	struct tm_work *work;
	struct tm_run_rows rows;
	uint32_t *entry; /* of each of work->names, as a kernel: its place in d->v + 1 */
	size_t nsample;
	struct tm_report *rep;
};

void tm_digest_fini(struct tm_digest *d)
{
	tm_names_fini(&d->names);
	free(d->v);
	free(d->copy);
	free(d->sample);
	free(d->place);
	free(d->step);
	free(d->gfx);
	free(d->broken);
	tm_report_fini(&d->step_notes);
	*d = (struct tm_digest) { 0 };
}

/* ---- names ---- */

static bool add_names(struct digester *g)
{
	struct tm_digest *d = g->d;

	d->v = calloc(g->rows.n + 1, sizeof *d->v);
	if (!d->v)
		return false;
	for (size_t i = 0; i < g->rows.n; i++) {
		const struct tm_run_sum *s = &g->rows.v[i];
		struct tm_digest_name *n = &d->v[d->n++];

		*n = (struct tm_digest_name) { .domain = s->domain,
			                       .m = *s->m,
			                       .before = TM_NAME_NONE,
			                       .after = TM_NAME_NONE };
		n->name = tm_names_add(&d->names, s->text.text, s->text.len);
		n->class_name = s->domain == TM_DOMAIN_KERNEL
		                        ? tm_classes_of(g->o->o->classes, s->text.text, NULL)
		                        : tm_domain_text(s->domain);
		if (n->name == TM_NAME_NONE || !n->class_name)
			return false;
		d->kernels += s->domain == TM_DOMAIN_KERNEL ? s->m->n : 0;
	}
	return true;
}

/* The places of names of the work store among those of a domain. */
static uint32_t *entries(const struct digester *g, const struct tm_names *of, enum tm_domain domain)
{
	const struct tm_digest *d = g->d;
	uint32_t *by_name = calloc((size_t)d->names.n + 1, sizeof *by_name),
	         *entry = calloc((size_t)of->n + 1, sizeof *entry);

	for (size_t i = 0; by_name && i < d->n; i++)
		if (d->v[i].domain == domain)
			by_name[d->v[i].name] = (uint32_t)i + 1;
	for (uint32_t i = 0; by_name && entry && i < of->n; i++) {
		uint32_t id = tm_names_find(&d->names, of->v[i].text, of->v[i].len);

		entry[i] = id == TM_NAME_NONE ? 0 : by_name[id];
	}
	if (!by_name) {
		free(entry);
		entry = NULL;
	}
	free(by_name);
	return entry;
}

/* ---- durations ---- */

/* A list of intervals, and which of them count. */
struct source_list {
	const struct tm_intervals *list;
	struct tm_extent asked;
};

struct source_lists {
	struct source_list *v;
	size_t n, cap;
};

static bool add_list(struct source_lists *s, const struct tm_intervals *list,
                     struct tm_extent asked)
{
	if (!list->n)
		return true;
	if (!tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return false;
	s->v[s->n++] = (struct source_list) { list, asked };
	return true;
}

static bool counts(const struct source_list *s, size_t i)
{
	uint64_t start;

	if (!s->asked.lo && s->asked.hi == UINT64_MAX)
		return true;
	start = tm_interval_start(s->list, i);
	return start >= s->asked.lo && start < s->asked.hi;
}

/* The durations of all intervals, which are of one domain, name by name in the order of the lists;
 * entry[] of their names says whose they are. */
static bool take_samples(struct digester *g, const struct source_lists *s, const uint32_t *entry,
                         enum tm_domain domain)
{
	struct tm_digest *d = g->d;
	size_t *at = calloc(d->n + 1, sizeof *at), sum = g->nsample, place = 0;
	double *v;
	size_t *p;

	if (!at)
		return false;
	for (size_t k = 0; k < s->n; k++)
		for (size_t i = 0; i < s->v[k].list->n; i++) {
			uint32_t e = entry[tm_interval_name(s->v[k].list, i)];

			if (e && counts(&s->v[k], i))
				d->v[e - 1].n++;
		}
	for (size_t i = 0; i < d->n; i++)
		if (d->v[i].domain == domain) {
			at[i] = d->v[i].from = sum;
			sum += d->v[i].n;
		}
	v = realloc(d->sample, (sum + 1) * sizeof *v);
	d->sample = v ? v : d->sample;
	p = v ? realloc(d->place, (sum + 1) * sizeof *p) : NULL;
	if (!p) {
		free(at);
		return false;
	}
	d->place = p;
	g->nsample = sum;
	for (size_t k = 0; k < s->n; k++)
		for (size_t i = 0; i < s->v[k].list->n; i++) {
			uint32_t e = entry[tm_interval_name(s->v[k].list, i)];

			if (!e || !counts(&s->v[k], i))
				continue;
			p[at[e - 1]] = place++;
			v[at[e - 1]++] = (double)tm_interval_dur(s->v[k].list, i);
		}
	free(at);
	return true;
}

/* The lists of a settled store that hold what is of a domain. */
static bool find_lists(struct tm_work *w, enum tm_domain domain, struct source_lists *s)
{
	bool ok = true;

	for (size_t i = 0; ok && i < w->ntrack; i++) {
		struct tm_work_track *t = &w->track[i];

		for (int k = 0; ok && k < TM_WORK_DISPATCHES && domain == TM_DOMAIN_KERNEL; k++)
			ok = add_list(s, &t->op[k], t->asked);
		if (ok && domain == TM_DOMAIN_COPY)
			ok = add_list(s, &t->op[TM_WORK_COPY], t->asked);
	}
	for (size_t i = 0; ok && i < w->nthread; i++) {
		struct tm_work_thread *t = &w->thread[i];
		enum tm_work_api api = domain == TM_DOMAIN_HSA ? TM_WORK_HSA : TM_WORK_HIP;
		struct tm_extent asked;

		tm_metric_window(w->o, t->rank, &asked);
		if (domain == TM_DOMAIN_MARKER)
			ok = add_list(s, &t->region, asked);
		if (domain != TM_DOMAIN_HIP && domain != TM_DOMAIN_HSA)
			continue;
		tm_intervals_sort(&t->call[api], w->order);
		ok = add_list(s, &t->call[api], asked) && add_list(s, &t->wait[api], asked);
	}
	return ok;
}

static bool add_samples(struct digester *g, enum tm_domain domain)
{
	struct tm_work *w = domain == TM_DOMAIN_COPY ? tm_run_sums_copies(g->run) : g->work;
	struct source_lists s = { 0 };
	uint32_t *entry = NULL;
	bool ok = domain != TM_DOMAIN_COPY || tm_work_settle(w);

	if (ok)
		entry = entries(g, &w->names, domain);
	ok = entry && find_lists(w, domain, &s) && take_samples(g, &s, entry, domain);
	free(entry);
	free(s.v);
	return ok;
}

/* ---- neighbors ---- */

/* Which name is it mostly?  A vote that more than half win. */
struct vote {
	uint32_t name;
	uint64_t count;
};

static void cast(struct vote *v, uint32_t name)
{
	if (!v->count)
		v->name = name;
	if (v->name == name)
		v->count++;
	else
		v->count--;
}

/* What kernels run before and after each, of those that do the same kind of work. */
static bool find_neighbors(struct digester *g)
{
	struct tm_digest *d = g->d;
	struct vote *vote = calloc(2 * d->n + 1, sizeof *vote);

	if (!vote)
		return false;
	for (size_t t = 0; t < g->work->ntrack * TM_WORK_DISPATCHES; t++) {
		const struct tm_intervals *s =
		        &g->work->track[t / TM_WORK_DISPATCHES].op[t % TM_WORK_DISPATCHES];
		uint32_t last = 0;

		for (size_t i = 0; i < s->n; i++) {
			uint32_t e = g->entry[tm_interval_name(s, i)];

			if (e && last) {
				cast(&vote[2 * (e - 1)], d->v[last - 1].name);
				cast(&vote[2 * (last - 1) + 1], d->v[e - 1].name);
			}
			last = e;
		}
	}
	for (size_t i = 0; i < d->n; i++) {
		d->v[i].before = vote[2 * i].count ? vote[2 * i].name : TM_NAME_NONE;
		d->v[i].after = vote[2 * i + 1].count ? vote[2 * i + 1].name : TM_NAME_NONE;
	}
	free(vote);
	return true;
}

/* ---- which run is it ---- */

static void add_print(struct tm_digest_print *to, uint64_t text, uint64_t a, uint64_t b)
{
	const struct tm_hash *h = tm_hash_own();
	uint64_t one = tm_hash_spread(text + h->word[0] * a + h->word[1] * b);

	/* Sums, so that the order does not matter. */
	to->v[0] += one;
	to->v[1] += tm_hash_spread(one ^ text);
}

/* Of a settled store: its lists are in order of start. */
static uint64_t first_kernel(const struct tm_work *w)
{
	uint64_t first = UINT64_MAX;

	for (size_t t = 0; t < w->ntrack; t++)
		for (int k = 0; k < TM_WORK_DISPATCHES; k++) {
			const struct tm_intervals *s = &w->track[t].op[k];

			if (s->n && tm_interval_start(s, 0) < first)
				first = tm_interval_start(s, 0);
		}
	return first;
}

static bool find_prints(struct digester *g)
{
	const struct tm_names *names = &g->work->names, *own = &g->d->names;
	uint64_t *text = malloc(((size_t)names->n + 1) * sizeof *text);
	/* A trace-event JSON counts times from any moment. */
	const uint64_t first = first_kernel(g->work);

	for (uint32_t i = 0; text && i < names->n; i++)
		text[i] = tm_hash_bytes(tm_hash_own(), names->v[i].text, names->v[i].len);
	for (size_t t = 0; text && t < g->work->ntrack; t++)
		for (int k = 0; k < TM_WORK_DISPATCHES; k++) {
			const struct tm_intervals *s = &g->work->track[t].op[k];

			for (size_t i = 0; i < s->n; i++) {
				const uint64_t name = text[tm_interval_name(s, i)],
				               start = tm_interval_start(s, i),
				               dur = tm_interval_dur(s, i);

				add_print(&g->d->times, name, start, dur);
				add_print(&g->d->moved, name, start - first, dur);
			}
		}
	free(text);
	for (size_t i = 0; i < g->d->n; i++) {
		const struct tm_name *nm = &own->v[g->d->v[i].name];

		if (g->d->v[i].domain == TM_DOMAIN_KERNEL)
			add_print(&g->d->sums, tm_hash_bytes(tm_hash_own(), nm->text, nm->len),
			          g->d->v[i].m.n, (uint64_t)g->d->v[i].m.sum);
	}
	return text != NULL;
}

/* ---- steps ---- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

bool tm_digest_warm_up(const double *v, size_t n, size_t *steps)
{
	size_t half = n - n / 2;
	double *w = malloc((half + 1) * sizeof *w), median;

	*steps = 0;
	if (!w)
		return false;
	memcpy(w, v + n / 2, half * sizeof *w);
	qsort(w, half, sizeof *w, by_value);
	median = half ? (w[(half - 1) / 2] + w[half / 2]) / 2 : 0;
	free(w);
	while (*steps < n / 4 && v[*steps] > WARM_UP * median)
		++*steps;
	return true;
}

/* Mean lengths over the agents of the k-th steps of all ranks, into v; how many there are. */
static size_t step_means(const struct tm_budget *b, double *v)
{
	for (size_t k = 0; k < b->nsteps; k++)
		v[k] = (double)b->step[k].window / (double)b->step[k].units;
	return b->nsteps;
}

/* Leave the steps that begin inside the window, but for the first `skip` of each rank. */
static void choose_steps(const struct tm_work *w, struct tm_steps *s, uint64_t skip)
{
	size_t n = 0;
	uint64_t seen = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct tm_extent asked;

		if (!i || s->v[i].rank != s->v[i - 1].rank)
			seen = 0;
		tm_metric_window(w->o, s->v[i].rank, &asked);
		if (s->v[i].at.lo < asked.lo || s->v[i].at.lo >= asked.hi || seen++ < skip)
			continue;
		s->v[n++] = s->v[i];
	}
	s->n = n;
}

/* Of a rank the last repeat has no next one to end it, so it is shorter: it goes. */
static void drop_last(struct tm_steps *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (i + 1 < s->n && s->v[i + 1].rank == s->v[i].rank)
			s->v[n++] = s->v[i];
	s->n = n;
}

/* Where one rank has fewer steps than another, the mean step would be more of some ranks than of
 * others, unlike that of a run in which all have as many.  Of each rank the first ones
 * count, as many as all have. */
static void even_out(struct tm_digest *d, struct tm_steps *s)
{
	size_t least = SIZE_MAX, most = 0, n = 0, k = 0;

	d->step_ranks = 0;
	for (size_t i = 0, end; i < s->n; i = end) {
		for (end = i + 1; end < s->n && s->v[end].rank == s->v[i].rank;)
			end++;
		least = end - i < least ? end - i : least;
		most = end - i > most ? end - i : most;
		d->step_ranks++;
	}
	if (least >= most)
		return;
	tm_report_add(&d->step_notes, TM_SEV_NOTE, d->path, 0,
	              "some ranks have %zu steps, others up to %zu: the first %zu of each are "
	              "compared",
	              least, most, least);
	for (size_t i = 0; i < s->n; i++) {
		k = i && s->v[i].rank == s->v[i - 1].rank ? k + 1 : 0;
		if (k < least)
			s->v[n++] = s->v[i];
	}
	s->n = n;
}

/* How many steps are warm-up, by the lengths of all: as means over the ranks. */
static bool find_warm_up(const struct tm_steps *s, size_t *skip)
{
	double *sum = calloc(s->n + 1, sizeof *sum);
	size_t *n = calloc(s->n + 1, sizeof *n), k = 0, most = 0;
	bool ok;

	for (size_t i = 0; sum && n && i < s->n; i++) {
		k = i && s->v[i].rank == s->v[i - 1].rank ? k + 1 : 0;
		sum[k] += (double)(s->v[i].at.hi - s->v[i].at.lo);
		n[k]++;
		most = k + 1 > most ? k + 1 : most;
	}
	for (k = 0; sum && n && k < most; k++)
		sum[k] /= (double)n[k];
	ok = sum && n && tm_digest_warm_up(sum, most, skip);
	free(sum);
	free(n);
	return ok;
}

/* What is said of steps is about one run of several: notes only. */
static void keep_notes(struct tm_digest *d, const struct tm_report *from)
{
	for (size_t i = 0; i < from->n; i++)
		tm_report_add(&d->step_notes, TM_SEV_NOTE, d->path, 0, "%s", from->v[i].text);
}

static bool find_steps(struct digester *g, struct tm_steps *s)
{
	struct tm_digest *d = g->d;
	struct tm_report found = { 0 };
	enum tm_status st = tm_steps_find(s, g->work, &found);
	size_t all = s->n;
	bool ok = st != TM_ST_FATAL;

	if (ok && st == TM_ST_OK) {
		keep_notes(d, &found);
		d->steps = s->sequence ? TM_STEPS_SEQUENCE : TM_STEPS_MARKER;
		choose_steps(g->work, s, 0);
		if (s->sequence)
			drop_last(s);
		even_out(d, s);
		if (g->o->skip == UINT64_MAX)
			ok = find_warm_up(s, &d->warm_up);
		else
			d->warm_up = (size_t)g->o->skip;
		choose_steps(g->work, s, d->warm_up);
		d->steps = s->n ? d->steps : TM_STEPS_NONE;
		if (!s->n)
			tm_report_add(
			        g->rep, TM_SEV_NOTE, d->path, 0,
			        "none of the %zu steps counts: they are outside -w, or skipped "
			        "by --skip",
			        all);
	}
	ok = ok && !found.lost && !d->step_notes.lost;
	tm_report_fini(&found);
	return ok;
}

/* ---- all of it ---- */

static bool take_budget(struct digester *g, const struct tm_steps *s)
{
	struct tm_digest *d = g->d;
	const struct tm_names *names = &g->work->names;
	struct tm_budget b;
	bool ok = tm_budget_make(&b, g->work, s->v, s->n);

	d->copy = calloc((size_t)names->n + 1, sizeof *d->copy);
	d->step = calloc(b.nsteps + 1, sizeof *d->step);
	ok = ok && d->copy && d->step;
	for (uint32_t i = 0; ok && i < names->n; i++) {
		const char *way;
		struct tm_digest_copy *c = &d->copy[d->ncopies];

		if (g->entry[i])
			d->v[g->entry[i] - 1].use = b.kernel[i];
		if (!b.copy[i].calls[TM_BUDGET_WINDOW] && !b.copy[i].calls[TM_BUDGET_STEPS])
			continue;
		way = tm_copy_direction(names->v[i].text, names->v[i].len);
		c->use = b.copy[i];
		c->name = way ? tm_names_add(&d->names, way, strlen(way))
		              : tm_names_add(&d->names, names->v[i].text, names->v[i].len);
		d->ncopies++;
		ok = c->name != TM_NAME_NONE;
	}
	if (ok) {
		memcpy(d->sum, b.sum, sizeof d->sum);
		d->agents = b.agents;
		d->ops = b.ops;
		d->matched = b.matched;
		d->nsteps = step_means(&b, d->step);
	}
	tm_budget_fini(&b);
	return ok;
}

static bool take_gfx(struct digester *g)
{
	struct tm_digest *d = g->d;
	const uint64_t *v = tm_run_sums_gfx(g->run, &d->ngfx);

	d->gfx = calloc(d->ngfx + 1, sizeof *d->gfx);
	if (d->gfx && d->ngfx)
		memcpy(d->gfx, v, d->ngfx * sizeof *v);
	return d->gfx != NULL;
}

/* Totals have no operations, but the GPUs of their kernels. */
static bool take_gpus(struct digester *g)
{
	struct tm_groups *gpus = tm_run_sums_gpus(g->run);
	bool ok = true;

	g->d->totals = gpus->n != 0;
	for (size_t t = 0; ok && t < g->work->ntrack; t++) {
		const struct tm_work_track *track = &g->work->track[t];
		uint64_t key[TM_RUN_SUMS_GPU] = { track->rank, track->has_agent, track->agent };

		for (int k = 0; ok && k < TM_WORK_DISPATCHES; k++)
			ok = !track->op[k].n || tm_groups_add(gpus, key, NULL) != TM_GROUP_NONE;
	}
	g->d->kernel_gpus = gpus->n;
	return ok;
}

bool tm_digest_same_run(const struct tm_digest *a, const struct tm_digest *b)
{
	if (!a->kernels || a->kernels != b->kernels)
		return false;
	/* Of statistics there are no times. */
	if (a->statistics || b->statistics)
		return !memcmp(&a->sums, &b->sums, sizeof a->sums);
	/* Two runs of a few kernels may take as long by chance. */
	return !memcmp(&a->times, &b->times, sizeof a->times) ||
	       (a->kernels >= TOO_LIKE && !memcmp(&a->moved, &b->moved, sizeof a->moved));
}

/* Was it read whole? */
static bool judge_reading(struct digester *g)
{
	struct tm_digest *d = g->d;
	const struct tm_loss *l = tm_run_sums_loss(g->run);
	const uint64_t lost = tm_loss_sum(l, 1U << TM_LOSS_IS_GONE),
	               thinned = tm_loss_sum(l, 1U << TM_LOSS_IS_THINNED),
	               stripped = tm_loss_sum(l, 1U << TM_LOSS_IS_STRIPPED);
	struct tm_buf why = { 0 };

	for (size_t i = 0; i < g->rep->n && !why.n; i++)
		if (g->rep->v[i].severity == TM_SEV_ERROR)
			tm_buf_fmt(&why, "%s", g->rep->v[i].text);
	d->failed = why.n > 0;
	if (!why.n && lost)
		tm_buf_fmt(&why, "the profiler lost records in %llu place%s",
		           (unsigned long long)lost, lost == 1 ? "" : "s");
	if (!why.n && thinned)
		tm_buf_fmt(&why, "tracecat --budget omitted %" PRIu64 " event%s", thinned,
		           thinned == 1 ? "" : "s");
	if (!why.n && stripped)
		tm_buf_fmt(&why, "tracecat omitted the arguments of %" PRIu64 " event%s", stripped,
		           stripped == 1 ? "" : "s");
	if (!why.n && d->total < d->whole)
		tm_buf_fmt(&why, "its rows cover %.2f %% of the time of the run",
		           100 * (double)d->total / (double)d->whole);
	d->broken = why.p;
	return !why.failed;
}

bool tm_digest_make(struct tm_digest *d, struct tm_run_sums *run, const struct tm_digest_opts *o,
                    struct tm_report *rep)
{
	struct digester g = {
		.d = d, .o = o, .run = run, .work = tm_run_sums_work(run), .rep = rep
	};
	const struct tm_work *w = g.work;
	struct tm_steps s = { 0 };
	bool ok = tm_run_sums_rows(run, &g.rows, rep) && tm_work_settle(g.work) && add_names(&g);

	if (ok) {
		d->total = g.rows.total;
		d->whole = g.rows.whole;
		d->statistics = d->n && !w->ntrack;
		d->has_calls = w->seen[TM_DOMAIN_HIP] || w->seen[TM_DOMAIN_HSA];
		g.entry = entries(&g, &w->names, TM_DOMAIN_KERNEL);
	}
	ok = ok && g.entry && find_prints(&g) && judge_reading(&g) && take_gfx(&g) &&
	     take_gpus(&g) && find_neighbors(&g);
	for (int dom = 0; ok && o->samples && dom <= TM_DOMAIN_MARKER; dom++)
		if (o->o->domains & TM_MASK_BIT(dom))
			ok = add_samples(&g, (enum tm_domain)dom);
	ok = ok && find_steps(&g, &s) && take_budget(&g, &s);
	tm_steps_fini(&s);
	free(g.entry);
	free(g.rows.v);
	return ok;
}
