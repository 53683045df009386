/* SPDX-License-Identifier: MIT
 * Which work did the kernels do?  That of the innermost operator around their launch whose work is
 * known.  All its matrix kernels did it together; where it has none, but launched one itself that
 * no rule knows, that one did. */
#include "metric/inside/roofline_match.h"

#include "metric/shares.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what they are ---- */

static bool class_of(const struct match *m, const char *name, struct roofline_launch *l)
{
	const char *class_name = tm_classes_of(m->f->a->o->classes, name, NULL);

	l->matrix = class_name && tm_gemm_counts(class_name, GEMM_MATRIX);
	l->conv = class_name && !strcmp(class_name, "conv");
	l->unknown = class_name && !strcmp(class_name, TM_CLASS_UNKNOWN);
	return class_name != NULL;
}

/* What the name of an operation says; NULL when out of memory. */
static const struct roofline_launch *launch_of(struct match *m, uint32_t id)
{
	struct roofline_launch *l = &m->launch[id];
	const struct tm_name *nm = &m->s->names.v[id];
	char *end;

	if (l->name)
		return l;
	l->has_agent = nm->text[0] == '1';
	l->agent = strtoull(nm->text + 2, &end, 16);
	l->groups = strtoull(end + 1, &end, 16);
	end++;
	tm_buf_clear(&m->text);
	if (!tm_kernel_name(&m->text, end, (size_t)(nm->text + nm->len - end), TM_NAME_FULL) ||
	    !class_of(m, m->text.p ? m->text.p : "", l))
		return NULL;
	id = tm_names_add(&m->f->names, m->text.p ? m->text.p : "", m->text.n);
	if (id == TM_NAME_NONE)
		return NULL;
	l->name = id + 1;
	return l;
}

static uint32_t text_of(struct match *m, const char *text, size_t n)
{
	return tm_names_add(&m->f->names, text, n);
}

/* The work of a label; NULL when out of memory. */
static const struct label_work *work_of(struct match *m, uint32_t id)
{
	const struct tm_stack_label *l = &m->s->label[id];
	struct label_work *w = &m->label[id];
	const struct tm_name *in = l->inputs != TM_NAME_NONE ? &m->s->names.v[l->inputs] : NULL,
	                     *values = l->values != TM_NAME_NONE ? &m->s->names.v[l->values] : NULL;
	const char *op = m->s->names.v[l->name].text;

	if (w->asked)
		return w;
	w->how = TM_OP_OTHER;
	if (l->kind == TM_STACK_OPERATOR &&
	    !tm_op_work(&m->work, op, in ? in->text : NULL, in ? in->len : 0,
	                values ? values->text : NULL, values ? values->len : 0, &w->how))
		return NULL;
	w->asked = true;
	w->op = text_of(m, op, m->s->names.v[l->name].len);
	w->problem = w->type = w->op;
	if (w->how == TM_OP_WORK) {
		w->problem = text_of(m, m->work.problem.p, m->work.problem.n);
		w->type = text_of(m, m->work.type, strlen(m->work.type));
		w->is_product = m->work.is_product;
		w->has_bytes = m->work.has_bytes;
		w->m = m->work.m;
		w->n = m->work.n;
		w->k = m->work.k;
		w->batch = m->work.batch;
		w->flops = m->work.flops;
		w->bytes = m->work.bytes;
	}
	return w->op == TM_NAME_NONE || w->problem == TM_NAME_NONE || w->type == TM_NAME_NONE ? NULL
	                                                                                      : w;
}

/* ---- what is not known ---- */

/* n dispatches that took so long in all. */
static void add_lack(struct match *m, enum roofline_lack why, uint64_t rank, uint32_t launch,
                     uint64_t n, tm_u128 ns)
{
	const uint64_t key[2] = { rank, m->launch[launch].name - 1 };

	if (tm_groups_find(&m->f->counted, key) != TM_GROUP_NONE)
		return;
	m->f->lack[why] += n;
	m->f->lack_ns[why] += ns;
}

void tm_roofline_lack(struct match *m, enum roofline_lack why, uint64_t rank, const struct part *p)
{
	add_lack(m, why, rank, p->launch, 1, p->ns);
}

/* Nothing is known of the operator. */
static enum roofline_lack lack_of(enum tm_stack_how how)
{
	return how == TM_STACK_NO_LAUNCH       ? LACK_LAUNCH
	       : how == TM_STACK_GRAPH_OUTSIDE ? LACK_GRAPH
	                                       : LACK_OUTSIDE;
}

/* The time of an operator that is in no table. */
static bool add_other(struct match *m, uint32_t name, uint64_t ns)
{
	if (!tm_grow_zeroed(&m->other_ns, &m->other_cap, (size_t)name + 1, sizeof *m->other_ns))
		return false;
	m->other_ns[name] += ns;
	return true;
}

/* Its operator is not enough: the innermost that is in the table says why, else the innermost of
 * all. */
static bool lack_work(struct match *m, uint64_t ns, enum roofline_lack *why)
{
	const struct label_work *first = NULL;

	for (size_t i = 0; i < m->place.n; i++) {
		const struct label_work *w = work_of(m, m->place.open[i].label);

		if (!w)
			return false;
		if (m->s->label[m->place.open[i].label].kind != TM_STACK_OPERATOR)
			continue;
		if (w->how == TM_OP_NO_INPUTS || w->how == TM_OP_UNCLEAR) {
			*why = w->how == TM_OP_UNCLEAR ? LACK_VALUES : LACK_INPUTS;
			return true;
		}
		first = first ? first : w;
	}
	*why = first ? LACK_OTHER : LACK_OUTSIDE;
	return !first || add_other(m, first->op, ns);
}

/* ---- GPUs ---- */

uint32_t tm_roofline_gpu(struct roofline_found *f, uint64_t rank, bool has_agent, uint64_t agent)
{
	const struct roofline_own *own = f->a->o->own;
	struct tm_gpu_seen seen = { 0 };
	uint64_t xccs;
	uint32_t i = 0;

	tm_agents_find(&f->a->agents, rank, has_agent ? agent : UINT64_MAX, &seen, &xccs);
	if (own->gpu && !tm_gpu_product(&seen)) {
		seen.name = own->gpu;
		seen.len = strlen(own->gpu);
	}
	while (i < f->ngpu && (f->gpu[i].gfx != seen.gfx || f->gpu[i].cus != seen.cus ||
	                       f->gpu[i].device != seen.device || f->gpu[i].mhz != seen.mhz ||
	                       f->gpu[i].name != seen.name))
		i++;
	if (i == f->ngpu) {
		if (!tm_grow_array(&f->gpu, &f->gpu_cap, f->ngpu + 1, sizeof *f->gpu))
			return UINT32_MAX;
		f->gpu[f->ngpu++] = seen;
	}
	return i;
}

/* ---- one dispatch ---- */

static bool add_part(struct match *m, const struct part *p)
{
	if (!tm_grow_array(&m->part, &m->cap, m->n + 1, sizeof *m->part))
		return false;
	m->part[m->n++] = *p;
	return true;
}

/* Operations with and without External ids of one process are two tracks. */
static bool add_loose(struct match *m, const struct part *p, size_t track, enum roofline_lack why)
{
	const struct tm_stack_track *t = m->s->track;

	while (track && t[track - 1].rank == t[track].rank &&
	       t[track - 1].has_pid == t[track].has_pid && t[track - 1].pid == t[track].pid)
		track--;
	if (!tm_grow_array(&m->loose, &m->loose_cap, m->nloose + 1, sizeof *m->loose))
		return false;
	m->loose[m->nloose++] = (struct loose) { *p, m->rank, track, why };
	return true;
}

/* How long n kernels ran whose counters have no times. */
static bool add_ran(struct match *m, const struct roofline_launch *l, uint64_t n, tm_u128 ns)
{
	struct roofline_found *f = m->f;
	const uint64_t key[2] = { l->name - 1,
		                  tm_roofline_gpu(f, m->rank, l->has_agent, l->agent) };
	uint32_t at = key[1] == UINT32_MAX ? TM_GROUP_NONE
	                                   : tm_groups_item(&f->ran, key, &f->ran_for, &f->ran_cap,
	                                                    sizeof *f->ran_for, NULL);

	if (at == TM_GROUP_NONE)
		return false;
	f->ran_for[at].n += n;
	f->ran_for[at].ns += ns;
	return true;
}

/* The times of counted dispatches that have none are those of the kernel, where it ran as often. */
static void find_times(struct roofline_found *f)
{
	for (uint32_t i = 0; i < f->keys.n; i++) {
		struct roofline_row *row = &f->row[i];
		const uint64_t key[2] = { row->key[ROW_NAME], row->key[ROW_GPU] };
		uint32_t at;

		if (!row->ops || row->key[ROW_KNOWN] & ROOF_KNOWS_TIME)
			continue;
		at = tm_groups_find(&f->ran, key);
		row->no_time = at == TM_GROUP_NONE || f->ran_for[at].n != row->calls;
		if (!row->no_time)
			row->total = f->ran_for[at].ns;
	}
}

/* The frame whose work the dispatch may do; SIZE_MAX = none.  False when out of memory. */
static bool find_work(struct match *m, const struct roofline_launch *l, size_t *at)
{
	*at = SIZE_MAX;
	if (m->place.graph || m->place.how >= TM_STACK_PLACED)
		return true;
	for (size_t k = 0; k < m->place.n; k++) {
		const struct label_work *w = work_of(m, m->place.open[k].label);

		if (!w)
			return false;
		if (w->how == TM_OP_WORK) {
			*at = k;
			return true;
		}
		if (!l->matrix && m->s->label[m->place.open[k].label].kind == TM_STACK_OPERATOR)
			return true;
	}
	return true;
}

static bool place_op(struct match *m, struct tm_stack_rank *r, const struct tm_stack_track *t,
                     size_t i)
{
	struct part p = { .launch = tm_interval_name(&t->op, i),
		          .start = tm_interval_start(&t->op, i),
		          .ns = tm_interval_dur(&t->op, i) };
	const struct roofline_launch *l = launch_of(m, p.launch);

	const struct roofline_own *own = m->f->a->o->own;
	enum roofline_lack why;
	size_t at;

	if (!l)
		return false;
	m->f->kernels++;
	m->f->matrix += l->matrix;
	if (m->f->untimed && !add_ran(m, l, 1, p.ns))
		return false;
	if (!l->matrix && !l->unknown)
		return true;
	if (!tm_stack_find(r, t, i, &m->place) || !find_work(m, l, &at))
		return false;
	if (at != SIZE_MAX) {
		p.thread = m->place.open[at].thread;
		p.frame = m->place.open[at].frame;
		p.label = m->place.open[at].label;
		return add_part(m, &p);
	}
	if (!l->matrix)
		return true;
	if (m->place.graph)
		why = LACK_GRAPH;
	else if (m->place.how >= TM_STACK_PLACED)
		why = lack_of(m->place.how);
	else if (!lack_work(m, p.ns, &why))
		return false;
	if (own->log)
		return add_loose(m, &p, (size_t)(t - m->s->track), why);
	tm_roofline_lack(m, why, m->rank, &p);
	return true;
}

/* Dispatches of a rank without frames. */
static bool place_sum(struct match *m, const struct tm_stack_sum *s)
{
	const struct roofline_launch *l = launch_of(m, s->name);

	if (!l)
		return false;
	m->f->kernels += s->n;
	if (l->matrix) {
		m->f->matrix += s->n;
		add_lack(m, lack_of(s->how), m->rank, s->name, s->n, s->ns);
	}
	return !m->f->untimed || add_ran(m, l, s->n, s->ns);
}

/* ---- operators and their kernels ---- */

/* By operator, then in the order in which they ran. */
static int by_operator(const void *pa, const void *pb, void *arg)
{
	const struct part *a = pa, *b = pb;
	const struct match *m = arg;

	if (a->thread != b->thread)
		return a->thread > b->thread ? 1 : -1;
	if (a->frame != b->frame)
		return a->frame > b->frame ? 1 : -1;
	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	if (a->ns != b->ns)
		return a->ns > b->ns ? 1 : -1;
	return tm_name_cmp(&m->s->names.v[a->launch], &m->s->names.v[b->launch]);
}

bool tm_roofline_row(struct match *m, const struct label_work *w, const struct part *p, size_t n,
                     const bool *counts, const char *source)
{
	uint64_t key[ROW_WORDS] = {
		[ROW_OP] = w->op, [ROW_PROBLEM] = w->problem, [ROW_TYPE] = w->type
	};
	struct roofline_row *row;
	size_t kernels = 0;
	uint32_t last = TM_NAME_NONE;
	tm_u128 total = 0;
	bool fresh;

	tm_buf_clear(&m->text);
	for (size_t i = 0; i < n; i++) {
		const struct roofline_launch *l = &m->launch[p[i].launch];
		const struct tm_name *nm = &m->f->names.v[l->name - 1];

		if (counts && !counts[i])
			continue;
		total += p[i].ns;
		if (!kernels++) {
			key[ROW_GPU] = tm_roofline_gpu(m->f, m->rank, l->has_agent, l->agent);
			key[ROW_GROUPS] = l->groups;
		}
		if (l->name == last)
			continue;
		last = l->name;
		if (m->text.n)
			tm_buf_str(&m->text, " + ");
		tm_buf_add(&m->text, nm->text, nm->len);
	}
	if (kernels > 1)
		key[ROW_GROUPS] = 0;
	key[ROW_NAME] = m->text.failed ? TM_NAME_NONE : text_of(m, m->text.p, m->text.n);
	key[ROW_SOURCE] = text_of(m, source, strlen(source));
	if (key[ROW_NAME] == TM_NAME_NONE || key[ROW_SOURCE] == TM_NAME_NONE ||
	    key[ROW_GPU] == UINT32_MAX)
		return false;
	last = tm_groups_item(&m->f->keys, key, &m->f->row, &m->f->cap, sizeof *m->f->row, &fresh);
	if (last == TM_GROUP_NONE)
		return false;
	row = &m->f->row[last];
	if (fresh)
		*row = (struct roofline_row) { .is_product = w->is_product,
			                       .m = w->m,
			                       .n = w->n,
			                       .k = w->k,
			                       .batch = w->batch };
	row->calls++;
	row->several |= kernels > 1;
	row->total += total;
	row->flops += w->flops;
	row->bytes += w->bytes;
	row->no_bytes |= !w->has_bytes;
	return true;
}

/* The n kernels of one operator. */
static bool put_operator(struct match *m, const struct part *p, size_t n)
{
	bool *counts = n > 1 ? calloc(n, sizeof *counts) : NULL, ok = true;
	size_t matrix = 0;

	if (n == 1)
		return tm_roofline_row(m, &m->label[p->label], p, 1, NULL, "kineto");
	for (size_t i = 0; counts && i < n; i++)
		matrix += counts[i] = m->launch[p[i].launch].matrix;
	if (counts && matrix)
		ok = tm_roofline_row(m, &m->label[p->label], p, n, counts, "kineto");
	else if (counts)
		for (size_t i = 0; i < n; i++)
			tm_roofline_lack(m, LACK_KERNELS, m->rank, &p[i]);
	ok = ok && counts;
	free(counts);
	return ok;
}

static bool put_rank(struct match *m, struct tm_stack_rank *r)
{
	const struct roofline_own *own = m->f->a->o->own;

	m->n = 0;
	m->rank = tm_stack_rank_of(r);
	/* Each of them may be what a line of the log is about. */
	for (size_t i = 0; !own->log && i < r->nsum; i++)
		if (!place_sum(m, &r->sum[i]))
			return false;
	for (size_t t = r->track_from; (own->log || !r->bare) && t < r->track_to; t++)
		for (size_t i = 0; i < m->s->track[t].op.n; i++)
			if (!place_op(m, r, &m->s->track[t], i))
				return false;
	if (m->n)
		qsort_r(m->part, m->n, sizeof *m->part, by_operator, m);
	for (size_t i = 0, k; i < m->n; i = k) {
		for (k = i + 1; k < m->n && m->part[k].thread == m->part[i].thread &&
		                m->part[k].frame == m->part[i].frame;)
			k++;
		if (!put_operator(m, m->part + i, k - i))
			return false;
	}
	return true;
}

static void find_other(struct match *m)
{
	const struct tm_names *names = &m->f->names;

	for (uint32_t i = 0; i < m->other_cap; i++) {
		uint32_t best = m->f->other;

		if (m->other_ns[i] && (!best || m->other_ns[i] > m->other_ns[best - 1] ||
		                       (m->other_ns[i] == m->other_ns[best - 1] &&
		                        tm_name_cmp(&names->v[i], &names->v[best - 1]) < 0)))
			m->f->other = i + 1;
	}
}

bool tm_roofline_find(struct roofline_found *f, struct roofline *a, struct tm_report *rep,
                      struct tm_diag *d)
{
	const struct roofline_own *own = a->o->own;
	struct match m = { .f = f, .s = &a->s };
	size_t thread = 0, track = 0;
	bool done = false, ok = tm_stack_settle(&a->s);

	*f = (struct roofline_found) { .a = a,
		                       .keys = { .words = ROW_WORDS },
		                       .counted = { .words = 2 },
		                       .ran = { .words = 2 } };
	ok = ok && tm_roofline_counted(f, &a->counters, rep);
	m.label = ok ? calloc((size_t)a->s.labels.n + 1, sizeof *m.label) : NULL;
	m.launch = ok ? calloc((size_t)a->s.names.n + 1, sizeof *m.launch) : NULL;
	ok = m.label && m.launch;
	while (ok && !done) {
		struct tm_stack_rank r;

		if (tm_stack_rank_next(&r, &a->s, &thread, &track, &done))
			ok = put_rank(&m, &r);
		else
			ok = done;
		tm_stack_rank_fini(&r);
	}
	if (ok && own->log)
		ok = tm_roofline_log(&m, own->log, d);
	for (uint32_t i = 0; ok && i < f->keys.n; i++)
		f->row[i].key = f->keys.key + (size_t)i * ROW_WORDS;
	if (ok) {
		find_times(f);
		find_other(&m);
	}
	tm_op_work_fini(&m.work);
	tm_buf_fini(&m.text);
	free(m.label);
	free(m.launch);
	free(m.part);
	free(m.loose);
	free(m.other_ns);
	return ok;
}

void tm_roofline_found_fini(struct roofline_found *f)
{
	tm_names_fini(&f->names);
	for (uint32_t i = 0; i < f->keys.n; i++)
		free(f->row[i].ops);
	tm_groups_fini(&f->keys);
	tm_groups_fini(&f->counted);
	tm_groups_fini(&f->ran);
	free(f->ran_for);
	free(f->row);
	free(f->gpu);
	*f = (struct roofline_found) { 0 };
}
