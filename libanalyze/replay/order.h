/* SPDX-License-Identifier: MIT
 * Order of instants within one nanosecond. */
#ifndef REPLAY_ORDER_H
#define REPLAY_ORDER_H

enum {
	TIER_HOST = 1, /* calls begin and end */
	TIER_END,      /* operations end, */
	TIER_START,    /* begin, */
	TIER_EMPTY,    /* and end that have no length, or begin to transfer with the last to come */
	TIER_WAIT,     /* calls that waited end */
};

#endif
