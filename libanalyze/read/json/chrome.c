/* SPDX-License-Identifier: MIT
 * An event is read whole, as long as it may be, and given to the dialect; its arguments are only
 * passed over then, and parsed by the dialect if it wants them. */
#include "read/json/chrome.h"

#include "base/base.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

static const enum tm_ev_kind kinds[CHROME_OUTS] = {
	[OUT_DISPATCH] = TM_EV_DISPATCH, [OUT_COPY] = TM_EV_COPY,       [OUT_API] = TM_EV_API,
	[OUT_ALLOC] = TM_EV_ALLOC,       [OUT_COUNTER] = TM_EV_COUNTER, [OUT_AGENT] = TM_EV_AGENT,
};

/* ---- evidence ---- */

static size_t blanks_at(const unsigned char *p, size_t n, size_t i)
{
	while (i < n && (p[i] == ' ' || p[i] == '\n' || p[i] == '\r' || p[i] == '\t'))
		i++;
	return i;
}

bool tm_chrome_has(const unsigned char *p, size_t n, const char *key, const char *value)
{
	size_t k = strlen(key), v = strlen(value), i = 0;
	const unsigned char *q;

	while ((q = memmem(p + i, n - i, key, k))) {
		bool quoted = q > p && q[-1] == '"';

		i = (size_t)(q - p) + k;
		if (!quoted || i >= n || p[i] != '"')
			continue;
		i = blanks_at(p, n, i + 1);
		if (i >= n || p[i] != ':')
			continue;
		i = blanks_at(p, n, i + 1);
		if (n - i >= v && !memcmp(p + i, value, v))
			return true;
	}
	return false;
}

unsigned tm_chrome_bid(const unsigned char *p, size_t n)
{
	size_t i = n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3) ? 3 : 0;

	i = blanks_at(p, n, i);
	if (i >= n || (p[i] != '{' && p[i] != '['))
		return 0;
	if (p[i] == '{')
		return tm_chrome_has(p, n, "traceEvents", "[") ? 16 : 0;
	i = blanks_at(p, n, i + 1);
	return i < n && p[i] == '{' && tm_chrome_has(p, n, "ph", "\"") ? 16 : 0;
}

/* ---- reading ---- */

/* One event at the cursor. */
static bool read_event(struct chrome *t, struct json *c, struct chrome_event *e)
{
	struct json_item key, ph = { .kind = JSON_NONE };
	bool first = true;

	while (tm_json_member(c, &first, &key)) {
		struct json_item *slot = NULL, v;

		switch (key.n) {
		case 2:
			slot = json_is(&key, "ph", 2)   ? &ph
			       : json_is(&key, "ts", 2) ? &e->ts
			       : json_is(&key, "id", 2) ? &e->id
			                                : NULL;
			break;
		case 3:
			slot = json_is(&key, "cat", 3)   ? &e->cat
			       : json_is(&key, "pid", 3) ? &e->pid
			       : json_is(&key, "tid", 3) ? &e->tid
			       : json_is(&key, "dur", 3) ? &e->dur
			       : json_is(&key, "id2", 3) ? &e->id
			                                 : NULL;
			break;
		case 4:
			if (json_is(&key, "name", 4))
				slot = &e->name;
			else if (json_is(&key, "args", 4))
				slot = &e->args;
			break;
		case 5:
			if (json_is(&key, "scope", 5))
				slot = &e->scope;
			break;
		default:
			break;
		}
		if (!slot) {
			if (t->r->want & TM_UNUSED_WANT &&
			    !tm_reader_unused(t->r, TM_UNUSED_KEY, (const char *)key.p, key.n))
				return false;
			if (!tm_json_skip(c))
				return true;
			continue;
		}
		v = tm_json_value(c);
		if (v.kind == JSON_NONE || !tm_json_skip_rest(c, v.kind))
			return true;
		if (v.kind == JSON_OBJECT || v.kind == JSON_ARRAY)
			v.n = (size_t)(c->p - v.p);
		*slot = v;
	}
	if (ph.kind == JSON_STRING && ph.n == 1)
		e->ph = *ph.p;
	return true;
}

static enum tm_status fatal(struct chrome *t)
{
	t->dead = true;
	return TM_ST_FATAL;
}

static enum tm_status no_memory(struct chrome *t)
{
	tm_diag_oom(&t->why);
	return fatal(t);
}

/* The cursor stopped.  With more bytes it may go on: from `keep`, TM_ST_OK. */
static enum tm_status stopped(struct chrome *t, const unsigned char *keep)
{
	static const char *const inside[] = {
		[CHROME_TOP] = "before its first value",
		[CHROME_MEMBERS] = "inside its outermost object",
		[CHROME_VALUE] = "inside a value",
		[CHROME_SKIP] = "inside a value",
		[CHROME_EVENTS] = "inside the array of events",
	};

	return tm_json_go_on(&t->in, keep, inside[t->phase], &t->why) == TM_ST_OK ? TM_ST_OK
	                                                                          : fatal(t);
}

static enum tm_status begin_events(struct chrome *t)
{
	t->phase = CHROME_EVENTS;
	t->inner = t->first;
	t->first = true;
	return !t->dialect->begin || t->dialect->begin(t) ? TM_ST_OK : no_memory(t);
}

static enum tm_status at_top(struct chrome *t)
{
	const unsigned char *mark = t->in.c.p;
	struct json_item v = tm_json_value(&t->in.c);

	if (v.kind == JSON_NONE)
		return stopped(t, mark);
	t->first = true;
	if (v.kind == JSON_ARRAY) {
		t->bare = true;
		return begin_events(t);
	}
	t->phase = CHROME_MEMBERS;
	if (v.kind == JSON_OBJECT)
		return TM_ST_OK;
	tm_diag_set(&t->why, 0, "not a trace: neither an object nor an array");
	return fatal(t);
}

static enum tm_status next_member(struct chrome *t)
{
	const unsigned char *mark = t->in.c.p;
	struct json_item key, v;
	bool first = t->first;

	if (!tm_json_member(&t->in.c, &t->first, &key)) {
		if (t->in.c.state != JSON_GOOD) {
			t->first = first;
			return stopped(t, mark);
		}
		t->phase = CHROME_END;
		return TM_ST_OK;
	}
	if (json_is(&key, "traceEvents", 11)) {
		v = tm_json_value(&t->in.c);
		if (v.kind == JSON_ARRAY)
			return begin_events(t);
		if (t->in.c.state != JSON_GOOD) {
			t->first = first;
			return stopped(t, mark);
		}
		tm_diag_set(&t->why, 0,
		            "not a trace: traceEvents is not an array, at byte %" PRIu64,
		            tm_json_at(&t->in));
		return fatal(t);
	}
	t->phase = CHROME_SKIP;
	t->skip.depth = t->skip.phase = 0;
	if (key.n < CHROME_KEY && t->dialect->wants) {
		memcpy(t->key, key.p, key.n);
		t->key[key.n] = '\0';
		if (t->dialect->wants(t->key))
			t->phase = CHROME_VALUE;
	}
	if (t->phase == CHROME_SKIP &&
	    !tm_reader_unused(t->r, TM_UNUSED_KEY, (const char *)key.p, key.n))
		return no_memory(t);
	return TM_ST_OK;
}

static enum tm_status next_event(struct chrome *t)
{
	const unsigned char *mark = t->in.c.p;
	struct chrome_event e = { .at = 0 };
	bool first = t->first;
	struct json_item v;

	if (!tm_json_element(&t->in.c, &t->first)) {
		if (t->in.c.state != JSON_GOOD)
			goto again;
		t->first = t->inner;
		t->phase = t->bare ? CHROME_END : CHROME_MEMBERS;
		return TM_ST_OK;
	}
	e.at = tm_json_at(&t->in);
	v = tm_json_value(&t->in.c);
	if (v.kind == JSON_OBJECT && !read_event(t, &t->in.c, &e))
		return no_memory(t);
	if (v.kind == JSON_ARRAY)
		tm_json_skip_rest(&t->in.c, JSON_ARRAY);
	if (t->in.c.state != JSON_GOOD)
		goto again;
	if (v.kind != JSON_OBJECT)
		tm_loss_count(&t->r->loss, TM_LOSS_EVENT, 1, e.at);
	else if (!t->dialect->event(t, &e))
		return no_memory(t);
	if (t->holding) {
		t->in.c.p = mark;
		t->first = first;
	}
	return TM_ST_OK;
again:
	/* In the format of a bare array its end may be missing. */
	if (t->in.c.state == JSON_MORE && t->in.c.last && !t->in.broken && t->bare) {
		const unsigned char *p = mark + blanks_at(mark, (size_t)(t->in.c.end - mark), 0);

		p += p < t->in.c.end && *p == ',';
		p += blanks_at(p, (size_t)(t->in.c.end - p), 0);
		if (p == t->in.c.end) {
			t->in.c.state = JSON_GOOD;
			t->in.c.p = p;
			t->phase = CHROME_END;
			return TM_ST_OK;
		}
	}
	t->first = first;
	return stopped(t, mark);
}

static enum tm_status at_end(struct chrome *t)
{
	enum tm_status st = tm_json_end(&t->in, &t->why);

	if (st != TM_ST_END)
		return st == TM_ST_OK ? TM_ST_OK : fatal(t);
	t->phase = CHROME_DONE;
	for (size_t i = 0; i < t->open.n; i++)
		if (t->open.v[i].live)
			tm_loss_count(&t->r->loss, TM_LOSS_OPEN, 1, t->open.v[i].line);
	if (t->launches && !t->dispatches)
		tm_loss_count(&t->r->loss, TM_LOSS_KERNELS, t->launches, t->launch_at);
	if (t->dialect->end)
		t->dialect->end(t);
	return TM_ST_OK;
}

static enum tm_status step(struct chrome *t)
{
	const unsigned char *mark = t->in.c.p;

	switch (t->phase) {
	case CHROME_TOP:
		return at_top(t);
	case CHROME_MEMBERS:
		return next_member(t);
	case CHROME_VALUE:
		t->dialect->value(t);
		if (t->in.c.state != JSON_GOOD)
			return stopped(t, mark);
		t->phase = CHROME_MEMBERS;
		return TM_ST_OK;
	case CHROME_SKIP:
		if (!tm_json_skip_on(&t->in.c, &t->skip))
			return stopped(t, t->in.c.p);
		t->phase = CHROME_MEMBERS;
		return TM_ST_OK;
	case CHROME_EVENTS:
		return next_event(t);
	default:
		return at_end(t);
	}
}

enum tm_status tm_chrome_open(struct tm_reader *r, const struct chrome_dialect *dialect,
                              struct tm_diag *d)
{
	struct chrome *t = r->priv;

	t->r = r;
	t->dialect = dialect;
	r->table = dialect->table;
	for (int i = 0; i < CHROME_OUTS; i++)
		t->out[i].b.kind = kinds[i];
	if (tm_json_open(&t->in, r->src) != TM_ST_OK) {
		if (d)
			*d = t->in.why;
		return TM_ST_FATAL;
	}
	/* What the header says must be known before the first batch. */
	while (!t->dead && (t->phase < CHROME_EVENTS ||
	                    (t->phase == CHROME_EVENTS && dialect->head && dialect->head(t))))
		step(t);
	return TM_ST_OK;
}

enum tm_status tm_chrome_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct chrome *t = r->priv;
	enum tm_status st;

	while (!t->dead && t->phase != CHROME_DONE &&
	       tm_ev_rows_room(t->out, CHROME_OUTS, CHROME_ROOM)) {
		if (t->holding && tm_ev_rows_any(t->out, CHROME_OUTS))
			break;
		t->holding = false;
		step(t);
	}
	st = tm_ev_rows_next(t->out, CHROME_OUTS, &r->names, t->dead ? &t->why : NULL, b, d);
	if (st == TM_ST_OK)
		r->loss.rows += (*b)->n;
	/* It was read to its end all the same, but perhaps not as it would have been. */
	if (st == TM_ST_END && *t->tail.text) {
		if (d)
			*d = t->tail;
		return TM_ST_FATAL;
	}
	return st;
}

void tm_chrome_close(struct tm_reader *r)
{
	struct chrome *t = r->priv;

	tm_json_fini(&t->in);
	tm_ev_rows_fini_all(t->out, CHROME_OUTS);
	tm_buf_fini(&t->text);
	tm_names_fini(&t->lanes);
	tm_open_fini(&t->open);
}

/* ---- the end of the input ---- */

static bool tail_of_file(const struct tm_head *h, int fd, uint64_t size, struct tm_buf *out,
                         struct tm_diag *d)
{
	uint64_t from = size > CHROME_TAIL ? size - CHROME_TAIL : 0;

	if (!tm_buf_reserve(out, CHROME_TAIL))
		return false;
	while (from < size) {
		size_t cap = (size_t)(size - from);
		ssize_t n = h ? tm_head_read(h, out->p + out->n, cap, from)
		              : pread(fd, out->p + out->n, cap, (off_t)from);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			tm_diag_set(d, 0, "cannot read: %s", strerror(errno));
		if (n <= 0)
			break;
		out->n += (size_t)n;
		from += (uint64_t)n;
	}
	return true;
}

bool tm_chrome_tail(struct chrome *t, struct tm_buf *out)
{
	struct tm_source *again = NULL;
	enum tm_status st = TM_ST_OK;
	uint64_t size;
	bool ok = true;
	int fd;

	tm_buf_clear(out);
	if (tm_source_regular(t->r->src, &fd, &size))
		return tail_of_file(tm_source_head(t->r->src), fd, size, out, &t->tail);
	again = tm_source_again(t->r->src, NULL);
	if (!again)
		return tm_json_aside(&t->in, out, CHROME_TAIL);
	while (ok && st == TM_ST_OK && !tm_source_is_archive(again)) {
		size_t n = 0;

		ok = tm_buf_reserve(out, 4 * CHROME_TAIL);
		if (!ok)
			break;
		st = tm_source_read(again, out->p + out->n, 4 * CHROME_TAIL, &n, &t->tail);
		out->n += n;
		if (out->n > CHROME_TAIL) {
			memmove(out->p, out->p + out->n - CHROME_TAIL, CHROME_TAIL);
			out->n = CHROME_TAIL;
		}
	}
	tm_source_close(again);
	if (st == TM_ST_FATAL)
		out->n = 0;
	return ok;
}

/* ---- parts of events ---- */

bool tm_chrome_add(struct chrome *t, enum chrome_out out, const struct tm_ev_row *row)
{
	t->dispatches += out == OUT_DISPATCH;
	return tm_ev_rows_add(&t->out[out], row);
}

/* ts, or ts + dur, on the clock of the trace; false when that makes no sense. */
static bool add_base(const struct chrome *t, uint64_t ns, bool negative, uint64_t *out)
{
	if (negative && ns > t->base)
		return false;
	*out = negative ? t->base - ns : t->base + ns;
	return !(*out >> 63);
}

bool tm_chrome_times(struct chrome *t, const struct chrome_event *e, struct tm_ev_row *row)
{
	uint64_t start, dur = 0;
	bool negative, backwards = false;

	if (!tm_json_us(&e->ts, &start, &negative) || !add_base(t, start, negative, &start) ||
	    /* Only a complete event has a length, and without it no end. */
	    ((e->ph == 'X' || e->dur.kind != JSON_NONE) &&
	     !tm_json_us(&e->dur, &dur, &backwards)) ||
	    (start + dur) >> 63) {
		tm_loss_count(&t->r->loss, TM_LOSS_EVENT, 1, e->at);
		return false;
	}
	if (backwards && dur) {
		tm_loss_count(&t->r->loss, TM_LOSS_REVERSED, 1, e->at);
		return false;
	}
	tm_ev_put(row, TM_EVC_START, start);
	tm_ev_put(row, TM_EVC_END, start + dur);
	return true;
}

bool tm_chrome_intern(struct chrome *t, const struct json_item *text, uint32_t *id)
{
	const char *p;
	size_t n;

	if (!tm_json_text(text, &t->text, &p, &n))
		return false;
	*id = tm_names_add(&t->r->names, p, n);
	return *id != TM_NAME_NONE;
}

bool tm_chrome_name(struct chrome *t, const struct chrome_event *e, struct tm_ev_row *row)
{
	static const struct json_item unnamed = { .kind = JSON_STRING,
		                                  .p = (const unsigned char *)"(unnamed)",
		                                  .n = 9 };
	bool has = e->name.kind == JSON_STRING;
	uint32_t id;

	if (!has)
		tm_loss_count(&t->r->loss, TM_LOSS_UNNAMED, 1, e->at);
	if (!tm_chrome_intern(t, has ? &e->name : &unnamed, &id))
		return false;
	tm_ev_put(row, TM_EVC_NAME, id);
	return true;
}

void tm_chrome_put(struct tm_ev_row *row, enum tm_ev_col c, const struct json_item *v)
{
	uint64_t u;

	if (tm_json_u64(v, &u))
		tm_ev_put(row, c, u);
}

void tm_chrome_thread(const struct chrome_event *e, struct tm_ev_row *row)
{
	tm_chrome_put(row, TM_EVC_PID, &e->pid);
	tm_chrome_put(row, TM_EVC_TID, &e->tid);
}

/* ---- phases ---- */

/* The texts that tell one lane of begins and ends from another, as a number. */
static bool lane_of(struct chrome *t, const struct json_item *const part[], size_t n, uint32_t *id)
{
	tm_buf_clear(&t->text);
	for (size_t i = 0; i < n; i++) {
		size_t len = part[i]->kind == JSON_NONE ? 0 : part[i]->n;

		tm_buf_add(&t->text, &len, sizeof len);
		tm_buf_add(&t->text, part[i]->p ? (const char *)part[i]->p : "", len);
	}
	if (t->text.failed)
		return false;
	*id = tm_names_add(&t->lanes, t->text.p, t->text.n);
	return *id != TM_NAME_NONE;
}

static bool begin(struct chrome *t, const struct chrome_event *e, uint32_t lane,
                  enum tm_domain domain)
{
	struct open_item item = { .key = lane, .line = e->at, .tag = domain };
	struct tm_ev_row row = { .has = 0 };

	if (!tm_chrome_times(t, e, &row))
		return true;
	if (t->open.live >= CHROME_OPEN) {
		tm_loss_count(&t->r->loss, TM_LOSS_EXCESS, 1, e->at);
		return true;
	}
	if (!tm_chrome_name(t, e, &row))
		return false;
	item.start = row.v[TM_EVC_START];
	item.name = (uint32_t)row.v[TM_EVC_NAME];
	return tm_open_add(&t->open, &item);
}

static bool end(struct chrome *t, const struct chrome_event *e, uint32_t lane)
{
	struct tm_ev_row row = { .has = 0 };
	struct open_item item;

	if (!tm_chrome_times(t, e, &row))
		return true;
	if (!tm_open_take(&t->open, lane, 0, &item)) {
		tm_loss_count(&t->r->loss, TM_LOSS_CLOSE, 1, e->at);
		return true;
	}
	if (row.v[TM_EVC_END] < item.start) {
		tm_loss_count(&t->r->loss, TM_LOSS_REVERSED, 1, item.line);
		return true;
	}
	tm_ev_put(&row, TM_EVC_START, item.start);
	tm_ev_put(&row, TM_EVC_NAME, item.name);
	tm_ev_put(&row, TM_EVC_DOMAIN, item.tag);
	tm_chrome_thread(e, &row);
	return tm_chrome_add(t, OUT_API, &row);
}

static bool mark(struct chrome *t, const struct chrome_event *e, enum tm_domain domain)
{
	struct tm_ev_row row = { .has = 0 };

	if (!tm_chrome_times(t, e, &row))
		return true;
	row.v[TM_EVC_END] = row.v[TM_EVC_START];
	tm_ev_put(&row, TM_EVC_DOMAIN, domain);
	tm_chrome_thread(e, &row);
	return tm_chrome_name(t, e, &row) && tm_chrome_add(t, OUT_API, &row);
}

/* What a counter is called: its name, and an id that tells it from others of that name. */
static bool name_of_counter(struct chrome *t, const struct chrome_event *e, struct tm_buf *b)
{
	bool has_id = e->id.kind == JSON_STRING || e->id.kind == JSON_NUMBER;
	const char *p;
	size_t n;

	if (!tm_json_text(&e->name, &t->text, &p, &n) || !tm_buf_add(b, p, n))
		return false;
	if (!has_id)
		return true;
	tm_buf_chr(b, '[');
	if (!tm_json_text(&e->id, &t->text, &p, &n))
		return false;
	tm_buf_add(b, p, n);
	return tm_buf_chr(b, ']');
}

/* The name of a counter, with a key after it unless that is NULL, as an id. */
static bool intern_counter(struct chrome *t, const struct chrome_event *e,
                           const struct json_item *key, uint32_t *id)
{
	struct tm_buf b = { 0 };
	bool ok = name_of_counter(t, e, &b);
	const char *p;
	size_t n;

	if (ok && key) {
		tm_buf_chr(&b, ':');
		ok = tm_json_text(key, &t->text, &p, &n) && tm_buf_add(&b, p, n);
	}
	*id = ok && tm_buf_add(&b, "", 0) ? tm_names_add(&t->r->names, b.p, b.n) : TM_NAME_NONE;
	tm_buf_fini(&b);
	return *id != TM_NAME_NONE;
}

bool tm_chrome_sample(struct chrome *t, const struct chrome_event *e, const struct tm_ev_row *more)
{
	struct json c = chrome_args(e);
	unsigned numbers = 0, members = 0;
	struct json_item key, v;
	struct tm_ev_row row;
	enum tm_ev_col col;
	bool first = true;
	double x;

	if (!(t->r->want & (TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE))) ||
	    e->args.kind != JSON_OBJECT)
		return true;
	while (tm_json_member(&c, &first, &key)) {
		v = tm_json_value(&c);
		if (!tm_json_skip_rest(&c, v.kind))
			return true;
		numbers += tm_json_real(&v, &x);
		members++;
	}
	if (members && !numbers)
		tm_loss_count(&t->r->loss, TM_LOSS_COUNTER_VALUES, members, e->at);
	row.has = 0;
	if (!numbers || !tm_chrome_times(t, e, &row))
		return true;
	TM_EV_EACH(col, more->has)
	tm_ev_put(&row, col, more->v[col]);
	c = chrome_args(e);
	first = true;
	while (tm_json_member(&c, &first, &key)) {
		uint32_t id;

		v = tm_json_value(&c);
		if (!tm_json_skip_rest(&c, v.kind))
			return true;
		if (!tm_json_real(&v, &x))
			continue;
		/* One series goes by the name of the counter, several by theirs after it. */
		if (!intern_counter(t, e, numbers == 1 ? NULL : &key, &id))
			return false;
		tm_ev_put(&row, TM_EVC_COUNTER, id);
		tm_ev_put(&row, TM_EVC_VALUE, tm_real_bits(x));
		if (!tm_chrome_add(t, OUT_COUNTER, &row))
			return false;
	}
	return true;
}

/* The id of an event that is on no thread, and whether it is one of all processes: id2 says that.
 */
static struct json_item async_id(const struct chrome_event *e, bool *global)
{
	struct json c = { .state = JSON_GOOD };
	struct json_item key, v, id = e->id;
	bool first = true;

	*global = false;
	if (e->id.kind != JSON_OBJECT)
		return id;
	c.p = e->id.p + 1;
	c.end = e->id.p + e->id.n;
	while (tm_json_member(&c, &first, &key)) {
		v = tm_json_value(&c);
		if (!tm_json_skip_rest(&c, v.kind))
			break;
		if (json_is(&key, "global", 6) || json_is(&key, "local", 5)) {
			*global = key.n == 6;
			id = v;
		}
	}
	return id;
}

bool tm_chrome_phase(struct chrome *t, const struct chrome_event *e, enum tm_domain domain,
                     bool *done)
{
	static const struct json_item none = { .kind = JSON_NONE };
	bool global;
	const struct json_item id = async_id(e, &global);
	const struct json_item *const thread[] = { &e->pid, &e->tid };
	const struct json_item *const async[] = { global ? &none : &e->pid, &e->cat, &id,
		                                  &e->scope };
	struct tm_ev_row more = { .has = 0 };
	uint32_t lane;

	*done = true;
	switch (e->ph) {
	case 'B':
		return lane_of(t, thread, 2, &lane) && begin(t, e, lane, domain);
	case 'E':
		return lane_of(t, thread, 2, &lane) && end(t, e, lane);
	case 'b':
	case 'S':
		return lane_of(t, async, 4, &lane) && begin(t, e, lane, domain);
	case 'e':
	case 'F':
		return lane_of(t, async, 4, &lane) && end(t, e, lane);
	case 'i':
	case 'I':
	case 'n':
	case 'R':
		return mark(t, e, domain);
	case 'C':
		tm_chrome_put(&more, TM_EVC_PID, &e->pid);
		return e->name.kind != JSON_STRING || tm_chrome_sample(t, e, &more);
	case 'X':
		*done = false;
		return true;
	default:
		/* Flows, names and the order of tracks, snapshots of objects: no events. */
		return true;
	}
}
