/* SPDX-License-Identifier: MIT
 * Trace events of any program: what Perfetto exports as JSON, what a script wrote, what nobody
 * else's reader knows.  Where an event has a category or an argument of AMD's profilers
 * (schemas/pftrace.def: such a trace went through Perfetto), it is what that says; else a range is
 * an API call of no domain known here, an instant is a mark, and a counter is samples over time. */
#include "read/json/chrome.h"

#include "base/base.h"

enum class { CLASS_KERNEL, CLASS_COPY, CLASS_API, CLASS_ALLOC, CLASS_MIXED, CLASS_OPS, CLASS_OURS };
enum how { HOW_NUMBER, HOW_AGENT, HOW_GPU, HOW_SIZE, HOW_TEXT, HOW_IGNORE };

static const struct category {
	const char *text;
	size_t n;
	enum class class;
	enum tm_domain domain;
} categories[] = {
#define CATEGORY(t, c, d, by) { t, sizeof(t) - 1, CLASS_##c, TM_DOMAIN_##d },
#include "schemas/pftrace.def"
};

static const struct annotation {
	const char *text;
	size_t n;
	enum tm_ev_col col;
	enum how how;
} annotations[] = {
#define ANNOTATION(t, c, h) { t, sizeof(t) - 1, c, HOW_##h },
#include "schemas/pftrace.def"
};

/* "Agent 4", "GPU 0" or "4" at the beginning of a text. */
static bool agent_of(const struct json_item *v, enum tm_agent_numbering how, uint64_t *agent)
{
	static const struct {
		const char *word;
		enum tm_agent_numbering how;
	} words[] = { { "Agent ", TM_AGENT_NODE },
		      { "GPU ", TM_AGENT_GPU },
		      { "CPU ", TM_AGENT_CPU } };
	struct json_item n = *v;
	uint64_t u;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t len = strlen(words[i].word);

		if (v->kind == JSON_STRING && v->n > len && !memcmp(v->p, words[i].word, len)) {
			n.p += len;
			n.n -= len;
			how = words[i].how;
		}
	}
	if (!tm_json_u64(&n, &u) || u > UINT32_MAX)
		return false;
	*agent = tm_agent_pack(how, (uint32_t)u);
	return true;
}

/* "(64, 1, 1)", or a number: the product. */
static bool size_of(const struct json_item *v, uint64_t *out)
{
	const unsigned char *p = v->p, *end = v->p + v->n;
	uint64_t product = 1;
	int found = 0;

	while (p < end) {
		size_t n = 0;
		uint64_t u;

		while (p + n < end && p[n] >= '0' && p[n] <= '9')
			n++;
		if (n && (!tm_num_u64(p, n, &u) || __builtin_mul_overflow(product, u, &product)))
			return false;
		found += n > 0;
		p += n ? n : 1;
	}
	*out = product;
	return found == 1 || found == 3;
}

static bool put(struct chrome *t, struct tm_ev_row *row, const struct annotation *a,
                const struct json_item *v)
{
	uint64_t u;
	uint32_t id;

	switch (a->how) {
	case HOW_NUMBER:
		tm_chrome_put(row, a->col, v);
		return true;
	case HOW_AGENT:
	case HOW_GPU:
		if (agent_of(v, a->how == HOW_GPU ? TM_AGENT_GPU : TM_AGENT_NODE, &u))
			tm_ev_put(row, a->col, u);
		return true;
	case HOW_SIZE:
		if (size_of(v, &u))
			tm_ev_put(row, a->col, u);
		return true;
	case HOW_TEXT:
		if (v->kind != JSON_STRING || !v->n)
			return true;
		if (!tm_chrome_intern(t, v, &id))
			return false;
		tm_ev_put(row, a->col, id);
		return true;
	default:
		return true;
	}
}

static bool read_args(struct chrome *t, const struct chrome_event *e, struct tm_ev_row *row)
{
	struct json c = chrome_args(e);
	struct json_item key, v;
	bool first = true;

	while (tm_json_member(&c, &first, &key)) {
		v = tm_json_value(&c);
		if (v.kind == JSON_OBJECT || v.kind == JSON_ARRAY) {
			tm_json_skip_rest(&c, v.kind);
			continue;
		}
		for (size_t i = 0; i < sizeof annotations / sizeof *annotations; i++)
			if (json_is(&key, annotations[i].text, annotations[i].n) &&
			    !put(t, row, &annotations[i], &v))
				return false;
	}
	return true;
}

static const struct category *category_of(const struct json_item *cat)
{
	static const struct category other = { "", 0, CLASS_API, TM_DOMAIN_OTHER };

	for (size_t i = 0; cat->kind == JSON_STRING && i < sizeof categories / sizeof *categories;
	     i++)
		if (json_is(cat, categories[i].text, categories[i].n) ||
		    (categories[i].class == CLASS_OURS && cat->n > categories[i].n &&
		     !memcmp(cat->p, categories[i].text, categories[i].n)))
			return &categories[i];
	return &other;
}

static bool event(struct chrome *t, const struct chrome_event *e)
{
	enum tm_ev_col col;
	const struct category *cat = category_of(&e->cat);
	bool instant = e->ph && strchr("iInR", e->ph), known = cat->n > 0, done, copy;
	struct tm_ev_row row, more = { .has = 0 };

	if (cat->class == CLASS_OURS)
		return true;
	if (!tm_chrome_phase(t, e,
	                     instant && !known         ? TM_DOMAIN_MARKER
	                     : cat->class == CLASS_API ? cat->domain
	                                               : TM_DOMAIN_OTHER,
	                     &done))
		return false;
	if (done)
		return true;
	row.has = 0;
	if (!tm_chrome_times(t, e, &row))
		return true;
	if (!tm_chrome_name(t, e, &row))
		return false;
	if (known && e->args.kind == JSON_OBJECT && !read_args(t, e, &more))
		return false;
	/* The profiler's own times, where both are there, in place of those of the slice. */
	if ((more.has & TM_EV_BIT(TM_EVC_START)) && (more.has & TM_EV_BIT(TM_EVC_END)) &&
	    more.v[TM_EVC_START] <= more.v[TM_EVC_END] && !(more.v[TM_EVC_END] >> 63)) {
		row.v[TM_EVC_START] = more.v[TM_EVC_START];
		row.v[TM_EVC_END] = more.v[TM_EVC_END];
	}
	more.has &= ~(TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END));
	TM_EV_EACH(col, more.has)
	tm_ev_put(&row, col, more.v[col]);
	copy = e->name.kind == JSON_STRING &&
	       tm_copy_direction((const char *)e->name.p, e->name.n) != NULL;
	switch (cat->class) {
	case CLASS_KERNEL:
		return tm_chrome_add(t, OUT_DISPATCH, &row);
	case CLASS_COPY:
		return tm_chrome_add(t, OUT_COPY, &row);
	case CLASS_MIXED:
		return tm_chrome_add(t, copy ? OUT_COPY : OUT_DISPATCH, &row);
	case CLASS_ALLOC:
		tm_ev_put(&row, TM_EVC_DOMAIN, cat->domain);
		return tm_chrome_add(t, OUT_ALLOC, &row);
	case CLASS_OURS:
	case CLASS_OPS:
		if (copy)
			return tm_chrome_add(t, OUT_COPY, &row);
		/* fall through */
	default:
		tm_ev_put(&row, TM_EVC_DOMAIN, cat->domain);
		if (!(row.has & TM_EV_BIT(TM_EVC_PID)))
			tm_chrome_put(&row, TM_EVC_PID, &e->pid);
		if (!(row.has & TM_EV_BIT(TM_EVC_TID)))
			tm_chrome_put(&row, TM_EVC_TID, &e->tid);
		return tm_chrome_add(t, OUT_API, &row);
	}
}

static const struct chrome_dialect dialect = { .table = "trace events", .event = event };

static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	(void)whole;
	return tm_chrome_bid(p, n);
}

static enum tm_status open_json(struct tm_reader *r, struct tm_diag *d)
{
	return tm_chrome_open(r, &dialect, d);
}

const struct tm_reader_ops tm_reader_chrome_json = {
	.name = "chrome-json",
	.about = "trace events as JSON (Chrome trace format) of any program, Perfetto's export",
	.bid = bid,
	.priv_size = sizeof(struct chrome),
	.open = open_json,
	.next = tm_chrome_next,
	.close = tm_chrome_close,
};
