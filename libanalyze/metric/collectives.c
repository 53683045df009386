/* SPDX-License-Identifier: MIT
 * Every collective: who came last, and how long did the others wait?
 *
 * A collective is a kernel of class comm.  Kernels name no communicator, so the n-th of each agent in
 * the order of start is taken for the same one everywhere: right for a job with one communicator, and
 * for what all ranks do in the same order.  With a log of RCCL the n-th call of a rank is its n-th kernel
 * of RCCL, if there are as many of both; then the n-th of a communicator is the same one everywhere.
 *
 * Arrival needs clocks that can be compared.  A collective ends nowhere before everybody has come, so on
 * comparable clocks all its kernels overlap: where hardly any do, the clocks (or the matching) are not to be
 * trusted, and nothing is said about arrival. */
#include "metric/priv_ranks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_COMM,
	COL_INDEX,
	COL_NAME,
	COL_RANKS,
	COL_BYTES,
	COL_SKEW,
	COL_MIN,
	COL_WAIT,
	COL_LAST,
	COL_BANDWIDTH,
	COL_N,
};

const struct column collective_columns[] = {
	[COL_COMM] = { .name = "comm",
	               .title = "COMM",
	               .about = "communicator, where a log tells",
	               .unit = UNIT_TEXT },
	[COL_INDEX] = { .name = "index",
	                .title = "INDEX",
	                .about = "its place in the order, from 1",
	                .unit = UNIT_ID },
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .about = "what RCCL was asked for; else the kernel",
	               .unit = UNIT_TEXT,
	               .elastic = true },
	[COL_RANKS] = { .name = "ranks",
	                .title = "RANKS",
	                .about = "agents of all ranks that took part",
	                .unit = UNIT_COUNT },
	[COL_BYTES] = { .name = "bytes",
	                .title = "BYTES",
	                .about = "size of all ranks' parts, where a log tells",
	                .unit = UNIT_BYTES },
	[COL_SKEW] = { .name = "arrival_skew_ns",
	               .title = "SKEW",
	               .about = "last start - first start",
	               .unit = UNIT_NS },
	[COL_MIN] = { .name = "min_dur_ns",
	              .title = "FASTEST",
	              .about = "shortest duration",
	              .unit = UNIT_NS },
	[COL_WAIT] = { .name = "max_wait_ns",
	               .title = "WAIT",
	               .about = "longest duration - shortest duration",
	               .unit = UNIT_NS,
	               .bar = true },
	[COL_LAST] = { .name = "last_rank",
	               .title = "LAST",
	               .about = "the rank that started last",
	               .unit = UNIT_ID },
	[COL_BANDWIDTH] = { .name = "busbw_gb_per_s",
	                    .title = "BUSBW",
	                    .about = "bytes * bus factor / shortest duration, GB = 1e9 bytes",
	                    .unit = UNIT_RATIO },
	[COL_N] = { 0 },
};

/* A kernel that communicates, and the call it was started by, if that is known. */
struct item {
	uint32_t comm; /* place of its communicator among all, from 1; 0 = not known */
	uint32_t at;   /* in the list of its track */
	bool inside;   /* the window; what is outside counts for the places of what follows */
	const struct comm_call *call;
};

/* The collectives of one agent; [from, to) those of the communicator at hand. */
struct member {
	const struct work_track *track;
	struct item *item; /* n of them, by communicator and start */
	size_t n, from, to;
	bool silent; /* nobody told its calls: what those of others say goes */
};

struct members {
	const struct comm_calls *calls;
	const struct names *names; /* of kernels */
	struct member *v;          /* n of them, by rank and agent */
	struct member *now;        /* nnow of them: those that have the n-th collective */
	size_t n, nnow;
	uint64_t inside;          /* kernels inside the window */
	bool by_class;            /* kernels have no names of their own */
	uint64_t joined, unequal; /* members with calls: as many as kernels, or not */
	uint64_t unlike;          /* as many, but of other collectives */
	uint64_t left_out; /* calls that may start no kernel, where that makes them as many */
	uint64_t calls_of, kernels_of, rank_of; /* of the first unequal one */
	bool apart;                             /* communicators are told apart by name */
	bool pointers;  /* some have no names that mean the same elsewhere */
	bool ambiguous; /* a rank has several */
};

/* The n-th collective of all that have one. */
struct collective {
	size_t members; /* agents on which it starts inside the window */
	bool cut;       /* on others it starts outside */
	uint64_t first, last, end, shortest, longest, last_rank;
	const struct name *name;
	bool names_differ;
	bool called;   /* the name is that of a call */
	bool told;     /* somebody has looked for a call: */
	uint32_t comm; /* in calls->names; NAME_NONE = not known, or they differ */
	bool sized;    /* bytes are known and everywhere the same */
	uint64_t bytes, num, den;
};

static void look_call(const struct members *m, struct collective *c, const struct comm_call *call)
{
	uint64_t bytes, num, den;
	bool sized = call && comm_call_size(m->calls, call, &bytes, &num, &den);

	if (!c->told) {
		c->told = true;
		c->comm = call ? call->comm : NAME_NONE;
		c->sized = sized;
		c->bytes = sized ? bytes : 0;
		c->num = sized ? num : 0;
		c->den = sized ? den : 0;
		return;
	}
	c->comm = call && call->comm == c->comm ? c->comm : NAME_NONE;
	c->sized = c->sized && sized && bytes == c->bytes;
	if (c->sized && (num != c->num || den != c->den))
		c->num = c->den = 0;
}

/* n goes up from call to call, from 0. */
static struct collective look(struct members *m, size_t n)
{
	size_t left = 0;
	struct collective c = {
		.first = UINT64_MAX, .end = UINT64_MAX, .shortest = UINT64_MAX, .comm = NAME_NONE
	};

	if (!n) {
		memcpy(m->now, m->v, m->n * sizeof *m->v);
		m->nnow = m->n;
	}
	for (size_t i = 0; i < m->nnow; i++) {
		const struct member one = m->now[i];
		const struct intervals *s = &one.track->op[WORK_COMM];
		const struct item *item = one.item + one.from + n;
		const struct name *name;
		uint64_t start, end, dur;

		if (n >= one.to - one.from)
			continue;
		m->now[left++] = one;
		if (!item->inside) {
			c.cut = true;
			continue;
		}
		start = interval_start(s, item->at);
		end = interval_end(s, item->at);
		dur = end - start;
		c.first = start < c.first ? start : c.first;
		/* Of several that start together the lowest rank. */
		if (!c.members || start > c.last) {
			c.last = start;
			c.last_rank = one.track->rank;
		}
		c.end = end < c.end ? end : c.end;
		c.shortest = dur < c.shortest ? dur : c.shortest;
		c.longest = dur > c.longest ? dur : c.longest;
		name = item->call ? &m->calls->names.v[item->call->name]
		                  : &m->names->v[interval_name(s, item->at)];
		if (!c.members || (item->call && !c.called)) {
			c.name = name;
			c.called = item->call != NULL;
			c.names_differ = false;
		} else if (c.called == (item->call != NULL)) {
			c.names_differ |= name_cmp(name, c.name) != 0;
		}
		if (!one.silent)
			look_call(m, &c, item->call);
		c.members++;
	}
	m->nnow = left;
	return c;
}

/* Is the kernel RCCL's own?  Others communicate without a call of RCCL. */
static bool of_rccl(const struct members *m, uint32_t id)
{
	const char *name = m->names->v[id].text;

	return m->by_class || strstr(name, "nccl") || strstr(name, "rccl") || strstr(name, "msccl");
}

/* The calls of a rank that are taken for its kernels: n of them, none that is more idle than `idlest`. */
struct which {
	const struct comm_call *call;
	enum comm_idle idlest;
	size_t n, left_out;
};

/* All, if there are as many kernels; else all but those that may start none. */
static struct which choose_calls(const struct members *m, uint64_t rank, size_t kernels)
{
	size_t all, n[COMM_EMPTY + 1] = { 0 };
	struct which w = { .call = comm_calls_of(m->calls, rank, &all), .idlest = COMM_EMPTY };

	for (size_t i = 0; i < all; i++)
		for (size_t idle = comm_call_idle(m->calls, &w.call[i]); idle <= COMM_EMPTY; idle++)
			n[idle]++;
	while (w.idlest > COMM_STARTS && n[w.idlest] != kernels)
		w.idlest--;
	if (n[w.idlest] != kernels)
		w.idlest = COMM_EMPTY;
	w.n = n[w.idlest];
	w.left_out = all - w.n;
	return w;
}

/* The call for the next kernel; *at goes on. */
static const struct comm_call *next_call(const struct members *m, const struct which *w, size_t *at)
{
	while (comm_call_idle(m->calls, &w->call[*at]) > w->idlest)
		++*at;
	return &w->call[(*at)++];
}

/* Could each call have started its kernel? */
static bool calls_fit(const struct members *m, const struct which *w, const struct intervals *s)
{
	bool fit = true;
	size_t at = 0;

	for (size_t i = 0; fit && i < s->n; i++)
		if (of_rccl(m, interval_name(s, i)))
			fit = comm_call_fits(m->calls, next_call(m, w, &at),
			                     m->names->v[interval_name(s, i)].text);
	return fit;
}

/* All kernels of a track, each with its call where there are as many of both. */
static bool member_fill(struct members *m, const struct work_track *t, struct member *one)
{
	const struct intervals *s = &t->op[WORK_COMM];
	size_t kernels = 0, at = 0;
	struct which w;
	bool as_many, joins;

	*one = (struct member) { .track = t, .item = malloc((s->n + 1) * sizeof *one->item) };
	if (!one->item || s->n >= UINT32_MAX)
		return false;
	for (size_t i = 0; m->calls->n && i < s->n; i++)
		kernels += of_rccl(m, interval_name(s, i));
	w = choose_calls(m, t->rank, kernels);
	as_many = w.call && kernels && w.n == kernels;
	joins = as_many && calls_fit(m, &w, s);
	for (size_t i = 0; i < s->n; i++) {
		bool has = joins && of_rccl(m, interval_name(s, i));
		struct item item = { .at = (uint32_t)i,
			             .inside = work_starts_inside(t, interval_start(s, i)),
			             .call = has ? next_call(m, &w, &at) : NULL };

		m->inside += item.inside;
		one->item[one->n++] = item;
	}
	one->to = one->n;
	one->silent = !w.call;
	m->joined += joins;
	m->unlike += as_many && !joins;
	m->left_out += joins ? w.left_out : 0;
	if (w.call && !as_many && s->n && !m->unequal++) {
		m->rank_of = t->rank;
		m->calls_of = w.n;
		m->kernels_of = kernels;
	}
	return true;
}

static int by_text(const void *pa, const void *pb, void *arg)
{
	const struct name *v = arg;

	return name_cmp(&v[*(const uint32_t *)pa], &v[*(const uint32_t *)pb]);
}

static int by_comm(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;

	return a->comm != b->comm ? (a->comm > b->comm ? 1 : -1)
	                          : (a->at > b->at) - (a->at < b->at);
}

/* Tell communicators apart, if their names mean the same in every process.  A name with a ':' is one
 * that the reader made of a pointer.  False when out of memory. */
static bool tell_apart(struct members *m)
{
	const struct names *names = &m->calls->names;
	uint32_t *ids = malloc(((size_t)names->n + 1) * sizeof *ids);
	uint32_t *place = calloc((size_t)names->n + 1, sizeof *place), n = 0;
	bool several = false;

	for (size_t i = 0; ids && place && i < m->n; i++) {
		uint32_t first = NAME_NONE;

		for (size_t k = 0; k < m->v[i].n; k++) {
			const struct comm_call *call = m->v[i].item[k].call;

			if (!call || call->comm == NAME_NONE)
				continue;
			several |= first != NAME_NONE && first != call->comm;
			first = call->comm;
			if (place[first])
				continue;
			place[first] = 1;
			ids[n++] = first;
			m->pointers |= strchr(names->v[first].text, ':') != NULL;
		}
	}
	if (ids && place && n && !m->pointers && m->joined == m->n) {
		qsort_r(ids, n, sizeof *ids, by_text, names->v);
		for (uint32_t i = 0; i < n; i++)
			place[ids[i]] = i + 1;
		for (size_t i = 0; i < m->n; i++) {
			for (size_t k = 0; k < m->v[i].n; k++) {
				struct item *item = &m->v[i].item[k];

				if (item->call && item->call->comm != NAME_NONE)
					item->comm = place[item->call->comm];
			}
			if (m->v[i].n)
				qsort(m->v[i].item, m->v[i].n, sizeof *m->v[i].item, by_comm);
		}
		m->apart = true;
	}
	m->ambiguous = several;
	free(ids);
	free(place);
	return ids && place;
}

/* The next communicator: its part of every member.  False when there is none; *at is 0 at first. */
static bool next_comm(struct members *m, uint32_t *at)
{
	uint32_t comm = UINT32_MAX;

	for (size_t i = 0; i < m->n; i++) {
		struct member *one = &m->v[i];

		one->from = *at ? one->to : 0;
		if (one->from < one->n && one->item[one->from].comm < comm)
			comm = one->item[one->from].comm;
	}
	for (size_t i = 0; i < m->n; i++) {
		struct member *one = &m->v[i];

		one->to = one->from;
		while (one->to < one->n && one->item[one->to].comm == comm)
			one->to++;
	}
	*at = 1;
	return comm != UINT32_MAX;
}

/* Collectives of the communicator at hand on the agent that has most; *least: on the one of its agents that
 * has fewest. */
static size_t longest(const struct members *m, size_t *least)
{
	size_t most = 0;

	*least = SIZE_MAX;
	for (size_t i = 0; i < m->n; i++) {
		size_t n = m->v[i].to - m->v[i].from;

		most = n > most ? n : most;
		*least = n && n < *least ? n : *least;
	}
	return most;
}

static bool members_init(struct members *m, const struct work *w, const struct comm_calls *calls)
{
	*m = (struct members) { .calls = calls,
		                .names = &w->names,
		                .by_class = w->o->by_class,
		                .v = calloc(w->ntrack + 1, sizeof *m->v),
		                .now = calloc(w->ntrack + 1, sizeof *m->now) };
	if (!m->v || !m->now)
		return false;
	for (size_t i = 0; i < w->ntrack; i++) {
		struct member *one = &m->v[m->n];

		if (!w->track[i].op[WORK_COMM].n)
			continue;
		m->n++;
		if (!member_fill(m, &w->track[i], one))
			return false;
	}
	return tell_apart(m);
}

static void members_fini(struct members *m)
{
	for (size_t i = 0; m->v && i < m->n; i++)
		free(m->v[i].item);
	free(m->v);
	free(m->now);
}

/* Do all inputs that say what their times count say the same? */
static bool same_clock(const struct ranks *r, const struct members *m)
{
	const struct name *first = NULL;

	for (size_t i = 0; i < m->n; i++) {
		const struct name *one = ranks_clock(r, m->v[i].track->rank);

		if (first && one && name_cmp(first, one))
			return false;
		first = first ? first : one;
	}
	return true;
}

/* Can arrivals be compared?  What speaks for it or against it goes into *rep. */
static bool comparable(const struct ranks *r, struct members *m, struct report *rep)
{
	uint64_t matched = 0, overlap = 0;
	size_t least;

	for (uint32_t at = 0; next_comm(m, &at);)
		for (size_t n = 0, most = longest(m, &least); n < most; n++) {
			const struct collective c = look(m, n);

			matched += c.members > 1;
			overlap += c.members > 1 && c.last < c.end;
		}
	if (!matched)
		return false;
	if (!same_clock(r, m)) {
		report_add(rep, SEV_NOTE, NULL, 0,
		           "the times of these ranks count different things: arrival_skew_ns and "
		           "last_rank are absent");
		return false;
	}
	if (overlap * 10 < matched * 9) {
		report_add(rep, SEV_NOTE, NULL, 0,
		           "in only %" PRIu64 " of %" PRIu64
		           " collectives do the kernels of all ranks overlap: the clocks are not "
		           "comparable, or the order is not the same everywhere; arrival_skew_ns "
		           "and last_rank are absent (tracemerge --align)",
		           overlap, matched);
		return false;
	}
	report_add(rep, SEV_NOTE, NULL, 0,
	           "the clocks of the ranks are taken as one: in %" PRIu64 " of %" PRIu64
	           " collectives the kernels of all ranks overlap",
	           overlap, matched);
	return true;
}

/* bytes * num / den / ns; absent where a part of that does not fit. */
static struct cell bandwidth(const struct collective *c)
{
	u128 num = (u128)c->bytes * c->num;
	uint64_t den;

	if (!c->sized || !c->den || !c->num || !c->shortest ||
	    __builtin_mul_overflow(c->den, c->shortest, &den))
		return cell_none();
	return cell_ratio((uint64_t)(num >> 64), (uint64_t)num, den);
}

static void fill_row(const struct members *m, const struct collective *c, size_t n, bool clocks,
                     struct cell *cell)
{
	if (c->comm != NAME_NONE) {
		const struct name *comm = &m->calls->names.v[c->comm];

		cell[COL_COMM] = cell_text(comm->text, comm->len);
	}
	cell[COL_INDEX] = cell_u64(n + 1);
	cell[COL_NAME] = cell_text(c->name->text, c->name->len);
	cell[COL_RANKS] = cell_u64(c->members);
	cell[COL_MIN] = cell_u64(c->shortest);
	if (c->sized)
		cell[COL_BYTES] = cell_u64(c->bytes);
	cell[COL_BANDWIDTH] = bandwidth(c);
	if (c->members < 2)
		return;
	cell[COL_WAIT] = cell_u64(c->longest - c->shortest);
	if (clocks) {
		cell[COL_SKEW] = cell_u64(c->last - c->first);
		cell[COL_LAST] = cell_u64(c->last_rank);
	}
}

static void tell_calls(const struct members *m, struct report *rep)
{
	if (m->unequal)
		report_add(
		        rep, SEV_NOTE, NULL, 0,
		        "rank %" PRIu64 " asked RCCL for %" PRIu64 " collective%s and ran %" PRIu64
		        " kernel%s of it: what belongs together is not known, comm and bytes are "
		        "absent (%" PRIu64 " agent%s so)",
		        m->rank_of, m->calls_of, m->calls_of == 1 ? "" : "s", m->kernels_of,
		        m->kernels_of == 1 ? "" : "s", m->unequal, m->unequal == 1 ? "" : "s");
	if (m->unlike)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "calls and kernels of RCCL are as many but of different collectives on "
		           "%" PRIu64 " agent%s: comm and bytes are absent there",
		           m->unlike, m->unlike == 1 ? "" : "s");
	if (m->joined)
		report_add(
		        rep, SEV_NOTE, NULL, 0,
		        "the n-th call of a rank is taken for its n-th kernel of RCCL: on %" PRIu64
		        " agent%s there are as many of both",
		        m->joined, m->joined == 1 ? "" : "s");
	if (m->left_out)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "%" PRIu64 " call%s of 0 bytes or of one rank alone left out: without "
		           "them there are as many calls as kernels",
		           m->left_out, m->left_out == 1 ? "" : "s");
	if (m->joined && m->ambiguous)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "a rank uses several communicators: where their kernels overtake each "
		           "other, calls stand beside the wrong ones%s",
		           m->apart ? ""
		           : m->pointers
		                   ? "; the log does not say which are the same on other ranks "
		                     "(NCCL_DEBUG_SUBSYS=INIT,COLL)"
		                   : "; not all agents have calls, so communicators are not told "
		                     "apart");
}

/* What speaks against the rows. */
struct doubts {
	uint64_t differ;    /* rows with kernels of different names */
	uint64_t cut;       /* rows that the window cuts */
	uint64_t uneven;    /* communicators of which agents have unlike numbers of collectives: */
	size_t least, most; /* of the first of them */
};

static void doubt_length(struct doubts *d, size_t least, size_t most)
{
	if (least == most || d->uneven++)
		return;
	d->least = least;
	d->most = most;
}

static void tell(const struct members *m, const struct doubts *d, struct report *rep)
{
	if (m->n < 2)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "one agent only has collectives: nothing to match (RANK=FILE or "
		           "--rank-from tell ranks apart)");
	else if (m->apart)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "collectives are matched by communicator and by their order there");
	else
		report_add(rep, SEV_NOTE, NULL, 0,
		           "collectives are matched by their order on each agent: the trace names "
		           "no communicators");
	if (d->uneven && m->apart)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "from %zu to %zu collectives of a communicator on an agent: some rows "
		           "may match what does not belong together (%" PRIu64
		           " communicator%s so)",
		           d->least, d->most, d->uneven, d->uneven == 1 ? "" : "s");
	else if (d->uneven)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "from %zu to %zu collectives on an agent: some rows may match what does "
		           "not belong together",
		           d->least, d->most);
	if (d->cut)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "%" PRIu64 " collective%s inside the window on some agents only: ranks "
		           "and the rest of the row are of those",
		           d->cut, d->cut == 1 ? " starts" : "s start");
	if (d->differ)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "in %" PRIu64 " rows the ranks ran kernels of different names: they may "
		           "not belong together; the name is that of the lowest rank",
		           d->differ);
}

enum status fill_collectives(struct ranks *r, struct table *t, struct report *rep)
{
	struct doubts doubts = { 0 };
	struct members m = { 0 };
	size_t least, most;
	bool ok, clocks;

	table_init_list(t, collective_columns);
	if (!work_settle(&r->w) || !comm_calls_settle(&r->calls) ||
	    !members_init(&m, &r->w, &r->calls)) {
		members_fini(&m);
		return ST_FATAL;
	}
	if (!m.inside) {
		members_fini(&m);
		work_explain_nothing(&r->w, "kernels of class comm", rep);
		return ST_END;
	}
	ok = true;
	clocks = comparable(r, &m, rep);
	for (uint32_t at = 0; ok && next_comm(&m, &at);) {
		most = longest(&m, &least);
		doubt_length(&doubts, least, most);
		for (size_t n = 0; ok && n < most; n++) {
			const struct collective c = look(&m, n);
			struct cell *cell = c.members ? table_row(t) : NULL;

			if (!c.members)
				continue;
			ok = cell != NULL;
			if (ok)
				fill_row(&m, &c, n, clocks, cell);
			doubts.differ += c.names_differ;
			doubts.cut += c.cut;
		}
	}
	tell(&m, &doubts, rep);
	tell_calls(&m, rep);
	work_tell(&r->w, rep);
	members_fini(&m);
	return ok ? ST_OK : ST_FATAL;
}
