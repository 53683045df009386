/* SPDX-License-Identifier: MIT
 * How the time of each step was used.
 *
 *     compute + wait + move + exposed_comm + exposed_copy + idle = window        exact
 *
 * Unions are over all agents of the rank.  What was launched in a step and runs after its end
 * belongs to the step in which it runs. */
#include "metric/steps/regions.h"
#include "metric/steps/steps.h"

#include <stdlib.h>

void tm_step_rows_fini(struct tm_step_rows *rows)
{
	free(rows->v);
	*rows = (struct tm_step_rows) { 0 };
}

/* What is known before the operations of the rank are put together; of the rows from `first` on. */
static bool count_starts(const struct tm_work_rank *r, const struct tm_work *w,
                         struct tm_step_rows *rows, size_t first)
{
	size_t n = rows->n - first;
	struct tm_extent *at = calloc(n + 1, sizeof *at);
	uint64_t *count = calloc(n + 1, sizeof *count), *unsized = calloc(n + 1, sizeof *unsized);
	bool ok = at && count && unsized;

	for (size_t i = 0; ok && i < n; i++)
		at[i] = rows->v[first + i].step.at;
	if (ok)
		tm_work_rank_kernels(r, at, n, count);
	for (size_t i = 0; ok && r->ntrack && i < n; i++) {
		rows->v[first + i].gpu = true;
		rows->v[first + i].kernels = count[i];
	}
	if (ok && w->keep & TM_WORK_BYTES && tm_work_rank_copied(r, at, n, count, unsized))
		for (size_t i = 0; i < n; i++) {
			rows->v[first + i].sized = !unsized[i];
			rows->v[first + i].copied = count[i];
		}
	free(at);
	free(count);
	free(unsized);
	return ok;
}

/* Calls that launch; the rows from `first` on. */
static bool count_launches(const struct tm_work_rank *r, struct tm_work *w,
                           struct tm_step_rows *rows, size_t first)
{
	size_t n = rows->n - first;
	struct tm_extent *at = calloc(n + 1, sizeof *at);
	uint64_t *count = calloc(n + 1, sizeof *count);
	bool ok = at && count && tm_work_know_calls(w);

	for (size_t i = 0; ok && i < n; i++)
		at[i] = rows->v[first + i].step.at;
	if (ok)
		tm_work_rank_launches(r, w, at, n, count);
	for (size_t i = 0; ok && i < n; i++)
		rows->v[first + i].launches = count[i];
	free(at);
	free(count);
	return ok;
}

static uint64_t common(struct tm_extent a, struct tm_extent b)
{
	const uint64_t lo = a.lo > b.lo ? a.lo : b.lo, hi = a.hi < b.hi ? a.hi : b.hi;

	return hi > lo ? hi - lo : 0;
}

/* The rest. */
static void use_time(struct tm_work_rank *r, const struct tm_work *w, struct tm_step_row *row)
{
	if (row->gpu) {
		row->use = tm_work_rank_use(r, row->step.at);
		row->inside = common(row->step.at, r->window);
	}
	row->calls = r->has_calls;
	if (!row->calls)
		return;
	row->sync = tm_work_rank_waited(r, row->step.at);
	if (row->gpu && w->keep & TM_WORK_BYTES)
		row->sync_idle = tm_work_rank_waited_idle(r, row->step.at);
}

/* The steps of one rank, of one list, from *at on; before its operations are put together. */
static bool begin_rank(struct tm_work_rank *r, struct tm_work *w, const struct tm_steps *s,
                       size_t *at, struct tm_step_rows *rows)
{
	const struct step_own *own = w->o->own;
	size_t first = rows->n, all = 0;

	while (*at + all < s->n && s->v[*at + all].rank == r->rank)
		all++;
	if (!tm_grow_array(&rows->v, &rows->cap, rows->n + all + 1, sizeof *rows->v))
		return false;
	for (uint64_t i = 0; *at < s->n && s->v[*at].rank == r->rank; i++, ++*at) {
		const struct tm_step *one = &s->v[*at];

		if (i < own->skip || one->at.lo < r->asked.lo || one->at.lo >= r->asked.hi)
			continue;
		rows->v[rows->n++] = (struct tm_step_row) { .step = *one };
	}
	return ((!r->ntrack && !r->host_copy) || count_starts(r, w, rows, first)) &&
	       (!(w->keep & TM_WORK_CALL_NAMES) || count_launches(r, w, rows, first));
}

static bool add_rank(struct tm_work_rank *r, struct tm_work *w, const struct tm_steps *s, size_t n,
                     size_t *at, struct tm_step_rows *rows)
{
	bool ok = true;

	for (size_t k = 0; ok && k < n; k++)
		ok = begin_rank(r, w, &s[k], &at[k], &rows[k]);
	if (!ok || !tm_work_rank_unite(r, w))
		return false;
	for (size_t k = 0; k < n; k++) {
		size_t i = rows[k].n;

		while (i && rows[k].v[i - 1].step.rank == r->rank)
			i--;
		for (; i < rows[k].n; i++)
			use_time(r, w, &rows[k].v[i]);
	}
	return true;
}

bool tm_step_rows_measure(struct tm_work *w, const struct tm_steps *s, size_t n,
                          struct tm_step_rows *rows, struct tm_work_rank_notes *notes)
{
	size_t track = 0, thread = 0, *at = calloc(n + 1, sizeof *at);
	struct tm_work_rank r;
	bool ok = at != NULL;

	while (ok && tm_work_rank_next(&r, w, &track, &thread)) {
		ok = add_rank(&r, w, s, n, at, rows);
		tm_work_rank_note(&r, notes);
		tm_work_rank_fini(&r);
	}
	free(at);
	return ok;
}

static enum tm_status add_ranks(struct tm_work *w, const struct tm_steps *s,
                                struct tm_step_rows *rows, struct tm_report *rep)
{
	struct tm_work_rank_notes notes = { 0 };

	if (!tm_step_rows_measure(w, s, 1, rows, &notes))
		return TM_ST_FATAL;
	tm_work_rank_tell(&notes, rep);
	return TM_ST_OK;
}

enum tm_status tm_step_rows_make(struct tm_step_rows *rows, struct tm_work *w,
                                 const struct tm_metric_opts *o, struct tm_report *rep)
{
	const struct step_own *own = o->own;
	struct tm_steps s;
	enum tm_status st;

	*rows = (struct tm_step_rows) { 0 };
	if (!tm_work_settle(w))
		return TM_ST_FATAL;
	st = tm_steps_find(&s, w, rep);
	rows->sequence = s.sequence;
	if (st == TM_ST_OK)
		st = add_ranks(w, &s, rows, rep);
	if (st == TM_ST_OK && !rows->n) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: all %zu steps are skipped by %s", s.n,
		              !o->windowed ? "--skip"
		              : own->skip  ? "--skip and -w"
		                           : "-w");
		st = TM_ST_END;
	}
	tm_steps_fini(&s);
	if (st == TM_ST_OK)
		tm_work_tell(w, rep);
	return st;
}
