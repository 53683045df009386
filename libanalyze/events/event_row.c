/* SPDX-License-Identifier: MIT
 * One event, one line.  What does not change within a batch (separators, keys, absent cells, rank)
 * is put together once for the batch; a row is then a few copies and the digits of its numbers. */
#include "events/events_parts.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DIGITS = 20,
	AGENT_MAX = 18, /* tm_agent_text and quotes */
	SHAPE_MAX = 64, /* 3 numbers, 2 x, quotes */
	REAL_MAX = 32,  /* %.17g */
	WORD_MAX = 16,  /* a kind or a domain, and quotes */
};

/* How a column of each type is shown. */
enum {
	SHOWN_NAME = ROW_TEXT,
	SHOWN_NUMBER = ROW_NUMBER,
	SHOWN_REAL = ROW_REAL,
	SHOWN_AGENT = ROW_AGENT,
	SHOWN_DOMAIN = ROW_DOMAIN,
	SHOWN_TIME = ROW_NUMBER,
	SHOWN_SUM = ROW_NUMBER,
	SHOWN_STATE = ROW_NUMBER,
};

/* By column, so that the tables below can be constants. */
enum {
#define EV_COLUMN(id, type, word, about)                                                           \
	SHOWN_COLUMN_##id = TM_EVC_##id == TM_EVC_NAME ? (int)ROW_NAME : (int)SHOWN_##type,
#include "model/columns.def"
#undef EV_COLUMN
};

static const struct {
#define EV_COLUMN(id, type, word, about) char id##_word[sizeof word], id##_about[sizeof about];
#include "model/columns.def"
#undef EV_COLUMN
} texts = {
#define EV_COLUMN(id, type, word, about) word, about,
#include "model/columns.def"
#undef EV_COLUMN
};

const struct event_column tm_event_columns[EVENT_COLUMNS] = {
#define EVENT_COLUMN(id, title_, unit_)                                                            \
	{ .cell = (enum event_cell)SHOWN_COLUMN_##id, .col = TM_EVC_##id, .product = TM_EVC_N },
#define X(name_, title_, about_, unit_, cell_, col_, product_)                                     \
	{ .cell = cell_, .col = col_, .product = product_ },
#include "events/events.def"
#undef X
#undef EVENT_COLUMN
};

const struct tm_column tm_event_heads[EVENT_COLUMNS + 1] = {
#define EVENT_COLUMN(id, title_, unit_)                                                            \
	{ .name = texts.id##_word, .title = title_, .about = texts.id##_about, .unit = unit_ },
#define X(name_, title_, about_, unit_, cell_, col_, product_)                                     \
	{ .name = name_, .title = title_, .about = about_, .unit = unit_ },
#include "events/events.def"
#undef X
#undef EVENT_COLUMN
	{ 0 },
};

const char *const tm_event_words[] = {
	"kernel", "copy", "api", "marker", "alloc", "counter", NULL
};

void tm_event_rows_init(struct event_rows *w, const struct tm_events *e, const char *const *columns,
                        size_t ncolumns)
{
	*w = (struct event_rows) { .e = e };
	for (unsigned char i = 0; !columns && i < EVENT_COLUMNS; i++)
		w->col[w->ncol++] = i;
	for (size_t i = 0; columns && i < ncolumns; i++)
		for (unsigned char k = 0; k < EVENT_COLUMNS; k++)
			if (!strcmp(tm_event_heads[k].name, columns[i]))
				w->col[w->ncol++] = k;
}

tm_ev_set tm_event_rows_want(const struct event_rows *w)
{
	/* A row is whole or not by its name and times, whatever is printed of it. */
	tm_ev_set want = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END) |
	                 TM_EV_BIT(TM_EVC_DOMAIN);

	for (size_t i = 0; i < w->ncol; i++) {
		const struct event_column *c = &tm_event_columns[w->col[i]];

		if (c->col < TM_EVC_N)
			want |= TM_EV_BIT(c->col);
		if (c->cell == ROW_SHAPE)
			want |= TM_EV_BIT(c->col + 1) | TM_EV_BIT(c->col + 2) |
			        TM_EV_BIT(c->product);
	}
	return want;
}

bool tm_event_rows_header(const struct event_rows *w, struct tm_buf *out)
{
	if (w->e->form.keyed)
		return !out->failed;
	for (size_t i = 0; i < w->ncol; i++) {
		if (i)
			tm_buf_chr(out, ',');
		tm_buf_str(out, tm_event_heads[w->col[i]].name);
	}
	return tm_buf_chr(out, '\n');
}

/* Can rows of this batch have the cell, and do all of them? */
static bool present(const struct event_column *c, const struct tm_batch *b, bool *always)
{
	tm_ev_set bits = c->col < TM_EVC_N ? TM_EV_BIT(c->col) : 0;

	*always = true;
	switch (c->cell) {
	case ROW_KIND:
	case ROW_DOMAIN:
	case ROW_RANK:
		return true;
	case ROW_NAME:
		return b->some & TM_EV_BIT(TM_EVC_NAME);
	case ROW_CLASS:
		return (b->kind == TM_EV_DISPATCH || b->kind == TM_EV_COUNTER) &&
		       b->some & TM_EV_BIT(TM_EVC_NAME);
	case ROW_DIRECTION:
		return b->kind == TM_EV_COPY && b->some & TM_EV_BIT(TM_EVC_NAME);
	case ROW_SHAPE:
		*always = false;
		return b->some & (bits | TM_EV_BIT(c->product));
	case ROW_AGENT:
	case ROW_NUMBER:
	case ROW_REAL:
	case ROW_TEXT:
		*always = b->has & bits;
		return b->some & bits;
	}
	return false;
}

static size_t most_of(enum event_cell cell)
{
	switch (cell) {
	case ROW_AGENT:
		return AGENT_MAX;
	case ROW_SHAPE:
		return SHAPE_MAX;
	case ROW_REAL:
		return REAL_MAX;
	case ROW_KIND:
	case ROW_DOMAIN:
		return WORD_MAX;
	case ROW_RANK:
	case ROW_NUMBER:
		return DIGITS;
	case ROW_NAME:
	case ROW_CLASS:
	case ROW_DIRECTION:
	case ROW_TEXT:
		break;
	}
	return 4; /* null; the texts are counted row by row */
}

bool tm_event_rows_plan(struct event_rows *w, const struct tm_batch *b, uint64_t rank)
{
	bool json = w->e->form.keyed;
	uint32_t from = 0;

	tm_buf_clear(&w->lits);
	w->nstep = 0;
	w->rank = rank;
	w->most = 2;
	for (size_t i = 0; i < w->ncol; i++) {
		const struct event_column *c = &tm_event_columns[w->col[i]];
		bool always;

		if (json) {
			tm_buf_str(&w->lits, i ? ",\"" : "{\"");
			tm_buf_str(&w->lits, tm_event_heads[w->col[i]].name);
			tm_buf_str(&w->lits, "\":");
		} else if (i) {
			tm_buf_chr(&w->lits, ',');
		}
		if (c->cell == ROW_RANK) {
			tm_buf_u64(&w->lits, rank);
		} else if (present(c, b, &always)) {
			w->step[w->nstep++] = (struct event_step) {
				.lit = from,
				.nlit = (uint32_t)w->lits.n - from,
				.cell = c->cell,
				.col = c->col,
				.product = c->product,
				.always = always,
			};
			w->most += most_of(c->cell);
			from = (uint32_t)w->lits.n;
		} else if (json) {
			tm_buf_str(&w->lits, "null");
		}
	}
	tm_buf_str(&w->lits, json ? "}\n" : "\n");
	w->step[w->nstep++] = (struct event_step) { .lit = from,
		                                    .nlit = (uint32_t)w->lits.n - from,
		                                    .last = true };
	w->most += w->lits.n;
	return !w->lits.failed;
}

/* The shortest decimal that reads back as the same number. */
static char *put_real(char *p, double v)
{
	int n = 0;

	if (v >= 0 && v < 1e15 && v == floor(v))
		return tm_num_put_u64(p, (uint64_t)v);
	for (int digits = 15; digits <= 17; digits++) {
		n = snprintf(p, REAL_MAX, "%.*g", digits, v);
		if (strtod(p, NULL) == v)
			break;
	}
	return p + n;
}

static char *put_text(char *p, struct cell_text t)
{
	memcpy(p, t.p, t.n);
	return p + t.n;
}

static char *put_word(char *p, const char *word, bool json)
{
	size_t n = strlen(word);

	if (json)
		*p++ = '"';
	memcpy(p, word, n);
	p += n;
	if (json)
		*p++ = '"';
	return p;
}

static char *put_agent(char *p, uint64_t agent, bool json)
{
	char text[16];

	if (json)
		return put_word(p, tm_agent_text(agent, text), true);
	if (agent >> 32 == TM_AGENT_NODE)
		return tm_num_put_u64(p, (uint32_t)agent);
	return put_word(p, tm_agent_text(agent, text), false);
}

/* Nothing is put when the row has no shape. */
static char *put_shape(char *p, const struct event_step *s, const struct tm_batch *b, uint32_t i,
                       bool json)
{
	char *start = p;

	if (json)
		*p++ = '"';
	if (tm_batch_has(b, i, s->col)) {
		p = tm_num_put_u64(p, b->col[s->col][i]);
		for (enum tm_ev_col c = s->col + 1; c <= s->col + 2; c++)
			if (tm_batch_has(b, i, c)) {
				*p++ = 'x';
				p = tm_num_put_u64(p, b->col[c][i]);
			}
	} else if (tm_batch_has(b, i, s->product)) {
		p = tm_num_put_u64(p, b->col[s->product][i]);
	} else {
		return start;
	}
	if (json)
		*p++ = '"';
	return p;
}

/* The name in a column that is not TM_EVC_NAME. */
static const struct event_name *other_name(const struct event_texts *t, enum tm_ev_col col)
{
	return col == TM_EVC_COMM ? t->comm : t->counter;
}

/* A cell of row i at p; where it ends, the same place when the row has none. */
static char *put_cell(char *p, const struct event_step *s, const struct tm_batch *b, uint32_t i,
                      const struct event_texts *t, bool json)
{
	const struct event_name *other;

	switch (s->cell) {
	case ROW_NUMBER:
		return tm_num_put_u64(p, b->col[s->col][i]);
	case ROW_NAME:
		return t->name ? put_text(p, t->name->cell) : p;
	case ROW_CLASS:
		return t->name ? put_text(p, t->name->class_name) : p;
	case ROW_DIRECTION:
		return t->name ? put_text(p, t->name->direction) : p;
	case ROW_TEXT:
		other = other_name(t, s->col);
		return other ? put_text(p, other->cell) : p;
	case ROW_KIND:
		return put_word(p, tm_event_words[t->kind], json);
	case ROW_DOMAIN:
		return put_word(p, tm_domain_text(t->domain), json);
	case ROW_AGENT:
		return put_agent(p, b->col[s->col][i], json);
	case ROW_SHAPE:
		return put_shape(p, s, b, i, json);
	case ROW_REAL:
		return put_real(p, tm_cell_real(b->col[s->col][i]));
	case ROW_RANK:
		break;
	}
	return p;
}

bool tm_event_rows_put(struct event_rows *w, struct tm_buf *out, const struct tm_batch *b,
                       uint32_t i, const struct event_texts *t)
{
	bool json = w->e->form.keyed;
	size_t most = w->most;
	char *p;

	/* A column may be asked for more than once. */
	if (t->name)
		most += w->ncol * ((size_t)t->name->class_name.n + t->name->direction.n);
	for (size_t k = 0; k < w->nstep; k++) {
		const struct event_step *s = &w->step[k];
		const struct event_name *en = s->last               ? NULL
		                              : s->cell == ROW_NAME ? t->name
		                              : s->cell == ROW_TEXT ? other_name(t, s->col)
		                                                    : NULL;

		most += en ? en->cell.n : 0;
	}
	if (out->cap - out->n <= most && !tm_buf_reserve(out, most))
		return false;
	p = out->p + out->n;
	for (const struct event_step *s = w->step;; s++) {
		char *cell;

		memcpy(p, w->lits.p + s->lit, s->nlit);
		p += s->nlit;
		if (s->last)
			break;
		if (!s->always && s->cell != ROW_SHAPE && !(b->row_has[i] & TM_EV_BIT(s->col)))
			cell = p;
		else
			cell = put_cell(p, s, b, i, t, json);
		if (cell == p && json) {
			memcpy(p, "null", 4);
			cell += 4;
		}
		p = cell;
	}
	out->n = (size_t)(p - out->p);
	return true;
}

void tm_event_rows_fini(struct event_rows *w)
{
	tm_buf_fini(&w->lits);
}
