/* SPDX-License-Identifier: MIT
 * What a track of a trace measures, from its name: a sensor of a GPU, or something else. */
#ifndef TM_MODEL_SENSOR_H
#define TM_MODEL_SENSOR_H

#include "model/event.h"

#include <stdbool.h>
#include <stdint.h>

/* In the order of every listing. */
enum tm_sensor {
	TM_SENSOR_NONE,
	TM_SENSOR_POWER,       /* W */
	TM_SENSOR_SCLK,        /* clock of the GPU, MHz */
	TM_SENSOR_MCLK,        /* clock of its memory, MHz */
	TM_SENSOR_TEMPERATURE, /* degrees Celsius */
	TM_SENSOR_BUSY,        /* percent of the time */
	TM_SENSOR_MEMORY_BUSY, /* percent of the time, of the memory controller */
	TM_SENSOR_VRAM,        /* memory in use, MB */
	TM_SENSORS,
};

/* "power", "sclk" ...; "W", "MHz" ....  Of TM_SENSOR_NONE "". */
const char *tm_sensor_word(enum tm_sensor s);
const char *tm_sensor_unit(enum tm_sensor s);

/* The contents of a name. */
struct tm_sensor_name {
	enum tm_sensor sensor;
	bool has_device; /* a number in brackets: */
	uint32_t device; /* which GPU */
	bool held;       /* a reading is written when it changes, and holds until the next */
	bool sampled;    /* "(S)": of rocprof-sys, which ends every track with a 0 */
};

/* Read the name of a counter (schemas/sensors.def); .sensor is TM_SENSOR_NONE where it is none.
 * Pure. */
struct tm_sensor_name tm_sensor_of(const struct tm_name *nm);

/* The GPU of row i of a batch of samples: that of the row, else the number in its name.  False when
 * it is unknown, or a CPU. */
bool tm_sensor_agent(const struct tm_batch *b, uint32_t i, const struct tm_sensor_name *name,
                     uint64_t *agent);

/* How well a sensor of agent `sensor` fits work of `agent`, which is unknown without `has_agent`: 3
 * the same agent, 2 the same number, 1 not at all, so only if there is one of each. */
int tm_sensor_fits(bool has_agent, uint64_t agent, uint64_t sensor);

#endif
