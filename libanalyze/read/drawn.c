/* SPDX-License-Identifier: MIT */
#include "read/drawn.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The text about a process is "made-up pid without merged=3 bare=1 on HOST", each part only where
 * it applies; a host may hold anything, so it comes last. */
#define MADE_UP_PID "made-up pid"
#define WITHOUT     " without"
#define HOST        " on "

bool tm_drawn_put_about(struct tm_buf *b, bool made_up_pid, const struct tm_loss *left,
                        const char *host)
{
	if (made_up_pid)
		tm_buf_str(b, MADE_UP_PID);
	if (tm_loss_any(left))
		tm_buf_str(b, WITHOUT);
	for (int i = 0; i < TM_LOSS_REASONS; i++)
		if (left->of[i].n)
			tm_buf_fmt(b, " %s=%" PRIu64, tm_losses[i].word, left->of[i].n);
	if (host)
		tm_buf_fmt(b, "%s%s", HOST, host);
	return !b->failed;
}

void tm_drawn_add_loss(struct tm_loss *into, const struct tm_loss *of, bool whole)
{
	for (enum tm_loss_reason i = 0; i < TM_LOSS_REASONS; i++) {
		const enum tm_loss_kind kind = tm_losses[i].kind;
		const uint64_t n = of->of[i].n;

		if (kind == TM_LOSS_IS_THINNED || kind == TM_LOSS_IS_STRIPPED || i == TM_LOSS_FEW)
			into->of[i].n += n;
		else if (kind == TM_LOSS_IS_ENDED || i == TM_LOSS_LINE_CUT)
			whole = whole && !n;
		else if (kind == TM_LOSS_IS_SKIPPED || kind == TM_LOSS_IS_BROKEN)
			into->of[TM_LOSS_SOURCE_SKIPPED].n += n;
		else if (kind == TM_LOSS_IS_GONE)
			into->of[TM_LOSS_SOURCE_LOST].n += n;
	}
	into->of[TM_LOSS_SOURCE_CUT].n += !whole;
}

bool tm_drawn_made_up_pid(const char *about, size_t n)
{
	return n >= strlen(MADE_UP_PID) && !memcmp(about, MADE_UP_PID, strlen(MADE_UP_PID));
}

/* ---- counters ---- */

static const char *const agent_words[] = {
	[TM_AGENT_NODE] = "Agent [", [TM_AGENT_GPU] = "GPU [", [TM_AGENT_CPU] = "CPU ["
};

#define OF_AGENT "] PMC "

bool tm_drawn_put_counter(struct tm_buf *b, uint64_t agent)
{
	return tm_buf_fmt(b, "%s%" PRIu32 OF_AGENT, agent_words[agent >> 32], (uint32_t)agent);
}

size_t tm_drawn_counter(const char *name, size_t n, uint64_t *agent)
{
	for (uint32_t how = 0; how < sizeof agent_words / sizeof *agent_words; how++) {
		const size_t from = strlen(agent_words[how]);
		size_t to = from;
		uint64_t number;

		if (n <= from || memcmp(name, agent_words[how], from) != 0)
			continue;
		while (to < n && name[to] >= '0' && name[to] <= '9')
			to++;
		if (n - to <= strlen(OF_AGENT) || memcmp(name + to, OF_AGENT, strlen(OF_AGENT)) ||
		    !tm_num_u64((const unsigned char *)name + from, to - from, &number) ||
		    number > UINT32_MAX)
			return 0;
		*agent = tm_agent_pack((enum tm_agent_numbering)how, (uint32_t)number);
		return to + strlen(OF_AGENT);
	}
	return 0;
}

/* ---- reading it ---- */

/* The number behind "rank "; false when there is none. */
static bool rank_of(const char *name, size_t len, uint64_t *rank)
{
	size_t n = 5;

	if (len <= n || memcmp(name, "rank ", n) != 0)
		return false;
	while (n < len && name[n] >= '0' && name[n] <= '9')
		n++;
	return tm_num_u64((const unsigned char *)name + 5, n - 5, rank);
}

/* "WORD=N" */
static void read_loss(struct tm_loss *loss, const char *p, size_t n)
{
	const char *is = memchr(p, '=', n);
	uint64_t count;

	if (!is || !tm_num_u64((const unsigned char *)is + 1, n - (size_t)(is + 1 - p), &count))
		return;
	n = (size_t)(is - p);
	for (int i = 0; i < TM_LOSS_REASONS; i++)
		if (strlen(tm_losses[i].word) == n && !memcmp(tm_losses[i].word, p, n))
			loss->of[i].n = count;
}

/* What follows that word. */
static void read_losses(struct tm_loss *loss, const char *about, size_t n)
{
	const char *end = about + n, *p = n ? memmem(about, n, WITHOUT, strlen(WITHOUT)) : NULL;

	for (p = p ? p + strlen(WITHOUT) : end; p < end && *p == ' ';) {
		const char *from = ++p;

		while (p < end && *p != ' ')
			p++;
		read_loss(loss, from, (size_t)(p - from));
	}
}

static const char *keep(struct tm_drawn *m, const char *p, size_t n)
{
	uint32_t id = tm_names_add(&m->text, p, n);

	return id == TM_NAME_NONE ? NULL : m->text.v[id].text;
}

bool tm_drawn_add(struct tm_drawn *m, struct tm_reader *r, const char *name, size_t len,
                  const char *about, size_t n, bool *is_rank)
{
	struct tm_origin o = { .id.format = r->ops->name,
		               .id.table = r->table,
		               .id.producer = "tracemill",
		               .id.rule = TM_RANK_TRACE,
		               .live = true };
	const char *host = n ? memmem(about, n, HOST, strlen(HOST)) : NULL;
	struct tm_buf b = { 0 };
	uint64_t size;
	int fd;

	*is_rank = rank_of(name, len, &o.id.rank);
	if (!*is_rank)
		return true;
	if (tm_source_regular(r->src, &fd, &size))
		o.id.bytes = size;
	tm_buf_fmt(&b, "%s:rank %" PRIu64, tm_source_name(r->src), o.id.rank);
	o.id.path = o.id.run = b.failed ? NULL : keep(m, b.p, b.n);
	tm_buf_fini(&b);
	read_losses(&o.loss, about, host ? (size_t)(host - about) : n);
	if (host) {
		host += strlen(HOST);
		o.id.host = keep(m, host, n - (size_t)(host - about));
	}
	if (!o.id.path || (host && !o.id.host) ||
	    !tm_grow_array(&m->origin, &m->cap, m->n + 1, sizeof *m->origin))
		return false;
	m->origin[m->n++] = o;
	return true;
}

bool tm_drawn_know(struct tm_drawn *m, struct tm_reader *r)
{
	if (!m->n)
		return true;
	/* What was left out when it was drawn is lost before the first event is read. */
	r->loss = m->origin->loss;
	if (m->n == 1) {
		r->has_rank = true;
		r->rank = m->origin->id.rank;
		return !m->origin->id.host ||
		       tm_reader_host(r, m->origin->id.host, strlen(m->origin->id.host));
	}
	r->origins = r->origin = m->origin;
	r->norigins = m->n;
	return true;
}

void tm_drawn_next(struct tm_drawn *m, struct tm_reader *r, size_t nth)
{
	m->origin[r->origin - r->origins].loss = r->loss;
	r->loss = m->origin[nth].loss;
	r->origin = &r->origins[nth];
}

void tm_drawn_end(struct tm_drawn *m, struct tm_reader *r)
{
	if (!r->norigins || m->ended)
		return;
	m->ended = true;
	m->origin[r->origin - r->origins].loss = r->loss;
	r->loss = (struct tm_loss) { 0 };
	/* All together, for who does not ask for ranks. */
	for (size_t i = 0; i < m->n; i++)
		tm_loss_add(&r->loss, &m->origin[i].loss, 0);
}

void tm_drawn_fini(struct tm_drawn *m)
{
	free(m->origin);
	tm_names_fini(&m->text);
}
