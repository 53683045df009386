/* SPDX-License-Identifier: MIT
 * Divide energy among kernel classes: power readings combined with a trace.
 *
 * Power is interpolated linearly between readings (power/power_series.h).  The energy of an instant
 * is divided equally among the classes of kernels that run on the device then; copies and fills are
 * a class of their own.  Instants between the first start and the last end of GPU work on the
 * device in which nothing runs are `idle`, those before and after it `untraced`.  The parts add up
 * to the whole exactly.
 *
 * By step, an instant belongs to the step of the rank that contains it, whatever runs, or to none
 * (`outside`); by region or operator, to those that launched what runs then, divided as by class.
 *
 * Cannot resolve anything shorter than the interval of the readings, usually 100 ms and averaged by
 * the firmware: kernels that always run close together cannot be distinguished by power. */
#ifndef TM_POWER_ENERGY_H
#define TM_POWER_ENERGY_H

#include "agg/agg.h"
#include "power/power_series.h"
#include "stack/stack.h"
#include "stream/stream.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An agent of the trace and the device it is. */
struct tm_energy_map {
	uint64_t agent; /* tm_agent_pack */
	uint64_t device;
};

enum { TM_ENERGY_MAPS = 256 };

/* How trace and readings go together. */
struct tm_energy_opts {
	bool has_offset;    /* the clock of the trace read ... */
	uint64_t offset_ns; /* ... this much at the first row of the readings */
	bool has_zone;      /* else: the readings' clock is ahead of UTC ... */
	int64_t zone_ns;    /* ... by this */
	struct tm_energy_map
	        map[TM_ENERGY_MAPS]; /* nmap of them; 0 = by the rules of tm_energy_fill */
	size_t nmap;
};

/* Parse "+02:00", "-0330", "Z" or "UTC" to nanoseconds ahead of UTC.  False for other text. */
bool tm_energy_zone(const char *text, int64_t *ns);

/* Parse "4=0" or "GPU 0=2" and add it to o->map.  False with *d. */
bool tm_energy_map_add(struct tm_energy_opts *o, const char *word, struct tm_diag *d);

/* A trace that was given: what is known of its clock. */
struct tm_energy_piece {
	char *path;
	uint64_t rank;
	char *clock; /* NULL = unknown */
	struct tm_realtime realtime;
	bool works; /* it has kernels or copies */
};

/* What the energy is divided among. */
enum tm_energy_by { TM_ENERGY_CLASS, TM_ENERGY_STEP, TM_ENERGY_REGION, TM_ENERGY_OP };

/* "class", "step", "region", "op"; ends with NULL. */
extern const char *const tm_energy_by_words[];

/* The trace. */
struct tm_energy {
	const struct tm_metric_opts *o;
	enum tm_energy_by by;
	struct tm_work work;
	struct tm_stack_opts so;
	struct tm_stack stack;         /* of regions and operators: what launched the work */
	struct tm_names pieces;        /* rank and path of each */
	struct tm_energy_piece *piece; /* n of them */
	size_t n, cap, now;
	struct tm_groups gpus; /* agents that the trace says are GPUs */
	struct tm_agents agents;
};

/* Its sink; .arg is a struct tm_metric_opts with classes and without window, whose `view` is one of
 * tm_energy_by_words or NULL.  Times must be those recorded. */
extern const struct tm_event_sink tm_energy_sink;

/* The columns it needs with that argument. */
tm_ev_set tm_energy_want(const struct tm_metric_opts *o);

/* class, kernels ...; ends with name NULL. */
extern const struct tm_column tm_energy_columns[];

/* part, rank ...: of steps, regions and operators; ends with name NULL. */
extern const struct tm_column tm_energy_by_columns[];

/* Fill the table, as fill of struct tm_question; *t is initialized.  `scale` as in struct
 * tm_power_walk.
 *
 * Clocks: by o->offset_ns; else CLOCK_REALTIME of the trace (struct tm_realtime, or times that are
 * CLOCK_REALTIME) and o->zone_ns; else there is no answer.
 * Devices: by o->map; else "GPU n" is device n; else the n-th GPU among the agents that the trace
 * lists is device n, unless that gives an agent no device and a device no agent; else, where as
 * many agents ran as there are devices, in order; else there is no answer.  Of a node whose devices
 * all have even numbers, an odd device is the second die of the one before, if the agent is of
 * gfx90a or nothing is known of it. */
enum tm_status tm_energy_fill(struct tm_energy *e, const struct tm_energy_opts *o,
                              const struct tm_power_node *node, uint64_t scale, struct tm_table *t,
                              struct tm_report *rep);

#endif
