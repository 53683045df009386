/* SPDX-License-Identifier: MIT
 * Ranges of one pftrace, for threads of their own.
 *
 * What a packet means depends on those before it: texts that were interned, tracks that were
 * described, clocks that were compared, and slices that are open.  rocprofv3 writes all of a trace
 * as one sequence of packets, so sequences cannot be what threads share out.  Instead one scout
 * goes through the file ahead of all: it finds the packets, and takes all that they say beside
 * their events, which is little and cheap to read.  Where a range begins, its reader gets a copy of
 * what the scout knows, and then the bytes of the range, through which the scout has gone.
 *
 * Open slices the scout does not know.  A range begins where one packet ends a slice and the next
 * begins one, which is between two slices in what rocprofv3 writes; the range before it, when it
 * comes to that place, sees whether anything is open there, or waits.  If so it does not end but
 * reads the file to its end, and the ranges after it, which were read from a wrong beginning, come
 * to nothing: the reader of a whole file that it becomes is always right.  So it is after
 * compressed packets, which the scout does not unpack, and where there is so much to copy that
 * ranges would not pay. */
#include "read/pftrace/pftrace_file.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST = 8 * 1024 * 1024,  /* bytes of texts and tracks that are copied for each range */
	REACH = 4 * 1024 * 1024, /* how far after its end a range may go on */
	WINDOWS = 4,             /* that are kept for the next range */
	UNKNOWN = 1,             /* no range begins here: it will be asked for again, exactly */
};

/* What came of a range, for the whole. */
struct part {
	uint64_t began, stopped, launches, launch_at, dispatches;
	bool by[PF_BYS], by_inline, annot_seen[PF_WORDS];
	const char *clock;
	char *host;
	struct tm_realtime realtime;
};

struct pf_ranges {
	pthread_mutex_t scouting; /* it is the scout's, and of the three below: */
	struct tm_reader *scout;  /* made when it is needed */
	uint64_t asked;           /* the last place it was sent to */
	bool stuck;               /* no range begins after it any more */

	pthread_mutex_t lock;     /* of the rest; never taken before the other */
	struct tm_reader *behind; /* with pairs: what was known where a range ended, the last one */
	uint64_t serial;          /* no range begins after this place either */
	struct tm_window spare[WINDOWS];
	size_t nspare;
	struct part *part;
	size_t nparts, cap;
};

struct pf_ranges *tm_pf_ranges_new(void)
{
	struct pf_ranges *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	pthread_mutex_init(&g->scouting, NULL);
	pthread_mutex_init(&g->lock, NULL);
	g->serial = UINT64_MAX;
	return g;
}

void tm_pf_ranges_free(struct pf_ranges *g)
{
	if (!g)
		return;
	tm_reader_close(g->scout);
	tm_reader_close(g->behind);
	while (g->nspare)
		free(g->spare[--g->nspare].p);
	for (size_t i = 0; i < g->nparts; i++)
		free(g->part[i].host);
	free(g->part);
	pthread_mutex_destroy(&g->lock);
	pthread_mutex_destroy(&g->scouting);
	free(g);
}

static struct pftrace *file_of(const struct tm_reader *r)
{
	return r->priv;
}

bool tm_pftrace_splits(const struct tm_reader *r)
{
	/* What nobody takes is gathered by one; ranks follow one another. */
	return !r->norigins && !r->has_rank && !(r->want & TM_UNUSED_WANT);
}

/* ---- where ranges begin ---- */

static bool is_type(const struct pf_packet *k, unsigned char type)
{
	return k->event.n > 1 && k->event.p[0] == WIRE_TAG(9, WIRE_VARINT) && k->event.p[1] == type;
}

bool tm_pf_edge(struct pftrace *t, const struct pf_packet *k)
{
	bool edge;

	if (t->f.at - t->limit > REACH) {
		t->limit = UINT64_MAX;
		return false;
	}
	edge = t->edge == PF_EDGE_END && is_type(k, PF_TYPE_BEGIN);

	t->edge = is_type(k, PF_TYPE_END) ? PF_EDGE_END : PF_EDGE_OTHER;
	return edge;
}

static bool is_stuck(const struct pftrace *t)
{
	return t->bundled || t->f.weight > MOST;
}

bool tm_pf_range_may_end(struct pftrace *t)
{
	bool idle = tm_pf_idle(&t->f);

	if (idle && !is_stuck(t))
		return true;
	t->limit = UINT64_MAX;
	if (!idle) {
		pthread_mutex_lock(&t->ranges->lock);
		if (t->f.at < t->ranges->serial)
			t->ranges->serial = t->f.at;
		pthread_mutex_unlock(&t->ranges->lock);
	}
	return false;
}

/* A reader of a part of the file; `from` = the scout whose knowledge it gets, NULL = it begins
 * with the file.  NULL when out of memory. */
static struct tm_reader *reader_at(const struct tm_reader *r, int fd, const struct pftrace *from,
                                   uint64_t at)
{
	struct tm_reader *c = calloc(1, sizeof *c);
	struct pftrace *t = calloc(1, sizeof *t);

	if (!c || !t) {
		free(c);
		free(t);
		return NULL;
	}
	c->ops = r->ops;
	c->want = r->want;
	c->table = r->table;
	c->pairs = r->pairs;
	c->priv = t;
	t->range = t->f.part = true;
	t->fd = fd;
	t->limit = UINT64_MAX;
	t->ranges = file_of(r)->ranges;
	t->in.base = at;
	t->began = t->stopped = c->begin = c->stop = at;
	if (from ? tm_pf_init_like(&t->f, c, &from->f) : tm_pf_init(&t->f, c))
		return c;
	tm_reader_close(c);
	return NULL;
}

/* Where a packet of the window begins no more: at `to` of the file, or at the end of it. */
static const unsigned char *room(const struct tm_window *w, uint64_t to)
{
	return w->p + (to - w->base < w->end ? (size_t)(to - w->base) : w->end);
}

/* Plain packets say nothing but the time. */
static bool skip_plain(struct pftrace *t, uint64_t to)
{
	struct tm_window *w = &t->in;
	struct pf_plain k;
	struct pf_seq *s;
	uint64_t len, ns;
	bool many;

	while (w->base + w->at < to && w->end - w->at >= PF_HEADER) {
		const unsigned char *p = w->p + w->at, *m;

		if (*p != PF_PACKET_TAG || !(m = wire_varint(p + 1, &len)) ||
		    len > (size_t)(w->p + w->end - m) ||
		    !tm_pf_read_plain(&k, &t->plain, (struct tm_span) { m, (size_t)len }))
			return true;
		w->at = (size_t)(m - w->p) + (size_t)len;
		s = tm_pf_sequence(&t->f, 0, k.seq, &many);
		if (!s && !many)
			return false;
		if (s)
			tm_pf_time(&t->f, s, &k.time, &ns);
		/* Of those that are alike the next ones say as much. */
		if (s && t->plain.known && !tm_pf_time_counts(s, &k.time))
			w->at = (size_t)(tm_pf_skip_alike(&t->plain, w->p + w->at, room(w, to),
			                                  w->p + w->end) -
			                 w->p);
	}
	return true;
}

/* The scout to the first packet from `to` on at which a range may begin or, if `exact`, to the
 * first one.  TM_ST_END when there is none; TM_ST_FATAL when out of memory. */
static enum tm_status go(struct pftrace *t, uint64_t to, bool exact)
{
	t->limit = to;
	t->edge = PF_EDGE_NONE;
	for (;;) {
		struct pf_packet k;
		struct pf_seq *s;
		struct tm_span m;
		enum tm_status st;
		uint64_t ns;
		bool timed;

		if (!skip_plain(t, to))
			return TM_ST_FATAL;
		st = tm_pf_frame(t, &t->in, &m);
		if (st != TM_ST_OK)
			return st;
		if (exact && t->f.at >= to) {
			t->in.at = (size_t)(t->f.at - t->in.base);
			return TM_ST_OK;
		}
		if (!tm_pf_read_packet(&k, m)) {
			t->edge = PF_EDGE_OTHER;
			continue;
		}
		if (t->f.at >= to && tm_pf_edge(t, &k)) {
			t->in.at = (size_t)(t->f.at - t->in.base);
			return is_stuck(t) ? TM_ST_END : TM_ST_OK;
		}
		if (!exact && t->limit == UINT64_MAX)
			return TM_ST_END;
		t->bundled |= k.bundle.p != NULL;
		if (is_stuck(t) && !exact)
			return TM_ST_END;
		if (!tm_pf_take_state(&t->f, &k, &s, &timed, &ns))
			return TM_ST_FATAL;
	}
}

/* ---- ranges ---- */

void tm_pf_range_window(struct pftrace *t)
{
	struct pf_ranges *g = t->ranges;

	if (!t->range || !g || !t->in.p)
		return;
	pthread_mutex_lock(&g->lock);
	if (g->nspare < WINDOWS) {
		g->spare[g->nspare++] = t->in;
		t->in.p = NULL;
	}
	pthread_mutex_unlock(&g->lock);
}

/* What the scout has read and not gone through into a window of its own, and the other, with all
 * that it kept, to *to.  False when out of memory. */
static bool give_window(struct pf_ranges *g, struct pftrace *scout, struct tm_window *to)
{
	struct tm_window *w = &scout->in, mine = { 0 };
	size_t rest = w->end - w->at;

	pthread_mutex_lock(&g->lock);
	if (g->nspare)
		mine = g->spare[--g->nspare];
	pthread_mutex_unlock(&g->lock);
	if (mine.cap < rest || !mine.p) {
		free(mine.p);
		mine.cap = rest;
		mine.p = malloc(rest + WIRE_PAD);
		if (!mine.p)
			return false;
	}
	memcpy(mine.p, w->p + w->at, rest + WIRE_PAD);
	mine.base = w->base + w->at;
	mine.at = 0;
	mine.end = rest;
	mine.eof = w->eof;
	mine.keep = false;
	*to = *w;
	to->at = 0;
	to->keep = false;
	*w = mine;
	return true;
}

/* The scout goes through the range that c is to read, and on to where the next one may begin;
 * what it reads on the way c need not read again.  False when out of memory. */
static bool go_before(struct pf_ranges *g, struct pftrace *c, uint64_t end)
{
	struct pftrace *scout = file_of(g->scout);
	struct tm_window *w = &scout->in;
	enum tm_status st;

	/* Nobody comes after the last one. */
	if (end == UINT64_MAX)
		return true;
	if (w->at) {
		memmove(w->p, w->p + w->at, w->end - w->at + WIRE_PAD);
		w->base += w->at;
		w->end -= w->at;
		w->at = 0;
	}
	w->keep = true;
	st = go(scout, end, false);
	g->stuck |= st != TM_ST_OK;
	return st != TM_ST_FATAL && (!w->p || give_window(g, scout, &c->in));
}

/* Where a reader of ranges has come to. */
static uint64_t place(const struct tm_reader *r)
{
	return file_of(r)->in.base + file_of(r)->in.at;
}

/* A scout: from where the last range ended, if one did before `begin`, and it has not gone on from
 * there; or from the beginning.  False when out of memory. */
static bool have_scout(const struct tm_reader *r, int fd, uint64_t begin)
{
	struct pf_ranges *g = file_of(r)->ranges;
	struct tm_reader *fresh = NULL;
	bool ok = true;

	pthread_mutex_lock(&g->lock);
	if (g->behind && place(g->behind) <= begin &&
	    (!g->scout || place(g->scout) < place(g->behind))) {
		fresh = reader_at(r, fd, file_of(g->behind), place(g->behind));
		ok = fresh != NULL;
	}
	pthread_mutex_unlock(&g->lock);
	if (ok && !fresh && !g->scout)
		ok = (fresh = reader_at(r, fd, NULL, r->begin)) != NULL;
	if (fresh) {
		tm_reader_close(g->scout);
		g->scout = fresh;
	}
	return ok;
}

/* The scout to where a range begins that is said to begin at `begin`: *at, UINT64_MAX = nowhere.
 * False when out of memory. */
static bool send_scout(const struct tm_reader *r, int fd, uint64_t begin, uint64_t *at)
{
	struct pf_ranges *g = file_of(r)->ranges;
	enum tm_status st = TM_ST_OK;

	*at = UNKNOWN;
	if (begin < g->asked)
		return true;
	if (!have_scout(r, fd, begin))
		return false;
	pthread_mutex_lock(&g->lock);
	g->stuck |= begin > g->serial;
	pthread_mutex_unlock(&g->lock);
	/* The range before it took it there, unless it was left out. */
	if (begin > g->asked && !g->stuck)
		st = go(file_of(g->scout), begin, false);
	g->stuck |= st != TM_ST_OK;
	*at = g->stuck ? UINT64_MAX : place(g->scout);
	return st != TM_ST_FATAL;
}

/* A range that begins at a guess, or with the file.  Of pairs each reads for itself, and after the
 * second one nobody needs the scout.  NULL when out of memory. */
static struct tm_reader *range_about(const struct tm_reader *r, int fd, uint64_t begin,
                                     uint64_t end)
{
	struct pf_ranges *g = file_of(r)->ranges;
	struct tm_reader *c = NULL;
	const uint64_t sent = r->pairs ? begin : end;
	bool ok = false;
	uint64_t at;

	pthread_mutex_lock(&g->scouting);
	if (send_scout(r, fd, begin, &at)) {
		bool known = at != UNKNOWN && at != UINT64_MAX;

		c = reader_at(r, fd, known ? file_of(g->scout) : NULL, at);
		if (c && !known)
			file_of(c)->done = true;
		g->asked = begin < g->asked ? g->asked : sent;
		ok = c && (!known || r->pairs || go_before(g, file_of(c), end));
	}
	pthread_mutex_unlock(&g->scouting);
	if (!ok)
		tm_reader_close(c);
	return ok ? c : NULL;
}

/* One that begins at that very packet, which was found by the range before: what that one knew or,
 * if it has not said, a scout of its own, from the beginning of the file. */
static struct tm_reader *range_at(const struct tm_reader *r, int fd, uint64_t begin)
{
	struct pf_ranges *g = file_of(r)->ranges;
	struct tm_reader *scout, *c = NULL;
	enum tm_status st = TM_ST_OK;
	bool known;

	pthread_mutex_lock(&g->lock);
	known = g->behind && place(g->behind) == begin;
	if (known)
		c = reader_at(r, fd, file_of(g->behind), begin);
	pthread_mutex_unlock(&g->lock);
	if (known)
		return c;
	scout = reader_at(r, fd, NULL, r->begin);
	if (scout)
		st = go(file_of(scout), begin, true);
	if (scout && st != TM_ST_FATAL)
		c = reader_at(r, fd, file_of(scout), begin);
	tm_reader_close(scout);
	return c;
}

struct tm_reader *tm_pftrace_split(const struct tm_reader *r, int fd, uint64_t begin, uint64_t end,
                                   bool exact, struct tm_diag *d)
{
	struct pf_ranges *g = file_of(r)->ranges;
	struct tm_reader *c;
	bool guess;

	/* The first range is where the scout begins; who waits for it here would have to anyway. */
	guess = !exact;
	if (exact && !r->pairs && begin == r->begin) {
		pthread_mutex_lock(&g->scouting);
		guess = !g->asked;
		pthread_mutex_unlock(&g->scouting);
	}
	c = guess ? range_about(r, fd, begin, end) : range_at(r, fd, begin);
	if (c)
		file_of(c)->limit = end;
	else
		tm_diag_oom(d);
	return c;
}

/* ---- the whole ---- */

/* What t knows at that place, for the range that begins there.  False when out of memory. */
static bool leave_behind(struct pf_ranges *g, const struct pftrace *t, uint64_t at)
{
	struct tm_reader *c = reader_at(t->f.r, t->fd, t, at), *old = c;

	if (!c)
		return false;
	pthread_mutex_lock(&g->lock);
	if (!g->behind || place(g->behind) < at) {
		old = g->behind;
		g->behind = c;
	}
	pthread_mutex_unlock(&g->lock);
	tm_reader_close(old);
	return true;
}

bool tm_pf_range_ended(struct pftrace *t, uint64_t at)
{
	struct pf_ranges *g = t->ranges;
	struct pf *f = &t->f;
	struct part p = { .began = t->began,
		          .stopped = at,
		          .launches = f->launches,
		          .launch_at = f->launch_at,
		          .dispatches = f->dispatches,
		          .by_inline = f->by_inline,
		          .clock = f->r->clock,
		          .realtime = f->r->realtime };
	bool ok;

	t->stopped = at;
	memcpy(p.by, f->by, sizeof p.by);
	memcpy(p.annot_seen, f->annot_seen, sizeof p.annot_seen);
	if (at != UINT64_MAX && f->r->pairs && !leave_behind(g, t, at))
		return false;
	if (f->r->host && !(p.host = strdup(f->r->host)))
		return false;
	pthread_mutex_lock(&g->lock);
	ok = tm_grow_array(&g->part, &g->cap, g->nparts + 1, sizeof *g->part);
	if (ok)
		g->part[g->nparts++] = p;
	pthread_mutex_unlock(&g->lock);
	if (!ok)
		free(p.host);
	return ok;
}

/* The range that began there, the last that did; NULL when none has. */
static const struct part *part_at(const struct pf_ranges *g, uint64_t at)
{
	for (size_t i = g->nparts; i > 0; i--)
		if (g->part[i - 1].began == at)
			return &g->part[i - 1];
	return NULL;
}

bool tm_pftrace_joined(struct tm_reader *r, struct tm_loss *loss)
{
	struct pftrace *t = r->priv;
	const struct part *p = part_at(t->ranges, r->begin), *last = p;
	uint64_t launches = 0, launch_at = 0, dispatches = 0;

	for (; p; p = p->stopped == UINT64_MAX ? NULL : part_at(t->ranges, p->stopped)) {
		if (p->launches && !launches)
			launch_at = p->launch_at;
		launches += p->launches;
		dispatches += p->dispatches;
		for (int i = 0; i < PF_BYS; i++)
			t->f.by[i] |= p->by[i];
		for (int i = 0; i < PF_WORDS; i++)
			t->f.annot_seen[i] |= p->annot_seen[i];
		t->f.by_inline |= p->by_inline;
		last = p;
	}
	if (launches && !dispatches)
		tm_loss_count(loss, TM_LOSS_KERNELS, launches, launch_at);
	if (!last)
		return true;
	r->producer = tm_pf_producer(&t->f);
	r->clock = last->clock;
	r->realtime = last->realtime;
	if (last->host) {
		uint32_t id = tm_names_add(&r->names, last->host, strlen(last->host));

		if (id == TM_NAME_NONE)
			return false;
		r->host = r->names.v[id].text;
	}
	return true;
}
