/* SPDX-License-Identifier: MIT
 * What tracecat writes with -f ndjson: an object on each line, whose keys are names that events
 * have.  The first line is the head: each of its keys must be known. */
#include "read/json/json_stream.h"
#include "read/ranked.h"

#include <string.h>

enum { KEYS_MOST = 128, KEY_BYTES = 24 };

/* Lines have their keys in the same order, as a rule: the next one is likely to be this. */
struct key {
	char text[KEY_BYTES];
	size_t n;
	unsigned code;
};

struct lines {
	struct tm_ranked rows; /* the first member */
	struct key key[KEYS_MOST];
	size_t nkey;
	struct tm_buf line, text; /* a line with its padding; a text without its escapes */
};

/* A cursor over a copy of the line.  False when out of memory. */
static bool over(struct tm_buf *copy, const char *p, size_t n, struct json *c)
{
	tm_buf_clear(copy);
	if (!tm_buf_reserve(copy, n + JSON_PAD))
		return false;
	memcpy(copy->p, p, n);
	memset(copy->p + n, 0, JSON_PAD);
	*c = (struct json) { .p = (const unsigned char *)copy->p,
		             .end = (const unsigned char *)copy->p + n,
		             .last = true };
	return true;
}

/* Nothing but blanks after the object? */
static bool at_end(const struct json *c)
{
	const unsigned char *p = c->p;

	while (p < c->end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	return c->state == JSON_GOOD && p == c->end;
}

/* How many keys of events the object has, if it has no others and all that are needed; else 0. */
static unsigned known_keys(struct json *c)
{
	bool first = true, seen[TM_CELL_UNKNOWN + 1] = { false };
	unsigned n = 0, need = 0;
	struct json_item key;

	if (tm_json_value(c).kind != JSON_OBJECT)
		return 0;
	while (tm_json_member(c, &first, &key)) {
		unsigned code = tm_cell_find((const char *)key.p, key.n);

		if (code == TM_CELL_UNKNOWN || seen[code] || !tm_json_skip(c))
			return 0;
		seen[code] = code != TM_CELL_DERIVED;
		need += tm_cell_needed(code);
		n++;
	}
	return at_end(c) && need == TM_CELLS_NEED ? n : 0;
}

static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	const unsigned char *nl = n && *p == '{' ? memchr(p, '\n', n) : NULL;
	struct tm_buf copy = { 0 };
	unsigned keys = 0;
	struct json c;

	/* A pretty-printed object begins with '{' alone; no need to look at it twice. */
	if (n && *p == '{' && (nl || whole) &&
	    over(&copy, (const char *)p, nl ? (size_t)(nl - p) : n, &c))
		keys = known_keys(&c);
	tm_buf_fini(&copy);
	return 8 * keys;
}

/* What the i-th key of a line means. */
static unsigned code_of(struct lines *t, size_t i, const struct json_item *key)
{
	struct key *k = &t->key[i];
	unsigned code;

	if (i < t->nkey && k->n == key->n && !memcmp(k->text, key->p, key->n))
		return k->code;
	code = tm_cell_find((const char *)key->p, key->n);
	if (i < KEYS_MOST && i <= t->nkey && key->n <= KEY_BYTES) {
		*k = (struct key) { .n = key->n, .code = code };
		memcpy(k->text, key->p, key->n);
		t->nkey += i == t->nkey;
	}
	return code;
}

/* False when out of memory. */
static bool put(struct tm_reader *r, struct tm_cell_row *row, unsigned code,
                const struct json_item *v)
{
	struct lines *t = r->priv;
	const char *p = (const char *)v->p;
	size_t n = v->n;

	switch (v->kind) {
	case JSON_NULL:
		return true;
	case JSON_STRING:
		tm_buf_clear(&t->text);
		return tm_json_text(v, &t->text, &p, &n) && tm_cell_put(r, row, code, p, n);
	case JSON_NUMBER:
		return tm_cell_put(r, row, code, p, n);
	case JSON_NONE:
	case JSON_OBJECT:
	case JSON_ARRAY:
	case JSON_TRUE:
	case JSON_FALSE:
		break;
	}
	row->bad = true;
	return true;
}

static bool take(struct tm_reader *r, const char *p, size_t n, struct tm_cell_row *row)
{
	bool first = true, seen[TM_CELL_UNKNOWN + 1] = { false };
	struct lines *t = r->priv;
	struct json_item key;
	struct json c;
	size_t i = 0;

	if (!over(&t->line, p, n, &c))
		return false;
	row->bad = tm_json_value(&c).kind != JSON_OBJECT;
	for (; !row->bad && tm_json_member(&c, &first, &key); i++) {
		unsigned code = code_of(t, i < KEYS_MOST ? i : KEYS_MOST, &key);
		struct json_item v = tm_json_value(&c);

		row->bad |= code == TM_CELL_UNKNOWN || seen[code];
		if (row->bad)
			break;
		seen[code] = code != TM_CELL_DERIVED;
		if (!put(r, row, code, &v))
			return false;
	}
	row->bad |= !at_end(&c);
	return true;
}

/* The number at its key; the rest of the line is looked at when it is taken. */
static bool rank_of(struct tm_reader *r, const char *p, size_t n, uint64_t *rank)
{
	struct lines *t = r->priv;
	struct json_item key;
	bool first = true;
	struct json c;

	if (!over(&t->line, p, n, &c) || tm_json_value(&c).kind != JSON_OBJECT)
		return false;
	while (tm_json_member(&c, &first, &key)) {
		struct json_item v;

		if (!json_is(&key, "rank", 4)) {
			if (!tm_json_skip(&c))
				return false;
			continue;
		}
		v = tm_json_value(&c);
		return v.kind == JSON_NUMBER && tm_num_u64((const char *)v.p, v.n, rank);
	}
	return false;
}

/* The bracket that closes the object is the last thing of a line. */
static enum tm_ranked_tail tail(struct tm_reader *r, const char *p, size_t n, bool quoted)
{
	struct lines *t = r->priv;
	struct json c;

	(void)quoted;
	if (!over(&t->line, p, n, &c) || tm_json_value(&c).kind != JSON_OBJECT ||
	    !tm_json_skip_rest(&c, JSON_OBJECT) || !at_end(&c))
		return TM_RANKED_CUT;
	return TM_RANKED_WHOLE;
}

static enum tm_status lines_open(struct tm_reader *r, struct tm_diag *d)
{
	static const struct tm_ranked_form form = { .table = "events, one JSON object a line",
		                                    .rank = rank_of,
		                                    .take = take,
		                                    .tail = tail };
	const unsigned char *p;
	size_t n;

	/* With --from nobody bid. */
	if (tm_source_peek(r->src, &p, &n, d) == TM_ST_FATAL)
		return TM_ST_FATAL;
	if (!bid(p, n, n < TM_SOURCE_PEEK)) {
		tm_diag_set(d, 1,
		            "first line is not an object with kind, name, start_ns and end_ns, as "
		            "tracecat -f ndjson writes it");
		return TM_ST_FATAL;
	}
	return tm_ranked_open(r, &form, d);
}

static void lines_close(struct tm_reader *r)
{
	struct lines *t = r->priv;

	tm_ranked_fini(&t->rows);
	tm_buf_fini(&t->line);
	tm_buf_fini(&t->text);
}

const struct tm_reader_ops tm_reader_tracecat_ndjson = {
	.name = "tracecat-ndjson",
	.about = "events as tracecat writes them, NDJSON",
	.bid = bid,
	.ranks = true,
	.priv_size = sizeof(struct lines),
	.open = lines_open,
	.next = tm_ranked_next,
	.close = lines_close,
};
