/* SPDX-License-Identifier: MIT
 * Elements of the lists: tables of what numbers stand for, then records that use those numbers.
 * Which field of a record is which column is data: schemas/rocprofv3_json.def. */
#include "read/json/rocprofv3.h"

enum { RECORD_KIND = TM_EVC_N, RECORD_OPERATION, RECORD_INDEX, RECORD_N };
_Static_assert(RECORD_N <= 128, "what a record has is one mask");

static const struct field {
	const char *parent, *key;
	size_t np, nk;
	unsigned col;
} fields[] = {
#define FIELD(p, k, c) { p, k, sizeof(p) - 1, sizeof(k) - 1, c },
#include "schemas/rocprofv3_json.def"
};

static const struct {
	const char *kind, *producer;
} versions[] = {
#define VERSION(k, w) { k, w },
#include "schemas/rocprofv3_json.def"
};

/* Numbers of a record by column, as they stand. */
struct record {
	tm_ev_set has;
	uint64_t v[RECORD_N];
	struct json_item type, stall; /* of a sample: texts */
	struct json list;             /* at the counters of a collection, after their bracket */
	bool has_list;
};

/* ---- tables ---- */

static struct v3_meaning *meaning_of(struct v3 *t, char sort, uint64_t number)
{
	char key[1 + sizeof number];
	uint32_t id;

	key[0] = sort;
	memcpy(key + 1, &number, sizeof number);
	id = tm_names_find(&t->keys, key, sizeof key);
	return id == TM_NAME_NONE ? NULL : &t->meaning[id];
}

static struct v3_meaning *meaning_add(struct v3 *t, char sort, uint64_t number)
{
	char key[1 + sizeof number];
	uint32_t id;

	key[0] = sort;
	memcpy(key + 1, &number, sizeof number);
	id = tm_names_add(&t->keys, key, sizeof key);
	if (id == TM_NAME_NONE ||
	    !tm_grow_array(&t->meaning, &t->cap, (size_t)id + 1, sizeof *t->meaning))
		return NULL;
	t->meaning[id] = (struct v3_meaning) { .name = TM_NAME_NONE };
	return &t->meaning[id];
}

static bool intern(struct v3 *t, const struct json_item *text, uint32_t *id)
{
	const char *p;
	size_t n;

	if (!tm_json_text(text, &t->text, &p, &n))
		return false;
	*id = tm_names_add(&t->r->names, p, n);
	return *id != TM_NAME_NONE;
}

void tm_v3_next_process(struct v3 *t)
{
	tm_names_fini(&t->keys);
	t->kinds = 0;
	t->instructions = t->comments = 0;
	t->has_pid = false;
}

/* A member of an object that is read whole: the scalar itself, or "handle" of an object. */
bool tm_v3_member(struct json *c, bool *first, struct json_item *key, struct json_item *v)
{
	struct json_item inner, x;
	bool begin = true;

	if (!tm_json_member(c, first, key))
		return false;
	*v = tm_json_value(c);
	if (v->kind == JSON_OBJECT) {
		while (tm_json_member(c, &begin, &inner)) {
			x = tm_json_value(c);
			if (!tm_json_skip_rest(c, x.kind))
				return false;
			if (json_is(&inner, "handle", 6))
				*v = x;
		}
	} else if (!tm_json_skip_rest(c, v->kind)) {
		return false;
	}
	return c->state == JSON_GOOD && v->kind != JSON_NONE;
}

/* A number of an agent that goes into the row as it is. */
static void agent_number(const struct json_item *key, const struct json_item *v,
                         struct tm_ev_row *row)
{
	static const struct {
		const char *key;
		enum tm_ev_col col;
	} numbers[] = {
		{ "cu_count", TM_EVC_CUS },     { "gfx_target_version", TM_EVC_GFX },
		{ "device_id", TM_EVC_DEVICE }, { "max_engine_clk_fcompute", TM_EVC_MHZ },
		{ "num_xcc", TM_EVC_XCCS },
	};
	uint64_t n;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (json_is(key, numbers[i].key, strlen(numbers[i].key)) && tm_json_u64(v, &n))
			tm_ev_put(row, numbers[i].col, n);
}

/* The functions below are given an element whose bracket is consumed, and consume it.  False when
 * out of memory; c->state says whether it was whole. */

static bool read_agent(struct v3 *t, struct json *c)
{
	static const char *const types[] = { NULL, "CPU", "GPU" };
	struct json_item key, v, name = { .kind = JSON_NONE }, product = name;
	uint64_t handle = 0, node = 0, logical = 0, type = 0;
	bool first = true, has_logical = false, has_node = false, has_handle = false;
	struct tm_ev_row row = { .has = 0 };
	struct v3_meaning *m;
	uint32_t id;

	while (tm_v3_member(c, &first, &key, &v)) {
		if (json_is(&key, "id", 2))
			has_handle = tm_json_u64(&v, &handle);
		else if (json_is(&key, "node_id", 7))
			has_node = tm_json_u64(&v, &node);
		else if (json_is(&key, "logical_node_id", 15))
			has_logical = tm_json_u64(&v, &logical);
		else if (json_is(&key, "type", 4) && !tm_json_u64(&v, &type))
			type = 0;
		else if (json_is(&key, "name", 4))
			name = v;
		else if (json_is(&key, "product_name", 12))
			product = v;
		else
			agent_number(&key, &v, &row);
	}
	if (c->state != JSON_GOOD || !has_handle || !has_node || node > UINT32_MAX ||
	    logical > UINT32_MAX)
		return true;
	m = meaning_add(t, 'a', handle);
	if (!m)
		return false;
	m->number = tm_agent_pack(TM_AGENT_NODE, (uint32_t)(has_logical ? logical : node));
	tm_ev_put(&row, TM_EVC_AGENT, m->number);
	tm_ev_put(&row, TM_EVC_NODE, node);
	if (type == 1 || type == 2) {
		id = tm_names_add(&t->r->names, types[type], 3);
		if (id == TM_NAME_NONE)
			return false;
		tm_ev_put(&row, TM_EVC_TYPE, id);
	}
	if (name.kind == JSON_STRING) {
		if (!intern(t, &name, &id))
			return false;
		tm_ev_put(&row, TM_EVC_NAME, id);
	}
	if (product.kind == JSON_STRING) {
		if (!intern(t, &product, &id))
			return false;
		tm_ev_put(&row, TM_EVC_PRODUCT, id);
	}
	return tm_ev_rows_add(&t->out[OUT_AGENT], &row);
}

/* {number, text}: a counter or a message. */
static bool read_named(struct v3 *t, struct json *c, char sort, const char *number,
                       const char *text)
{
	struct json_item key, v, name = { .kind = JSON_NONE };
	bool first = true, has = false;
	struct v3_meaning *m;
	uint64_t n = 0;

	while (tm_v3_member(c, &first, &key, &v)) {
		if (json_is(&key, number, strlen(number)))
			has = tm_json_u64(&v, &n);
		else if (json_is(&key, text, strlen(text)))
			name = v;
	}
	if (c->state != JSON_GOOD || !has || name.kind != JSON_STRING)
		return true;
	m = meaning_add(t, sort, n);
	return m && intern(t, &name, &m->name);
}

static const enum tm_ev_col register_cols[V3_REGISTERS] = { TM_EVC_SGPR, TM_EVC_VGPR,
	                                                    TM_EVC_ACCUM_VGPR };

static void count_registers(struct v3_meaning *m, int which, const struct json_item *v)
{
	m->has_registers[which] = tm_json_u64(v, &m->registers[which]);
}

static bool read_symbol(struct v3 *t, struct json *c)
{
	struct json_item key, v, name = { .kind = JSON_NONE };
	struct v3_meaning found = { .name = TM_NAME_NONE }, *m;
	bool first = true, has = false;
	uint64_t n = 0;

	while (tm_v3_member(c, &first, &key, &v)) {
		if (json_is(&key, "kernel_id", 9))
			has = tm_json_u64(&v, &n);
		else if (json_is(&key, "formatted_kernel_name", 21))
			name = v;
		else if (json_is(&key, "kernel_name", 11) && name.kind == JSON_NONE)
			name = v;
		else if (json_is(&key, "sgpr_count", 10))
			count_registers(&found, 0, &v);
		else if (json_is(&key, "arch_vgpr_count", 15))
			count_registers(&found, 1, &v);
		else if (json_is(&key, "accum_vgpr_count", 16))
			count_registers(&found, 2, &v);
	}
	if (c->state != JSON_GOOD || !has || name.kind != JSON_STRING)
		return true;
	if (!intern(t, &name, &found.name))
		return false;
	m = meaning_add(t, 'k', n);
	if (m)
		*m = found;
	return m != NULL;
}

static uint64_t operation_key(uint64_t kind, uint64_t operation)
{
	return kind << 32 | (operation & UINT32_MAX);
}

/* {kind, operations}: the position in the list is what records say. */
static bool read_kind(struct v3 *t, struct json *c)
{
	enum tm_domain domain = TM_DOMAIN_OTHER;
	struct json_item key, v;
	struct json again = *c;
	bool first = true, inner;
	uint64_t n = 0, kind = t->kinds;

	while (tm_json_member(&again, &first, &key)) {
		v = tm_json_value(&again);
		if (!tm_json_skip_rest(&again, v.kind))
			break;
		if (!json_is(&key, "kind", 4) || v.kind != JSON_STRING)
			continue;
		domain = tm_domain_of_producer((const char *)v.p, v.n);
		for (size_t i = 0; i < sizeof versions / sizeof *versions && i < t->version; i++)
			if (json_is(&v, versions[i].kind, strlen(versions[i].kind))) {
				t->version = i;
				t->r->producer = versions[i].producer;
			}
	}
	if (again.state != JSON_GOOD) {
		*c = again;
		return true;
	}
	first = true;
	while (tm_json_member(c, &first, &key)) {
		v = tm_json_value(c);
		if (v.kind != JSON_ARRAY || !json_is(&key, "operations", 10)) {
			tm_json_skip_rest(c, v.kind);
			continue;
		}
		for (inner = true; tm_json_element(c, &inner); n++) {
			struct v3_meaning *m;

			v = tm_json_value(c);
			tm_json_skip_rest(c, v.kind);
			if (v.kind != JSON_STRING)
				continue;
			m = meaning_add(t, 'o', operation_key(kind, n));
			if (!m || !intern(t, &v, &m->name))
				return false;
			m->domain = domain;
		}
	}
	t->kinds++;
	return true;
}

/* ---- records ---- */

static void put_field(struct record *rec, const char *parent, size_t np,
                      const struct json_item *key, const struct json_item *v)
{
	uint64_t u;

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		const struct field *f = &fields[i];

		if (f->np != np || !json_is(key, f->key, f->nk) ||
		    memcmp(f->parent, parent, np) != 0)
			continue;
		if (tm_json_u64(v, &u)) {
			rec->v[f->col] = u;
			rec->has |= TM_EV_BIT(f->col);
		}
		return;
	}
}

/* Objects inside objects, four deep: the record, dispatch_data, dispatch_info, what is in those. */
static void read_record(struct json *c, struct record *rec)
{
	enum { DEEP = 4 };
	struct json_item key, v, parent[DEEP];
	bool first[DEEP] = { true };
	unsigned d = 0;

	parent[0] = (struct json_item) { .p = (const unsigned char *)"" };
	for (;;) {
		if (!tm_json_member(c, &first[d], &key)) {
			if (c->state != JSON_GOOD || !d)
				return;
			d--;
			continue;
		}
		v = tm_json_value(c);
		if (v.kind == JSON_OBJECT && d + 1 < DEEP) {
			bool outer = json_is(&key, "dispatch_data", 13) ||
			             json_is(&key, "dispatch_info", 13) ||
			             json_is(&key, "record", 6);

			parent[++d] = outer ? parent[0] : key;
			first[d] = true;
			continue;
		}
		if (v.kind == JSON_ARRAY && !d && json_is(&key, "records", 7)) {
			rec->list = *c;
			rec->has_list = true;
		}
		if (v.kind == JSON_NONE || !tm_json_skip_rest(c, v.kind))
			return;
		put_field(rec, (const char *)parent[d].p, parent[d].n, &key, &v);
		if (v.kind == JSON_STRING && json_is(&key, "inst_type", 9))
			rec->type = v;
		if (v.kind == JSON_STRING && json_is(&key, "stall_reason", 12))
			rec->stall = v;
	}
}

static bool has(const struct record *rec, unsigned col)
{
	return rec->has & TM_EV_BIT(col);
}

/* The record as a row; *good: its times make sense. */
static bool row_of(struct v3 *t, const struct record *rec, uint64_t at, struct tm_ev_row *row,
                   bool *good)
{
	static const enum tm_ev_col agents[] = { TM_EVC_AGENT, TM_EVC_SRC, TM_EVC_DST };
	const struct v3_meaning *m;

	*good = false;
	row->has = rec->has & TM_EV_ALL;
	memcpy(row->v, rec->v, sizeof row->v);
	if (!has(rec, TM_EVC_START) || !has(rec, TM_EVC_END)) {
		tm_loss_count(&t->r->loss, TM_LOSS_EVENT, 1, at);
		return true;
	}
	if (rec->v[TM_EVC_END] < rec->v[TM_EVC_START]) {
		tm_loss_count(&t->r->loss, TM_LOSS_REVERSED, 1, at);
		return true;
	}
	for (size_t i = 0; i < 3; i++) {
		if (!has(rec, agents[i]))
			continue;
		m = meaning_of(t, 'a', rec->v[agents[i]]);
		row->has &= ~TM_EV_BIT(agents[i]);
		if (m)
			tm_ev_put(row, agents[i], m->number);
	}
	if (t->has_pid)
		tm_ev_put(row, TM_EVC_PID, t->pid);
	*good = true;
	return true;
}

static bool put_name(struct v3 *t, struct tm_ev_row *row, const struct v3_meaning *m, uint64_t at)
{
	uint32_t id = m ? m->name : TM_NAME_NONE;

	if (id == TM_NAME_NONE) {
		tm_loss_count(&t->r->loss, TM_LOSS_UNNAMED, 1, at);
		id = tm_names_add(&t->r->names, "(unnamed)", 9);
		if (id == TM_NAME_NONE)
			return false;
	}
	tm_ev_put(row, TM_EVC_NAME, id);
	return true;
}

static bool put_kernel(struct v3 *t, const struct record *rec, struct tm_ev_row *row, uint64_t at)
{
	const struct v3_meaning *m = has(rec, TM_EVC_KERNEL_ID)
	                                     ? meaning_of(t, 'k', rec->v[TM_EVC_KERNEL_ID])
	                                     : NULL;

	for (int i = 0; m && i < V3_REGISTERS; i++)
		if (m->has_registers[i])
			tm_ev_put(row, register_cols[i], m->registers[i]);
	return put_name(t, row, m, at);
}

/* A value of a counter that cannot be used, of the record at that byte: told who looks at values.
 */
static void lose_value(struct v3 *t, uint64_t at)
{
	if (t->r->want & TM_EV_BIT(TM_EVC_VALUE))
		tm_loss_count(&t->r->loss, TM_LOSS_COUNTER_VALUES, 1, at);
}

/* One more value of a counter of the record at hand.  False when out of memory. */
static bool add_value(struct v3 *t, struct v3_meaning *m, double x, size_t *n)
{
	if (m->record != t->records) {
		if (!tm_grow_array(&t->counter, &t->counter_cap, *n + 1, sizeof *t->counter))
			return false;
		t->counter[(*n)++] = (size_t)(m - t->meaning);
		m->record = t->records;
		m->sum = 0;
	}
	m->sum += x;
	return true;
}

/* The values of one dispatch; several of one counter are those of its instances: added. */
static bool add_counters(struct v3 *t, struct record *rec, struct tm_ev_row *row, uint64_t at)
{
	struct json c = rec->list;
	struct json_item key, v, value;
	bool first = true, inner;
	uint64_t handle;
	size_t n = 0;
	double x;

	t->records++;
	while (tm_json_element(&c, &first)) {
		struct v3_meaning *m;
		bool known = false;

		v = tm_json_value(&c);
		if (v.kind != JSON_OBJECT) {
			tm_json_skip_rest(&c, v.kind);
			lose_value(t, at);
			continue;
		}
		value.kind = JSON_NONE;
		for (inner = true; tm_v3_member(&c, &inner, &key, &v);) {
			if (json_is(&key, "counter_id", 10))
				known = tm_json_u64(&v, &handle);
			else if (json_is(&key, "value", 5))
				value = v;
		}
		m = known ? meaning_of(t, 'c', handle) : NULL;
		if (c.state != JSON_GOOD || !m || m->name == TM_NAME_NONE ||
		    !tm_json_real(&value, &x))
			lose_value(t, at);
		else if (!add_value(t, m, x, &n))
			return false;
	}
	for (size_t k = 0; k < n; k++) {
		const struct v3_meaning *m = &t->meaning[t->counter[k]];

		if (m->sum - m->sum != 0) {
			lose_value(t, at);
			continue;
		}
		tm_ev_put(row, TM_EVC_COUNTER, m->name);
		tm_ev_put(row, TM_EVC_VALUE, tm_real_bits(m->sum));
		if (!tm_ev_rows_add(&t->out[OUT_COUNTER], row))
			return false;
	}
	return true;
}

static bool take_record(struct v3 *t, struct record *rec, uint64_t at)
{
	const struct v3_meaning *op = NULL;
	struct tm_ev_row row;
	bool good;

	if (!row_of(t, rec, at, &row, &good))
		return false;
	if (!good)
		return true;
	if (has(rec, RECORD_KIND) && has(rec, RECORD_OPERATION) &&
	    rec->v[RECORD_KIND] <= UINT32_MAX)
		op = meaning_of(t, 'o',
		                operation_key(rec->v[RECORD_KIND], rec->v[RECORD_OPERATION]));
	switch (t->what) {
	case WHAT_DISPATCH:
		return put_kernel(t, rec, &row, at) && tm_ev_rows_add(&t->out[OUT_DISPATCH], &row);
	case WHAT_COLLECTION:
		if (!put_kernel(t, rec, &row, at))
			return false;
		return !rec->has_list || add_counters(t, rec, &row, at);
	case WHAT_COPY:
		return put_name(t, &row, op, at) && tm_ev_rows_add(&t->out[OUT_COPY], &row);
	case WHAT_ALLOCATION:
		tm_ev_put(&row, TM_EVC_DOMAIN,
		          op && op->domain == TM_DOMAIN_SCRATCH ? TM_DOMAIN_SCRATCH
		                                                : TM_DOMAIN_ALLOC);
		return put_name(t, &row, op, at) && tm_ev_rows_add(&t->out[OUT_ALLOC], &row);
	default:
		tm_ev_put(&row, TM_EVC_DOMAIN, op ? op->domain : TM_DOMAIN_OTHER);
		if (t->what == WHAT_MARKER && has(rec, TM_EVC_CORR)) {
			const struct v3_meaning *said = meaning_of(t, 'm', rec->v[TM_EVC_CORR]);

			op = said ? said : op;
		}
		return put_name(t, &row, op, at) && tm_ev_rows_add(&t->out[OUT_API], &row);
	}
}

/* A text of a sample that its number stands for, if it does for any. */
static void put_text(struct v3 *t, struct tm_ev_row *row, char sort, uint64_t index,
                     enum tm_ev_col col)
{
	const struct v3_meaning *m = meaning_of(t, sort, index);

	if (m && m->name != TM_NAME_NONE)
		tm_ev_put(row, col, m->name);
}

/* A sample; of code that was not decoded it has no instruction. */
static bool take_sample(struct v3 *t, const struct record *rec, uint64_t at)
{
	struct tm_ev_row row;
	uint32_t id;

	if (!has(rec, TM_EVC_START) || !has(rec, TM_EVC_DISPATCH_ID)) {
		tm_loss_count(&t->r->loss, TM_LOSS_EVENT, 1, at);
		return true;
	}
	row.has = rec->has & TM_EV_ALL;
	memcpy(row.v, rec->v, sizeof row.v);
	if (has(rec, RECORD_INDEX)) {
		put_text(t, &row, 'i', rec->v[RECORD_INDEX], TM_EVC_NAME);
		put_text(t, &row, 't', rec->v[RECORD_INDEX], TM_EVC_COMMENT);
	}
	if (rec->type.kind == JSON_STRING) {
		if (!intern(t, &rec->type, &id))
			return false;
		tm_ev_put(&row, TM_EVC_TYPE, id);
	}
	if (rec->stall.kind == JSON_STRING) {
		if (!intern(t, &rec->stall, &id))
			return false;
		tm_ev_put(&row, TM_EVC_STALL, id);
	}
	if (t->has_pid)
		tm_ev_put(&row, TM_EVC_PID, t->pid);
	return tm_ev_rows_add(&t->out[OUT_SAMPLE], &row);
}

bool tm_v3_take_text(struct v3 *t, const struct json_item *v)
{
	bool comment = t->what == WHAT_COMMENT;
	uint64_t n = comment ? t->comments++ : t->instructions++;
	struct v3_meaning *m;
	uint32_t id;

	if (v->kind != JSON_STRING || !v->n)
		return true;
	if (!intern(t, v, &id))
		return false;
	m = meaning_add(t, comment ? 't' : 'i', n);
	if (m)
		m->name = id;
	return m != NULL;
}

/* An element of the list at hand. */
bool tm_v3_take(struct v3 *t, struct json *c, uint64_t at)
{
	struct record rec = { .has = 0, .type.kind = JSON_NONE, .stall.kind = JSON_NONE };

	switch (t->what) {
	case WHAT_AGENT:
		return read_agent(t, c);
	case WHAT_COUNTER:
		return read_named(t, c, 'c', "id", "name");
	case WHAT_MESSAGE:
		return read_named(t, c, 'm', "key", "value");
	case WHAT_SYMBOL:
		return read_symbol(t, c);
	case WHAT_KIND:
		return read_kind(t, c);
	case WHAT_INSTRUCTION:
	case WHAT_COMMENT:
		tm_json_skip_rest(c, JSON_OBJECT);
		return c->state != JSON_GOOD ||
		       tm_v3_take_text(t, &(struct json_item) { .kind = JSON_NONE });
	case WHAT_SAMPLE:
		read_record(c, &rec);
		return c->state != JSON_GOOD || take_sample(t, &rec, at);
	default:
		read_record(c, &rec);
		return c->state != JSON_GOOD || take_record(t, &rec, at);
	}
}
