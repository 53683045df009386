/* SPDX-License-Identifier: MIT
 * Formats: bytes become batches of events. */
#ifndef TM_READ_READ_H
#define TM_READ_READ_H

#include "read/batch.h"
#include "read/lines.h"
#include "read/drawn.h"
#include "read/packed.h"
#include "read/reader.h"
#include "read/run_tables.h"

#endif
