/* SPDX-License-Identifier: MIT
 * Scenarios: the usual ones. */
#include "metric/whatif/whatif.h"

#include <stdlib.h>
#include <string.h>

enum { TOP = 10, HALF = 500000, COMM = 700000, MUST_CALL_PCT = 50 };

static void one_fini(struct whatif_one *w)
{
	tm_buf_fini(&w->text);
	free(w->scale);
	free(w->set);
	for (size_t k = 0; k < w->nsets; k++)
		free(w->sets[k]);
	free(w->sets);
}

static bool is_named(const struct whatif_one *w, const char *names)
{
	for (size_t n; *names; names += n + (names[n] != 0)) {
		n = strcspn(names, ";");
		if (n == w->text.n && !memcmp(names, w->text.p, n))
			return true;
	}
	return false;
}

void tm_whatif_only(struct whatif_list *l, const char *only)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (is_named(&l->v[i], only))
			l->v[n++] = l->v[i];
		else
			one_fini(&l->v[i]);
	l->n = n;
}

void tm_whatif_list_fini(struct whatif_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		one_fini(&l->v[i]);
	free(l->v);
	*l = (struct whatif_list) { 0 };
}

struct whatif_one *tm_whatif_add(struct whatif_list *l, const char *text)
{
	struct whatif_one *w;

	if (!tm_grow_array(&l->v, &l->cap, l->n + 1, sizeof *l->v))
		return NULL;
	w = &l->v[l->n++];
	*w = (struct whatif_one) { .s = tm_replay_same() };
	return tm_buf_str(&w->text, text) ? w : NULL;
}

bool tm_whatif_add_scale(struct whatif_one *w, struct tm_replay_scale s)
{
	if (!tm_grow_array(&w->scale, &w->scale_cap, w->nscale + 1, sizeof *w->scale))
		return false;
	w->scale[w->nscale++] = s;
	w->s.scale = w->scale;
	w->s.nscale = w->nscale;
	return true;
}

/* ---- what can be asked ---- */

const char *tm_whatif_no_host(const struct tm_replay *r)
{
	const struct tm_replay_counts *c = &r->counts;

	if (!c->calls)
		return "there are no API calls in the input; trace with --hip-trace";
	if ((c->kernels - c->uncalled_kernels) * 100 < c->kernels * MUST_CALL_PCT)
		return "for less than half of the kernels the call that launched them is known";
	return NULL;
}

const char *tm_whatif_no_ranks(const struct tm_replay *r)
{
	if (r->nrank < 2)
		return "there is one rank only";
	if (r->counts.collectives && !r->ngroup)
		return "the clocks of the ranks do not compare; use tracemerge --align collectives";
	return NULL;
}

/* Which names are calls that only wait for the GPU, or match one of the names in `list`. */
bool tm_whatif_nosync(struct whatif_one *w, const struct tm_replay *r, const char *list)
{
	static const char *const usual[] = { "DeviceSynchronize", "StreamSynchronize",
		                             "EventSynchronize", "CtxSynchronize" };
	const struct tm_names *names = &r->rows->names;

	w->set = calloc((size_t)names->n + 1, 1);
	for (uint32_t i = 0; w->set && i < names->n; i++) {
		enum tm_work_api api;
		const char *text = names->v[i].text;

		/* Kernels of other ranks are many, and looked at again for each. */
		if ((!list && !r->does[i]) || !tm_work_is_wait(text, &api))
			continue;
		for (size_t k = 0; !list && k < sizeof usual / sizeof *usual; k++)
			w->set[i] |= strstr(text, usual[k]) != NULL;
		for (const char *at = list, *end; at && *at; at = *end ? end + 1 : end) {
			end = at + strcspn(at, ",");
			w->set[i] |= (size_t)(end - at) == names->v[i].len &&
			             !memcmp(at, text, names->v[i].len);
		}
	}
	w->s.nosync = w->set;
	return w->set != NULL;
}

/* ---- the usual ones ---- */

/* A kernel or a class, and how long it ran in all. */
struct share {
	uint32_t id;
	tm_u128 ns;
};

static int by_share(const void *pa, const void *pb, void *arg)
{
	const struct share *a = pa, *b = pb;
	const uint32_t *order = arg;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return order[a->id] > order[b->id] ? 1 : -1;
}

static bool add_factor(struct whatif_list *l, const char *what, const char *name, bool zero,
                       struct tm_replay_scale s)
{
	struct whatif_one *w = tm_whatif_add(l, what);

	if (!w)
		return false;
	tm_buf_str(&w->text, name);
	tm_buf_str(&w->text, zero ? " x 0" : " x 0.5");
	s.factor = zero ? 0 : HALF;
	return tm_whatif_add_scale(w, s) && !w->text.failed;
}

static bool add_classes(struct whatif_list *l, const struct tm_replay *r,
                        const struct tm_classes *c, const tm_u128 *ns, bool sweep)
{
	size_t n = tm_classes_count(c);
	bool *has = calloc(n + 2, sizeof *has), ok = has != NULL;

	for (uint32_t i = 0; ok && i < r->rows->names.n; i++)
		if (ns[i] && r->class_of[i] && r->class_of[i] <= n)
			has[r->class_of[i]] = true;
	for (size_t i = 1; ok && i <= n && i < UINT16_MAX; i++) {
		struct tm_replay_scale s = { .class_of = (uint16_t)i, .name = TM_REPLAY_NONE };

		for (int zero = 0; ok && has[i] && zero <= sweep; zero++)
			ok = add_factor(l, "class ", tm_classes_name(c, i - 1), zero, s);
	}
	free(has);
	return ok;
}

static bool add_kernels(struct whatif_list *l, const struct tm_replay *r, const tm_u128 *ns)
{
	const struct tm_names *names = &r->rows->names;
	struct share *v = malloc(((size_t)names->n + 1) * sizeof *v);
	size_t n = 0;
	bool ok = v != NULL;

	for (uint32_t i = 0; ok && i < names->n; i++)
		if (ns[i])
			v[n++] = (struct share) { i, ns[i] };
	if (ok && n)
		qsort_r(v, n, sizeof *v, by_share, r->order);
	for (size_t i = 0; ok && i < n && i < TOP; i++) {
		struct tm_replay_scale s = { .name = v[i].id };

		ok = add_factor(l, "kernel ", names->v[v[i].id].text, false, s) &&
		     add_factor(l, "kernel ", names->v[v[i].id].text, true, s);
	}
	free(v);
	return ok;
}

bool tm_whatif_usual(struct whatif_list *l, const struct tm_replay *r, const struct tm_classes *c,
                     enum whatif_of of)
{
	const bool sweep = of == WHATIF_SWEEP;
	tm_u128 *ns = calloc((size_t)r->rows->names.n + 1, sizeof *ns);
	struct whatif_one *w;
	bool ok = ns != NULL, host = !tm_whatif_no_host(r), ranks = !tm_whatif_no_ranks(r);

	if (ok)
		tm_replay_kernels(r, ns);
	if (ok && !sweep && host) {
		ok = (w = tm_whatif_add(l, "launches free")) != NULL;
		if (ok)
			w->s.launch = 0;
		ok = ok && (w = tm_whatif_add(l, "no host syncs")) != NULL &&
		     tm_whatif_nosync(w, r, NULL);
		ok = ok && (w = tm_whatif_add(l, "host x 0.5")) != NULL;
		if (ok)
			w->s.host = TM_REPLAY_UNIT / 2;
	}
	if (ok && !sweep && r->counts.ops > r->counts.kernels) {
		ok = (w = tm_whatif_add(l, "copies hidden")) != NULL;
		if (ok)
			w->s.copy = 0;
	}
	if (ok && !sweep && r->counts.comm_ops && (ranks || r->nrank < 2)) {
		ok = (w = tm_whatif_add(l, "collectives x 0.7")) != NULL;
		if (ok)
			w->s.comm = COMM;
	}
	if (ok && !sweep && ranks) {
		ok = (w = tm_whatif_add(l, "ranks balanced")) != NULL;
		if (ok)
			w->s.balance = true;
	}
	ok = ok && add_classes(l, r, c, ns, sweep) && (of != WHATIF_ALL || add_kernels(l, r, ns));
	free(ns);
	return ok;
}
