/* SPDX-License-Identifier: MIT */
#include "cli/tools/stats.h"

#include <string.h>
#include <unistd.h>

enum { LEVEL_CLASS = 3, DOMAIN_ALL = TM_DOMAIN_SCRATCH + 1 };

static const char *const level_words[] = { "full", "short", "base", "class", NULL };
static const char *const name_words[] = { "full", "short", "base", NULL };

/* The first domains, which are those of what GPUs do, then "all". */
static const char *const work_words[] = { "kernel", "copy", "all", NULL };
enum { WORK_ALL = 2 };
_Static_assert(TM_DOMAIN_KERNEL == 0 && TM_DOMAIN_COPY == 1, "the order of work_words");

/* The domains in the order of enum tm_domain, then "all". */
static const char *const domain_words[] = { "kernel", "copy",    "hip",       "hsa",
	                                    "marker", "rccl",    "rocdecode", "rocjpeg",
	                                    "alloc",  "scratch", "all",       NULL };

/* The row of a metric's own option, writing into its own struct. */
static struct option own_option(const struct tm_metric_option *o, unsigned char *own)
{
	static const enum option_type types[] = {
		[TM_METRIC_FLAG] = OPT_FLAG,     [TM_METRIC_U64] = OPT_U64,
		[TM_METRIC_FIXED] = OPT_FIXED,   [TM_METRIC_TEXT] = OPT_TEXT,
		[TM_METRIC_CHOICE] = OPT_CHOICE,
	};

	return (struct option) { .name = o->name,
		                 .type = types[o->type],
		                 .value = own + o->at,
		                 .arg = o->arg,
		                 .about = o->about,
		                 .dflt = o->dflt,
		                 .choices = o->choices,
		                 .min = o->min,
		                 .max = o->max };
}

void tm_stats_options(struct stats_own *own, const struct tm_metric *m,
                      struct option out[STATS_OPTIONS])
{
	const struct option name = { .name = "name",
		                     OPT_TO_INDEX(&own->level),
		                     .arg = "LEVEL",
		                     .choices = m && m->takes & TM_TAKES_CLASS ? level_words
		                                                               : name_words,
		                     .about = "detail of the kernel name used for grouping",
		                     .dflt = "full" };
	const bool work = m && m->takes & TM_TAKES_WORK;
	const struct option domain = { .name = "domain",
		                       OPT_TO_INDEX(&own->domain),
		                       .arg = "DOMAIN",
		                       .choices = work ? work_words : domain_words,
		                       .about = "what to list",
		                       .dflt = "kernel" };
	const struct option runs = { .name = "runs",
		                     OPT_TO_FLAG(&own->runs),
		                     .about = "each operand is one run (file, directory or quoted "
		                              "pattern); compare the others with the first" };
	size_t n = 0;

	if (m && m->fill_runs)
		out[n++] = runs;
	if (m && m->takes & TM_TAKES_NAME)
		out[n++] = name;
	own->every = work ? WORK_ALL : DOMAIN_ALL;
	if (m && m->takes & (TM_TAKES_DOMAIN | TM_TAKES_WORK))
		out[n++] = domain;
	for (const struct tm_metric_option *o = m ? m->options : NULL; o && o->name; o++)
		out[n++] = own_option(o, own->own);
	for (size_t i = 0; m && m->views[i].columns && i < STATS_VIEWS; i++)
		if (m->views[i].value)
			out[n++] = own_option(m->views[i].value, own->own);
		else if (m->views[i].option)
			out[n++] = (struct option) { .name = m->views[i].option,
				                     .value = &own->view[i],
				                     .about = m->views[i].about };
	out[n] = (struct option) { 0 };
	if (m)
		tm_metric_defaults(m, own->own, false);
}

/* The words of --per for each set of them. */
static const char *const *words_of(unsigned per)
{
	static const char *words[TM_PER_SHAPE << 1][6];
	size_t n = 0;

	for (unsigned i = 0; tm_per_words[i]; i++)
		if (per & 1u << i)
			words[per][n++] = tm_per_words[i];
	return words[per];
}

void tm_stats_adapt(const struct tm_metric *m, struct option *common)
{
	for (; m && common->name; common++)
		if (!strcmp(common->name, "per"))
			common->words = words_of(m->per);
}

/* Is the view asked for, by a flag or by an option with a value? */
static bool is_given(const struct tm_metric_view *v, const struct stats_own *own, size_t i)
{
	const char *text = NULL;

	if (v->value)
		memcpy(&text, own->own + v->value->at, sizeof text);
	return text || own->view[i];
}

/* An option that was given for nothing: only another view reads it. */
static const struct tm_metric_option *unread(const struct tm_metric *m, const struct stats_own *own,
                                             const char *view)
{
	for (const struct tm_metric_option *o = m->options; o && o->name; o++)
		if (o->view && strcmp(o->view, view ? view : "") != 0 &&
		    tm_metric_option_set(o, own->own))
			return o;
	return NULL;
}

/* Does the view at hand take all that was given?  Else false with *d. */
static bool view_fits(const struct tm_metric *m, const struct tm_metric_view *v,
                      const struct stats_own *own, struct tm_diag *d)
{
	const struct tm_metric_option *o = unread(m, own, v->option);

	if (v->no_name && own->level != TM_NAME_FULL)
		tm_diag_set(d, 0, "%s%s does not take --name: %s", v->option ? "--" : "",
		            v->option ? v->option : m->name, v->no_name);
	else if (o && *o->view)
		tm_diag_set(d, 0, "--%s does nothing without --%s", o->name, o->view);
	else if (o)
		tm_diag_set(d, 0, "--%s does nothing with --%s", o->name, v->option);
	else
		return true;
	return false;
}

bool tm_stats_view(const struct tm_metric *m, const struct stats_own *own, const char **view,
                   struct tm_diag *d)
{
	const struct tm_metric_view *v = m->views;

	*view = NULL;
	for (size_t i = 0; m->views[i].columns && i < STATS_VIEWS; i++) {
		if (!is_given(&m->views[i], own, i))
			continue;
		if (*view) {
			tm_diag_set(d, 0, "--%s and --%s are different tables: choose one", *view,
			            m->views[i].option);
			return false;
		}
		v = &m->views[i];
		*view = v->option;
	}
	return view_fits(m, v, own, d);
}

bool tm_stats_operand(const struct tm_metric *m, struct stats_own *own,
                      struct option_list *operands, struct tm_diag *d)
{
	const char *text = m && m->operand && operands->n ? operands->v[0] : NULL;

	if (!text)
		return true;
	memcpy(own->own + m->operand->at, &text, sizeof text);
	memmove(operands->v, operands->v + 1, --operands->n * sizeof *operands->v);
	operands->before -= operands->before > 0;
	return m->understood(text, d);
}

bool tm_stats_lacks(const struct tm_metric *m, const struct stats_own *own,
                    const struct option_list *operands, struct tm_diag *d)
{
	const char *text = NULL;
	bool input;

	if (!m || !m->operand)
		return false;
	memcpy(&text, own->own + m->operand->at, sizeof text);
	input = text && !operands->n && !access(text, F_OK);
	if (!text)
		tm_diag_set(d, 0, "%s needs %s: %s", m->name, m->operand->arg, m->operand->about);
	else if (input)
		tm_diag_set(d, 0, "%s needs %s before its inputs: kstats %s %s %.200s", m->name,
		            m->operand->arg, m->name, m->operand->arg, text);
	return !text || input;
}

struct tm_metric_opts tm_stats_opts(struct stats_own *own, const char *view)
{
	const bool by_class = own->level == LEVEL_CLASS, all = own->domain == own->every;

	return (struct tm_metric_opts) {
		.view = view,
		.own = own->own,
		.level = by_class ? TM_NAME_FULL : (enum tm_name_level)own->level,
		.by_class = by_class,
		.all_domains = all,
		.domains = all ? TM_MASK_BIT(TM_DOMAIN_DOMAINS) - 1 : TM_MASK_BIT(own->domain),
	};
}
