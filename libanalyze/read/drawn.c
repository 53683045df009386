/* SPDX-License-Identifier: MIT */
#include "read/drawn.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The text about a process is "made-up pid clock=boottime aligned error=7 without merged=3 bare=1
 * agent agent=4 gfx=90402 product=AMD%20Instinct%20MI300X agent ... on HOST", each part only where
 * it applies.  Columns have the words of model/columns.def.  A text may hold anything: bytes that
 * end a word, or that JSON would not keep, are written as %20; a host comes last. */
#define MADE_UP_PID "made-up pid"
#define CLOCK       "clock"
#define ALIGNED     "aligned"
#define ERROR       "error"
#define WITHOUT     "without"
#define AGENT       "agent"
#define HOST        "on"

static bool is_plain(char c)
{
	return c > ' ' && c < 127 && c != '%';
}

static void put_text(struct tm_buf *b, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_plain(p[i]))
			tm_buf_chr(b, p[i]);
		else
			tm_buf_fmt(b, "%%%02X", (unsigned char)p[i]);
}

bool tm_drawn_put_about(struct tm_buf *b, const struct tm_drawn_about *about)
{
	const struct tm_loss *left = about->left;

	if (about->made_up_pid)
		tm_buf_str(b, MADE_UP_PID);
	if (about->clock) {
		tm_buf_str(b, " " CLOCK "=");
		put_text(b, about->clock, strlen(about->clock));
	}
	if (about->aligned)
		tm_buf_str(b, " " ALIGNED);
	if (about->aligned && about->error)
		tm_buf_fmt(b, " " ERROR "=%" PRIu64, *about->error);
	if (tm_loss_any(left))
		tm_buf_str(b, " " WITHOUT);
	for (int i = 0; i < TM_LOSS_REASONS; i++)
		if (left->of[i].n)
			tm_buf_fmt(b, " %s=%" PRIu64, tm_losses[i].word, left->of[i].n);
	if (about->nagents)
		tm_buf_add(b, about->agents, about->nagents);
	if (about->host)
		tm_buf_fmt(b, " " HOST " %s", about->host);
	return !b->failed;
}

tm_ev_set tm_drawn_agent_columns(void)
{
	return TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_TYPE) |
	       TM_EV_BIT(TM_EVC_PRODUCT) | TM_EV_BIT(TM_EVC_NODE) | TM_EV_BIT(TM_EVC_CUS) |
	       TM_EV_BIT(TM_EVC_GFX) | TM_EV_BIT(TM_EVC_DEVICE) | TM_EV_BIT(TM_EVC_MHZ) |
	       TM_EV_BIT(TM_EVC_XCCS);
}

bool tm_drawn_put_agent(struct tm_buf *b, const struct tm_batch *agents, uint32_t i)
{
	enum tm_ev_col c;

	tm_buf_str(b, " " AGENT);
	TM_EV_EACH(c, tm_drawn_agent_columns())
	{
		const uint64_t *v = tm_batch_cell(agents, i, c);

		if (!v)
			continue;
		tm_buf_fmt(b, " %s=", tm_ev_columns[c].word);
		if (tm_ev_columns[c].type == TM_EVT_NAME) {
			const struct tm_name *nm = &agents->names->v[*v];

			put_text(b, nm->text, nm->len);
		} else {
			tm_buf_u64(b, *v);
		}
	}
	return !b->failed;
}

void tm_drawn_add_loss(struct tm_loss *into, const struct tm_loss *of, bool whole)
{
	for (enum tm_loss_reason i = 0; i < TM_LOSS_REASONS; i++) {
		const enum tm_loss_kind kind = tm_losses[i].kind;
		const uint64_t n = of->of[i].n;

		if (kind == TM_LOSS_IS_THINNED || kind == TM_LOSS_IS_STRIPPED ||
		    kind == TM_LOSS_IS_UNTRACED || i == TM_LOSS_FEW || i == TM_LOSS_UNDRAWN ||
		    i == TM_LOSS_STATIC_LDS)
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

/* What the text about a process says, word by word. */
struct words {
	const char *p, *end;
	const char *word; /* n bytes: the one at hand */
	size_t n;
	const char *value; /* after its "=", `len` bytes; NULL = it has none */
	size_t len;
};

static struct words words_of(const char *about, size_t n)
{
	struct words w = { .p = about, .end = about + n };

	if (tm_drawn_made_up_pid(about, n))
		w.p += strlen(MADE_UP_PID);
	return w;
}

static bool is_word(const struct words *w, const char *word)
{
	return strlen(word) == w->n && !memcmp(w->word, word, w->n);
}

/* The next word; false after the last, or where the text is no such text. */
static bool next_word(struct words *w)
{
	const char *is;

	if (w->p == w->end || *w->p != ' ')
		return false;
	for (w->word = ++w->p; w->p < w->end && *w->p != ' ';)
		w->p++;
	w->n = (size_t)(w->p - w->word);
	is = memchr(w->word, '=', w->n);
	w->value = is ? is + 1 : NULL;
	w->len = is ? (size_t)(w->p - w->value) : 0;
	w->n = is ? (size_t)(is - w->word) : w->n;
	return true;
}

static bool number_of(const struct words *w, uint64_t *v)
{
	return w->value && tm_num_u64((const unsigned char *)w->value, w->len, v);
}

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The text that is its value, as a name; TM_NAME_NONE when out of memory. */
static uint32_t text_of(const struct words *w, struct tm_names *names)
{
	const char *p = w->value, *end = p + w->len;
	struct tm_buf b = { 0 };
	uint32_t id;

	for (; p < end; p++)
		if (*p == '%' && end - p > 2 && hex(p[1]) >= 0 && hex(p[2]) >= 0) {
			tm_buf_chr(&b, (char)(hex(p[1]) << 4 | hex(p[2])));
			p += 2;
		} else {
			tm_buf_chr(&b, *p);
		}
	id = b.failed ? TM_NAME_NONE : tm_names_add(names, b.p ? b.p : "", b.n);
	tm_buf_fini(&b);
	return id;
}

static void read_loss(struct tm_loss *loss, const struct words *w)
{
	uint64_t n;

	for (int i = 0; number_of(w, &n) && i < TM_LOSS_REASONS; i++)
		if (is_word(w, tm_losses[i].word))
			loss->of[i].n = n;
}

/* A column of an agent into the row. */
static bool read_cell(struct tm_reader *r, struct tm_ev_row *row, const struct words *w)
{
	enum tm_ev_col c;

	TM_EV_EACH(c, tm_drawn_agent_columns())
	{
		const bool text = tm_ev_columns[c].type == TM_EVT_NAME;
		uint64_t v;

		if (!is_word(w, tm_ev_columns[c].word))
			continue;
		if (text && (v = text_of(w, &r->names)) == TM_NAME_NONE)
			return false;
		if (text || number_of(w, &v))
			tm_ev_put(row, c, v);
	}
	return true;
}

/* The agents of a rank, where somebody asks for them. */
static bool put_agents(const struct tm_drawn *m, struct tm_reader *r, size_t nth,
                       struct tm_ev_rows *agents)
{
	const tm_ev_set use = tm_drawn_agent_columns() & ~TM_EV_BIT(TM_EVC_AGENT) &
	                      ~TM_EV_BIT(TM_EVC_NAME) & ~TM_EV_BIT(TM_EVC_TYPE);
	const struct tm_name *about = &m->text.v[m->about[nth]];
	struct words w = words_of(about->text, about->len);
	struct tm_ev_row row = { .has = 0 };
	bool inside = false, ok = true;

	if (!(r->want & use))
		return true;
	while (ok && next_word(&w) && !is_word(&w, HOST)) {
		if (w.value) {
			ok = !inside || read_cell(r, &row, &w);
			continue;
		}
		ok = !row.has || tm_ev_rows_add(agents, &row);
		row.has = 0;
		inside = is_word(&w, AGENT);
	}
	return ok && (!row.has || tm_ev_rows_add(agents, &row));
}

static const char *keep(struct tm_drawn *m, const char *p, size_t n)
{
	uint32_t id = tm_names_add(&m->text, p, n);

	return id == TM_NAME_NONE ? NULL : m->text.v[id].text;
}

/* What the text says of the process, but for its agents, into its origin. */
static bool read_about(struct tm_drawn *m, struct tm_origin *o, const struct tm_name *about)
{
	struct words w = words_of(about->text, about->len);
	bool without = false;
	uint64_t error;
	uint32_t id;

	while (next_word(&w)) {
		if (is_word(&w, HOST) && w.p < w.end) {
			o->id.host = keep(m, w.p + 1, (size_t)(w.end - w.p) - 1);
			return o->id.host != NULL;
		}
		if (is_word(&w, CLOCK) && w.value) {
			id = text_of(&w, &m->text);
			if (id == TM_NAME_NONE)
				return false;
			o->id.clock = m->text.v[id].text;
		}
		/* The clock that they share is that of the timeline. */
		if (is_word(&w, ALIGNED))
			o->method = "shared";
		if (o->method && !without && is_word(&w, ERROR) && number_of(&w, &error)) {
			o->has_residual = true;
			o->residual_ns = error;
		}
		if (without)
			read_loss(&o->loss, &w);
		without = is_word(&w, WITHOUT) || (without && w.value);
	}
	return true;
}

bool tm_drawn_add(struct tm_drawn *m, struct tm_reader *r, const char *name, size_t len,
                  const char *about, size_t n, bool *is_rank)
{
	struct tm_origin o = { .id.format = r->ops->name,
		               .id.table = r->table,
		               .id.producer = TM_DRAWN_BY,
		               .id.rule = TM_RANK_TRACE,
		               .live = true,
		               .drawn = true };
	uint32_t id = tm_names_add(&m->text, about ? about : "", n);
	struct tm_buf b = { 0 };
	uint64_t size;
	int fd;

	if (id == TM_NAME_NONE)
		return false;

	*is_rank = rank_of(name, len, &o.id.rank);
	if (!*is_rank)
		return true;
	if (tm_source_regular(r->src, &fd, &size))
		o.id.bytes = size;
	tm_buf_fmt(&b, "%s:rank %" PRIu64, tm_source_name(r->src), o.id.rank);
	o.id.path = o.id.run = b.failed ? NULL : keep(m, b.p, b.n);
	tm_buf_fini(&b);
	if (!o.id.path || !read_about(m, &o, &m->text.v[id]) ||
	    !tm_grow_array(&m->origin, &m->cap, m->n + 1, sizeof *m->origin) ||
	    !tm_grow_array(&m->about, &m->about_cap, m->n + 1, sizeof *m->about))
		return false;
	m->about[m->n] = id;
	m->origin[m->n++] = o;
	return true;
}

bool tm_drawn_know(struct tm_drawn *m, struct tm_reader *r, struct tm_ev_rows *agents)
{
	r->producer = TM_DRAWN_BY;
	if (!m->n)
		return true;
	/* What was left out when it was drawn is lost before the first event is read. */
	r->loss = m->origin->loss;
	if (!put_agents(m, r, 0, agents))
		return false;
	if (m->n == 1) {
		r->clock = m->origin->id.clock;
		r->has_rank = true;
		r->rank = m->origin->id.rank;
		return !m->origin->id.host ||
		       tm_reader_host(r, m->origin->id.host, strlen(m->origin->id.host));
	}
	r->origins = r->origin = m->origin;
	r->norigins = m->n;
	return true;
}

bool tm_drawn_next(struct tm_drawn *m, struct tm_reader *r, size_t nth, struct tm_ev_rows *agents)
{
	m->origin[r->origin - r->origins].loss = r->loss;
	r->loss = m->origin[nth].loss;
	r->origin = &r->origins[nth];
	return put_agents(m, r, nth, agents);
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
	free(m->about);
	tm_names_fini(&m->text);
}
