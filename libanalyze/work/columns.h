/* SPDX-License-Identifier: MIT
 * Columns of several tables about time, defined once: name, heading, meaning, unit. */
#ifndef TM_WORK_COLUMNS_H
#define TM_WORK_COLUMNS_H

#include "model/model.h"

/* clang-format off */
#define TM_COLUMN_BUSY \
	.name = "busy_ns", .title = "BUSY", .unit = TM_UNIT_NS, \
	.about = "something ran"
#define TM_COLUMN_COMPUTE \
	.name = "compute_ns", .title = "COMPUTE", .unit = TM_UNIT_NS, \
	.about = "a compute kernel ran"
#define TM_COLUMN_EXPOSED_COMM \
	.name = "exposed_comm_ns", .title = "+COMM", .unit = TM_UNIT_NS, \
	.about = "a communication kernel ran, but no compute kernel"
#define TM_COLUMN_EXPOSED_COPY \
	.name = "exposed_copy_ns", .title = "+COPY", .unit = TM_UNIT_NS, \
	.about = "copies or fills ran, but no kernel (waiting kernels aside)"
#define TM_COLUMN_IDLE \
	.name = "idle_ns", .title = "+IDLE", .unit = TM_UNIT_NS, \
	.about = "nothing ran"
#define TM_COLUMN_KERNELS \
	.name = "kernels", .title = "KERNELS", .unit = TM_UNIT_COUNT, \
	.about = "kernels that start inside it"
#define TM_COLUMN_MOVE \
	.name = "move_ns", .title = "+MOVE", .unit = TM_UNIT_NS, \
	.about = "a kernel of class memory (copy, fill) ran, but no compute or communication"
#define TM_COLUMN_RANK \
	.name = "rank", .title = "RANK", .unit = TM_UNIT_ID, \
	.about = "rank of the process"
#define TM_COLUMN_START \
	.name = "start_ns", .title = "START", .unit = TM_UNIT_TIME, \
	.about = "start"
#define TM_COLUMN_STEP \
	.name = "step", .title = "STEP", .unit = TM_UNIT_ID, \
	.about = "step number: from the marker, or counted from 1"
#define TM_COLUMN_STEP_WINDOW \
	.name = "window_ns", .title = "WINDOW", .unit = TM_UNIT_NS, \
	.about = "duration"
#define TM_COLUMN_SYNC \
	.name = "sync_ns", .title = "SYNC", .unit = TM_UNIT_NS, \
	.about = "a host thread waited for the GPU"
#define TM_COLUMN_WAIT \
	.name = "wait_ns", .title = "+WAIT", .unit = TM_UNIT_NS, \
	.about = "only kernels of class sync (waiting) ran"
#define TM_COLUMN_WINDOW \
	.name = "window_ns", .title = "WINDOW", .unit = TM_UNIT_NS, \
	.about = "from the first start to the last end of GPU work, or -w"
/* clang-format on */

#endif
