/* SPDX-License-Identifier: MIT */
#include "metric/metric.h"

#include <string.h>

#define METRIC(id) extern const struct metric metric_##id;
#include "metric/metrics.def"
#undef METRIC

const struct metric *const metrics[] = {
#define METRIC(id) &metric_##id,
#include "metric/metrics.def"
#undef METRIC
	NULL,
};

const char *const per_words[] = { "rank", "agent", "queue", "stream", "shape", NULL };

const struct metric *metric_find(const char *name)
{
	for (size_t i = 0; metrics[i]; i++)
		if (!strcmp(metrics[i]->name, name))
			return metrics[i];
	return NULL;
}
