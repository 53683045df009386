/* SPDX-License-Identifier: MIT */
#include "model/sensor.h"

#include <string.h>

enum { LONGEST = 64 }; /* no name of a sensor is longer */

static const struct {
	const char *word, *unit;
} sensors[TM_SENSORS] = {
	[TM_SENSOR_NONE] = { "", "" },
	[TM_SENSOR_POWER] = { "power", "W" },
	[TM_SENSOR_SCLK] = { "sclk", "MHz" },
	[TM_SENSOR_MCLK] = { "mclk", "MHz" },
	[TM_SENSOR_TEMPERATURE] = { "temperature", "C" },
	[TM_SENSOR_BUSY] = { "busy", "%" },
	[TM_SENSOR_MEMORY_BUSY] = { "memory_busy", "%" },
	[TM_SENSOR_VRAM] = { "vram", "MB" },
};

const char *tm_sensor_word(enum tm_sensor s)
{
	return sensors[s].word;
}

const char *tm_sensor_unit(enum tm_sensor s)
{
	return sensors[s].unit;
}

/* The text in brackets that begins at p[i]: its number, if it is the first.  Returns where it ends.
 */
static size_t brackets(const struct tm_name *nm, size_t i, struct tm_sensor_name *out)
{
	const char *close = memchr(nm->text + i, ']', nm->len - i);
	size_t end = close ? (size_t)(close - nm->text) : nm->len;
	uint64_t v;

	if (close && !out->has_device && tm_num_u64(nm->text + i + 1, end - i - 1, &v) &&
	    v <= UINT32_MAX) {
		out->has_device = true;
		out->device = (uint32_t)v;
	}
	return end;
}

/* The name as schemas/sensors.def has it; its length, or LONGEST when it is too long. */
static size_t plain(const struct tm_name *nm, char text[LONGEST], struct tm_sensor_name *out)
{
	size_t n = 0;

	for (size_t i = 0; i < nm->len; i++) {
		char c = nm->text[i];

		if (c == '[') {
			i = brackets(nm, i, out);
			continue;
		}
		if (i + 3 <= nm->len && !memcmp(nm->text + i, "(S)", 3)) {
			out->sampled = true;
			i += 2;
			continue;
		}
		c = c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
		if (c == ' ' && (!n || text[n - 1] == ' '))
			continue;
		if (n + 1 == LONGEST)
			return LONGEST;
		text[n++] = c;
	}
	while (n && text[n - 1] == ' ')
		n--;
	text[n] = 0;
	return n;
}

struct tm_sensor_name tm_sensor_of(const struct tm_name *nm)
{
	static const struct {
		enum tm_sensor sensor;
		const char *name;
		bool held;
	} known[] = {
#define SENSOR(kind, name, held) { TM_SENSOR_##kind, name, held },
#include "schemas/sensors.def"
	};
	static const char *const heads[] = { "gpu ", "device ", "pmc ", "gpu " };
	struct tm_sensor_name out = { .sensor = TM_SENSOR_NONE };
	char text[LONGEST];
	size_t n = plain(nm, text, &out), from = 0;

	if (n == LONGEST || strlen(text) != n)
		return out;
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (!strncmp(text + from, heads[i], strlen(heads[i])))
			from += strlen(heads[i]);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(text + from, known[i].name)) {
			out.sensor = known[i].sensor;
			out.held = known[i].held && n == nm->len && !from;
			break;
		}
	return out;
}

bool tm_sensor_agent(const struct tm_batch *b, uint32_t i, const struct tm_sensor_name *name,
                     uint64_t *agent)
{
	if (tm_batch_has(b, i, TM_EVC_AGENT)) {
		*agent = b->col[TM_EVC_AGENT][i];
		return *agent >> 32 != TM_AGENT_CPU;
	}
	*agent = tm_agent_pack(TM_AGENT_GPU, name->device);
	return name->has_device;
}

int tm_sensor_fits(bool has_agent, uint64_t agent, uint64_t sensor)
{
	return !has_agent ? 1 : sensor == agent ? 3 : (uint32_t)sensor == (uint32_t)agent ? 2 : 1;
}
