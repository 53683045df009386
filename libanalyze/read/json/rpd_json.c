/* SPDX-License-Identifier: MIT
 * What rpd2tracing.py makes of a .rpd file: trace events whose numbers are strings.
 *
 * A process is a GPU where its name says so ("GPU2"), which stands before its events; its number is
 * that of the runtime (a 2 for the first GPU of a host with two sockets).  An operation says in its
 * argument `desc` what it is.  Operations have no correlation id: flows tie them to calls, and come
 * last. */
#include "read/json/chrome.h"

#include "base/base.h"
#include "read/rpd_words.h"

enum { GPUS = 1024 };

struct rpd {
	struct chrome t;
	struct gpu {
		uint64_t pid, number;
	} gpu[GPUS];
	size_t ngpu;
};

static const struct gpu *gpu_of(const struct rpd *k, const struct chrome_event *e)
{
	uint64_t pid;

	if (!tm_json_u64(&e->pid, &pid))
		return NULL;
	for (size_t i = 0; i < k->ngpu; i++)
		if (k->gpu[i].pid == pid)
			return &k->gpu[i];
	return NULL;
}

/* The argument of that name, as it stands. */
static struct json_item arg_of(const struct chrome_event *e, const char *name)
{
	struct json_item key, v, found = { .kind = JSON_NONE };
	struct json c = chrome_args(e);
	bool first = true;

	while (e->args.kind == JSON_OBJECT && tm_json_member(&c, &first, &key)) {
		v = tm_json_value(&c);
		if (!tm_json_skip_rest(&c, v.kind))
			break;
		if (json_is(&key, name, strlen(name)))
			found = v;
	}
	return found;
}

static void name_process(struct rpd *k, const struct chrome_event *e)
{
	struct json_item name = arg_of(e, "name");
	uint64_t pid, n;

	if (name.kind != JSON_STRING || name.n < 4 || memcmp(name.p, "GPU", 3) != 0 ||
	    !tm_num_u64(name.p + 3, name.n - 3, &n) || n > UINT32_MAX ||
	    !tm_json_u64(&e->pid, &pid) || k->ngpu == GPUS || gpu_of(k, e))
		return;
	k->gpu[k->ngpu++] = (struct gpu) { .pid = pid, .number = n };
}

static bool on_gpu(struct rpd *k, const struct chrome_event *e, const struct gpu *gpu,
                   struct tm_ev_row *row)
{
	struct json_item desc = arg_of(e, "desc");
	bool text = desc.kind == JSON_STRING;

	tm_ev_put(row, TM_EVC_AGENT, tm_agent_pack(TM_AGENT_NODE, (uint32_t)gpu->number));
	tm_chrome_put(row, TM_EVC_QUEUE, &e->tid);
	/* The marks of a frame are drawn on the GPU's own row. */
	if (e->name.kind == JSON_STRING && e->name.n >= 10 &&
	    !memcmp(e->name.p, "UserMarker", 10)) {
		tm_ev_put(row, TM_EVC_DOMAIN, TM_DOMAIN_OTHER);
		return tm_chrome_add(&k->t, OUT_API, row);
	}
	if (text && tm_rpd_operation((const char *)desc.p, desc.n) == RPD_COPY)
		return tm_chrome_add(&k->t, OUT_COPY, row);
	return tm_chrome_add(&k->t, OUT_DISPATCH, row);
}

static bool on_host(struct rpd *k, const struct chrome_event *e, struct tm_ev_row *row)
{
	bool text = e->name.kind == JSON_STRING;
	unsigned class = text ? tm_rpd_call((const char *)e->name.p, e->name.n) : TM_DOMAIN_OTHER;

	if (class == RPD_SELF) {
		tm_loss_count(&k->t.r->loss, TM_LOSS_ROW_SELF, 1, e->at);
		return true;
	}
	tm_chrome_thread(e, row);
	if (class == TM_DOMAIN_MARKER) {
		struct json_item message = arg_of(e, "desc");
		uint32_t id;

		if (message.kind == JSON_STRING && message.n) {
			if (!tm_chrome_intern(&k->t, &message, &id))
				return false;
			tm_ev_put(row, TM_EVC_NAME, id);
		}
	}
	tm_ev_put(row, TM_EVC_DOMAIN, class);
	return tm_chrome_add(&k->t, OUT_API, row);
}

static bool event(struct chrome *t, const struct chrome_event *e)
{
	struct rpd *k = (struct rpd *)t;
	const struct gpu *gpu;
	struct tm_ev_row row = { .has = 0 };
	bool done;

	if (e->ph == 'M' && e->name.kind == JSON_STRING && json_is(&e->name, "process_name", 12)) {
		name_process(k, e);
		return true;
	}
	gpu = gpu_of(k, e);
	if (e->ph == 'C' && gpu && e->name.kind == JSON_STRING) {
		tm_ev_put(&row, TM_EVC_AGENT, tm_agent_pack(TM_AGENT_NODE, (uint32_t)gpu->number));
		return tm_chrome_sample(t, e, &row);
	}
	if (e->ph == 'C' && e->name.kind == JSON_STRING)
		return tm_chrome_sample(t, e, &row); /* a number of another tool: not a process */
	if (!tm_chrome_phase(t, e, TM_DOMAIN_OTHER, &done))
		return false;
	if (done || !tm_chrome_times(t, e, &row))
		return true;
	if (!tm_chrome_name(t, e, &row))
		return false;
	return gpu ? on_gpu(k, e, gpu, &row) : on_host(k, e, &row);
}

static const struct chrome_dialect dialect = { .table = "rpd2tracing trace", .event = event };

/* Its events begin with an empty one, and the names of its threads with "Hip ", or an operation has
 * its description. */
static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	unsigned bits = tm_chrome_bid(p, n);
	bool named;

	(void)whole;
	if (!bits || !memmem(p, n < 256 ? n : 256, "{}", 2))
		return 0;
	named = tm_chrome_has(p, n, "name", "\"Hip ") || tm_chrome_has(p, n, "name", "\"GPU");
	return named && (tm_chrome_has(p, n, "desc", "\"") || tm_chrome_has(p, n, "name", "\"Hip "))
	               ? bits + 16
	               : 0;
}

static enum tm_status rpd_open(struct tm_reader *r, struct tm_diag *d)
{
	r->producer = "rpd2tracing";
	return tm_chrome_open(r, &dialect, d);
}

const struct tm_reader_ops tm_reader_rpd_json = {
	.name = "rpd-json",
	.about = "trace events that rpd2tracing.py made of a .rpd file",
	.bid = bid,
	.priv_size = sizeof(struct rpd),
	.open = rpd_open,
	.next = tm_chrome_next,
	.close = tm_chrome_close,
};
