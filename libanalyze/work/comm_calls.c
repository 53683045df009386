/* SPDX-License-Identifier: MIT */
#include "work/comm_calls.h"

#include <stdlib.h>
#include <string.h>

struct tm_comm_chunk {
	uint64_t rank;
	uint32_t path;
};

enum size { ONE, RANKS };
enum factor { TWICE, SHARE, WHOLE };
enum end { TOGETHER, APART };

static const struct collective_def {
	const char *name;
	enum size size;
	enum factor factor;
	const char *kernel;
	enum end end;
} collectives[] = {
#define COLLECTIVE(name_, size_, factor_, kernel_, end_)                                           \
	{ .name = name_, .size = size_, .factor = factor_, .kernel = kernel_, .end = end_ },
#include "schemas/collectives.def"
#undef COLLECTIVE
};

static const struct collective_def *find(const char *call)
{
	for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
		if (!strcmp(collectives[i].name, call))
			return &collectives[i];
	return NULL;
}

/* The first of those that a kernel of that name can be; NULL if its name does not say. */
static const struct collective_def *find_kernel(const char *kernel)
{
	static const char *const before[] = { "ncclDevKernel_", "ncclKernel_" };
	const char *word = NULL;

	for (size_t i = 0; !word && i < sizeof before / sizeof *before; i++) {
		word = strstr(kernel, before[i]);
		word = word ? word + strlen(before[i]) : NULL;
	}
	for (size_t i = 0; word && i < sizeof collectives / sizeof *collectives; i++)
		if (!strncmp(word, collectives[i].kernel, strlen(collectives[i].kernel)))
			return &collectives[i];
	return NULL;
}

bool tm_comm_call_fits(const struct tm_comm_calls *c, const struct tm_comm_call *call,
                       const char *kernel)
{
	const struct collective_def *own = find(c->names.v[call->name].text),
	                            *of = own ? find_kernel(kernel) : NULL;

	return !of || !strcmp(own->kernel, of->kernel);
}

bool tm_comm_ends_together(const struct tm_name *op)
{
	const struct collective_def *of = find(op->text);

	of = of ? of : find_kernel(op->text);
	return !of || of->end == TOGETHER;
}

tm_ev_set tm_comm_calls_want(void)
{
	return TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_DOMAIN) | TM_EV_BIT(TM_EVC_START) |
	       TM_EV_BIT(TM_EVC_END) | TM_EV_BIT(TM_EVC_BYTES) | TM_EV_BIT(TM_EVC_COMM) |
	       TM_EV_BIT(TM_EVC_COMM_RANKS) | TM_EV_BIT(TM_EVC_OP_COUNT) |
	       TM_EV_BIT(TM_EVC_GLOBAL_RANK) | TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_TYPE);
}

void tm_comm_calls_fini(struct tm_comm_calls *c)
{
	tm_names_fini(&c->names);
	free(c->v);
	free(c->own);
	free(c->chunk);
	*c = (struct tm_comm_calls) { 0 };
}

bool tm_comm_calls_piece(struct tm_comm_calls *c, const struct tm_piece *p)
{
	uint32_t path = tm_names_add(&c->names, p->id.path ? p->id.path : "",
	                             p->id.path ? strlen(p->id.path) : 0);

	if (path == TM_NAME_NONE || c->nchunk >= UINT32_MAX ||
	    !tm_grow_array(&c->chunk, &c->chunk_cap, c->nchunk + 1, sizeof *c->chunk))
		return false;
	c->chunk[c->nchunk++] = (struct tm_comm_chunk) { p->id.rank, path };
	return true;
}

static bool copy_name(struct tm_names *into, const struct tm_names *from, uint64_t id,
                      uint32_t *out)
{
	*out = tm_names_add(into, from->v[id].text, from->v[id].len);
	return *out != TM_NAME_NONE;
}

/* A row as a call of that name, in the names of the batch.  False when out of memory. */
static bool make_call(struct tm_comm_calls *c, const struct tm_batch *b, uint32_t i, uint64_t name,
                      struct tm_comm_call *k)
{
	*k = (struct tm_comm_call) { .comm = TM_NAME_NONE, .chunk = (uint32_t)(c->nchunk - 1) };
	k->rank = c->chunk[k->chunk].rank;
	k->timed = tm_batch_has(b, i, TM_EVC_START);
	/* The order of a log is that of its lines. */
	k->at = k->timed ? b->col[TM_EVC_START][i] : c->before + c->n;
	k->end = tm_batch_has(b, i, TM_EVC_END) ? b->col[TM_EVC_END][i] : 0;
	k->has_bytes = tm_batch_has(b, i, TM_EVC_BYTES);
	k->bytes = k->has_bytes ? b->col[TM_EVC_BYTES][i] : 0;
	k->has_op = tm_batch_has(b, i, TM_EVC_OP_COUNT);
	k->op = k->has_op ? b->col[TM_EVC_OP_COUNT][i] : 0;
	k->has_global = tm_batch_has(b, i, TM_EVC_GLOBAL_RANK);
	k->global = k->has_global ? b->col[TM_EVC_GLOBAL_RANK][i] : 0;
	k->agent = tm_batch_has(b, i, TM_EVC_AGENT) ? b->col[TM_EVC_AGENT][i] : UINT64_MAX;
	k->ranks = tm_batch_has(b, i, TM_EVC_COMM_RANKS) ? b->col[TM_EVC_COMM_RANKS][i] : 0;
	if (k->ranks > UINT32_MAX)
		k->ranks = 0;
	return copy_name(&c->names, b->names, name, &k->name) &&
	       (!tm_batch_has(b, i, TM_EVC_COMM) ||
	        copy_name(&c->names, b->names, b->col[TM_EVC_COMM][i], &k->comm));
}

static bool take_row(struct tm_comm_calls *c, const struct tm_batch *b, uint32_t i)
{
	if (!tm_grow_array(&c->v, &c->cap, c->n + 1, sizeof *c->v) ||
	    !make_call(c, b, i, b->col[TM_EVC_NAME][i], &c->v[c->n]))
		return false;
	c->n++;
	return true;
}

/* What a trace says of kernels themselves. */
static bool take_kernels(struct tm_comm_calls *c, const struct tm_batch *b)
{
	for (uint32_t i = 0; i < b->n && b->some & TM_EV_BIT(TM_EVC_TYPE); i++) {
		if (!tm_batch_has(b, i, TM_EVC_TYPE) || !tm_batch_has(b, i, TM_EVC_START))
			continue;
		if (!tm_grow_array(&c->own, &c->own_cap, c->nown + 1, sizeof *c->own) ||
		    !make_call(c, b, i, b->col[TM_EVC_TYPE][i], &c->own[c->nown]))
			return false;
		c->nown++;
	}
	return true;
}

bool tm_comm_calls_take(struct tm_comm_calls *c, const struct tm_batch *b, uint64_t *untimed)
{
	if (b->kind == TM_EV_DISPATCH && c->nchunk)
		return take_kernels(c, b);
	if (b->kind != TM_EV_API || !(b->some & TM_EV_BIT(TM_EVC_DOMAIN)) || !c->nchunk ||
	    (b->domains && !b->domains->rows[TM_DOMAIN_RCCL]))
		return true;
	for (uint32_t i = 0; i < b->n; i++) {
		bool timed = tm_batch_has(b, i, TM_EVC_START);

		if (!tm_batch_has(b, i, TM_EVC_DOMAIN) ||
		    b->col[TM_EVC_DOMAIN][i] != TM_DOMAIN_RCCL || !tm_batch_has(b, i, TM_EVC_NAME))
			continue;
		/* A call that is no collective has no communicator. */
		if (!tm_batch_has(b, i, TM_EVC_COMM) &&
		    (!timed || !find(b->names->v[b->col[TM_EVC_NAME][i]].text)))
			continue;
		if (!take_row(c, b, i))
			return false;
		*untimed += !timed;
	}
	return true;
}

/* A call among those of others, whose pieces are numbered from `chunk` there. */
static bool move_call(struct tm_comm_calls *into, const struct tm_comm_calls *from,
                      const struct tm_comm_call *call, size_t chunk, struct tm_comm_call *out)
{
	*out = *call;
	out->chunk += (uint32_t)chunk;
	return copy_name(&into->names, &from->names, out->name, &out->name) &&
	       (out->comm == TM_NAME_NONE ||
	        copy_name(&into->names, &from->names, out->comm, &out->comm));
}

bool tm_comm_calls_merge(struct tm_comm_calls *into, const struct tm_comm_calls *from)
{
	size_t chunk = into->nchunk;

	if (chunk + from->nchunk > UINT32_MAX ||
	    !tm_grow_array(&into->chunk, &into->chunk_cap, chunk + from->nchunk,
	                   sizeof *into->chunk) ||
	    !tm_grow_array(&into->v, &into->cap, into->n + from->n, sizeof *into->v) ||
	    !tm_grow_array(&into->own, &into->own_cap, into->nown + from->nown, sizeof *into->own))
		return false;
	for (size_t i = 0; i < from->nchunk; i++) {
		struct tm_comm_chunk k = from->chunk[i];

		if (!copy_name(&into->names, &from->names, k.path, &k.path))
			return false;
		into->chunk[into->nchunk++] = k;
	}
	for (size_t i = 0; i < from->n; i++)
		if (!move_call(into, from, &from->v[i], chunk, &into->v[into->n++]))
			return false;
	for (size_t i = 0; i < from->nown; i++)
		if (!move_call(into, from, &from->own[i], chunk, &into->own[into->nown++]))
			return false;
	return true;
}

bool tm_comm_calls_move(struct tm_comm_calls *into, struct tm_comm_calls *from)
{
	if (!from->nchunk)
		return true;
	if (!tm_comm_calls_merge(into, from))
		return false;
	from->before += from->n;
	from->n = from->nown = 0;
	from->chunk[0] = from->chunk[from->nchunk - 1];
	from->nchunk = 1;
	return true;
}

/* ---- order ---- */

/* Logs before traced calls; those by start, lines by file and place. */
static int by_order(const void *pa, const void *pb, void *arg)
{
	const struct tm_comm_call *a = pa, *b = pb;
	const struct tm_comm_calls *c = arg;
	int d = tm_u64_cmp(a->rank, b->rank);

	if (!d)
		d = a->timed - b->timed;
	if (!d && a->timed)
		d = tm_u64_cmp(a->at, b->at);
	if (!d)
		d = tm_name_cmp(&c->names.v[c->chunk[a->chunk].path],
		                &c->names.v[c->chunk[b->chunk].path]);
	if (!d)
		d = tm_u64_cmp(a->at, b->at);
	return d ? d : tm_name_cmp(&c->names.v[a->name], &c->names.v[b->name]);
}

static void sort(struct tm_comm_calls *c)
{
	if (c->n)
		qsort_r(c->v, c->n, sizeof *c->v, by_order, c);
}

static int by_time(const struct tm_comm_call *a, const struct tm_comm_call *b)
{
	int d = tm_u64_cmp(a->rank, b->rank);

	d = d ? d : tm_u64_cmp(a->agent, b->agent);
	d = d ? d : tm_u64_cmp(a->at, b->at);
	return d ? d : tm_u64_cmp(a->end, b->end);
}

/* Those of the same times in the order of names. */
static int by_kernel(const void *pa, const void *pb, void *arg)
{
	const struct tm_comm_call *a = pa, *b = pb;
	const struct tm_comm_calls *c = arg;
	int d = by_time(a, b);

	d = d ? d : tm_name_cmp(&c->names.v[a->name], &c->names.v[b->name]);
	d = d ? d : tm_u64_cmp(a->bytes, b->bytes);
	return d ? d : tm_u64_cmp(a->op, b->op);
}

const struct tm_comm_call *tm_comm_calls_own(const struct tm_comm_calls *c, uint64_t rank,
                                             uint64_t agent, struct tm_extent ran, size_t nth)
{
	const struct tm_comm_call want = {
		.rank = rank, .agent = agent, .at = ran.lo, .end = ran.hi
	};
	size_t lo = 0, hi = c->nown;

	TM_BISECT(lo, hi, mid, by_time(&c->own[mid], &want) < 0);
	lo += nth;
	return lo < c->nown && !by_time(&c->own[lo], &want) ? &c->own[lo] : NULL;
}

/* A rank whose lines name several ranks: each line to its own. */
static void own_ranks(struct tm_comm_calls *c)
{
	for (size_t i = 0, end; i < c->n; i = end) {
		const struct tm_comm_call *first = NULL;
		bool several = false;

		for (end = i; end < c->n && c->v[end].rank == c->v[i].rank; end++) {
			const struct tm_comm_call *k = &c->v[end];

			if (!k->has_global)
				continue;
			several |= first && first->global != k->global;
			first = first ? first : k;
		}
		for (size_t k = i; several && k < end; k++)
			if (c->v[k].has_global)
				c->v[k].rank = c->v[k].global;
	}
}

static bool pair_call(const struct tm_comm_calls *c, const struct tm_comm_call *k, bool *receives)
{
	const char *text = c->names.v[k->name].text;

	*receives = !strcmp(text, "ncclRecv");
	return *receives || !strcmp(text, "ncclSend");
}

bool tm_comm_calls_settle(struct tm_comm_calls *c)
{
	static const char both[] = "ncclSend+ncclRecv";
	uint32_t pair = tm_names_add(&c->names, both, sizeof both - 1);
	bool grouping = false;
	size_t n = 0;

	if (pair == TM_NAME_NONE)
		return false;
	if (c->nown)
		qsort_r(c->own, c->nown, sizeof *c->own, by_kernel, c);
	sort(c);
	own_ranks(c);
	sort(c);
	for (size_t i = 0; i < c->n; i++) {
		struct tm_comm_call k = c->v[i], *last = n ? &c->v[n - 1] : NULL;
		bool receives, is_pair = pair_call(c, &k, &receives);

		if (last && last->rank == k.rank && !last->timed && k.timed)
			continue; /* the log knows more */
		if (is_pair && grouping && last && last->rank == k.rank && last->comm == k.comm &&
		    k.has_op && last->has_op && last->op == k.op) {
			if (last->name != k.name)
				last->name = pair;
			last->has_bytes &= k.has_bytes;
			last->has_bytes &= !__builtin_add_overflow(
			        receives ? last->received : last->bytes, k.bytes,
			        receives ? &last->received : &last->bytes);
			continue;
		}
		if (is_pair && receives) {
			k.received = k.bytes;
			k.bytes = 0;
		}
		grouping = is_pair;
		c->v[n++] = k;
	}
	c->n = n;
	for (size_t i = 0; i < n; i++)
		if (c->v[i].received > c->v[i].bytes)
			c->v[i].bytes = c->v[i].received;
	return true;
}

/* ---- kept elsewhere ---- */

enum { HAS_BYTES = 1, HAS_OP = 2, HAS_GLOBAL = 4, TIMED = 8, HAS_AGENT = 16, HAS_BITS = 31 };

/* Of times and numbers that go up most often, the difference. */
static void put_next(struct tm_buf *out, uint64_t *last, uint64_t v)
{
	const uint64_t d = v - *last;

	tm_num_put_varint(out, d >> 63 ? ~(d << 1) : d << 1);
	*last = v;
}

static uint64_t get_next(struct tm_state_bytes *in, uint64_t *last)
{
	const uint64_t d = tm_state_number(in);

	return *last += d & 1 ? ~(d >> 1) : d >> 1;
}

static void save_call(const struct tm_comm_calls *c, const struct tm_comm_call *k, bool own,
                      uint64_t *at, struct tm_state_dict *d, struct tm_buf *out)
{
	const bool agent = k->agent != UINT64_MAX;

	tm_num_put_varint(out, (k->has_bytes ? HAS_BYTES : 0) | (k->has_op ? HAS_OP : 0) |
	                               (k->has_global ? HAS_GLOBAL : 0) | (k->timed ? TIMED : 0) |
	                               (agent ? HAS_AGENT : 0));
	tm_num_put_varint(out, tm_state_dict_of(d, k->name));
	tm_num_put_varint(out, tm_state_dict_of(d, k->comm));
	tm_num_put_varint(out, tm_state_dict_of(d, c->chunk[k->chunk].path));
	put_next(out, at, k->at);
	tm_num_put_varint(out, k->ranks);
	if (k->has_bytes)
		tm_num_put_varint(out, k->bytes);
	if (k->has_op)
		tm_num_put_varint(out, k->op);
	if (k->has_global)
		tm_num_put_varint(out, k->global);
	if (agent)
		tm_num_put_varint(out, k->agent);
	if (own)
		tm_num_put_varint(out, k->end - k->at);
}

bool tm_comm_calls_save(struct tm_comm_calls *c, struct tm_buf *out)
{
	struct tm_state_dict d;
	struct tm_buf calls = { 0 };
	uint64_t at = 0;
	bool ok = tm_state_dict_init(&d, &c->names);

	sort(c);
	if (c->nown)
		qsort_r(c->own, c->nown, sizeof *c->own, by_kernel, c);
	for (size_t i = 0; ok && i < c->n; i++)
		save_call(c, &c->v[i], false, &at, &d, &calls);
	for (size_t i = 0; ok && i < c->nown; i++)
		save_call(c, &c->own[i], true, &at, &d, &calls);
	if (ok) {
		tm_state_dict_put(&d, out);
		tm_num_put_varint(out, c->n);
		tm_num_put_varint(out, c->nown);
		if (calls.n)
			tm_buf_add(out, calls.p, calls.n);
	}
	ok = ok && !calls.failed && !out->failed;
	tm_state_dict_fini(&d);
	tm_buf_fini(&calls);
	return ok;
}

/* A piece of that rank and path; of one path there is one.  False when out of memory. */
static bool chunk_of(struct tm_comm_calls *c, uint64_t rank, uint32_t path, size_t first,
                     uint32_t *chunk)
{
	size_t i = first;

	while (i < c->nchunk && c->chunk[i].path != path)
		i++;
	*chunk = (uint32_t)i;
	if (i < c->nchunk)
		return true;
	if (i >= UINT32_MAX ||
	    !tm_grow_array(&c->chunk, &c->chunk_cap, c->nchunk + 1, sizeof *c->chunk))
		return false;
	c->chunk[c->nchunk++] = (struct tm_comm_chunk) { rank, path };
	return true;
}

static bool load_call(struct tm_comm_calls *c, uint64_t rank, struct tm_state_bytes *in,
                      const uint32_t *id, size_t ids, size_t first, bool own, uint64_t *at,
                      struct tm_comm_call *k)
{
	const uint64_t has = tm_state_up_to(in, HAS_BITS);
	const uint32_t name = id[tm_state_up_to(in, ids - 1)];
	const uint32_t comm = id[tm_state_up_to(in, ids - 1)];
	const uint32_t path = id[tm_state_up_to(in, ids - 1)];

	*k = (struct tm_comm_call) { .name = name,
		                     .comm = comm,
		                     .has_bytes = has & HAS_BYTES,
		                     .has_op = has & HAS_OP,
		                     .has_global = has & HAS_GLOBAL,
		                     .timed = has & TIMED,
		                     .rank = rank,
		                     .agent = UINT64_MAX };
	k->at = get_next(in, at);
	k->ranks = tm_state_up_to(in, UINT32_MAX);
	k->bytes = has & HAS_BYTES ? tm_state_number(in) : 0;
	k->op = has & HAS_OP ? tm_state_number(in) : 0;
	k->global = has & HAS_GLOBAL ? tm_state_number(in) : 0;
	k->agent = has & HAS_AGENT ? tm_state_number(in) : UINT64_MAX;
	k->end = own ? k->at + tm_state_number(in) : 0;
	in->bad |= name == TM_NAME_NONE || path == TM_NAME_NONE;
	return in->bad || chunk_of(c, rank, path, first, &k->chunk);
}

bool tm_comm_calls_load(struct tm_comm_calls *c, uint64_t rank, struct tm_state_bytes *in)
{
	const size_t first = c->nchunk;
	size_t ids;
	uint32_t *id = tm_state_dict_get(in, &c->names, &ids);
	size_t n = tm_state_many(in), nown = tm_state_many(in);
	uint64_t at = 0;
	bool ok = id && tm_grow_array(&c->v, &c->cap, c->n + n, sizeof *c->v) &&
	          tm_grow_array(&c->own, &c->own_cap, c->nown + nown, sizeof *c->own);

	for (size_t i = 0; ok && !in->bad && i < n + nown; i++) {
		struct tm_comm_call k;

		ok = load_call(c, rank, in, id, ids, first, i >= n, &at, &k);
		if (ok && !in->bad && i < n)
			c->v[c->n++] = k;
		else if (ok && !in->bad)
			c->own[c->nown++] = k;
	}
	free(id);
	return ok;
}

const struct tm_comm_call *tm_comm_calls_of(const struct tm_comm_calls *c, uint64_t rank, size_t *n)
{
	size_t lo = 0, hi = c->n, end;

	TM_BISECT(lo, hi, mid, c->v[mid].rank < rank);
	for (end = lo; end < c->n && c->v[end].rank == rank; end++)
		continue;
	*n = end - lo;
	return *n ? c->v + lo : NULL;
}

enum tm_comm_idle tm_comm_call_idle(const struct tm_comm_calls *c, const struct tm_comm_call *call)
{
	const char *name = c->names.v[call->name].text;

	/* Sends and receives of nothing are still carried out. */
	if (!strncmp(name, "ncclSend", 8) || !strcmp(name, "ncclRecv"))
		return TM_COMM_STARTS;
	if (call->has_bytes && !call->bytes)
		return TM_COMM_EMPTY;
	return call->ranks == 1 ? TM_COMM_ALONE : TM_COMM_STARTS;
}

bool tm_comm_call_size(const struct tm_comm_calls *c, const struct tm_comm_call *call,
                       uint64_t *bytes, uint64_t *num, uint64_t *den)
{
	const struct collective_def *def = find(c->names.v[call->name].text);
	enum size size = def ? def->size : ONE;
	enum factor factor = def ? def->factor : WHOLE;

	*bytes = call->bytes;
	*num = *den = 0;
	if (!call->has_bytes ||
	    (size == RANKS &&
	     (!call->ranks || __builtin_mul_overflow(call->bytes, call->ranks, bytes))))
		return false;
	/* A name that is not in the table has a size and no factor. */
	if (!def && strcmp(c->names.v[call->name].text, "ncclSend+ncclRecv") != 0)
		return true;
	*num = *den = 1;
	if (factor != WHOLE) {
		*num = call->ranks ? (call->ranks - 1) * (factor == TWICE ? 2 : 1) : 0;
		*den = call->ranks;
	}
	/* Alone it sends nothing, whatever its factor is. */
	if (call->ranks == 1)
		*num = 0;
	return true;
}
