/* SPDX-License-Identifier: MIT
 * Tracks.  Their descriptions come in pieces, again and again, before the events or after them:
 * they are put together, and nothing that is known is forgotten. */
#include "read/pftrace/pftrace_parts.h"

#include <stdlib.h>

const enum tm_ev_col tm_pf_track_cols[6] = { TM_EVC_AGENT, TM_EVC_QUEUE, TM_EVC_STREAM,
	                                     TM_EVC_PID,   TM_EVC_TID,   TM_EVC_DST };

enum { AT_AGENT, AT_QUEUE, AT_STREAM, AT_PID, AT_TID, AT_DST, DEPTH = 16, HOST = 255 };

static const struct {
	const char *pattern;
	enum pf_class class;
} patterns[] = {
#define TRACK(pattern, class) { pattern, PF_##class },
#include "schemas/pftrace.def"
};

uint32_t tm_pf_track_of(struct pf *f, uint64_t uuid)
{
	uint32_t i;

	if (pf_get(f, &f->tracks, uuid, &i))
		return i;
	if (f->ntrack >= PF_TRACKS ||
	    !tm_grow_array(&f->track, &f->track_cap, f->ntrack + 1, sizeof *f->track) ||
	    !tm_pf_put(f, &f->tracks, uuid, (uint32_t)f->ntrack))
		return UINT32_MAX;
	f->track[f->ntrack] = (struct pf_track) { .uuid = uuid, .mult = 1, .root = uuid };
	return (uint32_t)f->ntrack++;
}

static bool put_own(struct pf_track *t, int at, uint64_t v)
{
	tm_ev_set bit = TM_EV_BIT(tm_pf_track_cols[at]);
	bool news = !(t->own_has & bit) || t->own[at] != v;

	t->own_has |= bit;
	t->own[at] = v;
	return news;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* A number, decimal or 0x and hexadecimal; digits used, 0 = none. */
static size_t number(const char *p, size_t n, uint64_t *v)
{
	size_t i = 0;

	*v = 0;
	if (n > 2 && p[0] == '0' && lower(p[1]) == 'x') {
		for (i = 2; i < n && i < 18; i++) {
			char c = lower(p[i]);

			if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f'))
				break;
			*v = *v << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
		}
		return i > 2 ? i : 0;
	}
	for (; i < n && i < 19 && p[i] >= '0' && p[i] <= '9'; i++)
		*v = *v * 10 + (uint64_t)(p[i] - '0');
	return i;
}

struct match {
	int at[4];
	uint64_t v[4];
	unsigned n;
	size_t name; /* where the counter's own name begins, 0 = it has none */
};

static bool agent_number(char code, uint64_t *v)
{
	enum tm_agent_numbering how = code == 'g'   ? TM_AGENT_GPU
	                              : code == 'c' ? TM_AGENT_CPU
	                                            : TM_AGENT_NODE;

	if (*v > UINT32_MAX)
		return false;
	*v = tm_agent_pack(how, (uint32_t)*v);
	return true;
}

static bool fits(const char *pat, const char *p, size_t n, struct match *m)
{
	size_t i = 0;

	*m = (struct match) { 0 };
	for (; *pat; pat++) {
		uint64_t v;
		size_t used;
		int at;

		if (*pat != '%') {
			if (i == n || lower(p[i++]) != *pat)
				return false;
			continue;
		}
		pat++;
		if (*pat == 'n') {
			m->name = i;
			return i < n;
		}
		used = number(p + i, n - i, &v);
		if (!used)
			return false;
		i += used;
		at = *pat == 'q'   ? AT_QUEUE
		     : *pat == 's' ? AT_STREAM
		     : *pat == 't' ? AT_TID
		     : *pat == 'd' ? AT_DST
		                   : AT_AGENT;
		if (*pat == '_')
			continue;
		if ((at == AT_AGENT || at == AT_DST) && !agent_number(*pat, &v))
			return false;
		m->at[m->n] = at;
		m->v[m->n++] = v;
	}
	return true;
}

/* What the name of a track says. */
static void read_name(struct pf_track *t, const char *p, size_t n)
{
	struct match m;

	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		if (!fits(patterns[i].pattern, p, n, &m))
			continue;
		t->class = (uint8_t)patterns[i].class;
		for (unsigned k = 0; k < m.n; k++)
			put_own(t, m.at[k], m.v[k]);
		return;
	}
}

/* rocprofv2 shows a GPU as a process "Node: <host> Device: ", whose pid is the number of the GPU.
 */
static bool is_device(struct tm_span name)
{
	return name.n > 6 && !memcmp(name.p, "Node: ", 6) && memmem(name.p, name.n, "Device", 6);
}

/* rocprofv2 calls processes "Node: <host>", "Node: <host> Rank <n>" or "Node: <host> Device: ".
 * With several hosts in one trace none is its host. */
static bool read_node(struct pf *f, struct tm_span name)
{
	size_t n = 0;
	uint32_t id;

	if (name.n <= 6 || memcmp(name.p, "Node: ", 6) != 0)
		return true;
	while (n < name.n - 6 && name.p[6 + n] > ' ')
		n++;
	if (!n || n > HOST)
		return true;
	id = tm_names_add(&f->texts, (const char *)name.p + 6, n);
	if (id == TM_NAME_NONE)
		return false;
	f->r->host = !f->node || f->node == id + 1 ? f->texts.v[id].text : NULL;
	f->node = f->r->host ? id + 1 : UINT32_MAX;
	return true;
}

bool tm_pf_describe(struct pf *f, const struct pf_description *d)
{
	struct tm_span name = d->name, process_name = d->process_name;
	struct pf_track *t;
	bool news;
	uint32_t i;

	i = tm_pf_track_of(f, d->uuid);
	if (i == UINT32_MAX)
		return f->ntrack >= PF_TRACKS;
	t = &f->track[i];
	news = !t->described;
	t->described = true;
	if (d->parent && d->parent != t->parent) {
		t->parent = d->parent;
		news = true;
	}
	if (d->has_pid)
		news |= put_own(t, AT_PID, d->pid);
	if (d->has_tid)
		news |= put_own(t, AT_TID, d->tid);
	t->is_counter |= d->is_counter;
	t->ours |= d->ours;
	if (d->mult)
		t->mult = (double)d->mult;
	if (d->has_incremental)
		t->incremental = d->incremental;
	if (!read_node(f, name) || !read_node(f, process_name))
		return false;
	if ((name.p && is_device(name)) || (process_name.p && is_device(process_name)))
		t->own_device = true;
	if (name.p) {
		uint32_t id = tm_names_add(&f->texts, (const char *)name.p, name.n);

		if (id == TM_NAME_NONE)
			return false;
		if (t->name != id + 1) {
			t->name = id + 1;
			t->counter = 0;
			read_name(t, (const char *)name.p, name.n);
			news = true;
		}
	}
	f->epoch += news;
	return true;
}

const struct pf_track *tm_pf_resolve(struct pf *f, uint32_t track)
{
	struct pf_track *t = &f->track[track];
	uint32_t i = track;

	if (t->epoch == f->epoch + 1)
		return t;
	t->epoch = f->epoch + 1;
	t->has = 0;
	for (int depth = 0; depth < DEPTH; depth++) {
		const struct pf_track *up = &f->track[i];

		for (int k = 0; k < 6; k++) {
			tm_ev_set bit = TM_EV_BIT(tm_pf_track_cols[k]) & up->own_has & ~t->has;

			if (!bit || (k == AT_PID && up->own_device))
				continue;
			t->has |= bit;
			t->v[k] = up->own[k];
		}
		if (up->own_device && (up->own_has & TM_EV_BIT(TM_EVC_PID)) &&
		    !(t->has & TM_EV_BIT(TM_EVC_AGENT))) {
			t->has |= TM_EV_BIT(TM_EVC_AGENT);
			t->v[AT_AGENT] = tm_agent_pack(TM_AGENT_NODE, (uint32_t)up->own[AT_PID]);
		}
		t->root = up->uuid;
		if (!up->parent || !pf_get(f, &f->tracks, up->parent, &i))
			break;
	}
	return t;
}

uint32_t tm_pf_counter_name(struct pf *f, uint32_t track)
{
	struct pf_track *t = &f->track[track];
	const char *p = "(unnamed)";
	size_t n = 9;
	struct match m;
	uint32_t id;

	if (t->counter)
		return t->counter - 1;
	if (t->name) {
		p = f->texts.v[t->name - 1].text;
		n = f->texts.v[t->name - 1].len;
	}
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
		if (fits(patterns[i].pattern, p, n, &m)) {
			p += m.name;
			n -= m.name;
			break;
		}
	id = tm_names_add(&f->r->names, p, n);
	if (id != TM_NAME_NONE)
		t->counter = id + 1;
	return id;
}
