/* SPDX-License-Identifier: MIT
 * Sensors in traces: power, clocks, temperature, use.  A row for each sensor of each GPU of each
 * rank, and the energy of what ran, from the power in the same trace.
 *
 * A reading is of an instant, with linear interpolation to the next (power/power_series.h); or it
 * holds until an end in the trace, as in rpd, which writes a row when a value changes.  Then
 *     mean   of both is weighted by time
 *     p95    of what holds by time, of instants by reading
 * Changes between two readings are not seen.  GPUs have the numbers of the driver's tools; another
 * process may number them differently. */
#ifndef TM_POWER_SENSORS_H
#define TM_POWER_SENSORS_H

#include "power/energy.h"
#include "power/power_series.h"
#include "question/question.h"

/* A reading. */
struct tm_sensor_reading {
	uint64_t rank, agent;
	uint64_t at, until; /* == at: of an instant */
	uint64_t value;     /* in millionths; TM_POWER_NA = no number that such a sensor has */
	enum tm_sensor sensor;
	bool held, sampled; /* as in struct tm_sensor_name */
};

/* All of them. */
struct tm_sensors {
	const struct tm_metric_opts *o;
	struct tm_sensor_reading *v; /* n of them */
	size_t n, cap;
	uint64_t of_cpu, nameless, untimed; /* readings of a CPU; of no GPU that is named; without a
	                                     * time */

	/* the piece being read */
	uint64_t rank;
	struct tm_extent window;
	struct tm_sensor_name *track; /* of its names, ntrack of them known */
	size_t track_cap;
	uint32_t ntrack;
};

/* The functions of an event sink, whose argument is a struct tm_metric_opts, and the columns it
 * needs. */
bool tm_sensors_init(void *acc, const void *arg);
bool tm_sensors_piece(void *acc, const struct tm_piece *p);
bool tm_sensors_take(void *acc, const struct tm_batch *b);
bool tm_sensors_merge(void *into, void *from);
void tm_sensors_fini(void *acc);
tm_ev_set tm_sensors_want(void);

/* One sensor, in order of time. */
struct tm_sensor_series {
	uint64_t rank, agent;
	enum tm_sensor sensor;
	struct tm_power_files files; /* one, of one device: 0 */
	struct tm_power_node *node;  /* it */
	uint64_t samples, na;
	bool ended; /* a last 0 was left out, with which rocprof-sys ends every track */
};

struct tm_sensor_list {
	struct tm_sensor_series *v; /* n of them, by rank, agent and sensor */
	size_t n;
};

/* After reading: list each sensor, but only those of the set `which`, a bit each.  `gap_ns` as in
 * tm_power_nodes.  False when out of memory; tm_sensor_list_fini is needed all the same. */
bool tm_sensors_settle(struct tm_sensors *s, uint64_t gap_ns, unsigned which,
                       struct tm_sensor_list *out);
void tm_sensor_list_fini(struct tm_sensor_list *l);

/* A walk over one sensor, not begun; readings are multiplied by `scale` ten-thousandths. */
struct tm_power_walk tm_sensor_walk(const struct tm_sensor_series *s, uint64_t scale);

/* Advice if a trace has no sensors. */
#define TM_SENSORS_HOW                                                                             \
	"trace with rocprof-sys (ROCPROFSYS_USE_PROCESS_SAMPLING=true "                            \
	"ROCPROFSYS_USE_AMD_SMI=true), or run amd-smi monitor --csv -w 1 -p next to the program "  \
	"and give its output as well"

/* Options that powerstats and its questions about traces share, in metric_opts.own. */
struct tm_sensors_own {
	uint64_t scale; /* of power, ten-thousandths; 0 = 1 */
	bool scaled;
	bool keep_zero; /* of VRAM in tables: 0 is a reading */
	uint64_t gap_ns;
	unsigned what;                       /* 0 = all, else enum tm_power_what + 1 */
	uint64_t bins;                       /* of --chart; 0 = some */
	const struct tm_power_files *tables; /* read beside, or NULL */
};

/* Sensors, a row each; with view "chart" over time. */
extern const struct tm_metric tm_metric_sensors;

/* The energy of classes of kernels; with view "step", "region" or "op" of those. */
extern const struct tm_metric tm_metric_energy;

#endif
