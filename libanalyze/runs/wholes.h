/* SPDX-License-Identifier: MIT
 * Files that a profiler merges from the files next to them, so that everything is there twice
 * (tm_whole_beside). */
#ifndef TM_RUNS_WHOLES_H
#define TM_RUNS_WHOLES_H

#include "base/base.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sum of the parts of one file. */
struct tm_wholes_one {
	size_t parts;
	uint64_t bytes;
	bool unknown; /* ... that of some of them is not known */
	bool told;
};

/* {0} is a valid empty one. */
struct tm_wholes {
	struct tm_names parts, paths;
	struct tm_wholes_one *v; /* of each path */
	size_t cap;
};

/* Add a file, which may be a part; a path counts once.  bytes: UINT64_MAX = unknown.  False when
 * out of memory. */
bool tm_wholes_add(struct tm_wholes *w, const char *path, uint64_t bytes);

/* After all were added: is this file merged from others?  These count, so it must be ignored; *rep
 * says so, or that its size is not their sum. */
bool tm_wholes_has(struct tm_wholes *w, const char *path, uint64_t bytes, struct tm_report *rep);

/* Free it; {0} again. */
void tm_wholes_fini(struct tm_wholes *w);

#endif
