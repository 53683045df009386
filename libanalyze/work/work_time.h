/* SPDX-License-Identifier: MIT
 * A time in words. */
#ifndef TM_WORK_WORK_TIME_H
#define TM_WORK_WORK_TIME_H

#include "base/base.h"

#include <stdint.h>

/* Append a time in four digits, rounded half up: "9.128 ms". */
void tm_work_put_ns(struct tm_buf *b, uint64_t ns);

#endif
