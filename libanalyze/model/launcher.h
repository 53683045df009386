/* SPDX-License-Identifier: MIT
 * Which process of a job is it?  As the launcher says in its environment. */
#ifndef TM_MODEL_LAUNCHER_H
#define TM_MODEL_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>

/* What launchers say. */
struct tm_launched {
	uint64_t rank, size;  /* size: processes of the job, 2 or more */
	const char *variable; /* that the rank is in; static */
	const char *host;     /* variable that the machine's name is in, or NULL; static */
};

/* By the variables of schemas/job_launchers.def, each of which number() looks up (false: it is not
 * set, or no number).  False when the process is not one of many. */
bool tm_launched(bool (*number)(void *arg, const char *variable, uint64_t *out), void *arg,
                 struct tm_launched *out);

/* The same of this process. */
bool tm_launched_here(struct tm_launched *out);

#endif
