/* SPDX-License-Identifier: MIT
 * What a question kept of a rank (question/state.h), as any bytes: it is an answer or an error, and
 * the answer can be printed.  A line with the name of the question, then the bytes; two ranks have
 * the same.  And bytes that were packed are those that come back, or an error; so are columns,
 * names and rollups. */
#include "agg/agg.h"
#include "base/hash.h"
#include "io/io.h"
#include "metric/metric.h"
#include "question/question.h"
#include "render/render.h"

#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAW(cond)                                                                                  \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "%s:%d: broken law: %s\n", __FILE__, __LINE__, #cond);     \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

enum { PLAIN_MOST = 1 << 20 };

static const struct tm_classes *classes;

/* The question that the first line names, or else one that the bytes choose. */
static const struct tm_metric *choose(const uint8_t **data, size_t *n)
{
	const uint8_t *nl = memchr(*data, '\n', *n < 64 ? *n : 64);
	const struct tm_metric *kept[64];
	size_t all = 0;

	for (size_t i = 0; tm_metrics[i]; i++) {
		const char *name = tm_metrics[i]->name;

		if (!tm_metrics[i]->state)
			continue;
		kept[all++] = tm_metrics[i];
		if (nl && (size_t)(nl - *data) == strlen(name) &&
		    !memcmp(*data, name, strlen(name))) {
			*n -= strlen(name) + 1;
			*data = nl + 1;
			return kept[all - 1];
		}
	}
	return kept[*n ? **data % all : 0];
}

static bool has_error(const struct tm_report *rep)
{
	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR)
			return true;
	return false;
}

static void print(const struct tm_table *t)
{
	const struct tm_render_ctx ctx = { .width = 80 };
	struct tm_buf out = { 0 };

	LAW(tm_render_find("csv")->render(&out, t, &ctx));
	tm_buf_fini(&out);
}

/* Ask it of nothing but what was kept. */
static void answer(const struct tm_metric *m, const uint8_t *data, size_t n)
{
	void *own = calloc(1, m->own + 1), *acc = calloc(1, m->sink.size);
	struct tm_metric_opts o = { .domains = TM_MASK_BIT(TM_DOMAIN_KERNEL),
		                    .level = TM_NAME_FULL,
		                    .classes = classes,
		                    .own = own };
	struct tm_only only = { 0 };
	struct tm_report rep = { 0 };
	struct tm_state s = { 0 };
	struct tm_table t = { 0 };

	o.only = &only;
	tm_metric_defaults(m, own, false);
	LAW(m->sink.init(acc, &o));
	LAW(tm_state_totals(&s, 3, "a.db") && tm_state_take(&s, 3, "a.db", data, n));
	LAW(tm_state_totals(&s, 5, "b.db") && tm_state_take(&s, 5, "b.db", data, n));
	if (tm_state_begin(&s, m, &o, &rep) == TM_ST_OK) {
		const bool damaged = has_error(&rep);
		enum tm_status st = m->fill(acc, &o, &t, &rep);

		LAW(st == TM_ST_OK || st == TM_ST_END);
		LAW(damaged == (s.n == 0));
		LAW(!tm_state_short(&s, m, &o, &rep) || has_error(&rep));
		LAW(st == TM_ST_OK || has_error(&rep));
		if (!t.failed)
			print(&t);
	}
	tm_table_fini(&t);
	tm_state_fini(&s);
	m->sink.fini(acc);
	tm_report_fini(&rep);
	free(acc);
	free(own);
}

static void pack(const uint8_t *data, size_t n)
{
	struct tm_buf out = { 0 };
	unsigned char *back;
	size_t size;
	bool bad;

	LAW(tm_pack(&out, data, n, n % 2 ? TM_PACK_FAST : TM_PACK_SMALL));
	back = tm_unpack(out.p, out.n, &size, &bad);
	LAW(back && !bad && size == n && (!n || !memcmp(back, data, n)));
	free(back);
	/* The checksum tells. */
	if (n) {
		out.p[out.n - 1 - data[0] % 4] ^= (char)(1 << data[0] % 8);
		back = tm_unpack(out.p, out.n, &size, &bad);
		LAW(!back && bad);
	}
	back = tm_unpack(data, n, &size, &bad);
	LAW(bad == !back);
	free(back);
	tm_buf_fini(&out);
}

/* As columns: any bytes, and what was written. */
static void planes(const uint8_t *data, size_t n)
{
	const size_t many = n / sizeof(uint64_t);
	struct tm_state_bytes in = tm_state_bytes(data, n);
	uint64_t *v = malloc((many + 1) * sizeof *v), *back;
	struct tm_buf out = { 0 };

	LAW(v);
	if (many)
		memcpy(v, data, many * sizeof *v);
	back = tm_state_get_planes(&in, many);
	LAW(in.bad == !back);
	free(back);
	LAW(tm_state_put_planes(&out, v, many));
	in = tm_state_bytes(out.p, out.n);
	back = tm_state_get_planes(&in, many);
	LAW(back && !in.bad && in.p == in.end && !memcmp(back, v, many * sizeof *v));
	free(back);
	free(v);
	tm_buf_fini(&out);
}

static bool alike(const struct tm_rollup *a, const struct tm_rollup *b)
{
	return a->domain == b->domain && a->name == b->name && a->counter == b->counter &&
	       a->has_agent == b->has_agent && a->agent == b->agent && a->timed == b->timed &&
	       a->calls == b->calls && !memcmp(a->total, b->total, sizeof a->total) &&
	       !memcmp(a->squares, b->squares, sizeof a->squares) && a->min == b->min &&
	       a->max == b->max && a->sketch_n == b->sketch_n &&
	       (!a->sketch_n || !memcmp(a->sketch, b->sketch, a->sketch_n));
}

/* What can be read, written again, is the same. */
static void again(const struct tm_buf *row)
{
	struct tm_rollups_out out = { 0 };
	struct tm_rollups u = { 0 }, w = { 0 };
	struct tm_rollup r, s;
	struct tm_buf b = { 0 };
	size_t n = 0;

	LAW(tm_rollups_open(&u, row->p, row->n) == !u.bad);
	while (!u.bad && tm_rollups_next(&u, &r)) {
		LAW(tm_rollups_add(&out, &r));
		n++;
	}
	if (!u.bad && n) {
		LAW(tm_rollups_open(&u, row->p, row->n));
		LAW(tm_rollups_pack(&out, &b) && tm_rollups_open(&w, b.p, b.n));
		for (; n; n--)
			LAW(tm_rollups_next(&u, &r) && tm_rollups_next(&w, &s) && alike(&r, &s));
		LAW(!tm_rollups_next(&w, &s) && !w.bad);
	}
	tm_rollups_fini(&u);
	tm_rollups_fini(&w);
	tm_rollups_out_fini(&out);
	tm_buf_fini(&b);
}

/* As names and rollups: three parts of the bytes, packed, as parts of a row. */
static void rollups(const uint8_t *data, size_t n)
{
	const size_t third = n / TM_ROLLUPS_PARTS;
	struct tm_buf frames = { 0 }, row = { 0 };
	struct tm_rollups u = { 0 };
	struct tm_names names = { 0 };
	bool bad;

	LAW(!tm_rollups_open(&u, data, n) || !u.bad);
	tm_rollups_fini(&u);
	tm_num_put_varint(&row, n ? data[0] % 8 : 0);
	for (size_t i = 0; i < TM_ROLLUPS_PARTS; i++) {
		const size_t before = frames.n;

		LAW(tm_pack(&frames, data + i * third, third, TM_PACK_FAST));
		tm_num_put_varint(&row, frames.n - before);
		if (!i && !tm_packed_names_get(frames.p, frames.n, &names, &bad))
			LAW(bad);
	}
	LAW(tm_buf_add(&row, frames.p, frames.n));
	again(&row);
	tm_names_fini(&names);
	tm_buf_fini(&row);
	tm_buf_fini(&frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const struct tm_metric *m;
	struct tm_diag d;

	tm_hash_own_seed(1);
	if (!classes)
		classes = tm_classes_builtin(&d);
	LAW(classes);
	n = n < PLAIN_MOST ? n : PLAIN_MOST;
	m = choose(&data, &n);
	answer(m, data, n);
	pack(data, n);
	planes(data, n);
	rollups(data, n);
	return 0;
}
