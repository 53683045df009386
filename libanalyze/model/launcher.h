/* SPDX-License-Identifier: MIT
 * Which process of a job this is, from the variables of its launcher. */
#ifndef TM_MODEL_LAUNCHER_H
#define TM_MODEL_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>

/* What the launcher's variables say. */
struct tm_launched {
	uint64_t rank, size;  /* size: processes of the job, 2 or more */
	const char *variable; /* that the rank is in; static */
	const char *host;     /* variable that the machine's name is in, or NULL; static */
};

/* Use the variables of schemas/job_launchers.def; number() looks one up (false: not set, or not a
 * number).  False when the process is not one of many. */
bool tm_launched(bool (*number)(void *arg, const char *variable, uint64_t *out), void *arg,
                 struct tm_launched *out);

/* The same for this process. */
bool tm_launched_here(struct tm_launched *out);

#endif
