/* SPDX-License-Identifier: MIT */
#include "stream/skipped.h"
#include "stream/tasks.h"
#include "stream/timeless.h"
#include "stream/twice.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A file that is read in ranges: opened once, by the first worker that needs it. */
struct shared {
	pthread_mutex_t lock;
	struct tm_source *src;
	struct tm_reader *reader; /* bound to the header, never read */
	int fd;
	bool tried, split; /* split = ranges work; otherwise the first task reads it all */
	uint64_t stop;     /* merged so far: where reading stopped, lines, what was lost */
	uint64_t lines;
	struct tm_loss loss;
	struct tm_diag why;
	bool failed;
};

struct run {
	const struct tm_drive *d;
	struct tm_input *in;
	const struct tm_event_sink *sink;
	void *total;
	struct tm_report *rep;
	struct tm_task *task;
	size_t ntask;
	struct shared *shared; /* of each input */
	uint64_t bytes;        /* of all inputs, for progress */

	pthread_mutex_t lock;
	pthread_cond_t turn_came;
	size_t next, turn;
	struct tm_twice twice;
	struct tm_timeless timeless;
	struct tm_only_count filtered;
	uint64_t done;
	atomic_bool oom;
	atomic_bool stop; /* d->watch has something fresh */
};

/* What a worker made of its task. */
struct outcome {
	void *acc;
	struct tm_report rep;
	struct tm_only_count filtered;
	struct tm_process_notes pids;
	struct tm_skipped_other other; /* the first input of another tool */
	uint64_t traces;
	bool range; /* it was a range of a shared file */
	bool stale; /* ... that began at a wrong guess: given up, merge_range reads it again */
	uint64_t begin, stop, lines;
	struct tm_loss loss;
	struct tm_diag why;
	bool failed; /* the range could not be read to its end: why */
	bool oom;
};

static void tell_progress(struct run *run, uint64_t bytes)
{
	if (!run->d->progress || !bytes)
		return;
	pthread_mutex_lock(&run->lock);
	run->done += bytes;
	run->d->progress(run->d->progress_arg, run->done, run->bytes);
	pthread_mutex_unlock(&run->lock);
}

/* Merge what a sink holds, if it is this task's turn or it holds too much to go on before.
 * TM_ST_OK; TM_ST_END when the range began at a wrong guess; TM_ST_NOMEM when out of memory. */
static enum tm_status hand_over(struct run *run, const struct tm_task *t, struct outcome *o)
{
	size_t held = run->sink->held ? run->sink->held(o->acc) : 0;
	size_t turn = (size_t)(t - run->task);
	bool mine;

	if (held < TM_DRIVE_PART)
		return TM_ST_OK;
	pthread_mutex_lock(&run->lock);
	while (held >= TM_DRIVE_HELD && run->turn != turn && !run->oom)
		pthread_cond_wait(&run->turn_came, &run->lock);
	mine = run->turn == turn;
	pthread_mutex_unlock(&run->lock);
	if (!mine)
		return run->oom ? TM_ST_NOMEM : TM_ST_OK;
	if (o->range && o->begin != run->shared[t->input].stop) {
		o->stale = true;
		return TM_ST_END;
	}
	return run->sink->merge(run->total, o->acc) ? TM_ST_OK : TM_ST_NOMEM;
}

/* What rows have to pass, or NULL. */
static const struct tm_only *filter_of(const struct tm_drive *d)
{
	return d->filter_ranks ? NULL : d->filter;
}

static bool end_piece(struct run *run, void *acc, const struct tm_piece *p, const struct tm_loss *l,
                      const struct tm_diag *why)
{
	return !run->sink->done || run->sink->done(acc, p, l, why);
}

/* What a reader knows of its trace by now. */
static void tell_facts(struct tm_piece *p, const struct tm_reader *r, const struct tm_input *in)
{
	p->id.producer = r->producer;
	p->id.clock = r->clock;
	p->id.host = r->host ? r->host : in->host;
	p->id.realtime = r->realtime;
	p->unused = &r->unused;
	tm_pick_clock(p);
}

/* A reader at work. */
struct pump {
	struct run *run;
	const struct tm_task *task;
	const struct tm_input *in;
	struct tm_reader *r;
	struct tm_source *src; /* NULL = a range */
	struct outcome *o;
	struct tm_piece *piece;
	size_t entered;                /* origins so far; the last of them is open, as ... */
	struct tm_piece of_origin;     /* ... this piece */
	char *origin_run;              /* its own_run, if it is of a picture */
	unsigned kinds;                /* of the events of the piece so far, */
	uint64_t timeless;             /* and calls of a log without times */
	bool refused;                  /* the origin at hand is of a rank that is not asked for */
	bool told;                     /* an origin has what is unused of the whole input */
	struct tm_sieve sieve, recast; /* for what does not count, or is told in another way, */
	struct tm_only_rows kept;      /* and for what is not asked for */
};

/* What was chosen of an origin. */
static const struct tm_pick *origin_pick(const struct pump *p, size_t origin)
{
	return tm_pick_of(p->in, origin, p->piece->inside ? p->piece->source : NULL);
}

/* The piece that a batch is of. */
static const struct tm_piece *at_hand(const struct pump *p)
{
	return p->r->norigins ? &p->of_origin : p->piece;
}

static bool left_out(const struct pump *p, size_t origin)
{
	return (p->in->leave && origin < p->in->nleave && p->in->leave[origin]) ||
	       tm_pick_nothing(origin_pick(p, origin));
}

/* Is a trace of that rank read?  It is counted. */
static bool rank_kept(const struct run *run, struct outcome *o, uint64_t rank)
{
	bool kept = tm_only_rank(run->d->filter, rank);

	o->filtered.traces++;
	o->filtered.ranks += kept;
	return kept;
}

/* A trace that nobody has looked at before: what its bytes say or, once it is open, its reader.
 * False when out of memory. */
static bool watched(struct run *run, const struct tm_watched *t, const struct tm_reader *r)
{
	struct tm_watch *w = run->d->watch;
	bool ok;

	if (!w)
		return true;
	pthread_mutex_lock(&run->lock);
	ok = r ? tm_watch_processes(w, t->path, &r->names, r->guid, r->nguids) : tm_watch_add(w, t);
	if (w->fresh && !run->d->look)
		run->stop = true;
	pthread_mutex_unlock(&run->lock);
	return ok;
}

/* The piece is at its end: what it held. */
static bool note_kinds(struct pump *p, const struct tm_piece *piece)
{
	bool ok;

	pthread_mutex_lock(&p->run->lock);
	ok = tm_twice_note(&p->run->twice, piece, p->kinds) &&
	     tm_timeless_add(&p->run->timeless, piece, p->timeless);
	pthread_mutex_unlock(&p->run->lock);
	p->kinds = 0;
	p->timeless = 0;
	return ok;
}

/* What an origin lost, for who looks at these columns: the files themselves tell of counters to
 * nobody else. */
static struct tm_loss loss_for(const struct tm_origin *o, tm_ev_set want)
{
	struct tm_loss l = o->loss;

	if (!(want & TM_EV_BIT(TM_EVC_VALUE)))
		l.of[TM_LOSS_COUNTERS] = l.of[TM_LOSS_VALUES] = l.of[TM_LOSS_COUNTER_VALUES] =
		        (struct tm_lost) { 0 };
	return l;
}

/* Close the origin that is open. */
static bool end_origin(struct pump *p)
{
	const struct tm_origin *o = p->entered ? &p->r->origins[p->entered - 1] : NULL;
	struct tm_loss loss;
	struct tm_diag why;

	if (!o || p->refused || left_out(p, p->entered - 1))
		return true;
	if (!note_kinds(p, &p->of_origin))
		return false;
	loss = loss_for(o, p->run->d->want);
	tm_report_loss(&p->o->rep, o->id.path, &loss);
	if (o->problem) {
		tm_diag_set(&why, 0, "%s", o->problem);
		tm_report_add(&p->o->rep, TM_SEV_ERROR, o->id.path, 0, "%s", o->problem);
	} else {
		tm_skipped_empty(&p->o->rep, o->id.path, o->id.table, &loss);
	}
	return end_piece(p->run, p->o->acc, &p->of_origin, &loss, o->problem ? &why : NULL);
}

static tm_ev_set wanted(const struct tm_drive *d)
{
	return tm_only_want(filter_of(d), d->want);
}

/* A piece begins. */
static bool begin_piece(struct pump *p, struct tm_piece *piece)
{
	const struct tm_drive *d = p->run->d;

	piece->processes = wanted(d) & TM_EV_BIT(TM_EVC_PID) && !d->look ? d->processes : NULL;
	if (piece->processes && !tm_processes_run(piece->processes, piece->id.rank, piece->id.run,
	                                          piece->id.rule == TM_RANK_GIVEN, &piece->process))
		return false;
	return p->run->sink->piece(p->o->acc, piece);
}

/* Open the next origin. */
static bool next_origin(struct pump *p)
{
	const struct tm_drive *d = p->run->d;
	const struct tm_origin *o = &p->r->origins[p->entered++];
	struct tm_piece *piece = &p->of_origin;
	const struct tm_pick *pick = origin_pick(p, p->entered - 1);

	p->refused = false;
	if (left_out(p, p->entered - 1))
		return true;
	*piece = *p->piece;
	piece->id = o->id;
	if (o->drawn)
		piece->id.own_run = tm_run_of_rank(&p->origin_run, p->piece->id.own_run,
		                                   o->id.rank);
	else if (!piece->id.own_run)
		piece->id.own_run = o->id.run;
	piece->unused = p->told ? NULL : piece->unused;
	p->told = true;
	piece->origin = o;
	piece->lost = &o->loss;
	piece->nth = p->entered - 1;
	if (pick && pick->anew && piece->id.rule == TM_RANK_TRACE)
		piece->id.rule = TM_RANK_ORDER;
	tm_rank_anew(&piece->id, &p->piece->id, d->ranks, d->order, pick ? pick->run : NULL);
	tm_pick_apply(piece, pick);
	p->refused = !rank_kept(p->run, p->o, piece->id.rank);
	return piece->id.own_run && (p->refused || begin_piece(p, piece));
}

/* Have `want` origins been opened, the last of them still open? */
static bool enter_origins(struct pump *p, size_t want)
{
	while (p->entered < want)
		if (!end_origin(p) || !next_origin(p))
			return false;
	return true;
}

/* Times of an aligned origin onto the common clock, in the arrays of the batch: they are the
 * caller's until the next one. */
static void align(const struct pump *p, uint64_t *const col[TM_EVC_N], uint32_t n, tm_ev_set some)
{
	static const enum tm_ev_col times[] = { TM_EVC_START, TM_EVC_END };
	struct tm_clock_line line = p->r->origin ? p->r->origin->line
	                                         : (struct tm_clock_line) { 0 };
	enum tm_drive_clock clock = p->run->d->clock;

	if (clock == TM_DRIVE_RECORDED || (!line.offset_ns && !line.rate))
		return;
	if (clock == TM_DRIVE_SHIFTED)
		line.rate = 0;
	for (size_t c = 0; c < 2; c++)
		for (uint32_t i = 0; i < n && some & TM_EV_BIT(times[c]); i++)
			col[times[c]][i] = tm_clock_line_at(&line, col[times[c]][i]);
}

/* What counts of *b, as it is to be told; NULL: nothing.  False when out of memory. */
static bool choose(struct pump *p, const struct tm_pick *c, const struct tm_batch **b)
{
	return tm_sieve_batch(&p->sieve, *b, c->leave, c->untimed, b) &&
	       (!*b || tm_recast_batch(&p->recast, &c->recast, *b, b));
}

/* *b without the rows that are not asked for.  False when out of memory. */
static bool filter(struct pump *p, const struct tm_batch **b)
{
	const struct tm_drive *d = p->run->d;

	p->kept.piece = at_hand(p);
	return !filter_of(d) || tm_only_batch(d->filter, &p->kept, *b, b, &p->o->filtered);
}

static void pump_fini(struct pump *p)
{
	tm_sieve_fini(&p->sieve);
	tm_sieve_fini(&p->recast);
	tm_only_rows_fini(&p->kept);
}

/* May all that there is, one input, be given as one?  Not where a part is left out, or counts as
 * another rank. */
static bool is_whole(const struct pump *p)
{
	const struct tm_drive *d = p->run->d;

	return d->whole && !p->run->task[p->run->ntask - 1].input && !p->in->archive &&
	       !p->in->leave && !p->in->npick && !d->filter && !(d->ranks && d->ranks->set);
}

/* All batches of a reader into the accumulator.  TM_ST_NOMEM when out of memory, as opposed to
 * TM_ST_FATAL, a broken input. */
static enum tm_status pump(struct pump *p, struct tm_diag *why)
{
	const struct tm_event_sink *sink = p->run->sink;
	struct tm_reader *r = p->r;
	const struct tm_batch *b;
	const struct tm_pick *c = p->piece->pick;
	uint64_t told = r->stop;
	enum tm_status st, over;

	if (!r->norigins && !begin_piece(p, p->piece))
		return TM_ST_NOMEM;
	r->whole = is_whole(p);
	p->o->pids.one = !p->run->task[p->run->ntask - 1].input && !p->in->archive && !r->norigins;
	while ((st = tm_reader_next(r, &b, why)) == TM_ST_OK) {
		uint64_t at = p->src ? tm_source_taken(p->src) : r->stop;

		if (at - told > 1 << 20) {
			tell_progress(p->run, at - told);
			told = at;
		}
		if (r->norigins && !enter_origins(p, (size_t)(r->origin - r->origins) + 1))
			return TM_ST_NOMEM;
		if (p->run->stop)
			return TM_ST_END;
		if (r->norigins && (p->refused || left_out(p, p->entered - 1)))
			continue;
		align(p, b->col, b->n, b->some);
		c = r->norigins ? p->of_origin.pick : c;
		if (c && !choose(p, c, &b))
			return TM_ST_NOMEM;
		if (b && (!tm_processes_rows(&p->o->pids, at_hand(p), b) || !filter(p, &b)))
			return TM_ST_NOMEM;
		if (!b)
			continue;
		p->kinds |= tm_twice_kinds(b);
		p->timeless += tm_timeless_calls(at_hand(p), b);
		if (!sink->take(p->o->acc, b))
			return TM_ST_NOMEM;
		over = hand_over(p->run, p->task, p->o);
		if (over != TM_ST_OK)
			return over;
	}
	if (st == TM_ST_END && r->norigins && !enter_origins(p, r->norigins))
		return TM_ST_NOMEM;
	if (!p->entered)
		return note_kinds(p, p->piece) ? st : TM_ST_NOMEM;
	return end_origin(p) ? st : TM_ST_NOMEM;
}

/* The piece that a source is, read by the reader r.  Its run is to be freed.  False when out of
 * memory. */
static bool piece_of_source(struct run *run, const struct tm_task *t, const struct tm_source *src,
                            const struct tm_reader *r, struct tm_piece *p, char **member_run)
{
	const struct tm_input *in = &run->in[t->input];
	const struct tm_drive *d = run->d;
	bool inside = strcmp(tm_source_name(src), in->path) != 0;
	const struct tm_pick *pick = tm_pick_of(in, SIZE_MAX, inside ? tm_source_name(src) : NULL);
	enum tm_rank_rule rule;
	uint64_t rank;

	*p = (struct tm_piece) { .id.path = tm_source_name(src),
		                 .id.rank = in->rank,
		                 .id.rule = in->rule,
		                 .id.bytes = inside ? tm_source_size(src) : in->size,
		                 .id.format = r->ops->name,
		                 .id.table = r->table ? r->table : r->ops->name,
		                 .only = filter_of(d),
		                 .source = tm_source_name(src),
		                 .lost = &r->loss,
		                 .inside = inside,
		                 .input = t->input,
		                 .nth = SIZE_MAX };
	if (in->rule >= TM_RANK_ENVIRONMENT &&
	    tm_rank_of_path(d->ranks, p->id.path, &rank, &rule)) {
		p->id.rank = rank;
		p->id.rule = rule;
	}
	if (r->has_rank && p->id.rule > TM_RANK_TRACE && !(pick && pick->anew)) {
		p->id.rank = r->rank;
		p->id.rule = TM_RANK_TRACE;
	}
	/* Members of an archive are of the run their own name says. */
	*member_run = tm_run_identity(d->here, p->id.path);
	if (!*member_run)
		return false;
	p->id.run = p->id.own_run = *member_run;
	tell_facts(p, r, in);
	tm_pick_apply(p, pick);
	return true;
}

/* A member of an archive that can be read again: which others is it to be compared with?  Its bytes
 * are seen before it is opened.  False when out of memory. */
static bool watch_member(struct run *run, const struct tm_input *in, struct tm_source *src)
{
	const struct tm_reader_ops *ops = run->d->from;
	struct tm_watched t = { .path = tm_source_name(src) };
	struct tm_diag d = { 0 };
	char *id;
	bool ok;

	if (!run->d->watch || !strcmp(t.path, in->path) ||
	    (!in->size && strcmp(in->path, "-") != 0) ||
	    tm_source_peek(src, &t.p, &t.n, NULL) == TM_ST_FATAL)
		return true;
	if (!ops)
		ops = tm_reader_choose(t.p, t.n, t.n < TM_SOURCE_PEEK, NULL, &d);
	if (!ops)
		return d.status != TM_ST_NOMEM;
	id = tm_run_identity(run->d->here, t.path);
	t.run = id;
	t.format = ops->name;
	t.start = tm_watch_start(t.p, t.n);
	ok = id && watched(run, &t, NULL);
	free(id);
	return ok;
}

/* Read it all, and what there is to say of it. */
static enum tm_status read_piece(struct pump *p, struct tm_piece *piece)
{
	struct run *run = p->run;
	struct outcome *o = p->o;
	struct tm_reader *r = p->r;
	struct tm_diag why = { 0 };
	enum tm_status st;

	if (run->d->look && run->d->origins && r->norigins)
		return enter_origins(p, r->norigins) && end_origin(p) ? TM_ST_OK : TM_ST_NOMEM;
	if (run->d->look || run->stop)
		return TM_ST_OK;
	st = pump(p, &why);
	pump_fini(p);
	tell_facts(piece, r, p->in);
	if (!r->norigins && st != TM_ST_NOMEM) {
		if (!end_piece(run, o->acc, piece, &r->loss, st == TM_ST_FATAL ? &why : NULL))
			st = TM_ST_NOMEM;
		tm_report_loss(&o->rep, piece->id.path, &r->loss);
	}
	if (st == TM_ST_FATAL)
		tm_report_diag(&o->rep, piece->id.path, &why);
	else if (!r->norigins)
		tm_skipped_empty(&o->rep, piece->id.path, piece->id.table, &r->loss);
	return st;
}

static void read_plain(struct run *run, const struct tm_task *t, struct tm_source *src,
                       bool optional, struct outcome *o)
{
	const struct tm_input *in = &run->in[t->input];
	const struct tm_drive *d = run->d;
	const char *path = tm_source_name(src);
	tm_ev_set more = in->npick ? TM_PART_WANT : 0;
	bool unknown = false;
	struct tm_diag why = { 0 };
	struct tm_piece piece;
	struct pump p = { .run = run, .task = t, .in = in, .src = src, .o = o, .piece = &piece };
	char *member_run = NULL;

	/* What counts elsewhere is not opened. */
	if (tm_pick_nothing(tm_pick_of(in, SIZE_MAX, path)) ||
	    tm_pick_nothing(tm_pick_of(in, SIZE_MAX, NULL))) {
		o->traces++;
		return;
	}
	if (!watch_member(run, in, src)) {
		o->oom = true;
		return;
	}
	if (run->stop)
		return;
	p.r = tm_reader_open(src, d->from, wanted(d) | more, &unknown, &why);
	if (!p.r) {
		if (!unknown || !optional)
			tm_report_diag(&o->rep, path, &why);
		else
			tm_skipped_tell(src, d->verbose, in->archive ? &o->other : NULL, &o->rep);
		return;
	}
	o->traces++;
	if (!watched(run, &(struct tm_watched) { .path = path }, p.r) ||
	    !piece_of_source(run, t, src, p.r, &piece, &member_run))
		o->oom = true;
	else if (p.r->norigins || rank_kept(run, o, piece.id.rank))
		o->oom |= read_piece(&p, &piece) == TM_ST_NOMEM;
	tm_reader_close(p.r);
	free(member_run);
	free(p.origin_run);
}

/* A source and, if it is an archive, all that is in it. */
static void read_source(struct run *run, const struct tm_task *t, struct tm_source *src,
                        bool optional, struct outcome *o)
{
	struct tm_input *in = &run->in[t->input];
	struct tm_source *member;
	struct tm_diag why = { 0 };
	uint64_t before = o->traces, files = 0;
	enum tm_status st;

	if (!tm_source_is_archive(src)) {
		read_plain(run, t, src, optional, o);
		return;
	}
	in->archive = true;
	while ((st = tm_source_member(src, &member, &why)) == TM_ST_OK || st == TM_ST_SKIP) {
		files++;
		if (st == TM_ST_SKIP) {
			tm_report_diag(&o->rep, tm_source_name(src), &why);
			continue;
		}
		read_source(run, t, member, true, o);
		tm_source_close(member);
		if (o->oom || run->stop)
			return;
	}
	if (st == TM_ST_FATAL)
		tm_report_diag(&o->rep, tm_source_name(src), &why);
	else if (o->traces == before && !optional)
		tm_skipped_archive(tm_source_name(src), files, &o->other, &o->rep);
}

static void read_whole(struct run *run, const struct tm_task *t, struct outcome *o)
{
	const struct tm_input *in = &run->in[t->input];
	struct tm_diag why = { 0 };
	struct tm_source *src;

	if (run->d->look && !in->size && strcmp(in->path, "-") != 0)
		return;
	src = tm_source_open_head(in->path, in->head, &why);
	if (!src) {
		tm_report_diag(&o->rep, in->path, &why);
		return;
	}
	/* What comes through a pipe is there once, unless it is an archive. */
	if (!run->d->look || in->size || tm_source_is_archive(src))
		read_source(run, t, src, in->optional, o);
	tm_source_close(src);
}

/* Open a shared file if that has not been tried; true when ranges of it can be read. */
static bool shared_open(struct run *run, const struct tm_task *t)
{
	struct shared *s = &run->shared[t->input];
	uint64_t size;
	bool split;

	pthread_mutex_lock(&s->lock);
	if (!s->tried) {
		s->tried = true;
		s->src = tm_source_open_head(run->in[t->input].path, run->in[t->input].head, NULL);
		if (s->src && tm_source_regular(s->src, &s->fd, &size))
			s->reader = tm_reader_open(
			        s->src, run->d->from,
			        wanted(run->d) | (run->in[t->input].npick ? TM_PART_WANT : 0), NULL,
			        NULL);
		s->split = s->reader && tm_reader_can_split(s->reader) &&
		           (run->sink->mixed || !s->reader->ops->mixed);
		if (s->split) {
			s->stop = s->reader->begin;
			s->reader->pairs = t->pairs;
		}
	}
	split = s->split;
	pthread_mutex_unlock(&s->lock);
	return split;
}

/* The piece that a range of a shared file is. */
static struct tm_piece piece_of(const struct run *run, const struct tm_task *t)
{
	const struct tm_input *in = &run->in[t->input];
	const struct tm_reader *r = run->shared[t->input].reader;
	struct tm_piece p = { .id.path = in->path,
		              .source = in->path,
		              .id.run = in->run,
		              .id.own_run = in->own_run,
		              .id.rank = in->rank,
		              .id.rule = in->rule,
		              .id.format = r->ops->name,
		              .id.table = r->table,
		              .id.producer = r->producer,
		              .id.clock = r->clock,
		              .id.host = r->host ? r->host : in->host,
		              .id.realtime = r->realtime,
		              .unused = &r->unused,
		              .id.bytes = in->size,
		              .only = filter_of(run->d),
		              .input = t->input,
		              .nth = SIZE_MAX,
		              .more = !t->first };

	tm_pick_apply(&p, tm_pick_of(in, SIZE_MAX, NULL));
	return p;
}

/* One range into a fresh accumulator; `exact` as in tm_reader_split. */
static void read_range(struct run *run, const struct tm_task *t, uint64_t begin, bool exact,
                       struct outcome *o)
{
	struct shared *s = &run->shared[t->input];
	struct tm_piece p = piece_of(run, t);
	struct pump pumping = {
		.run = run, .task = t, .in = &run->in[t->input], .o = o, .piece = &p
	};
	struct tm_reader *r = tm_reader_split(s->reader, s->fd, begin, t->end, exact, &o->why);
	enum tm_status st;

	o->range = true;
	if (!r) {
		o->oom = true;
		return;
	}
	o->begin = r->begin;
	pumping.r = r;
	st = pump(&pumping, &o->why);
	pump_fini(&pumping);
	o->oom |= st == TM_ST_NOMEM;
	o->failed = st == TM_ST_FATAL;
	o->stop = r->stop;
	o->lines = r->lines;
	o->loss = r->loss;
	tm_reader_close(r);
}

/* The same from where the range before it stopped, which has been merged. */
static void resume_range(struct run *run, const struct tm_task *t, struct outcome *o)
{
	uint64_t from = run->shared[t->input].stop;

	o->range = true;
	o->begin = o->stop = from;
	if (from < t->end)
		read_range(run, t, from, true, o);
}

static bool outcome_init(struct run *run, struct outcome *o)
{
	*o = (struct outcome) { .acc = calloc(1, run->sink->size) };
	if (o->acc && run->sink->init(o->acc, run->sink->arg))
		return true;
	free(o->acc);
	o->acc = NULL;
	return false;
}

static void outcome_fini(struct run *run, struct outcome *o)
{
	if (o->acc) {
		run->sink->fini(o->acc);
		free(o->acc);
	}
	tm_process_notes_fini(&o->pids);
	tm_report_fini(&o->rep);
}

/* It is this task's turn: merge a range into the total.  A range that was guessed wrong is read
 * again from where the one before it stopped. */
static void merge_range(struct run *run, const struct tm_task *t, struct outcome *o)
{
	struct shared *s = &run->shared[t->input];
	struct tm_input *in = &run->in[t->input];

	if (o->begin != s->stop && !o->oom) {
		outcome_fini(run, o);
		if (!outcome_init(run, o)) {
			run->oom = true;
			return;
		}
		resume_range(run, t, o);
	}
	if (o->oom || !run->sink->merge(run->total, o->acc)) {
		run->oom = true;
		return;
	}
	if (o->failed && o->why.line && !t->first)
		o->why.line += s->lines;
	tm_loss_add(&s->loss, &o->loss, t->first ? 0 : s->lines);
	s->lines = t->first ? o->lines : s->lines + o->lines;
	s->stop = o->stop;
	if (o->failed && !s->failed) {
		s->failed = true;
		s->why = o->why;
	}
	if (!t->last)
		return;
	if (!tm_reader_joined(s->reader, &s->loss)) {
		run->oom = true;
		return;
	}
	if (run->sink->done) {
		struct tm_piece p = piece_of(run, t);

		if (!run->sink->done(run->total, &p, &s->loss, s->failed ? &s->why : NULL))
			run->oom = true;
	}
	in->traces = 1;
	tm_report_loss(run->rep, in->path, &s->loss);
	if (s->failed)
		tm_report_diag(run->rep, in->path, &s->why);
	else
		tm_skipped_empty(run->rep, in->path, s->reader->table, &s->loss);
}

static void shared_close(struct shared *s)
{
	tm_reader_close(s->reader);
	tm_source_close(s->src);
	s->reader = NULL;
	s->src = NULL;
}

/* In order of the tasks. */
static void merge(struct run *run, const struct tm_task *t, struct outcome *o)
{
	if (o->range) {
		merge_range(run, t, o);
	} else if (o->acc) {
		run->in[t->input].traces += o->traces;
		tm_report_move(run->rep, &o->rep);
		if (o->oom || !run->sink->merge(run->total, o->acc))
			run->oom = true;
	}
	if (!tm_processes_take(run->d->processes, &o->pids))
		run->oom = true;
	tm_only_count_add(&run->filtered, &o->filtered);
	if (t->range && t->last)
		shared_close(&run->shared[t->input]);
}

static void perform(struct run *run, const struct tm_task *t, struct outcome *o)
{
	if (!outcome_init(run, o)) {
		o->oom = true;
		return;
	}
	if (!t->range) {
		read_whole(run, t, o);
		return;
	}
	if (!shared_open(run, t)) {
		if (t->first)
			read_whole(run, t, o);
		return;
	}
	if (!tm_only_rank(run->d->filter, piece_of(run, t).id.rank)) {
		o->traces = t->first;
		o->filtered.traces++;
		return;
	}
	o->filtered.traces++;
	o->filtered.ranks++;
	if (t->in_turn)
		resume_range(run, t, o);
	else
		read_range(run, t, t->first ? run->shared[t->input].reader->begin : t->begin,
		           t->first, o);
}

/* The next task, when it can be begun; SIZE_MAX = there is none.  The lock is held. */
static size_t next_task(struct run *run)
{
	while (run->next < run->ntask && !run->oom && !run->stop) {
		if (!run->task[run->next].in_turn || run->turn == run->next)
			return run->next++;
		pthread_cond_wait(&run->turn_came, &run->lock);
	}
	return SIZE_MAX;
}

static void *worker(void *arg)
{
	struct run *run = arg;
	size_t i;

	pthread_mutex_lock(&run->lock);
	while ((i = next_task(run)) != SIZE_MAX) {
		struct outcome o;

		pthread_mutex_unlock(&run->lock);
		perform(run, &run->task[i], &o);
		pthread_mutex_lock(&run->lock);
		while (run->turn != i)
			pthread_cond_wait(&run->turn_came, &run->lock);
		pthread_mutex_unlock(&run->lock);
		/* Only the one whose turn it is gets here: no lock is needed for the total. */
		if (!o.acc)
			run->oom = true;
		else if (!run->oom)
			merge(run, &run->task[i], &o);
		outcome_fini(run, &o);
		pthread_mutex_lock(&run->lock);
		run->turn++;
		pthread_cond_broadcast(&run->turn_came);
	}
	pthread_mutex_unlock(&run->lock);
	return NULL;
}

/* The caller's thread works too; where no thread can be had it works alone. */
static void work(struct run *run)
{
	unsigned want = run->d->jobs < run->ntask ? run->d->jobs : (unsigned)run->ntask;
	pthread_t *id = calloc(want ? want : 1, sizeof *id);
	unsigned n = 0;

	while (id && n + 1 < want && !pthread_create(&id[n], NULL, worker, run))
		n++;
	worker(run);
	while (n)
		pthread_join(id[--n], NULL);
	free(id);
}

enum tm_status tm_drive_run(const struct tm_drive *d, struct tm_input *in, size_t n,
                            const struct tm_event_sink *sink, void *total, struct tm_report *rep)
{
	struct run run = { .d = d, .in = in, .sink = sink, .total = total, .rep = rep };

	run.shared = calloc(n ? n : 1, sizeof *run.shared);
	run.task = run.shared ? tm_tasks(d, in, n, &run.ntask) : NULL;
	if (!run.task) {
		free(run.shared);
		return TM_ST_FATAL;
	}
	for (size_t i = 0; i < n; i++) {
		in[i].traces = tm_pick_nothing(tm_pick_of(&in[i], SIZE_MAX, NULL));
		run.bytes += in[i].traces ? 0 : in[i].size;
	}
	pthread_mutex_init(&run.lock, NULL);
	pthread_cond_init(&run.turn_came, NULL);
	for (size_t i = 0; i < n; i++)
		pthread_mutex_init(&run.shared[i].lock, NULL);
	work(&run);
	if (!run.stop && !d->look) {
		tm_twice_tell(&run.twice, d->twice ? d->twice : rep);
		tm_timeless_tell(&run.timeless, d->want, rep);
		if (d->filter)
			tm_only_tell(d->filter, &run.filtered, rep);
		if (d->progress && run.bytes)
			d->progress(d->progress_arg, run.bytes, run.bytes);
	}
	tm_twice_fini(&run.twice);
	tm_timeless_fini(&run.timeless);
	for (size_t i = 0; i < n; i++) {
		shared_close(&run.shared[i]);
		pthread_mutex_destroy(&run.shared[i].lock);
	}
	pthread_cond_destroy(&run.turn_came);
	pthread_mutex_destroy(&run.lock);
	free(run.task);
	free(run.shared);
	return run.oom || rep->lost || (d->twice && d->twice->lost) ? TM_ST_FATAL : TM_ST_OK;
}
