/* SPDX-License-Identifier: MIT
 * results.json of rocprof v1: trace events whose `pid` is a section of the file, not a process, and
 * whose exact times are strings among the arguments.
 *
 * Its writer escapes neither names nor roctx messages: where one holds a quote or a line end the
 * file is no JSON, and is read up to there. */
#include "read/json/chrome.h"

enum how { HOW_NUMBER, HOW_AGENT, HOW_PASS };

static const struct arg {
	const char *text;
	size_t n;
	enum ev_col col;
	enum how how;
} args[] = {
#define ARG(t, c, h) { t, sizeof(t) - 1, c, HOW_##h },
#include "schemas/rocprofv1_json.def"
};

/* Sections.  A GPU's barriers are 512 behind it, and counted among its kernels, as in the tables.
 */
enum { MARKERS, COPIES, HIP, HSA, KFD, GPU = 6 };

struct found {
	struct ev_row row;
	bool kernel, section_pid;
};

static const struct arg *known(const struct json_item *key)
{
	for (size_t i = 0; i < sizeof args / sizeof *args; i++)
		if (json_is(key, args[i].text, args[i].n))
			return &args[i];
	return NULL;
}

static void take(struct found *f, const struct json_item *key, const struct json_item *v)
{
	const struct arg *a = known(key);
	uint64_t u;

	if (!a)
		return;
	f->kernel |= json_is(key, "KernelName", 10);
	if (json_is(key, "proc-id", 7))
		f->section_pid = true;
	else if (a->col == EVC_PID && f->section_pid)
		return;
	if (a->how == HOW_PASS || !json_u64(v, &u))
		return;
	if (a->how == HOW_AGENT && u > UINT32_MAX)
		return;
	ev_put(&f->row, a->col, a->how == HOW_AGENT ? agent_pack(AGENT_NODE, (uint32_t)u) : u);
}

static void read_args(const struct chrome_event *e, struct found *f)
{
	struct json c = chrome_args(e);
	struct json_item key, v;
	uint64_t section;
	bool first = true;

	while (e->args.kind == JSON_OBJECT && json_member(&c, &first, &key)) {
		v = json_value(&c);
		if (v.kind == JSON_OBJECT || v.kind == JSON_ARRAY)
			json_skip_rest(&c, v.kind);
		else
			take(f, &key, &v);
	}
	/* Up to 4.2 pid repeats the section, and with proc-id tid is a lane of it. */
	if (f->section_pid)
		f->row.has &= ~EV_BIT(EVC_TID);
	else if (json_u64(&e->pid, &section) && (f->row.has & EV_BIT(EVC_PID)) &&
	         f->row.v[EVC_PID] == section)
		f->row.has &= ~EV_BIT(EVC_PID);
}

static bool on_gpu(struct chrome *t, const struct chrome_event *e, struct found *f)
{
	struct json c = chrome_args(e);
	struct json_item key, v;
	bool first = true;
	double x;
	uint32_t id;

	if (!chrome_add(t, OUT_DISPATCH, &f->row))
		return false;
	if (!(t->r->want & (EV_BIT(EVC_COUNTER) | EV_BIT(EVC_VALUE))) || !f->kernel)
		return true;
	while (json_member(&c, &first, &key)) {
		v = json_value(&c);
		json_skip_rest(&c, v.kind);
		if (known(&key) || !json_real(&v, &x))
			continue;
		if (!chrome_intern(t, &key, &id))
			return false;
		ev_put(&f->row, EVC_COUNTER, id);
		ev_put(&f->row, EVC_VALUE, real_bits(x));
		if (!chrome_add(t, OUT_COUNTER, &f->row))
			return false;
	}
	return true;
}

/* Its release, from how events say which section they are of.  One event is as good as another. */
static const char *producer_of(const struct chrome_event *e, const struct found *f)
{
	return f->section_pid               ? "rocprof up to 4.2"
	       : e->pid.kind == JSON_STRING ? "rocprof before 6.2"
	       : e->pid.kind == JSON_NUMBER ? "rocprof 6.2 or later"
	                                    : "rocprof";
}

static bool event(struct chrome *t, const struct chrome_event *e)
{
	uint64_t section = UINT64_MAX;
	struct found f;
	struct ev_row coarse = { .has = 0 };

	/* Names of sections, flows, and the empty event at the beginning. */
	if (e->ph != 'X')
		return true;
	f.row.has = 0;
	f.kernel = f.section_pid = false;
	read_args(e, &f);
	if (!strcmp(t->r->producer, "rocprof") || f.section_pid)
		t->r->producer = producer_of(e, &f);
	if (!(f.row.has & EV_BIT(EVC_START)) || !(f.row.has & EV_BIT(EVC_END))) {
		if (!chrome_times(t, e, &coarse))
			return true;
		ev_put(&f.row, EVC_START, coarse.v[EVC_START]);
		ev_put(&f.row, EVC_END, coarse.v[EVC_END]);
	}
	if ((f.row.v[EVC_START] | f.row.v[EVC_END]) >> 63 ||
	    f.row.v[EVC_END] < f.row.v[EVC_START]) {
		loss_count(&t->r->loss, LOSS_REVERSED, 1, e->at);
		return true;
	}
	if (!chrome_name(t, e, &f.row))
		return false;
	json_u64(&e->pid, &section);
	switch (section) {
	case MARKERS:
		ev_put(&f.row, EVC_DOMAIN, DOMAIN_MARKER);
		return chrome_add(t, OUT_API, &f.row);
	case COPIES:
		return chrome_add(t, OUT_COPY, &f.row);
	case HIP:
		ev_put(&f.row, EVC_DOMAIN, DOMAIN_HIP);
		return chrome_add(t, OUT_API, &f.row);
	case HSA:
		ev_put(&f.row, EVC_DOMAIN, DOMAIN_HSA);
		return chrome_add(t, OUT_API, &f.row);
	default:
		if (section >= GPU && section != UINT64_MAX)
			return on_gpu(t, e, &f);
		ev_put(&f.row, EVC_DOMAIN, DOMAIN_OTHER);
		return chrome_add(t, OUT_API, &f.row);
	}
}

static const struct chrome_dialect dialect = { .table = "results trace", .event = event };

/* Its exact times, or the order of a section put beside its name. */
static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	static const char section[] = "\"name\":\"process_name\",\"sort_index\":";
	unsigned bits = chrome_bid(p, n);

	(void)whole;
	if (!bits)
		return 0;
	if (chrome_has(p, n, "BeginNs", "\""))
		return bits + 64;
	return memmem(p, n, section, sizeof section - 1) ? bits + 24 : 0;
}

static enum status v1_open(struct reader *r, struct diag *d)
{
	r->producer = "rocprof";
	return chrome_open(r, &dialect, d);
}

const struct reader_ops reader_rocprofv1_json = {
	.name = "rocprofv1-json",
	.about = "rocprof v1 results.json",
	.bid = bid,
	.priv_size = sizeof(struct chrome),
	.open = v1_open,
	.next = chrome_next,
	.close = chrome_close,
};
