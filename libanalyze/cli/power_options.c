/* SPDX-License-Identifier: MIT */
#include "cli/power_options.h"

#include "cli/show.h"

#include <string.h>

enum { ONE = 10000, NS_OF_ONE = 1000000000 / ONE };

/* In the order of enum power_what. */
static const char *const what_words[] = { "power", "vram", NULL };

void power_options(struct power_own *own, struct option out[POWER_OPTIONS])
{
	const struct option all[POWER_OPTIONS] = {
		{ .name = "what",
		  .type = OPT_INDEX,
		  .value = &own->what,
		  .given = &own->what_given,
		  .arg = "TABLE",
		  .choices = what_words,
		  .about = "which table, where the files hold both" },
		{ .name = "scale",
		  .type = OPT_FIXED,
		  .value = &own->scale,
		  .given = &own->scaled,
		  .arg = "N",
		  .min = 1,
		  .max = UINT64_C(1000000) * ONE,
		  .about = "multiply readings of power by N",
		  .dflt = "1" },
		{ .name = "gap",
		  .type = OPT_FIXED,
		  .value = &own->gap,
		  .arg = "SECONDS",
		  .min = 1,
		  .max = UINT64_C(3600) * ONE,
		  .about = "add nothing up across more time than that without a reading",
		  .dflt = "3.5 times the median distance of rows" },
		{ .name = "keep-zero",
		  .value = &own->keep_zero,
		  .about = "of VRAM: 0 % is a reading, not a failed one" },
		{ .name = "trace",
		  .type = OPT_LIST,
		  .value = &own->trace,
		  .arg = "FILE",
		  .about = "share the energy out among the kernels of this trace; may be given "
		           "several times" },
		{ .name = "offset",
		  .type = OPT_U64,
		  .value = &own->offset,
		  .given = &own->has_offset,
		  .arg = "NS",
		  .max = INT64_MAX,
		  .about = "what the clock of the trace read at the first row" },
		{ .name = "zone",
		  .type = OPT_TEXT,
		  .value = &own->zone,
		  .arg = "+HH:MM",
		  .about = "how far the clock of the readings is ahead of UTC",
		  .dflt = "not at all, with a note" },
		{ .name = "map",
		  .type = OPT_TEXT,
		  .value = &own->map,
		  .arg = "AGENT=DEVICE[,...]",
		  .about = "which device an agent of the trace is" },
		{ .letter = 'w',
		  .name = "window",
		  .type = OPT_TEXT,
		  .value = &own->window,
		  .arg = "FROM..TO",
		  .about = "only rows in this part: +DURATION, PERCENT% or nothing" },
		{ 0 },
	};

	memcpy(out, all, sizeof all);
}

static bool take_map(void *arg, const char *word, struct diag *d)
{
	return energy_map_add(arg, word, d);
}

bool power_read(const struct power_own *own, struct power_opts *o, struct diag *d)
{
	const bool aligned = own->has_offset || own->zone || own->map;

	o->what = own->what_given ? own->what + 1 : 0;
	o->scale = own->scale;
	o->scaled = own->scaled != 0;
	o->gap_ns = own->gap * NS_OF_ONE;
	o->keep_zero = own->keep_zero;
	o->windowed = own->window != NULL;
	o->align.has_offset = own->has_offset != 0;
	o->align.offset_ns = own->offset;
	o->align.has_zone = own->zone != NULL;
	if (own->zone && !energy_zone(own->zone, &o->align.zone_ns))
		diag_set(d, 0, "--zone: unknown zone '%.100s'; use +HH:MM, -HH:MM or UTC",
		         own->zone);
	else if (own->has_offset && own->zone)
		diag_set(d, 0, "--offset and --zone set the same thing: use one of them");
	else if (aligned && !own->trace.n && !own->traced)
		diag_set(d, 0, "--offset, --zone and --map go with --trace FILE");
	else if (own->window && !window_parse(&o->window, own->window, d))
		return false;
	else if (o->windowed && o->window.kind != WINDOW_EDGES)
		diag_set(d, 0, "-w: readings have no markers and no steps; give FROM..TO");
	return !*d->text && (!own->map || list_words("map", own->map, take_map, &o->align, d));
}
