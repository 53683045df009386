/* SPDX-License-Identifier: MIT
 * Traces of torch.profiler (Kineto), on ROCm and on CUDA; words in schemas/kineto.def.
 *
 * Times are microseconds with three decimals since baseTimeNanoseconds, which many releases write
 * after the events: it is looked up there first.  A kernel repeats the grid of the call that
 * launched it, in that call's unit; the call stands before its kernels, and which unit it was is
 * remembered by correlation id for the last few million of them.  A kernel whose call is not among
 * those has no grid here.
 *
 * Kernels and copies carry no process id, and the id of a device is the back-end's own.  Flows
 * repeat the correlation ids and are passed over, as are names and the order of tracks. */
#include "base/base.h"
#include "read/json/kineto.h"

#include <stdlib.h>
#include <strings.h>

enum class { CLASS_KERNEL, CLASS_COPY, CLASS_API, CLASS_MEMORY, CLASS_SHADOW };
enum time_unit { UNIT_UNKNOWN, UNIT_BLOCKS, UNIT_ITEMS };

static const struct category {
	const char *text;
	size_t n;
	enum class class;
	enum tm_domain domain;
} categories[] = {
#define CATEGORY(t, c, d) { t, sizeof(t) - 1, CLASS_##c, TM_DOMAIN_##d },
#include "schemas/kineto.def"
};

static const struct {
	const char *text;
	size_t n;
	enum time_unit unit;
} launches[] = {
#define LAUNCH(t, u) { t, sizeof(t) - 1, UNIT_##u },
#include "schemas/kineto.def"
};

static const struct backend {
	const char *key, *producer;
	enum tm_agent_numbering numbering;
} backends[] = {
#define BACKEND(k, w, n) { k, "torch.profiler, " w, TM_AGENT_##n },
#include "schemas/kineto.def"
};

/* Producers with the HIP release, as far as it is one of these. */
static const struct {
	const char *backend, *producer;
	unsigned major, minor;
} producers[] = {
#define HIP(a, b)                                                                                  \
	{ "roctracer_version", "torch.profiler, roctracer, HIP " #a "." #b, a, b },                \
	        { "rocprofiler-sdk_version", "torch.profiler, rocprofiler-sdk, HIP " #a "." #b, a, \
		  b },
#include "schemas/kineto.def"
};

enum { PAGES = 1 << 16 }; /* of 64 correlation ids */

/* What launched them: bit i is for correlation id 64 * page + i. */
struct page {
	uint64_t page, blocks, items;
};

struct kineto {
	struct chrome t;
	const struct backend *backend;
	uint64_t hip; /* hip_runtime_version, 0 = not said */
	uint64_t base;
	bool has_base;
	bool schema; /* it has the header of a trace, not just its events */
	bool events; /* they have begun */
	const struct category *last;
	struct page *page;
	uint32_t type[sizeof categories / sizeof *categories]; /* names of those, + 1 */
	struct kineto_devices devices;
	bool failed; /* out of memory for them */
};

/* ---- the header ---- */

static bool wants(const char *key)
{
	static const char *const keys[] = { "schemaVersion", "baseTimeNanoseconds",
		                            "distributedInfo", "hip_runtime_version",
		                            "deviceProperties" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (!strcmp(key, keys[i]))
			return true;
	for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
		if (!strcmp(key, backends[i].key))
			return true;
	return false;
}

static void read_rank(struct kineto *k, struct json *c)
{
	struct tm_reader *r = k->t.r;
	struct json_item key, v;
	bool first = true;

	while (tm_json_member(c, &first, &key)) {
		v = tm_json_value(c);
		if (v.kind == JSON_NONE || !tm_json_skip_rest(c, v.kind))
			return;
		if (json_is(&key, "rank", 4) && !k->events)
			r->has_rank = tm_json_u64(&v, &r->rank);
	}
}

static void value(struct chrome *t)
{
	struct kineto *k = (struct kineto *)t;
	struct json *c = &t->in.c;
	struct json_item v = tm_json_value(c);

	if (v.kind == JSON_NONE)
		return;
	if (v.kind == JSON_OBJECT && !strcmp(t->key, "distributedInfo")) {
		read_rank(k, c);
		return;
	}
	if (v.kind == JSON_ARRAY && !strcmp(t->key, "deviceProperties") && !k->events) {
		k->failed |= !tm_kineto_devices_read(&k->devices, t->r, c);
		return;
	}
	if (!tm_json_skip_rest(c, v.kind))
		return;
	if (!strcmp(t->key, "baseTimeNanoseconds")) {
		uint64_t base;

		/* A second one, after the events, must be the one that was looked up. */
		if (!tm_json_u64(&v, &base) || base >> 63 || base == k->base)
			return;
		if (k->events && !k->has_base) {
			tm_loss_count(&t->r->loss, TM_LOSS_BASELESS, 1, 0);
			k->has_base = true;
		}
		if (!k->events) {
			k->has_base = true;
			k->base = base;
		}
	} else if (!strcmp(t->key, "hip_runtime_version")) {
		if (!tm_json_u64(&v, &k->hip))
			k->hip = 0;
	} else if (!strcmp(t->key, "schemaVersion")) {
		k->schema = true;
	}
	for (size_t i = 0; i < sizeof backends / sizeof *backends && !k->backend; i++)
		if (!strcmp(t->key, backends[i].key))
			k->backend = &backends[i];
}

/* The last baseTimeNanoseconds among the last bytes of the input. */
static bool base_in_tail(struct kineto *k)
{
	static const char key[] = "\"baseTimeNanoseconds\"";
	struct tm_buf tail = { 0 };
	const char *p, *at = NULL;
	size_t n = 0;

	if (!tm_chrome_tail(&k->t, &tail)) {
		tm_buf_fini(&tail);
		return false;
	}
	for (p = tail.p; p; p++) {
		p = memmem(p, tail.n - (size_t)(p - tail.p), key, sizeof key - 1);
		if (!p)
			break;
		at = p;
	}
	if (at) {
		at += sizeof key - 1;
		while (at < tail.p + tail.n && (*at == ':' || *at == ' '))
			at++;
		while (at + n < tail.p + tail.n && at[n] >= '0' && at[n] <= '9')
			n++;
		k->has_base = tm_num_u64(at, n, &k->base) && !(k->base >> 63);
		if (!k->has_base)
			k->base = 0;
	}
	tm_buf_fini(&tail);
	return true;
}

static bool begin(struct chrome *t)
{
	struct kineto *k = (struct kineto *)t;
	struct tm_reader *r = t->r;

	if (k->events)
		return true;
	if (!k->has_base && !base_in_tail(k))
		return false;
	k->events = true;
	t->base = k->base;
	if (k->has_base)
		r->clock = "realtime";
	r->producer = k->backend ? k->backend->producer : "torch.profiler";
	for (size_t i = 0; i < sizeof producers / sizeof *producers && k->backend; i++)
		if (!strcmp(producers[i].backend, k->backend->key) &&
		    k->hip / 10000000 == producers[i].major &&
		    k->hip / 100000 % 100 == producers[i].minor)
			r->producer = producers[i].producer;
	return !k->failed &&
	       tm_kineto_devices_put(&k->devices, t,
	                             k->backend && k->backend->numbering == TM_AGENT_GPU);
}

/* ---- the unit of grids ---- */

static bool remember(struct kineto *k, uint64_t corr, enum time_unit unit)
{
	struct page *p;
	uint64_t bit = UINT64_C(1) << (corr % 64);

	if (!k->page)
		k->page = calloc(PAGES, sizeof *k->page);
	if (!k->page)
		return false;
	p = &k->page[corr / 64 % PAGES];
	if (p->page != corr / 64)
		*p = (struct page) { .page = corr / 64 };
	p->blocks &= ~bit;
	p->items &= ~bit;
	if (unit == UNIT_BLOCKS)
		p->blocks |= bit;
	else if (unit == UNIT_ITEMS)
		p->items |= bit;
	return true;
}

static enum time_unit unit_of(const struct kineto *k, uint64_t corr)
{
	const struct page *p = k->page ? &k->page[corr / 64 % PAGES] : NULL;
	uint64_t bit = UINT64_C(1) << (corr % 64);

	if (!p || p->page != corr / 64)
		return UNIT_UNKNOWN;
	return p->blocks & bit ? UNIT_BLOCKS : p->items & bit ? UNIT_ITEMS : UNIT_UNKNOWN;
}

static enum time_unit launch_unit(const struct json_item *name)
{
	for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
		if (json_is(name, launches[i].text, launches[i].n))
			return launches[i].unit;
	return UNIT_UNKNOWN;
}

/* ---- events ---- */

static const char allocated_key[] = "Total Allocated", reserved_key[] = "Total Reserved";

/* What arguments of an event say. */
struct args {
	struct json_item device, stream, corr, external, bytes, queue, lds, address, device_id,
	        device_type;
	struct json_item from, to, allocated, reserved;
	struct kineto_comm comm;
	uint64_t grid[3], block[3];
	bool has_grid, has_block, freed;
};

static bool read_three(struct json *c, uint64_t v[3])
{
	bool first = true, good = true;
	int n = 0;

	while (tm_json_element(c, &first)) {
		struct json_item x = tm_json_value(c);

		if (!tm_json_skip_rest(c, x.kind))
			return false;
		good &= n < 3 && tm_json_u64(&x, &v[n]);
		n++;
	}
	return good && n == 3 && c->state == JSON_GOOD;
}

static void read_args(const struct chrome_event *e, struct args *a)
{
	static const struct {
		const char *key;
		size_t n, at;
	} slots[] = {
#define SLOT(k, m) { k, sizeof(k) - 1, offsetof(struct args, m) }
		SLOT("device", device),
		SLOT("stream", stream),
		SLOT("correlation", corr),
		SLOT("External id", external),
		SLOT("bytes", bytes),
		SLOT("hsa_queue", queue),
		SLOT("shared memory", lds),
		SLOT("Bytes", bytes),
		SLOT("Addr", address),
		SLOT("Device Id", device_id),
		SLOT("Device Type", device_type),
		SLOT("Collective name", comm.what),
		SLOT("In msg nelems", comm.in),
		SLOT("Out msg nelems", comm.out),
		SLOT("dtype", comm.type),
		SLOT("Group size", comm.size),
		SLOT("Process Group Name", comm.name),
		SLOT("Process Group Description", comm.about),
		SLOT("Process Group Ranks", comm.ranks),
		SLOT("Seq", comm.seq),
		SLOT("Src Rank", comm.from),
		SLOT("Dst Rank", comm.to),
		SLOT("fromDevice", from),
		SLOT("toDevice", to),
		SLOT(allocated_key, allocated),
		SLOT(reserved_key, reserved),
#undef SLOT
	};
	struct json c = chrome_args(e);
	struct json_item key, v;
	bool first = true;

	while (e->args.kind == JSON_OBJECT && tm_json_member(&c, &first, &key)) {
		const unsigned char *from;

		v = tm_json_value(&c);
		from = c.p;
		if (v.kind == JSON_ARRAY && json_is(&key, "grid", 4))
			a->has_grid = read_three(&c, a->grid);
		else if (v.kind == JSON_ARRAY && json_is(&key, "block", 5))
			a->has_block = read_three(&c, a->block);
		else if (!tm_json_skip_rest(&c, v.kind))
			return;
		/* Ranks are a list, or its text. */
		if (v.kind == JSON_ARRAY)
			v = (struct json_item) { .kind = JSON_STRING,
				                 .p = from - 1,
				                 .n = (size_t)(c.p - from) + 1 };
		for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
			if (json_is(&key, slots[i].key, slots[i].n))
				memcpy((char *)a + slots[i].at, &v, sizeof v);
	}
}

static bool put_agent(const struct kineto *k, struct tm_ev_row *row, enum tm_ev_col col,
                      const struct json_item *v)
{
	uint64_t n;

	if (!tm_json_u64(v, &n) || n > UINT32_MAX)
		return false;
	tm_ev_put(row, col,
	          tm_agent_pack(k->backend ? k->backend->numbering : TM_AGENT_NODE, (uint32_t)n));
	return true;
}

/* Items of a block, or more than any block has. */
static uint64_t items_of(const uint64_t v[3])
{
	uint64_t n = 1;

	for (int i = 0; i < 3; i++)
		if (__builtin_mul_overflow(n, v[i], &n))
			return UINT64_MAX;
	return n;
}

static void put_sizes(const struct kineto *k, struct tm_ev_row *row, struct args *a)
{
	enum { MOST_ITEMS = 1024 };
	enum time_unit unit = UNIT_UNKNOWN;
	uint64_t corr, items[3];
	bool good = true;

	if (tm_json_u64(&a->corr, &corr))
		unit = unit_of(k, corr);
	/* A build with rocprofiler-sdk 1.0 has the block in `grid`, and in `block` the grid in
	 * items. */
	if (a->has_grid && a->has_block && items_of(a->block) > MOST_ITEMS &&
	    items_of(a->grid) <= MOST_ITEMS) {
		memcpy(items, a->grid, sizeof items);
		memcpy(a->grid, a->block, sizeof items);
		memcpy(a->block, items, sizeof items);
		unit = UNIT_ITEMS;
	}
	for (int i = 0; i < 3 && a->has_block; i++)
		tm_ev_put(row, (enum tm_ev_col)(TM_EVC_WG_X + i), a->block[i]);
	if (!a->has_grid || unit == UNIT_UNKNOWN || (unit == UNIT_BLOCKS && !a->has_block))
		return;
	for (int i = 0; i < 3; i++)
		good &= !__builtin_mul_overflow(
		        a->grid[i], unit == UNIT_BLOCKS ? a->block[i] : UINT64_C(1), &items[i]);
	for (int i = 0; i < 3 && good; i++)
		tm_ev_put(row, (enum tm_ev_col)(TM_EVC_GRID_X + i), items[i]);
}

/* Where a copy goes from and to.  Between two devices both are named; of any other the device is
 * the end that is one, or both. */
static void put_ends(const struct kineto *k, const struct chrome_event *e, struct tm_ev_row *row,
                     const struct args *a)
{
	const char *way = e->name.kind == JSON_STRING
	                          ? tm_copy_direction((const char *)e->name.p, e->name.n)
	                          : NULL;
	bool from = way && !strncmp(way, "device_to_", 10);
	bool to = way && !strcmp(way + strlen(way) - 10, "_to_device");

	if (from && !put_agent(k, row, TM_EVC_SRC, &a->from) && row->has & TM_EV_BIT(TM_EVC_AGENT))
		tm_ev_put(row, TM_EVC_SRC, row->v[TM_EVC_AGENT]);
	if (to && !put_agent(k, row, TM_EVC_DST, &a->to) && row->has & TM_EV_BIT(TM_EVC_AGENT))
		tm_ev_put(row, TM_EVC_DST, row->v[TM_EVC_AGENT]);
}

static bool on_device(struct kineto *k, const struct chrome_event *e, struct tm_ev_row *row,
                      bool kernel)
{
	static const tm_ev_set of_args = TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_SRC) |
	                                 TM_EV_BIT(TM_EVC_DST) | TM_EV_BIT(TM_EVC_QUEUE) |
	                                 TM_EV_BIT(TM_EVC_STREAM) | TM_EV_BIT(TM_EVC_CORR) |
	                                 TM_EV_BIT(TM_EVC_BYTES) | TM_EV_BIT(TM_EVC_EXTERNAL) |
	                                 TM_EV_BIT(TM_EVC_LDS) | TM_EV_BIT(TM_EVC_WG_X) |
	                                 TM_EV_BIT(TM_EVC_WG_Y) | TM_EV_BIT(TM_EVC_WG_Z) |
	                                 TM_EV_BIT(TM_EVC_GRID_X) | TM_EV_BIT(TM_EVC_GRID_Y) |
	                                 TM_EV_BIT(TM_EVC_GRID_Z);
	struct args a;

	if (!(k->t.r->want & (of_args | (kernel ? tm_kineto_comm_columns() : 0))))
		return tm_chrome_add(&k->t, kernel ? OUT_DISPATCH : OUT_COPY, row);
	memset(&a, 0, sizeof a);
	read_args(e, &a);
	if (!put_agent(k, row, TM_EVC_AGENT, &a.device))
		put_agent(k, row, TM_EVC_AGENT, &e->pid);
	tm_chrome_put(row, TM_EVC_STREAM, a.stream.kind == JSON_NONE ? &e->tid : &a.stream);
	tm_chrome_put(row, TM_EVC_QUEUE, &a.queue);
	tm_chrome_put(row, TM_EVC_CORR, &a.corr);
	tm_chrome_put(row, TM_EVC_EXTERNAL, &a.external);
	if (kernel) {
		tm_chrome_put(row, TM_EVC_LDS, &a.lds);
		put_sizes(k, row, &a);
		if (k->t.r->want & tm_kineto_comm_columns() &&
		    !tm_kineto_comm_put(k->t.r, &a.comm, row))
			return false;
		return tm_chrome_add(&k->t, OUT_DISPATCH, row);
	}
	tm_chrome_put(row, TM_EVC_BYTES, &a.bytes);
	put_ends(k, e, row, &a);
	return tm_chrome_add(&k->t, OUT_COPY, row);
}

/* A step that torch 1.10 and before call an operator, as everything else the host does. */
static bool is_old_step(const struct chrome_event *e, const struct category *cat)
{
	static const char step[] = "ProfilerStep#";

	return cat->domain == TM_DOMAIN_OTHER && e->name.kind == JSON_STRING &&
	       e->name.n >= sizeof step - 1 && !memcmp(e->name.p, step, sizeof step - 1);
}

/* Functions of Python are most of a trace that has them, and have nothing of this. */
static bool is_python(const struct category *cat)
{
	return cat->domain == TM_DOMAIN_OTHER && !strcmp(cat->text, "python_function");
}

/* Frames of the host: their category, and the id that work of the device refers to. */
static bool put_frame(struct kineto *k, const struct chrome_event *e, struct tm_ev_row *row,
                      const struct category *cat)
{
	tm_ev_set want = k->t.r->want;

	if (want & TM_EV_BIT(TM_EVC_TYPE) && cat->domain == TM_DOMAIN_OTHER && cat >= categories &&
	    cat < categories + sizeof categories / sizeof *categories) {
		uint32_t *type = &k->type[cat - categories];

		if (!*type) {
			uint32_t id = tm_names_add(&k->t.r->names, cat->text, cat->n);

			if (id == TM_NAME_NONE)
				return false;
			*type = id + 1;
		}
		tm_ev_put(row, TM_EVC_TYPE, *type - 1);
	}
	return cat->domain == TM_DOMAIN_HIP || is_python(cat) || tm_kineto_op_put(k->t.r, e, row);
}

static bool on_host(struct kineto *k, const struct chrome_event *e, struct tm_ev_row *row,
                    const struct category *cat)
{
	tm_ev_set want = k->t.r->want;
	uint64_t corr;
	struct args a;

	tm_ev_put(row, TM_EVC_DOMAIN, is_old_step(e, cat) ? TM_DOMAIN_MARKER : cat->domain);
	tm_chrome_thread(e, row);
	if (cat->domain == TM_DOMAIN_HIP) {
		enum time_unit unit = e->name.kind == JSON_STRING ? launch_unit(&e->name)
		                                                  : UNIT_UNKNOWN;

		if (unit != UNIT_UNKNOWN && !k->t.launches++)
			k->t.launch_at = e->at;
		if (want & (TM_EV_BIT(TM_EVC_CORR) | TM_EV_BIT(TM_EVC_GRID_X) |
		            TM_EV_BIT(TM_EVC_GRID_Y) | TM_EV_BIT(TM_EVC_GRID_Z))) {
			memset(&a, 0, sizeof a);
			read_args(e, &a);
			tm_chrome_put(row, TM_EVC_CORR, &a.corr);
			if (tm_json_u64(&a.corr, &corr) && !remember(k, corr, unit))
				return false;
		}
	}
	return put_frame(k, e, row, cat) && tm_chrome_add(&k->t, OUT_API, row);
}

/* What the allocator of a device holds after an event of its own: samples over time. */
static bool put_total(struct kineto *k, struct tm_ev_row row, const char *name,
                      const struct json_item *total)
{
	uint32_t id;
	double x;

	if (!tm_json_real(total, &x))
		return true;
	id = tm_names_add(&k->t.r->names, name, strlen(name));
	if (id == TM_NAME_NONE)
		return false;
	tm_ev_put(&row, TM_EVC_COUNTER, id);
	tm_ev_put(&row, TM_EVC_VALUE, tm_real_bits(x));
	return tm_chrome_add(&k->t, OUT_COUNTER, &row);
}

/* An allocation or a free of torch's own allocator, whose sign tells which, and what it holds then.
 */
static bool on_memory(struct kineto *k, const struct chrome_event *e)
{
	static const char *const what[] = { "allocate", "free" };
	struct tm_ev_row row = { .has = 0 };
	struct json_item bytes;
	struct args a;
	uint64_t n;
	uint32_t name;
	bool freed;

	memset(&a, 0, sizeof a);
	read_args(e, &a);
	if (!tm_chrome_times(&k->t, e, &row))
		return true;
	row.v[TM_EVC_END] = row.v[TM_EVC_START];
	tm_chrome_thread(e, &row);
	/* Device types of torch: 0 is the host. */
	if (tm_json_u64(&a.device_type, &n) && n && tm_json_u64(&a.device_id, &n) &&
	    n <= UINT32_MAX)
		tm_ev_put(&row, TM_EVC_AGENT, tm_agent_pack(TM_AGENT_GPU, (uint32_t)n));
	if (k->t.r->want & TM_EV_BIT(TM_EVC_VALUE) &&
	    (!put_total(k, row, allocated_key, &a.allocated) ||
	     !put_total(k, row, reserved_key, &a.reserved)))
		return false;
	bytes = a.bytes;
	freed = bytes.kind == JSON_NUMBER && bytes.n && *bytes.p == '-';
	if (freed) {
		bytes.p++;
		bytes.n--;
	}
	if (!tm_json_u64(&bytes, &n)) {
		tm_loss_count(&k->t.r->loss, TM_LOSS_EVENT, 1, e->at);
		return true;
	}
	name = tm_names_add(&k->t.r->names, what[freed], strlen(what[freed]));
	if (name == TM_NAME_NONE)
		return false;
	tm_ev_put(&row, TM_EVC_NAME, name);
	tm_ev_put(&row, TM_EVC_DOMAIN, TM_DOMAIN_ALLOC);
	tm_ev_put(&row, TM_EVC_BYTES, n);
	tm_chrome_put(&row, TM_EVC_ADDRESS, &a.address);
	return tm_chrome_add(&k->t, OUT_ALLOC, &row);
}

static const struct category *category_of(struct kineto *k, const struct json_item *cat)
{
	static const struct category other = { "", 0, CLASS_API, TM_DOMAIN_OTHER };

	if (cat->kind != JSON_STRING)
		return &other;
	if (k->last && json_is(cat, k->last->text, k->last->n))
		return k->last;
	/* Old releases write them with a capital letter, and not all of them in the same way. */
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
		if (cat->n == categories[i].n &&
		    !strncasecmp((const char *)cat->p, categories[i].text, cat->n))
			return k->last = &categories[i];
	return &other;
}

static bool event(struct chrome *t, const struct chrome_event *e)
{
	struct kineto *k = (struct kineto *)t;
	const struct category *cat;
	struct tm_ev_row row;
	bool done;

	/* Flows are a third of all events. */
	if (e->ph == 's' || e->ph == 'f' || e->ph == 't')
		return !(t->r->want & TM_UNUSED_WANT) || e->cat.kind != JSON_STRING ||
		       tm_reader_unused(t->r, TM_UNUSED_DOMAIN, (const char *)e->cat.p, e->cat.n);
	cat = category_of(k, &e->cat);
	/* Up to torch 1.10 these have no category. */
	if (e->ph == 'i' && json_is(&e->name, "[memory]", 8) &&
	    (cat->class == CLASS_MEMORY || e->cat.kind == JSON_NONE))
		return on_memory(k, e);
	if (!tm_chrome_phase(t, e, cat->class == CLASS_API ? cat->domain : TM_DOMAIN_OTHER, &done))
		return false;
	if (done)
		return true;
	row.has = 0;
	if (!tm_chrome_times(t, e, &row))
		return true;
	if (!tm_chrome_name(t, e, &row))
		return false;
	switch (cat->class) {
	case CLASS_KERNEL:
		return on_device(k, e, &row, true);
	case CLASS_COPY:
		return on_device(k, e, &row, false);
	case CLASS_SHADOW:
		tm_ev_put(&row, TM_EVC_DOMAIN, cat->domain);
		put_agent(k, &row, TM_EVC_AGENT, &e->pid);
		tm_chrome_put(&row, TM_EVC_STREAM, &e->tid);
		return tm_chrome_add(t, OUT_API, &row);
	default:
		return on_host(k, e, &row, cat);
	}
}

/* ---- the reader ---- */

static const struct chrome_dialect dialect = {
	.table = "torch.profiler trace",
	.wants = wants,
	.value = value,
	.begin = begin,
	.event = event,
};

/* The categories as they stand in a file. */
static const char *const words[] = {
	"\"ac2g\"",
#define CATEGORY(t, c, d) "\"" t "\"",
#include "schemas/kineto.def"
};

static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	unsigned events = tm_chrome_bid(p, n), bits = 0;

	(void)whole;
	if (n && tm_chrome_has(p, n, "schemaVersion", "") &&
	    tm_chrome_has(p, n, "deviceProperties", "["))
		bits = 32;
	for (size_t i = 0; i < sizeof words / sizeof *words && events; i++)
		if (tm_chrome_has(p, n, "cat", words[i]))
			bits += 8;
	return bits ? bits + 16 : 0;
}

static enum tm_status kineto_open(struct tm_reader *r, struct tm_diag *d)
{
	return tm_chrome_open(r, &dialect, d);
}

static void kineto_close(struct tm_reader *r)
{
	struct kineto *k = r->priv;

	free(k->page);
	tm_kineto_devices_fini(&k->devices);
	tm_chrome_close(r);
}

const struct tm_reader_ops tm_reader_kineto_json = {
	.name = "kineto-json",
	.about = "torch.profiler (Kineto) trace of a ROCm or CUDA program",
	.bid = bid,
	.ranks = true,
	.priv_size = sizeof(struct kineto),
	.open = kineto_open,
	.next = tm_chrome_next,
	.close = kineto_close,
};
