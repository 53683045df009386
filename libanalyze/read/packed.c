/* SPDX-License-Identifier: MIT */
#include "read/packed.h"

#include "io/io.h"

#include <stdlib.h>
#include <string.h>

enum {
	PACKED_NAME = 1,
	PACKED_COUNTER = 2,
	PACKED_AGENT = 4,
	PACKED_TIMED = 8,
	PACKED_VALUES = 16, /* the sketch holds every value */
	PACKED_DOMAIN = 32, /* another domain than the one before; of the first always */
	PACKED_BITS = 63
};

enum { NAMES_BYTES = 1 << 20 }; /* of a frame, about, before it is packed */

/* ---- what the values of a sketch add up to ---- */

/* False where the sketch does not hold every value: only what is told without it is in *r then. */
static bool add_up(struct tm_rollup *r)
{
	const unsigned char *p = r->sketch, *end = p + r->sketch_n;
	tm_u128 total = 0, squares = 0;
	uint64_t how, n, d, v = 0, hi = 0;

	if (!r->sketch_n || !tm_num_get_varint(&p, end, &how) || how ||
	    !tm_num_get_varint(&p, end, &n) || !n || n > (uint64_t)(end - p))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		tm_u128 square;

		if (!tm_num_get_varint(&p, end, &d) || __builtin_add_overflow(v, d, &v))
			return false;
		r->min = i ? r->min : v;
		total += v;
		square = (tm_u128)v * v;
		squares += square;
		hi += squares < square;
	}
	r->calls = n;
	r->max = v;
	r->total[0] = (uint64_t)total;
	r->total[1] = (uint64_t)(total >> 64);
	r->squares[0] = (uint64_t)squares;
	r->squares[1] = (uint64_t)(squares >> 64);
	r->squares[2] = hi;
	return p == end;
}

/* Can its sums be had from its sketch? */
static bool holds_values(const struct tm_rollup *r)
{
	struct tm_rollup sums = { .sketch = r->sketch, .sketch_n = r->sketch_n };

	return add_up(&sums) && sums.calls == r->calls && sums.min == r->min &&
	       sums.max == r->max && !memcmp(sums.total, r->total, sizeof sums.total) &&
	       !memcmp(sums.squares, r->squares, sizeof sums.squares);
}

/* ---- writing ---- */

/* Small for small distances, whichever way. */
static uint64_t distance(uint32_t from, uint32_t to)
{
	return to >= from ? (uint64_t)(to - from) << 1 : (uint64_t)(from - to) << 1 | 1;
}

/* The sums that a sketch does not tell. */
static void put_sums(const struct tm_rollup *r, struct tm_buf *b)
{
	tm_num_put_varint(b, r->calls);
	if (!r->timed)
		return;
	for (int i = 0; i < 2; i++)
		tm_num_put_varint(b, r->total[i]);
	for (int i = 0; i < 3; i++)
		tm_num_put_varint(b, r->squares[i]);
	tm_num_put_varint(b, r->min);
	tm_num_put_varint(b, r->max);
}

bool tm_rollups_add(struct tm_rollups_out *o, const struct tm_rollup *r)
{
	const bool domain = !o->n || r->domain != o->domain, values = r->timed && holds_values(r);
	const char *text = tm_domain_text(r->domain);
	struct tm_buf *b = &o->part[TM_ROLLUPS_HEADS],
	              *sketch = &o->part[values ? TM_ROLLUPS_VALUES : TM_ROLLUPS_BUCKETS];

	tm_num_put_varint(b, (r->name != TM_NAME_NONE ? PACKED_NAME : 0) |
	                             (r->counter != TM_NAME_NONE ? PACKED_COUNTER : 0) |
	                             (r->has_agent ? PACKED_AGENT : 0) |
	                             (r->timed ? PACKED_TIMED : 0) | (values ? PACKED_VALUES : 0) |
	                             (domain ? PACKED_DOMAIN : 0));
	if (domain) {
		tm_num_put_varint(b, strlen(text));
		tm_buf_str(b, text);
	}
	if (r->name != TM_NAME_NONE) {
		tm_num_put_varint(b, distance(o->name, r->name));
		o->name = r->name;
	}
	if (r->counter != TM_NAME_NONE)
		tm_num_put_varint(b, r->counter);
	if (r->has_agent)
		tm_num_put_varint(b, r->agent);
	if (!values)
		put_sums(r, b);
	if (r->timed) {
		tm_num_put_varint(b, r->sketch_n);
		if (r->sketch_n)
			tm_buf_add(sketch, r->sketch, r->sketch_n);
	}
	o->domain = r->domain;
	o->n++;
	return !b->failed && !sketch->failed;
}

size_t tm_rollups_size(const struct tm_rollups_out *o)
{
	size_t n = 0;

	for (int i = 0; i < TM_ROLLUPS_PARTS; i++)
		n += o->part[i].n;
	return n;
}

bool tm_rollups_pack(struct tm_rollups_out *o, struct tm_buf *out)
{
	struct tm_buf frames = { 0 };
	bool ok = true;

	tm_num_put_varint(out, o->n);
	for (int i = 0; i < TM_ROLLUPS_PARTS && ok; i++) {
		const size_t before = frames.n;
		struct tm_buf *b = &o->part[i];

		ok = tm_pack(&frames, b->p ? b->p : "", b->n, TM_PACK_FAST);
		tm_num_put_varint(out, frames.n - before);
		tm_buf_clear(b);
	}
	ok = ok && tm_buf_add(out, frames.p, frames.n) && !out->failed;
	tm_buf_fini(&frames);
	o->n = 0;
	o->name = 0;
	return ok;
}

void tm_rollups_out_fini(struct tm_rollups_out *o)
{
	for (int i = 0; i < TM_ROLLUPS_PARTS; i++)
		tm_buf_fini(&o->part[i]);
	*o = (struct tm_rollups_out) { 0 };
}

bool tm_packed_names_put(const struct tm_names *names, uint32_t from, uint32_t *next,
                         struct tm_buf *out)
{
	struct tm_buf plain = { 0 };
	uint32_t i = from;
	bool ok;

	for (; i < names->n && plain.n < NAMES_BYTES && !plain.failed; i++) {
		tm_num_put_varint(&plain, names->v[i].len);
		tm_buf_add(&plain, names->v[i].text, names->v[i].len);
	}
	ok = !plain.failed && tm_pack(out, plain.p, plain.n, TM_PACK_SMALL);
	tm_buf_fini(&plain);
	*next = i;
	return ok;
}

/* ---- reading ---- */

static bool get(struct tm_rollups *u, uint64_t *v)
{
	u->bad |= !tm_num_get_varint(&u->at[TM_ROLLUPS_HEADS], u->end[TM_ROLLUPS_HEADS], v);
	return !u->bad;
}

bool tm_rollups_open(struct tm_rollups *u, const void *p, size_t n)
{
	const unsigned char *at = p, *end = at + n;
	uint64_t len[TM_ROLLUPS_PARTS] = { 0 };

	tm_rollups_fini(u);
	u->bad = !tm_num_get_varint(&at, end, &u->left) || !u->left;
	for (int i = 0; i < TM_ROLLUPS_PARTS && !u->bad; i++)
		u->bad = !tm_num_get_varint(&at, end, &len[i]);
	for (int i = 0; i < TM_ROLLUPS_PARTS && !u->bad; i++) {
		size_t size;

		u->bad = len[i] > (uint64_t)(end - at);
		if (u->bad)
			break;
		u->plain[i] = tm_unpack(at, (size_t)len[i], &size, &u->bad);
		if (!u->plain[i])
			break;
		u->at[i] = u->plain[i];
		u->end[i] = u->plain[i] + size;
		at += len[i];
	}
	u->bad |= u->plain[TM_ROLLUPS_PARTS - 1] && at != end;
	if (!u->bad && u->plain[TM_ROLLUPS_PARTS - 1])
		return true;
	u->left = 0;
	return false;
}

/* What the sums of a head say; those of its sketch, where that holds every value. */
static bool get_sums(struct tm_rollups *u, bool values, struct tm_rollup *r)
{
	const int part = values ? TM_ROLLUPS_VALUES : TM_ROLLUPS_BUCKETS;
	uint64_t n = 0;

	if (!values)
		get(u, &r->calls);
	for (int i = 0; r->timed && !values && i < 2; i++)
		get(u, &r->total[i]);
	for (int i = 0; r->timed && !values && i < 3; i++)
		get(u, &r->squares[i]);
	if (r->timed && !values) {
		get(u, &r->min);
		get(u, &r->max);
	}
	if (!r->timed)
		return !u->bad;
	u->bad |= !get(u, &n) || n > (uint64_t)(u->end[part] - u->at[part]);
	if (u->bad)
		return false;
	r->sketch = u->at[part];
	r->sketch_n = (size_t)n;
	u->at[part] += n;
	u->bad |= values && !add_up(r);
	return !u->bad;
}

static bool get_domain(struct tm_rollups *u)
{
	const unsigned char **at = &u->at[TM_ROLLUPS_HEADS];
	uint64_t n = 0;

	u->bad |= !get(u, &n) || n > (uint64_t)(u->end[TM_ROLLUPS_HEADS] - *at);
	if (u->bad)
		return false;
	u->domain = tm_domain_find((const char *)*at, (size_t)n);
	/* One of a later version is one this version does not know. */
	if (u->domain == TM_DOMAIN_N)
		u->domain = TM_DOMAIN_OTHER;
	*at += n;
	return true;
}

static bool get_name(struct tm_rollups *u)
{
	uint64_t d = 0;

	if (!get(u, &d) || d >> 1 > UINT32_MAX)
		u->bad = true;
	else
		u->name = d & 1 ? u->name - (uint32_t)(d >> 1) : u->name + (uint32_t)(d >> 1);
	return !u->bad;
}

bool tm_rollups_next(struct tm_rollups *u, struct tm_rollup *r)
{
	uint64_t bits, counter = TM_NAME_NONE;

	if (u->bad || !u->left)
		return false;
	*r = (struct tm_rollup) { .name = TM_NAME_NONE };
	u->bad |= !get(u, &bits) || bits > PACKED_BITS ||
	          (bits & PACKED_VALUES && !(bits & PACKED_TIMED)) ||
	          (bits & PACKED_DOMAIN && !get_domain(u)) ||
	          (bits & PACKED_NAME && !get_name(u)) ||
	          (bits & PACKED_COUNTER && (!get(u, &counter) || counter >= TM_NAME_NONE)) ||
	          (bits & PACKED_AGENT && !get(u, &r->agent));
	if (u->bad)
		return false;
	r->domain = u->domain;
	r->has_agent = bits & PACKED_AGENT;
	r->timed = bits & PACKED_TIMED;
	r->counter = (uint32_t)counter;
	if (bits & PACKED_NAME)
		r->name = u->name;
	if (!get_sums(u, bits & PACKED_VALUES, r))
		return false;
	/* The last one ends where all ends. */
	u->left--;
	for (int i = 0; i < TM_ROLLUPS_PARTS && !u->left; i++)
		u->bad |= u->at[i] != u->end[i];
	return !u->bad;
}

void tm_rollups_fini(struct tm_rollups *u)
{
	for (int i = 0; i < TM_ROLLUPS_PARTS; i++)
		free(u->plain[i]);
	*u = (struct tm_rollups) { 0 };
}

bool tm_packed_names_get(const void *p, size_t n, struct tm_names *names, bool *bad)
{
	size_t size;
	unsigned char *plain = tm_unpack(p, n, &size, bad);
	const unsigned char *at = plain, *end = plain ? plain + size : NULL;
	bool ok = plain != NULL;

	while (ok && at < end) {
		uint32_t want = names->n, id;
		uint64_t len;

		*bad = !tm_num_get_varint(&at, end, &len) || len > (uint64_t)(end - at) ||
		       len >= UINT32_MAX;
		ok = !*bad;
		if (!ok)
			break;
		id = tm_names_add(names, (const char *)at, (size_t)len);
		*bad = id != TM_NAME_NONE && id != want;
		ok = id == want;
		at += len;
	}
	free(plain);
	return ok;
}
