/* SPDX-License-Identifier: MIT
 * The json plugin of rocprofv2: trace events with whole microseconds as strings, a category for
 * what they are, and a correlation id.  Nothing shorter than a microsecond keeps its length. */
#include "read/json/chrome.h"

enum class { CLASS_HOST, CLASS_KERNEL, CLASS_COPY };

static const struct {
	const char *text;
	size_t n;
	enum class class;
} categories[] = {
	{ "CPU", 3, CLASS_HOST },
	{ "GPU", 3, CLASS_KERNEL },
	{ "gpu", 3, CLASS_KERNEL },
	{ "COPY", 4, CLASS_COPY },
	{ "HIPBLITKERNELS", 14, CLASS_KERNEL },
};

static void put_corr(const struct chrome_event *e, struct tm_ev_row *row)
{
	struct json c = chrome_args(e);
	struct json_item key, v;
	bool first = true;

	while (e->args.kind == JSON_OBJECT && tm_json_member(&c, &first, &key)) {
		v = tm_json_value(&c);
		if (!tm_json_skip_rest(&c, v.kind))
			return;
		if (json_is(&key, "cid", 3))
			tm_chrome_put(row, TM_EVC_CORR, &v);
	}
}

static bool event(struct chrome *t, const struct chrome_event *e)
{
	bool text = e->name.kind == JSON_STRING;
	enum class class = CLASS_HOST;
	enum tm_domain domain = TM_DOMAIN_OTHER;
	struct tm_ev_row row = { .has = 0 };
	uint64_t lane;

	if (e->ph != 'X' || !tm_chrome_times(t, e, &row))
		return true;
	if (!tm_chrome_name(t, e, &row))
		return false;
	put_corr(e, &row);
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
		if (e->cat.kind == JSON_STRING &&
		    json_is(&e->cat, categories[i].text, categories[i].n))
			class = categories[i].class;
	if (class == CLASS_COPY)
		return tm_chrome_add(t, OUT_COPY, &row);
	if (class == CLASS_KERNEL) {
		/* The lane of a GPU is its id and one. */
		if (tm_json_u64(&e->tid, &lane) && lane && lane - 1 <= UINT32_MAX)
			tm_ev_put(&row, TM_EVC_AGENT,
			          tm_agent_pack(TM_AGENT_NODE, (uint32_t)(lane - 1)));
		return tm_chrome_add(t, OUT_DISPATCH, &row);
	}
	if (text && e->name.n > 3 && !memcmp(e->name.p, "hip", 3))
		domain = TM_DOMAIN_HIP;
	else if (text && e->name.n > 4 && !memcmp(e->name.p, "hsa_", 4))
		domain = TM_DOMAIN_HSA;
	tm_ev_put(&row, TM_EVC_DOMAIN, domain);
	tm_chrome_put(&row, TM_EVC_TID, &e->tid);
	return tm_chrome_add(t, OUT_API, &row);
}

static const struct chrome_dialect dialect = { .table = "results trace", .event = event };

static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	unsigned bits = tm_chrome_bid(p, n), cats = 0;

	(void)whole;
	if (!bits || !tm_chrome_has(p, n, "cid", "") || !tm_chrome_has(p, n, "ts", "\""))
		return 0;
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
		char quoted[20] = "\"";

		memcpy(quoted + 1, categories[i].text, categories[i].n);
		quoted[categories[i].n + 1] = '"';
		if (tm_chrome_has(p, n, "cat", quoted))
			cats += 8;
	}
	return cats ? bits + 16 + cats : 0;
}

static enum tm_status v2_open(struct tm_reader *r, struct tm_diag *d)
{
	r->producer = "rocprofv2";
	return tm_chrome_open(r, &dialect, d);
}

const struct tm_reader_ops tm_reader_rocprofv2_json = {
	.name = "rocprofv2-json",
	.about = "rocprofv2, json plugin",
	.bid = bid,
	.priv_size = sizeof(struct chrome),
	.open = v2_open,
	.next = tm_chrome_next,
	.close = tm_chrome_close,
};
