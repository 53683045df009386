/* SPDX-License-Identifier: MIT
 * What counts where several files hold the same run.
 *
 * Most inputs show at a look that they do not: then nothing is read for this.  The others are read
 * once for what they hold (runs/seen.h), and it is decided. */
#include "cli/operands/inputs_parts.h"

#include <stdlib.h>
#include <string.h>

/* May this input hold a run that others hold, too? */
static bool is_contested(const struct inputs *in, size_t i)
{
	const struct look *l = &in->look[i];
	bool may = tm_watch_copied(&in->watch, in->v[i].path);

	if (may || !in->v[i].looked)
		return may;
	for (size_t j = 0; j < l->norigins && !may; j++)
		may = !in->leave[i][j] && tm_watch_contested(&in->watch, l->origin[j].id.own_run);
	if (l->norigins || !l->trace)
		return may;
	return tm_watch_contested(&in->watch, in->runs[i]);
}

/* An archive, the only input, or a pipe, which can be read again if it is an archive. */
static bool is_unseen(const struct inputs *in, size_t i)
{
	return !in->v[i].looked &&
	       (in->v[i].size || (in->v[i].archive && !strcmp(in->v[i].path, "-")));
}

static bool is_contested_or_unseen(const struct inputs *in, size_t i)
{
	return is_contested(in, i) || is_unseen(in, i);
}

/* The inputs to be read for it, and which they are. */
struct subset {
	struct tm_input *v;
	size_t *number;
	size_t n;
};

static bool make_subset(struct subset *s, const struct inputs *in,
                        bool (*belongs)(const struct inputs *in, size_t i))
{
	s->v = calloc(in->n ? in->n : 1, sizeof *s->v);
	s->number = calloc(in->n ? in->n : 1, sizeof *s->number);
	for (size_t i = 0; s->v && s->number && i < in->n; i++) {
		struct tm_input *v = &s->v[s->n];
		uint64_t given = tm_inputs_given(in, i);

		if (!belongs(in, i))
			continue;
		*v = in->v[i];
		v->pick = NULL;
		v->npick = 0;
		v->run = in->runs[i];
		/* Names and traces say the rest. */
		v->rule = given ? TM_RANK_GIVEN : TM_RANK_ORDER;
		v->rank = given ? given - 1 : 0;
		s->number[s->n++] = i;
	}
	return s->v && s->number;
}

static void subset_fini(struct subset *s)
{
	free(s->v);
	free(s->number);
}

/* The picks of each input, in the order that tm_pick_cmp gives them. */
static bool hand_out(struct inputs *in)
{
	struct tm_sources *s = in->sources;

	for (size_t i = 0; i < in->n; i++) {
		free(in->picks[i]);
		in->picks[i] = NULL;
		in->v[i].pick = NULL;
		in->v[i].npick = 0;
	}
	for (size_t i = 0, end; i < s->n; i = end) {
		struct tm_input *v = &in->v[s->v[i].input];
		struct tm_pick *p;

		for (end = i + 1; end < s->n && s->v[end].input == s->v[i].input;)
			end++;
		p = malloc((end - i) * sizeof *p);
		if (!p)
			return false;
		for (size_t k = i; k < end; k++) {
			p[k - i] = s->v[k].pick;
			p[k - i].path = s->v[k].source;
		}
		qsort(p, end - i, sizeof *p, tm_pick_cmp);
		in->picks[s->v[i].input] = p;
		v->pick = p;
		v->npick = end - i;
	}
	return true;
}

/* What will not be read again is told now: an input that is broken is an error, whether it counts
 * or not. */
static void keep_errors(const struct inputs *in, const struct tm_report *first,
                        struct tm_report *rep)
{
	const struct tm_sources *s = in->sources;

	for (size_t i = 0; i < first->n; i++) {
		const struct tm_finding *f = &first->v[i];

		for (size_t k = 0; f->severity == TM_SEV_ERROR && f->where && k < s->n; k++)
			if (s->v[k].pick.leave == TM_PARTS_ALL &&
			    !strcmp(s->v[k].pick.path, f->where)) {
				tm_report_add(rep, TM_SEV_ERROR, f->where, f->line, "%s", f->text);
				break;
			}
	}
}

static bool passes(void *arg, const char *run)
{
	return tm_watch_passes(arg, run);
}

/* Where things lie in the archives, which has to be known before what they are can be judged, and
 * which files are there once more in them.  False when out of memory. */
static bool look_into(struct inputs *in, const struct common *c)
{
	struct tm_drive d = tm_inputs_drive(in, c, TM_SEEN_WANT);
	struct subset s = { 0 };
	struct tm_event_sink sink = tm_seen_sink;
	const struct tm_seen_opts o = { 0 };
	struct tm_seens all = { 0 };
	struct tm_report rep = { 0 };
	bool ok = make_subset(&s, in, is_unseen);

	sink.arg = &o;
	d.order = NULL;
	d.filter = NULL;
	d.watch = &in->watch;
	d.look = true;
	ok = ok && tm_seen_sink.init(&all, &o) &&
	     tm_drive_run(&d, s.v, s.n, &sink, &all, &rep) == TM_ST_OK;
	tm_seen_sink.fini(&all);
	tm_report_fini(&rep);
	subset_fini(&s);
	in->watched = true;
	return ok;
}

/* Is a trace not read for want of memory?  It may be readable the next time, and count twice. */
static bool out_of_memory(const struct tm_report *rep)
{
	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].no_memory)
			return true;
	return false;
}

/* All that they hold.  TM_ST_OK, or TM_ST_FATAL when out of memory. */
static enum tm_status see(struct inputs *in, const struct common *c, const struct subset *s,
                          struct tm_seens *all, struct tm_report *first)
{
	struct tm_drive d = tm_inputs_drive(in, c, TM_SEEN_WANT);
	struct tm_event_sink sink = tm_seen_sink;

	sink.arg = all->o;
	d.order = NULL;
	d.processes = NULL;
	d.filter = NULL;
	d.clock = TM_DRIVE_RECORDED;
	return tm_drive_run(&d, s->v, s->n, &sink, all, first) == TM_ST_OK && !out_of_memory(first)
	               ? TM_ST_OK
	               : TM_ST_FATAL;
}

/* Of each file all counts; which runs there are, and their ranks, is as for other commands. */
static void count_whole(struct tm_sources *s)
{
	s->refused = false;
	for (size_t i = 0; i < s->n; i++) {
		s->v[i].pick.leave = 0;
		s->v[i].pick.untimed = false;
	}
}

static bool decide(struct inputs *in, const struct common *c, const struct subset *s)
{
	const struct tm_seen_opts o = { .passes = passes, .arg = &in->watch };
	struct tm_seens all = { 0 };
	struct tm_report first = { 0 };
	bool ok = tm_seen_sink.init(&all, &o) && see(in, c, s, &all, &first) == TM_ST_OK;

	for (size_t i = 0; ok && i < all.n; i++)
		all.v[i].input = s->number[all.v[i].input];
	tm_sources_fini(in->sources);
	ok = ok && tm_sources_decide(in->sources, &all, &in->watch, &in->told);
	if (in->files) {
		/* Who asks what is in the files is told what others would do with them. */
		for (size_t i = 0; i < in->told.n; i++)
			in->told.v[i].severity = TM_SEV_NOTE;
		count_whole(in->sources);
		ok = ok && hand_out(in);
	} else if (ok) {
		ok = hand_out(in);
		keep_errors(in, &first, &in->told);
	}
	tm_watch_decided(&in->watch);
	tm_seen_sink.fini(&all);
	tm_report_fini(&first);
	return ok;
}

bool tm_inputs_choose(struct inputs *in, const struct common *c, bool archives)
{
	struct subset s = { 0 };
	bool ok = true;

	if (!in->watch.fresh && !archives) {
		tm_watch_decided(&in->watch);
		return true;
	}
	tm_report_fini(&in->told);
	ok = !archives || in->watched || look_into(in, c);
	ok = ok && make_subset(&s, in, archives ? is_contested_or_unseen : is_contested);
	if (ok && s.n)
		ok = decide(in, c, &s);
	subset_fini(&s);
	return ok;
}

/* What the archives hold is seen only when they are read, and what was read of them is good for
 * nothing if a run turns out to be in them several times. */
static enum tm_status look_first(struct inputs *in, const struct tm_drive *d,
                                 const struct tm_event_sink *sink, bool *again)
{
	struct tm_drive look = *d;
	struct tm_report rep = { 0 };
	enum tm_status st;
	void *acc = calloc(1, sink->size);

	*again = false;
	look.look = true;
	look.progress = NULL;
	st = acc && sink->init(acc, sink->arg) ? tm_drive_run(&look, in->v, in->n, sink, acc, &rep)
	                                       : TM_ST_FATAL;
	if (acc && st == TM_ST_OK && !tm_watch_all_seen(&in->watch))
		st = TM_ST_FATAL;
	if (acc && st == TM_ST_OK)
		*again = in->watch.fresh;
	if (acc)
		sink->fini(acc);
	free(acc);
	tm_report_fini(&rep);
	return st;
}

/* Is there anything that nobody has looked at? */
static bool unseen(const struct inputs *in)
{
	for (size_t i = 0; i < in->n; i++)
		if (!in->v[i].looked)
			return true;
	return false;
}

/* Made anew: what it holds is good for nothing. */
static bool start_again(const struct tm_event_sink *sink, void *total)
{
	sink->fini(total);
	memset(total, 0, sink->size);
	return sink->init(total, sink->arg);
}

enum tm_status tm_inputs_read(struct inputs *in, const struct common *c, const struct tm_drive *d,
                              const struct tm_event_sink *sink, void *total, struct tm_report *rep)
{
	struct tm_drive watching = *d;
	struct tm_report now = { 0 };
	enum tm_status st = TM_ST_OK;
	bool again = false, look = !in->watched && unseen(in);

	if (in->replaced)
		return TM_ST_END;
	if (look)
		watching.watch = &in->watch;
	/* What a sink has let go of cannot be called back. */
	if (look && sink->held) {
		st = look_first(in, &watching, sink, &again);
		watching.watch = NULL;
	}
	if (st == TM_ST_OK && !again && !in->sources->refused)
		st = tm_drive_run(&watching, in->v, in->n, sink, total, &now);
	if (st == TM_ST_OK && look && !tm_watch_all_seen(&in->watch))
		st = TM_ST_FATAL;
	if (st == TM_ST_OK && look && in->watch.fresh) {
		tm_report_fini(&now);
		if (d->twice)
			tm_report_fini(d->twice);
		tm_processes_clear(in->processes);
		if ((!again && !start_again(sink, total)) || !tm_inputs_choose(in, c, true) ||
		    !tm_inputs_set_ranks(in))
			return TM_ST_FATAL;
		if (!in->sources->refused)
			st = tm_drive_run(d, in->v, in->n, sink, total, &now);
	}
	in->watched = true;
	tm_report_move(rep, &now);
	if (st != TM_ST_OK)
		return st;
	if (in->sources->refused)
		return TM_ST_END;
	/* Who asks what is in the files is told all of it. */
	if (in->files)
		return TM_ST_OK;
	if (tm_processes_tell(in->processes, d, in->v, in->n, rep))
		return start_again(sink, total) ? TM_ST_END : TM_ST_FATAL;
	return rep->lost ? TM_ST_FATAL : TM_ST_OK;
}
