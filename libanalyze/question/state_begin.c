/* SPDX-License-Identifier: MIT
 * What files of totals can be asked, and what not. */
#include "question/state.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The option that asks for more than the usual table, with its dashes; NULL = none. */
static const char *asks_more(const struct tm_metric *m, const struct tm_metric_opts *o,
                             struct tm_buf *b)
{
	const unsigned filters = o->only ? o->only->by & ~TM_ONLY_BIT(TM_ONLY_RANK) : 0;
	const bool view = o->view && !tm_metric_view(m, o)->sums;
	const char *name = view                                          ? o->view
	                   : o->per                                      ? "per"
	                   : o->level != TM_NAME_FULL || o->by_class     ? "name"
	                   : o->domains != TM_MASK_BIT(TM_DOMAIN_KERNEL) ? "domain"
	                   : o->only && o->only->words.classes           ? "classes"
	                                                                 : NULL;

	if (o->windowed)
		return "-w";
	if (filters)
		return tm_only_option((enum tm_only_by)__builtin_ctz(filters));
	for (const struct tm_metric_option *p = m->options; !name && p && p->name; p++)
		if (!p->limit && !p->kept && tm_metric_option_set(p, o->own))
			name = p->name;
	if (name)
		tm_buf_fmt(b, "--%s", name);
	return name ? b->failed ? "" : b->p : NULL;
}

/* What sums do not tell apart; they know names, ranks and agents, of copies one at most, and
 * nothing of when. */
static const char *asks_finer(const struct tm_metric_opts *o, struct tm_buf *b)
{
	const unsigned finer = o->per & ~(unsigned)(TM_PER_RANK | TM_PER_AGENT);
	const unsigned copies = o->domains & TM_MASK_BIT(TM_DOMAIN_COPY)
	                                ? TM_ONLY_BIT(TM_ONLY_AGENT)
	                                : 0;
	const unsigned filters = o->only ? o->only->by & (copies | TM_ONLY_BIT(TM_ONLY_STREAM) |
	                                                  TM_ONLY_BIT(TM_ONLY_THREAD) |
	                                                  TM_ONLY_BIT(TM_ONLY_REGION))
	                                 : 0;

	if (o->windowed)
		return "-w";
	if (filters)
		return tm_only_option((enum tm_only_by)__builtin_ctz(filters));
	if (!finer)
		return NULL;
	tm_buf_fmt(b, "--per %s", tm_per_words[__builtin_ctz(finer)]);
	return b->failed ? "" : b->p;
}

/* The view that is kept where the usual one is not. */
static const char *kept_view(const struct tm_metric *m)
{
	const struct tm_metric_view *v = m->views;

	while (v->columns && !v->sums)
		v++;
	return v->columns ? v->option : "";
}

bool tm_state_refuse(const struct tm_state *s, const struct tm_metric *m,
                     const struct tm_metric_opts *o, struct tm_report *rep)
{
	struct tm_buf b = { 0 };
	const char *option;
	bool refused, usual;

	if (!s->totals)
		return false;
	option = m->state ? asks_more(m, o, &b) : asks_finer(o, &b);
	rep->lost |= b.failed;
	usual = m->state_views && !o->view && !option;
	refused = (!m->state && !m->state_sums) || option || usual;
	if (refused)
		tm_report_add(rep, TM_SEV_ERROR, s->where, 0,
		              "contains totals only (tracemerge --stats-only), but %s%s%s needs "
		              "events: give the traces%s%s",
		              m->name, option ? " " : "", option ? option : "",
		              usual ? ", or use --" : "", usual ? kept_view(m) : "");
	tm_buf_fini(&b);
	return refused;
}

static int by_number(const void *a, const void *b)
{
	return tm_u64_cmp(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* A rank of which there are totals and events: what lies between them is not known.  True with an
 * error in *rep. */
static bool mixed(struct tm_state *s, struct tm_report *rep)
{
	if (s->nlive)
		qsort(s->live, s->nlive, sizeof *s->live, by_number);
	for (size_t i = 0; s->nlive && i < s->nranks; i++)
		if (bsearch(&s->rank[i].rank, s->live, s->nlive, sizeof *s->live, by_number)) {
			tm_report_add(rep, TM_SEV_ERROR, s->rank[i].where, 0,
			              "contains totals of rank %" PRIu64
			              ", whose events are in another part of the input: give one "
			              "of the two",
			              s->rank[i].rank);
			return true;
		}
	return false;
}

enum tm_status tm_state_begin(struct tm_state *s, const struct tm_metric *m,
                              struct tm_metric_opts *o, struct tm_report *rep)
{
	o->state = NULL;
	if (!s->totals)
		return TM_ST_OK;
	if (tm_state_refuse(s, m, o, rep))
		return rep->lost ? TM_ST_FATAL : TM_ST_END;
	if (m->state && mixed(s, rep))
		return rep->lost ? TM_ST_FATAL : TM_ST_END;
	o->state = m->state ? s : NULL;
	return m->state && !tm_state_open(s, m, rep) ? TM_ST_FATAL : TM_ST_OK;
}
