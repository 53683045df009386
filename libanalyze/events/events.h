/* SPDX-License-Identifier: MIT
 * tracecat: the events themselves. */
#ifndef TM_EVENTS_EVENTS_H
#define TM_EVENTS_EVENTS_H

#include "events/folded.h"
#include "events/list.h"

#endif
