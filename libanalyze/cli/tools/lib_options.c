/* SPDX-License-Identifier: MIT */
#include "cli/tools/lib_options.h"

#include <string.h>

void tm_lib_options(struct lib_own *own, const char *const *names, const char *trace,
                    struct option out[LIB_OPTIONS])
{
	const struct option all[] = {
		{ .name = "job",
		  OPT_TO_TEXT(&own->o.job),
		  .arg = "ID",
		  .about = "value of the column jobid",
		  .dflt = "that of the tables read, else 0" },
		{ .name = "date",
		  OPT_TO_TEXT(&own->o.date),
		  .arg = "TEXT",
		  .about = "value of the column created_date",
		  .dflt = "that of the tables read" },
		{ .name = "model",
		  OPT_TO_TEXT(&own->o.model),
		  .arg = "NAME",
		  .about = "value of the column model",
		  .dflt = "that of the tables read" },
		{ .name = "libraries",
		  OPT_TO_FLAG(&own->o.by_library),
		  .about = "one row per library" },
		{ .name = "trace", OPT_TO_TEXT(&own->weights), .arg = "FILE", .about = trace },
		{ .name = "gpu",
		  OPT_TO_TEXT(&own->o.gpu),
		  .arg = "PRODUCT",
		  .about = "GPU if the input names none, e.g. MI300X" },
		{ .name = "key",
		  OPT_TO_TEXT(&own->o.key),
		  .arg = "LIST",
		  .about = "columns that identify a configuration",
		  .dflt = "the problem" },
		{ .name = "metric",
		  OPT_TO_TEXT(&own->o.metric),
		  .arg = "COLUMN",
		  .about = "the column to compare by",
		  .dflt = "a time, else a rate" },
		{ .name = "exact",
		  OPT_TO_FLAG(&own->o.exact),
		  .about = "distinguish configurations by their exact text" },
		{ .name = "threshold",
		  OPT_TO_FIXED(&own->o.threshold),
		  .arg = "PCT",
		  .about = "smallest difference that counts",
		  .dflt = "3; 5 below 20 us; twice that if measured only once" },
		{ .name = "fail-over",
		  OPT_TO_FIXED(&own->o.fail_over),
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
