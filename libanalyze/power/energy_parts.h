/* SPDX-License-Identifier: MIT
 * The two halves of tm_energy_fill: relating the trace to the readings, and adding up. */
#ifndef TM_POWER_ENERGY_PARTS_H
#define TM_POWER_ENERGY_PARTS_H

#include "power/energy.h"

/* Where the work of a track goes. */
struct energy_place {
	bool has_device;
	uint64_t device;
	int64_t shift; /* to be added to its times for the clock of the readings */
};

/* Share out the energy: place[i] is that of e->work.track[i].  TM_ST_OK; TM_ST_END with an error in
 * *rep when work and readings do not meet; TM_ST_FATAL. */
enum tm_status tm_energy_share(const struct tm_energy *e, const struct tm_energy_opts *o,
                               const struct energy_place *place, const struct tm_power_node *node,
                               uint64_t scale, struct tm_table *t, struct tm_report *rep);

/* The same by steps, regions or operators, as e->by says. */
enum tm_status tm_energy_share_by(struct tm_energy *e, const struct tm_energy_opts *o,
                                  const struct energy_place *place,
                                  const struct tm_power_node *node, uint64_t scale,
                                  struct tm_table *t, struct tm_report *rep);

/* Work and readings do not meet, into *rep as an error: are they of different hours, as with
 * another zone? */
void tm_energy_tell_apart(const struct tm_energy *e, const struct tm_energy_opts *o,
                          const struct energy_place *place, const struct tm_power_node *node,
                          struct tm_report *rep);

/* A time of the trace on the clock of the readings, kept within its range. */
uint64_t tm_energy_shifted(uint64_t t, int64_t shift);

/* Energy from the beginning of a stretch to x inside it: twice the integral, rounded down. */
tm_u128 tm_energy_to(const struct tm_power_walk *w, uint64_t x);

#endif
