/* SPDX-License-Identifier: MIT */
#include "model/launcher.h"

#include "base/base.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool tm_launched(bool (*number)(void *arg, const char *variable, uint64_t *out), void *arg,
                 struct tm_launched *out)
{
	static const struct {
		const char *rank, *size, *host;
	} jobs[] = {
#define JOB(rank, size, host) { rank, size, host },
#include "schemas/job_launchers.def"
#undef JOB
	};
	uint64_t rank, size;

	*out = (struct tm_launched) { .size = 1 };
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
		if (number(arg, jobs[i].rank, &rank) && number(arg, jobs[i].size, &size) &&
		    rank < size && size > out->size)
			*out = (struct tm_launched) { rank, size, jobs[i].rank, jobs[i].host };
	return out->size > 1;
}

static bool here(void *arg, const char *variable, uint64_t *out)
{
	const char *v = getenv(variable);

	(void)arg;
	return v && tm_num_u64(v, strlen(v), out);
}

bool tm_launched_here(struct tm_launched *out)
{
	return tm_launched(here, NULL, out);
}
