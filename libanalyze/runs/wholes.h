/* SPDX-License-Identifier: MIT
 * Files that a profiler puts together from those beside them, which then hold everything twice
 * (tm_whole_beside). */
#ifndef TM_RUNS_WHOLES_H
#define TM_RUNS_WHOLES_H

#include "base/base.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the parts of one file add up to. */
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

/* There is a file, which may be a part; one path counts once.  bytes: UINT64_MAX = not known.
 * False when out of memory. */
bool tm_wholes_add(struct tm_wholes *w, const char *path, uint64_t bytes);

/* After all were added: is this file put together from others?  Those count, so it is to be left
 * out: *rep says so, or that it is not what they add up to. */
bool tm_wholes_has(struct tm_wholes *w, const char *path, uint64_t bytes, struct tm_report *rep);

/* Free it; {0} again. */
void tm_wholes_fini(struct tm_wholes *w);

#endif
