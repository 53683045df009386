/* SPDX-License-Identifier: MIT */
#include "agg/agg.h"
#include "metric/shares.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool tm_shares_init(struct shares *a, const struct tm_metric_opts *o, unsigned keep)
{
	if (!tm_work_init(&a->work, o, keep) || !tm_top_init(&a->top, o))
		return false;
	a->top.quantiles = false; /* nobody asks for them here */
	return true;
}

bool tm_shares_piece(void *acc, const struct tm_piece *p)
{
	struct shares *a = acc;

	return tm_top_piece(&a->top, p) && tm_work_piece(&a->work, p);
}

bool tm_shares_take(void *acc, const struct tm_batch *b)
{
	struct shares *a = acc;

	return tm_top_take(&a->top, b) && tm_work_take(&a->work, b);
}

bool tm_shares_merge(void *into, void *from)
{
	struct shares *a = into, *b = from;

	return tm_top_merge(&a->top, &b->top) && tm_work_merge(&a->work, &b->work);
}

void tm_shares_fini(void *acc)
{
	struct shares *a = acc;

	tm_top_fini(&a->top);
	tm_work_fini(&a->work);
}

struct tm_work *tm_shares_work(void *acc)
{
	struct shares *a = acc;

	return &a->work;
}

struct tm_top *tm_shares_top(void *acc)
{
	struct shares *a = acc;

	return &a->top;
}

tm_ev_set tm_shares_want(const struct tm_metric_opts *o, unsigned keep)
{
	/* Rollups would come in place of the events that unions need. */
	return (tm_top_want(o) & ~TM_EV_BIT(TM_EVC_SKETCH)) | tm_work_want(keep);
}

static int by_total(const void *pa, const void *pb)
{
	const struct share_name *a = pa, *b = pb;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return tm_name_cmp(&a->text, &b->text);
}

/* Kernels and their sums, from the groups of `top`. */
static bool collect(struct shares *a, const struct tm_metric_opts *o, struct share_sum *s)
{
	const struct tm_top *top = tm_top_sums(&a->top);
	const struct layer *l = &top->layer[0];

	s->unions = true;
	s->cap = (size_t)l->keys.n + 1;
	s->name = calloc(s->cap, sizeof *s->name);
	for (uint32_t i = 0; s->name && i < l->keys.n; i++) {
		const uint64_t *key = l->keys.key + (size_t)i * TOP_WORDS;
		struct share_name *n = &s->name[s->n++];

		n->text = top->names.v[(uint32_t)key[TOP_NAME]];
		n->calls = l->g[i].m.n;
		n->total = l->g[i].m.sum;
		n->class_name = tm_classes_of(o->classes, n->text.text, &n->rule);
		if (!n->class_name)
			return false;
		s->totals |= l->g[i].m.sealed != 0;
	}
	if (s->n)
		qsort(s->name, s->n, sizeof *s->name, by_total);
	return s->name != NULL;
}

bool tm_shares_doubts(struct share_sum *s, const struct tm_metric_opts *o)
{
	for (size_t i = 0; i < s->n; i++) {
		struct share_name *n = &s->name[i];
		struct tm_class_doubt doubt;
		struct tm_class_match m;

		if (!tm_classes_match(o->classes, n->text.text, &m) ||
		    !tm_classes_doubt(o->classes, n->text.text, &m, &doubt))
			return false;
		n->doubt = doubt.class_name;
		n->reason = doubt.reason;
		/* A word among template arguments may be about something else. */
		if (!n->doubt && m.seen == TM_SEEN_ARGUMENTS &&
		    tm_gemm_counts(m.class_name, GEMM_MATRIX)) {
			n->doubt = m.class_name;
			n->reason = "only its template arguments say so";
		}
	}
	return true;
}

/* The place in s->name of every name of the work store; names that are not there (of copies, or
 * outside the window) have UINT32_MAX. */
static uint32_t *places(const struct shares *a, const struct share_sum *s)
{
	const struct tm_names *names = &a->work.names;
	uint32_t *place = malloc(((size_t)names->n + 1) * sizeof *place);

	for (uint32_t i = 0; place && i < names->n; i++)
		place[i] = UINT32_MAX;
	for (size_t i = 0; place && i < s->n; i++) {
		uint32_t id = tm_names_find(names, s->name[i].text.text, s->name[i].text.len);

		if (id != TM_NAME_NONE)
			place[id] = (uint32_t)i;
	}
	return place;
}

/* Kernels that began before the window and reach into it.  They do not count, but time in which
 * they ran is covered: without them a share would depend on whether another of the name starts
 * inside. */
static bool add_before(const struct shares *a, const struct tm_metric_opts *o, struct share_sum *s)
{
	uint32_t *place = places(a, s);
	bool ok = place != NULL;

	for (size_t t = 0; ok && t < a->work.ntrack; t++)
		for (int k = 0; ok && k < TM_WORK_DISPATCHES; k++) {
			const struct tm_intervals *list = &a->work.track[t].op[k];

			for (size_t i = 0; ok && i < list->n; i++) {
				uint32_t id = tm_interval_name(list, i);
				struct share_name *n;

				if (place[id] != UINT32_MAX)
					continue;
				ok = tm_grow_array(&s->name, &s->cap, s->n + 1, sizeof *s->name);
				if (!ok)
					break;
				place[id] = (uint32_t)s->n;
				n = &s->name[s->n++];
				*n = (struct share_name) { .text = a->work.names.v[id],
					                   .before = true };
				n->class_name = tm_classes_of(o->classes, n->text.text, &n->rule);
				ok = n->class_name != NULL;
			}
		}
	free(place);
	if (s->n)
		qsort(s->name, s->n, sizeof *s->name, by_total);
	return ok;
}

/* Is there a kernel in the window, whether it starts there or before? */
static bool reaches_in(const struct tm_work *w)
{
	for (size_t t = 0; t < w->ntrack; t++)
		for (int k = 0; k < TM_WORK_DISPATCHES; k++)
			if (w->track[t].op[k].n)
				return true;
	return false;
}

/* What the kernels of a set cover of one track, up to where it was looked at. */
struct growing {
	size_t track; /* which, + 1 */
	uint64_t hi, covered;
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Without branches: whether a kernel begins before the others of its set are done is anybody's
 * guess. */
static void grow(struct growing *g, uint64_t lo, uint64_t hi, struct tm_extent w)
{
	lo = least(most(lo, w.lo), w.hi);
	hi = most(least(most(hi, w.lo), w.hi), g->hi);
	g->covered += hi - most(lo, g->hi);
	g->hi = hi;
}

/* Where a walk over the lists of kernels of a track is. */
struct walk {
	const struct tm_intervals *list[TM_WORK_DISPATCHES];
	size_t at[TM_WORK_DISPATCHES];
	uint64_t next[TM_WORK_DISPATCHES]; /* start; UINT64_MAX after the last */
};

static void walk_to(struct walk *w, int k, size_t i)
{
	w->at[k] = i;
	w->next[k] = i < w->list[k]->n ? tm_interval_start(w->list[k], i) : UINT64_MAX;
}

/* The list whose next one starts first; of those that start together any.  TM_WORK_DISPATCHES at
 * the end.  *until: when the first of the others goes on. */
static int walk_first(const struct walk *w, uint64_t *until)
{
	int best = TM_WORK_DISPATCHES;

	*until = UINT64_MAX;
	for (int k = 0; k < TM_WORK_DISPATCHES; k++) {
		if (w->at[k] >= w->list[k]->n)
			continue;
		if (best == TM_WORK_DISPATCHES || w->next[k] < w->next[best]) {
			*until = best == TM_WORK_DISPATCHES ? UINT64_MAX : w->next[best];
			best = k;
		} else if (w->next[k] < *until) {
			*until = w->next[k];
		}
	}
	return best;
}

/* Which sets each name of the work store is in, and what they cover: `each` of every name, n where
 * there are no more, which is a set that nobody asks for.  So what a dispatch costs does not depend
 * on its name, which nobody can guess. */
struct sets {
	uint32_t *of_name;
	size_t each, n;
	struct growing *g;
	tm_u128 *covered;
};

/* How many sets these begin with. */
static size_t count_sets(const uint32_t *set, size_t each)
{
	size_t n = 0;

	while (n < each && set[n] != SHARE_NONE)
		n++;
	return n;
}

/* Fill in of_name.  False when out of memory. */
static bool know_sets(struct sets *of, const struct shares *a, const struct share_sum *s,
                      const uint32_t *set, size_t each)
{
	const uint32_t names = a->work.names.n;
	uint32_t *place = places(a, s), *to;
	bool ok;

	of->each = 1;
	for (size_t i = 0; i < s->n; i++) {
		const size_t n = count_sets(set + i * each, each);

		of->each = n > of->each ? n : of->each;
	}
	of->of_name = to = tm_array((size_t)names + 1, of->each * sizeof *of->of_name);
	ok = place && to;
	for (uint32_t i = 0; ok && i < names; i++, to += of->each) {
		const bool some = place[i] != UINT32_MAX;
		const uint32_t *own = some ? set + (size_t)place[i] * each : NULL;
		const size_t n = some ? count_sets(own, each) : 0;

		for (size_t k = 0; k < of->each; k++)
			to[k] = k < n ? own[k] : (uint32_t)of->n;
	}
	free(place);
	return ok;
}

/* A dispatch of that name, of a track whose number + 1 is `track`. */
static inline void cover_one(const struct sets *of, uint32_t name, size_t track, uint64_t lo,
                             uint64_t hi, struct tm_extent window)
{
	const uint32_t *set = of->of_name + name * of->each;

	for (size_t i = 0; i < of->each; i++) {
		struct growing *one = &of->g[set[i]];

		if (one->track != track) {
			of->covered[set[i]] += one->covered;
			*one = (struct growing) { .track = track };
		}
		grow(one, lo, hi, window);
	}
}

/* One track: all lists at once, in order of start, so that one pass does for all sets. */
static void cover_track(const struct shares *a, size_t track, const struct sets *of)
{
	const struct tm_work_track *t = &a->work.track[track];
	struct walk w = { 0 };
	uint64_t until;

	for (int k = 0; k < TM_WORK_DISPATCHES; k++) {
		w.list[k] = &t->op[k];
		walk_to(&w, k, 0);
	}
	for (int k; (k = walk_first(&w, &until)) < TM_WORK_DISPATCHES;) {
		const struct tm_intervals *list = w.list[k];
		size_t i = w.at[k];

		for (uint64_t lo; i < list->n && (lo = tm_interval_start(list, i)) <= until; i++)
			cover_one(of, tm_interval_name(list, i), track + 1, lo,
			          lo + tm_interval_dur(list, i), t->window);
		walk_to(&w, k, i);
	}
}

/* The only list of kernels of a track; NULL where there are several. */
static const struct tm_intervals *only_list(const struct tm_work_track *t)
{
	const struct tm_intervals *only = &t->op[0];

	for (int k = 1; k < TM_WORK_DISPATCHES; k++)
		if (t->op[k].n && only->n)
			return NULL;
		else if (t->op[k].n)
			only = &t->op[k];
	return only;
}

/* Do all dispatches run alone, inside the window, so that what they take is what they cover? */
static bool run_alone(const struct shares *a, const struct share_sum *s)
{
	uint64_t calls = 0, ops = 0;

	for (size_t t = 0; t < a->work.ntrack; t++) {
		const struct tm_intervals *list = only_list(&a->work.track[t]);

		if (!list || (list->n && !(list->sorted && list->apart)))
			return false;
		ops += list->n;
	}
	for (size_t i = 0; i < s->n; i++)
		calls += s->name[i].calls;
	return !a->work.o->windowed && ops == calls;
}

bool tm_shares_covered(const struct shares *a, const struct share_sum *s, const uint32_t *set,
                       size_t each, size_t n, tm_u128 *covered)
{
	struct sets of = { .n = n,
		           .g = calloc(n + 1, sizeof *of.g),
		           .covered = calloc(n + 1, sizeof *of.covered) };
	const bool alone = run_alone(a, s);
	bool ok = of.g && of.covered && (alone || know_sets(&of, a, s, set, each));

	if (ok && alone) {
		for (size_t i = 0; i < s->n; i++)
			for (size_t k = 0; k < count_sets(set + i * each, each); k++)
				of.covered[set[i * each + k]] += s->name[i].total;
	} else {
		for (size_t t = 0; ok && t < a->work.ntrack; t++)
			cover_track(a, t, &of);
	}
	for (size_t i = 0; ok && i < n; i++)
		covered[i] = of.covered[i] + of.g[i].covered;
	free(of.of_name);
	free(of.g);
	free(of.covered);
	return ok;
}

/* Each kernel is a set of its own. */
bool tm_shares_cover_names(const struct shares *a, struct share_sum *s)
{
	uint32_t *set = malloc((s->n + 1) * sizeof *set);
	tm_u128 *covered = malloc((s->n + 1) * sizeof *covered);
	bool ok = set && covered && s->n < SHARE_NONE;

	for (size_t i = 0; ok && i < s->n; i++)
		set[i] = (uint32_t)i;
	ok = ok && tm_shares_covered(a, s, set, 1, s->n, covered);
	for (size_t i = 0; ok && i < s->n; i++)
		s->name[i].covered = (uint64_t)covered[i];
	free(set);
	free(covered);
	return ok;
}

/* The rules that say which class: what was kept of classes is of other kernels where they differ.
 * */
static uint64_t rules_mark(const struct tm_classes *c)
{
	uint64_t h = TM_HASH_STABLE;

	for (size_t i = 1; i <= tm_classes_rules(c); i++) {
		const struct tm_class_match m = tm_classes_rule(c, i);

		h = tm_hash_stable(h, m.class_name, strlen(m.class_name) + 1);
		h = tm_hash_stable(h, m.regex, strlen(m.regex) + 1);
	}
	return h;
}

/* What all agents add up to, also of ranks whose events are not here. */
static bool add_wholes(struct shares *a, const struct tm_metric_opts *o, struct share_sum *s,
                       uint64_t *tracks)
{
	*tracks = a->work.ntrack;

	for (size_t i = 0, n; i < a->work.ntrack; i += n) {
		n = tm_work_same(&a->work, i);
		const struct tm_work_use u = tm_work_use_of(&a->work.track[i], n);

		s->busy += u.busy;
		s->window += u.window;
	}
	if (o->state)
		tm_state_same(o->state, rules_mark(o->classes));
	s->busy = tm_state_sum(o->state, s->busy);
	s->window = tm_state_sum(o->state, s->window);
	tm_state_add(o->state, tracks);
	return tm_work_state(&a->work, o->state);
}

enum tm_status tm_shares_sum(struct shares *a, const struct tm_metric_opts *o, struct share_sum *s,
                             struct tm_report *rep)
{
	uint64_t tracks;

	*s = (struct share_sum) { 0 };
	if (!tm_top_fold(&a->top, &s->total, rep) || !collect(a, o, s) ||
	    !tm_work_settle(&a->work) || !add_wholes(a, o, s, &tracks))
		return TM_ST_FATAL;
	if (!s->n && !reaches_in(&a->work)) {
		tm_top_explain_nothing(tm_top_sums(&a->top), o, rep);
		return TM_ST_END;
	}
	if (a->work.keep & TM_WORK_OP_NAMES && o->windowed && !add_before(a, o, s))
		return TM_ST_FATAL;
	s->unions &= !s->totals && tracks > 0 && !o->apart;
	return TM_ST_OK;
}

const struct tm_metric_option tm_shares_options[] = {
	{ .name = "max-unclassified",
	  TM_METRIC_TO_FIXED(struct shares_own, max_unclassified),
	  .arg = "PCT",
	  .max = 1000000,
	  .about = "exit 1 if more than PCT % of kernel time has no class",
	  .limit = true },
	{ 0 },
};

/* Is part / whole more than `limit` ten-thousandths of a percent?  Exactly so: what is printed is
 * rounded. */
static bool over_limit(tm_u128 part, tm_u128 whole, uint64_t limit)
{
	return limit != UINT64_MAX && part * 1000000 > whole * limit;
}

void tm_shares_tell(const struct shares *a, const struct share_sum *s,
                    const struct tm_metric_opts *o, struct tm_report *rep)
{
	const uint64_t limit = ((const struct shares_own *)o->own)->max_unclassified;
	tm_u128 unknown = 0, rows = 0;
	uint64_t kernels = 0;
	uint64_t hundredths;
	struct tm_cell pct;

	for (size_t i = 0; i < s->n; i++) {
		rows += s->name[i].total;
		if (!strcmp(s->name[i].class_name, TM_CLASS_UNKNOWN)) {
			unknown += s->name[i].total;
			kernels += !s->name[i].before;
		}
	}
	tm_report_untimed(rep, a->work.untimed);
	if (rows < s->total) {
		pct = tm_work_pct(s->total - rows, s->total);
		hundredths = (pct.v.u + 50) / 100;
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "%" PRIu64 ".%02u %% of the kernel time is in truncated rows: every "
		              "share may be up to that much larger",
		              hundredths / 100, (unsigned)(hundredths % 100));
	}
	if (!s->unions && !o->apart && a->work.keep & TM_WORK_OP_NAMES)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "busy_pct and window_pct are absent: %s",
		              s->totals ? "totals do not record when kernels ran"
		                        : "a counter collection runs kernels one at a time");
	if (rows >> 64)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "totals that do not fit 64 bits are left empty");
	if (kernels && o->strict)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%" PRIu64 " kernel%s of unknown class; --classes adds rules",
		              kernels, kernels == 1 ? "" : "s");
	pct = tm_work_pct(unknown, s->total);
	if (over_limit(unknown, s->total, limit))
		tm_report_add(rep, TM_SEV_NO, NULL, 0,
		              "%s%" PRIu64 ".%04u %% of the kernel time has no class, more than "
		              "--max-unclassified %" PRIu64
		              ".%04u; kstats classes --unclassified lists them",
		              pct.v.u > limit ? "" : "just over ", pct.v.u / 10000,
		              (unsigned)(pct.v.u % 10000), limit / 10000,
		              (unsigned)(limit % 10000));
}
