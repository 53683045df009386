/* SPDX-License-Identifier: MIT
 * Which rank is each input of? */
#include "cli/operands/inputs_parts.h"

#include <stdlib.h>
#include <string.h>

/* Ranks, while it is decided which numbers are free. */
struct claim {
	size_t input;
	char *run;
	uint64_t place; /* of a database's run, among what was dealt there */
	bool in_db;
	bool gpus; /* a description of them, which has the rank of its run if that has one */
};

struct claims {
	struct claim *v; /* of runs that get a number by order, by input */
	size_t n, cap;
};

static void claims_fini(struct claims *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->v[i].run);
	free(c->v);
}

static bool claim(struct claims *c, const struct claim *one, const char *run)
{
	if (!tm_grow_array(&c->v, &c->cap, c->n + 1, sizeof *c->v))
		return false;
	c->v[c->n] = *one;
	c->v[c->n].run = strdup(run);
	return c->v[c->n].run && ++c->n;
}

/* The ranks of the traces of a database, those that are left out as well: what there was then. */
static bool ranks_then(struct tm_run_ranks *then, const struct look *l)
{
	for (size_t j = 0; j < l->norigins; j++)
		if (l->origin[j].id.rule != TM_RANK_ORDER &&
		    !tm_run_ranks_take(then, "", l->origin[j].id.rank, TM_RANK_GIVEN))
			return false;
	return true;
}

/* What was chosen of a trace of an input: an origin, or (SIZE_MAX) all there is; NULL = everything.
 */
static const struct tm_pick *pick_of(const struct tm_input *v, size_t origin)
{
	const struct tm_pick key = { .origin = origin };

	return v->npick ? bsearch(&key, v->pick, v->npick, sizeof key, tm_pick_cmp) : NULL;
}

/* What counts elsewhere has no rank. */
static bool counts_elsewhere(const struct tm_pick *p)
{
	return p && p->leave == TM_PARTS_ALL;
}

/* A trace of a database: its rank is taken, or is to be dealt anew.  What had one rank there
 * (members of an archive) has one rank again, and a number that was left free there is free again.
 */
static bool claim_origin(struct inputs *in, struct claims *c, size_t i, size_t j,
                         struct tm_run_ranks *then)
{
	const struct tm_origin *o = &in->look[i].origin[j];
	const struct tm_pick *p = pick_of(&in->v[i], j);
	const char *run = p && p->run ? p->run : o->id.run;
	uint64_t rank = o->id.rank;
	const bool anew = p && p->anew;
	enum tm_rank_rule rule = anew ? TM_RANK_ORDER : (enum tm_rank_rule)o->id.rule, found;

	if (in->v[i].rule == TM_RANK_GIVEN)
		return tm_run_ranks_take(&in->order, run, in->v[i].rank, TM_RANK_GIVEN);
	if (in->ranks.set && tm_rank_of_path(&in->ranks, o->id.path, &rank, &found) &&
	    found == TM_RANK_REGEX)
		return tm_run_ranks_take(&in->order, run, rank, TM_RANK_REGEX);
	if (p && p->has_rank && p->rule < rule)
		return tm_run_ranks_take(&in->order, run, p->rank, p->rule);
	if (rule != TM_RANK_ORDER)
		return tm_run_ranks_take(&in->order, run, o->id.rank, rule);
	return claim(c,
	             &(struct claim) { .input = i,
	                               .in_db = true,
	                               .gpus = tm_reader_facts(o->id.format).holds == TM_HOLDS_GPUS,
	                               .place = tm_run_ranks_place(then, o->id.rank) },
	             run);
}

/* A database: its traces that count have or want ranks. */
static bool claim_origins(struct inputs *in, struct claims *c, size_t i)
{
	const struct look *l = &in->look[i];
	struct tm_run_ranks then = { 0 };
	bool ok = ranks_then(&then, l);

	for (size_t j = 0; ok && j < l->norigins; j++)
		if (!in->leave[i][j] && !counts_elsewhere(pick_of(&in->v[i], j)))
			ok = claim_origin(in, c, i, j, &then);
	tm_run_ranks_fini(&then);
	return ok;
}

/* The rank of an input by the rules of stream/rank.h but the last. */
static bool told_rank(const struct inputs *in, size_t i, struct tm_input *v)
{
	const struct look *look = &in->look[i];
	const struct tm_pick *p = pick_of(v, SIZE_MAX);
	uint64_t given = tm_inputs_given(in, i);
	bool told;

	if (given) {
		v->rule = TM_RANK_GIVEN;
		v->rank = given - 1;
		return true;
	}
	told = tm_rank_of_path(&in->ranks, v->path, &v->rank, &v->rule);
	v->rule = told ? v->rule : TM_RANK_ORDER;
	if (look->has_rank && v->rule > TM_RANK_TRACE && !(p && p->anew)) {
		v->rule = TM_RANK_TRACE;
		v->rank = look->rank;
		told = true;
	}
	if (p && p->has_rank && p->rule < v->rule) {
		v->rule = p->rule;
		v->rank = p->rank;
		told = true;
	}
	return tm_inputs_rank_of_twin(in, i, v) || told;
}

/* The run that an input has its rank with: of an archive, that of its members that count, where
 * that is one.  *nothing: none of them counts. */
static const char *run_of(const struct inputs *in, size_t i, const struct tm_pick *p, bool *nothing)
{
	const struct tm_input *v = &in->v[i];
	const char *run = NULL;
	bool members = false;

	*nothing = counts_elsewhere(p);
	if (p)
		return p->run ? p->run : in->runs[i];
	for (size_t k = 0; k < v->npick; k++) {
		const struct tm_pick *m = &v->pick[k];

		members |= m->path != NULL;
		if (!m->path || counts_elsewhere(m))
			continue;
		if (!m->run || (run && strcmp(run, m->run) != 0))
			return in->runs[i];
		run = m->run;
	}
	*nothing = members && !run;
	return run ? run : in->runs[i];
}

/* What is known of the rank of an input by itself. */
static bool find_rank(struct inputs *in, struct claims *claims, size_t i)
{
	struct tm_input *v = &in->v[i];
	const struct tm_pick *p = pick_of(v, SIZE_MAX);
	bool told = told_rank(in, i, v), nothing;

	v->run = run_of(in, i, p, &nothing);
	if (in->look[i].norigins)
		return claim_origins(in, claims, i);
	/* A file that is no trace has no rank. */
	if ((in->n > 1 && !in->look[i].trace) || nothing)
		return true;
	return told ? tm_run_ranks_take(&in->order, v->run, v->rank, v->rule)
	            : claim(claims, &(struct claim) { .input = i, .gpus = in->look[i].gpus },
	                    v->run);
}

/* The run of all of them, where that is one and no database has any of it; else NULL.  Descriptions
 * of GPUs make none beside traces: processes that did nothing leave them, too. */
static const char *run_of_all(const struct claims *c)
{
	const struct claim *first = NULL;

	for (size_t k = 0; k < c->n; k++)
		if (!first || (first->gpus && !c->v[k].gpus))
			first = &c->v[k];
	for (size_t k = 0; k < c->n; k++)
		if (c->v[k].gpus == first->gpus &&
		    (c->v[k].in_db || strcmp(c->v[k].run, first->run) != 0))
			return NULL;
	return first ? first->run : NULL;
}

/* When one run is all there is, and nothing of it tells its rank: that of the process of the job
 * which this one is, as `srun tracemerge` of what each process left.  False when out of memory. */
static bool claim_environment(struct inputs *in, const struct claims *c)
{
	struct tm_launched as;
	const char *run = run_of_all(c);
	bool ok = true;

	if (!run || in->order.ntaken || !tm_launched_here(&as))
		return true;
	for (size_t k = 0; ok && k < c->n; k++) {
		struct tm_input *v = &in->v[c->v[k].input];

		if (c->v[k].in_db || strcmp(c->v[k].run, run) != 0)
			continue;
		v->rank = as.rank;
		v->rule = TM_RANK_ENVIRONMENT;
		v->host = as.host ? getenv(as.host) : NULL;
		ok = tm_run_ranks_take(&in->order, v->run, v->rank, v->rule);
	}
	return ok;
}

/* Numbers for what has none.  False when out of memory. */
static bool deal(struct inputs *in, const struct claims *c, bool gpus)
{
	uint64_t base = 0;
	size_t last = SIZE_MAX; /* input */
	bool ok = true;

	for (size_t k = 0; ok && k < c->n; k++) {
		const struct claim *one = &c->v[k];
		struct tm_input *v = &in->v[one->input], unused;

		if (one->gpus != gpus)
			continue;
		if (one->input != last)
			base = in->order.next;
		last = one->input;
		v = one->in_db ? &unused : v;
		ok = tm_run_ranks_deal(&in->order, one->run, base + one->place, &v->rank, &v->rule);
	}
	return ok;
}

bool tm_inputs_set_ranks(struct inputs *in)
{
	struct claims claims = { 0 };
	bool ok = true;

	tm_run_ranks_fini(&in->order);
	for (size_t i = 0; ok && i < in->n; i++)
		ok = find_rank(in, &claims, i);
	/* A process that left nothing but its description is counted last. */
	ok = ok && claim_environment(in, &claims) && deal(in, &claims, false) &&
	     deal(in, &claims, true);
	claims_fini(&claims);
	return ok;
}
