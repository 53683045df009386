/* SPDX-License-Identifier: MIT
 * Many inputs: threads, ranks, windows, reports. */
#ifndef TM_STREAM_STREAM_H
#define TM_STREAM_STREAM_H

#include "stream/contained.h"
#include "stream/contained_rows.h"
#include "stream/drive.h"
#include "stream/executed.h"
#include "stream/fan.h"
#include "stream/marker_span.h"
#include "stream/only.h"
#include "stream/parts.h"
#include "stream/process.h"
#include "stream/rank.h"
#include "stream/recast.h"
#include "stream/report.h"
#include "stream/span.h"
#include "stream/timeless.h"
#include "stream/twice.h"
#include "stream/watch.h"
#include "stream/window.h"

#endif
