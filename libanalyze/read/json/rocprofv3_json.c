/* SPDX-License-Identifier: MIT
 * The JSON of rocprofv3 (`--output-format json`): for each process its tables, then its records,
 * which name everything by number.  Lists and fields are data: schemas/rocprofv3_json.def.
 *
 * One record at a time; memory grows with kernels, counters and roctx messages, whose texts stand
 * in front of the records.  Agents are numbered as the CSV of the same release does, by logical
 * node. Not read: PC samples, page faults and migrations, thread traces. */
#include "read/json/rocprofv3.h"

#include <stdlib.h>

static const struct list {
	const char *section, *key;
	enum v3_what what;
} lists[] = {
#define LIST(s, k, w) { s, k, WHAT_##w },
#include "schemas/rocprofv3_json.def"
};

/* ---- the walk ---- */

static void skip_next(struct v3 *t)
{
	t->skipping = true;
	t->skip.depth = t->skip.phase = 0;
}

static struct json_item host_of_node(struct json *c)
{
	struct json_item key, v, host = { .kind = JSON_NONE };
	bool first = true;

	while (tm_json_member(c, &first, &key)) {
		v = tm_json_value(c);
		if (!tm_json_skip_rest(c, v.kind))
			break;
		if (json_is(&key, "hostname", 8) && v.kind == JSON_STRING)
			host = v;
	}
	return host;
}

static bool note_host(struct v3 *t, const struct json_item *host)
{
	const char *p;
	size_t n;

	if (!tm_json_text(host, &t->text, &p, &n))
		return false;
	if (!t->host)
		t->host = strndup(p, n);
	else if (strncmp(t->host, p, n) != 0 || t->host[n])
		*t->host = '\0';
	t->r->host = t->host && *t->host ? t->host : NULL;
	return t->host != NULL;
}

/* The metadata of a process.  False when out of memory. */
static bool process_id(struct v3 *t)
{
	struct json *c = &t->in.c;
	struct json_item key, v = tm_json_value(c), host = { .kind = JSON_NONE };
	bool first = true;

	if (v.kind != JSON_OBJECT) {
		tm_json_skip_rest(c, v.kind);
		return true;
	}
	while (tm_json_member(c, &first, &key)) {
		v = tm_json_value(c);
		if (v.kind == JSON_OBJECT && json_is(&key, "node", 4))
			host = host_of_node(c);
		else if (!tm_json_skip_rest(c, v.kind))
			break;
		if (json_is(&key, "pid", 3))
			t->has_pid = tm_json_u64(&v, &t->pid);
	}
	return c->state != JSON_GOOD || host.kind == JSON_NONE || note_host(t, &host);
}

static enum tm_status fatal(struct v3 *t)
{
	t->dead = true;
	return TM_ST_FATAL;
}

static enum tm_status stopped(struct v3 *t, const unsigned char *keep)
{
	static const char where[] = "before its outermost object does";

	return tm_json_go_on(&t->in, keep, where, &t->why) == TM_ST_OK ? TM_ST_OK : fatal(t);
}

/* A key that nothing is read of: "key", or "section.key".  False when out of memory. */
static bool unused(struct v3 *t, const char *section, const struct json_item *key)
{
	struct tm_buf b = { 0 };
	bool ok = true;

	if (t->r->want & TM_UNUSED_WANT) {
		tm_buf_fmt(&b, "%s%s", section, *section ? "." : "");
		tm_buf_add(&b, (const char *)key->p, key->n);
		ok = !b.failed && tm_reader_unused(t->r, TM_UNUSED_KEY, b.p, b.n);
		tm_buf_fini(&b);
	}
	return ok;
}

/* The key that was just read, at a level: what follows it.  False when out of memory. */
static bool enter(struct v3 *t, const struct json_item *key)
{
	const char *section = t->level == V3_PROCESS ? "" : t->section;

	skip_next(t);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (!strcmp(lists[i].section, section) &&
		    json_is(key, lists[i].key, strlen(lists[i].key))) {
			t->what = lists[i].what;
			t->skipping = false;
			return true;
		}
	return unused(t, section, key);
}

static bool is_section(const struct json_item *key)
{
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (*lists[i].section && json_is(key, lists[i].section, strlen(lists[i].section)))
			return true;
	return false;
}

/* Where the walk is, to go back to after JSON_MORE. */
static enum tm_status again(struct v3 *t, const unsigned char *mark, bool first)
{
	t->first[t->level] = first;
	return stopped(t, mark);
}

static void descend(struct v3 *t, enum v3_level to)
{
	t->level = to;
	t->first[to] = true;
}

static enum tm_status in_process(struct v3 *t, const unsigned char *mark, bool first)
{
	enum v3_level here = t->level;
	struct json *c = &t->in.c;
	struct json_item key, v;

	if (!tm_json_member(c, &t->first[here], &key)) {
		if (c->state != JSON_GOOD)
			return again(t, mark, first);
		t->level = here == V3_SECTION ? V3_PROCESS : t->lone ? V3_TOP : V3_TOOLS;
		return TM_ST_OK;
	}
	if (here == V3_PROCESS && json_is(&key, "metadata", 8)) {
		if (!process_id(t)) {
			tm_diag_oom(&t->why);
			return fatal(t);
		}
		return c->state == JSON_GOOD ? TM_ST_OK : again(t, mark, first);
	}
	if (here == V3_PROCESS && is_section(&key)) {
		char name[sizeof t->section];

		memcpy(name, key.p, key.n);
		name[key.n] = '\0';
		v = tm_json_value(c);
		if (v.kind == JSON_NONE)
			return again(t, mark, first);
		memcpy(t->section, name, sizeof name);
		if (v.kind == JSON_OBJECT)
			descend(t, V3_SECTION);
		else if (!tm_json_skip_rest(c, v.kind))
			return again(t, mark, first);
		return TM_ST_OK;
	}
	if (!enter(t, &key)) {
		tm_diag_oom(&t->why);
		return fatal(t);
	}
	if (t->skipping)
		return TM_ST_OK;
	v = tm_json_value(c);
	if (v.kind == JSON_NONE)
		return again(t, mark, first);
	t->outer = here;
	if (v.kind == JSON_ARRAY)
		descend(t, V3_LIST);
	else if (!tm_json_skip_rest(c, v.kind))
		return again(t, mark, first);
	return TM_ST_OK;
}

static enum tm_status in_list(struct v3 *t, const unsigned char *mark, bool first)
{
	struct json *c = &t->in.c;
	uint64_t at = tm_json_at(&t->in);
	struct json_item v;

	if (!tm_json_element(c, &t->first[V3_LIST])) {
		if (c->state != JSON_GOOD)
			return again(t, mark, first);
		t->level = t->outer;
		return TM_ST_OK;
	}
	v = tm_json_value(c);
	if (v.kind == JSON_OBJECT) {
		if (!tm_v3_take(t, c, at)) {
			tm_diag_oom(&t->why);
			return fatal(t);
		}
	} else {
		tm_json_skip_rest(c, v.kind);
		if (c->state != JSON_GOOD)
			return again(t, mark, first);
		if (t->what == WHAT_INSTRUCTION || t->what == WHAT_COMMENT) {
			if (tm_v3_take_text(t, &v))
				return TM_ST_OK;
			tm_diag_oom(&t->why);
			return fatal(t);
		}
		if (c->state == JSON_GOOD)
			tm_loss_count(&t->r->loss, TM_LOSS_EVENT, 1, at);
	}
	return c->state == JSON_GOOD ? TM_ST_OK : again(t, mark, first);
}

static enum tm_status at_top(struct v3 *t, const unsigned char *mark, bool first)
{
	struct json *c = &t->in.c;
	struct json_item key, v;

	if (!tm_json_member(c, &t->first[V3_TOP], &key)) {
		if (c->state != JSON_GOOD)
			return again(t, mark, first);
		t->level = V3_AFTER;
		return TM_ST_OK;
	}
	if (!json_is(&key, "rocprofiler-sdk-tool", 20)) {
		skip_next(t);
		if (unused(t, "", &key))
			return TM_ST_OK;
		tm_diag_oom(&t->why);
		return fatal(t);
	}
	v = tm_json_value(c);
	if (v.kind == JSON_NONE)
		return again(t, mark, first);
	tm_v3_next_process(t);
	t->lone = v.kind == JSON_OBJECT;
	if (v.kind == JSON_ARRAY)
		descend(t, V3_TOOLS);
	else if (v.kind == JSON_OBJECT)
		descend(t, V3_PROCESS);
	else if (!tm_json_skip_rest(c, v.kind))
		return again(t, mark, first);
	return TM_ST_OK;
}

static enum tm_status in_tools(struct v3 *t, const unsigned char *mark, bool first)
{
	struct json *c = &t->in.c;
	struct json_item v;

	if (!tm_json_element(c, &t->first[V3_TOOLS])) {
		if (c->state != JSON_GOOD)
			return again(t, mark, first);
		t->level = V3_TOP;
		return TM_ST_OK;
	}
	v = tm_json_value(c);
	if (v.kind == JSON_OBJECT) {
		tm_v3_next_process(t);
		descend(t, V3_PROCESS);
		return TM_ST_OK;
	}
	return v.kind != JSON_NONE && tm_json_skip_rest(c, v.kind) ? TM_ST_OK
	                                                           : again(t, mark, first);
}

static enum tm_status at_end(struct v3 *t)
{
	enum tm_status st = tm_json_end(&t->in, &t->why);

	t->done = st == TM_ST_END;
	return st == TM_ST_FATAL ? fatal(t) : TM_ST_OK;
}

static enum tm_status step(struct v3 *t)
{
	const unsigned char *mark = t->in.c.p;
	bool first = t->first[t->level];

	if (t->skipping) {
		if (!tm_json_skip_on(&t->in.c, &t->skip))
			return stopped(t, t->in.c.p);
		t->skipping = false;
		return TM_ST_OK;
	}
	switch (t->level) {
	case V3_TOP:
		return at_top(t, mark, first);
	case V3_TOOLS:
		return in_tools(t, mark, first);
	case V3_PROCESS:
	case V3_SECTION:
		return in_process(t, mark, first);
	case V3_LIST:
		return in_list(t, mark, first);
	default:
		return at_end(t);
	}
}

/* ---- the reader ---- */

static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	static const char key[] = "\"rocprofiler-sdk-tool\"";
	size_t i = 0;

	(void)whole;
	while (i < n && (p[i] == ' ' || p[i] == '\n' || p[i] == '\r' || p[i] == '\t'))
		i++;
	return i < n && p[i] == '{' && memmem(p, n, key, sizeof key - 1) ? 8 * (sizeof key - 1) : 0;
}

static enum tm_status v3_open(struct tm_reader *r, struct tm_diag *d)
{
	static const enum tm_ev_kind kinds[V3_OUTS] = { TM_EV_DISPATCH, TM_EV_COPY,    TM_EV_API,
		                                        TM_EV_ALLOC,    TM_EV_COUNTER, TM_EV_AGENT,
		                                        TM_EV_SAMPLE };
	struct v3 *t = r->priv;
	struct json_item v;

	t->r = r;
	r->table = "JSON trace";
	r->clock = "boottime";
	r->producer = "rocprofv3";
	t->version = SIZE_MAX;
	for (int i = 0; i < V3_OUTS; i++)
		t->out[i].b.kind = kinds[i];
	if (tm_json_open(&t->in, r->src) != TM_ST_OK) {
		if (d)
			*d = t->in.why;
		return TM_ST_FATAL;
	}
	v = tm_json_value(&t->in.c);
	if (v.kind != JSON_OBJECT) {
		tm_diag_set(d, 0, "not a trace of rocprofv3: not an object");
		return TM_ST_FATAL;
	}
	t->first[V3_TOP] = true;
	/* Who wrote it is known once the kinds of records are. */
	while (!t->dead && !t->done && t->what <= WHAT_KIND &&
	       tm_ev_rows_room(t->out, V3_OUTS, V3_ROOM))
		step(t);
	return TM_ST_OK;
}

static enum tm_status v3_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct v3 *t = r->priv;
	enum tm_status st;

	while (!t->dead && !t->done && tm_ev_rows_room(t->out, V3_OUTS, V3_ROOM))
		step(t);
	st = tm_ev_rows_next(t->out, V3_OUTS, &r->names, t->dead ? &t->why : NULL, b, d);
	if (st == TM_ST_OK)
		r->loss.rows += (*b)->n;
	return st;
}

static void v3_close(struct tm_reader *r)
{
	struct v3 *t = r->priv;

	tm_json_fini(&t->in);
	tm_ev_rows_fini_all(t->out, V3_OUTS);
	tm_names_fini(&t->keys);
	free(t->meaning);
	free(t->counter);
	free(t->host);
	tm_buf_fini(&t->text);
}

const struct tm_reader_ops tm_reader_rocprofv3_json = {
	.name = "rocprofv3-json",
	.about = "rocprofv3 --output-format json",
	.bid = bid,
	.priv_size = sizeof(struct v3),
	.open = v3_open,
	.next = v3_next,
	.close = v3_close,
};
