/* SPDX-License-Identifier: MIT */
#include "cli/stats.h"

#include <string.h>

enum { LEVEL_CLASS = 3, DOMAIN_ALL = TM_DOMAIN_SCRATCH + 1 };

static const char *const level_words[] = { "full", "short", "base", "class", NULL };

/* The domains in the order of enum tm_domain, then "all". */
static const char *const domain_words[] = { "kernel", "copy",    "hip",       "hsa",
	                                    "marker", "rccl",    "rocdecode", "rocjpeg",
	                                    "alloc",  "scratch", "all",       NULL };

static const char *const during_words[] = { "busy", "idle", NULL };

static bool offered(const struct tm_metric *m, const char *name)
{
	for (const char *const *o = m->options; *o; o++)
		if (!strcmp(*o, name))
			return true;
	return false;
}

void tm_stats_options(struct stats_own *own, const struct tm_metric *m,
                      struct option out[STATS_OPTIONS])
{
	const struct option all[] = {
		{ .name = "name",
		  .type = OPT_INDEX,
		  .value = &own->level,
		  .arg = "LEVEL",
		  .choices = level_words,
		  .about = "detail of the kernel name used for grouping",
		  .dflt = "full" },
		{ .name = "domain",
		  .type = OPT_INDEX,
		  .value = &own->domain,
		  .arg = "DOMAIN",
		  .choices = domain_words,
		  .about = "what to list",
		  .dflt = "kernel" },
		{ .name = "short",
		  .type = OPT_U64,
		  .value = &own->short_us,
		  .arg = "US",
		  .max = UINT64_MAX / 1000,
		  .about = "kernels shorter than N microseconds count as short",
		  .dflt = "10" },
		{ .name = "during",
		  .type = OPT_CHOICE,
		  .value = &own->during,
		  .arg = "WHEN",
		  .choices = during_words,
		  .about = "only waiting while the GPU was working, or was not" },
		{ .name = "skip",
		  .type = OPT_U64,
		  .value = &own->skip,
		  .arg = "N",
		  .about = "skip the first N steps (warm-up)",
		  .dflt = "0" },
		{ .name = "max-unclassified",
		  .type = OPT_FIXED,
		  .value = &own->max_unclassified,
		  .arg = "PCT",
		  .max = 1000000,
		  .about = "exit 1 if more than PCT % of kernel time has no class" },
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (m && offered(m, all[i].name))
			out[n++] = all[i];
	for (size_t i = 0; m && m->views[i].columns && i < STATS_VIEWS; i++)
		if (m->views[i].option)
			out[n++] = (struct option) { .name = m->views[i].option,
				                     .value = &own->view[i],
				                     .about = m->views[i].about };
	out[n] = (struct option) { 0 };
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
		else if (!strcmp(common->name, "sort"))
			common->words = m->sort_words;
}

bool tm_stats_view(const struct tm_metric *m, const struct stats_own *own, const char **view,
                   struct tm_diag *d)
{
	*view = NULL;
	for (size_t i = 0; m->views[i].columns && i < STATS_VIEWS; i++) {
		if (!own->view[i])
			continue;
		if (*view) {
			tm_diag_set(d, 0, "--%s and --%s are different tables: choose one", *view,
			            m->views[i].option);
			return false;
		}
		*view = m->views[i].option;
	}
	return true;
}

struct tm_metric_opts tm_stats_opts(const struct stats_own *own, const char *view)
{
	struct tm_metric_opts o = { .view = view,
		                    .short_ns = own->short_us * 1000,
		                    .skip = own->skip,
		                    .max_unclassified = own->max_unclassified,
		                    .level = own->level == LEVEL_CLASS
		                                     ? TM_NAME_FULL
		                                     : (enum tm_name_level)own->level,
		                    .by_class = own->level == LEVEL_CLASS };

	if (own->during)
		o.during = strcmp(own->during, "busy") ? TM_DURING_IDLE : TM_DURING_BUSY;
	o.all_domains = own->domain == DOMAIN_ALL;
	o.domains = o.all_domains ? TM_MASK_BIT(TM_DOMAIN_DOMAINS) - 1 : TM_MASK_BIT(own->domain);
	return o;
}
