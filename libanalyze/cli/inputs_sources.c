/* SPDX-License-Identifier: MIT
 * What counts where several files hold the same run.
 *
 * Most inputs show at a look that they do not: then nothing is read for this.  The others are read
 * once for what they hold (runs/seen.h), and it is decided. */
#include "cli/inputs_parts.h"

#include <stdlib.h>
#include <string.h>

/* May this input hold a run that others hold, too? */
static bool contested(const struct inputs *in, size_t i, bool archives)
{
	const struct look *l = &in->look[i];
	bool may = false;

	if (in->v[i].looked) {
		for (size_t j = 0; j < l->norigins && !may; j++)
			may = !in->leave[i][j] && watch_contested(&in->watch, l->origin[j].own_run);
		if (l->norigins || !l->trace)
			return may;
		return watch_contested(&in->watch, in->runs[i]);
	}
	/* An archive, the only input, or a pipe, which can be read again if it is an archive. */
	return archives && (in->v[i].size || (in->v[i].archive && !strcmp(in->v[i].path, "-")));
}

/* The inputs to be read for it, and which they are. */
struct subset {
	struct input *v;
	size_t *number;
	size_t n;
};

static bool make_subset(struct subset *s, const struct inputs *in, bool archives)
{
	s->v = calloc(in->n ? in->n : 1, sizeof *s->v);
	s->number = calloc(in->n ? in->n : 1, sizeof *s->number);
	for (size_t i = 0; s->v && s->number && i < in->n; i++) {
		struct input *v = &s->v[s->n];
		uint64_t given = inputs_given(in, i);

		if (!contested(in, i, archives))
			continue;
		*v = in->v[i];
		v->pick = NULL;
		v->npick = 0;
		v->run = in->runs[i];
		/* Names and traces say the rest. */
		v->rule = given ? RANK_GIVEN : RANK_ORDER;
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

/* The picks of each input, in the order that pick_cmp gives them. */
static bool hand_out(struct inputs *in)
{
	struct sources *s = in->sources;

	for (size_t i = 0; i < in->n; i++) {
		free(in->picks[i]);
		in->picks[i] = NULL;
		in->v[i].pick = NULL;
		in->v[i].npick = 0;
	}
	for (size_t i = 0, end; i < s->n; i = end) {
		struct input *v = &in->v[s->v[i].input];
		struct pick *p;

		for (end = i + 1; end < s->n && s->v[end].input == s->v[i].input;)
			end++;
		p = malloc((end - i) * sizeof *p);
		if (!p)
			return false;
		for (size_t k = i; k < end; k++) {
			p[k - i] = s->v[k].pick;
			/* Members of archives have paths of their own. */
			if (p[k - i].origin != SIZE_MAX || !strcmp(p[k - i].path, v->path))
				p[k - i].path = NULL;
		}
		qsort(p, end - i, sizeof *p, pick_cmp);
		in->picks[s->v[i].input] = p;
		v->pick = p;
		v->npick = end - i;
	}
	return true;
}

/* What will not be read again is told now: an input that is broken is an error, whether it counts
 * or not. */
static void keep_errors(const struct inputs *in, const struct report *first, struct report *rep)
{
	const struct sources *s = in->sources;

	for (size_t i = 0; i < first->n; i++) {
		const struct finding *f = &first->v[i];

		for (size_t k = 0; f->severity == SEV_ERROR && f->where && k < s->n; k++)
			if (s->v[k].pick.leave == PARTS_ALL &&
			    !strcmp(s->v[k].pick.path, f->where)) {
				report_add(rep, SEV_ERROR, f->where, f->line, "%s", f->text);
				break;
			}
	}
}

static bool passes(void *arg, const char *run)
{
	return watch_passes(arg, run);
}

/* All that they hold.  ST_OK, or ST_FATAL when out of memory. */
static enum status see(struct inputs *in, const struct common *c, const struct subset *s,
                       bool archives, struct seens *all, struct report *first)
{
	struct drive d = inputs_drive(in, c, SEEN_WANT);
	struct event_sink sink = seen_sink;

	sink.arg = all->o;
	d.order = NULL;
	d.clock = DRIVE_RECORDED;
	d.watch = &in->watch;
	d.look = true;
	/* Where things lie in an archive has to be known before what they are can be judged. */
	if (archives && !in->watched) {
		struct report rep = { 0 };
		enum status st = drive_run(&d, s->v, s->n, &sink, all, &rep);

		report_fini(&rep);
		if (st != ST_OK)
			return st;
		in->watched = true;
	}
	d.watch = NULL;
	d.look = false;
	return drive_run(&d, s->v, s->n, &sink, all, first);
}

static bool decide(struct inputs *in, const struct common *c, const struct subset *s, bool archives)
{
	const struct seen_opts o = { .passes = passes, .arg = &in->watch };
	struct seens all = { 0 };
	struct report first = { 0 };
	bool ok = seen_sink.init(&all, &o) && see(in, c, s, archives, &all, &first) == ST_OK;

	for (size_t i = 0; ok && i < all.n; i++)
		all.v[i].input = s->number[all.v[i].input];
	sources_fini(in->sources);
	ok = ok && sources_decide(in->sources, &all, &in->watch, &in->told);
	if (in->files) {
		/* Who asks what is in the files is told what others would do with them. */
		for (size_t i = 0; i < in->told.n; i++)
			in->told.v[i].severity = SEV_NOTE;
		sources_fini(in->sources);
	} else if (ok) {
		ok = hand_out(in);
		keep_errors(in, &first, &in->told);
	}
	watch_decided(&in->watch);
	seen_sink.fini(&all);
	report_fini(&first);
	return ok;
}

bool inputs_choose(struct inputs *in, const struct common *c, bool archives)
{
	struct subset s = { 0 };
	bool ok = true;

	if (!in->watch.fresh && !archives) {
		watch_decided(&in->watch);
		return true;
	}
	report_fini(&in->told);
	ok = make_subset(&s, in, archives);
	if (ok && s.n)
		ok = decide(in, c, &s, archives);
	subset_fini(&s);
	return ok;
}

/* What the archives hold is seen only when they are read, and what was read of them is good for
 * nothing if a run turns out to be in them several times. */
static enum status look_first(struct inputs *in, const struct drive *d,
                              const struct event_sink *sink, bool *again)
{
	struct drive look = *d;
	struct report rep = { 0 };
	enum status st;
	void *acc = calloc(1, sink->size);

	*again = false;
	look.look = true;
	look.progress = NULL;
	st = acc && sink->init(acc, sink->arg) ? drive_run(&look, in->v, in->n, sink, acc, &rep)
	                                       : ST_FATAL;
	if (acc && st == ST_OK)
		*again = in->watch.fresh;
	if (acc)
		sink->fini(acc);
	free(acc);
	report_fini(&rep);
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
static bool start_again(const struct event_sink *sink, void *total)
{
	sink->fini(total);
	memset(total, 0, sink->size);
	return sink->init(total, sink->arg);
}

enum status inputs_read(struct inputs *in, const struct common *c, const struct drive *d,
                        const struct event_sink *sink, void *total, struct report *rep)
{
	struct drive watching = *d;
	struct report now = { 0 };
	enum status st = ST_OK;
	bool again = false, look = !in->watched && unseen(in);

	if (look)
		watching.watch = &in->watch;
	/* What a sink has let go of cannot be called back. */
	if (look && sink->held) {
		st = look_first(in, &watching, sink, &again);
		watching.watch = NULL;
	}
	if (st == ST_OK && !again && !in->sources->refused)
		st = drive_run(&watching, in->v, in->n, sink, total, &now);
	if (st == ST_OK && look && in->watch.fresh) {
		report_fini(&now);
		if (d->twice)
			report_fini(d->twice);
		if ((!again && !start_again(sink, total)) || !inputs_choose(in, c, true) ||
		    !inputs_set_ranks(in))
			return ST_FATAL;
		if (!in->sources->refused)
			st = drive_run(d, in->v, in->n, sink, total, &now);
	}
	in->watched = true;
	report_move(rep, &now);
	return st == ST_OK && in->sources->refused ? ST_END : st;
}
