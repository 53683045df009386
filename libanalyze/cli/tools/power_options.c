/* SPDX-License-Identifier: MIT */
#include "cli/tools/power_options.h"

#include "cli/frame/frame.h"

#include <string.h>

enum { ONE = 10000, NS_OF_ONE = 1000000000 / ONE };

/* In the order of enum tm_power_what; then all sensors of traces. */
static const char *const what_words[] = { "power", "vram", "sensors", NULL };

void tm_power_options(struct power_own *own, struct option out[POWER_OPTIONS])
{
	const struct option all[POWER_OPTIONS] = {
		{ .name = "what",
		  OPT_TO_INDEX(&own->what),
		  .given = &own->what_given,
		  .arg = "TABLE",
		  .choices = what_words,
		  .about =
		          "table to show if the files contain both (sensors: those of traces, even "
		          "next to tables)" },
		{ .name = "scale",
		  OPT_TO_FIXED(&own->scale),
		  .given = &own->scaled,
		  .arg = "N",
		  .min = 1,
		  .max = UINT64_C(1000000) * ONE,
		  .about = "multiply power readings by N",
		  .dflt = "1" },
		{ .name = "gap",
		  OPT_TO_FIXED(&own->gap),
		  .arg = "SECONDS",
		  .min = 1,
		  .max = UINT64_C(3600) * ONE,
		  .about = "do not integrate over longer gaps between readings",
		  .dflt = "3.5 times the median interval of the readings" },
		{ .name = "keep-zero",
		  OPT_TO_FLAG(&own->keep_zero),
		  .about = "VRAM: treat 0 % as a reading, not as a failed one" },
		{ .name = "trace",
		  OPT_TO_LIST(&own->trace),
		  .arg = "FILE",
		  .about =
		          "attribute the energy to the kernels of this trace; may be given several "
		          "times" },
		{ .name = "by",
		  OPT_TO_CHOICE(&own->by),
		  .arg = "WHAT",
		  .choices = tm_energy_by_words,
		  .about = "attribute energy to kernel classes, steps, regions or operators (of "
		           "--trace, or of traces with power readings)",
		  .dflt = "class" },
		{ .name = "chart",
		  OPT_TO_FLAG(&own->chart),
		  .about = "show sensors of traces over time instead" },
		{ .name = "offset",
		  OPT_TO_U64(&own->offset),
		  .given = &own->has_offset,
		  .arg = "NS",
		  .max = INT64_MAX,
		  .about = "clock of the trace at the first reading" },
		{ .name = "zone",
		  OPT_TO_TEXT(&own->zone),
		  .arg = "+HH:MM",
		  .about = "time zone of the readings, as an offset from UTC",
		  .dflt = "UTC, with a note" },
		{ .name = "map",
		  OPT_TO_TEXT(&own->map),
		  .arg = "AGENT=DEVICE[,...]",
		  .about = "device of each agent of the trace" },
		{ .letter = 'w',
		  .name = "window",
		  OPT_TO_TEXT(&own->window),
		  .arg = "FROM..TO",
		  .about = "only rows in this part; each edge is +DURATION, PERCENT% or empty" },
		{ 0 },
	};

	memcpy(out, all, sizeof all);
}

bool tm_power_by(const struct power_own *own)
{
	return own->by && strcmp(own->by, tm_energy_by_words[TM_ENERGY_CLASS]) != 0;
}

bool tm_power_all(const struct power_own *own)
{
	return own->what_given && own->what == TM_POWER_WHATS;
}

static bool take_map(void *arg, const char *word, struct tm_diag *d)
{
	return tm_energy_map_add(arg, word, d);
}

bool tm_power_read(const struct power_own *own, struct tm_power_opts *o, struct tm_diag *d)
{
	const bool aligned = own->has_offset || own->zone || own->map || own->by;

	o->what = own->what_given && !tm_power_all(own) ? own->what + 1 : 0;
	o->scale = own->scale;
	o->scaled = own->scaled != 0;
	o->gap_ns = own->gap * NS_OF_ONE;
	o->keep_zero = own->keep_zero;
	o->windowed = own->window != NULL;
	o->align.has_offset = own->has_offset != 0;
	o->align.offset_ns = own->offset;
	o->align.has_zone = own->zone != NULL;
	if (own->zone && !tm_energy_zone(own->zone, &o->align.zone_ns))
		tm_diag_set(d, 0, "--zone: unknown zone '%.100s'; use +HH:MM, -HH:MM or UTC",
		            own->zone);
	else if (own->has_offset && own->zone)
		tm_diag_set(d, 0, "--offset and --zone set the same thing: use one of them");
	else if (tm_power_all(own) || own->chart)
		tm_diag_set(d, 0, "--what sensors and --chart need a trace, and no operand is one");
	else if (aligned && !own->trace.n && !own->traced)
		tm_diag_set(d, 0, "--by, --offset, --zone and --map need --trace FILE");
	else if (own->window && !tm_window_parse(&o->window, own->window, d))
		return false;
	else if (o->windowed && o->window.kind != TM_WINDOW_EDGES)
		tm_diag_set(d, 0, "-w: readings have no markers and no steps; give FROM..TO");
	return !*d->text && (!own->map || tm_list_words("map", own->map, take_map, &o->align, d));
}
