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
	enum tm_ev_col col;
	enum how how;
} args[] = {
#define ARG(t, c, h) { t, sizeof(t) - 1, c, HOW_##h },
#include "schemas/rocprofv1_json.def"
};

/* Sections.  A GPU's barriers are 512 after it, and counted among its kernels, as in the tables.
 */
enum { MARKERS, COPIES, HIP, HSA, KFD, GPU = 6 };

struct found {
	struct tm_ev_row row;
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
	else if (a->col == TM_EVC_PID && f->section_pid)
		return;
	if (a->how == HOW_PASS || !tm_json_u64(v, &u))
		return;
	if (a->how == HOW_AGENT && u > UINT32_MAX)
		return;
	tm_ev_put(&f->row, a->col,
	          a->how == HOW_AGENT ? tm_agent_pack(TM_AGENT_NODE, (uint32_t)u) : u);
}

static void read_args(const struct chrome_event *e, struct found *f)
{
	struct json c = chrome_args(e);
	struct json_item key, v;
	uint64_t section;
	bool first = true;

	while (e->args.kind == JSON_OBJECT && tm_json_member(&c, &first, &key)) {
		v = tm_json_value(&c);
		if (v.kind == JSON_OBJECT || v.kind == JSON_ARRAY)
			tm_json_skip_rest(&c, v.kind);
		else
			take(f, &key, &v);
	}
	/* Up to 4.2 pid repeats the section, and with proc-id tid is a lane of it. */
	if (f->section_pid)
		f->row.has &= ~TM_EV_BIT(TM_EVC_TID);
	else if (tm_json_u64(&e->pid, &section) && (f->row.has & TM_EV_BIT(TM_EVC_PID)) &&
	         f->row.v[TM_EVC_PID] == section)
		f->row.has &= ~TM_EV_BIT(TM_EVC_PID);
}

static bool on_gpu(struct chrome *t, const struct chrome_event *e, struct found *f)
{
	struct json c = chrome_args(e);
	struct json_item key, v;
	bool first = true;
	double x;
	uint32_t id;

	if (!tm_chrome_add(t, OUT_DISPATCH, &f->row))
		return false;
	if (!(t->r->want & (TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE))) || !f->kernel)
		return true;
	while (tm_json_member(&c, &first, &key)) {
		v = tm_json_value(&c);
		tm_json_skip_rest(&c, v.kind);
		if (known(&key) || !tm_json_real(&v, &x))
			continue;
		if (!tm_chrome_intern(t, &key, &id))
			return false;
		tm_ev_put(&f->row, TM_EVC_COUNTER, id);
		tm_ev_put(&f->row, TM_EVC_VALUE, tm_real_bits(x));
		if (!tm_chrome_add(t, OUT_COUNTER, &f->row))
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
	struct tm_ev_row coarse = { .has = 0 };

	/* Names of sections, flows, and the empty event at the beginning. */
	if (e->ph != 'X')
		return true;
	f.row.has = 0;
	f.kernel = f.section_pid = false;
	read_args(e, &f);
	if (!strcmp(t->r->producer, "rocprof") || f.section_pid)
		t->r->producer = producer_of(e, &f);
	if (!(f.row.has & TM_EV_BIT(TM_EVC_START)) || !(f.row.has & TM_EV_BIT(TM_EVC_END))) {
		if (!tm_chrome_times(t, e, &coarse))
			return true;
		tm_ev_put(&f.row, TM_EVC_START, coarse.v[TM_EVC_START]);
		tm_ev_put(&f.row, TM_EVC_END, coarse.v[TM_EVC_END]);
	}
	if ((f.row.v[TM_EVC_START] | f.row.v[TM_EVC_END]) >> 63 ||
	    f.row.v[TM_EVC_END] < f.row.v[TM_EVC_START]) {
		tm_loss_count(&t->r->loss, TM_LOSS_REVERSED, 1, e->at);
		return true;
	}
	if (!tm_chrome_name(t, e, &f.row))
		return false;
	tm_json_u64(&e->pid, &section);
	switch (section) {
	case MARKERS:
		tm_ev_put(&f.row, TM_EVC_DOMAIN, TM_DOMAIN_MARKER);
		return tm_chrome_add(t, OUT_API, &f.row);
	case COPIES:
		return tm_chrome_add(t, OUT_COPY, &f.row);
	case HIP:
		tm_ev_put(&f.row, TM_EVC_DOMAIN, TM_DOMAIN_HIP);
		return tm_chrome_add(t, OUT_API, &f.row);
	case HSA:
		tm_ev_put(&f.row, TM_EVC_DOMAIN, TM_DOMAIN_HSA);
		return tm_chrome_add(t, OUT_API, &f.row);
	default:
		if (section >= GPU && section != UINT64_MAX)
			return on_gpu(t, e, &f);
		tm_ev_put(&f.row, TM_EVC_DOMAIN, TM_DOMAIN_OTHER);
		return tm_chrome_add(t, OUT_API, &f.row);
	}
}

static const struct chrome_dialect dialect = { .table = "results trace", .event = event };

/* Its exact times, or the order of a section put beside its name. */
static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	static const char section[] = "\"name\":\"process_name\",\"sort_index\":";
	unsigned bits = tm_chrome_bid(p, n);

	(void)whole;
	if (!bits)
		return 0;
	if (tm_chrome_has(p, n, "BeginNs", "\""))
		return bits + 64;
	return memmem(p, n, section, sizeof section - 1) ? bits + 24 : 0;
}

static enum tm_status v1_open(struct tm_reader *r, struct tm_diag *d)
{
	r->producer = "rocprof";
	return tm_chrome_open(r, &dialect, d);
}

const struct tm_reader_ops tm_reader_rocprofv1_json = {
	.name = "rocprofv1-json",
	.about = "rocprof v1 results.json",
	.bid = bid,
	.priv_size = sizeof(struct chrome),
	.open = v1_open,
	.next = tm_chrome_next,
	.close = tm_chrome_close,
};
