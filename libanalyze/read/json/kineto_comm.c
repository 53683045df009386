/* SPDX-License-Identifier: MIT
 * Collectives of torch.distributed in the words of RCCL.
 *
 * A process group is known by its name and its ranks: the name is the same on all of them, but
 * older releases give groups of different ranks the same one.  A send to, or a receive from, a rank
 * that is named is between these two, however large the group is. */
#include "read/json/kineto.h"

#include <inttypes.h>
#include <stdlib.h>

enum count { COUNT_IN, COUNT_OUT, COUNT_SHARE };

static const struct {
	const char *text;
	size_t n;
	const char *call;
	enum count count;
} ops[] = {
#define OP(t, c, k) { t, sizeof(t) - 1, c, COUNT_##k },
#include "schemas/kineto_comm.def"
};

static const struct {
	const char *text;
	size_t n;
	uint64_t bytes;
} types[] = {
#define TYPE(t, b) { t, sizeof(t) - 1, b },
#include "schemas/kineto_comm.def"
};

tm_ev_set tm_kineto_comm_columns(void)
{
	return TM_EV_BIT(TM_EVC_TYPE) | TM_EV_BIT(TM_EVC_COMM) | TM_EV_BIT(TM_EVC_COMM_RANKS) |
	       TM_EV_BIT(TM_EVC_OP_COUNT) | TM_EV_BIT(TM_EVC_BYTES);
}

/* Bytes of the call as RCCL counts them: of all, or of one rank's part. */
static bool bytes_of(const struct kineto_comm *c, enum count count, uint64_t *bytes)
{
	uint64_t n, ranks, item = 0;

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (c->type.kind == JSON_STRING && json_is(&c->type, types[i].text, types[i].n))
			item = types[i].bytes;
	if (!item || !tm_json_u64(count == COUNT_OUT ? &c->out : &c->in, &n) ||
	    __builtin_mul_overflow(n, item, bytes))
		return false;
	if (count != COUNT_SHARE)
		return true;
	if (!tm_json_u64(&c->size, &ranks) || !ranks)
		return false;
	*bytes /= ranks;
	return true;
}

/* One more text after the others, with a blank; false when out of memory. */
static bool add_text(struct tm_buf *out, const struct json_item *v, struct tm_buf *room)
{
	const char *p;
	size_t n;

	if (v->kind != JSON_STRING || !v->n)
		return true;
	tm_buf_clear(room);
	if (!tm_json_text(v, room, &p, &n))
		return false;
	if (out->n)
		tm_buf_chr(out, ' ');
	/* A ':' is for communicators that one process alone knows. */
	for (size_t i = 0; i < n; i++)
		tm_buf_chr(out, p[i] == ':' ? '_' : p[i]);
	return !out->failed;
}

/* The two ranks of a send or receive, the lower first; false where one is not known. */
static bool find_pair(const struct tm_reader *r, const struct kineto_comm *c, uint64_t pair[2])
{
	const struct json_item *peer = json_is(&c->what, "send", 4)   ? &c->to
	                               : json_is(&c->what, "recv", 4) ? &c->from
	                                                              : NULL;
	uint64_t other;

	if (!peer || !r->has_rank || !tm_json_u64(peer, &other) || other == r->rank)
		return false;
	pair[0] = other < r->rank ? other : r->rank;
	pair[1] = other < r->rank ? r->rank : other;
	return true;
}

/* "0 default_pg [0, 1]": the same on all ranks of the group, or on both of the pair, and on no
 * others. */
static bool put_group(struct tm_reader *r, const struct kineto_comm *c, const uint64_t *pair,
                      struct tm_ev_row *row)
{
	struct tm_buf text = { 0 }, room = { 0 };
	bool ok = add_text(&text, &c->name, &room) && add_text(&text, &c->about, &room) &&
	          (pair || add_text(&text, &c->ranks, &room));
	uint32_t id;

	if (pair)
		tm_buf_fmt(&text, "%s[%" PRIu64 ", %" PRIu64 "]", text.n ? " " : "", pair[0],
		           pair[1]);
	ok = ok && !text.failed;
	id = ok && text.n ? tm_names_add(&r->names, text.p, text.n) : TM_NAME_NONE;
	ok = ok && (!text.n || id != TM_NAME_NONE);
	if (id != TM_NAME_NONE)
		tm_ev_put(row, TM_EVC_COMM, id);
	tm_buf_fini(&text);
	tm_buf_fini(&room);
	return ok;
}

bool tm_kineto_comm_put(struct tm_reader *r, const struct kineto_comm *c, struct tm_ev_row *row)
{
	uint64_t bytes, pair[2];
	bool paired;
	uint32_t id;
	size_t k = 0;

	if (c->what.kind != JSON_STRING)
		return true;
	while (k < sizeof ops / sizeof *ops && !json_is(&c->what, ops[k].text, ops[k].n))
		k++;
	if (k < sizeof ops / sizeof *ops) {
		id = tm_names_add(&r->names, ops[k].call, strlen(ops[k].call));
		if (bytes_of(c, ops[k].count, &bytes))
			tm_ev_put(row, TM_EVC_BYTES, bytes);
	} else {
		/* One of a later release, under its own name. */
		id = tm_names_add(&r->names, (const char *)c->what.p, c->what.n);
	}
	if (id == TM_NAME_NONE)
		return false;
	tm_ev_put(row, TM_EVC_TYPE, id);
	paired = find_pair(r, c, pair);
	if (paired)
		tm_ev_put(row, TM_EVC_COMM_RANKS, 2);
	else
		tm_chrome_put(row, TM_EVC_COMM_RANKS, &c->size);
	tm_chrome_put(row, TM_EVC_OP_COUNT, &c->seq);
	return c->name.kind != JSON_STRING || put_group(r, c, paired ? pair : NULL, row);
}
