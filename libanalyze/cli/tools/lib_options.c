/* SPDX-License-Identifier: MIT */
#include "cli/tools/lib_options.h"

#include <string.h>

void tm_lib_options(struct lib_own *own, const char *const *names, const char *trace,
                    struct option out[LIB_OPTIONS])
{
	const struct option all[] = {
		{ .name = "job",
		  .type = OPT_TEXT,
		  .value = &own->o.job,
		  .arg = "ID",
		  .about = "value of the column jobid",
		  .dflt = "that of the tables read, else 0" },
		{ .name = "date",
		  .type = OPT_TEXT,
		  .value = &own->o.date,
		  .arg = "TEXT",
		  .about = "value of the column created_date",
		  .dflt = "that of the tables read" },
		{ .name = "model",
		  .type = OPT_TEXT,
		  .value = &own->o.model,
		  .arg = "NAME",
		  .about = "value of the column model",
		  .dflt = "that of the tables read" },
		{ .name = "libraries",
		  .value = &own->o.by_library,
		  .about = "a row for each library" },
		{ .name = "trace",
		  .type = OPT_TEXT,
		  .value = &own->weights,
		  .arg = "FILE",
		  .about = trace },
		{ .name = "key",
		  .type = OPT_TEXT,
		  .value = &own->o.key,
		  .arg = "LIST",
		  .about = "columns that name a configuration",
		  .dflt = "the problem" },
		{ .name = "metric",
		  .type = OPT_TEXT,
		  .value = &own->o.metric,
		  .arg = "COLUMN",
		  .about = "the column to compare by",
		  .dflt = "a time, else a rate" },
		{ .name = "exact",
		  .value = &own->o.exact,
		  .about = "distinguish configurations by their exact text" },
		{ .name = "threshold",
		  .type = OPT_FIXED,
		  .value = &own->o.threshold,
		  .arg = "PCT",
		  .about = "smallest difference that counts",
		  .dflt = "3, 5 below 20 us; twice that where measured once" },
		{ .name = "fail-over",
		  .type = OPT_FIXED,
		  .value = &own->o.fail_over,
		  .arg = "PCT",
		  .about = "exit 1 when a problem is significantly slower by more" },
		{ 0 },
	};
	size_t n = 0;

	for (size_t i = 0; names && i < LIB_OPTIONS && names[i]; i++)
		for (const struct option *o = all; o->name; o++)
			if (!strcmp(o->name, names[i]))
				out[n++] = *o;
	out[n] = (struct option) { 0 };
}
