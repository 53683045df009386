/* SPDX-License-Identifier: MIT */
#include "question/state.h"

#include "base/base.h"
#include "io/io.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PACKED = 0 };

enum { APART = 1, IDLE = 2, ORIGIN = 4, FLAGS = 7 };

enum { CELL_TYPE = 7, CELL_NEG = 8, CELL_OWN = 16, CELL_DEPTH = 32, CELL_BITS = 63 };

struct span {
	const unsigned char *p, *end;
};

struct tm_state_part {
	uint64_t rank;
	char *where;
	unsigned char *bytes;
	size_t size;
	/* after tm_state_open: */
	unsigned char *plain; /* what was packed in `bytes`, or, where that is large, its beginning;
	                       * NULL = they are not packed */
	size_t item_at, item_end; /* where the items are in all of that, if it is the beginning */
	bool begins, given;       /* it is; the items were given to somebody */
	unsigned flags;
	uint64_t origin, length_ns;
	tm_u128 gpu_ns;
	char *idle;
	uint64_t nsum, nset, nitem, ncols, nrows;
	struct span sum, set, item, cells; /* what is left of them */
	bool bad;
};

/* ---- writing ---- */

static bool put_text(struct tm_buf *out, const char *s, size_t n)
{
	return tm_num_put_varint(out, n) && (!n || tm_buf_add(out, s, n));
}

static bool put_wide(struct tm_buf *out, tm_u128 v)
{
	return tm_num_put_varint(out, (uint64_t)v) && tm_num_put_varint(out, (uint64_t)(v >> 64));
}

static void put_cell(struct tm_buf *out, const struct tm_cell *c)
{
	tm_buf_chr(out, (char)(c->type | (c->neg ? CELL_NEG : 0) | (c->own ? CELL_OWN : 0) |
	                       (c->depth ? CELL_DEPTH : 0)));
	if (c->own)
		tm_buf_chr(out, (char)c->own);
	if (c->depth)
		tm_buf_chr(out, (char)c->depth);
	if (c->type == TM_CELL_TEXT || c->type == TM_CELL_DIGITS)
		put_text(out, c->v.s, c->len);
	else if (c->type != TM_CELL_NONE)
		tm_num_put_varint(out, c->v.u);
}

/* Ranks may have other numbers when it is read: theirs is not kept. */
static size_t rank_column(const struct tm_column *const *columns, size_t n)
{
	size_t i = 0;

	while (i < n && strcmp(columns[i]->name, "rank") != 0)
		i++;
	return i;
}

/* The bytes before they are packed. */
static bool save(struct tm_state *s, const struct tm_metric *m, const struct tm_table *t,
                 const struct tm_state_runs *r, struct tm_buf *out)
{
	const size_t rank = rank_column(t->columns, t->ncols);
	const struct tm_cell none = tm_cell_none();
	const size_t rows = s->rows ? t->nrows : 0;

	tm_num_put_varint(out, m->state);
	tm_num_put_varint(out, (r->apart ? APART : 0) | (r->idle ? IDLE : 0) |
	                               (t->norigin ? ORIGIN : 0));
	if (t->norigin)
		tm_num_put_varint(out, t->origin->at);
	if (r->idle) {
		put_text(out, r->idle, strlen(r->idle));
		put_wide(out, r->gpu_ns);
		tm_num_put_varint(out, r->length_ns);
	}
	tm_num_put_varint(out, s->sums);
	if (s->sum.n)
		tm_buf_add(out, s->sum.p, s->sum.n);
	tm_num_put_varint(out, s->sets);
	if (s->set.n)
		tm_buf_add(out, s->set.p, s->set.n);
	tm_num_put_varint(out, s->items);
	if (s->item.n)
		tm_buf_add(out, s->item.p, s->item.n);
	tm_num_put_varint(out, t->ncols);
	tm_num_put_varint(out, rows);
	for (size_t i = 0; i < rows * t->ncols; i++)
		put_cell(out, i % t->ncols == rank ? &none : &t->cells[i]);
	return !out->failed && !s->sum.failed && !s->set.failed && !s->item.failed;
}

bool tm_state_save(struct tm_state *s, const struct tm_metric *m, const struct tm_table *t,
                   const struct tm_state_runs *r, struct tm_buf *out)
{
	struct tm_buf plain = { 0 };
	bool ok = save(s, m, t, r, &plain) && tm_num_put_varint(out, PACKED) &&
	          tm_pack(out, plain.p, plain.n, TM_PACK_SMALL);

	tm_buf_fini(&plain);
	return ok;
}

/* ---- reading ---- */

static bool get_number(struct span *in, uint64_t *v)
{
	return tm_num_get_varint(&in->p, in->end, v);
}

static bool get_wide(struct span *in, tm_u128 *v)
{
	uint64_t low, high;

	if (!get_number(in, &low) || !get_number(in, &high))
		return false;
	*v = (tm_u128)high << 64 | low;
	return true;
}

static bool get_text(struct span *in, const char **s, size_t *n)
{
	uint64_t len;

	if (!get_number(in, &len) || len > (uint64_t)(in->end - in->p) || len >= UINT32_MAX)
		return false;
	*s = (const char *)in->p;
	*n = (size_t)len;
	in->p += len;
	return true;
}

static bool get_byte(struct span *in, unsigned char *c)
{
	if (in->p == in->end)
		return false;
	*c = *in->p++;
	return true;
}

static bool get_cell(struct span *in, struct tm_cell *c)
{
	unsigned char bits, own = 0, depth = 0;
	const char *s = "";
	uint64_t v;
	size_t n;

	*c = tm_cell_none();
	if (!get_byte(in, &bits) || bits & ~(unsigned)CELL_BITS ||
	    (bits & CELL_TYPE) > TM_CELL_DIGITS || (bits & CELL_OWN && !get_byte(in, &own)) ||
	    own > TM_UNIT_TIME + 1 || (bits & CELL_DEPTH && !get_byte(in, &depth)))
		return false;
	switch ((enum tm_cell_type)(bits & CELL_TYPE)) {
	case TM_CELL_NONE:
		break;
	case TM_CELL_U64:
	case TM_CELL_FIXED:
		if (!get_number(in, &v))
			return false;
		*c = tm_cell_signed(bits & CELL_NEG, v);
		c->type = bits & CELL_TYPE;
		break;
	case TM_CELL_TEXT:
	case TM_CELL_DIGITS:
		if (!get_text(in, &s, &n))
			return false;
		*c = (bits & CELL_TYPE) == TM_CELL_TEXT ? tm_cell_text(s, n)
		                                        : tm_cell_as_read(s, n);
		break;
	}
	c->own = own;
	c->depth = depth;
	return true;
}

/* Pass over so many items, and remember where they were. */
static bool pass(struct span *in, uint64_t n, struct span *out, bool (*item)(struct span *in))
{
	*out = *in;
	/* Each takes a byte or more. */
	if (n > (uint64_t)(in->end - in->p))
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (!item(in))
			return false;
	out->end = in->p;
	return true;
}

static bool pass_sum(struct span *in)
{
	tm_u128 v;

	return get_wide(in, &v);
}

static bool pass_text(struct span *in)
{
	const char *s;
	size_t n;

	return get_text(in, &s, &n);
}

static bool pass_set(struct span *in)
{
	struct span out;
	uint64_t n;

	return get_number(in, &n) && pass(in, n, &out, pass_text);
}

static bool get_item(struct span *in, struct tm_state_item *it)
{
	const char *bytes;
	uint64_t n;

	if (!get_text(in, &it->text, &it->len) || !get_number(in, &n) || n > TM_STATE_WORDS)
		return false;
	it->nv = (size_t)n;
	for (size_t i = 0; i < it->nv; i++)
		if (!get_number(in, &it->v[i]))
			return false;
	if (!get_text(in, &bytes, &it->nbytes))
		return false;
	it->bytes = bytes;
	return true;
}

static bool pass_item(struct span *in)
{
	struct tm_state_item it;

	return get_item(in, &it);
}

static bool pass_cell(struct span *in)
{
	struct tm_cell c;

	return get_cell(in, &c);
}

/* 0 = damaged, 1 = as it should be, -1 = out of memory. */
static int read_runs(struct tm_state_part *p, struct span *in)
{
	const char *path;
	size_t n;

	if (p->flags & ORIGIN && !get_number(in, &p->origin))
		return 0;
	if (!(p->flags & IDLE))
		return 1;
	if (!get_text(in, &path, &n) || !get_wide(in, &p->gpu_ns) ||
	    !get_number(in, &p->length_ns) || p->gpu_ns >> 64)
		return 0;
	p->idle = strndup(path, n);
	return p->idle ? 1 : -1;
}

/* Undo tm_pack.  Files of earlier versions are as they are.  As read_runs. */
static int unpack(const struct tm_state_part *p, unsigned char **plain, struct span *in)
{
	size_t n;
	bool bad;

	*plain = NULL;
	*in = (struct span) { p->bytes, p->bytes + p->size };
	if (!p->size || *p->bytes != PACKED)
		return 1;
	*plain = tm_unpack(p->bytes + 1, p->size - 1, &n, &bad);
	if (!*plain)
		return bad ? 0 : -1;
	*in = (struct span) { *plain, *plain + n };
	return 1;
}

static struct span moved(struct span s, const unsigned char *from, const unsigned char *to)
{
	return (struct span) { to + (s.p - from), to + (s.end - from) };
}

/* Let go of items that are looked at one rank after the other: many ranks have many. */
static bool shrink(struct tm_state_part *p)
{
	const size_t n = (size_t)(p->set.end - p->plain);
	unsigned char *head = malloc(n + 1);

	if (!head)
		return false;
	memcpy(head, p->plain, n);
	p->item_at = (size_t)(p->item.p - p->plain);
	p->item_end = (size_t)(p->item.end - p->plain);
	p->sum = moved(p->sum, p->plain, head);
	p->set = moved(p->set, p->plain, head);
	p->item = p->cells = (struct span) { head, head };
	p->begins = true;
	free(p->plain);
	p->plain = head;
	return true;
}

static int read_part(struct tm_state_part *p, const struct tm_metric *m)
{
	uint64_t form, flags, cells;
	struct span in;
	int how = unpack(p, &p->plain, &in);

	if (how != 1)
		return how;
	if (!get_number(&in, &form) || form != m->state || !get_number(&in, &flags) ||
	    flags > FLAGS)
		return 0;
	p->flags = (unsigned)flags;
	how = read_runs(p, &in);
	if (how != 1)
		return how;
	how = get_number(&in, &p->nsum) && pass(&in, p->nsum, &p->sum, pass_sum) &&
	      get_number(&in, &p->nset) && pass(&in, p->nset, &p->set, pass_set) &&
	      get_number(&in, &p->nitem) && pass(&in, p->nitem, &p->item, pass_item) &&
	      get_number(&in, &p->ncols) && get_number(&in, &p->nrows) &&
	      p->ncols <= TM_TABLE_COLUMNS && !__builtin_mul_overflow(p->ncols, p->nrows, &cells) &&
	      pass(&in, cells, &p->cells, pass_cell) && in.p == in.end;
	if (how && p->plain && !p->nrows && p->nitem && !shrink(p))
		how = -1;
	return how;
}

/* ---- answering ---- */

bool tm_state_totals(struct tm_state *s, uint64_t rank, const char *where)
{
	s->totals = true;
	if (!s->where)
		s->where = strdup(where);
	if (!s->where || !tm_grow_array(&s->rank, &s->ranks_cap, s->nranks + 1, sizeof *s->rank))
		return false;
	s->rank[s->nranks] = (struct tm_state_rank) { rank, strdup(where) };
	return s->rank[s->nranks++].where != NULL;
}

bool tm_state_events(struct tm_state *s, uint64_t rank)
{
	if (s->nlive && s->live[s->nlive - 1] == rank)
		return true;
	if (!tm_grow_array(&s->live, &s->live_cap, s->nlive + 1, sizeof *s->live))
		return false;
	s->live[s->nlive++] = rank;
	return true;
}

bool tm_state_take(struct tm_state *s, uint64_t rank, const char *where, const void *p, size_t n)
{
	struct tm_state_part *part;

	if (!tm_grow_array(&s->part, &s->cap, s->n + 1, sizeof *s->part))
		return false;
	part = &s->part[s->n++];
	*part = (struct tm_state_part) {
		.rank = rank, .where = strdup(where), .bytes = malloc(n + 1), .size = n
	};
	if (part->bytes && n)
		memcpy(part->bytes, p, n);
	return part->where && part->bytes;
}

bool tm_state_merge(struct tm_state *into, struct tm_state *from)
{
	if (!tm_grow_array(&into->part, &into->cap, into->n + from->n, sizeof *into->part))
		return false;
	if (from->n)
		memcpy(into->part + into->n, from->part, from->n * sizeof *from->part);
	into->n += from->n;
	from->n = 0;
	into->totals |= from->totals;
	if (!tm_grow_array(&into->rank, &into->ranks_cap, into->nranks + from->nranks,
	                   sizeof *into->rank))
		return false;
	if (from->nranks)
		memcpy(into->rank + into->nranks, from->rank, from->nranks * sizeof *from->rank);
	into->nranks += from->nranks;
	from->nranks = 0;
	for (size_t i = 0; i < from->nlive; i++)
		if (!tm_state_events(into, from->live[i]))
			return false;
	from->nlive = 0;
	if (!into->where) {
		into->where = from->where;
		from->where = NULL;
	}
	return true;
}

static void part_fini(struct tm_state_part *p)
{
	free(p->where);
	free(p->bytes);
	free(p->plain);
	free(p->idle);
}

static int by_rank(const void *pa, const void *pb)
{
	const struct tm_state_part *a = pa, *b = pb;
	int c = tm_u64_cmp(a->rank, b->rank);

	if (!c)
		c = strcmp(a->where, b->where);
	if (!c)
		c = tm_u64_cmp(a->size, b->size);
	return c ? c : memcmp(a->bytes, b->bytes, a->size);
}

/* A rank that is there twice has no answer: what lies between its parts is not known. */
static void refuse_doubles(struct tm_state *s, struct tm_report *rep)
{
	for (size_t i = 1; i < s->n; i++) {
		if (s->part[i].rank != s->part[i - 1].rank)
			continue;
		if (!s->part[i - 1].bad)
			tm_report_add(rep, TM_SEV_ERROR, s->part[i].where, 0,
			              "contains totals of rank %" PRIu64
			              ", as does another part of the input: they cannot be "
			              "combined without events; merge all traces of a rank at once",
			              s->part[i].rank);
		s->part[i].bad = s->part[i - 1].bad = true;
	}
}

/* The rank has no part: it is no answer to leave it out. */
static void refuse_missing(const struct tm_state *s, const struct tm_metric *m,
                           struct tm_report *rep)
{
	struct tm_report_few few = { 0 };
	uint64_t last = 0;

	for (size_t i = 0, at = 0; i < s->nranks; i++) {
		const uint64_t rank = s->rank[i].rank;

		while (at < s->n && s->part[at].rank < rank)
			at++;
		if ((at < s->n && s->part[at].rank == rank) || (i && rank == last))
			continue;
		last = rank;
		if (tm_report_few(&few))
			tm_report_add(rep, TM_SEV_ERROR, s->rank[i].where, 0,
			              "contains nothing of rank %" PRIu64
			              " for '%s': written by an older tracemerge, or with filters; "
			              "merge the traces again",
			              rank, m->name);
	}
	tm_report_more(rep, &few, TM_SEV_ERROR, "nothing of them");
}

static int by_number(const void *a, const void *b)
{
	return tm_u64_cmp(((const struct tm_state_rank *)a)->rank,
	                  ((const struct tm_state_rank *)b)->rank);
}

bool tm_state_open(struct tm_state *s, const struct tm_metric *m, struct tm_report *rep)
{
	struct tm_report_few few = { 0 };
	size_t n = 0;

	if (s->n)
		qsort(s->part, s->n, sizeof *s->part, by_rank);
	if (s->nranks)
		qsort(s->rank, s->nranks, sizeof *s->rank, by_number);
	refuse_missing(s, m, rep);
	refuse_doubles(s, rep);
	for (size_t i = 0; i < s->n; i++) {
		int how = s->part[i].bad ? 1 : read_part(&s->part[i], m);
		if (how < 0)
			return false;
		if (!how && tm_report_few(&few))
			tm_report_add(rep, TM_SEV_ERROR, s->part[i].where, 0,
			              "table state: data of rank %" PRIu64
			              " for '%s' is damaged, or of another version: merge the "
			              "traces again",
			              s->part[i].rank, m->name);
		if (how && !s->part[i].bad)
			s->part[n++] = s->part[i];
		else
			part_fini(&s->part[i]);
	}
	tm_report_more(rep, &few, TM_SEV_ERROR, "the same");
	s->n = n;
	return true;
}

uint64_t tm_state_runs(const struct tm_state *s, size_t i, struct tm_state_runs *r)
{
	const struct tm_state_part *p = &s->part[i];

	*r = (struct tm_state_runs) { .apart = p->flags & APART,
		                      .idle = p->idle,
		                      .gpu_ns = p->gpu_ns,
		                      .length_ns = p->length_ns };
	return p->rank;
}

/* Rows of the part; its bytes were looked through already. */
static bool add_rows(struct tm_state_part *p, struct tm_table *t, size_t rank)
{
	for (uint64_t r = 0; r < p->nrows; r++) {
		struct tm_cell *cell = tm_table_row(t);

		for (size_t c = 0; cell && c < t->ncols; c++)
			get_cell(&p->cells, &cell[c]);
		if (!cell)
			return false;
		if (rank < t->ncols)
			cell[rank] = tm_cell_u64(p->rank);
	}
	return true;
}

static int by_origin(const void *pa, const void *pb)
{
	const struct tm_table_origin *a = pa, *b = pb;

	return tm_u64_cmp(a->rank, b->rank);
}

bool tm_state_rows(struct tm_state *s, struct tm_table *t)
{
	const size_t rank = rank_column(t->columns, t->ncols), rows = t->nrows;

	if (!s)
		return true;
	s->rows = true;
	for (size_t i = 0; !s->writing && i < s->n; i++) {
		struct tm_state_part *p = &s->part[i];

		/* Without rows it may be asked for another view. */
		s->short_of |= p->nrows && p->ncols != t->ncols;
		if ((p->ncols == t->ncols && !add_rows(p, t, rank)) ||
		    (p->flags & ORIGIN && !tm_table_origin(t, p->rank, p->origin)))
			return false;
	}
	if (t->norigin && !s->writing)
		qsort(t->origin, t->norigin, sizeof *t->origin, by_origin);
	return s->writing || !rows || rank == t->ncols || tm_table_sort(t, &rank, 1);
}

tm_u128 tm_state_sum(struct tm_state *s, tm_u128 own)
{
	if (!s)
		return own;
	if (s->writing) {
		s->sums++;
		put_wide(&s->sum, own);
		return own;
	}
	for (size_t i = 0; i < s->n; i++) {
		tm_u128 v;

		if (get_wide(&s->part[i].sum, &v))
			own += v;
		else
			s->short_of = true;
	}
	return own;
}

void tm_state_same(struct tm_state *s, uint64_t number)
{
	tm_u128 v;

	if (s && s->writing)
		tm_state_sum(s, number);
	for (size_t i = 0; s && !s->writing && i < s->n; i++)
		s->short_of |= !get_wide(&s->part[i].sum, &v) || v != number;
}

static bool add_names(struct span *in, struct tm_names *names)
{
	uint64_t n;
	const char *text;
	size_t len;

	for (bool any = get_number(in, &n); any && n; n--)
		if (get_text(in, &text, &len) && names &&
		    tm_names_add(names, text, len) == TM_NAME_NONE)
			return false;
	return true;
}

bool tm_state_names(struct tm_state *s, struct tm_names *names)
{
	if (!s)
		return true;
	if (!s->writing) {
		for (size_t i = 0; i < s->n; i++) {
			s->short_of |= s->part[i].set.p == s->part[i].set.end;
			if (!add_names(&s->part[i].set, names))
				return false;
		}
		return true;
	}
	s->sets++;
	tm_num_put_varint(&s->set, names->n);
	for (uint32_t i = 0; i < names->n; i++)
		put_text(&s->set, names->v[i].text, names->v[i].len);
	return !s->set.failed;
}

void tm_state_put(struct tm_state *s, const struct tm_state_item *it)
{
	if (!s || !s->writing)
		return;
	s->items++;
	put_text(&s->item, it->text, it->len);
	tm_num_put_varint(&s->item, it->nv);
	for (size_t i = 0; i < it->nv; i++)
		tm_num_put_varint(&s->item, it->v[i]);
	put_text(&s->item, it->bytes, it->nbytes);
}

/* The items of one rank. */
static bool give(struct tm_state *s, struct tm_state_part *p, struct span in, size_t nv,
                 bool (*take)(void *arg, uint64_t rank, const struct tm_state_item *it), void *arg)
{
	struct tm_state_item it;

	p->given = true;
	while (in.p < in.end && get_item(&in, &it)) {
		s->short_of |= it.nv != nv;
		if (it.nv == nv && !take(arg, p->rank, &it))
			return false;
	}
	return true;
}

bool tm_state_each(struct tm_state *s, size_t nv,
                   bool (*take)(void *arg, uint64_t rank, const struct tm_state_item *it),
                   void *arg)
{
	for (size_t i = 0; s && !s->writing && i < s->n; i++) {
		struct tm_state_part *p = &s->part[i];
		unsigned char *plain = NULL;
		struct span in = p->item, all;
		bool ok;

		/* It was looked through before, so that it is there. */
		if (p->begins && unpack(p, &plain, &all) != 1)
			return false;
		if (p->begins)
			in = (struct span) { all.p + p->item_at, all.p + p->item_end };
		ok = give(s, p, in, nv, take, arg);
		free(plain);
		if (!ok)
			return false;
	}
	return true;
}

void tm_state_bad(struct tm_state *s)
{
	s->short_of = true;
}

bool tm_state_short(const struct tm_state *s, const struct tm_metric *m,
                    const struct tm_metric_opts *o, struct tm_report *rep)
{
	bool any = s->short_of;

	/* A view asks for less. */
	for (size_t i = 0; i < s->n && !o->view; i++)
		any |= s->part[i].sum.p != s->part[i].sum.end ||
		       s->part[i].set.p != s->part[i].set.end ||
		       (s->part[i].nitem && !s->part[i].given);
	if (any)
		tm_report_add(rep, TM_SEV_ERROR, s->where, 0,
		              "table state: data for '%s' is damaged, or of another version: merge "
		              "the traces again",
		              m->name);
	return any;
}

void tm_state_fini(struct tm_state *s)
{
	for (size_t i = 0; i < s->n; i++)
		part_fini(&s->part[i]);
	free(s->part);
	for (size_t i = 0; i < s->nranks; i++)
		free(s->rank[i].where);
	free(s->where);
	free(s->rank);
	free(s->live);
	tm_buf_fini(&s->sum);
	tm_buf_fini(&s->set);
	tm_buf_fini(&s->item);
	*s = (struct tm_state) { 0 };
}

/* ---- between the reader and the question ---- */

struct watch {
	struct tm_state s; /* first */
	const struct tm_state_opts *how;
	struct tm_event_sink sink;
	/* the piece being read */
	uint64_t rank;
	const char *totals; /* the file of totals that it is of, or NULL */
	                    /* the accumulator of `sink` follows, aligned */
};

enum { INSIDE = (sizeof(struct watch) + 63) / 64 * 64 };

void *tm_state_watched(void *acc)
{
	return (char *)acc + INSIDE;
}

static bool init(void *acc, const void *arg)
{
	struct watch *w = acc;
	const struct tm_state_opts *how = arg;

	*w = (struct watch) { .how = how, .sink = *how->sink };
	return w->sink.init(tm_state_watched(w), w->sink.arg);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct watch *w = acc;

	w->rank = p->id.rank;
	w->totals = p->origin ? p->origin->totals : NULL;
	if (w->totals ? !tm_state_totals(&w->s, w->rank, w->totals)
	              : !tm_state_events(&w->s, w->rank))
		return false;
	return w->sink.piece(tm_state_watched(w), p);
}

static bool take_states(struct watch *w, const struct tm_batch *b)
{
	const char *question = w->how->m->name;

	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t at = b->col[TM_EVC_STATE][i];

		if (!tm_batch_has(b, i, TM_EVC_NAME) || !tm_batch_has(b, i, TM_EVC_STATE) ||
		    strcmp(b->names->v[b->col[TM_EVC_NAME][i]].text, question) != 0)
			continue;
		if (!tm_state_take(&w->s, w->rank, w->totals ? w->totals : "",
		                   b->bytes + (at >> 32), (uint32_t)at))
			return false;
	}
	return true;
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct watch *w = acc;

	if (b->kind == TM_EV_STATE)
		return take_states(w, b);
	if (w->totals && w->how->m->state && !w->how->m->state_sums)
		return true;
	return w->sink.take(tm_state_watched(w), b);
}

static bool merge(void *into, void *from)
{
	struct watch *w = into, *f = from;

	return tm_state_merge(&w->s, &f->s) &&
	       w->sink.merge(tm_state_watched(w), tm_state_watched(f));
}

static bool done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                 const struct tm_diag *why)
{
	struct watch *w = acc;

	return !w->sink.done || w->sink.done(tm_state_watched(w), p, l, why);
}

static void fini(void *acc)
{
	struct watch *w = acc;

	tm_state_fini(&w->s);
	w->sink.fini(tm_state_watched(w));
}

static size_t held(const void *acc)
{
	return ((const struct watch *)acc)->sink.held((const char *)acc + INSIDE);
}

struct tm_event_sink tm_state_watch(const struct tm_state_opts *how)
{
	return (struct tm_event_sink) { .size = INSIDE + how->sink->size,
		                        .arg = how,
		                        .init = init,
		                        .piece = piece,
		                        .take = take,
		                        .merge = merge,
		                        .fini = fini,
		                        .done = done,
		                        .mixed = true, /* no answer depends on it */
		                        .held = how->sink->held ? held : NULL };
}
