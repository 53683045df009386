/* SPDX-License-Identifier: MIT
 * Several sinks as one: inputs are read once for all of them. */
#ifndef TM_STREAM_FAN_H
#define TM_STREAM_FAN_H

#include "stream/drive.h"

#include <stddef.h>

/* n sinks, each with its `arg`; none has `held`. */
struct tm_fan {
	const struct tm_event_sink *sink;
	size_t n;
};

/* A sink that passes everything to each of them; *fan must outlive it. */
struct tm_event_sink tm_fan_sink(const struct tm_fan *fan);

/* The accumulator of sink i. */
void *tm_fan_part(void *acc, size_t i);

#endif
