/* SPDX-License-Identifier: MIT
 * Log of RCCL (NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS=INIT,COLL): the calls of collectives, amid
 * everything else that RCCL and the program print.  One event for each call; it has no time, for
 * INFO lines have none.  The order is that of the file, which for one process is the order of its
 * calls.
 *
 * A communicator is a pointer here, which means nothing in another process: the INIT lines say
 * which commId it stands for.  Without them it is called "host:pid:pointer".
 *
 * With RCCL_KERNEL_COLL_TRACE_ENABLE=1 kernels say when they begin (KL) and end (KE).  That is the
 * clock of one GPU, and the same kernels are in a kernel trace: these are events of domain "other",
 * the first block only.
 *
 * Processes that share a file write over each other: a line may hold two records, the first of them
 * cut. What still shows "opCount" and is not whole is counted as left out. */
#include "base/base.h"
#include "read/batch.h"
#include "read/library/rccl.h"
#include "read/lines.h"

#include <stdlib.h>
#include <string.h>

enum {
	LONGEST = 1024 * 1024, /* bytes of a line */
	BITS = 8,
};

static const char info[] = TM_RCCL_INFO, mark[] = TM_RCCL_MARK;

/* 0: not known, so that nobody knows the bytes either. */
static const unsigned char item_bytes[] = {
#define DATATYPE(number, bytes) [number] = bytes,
#include "schemas/rccl_log.def"
};

/* Releases that are known by name. */
static const struct {
	const char *text, *producer;
} versions[] = {
#define VERSION(release) { release, "RCCL " release },
#include "schemas/rccl_log.def"
};

/* What is known of a process ("host:pid"), a communicator ("host:pid:0x...") or a block of a kernel
 * ("host:pid 07:00"). */
struct known {
	bool has_rank, has_comm, open, pairs; /* pairs: of sends and receives, in the open kernel */
	uint64_t rank;                        /* of the process in the job */
	uint32_t comm;                        /* name of the communicator */
	uint64_t start;                       /* of the kernel, with `open` */
	uint64_t at;                          /* byte of its line */
	uint32_t name;
	uint64_t op, op_last; /* its first and its last collective */
};

struct rccl_log {
	struct tm_lines lines;
	bool told, has_version;
	struct tm_ev_rows out;
	struct tm_names whom; /* texts of `known` */
	struct known *known;
	size_t nknown, known_cap;
	struct tm_buf text;
};

static void malformed(struct tm_reader *r)
{
	tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, r->lines);
}

static unsigned rccl_bid(const unsigned char *bytes, size_t n, bool whole)
{
	const char *p = (const char *)bytes, *end = p + n;
	struct tm_rccl_origin o;

	(void)whole;
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl ? nl : end;
		const char *at = tm_rccl_find_last(p, (size_t)(stop - p), info);

		if (at && tm_rccl_origin_parse(p, at, &o))
			return BITS * (sizeof info - 1);
		p = nl ? nl + 1 : end;
	}
	return 0;
}

bool tm_rccl_log_begins(struct tm_source *src, uint64_t *line, struct tm_diag *d)
{
	struct tm_lines l = { .longest = LONGEST };
	struct tm_rccl_origin o;
	bool found = false;
	const char *p;
	size_t n;

	while (!found && tm_lines_next(&l, src, &p, &n) != TM_LINE_NONE) {
		const char *at = tm_rccl_find_last(p, n, info);

		found = at && tm_rccl_origin_parse(p, at, &o);
	}
	*line = l.line;
	if (l.dead && l.why.status == TM_ST_NOMEM)
		*d = l.why;
	tm_lines_fini(&l);
	return found;
}

/* ---- what is known ---- */

/* What is known of a process, or of something of it; NULL when out of memory. */
static struct known *known_of(struct rccl_log *t, const struct tm_small_field *process, char sep,
                              const struct tm_small_field *what)
{
	uint32_t id;

	tm_buf_clear(&t->text);
	tm_buf_add(&t->text, process->p, process->n);
	if (what) {
		tm_buf_chr(&t->text, sep);
		tm_buf_add(&t->text, what->p, what->n);
	}
	id = t->text.failed ? TM_NAME_NONE : tm_names_add(&t->whom, t->text.p, t->text.n);
	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&t->known, &t->known_cap, (size_t)id + 1, sizeof *t->known)) {
		tm_lines_oom(&t->lines);
		return NULL;
	}
	while (t->nknown <= id)
		t->known[t->nknown++] = (struct known) { 0 };
	return &t->known[id];
}

static bool give(struct tm_reader *r, const struct tm_ev_row *row)
{
	struct rccl_log *t = r->priv;

	r->loss.rows++;
	return tm_ev_rows_add(&t->out, row) || tm_lines_oom(&t->lines);
}

/* ---- lines ---- */

/* The process of a line is "host:pid". */
static bool note_host(struct tm_reader *r, const struct tm_rccl_origin *o)
{
	const char *colon = memrchr(o->process.p, ':', o->process.n);

	return !colon || tm_reader_host(r, o->process.p, (size_t)(colon - o->process.p)) ||
	       tm_lines_oom(&((struct rccl_log *)r->priv)->lines);
}

/* "comm 0x... rank 3 nranks 8 ... commId 0x... - Init COMPLETE" */
static bool take_init(struct tm_reader *r, const struct tm_rccl_origin *o, const char *p,
                      const char *end)
{
	const unsigned need = 1u << TM_RF_COMM | 1u << TM_RF_RANK | 1u << TM_RF_RANKS;
	struct rccl_log *t = r->priv;
	struct tm_rccl_pairs v;
	struct known *k;

	p = memmem(p, (size_t)(end - p), "comm 0x", 7);
	if (!p || !tm_rccl_pairs_parse(p, end, &v) || (v.has & need) != need)
		return true;
	if (v.has & 1u << TM_RF_COMM_ID) {
		k = known_of(t, &o->process, ':', &v.text[TM_RF_COMM]);
		if (!k)
			return false;
		k->comm = tm_names_add(&r->names, v.text[TM_RF_COMM_ID].p, v.text[TM_RF_COMM_ID].n);
		if (k->comm == TM_NAME_NONE)
			return tm_lines_oom(&t->lines);
		k->has_comm = true;
	}
	/* The first is that of all ranks, others may be parts of it. */
	k = known_of(t, &o->process, 0, NULL);
	if (k && !k->has_rank) {
		k->rank = v.v[TM_RF_RANK];
		k->has_rank = true;
	}
	return k != NULL;
}

/* "AllReduce: opCount 3 sendbuff 0x... " with `colon` after the name. */
static bool take_collective(struct tm_reader *r, const struct tm_rccl_origin *o, const char *name,
                            const char *colon, const char *end, bool *taken)
{
	struct rccl_log *t = r->priv;
	struct tm_ev_row row = { 0 };
	const struct known *k;
	struct tm_rccl_pairs v;
	uint64_t size;
	uint32_t id;

	*taken = false;
	if (!tm_rccl_collective_parse(name, colon, end, &v))
		return true;

	k = known_of(t, &o->process, ':', &v.text[TM_RF_COMM]);
	if (!k)
		return false;
	id = k->has_comm ? k->comm : tm_names_add(&r->names, t->text.p, t->text.n);
	tm_ev_put(&row, TM_EVC_COMM, id);
	tm_buf_clear(&t->text);
	tm_buf_str(&t->text, "nccl");
	if (id == TM_NAME_NONE || !tm_buf_add(&t->text, name, (size_t)(colon - name)))
		return tm_lines_oom(&t->lines);
	id = tm_names_add(&r->names, t->text.p, t->text.n);
	if (id == TM_NAME_NONE)
		return tm_lines_oom(&t->lines);
	tm_ev_put(&row, TM_EVC_NAME, id);
	tm_ev_put(&row, TM_EVC_DOMAIN, TM_DOMAIN_RCCL);
	tm_ev_put(&row, TM_EVC_PID, o->pid);
	tm_ev_put(&row, TM_EVC_TID, o->tid);
	tm_ev_put(&row, TM_EVC_OP_COUNT, v.v[TM_RF_OP_COUNT]);
	tm_ev_put(&row, TM_EVC_COMM_RANKS, v.v[TM_RF_RANKS]);
	size = v.v[TM_RF_DATATYPE] < sizeof item_bytes ? item_bytes[v.v[TM_RF_DATATYPE]] : 0;
	if (size && v.has & 1u << TM_RF_COUNT && v.v[TM_RF_COUNT] <= UINT64_MAX / size)
		tm_ev_put(&row, TM_EVC_BYTES, v.v[TM_RF_COUNT] * size);
	k = known_of(t, &o->process, 0, NULL);
	if (!k || !note_host(r, o))
		return false;
	if (v.has & 1u << TM_RF_GLOBAL_RANK)
		tm_ev_put(&row, TM_EVC_GLOBAL_RANK, v.v[TM_RF_GLOBAL_RANK]);
	else if (k->has_rank)
		tm_ev_put(&row, TM_EVC_GLOBAL_RANK, k->rank);
	*taken = true;
	return give(r, &row);
}

/* "170260.347287" s in ns. */
static bool seconds(const char *p, size_t n, uint64_t *ns)
{
	const char *dot = memchr(p, '.', n);
	size_t frac = dot ? n - (size_t)(dot - p) - 1 : 0;
	uint64_t s, f;

	if (!dot || frac < 1 || frac > 9 || !tm_num_u64(p, (size_t)(dot - p), &s) ||
	    !tm_num_u64(dot + 1, frac, &f) || s > UINT64_MAX / 1000000000 - 1)
		return false;
	for (; frac < 9; frac++)
		f *= 10;
	*ns = s * 1000000000 + f;
	return true;
}

/* Which part of a kernel a line is of: "[07:00]" rank and block, "[07:00:05]" and the channel, or
 * "[07:00-05:c0]" and the thread, in hexadecimal.  *first: the first block, and thread.  False:
 * none of them. */
static bool block_parse(const struct tm_small_field *b, bool *first)
{
	const char *p = b->p + 1, *end = b->p + b->n - 1;
	uint64_t v[4] = { 0 };
	size_t n = 0;

	if (b->n < 3 || *b->p != '[' || *end != ']')
		return false;
	while (n < 4) {
		const char *from = p;

		while (p < end && *p != ':' && *p != '-')
			p++;
		if (!tm_rccl_hex(from, (size_t)(p - from), &v[n++]))
			return false;
		if (p == end)
			break;
		/* The first is a colon, the second is either, the third is a colon. */
		if (n == 4 || (*p == '-' && n != 2))
			return false;
		p++;
	}
	*first = v[1] == 0 && v[3] == 0;
	return n >= 2;
}

/* "## [170260.347287] [07:00] 000001 KL HWID 42300700 ncclDevFunc_... nw 4 ... nRanks 8", or KE
 * without what stands between KL and busId.  A kernel may run several collectives, then CL begins
 * the next one, and its count is that of KE.  One of sends and receives has two counts, and KE one
 * or two.  Others are passed over. */
static bool take_kernel(struct tm_reader *r, const struct tm_rccl_origin *o, const char *p,
                        const char *end, uint64_t at)
{
	struct rccl_log *t = r->priv;
	struct tm_small_field time, block, op, what, name = { 0 };
	struct tm_ev_row row = { 0 };
	uint64_t ns, count = 0;
	const char *dash;
	struct known *k;
	bool begin, next, first;

	time = tm_rccl_word(&p, end);
	block = tm_rccl_word(&p, end);
	op = tm_rccl_word(&p, end);
	what = tm_rccl_word(&p, end);
	begin = tm_rccl_is_word(&what, "KL");
	next = tm_rccl_is_word(&what, "CL");
	if (!begin && !next && !tm_rccl_is_word(&what, "KE"))
		return true;
	if (begin) {
		name = tm_rccl_word(&p, end);
		if (tm_rccl_is_word(&name, "HWID")) {
			tm_rccl_word(&p, end);
			name = tm_rccl_word(&p, end);
		}
	}
	dash = op.n ? memchr(op.p, '-', op.n) : NULL;
	if (time.n < 3 || *time.p != '[' || time.p[time.n - 1] != ']' ||
	    !block_parse(&block, &first) || (begin && !name.n) ||
	    !seconds(time.p + 1, time.n - 2, &ns) || !memmem(p, (size_t)(end - p), "nRanks ", 7) ||
	    !tm_rccl_hex(op.p, dash ? (size_t)(dash - op.p) : op.n, &count)) {
		malformed(r);
		return true;
	}
	if (!first)
		return true; /* another block of the same kernel */
	k = known_of(t, &o->process, ' ', &block);
	if (!k)
		return false;
	if (next) {
		k->op_last = count;
		k->pairs |= dash != NULL;
		return true;
	}
	if (begin) {
		if (k->open)
			tm_loss_count(&r->loss, TM_LOSS_OPEN, 1, k->at);
		k->open = true;
		k->start = ns;
		k->at = at;
		k->op = k->op_last = count;
		k->pairs = dash != NULL;
		k->name = tm_names_add(&r->names, name.p, name.n);
		return k->name != TM_NAME_NONE || tm_lines_oom(&t->lines);
	}
	if (!k->open || (k->op_last != count && !k->pairs)) {
		tm_loss_count(&r->loss, TM_LOSS_CLOSE, 1, at);
		return true;
	}
	k->open = false;
	if (ns < k->start) {
		tm_loss_count(&r->loss, TM_LOSS_REVERSED, 1, at);
		return true;
	}
	tm_ev_put(&row, TM_EVC_NAME, k->name);
	tm_ev_put(&row, TM_EVC_DOMAIN, TM_DOMAIN_OTHER);
	tm_ev_put(&row, TM_EVC_START, k->start);
	tm_ev_put(&row, TM_EVC_END, ns);
	tm_ev_put(&row, TM_EVC_PID, o->pid);
	tm_ev_put(&row, TM_EVC_OP_COUNT, k->op);
	return give(r, &row);
}

/* "RCCL version : 2.26.6-HEAD:64f48b6", "NCCL version 2.28.3+hip7.12": the release, the first that
 * is told. */
static void take_version(struct tm_reader *r, const char *p, const char *end)
{
	struct rccl_log *t = r->priv;
	struct tm_small_field w;

	p = memmem(p, (size_t)(end - p), "CCL version ", 12);
	if (!p || t->has_version)
		return;
	p += 12;
	w = tm_rccl_word(&p, end);
	if (tm_rccl_is_word(&w, ":"))
		w = tm_rccl_word(&p, end);
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
		size_t n = strlen(versions[i].text);

		if (w.n < n || memcmp(w.p, versions[i].text, n) != 0 ||
		    (w.n > n && w.p[n] >= '0' && w.p[n] <= '9'))
			continue;
		r->producer = versions[i].producer;
		t->has_version = true;
	}
}

/* How many times a line says that it is a collective. */
static uint64_t marks(const char *p, const char *end)
{
	uint64_t n = 0;

	while ((p = memmem(p, (size_t)(end - p), mark, sizeof mark - 1)) != NULL) {
		n++;
		p += sizeof mark - 1;
	}
	return n;
}

/* One line that begins `at` that byte.  `whole`: its newline is there.  False when out of memory.
 */
static bool take_line(struct tm_reader *r, const char *p, const char *end, bool whole, uint64_t at)
{
	const char *msg, *colon;
	struct tm_rccl_origin o;
	uint64_t claims;
	bool ok = true, taken = false, any = p < end;

	while (end > p && (end[-1] == '\r' || end[-1] == ' '))
		end--;
	claims = marks(p, end);
	msg = tm_rccl_find_last(p, (size_t)(end - p), info);
	if (!whole) {
		/* Nobody can tell whether its last number is whole. */
		if (claims || (msg && memmem(msg, (size_t)(end - msg), "## ", 3)))
			tm_loss_line(&r->loss, TM_LOSS_LINE_CUT, r->lines);
		else if (any && !((struct rccl_log *)r->priv)->lines.dead)
			tm_loss_line(&r->loss, TM_LOSS_LINE_OPEN_END, r->lines);
		return true;
	}
	take_version(r, p, end);
	if (!msg || !tm_rccl_origin_parse(p, msg, &o)) {
		for (; claims; claims--)
			malformed(r);
		return true;
	}
	msg += sizeof info - 1;
	colon = memmem(msg, (size_t)(end - msg), mark, sizeof mark - 1);
	if (colon)
		ok = take_collective(r, &o, msg, colon, end, &taken);
	else if (end - msg > 3 && !memcmp(msg, "## ", 3))
		ok = take_kernel(r, &o, msg + 3, end, at);
	else if (memmem(msg, (size_t)(end - msg), "- Init ", 7))
		ok = take_init(r, &o, msg, end);
	for (claims -= taken; claims; claims--)
		malformed(r);
	return ok;
}

/* ---- bytes ---- */

static bool take(struct tm_reader *r, enum tm_line_kind kind, const char *p, size_t n)
{
	const struct rccl_log *t = r->priv;

	if (kind != TM_LINE_LONG)
		return take_line(r, p, p + n, kind == TM_LINE_WHOLE, t->lines.at);
	/* RCCL's own lines end after 4096 bytes. */
	for (uint64_t c = marks(p, p + n); c; c--)
		malformed(r);
	return true;
}

static enum tm_status rccl_open(struct tm_reader *r, struct tm_diag *d)
{
	struct rccl_log *t = r->priv;

	(void)d;
	t->lines.longest = LONGEST;
	t->out.b.kind = TM_EV_API;
	r->table = "log of RCCL";
	r->producer = "RCCL";
	return TM_ST_OK;
}

/* Kernels that began and did not end. */
static void tell_open(struct tm_reader *r)
{
	struct rccl_log *t = r->priv;

	for (size_t i = 0; i < t->nknown; i++)
		if (t->known[i].open)
			tm_loss_count(&r->loss, TM_LOSS_OPEN, 1, t->known[i].at);
	t->told = true;
}

static enum tm_status rccl_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct rccl_log *t = r->priv;
	enum tm_status st = tm_lines_rows(&t->lines, r, take, &t->out, 1, b, d);

	if (st != TM_ST_OK && !t->told)
		tell_open(r);
	return st;
}

static void rccl_close(struct tm_reader *r)
{
	struct rccl_log *t = r->priv;

	tm_ev_rows_fini(&t->out);
	tm_names_fini(&t->whom);
	free(t->known);
	tm_lines_fini(&t->lines);
	tm_buf_fini(&t->text);
}

const struct tm_reader_ops tm_reader_rccl_log = {
	.name = "rccl-log",
	.about = "log of RCCL (NCCL_DEBUG=INFO), also mixed with the program's output",
	.bid = rccl_bid,
	.priv_size = sizeof(struct rccl_log),
	.open = rccl_open,
	.next = rccl_next,
	.close = rccl_close,
};
