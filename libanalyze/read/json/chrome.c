/* SPDX-License-Identifier: MIT
 * An event is read whole, as long as it may be, and given to the dialect; its arguments are only
 * passed over then, and parsed by the dialect if it wants them. */
#include "read/json/chrome.h"

#include "base/base.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

static const enum ev_kind kinds[CHROME_OUTS] = {
	[OUT_DISPATCH] = EV_DISPATCH, [OUT_COPY] = EV_COPY,       [OUT_API] = EV_API,
	[OUT_ALLOC] = EV_ALLOC,       [OUT_COUNTER] = EV_COUNTER, [OUT_AGENT] = EV_AGENT,
};

/* ---- evidence ---- */

static size_t blanks_at(const unsigned char *p, size_t n, size_t i)
{
	while (i < n && (p[i] == ' ' || p[i] == '\n' || p[i] == '\r' || p[i] == '\t'))
		i++;
	return i;
}

bool chrome_has(const unsigned char *p, size_t n, const char *key, const char *value)
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

unsigned chrome_bid(const unsigned char *p, size_t n)
{
	size_t i = n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3) ? 3 : 0;

	i = blanks_at(p, n, i);
	if (i >= n || (p[i] != '{' && p[i] != '['))
		return 0;
	if (p[i] == '{')
		return chrome_has(p, n, "traceEvents", "[") ? 16 : 0;
	i = blanks_at(p, n, i + 1);
	return i < n && p[i] == '{' && chrome_has(p, n, "ph", "\"") ? 16 : 0;
}

/* ---- reading ---- */

/* One event at the cursor. */
static bool read_event(struct chrome *t, struct json *c, struct chrome_event *e)
{
	struct json_item key, ph = { .kind = JSON_NONE };
	bool first = true;

	while (json_member(c, &first, &key)) {
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
			if (t->r->want & UNUSED_WANT &&
			    !reader_unused(t->r, UNUSED_KEY, (const char *)key.p, key.n))
				return false;
			if (!json_skip(c))
				return true;
			continue;
		}
		v = json_value(c);
		if (v.kind == JSON_NONE || !json_skip_rest(c, v.kind))
			return true;
		if (v.kind == JSON_OBJECT || v.kind == JSON_ARRAY)
			v.n = (size_t)(c->p - v.p);
		*slot = v;
	}
	if (ph.kind == JSON_STRING && ph.n == 1)
		e->ph = *ph.p;
	return true;
}

static enum status fatal(struct chrome *t)
{
	t->dead = true;
	return ST_FATAL;
}

static enum status no_memory(struct chrome *t)
{
	diag_oom(&t->why);
	return fatal(t);
}

/* The cursor stopped.  With more bytes it may go on: from `keep`, ST_OK. */
static enum status stopped(struct chrome *t, const unsigned char *keep)
{
	static const char *const inside[] = {
		[CHROME_TOP] = "before its first value",
		[CHROME_MEMBERS] = "inside its outermost object",
		[CHROME_VALUE] = "inside a value",
		[CHROME_SKIP] = "inside a value",
		[CHROME_EVENTS] = "inside the array of events",
	};

	return json_go_on(&t->in, keep, inside[t->phase], &t->why) == ST_OK ? ST_OK : fatal(t);
}

static enum status begin_events(struct chrome *t)
{
	t->phase = CHROME_EVENTS;
	t->inner = t->first;
	t->first = true;
	return !t->dialect->begin || t->dialect->begin(t) ? ST_OK : no_memory(t);
}

static enum status at_top(struct chrome *t)
{
	const unsigned char *mark = t->in.c.p;
	struct json_item v = json_value(&t->in.c);

	if (v.kind == JSON_NONE)
		return stopped(t, mark);
	t->first = true;
	if (v.kind == JSON_ARRAY) {
		t->bare = true;
		return begin_events(t);
	}
	t->phase = CHROME_MEMBERS;
	if (v.kind == JSON_OBJECT)
		return ST_OK;
	diag_set(&t->why, 0, "not a trace: neither an object nor an array");
	return fatal(t);
}

static enum status next_member(struct chrome *t)
{
	const unsigned char *mark = t->in.c.p;
	struct json_item key, v;
	bool first = t->first;

	if (!json_member(&t->in.c, &t->first, &key)) {
		if (t->in.c.state != JSON_GOOD) {
			t->first = first;
			return stopped(t, mark);
		}
		t->phase = CHROME_END;
		return ST_OK;
	}
	if (json_is(&key, "traceEvents", 11)) {
		v = json_value(&t->in.c);
		if (v.kind == JSON_ARRAY)
			return begin_events(t);
		if (t->in.c.state != JSON_GOOD) {
			t->first = first;
			return stopped(t, mark);
		}
		diag_set(&t->why, 0, "not a trace: traceEvents is not an array, at byte %" PRIu64,
		         json_at(&t->in));
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
	if (t->phase == CHROME_SKIP && !reader_unused(t->r, UNUSED_KEY, (const char *)key.p, key.n))
		return no_memory(t);
	return ST_OK;
}

static enum status next_event(struct chrome *t)
{
	const unsigned char *mark = t->in.c.p;
	struct chrome_event e = { .at = 0 };
	bool first = t->first;
	struct json_item v;

	if (!json_element(&t->in.c, &t->first)) {
		if (t->in.c.state != JSON_GOOD)
			goto again;
		t->first = t->inner;
		t->phase = t->bare ? CHROME_END : CHROME_MEMBERS;
		return ST_OK;
	}
	e.at = json_at(&t->in);
	v = json_value(&t->in.c);
	if (v.kind == JSON_OBJECT && !read_event(t, &t->in.c, &e))
		return no_memory(t);
	if (v.kind == JSON_ARRAY)
		json_skip_rest(&t->in.c, JSON_ARRAY);
	if (t->in.c.state != JSON_GOOD)
		goto again;
	if (v.kind != JSON_OBJECT)
		loss_count(&t->r->loss, LOSS_EVENT, 1, e.at);
	else if (!t->dialect->event(t, &e))
		return no_memory(t);
	return ST_OK;
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
			return ST_OK;
		}
	}
	t->first = first;
	return stopped(t, mark);
}

static enum status at_end(struct chrome *t)
{
	enum status st = json_end(&t->in, &t->why);

	if (st != ST_END)
		return st == ST_OK ? ST_OK : fatal(t);
	t->phase = CHROME_DONE;
	for (size_t i = 0; i < t->open.n; i++)
		if (t->open.v[i].live)
			loss_count(&t->r->loss, LOSS_OPEN, 1, t->open.v[i].line);
	if (t->launches && !t->dispatches)
		loss_count(&t->r->loss, LOSS_KERNELS, t->launches, t->launch_at);
	if (t->dialect->end)
		t->dialect->end(t);
	return ST_OK;
}

static enum status step(struct chrome *t)
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
		return ST_OK;
	case CHROME_SKIP:
		if (!json_skip_on(&t->in.c, &t->skip))
			return stopped(t, t->in.c.p);
		t->phase = CHROME_MEMBERS;
		return ST_OK;
	case CHROME_EVENTS:
		return next_event(t);
	default:
		return at_end(t);
	}
}

enum status chrome_open(struct reader *r, const struct chrome_dialect *dialect, struct diag *d)
{
	struct chrome *t = r->priv;

	t->r = r;
	t->dialect = dialect;
	r->table = dialect->table;
	for (int i = 0; i < CHROME_OUTS; i++)
		t->out[i].b.kind = kinds[i];
	if (json_open(&t->in, r->src) != ST_OK) {
		if (d)
			*d = t->in.why;
		return ST_FATAL;
	}
	/* What the header says must be known before the first batch. */
	while (t->phase < CHROME_EVENTS && !t->dead)
		step(t);
	return ST_OK;
}

enum status chrome_next(struct reader *r, const struct batch **b, struct diag *d)
{
	struct chrome *t = r->priv;
	enum status st;

	while (!t->dead && t->phase != CHROME_DONE &&
	       ev_rows_room(t->out, CHROME_OUTS, CHROME_ROOM))
		step(t);
	st = ev_rows_next(t->out, CHROME_OUTS, &r->names, t->dead ? &t->why : NULL, b, d);
	if (st == ST_OK)
		r->loss.rows += (*b)->n;
	/* It was read to its end all the same, but perhaps not as it would have been. */
	if (st == ST_END && *t->tail.text) {
		if (d)
			*d = t->tail;
		return ST_FATAL;
	}
	return st;
}

void chrome_close(struct reader *r)
{
	struct chrome *t = r->priv;

	json_fini(&t->in);
	ev_rows_fini_all(t->out, CHROME_OUTS);
	buf_fini(&t->text);
	names_fini(&t->lanes);
	open_fini(&t->open);
}

/* ---- the end of the input ---- */

static bool tail_of_file(int fd, uint64_t size, struct buf *out, struct diag *d)
{
	uint64_t from = size > CHROME_TAIL ? size - CHROME_TAIL : 0;

	if (!buf_reserve(out, CHROME_TAIL))
		return false;
	while (from < size) {
		ssize_t n = pread(fd, out->p + out->n, (size_t)(size - from), (off_t)from);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			diag_set(d, 0, "cannot read: %s", strerror(errno));
		if (n <= 0)
			break;
		out->n += (size_t)n;
		from += (uint64_t)n;
	}
	return true;
}

bool chrome_tail(struct chrome *t, struct buf *out)
{
	struct source *again = NULL;
	enum status st = ST_OK;
	uint64_t size;
	bool ok = true;
	int fd;

	buf_clear(out);
	if (source_regular(t->r->src, &fd, &size))
		return tail_of_file(fd, size, out, &t->tail);
	again = source_again(t->r->src, NULL);
	if (!again)
		return json_aside(&t->in, out, CHROME_TAIL);
	while (ok && st == ST_OK && !source_is_archive(again)) {
		size_t n = 0;

		ok = buf_reserve(out, 4 * CHROME_TAIL);
		if (!ok)
			break;
		st = source_read(again, out->p + out->n, 4 * CHROME_TAIL, &n, &t->tail);
		out->n += n;
		if (out->n > CHROME_TAIL) {
			memmove(out->p, out->p + out->n - CHROME_TAIL, CHROME_TAIL);
			out->n = CHROME_TAIL;
		}
	}
	source_close(again);
	if (st == ST_FATAL)
		out->n = 0;
	return ok;
}

/* ---- parts of events ---- */

bool chrome_add(struct chrome *t, enum chrome_out out, const struct ev_row *row)
{
	t->dispatches += out == OUT_DISPATCH;
	return ev_rows_add(&t->out[out], row);
}

/* ts, or ts + dur, on the clock of the trace; false when that makes no sense. */
static bool add_base(const struct chrome *t, uint64_t ns, bool negative, uint64_t *out)
{
	if (negative && ns > t->base)
		return false;
	*out = negative ? t->base - ns : t->base + ns;
	return !(*out >> 63);
}

bool chrome_times(struct chrome *t, const struct chrome_event *e, struct ev_row *row)
{
	uint64_t start, dur = 0;
	bool negative, backwards = false;

	if (!json_us(&e->ts, &start, &negative) || !add_base(t, start, negative, &start) ||
	    (e->dur.kind != JSON_NONE && !json_us(&e->dur, &dur, &backwards)) ||
	    (start + dur) >> 63) {
		loss_count(&t->r->loss, LOSS_EVENT, 1, e->at);
		return false;
	}
	if (backwards && dur) {
		loss_count(&t->r->loss, LOSS_REVERSED, 1, e->at);
		return false;
	}
	ev_put(row, EVC_START, start);
	ev_put(row, EVC_END, start + dur);
	return true;
}

bool chrome_intern(struct chrome *t, const struct json_item *text, uint32_t *id)
{
	const char *p;
	size_t n;

	if (!json_text(text, &t->text, &p, &n))
		return false;
	*id = names_add(&t->r->names, p, n);
	return *id != NAME_NONE;
}

bool chrome_name(struct chrome *t, const struct chrome_event *e, struct ev_row *row)
{
	static const struct json_item unnamed = { .kind = JSON_STRING,
		                                  .p = (const unsigned char *)"(unnamed)",
		                                  .n = 9 };
	bool has = e->name.kind == JSON_STRING;
	uint32_t id;

	if (!has)
		loss_count(&t->r->loss, LOSS_UNNAMED, 1, e->at);
	if (!chrome_intern(t, has ? &e->name : &unnamed, &id))
		return false;
	ev_put(row, EVC_NAME, id);
	return true;
}

void chrome_put(struct ev_row *row, enum ev_col c, const struct json_item *v)
{
	uint64_t u;

	if (json_u64(v, &u))
		ev_put(row, c, u);
}

void chrome_thread(const struct chrome_event *e, struct ev_row *row)
{
	chrome_put(row, EVC_PID, &e->pid);
	chrome_put(row, EVC_TID, &e->tid);
}

/* ---- phases ---- */

/* The texts that tell one lane of begins and ends from another, as a number. */
static bool lane_of(struct chrome *t, const struct json_item *const part[], size_t n, uint32_t *id)
{
	buf_clear(&t->text);
	for (size_t i = 0; i < n; i++) {
		size_t len = part[i]->kind == JSON_NONE ? 0 : part[i]->n;

		buf_add(&t->text, &len, sizeof len);
		buf_add(&t->text, part[i]->p ? (const char *)part[i]->p : "", len);
	}
	if (t->text.failed)
		return false;
	*id = names_add(&t->lanes, t->text.p, t->text.n);
	return *id != NAME_NONE;
}

static bool begin(struct chrome *t, const struct chrome_event *e, uint32_t lane, enum domain domain)
{
	struct open_item item = { .key = lane, .line = e->at, .tag = domain };
	struct ev_row row = { .has = 0 };

	if (!chrome_times(t, e, &row))
		return true;
	if (t->open.live >= CHROME_OPEN) {
		loss_count(&t->r->loss, LOSS_EXCESS, 1, e->at);
		return true;
	}
	if (!chrome_name(t, e, &row))
		return false;
	item.start = row.v[EVC_START];
	item.name = (uint32_t)row.v[EVC_NAME];
	return open_add(&t->open, &item);
}

static bool end(struct chrome *t, const struct chrome_event *e, uint32_t lane)
{
	struct ev_row row = { .has = 0 };
	struct open_item item;

	if (!chrome_times(t, e, &row))
		return true;
	if (!open_take(&t->open, lane, 0, &item)) {
		loss_count(&t->r->loss, LOSS_CLOSE, 1, e->at);
		return true;
	}
	if (row.v[EVC_END] < item.start) {
		loss_count(&t->r->loss, LOSS_REVERSED, 1, item.line);
		return true;
	}
	ev_put(&row, EVC_START, item.start);
	ev_put(&row, EVC_NAME, item.name);
	ev_put(&row, EVC_DOMAIN, item.tag);
	chrome_thread(e, &row);
	return chrome_add(t, OUT_API, &row);
}

static bool mark(struct chrome *t, const struct chrome_event *e, enum domain domain)
{
	struct ev_row row = { .has = 0 };

	if (!chrome_times(t, e, &row))
		return true;
	row.v[EVC_END] = row.v[EVC_START];
	ev_put(&row, EVC_DOMAIN, domain);
	chrome_thread(e, &row);
	return chrome_name(t, e, &row) && chrome_add(t, OUT_API, &row);
}

/* What a counter is called: its name, and an id that tells it from others of that name. */
static bool name_of_counter(struct chrome *t, const struct chrome_event *e, struct buf *b)
{
	bool has_id = e->id.kind == JSON_STRING || e->id.kind == JSON_NUMBER;
	const char *p;
	size_t n;

	if (!json_text(&e->name, &t->text, &p, &n) || !buf_add(b, p, n))
		return false;
	if (!has_id)
		return true;
	buf_chr(b, '[');
	if (!json_text(&e->id, &t->text, &p, &n))
		return false;
	buf_add(b, p, n);
	return buf_chr(b, ']');
}

/* The name of a counter, with a key behind it unless that is NULL, as an id. */
static bool intern_counter(struct chrome *t, const struct chrome_event *e,
                           const struct json_item *key, uint32_t *id)
{
	struct buf b = { 0 };
	bool ok = name_of_counter(t, e, &b);
	const char *p;
	size_t n;

	if (ok && key) {
		buf_chr(&b, ':');
		ok = json_text(key, &t->text, &p, &n) && buf_add(&b, p, n);
	}
	*id = ok && buf_add(&b, "", 0) ? names_add(&t->r->names, b.p, b.n) : NAME_NONE;
	buf_fini(&b);
	return *id != NAME_NONE;
}

bool chrome_sample(struct chrome *t, const struct chrome_event *e, const struct ev_row *more)
{
	struct json c = chrome_args(e);
	unsigned numbers = 0, members = 0;
	struct json_item key, v;
	struct ev_row row;
	enum ev_col col;
	bool first = true;
	double x;

	if (!(t->r->want & (EV_BIT(EVC_COUNTER) | EV_BIT(EVC_VALUE))) ||
	    e->args.kind != JSON_OBJECT)
		return true;
	while (json_member(&c, &first, &key)) {
		v = json_value(&c);
		if (!json_skip_rest(&c, v.kind))
			return true;
		numbers += json_real(&v, &x);
		members++;
	}
	if (members && !numbers)
		loss_count(&t->r->loss, LOSS_COUNTER_VALUES, members, e->at);
	row.has = 0;
	if (!numbers || !chrome_times(t, e, &row))
		return true;
	row.v[EVC_END] = row.v[EVC_START];
	EV_EACH(col, more->has)
	ev_put(&row, col, more->v[col]);
	c = chrome_args(e);
	first = true;
	while (json_member(&c, &first, &key)) {
		uint32_t id;

		v = json_value(&c);
		if (!json_skip_rest(&c, v.kind))
			return true;
		if (!json_real(&v, &x))
			continue;
		/* One series goes by the name of the counter, several by theirs behind it. */
		if (!intern_counter(t, e, numbers == 1 ? NULL : &key, &id))
			return false;
		ev_put(&row, EVC_COUNTER, id);
		ev_put(&row, EVC_VALUE, real_bits(x));
		if (!chrome_add(t, OUT_COUNTER, &row))
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
	while (json_member(&c, &first, &key)) {
		v = json_value(&c);
		if (!json_skip_rest(&c, v.kind))
			break;
		if (json_is(&key, "global", 6) || json_is(&key, "local", 5)) {
			*global = key.n == 6;
			id = v;
		}
	}
	return id;
}

bool chrome_phase(struct chrome *t, const struct chrome_event *e, enum domain domain, bool *done)
{
	static const struct json_item none = { .kind = JSON_NONE };
	bool global;
	const struct json_item id = async_id(e, &global);
	const struct json_item *const thread[] = { &e->pid, &e->tid };
	const struct json_item *const async[] = { global ? &none : &e->pid, &e->cat, &id,
		                                  &e->scope };
	struct ev_row more = { .has = 0 };
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
		chrome_put(&more, EVC_PID, &e->pid);
		return e->name.kind != JSON_STRING || chrome_sample(t, e, &more);
	case 'X':
		*done = false;
		return true;
	default:
		/* Flows, names and the order of tracks, snapshots of objects: no events. */
		return true;
	}
}
