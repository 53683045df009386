/* SPDX-License-Identifier: MIT
 * The options of powerstats: powerstats reads them from its command line, tracecheck from rules. */
#ifndef TM_CLI_POWER_OPTIONS_H
#define TM_CLI_POWER_OPTIONS_H

#include "cli/frame/frame.h"
#include "power/power.h"

enum { POWER_OPTIONS = 12 };

/* The values as given; begin with POWER_OWN. */
struct power_own {
	unsigned what, what_given, scaled, has_offset;
	uint64_t scale, gap, offset;
	bool keep_zero, chart;
	const char *zone, *map, *window, *by;
	struct option_list trace; /* the caller's to free */
	bool traced;              /* there is a trace, though `trace` does not name it */
};

#define POWER_OWN                                                                                  \
	{                                                                                          \
		.scale = 10000                                                                     \
	}

/* All of them, writing into *own. */
void tm_power_options(struct power_own *own, struct option out[POWER_OPTIONS]);

/* Is the energy that of something else than kernel classes? */
bool tm_power_by(const struct power_own *own);

/* Are all sensors of traces asked for? */
bool tm_power_all(const struct power_own *own);

/* The same as the question has them; false with *d. */
bool tm_power_read(const struct power_own *own, struct tm_power_opts *o, struct tm_diag *d);

#endif
